"""The text report: what is wrong, where, why, how sure it is, and how to fix it."""

from __future__ import annotations

from advisor.engine.report import with_release
from advisor.errors import printable as clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from advisor.engine.report import Report
    from advisor.model.claim import Claim
    from advisor.model.cluster import Live
    from advisor.model.finding import EntityName, Finding

    Style = Callable[[str, str], str]

WIDTH = 100
RELEASE = "kafka-version"
LEVELS = {
    "DEFAULT": "default",
    "STATIC_BROKER": "the broker's file",
    "DYNAMIC_BROKER": "set on the running broker",
    "DYNAMIC_DEFAULT_BROKER": "set for the whole cluster",
    "DYNAMIC_TOPIC": "set on the topic",
    "TOPIC_OR_BROKER": "set on the topic or its brokers",
    "CLIENT_FILE": "the client's file",
    "METADATA": "the cluster says",
}
"""Where a value comes from that no line of a file says."""
SHOWN = 3
"""Rules that are named for each reason of an unknown; JSON names them all."""


def plain(text: str, _: str) -> str:
    """Text without colour."""
    return text


def lines(report: Report, style: Style = plain, verbose: bool = False, all: bool = False) -> Iterator[str]:
    """The whole report, line by line; `all` lists every subject of a finding on a running cluster."""
    judged_for = list(targets(report))
    yield from (*judged_for, "") if judged_for else ()
    findings, consequences = folded(report.findings)
    if any(finding.file is None for finding in findings):
        from advisor.reports.grouped import groups, subjects

        grouped = groups(findings)
    else:
        grouped = [[finding] for finding in findings]
    for group in grouped:
        finding = group[0]
        others = subjects(group, all) if finding.file is None else []
        yield from (clean(line) for line in finding_lines(finding, style, others))
        for row in (row for member in group for row in consequences.get(id(member), ())):
            yield from (clean(line) for line in _wrap_field("so also", consequence_line(row)))
        if verbose and finding.claim is not None:
            yield from story_lines(finding.claim)
        yield ""
    if report.unknown:
        yield style("Could not be judged:", "bold")
        yield from unknown_lines(report)
        yield ""
    yield last_line(report, style)


def folded(findings: list[Finding]) -> tuple[list[Finding], dict[int, list[Finding]]]:
    """What stands by itself, and what follows from it."""
    if not any(finding.cause for finding in findings):
        return findings, {}
    from advisor.reports.causes import fold

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
    for (kind, reason, names), subjects in alike.items():
        yield f"  {kind} {clean(some(subjects))}: {clean(reason)}: {some(names, ' rules')}"


def some(names: Sequence[str], what: str = "") -> str:
    """The first few of some names, and how many more there are."""
    shown = names if len(names) <= SHOWN else [*names[:SHOWN], f"and {len(names) - SHOWN} more{what}"]
    return ", ".join(shown)


def targets(report: Report) -> Iterator[str]:
    """The target release, and why it was chosen."""
    seen: dict[tuple[str, str], int] = {}
    for entity in with_release([entity for snapshot in report.snapshots for entity in snapshot.entities]):
        target = (entity.target.text, entity.target.reason)
        seen[target] = seen.get(target, 0) + 1
    for snapshot in report.snapshots:
        if snapshot.live is not None:
            yield _cluster(snapshot.name, snapshot.live)
    for (version, reason), files in seen.items():
        yield f"Judged for Kafka {version}{f' ({files} inputs)' if len(seen) > 1 else ''}: {clean(reason)}"


def _cluster(name: str, live: Live) -> str:
    if not live.collected:
        return f"Cluster {clean(name)}: what the outputs of its tools show in {clean(live.address)}"
    return f"Cluster {clean(name)} at {clean(live.address)}, as of {clean(live.collected)}"


def finding_lines(finding: Finding, style: Style = plain, subjects: Sequence[str] = ()) -> Iterator[str]:
    """One finding: place and message, the line itself, then why, values, how sure and how to fix.

    `subjects` are the lines that say what else it is about.
    """
    where = place(finding)
    severity = "REFUSED BY KAFKA" if finding.refused else finding.severity
    yield f"{style(where, 'bold')}: {style(severity, finding.severity)}: {finding.message} [{finding.rule} {finding.name}]"
    if finding.source_line is not None:
        yield f"  {finding.line:>5} | {finding.source_line}"
        if finding.column and finding.column > 1:
            yield f"        | {' ' * (finding.column - 1)}^"
    yield from subjects
    yield from _body(finding)


def story_lines(claim: Claim) -> Iterator[str]:
    """The simulated story, step by step."""
    from advisor.simulator.claims import story_of

    for number, line in enumerate(story_of(claim), 1):
        yield f"    {number:>2}. {line}"


def _body(finding: Finding) -> Iterator[str]:
    if finding.refused:
        yield f"  Kafka:    {finding.target} will not start with this"
    if finding.why:
        yield from _wrap_field("why", finding.why)
    if finding.key is not None and finding.required is not None:
        now = finding.value if finding.value is not None else _default(finding)
        yield f"  value:    {finding.key} = {now}   required: {finding.required}"
    if finding.proof:
        yield from _wrap_field("proof", str(finding.proof["summary"]))
    if finding.fix:
        yield from _wrap_field("fix", finding.fix)
    if finding.care:
        yield from _wrap_field("care", finding.care)
    rests = [
        (f"{row.key} not set" if row.value is None else f"{row.key}={row.value}")
        + (f" ({row.file}:{row.line})" if row.line else f" ({LEVELS.get(row.source, row.source)})")
        for row in finding.evidence
    ]
    if rests:
        yield from _wrap_field(
            "rests on", ", ".join(rests[:6]) + (f" and {len(rests) - 6} more" if len(rests) > 6 else "")
        )
    yield f"  how sure: {finding.confidence}   more: kafka-advisor explain {finding.explain}"


def _default(finding: Finding) -> str:
    for row in finding.evidence:
        if row.key == finding.key == RELEASE:
            return str(row.value)
        if row.key == finding.key and row.source == "DEFAULT" and row.value is not None:
            return f"{row.value or 'empty'} (not set: the default of {finding.target})"
    return "(not set)"


def place(finding: Finding) -> str:
    """file:line:column as far as they are known."""
    file = finding.file or f"{finding.entity[0]} {finding.entity[1]}"
    if finding.line is None:
        return file
    return f"{file}:{finding.line}:{finding.column or 1}"


REMEMBERED = 2000
"""Wrapped paragraphs that are kept."""
_known: dict[tuple[str, str], list[str]] = {}
"""Wrapped paragraphs: a thousand files say why for the same few rules."""


def _wrap_field(label: str, text: str) -> list[str]:
    if (label, text) not in _known:
        if len(_known) >= REMEMBERED:
            _known.clear()
        _known[label, text] = list(_wrap(label, text))
    return _known[label, text]


def _wrap(label: str, text: str) -> Iterator[str]:
    head, line = f"  {label + ':':<9} ", ""
    for word in text.split(" "):
        if line and len(line) + len(word) + 1 > WIDTH - len(head) and not word.startswith("::"):
            yield head + line
            head, line = " " * len(head), word
        else:
            line = f"{line} {word}" if line else word
    yield head + line


def last_line(report: Report, style: Style = plain) -> str:
    """The summary line: counts, score and grade."""
    counts = ", ".join(f"{count} {severity}" for severity, count in report.counts.items() if count) or "none"
    score = report.score
    not_read = f", {len(report.not_read)} not read" if report.not_read else ""
    return (
        f"{style('Findings', 'bold')}: {counts}; {report.passed} passed, {report.not_applicable} not applicable, "
        f"{len(report.unknown)} unknown, {len(report.suppressed)} suppressed{not_read}; "
        f"score {score.rounded}, grade {style(score.grade, 'bold')} (profile {', '.join(report.profiles) or report.profile})"
    )
