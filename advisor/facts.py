"""Facts that follow from several settings: roles, listeners, the quorum's voters, the ZooKeeper ensemble, min.isr."""

from __future__ import annotations

from advisor.config import Facts, Unknown, fact
from advisor.rule import applies

ZOOKEEPER, KRAFT = "zookeeper", "kraft"
PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
ELR_BY_DEFAULT = (4, 1)
"""The first release whose new clusters have eligible leader replicas switched on (KIP-966)."""


class Value:
    """A small immutable record: equal and hashable by its fields."""

    __slots__: tuple[str, ...] = ()

    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())


class Listener(Value):
    """One listener: host is None where a placeholder stands there, empty where it is the wildcard address.

    `protocol` is None where the protocol map has no entry for it; `mapped` says that the map, not the name, decides.
    """

    __slots__ = ("controller", "host", "mapped", "name", "port", "protocol")

    def __init__(
        self, name: str, host: str | None, port: int | None, protocol: str | None, mapped: bool, controller: bool
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.protocol = protocol
        self.mapped = mapped
        self.controller = controller


class Voter(Value):
    """One entry of controller.quorum.voters; the parts that cannot be read are None."""

    __slots__ = ("host", "id", "port")

    def __init__(self, id: int | None, host: str | None, port: int | None) -> None:
        self.id = id
        self.host = host
        self.port = port


class Server(Value):
    """A host and port; the parts that cannot be read are None."""

    __slots__ = ("host", "port")

    def __init__(self, host: str | None, port: int | None) -> None:
        self.host = host
        self.port = port


@fact
def mode(node: Facts) -> str:
    """`kraft` where process.roles is set or the release has no ZooKeeper mode, else `zookeeper`."""
    return KRAFT if node.is_set("process.roles") or node.version() >= (4, 0) else ZOOKEEPER


@fact
def roles(node: Facts) -> tuple[str, ...]:
    """The roles of process.roles; a ZooKeeper broker is a broker."""
    if mode(node) == ZOOKEEPER or not node.is_set("process.roles"):
        return ("broker",)
    return node.list("process.roles")


@fact
def protocol_map(node: Facts) -> tuple[tuple[str, str], ...]:
    """Listener name and security protocol, upper case, of listener.security.protocol.map."""
    pairs = (entry.rpartition(":") for entry in node.text("listener.security.protocol.map").split(","))
    return tuple((name.strip().upper(), protocol.strip().upper()) for name, _, protocol in pairs if name.strip())


@fact
def controller_listeners(node: Facts) -> tuple[str, ...]:
    """The names of controller.listener.names, upper case."""
    if mode(node) == ZOOKEEPER and not node.is_set("controller.listener.names"):
        return ()
    return tuple(name.strip().upper() for name in node.text("controller.listener.names").split(",") if name.strip())


@fact
def listeners(node: Facts) -> tuple[Listener, ...]:
    """What `listeners` says; entries that are no listener at all are left out."""
    return _listeners(node, "listeners")


@fact
def advertised(node: Facts) -> tuple[Listener, ...]:
    """What clients and brokers are told: advertised.listeners, else listeners (in KRaft without the controllers')."""
    found = _listeners(node, "advertised.listeners")
    if node.is_set("advertised.listeners"):
        return found
    return tuple(listener for listener in found if not listener.controller)


def _listeners(node: Facts, key: str) -> tuple[Listener, ...]:
    protocols = dict(protocol_map(node))
    controllers = controller_listeners(node)
    found = []
    for entry in node.text(key).split(","):
        name, colon, address = entry.strip().partition("://")
        if not colon:
            continue
        host, port = _address(address)
        upper = name.strip().upper()
        own = upper if upper in PROTOCOLS else None
        default = "PLAINTEXT" if upper in controllers and not node.is_set("listener.security.protocol.map") else None
        protocol = protocols.get(upper) or default
        found.append(Listener(upper, host, port, protocol, own != protocol, upper in controllers))
    return tuple(found)


def _address(text: str) -> tuple[str | None, int | None]:
    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = text, ""
    host = host.strip().strip("[]")
    return None if is_placeholder(host) else host, int(port) if port.strip().isdigit() else None


def is_placeholder(text: str) -> bool:
    """Whether an address (or a part of one) is filled in later: ${X}, {{ x }}, <X>, %X%, @X@ or a bare WORD."""
    if any(mark in text for mark in ("${", "$(", "{{", "<", "%", "@")) or text.startswith("$"):
        return True
    return len(text) > 2 and text.isupper() and text.replace("_", "").replace("-", "").isalnum() and "." not in text


@fact
def voters(node: Facts) -> tuple[Voter, ...]:
    """The static voters of controller.quorum.voters, empty where it is not set."""
    if not node.is_set("controller.quorum.voters"):
        return ()
    text = node.text("controller.quorum.voters")
    if text.strip() and "@" not in text and is_placeholder(text):
        raise Unknown(f"controller.quorum.voters is filled in later: {text}")
    found = []
    for entry in text.split(","):
        id, _, address = entry.strip().partition("@")
        if not entry.strip():
            continue
        host, port = _address(address)
        found.append(Voter(int(id) if id.isdigit() else None, host, port))
    return tuple(found)


@fact
def zookeeper_servers(node: Facts) -> tuple[Server, ...]:
    """The servers of zookeeper.connect, without the chroot; unknown where the whole list is a placeholder."""
    text = node.text("zookeeper.connect").partition("/")[0]
    servers = tuple(Server(*_address(entry.strip())) for entry in text.split(",") if entry.strip())
    if any(server.host is None for server in servers):
        raise Unknown(f"zookeeper.connect is filled in later: {node.text('zookeeper.connect')}")
    return servers


@fact
def min_isr(node: Facts) -> int:
    """min.insync.replicas as topics that set none of their own get it from this node's file.

    Clusters formatted by 4.1 or newer have eligible leader replicas: the controller writes its own file's value
    cluster-wide, and that shadows every broker's. Source: KIP-966, ConfigurationControlManager.
    """
    if mode(node) == KRAFT:
        if node.version() < ELR_BY_DEFAULT:
            applies("broker" in roles(node), "a controller's value counts from Kafka 4.1 on")
        elif "controller" not in roles(node):
            raise Unknown(
                "the controller's value counts: from Kafka 4.1 on the controller's min.insync.replicas becomes the "
                "cluster-wide one and shadows this file's"
            )
    return node.int("min.insync.replicas")


def bootstrap(client: Facts) -> tuple[Server, ...]:
    """The addresses of bootstrap.servers; hosts that are filled in later are None."""
    return servers(client, "bootstrap.servers")


@fact
def servers(client: Facts, key: str) -> tuple[Server, ...]:
    """The addresses of a bootstrap list; hosts that are filled in later are None."""
    entries = [entry.strip() for entry in client.text(key).split(",") if entry.strip()]
    return tuple(Server(*_address(entry.rpartition("://")[2])) for entry in entries)


def is_local(host: str | None) -> bool:
    """Whether an address is this machine's own loopback."""
    return host is not None and (host in ("localhost", "::1", "0:0:0:0:0:0:0:1") or host.startswith("127."))


def is_wildcard(host: str | None) -> bool:
    """Whether an address means every interface."""
    return host is not None and host in ("", "0.0.0.0", "::", "0:0:0:0:0:0:0:0")
