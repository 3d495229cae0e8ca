"""Strimzi's resources (kafka.strimzi.io): which module reads which kind; topics and users.

Source: strimzi-kafka-operator, api/src/main/java/io/strimzi/api/kafka/model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from advisor.model import OF_TOPIC, OF_USER, Spelling
from collectors.files.block import Block, deployment
from collectors.files.helm.chart_templates import filled
from collectors.files.operators.strimzi_clients import bridge_block, connect_block, connector_block, mirror_block
from collectors.files.operators.strimzi_cluster import Resource, cluster_blocks, pool_facts
from collectors.files.operators.strimzi_fields import FORMAT_NAME, api_version, is_converted_later, take_fields
from collectors.files.operators.strimzi_pairs import mismatches
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, TreeNode

POOL = "KafkaNodePool"
MARK = "strimzi.io/"
LABEL = "Kafka "
"""What the name of a cluster stands behind."""
GROUP = ("kafka.strimzi.io/", "core.strimzi.io/")
OF_NO_CLUSTER = re.compile(r"^kind: Kafka(?:Topic|User|Connector)[ \t]*$", re.MULTILINE)
"""A line of a document that is neither a cluster nor a node pool."""
MANAGED = "strimzi.io/managed"
CLUSTER_LABEL = "strimzi.io/cluster"
USER_FIELDS = {
    "login": ("spec", "authentication", "type"),
    "cluster.label": ("metadata", "labels", CLUSTER_LABEL),
    "access": ("spec", "authorization", "type"),
}


def knows(document: TreeNode) -> bool:
    """Whether a document is a resource of Strimzi."""
    return document.string("apiVersion").startswith(GROUP)


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The blocks of Strimzi's resources; node pools count for the cluster that their label names."""
    name_with_namespaces(documents)
    own_pools = [Resource(document, sources.shown) for document in documents if document.string("kind") == POOL]
    pools_of_file = by_cluster(own_pools)
    resources = sources.of_folder(FORMAT_NAME, _resources_of_folder)
    pools_of_folder, clusters_of_folder = by_cluster(resources), _count_by_name(resources)
    placed: set[str] = set()
    kafka_blocks: list[Block] = []
    for document in documents:
        kind = document.string("kind")
        if kind == "Kafka":
            cluster = document.string("metadata", "name")
            # Only a cluster in KRaft mode whose name no other one of the folder has takes pools of other files.
            is_alone = document.get("spec", "zookeeper") is None and clusters_of_folder.get(cluster) == 1
            of_folder = pools_of_folder.get(cluster, []) if is_alone else []
            pools = [*pools_of_file.get(cluster, []), *(pool for pool in of_folder if pool.file != sources.shown)]
            kafka_blocks += cluster_blocks(document, pools, sources.shown)
            placed.add(cluster)
        elif kind in READERS:
            kafka_blocks += READERS[kind](document, sources.shown)
    for pool in own_pools:
        if _cluster_of(pool.node) not in placed:
            kafka_blocks.append(pool_facts(pool, _label_of_cluster(pool.node)))
    kafka_blocks += mismatches(documents, _clusters(documents, resources), sources)
    _share_folder(kafka_blocks, clusters_of_folder, sources.folder)
    return kafka_blocks


def name_with_namespaces(documents: Sequence[TreeNode]) -> None:
    """Name clusters by their namespace as well where a file has several of one name."""
    clusters = [each for each in documents if each.string("kind") == "Kafka"]
    identities = {(each.string("metadata", "name"), each.string("metadata", "namespace")) for each in clusters}
    names = [name for name, _ in identities]
    shared = {name for name in names if names.count(name) > 1}
    for document in documents if shared else ():
        field = ("name",) if document.string("kind") == "Kafka" else ("labels", CLUSTER_LABEL)
        node, namespace = document.get("metadata", *field), document.string("metadata", "namespace")
        if node is not None and namespace and node.text in shared:
            node.text = f"{namespace}/{node.text}"


def _clusters(documents: Sequence[TreeNode], resources: Sequence[Resource]) -> dict[str, TreeNode]:
    """The Kafka resources of the folder, and of the file, whose name no other one has."""
    named: dict[str, list[TreeNode]] = {}
    for node in [resource.node for resource in resources] or documents:
        if node.string("kind") == "Kafka":
            named.setdefault(node.string("metadata", "name"), []).append(node)
    return {name: nodes[0] for name, nodes in named.items() if len(nodes) == 1}


def _resources_of_folder(sources: Sources) -> list[Resource]:
    """The Kafka resources and node pools of all files of a folder."""
    return [
        Resource(document, path)
        for path, text in sources.texts(MARK)
        for document in sources.documents(path, filled(text, sources), beside=OF_NO_CLUSTER)
        if document.kind == MAPPING and document.string("kind") in ("Kafka", POOL)
    ]


def by_cluster(resources: Iterable[Resource]) -> dict[str, list[Resource]]:
    """The resources by the cluster that their label names."""
    resources_of: dict[str, list[Resource]] = {}
    for resource in resources:
        resources_of.setdefault(_cluster_of(resource.node), []).append(resource)
    return resources_of


def _count_by_name(resources: Sequence[Resource]) -> dict[str, int]:
    """How many Kafka resources have a name."""
    counts: dict[str, int] = {}
    for node in (resource.node for resource in resources if resource.node.string("kind") == "Kafka"):
        name = node.string("metadata", "name")
        counts[name] = counts.get(name, 0) + 1
    return counts


def _share_folder(blocks: Sequence[Block], clusters_of_folder: Mapping[str, int], folder: str) -> None:
    """Count the blocks for the one cluster of their name in the folder; examples have several of one name."""
    for block in blocks:
        if block.cluster is not None and clusters_of_folder.get(block.cluster.removeprefix(LABEL)) == 1:
            block.scope = folder


def _label_of_cluster(resource: TreeNode) -> str | None:
    name = _cluster_of(resource)
    return f"{LABEL}{name}" if name else None


def _cluster_of(resource: TreeNode) -> str:
    return resource.string("metadata", "labels", CLUSTER_LABEL)


def _topic(document: TreeNode, file: str) -> list[Block]:
    name = document.string("spec", "topicName") or document.string("metadata", "name")
    block = Block("topic", name, FORMAT_NAME, file, "spec.config.")
    block.spelling = Spelling(
        "spec.config.", names={"replication.factor": "spec.replicas", "partitions": "spec.partitions"}
    )
    block.take(document.get("spec", "config"))
    spec = document.get("spec")
    if spec is not None:
        block.create_with(spec, "replicas", "partitions", "spec.")
    block.cluster = _label_of_cluster(document)
    block.removal = OF_TOPIC if _is_managed(document) else ""
    block.known_as, block.resource = name, document.string("metadata", "name")
    return [block, *_unconverted(document, file)]


def _unconverted(topic: TreeNode, file: str) -> list[Block]:
    """A deployment of a topic's resource that has an old API version."""
    facts = deployment(f"KafkaTopic {topic.string('metadata', 'name')}", FORMAT_NAME, file)
    if is_converted_later(topic):
        api_version(facts, topic)
    return [facts] if facts.settings else []


def _is_managed(topic: TreeNode) -> bool:
    """Whether the operator deletes the topic with its resource."""
    return topic.string("metadata", "annotations", MANAGED).lower() != "false"


def _user(document: TreeNode, file: str) -> list[Block]:
    """A user's ACLs, each as its operations on a resource."""
    facts = deployment(f"KafkaUser {document.string('metadata', 'name')}", FORMAT_NAME, file)
    facts.removal = OF_USER
    take_fields(facts, document, USER_FIELDS)
    quotas = document.mapping("spec", "quotas")
    for quota, (place, value) in quotas.items():
        facts.set(f"quota.{quota}", value.text, place, value, f"spec.quotas.{quota}")
    for number, acl in enumerate(document.items("spec", "authorization", "acls")):
        key = acl.key("resource")
        if key is not None:
            facts.translate(f"acl.{number}", _acl(acl), key, f"spec.authorization.acls[{number}].resource")
    api_version(facts, document)
    return [facts]


def _acl(acl: TreeNode) -> str:
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
