"""The page of the manual on what each severe rule aims at, and why some are decided by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.advice.aims import BY_HAND, parse_aim
from advisor.reports.manual.rule_pages import NOTE, cell
from advisor.rule import Rule

SEVERE = ("critical", "high")


def aims_page(rules: Sequence[Rule]) -> Iterator[str]:
    """A table of the rules that are critical or high in production."""
    yield from ("# What advise aims at", "", NOTE, "")
    yield "Every rule that is critical or high in production, with what [advise](advise.md) is to reach for it, or why it is"
    yield "decided by hand."
    yield from ("", "| rule | aim |", "|---|---|")
    for rule in rules:
        if rule.severity("production") in SEVERE:
            aim = parse_aim(rule.aim)
            text = f"by hand: {aim.why}" if aim.what == BY_HAND else f"`{rule.aim}`"
            yield f"| [{rule.id} {rule.name}](rules/{rule.id}.md) | {cell(text)} |"
