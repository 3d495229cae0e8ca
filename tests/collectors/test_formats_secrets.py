"""A secret planted anywhere in a file of any format is in no output."""

from __future__ import annotations

from pathlib import Path

import pytest

from collectors.files.syntax.properties_file import read_settings
from tests.support.commands import run

CANARY = "Zq7canaryXw9Zq7canaryXw9Zq7"
"""Longer than what is shown of a value that should be a number; harmless keys (a class, a host) show theirs."""
FORMATS = ("text", "concise", "json", "sarif", "junit", "gitlab", "github", "csv", "markdown", "prometheus", "html")
JAAS = f'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="{CANARY}";'
FILES = {
    "compose.yml": f"""
services:
  kafka:
    image: confluentinc/cp-kafka:7.4.0
    command: start-kafka --password {CANARY}
    ports: ["9092:9092"]
    environment:
      KAFKA_BROKER_ID: 1
      KAFKA_ZOOKEEPER_CONNECT: "user:{CANARY}@z:2181"
      KAFKA_SSL_KEYSTORE_PASSWORD: {CANARY}
      KAFKA_SASL_JAAS_CONFIG: '{JAAS}'
      KAFKA_NO_SUCH_THING: {CANARY}
      KAFKA_NUM_PARTITIONS: {CANARY}
      KAFKA_JMX_OPTS: -Dcom.sun.management.jmxremote.authenticate=false -Djavax.net.ssl.keyStorePassword={CANARY}
      KAFKA_CFG_MY_SECRET: {CANARY}
  list:
    image: bitnamilegacy/kafka:3.8
    environment:
      - KAFKA_CFG_NODE_ID=1
      - KAFKA_CFG_SSL_KEY_PASSWORD={CANARY}
      - KAFKA_CLIENT_PASSWORDS={CANARY}
""",
    "strimzi.yaml": f"""
apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata: {{name: k, annotations: {{token: {CANARY}}}}}
spec:
  kafka:
    replicas: 1
    listeners: [{{name: plain, port: 9092, type: internal, tls: false}}]
    config:
      ssl.keystore.password: {CANARY}
      my.secret: {CANARY}
      num.partitions: {CANARY}
      sasl.jaas.config: '{JAAS}'
  zookeeper: {{replicas: 1}}
""",
    "release.yaml": f"""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: k, annotations: {{token: {CANARY}}}}}
spec:
  chart: {{spec: {{chart: kafka}}}}
  values:
    sasl: {{client: {{passwords: {CANARY}}}, interbroker: {{password: {CANARY}}}}}
    tls: {{keystorePassword: {CANARY}}}
    extraConfig: |
      ssl.keystore.password={CANARY}
      my.secret={CANARY}
      num.partitions={CANARY}
      sasl.jaas.config={JAAS}
""",
    "app.yaml": f"""
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: k}}
spec:
  source:
    chart: kafka
    helm:
      values: |
        sasl: {{client: {{passwords: {CANARY}}}}}
        extraConfig: |
          ssl.keystore.password={CANARY}
          acks=1 sasl.password={CANARY}
      parameters:
      - {{name: sasl.interbroker.password, value: {CANARY}}}
      - {{name: extraConfig, value: "sasl.jaas.config={CANARY}"}}
""",
    "application.yml": f"""
spring:
  datasource: {{password: {CANARY}}}
  kafka:
    bootstrap-servers: user:{CANARY}@b:9092
    ssl: {{key-store-password: {CANARY}}}
    producer: {{acks: 1, token: {CANARY}, linger-ms: {CANARY}}}
    properties: {{sasl.jaas.config: '{JAAS}', schema.registry.basic.auth.user.info: "a:{CANARY}"}}
""",
    "msk.tf": f"""
resource "aws_msk_configuration" "m" {{
  server_properties = <<EOT
ssl.keystore.password={CANARY}
my.key={CANARY}
num.partitions={CANARY}
EOT
}}
resource "aws_msk_cluster" "m" {{
  kafka_version = "3.6.0"
  number_of_broker_nodes = 1
  configuration_info {{ arn = "{CANARY}" }}
}}
""",
    "variables.tf": f"""
variable "password" {{ default = "{CANARY}" }}
locals {{ broker = "u:{CANARY}@b:1" }}
resource "kafka_connect_connector" "c" {{
  config = {{
    "connector.class" = "x.Y"
    "connection.password" = var.password
    "bootstrap.servers" = local.broker
    "errors.tolerance" = "all"
    "tasks.max" = var.password
  }}
}}
""",
    "show.json": f"""{{"format_version": "1.0", "terraform_version": "1.9", "values": {{"root_module": {{"resources": [
{{"mode": "managed", "type": "kafka_topic", "name": "t", "values": {{"name": "t", "replication_factor": 1,
"config": {{"retention.ms": "{CANARY}", "my.password": "{CANARY}"}}}}}}]}}}}}}""",
    "connector.json": f"""{{"name": "c", "config": {{"connector.class": "x.Y", "connection.password": "{CANARY}",
"connection.url": "jdbc:postgresql://u:{CANARY}@db/x?password={CANARY}", "errors.tolerance": "all",
"producer.override.sasl.jaas.config": "{JAAS.replace('"', "'")}", "my.api": "{CANARY}"}}}}""",
    "values.yaml": f"""
replicaCount: 1
numPartitions: 1
externalAccess: {{enabled: true, service: {{type: LoadBalancer}}}}
auth: {{enabled: false, password: {CANARY}}}
sslKeystorePassword: {CANARY}
numIoThreads: {CANARY}
extraConfig: |
  ssl.key.password={CANARY}
  a.b={CANARY}
""",
    "any.yaml": f"clients:\n  bootstrap.servers: u:{CANARY}@b:9092\n  acks: 1\n  sasl.password: {CANARY}\n  linger.ms: 1\n",
    "log.md": f"INFO ProducerConfig values: \n\tacks = 1\n\tsasl.jaas.config = {JAAS}\n\tlinger.ms = {CANARY}\n\tx.y = {CANARY}\n",
    "outputs.txt": f"""$ kafka-configs.sh --describe --password {CANARY}
All configs for broker 1 are:
  my.key={CANARY} sensitive=false synonyms={{STATIC_BROKER_CONFIG:my.key={CANARY}}}
  sasl.jaas.config={JAAS} sensitive=false synonyms={{STATIC_BROKER_CONFIG:sasl.jaas.config={JAAS}}}
  ssl.key.password={CANARY} sensitive=false synonyms={{}}
  num.partitions={CANARY} sensitive=false synonyms={{DYNAMIC_BROKER_CONFIG:num.partitions={CANARY}}}
  min.insync.replicas=1 sensitive=false synonyms={{DYNAMIC_BROKER_CONFIG:min.insync.replicas=1, STATIC_BROKER_CONFIG:min.insync.replicas={CANARY}}}
Topic: t\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: retention.ms={CANARY},my.key={CANARY}
Kafka Password: {CANARY}
""",
    "quarkus.properties": f"""
kafka.bootstrap.servers=u:{CANARY}@b:9092
kafka.sasl.jaas.config={JAAS}
kafka.my.secret={CANARY}
%prod.kafka.ssl.keystore.password={CANARY}
mp.messaging.outgoing.p.connector=smallrye-kafka
mp.messaging.outgoing.p.acks=0
mp.messaging.outgoing.p.ssl.key.password=${{PASSWORD:{CANARY}}}
mp.messaging.outgoing.p.my.token={CANARY}
mp.messaging.outgoing.p.linger.ms={CANARY}
quarkus.kafka-streams.ssl.key.password={CANARY}
quarkus.datasource.password={CANARY}
""",
    "micronaut.yml": f"""
datasources: {{default: {{password: {CANARY}}}}}
kafka:
  bootstrap: {{servers: "u:{CANARY}@b:9092"}}
  ssl: {{keystore: {{password: {CANARY}}}}}
  producers: {{default: {{acks: 0, my.secret: {CANARY}, linger.ms: {CANARY}, sasl.jaas.config: '{JAAS}'}}}}
""",
    "stream.yml": f"""
spring:
  cloud:
    stream:
      kafka:
        binder:
          brokers: u:{CANARY}@b
          required-acks: 0
          jaas: {{options: {{password: {CANARY}}}}}
          configuration: {{sasl.jaas.config: '{JAAS}', ssl.key.password: {CANARY}, linger.ms: {CANARY}}}
          producer-properties: {{my.api.token: {CANARY}}}
""",
    "environment.yml": f"""
services:
  shop:
    image: shop
    environment:
      SPRING_KAFKA_BOOTSTRAPSERVERS: u:{CANARY}@b:1
      SPRING_KAFKA_PROPERTIES_SASL_JAAS_CONFIG: '{JAAS}'
      SPRING_KAFKA_SSL_KEYPASSWORD: {CANARY}
      SPRING_KAFKA_PRODUCER_ACKS: 0
      SPRING_KAFKA_PRODUCER_PROPERTIES_MY_TOKEN: {CANARY}
      SPRING_KAFKA_PRODUCER_BATCHSIZE: {CANARY}
""",
    "appsettings.json": f"""{{"ConnectionStrings": {{"Db": "Password={CANARY}"}}, "Kafka": {{
"BootstrapServers": "u:{CANARY}@b:1", "SaslPassword": "{CANARY}", "SslKeyPem": "{CANARY}", "Acks": "None",
"SaslOauthbearerClientSecret": "{CANARY}", "LingerMs": "{CANARY}", "MySecret": "{CANARY}"}}}}""",
    "debezium.properties": f"""
debezium.sink.kafka.producer.bootstrap.servers=u:{CANARY}@b:1
debezium.sink.kafka.producer.sasl.jaas.config={JAAS}
debezium.sink.kafka.producer.acks=0
debezium.source.connector.class=x.Y
debezium.source.database.password={CANARY}
debezium.source.my.api={CANARY}
debezium.sink.http.token={CANARY}
""",
    "any.toml": f"""
[client]
"bootstrap.servers" = "u:{CANARY}@b:9092"
acks = 1
"sasl.password" = "{CANARY}"
"linger.ms" = "{CANARY}"
"ssl.key.password" = [{{x = "{CANARY}"}}]
text = '''
bootstrap.servers=u:{CANARY}@b:9092
acks=0
ssl.key.password={CANARY}
'''
""",
    "bad.toml": f"kafka = '{CANARY}\n{CANARY} = {CANARY}",
    "bad.yml": f"services:\n  kafka: {{password: {CANARY}\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_planted_secret_is_shown_nowhere(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(FILES[name])
    outputs = [word for format in FORMATS for word in ("--format", f"{format}={tmp_path / format}")]
    ran = run("lint", tmp_path / name, "--no-config", *outputs)
    texts = {format: (tmp_path / format).read_text() for format in FORMATS if (tmp_path / format).exists()}
    assert not [where for where, text in {**texts, "out": ran.out, "err": ran.err}.items() if CANARY in text]
    assert len(texts) == len(FORMATS) or name.startswith("bad.")


@pytest.mark.parametrize(
    ("line", "is_shown"),
    [("hunter2abc", False), ("aGVsbG8=", False), ("acks=", True), ("KAFKA_SSL_ENDPOINT_IDENTIFICATION_ALGORITHM=", True), ("linger.ms=", True)],
)  # fmt: skip
def test_what_stands_behind_a_secret_without_a_value_is_a_piece_of_it_unless_it_is_a_name(
    line: str, is_shown: bool
) -> None:
    settings = read_settings(f"ssl.key.password=a1b2\n{line}\n", "x")[0]
    assert (line.rstrip("=") in settings) is is_shown
