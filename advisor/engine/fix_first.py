"""What to fix first: the rules whose fixes win most, the severe ones before all others, none for which brokers are missing."""

from __future__ import annotations

from itertools import islice

from advisor.model import OVERLAY, SERVER_KINDS, Topic, is_whole_number
from advisor.model.finding import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.engine.report import Report
    from advisor.engine.score import Score
    from advisor.model import Entity, Snapshot
    from advisor.model.finding import Finding

STEPS_SHOWN = 3
REPLICATION = ("replication.factor", "min.isr", "min.insync.replicas")
"""What the keys end on whose recommended values take three brokers, or a topic's three replicas."""
TAKES_NODES = ("KA501", "KA504", "KA1717")
"""Rules whose fix is two more nodes: three controllers, controllers apart from brokers, topics of three replicas."""
ENOUGH = 3
ALIVE = "alive"
VOTERS = ("controller.quorum.voters", "controller.quorum.bootstrap.servers")
HERE = ("localhost", "127.0.0.1", "[::1]")
"""Hosts that no other machine can mean."""
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
    steps.sort(key=_order)
    return list(islice((step for step in steps if not _cannot_work(step.finding, report)), most))


def _cannot_work(finding: Finding, report: Report) -> bool:
    """Whether the fix takes three nodes, and there are fewer: default.replication.factor=3 on one broker stops the creation of topics."""
    key = (REPLICATION[0] if finding.rule in TAKES_NODES else finding.kafka_key or finding.key) or ""
    if not key.endswith(REPLICATION):
        return False
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


def restoring_rank(rule: str) -> int:
    """The rank of a rule in the order in which service is restored; those that are about no outage are behind."""
    return DOWN.index(rule) if rule in DOWN else len(DOWN)


def _order(step: FixFirstStep) -> tuple[object, ...]:
    """What is down now, then refused before critical before high before all others: one lost topic of many wins few points."""
    finding = step.finding
    urgency = rank("critical") + 1 if finding.refused else max(rank(finding.severity), rank("medium"))
    return (restoring_rank(finding.rule), -urgency, -step.gain, -rank(finding.severity), finding.rule)


def obstacle_of(key: str, entity: Entity, snapshots: Sequence[Snapshot]) -> str | None:
    """Why a key is not set to what three replicas take; None where nothing speaks against it."""
    if not key.endswith(REPLICATION):
        return None
    if isinstance(entity, Topic) and key != "replication.factor":
        replicas = entity.settings.get("replication.factor")
        if replicas is not None and is_whole_number(replicas.value) and int(replicas.value) >= ENOUGH:
            return None
        count = "an unknown number of" if replicas is None else replicas.value
        return f"{entity.title}: min.insync.replicas=2 requires three replicas, and the topic has {count}"
    brokers = known_brokers(entity, snapshots)
    if brokers is None or brokers >= ENOUGH:
        return None
    return f"{entity.title}: three replicas require three brokers, and the cluster has {brokers}"


def known_brokers(entity: Entity, snapshots: Sequence[Snapshot]) -> int | None:
    """The number of brokers of an entity's cluster, as far as files say it; None where nothing does.

    A worker's is the cluster that it names; of a mirror's clusters the smallest counts.
    """
    named = [_brokers_of(node, snapshots) for node in _nodes_named_by(entity, snapshots)]
    return min((brokers for brokers in named if brokers is not None), default=_brokers_of(entity, snapshots))


def _nodes_named_by(application: Entity, snapshots: Sequence[Snapshot]) -> Iterator[Entity]:
    """A node of each cluster that an application connects to."""
    identity = (application.kind, application.name, application.file)
    for snapshot in snapshots:
        if any((row.kind, row.name, row.file) == identity for row in snapshot.applications):
            yield from [row for row in snapshot.entities if row.kind in SERVER_KINDS][:1]


def _brokers_of(entity: Entity, snapshots: Sequence[Snapshot]) -> int | None:
    own = next((snapshot for snapshot in snapshots if any(row is entity for row in snapshot.entities)), None)
    if own is not None and own.live is not None:
        return sum(node.state == ALIVE for node in own.live.nodes)
    entities = own.entities if own else (entity,)
    described = sum(row.kind in SERVER_KINDS and row.kind not in ("controller", OVERLAY) for row in entities)
    sizes = [*said_of(entities), *deployed_in(entity.file, snapshots), *concluded_from(entity)]
    return max(described, min(sizes)) if sizes else None


def said_of(entities: Sequence[Entity]) -> Iterator[int]:
    """The sizes of the cluster that a file counts its nodes among."""
    yield from {row.cluster_size for row in entities if row.cluster_size is not None}


def deployed_in(file: str | None, snapshots: Sequence[Snapshot]) -> Iterator[int]:
    """The brokers of the deployments in a file."""
    for snapshot in snapshots:
        for row in snapshot.entities:
            brokers = row.settings.get("brokers") if row.kind == "deployment" and row.file == file else None
            if brokers is not None and is_whole_number(brokers.value) and int(brokers.value):
                yield int(brokers.value)


def concluded_from(entity: Entity) -> Iterator[int]:
    """What addresses say: voters that are brokers as well, a quorum or a ZooKeeper that only this machine reaches."""
    for key in (*VOTERS, "zookeeper.connect"):
        setting = entity.settings.get(key)
        hosts = [each.rpartition("@")[2].strip() for each in setting.value.split(",")] if setting else []
        if hosts and all(host.rpartition(":")[0] in HERE for host in hosts):
            yield 1
        elif key in VOTERS and hosts and entity.kind == "combined" and len(hosts) < ENOUGH:
            yield len(hosts)
