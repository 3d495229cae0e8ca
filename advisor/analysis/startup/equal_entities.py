"""Entities of which the same is to be said: they are judged once, and what is found stands at the lines of each."""

from __future__ import annotations

from advisor.config import Config
from advisor.engine.subjects.alike import NotedEntity, contents_of
from advisor.engine.subjects.notes import NotedVerdicts
from advisor.engine.subjects.similar import frame_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from advisor.analysis.startup.judge import StartupJudge
    from advisor.analysis.startup.verdict import StartupVerdict
    from advisor.engine.subjects.alike import Contents
    from advisor.engine.verdicts import VerdictTree
    from advisor.model import Entity, Version
    from advisor.model.finding import Finding, NotJudged

    Verdicts = Sequence[StartupVerdict]
    Judged = tuple[Entity, Verdicts, Entity]
    """An entity, the verdicts on it, and the one that was judged for it."""
    Noted = tuple[NotedEntity | None, Judged]
    """One that was judged, with notes for others that are alike."""

MOST_NOTED = 16
"""Entities with the same keys that are judged with notes; what differs from all of them is judged by itself."""
OF_THE_RUN = frozenset(["process.roles"])
"""Settings of a node that say something of the cluster (see advisor.engine.facts_of_nodes)."""


def judge_entities(
    judge: StartupJudge, entities: Iterable[Entity], releases: Callable[[Entity], Sequence[Version]], tree: VerdictTree
) -> list[Judged]:
    """The verdicts of releases on entities; those have the same that differ in nothing which these rest on."""
    known = JudgedEntities(judge, tree)
    return [known.judge(entity, releases(entity)) for entity in entities]


class JudgedEntities:
    """Judges entities, and knows those that it judged."""

    __slots__ = ("_alike", "_first", "_judge", "_spelled", "_tree")

    def __init__(self, judge: StartupJudge, tree: VerdictTree) -> None:
        self._judge = judge
        self._tree = tree
        self._first: dict[Hashable, Judged] = {}
        self._alike: dict[Hashable, list[Noted]] = {}
        self._spelled: dict[int, Mapping[str, str]] = {}

    def judge(self, entity: Entity, releases: Sequence[Version]) -> Judged:
        """The verdicts on an entity, those on one that equals it or is alike where there is one."""
        frame = (frame_of_entity(entity), tuple(releases))
        contents, alike = contents_of(entity), self._alike.setdefault(frame, [])
        same = self._first.get((frame, contents)) or self._judged_alike(entity, contents, releases, alike)
        if same is None or not self._is_spelled_alike(entity, same):
            same = self._first[frame, contents] = self._judged(entity, releases, alike)
        entity.target = same[0].target
        return (entity, *same[1:])

    def _judged_alike(
        self, entity: Entity, contents: Contents, releases: Sequence[Version], alike: Iterable[Noted]
    ) -> Judged | None:
        for noted, judged in alike:
            steps = None if noted is None else noted.steps_for(entity, contents)
            if steps is not None and self._judge.are_quiet(steps, entity, releases, self._tree):
                return judged
        return None

    def _judged(self, entity: Entity, releases: Sequence[Version], alike: list[Noted]) -> Judged:
        """Judge an entity; notes are worth it from the second one on that has the same keys."""
        notes = NotedVerdicts(self._tree) if 0 < len(alike) <= MOST_NOTED else None
        judged = (entity, self._judge.judge_releases(entity, releases, self._tree, notes), entity)
        if len(alike) <= MOST_NOTED:
            alike.append((NotedEntity(entity, notes, OF_THE_RUN) if notes is not None else None, judged))
        return judged

    def _is_spelled_alike(self, entity: Entity, judged: Judged) -> bool:
        """Whether the keys that verdicts name are spelled as in the file of the entity that was judged."""
        spelling, other = entity.spelling, judged[2].spelling
        if spelling is None or other is None:
            return spelling is other
        if id(judged[1]) not in self._spelled:
            self._spelled[id(judged[1])] = {key: other.spell(key) for key in keys_of(judged[1])}
        return all(spelling.spell(key) == spelled for key, spelled in self._spelled[id(judged[1])].items())


def frame_of_entity(entity: Entity) -> Hashable:
    """All that a verdict says of an entity but its name, lines and values; an entity with places of its own is like no other."""
    rows = tuple((row.written, row.lead, row.conditional) for row in entity.settings.values())
    has_places = entity.places is not None or any(row.parts is not None for row in entity.settings.values())
    of_file = (
        entity.format,
        entity.platform,
        entity.file is None,
        entity.cluster_size,
        id(entity) if has_places else 0,
    )
    return (frame_of(Config(entity)), rows, of_file)


def keys_of(verdicts: Verdicts) -> set[str]:
    """The keys that verdicts name."""
    rows = (row for verdict in verdicts for row in rows_of(verdict))
    return {key for row in rows for key in (row.key, getattr(row, "kafka_key", None)) if key}


def rows_of(verdict: StartupVerdict) -> list[Finding | NotJudged]:
    """All that a verdict names."""
    return [*verdict.reasons, *verdict.changed, *verdict.unknown]
