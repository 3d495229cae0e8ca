"""What the properties of Spring Cloud Stream say: of the Kafka binder, of bindings and their channels, of Kafka Streams."""

from __future__ import annotations

from collections.abc import Sequence

from collectors.files.block import text_of
from collectors.files.frameworks.dotted_properties import Flat
from collectors.files.syntax.tree import SCALAR, TreeNode

ROOT = ["spring", "cloud", "stream"]
BINDER, BINDING, EVERY, GROUP = "binder", "bindings", "default", "group"
FIELDS = {
    "producer": {"buffersize": "batch.size", "batchtimeout": "linger.ms", "compressiontype": "compression.type"},
    "consumer": {"startoffset": "auto.offset.reset"},
}
"""Fields of a binding that become settings."""
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
        self.streams: dict[str, Own] = {}
        self.has_streams = False

    def add(self, row: Flat) -> None:
        """Take a property that is Spring Cloud Stream's."""
        parts = row[0].split(".", MOST_DOTS)
        plain = [plain_part(part) for part in parts]
        if plain[:3] != ROOT:
            return
        if plain[3:5] == ["kafka", BINDER] and len(parts) > 5:
            self._add_to_binder(plain[5], ".".join(parts[6:]), row)
        elif plain[3:5] in (["kafka", BINDING], ["kafka", EVERY]):
            self._add_to_binding(plain[4], parts[5:], plain[5:], row)
        elif plain[3:5] == ["kafka", "streams"]:
            self.has_streams = True
            if plain[5:6] == [BINDER]:
                self._add_to_streams(parts[6:], plain[6:], row)
        elif plain[3:4] == [BINDING] and len(parts) > 5:
            self._add_to_channel(".".join(parts[4:-1]), parts[4:], plain[-1], row)

    def _add_to_binder(self, field: str, name: str, row: Flat) -> None:
        if name:
            self.maps.setdefault(field, {})[_key(name)] = row
        else:
            self.fields[field] = row

    def _add_to_binding(self, holder: str, parts: Sequence[str], plain: Sequence[str], row: Flat) -> None:
        """A property of one binding's producer or consumer, or of all of them (no name)."""
        at = next((number for number, part in enumerate(plain) if part in FIELDS), None)
        if at is None or (holder == BINDING) != (at > 0) or len(parts) < at + 2:
            return
        kind, name = plain[at], ".".join(parts[:at])
        own = self.bindings.setdefault((kind, name), {})
        if plain[at + 1] == "configuration":
            own[_key(".".join(parts[at + 2 :]))] = row
        elif plain[at + 1] in FIELDS[kind]:
            own[FIELDS[kind][plain[at + 1]]] = row
        self.channels.add((kind, name))

    def _add_to_streams(self, parts: Sequence[str], plain: Sequence[str], row: Flat) -> None:
        """A property of the Kafka Streams binder, of all functions (no name) or of one."""
        name = parts[1] if plain[:1] == ["functions"] and len(parts) > 2 else ""
        parts, plain = (parts[2:], plain[2:]) if name else (parts, plain)
        own = self.streams.setdefault(name, {})
        if plain[:1] == ["configuration"] and len(parts) > 1:
            own[_key(".".join(parts[1:]))] = row
        elif plain == ["applicationid"]:
            own["application.id"] = row
        elif plain == ["brokers"]:
            own["bootstrap.servers"] = with_ports(row, None)

    def _add_to_channel(self, name: str, parts: Sequence[str], field: str, row: Flat) -> None:
        """A property of a binding that is not Kafka's own: it says which way records go."""
        if field == GROUP:
            self.groups[name] = row
            self.channels.add(("consumer", name))
        elif parts[1] in FIELDS:
            self.channels.add((parts[1], parts[0]))
        elif parts[0].rpartition("-")[0].endswith(("-in", "-out")):
            self.channels.add(("consumer" if parts[0].rpartition("-")[0].endswith("-in") else "producer", parts[0]))


def plain_part(part: str) -> str:
    """A part of a name as relaxed binding compares it."""
    return part.replace("-", "").replace("_", "").lower()


def _key(text: str) -> str:
    return text.replace("[", "").replace("]", "")


def with_ports(brokers: Flat, port: Flat | None) -> Flat:
    """The addresses as the binder passes them on: hosts without a port get the default one."""
    name, key, value = brokers
    number = text_of(port[2]) if port is not None else "9092"
    hosts = [host.strip() for host in text_of(value).split(",") if host.strip()]
    node = TreeNode(SCALAR, value.line, value.column, ",".join(_with_port(host, number) for host in hosts))
    node.end = value.end
    return name, key, node


def _with_port(host: str, port: str) -> str:
    return host if ":" in host or "$" in host or not port else f"{host}:{port}"
