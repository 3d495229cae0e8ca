"""Workers in Debezium's images: what the file they complete sets of the topics of a worker."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import run

TOPICS = "CONFIG_STORAGE_TOPIC: c, OFFSET_STORAGE_TOPIC: o, STATUS_STORAGE_TOPIC: s"
FACTORS = ", ".join(f"CONNECT_{name}_STORAGE_REPLICATION_FACTOR: '3'" for name in ("CONFIG", "OFFSET", "STATUS"))
THREE = "'k1.prod:9092,k2.prod:9092,k3.prod:9092'"


def compose(servers: str, more: str = "", beside: str = "") -> str:
    environment = f"{{BOOTSTRAP_SERVERS: {servers}, GROUP_ID: cdc, {TOPICS}{more}}}"
    return f"services:\n  connect:\n    image: quay.io/debezium/connect:3.0\n    environment: {environment}\n{beside}"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (compose(THREE), {"config", "offset", "status"}),
        (compose(THREE, ", CONNECT_OFFSET_STORAGE_REPLICATION_FACTOR: '3'"), {"config", "status"}),
        (compose(THREE, f", {FACTORS}"), set()),
        (compose("kafka:9092"), set()),
        (compose("'${SERVERS}'"), set()),
        (compose(THREE, beside="    volumes: ['./config:/kafka/config']\n"), set()),
    ],
)
def test_the_topics_of_a_worker_have_one_replica(tmp_path: Path, text: str, keys: set[str]) -> None:
    path = tmp_path / "compose.yaml"
    path.write_text(text)
    rows = json.loads(run("lint", path, "--no-config", "--format", "json").out)["findings"]
    severities = {row["kafka_key"] or row["key"]: row["severity"] for row in rows if row["rule"] == "KA1201"}
    assert severities == {f"{key}.storage.replication.factor": "high" for key in keys}
