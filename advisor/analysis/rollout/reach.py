"""Which node reaches which while some have the old file and some the new one, and why one does not.

The cluster before the change is taken to work: only what differs from it is asked.
"""

from __future__ import annotations

from typing import NamedTuple

from advisor.analysis.rollout.node import Address, NodeConfig
from advisor.facts import is_local, is_wildcard

UNRESOLVED = (".invalid",)
"""What no host name ends with that can be resolved (RFC 6761)."""
OTHER = "{other}"
"""Stands for the other node in a reason, which is the same for many nodes."""
PRINCIPALS = ("principal.builder.class", "ssl.principal.mapping.rules", "sasl.kerberos.principal.to.local.rules")
ANONYMOUS, SUPER_USERS = "User:ANONYMOUS", "super.users"


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


class Reach(NamedTuple):
    """Whether one node reaches another; None where the files cannot tell. `why` says why not, or what is not known.

    `denied` by an authorizer, which ends a node; `elsewhere` says that the other one is only looked for in the wrong place.
    """

    reaches: bool | None
    why: str = ""
    denied: bool = False
    elsewhere: bool = False


YES = Reach(True)


def broker_reaches(a: Side, b: Side) -> Reach:
    """Whether broker a, as a follower, reaches broker b over a's listener between brokers."""
    if a.is_as_before and b.is_as_before:
        return YES
    if a.now.is_kraft != b.now.is_kraft and not any(side and side.migrates for side in (*a, *b)):
        return Reach(False, f"it is in another mode than {OTHER}, and no migration joins them")
    name = a.now.inter_broker
    if name is None:
        return Reach(None, a.now.unread.get("inter.broker.listener.name", "the listener between brokers is not known"))
    if name not in b.now.advertised and name not in unadvertised(b.now):
        return Reach(False, f"it looks for the listener {name}, which {OTHER} does not advertise")
    return first_fault(
        address_fault(name, b), protocol_fault(name, name, a.now, b.now), denial(name, a, b, "inter.broker")
    )


def unadvertised(node: NodeConfig) -> tuple[str, ...]:
    """The listeners that are advertised because they are listened on: advertised.listeners is not set."""
    if "advertised.listeners" in node.config.settings:
        return ()
    return tuple(name for name in node.listeners if name not in node.controller_names)


def controller_reached(a: Side, b: Side) -> Reach:
    """Whether a node reaches a controller b by the voters, or the servers, that its own file names."""
    if a.is_as_before and b.is_as_before:
        return YES
    if not a.now.controller_names:
        return Reach(None, a.now.unread.get("controller.listener.names", "it names no listener of controllers"))
    listener = listener_reached(a, b)
    if isinstance(listener, Reach):
        return listener
    return first_fault(
        protocol_fault(a.now.controller_names[0], listener, a.now, b.now),
        denial(listener, a, b, "controller", a.now.controller_names[0]),
    )


def listener_reached(a: Side, b: Side) -> str | Reach:
    """The listener of a controller that a node is led to, or why there is none."""
    of_controllers = {name: b.now.listeners[name] for name in b.now.controller_names if name in b.now.listeners}
    if not of_controllers:
        return Reach(False, f"{OTHER} has no listener of controllers")
    if not a.now.voters:
        name = a.now.controller_names[0]
        return name if name in of_controllers else Reach(False, f"{OTHER} has no controller listener {name}")
    address = a.now.voters.get(b.now.id if b.now.id is not None else -1)
    if address is None:
        return Reach(False, f"its controller.quorum.voters do not name {OTHER}")
    same_port = [name for name, listening in of_controllers.items() if listening.port == address.port]
    if same_port:
        return same_port[0]
    known = b.before is not None and a.before is not None and b.before.listeners == b.now.listeners
    if known and a.before is not None and a.before.voters.get(b.now.id or 0) == address:
        return next(iter(of_controllers))
    return Reach(False, f"its controller.quorum.voters name another port of {OTHER}", elsewhere=True)


def unknown_name(a: Side, b: Side) -> str:
    """Why a controller ends when it speaks to another one: it calls the listener by a name that the other does not have.

    Seen on 4.3: "Received unexpected invalid request error" in the raft thread of the one with the new name.
    """
    name = next(iter(a.now.controller_names), "")
    if (a.is_as_before and b.is_as_before) or not name or name in b.now.controller_names:
        return ""
    return f"it calls the controllers' listener {name}, which {OTHER} does not have, and may end for that"


def first_fault(*faults: Reach) -> Reach:
    """The first that fails, else the first that is not known."""
    failed = [fault for fault in faults if fault.reaches is False]
    return next(iter(failed or [fault for fault in faults if fault.reaches is None]), YES)


def address_fault(name: str, b: Side) -> Reach:
    """Whether a node is reached where it says that it is: port and host of a listener against where it listens."""
    listening, now = b.now.listeners.get(name), b.now.advertised.get(name) or b.now.listeners.get(name)
    if listening is None or now is None:
        return Reach(False, f"{OTHER} advertises the listener {name} and does not listen on it")
    before = b.before
    if before is not None:
        old = before.advertised.get(name) or before.listeners.get(name)
        if (old, before.listeners.get(name)) == (now, listening):
            return YES
    if now.host.endswith(UNRESOLVED):
        return Reach(False, f"no host name that ends with {UNRESOLVED[0]}, as {OTHER} advertises for {name}, exists")
    if is_local(listening.host) and not is_local(now.host) and now.host[:1].isdigit():
        return Reach(False, f"{OTHER} listens on its loopback address alone for {name}, and advertises another one")
    return first_fault(port_fault(name, now, listening, b), host_fault(name, now, listening, b))


def port_fault(name: str, now: Address, listening: Address, b: Side) -> Reach:
    """Whether the port that is advertised is the one that is listened on, or was translated before as well."""
    if now.port == listening.port or now.port is None or listening.port is None:
        return YES if now.port is not None and listening.port is not None else Reach(None, f"the port of {name}")
    before = b.before
    translated = before is not None and any(
        address.port != before.listeners[other].port
        for other, address in before.advertised.items()
        if other in before.listeners
    )
    if translated:
        return Reach(None, f"{OTHER} advertises port {now.port} for {name} and listens on {listening.port}")
    return Reach(False, f"{OTHER} advertises port {now.port} for {name}, and listens on {listening.port}")


def host_fault(name: str, now: Address, listening: Address, b: Side) -> Reach:
    """Whether the advertised host is one by which the node was known before."""
    before = b.before
    known = {listening.host}
    if before is not None:
        known |= {address.host for address in (*before.advertised.values(), *before.listeners.values())}
    if now.host in known or (is_wildcard(listening.host) and is_local(now.host) and any(map(is_local, known))):
        return YES
    return Reach(None, f"no file says that the other nodes reach the host that {OTHER} now advertises for {name}")


def protocol_fault(asked: str, listener: str, a: NodeConfig, b: NodeConfig) -> Reach:
    """Whether both speak the same protocol, and b knows the mechanism of a."""
    spoken, understood = a.protocols.get(asked), b.protocols.get(listener)
    if spoken is None or understood is None:
        return Reach(None, f"the protocol of {asked if spoken is None else listener} is not known")
    if spoken != understood:
        return Reach(False, f"it speaks {spoken} to {listener} of {OTHER}, which speaks {understood}")
    if not spoken.startswith("SASL_"):
        return YES
    mechanism = mechanism_of(a, asked)
    enabled = b.values(listener, "sasl.enabled.mechanisms")
    if asked in a.controller_names and "sasl.enabled.mechanisms" not in b.config.settings:
        enabled = (*enabled, b.text("sasl.mechanism.controller.protocol"))
    if mechanism in enabled:
        return YES
    return Reach(False, f"it logs in to {listener} of {OTHER} by {mechanism}, which is not enabled there")


def mechanism_of(a: NodeConfig, listener: str) -> str:
    """The mechanism by which a node logs in to another one."""
    role = "controller" if listener in a.controller_names else "inter.broker"
    return a.text(f"sasl.mechanism.{role}.protocol")


def denial(listener: str, a: Side, b: Side, role: str, asked: str | None = None) -> Reach:
    """Whether an authorizer of b lets a do what nodes do."""
    if not b.now.text("authorizer.class.name") or open_to_all(b.now):
        return YES
    allowed = principal_allowed(listener, asked or listener, a.now, b.now)
    if b.before is not None and not gained_or_lost(a, b, listener, asked or listener):
        is_hidden = b.before.is_hidden(SUPER_USERS) and not b.now.is_hidden(SUPER_USERS)
        if allowed is not False or not is_hidden:
            return YES
    elif b.before is not None and any(b.now.text(key) != b.before.text(key) for key in PRINCIPALS):
        return Reach(None, f"which principal it is to {OTHER}, which makes principals in another way")
    if b.now.is_hidden(SUPER_USERS):
        return Reach(None, f"whether {OTHER} has its principal among its super users, which a running broker hides")
    if allowed is None and b.now.super_users:
        return Reach(None, f"which principal it is to {OTHER}, whose authorizer knows super users alone")
    if allowed:
        return YES
    return Reach(False, f"the authorizer of {OTHER} denies it: its principal is not in super.users", denied=True)


def principal_allowed(listener: str, asked: str, a: NodeConfig, b: NodeConfig) -> bool | None:
    """Whether whom a is to b on a listener is a super user of it, or ACLs let it do what brokers do; None where unknown."""
    protocol = b.protocols.get(listener, "")
    if protocol.startswith("SASL_"):
        return login_allowed(asked, a, b)
    return None if protocol == "SSL" else ANONYMOUS in b.super_users | b.granted


def gained_or_lost(a: Side, b: Side, listener: str, asked: str) -> bool:
    """Whether the answer of b's authorizer may differ from before the change."""
    if b.before is None or a.before is None:
        return True
    if any(b.now.text(key) != b.before.text(key) for key in ("authorizer.class.name", *PRINCIPALS)):
        return True
    if not b.now.super_users >= b.before.super_users or open_to_all(b.before) > open_to_all(b.now):
        return True
    return (b.before.protocols.get(listener), a.before.protocols.get(asked)) != (
        b.now.protocols.get(listener),
        a.now.protocols.get(asked),
    )


def open_to_all(node: NodeConfig) -> bool:
    """Whether everyone may do what no ACL is about."""
    return node.text("allow.everyone.if.no.acl.found").lower() == "true"


def login_allowed(listener: str, a: NodeConfig, b: NodeConfig) -> bool | None:
    """Whether whom a logs in as is a super user of b; None where its JAAS line does not say."""
    mechanism = mechanism_of(a, listener).lower()
    key_of_listener = f"listener.name.{listener.lower()}.{mechanism}.sasl.jaas.config"
    key = next((each for each in (key_of_listener, "sasl.jaas.config") if each in a.config.settings), None)
    jaas = a.config.settings[key].jaas if key else None
    return None if jaas is None or jaas.login is None else jaas.login.is_one_of(tuple(b.super_users | b.granted))
