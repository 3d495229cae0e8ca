"""Judge a text with one rule: what the rule tests are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from advisor.engine import combinations, inputs_of
from advisor.engine.change_findings import describe_change
from advisor.engine.change_inputs import Change
from advisor.engine.former_side import FormerSide
from advisor.engine.policy import Policy
from advisor.engine.report import finding_of, reason_of
from advisor.engine.verdicts import Crash, VerdictTree, items_of
from advisor.model import Entity, Snapshot
from advisor.model.finding import FAIL, OFF, UNKNOWN, Finding
from advisor.rule import PROFILES, Rule
from advisor.rule.subject import Unknown
from advisor.samples.rule_examples import change_of, entities, kind_for
from rules import all_rules

RULES = {rule.id: rule for rule in all_rules()}
FIRES, SILENT = "fires", "silent"


class Case(NamedTuple):
    """One line of a table: the rule, what it must do, and the text; options are a kind and a Kafka version.

    `key` is the key the finding stands at, `severity` its severity under production, `says` a part of its message
    or of the reason of an unknown.
    """

    rule: str
    outcome: str
    text: str
    options: str = ""
    key: str | None = None
    severity: str | None = None
    says: str = ""


class Result(NamedTuple):
    """What came of one evaluation."""

    outcome: str
    reason: str
    finding: Finding | None


def judged(rule: Rule, found: list[Entity] | Snapshot, former: FormerSide | None = None) -> list[Result]:
    """Every evaluation of the rule over the entities as one cluster, or over a snapshot, beside what it was before."""
    snapshot = found if isinstance(found, Snapshot) else Snapshot("test", found)
    inputs = inputs_of(snapshot)
    if former is not None:
        Change(former, [snapshot], inputs_of).add_to(inputs, snapshot, is_last=True)
    results = []
    for configs in combinations(inputs, rule.inputs, snapshot):
        try:
            items = items_of(rule, configs)
        except Unknown as unknown:
            results.append(Result(UNKNOWN, str(unknown), None))
            continue
        for item in items:
            verdict = VerdictTree().verdict(rule, configs, item)
            finding = finding_of(rule, verdict, configs, policy_for(rule)) if verdict.outcome == FAIL else None
            if finding and rule.is_of_change:
                describe_change(finding, rule, verdict, configs, None)
            results.append(Result(verdict.outcome, reason_of(verdict, configs), finding))
    return results


def policy_for(rule: Rule) -> Policy:
    """Production, or the first profile in which the rule counts."""
    counts = [profile for profile in PROFILES if rule.severity(profile) != OFF]
    return Policy([rule], profile="production" if "production" in counts else counts[0])


def results_of(case: Case) -> list[Result]:
    """Every evaluation of a case."""
    rule = RULES[case.rule]
    return judged(rule, *change_of(rule, case.options, case.text))


def findings(case: Case) -> list[Finding]:
    """What is found in a case."""
    return [result.finding for result in results_of(case) if result.finding]


def check(case: Case) -> None:
    """Assert that the case does what it says."""
    results = results_of(case)
    shown = [(result.outcome, result.reason or (result.finding and result.finding.message)) for result in results]
    failed = [result.finding for result in results if result.finding]
    if case.outcome == SILENT:
        assert results or "removed" in RULES[case.rule].inputs, f"{case.rule} was not evaluated at all"
        assert not failed, shown
        return
    if case.outcome == UNKNOWN:
        assert any(result.outcome == UNKNOWN and case.says in result.reason for result in results), shown
        assert not failed, shown
        return
    assert failed, shown
    matching = [
        finding
        for finding in failed
        if (case.key is None or case.key in (finding.key, finding.kafka_key))
        and (case.severity is None or finding.severity == case.severity)
        and case.says in finding.message
    ]
    assert matching, [(finding.key, finding.severity, finding.message) for finding in failed]


def check_all(cases: Iterable[Case]) -> None:
    """Assert that every case does what it says; what is wrong of all of them is said at once."""
    wrong = [f"{case}: {why}" for case in cases if (why := _why_not(case))]
    assert not wrong, "\n\n".join(["", *wrong])


def _why_not(case: Case) -> str:
    """Why a case does not do what it says."""
    try:
        check(case)
    except AssertionError as failed:
        return str(failed) or "not as it says"
    return ""


__all__ = [
    "FIRES",
    "RULES",
    "SILENT",
    "UNKNOWN",
    "Case",
    "Crash",
    "check",
    "check_all",
    "entities",
    "judged",
    "kind_for",
]
