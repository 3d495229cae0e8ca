"""Scripts that call Kafka's tools with an option that a release removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import run

OLD, NEW = "--zookeeper zk1:2181", "--bootstrap-server k1:9092"
JOB = "on: push\njobs:\n  t:\n    runs-on: x\n    steps:\n      - run: kafka-topics.sh {} --list\n"


def lines_of(path: Path, text: str, *options: str) -> list[int]:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    rows = json.loads(run("lint", path, "--no-config", "--format", "json", *options).out)["findings"]
    return [row["line"] for row in rows if row["rule"] == "KA1755"]


@pytest.mark.parametrize(
    ("script", "options", "lines"),
    [
        (f"kafka-topics.sh {OLD} --create --topic o --partitions 3 --replication-factor 3\n", (), [1]),
        (f"set -e\n/opt/kafka/bin/kafka-topics.sh --list {OLD}\n", (), [2]),
        (f"kafka-reassign-partitions --zookeeper=zk1:2181 --execute --reassignment-json-file a.json\n{OLD}\n", (), [1]),
        (f"kafka-topics.sh {OLD} --create --topic o --partitions 3\n", ("--kafka-version", "2.8"), []),
        (f"kafka-topics.sh {NEW} --create --topic o --partitions 3\n", (), []),
        (f"kafka-configs.sh {OLD} --alter\nkafka-topics.sh {NEW} --create --topic o --partitions 3\n", (), []),
    ],
)
def test_a_script(tmp_path: Path, script: str, options: tuple[str, ...], lines: list[int]) -> None:
    assert lines_of(tmp_path / "create.sh", f"#!/bin/bash\n{script}", *options) == [line + 1 for line in lines]


def test_a_step_of_a_workflow(tmp_path: Path) -> None:
    assert len(lines_of(tmp_path / ".github/workflows/ci.yml", JOB.format(OLD))) == 1
