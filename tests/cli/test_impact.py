"""`kafka-advisor impact`: every format, its exit codes, and names that would steer a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from tests.support.commands import ROOT, run
from tests.support.hostile_text import BATCHES, with_topics

FORMATS = ("text", "json", "markdown", "html")
CLUSTER = """
brokers 1/a 2/b 3/c
quorum leader=1 voters=1,2,3
topic orders min.insync.replicas=2
0: leader 1 replicas 1,2,3 isr 1,2,3
topic logs
0-2: leader 2 replicas 2 isr 2
group pay members=1
"""


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    write(str(tmp_path / "cluster.json.gz"), parse_cluster(CLUSTER))
    return tmp_path / "cluster.json.gz"


def schema(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((ROOT / f"advisor/reports/impact/{name}.schema.json").read_text()))


def test_the_worst_comes_first_and_says_until_when(cluster: Path) -> None:
    ran = run("impact", cluster, "--down", "broker:2")
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert lines[1] == "If broker 2 is killed (the process dies, its host and page cache survive):"
    assert lines[3] == "Lost: nothing that was acknowledged with acks=all"
    assert lines[4] == "Stops: reads and writes of 3 partitions"
    assert "Partitions: 3 stop, 1 keeps serving" in lines
    assert lines[7] == "  logs: 3 of 3 partitions stop: no broker leads until broker 2 is back"
    assert "quorum: 2 of 3 voters left, 2 needed for a majority" in lines


HEADLINES = {
    "what had stopped before is in no count": (
        "brokers 1 2\nquorum leader=9 voters=9\ntopic a min.insync.replicas=1\n0: leader none replicas 3 isr 3\n1: leader 2 replicas 2 isr 2",
        ("--down", "broker:2"),
        "Stops: reads and writes of 1 partition (1 partition had stopped before)",
    ),
    "nothing stops": (
        "brokers 1 2 3\ntopic a min.insync.replicas=1\n0: leader 1 replicas 1,2,3 isr 1,2,3",
        ("--down", "broker:3"),
        "Stops: nothing",
    ),
    "acks=1 loses what only the leader has": (
        "brokers 1 2 3\nquorum leader=9 voters=9\ntopic a min.insync.replicas=2\n0: leader 1 replicas 1,2,3 isr 1,2,3",
        ("--down", "broker:1"),
        "Lost: nothing that was acknowledged with acks=all; of acks=0 and acks=1 perhaps the newest records of 1 partition",
    ),
    "the only copy": (
        "brokers 1 2 3\ntopic a min.insync.replicas=1\n0: leader 3 replicas 3 isr 3\n1: leader 1 replicas 1,2 isr 1,2",
        ("--down", "broker:3", "--how", "disk-loss"),
        "  a: 1 of 2 partitions loses all records (partition 0): broker 3 had the only copy; no broker leads until broker 3 is back",
    ),
    "both must be back": (
        "brokers 1 2 3\ntopic a min.insync.replicas=1\n0: leader 2 replicas 2,3 isr 2,3",
        ("--down", "broker:2,broker:3", "--how", "power-loss"),
        "or the one of them that was in sync last",
    ),
    "not read": (
        "brokers 1 2\ntopic a min.insync.replicas=1\n0: leader 1 replicas 1,2 isr 1,2\ntopic b missing=not_permitted",
        ("--down", "broker:2"),
        "topic b: not permitted",
    ),
}


@pytest.mark.parametrize("name", HEADLINES)
def test_the_first_lines_say_what_is_lost_and_what_stops(tmp_path: Path, name: str) -> None:
    cluster, arguments, line = HEADLINES[name]
    write(str(tmp_path / "cluster.json"), parse_cluster(cluster))
    out = run("impact", tmp_path / "cluster.json", *arguments).out
    assert line in out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--down", "broker:1"), 0),
        (("--down", "broker:2"), 1),
        (("--down", "controllers"), 1),
        (("--rolling-restart",), 1),
        (("--down", "broker:9"), 2),
        (("--down", "broker:1", "--rolling-restart"), 2),
        ((), 2),
    ],
)
def test_scripts_can_rely_on_the_exit_code(cluster: Path, arguments: tuple[str, ...], code: int) -> None:
    ran = run("impact", cluster, *arguments)
    assert ran.code == code, ran
    assert (ran.err.count("\n") == 1) == (code == 2)


def test_unknown_fails_on_demand_only(tmp_path: Path) -> None:
    file = tmp_path / "cluster.json"
    write(str(file), parse_cluster("brokers 1 2\nquorum leader=9 voters=9\ntopic orders missing=not_permitted"))
    assert run("impact", file, "--down", "broker:1").code == 0
    assert run("impact", file, "--down", "broker:1", "--fail-on-unknown").code == 1
    assert run("impact", file, "--rolling-restart", "--fail-on-unknown").code == 1


@pytest.mark.parametrize("how", ["kill", "power-loss", "disk-loss"])
@pytest.mark.parametrize("down", ["broker:1", "broker:2,broker:3", "rack:b", "controllers"])
def test_the_document_holds_to_its_schema(cluster: Path, down: str, how: str) -> None:
    document = run("impact", cluster, "--down", down, "--how", how, "--format", "json").json
    schema("impact").validate(document)
    assert sum(len(row["ids"]) for topic in document["topics"] for row in topic["partitions"]) == 4
    schema("restart").validate(run("impact", cluster, "--rolling-restart", "--format", "json").json)


@pytest.mark.parametrize("names", BATCHES)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("question", [("--down", "broker:2"), ("--rolling-restart",)])
def test_hostile_names_are_harmless(
    tmp_path: Path, format: str, question: tuple[str, ...], names: tuple[str, ...]
) -> None:
    snapshot = with_topics(parse_cluster(CLUSTER), "logs", names)
    assert snapshot.live is not None
    for node, name in zip(snapshot.live.nodes, names, strict=True):
        node.rack = name
    write(str(tmp_path / "c.json"), snapshot)
    ran = run("impact", tmp_path / "c.json", *question, "--format", format)
    assert ran.code == 1, ran
    assert ran.out.replace("\n", "").isprintable() or format == "html"
    assert not any(character in ran.out for character in "\x00\x07\x1b\x7f\x9b\u202e\u2066")
    assert format != "html" or not any(tag in ran.out for tag in ("<script>a", "<img", "<!-- -->"))


def test_clients_are_joined_and_a_topic_that_is_not_there_is_an_error(cluster: Path, tmp_path: Path) -> None:
    client = tmp_path / "producer.properties"
    client.write_text("bootstrap.servers=b1:9092\nacks=1\n")
    ran = run("impact", cluster, "--down", "broker:1", "--with", f"{client}=orders")
    assert f"client {client} (acks=1): 1 keeps serving; the newest records of 1 may be lost" in ran.out
    assert run("impact", cluster, "--down", "broker:1", "--with", f"{client}=absent").code == 2


def test_a_connect_worker_depends_on_its_storage_topics(cluster: Path, tmp_path: Path) -> None:
    worker = tmp_path / "connect-distributed.properties"
    worker.write_text(
        "bootstrap.servers=b1:9092\ngroup.id=c\nconfig.storage.topic=absent\noffset.storage.topic=logs\n"
        "status.storage.topic=orders\nkey.converter=a.B\nvalue.converter=a.B\n"
    )
    ran = run("impact", cluster, "--down", "broker:2", "--with", worker)
    assert f"client {worker}: 3 stop, 1 keeps serving" in ran.out


def snapshot(folder: Path, text: str) -> Path:
    write(str(folder / "other.json"), parse_cluster(text))
    return folder / "other.json"


def test_an_unread_quorum_is_something_that_was_not_read(tmp_path: Path) -> None:
    file = snapshot(tmp_path, "brokers 1 2\nunread quorum: not permitted\ntopic a\n0: leader 2 replicas 2 isr 2")
    ran = run("impact", file, "--down", "broker:1", "--fail-on-unknown")
    assert ran.code == 1
    assert "quorum: not permitted" in ran.out


@pytest.mark.parametrize(("down", "stops"), [("controllers", True), ("broker:1", False)])
def test_what_needs_a_controller_stops_without_one(cluster: Path, down: str, stops: bool) -> None:
    assert ("whatever needs a controller: elections" in run("impact", cluster, "--down", down).out) == stops


def test_all_controllers_without_their_disks_do_not_come_back(cluster: Path) -> None:
    assert "the cluster's metadata is lost" in run("impact", cluster, "--down", "controllers", "--how", "disk-loss").out
    assert "the cluster's metadata is lost" not in run("impact", cluster, "--down", "controllers").out


def test_the_whole_ensemble_of_zookeeper(tmp_path: Path) -> None:
    file = snapshot(tmp_path, "kafka 3.6 zookeeper\nbrokers 1\ntopic a\n0: leader 1 replicas 1 isr 1")
    ran = run("impact", file, "--down", "controllers")
    assert "quorum: no ZooKeeper servers left: no leader is elected and no ISR changes" in ran.out
    assert ran.code == 1


def test_sizes_are_unknown_where_topics_were_not_read(tmp_path: Path) -> None:
    file = snapshot(tmp_path, "brokers 1 2\nquorum leader=9 voters=9\nunread topics: not permitted")
    assert "disks: replicas of unknown size fail" in run("impact", file, "--down", "broker:1").out


def test_a_kind_of_failure_is_no_rolling_restart(cluster: Path) -> None:
    assert run("impact", cluster, "--rolling-restart", "--how", "disk-loss").code == 2


def test_a_change_that_takes_another_broker_says_so(tmp_path: Path) -> None:
    file = snapshot(tmp_path, "brokers 1\nquorum leader=9 voters=9,8,7\ntopic a\n0: leader 1 replicas 1 isr 1")
    assert "takes 2 brokers, and 1 are up" in run("impact", file, "--rolling-restart").out


def test_racks_are_restarted_one_after_the_other(tmp_path: Path) -> None:
    file = snapshot(
        tmp_path, "brokers 1/b 2/a 3/b 4/a\nquorum leader=9 voters=9,8,7\ntopic a\n0: leader 1 replicas 1,2,3 isr 1,2,3"
    )
    order = run("impact", file, "--rolling-restart", "--format", "json").json["steps"]
    assert [step["node"] for step in order] == [2, 4, 1, 3, 7, 8, 9]


@pytest.mark.parametrize("options", [(), ("--down", "broker:1")])
def test_a_configuration_is_no_snapshot_whatever_is_asked(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "server.properties").write_text("node.id=1\n")
    ran = run("impact", tmp_path / "server.properties", *options)
    assert ran.code == 2 and "no snapshot of a cluster" in ran.err and "rollout OLD NEW" in ran.err
