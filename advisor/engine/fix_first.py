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
    sizes = ClusterSizes(report.snapshots)
    return list(islice((step for step in steps if not _cannot_work(step.finding, report, sizes)), most))


def _cannot_work(finding: Finding, report: Report, sizes: ClusterSizes) -> bool:
    """Whether the fix takes three nodes, and there are fewer: default.replication.factor=3 on one broker stops the creation of topics."""
    key = (REPLICATION[0] if finding.rule in TAKES_NODES else finding.kafka_key or finding.key) or ""
    if not key.endswith(REPLICATION):
        return False
    entities = (entity for snapshot in report.snapshots for entity in snapshot.entities)
    entity = next(
        (each for each in entities if (each.kind, each.name) == finding.entity and each.file == finding.file), None
    )
    return entity is not None and sizes.obstacle(key, entity) is not None


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


class ClusterSizes:
    """The clusters of a run by their entities, the nodes that applications name, and the brokers that files deploy."""

    def __init__(self, snapshots: Sequence[Snapshot]) -> None:
        self._own = {id(entity): each for each in reversed(snapshots) for entity in each.entities}
        self._named: dict[tuple[str, str, str | None], list[Entity]] = {}
        self._deployed: dict[str | None, list[int]] = {}
        self._sizes: dict[int, tuple[int, frozenset[int]]] = {}
        for snapshot in snapshots:
            self._add(snapshot)

    def obstacle(self, key: str, entity: Entity) -> str | None:
        """Why a key is not set to a value that takes three replicas; None where nothing speaks against it."""
        if isinstance(entity, Topic) and key != "replication.factor":
            replicas = entity.settings.get("replication.factor")
            if replicas is not None and is_whole_number(replicas.value) and int(replicas.value) >= ENOUGH:
                return None
            count = "an unknown number of" if replicas is None else replicas.value
            return f"{entity.title}: min.insync.replicas=2 requires three replicas, and the topic has {count}"
        brokers = self.brokers(entity)
        if brokers is None or brokers >= ENOUGH:
            return None
        return f"{entity.title}: three replicas require three brokers, and the cluster has {brokers}"

    def brokers(self, entity: Entity) -> int | None:
        """The number of brokers of an entity's cluster, as far as files say it; None where nothing does.

        A worker's is the cluster that it names; of a mirror's clusters the smallest counts.
        """
        named = [self._brokers_of(node) for node in self._named.get((entity.kind, entity.name, entity.file), ())]
        return min((brokers for brokers in named if brokers is not None), default=self._brokers_of(entity))

    def _add(self, snapshot: Snapshot) -> None:
        """Add the applications that name a cluster, each with a node of it, and the brokers of its deployments."""
        node = [row for row in snapshot.entities if row.kind in SERVER_KINDS][:1]
        for application in dict.fromkeys((row.kind, row.name, row.file) for row in snapshot.applications):
            self._named.setdefault(application, []).extend(node)
        for row in snapshot.entities:
            brokers = row.settings.get("brokers") if row.kind == "deployment" else None
            if brokers is not None and is_whole_number(brokers.value) and int(brokers.value):
                self._deployed.setdefault(row.file, []).append(int(brokers.value))

    def _brokers_of(self, entity: Entity) -> int | None:
        own = self._own.get(id(entity))
        if own is not None and own.live is not None:
            return sum(node.state == ALIVE for node in own.live.nodes)
        described, said = sizes_of((entity,)) if own is None else self._sizes_of(own)
        sizes = [*said, *self._deployed.get(entity.file, ()), *concluded_from(entity)]
        return max(described, min(sizes)) if sizes else None

    def _sizes_of(self, snapshot: Snapshot) -> tuple[int, frozenset[int]]:
        if id(snapshot) not in self._sizes:
            self._sizes[id(snapshot)] = sizes_of(snapshot.entities)
        return self._sizes[id(snapshot)]


def sizes_of(entities: Sequence[Entity]) -> tuple[int, frozenset[int]]:
    """How many brokers entities describe, and the sizes of the cluster that a file counts its nodes among."""
    described = sum(row.kind in SERVER_KINDS and row.kind not in ("controller", OVERLAY) for row in entities)
    return described, frozenset([row.cluster_size for row in entities if row.cluster_size is not None])


def concluded_from(entity: Entity) -> Iterator[int]:
    """What addresses say: voters that are brokers as well, a quorum or a ZooKeeper that only this machine reaches."""
    for key in (*VOTERS, "zookeeper.connect"):
        setting = entity.settings.get(key)
        hosts = [each.rpartition("@")[2].strip() for each in setting.value.split(",")] if setting else []
        if hosts and all(host.rpartition(":")[0] in HERE for host in hosts):
            yield 1
        elif key in VOTERS and hosts and entity.kind == "combined" and len(hosts) < ENOUGH:
            yield len(hosts)
