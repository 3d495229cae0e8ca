"""What is secret, masked the moment it is read: only its shape, and what a JAAS line is made of, go further."""

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
    """Whether a key is a slip or two away from a secret one: what is meant as a password must not be shown either."""
    parts = key.split(".")
    if any(part in ALONE for part in parts):
        return True
    if any(_near(part, word, slips) for part in parts for word, slips in SPELLED):
        return True
    return any(_near(".".join(parts[-1 - known.count(".") :]), known, 2) for known in KAFKAS)


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
    """Whether a part of the value is filled in later: ${X}, $(X), $X, {{ X }}, {X}, %X%, @X@, <X>, <%= X %>, [an X]."""
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
    """Whether a name stands between two of the marks: the quick look that spares most files a regular expression."""
    inner = value.split(mark)[1:-1]
    return any(part[:1].isalpha() and part.replace("_", "").replace(".", "").isalnum() for part in inner)


PATTERN = (
    r"\$\([A-Za-z_][\w.]*\)|\$[A-Z_][A-Z0-9_]+\b|\{%"
    r"|(?<!\\p)(?<!\\P)\{[A-Za-z_][\w.-]*\}|(?:^|(?<=[/:,@=]))\{\d\}|%[A-Za-z_][\w.]*%|@[A-Za-z_][\w.]*@|(?<![?(\\])<[A-Za-z][\w .:/-]*>"
)


def provider_of(value: str) -> str | None:
    """The provider of ${provider:path:key}; a shell's ${NAME:-default} asks none."""
    for part in value.split("${")[1:]:
        name, colon, rest = part.partition(":")
        plain = name[:1].isalpha() and name.replace("-", "").replace("_", "").isalnum() and not name.isupper()
        if colon and plain and "}" in rest and rest[0] not in "-?+=":
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
    """The name="value" options of a JAAS line."""
    import re

    found = re.findall(r'([\w.-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|\'([^\']*)\'|([^\s;]+))', jaas)
    return [("password" if name.startswith("user_") else name, one or two or three) for name, one, two, three in found]


def jaas_of(value: str) -> Jaas:
    """The login modules of a JAAS line and what is wrong with it.

    Source: org.apache.kafka.common.security.JaasConfig.
    """
    import re

    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[^\s;="]+|[;=]', value)
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


def mask(text: str) -> str:
    """A value without the secrets that hide in it: user:password@ in an address, password="…" in any text."""
    lowered = text.lower()
    address = "@" in text and ("://" in text or "jdbc:" in lowered)
    if not address and not ("=" in text and any(word in lowered for word in WORDS)):
        return text
    import re

    text = re.sub(r"(://)[^/\s:@,]*:[^\s,]*@", rf"\1{MASK}@", text)
    text = re.sub(r"(?<=@)([^@,\s]*,\s*)[^/\s:@,]+:[^\s,]*@", rf"\1{MASK}@", text)
    text = re.sub(r"(?i)(jdbc:[^\s@/]*:)[^\s@/:]+/[^\s@]+@", rf"\1{MASK}@", text)
    words = "|".join(WORDS)
    return re.sub(rf"(?i)([\w.-]*(?:{words})[\w.-]*\s*=\s*)(\"[^\"]*\"?|'[^']*'?|[^\s;,\"']+)", rf"\1{MASK}", text)
