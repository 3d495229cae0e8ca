"""The plan for configuration files: the lines to change, judged again in thought, and what that leaves to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from advisor.analysis.advice import ONE_BROKER, Judge, Plan, compare, left_by_hand
from advisor.analysis.advice.aims import REMOVE, REPLICAS, SET, Aim, by_aim
from advisor.analysis.advice.changes import FileChange
from advisor.analysis.advice.step import Cost, Step
from advisor.model import CLIENT_KINDS, SERVER_KINDS, Entity, Origin, Setting, Snapshot
from advisor.model.finding import Finding
from advisor.rule import Rule

EXISTING = ("default.replication.factor", "min.insync.replicas", "offsets.topic.replication.factor",
            "transaction.state.log.replication.factor")  # fmt: skip
"""Keys that count for topics that are created from then on; topics that exist keep what they have."""


def plan_for_files(snapshot: Snapshot, rules: Sequence[Rule], judge: Judge) -> Plan:
    """The plan for the files of one cluster: a step for each file."""
    plan = Plan(snapshot, ONE_BROKER, 0, findings=judge(snapshot))
    aims = by_aim(plan.findings, rules)
    plan.after, plan.left = snapshot, plan.findings
    for file in dict.fromkeys(finding.file for finding, _ in aims if finding.file):
        step = file_step(file, aims, plan.after)
        if step is None:
            continue
        after = applied(step, plan.after)
        findings = judge(after)
        compare(step, plan.left, findings)
        if step.removes:
            step.risk = risk_of(step)
            plan.steps.append(step)
            plan.after, plan.left = after, findings
    if any(change.key in EXISTING for step in plan.steps for change in step.changes if isinstance(change, FileChange)):
        first = existing_topics()
        for step in plan.steps:
            step.needs = (first.id,)
        plan.steps.insert(0, first)
    plan.by_hand = left_by_hand(plan, aims)
    return plan


def file_step(file: str, aims: Sequence[tuple[Finding, Aim]], snapshot: Snapshot) -> Step | None:
    """The changes of one file; None where there are none."""
    changes: dict[tuple[str, int | None], FileChange] = {}
    kinds = set()
    for finding, aim in aims:
        entity = entity_of(finding, snapshot)
        if finding.file == file and entity is not None and aim.what in (SET, REMOVE, REPLICAS):
            for change in changes_of(file, finding, aim, entity):
                changes.setdefault((change.key, change.line), change)
                kinds.add(entity.kind)
    if not changes:
        return None
    is_server, is_client = bool(kinds & set(SERVER_KINDS)), bool(kinds & set(CLIENT_KINDS))
    return Step(
        f"file:{file}",
        f"Change {file}",
        "each of these lines does harm where it is",
        tuple(changes.values()),
        cost=Cost(restarts=int(is_server), clients=int(is_client)),
        risk="restart brokers one by one, each when every replica is in sync again" if is_server else "",
    )


def entity_of(finding: Finding, snapshot: Snapshot) -> Entity | None:
    """The entity that a finding is about, by its name and file."""
    of_file = [entity for entity in snapshot.entities if entity.file == finding.file]
    named = [entity for entity in of_file if entity.name == finding.entity[1]]
    return next(iter(named or of_file), None)


def changes_of(file: str, finding: Finding, aim: Aim, entity: Entity) -> Iterator[FileChange]:
    """The lines that a finding asks to change; to remove a key takes every line that sets it, or an earlier one counts.

    None where the file has no such key to remove, or a number of replicas is meant.
    """
    key = aim.key or (finding.kafka_key or finding.key or "")
    setting = entity.settings.get(key)
    value = aim.value if aim.what == SET else None
    if aim.what == REPLICAS or (setting is None and value is None) or (setting is not None and setting.secret):
        return
    if setting is None:
        yield FileChange(file, None, key, key, None, value)
        return
    for line in (setting, *(setting.shadowed if value is None else ())):
        if line.origin.file == file:
            yield FileChange(file, line.origin.line, key, line.written or key, line.shown, value)


def applied(step: Step, snapshot: Snapshot) -> Snapshot:
    """The snapshot as it would be read from the changed file."""
    changes = [change for change in step.changes if isinstance(change, FileChange)]
    entities = [
        changed(entity, [change for change in changes if change.file == entity.file]) for entity in snapshot.entities
    ]
    return Snapshot(snapshot.name, entities, snapshot.suppressions, snapshot.live, snapshot.joined)


def changed(entity: Entity, changes: Sequence[FileChange]) -> Entity:
    """An entity of a file with other lines."""
    if not changes:
        return entity
    after = copy(entity)
    after.settings = dict(entity.settings)
    for change in changes:
        present = after.settings.pop(change.key, None)
        if change.value is not None:
            source = present.source if present else next((row.source for row in entity.settings.values()), "")
            origin = present.origin if present else Origin(change.file, None, None)
            after.settings[change.key] = Setting(change.key, change.value, source, origin)
    return after


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
