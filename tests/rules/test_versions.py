from __future__ import annotations

import pytest

from advisor.catalog import VERSIONS
from advisor.catalog.support_dates import APACHE
from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.model import Snapshot
from tests.support.rule_cases import FIRES, RULES, SILENT, UNKNOWN, Case, check_all, entities, findings

NODE = "process.roles=broker,controller\n"
ZK = "zookeeper.connect=z1:2181\n"
OLD_PARTITIONER = (
    "bootstrap.servers=b1:9092\npartitioner.class=org.apache.kafka.clients.producer.internals.DefaultPartitioner"
)
OLD_AUTHORIZER = "authorizer.class.name=kafka.security.auth.SimpleAclAuthorizer"
CACHE = "cache.max.bytes.buffering=1000\napplication.id=a"
WORKER = "bootstrap.servers=b:1\ngroup.id=g\n"
ACL_AUTHORIZER = "authorizer.class.name=kafka.security.authorizer.AclAuthorizer"
STREAMS = "application.id=a\nbootstrap.servers=b:1\n"
STANDALONE = "bootstrap.servers=b:1\nkey.converter=x\nvalue.converter=x\noffset.storage.file.filename=/d/offsets"
FALLBACK = "metadata.broker.list=b:1\nacks=all\napi.version.request=false\nbroker.version.fallback="

CASES = [
    Case("KA1401", FIRES, "ack=all", "producer", "ack", "medium", "did you mean acks"),
    Case("KA1401", FIRES, NODE + "advertised.isteners=PLAINTEXT://b:9092", "", "advertised.isteners", "medium"),
    Case("KA1401", FIRES, NODE + "log4j.rootLogger=INFO", "", "log4j.rootLogger", "low"),
    Case("KA1401", FIRES, NODE + "retention.ms=1000", "", "retention.ms", "low", "a topic key"),
    Case("KA1401", FIRES, NODE + "my-own.thing.here=1", "", severity="info"),
    Case("KA1401", FIRES, "poll.timeout.ms=1", "consumer", severity="info"),
    Case("KA1401", FIRES, "retention.mss=1", "topic", "retention.mss", "critical", "not a topic key"),
    Case("KA1402", FIRES, "message.format.version=2.8", "topic 4.4", says="Kafka refuses it"),
    Case("KA1404", FIRES, "compression.zstd.level=3", "topic 3.7", says="refuses"),
    Case("KA1401", SILENT, "topic=payments\nschemaName=Payment", "producer"),
    Case("KA1401", FIRES, "clusters=a,b\nmax.tasks=3", "mirror", "max.tasks", "medium", "did you mean tasks.max"),
    Case("KA1401", SILENT, "ksql.service.id=a\nksql.streams.state.dir=/d", "admin"),
    Case("KA1401", FIRES, "application.id=a\ngroup.id=b", "streams", "group.id", "low"),
    Case("KA1401", SILENT, "name=c\nconnector.class=a.B\ndatabase.user=u\ntable.name.format=t", "connect"),
    Case(
        "KA1401",
        FIRES,
        "name=c\nconnector.class=a.B\ntask.max=3",
        "connect",
        "task.max",
        "medium",
        "did you mean tasks.max",
    ),
    Case("KA1401", FIRES, "rest.advertised.host.port=1", "connect", severity="low", says="rest.advertised"),
    Case("KA1401", FIRES, "acsk=1\nsasl.username=u", "producer", "acsk", "high", "acks"),
    Case("KA1401", SILENT, "schema.registry.url=http://r", "consumer"),
    Case("KA1401", SILENT, "producer.interceptor.classes=a.B\nconfluent.x=1", "connect"),
    Case(
        "KA1401",
        SILENT,
        WORKER + "listeners.https.ssl.keystore.location=/k\nadmin.listeners.https.ssl.protocol=TLS",
        "connect",
    ),
    Case(
        "KA1401",
        FIRES,
        WORKER + "listeners.https.ssl.keystore.locatio=/k",
        "connect",
        "listeners.https.ssl.keystore.locatio",
        "medium",
        "did you mean listeners.https.ssl.keystore.location",
    ),
    Case(
        "KA1409",
        FIRES,
        WORKER + "listeners.https.ssl.client.auth=perhaps",
        "connect",
        "listeners.https.ssl.client.auth",
    ),
    Case(
        "KA1401",
        SILENT,
        "clusters=a,b\na->b.producer.override.compression.type=zstd\na->b.consumer.override.max.poll.records=9",
        "mirror",
    ),
    Case(
        "KA1401",
        FIRES,
        "clusters=a,b\na->b.producer.override.compresion.type=zstd",
        "mirror",
        severity="medium",
        says="did you mean a->b.producer.override.compression.type",
    ),
    Case(
        "KA1401",
        SILENT,
        "use.latest.version=true\nnormalize.schemas=true\nlatest.compatibility.strict=false\n"
        "auto.register.schemas=false\nuse.latest.with.metadata=a=b\nlatest.cache.size=1\nid.compatibility.strict=true\n"
        "max.schemas.per.subject=10\nacks=all",
        "producer",
    ),
    Case("KA1401", SILENT, "clusters=a,b\na.config.storage.replication.factor=3\na->b.enabled=true", "mirror"),
    Case("KA1401", SILENT, NODE + "listener.name.internal.plain.sasl.jaas.config=x"),
    Case("KA1401", SILENT, "request.required.acks=1", "producer"),
    Case("KA1401", SILENT, "server.1=a:1:2\ndataDir=/d", "zookeeper"),
    Case("KA1401", UNKNOWN, "${PREFIX}.acks=1", "producer", says="filled in later"),
    Case(
        "KA102", UNKNOWN, ZK + "{% for k in more %}\n{{ k }}={{ more[k] }}\n{% endfor %}", "broker", says="may become"
    ),
    Case("KA102", FIRES, ZK + "{% if rack %}\nbroker.rack={{ rack }}\n{% endif %}", "broker", says="may acknowledge"),
    Case("KA1402", FIRES, NODE + ZK, "4.4", "zookeeper.connect", "medium", "because 4.0 removed the key"),
    Case("KA1402", FIRES, ZK + "log.message.format.version=3.8", "3.8", "log.message.format.version", "medium"),
    Case("KA1402", FIRES, "topics.blacklist=a", "mirror 4.4", "topics.blacklist", says="topics.exclude"),
    Case("KA1402", FIRES, "producer.type=sync\nrequest.required.acks=0", "producer", "request.required.acks"),
    Case("KA1402", SILENT, ZK + "broker.id=1", "3.9"),
    Case("KA1402", SILENT, "request.required.acks=1\nsasl.username=a", "producer"),
    Case("KA1402", UNKNOWN, ZK + "{{ key }}=1", "3.9"),
    Case("KA1403", SILENT, ZK + "broker.id=1", "3.9"),
    Case("KA1403", FIRES, CACHE, "streams 3.4", CACHE[:25], "low", "since Kafka 3.4; instead: statestore.cache.max"),
    Case("KA1403", FIRES, CACHE, "streams 4.4", severity="low"),
    Case("KA1403", SILENT, CACHE, "streams 3.3"),
    Case("KA1403", FIRES, "application.id=a\ndefault.dsl.store=rocksDB", "streams", says="since Kafka 3.7"),
    Case(
        "KA1402", FIRES, "clusters=a,b\ntopics.blacklist=a", "mirror 3.9", says="deprecated, and Kafka 4.0 removes it"
    ),
    Case("KA1403", SILENT, NODE + "num.partitions=3", "4.4"),
    Case("KA1403", UNKNOWN, NODE + "<key>=1"),
    Case("KA1404", FIRES, "group.protocol=consumer", "consumer 3.6", "group.protocol"),
    Case("KA1404", SILENT, "group.protocol=consumer", "consumer 3.9"),
    Case("KA1404", UNKNOWN, "@KEY@=1", "consumer"),
    Case("KA1404", SILENT, NODE + "config.providers=file\nconfig.providers.file.class=a.B", "3.9"),
    Case("KA1404", SILENT, "bootstrap.servers=b:1\ngroup.id=g\nproducer.config.providers=file", "connect 3.9"),
    Case("KA1405", FIRES, ZK, "2.8", severity="low"),
    Case("KA1405", FIRES, NODE, "4.1", severity="low", says="your vendor may differ"),
    Case("KA1405", SILENT, NODE, "4.2"),
    Case("KA1405", SILENT, NODE, "4.9"),
    Case("KA1405", FIRES, "acks=all", "producer 3.9", severity="info", says="your vendor may differ"),
    Case("KA1405", FIRES, STREAMS, "streams 3.9", severity="info"),
    Case("KA1405", SILENT, "metadata.broker.list=b:1\ndebug=x", "producer 3.9"),
    Case("KA1405", SILENT, "retention.ms=1", "topic 3.9"),
    Case("KA1405", SILENT, "dataDir=/d\nclientPort=2181", "zookeeper 3.9"),
    Case("KA1405", SILENT, ZK, "cp7.9"),
    Case("KA1405", FIRES, ZK, "7.8.3-ccs", severity="info", says="supported until 2026-12-02"),
    Case(
        "KA1405", FIRES, ZK, "cp7.7", severity="low", says="7.7 is out of standard support since 2026-07-26; Platinum"
    ),
    Case("KA1405", FIRES, ZK, "7.5.1-ce", says="Confluent Platform 7.5"),
    Case("KA1405", SILENT, NODE, "cp8.0"),
    Case("KA1405", SILENT, NODE, "cp9.3"),
    Case("KA1405", FIRES, ZK, "msk3.6", says="Amazon MSK ended its support of Kafka 3.6 on 2026-06-01"),
    Case("KA1405", FIRES, ZK, "2.8.2.tiered", says="Amazon MSK ended its support of Kafka 2.8 on 2025-01-14"),
    Case("KA1405", SILENT, NODE, "3.7.x.kraft"),
    Case("KA1405", SILENT, NODE, "msk4.0"),
    Case("KA1405", FIRES, ZK, "msk3.0", says="your vendor may differ"),
    Case("KA1405", FIRES, ZK, "3.9", severity="low"),
    Case("KA1405", SILENT, ZK),
    Case("KA1405", FIRES, ZK, "3.9", says="Kafka 3.9 is out of support"),
    Case("KA1406", FIRES, "acks=all", "producer 4.0", "linger.ms", "info", "5"),
    Case("KA1406", SILENT, "linger.ms=5", "producer 3.9"),
    Case("KA1406", FIRES, NODE, "combined 4.0", "log.message.timestamp.after.max.ms"),
    Case("KA1406", SILENT, "process.roles=controller\nnode.id=1", "controller 4.0"),
    Case("KA1406", SILENT, NODE, "combined 4.1"),
    Case("KA1406", SILENT, "acks=all", "producer"),
    Case("KA1406", UNKNOWN, "{{ more }}\nacks=all", "producer 4.0"),
    Case(
        "KA1406",
        FIRES,
        "acks=all",
        "producer 4.0",
        "linger.ms",
        says="from 4.0 on a record waits a few milliseconds for its batch to fill (default 5, before 0",
    ),
    Case("KA1410", UNKNOWN, "{{ more }}\nacks=all", "producer", says="may become"),
    Case("KA1407", FIRES, "acks=all\nacks=1", "producer", "acks", "medium", "different"),
    Case("KA1407", FIRES, "acks=all\nacks= all", "producer", "acks", "low", "same"),
    Case("KA1407", SILENT, "acks=all\n", "producer"),
    Case("KA1407", SILENT, "{% if safe %}\nacks=all\n{% else %}\nacks=1\n{% endif %}", "producer"),
    Case("KA1407", FIRES, "{% if safe %}\nlinger.ms=1\n{% endif %}\nacks=all\nacks=1", "producer", "acks"),
    Case("KA1407", UNKNOWN, "${K}=all\n${K}=1", "producer"),
    Case("KA1407", SILENT, "${K}=all\n", "producer"),
    Case("KA1407", FIRES, "ssl.key.password=a\nssl.key.password=b", "producer", severity="low", says="not compared"),
    Case("KA1407", FIRES, "acks=all\nacks=all", "producer", says="the last one counts"),
    Case("KA1408", FIRES, "retries=3 # three", "producer", "retries", "critical"),
    Case("KA1408", FIRES, "client.id=orders # ours", "producer", "client.id", "high"),
    Case("KA1408", SILENT, "client.id=orders#1", "producer"),
    Case("KA1408", SILENT, "ssl.key.password=a # b", "producer"),
    Case("KA1408", UNKNOWN, "${K}=1 # b", "producer"),
    Case("KA1409", FIRES, "acks=2", "producer", "acks", "critical"),
    Case("KA1409", SILENT, ZK + "controller.quorum.bootstrap.servers=1@c1:9093", "3.9"),
    Case("KA1409", FIRES, NODE + "controller.quorum.bootstrap.servers=1@c1:9093", "4.3", severity="critical"),
    Case(
        "KA1409", FIRES, "auto.offset.reset=smallest\nkey.deserializer=x", "consumer", "auto.offset.reset", "critical"
    ),
    Case("KA1409", SILENT, "auto.offset.reset=smallest\nsasl.username=x", "consumer"),
    Case(
        "KA1409",
        FIRES,
        "processing.guarantee=exactly_once",
        "streams 4.0",
        "processing.guarantee",
        says="set exactly_once_v2",
    ),
    Case("KA1409", SILENT, "processing.guarantee=exactly_once", "streams 3.9"),
    Case("KA1409", FIRES, "bootstrap.servers=http://h:9092", "connect", "bootstrap.servers"),
    Case("KA1409", SILENT, "bootstrap.servers=PLAINTEXT://h:9092", "connect"),
    Case("KA1409", FIRES, NODE + "listener.name.a.ssl.client.auth=maybe", "", "listener.name.a.ssl.client.auth"),
    Case("KA1409", FIRES, "producer.acks=maybe", "connect", "producer.acks", "high"),
    Case("KA1409", SILENT, "retries= 3 ", "producer"),
    Case("KA1409", UNKNOWN, NODE + "broker.id=KAFKABROKERID", "", says="filled in later"),
    Case("KA1409", UNKNOWN, NODE + "min.insync.replicas=${ISR}", "", says="filled in later"),
    Case("KA1409", UNKNOWN, "bootstrap.servers=BOOTSTRAP", "producer", says="filled in later"),
    Case("KA1409", UNKNOWN, "bootstrap.servers=BOOTSTRAP:9092", "producer", says="filled in later"),
    Case("KA1409", UNKNOWN, "bootstrap.servers=b1:PORT", "producer", says="filled in later"),
    Case("KA1409", UNKNOWN, NODE + "controller.quorum.voters=NODES", says="filled in later"),
    Case("KA1409", UNKNOWN, NODE + "controller.quorum.voters=1@HOST:9093", says="filled in later"),
    Case("KA1409", FIRES, "bootstrap.servers=b1", "producer", "bootstrap.servers", "critical"),
    Case("KA1409", SILENT, "client.id=${CLIENT}", "producer"),
    Case("KA1410", FIRES, "acks=all", "producer", "bootstrap.servers", "info"),
    Case("KA1410", FIRES, "key.deserializer=x", "consumer", "group.id", "medium"),
    Case("KA1410", FIRES, "zookeeper.connect=z:1", "consumer", "bootstrap.servers", "high"),
    Case("KA1410", FIRES, "broker.id=1", "broker 3.9", "zookeeper.connect", "critical"),
    Case("KA1410", FIRES, "bootstrap.servers=b:1\nnum.stream.threads=4", "streams", "application.id", "critical"),
    Case("KA1410", SILENT, "acks=all\nbootstrap.servers=b:1", "producer"),
    Case("KA1410", FIRES, "bootstrap.servers=b:1\nkey.serializer=x", "producer", "value.serializer", "info"),
    Case("KA1410", SILENT, "security.protocol=SSL", "admin"),
    Case("KA1410", SILENT, STANDALONE, "connect"),
    Case("KA1410", FIRES, "bootstrap.servers=b:1\ngroup.id=g", "connect", "config.storage.topic", "critical"),
    Case("KA1410", FIRES, "clusters=a, b\ncluster.a.bootstrap.servers=x:1", "mirror", "a.bootstrap.servers", "high"),
    Case("KA1410", SILENT, "clusters=a,b\na.bootstrap.servers=x:1\nb.bootstrap.servers=${B}", "mirror"),
    Case("KA1410", SILENT, "clusters=${A},${B}", "mirror"),
    Case("KA1410", FIRES, ZK, "broker 4.0", "process.roles", "critical"),
    Case("KA1410", FIRES, "bootstrap.servers=a:1", "streams", "application.id", "critical"),
    Case("KA1410", FIRES, "tickTime=1", "zookeeper", "dataDir", "critical"),
    Case("KA1410", SILENT, NODE + "broker.id=1\ncontroller.listener.names=C", "4.4"),
    Case("KA1411", FIRES, ZK + ACL_AUTHORIZER, "3.9", severity="low", says="when the broker restarts in KRaft mode"),
    Case("KA1411", FIRES, ZK + ACL_AUTHORIZER, "2.8", severity="low"),
    Case("KA1411", FIRES, NODE + ACL_AUTHORIZER, "3.9", severity="medium", says="is removed in Kafka 4.0"),
    Case(
        "KA1411",
        FIRES,
        NODE + "authorizer.class.name=kafka.security.authorizer.AclAuthorizer",
        "4.0",
        severity="critical",
    ),
    Case("KA1411", FIRES, ZK + OLD_AUTHORIZER, "", "authorizer.class.name", "high"),
    Case("KA1411", FIRES, ZK + OLD_AUTHORIZER, "3.9", "authorizer.class.name", "critical"),
    Case("KA1411", FIRES, ZK + OLD_AUTHORIZER, "2.8", "authorizer.class.name", "medium"),
    Case("KA1411", FIRES, OLD_PARTITIONER, "producer 4.0", "partitioner.class", "critical", "remove partitioner.class"),
    Case("KA1411", SILENT, ZK + "authorizer.class.name=org.example.Mine", "3.9"),
    Case("KA1411", UNKNOWN, ZK + "authorizer.class.name=${AUTHORIZER}", "3.9"),
    Case("KA1411", SILENT, ZK + "log.dirs=${DIRS}\nbroker.rack=${RACK}", "3.9"),
    Case("KA1412", SILENT, "ssl.key.password=${KEY_PASSWORD:-x}", "producer"),
    Case("KA1412", SILENT, "ssl.key.password=${KEY_PASSWORD}", "producer"),
    Case("KA1412", FIRES, "ssl.key.password=${env:KEY_PASSWORD}", "producer", "ssl.key.password", "high"),
    Case("KA1412", UNKNOWN, "config.providers=${P}\nssl.key.password=${env:KEY_PASSWORD}", "producer"),
    Case("KA1413", FIRES, ZK + "log.cleaner.enable=false\nprocess.roles=broker", "4.1", "log.cleaner.enable", "low"),
    Case("KA1413", SILENT, ZK + "log.cleaner.enable=false", "3.9"),
    Case("KA1413", UNKNOWN, "processing.guarantee=${PG}", "streams 3.9"),
    Case("KA1416", FIRES, FALLBACK + "0.9.0", "producer 4.0", "broker.version.fallback", "high"),
    Case("KA1416", FIRES, FALLBACK + "0.8.2.1", "producer 3.9", severity="medium"),
    Case("KA1416", SILENT, FALLBACK + "0.10.2", "producer"),
    Case("KA1416", SILENT, FALLBACK.replace("=false", "=true") + "0.9.0", "producer"),
    Case("KA1416", UNKNOWN, FALLBACK + "${X}", "producer"),
]


@pytest.mark.parametrize("release", ["2.8", "3.9"])
def test_no_class_is_asked_for_that_zookeeper_mode_does_not_have(release: str) -> None:
    [finding] = findings(Case("KA1411", FIRES, ZK + ACL_AUTHORIZER, release))
    assert finding.required is None
    assert "restarts in KRaft mode" in finding.fix


@pytest.mark.parametrize(
    ("text", "options", "required"),
    [
        (ZK, "3.6", "Kafka >= 4.2, by way of the migration to KRaft on 3.9"),
        (NODE, "3.9", "Kafka >= 4.2"),
        (NODE, "4.1", "Kafka >= 4.2"),
        ("acks=all", "producer 3.6", "Kafka >= 4.2"),
        (ZK, "cp7.5", "a release in support, by way of the migration to KRaft on 3.9"),
    ],
)
def test_the_bridge_release_is_for_zookeeper_mode(text: str, options: str, required: str) -> None:
    [finding] = findings(Case("KA1405", FIRES, text, options))
    assert finding.required == required
    assert "3.9" not in finding.fix


def test_a_release_is_said_to_be_out_of_support_once_per_run() -> None:
    files = [*entities(ZK + "broker.id=1", "broker 3.6"), *entities(ZK + "broker.id=2", "broker 3.6")]
    files += [*entities("acks=all", "producer 3.6"), *entities("acks=all", "producer 3.5")]
    report = judge([Snapshot("files", files)], [RULES["KA1405"]], Policy())
    assert [(row.entity[0], row.severity, row.message[:9]) for row in report.findings] == [
        ("broker", "low", "Kafka 3.6"),
        ("producer", "info", "Kafka 3.5"),
    ]


def test_every_cluster_is_told_that_its_release_is_out_of_support() -> None:
    clusters = {name: entities(ZK + "broker.id=1", "broker 3.6") for name in ("one", "other")}
    for name, [entity] in clusters.items():
        entity.file = f"{name}.properties"
    report = judge([Snapshot(*cluster) for cluster in clusters.items()], [RULES["KA1405"]], Policy())
    assert [row.place for row in report.findings] == ["one.properties", "other.properties"]


def test_apache_mends_the_newest_three_releases_of_the_catalogs() -> None:
    assert VERSIONS[-3:] == APACHE


def test_cases() -> None:
    check_all(CASES)
