"""A node in some state of the rollout, beside what it was before the change."""

from __future__ import annotations

from typing import NamedTuple

from advisor.analysis.rollout.node import Address, NodeConfig
from advisor.facts import is_local

UNRESOLVED = (".invalid",)
"""What no host name ends with that can be resolved (RFC 6761)."""
OTHER = "{other}"
"""Stands for the other node in a reason, which is the same for many nodes."""


class Side(NamedTuple):
    """A node's configuration in some state, and the one that it had before the change."""

    now: NodeConfig
    before: NodeConfig | None

    @property
    def is_as_before(self) -> bool:
        """Whether the node is reached, and reaches others, as before the change."""
        return self.before is not None and (self.now is self.before or self.now.wire == self.before.wire)

    def outline(self) -> tuple[object, ...]:
        """What decides about reach, with the node's own hosts by number: nodes of one outline are reached alike."""
        names: dict[str, str] = {}
        before = None if self.before is None else outline_of(self.before, names)
        return outline_of(self.now, names), before


def outline_of(node: NodeConfig, hosts: dict[str, str]) -> tuple[object, ...]:
    """The configuration of a node in which every host of its own has a number."""

    def stand_in(address: Address) -> tuple[str, int | None]:
        plain = address.host[:1].isalpha() and not is_local(address.host) and not address.host.endswith(UNRESOLVED)
        return hosts.setdefault(address.host, str(len(hosts))) if plain else address.host, address.port

    listening = tuple((name, stand_in(address)) for name, address in node.listeners.items())
    advertised = tuple((name, stand_in(address)) for name, address in node.advertised.items())
    return listening, advertised, tuple(row for row in node.wire if row[0] not in ("listeners", "advertised.listeners"))
