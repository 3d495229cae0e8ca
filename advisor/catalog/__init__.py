"""Kafka's own config definitions for every version, and the lookup.

Importing this loads no definition; a lookup imports the one generated module of its component and version.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

VERSIONS: tuple[tuple[int, int], ...] = (
    *((2, minor) for minor in range(9)),
    *((3, minor) for minor in range(10)),
    *((4, minor) for minor in range(5)),
)
OLDEST = (2, 0)
NEWEST = (4, 4)
LAST_ZOOKEEPER = (3, 9)
LIBRDKAFKA = "librdkafka"


class Definition:
    """What Kafka knows about one key: names, defaults and modes are text as Kafka prints them."""

    __slots__ = ("default", "importance", "name", "required", "type", "update_mode", "valid")

    name: str
    type: str
    default: str | None
    required: bool
    valid: tuple[object, ...] | None
    importance: str | None
    update_mode: str | None

    def __init__(self, name: str, row: tuple[object, ...]) -> None:
        self.name = name
        # The rows are generated in this very order and with these types.
        self.type, self.default, self.required, self.valid, self.importance, self.update_mode = row  # type: ignore

    def __repr__(self) -> str:
        return f"<Definition {self.name}: {self.type}, default {self.default!r}>"


_modules: dict[tuple[str, tuple[int, int]], Mapping[str, tuple[object, ...]]] = {}


def definitions(component: str, version: tuple[int, int]) -> Mapping[str, tuple[object, ...]]:
    """All keys of a component in a version; nothing if that version has no such component."""
    loaded = _modules.get((component, version))
    if loaded is None:
        loaded = _modules[component, version] = _load(component, version)
    return loaded


def _load(component: str, version: tuple[int, int]) -> Mapping[str, tuple[object, ...]]:
    if component == LIBRDKAFKA:
        from advisor.catalog.versions import librdkafka_2_15

        return librdkafka_2_15.DEFINITIONS
    name = f"{__name__}.versions.{component.replace('-', '_')}_{version[0]}_{version[1]}"
    try:
        found: Mapping[str, tuple[object, ...]] = __import__(name, fromlist=("DEFINITIONS",)).DEFINITIONS
    except ModuleNotFoundError:
        return {}
    return found


def lookup(component: str, version: tuple[int, int], key: str) -> Definition | None:
    """The definition of a key in one component of one version, or None."""
    row = definitions(component, version).get(key)
    return None if row is None else Definition(key, row)


def sensitive(definition: Definition) -> bool:
    """Whether the value must never be shown."""
    return definition.type == "password"


class History:
    """What happened to a key: versions are pairs, and (2, 0) as `since` means 2.0 or earlier."""

    __slots__ = (
        "defaults",
        "deprecated",
        "deprecated_note",
        "deprecated_replacement",
        "deprecated_values",
        "documented",
        "note",
        "reference",
        "removed",
        "removed_in",
        "renamed_from",
        "renamed_to",
        "replacement",
        "since",
        "types",
        "update_modes",
        "valids",
    )

    since: tuple[int, int] | None
    documented: tuple[int, int] | None
    """`since`, unless Kafka first read the key without saying so in its documentation."""
    removed: tuple[int, int] | None
    replacement: str | None
    note: str | None
    reference: str | None
    deprecated: tuple[int, int] | None
    deprecated_replacement: str | None
    deprecated_note: str | None
    removed_in: tuple[int, int] | None
    deprecated_values: tuple[tuple[Any, ...], ...]
    """(version, values, replacement, note, planned removal, reference) of values, not of the key itself."""
    defaults: tuple[tuple[Any, ...], ...]
    """(version, was, is, reference), as are the next three; a key without default is '(required)'."""
    types: tuple[tuple[object, ...], ...]
    valids: tuple[tuple[object, ...], ...]
    update_modes: tuple[tuple[object, ...], ...]
    renamed_to: str | None
    renamed_from: str | None

    def __init__(self, span: tuple[object, object], events: tuple[tuple[object, ...], ...]) -> None:
        self.since, self.removed = span  # type: ignore[assignment]
        self.documented = _last(events, "added", 2)[0] or self.since
        _, self.replacement, self.note, self.reference = _last(events, "removed", 4)
        (
            self.deprecated,
            self.deprecated_replacement,
            self.deprecated_note,
            self.removed_in,
            reference,
        ) = _last(events, "deprecated", 5)
        self.reference = self.reference or reference
        self.deprecated_values = _rows(events, "deprecated_value")
        self.defaults, self.types = _rows(events, "default"), _rows(events, "type")
        self.valids, self.update_modes = _rows(events, "valid"), _rows(events, "update-mode")
        self.renamed_to = _last(events, "renamed_to", 3)[1]
        self.renamed_from = _last(events, "renamed_from", 3)[1]


def _rows(events: tuple[tuple[object, ...], ...], kind: str) -> tuple[tuple[object, ...], ...]:
    return tuple(event[1:] for event in events if event[0] == kind)


def _last(events: tuple[tuple[object, ...], ...], kind: str, size: int) -> tuple[Any, ...]:
    return (_rows(events, kind) or ((None,) * size,))[-1]


def history(component: str, key: str) -> History:
    """When a key came, changed and went; all empty if the component never had it."""
    from advisor.catalog.versions import lifecycle

    span = lifecycle.SPANS.get(component, {}).get(key, (None, None))
    return History(span, lifecycle.EVENTS.get(component, {}).get(key, ()))


def marked(key: str) -> bool:
    """Whether some release deprecated or renamed the key or one of its values: `history` has more to say."""
    from advisor.catalog.versions import marks

    return key in marks.MARKED


def known_anywhere(key: str) -> tuple[str, ...]:
    """The components that have or had this key in any version."""
    from advisor.catalog.versions import names

    return names.NAMES.get(key, ())


def synonyms(topic_key: str) -> tuple[tuple[str, int], ...]:
    """The broker keys that stand in for a topic key, first set one wins, each with its factor."""
    from advisor.catalog.versions import synonyms as generated

    return generated.SYNONYMS.get(topic_key, ())


def own_name(librdkafka_key: str) -> str:
    """librdkafka's own name of a property that may be written as one of its aliases."""
    from advisor.catalog.versions import librdkafka_2_15

    return librdkafka_2_15.ALIASES.get(librdkafka_key, librdkafka_key)


def role(librdkafka_key: str) -> str | None:
    """Who reads a librdkafka property: 'P' producers, 'C' consumers, '*' both, None nobody."""
    from advisor.catalog.versions import librdkafka_2_15

    return librdkafka_2_15.ROLES.get(librdkafka_key)


def closest(key: str, candidates: Iterable[str]) -> str | None:
    """The candidate that is one or two slips of the keyboard away, if there is one."""
    from advisor.catalog.spelling import closest as nearest

    return nearest(key, candidates)
