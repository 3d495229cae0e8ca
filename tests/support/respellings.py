"""The settings of a file, written in other ways that mean the same to Kafka: other carriers, quotings, names and folders."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any

import yaml

Files = dict[str, str]
"""The text of each file, by its path in a folder."""
Settings = dict[str, str]
KINDS = {"broker": "server", "producer": "producer", "consumer": "consumer", "connect": "connect-distributed"}
IMAGE = "confluentinc/cp-kafka:7.9.0"


def respellings(settings: Settings, kind: str) -> Iterator[tuple[str, Files]]:
    """(name, files) for each way to write the settings of a broker, a producer, a consumer or a worker."""
    stem = KINDS[kind]
    for name, write in TEXTS.items():
        yield f"text: {name}", {f"{stem}.properties": write(settings)}
    for name in NAMES:
        yield f"name: {name}", {name.format(stem=stem): plain(settings)}
    for name, carry in CARRIERS.items():
        yield f"carrier: {name}", carry(plain(settings), f"{stem}.properties")
    if kind in ("broker", "connect"):
        for name, declare in VARIABLES.items():
            yield f"variables: {name}", declare(variables(settings, kind), image_of(kind))
    if kind == "broker":
        for name, spell in BROKERS.items():
            yield f"broker: {name}", spell(settings)
    for name, bind in CLIENTS.items() if kind in ("producer", "consumer") else ():
        yield f"client: {name}", bind(settings, kind)


def plain(settings: Settings) -> str:
    """The settings as properties."""
    return "".join(f"{key}={escaped(value)}\n" for key, value in settings.items())


def escaped(value: str) -> str:
    """A value of properties."""
    text = value.replace("\\", "\\\\").replace("\n", "\\n")
    return f"\\{text}" if text[:1].isspace() else text


def _unicode(text: str) -> str:
    return f"\\u{ord(text[0]):04x}{text[1:]}" if text[:1].isalpha() else text


TEXTS: dict[str, Callable[[Settings], str]] = {
    "colons": lambda s: "".join(f"{key} : {escaped(value)}\n" for key, value in s.items()),
    "blanks": lambda s: "".join(f"{key}   {escaped(value)}\n" if value else f"{key}=\n" for key, value in s.items()),
    "tabs before": lambda s: "".join(f"\t{key}\t=\t{escaped(value)}\n" for key, value in s.items()),
    "CRLF": lambda s: plain(s).replace("\n", "\r\n"),
    "CR": lambda s: plain(s).replace("\n", "\r"),
    "no last newline": lambda s: plain(s).rstrip("\n"),
    "escapes in keys": lambda s: "".join(f"{_unicode(key)}={escaped(value)}\n" for key, value in s.items()),
    "escapes in values": lambda s: "".join(f"{key}={_unicode(escaped(value))}\n" for key, value in s.items()),
    "continued": lambda s: "".join(f"{key}=\\\n    {escaped(value)}\n" for key, value in s.items()),
    "key continued": lambda s: "".join(f"{key[:3]}\\\n  {key[3:]}={escaped(value)}\n" for key, value in s.items()),
    "written twice": lambda s: "".join(f"{key}=\n" for key in s) + plain(s),
    "comments": lambda s: "".join(f"! spring.kafka.x=1\n#{key}=0\n{key}={escaped(v)}\n" for key, v in s.items()),
    "reversed": lambda s: plain(dict(reversed(s.items()))),
    "stray lines": lambda s: f"spring.x=1\nnode.environment=production\n{plain(s)}",
    "form feeds": lambda s: "".join(f"\f{key}={escaped(value)}\n" for key, value in s.items()),
}
NAMES = (
    "{stem}.properties.prod", "{stem}.properties.j2", "{stem}.properties.erb", "{stem}.properties.tmpl", "{stem}.props",
    "{stem}.conf", "{stem}.cfg", "{stem}.ini", "{stem}.txt", "{stem}", "KAFKA.PROPERTIES", ".kafka/{stem}.properties",
    "target/{stem}.properties", "venv/{stem}.properties", "node_modules/x/{stem}.properties", "files/prod", "a b/ü.properties",
)  # fmt: skip


def dump(document: object, **options: Any) -> str:
    """A YAML document, its keys in order."""
    return str(yaml.safe_dump(document, sort_keys=False, width=10_000, **options))


def config_map(files: Files, kind: str = "ConfigMap", field: str = "data") -> dict[str, object]:
    """A ConfigMap or a Secret that holds files."""
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "kafka-config"}, field: files}


def encoded(text: str) -> str:
    """Base64, as in a Secret."""
    return base64.b64encode(text.encode()).decode()


CARRIERS: dict[str, Callable[[str, str], Files]] = {
    "ConfigMap, quoted": lambda text, name: {"cm.yaml": dump(config_map({name: text}), default_style='"')},
    "ConfigMap, flow": lambda text, name: {"cm.yaml": dump(config_map({name: text}), default_flow_style=True)},
    "ConfigMap, literal": lambda text, name: {"cm.yml": f"{dump(config_map({}))[:-3].rstrip()}\n  {name}: |\n{indented(text)}"},
    "ConfigMap, JSON": lambda text, name: {"cm.json": json.dumps(config_map({name: text}))},
    "ConfigMap in a List": lambda text, name: {
        "all.yaml": dump({"apiVersion": "v1", "kind": "List", "items": [config_map({name: text})]})
    },
    "ConfigMap of a second document": lambda text, name: {
        "all.yaml": f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: kafka}}\n---\n{dump(config_map({name: text}))}"
    },
    "ConfigMap, an own name": lambda text, name: {"cm.yaml": dump(config_map({"kafka.conf": text}))},
    "binaryData": lambda text, name: {"cm.yaml": dump(config_map({name: encoded(text)}, field="binaryData"))},
    "Secret": lambda text, name: {"secret.yaml": dump(config_map({name: encoded(text)}, "Secret"))},
    "stringData": lambda text, name: {"secret.yaml": dump(config_map({name: text}, "Secret", "stringData"))},
    "Compose configs": lambda text, name: {
        "compose.yaml": dump(
            {
                "services": {"kafka": {"image": IMAGE, "configs": [{"source": "c", "target": f"/etc/kafka/{name}"}]}},
                "configs": {"c": {"content": text.replace("$", "$$")}},
            }
        )
    },
    "Helm template": lambda text, name: {
        "Chart.yaml": "apiVersion: v2\nname: kafka\nversion: 1.0.0\n",
        "templates/cm.yaml": (
            '{{- if .Values.enabled }}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ include "kafka.name" . }}\n'
            f"data:\n  {name}: |\n{indented(text)}{{{{- end }}}}\n"
        ),
    },
    "heredoc of a script": lambda text, name: {"setup.sh": f"#!/bin/sh\ncat > /etc/kafka/{name} <<'EOF'\n{text}EOF\n"},
    "heredoc of a Dockerfile": lambda text, name: {
        "Dockerfile": f"FROM eclipse-temurin:17\nCOPY <<EOF /etc/kafka/{name}\n{text}EOF\n"
    },
    "cloud-init": lambda text, name: {
        "user-data.yaml": f"#cloud-config\n{dump({'write_files': [{'path': f'/etc/kafka/{name}', 'content': text}]})}"
    },
    "Ansible copy": lambda text, name: {
        "tasks.yml": dump([{"name": "x", "ansible.builtin.copy": {"dest": f"/etc/kafka/{name}", "content": text}}])
    },
    "Kustomize": lambda text, name: {
        "kustomization.yaml": dump({"configMapGenerator": [{"name": "kafka", "files": [f"conf/{name}.prod"]}]}),
        f"conf/{name}.prod": text,
    },
}  # fmt: skip


def indented(text: str, by: int = 4) -> str:
    """Lines with blanks before them."""
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


def variables(settings: Settings, kind: str) -> Settings:
    """The variables of Confluent's images for these settings."""
    prefix = "KAFKA_" if kind == "broker" else "CONNECT_"
    return {prefix + spelled(key): value for key, value in settings.items()}


def spelled(key: str) -> str:
    """A key as Confluent's images take it: _ is ., __ is -, ___ is _."""
    return key.replace("_", "___").replace("-", "__").replace(".", "_").upper() if key.islower() else key.replace(
        "_", "___").replace("-", "__").replace(".", "_")  # fmt: skip


def image_of(kind: str) -> str:
    """The image of a broker or a worker."""
    return IMAGE if kind == "broker" else "confluentinc/cp-kafka-connect:7.9.0"


def compose(service: dict[str, object], **top: object) -> Files:
    """A Compose file of one service."""
    return {"docker-compose.yml": dump({**top, "services": {"kafka": service}})}


def dollars(values: Settings) -> Settings:
    """Values in which Compose replaces nothing."""
    return {name: value.replace("$", "$$") for name, value in values.items()}


def container(image: str, **fields: object) -> dict[str, object]:
    """A StatefulSet of one container."""
    pod = {"spec": {"containers": [{"name": "kafka", "image": image, **fields}]}}
    return {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "kafka"},
            "spec": {"replicas": 1, "template": pod}}  # fmt: skip


def single(value: str) -> str:
    """A value in single quotes, as env files and shells read it."""
    return "'" + value.replace("'", "'\\''") + "'"


VARIABLES: dict[str, Callable[[Settings, str], Files]] = {
    "Compose, a mapping": lambda v, image: compose({"image": image, "environment": dollars(v)}),
    "Compose, a list": lambda v, image: compose({"image": image, "environment": [f"{k}={x}" for k, x in dollars(v).items()]}),
    "Compose, flow and quotes": lambda v, image: {
        "compose.yml": json.dumps({"services": {"kafka": {"image": image, "environment": dollars(v)}}})
    },
    "Compose, an anchor": lambda v, image: {
        "docker-compose.yml": f"x-env: &env\n{indented(dump(dollars(v)), 2)}services:\n  kafka:\n    image: {image}\n"
        "    environment:\n      <<: *env\n"
    },
    "Compose, extends": lambda v, image: {
        "docker-compose.yml": dump({"services": {"base": {"image": image, "environment": dollars(v)}, "kafka": {"extends": "base"}}})
    },
    "Compose, an env_file": lambda v, image: {
        **compose({"image": image, "env_file": ["kafka.env"]}),
        "kafka.env": "".join(f"{name}={single(value)}\n" for name, value in v.items()),
    },
    "Compose, an override": lambda v, image: {
        **compose({"image": image}),
        "docker-compose.override.yml": dump({"services": {"kafka": {"environment": dollars(v)}}}),
    },
    "Compose, escaped names": lambda v, image: {
        "docker-compose.yml": f"services:\n  kafka:\n    image: {image}\n    environment:\n"
        + "".join(f'      "\\x{ord(name[0]):02x}{name[1:]}": {json.dumps(value)}\n' for name, value in dollars(v).items())
    },
    "Compose, variables with defaults": lambda v, image: compose(
        {"image": image, "environment": {n: f"${{A{i}:-{x}}}" if "}" not in x else x for i, (n, x) in enumerate(dollars(v).items())}}
    ),
    "Kubernetes, env": lambda v, image: {
        "sts.yaml": dump(container(image, env=[{"name": n, "value": x} for n, x in v.items()]))
    },
    "Kubernetes, envFrom": lambda v, image: {
        "sts.yaml": dump(container(image, envFrom=[{"configMapRef": {"name": "kafka-config"}}])),
        "cm.yaml": dump(config_map(v)),
    },
    "Kubernetes, in one file": lambda v, image: {
        "all.yaml": f"{dump(config_map(v))}---\n{dump(container(image, envFrom=[{'configMapRef': {'name': 'kafka-config'}}]))}"
    },
    "Dockerfile": lambda v, image: {
        "Dockerfile": f"FROM {image}\n" + "".join(f"ENV {n}={json.dumps(x).replace('$', chr(92) + '$')}\n" for n, x in v.items())
    },
    "Dockerfile, continued": lambda v, image: {
        "docker/Dockerfile.kafka": f"FROM {image}\nENV "
        + " \\\n    ".join(f"{n}={json.dumps(x).replace('$', chr(92) + '$')}" for n, x in v.items()) + "\n"
    },
    "docker run": lambda v, image: {
        "run.sh": "docker run " + " ".join(f"-e {n}={single(x)}" for n, x in v.items()) + f" {image}\n"
    },
    "a workflow's service": lambda v, image: {
        ".github/workflows/ci.yml": dump(
            {"on": "push", "jobs": {"test": {"runs-on": "x", "services": {"kafka": {"image": image, "env": v}}, "steps": []}}}
        )
    },
    "a lone env file": lambda v, image: {"kafka.env": "".join(f"{n}={x}\n" for n, x in v.items())},
    "exports": lambda v, image: {"env.sh": "".join(f"export {n}={single(x)}\n" for n, x in v.items())},
    "systemd": lambda v, image: {
        "kafka.service": "[Service]\n" + "".join(f"Environment={json.dumps(f'{n}={x}')}\n" for n, x in v.items())
        + f"ExecStart=/usr/bin/docker run {image}\n"
    },
    "Nomad": lambda v, image: {
        "kafka.nomad": 'job "kafka" {\n  group "kafka" {\n    task "kafka" {\n      driver = "docker"\n'
        f'      config {{\n        image = "{image}"\n      }}\n      env {{\n'
        + "".join(f"        {n} = {json.dumps(x)}\n" for n, x in v.items()) + "      }\n    }\n  }\n}\n"
    },
    "Terraform, ECS": lambda v, image: {
        "ecs.tf": 'resource "aws_ecs_task_definition" "kafka" {\n  family = "kafka"\n  container_definitions = jsonencode([{\n'
        f'    name = "kafka"\n    image = "{image}"\n    environment = [\n'
        + "".join(f"      {{ name = {json.dumps(n)}, value = {json.dumps(x)} }},\n" for n, x in v.items()) + "    ]\n  }])\n}\n"
    },
}  # fmt: skip
OVERRIDES = "bin/kafka-server-start.sh config/server.properties"

BROKERS: dict[str, Callable[[Settings], Files]] = {
    "--override of a container": lambda s: {
        "sts.yaml": dump(
            container("apache/kafka:3.9.0", command=["/opt/kafka/bin/kafka-server-start.sh", "/opt/kafka/config/server.properties"],
                      args=[part for key, value in s.items() for part in ("--override", f"{key}={value}")])
        )
    },
    "--override in sh -c": lambda s: {
        "sts.yaml": dump(container("apache/kafka:3.9.0", command=["sh", "-c", overrides(s)]))
    },
    "--override of Compose": lambda s: compose({"image": "apache/kafka:3.9.0", "command": overrides(dollars(s))}),
    "--override of a script": lambda s: {"start.sh": f"#!/bin/sh\nexec {overrides(s)}\n"},
    "--override of systemd": lambda s: {"kafka.service": f"[Service]\nExecStart=/opt/kafka/{overrides(s)}\n"},
    "KAFKA_EXTRA_FLAGS": lambda s: compose(
        {"image": "bitnami/kafka:3.9", "environment": {"KAFKA_EXTRA_FLAGS": " ".join(f"--override {k}={v}" for k, v in dollars(s).items())}}
    ),
    "Bitnami's variables": lambda s: compose(
        {"image": "bitnami/kafka:3.9", "environment": {f"KAFKA_CFG_{spelled(k)}": v for k, v in dollars(s).items()}}
    ),
    "Strimzi": lambda s: {"kafka.yaml": dump(strimzi(s))},
    "Helm values of Strimzi's template": lambda s: {
        "Chart.yaml": "apiVersion: v2\nname: x\nversion: 1.0.0\n",
        "templates/kafka.yaml": dump(strimzi(s)).replace("my-cluster", "{{ .Release.Name }}"),
    },
    "MSK": lambda s: {
        "msk.tf": f'resource "aws_msk_configuration" "c" {{\n  name = "c"\n  kafka_versions = ["3.9.x"]\n'
        f"  server_properties = <<PROPERTIES\n{plain(s).replace('${', '$${')}PROPERTIES\n}}\n"
    },
    "MSK, a file": lambda s: {
        "msk.tf": 'resource "aws_msk_configuration" "c" {\n  name = "c"\n  kafka_versions = ["3.9.x"]\n'
        '  server_properties = file("${path.module}/broker")\n}\n',
        "broker": plain(s),
    },
    "MSK, join": lambda s: {
        "msk.tf": 'resource "aws_msk_configuration" "c" {\n  name = "c"\n  kafka_versions = ["3.9.x"]\n'
        '  server_properties = join("\\n", [for k, v in local.settings : "${k}=${v}"])\n}\nlocals {\n  settings = {\n'
        + "".join(f"    {json.dumps(k)} = {json.dumps(v).replace('${', '$${')}\n" for k, v in s.items()) + "  }\n}\n"
    },
    "CFK": lambda s: {
        "kafka.yaml": dump({"apiVersion": "platform.confluent.io/v1beta1", "kind": "Kafka", "metadata": {"name": "kafka"},
                            "spec": {"replicas": 3, "image": {"application": "confluentinc/cp-server:7.9.0"},
                                     "configOverrides": {"server": [f"{k}={v}" for k, v in s.items()]}}})
    },
    "Ansible variables": lambda s: {"group_vars/kafka.yml": dump({"kafka_broker_custom_properties": s})},
    "Bitnami's chart": lambda s: {
        "values.yaml": dump({"image": {"repository": "bitnami/kafka", "tag": "3.9.0"}, "config": plain(s)})
    },
    "a mapping in JSON": lambda s: {"broker.json": json.dumps({"broker": s})},
    "a mapping in TOML": lambda s: {"broker.toml": "[broker]\n" + "".join(f"{json.dumps(k)} = {json.dumps(v)}\n" for k, v in s.items())},
}  # fmt: skip


def overrides(settings: Settings) -> str:
    """The start of a server with the settings as arguments."""
    return f"{OVERRIDES} " + " ".join(f"--override {single(f'{k}={v}')}" for k, v in settings.items())


def strimzi(settings: Settings) -> dict[str, object]:
    """A Strimzi cluster with the settings as they are."""
    return {"apiVersion": "kafka.strimzi.io/v1beta2", "kind": "Kafka", "metadata": {"name": "my-cluster"},
            "spec": {"kafka": {"version": "3.9.0", "replicas": 3, "config": settings, "storage": {"type": "ephemeral"}}}}  # fmt: skip


def _spring(settings: Settings, kind: str) -> dict[str, object]:
    return {"spring": {"kafka": {kind: {"properties": settings}}}}


CLIENTS: dict[str, Callable[[Settings, str], Files]] = {
    "Spring": lambda s, kind: {"src/main/resources/application.yml": dump(_spring(s, kind))},
    "Spring, flat": lambda s, kind: {
        "application.properties": "".join(f"spring.kafka.{kind}.properties[{k}]={escaped(v)}\n" for k, v in s.items())
    },
    "Spring, dotted": lambda s, kind: {
        "application-prod.properties": "".join(f"spring.kafka.{kind}.properties.{k}={escaped(v)}\n" for k, v in s.items())
    },
    "SPRING_APPLICATION_JSON": lambda s, kind: compose(
        {"image": "acme/orders:1", "environment": {"SPRING_APPLICATION_JSON": json.dumps(_spring(dollars(s), kind))}}
    ),
    "Spring's arguments": lambda s, kind: compose(
        {"image": "acme/orders:1", "command": ["java", "-jar", "app.jar", *(f"--spring.kafka.{kind}.properties.{k}={v}" for k, v in dollars(s).items())]}
    ),
    "Spring's system properties": lambda s, kind: compose(
        {"image": "acme/orders:1", "environment": {"JAVA_TOOL_OPTIONS": " ".join(
            f"'-Dspring.kafka.{kind}.properties.{k}={v}'" for k, v in dollars(s).items())}}
    ),
    "a connector's overrides": lambda s, kind: {
        "connector.json": json.dumps({"name": "c", "config": {"connector.class": "io.X", "tasks.max": "1", "topic": "t", "topics": "t",
                                      **{f"{kind}.override.{k}": v for k, v in s.items()}}})
    },
    "Quarkus": lambda s, kind: {
        "application.properties": "".join(
            f"mp.messaging.{'outgoing' if kind == 'producer' else 'incoming'}.orders.{k}={escaped(v)}\n"
            for k, v in {"connector": "smallrye-kafka", **s}.items())
    },
    "a worker's": lambda s, kind: {
        "connect-distributed.properties": "bootstrap.servers=a:9092\ngroup.id=c\nconfig.storage.topic=c\noffset.storage.topic=o\n"
        "status.storage.topic=s\nkey.converter=x\nvalue.converter=x\n" + "".join(f"{kind}.{k}={escaped(v)}\n" for k, v in s.items())
    },
}  # fmt: skip


def respellings_of_yaml(text: str, name: str) -> Iterator[tuple[str, Files]]:
    """(name, files) for ways to write the documents of a YAML file."""
    documents = [document for document in yaml.safe_load_all(text) if document is not None]
    for way, options in DUMPS.items():
        yield (
            f"YAML: {way}",
            {name: yaml.dump_all(documents, Dumper=_Dumper, sort_keys=False, **{"width": 10_000, **options})},
        )
    if len(documents) == 1 and not name.startswith("."):
        yield "YAML: JSON", {f"{name.rpartition('.')[0]}.json": json.dumps(documents[0])}
    for ending in ("yaml.prod", "yml.j2", "yaml.tmpl", "yaml.gotmpl", "yaml.erb", "yaml.dist"):
        yield f"name: {ending}", {f"{name.rpartition('.')[0]}.{ending}": text}
    yield "text: CRLF", {name: text.replace("\r\n", "\n").replace("\n", "\r\n")}
    yield "text: a document before", {name: f"---\nfoo: bar\n---\n{text.removeprefix('---')}"}
    yield (
        "text: comments",
        {name: "".join(f"{line}\n" if line.strip() else "# spring.kafka.x: 1\n" for line in text.splitlines())},
    )
    yield "folder", {f"deploy/prod/eu/{name}": text}


class _Dumper(yaml.SafeDumper):
    """Writes no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True


DUMPS: dict[str, dict[str, Any]] = {
    "block": {},
    "flow": {"default_flow_style": True},
    "double quotes": {"default_style": '"'},
    "folded": {"default_style": ">"},
    "markers": {"explicit_start": True, "explicit_end": True},
    "indented": {"indent": 8},
    "escaped": {"allow_unicode": False, "width": 10},
}
