"""kafka-consumer-groups --describe, with offsets, or --state. Source: ConsumerGroupCommand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from collectors.outputs.facts import Facts, GroupOutput
from collectors.outputs.numbers import broker_id, whole

EMPTY = re.compile(r"Consumer group '(.{1,249}?)' has no active members")
OFFSETS = ("GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LAG")
STATE = ("GROUP", "STATE", "#MEMBERS")
Row = dict[str, str]


def read(lines: Sequence[str], facts: Facts) -> None:
    """Read the groups that some lines show."""
    columns: list[str] = []
    for line in lines:
        empty = EMPTY.search(line) if "has no active members" in line else None
        if empty is not None:
            group = facts.group(empty.group(1))
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
        _offset(row, facts.group(row["GROUP"]))
    elif all(name in row for name in STATE):
        group = facts.group(row["GROUP"])
        group.state, group.members = row["STATE"].upper(), whole(row["#MEMBERS"])
        group.coordinator = whole(row.get("(ID)", "").strip("()"))


def _offset(row: Row, group: GroupOutput) -> None:
    id, at, lag = broker_id(row["PARTITION"]), whole(row["CURRENT-OFFSET"]), whole(row["LAG"])
    if id is None:
        return
    if row.get("CONSUMER-ID", "-") != "-":
        group.state = group.state or "STABLE"
    if at is not None:
        group.committed[row["TOPIC"], id] = at
    if lag is not None:
        group.lag[row["TOPIC"], id] = max(0, lag)
