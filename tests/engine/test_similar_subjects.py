"""Subjects that are equal, or differ in values alone, are judged as if each were the only one."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path

import pytest

from advisor import engine
from advisor.analysis.startup import equal_entities
from advisor.cli.commands import starts
from advisor.engine.verdicts import VerdictTree
from advisor.model import Entity
from tests.support.commands import run

COMMON = "KAFKA_PROCESS_ROLES: broker\n      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER\n      KAFKA_CONTROLLER_QUORUM_VOTERS: 99@c:9093\n"
VALUES = ("'9092'", "0", "${THREADS}", "8", "'x'", "2147483648", "1", "", "8")
"""Good values, values that Kafka refuses, one that is filled in later and one that is empty."""


def services() -> str:
    """Brokers with equal settings, with other values of the same keys, and with another key."""
    lines = ["services:\n"]
    for number in range(4 * len(VALUES)):
        lines += [f"  k{number}:\n    image: apache/kafka:4.3.0\n    environment:\n      {COMMON}"]
        lines += [
            f"      KAFKA_NODE_ID: {number // 2 % 3}\n      KAFKA_NUM_IO_THREADS: {VALUES[number % len(VALUES)]}\n"
        ]
        lines += ["      KAFKA_MIN_INSYNC_REPLICAS: 2\n"] if number % 3 else []
        lines += [f"      KAFKA_LISTENERS: PLAINTEXT://k{number}:9092\n" if number % 2 else ""]
    return "".join(lines)


def each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share nothing between subjects."""

    def content(entity: Entity) -> Hashable:
        return id(entity)

    monkeypatch.setattr(equal_entities, "content_of_entity", content)
    for module in (engine, starts):
        monkeypatch.setattr(module, "verdict_tree", lambda _: VerdictTree(remember=False))


@pytest.mark.parametrize("command", ["lint --no-config", "starts", "starts --on 3.9,4.3"])
@pytest.mark.parametrize("format", ["text", "json", "sarif", "junit"])
def test_what_is_shared_changes_no_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, format: str
) -> None:
    (tmp_path / "compose.yml").write_text(services())
    arguments = (*command.split(), tmp_path / "compose.yml", "--format", format)
    shared = run(*arguments)
    each_alone(monkeypatch)
    alone = run(*arguments)
    assert alone.code in (0, 1), alone.err
    assert len(alone.out) > 2000
    assert (shared.code, shared.out, shared.err) == (alone.code, alone.out, alone.err)
