"""The document of `upgrade`: the count, what runs today, the path, and the rows of each part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.upgrade.plan import Path, UpgradePlan, UpgradeRow
from advisor.reports.context import short
from advisor.reports.document.blocks import ROWS_SHOWN, Document, Items, Section, Sentence, Table, rows_left
from advisor.reports.document.text import MORE
from advisor.reports.upgrade.words import TITLES, headline, line, lone_file_of, path_title, present_lines, stage_line

LONGEST_ROW = 500
"""Characters of a row."""


def document(plan: UpgradePlan) -> Document:
    """The plan."""
    present = list(present_lines(plan))
    return Document(
        headline(plan), blocks=[Items(present, shown=len(present), indent=0)], sections=list(sections(plan))
    )


def sections(plan: UpgradePlan) -> Iterator[Section]:
    """The paths, then the rows of each part."""
    file = lone_file_of(plan)
    for path in plan.paths[:ROWS_SHOWN]:
        yield Section(path_title(path), [path_table(path)])
    if len(plan.paths) > ROWS_SHOWN:
        left = rows_left(len(plan.paths) - ROWS_SHOWN, "paths")
        yield Section("", [Sentence(f"  {left} {MORE}")], apart=False)
    for part, title in TITLES.items():
        if plan.rows[part]:
            yield Section(title, [row_table(plan.rows[part], file)], row_count=len(plan.rows[part]))


def path_table(path: Path) -> Table:
    """The stages of a path, the reasons of a refusal below what to do."""
    return Table(
        ("release", "metadata", "with these files", "what to do"),
        [
            (stage.release, stage.metadata, stage.verdict, (stage.action, *stage.reasons))
            for stage in map(stage_line, path.stages)
        ],
        shown=len(path.stages),
        has_head=False,
    )


def row_table(rows: Sequence[UpgradeRow], lone_file: str) -> Table:
    """The rows of a part."""
    shown = [line(row, lone_file) for row in rows]
    lines = [
        (f"  {f'{where}: ' if where else ''}{short(what, LONGEST_ROW)}{f' [{source}]' if source else ''}",)
        for where, what, source in shown[:ROWS_SHOWN]
    ]
    return Table(("where", "what", "source"), [tuple(row) for row in shown], what="rows", lines=lines)
