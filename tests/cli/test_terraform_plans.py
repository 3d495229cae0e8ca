"""`lint` of what `terraform show -json` prints of a plan: what it deletes and replaces, and what it leaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import Ran, run

TOPIC = {"name": "orders", "partitions": 12, "replication_factor": 3, "config": {"retention.ms": "604800000"}}

MSK = {"cluster_name": "m", "kafka_version": "3.6.0", "number_of_broker_nodes": 3}
RELEASE = {
    "name": "k",
    "chart": "oci://registry-1.docker.io/bitnamicharts/kafka",
    "values": ["controller: {replicaCount: 3, persistence: {enabled: true}}\nlisteners: {}"],
}


def row(
    actions: str, before: object, after: object, address: str = "kafka_topic.orders", **more: Any
) -> dict[str, Any]:
    change = {"actions": actions.split(), "before": before, "after": after, **more}
    return {"address": address, "mode": "managed", "type": address.split(".")[-2], "name": "x", "change": change}


def lint(folder: Path, *rows: dict[str, Any], version: str = "1.2") -> Ran:
    plan = {"format_version": version, "terraform_version": "1.9.8", "resource_changes": list(rows)}
    (folder / "plan.json").write_text(json.dumps(plan))
    return run("lint", folder / "plan.json", "--no-config", "--format", "json")


def changes(ran: Ran) -> dict[str, str]:
    return {row["rule"]: row["message"] for row in ran.json["findings"] if row.get("change")}


CASES = {
    "nothing": ([row("no-op", TOPIC, TOPIC)], []),
    "a topic's replacement": ([row("delete create", TOPIC, {**TOPIC, "partitions": 6}, replace_paths=[["partitions"]])], ["KA1851"]),
    "the only topic's deletion": ([row("delete", TOPIC, None)], ["KA1850"]),
    "a deletion in a module": ([row("delete", TOPIC, None, 'module.m["a"].kafka_topic.t["b"]'), row("no-op", TOPIC, TOPIC)], ["KA1850"]),
    "a topic that Terraform forgets": ([row("forget", TOPIC, None), row("no-op", TOPIC, TOPIC, "kafka_topic.b")], []),
    "a new topic": ([row("create", None, TOPIC), row("no-op", TOPIC, TOPIC, "kafka_topic.b")], []),
    "a shorter retention": ([row("update", TOPIC, {**TOPIC, "config": {"retention.ms": "1000"}})], ["KA1841"]),
    "a value that is not known yet": ([row("update", TOPIC, {**TOPIC, "partitions": None}, after_unknown={"partitions": True})], []),
    "a setting that is taken out": ([row("update", TOPIC, {**TOPIC, "config": {}})], []),
    "another revision": ([row("update", {**MSK, "configuration_info": [{"arn": "a", "revision": 1}]}, {**MSK, "configuration_info": [{"arn": "a", "revision": 2}]}, "aws_msk_cluster.m")], ["KA2106"]),
    "the same revision": ([row("update", {**MSK, "configuration_info": [{"arn": "a", "revision": 1}]}, {**MSK, "configuration_info": [{"arn": "a", "revision": 1}]}, "aws_msk_cluster.m")], []),
    "a release of Helm that goes": ([row("delete", RELEASE, None, "helm_release.k")], ["KA1855"]),
    "a release of Helm that loses its volumes": ([row("update", RELEASE, {**RELEASE, "values": [RELEASE["values"][0].replace("true", "false")]}, "helm_release.k")], ["KA1830"]),
    "another resource's deletion": ([row("delete", {"a": 1}, None, "aws_s3_bucket.x"), row("no-op", TOPIC, TOPIC)], []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_plan_is_both_sides_of_a_change(tmp_path: Path, name: str) -> None:
    rows, rules = CASES[name]
    ran = lint(tmp_path, *rows)
    assert sorted(changes(ran)) == rules
    assert "not read" not in ran.err


def test_a_value_that_is_known_later_is_unknown(tmp_path: Path) -> None:
    ran = lint(tmp_path, row("update", TOPIC, {**TOPIC, "partitions": None}, after_unknown={"partitions": True}))
    assert "KA1846" in {each["rule"] for each in ran.json["unknown"]}


def test_a_sensitive_value_is_not_shown(tmp_path: Path) -> None:
    topic = {**TOPIC, "config": {"retention.ms": "86400123"}}
    ran = lint(tmp_path, row("update", TOPIC, topic, after_sensitive={"config": {"retention.ms": True}}))
    assert "86400123" not in ran.out + ran.err


@pytest.mark.parametrize(
    ("version", "actions", "says"), [("2.0", "no-op", "format_version 2.0"), ("1.2", "explode", "action explode")]
)
def test_a_plan_of_another_format_is_refused(tmp_path: Path, version: str, actions: str, says: str) -> None:
    ran = lint(tmp_path, row(actions, TOPIC, TOPIC), version=version)
    assert ran.code == 2 and says in ran.err and "Traceback" not in ran.err
