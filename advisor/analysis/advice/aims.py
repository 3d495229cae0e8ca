"""What the rules' aims ask for: findings sorted by what would make them go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from advisor.model.finding import Finding
from advisor.rule import Rule

IN_SYNC, RACKS, REPLICAS, VOTERS, SET, REMOVE, BY_HAND = (
    "in sync", "racks", "replicas", "voters", "set", "remove", "by hand",
)  # fmt: skip
WORDS = (IN_SYNC, RACKS, REPLICAS, VOTERS, SET, REMOVE, BY_HAND)


class Aim(NamedTuple):
    """What a finding asks for: `key` and `value` of a setting, or a number in `value`; `why` it is decided by hand."""

    what: str
    key: str = ""
    value: str | None = None
    why: str = ""


def parse_aim(text: str | None) -> Aim:
    """Parse a rule's aim. Raises ValueError."""
    if text is None:
        return Aim(BY_HAND)
    if text.startswith(f"{BY_HAND}: "):
        return Aim(BY_HAND, why=text.removeprefix(f"{BY_HAND}: "))
    if text in (IN_SYNC, RACKS, REMOVE):
        return Aim(text)
    head, _, argument = text.partition(" ")
    if head == SET and "=" in argument:
        key, _, value = argument.partition("=")
        return Aim(SET, key, value)
    if head == REMOVE and argument:
        return Aim(REMOVE, argument)
    what, _, number = text.partition("=")
    if what in (REPLICAS, VOTERS) and number.isdigit():
        return Aim(what, value=number)
    raise ValueError(f"no such aim: {text}")


def by_aim(findings: Iterable[Finding], rules: Sequence[Rule]) -> list[tuple[Finding, Aim]]:
    """Every finding with its aim; that of a file or topic without a key of its own is the key that the finding names."""
    texts: Mapping[str, str | None] = {rule.id: rule.aim for rule in rules}
    pairs = []
    for finding in findings:
        aim = parse_aim(texts.get(finding.rule))
        if aim.what == REMOVE and not aim.key:
            aim = aim._replace(key=finding.kafka_key or finding.key or "")
        pairs.append((finding, aim))
    return pairs
