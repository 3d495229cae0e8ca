"""Kafka in Terraform's files, releases of Helm, Kubernetes' objects, tasks of ECS and jobs of Nomad; what is left is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import Ran, run

Files = dict[str, str]
UNCLEAN = "unclean.leader.election.enable"
ENVIRONMENT = {
    "KAFKA_NODE_ID": "1", "KAFKA_PROCESS_ROLES": "broker", "KAFKA_LISTENERS": "SSL://:9092",
    "KAFKA_CONTROLLER_QUORUM_VOTERS": "9@c:9093", "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE": "true",
}  # fmt: skip
MSK = f"{UNCLEAN}=true\ndefault.replication.factor=3\nmin.insync.replicas=2\n"
NODE = f"process.roles=broker\nnode.id=1\nlisteners=SSL://:9092\ncontroller.quorum.voters=9@c:9093\nlog.dirs=/data\n{UNCLEAN}=true\n"
VALUES = (
    f"controller:\n  replicaCount: 3\nlisteners:\n  client:\n    protocol: SASL_SSL\nextraConfig: |\n  {UNCLEAN}=true\n"
)
STRIMZI = f"apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {{name: k}}\nspec:\n  kafka:\n    config:\n      {UNCLEAN}: true\n"
TASK = [
    {
        "name": "kafka",
        "image": "apache/kafka:3.9.0",
        "environment": [{"name": name, "value": value} for name, value in ENVIRONMENT.items()],
    }
]


def lint(folder: Path, files: Files, *more: str) -> Ran:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    ran = run("lint", folder, "--no-config", "--format", "json", *more)
    assert "internal error" not in ran.err
    return ran


def found(ran: Ran) -> list[tuple[str, str, int | None]]:
    rows = ran.json["findings"] if ran.out else []
    return [(row["rule"], (row["file"] or "").rpartition("/")[2], row["line"]) for row in rows]


def each(form: str) -> str:
    return "".join(form.format(name, value) for name, value in ENVIRONMENT.items())


def msk(properties: str, more: str = "") -> str:
    return f'resource "aws_msk_configuration" "m" {{\n  name = "m"\n  server_properties = {properties}\n}}\n{more}'


def topics(locals: str, factor: str = "each.value.rf") -> str:
    body = f"  for_each = local.topics\n  name = each.key\n  partitions = 3\n  replication_factor = {factor}\n"
    return f'locals {{ topics = {locals} }}\nresource "kafka_topic" "t" {{\n{body}}}\n'


def release(body: str, chart: str = "kafka") -> str:
    return f'resource "helm_release" "k" {{\n  name = "k"\n  chart = "{chart}"\n{body}}}\n'


def setting(name: str, value: str) -> str:
    return f'  set {{\n    name = "{name}"\n    value = "{value}"\n  }}\n'


def job(body: str, image: str = "apache/kafka:3.9.0", config: str = "") -> str:
    task = f'    task "kafka" {{\n      driver = "docker"\n      config {{\n        image = "{image}"\n{config}      }}\n{body}    }}\n'
    return f'job "k" {{\n  group "a" {{\n    task "a" {{\n      driver = "docker"\n    }}\n  }}\n  group "k" {{\n    count = 3\n{task}  }}\n}}\n'


def template(data: str, more: str) -> str:
    return f"      template {{\n        data = <<EOF\n{data}EOF\n{more}      }}\n"


def stateful_set(body: str) -> str:
    inner = "".join(f"          {line}\n" for line in body.splitlines())
    return f'resource "kubernetes_stateful_set" "k" {{\n  metadata {{\n    name = "k"\n  }}\n  spec {{\n    template {{\n      spec {{\n        container {{\n{inner}        }}\n      }}\n    }}\n  }}\n}}\n'


def msk_topic(fields: str) -> str:
    return f'resource "aws_msk_topic" "t" {{\n  name = "t"\n  partition_count = 3\n{fields}}}\n'


TASK_OF_TERRAFORM = 'resource "aws_ecs_task_definition" "k" {{\n  family = "k"\n  container_definitions = {}\n}}\n'
PAIRS = each("        - {{name: {}, value: '{}'}}\n")
CAPITALIZED = each("        - {{Name: {}, Value: '{}'}}\n")
ATTRIBUTES = each('        {} = "{}"\n')
LINES = each("{}={}\n")
WORDS = each('    "{}={}",\n')
BLOCKS = each('env {{\n  name = "{}"\n  value = "{}"\n}}\n')
WORKER = "bootstrap.servers=a:1,b:1\ngroup.id=c\nkey.converter=a.B\nconfig.storage.topic=c\n"
OVERRIDDEN = 'resource "kafka_topic" "t" {\n  name = "t"\n  partitions = 3\n  replication_factor = 3\n}\n'
POD = f"    spec:\n      containers:\n      - name: k\n        image: apache/kafka:3.9.0\n        env:\n{PAIRS}"
JUDGED: dict[str, tuple[Files, str]] = {
    "MSK: file()": ({"main.tf": msk('file("x.properties")'), "x.properties": MSK}, "KA104 x.properties 1"),
    "MSK: file() of the module's folder": ({"tf/main.tf": msk('file("${path.module}/conf/x.txt")'), "tf/conf/x.txt": MSK}, "KA104 x.txt 1"),
    "MSK: file() above the module's folder": ({"tf/main.tf": msk('file("${path.module}/../x.properties")'), "x.properties": MSK}, "KA104 x.properties 1"),
    "MSK: file() of the module that is called": ({"main.tf": 'module "m" {\n  source = "./m"\n}\n', "m/main.tf": msk('file("${path.module}/x.properties")'), "m/x.properties": MSK}, "KA104 x.properties 1"),
    "MSK: a local's file": ({"main.tf": msk("local.p", 'locals { p = file("x.properties") }\n'), "x.properties": MSK}, "KA104 x.properties 1"),
    "MSK: join of two files": ({"main.tf": msk('join("\\n", [file("a.properties"), file("b.properties")])'), "a.properties": "min.insync.replicas=2\n", "b.properties": MSK}, "KA104 main.tf 3"),
    "MSK: templatefile()": ({"main.tf": msk('templatefile("x.tftpl", { on = true })'), "x.tftpl": f"min.insync.replicas=2\n{UNCLEAN}=${{on}}\n"}, "KA104 x.tftpl 2"),
    "MSK: templatefile() with a directive": ({"main.tf": msk('templatefile("x.tftpl", { on = true })'), "x.tftpl": f"%{{ if on }}\n{UNCLEAN}=true\n%{{ endif }}\n"}, "KA104 x.tftpl 1"),
    "MSK: yamldecode(file())": ({"main.tf": msk('join("\\n", [for k, v in yamldecode(file("k.yaml")) : "${k}=${v}"])'), "k.yaml": f"{UNCLEAN}: true\n"}, "KA104 main.tf 3"),
    "MSK: jsondecode(file())": ({"main.tf": msk('join("\\n", [for k, v in jsondecode(file("k.json")) : "${k}=${v}"])'), "k.json": json.dumps({UNCLEAN: True})}, "KA104 main.tf 3"),
    "topics: yamldecode(file())": ({"main.tf": topics('yamldecode(file("t.yaml"))'), "t.yaml": "orders:\n  rf: 1\n"}, "KA156 main.tf 6"),
    "topics: csvdecode(file())": ({"main.tf": topics('{ for r in csvdecode(file("t.csv")) : r.name => r }'), "t.csv": "name,rf\norders,1\n"}, "KA156 main.tf 6"),
    "topics: fileset()": ({"main.tf": topics('merge([for f in fileset(path.module, "t/*.yaml") : yamldecode(file("${path.module}/${f}"))]...)'), "t/a.yaml": "orders:\n  rf: 1\n"}, "KA156 main.tf 6"),
    "Helm: a heredoc": ({"main.tf": release(f"  values = [<<EOF\n{VALUES}EOF\n  ]\n")}, "KA104 main.tf 11"),
    "Helm: a file": ({"main.tf": release('  values = [file("v.yaml")]\n'), "v.yaml": VALUES}, "KA104 v.yaml 7"),
    "Helm: a file of another name": ({"main.tf": release('  values = [file("conf/v.txt")]\n'), "conf/v.txt": VALUES}, "KA104 v.txt 7"),
    "Helm: two files, the second over the first": ({"main.tf": release('  values = [file("a.yaml"), file("b.yaml")]\n'), "a.yaml": VALUES.replace("=true", "=false"), "b.yaml": f"extraConfig: |\n  {UNCLEAN}=true\n"}, "KA104 b.yaml 2"),
    "Helm: yamlencode()": ({"main.tf": release(f'  values = [yamlencode({{ controller = {{ replicaCount = 3 }}, extraConfig = "{UNCLEAN}=true\\n" }})]\n')}, "KA104 main.tf 4"),
    "Helm: set": ({"main.tf": release(setting("controller.replicaCount", "3") + setting("extraConfig", f"{UNCLEAN}=true"))}, "KA104 main.tf 10"),
    "Helm: set over values": ({"main.tf": release(f"  values = [<<EOF\n{VALUES.replace('=true', '=false')}EOF\n  ]\n" + setting("extraConfig", f"{UNCLEAN}=true"))}, "KA104 main.tf 16"),
    "Helm: set with escaped dots": ({"main.tf": release(setting("overrideConfiguration.unclean\\\\.leader\\\\.election\\\\.enable", "true"))}, "KA104 main.tf 6"),
    "Helm: set as a list": ({"main.tf": release(f'  set = [\n    {{\n      name = "extraConfig"\n      value = "{UNCLEAN}=true"\n    }}\n  ]\n')}, "KA104 main.tf 7"),
    "Helm: dynamic set": ({"main.tf": release(f'  dynamic "set" {{\n    for_each = {{ extraConfig = "{UNCLEAN}=true" }}\n    content {{\n      name = set.key\n      value = set.value\n    }}\n  }}\n')}, "KA104 main.tf 8"),
    "Helm: set alone says it": ({"main.tf": release(setting("controller.persistence.enabled", "false"), "oci://registry-1.docker.io/bitnamicharts/kafka")}, "KA1701 main.tf 6"),
    "Nomad: env": ({"k.nomad": job(f"      env {{\n{ATTRIBUTES}      }}\n")}, "KA104 k.nomad 19"),
    "Nomad: env as a map": ({"k.nomad.hcl": job(f"      env = {{\n{ATTRIBUTES}      }}\n")}, "KA104 k.nomad.hcl 19"),
    "Nomad: a template of variables": ({"k.nomad.hcl": job(template(LINES, "        env = true\n"))}, "KA104 k.nomad.hcl 20"),
    "Nomad: a template of properties": ({"k.nomad.hcl": job(template(NODE, '        destination = "local/server.properties"\n'))}, "KA104 k.nomad.hcl 21"),
    "Nomad: the second template": ({"k.nomad.hcl": job(template("a\n", "") + template(NODE, ""))}, "KA104 k.nomad.hcl 26"),
    "Nomad: an argument": ({"k.nomad.hcl": job("", config=f'        args = ["kafka-server-start.sh", "/c/server.properties", "--override", "{UNCLEAN}=true"]\n')}, "KA104 k.nomad.hcl 13"),
    "Nomad: an application": ({"app.nomad.hcl": job('      env {\n        SPRING_KAFKA_BOOTSTRAP_SERVERS = "a:1"\n        SPRING_KAFKA_PRODUCER_ACKS = "0"\n      }\n', "x/app:1")}, "KA101 app.nomad.hcl 16"),
    "ECS: a task definition": ({"td.json": json.dumps({"family": "k", "containerDefinitions": TASK}, indent=1)}, "KA104 td.json 25"),
    "ECS: as the service shows it": ({"td.json": json.dumps({"taskDefinition": {"containerDefinitions": TASK}})}, "KA104 td.json 1"),
    "ECS: CloudFormation": ({"s.yaml": f"Resources:\n  T:\n    Type: AWS::ECS::TaskDefinition\n    Properties:\n      ContainerDefinitions:\n      - Name: k\n        Image: apache/kafka:3.9.0\n        Environment:\n{CAPITALIZED}"}, "KA104 s.yaml 13"),
    "ECS: jsonencode()": ({"main.tf": TASK_OF_TERRAFORM.format(f"jsonencode({json.dumps(TASK)})")}, "KA104 main.tf 3"),
    "ECS: jsonencode() of a map's loop": ({"main.tf": TASK_OF_TERRAFORM.format('jsonencode([{ name = "k", image = "apache/kafka:3.9.0", environment = [for k, v in local.e : { name = k, value = v }] }])') + f"locals {{\n  e = {{\n{ATTRIBUTES}  }}\n}}\n"}, "KA104 main.tf 3"),
    "ECS: a heredoc": ({"main.tf": TASK_OF_TERRAFORM.format(f"<<EOF\n{json.dumps(TASK, indent=1)}\nEOF")}, "KA104 main.tf 26"),
    "ECS: a file": ({"main.tf": TASK_OF_TERRAFORM.format('file("d.json")'), "d.json": json.dumps(TASK, indent=1)}, "KA104 d.json 23"),
    "Docker: docker_container": ({"main.tf": f'resource "docker_container" "k" {{\n  name = "k"\n  image = "apache/kafka:3.9.0"\n  env = [\n{WORDS}  ]\n}}\n'}, "KA104 main.tf 9"),
    "Kubernetes: a StatefulSet": ({"main.tf": stateful_set('name = "k"\nimage = "apache/kafka:3.9.0"\n' + BLOCKS)}, "KA104 main.tf 28"),
    "Kubernetes: a ConfigMap's file": ({"main.tf": 'resource "kubernetes_config_map" "k" {\n  metadata {\n    name = "k"\n  }\n  data = {\n    "server.properties" = file("k.txt")\n  }\n}\n', "k.txt": NODE}, "KA104 k.txt 6"),
    "Kubernetes: a manifest": ({"main.tf": 'resource "kubernetes_manifest" "k" {\n  manifest = yamldecode(file("k.txt"))\n}\n', "k.txt": STRIMZI}, "KA104 k.txt 7"),
    "Kubernetes: yaml_body": ({"main.tf": f'resource "kubectl_manifest" "k" {{\n  yaml_body = <<EOF\n{STRIMZI}EOF\n}}\n'}, "KA104 main.tf 9"),
    "Kubernetes: pods of another kind of object": ({"r.yaml": f"apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {{name: k}}\nspec:\n  template:\n{POD}"}, "KA104 r.yaml 15"),
    "Kubernetes: topics by a Job": ({"j.yaml": "apiVersion: batch/v1\nkind: Job\nmetadata: {name: x}\nspec:\n  template:\n    spec:\n      containers:\n      - name: t\n        image: apache/kafka:3.9.0\n        command: [sh, -c, 'kafka-topics.sh --bootstrap-server k:1 --create --topic a --partitions 3 --replication-factor 1']\n"}, "KA156 j.yaml 10"),
    "Bitnami: provisioned topics": ({"values.yaml": VALUES + "provisioning:\n  enabled: true\n  topics:\n  - name: a\n    partitions: 3\n    replicationFactor: 1\n"}, "KA156 values.yaml 13"),
    "Bitnami: provisioned topics of all": ({"values.yaml": VALUES + "provisioning:\n  enabled: true\n  replicationFactor: 1\n  topics:\n  - name: a\n"}, "KA156 values.yaml 10"),
    "MSK: a topic": ({"main.tf": msk_topic("  replication_factor = 1\n")}, "KA156 main.tf 4"),
    "MSK: a topic's settings": ({"main.tf": msk_topic(f'  replication_factor = 3\n  configs = jsonencode({{\n    "{UNCLEAN}" = true\n  }})\n')}, "KA152 main.tf 5"),
    "MSK: a topic of a module": ({"main.tf": 'module "m" {\n  source = "./m"\n  topics = { a = { rf = 1 } }\n}\n', "m/main.tf": topics("var.topics") + 'variable "topics" {}\n'}, "KA156 main.tf 6"),
    "Terraform: an override": ({"main.tf": OVERRIDDEN, "prod_override.tf": 'resource "kafka_topic" "t" {\n  replication_factor = 1\n}\n'}, "KA156 prod_override.tf 2"),
    "Stackable: a role's overrides": ({"k.yaml": f"kind: KafkaCluster\nspec:\n  brokers:\n    configOverrides:\n      broker.properties:\n        {UNCLEAN}: 'true'\n"}, "KA104 k.yaml 6"),
    "a worker's producer": ({"connect-distributed.properties": f"{WORKER}producer.retries=0\n"}, "KA1001 connect-distributed.properties 5"),
    "a worker's consumer": ({"connect-distributed.properties": f"{WORKER}consumer.session.timeout.ms=1000\n"}, "KA915 connect-distributed.properties 5"),
}  # fmt: skip


@pytest.mark.parametrize("name", JUDGED)
def test_what_runs_is_judged_where_it_stands_once(name: str, tmp_path: Path) -> None:
    files, wanted = JUDGED[name]
    rule, file, line = wanted.split()
    assert [row for row in found(lint(tmp_path, files)) if row[0] == rule] == [(rule, file, int(line))]


UNKNOWN: dict[str, Files] = {
    "a file that is not there": {"main.tf": msk('file("gone.properties")')},
    "a file outside of the tree": {"main.tf": msk('file("/etc/passwd")')},
    "a path that is not known": {"main.tf": msk('file("${var.folder}/x.properties")'), "x.properties": MSK},
    "a file beside a module that is called": {"main.tf": 'module "m" {\n  source = "./m"\n}\n', "m/main.tf": msk('file("x.properties")'), "m/x.properties": "a=b\n"},
    "a template with an unknown variable": {"main.tf": msk('templatefile("x.tftpl", { a = var.a })'), "x.tftpl": "min.insync.replicas=${a}\n"},
    "a template that cannot be read": {"main.tf": msk('templatefile("x.tftpl", {})'), "x.tftpl": "min.insync.replicas=${\n"},
    "values of Helm that are not known": {"main.tf": release("  values = [var.values]\n")},
    "a task of ECS that is not known": {"main.tf": TASK_OF_TERRAFORM.format("data.template_file.kafka.rendered")},
}  # fmt: skip


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_known_is_said(name: str, tmp_path: Path) -> None:
    ran = lint(tmp_path, UNKNOWN[name], "--fail-on-unknown")
    assert ran.code == 2 or ran.json["unknown"], ran


SERVICES = each("      {}: '{}'\n").replace("'true'", "'false'")


def compose(more: str) -> str:
    return f"services:\n  k:\n    image: apache/kafka:3.9.0\n    environment:\n{SERVICES}{more}"


NOT_READ: dict[str, tuple[Files, str]] = {
    "a script in a document": ({"assert.yaml": f"commands:\n- script: |\n    expected=$(cat <<'EOF'\n    min.insync.replicas=1\n    {UNCLEAN}=true\n    EOF\n    )\n"}, "min.insync.replicas"),
    "what is no YAML and names settings": ({"broker.conf": "---\nnode.id=1\nlog.dirs=/data: x: y\n  min.insync.replicas=1\n"}, "min.insync.replicas"),
    "another service writes the file": ({"compose.yml": compose(f"  i:\n    image: alpine\n    command: sh -c 'echo {UNCLEAN}=true >> /etc/kafka/server.properties'\n")}, UNCLEAN),
    "another service that is built": ({"compose.yml": compose("  i:\n    build: .\n    environment:\n      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n")}, UNCLEAN),
    "a tool changes it": ({"compose.yml": compose(f"  i:\n    image: apache/kafka:3.9.0\n    command: kafka-configs.sh --alter --add-config {UNCLEAN}=true\n")}, UNCLEAN),
    "a resource of another kind beside": ({"a.yaml": f"{STRIMZI.replace('true', 'false')}---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nspec:\n  source:\n    helm:\n      values: |\n        extraConfig: |\n          {UNCLEAN}=true\n"}, UNCLEAN),
    "variables of Bitnami's values": ({"values.yaml": VALUES.replace(f"{UNCLEAN}=true", "log.retention.hours=168") + "extraEnvVars:\n- name: KAFKA_CFG_UNCLEAN_LEADER_ELECTION_ENABLE\n  value: 'true'\n"}, UNCLEAN),
    "a map of one's own beside Spring's": ({"application.yml": "spring:\n  kafka:\n    bootstrap-servers: a:1,b:1\napp:\n  kafka:\n    producer-config:\n      acks: '0'\n"}, "acks"),
    "a patch of JSON": ({"kustomization.yaml": f"patches:\n- patch: |\n    - op: replace\n      path: /spec/kafka/config/{UNCLEAN}\n      value: true\n"}, UNCLEAN),
    "variables of an inventory": ({"inventory.ini": "[kafka:vars]\nunclean_leader_election_enable=true\nmin_insync_replicas=1\n"}, "unclean.leader"),
    "variables of supervisor": ({"supervisord.conf": '[program:a]\nenvironment=SPRING_KAFKA_PRODUCER_ACKS="0"\n'}, "SPRING_KAFKA_PRODUCER_ACKS"),
    "acks of a table": ({"conf.toml": '[kafka.producer]\nacks = "0"\n'}, "acks"),
    "acks of HOCON": ({"application.conf": 'akka.kafka.producer.kafka-clients.acks = "0"\n'}, "acks"),
    "acks of Telegraf": ({"telegraf.conf": '[[outputs.kafka]]\n  required_acks = 0\n'}, "acks"),
    "acks of Fluentd": ({"fluent.conf": "<match **>\n @type kafka2\n required_acks 0\n</match>\n"}, "acks"),
    "acks of Fluent Bit": ({"fluent-bit.conf": "[OUTPUT]\n  Name kafka\n  rdkafka.request.required.acks 0\n"}, "request.required.acks"),
    "one replica of a channel": ({"channel.yaml": "apiVersion: messaging.knative.dev/v1\nkind: KafkaChannel\nspec:\n  replicationFactor: 1\n"}, "replication.factor"),
    "one replica of a broker of Knative": ({"cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kafka-broker}\ndata:\n  default.topic.replication.factor: '1'\n"}, "replication.factor"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_READ)
def test_what_no_reader_follows_is_said_beside_what_is_judged(name: str, tmp_path: Path) -> None:
    files, key = NOT_READ[name]
    (line,) = [line for line in lint(tmp_path, files).err.splitlines() if ": not read" in line]
    assert f"names {key}" in line


MODULE = 'resource "aws_msk_configuration" "m" {\n  name = "m"\n  server_properties = join("\\n", [for k, v in var.p : format("%s = %s", k, v)])\n}\nvariable "p" {}\n'
KOPERATOR = (
    "apiVersion: kafka.banzaicloud.io/v1beta1\nkind: KafkaCluster\nmetadata: {name: kafka}\nspec:\n  readOnlyConfig: |\n    num.partitions=3\n"
    '  brokers: [{id: 0}]\n  cruiseControlConfig:\n    clusterConfig: |\n      {\n        "min.insync.replicas": 3\n      }\n'
)
QUIET: dict[str, Files] = {
    "settings that a module takes": {"x/main.tf": 'module "m" {\n  source = "../"\n  p = {\n    "min.insync.replicas" = 2\n    "delete.topic.enable" = true\n  }\n}\n', "main.tf": MODULE},
    "fluentd": {"server.properties": NODE, "fluent.conf": "<source>\n  @type http\n  port 9880\n</source>\n<match kafka.**>\n  @type prometheus\n  name a\n  desc b\n  host c\n</match>\n"},
    "prose of a protocol": {"server.properties": NODE, "definitions/fetch": "FetchRequest => CURRENT-OFFSET LeaderEpoch:\n// to kafka\n"},
    "a drawing": {"server.properties": NODE, "demo.cast": '{"kafka": 1}\n[0.1, "o", "kafka"]\n'},
    "bytes without a name": {"server.properties": NODE, "0979.pb": "kafka\0kafka bootstrap\0"},
    "the same value in another place": {"compose.yml": compose("  i:\n    image: alpine\n    command: 'echo unclean.leader.election.enable=false'\n")},
    "an override": {"compose.yml": compose(""), "compose.override.yml": "services:\n  k:\n    environment:\n      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n"},
    "a default in a variable": {"compose.yml": compose("      KAFKA_LOG_RETENTION_HOURS: ${KAFKA_LOG_RETENTION_HOURS:-3}\n")},
    "a comment": {"compose.yml": compose("      # KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n")},
    "a file that Terraform takes": {"main.tf": msk('file("k.json")'), "k.json": "min.insync.replicas=2\n"},
    "a definition of a resource": {"server.properties": NODE, "crd.yaml": f"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  description: 'no {UNCLEAN}: true here'\n  properties:\n    {UNCLEAN}: {{}}\n    min.insync.replicas: {{}}\n"},
    "a comment of several lines": {"server.properties": NODE, "data.tf": 'data "aiven_kafka_topic" "t" {\n  /* COMPUTED\n  min_insync_replicas = "1"\n  unclean_leader_election_enable = true\n  */\n}\n'},
    "what Cruise Control is told of topics": {"k.yaml": KOPERATOR},
    "a document's template": {"server.properties": NODE, "topic.md.tmpl": f"min.insync.replicas = 1\n{UNCLEAN} = true\nThis is the page of the resource.\nIt says more.\nAnd more.\n"},
    "acks of another broker": {"rabbit.yml": "rabbitmq:\n  acks: none\n"},
    "replicas of another thing": {"search.yml": "elasticsearch:\n  replication_factor: 1\n"},
    "one setting of a log group": {"main.tf": 'resource "x" "y" {\n  log_retention_hours = 1\n}\n'},
}  # fmt: skip


@pytest.mark.parametrize("name", QUIET)
def test_what_is_read_is_not_said_to_be_left(name: str, tmp_path: Path) -> None:
    assert "not read" not in lint(tmp_path, QUIET[name]).err


VARIABLES_OF_A_ROLE = "kafka_host_name: a\nkafka_port: 9092\nkafka_log_retention_hours: 168\nkafka_delete_topic_enable: true\nkafka_min_insync_replicas: 2\n"
TOPICS_OF_A_ROLE = "topics:\n- name: t\n  delete.retention.ms: 86400000\n  cleanup.policy: compact\n"
PLACEHOLDERS = "bootstrap.servers=[KAFKA_BROKERS]\nacks=all\nkey.serializer=a.B\n"
NO_FAULT: dict[str, tuple[Files, str]] = {
    "names of a role's own": ({"defaults/main.yml": VARIABLES_OF_A_ROLE}, "KA1402"),
    "the name of a topic beside its settings": ({"vars.yml": TOPICS_OF_A_ROLE}, "KA1401"),
    "names in brackets": ({"producer.properties": PLACEHOLDERS}, "KA1409"),
}


@pytest.mark.parametrize("name", NO_FAULT)
def test_what_is_no_setting_is_no_finding(name: str, tmp_path: Path) -> None:
    files, rule = NO_FAULT[name]
    ran = lint(tmp_path, files)
    assert ran.json["inputs"]
    assert rule not in {row for row, _, _ in found(ran)}


def test_an_override_counts_whichever_file_is_named(tmp_path: Path) -> None:
    override = 'resource "kafka_topic" "t" {\n  replication_factor = 1\n}\n'
    (tmp_path / "main.tf").write_text(OVERRIDDEN)
    (tmp_path / "override.tf").write_text(override)
    for names in (("main.tf",), ("override.tf",), ("main.tf", "override.tf"), (".",)):
        ran = run("lint", *(tmp_path / name for name in names), "--no-config", "--format", "json")
        assert [row for row in found(ran) if row[0] == "KA156"] == [("KA156", "override.tf", 2)]
    (tmp_path / "override.tf").write_text(override.replace("= 1", "= 3"))
    (tmp_path / "main.tf").write_text(OVERRIDDEN.replace("= 3\n}", "= 1\n}"))
    assert "KA156" not in {rule for rule, _, _ in found(run("lint", tmp_path, "--no-config", "--format", "json"))}


def test_a_file_of_a_secret_is_not_shown(tmp_path: Path) -> None:
    files = {"main.tf": msk('"client.id=${file("api-token.txt")}"'), "api-token.txt": "hunter2\n"}
    ran = lint(tmp_path, files, "--show-values")
    assert "hunter2" not in ran.out + ran.err


def test_a_cluster_and_its_configuration_in_two_files_are_one(tmp_path: Path) -> None:
    cluster = 'resource "aws_msk_cluster" "c" {\n  kafka_version = "2.8.1"\n  number_of_broker_nodes = 3\n  configuration_info {\n    arn = aws_msk_configuration.m.arn\n    revision = 1\n  }\n}\n'
    ran = lint(tmp_path, {"a.tf": cluster, "b.tf": msk(f'"{UNCLEAN}=true"')})
    assert ("KA104", "b.tf", 3) in found(ran)
    assert "Kafka 2.8" in run("lint", tmp_path, "--no-config").out


def test_what_a_worker_sets_itself_is_no_fault_of_its_connectors(tmp_path: Path) -> None:
    worker = f"{WORKER}producer.linger.ms=5\nconsumer.max.poll.records=100\n"
    connector = (
        "name=x\nconnector.class=org.x.Y\nproducer.override.linger.ms=5\nconsumer.override.max.poll.records=100\n"
    )
    rows = found(lint(tmp_path, {"connect-distributed.properties": worker, "x.properties": connector}))
    assert {rule for rule, _, _ in rows if rule in ("KA101", "KA1001", "KA1002", "KA1101")} == set()


def test_a_password_of_a_workers_client_is_found_once(tmp_path: Path) -> None:
    jaas = 'producer.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b";\n'
    worker = f"{WORKER}{jaas}producer.retries=5\n"
    rows = found(lint(tmp_path, {"connect-distributed.properties": worker}))
    assert [rule for rule, _, _ in rows].count("KA616") == 1


def test_what_confluents_operator_writes_itself_is_not_known(tmp_path: Path) -> None:
    file = tmp_path / "kafka.yaml"
    file.write_text(
        "apiVersion: platform.confluent.io/v1beta1\nkind: Kafka\nmetadata: {name: kafka}\nspec:\n  replicas: 3\n"
        "  image: {application: confluentinc/cp-server:7.6.0}\n  configOverrides:\n    server: [min.insync.replicas=2]\n"
    )
    ran = run("lint", file, "--no-config", "--format", "json").json
    assert not {row["rule"] for row in ran["findings"]} & {"KA102", "KA103", "KA202"}
    reasons = {row["reason"] for row in ran["unknown"] if row["rule"] in ("KA103", "KA202")}
    assert reasons == {"default.replication.factor is not in the file: Confluent for Kubernetes writes it itself"}


CFK = (
    "apiVersion: platform.confluent.io/v1beta1\nkind: Kafka\nmetadata: {{name: kafka}}\nspec:\n  replicas: 3\n"
    "  image: {{application: confluentinc/cp-server:7.6.0}}\n  authorization: {{type: simple}}\n"
    "  listeners:\n    internal: {{tls: {{enabled: true}}}}\n    external: {{tls: {{enabled: true}}}}\n{}"
)
STANDARD = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
CUSTOM = "    custom: [{{name: mine, port: 9094, tls: {{enabled: {}}}}}]\n"
CONTROLLERS = "  dependencies: {kRaftController: {clusterRef: {name: c}}}\n"


@pytest.mark.parametrize(
    ("more", "rule", "is_found"),
    [
        (CUSTOM.format("false"), "KA601", True),
        (CUSTOM.format("true"), "KA601", False),
        ("", "KA601", False),
        (CONTROLLERS, "KA632", False),
        (CONTROLLERS, "KA1411", False),
        ("  dependencies: {zookeeper: {endpoint: 'z:2181'}}\n", "KA632", True),
        (f"  configOverrides: {{server: [authorizer.class.name={STANDARD}]}}\n{CONTROLLERS}", "KA1407", False),
        (
            "  configOverrides: {server: [authorizer.class.name=kafka.security.auth.SimpleAclAuthorizer]}\n",
            "KA1411",
            True,
        ),
    ],
)
def test_listeners_and_controllers_of_confluents_operator(more: str, rule: str, is_found: bool, tmp_path: Path) -> None:
    (tmp_path / "kafka.yaml").write_text(CFK.format(more))
    rows = run("lint", tmp_path / "kafka.yaml", "--no-config", "--format", "json").json["findings"]
    assert (rule in {row["rule"] for row in rows}) == is_found


@pytest.mark.parametrize(("users", "is_found"), [("[User:kafka, User:ANONYMOUS]", True), ("[User:kafka]", False)])
def test_super_users_of_confluents_operator(users: str, is_found: bool, tmp_path: Path) -> None:
    text = CFK.format(CONTROLLERS).replace("{type: simple}", f"{{type: simple, superUsers: {users}}}")
    (tmp_path / "kafka.yaml").write_text(text)
    assert ("KA610" in run("lint", tmp_path / "kafka.yaml", "--no-config", "--format", "concise").out) is is_found


def test_ports_of_confluents_operator(tmp_path: Path) -> None:
    (tmp_path / "kafka.yaml").write_text(CFK.format(CUSTOM.format("true") + CONTROLLERS))
    out = run("effective", tmp_path / "kafka.yaml").out
    assert " listeners                      = INTERNAL://:9071,EXTERNAL://:9092,MINE://:9094" in out
    assert "process.roles                  = broker" in out


def test_a_node_that_names_another_voter_is_of_the_cluster_of_its_folder(tmp_path: Path) -> None:
    for id in range(1, 4):
        voters = f"101@c1:1,102@c2:1,103@{'x' if id == 3 else 'c3'}:1"
        text = f"process.roles=broker\nnode.id={id}\ncontroller.quorum.voters={voters}\n"
        (tmp_path / f"b{id}.properties").write_text(text)
    assert "103@x:1 on 1 node" in run("lint", tmp_path, "--no-config").out
