"""The entry of one cluster in an inventory, as text and parsed, and what became of collecting it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from advisor.model import Client, Target

TIMEOUT = 30.0
"""The default time-out in seconds for reading one cluster."""
SHARED = ("timeout", "command_config", "kafka_version", "labels")
KEYS = ("name", "bootstrap_servers", "command_config", "zookeeper", "kafka_version", "labels", "clients", "timeout")
SCHEMES = ("file:", "env:")


@dataclass(slots=True, eq=False)
class ClusterEntry:
    """A cluster of the fleet: how to reach it (`command_config` is a reference), its labels, its clients.

    `timeout` is in seconds; clients were read, and their secrets masked, where the inventory was.
    """

    name: str
    bootstrap: str
    command_config: str | None = None
    zookeeper: str | None = None
    target: Target | None = None
    timeout: float = TIMEOUT
    labels: dict[str, str] = field(default_factory=dict)
    clients: list[tuple[Client, tuple[str, ...]]] = field(default_factory=list)


@dataclass(slots=True)
class CollectionOutcome:
    """What became of collecting one cluster; `seconds` is how long it took."""

    name: str
    status: str
    reason: str | None
    seconds: float
    topics: int


@dataclass(slots=True, eq=False)
class EntryText:
    """The entry of one cluster as text, with the place of each value in the inventory."""

    where: str
    values: dict[str, str] = field(default_factory=dict)
    where_of_key: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    clients: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)

    def set(self, key: str, value: str, where: str) -> None:
        """Set a value, with its place."""
        self.values[key] = value
        self.where_of_key[key] = where


def suggest(name: str, names: Mapping[str, object] | Sequence[str]) -> str:
    """Suggest the name that was meant by an unknown one."""
    close = get_close_matches(name, list(names), 1)
    listed = ", ".join(list(names)[:8]) + (", …" if len(names) > 8 else "")
    return f"did you mean {close[0]}?" if close else f"there are {listed}"
