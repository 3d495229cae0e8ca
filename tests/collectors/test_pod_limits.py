"""The heap, the limit of the memory and the time to end, as containers, pods and Strimzi's resources say them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

SERVICE = "services:\n  kafka:\n    image: apache/kafka:4.3.0\n    {0}\n    environment: {{KAFKA_NODE_ID: 1, {1}}}\n"
POD = """apiVersion: apps/v1
kind: StatefulSet
metadata: {{name: kafka}}
spec:
  template:
    spec:
      terminationGracePeriodSeconds: {0}
      containers:
      - name: kafka
        image: apache/kafka:4.3.0
        resources: {{limits: {{memory: {1}}}}}
        env:
        - {{name: KAFKA_NODE_ID, value: "1"}}
        - {{name: KAFKA_HEAP_OPTS, value: "{2}"}}
"""
POOL = """apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {{name: all, labels: {{strimzi.io/cluster: c}}}}
spec:
  replicas: 3
  roles: [broker]
  resources: {{limits: {{memory: {0}}}}}
  jvmOptions: {{-Xmx: {1}}}
  template: {{pod: {{terminationGracePeriodSeconds: {2}}}}}
  storage: {{type: persistent-claim, size: 100Gi}}
"""
HEAP, GRACE = "KA1745", "KA1746"
CASES = {
    "mem_limit": (SERVICE.format("mem_limit: 1g", "KAFKA_HEAP_OPTS: -Xms1g -Xmx2g"), {HEAP}),
    "deploy": (SERVICE.format("deploy: {resources: {limits: {memory: 512M}}}", "KAFKA_HEAP_OPTS: -Xmx512m"), {HEAP}),
    "the last one counts": (SERVICE.format("mem_limit: 1g", "KAFKA_HEAP_OPTS: -Xmx2g -Xmx512m"), set()),
    "a later variable": (SERVICE.format("mem_limit: 1g", "KAFKA_HEAP_OPTS: -Xmx2g, KAFKA_OPTS: -Xmx512m"), set()),
    "half of it": (SERVICE.format("mem_limit: 4g", "KAFKA_HEAP_OPTS: -Xmx2g"), set()),
    "no limit": (SERVICE.format("hostname: k", "KAFKA_HEAP_OPTS: -Xmx2g"), set()),
    "filled in later": (SERVICE.format("mem_limit: 1g", "KAFKA_HEAP_OPTS: '-Xmx${HEAP}'"), set()),
    "a pod": (POD.format(5, "1Gi", "-Xmx1g"), {HEAP, GRACE}),
    "a pod with more": (POD.format(60, "3Gi", "-Xmx1g"), set()),
    "a pool": (POOL.format("2Gi", "4g", 10), {HEAP, GRACE}),
    "a pool with more": (POOL.format("8Gi", "4096m", 120), set()),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_limits(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    file = tmp_path / ("compose.yml" if text.startswith("services") else "kafka.yaml")
    file.write_text(text)
    rows = run("lint", file, "--no-config", "--format", "json").json["findings"]
    assert {row["rule"] for row in rows} & {"KA000", HEAP, GRACE} == expected
