"""A stage of a sequence of passes: a file for each node, what it is called, what to wait for, and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode
from advisor.analysis.rollout.node import TLS_CHOICES, NodeConfig, listed
from advisor.analysis.rollout.peers.principals import ANONYMOUS, asked_listener, identity
from advisor.model import Entity

CHOICES = ("sasl.enabled.mechanisms", *TLS_CHOICES)
"""Lists of which nodes and clients need a common item with those that they connect to."""
IN_SYNC = "kafka-topics.sh --describe --under-replicated-partitions prints nothing"

CAUGHT_UP = "kafka-metadata-quorum.sh describe --replication shows a lag of 0 for every voter"

MOVED = "no connection is left on {} (kafka.server:type=socket-server-metrics,listener={} connection-count)"


@dataclass(eq=False)
class Stage:
    """An intermediate configuration: the file of every node that changes, what to wait for after it, and the way back."""

    title: str
    entities: Mapping[int, Entity]
    wait: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    way_back: str = "put the files of the pass before back, in the opposite order of nodes: nothing is lost"


@dataclass(eq=False)
class Candidate:
    """Stages up to the new files."""

    stages: list[Stage] = field(default_factory=list)


def added_words(nodes: list[RolloutNode]) -> str:
    """What the new files have beside the old ones."""
    names: dict[str, None] = {}
    for old, new in map(sides, nodes):
        names |= dict.fromkeys(f"the listener {name}" for name in new.listeners if name not in old.listeners)
        for key in CHOICES:
            names |= dict.fromkeys(name for name in listed(new.text(key)) if name not in listed(old.text(key)))
        names |= dict.fromkeys(sorted(new.super_users - old.super_users))
        names |= dict.fromkeys("the new user_ entries" for _ in changed_users(new, old))
    return ", ".join(names) or "what is new"


def removed_words(nodes: list[RolloutNode], listeners: Iterable[str]) -> str:
    """That listeners, mechanisms and super users are taken away; empty where none are."""
    names = dict.fromkeys(listeners)
    for old, new in map(sides, nodes):
        for key in CHOICES:
            if key in old.config.settings and key in new.config.settings:
                names |= dict.fromkeys(name for name in listed(old.text(key)) if name not in listed(new.text(key)))
        if new.super_users:
            names |= dict.fromkeys(sorted(old.super_users - new.super_users))
        names |= dict.fromkeys("the old user_ entries" for _ in changed_users(old, new))
    return f"take {', '.join(names)} away" if names else ""


def changed_users(these: NodeConfig, those: NodeConfig) -> Iterator[str]:
    """The JAAS lines that let in users by PLAIN whom those of the other side do not."""
    for key in {*these.changed_secrets, *those.changed_secrets}:
        own, other = (side.config.settings[key].jaas for side in (these, those))
        if own and other and not {*own.users} <= {*other.users}:
            yield key


def switch_words(nodes: list[RolloutNode]) -> str:
    """What nodes use among themselves from now on."""
    words: dict[str, None] = {}
    for old, new in map(sides, nodes):
        if new.is_broker and new.inter_broker != old.inter_broker and new.inter_broker:
            words[f"let brokers use {new.inter_broker} among themselves"] = None
        if new.controller_names[:1] != old.controller_names[:1] and new.controller_names:
            words[f"let nodes use {new.controller_names[0]} to reach the controllers"] = None
        mechanism = "sasl.mechanism.inter.broker.protocol"
        if new.is_broker and new.text(mechanism) != old.text(mechanism):
            words[f"let brokers log in by {new.text(mechanism)}"] = None
        words |= dict.fromkeys(new_logins(old, new))
    return ", ".join(words) or "the new files"


def new_logins(old: NodeConfig, new: NodeConfig) -> Iterator[str]:
    """That a node logs in as another user, or shows another certificate, on the listeners that it goes on using."""
    for of_controllers in (False, True):
        name = asked_listener(new, of_controllers)
        was, is_now = (identity(side, asked_listener(side, of_controllers)) for side in (old, new))
        if name and name == asked_listener(old, of_controllers) and was[0] == is_now[0] and was != is_now:
            yield "give nodes their new certificates" if is_now[0] == "SSL" else "let nodes log in as their new users"


def certificates(nodes: list[RolloutNode]) -> tuple[str, ...]:
    """To look at before super users are taken away: no file says whose certificates nodes have."""
    gone: dict[str, None] = {}
    for old, new in map(sides, nodes):
        if new.super_users and "SSL" in {new.protocols.get(asked_listener(new, each)) for each in (False, True)}:
            gone |= dict.fromkeys(sorted(old.super_users - new.super_users - {ANONYMOUS}))
    names = ", ".join(gone)
    command = "openssl x509 -noout -subject -nameopt RFC2253"
    return (f"{command} names none of {names} for the certificate of any node",) if gone else ()


def handshakes(nodes: list[RolloutNode]) -> tuple[str, ...]:
    """To try before brokers use TLS among themselves: no file says whose certificate is trusted by whom."""
    names: dict[str, None] = {}
    for old, new in map(sides, nodes):
        name = new.inter_broker
        if new.is_broker and name and new.protocols.get(name, "").endswith("SSL") and name != old.inter_broker:
            names[name] = None
    return tuple(
        f"openssl s_client -verify_return_error -CAfile CA -connect HOST:PORT succeeds from every broker to {name} of every "
        "other one"
        for name in names
    )


def waits(cluster: RolloutCluster) -> tuple[str, ...]:
    """What to wait for after each node."""
    return (IN_SYNC, CAUGHT_UP) if cluster.is_kraft and cluster.controllers else (IN_SYNC,)


def moved_from(names: Iterable[str]) -> tuple[str, ...]:
    """To wait until no client uses some listeners."""
    return tuple(MOVED.format(name, name) for name in names)


def sides(node: RolloutNode) -> tuple[NodeConfig, NodeConfig]:
    """Both sides of a node that has both."""
    assert node.old and node.new
    return node.old, node.new
