"""One node's configuration on one side of a change: its roles, listeners, quorum, principals and directories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import NamedTuple, TypeVar

from advisor.cache import cached, cached_if_long
from advisor.config import Config
from advisor.facts import controller_listeners, inter_broker, mode, plain_path, protocol_map
from advisor.facts import roles as roles_of
from advisor.model import HIDDEN, Entity, Version, is_whole_number
from advisor.model.cluster import KRAFT
from advisor.rule.subject import NotApplicable, Subject, Unknown

T = TypeVar("T")
WIRE = (
    *("listeners", "advertised.listeners", "listener.security.protocol.map", "inter.broker.listener.name"),
    *("security.inter.broker.protocol", "controller.listener.names", "controller.quorum.voters", "process.roles"),
    *("controller.quorum.bootstrap.servers", "authorizer.class.name", "super.users", "principal.builder.class"),
    *("allow.everyone.if.no.acl.found", "zookeeper.metadata.migration.enable"),
)
"""Keys that decide which node reaches which, beside sasl.* and ssl.* of each listener."""
SECURITY = ("sasl.", "ssl.")
TLS_CHOICES = {"ssl.enabled.protocols": "version of TLS", "ssl.cipher.suites": "cipher suite"}
"""Lists of which two nodes need a common item to encrypt, and what its items are."""


class Address(NamedTuple):
    """Where a listener listens, or is said to: the host as written, and the port."""

    host: str
    port: int | None


class NodeConfig:
    """One node's file on one side. What it cannot tell is None, with the reason in `unread` by its key."""

    def __init__(self, entity: Entity) -> None:
        self.entity = entity
        self.config = Config(entity)
        self.subject = Subject(0, self.config, [])
        self.unread: dict[str, str] = {}
        self.file_settings = entity.settings
        """What stands in the file; a running broker has dynamic values above it."""
        self.changed_secrets: tuple[str, ...] = ()
        """Secrets that are written otherwise than in the file before the whole change."""
        self.both_files: tuple[NodeConfig, ...] = ()
        """The node's files before and after the whole change, of which this one may be a step between."""
        self.granted: frozenset[str] = frozenset()
        """Principals that ACLs of the running cluster let do what brokers do."""

    def ask(self, key: str, question: Callable[[], T], otherwise: T) -> T:
        """The answer to a question; `otherwise` where the release has no such key, or with a note where it is unread."""
        try:
            return question()
        except Unknown as why:
            self.unread[key] = str(why)
        except NotApplicable:
            pass
        return otherwise

    def text(self, key: str) -> str:
        """The effective text of a key, as it is written."""
        return self.ask(key, lambda: self.subject.text(key), "").strip()

    def number(self, key: str) -> int | None:
        """The effective whole number of a key."""
        return self.ask(key, lambda: self.subject.int(key), None)

    def is_hidden(self, key: str) -> bool:
        """Whether a running broker keeps the value of the key to itself."""
        setting = self.config.settings.get(key)
        return setting is not None and setting.shape == HIDDEN

    def is_set(self, key: str) -> bool:
        """Whether the key or a synonym is written down."""
        return self.config.setting(key) is not None

    @property
    def version(self) -> Version:
        """The release that the file is read for."""
        return self.entity.target.version

    @cached_property
    def id(self) -> int | None:
        """The node's id; None where Kafka or a template chooses it."""
        number = self.number("node.id" if "node.id" in self.config.settings else "broker.id")
        return number if number is not None and number >= 0 else None

    @cached_property
    def is_kraft(self) -> bool:
        """Whether the node is of a KRaft cluster."""
        return self.ask("process.roles", lambda: mode(self.subject), KRAFT) == KRAFT

    @property
    def migrates(self) -> bool:
        """Whether the node takes part in a migration from ZooKeeper (KIP-866)."""
        return self.text("zookeeper.metadata.migration.enable").strip().lower() == "true"

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """The roles of the node."""
        return self.ask("process.roles", lambda: roles_of(self.subject), ())

    @property
    def is_broker(self) -> bool:
        """Whether the node has partitions and serves clients."""
        return "broker" in self.roles

    @property
    def is_controller(self) -> bool:
        """Whether the node is a controller of a KRaft cluster."""
        return "controller" in self.roles

    @cached_property
    def protocols(self) -> Mapping[str, str]:
        """The protocol by listener."""
        unmapped: tuple[tuple[str, str], ...] = ()
        return dict(self.ask("listener.security.protocol.map", lambda: protocol_map(self.subject), unmapped))

    @cached_property
    def controller_names(self) -> tuple[str, ...]:
        """The listeners of controllers."""
        return self.ask("controller.listener.names", lambda: controller_listeners(self.subject), ())

    @cached_property
    def listeners(self) -> Mapping[str, Address]:
        """Where the node listens, by listener."""
        return addresses(self.text("listeners"))

    @cached_property
    def advertised(self) -> Mapping[str, Address]:
        """Where brokers and clients are sent, by listener."""
        return addresses_but(self.text("advertised.listeners"), self.controller_names)

    @cached_property
    def inter_broker(self) -> str | None:
        """The listener on which brokers reach each other."""
        listener = self.ask("inter.broker.listener.name", lambda: inter_broker(self.subject), None)
        return None if listener is None else listener[0]

    @cached_property
    def voters(self) -> Mapping[int, Address]:
        """The static voters by id; none where the quorum is dynamic."""
        return voters_of(self.text("controller.quorum.voters"))

    @cached_property
    def bootstrap(self) -> tuple[Address, ...]:
        """Where the node looks for a dynamic quorum."""
        return tuple(address_of(entry) for entry in listed(self.text("controller.quorum.bootstrap.servers")))

    @cached_property
    def super_users(self) -> frozenset[str]:
        """The super users."""
        return frozenset(user.strip() for user in self.text("super.users").split(";") if user.strip())

    @cached_property
    def directories(self) -> tuple[str, ...]:
        """The log directories."""
        return tuple(plain_path(path) for path in listed(self.text("log.dirs")))

    @property
    def is_declared(self) -> bool:
        """Whether Strimzi makes the node of a resource: it formats new folders itself, moves the metadata, and keeps a storage whose type changes."""
        return self.entity.resource is not None

    @cached_property
    def metadata_directory(self) -> str:
        """Where the metadata log lies."""
        written = self.text("metadata.log.dir") if "metadata.log.dir" in self.config.settings else ""
        return plain_path(written) if written else next(iter(self.directories), "")

    @cached_property
    def wire(self) -> tuple[tuple[str, str, str, bool], ...]:
        """What decides whom the node reaches and who reaches it, to compare with that of another side."""
        keys = {*WIRE, *(key for key in self.config.settings if self.bare(key).startswith(SECURITY))}
        return tuple(
            (key, self.text(key), self.config.answer(("shape", key)), key in self.changed_secrets)  # type: ignore[misc]
            for key in sorted(keys)
        )

    def bare(self, key: str) -> str:
        """The key without the prefix of a listener."""
        return self.config.resolve(key)[1]

    def of_listener(self, listener: str, key: str) -> str:
        """The name of the key that decides for a listener: its own, with the prefix, or the general one."""
        key_of_listener = f"listener.name.{listener.lower()}.{key}"
        return key_of_listener if key_of_listener in self.config.settings else key

    def values(self, listener: str, key: str) -> tuple[str, ...]:
        """The items of a key's list for a listener."""
        return tuple(listed(self.text(self.of_listener(listener, key))))


def listed(text: str) -> list[str]:
    """The items of a comma-separated list."""
    return [item.strip() for item in text.split(",") if item.strip()]


@cached(16)
def voters_of(text: str) -> Mapping[int, Address]:
    """The static voters by id, read once for nodes whose files name the same ones."""
    entries = (entry.partition("@") for entry in listed(text))
    return {int(id): address_of(address) for id, at, address in entries if at and is_whole_number(id.strip())}


@cached_if_long
def addresses(text: str) -> Mapping[str, Address]:
    """The entries of `listeners` or `advertised.listeners`, by name, read once for nodes with the same ones."""
    named = (entry.partition("://") for entry in listed(text))
    return {name.strip().upper(): address_of(address) for name, mark, address in named if mark}


@cached_if_long
def addresses_but(text: str, names: tuple[str, ...]) -> Mapping[str, Address]:
    """The addresses of all listeners but some, by name."""
    return {name: address for name, address in addresses(text).items() if name not in names}


def address_of(text: str) -> Address:
    """A host and a port."""
    host, _, port = text.strip().rpartition(":")
    return Address(host.strip("[]").lower(), int(port) if is_whole_number(port) else None)


def name_of_file(node: NodeConfig | None) -> str:
    """A node without an id, by its file."""
    return (node.entity.file or node.entity.name).rpartition("/")[2] if node else ""
