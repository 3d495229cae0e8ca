"""Parse and validate values as Kafka does: ConfigDef.parseType, then the key's validator."""

from __future__ import annotations

from advisor.cache import cached_if_long
from advisor.catalog.java import LIMITS, double, entries, trim, whole
from advisor.catalog.validators import CHECKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.catalog import Definition

    Value = bool | int | float | str | tuple[str, ...]


class Invalid(ValueError):
    """Text that Kafka cannot parse as the type of its key; the message says what is expected."""


def parse(definition: Definition, text: str) -> Value:
    """The value of a setting by its type alone: bool, int, float, str or a tuple of texts."""
    return _parse(text, definition.type, definition.valid)


def _parse(text: str, kind: str, valid: tuple[object, ...] | None) -> Value:
    trimmed = trim(text)
    if kind == "boolean":
        return _boolean(trimmed, valid == ("flag",))
    if kind in LIMITS:
        return _whole(trimmed, *LIMITS[kind])
    if kind == "double":
        return _double(trimmed)
    if kind == "list":
        return entries(trimmed)
    if kind == "class" and not trimmed:
        raise Invalid("must name a class")
    return trimmed


def refusal(definition: Definition, text: str) -> str | None:
    """Why Kafka would refuse this text, or None; the version is already in the definition."""
    return _refusal(text, definition.type, definition.valid)


@cached_if_long
def _refusal(text: str, kind: str, valid: tuple[object, ...] | None) -> str | None:
    try:
        value = _parse(text, kind, valid)
    except Invalid as invalid:
        return str(invalid)
    if valid is None:
        return None
    name, *limits = valid
    return CHECKS[str(name)](value, *limits)


def _boolean(text: str, flag: bool) -> bool:
    lower = text.lower()
    if lower in ("true", "t", "1") if flag else lower == "true":
        return True
    if lower in ("false", "f", "0") if flag else lower == "false":
        return False
    raise Invalid("takes only true or false")


def _whole(text: str, low: int, high: int) -> int:
    try:
        return whole(text, low, high)
    except ValueError:
        raise Invalid(f"must be a whole number between {low} and {high}") from None


def _double(text: str) -> float:
    try:
        return double(text)
    except (ValueError, OverflowError):
        raise Invalid("must be a number") from None
