"""`--format markdown`: a merge request comment: summary, table of findings, then each rule's fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from advisor.engine.report import Report
from advisor.errors import printable as clean
from advisor.model.finding import Finding
from advisor.reports.context import RunResult, short
from advisor.reports.file_fixes import FileFixes
from advisor.reports.links import rule_url
from advisor.reports.text.finding import headline, place
from advisor.reports.text.report import UNSCORED, known_sum

FINDINGS_SHOWN = 50
ROOM = 25_000
"""Rows of the table, and characters of it and of what follows: GitHub takes comments of up to 65,536 characters."""
FIXES, REASONS = 20, 10
NAMES, WHERE = 100, 200
SPECIAL = "\\`*_{}[]()#+!|~^$"
BREAK = "<!-- -->"
"""An empty comment: what it parts is not a mention, a reference or a link."""


def chunks(run: RunResult) -> Iterator[str]:
    """The comment."""
    report = run.report
    counts = ", ".join(f"{count} {severity}" for severity, count in report.counts.items() if count) or "none"
    yield f"### kafka-advisor{title(run)}\n\n"
    yield f"Findings: {counts}; {report.passed} passed, {len(report.unknown)} could not be judged, "
    yield f"{len(report.suppressed) - len(report.known)} suppressed (Kafka {report.target.text}, profile {report.profile}).\n"
    if report.findings:
        yield from table(report.findings)
        yield from fixes(report)
    yield from unknown(run)


def title(run: RunResult) -> str:
    """What the heading says: the command, the score, or with a baseline what is new."""
    if run.command:
        return f" {run.command}"
    if run.report.known:
        return f": {len(run.report.findings) or 'none'} new ({known_sum(run.report)})"
    if not run.report.is_scored:
        return f": {UNSCORED.lower()}"
    return f": grade {run.report.score.grade}, score {run.report.score.rounded}"


def table(findings: list[Finding]) -> Iterator[str]:
    """The findings, worst first."""
    yield "\n| severity | where | what | rule |\n|---|---|---|---|\n"
    shown = fitting(line_of(row) for row in findings[:FINDINGS_SHOWN])
    yield from shown
    if len(findings) > len(shown):
        yield f"\n{len(findings) - len(shown)} more are in the full report.\n"


def line_of(row: Finding) -> str:
    """A finding as a line of the table."""
    severity = "**refused by Kafka**" if row.refused else row.severity
    return f"| {severity} | {escape(place(row), WHERE)} | {escape(headline(row), 300)} | {link(row)} |\n"


def link(row: Finding) -> str:
    """The rule's id and name, linked to its page where it has one."""
    words, url = f"{row.rule} {row.name}", rule_url(row.rule, row.name)
    return f"[{words}]({url})" if url else words


def fitting(lines: Iterable[str]) -> list[str]:
    """The first lines that fit the size limit."""
    shown, used = [], 0
    for line in lines:
        used += len(line)
        if used > ROOM:
            break
        shown.append(line)
    return shown


def fixes(report: Report) -> Iterator[str]:
    """Why and Fix texts, once per rule."""
    rules = {row.rule: row for row in reversed(report.findings)}
    order, spelled = list(dict.fromkeys(row.rule for row in report.findings)), FileFixes(report)
    yield "\n<details><summary>Why, and what to do</summary>\n\n"
    shown = fitting(fix(rules[id], spelled.fix_of(rules[id])) for id in order[:FIXES])
    yield from shown
    if len(order) > len(shown):
        yield f"{len(order) - len(shown)} more rules: `kafka-advisor explain RULE`.\n\n"
    elif not any(map(rule_url, order)):
        yield "More about a rule: `kafka-advisor explain RULE`.\n\n"
    yield "</details>\n"


def fix(row: Finding, text: str) -> str:
    """A rule's Why and Fix, as the file of its first finding spells it."""
    head = f"**{link(row)}** ({row.confidence})  \n"
    care = f"  \nCare: {escape(row.care, 2000)}" if row.care else ""
    return f"{head}Why: {escape(row.why, 2000)}  \nFix: {escape(text, 2000)}{care}\n\n"


def unknown(run: RunResult) -> Iterator[str]:
    """Subjects that could not be judged, by reason."""
    reasons: dict[str, int] = {}
    for row in run.report.unknown:
        reasons[row.reason] = reasons.get(row.reason, 0) + 1
    if reasons:
        yield "\n<details><summary>Could not be judged</summary>\n\n"
        shown = [f"- {escape(reason)}: {count}\n" for reason, count in list(reasons.items())[:REASONS]]
        yield from shown
        if len(reasons) > len(shown):
            yield f"- {len(reasons) - len(shown)} more reasons\n"
        yield "\n</details>\n"


def escape(text: str, most: int = NAMES) -> str:
    """Escape text for Markdown: no HTML, table cell, mention or link."""
    shown = short(clean(text), most)
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        shown = shown.replace(char, entity)
    shown = "".join("\\" + char if char in SPECIAL else char for char in shown)
    for mark in ("@", "#", "://", "www."):
        shown = shown.replace(mark, mark[0] + BREAK + mark[1:])
    return shown


def unshown(run: RunResult) -> Iterator[str]:
    """The number of findings beyond the comment's limit."""
    more = len(run.report.findings) - FINDINGS_SHOWN
    if more > 0:
        yield f"{more} findings are counted and not listed"
