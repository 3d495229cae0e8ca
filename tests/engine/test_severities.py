"""What a profile makes of a file: regulated raises, dev is quiet, and one cause is one alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Ran, run

OPEN = (
    "process.roles=broker\nnode.id=1\ncontroller.listener.names=C\nlisteners=PLAINTEXT://0.0.0.0:9092\n"
    "advertised.listeners=PLAINTEXT://b1:9092\ncontroller.quorum.voters=100@c1:9093,101@c2:9093,102@c3:9093\n"
    "log.dirs=/var/lib/kafka\nmin.insync.replicas=2\ndefault.replication.factor=3\nbroker.rack=a\n"
)
LAPTOP = (
    "process.roles=broker,controller\nnode.id=1\nlisteners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093\n"
    "controller.listener.names=CONTROLLER\ncontroller.quorum.voters=1@localhost:9093\nlog.dirs=/var/lib/kafka\n"
    "offsets.topic.replication.factor=1\ntransaction.state.log.replication.factor=1\ntransaction.state.log.min.isr=1\n"
)
REDUNDANCY = {"KA102", "KA103", "KA401", "KA402", "KA501", "KA504", "KA506"}


def lint(folder: Path, text: str, *arguments: str) -> Ran:
    (folder / "x.properties").write_text(text)
    return run("lint", folder / "x.properties", "--no-config", *arguments)


def rules_of(ran: Ran) -> dict[str, str]:
    return {row["rule"]: row["severity"] for row in ran.json["findings"]}


def test_an_open_broker_fails_under_regulated(tmp_path: Path) -> None:
    ran = lint(tmp_path, OPEN, "--profile", "regulated", "--format", "json")
    assert ran.code == 1
    severities = rules_of(ran)
    assert [severities[rule] for rule in ("KA601", "KA602", "KA608")] == ["critical"] * 3


@pytest.mark.parametrize(("profile", "rules"), [("dev", {"KA506"}), ("production", REDUNDANCY - {"KA506"})])
def test_a_laptop_is_one_finding_under_dev(tmp_path: Path, profile: str, rules: set[str]) -> None:
    ran = lint(tmp_path, LAPTOP, "--profile", profile, "--format", "json")
    assert rules_of(ran).keys() & REDUNDANCY == rules


def test_a_node_that_is_no_laptop_is_judged_by_every_rule_under_dev(tmp_path: Path) -> None:
    ran = lint(tmp_path, LAPTOP.replace("localhost", "kafka1"), "--profile", "dev", "--format", "json")
    assert rules_of(ran).keys() & REDUNDANCY == REDUNDANCY - {"KA506"}


@pytest.mark.parametrize("format", ["text", "html"])
def test_what_follows_from_a_finding_stands_under_it(tmp_path: Path, format: str) -> None:
    ran = lint(tmp_path, "acks=1\nbootstrap.servers=a:1,b:1\n", "--format", format)
    cause, consequence = (ran.out.index(text) for text in ("the leader alone acknowledges", "switches idempotence off"))
    assert cause < consequence < ran.out.rindex("unencrypted")
    assert ran.out.lower().count("so also:") == 1


def test_programs_get_the_cause(tmp_path: Path) -> None:
    ran = lint(tmp_path, "acks=1\nbootstrap.servers=a:1,b:1\n", "--format", "json")
    assert {row["rule"]: row["cause"] for row in ran.json["findings"] if row["cause"]} == {"KA1002": "KA101"}


def test_what_has_another_cause_stands_by_itself(tmp_path: Path) -> None:
    ran = lint(tmp_path, "acks=all\nretries=0\nbootstrap.servers=a:1,b:1\n", "--ignore", "KA101")
    assert "so also" not in ran.out
    assert "KA1002" in ran.out


MSK = "auto.create.topics.enable=false\nunclean.leader.election.enable=true\nnum.io.threads=8\nmin.insync.replicas=1\n"


def test_a_platforms_overlay_is_judged_by_what_is_written(tmp_path: Path) -> None:
    ran = lint(tmp_path, MSK, "--format", "json")
    assert ran.json["inputs"][0]["kind"] == "broker-overlay"
    assert {"KA102", "KA104"} <= rules_of(ran).keys() <= {"KA102", "KA104", "KA1501"}
    assert not any(row["refused_by_kafka"] for row in ran.json["findings"])
    assert not ran.json["unknown"]


@pytest.mark.parametrize(
    "key", ["node.id=1", "broker.id=1", "process.roles=broker", "listeners=PLAINTEXT://b:1", "log.dirs=/d"]
)
def test_a_file_that_says_who_it_is_is_a_brokers_own(tmp_path: Path, key: str) -> None:
    assert lint(tmp_path, f"{MSK}{key}\n", "--format", "json").json["inputs"][0]["kind"] == "broker"


def test_a_clients_fragment_reports_nothing_that_it_leaves_out(tmp_path: Path) -> None:
    ran = lint(tmp_path, "acks=1\nlinger.ms=5\n", "--format", "json")
    assert rules_of(ran).keys() == {"KA101", "KA1002"}


@pytest.mark.parametrize("line", ["metadata.broker.list=b1:9092", "zookeeper.connect=z1:2181"])
def test_a_file_for_a_client_that_is_gone_is_no_fragment(tmp_path: Path, line: str) -> None:
    ran = lint(
        tmp_path, f"{line}\nkey.serializer=a.B\nserializer.class=a.B\n", "--format", "json", "--kind", "producer"
    )
    assert "KA1410" in rules_of(ran)
