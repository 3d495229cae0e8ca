"""Derived facts: roles, listeners, quorum voters, ZooKeeper ensemble, min.isr."""

from __future__ import annotations

from advisor.cache import cached_if_long
from advisor.model import LITERAL, PLACEHOLDER
from advisor.model import is_whole_number as is_whole_number
from advisor.rule import applies
from advisor.rule.subject import NotApplicable, Subject, Unknown, fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    T = TypeVar("T")

ZOOKEEPER, KRAFT, NOT_SAID = "zookeeper", "kraft", "not known"
MARKS = frozenset("${<%@")
"""Characters of which each placeholder has one."""
PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
NEW_PROTOCOL = (3, 7)
"""The first release whose Java consumer has the group protocol of KIP-848."""
DYNAMIC_QUORUM = (3, 9)
"""The first release whose voters need not stand in controller.quorum.voters (KIP-853)."""
LITTLE_FREE = 15
"""Percent of a disk that are free, below which it is nearly full."""
ELR_BY_DEFAULT = (4, 1)
"""The first release whose new clusters have eligible leader replicas switched on (KIP-966)."""


class Value:
    """A small immutable record: equal and hashable by its fields."""

    __slots__ = ("fields",)

    def __init__(self, *fields: object) -> None:
        self.fields = fields

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.fields == other.fields

    def __hash__(self) -> int:
        return hash(self.fields)


class Listener(Value):
    """One listener: host is None where a placeholder stands there, empty where it is the wildcard address.

    An ordinary host name is a stand-in (see advisor.catalog.host_aliases): nothing that is shown may come from it.
    `protocol` is None where the protocol map has no entry for it; `mapped` says that the map, not the name, decides.
    """

    __slots__ = ("controller", "host", "mapped", "name", "port", "protocol")

    def __init__(
        self, name: str, host: str | None, port: int | None, protocol: str | None, mapped: bool, controller: bool
    ) -> None:
        super().__init__(name, host, port, protocol, mapped, controller)
        self.name = name
        self.host = host
        self.port = port
        self.protocol = protocol
        self.mapped = mapped
        self.controller = controller


class Voter(Value):
    """One entry of controller.quorum.voters; the parts that cannot be read are None, an ordinary host is a stand-in."""

    __slots__ = ("host", "id", "port")

    def __init__(self, id: int | None, host: str | None, port: int | None) -> None:
        super().__init__(id, host, port)
        self.id = id
        self.host = host
        self.port = port


class Server(Value):
    """A host and port; the parts that cannot be read are None, an ordinary host is a stand-in."""

    __slots__ = ("host", "port")

    def __init__(self, host: str | None, port: int | None) -> None:
        super().__init__(host, port)
        self.host = host
        self.port = port


@fact
def key_names(config: Subject) -> frozenset[str]:
    """Every key that is written down."""
    return frozenset(config.keys())


@fact
def is_connector(config: Subject) -> bool:
    """Whether the settings are a connector's and no worker's: they name its class."""
    return config.kind() == "connect" and "connector.class" in key_names(config)


def is_named_by_provider(key: str) -> bool:
    """Whether nothing but the name of a configuration provider (config.providers.secret.param.…) makes a key look secret."""
    _, is_of_provider, parameter = key.partition(".param.")
    from advisor.secrets import is_secret

    named = bool(is_of_provider) and key.startswith("config.providers.")
    return named and not parameter.endswith("key") and not is_secret(parameter)


@fact
def image(deployment: Subject) -> tuple[str, str]:
    """(repository without its registry, tag) of the container image."""
    from advisor.catalog.image_names import repository_and_tag

    return repository_and_tag(deployment.str("image"))


@fact
def mode(node: Subject) -> str:
    """`kraft` where process.roles names a role or the release has no ZooKeeper mode, else `zookeeper`."""
    if node.at_least((4, 0)):
        return KRAFT
    return KRAFT if node.is_set("process.roles") and node.text("process.roles").strip() else ZOOKEEPER


@fact
def roles(node: Subject) -> tuple[str, ...]:
    """The roles of process.roles; a ZooKeeper broker is a broker."""
    if mode(node) == ZOOKEEPER or not node.is_set("process.roles"):
        return ("broker",)
    return node.list("process.roles")


@fact
def protocol_map(node: Subject) -> tuple[tuple[str, str], ...]:
    """Listener name and security protocol, upper case, of listener.security.protocol.map.

    Where the map is left at its default, KRaft adds PLAINTEXT for the controllers' listeners, unless the name of some
    listener is SSL, SASL_PLAINTEXT or SASL_SSL. Source: KafkaConfig.effectiveListenerSecurityProtocolMap (from 3.1 on).
    """
    key = "listener.security.protocol.map"
    if node.shape(key) == PLACEHOLDER or is_word(node.text(key)):
        raise Unknown(f"{key} is filled in later: {node.text(key)}")
    mapped = protocols_of(node.text(key))
    if node.is_set(key) or mode(node) == ZOOKEEPER or not node.at_least((3, 1)):
        return mapped
    names = (*controller_listeners(node), *(entry.rpartition("://")[0].upper() for entry in entries(node, "listeners")))
    if any(name in PROTOCOLS[1:] for name in names):
        return mapped
    return mapped + tuple((name, "PLAINTEXT") for name in controller_listeners(node) if name != "PLAINTEXT")


@cached_if_long
def protocols_of(text: str) -> tuple[tuple[str, str], ...]:
    """Listener name and security protocol, upper case, of a text."""
    pairs = (entry.rpartition(":") for entry in text.split(","))
    return tuple((name.strip().upper(), protocol.strip().upper()) for name, _, protocol in pairs if name.strip())


@fact
def entries(node: Subject, key: str) -> tuple[str, ...]:
    """The entries of `listeners` or `advertised.listeners`; unknown where a whole one is filled in later.

    From 4.2 on an entry that stands twice counts once (KIP-1161); before 3.0 host.name and port stand in.
    """
    return entries_of(node, key, node.outline)


def entries_of(node: Subject, key: str, read: Callable[[str], str]) -> tuple[str, ...]:
    """The entries as `node.outline` has them, or `node.text` where they are shown."""
    if key == "listeners" and not node.at_least((3, 0)) and not node.is_set(key):
        return (f"PLAINTEXT://{node.text('host.name')}:{node.text('port')}",)
    listed = tuple(entry.strip() for entry in read(key).split(",") if entry.strip())
    for entry in listed:
        name, _, address = entry.rpartition("://")
        if filled_in_later(name or address) or (not name and is_word(address)):
            raise Unknown(f"{key} is filled in later: {node.text(key)}")
    return tuple(dict.fromkeys(listed)) if node.at_least((4, 2)) else listed


def outline_of(node: Subject, key: str) -> str:
    """The outline of the effective text (see host_aliases); unknown where that cannot be read."""
    plain = node.shape(key) == LITERAL and not node.is_secret(key)
    return node.outline(key).strip() if plain else node.str(key)


@fact
def written(config: Subject, key: str) -> bool:
    """Whether the key itself is written down; no synonym stands in for it."""
    return key in config.keys()


def filled_in_later(text: str) -> bool:
    """Whether a part of a text is a placeholder: ${X}, $(X), {X}, {{ X }}, <X>, %X%, @X@, $X."""
    if MARKS.isdisjoint(text):
        return False
    if any(mark in text for mark in ("$(", "{", "<")) or text.startswith("$"):
        return True
    return name_between(text, "%") or name_between(text, "@")


def name_between(text: str, mark: str) -> bool:
    """Whether a name stands between two of the marks, as in %X% and @X@; 1@a:1,2@b:1 and fe80::1%eth0 hold none."""
    inside = text.split(mark)[1:-1]
    return any(name[:1].isalpha() and name.replace("_", "").replace(".", "").isalnum() for name in inside)


def is_word(text: str) -> bool:
    """Whether a text that should be an address or a list of them is one upper-case WORD, which is filled in later."""
    return "://" not in text and text.strip().upper() not in PROTOCOLS and is_placeholder(text.strip())


@fact
def controller_listeners(node: Subject) -> tuple[str, ...]:
    """The names of controller.listener.names, upper case."""
    if mode(node) == ZOOKEEPER and not node.is_set("controller.listener.names"):
        return ()
    if node.shape("controller.listener.names") == PLACEHOLDER:
        raise Unknown(f"controller.listener.names is filled in later: {node.text('controller.listener.names')}")
    return tuple(name.strip().upper() for name in node.text("controller.listener.names").split(",") if name.strip())


@fact
def listeners(node: Subject) -> tuple[Listener, ...]:
    """What `listeners` says; entries that are no listener at all are left out."""
    return _listeners(node, "listeners")


@fact
def advertised(node: Subject) -> tuple[Listener, ...]:
    """The addresses for clients: advertised.listeners, else listeners (in KRaft without controllers')."""
    if written(node, "advertised.listeners"):
        return _listeners(node, "advertised.listeners")
    return tuple(listener for listener in listeners(node) if not listener.controller)


def _listeners(node: Subject, key: str) -> tuple[Listener, ...]:
    protocols = dict(protocol_map(node))
    controllers = controller_listeners(node)
    parsed = []
    for entry in entries(node, key):
        name, colon, address = entry.rpartition("://")
        if not colon:
            continue
        host, port = _address(address)
        upper = name.strip().upper()
        own = upper if upper in PROTOCOLS else None
        protocol = protocols.get(upper)
        parsed.append(Listener(upper, host, port, protocol, own != protocol, upper in controllers))
    return tuple(parsed)


@fact
def inter_broker(node: Subject) -> tuple[str, str | None]:
    """The listener that brokers use among themselves: its name and protocol, None where the map has no entry for it."""
    if written(node, "inter.broker.listener.name"):
        name = node.str("inter.broker.listener.name").upper()
        return name, dict(protocol_map(node)).get(name)
    protocol = node.str("security.inter.broker.protocol").upper()
    return protocol, protocol


def _address(text: str) -> tuple[str | None, int | None]:
    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = text, ""
    host = host.strip().strip("[]")
    return None if is_placeholder(host) else host, int(port) if is_whole_number(port.strip()) else None


def is_placeholder(text: str) -> bool:
    """Whether an address (or a part of one) is filled in later: ${X}, {{ x }}, <X>, %X%, @X@ or a bare WORD."""
    if filled_in_later(text):
        return True
    word = text.replace("_", "").replace("-", "")
    return len(text) > 2 and text.lstrip("_")[:1].isalpha() and word.isupper() and word.isalnum()


@fact
def voters(node: Subject) -> tuple[Voter, ...]:
    """The static controller.quorum.voters, empty where not set; unknown where one is filled in later."""
    if not node.is_set("controller.quorum.voters"):
        return ()
    parsed = []
    for entry in (text.strip() for text in node.outline("controller.quorum.voters").split(",") if text.strip()):
        id, at, address = voter_parts(entry)
        if not at and is_placeholder(entry):
            raise Unknown(f"controller.quorum.voters is filled in later: {node.text('controller.quorum.voters')}")
        host, port = _address(address)
        parsed.append(Voter(int(id) if is_whole_number(id.removeprefix("-")) else None, host, port))
    return tuple(parsed)


@fact
def controller_servers(node: Subject) -> tuple[Server, ...]:
    """The addresses of controller.quorum.bootstrap.servers, each once: where a node begins to look for the controllers.

    A dynamic quorum (from 3.9 on) keeps its voters in the metadata log; this list need not name all of them.
    """
    key = "controller.quorum.bootstrap.servers"
    if not node.at_least(DYNAMIC_QUORUM) or not node.is_set(key):
        return ()
    found = servers(node, key)
    if node.shape(key) == PLACEHOLDER or any(server.host is None for server in found):
        raise Unknown(f"{key} is filled in later: {node.text(key)}")
    return tuple(dict.fromkeys(found))


def voter_parts(entry: str) -> tuple[str, str, str]:
    """(id, @, host:port) of a voter; the @ of a placeholder such as @ID@ parts nothing."""
    if not entry.startswith("@"):
        return entry.partition("@")
    id, _, behind = entry[1:].partition("@")
    return f"@{id}@", behind[:1], behind[1:]


@fact
def zookeeper_servers(node: Subject) -> tuple[Server, ...]:
    """The servers of zookeeper.connect, without the chroot; unknown where the whole list is a placeholder."""
    text = node.text("zookeeper.connect").partition("/")[0]
    servers = tuple(Server(*_address(entry.strip())) for entry in text.split(",") if entry.strip())
    if any(server.host is None for server in servers):
        raise Unknown(f"zookeeper.connect is filled in later: {node.text('zookeeper.connect')}")
    return servers


@fact
def min_isr(node: Subject) -> int:
    """The min.insync.replicas of topics that set none of their own, by this node's file.

    Clusters formatted by 4.1 or newer have eligible leader replicas: the controller writes its own file's value
    cluster-wide, and that shadows every broker's. Source: KIP-966, ConfigurationControlManager.
    """
    if mode(node) == KRAFT and not node.running() and not node.fragment():
        if not node.at_least(ELR_BY_DEFAULT):
            applies("broker" in roles(node), "a controller's value counts from Kafka 4.1 on")
        elif "controller" not in roles(node) and not node.is_set("zookeeper.connect"):
            applies(depends_on_elr(node), "the controllers' files of this run have the value that counts")
            raise Unknown(which_min_isr(node))
    return node.int("min.insync.replicas")


@fact
def depends_on_elr(node: Subject) -> bool:
    """Whether the min.insync.replicas in force is this file's only with, or only without, eligible leader replicas.

    From 4.1 on they come with a cluster that is formatted, not with an upgrade: brokers' files count without them,
    controllers' with them.
    """
    is_split = mode(node) == KRAFT and node.at_least(ELR_BY_DEFAULT) and len(roles(node)) == 1
    if not is_split or node.running() or node.fragment() or node.is_set("zookeeper.connect"):
        return False
    key = "min.insync.replicas"
    return node.int_of_other_role(key) != node.int(key)


def counts_without_elr(node: Subject) -> bool:
    """Whether a broker's file sets a min.insync.replicas that counts without eligible leader replicas, and nothing says its release."""
    key = "min.insync.replicas"
    is_asked = not node.version_given() and "broker" in roles(node) and written(node, key)
    return is_asked and depends_on_elr(node) and node.int_of_other_role(key) is None


def condition_of_min_isr(node: Subject) -> str:
    """What a finding about a node's min.insync.replicas rests on; empty where its file decides."""
    if not depends_on_elr(node):
        return ""
    return WITHOUT_ELR if counts_without_elr(node) else WITH_ELR


def which_min_isr(broker: Subject) -> str:
    """Why a broker's file does not say which min.insync.replicas is in force."""
    theirs = broker.int_of_other_role("min.insync.replicas")
    if theirs is None:
        return (
            "the controller's value counts: from Kafka 4.1 on the controller's min.insync.replicas becomes the "
            "cluster-wide one and overrides this file's"
        )
    return (
        f"whether the cluster has eligible leader replicas: with them (formatted by Kafka 4.1 or newer) the "
        f"controllers' min.insync.replicas={theirs} counts, without them this file's"
    )


SETS_CLUSTER_WIDE = "strimzi"
"""The format of an operator that sets min.insync.replicas cluster-wide, with eligible leader replicas and without."""
NOT_IN_FILES = (
    "with them (clusters formatted by Kafka 4.1 or newer) min.insync.replicas of the files counts only when the cluster is "
    "formatted, later only what kafka-configs.sh sets"
)
"""What eligible leader replicas do to min.insync.replicas in files."""
WITH_ELR = ", if the cluster has eligible leader replicas (formatted by Kafka 4.1 or newer)"
"""What a finding rests on that is about min.insync.replicas in the file of a controller alone."""
WITHOUT_ELR = ", unless the cluster has eligible leader replicas (formatted by Kafka 4.1 or newer): the controllers' value counts then"
"""What a finding rests on that is about min.insync.replicas in the file of a broker alone."""


@fact
def has_brokers(cluster: Subject) -> bool:
    """Whether one of the cluster's files is a broker's; controllers' files alone do not count."""
    if mode(cluster) != KRAFT:
        return True
    return any(is_role(roles, "broker") for roles in cluster.values("process.roles"))


def is_beside_controllers(node: Subject) -> bool:
    """Whether it is a broker alone whose controllers have files of their own in the run."""
    if mode(node) != KRAFT or node.kind() != "broker" or node.running():
        return False
    try:
        return bool(node.live("controllers") > 0)
    except NotApplicable:
        return False


@fact
def cluster_min_isr(cluster: Subject) -> int:
    """The min.insync.replicas of topics that set none of their own: the lowest of the files that count.

    Those are the brokers' files, and in KRaft from 4.1 on the controllers' (see min_isr).
    """
    key, kraft = "min.insync.replicas", mode(cluster) == KRAFT and not cluster.running()
    has_elr = kraft and cluster.at_least(ELR_BY_DEFAULT)
    least = least_of_role(cluster, "controller" if has_elr else "broker")
    if least is None:
        applies(has_elr, "no file of a broker")
        raise Unknown(f"the controllers' {key} counts from Kafka 4.1 on, and none of their files is here")
    return least


@fact
def min_isr_without_elr(cluster: Subject) -> int:
    """The same of a cluster without eligible leader replicas, where the brokers' files count in every release."""
    of_brokers = None if cluster.running() else least_of_role(cluster, "broker")
    return cluster_min_isr(cluster) if of_brokers is None else of_brokers


def least_of_role(cluster: Subject, role: str) -> int | None:
    """The lowest min.insync.replicas in the files of nodes with a role; None without any."""
    key, kraft = "min.insync.replicas", mode(cluster) == KRAFT and not cluster.running()
    values = cluster.values(key)
    roles_by_node = cluster.values("process.roles") if kraft else (None,) * len(values)
    texts = [(text or "").strip() for name, text in zip(roles_by_node, values, strict=True) if is_role(name, role)]
    unread = [text for text in texts if not is_whole_number(text)]
    if unread:
        raise Unknown(f"{key} is filled in later: {unread[0]}")
    return min(map(int, texts), default=None)


def is_role(process_roles: str | None, role: str) -> bool:
    """Whether a node with this process.roles has the role; without the key it is a ZooKeeper broker."""
    text = process_roles.strip() if isinstance(process_roles, str) else ""
    if filled_in_later(text):
        raise Unknown(f"process.roles is filled in later: {text}")
    return role in [name.strip() for name in text.split(",")] if text else role == "broker"


def bootstrap(client: Subject) -> tuple[Server, ...]:
    """The addresses of bootstrap.servers; hosts that are filled in later are None."""
    return servers(client, "bootstrap.servers")


@fact
def servers(client: Subject, key: str) -> tuple[Server, ...]:
    """The addresses of a bootstrap list; hosts that are filled in later are None."""
    entries = [entry.strip() for entry in client.outline(key).split(",") if entry.strip()]
    return tuple(Server(*_address(entry.rpartition("://")[2])) for entry in entries)


def is_local(host: str | None) -> bool:
    """Whether an address is this machine's own loopback."""
    return host is not None and (host in ("localhost", "::1", "0:0:0:0:0:0:0:1") or host.startswith("127."))


def is_wildcard(host: str | None) -> bool:
    """Whether an address means every interface."""
    return host is not None and host in ("", "0.0.0.0", "::", "0:0:0:0:0:0:0:0")


TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "${java.io.tmpdir}")
"""Folders that are emptied at boot or by a cleaner."""


def is_temporary(path: str) -> bool:
    """Whether the path lies where a reboot or a cleaner deletes it."""
    bare = path.strip().rstrip("/")
    return any(bare == folder or bare.startswith(folder + "/") for folder in TEMPORARY)


def repeated(items: Iterable[T]) -> list[T]:
    """The items that stand more than once, in the order in which they do so."""
    seen: set[T] = set()
    twice = {item: None for item in items if item in seen or seen.add(item)}  # type: ignore[func-returns-value]
    return list(twice)


def plain_path(path: str) -> str:
    """The path without doubled, trailing and pointless parts."""
    names = [name for name in path.strip().split("/") if name not in ("", ".")]
    return ("/" if path.strip().startswith("/") else "") + "/".join(names)


@fact
def new_protocol(consumer: Subject) -> bool:
    """Whether the group uses the consumer protocol of KIP-848 instead of the classic one."""
    if consumer.family() == "java" and not consumer.at_least(NEW_PROTOCOL):
        return False
    return consumer.str("group.protocol").lower() == "consumer"
