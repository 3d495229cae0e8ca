"""Expressions of Terraform: what files say is judged as it would be applied, what they leave open is unknown, never silence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.canary import CANARY
from tests.support.commands import Ran, run

UNCLEAN, LOW = "unclean-election", "topic-rf-low"
MSK = 'resource "aws_msk_configuration" "m" {{\n  server_properties = {}\n}}\n'
TOPIC = 'resource "kafka_topic" "t" {{\n  name = "t"\n  partitions = 6\n  replication_factor = {}\n}}\n'
CONFIG = 'resource "kafka_topic" "t" {{\n  name = "t"\n  partitions = 6\n  replication_factor = 3\n  config = {}\n}}\n'
KEY = "unclean.leader.election.enable"
ON = f'"{KEY}" = "true"'
OFF = f'"{KEY}" = "false"'
OPTIONAL = (
    'variable "topics" {{\n  type = {2}(object({{ unclean = {0} }}))\n  default = {1}\n}}\nresource "kafka_topic" "t" {{\n  for_each = var.topics\n'
    '  name = each.key\n  partitions = 6\n  replication_factor = 3\n  config = {{ "unclean.leader.election.enable" = each.value.unclean }}\n}}\n'
)
VARIABLE = 'variable "{}" {{ default = {} }}\n'


def lint(folder: Path) -> Ran:
    ran = run("lint", folder, "--no-config", "--format", "json")
    assert "internal error" not in ran.err
    return ran


def rules(ran: Ran) -> set[str]:
    return {row["name"] for row in ran.json["findings"]} if ran.out else set()


def is_open(ran: Ran) -> bool:
    """Whether something is said to be unknown or not read."""
    return bool(ran.out and ran.json["unknown"]) or "not read" in ran.err


JUDGED = {
    "a default of a type": OPTIONAL.format('optional(string, "true")', "{ a = {} }", "map"),
    "a default of a type for null": OPTIONAL.format('optional(string, "true")', "{ a = { unclean = null } }", "map"),
    "a value in place of a default of a type": OPTIONAL.format('optional(string, "false")', '{ a = { unclean = "true" } }', "map"),
    "a default of a type within a default": 'variable "t" {\n  type = object({ c = optional(object({ unclean = optional(bool, true) }), {}) })\n  default = {}\n}\n'
    + CONFIG.format(f'{{ "{KEY}" = var.t.c.unclean }}'),
    "a default of the type of an item": 'variable "t" {\n  type = list(object({ unclean = optional(bool, true) }))\n  default = [{}]\n}\n' + CONFIG.format(f'{{ "{KEY}" = var.t[0].unclean }}'),
    "merge": CONFIG.format(f'merge({{ "retention.ms" = "1" }}, {{ {ON} }})'),
    "merge of locals": f"locals {{\n  a = {{ {OFF} }}\n  b = {{ {ON} }}\n}}\n" + CONFIG.format("merge(local.a, local.b)"),
    "merge over an unknown part": CONFIG.format(f"merge(var.more, {{ {ON} }})") + 'variable "more" {}\n',
    "merge of an expanded list": CONFIG.format(f"merge([{{ {OFF} }}, {{ {ON} }}]...)"),
    "tomap": CONFIG.format(f"tomap({{ {ON} }})"),
    "a default that is a map": VARIABLE.format("c", f"{{ {ON} }}") + CONFIG.format("var.c"),
    "a condition that holds": VARIABLE.format("p", "true") + CONFIG.format(f"var.p ? {{ {ON} }} : {{}}"),
    "a condition that does not": VARIABLE.format("p", '"dev"') + CONFIG.format(f'var.p == "prod" ? {{}} : {{ {ON} }}'),
    "an operator": CONFIG.format(f"!(1 + 1 > 2) && true ? {{ {ON} }} : {{}}"),
    "for over a map": CONFIG.format(f'{{ for k, v in {{ "{KEY}" = true, x = false }} : k => v if v }}'),
    "for that makes keys": CONFIG.format('{ for k in ["unclean"] : "${k}.leader.election.enable" => "true" }'),
    "zipmap": CONFIG.format(f'zipmap(["{KEY}"], [true])'),
    "lookup": CONFIG.format(f'lookup({{ prod = {{ {ON} }} }}, "prod", {{}})'),
    "lookup of the default": CONFIG.format(f'lookup({{}}, "prod", {{ {ON} }})'),
    "an index": CONFIG.format(f'{{ prod = {{ {ON} }} }}["prod"]'),
    "an index by a variable": VARIABLE.format("e", '"prod"') + f"locals {{ c = {{ prod = {{ {ON} }} }} }}\n" + CONFIG.format("local.c[var.e]"),
    "a key in brackets": f'locals {{ k = "{KEY}" }}\n' + CONFIG.format("{ (local.k) = true }"),
    "a key of a template": CONFIG.format('{ "${"unclean"}.leader.election.enable" = true }'),
    "jsondecode": CONFIG.format(f'jsondecode("{{\\"{KEY}\\": true}}")'),
    "jsondecode of jsonencode": CONFIG.format(f"jsondecode(jsonencode({{ {ON} }}))"),
    "coalesce": CONFIG.format(f'{{ "{KEY}" = coalesce(null, "", "true") }}'),
    "a number with an exponent": CONFIG.format(f'{{ "{KEY}" = "r${{1.5e3}}" == "r1500" }}'),
    "tostring": CONFIG.format(f'{{ "{KEY}" = tostring(true) }}'),
    "try": CONFIG.format(f"try({{ {ON} }}, {{}})"),
    "element": CONFIG.format(f'{{ "{KEY}" = element(["false", "true"], 1) }}'),
    "heredoc": MSK.format(f"<<-EOT\n    {KEY} = true\n  EOT"),
    "heredoc with a value": VARIABLE.format("u", "true") + MSK.format(f"<<EOT\n{KEY}=${{var.u}}\nEOT"),
    "heredoc of a local": f"locals {{\n  p = <<-EOT\n    a.b=1\n    {KEY}=true\n  EOT\n}}\n" + MSK.format("local.p"),
    "heredoc with a loop": MSK.format(f"<<-EOT\n    %{{ for k, v in {{ \"{KEY}\" = true }} ~}}\n    ${{k}}=${{v}}\n    %{{ endfor ~}}\n  EOT"),
    "heredoc with a choice": MSK.format(f"<<-EOT\n    %{{ if true }}{KEY}=true%{{ else }}a.b=1%{{ endif }}\n  EOT"),
    "join of a loop": MSK.format(f'join("\\n", [for k, v in {{ {ON} }} : "${{k}}=${{v}}"])'),
    "join with an unknown line": MSK.format(f'join("\\n", ["{KEY}=true", "min.insync.replicas=${{var.i}}"])') + 'variable "i" {}\n',
    "join of concat": MSK.format(f'join("\\n", concat(["a.b=1"], ["{KEY}=true"]))'),
    "format": MSK.format(f'format("%s=%t\\n", "{KEY}", true)'.replace("%t", "%v")),
    "format of a number": TOPIC.format('tonumber(format("%d", 1))'),
    "text with escapes": MSK.format(f'"a.b=1\\n{KEY}=true\\n"'),
    "text with a strip marker": MSK.format(f'"{KEY}= ${{~ true ~}} "'),
    "a splat": "locals { t = [{ f = 1 }] }\n" + TOPIC.format("one(local.t[*].f)"),
    "max": TOPIC.format("max(1, 0)"),
    "arithmetic": TOPIC.format("3 - 2"),
    "length": TOPIC.format('length(["a"])'),
    "for_each over a map": TOPIC.replace("{}", "each.value.rf", 1).format().replace('"t" {', '"t" {{\n  for_each = {{ a = {{ rf = 3 }}, b = {{ rf = 1 }} }}').replace("{{", "{").replace("}}", "}"),
    "for_each over a set": 'resource "kafka_topic" "t" {\n  for_each = toset(["1"])\n  name = each.key\n  replication_factor = tonumber(each.value)\n}\n',
    "for_each over locals": 'locals {\n  topics = {\n    a = { rf = 1 }\n  }\n}\nresource "kafka_topic" "t" {\n  for_each = local.topics\n  name = each.key\n  replication_factor = each.value.rf\n}\n',
    "for_each over a loop": 'resource "kafka_topic" "t" {\n  for_each = { for t in [{ n = "a", rf = 1 }] : t.n => t }\n  name = each.key\n  replication_factor = each.value["rf"]\n}\n',
    "for_each with lookup": 'resource "kafka_topic" "t" {\n  for_each = { a = {} }\n  name = each.key\n  replication_factor = lookup(each.value, "rf", 1)\n}\n',
    "count": 'resource "kafka_topic" "t" {\n  count = 2\n  name = "t${count.index}"\n  replication_factor = count.index + 1\n}\n',
    "count of a list": 'locals { f = [3, 1] }\nresource "kafka_topic" "t" {\n  count = length(local.f)\n  replication_factor = local.f[count.index]\n}\n',
    "dynamic": 'resource "aiven_kafka" "k" {\n  dynamic "kafka_user_config" {\n    for_each = [true]\n    content {\n      kafka {\n        unclean_leader_election_enable = kafka_user_config.value\n      }\n    }\n  }\n}\n',
    "dynamic with an iterator": 'resource "aiven_kafka" "k" {\n  dynamic "kafka_user_config" {\n    for_each = { a = true }\n    iterator = it\n    content {\n      kafka {\n        unclean_leader_election_enable = it.value\n      }\n    }\n  }\n}\n',
    "a map of another resource": f'resource "kubernetes_config_map" "k" {{\n  data = {{\n    "server.properties" = <<-EOT\n      process.roles=broker\n      node.id=1\n      {KEY}=true\n    EOT\n  }}\n}}\n',
    "arguments of a module elsewhere": f'module "x" {{\n  source = "git::https://example.org/x.git"\n  settings = {{ {ON}, "default.replication.factor" = "3" }}\n}}\n',
    "replace": CONFIG.format('{ replace("unclean_leader_election_enable", "_", ".") = "true" }'.replace("{ replace", "{ (replace").replace('".") =', '".")) =')),
    "split": TOPIC.format('split(",", "1,2")[0]'),
    "nested locals": "locals {\n  a = local.b\n  b = local.c\n  c = 1\n}\n" + TOPIC.format("local.a"),
}  # fmt: skip


@pytest.mark.parametrize("name", JUDGED)
def test_what_the_files_say_is_judged(name: str, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(JUDGED[name])
    assert rules(lint(tmp_path)) & {UNCLEAN, LOW}


UNKNOWN = {
    "a variable without a value": TOPIC.format("var.f") + 'variable "f" {}\n',
    "a map of a variable": CONFIG.format("var.c") + 'variable "c" {}\n',
    "merge under an unknown part": CONFIG.format(f"merge({{ {ON} }}, var.more)") + 'variable "more" {}\n',
    "merge with an unknown part alone": CONFIG.format("merge({}, var.more)") + 'variable "more" {}\n',
    "an unknown condition": CONFIG.format(f"var.p ? {{ {ON} }} : {{}}") + 'variable "p" {}\n',
    "a function that runs": CONFIG.format('jsondecode(file("topic.json"))'),
    "a template file": MSK.format('templatefile("server.properties.tpl", { a = 1 })'),
    "a data source": TOPIC.format("data.aws_ssm_parameter.f.value"),
    "a module's output": TOPIC.format("module.defaults.factor"),
    "a resource's attribute": TOPIC.format("kafka_topic.other.replication_factor"),
    "locals in a circle": "locals {\n  a = local.b\n  b = local.a\n}\n" + TOPIC.format("local.a"),
    "a local that is not there": TOPIC.format("local.x"),
    "an unknown loop": CONFIG.format("{ for k, v in var.m : k => v }") + 'variable "m" {}\n',
    "an unknown condition of a loop": CONFIG.format(f"{{ for k, v in {{ {ON} }} : k => v if var.p }}") + 'variable "p" {}\n',
    "an unknown key": CONFIG.format('{ (var.k) = "true" }') + 'variable "k" {}\n',
    "an unknown for_each": 'resource "kafka_topic" "t" {\n  for_each = var.t\n  name = each.key\n  replication_factor = each.value\n}\nvariable "t" {}\n',
    "an index that is not there": TOPIC.format("[3][1]"),
    "division by zero": TOPIC.format("1 / 0"),
    "an unknown directive": MSK.format(f"<<-EOT\n    %{{ if var.p }}\n    {KEY}=true\n    %{{ endif }}\n  EOT") + 'variable "p" {}\n',
    "an unknown list": MSK.format('join("\\n", var.l)') + 'variable "l" {}\n',
    "an unknown part of a list": MSK.format('join("\\n", concat(["a.b=1"], var.l))') + 'variable "l" {}\n',
    "an unknown dynamic block": 'resource "aiven_kafka" "k" {\n  dynamic "kafka_user_config" {\n    for_each = var.c\n    content {\n      kafka {\n        min_insync_replicas = kafka_user_config.value\n      }\n    }\n  }\n}\nvariable "c" {}\n',
    "null by default": VARIABLE.format("f", "null") + TOPIC.format("var.f"),
    "a whole text": MSK.format("var.p") + 'variable "p" {}\n',
    "none by default": VARIABLE.format("on", "false") + 'resource "kafka_topic" "t" {\n  count = var.on ? 1 : 0\n  replication_factor = var.f\n}\nvariable "f" {}\n',
    "a module of Kafka's elsewhere": 'module "kafka" {\n  source = "git::https://example.org/terraform-kafka.git"\n  size = 3\n}\n',
    "a connector": 'resource "confluent_connector" "c" {\n  config_nonsensitive = var.c\n}\nvariable "c" {}\n',
    "the msk module": 'module "m" {\n  source = "terraform-aws-modules/msk-kafka-cluster/aws"\n  configuration_server_properties = var.p\n}\nvariable "p" {}\n',
    "a number too large": TOPIC.format("1e999999999 * 10"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_the_files_leave_open_is_unknown(name: str, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(UNKNOWN[name])
    ran = lint(tmp_path)
    assert is_open(ran)
    assert not rules(ran) & {UNCLEAN, LOW}


SAFE = {
    "a default of a type that is good": OPTIONAL.format('optional(string, "false")', "{ a = {} }", "map"),
    "a value in place of a default of a type": OPTIONAL.format('optional(string, "true")', '{ a = { unclean = "false" } }', "map"),
    "merge": CONFIG.format(f"merge({{ {ON} }}, {{ {OFF} }})"),
    "a condition": CONFIG.format(f"false ? {{ {ON} }} : {{ {OFF} }}"),
    "a loop": CONFIG.format(f'{{ for k, v in {{ "{KEY}" = "true" }} : k => "false" }}'),
    "a pair that is left out": CONFIG.format(f"{{ for k, v in {{ {ON} }} : k => v if false }}"),
    "count of none": TOPIC.format("1").replace('"t" {', '"t" {\n  count = 0', 1),
    "for_each of none": TOPIC.format("1").replace('"t" {', '"t" {\n  for_each = {}', 1),
    "a dollar that is doubled": CONFIG.format('{ "retention.ms" = "$${x}" }'),
    "a key that is shadowed": CONFIG.format(f"{{ {ON}, {OFF} }}"),
    "lookup": TOPIC.format('lookup({ a = 3 }, "a", 1)'),
    "a local file's variable": VARIABLE.format("f", "3") + TOPIC.format("var.f"),
}  # fmt: skip


@pytest.mark.parametrize("name", SAFE)
def test_what_is_not_applied_raises_no_alarm(name: str, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(SAFE[name])
    assert not rules(lint(tmp_path)) & {UNCLEAN, LOW}


F = TOPIC.format("var.f")
FILES: dict[str, tuple[dict[str, str], str]] = {
    "terraform.tfvars": ({"main.tf": F, "v.tf": VARIABLE.format("f", "3"), "terraform.tfvars": "f = 1\n"}, "found"),
    "an auto file": ({"main.tf": F, "a.auto.tfvars": "f = 1\n", "terraform.tfvars": "f = 3\n"}, "found"),
    "auto files in order": ({"main.tf": F, "a.auto.tfvars": "f = 1\n", "b.auto.tfvars": "f = 3\n"}, "safe"),
    "auto files in order, turned": ({"main.tf": F, "a.auto.tfvars": "f = 3\n", "b.auto.tfvars": "f = 1\n"}, "found"),
    "JSON over text": ({"main.tf": F, "terraform.tfvars": "f = 3\n", "terraform.tfvars.json": '{"f": 1}'}, "found"),
    "an auto file of JSON": ({"main.tf": F, "x.auto.tfvars.json": '{"f": 1}'}, "found"),
    "a file that is named": ({"main.tf": F + VARIABLE.format("f", "3"), "prod.tfvars": "f = 1\n"}, "open"),
    "a file that is named, the default bad": ({"main.tf": F + VARIABLE.format("f", "1"), "prod.tfvars": "f = 3\n"}, "open"),
    "a file of another folder": ({"main.tf": F + VARIABLE.format("f", "3"), "env/dev.tfvars": "f = 1\n"}, "open"),
    "a file of JSON beside the folder of the code": ({"code/main.tf": F + VARIABLE.format("f", "3"), "env/dev.tfvars.json": '{"f": 1}'}, "open"),
    "a file of another code": ({"main.tf": F + VARIABLE.format("f", "1"), "other/main.tf": "# f\n", "other/env/dev.tfvars": "f = 3\n"}, "found"),
    "another variable of another folder": ({"main.tf": F + VARIABLE.format("f", "1"), "env/dev.tfvars": "g = 3\n"}, "found"),
    "a command that passes it": ({"main.tf": F + VARIABLE.format("f", "3"), "Makefile": "up:\n\tterraform apply -var 'f=1'\n"}, "open"),
    "a command with an equals sign": ({"main.tf": F + VARIABLE.format("f", "3"), "up.sh": "tofu apply -var=f=1\n"}, "open"),
    "a variable of the environment": ({"main.tf": F + VARIABLE.format("f", "3"), ".github/workflows/a.yml": "jobs: {a: {env: {TF_VAR_f: 1}}}\n"}, "open"),
    "a command that passes another": ({"main.tf": F + VARIABLE.format("f", "1"), "up.sh": "export TF_VAR_g=3\nterraform apply -var-file=f=1\n"}, "found"),
    "a file that cannot be read": ({"main.tf": F + VARIABLE.format("f", "3"), "terraform.tfvars": "f = {\n"}, "open"),
    "locals of another file": ({"main.tf": TOPIC.format("local.f"), "l.tf": "locals { f = 1 }\n"}, "found"),
    "an override": ({"main.tf": F, "a.tf": VARIABLE.format("f", "3"), "override.tf": VARIABLE.format("f", "1")}, "found"),
    "an argument": ({"main.tf": 'module "t" {\n  source = "./t"\n  f = 1\n}\n', "t/main.tf": F + VARIABLE.format("f", "3")}, "found"),
    "an argument over a default": ({"main.tf": 'module "t" {\n  source = "./t"\n  f = 3\n}\n', "t/main.tf": F + VARIABLE.format("f", "1")}, "safe"),
    "a default of a module": ({"main.tf": 'module "t" {\n  source = "./t"\n}\n', "t/main.tf": F + VARIABLE.format("f", "1")}, "found"),
    "a module beside": ({"live/main.tf": 'module "t" {\n  source = "../modules/t"\n  f = 1\n}\n', "modules/t/main.tf": F + 'variable "f" {}\n'}, "found"),
    "an argument of a variable": ({"main.tf": 'module "t" {\n  source = "./t"\n  f = var.g\n}\n', "terraform.tfvars": "g = 1\n", "t/main.tf": F}, "found"),
    "an argument that is open": ({"main.tf": 'module "t" {\n  source = "./t"\n  f = var.g\n}\n', "t/main.tf": F}, "open"),
    "two calls": ({"main.tf": 'module "a" {\n  source = "./t"\n  f = 3\n}\nmodule "b" {\n  source = "./t"\n  f = 1\n}\n', "t/main.tf": F}, "found"),
    "a call for each": ({"main.tf": 'module "t" {\n  source = "./t"\n  for_each = { a = 1 }\n  f = each.value\n}\n', "t/main.tf": F}, "found"),
    "a module of a module": ({"main.tf": 'module "a" {\n  source = "./a"\n  f = 1\n}\n', "a/main.tf": 'module "b" {\n  source = "./b"\n  f = var.f\n}\n', "a/b/main.tf": F}, "found"),
    "modules in a circle": ({"a/main.tf": 'module "b" {\n  source = "../b"\n  f = var.f\n}\n' + F, "b/main.tf": 'module "a" {\n  source = "../a"\n  f = var.f\n}\n'}, "open"),
    "a map as argument": ({"main.tf": f'module "t" {{\n  source = "./t"\n  c = {{ {ON} }}\n}}\n', "t/main.tf": CONFIG.format("merge({}, var.c)")}, "found"),
    "the root's values are not a module's": ({"main.tf": 'module "t" {\n  source = "./t"\n  f = 1\n}\n', "t/main.tf": F, "t/terraform.tfvars": "f = 3\n"}, "found"),
    "JSON": ({"main.tf.json": json.dumps({"resource": {"kafka_topic": {"t": {"name": "t", "replication_factor": 1}}}})}, "found"),
    "JSON with a template": ({"main.tf.json": json.dumps({"resource": {"kafka_topic": {"t": {"replication_factor": "${var.f}"}}}, "variable": {"f": {"default": 1}}})}, "found"),
    "JSON with a list of blocks": ({"main.tf.json": json.dumps({"resource": [{"kafka_topic": [{"t": [{"replication_factor": 1}]}]}]})}, "found"),
    "JSON with a map": ({"main.tf.json": json.dumps({"locals": {"c": {KEY: True}}, "resource": {"kafka_topic": {"t": {"replication_factor": 3, "config": "${merge(local.c, {})}"}}}})}, "found"),
    "JSON that is open": ({"main.tf.json": json.dumps({"resource": {"kafka_topic": {"t": {"replication_factor": "${var.f}"}}}})}, "open"),
    "variables in JSON beside": ({"main.tf": F, "v.tf.json": json.dumps({"variable": {"f": {"default": 1}}})}, "found"),
    "for_each in JSON": ({"main.tf.json": json.dumps({"resource": {"kafka_topic": {"t": {"for_each": {"a": 1}, "replication_factor": "${each.value}"}}}})}, "found"),
    "values with Kafka's keys": ({"prod.tfvars": f'settings = {{\n  "{KEY}" = true\n  "default.replication.factor" = 3\n}}\n'}, "found"),
    "values with a text": ({"prod.tfvars": f'p = <<EOT\n{KEY}=true\nmin.insync.replicas=2\nEOT\n'}, "found"),
    "a state": ({"terraform.tfstate": json.dumps({"version": 4, "terraform_version": "1.9.0", "resources": [{"mode": "managed", "type": "kafka_topic", "name": "t", "instances": [{"attributes": {"name": "t", "replication_factor": 1, "partitions": 1}}]}]}, indent=1)}, "found"),
    "a state with instances": ({"terraform.tfstate": json.dumps({"version": 4, "terraform_version": "1.9.0", "resources": [{"module": "module.x", "mode": "managed", "type": "kafka_topic", "name": "t", "instances": [{"index_key": "a", "attributes": {"replication_factor": 3}}, {"index_key": "b", "attributes": {"replication_factor": 1}}]}]})}, "found"),
    "a state of a data source": ({"terraform.tfstate": json.dumps({"version": 4, "terraform_version": "1.9.0", "resources": [{"mode": "data", "type": "kafka_topic", "name": "t", "instances": [{"attributes": {"replication_factor": 1}}]}]})}, "safe"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_what_lies_beside_counts_as_terraform_counts_it(name: str, tmp_path: Path) -> None:
    files, outcome = FILES[name]
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    ran = lint(tmp_path)
    assert bool(rules(ran) & {UNCLEAN, LOW}) == (outcome == "found")
    assert is_open(ran) or outcome != "open"


GROWING = {
    "texts": "".join(f'  t{n + 1} = "${{local.t{n}}}${{local.t{n}}}"\n' for n in range(60)) + '  t0 = "x"\n',
    "lists": "".join(f"  t{n + 1} = concat(local.t{n}, local.t{n})\n" for n in range(60)) + '  t0 = ["x"]\n',
    "maps": "".join(f"  t{n + 1} = merge({{ k{n} = local.t{n} }}, {{ j{n} = local.t{n} }})\n" for n in range(60)) + "  t0 = {}\n",
    "loops": "".join(f"  t{n + 1} = flatten([for a in local.t{n} : [for b in local.t{n} : [a, b]]])\n" for n in range(60)) + "  t0 = [1, 2, 3]\n",
    "joins": "".join(f'  t{n + 1} = join("", [local.t{n}, local.t{n}])\n' for n in range(60)) + '  t0 = "x"\n',
    "replacements": "".join(f'  t{n + 1} = replace(local.t{n}, "x", "xxxxxxxxxx")\n' for n in range(60)) + '  t0 = "xx"\n',
    "JSON": "".join(f"  t{n + 1} = jsonencode([local.t{n}, local.t{n}])\n" for n in range(60)) + '  t0 = "x"\n',
    "a long chain": "".join(f"  t{n + 1} = local.t{n}\n" for n in range(2000)) + "  t0 = 1\n",
    "a deep expression": "  t60 = " + "[" * 90 + "]" * 90 + "\n",
    "a range": "  t60 = [for a in range(10000) : [for b in range(10000) : a]]\n",
    "a range in a map": "  t60 = {for a in range(10000) : a => [for b in range(10000) : a]}\n",
    "a directive": '  t60 = "%{ for a in range(10000) }%{ for b in range(10000) }xxxxxxxxxx%{ endfor }%{ endfor }"\n',
    "operators": "  t60 = " + "1 + " * 90 + "1\n",
}  # fmt: skip


@pytest.mark.parametrize("name", GROWING)
def test_what_grows_without_end_ends(name: str, tmp_path: Path) -> None:
    text = "locals {\n" + GROWING[name] + "}\n" + TOPIC.format("1") + MSK.format("local.t60")
    (tmp_path / "main.tf").write_text(text)
    assert LOW in rules(lint(tmp_path))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("db_password", CANARY),
        ("api_token", CANARY),
        ("x", "ghp_0123456789abcdefABCDEF"),
        ("aws_secret_access_key", CANARY),
    ],
)
def test_a_variable_that_may_be_a_secret_is_not_filled_in(name: str, value: str, tmp_path: Path) -> None:
    text = VARIABLE.format(name, f'"{value}"') + CONFIG.format(f'{{ "cleanup.policy" = var.{name} }}')
    (tmp_path / "main.tf").write_text(text + f'module "kafka" {{\n  source = "x"\n  c = merge(var.{name}, {{}})\n}}\n')
    for format in ("text", "json", "markdown", "sarif"):
        ran = run("lint", tmp_path, "--no-config", "-v", "--format", format)
        assert value not in ran.out + ran.err
        assert "internal error" not in ran.err


def test_a_finding_stands_where_its_value_does(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(CONFIG.format("merge(local.base, {})") + MSK.format("local.text"))
    (tmp_path / "locals.tf").write_text(
        f"locals {{\n  base = {{\n    {ON}\n  }}\n  text = <<-EOT\n    # why\n    {KEY}=true\n  EOT\n}}\n"
    )
    rows = [row for row in lint(tmp_path).json["findings"] if row["name"] == UNCLEAN]
    assert {(Path(row["file"]).name, row["line"]) for row in rows} == {("locals.tf", 3), ("locals.tf", 7)}


def test_the_reason_of_an_unknown_names_the_reference(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(CONFIG.format("merge({}, var.more)") + 'variable "more" {}\n')
    reasons = {row["reason"] for row in lint(tmp_path).json["unknown"]}
    assert any("var.more" in reason for reason in reasons)
