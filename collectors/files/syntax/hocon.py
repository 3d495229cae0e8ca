"""HOCON, of which some looks like properties."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.model import Setting

HOCON_SYNTAX = frozenset('$"{}[]:=,+#`^?!@*&\\')
"""Characters that HOCON takes for text only between quotes."""


def is_hocon(name: str, settings: Mapping[str, Setting]) -> bool:
    """Whether settings are of a file of HOCON: with objects and arrays, or a .conf that quotes what it has to."""
    if any(_opens_object(setting.value) for setting in settings.values()):
        return True
    lines = [setting.quoted for setting in settings.values() if setting.quoted and not setting.secret]
    values = [line.partition("=")[2].strip() for line in lines]
    bare = [value for value in values if not (len(value) > 1 and value[0] == value[-1] == '"')]
    return name.endswith(".conf") and len(bare) < len(values) and HOCON_SYNTAX.isdisjoint("".join(bare))


def _opens_object(value: str) -> bool:
    """Whether a value begins an object or an array that goes on in other lines."""
    text = value.strip()
    return text in ("{", "[") or (text.startswith("{ ") and "=" in text and "}" not in text)
