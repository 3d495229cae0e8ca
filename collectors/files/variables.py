"""Variables of an environment. Fill in ${NAME}, ${NAME:-default} and $$ as Compose does; what is not set stays a placeholder."""

from __future__ import annotations

import re
from collections.abc import Mapping

from advisor.model import Setting
from advisor.secrets.variables import holds_secret
from collectors.files.syntax.text_lines import text_lines
from collectors.files.syntax.tree import TreeNode

REFERENCE = re.compile(r"\$(?:(\$)|\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-?+])([^{}]*))?\}|([A-Za-z_][A-Za-z0-9_]*))")
LONGEST_VALUE = 100_000
INNER, DEEPEST = "-${", 3
"""How a default begins that is a variable itself, and how many may stand within one another."""
QUOTED = re.compile(r"""(?:'([^']*)'|"((?:[^"\\]|\\.)*)")\s*(?:#.*)?$""")
COMMENT = re.compile(r"\s#")
ESCAPE, ESCAPED = re.compile(r"\\(.)"), {"n": "\n", "r": "\r", "t": "\t"}


DEFAULT = re.compile(r"[^,{}$]{0,300}\$\{([A-Za-z_][\w.-]{0,200}?)(:-|-|:)(?![?+])([^{}$]{0,300})")
"""A variable with a default, the first of what follows a key in its line, and how the default begins."""
LONGEST_LEAD = 1_000


class Variable:
    """A variable of a container's environment: `value` is None where something outside the file sets it.

    `file` is the file in which it stands, where that is another one than the container's, `derived` the field of which
    Kubernetes makes its value.
    """

    __slots__ = ("derived", "file", "key_node", "lead", "name", "value", "value_node")

    def __init__(
        self,
        name: str,
        value: str | None,
        key_node: TreeNode,
        value_node: TreeNode | None,
        lead: str,
        file: str | None = None,
    ) -> None:
        self.derived = ""
        self.file = file
        self.name = name
        self.value = value
        self.key_node = key_node
        self.value_node = value_node
        self.lead = lead


def fill(text: str, values: Mapping[str, str]) -> str:
    """A text with its variables filled in from values and from their own defaults."""
    if "$" not in text or len(text) > LONGEST_VALUE:
        return text
    filled = REFERENCE.sub(lambda match: _filled(match, values), text)
    for _ in range(DEEPEST if INNER in text and "$$" not in text else 0):
        filled = REFERENCE.sub(lambda match: _filled(match, values), filled)
    return filled


def _filled(match: re.Match[str], values: Mapping[str, str]) -> str:
    dollar, braced, operator, word, bare = match.groups()
    if dollar:
        return "$"
    if holds_secret(braced or bare, values.get(braced or bare) or (word if operator in ("-", ":-") else "")):
        return f"${{{braced or bare}}}"
    value = values.get(braced or bare)
    if value or (value is not None and not (operator or "").startswith(":")):
        return word if operator in ("+", ":+") else value
    if operator in ("-", ":-"):
        return word
    return "" if operator in ("+", ":+") else match.group()


def default_of(setting: Setting, line: str) -> str:
    """The variable whose default a setting's value is, as its line says: ${NAME:-default}, or ${NAME:default} of Spring; else nothing."""
    start = (setting.origin.column or 1) - 1
    found = DEFAULT.match(line[start : start + LONGEST_LEAD]) if "$" not in setting.value else None
    if found is None or setting.secret:
        return ""
    name, operator, default = found.groups()
    is_shells = operator.endswith("-")
    return "" if is_shells and default.strip() not in setting.value else name


def fill_given(text: str, values: Mapping[str, str]) -> str:
    """A text with those variables filled in whose values were given; all others stay as they are."""

    def filled(match: re.Match[str]) -> str:
        name = match.group(2) or match.group(5)
        is_given = name in values and not match.group(1) and not holds_secret(name, values[name])
        return values[name] if is_given else match.group()

    return REFERENCE.sub(filled, text)


class Expansion:
    """Fills given variables in, up to a number of characters in all; a text that takes more stays as it is."""

    def __init__(self, most: int) -> None:
        self._left = most

    def fill(self, text: str, values: Mapping[str, str]) -> str:
        """A text with those variables filled in whose values were given; all others stay as they are."""
        names = (match.group(2) or match.group(5) for match in REFERENCE.finditer(text))
        length = sum(len(values.get(name, "")) for name in names)
        if length > self._left:
            return text
        self._left -= length
        return fill_given(text, values)


def variables_of(text: str) -> dict[str, str]:
    """The variables of an env file: NAME=VALUE lines."""
    values = {}
    for line in text_lines(text):
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and name and not name.startswith("#"):
            values[name.strip()] = unquoted(value.strip())
    return values


def unquoted(value: str) -> str:
    """A value of an env file without its quotes and the comment behind it, as Compose reads it."""
    quoted = QUOTED.match(value)
    if quoted is None:
        return COMMENT.split(value, maxsplit=1)[0].rstrip()
    plain, escaped = quoted.groups()
    return plain if escaped is None else ESCAPE.sub(lambda match: ESCAPED.get(match[1], match[1]), escaped)
