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
CFK = """apiVersion: platform.confluent.io/v1beta1
kind: Kafka
metadata: {{name: kafka}}
spec:
  replicas: 3
  dataVolumeCapacity: 100Gi
  configOverrides: {{jvm: [-Xms4g, {0}]}}
  podTemplate: {{resources: {{limits: {{memory: {1}}}}}{2}}}
"""
BITNAMI = """listeners: {{client: {{protocol: SASL_SSL}}}}
controller:
  replicaCount: 3
  heapOpts: {0}
  resources: {{limits: {{memory: {1}}}}}
{2}
"""
OLD_BITNAMI = """heapOpts: {0}
autoCreateTopicsEnable: false
zookeeper: {{enabled: true}}
defaultReplicationFactor: 3
resources: {{limits: {{memory: {1}}}}}
"""
HEAP, GRACE, LIVENESS = "KA1745", "KA1746", "KA1751"
PORT = "        ports: [{name: clients, containerPort: 9092}]\n"
PROBE = "        livenessProbe: {{tcpSocket: {{port: {0}}}{1}}}\n"
PROBED = POD.format(60, "3Gi", "-Xmx1g") + PORT
CASES = {
    "mem_limit": (SERVICE.format("mem_limit: 1g", "KAFKA_HEAP_OPTS: -Xms1g -Xmx2g"), {HEAP}),
    "deploy": (SERVICE.format("deploy: {resources: {limits: {memory: 512M}}}", "KAFKA_HEAP_OPTS: -Xmx512m"), {HEAP}),
    "the last one counts": (SERVICE.format("mem_limit: 1g", "KAFKA_HEAP_OPTS: -Xmx2g -Xmx512m"), set()),
    "a later variable": (SERVICE.format("mem_limit: 1g", "KAFKA_HEAP_OPTS: -Xmx2g, KAFKA_OPTS: -Xmx512m"), set()),
    "half of it": (SERVICE.format("mem_limit: 4g", "KAFKA_HEAP_OPTS: -Xmx2g"), set()),
    "without a unit": (SERVICE.format("mem_limit: 536870912", "KAFKA_HEAP_OPTS: -Xmx2g"), {HEAP}),
    "a fraction": (SERVICE.format("mem_limit: 1.5g", "KAFKA_HEAP_OPTS: -Xmx2g"), {HEAP}),
    "a fraction that holds it": (SERVICE.format("mem_limit: 2.5gb", "KAFKA_HEAP_OPTS: -Xmx2g"), set()),
    "the heap of the script": (SERVICE.format("mem_limit: 768m", "KAFKA_LOG_DIRS: /d"), {HEAP}),
    "a limit above that of the script": (SERVICE.format("mem_limit: 2g", "KAFKA_LOG_DIRS: /d"), set()),
    "a share of the memory": (SERVICE.format("mem_limit: 768m", "KAFKA_HEAP_OPTS: -XX:MaxRAMPercentage=50"), set()),
    "options that may set it": (SERVICE.format("mem_limit: 768m", "KAFKA_OPTS: -Da=b"), set()),
    "variables of a file": (SERVICE.format("mem_limit: 768m, env_file: x.env".replace(", ", "\n    "), "KAFKA_LOG_DIRS: /d"), set()),
    "a short stop": (SERVICE.format("stop_grace_period: 5s", "KAFKA_LOG_DIRS: /d"), {GRACE}),
    "a long stop": (SERVICE.format("stop_grace_period: 1m30s", "KAFKA_LOG_DIRS: /d"), set()),
    "a stop that is filled in": (SERVICE.format("stop_grace_period: ${STOP}", "KAFKA_LOG_DIRS: /d"), set()),
    "no limit": (SERVICE.format("hostname: k", "KAFKA_HEAP_OPTS: -Xmx2g"), set()),
    "filled in later": (SERVICE.format("mem_limit: 1g", "KAFKA_HEAP_OPTS: '-Xmx${HEAP}'"), set()),
    "a pod": (POD.format(5, "1Gi", "-Xmx1g"), {HEAP, GRACE}),
    "a pod with more": (POD.format(60, "3Gi", "-Xmx1g"), set()),
    "a probe": (PROBED + PROBE.format(9092, ""), {LIVENESS}),
    "a probe by the port's name": (PROBED + PROBE.format("clients", ", initialDelaySeconds: 30"), {LIVENESS}),
    "a probe that waits": (PROBED + PROBE.format(9092, ", initialDelaySeconds: 300"), set()),
    "a probe that fails late": (PROBED + PROBE.format(9092, ", failureThreshold: 60"), set()),
    "a probe of the controllers": (PROBED + PROBE.format(9093, ""), set()),
    "a probe after the start": (PROBED + PROBE.format(9092, "") + "        startupProbe: {tcpSocket: {port: 9092}, failureThreshold: 180}\n", set()),
    "a probe that is filled in": (PROBED + PROBE.format(9092, ", initialDelaySeconds: ${DELAY}"), set()),
    "a native image without a heap": (SERVICE.format("mem_limit: 768m", "KAFKA_LOG_DIRS: /d").replace("kafka:4", "kafka-native:4"), set()),
    "a pool": (POOL.format("2Gi", "4g", 10), {HEAP, GRACE}),
    "a pool with more": (POOL.format("8Gi", "4096m", 120), set()),
    "Confluent's operator": (CFK.format("-Xmx4g", "4Gi", ""), {HEAP}),
    "Confluent's operator with more": (CFK.format("-Xmx4g", "8Gi", ""), set()),
    "Confluent's operator, filled in later": (CFK.format("-Xmx9g, '-Xmx${HEAP}'", "8Gi", ""), set()),
    "Confluent's operator, a variable": (CFK.format("-Xmx4g", "4Gi", ", envVars: [{name: KAFKA_OPTS, value: -Xmx1g}]"), set()),
    "Bitnami's controllers": (BITNAMI.format("-Xmx2g -Xms2g", "2Gi", ""), {HEAP}),
    "Bitnami's controllers with more": (BITNAMI.format("-Xmx2g -Xms2g", "6Gi", ""), set()),
    "Bitnami's share of the memory": (BITNAMI.format("-XX:MaxRAMPercentage=75", "2Gi", ""), set()),
    "Bitnami's brokers": (BITNAMI.format("-Xmx2g", "6Gi", "broker: {heapOpts: -Xmx6g, resources: {limits: {memory: 6Gi}}}"), {HEAP}),
    "Bitnami's brokers, of which there are none": (BITNAMI.format("-Xmx2g", "6Gi", "broker: {replicaCount: 0, heapOpts: -Xmx6g, resources: {limits: {memory: 6Gi}}}"), set()),
    "a heap of all that a role's own stands before": (BITNAMI.format("-Xmx1g", "6Gi", "heapOpts: -Xmx8g\nresources: {limits: {memory: 6Gi}}"), set()),
    "Bitnami's other variables": (BITNAMI.format("-Xmx2g", "2Gi", "extraEnvVars: [{name: KAFKA_HEAP_OPTS, value: -Xmx1g}]"), set()),
    "Bitnami's older chart": (OLD_BITNAMI.format("-Xmx2g", "2Gi"), {HEAP}),
    "Bitnami's older chart with more": (OLD_BITNAMI.format("-Xmx2g", "4Gi"), set()),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_limits(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    file = tmp_path / ("compose.yml" if text.startswith("services") else "kafka.yaml")
    file.write_text(text)
    rows = run("lint", file, "--no-config", "--format", "json").json["findings"]
    assert {row["rule"] for row in rows} & {"KA000", HEAP, GRACE, LIVENESS} == expected
