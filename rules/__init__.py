"""All rules, family by family, and words that several of them use.

The list is written out, because looking for modules costs more than loading them.
"""

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


def count(number: int, thing: str) -> str:
    """A number with its noun: 1 broker, 2 brokers."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def every(number: int, thing: str) -> str:
    """How often something happens: after every record, every 5 records."""
    return f"every {thing}" if number == 1 else f"every {number} {thing}s"


def few(replicas: int) -> str:
    """What it means that there are one or two replicas."""
    return (
        "the only replica is lost with its disk"
        if replicas == 1
        else "only one replica is left while a broker restarts"
    )


def even(members: int, thing: str) -> str:
    """What an even number of members of a majority survives: no more than one member fewer."""
    survived = "no failure" if members == 2 else count(members // 2 - 1, "failure")
    return f"{count(members, thing)} survive {survived}, as {members - 1} would"


def whole(replicas: int) -> str:
    """All replicas of a partition."""
    return "both replicas" if replicas == 2 else f"all {replicas} replicas"
