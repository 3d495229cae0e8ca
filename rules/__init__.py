"""All rules, family by family. The list is written out, because looking for modules costs more than loading them."""

from __future__ import annotations

import sys

from advisor.rule import Rule, rules_of

MODULES = (
    "durability",
    "topic_durability",
    "availability",
    "topology",
    "internal_topics",
    "quorum",
    "quorum_zookeeper",
    "security",
    "client_security",
    "storage",
    "storage_topics",
    "sizes",
    "timeouts",
    "producer",
    "consumer",
    "ecosystem",
    "streams",
    "zookeeper",
    "network",
    "versions",
    "classes",
    "capacity",
    "live_durability",
    "live_availability",
    "live_topology",
    "live_internal_topics",
    "live_quorum",
    "live_groups",
    "live_storage",
    "live_security",
)


def all_rules() -> list[Rule]:
    """Every rule of the tool, in the order of the families."""
    found: list[Rule] = []
    for name in MODULES:
        __import__(f"rules.{name}")
        found += rules_of(sys.modules[f"rules.{name}"])
    return found
