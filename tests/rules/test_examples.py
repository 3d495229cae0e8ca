"""Every rule is documented, its Bad block fires, its Good block does not, and it is tested for silence and doubt."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from typing import Any

import pytest

import tests.rules
from advisor.engine import judge
from advisor.engine.former_side import FormerSide
from advisor.engine.policy import Policy
from advisor.engine.verdicts import Crash
from advisor.rule import Problem, Problems, Rule, Subject
from advisor.samples.rule_examples import change_of, entities
from rules import MODULES
from tests.support.rule_cases import FIRES, RULES, SILENT, UNKNOWN, Case, check_all, findings, judged

NEEDED = ("Why", "Fix", "See")
CASES_OF_RULE = 40
"""Cases of each rule that are judged against themselves."""
NEVER_UNKNOWN = {
    "KA228",
    "KA505",
    "KA616",
    "KA1405",
    "KA1703",
    "KA1711",
    "KA1716",
    "KA1730",
    "KA1733",
    "KA1734",
    "KA1736",
    "KA1737",
    "KA1739",
    "KA1755",
    "KA1833",
    "KA1849",
    "KA1859",
    "KA1852",
    "KA1854",
    "KA1855",
    "KA1856",
    "KA1857",
    "KA1858",
    "KA1894",
    "KA1899",
    "KA2102",
    "KA2103",
    "KA2104",
    "KA2110",
    "KA2115",
}
"""Which brokers answer, the target version, what a file leaves out and the shape of a secret are always known."""


def blocks(section: str) -> list[tuple[str, str, str]]:
    return [
        (id, options, text) for id, rule in RULES.items() for options, text in rule.documentation().examples(section)
    ]


@pytest.mark.parametrize(("section", "outcome"), [("Bad", FIRES), ("Good", SILENT)])
def test_bad_blocks_fire_and_good_ones_are_silent(section: str, outcome: str) -> None:
    check_all(Case(id, outcome, text, options) for id, options, text in blocks(section))


def test_every_rule_is_documented() -> None:
    for id, rule in RULES.items():
        documentation = rule.documentation()
        assert documentation.title.endswith("."), id
        for section in NEEDED:
            assert documentation.text(section), f"{id} has no {section}"
        assert documentation.examples("Bad"), id
        assert documentation.examples("Good"), id


def cases() -> list[Case]:
    found: list[Case] = []
    for module in pkgutil.iter_modules(tests.rules.__path__):
        if module.name.startswith("test_"):
            found += getattr(importlib.import_module(f"tests.rules.{module.name}"), "CASES", [])
    return found


@pytest.mark.parametrize("outcome", [SILENT, UNKNOWN])
def test_every_rule_has_a_case_that_is(outcome: str) -> None:
    covered = {case.rule for case in cases() if case.outcome == outcome}
    needed = set(RULES) - (NEVER_UNKNOWN if outcome == UNKNOWN else set())
    assert sorted(needed - covered) == []


def test_what_stays_as_it_is_has_no_finding_of_a_change() -> None:
    """What each rule's first cases describe, judged against itself, by all rules of changes."""
    of_changes = [rule for rule in RULES.values() if rule.is_of_change]
    policy, counts = Policy(of_changes), Counter[str]()
    wrong = []
    examples = (Case(id, "", text, options) for section in ("Bad", "Good") for id, options, text in blocks(section))
    for case in (*examples, *cases()):
        counts[case.rule] += 1
        snapshot, former = change_of(RULES[case.rule], case.options, case.text)
        if former is not None or snapshot.live is not None or counts[case.rule] > CASES_OF_RULE:
            continue
        report = judge([snapshot], of_changes, policy, former=FormerSide([snapshot]))
        wrong += [f"{case}: {row.rule} {row.message}" for row in report.findings]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("declared", "of_finding"), [("refuses", "refused"), ("changes", "changes")])
def test_a_rule_declares_what_its_examples_show(declared: str, of_finding: str) -> None:
    examples = [Case(id, FIRES, text, options) for id, options, text in blocks("Bad")]
    shown = {
        case.rule
        for case in (*examples, *(case for case in cases() if case.outcome == FIRES))
        if any(getattr(finding, of_finding) for finding in findings(case))
    }
    assert sorted({id for id, rule in RULES.items() if getattr(rule, declared)} ^ shown) == []


def test_a_refusal_that_is_not_declared_is_a_crash() -> None:
    options: dict[str, Any] = {"refused": True}

    def undeclared(broker: Subject) -> Problems:
        yield Problem("log.dirs", "wrong", **options)

    rule = Rule("X1", undeclared, ("high",) * 4, "certain", None, None, None)
    with pytest.raises(Crash, match=r"declare it with @rule\(…, refuses=True\)"):
        judged(rule, entities("log.dirs=/a"))


def test_ids_and_names_are_unique_and_in_their_family() -> None:
    declared = [rule for module in MODULES for rule in importlib.import_module(f"rules.{module}").RULES]
    assert len(declared) == len({rule.id for rule in declared})
    for module in MODULES:
        loaded = importlib.import_module(f"rules.{module}")
        names = [rule.name for rule in loaded.RULES]
        assert len(names) == len(set(names)), f"{module} has two rules of one name"
        for rule in loaded.RULES:
            assert rule.family == getattr(
                loaded, "FAMILY", "changes" if module.startswith("changes.") else module.replace("_", "-")
            ), rule.id
