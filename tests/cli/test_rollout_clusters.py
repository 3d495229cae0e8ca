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
