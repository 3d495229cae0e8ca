"""Values as Spring Boot reads them: placeholders with defaults, durations, sizes, Booleans, names of enums."""

from __future__ import annotations

import re

from advisor.secrets.variables import holds_secret

PLACEHOLDER = re.compile(r"\$\{([^${}:]{1,200})(?::([^${}]{0,2000}))?\}")
DURATION = re.compile(r"^\s*([+-]?\d{1,12})\s*(ns|us|ms|s|m|h|d)?\s*$", re.IGNORECASE)
ISO = re.compile(r"^P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$", re.IGNORECASE)
SIZE = re.compile(r"^\s*(\d{1,12})\s*(B|KB|MB|GB|TB)?\s*$", re.IGNORECASE)
MILLISECONDS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "us": 0, "ns": 0}
BYTES = {"b": 1, "kb": 1024, "mb": 1024**2, "gb": 1024**3, "tb": 1024**4}
SWITCHES = {"yes": "true", "on": "true", "1": "true", "no": "false", "off": "false", "0": "false"}
YAML_SWITCHES = {form for name in ("yes", "on", "no", "off") for form in (name, name.title(), name.upper())}
"""What YAML 1.1, which Spring Boot reads, takes for a Boolean where it has no quotes, beside true and false."""
ROUNDS = 5


def resolve(text: str) -> str:
    """A text with the defaults of its placeholders: ${NAME:default}; one without a default stays, and that of a secret."""
    for _ in range(ROUNDS):
        filled = PLACEHOLDER.sub(_default, text)
        if filled == text:
            break
        text = filled
    return text


def _default(match: re.Match[str]) -> str:
    name, default = match.groups()
    if default is None:
        return match[0]
    return f"${{{name}}}" if holds_secret(name, default) else default


def in_milliseconds(text: str) -> str:
    """A duration in milliseconds: 10s, 500ms, PT10S, or a number, which is milliseconds; as it is where it is none."""
    match = DURATION.match(text)
    if match:
        return str(int(match.group(1)) * MILLISECONDS[(match.group(2) or "ms").lower()])
    match = ISO.match(text.strip())
    if match and any(match.groups()):
        days, hours, minutes, seconds = (int(group or 0) for group in match.groups())
        return str((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
    return text


def in_bytes(text: str) -> str:
    """A size in bytes: 16KB, 1MB, or a number; as it is where it is none."""
    match = SIZE.match(text)
    return str(int(match.group(1)) * BYTES[(match.group(2) or "B").lower()]) if match else text


def switch(text: str) -> str:
    """A yes or no as Spring's Boolean reads it (StringToBooleanConverter); as it is where it is none."""
    return SWITCHES.get(text.strip().lower(), text)


def word(text: str) -> str:
    """The name of an enum as Kafka writes it: READ-COMMITTED is read_committed."""
    return text if "$" in text else text.strip().lower().replace("-", "_")
