"""Spring Cloud Stream's Kafka binder: the clients of its bindings, over those that `spring.kafka` configures.

Source: the binder's configuration options, and BindingUtils.createProducerConfigs and createConsumerConfigs: required-acks
lies under Boot's properties, over them configuration, then producer-properties or consumer-properties, then the binding's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from advisor.model import DEPLOYMENT, Spelling
from collectors.files.block import Block
from collectors.files.frameworks.dotted_properties import Flat, put, put_shared
from collectors.files.frameworks.spring_bindings import BINDING, MOST_DOTS, ROOT, Application, plain_part, with_ports

FORMAT_NAME = "spring-cloud-stream"
PLATFORM = "Spring Cloud Stream"
ARRAYS = "org.apache.kafka.common.serialization.ByteArray"
DESCRIBED: dict[str, dict[str, str | None]] = {
    "producer": {
        "compression.type": "none", "linger.ms": "0", "batch.size": "16384",
        "key.serializer": f"{ARRAYS}Serializer", "value.serializer": f"{ARRAYS}Serializer",
    },
    "consumer": {
        "enable.auto.commit": "false", "auto.offset.reset": "earliest", "group.id": "${spring.cloud.stream.bindings}",
        "key.deserializer": f"{ARRAYS}Deserializer", "value.deserializer": f"{ARRAYS}Deserializer",
    },
}  # fmt: skip
"""What the binder sets where nothing else does; a consumer with a group begins at the start."""
REFUSED = {"enable.auto.commit": ("true",), "group.id": ()}
"""Settings of consumers that the binder drops from its own properties: any value, or these."""
STREAMS = "spring.cloud.stream.kafka.streams.binder."


def stream_blocks(flat: Sequence[Flat], boot: Callable[[str], Block], profile: str) -> Iterator[Block]:
    """A client for every binding with properties of its own, one of each kind for the others."""
    application = Application()
    for row in flat:
        application.add(row)
    yield from _streams(application, boot, profile)
    maps, fields = application.maps, application.fields
    if not (maps or application.bindings or fields.keys() & {"brokers", "requiredacks"}):
        return
    if application.has_streams:
        application.channels = set(application.bindings)  # the others may be those of Kafka Streams
    kinds = {kind for kind, _ in application.channels} | {kind for kind in DESCRIBED if f"{kind}properties" in maps}
    kinds |= {"producer"} if "requiredacks" in fields else set()
    for kind in sorted(kinds) or ["client"]:
        for name in _names(kind, application):
            yield _client(kind, name, application, boot(kind), profile)


def _streams(application: Application, boot: Callable[[str], Block], profile: str) -> Iterator[Block]:
    """Kafka Streams of every function with properties of its own, else one for all."""
    for name in sorted(name for name in application.streams if name) or [""] * bool(application.streams):
        base = boot("streams")
        block = Block(
            "streams", " ".join(part for part in (name or "binder streams", profile) if part), FORMAT_NAME, base.file
        )
        block.spelling = Spelling(f"{STREAMS}configuration.", names={"bootstrap.servers": f"{STREAMS}brokers"})
        block.described, block.platform = {"application.id": "${spring.application.name}"}, PLATFORM
        block.settings |= base.settings
        for each in dict.fromkeys(("", name)):
            for key, row in application.streams.get(each, {}).items():
                put(block, key, row)
        yield block


def binder_blocks(flat: Sequence[Flat], clients: Callable[[list[Flat]], list[Block]]) -> Iterator[Block]:
    """The clients of binders with an environment of their own, over what is common to all binders."""
    common: list[Flat] = []
    binders: dict[str, list[Flat]] = {}
    for name, key, value in flat:
        parts = name.split(".", MOST_DOTS)
        plain = [plain_part(part) for part in parts]
        if plain[:4] == [*ROOT, "binders"]:
            if plain[5:6] == ["environment"] and len(parts) > 6:
                binders.setdefault(parts[4], []).append((".".join(parts[6:]), key, value))
        elif plain[3:4] != [BINDING] and plain[3:5] != ["kafka", BINDING]:
            common.append((name, key, value))
    for binder, rows in binders.items():
        positions = {(key.line, key.column) for _, key, _ in rows}
        for block in clients([*common, *rows]):
            if block.kind != DEPLOYMENT and _rename(block, binder, positions):
                yield block


def _rename(block: Block, binder: str, positions: set[tuple[int, int]]) -> bool:
    """Name a client and its settings by the binder whose environment they stand in; whether there are any."""
    block.name = f"{block.name} {binder}"
    own = [each for each in block.settings.values() if (each.origin.line, each.origin.column) in positions]
    for setting in own:
        setting.written = f"spring.cloud.stream.binders.{binder}.environment.{setting.written}"
    return bool(own)


def _names(kind: str, application: Application) -> list[str]:
    """The bindings with properties of their own, and one without a name for all others."""
    own = {name for each, name in application.bindings if each == kind and name}
    others = {name for each, name in application.channels if each == kind and name} - own
    return [*([""] if others or not own else []), *sorted(own)]


def _client(kind: str, name: str, application: Application, boot: Block, profile: str) -> Block:
    block = Block(kind, " ".join(part for part in (name or f"binder {kind}", profile) if part), FORMAT_NAME, boot.file)
    block.spelling = _spelling(kind, name)
    if kind in DESCRIBED:
        block.described, block.platform = DESCRIBED[kind], PLATFORM
    acks = application.fields.get("requiredacks")
    if kind == "producer" and acks is not None:
        put(block, "acks", acks)
    block.settings |= boot.settings
    _put_binder(block, kind, application)
    for each in ("", name):
        for key, row in application.bindings.get((kind, each), {}).items():
            put(block, key, row)
    group = application.groups.get(name)
    if kind == "consumer" and group is not None:
        put(block, "group.id", group)
    return block


def _put_binder(block: Block, kind: str, application: Application) -> None:
    """The addresses, what is common to all clients, and what is common to those of one kind."""
    brokers = application.fields.get("brokers")
    if brokers is not None:
        put(block, "bootstrap.servers", with_ports(brokers, application.fields.get("defaultbrokerport")))
    put_shared([block], application.maps.get("configuration", {}), kind)
    for key, row in application.maps.get(f"{kind}properties", {}).items():
        put(block, key, row)
    for key, values in REFUSED.items() if kind == "consumer" else ():
        setting = block.settings.get(key)
        if setting is not None and (not values or setting.value.strip().lower() in values):
            del block.settings[key]


def _spelling(kind: str, name: str) -> Spelling:
    binder = "spring.cloud.stream.kafka.binder."
    names = {"bootstrap.servers": f"{binder}brokers", "security.protocol": f"{binder}configuration.security.protocol"}
    if name:
        return Spelling(f"spring.cloud.stream.kafka.bindings.{name}.{kind}.configuration.", names=names)
    return Spelling(f"{binder}{kind}-properties." if kind in DESCRIBED else f"{binder}configuration.", names=names)
