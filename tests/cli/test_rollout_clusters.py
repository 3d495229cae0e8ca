"""`rollout` of files that are those of several clusters: each that changes is judged by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import Ran, run
from tests.support.rollouts import Change, Files, changed, combined, write

STRIMZI = """---
apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata: {{name: {name}, annotations: {{strimzi.io/kraft: enabled, strimzi.io/node-pools: enabled}}}}
spec:
  kafka:
    version: 3.9.0
    listeners: [{{name: plain, port: 9092, type: internal, tls: false}}]
    config: {{min.insync.replicas: {min_isr}}}
---
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaNodePool
metadata: {{name: {name}-pool, labels: {{strimzi.io/cluster: {name}}}}}
spec: {{replicas: 3, roles: [broker, controller], storage: {{type: ephemeral}}}}
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def folders(side: str, **nodes_by_cluster: Files) -> None:
    """Write a side with a folder for each cluster."""
    for name, nodes in nodes_by_cluster.items():
        write(Path(side, name), nodes)


def staging() -> Files:
    """The nodes of another cluster, with the ids of the first one's."""
    return {
        id: {key: value.replace("10.0.0.", "10.1.0.") for key, value in node.items()} for id, node in combined().items()
    }


def answers(*arguments: str) -> dict[str, str]:
    """The verdict on each cluster."""
    document: Any = run("rollout", "old", "new", *arguments, "--format", "json").json
    rows: Sequence[Any] = document if isinstance(document, list) else [document]
    return {row["cluster"]: row["verdict"] for row in rows}


THREADS: Change = {"num.io.threads": "16"}
MOVED: Change = {"log.dirs": "/moved"}


def two_folders(of_prod: Change, of_staging: Change) -> None:
    """Two clusters whose nodes have the same ids, each with its change."""
    folders("old", prod=combined(), staging=staging())
    folders("new", prod=changed(combined(), of_prod), staging=changed(staging(), of_staging))


CASES: list[tuple[Change, Change, dict[str, str], int]] = [
    (MOVED, THREADS, {"prod": "refuses_to_start", "staging": "safe"}, 1),
    (THREADS, {}, {"prod": "safe"}, 0),
    ({}, MOVED, {"staging": "refuses_to_start"}, 1),
    ({}, {}, {"prod": "safe"}, 0),
]


@pytest.mark.parametrize(("of_prod", "of_staging", "verdicts", "code"), CASES)
def test_folders(of_prod: Change, of_staging: Change, verdicts: dict[str, str], code: int) -> None:
    two_folders(of_prod, of_staging)
    assert answers() == verdicts
    assert run("rollout", "old", "new").code == code


def test_resources_of_one_file() -> None:
    for side, min_isr in (("old", 1), ("new", 2)):
        clusters = STRIMZI.format(name="orders", min_isr=min_isr) + STRIMZI.format(name="logs", min_isr=2)
        Path(side).mkdir()
        Path(side, "kafka.yaml").write_text(clusters)
    assert answers() == {"orders": "safe"}
    assert "--entity-name" not in run("rollout", "old", "new").out


def said(*arguments: str) -> Ran:
    """What a rollout of two clusters that change says."""
    two_folders(MOVED, THREADS)
    return run("rollout", "old", "new", *arguments)


def test_one_is_named() -> None:
    two_folders(MOVED, THREADS)
    assert answers("--cluster", "staging") == {"staging": "safe"}


def test_a_script_is_of_one_cluster() -> None:
    refused = said("--format", "script")
    assert (refused.code, refused.out) == (2, "")
    assert "2 clusters change, prod, staging: name one of them with --cluster" in refused.err


def test_a_name_that_none_has() -> None:
    assert "they are those of prod, staging" in said("--cluster", "stage").err


def test_clusters_without_a_change_are_named() -> None:
    two_folders(THREADS, {})
    assert "1 cluster without a change: staging" in run("rollout", "old", "new").err


def test_a_cluster_that_is_new() -> None:
    folders("old", prod=combined())
    folders("new", prod=changed(combined(), THREADS), staging=staging())
    ran = run("rollout", "old", "new")
    assert ran.code == 0
    assert "1 new cluster, where nothing runs yet: staging" in ran.err


def test_a_cluster_whose_files_are_gone_is_unknown() -> None:
    folders("old", prod=combined(), staging=staging())
    folders("new", prod=combined())
    assert answers() == {"staging": "unknown"}


NAMESPACES = STRIMZI.replace("metadata: {{name: {name},", "metadata: {{name: a, namespace: {name},").replace(
    "{name}-pool, labels: {{strimzi.io/cluster: {name}}}", "pool, namespace: {name}, labels: {{strimzi.io/cluster: a}}"
)


def in_namespaces(side: str, **min_isr_by_namespace: int) -> None:
    """Write a file with a cluster of one name in each namespace."""
    Path(side).mkdir()
    texts = (NAMESPACES.format(name=name, min_isr=value) for name, value in min_isr_by_namespace.items())
    Path(side, "kafka.yaml").write_text("".join(texts))


def test_clusters_of_one_name_in_two_namespaces() -> None:
    in_namespaces("old", x=1, y=1)
    in_namespaces("new", x=1, y=2)
    assert answers() == {"y/a": "safe"}


def test_clusters_that_change_places_in_a_file() -> None:
    in_namespaces("old", x=1, y=2)
    in_namespaces("new", y=1, x=2)
    assert set(answers()) == {"x/a", "y/a"}


def with_zookeeper(server: str, ids: Sequence[int], min_isr: int) -> Files:
    """Brokers of one ensemble."""
    return {
        id: {
            "broker.id": str(id),
            "zookeeper.connect": f"{server}:2181",
            "listeners": f"PLAINTEXT://{server}-{id}:9092",
            "log.dirs": "/data",
            "default.replication.factor": "3",
            "min.insync.replicas": str(min_isr),
        }
        for id in ids
    }


def test_brokers_of_another_ensemble_are_another_cluster() -> None:
    folders("old", one=with_zookeeper("a", (1, 2, 3), 2), two=with_zookeeper("t", (11, 12), 1))
    folders("new", one=with_zookeeper("a", (1, 2, 3), 2), two=with_zookeeper("t", (11, 12), 2))
    assert answers() == {"two": "unavailable_during"}


COMPOSE = """services:
{services}volumes: {{{volumes}}}
"""
SERVICE = """  {cluster}{id}:
    image: apache/kafka:4.0.0
    volumes: ["{volume}{id}:/data"]
    environment:
      KAFKA_NODE_ID: {id}
      KAFKA_PROCESS_ROLES: broker,controller
      KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093
      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://{cluster}{id}:9092
      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@{cluster}1:9093,2@{cluster}2:9093,3@{cluster}3:9093
      KAFKA_LOG_DIRS: /data
"""


def compose(volume_of_z: str) -> str:
    """Two clusters of one project, each with its volumes."""
    volumes = {"a": "a", "z": volume_of_z}
    rows = [(cluster, id, volumes[cluster]) for cluster in volumes for id in (1, 2, 3)]
    services = "".join(SERVICE.format(cluster=cluster, id=id, volume=volume) for cluster, id, volume in rows)
    return COMPOSE.format(services=services, volumes=", ".join(f"{volume}{id}: " for _, id, volume in rows))


def test_volumes_are_those_of_the_cluster_whose_they_are() -> None:
    for side, volume in (("old", "z"), ("new", "other")):
        Path(side).mkdir()
        Path(side, "compose.yml").write_text(compose(volume))
    assert answers() == {"compose.yml z1": "loses_data"}
