"""Network: listeners, what of them is told to others, and the limits on connections."""

from __future__ import annotations

from advisor.facts import (
    KRAFT,
    PROTOCOLS,
    advertised,
    entries,
    entries_of,
    filled_in_later,
    inter_broker,
    is_local,
    is_placeholder,
    is_whole_number,
    is_word,
    listeners,
    mode,
    protocol_map,
    repeated,
    roles,
    voters,
    written,
    zookeeper_servers,
)
from advisor.rule import Problem, Problems, Subject, Unknown, applies, fact, rule
from rules import count

LISTENER_KEYS = ("listeners", "advertised.listeners")
HOST_CHARACTERS = frozenset("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-%._:")


@fact
def broker_advertised(node: Subject) -> tuple[str, ...]:
    """The names of the listeners that a broker advertises, the controllers' left out."""
    return tuple(listener.name for listener in advertised(node) if not listener.controller)


def parses(entry: str) -> bool:
    """Whether Kafka reads the entry as NAME://host:port; parts that are filled in later are taken as good."""
    _, slashes, address = entry.rpartition("://")
    host, colon, port = address.rpartition(":")
    if filled_in_later(address) or (slashes and is_placeholder(port)):
        return True
    host = host.removeprefix("[").removesuffix("]")
    return bool(slashes and colon and port.removeprefix("-").isdecimal() and HOST_CHARACTERS.issuperset(host))


def is_ipv4(host: str) -> bool:
    """Whether the text is an IPv4 address."""
    parts = host.split(".")
    return len(parts) == 4 and all(is_whole_number(part) and int(part) < 256 for part in parts)


@fact
def told(node: Subject) -> tuple[bool, bool, bool]:
    """Of what is advertised: whether all but the controllers' leads to this machine alone, whether 0.0.0.0 is among it,
    and whether it is among the controllers'."""
    found = advertised(node)
    others = [listener.host for listener in found if not listener.controller]
    controllers = [listener.host for listener in found if listener.controller]
    local = bool(others) and all(is_local(host) for host in others)
    return local, "0.0.0.0" in others, "0.0.0.0" in controllers


@rule("KA1301", "medium", dev="info", aim="by hand: address")
def advertised_localhost(broker: Subject) -> Problems:
    """Every listener is advertised as localhost, so clients and brokers on other hosts connect to themselves.

    Why: a client uses its bootstrap address only once, then it connects to the addresses that the brokers advertise. On
        every host, localhost is that host itself.
    Fix: set advertised.listeners to a name that clients and the other brokers resolve; keep localhost for a second
        listener that serves only this host.
    Care: clients on the broker's own host are cut off if they cannot resolve the new name. Restart the brokers one at a
        time; clients fetch the new addresses by themselves.
    Bad:
        process.roles=broker,controller
        node.id=1
        listeners=PLAINTEXT://:9092,CONTROLLER://:9093
        advertised.listeners=PLAINTEXT://localhost:9092
        controller.listener.names=CONTROLLER
    Good:
        process.roles=broker,controller
        node.id=1
        listeners=PLAINTEXT://:9092,CONTROLLER://:9093
        advertised.listeners=PLAINTEXT://kafka1.example.org:9092
        controller.listener.names=CONTROLLER
    See: https://kafka.apache.org/documentation/#brokerconfigs_advertised.listeners
    """
    key = "advertised.listeners" if written(broker, "advertised.listeners") else "listeners"
    local, _, _ = told(broker)
    if local:
        text = "clients and brokers on other hosts connect to themselves"
        yield Problem(key, text, "a name that others resolve", step=int(names_other_nodes(broker)))


def names_other_nodes(broker: Subject) -> bool:
    """Whether the file names voters or several ZooKeeper servers on other machines: the cluster is more than this host."""
    if mode(broker) == KRAFT:
        hosts = [voter.host for voter in voters(broker) if voter.id != broker.int("node.id")]
    else:
        servers = zookeeper_servers(broker)
        hosts = [server.host for server in servers] if len(servers) > 1 else []
    return any(host and not is_local(host) for host in hosts)


@rule("KA1302", "critical", refuses=True, aim="by hand: address")
def advertised_unspecified(node: Subject) -> Problems:
    """The node advertises 0.0.0.0, to which no client can connect, and Kafka refuses to start.

    Why: 0.0.0.0 means every interface of the host: it is right in listeners, but clients cannot connect to it. Without
        advertised.listeners the addresses in listeners are advertised.
    Fix: keep 0.0.0.0 in listeners and set advertised.listeners to a name that clients resolve.
    Bad:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://0.0.0.0:9092
    Good:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://0.0.0.0:9092
        advertised.listeners=PLAINTEXT://b1.example.org:9092
    See: kafka.server.KafkaConfig.validateValues
    """
    with_controllers = node.at_least((3, 9)) and written(node, "advertised.listeners")
    _, among_others, among_controllers = told(node)
    if among_others or (with_controllers and among_controllers):
        key = "advertised.listeners" if written(node, "advertised.listeners") else "listeners"
        yield Problem(key, "no client can connect to the advertised 0.0.0.0", "a routable address", refused=True)


@rule("KA1303", "critical", refuses=True, aim="by hand: choice")
def advertised_not_listening(broker: Subject) -> Problems:
    """The broker advertises a listener that it does not open, and Kafka refuses to start.

    Why: an advertised name says which of the broker's listeners the address leads to; a name that is not in listeners
        leads nowhere.
    Fix: add the listener to listeners, or remove it from advertised.listeners.
    Bad (3.9):
        zookeeper.connect=z1:2181
        listeners=PLAINTEXT://b1:9092
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,EXTERNAL:SSL
        advertised.listeners=PLAINTEXT://b1:9092,EXTERNAL://b1:9094
    Good (3.9):
        zookeeper.connect=z1:2181
        listeners=PLAINTEXT://b1:9092,EXTERNAL://b1:9094
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,EXTERNAL:SSL
        advertised.listeners=PLAINTEXT://b1:9092,EXTERNAL://b1:9094
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(written(broker, "advertised.listeners"), "the listeners themselves are advertised")
    applies("broker" in roles(broker), "not a broker")
    missing = sorted(set(broker_advertised(broker)) - {listener.name for listener in listeners(broker)})
    if missing:
        yield Problem(
            "advertised.listeners",
            f"the broker has no listener {', '.join(missing)}",
            "names of listeners",
            refused=True,
        )


@rule("KA1304", "critical", refuses=True, aim="by hand: address")
def inter_broker_not_advertised(broker: Subject) -> Problems:
    """The inter-broker listener is not advertised, and Kafka refuses to start.

    Why: brokers find each other by their advertised listeners. inter.broker.listener.name (or the protocol of
        security.inter.broker.protocol, PLAINTEXT by default) must be the name of an advertised broker listener.
    Fix: set inter.broker.listener.name to one of the advertised listeners.
    Bad:
        process.roles=broker
        node.id=1
        listeners=INTERNAL://b1:9092
        listener.security.protocol.map=INTERNAL:SSL,CONTROLLER:SSL
    Good:
        process.roles=broker
        node.id=1
        listeners=INTERNAL://b1:9092
        listener.security.protocol.map=INTERNAL:SSL,CONTROLLER:SSL
        inter.broker.listener.name=INTERNAL
    See: kafka.server.KafkaConfig.validateValues
    """
    applies("broker" in roles(broker), "not a broker")
    name = inter_broker(broker)[0]
    names = broker_advertised(broker)
    if name not in names:
        key = "inter.broker.listener.name" if written(broker, "inter.broker.listener.name") else "advertised.listeners"
        key = "security.inter.broker.protocol" if written(broker, "security.inter.broker.protocol") else key
        shown = ", ".join(names) or "no listener"
        yield Problem(key, f"brokers use {name}, but advertise {shown}", "an advertised listener", refused=True)


@rule("KA1305", "critical", refuses=True, aim="remove security.inter.broker.protocol")
def two_inter_broker_settings(node: Subject) -> Problems:
    """inter.broker.listener.name and security.inter.broker.protocol are both set, and Kafka refuses to start.

    Why: each of them names the inter-broker listener, and Kafka does not choose between them.
    Fix: keep inter.broker.listener.name and remove security.inter.broker.protocol.
    Bad:
        process.roles=broker
        node.id=1
        inter.broker.listener.name=PLAINTEXT
        security.inter.broker.protocol=PLAINTEXT
    Good:
        process.roles=broker
        node.id=1
        inter.broker.listener.name=PLAINTEXT
    See: kafka.server.KafkaConfig.getInterBrokerListenerNameAndSecurityProtocol
    """
    applies(written(node, "inter.broker.listener.name"), "inter.broker.listener.name is not set")
    both = ["security.inter.broker.protocol", "inter.broker.listener.name"]
    if written(node, "security.inter.broker.protocol") and node.str("inter.broker.listener.name"):
        yield Problem(list(both), "only one of the two keys may be set", "one of the two", refused=True)


@rule("KA1306", "critical", refuses=True, aim="by hand: address")
def inter_broker_without_protocol(node: Subject) -> Problems:
    """The inter-broker listener has no security protocol, and Kafka refuses to start.

    Why: a listener's name does not say which protocol it uses; listener.security.protocol.map does.
    Fix: add the name of inter.broker.listener.name to listener.security.protocol.map.
    Bad:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092
        inter.broker.listener.name=INTERNAL
    Good:
        process.roles=broker
        node.id=1
        listeners=INTERNAL://b1:9092
        inter.broker.listener.name=INTERNAL
        listener.security.protocol.map=INTERNAL:SSL,CONTROLLER:SSL
    See: kafka.server.KafkaConfig.getInterBrokerListenerNameAndSecurityProtocol
    """
    applies(written(node, "inter.broker.listener.name"), "inter.broker.listener.name is not set")
    name, protocol = inter_broker(node)
    if protocol is None:
        yield Problem(
            "inter.broker.listener.name", f"listener {name} has no security protocol", "a mapped name", refused=True
        )


def mapped_keys(node: Subject) -> tuple[str, ...]:
    """The keys with listeners; unknown, once, where their protocols are filled in later."""
    protocol_map(node)
    return LISTENER_KEYS


@fact
def unprotected(node: Subject, key: str) -> tuple[str, ...]:
    """The names of listeners that have no security protocol."""
    found = listeners(node) if key == "listeners" else advertised(node)
    return tuple(sorted({listener.name for listener in found if listener.protocol is None}))


@rule("KA1307", "critical", each=mapped_keys, refuses=True, aim="by hand: address")
def listener_without_protocol(node: Subject, key: str) -> Problems:
    """A listener has no security protocol, and Kafka refuses to start.

    Why: a custom listener name must be in listener.security.protocol.map; once that key is set, it must name every
        listener, PLAINTEXT and the controllers' included.
    Fix: add NAME:PROTOCOL for the listener to listener.security.protocol.map.
    Bad:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092,INTERNAL://b1:9094
    Good:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092,INTERNAL://b1:9094
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,INTERNAL:SSL,CONTROLLER:SSL
    See: KIP-103, https://kafka.apache.org/documentation/#brokerconfigs_listener.security.protocol.map
    """
    applies(key == "listeners" or written(node, key), "not set")
    bare = unprotected(node, key)
    if bare:
        yield Problem(key, f"listener {', '.join(bare)} has no security protocol", "mapped names", refused=True)


@fact
def misspelled(node: Subject, key: str) -> tuple[str | None, str | None]:
    """The first entry that is not NAME://host:port, and the first name, by the alphabet, that stands twice."""
    found = entries(node, key)
    shown = () if all(map(parses, found)) else entries_of(node, key, node.text)
    wrong = next((entry for entry in shown if not parses(entry)), None)
    names = [entry.rpartition("://")[0].strip().upper() for entry in found if "://" in entry]
    return wrong, min(repeated(names), default=None)


@rule("KA1308", "critical", each=LISTENER_KEYS, refuses=True, aim="by hand: address")
def invalid_value(node: Subject, key: str) -> Problems:
    """An entry is not NAME://host:port, and Kafka refuses to start.

    Why: Kafka parses every entry by that pattern: the name, a host, which may be empty, and a port.
    Fix: write every entry as NAME://host:port, separated by commas.
    Bad:
        process.roles=broker
        node.id=1
        listeners=b1:9092
    Good:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092
    See: https://kafka.apache.org/documentation/#brokerconfigs_listeners
    """
    applies(key == "listeners" or written(node, key), "not set")
    wrong, _ = misspelled(node, key)
    if wrong is not None:
        yield Problem(key, f"{wrong} is not NAME://host:port", "NAME://host:port", refused=True)


@rule("KA1309", "critical", each=LISTENER_KEYS, refuses=True, aim="by hand: address")
def listener_name_twice(node: Subject, key: str) -> Problems:
    """Two listeners have the same name, and Kafka refuses to start.

    Why: Kafka tells listeners apart by name, regardless of upper and lower case.
    Fix: give every listener a name of its own and map each in listener.security.protocol.map.
    Bad:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092,PLAINTEXT://b1:9094
    Good:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092,SSL://b1:9094
    See: kafka.utils.CoreUtils.listenerListToEndPoints
    """
    applies(key == "listeners" or written(node, key), "not set")
    _, twice = misspelled(node, key)
    if twice is not None:
        yield Problem(key, f"two listeners are named {twice}", "different names", refused=True)


@rule("KA1310", "critical", refuses=True, aim="by hand: address")
def listener_port_twice(node: Subject) -> Problems:
    """Two listeners have the same port, and Kafka refuses to start.

    Why: a port can serve only one listener. From Kafka 3.6 on two listeners may share a port if one has an IPv4 and the
        other an IPv6 address.
    Fix: give every entry of listeners a port of its own.
    Bad:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092,SSL://b1:9092
    Good:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092,SSL://b1:9093
    See: KIP-797, kafka.utils.CoreUtils.listenerListToEndPoints
    """
    by_port: dict[int, list[str | None]] = {}
    for listener in listeners(node):
        if listener.port:
            by_port.setdefault(listener.port, []).append(listener.host)
    clash = [port for port, hosts in by_port.items() if len(hosts) > 1 and not two_stacks(hosts, node.version())]
    if clash:
        yield Problem("listeners", f"two listeners have port {clash[0]}", "different ports", refused=True)


def two_stacks(hosts: list[str | None], version: tuple[int, int]) -> bool:
    """Whether one port may serve them: one IPv4 and one IPv6 address, or the hosts are not known yet."""
    if version < (3, 6) or len(hosts) > 2:
        return False
    if None in hosts:
        return True
    return sorted((":" in str(host), is_ipv4(str(host))) for host in hosts) == [(False, True), (True, False)]


@rule("KA1311", "critical", refuses=True, aim="by hand: address")
def protocol_map_unreadable(node: Subject) -> Problems:
    """listener.security.protocol.map has an entry that Kafka cannot parse, and Kafka refuses to start.

    Why: every entry must be NAME:PROTOCOL, with one of four protocols: PLAINTEXT, SSL, SASL_PLAINTEXT and SASL_SSL.
    Fix: write every entry as NAME:PROTOCOL with one of the four protocols; TLS is called SSL.
    Bad:
        process.roles=broker
        node.id=1
        listeners=EXTERNAL://b1:9092
        listener.security.protocol.map=EXTERNAL:TLS,CONTROLLER:SSL
    Good:
        process.roles=broker
        node.id=1
        listeners=EXTERNAL://b1:9092
        listener.security.protocol.map=EXTERNAL:SSL,CONTROLLER:SSL
        inter.broker.listener.name=EXTERNAL
    See: KIP-103, https://kafka.apache.org/documentation/#brokerconfigs_listener.security.protocol.map
    """
    key = "listener.security.protocol.map"
    applies(node.is_set(key), "left at its default")
    text = node.str(key).rstrip(", ")
    if is_word(text):
        raise Unknown(f"{key} is filled in later: {text}")
    wrong = [pair for pair in text.split(",") if text and pair.rpartition(":")[2].strip().upper() not in PROTOCOLS]
    if wrong or any(":" not in pair for pair in text.split(",") if text):
        yield Problem(key, f"{(wrong or [text])[0].strip()} is not NAME:PROTOCOL", "NAME:PROTOCOL", refused=True)


@rule("KA1312", "critical", since=(2, 2), before=(4, 0), refuses=True, aim="by hand: choice")
def control_plane_listener(node: Subject) -> Problems:
    """control.plane.listener.name names a listener that cannot be the control plane, and Kafka refuses to start.

    Why: the control plane must be an advertised listener other than the inter-broker listener; KRaft has its own
        listeners for controllers and refuses the key.
    Fix: set control.plane.listener.name to an advertised listener of its own; in KRaft remove it.
    Bad (3.9):
        zookeeper.connect=z1:2181
        listeners=PLAINTEXT://b1:9092
        control.plane.listener.name=PLAINTEXT
    Good (3.9):
        zookeeper.connect=z1:2181
        listeners=PLAINTEXT://b1:9092,CONTROL://b1:9091
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROL:PLAINTEXT
        control.plane.listener.name=CONTROL
    See: KIP-291, kafka.server.KafkaConfig.validateValues
    """
    key = "control.plane.listener.name"
    applies(node.is_set(key), "not set")
    name = node.str(key).upper()
    if mode(node) == KRAFT:
        if node.at_least((3, 1)):
            yield Problem(key, "KRaft has no control plane listener", "not set", refused=True)
    elif name not in broker_advertised(node) or name == inter_broker(node)[0]:
        yield Problem(key, f"{name} is not an advertised listener of its own", "an advertised listener", refused=True)


@rule("KA1313", "critical", since=(3, 1), refuses=True, aim="by hand: address")
def early_start_listener_missing(node: Subject) -> Problems:
    """early.start.listeners names a listener that does not exist, and Kafka refuses to start.

    Why: the key lists the listeners that open before the authorizer is ready; each must be in listeners, and written in
        upper case regardless of its case there.
    Fix: name only entries of listeners in early.start.listeners, or remove it.
    Bad:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092
        early.start.listeners=INTERNAL
    Good:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092
        early.start.listeners=PLAINTEXT
    See: KIP-801, kafka.server.KafkaConfig.earlyStartListeners
    """
    applies(node.is_set("early.start.listeners"), "not set")
    names = {listener.name for listener in listeners(node)}
    missing = [name for name in node.list("early.start.listeners") if name and name not in names]
    if missing:
        yield Problem(
            "early.start.listeners", f"the node has no listener {missing[0]}", "names of listeners", refused=True
        )


@rule("KA1314", "high", dev="medium", aim="remove max.connections")
def no_connections(node: Subject) -> Problems:
    """With max.connections=0 a broker accepts no connection at all and never finishes starting.

    Why: 0 is a limit, not "no limit": even the node's own connections wait forever.
    Fix: remove max.connections, or set it to what the host can handle.
    Bad:
        process.roles=broker
        node.id=1
        max.connections=0
    Good:
        process.roles=broker
        node.id=1
        max.connections=10000
    See: KIP-402, https://kafka.apache.org/documentation/#brokerconfigs_max.connections
    """
    if node.int("max.connections") == 0:
        yield Problem("max.connections", "the broker accepts no connection at all", ">= 1")


@rule("KA1315", "critical", refuses=True, aim="by hand: choice")
def no_connections_per_ip(node: Subject) -> Problems:
    """max.connections.per.ip=0 without overrides locks out every client, and Kafka refuses to start.

    Why: 0 makes sense only with addresses in max.connections.per.ip.overrides that may connect.
    Fix: remove max.connections.per.ip, or list the allowed addresses in max.connections.per.ip.overrides.
    Bad:
        process.roles=broker
        node.id=1
        max.connections.per.ip=0
    Good:
        process.roles=broker
        node.id=1
        max.connections.per.ip=0
        max.connections.per.ip.overrides=10.0.0.1:100
    See: KIP-308, kafka.server.KafkaConfig.validateValues
    """
    applies(node.is_set("max.connections.per.ip"), "left at its default")
    if node.int("max.connections.per.ip") == 0 and not node.str("max.connections.per.ip.overrides"):
        yield Problem("max.connections.per.ip", "no client may connect", ">= 1, or overrides", refused=True)


@rule("KA1317", "critical", since=(2, 1), refuses=True, aim="by hand: load")
def failed_login_outlives_connection(node: Subject) -> Problems:
    """The response to a failed login is delayed beyond the idle timeout, and Kafka refuses to start.

    Why: the connection would be closed as idle before the client learned that its login failed.
    Fix: set connection.failed.authentication.delay.ms (default 100) below connections.max.idle.ms.
    Bad:
        process.roles=broker
        node.id=1
        connections.max.idle.ms=50
    Good:
        process.roles=broker
        node.id=1
        connections.max.idle.ms=600000
    See: KIP-306, kafka.server.KafkaConfig.validateValues
    """
    idle, delay = node.int("connections.max.idle.ms"), node.int("connection.failed.authentication.delay.ms")
    if 0 <= idle <= delay:
        keys = ["connections.max.idle.ms", "connection.failed.authentication.delay.ms"]
        keys = keys if written(node, keys[0]) else keys[::-1]
        yield Problem(
            list(keys),
            f"a failed login waits {delay} ms for its response, but idle connections close after {idle} ms",
            refused=True,
        )


@rule("KA1318", "critical", refuses=True, aim="remove queued.max.request.bytes")
def request_queue_below_request(node: Subject) -> Problems:
    """queued.max.request.bytes is smaller than one request may be, and Kafka refuses to start.

    Why: a request of socket.request.max.bytes (100 MiB by default) could never enter the queue.
    Fix: remove queued.max.request.bytes, or set it to several times socket.request.max.bytes.
    Bad:
        process.roles=broker
        node.id=1
        queued.max.request.bytes=1048576
    Good:
        process.roles=broker
        node.id=1
        queued.max.request.bytes=209715200
    See: KIP-72, kafka.server.KafkaConfig.validateValues
    """
    queue, request = node.int("queued.max.request.bytes"), node.int("socket.request.max.bytes")
    if 0 < queue < request:
        yield Problem(
            "queued.max.request.bytes",
            f"a request of up to {request} bytes does not fit into the queue",
            f">= {request}",
            refused=True,
        )


@rule("KA1319", "info")
def inter_broker_shares_listener(broker: Subject) -> Problems:
    """Clients and brokers share one listener, so neither can be limited or secured separately.

    Why: on a listener of its own, replication keeps its network threads when clients flood the broker, and brokers may
        log in differently from clients.
    Fix: add a listener for brokers, and set inter.broker.listener.name to it.
    Care: brokers cannot replicate if inter.broker.listener.name changes in the same rolling restart in which the
        listener is added, because other nodes do not have it yet. Add the listener in one rolling restart, set the key
        in a second.
    Bad:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092
        security.inter.broker.protocol=SASL_SSL
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9092,INTERNAL://b1:9093
        listener.security.protocol.map=SASL_SSL:SASL_SSL,INTERNAL:SSL,CONTROLLER:SSL
        inter.broker.listener.name=INTERNAL
    See: KIP-103, https://kafka.apache.org/documentation/#brokerconfigs_inter.broker.listener.name
    """
    applies("broker" in roles(broker), "not a broker")
    clients = [listener for listener in listeners(broker) if not listener.controller]
    applies(any(listener.protocol != "PLAINTEXT" for listener in clients), "nothing is secured yet")
    names = [listener.name for listener in clients]
    if names == [inter_broker(broker)[0]]:
        yield Problem("listeners", f"{names[0]} serves both clients and brokers", "a listener for brokers")


@rule("KA1320", "low", dev="info")
def connections_per_ip_low(broker: Subject) -> Problems:
    """A broker accepts only a few connections from one address, and silently closes the next.

    Why: each client opens two or three connections to a broker, and all clients of a host, a NAT gateway or a
        Kubernetes node share one address. They see closed connections and retry forever.
    Fix: remove max.connections.per.ip, or set it far above what one address needs; max.connections.per.ip.overrides can
        limit single addresses.
    Bad:
        process.roles=broker
        node.id=1
        max.connections.per.ip=10
    Good:
        process.roles=broker
        node.id=1
        max.connections.per.ip=1000
    See: https://kafka.apache.org/documentation/#brokerconfigs_max.connections.per.ip
    """
    most = broker.int("max.connections.per.ip")
    applies(most > 0, "only the addresses of max.connections.per.ip.overrides may connect")
    if most < 20:
        yield Problem(
            "max.connections.per.ip",
            f"all clients of an address share {count(most, 'connection')}: the next one is closed",
            "unset",
        )
