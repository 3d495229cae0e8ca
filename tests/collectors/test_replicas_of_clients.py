"""Clients of which several replicas run: ids that each of them has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import run

SERVERS = "{name: SPRING_KAFKA_BOOTSTRAP_SERVERS, value: 'k1:9092,k2:9092'}"
GROUP = "{name: SPRING_KAFKA_CONSUMER_GROUP_ID, value: g}"
MEMBER = "{name: SPRING_KAFKA_CONSUMER_PROPERTIES_GROUP_INSTANCE_ID, value: 'g-1'}"
PREFIX = "{name: SPRING_KAFKA_PRODUCER_TRANSACTION_ID_PREFIX, value: 'tx-1-'}"
OF_POD = "{name: SPRING_KAFKA_CONSUMER_PROPERTIES_GROUP_INSTANCE_ID, valueFrom: {fieldRef: {fieldPath: metadata.name}}}"
SETS_ID = (
    ", command: [sh, -c, 'export SPRING_KAFKA_CONSUMER_PROPERTIES_GROUP_INSTANCE_ID=$HOSTNAME; exec java -jar a.jar']"
)


def deployment(replicas: int, *variables: str, more: str = "") -> str:
    env = ", ".join((SERVERS, *variables))
    containers = f"containers: [{{name: a, image: my/app, env: [{env}]{more}}}]"
    spec = f"{{replicas: {replicas}, template: {{spec: {{{containers}}}}}}}"
    return f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a}}\nspec: {spec}\n"


def severities(path: Path, text: str) -> dict[str, str]:
    path.write_text(text)
    rows = json.loads(run("lint", path, "--no-config", "--format", "json").out)["findings"]
    return {row["rule"]: row["severity"] for row in rows if row["rule"] in ("KA1015", "KA1116")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (deployment(3, GROUP, MEMBER), {"KA1116": "high"}),
        (deployment(3, PREFIX), {"KA1015": "high"}),
        (deployment(1, GROUP, MEMBER, PREFIX), {}),
        (deployment(3, GROUP, OF_POD), {}),
        (deployment(3, GROUP, MEMBER, more=SETS_ID), {}),
        (deployment(3, GROUP, MEMBER, more=", command: [java, -jar, app.jar]"), {"KA1116": "high"}),
    ],
)
def test_an_id_of_several_replicas(tmp_path: Path, text: str, expected: dict[str, str]) -> None:
    assert severities(tmp_path / "deployment.yaml", text) == expected


def test_an_id_of_several_containers_of_a_service(tmp_path: Path) -> None:
    variables = "{SPRING_KAFKA_BOOTSTRAP_SERVERS: 'k1:9092,k2:9092', SPRING_KAFKA_CONSUMER_GROUP_ID: g, SPRING_KAFKA_CONSUMER_PROPERTIES_GROUP_INSTANCE_ID: g-1}"
    text = f"services:\n  app:\n    image: my/app\n    deploy: {{replicas: 2}}\n    environment: {variables}\n"
    assert severities(tmp_path / "compose.yaml", text) == {"KA1116": "high"}
