"""What clients of a node lose when it has its new file: listeners, protocols, mechanisms, addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from advisor.analysis.rollout.node import TLS_CHOICES, NodeConfig
from advisor.analysis.rollout.peers.principals import ANONYMOUS
from advisor.analysis.rollout.peers.reach import address_fault
from advisor.analysis.rollout.peers.rights import open_to_all
from advisor.analysis.rollout.peers.side import OTHER, Side

REQUIRED = "required"
STAND_IN = "_NEXT"
"""What the name of a listener ends with that stands in while another one changes its protocol."""
AUTHORIZER = "authorizer.class.name"


class ClientFault(NamedTuple):
    """What clients of a listener meet: it fails, or with None is not known; `everywhere` also at nodes that are as before.

    Clients ask one broker for all leaders, by the listener that they came by: under another name it knows none of theirs.
    """

    reaches: bool | None
    why: str
    everywhere: bool = False
    is_moved_from: bool = True
    """Whether clients can leave what they lose before it goes."""
    switched: str | None = None
    """The listener that speaks another protocol under its name."""


def client_faults(old: NodeConfig, new: NodeConfig) -> Iterator[ClientFault]:
    """What clients that used the old file's listeners meet at the node; each fails, or is not known."""
    if not (old.is_broker and new.is_broker):
        return
    yield from denied(old, new)
    before, now = advertised_listeners(old), set(advertised_listeners(new))
    of_clients = set(listeners_of_clients(old))
    for listener in before:
        if listener not in now:
            yield removed(listener, before, old, new)
            continue
        if old.protocols.get(listener) != new.protocols.get(listener):
            yield of_protocol(listener, before, old, new)
            continue
        address = address_fault(listener, Side(new, old))
        if address.reaches is not True:
            yield ClientFault(address.reaches, f"clients of {listener}: {address.why.replace(OTHER, 'the node')}")
        yield from of_authentication(listener, old, new)
        if listener in of_clients:
            yield from of_encryption(listener, old, new)


def denied(old: NodeConfig, new: NodeConfig) -> Iterator[ClientFault]:
    """Clients without a login where an authorizer is switched on: no ACL can allow them before it is."""
    if not new.text(AUTHORIZER) or old.text(AUTHORIZER) or open_to_all(new) or ANONYMOUS in new.super_users:
        return
    plain = [name for name in advertised_listeners(new) if new.protocols.get(name) == "PLAINTEXT"]
    if plain:
        yield ClientFault(False, f"clients of {plain[0]} are {ANONYMOUS}, which no ACL allows yet", True, False)


def advertised_listeners(node: NodeConfig) -> list[str]:
    """The listeners that are advertised; with none written all that are no controllers'."""
    names, of_controllers = node.advertised or node.listeners, node.controller_names
    return [name for name in names if name not in of_controllers]


def listeners_of_clients(node: NodeConfig) -> list[str]:
    """The advertised listeners but that between brokers, which is taken for clients' where there is no other one."""
    names, between = advertised_listeners(node), node.inter_broker
    return [name for name in names if len(names) == 1 or name != between]


def removed(listener: str, before: list[str], old: NodeConfig, new: NodeConfig) -> ClientFault:
    """A listener that is gone."""
    if len(before) == 1:
        why = f"clients of {listener}, the only listener there was, do not find it on this node"
        return ClientFault(False, why, old.listeners[listener].port in {each.port for each in new.listeners.values()})
    return ClientFault(None, f"whether clients still use {listener}, which goes")


def of_protocol(listener: str, before: list[str], old: NodeConfig, new: NodeConfig) -> ClientFault:
    """A listener that keeps its name and speaks another protocol."""
    if len(before) > 1 and listener == old.inter_broker:
        return ClientFault(None, f"whether clients use {listener}, too, whose protocol changes")
    spoken = f"{new.protocols.get(listener)} in place of {old.protocols.get(listener)}"
    return ClientFault(False, f"clients of {listener} are cut off: it speaks {spoken}", switched=listener)


def has_stand_in(listener: str, old: NodeConfig, new: NodeConfig) -> bool:
    """Whether clients find the new protocol of a listener on another one before it changes; brokers' own is none for them."""
    others = (name for name in advertised_listeners(old) if name != listener)
    own = (name for name in others if name != old.inter_broker or name == f"{listener}{STAND_IN}")
    return any(old.protocols.get(name) == new.protocols.get(listener) for name in own)


def of_encryption(listener: str, old: NodeConfig, new: NodeConfig) -> Iterator[ClientFault]:
    """Versions of TLS and cipher suites that go."""
    if not new.protocols.get(listener, "").endswith("SSL"):
        return
    for key, what in TLS_CHOICES.items():
        was, is_now = old.values(listener, key), new.values(listener, key)
        if is_now and not (was and {*was} <= {*is_now}):
            gone = f"{', '.join(each for each in was if each not in is_now)}, which goes" if was else f"another {what}"
            yield ClientFault(None, f"whether clients of {listener} need {gone}")


def of_authentication(listener: str, old: NodeConfig, new: NodeConfig) -> Iterator[ClientFault]:
    """Mechanisms that go, and certificates that clients now need."""
    protocol = new.protocols.get(listener, "")
    if protocol.startswith("SASL_"):
        key = "sasl.enabled.mechanisms"
        gone = set(old.values(listener, key)) - set(new.values(listener, key))
        if gone:
            yield ClientFault(None, f"whether clients of {listener} log in by {', '.join(sorted(gone))}, which goes")
    if protocol.endswith("SSL"):
        was, is_now = (side.text(side.of_listener(listener, "ssl.client.auth")).lower() for side in (old, new))
        if is_now == REQUIRED != was:
            yield ClientFault(
                None, f"whether every client of {listener} has a certificate, which is required from now on"
            )
