"""Group findings: many topics, files or nodes with one fault become one paragraph that names them."""

from __future__ import annotations

from advisor.reports.text.finding import headline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.model.finding import Finding

EXAMPLES = 5
"""Subjects that are named, and partitions of each."""
PLURALS = {"topic": "topics", "broker": "brokers", "combined": "nodes", "group": "groups"}


def subjects(group: list[Finding], all: bool = False) -> list[str]:
    """The lines that list a group's subjects, beyond its first finding's own head."""
    if len(group) == 1:
        if group[0].shared_by:
            return [f"  on:       all brokers: {names_of(group[0].shared_by, all)}"]
        return [f"  on:       {partitions(group[0], all)}"] if group[0].partitions else []
    shown = group if all else group[:EXAMPLES]
    more = f"and {len(group) - len(shown)} more (--all lists them)" if len(group) > len(shown) else ""
    if len({finding.message for finding in group}) == 1 and not group[0].partitions:
        names = [finding.entity[1] for finding in shown]
        return [f"  on:       {count_subjects(group)}: {', '.join(names)}{' ' if more else ''}{more}"]
    if len({finding.entity for finding in group}) == 1:
        lines = [f"  also:     {headline(finding)}" for finding in shown[1:]]
        return [*lines, f"            {more}"] if more else lines
    lines = [f"  on:       {count_subjects(group)}"]
    for finding in shown:
        where = f" {partitions(finding, all)}" if finding.partitions else ""
        lines.append(f"            {finding.entity[0]} {finding.entity[1]}{where}: {finding.message}")
    return [*lines, f"            {more}"] if more else lines


def names_of(names: Sequence[str], all: bool) -> str:
    """Names, of many the first."""
    more = f" and {len(names) - EXAMPLES} more (--all lists them)" if len(names) > EXAMPLES and not all else ""
    return ", ".join(names if all else names[:EXAMPLES]) + more


def count_subjects(group: list[Finding]) -> str:
    """The number of subjects, and of their partitions, in a group."""
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
