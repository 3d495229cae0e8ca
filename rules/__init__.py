"""All rules, family by family, and words that several of them use.

The list is written out, because looking for modules costs more than loading them; an index of the rules (index.py) says
which modules the inputs of a run need.
"""

from __future__ import annotations

import sys

from advisor.rule import Rule, rules_of
from advisor.rule.rule_set import RuleName, RuleSet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MODULES = (
    "durability",
    "durability_topics",
    "availability",
    "topology",
    "internal_topics",
    "quorum",
    "quorum_zookeeper",
    "security_listeners",
    "security_tls",
    "security_sasl",
    "security_secrets",
    "authorization",
    "security_clients",
    "security_pairs",
    "security_msk",
    "storage",
    "storage_topics",
    "sizes",
    "timeouts",
    "producer",
    "consumer",
    "throughput",
    "ecosystem",
    "streams",
    "zookeeper",
    "network",
    "versions",
    "values",
    "capacity",
    "deployment",
    "images",
    "containers",
    "exposure",
    "msk",
    "frameworks",
    "declared_topics",
    "strimzi",
    "live.durability",
    "live.availability",
    "live.topology",
    "live.internal_topics",
    "live.quorum",
    "live.groups",
    "changes.brokers",
    "changes.listeners",
    "changes.quorum",
    "changes.storage",
    "changes.removals",
    "changes.deployments",
    "changes.clients",
    "changes.clusters",
    "changes.streams",
    "changes.connect",
    "changes.connectors",
    "changes.operators",
    "changes.refused_applies",
    "changes.services",
    "changes.managed_topics",
    "changes.node_pools",
    "changes.access",
    "changes.schema_registry",
)


def all_rules(own_modules: Sequence[str] = ()) -> list[Rule]:
    """Every rule of the tool in the order of the families, then those of the user's own modules."""
    return list(rule_set(own_modules))


def by_family(rules: Sequence[Rule]) -> list[Rule]:
    """Rules as lists show them: family by family, in the order of their ids."""
    families = list(dict.fromkeys(rule.family for rule in rules))
    return sorted(rules, key=lambda rule: (families.index(rule.family), len(rule.id), rule.id))


def rule_set(own_modules: Sequence[str] = ()) -> RuleSet:
    """The same rules, of which only the user's own are loaded at once."""
    indexed = IndexedRules()
    if own_modules:
        from advisor.rule.loading import load as load_own

        taken = {word for rule in indexed.names() for word in (rule.id, rule.name)}
        indexed.rules = load_own(own_modules, taken)
    return indexed


def load(module: str) -> list[Rule]:
    """The rules of a module of this package."""
    __import__(f"rules.{module}")
    return rules_of(sys.modules[f"rules.{module}"])


class IndexedRules(RuleSet):
    """The rules of the tool, loaded by the module when one of them is needed, and those of a user."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Rule]:
        for module in MODULES:
            yield from load(module)
        yield from self.rules

    def names(self) -> Iterable[Rule | RuleName]:
        """Id, name, family and inputs of every rule, from the index."""
        from rules.index import INDEX

        for names_by_inputs in INDEX.values():
            for inputs, names in names_by_inputs.items():
                words = names.split(" ")
                yield from (RuleName(*pair, inputs) for pair in zip(words[::2], words[1::2], strict=True))
        yield from self.rules

    def taking(self, inputs: frozenset[str]) -> list[Rule]:
        """The rules that need none but these inputs."""
        from rules.index import INDEX

        needed = (module for module, by_inputs in INDEX.items() if any(map(inputs.issuperset, by_inputs)))
        rules = [rule for module in needed for rule in load(module) if inputs.issuperset(rule.inputs)]
        return rules + super().taking(inputs)


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


WINDOW = 32_768
"""Bytes: the smallest default that Kafka has for a socket buffer."""


def megabytes(number: float) -> str:
    """Bytes as megabytes, or as kilobytes below one."""
    return f"{number / 1_000_000:.3g} MB" if number >= 1_000_000 else f"{number / 1000:.3g} KB"


def window(size: int) -> str:
    """What a socket buffer of so many bytes lets a connection carry."""
    near, far = megabytes(size * 1000), megabytes(size * 50)
    return f"a connection carries at most {near} a second at 1 ms there and back, {far} at 20 ms"
