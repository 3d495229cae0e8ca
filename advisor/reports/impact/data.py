"""Output of `impact` as JSON: every partition, row by row; described in impact.schema.json beside this module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from advisor import __version__
from advisor.analysis.impact.cluster_impact import Impact
from advisor.analysis.impact.failure import Failure
from advisor.analysis.impact.partition_outcome import PartitionOutcome
from advisor.analysis.impact.quorum import QuorumImpact
from advisor.analysis.impact.topics import TopicImpact
from advisor.model.cluster import NOBODY, Live
from advisor.reports.impact.words import order_of_events
from advisor.reports.machine.json_text import dump

IMPACT_FORMAT = "kafka-advisor-impact/1"
Row = dict[str, Any]


def lines(impact: Impact) -> Iterator[str]:
    """The document, a topic in a line: a cluster may have a million partitions."""
    yield from in_lines(head(impact), "topics", map(topic_row, impact.topics), tail(impact))


def in_lines(head: Mapping[str, Any], name: str, rows: Iterator[Row], tail: Mapping[str, Any]) -> Iterator[str]:
    """An object whose longest list has a line for each of its rows."""
    yield "{"
    yield from (f"  {dump(key)}: {dump(value)}," for key, value in head.items())
    yield f"  {dump(name)}: ["
    before = next(rows, None)
    for row in rows:
        yield f"    {dump(before)},"
        before = row
    if before is not None:
        yield f"    {dump(before)}"
    yield "  ],"
    members = [f"  {dump(key)}: {dump(value)}" for key, value in tail.items()]
    yield from (f"{member}," for member in members[:-1])
    yield from members[-1:]
    yield "}"


def head(impact: Impact) -> Row:
    """What stands before the topics."""
    return {
        "format": IMPACT_FORMAT,
        "tool": {"name": "kafka-advisor", "version": __version__},
        "cluster": cluster_row(impact.live),
        "failure": failure_row(impact.failure),
        "assumed": order_of_events(impact),
        "partitions": impact.states(),
        "worse": impact.worse(),
        "quorum": quorum_row(impact.quorum),
    }


def tail(impact: Impact) -> Row:
    """What stands behind them."""
    return {
        "groups": [group._asdict() for group in impact.groups],
        "coordinators": [row._asdict() for row in impact.coordinators],
        "racks": [rack._asdict() for rack in impact.racks],
        "clients": [client._asdict() for client in impact.clients],
        "disks": impact.disks._asdict(),
        "unknown": list(impact.unknown),
    }


def cluster_row(live: Live) -> Row:
    """The cluster."""
    return {"name": live.name, "metadata": live.metadata, "collected": live.collected}


def failure_row(failure: Failure) -> Row:
    """What fails."""
    return {
        "how": failure.how,
        "brokers": sorted(failure.brokers),
        "controllers": sorted(failure.controllers),
        "ensemble": failure.ensemble,
        "notes": failure.notes,
    }


def quorum_row(quorum: QuorumImpact) -> Row:
    """The quorum."""
    return {**asdict(quorum), "needed": quorum.needed}


def topic_row(topic: TopicImpact) -> Row:
    """A topic: the ids of its partitions that share an outcome, and that."""
    rows = [
        {"ids": [partition.id for partition in partitions], **outcome_row(outcome)}
        for outcome, partitions in topic.partitions.items()
    ]
    return {"topic": topic.name, "unread": topic.unread, "partitions": rows}


def outcome_row(outcome: PartitionOutcome) -> Row:
    """An outcome; null where there is no leader."""
    row = outcome._asdict()
    for name in ("leader", "leader_before"):
        row[name] = None if row[name] == NOBODY else row[name]
    return row
