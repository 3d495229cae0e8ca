"""Group findings: many topics, files or nodes with one fault become one paragraph that names them."""

from __future__ import annotations

from advisor.reports.text.finding import field_lines, headline, place_and_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.model.finding import Finding
    from advisor.reports.text.finding import Layout

EXAMPLES = 5
"""Subjects that are named, and partitions of each."""
PLACES = 20
"""Places in files that are named."""
PLURALS = {"topic": "topics", "broker": "brokers", "combined": "nodes", "group": "groups"}


def groups(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Group findings of one rule and severity, on running clusters those of one kind of subject."""
    grouped: dict[object, list[Finding]] = {}
    for finding in findings:
        where = (finding.place, finding.entity[0]) if finding.file is None else None
        grouped.setdefault((finding.rule, finding.severity, finding.refused, where), []).append(finding)
    return list(grouped.values())


def places_line(group: list[Finding], layout: Layout) -> Iterator[str]:
    """Where else in files the same is: places alone where the words are the same, else with them."""
    others = group[1:] if layout.all else group[1 : PLACES + 1]
    places_of_headline: dict[str, list[str]] = {}
    for row in others:
        places_of_headline.setdefault(headline(row), []).append(place_and_name(row))
    same = places_of_headline.pop(headline(group[0]), None)
    if same:
        yield from field_lines("also in", ", ".join(same), layout)
    for words, places in places_of_headline.items():
        yield from field_lines("also", f"{', '.join(places)}: {words}", layout)
    if len(group) > len(others) + 1:
        yield f"  and {len(group) - len(others) - 1} more (--all lists them)"


def subjects(group: list[Finding], all: bool = False) -> list[str]:
    """The lines that list a group's subjects, beyond its first finding's own head."""
    if len(group) == 1:
        if group[0].shared_by:
            return [f"  on:       all brokers: {_names(group[0].shared_by, all)}"]
        return [f"  on:       {partitions(group[0], all)}"] if group[0].partitions else []
    shown = group if all else group[:EXAMPLES]
    more = f"and {len(group) - len(shown)} more (--all lists them)" if len(group) > len(shown) else ""
    if len({finding.message for finding in group}) == 1 and not group[0].partitions:
        names = [finding.entity[1] for finding in shown]
        return [f"  on:       {count_subjects(group)}: {', '.join(names)}{' ' if more else ''}{more}"]
    lines = [f"  on:       {count_subjects(group)}"]
    for finding in shown:
        where = f" {partitions(finding, all)}" if finding.partitions else ""
        lines.append(f"            {finding.entity[0]} {finding.entity[1]}{where}: {finding.message}")
    return [*lines, f"            {more}"] if more else lines


def _names(names: Sequence[str], all: bool) -> str:
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
