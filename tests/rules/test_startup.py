"""Rules about what Kafka refuses at the start, or takes otherwise than it is written."""

from __future__ import annotations

from tests.support.rule_cases import FIRES, SILENT, UNKNOWN, Case, check_all

NODE = "process.roles=broker,controller\nnode.id=1\n"
BROKER = "process.roles=broker\nnode.id=1\n"
ZK = "zookeeper.connect=z1:2181\n"
SERIALIZERS = "org.apache.kafka.common.serialization."
STREAMS = "application.id=a\nbootstrap.servers=b:1\n"
LISTENER = "process.roles=broker\nnode.id=1\nlisteners={0}://:9092\nlistener.security.protocol.map={0}:SSL\n"
CONNECT = "bootstrap.servers=b:1\ngroup.id=g\nconfig.storage.topic=c\noffset.storage.topic=o\n"

CASES = [
    Case("KA1414", FIRES, "key.serializer=StringSerializer", "producer", "key.serializer", "critical", "full name"),
    Case(
        "KA1414",
        FIRES,
        f"key.serializer={SERIALIZERS}StringDeserializer",
        "producer",
        says="does not implement Serializer",
    ),
    Case("KA1414", FIRES, f"key.serializer={SERIALIZERS}BooleanSerializer", "producer 3.3", says="not a class of this"),
    Case("KA1414", SILENT, f"key.serializer={SERIALIZERS}BooleanSerializer", "producer 3.5"),
    Case("KA1414", SILENT, f"key.serializer={SERIALIZERS}BooleanSerializer", "producer 3.9"),
    Case("KA1414", FIRES, f"default.key.serde={SERIALIZERS}StringSerde", "streams", says="not a class"),
    Case("KA1414", SILENT, f"default.key.serde={SERIALIZERS}Serdes$StringSerde", "streams"),
    Case("KA1414", SILENT, "key.serializer=com.example.OrderSerializer", "producer"),
    Case("KA1414", FIRES, "metric.reporters=a.B,c", "producer", "metric.reporters"),
    Case("KA1414", UNKNOWN, "metric.reporters=a.B,C", "producer", says="a class without a package"),
    Case("KA1414", FIRES, "metric.reporters=JmxReporter", "producer", "metric.reporters"),
    Case("KA1414", FIRES, "metric.reporters=,", "producer 3.9", says="an empty name"),
    Case("KA1414", SILENT, "metric.reporters=", "producer 3.9"),
    Case("KA1414", SILENT, "partition.assignment.strategy=range", "consumer"),
    Case("KA1414", FIRES, NODE + "principal.builder.class=java.lang.String", "3.9"),
    Case("KA1414", FIRES, ZK + "principal.builder.class=java.lang.String", "3.9"),
    Case("KA1414", SILENT, ZK + "principal.builder.class=java.lang.String", "2.8"),
    Case("KA1414", SILENT, NODE + "authorizer.class.name=kafka.security.authorizer.AclAuthorizer", "4.0"),
    Case("KA1414", UNKNOWN, "key.serializer=${SERIALIZER}", "producer", says="filled in later"),
    Case("KA1415", FIRES, NODE + "log.cleanup.policy=delete, delete", "4.2", "log.cleanup.policy", "info"),
    Case("KA1415", SILENT, NODE + "log.cleanup.policy=delete,delete", "4.1"),
    Case("KA1415", SILENT, NODE + "log.cleanup.policy=delete,compact", "4.4"),
    Case("KA1415", UNKNOWN, NODE + "log.cleanup.policy=${POLICY}", "4.4"),
    Case("KA538", FIRES, BROKER + "controller.listener.names=A,B", "", "controller.listener.names", "low", "only A"),
    Case("KA538", SILENT, NODE + "controller.listener.names=A,B"),
    Case("KA538", SILENT, BROKER + "controller.listener.names=A"),
    Case("KA538", UNKNOWN, BROKER + "controller.listener.names=${NAMES}"),
    Case("KA1250", FIRES, STREAMS + "group.protocol=streams", "streams 4.0", "group.protocol", says="uses the classic"),
    Case("KA1250", FIRES, STREAMS + "group.protocol=streams", "streams 4.3", says="no warm-up"),
    Case("KA1250", SILENT, STREAMS + "group.protocol=classic\nnum.standby.replicas=1", "streams"),
    Case("KA1250", SILENT, STREAMS + "group.protocol=streams", "streams 3.9"),
    Case("KA1250", UNKNOWN, STREAMS + "group.protocol=${P}", "streams"),
    Case("KA1251", FIRES, STREAMS + "rack.aware.assignment.tags=zone", "streams", severity="critical"),
    Case(
        "KA1251",
        FIRES,
        STREAMS + "rack.aware.assignment.tags=zone,\nclient.tag.zone=a",
        "streams",
        says="a tag is empty",
    ),
    Case("KA1251", SILENT, STREAMS + "rack.aware.assignment.tags=zone\nclient.tag.zone=a", "streams"),
    Case("KA1251", UNKNOWN, STREAMS + "rack.aware.assignment.tags=${TAGS}", "streams"),
    Case("KA1254", FIRES, STREAMS + "client.tag.zone=" + "x" * 31, "streams", severity="critical"),
    Case("KA1254", SILENT, STREAMS + "client.tag.zone=" + "x" * 30, "streams"),
    Case("KA1254", FIRES, STREAMS + "".join(f"client.tag.{n}=x\n" for n in range(6)), "streams", says="more than 5"),
    Case("KA1254", UNKNOWN, STREAMS + "client.tag.zone=${ZONE}", "streams"),
    Case("KA1254", SILENT, STREAMS + "client.tag.zone=", "streams 4.1"),
    Case("KA1255", FIRES, STREAMS + "group.protocol=streams\nmain.consumer.group.instance.id=i", "streams 4.3"),
    Case("KA1255", SILENT, STREAMS + "group.instance.id=i", "streams 4.3"),
    Case("KA1255", UNKNOWN, STREAMS + "group.instance.id=i\ngroup.protocol=${P}", "streams 4.3"),
    Case("KA1409", FIRES, ZK + "inter.broker.protocol.version=4.0", "3.9", severity="critical"),
    Case("KA1409", SILENT, ZK + "inter.broker.protocol.version=4.0-IV0", "3.9"),
    Case("KA1409", SILENT, ZK + "inter.broker.protocol.version=3.9.1", "3.9"),
    Case("KA915", FIRES, "group.id=g\nheartbeat.interval.ms=0\nsession.timeout.ms=0", "consumer", severity="critical"),
    Case("KA1252", FIRES, CONNECT + "inter.worker.signature.algorithm=HmacSHA512", "connect", severity="critical"),
    Case("KA1252", SILENT, CONNECT + "inter.worker.signature.algorithm=HmacSHA512", "connect 3.0"),
    Case("KA1252", FIRES, CONNECT + "inter.worker.key.generation.algorithm=HmacSHA512", "connect 3.0"),
    Case("KA1252", SILENT, CONNECT, "connect"),
    Case("KA1252", UNKNOWN, CONNECT + "inter.worker.signature.algorithm=${A}", "connect"),
    Case("KA1253", FIRES, CONNECT + "inter.worker.key.size=39", "connect", severity="critical"),
    Case("KA1253", SILENT, CONNECT + "inter.worker.key.size=40", "connect"),
    Case("KA1253", UNKNOWN, CONNECT + "inter.worker.key.size=${N}", "connect"),
    Case("KA915", FIRES, "group.id=g\nheartbeat.interval.ms=-1", "consumer", severity="critical"),
    Case("KA708", FIRES, NODE + "log.cleaner.threads=0", severity="critical"),
    Case("KA212", FIRES, NODE + "group.streams.assignors=range", "4.4", severity="critical"),
    Case("KA212", FIRES, NODE + "group.share.assignors=", "4.1", severity="critical"),
    Case("KA1109", FIRES, "group.id=g\nshare.acquire.mode=record_limit", "consumer 4.3", severity="critical"),
    Case("KA1409", SILENT, LISTENER.format("PLAINTEXT") + "listener.name.oauth.ssl.client.auth=maybe"),
    Case("KA1409", FIRES, LISTENER.format("OAUTH") + "listener.name.oauth.ssl.client.auth=maybe", severity="critical"),
    Case("KA1409", FIRES, CONNECT + "admin.listeners=http://a:1,", "connect 3.9", "admin.listeners", "critical"),
    Case("KA1409", SILENT, CONNECT + "connect.protocol=EAGER", "connect"),
    Case("KA1409", SILENT, CONNECT + "errors.tolerance=10", "connect"),
    Case(
        "KA1409", FIRES, "name=c\nconnector.class=a.B\nerrors.tolerance=10", "connect", "errors.tolerance", "critical"
    ),
    Case("KA1409", FIRES, ZK + "compression.type=lzo", "2.8", severity="critical"),
    Case("KA1409", FIRES, "group.instance.id=a,b", "consumer", severity="critical"),
    Case("KA1409", FIRES, NODE + "log.roll.ms=0", severity="critical"),
    Case("KA530", SILENT, ZK + "broker.id=1\nnode.id=-2", "2.8"),
    Case("KA1409", FIRES, "bootstrap.servers=h:99999", "producer", severity="critical"),
    Case("KA1409", FIRES, "bootstrap.servers=http://h:9092", "producer", severity="high", says="dropped"),
    Case("KA1409", SILENT, "bootstrap.servers=h:1,", "producer 4.1"),
    Case("KA1409", FIRES, "bootstrap.servers=h:1,", "producer 4.2", severity="critical"),
    Case("KA1409", SILENT, NODE + "controller.quorum.voters=1@a/b:9093", "3.9"),
    Case("KA1409", FIRES, NODE + "controller.quorum.voters=1@a/b:9093", "4.0", severity="critical"),
    Case("KA1409", FIRES, STREAMS + "retries=-1", "streams 4.3", severity="high"),
    Case("KA539", FIRES, "process.roles=broker\nnode.id=-1", "3.6", severity="critical"),
    Case("KA539", SILENT, "process.roles=broker\nnode.id=0", "3.6"),
    Case("KA539", SILENT, ZK + "node.id=-1", "3.6"),
    Case("KA539", UNKNOWN, "process.roles=broker\nnode.id=${ID}", "3.6"),
]


def test_cases() -> None:
    check_all(CASES)
