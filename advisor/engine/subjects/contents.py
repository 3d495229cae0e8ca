"""What subjects of files are compared by: all that rules may ask of them."""

from __future__ import annotations

from advisor.catalog.host_aliases import outline
from advisor.model import LITERAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from advisor.config import Config
    from advisor.model import Entity, Setting

    Part = str | tuple[str, str]
    """A setting by its key; the outline of its value, all of it but its value; or the question after a name of the subject."""

OUTLINE, SHAPE = "outline", "shape"
NAMES = ("known as", "resource", "mounts")
"""Questions after the names that a subject has beside its settings, those of its volumes included."""


def frame_of(config: Config) -> Hashable:
    """All that rules may ask of a subject but its names and the values of its settings."""
    entity, target = config.entity, config.entity.target
    release = (target.version, target.given, target.vendor, target.stated and content_of(target.stated))
    described = None if entity.described is None else frozenset(entity.described.items())
    limits = (entity.missing, entity.changed_by, entity.fragment, entity.cluster, described)
    managed = (entity.removal, entity.replaced, entity.guards)
    facts = (frozenset(config.facts.items()) if config.facts else None, bool(config.other_role))
    keys = tuple([(key, setting.source) for key, setting in config.settings.items()])
    return (entity.kind, entity.family, release, limits, managed, facts, keys)


def contents_of(config: Config) -> Hashable:
    """All that rules may ask of a subject but its names: equal for subjects of which the same holds."""
    return frame_of(config), tuple([content_of(setting) for setting in config.settings.values()])


def names_of(entity: Entity) -> tuple[Hashable, ...]:
    """The answers to NAMES."""
    return entity.known_as, entity.resource, entity.mounts


def differing_names(names: Sequence[Hashable], others: Sequence[Hashable]) -> tuple[Part, ...]:
    """The names that differ."""
    return tuple([(each, "") for each, name, other in zip(NAMES, names, others, strict=True) if name != other])


def content_of(setting: Setting) -> tuple[Hashable, ...]:
    """All that rules may ask of a setting."""
    jaas = setting.jaas and (setting.jaas.modules, setting.jaas.problem, setting.jaas.login)
    earlier = tuple([other.value for other in setting.shadowed]) if setting.shadowed else None
    return (setting.value, setting.shape, setting.secret, setting.provider, jaas, earlier)


def differing_parts(
    keys: Sequence[str], settings: Mapping[str, Setting], others: Mapping[str, Setting]
) -> tuple[Part, ...]:
    """The parts of settings that differ, of those keys whose values do."""
    return (*keys, *(part for key in keys for part in parts_beside_value(key, settings[key], others[key])))


def parts_beside_value(key: str, one: Setting, other: Setting) -> Iterator[Part]:
    """What else than the value of a setting differs."""
    if content_of(one)[1:] != content_of(other)[1:]:
        yield from ((OUTLINE, key), (SHAPE, key))
    elif one.shape != LITERAL or outline(key, one.value) != outline(key, other.value):
        yield (OUTLINE, key)


class ContentsOfSubject:
    """The names and the settings of a subject, and all that rules may ask of each."""

    __slots__ = ("_names", "_settings", "_values")

    def __init__(self, config: Config) -> None:
        self._names = names_of(config.entity)
        self._settings = config.settings
        self._values = [content_of(setting) for setting in config.settings.values()]

    def differing(self, config: Config) -> tuple[Part, ...]:
        """The parts that differ of another subject with the same frame, which keeps them."""
        if config.compared is None or config.compared[0] is not self:
            config.compared = (self, self._differing(config))
        return config.compared[1]

    def _differing(self, config: Config) -> tuple[Part, ...]:
        pairs = zip(config.settings.items(), self._values, strict=True)
        keys = [key for (key, setting), value in pairs if content_of(setting) != value]
        names = differing_names(self._names, names_of(config.entity))
        return names + differing_parts(keys, self._settings, config.settings)
