"""The clusters of files before and after fixes, each judged by itself: what speaks against the fixes of one says nothing of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from advisor.analysis.fixes.verdict import Side, identity, is_worse, objection, other_in_force, pairs
from advisor.edits.fixes import Subjects
from advisor.engine.change_inputs import CLUSTER_INPUTS
from advisor.model import Snapshot
from advisor.model.finding import Finding


class FixedCluster(NamedTuple):
    """One cluster in both states, and the fixes of its subjects."""

    before: Side
    after: Side
    fixes: Sequence[Finding]

    def objection(self) -> str:
        """What speaks against its fixes whatever they are."""
        return objection(self.fixes, self.before, self.after)

    def changes(self) -> str:
        """What of what is in force its fixes change."""
        return other_in_force(self.fixes, pairs(self.before, self.after))


def fixed_clusters(fixes: Sequence[Finding], before: Side, after: Side) -> list[FixedCluster]:
    """The clusters that fixes are of; none where what is new cannot be told to be of one."""
    numbers = {id(entity): number for number, each in enumerate(before.snapshots) for entity in each.entities}
    numbers |= {id(row): numbers[id(own)] for own, row in pairs(before, after) if own is not None and row is not None}
    if any(id(entity) not in numbers for each in after.snapshots for entity in each.entities):
        return []
    was, now = findings_by_cluster(before, numbers), findings_by_cluster(after, numbers)
    known = Counter(map(identity, was.get(None, ())))
    if any(is_worse(row) and not known[identity(row)] for row in now.get(None, ())):
        return []
    subjects = Subjects(before.snapshots)
    of_cluster: dict[int, list[Finding]] = {}
    for finding in fixes:
        of_cluster.setdefault(numbers[id(subjects.of(finding))], []).append(finding)
    old, new = snapshots_by_cluster(before, numbers), snapshots_by_cluster(after, numbers)
    return [
        FixedCluster(
            Side(old.get(number, []), before.report, was.get(number, [])),
            Side(new.get(number, []), after.report, now.get(number, [])),
            own,
        )
        for number, own in of_cluster.items()
    ]


def snapshots_by_cluster(side: Side, numbers: dict[int, int]) -> dict[int | None, list[Snapshot]]:
    """The clusters of one side, by the numbers of their entities."""
    snapshots: dict[int | None, list[Snapshot]] = {}
    for each in side.snapshots:
        for number in dict.fromkeys(numbers[id(entity)] for entity in each.entities):
            snapshots.setdefault(number, []).append(each)
    return snapshots


def findings_by_cluster(side: Side, numbers: dict[int, int]) -> dict[int | None, list[Finding]]:
    """The findings of each cluster; under None those that cannot be told to be of one."""
    by_name: dict[Hashable, int | None] = {}
    for name, number in names_of(side, numbers):
        by_name[name] = number if by_name.get(name, number) == number else None
    findings: dict[int | None, list[Finding]] = {}
    for row in side.findings:
        findings.setdefault(by_name.get((row.entity, row.file), by_name.get(row.entity)), []).append(row)
    return findings


def names_of(side: Side, numbers: dict[int, int]) -> Iterator[tuple[Hashable, int]]:
    """What findings call the subjects of each cluster, and the cluster itself."""
    for each in side.snapshots:
        for entity in each.entities:
            number = numbers[id(entity)]
            name = (entity.kind, entity.name)
            yield from (((name, entity.file), number), (name, number))
            yield from (((what, each.name), number) for what in CLUSTER_INPUTS)
