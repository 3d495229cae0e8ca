"""Kafka's own config definitions for every version, and the lookup.

Importing this loads no definition; a lookup imports the one generated module of its component.
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
FIRST_KRAFT = (3, 3)
"""The first release whose KRaft mode is for production."""
LAST_ZOOKEEPER = (3, 9)
LIBRDKAFKA = "librdkafka"
ADDRESS, PRINCIPAL, HARMLESS, FREE_TEXT = "address", "principal", "harmless", "free text"
PASSWORD, TYPED = "password", "typed"
"""What a key's value is made of, by which outputs show it or not."""


class Definition:
    """What Kafka knows about one key: names, defaults and modes are text as Kafka prints them."""

    __slots__ = ("default", "importance", "name", "required", "row", "type", "update_mode", "valid")

    name: str
    type: str
    default: str | None
    required: bool
    valid: tuple[object, ...] | None
    importance: str | None
    update_mode: str | None

    def __init__(self, name: str, row: tuple[object, ...]) -> None:
        self.name = name
        self.row = row
        # The rows are generated in this very order and with these types.
        self.type, self.default, self.required, self.valid, self.importance, self.update_mode = row  # type: ignore

    def __repr__(self) -> str:
        return f"<Definition {self.name}: {self.type}, default {self.default!r}>"


_definitions: dict[tuple[str, tuple[int, int]], Mapping[str, tuple[object, ...]]] = {}


def definitions(component: str, version: tuple[int, int]) -> Mapping[str, tuple[object, ...]]:
    """All keys of a component in a version; nothing if that version has no such component."""
    if (component, version) not in _definitions:
        rows = {key: _row(spans, version) for key, spans in _table(component).items() if version in VERSIONS}
        _definitions[component, version] = {key: row for key, row in rows.items() if row is not None}
    return _definitions[component, version]


def lookup(component: str, version: tuple[int, int], key: str) -> Definition | None:
    """Look up the definition of a key in one component of one version; None if there is none."""
    row = _row(_table(component).get(key, ()), version) if version in VERSIONS else None
    return None if row is None else Definition(key, row)


def _table(component: str) -> Mapping[str, tuple[tuple[Any, ...], ...]]:
    """Per key its definitions, each with the first and the last release that it holds for (None: it still does)."""
    module = _history(component)
    return module.DEFINITIONS if module is not None else {}


def _row(spans: tuple[tuple[Any, ...], ...], version: tuple[int, int]) -> tuple[object, ...] | None:
    for first, last, row in spans:
        if first <= version and (last is None or version <= last):
            return row  # type: ignore[no-any-return]
    return None


_histories: dict[str, Any] = {}


def _history(component: str) -> Any:
    """The generated module of a component, None where there is none."""
    if component not in _histories:
        try:
            name = f"{__name__}.history.{component.replace('-', '_')}"
            _histories[component] = __import__(name, fromlist=("DEFINITIONS",))
        except ModuleNotFoundError:
            _histories[component] = None
    return _histories[component]


def sensitive(definition: Definition) -> bool:
    """Whether the value must never be shown."""
    return definition.type == "password"


class KeyHistory:
    """What happened to a key: versions are pairs, and (2, 0) as `since` means 2.0 or earlier."""

    __slots__ = (
        "defaults",
        "deprecated",
        "deprecated_note",
        "deprecated_replacement",
        "deprecated_values",
        "note",
        "reference",
        "removed",
        "removed_in",
        "renamed",
        "renamed_to",
        "replacement",
        "since",
    )

    since: tuple[int, int] | None
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
    """(version, was, is, reference); a key without default is '(required)'."""
    renamed: tuple[int, int] | None
    renamed_to: str | None

    def __init__(
        self,
        definitions: tuple[tuple[Any, ...], ...],
        removed: tuple[int, int] | None,
        events: tuple[tuple[object, ...], ...],
    ) -> None:
        self.since = definitions[0][0] if definitions else None
        self.removed = removed
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
        self.defaults = tuple(_default(definitions, *row) for row in _rows(events, "default"))
        self.renamed, self.renamed_to, _ = _last(events, "renamed_to", 3)


def _rows(events: tuple[tuple[object, ...], ...], kind: str) -> tuple[tuple[Any, ...], ...]:
    return tuple(event[1:] for event in events if event[0] == kind)


def _last(events: tuple[tuple[object, ...], ...], kind: str, size: int) -> tuple[Any, ...]:
    return (_rows(events, kind) or ((None,) * size,))[-1]


def _default(definitions: tuple[tuple[Any, ...], ...], version: tuple[int, int], reference: str | None) -> Any:
    """A change of the default with what it was and is."""
    was = next(row for row in reversed(definitions) if row[0] < version)
    now = next(row for row in reversed(definitions) if row[0] <= version)
    return (version, *("(required)" if row[2][2] else row[2][1] for row in (was, now)), reference)


NO_HISTORY = KeyHistory((), None, ())
"""That of a key which a component never had."""


def key_history(component: str, key: str) -> KeyHistory:
    """When a key was added, changed and removed; all empty if the component never had it."""
    module = None if component == LIBRDKAFKA else _history(component)
    if module is None or not (key in module.DEFINITIONS or key in module.REMOVED or key in module.EVENTS):
        return NO_HISTORY
    return KeyHistory(module.DEFINITIONS.get(key, ()), module.REMOVED.get(key), module.EVENTS.get(key, ()))


def marked(key: str) -> bool:
    """Whether some release deprecated or renamed the key or one of its values: `key_history` has more to say."""
    from advisor.catalog.history import index

    return " " not in key and f" {key} " in index.MARKED


_owners: dict[str, tuple[str, ...]] = {}


def known_anywhere(key: str) -> tuple[str, ...]:
    """The components that have or had this key in any version."""
    return _owners_by_key().get(key, ())


def all_keys() -> Iterable[str]:
    """Every key of every component in any version."""
    return _owners_by_key().keys()


def _owners_by_key() -> Mapping[str, tuple[str, ...]]:
    if not _owners:
        from advisor.catalog.history import index

        owners: dict[str, tuple[str, ...]] = {}
        for components, keys in index.KEYS_BY_COMPONENTS.items():
            owners.update(dict.fromkeys(keys.split(), tuple(components.split())))
        _owners.update(owners)  # at once: another thread may look
    return _owners


def synonyms(topic_key: str) -> tuple[tuple[str, int], ...]:
    """The broker keys whose values a topic key inherits, first set one wins, each with its factor."""
    from advisor.catalog.history import topic

    return topic.SYNONYMS.get(topic_key, ())


_roles: dict[str, str] = {}


def role(librdkafka_key: str) -> str | None:
    """Who reads a librdkafka property: 'P' producers, 'C' consumers, '*' both, None neither."""
    if not _roles:
        from advisor.catalog.history import librdkafka

        roles: dict[str, str] = {}
        for name, keys in librdkafka.KEYS_BY_ROLE.items():
            roles.update(dict.fromkeys(keys.split(" "), name))
        _roles.update(roles)
    return _roles.get(librdkafka_key)


def closest(key: str, candidates: Iterable[str]) -> str | None:
    """The likeliest correct spelling of a key, if one is close enough."""
    from advisor.catalog.spelling import closest as nearest

    return nearest(key, candidates)
