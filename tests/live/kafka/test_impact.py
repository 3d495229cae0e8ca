"""`impact` against real clusters: for every broker and every pair, what happens is among what it says.

`make test-impact` plays all kinds of clusters and all failures, the suite one kind and one failure of each sort.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka import Consumer, KafkaException, TopicPartition

from tests.live.kafka.harness import Cluster, needs_kafka
from tests.live.kafka.node import until
from tests.live.kafka.wire import Silent
from tests.support.commands import run

CONFIG = {
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "6",
    "auto.create.topics.enable": "false",
}
TOPICS = {f"rf{rf}-min{least}": (rf, least) for rf in (1, 2, 3) for least in range(1, rf + 1)}
ALL_KINDS = bool(os.environ.get("ALL_KINDS"))
FAILURES = [*itertools.combinations((1, 2, 3), 1), *itertools.combinations((1, 2, 3), 2)] if ALL_KINDS else [(2, 3)]
GROUPS = [f"group-{number}" for number in range(6)]
KINDS = {
    "zookeeper-3.9": ("3.9.2", None),
    "kraft-3.9": ("3.9.2", False),
    "kraft-4.3": ("4.3.1", False),
    "kraft-4.3-elr": ("4.3.1", True),
}


class Seen(NamedTuple):
    """What clients see of a partition while brokers are down."""

    leader: int
    readable: str
    writable_all: str
    writable_one: str
    newest: str


@pytest.fixture(scope="module", params=KINDS if ALL_KINDS else ["kraft-4.3-elr"])
def cluster(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three brokers, a controller apart, and topics of every replication factor and min.insync.replicas."""
    with made(request.param, tmp_path_factory.mktemp(request.param)) as running:
        create_topics(running)
        for group in GROUPS:
            until(partial(commits, running, group), lambda: "the group commits", 60)
        yield running


def made(kind: str, folder: Path) -> Cluster:
    """A cluster of a kind, not started."""
    version, elr = KINDS[kind]
    needs_kafka(version)
    if elr is None:
        return Cluster.zookeeper(folder, brokers=3, version=version, config=CONFIG)
    return Cluster.kraft(folder, brokers=3, controllers=1, elr=elr, version=version, config=CONFIG)


def create_topics(cluster: Cluster) -> None:
    """Topics of every replication factor and min.insync.replicas, led by each broker once."""
    for topic, (rf, least) in TOPICS.items():
        rows = [[(first + step) % 3 + 1 for step in range(rf)] for first in range(3)]
        cluster.create(topic, assignment=rows, config={"min.insync.replicas": str(least)})


def commits(cluster: Cluster, group: str, timeout: float = 10) -> bool:
    """Whether a group's coordinator stores an offset before the timeout: a commit waits for one that is gone."""
    stored: list[bool] = []

    def commit() -> None:
        options = {"group.id": group, "enable.auto.commit": False, "session.timeout.ms": 6000, "log_level": 0}
        consumer = Consumer({**cluster.client_config(), **options})
        with contextlib.suppress(KafkaException):
            consumer.commit(offsets=[TopicPartition("rf3-min1", 0, 0)], asynchronous=False)
            stored.append(True)
        consumer.close()

    thread = threading.Thread(target=commit, daemon=True)
    thread.start()
    thread.join(timeout)
    return bool(stored)


def partitions() -> Iterator[tuple[str, int]]:
    return itertools.product(TOPICS, range(3))


def replicas_of(topic: str, partition: int) -> set[int]:
    return {(partition + step) % 3 + 1 for step in range(TOPICS[topic][0])}


def healthy(cluster: Cluster) -> None:
    for topic, partition in partitions():
        cluster.wait(topic, partition, isr=replicas_of(topic, partition), timeout=90)


def forecast(cluster: Cluster, folder: Path, brokers: tuple[int, ...], how: str = "kill") -> dict[str, Any]:
    """What `impact` says of a failure of these brokers."""
    file = folder / "cluster.json.gz"
    saved = run("snapshot", "--bootstrap-server", cluster.bootstrap, "-o", file)
    assert saved.code == 0, saved.err
    down = ",".join(f"broker:{id}" for id in brokers)
    document: dict[str, Any] = run("impact", file, "--down", down, "--how", how, "--format", "json").json
    return document


def rows(document: dict[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    return {
        (topic["topic"], id): row for topic in document["topics"] for row in topic["partitions"] for id in row["ids"]
    }


def settled(cluster: Cluster, outcomes: dict[tuple[str, int], dict[str, Any]], down: set[int]) -> None:
    """Wait until no broker that is down is in an ISR that has others, or leads."""

    def done() -> bool:
        try:
            seen = [cluster.partition(topic, partition) for topic, partition in partitions()]
        except Silent:
            return False
        return all(row.leader not in down and not (set(row.isr) & down and set(row.isr) - down) for row in seen)

    until(done, lambda: f"nothing is left to {down}", 90)


def probe(cluster: Cluster, topic: str, partition: int, mark: str) -> Seen:
    """What clients see of a partition now."""
    leader = cluster.partition(topic, partition).leader
    (one,) = cluster.produce(topic, partition, [f"one-{mark}"], acks="1", timeout=4)
    values = values_with(cluster, topic, partition, f"one-{mark}")
    (everyone,) = cluster.produce(topic, partition, [f"all-{mark}"], acks="all", timeout=4)
    answers = values is not None, isinstance(everyone, int), isinstance(one, int), f"one-{mark}" in (values or ())
    return Seen(leader, *("yes" if answer else "no" for answer in answers))


def values_with(cluster: Cluster, topic: str, partition: int, value: str) -> list[str] | None:
    """What can be read, once followers had the time to fetch the value; None where nobody serves it."""
    values: list[str] = []
    for _ in range(4):
        try:
            values = cluster.consume(topic, partition, timeout=6)
        except TimeoutError:
            return None
        if value in values:
            break
        time.sleep(1)
    return values


@pytest.mark.parametrize("down", FAILURES, ids=lambda ids: "-".join(map(str, ids)))
def test_what_happens_is_among_what_is_said(cluster: Cluster, tmp_path: Path, down: tuple[int, ...]) -> None:
    healthy(cluster)
    mark = "-".join(map(str, down))
    for topic, partition in partitions():
        assert isinstance(cluster.produce(topic, partition, [f"before-{mark}"], acks="all", timeout=20)[0], int)
    document = forecast(cluster, tmp_path, down)
    outcomes = rows(document)
    for id in down:
        cluster.nodes[id].kill()
    try:
        settled(cluster, outcomes, set(down))
        with ThreadPoolExecutor(len(TOPICS) * 3) as pool:
            seen = dict(
                zip(
                    partitions(),
                    pool.map(lambda place: probe(cluster, place[0], place[1], mark), partitions()),
                    strict=True,
                )
            )
        for place, actual in seen.items():
            assert_among(outcomes[place], actual, f"{place} without {down}")
        states = {group["name"]: group["state"] for group in document["groups"] if group["name"] in GROUPS}
        with ThreadPoolExecutor(len(GROUPS)) as pool:
            stored = dict(zip(states, pool.map(lambda group: commits(cluster, group), states), strict=True))
        assert stored == {name: state in ("untouched", "moves to another broker") for name, state in states.items()}
    finally:
        for id in down:
            cluster.nodes[id].start()
    healthy(cluster)
    for topic, partition in partitions():
        if outcomes[topic, partition]["lost_all"] == "none":
            assert f"before-{mark}" in cluster.consume(topic, partition, timeout=20)


@pytest.mark.parametrize("how", ["power-loss", "disk-loss"])
@pytest.mark.parametrize("kind", KINDS if ALL_KINDS else ["kraft-4.3-elr"])
@pytest.mark.parametrize("down", FAILURES if ALL_KINDS else [(2, 3)], ids=lambda ids: "-".join(map(str, ids)))
def test_what_is_lost_was_said(tmp_path: Path, kind: str, how: str, down: tuple[int, ...]) -> None:
    with made(kind, tmp_path / "cluster") as running:
        create_topics(running)
        healthy(running)
        for topic, partition in partitions():
            assert isinstance(running.produce(topic, partition, ["record"], acks="all", timeout=20)[0], int)
        outcomes = rows(forecast(running, tmp_path, down, how))
        for id in down:
            running.nodes[id].kill()
        settled(running, outcomes, set(down))
        with ThreadPoolExecutor(len(TOPICS) * 3) as pool:
            seen = dict(
                zip(
                    partitions(),
                    pool.map(lambda place: probe(running, place[0], place[1], "x"), partitions()),
                    strict=True,
                )
            )
        for place, actual in seen.items():
            assert_among(outcomes[place], actual, f"{place} without {down} by {how}")
        for id in down:
            lose(running, id, how)
            running.nodes[id].start()
        for topic, partition in partitions():
            assert_loss(outcomes[topic, partition], running, topic, partition)


def lose(cluster: Cluster, id: int, how: str) -> None:
    """What the failure takes from a broker that is down: its disk, or the end of each log."""
    node = cluster.nodes[id]
    if how == "disk-loss":
        cluster.replace_disk(node)
        return
    for topic, partition in partitions():
        if id in replicas_of(topic, partition):
            cluster.cut_tail(node, topic, partition)


def assert_loss(outcome: dict[str, Any], cluster: Cluster, topic: str, partition: int) -> None:
    """What is certain of the record's loss is so, once the brokers are back; a partition that has no leader then has lost it."""
    values: list[str] = []
    with contextlib.suppress(TimeoutError):
        values = cluster.consume(topic, partition, timeout=60 if outcome["lost_all"] == "none" else 5)
    if outcome["lost_all"] in ("none", "certain"):
        assert ("record" in values) == (outcome["lost_all"] == "none"), f"{topic}-{partition}: {outcome}, {values}"


def assert_among(outcome: dict[str, Any], actual: Seen, where: str) -> None:
    """Each answer that is certain is what happens; the leader is the one that was named."""
    for name in ("readable", "writable_all", "writable_one", "newest"):
        assert outcome[name] in ("possible", "unknown", getattr(actual, name)), f"{where}: {name}: {outcome}, {actual}"
    assert outcome["leader"] == (None if actual.leader < 0 else actual.leader), f"{where}: {outcome}, {actual}"


def test_the_order_of_restarts_loses_nothing_and_what_it_calls_unsafe_refuses(cluster: Cluster, tmp_path: Path) -> None:
    healthy(cluster)
    file = tmp_path / "cluster.json"
    assert run("snapshot", "--bootstrap-server", cluster.bootstrap, "-o", file).code == 0
    order = run("impact", file, "--rolling-restart", "--format", "json").json
    assert order["safe"] is False
    for step in [step for step in order["steps"] if step["node"] in cluster.nodes and step["role"] == "broker"]:
        stopped = {(row["topic"], id) for row in step["stops"] for id in row["partitions"]}
        cluster.nodes[step["node"]].stop()
        try:
            settled(cluster, {}, {step["node"]})
            for topic, partition in partitions():
                (written,) = cluster.produce(topic, partition, [f"during-{step['node']}"], acks="all", timeout=4)
                assert isinstance(written, int) == ((topic, partition) not in stopped), (step["node"], topic, partition)
        finally:
            cluster.nodes[step["node"]].start()
        healthy(cluster)
        for topic, partition in partitions():
            if (topic, partition) not in stopped:
                assert f"during-{step['node']}" in cluster.consume(topic, partition, timeout=20)
