"""How each kind of question about a subject's settings is answered."""

from __future__ import annotations

from advisor.catalog import values
from advisor.catalog.host_aliases import outline
from advisor.catalog.keys import known
from advisor.model import DEFAULT, DYNAMIC_TOPIC, EMPTY, HIDDEN, LITERAL, PLACEHOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from advisor.catalog import Definition
    from advisor.config import Config


class Unknown(Exception):
    """Something that exists could not be read; the text says what and why."""


class Unreadable:
    """The answer to a question whose setting cannot be read. All are one answer: the reason belongs to the subject."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return type(other) is Unreadable

    def __hash__(self) -> int:
        return 1


class Absent:
    """The answer to a question for a key that the target version does not know."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return type(other) is Absent

    def __hash__(self) -> int:
        return 2


NOT_ASKED = object()
"""Stands for the answer where a question makes no sense for a subject: to ask it is a mistake of the rule."""


def _value(config: Config, key: str, read: Callable[[Definition, str], Hashable]) -> Hashable:
    setting, factor = config.find(key)
    try:
        default, default_factor = ("", 1) if setting is not None else config.default(key)
        definition = config.definition(setting.key if setting else key)
    except KeyError:
        raise
    except LookupError as absent:
        return Absent(str(absent))
    if setting is None and config.template:
        return Unreadable(f"{config.template} may become {key}")
    if setting is not None and setting.shape == HIDDEN:
        return _hidden(setting.key)
    if setting is None:
        return None if default is None or definition is None else _times(read(definition, default), default_factor)
    if definition is None:
        return Absent(f"{setting.key} is not a setting of {config.release}")
    if setting.shape == PLACEHOLDER or (setting.secret and setting.shape == LITERAL):
        return Unreadable(f"{setting.key} is {'a secret' if setting.secret else 'filled in later: ' + setting.value}")
    try:
        return _times(read(definition, setting.value), factor)
    except values.Invalid as bad:
        text = setting.value.strip()
        later = text[:1].isalpha() and text.isupper()
        return Unreadable(f"{setting.key} is filled in later: {text}" if later else f"{setting.key}={text}: {bad}")


def _hidden(key: str) -> Unreadable:
    return Unreadable(f"{key} is set, but a running broker does not show its value")


def _times(value: Hashable, factor: int) -> Hashable:
    return value * factor if factor != 1 and isinstance(value, int) else value


def _typed(config: Config, key: str) -> Hashable:
    return _value(config, key, values.parse)


def _str(config: Config, key: str) -> Hashable:
    return _value(config, key, lambda _, text: text.strip())


def _list(config: Config, key: str) -> Hashable:
    return _value(config, key, lambda _, text: tuple(item.strip() for item in text.split(",")) if text.strip() else ())


def _text(config: Config, key: str) -> Hashable:
    setting, _ = config.find(key)
    if setting is not None:
        return _hidden(key) if setting.shape == HIDDEN else setting.value
    try:
        return config.default(key)[0]
    except KeyError:
        raise
    except LookupError as absent:
        return Absent(str(absent))


def _outline(config: Config, key: str) -> Hashable:
    text = _text(config, key)
    return outline(key, text) if isinstance(text, str) else text


def _is_set(config: Config, key: str) -> Hashable:
    if config.find(key)[0] is not None:
        return True
    if config.definition(key) is None and not known(config.resolve(key)[1]):
        raise KeyError(f"no catalog knows {key}")
    return False


def _shape(config: Config, key: str) -> Hashable:
    setting = config.find(key)[0]
    return EMPTY if setting is None else setting.shape


def _jaas(config: Config, key: str) -> Hashable:
    setting = config.find(key)[0]
    if setting is not None and setting.shape == HIDDEN:
        return _hidden(key)
    if setting is None or setting.jaas is None:
        return None
    return (setting.jaas.modules, setting.jaas.problem)


def _keys(config: Config, _: str) -> Hashable:
    """Every key that is written down; a running cluster's topic only says those that are its own."""
    own = config.entity.kind == "topic"
    return tuple(key for key, setting in config.settings.items() if not own or setting.source == DYNAMIC_TOPIC)


def _source(config: Config, key: str) -> Hashable:
    setting = config.find(key)[0]
    return DEFAULT if setting is None else setting.source


def _live(config: Config, name: str) -> Hashable:
    if name not in config.facts:
        return Absent("only a running cluster shows it")
    return config.facts[name]


ANSWERS: dict[str, Callable[[Config, str], Hashable]] = {
    "int": _typed,
    "float": _typed,
    "bool": _typed,
    "str": _str,
    "list": _list,
    "text": _text,
    "outline": _outline,
    "set": _is_set,
    "shape": _shape,
    "secret": lambda config, key: bool(config.setting(key) and config.settings[key].secret),
    "jaas": _jaas,
    "provider": lambda config, key: config.settings[key].provider if key in config.settings else None,
    "earlier": lambda config, key: tuple(other.value for other in config.settings[key].shadowed),
    "resolve": lambda config, key: config.resolve(key),
    "version": lambda config, _: config.version,
    "version given": lambda config, _: config.entity.target.given,
    "family": lambda config, _: config.entity.family,
    "kind": lambda config, _: config.entity.kind,
    "keys": _keys,
    "source": _source,
    "running": lambda config, _: config.entity.cluster is not None,
    "live": _live,
    "definition": lambda config, key: config.definition(key),
}
"""How each kind of question is answered."""
KNOWN_ANYWAY = frozenset(("resolve", "version", "version given", "family", "kind", "definition", "running"))
"""Questions that need nothing of a subject but its kind and release."""
