"""Output of `advise` as Markdown: a list to tick off, with the commands."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.advice.plan import Plan
from advisor.reports.advice.text import actions, by_hand_lines, cost_text, headline, last_line, odds_lines, removed
from advisor.reports.markdown import escape
from advisor.simulator.odds import Rates


def text(plan: Plan, rates: Rates) -> Iterator[str]:
    """The plan as lines of Markdown."""
    yield f"### {escape(headline(plan), 300)}"
    yield from (f"* in the way: {escape(row, 300)}" for row in plan.obstacles)
    for number, step in enumerate(plan.steps, 1):
        yield ""
        yield f"- [ ] **{number}. {escape(step.title, 200)}**{escape(removed(step), 300)}"
        yield f"  {escape(step.why, 500)}. Cost: {escape(cost_text(step), 300)}."
        yield f"  Risk: {escape(step.risk, 500)}." if step.risk else ""
        yield from fenced([line for _, line in actions(step, plan.throttle)])
    if plan.stopped:
        yield from ("", f"The plan stops here: {escape(plan.stopped, 300)}.")
    for lines in (odds_lines(plan, rates), by_hand_lines(plan.by_hand)):
        yield from (f"{'  ' * line.startswith('    ')}* {escape(line.strip(), 500)}" if line else "" for line in lines)
    yield from (f"* unknown: {escape(row, 300)}" for row in plan.unknown)
    yield from ("", escape(last_line(plan), 300))


def fenced(lines: list[str]) -> Iterator[str]:
    """Lines as code, in a fence longer than any in them."""
    text = " ".join(lines)
    fence = "`" * max(3, *(len(run) + 1 for run in text.split() if set(run) == {"`"}), 3)
    yield f"  {fence}"
    yield from (f"  {printable(line)}" for line in lines)
    yield f"  {fence}"


def printable(line: str) -> str:
    """A line without characters that steer a terminal, and without backquotes that end the fence."""
    return "".join(character if character.isprintable() else "?" for character in line).replace("```", "'''")
