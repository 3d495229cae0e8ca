"""`upgrade --format text`: the count, what runs today, the path, and the rows of each part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.upgrade.plan import Path, Plan, Row
from advisor.reports.context import short
from advisor.reports.upgrade.words import TITLES, headline, line, path_title, present_lines, stage_line

SHOWN = 50
"""Rows of each part; JSON and HTML have them all."""
LONGEST = 500
"""Characters of a row."""


def text(plan: Plan) -> Iterator[str]:
    """The plan as lines of text."""
    yield headline(plan)
    yield from present_lines(plan)
    for path in plan.paths[:SHOWN]:
        yield from path_lines(path)
    yield from more(plan.paths, "paths")
    for part, title in TITLES.items():
        if plan.rows[part]:
            yield from ("", f"{title}:")
            yield from (row_line(row) for row in plan.rows[part][:SHOWN])
            yield from more(plan.rows[part], "rows")


def path_lines(path: Path) -> Iterator[str]:
    """The stages of a path as a table, the reasons of a refusal below it."""
    stages = [stage_line(stage) for stage in path.stages]
    rows = [(stage.release, stage.metadata, stage.verdict) for stage in stages]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    yield from ("", f"{path_title(path)}:")
    for row, stage in zip(rows, stages, strict=True):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True) if width]
        yield f"  {'  '.join((*cells, stage.action))}"
        yield from (f"{' ' * (sum(map(len, cells)) + 2 * len(cells) + 2)}{reason}" for reason in stage.reasons)


def row_line(row: Row) -> str:
    """A row in one line."""
    where, what, source = line(row)
    return f"  {where}: {short(what, LONGEST)}{f' [{source}]' if source else ''}"


def more(rows: Sequence[object], what: str) -> Iterator[str]:
    """A line with the number of rows that are not shown."""
    if len(rows) > SHOWN:
        yield f"  … and {len(rows) - SHOWN} more {what} (--format json has them all)"
