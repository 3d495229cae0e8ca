"""Detect kind, client family and Kafka version from settings, and make an entity of them."""

from __future__ import annotations

from advisor import catalog
from advisor.catalog.keys import CLIENTS, NUMBERED, OPENERS, is_known, without_prefix
from advisor.model import (
    CLIENT_FILE,
    DYNAMIC_TOPIC,
    LITERAL,
    OVERLAY,
    PLACEHOLDER,
    SERVER_KINDS,
    Broker,
    Client,
    Entity,
    Target,
    Topic,
    ZooKeeperEnsemble,
    is_whole_number,
)
from advisor.secrets.disclosure import protect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from advisor.model import Setting, Version

ZOOKEEPER = {"tickTime", "dataDir", "clientPort", "initLimit", "syncLimit", "dataLogDir", "secureClientPort"}
CONNECT = {
    "config.storage.topic", "offset.storage.topic", "status.storage.topic", "offset.storage.file.filename",
    "key.converter", "value.converter", "plugin.path", "config.storage.replication.factor",
    "connector.client.config.override.policy", "offset.flush.interval.ms",
}  # fmt: skip
OF_WORKER = {
    "group.id",
    "offset.storage.file.filename",
    "config.storage.topic",
    "offset.storage.topic",
    "status.storage.topic",
}
"""What a worker alone has: none of it is in a tool's file that embeds one, or in a piece of a worker's."""
OF_GROUP = {"group.id", "session.timeout.ms", "heartbeat.interval.ms"}
"""What workers have as consumers do: they are members of a group."""
NO_WORKERS = frozenset(("broker", "producer", "consumer", "admin", "streams", "topic", "librdkafka", "zookeeper"))
"""The components of the catalog that share keys with workers and are none."""
RAFT_SERVERS = "kraft.properties"
OF_RAFT_SERVER = ("node.id", "listeners", "controller.listener.names", "controller.quorum.voters")
WHOLE_NODE = frozenset(("process.roles", "zookeeper.connect"))
"""The name of the file for TestRaftServer, the keys that it has, and those of which every node has one."""
OF_ENGINE = {"connector.class", "offset.storage"}
"""What an embedded engine of Debezium's has, which has a worker's other settings from its own defaults."""
OF_REPLICATOR = frozenset(
    (
        "topic.whitelist",
        "topic.blacklist",
        "topic.regex",
        "topic.rename.format",
        "topic.config.sync",
        "provenance.header.enable",
    )
)
"""Keys of Confluent's Replicator, whose program takes what a worker needs beside them from two other files."""
STREAMS = {"application.id", "processing.guarantee", "num.stream.threads", "state.dir", "num.standby.replicas"}
SERVER = {
    "broker.id", "node.id", "log.dirs", "log.dir", "listeners", "advertised.listeners", "num.network.threads",
    "num.io.threads", "offsets.topic.replication.factor", "transaction.state.log.replication.factor",
    "default.replication.factor", "num.partitions", "inter.broker.protocol.version", "log.retention.hours",
    "log.retention.ms", "log.segment.bytes", "auto.create.topics.enable", "broker.rack", "authorizer.class.name",
    "zookeeper.connection.timeout.ms", "listener.security.protocol.map", "inter.broker.listener.name",
    "controller.listener.names", "controller.quorum.voters", "controller.quorum.bootstrap.servers", "message.max.bytes",
    "delete.topic.enable", "log.cleanup.policy", "socket.request.max.bytes", "replica.lag.time.max.ms",
    "unclean.leader.election.enable", "zookeeper.session.timeout.ms", "min.insync.replicas",
}  # fmt: skip
PRODUCER = {
    "acks", "key.serializer", "value.serializer", "batch.size", "linger.ms", "buffer.memory", "transactional.id",
    "enable.idempotence", "max.block.ms", "delivery.timeout.ms", "partitioner.class", "max.request.size", "retries",
    "compression.type", "max.in.flight.requests.per.connection", "producer.type", "serializer.class",
    "request.required.acks", "queue.buffering.max.ms", "queue.buffering.max.messages", "message.send.max.retries",
    "compression.codec", "key.serializer.class", "metadata.fetch.timeout.ms", "timeout.ms", "block.on.buffer.full",
    "queue.buffering.max.kbytes", "message.timeout.ms", "batch.num.messages", "max.in.flight",
}  # fmt: skip
CONSUMER = {
    "group.id", "key.deserializer", "value.deserializer", "enable.auto.commit", "auto.offset.reset",
    "auto.commit.interval.ms", "session.timeout.ms", "heartbeat.interval.ms", "max.poll.records",
    "max.poll.interval.ms", "fetch.min.bytes", "fetch.max.wait.ms", "isolation.level", "fetch.max.bytes",
    "partition.assignment.strategy", "max.partition.fetch.bytes", "group.instance.id", "group.protocol",
    "consumer.timeout.ms", "auto.commit.enable", "fetch.message.max.bytes", "rebalance.max.retries",
    "queued.max.message.chunks", "num.consumer.fetchers", "rebalance.backoff.ms", "refresh.leader.backoff.ms",
    "offsets.storage", "exclude.internal.topics", "check.crcs", "enable.auto.offset.store", "fetch.wait.max.ms",
}  # fmt: skip
SERIALIZERS, DESERIALIZERS = {"key.serializer", "value.serializer"}, {"key.deserializer", "value.deserializer"}
OUTSIDE_WORKERS = (SERVER - {"listeners"}) | PRODUCER | (CONSUMER - OF_GROUP) | {"connector.class", "application.id"}
"""Keys that are not in a file of a worker which has one of a worker's own."""
CONNECTION = {
    "bootstrap.servers", "security.protocol", "sasl.mechanism", "sasl.jaas.config", "ssl.truststore.location",
    "ssl.keystore.location", "client.id", "metadata.broker.list", "sasl.username", "sasl.password", "ssl.ca.location",
    "sasl.mechanisms", "bootstrap.controllers", "ssl.truststore.password", "default.api.timeout.ms",
}  # fmt: skip
TOPIC = {
    "retention.ms", "retention.bytes", "cleanup.policy", "segment.bytes", "segment.ms", "max.message.bytes",
    "delete.retention.ms", "min.cleanable.dirty.ratio", "min.compaction.lag.ms", "remote.storage.enable",
    "local.retention.ms", "flush.messages", "file.delete.delay.ms", "message.timestamp.type",
}  # fmt: skip
SESSION = {"zookeeper.connection.timeout.ms", "zookeeper.session.timeout.ms"}
"""Keys that brokers share with the Scala consumer."""
NUMBERED_OR_FILLED = (*(prefix for prefix, _ in NUMBERED), *OPENERS)
"""How keys of ZooKeeper's begin that end on a number, and those that a template fills in."""
CLIENT_APPS = ("ksql.", "confluent.controlcenter.", "kafka.rest.")
"""What the keys of servers begin with that are clients of Kafka."""
SHARED = {"min.insync.replicas", "unclean.leader.election.enable"}
"""Keys of brokers that topics have under the same name."""
OTHER_TOOLS = {"num.metric.fetchers", "goals", "default.goals", "capacity.config.file", "metric.sampler.class",
               "sample.store.class", "self.healing.enabled", "broker.capacity.config.resolver.class", "hard.goals",
               "kafkastore.bootstrap.servers", "log4j.rootLogger",
               "node.environment", "connector.name"}  # fmt: skip
KEYS_OF_OTHERS = {
    "group.id", "client.id", "application.id", "node.id", "host.name", "log.dir", "log.dirs", "state.dir", "plugin.path",
    "data.dir", "connection.timeout.ms", "session.timeout.ms", "request.timeout.ms", "security.protocol", "ssl.protocol",
    "ssl.keystore.location", "ssl.keystore.password", "ssl.keystore.type", "ssl.key.password", "ssl.truststore.location",
    "ssl.truststore.password", "ssl.truststore.type", "ssl.client.auth", "background.threads", "connections.max.idle.ms",
    "batch.size", "max.request.size", "metric.reporters", "metadata.max.age.ms", "retry.backoff.ms", "message.max.bytes",
}  # fmt: skip
"""Keys that build tools, databases and frameworks have as well (Maven's group.id, Trino's node.id, OAuth's client.id)."""
TELLING = 2
"""Keys of Kafka's alone that make a file with other keys Kafka's; one does where half of all keys are Kafka's."""
OLD_CLIENT = {
    "producer.type", "serializer.class", "key.serializer.class", "zookeeper.connect", "consumer.timeout.ms",
    "auto.commit.enable", "rebalance.max.retries", "rebalance.backoff.ms", "queue.enqueue.timeout.ms", "zk.connect",
    "compressed.topics", "offsets.storage", "dual.commit.enabled", "groupid", "broker.list", "queued.max.message.chunks",
}  # fmt: skip
"""Keys of the Scala clients that Kafka 2.0 dropped."""
LIBRDKAFKA = {
    "sasl.username", "sasl.password", "sasl.mechanisms", "ssl.ca.location", "ssl.certificate.location",
    "ssl.key.location", "metadata.broker.list", "debug", "statistics.interval.ms", "enable.auto.offset.store",
    "socket.keepalive.enable", "broker.address.family", "api.version.request", "queue.buffering.max.kbytes",
    "queue.buffering.max.messages", "queue.buffering.max.ms", "message.send.max.retries", "message.timeout.ms",
    "enable.ssl.certificate.verification", "queued.max.messages.kbytes", "queued.min.messages", "log_level",
    "socket.timeout.ms", "batch.num.messages", "request.required.acks", "compression.codec", "log.connection.close",
    "enable.partition.eof", "enable.sasl.oauthbearer.unsecure.jwt", "partitioner", "fetch.wait.max.ms",
}  # fmt: skip
JAVA = {
    "sasl.jaas.config", "ssl.truststore.location", "key.serializer", "value.serializer", "key.deserializer",
    "value.deserializer", "partitioner.class", "interceptor.classes", "max.block.ms", "buffer.memory",
}  # fmt: skip
WHOLE = {
    "node.id", "broker.id", "process.roles", "zookeeper.connect", "listeners", "advertised.listeners", "log.dirs", "log.dir",
}  # fmt: skip
"""Keys of which a broker's own file has one; without them it is what a platform adds to its own."""
ADDRESSES = {
    "bootstrap.servers",
    "bootstrap.controllers",
    "metadata.broker.list",
    "zookeeper.connect",
    "broker.list",
    "zk.connect",
}
"""Keys by which clients of any time name brokers."""
APPLICATIONS = ("producer", "consumer", "client", "admin", "streams")
ALIAS_MARKS = str.maketrans("", "", "-_.")
"""What the names of MirrorMaker's clusters hold besides letters and digits."""
PLATFORM = "the file is a fragment: what it leaves out is the platform's"
CODE = "the file is a fragment: what it leaves out is set elsewhere"
ROLES = {"broker": "broker", "controller": "controller"}
DELTA = ".delta"
"""How the name of a file ends that is appended to another."""
ELSEWHERE = {"zookeeper.connect", "broker.id", "config.providers"}
"""Keys of a node that needs no roles, whose id has an older name, or whose values Kafka itself fills in."""


def kind_of(settings: Mapping[str, Setting]) -> str | None:
    """The kind of a file, None where it holds no known Kafka setting."""
    keys = settings.keys()
    if "process.roles" in keys:
        roles = {role.strip() for role in settings["process.roles"].value.split(",")}
        return "combined" if len(roles) != 1 else ROLES.get(roles.pop(), "combined")
    if len(keys & ZOOKEEPER) >= 2:
        return "zookeeper"
    if keys & OTHER_TOOLS and len(keys & OTHER_TOOLS) >= len(keys & (SERVER | PRODUCER | CONSUMER | CONNECT)):
        return None
    if _is_mirror(keys):
        return "mirror"
    if len(keys & CONNECT) >= 2 and not keys & {"broker.id", "log.dirs"}:
        return "connect"
    if _is_piece_of_worker(keys):
        return "connect"
    if "application.id" in keys:
        return "streams"
    if any(key.startswith(CLIENT_APPS) for key in keys) and not keys & {"broker.id", "log.dirs"}:
        return "admin"
    kind = _broker_or_client(settings) or _topic(settings) or _of_several_clients(settings)
    return OVERLAY if kind == "broker" and not keys & WHOLE and not _is_template(settings) else kind


def _is_piece_of_worker(keys: Collection[str]) -> bool:
    """Whether an address stands beside a Connect worker's key, and no key of a broker, another client or a connector."""
    return "bootstrap.servers" in keys and OUTSIDE_WORKERS.isdisjoint(keys) and any(map(_is_of_worker, keys))


def _is_of_worker(key: str) -> bool:
    components = catalog.known_anywhere(key)
    return "connect" in components and NO_WORKERS.isdisjoint(components) and key not in KEYS_OF_OTHERS


def _is_mirror(keys: Iterable[str]) -> bool:
    """Whether a key is of a flow between two clusters, `A->B.enabled`, or clusters are named, and an address of one."""
    if any("->" in key and _is_of_flow(key) for key in keys):
        return True
    return "clusters" in keys and any(key.endswith("bootstrap.servers") for key in keys)


def _is_of_flow(key: str) -> bool:
    """Whether a key is one that MirrorMaker has for a flow; code and SQL have arrows, too."""
    source, _, flow_key = key.partition("->")
    target, _, own_key = flow_key.partition(".")
    has_aliases = all(alias.translate(ALIAS_MARKS).isalnum() for alias in (source, target))
    return has_aliases and (own_key.startswith(tuple(CLIENTS)) or bool(catalog.known_anywhere(own_key)))


def is_of_others(kind: str, settings: Mapping[str, Setting]) -> bool:
    """Whether a file that looks like a client's, a topic's or a piece of a broker's is some other program's."""
    if kind == "broker":
        return _is_no_brokers(settings)
    if kind == "zookeeper":
        return 2 * sum(_is_of_zookeeper(key) for key in settings) < len(settings)
    if kind not in (*APPLICATIONS, "topic", OVERLAY) or settings.keys() & OLD_CLIENT:
        return False
    if kind == "streams" and settings.keys() & ADDRESSES:
        return False
    if any(key.startswith(CLIENT_APPS) for key in settings):
        return False
    names = [bare_key(kind, key, settings) for key in settings]
    known = [key for key in names if key in LIBRDKAFKA or catalog.known_anywhere(key)]
    telling = [key for key in known if _is_of_brokers(key) and not _is_word_for_people(key, settings)]
    if kind == OVERLAY and len(settings) == 1 and not telling:
        return True
    if len(known) == len(settings) or len(telling) >= TELLING or _is_template(settings):
        return False
    return not telling or 2 * len(known) < len(settings)


def is_of_raft_server(path: str, settings: Mapping[str, Setting]) -> bool:
    """Whether a file is what Kafka's own sources ship for TestRaftServer: voters, no role, the controllers' listener alone."""
    names = {key: setting.value for key, setting in settings.items() if key in OF_RAFT_SERVER}
    if not path.endswith(RAFT_SERVERS) or len(names) < len(OF_RAFT_SERVER) or settings.keys() & WHOLE_NODE:
        return False
    listeners = {row.partition("://")[0].strip() for row in names["listeners"].split(",")}
    return listeners == {name.strip() for name in names["controller.listener.names"].split(",")}


def _is_word_for_people(key: str, settings: Mapping[str, Setting]) -> bool:
    """Whether the one key without a dot that is Kafka's alone has a text for a value, as files of messages do."""
    setting = settings.get(key)
    return key == "acks" and setting is not None and setting.shape == LITERAL and setting.value[:1].isupper()


def _is_no_brokers(settings: Mapping[str, Setting]) -> bool:
    """Whether few keys of a file are Kafka's, and none of them Kafka's alone."""
    known = [key for key in settings if catalog.known_anywhere(key)]
    is_minority = len(known) < min(TELLING, len(settings)) or 2 * len(known) < len(settings)
    return is_minority and not any(_is_of_brokers(key) for key in known)


def _is_of_zookeeper(key: str) -> bool:
    return is_known(key) or key.startswith(NUMBERED_OR_FILLED)


def _is_of_brokers(key: str) -> bool:
    """Whether a key is Kafka's alone: every client of ZooKeeper has its address and its timeouts."""
    return is_telling(key) and not key.startswith("zookeeper.")


def bare_key(kind: str, key: str, settings: Mapping[str, Setting]) -> str:
    """A key without the prefix of one of the clients that Streams or an application makes."""
    resolved = without_prefix(kind, key, settings) if kind in APPLICATIONS else None
    return resolved[1] if resolved else key


def is_telling(key: str) -> bool:
    """Whether a key is Kafka's alone."""
    named = key in LIBRDKAFKA or catalog.known_anywhere(key)
    return bool(named) and (key == "acks" or ("." in key and key not in KEYS_OF_OTHERS))


def is_piece_of_node(kind: str, path: str, settings: Mapping[str, Setting]) -> bool:
    """Whether a node's file is put together with others: its name says so, or it is filled in and says its id or its roles alone."""
    if kind not in SERVER_KINDS or path.endswith(DELTA):
        return kind in SERVER_KINDS
    has_one = ("node.id" in settings) != ("process.roles" in settings)
    is_filled_in = any(setting.shape == PLACEHOLDER for setting in settings.values())
    return has_one and is_filled_in and settings.keys().isdisjoint(ELSEWHERE)


def fragment_of_file(kind: str, settings: Mapping[str, Setting]) -> str:
    """Who decides what a file of properties leaves out: fewer than two of a worker's own keys are a piece."""
    is_piece = kind == "connect" and len(settings.keys() & CONNECT) < TELLING
    return CODE if is_piece else fragment_of(kind, settings)


def fragment_of(kind: str, settings: Mapping[str, Setting]) -> str:
    """Who decides what the file leaves out, where it is a piece of a configuration; empty for a whole one."""
    if kind == OVERLAY:
        return PLATFORM
    if kind == "connect":
        is_engines = settings.keys() >= OF_ENGINE or not OF_REPLICATOR.isdisjoint(settings)
        return CODE if is_engines or not (settings.keys() & OF_WORKER or _is_template(settings)) else ""
    piece = kind in APPLICATIONS and not settings.keys() & ADDRESSES and not _is_template(settings)
    return CODE if piece else ""


def _is_template(settings: Mapping[str, Setting]) -> bool:
    return any(key[:1] in OPENERS for key in settings)


def _broker_or_client(settings: Mapping[str, Setting]) -> str | None:
    keys = settings.keys()
    server, producer, consumer = keys & SERVER, keys & PRODUCER, keys & CONSUMER
    if "listeners" in server and settings["listeners"].value.strip().lower().startswith("http"):
        server = server - {"listeners", "advertised.listeners"}
    if producer or consumer:
        server = server - SESSION
    elif "zookeeper.connect" in keys:
        return "admin" if "schema.registry.url" in keys and not server else "broker"
    if server and len(server) >= len(producer | consumer):
        return None if server <= SHARED and keys & TOPIC else "broker"
    if producer and consumer and bool(producer & SERIALIZERS) != bool(consumer & DESERIALIZERS):
        return "producer" if producer & SERIALIZERS else "consumer"
    if producer and consumer:
        return "client" if len(producer) > 1 and len(consumer) > 1 else _majority(settings)
    if producer or consumer:
        return "producer" if producer else "consumer"
    return "admin" if keys & CONNECTION else None


def _majority(settings: Mapping[str, Setting]) -> str:
    producer, consumer = settings.keys() & PRODUCER, settings.keys() & CONSUMER
    if {"key.serializer", "acks"} & producer and {"group.id", "key.deserializer"} & consumer:
        return "client"
    return "producer" if len(producer) >= len(consumer) else "consumer"


def _topic(settings: Mapping[str, Setting]) -> str | None:
    if settings.keys() & TOPIC:
        return "topic"
    return _by_catalog(settings)


def _of_several_clients(settings: Mapping[str, Setting]) -> str | None:
    """The kind of an application's file that names the client before each key."""
    bare = (bare_key("admin", key, settings) for key in settings if key.startswith(tuple(CLIENTS)))
    return "admin" if any(is_telling(key) for key in bare) else None


def _by_catalog(settings: Mapping[str, Setting]) -> str | None:
    """The kind whose catalog has most of the keys, for files without any typical key."""
    votes: dict[str, int] = {}
    for key in settings:
        for component in catalog.known_anywhere(key):
            votes[component] = votes.get(component, 0) + 1
    ranked = ("broker", "producer", "consumer", "admin", "topic", "connect", "streams")
    best = max(ranked, key=lambda kind: votes.get(kind, 0))
    return best if votes.get(best) else None


def family_of(kind: str, settings: Mapping[str, Setting]) -> str:
    """The client family: `librdkafka` where a client file has its keys, else `java`."""
    if kind not in ("producer", "consumer", "client", "admin"):
        return "java"
    keys = settings.keys()
    if keys & OLD_CLIENT or keys & JAVA:
        return "java"
    return "librdkafka" if keys & LIBRDKAFKA or any(key.startswith(("go.", "dotnet.")) for key in keys) else "java"


MIGRATION = "zookeeper.metadata.migration.enable"


def target_of(kind: str, settings: Mapping[str, Setting]) -> Target:
    """The Kafka version a file is for, inferred from its content."""
    newest = catalog.NEWEST
    if kind in SERVER_KINDS:
        if MIGRATION in settings:
            return Target(catalog.LAST_ZOOKEEPER, f"the last release that knows {MIGRATION}")
        if "process.roles" in settings:
            return Target(newest, "newest release: the file is for KRaft (process.roles)")
        key = next((key for key in settings if key.startswith("zookeeper.")), None)
        if key:
            bound = lower_bound(settings)
            if bound and bound > catalog.LAST_ZOOKEEPER:
                return Target(bound, "inter.broker.protocol.version is at least this")
            return Target(catalog.LAST_ZOOKEEPER, f"the last release that knows ZooKeeper ({key})")
    return Target(newest, "newest release: nothing in the files says otherwise")


def lower_bound(settings: Mapping[str, Setting]) -> Version | None:
    """The release that a broker's settings name as that of its protocol, which is at most its own."""
    bound = settings.get("inter.broker.protocol.version")
    try:
        from advisor.catalog.target import release_of

        return release_of(bound.value)[0] if bound else None
    except ValueError:
        return None


def make_entity(shown: str, kind: str, settings: dict[str, Setting], target: Target | None) -> Entity:
    """An entity of the settings of one file, or one part of a file."""
    protect(kind, settings)
    target = target or target_of(kind, settings)
    family = family_of(kind, settings)
    name = _name(kind, shown, settings)
    if kind in SERVER_KINDS:
        fragment = PLATFORM if kind == OVERLAY else ""
        return Broker(kind, name, shown, settings, target, fragment=fragment)
    source = DYNAMIC_TOPIC if kind == "topic" else CLIENT_FILE
    for setting in settings.values():
        setting.source = source
    entity_class: Callable[..., Entity] = {"topic": Topic, "zookeeper": ZooKeeperEnsemble}.get(kind, Client)
    return entity_class(kind, name, shown, settings, target, family)


def _name(kind: str, shown: str, settings: dict[str, Setting]) -> str:
    if kind in SERVER_KINDS:
        id = settings.get("node.id") or settings.get("broker.id")
        if id is not None and is_whole_number(id.value.strip()):
            return id.value.strip()
    return shown.rpartition("/")[2]


HOCON_SYNTAX = frozenset('$"{}[]:=,+#`^?!@*&\\')
"""Characters that HOCON takes for text only between quotes."""


def is_hocon(name: str, settings: Mapping[str, Setting]) -> bool:
    """Whether settings are of a file of HOCON: with objects and arrays, or a .conf that quotes what it has to."""
    if any(_opens_object(setting.value) for setting in settings.values()):
        return True
    lines = [setting.quoted for setting in settings.values() if setting.quoted and not setting.secret]
    values = [line.partition("=")[2].strip() for line in lines]
    bare = [value for value in values if not (len(value) > 1 and value[0] == value[-1] == '"')]
    return name.endswith(".conf") and len(bare) < len(values) and HOCON_SYNTAX.isdisjoint("".join(bare))


def _opens_object(value: str) -> bool:
    """Whether a value begins an object or an array that goes on in other lines."""
    text = value.strip()
    return text in ("{", "[") or (text.startswith("{ ") and "=" in text and "}" not in text)
