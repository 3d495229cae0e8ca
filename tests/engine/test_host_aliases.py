"""Outlines: hosts' own names make no difference to what is found, and none is shown in another's place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, given, settings

from advisor.catalog.host_aliases import outline
from advisor.config import Config
from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.engine.report import Report
from advisor.model import Snapshot
from advisor.rule.subject import Subject
from advisor.samples.rule_examples import entities
from rules import all_rules
from tests.support.address_strategies import ADVERTISED, BOOTSTRAP, VOTERS, as_text, clusters, files, running
from tests.support.simulation import MORE

RULES = all_rules()

OUTLINES = [
    (ADVERTISED, "PLAINTEXT://b1.example.org:9092", "PLAINTEXT://host-1:9092"),
    (ADVERTISED, "A://b1:1,B://b2:2,C://b1:3,D://B1x:4,E://b1X:5", "A://host-1:1,B://host-2:2,C://host-1:3,D://host-3:4,E://host-4:5"),
    (VOTERS, "1@c1:9093,2@c2:9093", "1@host-1:9093,2@host-2:9093"),
    (BOOTSTRAP, "b1:9092,SSL://b2:9093", "host-1:9092,SSL://host-2:9093"),
    ("mirror.a.bootstrap.servers", "b1:9092", "host-1:9092"),
    (BOOTSTRAP, "host-2:1,a:2,host-1:3", "host-1:1,host-2:2,host-3:3"),
    (BOOTSTRAP, "my-kafka-bootstrap:1,pkc-1.eu.confluent.cloud:1,b:1", "bootstrap-1:1,bootstrap-2:1,host-3:1"),
    (BOOTSTRAP, "localhost:1,127.0.0.1:1,0.0.0.0:1,10.1.2.3:1,[::1]:1,b:1", "localhost:1,127.0.0.1:1,0.0.0.0:1,10.1.2.3:1,[::1]:1,host-1:1"),
    (ADVERTISED, "A://:9092,B://b:1", "A://:9092,B://host-1:1"),
    (BOOTSTRAP, "BROKER:1,B1:1,b.:1,b-:1,b..c:1,1b:1,b:1", "BROKER:1,B1:1,b.:1,b-:1,b..c:1,1b:1,host-1:1"),
]  # fmt: skip
ODD = (
    "", "b", "9092", "b:", "b:x", "b:-1", "b:1,", "b:1, c:1", " b:1", "b_1:1", "${HOST}:1", "b:${PORT}", "@HOST@:1", "<b>:1", "b:1 # c",
    "{{ b }}:1", "%B%:1", "::1:1", "[::1:1", "A://B://b:1", "x@b:1", "1@2@b:1", "b:1,ü:1", "b:١", "://b:1", "[]x:1", "]:1",
)  # fmt: skip


@pytest.mark.parametrize(("key", "text", "wanted"), OUTLINES)
def test_stand_ins(key: str, text: str, wanted: str) -> None:
    assert outline(key, text) == wanted


@pytest.mark.parametrize("key", [BOOTSTRAP, VOTERS, ADVERTISED])
@pytest.mark.parametrize("text", ODD)
def test_what_is_no_list_of_addresses_stays_as_it_is(key: str, text: str) -> None:
    assert outline(key, text) == text


@pytest.mark.parametrize(("key", "text"), [(ADVERTISED, "b1:9092"), (VOTERS, "b1:9092"), (VOTERS, "1@c1:1,c2:1")])
def test_an_address_stays_where_its_name_or_id_is_lacking(key: str, text: str) -> None:
    assert outline(key, text) == text


def test_only_lists_of_addresses_are_asked_for_their_outline() -> None:
    config = Config(entities("bootstrap.servers=b1:9092\nclient.id=b1:9092\nacks=all", "producer")[0])
    reads: list[Any] = []
    facts = Subject(0, config, reads)
    assert (facts.outline(BOOTSTRAP), facts.outline("client.id")) == ("host-1:9092", "b1:9092")
    assert [question for _, question, _ in reads] == [("outline", BOOTSTRAP), ("text", "client.id")]
    assert [row.value for row in config.evidence(("outline", BOOTSTRAP))] == ["b1:9092"]


def told(report: Report) -> tuple[object, ...]:
    """All that a report says: every finding with its evidence, every unknown with its reason, and the counts."""
    findings = [
        (
            row.rule, row.entity, row.severity, row.confidence, row.message, row.key, row.kafka_key, row.value, row.required, row.with_,
            row.refused, row.changes, row.line, row.source_line, row.proof, row.fingerprint,
            [(each.entity, each.key, each.value, each.source, each.file, each.line) for each in row.evidence],
        )
        for row in report.findings
    ]  # fmt: skip
    unknown = [(row.rule, row.entity, row.key, row.reason) for row in report.unknown]
    return findings, unknown, report.passed, report.not_applicable, report.crashed


def judged(snapshot: Snapshot) -> tuple[object, ...]:
    return told(judge([snapshot], RULES, Policy(RULES)))


def of_files(release: str, text: str) -> tuple[object, ...]:
    return judged(Snapshot("example", entities(text, release)))


SERVER = "[combined]\nprocess.roles=broker,controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\n"
SHOWN = [
    (SERVER + "listeners=PLAINTEXT://@:9092,PLAINTEXT://@:9092", "PLAINTEXT://@:9092 is listed twice"),
    (SERVER + "listeners=PLAINTEXT://@:9092,@:9093", "@:9093 is not NAME://host:port"),
    (SERVER + "listeners=1@@:9092", "1@@:9092 is not NAME://host:port"),
    (SERVER + "advertised.listeners=PLAINTEXT://@:90 92", "PLAINTEXT://@:90 92 is not NAME://host:port"),
    (SERVER + "advertised.listeners=PLAINTEXT://@:9092,${MORE}", "PLAINTEXT://@:9092,${MORE}"),
    (SERVER + "controller.quorum.voters=1@@:9093,VOTERS", "1@@:9093,VOTERS"),
    (SERVER + "controller.quorum.voters=1@@:65536", "1@@:65536: must be"),
    ("[producer]\nbootstrap.servers=@:9092,@:9092,@:9093", "@:9092 is listed twice"),
    ("[producer]\nbootstrap.servers=@:9092,${MORE}", "@:9092,${MORE}"),
    ("[producer]\nbootstrap.servers=@:9092,BROKER:9092", "@:9092,BROKER:9092"),
    ("[producer]\nbootstrap.servers=@:65536", "@:65536: must be"),
    ("[producer]\nbootstrap.servers=@:9092 # x", "@:9092 # ********"),
]  # fmt: skip
SAID_OF_HOSTS = [
    ("KA1208", "[producer]\nbootstrap.servers=@:9092", {"my-bootstrap": 0, "pkc-1.confluent.cloud": 0, "b1": 1, "localhost": 1}),
    ("KA650", "[producer]\nbootstrap.servers=@:9092", {"b1": 1, "localhost": 1, "8.8.8.8": 0}),
    ("KA651", "[producer]\nbootstrap.servers=@:9092", {"b1": 0, "localhost": 0, "8.8.8.8": 1}),
    ("KA1301", SERVER + "advertised.listeners=PLAINTEXT://@:9092", {"b1": 0, "localhost": 1, "127.0.0.1": 1, "[::1]": 1, "Localhost": 0}),
    ("KA1302", SERVER + "advertised.listeners=PLAINTEXT://@:9092", {"b1": 0, "0.0.0.0": 1}),
    ("KA1310", SERVER + "listeners=PLAINTEXT://@:9092,CONTROLLER://[::1]:9092", {"b1": 1, "10.0.0.1": 0, "HOST": 0}),
    ("KA520", SERVER + "controller.quorum.voters=1@@:9093,2@c2:9093", {"b1": 0, "localhost": 1}),
    ("KA519", SERVER + "controller.quorum.voters=1@@:1\ncontroller.quorum.bootstrap.servers=@:1", {"b1": 1, "b2": 1, "${X}": 0}),
    ("KA521", SERVER + "controller.quorum.voters=1@@:1,1@b:1", {"b1": 1, "b": 1}),
    ("KA508", "[broker]\nprocess.roles=broker\nnode.id=1\ncontroller.quorum.voters=1@@:1", {"b1": 1, "b2": 1}),
]  # fmt: skip


def of_hosts(text: str, hosts: list[str]) -> Report:
    """What is found in files that differ in their hosts; there are enough of them for verdicts to be remembered."""
    files = [entities(text.replace("1@@", f"1@{host}").replace("@:", f"{host}:"), "4.2")[0] for host in hosts]
    for number, file in enumerate(files):
        file.file = file.name = f"{number}.properties"
    return judge([Snapshot("example", files)], RULES, Policy(RULES))


@pytest.mark.parametrize(("text", "says"), SHOWN)
def test_what_is_shown_is_what_is_written(text: str, says: str) -> None:
    hosts = ["b1", "b2.example.org", "host-2", "Host-1", "my-bootstrap", "b6"]
    report = of_hosts(text, hosts)
    said = {(row.entity[1], row.message) for row in report.findings} | {
        (row.entity[1], row.reason) for row in report.unknown
    }
    for number, host in enumerate(hosts):
        wanted = says.replace("1@@", f"1@{host}").replace("@:", f"{host}:")
        assert any(name == f"{number}.properties" and wanted in message for name, message in said), (wanted, said)
    assert not any("host-1" in message for _, message in said)


@pytest.mark.parametrize(("rule", "text", "wanted"), SAID_OF_HOSTS)
def test_what_rules_tell_of_a_host_is_told(rule: str, text: str, wanted: dict[str, int]) -> None:
    found = of_hosts(text, [*wanted, *wanted]).findings
    counts = [
        sum(row.rule == rule and row.entity[1] == f"{number}.properties" for row in found)
        for number in range(len(wanted))
    ]
    assert dict(zip(wanted, counts, strict=True)) == wanted


@settings(max_examples=25 * MORE, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(files())
def test_files_are_judged_by_outlines_as_by_their_texts(case: tuple[str, str]) -> None:
    by_outline = of_files(*case)
    with as_text():
        assert by_outline == of_files(*case)


@settings(max_examples=15, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(clusters())
def test_running_clusters_are_judged_by_outlines_as_by_their_texts(text: str) -> None:
    by_outline = judged(running(text))
    with as_text():
        assert by_outline == judged(running(text))
