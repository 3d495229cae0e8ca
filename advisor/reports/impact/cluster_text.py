"""What `impact` says of clients, groups, the quorum, racks and disks, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.impact.cluster_impact import Impact
from advisor.analysis.impact.coordinators import MOVES, STAYS
from advisor.model.cluster import DEAD, FENCED
from advisor.reports.impact.words import (
    bytes_text,
    counted,
    states_text,
)

GROUPS_SHOWN = 10
"""Names of groups that are shown; JSON has them all."""


def client_lines(impact: Impact) -> Iterator[str]:
    """What every joined client sees."""
    for client in impact.clients:
        acks = f" (acks={client.acks})" if client.acks else ""
        partitions = states_text(client.states) or "none of its topics is seen"
        newest = f"; the newest records of {client.newest_lost:,} may be lost" if client.newest_lost else ""
        yield f"client {client.name}{acks}: {partitions}{newest}"


def group_lines(impact: Impact) -> Iterator[str]:
    """Consumer groups, transactions and share groups by what becomes of their coordinators."""
    names_by_state: dict[str, list[str]] = {}
    for group in impact.groups:
        names_by_state.setdefault(group.state, []).append(group.name)
    for state, names in sorted(names_by_state.items(), key=lambda row: row[0] in (STAYS, MOVES)):
        shown = "" if state == STAYS else f": {', '.join(sorted(names)[:GROUPS_SHOWN])}{more(names)}"
        yield f"groups: {len(names):,} of {len(impact.groups):,}: coordinator {state}{shown}"
    for row in impact.coordinators:
        states = ", ".join(f"{count} {state}" for state, count in sorted(row.states.items()))
        yield f"{row.topic}: of its {counted(row.partitions, 'partition')}: {states}"


def more(names: Sequence[str]) -> str:
    """How many names are not shown."""
    return f" and {len(names) - GROUPS_SHOWN:,} more" if len(names) > GROUPS_SHOWN else ""


def cluster_lines(impact: Impact) -> Iterator[str]:
    """Quorum, racks and disks."""
    if not leads(impact):
        yield quorum_line(impact)
    for rack in impact.racks:
        if (rack.up_before, rack.leaders_before) != (rack.up_after, rack.leaders_after):
            brokers = f"{rack.up_after} of {counted(rack.up_before, 'broker')} left"
            yield f"rack {rack.name}: {brokers}, leads {rack.leaders_after:,} (before: {rack.leaders_before:,})"
    if impact.failure.brokers:
        yield disk_line(impact)


def leads(impact: Impact) -> bool:
    """Whether what becomes of the quorum is the worst there is: its metadata is lost."""
    return impact.quorum.metadata_lost


def quorum_line(impact: Impact) -> str:
    """What is left of the metadata quorum."""
    quorum = impact.quorum
    if quorum.keeps is None:
        return f"quorum: unknown, because {quorum.unread or ''}"
    if quorum.keeps and quorum.after is None:
        return f"quorum: {quorum.kind} were not read; they are taken to stay as they are"
    size = f"{quorum.after} of {quorum.members} {quorum.kind} left, {quorum.needed} needed for a majority"
    words = size if quorum.members is not None else f"no {quorum.kind} left"
    if quorum.metadata_lost:
        return f"quorum: {words}: the cluster's metadata is lost with their disks, and the quorum does not come back"
    return f"quorum: {words}{'' if quorum.keeps else ': no leader is elected and no ISR changes'}"


def disk_line(impact: Impact) -> str:
    """What would have to be built anew elsewhere."""
    disks = impact.disks
    if all(node.state in (DEAD, FENCED) or node.id in impact.failure.brokers for node in impact.live.nodes):
        return "disks: no broker is left"
    held = "of unknown size" if disks.bytes is None else f"of {bytes_text(disks.bytes)}"
    free = "unknown" if disks.free is None else bytes_text(disks.free)
    why = f" ({disks.unknown})" if disks.unknown else ""
    return f"disks: replicas {held} fail; free on the brokers left: {free}{why}"
