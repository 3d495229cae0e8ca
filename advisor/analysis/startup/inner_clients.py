"""The clients that a Streams application and a Connect worker make of their settings, each judged as a client."""

from __future__ import annotations

from copy import copy

from advisor import catalog
from advisor.analysis.literal_entities import setting
from advisor.analysis.startup.values import number, text
from advisor.analysis.startup.verdict import StartupVerdict, replaced, with_key
from advisor.catalog.keys import STREAMS_CONSUMER, STREAMS_PRODUCER, is_connector
from advisor.model import CLIENT_FILE, Client

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from advisor.analysis.startup.verdict import Row
    from advisor.config import Config
    from advisor.model import Entity, Setting
    from advisor.model.finding import Finding

BYTES = "org.apache.kafka.common.serialization.ByteArray"
SERIALIZERS = {f"{part}.serializer": f"{BYTES}Serializer" for part in ("key", "value")}
DESERIALIZERS = {f"{part}.deserializer": f"{BYTES}Deserializer" for part in ("key", "value")}
BOOTSTRAP, GUARANTEE, THREADS = "bootstrap.servers", "processing.guarantee", "num.stream.threads"
PROTOCOL = "group.protocol"
COMMON = "consumer."
PREFIXES = (COMMON, "main.consumer.", "restore.consumer.", "global.consumer.", "producer.", "admin.")
EXACTLY_ONCE = {
    "delivery.timeout.ms": "2147483647",
    "enable.idempotence": "true",
    "transaction.timeout.ms": "10000",
    "transactional.id": "app",
}
"""Of a producer, where Streams processes exactly once; the transactional id is made up as the producer is made."""
OWN_OF_PRODUCER = ("enable.idempotence", "transactional.id")
OLD_TRANSACTIONS = ("exactly_once",)
"""The guarantee with a producer for each task, none of which is made by the start."""
CHECKS_EACH_CONSUMER = (4, 2)
"""The first release that keeps its own values of a consumer against main.consumer. and the like, too."""
OWN_PROTOCOL = (4, 0)
"""The first release whose consumers keep the classic protocol."""


class InnerClient:
    """A client within: its entity, the key of the file that each of its settings comes from, whether the start makes it."""

    __slots__ = ("entity", "keys", "made", "prefix")

    def __init__(self, kind: str, outer: Entity, prefix: str) -> None:
        self.prefix = prefix
        self.made = True
        self.entity = Client(kind, outer.name, outer.file, {}, outer.target)
        self.keys: dict[str, str] = {}

    def take(self, outer: Mapping[str, Setting], prefix: str, names: Iterable[str] | None = None) -> None:
        """Take over the settings with the prefix, those of `names` alone."""
        for key in outer:
            name = key.removeprefix(prefix)
            if key.startswith(prefix) and name and (names is None or name in names):
                copied = self.entity.settings[name] = copy(outer[key])
                copied.key = name
                self.keys[name] = key

    def put(self, settings: Mapping[str, str]) -> None:
        """Set what the application sets itself."""
        for name, value in settings.items():
            self.entity.settings[name] = setting(name, value, CLIENT_FILE)
            self.keys.pop(name, None)

    def drop(self, *names: str) -> None:
        """Leave settings out."""
        for name in names:
            self.entity.settings.pop(name, None)

    def concerns(self, finding: Finding) -> bool:
        """Whether a change is one of the file's: what Streams sets itself is not a change."""
        return finding.key in self.keys or finding.key not in self.entity.settings

    def in_file(self, rows: Iterable[Row]) -> Iterator[Row]:
        """What was said of this client, with the keys of the file."""
        return (with_key(row, self.keys.get(row.key or "", self.prefix + (row.key or ""))) for row in rows)


def inner_clients(config: Config) -> list[InnerClient]:
    """The clients that the start of a Streams application or a worker makes."""
    if config.entity.kind == "connect":
        return [] if is_connector(config.entity) else [worker_admin(config)]
    if config.entity.kind != "streams":
        return []
    main, restore, producer = main_consumer(config), restore_consumer(config), streams_producer(config)
    glob = restore_consumer(config, "global.consumer.")
    glob.made = False
    main.made = restore.made = (number(config, THREADS) or 0) > 0
    producer.made = main.made and text(config, GUARANTEE) not in OLD_TRANSACTIONS
    return [streams_admin(config), main, restore, glob, producer]


def worker_admin(config: Config) -> InnerClient:
    """A worker looks up its cluster with all that its file holds."""
    admin = InnerClient("admin", config.entity, "")
    admin.take(config.settings, "", catalog.definitions("admin", config.version))
    return admin


def exactly_once(config: Config) -> bool:
    """Whether the application processes exactly once."""
    return text(config, GUARANTEE).startswith("exactly_once")


def streams_admin(config: Config) -> InnerClient:
    """The admin client of Streams."""
    admin = InnerClient("admin", config.entity, "admin.")
    admin.take(config.settings, "", catalog.definitions("admin", config.version))
    admin.take(config.settings, "admin.")
    return admin


def streams_producer(config: Config) -> InnerClient:
    """The producer of a stream thread."""
    producer = InnerClient("producer", config.entity, "producer.")
    producer.put(STREAMS_PRODUCER | (EXACTLY_ONCE if exactly_once(config) else {}))
    producer.take(config.settings, "", catalog.definitions("producer", config.version))
    producer.take(config.settings, "producer.")
    producer.put(SERIALIZERS)
    if exactly_once(config):
        producer.put({name: EXACTLY_ONCE[name] for name in OWN_OF_PRODUCER})
    take_bootstrap(producer, config)
    return producer


def common_consumer(config: Config, prefix: str) -> InnerClient:
    """What the consumers of Streams have in common, and what stands with a consumer's own prefix."""
    consumer = InnerClient("consumer", config.entity, prefix)
    consumer.put(STREAMS_CONSUMER)
    names = catalog.definitions("consumer", config.version)
    streams_definitions = catalog.definitions("streams", config.version)
    consumer.take(config.settings, "", [name for name in names if name != PROTOCOL or name not in streams_definitions])
    consumer.take(config.settings, "consumer.")
    keep_own(consumer, config)
    if exactly_once(config):
        consumer.put({"isolation.level": "read_committed"})
    consumer.take(config.settings, prefix)
    if config.version >= CHECKS_EACH_CONSUMER:
        keep_own(consumer, config)
    consumer.put(DESERIALIZERS)
    take_bootstrap(consumer, config)
    return consumer


def keep_own(consumer: InnerClient, config: Config) -> None:
    """Streams commits itself, and reads what is committed where it processes exactly once."""
    consumer.put({"enable.auto.commit": "false"})
    if config.version >= OWN_PROTOCOL:
        consumer.put({PROTOCOL: "classic"})
    if config.version >= CHECKS_EACH_CONSUMER:
        consumer.put({"allow.auto.create.topics": "false"})


def main_consumer(config: Config) -> InnerClient:
    """The consumer of a stream thread."""
    consumer = common_consumer(config, "main.consumer.")
    assignor = "org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor"
    if config.version < CHECKS_EACH_CONSUMER:
        consumer.put({"allow.auto.create.topics": "false"})
    member = consumer.entity.settings.get("group.instance.id")
    if member is not None:
        consumer.put({"group.instance.id": f"{member.value}-0"})
    consumer.put({"partition.assignment.strategy": assignor, "group.id": text(config, "application.id")})
    return consumer


def restore_consumer(config: Config, prefix: str = "restore.consumer.") -> InnerClient:
    """The consumer that restores state stores, or that of the global tables, which only some applications have."""
    consumer = common_consumer(config, prefix)
    consumer.drop("group.id", "group.instance.id")
    consumer.put({"auto.offset.reset": "none"})
    return consumer


def take_bootstrap(client: InnerClient, config: Config) -> None:
    """bootstrap.servers is that of the application, whatever stands with a prefix."""
    if BOOTSTRAP in config.settings:
        client.take({BOOTSTRAP: config.settings[BOOTSTRAP]}, "")


def add(verdict: StartupVerdict, judged: Sequence[tuple[InnerClient, StartupVerdict]]) -> None:
    """Take over what was said of the inner clients that the start makes."""
    for client, inner in judged:
        verdict.reasons += client.in_file(inner.reasons)
        verdict.unknown += client.in_file(inner.unknown)
    verdict.changed += inner_changes(judged, {finding.key for finding in verdict.changed})


def inner_changes(judged: Sequence[tuple[InnerClient, StartupVerdict]], before: set[str | None]) -> Iterator[Finding]:
    """What the clients change themselves and was not changed before; what all consumers change has their common prefix."""
    consumers = [inner for client, inner in judged if client.entity.kind == "consumer"]
    alike = (
        set.intersection(*({finding.key for finding in inner.changed} for inner in consumers)) if consumers else set()
    )
    for client, inner in judged:
        for finding in (row for row in inner.changed if client.concerns(row) and row.key not in before):
            key, common = finding.key or "", client.entity.kind == "consumer" and finding.key in alike
            yield with_key(finding, client.keys.get(key, (COMMON if common else client.prefix) + key))


def unused_settings(config: Config, clients: Sequence[InnerClient]) -> Iterator[Finding]:
    """Settings with a client's prefix whose value none of the clients with that prefix goes on with."""
    for prefix in PREFIXES if config.entity.kind == "streams" else ():
        takers = [
            client.entity.settings
            for client in clients
            if client.prefix == prefix or (prefix == COMMON and client.prefix.endswith(COMMON))
        ]
        for key in (key for key in config.settings if key.startswith(prefix)):
            name, written = key.removeprefix(prefix), config.settings[key]
            used = [taker[name].value if name in taker else None for taker in takers]
            if known(name, config) and written.value.strip() not in [value and value.strip() for value in used]:
                yield replaced(key, "not used: Streams sets its own", used[0], written.shown)


def known(name: str, config: Config) -> bool:
    """Whether the key is one of a client's, whose value is compared; Streams only lengthens the names of clients."""
    return any(name in catalog.definitions(kind, config.version) for kind in ("producer", "consumer", "admin"))
