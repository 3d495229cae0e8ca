"""kafka-consumer-groups --describe, with offsets, or --state. Source: ConsumerGroupCommand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from advisor.model.cluster import Group
from collectors.outputs.facts import Facts

EMPTY = re.compile(r"Consumer group '(.{1,249}?)' has no active members")
OFFSETS = ("GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LAG")
STATE = ("GROUP", "STATE", "#MEMBERS")
NOT_SHOWN = "this output of kafka-consumer-groups does not show it: --describe shows offsets, --state the rest"
Row = dict[str, str]


def read(lines: Sequence[str], facts: Facts) -> None:
    """Read the groups that some lines show."""
    columns: list[str] = []
    for line in lines:
        empty = EMPTY.search(line) if "has no active members" in line else None
        if empty is not None:
            group = _group(empty.group(1), facts)
            group.state, group.members = "EMPTY", 0
        words = line.replace("|", " ").split()
        if "GROUP" in words and ("PARTITION" in words or "STATE" in words):
            columns = words[words.index("GROUP") :]
        elif columns and len(words) == len(columns):
            _row(dict(zip(columns, words, strict=True)), facts)
        elif words:
            columns = []


def _row(row: Row, facts: Facts) -> None:
    if all(name in row for name in OFFSETS):
        _offset(row, facts)
    elif all(name in row for name in STATE):
        group = _group(row["GROUP"], facts)
        group.state = row["STATE"].upper()
        group.members = _number(row["#MEMBERS"])
        group.coordinator = _number(row.get("(ID)", "").strip("()"))


def _offset(row: Row, facts: Facts) -> None:
    group, id = _group(row["GROUP"], facts), _number(row["PARTITION"])
    at, lag = _number(row["CURRENT-OFFSET"]), _number(row["LAG"])
    if id is None:
        return
    if row.get("CONSUMER-ID", "-") != "-":
        group.state = group.state or "STABLE"
    partition = (row["TOPIC"], id)
    if at is not None:
        group.committed = facts.committed.setdefault(group.name, {})
        facts.committed[group.name][partition] = at
    if lag is not None:
        group.lag = facts.lag.setdefault(group.name, {})
        facts.lag[group.name][partition] = max(0, lag)


def _group(name: str, facts: Facts) -> Group:
    return facts.groups.setdefault(name, Group(name, None, unread=NOT_SHOWN))


def _number(text: str) -> int | None:
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) <= 18 else None
