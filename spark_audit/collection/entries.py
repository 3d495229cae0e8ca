"""One cluster of an inventory: as its file says it, and as it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.model import Client, Target

TIMEOUT = 30.0
"""Seconds for everything of one cluster, where nobody says."""
SHARED = ("timeout", "command_config", "kafka_version", "labels")
KEYS = ("name", "bootstrap_servers", "command_config", "zookeeper", "kafka_version", "labels", "clients", "timeout")
SCHEMES = ("file:", "env:")


@dataclass(slots=True, eq=False)
class ClusterEntry:
    """A cluster of the fleet: how to reach it (`command_config` is a reference), what it is labelled, its clients.

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


@dataclass(slots=True, eq=False)
class EntryText:
    """What an inventory says of one cluster, as text, and where each of it stands."""

    where: str
    values: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    clients: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)

    def say(self, key: str, value: str, where: str) -> None:
        """One value and its place."""
        self.values[key] = value
        self.places[key] = where


def meant(name: str, known: Mapping[str, object] | Sequence[str]) -> str:
    """What somebody may have meant by a name that is not there."""
    close = get_close_matches(name, list(known), 1)
    some = ", ".join(list(known)[:8]) + (", …" if len(known) > 8 else "")
    return f"did you mean {close[0]}?" if close else f"there are {some}"
