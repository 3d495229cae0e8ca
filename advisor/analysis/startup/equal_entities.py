"""Entities of which the same is to be said: they are judged once, and what is found stands at the lines of each."""

from __future__ import annotations

from copy import copy

from advisor.analysis.startup.verdict import with_key
from advisor.engine.subjects.alike import AlikeEntities, frame_of_entity, key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from advisor.analysis.startup.judge import StartupJudge
    from advisor.analysis.startup.verdict import StartupVerdict
    from advisor.engine.verdicts import VerdictTree
    from advisor.model import Entity, Target
    from advisor.model.finding import Finding, NotJudged

    Verdicts = Sequence[StartupVerdict]
    Judged = tuple[Entity, Verdicts, Entity]
    """An entity, the verdicts on it, and the one that was judged for it."""

OF_THE_RUN = frozenset(["process.roles"])
"""Settings of a node that say something of the cluster (see advisor.engine.facts_of_nodes)."""


def judge_entities(
    judge: StartupJudge, entities: Iterable[Entity], releases: Callable[[Entity], Sequence[Target]], tree: VerdictTree
) -> list[Judged]:
    """The verdicts of releases on entities; those have the same that differ in nothing which these rest on."""
    known = JudgedEntities(judge, tree)
    return [known.judge(entity, releases(entity)) for entity in entities]


class JudgedEntities:
    """Judges entities, and knows those that it judged."""

    __slots__ = ("_alike", "_judge", "_tree", "_verdicts")

    def __init__(self, judge: StartupJudge, tree: VerdictTree) -> None:
        self._judge = judge
        self._tree = tree
        self._alike = AlikeEntities(OF_THE_RUN, shows_values=True)
        self._verdicts: dict[int, Verdicts] = {}

    def judge(self, entity: Entity, releases: Sequence[Target]) -> Judged:
        """The verdicts on an entity, those on one that is alike where there is one."""
        frame = (frame_of_entity(entity), tuple([target.version for target in releases]))
        alike = self._alike.find(
            entity, frame, lambda steps: self._judge.are_quiet(steps, entity, releases, self._tree)
        )
        if alike is None:
            notes = self._alike.notes(frame, self._tree)
            verdicts = self._verdicts[id(entity)] = self._judge.judge_releases(entity, releases, self._tree, notes)
            self._alike.add(entity, frame, notes, (row for verdict in verdicts for row in rows_of(verdict)))
            return (entity, verdicts, entity)
        entity.target = releases[-1]
        return (entity, spelled(self._verdicts[id(alike)], entity), alike)


def spelled(verdicts: Verdicts, entity: Entity) -> Verdicts:
    """The verdicts with their keys as the file of an entity spells them; the same ones where nothing differs."""
    keys = {id(row): key_of(row, entity) for verdict in verdicts for row in (*verdict.reasons, *verdict.changed)}
    if all(keys[id(row)] == row.key for verdict in verdicts for row in (*verdict.reasons, *verdict.changed)):
        return verdicts
    others = [copy(verdict) for verdict in verdicts]
    for verdict in others:
        verdict.reasons = [with_key(row, keys[id(row)]) for row in verdict.reasons]
        verdict.changed = [with_key(row, keys[id(row)]) for row in verdict.changed]
    return others


def rows_of(verdict: StartupVerdict) -> list[Finding | NotJudged]:
    """All that a verdict names."""
    return [*verdict.reasons, *verdict.changed, *verdict.unknown]
