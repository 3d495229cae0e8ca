"""Changes of files that resolve findings, simulated: taken if they help and make nothing worse."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from advisor.analysis.advice.aims import Aim
from advisor.analysis.advice.files.changes import changed_at, changes_by_place, ways_of
from advisor.analysis.advice.step_effect import WORSE, missing_from
from advisor.edits.change import FileChange
from advisor.edits.text import FileText, Splice, read_text
from advisor.engine.fix_first import REPLICATION, ClusterSizes
from advisor.model import SERVER_KINDS, Entity, Snapshot
from advisor.model.finding import WORST_FIRST, Finding, rank

Asked = tuple[Finding, Aim]
Attempt = Generator[Snapshot, Sequence[Finding], bool]
"""Offers snapshots and is sent what is found in each; whether a change was taken."""
JudgeEach = Callable[[Sequence[Snapshot]], Sequence[Sequence[Finding]]]
"""The findings of each snapshot, judged as if it were alone."""
LEAST = "low"
"""The severity from which on a finding makes a change; remarks are left to the reader."""


class Originals:
    """Files as they are before any change, and what they describe by its identity."""

    def __init__(self, snapshots: Sequence[Snapshot]) -> None:
        self.sizes = ClusterSizes(snapshots)
        self.entities = {identity(row): row for each in reversed(snapshots) for row in reversed(each.entities)}
        self.splices: dict[FileChange, Splice] = {}
        """What those changes are that can be made."""


@dataclass
class Trial:
    """A snapshot of files as it is changed, what is found by then, and the changes that were taken."""

    snapshot: Snapshot
    findings: Sequence[Finding]
    changes: list[FileChange] = field(default_factory=list)
    files: dict[str, FileText | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.original = self.snapshot
        self.present = {about(row) for row in self.findings}

    def text(self, file: str) -> FileText | None:
        """The text of a file, which is read once; None where it cannot be read any more."""
        if file not in self.files:
            self.files[file] = read_text(file)
        return self.files[file]

    def take(self, asked: Sequence[Asked], changes: Sequence[FileChange]) -> Attempt:
        """Take changes if a finding that asks for them goes and nothing of WORSE or above appears."""
        if {target_of(change) for change in changes} & {target_of(change) for change in self.changes}:
            return False
        after = changed_at(changes_by_place(changes), self.snapshot)
        findings = yield after
        gone = {id(finding) for finding in missing_from([finding for finding, _ in asked], findings)}
        added = [row for row in missing_from(findings, self.findings) if rank(row.severity) >= rank(WORSE)]
        if not gone or added:
            return False
        self.snapshot, self.findings = after, findings
        self.present = {about(row) for row in findings}
        self.changes += changes
        return True


def about(finding: Finding) -> tuple[object, ...]:
    """What tells whether a finding is still there."""
    return (finding.rule, finding.entity, finding.key)


def target_of(change: FileChange) -> tuple[object, ...]:
    """What a change is of: a line, or a key that an entity has not."""
    return (change.file, change.line) if change.line else (change.file, change.entity, change.key)


def run_together(attempts: Iterable[Attempt], judge_each: JudgeEach) -> None:
    """Run attempts side by side: what they offer in one round is judged together."""
    offers = [(attempt, snapshot) for attempt in attempts if (snapshot := next(attempt, None)) is not None]
    while offers:
        findings_of_each = judge_each([snapshot for _, snapshot in offers])
        answered = zip(offers, findings_of_each, strict=True)
        following = ((attempt, _next_offer(attempt, findings)) for (attempt, _), findings in answered)
        offers = [(attempt, snapshot) for attempt, snapshot in following if snapshot is not None]


def _next_offer(attempt: Attempt, findings: Sequence[Finding]) -> Snapshot | None:
    try:
        return attempt.send(findings)
    except StopIteration:
        return None


def change_all(trial: Trial, aims: Sequence[Asked], originals: Originals, obstacles: list[str]) -> Attempt:
    """Take the changes that findings ask for, the worst first; again as long as one makes another possible."""
    groups = grouped(aims)
    while (yield from take_any(trial, groups, originals, obstacles)):
        pass
    return bool(trial.changes)


def take_any(trial: Trial, groups: Sequence[Sequence[Asked]], originals: Originals, obstacles: list[str]) -> Attempt:
    """Take what the first group asks for of which a way works."""
    for asked in groups:
        if (yield from take_first(trial, asked, originals, obstacles)):
            return True
    return False


def grouped(aims: Sequence[Asked]) -> list[list[Asked]]:
    """Findings of one rule and key, the worst first: what is to be the same on all nodes is changed on all of them."""
    groups: dict[tuple[str, str], list[Asked]] = {}
    for finding, aim in sorted(aims, key=lambda pair: WORST_FIRST.index(pair[0].severity)):
        if finding.file and rank(finding.severity) >= rank(LEAST):
            groups.setdefault((finding.rule, key_of(finding, aim)), []).append((finding, aim))
    return list(groups.values())


def take_first(trial: Trial, asked: Sequence[Asked], originals: Originals, obstacles: list[str]) -> Attempt:
    """Take the first way that works for findings that are still there."""
    asked = [pair for pair in asked if about(pair[0]) in trial.present]
    for changes in ways_of_all(trial, asked, originals, obstacles):
        if (yield from trial.take(asked, changes)):
            return True
    return False


def ways_of_all(
    trial: Trial, asked: Sequence[Asked], originals: Originals, obstacles: list[str]
) -> Iterator[list[FileChange]]:
    """The ways to change all entities that findings of one rule are about, then those with the other nodes that write the keys."""
    wanted = list(entities_asked_of(trial.snapshot, asked))
    beside = list(nodes_beside(trial.snapshot, wanted))
    for every in (wanted, [*wanted, *beside]) if beside else (wanted,):
        ways = [ways_of_one(trial, row, originals, obstacles) for row in every]
        yield from combined(way for way in ways if way is not None)


def entities_asked_of(snapshot: Snapshot, asked: Sequence[Asked]) -> Iterator[tuple[Asked, Entity]]:
    """The entities that findings are about."""
    by_file: dict[str | None, list[Entity]] = {}
    by_name: dict[tuple[str | None, str], list[Entity]] = {}
    for row in snapshot.entities:
        by_file.setdefault(row.file, []).append(row)
        by_name.setdefault((row.file, row.name), []).append(row)
    for finding, aim in asked:
        named = by_name.get((finding.file, finding.entity[1]), [])
        of_kind = [entity for entity in named if entity.kind == finding.entity[0]]
        for entity in of_kind or named or by_file.get(finding.file, [])[:1]:
            yield (finding, aim), entity


def nodes_beside(snapshot: Snapshot, wanted: Sequence[tuple[Asked, Entity]]) -> Iterator[tuple[Asked, Entity]]:
    """The other nodes that write the keys of nodes which are to change: what only some nodes heed has to be the same on all."""
    of_nodes = [(asked, entity) for asked, entity in wanted if entity.kind in SERVER_KINDS]
    if not of_nodes:
        return
    by_key = {key_of(*asked): asked for asked, _ in reversed(of_nodes)}
    named = {identity(entity) for _, entity in of_nodes}
    for entity in snapshot.entities:
        if entity.kind in SERVER_KINDS and identity(entity) not in named:
            yield from ((asked, entity) for key, asked in by_key.items() if key in entity.settings)


def ways_of_one(
    trial: Trial, wanted: tuple[Asked, Entity], originals: Originals, obstacles: list[str]
) -> Iterator[list[FileChange]] | None:
    """The ways to change one entity; None where something is in the way."""
    (finding, aim), entity = wanted
    original, key = originals.entities.get(identity(entity), entity), key_of(finding, aim)
    obstacle = originals.sizes.obstacle(key, original) if key.endswith(REPLICATION) else None
    if obstacle is None:
        return ways_of(finding, aim, original, trial.text(original.file or ""), originals.splices)
    if obstacle not in obstacles:
        obstacles.append(obstacle)
    return None


def combined(ways_of_each: Iterable[Iterator[list[FileChange]]]) -> Iterator[list[FileChange]]:
    """Changes of several entities together, of each the first or the second way."""
    ways, chosen = list(ways_of_each), dict[int, list[FileChange]]()
    while following := {number: changes for number, each in enumerate(ways) if (changes := next(each, None))}:
        chosen |= following
        yield list(dict.fromkeys(change for number in sorted(chosen) for change in chosen[number]))


def key_of(finding: Finding, aim: Aim) -> str:
    """Kafka's name of the key that is to change."""
    return aim.key or finding.kafka_key or finding.key or ""


def identity(entity: Entity) -> tuple[str, str, str | None]:
    """What is the same of an entity before and after changes."""
    return entity.kind, entity.name, entity.file
