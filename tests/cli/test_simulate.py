"""The simulate command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from tests.support.commands import ROOT, process, run

ROWS = ROOT / "tests/simulator/data/replication_queries.jsonl"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--rf", "3", "--min-isr", "2", "--acks", "1"), "lost after 1 failure: the leader is killed"),
        (("--rf", "3", "--min-isr", "1"), "after 3 failures"),
        (("--rf", "1"), "Reads stop after 1 failure: the leader is killed"),
        (("--rf", "3", "--acks", "0"), "Acknowledged records are lost after 0 failures: nothing has to fail"),
        (("--rf", "2", "--min-isr", "2", "--kafka-version", "3.9"), "Writes stop after 1 failure"),
        (("--rf", "3", "--fail", "kill any"), "violate nothing"),
        (("--rf", "3", "--acks", "1", "--fail", "kill follower"), "violate nothing"),
        (("--rf", "3", "--acks", "1", "--fail", "kill leader"), "How the failures asked for do it"),
        (("--rf", "3", "--min-isr", "2", "--fail", "kill", "--property", "available-to-produce"), "violate nothing"),
        (("--rf", "2", "--racks", "a,b", "--fail", "power-loss-all"), "violate nothing"),
        (("--rf", "2", "--racks", "a,a", "--fail", "power-loss-all"), "all brokers of the failure domain lose power"),
        (("--rf", "2", "--assume", "broker_failures=12/year,repair=1h"), "broker_failures=12/year, repair=1h"),
        (
            ("--rf", "1", "--min-isr", "2", "--kafka-version", "3.6", "--metadata", "zookeeper"),
            "Writes stop after 0 failures",
        ),
    ],
)
def test_answers(arguments: tuple[str, ...], says: str) -> None:
    ran = run("simulate", *arguments)
    assert (ran.code, ran.err) == (0, "")
    assert says in ran.out
    assert "--assume changes them" in ran.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--rf", "0"), "replication factor 0"),
        (("--rf", "8"), "replication factor 8"),
        (("--min-isr", "0"), "min.insync.replicas is at least 1"),
        (("--fail", "explode"), "no such event: explode"),
        (("--fail", "kill everybody"), "a victim is"),
        (("--fail", "kill", "--property", "nonsense"), "no such property"),
        (("--racks", "a,b"), "2 racks for 3 replicas"),
        (("--assume", "nonsense=1"), "no such assumption"),
        (("--assume", "repair=soon"), "repair=soon"),
        (("--kafka-version", "banana"), "banana"),
        (("nowhere.properties",), "no such file"),
        (("--queries", "nowhere.jsonl"), "no such file"),
        (("--acks", "2"), "invalid choice"),
        (("--limit", "0"), "limit"),
    ],
)
def test_wrong_questions_get_one_line(arguments: tuple[str, ...], says: str) -> None:
    ran = run("simulate", *arguments)
    assert ran.code == 2
    assert says in ran.err
    assert ran.err.count("\n") == 1


def test_settings_come_from_files_and_the_rest_is_assumed_aloud(tmp_path: Path) -> None:
    (tmp_path / "s.properties").write_text(
        "zookeeper.connect=z1:2181\nmin.insync.replicas=2\ndefault.replication.factor=3\n"
    )
    (tmp_path / "p.properties").write_text("acks=1\nbootstrap.servers=a:1\n")
    alone = run("simulate", tmp_path / "s.properties")
    assert "RF 3, min.insync.replicas 2, acks=all (Kafka 3.9, zookeeper)" in alone.out
    assert "assumed: no producer file: acks=all" in alone.out
    joined = run("simulate", tmp_path / "s.properties", "--with", tmp_path / "p.properties")
    assert "acks=1 (Kafka 3.9" in joined.out
    assert "the leader is killed" in joined.out


def test_an_unreadable_setting_is_no_default(tmp_path: Path) -> None:
    (tmp_path / "s.properties").write_text("zookeeper.connect=z1:2181\nmin.insync.replicas=${ISR}\n")
    ran = run("simulate", tmp_path / "s.properties")
    assert ran.code == 2
    assert "filled in later" in ran.err


def test_outputs_of_tools_are_no_configuration() -> None:
    ran = run("simulate", ROOT / "tests/data/tool_outputs/kraft-4.3/configs-brokers.txt")
    assert (ran.code, ran.out) == (2, "")
    assert "none of the files is a broker's" in ran.err


def test_json(tmp_path: Path) -> None:
    document = run("simulate", "--rf", "2", "--min-isr", "1", "--no-elr", "--format", "json").json
    assert document["format"] == "kafka-advisor-simulation/1"
    assert document["verdict"]["loss"][0]["failures"] == ["power-loss-all"]
    assert document["odds"]["minutes_without_writes"] > 0
    assert set(document["assumptions"]) >= {"broker_failures", "repair", "power"}


def test_queries_are_answered_line_by_line() -> None:
    lines = ROWS.read_text().splitlines()[:5]
    ran = process("simulate", "--queries", "-", stdin="\n".join(lines).encode())
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [answer["id"] for answer in answers] == [json.loads(line)["id"] for line in lines]
    assert all(set(answer) == {"id", "holds", "steps", "states", "seconds", "story"} for answer in answers)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "line 1: a query is a JSON object"),
        ('{"replicas": "3"}', "line 1: replicas must be like 3"),
        ('{"replicsa": 3}', "line 1: no such field: replicsa"),
        ('{"events": {"explode": 1}}', "line 1: no such event"),
        ('{"events": {"kill": "x"}}', "line 1:"),
        ('{"racks": 3}', "line 1:"),
        ('{"kafka_version": "x"}', "line 1: x is no Kafka version"),
    ],
)
def test_a_wrong_query_names_its_line(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "q.jsonl").write_text(line + "\n")
    ran = run("simulate", "--queries", tmp_path / "q.jsonl")
    assert ran.code == 2
    assert says in ran.err


def test_what_is_not_decided_is_never_called_true(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"id": "x", "replicas": 3, "min_isr": 2, "events": {"kill": 3}}\n')
    answer = run("simulate", "--queries", tmp_path / "q.jsonl", "--limit", "500").json
    assert (answer["holds"], answer["steps"]) == (None, None)
    assert answer["states"] > 500


def test_the_stories_page_is_what_the_simulator_tells() -> None:
    from examples.stories import page

    assert (ROOT / "docs/stories.md").read_text() == page(), "docs/stories.md is stale: run make docs"


def test_a_topic_of_a_running_cluster(tmp_path: Path) -> None:
    file = tmp_path / "cluster.json"
    cluster = (
        "kafka 4.3\nbrokers 1/a 2/a 3/b\ncluster-wide min.insync.replicas=2\n"
        "features eligible.leader.replicas.version=1/1 metadata.version=30/30\n"
        "topic orders\n0: leader 1 replicas 1,2 isr 1,2\n"
    )
    write(str(file), parse_cluster(cluster))
    found = run("simulate", file, "--topic", "orders", "--format", "json")
    assert found.code == 0, found.err
    setup = found.json["configuration"]
    assert (setup["replicas"], setup["min_isr"], setup["elr"]) == (2, 2, True)
    assert run("simulate", file, "--rf", "2").err.startswith("kafka-advisor: name a topic of the snapshot with --topic")
    assert "no topic absent" in run("simulate", file, "--topic", "absent").err


def test_a_snapshot_without_a_topic_has_a_row_for_each_class(tmp_path: Path) -> None:
    text = (
        "brokers 1/a 2/b 3/c\nfeatures metadata.version=29/29\ntopic a\n0: leader 1 replicas 1 isr 1\n"
        "topic b\n0-2: leader 2 replicas 2 isr 2\ntopic c min.insync.replicas=2\n0: leader 1 replicas 1,2,3 isr 1,2,3\n"
        "topic d missing=not_permitted"
    )
    write(str(tmp_path / "c.json"), parse_cluster(text))
    ran = run("simulate", tmp_path / "c.json")
    assert ran.code == 0
    rows = ran.out.splitlines()
    assert rows[3].split()[:1] == ["2"]
    assert "RF 1, min.isr 1, acks=all, 1 rack: a, b" in rows
    assert "unknown: topic d: not permitted" in rows
    document = run("simulate", tmp_path / "c.json", "--format", "json").json
    assert [len(row["topics"]) for row in document["classes"]] == [2, 1]
    assert document["classes"][1]["failures_until"] == {"loss": "3", "writes": "2"}


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(
        target=lambda: (tmp_path / "pipe").write_text(
            "process.roles=broker\ndefault.replication.factor=3\nmin.insync.replicas=2\n"
        )
    )
    writer.start()
    ran = run("simulate", tmp_path / "pipe")
    writer.join()
    assert ran.code == 0, ran.err
    assert "RF 3, min.insync.replicas 2" in ran.out.splitlines()[0]


def test_ctrl_c_ends_the_search_and_shows_what_is_known() -> None:
    failures = "kill any, kill any, isolate any, lag any"
    options = ["--rf", "5", "--min-isr", "2", "--no-elr", "--property", "available-to-produce", "--fail", failures]
    command = [sys.executable, "-m", "advisor", "simulate", *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        time.sleep(2)
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, "")
    assert "Not decided within" in out
    assert "Writes stop after 1 failure: all brokers lose power at once" in out


@pytest.mark.parametrize("racks", ["A,A,A,A,A,A,A", "A,A,A,B,B,B,C", "A,A,A,A,A,A,B"])
def test_seven_replicas_are_answered(racks: str) -> None:
    document = run("simulate", "--rf", "7", "--min-isr", "4", "--racks", racks, "--format", "json").json
    assert document["undecided"] == []
    assert document["verdict"]["writes"]
    assert all(row["steps"] for rows in document["verdict"].values() for row in rows)


@pytest.mark.parametrize(
    ("properties", "code", "says"),
    [
        ("default.replication.factor=2\\nmin.insync.replicas=2", 0, "RF 2, min.insync.replicas 2"),
        ("log.retention.hours=2", 2, "Amazon MSK decides it"),
    ],
)
def test_a_configuration_of_msk_is_a_brokers(tmp_path: Path, properties: str, code: int, says: str) -> None:
    text = f'resource "aws_msk_configuration" "c" {{\n  kafka_versions = ["3.6.0"]\n  server_properties = "{properties}"\n}}\n'
    (tmp_path / "main.tf").write_text(text)
    ran = run("simulate", tmp_path / "main.tf")
    assert ran.code == code and says in ran.out + ran.err
