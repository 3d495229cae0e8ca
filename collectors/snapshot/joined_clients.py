"""Join clients that were read from files to a snapshot of their cluster."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.model import Entity, Snapshot


def join(snapshot: Snapshot, clients: Iterable[tuple[Entity, tuple[str, ...]]]) -> list[tuple[Entity, str]]:
    """Join clients with the topics they use; returns, by client, the topics that the cluster does not show.

    A client may be joined to several clusters of different releases: each has a copy, judged for its own.
    """
    names = {entity.name for entity in snapshot.entities if entity.kind == "topic"}
    absent = []
    for client, topics in clients:
        own = copy(client)
        own.target = snapshot.entities[0].target
        snapshot.entities = (*snapshot.entities, own)
        snapshot.joined = {**snapshot.joined, client.file or client.name: topics}
        absent += [(client, topic) for topic in topics if topic not in names and not any(c in topic for c in "*?[")]
    return absent
