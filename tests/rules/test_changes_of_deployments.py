"""What a change of a Compose file, a chart, an operator's resource or Terraform code does, by the files of both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run


def changes(folder: Path, name: str, before: str, after: str) -> dict[str, str]:
    """The messages of the change findings between two folders with one file each, by rule."""
    for side, text in (("before", before), ("after", after)):
        (folder / side).mkdir()
        (folder / side / name).write_text(text)
    ran = run("diff", folder / "before", folder / "after", "--format", "json", "--no-config")
    assert ran.code in (0, 1), ran.err
    return {row["rule"]: row["message"] for row in ran.json["change_findings"]}


def compose(brokers: int, listeners: str, between: str) -> str:
    """A Compose file with some brokers; listeners are NAME:host:port of each broker K."""
    lines = ["services:"]
    for id in range(1, brokers + 1):
        lines += [
            f"  kafka{id}:",
            "    image: apache/kafka:4.3.0",
            "    environment:",
            f"      KAFKA_NODE_ID: {id}",
            "      KAFKA_PROCESS_ROLES: broker,controller",
            f"      KAFKA_CONTROLLER_QUORUM_VOTERS: {','.join(f'{each}@kafka{each}:9093' for each in range(1, brokers + 1))}",
            "      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER",
            f"      KAFKA_LISTENERS: CONTROLLER://:9093,{listeners}",
            f"      KAFKA_ADVERTISED_LISTENERS: {listeners.replace('://', f'://kafka{id}')}",
            "      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: CONTROLLER:PLAINTEXT,IN:PLAINTEXT,OUT:PLAINTEXT,BETWEEN:PLAINTEXT,CLIENTS:PLAINTEXT",
            f"      KAFKA_INTER_BROKER_LISTENER_NAME: {between}",
        ]
    return "\n".join(lines) + "\n"


RENAMED = ("IN://:9092,OUT://:9094", "IN"), ("BETWEEN://:9092,CLIENTS://:9094", "BETWEEN")


@pytest.mark.parametrize(("brokers", "rules"), [(1, set()), (3, {"KA1810", "KA1812"})])
def test_listeners_that_are_renamed_stop_clusters_of_several_brokers(
    tmp_path: Path, brokers: int, rules: set[str]
) -> None:
    found = changes(tmp_path, "compose.yml", compose(brokers, *RENAMED[0]), compose(brokers, *RENAMED[1]))
    assert found.keys() == rules
    assert "IN, OUT have other names" in found.get("KA1812", "IN, OUT have other names")
