"""The text report: the sum, every finding with its fix below its file or rule, and what to do next."""

from __future__ import annotations

import os

from advisor.engine.fix_first import DOWN, first_steps
from advisor.engine.report import with_release
from advisor.errors import printable as clean
from advisor.model.finding import rank
from advisor.reports.text.finding import PAGE, Layout, fitting
from advisor.reports.text.rows import Rows, Section, subject_names, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.engine.fix_first import FixFirstStep
    from advisor.engine.report import Report
    from advisor.model import Entity
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
ORDINALS = ("1st", "2nd", "3rd")
RULES_SHOWN = 3
"""Rules that are named for each reason of an unknown; JSON names them all."""


def lines(report: Report, layout: Layout | None = None, quiet: bool = False, least: str = "info") -> Iterator[str]:
    """The whole report, line by line: the sum, the findings by file or rule, worst first, and what to do next.

    `least` is the lowest severity that is shown.
    """
    layout = layout or Layout()
    alone, consequences = folded(report.findings)
    shown = [row for row in alone if rank(row.severity) >= rank(least)]
    steps = [] if quiet else first_steps(report)
    if not quiet:
        for line in heading(report, least):
            yield from fitting(line, layout)
    names, clusters = subject_names(report), sum(snapshot.live is not None for snapshot in report.snapshots)
    rows = Rows(layout, names, consequences, {step.finding.rule: mark_of(n, step) for n, step in enumerate(steps)})
    for number, section in enumerate(sections(shown, layout, is_alone=not quiet and len(names) + clusters == 1)):
        yield from (*(() if quiet and not number else ("",)), *rows.of_section(section))
    if report.unknown and not quiet:
        yield from ("", layout.style("Could not be judged:", "bold"))
        for line in unknown_lines(report):
            yield from fitting(line, layout)
    if steps:
        yield from ("", *fitting(next_line(steps, layout), layout))
    if report.hint and not quiet:
        yield from fitting(clean(report.hint), layout)


def page() -> tuple[int, int]:
    """Columns and lines of what is written for no terminal."""
    if "COLUMNS" not in os.environ:
        return PAGE
    from advisor.reports.screen import size

    return size(PAGE)[0], PAGE[1]


def heading(report: Report, least: str) -> Iterator[str]:
    """The sum of what was judged, and for which release."""
    yield f"{clean(_inputs_of(report))}: {sum_of(report, least)}"
    yield from release_lines(report)
    if report.older:
        findings, was = ("1 finding", "was") if report.older == 1 else (f"{report.older} findings", "were")
        yield f"{findings} {was} there at {report.ref} already: --all-findings shows {'it' if report.older == 1 else 'them'}"


def sum_of(report: Report, least: str) -> str:
    """Counts, score and grade in a sentence."""
    counts = dict(report.counts)
    lower = counts.pop("low") + counts.pop("info")
    parts = [f"{count} {severity}" for severity, count in counts.items() if count]
    parts += [f"{lower} lower"] if lower else []
    hidden = sum(rank(row.severity) < rank(least) for row in report.findings)
    below = f" ({hidden} below {least} not shown)" if hidden else ""
    suppressed = len(report.suppressed) - len(report.known)
    rows = (("unknown", len(report.unknown)), ("suppressed", suppressed), ("not read", len(report.not_read)))
    others = ", ".join(f"{count} {what}" for what, count in rows if count)
    others = f"; {others}" if others else ""
    profile = ", ".join(report.profiles) or report.profile
    if report.known:
        return f"{', '.join(parts) or 'none'} new{below} ({known_sum(report)}){others}. Profile {profile}"
    score = f"Score {report.score.rounded} ({report.score.grade}), {profile}"
    return f"{', '.join(parts) or 'no findings'}{below}{others}. {score}"


def known_sum(report: Report) -> str:
    """How many findings the baseline holds, and the severe ones of them."""
    severe = {severity: sum(row.severity == severity for row in report.known) for severity in ("critical", "high")}
    counts = ", ".join(f"{count} {severity}" for severity, count in severe.items() if count)
    return f"{len(report.known)} known{': ' if counts else ''}{counts}"


def mark_of(number: int, step: FixFirstStep) -> str:
    """What stands beside a finding that is to be fixed first."""
    return f"{ORDINALS[number]}, {step.points}"


def next_line(steps: Sequence[FixFirstStep], layout: Layout) -> str:
    """What to do next."""
    marks = ", ".join(ORDINALS[: len(steps)])
    worst = steps[0].finding
    more = "" if layout.verbose else "-v for reasons and proofs, or "
    return f"{layout.style('Next', 'bold')}: fix {marks}; {more}kafka-advisor explain {worst.explain}"


def sections(findings: Sequence[Finding], layout: Layout, is_alone: bool) -> Iterator[Section]:
    """The findings of each file, or of each rule, worst first; those of running clusters by cluster.

    Files of which every line says the same stand in one section; a file or cluster that is alone (`is_alone`) needs no head.
    What is down now comes before everything else.
    """
    grouped: dict[str, list[Finding]] = {}
    for row in findings:
        key = f"{row.rule} {row.name}" if layout.by_rule else row.file or row.place
        grouped.setdefault(key, []).append(row)
    if layout.by_rule:
        yield from (Section((head,), rows) for head, rows in grouped.items())
        return
    alike: dict[object, Section] = {}
    for head, rows in grouped.items():
        rows.sort(key=_worst_first)
        words = tuple((row.line, words_of(row), row.fix, row.care) for row in rows)
        section = alike.setdefault(words if rows[0].file else head, Section((), rows))
        section.heads = (*section.heads, head)
    for section in alike.values():
        yield Section((), section.rows) if is_alone else section


def _worst_first(row: Finding) -> tuple[object, ...]:
    is_down = row.file is None and row.rule in DOWN
    return not is_down, -rank(row.severity), not row.refused, row.line is None, row.line or 0, row.rule


def folded(findings: list[Finding]) -> tuple[list[Finding], dict[int, list[Finding]]]:
    """What stands by itself, and what follows from it."""
    if not any(finding.cause for finding in findings):
        return findings, {}
    from advisor.reports.text.causes import fold

    return fold(findings)


def unknown_lines(report: Report) -> Iterator[str]:
    """What could not be judged: a line for each reason and subject, with the affected rules."""
    by_reason: dict[tuple[EntityName, str], dict[str, None]] = {}
    for row in report.unknown:
        by_reason.setdefault((row.entity, row.reason), {})[f"{row.rule} {row.name}"] = None
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for (entity, reason), rules in by_reason.items():
        alike.setdefault((entity[0], reason, tuple(rules)), []).append(entity[1])
    for (kind, reason, rule_names), subjects in alike.items():
        yield f"  {kind} {clean(some(subjects))}: {clean(reason)}: {some(rule_names, ' rules')}"


def some(names: Sequence[str], what: str = "") -> str:
    """The first few of some names, and how many more there are."""
    shown = names if len(names) <= RULES_SHOWN else [*names[:RULES_SHOWN], f"and {len(names) - RULES_SHOWN} more{what}"]
    return ", ".join(shown)


def release_lines(report: Report) -> Iterator[str]:
    """For which releases was judged: whether each is known, or assumed, and why; of several which files they are of."""
    entities = [entity for snapshot in report.snapshots for entity in snapshot.entities]
    files_of_target: dict[tuple[str, bool, str], dict[str, None]] = {}
    for entity in with_release(entities):
        key = (entity.target.text, entity.target.given, entity.target.reason)
        files_of_target.setdefault(key, {})[entity.file or entity.name] = None
    releases = {(version, known): dict[str, None]() for version, known, _ in files_of_target}
    for (version, known, _), files in files_of_target.items():
        releases[version, known] |= files
    if len(releases) == 1:
        version, known, reason = next(iter(files_of_target))
        yield f"Kafka {version} {'known' if known else 'assumed'}: {clean(reason)}"
    elif releases:
        most_first = sorted(releases.items(), key=lambda row: (-len(row[1]), row[0]))
        (version, known), _ = most_first[0]
        others = (
            f"{text}{'' if given else ' assumed'} {some(list(files), ' files')}"
            for (text, given), files in most_first[1:]
        )
        yield clean(f"Kafka {version} {'known' if known else 'assumed'}; {'; '.join(others)}")


def _inputs_of(report: Report) -> str:
    """What was judged: a running cluster, or the file and what it is, or how many files and what they are."""
    live = [snapshot for snapshot in report.snapshots if snapshot.live is not None]
    entities = with_release([entity for snapshot in report.snapshots for entity in snapshot.entities])
    clusters = "; ".join(_cluster(snapshot.name, snapshot.live) for snapshot in live if snapshot.live is not None)
    return clusters or _inputs(entities)


def _inputs(entities: Sequence[Entity]) -> str:
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


def counts_of(report: Report) -> str:
    """The findings by severity, worst first."""
    return ", ".join(f"{count} {severity}" for severity, count in report.counts.items() if count) or "none"


def last_line(report: Report, least: str = "info") -> str:
    """The sum: counts, score and grade."""
    score = report.score
    not_read = f", {len(report.not_read)} not read" if report.not_read else ""
    hidden = sum(rank(row.severity) < rank(least) for row in report.findings)
    below = f" ({hidden} below {least} not shown)" if hidden else ""
    suppressed = len(report.suppressed) - len(report.known)
    others = f"{len(report.unknown)} unknown, {suppressed} suppressed{not_read}"
    profile = f"(profile {', '.join(report.profiles) or report.profile})"
    if report.known:
        return f"Findings: {counts_of(report)} new{below} ({known_sum(report)}); {others} {profile}"
    return f"Findings: {counts_of(report)}{below}; {others}; score {score.rounded}, grade {score.grade} {profile}"
