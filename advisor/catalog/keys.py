"""Find the definition of a key: components, synonyms, other spellings, prefixes of other components."""

from __future__ import annotations

from advisor import catalog
from advisor.cache import cached
from advisor.catalog import ADDRESS, FREE_TEXT, HARMLESS, TYPED, Definition, undocumented

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from advisor.model import Entity, Setting, Version

    Resolved = tuple[tuple[str, ...], str]
    """The components that may define a key, and the key without its prefix."""

OPENERS = ("$", "{", "<", "@", "%")
"""What a key begins with that a template fills in: it may become any key."""
COMPONENTS = {
    "broker": ("broker", "remote-log-manager", "authorizer"),
    "controller": ("broker", "remote-log-manager", "authorizer"),
    "combined": ("broker", "remote-log-manager", "authorizer"),
    "broker-overlay": ("broker", "remote-log-manager", "authorizer"),
    "producer": ("producer",),
    "consumer": ("consumer",),
    "admin": ("admin",),
    "client": ("producer", "consumer", "admin"),
    "topic": ("topic", "topic-creation"),
    "connect": ("connect", "connect-source", "connect-sink", "connector", "override-policy"),
    "connect-standalone": ("connect-standalone", "connect-source", "connect-sink", "override-policy"),
    "connector": ("connect-source", "connect-sink", "connector"),
    "streams": ("streams", "consumer", "producer", "admin"),
    "mirror": ("mm2-connector", "mm2-source", "mm2-checkpoint", "mm2-heartbeat", "mirror", "connect"),
    "zookeeper": ("zookeeper",),
    "librdkafka": ("librdkafka",),
    "group": (),
    "quorum": ("broker",),
    "ensemble": ("zookeeper",),
    "deployment": ("deployment",),
}
"""Where the definitions of a subject's keys are looked up, first found wins."""
SYNONYMS = {
    "log.retention.ms": (("log.retention.minutes", 60_000), ("log.retention.hours", 3_600_000)),
    "log.roll.ms": (("log.roll.hours", 3_600_000),),
    "log.roll.jitter.ms": (("log.roll.jitter.hours", 3_600_000),),
    "log.flush.interval.ms": (("log.flush.scheduler.interval.ms", 1),),
    "log.dirs": (("log.dir", 1),),
    "node.id": (("broker.id", 1),),
    "broker.id": (("node.id", 1),),
    "advertised.listeners": (("listeners", 1),),
    "metadata.log.dir": (("log.dirs", 1), ("log.dir", 1)),
}
"""Keys that another key stands in for when they are not set, and how many of its units one of the other's is."""
ALIASES = {
    "bootstrap.servers": "metadata.broker.list",
    "max.in.flight.requests.per.connection": "max.in.flight",
    "sasl.mechanism": "sasl.mechanisms",
    "max.partition.fetch.bytes": "fetch.message.max.bytes",
    "linger.ms": "queue.buffering.max.ms",
    "retries": "message.send.max.retries",
    "compression.type": "compression.codec",
    "acks": "request.required.acks",
    "delivery.timeout.ms": "message.timeout.ms",
}
"""librdkafka's other spelling of a Java key."""
TAGS = "client.tag."
"""How the keys of a Streams application begin that say where it runs."""
OF_PROVIDERS = "config.providers."
"""What the settings of configuration providers begin with, which Kafka reads without defining them (KIP-421)."""
NUMBERED = (("server.", ADDRESS), ("group.", HARMLESS), ("weight.", HARMLESS), ("authProvider.", HARMLESS))
"""How ZooKeeper's keys begin that end on a number."""
_definitions: dict[tuple[str, Version, str], Definition] = {}
_undocumented = frozenset(key for table in undocumented.COMPONENTS.values() for key in table)
_value_classes: dict[str, str] = {}
WORDS_OF_KEY = 10
"""Words of a key that are looked at."""


def definition(component: str, version: Version, key: str) -> Definition | None:
    """Look up a definition, cached so that equal definitions are one object."""
    cache_key = (component, version, key)
    if cache_key in _definitions:
        return _definitions[cache_key]
    if component in undocumented.COMPONENTS:
        row = undocumented.COMPONENTS[component].get(key)
        own_definition = None if row is None else Definition(key, row)
    else:
        own_definition = catalog.lookup(component, version, key)
    if own_definition is not None:
        _definitions[cache_key] = own_definition
    return own_definition


def first_definition(components: tuple[str, ...], key: str, version: Version) -> Definition | None:
    """The definition of a key in the first of the components that has it."""
    return _first_definition(components, key, version) if is_known(key) else None


@cached(20_000)
def _first_definition(components: tuple[str, ...], key: str, version: Version) -> Definition | None:
    candidates = (definition(component, version, key) for component in components)
    return next((candidate for candidate in candidates if candidate), None)


def is_known(key: str) -> bool:
    """Whether any version of any component has or had the key."""
    return bool(catalog.known_anywhere(key)) or key in _undocumented


def value_class(kind: str, key: str, settings: Mapping[str, Setting]) -> str | None:
    """What a key's value is made of: ADDRESS, PRINCIPAL, HARMLESS, FREE_TEXT, PASSWORD, TYPED; None for a stranger."""
    prefix = next((each for each in STREAMS_OF_SERVERS if key.startswith(each)), None)
    if prefix is not None:
        kind, key = "streams", key[len(prefix) :]
    if kind == "deployment" and (key in undocumented.DEPLOYMENT or key.startswith(undocumented.NAMED)):
        return FREE_TEXT if key in undocumented.FREE_TEXTS else HARMLESS
    own_class = _value_class(_of_variable(key) if kind == "deployment" and key.startswith(SPELLED) else key)
    if own_class is None and kind in PREFIXES:
        resolved = without_prefix(kind, key, settings)
        own_class = _value_class(resolved[1]) if resolved else None
    if own_class is None and kind == "zookeeper" and key.rpartition(".")[2].isdigit():
        return next((name for prefix, name in NUMBERED if key.startswith(prefix)), None)
    if own_class is None and kind == "streams" and key.startswith(TAGS):
        return HARMLESS
    if own_class is None and key.startswith(OF_PROVIDERS) and key.endswith(".class"):
        return HARMLESS
    return own_class or _value_class_of_tail(key)


SPELLED = "spelled."
"""What a fact begins with that names the variable which an image would take for the one that is set."""


def _of_variable(fact: str) -> str:
    """The key that such a variable sets."""
    return fact.removeprefix(SPELLED).lower().replace("_", ".").removeprefix("kafka.").removeprefix("cfg.")


def _value_class_of_tail(key: str) -> str | None:
    """The class of a client's key of two words or more that a plug-in takes with a prefix of its own."""
    words = key.split(".", WORDS_OF_KEY)
    tails = (".".join(words[first:]) for first in range(1, len(words) - 1))
    return next((_value_classes[tail] for tail in tails if tail in _value_classes), None)


def _value_class(key: str) -> str | None:
    if not _value_classes:
        from advisor.catalog.history import index

        classes: dict[str, str] = {}
        for name, keys in index.KEYS_BY_VALUE_CLASS.items():
            classes.update(dict.fromkeys(keys.split(), name))
        _value_classes.update(classes)
    return _value_classes.get(key) or (TYPED if is_known(key) else None)


def component_of(entity: Entity) -> str:
    """The row of COMPONENTS for an entity."""
    if entity.family == "librdkafka":
        return "librdkafka"
    if entity.kind == "connect" and "offset.storage.file.filename" in entity.settings:
        return "connect-standalone"
    return "connector" if is_connector(entity) else entity.kind


def client_key(key: str) -> str | None:
    """The key of the client that a worker makes of one with the client's prefix, which is judged of that client."""
    resolved = None if key.startswith(ADMIN_LISTENERS) else _by_table(CLIENTS, key)
    return resolved[1] if resolved and resolved[1] not in JUDGED_OF_WORKERS and is_known(resolved[1]) else None


def is_connector(entity: Entity) -> bool:
    """Whether an entity is a connector: its settings are its own class's beside Connect's, and no worker's."""
    return entity.kind == "connect" and "connector.class" in entity.settings


CLIENTS: dict[str, tuple[str, ...]] = {"producer.": ("producer",), "consumer.": ("consumer",), "admin.": ("admin",)}
JUDGED_OF_WORKERS = frozenset(("acks", "security.protocol", "interceptor.classes"))
"""Settings of its clients that rules judge of the worker itself, as they do those that hold secrets."""
OVERRIDES = {f"{prefix}override.": components for prefix, components in CLIENTS.items()}
"""A connector's own settings of its clients (KIP-458); MirrorMaker hands those of A->B to its connectors."""
STREAMS_CONSUMER = {"max.poll.records": "1000", "auto.offset.reset": "earliest", "enable.auto.commit": "false"}
"""What Streams sets for its consumers where nobody else does."""
STREAMS_PRODUCER = {"linger.ms": "100"}
"""What Streams sets for its producers."""
OWN_DEFAULTS: dict[str, dict[str, str]] = {
    "streams": STREAMS_CONSUMER | STREAMS_PRODUCER,
    "connect": {"auto.offset.reset": "earliest"},
}
"""The defaults of clients that are made by what the file is about. Sources: StreamsConfig, org.apache.kafka.connect.runtime.Worker."""
OF_APPLICATIONS: dict[str, tuple[str, ...]] = {**CLIENTS, "client.": ("producer", "consumer", "admin")}
"""What the keys begin with that an application keeps of each of its clients, and of all, as Confluent's REST Proxy does."""
HTTPS: dict[str, tuple[str, ...]] = {"listeners.https.": ("connect",), "admin.listeners.https.": ("connect",)}
"""The TLS settings of a worker's REST listeners (KIP-208, KIP-495), which stand in for those without the prefix."""
STREAMS: dict[str, tuple[str, ...]] = {
    **CLIENTS,
    "main.consumer.": ("consumer",),
    "restore.consumer.": ("consumer",),
    "global.consumer.": ("consumer",),
    "topic.": ("topic",),
}
MIRROR = (
    "mm2-connector",
    "mm2-source",
    "mm2-checkpoint",
    "mm2-heartbeat",
    "mirror",
    "connect",
    "producer",
    "consumer",
    "admin",
)
STREAMS_OF_SERVERS = ("ksql.streams.", "confluent.controlcenter.streams.")
"""What the keys of ksqlDB and Control Center begin with that they hand to their Streams applications."""
LISTENER = "listener.name."
CREATION = "topic.creation."
"""What the settings of the groups of topics begin with that a source connector creates (KIP-158)."""
ADMIN_LISTENERS = "admin.listeners"
"""A worker's own, no setting of its admin client."""


def without_prefix(kind: str, key: str, settings: Mapping[str, Setting]) -> Resolved | None:
    """The components that may define the key and the key without its prefix; None where it has none."""
    return PREFIXES[kind](key, settings)


def _listener(key: str, _: object) -> Resolved | None:
    if not key.startswith(LISTENER):
        return None
    own_key = key[len(LISTENER) :].partition(".")[2]
    _, dot, behind = own_key.partition(".")
    if dot and behind.startswith(("sasl.", "connections.max.reauth")):
        return ("broker",), behind
    return ("broker",), own_key


def _worker(key: str, settings: Mapping[str, Setting]) -> Resolved | None:
    if key.startswith(CREATION):
        group_key = key[len(CREATION) :].partition(".")[2]
        return (("topic", "topic-creation"), group_key) if group_key not in ("", "include", "exclude") else None
    if "connector.class" in settings and (resolved := _by_table(OVERRIDES, key)):
        return resolved
    return _by_table(HTTPS, key) or (None if key.startswith(ADMIN_LISTENERS) else _by_table(CLIENTS, key))


def _streams(key: str, _: object) -> Resolved | None:
    return _by_table(STREAMS, key)


def _application(key: str, _: object) -> Resolved | None:
    resolved = None if catalog.known_anywhere(key) else _by_table(OF_APPLICATIONS, key)
    if resolved is None or set(resolved[0]).isdisjoint(catalog.known_anywhere(resolved[1])):
        return None
    return resolved


def _by_table(table: Mapping[str, tuple[str, ...]], key: str) -> Resolved | None:
    for prefix, components in table.items():
        if key.startswith(prefix):
            return components, key[len(prefix) :]
    return None


def _mirror(key: str, settings: Mapping[str, Setting]) -> Resolved | None:
    head, dot, own_key = key.partition(".")
    if not dot or (not is_alias(head, settings) and "->" not in head):
        return _by_table(HTTPS, key) or _by_table(CLIENTS, key)
    overrides = _by_table(OVERRIDES, own_key) if "->" in head else None
    return overrides or _by_table(CLIENTS, own_key) or (MIRROR, own_key)


def aliases(settings: Mapping[str, Setting]) -> tuple[str, ...]:
    """MirrorMaker's names of its clusters."""
    clusters = settings.get("clusters")
    return tuple(_aliases(clusters.value)) if clusters else ()


@cached(8)
def _aliases(text: str) -> dict[str, None]:
    return {name.strip(): None for name in text.split(",") if name.strip()}


def is_alias(name: str, settings: Mapping[str, Setting]) -> bool:
    """Whether MirrorMaker has a cluster of that name."""
    clusters = settings.get("clusters")
    return clusters is not None and name in _aliases(clusters.value)


PREFIXES = {
    "broker": _listener,
    "controller": _listener,
    "combined": _listener,
    "broker-overlay": _listener,
    "connect": _worker,
    "streams": _streams,
    "mirror": _mirror,
    "producer": _application,
    "consumer": _application,
    "client": _application,
    "admin": _application,
}
