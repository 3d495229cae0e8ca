"""The text report: the sum, every finding with its fix below its file or rule, and what to do next."""

from __future__ import annotations

import os
from itertools import islice

from advisor.engine.fix_first import DOWN, first_steps
from advisor.engine.report import with_release
from advisor.errors import printable as clean
from advisor.model import SERVER_KINDS
from advisor.model.finding import rank
from advisor.reports.text.finding import PAGE, Layout, fitting
from advisor.reports.text.rows import Rows, Section, subject_names, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from advisor.engine.fix_first import FixFirstStep
    from advisor.engine.report import Report
    from advisor.model import Entity
    from advisor.model.cluster import Live
    from advisor.model.finding import EntityName, Finding, NotJudged

KINDS = {
    "combined": "combined node",
    "broker-overlay": "broker configuration",
    "admin": "admin client",
    "connect": "Connect worker",
    "streams": "Streams application",
    "mirror": "MirrorMaker",
    "zookeeper": "ZooKeeper server",
}
"""What people call the kinds whose names do not say it."""
CONNECTOR = "connector"
ORDINALS = ("1st", "2nd", "3rd")
RULES_SHOWN = 3
UNSCORED = "Too little is known for a score"
"""Rules that are named for each reason of an unknown; JSON names them all."""


def lines(report: Report, layout: Layout | None = None, quiet: bool = False, least: str = "info") -> Iterator[str]:
    """The whole report, line by line: the sum, the findings by file or rule, worst first, and what to do next.

    `least` is the lowest severity that is shown. The hint ends a report of one screen, and stands at the top of a longer one.
    """
    layout = layout or Layout()
    alone, consequences = folded(report.findings)
    shown = [row for row in alone if rank(row.severity) >= rank(least)]
    steps = [] if quiet else first_steps(report)
    if not quiet:
        for line in heading(report, least):
            yield from fitting(line, layout)
    hint = list(fitting(clean(report.hint), layout)) if report.hint and not quiet else []
    below = body(report, layout, quiet, shown, consequences, steps)
    first = list(islice(below, layout.height)) if hint else []
    is_long = len(first) >= layout.height
    yield from (*(hint if is_long else ()), *first)
    yield from below
    yield from () if is_long else hint


def body(
    report: Report,
    layout: Layout,
    quiet: bool,
    shown: Sequence[Finding],
    consequences: Mapping[int, list[Finding]],
    steps: Sequence[FixFirstStep],
) -> Iterator[str]:
    """What stands below the sum: the findings, what could not be judged, and what to do next."""
    names, clusters = subject_names(report), sum(snapshot.live is not None for snapshot in report.snapshots)
    is_alone = not quiet and len(names) + clusters == 1
    all_sections = list(sections(shown, layout, is_alone))
    marked = [row_of(step, all_sections) for step in steps]
    rows = Rows(layout, report, consequences, {id(row): mark_of(n, steps[n]) for n, row in enumerate(marked)})
    for number, section in enumerate(all_sections):
        yield from (*(() if quiet and not number else ("",)), *rows.of_section(section))
    if report.unknown and not quiet:
        yield from ("", layout.style("Could not be judged:", "bold"))
        for line in unknown_lines(report):
            yield from fitting(line, layout)
    if steps:
        yield from ("", *fitting(next_line(steps, [] if is_alone else marked, layout), layout))


def page() -> tuple[int, int]:
    """Columns and lines of what is written for no terminal."""
    if "COLUMNS" not in os.environ:
        return PAGE
    from advisor.reports.screen import size

    return size(PAGE)[0], PAGE[1]


def heading(report: Report, least: str) -> Iterator[str]:
    """The sum of what was judged, and for which release."""
    inputs, *clusters = _inputs_of(report)
    yield f"{clean(inputs)}: {sum_of(report, least)}"
    yield from clusters
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
    rows = (("unknown", len(report.unknown)), ("suppressed", report.silenced), ("not read", len(report.not_read)))
    others = ", ".join(f"{count} {what}" for what, count in rows if count)
    others = f"; {others}" if others else ""
    profile = ", ".join(report.profiles) or report.profile
    if report.known:
        return f"{', '.join(parts) or 'none'} new{below} ({known_sum(report)}){others}. Profile {profile}"
    score = f"Score {report.score.rounded} ({report.score.grade})" if report.is_scored else UNSCORED
    return f"{', '.join(parts) or 'no findings'}{below}{others}. {score}, {profile}"


def known_sum(report: Report) -> str:
    """How many findings the baseline holds, and the severe ones of them."""
    severe = {severity: sum(row.severity == severity for row in report.known) for severity in ("critical", "high")}
    counts = ", ".join(f"{count} {severity}" for severity, count in severe.items() if count)
    return f"{len(report.known)} known{': ' if counts else ''}{counts}"


def mark_of(number: int, step: FixFirstStep) -> str:
    """What stands beside a finding that is to be fixed first."""
    return f"{ORDINALS[number]}, {step.points}"


def row_of(step: FixFirstStep, all_sections: Sequence[Section]) -> Finding | None:
    """The row that is marked for a step: its own finding, else the first of its rule; None where none is shown."""
    shown = [row for section in all_sections for row in section.rows if row.rule == step.finding.rule]
    return next((row for row in shown if row is step.finding), shown[0] if shown else None)


def next_line(steps: Sequence[FixFirstStep], marked: Sequence[Finding | None], layout: Layout) -> str:
    """What to do next, and where in a report on several files."""
    places = [f" at {place_of(row)}" if row else "" for row in marked]
    marks = ", ".join(ORDINALS[: len(steps)])
    if len(set(places)) == 1:
        marks += places[0]
    elif places:
        marks = ", ".join(f"{ordinal}{place}" for ordinal, place in zip(ORDINALS, places, strict=False))
    worst = steps[0].finding
    more = "" if layout.verbose else "-v for reasons and proofs, or "
    return f"{layout.style('Next', 'bold')}: fix {marks}; {more}kafka-advisor explain {worst.explain}"


def place_of(row: Finding) -> str:
    """file:line, or the cluster."""
    return clean(row.place if row.file is None else f"{row.file}:{row.line}" if row.line else row.file)


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
    for section in sorted(alike.values(), key=lambda section: not any(map(_is_down, section.rows))):
        yield Section((), section.rows) if is_alone else section


def _is_down(row: Finding) -> bool:
    return row.file is None and row.rule in DOWN


def _worst_first(row: Finding) -> tuple[object, ...]:
    return not _is_down(row), -rank(row.severity), not row.refused, row.line is None, row.line or 0, row.rule


def folded(findings: list[Finding]) -> tuple[list[Finding], dict[int, list[Finding]]]:
    """What stands by itself, and what follows from it."""
    if not any(finding.cause for finding in findings):
        return findings, {}
    from advisor.reports.text.causes import fold

    return fold(findings)


def unknown_lines(report: Report) -> Iterator[str]:
    """What could not be judged, line by line."""
    return (f"  {text}" for text in unknown_texts(report.unknown))


def unknown_texts(rows: Sequence[NotJudged]) -> Iterator[str]:
    """A line for each reason and subject, with the affected rules."""
    by_reason: dict[tuple[EntityName, str], dict[str, None]] = {}
    for row in rows:
        by_reason.setdefault((row.entity, row.reason), {})[f"{row.rule} {row.name}"] = None
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for (entity, reason), rules in by_reason.items():
        alike.setdefault((entity[0], reason, tuple(rules)), []).append(entity[1])
    for (kind, reason, rule_names), subjects in alike.items():
        yield f"{kind} {clean(some(subjects))}: {clean(reason)}: {some(rule_names, ' rule')}"


def some(names: Sequence[str], what: str = "") -> str:
    """The first few of some names, and how many more there are."""
    left = len(names) - RULES_SHOWN
    plural = "s" if what and left > 1 else ""
    return ", ".join(names if left <= 0 else [*names[:RULES_SHOWN], f"and {left} more{what}{plural}"])


def release_lines(report: Report) -> Iterator[str]:
    """For which releases was judged: whether one is assumed, and why; of several which files they are of."""
    entities = [entity for snapshot in report.snapshots for entity in snapshot.entities]
    is_one_file = len({entity.file for entity in with_release(entities)}) == 1
    files_of_target: dict[tuple[str, bool, str], dict[str, None]] = {}
    for entity in with_release(entities):
        key = (entity.target.text, entity.target.given, entity.target.reason)
        files_of_target.setdefault(key, {})[_label(entity, is_one_file)] = None
    releases = {(version, known): dict[str, None]() for version, known, _ in files_of_target}
    for (version, known, _), files in files_of_target.items():
        releases[version, known] |= files
    if len(releases) == 1:
        version, known, reason = next(iter(files_of_target))
        yield f"Kafka {version}{'' if known else ' assumed'}: {clean(reason)}"
    elif releases:
        most_first = sorted(releases.items(), key=lambda row: (-len(row[1]), row[0]))
        (version, known), _ = most_first[0]
        others = (
            f"{text}{'' if given else ' assumed'} {some(list(files), ' file')}"
            for (text, given), files in most_first[1:]
        )
        yield clean(f"Kafka {version}{'' if known else ' assumed'}; {'; '.join(others)}")


def _label(entity: Entity, is_one_file: bool) -> str:
    """What a release is said of: the file, in a single file whose name says nothing the subject."""
    if entity.file is None:
        return f"cluster {entity.cluster or entity.name}"
    return f"for {entity.name}" if is_one_file else entity.file


def _inputs_of(report: Report) -> list[str]:
    """What was judged: a running cluster, or the file and what it is, or how many of both; then the clusters by name."""
    snapshots = report.snapshots
    clusters = [_cluster(snapshot.name, snapshot.live) for snapshot in snapshots if snapshot.live is not None]
    in_files = [entity for snapshot in snapshots for entity in snapshot.entities if entity.cluster is None]
    if len(clusters) == 1 and not in_files:
        return clusters
    files = [_inputs(with_release(in_files))] if in_files else []
    if not clusters and not files:
        return ["no Kafka configuration any more"]
    if clusters:
        files.insert(0, "1 cluster" if len(clusters) == 1 else f"{len(clusters)} clusters")
    return [", ".join(files), *clusters]


def _inputs(entities: Sequence[Entity]) -> str:
    """The file and what it is, or how many files and what they are."""
    counts: dict[str, int] = {}
    of_cluster: dict[tuple[str, str] | None, int] = {}
    for entity in entities:
        of_cluster[entity.member_of] = of_cluster.get(entity.member_of, 0) + (entity.kind in SERVER_KINDS)
    for entity in entities:
        word = CONNECTOR if "connector.class" in entity.settings else KINDS.get(entity.kind, entity.kind)
        counts[word] = counts.get(word, 0) + _nodes_of(entity, of_cluster[entity.member_of] == 1)
    kinds = ", ".join(f"{count} {word}{'s' if count > 1 else ''}" for word, count in counts.items())
    files = list(dict.fromkeys(entity.file for entity in entities if entity.file))
    if len(files) != 1:
        return f"{len(files)} files ({kinds})" if files else kinds
    return f"{files[0]} ({kinds.removeprefix('1 ') if len(entities) == 1 else kinds})"


def _nodes_of(entity: Entity, is_alone: bool) -> int:
    """How many nodes an entity stands for: those that an operator makes of it, and all brokers of a cluster where it is alone."""
    if entity.kind not in SERVER_KINDS or entity.member_of is None:
        return 1
    return (entity.replicas if entity.replicas is not None else entity.cluster_size if is_alone else 1) or 1


def _cluster(name: str, live: Live) -> str:
    if not live.collected:
        return f"Cluster {clean(name)}: what the outputs of its tools show in {clean(live.address)}"
    return f"Cluster {clean(name)} at {clean(live.address)}, as of {clean(live.collected)}"


def counts_of(report: Report) -> str:
    """The findings by severity, worst first."""
    return ", ".join(f"{count} {severity}" for severity, count in report.counts.items() if count) or "none"


def last_line(report: Report, least: str = "info") -> str:
    """The sum: counts, score and grade."""
    score = f"score {report.score.rounded}, grade {report.score.grade}" if report.is_scored else UNSCORED.lower()
    not_read = f", {len(report.not_read)} not read" if report.not_read else ""
    hidden = sum(rank(row.severity) < rank(least) for row in report.findings)
    below = f" ({hidden} below {least} not shown)" if hidden else ""
    others = f"{len(report.unknown)} unknown, {report.silenced} suppressed{not_read}"
    profile = f"(profile {', '.join(report.profiles) or report.profile})"
    if report.known:
        return f"Findings: {counts_of(report)} new{below} ({known_sum(report)}); {others} {profile}"
    return f"Findings: {counts_of(report)}{below}; {others}; {score} {profile}"
