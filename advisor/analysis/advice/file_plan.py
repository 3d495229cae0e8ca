"""The plan for configuration files: the lines to change, judged again in thought, and what that leaves to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.advice import ONE_BROKER, Judge, Plan, compare, left_by_hand
from advisor.analysis.advice.aims import Aim, by_aim
from advisor.analysis.advice.changes import FileChange
from advisor.analysis.advice.file_changes import ENOUGH_BROKERS, applied, changes_of, takes_more_brokers
from advisor.analysis.advice.step import Cost, Step
from advisor.model import CLIENT_KINDS, SERVER_KINDS, Entity, Snapshot
from advisor.model.finding import Finding
from advisor.rule import Rule

EXISTING = ("default.replication.factor", "min.insync.replicas", "offsets.topic.replication.factor",
            "transaction.state.log.replication.factor")  # fmt: skip
"""Keys that count for topics that are created from then on; topics that exist keep what they have."""


def plan_for_files(snapshots: Sequence[Snapshot], rules: Sequence[Rule], judge: Judge) -> Plan:
    """The plan for files: a step for each of them, whatever it describes."""
    plan = Plan(joined(snapshots), ONE_BROKER, 0, findings=judge(snapshots))
    aims = by_aim(plan.findings, rules)
    plan.left = plan.findings
    for file in dict.fromkeys(finding.file for finding, _ in aims if finding.file):
        step = file_step(file, aims, snapshots, plan.obstacles)
        if step is None:
            continue
        after = applied([change for change in step.changes if isinstance(change, FileChange)], snapshots)
        findings = judge(after)
        compare(step, plan.left, findings)
        if step.removes:
            step.risk = risk_of(step)
            plan.steps.append(step)
            snapshots, plan.left = after, findings
    if any(change.key in EXISTING for step in plan.steps for change in step.changes if isinstance(change, FileChange)):
        first = existing_topics()
        for step in plan.steps:
            step.needs = (first.id,)
        plan.steps.insert(0, first)
    plan.by_hand = left_by_hand(plan, aims)
    return plan


def joined(snapshots: Sequence[Snapshot]) -> Snapshot:
    """All that the files describe, under their names."""
    names = list(dict.fromkeys(snapshot.name for snapshot in snapshots))
    name = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return Snapshot(name, [entity for snapshot in snapshots for entity in snapshot.entities])


def file_step(
    file: str, aims: Sequence[tuple[Finding, Aim]], snapshots: Sequence[Snapshot], obstacles: list[str]
) -> Step | None:
    """The changes of one file; None where there are none."""
    changes: dict[tuple[str, str, int | None], FileChange] = {}
    entities: dict[int, Entity] = {}
    for finding, aim in aims:
        for entity in entities_of(finding, snapshots) if finding.file == file else ():
            for change in possible(list(changes_of(finding, aim, entity)), snapshots, entity, obstacles):
                changes.setdefault(("" if change.line else entity.name, change.key, change.line), change)
                entities[id(entity)] = entity
    if not changes:
        return None
    servers = sum(entity.kind in SERVER_KINDS for entity in entities.values())
    clients = sum(entity.kind in CLIENT_KINDS for entity in entities.values())
    return Step(
        f"file:{file}",
        f"Change {file}",
        "each of these lines does harm where it is",
        tuple(changes.values()),
        cost=Cost(restarts=servers, clients=clients),
        risk="restart brokers one by one, each when every replica is in sync again" if servers else "",
    )


def entities_of(finding: Finding, snapshots: Sequence[Snapshot]) -> list[Entity]:
    """The entity that a finding is about, by its name and file; all of the file where it is about them together."""
    of_file = [entity for snapshot in snapshots for entity in snapshot.entities if entity.file == finding.file]
    named = [entity for entity in of_file if entity.name == finding.entity[1] and entity.kind == finding.entity[0]]
    return named or [entity for entity in of_file if entity.name == finding.entity[1]] or of_file[:1]


def possible(
    changes: Sequence[FileChange], snapshots: Sequence[Snapshot], entity: Entity, obstacles: list[str]
) -> Iterator[FileChange]:
    """The changes for which there are brokers enough; the others stand in the way of the goal."""
    for change in changes:
        brokers = takes_more_brokers(change.key, snapshots, entity)
        if brokers is None:
            yield change
            continue
        obstacle = f"{entity.title}: three replicas take {ENOUGH_BROKERS} brokers, and it has {brokers}"
        if obstacle not in obstacles:
            obstacles.append(obstacle)


def risk_of(step: Step) -> str:
    """What can go wrong: what the rules say of their fixes."""
    cares = dict.fromkeys(finding.care for finding in step.removes if finding.care)
    return " ".join([*([f"{step.risk}."] if step.risk else []), *cares])


def existing_topics() -> Step:
    """What a file does not change, and what has to be there before it does: replicas of topics that exist."""
    return Step(
        "existing-topics",
        "Bring topics that exist to three replicas",
        "replication factors count when a topic is created, and some brokers' settings are shadowed on a running cluster",
        by_hand=(
            "kafka-advisor snapshot --bootstrap-server HOST:PORT -o cluster.json.gz",
            "kafka-advisor advise cluster.json.gz",
        ),
        risk="min.insync.replicas=2 before a topic has three replicas stops its acks=all writes at the next restart",
    )
