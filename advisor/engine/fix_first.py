"""What to fix first: the rules whose fixes win most, the severe ones before all others."""

from __future__ import annotations

from advisor.model.finding import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.engine.report import Report
    from advisor.engine.score import Score
    from advisor.model.finding import Finding

STEPS_SHOWN = 3
OF_REPLICAS = ("replication.factor", "min.isr", "min.insync.replicas")
"""What the keys end on whose fixes take brokers enough."""
DOWN = ("KA228", "KA220", "KA412", "KA413", "KA221", "KA222")
"""Rules about what is down now, in the order in which service is restored: before anything is designed anew."""


class FixFirstStep:
    """One rule to satisfy: its worst finding, how many it removes with what follows from them, and the score it gives."""

    __slots__ = ("finding", "findings", "gain")

    def __init__(self, finding: Finding, findings: int, gain: float) -> None:
        self.finding = finding
        self.findings = findings
        self.gain = gain

    @property
    def points(self) -> str:
        """What the score gains, as a report shows it."""
        return f"+{round(self.gain)}" if self.gain >= 0.5 else "+<1"


def first_steps(report: Report, most: int = STEPS_SHOWN) -> list[FixFirstStep]:
    """The steps that win most, in order; none for findings of info alone."""
    score = report.score
    steps = [_step(rows, score) for rows in _by_cause(report.findings) if rows[0].severity != "info"]
    steps.sort(key=lambda step: (_cannot_work(step.finding, report), *_order(step)))
    return steps[:most]


def _cannot_work(finding: Finding, report: Report) -> bool:
    """Whether the fix takes three brokers, and there are fewer: default.replication.factor=3 on one broker stops the creation of topics."""
    key = finding.kafka_key or finding.key
    if key is None or not key.endswith(OF_REPLICAS):
        return False
    from advisor.engine.known_brokers import obstacle_of

    entities = (entity for snapshot in report.snapshots for entity in snapshot.entities)
    entity = next(
        (each for each in entities if (each.kind, each.name) == finding.entity and each.file == finding.file), None
    )
    return entity is not None and obstacle_of(key, entity, report.snapshots) is not None


def _by_cause(findings: Iterable[Finding]) -> list[list[Finding]]:
    """The findings of each rule, worst first, with those that follow from them behind."""
    rows = list(findings)
    failing = {row.rule for row in rows}
    by_rule: dict[str, list[Finding]] = {}
    for row in rows:
        by_rule.setdefault(row.cause if row.cause in failing else row.rule, []).append(row)
    return [
        sorted(group, key=lambda row: (row.rule != rule, not row.refused, -rank(row.severity)))
        for rule, group in by_rule.items()
    ]


def _step(rows: list[Finding], score: Score) -> FixFirstStep:
    return FixFirstStep(rows[0], len(rows), score.without({row.rule for row in rows}) - score.unrounded)


def _order(step: FixFirstStep) -> tuple[object, ...]:
    """What is down now, then refused before critical before high before all others: one lost topic of many wins few points."""
    finding = step.finding
    down = DOWN.index(finding.rule) if finding.rule in DOWN else len(DOWN)
    urgency = rank("critical") + 1 if finding.refused else max(rank(finding.severity), rank("medium"))
    return (down, -urgency, -step.gain, -rank(finding.severity), finding.rule)
