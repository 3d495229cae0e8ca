"""The judge: four outcomes, noted reads, and a memory that changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import engine
from advisor.config import Config
from advisor.engine import inputs_of, judge, verdicts
from advisor.engine.policy import Policy
from advisor.engine.verdicts import VerdictTree
from advisor.model import Entity, Snapshot
from advisor.reports.machine.json_document import document
from advisor.rule import Problem, Problems, Rule, applies
from advisor.rule.subject import Subject, Unknown
from rules import all_rules
from tests.support.commands import ROOT
from tests.support.rule_cases import entities
from tests.support.simulation import MORE

ALL = all_rules()
KEYS = (
    "acks",
    "retries",
    "linger.ms",
    "enable.idempotence",
    "delivery.timeout.ms",
    "max.in.flight.requests.per.connection",
)
VALUES = ("", "0", "1", "all", "true", "false", "5", "6", "120000", "${X}", "abc")
FILES = st.lists(st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=4), min_size=6, max_size=14)


def made(function: object, **options: object) -> Rule:
    return Rule("T1", function, ("high",) * 4, "certain", options.get("each"), None, None)  # type: ignore[arg-type]


def producer(text: str) -> Entity:
    return entities(text, "producer")[0]


def outcome(function: object, text: str) -> str:
    (config,) = inputs_of(Snapshot("s", [producer(text)]))["producer"]
    return VerdictTree().verdict(made(function), (config,)).outcome


def test_the_four_outcomes() -> None:
    def low_retries(producer: Subject) -> Problems:
        applies(producer.is_set("retries"), "left at its default")
        if producer.int("retries") < 3:
            yield Problem("retries", "few")

    assert outcome(low_retries, "retries=1") == "fail"
    assert outcome(low_retries, "retries=9") == "pass"
    assert outcome(low_retries, "acks=1") == "not applicable"
    assert outcome(low_retries, "retries=${R}") == "unknown"


def test_a_key_of_another_release_is_not_applicable() -> None:
    def recovers(producer: Subject) -> Problems:
        if producer.str("metadata.recovery.strategy") == "none":
            yield Problem("metadata.recovery.strategy", "none")

    (entity,) = entities("metadata.recovery.strategy=none", "producer 3.0")
    (config,) = inputs_of(Snapshot("s", [entity]))["producer"]
    assert VerdictTree().verdict(made(recovers), (config,)).outcome == "not applicable"


def test_a_value_that_is_no_number_is_unknown_not_its_default() -> None:
    def few(producer: Subject) -> Problems:
        if producer.int("retries") < 3:
            yield Problem("retries", "few")

    assert outcome(few, "retries=many") == "unknown"


def test_the_reads_of_an_unknown_are_evidence_too() -> None:
    def both(producer: Subject) -> Problems:
        if producer.int("linger.ms") >= 0:
            producer.int("retries")
        yield from ()

    (config,) = inputs_of(Snapshot("s", [producer("linger.ms=3\nretries=${R}")]))["producer"]
    verdict = VerdictTree().verdict(made(both), (config,))
    assert [question for _, question in verdict.questions] == [("int", "linger.ms"), ("int", "retries")]


def forget(monkeypatch: pytest.MonkeyPatch, leaves: int, few: int) -> None:
    monkeypatch.setattr(verdicts, "LEAVES", leaves)
    monkeypatch.setattr(engine, "FEW", few)


@given(FILES)
@settings(max_examples=20 * MORE, deadline=None)
def test_remembering_changes_nothing(files: list[dict[str, str]]) -> None:
    texts = ["\n".join(f"{key}={value}" for key, value in file.items()) or "acks=all" for file in files]
    snapshots = [Snapshot(f"s{number}", [producer(text)]) for number, text in enumerate(texts)]
    with pytest.MonkeyPatch.context() as patch:
        forget(patch, 2000, 0)
        remembered = document(judge(snapshots, ALL, Policy(ALL)))
        forget(patch, 0, 1000)
        called = document(judge(snapshots, ALL, Policy(ALL)))
    assert remembered == called


def test_remembering_changes_nothing_on_whole_files() -> None:
    from collectors.files.clusters import snapshots as group
    from tests.support.configuration import entities_of

    paths = [path for path in sorted((ROOT / "examples").rglob("*.properties")) for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch:
        forget(patch, 2000, 0)
        remembered = document(judge(group([pair for path in paths for pair in entities_of(path)]), ALL, Policy(ALL)))
        forget(patch, 0, 1000)
        called = document(judge(group([pair for path in paths for pair in entities_of(path)]), ALL, Policy(ALL)))
    assert remembered == called


@pytest.mark.parametrize(
    ("text", "key", "value", "line"),
    [
        ("log.retention.minutes=5\nlog.retention.hours=9", "log.retention.minutes", "5", 1),
        ("log.retention.hours=9\nlog.retention.ms=7", "log.retention.ms", "7", 2),
        ("log.retention.hours=9", "log.retention.hours", "9", 1),
        ("broker.id=1", "log.retention.ms", str(168 * 3_600_000), None),
    ],
)
def test_synonyms_decide_in_kafkas_order(text: str, key: str, value: str, line: int | None) -> None:
    (entity,) = entities("zookeeper.connect=z:1\n" + text, "broker 3.9")
    row = Config(entity).row("log.retention.ms")
    assert (row.key, row.value, row.line) == (key, value, line and line + 1)


def test_the_effective_value_is_in_the_keys_own_unit() -> None:
    (entity,) = entities("zookeeper.connect=z:1\nlog.retention.minutes=5", "broker 3.9")
    assert Config(entity).answer(("int", "log.retention.ms")) == 300_000


def test_three_broad_excepts_at_most() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("advisor", "rules", "collectors", "spark_audit")
        for path in Path(ROOT / folder).rglob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if line.strip().startswith(("except Exception", "except BaseException", "except:"))
    ]
    assert len(found) <= 3, found


def test_unknown_is_raised_only_after_the_read_is_noted() -> None:
    reads: list[object] = []
    facts = Subject(0, Config(producer("acks=${A}")), reads)  # type: ignore[arg-type]
    with pytest.raises(Unknown):
        facts.str("acks")
    assert len(reads) == 1
