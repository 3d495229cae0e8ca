"""One cluster of an inventory: as its file says it, and as it is read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.model import Client, Target


class ClusterEntry:
    """A cluster of the fleet: how to reach it (`command_config` is a reference), what it is labelled, its clients.

    `timeout` is in seconds; clients were read, and their secrets masked, where the inventory was.
    """

    __slots__ = ("bootstrap", "clients", "command_config", "labels", "name", "target", "timeout", "zookeeper")

    def __init__(self, name: str, bootstrap: str) -> None:
        self.name = name
        self.bootstrap = bootstrap
        self.command_config: str | None = None
        self.zookeeper: str | None = None
        self.target: Target | None = None
        self.timeout = TIMEOUT
        self.labels: dict[str, str] = {}
        self.clients: list[tuple[Client, tuple[str, ...]]] = []


class EntryText:
    """What an inventory says of one cluster, as text, and where each of it stands."""

    __slots__ = ("clients", "labels", "places", "values", "where")

    def __init__(self, where: str) -> None:
        self.where = where
        self.values: dict[str, str] = {}
        self.places: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.clients: list[tuple[str, tuple[str, ...], str]] = []

    def say(self, key: str, value: str, where: str) -> None:
        """One value and its place."""
        self.values[key] = value
        self.places[key] = where


def meant(name: str, known: Mapping[str, object] | Sequence[str]) -> str:
    """What somebody may have meant by a name that is not there."""
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), 1)
    some = ", ".join(list(known)[:8]) + (", …" if len(known) > 8 else "")
    return f"did you mean {close[0]}?" if close else f"there are {some}"


TIMEOUT = 30.0
"""Seconds for everything of one cluster, where nobody says."""


KEYS = ("name", "bootstrap_servers", "command_config", "zookeeper", "kafka_version", "labels", "clients", "timeout")


SHARED = ("timeout", "command_config", "kafka_version", "labels")


SCHEMES = ("file:", "env:")
