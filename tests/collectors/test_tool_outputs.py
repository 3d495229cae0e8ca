"""Outputs of Kafka's tools, as a cluster of 4.3 (KRaft) and one of 3.9 (ZooKeeper) printed them, before and after a death."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import definitions
from advisor.config import Config
from advisor.model import DYNAMIC_BROKER, DYNAMIC_DEFAULT_BROKER, DYNAMIC_TOPIC, STATIC_BROKER
from advisor.model.cluster import ALIVE, DEAD, NOBODY, UNKNOWN
from collectors.outputs.facts import Facts
from collectors.outputs.reader import read
from collectors.outputs.snapshot import snapshot_of
from tests.support.commands import run

DATA = Path(__file__).parent.parent / "data" / "tool_outputs"
CLUSTERS = ("kraft-4.3", "zookeeper-3.9")


def facts_of(*texts: str) -> Facts:
    facts = read(texts)
    facts.settle_states()
    return facts


def output(cluster: str, name: str) -> str:
    return (DATA / cluster / f"{name}.txt").read_text()


def states(facts: Facts) -> dict[int, str]:
    return {id: node.state for id, node in facts.nodes.items()}


def lint(*files: Path, one: bool = False) -> dict[str, Any]:
    ran = run("lint", *files, "--no-config", "--format", "json", *(["--one-cluster"] if one else []))
    document: dict[str, Any] = ran.json
    return document


def findings(document: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(row["severity"], row["name"], row["entity"]["name"]) for row in document["findings"]}


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_topics_of_a_healthy_cluster(cluster: str) -> None:
    facts = facts_of(output(cluster, "topics-healthy"))
    assert sorted(facts.topics) == ["__consumer_offsets", "orders", "single"]
    orders = facts.topics["orders"]
    assert (len(orders.partitions), orders.replication_factor) == (2, 3)
    assert orders.settings is not None
    assert orders.settings.values == {"min.insync.replicas": "2", "cleanup.policy": "compact,delete"}
    assert [(p.id, p.leader, p.replicas, p.isr) for p in orders.partitions.values()] == [
        (0, 1, (1, 2, 3), (1, 2, 3)),
        (1, 2, (2, 3, 1), (2, 3, 1)),
    ]
    assert orders.partitions[0].elr == (() if cluster == "kraft-4.3" else None)
    assert states(facts) == {1: ALIVE, 2: ALIVE, 3: ALIVE}
    assert not facts.partial


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_a_broker_that_could_lead_and_does_not_is_not_alive(cluster: str) -> None:
    facts = facts_of(output(cluster, "topics-down"))
    assert states(facts) == {1: ALIVE, 2: DEAD, 3: ALIVE}
    assert facts.topics["single"].partitions[0].leader == NOBODY


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_what_a_filter_leaves_out_is_unknown(cluster: str) -> None:
    facts = facts_of(output(cluster, "topics-urp"))
    assert facts.partial
    assert facts.topics["orders"].settings is None
    document = lint(DATA / cluster / "topics-unavailable.txt")
    assert ("critical", "offline", "single") in findings(document)
    reasons = {row["reason"] for row in document["unknown"]}
    assert any(reason.startswith("no output shows the topic's settings") for reason in reasons)


def test_a_broker_in_no_isr_is_not_called_dead() -> None:
    line = "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1\n"
    assert states(facts_of(line)) == {1: ALIVE, 2: UNKNOWN}


OLD = "Topic:orders\tPartitionCount:1\tReplicationFactor:2\tConfigs:retention.ms=1000\n\tTopic: orders\tPartition: 0\tLeader: -1\tReplicas: 1,2\tIsr: 1\n"
SHAPES = {
    "as printed": "{}",
    "quoted": "> {}",
    "a table's line": "| {} |",
    "behind a log's prefix": "2026-01-01 INFO {}",
    "by blanks": "{}",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_topics_are_read_wherever_a_text_quotes_them(shape: str) -> None:
    lines = [
        "Topic: a\tTopicId: x\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: min.insync.replicas=2",
        "\tTopic: a\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2\tAdding Replicas: 3\tRemoving Replicas: 1",
    ]
    if shape == "by blanks":
        lines = [" ".join(line.split()) for line in lines]
    facts = facts_of("Help!\n" + "\n".join(SHAPES[shape].format(line) for line in lines) + "\nThanks\n")
    partition = facts.topics["a"].partitions[0]
    assert (partition.leader, partition.replicas, partition.isr) == (1, (1, 2, 3), (1, 2))
    assert facts.reassignments == {("a", 0)}
    assert not facts.partial


def test_an_old_release_shows_the_topics_own_settings() -> None:
    facts = facts_of(OLD)
    settings = facts.topics["orders"].settings
    assert settings is not None and settings.own_only
    assert settings.levels["retention.ms"] == ((DYNAMIC_TOPIC, "1000"),)
    assert facts.topics["orders"].partitions[0].leader == NOBODY
    assert facts_of("Configs for topic 'x' are a.b=1,cleanup.policy=compact,delete\n").topics["x"].settings is not None


def test_a_topic_that_is_printed_twice_counts_as_printed_last() -> None:
    facts = facts_of(output("kraft-4.3", "topics-down"), output("kraft-4.3", "topics-healthy"))
    assert states(facts) == {1: ALIVE, 2: ALIVE, 3: ALIVE}


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_settings_of_brokers_and_topics_with_their_levels(cluster: str) -> None:
    facts = facts_of(
        output(cluster, "configs-broker-all"), output(cluster, "configs-brokers"), output(cluster, "configs-topic-all")
    )
    broker = facts.brokers[1]
    assert broker.whole
    assert broker.levels["log.retention.ms"][0] == (DYNAMIC_DEFAULT_BROKER, "360000000")
    assert broker.levels["log.cleaner.threads"] == ((DYNAMIC_BROKER, "2"),)
    assert broker.levels["default.replication.factor"] == ((STATIC_BROKER, "3"),)
    assert broker.levels["background.threads"] == ()
    assert "ssl.key.password" in broker.hidden
    assert facts.cluster_wide is not None and facts.cluster_wide.values["log.retention.ms"] == "360000000"
    orders = facts.topics["orders"].settings
    assert orders is not None and orders.whole
    assert orders.values["cleanup.policy"] == "compact,delete"
    assert orders.levels["cleanup.policy"] == ((DYNAMIC_TOPIC, "compact,delete"),)
    assert orders.values["retention.ms"] == "360000000"


def test_features_and_quorum() -> None:
    facts = facts_of(*(output("kraft-4.3", name) for name in ("features", "quorum-status", "quorum-replication")))
    assert facts.features["metadata.version"] == 30 and facts.supported["transaction.version"] == 2
    assert facts.cluster_id == "fSsQ5texWo6kRN5H51PaKg"
    assert facts.quorum is not None and (facts.quorum.leader, facts.quorum.epoch) == (101, 1)
    assert {member.id: member.voter for member in facts.quorum.members} == {101: True, 1: False, 2: False, 3: False}
    assert all((member.silent_ms or 0) < 1000 for member in facts.quorum.members)


LEVELS = {
    "3.0-IV1": 1,
    "3.3-IV0": 4,
    "3.3-IV3": 7,
    "3.6-IV2": 14,
    "3.7-IV4": 19,
    "3.9-IV0": 21,
    "4.0-IV3": 25,
    "4.3-IV0": 30,
}


@pytest.mark.parametrize("text", LEVELS)
def test_levels_of_metadata_version_have_kafkas_numbers(text: str) -> None:
    line = f"Feature: metadata.version\tSupportedMinVersion: 3.0-IV1\tSupportedMaxVersion: {text}\tFinalizedVersionLevel: {text}\tEpoch: 1"
    assert facts_of(line).features == {"metadata.version": LEVELS[text]}


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_groups_and_log_directories(cluster: str) -> None:
    facts = facts_of(output(cluster, "groups"), output(cluster, "groups-state"), output(cluster, "logdirs"))
    group = facts.groups["pay"]
    assert (group.state, group.members, group.coordinator) == ("STABLE", 1, 1)
    assert group.committed == {("orders", 0): 7, ("orders", 1): 10}
    assert [directory.path for directory in facts.log_dirs[1]] == ["/var/lib/kafka/n1/data"]
    assert set(states(facts)) == {1, 2, 3}
    assert facts_of("Consumer group 'a b' has no active members.").groups["a b"].members == 0


def test_documents_of_kcat_and_cruise_control() -> None:
    facts = facts_of((DATA / "kcat.json").read_text())
    assert states(facts) == {1: ALIVE, 2: DEAD, 3: ALIVE}
    assert (facts.nodes[1].host, facts.nodes[1].port) == ("b1", 9092)
    facts = facts_of((DATA / "cruise-control.json").read_text())
    assert facts.topics["orders"].partitions[0].offline == (2,)
    assert [directory.error is None for directory in facts.log_dirs[3]] == [True, False]
    assert ("high", "log-directory-failed", "3") in findings(lint(DATA / "cruise-control.json"))


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_all_outputs_of_a_cluster_are_judged_as_one(cluster: str) -> None:
    document = lint(*sorted((DATA / cluster).glob("*-down.txt")), DATA / cluster / "configs-broker-all.txt", one=True)
    assert [row["kind"] for row in document["inputs"]] == ["cluster"]
    assert document["inputs"][0]["kafka_version"] == cluster.rpartition("-")[2]
    assert findings(document) >= {
        ("critical", "offline", "single"),
        ("critical", "groups-out-of-reach", "__consumer_offsets"),
        ("high", "at-min-isr", "orders"),
        ("high", "restart-is-unsafe", "1"),
        ("high", "internal-topic-rf", "1"),
    }
    assert not {row["name"] for row in document["findings"]} & {"same-on-all-brokers", "missing-required"}


def test_files_of_nodes_join_the_cluster_of_their_outputs(tmp_path: Path) -> None:
    (tmp_path / "server.properties").write_text(
        "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=101@c:9093\ncontroller.listener.names=C\n"
        "listeners=PLAINTEXT://:9092\nlog.dirs=/data\nunclean.leader.election.enable=true\n"
    )
    files = (tmp_path / "server.properties", DATA / "kraft-4.3" / "topics-down.txt")
    joined, apart = (findings(lint(*files, one=one)) for one in (True, False))
    assert {name for _, name, _ in joined & apart} >= {"unclean-election", "offline"}
    assert {row[1:] for row in joined - apart} >= {("restart-is-unsafe", "1")}


def test_a_ticket_with_a_log_and_outputs_has_both(tmp_path: Path) -> None:
    log = "INFO ProducerConfig values: \n\tacks = 1\n\tbootstrap.servers = [b:9092]\n\n"
    (tmp_path / "ticket.md").write_text(log + output("kraft-4.3", "topics-down"))
    names = {row["name"] for row in lint(tmp_path / "ticket.md")["findings"]}
    assert names >= {"acks-not-all", "offline"}


EXCERPTS = {"four values": (4, True), "a third": (120, True), "all but a few": (240, False)}


@pytest.mark.parametrize("case", EXCERPTS)
def test_an_excerpt_of_a_log_leaves_the_values_open_that_it_does_not_show(case: str, tmp_path: Path) -> None:
    number, is_excerpt = EXCERPTS[case]
    keys = [key for key in definitions("broker", (3, 7)) if key not in ("zookeeper.connect", "num.partitions")]
    rows = "".join(f"\t{key} = null\n" for key in ("zookeeper.connect", *keys[: number - 2], "num.partitions"))
    log = tmp_path / "README.md"
    log.write_text(f"```\nINFO KafkaConfig values: \n{rows}\nINFO Kafka version: 3.7.0\n```\n")
    report = lint(log)
    assert any("excerpt" in row["reason"] for row in report["unknown"]) is is_excerpt
    assert not is_excerpt or not [row for row in report["findings"] if row["severity"] in ("critical", "high")]


def test_brokers_without_shown_settings_are_not_judged_by_defaults() -> None:
    document = lint(DATA / "kraft-4.3" / "logdirs-down.txt")
    assert not document["findings"]


TOKENS = st.sampled_from(
    ["Topic: ", "Topic:", "PartitionCount: ", "Partition: ", "Leader: ", "Replicas: ", "Isr: ", "Elr: ", "Configs: ", "none",
     "N/A", "1", "1,2", ",", "-1", "9" * 30, "²", "t", "\t", "\n", " ", "GROUP", "STATE", "#MEMBERS", "CURRENT-OFFSET", "LAG",
     "PARTITION", "All configs for broker 1 are:", "\n  a.b=c sensitive=true synonyms={STATIC_BROKER_CONFIG:a.b=c}",
     "Feature: f SupportedMinVersion: 1 SupportedMaxVersion: 2 FinalizedVersionLevel: ", "{", "}", '"logDirs"', "[", "]", ":",
     '"brokers"', "CurrentVoters:", " [{", '"id": 1}]', "LeaderId: ", "NodeId", "LogEndOffset", "Lag", "Status"]
)  # fmt: skip


@given(st.lists(TOKENS, max_size=60).map("".join))
def test_no_text_breaks_a_reader(text: str) -> None:
    snapshot = snapshot_of(read([text]), "x", None)
    assert snapshot is None or snapshot.entities


NAMES = st.sampled_from(
    ["topic", "topics", "partitions", "partition", "leader", "replicas", "isrs", "id", "name", "brokers", "broker", "logDirs",
     "originating_broker", "KafkaBrokerState", "KafkaPartitionState", "urp", "other", "in-sync", "1", "logDir", "error",
     "OnlineLogDirsByBrokerId", "ReplicaCountByBrokerId"]
)  # fmt: skip
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["t", "b:9092/1", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=25,
)


@given(DOCUMENTS)
def test_no_document_breaks_a_reader(document: object) -> None:
    snapshot = snapshot_of(read([json.dumps(document)]), "x", None)
    assert snapshot is None or snapshot.entities


def test_what_a_broker_shows_no_value_of_is_unknown(tmp_path: Path) -> None:
    text = output("kraft-4.3", "configs-broker-all")
    line = next(line for line in text.splitlines() if line.strip().startswith("group.max.size="))
    (tmp_path / "x.txt").write_text(text.replace(line, "  group.max.size=null sensitive=false synonyms={}"))
    document = lint(tmp_path / "x.txt")
    reasons = {row["name"]: row["reason"] for row in document["unknown"]}
    assert reasons["group-size-low"] == "the cluster describes no value of group.max.size"


def test_an_output_that_was_cut_off_is_a_part(tmp_path: Path) -> None:
    lines = output("kraft-4.3", "configs-broker-all").splitlines()
    (tmp_path / "x.txt").write_text("\n".join(lines[:60]))
    names = {name for _, name, _ in findings(lint(tmp_path / "x.txt"))}
    assert "leader-rebalance-off" in names
    assert not names & {"tmp-log-dir", "plaintext-listener", "plaintext-inter-broker", "zk-mode"}


@pytest.mark.parametrize("name", ["quorum-status", "groups-down", "features"])
def test_an_output_without_brokers_and_topics_is_judged(name: str) -> None:
    document = lint(DATA / "kraft-4.3" / f"{name}.txt")
    assert {row["entity"]["kind"] for row in document["findings"]} <= {"quorum", "group", "cluster"}
    assert document["summary"]["passed"]


def test_keys_of_another_release_than_the_guessed_one_are_unknown(tmp_path: Path) -> None:
    lines = [
        line for line in output("kraft-4.3", "configs-broker-all").splitlines() if "group.consumer.max.size" not in line
    ]
    older = [line for line in output("zookeeper-3.9", "configs-broker-all").splitlines() if "sensitive=" in line]
    line = "  group.consumer.max.size=2147483647 sensitive=false synonyms={DEFAULT_CONFIG:group.consumer.max.size=2147483647}"
    keys = {
        "log.cleaner",
        "zookeeper",
        "group.m",
        "num.",
        "replica.",
        "socket.",
        "offsets.",
        "transaction.",
        "quota",
        "sasl",
        "ssl",
        "log.",
    }
    kept = [each for each in older if any(each.strip().startswith(key) for key in keys)]
    (tmp_path / "x.txt").write_text("\n".join([lines[0], *kept, line]))
    assert "rule-crashed" not in {name for _, name, _ in findings(lint(tmp_path / "x.txt"))}


def test_a_table_that_looks_like_a_quorum_is_none() -> None:
    assert facts_of("xNodeIds LogEndOffset Lag\n1 2 3\nNodeIdx LogEndOffset\n1 2\n").quorum is None


def test_a_retention_that_kafka_topics_leaves_out_is_unknown() -> None:
    for name, known in (("topics-healthy", False), ("topics-down", True), ("configs-topic-all", True)):
        snapshot = snapshot_of(read([output("kraft-4.3", name)]), "x", None)
        assert snapshot is not None
        topic = next(entity for entity in snapshot.entities if entity.name == "orders")
        assert (Config(topic).answer(("int", "retention.ms")) == 360_000_000) == known


def test_lines_of_topics_alone_say_how_many_replicas_there_are(tmp_path: Path) -> None:
    lines = [line for line in output("kraft-4.3", "topics-healthy").splitlines() if "PartitionCount" in line]
    (tmp_path / "x.txt").write_text("\n".join(lines))
    assert ("high", "topic-rf-low", "single") in findings(lint(tmp_path / "x.txt"))
    assert "topic-rf-low" not in {name for _, name, _ in findings(lint(DATA / "kraft-4.3" / "topics-healthy.txt"))}


def test_outputs_before_and_after_are_compared() -> None:
    before, after = (DATA / "kraft-4.3" / f"topics-{name}.txt" for name in ("healthy", "down"))
    ran = run("diff", before, after, "--no-config")
    assert ran.code == 1 and "no leader; 0 of 1 replica is up [KA220 offline]" in ran.out
    ran = run("diff", before, before, "--no-config")
    assert (ran.code, ran.err) == (0, "") and "0 findings appear" in ran.out


@pytest.mark.parametrize("command", ["starts", "effective"])
def test_outputs_are_no_configuration(command: str) -> None:
    ran = run(command, DATA / "kraft-4.3" / "topics-down.txt")
    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)


def test_an_empty_folder_is_no_side(tmp_path: Path) -> None:
    ran = run("diff", tmp_path, tmp_path)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
