"""Topics of nais (kafka.nais.io), which Kafkarator creates at Aiven. Source: doc.nais.io, Kafka topic reference."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model import Spelling
from collectors.files.block import Block, text_of
from collectors.files.sources import Sources
from collectors.files.syntax.tree import TreeNode

FORMAT_NAME = "nais"
PLATFORM = "nais"
GROUP, KIND = "kafka.nais.io/", "Topic"
PATH = "spec.config."
FIELDS = {
    "cleanupPolicy": "cleanup.policy",
    "minimumInSyncReplicas": "min.insync.replicas",
    "maxMessageBytes": "max.message.bytes",
    "retentionBytes": "retention.bytes",
    "localRetentionBytes": "local.retention.bytes",
    "maxCompactionLagMs": "max.compaction.lag.ms",
}
HOURS = {
    "retentionHours": "retention.ms",
    "localRetentionHours": "local.retention.ms",
    "segmentHours": "segment.ms",
    "deleteRetentionHours": "delete.retention.ms",
}
HOUR = 3_600_000
DEFAULTS: dict[str, str | None] = {
    "cleanup.policy": "delete",
    "min.insync.replicas": "2",
    "partitions": "1",
    "replication.factor": "3",
    "retention.bytes": "-1",
    "retention.ms": str(72 * HOUR),
}


def knows(document: TreeNode) -> bool:
    """Whether a document is a topic of nais."""
    return document.string("apiVersion").startswith(GROUP) and document.string("kind") == KIND


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """A block for every topic."""
    return [_topic(document, sources.shown) for document in documents if knows(document)]


def _topic(document: TreeNode, file: str) -> Block:
    block = Block("topic", document.string("metadata", "name"), FORMAT_NAME, file, PATH)
    names = {key: PATH + field for field, key in {**FIELDS, **HOURS}.items()}
    names |= {"replication.factor": f"{PATH}replication", "partitions": f"{PATH}partitions"}
    block.spelling = Spelling(PATH, names=names)
    block.platform, block.described = PLATFORM, dict(DEFAULTS)
    config = document.get("spec", "config")
    if config is not None:
        _settings(block, config)
        block.create_with(config, "replication", "partitions", PATH)
    return block


def _settings(block: Block, config: TreeNode) -> None:
    for field, (key, value) in config.pairs().items():
        if field in FIELDS and not value.is_null:
            block.set(FIELDS[field], text_of(value), key, value, PATH + field)
        hours = config.whole(field) if field in HOURS else None
        if hours is not None:
            block.translate(HOURS[field], str(hours * HOUR if hours > 0 else hours), key, PATH + field)
