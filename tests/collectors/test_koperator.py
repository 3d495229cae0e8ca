"""Koperator's resources: what the operator makes of fields, what counts more, and what a broker has of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import run

CLUSTER = """apiVersion: kafka.banzaicloud.io/v1beta1
kind: KafkaCluster
metadata: {{name: kafka}}
spec:
  zkAddresses: ["z1:2181", "z2:2181", "z3:2181"]
  clusterImage: ghcr.io/banzaicloud/kafka:2.13-3.4.1
  readOnlyConfig: |
    auto.create.topics.enable=false
    min.insync.replicas=2
    default.replication.factor=3
    cruise.control.metrics.topic.num.partitions=1
{more}  brokerConfigGroups:
    default:
      storageConfigs: [{{mountPath: /kafka-logs, {storage}}}]
{config}  brokers:
    - {{id: 0, brokerConfigGroup: default}}
    - {{id: 1, brokerConfigGroup: default}}
    - id: 2
      brokerConfigGroup: default
{own}  listenersConfig:
    internalListeners:
      - {{type: ssl, name: internal, containerPort: 29092, usedForInnerBrokerCommunication: true{auth}}}
"""
GOOD = {"more": "", "storage": "pvcSpec: {}", "config": "", "own": "", "auth": ""}
UNCLEAN = "unclean.leader.election.enable=true"


def findings(path: Path, **parts: str) -> list[dict[str, Any]]:
    """The findings of a cluster, apart from that ZooKeeper and 3.4 are old."""
    path.write_text(CLUSTER.format(**{**GOOD, **parts}))
    rows: list[dict[str, Any]] = run("lint", path, "--no-config", "--format", "json").json["findings"]
    return [row for row in rows if row["rule"] not in ("KA522", "KA1405")]


@pytest.mark.parametrize(
    ("part", "text", "rule", "entity"),
    [
        ("more", f"    {UNCLEAN}\n", "KA104", "0"),
        ("more", f"  clusterWideConfig: |\n    {UNCLEAN}\n", "KA104", "0"),
        ("config", f"      config: {UNCLEAN}\n", "KA104", "0"),
        ("own", f"      brokerConfig: {{config: {UNCLEAN}}}\n", "KA104", "2"),
        ("own", f"      readOnlyConfig: |\n        {UNCLEAN}\n", "KA104", "2"),
        ("auth", ", sslClientAuth: none", "KA606", "0"),
        ("storage", "emptyDir: {}", "KA1701", "KafkaCluster kafka"),
    ],
)
def test_what_is_found(tmp_path: Path, part: str, text: str, rule: str, entity: str) -> None:
    rows = [row for row in findings(tmp_path / "k.yaml", **{part: text}) if row["rule"] == rule]
    assert [row["entity"]["name"] for row in rows] == [entity]


def test_a_good_cluster_has_no_finding_of_medium_or_above(tmp_path: Path) -> None:
    rows = findings(tmp_path / "k.yaml")
    assert [row for row in rows if row["severity"] in ("critical", "high", "medium")] == []


def test_what_runs_counts_more_than_files(tmp_path: Path) -> None:
    text = f"    {UNCLEAN}\n  clusterWideConfig: |\n    unclean.leader.election.enable=false\n"
    assert "KA104" not in {row["rule"] for row in findings(tmp_path / "k.yaml", more=text)}


def test_the_release_is_that_of_the_image(tmp_path: Path) -> None:
    (tmp_path / "k.yaml").write_text(CLUSTER.format(**GOOD))
    assert "Kafka 3.4: spec.clusterImage" in run("lint", tmp_path / "k.yaml", "--no-config").out


def test_topics(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(
        "apiVersion: kafka.banzaicloud.io/v1alpha1\nkind: KafkaTopic\nmetadata: {name: t}\n"
        "spec: {clusterRef: {name: kafka}, name: orders, partitions: 3, replicationFactor: 1, config: {retention.ms: '60000'}}\n"
    )
    rows = run("lint", tmp_path / "t.yaml", "--no-config", "--format", "json").json["findings"]
    assert "KA156" in {row["rule"] for row in rows}


def test_the_operator_makes_the_brokers_super_users_where_a_listener_speaks_ssl(tmp_path: Path) -> None:
    path = tmp_path / "k.yaml"
    path.write_text(CLUSTER.format(**GOOD))
    ran = run("effective", path)
    assert ran.out.count("User:CN=kafka-headless.kafka.svc.cluster.local") == 3
    path.write_text(CLUSTER.format(**GOOD).replace("type: ssl", "type: plaintext"))
    assert "super.users" not in run("effective", path).out
