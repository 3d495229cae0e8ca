"""Nodes of one quorum whose images format the disks with different cluster ids."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

BITNAMI, CP, APACHE = "bitnamilegacy/kafka:3.9", "confluentinc/cp-kafka:7.9.0", "apache/kafka:4.3.0"
BOTH, TWO, ONE = "controller,broker", "0@kafka-0:9093,1@kafka-1:9093", "0@kafka-0:9093"
ID, OTHER = "MkU3OEVBNTcwNTJENDM2Qk", "5L6g3nShT-eMCtK--X86sw"
KRAFT_ID = f"KAFKA_KRAFT_CLUSTER_ID: {ID}"


def node(
    number: int, *variables: str, image: str = BITNAMI, roles: str = BOTH, voters: str = TWO, more: str = ""
) -> str:
    begins = "KAFKA_CFG_" if "bitnami" in image else "KAFKA_"
    settings = {"NODE_ID": number, "PROCESS_ROLES": roles, "CONTROLLER_QUORUM_VOTERS": voters}
    lines = [*(f"{begins}{name}: '{value}'" for name, value in settings.items()), *variables]
    return f"  kafka-{number}:\n    image: {image}\n{more}    environment:\n" + "".join(
        f"      {line}\n" for line in lines
    )


MISSING = "KAFKA_KRAFT_CLUSTER_ID"
COMPOSE = {
    "two nodes": ([node(0), node(1)], [(MISSING, 3), (MISSING, 9)]),
    "a node of a quorum elsewhere": ([node(0)], [(MISSING, 3)]),
    "one node": ([node(0, voters=ONE)], []),
    "a broker beside one node": ([node(0, voters=ONE), node(1, roles="broker", voters=ONE)], [(MISSING, 3), (MISSING, 9)]),
    "a broker of a controller elsewhere": ([node(1, roles="broker", voters=ONE)], [(MISSING, 3)]),
    "one of two has the id": ([node(0, KRAFT_ID), node(1)], [(MISSING, 10)]),
    "the newer variable": ([node(0, f"KAFKA_CLUSTER_ID: {ID}"), node(1, f"KAFKA_CLUSTER_ID: {ID}")], []),
    "a variable that 3.7 does not know": ([node(0, f"KAFKA_CLUSTER_ID: {ID}", image="bitnamilegacy/kafka:3.7")], [(MISSING, 3)]),
    "an empty id": ([node(0, "KAFKA_KRAFT_CLUSTER_ID: ''")], [(MISSING, 3)]),
    "the id is in a file": ([node(0, "KAFKA_KRAFT_CLUSTER_ID_FILE: /run/secrets/id")], []),
    "the image formats nothing": ([node(0, "KAFKA_SKIP_KRAFT_STORAGE_INIT: 'true'")], []),
    "the image formats": ([node(0, "KAFKA_SKIP_KRAFT_STORAGE_INIT: 'no'")], [(MISSING, 3)]),
    "a variable of other images": ([node(0, f"CLUSTER_ID: {ID}")], [(MISSING, 3)]),
    "one id": ([node(0, KRAFT_ID), node(1, KRAFT_ID)], []),
    "filled in later": ([node(0, "KAFKA_KRAFT_CLUSTER_ID: ${ID}"), node(1, "KAFKA_KRAFT_CLUSTER_ID: ${ID}")], []),
    "a file of variables that is not there": ([node(0, more="    env_file: missing.env\n")], []),
    "a command of one's own": ([node(0, more="    command: /start.sh\n")], []),
    "two ids": ([node(0, KRAFT_ID), node(1, KRAFT_ID.replace(ID, OTHER))], [(MISSING, 15)]),
    "two ids of Confluent's": (
        [node(0, f"CLUSTER_ID: {ID}", image=CP), node(1, f"CLUSTER_ID: {OTHER}", image=CP)],
        [("CLUSTER_ID", 15)],
    ),
    "two quorums": (
        [node(0, f"CLUSTER_ID: {ID}", image=CP, voters=ONE), node(1, f"CLUSTER_ID: {OTHER}", image=CP, voters="1@kafka-1:9093")],
        [],
    ),
    "Apache's has an id of its own": ([node(0, image=APACHE), node(1, image=APACHE)], []),
    "Apache's own beside another one": ([node(0, image=APACHE), node(1, f"CLUSTER_ID: {ID}", image=APACHE)], [("CLUSTER_ID", 3)]),
    "Apache's own beside the same": ([node(0, image=APACHE), node(1, f"CLUSTER_ID: {OTHER}", image=APACHE)], []),
    "ZooKeeper mode": (["  kafka:\n    image: bitnamilegacy/kafka:3.4\n    environment:\n      KAFKA_ENABLE_KRAFT: 'no'\n      KAFKA_CFG_ZOOKEEPER_CONNECT: z:2181\n"], []),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPOSE)
def test_the_nodes_of_a_quorum_need_one_id(name: str, tmp_path: Path) -> None:
    services, expected = COMPOSE[name]
    (tmp_path / "compose.yml").write_text("services:\n" + "".join(services))
    rows = run("lint", tmp_path / "compose.yml", "--no-config", "--format", "json").json["findings"]
    assert [(row["key"], row["line"]) for row in rows if row["rule"] in ("KA1734", "KA000")] == expected


STATEFUL_SET = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {{name: kafka}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: kafka}}}}
  template:
    spec:
      containers:
      - name: kafka
        image: bitnamilegacy/kafka:3.9
        env:
        - {{name: KAFKA_CFG_PROCESS_ROLES, value: "controller,broker"}}
        - {{name: KAFKA_CFG_CONTROLLER_QUORUM_VOTERS, value: "{voters}"}}
{more}"""
OF_SECRET = "        - {name: KAFKA_KRAFT_CLUSTER_ID, valueFrom: {secretKeyRef: {name: s, key: id}}}\n"


@pytest.mark.parametrize(
    ("replicas", "voters", "more", "found"),
    [(2, "0@k-0:9093,1@k-1:9093", "", True), (1, "0@k-0:9093", "", False), (2, "0@k-0:9093,1@k-1:9093", OF_SECRET, False)],
)  # fmt: skip
def test_pods_of_a_quorum_need_one_id(replicas: int, voters: str, more: str, found: bool, tmp_path: Path) -> None:
    (tmp_path / "kafka.yaml").write_text(STATEFUL_SET.format(replicas=replicas, voters=voters, more=more))
    rows = run("lint", tmp_path / "kafka.yaml", "--no-config", "--format", "json").json["findings"]
    assert any(row["rule"] == "KA1734" for row in rows) == found
