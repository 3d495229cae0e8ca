"""All rules, family by family. The list is written out, because looking for modules costs more than loading them."""

from __future__ import annotations

import sys

from advisor.rule import Rule, rules_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MODULES = (
    "durability",
    "durability_topics",
    "availability",
    "topology",
    "internal_topics",
    "quorum",
    "quorum_zookeeper",
    "security",
    "security_clients",
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
    "deployment",
    "live.durability",
    "live.availability",
    "live.topology",
    "live.internal_topics",
    "live.quorum",
    "live.groups",
)


def all_rules(own_modules: Sequence[str] = ()) -> list[Rule]:
    """Every rule of the tool in the order of the families, then those of the user's own modules."""
    rules: list[Rule] = []
    for name in MODULES:
        __import__(f"rules.{name}")
        rules += rules_of(sys.modules[f"rules.{name}"])
    if own_modules:
        from advisor.rule.loading import load

        rules += load(own_modules, {rule.id for rule in rules} | {rule.name for rule in rules})
    return rules
