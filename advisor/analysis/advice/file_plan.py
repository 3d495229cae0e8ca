"""The plan for configuration files: the lines to change, judged again in thought, and what that leaves to do.

A change is part of the plan if its lines can be edited, its findings go by it, and nothing of medium severity or above appears.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from advisor.analysis.advice import ONE_BROKER, WORSE, Judge, Plan, compare, left_by_hand, missing_from
from advisor.analysis.advice.aims import Aim, by_aim
from advisor.analysis.advice.changes import FileChange
from advisor.analysis.advice.file_changes import applied, ways_of
from advisor.analysis.advice.known_brokers import known_brokers, obstacle_of
from advisor.analysis.advice.step import Cost, Step
from advisor.model import CLIENT_KINDS, SERVER_KINDS, Entity, Snapshot
from advisor.model.finding import WORST_FIRST, Finding, rank
from advisor.rule import Rule

Asked = tuple[Finding, Aim]
LEAST = "low"
"""The severity from which on a finding makes a change; remarks are left to the reader."""
EXISTING = ("default.replication.factor", "min.insync.replicas", "offsets.topic.replication.factor",
            "transaction.state.log.replication.factor")  # fmt: skip
"""Keys that count for topics that are created from then on; topics that exist keep what they have."""


@dataclass
class Draft:
    """A snapshot of files as it is changed, what is found by then, and the changes that were taken."""

    snapshot: Snapshot
    judge: Judge
    findings: Sequence[Finding]
    changes: list[FileChange] = field(default_factory=list)

    def take(self, asked: Sequence[Asked], changes: Sequence[FileChange]) -> bool:
        """Take changes if a finding that asks for them goes and nothing of WORSE or above appears; whether they were taken."""
        if {lines_of(change) for change in changes} & {lines_of(change) for change in self.changes}:
            return False
        (after,) = applied(changes, [self.snapshot])
        findings = self.judge([after])
        gone = {id(finding) for finding in missing_from([finding for finding, _ in asked], findings)}
        added = [row for row in missing_from(findings, self.findings) if rank(row.severity) >= rank(WORSE)]
        if not gone or added:
            return False
        self.snapshot, self.findings = after, findings
        self.changes += changes
        return True


def lines_of(change: FileChange) -> tuple[object, ...]:
    """What a change is of: a line, or a key that an entity has not."""
    return (change.file, change.line) if change.line else (change.file, change.entity, change.key)


def plan_for_files(snapshots: Sequence[Snapshot], rules: Sequence[Rule], judge: Judge) -> Plan:
    """The plan for files: a step for each of them, whatever it describes."""
    plan = Plan(joined(snapshots), ONE_BROKER, 0, findings=judge(snapshots))
    aims = by_aim(plan.findings, rules)
    changes: list[FileChange] = []
    for snapshot in snapshots:
        draft = Draft(snapshot, judge, judge([snapshot]))
        change_all(draft, by_aim(draft.findings, rules), snapshots, plan.obstacles)
        changes += draft.changes
    before, after = list(snapshots), list(snapshots)
    for file in dict.fromkeys(change.file for change in changes):
        step = file_step(file, [change for change in changes if change.file == file], snapshots)
        numbers = [number for number, each in enumerate(after) if any(row.file == file for row in each.entities)]
        for number in numbers:
            (after[number],) = applied(step_lines(step), [after[number]])
        compare(step, judge([before[number] for number in numbers]), judge([after[number] for number in numbers]))
        before = list(after)
        step.why = why_of(step)
        step.risk = risk_of(step)
        plan.steps.append(step)
    plan.left = judge(after) if changes else plan.findings
    if any(change.key in EXISTING for change in changes):
        first = existing_topics()
        for step in plan.steps:
            step.needs = (first.id,)
        plan.steps.insert(0, first)
    plan.by_hand = [*left_by_hand(plan, aims), *((finding, Aim("by hand")) for finding in missing_from(plan.left, plan.findings))]  # fmt: skip
    return plan


def joined(snapshots: Sequence[Snapshot]) -> Snapshot:
    """All that the files describe, under their names."""
    entities = [entity for snapshot in snapshots for entity in snapshot.entities]
    names = list(dict.fromkeys(entity.file for entity in entities if entity.file)) or [each.name for each in snapshots]
    name = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return Snapshot(name, entities)


def change_all(draft: Draft, aims: Sequence[Asked], snapshots: Sequence[Snapshot], obstacles: list[str]) -> None:
    """Take the changes that findings ask for, the worst first; again as long as one makes another possible."""
    groups = grouped(aims)
    while any(take_first(draft, asked, snapshots, obstacles) for asked in groups):
        pass


def grouped(aims: Sequence[Asked]) -> list[list[Asked]]:
    """Findings of one rule and key, the worst first: what is to be the same on all nodes is changed on all of them."""
    groups: dict[tuple[str, str], list[Asked]] = {}
    for finding, aim in sorted(aims, key=lambda pair: WORST_FIRST.index(pair[0].severity)):
        if finding.file and rank(finding.severity) >= rank(LEAST):
            groups.setdefault((finding.rule, aim.key or finding.kafka_key or finding.key or ""), []).append(
                (finding, aim)
            )
    return list(groups.values())


def take_first(draft: Draft, asked: Sequence[Asked], snapshots: Sequence[Snapshot], obstacles: list[str]) -> bool:
    """Take the first way that works for findings that are still there; whether there was one."""
    present = {(row.rule, row.entity, row.key) for row in draft.findings}
    asked = [pair for pair in asked if (pair[0].rule, pair[0].entity, pair[0].key) in present]
    return any(draft.take(asked, changes) for changes in ways_of_all(draft.snapshot, asked, snapshots, obstacles))


def ways_of_all(
    snapshot: Snapshot, asked: Sequence[Asked], snapshots: Sequence[Snapshot], obstacles: list[str]
) -> Iterator[list[FileChange]]:
    """The ways to change all entities that findings of one rule are about; of each the first or the second."""
    ways: list[list[list[FileChange]]] = []
    for finding, aim in asked:
        for entity in entities_of(finding, snapshot):
            original = next((row for each in snapshots for row in each.entities if same(row, entity)), entity)
            obstacle = obstacle_of(aim.key or finding.kafka_key or finding.key or "", original, snapshots)
            if obstacle is None:
                ways.append(list(ways_of(finding, aim, original)))
            elif obstacle not in obstacles:
                obstacles.append(obstacle)
    ways = [each for each in ways if each]
    for number in range(max(map(len, ways), default=0)):
        yield list(dict.fromkeys(change for each in ways for change in each[min(number, len(each) - 1)]))


def same(one: Entity, other: Entity) -> bool:
    """Whether two are one entity, before and after changes."""
    return (one.kind, one.name, one.file) == (other.kind, other.name, other.file)


def entities_of(finding: Finding, snapshot: Snapshot) -> list[Entity]:
    """The entity that a finding is about, by its name and file; the first of the file where it is about them together."""
    of_file = [entity for entity in snapshot.entities if entity.file == finding.file]
    named = [entity for entity in of_file if entity.name == finding.entity[1]]
    return [entity for entity in named if entity.kind == finding.entity[0]] or named or of_file[:1]


def file_step(file: str, changes: Sequence[FileChange], snapshots: Sequence[Snapshot]) -> Step:
    """The step of one file, with what it takes to make it count."""
    names = {change.entity for change in changes}
    entities = [row for snapshot in snapshots for row in snapshot.entities if row.file == file and row.name in names]
    servers = [row for row in entities if row.kind in SERVER_KINDS]
    clients = len({row.name for row in entities if row.kind in CLIENT_KINDS})
    restarts = max([len({row.name for row in servers}), *(known_brokers(row, snapshots) or 0 for row in servers)])
    return Step(f"file:{file}", f"Change {file}", "", tuple(changes), cost=Cost(restarts=restarts, clients=clients),
                risk="restart brokers one by one, each when every replica is in sync again" if servers else "")  # fmt: skip


def step_lines(step: Step) -> list[FileChange]:
    """The lines that a step changes."""
    return [change for change in step.changes if isinstance(change, FileChange)]


def why_of(step: Step) -> str:
    """What is wrong with the lines, the worst first."""
    rows = sorted(step.removes, key=lambda finding: WORST_FIRST.index(finding.severity))
    return "; ".join(dict.fromkeys(f"{row.severity}: {row.message}" for row in rows))


def risk_of(step: Step) -> str:
    """What can go wrong: what the rules say of their fixes."""
    cares = dict.fromkeys(finding.care for finding in step.removes if finding.care)
    sentences = [f"{step.risk}."] if step.risk else []
    return " ".join(text[:1].upper() + text[1:] for text in [*sentences, *cares])


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
