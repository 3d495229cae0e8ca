"""The checks of `starts` that are no rules: each refuses its Bad example, takes its Good one, and is explained."""

from __future__ import annotations

import pytest

from advisor.analysis.literal_entities import entity
from advisor.analysis.startup.judge import StartupJudge, all_checks
from advisor.catalog.target import target_of
from advisor.model.finding import Finding, NotJudged
from rules import all_rules
from tests.support.commands import run

CHECKS = {check.id: check for check in all_checks()}


JUDGE = StartupJudge(all_rules())


def refused(options: str, text: str) -> set[str]:
    """The ids that refuse an example, judged as the whole configuration of its kind and release."""
    kind, _, release = options.partition(", ")
    settings = dict(line.split("=", 1) for line in text.splitlines())
    verdict = JUDGE.judge(entity(kind, settings, target_of(release or "4.3", "the example")), complete=True)
    rows: list[Finding | NotJudged] = [*verdict.reasons, *verdict.unknown]
    return {row.rule for row in rows}


@pytest.mark.parametrize("id", CHECKS)
def test_a_check_refuses_its_bad_example_and_not_its_good_one(id: str) -> None:
    documentation = CHECKS[id].documentation()
    assert documentation.text("Why") and documentation.text("Fix") and documentation.text("See")
    ((options, bad),) = documentation.examples("Bad")
    ((_, good),) = documentation.examples("Good")
    assert id in refused(options, bad)
    assert id not in refused(options, good)


@pytest.mark.parametrize("id", CHECKS)
def test_a_check_is_explained_by_id_and_by_name(id: str) -> None:
    by_id, by_name = run("explain", id), run("explain", CHECKS[id].name)
    assert by_id.out == by_name.out
    assert by_id.out.startswith(f"{id} {CHECKS[id].name}\n")


def test_no_rule_has_the_id_or_the_name_of_a_check() -> None:
    taken = {text for rule in all_rules() for text in (rule.id, rule.name)}
    assert not taken & {text for check in CHECKS.values() for text in (check.id, check.name)}
