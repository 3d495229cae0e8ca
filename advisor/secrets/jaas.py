"""JAAS lines: their login modules and options, and the shape of the secrets in them."""

from __future__ import annotations

from advisor.model import EMPTY, LITERAL, PLACEHOLDER, Jaas, Login
from advisor.secrets import is_secret
from advisor.secrets.java_tokens import java_tokens
from advisor.secrets.placeholders import is_placeholder, shape_of
from advisor.secrets.text_scan import name_before, skip_blanks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

OF_USER = "user_"
"""What the options begin with that name the users whom a PLAIN server lets in."""


def shape_of_secret(value: str) -> str:
    """The shape of a secret: a JAAS line is a placeholder only if every secret in it is one."""
    if "LoginModule" not in value and "=" not in value:
        return shape_of(value)
    literal = [option for name, option in options_of(value) if is_secret(name) and shape_of(option) == LITERAL]
    if literal:
        return LITERAL
    if "LoginModule" in value:
        return PLACEHOLDER if is_placeholder(value) else EMPTY
    return shape_of(value)


def options_of(jaas: str) -> list[tuple[str, str]]:
    """The name="value" options of a JAAS line; those of users whom a PLAIN server lets in are called password."""
    return [("password" if name.startswith(OF_USER) else name, value) for name, value in _written_options(jaas)]


def _written_options(jaas: str) -> list[tuple[str, str]]:
    """The options as they are written; one pass, however the line is quoted."""
    quotes = _closing_quotes(jaas)
    options = []
    start = 0
    while (equals := jaas.find("=", start)) >= 0:
        name = name_before(jaas, equals, start)
        first = skip_blanks(jaas, equals + 1)
        value, end = _jaas_value(jaas, first, quotes)
        if name and end > first:
            options.append((name, value))
        start = max(end if name else 0, equals + 1)
    return options


def _jaas_value(jaas: str, first: int, quotes: list[int]) -> tuple[str, int]:
    """(value, where it ends): quoted, or up to a blank or a semicolon."""
    mark = jaas[first : first + 1]
    if mark == '"':
        close = _next(quotes, first + 1)
        if close is not None:
            return jaas[first + 1 : close], close + 1
    if mark == "'":
        closed = jaas.find("'", first + 1)
        if closed >= 0:
            return jaas[first + 1 : closed], closed + 1
    end = first
    while end < len(jaas) and jaas[end] != ";" and not jaas[end].isspace():
        end += 1
    return jaas[first:end], end


def _closing_quotes(text: str) -> list[int]:
    """Where the double quotes are that no backslash takes away: those that end a quoted text, whatever it began with."""
    quotes, backslashes = [], 0
    for at, char in enumerate(text):
        if char == '"' and backslashes % 2 == 0:
            quotes.append(at)
        backslashes = backslashes + 1 if char == "\\" else 0
    return quotes


def _next(positions: list[int], least: int) -> int | None:
    from bisect import bisect_left

    at = bisect_left(positions, least)
    return positions[at] if at < len(positions) else None


TEMPLATED = r"(?:\{\{[^{}]{0,200}\}\}|[$#]?\{[^{}]{0,200}\})(?=\w{0,100}\s{0,5}=)"
"""What templates fill in of the name of an option: user_{{ x }}, user_${x}."""
FLAGS = ("required", "requisite", "sufficient", "optional")
NO_SEMICOLON = "it does not end with a semicolon"


def jaas_of(value: str) -> Jaas:
    """Parse a JAAS line: its login modules, and what is wrong with it whatever the names of its options are filled with.

    Source: org.apache.kafka.common.security.JaasConfig.
    """
    written = _parsed(value)
    if written.problem is None or "{" not in value:
        return written
    import re

    filled = _parsed(re.sub(TEMPLATED, "x", value))
    return Jaas(filled.modules, filled.problem)


def _parsed(value: str) -> Jaas:
    tokens = java_tokens(value)
    modules: list[str] = []
    options: dict[str, str] = {}
    at = 0
    while at < len(tokens):
        modules.append(tokens[at][1] or tokens[at][0])
        if at + 1 >= len(tokens) or (tokens[at + 1][1] or "").lower() not in FLAGS:
            return Jaas(tuple(modules), "the login module is not followed by a control flag such as `required`")
        at += 2
        while at < len(tokens) and tokens[at][0] != ";":
            if at + 2 >= len(tokens) or tokens[at + 1][0] != "=" or tokens[at + 2][1] is None:
                return Jaas(
                    tuple(modules),
                    "an option has no value, or one that needs quotes" if at + 1 < len(tokens) else NO_SEMICOLON,
                )
            options[tokens[at][1] or ""] = tokens[at + 2][1] or ""
            at += 3
        if at >= len(tokens):
            return Jaas(tuple(modules), NO_SEMICOLON)
        at += 1
    if len(modules) != 1:
        return Jaas(tuple(modules), None if modules else "it is empty")
    return Jaas(tuple(modules), None, login_of(options), users_of(options))


def login_of(options: Mapping[str, str]) -> Login | None:
    """Whom a line logs in as, None where that is not written out."""
    user = options.get("username", "")
    return Login(user, _written_out(options.get("password", ""))) if shape_of(user) == LITERAL else None


def users_of(options: Mapping[str, str]) -> tuple[Login, ...]:
    """The users whom a PLAIN server lets in. Source: PlainServerCallbackHandler."""
    users = {name.removeprefix(OF_USER): password for name, password in options.items() if name.startswith(OF_USER)}
    return tuple(Login(name, _written_out(password)) for name, password in users.items())


def _written_out(password: str) -> str | None:
    return password if shape_of(password) == LITERAL else None
