"""Whether the nodes of one cluster reach each other: listeners and protocols that have to agree between their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from advisor.facts import PROTOCOLS, filled_in_later, is_role, is_word
from advisor.rule import Problem, Subject, Unknown
from rules import count

MAP, INTER_BROKER = "listener.security.protocol.map", "inter.broker.listener.name"
KEYS = ("process.roles", "listeners", "advertised.listeners", MAP, INTER_BROKER, "security.inter.broker.protocol",
        "controller.listener.names")  # fmt: skip
ADDRESSES = ("listeners", "advertised.listeners", MAP)
NAMES_JUDGED = 4
"""Listeners between brokers that are compared on every node."""


class Node(NamedTuple):
    """What a node's file says of its listeners."""

    roles: str
    protocols: dict[str, str]
    offered: tuple[str, ...]
    inter_broker: str
    controllers: tuple[str, ...]

    def protocol(self, name: str) -> str:
        """The protocol of a listener; empty where the file does not say it."""
        return self.protocols.get(name, name if name in PROTOCOLS else "")


def nodes_of(cluster: Subject) -> list[Node]:
    """The nodes by their files. Raises Unknown where one of these settings is filled in later."""
    texts = [[text.strip() if isinstance(text, str) else "" for text in cluster.values(key)] for key in KEYS]
    for key, own in zip(KEYS, texts, strict=True):
        if any(is_open(key, entry) for text in own for entry in text.split(",")):
            raise Unknown(f"{key} is filled in later on a node")
    return [node_of(*each) for each in zip(*texts, strict=True)]


def node_of(
    roles: str, listeners: str, advertised: str, mapped: str, name: str, protocol: str, controllers: str
) -> Node:
    """A node by its texts."""
    pairs = (entry.rpartition(":") for entry in mapped.split(",") if ":" in entry)
    return Node(
        roles,
        {name.strip().upper(): protocol.strip().upper() for name, _, protocol in pairs},
        names_in(advertised or listeners),
        (name or protocol or PROTOCOLS[0]).upper(),
        tuple(each.strip().upper() for each in controllers.split(",") if each.strip()),
    )


def is_open(key: str, entry: str) -> bool:
    """Whether a name or a protocol is filled in later; the address behind it may be."""
    return filled_in_later(name_of(entry)) or (key in ADDRESSES and is_word(entry))


def name_of(entry: str) -> str:
    """The name of a listener, or an entry that is none."""
    name, mark, _ = entry.partition("://")
    return name if mark else entry


def names_in(text: str) -> tuple[str, ...]:
    """The names of listeners."""
    return tuple(name_of(entry).strip().upper() for entry in text.split(",") if entry.strip())


def problems_between(cluster: Subject) -> Iterator[Problem]:
    """What keeps the nodes of a cluster from each other."""
    nodes = nodes_of(cluster)
    brokers = [node for node in nodes if not node.roles or is_role(node.roles, "broker")]
    yield from between_brokers(brokers)
    yield from to_controllers(nodes)


def between_brokers(brokers: Sequence[Node]) -> Iterator[Problem]:
    """What keeps brokers from each other."""
    for name in list(dict.fromkeys(node.inter_broker for node in brokers))[:NAMES_JUDGED]:
        without = sum(bool(node.offered) and name not in node.offered for node in brokers)
        if without:
            users = count(sum(node.inter_broker == name for node in brokers), "broker")
            words = f"{users} of {len(brokers)} reach the others at {name}, which {count(without, 'broker')} of them does not advertise"
            yield Problem(INTER_BROKER, words.replace("s of them does", "s of them do"), "one listener")
            return
        different = counted([node.protocol(name) for node in brokers])
        if different:
            yield Problem(MAP, f"the brokers replicate over {name}, which is {different}", "one protocol")


def to_controllers(nodes: Sequence[Node]) -> Iterator[Problem]:
    """What keeps nodes from the controllers, each of which has one listener."""
    if any(len(node.controllers) > 1 for node in nodes):
        return
    different = counted([node.protocol(name) for node in nodes for name in node.controllers])
    if different:
        yield Problem(MAP, f"the controllers' listener is {different}", "one protocol")


def counted(protocols: Sequence[str]) -> str:
    """What protocols several nodes have, the most common one first; empty where those that are known are one."""
    numbers = dict.fromkeys(filter(None, protocols), 0)
    for protocol in filter(None, protocols):
        numbers[protocol] += 1
    ordered = sorted(numbers, key=lambda each: (-numbers[each], each))
    return " and ".join(f"{each} on {count(numbers[each], 'node')}" for each in ordered) if len(ordered) > 1 else ""
