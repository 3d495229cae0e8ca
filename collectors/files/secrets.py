"""Detect and mask secrets as they are read: only their shape and JAAS modules are kept."""

from __future__ import annotations

import functools

from advisor.model import EMPTY, LITERAL, MASK, PLACEHOLDER, Jaas

WORDS = ("password", "passwd", "passphrase", "pwd", "secret", "credential", "token")
ALONE = ("pass", "pw", "passcode", "pin")
"""Words that make a key secret when one of them is all that stands between two dots."""
SPELLED = (("password", 2), ("passphrase", 2), ("credentials", 2), ("secret", 1))
"""Words that make a key secret even when they are misspelled, and by how many slips."""
KAFKAS = (
    "ssl.keystore.key",
    "ssl.key.password",
    "ssl.keystore.password",
    "ssl.truststore.password",
    "sasl.jaas.config",
    "sasl.password",
    "delegation.token.secret.key",
    "delegation.token.master.key",
    "basic.auth.user.info",
)
"""Kafka's own, which count as such with up to two slips."""
LONG = 20_000
"""Characters of a value that are looked at for placeholders."""
HARMLESS = (
    "algorithm", "iterations", "length", "class", "location", "path", "file", "type", "ms", "id", "enable", "enabled",
    "url", "handler", "name", "provider", "factory", "interval", "source", "keystore", "mechanism", "audience", "issuer",
    "lifetime", "expiry", "size", "period", "minutes", "seconds", "days", "hours", "endpoint", "credential",
    "protocol", "header", "cb",
)  # fmt: skip
ENDINGS = (
    "sasl.jaas.config",
    "jaas.config",
    "user.info",
    "secret.key",
    "master.key",
    "keystore.key",
    "private.key",
    "access.key",
    "api.key",
    "apikey",
    "ssl.key.pem",
    "private.key.pem",
    "keystore.certificate.chain",
    "truststore.certificates",
    "certificate.chain.key",
)


@functools.lru_cache(4096)
def is_secret(key: str) -> bool:
    """Whether a key's value must never be shown, judged by its name (Kafka's own password keys are all covered)."""
    lowered = key.lower().replace("-", ".").replace("_", ".")
    if lowered.endswith(ENDINGS):
        return True
    last = lowered.rpartition(".")[2]
    if any(word in lowered for word in WORDS):
        return last not in HARMLESS or last == "credential"
    return last not in HARMLESS and _is_misspelled(lowered)


def _is_misspelled(key: str) -> bool:
    """Whether a key is one or two typing errors away from a secret key, whose value must not be shown either."""
    words = key.split(".")
    if any(own_word in ALONE for own_word in words):
        return True
    if any(_near(own_word, word, slips) for own_word in words for word, slips in SPELLED):
        return True
    return any(_near(".".join(words[-1 - secret_key.count(".") :]), secret_key, 2) for secret_key in KAFKAS)


def _near(one: str, other: str, slips: int) -> bool:
    if abs(len(one) - len(other)) > slips or len(set(one) & set(other)) < len(set(other)) - slips:
        return False
    from advisor.catalog.spelling import distance

    return distance(one, other, slips) <= slips


def shape_of(value: str) -> str:
    """`empty`, `placeholder` (something fills it in later) or `literal`."""
    if not value.strip():
        return EMPTY
    return PLACEHOLDER if is_placeholder(value) else LITERAL


def is_placeholder(value: str) -> bool:
    """Whether part of a value is a placeholder: ${X}, $(X), $X, {{ X }}, {X}, %X%, @X@, <X>, <%= X %>, [an X]."""
    if value.startswith("[") and value.endswith("]") and " " in value and value[1:-1].replace(" ", "").isalpha():
        return True
    value = value[:LONG]
    if any(opening in value and closing in value for opening, closing in (("${", "}"), ("{{", "}}"), ("<%", "%>"))):
        return True
    if not (
        "$" in value or "{" in value or ("<" in value and ">" in value) or _between(value, "%") or _between(value, "@")
    ):
        return False
    import re

    return re.search(PATTERN, value) is not None


def _between(value: str, mark: str) -> bool:
    """Whether a name is enclosed in two marks: a quick check that saves most files a regular expression."""
    inner = value.split(mark)[1:-1]
    return any(name[:1].isalpha() and name.replace("_", "").replace(".", "").isalnum() for name in inner)


PATTERN = (
    r"\$\([A-Za-z_][\w.]*\)|\$[A-Z_][A-Z0-9_]+\b|\{%"
    r"|(?<!\\p)(?<!\\P)\{[A-Za-z_][\w.-]*\}|(?:^|(?<=[/:,@=]))\{\d\}|%[A-Za-z_][\w.]*%|@[A-Za-z_][\w.]*@|(?<![?(\\])<[A-Za-z][\w .:/-]*>"
)


def provider_of(value: str) -> str | None:
    """The provider in ${provider:path:key}; None for a shell's ${NAME:-default}."""
    for reference in value.split("${")[1:]:
        name, colon, path = reference.partition(":")
        plain = name[:1].isalpha() and name.replace("-", "").replace("_", "").isalnum() and not name.isupper()
        if colon and plain and "}" in path and path[0] not in "-?+=":
            return name
    return None


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
    """The name="value" options of a JAAS line; one pass, however the line is quoted."""
    quotes = _closing_quotes(jaas)
    options = []
    start = 0
    while (equals := jaas.find("=", start)) >= 0:
        name = _name_before(jaas, equals, start)
        first = _skip_blanks(jaas, equals + 1)
        value, end = _jaas_value(jaas, first, quotes)
        if name and end > first:
            options.append(("password" if name.startswith("user_") else name, value))
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


def _name_before(text: str, end: int, start: int) -> str:
    """The word of letters, digits, dots and dashes before a position, blanks skipped; empty where there is none."""
    while end > start and text[end - 1].isspace():
        end -= 1
    first = end
    while first > start and _in_name(text[first - 1]):
        first -= 1
    return text[first:end]


def _in_name(char: str) -> bool:
    return char.isalnum() or char in "_.-"


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def jaas_of(value: str) -> Jaas:
    """Parse a JAAS line: its login modules, and what is wrong with it.

    Source: org.apache.kafka.common.security.JaasConfig.
    """
    tokens = _jaas_tokens(value)
    modules: list[str] = []
    at = 0
    while at < len(tokens):
        modules.append(tokens[at])
        flag = tokens[at + 1].lower() if at + 1 < len(tokens) else None
        if flag not in ("required", "requisite", "sufficient", "optional"):
            return Jaas(tuple(modules), "the login module is not followed by a control flag such as `required`")
        at += 2
        while at < len(tokens) and tokens[at] != ";":
            if at + 2 >= len(tokens) or tokens[at + 1] != "=":
                problem = "an option has no value" if at + 1 < len(tokens) else "it does not end with a semicolon"
                return Jaas(tuple(modules), problem)
            at += 3
        if at >= len(tokens):
            return Jaas(tuple(modules), "it does not end with a semicolon")
        at += 1
    return Jaas(tuple(modules), None if modules else "it is empty")


def _jaas_tokens(value: str) -> list[str]:
    """Quoted texts, words, semicolons and equals signs; a quote that nothing closes is left out."""
    quotes = _closing_quotes(value)
    tokens, at = [], 0
    while at < len(value):
        char, end = value[at], at + 1
        if char == '"':
            close = _next(quotes, end)
            end = end if close is None else close + 1
            tokens += [] if close is None else [value[at:end]]
        elif char in ";=":
            tokens.append(char)
        elif not char.isspace():
            while end < len(value) and value[end] not in ';="' and not value[end].isspace():
                end += 1
            tokens.append(value[at:end])
        at = end
    return tokens


def mask(text: str) -> str:
    """Mask secrets inside a value: user:password@ in an address, password="…" in any text. One pass for each."""
    lowered = text.lower()
    assigned = "=" in text and any(word in lowered for word in WORDS)
    if not assigned and not ("@" in text and ("://" in text or "jdbc:" in lowered)):
        return text
    if "@" in text:
        text = _mask_jdbc(_mask_user_info(text))
    return _mask_assignments(text)


def _mask_user_info(text: str) -> str:
    """user:password@ behind ://, and in the addresses that follow one with user info, separated by commas."""
    import re

    pieces = re.split(r"([\s,]+)", text)
    has_user_info = False
    for at in range(0, len(pieces), 2):
        separator = pieces[at - 1] if at else ""
        listed = has_user_info and separator.lstrip(",") == separator[1:] and separator[:1] == ","
        pieces[at] = _mask_address(pieces[at], 0 if listed and "," in separator else None)
        has_user_info = "@" in pieces[at]
    return "".join(pieces)


def _mask_address(address: str, listed: int | None) -> str:
    """One address; `listed` is 0 where user info may stand without a scheme before it."""
    last = address.rfind("@")
    if last < 0:
        return address
    begin = _user_info(address, listed, last) if listed is not None else None
    scheme = address.find("://")
    while begin is None and 0 <= scheme < last:
        begin = _user_info(address, scheme + 3, last, anonymous=True)
        scheme = address.find("://", scheme + 3)
    return address if begin is None else f"{address[:begin]}{MASK}{address[last:]}"


def _user_info(address: str, begin: int, last: int, anonymous: bool = False) -> int | None:
    """Where user:password begins, if it does at `begin`; a user may be empty only behind a scheme."""
    for at in range(begin, last):
        if address[at] in "/:@":
            return begin if address[at] == ":" and (at > begin or anonymous) else None
    return None


def _mask_jdbc(text: str) -> str:
    """user/password@ behind jdbc:vendor:driver: (Oracle's way)."""
    lowered, masked, done, start, end = text.lower(), [], 0, 0, 0
    while (found := lowered.find("jdbc:", start)) >= 0:
        end = max(end, found)
        while end < len(text) and text[end] != "@" and not text[end].isspace():
            end += 1
        slash = text.find("/", found, end)
        colon = text.rfind(":", found + 5, slash) if slash >= 0 else -1
        start = slash + 1 if slash >= 0 else end
        if text[end : end + 1] == "@" and colon >= 0 and colon + 1 < slash and slash + 1 < end:
            masked += [text[done : colon + 1], MASK]
            done = start = end
    return "".join([*masked, text[done:]])


def _mask_assignments(text: str) -> str:
    """The value behind every name=, where the name has a word of WORDS in it."""
    masked, done, start = [], 0, 0
    while (equals := text.find("=", start)) >= 0:
        name = _name_before(text, equals, start).lower()
        first = _skip_blanks(text, equals + 1)
        start = equals + 1
        if any(word in name for word in WORDS):
            end = _end_of_value(text, first)
            if end > first:
                masked += [text[done:first], MASK]
                done = start = end
    return "".join([*masked, text[done:]])


def _end_of_value(text: str, first: int) -> int:
    """Behind the closing quote, or the end of the text where there is none; else before what ends a bare value."""
    mark = text[first : first + 1]
    if mark and mark in "\"'":
        close = text.find(mark, first + 1)
        return len(text) if close < 0 else close + 1
    end = first
    while end < len(text) and text[end] not in ";,\"'" and not text[end].isspace():
        end += 1
    return end
