"""What Kafka is run with: facts under names of our own, and the formats that say them."""

from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

D = "deployment"
COMPOSE = """
services:
  kafka:
    image: {image}
    environment:
      KAFKA_NODE_ID: 1
      KAFKA_PROCESS_ROLES: broker,controller
      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093
      {variable}
"""
APACHE = COMPOSE.replace("{image}", "apache/kafka:4.3.0")
BITNAMI = "services:\n  kafka:\n    image: bitnamilegacy/kafka:3.8\n    environment:\n      KAFKA_CFG_NODE_ID: 1\n      {variable}\n"
SPRING = "spring:\n  kafka:\n    producer:\n      {}\n"
FACTOR = "KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR"
SHARE = (
    "KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: 1\n      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: 1"
)

REGISTRY = "kafkastore.bootstrap.servers=b:9092\nkafkastore.topic.replication.factor="
CASES = [
    Case("KA1701", FIRES, "storage=ephemeral", D, "storage", "high"),
    Case("KA1701", SILENT, "storage=persistent", D),
    Case("KA1701", SILENT, "storage=ephemeral\nruns=connect", D),
    Case("KA1701", UNKNOWN, "storage=${KIND}", D),
    Case("KA1701", FIRES, APACHE.replace("{variable}", "KAFKA_LOG_DIRS: /data"), "compose", "volumes", "high"),
    Case("KA1701", SILENT, APACHE.replace("{variable}", "KAFKA_LOG_DIRS: /data\n    volumes: ['d:/data']"), "compose"),
    Case("KA1701", SILENT, APACHE.replace("{variable}", "KAFKA_LOG_DIRS: /data/kafka\n    volumes: ['/data']"), "compose"),
    Case("KA1701", FIRES, APACHE.replace("{variable}", "KAFKA_LOG_DIRS: /data\n    volumes: ['./c:/etc/c']"), "compose"),
    Case("KA701", SILENT, APACHE.replace("{variable}", "KAFKA_LOG_DIRS: /tmp/logs"), "compose"),
    Case("KA701", SILENT, APACHE.replace("{variable}", "KAFKA_LOG_DIRS: /tmp/logs\n    volumes: ['d:/tmp/logs']"), "compose"),
    Case("KA1702", FIRES, "brokers=1", D, "brokers", "high", "1 broker"),
    Case("KA1702", FIRES, "brokers=2", D, "brokers", "medium", "2 brokers"),
    Case("KA1702", SILENT, "brokers=3", D),
    Case("KA1702", SILENT, "brokers=0", D),
    Case("KA1702", UNKNOWN, "brokers=${N}", D),
    Case("KA1704", FIRES, "image=debezium/kafka:2.7", "deployment"),
    Case("KA1704", SILENT, "image=quay.io/debezium/kafka:3.4", "deployment"),
    Case("KA1732", FIRES, f"{REGISTRY}1", "registry", severity="high"),
    Case("KA1732", FIRES, f"{REGISTRY}2", "registry", severity="medium"),
    Case("KA1732", SILENT, f"{REGISTRY}3", "registry"),
    Case("KA1732", SILENT, "kafkastore.bootstrap.servers=b:9092", "registry"),
    Case("KA1732", UNKNOWN, f"{REGISTRY}${{N}}", "registry"),
    Case("KA1731", FIRES, "image=apache/kafka:3.9.0\nkraft.only=true", "deployment", "image", "critical"),
    Case("KA1731", SILENT, "image=confluentinc/cp-kafka:7.9.1", "deployment"),
    Case("KA1731", UNKNOWN, "image=apache/kafka:3.9.0\nkraft.only=${X}", "deployment"),
    Case("KA1733", FIRES, "image=confluentinc/cp-kafka:7.9.1\nrequires.CLUSTER_ID=x", "deployment", "requires.CLUSTER_ID", "critical"),
    Case("KA1733", FIRES, "image=confluentinc/cp-kafka:7.9.1\nrefuses.KAFKA_PORT=x", "deployment", "refuses.KAFKA_PORT", "critical"),
    Case("KA1733", SILENT, "image=confluentinc/cp-kafka:7.9.1", "deployment"),
    Case("KA1703", FIRES, "broker.id=1\nzookeeper.connect=z:1", "broker, 4.0", "zookeeper.connect", "critical"),
    Case("KA1703", SILENT, "broker.id=1\nzookeeper.connect=z:1", "broker, 3.9"),
    Case("KA1703", SILENT, "broker.id=1\nzookeeper.connect=z:1", "broker"),
    Case("KA1703", SILENT, "node.id=1\nprocess.roles=broker\nzookeeper.connect=z:1", "broker, 4.0"),
    Case("KA102", FIRES, "broker.id=1\nzookeeper.connect=z:1", "broker, 4.4", "min.insync.replicas", "high"),
    Case("KA1704", FIRES, "image=docker.io/bitnamilegacy/kafka:3.8", D, "image", "medium", "frozen"),
    Case("KA1704", SILENT, "image=apache/kafka:4.3.0", D),
    Case("KA1704", UNKNOWN, "image=${IMAGE}", D),
    Case("KA1705", FIRES, "image=confluentinc/cp-zookeeper:8.0.1", D, "image", "medium"),
    Case("KA1705", SILENT, "image=confluentinc/cp-zookeeper:7.9.1", D),
    Case("KA1705", FIRES, "image=bitnami/kafka:3.8", D),
    Case("KA1705", SILENT, "image=bitnami/kafka", D),
    Case("KA1705", FIRES, "image=docker.io/bitnami/kafka:3.8", D),
    Case("KA1705", SILENT, "image=registry.example.com/bitnami/kafka:3.8", D),
    Case("KA1705", SILENT, "image=localhost:5000/bitnami/kafka:3.8", D),
    Case("KA1705", UNKNOWN, "image=${IMAGE}", D),
    Case("KA1706", FIRES, APACHE.replace("{variable}", FACTOR + ": 3"), "compose", severity="high", says="3 replicas need 3 brokers"),
    Case("KA1706", SILENT, APACHE.replace("{variable}", f"{FACTOR}: 1\n      {SHARE}"), "compose"),
    Case("KA1706", SILENT, "node.id=1\nprocess.roles=broker\noffsets.topic.replication.factor=3", "broker"),
    Case("KA1706", UNKNOWN, APACHE.replace("{variable}", FACTOR + f": ${{N}}\n      {SHARE}"), "compose"),
    Case("KA1707", FIRES, "storage.delete=true", D, "storage.delete", "medium"),
    Case("KA1707", SILENT, "storage.delete=false", D),
    Case("KA1707", UNKNOWN, "storage.delete=${X}", D),
    Case("KA1708", FIRES, "runs=zookeeper\npublic.access=2181:2181", D, "public.access", "medium"),
    Case("KA1708", SILENT, "runs=broker\npublic.access=9092", D),
    Case("KA1708", UNKNOWN, "runs=${X}\npublic.access=9092", D),
    Case("KA1709", FIRES, "jmx.options=-Dcom.sun.management.jmxremote.authenticate=false", D, "jmx.options", "medium"),
    Case("KA1709", SILENT, "jmx.options=-Dcom.sun.management.jmxremote.authenticate=true", D),
    Case("KA1709", UNKNOWN, "jmx.options=${OPTIONS}", D),
    Case("KA1710", FIRES, "service.links=true", D, "service.links", "medium"),
    Case("KA1710", SILENT, "service.links=false", D),
    Case("KA1710", UNKNOWN, "service.links=${X}", D),
    Case("KA1711", FIRES, BITNAMI.replace("{variable}", "KAFKA_MIN_INSYNC_REPLICAS: 2"), "compose", "KAFKA_MIN_INSYNC_REPLICAS"),
    Case("KA1711", SILENT, BITNAMI.replace("{variable}", "KAFKA_CFG_MIN_INSYNC_REPLICAS: 2"), "compose"),
    Case("KA1711", SILENT, BITNAMI.replace("{variable}", "KAFKA_HEAP_OPTS: -Xmx1g"), "compose"),
    Case("KA1711", FIRES, APACHE.replace("{variable}", "KAFKA_CFG_NUM_PARTITIONS: 3"), "compose", says="KAFKA_NUM_PARTITIONS"),
    Case("KA1712", FIRES, "runs=broker\npublic.access=nodeport", D, "public.access", "high"),
    Case("KA1712", SILENT, "runs=zookeeper\npublic.access=2181", D),
    Case("KA1712", UNKNOWN, "runs=broker\npublic.access=${TYPE}", D),
    Case("KA1712", SILENT, "public.access=nodeport\npublic.protocol=SASL_SSL", D),
    Case("KA1713", FIRES, "metadata.volumes=6", D, "metadata.volumes", "high"),
    Case("KA1713", SILENT, "metadata.volumes=1", D),
    Case("KA1713", UNKNOWN, "metadata.volumes=${N}", D),
    Case("KA1714", FIRES, "rack.key=topology.kubernetes.io/region", D, "rack.key", "medium"),
    Case("KA1714", SILENT, "rack.key=topology.kubernetes.io/zone", D),
    Case("KA1714", UNKNOWN, "rack.key=${KEY}", D),
    Case("KA1715", FIRES, "placement=in-rack", D, "placement", "medium"),
    Case("KA1715", SILENT, "placement=any", D),
    Case("KA1715", UNKNOWN, "placement=${P}", D),
    Case("KA1716", FIRES, "acl.0=All on topic *", D, "acl.0", "high"),
    Case("KA1716", SILENT, "brokers=3", D),
    Case("KA1716", SILENT, "acl.0=All on topic app- prefix\nacl.1=Read on topic *\nacl.2=deny All on topic *", D),
    Case("KA1717", FIRES, "topics.created=a:2:3,b:1:1", D, "topics.created", "high"),
    Case("KA1717", FIRES, "topics.created=a:2:2", D, severity="medium"),
    Case("KA1717", SILENT, "topics.created=a:2:3", D),
    Case("KA1717", UNKNOWN, "topics.created=${TOPICS}", D),
    Case("KA1718", FIRES, "replication.policy.class=x.IdentityReplicationPolicy", D, severity="medium"),
    Case("KA1718", SILENT, "brokers=3", D),
    Case("KA1718", SILENT, "replication.policy.class=x.IdentityReplicationPolicy\nsource.replication.policy.class=y.IdentityReplicationPolicy", D),
    Case("KA1718", UNKNOWN, "replication.policy.class=${CLASS}", D),
    Case("KA1720", FIRES, "image=apache/kafka:latest", D, "image", "low"),
    Case("KA1720", FIRES, "image=apache/kafka", D),
    Case("KA1720", SILENT, "image=apache/kafka@sha256:0123", D),
    Case("KA1720", UNKNOWN, "image=apache/kafka:${TAG}", D),
    Case("KA1721", FIRES, "api.version=kafka.strimzi.io/v1beta2", D, "api.version", "low"),
    Case("KA1721", SILENT, "api.version=kafka.strimzi.io/v1", D),
    Case("KA1721", UNKNOWN, "api.version=${V}", D),
    Case("KA1722", FIRES, "storage.size=1Gi", D, "storage.size", "low"),
    Case("KA1722", SILENT, "storage.size=1Ti", D),
    Case("KA1722", SILENT, "storage.size=much", D),
    Case("KA1722", UNKNOWN, "storage.size=${SIZE}", D),
    Case("KA1723", FIRES, "api.version=extensions/v1beta1", D, "api.version", "low"),
    Case("KA1723", SILENT, "api.version=apps/v1", D),
    Case("KA1723", UNKNOWN, "api.version=${V}", D),
    Case("KA1724", FIRES, "anti.affinity=preferred", D, "anti.affinity", "low"),
    Case("KA1724", SILENT, "anti.affinity=required", D),
    Case("KA1724", UNKNOWN, "anti.affinity=${X}", D),
    Case("KA1725", FIRES, "revision=1", D, "revision", "low"),
    Case("KA1725", SILENT, "brokers=3", D),
    Case("KA1725", UNKNOWN, "revision=${R}", D),
    Case("KA1726", FIRES, "configuration.versions=2.6.1 2.8.0", D, says="the cluster runs 2.8.0"),
    Case("KA1726", SILENT, "brokers=3", D),
    Case("KA1726", SILENT, "configuration.versions=2.6.1, 2.8.0 2.8.0", D),
    Case("KA1726", UNKNOWN, "configuration.versions=${V}", D),
    Case("KA1727", FIRES, "instance.type=kafka.t3.small", D, severity="low"),
    Case("KA1727", SILENT, "instance.type=kafka.m5.large", D),
    Case("KA1727", UNKNOWN, "instance.type=${T}", D),
    Case("KA1728", FIRES, "client.authentication=none", D, severity="medium"),
    Case("KA1728", SILENT, "client.authentication=iam", D),
    Case("KA1728", UNKNOWN, "client.authentication=${A}", D),
    Case("KA1729", FIRES, "client.protocol=TLS_PLAINTEXT", D, severity="medium"),
    Case("KA1729", SILENT, "brokers=3", D),
    Case("KA1729", UNKNOWN, "client.protocol=${P}", D),
    Case("KA1730", FIRES, SPRING.format("linger-ms: 10"), "spring", "spring.kafka.producer.linger-ms", "medium"),
    Case("KA1730", FIRES, SPRING.format("bootstrap-server: b:1"), "spring", severity="high"),
    Case("KA1730", SILENT, SPRING.format("properties: {linger.ms: 10}"), "spring"),
    Case("KA1730", FIRES, SPRING.format("bach-size: 16KB"), "spring", "spring.kafka.producer.bach-size", "medium"),
    Case("KA1730", SILENT, SPRING.format("batchSize: 16KB"), "spring"),
    Case("KA1730", SILENT, SPRING.format("{topic: orders, acks: all}"), "spring"),
    Case("KA1730", SILENT, "spring: {kafka: {embedded: {count: 3, topics: a}, bootstrap-servers: 'a:1,b:1'}}", "spring"),
]  # fmt: skip


def test_cases() -> None:
    check_all(CASES)
