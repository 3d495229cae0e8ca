"""Kafka Connect's REST documents: {"name": …, "config": {…}}, a bare configuration, or a list of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectors.files.block import WORKER, Block, text_of
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SEQUENCE, TreeNode

FORMAT_NAME = "connect-json"
UNNAMED = "connector"


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
            kafka_blocks += [block, *_clients(config, name, path, sources.shown)]
    return kafka_blocks


def _clients(config: TreeNode, name: str, path: str, file: str) -> Iterator[Block]:
    """The clients whose settings a connector overrides: producer.override.acks is the producer's acks."""
    for kind in ("producer", "consumer", "admin"):
        prefix = f"{kind}.override."
        block = Block(kind, f"{name} {kind}", FORMAT_NAME, file, f"{path}{prefix}")
        block.fragment = WORKER
        for key, (key_node, value) in config.pairs().items():
            if key.startswith(prefix) and not value.is_null:
                block.set(key[len(prefix) :], text_of(value), key_node, value, path + key)
        if block.settings:
            yield block


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
