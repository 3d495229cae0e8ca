"""Changes of listeners: which brokers and clients still reach each other while only some nodes have the new file."""

from __future__ import annotations

import re

from advisor.facts import (
    Listener,
    advertised,
    controller_listeners,
    inter_broker,
    listeners,
    protocol_map,
    roles,
    written,
)
from advisor.rule import RESTART, STOPPED, Problem, Problems, Subject, Unknown, applies, fact, rule
from rules.changes.resources import filled_in
from rules.security_listeners import of_listener

NAME, PROTOCOL, MAP = "inter.broker.listener.name", "security.inter.broker.protocol", "listener.security.protocol.map"
MESSAGE = re.compile(r":?\?[^{}]*\}")
"""What a shell says where a variable is not set: ${X:?set it}."""
CLIENT_AUTH = "ssl.client.auth"
LISTENERS, ADVERTISED = "listeners", "advertised.listeners"
ANY_HOST = "0.0.0.0"
LOOPBACKS = ("127.0.0.1:", "[::1]:")
MECHANISM, MECHANISMS = "sasl.mechanism.inter.broker.protocol", "sasl.enabled.mechanisms"


def protocols(node: Subject) -> dict[str, str | None]:
    """The protocol of each advertised listener that is not the controllers'."""
    return {listener.name: listener.protocol for listener in advertised(node) if not listener.controller}


def endpoint(listener: Listener) -> tuple[str | None, int | None, str | None]:
    """What a client needs to know of a listener: not its name."""
    return listener.host, listener.port, listener.protocol


def is_only_broker(broker: Subject) -> bool:
    """Whether no other broker has the old file while this one has the new."""
    return bool(broker.live("brokers") == 1)


@fact
def addresses(node: Subject, key: str) -> tuple[tuple[str, str], ...]:
    """(name, host:port) of each entry of `listeners` or `advertised.listeners`, as it is written."""
    text = MESSAGE.sub("}", node.text(key))
    entries = [entry.strip() for entry in text.split(",") if "://" in entry]
    return tuple((entry.partition("://")[0].upper(), entry.partition("://")[2]) for entry in entries)


def named_host(address: str) -> str:
    """An address with nothing for its host where that stands for every interface, and one name for the host itself."""
    loopback = next((each for each in LOOPBACKS if address.startswith(each)), "")
    return "localhost:" + address.removeprefix(loopback) if loopback else address.removeprefix(ANY_HOST)


def shown(address: str) -> str:
    """An address as it is advertised: by the name of the host itself where none is given."""
    return f"the host's own name{address}" if address.startswith(":") else address


def is_still_bound(old: str, new: str) -> bool:
    """Whether a listener accepts connections at the address at which it did: the same one, or its port on every interface."""
    return old == new or (named_host(new).startswith(":") and old.rpartition(":")[2] == new.rpartition(":")[2])


def of_controllers(node: Subject) -> frozenset[str]:
    """The names of the controllers' listeners, in capitals."""
    return frozenset(name.upper() for name in controller_listeners(node))


@rule("KA1810", "high", dev="low", effect=STOPPED, acts=RESTART)
def inter_broker_listener_switched(broker: Subject, before: Subject) -> Problems:
    """Brokers with the new file look for a listener that brokers with the old one do not advertise.

    Why: a follower asks the cluster for the address of its leader's inter-broker listener, by its own name for it. While some brokers
        have the new file and some the old one, neither half finds the other's: each restarted broker leaves every ISR, from the second
        one on acks=all writes are refused, and with the last one partitions are offline.
    Fix: 1. add the new listener to listeners, advertised.listeners and listener.security.protocol.map of every broker, and restart them
        one by one; 2. set inter.broker.listener.name to it, and restart them one by one; 3. when no client uses the old one, take it
        out, and restart them one by one.
    Care: never change the protocol of a listener under the name that brokers use: give the new protocol a name and a port of its own.
    Bad:
        before:
            process.roles=broker
            node.id=1
            listeners=PLAINTEXT://b1:9092
        after:
            process.roles=broker
            node.id=1
            listeners=PLAINTEXT://b1:9092,INTERNAL://b1:9093
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,INTERNAL:SSL
            inter.broker.listener.name=INTERNAL
    Good:
        before:
            process.roles=broker
            node.id=1
            listeners=PLAINTEXT://b1:9092,INTERNAL://b1:9093
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,INTERNAL:SSL
        after:
            process.roles=broker
            node.id=1
            listeners=PLAINTEXT://b1:9092,INTERNAL://b1:9093
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,INTERNAL:SSL
            inter.broker.listener.name=INTERNAL
    See: KIP-103, https://kafka.apache.org/documentation/#security_rolling_upgrade
    """
    old, new = inter_broker(before), inter_broker(broker)
    applies(old != new, "the same listener and protocol between brokers")
    applies(not is_only_broker(broker), "the only broker")
    old_protocols, new_protocols = protocols(before), protocols(broker)
    met = old_protocols.get(new[0], "") == new[1] and new_protocols.get(old[0], "") == old[1]
    if not met:
        key = NAME if written(broker, NAME) and old[0] != new[0] else PROTOCOL if written(broker, PROTOCOL) else MAP
        message = f"brokers with {new[0]} and brokers with {old[0]} do not find each other: replication stops half-way"
        if old[0] == new[0]:
            message = (
                f"brokers speak {new[1]} to brokers that still speak {old[1]} on {new[0]}: replication stops half-way"
            )
        yield Problem(key, message)


def certificate_asked_for(broker: Subject, before: Subject, names: list[str]) -> Problems:
    """What becomes of clients of TLS listeners that have to show a certificate from now on."""
    for name in names:
        own = f"listener.name.{name.lower()}.{CLIENT_AUTH}"
        keys = [own if side.is_set(own) else CLIENT_AUTH for side in (before, broker)]
        old, new = (side.str(key).lower() for side, key in zip((before, broker), keys, strict=True))
        if new == "required" != old:
            words = f"clients of {name} without a certificate are refused when they connect again"
            yield Problem(keys[1], words, likely=True)
            return


@rule("KA1811", "high", dev="low", effect=STOPPED, acts=RESTART)
def listener_protocol_changed(broker: Subject, before: Subject) -> Problems:
    """A listener for clients changes its protocol under its name, or asks for certificates.

    Why: clients keep the protocol and the certificates that they were deployed with. From the first restarted broker on they lose the partitions it leads,
        and when the last broker has the new file they are all cut off.
    Fix: 1. add a listener with the new protocol, a name and a port of its own, and restart the brokers one by one; 2. deploy the clients with
        its address; 3. take the old listener out.
    Care: a listener that brokers use among themselves stops replication as well.
    Bad:
        before:
            process.roles=broker
            node.id=1
            listeners=REPLICATION://b1:9091,CLIENTS://b1:9092
            listener.security.protocol.map=REPLICATION:SSL,CLIENTS:PLAINTEXT
            inter.broker.listener.name=REPLICATION
        after:
            process.roles=broker
            node.id=1
            listeners=REPLICATION://b1:9091,CLIENTS://b1:9092
            listener.security.protocol.map=REPLICATION:SSL,CLIENTS:SSL
            inter.broker.listener.name=REPLICATION
    Good:
        before:
            process.roles=broker
            node.id=1
            listeners=REPLICATION://b1:9091,CLIENTS://b1:9092
            listener.security.protocol.map=REPLICATION:SSL,CLIENTS:PLAINTEXT
            inter.broker.listener.name=REPLICATION
        after:
            process.roles=broker
            node.id=1
            listeners=REPLICATION://b1:9091,CLIENTS://b1:9092,SECURE://b1:9094
            listener.security.protocol.map=REPLICATION:SSL,CLIENTS:PLAINTEXT,SECURE:SSL
            inter.broker.listener.name=REPLICATION
    See: KIP-103, https://kafka.apache.org/documentation/#brokerconfigs_listener.security.protocol.map
    """
    old, new = protocols(before), protocols(broker)
    of_clients = [name for name in new if name in old and name != inter_broker(broker)[0]]
    changed = [name for name in of_clients if old[name] != new[name]]
    if not changed:
        stays = of_clients or [name for name in new if old.get(name) == new[name]]
        yield from certificate_asked_for(broker, before, [name for name in stays if new[name] == "SSL"])
        return
    name = changed[0]
    yield Problem(MAP, f"clients of {name} speak {old[name]}, and the listener speaks {new[name]}: they are cut off")


def successor(name: str, broker: Subject, before: Subject) -> str:
    """The listener with another name at the port and with the protocol of one that is gone; empty where there is none."""
    known = {each.name: each for each in listeners(before)}
    old = known.get(name)
    added = (each for each in listeners(broker) if each.name not in known and not each.controller)
    same = (each.name for each in added if old and (each.port, each.protocol) == (old.port, old.protocol))
    return next(same, "") if old and old.port is not None else ""


@rule("KA1812", "medium", dev="info", effect=STOPPED, acts=RESTART)
def listener_removed(broker: Subject, before: Subject) -> Problems:
    """A listener that clients may use is no longer there.

    Why: clients of the listener go on as long as a broker with the old file leads what they need; when the last broker has the new
        file, all of them have stopped, and none can start. No file says which clients use it.
    Fix: 1. deploy the clients with the address of another listener; 2. see in the brokers' metrics (connection-count by listener) that none
        is left; 3. take the listener out, and restart the brokers one by one.
    Care: a listener renamed on the same port cuts clients off for as long as brokers call it differently: one that asks an old broker does
        not see the new ones. Where there is one broker alone, nothing happens.
    Bad:
        before:
            process.roles=broker
            node.id=1
            listeners=SSL://b1:9093,SASL_SSL://b1:9094
            inter.broker.listener.name=SSL
        after:
            process.roles=broker
            node.id=1
            listeners=SSL://b1:9093
            inter.broker.listener.name=SSL
    Good:
        before:
            process.roles=broker
            node.id=1
            listeners=SSL://b1:9093
            inter.broker.listener.name=SSL
        after:
            process.roles=broker
            node.id=1
            listeners=SSL://b1:9093,SASL_SSL://b1:9094
            inter.broker.listener.name=SSL
    See: KIP-103, https://kafka.apache.org/documentation/#brokerconfigs_listeners
    """
    old, new = protocols(before), protocols(broker)
    gone = [name for name in old if name not in new and (name != inter_broker(before)[0] or len(old) == 1)]
    applies(gone, "no listener for clients is taken out")
    if broker.fragment() and not any(written(broker, each) for each in ("listeners", "advertised.listeners")):
        raise Unknown("no listener is set here any more: what makes the file a whole one decides them")
    key = "advertised.listeners" if written(broker, "advertised.listeners") else "listeners"
    stays, names = {endpoint(each) for each in advertised(broker)}, set(gone)
    renamed = dict.fromkeys(each.name for each in advertised(before) if each.name in names and endpoint(each) in stays)
    lost = [name for name in gone if name not in renamed]
    new_names = {name: successor(name, broker, before) for name in lost}
    if lost and all(new_names.values()):
        named = "; ".join(f"{name} is {new_name} now" for name, new_name in new_names.items())
        address = dict(addresses(broker, key)).get(new_names[lost[0]], "")
        yield Problem(
            key, f"{named}: clients go to {shown(address)} from now on, and are cut off if they do not reach it"
        )
    elif lost:
        verb = "is" if len(lost) == 1 else "are"
        yield Problem(key, f"{', '.join(lost)} {verb} gone: clients that use it are cut off")
    elif not is_only_broker(broker):
        named = f"{', '.join(renamed)} {'has another name' if len(renamed) == 1 else 'have other names'}"
        yield Problem(
            key,
            f"{named}: until every broker has the new file, clients see only brokers that call it as the one that they ask does",
        )


@rule("KA1813", "medium", dev="info", effect=STOPPED, acts=RESTART)
def advertised_address_changed(broker: Subject, before: Subject) -> Problems:
    """A broker is advertised at another address.

    Why: clients that start from the old address find no broker there any more. Brokers and clients connect to the advertised address. If they do not reach the new one, nothing shows at first: the broker
        still fetches from the others, so it is in every ISR. It breaks when the broker leads: its followers fall out, and clients
        get no answer; when the last broker has the new file, everything is down.
    Fix: 1. resolve and reach the new address from every other broker and from the clients (nc -z HOST PORT); 2. change one broker and restart
        it; 3. make it lead (kafka-leader-election.sh --election-type preferred) and see that its followers stay in the ISR; 4. go on.
        Where the listener itself moves: 1. add one with a name and the new port of its own; 2. deploy the clients with its address; 3. take the
        old one out.
    Care: an under-replicated count of 0 after the first restart proves nothing here.
    Bad:
        before:
            process.roles=broker
            node.id=1
            listeners=SSL://0.0.0.0:9093
            advertised.listeners=SSL://b1.example.org:9093
        after:
            process.roles=broker
            node.id=1
            listeners=SSL://0.0.0.0:9093
            advertised.listeners=SSL://b1.internal:9093
    Good:
        before:
            process.roles=broker
            node.id=1
            listeners=SSL://b1:9093
            advertised.listeners=SSL://b1:9093
        after:
            process.roles=broker
            node.id=1
            listeners=SSL://b1:9093,NEW://b1:9193
            advertised.listeners=SSL://b1:9093,NEW://b1:9193
            listener.security.protocol.map=SSL:SSL,NEW:SSL
    See: https://kafka.apache.org/documentation/#brokerconfigs_advertised.listeners
    """
    advertised(broker), advertised(before)
    sides = [ADVERTISED if written(side, ADVERTISED) else LISTENERS for side in (before, broker)]
    old, new = dict(addresses(before, sides[0])), dict(addresses(broker, sides[1]))
    bound_before, bound = dict(addresses(before, LISTENERS)), dict(addresses(broker, LISTENERS))
    both = [name for name in new if name in old and name not in of_controllers(broker)]
    moved = [
        name for name in both if named_host(old[name]) != named_host(new[name]) and not old[name].startswith(ANY_HOST)
    ]
    applies(moved, "every listener is advertised where it was")
    stays_bound = [name for name in moved if is_still_bound(bound_before.get(name, ""), bound.get(name, ""))]
    name = (stays_bound or moved)[0]
    for side in (old, new):
        filled_in(side[name].rpartition(":")[0], ADVERTISED)
    if stays_bound:
        message = f"brokers and clients of {name} go to {shown(new[name])} from now on: if they do not reach it, that shows when this broker leads"
    else:
        message = f"{name} moves from {shown(old[name])} to {shown(new[name])}: clients that start from the old address find no broker there"
    yield Problem(sides[1], message, likely=True, step=0 if stays_bound else -1)


@rule("KA1814", "high", dev="low", effect=STOPPED, acts=RESTART)
def listener_port_moved_alone(broker: Subject, before: Subject) -> Problems:
    """A listener moves to another port, and is still advertised at the old one.

    Why: brokers and clients connect to the advertised port, where nothing listens any more. The broker still fetches from the others, so it
        looks healthy until it leads.
    Fix: change listeners and advertised.listeners together; keep the old port as a listener of its own until the clients have moved.
    Care: where a proxy or a container maps ports, the advertised port may be right: then map the new one.
    Bad:
        before:
            process.roles=broker
            node.id=1
            listeners=SSL://b1:9093
            advertised.listeners=SSL://b1:9093
        after:
            process.roles=broker
            node.id=1
            listeners=SSL://b1:9193
            advertised.listeners=SSL://b1:9093
    Good:
        before:
            process.roles=broker
            node.id=1
            listeners=SSL://b1:9093
            advertised.listeners=SSL://b1:9093
        after:
            process.roles=broker
            node.id=1
            listeners=SSL://b1:9193
            advertised.listeners=SSL://b1:9193
    See: https://kafka.apache.org/documentation/#brokerconfigs_advertised.listeners
    """
    applies(written(broker, "advertised.listeners"), "not advertised by itself")
    old, new = {each.name: each for each in listeners(before)}, {each.name: each for each in listeners(broker)}
    ports = {each.name: each.port for each in advertised(broker)}
    moved = [
        name
        for name, listener in new.items()
        if name in old
        and listener.port != old[name].port
        and ports.get(name) == old[name].port
        and ports.get(name) is not None
    ]
    applies(moved, "no listener leaves its advertised port")
    yield Problem(
        "listeners",
        f"{moved[0]} listens on port {new[moved[0]].port}, and brokers and clients still go to {ports[moved[0]]}",
    )


@rule("KA1815", "high", dev="low", effect=STOPPED, acts=RESTART)
def sasl_mechanism_switched(broker: Subject, before: Subject) -> Problems:
    """Brokers log in by a mechanism that brokers with the old file do not accept.

    Why: while some brokers have the old file, those with the new one cannot log in to them, and replication between the two halves stops.
    Fix: 1. add the new mechanism to sasl.enabled.mechanisms of every broker, and restart them one by one; 2. set
        sasl.mechanism.inter.broker.protocol to it, and restart them one by one; 3. take the old one out of sasl.enabled.mechanisms.
    Care: SCRAM needs its users in the cluster first: create them with kafka-configs.sh before the second step.
    Bad:
        before:
            process.roles=broker
            node.id=1
            listeners=SASL_SSL://b1:9093
            inter.broker.listener.name=SASL_SSL
            sasl.enabled.mechanisms=PLAIN
            sasl.mechanism.inter.broker.protocol=PLAIN
        after:
            process.roles=broker
            node.id=1
            listeners=SASL_SSL://b1:9093
            inter.broker.listener.name=SASL_SSL
            sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512
            sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
    Good:
        before:
            process.roles=broker
            node.id=1
            listeners=SASL_SSL://b1:9093
            inter.broker.listener.name=SASL_SSL
            sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512
            sasl.mechanism.inter.broker.protocol=PLAIN
        after:
            process.roles=broker
            node.id=1
            listeners=SASL_SSL://b1:9093
            inter.broker.listener.name=SASL_SSL
            sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512
            sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
    See: https://kafka.apache.org/documentation/#saslmechanism_rolling_upgrade
    """
    name, protocol = inter_broker(broker)
    former_name, former_protocol = inter_broker(before)
    applies((protocol or "").startswith("SASL"), "brokers do not log in to each other by SASL")
    applies((former_protocol or "").startswith("SASL") or name in protocols(before), "KA1810 judges another listener")
    old, new = before.str(MECHANISM), broker.str(MECHANISM)
    applies(old != new, "the same mechanism between brokers")
    applies(not is_only_broker(broker), "the only broker")
    is_old_used = (former_protocol or "").startswith("SASL")
    is_old_refused = is_old_used and old not in broker.list(of_listener(broker, former_name, MECHANISMS))
    if new not in before.list(of_listener(before, name, MECHANISMS)) or is_old_refused:
        yield Problem(
            MECHANISM,
            f"brokers that log in by {new} and brokers that accept {old} alone do not replicate from each other",
        )


@rule("KA1816", "medium", dev="info", effect=STOPPED, acts=RESTART)
def sasl_mechanism_removed(broker: Subject, before: Subject) -> Problems:
    """Clients that log in by a mechanism are no longer let in.

    Why: a client keeps its open connections and fails when it connects again to a restarted broker. No file says which clients use it.
    Fix: 1. deploy the clients with another enabled mechanism; 2. see in the brokers' metrics that none uses the old one; 3. take it out.
    Care: brokers that log in by it among themselves stop replicating as well.
    Bad:
        before:
            process.roles=broker
            node.id=1
            listeners=SASL_SSL://b1:9093
            inter.broker.listener.name=SASL_SSL
            sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512
            sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
        after:
            process.roles=broker
            node.id=1
            listeners=SASL_SSL://b1:9093
            inter.broker.listener.name=SASL_SSL
            sasl.enabled.mechanisms=SCRAM-SHA-512
            sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
    Good:
        before:
            process.roles=broker
            node.id=1
            listeners=SASL_SSL://b1:9093
            inter.broker.listener.name=SASL_SSL
            sasl.enabled.mechanisms=SCRAM-SHA-512
            sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
        after:
            process.roles=broker
            node.id=1
            listeners=SASL_SSL://b1:9093
            inter.broker.listener.name=SASL_SSL
            sasl.enabled.mechanisms=SCRAM-SHA-512,OAUTHBEARER
            sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
    See: https://kafka.apache.org/documentation/#brokerconfigs_sasl.enabled.mechanisms
    """
    applies(any((protocol or "").startswith("SASL") for protocol in protocols(before).values()), "no SASL listener")
    kept = set(broker.list(MECHANISMS))
    gone = [name for name in before.list(MECHANISMS) if name not in kept]
    applies(gone, "no mechanism is taken out")
    yield Problem(MECHANISMS, f"clients that log in by {', '.join(gone)} are refused when they connect again")


@rule("KA1817", "high", dev="low", effect=STOPPED, acts=RESTART)
def controller_listener_switched(node: Subject, before: Subject) -> Problems:
    """The listener of the controllers changes its name or protocol in one pass.

    Why: nodes speak the protocol of the first listener of controller.listener.names to the controllers. A node with another protocol cannot
        vote or register with those that have the old file; with the second restarted controller the quorum has no majority. From Kafka 3.9 on a
        new leader announces where it is reached by the name of its listener, too: a controller that has another name for it ends
        (`Unknown endpoint for leader`), and a dynamic quorum's voters are known by these names. Before, a new name for the same address and protocol stays in the node's own file.
    Fix: 1. add a second controllers' listener with the new name and protocol to every controller, and name both in controller.listener.names
        (OLD,NEW), restarting one controller at a time; 2. put the new name first on all nodes (NEW,OLD); 3. take the old one out.
    Care: with a dynamic quorum (kraft.version 1) take one controller out and in again at a time.
    Bad:
        before:
            process.roles=controller
            node.id=1
            listeners=CONTROLLER://c1:9093
            controller.listener.names=CONTROLLER
            listener.security.protocol.map=CONTROLLER:PLAINTEXT
        after:
            process.roles=controller
            node.id=1
            listeners=CONTROLLER://c1:9093
            controller.listener.names=CONTROLLER
            listener.security.protocol.map=CONTROLLER:SSL
    Good:
        before:
            process.roles=controller
            node.id=1
            listeners=CONTROLLER://c1:9093
            controller.listener.names=CONTROLLER
            listener.security.protocol.map=CONTROLLER:PLAINTEXT
        after:
            process.roles=controller
            node.id=1
            listeners=CONTROLLER://c1:9093,SECURE://c1:9094
            controller.listener.names=CONTROLLER,SECURE
            listener.security.protocol.map=CONTROLLER:PLAINTEXT,SECURE:SSL
    See: KIP-631, https://kafka.apache.org/documentation/#brokerconfigs_controller.listener.names
    """
    applies(node.is_set("process.roles") and before.is_set("process.roles"), "not a KRaft node on both sides")
    old, new = controller_listeners(before), controller_listeners(node)
    applies(old and new, "the controllers' listener is not named")
    of_old, of_new = dict(protocol_map(before)), dict(protocol_map(node))
    applies(not (node.live("controllers") == 1 and is_only_broker(node)), "the only node")
    speaks, spoke = of_new.get(new[0]), of_old.get(old[0])
    if new[0] not in old and speaks and spoke and speaks != spoke:
        yield Problem(
            "controller.listener.names",
            f"nodes speak {speaks} by {new[0]} to controllers that still speak {spoke} by {old[0]}: the quorum loses its majority half-way",
        )
    elif new[0] not in old:
        applies(is_name_told(node) or moves(node, before, old[0], new[0]), "a name that no other node is told")
        yield Problem("controller.listener.names", name_words(node, old[0], new[0]))
    elif new[0] in of_old and new[0] in of_new and of_old[new[0]] != of_new[new[0]]:
        yield Problem(
            MAP,
            f"nodes speak {of_new[new[0]]} to controllers that still speak {of_old[new[0]]}: the quorum loses its majority half-way",
        )


NAMES_LEADERS = (3, 9)
"""The release from which on controllers tell each other where they are reached by the names of their listeners."""


def is_name_told(node: Subject) -> bool:
    """Whether other nodes are told of the controllers' listener by its name: controllers are, brokers in a dynamic quorum."""
    is_static = written(node, "controller.quorum.voters") and not written(node, "controller.quorum.bootstrap.servers")
    return node.at_least(NAMES_LEADERS) and ("controller" in roles(node) or not is_static)


def moves(node: Subject, before: Subject, old: str, new: str) -> bool:
    """Whether the listener of a controller has another address."""
    return dict(addresses(before, LISTENERS)).get(old) != dict(addresses(node, LISTENERS)).get(new)


def name_words(node: Subject, old: str, new: str) -> str:
    """What another name of the controllers' listener does."""
    if not node.at_least(NAMES_LEADERS):
        return f"controllers listen by {new} at another address than by {old}: the quorum loses its majority half-way"
    if "controller" in roles(node):
        return f"a leader with the old file announces itself at {old}: a controller that calls it {new} knows no address, and ends"
    return f"the voters are known by {old}: a broker that calls it {new} finds no controller until all of them have the new file"


CONTROL_PLANE = "control.plane.listener.name"


@rule("KA2117", "high", dev="low", effect=STOPPED, acts=RESTART)
def control_plane_listener_at_once(broker: Subject, before: Subject) -> Problems:
    """The controller's connections move to a listener that brokers with the old file do not have.

    Why: with ZooKeeper the controller connects to every broker at control.plane.listener.name. While some brokers have the old file, a
        controller with the new one finds no such endpoint of theirs and gives its role up: no leader is elected until a broker with
        the old file is the controller again, and the next restart may end that.
    Fix: 1. add the listener to listeners, advertised.listeners and listener.security.protocol.map of every broker, and restart them one by
        one; 2. set control.plane.listener.name, and restart them one by one.
    Care: see which broker is the controller (kafka-metadata-shell or zookeeper-shell get /controller) and restart it last.
    Bad:
        before:
            zookeeper.connect=z1:2181
            broker.id=1
            listeners=PLAINTEXT://b1:9092
        after:
            zookeeper.connect=z1:2181
            broker.id=1
            listeners=PLAINTEXT://b1:9092,CTRL://b1:9090
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CTRL:PLAINTEXT
            control.plane.listener.name=CTRL
    Good:
        before:
            zookeeper.connect=z1:2181
            broker.id=1
            listeners=PLAINTEXT://b1:9092,CTRL://b1:9090
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CTRL:PLAINTEXT
        after:
            zookeeper.connect=z1:2181
            broker.id=1
            listeners=PLAINTEXT://b1:9092,CTRL://b1:9090
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CTRL:PLAINTEXT
            control.plane.listener.name=CTRL
    See: KIP-291, kafka.controller.ControllerChannelManager
    """
    applies(written(broker, CONTROL_PLANE), "no listener of its own for the controller")
    name = broker.str(CONTROL_PLANE)
    applies(before.text(CONTROL_PLANE) != name, "the controller's listener stays")
    applies(not is_only_broker(broker), "the only broker")
    if name.upper() not in {each.name.upper() for each in advertised(before)}:
        yield Problem(
            CONTROL_PLANE, f"a controller with the new file finds no {name} of brokers with the old one, and gives up"
        )
