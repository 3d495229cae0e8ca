"""A node in some state of the rollout, beside what it was before the change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from advisor.analysis.rollout.node import NodeConfig, addresses
from advisor.cache import cached_if_long
from advisor.facts import is_local

UNRESOLVED = (".invalid",)
"""What no host name ends with that can be resolved (RFC 6761)."""
LISTENERS = ("listeners", "advertised.listeners")
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
    written = [node.text(key) for key in LISTENERS]
    outlines = [tuple(numbered(text, hosts)) if own_hosts(text) else text for text in written]
    return (*outlines, tuple(row for row in node.wire if row[0] not in LISTENERS))


def numbered(text: str, hosts: dict[str, str]) -> Iterator[tuple[str, str, int | None]]:
    """The addresses of a node, with a number in place of every host of its own."""
    own = own_hosts(text)
    for name, (host, port) in addresses(text).items():
        yield name, hosts.setdefault(host, str(len(hosts))) if host in own else host, port


@cached_if_long
def own_hosts(text: str) -> frozenset[str]:
    """The hosts of addresses that may be a node's own: the names that can be resolved elsewhere."""
    hosts = {address.host for address in addresses(text).values()}
    return frozenset(
        host for host in hosts if host[:1].isalpha() and not is_local(host) and not host.endswith(UNRESOLVED)
    )
