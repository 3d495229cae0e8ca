"""Debezium Server: the producer of its Kafka sink, and its source, which is a connector without a worker.

Source: Debezium Server's documentation (debezium.sink.kafka.producer.*, debezium.source.*).
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model import Spelling
from collectors.files.block import Block
from collectors.files.frameworks.dotted_properties import Flat, below, flatten, names_of, put
from collectors.files.sources import Sources
from collectors.files.syntax.tree import TreeNode

FORMAT_NAME = "debezium-server"
SINK, SOURCE = "debezium.sink.kafka.producer.", "debezium.source."
PREFIXES = ("debezium.sink.", SOURCE)
"""What the properties of such a server begin with."""
SERVER = "Debezium Server runs the connector without a worker"


def knows(document: TreeNode) -> bool:
    """Whether a document configures a source or a sink of Debezium Server."""
    return any(name.startswith((SINK, SOURCE)) for name in names_of(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The producer and the connector of a server."""
    return flat_blocks([row for document in documents for row in flatten(document, sources.shown)], sources)


def flat_blocks(flat: Sequence[Flat], sources: Sources) -> list[Block]:
    """The producer and the connector that properties configure."""
    rows = [(row[0], row) for row in flat]
    producer = _block("producer", "sink", below(rows, SINK), SINK, sources.shown)
    source = _block("connect", "source", below(rows, SOURCE), SOURCE, sources.shown)
    source.fragment = SERVER
    if "connector.class" not in source.settings:
        source.settings.clear()
    return [block for block in (producer, source) if block.settings]


def _block(kind: str, name: str, own: dict[str, Flat], prefix: str, file: str) -> Block:
    block = Block(kind, name, FORMAT_NAME, file)
    block.spelling = Spelling(prefix)
    for key, row in own.items():
        put(block, key, row)
    return block
