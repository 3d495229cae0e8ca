"""What a step does to the findings: those that it removes, those that it adds, and how many there are of each severity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from advisor.analysis.advice.step import PlanStep, identity
from advisor.model.finding import Finding, rank

WORSE = "medium"
"""A step that makes a finding of this severity or above appear says so."""


def compare(step: PlanStep, before: Sequence[Finding], after: Sequence[Finding]) -> None:
    """Fill in what a step removes and adds."""
    step.removes = missing_from(before, after)
    step.adds = [finding for finding in missing_from(after, before) if rank(finding.severity) >= rank(WORSE)]
    step.before, step.after = count(before), count(after)


def missing_from(these: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """The findings that the others do not have, by rule, subject and key."""
    there = set(map(identity, others))
    return [finding for finding in these if identity(finding) not in there]


def count(findings: Sequence[Finding]) -> dict[str, int]:
    """How many findings there are of each severity."""
    return dict(Counter(finding.severity for finding in findings))
