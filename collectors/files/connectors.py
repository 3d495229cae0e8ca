"""Kafka Connect's REST documents: {"name": …, "config": {…}}, a bare configuration, or a list of them."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence

from advisor.catalog.keys import CLIENTS as PREFIXES_OF_CLIENTS
from advisor.catalog.keys import JUDGED_OF_WORKERS, is_known
from advisor.model import CLIENT_KINDS, LITERAL, Setting
from advisor.secrets import is_secret
from collectors.files.block import WORKER, Block
from collectors.files.detect import CODE
from collectors.files.names import is_key
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SEQUENCE, TreeNode

FORMAT_NAME = "connect-json"
UNNAMED = "connector"
CLIENTS = ("producer", "consumer", "admin")
WITH_A_PREFIX = frozenset(("admin.listeners",))
"""Keys of a worker itself that begin as those of its clients do."""
OF_DEBEZIUM = tuple(
    (kind, f"{history}.{kind}.")
    for history in ("schema.history.internal", "database.history")
    for kind in ("producer", "consumer")
)
"""The clients with which a connector of Debezium's keeps the history of schemas. Source: KafkaSchemaHistory."""
OF_CONNECTION = ("security.", "ssl.", "sasl.")
"""How the settings of a client of an application begin that its settings of all clients complete."""
ARRAYS = "org.apache.kafka.common.serialization.ByteArray"
MADE_BY_CONNECT: dict[str, dict[str, str | None]] = {
    "producer": {
        "acks": "all", "enable.idempotence": "false", "max.in.flight.requests.per.connection": "1",
        "delivery.timeout.ms": "2147483647", "max.block.ms": "9223372036854775807",
        "bootstrap.servers": "${bootstrap.servers}",
        "key.serializer": f"{ARRAYS}Serializer", "value.serializer": f"{ARRAYS}Serializer",
    },
    "consumer": {
        "enable.auto.commit": "false", "auto.offset.reset": "earliest", "bootstrap.servers": "${bootstrap.servers}",
        "key.deserializer": f"{ARRAYS}Deserializer", "value.deserializer": f"{ARRAYS}Deserializer",
    },
    "admin": {"bootstrap.servers": "${bootstrap.servers}"},
}  # fmt: skip
"""What a worker sets of the clients that it makes. Source: org.apache.kafka.connect.runtime.Worker."""
OF_WORKERS = frozenset(
    ("bootstrap.servers", "config.storage.topic", "offset.storage.topic", "offset.storage.file.filename", "plugin.path")
)
"""Keys that a worker's own file has, and no connector's."""


def knows(document: TreeNode) -> bool:
    """Whether a document is a connector's configuration."""
    return any(True for _ in _configurations(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """A block for every connector."""
    kafka_blocks = []
    for document in documents:
        for name, path, config in _configurations(document):
            block = Block("connect", name, FORMAT_NAME, sources.shown, path)
            block.fragment = WORKER
            block.take(config)
            block.known_as = name if name != UNNAMED and "${" not in name else None
            key = document.key("name")
            if key is not None and "name" not in block.settings:
                block.set("name", name, key, document.get("name"), "name")
            kafka_blocks += with_clients(block)
    return kafka_blocks


def is_connector(settings: Mapping[str, Setting]) -> bool:
    """Whether a file of properties is a connector's, as standalone workers take it, and not a worker's or an engine's."""
    of_broker = sum(is_key(key, ("broker",)) for key in settings)
    return "connector.class" in settings and OF_WORKERS.isdisjoint(settings) and 2 * of_broker <= len(settings)


def blocks_of_properties(settings: dict[str, Setting], file: str) -> list[Block]:
    """The connector of a file of properties, and the clients whose settings it overrides."""
    named = settings.get("name")
    name = named.value.strip() if named is not None and named.shape == LITERAL else ""
    block = Block("connect", name or file.rpartition("/")[2], "properties", file)
    block.settings, block.fragment, block.joint, block.known_as = settings, WORKER, "=", name or None
    return with_clients(block)


def with_clients(connector: Block) -> list[Block]:
    """A connector, and the clients whose settings it overrides: producer.override.acks is the producer's acks.

    Keys that no release of Kafka knows stay with the connector alone. Source: KIP-458.
    """
    return [
        connector,
        *(client for kind in CLIENTS if (client := _client(connector, kind, f"{kind}.override.")).settings),
        *(client for kind, prefix in OF_DEBEZIUM if (client := _client(connector, kind, prefix)).settings),
    ]


def with_inner_clients(kafka_blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks, each worker and application with the clients that it makes: producer.retries is the producer's retries."""
    for block in kafka_blocks:
        yield block
        is_worker = block.kind == "connect" and not is_connector(block.settings)
        if (is_worker or block.kind in CLIENT_KINDS) and block.fragment != WORKER:
            clients = [client for kind in CLIENTS if (client := _client(block, kind, f"{kind}.")).settings]
            if not is_worker:
                _hand_over(block, clients)
            yield from clients


def _hand_over(application: Block, clients: Sequence[Block]) -> None:
    """Take from an application what its clients have: it is judged of them alone."""
    for client in clients:
        for key in client.settings:
            del application.settings[f"{client.kind}.{key}"]


def _client(holder: Block, kind: str, prefix: str) -> Block:
    """A client of a connector's, a worker's or an application's, by the keys with a prefix that a release of Kafka knows."""
    client = Block(kind, f"{holder.name} {kind}", holder.format, holder.file, holder.written + prefix)
    client.fragment, client.joint, client.changed_by = WORKER, holder.joint, holder.changed_by
    client.target = holder.target
    is_of_connect = holder.kind == "connect"
    if is_of_connect:
        client.described = dict(MADE_BY_CONNECT.get(kind, {})) if (kind, prefix) not in OF_DEBEZIUM else {}
        client.platform = "Kafka Connect"
    else:
        client.fragment = CODE
    for key, setting in holder.settings.items():
        bare = key.removeprefix(prefix)
        if key.startswith(prefix) and is_known(bare) and not _is_judged_of_holder(holder, prefix, bare):
            override = copy.copy(setting)
            override.key, override.written = bare, setting.written or key
            client.put(override)
    return client


def _is_judged_of_holder(holder: Block, prefix: str, bare: str) -> bool:
    """Whether rules judge a client's setting of the worker or the application, which may complete it."""
    if holder.kind != "connect":
        return is_secret(bare) or bare.startswith(OF_CONNECTION)
    is_of_worker = f"{prefix}{bare}" in WITH_A_PREFIX
    return is_of_worker or is_secret(bare) or (prefix in PREFIXES_OF_CLIENTS and bare in JUDGED_OF_WORKERS)


def _configurations(document: TreeNode) -> Iterator[tuple[str, str, TreeNode]]:
    """(name, path, configuration) of the connectors in a document."""
    if document.kind == SEQUENCE:
        for item in document.children:
            yield from _configurations(item) if item.kind == MAPPING else ()
        return
    config = document.get("config")
    if config is not None and config.kind == MAPPING and config.get("connector.class") is not None:
        yield document.string("name") or config.string("name") or UNNAMED, "config.", config
    elif document.kind == MAPPING and document.get("connector.class") is not None:
        yield document.string("name") or UNNAMED, "", document
