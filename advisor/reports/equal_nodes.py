"""Rows about the nodes of a cluster that differ in nothing but the node and its own host names are shown as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.catalog.host_aliases import is_ordinary, lists_addresses, split_address
from advisor.model import SERVER_KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from typing import TypeVar

    from advisor.analysis.comparison import Difference
    from advisor.model.finding import EntityName

    Row = TypeVar("Row")

SHOWN = 12
"""Nodes of an entry that are named, and places."""
HOSTS = " (each with its own hosts)"
"""What is said of nodes whose values differ in their host names."""


def clusters_of(difference: Difference) -> dict[EntityName, int]:
    """The number of the cluster that each node is of."""
    return {
        (entity.kind, entity.name): number
        for number, snapshot in enumerate(difference.new.snapshots or ())
        for entity in snapshot.entities
        if entity.kind in SERVER_KINDS
    }


def equal_rows(
    rows: Iterable[Row], difference: Difference, name_of: Callable[[Row], EntityName], words: Callable[[Row], Hashable]
) -> list[list[Row]]:
    """The rows, those about the nodes of one cluster together of which the same is said."""
    clusters = clusters_of(difference)
    groups: dict[Hashable, list[Row]] = {}
    for row in rows:
        cluster = clusters.get(name_of(row))
        groups.setdefault(id(row) if cluster is None else (cluster, words(row)), []).append(row)
    return list(groups.values())


def without_hosts(key: str | None, text: str, *values: str | None) -> str:
    """The text with stand-ins for the host names in some values of a key that lists addresses."""
    if key is None or not lists_addresses(key):
        return text
    entries = (entry for value in values if value for entry in value.split(","))
    hosts = dict.fromkeys(host for entry in entries if is_ordinary(host := split_address(entry)[1]))
    for number, host in enumerate(hosts):
        text = text.replace(host, f"host-{number}")
    return text


def named(words: Sequence[str], texts: Iterable[str] = ()) -> str:
    """Words, each once, of many the first; `texts` are what is said of each, without which they are all alike."""
    names = list(dict.fromkeys(filter(None, words)))
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more + (HOSTS if len(set(texts)) > 1 else "")
