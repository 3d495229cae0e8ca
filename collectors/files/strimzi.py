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


def knows(document: Node) -> bool:
    """Whether a document is a resource of Strimzi."""
    return document.string("apiVersion").startswith(GROUP)


def blocks(documents: Sequence[Node], sources: Sources) -> list[Block]:
    """The blocks of Strimzi's resources; node pools count for the cluster that their label names."""
    pools = [document for document in documents if document.string("kind") == "KafkaNodePool"]
    kafka_blocks: list[Block] = []
    for document in documents:
        kind = document.string("kind")
        if kind == "Kafka":
            pools_of_cluster = [pool for pool in pools if _cluster_of(pool) == document.string("metadata", "name")]
            kafka_blocks += cluster_blocks(document, pools_of_cluster, sources.shown)
            pools = [pool for pool in pools if pool not in pools_of_cluster]
        elif kind in READERS:
            kafka_blocks += READERS[kind](document, sources.shown)
    for pool in pools:
        kafka_blocks += cluster_blocks(None, [pool], sources.shown)
    return kafka_blocks


def _cluster_of(pool: Node) -> str:
    return pool.string("metadata", "labels", CLUSTER_LABEL)


def _topic(document: Node, file: str) -> list[Block]:
    name = document.string("spec", "topicName") or document.string("metadata", "name")
    block = Block("topic", name, FORMAT, file, "spec.config.")
    block.spelling = Spelling(
        "spec.config.", names={"replication.factor": "spec.replicas", "partitions": "spec.partitions"}
    )
    block.take(document.get("spec", "config"))
    spec = document.get("spec")
    if spec is not None:
        block.create_with(spec, "replicas", "partitions", "spec.")
    return [block]


def _user(document: Node, file: str) -> list[Block]:
    """A user's ACLs, each as its operations on a resource."""
    facts = deployment(f"KafkaUser {document.string('metadata', 'name')}", FORMAT, file)
    for number, acl in enumerate(document.items("spec", "authorization", "acls")):
        key = acl.key("resource")
        if key is not None:
            facts.translate(f"acl.{number}", _acl(acl), key, f"spec.authorization.acls[{number}].resource")
    api_version(facts, document)
    return [facts]


def _acl(acl: Node) -> str:
    """`All on topic *`, with `deny` before it, and `prefix` behind it where the name is one."""
    operations = [item.text for item in acl.items("operations")] or [acl.string("operation")]
    resource = (acl.string("resource", "type"), acl.string("resource", "name"))
    prefixed = " prefix" if acl.string("resource", "patternType") == "prefix" else ""
    denies = "deny " if acl.string("type") == "deny" else ""
    return f"{denies}{', '.join(operations)} on {' '.join(resource)}{prefixed}"


READERS = {
    "KafkaTopic": _topic,
    "KafkaUser": _user,
    "KafkaConnect": connect_block,
    "KafkaConnector": connector_block,
    "KafkaMirrorMaker2": mirror_block,
    "KafkaBridge": bridge_block,
}
"""What reads each kind beside clusters."""
