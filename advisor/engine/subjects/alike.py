"""Entities that are alike: what was said of one holds for another that differs in nothing which that rests on."""

from __future__ import annotations

from advisor.config import Config
from advisor.engine.subjects.contents import content_of, differing_names, differing_parts, frame_of, names_of
from advisor.engine.subjects.notes import NotedVerdicts, union
from advisor.model import DEPLOYMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    from advisor.engine.subjects.asked_keys import AskedOf
    from advisor.engine.subjects.contents import Part
    from advisor.engine.subjects.notes import Step
    from advisor.engine.verdicts import VerdictTree
    from advisor.model import Entity, Setting
    from advisor.model.finding import Finding, NotJudged

    Contents = tuple[int, ...]
    """What can be said of each setting of an entity, as numbers: equal ones have the same."""

MOST_NOTED = 16
"""Entities with the same keys that are judged with notes; what differs from all of them is judged by itself."""


class AlikeEntities:
    """The entities that were judged, for others with the same keys.

    What is said of them rests on the settings `always`, too, and shows the values that it rests on where `shows_values`.
    """

    __slots__ = ("_always", "_by_content", "_by_frame", "_numbers", "_shows_values", "_spelled")

    def __init__(self, always: frozenset[str], shows_values: bool) -> None:
        self._always = always
        self._shows_values = shows_values
        self._by_content: dict[Hashable, Entity] = {}
        self._by_frame: dict[Hashable, list[NotedEntity]] = {}
        self._numbers: dict[Hashable, int] = {}
        self._spelled: dict[int, Mapping[str, str]] = {}

    def find(self, entity: Entity, frame: Hashable, are_quiet: Callable[[Sequence[Step]], bool]) -> Entity | None:
        """One of which the same is to be said; `are_quiet` tells whether steps that say nothing of that one say nothing here."""
        contents = self._contents_of(entity)
        same = self._by_content.get((frame, names_of(entity), contents))
        for noted in self._by_frame.get(frame, ()) if same is None else ():
            steps = noted.steps_for(entity, contents)
            if steps is not None and are_quiet(steps):
                same = noted.entity
                break
        return same if same is not None and self._are_spelled_alike(entity, same) else None

    def notes(self, frame: Hashable, tree: VerdictTree) -> NotedVerdicts | None:
        """What takes notes while the next one is judged: they are worth it from the second one on with the same keys."""
        noted = self._by_frame.get(frame)
        return NotedVerdicts(tree) if noted is not None and len(noted) < MOST_NOTED else None

    def add(
        self,
        entity: Entity,
        frame: Hashable,
        notes: NotedVerdicts | None,
        rows: Iterable[Finding | NotJudged],
        in_texts: Collection[str] = (),
    ) -> None:
        """An entity that was judged, the rows that name its keys, and the keys that are named `in_texts`."""
        contents = self._contents_of(entity)
        self._by_content[frame, names_of(entity), contents] = entity
        noted = self._by_frame.setdefault(frame, [])
        if notes is not None:
            noted.append(NotedEntity(entity, contents, notes, self._always, self._shows_values))
        if entity.spelling is not None:
            spell, bare = entity.spelling.spell, {row.key for row in rows if row.key}
            self._spelled[id(entity)] = {key: key for key in bare if spell(key) == key} | {
                key: spelled_in(entity, key) for key in in_texts
            }

    def _contents_of(self, entity: Entity) -> Contents:
        """All that can be said of each setting of an entity but where it stands."""
        numbers, rows = self._numbers, entity.settings.values()
        return tuple([numbers.setdefault((shown_content(row), parts_of(row)), len(numbers)) for row in rows])

    def _are_spelled_alike(self, entity: Entity, judged: Entity) -> bool:
        """Whether the keys that are not spelled anew in rows are spelled as in the file of the one that was judged."""
        spelling = entity.spelling
        if spelling is None or judged.spelling is None:
            return spelling is judged.spelling
        return all(spelled_in(entity, key) == spelled for key, spelled in self._spelled[id(judged)].items())


class NotedEntity:
    """An entity that was judged with notes."""

    __slots__ = ("_always", "_contents", "_notes", "_quiet", "_said", "_shows_values", "_steps", "entity")

    def __init__(
        self, entity: Entity, contents: Contents, notes: NotedVerdicts, always: frozenset[str], shows_values: bool
    ) -> None:
        self.entity = entity
        self._always = always
        self._shows_values = shows_values
        self._contents = contents
        self._notes: NotedVerdicts | None = notes
        self._said: AskedOf = None
        self._quiet: dict[Step, AskedOf] = {}
        self._steps: dict[tuple[Part, ...], Sequence[Step] | None] = {}

    def steps_for(self, other: Entity, contents: Contents) -> Sequence[Step] | None:
        """The steps that have to say nothing of another entity, too, for the judgement to hold; None: it does not."""
        settings = self.entity.settings
        pairs = zip(settings, self._contents, contents, strict=True)
        keys = [key for key, content, of_other in pairs if content != of_other]
        if self._notes is None and (self._said is None or not self._said.isdisjoint(keys)):
            return None
        if any(is_hidden(each[key]) for key in keys for each in (settings, other.settings)):
            return None
        names = differing_names(names_of(self.entity), names_of(other))
        parts = names + differing_parts(keys, settings, other.settings)
        if parts not in self._steps:
            self._steps[parts] = self._where_these_differ(parts)
        return self._steps[parts]

    def _where_these_differ(self, parts: tuple[Part, ...]) -> Sequence[Step] | None:
        if self._notes is not None:
            said, self._quiet = self._notes.rests_on(self._shows_values)
            self._said, self._notes = union((said, self._always)), None
        if self._said is None or not self._said.isdisjoint(parts):
            return None
        return [step for step, asked in self._quiet.items() if asked is None or not asked.isdisjoint(parts)]


def frame_of_entity(entity: Entity) -> Hashable:
    """All that is said of an entity but its names, lines, values and what its file has before all keys of it."""
    rows = tuple(
        [
            (*form_of(row, entity), row.conditional, row.variable, tuple(row.parts or ()))
            for row in entity.settings.values()
        ]
    )
    of_file = (
        entity.format,
        entity.platform,
        entity.file is None,
        entity.cluster_size,
        entity.replicas,
        frozenset(entity.places or ()),
    )
    return (frame_of(Config(entity)), rows, of_file)


def form_of(setting: Setting, entity: Entity) -> tuple[Hashable, str]:
    """How the key of a setting is written but for its name, and what stands before its value in the line."""
    written = setting.written
    if not written or entity.spelling is None or entity.kind == DEPLOYMENT:
        return written, setting.lead
    return written == setting.key, setting.lead.removeprefix(written)


def shown_content(setting: Setting) -> Hashable:
    """All that can be said of a setting but where it stands."""
    return content_of(setting), setting.shown, setting.derived


def parts_of(setting: Setting) -> Hashable:
    """All that can be said of the parts of a setting but where they stand."""
    return tuple([(row.key, row.written, shown_content(row)) for row in (setting.parts or {}).values()])


def key_of(finding: Finding, entity: Entity) -> str | None:
    """The key of a finding as the file of another entity spells it."""
    key = finding.kafka_key
    return finding.key if key is None or entity.spelling is None else spelled_in(entity, key)


def spelled_in(entity: Entity, key: str) -> str:
    """A key of Kafka's as the file of an entity spells it, which has a spelling."""
    setting = entity.settings.get(key)
    assert entity.spelling is not None
    return (setting and setting.written) or entity.spelling.spell(key)


def is_hidden(setting: Setting) -> bool:
    """Whether outputs may show something else than the value, in what they say of other settings, too."""
    return setting.shown != setting.value or bool(setting.shadowed)
