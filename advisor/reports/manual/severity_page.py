"""What each severity means, and which rules each profile judges otherwise than production."""

from __future__ import annotations

from advisor.model.finding import OFF, WORST_FIRST, rank
from advisor.reports.manual.rule_pages import NOTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.rule import Rule

MEANINGS = {
    "critical": ("Kafka refuses to start, or records, a cluster or access to it are lost by what happens every year",
                 "stop the deployment"),
    "high": ("one ordinary failure (a broker, a disk, a stolen password) loses records or stops writes",
             "mend before the next deployment"),
    "medium": ("two things have to go wrong, or clients fail in a way that is seen at once", "plan it"),
    "low": ("it costs time or money, or hides what happens, but loses nothing", "when you are there anyway"),
    "info": ("nothing is wrong: what a reader may not expect, or what a later release changes", "read it once"),
}  # fmt: skip
"""Severity: (what happens if it is left, what to do)."""
PROFILES = {
    "dev": "a laptop, a test: what one machine cannot have is not reported, nothing redundant is asked for",
    "staging": "servers whose records may be lost: what has to be right in production is seen here first",
    "production": "the default: records matter, people are woken",
    "regulated": "an auditor asks: what is open, unencrypted or deletes records without a trace fails the run",
}


def severity_page(rules: Sequence[Rule]) -> Iterator[str]:
    """The page."""
    yield from ("# Severities and profiles", "", NOTE, "", "| severity | if it is left | what to do |", "|---|---|---|")
    yield from (f"| {severity} | {' | '.join(MEANINGS[severity])} |" for severity in WORST_FIRST)
    yield from (
        "",
        "A single finding may stand a step higher or lower than its rule: its message says why. What one finding",
    )
    yield "causes is a step lower and stands under it (*so also*)."
    yield from ("", "| profile | for | rules at critical, high, medium, low, info |", "|---|---|---|")
    for profile, meaning in PROFILES.items():
        counts = [sum(rule.severity(profile) == severity for rule in rules) for severity in WORST_FIRST]
        yield f"| {profile} | {meaning} | {', '.join(map(str, counts))} |"
    yield from ("", "`kafka-advisor rules --profile staging` lists every rule with its severity under a profile.")
    yield from _changes(rules, "regulated", "What regulated raises", 2)
    yield from _changes(rules, "staging", "What staging lowers", 1)
    yield from _changes(rules, "dev", "What dev lowers by two steps or more, or leaves out", 2)


def _changes(rules: Sequence[Rule], profile: str, title: str, steps: int) -> Iterator[str]:
    """The rules that a profile raises, or lowers by some steps or more."""
    yield from ("", f"## {title}", "", f"| rule | name | production | {profile} |", "|---|---|---|---|")
    for rule in rules:
        production, severity = rule.severity("production"), rule.severity(profile)
        if OFF in (production, severity):
            continue
        if rank(severity) > rank(production) or rank(severity) <= rank(production) - steps:
            yield f"| [{rule.id}](rules/{rule.id}.md) | {rule.name} | {production} | {severity} |"
