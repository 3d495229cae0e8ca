"""`--format prometheus`: gauges for the node exporter's textfile collector and the Pushgateway.

Source: Prometheus, "Exposition formats".

Every series has its cluster, so that files of several runs can lie side by side.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime

from advisor import __version__
from advisor.engine.score import Score
from advisor.model.finding import SEVERITIES, Finding
from advisor.reports.context import RunResult, short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.model.cluster import Live

Labels = tuple[tuple[str, str], ...]
Series = dict[Labels, float]
HELP = {
    "kafka_advisor_info": "The tool's version, the profile and the Kafka release that was judged for.",
    "kafka_advisor_findings": "Findings by severity.",
    "kafka_advisor_rule_findings": "Findings by rule and severity.",
    "kafka_advisor_suppressed_findings": "Findings that a comment or a baseline silences.",
    "kafka_advisor_unknown": "Rules and subjects that could not be judged.",
    "kafka_advisor_score": "0 to 100: what the findings weigh, by rule and share of subjects (docs/how-sure.md).",
    "kafka_advisor_unread": "Parts of a running cluster that could not be read: what follows from them is unknown.",
    "kafka_advisor_snapshot_timestamp_seconds": "When the running cluster was read, in seconds since 1970.",
}


def chunks(run: RunResult) -> Iterator[str]:
    """Every metric with its series."""
    for name, series in metrics(run).items():
        yield f"# HELP {name} {HELP[name]}\n# TYPE {name} gauge\n"
        for labels, value in sorted(series.items()):
            yield f"{name}{{{','.join(f'{key}={quote_label(text)}' for key, text in labels)}}} {value:.15g}\n"


def metrics(run: RunResult) -> dict[str, Series]:
    """The series of every metric; a series that may rise later is already there at zero."""
    report, clusters = run.report, [short(name) for name in run.clusters]
    series: dict[str, Series] = {name: {} for name in HELP}
    for cluster in clusters:
        where = ("cluster", cluster)
        info = (where, ("kafka_version", report.target.text), ("profile", report.profile), ("version", __version__))
        series["kafka_advisor_info"][info] = 1
        series["kafka_advisor_suppressed_findings"][(where,)] = 0
        series["kafka_advisor_unknown"][(where,)] = 0
        for severity in SEVERITIES:
            series["kafka_advisor_findings"][(where, ("severity", severity))] = 0
    for row in report.findings:
        count(run, row, series)
    for row in report.suppressed:
        add(series["kafka_advisor_suppressed_findings"], (("cluster", short(run.cluster(row))),))
    for unknown in report.unknown:
        add(series["kafka_advisor_unknown"], (("cluster", short(run.cluster_of(unknown.entity))),))
    series["kafka_advisor_score"] = scores(run)
    for snapshot in report.snapshots:
        if snapshot.live is not None:
            add_reading(snapshot.live, ("cluster", short(snapshot.name)), series)
    return series


def add_reading(live: Live, where: tuple[str, str], series: dict[str, Series]) -> None:
    """Add when a running cluster was read, and what could not be read of it."""
    for part in live.unread:
        series["kafka_advisor_unread"][(where, ("part", short(part)))] = 1
    with contextlib.suppress(ValueError):
        read = datetime.fromisoformat(live.collected)
        read = read if read.tzinfo else read.replace(tzinfo=UTC)
        series["kafka_advisor_snapshot_timestamp_seconds"][(where,)] = read.timestamp()


def count(run: RunResult, row: Finding, series: dict[str, Series]) -> None:
    """Count one finding."""
    where, severity = ("cluster", short(run.cluster(row))), ("severity", row.severity)
    add(series["kafka_advisor_findings"], (where, severity))
    named = (where, ("family", run.family(row.rule)), ("name", row.name), ("rule", row.rule), severity)
    add(series["kafka_advisor_rule_findings"], named)


def scores(run: RunResult) -> Series:
    """The score of every cluster by its own findings."""
    findings, suppressed = by_cluster(run, run.report.findings), by_cluster(run, run.report.suppressed)
    passed = run.report.passed_by_rule
    scores = {
        name: Score(findings.get(name, []), suppressed.get(name, []), passed.get(name, {})) for name in run.clusters
    }
    return {(("cluster", short(name)),): score.rounded for name, score in scores.items()}


def by_cluster(run: RunResult, findings: list[Finding]) -> dict[str, list[Finding]]:
    """The findings of each cluster."""
    grouped: dict[str, list[Finding]] = {}
    for row in findings:
        grouped.setdefault(run.cluster(row), []).append(row)
    return grouped


def add(series: Series, labels: Labels) -> None:
    """Increment a series."""
    series[labels] = series.get(labels, 0) + 1


def quote_label(text: str) -> str:
    """Quote a label value."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def unshown(run: RunResult) -> Iterator[str]:
    """Notes on what numbers cannot show."""
    yield from ()
