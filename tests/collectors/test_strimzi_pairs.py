"""What resources of Strimzi say of each other: labels of topics and users, logins of users and of listeners."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

CLUSTER = """apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {{name: {name}}}
spec:
  kafka:
    version: 4.2.0
    listeners: [{{name: tls, port: 9093, type: internal, tls: true, authentication: {{type: {login}}}}}]
  entityOperator: {{{operators}}}
---
"""
RESOURCE = "apiVersion: kafka.strimzi.io/v1\nkind: {}\nmetadata: {{name: r{}}}\nspec: {}\n---\n"
BOTH, LABEL = "topicOperator: {}, userOperator: {}", ", labels: {strimzi.io/cluster: k}"
TOPIC, SCRAM, TLS = (
    "{partitions: 3, replicas: 3}",
    "{authentication: {type: scram-sha-512}}",
    "{authentication: {type: tls}}",
)
UNLABELLED, UNSERVED = "KA1748", "KA1749"


def cluster(login: str = "tls", operators: str = BOTH, name: str = "k") -> str:
    return CLUSTER.format(login=login, operators=operators, name=name)


CASES = {
    "a topic": (cluster() + RESOURCE.format("KafkaTopic", "", TOPIC), {UNLABELLED}),
    "a user": (cluster() + RESOURCE.format("KafkaUser", "", TLS), {UNLABELLED}),
    "with a label": (cluster() + RESOURCE.format("KafkaTopic", LABEL, TOPIC), set()),
    "a label that is filled in later": (cluster() + RESOURCE.format("KafkaTopic", ", labels: {strimzi.io/cluster: ''}", TOPIC), set()),
    "without an operator of topics": (cluster(operators="userOperator: {}") + RESOURCE.format("KafkaTopic", "", TOPIC), set()),
    "without a cluster": (RESOURCE.format("KafkaTopic", "", TOPIC), set()),
    "another login": (cluster() + RESOURCE.format("KafkaUser", LABEL, SCRAM), {UNSERVED}),
    "no certificate": (cluster("scram-sha-512") + RESOURCE.format("KafkaUser", LABEL, TLS), {UNSERVED}),
    "the same login": (cluster("scram-sha-512") + RESOURCE.format("KafkaUser", LABEL, SCRAM), set()),
    "a login of one's own": (cluster("custom") + RESOURCE.format("KafkaUser", LABEL, SCRAM), set()),
    "the user of another cluster": (cluster(name="other") + RESOURCE.format("KafkaUser", LABEL, SCRAM), set()),
    "two clusters of one name": (cluster() * 2 + RESOURCE.format("KafkaUser", LABEL, SCRAM), set()),
}  # fmt: skip


def rules(folder: Path, text: str) -> set[str]:
    (folder / "kafka.yaml").write_text(text)
    ran = run("lint", folder / "kafka.yaml", "--no-config", "--format", "json")
    return {row["rule"] for row in ran.json["findings"]} & {"KA000", UNLABELLED, UNSERVED}


@pytest.mark.parametrize("name", CASES)
def test_resources_of_one_file(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    assert rules(tmp_path, text) == expected


def test_a_kustomization_may_add_labels(tmp_path: Path) -> None:
    (tmp_path / "kustomization.yaml").write_text("resources: [kafka.yaml]\n")
    assert rules(tmp_path, CASES["a topic"][0]) == set()


def test_the_cluster_may_stand_in_another_file_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(cluster())
    (tmp_path / "topic.yaml").write_text(RESOURCE.format("KafkaTopic", "", TOPIC))
    rows = run("lint", tmp_path, "--no-config", "--format", "json").json["findings"]
    assert UNLABELLED in {row["rule"] for row in rows}
