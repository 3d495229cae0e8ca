"""What a file is, by its content; which cluster it belongs to; which Kafka it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.errors import NothingToJudge
from advisor.model import Entity, Suppression
from collectors.files.clusters import snapshots
from tests.support.commands import run
from tests.support.configuration import entities_of

ZK = "zookeeper.connect=z1:2181,z2:2181/kafka\n"
KRAFT = "controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093\n"


OF_GROUP = "bootstrap.servers=b:1\ngroup.id=g\n"
OF_WORKERS = (
    "offset.storage.replication.factor=1", "config.storage.topic=c", "status.storage.partitions=5", "rest.port=8083",
    "offset.flush.interval.ms=9", "key.converter=a.B", "exactly.once.source.support=enabled", "task.shutdown.graceful.timeout.ms=1",
    "connector.client.config.override.policy=All", "scheduled.rebalance.max.delay.ms=0", "session.timeout.ms=9\nvalue.converter=a.B",
    "listeners=http://:8083\nrest.advertised.host.name=a", "plugin.path=/p\nheader.converter=a.B",
)  # fmt: skip
NOT_OF_WORKERS = (
    "plugin.path=/p", "listeners=http://:8083", "key.deserializer=a.B\nkey.converter=a.B", "max.poll.records=5\nrest.port=1",
    "isolation.level=read_committed\nrest.host.name=a", "session.timeout.ms=9",
)  # fmt: skip


def kind_and_family(tmp_path: Path, text: str) -> tuple[str, str]:
    (tmp_path / "x").write_text(text)
    entity = entities_of(tmp_path / "x")[0][0]
    return entity.kind, entity.family


@pytest.mark.parametrize(
    ("text", "kind", "family"),
    [
        (ZK + "broker.id=1", "broker", "java"),
        ("log.dirs=/a\nlisteners=PLAINTEXT://:9092", "broker", "java"),
        ("process.roles=broker", "broker", "java"),
        ("process.roles=controller", "controller", "java"),
        ("process.roles= controller , broker", "combined", "java"),
        ("process.roles=${ROLES}\nnode.id=1", "combined", "java"),
        ("key.serializer=a.B\nacks=all", "producer", "java"),
        ("bootstrap.servers=a:1\ncompression.type=none", "producer", "java"),
        ("bootstrap.servers=a:1\ngroup.id=g", "consumer", "java"),
        ("acks=1\nkey.serializer=a\ngroup.id=g\nkey.deserializer=b", "client", "java"),
        ("security.protocol=SSL\nssl.truststore.location=/a", "admin", "java"),
        ("bootstrap.servers=a:1\nsasl.username=u\nacks=1", "producer", "librdkafka"),
        ("metadata.broker.list=a:1\nqueue.buffering.max.ms=5", "producer", "librdkafka"),
        ("metadata.broker.list=a:1\nproducer.type=sync", "producer", "java"),
        (
            "zookeeper.connect=z:1\nfetch.message.max.bytes=9\ncompression.codec=gzip\nqueued.max.message.chunks=1",
            "consumer",
            "java",
        ),
        ("zookeeper.connect=z:1\ngroup.id=g", "consumer", "java"),
        ("zookeeper.connect=z:1\nzookeeper.connection.timeout.ms=6000\ngroup.id=g", "consumer", "java"),
        ("listeners=http://0.0.0.0:8088\nbootstrap.servers=b:1\nksql.service.id=a", "admin", "java"),
        ("application.id=a\nbootstrap.servers=b:1\n" + "".join(f"own.{n}=1\n" for n in range(9)), "streams", "java"),
        ("zookeeper.connect=z:1\nbootstrap.servers=b:1\nconfluent.controlcenter.id=1", "admin", "java"),
        ("zookeeper.connect=z:1\nschema.registry.url=http://r:1\nlisteners=http://:8082", "admin", "java"),
        ("broker.id=1\nlog.dirs=/d\nconfluent.controlcenter.id=1", "broker", "java"),
        ("application.id=a\nbootstrap.servers=b:1", "streams", "java"),
        ("config.storage.topic=a\ngroup.id=g\noffset.storage.topic=o", "connect", "java"),
        ("offset.storage.file.filename=/a\nkey.converter=x", "connect", "java"),
        *((f"{OF_GROUP}{key}", "connect", "java") for key in OF_WORKERS),
        *((f"{OF_GROUP}{key}", "consumer", "java") for key in NOT_OF_WORKERS),
        ("clusters=a,b\na.bootstrap.servers=x:1", "mirror", "java"),
        ("node.id=1\nlog.dirs=/d\ncolour=blue", "broker", "java"),
        ("a->b.enabled=true", "mirror", "java"),
        ("tickTime=2000\ndataDir=/d\nclientPort=2181", "zookeeper", "java"),
        ("cleanup.policy=compact\nmin.insync.replicas=2", "topic", "java"),
    ],
)
def test_kind_and_family(tmp_path: Path, text: str, kind: str, family: str) -> None:
    assert kind_and_family(tmp_path, text) == (kind, family)


@pytest.mark.parametrize(
    "text",
    [
        "node.environment=x\nnode.id=a\nnode.data-dir=/d",
        "connector.name=kafka\nkafka.nodes=a:1",
        "colour=blue",
        "SELECT\n  a->b.enabled,\n  doc->items.topic = 'x',\n  row->c.colour=1",
        "num.metric.fetchers=1\nbootstrap.servers=a:1",
        "log4j.rootLogger=INFO",
        "role=\nnode.id=\nkafka.base.path=",
        'truncate=1\n-> { table: "a", data: {id: 1.5} }',
        "clusters=a,b\ncolour=blue",
    ],
)
def test_what_is_none_of_kafkas_files(tmp_path: Path, text: str) -> None:
    with pytest.raises(NothingToJudge):
        kind_and_family(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "version", "why"),
    [
        (ZK, (3, 9), "ZooKeeper"),
        ("process.roles=broker\n" + ZK, (4, 4), "KRaft"),
        ("process.roles=broker", (4, 4), "KRaft"),
        (ZK + "inter.broker.protocol.version=2.5", (3, 9), "ZooKeeper"),
        (
            "acks=1",
            (4, 4),
            "nothing in the files",
        ),
        ("zookeeper.connect=z:1\ngroup.id=g", (4, 4), "nothing in the files"),
        ("broker.id=1\nlog.dirs=/d\ninter.broker.protocol.version=2.5", (4, 4), "nothing in the files"),
    ],
)
def test_the_target_version(tmp_path: Path, text: str, version: tuple[int, int], why: str) -> None:
    (tmp_path / "x").write_text(text)
    target = entities_of(tmp_path / "x")[0][0].target
    assert target.version == version
    assert why in target.reason


def grouped(tmp_path: Path, *texts: str, one_cluster: bool = False) -> list[int]:
    pairs: list[tuple[Entity, list[Suppression]]] = []
    for number, text in enumerate(texts):
        (tmp_path / f"{number}").write_text(text)
        pairs += entities_of(tmp_path / f"{number}")
    return sorted(len(snapshot.entities) for snapshot in snapshots(pairs, one_cluster=one_cluster))


def node(number: int, rest: str) -> str:
    return f"process.roles=broker\nnode.id={number}\n{rest}"


def test_nodes_that_name_the_same_quorum_are_one_cluster(tmp_path: Path) -> None:
    other_order = "controller.quorum.voters=3@c3:9093, 2@c2:9093,1@c1:9093\n"
    assert grouped(tmp_path, node(1, KRAFT), node(2, other_order), node(3, KRAFT.replace("c3", "c4"))) == [3]
    assert grouped(tmp_path, node(1, KRAFT), node(2, KRAFT.replace("@c", "@d"))) == [1, 1]


def test_nodes_that_name_the_same_zookeeper_and_chroot_are_one_cluster(tmp_path: Path) -> None:
    broker = "broker.id=1\n" + ZK
    assert grouped(tmp_path, broker, broker.replace("z1:2181,z2:2181", "z2:2181,z1:2181")) == [2]
    assert grouped(tmp_path, broker, broker.replace("/kafka", "/other")) == [1, 1]
    assert grouped(tmp_path, broker, broker.replace("z1", "z9")) == [1, 1]


def test_unrelated_files_are_judged_alone_unless_told(tmp_path: Path) -> None:
    texts = ("process.roles=broker\nnode.id=1", "process.roles=broker\nnode.id=2", "acks=1")
    assert grouped(tmp_path, *texts) == [1, 1, 1]
    assert grouped(tmp_path, *texts, one_cluster=True) == [3]


def test_a_placeholder_or_one_localhost_under_one_id_names_no_cluster(tmp_path: Path) -> None:
    local = node(1, "controller.quorum.voters=1@localhost:9093\n")
    assert grouped(tmp_path, local, local) == [1, 1]
    open_voters = "controller.quorum.voters=${VOTERS}\n"
    assert grouped(tmp_path, node(1, open_voters), node(2, open_voters)) == [1, 1]


@pytest.mark.parametrize(
    ("voters", "ids", "sizes"),
    [
        ("1@kafka:9093", (1, 1), [1, 1]),
        ("1@kafka:9093", (1, 2), [2]),
        ("1@kafka.example.org:9093", (1, 1), [2]),
        ("1@k1:9093,2@k2:9093,3@k3:9093", (1, 1), [2]),
    ],
)
def test_the_bare_name_of_one_host_is_another_in_each_folder(
    voters: str, ids: tuple[int, int], sizes: list[int], tmp_path: Path
) -> None:
    """Two demonstrations whose only broker is `kafka` are no cluster of two; copies of one node in a quorum are."""
    pairs: list[tuple[Entity, list[Suppression]]] = []
    for number, id in enumerate(ids):
        path = tmp_path / f"demo{number}" / "server.properties"
        path.parent.mkdir()
        path.write_text(node(id, f"controller.quorum.voters={voters}\n"))
        pairs += entities_of(path)
    assert [len(snapshot.entities) for snapshot in snapshots(pairs)] == sizes


OF_OTHERS = (
    "group.id=com.acme\nartifact.id=shop\nversion=1.0",
    "node.id=a\nnode.environment=prod\nquery.max-memory=1GB",
    "client.id=abc\nclient.secret=x\nissuer=https://a",
    "application.id=com.acme.app\nversion.code=3",
    "host.name=${DOCKER_HOST_IP:localhost}",
    "app.name=shop\nbatch.size=100\njdbc.url=jdbc:h2:mem\nuser=x",
    "app.name=shop\nbootstrap.servers=b:1\nserver.port=80\nuser=x",
    "backup.path=/b\nbackup.age=1\nbackup.bucket=b\nzookeeper.quorum=z:1\nzookeeper.session.timeout.ms=3\nzookeeper.sync.time.ms=2",
)


@pytest.mark.parametrize("text", OF_OTHERS)
def test_files_of_other_programs_are_not_kafkas(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.properties").write_text(text)
    ran = run("lint", tmp_path / "x.properties", "--no-config")
    assert ran.code == 3 and "--kind" in ran.err
    assert run("lint", tmp_path / "x.properties", "--no-config", "--kind", "consumer").code in (0, 1)


ENSEMBLE = "services:\n  zoo:\n    image: zookeeper:3.9\n    environment: {ZOO_MY_ID: 1, ZOO_SERVERS: 'server.1=zoo:2888:3888;2181'}\n"
PLAIN_SERVICE = "  {name}:\n    image: {image}\n    environment: {{{variables}}}\n"
IN_KRAFT = PLAIN_SERVICE.format(
    name="kafka", image="apache/kafka:4.1.0", variables="KAFKA_PROCESS_ROLES: 'broker,controller', KAFKA_NODE_ID: 1"
)
WITH_ZOOKEEPER = PLAIN_SERVICE.format(
    name="kafka",
    image="confluentinc/cp-kafka:7.4.0",
    variables="KAFKA_ZOOKEEPER_CONNECT: 'zoo:2181', KAFKA_BROKER_ID: 1",
)
CONTROLLERS_OF_PINOT = "image: {repository: apachepinot/pinot}\ncontroller: {replicaCount: 1}\nbroker: {replicaCount: 1}\nzookeeper: {enabled: true}\n"
KEPT_UP = "services:\n  tools:\n    image: confluentinc/cp-kafka:7.9.0\n    command: {}\n    environment: {{KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: broker, KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'true'}}\n"
FILES_OF_OTHERS: dict[str, tuple[dict[str, str], str, bool]] = {
    "a container that is only kept up": ({"compose.yml": KEPT_UP.format("sleep infinity")}, "KA104", False),
    "a container that starts its broker": ({"compose.yml": KEPT_UP.format("/etc/confluent/docker/run")}, "KA104", True),
    "an ensemble beside Solr": ({"compose.yml": ENSEMBLE, "README.yml": "a: 1"}, "KA1230", False),
    "an ensemble beside Kafka in KRaft mode": ({"compose.yml": ENSEMBLE + IN_KRAFT}, "KA1230", False),
    "an ensemble of Kafka's": ({"compose.yml": ENSEMBLE + WITH_ZOOKEEPER}, "KA1230", True),
    "an ensemble of Kafka's in another file": ({"zoo.yml": ENSEMBLE, "compose.yml": f"services:\n{WITH_ZOOKEEPER}"}, "KA1230", True),
    "an ensemble that is named alone": ({"compose.yml": ENSEMBLE}, "KA1230", True),
    "controllers of Pinot": ({"values.yaml": CONTROLLERS_OF_PINOT}, "KA501", False),
    "controllers of Kafka": ({"values.yaml": "# Kafka\ncontroller: {replicaCount: 1}\nlisteners: {client: {protocol: PLAINTEXT}}\n"}, "KA501", True),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES_OF_OTHERS)
def test_what_other_programs_run_is_not_kafkas(case: str, tmp_path: Path) -> None:
    texts, rule, is_judged = FILES_OF_OTHERS[case]
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert (rule in run("lint", tmp_path, "--no-config", "--format", "concise").out) is is_judged


OVERLAY = (
    "services:\n  connect:\n{image}    environment: {{CONNECT_BOOTSTRAP_SERVERS: 'b:9092', CONNECT_GROUP_ID: g}}\n"
)
REPLICATOR = "offset.storage.topic=o\nstatus.storage.topic=s\nconfig.storage.topic=c\ntopic.whitelist=a\ntopic.auto.create=false\n"


@pytest.mark.parametrize(
    ("name", "text", "is_refused"),
    [
        ("compose.yml", OVERLAY.format(image=""), False),
        ("compose.yml", OVERLAY.format(image="    image: confluentinc/cp-kafka-connect:7.9.0\n"), True),
        ("compose.yml", OVERLAY.format(image="    build: .\n"), True),
        ("replicator.properties", REPLICATOR, False),
        (
            "application.properties",
            "spring.kafka.bootstrap-servers=b:1\nspring.cloud.stream.kafka.streams.binder.configuration.num.stream.threads=4\n",
            False,
        ),
        (
            "role.properties",
            "process.roles=broker\nlisteners=PLAINTEXT://:9092,HOST://:9192\nadvertised.listeners=PLAINTEXT://node-${NODE_ID}:9092\n",
            False,
        ),
        ("id.properties", "node.id=${NODE_ID}\ncontroller.quorum.voters=${VOTERS}\n", False),
        ("id.properties", "node.id=1\ncontroller.quorum.voters=1@a:9093\n", True),
        ("role.properties", "process.roles=broker\nlog.dirs=${DIR}\nzookeeper.connect=z:2181\n", True),
        ("server.properties.delta", "process.roles=broker\nlisteners=TOKEN://:9092\n", False),
        ("server.properties", "process.roles=broker\nlisteners=TOKEN://:9092\n", True),
        ("worker.properties", REPLICATOR.partition("topic.whitelist")[0], True),
        ("worker.properties", "bootstrap.servers=b:1\ngroup.id=g\nconfig.storage.replication.factor=3\n", False),
    ],
)
def test_what_cannot_run_alone_is_a_piece(name: str, text: str, is_refused: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    rows = run("lint", tmp_path / name, "--no-config", "--format", "json").json["findings"]
    assert any(row["refused_by_kafka"] for row in rows) is is_refused


@pytest.mark.parametrize(
    ("name", "text", "last"),
    [
        ("events.json", '{"acks": 1, "topic": "a"}\n{"acks": 2}\n', "1 not Kafka's"),
        ("events.json", '{"min.insync.replicas": 1}\n{"min.insync.replicas": 2}\n', "1 not read"),
        ("events.json", '{"acks": 1,}\n{"acks": 2}\n', "1 not read"),
        (
            "job.pull",
            "job.name=j\njob.group=g\nsource.class=a.B\nwriter.class=c.D\nzookeeper.connect=z:2181\n",
            "1 not read",
        ),
        (".env", "KAFKA_PORT=9092\nKAFKA_HOST=kafka\n", "1 not Kafka's"),
        ("a.avro", "acks\0", "1 binary files"),
        ("kafka.client.key", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n", "1 not Kafka's"),
        ("config.yml.ejs", "kafka: <%= a: b %>", "1 source code"),
        ("flow.json", '{"flowContents": {"properties": {"acks": "1", "max.block.ms": "10 sec"}}}', "1 not read"),
    ],
)
def test_records_and_ports_are_no_settings(name: str, text: str, last: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "producer.properties").write_text("acks=all\n")
    assert last in run("lint", tmp_path, "--no-config").err


@pytest.mark.parametrize("text", ["acks=1", "group.id=a", "bootstrap.servers=b:1\nconfluent.controlcenter.id=1\na=1\nb=2\nc=3", "security.protocol=SSL\nssl.truststore.location=/t", "a.b=1\nacks=1",
                                  "app=1\nmy=2\nmore=3\nbootstrap.servers=b:1\ngroup.id=g\nauto.offset.reset=latest"])  # fmt: skip
def test_a_few_of_kafkas_keys_are_enough(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.properties").write_text(text)
    assert run("lint", tmp_path / "x.properties", "--no-config").code in (0, 1)


@pytest.mark.parametrize(("kind", "are_topics"), [("KafkaTopicList", True), ("KafkaClientQuotaList", False)])
def test_only_topics_of_jikkou_are_topics(kind: str, are_topics: bool, tmp_path: Path) -> None:
    path = tmp_path / "list.yaml"
    path.write_text(
        f"apiVersion: kafka.jikkou.io/v1\nkind: {kind}\nitems:\n- metadata: {{name: a}}\n"
        "  spec: {partitions: 3, replicas: 1, configs: {producerByteRate: 1024}}\n"
    )
    assert ("not a topic key" in run("lint", path).out) is are_topics


def test_an_embedded_engine_needs_no_workers_keys(tmp_path: Path) -> None:
    path = tmp_path / "config.properties"
    path.write_text(
        "name=a\nconnector.class=io.debezium.connector.postgresql.PostgresConnector\ntopic.prefix=t\n"
        "offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore\n"
        "offset.storage.file.filename=offset.dat\noffset.flush.interval.ms=5000\n"
    )
    assert "KA1410" not in run("lint", path, "--format", "concise").out
