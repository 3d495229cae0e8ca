"""Security of listeners: those that encrypt nothing and ask for no login, and settings of one that are ignored."""

from __future__ import annotations

from advisor.cache import cached
from advisor.facts import (
    KRAFT,
    Listener,
    Value,
    controller_listeners,
    filled_in_later,
    inter_broker,
    is_local,
    listeners,
    mode,
    protocol_map,
    written,
)
from advisor.rule import Problem, Problems, Subject, Unknown, applies, fact, rule

FAMILY = "security"
PLAINTEXT, SASL_PLAINTEXT, TLS, SASL = (
    "PLAINTEXT",
    "SASL_PLAINTEXT",
    ("SSL", "SASL_SSL"),
    ("SASL_PLAINTEXT", "SASL_SSL"),
)
MAP = "listener.security.protocol.map"
PREFIX = "listener.name."


def of_listener(node: Subject, listener: str, key: str) -> str:
    """The key that decides for one listener: its own with the prefix listener.name.<listener>., else the plain one."""
    own = f"listener.name.{listener.lower()}.{key}"
    return own if written(node, own) else key


def keys_for(key: str, node: Subject) -> tuple[str, ...]:
    """The plain key and every listener's own one that is written down."""
    own = tuple(name for name in node.keys() if name.startswith("listener.name.") and name.endswith("." + key))
    return (key, *own)


class ListenersByKey(Value):
    """The listeners that each of their keys decides for."""

    __slots__ = ("of_key",)

    def __init__(self, *pairs: tuple[str, Listener]) -> None:
        super().__init__(*pairs)
        self.of_key: dict[str, list[Listener]] = {}
        for key, listener in pairs:
            self.of_key.setdefault(key, []).append(listener)


@fact
def listeners_by_key(node: Subject, base: str) -> ListenersByKey:
    """The listeners by the key that decides for them: a listener's own key before the plain one."""
    return ListenersByKey(*((of_listener(node, listener.name, base), listener) for listener in listeners(node)))


@fact
def decided_by(node: Subject, key: str, base: str) -> tuple[Listener, ...]:
    """The listeners that the key decides for."""
    return tuple(listeners_by_key(node, base).of_key.get(key, ()))


def protocol_keys(node: Subject) -> tuple[str, ...]:
    """What may make a listener PLAINTEXT, its name or the map; unknown, once, where the listeners are."""
    listeners(node)
    return ("listeners", MAP)


@rule(
    "KA601", "medium", dev="info", staging="low", regulated="critical", each=protocol_keys, aim="by hand: credentials"
)
def plaintext_listener(broker: Subject, key: str) -> Problems:
    """A listener for clients has neither encryption nor authentication.

    Why: any client that reaches the port reads and writes as ANONYMOUS, and anyone on the network can read the records.
        Beside a secured listener, such a listener is a back door.
    Fix: set the listener's protocol to SASL_SSL or SSL in listener.security.protocol.map; keep PLAINTEXT only where no
        other host reaches the port.
    Care: a listener that changes its protocol cuts off every client that still uses the old one. Add a second listener
        with TLS on another port, restart the brokers one by one, move the clients and the brokers' own traffic, and
        remove the plain listener in another rolling restart.
    Bad:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://:9092
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://:9093
        security.inter.broker.protocol=SASL_SSL
    See: https://kafka.apache.org/documentation/#security
    """
    open_ones = [each for each in listeners(broker) if each.protocol == PLAINTEXT and not each.controller]
    of_key = [each for each in open_ones if each.mapped == (key == MAP)]
    if of_key:
        names = ", ".join(listener.name for listener in open_ones)
        lower = -1 if all(is_local(listener.host) for listener in of_key) else 0
        verb = "has" if len(open_ones) == 1 else "have"
        message = f"{names} {verb} neither encryption nor authentication"
        yield Problem(key, message, "SASL_SSL or SSL", step=lower, part=of_key[0].name)


@rule("KA602", "medium", dev="info", staging="low", regulated="critical", aim="by hand: credentials")
def plaintext_controller(node: Subject) -> Problems:
    """Traffic to the controllers is not encrypted.

    Why: SCRAM credentials and ACLs pass through the controllers' listener. With PLAINTEXT any client that reaches the
        port can also register brokers and change the cluster's metadata.
    Fix: map the controllers' listener to SSL or SASL_SSL in listener.security.protocol.map, on every node.
    Care: the controllers' listener cannot change its protocol in one rolling restart: nodes with the old and the new
        protocol cannot connect to each other, and the quorum may lose its majority. With an authorizer, first name the
        nodes' new principals in super.users. Then add a second name to controller.listener.names, the listeners of
        controllers and the protocol map, and restart all nodes one by one; make it the first name (with its port in
        controller.quorum.voters or bootstrap.servers) and restart again; remove the old name in a third round.
    Bad:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
    Good:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
        listener.security.protocol.map=CONTROLLER:SSL
    See: https://kafka.apache.org/documentation/#security_configbroker
    """
    names = controller_listeners(node)
    applies(mode(node) == KRAFT and names, "no controllers")
    protocol = dict(protocol_map(node)).get(names[0])
    if protocol in (PLAINTEXT, SASL_PLAINTEXT):
        key = MAP if written(node, MAP) or names[0] not in (PLAINTEXT, SASL_PLAINTEXT) else "controller.listener.names"
        behind, step = who_reads(node, protocol)
        yield Problem(key, f"{names[0]} is {protocol}{behind}", "SSL or SASL_SSL", step=step)


def who_reads(node: Subject, protocol: str) -> tuple[str, int]:
    """Who reads what passes through an unencrypted listener of the controllers, and what that does to the severity."""
    opened = [listener.host for listener in listeners(node) if listener.controller]
    if opened and all(is_local(host) for host in opened):
        return ", on the loopback interface alone", -1
    if protocol == PLAINTEXT and clients_are_secured(node):
        return ": a back door past the secured listeners", 1
    return ": anyone on the network can read the traffic", -int(protocol == SASL_PLAINTEXT)


def clients_are_secured(node: Subject) -> bool:
    """Whether the node opens listeners for clients, all of them with TLS."""
    protocols = [listener.protocol for listener in listeners(node) if not listener.controller]
    return bool(protocols) and all(protocol in TLS for protocol in protocols)


@rule("KA603", "medium", dev="info", staging="low", regulated="critical", aim="by hand: credentials")
def plaintext_inter_broker(broker: Subject) -> Problems:
    """Brokers replicate over unencrypted connections.

    Why: every record crosses that connection once per follower; with PLAINTEXT brokers do not even authenticate.
    Fix: map the listener between the brokers to SSL or SASL_SSL in listener.security.protocol.map; where
        inter.broker.listener.name is not set, set security.inter.broker.protocol.
    Care: brokers with the old and the new protocol cannot replicate from each other. Add a second listener with TLS on
        all brokers in a rolling restart; then, in another, set inter.broker.listener.name to it (with an authorizer,
        name the brokers' new principals in super.users first); remove the old listener last.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SASL_PLAINTEXT://b1:9092
        security.inter.broker.protocol=SASL_PLAINTEXT
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
    See: https://kafka.apache.org/documentation/#brokerconfigs_security.inter.broker.protocol
    """
    named = written(broker, "inter.broker.listener.name")
    key = "inter.broker.listener.name" if named else "security.inter.broker.protocol"
    applies(written(broker, key), "left at its default")
    protocol = inter_broker(broker)[1]
    if protocol in (PLAINTEXT, SASL_PLAINTEXT):
        yield Problem(key, f"brokers replicate over {protocol}, unencrypted", "SSL or SASL_SSL")


def listener_prefixes(node: Subject) -> tuple[str, ...]:
    """The names of listeners, as written, that keys listener.name.<name>.… are prefixed with."""
    return tuple(keys_by_prefix(node.keys()))


@cached(16)
def keys_by_prefix(keys: tuple[str, ...]) -> dict[str, list[str]]:
    """The keys listener.name.<name>.… by the name, as written."""
    keys_by_name: dict[str, list[str]] = {}
    for key in keys:
        if key.startswith(PREFIX):
            keys_by_name.setdefault(key.removeprefix(PREFIX).partition(".")[0], []).append(key)
    return keys_by_name


@rule("KA628", "high", dev="medium", each=listener_prefixes, aim="by hand: address")
def listener_prefix_ignored(node: Subject, name: str) -> Problems:
    """Settings of one listener are silently ignored, because no listener has that prefix.

    Why: Kafka looks for listener.name.<name>. with the name in lower case and ignores other spellings and names without
        a listener: the listener runs with the node's general settings, without the certificate, mechanism or client
        authentication that the key sets.
    Fix: write the prefix with a name from listeners in lower case, such as listener.name.external.ssl.client.auth for
        EXTERNAL.
    Care: once the settings take effect, clients that do not meet them (no certificate, another mechanism) are cut off.
    Bad:
        process.roles=broker
        node.id=1
        listeners=EXTERNAL://:9093
        listener.security.protocol.map=EXTERNAL:SSL
        inter.broker.listener.name=EXTERNAL
        listener.name.EXTERNAL.ssl.client.auth=required
    Good:
        process.roles=broker
        node.id=1
        listeners=EXTERNAL://:9093
        listener.security.protocol.map=EXTERNAL:SSL
        inter.broker.listener.name=EXTERNAL
        listener.name.external.ssl.client.auth=required
    See: KIP-226, org.apache.kafka.common.network.ListenerName.configPrefix
    """
    if filled_in_later(name):
        raise Unknown(f"{PREFIX}{name} is filled in later")
    keys = [key for key in keys_by_prefix(node.keys())[name] if key.startswith(f"{PREFIX}{name}.")]
    if name != name.lower():
        yield Problem(
            list(keys), f"Kafka ignores the key, because {name} is not in lower case", f"{PREFIX}{name.lower()}.…"
        )
        return
    applies(written(node, "listeners"), "the listeners are not in this file")
    if name.upper() not in listener_names(node):
        if node.fragment() and mode(node) == KRAFT and not written(node, "controller.listener.names"):
            raise Unknown("the name of the controllers' listener is not in this file")
        yield Problem(
            list(keys), f"Kafka ignores the key, because there is no listener {name.upper()}", "a listener's name"
        )


@fact
def listener_names(node: Subject) -> frozenset[str]:
    """Every name of a listener in the file, those of other nodes and of the protocol map included."""
    own = {listener.name for listener in listeners(node)}
    mapped = {name for name, _ in protocol_map(node)}
    return frozenset({*own, *mapped, *controller_listeners(node), inter_broker(node)[0]})
