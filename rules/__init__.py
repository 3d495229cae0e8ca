"""All rules, family by family. The list is written out, because looking for modules costs more than loading them."""

from __future__ import annotations

import sys

from advisor.rule import Rule, rules_of

MODULES = (
    "durability",
    "internal_topics",
    "quorum",
    "security",
    "storage",
    "client_security",
    "timeouts",
    "producer",
    "consumer",
    "network",
    "versions",
)


def all_rules() -> list[Rule]:
    """Every rule of the tool, in the order of the families."""
    found: list[Rule] = []
    for name in MODULES:
        __import__(f"rules.{name}")
        found += rules_of(sys.modules[f"rules.{name}"])
    return found
