"""The text report: what was judged, what to fix first, every finding with its fix, and the sum."""

from __future__ import annotations

import os
from itertools import islice

from advisor.engine.report import with_release
from advisor.errors import printable as clean
from advisor.model.finding import rank
from advisor.reports.text.finding import (
    BRIEF,
    PAGE,
    Layout,
    body_lines,
    excerpt_lines,
    field_lines,
    fitting,
    title_lines,
)
from advisor.reports.text.grouped import groups, places_line, subjects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.engine.report import Report
    from advisor.model import Entity
    from advisor.model.claim import Claim
    from advisor.model.cluster import Live
    from advisor.model.finding import EntityName, Finding

KINDS = {
    "combined": "combined node",
    "broker-overlay": "broker overlay",
    "admin": "admin client",
    "connect": "Connect worker",
    "streams": "Streams application",
    "mirror": "MirrorMaker",
    "zookeeper": "ZooKeeper server",
}
"""What people call the kinds whose names do not say it."""
RULES_SHOWN = 3
"""Rules that are named for each reason of an unknown; JSON names them all."""


def lines(report: Report, layout: Layout | None = None, quiet: bool = False, least: str = "info") -> Iterator[str]:
    """The whole report, line by line; `least` is the lowest severity that is shown.

    What is longer than a screen begins with the severe findings and what to fix first, and ends with the latter.
    """
    layout = layout or Layout()
    alone, consequences = folded(report.findings)
    shown = groups(row for row in alone if rank(row.severity) >= rank(least))
    shown.sort(key=lambda group: (-rank(group[0].severity), not group[0].refused))
    body = _body(report, shown, consequences, layout, quiet)
    if quiet:
        yield from body
        return
    for line in judged_lines(report):
        yield from fitting(line, layout)
    beginning = list(islice(body, layout.height - 2))
    is_long = len(beginning) == layout.height - 2
    first_fixes: list[str] = []
    if is_long:
        from advisor.reports.text.overview import fix_first, severe_titles

        first_fixes = list(fix_first(report, layout))
        yield from (*first_fixes, *severe_titles(report, shown, layout))
    yield from ("", *beginning)
    yield from body
    yield from first_fixes
    first, *others = fitting(last_line(report, least), layout)
    yield from (first.replace("Findings", layout.style("Findings", "bold"), 1), *others)


def page() -> tuple[int, int]:
    """Columns and lines of what is written for no terminal."""
    if "COLUMNS" not in os.environ:
        return PAGE
    from advisor.reports.screen import size

    return size(PAGE)[0], PAGE[1]


def _body(
    report: Report, shown: list[list[Finding]], consequences: dict[int, list[Finding]], layout: Layout, quiet: bool
) -> Iterator[str]:
    """Every finding, and what could not be judged."""
    for number, group in enumerate(shown, 1):
        yield from group_lines(group, consequences, layout)
        if number == len(shown) or layout.verbose or group[0].severity != shown[number][0].severity:
            yield ""
    if report.unknown and not quiet:
        yield layout.style("Could not be judged:", "bold")
        for line in unknown_lines(report):
            yield from fitting(line, layout)
        yield ""


def _is_brief(group: list[Finding], layout: Layout) -> bool:
    return group[0].severity in BRIEF and not group[0].refused and not layout.verbose


def group_lines(group: list[Finding], consequences: dict[int, list[Finding]], layout: Layout) -> Iterator[str]:
    """The findings of one rule: the first as it stands, where the others are, and what follows from them."""
    finding = group[0]
    brief = _is_brief(group, layout)
    yield from title_lines(finding, layout)
    if not brief:
        yield from excerpt_lines(finding, layout)
    if len(group) > 1 or not brief:
        for line in subjects(group, layout.all) if finding.file is None else places_line(group, layout):
            yield from fitting(clean(line), layout)
    if not brief:
        yield from body_lines(finding, layout)
        for row in (row for member in group for row in consequences.get(id(member), ())):
            yield from field_lines("so also", consequence_line(row), layout)
    if layout.verbose and finding.claim is not None:
        yield from story_lines(finding.claim)


def folded(findings: list[Finding]) -> tuple[list[Finding], dict[int, list[Finding]]]:
    """What stands by itself, and what follows from it."""
    if not any(finding.cause for finding in findings):
        return findings, {}
    from advisor.reports.text.causes import fold

    return fold(findings)


def consequence_line(finding: Finding) -> str:
    """One line for what follows from another finding."""
    return f"{finding.severity}: {finding.message} [{finding.rule} {finding.name}]"


def unknown_lines(report: Report) -> Iterator[str]:
    """What could not be judged: a line for each reason and subject, with the affected rules."""
    by_reason: dict[tuple[EntityName, str], dict[str, None]] = {}
    for row in report.unknown:
        by_reason.setdefault((row.entity, row.reason), {})[f"{row.rule} {row.name}"] = None
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for (entity, reason), rules in by_reason.items():
        alike.setdefault((entity[0], reason, tuple(rules)), []).append(entity[1])
    for (kind, reason, names), subject_names in alike.items():
        yield f"  {kind} {clean(some(subject_names))}: {clean(reason)}: {some(names, ' rules')}"


def some(names: Sequence[str], what: str = "") -> str:
    """The first few of some names, and how many more there are."""
    shown = names if len(names) <= RULES_SHOWN else [*names[:RULES_SHOWN], f"and {len(names) - RULES_SHOWN} more{what}"]
    return ", ".join(shown)


def judged_lines(report: Report) -> Iterator[str]:
    """What was judged, and for which release: whether that is known, or assumed, and why."""
    for snapshot in report.snapshots:
        if snapshot.live is not None:
            yield _cluster(snapshot.name, snapshot.live)
    entities = [entity for snapshot in report.snapshots for entity in snapshot.entities]
    inputs_of_target: dict[tuple[str, bool, str], list[Entity]] = {}
    for entity in with_release(entities):
        key = (entity.target.text, entity.target.given, entity.target.reason)
        inputs_of_target.setdefault(key, []).append(entity)
    for (version, known, reason), inputs in inputs_of_target.items():
        yield f"Judged {clean(_inputs(inputs))} for Kafka {version} ({'known' if known else 'assumed'}: {clean(reason)})"


def _inputs(entities: list[Entity]) -> str:
    """The file and what it is, or how many files and what they are."""
    counts: dict[str, int] = {}
    for entity in entities:
        counts[entity.kind] = counts.get(entity.kind, 0) + 1
    kinds = ", ".join(f"{count} {KINDS.get(kind, kind)}{'s' if count > 1 else ''}" for kind, count in counts.items())
    files = list(dict.fromkeys(entity.file for entity in entities if entity.file))
    if len(files) != 1:
        return f"{len(files)} files ({kinds})" if files else kinds
    return f"{files[0]} ({KINDS.get(entities[0].kind, entities[0].kind) if len(entities) == 1 else kinds})"


def _cluster(name: str, live: Live) -> str:
    if not live.collected:
        return f"Cluster {clean(name)}: what the outputs of its tools show in {clean(live.address)}"
    return f"Cluster {clean(name)} at {clean(live.address)}, as of {clean(live.collected)}"


def story_lines(claim: Claim) -> Iterator[str]:
    """The simulated story, step by step."""
    from advisor.simulator.claims import story_of

    for number, line in enumerate(story_of(claim), 1):
        yield f"    {number:>2}. {line}"


def counts_of(report: Report) -> str:
    """The findings by severity, worst first."""
    return ", ".join(f"{count} {severity}" for severity, count in report.counts.items() if count) or "none"


def last_line(report: Report, least: str = "info") -> str:
    """The sum: counts, score and grade."""
    score = report.score
    not_read = f", {len(report.not_read)} not read" if report.not_read else ""
    hidden = sum(rank(row.severity) < rank(least) for row in report.findings)
    below = f" ({hidden} below {least} not shown)" if hidden else ""
    return (
        f"Findings: {counts_of(report)}{below}; {len(report.unknown)} unknown, {len(report.suppressed)} suppressed"
        f"{not_read}; score {score.rounded}, grade {score.grade} (profile {', '.join(report.profiles) or report.profile})"
    )
