"""Collect consumer groups with their members and committed offsets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from advisor.model.cluster import Group, Live
from collectors.kafka.deadline import Unread

if TYPE_CHECKING:
    from collectors.kafka.confluent import Confluent
    from collectors.kafka.options import CollectOptions

    Offsets = Mapping[tuple[str, int], int]


NOT_LISTED = "no broker lists the group: it is gone, or its coordinator is"
UNNAMED = "a group without a name is left out: no request can ask about it"
NOT_DESCRIBED = "a group of the new protocol (KIP-848), which takes confluent-kafka 2.10 or newer to describe"


def groups_of(
    confluent: Confluent, live: Live, authorizer: bool | None, may_describe: bool, wanted: CollectOptions
) -> tuple[Group, ...]:
    """All groups visible to this principal. Raises Unread where others may be hidden.

    Brokers answer with an empty list, and no error, where the right is missing.
    """
    listed, silent = confluent.group_names()
    if not all(row.group_id for row in listed):
        live.unread["groups"] = UNNAMED
    listed = [row for row in listed if row.group_id]
    names = sorted(row.group_id for row in listed)
    if authorizer is not False and not may_describe:
        if not names:
            raise Unread("no group is shown to this principal: there is none, or it needs DESCRIBE on group *")
        live.unread["groups"] = "groups may be hidden from this principal: it needs DESCRIBE on the cluster or group *"
    if silent:
        live.unread["groups"] = f"not every broker named its groups: {silent[0]}"
    wanted.progress("groups", 0, len(names))
    described = confluent.describe_groups(names, wanted.progress)
    states = {row.group_id: row.state.name for row in listed}
    described |= {row.group_id: Unread(NOT_DESCRIBED) for row in listed if not _knows(row, described[row.group_id])}
    committed = confluent.committed(names)
    ends: Offsets = {}
    if wanted.lag:
        partitions = sorted({partition for answer in committed.values() for partition in _offsets(answer) or ()})
        ends = confluent.end_offsets(partitions, wanted.progress)
    lost = [Group(name, None, unread=NOT_LISTED) for name in sorted(set(wanted.groups) - set(names))]
    lags = ends if wanted.lag else None
    return (
        *lost,
        *(
            _group(name, states[name], described[name], _offsets(committed[name]), committed[name], lags)
            for name in names
        ),
    )


def _knows(row: Any, answer: Any) -> bool:
    """Whether the client supports the protocol of a group; if not, it reports the group dead and empty."""
    return isinstance(answer, Unread) or row.type.name != "CONSUMER" or hasattr(answer, "type")


def _offsets(answer: Any) -> dict[tuple[str, int], int] | None:
    if isinstance(answer, Unread):
        return None
    return {(row.topic, row.partition): row.offset for row in answer.topic_partitions or () if row.offset >= 0}


def _group(
    name: str, state: str, answer: Any, offsets: dict[tuple[str, int], int] | None, raw: Any, ends: Offsets | None
) -> Group:
    unread = next((str(reply) for reply in (answer, raw) if isinstance(reply, Unread)), None)
    lag = None
    if ends is not None and offsets is not None:
        lag = {partition: max(0, ends[partition] - at) for partition, at in offsets.items() if partition in ends}
    if isinstance(answer, Unread):
        return Group(name, state, committed=offsets, lag=lag, unread=unread)
    topics = {partition.topic for member in answer.members for partition in member.assignment.topic_partitions or ()}
    return Group(
        name,
        answer.state.name,
        answer.partition_assignor or None,
        len(answer.members),
        tuple(sorted(topics)),
        answer.coordinator.id if answer.coordinator else None,
        offsets,
        lag,
        unread,
    )
