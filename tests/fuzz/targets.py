"""What is fuzzed: each target makes an input from a source of randomness, and runs a command or a reader on it."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from advisor.cli import main
from advisor.cli.argument_types import FORMATS
from advisor.errors import UserError
from advisor.samples.cluster_text import parse_cluster
from advisor.secrets import masking, placeholders
from advisor.secrets.jaas import jaas_of, options_of
from collectors.files.syntax.toml_positions import Positions
from collectors.snapshot.file import document
from tests.fuzz import mutations
from tests.fuzz.scripts import script
from tests.support.commands import ROOT

CODES = (0, 1, 2, 3, 4)
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2028\u2029\u2066-\u2069]")
CLUSTER = (
    "brokers 1/a 2/b 3/c\nbroker 1 process.roles=broker,controller\ntopic a retention.ms=1 min.insync.replicas=1\n"
    "0-3: leader 1 replicas 1,2,3 isr 1,2\ntopic __consumer_offsets cleanup.policy=compact\n0: leader 2 replicas 2 isr 2\n"
)
SNAPSHOT: dict[str, Any] = json.loads(json.dumps(document(parse_cluster(CLUSTER))))
SETTINGS = (
    "profile",
    "select",
    "ignore",
    "severity",
    "fail-on",
    "fail-on-unknown",
    "baseline",
    "rules",
    "paths",
    "kafka-version",
)
WAIVER = ("rule", "cluster", "label", "subject", "reason", "until")
INVENTORY = (
    "clusters",
    "defaults",
    "name",
    "bootstrap_servers",
    "command_config",
    "labels",
    "timeout",
    "clients",
    "kafka_version",
)
QUERY = {
    "replicas": 3,
    "min_isr": 1,
    "acks": "all",
    "kafka_version": "4.1",
    "events": {"kill": 1},
    "racks": ["a", "b", "c"],
    "property": "no-acked-loss",
}
START = {"id": 1, "component": "broker", "version": "3.9", "settings": {"process.roles": "broker", "node.id": "1"}}


class Fault(Exception):
    """A run that broke a promise; the text says which."""


def command(*arguments: str) -> str:
    """Run a command in this process and check what it promises; its standard output."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as left:
            code = int(left.code or 0)
    text, errors = out.getvalue(), err.getvalue()
    if code not in CODES or "internal error" in errors or "Traceback" in errors or "KA000" in text:
        raise Fault(f"{' '.join(arguments)}: exit code {code}: {errors[-300:]}{_crash(text)}")
    if CONTROL.search(errors):
        raise Fault(f"{' '.join(arguments)}: standard error is not escaped")
    return text


def _crash(text: str) -> str:
    at = text.find("crashed:")
    return text[max(0, at - 80) : at + 200] if at >= 0 else ""


def write(name: str, data: bytes) -> str:
    """Write an input file; its name."""
    with open(name, "wb") as file:
        file.write(data)
    return name


def files(source: random.Random) -> None:
    """A configuration file under every command that reads one."""
    name = write("x.properties", mutations.properties(source))
    kind = () if source.random() < 0.4 else ("--kind", source.choice(mutations.KINDS))
    match source.randrange(10):
        case 0:
            json_output(command("effective", name, *kind, "--all", "--format", "json"))
        case 1:
            command("starts", name, *kind, "--on", "3.9,4.4")
        case 2:
            command("diff", name, "good.properties", "--no-config", *kind)
        case 3:
            json_output(command("upgrade", name, "--to", "4.4", *kind, "--format", "json"))
        case _:
            report(source, name, *kind)


def scripts(source: random.Random) -> None:
    """A Dockerfile, a shell script, a list in YAML or a Secret under every command that reads one, or in a folder."""
    name, data = script(source)
    write(name, data)
    match source.randrange(8):
        case 0:
            command("starts", name, "--on", "3.9,4.4")
        case 1:
            command("diff", name, "good.properties", "--no-config")
        case 2:
            json_output(command("advise", name, "--no-config", "--format", "json"))
        case 3:
            json_output(command("effective", name, "--all", "--format", "json"))
        case 4:
            folder(source, name, data)
        case _:
            report(source, name)


def folder(source: random.Random, name: str, data: bytes) -> None:
    """A folder that holds a file, beside a .gitignore of odd patterns."""
    os.makedirs("folder/a", exist_ok=True)
    write(f"folder/a/{name}", data)
    marks = (*"ab*?/![]-\\ #\n", "**", "[a-", "[[:alpha:]]", "\udcff", name)
    text = "".join(source.choice(marks) for _ in range(source.randrange(1, 60)))
    write("folder/.gitignore", text.encode("utf-8", "surrogateescape"))
    report(source, "folder")
    os.remove(f"folder/a/{name}")


TOML_MARKS = (*"\"'[]{}=.,\n# \t\\a1é", '"""', "'''", "[[", "]]", "a.b = 1\n", "[a.b]\n", "[[a]]\n", "{a = [1]}")
EXAMPLES = sorted(
    path
    for folder in ("examples/inputs", "tests/data/tool_outputs")
    for path in (ROOT / folder).rglob("*")
    if path.is_file()
)


def formats(source: random.Random) -> None:
    """A file of another syntax, changed in some lines or bytes."""
    path = source.choice(EXAMPLES)
    data = mutations.lines_changed(source, path.read_bytes())
    data = mutations.damaged(source, data) if source.random() < 0.3 else data
    ending = path.suffix if source.random() < 0.8 else source.choice((".yml", ".json", ".tf", ".txt", ""))
    report(source, write(f"x{ending}", data))


def changes(source: random.Random) -> None:
    """An example and what lines changed in it: the two sides of a change, as files or as folders."""
    path = source.choice(EXAMPLES)
    ending = path.suffix if source.random() < 0.9 else source.choice((".yml", ".json", ".tf", ".properties"))
    old, new = f"old{ending}", f"new{ending}"
    data = mutations.lines_changed(source, path.read_bytes()) if source.random() < 0.5 else path.read_bytes()
    write(old, data)
    write(new, mutations.lines_changed(source, data))
    if source.random() < 0.5:
        output = source.choice(("text", "json", "markdown", "html", "github"))
        text = command("diff", old, new, "--no-config", "--format", output)
    else:
        output = source.choice(("text", "json", "markdown", "script"))
        text = command("rollout", old, new, "--format", output)
    if output == "json":
        json_output(text)


def fixes(source: random.Random) -> None:
    """A file that is mended in place: what it was mended to is read, and mending it again changes nothing."""
    if source.random() < 0.7:
        name = write("fixed.properties", mutations.risky(source))
    else:
        path = source.choice(EXAMPLES)
        name = write(f"fixed{path.suffix}", mutations.lines_changed(source, path.read_bytes()))
    allowed = ("--unsafe-fixes",) if source.random() < 0.5 else ()
    command("lint", name, "--no-config", "--diff", *allowed)
    command("lint", name, "--no-config", "--fix", *allowed)
    fixed = Path(name).read_bytes()
    command("lint", name, "--no-config", "--fix", *allowed)
    if Path(name).read_bytes() != fixed:
        raise Fault(f"mending {name} a second time changes it again")


EXPRESSIONS = (
    "var.a", "local.b", "local.c", "each.value", "each.key", "count.index", "data.x.y.z", "null", "true", "1", '"1"', '"${var.a}"', '"a=${local.b}\\n"',
    "[]", "{}", "[1, 2]", '{ a = 1, "retention.ms" = "1" }', "-1", "!true", "1 / 0", "1e99", "local.c[0]", 'local.c["a"]', "local.c[*].a", "local.c.*.a",
    "[for x in local.c : x]", "{ for k, v in local.c : k => v if v != 1 }", "var.a ? 1 : 3", "<<EOT\na=${local.b}\n%{ for x in local.c ~}\n${x}\n%{ endfor }\nEOT\n",
    "<<-EOT\n  acks=1\n  %{ if var.a }b=1%{ else }c=1%{ endif }\n  EOT\n",
)  # fmt: skip
CALLS = ("merge", "concat", "join", "format", "lookup", "coalesce", "tomap", "toset", "tolist", "jsonencode", "jsondecode", "tostring",
         "tonumber", "flatten", "keys", "values", "zipmap", "element", "one", "length", "contains", "range", "split", "replace", "max", "try",
         "file", "distinct", "compact", "upper", "setunion")  # fmt: skip


def expression(source: random.Random, depth: int = 0) -> str:
    """An expression of HCL, right or wrong."""
    if depth > 3 or source.random() < 0.4:
        return source.choice(EXPRESSIONS)
    parts = [expression(source, depth + 1) for _ in range(source.randrange(1, 4))]
    return f"{source.choice(CALLS)}({', '.join(part for part in parts if 'EOT' not in part) or '1'})"


def terraform(source: random.Random) -> None:
    """A folder of Terraform with expressions, files of variables and a module that it calls."""
    made = [expression(source) for _ in range(7)]
    main = (
        f'variable "a" {{\n  default = {made[0]}\n}}\nlocals {{\n  b = {made[1]}\n  c = {made[2]}\n}}\n'
        f'resource "kafka_topic" "t" {{\n  {source.choice(("for_each", "count", "name"))} = {made[3]}\n'
        f"  replication_factor = {made[4]}\n  config = {made[5]}\n}}\n"
        f'resource "aws_msk_configuration" "m" {{\n  server_properties = {made[6]}\n}}\n'
        'module "t" {\n  source = "./t"\n  a = local.c\n}\n'
    )
    folder = "terraform"
    os.makedirs(f"{folder}/t", exist_ok=True)
    data = main.encode("utf-8", "surrogatepass")
    write(f"{folder}/main.tf", mutations.damaged(source, data) if source.random() < 0.2 else data)
    write(
        f"{folder}/t/main.tf",
        f'resource "kafka_topic" "u" {{\n  replication_factor = {expression(source)}\n}}\n'.encode(),
    )
    override = (
        f'resource "kafka_topic" "t" {{\n  replication_factor = {expression(source)}\n}}\nlocals {{\n  b = {made[1]}\n}}\n'
        f'resource "aws_msk_topic" "m" {{\n  replication_factor = 3\n  configs = {expression(source)}\n}}\n'
    )
    write(f"{folder}/a_override.tf", override.encode("utf-8", "surrogatepass"))
    write(f"{folder}/terraform.tfvars", f"a = {expression(source)}\n".encode())
    block = {
        "resource": {
            "kafka_topic": {"j": {"replication_factor": f"${{{expression(source)}}}", "config": mutations.odd(source)}}
        }
    }
    write(f"{folder}/j.tf.json", mutations.document(source, block))
    report(source, folder)


VARIABLES = ("KAFKA_NODE_ID", "KAFKA_PROCESS_ROLES", "KAFKA_LISTENERS", "KAFKA_MIN_INSYNC_REPLICAS", "KAFKA_CFG_NODE_ID", "CONNECT_GROUP_ID",
             "CONNECT_BOOTSTRAP_SERVERS", "Kafka__Producer__Acks", "KAFKA__ACKS", "SPRING_KAFKA_PRODUCER_ACKS", "COMPOSE_FILE", "__", "A__")  # fmt: skip
SHAPES: dict[str, Callable[[Any, Any], Any]] = {
    "w.yml": lambda one, other: {"jobs": {"t": {"steps": [{"run": "kafka-topics --create", "env": other}], "services": {"k": {"image": "apache/kafka:4.3.0", "env": one}}}}},
    "g.yml": lambda one, other: {"variables": one, "t": {"script": ["make"], "services": [{"name": "apache/kafka:4.3.0", "variables": other}]}},
    "c.yml": lambda one, other: {"jobs": {"t": {"docker": [{"image": "x/kafka:1", "environment": one}], "steps": []}}},
    "compose.yml": lambda one, other: {"services": {"k": {"image": "x/kafka-ui:1", "environment": one}, "b": {"image": "x:1", "environment": other}}},
    "kustomization.yaml": lambda one, other: {"patches": [{"target": {"kind": "Kafka"}, "patch": one}], "configMapGenerator": [{"name": "k", "literals": other}]},
    "cloud-init.yaml": lambda one, other: {"write_files": [{"path": "/etc/kafka/server.properties", "encoding": "b64", "content": one}, {"content": other}]},
    "cluster.yaml": lambda one, other: {"kind": "KafkaCluster", "spec": {"brokers": {"configOverrides": {"broker.properties": one}, "roleGroups": {"a": other}}}},
    "pod.yaml": lambda one, other: {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"image": "apache/kafka:4.3.0", "envFrom": [{"prefix": one, "configMapRef": {"name": "k"}}], "env": other}]}},
    "strimzi.yaml": lambda one, other: {"apiVersion": "kafka.strimzi.io/v1", "kind": "Kafka", "spec": {"kafka": {"listeners": [{"name": "a", "port": 9094, "type": "route", "tls": one, "authentication": {"type": other}}]}}},
    "role.yml": lambda one, other: {"kafka_topics": [{"name": "a", "retention.ms": one, "cleanup.policy": other}], "kafka_port": one},
    "appsettings.json": lambda one, other: {"Kafka:Producer:Acks": one, "kafka": {"producer": {"bootstrapServers": "a", "acks": other}}, "Kafka": one},
}  # fmt: skip


def carriers(source: random.Random) -> None:
    """Variables in files of their own, in Compose and in jobs of CI; .NET's paths."""
    one, other = ({name: mutations.text(source) for name in source.sample(VARIABLES, 5)} for _ in range(2))
    shutil.rmtree("carriers", ignore_errors=True)
    os.makedirs("carriers")
    for name in source.sample(list(SHAPES), 4):
        shape = SHAPES[name]
        write(f"carriers/{name}", mutations.document(source, shape(one, other)))
    lines = "\n".join(f"{name}={value}" for name, value in one.items()).encode("utf-8", "surrogatepass")
    write(
        f"carriers/{source.choice(('.env', 'k.env'))}",
        mutations.damaged(source, lines) if source.random() < 0.3 else lines,
    )
    report(source, "carriers")


def toml(source: random.Random) -> None:
    """TOML, changed in some characters: what tomllib reads has positions, the rest is one line."""
    text = (ROOT / "examples" / "inputs" / "vector.toml").read_text()
    for _ in range(source.randrange(1, 6)):
        at = source.randrange(len(text))
        text = text[:at] + source.choice(TOML_MARKS) + text[at + source.randrange(3) :]
    try:
        tomllib.loads(text)
    except ValueError:
        report(source, write("x.toml", text.encode()))
    else:
        if not Positions(text).keys:
            raise Fault("no key of a valid file has a position")


def report(source: random.Random, *inputs: str) -> None:
    """Lint in some format; JSON is read back."""
    format = source.choice((*FORMATS, "json", "text"))
    profile = source.choice(("dev", "production", "regulated"))
    text = command("lint", *inputs, "--no-config", "--profile", profile, "--format", format)
    if format == "text" and CONTROL.search(text):
        raise Fault("the text report is not escaped")
    if format in ("json", "sarif", "gitlab") and text:
        json_output(text)


def json_output(text: str) -> None:
    """Check that an output is JSON, where there is any."""
    if text:
        json.loads(text)


def snapshots(source: random.Random) -> None:
    """A saved cluster with odd values."""
    whole = copy.deepcopy(SNAPSHOT)
    if source.random() < 0.5:
        whole["settings"][0][source.choice(mutations.keys(source))] = {
            "source": "DYNAMIC_TOPIC",
            "value": mutations.text(source),
        }
        whole["brokers"][0]["settings"] |= {
            key: {"source": "STATIC_BROKER", "value": mutations.text(source)} for key in mutations.keys(source)
        }
        whole["defaults"] = [{key: mutations.text(source) for key in mutations.keys(source)}]
        whole["topics"][0]["defaults"] = whole["brokers"][1]["defaults"] = 0
        data = json.dumps(whole).encode()
    else:
        data = mutations.document(source, whole)
    report(source, "good.properties", write("x.json", data))


def baselines(source: random.Random) -> None:
    """A baseline."""
    whole = {"format": "kafka-advisor-baseline/2", "findings": [{"fingerprint": "a" * 64, "rule": "KA101"}]}
    command("lint", "good.properties", "--no-config", "--baseline", write("b.json", mutations.document(source, whole)))


def configuration(source: random.Random) -> None:
    """A configuration file of ours, as YAML or TOML."""
    if source.random() < 0.7:
        name = write("c.yaml", mutations.yaml_text(source, SETTINGS))
    else:
        lines = [
            f"{source.choice(SETTINGS)} = {source.choice((json.dumps(mutations.odd(source)), 'x', '[', '2001-99-99'))}"
            for _ in range(3)
        ]
        name = write("c.toml", "\n".join(["[tool.kafka-advisor]", *lines]).encode("utf-8", "surrogatepass"))
    command("lint", "good.properties", "--config", name)


def waivers(source: random.Random) -> None:
    """A file of waivers."""
    from advisor.engine.policy import Policy
    from advisor.engine.waivers import parse, read_entries
    from rules import all_rules

    name = write("w.yaml", b"- " + mutations.yaml_text(source, WAIVER).replace(b"\n", b"\n  "))
    with contextlib.suppress(UserError):
        policy = Policy(all_rules())
        for entry in read_entries(name):
            parse(entry, name, policy)


def inventories(source: random.Random) -> None:
    """An inventory of clusters, as YAML or CSV."""
    from spark_audit.collection.inventory import load

    if source.random() < 0.7:
        name = write("i.yaml", b"clusters:\n- " + mutations.yaml_text(source, INVENTORY).replace(b"\n", b"\n  "))
    else:
        name = write("i.csv", b"name,bootstrap_servers\n" + mutations.damaged(source, b"a,h:1\nb,h:2\n"))
    with contextlib.suppress(UserError):
        load(name)


def queries(source: random.Random) -> None:
    """Questions of `simulate` and `starts`."""
    if source.random() < 0.5:
        command("simulate", "--limit", "300", "--queries", write("q.jsonl", mutations.document(source, QUERY)))
    else:
        whole = {**START, "settings": {key: mutations.text(source) for key in mutations.keys(source)}}
        command(
            "starts",
            "--queries",
            write(
                "q.jsonl", mutations.document(source, whole) if source.random() < 0.5 else json.dumps(whole).encode()
            ),
        )


def tables(source: random.Random) -> None:
    """Snapshots in an audit: each bad one is a cluster that could not be read, and never the end."""
    whole = mutations.document(source, copy.deepcopy(SNAPSHOT))
    name = write("t.json", whole)
    text = command(
        "audit",
        name,
        "good.json",
        "--no-config",
        "--out",
        "out",
        "--overwrite",
        "--engine",
        "local",
        "--jobs",
        "1",
        "--max-unreachable",
        "100%",
    )
    if not os.path.exists("out/complete.json"):
        raise Fault(f"the audit ended without tables: {text[-300:]}")


def texts(source: random.Random) -> None:
    """The functions that take secrets out of texts."""
    text = "".join(mutations.text(source) for _ in range(source.randrange(1, 6)))
    for function in (masking.mask, masking.mask_addresses, masking.mask_principals, masking.mask_prose):
        function(text)
    placeholders.without_arguments(text)
    placeholders.shape_of(text)
    jaas_of(text)
    options_of(text)


def streams(source: random.Random) -> None:
    """Standard streams that are closed, full, or nobody's."""
    fault = source.choice(("2>&-", ">/dev/full", "2>/dev/full", "| true", "2> >(true)", "<&- >&- 2>&-"))
    name, code = source.choice((("good.properties", 0), ("bad.properties", 1), ("missing", 2)))
    program = f"{sys.executable} -m advisor lint --no-config {name} {fault}; exit ${{PIPESTATUS[0]}}"
    ran = subprocess.run(
        ["bash", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"]},
    )
    lost_output = fault in (">/dev/full", "<&- >&- 2>&-")
    if ran.returncode != code and not (lost_output and ran.returncode == 2):
        raise Fault(f"{name} {fault}: exit code {ran.returncode} in place of {code}: {ran.stderr[-200:]}")


Target = Callable[[random.Random], None]
TARGETS: dict[Target, int] = {
    files: 400, formats: 400, changes: 150, fixes: 150, terraform: 100, carriers: 60, scripts: 400, toml: 60, snapshots: 150, baselines: 60, configuration: 250, waivers: 60, inventories: 150, queries: 60, texts: 900, tables: 4, streams: 2,
}  # fmt: skip
"""Every target, and how often it is chosen beside the others."""
