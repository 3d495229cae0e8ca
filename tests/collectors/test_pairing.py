"""Clients of a run are judged with the cluster that their bootstrap.servers name."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from tests.support.commands import run

NODE = "process.roles=broker,controller\nnode.id={0}\nlisteners={1}\ncontroller.quorum.voters={0}@c{0}:9093\n"
PRODUCER = "bootstrap.servers={}\nkey.serializer=a.B\nvalue.serializer=a.B\nacks=all\n"
STRIMZI = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {{name: brokers, labels: {{strimzi.io/cluster: {name}}}}}
spec:
  replicas: 3
  roles: [broker, controller]
  storage: {{type: persistent-claim, size: 100Gi}}
---
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {{name: {name}}}
spec:
  kafka:
    version: 4.1.0
    listeners:
      - {{name: plain, port: 9092, type: internal, tls: false}}
      - {{name: tls, port: 9093, type: internal, tls: true, authentication: {{type: tls}}}}
      - {{name: scram, port: 9094, type: internal, tls: true, authentication: {{type: scram-sha-512}}}}
    config: {{min.insync.replicas: 2, default.replication.factor: 3}}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {{name: orders, labels: {{strimzi.io/cluster: {name}}}}}
spec: {{partitions: 3, replicas: 3, config: {{min.insync.replicas: 2, max.message.bytes: 1000}}}}
"""
COMPOSE = """\
services:
  kafka:
    image: apache/kafka:4.1.0
    environment:
      KAFKA_NODE_ID: 1
      KAFKA_PROCESS_ROLES: broker,controller
      KAFKA_LISTENERS: INTERNAL://:9092,HOST://:29092,CONTROLLER://:9093
      {advertised}
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: INTERNAL:SASL_PLAINTEXT,HOST:SSL,CONTROLLER:PLAINTEXT
      KAFKA_INTER_BROKER_LISTENER_NAME: INTERNAL
      KAFKA_SASL_ENABLED_MECHANISMS: PLAIN
      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093
  app:
    image: shop
    environment:
      SPRING_KAFKA_BOOTSTRAP_SERVERS: {servers}
      SPRING_KAFKA_PROPERTIES_SECURITY_PROTOCOL: {protocol}
      SPRING_KAFKA_PRODUCER_ACKS: all
"""
ADVERTISED = "KAFKA_ADVERTISED_LISTENERS: INTERNAL://kafka:9092,HOST://localhost:29092"
PAIRS = ("KA665", "KA666", "KA667", "KA668", "KA107", "KA108", "KA154", "KA802")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def found(files: dict[str, str]) -> set[tuple[str, str]]:
    """(rule, file) of what is found of clients with their clusters."""
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    rows = run("lint", ".", "--no-config", "--format", "json").json["findings"]
    return {(row["rule"], row["file"].removeprefix("./")) for row in rows if row["rule"] in PAIRS}


@pytest.mark.parametrize(
    ("servers", "more", "rules"),
    [
        ("events-kafka-bootstrap:9093", "", {"KA665"}),
        ("events-kafka-bootstrap.kafka.svc.cluster.local:9094", "security.protocol=SSL", {"KA665"}),
        ("events-kafka-bootstrap.kafka:9093", "security.protocol=SSL", {"KA667", "KA668"}),
        ("events-kafka-bootstrap:9093", "security.protocol=SSL\nssl.keystore.location=/a\nssl.truststore.location=/b", set()),
        ("events-kafka-bootstrap:9094", "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nssl.truststore.location=/b", {"KA666"}),
        ("events-kafka-brokers:9092", "acks=1", {"KA108"}),
        ("events-kafka-bootstrap:9092", "", set()),
        ("other-kafka-bootstrap:9093", "", set()),
        ("events-kafka-bootstrap-2:9093", "", set()),
        ("events-kafka-bootstrap:9999", "", set()),
    ],
)  # fmt: skip
def test_strimzi_bootstrap_services(servers: str, more: str, rules: set[str]) -> None:
    files = {
        "k8s/kafka.yaml": STRIMZI.format(name="events"),
        "app/producer.properties": PRODUCER.format(servers) + more,
    }
    assert {rule for rule, _ in found(files)} == rules


@pytest.mark.parametrize(
    ("advertised", "servers", "protocol", "rules"),
    [
        (ADVERTISED, "kafka:9092", "PLAINTEXT", {"KA665", "KA107"}),
        (ADVERTISED, "kafka:9092", "SASL_PLAINTEXT", {"KA107"}),
        (ADVERTISED, "localhost:29092", "PLAINTEXT", {"KA665", "KA107"}),
        ("KAFKA_X: y", "kafka:29092", "PLAINTEXT", {"KA665", "KA107"}),
        (ADVERTISED, "elsewhere:9092", "PLAINTEXT", set()),
    ],
)
def test_compose_services(advertised: str, servers: str, protocol: str, rules: set[str]) -> None:
    text = COMPOSE.format(advertised=advertised, servers=servers, protocol=protocol)
    rows = found({"compose.yml": text})
    assert {rule for rule, _ in rows} - {"KA667", "KA668"} == rules


WORKER = """\
bootstrap.servers={0}
group.id=connect
key.converter=org.apache.kafka.connect.json.JsonConverter
value.converter=org.apache.kafka.connect.json.JsonConverter
config.storage.topic=c
offset.storage.topic=o
status.storage.topic=s
"""
STREAMS = "application.id=totals\nbootstrap.servers={0}\n"
MIRROR = "clusters=a,b\na.bootstrap.servers={0}\nb.bootstrap.servers=b-kafka-bootstrap:9092\na->b.enabled=true\n"
OF_OPERATOR = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaConnect
metadata: {{name: connect}}
spec:
  replicas: 3
  bootstrapServers: {0}
  groupId: connect
  configStorageTopic: c
  offsetStorageTopic: o
  statusStorageTopic: s
  {1}
"""
MIRROR_OF_OPERATOR = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaMirrorMaker2
metadata: {{name: mirror}}
spec:
  replicas: 3
  target: {{alias: b, bootstrapServers: "b-kafka-bootstrap:9092"}}
  mirrors:
    - source:
        alias: a
        bootstrapServers: {0}
        {1}
      topicsPattern: orders
"""
IN_COMPOSE = """\
services:
  connect:
    image: confluentinc/cp-kafka-connect:7.9.0
    environment:
      CONNECT_BOOTSTRAP_SERVERS: {0}
      CONNECT_GROUP_ID: connect
      CONNECT_CONFIG_STORAGE_TOPIC: c
      CONNECT_OFFSET_STORAGE_TOPIC: o
      CONNECT_STATUS_STORAGE_TOPIC: s
      CONNECT_KEY_CONVERTER: org.apache.kafka.connect.json.JsonConverter
      CONNECT_VALUE_CONVERTER: org.apache.kafka.connect.json.JsonConverter
      CONNECT_REST_ADVERTISED_HOST_NAME: connect
      {1}
"""
LOGIN = "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n"
TRUST = "ssl.truststore.location=/b\n"


def test_connect_streams_and_mirrors_are_judged_with_the_clusters_that_they_name() -> None:
    tls, plain, scram = (f"events-kafka-bootstrap:{port}" for port in (9093, 9092, 9094))
    cases: list[tuple[str, str, str, str, set[str]]] = [
        ("connect-distributed.properties", WORKER, tls, "", {"KA665"}),
        ("connect-distributed.properties", WORKER, tls, "security.protocol=SSL", {"KA667", "KA668"}),
        ("connect-distributed.properties", WORKER, scram, LOGIN + TRUST, {"KA666"}),
        ("connect-distributed.properties", WORKER, plain, "", set()),
        ("connect-distributed.properties", WORKER, "${SERVERS}", "", set()),
        ("connect-distributed.properties", WORKER, "other-kafka-bootstrap:9093", "", set()),
        ("connect-distributed.properties", WORKER, tls, "security.protocol=${PROTOCOL}", set()),
        ("streams.properties", STREAMS, scram, "security.protocol=SSL", {"KA665"}),
        ("streams.properties", STREAMS, plain, "", set()),
        ("mm2.properties", MIRROR, tls, "", {"KA665"}),
        ("mm2.properties", MIRROR, tls, "a.security.protocol=SSL\na." + TRUST + "a.ssl.keystore.location=/a", set()),
        ("mm2.properties", MIRROR, tls, "a.security.protocol=SSL\na.ssl.keystore.location=/a", {"KA668"}),
        ("mm2.properties", MIRROR, scram, f"a.{TRUST}a.security.protocol=SASL_SSL\n", {"KA666"}),
        ("mm2.properties", MIRROR, plain, "", set()),
        ("mm2.properties", MIRROR, "other:9093", "", set()),
        ("connect.yaml", OF_OPERATOR, tls, "", {"KA665"}),
        ("connect.yaml", OF_OPERATOR, scram, "tls: {trustedCertificates: [{secretName: s, pattern: '*.crt'}]}", {"KA665"}),
        ("connect.yaml", OF_OPERATOR, tls, "tls: {trustedCertificates: [{secretName: s, pattern: '*.crt'}]}", set()),
        ("connect.yaml", OF_OPERATOR, plain, "", set()),
        ("mirror.yaml", MIRROR_OF_OPERATOR, tls, "", {"KA665"}),
        ("mirror.yaml", MIRROR_OF_OPERATOR, tls, "tls: {trustedCertificates: []}", set()),
        ("mirror.yaml", MIRROR_OF_OPERATOR, plain, "", set()),
        ("compose.yml", IN_COMPOSE, tls, "", {"KA665"}),
        ("compose.yml", IN_COMPOSE, scram, "CONNECT_SECURITY_PROTOCOL: SSL", {"KA665"}),
        ("compose.yml", IN_COMPOSE, plain, "", set()),
    ]  # fmt: skip
    for number, (name, text, servers, more, rules) in enumerate(cases):
        Path(f"case-{number}").mkdir()
        with chdir(f"case-{number}"):
            files = {f"k8s/{each}.yaml": STRIMZI.format(name=each) for each in ("events", "b")}
            rows = found(files | {f"app/{name}": text.format(servers, more) + more * ("{1}" not in text)})
        assert rows == {(rule, f"app/{name}") for rule in rules}, (name, servers, more)


def test_the_cluster_in_the_same_folder_counts_before_others() -> None:
    files = {
        "a/server.properties": NODE.format(1, "SSL://kafka:9092") + "ssl.keystore.location=/a\n",
        "b/server.properties": NODE.format(2, "PLAINTEXT://kafka:9092"),
        "a/producer.properties": PRODUCER.format("kafka:9092"),
        "b/producer.properties": PRODUCER.format("kafka:9092"),
        "c/producer.properties": PRODUCER.format("kafka:9092"),
    }
    files |= {f"{folder}/connect-distributed.properties": WORKER.format("kafka:9092") for folder in "abc"}
    files |= {"c/mm2.properties": MIRROR.format("kafka:9092")}
    rows = {file for rule, file in found(files) if rule == "KA665"}
    assert rows == {"a/producer.properties", "a/connect-distributed.properties"}


def test_a_client_is_judged_with_the_brokers_and_not_with_topics_that_it_may_not_use() -> None:
    files = {
        "kafka.yaml": STRIMZI.format(name="events"),
        "p.properties": PRODUCER.format("events-kafka-bootstrap:9092"),
    }
    assert not {rule for rule, _ in found(files)} & {"KA154", "KA802"}


def test_the_cluster_keeps_its_name() -> None:
    Path("a.properties").write_text(PRODUCER.format("kafka:9092"))
    Path("b.properties").write_text(NODE.format(1, "PLAINTEXT://kafka:9092"))
    rows = run("lint", ".", "--no-config", "--format", "json").json["findings"]
    assert {row["file"] for row in rows if row["entity"]["kind"] == "quorum"} <= {"./b.properties", "b.properties"}
    assert {
        row["entity"]["name"].removeprefix("./") for row in rows if row["entity"]["kind"] in ("cluster", "quorum")
    } <= {"b.properties"}


@pytest.mark.parametrize(("folder", "is_paired"), [("b", False), ("a", True)])
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_loopback_is_whatever_machine_a_client_runs_on(host: str, folder: str, is_paired: bool) -> None:
    files = {
        "a/server.properties": NODE.format(1, f"SASL_SSL://{host}:9092"),
        f"{folder}/producer.properties": PRODUCER.format(f"{host}:9092"),
    }
    assert ("KA665" in {rule for rule, _ in found(files)}) is is_paired


TERRAFORM = """\
locals {{
  brokers = aws_msk_cluster.main.{0}
}}
resource "aws_ecs_task_definition" "app" {{
  family = "app"
  container_definitions = jsonencode([{{
    name = "app", image = "shop:1",
    environment = [
      {{ name = "SPRING_KAFKA_BOOTSTRAP_SERVERS", value = local.brokers }},
      {{ name = "SPRING_KAFKA_PROPERTIES_SECURITY_PROTOCOL", value = {1} }},
      {{ name = "SPRING_KAFKA_PRODUCER_ACKS", value = "all" }},
    ]
  }}])
}}
"""
MSK_CONNECT = """\
resource "aws_mskconnect_connector" "sink" {{
  name = "sink"
  connector_configuration = {{ "connector.class" = "io.x.Y" }}
  kafka_cluster {{
    apache_kafka_cluster {{
      bootstrap_servers = aws_msk_cluster.main.{0}
    }}
  }}
  kafka_cluster_client_authentication {{
    authentication_type = "NONE"
  }}
  kafka_cluster_encryption_in_transit {{
    encryption_type = {1}
  }}
}}
"""


def test_msk_is_named_by_attributes_of_terraform() -> None:
    cases = [
        (TERRAFORM, "bootstrap_brokers_tls", '"SASL_SSL"', "finding"),
        (TERRAFORM, "bootstrap_brokers_tls", '"SSL"', ""),
        (TERRAFORM, "bootstrap_brokers_tls", "var.protocol", "unknown"),
        (TERRAFORM, "zookeeper_connect_string", '"SASL_SSL"', ""),
        (MSK_CONNECT, "bootstrap_brokers_tls", '"PLAINTEXT"', "finding"),
        (MSK_CONNECT, "bootstrap_brokers_sasl_iam", '"TLS"', "finding"),
        (MSK_CONNECT, "bootstrap_brokers_tls", '"TLS"', ""),
        (MSK_CONNECT, "bootstrap_brokers_tls", "var.encryption", ""),
    ]
    for text, attribute, protocol, outcome in cases:
        Path("main.tf").write_text(text.format(attribute, protocol))
        report = run("lint", "main.tf", "--no-config", "--format", "json").json
        named = {row["rule"]: kind for kind in ("unknown", "findings") for row in report[kind]}
        assert named.get("KA669", "") == {"finding": "findings"}.get(outcome, outcome), (attribute, protocol)


MSK = """\
resource "aws_msk_cluster" "main" {
  cluster_name = "shop"
  kafka_version = "3.9.0"
  number_of_broker_nodes = 3
  client_authentication {
    sasl {
      iam = true
    }
  }
}
"""


def test_listeners_that_a_cluster_of_msk_does_not_open() -> None:
    cases = [
        ("main.tf", TERRAFORM, "bootstrap_brokers", '"PLAINTEXT"', True),
        ("app.tf", TERRAFORM, "bootstrap_brokers", '"PLAINTEXT"', True),
        ("app.tf", MSK_CONNECT, "bootstrap_brokers_sasl_scram", '"TLS"', True),
        ("app.tf", TERRAFORM, "bootstrap_brokers_tls", '"SSL"', False),
        ("app/app.tf", TERRAFORM, "bootstrap_brokers", '"PLAINTEXT"', False),
    ]
    for name, text, attribute, protocol, fires in cases:
        Path("app").mkdir(exist_ok=True)
        Path("app.tf").unlink(missing_ok=True)
        Path("main.tf").write_text(MSK)
        with Path(name).open("a") as file:
            file.write(text.format(attribute, protocol))
        report = run("lint", ".", "--no-config", "--format", "json").json
        assert any(row["rule"] == "KA670" for row in report["findings"]) == fires, (name, attribute)
        assert sum(row["kind"] in ("producer", "connect") for row in report["inputs"]) >= 1, name


TOPIC_SCRIPT = """\
services:
  kafka:
    image: confluentinc/cp-kafka:7.6.1
    environment:
      KAFKA_BROKER_ID: 1
      KAFKA_ZOOKEEPER_CONNECT: zookeeper:2181
      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092
      KAFKA_MIN_INSYNC_REPLICAS: 2
  topics:
    image: confluentinc/cp-kafka:7.6.1
    command: kafka-topics --bootstrap-server {0} --create --topic audit --replication-factor 1
"""
TOPIC_OF_PROVIDER = """\
resource "aws_msk_cluster" "events" {{
  kafka_version = "3.6.0"
  configuration_info {{
    arn      = aws_msk_configuration.this.arn
    revision = 1
  }}
}}
resource "aws_msk_configuration" "this" {{
  server_properties = "log.retention.hours=24"
}}
provider "kafka" {{
  bootstrap_servers = {0}
}}
resource "kafka_topic" "audit" {{
  name = "audit"
  replication_factor = 1
  partitions = 1
  config = {{ "min.insync.replicas" = 2 }}
}}
"""


@pytest.mark.parametrize(
    ("file", "text", "fires"),
    [
        ("compose.yml", TOPIC_SCRIPT.format("kafka:9092"), True),
        ("compose.yml", TOPIC_SCRIPT.format("elsewhere:9092"), False),
        ("compose.yml", TOPIC_SCRIPT.format("$BROKERS"), False),
        ("main.tf", TOPIC_OF_PROVIDER.format('split(",", aws_msk_cluster.events.bootstrap_brokers_tls)'), True),
        ("main.tf", TOPIC_OF_PROVIDER.format("[aws_msk_cluster.events.bootstrap_brokers]"), True),
        ("main.tf", TOPIC_OF_PROVIDER.format('["elsewhere:9092"]'), False),
    ],
)
def test_topics_are_judged_for_the_cluster_to_which_their_tool_connects(file: str, text: str, fires: bool) -> None:
    Path(file).write_text(text)
    rows = run("lint", ".", "--no-config", "--select", "KA1750,KA215", "--format", "json").json["findings"]
    assert [row["message"].rpartition(": ")[2] for row in rows] == ["every acks=all write fails"] * fires


PIECE = """\
resource "aws_msk_configuration" "c" {{
  name = "c"
  server_properties = <<EOT
{0}
EOT
}}
resource "aws_msk_cluster" "k" {{
  cluster_name = "k"
  kafka_version = "{1}"
  number_of_broker_nodes = 3
  configuration_info {{
    arn = aws_msk_configuration.c.arn
    revision = 1
  }}
}}
provider "kafka" {{
  bootstrap_servers = split(",", aws_msk_cluster.k.bootstrap_brokers_tls)
}}
resource "kafka_topic" "t" {{
  name = "orders"
  replication_factor = {2}
  partitions = 6
}}
"""
CHART = """\
replicaCount: 3
image: {{repository: bitnami/kafka, tag: 3.4.0}}
zookeeper: {{enabled: true}}
extraEnvVars: [{{name: KAFKA_CFG_MIN_INSYNC_REPLICAS, value: "2"}}]
provisioning: {{enabled: true, topics: [{{name: orders, partitions: 3, replicationFactor: {0}}}]}}
"""


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        (PIECE.format("min.insync.replicas=2", "3.6.0", 2), True),
        (PIECE.format("min.insync.replicas=2", "3.6.0", 3), False),
        (PIECE.format("min.insync.replicas=${var.n}", "3.6.0", 2), False),
        (PIECE.format("log.retention.hours=2", "3.6.0", 2), False),
        (PIECE.format("min.insync.replicas=2", "4.1.0", 2), False),
        (CHART.format(2), True),
        (CHART.format(3), False),
    ],
)
def test_pieces_of_nodes_files_say_what_their_topics_require(text: str, is_said: bool) -> None:
    Path("main.tf" if "aws_msk" in text else "values.yaml").write_text(text)
    report = run("lint", ".", "--no-config", "--select", "KA1750", "--format", "json").json
    assert [row["rule"] for row in report["findings"]] == ["KA1750"] * is_said
    assert not report["unknown"]
