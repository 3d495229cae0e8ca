"""Spring Boot's properties: `spring.kafka` becomes the producer, consumer, admin and streams that it configures.

Only bound fields take effect; others are dropped without a word. Source: KafkaProperties, relaxed binding, Spring Kafka.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.catalog.spelling import closest
from advisor.model import Spelling
from collectors.files.block import Block, deployment, text_of
from collectors.files.frameworks.dotted_properties import Flat
from collectors.files.frameworks.spring_cloud_stream import binder_blocks, stream_blocks
from collectors.files.frameworks.spring_values import YAML_SWITCHES, in_bytes, in_milliseconds, resolve, switch, word
from collectors.files.names import key_of

FORMAT_NAME = "spring-boot"
ROOT, STREAM = "spring.kafka.", "spring.cloud.stream."
PROPERTIES = "properties."
COMMON = {"bootstrapservers": "bootstrap.servers", "clientid": "client.id", "security.protocol": "security.protocol"}
SSL = {
    f"ssl.{field}": f"ssl.{key}"
    for field, key in {
        "keystorelocation": "keystore.location", "keystorepassword": "keystore.password", "keystoretype": "keystore.type",
        "keypassword": "key.password", "truststorelocation": "truststore.location", "protocol": "protocol",
        "truststorepassword": "truststore.password", "truststoretype": "truststore.type", "keystorekey": "keystore.key",
        "keystorecertificatechain": "keystore.certificate.chain", "truststorecertificates": "truststore.certificates",
    }.items()
}  # fmt: skip
BOUND: dict[str, dict[str, str]] = {
    "producer": {
        "acks": "acks", "batchsize": "batch.size", "buffermemory": "buffer.memory", "compressiontype": "compression.type",
        "keyserializer": "key.serializer", "valueserializer": "value.serializer", "retries": "retries",
        "transactionidprefix": "transactional.id",
    },
    "consumer": {
        "autocommitinterval": "auto.commit.interval.ms", "autooffsetreset": "auto.offset.reset",
        "enableautocommit": "enable.auto.commit", "fetchmaxwait": "fetch.max.wait.ms", "fetchminsize": "fetch.min.bytes",
        "groupid": "group.id", "heartbeatinterval": "heartbeat.interval.ms", "isolationlevel": "isolation.level",
        "keydeserializer": "key.deserializer", "valuedeserializer": "value.deserializer",
        "maxpollrecords": "max.poll.records", "maxpollinterval": "max.poll.interval.ms",
    },
    "admin": {},
    "streams": {
        "applicationid": "application.id", "replicationfactor": "replication.factor", "statedir": "state.dir",
        "statestorecachemaxsize": "statestore.cache.max.bytes",
    },
}  # fmt: skip
"""Fields of each section beside the common ones, without hyphens, and the setting that each becomes."""
STRINGS = "org.apache.kafka.common.serialization.String"
DESCRIBED: dict[str, dict[str, str | None]] = {
    "producer": {"key.serializer": f"{STRINGS}Serializer", "value.serializer": f"{STRINGS}Serializer"},
    "consumer": {
        "enable.auto.commit": "false",
        "key.deserializer": f"{STRINGS}Deserializer", "value.deserializer": f"{STRINGS}Deserializer",
    },
    "client": {"enable.auto.commit": "false"},
}  # fmt: skip
"""What Spring Boot and the containers of its listeners set where nothing else does."""
OWN_OF_SPRING = {
    "admin": ("failfast", "autocreate", "modifytopicconfigs", "closetimeout", "operationtimeout"),
    "streams": ("autostartup", "cleanup."),
    "producer": (), "consumer": (),
}  # fmt: skip
OTHER_SECTIONS = ("listener.", "template.", "jaas.", "retry.", "security.", "ssl.", "bootstrapservers", "clientid")
DURATIONS = ("auto.commit.interval.ms", "fetch.max.wait.ms", "heartbeat.interval.ms", "max.poll.interval.ms")
SIZES = ("batch.size", "buffer.memory", "fetch.min.bytes", "statestore.cache.max.bytes")
WORDS = ("isolation.level", "auto.offset.reset")
COMPONENTS = {"producer": ("producer",), "consumer": ("consumer",), "admin": ("admin",), "streams": ("streams",)}


def is_kafkas(row: Flat) -> bool:
    """Whether a property is one of Spring Boot's for Kafka or of Spring Cloud Stream's."""
    return canonical(row[0]).startswith((ROOT, STREAM))


def canonical(name: str) -> str:
    """A name as relaxed binding compares it, up to `properties.`, whose keys are taken as they are."""
    head, dot, kafka_key = name.replace("properties[", "properties.[").partition(f".{PROPERTIES}")
    plain = head.replace("-", "").replace("_", "").lower()
    return f"{plain}{dot}{kafka_key.replace('[', '').replace(']', '')}" if dot else plain


def clients(flat: Sequence[Flat], profile: str, file: str) -> list[Block]:
    """The clients that properties configure, and a deployment with those that nothing binds."""
    by_name = {canonical(name): (name, key, value) for name, key, value in flat}
    kafka = {name[len(ROOT) :]: row for name, row in by_name.items() if name.startswith(ROOT)}
    kinds = [kind for kind in BOUND if any(name.startswith(f"{kind}.") for name in kafka)]
    if "consumer" not in kinds and any(name.startswith("listener.") for name in kafka):
        kinds.append("consumer")
    facts = deployment(f"application{f' {profile}' if profile else ''}", FORMAT_NAME, file)
    kafka_blocks = [_client(kind, kafka, profile, file, facts) for kind in kinds]
    streams: list[Block] = []
    if any(name.startswith(STREAM) for name in by_name):
        streams += stream_blocks(list(by_name.values()), lambda kind: _boots(kind, kafka, profile, file), profile)
        streams += binder_blocks(list(by_name.values()), lambda rows: clients(rows, profile, file))
    if not kinds and kafka and not streams:
        kafka_blocks = [_client("client", kafka, profile, file, facts)]
    _acknowledgement(facts, kafka, kafka_blocks)
    for name, row in kafka.items():
        if not name.startswith((*(f"{kind}." for kind in BOUND), *OTHER_SECTIONS, PROPERTIES)):
            _unbound(facts, name, row, "client")
    kafka_blocks = [block for block in (*kafka_blocks, *streams) if block.settings]
    return [*kafka_blocks, facts] if kafka_blocks or facts.settings else []


def _acknowledgement(facts: Block, kafka: dict[str, Flat], kafka_blocks: Sequence[Block]) -> None:
    """Add who commits where both say it: the listeners' code, and the consumer on a timer."""
    row = kafka.get("listener.ackmode")
    consumer = next((block for block in kafka_blocks if block.kind == "consumer"), None)
    commit = consumer.settings.get("enable.auto.commit") if consumer is not None else None
    if row is not None and commit is not None:
        facts.set("ack.mode", word(resolve(text_of(row[2]))), row[1], row[2], row[0])
        facts.translate("auto.commit", commit.value, row[1], commit.written or ROOT)


def _boots(kind: str, kafka: dict[str, Flat], profile: str, file: str) -> Block:
    """A client of another framework that begins with Spring Boot's properties; what is unbound is said elsewhere."""
    return _client(kind, kafka, profile, file, deployment("", FORMAT_NAME, file))


def _client(kind: str, kafka: dict[str, Flat], profile: str, file: str, facts: Block) -> Block:
    block = Block(kind, f"{kind}{f' {profile}' if profile else ''}", FORMAT_NAME, file)
    block.spelling = _spelling(kind)
    fields = {**COMMON, **SSL}
    for name, row in kafka.items():
        if name in fields:
            _put(block, fields[name], row)
        elif name.startswith(PROPERTIES):
            _put(block, name[len(PROPERTIES) :], row)
    own = Block(kind, block.name, FORMAT_NAME, file)
    for name, row in kafka.items():
        if name.startswith(f"{kind}."):
            _put_own(own, kind, name[len(kind) + 1 :], row, facts)
    block.settings |= own.settings
    if kind == "streams" and "application.id" not in block.settings:
        block.fragment = "spring.application.name, or the code, says it"
    if kind in DESCRIBED:
        block.described, block.platform = DESCRIBED[kind], "Spring Kafka"
    return block


def _put_own(block: Block, kind: str, name: str, row: Flat, facts: Block) -> None:
    """A field of a client's own section: bound, one of Kafka's under `properties`, Spring's own, or nothing."""
    fields = {**COMMON, **SSL, **BOUND[kind]}
    if name in fields:
        _put(block, fields[name], row)
    elif name.startswith(PROPERTIES):
        _put(block, name[len(PROPERTIES) :], row)
    elif not name.startswith((*OWN_OF_SPRING[kind], "ssl.", "security.", "jaas.")):
        _unbound(facts, name, row, kind)
        if name.startswith("bootstrapserver"):
            block.translate("bootstrap.servers", "localhost:9092", row[1], row[0])


def _unbound(facts: Block, name: str, row: Flat, kind: str) -> None:
    """A property that stands where Spring Boot looks for its own: a key of Kafka's, or a misspelled field; others are the application's."""
    components = COMPONENTS.get(kind, ("producer", "consumer", "admin"))
    key = key_of(name, components) or key_of(f"{name}s", components)
    fields = {**COMMON, **SSL, **BOUND.get(kind, {})}
    near = closest(name, fields) if key is None else None
    if near is not None:
        place = fields[near].replace(".", "-").removesuffix("-ms")
    elif key is not None:
        place = "bootstrap-servers" if key == "bootstrap.servers" else f"{PROPERTIES}{key}"
    else:
        return
    facts.set(f"unbound.{place}", text_of(row[2]), row[1], row[2], row[0])


def _put(block: Block, key: str, row: Flat) -> None:
    name, key_node, value_node = row
    text = resolve(text_of(value_node))
    if key in DURATIONS:
        text = in_milliseconds(text)
    elif key in SIZES:
        text = in_bytes(text)
    elif key in WORDS:
        text = word(text)
    elif key == "enable.auto.commit" or (value_node.plain and text in YAML_SWITCHES):
        text = switch(text)
    block.set(key, text, key_node, value_node, name)


def _spelling(kind: str) -> Spelling:
    section = f"{ROOT}{kind}." if kind in BOUND else ROOT
    names = {"bootstrap.servers": f"{ROOT}bootstrap-servers", "security.protocol": f"{ROOT}security.protocol"}
    for key in BOUND.get(kind, {}).values():
        names[key] = section + key.replace(".", "-").removesuffix("-ms")
    return Spelling(f"{section}{PROPERTIES}", names=names)
