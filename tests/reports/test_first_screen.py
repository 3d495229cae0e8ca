"""The first screen of the text report: the sum before all else, what is down, and where to begin."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.model import Snapshot
from advisor.reports.text.finding import Layout
from advisor.reports.text.report import lines
from advisor.samples.cluster_text import parse_cluster
from advisor.samples.rule_examples import entities
from collectors.snapshot.file import write
from rules import all_rules
from tests.support.commands import ROOT, run

WHOLE = "kafka 4.3\nbrokers 1 2 3\nbroker * unclean.leader.election.enable=true\ntopic t\n0: leader 1 replicas 1,2,3 isr 1,2,3\n"
DOWN = "kafka 4.3\nbrokers 1 2 !3\ntopic pay\n0: leader none replicas 3 isr 3\n"
ZOOKEEPER = """services:
  kafka:
    image: confluentinc/cp-kafka:{tag}
    environment:
      KAFKA_BROKER_ID: 1
      KAFKA_ZOOKEEPER_CONNECT: zookeeper:2181
      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092
"""


def flat(text: str) -> str:
    """A text without the breaks of its lines."""
    return " ".join(text.split())


@pytest.fixture
def snapshots(tmp_path: Path) -> list[Path]:
    for name, text in (("a-whole", WHOLE), ("b-down", DOWN)):
        snapshot = parse_cluster(text)
        snapshot.name = name
        write(str(tmp_path / f"{name}.json.gz"), snapshot)
    (tmp_path / "producer.properties").write_text("bootstrap.servers=b1:9092,b2:9092\nacks=1\n")
    return [tmp_path / "a-whole.json.gz", tmp_path / "b-down.json.gz", tmp_path / "producer.properties"]


def test_the_sum_comes_before_the_names_of_clusters(snapshots: list[Path]) -> None:
    first, *names = run("lint", "--no-config", *snapshots).out.splitlines()[:3]
    assert re.match(r"2 clusters, 1? ?\S*producer.properties \(producer\): \d+ critical, .*Score \d+ \(", first)
    assert all(name.startswith("Cluster ") for name in names)
    alone = run("check", "--no-config", snapshots[0]).out.splitlines()[0]
    assert re.match(r"Cluster \S+ .*: \d+ critical, ", alone), "one cluster stands in the line of the sum"


def test_the_cluster_in_which_something_is_down_is_the_first_section(snapshots: list[Path]) -> None:
    out = run("lint", "--no-config", *snapshots).out
    assert out.index("no leader; 0 of 1 replica") < out.index("unclean.leader.election.enable=true")


def test_the_last_line_says_where_to_begin(tmp_path: Path) -> None:
    for folder, line in (("a", "acks=all"), ("b", "acks=1")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "producer.properties").write_text(f"bootstrap.servers=b1:1,b2:1\nretries=3\n{line}\n")
    out = run("lint", "--no-config", tmp_path).out
    (last,) = [line for line in out.splitlines() if line.startswith("Next: ")]
    assert f"fix 1st at {tmp_path}/b/producer.properties:3, 2nd at " in last
    (marked,) = [line for line in out.splitlines() if line.endswith("1st, +9") or "  1st, +" in line]
    assert marked.lstrip().startswith("3  high") and "acks=1: " in marked
    alone = run("lint", "--no-config", tmp_path / "b/producer.properties").out
    assert "Next: fix 1st, 2nd, 3rd; " in alone


def test_one_cluster_with_two_keys_of_a_rule_is_named_once() -> None:
    out = flat(run("check", "--no-config", ROOT / "examples/cluster.json").out)
    assert "cluster: offsets.topic.replication.factor=1: __consumer_offsets gets 1 replica instead of 3" in out
    assert "also: transaction.state.log.replication.factor=1: __transaction_state gets 1 replica" in out
    assert "2 cluster" not in out


@pytest.mark.parametrize("tag", ["latest", "8.0.0"])
def test_settings_for_zookeeper_with_kafka_4_are_one_finding_that_no_fix_hides(tag: str, tmp_path: Path) -> None:
    file = tmp_path / "compose.yml"
    file.write_text(ZOOKEEPER.format(tag=tag))
    out = run("lint", "--no-config", file).out
    assert re.search(r"^   6  critical  KAFKA_ZOOKEEPER_CONNECT=zookeeper:2181: .*KA1703  1st", out, re.M)
    assert "so also: medium KA1402: KAFKA_ZOOKEEPER_CONNECT=zookeeper:2181: Kafka ignores it" in flat(out)
    run("lint", "--no-config", file, "--fix")
    assert "KAFKA_ZOOKEEPER_CONNECT: zookeeper:2181" in file.read_text()


def test_a_newest_image_is_not_called_known(tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(ZOOKEEPER.format(tag="latest"))
    second = run("lint", "--no-config", tmp_path / "compose.yml").out.splitlines()[1]
    assert second.startswith("Kafka ") and second.endswith(
        ": image confluentinc/cp-kafka:latest, taken for the newest release"
    )


def test_a_chart_is_told_what_a_chart_takes() -> None:
    fix = run("explain", "KA1729").out
    assert "on Amazon MSK" in fix and "of the client listener in a chart" in flat(fix)


SPRING = """spring:
  kafka:
    bootstrap-servers: b1:9092,b2:9092
    producer:
      acks: "1"
      properties:
        enable.idempotence: true
"""


def test_a_refused_setting_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "application.yml").write_text(SPRING)
    out = run("lint", "--no-config", tmp_path / "application.yml").out
    (row,) = [line for line in out.splitlines() if re.match(r" +5  ", line)]
    assert "REFUSED" in row and "so also: high KA101: spring.kafka.producer.acks=1" in flat(out)


def test_a_rule_stands_beside_the_first_words_that_leave_it_room() -> None:
    listeners = ",".join(f"PLAINTEXT{number}://0.0.0.0:909{number}" for number in range(3))
    text = f"process.roles=broker\nnode.id=1\nlisteners={listeners}\nlistener.security.protocol.map=PLAINTEXT0:PLAINTEXT,PLAINTEXT1:PLAINTEXT,PLAINTEXT2:PLAINTEXT\n"
    for width in (80, 100, 120, 200):
        rules = all_rules()
        report = judge([Snapshot("test", entities(text))], rules, Policy(rules))
        rows = list(lines(report, Layout(size=(width, 24), wrap_titles=True)))
        assert any(row.endswith("KA601") or "KA601  " in row for row in rows)
        assert not [row for row in rows if re.fullmatch(r" {3,}KA\d+( +(1st|2nd|3rd), \+\d+)?", row)], width
        assert all(len(row) <= width for row in rows if "=" not in row), width


def test_what_an_image_sets_itself_is_nothing_that_a_fix_mends(tmp_path: Path) -> None:
    (tmp_path / "compose.yml").write_text(DEBEZIUM)
    out = run("lint", "--no-config", tmp_path / "compose.yml").out
    assert "broker.id=1 (from the image's start script)" in out and "[*]" not in out


DEBEZIUM = """services:
  kafka:
    image: quay.io/debezium/kafka:${DEBEZIUM_VERSION}
    environment:
      - NODE_ID=1
      - CLUSTER_ID=5Yr1SIgYQz-b-dgRabWx4g
      - NODE_ROLE=combined
      - KAFKA_LISTENERS=PLAINTEXT://0.0.0.0:9092,CONTROLLER://0.0.0.0:9093
      - KAFKA_ADVERTISED_LISTENERS=PLAINTEXT://kafka:9092
      - KAFKA_CONTROLLER_QUORUM_VOTERS=1@kafka:9093
"""
VALUES = "image:\n  registry: {}\n  repository: bitnami/kafka\n  tag: 3.9.0\ncontroller:\n  replicaCount: 3\n"


def test_an_image_that_is_gone_from_docker_hub_is_named_in_a_charts_values(tmp_path: Path) -> None:
    for registry, is_gone in (
        ("docker.io", True),
        ("registry.example.com", False),
        ("'{{ .Values.registry }}'", False),
    ):
        (tmp_path / "values.yaml").write_text(VALUES.format(registry))
        assert ("KA1705" in run("lint", "--no-config", tmp_path / "values.yaml").out) == is_gone, registry


WITH_WORKER = """services:
  broker:
    image: apache/kafka:4.1.0
    environment:
      KAFKA_NODE_ID: 1
      KAFKA_PROCESS_ROLES: broker,controller
      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@broker:9093
      KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093
      KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://broker:9092
  connect:
    image: example/connect:1.0
    environment:
      CONNECT_BOOTSTRAP_SERVERS: {}
      CONNECT_GROUP_ID: connect
      CONNECT_REST_ADVERTISED_HOST_NAME: connect
      CONNECT_CONFIG_STORAGE_TOPIC: c
      CONNECT_OFFSET_STORAGE_TOPIC: o
      CONNECT_STATUS_STORAGE_TOPIC: s
      CONNECT_CONFIG_STORAGE_REPLICATION_FACTOR: 1
      CONNECT_OFFSET_STORAGE_REPLICATION_FACTOR: 1
      CONNECT_STATUS_STORAGE_REPLICATION_FACTOR: 1
      CONNECT_KEY_CONVERTER: org.apache.kafka.connect.json.JsonConverter
      CONNECT_VALUE_CONVERTER: org.apache.kafka.connect.json.JsonConverter
"""


def test_topics_of_a_worker_need_the_brokers_of_its_cluster(tmp_path: Path) -> None:
    for servers, is_first in (("broker:9092", False), ("elsewhere:9092", True)):
        (tmp_path / "compose.yml").write_text(WITH_WORKER.format(servers))
        out = run("lint", "--no-config", tmp_path / "compose.yml").out
        assert bool(re.search(r"KA1201  (1st|2nd|3rd)", out)) == is_first, servers
        assert out.splitlines()[1] == "Kafka 4.1; 4.4 assumed for connect"


HOST_NAME = "services:\n  kafka:\n    image: {}\n    environment:\n      KAFKA_ADVERTISED_HOST_NAME: 10.0.0.1\n      KAFKA_ZOOKEEPER_CONNECT: z:2181\n"
MSK = """resource "aws_msk_configuration" "this" {
  kafka_versions    = ["3.6.0"]
  server_properties = <<PROPERTIES
unclean.leader.election.enable = true
PROPERTIES
}
"""
MODULE = 'module "msk" {\n  source = "../.."\n  kafka_version = "3.9.x"\n  number_of_broker_nodes = 3\n  broker_node_instance_type = "kafka.t3.small"\n}\n'
SOURCE = "name=s\nconnector.class=FileStreamSource\ntasks.max=1\nfile=a.txt\ntopic=t\n"
SAYS: dict[str, tuple[str, str, str, str]] = {
    "wurstmeister ended with 2.8": ("compose.yml", HOST_NAME.format("wurstmeister/kafka"), "Kafka 2.8: image", "ignores it"),
    "of an assumed release": ("compose.yml", HOST_NAME.format("acme/kafka"), "from 3.0 on Kafka ignores it: the key was removed", "Kafka ignores it, because"),
    "MSK has another default": ("main.tf", MSK, "set unclean.leader.election.enable = false", "remove unclean"),
    "a module of MSK says its release": ("main.tf", MODULE, "Kafka 3.9: module.msk.kafka_version", "filled in later"),
    "a source's own topic": ("connect-file-source.properties", SOURCE, "no findings", "did you mean topics"),
    "a sink's misspelled topics": ("sink.properties", SOURCE.replace("Source", "Sink"), "did you mean topics", "no findings"),
}  # fmt: skip


def test_what_is_said_of_a_strangers_file_is_so(tmp_path: Path) -> None:
    for number, (case, (name, text, says, never)) in enumerate(SAYS.items()):
        path = tmp_path / str(number) / name
        path.parent.mkdir()
        path.write_text(text)
        ran = run("lint", "--no-config", path)
        assert says in flat(ran.out) and never not in flat(ran.out), (case, ran.out, ran.err)


def test_what_a_node_ignores_is_removed_whatever_its_platform_sets(tmp_path: Path) -> None:
    text = WITH_WORKER.format("broker:9092").replace("apache/kafka:4.1.0", "acme/kafka:3.9.0")
    (tmp_path / "compose.yml").write_text(
        text.replace("      KAFKA_NODE_ID", "      KAFKA_INTER_BROKER_PROTOCOL_VERSION: '3.5'\n      KAFKA_NODE_ID")
    )
    rows = run("lint", "--no-config", "--kafka-version", "3.9", "--format", "json", tmp_path / "compose.yml").json
    fixes = [row["fix"] for row in rows["findings"] if row["rule"] == "KA532"]
    assert [fix.partition(";")[0] for fix in fixes] == ["remove inter.broker.protocol.version"]


STRIMZI_TOPIC = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: t, labels: {strimzi.io/cluster: c}}\nspec: {partitions: 1, replicas: 1}\n"
STRIMZI = """apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: both, labels: {strimzi.io/cluster: c}}
spec: {replicas: %s, roles: [controller, broker], storage: {type: persistent-claim, size: 10Gi}}
---
apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: c}
spec:
  kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}
"""


def test_a_topic_has_the_release_of_its_cluster_and_its_replicas_are_first_where_there_are_brokers(
    tmp_path: Path,
) -> None:
    (tmp_path / "topic.yaml").write_text(STRIMZI_TOPIC)
    for brokers, is_first in ((3, True), (1, False)):
        (tmp_path / "kafka.yaml").write_text(STRIMZI % brokers)
        out = run("lint", "--no-config", tmp_path).out
        assert "Kafka 4.1: spec.kafka.version 4.1.0" in out
        assert bool(re.search(r"KA156  (1st|2nd|3rd)", out)) == is_first, brokers


def test_a_long_list_breaks_behind_its_commas() -> None:
    text = f"process.roles=broker\nnode.id=1\nlisteners={','.join(f'A{number}://host-number-{number}:9092' for number in range(4))}\n"
    rules = all_rules()
    report = judge([Snapshot("test", entities(text))], rules, Policy(rules))
    for width in (80, 120):
        rows = list(lines(report, Layout(size=(width, 24), wrap_titles=True)))
        assert max(map(len, rows)) <= width


def test_without_a_file_the_remedy_is_said() -> None:
    assert "name a file or a folder, such as: kafka-advisor lint ." in run("lint").err
    assert "such as: kafka-advisor lint ." in run().err


UNREAD_MODULE = (
    'module "kafka" {\n  source = "git::https://example.com/kafka.git"\n  config = { "min.insync.replicas" = "1" }\n}\n'
)


@pytest.mark.parametrize("format", ["text", "concise", "markdown", "html"])
def test_what_is_hardly_known_has_no_score(format: str, tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(UNREAD_MODULE)
    out = run("lint", tmp_path / "main.tf", "--no-config", "--format", format).out
    assert "too little is known for a score" in out.lower()
    assert "100 (A)" not in out and "grade A" not in out and "of 100" not in out
