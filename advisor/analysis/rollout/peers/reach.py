"""Which node reaches which while some have the old file and some the new one, and why one does not.

The cluster before the change is taken to work: only what differs from it is asked.
"""

from __future__ import annotations

from typing import NamedTuple

from advisor.analysis.rollout.node import TLS_CHOICES, Address, NodeConfig
from advisor.analysis.rollout.peers.principals import PLAIN, Meeting, login_of, mechanism_of, users_of
from advisor.analysis.rollout.peers.rights import right_of
from advisor.analysis.rollout.peers.side import OTHER, UNRESOLVED, Side
from advisor.facts import is_local, is_wildcard


class Reach(NamedTuple):
    """Whether one node reaches another; None where the files cannot tell. `why` says why not, or what is not known.

    `denied` by an authorizer, which ends a node; `elsewhere` says that the other one is only looked for in the wrong place.
    """

    reaches: bool | None
    why: str = ""
    denied: bool = False
    elsewhere: bool = False


YES = Reach(True)
OTHER_HOST = "no file says that {other} is reached by the host that controller.quorum.voters now name for it"


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
    faults = address_fault(name, b), protocol_fault(name, name, a.now, b.now), login_fault(Meeting(a, b, name, name))
    return first_fault(*faults, denial(name, a, b))


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
    asked = a.now.controller_names[0]
    return first_fault(
        protocol_fault(asked, listener, a.now, b.now),
        login_fault(Meeting(a, b, asked, listener)),
        denial(listener, a, b, asked),
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
        return same_port[0] if is_known_host(address, a, b) else Reach(None, OTHER_HOST.format(other=OTHER))
    known = b.before is not None and a.before is not None and b.before.listeners == b.now.listeners
    if known and a.before is not None and a.before.voters.get(b.now.id or 0) == address:
        return next(iter(of_controllers))
    return Reach(False, f"its controller.quorum.voters name another port of {OTHER}", elsewhere=True)


def is_known_host(address: Address, a: Side, b: Side) -> bool:
    """Whether a controller is reached at a host at which it listens, or was reached by before."""
    if a.before is None or is_local(address.host):
        return True
    voter = a.before.voters.get(-1 if b.now.id is None else b.now.id)
    known = (*([voter] if voter else []), *a.before.bootstrap, *b.now.listeners.values())
    return address.host in {each.host for each in known}


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
        known = {address.host for address in (*before.advertised.values(), *before.listeners.values())}
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
    if spoken.endswith("SSL") and (fault := tls_fault(asked, listener, a, b)):
        return Reach(False, fault)
    if not spoken.startswith("SASL_"):
        return YES
    mechanism = mechanism_of(a, asked)
    enabled = b.values(listener, "sasl.enabled.mechanisms")
    if asked in a.controller_names and "sasl.enabled.mechanisms" not in b.config.settings:
        enabled = (*enabled, b.text("sasl.mechanism.controller.protocol"))
    if mechanism in enabled:
        return YES
    return Reach(False, f"it logs in to {listener} of {OTHER} by {mechanism}, which is not enabled there")


def tls_fault(asked: str, listener: str, a: NodeConfig, b: NodeConfig) -> str:
    """Why two nodes find no way to encrypt: they enable no common version of TLS, or no common cipher suite; or empty."""
    for key, what in TLS_CHOICES.items():
        own, other = a.values(asked, key), b.values(listener, key)
        if own and other and {*own}.isdisjoint(other):
            return (
                f"{OTHER} enables {', '.join(other)} for {listener}, and it enables {', '.join(own)}: no common {what}"
            )
    return ""


def login_fault(meeting: Meeting) -> Reach:
    """Whether b lets a in by the user and the password of its JAAS line, where PLAIN compares them with those of b's."""
    if not logs_in_by_plain(meeting.a.now, meeting.asked) or is_let_in(meeting) is not False:
        return YES
    before = meeting.before
    if before and logs_in_by_plain(before[0], before[2]):
        a, b, asked, listener = before
        if is_let_in(Meeting(Side(a, None), Side(b, None), asked, listener)) is False:
            return Reach(None, f"how {OTHER} lets it in, whose JAAS line did not name its user before either")
    return Reach(False, f"{OTHER} does not let it in by PLAIN: its user or password is not that of a user_ entry there")


def logs_in_by_plain(a: NodeConfig, asked: str) -> bool:
    """Whether a node logs in to others by PLAIN."""
    return a.protocols.get(asked, "").startswith("SASL_") and mechanism_of(a, asked) == PLAIN


def is_let_in(meeting: Meeting) -> bool | None:
    """Whether the user and the password of a node are among those of the other one; None where lines do not say so."""
    login, users = login_of(meeting.a.now, meeting.asked), users_of(meeting.b.now, meeting.listener)
    return None if login is None or users is None else login.is_let_in_by(users)


def denial(listener: str, a: Side, b: Side, asked: str | None = None) -> Reach:
    """Whether an authorizer of b lets a do what nodes do."""
    right = right_of(Meeting(a, b, asked or listener, listener))
    return Reach(right.allowed, right.why, denied=right.allowed is False)
