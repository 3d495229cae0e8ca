"""The findings of `starts`, `upgrade` and `advise` in the formats for programs: valid, placed, and explained."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from tests.support.cluster_drawing import DRAWING
from tests.support.commands import ROOT, run
from tests.support.hostile_text import BATCHES, with_topics
from tests.support.report_readers import READERS, harmless, is_junit, is_sarif

FILES = {
    "broker.properties": "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@b1:9093\n"
    "controller.listener.names=CONTROLLER\nlisteners=PLAINTEXT://b1:9092,CONTROLLER://b1:9093\n"
    "metrics.recording.level=LOUD\n",
    "old.properties": "broker.id=1\nzookeeper.connect=z1:2181\nmin.insync.replicas=2\nlog.message.format.version=2.8\n",
    "producer.properties": "bootstrap.servers=10.0.0.1:9092\nacks=1\nreconnect.backoff.ms=100\nretries=0\n",
    "good.properties": "bootstrap.servers=10.0.0.1:9092\nacks=all\n",
}
STARTS_REFUSED = ("starts", "broker.properties")
STARTS_CHANGED = ("starts", "producer.properties", "--on", "3.9,4.4")
UPGRADE_OLD = ("upgrade", "old.properties", "--from", "2.8", "--to", "4.4")
UPGRADE_CLUSTER = ("upgrade", "cluster.json", "--to", "4.4")
ADVISE = ("advise", "producer.properties")
ADVISE_CLUSTER = ("advise", "cluster.json")
COMMANDS = (STARTS_REFUSED, STARTS_CHANGED, UPGRADE_OLD, UPGRADE_CLUSTER, ADVISE, ADVISE_CLUSTER)
FORMATS = ("sarif", "junit", "gitlab", "github")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    write("cluster.json", parse_cluster(DRAWING))


def shown(format: str, *arguments: str) -> Any:
    ran = run(*arguments, "--format", format)
    assert ran.code in (0, 1), ran.err
    return READERS[format](ran.out)


def sarif(*arguments: str) -> dict[tuple[str, str | None], dict[str, Any]]:
    """The results by rule and key."""
    return {(row["ruleId"], row["properties"].get("key")): row for row in shown("sarif", *arguments)["results"]}


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_what_its_readers_take(format: str, arguments: tuple[str, ...]) -> None:
    assert shown(format, *arguments)


@pytest.mark.parametrize("command", ["starts", "upgrade", "advise"])
@pytest.mark.parametrize("format", FORMATS)
def test_a_file_without_findings_is_a_report_as_well(format: str, command: str) -> None:
    READERS[format](run(command, "good.properties", "--format", format).out)


@pytest.mark.parametrize(
    ("arguments", "rule", "key", "severity", "refused", "line"),
    [
        (STARTS_REFUSED, "KA1911", "metrics.recording.level", "critical", True, 6),
        (STARTS_CHANGED, "KA1002", "enable.idempotence", "medium", False, 1),
        (STARTS_CHANGED, "KA010", "reconnect.backoff.max.ms", "info", False, 1),
        (UPGRADE_OLD, "KA023", None, "high", False, 1),
        (UPGRADE_OLD, "KA021", None, "high", False, 1),
        (UPGRADE_OLD, "KA020", "inter.broker.protocol.version", "medium", False, 1),
        (UPGRADE_OLD, "KA1402", "log.message.format.version", "medium", False, 4),
        (UPGRADE_OLD, "KA1410", "process.roles", "critical", True, 1),
        (UPGRADE_OLD, "KA025", "log.message.timestamp.after.max.ms", "low", False, 1),
        (("upgrade", "broker.properties", "--from", "4.0"), "KA1911", "metrics.recording.level", "critical", True, 6),
        (ADVISE, "KA101", "acks", "high", False, 2),
    ],
)
def test_a_finding_stands_at_its_line(
    arguments: tuple[str, ...], rule: str, key: str | None, severity: str, refused: bool, line: int
) -> None:
    row = sarif(*arguments)[rule, key]
    (location,) = row["locations"]
    assert (row["properties"]["severity"], row["properties"]["refusedByKafka"]) == (severity, refused)
    assert location["physicalLocation"]["artifactLocation"]["uri"] == arguments[1]
    assert location["physicalLocation"]["region"]["startLine"] == line


def test_a_line_has_its_columns() -> None:
    (location,) = sarif(*STARTS_REFUSED)["KA1911", "metrics.recording.level"]["locations"]
    region = location["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (1, 1 + len("metrics.recording.level"))


def test_releases_are_named_where_not_all_of_them_agree() -> None:
    Path("old.properties").write_text("broker.id=1\nzookeeper.connect=z1:2181\n")
    some = sarif("starts", "old.properties", "--on", "3.8,3.9,4.0,4.1")["KA1410", "process.roles"]
    assert "(4.0 to 4.1)" in some["message"]["text"]
    every = sarif("starts", "broker.properties", "--on", "3.9,4.0")["KA1911", "metrics.recording.level"]
    assert "(3.9" not in every["message"]["text"]


@pytest.mark.parametrize("arguments", [("starts", "good.properties"), UPGRADE_CLUSTER], ids=" ".join)
def test_what_is_unknown_is_neither_passed_nor_failed(arguments: tuple[str, ...]) -> None:
    document = run(*arguments, "--format", "json").json
    unknown = document["unknown"] if "unknown" in document else document["starts"][0]["unknown"]
    (invocation,) = shown("sarif", *arguments)["invocations"]
    texts = " ".join(row["message"]["text"] for row in invocation["toolExecutionNotifications"])
    assert unknown and all(row["message"].split(":")[0].split("`")[0] in texts for row in unknown)
    skipped = [case for suite in shown("junit", *arguments) for case in suite if case.is_skipped]
    assert len(skipped) >= len(unknown)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_every_id_is_explained(arguments: tuple[str, ...]) -> None:
    for rule in shown("sarif", *arguments)["tool"]["driver"]["rules"]:
        assert run("explain", rule["id"]).out.startswith(f"{rule['id']} {rule['name']}\n")


def test_advise_lists_what_its_steps_resolve_and_no_more() -> None:
    arguments = ("advise", str(ROOT / "examples/cluster.json"))
    plan = run(*arguments, "--format", "json").json
    removed = {(row["rule"], row["key"]) for step in plan["steps"] for row in step["removes"]}
    by_hand = {(row["rule"], row["key"]) for row in plan["by_hand"]}
    assert removed and by_hand and set(sarif(*arguments)) == removed
    passed = {case.name.split()[0] for suite in shown("junit", *arguments) for case in suite if case.is_passed}
    assert not passed & {rule for rule, _ in by_hand}


def test_a_command_is_a_category_of_its_own_and_has_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    categories = set()
    for arguments in (("lint", "broker.properties"), STARTS_REFUSED, UPGRADE_OLD, ADVISE):
        categories.add(shown("sarif", *arguments)["automationDetails"]["id"])
        run(*arguments, "--format", "github")
    assert categories == {"kafka-advisor/"} | {f"kafka-advisor/{name}/" for name in ("starts", "upgrade", "advise")}
    assert Path("summary.md").read_text().count("score") == 1


@pytest.mark.parametrize("names", BATCHES)
@pytest.mark.parametrize("command", ["upgrade", "advise"])
def test_hostile_names_and_values_are_harmless(command: str, names: tuple[str, ...]) -> None:
    snapshot = with_topics(parse_cluster(DRAWING), "orders", names)
    for entity in snapshot.entities:
        if entity.name in names:
            entity.settings = {key: copy.copy(setting) for key, setting in entity.settings.items()}
            entity.settings["retention.ms"].value = entity.name
    write("hostile.json", snapshot)
    for format in FORMATS:
        ran = run(command, "hostile.json", "--format", format)
        assert ran.code in (0, 1), ran.err
        harmless(format, ran.out)


@pytest.mark.parametrize("names", BATCHES)
def test_hostile_values_of_a_file_are_harmless(names: tuple[str, ...]) -> None:
    values = "\n".join(json.dumps(name)[1:-1] for name in names)
    settings = "".join(f"metrics.recording.level={value}\n" for value in values.split("\n"))
    Path("evil.properties").write_text(FILES["broker.properties"] + settings)
    for format in FORMATS:
        harmless(format, run("starts", "evil.properties", "--format", format).out)


def test_several_files_are_one_report() -> None:
    names = ["broker.properties", "producer.properties"]
    run("starts", *names, "--on", "4.4", "--format", "sarif=a.sarif", "--format", "junit=a.xml")
    uris = {
        row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for row in is_sarif(Path("a.sarif").read_text())["results"]
    }
    assert uris == set(names)
    assert {suite.name for suite in is_junit(Path("a.xml").read_text())} >= set(names)
