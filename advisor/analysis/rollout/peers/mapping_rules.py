"""How a listener makes a principal of a certificate's name: ssl.principal.mapping.rules.

Source: org.apache.kafka.common.security.ssl.SslPrincipalMapper.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

DEFAULT = "DEFAULT"
RULE = re.compile(r"\s*(?:(DEFAULT)|RULE:((?:\\.|[^\\/])*)/((?:\\.|[^\\/])*)/([LU]?))\s*(?:[,\n]|$)")
SLOW = re.compile(r"[*+}]\)*\)[*+{]")
"""A repetition of a repetition, which may take a name's length to the power of two and is not tried."""
CASES: dict[str, Callable[[str], str]] = {"L": str.lower, "U": str.upper, "": str}


class MappingRule(NamedTuple):
    """A rule: a pattern of the whole name, what takes its place, and L or U; without a pattern the name stays."""

    pattern: str | None
    replacement: str = ""
    case: str = ""


def rules_of(text: str) -> list[MappingRule] | None:
    """The rules up to the first that fits every name; None where they are no rules, or one has a pattern that is not tried."""
    rules: list[MappingRule] = []
    at = 0
    while at < len(text.rstrip()):
        match = RULE.match(text, at)
        if match is None or not (match[1] or is_tried(match[2].strip())):
            return None
        rules.append(MappingRule(None) if match[1] else MappingRule(match[2].strip(), match[3], match[4]))
        if match[1]:
            return rules
        at = match.end()
    return rules or [MappingRule(None)]


def is_tried(pattern: str) -> bool:
    """Whether a pattern of Java's is one of Python's as well, and fast."""
    try:
        re.compile(pattern)
    except re.error:
        return False
    return not SLOW.search(pattern)


def name_by(rules: list[MappingRule], name: str) -> str | None:
    """The name of the first rule that fits; None where none does."""
    for rule in rules:
        if rule.pattern is None:
            return name
        pattern = re.compile(rule.pattern)
        if pattern.fullmatch(name):
            return CASES[rule.case](pattern.sub(python_replacement(rule.replacement, pattern.groups), name))
    return None


def python_replacement(text: str, groups: int) -> str:
    """A replacement in which $1 stands for a group, as Python writes it; of a group that is not there it is text."""
    escaped = text.replace("\\", r"\\")
    return re.sub(r"\$(\d)", lambda match: rf"\g<{match[1]}>" if int(match[1]) <= groups else match[0], escaped)
