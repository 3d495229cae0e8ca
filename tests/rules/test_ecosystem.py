from __future__ import annotations

from tests.support.rule_cases import FIRES, RULES, SILENT, UNKNOWN, Case, check, check_all

CONNECT = "bootstrap.servers=b1:9092\ngroup.id=c\nkey.converter=k\n"
SINK = "connector.class=org.apache.kafka.connect.file.FileStreamSinkConnector\ntopics=a\n"
SOURCE = "connector.class=org.apache.kafka.connect.file.FileStreamSourceConnector\ntopic=a\n"
CREATED = "topic.creation.default.replication.factor"
MIRROR = "clusters=a, b\na->b.enabled=true\n"
STREAMS = "application.id=a\nbootstrap.servers=b1:9092\n"
EOS = STREAMS + "processing.guarantee=exactly_once_v2\n"
ZK = "tickTime=2000\ndataDir=/data\nclientPort=2181\n"
ENSEMBLE = ZK + "initLimit=10\nsyncLimit=5\nserver.1=a:1:2\nserver.2=b:1:2\nserver.3=c:1:2\n"
DYNAMIC = ZK + "dynamicConfigFile=/etc/zoo.dyn\n"
FLY = "max.in.flight.requests.per.connection"
POLICY = "replication.policy.class=org.apache.kafka.connect.mirror.IdentityReplicationPolicy\n"
X = "=${X}"
CONTINUE = "processing.exception.handler=org.apache.kafka.streams.errors.LogAndContinueProcessingExceptionHandler"
GROUPS = "sync.group.offsets.enabled="
NO_CHECKPOINTS = "emit.checkpoints.enabled=false"

CASES = [
    Case("KA1201", FIRES, CONNECT + "status.storage.replication.factor=2", "connect", severity="medium"),
    Case("KA1201", FIRES, MIRROR + "a.config.storage.replication.factor=1", "mirror", severity="high"),
    Case("KA1201", FIRES, MIRROR + "offset-syncs.topic.replication.factor : 1", "mirror", severity="high"),
    Case("KA1201", FIRES, MIRROR + "a->b.heartbeats.topic.replication.factor=1", "mirror", severity="high"),
    Case("KA1201", FIRES, STREAMS + "replication.factor=1", "streams", "replication.factor", "high"),
    Case("KA1201", FIRES, STREAMS, "streams 2.8", "replication.factor", "high"),
    Case("KA1201", SILENT, STREAMS, "streams 3.0"),
    Case("KA1201", SILENT, CONNECT + "offset.storage.replication.factor=-1", "connect"),
    Case("KA1201", UNKNOWN, CONNECT + "offset.storage.replication.factor" + X, "connect"),
    Case("KA1202", FIRES, MIRROR + "a->b.replication.factor=1", "mirror", "a->b.replication.factor", "high"),
    Case("KA1202", FIRES, MIRROR, "mirror", "replication.factor", "low"),
    Case("KA1202", SILENT, "clusters=a,b\na->b.enabled=true\nb->a.enabled=false\na->b.replication.factor=3", "mirror"),
    Case("KA1202", SILENT, MIRROR + "replication.factor=-1\r", "mirror"),
    Case("KA1202", UNKNOWN, MIRROR + "replication.factor" + X, "mirror"),
    Case("KA1217", FIRES, SOURCE + f"{CREATED}=1", "connect", CREATED, "high"),
    Case("KA1217", FIRES, SOURCE + f"{CREATED}=2", "connect", CREATED, "low"),
    Case("KA1217", FIRES, SOURCE + "topic.creation.big.replication.factor=1", "connect", severity="high"),
    Case("KA1217", SILENT, SOURCE + f"{CREATED}=3", "connect"),
    Case("KA1217", SILENT, SOURCE + f"{CREATED}=-1", "connect"),
    Case("KA1217", SILENT, SOURCE + "topic.creation.default.partitions=1", "connect"),
    Case("KA1217", UNKNOWN, SOURCE + CREATED + X, "connect"),
    Case("KA1203", FIRES, MIRROR + POLICY, "mirror", severity="info"),
    Case("KA1203", FIRES, MIRROR + POLICY + "b->a.enabled=true", "mirror", severity="low"),
    Case("KA1203", SILENT, MIRROR, "mirror"),
    Case("KA1203", UNKNOWN, MIRROR + "replication.policy.class" + X, "mirror"),
    Case("KA1204", FIRES, MIRROR + POLICY + "b->a.enabled=true\nb->a.topics=x", "mirror", severity="medium"),
    Case("KA1204", SILENT, MIRROR + POLICY + "b->a.enabled=false", "mirror"),
    Case("KA1204", UNKNOWN, MIRROR + POLICY + "b->a.enabled" + X, "mirror"),
    Case("KA1205", FIRES, MIRROR + "emit.checkpoints.enabled=false", "mirror", "emit.checkpoints.enabled", "low"),
    Case("KA1205", SILENT, MIRROR, "mirror"),
    Case("KA1205", UNKNOWN, MIRROR + "emit.checkpoints.enabled" + X, "mirror"),
    Case("KA1206", SILENT, MIRROR, "mirror"),
    Case("KA1206", UNKNOWN, "clusters=${C}\na->b.enabled=true", "mirror"),
    Case("KA1207", SILENT, "clusters=a,b\nenabled=true", "mirror"),
    Case("KA1207", UNKNOWN, "clusters=a,b\na->b.enabled=false # passive", "mirror"),
    Case("KA1208", FIRES, MIRROR + "a.bootstrap.servers=k:1", "mirror", "a.bootstrap.servers", "low"),
    Case("KA1208", FIRES, "metadata.broker.list=b1:9092\nacks=all\ndebug=x", "producer", severity="low"),
    Case("KA1208", FIRES, STREAMS, "streams", "bootstrap.servers", "low"),
    Case("KA1208", SILENT, "bootstrap.servers=my-cluster-kafka-bootstrap:9092\nacks=all", "producer"),
    *(
        Case("KA1208", SILENT, f"bootstrap.servers={host}\nacks=all", "producer")
        for host in (
            "boot-x.c3.kafka-serverless.us-east-1.amazonaws.com:9098",
            "kafka-1.a.aivencloud.com:1234",
            "cell-1.streaming.eu-frankfurt-1.oci.oraclecloud.com:9092",
            "seed-1.fmc.prd.cloud.redpanda.com:9092",
            "db-kafka.k.db.ondigitalocean.com:25073",
        )
    ),
    Case("KA1208", FIRES, "bootstrap.servers=b-1.x.c2.kafka.us-east-1.amazonaws.com:9094\nacks=all", "producer"),
    Case("KA1208", UNKNOWN, CONNECT.replace("b1", "<KAFKA_URL>"), "connect"),
    Case("KA1208", UNKNOWN, "bootstrap.servers=${BOOTSTRAP}\nacks=all", "producer"),
    Case("KA1209", FIRES, STREAMS + "producer.acks=0", "streams", severity="critical"),
    Case(
        "KA1209",
        FIRES,
        STREAMS + "processing.guarantee=exactly_once_v2\nproducer.acks=1",
        "streams",
        severity="critical",
        says="fails at its start",
    ),
    Case("KA1209", FIRES, STREAMS + "producer.acks=1", "streams", severity="high"),
    Case("KA1209", SILENT, STREAMS + "acks=all", "streams"),
    Case("KA1209", UNKNOWN, STREAMS + "acks" + X, "streams"),
    Case("KA1210", SILENT, CONNECT, "connect"),
    Case("KA1210", UNKNOWN, CONNECT + "config.storage.topic=a\noffset.storage.topic" + X, "connect"),
    Case("KA1211", FIRES, CONNECT + "config.storage.cleanup.policy=delete", "connect", severity="low"),
    Case("KA1211", SILENT, CONNECT + "config.storage.partitions=1", "connect"),
    Case("KA1211", UNKNOWN, CONNECT + "config.storage.partitions" + X, "connect"),
    Case("KA1212", FIRES, CONNECT + "session.timeout.ms=3000", "connect", "session.timeout.ms", "high"),
    Case("KA1212", FIRES, CONNECT + "heartbeat.interval.ms=4000", "connect", severity="low"),
    Case("KA1212", SILENT, CONNECT, "connect"),
    Case("KA1212", UNKNOWN, CONNECT + "session.timeout.ms" + X, "connect"),
    Case("KA1213", SILENT, CONNECT, "connect"),
    Case("KA1213", UNKNOWN, CONNECT + "rest.advertised.host.name" + X, "connect"),
    Case("KA1214", SILENT, CONNECT + "offset.storage.file.filename=/tmpfs/o", "connect"),
    Case("KA1214", UNKNOWN, CONNECT + "offset.storage.file.filename" + X, "connect"),
    Case("KA1215", SILENT, SINK + "errors.tolerance=all\nerrors.deadletterqueue.topic.name=dlq", "connect"),
    Case(
        "KA1215",
        FIRES,
        SINK + "errors.tolerance=all",
        "connect",
        severity="medium",
        says="drops broken records without a trace",
    ),
    Case("KA1215", FIRES, CONNECT + "errors.tolerance=all", "connect", "errors.tolerance", "low", "a worker ignores"),
    Case("KA1215", FIRES, CONNECT + "errors.tolerance=all\nerrors.log.enable=true", "connect", says="a worker ignores"),
    Case("KA1215", SILENT, CONNECT + "errors.tolerance=none", "connect"),
    Case("KA1215", UNKNOWN, CONNECT + "errors.tolerance" + X, "connect"),
    Case("KA1216", SILENT, CONNECT, "connect"),
    Case("KA1216", UNKNOWN, CONNECT + "exactly.once.source.support" + X, "connect"),
    Case("KA1220", FIRES, STREAMS, "streams", "state.dir", "low"),
    Case("KA1220", SILENT, STREAMS + "state.dir=/data", "streams"),
    Case("KA1220", UNKNOWN, STREAMS + "state.dir" + X, "streams"),
    Case("KA1221", FIRES, EOS + "producer.transaction.timeout.ms=50", "streams", severity="critical"),
    Case("KA1221", SILENT, EOS + "commit.interval.ms=10000", "streams"),
    Case("KA1221", SILENT, STREAMS + "commit.interval.ms=30000", "streams"),
    Case("KA1221", SILENT, EOS + "commit.interval.ms=30000", "streams 2.8"),
    Case("KA1221", UNKNOWN, EOS + "commit.interval.ms" + X, "streams"),
    Case("KA1222", FIRES, EOS + FLY + "=6", "streams 3.0", FLY, "critical"),
    Case("KA1222", SILENT, STREAMS + FLY + "=6", "streams"),
    Case("KA1222", UNKNOWN, EOS + FLY + X, "streams"),
    Case("KA1223", FIRES, EOS + "consumer.isolation.level=read_uncommitted", "streams", severity="low"),
    Case("KA1223", FIRES, EOS + "producer.transactional.id=x", "streams", severity="low"),
    Case("KA1223", SILENT, STREAMS + "consumer.isolation.level=read_uncommitted", "streams"),
    Case("KA1223", UNKNOWN, EOS + "isolation.level" + X, "streams"),
    Case("KA1224", FIRES, STREAMS, "streams", severity="info"),
    Case("KA1224", SILENT, STREAMS + "num.standby.replicas=2", "streams"),
    Case("KA1224", UNKNOWN, STREAMS + "num.standby.replicas" + X, "streams"),
    Case("KA1225", SILENT, STREAMS, "streams"),
    Case("KA1225", UNKNOWN, STREAMS + "num.stream.threads" + X, "streams"),
    Case("KA1226", SILENT, STREAMS, "streams"),
    Case("KA1226", UNKNOWN, STREAMS + "upgrade.from" + X, "streams"),
    Case("KA1227", SILENT, STREAMS, "streams"),
    Case("KA1227", UNKNOWN, STREAMS + "deserialization.exception.handler" + X, "streams"),
    Case("KA1228", SILENT, "bootstrap.controllers=c:1", "admin"),
    Case("KA1228", SILENT, "bootstrap.controllers=c:1\nbootstrap.servers=b:1", "admin 3.6"),
    Case("KA1228", UNKNOWN, "bootstrap.controllers=${C}\nbootstrap.servers=b:1", "admin"),
    Case("KA1230", SILENT, ENSEMBLE, "zookeeper"),
    Case("KA1230", UNKNOWN, DYNAMIC, "zookeeper"),
    Case("KA1230", UNKNOWN, ZK + "server.{{ID}}=a:1:2", "zookeeper"),
    Case("KA1230", UNKNOWN, ZK + "server.1=", "zookeeper"),
    Case("KA1231", FIRES, ENSEMBLE + "server.4=d:1:2", "zookeeper", severity="low"),
    Case("KA1231", SILENT, ENSEMBLE + "server.4=d:1:2:observer", "zookeeper"),
    Case("KA1231", UNKNOWN, DYNAMIC, "zookeeper"),
    Case("KA1232", SILENT, ZK, "zookeeper"),
    Case("KA1232", UNKNOWN, "tickTime=2000\ndataDir" + X, "zookeeper"),
    Case("KA1233", SILENT, ZK + "autopurge.purgeInterval=1", "zookeeper"),
    Case("KA1233", UNKNOWN, ZK + "autopurge.purgeInterval" + X, "zookeeper"),
    Case("KA1234", SILENT, ZK, "zookeeper"),
    Case("KA1234", UNKNOWN, ZK + "autopurge.snapRetainCount" + X, "zookeeper"),
    Case("KA1235", FIRES, ZK + "dataLogDir=/data/", "zookeeper", severity="low"),
    Case("KA1235", SILENT, ZK + "dataLogDir=/log", "zookeeper"),
    Case("KA1235", UNKNOWN, ZK + "dataLogDir" + X, "zookeeper"),
    Case("KA1236", SILENT, ZK, "zookeeper"),
    Case("KA1236", UNKNOWN, DYNAMIC, "zookeeper"),
    Case("KA1237", SILENT, ENSEMBLE, "zookeeper"),
    Case("KA1237", UNKNOWN, ZK + "syncLimit" + X, "zookeeper"),
    Case("KA1238", SILENT, ZK, "zookeeper"),
    Case("KA1238", UNKNOWN, ZK + "forceSync" + X, "zookeeper"),
    Case("KA1239", SILENT, ZK, "zookeeper"),
    Case("KA1239", UNKNOWN, ZK + "skipACL" + X, "zookeeper"),
    Case("KA1240", SILENT, ZK, "zookeeper"),
    Case("KA1240", UNKNOWN, ZK + "4lw.commands.whitelist" + X, "zookeeper"),
    Case("KA1241", SILENT, ZK, "zookeeper"),
    Case("KA1241", UNKNOWN, ZK + "maxClientCnxns" + X, "zookeeper"),
    Case("KA1242", SILENT, ZK + "secureClientPort=2182", "zookeeper"),
    Case("KA1242", UNKNOWN, "tickTime=2000\ndataDir=/data\nclientPort" + X, "zookeeper"),
    Case("KA1243", SILENT, ZK + "admin.serverAddress=127.0.0.1", "zookeeper"),
    Case("KA1243", UNKNOWN, ZK + "admin.enableServer" + X, "zookeeper"),
    Case("KA1256", FIRES, MIRROR + "listeners=http://m1:8083", "mirror 3.5", severity="info"),
    Case("KA1256", SILENT, MIRROR + "listeners=http://m1:8083", "mirror 3.4"),
    Case("KA1256", SILENT, MIRROR, "mirror"),
    Case("KA1256", SILENT, MIRROR + "dedicated.mode.enable.internal.rest=true", "mirror"),
    Case("KA1256", UNKNOWN, MIRROR + "dedicated.mode.enable.internal.rest" + X, "mirror"),
    Case("KA1257", FIRES, MIRROR + "a->b." + GROUPS + "true\na->b." + NO_CHECKPOINTS, "mirror", severity="medium"),
    Case("KA1257", FIRES, MIRROR + "a->b." + GROUPS + "true\n" + NO_CHECKPOINTS, "mirror"),
    Case("KA1257", SILENT, MIRROR + GROUPS + "true\nb->a." + NO_CHECKPOINTS, "mirror"),
    Case("KA1257", SILENT, MIRROR + GROUPS + "false\n" + NO_CHECKPOINTS, "mirror"),
    Case("KA1257", UNKNOWN, MIRROR + GROUPS + "true\nemit.checkpoints.enabled" + X, "mirror"),
    Case("KA1258", FIRES, CONNECT + "scheduled.rebalance.max.delay.ms=0", "connect 2.3", severity="low"),
    Case("KA1258", SILENT, CONNECT, "connect"),
    Case("KA1258", SILENT, CONNECT + "scheduled.rebalance.max.delay.ms=0\nconnect.protocol=eager", "connect"),
    Case("KA1258", UNKNOWN, CONNECT + "scheduled.rebalance.max.delay.ms" + X, "connect"),
    Case("KA1259", FIRES, CONNECT + "connect.protocol=EAGER", "connect 2.3", severity="medium"),
    Case("KA1259", SILENT, CONNECT, "connect 2.3"),
    Case("KA1259", UNKNOWN, CONNECT + "connect.protocol" + X, "connect"),
    Case("KA1260", FIRES, STREAMS + CONTINUE, "streams 3.9", severity="low"),
    Case("KA1260", SILENT, STREAMS + CONTINUE, "streams 3.8"),
    Case("KA1260", FIRES, STREAMS + CONTINUE + "\nerrors.dead.letter.queue.topic.name=dlq", "streams 4.1"),
    Case("KA1260", SILENT, STREAMS + CONTINUE + "\nerrors.dead.letter.queue.topic.name=dlq", "streams 4.2"),
    Case("KA1260", SILENT, STREAMS, "streams"),
    Case("KA1260", UNKNOWN, STREAMS + "processing.exception.handler" + X, "streams"),
]


def test_minus_one_is_offered_where_it_is_taken() -> None:
    fix = RULES["KA1201"].documentation().text("Fix")
    assert [words for words in ("from 2.4", "Connect from 2.6", "Streams from 3.0") if words not in fix] == []
    asked = CONNECT + "config.storage.replication.factor=-1"
    check(Case("KA1409", FIRES, asked, "connect 2.5", "config.storage.replication.factor", "critical"))
    check(Case("KA1409", SILENT, asked, "connect 2.6"))


def test_cases() -> None:
    check_all(CASES)
