"""Spring Cloud Stream's Kafka binder: the clients of its bindings, over those that `spring.kafka` configures.

Source: the binder's configuration options, and BindingUtils.createProducerConfigs and createConsumerConfigs: required-acks
lies under Boot's properties, over them configuration, then producer-properties or consumer-properties, then the binding's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from advisor.model import Spelling
from collectors.files.block import Block, text_of
from collectors.files.flat import Flat, put, put_shared
from collectors.files.tree import SCALAR, Node

FORMAT = "spring-cloud-stream"
ROOT = ["spring", "cloud", "stream"]
BINDER, BINDING, EVERY, GROUP = "binder", "bindings", "default", "group"
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
FIELDS = {
    "producer": {"buffersize": "batch.size", "batchtimeout": "linger.ms", "compressiontype": "compression.type"},
    "consumer": {"startoffset": "auto.offset.reset"},
}
"""Fields of a binding that become settings."""
REFUSED = {"enable.auto.commit": ("true",), "group.id": ()}
"""Settings of consumers that the binder drops from its own properties: any value, or these."""
MOST_DOTS = 60
Own = dict[str, Flat]


class Application:
    """What an application says of its binder and of its bindings (kind, name): properties by their keys."""

    def __init__(self) -> None:
        self.fields: Own = {}
        self.maps: dict[str, Own] = {}
        self.bindings: dict[tuple[str, str], Own] = {}
        self.groups: Own = {}
        self.channels: set[tuple[str, str]] = set()

    def add(self, row: Flat) -> None:
        """Take a property that is Spring Cloud Stream's."""
        parts = row[0].split(".", MOST_DOTS)
        plain = [_plain(part) for part in parts]
        if plain[:3] != ROOT:
            return
        if plain[3:5] == ["kafka", BINDER] and len(parts) > 5:
            self._add_to_binder(plain[5], ".".join(parts[6:]), row)
        elif plain[3:5] in (["kafka", BINDING], ["kafka", EVERY]):
            self._add_to_binding(plain[4], parts[5:], plain[5:], row)
        elif plain[3:4] == [BINDING] and len(parts) > 5:
            self._add_to_channel(".".join(parts[4:-1]), parts[4:], plain[-1], row)

    def _add_to_binder(self, field: str, rest: str, row: Flat) -> None:
        if rest:
            self.maps.setdefault(field, {})[_key(rest)] = row
        else:
            self.fields[field] = row

    def _add_to_binding(self, holder: str, parts: Sequence[str], plain: Sequence[str], row: Flat) -> None:
        """A property of one binding's producer or consumer, or of all of them (no name)."""
        at = next((number for number, part in enumerate(plain) if part in DESCRIBED), None)
        if at is None or (holder == BINDING) != (at > 0) or len(parts) < at + 2:
            return
        kind, name = plain[at], ".".join(parts[:at])
        own = self.bindings.setdefault((kind, name), {})
        if plain[at + 1] == "configuration":
            own[_key(".".join(parts[at + 2 :]))] = row
        elif plain[at + 1] in FIELDS[kind]:
            own[FIELDS[kind][plain[at + 1]]] = row
        self.channels.add((kind, name))

    def _add_to_channel(self, name: str, parts: Sequence[str], field: str, row: Flat) -> None:
        """A property of a binding that is not Kafka's own: it says which way records go."""
        if field == GROUP:
            self.groups[name] = row
            self.channels.add(("consumer", name))
        elif parts[1] in DESCRIBED:
            self.channels.add((parts[1], parts[0]))
        elif parts[0].rpartition("-")[0].endswith(("-in", "-out")):
            self.channels.add(("consumer" if parts[0].rpartition("-")[0].endswith("-in") else "producer", parts[0]))


def _plain(part: str) -> str:
    return part.replace("-", "").replace("_", "").lower()


def _key(text: str) -> str:
    return text.replace("[", "").replace("]", "")


def stream_blocks(flat: Sequence[Flat], boot: Callable[[str], Block], profile: str) -> Iterator[Block]:
    """A client for every binding with properties of its own, one of each kind for the others."""
    application = Application()
    for row in flat:
        application.add(row)
    maps, fields = application.maps, application.fields
    if not (maps or application.bindings or fields.keys() & {"brokers", "requiredacks"}):
        return
    kinds = {kind for kind, _ in application.channels} | {kind for kind in DESCRIBED if f"{kind}properties" in maps}
    kinds |= {"producer"} if "requiredacks" in fields else set()
    for kind in sorted(kinds) or ["client"]:
        for name in _names(kind, application):
            yield _client(kind, name, application, boot(kind), profile)


def _names(kind: str, application: Application) -> list[str]:
    """The bindings with properties of their own, and one without a name for all others."""
    own = {name for each, name in application.bindings if each == kind and name}
    others = {name for each, name in application.channels if each == kind and name} - own
    return [*([""] if others or not own else []), *sorted(own)]


def _client(kind: str, name: str, application: Application, boot: Block, profile: str) -> Block:
    block = Block(kind, " ".join(part for part in (name or f"binder {kind}", profile) if part), FORMAT, boot.file)
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
        put(block, "bootstrap.servers", _with_ports(brokers, application.fields.get("defaultbrokerport")))
    put_shared([block], application.maps.get("configuration", {}), kind)
    for key, row in application.maps.get(f"{kind}properties", {}).items():
        put(block, key, row)
    for key, values in REFUSED.items() if kind == "consumer" else ():
        setting = block.settings.get(key)
        if setting is not None and (not values or setting.value.strip().lower() in values):
            del block.settings[key]


def _with_ports(brokers: Flat, port: Flat | None) -> Flat:
    """The addresses as the binder passes them on: hosts without a port get the default one."""
    name, key, value = brokers
    number = text_of(port[2]) if port is not None else "9092"
    hosts = [host.strip() for host in text_of(value).split(",") if host.strip()]
    node = Node(SCALAR, value.line, value.column, ",".join(_with_port(host, number) for host in hosts))
    node.end = value.end
    return name, key, node


def _with_port(host: str, port: str) -> str:
    return host if ":" in host or "$" in host or not port else f"{host}:{port}"


def _spelling(kind: str, name: str) -> Spelling:
    binder = "spring.cloud.stream.kafka.binder."
    names = {"bootstrap.servers": f"{binder}brokers", "security.protocol": f"{binder}configuration.security.protocol"}
    if name:
        return Spelling(f"spring.cloud.stream.kafka.bindings.{name}.{kind}.configuration.", names=names)
    return Spelling(f"{binder}{kind}-properties." if kind in DESCRIBED else f"{binder}configuration.", names=names)
