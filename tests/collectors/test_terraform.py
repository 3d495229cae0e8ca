"""Terraform: references that the same file answers, and what `terraform show -json` prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import ROOT, run

DATA = ROOT / "examples" / "inputs"
TOPIC = 'resource "kafka_topic" "orders" {{\n  name = "o"\n  replication_factor = {}\n  config = {}\n}}\n'


def findings_of(path: Path) -> set[tuple[str, str, int | None]]:
    ran = run("lint", path, "--no-config", "--format", "json")
    assert "internal error" not in ran.err
    return {(row["name"], row["key"], row["line"]) for row in ran.json["findings"]} if ran.out else set()


@pytest.mark.parametrize(
    ("factor", "other_blocks", "fires"),
    [
        ("var.x", 'variable "x" { default = 1 }', True),
        ("var.x", 'variable "x" { default = "1" }', True),
        ("var.x", 'variable "x" { default = 3 }', False),
        ("var.x", 'variable "x" {}', False),
        ("var.x", 'variable "x" { default = null }', False),
        ("var.x", 'variable "x" { default = "" }', False),
        ("var.x", 'variable "y" { default = 1 }', False),
        ('"${var.x}"', 'variable "x" { default = 1 }', True),
        ("local.x", "locals { x = 1 }", True),
        ("local.x", "locals { x = local.y }\nlocals { y = 1 }", True),
        ("local.x", 'locals { x = local.y }\nlocals { y = var.z }\nvariable "z" { default = 1 }', True),
        ("local.x", "locals { x = local.y }\nlocals { y = local.x }", False),
        ("local.x", "locals { x = max(1, 1) }", True),
        ("var.x ? 1 : 3", 'variable "x" { default = true }', True),
    ],
)
def test_locals_and_variables_have_the_values_that_files_give(
    tmp_path: Path, factor: str, other_blocks: str, fires: bool
) -> None:
    (tmp_path / "a.tf").write_text(TOPIC.format(factor, "{}") + other_blocks + "\n")
    assert (("topic-rf-low", "kafka_topic.orders.replication_factor", 3) in findings_of(tmp_path / "a.tf")) == fires


def test_locals_may_be_maps_and_stand_in_texts(tmp_path: Path) -> None:
    text = TOPIC.format("3", "local.config") + 'locals {\n  config = {\n    "retention.ms" = local.days\n  }\n}\n'
    text += 'locals {\n  days = "-1"\n}\nresource "aws_msk_configuration" "m" {\n  server_properties = <<-EOT\n'
    text += "    unclean.leader.election.enable=${local.unclean}\n    min.insync.replicas=${var.isr}\n  EOT\n}\n"
    (tmp_path / "a.tf").write_text(text + "locals {\n  unclean = true\n}\n")
    rows = findings_of(tmp_path / "a.tf")
    assert ("retention-infinite", "kafka_topic.orders.config.retention.ms", 8) in rows
    assert ("unclean-election", "server_properties.unclean.leader.election.enable", 16) in rows
    assert "min-isr-1" not in {name for name, _, _ in rows}


def test_maps_that_hold_each_other_and_texts_that_grow_are_no_error(tmp_path: Path) -> None:
    text = "locals {\n  a = { x = local.b }\n  b = { y = local.a }\n  c = [local.c, local.a]\n"
    text += (
        "".join(f'  t{n + 1} = "${{local.t{n}}}${{local.t{n}}}"\n' for n in range(40)) + f'  t0 = "{"x" * 900}"\n}}\n'
    )
    (tmp_path / "a.tf").write_text(text + TOPIC.format("local.t40", "local.a") + TOPIC.format("1", "local.c"))
    assert findings_of(tmp_path / "a.tf")


@pytest.mark.parametrize(("in_cluster", "fires"), [("false", True), ("true", False), ("var.encrypted", False)])
def test_replication_of_msk_in_plain_text(tmp_path: Path, in_cluster: str, fires: bool) -> None:
    transit = f'encryption_in_transit {{\n client_broker = "TLS"\n in_cluster = {in_cluster}\n }}'
    cluster = f'resource "aws_msk_cluster" "c" {{\n kafka_version = "3.9.x"\n encryption_info {{\n {transit}\n }}\n}}\n'
    (tmp_path / "a.tf").write_text(cluster)
    assert ("plaintext-replication" in {name for name, _, _ in findings_of(tmp_path / "a.tf")}) is fires


def test_what_terraform_shows() -> None:
    assert findings_of(DATA / "terraform-show.json") == {
        ("unclean-election", "server_properties.unclean.leader.election.enable", 18),
        ("auto-create-topics", "server_properties.auto.create.topics.enable", 18),
        ("topic-rf-low", 'kafka_topic.orders["a"].replication_factor', 9),
        ("retention-infinite", 'kafka_topic.orders["a"].config.retention.ms', 11),
        ("no-authentication", "aws_msk_cluster.client_authentication", None),
        ("version-eol", "aws_msk_cluster.kafka_version", 21),
    }


def shown(resource: dict[str, Any], root: str = "planned_values") -> str:
    document = {"format_version": "1.2", "terraform_version": "1.9", root: {"root_module": {"resources": [resource]}}}
    return json.dumps(document, indent=1)


def test_a_plan_and_data_sources(tmp_path: Path) -> None:
    values = {"name": "o", "replication_factor": 1, "partitions": None, "config": None}
    resource = {"mode": "managed", "type": "kafka_topic", "name": "o", "values": values}
    (tmp_path / "plan.json").write_text(shown(resource))
    assert "topic-rf-low" in {name for name, _, _ in findings_of(tmp_path / "plan.json")}
    (tmp_path / "data.json").write_text(shown(resource | {"mode": "data"}))
    assert findings_of(tmp_path / "data.json") == set()


@pytest.mark.parametrize("odd", [None, 1, "x", [], [1], {}, {"a": [None]}, [[{}]]])
@pytest.mark.parametrize(
    "place", ["values", "name", "type", "mode", "address", "config", "client_authentication", "arn"]
)
def test_any_shape_anywhere_is_no_internal_error(tmp_path: Path, place: str, odd: object) -> None:
    for type in ("kafka_topic", "aws_msk_cluster", "aws_msk_configuration", "aiven_kafka", "confluent_connector"):
        values: dict[str, object] = {"name": "a", "replication_factor": 1, place: odd, "configuration_info": odd}
        resource = {"type": type, "name": "x", "values": values, "address": f"{type}.x"} | {place: odd}
        (tmp_path / f"{type}.json").write_text(shown(resource) + "\n")
    for root in ("values", "planned_values"):
        plan = {"format_version": "1", "terraform_version": "1", root: odd, "kafka": {"root_module": odd}}
        (tmp_path / f"{root}.json").write_text(json.dumps(plan))
    err = run("lint", *sorted(tmp_path.glob("*.json")), "--no-config", "--format", "json").err
    assert [line for line in err.splitlines() if "internal error" in line] == []


def test_settings_of_an_aiven_topic_that_stand_beside_its_config(tmp_path: Path) -> None:
    path = tmp_path / "t.tf"
    fields = 'topic_name = "t"\n  retention_hours = {}\n  minimum_in_sync_replicas = var.isr\n'
    rows = {}
    for hours in (24, -1):
        path.write_text(f'resource "aiven_kafka_topic" "t" {{\n  {fields.format(hours)}}}\n')
        rows[hours] = run("effective", path).out
    assert "retention.ms        = 86400000  (line 3)" in rows[24] and "retention.ms        = -1" in rows[-1]
    assert "min.insync.replicas = ${var.isr}  (line 4; filled in later)" in rows[24]


@pytest.mark.parametrize(
    ("type", "name", "unknown"), [("aiven_kafka_topic", "topic_name", False), ("kafka_topic", "name", True)]
)
def test_keys_of_a_service_that_its_provider_checks_are_none_of_kafkas(
    tmp_path: Path, type: str, name: str, unknown: bool
) -> None:
    fields = '  config {\n    diskless_enable = true\n    retention_ms = "1"\n  }\n'
    fields = fields if type == "aiven_kafka_topic" else fields.replace("config {", "config = {")
    (tmp_path / "main.tf").write_text(f'resource "{type}" "t" {{\n  {name} = "t"\n{fields}}}\n')
    rows = run("lint", tmp_path / "main.tf", "--no-config", "--format", "json").json["findings"]
    assert ("KA1401" in {row["rule"] for row in rows}) is unknown


@pytest.mark.parametrize(
    ("fields", "fires"),
    [
        ('acl_operation = "All"\n  resource_name = "*"', True),
        ('acl_operation = "Read"\n  resource_name = "*"', False),
        ('acl_operation = "All"\n  resource_name = "orders"', False),
        ('acl_operation = "All"\n  acl_permission_type = "Deny"\n  resource_name = "*"', False),
    ],
)
def test_an_acl_on_everything_is_found(tmp_path: Path, fields: str, fires: bool) -> None:
    topic = 'resource "kafka_topic" "t" {\n  name = "t"\n  replication_factor = 3\n  partitions = 3\n}\n'
    acl = f'resource "kafka_acl" "a" {{\n  acl_principal = "User:a"\n  resource_type = "Topic"\n  {fields}\n}}\n'
    (tmp_path / "main.tf").write_text(topic + acl)
    rows = run("lint", tmp_path / "main.tf", "--no-config", "--format", "json").json["findings"]
    assert ("KA1716" in {row["rule"] for row in rows}) is fires


@pytest.mark.parametrize(
    ("type", "field"),
    [
        ("aws_mskconnect_connector", "connector_configuration"),
        ("confluent_connector", "config_nonsensitive"),
        ("kafka-connect_connector", "config"),
        ("kafka_connect_connector", "config"),
        ("aiven_kafka_connector", "config"),
    ],
)
def test_the_clients_of_a_connector_are_judged(tmp_path: Path, type: str, field: str) -> None:
    config = '"connector.class" = "a.B"\n    "producer.override.acks" = "1"\n    "producer.override.ackz" = "1"'
    (tmp_path / "main.tf").write_text(
        f'resource "{type}" "c" {{\n  name = "c"\n  {field} = {{\n    {config}\n  }}\n}}\n'
    )
    found = findings_of(tmp_path / "main.tf")
    assert {("acks-not-all", "producer.override.acks"), ("unknown-key", "producer.override.ackz")} <= {
        (name, key.removeprefix(f"{type}.c.{field}.")) for name, key, _ in found
    }
    assert sum(name == "unknown-key" for name, _, _ in found) == 1


def test_what_msk_connect_sets_is_not_missing(tmp_path: Path) -> None:
    text = "<<EOT\nkey.converter=org.apache.kafka.connect.storage.StringConverter\nproducer.acks=1\nEOT\n"
    body = f'  name = "w"\n  properties_file_content = {text}'
    (tmp_path / "main.tf").write_text(f'resource "aws_mskconnect_worker_configuration" "w" {{\n{body}}}\n')
    assert {name for name, _, _ in findings_of(tmp_path / "main.tf")} == {"acks-not-all"}


def test_digits_that_are_no_number_are_unknown(tmp_path: Path) -> None:
    config = '{ "min.insync.replicas" = "1" }'
    (tmp_path / "main.tf").write_text(TOPIC.format('"²"', config))
    ran = run("lint", tmp_path / "main.tf", "--no-config")
    assert "internal error" not in ran.err
    assert "min.insync.replicas" in ran.out
