"""Strimzi's resources (kafka.strimzi.io): which module reads which kind; topics and users.

Source: strimzi-kafka-operator, api/src/main/java/io/strimzi/api/kafka/model.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model import Spelling
from collectors.files.block import Block, deployment
from collectors.files.sources import Sources
from collectors.files.strimzi_clients import bridge_block, connect_block, connector_block, mirror_block
from collectors.files.strimzi_cluster import cluster_blocks
from collectors.files.strimzi_fields import FORMAT, api_version
from collectors.files.tree import Node

GROUP = ("kafka.strimzi.io/", "core.strimzi.io/")
CLUSTER_LABEL = "strimzi.io/cluster"
WILDCARD = "*"
MANY = ("All",)
"""Operations that are dangerous on every resource at once."""


def knows(document: Node) -> bool:
    """Whether a document is a resource of Strimzi."""
    return document.string("apiVersion").startswith(GROUP)


def blocks(documents: Sequence[Node], sources: Sources) -> list[Block]:
    """The blocks of Strimzi's resources; node pools count for the cluster that their label names."""
    pools = [document for document in documents if document.string("kind") == "KafkaNodePool"]
    several: list[Block] = []
    for document in documents:
        kind = document.string("kind")
        if kind == "Kafka":
            own = [pool for pool in pools if _cluster_of(pool) == document.string("metadata", "name")]
            several += cluster_blocks(document, own, sources.shown)
            pools = [pool for pool in pools if pool not in own]
        elif kind in READERS:
            several += READERS[kind](document, sources.shown)
    for pool in pools:
        several += cluster_blocks(None, [pool], sources.shown)
    return several


def _cluster_of(pool: Node) -> str:
    return pool.string("metadata", "labels", CLUSTER_LABEL)


def _topic(document: Node, file: str) -> list[Block]:
    name = document.string("spec", "topicName") or document.string("metadata", "name")
    block = Block("topic", name, FORMAT, file, "spec.config.")
    block.spelling = Spelling(
        "spec.config.", names={"replication.factor": "spec.replicas", "partitions": "spec.partitions"}
    )
    block.take(document.mapping("spec", "config"))
    for key, field in (("replication.factor", "replicas"), ("partitions", "partitions")):
        node, text = document.key("spec", field), document.string("spec", field)
        if node is not None and text not in ("", "-1"):
            block.translate(key, text, node, f"spec.{field}")
    return [block]


def _user(document: Node, file: str) -> list[Block]:
    """A user whose ACLs give much on every resource."""
    block = deployment(f"KafkaUser {document.string('metadata', 'name')}", FORMAT, file)
    for number, acl in enumerate(document.items("spec", "authorization", "acls")):
        resource = acl.string("resource", "type")
        key = acl.get("resource")
        operations = [item.text for item in acl.items("operations")] or [acl.string("operation")]
        everything = acl.string("resource", "name") == WILDCARD and acl.string("resource", "patternType") != "prefix"
        dangerous = [operation for operation in operations if operation in MANY]
        if key is not None and everything and dangerous and acl.string("type") != "deny":
            name = acl.key("resource") or key
            block.translate(
                f"acl.{number}",
                f"{', '.join(dangerous)} on {resource} *",
                name,
                f"spec.authorization.acls[{number}].resource",
            )
    return [block, *api_version(block, document)] if block.settings else []


READERS = {
    "KafkaTopic": _topic,
    "KafkaUser": _user,
    "KafkaConnect": connect_block,
    "KafkaConnector": connector_block,
    "KafkaMirrorMaker2": mirror_block,
    "KafkaBridge": bridge_block,
}
"""What reads each kind beside clusters."""
