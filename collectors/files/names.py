"""Find Kafka's key behind other spellings of it: minInsyncReplicas, group_max_session_timeout_ms, EnableAutoCommit."""

from __future__ import annotations

import functools

from advisor.catalog import undocumented


def letters(name: str) -> str:
    """A name without case and separators: what all spellings of a key have in common."""
    return "".join(filter(str.isalnum, name)).lower()


def key_of(name: str, components: tuple[str, ...]) -> str | None:
    """The one key of some components that has the letters of a name; None where there is none, or several."""
    return _keys_by_letters(components).get(letters(name))


def is_key(name: str, components: tuple[str, ...]) -> bool:
    """Whether any release of some components has the key."""
    return name in _keys(components)


@functools.lru_cache(maxsize=64)
def _keys(components: tuple[str, ...]) -> frozenset[str]:
    """The keys of components in any release."""
    from advisor.catalog.history import index

    keys = {key for component in components for key in undocumented.COMPONENTS.get(component, ())}
    for owners, names in index.KEYS_BY_COMPONENTS.items():
        if not set(components).isdisjoint(owners.split()):
            keys.update(names.split())
    return frozenset(keys)


@functools.lru_cache(maxsize=64)
def _keys_by_letters(components: tuple[str, ...]) -> dict[str, str]:
    table: dict[str, str] = {}
    twice = set()
    for key in sorted(_keys(components)):
        own_letters = letters(key)
        if own_letters in table:
            twice.add(own_letters)
        table[own_letters] = key
    for own_letters in twice:
        del table[own_letters]
    return table


def camel_case(key: str) -> str:
    """min.insync.replicas as minInsyncReplicas."""
    first, *others = key.replace("-", ".").split(".")
    return first + "".join(word.capitalize() for word in others)
