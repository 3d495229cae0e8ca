"""Large inputs that are allowed: for each shape a folder's files, in which `changed` alters the values of some subjects."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.support.large_texts import LARGE_TEXTS

Files = dict[str, str]
Shape = Callable[[bool], Files]
EVERY = 100
"""Of so many subjects one is changed."""


def each(count: int, text: Callable[[int, bool], str], changed: bool) -> str:
    """The texts of so many subjects."""
    return "".join(text(number, changed and number % EVERY == 7) for number in range(count))


def envvars(changed: bool) -> Files:
    """Applications of a Compose project that are configured by variables of Spring."""

    def service(number: int, changed: bool) -> str:
        return (
            f"  app{number}:\n    image: acme/app{number}:1\n    environment:\n"
            f"      SPRING_KAFKA_BOOTSTRAP_SERVERS: kafka1:9092,kafka2:9092\n"
            f"      SPRING_KAFKA_PRODUCER_ACKS: '{0 if changed else 1}'\n"
            f"      SPRING_KAFKA_PRODUCER_CLIENT_ID: c{number}\n"
        )

    return {"compose.yml": "services:\n" + each(2900, service, changed)}


def compose(changed: bool) -> Files:
    """Brokers of a Compose project."""

    def service(number: int, changed: bool) -> str:
        variables = {
            "NODE_ID": number + 1,
            "PROCESS_ROLES": "broker",
            "CONTROLLER_QUORUM_VOTERS": "1001@c1:9093,1002@c2:9093,1003@c3:9093",
            "CONTROLLER_LISTENER_NAMES": "CONTROLLER",
            "LISTENERS": f"PLAINTEXT://k{number}:9092",
            "ADVERTISED_LISTENERS": f"PLAINTEXT://k{number}:9092",
            "LOG_DIRS": "/var/lib/kafka/data",
            "MIN_INSYNC_REPLICAS": 1,
            "DEFAULT_REPLICATION_FACTOR": 3,
            "OFFSETS_TOPIC_REPLICATION_FACTOR": 1,
            "UNCLEAN_LEADER_ELECTION_ENABLE": "'true'",
            "NUM_IO_THREADS": 16 if changed else 8,
            "LOG_RETENTION_HOURS": 168,
            "AUTO_CREATE_TOPICS_ENABLE": "'true'",
        }
        lines = "".join(f"      KAFKA_{name}: {value}\n" for name, value in variables.items())
        return f"  k{number}:\n    image: apache/kafka:3.9.0\n    environment:\n{lines}"

    return {"compose.yml": "services:\n" + each(490, service, changed)}


def k8s(changed: bool) -> Files:
    """StatefulSets of Kubernetes."""

    def document(number: int, changed: bool) -> str:
        variables = {
            "PROCESS_ROLES": "broker,controller",
            "NODE_ID": number,
            "CONTROLLER_QUORUM_VOTERS": f"{number}@kafka{number}-0:9093",
            "CONTROLLER_LISTENER_NAMES": "CONTROLLER",
            "LOG_DIRS": "/data",
            "LISTENERS": "PLAINTEXT://:9092,CONTROLLER://:9093",
            "MIN_INSYNC_REPLICAS": 1,
            "NUM_IO_THREADS": 16 if changed else 8,
        }
        lines = "".join(
            f'        - name: KAFKA_{name}\n          value: "{value}"\n' for name, value in variables.items()
        )
        return (
            f"---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: kafka{number}\nspec:\n  replicas: 1\n"
            "  template:\n    spec:\n      containers:\n      - name: broker\n        image: apache/kafka:3.9.0\n"
            f"        env:\n{lines}        volumeMounts:\n        - name: data\n          mountPath: /data\n"
        )

    return {"kafka.yaml": each(500, document, changed)}


def listeners(changed: bool) -> Files:
    """A broker with thousands of listeners."""
    names = [f"L{number}" for number in range(4000)]
    return {
        "server.properties": "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=1001@c1:9093\n"
        "controller.listener.names=CONTROLLER\n"
        f"listeners={','.join(f'{name}://h:{9092 + at}' for at, name in enumerate(names))}\n"
        f"listener.security.protocol.map=CONTROLLER:SSL,{','.join(f'{name}:SSL' for name in names)}\n"
        + each(
            4000,
            lambda at, changed: f"listener.name.l{at}.ssl.client.auth={'required' if changed else 'none'}\n",
            changed,
        )
    }


def many(changed: bool) -> Files:
    """Files of brokers in folders of their own."""

    def broker(number: int, changed: bool) -> str:
        return (
            f"process.roles=broker\nnode.id={number}\ncontroller.quorum.voters=1001@c1:9093,1002@c2:9093\n"
            f"controller.listener.names=CONTROLLER\nlisteners=PLAINTEXT://k{number}:9092\nlog.dirs=/data\n"
            f"min.insync.replicas=1\ndefault.replication.factor=3\noffsets.topic.replication.factor={1 + number % 3}\n"
            f"unclean.leader.election.enable=true\nnum.io.threads={16 if changed else 8}\n"
        )

    return {f"b{number}/server.properties": broker(number, changed and number % EVERY == 7) for number in range(500)}


def hclclusters(changed: bool) -> Files:
    """Clusters of MSK in one file of Terraform."""

    def cluster(number: int, changed: bool) -> str:
        return (
            f'resource "aws_msk_cluster" "c{number}" {{\n  kafka_version = "3.6.0"\n'
            f"  number_of_broker_nodes = {6 if changed else 3}\n}}\n"
        )

    return {"main.tf": each(2900, cluster, changed)}


def hclconfigurations(changed: bool) -> Files:
    """Clusters of MSK with a configuration each."""

    def cluster(number: int, changed: bool) -> str:
        return (
            f'resource "aws_msk_cluster" "c{number}" {{\n  kafka_version = "3.6.0"\n  number_of_broker_nodes = 3\n'
            f"  configuration_info {{\n    arn = aws_msk_configuration.k{number}.arn\n    revision = 1\n  }}\n}}\n"
            f'resource "aws_msk_configuration" "k{number}" {{\n'
            f'  server_properties = "unclean.leader.election.enable={str(not changed).lower()}"\n}}\n'
        )

    return {"main.tf": each(490, cluster, changed)}


def tftopics(changed: bool) -> Files:
    """Topics of Terraform."""

    def topic(number: int, changed: bool) -> str:
        return (
            f'resource "kafka_topic" "t{number}" {{\n  name = "t{number}"\n  partitions = 6\n  replication_factor = 3\n'
            f'  config = {{\n    "min.insync.replicas" = "{2 if changed else 1}"\n'
            '    "unclean.leader.election.enable" = "true"\n  }\n}\n'
        )

    return {"topics.tf": each(2900, topic, changed)}


def tffixes(changed: bool) -> Files:
    """Topics of Terraform, each with two findings that an edit mends."""

    def topic(number: int, changed: bool) -> str:
        return (
            f'resource "confluent_kafka_topic" "t{number}" {{\n  topic_name = "t{number}"\n  partitions_count = 6\n'
            '  kafka_cluster {\n    id = "lkc-1"\n  }\n  config = {\n    "cleanup.policy" = "compact"\n'
            f'    "retention.ms" = "{2000 if changed else 1000}"\n    "min.insync.replicas" = "1"\n  }}\n}}\n'
        )

    return {"topics.tf": each(2900, topic, changed)}


def strimzi(changed: bool) -> Files:
    """Topics of Strimzi."""

    def topic(number: int, changed: bool) -> str:
        return (
            f"---\napiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata:\n  name: t{number}\nspec:\n"
            f"  partitions: 6\n  replicas: 3\n  config:\n    min.insync.replicas: {2 if changed else 1}\n"
            f"    unclean.leader.election.enable: true\n    retention.ms: {number}000\n"
        )

    return {"topics.yaml": each(3000, topic, changed)}


def jaas(changed: bool) -> Files:
    """A broker whose listeners have users of PLAIN by the thousand."""
    users = "".join(f' user_u{number}="p{number}"' for number in range(4000))
    login = "org.apache.kafka.common.security.plain.PlainLoginModule required"
    return {
        "server.properties": "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=1001@c1:9093\n"
        "controller.listener.names=CONTROLLER\nlisteners=SASL_SSL://h:9092\n"
        f"sasl.enabled.mechanisms=PLAIN\nnum.io.threads={16 if changed else 8}\n"
        f'listener.name.sasl_ssl.plain.sasl.jaas.config={login} username="a" password="b"{users};\n'
        + each(1000, lambda at, _: f'listener.name.l{at}.plain.sasl.jaas.config={login} user_a="x";\n', changed)
    }


def log4j(changed: bool) -> Files:
    """Loggers of log4j in XML beside a broker."""
    loggers = "".join(f'  <logger name="a.b.c{number}"><level value="INFO"/></logger>\n' for number in range(8000))
    return {
        "log4j.xml": f"<log4j:configuration xmlns:log4j='x'>\n{loggers}</log4j:configuration>\n",
        "server.properties": f"process.roles=broker\nnode.id=1\nnum.io.threads={16 if changed else 8}\n",
    }


def dotenv(changed: bool) -> Files:
    """Variables of one broker by the thousand."""
    own = f"KAFKA_PROCESS_ROLES=broker\nKAFKA_NODE_ID=1\nKAFKA_NUM_IO_THREADS={16 if changed else 8}\n"
    return {"kafka.env": own + each(4900, lambda at, changed: f"KAFKA_MY_OWN_KEY{at}={int(changed)}\n", changed)}


def anchors(changed: bool) -> Files:
    """Applications of a Compose project that share their environment by an anchor."""
    shared = "".join(f"  MY_KEY{number}: '{number}'\n" for number in range(45))
    return {
        "compose.yml": "x-env: &env\n  SPRING_KAFKA_BOOTSTRAP_SERVERS: b1:9092,b2:9092\n"
        f"  SPRING_KAFKA_PRODUCER_ACKS: '{0 if changed else 1}'\n{shared}services:\n"
        + each(
            900,
            lambda at, _: (
                f"  app{at}:\n    image: acme/app\n    environment:\n      <<: *env\n"
                f"      SPRING_KAFKA_PRODUCER_CLIENT_ID: c{at}\n"
            ),
            changed,
        )
    }


def composeanchors(changed: bool) -> Files:
    """Brokers of a Compose project that share their environment by an anchor."""
    shared = "".join(f"  KAFKA_MY_KEY{number}: '{number}'\n" for number in range(95))
    return {
        "compose.yml": "x-env: &env\n  KAFKA_PROCESS_ROLES: broker\n  KAFKA_CONTROLLER_QUORUM_VOTERS: 1001@c:9093\n"
        f"  KAFKA_MIN_INSYNC_REPLICAS: {2 if changed else 1}\n{shared}services:\n"
        + each(
            490,
            lambda at, _: (
                f"  k{at}:\n    image: apache/kafka:3.9.0\n    environment:\n      <<: *env\n      KAFKA_NODE_ID: {at}\n"
            ),
            changed,
        )
    }


def suppressions(changed: bool) -> Files:
    """Clusters of MirrorMaker with a comment above each setting."""

    def one(number: int, changed: bool) -> str:
        return (
            f"c{number}.bootstrap.servers=h:1\n# kafka-advisor: ignore[KA101] agreed\n"
            f"c{number}.acks={0 if changed else 1}\n"
        )

    return {"mm2.properties": f"clusters={','.join(f'c{at}' for at in range(900))}\n" + each(900, one, changed)}


def suppressed(changed: bool) -> Files:
    """Topics with a comment above each setting."""
    topics = strimzi(changed)["topics.yaml"]
    comment = "    # kafka-advisor: ignore[KA103] agreed\n    min.insync"
    return {"topics.yaml": topics.replace("    min.insync", comment)}


def profiles(changed: bool) -> Files:
    """Profiles of a Spring application."""

    def profile(number: int, changed: bool) -> str:
        return (
            f"---\nspring:\n  config.activate.on-profile: p{number}\n  kafka:\n    producer:\n"
            f"      acks: {0 if changed else 1}\n      properties:\n        enable.idempotence: false\n"
            f"        linger.ms: {number}\n"
        )

    first = "spring:\n  kafka:\n    bootstrap-servers: b1:9092,b2:9092\n    consumer:\n      group-id: a\n"
    return {"application.yml": first + each(900, profile, changed)}


def strimziclusters(changed: bool) -> Files:
    """Clusters of Strimzi with a node pool each."""

    def cluster(number: int, changed: bool) -> str:
        return (
            f"---\napiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata:\n  name: k{number}\n"
            "  annotations: {strimzi.io/kraft: enabled, strimzi.io/node-pools: enabled}\nspec:\n  kafka:\n    version: 3.9.0\n"
            "    listeners:\n      - {name: plain, port: 9092, type: internal, tls: false}\n"
            f"    config:\n      min.insync.replicas: {2 if changed else 1}\n"
            f"---\napiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaNodePool\nmetadata:\n  name: p{number}\n"
            f"  labels: {{strimzi.io/cluster: k{number}}}\nspec:\n  replicas: 3\n  roles: [broker, controller]\n"
            "  storage: {type: ephemeral}\n"
        )

    return {"kafka.yaml": each(370, cluster, changed)}


def connectors(changed: bool) -> Files:
    """Connectors, as a worker lists them, with a producer each."""

    def connector(number: int, changed: bool) -> str:
        config = {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "topic.prefix": f"p{number}",
            "database.hostname": f"db{number}",
            "producer.override.acks": "0" if changed else "1",
            "errors.tolerance": "all",
        }
        return json.dumps({"name": f"c{number}", "config": config}, indent=1) + ",\n"

    return {"connectors.json": f"[{each(1500, connector, changed)[:-2]}]"}


def configmaps(changed: bool) -> Files:
    """Files of brokers in ConfigMaps of Kubernetes."""

    def document(number: int, changed: bool) -> str:
        return (
            f"---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kafka{number}\ndata:\n  server.properties: |\n"
            f"    process.roles=broker\n    node.id={number}\n    controller.quorum.voters=1001@c1:9093,1002@c2:9093\n"
            f"    controller.listener.names=CONTROLLER\n    num.io.threads={16 if changed else 8}\n"
        )

    return {"maps.yaml": each(490, document, changed)}


def bindings(changed: bool) -> Files:
    """Bindings of Spring Cloud Stream, which spell the same keys behind names of their own."""
    head = "spring:\n  cloud:\n    stream:\n      kafka:\n        bindings:\n"
    return {
        "application.yml": head
        + each(
            2900,
            lambda at, changed: (
                f"          in{at}:\n            consumer:\n              configuration:\n"
                f"                max.poll.records: {500 + at % 7 + changed}\n                isolation.level: read_committed\n"
                f"                session.timeout.ms: {20000 + at}\n"
            ),
            changed,
        )
    }


def outputs(changed: bool) -> Files:
    """Topics as kafka-configs.sh describes them."""

    def topic(number: int, changed: bool) -> str:
        level = f"DYNAMIC_TOPIC_CONFIG:min.insync.replicas={2 if changed else 1}"
        value = level.partition(":")[2]
        return f"Dynamic configs for topic t{number} are:\n  {value} sensitive=false synonyms={{{level}}}\n"

    return {"configs.txt": each(3000, topic, changed)}


def unknown(changed: bool) -> Files:
    """A broker with keys that Kafka does not know."""
    word = "y" if changed else "x"
    return {
        "server.properties": "process.roles=broker\nnode.id=1\n"
        + each(5000, lambda at, _: f"log.retention.hours{word}{at}=1\n", changed)
    }


def flow(changed: bool) -> Files:
    """Brokers of a Compose project in one line."""

    def service(number: int, changed: bool) -> str:
        return (
            f"k{number}: {{image: 'apache/kafka:3.9.0', environment: {{KAFKA_NODE_ID: {number}, KAFKA_PROCESS_ROLES: broker, "
            f"KAFKA_NUM_IO_THREADS: {16 if changed else 8}}}}}, "
        )

    return {"compose.yml": f"{{services: {{{each(490, service, changed)}}}}}\n"}


def topickeys(changed: bool) -> Files:
    """A topic with keys that Kafka does not know, as a script creates it."""
    keys = each(4000, lambda at, changed: f"--config k{at}={int(changed)} ", changed)
    return {
        "topics.sh": f"#!/bin/sh\nkafka-topics.sh --create --topic a --partitions 1 --replication-factor 1 {keys}\n"
    }


def podvariables(changed: bool) -> Files:
    """Applications of Kubernetes that share a ConfigMap of variables."""
    shared = "".join(f"  V{number}: x\n" for number in range(500))

    def document(number: int, changed: bool) -> str:
        return (
            f"---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a{number}}}\nspec:\n  template:\n    spec:\n"
            "      containers:\n      - name: c\n        image: acme/app\n        envFrom: [{configMapRef: {name: m}}]\n"
            f"        env: [{{name: SPRING_KAFKA_PRODUCER_ACKS, value: '{int(changed)}'}}]\n"
        )

    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  SPRING_KAFKA_BOOTSTRAP_SERVERS: b1:9092\n"
    return {"apps.yaml": head + shared + each(480, document, changed)}


def quarkusprofiles(changed: bool) -> Files:
    """Profiles of a Quarkus application, whose keys stand behind the names of the profiles."""

    def profile(number: int, changed: bool) -> str:
        name = f"%p{number}"
        return f"{name}.kafka.bootstrap.servers=b{number}:1\n{name}.mp.messaging.outgoing.o.acks={int(changed)}\n"

    head = "kafka.bootstrap.servers=a:1\nmp.messaging.outgoing.o.connector=smallrye-kafka\n"
    return {"application.properties": head + each(2300, profile, changed)}


def micronaut(changed: bool) -> Files:
    """Producers of a Micronaut application."""
    head = "kafka:\n  bootstrap.servers: a:1\n  producers:\n"
    producers = each(2500, lambda at, changed: f"    p{at}: {{acks: {int(changed)}, retries: 0}}\n", changed)
    return {"application.yml": head + producers}


def startlog(changed: bool) -> Files:
    """Starts of nodes in one log."""

    def start(number: int, changed: bool) -> str:
        return (
            f"[2024-01-01 00:00:{number % 60:02},000] INFO KafkaConfig values: \n\tnode.id = {number}\n"
            f"\tprocess.roles = [broker]\n\tnum.io.threads = {16 if changed else 8}\n"
            "\tunclean.leader.election.enable = true\n (kafka.server.KafkaConfig)\n"
        )

    return {"server.log": each(450, start, changed)}


def strimzilisteners(changed: bool) -> Files:
    """Node pools of a Strimzi cluster with hundreds of listeners."""
    listeners = each(
        400, lambda at, _: f"    - {{name: l{at}, port: {9100 + at}, type: internal, tls: false}}\n", changed
    )
    pools = each(
        400,
        lambda at, _: (
            f"---\napiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaNodePool\nmetadata:\n  name: p{at}\n"
            "  labels: {strimzi.io/cluster: k}\nspec:\n  replicas: 1\n  roles: [broker]\n  storage: {type: ephemeral}\n"
        ),
        changed,
    )
    return {
        "kafka.yaml": "apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: {name: k}\nspec:\n  kafka:\n"
        f"    version: 3.9.0\n    config: {{min.insync.replicas: {1 + changed}}}\n    listeners:\n{listeners}{pools}"
    }


def overrides(changed: bool) -> Files:
    """A Connect worker with keys of clients that Kafka does not know."""
    worker = (
        "bootstrap.servers=a:1\ngroup.id=g\nconfig.storage.topic=a\noffset.storage.topic=b\nstatus.storage.topic=c\n"
    )
    converters = "key.converter=a.B\nvalue.converter=a.B\n"
    keys = each(4800, lambda at, changed: f"producer.override.k{at}={at + changed}\n", changed)
    return {"worker.properties": worker + converters + keys}


def gitignores(changed: bool) -> Files:
    """Files of brokers in folders with long names beside a thousand patterns of git's."""
    patterns = "".join(f"**/*a{number}*/**/b?[c-d]*\n" for number in range(1000))
    text = f"process.roles=broker\nnode.id=1\nnum.io.threads={16 if changed else 8}\n"
    return {".gitignore": patterns} | {f"d{at}/{'a' * 100}/server.properties": text for at in range(150)}


def properties_of(text: Callable[[int], str]) -> Shape:
    """One file of a megabyte that repeats one thing, the same on both sides."""
    return lambda changed: {"large.properties": text(1_000_000)}


SHAPES: dict[str, Shape] = {
    function.__name__: function
    for function in (
        envvars, compose, k8s, listeners, many, hclclusters, hclconfigurations, tftopics, tffixes, strimzi, jaas, log4j, dotenv,
        anchors, composeanchors, suppressions, suppressed, profiles, strimziclusters, connectors, configmaps, bindings, outputs, unknown, flow, topickeys,
        podvariables, quarkusprofiles, micronaut, startlog, strimzilisteners, overrides, gitignores,
    )
} | {name.replace(" ", "-"): properties_of(text) for name, text in LARGE_TEXTS.items()}  # fmt: skip
