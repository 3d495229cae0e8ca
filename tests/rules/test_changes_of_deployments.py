"""What a change of a Compose file, a chart, an operator's resource or Terraform code does, by the files of both sides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.changes import change, changes, resource
from tests.support.commands import run
from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all, results_of


def compose(brokers: int, listeners: str, between: str) -> str:
    """A Compose file with some brokers; listeners are NAME:host:port of each broker K."""
    lines = ["services:"]
    for id in range(1, brokers + 1):
        lines += [
            f"  kafka{id}:",
            "    image: apache/kafka:4.3.0",
            "    environment:",
            f"      KAFKA_NODE_ID: {id}",
            "      KAFKA_PROCESS_ROLES: broker,controller",
            f"      KAFKA_CONTROLLER_QUORUM_VOTERS: {','.join(f'{each}@kafka{each}:9093' for each in range(1, brokers + 1))}",
            "      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER",
            f"      KAFKA_LISTENERS: CONTROLLER://:9093,{listeners}",
            f"      KAFKA_ADVERTISED_LISTENERS: {listeners.replace('://', f'://kafka{id}')}",
            "      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: CONTROLLER:PLAINTEXT,IN:PLAINTEXT,OUT:PLAINTEXT,BETWEEN:PLAINTEXT,CLIENTS:PLAINTEXT",
            f"      KAFKA_INTER_BROKER_LISTENER_NAME: {between}",
        ]
    return "\n".join(lines) + "\n"


OF_IMAGE = """services:
  kafka:
    image: {}
    environment: {{KAFKA_BROKER_ID: 1, KAFKA_ZOOKEEPER_CONNECT: 'z:2181', KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://kafka:9092'}}
    volumes: ['{}']
"""


def nodes(services: str, role: str = "broker") -> str:
    """A Compose file with a node for each service, whose id is its name's last digit."""
    rows = (
        f"  {name}:\n    image: apache/kafka:4.3.0\n    environment: {{KAFKA_NODE_ID: {name[-1]}, KAFKA_PROCESS_ROLES: {role},"
        " KAFKA_CONTROLLER_QUORUM_VOTERS: '9@c:9093'}\n"
        for name in services.split()
    )
    return "services:\n" + "".join(rows)


RENAMED = ("IN://:9092,OUT://:9094", "IN"), ("BETWEEN://:9092,CLIENTS://:9094", "BETWEEN")


@pytest.mark.parametrize(("brokers", "rules"), [(1, set()), (3, {"KA1810", "KA1812"})])
def test_listeners_that_are_renamed_stop_clusters_of_several_brokers(
    tmp_path: Path, brokers: int, rules: set[str]
) -> None:
    found = changes(tmp_path, "compose.yml", compose(brokers, *RENAMED[0]), compose(brokers, *RENAMED[1]))
    assert found.keys() == rules
    assert "OUT has another name" in found.get("KA1812", "OUT has another name")


def terraform(name: str, topic: str, partitions: object, more: str = "") -> str:
    """A topic of Terraform's."""
    return f'resource "kafka_topic" "{name}" {{\n  name = "{topic}"\n  replication_factor = 3\n  partitions = {partitions}\n  {more}\n}}'


def plan(type: str, actions: str, *replace_paths: str, **values: object) -> str:
    """A plan of Terraform's with one resource, in a line."""
    change = {"actions": actions.split(), "after": values, "replace_paths": [[path] for path in replace_paths]}
    row = {"address": f"{type}.a", "mode": "managed", "type": type, "name": "a", "change": change}
    keeps = {**row, "address": f"{type}.z", "change": {"actions": ["no-op"], "after": values}}
    rows = [keeps] if actions == "delete" else [row, keeps]
    return json.dumps({"format_version": "1.2", "terraform_version": "1.9.8", "resource_changes": rows})


KAFKA = "services:\n  k:\n    image: apache/kafka:4.3.0\n    environment: {{KAFKA_NODE_ID: 1, KAFKA_LOG_DIRS: /data{}}}\n    volumes: [{}]"
MSK = 'resource "aws_msk_cluster" "c" {{\n  cluster_name = "c"\n  kafka_version = "3.6.0"\n  number_of_broker_nodes = {}\n}}'
CONNECTOR = "name=c\nconnector.class=org.example.{}\n"
SINK, SOURCE = CONNECTOR.format("SinkConnector"), CONNECTOR.format("SourceConnector")
JDBC = "name=c\nconnector.class=io.confluent.connect.jdbc.JdbcSourceConnector\n"
POSTGRES = "name=c\nconnector.class=io.debezium.connector.postgresql.PostgresConnector\n"
MIRROR = "a->b.enabled=true\n"
TOPIC, POOL = "partitions: 6, replicas: 3", "replicas: 3, roles: [broker], storage: {type: persistent-claim, size: 1Gi"
UNMANAGED = ', annotations: {strimzi.io/managed: "false"}'
MOVED = "\nmoved {\n  from = kafka_topic.a\n  to = kafka_topic.b\n}"
KEPT = "\nremoved {\n  from = kafka_topic.a\n  lifecycle {\n    destroy = false\n  }\n}"
EACH = "for_each = {}"
BOTH_ROLES = "controller: {{replicaCount: {}}}\nbroker: {{replicaCount: {}}}"
HELM = "image: {{repository: bitnami/kafka, tag: 4.0.0}}\n{}"
CP = "services:\n  k:\n    image: confluentinc/cp-kafka:7.9.0\n    environment: {{KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: 'broker,controller', KAFKA_LOG_DIRS: {}{}}}\n    volumes: ['k:{}']"
CONFLUENT = 'resource "confluent_kafka_topic" "t" {{\n  topic_name = "t"\n  {}\n  config = {{}}\n}}'
PLAIN = (
    MSK.removesuffix("}}").replace("{}", "3")
    + "  encryption_info {{\n    encryption_in_transit {{\n      client_broker = {}\n    }}\n  }}\n}}"
)
LOGINS = (
    MSK.removesuffix("}}").replace("{}", "3")
    + "  client_authentication {{\n    unauthenticated = {}\n    sasl {{\n      scram = true\n    }}\n  }}\n}}"
)
MANAGED = 'resource "confluent_connector" "c" {{\n  config_nonsensitive = {{ "connector.class" = "X", "name" = "c" }}\n  {}\n}}'
ACL = 'resource "kafka_acl" "{}" {{\n  acl_principal = "User:a"\n  resource_name = "t"\n  resource_type = "Topic"\n  acl_operation = "{}"\n  acl_permission_type = "Allow"\n}}\n'
IAM = LOGINS.replace("{}", "false").replace("scram = true", "scram = true\n      iam = {}")
DISK = (
    MSK.removesuffix("}}").replace("{}", "3")
    + "  broker_node_group_info {{\n    storage_info {{\n      ebs_storage_info {{\n        volume_size = {}\n      }}\n    }}\n  }}\n}}"
)
SECRETS = 'resource "aws_msk_scram_secret_association" "s" {{\n  cluster_arn = "c"\n  secret_arn_list = [{}]\n}}'
SERVICE = 'resource "aiven_kafka" "k" {{\n  project = "p"\n  service_name = "k"\n  plan = "{}"\n}}'
CLOUD_CLUSTER = 'resource "confluent_kafka_cluster" "c" {{\n  availability = "{}"\n  {}\n}}'
NAMED_CONFIGURATION = (
    'resource "aws_msk_configuration" "c" {{\n  name = {}\n  server_properties = "min.insync.replicas=2"\n  {}\n}}'
)
AT_REST = 'resource "aws_msk_cluster" "c" {{\n  cluster_name = "c"\n  encryption_info {{\n    encryption_at_rest_kms_key_arn = {}\n  }}\n}}'
QUOTA = 'resource "kafka_quota" "q" {{\n  entity_name = "c"\n  entity_type = "client-id"\n  config = {{ producer_byte_rate = "{}" }}\n}}'
SUBJECT = 'resource "confluent_subject_config" "s" {{\n  subject_name = "t-value"\n  compatibility_level = "{}"\n}}'
SCHEMA = 'resource "confluent_schema" "s" {{\n  subject_name = "t-value"\n  format = "AVRO"\n  hard_delete = {}\n}}\n'
MSK_CONNECT = {"connector_configuration": {"connector.class": "x.SourceConnector", "tasks.max": "1"}}
GUARD = "lifecycle {\n    prevent_destroy = true\n  }"
GUARDED = 'resource "kafka_topic" "a" {{\n  for_each = toset({})\n  name = each.key\n  partitions = 6\n  lifecycle {{\n    prevent_destroy = true\n  }}\n}}'
AIVEN = 'resource "aiven_kafka_topic" "a" {{\n  topic_name = "{}"\n  partitions = 6\n  replication = 3\n  termination_protection = {}\n}}'
STATEFUL = '{{apiVersion: apps/v1, kind: StatefulSet, metadata: {{name: k}}, spec: {{replicas: 3, template: {{spec: {{containers: [{{name: k, image: "apache/kafka:4.3.0", env: [{{name: KAFKA_NODE_ID, value: "1"}}, {{name: KAFKA_LOG_DIRS, value: /data}}], volumeMounts: [{{name: {0}, mountPath: /data}}]}}]}}}}, volumeClaimTemplates: [{{metadata: {{name: {0}}}, spec: {{{2}resources: {{requests: {{storage: {1}}}}}}}}}]}}}}'
PERSISTENT = "controller: {{replicaCount: 3, persistence: {{{}}}}}"
POD = """{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: k}}, spec: {{template: {{spec: {{volumes: [{{name: v, persistentVolumeClaim: {{claimName: {}}}}}], containers: [{{name: k, image: "apache/kafka:4.3.0", env: [{{name: KAFKA_NODE_ID, value: "1"}}, {{name: KAFKA_LOG_DIRS, value: /data}}], volumeMounts: [{{name: v, mountPath: /data}}]}}]}}}}}}}}"""
MIN_ISR = "min.insync.replicas=2\n"
NAMED = KAFKA + "\nvolumes: {{k: {}}}\n{}"
CLOUD = 'resource "confluent_kafka_topic" "t" {{\n  topic_name = "t"\n  partitions_count = 6\n  config = {{ "{}" = "9" }}\n}}'
CHART_VALUES, SPRING_VALUES = (
    "controller: {replicaCount: 3}\\nlisteners: {}",
    "spring: {kafka: {bootstrap-servers: a:1, producer: {acks: all}}}",
)
CHART_LISTENERS = (
    "listeners: {{client: {{protocol: SASL_SSL}}, interbroker: {{protocol: {}}}, controller: {{protocol: {}}}}}"
)
CHART_ROLES = "controller: {{replicaCount: 3, controllerOnly: {}}}"
MSK_IN = 'resource "aws_msk_cluster" "k" {{\n  cluster_name = "c"\n  number_of_broker_nodes = 3\n  broker_node_group_info {{\n    client_subnets = [{}]\n  }}\n}}\n'
RELEASE = 'resource "helm_release" "k" {{\n  name = "{}"\n  {}\n  chart = "oci://x/y"\n  values = ["controller: {{replicaCount: 3}}\\nlisteners: {{}}\\nkraft: {{}}"]\n}}\n'
LATEST = "aws_msk_configuration.c.latest_revision"
PINNED = (
    'resource "aws_msk_cluster" "m" {{\n  configuration_info {{\n    arn = aws_msk_configuration.c.arn\n    revision = {}\n  }}\n}}\n'
    'resource "aws_msk_configuration" "c" {{\n  server_properties = "min.insync.replicas={}"\n}}'
)
POLICY, ALLOWED = "connector.client.config.override.policy", "connector.client.config.override.allowlist"
FILES, SECRET = "config.providers: file", 'pass.word: "${file:/etc/s:p}"'
JAAS, RECORDS = "consumer.override.sasl.mechanism: PLAIN", "consumer.override.max.poll.records: 9"
GITOPS = "kafka-gitops -f state.yaml"
OVERRIDING = '{"name": "sink", "config": {"connector.class": "a.Sink", "topics": "t", "consumer.override.max.poll.records": "9"}}'


def connect(worker: str, connector: str) -> str:
    return "\n---\n".join(
        (
            resource("KafkaConnect", "c", f"bootstrapServers: a:1, config: {{{worker}}}"),
            resource("KafkaConnector", "orders", f"class: a.Sink, config: {{topics: t, {connector}}}"),
        )
    )


def workflow(command: str, variables: str = "{}") -> str:
    return f"jobs: {{topics: {{env: {variables}, steps: [{{run: '{command}'}}]}}}}"


CASES = [
    Case("KA1801", SILENT, change(CP.format("/data", "", "/data"), CP.format("/kafka", "", "/kafka")), "compose"),
    Case("KA1801", FIRES, change(CP.format("/data/a", "", "/data"), CP.format("/kafka/b", "", "/kafka")), "compose", severity="critical"),
    Case("KA1824", SILENT, change(CP.format("/data", "", "/data"), CP.format("/kafka", "", "/kafka")), "compose"),
    Case("KA1803", SILENT, change(CP.format("/data/a", "", "/data"), CP.format("/kafka/a", "", "/kafka")), "compose"),
    Case("KA1831", FIRES, change(CP.format("/d", ", CLUSTER_ID: a", "/d"), CP.format("/d", "", "/d")), "compose", severity="critical", says="it asks for CLUSTER_ID"),
    Case("KA1831", SILENT, change(CP.format("/d", "", "/d"), CP.format("/d", ", CLUSTER_ID: a", "/d")), "compose"),
    Case("KA1851", FIRES, change(CONFLUENT.format("partitions_count = 12"), CONFLUENT.format("")), "terraform", severity="critical", says="6 partitions in place of 12"),
    Case("KA1851", SILENT, change(CONFLUENT.format("partitions_count = 6"), CONFLUENT.format("")), "terraform"),
    Case("KA1809", FIRES, change(PLAIN.format('"TLS_PLAINTEXT"'), PLAIN.format('"TLS"')), "terraform", severity="high", says="PLAINTEXT"),
    Case("KA1809", SILENT, change(PLAIN.format('"TLS"'), PLAIN.format('"TLS_PLAINTEXT"')), "terraform"),
    Case("KA1809", UNKNOWN, change(PLAIN.format('"TLS"'), PLAIN.format("var.protocol")), "terraform"),
    Case("KA1809", FIRES, change(LOGINS.format("true"), LOGINS.format("false")), "terraform", says="do not log in"),
    Case("KA1809", SILENT, change(LOGINS.format("false"), LOGINS.format("true")), "terraform"),
    Case("KA1893", FIRES, "name=c\nconnector.class=io.debezium.connector.sqlserver.SqlServerConnector\n" + change("database.dbname=a", "database.names=a"), "connect", key="database.names", severity="critical", says="into other topics"),
    Case("KA1893", SILENT, "name=c\nconnector.class=io.debezium.connector.sqlserver.SqlServerConnector\n" + change("database.names=a", "database.names=a\ntasks.max=1"), "connect"),
    Case("KA1893", SILENT, "name=c\nconnector.class=io.debezium.connector.mysql.MySqlConnector\noffset.storage=org.apache.kafka.connect.storage.MemoryOffsetBackingStore\n" + change("topic.prefix=a", "topic.prefix=b"), "connect"),
    Case("KA1893", FIRES, change(MANAGED.format("offsets {\n    partition = { a = 1 }\n  }"), MANAGED.format("")), "terraform", severity="critical", says="resets"),
    Case("KA1893", SILENT, change(MANAGED.format(""), MANAGED.format("offsets {\n    partition = { a = 1 }\n  }")), "terraform"),
    Case("KA1822", FIRES, change(HELM.format("controller: {replicaCount: 3}"), HELM.format("controller: {replicaCount: 3}\nkraftVersion: 1")), "helm", severity="critical", says="the controller does not start unless kraft.version is 1"),
    Case("KA1810", FIRES, change(HELM.format(CHART_LISTENERS.format("SASL_SSL", "SASL_SSL")), HELM.format(CHART_LISTENERS.format("PLAINTEXT", "SASL_SSL"))), "helm", severity="high", says="brokers speak PLAINTEXT"),
    Case("KA1823", FIRES, change(HELM.format(CHART_ROLES.format("false")), HELM.format(CHART_ROLES.format("true"))), "helm", severity="high", says="the replicas of this broker are gone"),
    Case("KA1832", FIRES, change(HELM.format(CHART_ROLES.format("false")), HELM.format(CHART_ROLES.format("true"))), "helm", key="controller.controllerOnly", says="3 of 3 brokers go"),
    Case("KA1832", SILENT, change(HELM.format(CHART_ROLES.format("false")), HELM.format(CHART_ROLES.format("true") + "\nbroker: {replicaCount: 3}")), "helm"),
    Case("KA1832", FIRES, change(HELM.format(CHART_ROLES.format("true") + "\nbroker: {replicaCount: 5}"), HELM.format(CHART_ROLES.format("true") + "\nbroker: {replicaCount: 3}")), "helm", key="broker.replicaCount", says="2 of 5"),
    Case("KA1832", FIRES, change(HELM.format(BOTH_ROLES.format(3, 3)), HELM.format(BOTH_ROLES.format(5, 2))), "helm", key="broker.replicaCount", says="1 of 3"),
    Case("KA1832", SILENT, change(HELM.format(BOTH_ROLES.format(3, 3)), HELM.format(BOTH_ROLES.format(5, 3))), "helm"),
    Case("KA1832", UNKNOWN, change(HELM.format(BOTH_ROLES.format(3, 3)), HELM.format(BOTH_ROLES.format(5, "'${N}'"))), "helm"),
    Case("KA1822", FIRES, change(HELM.format("kraftVersion: 0"), HELM.format("kraftVersion: 1")), "helm"),
    Case("KA1822", SILENT, change(HELM.format("kraftVersion: 1"), HELM.format("kraftVersion: 0")), "helm"),
    Case("KA1822", SILENT, change(HELM.format("kraftVersion: 1"), HELM.format("kraftVersion: 1\ncontroller: {replicaCount: 3}")), "helm"),
    Case("KA1830", FIRES, change(HELM.format("fullnameOverride: kafka"), HELM.format("fullnameOverride: events")), "helm", key="fullnameOverride", severity="critical"),
    Case("KA1830", FIRES, change(HELM.format(""), HELM.format("nameOverride: events")), "helm", severity="critical"),
    Case("KA1830", FIRES, change(HELM.format("namespaceOverride: a"), HELM.format("")), "helm", severity="critical"),
    Case("KA1830", SILENT, change(HELM.format(""), HELM.format("nameOverride: kafka")), "helm"),
    Case("KA1830", SILENT, change(HELM.format("fullnameOverride: kafka\nreplicaCount: 3"), HELM.format("replicaCount: 5\nfullnameOverride: kafka")), "helm"),
    Case("KA1830", UNKNOWN, change(HELM.format("fullnameOverride: kafka"), HELM.format("fullnameOverride: '${NAME}'")), "helm"),
    Case("KA1831", FIRES, change(HELM.format("clusterId: abc"), HELM.format("")), "helm", severity="high", says="helm template"),
    Case("KA1831", FIRES, change(HELM.format("clusterId: abc"), HELM.format("existingKraftSecret: ids")), "helm", severity="medium", says="unless the Secret"),
    Case("KA1831", FIRES, change(HELM.format("clusterId: abc"), HELM.format("clusterId: xyz")), "helm", severity="critical"),
    Case("KA1831", SILENT, change(HELM.format(""), HELM.format("clusterId: abc")), "helm"),
    Case("KA1831", SILENT, change(HELM.format("clusterId: abc"), HELM.format("kraft: {clusterId: abc}")), "helm"),
    Case("KA1831", FIRES, change(KAFKA.format(", CLUSTER_ID: a", "k:/data"), KAFKA.format("", "k:/data")), "compose", severity="critical"),
    Case("KA1831", SILENT, change(KAFKA.format("", "k:/data"), KAFKA.format(", CLUSTER_ID: 5L6g3nShT-eMCtK--X86sw", "k:/data")), "compose"),
    Case("KA1830", FIRES, change(NAMED.format("", "k:/data", "", "name: a"), NAMED.format("", "k:/data", "", "name: b")), "compose", severity="critical"),
    Case("KA1830", FIRES, change(NAMED.format("", "k:/data", "", ""), NAMED.format("", "k:/data", "", "name: b")), "compose", severity="medium", says="unless the project"),
    Case("KA1830", SILENT, change(NAMED.format("", "k:/data", "{name: k}", "name: a"), NAMED.format("", "k:/data", "{name: k}", "name: b")), "compose"),
    Case("KA1830", SILENT, change(NAMED.format("", "k:/data", "", "name: a"), NAMED.format("", "k:/data", "{name: a_k}", "name: b")), "compose"),
    Case("KA1830", FIRES, change(NAMED.format("", "k:/data", "{name: x}", ""), NAMED.format("", "k:/data", "{name: y}", "")), "compose", severity="critical"),
    Case("KA1830", FIRES, change(NAMED.format("", "k:/data", "", ""), NAMED.format("", "k:/data", "{external: true}", "")), "compose", severity="critical"),
    Case("KA1830", SILENT, change(KAFKA.format("", "./d:/data") + "\nname: a", KAFKA.format("", "./d:/data") + "\nname: b"), "compose"),
    Case("KA1830", SILENT, change(OF_IMAGE.format("${REPO}/cp-kafka:${TAG}", "./secrets:/secrets"), OF_IMAGE.format("confluentinc/cp-kafka:7.9.0", "./secrets:/secrets")), "compose"),
    Case("KA1830", FIRES, change(OF_IMAGE.format("example/kafka:1", "logs:/kafka"), OF_IMAGE.format("example/kafka:1", "new:/kafka")), "compose", severity="critical"),
    Case("KA1830", SILENT, change(OF_IMAGE.format("example/kafka:1", "./a:/etc/kafka/secrets"), OF_IMAGE.format("example/kafka:1", "./b:/etc/kafka/secrets")), "compose"),
    Case("KA1830", UNKNOWN, change(NAMED.format("", "k:/data", "", "name: a"), NAMED.format("", "k:/data", "", 'name: "${P}"')), "compose"),
    Case("KA1850", FIRES, change(resource("KafkaTopic", "a", TOPIC), resource("KafkaTopic", "b", TOPIC)), "strimzi", severity="critical"),
    Case("KA1850", SILENT, change(resource("KafkaTopic", "a", TOPIC, UNMANAGED), resource("KafkaTopic", "b", TOPIC)), "strimzi"),
    Case("KA1850", FIRES, change(terraform("a", "t", 6), terraform("b", "t", 6)), "terraform", severity="critical"),
    Case("KA1850", SILENT, change(terraform("a", "t", 6), terraform("b", "t", 6) + MOVED), "terraform"),
    Case("KA1850", SILENT, change(terraform("a", "t", 6) + "\n" + terraform("c", "u", 6), terraform("c", "u", 6) + KEPT), "terraform"),
    Case("KA1850", FIRES, change(terraform("a", "${each.key}", 6, EACH.format('toset(["x", "y"])')), terraform("a", "${each.key}", 6, EACH.format('toset(["y"])'))), "terraform"),
    Case("KA1850", UNKNOWN, change(terraform("a", "${each.key}", 6, EACH.format('toset(["x", "y"])')), terraform("a", "${each.key}", 6, EACH.format("var.topics"))), "terraform", says="which instances"),
    Case("KA1851", FIRES, change(terraform("a", "t", 6), terraform("a", "u", 6)), "terraform", severity="critical", says="u is created empty"),
    Case("KA1851", SILENT, change(terraform("a", "t", 6), terraform("a", "t", 9)), "terraform"),
    Case("KA1851", UNKNOWN, change(terraform("a", "t", 6), terraform("a", "t", "var.n")), "terraform"),
    Case("KA1851", FIRES, change(terraform("a", "t", 12, GUARD), terraform("a", "t", 6, GUARD)), "terraform", severity="medium", says="Terraform refuses the plan (prevent_destroy)"),
    Case("KA1851", FIRES, change(terraform("a", "t", 6), terraform("a", "u", 6, GUARD)), "terraform", severity="medium", says="nothing is deleted"),
    Case("KA1851", FIRES, change(terraform("a", "t", 12, GUARD), terraform("a", "t", 6)), "terraform", severity="critical"),
    Case("KA1851", SILENT, change(terraform("a", "t", 6, GUARD), terraform("a", "t", 12, GUARD)), "terraform"),
    Case("KA1851", UNKNOWN, change(terraform("a", "t", 6, GUARD), terraform("a", "t", "var.n", GUARD)), "terraform"),
    Case("KA1851", FIRES, change(AIVEN.format("t", "true"), AIVEN.format("u", "true")), "terraform", severity="medium", says="the apply ends with an error (termination_protection)"),
    Case("KA1850", FIRES, change(terraform("a", "t", 6, GUARD), terraform("b", "u", 6, GUARD)), "terraform", severity="critical"),
    Case("KA1850", FIRES, change(GUARDED.format('["x", "y"]'), GUARDED.format('["y"]')), "terraform", severity="medium", says="refuses the plan"),
    Case("KA1850", FIRES, change(AIVEN.format("t", "true") + "\n" + MSK.format(3), MSK.format(3)), "terraform", severity="medium", says="termination_protection"),
    Case("KA1856", FIRES, change(MSK.format(3), MSK.format(f"3\n  {GUARD}").replace('= "c"', '= "d"')), "terraform", severity="medium", says="prevent_destroy"),
    Case("KA1851", FIRES, change(plan("kafka_topic", "no-op", name="t", partitions=6), plan("kafka_topic", "delete create", "partitions", name="t", partitions=6)), "plan", says="(partitions)"),
    Case("KA1851", SILENT, change(plan("kafka_topic", "no-op", name="t", partitions=6), plan("kafka_topic", "update", name="t", partitions=3)), "plan"),
    Case("KA1855", FIRES, change(plan("aws_msk_cluster", "no-op", cluster_name="c"), plan("aws_msk_cluster", "delete", cluster_name="c")), "plan", severity="critical"),
    Case("KA1855", SILENT, change(plan("kafka_acl", "no-op"), plan("kafka_acl", "delete")), "plan"),
    Case("KA1856", FIRES, change(plan("aws_msk_cluster", "no-op", cluster_name="c"), plan("aws_msk_cluster", "delete create", "cluster_name", cluster_name="d")), "plan", severity="critical", says="(cluster_name)"),
    Case("KA1856", SILENT, change(plan("aws_msk_cluster", "no-op", cluster_name="c"), plan("aws_msk_cluster", "update", cluster_name="c", number_of_broker_nodes=6)), "plan"),
    Case("KA1857", FIRES, change(plan("kafka_acl", "no-op"), plan("kafka_acl", "delete")), "plan", severity="high"),
    Case("KA1857", SILENT, change(plan("kafka_user_scram_credential", "no-op"), plan("kafka_user_scram_credential", "delete")), "plan"),
    Case("KA1858", FIRES, change(plan("kafka_acl", "no-op"), plan("kafka_acl", "delete create", "acl_principal")), "plan", severity="high"),
    Case("KA1858", SILENT, change(plan("kafka_acl", "no-op"), plan("kafka_acl", "no-op")), "plan"),
    Case("KA1858", FIRES, change(ACL.format("a", "All"), ACL.format("a", "Read")), "terraform", severity="high", says="acl_operation"),
    Case("KA1858", SILENT, change(ACL.format("a", "All"), ACL.format("b", "All")), "terraform"),
    Case("KA1857", FIRES, change(ACL.format("a", "All") + "\n" + MSK.format(3), MSK.format(3)), "terraform", severity="high", says="denied"),
    Case("KA1857", FIRES, change(ACL.format("a", "All").replace("Allow", "Deny") + "\n" + MSK.format(3), MSK.format(3)), "terraform", says="allowed again"),
    Case("KA1857", SILENT, change(ACL.format("a", "All"), ACL.format("b", "All")), "terraform"),
    Case("KA1856", FIRES, change(MSK.format(3), MSK.format(3).replace('"c"\n', '"d"\n')), "terraform", says="(cluster_name)"),
    Case("KA1856", FIRES, change(MSK.format(3), MSK.format(3).replace('= "c"\n', "= var.name\n")), "terraform", severity="high", says="(cluster_name), unless the reference has the value of before"),
    Case("KA1856", UNKNOWN, change(MSK.format(3).replace('= "c"\n', "= var.name\n"), MSK.format(3).replace('= "c"\n', "= lower(var.name)\n")), "terraform", says="worked out of the other"),
    Case("KA1856", UNKNOWN, change(MSK.format(3).replace('= "c"\n', '= coalesce(var.name, "c")\n'), MSK.format(3).replace('= "c"\n', "= var.name\n")), "terraform"),
    Case("KA1856", FIRES, change(MSK.format(3).replace('= "c"\n', "= var.name\n"), MSK.format(3).replace('= "c"\n', '= "x-${var.name}"\n')), "terraform", severity="high"),
    Case("KA1856", SILENT, change(MSK_IN.format("aws_subnet.a.id, aws_subnet.b.id"), MSK_IN.format("aws_subnet.b.id, aws_subnet.a.id")), "terraform"),
    Case("KA1856", FIRES, change(MSK_IN.format("aws_subnet.a.id, aws_subnet.b.id"), MSK_IN.format("aws_subnet.a.id, aws_subnet.c.id")), "terraform", severity="high"),
    Case("KA1856", FIRES, change(AT_REST.format("aws_kms_key.k.arn"), AT_REST.format("aws_kms_key.k2.arn")), "terraform", severity="high", says="unless the reference"),
    Case("KA1856", FIRES, change(AT_REST.format("aws_kms_key.k.arn"), AT_REST.format('"arn:aws:kms:eu-central-1:1:key/b"')), "terraform", severity="high", says="unless the reference"),
    Case("KA1856", FIRES, change(AT_REST.format('"arn:a"'), AT_REST.format('"arn:b"')), "terraform", severity="critical", says="encryption_at_rest_kms_key_arn)"),
    Case("KA1856", SILENT, change(AT_REST.format("aws_kms_key.k.arn"), AT_REST.format("aws_kms_key.k.arn") + "\n"), "terraform"),
    Case("KA1856", FIRES, change(AT_REST.format("aws_kms_key.k.arn"), AT_REST.format("aws_kms_key.k2.arn").replace("{", "{\n  " + GUARD, 1)), "terraform", severity="medium", says="prevent_destroy"),
    Case("KA1858", FIRES, change(ACL.format("a", "All").replace('"t"', "kafka_topic.t.name"), ACL.format("a", "All").replace('"t"', "kafka_topic.u.name")), "terraform", severity="medium", says="(resource_name): clients are denied in between, unless the reference"),
    Case("KA1855", FIRES, change(MSK.format(3) + ACL.format("a", "All"), ACL.format("a", "All")), "terraform", severity="critical"),
    Case("KA1809", FIRES, change(IAM.format("true"), IAM.format("false")), "terraform", says="log in by iam"),
    Case("KA1809", SILENT, change(IAM.format("false"), IAM.format("true")), "terraform"),
    Case("KA1807", FIRES, change(MSK.format(3), MSK.format(3).replace("3.6.0", "3.7.x")), "terraform", severity="medium", says="does not go back to 3.6"),
    Case("KA1807", SILENT, change(MSK.format(3), MSK.format(3).replace("3.6.0", "3.6.1")), "terraform"),
    Case("KA1830", FIRES, change(STATEFUL.format("data", "9Gi", ""), STATEFUL.format("kdata", "9Gi", "")), "kubernetes", severity="high", says="Kubernetes refuses other claims"),
    Case("KA1830", SILENT, change(STATEFUL.format("data", "9Gi", ""), STATEFUL.format("data", "10Gi", "")), "kubernetes"),
    Case("KA1830", UNKNOWN, change(STATEFUL.format("data", "9Gi", ""), STATEFUL.format("'${N}'", "9Gi", "")), "kubernetes"),
    Case("KA1830", FIRES, change(POD.format("a"), POD.format("b")), "kubernetes", severity="critical"),
    Case("KA1830", SILENT, change(POD.format("a"), POD.format("a").replace("name: v", "name: w")), "kubernetes"),
    Case("KA1835", FIRES, change(STATEFUL.format("data", "9Gi", ""), STATEFUL.format("data", "10Gi", "")), "kubernetes", severity="medium", says="refuses other claims of a StatefulSet (9Gi to 10Gi)"),
    Case("KA1835", FIRES, change(STATEFUL.format("data", "9Gi", ""), STATEFUL.format("data", "9Gi", "storageClassName: fast, ")), "kubernetes", says="(9Gi to fast 9Gi)"),
    Case("KA1835", SILENT, change(STATEFUL.format("data", "1Gi", ""), STATEFUL.format("data", "1024Mi", "")), "kubernetes"),
    Case("KA1835", UNKNOWN, change(STATEFUL.format("data", "1Gi", ""), STATEFUL.format("data", "'${S}'", "")), "kubernetes"),
    Case("KA1835", FIRES, change(HELM.format(PERSISTENT.format("size: 100Gi")), HELM.format(PERSISTENT.format("size: 50Gi"))), "helm", key="controller.persistence.size", says="100Gi to 50Gi"),
    Case("KA1835", FIRES, change(HELM.format(PERSISTENT.format("size: 9Gi")), HELM.format(PERSISTENT.format("size: 9Gi, storageClass: fast"))), "helm"),
    Case("KA1835", SILENT, change(HELM.format(PERSISTENT.format("size: 9Gi")), HELM.format(PERSISTENT.format("size: 10Gi, enabled: false"))), "helm"),
    Case("KA1835", UNKNOWN, change(HELM.format(PERSISTENT.format("size: 9Gi")), HELM.format(PERSISTENT.format("size: '${S}'"))), "helm"),
    Case("KA1835", FIRES, change(DISK.format("100"), DISK.format("50")), "terraform", severity="medium", says="100 to 50 GiB"),
    Case("KA1835", SILENT, change(DISK.format("100"), DISK.format("200")), "terraform"),
    Case("KA1835", UNKNOWN, change(DISK.format("100"), DISK.format("var.size")), "terraform"),
    Case("KA1877", FIRES, change(SECRETS.format('"x", "y"'), SECRETS.format('"x"')), "terraform", severity="high", says="y is taken out"),
    Case("KA1877", SILENT, change(SECRETS.format('"x", "y"'), SECRETS.format('"y", "x", "z"')), "terraform"),
    Case("KA1879", FIRES, change(QUOTA.format("100"), QUOTA.format("50")), "terraform", severity="medium"),
    Case("KA1879", SILENT, change(QUOTA.format("50"), QUOTA.format("100")), "terraform"),
    Case("KA1888", FIRES, change(SUBJECT.format("BACKWARD"), SUBJECT.format("NONE")), "terraform", severity="high"),
    Case("KA1888", SILENT, change(SUBJECT.format("NONE"), SUBJECT.format("FULL")), "terraform"),
    Case("KA1893", FIRES, change(plan("aws_mskconnect_connector", "no-op", **MSK_CONNECT), plan("aws_mskconnect_connector", "delete create", "connector_configuration", **MSK_CONNECT)), "plan", severity="critical", says="a new topic for its positions"),
    Case("KA1893", SILENT, change(plan("aws_mskconnect_connector", "no-op", **MSK_CONNECT), plan("aws_mskconnect_connector", "update", **MSK_CONNECT)), "plan"),
    Case("KA1894", SILENT, change(MANAGED.format(""), MANAGED.format("").replace('"c" }', '"d" }')), "terraform"),
    Case("KA2101", SILENT, change(SCHEMA.format("false") + MSK.format(3), MSK.format(3)), "terraform"),
    Case("KA2101", UNKNOWN, change(SCHEMA.format("true\n  " + EACH.format('toset(["x", "y"])')), SCHEMA.format("true\n  " + EACH.format("var.schemas"))), "terraform", says="which instances"),
    Case("KA2102", SILENT, change(plan("confluent_schema", "no-op", subject_name="a"), plan("confluent_schema", "delete create", "schema", subject_name="a")), "plan"),
    Case("KA2103", FIRES, change(terraform("a", "t", 6, GUARD), terraform("a", "t", 6, GUARD.replace("true", "false"))), "terraform", severity="medium", says="nothing keeps"),
    Case("KA2103", FIRES, change(QUOTA.format("100") + "\n" + MSK.format(3), MSK.format(3)), "terraform", says="not held back"),
    Case("KA2103", SILENT, change(terraform("a", "t", 6, GUARD), terraform("b", "t", 6, GUARD) + MOVED), "terraform"),
    Case("KA2103", SILENT, change(terraform("a", "t", 6), terraform("a", "t", 6, GUARD)), "terraform"),
    Case("KA2104", FIRES, change(MANAGED.format(""), MANAGED.format("").replace('"c" }', '"d" }')), "terraform", severity="medium", says="c to d"),
    Case("KA2104", SILENT, change(plan("aws_msk_configuration", "no-op", server_properties=MIN_ISR), plan("aws_msk_configuration", "update", server_properties=MIN_ISR)), "plan"),
    Case("KA2104", FIRES, change(plan("aws_msk_configuration", "no-op", server_properties=MIN_ISR), plan("aws_msk_configuration", "delete create", "name", server_properties=MIN_ISR)), "plan", severity="high", says="(name)"),
    Case("KA2104", FIRES, change(CLOUD.format("retention.ms"), CLOUD.format("segment.jitter.ms")), "terraform", severity="medium", says="refuses this one"),
    Case("KA2104", SILENT, change(CLOUD.format("retention.ms"), CLOUD.format("retention.bytes")), "terraform"),
    Case("KA2104", SILENT, change(terraform("a", "t", 6), terraform("a", "t", 6, 'config = { "segment.jitter.ms" = "9" }')), "terraform"),
    Case("KA1855", FIRES, change(RELEASE.format("k", "") + MSK.format(3), MSK.format(3)), "terraform", severity="critical", says="uninstalled"),
    Case("KA1855", SILENT, change(RELEASE.format("k", "").replace(CHART_VALUES, SPRING_VALUES) + MSK.format(3), MSK.format(3)), "terraform"),
    Case("KA1856", FIRES, change(RELEASE.format("k", ""), RELEASE.format("m", "")), "terraform", severity="critical", says="empty volumes (name)"),
    Case("KA1856", FIRES, change(RELEASE.format("k", ""), RELEASE.format("k", "namespace = \"n\"")), "terraform", says="(namespace)"),
    Case("KA1856", SILENT, change(RELEASE.format("k", ""), RELEASE.format("k", "namespace = \"default\"")), "terraform"),
    Case("KA1856", FIRES, change(RELEASE.format("k", ""), RELEASE.format("k", "namespace = var.n")), "terraform", severity="high", says="unless the reference"),
    Case("KA2106", FIRES, change(SERVICE.format("business-4"), SERVICE.format("startup-2")), "terraform", key="aiven_kafka.k.plan", severity="medium", says="(business-4 to startup-2): it needs room"),
    Case("KA2106", FIRES, change(SERVICE.format("premium-9x-8"), SERVICE.format("premium-6x-8")), "terraform", severity="medium", says="may refuse fewer nodes"),
    Case("KA2106", FIRES, change(SERVICE.format("business-8"), SERVICE.format("premium-6x-8")), "terraform", severity="low", says="to a new node"),
    Case("KA2106", SILENT, change(SERVICE.format("business-4"), SERVICE.format("business-4") + "\n"), "terraform"),
    Case("KA2106", UNKNOWN, change(SERVICE.format("business-4"), SERVICE.format("${var.plan}")), "terraform"),
    Case("KA1856", FIRES, change(CLOUD_CLUSTER.format("MULTI_ZONE", "standard {}"), CLOUD_CLUSTER.format("SINGLE_ZONE", "standard {}")), "terraform", severity="critical", says="(availability)"),
    Case("KA1856", FIRES, change(CLOUD_CLUSTER.format("HIGH", "network {\n    id = \"n-1\"\n  }"), CLOUD_CLUSTER.format("MULTI_ZONE", "network {\n    id = \"n-2\"\n  }")), "terraform", says="(network.id)"),
    Case("KA1856", SILENT, change(CLOUD_CLUSTER.format("SINGLE_ZONE", "standard {}"), CLOUD_CLUSTER.format("LOW", "standard {}")), "terraform"),
    Case("KA2115", FIRES, change(CLOUD_CLUSTER.format("LOW", "standard {}"), CLOUD_CLUSTER.format("LOW", "basic {}")), "terraform", severity="medium", says="(standard to basic)"),
    Case("KA2115", SILENT, change(CLOUD_CLUSTER.format("LOW", "basic {}"), CLOUD_CLUSTER.format("LOW", "standard {}")), "terraform"),
    Case("KA2115", SILENT, change(CLOUD_CLUSTER.format("LOW", "dedicated {\n    cku = 2\n  }"), CLOUD_CLUSTER.format("LOW", "dedicated {\n    cku = 3\n  }")), "terraform"),
    Case("KA2104", FIRES, change(NAMED_CONFIGURATION.format('"prod"', ""), NAMED_CONFIGURATION.format('"prod-v2"', "")), "terraform", severity="high", says="(name)"),
    Case("KA2104", FIRES, change(NAMED_CONFIGURATION.format('"prod"', ""), NAMED_CONFIGURATION.format('"prod"', 'kafka_versions = ["3.8.x"]')), "terraform", severity="high", says="(kafka_versions)"),
    Case("KA2104", FIRES, change(NAMED_CONFIGURATION.format('"prod"', ""), NAMED_CONFIGURATION.format("var.name", "")), "terraform", severity="medium", says="(name)"),
    Case("KA2104", SILENT, change(NAMED_CONFIGURATION.format('"prod"', ""), NAMED_CONFIGURATION.format('"prod-v2"', "lifecycle {\n    create_before_destroy = true\n  }")), "terraform"),
    Case("KA2104", SILENT, change(NAMED_CONFIGURATION.format('"prod"', ""), NAMED_CONFIGURATION.format('"prod"', 'description = "x"')), "terraform"),
    Case("KA2104", SILENT, change(plan("aws_msk_configuration", "no-op", server_properties=MIN_ISR), plan("aws_msk_configuration", "create delete", "name", server_properties=MIN_ISR)), "plan"),
    Case("KA2106", FIRES, change(PINNED.format("1", 2), PINNED.format("2", 3)), "terraform", severity="medium"),
    Case("KA2106", FIRES, change(PINNED.format(LATEST, 2), PINNED.format(LATEST, 3)), "terraform", severity="low", says="new revision"),
    Case("KA2106", SILENT, change(PINNED.format("1", 2), PINNED.format("1", 3)), "terraform"),
    Case("KA2106", UNKNOWN, change(PINNED.format(LATEST, 2), PINNED.format(LATEST, "${var.min}")), "terraform"),
    Case("KA2107", SILENT, change(PINNED.format("1", 2), PINNED.format("2", 3)), "terraform"),
    Case("KA2107", SILENT, change(PINNED.format("1", 2), PINNED.format("1", "2\\n# two of three")), "terraform"),
    Case("KA2107", UNKNOWN, change(PINNED.format("1", 2), PINNED.format("1", "${var.min}")), "terraform"),
    Case("KA2108", FIRES, change(connect(FILES, SECRET), connect("", SECRET)), "strimzi", severity="high", says="orders does not start: pass.word: no provider"),
    Case("KA2108", SILENT, change(connect(FILES, SECRET), connect(FILES + ", config.providers.file.class: x", SECRET)), "strimzi"),
    Case("KA2108", SILENT, change(connect("", JAAS), connect(f"{POLICY}: Principal", JAAS)), "strimzi"),
    Case("KA2108", FIRES, change(connect("", RECORDS), connect(f"{POLICY}: Allowlist", RECORDS)), "strimzi", says="consumer.override.max.poll.records"),
    Case("KA2108", SILENT, change(connect("", RECORDS), connect(f"{POLICY}: Allowlist, {ALLOWED}: 'a, max.poll.records'", RECORDS)), "strimzi"),
    Case("KA2108", UNKNOWN, change(connect(FILES, SECRET), connect("config.providers: '${P}'", SECRET)), "strimzi"),
    Case("KA2110", FIRES, change(workflow("jikkou apply"), workflow("jikkou apply -o delete-orphans=true")), "workflow", severity="medium"),
    Case("KA2110", FIRES, change(workflow("julie-ops-cli.sh"), workflow("ALLOW_DELETE_TOPICS=true julie-ops-cli.sh")), "workflow"),
    Case("KA2110", FIRES, change(workflow("julie-ops-cli.sh"), workflow("julie-ops-cli.sh", "{ALLOW_DELETE_TOPICS: true}")), "workflow"),
    Case("KA2110", SILENT, change(workflow("julie-ops-cli.sh"), workflow("julie-ops-cli.sh", "{ALLOW_DELETE_TOPICS: false}")), "workflow"),
    Case("KA2110", SILENT, change(workflow(f"{GITOPS} --no-delete apply"), workflow(f"{GITOPS} plan; {GITOPS} --no-delete apply")), "workflow"),
    Case("KA2110", SILENT, change(workflow(f"{GITOPS} apply"), workflow(f"{GITOPS} apply --skip-acls")), "workflow"),
    Case("KA1852", FIRES, change(resource("KafkaUser", "a", "authentication: {type: tls}"), resource("KafkaUser", "b", "authentication: {type: tls}")), "strimzi", severity="critical"),
    Case("KA1852", SILENT, change(resource("KafkaTopic", "a", TOPIC), resource("KafkaUser", "b", "authentication: {type: tls}")), "strimzi"),
    Case("KA2111", FIRES, change(nodes("kafka1 kafka2 kafka3"), nodes("kafka1 kafka2")), "compose", severity="medium", says="only replica"),
    Case("KA2111", SILENT, change(nodes("kafka1 kafka2"), nodes("kafka1 kafka2 kafka3")), "compose"),
    Case("KA2111", UNKNOWN, change(nodes("kafka1 kafka2").replace("ID: 2", "ID: '${N}'"), nodes("kafka1")), "compose"),
    Case("KA2111", SILENT, change(nodes("kafka1 kafka2"), nodes("kafka1 other2")), "compose"),
    Case("KA2111", SILENT, change(nodes("kafka1 kafka2", "controller"), nodes("kafka1", "controller")), "compose"),
    Case("KA1853", FIRES, change(resource("KafkaNodePool", "a", POOL + "}"), resource("KafkaNodePool", "b", POOL + "}")), "strimzi", severity="critical"),
    Case("KA1853", SILENT, change(resource("KafkaNodePool", "a", POOL.replace("[broker]", "[controller]") + "}"), resource("KafkaNodePool", "b", POOL + "}")), "strimzi"),
    Case("KA1853", UNKNOWN, change(resource("KafkaNodePool", "a", POOL.replace("3", "'${N}'") + "}"), resource("KafkaNodePool", "b", POOL + "}")), "strimzi"),
    Case("KA1854", FIRES, change(resource("KafkaNodePool", "a", POOL + "}"), resource("KafkaNodePool", "a", POOL + ", deleteClaim: true}")), "strimzi", severity="medium"),
    Case("KA1854", SILENT, change(resource("KafkaNodePool", "a", POOL + ", deleteClaim: true}"), resource("KafkaNodePool", "a", POOL + "}")), "strimzi"),
    Case("KA1830", FIRES, change(KAFKA.format("", "./old:/data"), KAFKA.format("", "./new:/data")), "compose", severity="critical"),
    Case("KA1830", FIRES, change(KAFKA.format("", "k:/data"), KAFKA.format("", "k:/other")), "compose", says="no longer on a volume"),
    Case("KA1830", SILENT, change(KAFKA.format("", "k:/other"), KAFKA.format("", "k:/data")), "compose"),
    Case("KA1830", UNKNOWN, change(KAFKA.format("", "k:/data"), KAFKA.format("", '"${VOLUME}:/data"')), "compose"),
    Case("KA1831", FIRES, change(KAFKA.format(", CLUSTER_ID: a", "k:/data"), KAFKA.format(", CLUSTER_ID: b", "k:/data")), "compose", severity="critical"),
    Case("KA1831", SILENT, change(KAFKA.format(", CLUSTER_ID: a", ""), KAFKA.format(", CLUSTER_ID: b", "")), "compose"),
    Case("KA1831", UNKNOWN, change(KAFKA.format(", CLUSTER_ID: a", "k:/data"), KAFKA.format(", CLUSTER_ID: '${ID}'", "k:/data")), "compose"),
    Case("KA1832", FIRES, change(MSK.format(6), MSK.format(3)), "terraform", severity="medium", says="Amazon MSK refuses unless"),
    Case("KA1832", SILENT, change(MSK.format(3), MSK.format(6)), "terraform"),
    Case("KA1832", UNKNOWN, change(MSK.format(6), MSK.format("var.n")), "terraform"),
    Case("KA1833", FIRES, change(KAFKA.format("", "k:/data"), KAFKA.format("", "k:/data").replace("4.3.0", "4.2.0")), "compose", severity="high"),
    Case("KA1833", SILENT, change(KAFKA.format("", "k:/data"), KAFKA.format("", "k:/data").replace("4.3.0", "4.3.1")), "compose"),
    Case("KA1833", FIRES, change(OF_IMAGE.format("confluentinc/cp-kafka:6.1.0", "k:/d"), OF_IMAGE.format("confluentinc/cp-kafka:6.0.2", "k:/d")), "compose", severity="high", says="inter.broker.protocol.version 2.7"),
    Case("KA1833", SILENT, change(*(OF_IMAGE.replace("{{", "{{KAFKA_INTER_BROKER_PROTOCOL_VERSION: '2.6', ").format(f"confluentinc/cp-kafka:{tag}", "k:/d") for tag in ("6.1.0", "6.0.2"))), "compose"),
    Case("KA1833", SILENT, change(KAFKA.format("", "k:/data"), KAFKA.format("", "k:/data").replace("4.3.0", "latest")), "compose"),
    Case("KA1893", FIRES, POSTGRES + change("slot.name=a", "slot.name=b"), "connect", severity="critical", says="skipped"),
    Case("KA1893", FIRES, "connector.class=io.confluent.connect.jdbc.JdbcSourceConnector\n" + change("mode=bulk", "mode=timestamp"), "connect", severity="high"),
    Case("KA1893", FIRES, POSTGRES + change("", "plugin.name=pgoutput"), "connect", severity="high"),
    Case("KA1893", SILENT, POSTGRES + change("", "slot.name=debezium"), "connect"),
    Case("KA1893", FIRES, JDBC + "mode=incrementing\n" + change("query=a", "query=b"), "connect", severity="high"),
    Case("KA1893", SILENT, JDBC + "mode=bulk\n" + change("query=a", "query=b"), "connect"),
    Case("KA1893", FIRES, SINK + change("topics=a", "topics=a,b"), "connect", severity="medium", says="whole history of b"),
    Case("KA1893", FIRES, SINK + change("topics=a,b", "topics=b"), "connect", severity="medium", says="a is not read any more"),
    Case("KA1893", SILENT, SINK + change("topics=a,b", "topics=b, a"), "connect"),
    Case("KA1893", SILENT, SOURCE + change("topics=a", "topics=a,b"), "connect"),
    Case("KA1893", UNKNOWN, SINK + change("topics=a", "topics=${TOPICS}"), "connect"),
    Case("KA1898", FIRES, MIRROR + "clusters=a,b\n" + change("a->b.sync.group.offsets.enabled=true", ""), "mirror", severity="high", says="not translated"),
    Case("KA1898", FIRES, MIRROR + "clusters=a,b\n" + change("", "a->b.groups=x"), "mirror", severity="high"),
    Case("KA1898", SILENT, MIRROR + "clusters=a,b\n" + change("a->b.groups=x", ""), "mirror"),
    Case("KA1898", SILENT, MIRROR + "clusters=a,b\n" + change("", "a->b.topics=.*"), "mirror"),
    Case("KA1893", SILENT, POSTGRES + change("slot.name=a", "slot.name=a\ntopic.prefix=x"), "connect"),
    Case("KA1893", UNKNOWN, POSTGRES + change("slot.name=a", "slot.name=${SLOT}"), "connect"),
    Case("KA1894", FIRES, change(resource("KafkaConnector", "a", "class: x.SinkConnector, config: {topics: t}"), resource("KafkaConnector", "b", "class: x.SinkConnector, config: {topics: t}")), "strimzi", says="writes everything"),
    Case("KA1894", SILENT, change(resource("KafkaConnector", "a", "class: x.SinkConnector, config: {topics: t}"), resource("KafkaConnector", "a", "class: x.SinkConnector, config: {topics: u}")), "strimzi"),
    Case("KA1895", FIRES, "name=c\n" + change("connector.class=a.SinkConnector", "connector.class=a.SourceConnector"), "connect", severity="high"),
    Case("KA1895", SILENT, "name=c\n" + change("connector.class=a.FileConnector", "connector.class=File"), "connect"),
    Case("KA1895", SILENT, "name=c\n" + change("connector.class=a.SinkConnector", "connector.class=b.OtherSinkConnector"), "connect"),
    Case("KA1895", UNKNOWN, "name=c\n" + change("connector.class=a.SinkConnector", "connector.class=${C}"), "connect"),
    Case("KA1896", FIRES, SINK + change("", "errors.tolerance=all"), "connect", severity="high"),
    Case("KA1896", SILENT, SINK + "errors.tolerance=all\n" + change("", "errors.deadletterqueue.topic.name=d"), "connect"),
    Case("KA1896", UNKNOWN, SINK + change("", "errors.tolerance=${T}"), "connect"),
    Case("KA1897", FIRES, MIRROR + change("clusters=a,b", "clusters=c,b"), "mirror", says="a becomes c"),
    Case("KA1897", SILENT, MIRROR + change("clusters=a,b", "clusters=b, a"), "mirror"),
    Case("KA1897", UNKNOWN, MIRROR + change("clusters=a,b", "clusters=${C}"), "mirror"),
    Case("KA1897", FIRES, MIRROR + "clusters=a,b\n" + change("b.offset.storage.topic=o", "b.offset.storage.topic=p"), "mirror", severity="critical", says="positions are in o"),
    Case("KA1897", UNKNOWN, MIRROR + "clusters=a,b\n" + change("b.offset.storage.topic=o", "b.offset.storage.topic=${O}"), "mirror"),
    Case("KA1897", SILENT, MIRROR + "clusters=a,b\n" + change("b.status.storage.topic=o", "b.status.storage.topic=p"), "mirror"),
    Case("KA1898", FIRES, "clusters=a,b\n" + change("replication.policy.separator=-", "replication.policy.separator=_"), "mirror", severity="critical"),
    Case("KA1898", SILENT, "clusters=a,b\n" + change("", "replication.policy.separator=."), "mirror"),
    Case("KA1898", UNKNOWN, "clusters=a,b\n" + change("", "replication.policy.class=${P}"), "mirror"),
    Case("KA1899", FIRES, resource("KafkaConnector", "a", "class: x.Sink, config: {topics: t}") + "\n" + change("---\n" + resource("KafkaConnector", "b", "class: x.Sink, config: {topics: t}"), ""), "strimzi", severity="high"),
    Case("KA1899", SILENT, change(resource("KafkaTopic", "a", TOPIC), resource("KafkaTopic", "b", TOPIC)), "strimzi"),
]  # fmt: skip


def test_cases() -> None:
    check_all(CASES)


def test_a_connector_is_judged_with_the_one_worker_of_all_files(tmp_path: Path) -> None:
    """Which of two workers runs a connector stands in no file of theirs."""
    worker = (
        "bootstrap.servers=a:1\ngroup.id=g\nconfig.storage.topic=c\noffset.storage.topic=o\nstatus.storage.topic=s\n"
    )
    for side, policy in (("before", ""), ("after", f"{POLICY}=None\n")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "connect-distributed.properties").write_text(worker + policy)
        (tmp_path / side / "sink.json").write_text(OVERRIDING)

    def severities() -> list[tuple[str, str]]:
        ran = run("diff", tmp_path / "before", tmp_path / "after", "--format", "json", "--no-config")
        return [(row["rule"], row["severity"]) for row in ran.json["change_findings"]]

    assert severities() == [("KA2108", "high")]
    for side in ("before", "after"):
        (tmp_path / side / "connect-other.properties").write_text(worker.replace("=c\n", "=other\n"))
    assert severities() == [("KA2109", "low")]


@pytest.mark.parametrize(
    ("before", "after", "keys"),
    [
        ("slot.name=a\ntopic.prefix=x", "slot.name=b\ntopic.prefix=y", ["topic.prefix"]),
        ("slot.name=a\nplugin.name=decoderbufs", "slot.name=b\nplugin.name=pgoutput", ["slot.name"]),
        ("database.dbname=a\ntopic.prefix=x", "database.dbname=b\ntopic.prefix=x", ["database.dbname"]),
        ("database.hostname=a\ntopic.prefix=x", "database.hostname=b\ntopic.prefix=x", ["database.hostname"]),
    ],
)
def test_a_connector_without_a_position_has_none_that_fits_nothing(before: str, after: str, keys: list[str]) -> None:
    results = results_of(Case("KA1893", FIRES, POSTGRES + change(before, after), "connect"))
    assert [result.finding.key for result in results if result.finding] == keys
