"""Findings on running clusters told together: ten thousand topics with one fault are one paragraph with examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.model.finding import Finding

EXAMPLES = 5
"""Subjects that are named, and partitions of each."""
PLURALS = {"topic": "topics", "broker": "brokers", "combined": "nodes", "group": "groups"}


def groups(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Findings of one rule and severity together, where the first of them stood; files' findings stay alone."""
    found: dict[object, list[Finding]] = {}
    for number, finding in enumerate(findings):
        own = (
            (finding.rule, finding.severity, finding.refused, finding.place, finding.entity[0])
            if finding.file is None
            else number
        )
        found.setdefault(own, []).append(finding)
    return list(found.values())


def subjects(group: list[Finding], all: bool = False) -> list[str]:
    """The lines that name what a group is about, beyond its first finding's own head."""
    if len(group) == 1:
        return [f"  on:       {partitions(group[0], all)}"] if group[0].partitions else []
    shown = group if all else group[:EXAMPLES]
    more = f"and {len(group) - len(shown)} more (--all lists them)" if len(group) > len(shown) else ""
    if len({finding.message for finding in group}) == 1 and not group[0].partitions:
        names = [finding.entity[1] for finding in shown]
        return [f"  on:       {counted(group)}: {', '.join(names)}{' ' if more else ''}{more}"]
    lines = [f"  on:       {counted(group)}"]
    for finding in shown:
        where = f" {partitions(finding, all)}" if finding.partitions else ""
        lines.append(f"            {finding.entity[0]} {finding.entity[1]}{where}: {finding.message}")
    return [*lines, f"            {more}"] if more else lines


def counted(group: list[Finding]) -> str:
    """How many subjects, and partitions of them, a group is about."""
    kind = group[0].entity[0]
    partitions = sum(len(finding.partitions) for finding in group)
    behind = f" with {partitions} partitions" if partitions else ""
    return f"{len(group)} {PLURALS.get(kind, kind)}{behind}"


def partitions(finding: Finding, all: bool = False) -> str:
    """A topic's partitions that the finding is about."""
    ids = finding.partitions
    most = len(ids) if all else EXAMPLES
    more = f" and {len(ids) - most} more" if len(ids) > most else ""
    return f"partition{'s' if len(ids) > 1 else ''} {', '.join(map(str, ids[:most]))}{more}"
