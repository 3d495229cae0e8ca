"""The first screen of the HTML report: what was judged, the score, what to fix first, and a bar for each family."""

from __future__ import annotations

import os
from collections.abc import Mapping

from advisor.engine.fix_first import FixFirstStep, first_steps
from advisor.model.finding import SEVERITIES, WORST_FIRST
from advisor.reports.context import RunResult
from advisor.reports.html.cards import Card
from advisor.reports.html.places import where
from advisor.reports.text.finding import first_sentence, headline

NAMED = 3
"""Clusters that the heading names."""


def heading(run: RunResult) -> str:
    """The clusters, else the file or the folder that holds all files."""
    live = [snapshot.name for snapshot in run.report.snapshots if snapshot.live is not None]
    if live:
        more = f" and {len(live) - NAMED} more" if len(live) > NAMED else ""
        return ", ".join(live[:NAMED]) + more
    files = judged_files(run)
    if len(files) < 2:
        return files[0] if files else "Nothing was judged"
    return folder_of(files)


def judged_files(run: RunResult) -> list[str]:
    """The files that were judged."""
    entities = [entity for snapshot in run.report.snapshots for entity in snapshot.entities]
    return list(dict.fromkeys(entity.file for entity in entities if entity.file))


def folder_of(files: list[str]) -> str:
    """The folder that holds all files: of relative paths without one in common, the name of the working directory."""
    try:
        common = os.path.commonpath(files)
    except ValueError:
        return f"{len(files):,} files"
    return f"{len(files):,} files" if common == os.sep else common or os.path.basename(os.getcwd())


class FirstStep:
    """What to fix first: the change, where, and what the score gains."""

    def __init__(self, step: FixFirstStep, card: Card | None, folder: str) -> None:
        row = step.finding
        self.rule, self.message, self.points = row.rule, headline(row), step.points
        self.severity, self.refused = row.severity, row.refused
        self.fix = first_sentence(row.fix).rstrip(".")
        self.anchor = card.id if card else "findings"
        self.where = where(row, folder)
        self.others = step.findings - 1


def steps_of(run: RunResult, cards: list[Card], folder: str) -> list[FirstStep]:
    """The first steps, each with a link to its card."""
    card_of_rule = {card.id: card for card in cards}
    return [FirstStep(step, card_of_rule.get(step.finding.rule), folder) for step in first_steps(run.report)]


class Segment:
    """A severity's part of a bar, in percent of the longest bar."""

    def __init__(self, severity: str, x: float, width: float) -> None:
        self.severity = severity
        self.x, self.width = round(x, 2), round(width, 2)


class FamilyBar:
    """A family's findings by severity."""

    def __init__(self, family: str, counts: Mapping[str, int], longest: int, anchor: str) -> None:
        self.family, self.anchor = family, anchor
        self.total = sum(counts.values())
        self.text = ", ".join(f"{counts[severity]:,} {severity}" for severity in WORST_FIRST if counts[severity])
        self.segments: list[Segment] = []
        x = 0.0
        for severity in WORST_FIRST:
            width = 100 * counts[severity] / longest
            self.segments += [Segment(severity, x, width)] if width else []
            x += width


def family_bars(run: RunResult, cards: list[Card]) -> list[FamilyBar]:
    """A bar for each family with findings, the one with the worst first."""
    counts_of_family: dict[str, dict[str, int]] = {}
    for row in run.report.findings:
        counts = counts_of_family.setdefault(run.family(row.rule), dict.fromkeys(SEVERITIES, 0))
        counts[row.severity] += 1
    longest = max((sum(counts.values()) for counts in counts_of_family.values()), default=1)
    anchors = {card.family: card.id for card in reversed(cards)}
    return [
        FamilyBar(family, counts, longest, anchors.get(family, "findings"))
        for family, counts in sorted(counts_of_family.items(), key=worst_family_first)
    ]


def worst_family_first(row: tuple[str, Mapping[str, int]]) -> tuple[list[int], str]:
    """A sort key for families with their counts."""
    return [-row[1][severity] for severity in WORST_FIRST], row[0]
