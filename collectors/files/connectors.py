"""Kafka Connect's REST documents: {"name": …, "config": {…}}, a bare configuration, or a list of them."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence

from advisor.catalog.keys import is_known
from advisor.model import LITERAL, Setting
from collectors.files.block import WORKER, Block
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SEQUENCE, TreeNode

FORMAT_NAME = "connect-json"
UNNAMED = "connector"
CLIENTS = ("producer", "consumer", "admin")
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
    return "connector.class" in settings and OF_WORKERS.isdisjoint(settings)


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
    return [connector, *(client for kind in CLIENTS if (client := _client(connector, kind)).settings)]


def _client(connector: Block, kind: str) -> Block:
    prefix = f"{kind}.override."
    client = Block(kind, f"{connector.name} {kind}", connector.format, connector.file, connector.written + prefix)
    client.fragment, client.joint, client.changed_by = WORKER, connector.joint, connector.changed_by
    for key, setting in connector.settings.items():
        if key.startswith(prefix) and is_known(key.removeprefix(prefix)):
            override = copy.copy(setting)
            override.key, override.written = key.removeprefix(prefix), setting.written or key
            client.put(override)
    return client


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
