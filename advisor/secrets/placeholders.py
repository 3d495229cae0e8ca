"""Placeholders in values: what fills them in later, and which provider they ask."""

from __future__ import annotations

from advisor.catalog.keys import OPENERS
from advisor.model import EMPTY, LITERAL, MASK, PLACEHOLDER
from advisor.secrets import TO_BE_REPLACED, TO_BE_WRITTEN, is_plain, is_secret

LONG = 20_000
"""Characters of a value that are looked at for placeholders."""


CONVERSIONS = ("%s", "%d")
"""What printf and its like fill in."""


def shape_of(value: str) -> str:
    """`empty`, `placeholder` (something fills it in later) or `literal`."""
    if not value.strip():
        return EMPTY
    return PLACEHOLDER if is_placeholder(value) else LITERAL


def is_placeholder(value: str) -> bool:
    """Whether part of a value is a placeholder: ${X}, #{X}, $(X), $X, {{ X }}, {X}, %X%, @X@, <X>, <%= X %>, %s, TBD, xxx, ##X##, :X:, _X, [X_Y], [an X]."""
    if value.startswith("[") and value.endswith("]") and _is_bracketed_name(value[1:-1]):
        return True
    if value.startswith("_") and _is_in_capitals(value):
        return True
    if value.startswith("<") and " " in value:
        return True
    value = value[:LONG]
    if value.strip() in (*CONVERSIONS, *TO_BE_WRITTEN):
        return True
    if any(
        opening in value and closing in value
        for opening, closing in (("${", "}"), ("#{", "}"), ("{{", "}}"), ("<%", "%>"))
    ):
        return True
    marks = (
        "$" in value
        or "{" in value
        or ("<" in value and ">" in value)
        or value.startswith(("##", ":"))
        or any(word in value for word in TO_BE_REPLACED)
    )
    if not (marks or _between(value, "%") or _between(value, "@")):
        return False
    import re

    return re.search(PATTERN, value) is not None


def _is_bracketed_name(inner: str) -> bool:
    """Whether a text between brackets is a few words, or a name in capitals with underscores."""
    if " " in inner:
        return inner.replace(" ", "").isalpha()
    return "_" in inner and _is_in_capitals(inner)


def _is_in_capitals(name: str) -> bool:
    return name.isupper() and name.replace("_", "").isalnum()


def _between(value: str, mark: str) -> bool:
    """Whether a name is enclosed in two marks: a quick check that saves most files a regular expression."""
    inner = value.split(mark)[1:-1]
    return any(name[:1].isalpha() and name.replace("_", "").replace(".", "").isalnum() for name in inner)


PATTERN = (
    r"\$\([A-Za-z_][\w.]*\)|\$[A-Z_][A-Z0-9_]+\b|\{%|^##[A-Za-z_][\w.]*##|^:[A-Z][A-Z0-9_]*:"
    r"|(?<!\\p)(?<!\\P)\{[A-Za-z_][\w.-]*\}|(?:^|(?<=[/:,@=]))\{\d\}|%[A-Za-z_][\w.]*%|@[A-Za-z_][\w.]*@|(?<![?(\\])<[A-Za-z][\w .:/-]*>"
    r"|(?<![A-Za-z0-9_.-])(?:(?:REPLACE|INSERT|YOUR|TO_BE)_[A-Z0-9_]+|CHANGE_ME|your[-_][a-z][a-z0-9_-]*)(?![a-zA-Z0-9_])"
    r"|(?<![A-Za-z0-9])(?:x{3,10}|X{3,10})(?![A-Za-z0-9])|(?<=[A-Za-z0-9]):(?:port|PORT)(?=$|[,/])"
)


def provider_of(value: str) -> str | None:
    """The provider in ${provider:path:key}; None for a shell's ${NAME:-default}."""
    for reference in value.split("${")[1:]:
        name, colon, path = reference.partition(":")
        plain = name[:1].isalpha() and name.replace("-", "").replace("_", "").isalnum() and not name.isupper()
        if colon and plain and "}" in path and path[0] not in "-?+=":
            return name
    return None


WHOLE = (
    r"\$\{(?P<braced>[^{}]{0,2000})\}|\{\{(?P<doubled>[^{}]{0,2000})\}\}|<%(?P<erb>[^%]{0,2000})%>|\{%(?P<choice>[^%]{0,2000})%\}|#\{(?P<spring>[^{}]{0,2000})\}"
    r"|\$\([A-Za-z_][\w.]{0,200}\)|\$[A-Z_][A-Z0-9_]{1,200}\b|\{[A-Za-z_][\w.-]{0,200}\}|%[A-Za-z_][\w.]{0,200}%"
    r"|@[A-Za-z_][\w.]{0,200}@|<[A-Za-z][\w .:/-]{0,200}>"
)
"""A whole placeholder; in the groups stands what may be more than a name."""
QUOTES = "\"'"
QUOTED = r"[\"'][^\"']{1,2000}[\"']?"
WITH_DEFAULT = r"\$\{([A-Za-z_][\w.]{0,200}):?[-=?+]([^{}$\s]{0,200})"
NAME = r"\s*[-=~]?[\w.\s…-]*"


def around(text: str) -> str | None:
    """What stands around the placeholders of a text, None where there are none."""
    import re

    outside, placeholders = re.subn(WHOLE, "", text)
    return outside if placeholders else None


def without_arguments(text: str, defaults: bool = True) -> str:
    """The text with the names of its placeholders alone: no provider's path, no call's arguments.

    A shell's default, as in ${NAME:-9092}, stays where `defaults` says so and the name is that of no secret.
    """
    import re

    from advisor.secrets.variables import holds_secret

    for match in re.finditer(WITH_DEFAULT, text):
        name, default = match.groups()
        if holds_secret(name, default):
            text = f"{text[: match.start(2)]}{MASK}}}"
            break

    def masked(match: re.Match[str]) -> str:
        inner = next((group for group in match.groups() if group is not None), None)
        if inner is None or re.fullmatch(NAME, inner):
            return match[0]
        name, mark, default = inner.partition(":")
        if match["braced"] is None or not re.fullmatch(NAME, name):
            return match[0].replace(inner, f" {MASK} ")
        if default[:1] in ("-", "=", "?", "+") and defaults:
            return match[0]
        return f"${{{name}{mark}{MASK}}}"

    return re.sub(WHOLE, masked, text)


SECRETS_NAME = r"[\w.\-\[\]/]+"
ROUTE = r"[\w-]+->[\w-]+\.[\w.-]+"
"""A key of MirrorMaker about a pair of clusters, whose names say nothing of a value."""


def shown_key(key: str) -> str:
    """A key as outputs may name it: a template without its texts, a secret's name without what stands behind it, no token."""
    if key[:1] in OPENERS and ('"' in key or "'" in key):
        import re

        return re.sub(QUOTED, f'"{MASK}"', key)
    from advisor.secrets.variables import is_token

    if is_token(key.strip(QUOTES)):
        return MASK
    return key if is_plain(key) else _without_text_behind(key)


def _without_text_behind(key: str) -> str:
    """The key without what stands behind the name of a secret and any separator: `password=X`, `password|X`, `<password>X`."""
    import re

    if re.fullmatch(ROUTE, key):
        return key
    for name in re.finditer(SECRETS_NAME, key):
        if is_secret(name[0].strip("-")) and not key[name.end() :].isspace() and re.search(r"\w", key[name.end() :]):
            return f"{key[: name.end() + 1]}{MASK}"
    return key
