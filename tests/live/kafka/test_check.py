"""`check` against real clusters: healthy, a broker down, a follower out of sync, offline topics, the classic outage."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import NewTopic

from advisor.facts.cluster import partition_of
from tests.live.kafka.harness import NOBODY, Cluster, needs_kafka
from tests.live.kafka.node import until
from tests.support.commands import Ran, run

GOOD = {
    "default.replication.factor": "3",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "offsets.topic.num.partitions": "6",
    "auto.create.topics.enable": "true",
}
PARTITION_RULES = ("KA160", "KA161", "KA220", "KA221", "KA222", "KA223", "KA225", "KA229", "KA410", "KA412", "KA413")


@pytest.fixture(scope="module", params=["kraft", "zookeeper"])
def cluster(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three brokers; offsets have one copy; `orders` has three copies, `single` one on broker 2."""
    needs_kafka("4.3.1" if request.param == "kraft" else "3.9.2")
    folder = tmp_path_factory.mktemp(request.param)
    racks = {1: "a", 2: "b", 3: "c"}
    if request.param == "kraft":
        made = Cluster.kraft(folder, brokers=3, controllers=1, elr=True, config=GOOD, racks=racks)
    else:
        made = Cluster.zookeeper(folder, brokers=3, chroot="/kafka", config=GOOD, racks=racks)
    with made as running:
        running.create("orders", assignment=[[1, 2, 3], [2, 3, 1], [3, 1, 2]], config={"min.insync.replicas": "2"})
        running.create("single", assignment=[[2]])
        yield running


def check(cluster: Cluster, *more: object) -> Ran:
    return run(
        "check",
        "--bootstrap-server",
        cluster.bootstrap,
        *zookeeper(cluster),
        "--format",
        "json",
        "--timeout",
        "40",
        *more,
    )


def zookeeper(cluster: Cluster) -> list[str]:
    """The option that names the cluster's ZooKeeper, where it has one."""
    return ["--zookeeper", cluster.zookeeper_connect] if cluster.zookeeper_connect else []


def timeless(ran: Ran) -> Any:
    """The report without the moment of collection."""
    report = ran.json
    for row in report["inputs"]:
        row.pop("collected")
    return report


def found(ran: Ran) -> dict[tuple[str, str], Any]:
    """Findings by rule and name of the subject."""
    return {(row["rule"], row["entity"]["name"]): row for row in ran.json["findings"]}


def states(ran: Ran) -> set[tuple[str, str]]:
    """What is said of the present: partitions and groups."""
    return {key for key in found(ran) if key[0] in PARTITION_RULES}


def back_in_sync(cluster: Cluster) -> None:
    for partition in range(3):
        cluster.wait("orders", partition, isr={1, 2, 3}, timeout=60)
    cluster.wait("single", 0, leader=2, timeout=60)


def test_healthy(cluster: Cluster) -> None:
    ran = check(cluster)
    assert states(ran) == {("KA160", "single")}, ran.err
    assert ran.json["unknown"] == []
    single = found(ran)["KA160", "single"]
    assert single["severity"] == "high"
    assert single["partitions"] == {"count": 1, "first": [0]}
    assert "RF 1" in single["proof"]["summary"]
    assert ran.json["target"]["kafka_version"] == cluster.version.rpartition(".")[0]


def test_a_saved_snapshot_gives_the_same_report(cluster: Cluster, tmp_path: Path) -> None:
    live = check(cluster)
    for name in ("cluster.json", "cluster.json.gz"):
        file = tmp_path / name
        saved = run("snapshot", "--bootstrap-server", cluster.bootstrap, *zookeeper(cluster), "-o", file)
        assert saved.code == 0, saved.err
        again = run("lint", file, "--format", "json")
        assert timeless(again) == timeless(live)
        assert run("check", file, "--format", "json").out == again.out
        assert again.code == live.code
        assert file.stat().st_mode & 0o077 == 0


ROLLOUTS: dict[str, tuple[dict[str, str], str, str]] = {
    "a thread count": ({"num.io.threads": "4"}, "dynamic", "every replica of 1 partition is needed"),
    "a shorter retention": ({"log.retention.hours": "1"}, "dynamic", "what is older or larger is deleted for good"),
    "a misspelt key": ({"num.io.thread": "4"}, "no_effect", "has no setting num.io.thread"),
    "an advertised port that is not listened on": ({"advertised.listeners": "PLAINTEXT://127.0.0.1:1"}, "unavailable_during", "advertises port 1 for PLAINTEXT"),
    "directories that go": ({"log.dirs": "/new"}, "loses_data", "comes back empty and leads"),
}  # fmt: skip


@pytest.mark.parametrize("name", ROLLOUTS)
def test_new_files_against_the_running_cluster(cluster: Cluster, tmp_path: Path, name: str) -> None:
    """The only replica of `single` is needed at every restart; the cluster itself and its snapshot are judged alike."""
    change, verdict, words = ROLLOUTS[name]
    (tmp_path / "new").mkdir()
    for node in cluster.nodes.values():
        text = "".join(f"{key}={value}\n" for key, value in {**node.config, **change}.items())
        (tmp_path / "new" / f"{node.id}.properties").write_text(text)
    reach = ("--bootstrap-server", cluster.bootstrap, *zookeeper(cluster))
    live = run("rollout", tmp_path / "new", *reach, "--format", "json")
    assert live.json["verdict"] == verdict, live.out
    assert words in live.out
    assert {"orders-0", "single-0"} <= live.json["steps"][0]["isr"].keys()
    assert run("snapshot", *reach, "-o", tmp_path / "cluster.json").code == 0
    again = run("rollout", tmp_path / "cluster.json", tmp_path / "new", "--format", "json")
    assert (again.json["verdict"], again.json["steps"]) == (verdict, live.json["steps"])


def test_looking_creates_no_topic_and_writes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    producer = tmp_path / "producer.properties"
    producer.write_text("acks=all\nbootstrap.servers=b1:9092,b2:9092\n")
    before = set(cluster.admin().list_topics(timeout=10).topics)
    ran = check(cluster, "--with", f"{producer}=absent")
    assert ran.code == 2
    assert "shows no topic absent" in ran.err
    assert set(cluster.admin().list_topics(timeout=10).topics) == before


def test_a_producer_joined_to_its_topics(cluster: Cluster, tmp_path: Path) -> None:
    producer = tmp_path / "producer.properties"
    producer.write_text("acks=all\nbootstrap.servers=b1:9092,b2:9092\nmax.request.size=5000000\n")
    rows = [row for row in check(cluster, "--with", f"{producer}=orders,single").json["findings"] if row["with"]]
    pairs = {(row["rule"], name["name"]) for row in rows for name in [row["entity"], *row["with"]]}
    assert ("KA163", "single") in pairs
    assert ("KA163", "orders") not in pairs
    assert {("KA802", "orders"), ("KA802", "single")} <= pairs


def test_one_broker_killed(cluster: Cluster) -> None:
    cluster.nodes[2].kill()
    try:
        cluster.wait("orders", 1, leader=3, timeout=60)
        cluster.wait("orders", 0, isr={1, 3}, timeout=60)
        ran = check(cluster)
        rows = found(ran)
        assert ran.code == 1
        assert rows["KA220", "single"]["severity"] == "critical"
        assert rows["KA222", "orders"]["partitions"]["count"] == 3
        assert "1 failure" in rows["KA222", "orders"]["proof"]["summary"]
        assert ("KA228", "2") in rows
        assert {name for rule, name in rows if rule == "KA229"} == {"1", "3"}
        gone = {row["reason"] for row in ran.json["unknown"] if row["entity"]["name"] == "2"}
        away = "is fenced: registered, and down or not caught up" if cluster.controllers else "is down"
        assert gone == {f"the broker {away}"}
    finally:
        cluster.nodes[2].start()
        back_in_sync(cluster)
    assert states(check(cluster)) == {("KA160", "single")}


def test_a_broker_that_hangs_costs_its_patience_and_no_more(cluster: Cluster) -> None:
    cluster.nodes[1].pause()
    try:
        started = time.monotonic()
        ran = check(cluster)
        assert time.monotonic() - started < 45
        assert ran.code == 1
        assert {row["reason"] for row in ran.json["unknown"] if row["entity"]["name"] == "1"}
        shared = [row["shared_by"] for row in ran.json["findings"] if row["rule"] == "KA401"]
        assert shared == [["2", "3"]]
    finally:
        cluster.nodes[1].resume()
        back_in_sync(cluster)


def test_a_follower_out_of_sync(cluster: Cluster) -> None:
    cluster.nodes[3].pause()
    try:
        cluster.produce("orders", 0, ["a"], acks="1")
        cluster.wait("orders", 0, isr={1, 2}, timeout=60)
        rows = found(check(cluster))
        assert "2 of 3 in sync" in rows["KA222", "orders"]["message"]
    finally:
        cluster.nodes[3].resume()
        back_in_sync(cluster)


def test_the_classic_outage(cluster: Cluster, tmp_path: Path) -> None:
    """One broker of three is down, every topic has a leader, and some groups stand still: their offsets had one copy."""
    cluster.produce("orders", 0, ["a", "b"])
    groups = {name: Group(cluster, name) for name in ("pay", "ship", "bill", "audit")}
    for group in groups.values():
        group.commits()
    before = check(cluster)
    assert ("KA410", "__consumer_offsets") in found(before)
    saved = tmp_path / "before.json"
    assert run("snapshot", "--bootstrap-server", cluster.bootstrap, "-o", saved).code == 0
    homes = {name: leader_of_home(cluster, name) for name in groups}
    victim = next(id for id in (1, 3, 2) if id in homes.values())
    cluster.nodes[victim].kill()
    try:
        lost = next(name for name, home in homes.items() if home == victim)
        cluster.wait("__consumer_offsets", partition_of(lost, 6), leader=NOBODY, timeout=60)
        ran = check(cluster, "--before", saved)
        stopped = {name for rule, name in states(ran) if rule == "KA412"}
        assert stopped == {name for name, home in homes.items() if home == victim}
        assert ("KA413", "__consumer_offsets") in found(ran)
        for name, group in groups.items():
            assert group.stands_still() == (name in stopped), name
    finally:
        cluster.nodes[victim].start()
        back_in_sync(cluster)
        for group in groups.values():
            group.close()


def leader_of_home(cluster: Cluster, group: str) -> int:
    """The broker that a group's offsets lie on."""
    return cluster.partition("__consumer_offsets", partition_of(group, 6)).leader


class Group:
    """A consumer of `orders` that commits what it is told to."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self.consumer = Consumer(
            {**cluster.client_config(), "group.id": name, "enable.auto.commit": False, "session.timeout.ms": 6000}
        )

    def commits(self, timeout: float = 30) -> bool:
        """Whether a commit succeeds before the timeout."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            try:
                self.consumer.commit(offsets=[TopicPartition("orders", 0, 1)], asynchronous=False)
                return True
            except KafkaException as error:
                assert error.args[0].code() != KafkaError._INVALID_ARG
        return False

    def stands_still(self) -> bool:
        """Whether commits go nowhere."""
        return not self.commits(timeout=8)

    def close(self) -> None:
        """Leave; a group whose coordinator is gone would wait."""
        threading.Thread(target=self.consumer.close, daemon=True).start()


def test_groups_of_either_protocol_are_alive(cluster: Cluster) -> None:
    """Clients that do not know the protocol of KIP-848 (Kafka 4.0 or newer) call its groups dead."""
    protocols = ("classic", "consumer") if cluster.controllers else ("classic",)
    readers = {f"by-{protocol}": reader(cluster, protocol) for protocol in protocols}
    alive, left = (dict.fromkeys(readers, state) for state in ("STABLE", "EMPTY"))
    try:
        until(lambda: groups(cluster, readers) == alive, lambda: f"{alive}; there are {groups(cluster, readers)}", 30)
    finally:
        for consumer in readers.values():
            consumer.close()
    assert groups(cluster, readers) == left
    assert "KA1160" not in rules_of(check(cluster), "findings")


def reader(cluster: Cluster, protocol: str) -> Consumer:
    """The one member of a group that reads `orders`, once it has been given partitions."""
    consumer = Consumer({**cluster.client_config(), "group.id": f"by-{protocol}", "group.protocol": protocol})
    consumer.subscribe(["orders"])
    until(lambda: consumer.poll(0.1) or consumer.assignment(), lambda: f"group by-{protocol} gets partitions", 30)
    return consumer


def groups(cluster: Cluster, names: Iterable[str]) -> dict[str, str]:
    """The states of groups, as a snapshot has them."""
    saved = run("snapshot", "--bootstrap-server", cluster.bootstrap, "-o", "-").json
    return {row["name"]: row["state"] for row in saved["groups"] if row["name"] in names}


@pytest.fixture(scope="module")
def crowded(cluster: Cluster) -> Cluster:
    """The cluster with so many topics that they take longer than a short timeout."""
    new = [NewTopic(f"many-{number}", 1, 1) for number in range(600)]
    admin = cluster.admin()
    for future in admin.create_topics(new, request_timeout=60).values():
        future.result()
    return cluster


@pytest.mark.parametrize("seconds", ["0.05", "0.1", "0.2", "0.5"])
def test_what_the_timeout_leaves_unread_is_said(crowded: Cluster, seconds: str) -> None:
    ran = check(crowded, "--timeout", seconds)
    assert ran.code in (0, 1, 4), ran.err
    if ran.code == 4:
        assert ran.err.startswith("kafka-advisor: 127.0.0.1:")
    elif ran.json["target"]["kafka_version"] == crowded.version.rpartition(".")[0]:
        assert rules_of(check(crowded), "findings") <= rules_of(ran, "findings", "unknown")
    else:
        assert rules_of(ran, "unknown")


def rules_of(ran: Ran, *parts: str) -> set[str]:
    """The rules of parts of the report."""
    return {row["rule"] for part in parts for row in ran.json[part]}


def test_an_unreachable_cluster_is_exit_4() -> None:
    ran = run("check", "--bootstrap-server", "127.0.0.1:1", "--timeout", "3")
    assert ran.code == 4
    assert ran.out == ""
    assert ran.err.startswith("kafka-advisor: 127.0.0.1:1: ")
    assert "refused" in ran.err.lower()
    assert json.dumps(ran.err).count("\\n") == 1
