"""Snapshots of files judged once each: together, or each as if it were alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from advisor.analysis.advice.files.trial import identity
from advisor.analysis.advice.plan import Judge
from advisor.engine.policy import ALWAYS
from advisor.engine.report import finding_order, without_repetitions
from advisor.model import Snapshot
from advisor.model.finding import Finding

MOST_BATCHES = 20
"""Batches up to which each is judged with all comments."""


class JudgedOnce:
    """Judges the same snapshots once, and a subject that is a snapshot of its own once whatever it is judged with.

    Findings of one subject replace those of another of its name (see advisor.engine.report.without_replaced), and the
    comments of a file, which one of its snapshots has, are for all of them.
    """

    def __init__(self, judge: Judge, snapshots: Sequence[Snapshot]) -> None:
        self._judge = judge
        self._comments = Snapshot("comments", [], [row for each in snapshots for row in each.suppressions])
        self._judged: dict[tuple[int, ...], tuple[Sequence[Snapshot], Sequence[Finding]]] = {}
        self._alone: dict[int, tuple[Snapshot, Sequence[Finding]]] = {}

    def __call__(self, snapshots: Sequence[Snapshot]) -> Sequence[Finding]:
        """The findings of snapshots that are judged together."""
        key = tuple(map(id, snapshots))
        if key not in self._judged:
            self._judged[key] = (list(snapshots), self._together(snapshots))
        return self._judged[key][1]

    def each(self, snapshots: Sequence[Snapshot]) -> Sequence[Sequence[Finding]]:
        """The findings of each snapshot as if it were alone."""
        batches = batches_of([each for each in snapshots if subject_of(each) and id(each) not in self._alone])
        for batch in batches:
            comments = [self._comments] if len(batches) <= MOST_BATCHES else []
            rows = self._judge([*batch, *comments])
            self._keep(batch, rows)
            if len(batches) == 1:
                self._judged[tuple(map(id, batch))] = (batch, rows)
        return [self._alone[id(each)][1] if id(each) in self._alone else self([each]) for each in snapshots]

    def _together(self, snapshots: Sequence[Snapshot]) -> Sequence[Finding]:
        if len(batches_of(snapshots)) > 1 or not all(map(subject_of, snapshots)):
            return self._judge(snapshots)
        is_known = not self._comments.suppressions
        new = [each for each in snapshots if not (is_known and id(each) in self._alone)]
        rows = self._judge(new) if new else []
        are_kept = self._keep(new, rows)
        if len(new) == len(snapshots):
            return rows
        if not are_kept:
            return self._judge(snapshots)
        own_rows = (row for each in snapshots for row in self._alone[id(each)][1])
        return without_repetitions(sorted(own_rows, key=finding_order))

    def _keep(self, snapshots: Sequence[Snapshot], rows: Iterable[Finding]) -> bool:
        """Keep the rows of snapshots of one subject each, whose names differ; whether none of them is about several."""
        rows_of_each: dict[object, list[Finding]] = {subject_of(each): [] for each in snapshots}
        for row in rows:
            if (*row.entity, row.file) in rows_of_each:
                rows_of_each[*row.entity, row.file].append(row)
            elif row.rule not in ALWAYS:
                return False
        self._alone.update((id(each), (each, rows_of_each[subject_of(each)])) for each in snapshots)
        return True


def subject_of(snapshot: Snapshot) -> tuple[str, str, str | None] | None:
    """The kind, the name and the file of the one subject of a snapshot; None where there are several."""
    return identity(snapshot.entities[0]) if len(snapshot.entities) == 1 and not snapshot.applications else None


def batches_of(snapshots: Iterable[Snapshot]) -> list[list[Snapshot]]:
    """The snapshots in as few batches as have no two subjects of one name in one file."""
    batches: list[list[Snapshot]] = []
    numbers: dict[object, int] = {}
    for snapshot in snapshots:
        subject = subject_of(snapshot)
        name = subject[1:] if subject else None
        numbers[name] = number = numbers.get(name, -1) + 1
        if number == len(batches):
            batches.append([])
        batches[number].append(snapshot)
    return batches
