"""`upgrade --format markdown`: the plan as a comment or a page of a wiki."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.upgrade.plan import Path, Plan, Row
from advisor.reports.markdown import escape
from advisor.reports.upgrade.text import LONGEST, SHOWN, more
from advisor.reports.upgrade.words import TITLES, headline, line, path_title, present_lines, stage_line

ROOM = 60_000
"""Characters of a comment: GitHub takes 65,536."""


def text(plan: Plan) -> Iterator[str]:
    """The plan as lines of Markdown, as many as a comment takes."""
    used = 0
    for written in all_lines(plan):
        used += len(written) + 1
        if used > ROOM:
            yield from ("", "… and more (--format json has it all)")
            return
        yield written


def all_lines(plan: Plan) -> Iterator[str]:
    """The plan as lines of Markdown."""
    yield f"### kafka-advisor: {escape(headline(plan), LONGEST)}"
    yield from ("", *(f"- {escape(present, LONGEST)}" for present in present_lines(plan)))
    for path in plan.paths[:SHOWN]:
        yield from path_table(path)
    yield from ("", *more(plan.paths, "paths"))
    for part, title in TITLES.items():
        yield from row_table(title, plan.rows[part])


def path_table(path: Path) -> Iterator[str]:
    """A path as a table."""
    yield from ("", f"**{escape(path_title(path))}**", "")
    yield from ("| release | metadata | with these files | what to do |", "|---|---|---|---|")
    for stage in map(stage_line, path.stages):
        reasons = "".join(f"<br>{escape(reason, LONGEST)}" for reason in stage.reasons)
        cells = (stage.release, stage.metadata, escape(stage.verdict) + reasons, escape(stage.action, LONGEST))
        yield f"| {' | '.join(cells)} |"


def row_table(title: str, rows: Sequence[Row]) -> Iterator[str]:
    """The rows of a part as a table."""
    if not rows:
        return
    yield from ("", f"**{title}** ({len(rows)})", "", "| where | what | source |", "|---|---|---|")
    for row in rows[:SHOWN]:
        yield f"| {' | '.join(escape(cell, LONGEST) for cell in line(row))} |"
    yield from ("", *more(rows, "rows"))
