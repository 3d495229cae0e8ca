"""Services of Compose: those that stand in a file for others to extend them, and those whose file is the content of a config."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

BASE = (
    "services:\n  kafka:\n    image: confluentinc/cp-kafka:7.9.0\n    environment:\n      CLUSTER_ID: MkU3OEVBNTcwNTJENDM2Qg\n"
    "      KAFKA_PROCESS_ROLES: broker,controller\n      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@k1:9093,2@k2:9093,3@k3:9093\n"
    "      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER\n      KAFKA_LISTENERS: CLIENT://:9092,CONTROLLER://:9093\n"
    "      KAFKA_INTER_BROKER_LISTENER_NAME: CLIENT\n      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: CLIENT:SSL,CONTROLLER:SSL\n"
    "      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n"
)
NODE = "  k{0}:\n    extends: {{file: {1}, service: {2}}}\n    environment: {{KAFKA_NODE_ID: {0}, KAFKA_ADVERTISED_LISTENERS: 'CLIENT://k{0}:9092'}}\n    volumes: ['d{0}:/var/lib/kafka/data']\n"  # fmt: skip
OF_THE_BASE = {"KA1410", "KA1733", "KA1701"}
"""What is wrong with the base alone: it has no node id, no advertised listeners and no volume."""
CASES = {
    "in the same folder": ("compose.yaml", "common-services.yml", "kafka", False),
    "in a folder below": ("docker-compose.yml", "common/base.yml", "kafka", False),
    "another service of it": ("compose.yaml", "common-services.yml", "other", True),
    "a file that Compose reads by itself": ("prod/compose.prod.yml", "../compose.yaml", "kafka", True),
}


@pytest.mark.parametrize("case", CASES)
def test_a_service_that_others_extend_is_judged_with_them(case: str, tmp_path: Path) -> None:
    name, base, service, is_judged_alone = CASES[case]
    nodes = "".join(NODE.format(number, base, service) for number in (1, 2, 3))
    files = {
        name: f"services:\n{nodes}volumes: {{d1: {{}}, d2: {{}}, d3: {{}}}}\n",
        str(Path(name).parent / base): BASE,
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    findings = run("lint", tmp_path, "--no-config", "--format", "json").json["findings"]
    assert ({row["rule"] for row in findings} >= OF_THE_BASE) == is_judged_alone
    assert "KA104" in {row["rule"] for row in findings}


def test_a_service_that_nothing_extends_is_judged(tmp_path: Path) -> None:
    (tmp_path / "common-services.yml").write_text(BASE)
    findings = run("lint", tmp_path, "--no-config", "--format", "json").json["findings"]
    assert {row["rule"] for row in findings} >= OF_THE_BASE


def test_the_content_of_a_config_is_no_node_beside_the_service(tmp_path: Path) -> None:
    content = "      process.roles=broker,controller\n      node.id=1\n"
    service = "  k:\n    image: apache/kafka:4.0.0\n    configs: [{source: p, target: /mnt/shared/config/server.properties}]\n"
    (tmp_path / "compose.yaml").write_text(f"services:\n{service}configs:\n  p:\n    content: |\n{content}")
    findings = run("lint", tmp_path, "--no-config", "--format", "json").json["findings"]
    assert {row["message"].rpartition(",")[2] for row in findings if row["rule"] == "KA1706"} == {" not 1"}
