"""Strimzi's KafkaConnect, KafkaConnector, KafkaMirrorMaker2 and KafkaBridge."""

from __future__ import annotations

from advisor.model import OF_CONNECTOR, Spelling
from collectors.files.block import Block, deployment, text_of
from collectors.files.connectors import with_clients
from collectors.files.operators.common import connector
from collectors.files.operators.strimzi_fields import (
    CLIENT_EXCEPTIONS,
    CLIENT_FORBIDDEN,
    FORMAT_NAME,
    OPERATOR,
    api_version,
    secure,
    take_config,
    target_of,
)
from collectors.files.syntax.tree import MAPPING, TreeNode

CONNECT_FIELDS = {
    "bootstrapServers": "bootstrap.servers",
    "groupId": "group.id",
    "configStorageTopic": "config.storage.topic",
    "offsetStorageTopic": "offset.storage.topic",
    "statusStorageTopic": "status.storage.topic",
}
INTERNAL_OF_MIRRORS = {
    "group.id": "mirrormaker2-cluster",
    "config.storage.topic": "mirrormaker2-cluster-configs",
    "offset.storage.topic": "mirrormaker2-cluster-offsets",
    "status.storage.topic": "mirrormaker2-cluster-status",
}
"""What the operator gives the workers of a mirror where the resource names no target. Source: io.strimzi.operator.cluster.model.KafkaMirrorMaker2Cluster."""
PATTERNS = {"topicsPattern": "topics", "groupsPattern": "groups"}
POLICY = "replication.policy.class"
DEFAULT_POLICY = "org.apache.kafka.connect.mirror.DefaultReplicationPolicy"
CONNECTORS = ("sourceConnector", "checkpointConnector", "heartbeatConnector")


def _facts(document: TreeNode, name: str, file: str) -> Block:
    facts = deployment(name, FORMAT_NAME, file)
    facts.described = {"runs": "connect"}
    api_version(facts, document)
    return facts


def connect_block(document: TreeNode, file: str) -> list[Block]:
    """A Connect cluster's workers."""
    name = f"KafkaConnect {document.string('metadata', 'name')}"
    block = Block("connect", name, FORMAT_NAME, file, "spec.config.")
    block.fragment = OPERATOR
    block.target = target_of(document, file, "spec", "version")
    facts = _facts(document, name, file)
    spec = document.get("spec")
    if spec is None or spec.kind != MAPPING:
        return []
    _fields(block, spec, "spec.")
    take_config(block, facts, spec.get("config"), "spec.config.", CLIENT_FORBIDDEN, CLIENT_EXCEPTIONS)
    secure(block, spec, "", "spec.")
    for prefix in ("producer.", "consumer."):
        secure(block, spec, prefix, "spec.")
    return [block, facts]


def _fields(block: Block, spec: TreeNode, written: str, prefix: str = "") -> None:
    for field, key in CONNECT_FIELDS.items():
        node = spec.key(field)
        if node is not None and spec.string(field) and prefix + key not in block.settings:
            block.translate(prefix + key, spec.string(field), node, f"{written}{field}")


def connector_block(document: TreeNode, file: str) -> list[Block]:
    """One connector's configuration."""
    name = f"KafkaConnector {document.string('metadata', 'name')}"
    block = connector(document, name, FORMAT_NAME, file, "config")
    block.known_as, block.removal = document.string("metadata", "name"), OF_CONNECTOR
    return [*with_clients(block), _facts(document, name, file)]


def mirror_block(document: TreeNode, file: str) -> list[Block]:
    """MirrorMaker 2: its clusters, and what each connector does between two of them."""
    name = f"KafkaMirrorMaker2 {document.string('metadata', 'name')}"
    block = Block("mirror", name, FORMAT_NAME, file, "spec.")
    block.fragment = OPERATOR
    block.target = target_of(document, file, "spec", "version")
    aliases = _clusters(block, document)
    _defaults_of_mirrors(block, document)
    for number, mirror in enumerate(document.items("spec", "mirrors")):
        aliases += _mirror(block, mirror, number, document.string("spec", "target", "alias"))
    place = document.key("spec", "clusters") or document.key("spec", "mirrors")
    if place is not None and aliases:
        block.translate("clusters", ",".join(dict.fromkeys(aliases)), place, f"spec.{place.text}")
    if not block.settings:
        return []
    policies = [
        _policies(mirror, number, name, file) for number, mirror in enumerate(document.items("spec", "mirrors"))
    ]
    return [block, _facts(document, name, file), *(facts for facts in policies if facts.settings)]


def _defaults_of_mirrors(block: Block, document: TreeNode) -> None:
    """Add the names that the operator gives to what the workers keep in the cluster that they belong to."""
    place, alias = document.key("spec", "connectCluster"), document.string("spec", "connectCluster")
    for key, value in INTERNAL_OF_MIRRORS.items():
        if place is not None and f"{alias}.{key}" not in block.settings:
            block.derive(f"{alias}.{key}", value, place, "spec.connectCluster")


def _policies(mirror: TreeNode, number: int, name: str, file: str) -> Block:
    """How the connectors of one mirror name topics; Kafka's default where one does not say it."""
    facts = deployment(f"{name} mirror {number}", FORMAT_NAME, file)
    checkpoint = mirror.key("checkpointConnector", "config", POLICY) or mirror.key("checkpointConnector")
    source = mirror.string("sourceConnector", "config", POLICY) or DEFAULT_POLICY
    if checkpoint is not None:
        policy = mirror.string("checkpointConnector", "config", POLICY) or DEFAULT_POLICY
        facts.translate(POLICY, policy, checkpoint, f"spec.mirrors[{number}].checkpointConnector.config.{POLICY}")
    facts.described = {"source.replication.policy.class": source}
    return facts


def _clusters(block: Block, document: TreeNode) -> list[str]:
    aliases = []
    for number, cluster in enumerate(document.items("spec", "clusters")):
        _cluster(block, cluster, f"spec.clusters[{number}].")
        aliases.append(cluster.string("alias"))
    target = document.get("spec", "target")
    if target is not None and target.kind == MAPPING:
        _cluster(block, target, "spec.target.")
        _fields(block, target, "spec.target.", target.string("alias") + ".")
        aliases.append(target.string("alias"))
    return [alias for alias in aliases if alias]


def _cluster(block: Block, cluster: TreeNode, written: str) -> None:
    alias, key = cluster.string("alias"), cluster.key("bootstrapServers")
    if not alias:
        return
    if key is not None:
        block.translate(
            f"{alias}.bootstrap.servers", cluster.string("bootstrapServers"), key, f"{written}bootstrapServers"
        )
    for kafka_key, (key_node, value) in cluster.mapping("config").items():
        block.set(f"{alias}.{kafka_key}", text_of(value), key_node, value, f"{written}config.{kafka_key}")
    secure(block, cluster, f"{alias}.", written)


def _mirror(block: Block, mirror: TreeNode, number: int, target: str) -> list[str]:
    """One mirror; `target` is the cluster that all mirrors of a v1 resource write to."""
    written = f"spec.mirrors[{number}]."
    source, target = mirror.string("sourceCluster"), mirror.string("targetCluster") or target
    own_source = mirror.get("source")
    if own_source is not None and own_source.kind == MAPPING:
        _cluster(block, own_source, f"{written}source.")
        source = own_source.string("alias")
    if not source:
        return []
    flow = f"{source}->{target or 'target'}"
    place = next((key for field in ("sourceCluster", "source", *CONNECTORS) if (key := mirror.key(field))), None)
    if place is not None:
        block.translate(f"{flow}.enabled", "true", place, f"{written}sourceConnector")
    for field, picks in PATTERNS.items():
        pattern = mirror.key(field)
        if pattern is not None:
            block.translate(f"{flow}.{picks}", mirror.string(field), pattern, written + field)
    for field in CONNECTORS:
        for kafka_key, (key_node, value) in mirror.mapping(field, "config").items():
            if kafka_key == POLICY and field != CONNECTORS[0]:
                continue
            name = (
                f"{flow}.{kafka_key}" if f"{flow}.{kafka_key}" not in block.settings else f"{flow}.{field}.{kafka_key}"
            )
            block.set(name, text_of(value), key_node, value, f"{written}{field}.config.{kafka_key}")
    return [source]


def bridge_block(document: TreeNode, file: str) -> list[Block]:
    """The clients of an HTTP bridge."""
    blocks = []
    for kind in ("producer", "consumer"):
        block = Block(
            kind, f"KafkaBridge {document.string('metadata', 'name')}", FORMAT_NAME, file, f"spec.{kind}.config."
        )
        block.fragment = OPERATOR
        block.take(document.get("spec", kind, "config"))
        spec, key = document.get("spec"), document.key("spec", "bootstrapServers")
        if spec is None or key is None:
            return []
        block.translate("bootstrap.servers", spec.string("bootstrapServers"), key, "spec.bootstrapServers")
        block.spelling = Spelling(f"spec.{kind}.config.")
        secure(block, spec, "", "spec.")
        blocks.append(block)
    return blocks
