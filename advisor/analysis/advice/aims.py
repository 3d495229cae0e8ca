"""What the rules' aims ask for: findings sorted by what would make them go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from advisor.model.finding import Finding
from advisor.rule import Rule

IN_SYNC, RACKS, REPLICAS, VOTERS, FEATURE, SET, REMOVE, BY_HAND = (
    "in sync", "racks", "replicas", "voters", "feature", "set", "remove", "by hand",
)  # fmt: skip
WORDS = (IN_SYNC, RACKS, REPLICAS, VOTERS, FEATURE, SET, REMOVE, BY_HAND)


REASONS = {
    "address": "it takes a name, an address or a path that only you know",
    "choice": "there are two ways out, and which one is right depends on what was meant",
    "credentials": "it takes credentials that only you have, and an order in which clients and brokers follow",
    "deletion": "the new value may delete records at once",
    "application": "what is right depends on what the application does",
    "clients": "clients that ask for the old value would be refused: change them first",
    "hardware": "it takes machines or disks that have to be there first",
    "load": "the value depends on your load and hosts",
    "migration": "it is a migration of its own, in the order of Kafka's guide",
    "weaker": "it would protect records less",
}
"""Why no command follows from a rule, by the word that its aim says behind `by hand: `."""


class Aim(NamedTuple):
    """What a finding asks for: `key` and `value` of a setting, a feature in `key`, or a number in `value`; `why` it is decided by hand."""

    what: str
    key: str = ""
    value: str | None = None
    why: str = ""


def parse_aim(text: str | None) -> Aim:
    """Parse a rule's aim. Raises ValueError."""
    if text is None:
        return Aim(BY_HAND)
    if text.startswith(f"{BY_HAND}: "):
        reason = text.removeprefix(f"{BY_HAND}: ")
        return Aim(BY_HAND, why=REASONS.get(reason, reason))
    if text in (IN_SYNC, RACKS, REMOVE):
        return Aim(text)
    head, _, argument = text.partition(" ")
    if head == SET and "=" in argument:
        key, _, value = argument.partition("=")
        return Aim(SET, key, value)
    if head in (REMOVE, FEATURE) and argument:
        return Aim(head, argument)
    what, _, number = text.partition("=")
    if what in (REPLICAS, VOTERS) and number.isdigit():
        return Aim(what, value=number)
    raise ValueError(f"no such aim: {text}")


def aims_by_rule(rules: Iterable[Rule]) -> dict[str, Aim]:
    """The aim of every rule, by its id."""
    return {rule.id: parse_aim(rule.aim) for rule in rules}


def by_aim(findings: Iterable[Finding], aims: Mapping[str, Aim]) -> list[tuple[Finding, Aim]]:
    """Every finding with its aim; that of a file or topic without a key of its own is the key that the finding names."""
    pairs = []
    for finding in findings:
        aim = aims.get(finding.rule, Aim(BY_HAND))
        if aim.what == REMOVE and not aim.key:
            aim = aim._replace(key=finding.kafka_key or finding.key or "")
        pairs.append((finding, aim))
    return pairs
