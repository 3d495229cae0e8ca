"""Topics as GitOps tools declare them: topicctl, jikkou, julie, kafka-gitops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model import OF_TOPIC, Spelling
from collectors.files.block import Block, deployment, text_of
from collectors.files.names import is_key, key_of
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, TreeNode

FORMAT_NAME = "gitops-topic"
FACTORS = (
    "replicationFactor",
    "replicas",
    "replication",
    "replication_factor",
    "replication-factor",
    "replication.factor",
)
PARTITIONS = ("partitions", "partitionCount", "num.partitions")
CONFIGS = ("settings", "configs", "config", "configuration")
JIKKOU = ("kafka.jikkou.io/", "jikkou.io/", "core.jikkou.io/")
REFERENCES = "configMapRefs"
DEFAULT_FACTOR = ("settings", "topics", "defaults", "replication")
"""Where kafka-gitops has the replication factor of topics that say none."""
OF_KAFKA_GITOPS = "topics."
"""How the paths of kafka-gitops begin, which alone deletes what is not declared unless it is told not to."""
MINUTE = 60_000


def knows(document: TreeNode) -> bool:
    """Whether a document declares topics, or settings that topics of Jikkou refer to."""
    return _is_config_map(document) or any(True for _ in _topics(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """A block for every topic."""
    shared = {each.string("metadata", "name"): each for each in documents if _is_config_map(each)}
    made = [
        (block, node)
        for document in documents
        for name, path, node in _topics(document)
        for block in _topic(name, path, node, document, sources.shown)
    ]
    for block, node in made if shared else ():
        _add_shared(block, [shared[item.text] for item in node.items(REFERENCES) if item.text in shared])
    return [block for block, _ in made]


def _is_config_map(document: TreeNode) -> bool:
    return document.string("apiVersion").startswith(JIKKOU) and document.string("kind") == "ConfigMap"


def _add_shared(block: Block, config_maps: Sequence[TreeNode]) -> None:
    """Add the settings of ConfigMaps that a topic of Jikkou refers to and has none of its own for."""
    own_settings = dict(block.settings)
    for data in (each.get("data") for each in config_maps if block.kind == "topic"):
        if data is not None and data.kind == MAPPING:
            _settings(block, data, "data.")
    block.settings |= own_settings


def _topics(document: TreeNode) -> Iterator[tuple[str, str, TreeNode]]:
    """(name, path of the fields, node) of every topic of a document."""
    spec = document.get("spec")
    if document.string("apiVersion").startswith(JIKKOU):
        yield from _jikkou(document)
    elif spec is not None and spec.kind == MAPPING and document.get("meta") is not None and _looks_like_topic(spec):
        yield document.string("meta", "name"), "spec.", spec
    else:
        yield from _julie(document)
        topics = document.get("topics")
        has_default = document.key(*DEFAULT_FACTOR) is not None
        if topics is not None and topics.kind == MAPPING:
            for name, (_, node) in topics.pairs().items():
                if node.kind == MAPPING and (_looks_like_topic(node) or (has_default and _has_partitions(node))):
                    yield name, f"topics.{name}.", node


def _jikkou(document: TreeNode) -> Iterator[tuple[str, str, TreeNode]]:
    spec, kind = document.get("spec"), document.string("kind")
    if kind and not kind.removesuffix("List").endswith("KafkaTopic"):
        return
    if kind == "KafkaTopic" and spec is not None:
        yield document.string("metadata", "name"), "spec.", spec
    for item in document.items("items") or document.items("spec", "topics"):
        inner = item.get("spec") or item
        yield item.string("metadata", "name") or item.string("name"), "spec.", inner


def _julie(document: TreeNode) -> Iterator[tuple[str, str, TreeNode]]:
    for project in document.items("projects"):
        for topic in project.items("topics"):
            if topic.kind == MAPPING:
                yield topic.string("name"), "projects[].topics[].", topic


def _looks_like_topic(node: TreeNode) -> bool:
    names = node.pairs().keys()
    return _has_partitions(node) and any(name in names for name in (*FACTORS, *CONFIGS))


def _has_partitions(node: TreeNode) -> bool:
    return not node.pairs().keys().isdisjoint(PARTITIONS)


def _topic(name: str, path: str, node: TreeNode, document: TreeNode, file: str) -> list[Block]:
    config = next((field for field in CONFIGS if node.get(field) is not None), CONFIGS[0])
    block = Block("topic", name or "topic", FORMAT_NAME, file, f"{path}{config}.")
    factor = next((field for field in FACTORS if node.get(field) is not None), FACTORS[0])
    block.removal = OF_TOPIC if path.startswith(OF_KAFKA_GITOPS) else ""
    block.spelling = Spelling(f"{path}{config}.", names={"replication.factor": path + factor})
    holder = node.get(config)
    if holder is not None and holder.kind == MAPPING:
        _settings(block, holder, f"{path}{config}.")
    partitions = next((field for field in PARTITIONS if node.get(field) is not None), PARTITIONS[0])
    block.create_with(node, factor, partitions, path)
    default = document.key(*DEFAULT_FACTOR)
    if block.removal == OF_TOPIC and default is not None and node.key(factor) is None:
        block.translate("replication.factor", document.string(*DEFAULT_FACTOR), default, ".".join(DEFAULT_FACTOR))
    minutes, key = node.whole("retentionMinutes"), node.key("retentionMinutes")
    if key is not None and minutes is not None:
        block.translate("retention.ms", str(minutes * MINUTE), key, f"{path}retentionMinutes")
    return [block, *_placement(block, node, path, file)] if block.settings else []


def _settings(block: Block, holder: TreeNode, path: str) -> None:
    for name, (key, value) in holder.pairs().items():
        kafka_key = name if is_key(name, ("topic",)) else key_of(name, ("topic",)) or name
        if value.kind != MAPPING and not value.is_null:
            kafka_key = {"num.partitions": "partitions"}.get(kafka_key, kafka_key)
            block.set(kafka_key, text_of(value), key, value, path + name)


def _placement(block: Block, node: TreeNode, path: str, file: str) -> list[Block]:
    key, strategy = node.key("placement", "strategy"), node.string("placement", "strategy")
    if key is None:
        return []
    facts = deployment(block.name, FORMAT_NAME, file)
    facts.translate("placement", strategy, key, f"{path}placement.strategy")
    return [facts]
