"""Entities that are alike: what was said of one holds for another that differs in nothing which that rests on."""

from __future__ import annotations

from advisor.engine.subjects.notes import union
from advisor.engine.subjects.similar import content_of, differing_parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from advisor.engine.subjects.notes import NotedVerdicts, Step
    from advisor.engine.subjects.similar import AskedOf, Part
    from advisor.model import Entity, Setting

    Contents = tuple[Hashable, ...]


class NotedEntity:
    """An entity that was judged with notes, for others with the same keys."""

    __slots__ = ("_always", "_contents", "_notes", "_quiet", "_said", "_settings", "_steps")

    def __init__(self, entity: Entity, notes: NotedVerdicts, always: frozenset[str]) -> None:
        self._always = always
        self._settings = entity.settings
        self._contents = contents_of(entity)
        self._notes: NotedVerdicts | None = notes
        self._said: AskedOf = None
        self._quiet: dict[Step, AskedOf] = {}
        self._steps: dict[tuple[Part, ...], Sequence[Step] | None] = {}

    def steps_for(self, other: Entity, contents: Contents) -> Sequence[Step] | None:
        """The steps that have to say nothing of another entity, too, for the judgement to hold; None: it does not."""
        pairs = zip(self._settings, self._contents, contents, strict=True)
        keys = [key for key, content, of_other in pairs if content != of_other]
        if any(is_hidden(settings[key]) for key in keys for settings in (self._settings, other.settings)):
            return None
        parts = differing_parts(keys, self._settings, other.settings)
        if parts not in self._steps:
            self._steps[parts] = self._where_these_differ(parts)
        return self._steps[parts]

    def _where_these_differ(self, parts: tuple[Part, ...]) -> Sequence[Step] | None:
        if self._notes is not None:
            said, self._quiet = self._notes.rests_on()
            self._said, self._notes = union((said, self._always)), None
        if self._said is None or not self._said.isdisjoint(parts):
            return None
        return [step for step, asked in self._quiet.items() if asked is None or not asked.isdisjoint(parts)]


def contents_of(entity: Entity) -> Contents:
    """All that can be said of each setting of an entity but where it stands."""
    return tuple([(content_of(row), row.shown, row.derived) for row in entity.settings.values()])


def is_hidden(setting: Setting) -> bool:
    """Whether outputs may show something else than the value, in what they say of other settings, too."""
    return setting.shown != setting.value or bool(setting.shadowed)
