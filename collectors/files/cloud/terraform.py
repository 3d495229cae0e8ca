"""Terraform: Amazon MSK's configurations and clusters, topics of several providers, connectors.

Source: the providers' documentation in registry.terraform.io (hashicorp/aws, Mongey/kafka, confluentinc/confluent,
aiven/aiven), and terraform-aws-modules/msk-kafka-cluster.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model import DEPLOYMENT, OVERLAY, Spelling, Target
from collectors.files.block import WORKER, Block, stated_target, text_of
from collectors.files.embedded import embedded
from collectors.files.names import key_of
from collectors.files.sources import Sources
from collectors.files.syntax import hcl_tree
from collectors.files.syntax.hcl_locals import fill_references
from collectors.files.syntax.tree import MAPPING, TreeNode

FORMAT_NAME = "terraform"
MSK_DEFAULTS = "Amazon MSK decides it, by its zones, the brokers' type and tiering"
CONFIGURATION, CLUSTER = "aws_msk_configuration", "aws_msk_cluster"
TOPICS = {
    "kafka_topic": ("name", "replication_factor", "partitions"),
    "aiven_kafka_topic": ("topic_name", "replication", "partitions"),
    "confluent_kafka_topic": ("topic_name", "", "partitions_count"),
    "digitalocean_database_kafka_topic": ("name", "replication_factor", "partition_count"),
    "redpanda_topic": ("name", "replication_factor", "partition_count"),
}
"""Of each resource the fields with the name, the replication factor and the partitions."""
CONNECTORS = {
    "confluent_connector": "config_nonsensitive",
    "kafka_connect_connector": "config",
    "aiven_kafka_connector": "config",
}
AIVEN = "Aiven decides it"
SASL = ("iam", "scram")


def hcl_blocks(text: str, sources: Sources) -> list[Block]:
    """The blocks of the resources of a file that concern Kafka; what the same file says of its references is filled in."""
    every = hcl_tree.blocks(text, sources.shown)
    fill_references(every)
    return resource_blocks([each for each in every if each.type in ("resource", "module")], sources.shown)


def resource_blocks(resources: Sequence[hcl_tree.HclBlock], file: str) -> list[Block]:
    """The blocks of the resources that concern Kafka."""
    kafka_blocks: list[Block] = []
    clusters = [each for each in resources if each.labels[:1] == (CLUSTER,)]
    for resource in resources:
        type, name = (*resource.labels, "", "")[:2]
        if resource.type == "module":
            kafka_blocks += _module(resource.body, type, file)
        elif type == CONFIGURATION:
            kafka_blocks += _configuration(resource.body, name, clusters, file)
        elif type == CLUSTER:
            kafka_blocks += _cluster(resource.body, name, resources, file)
        elif type in TOPICS:
            kafka_blocks.append(_topic(resource.body, type, name, file))
        elif type in CONNECTORS:
            kafka_blocks.append(_connector(resource.body, type, name, file))
        elif type == "aiven_kafka":
            kafka_blocks.append(_aiven(resource.body, name, file))
    return [block for block in kafka_blocks if block.settings]


def _block(kind: str, name: str, file: str, written: str = "") -> Block:
    block = Block(kind, name, FORMAT_NAME, file, written)
    block.joint = " = "
    return block


def _configuration(body: TreeNode, name: str, clusters: Sequence[hcl_tree.HclBlock], file: str) -> list[Block]:
    """A configuration of Amazon MSK: what it leaves out has the service's defaults, which depend on the cluster."""
    node = body.get("server_properties")
    if node is None:
        return []
    if node.kind == MAPPING:
        block = _block(OVERLAY, f"{CONFIGURATION}.{name}", file, "server_properties.")
        block.take(node)
    else:
        block = embedded(node, f"{CONFIGURATION}.{name}", FORMAT_NAME, file, OVERLAY, "server_properties.")
    block.spelling = Spelling("server_properties.")
    block.fragment = MSK_DEFAULTS
    block.cluster = _cluster_name(name, clusters)
    holder = next((each.body for each in clusters if _names(each.body, name)), None)
    if holder is not None:
        block.target = _target(holder, "kafka_version", f"{CLUSTER}.kafka_version", file)
    return [block]


def _names(cluster: TreeNode, configuration: str) -> bool:
    return f"{CONFIGURATION}.{configuration}." in cluster.string("configuration_info", "arn")


def _cluster_name(configuration: str, clusters: Sequence[hcl_tree.HclBlock]) -> str:
    owner = next(
        (each.labels[1] for each in clusters if len(each.labels) > 1 and _names(each.body, configuration)), None
    )
    return f"{CLUSTER}.{owner}" if owner else f"{CONFIGURATION}.{configuration}"


def _target(body: TreeNode, field: str, written: str, file: str) -> Target | None:
    text, key = body.string(field), body.key(field)
    target = stated_target(f"msk{text}", text, key, file, written) if text and key is not None else None
    if target is not None and target.stated is not None:
        target.stated.lead = f"{field} = "
    return target


def _cluster(body: TreeNode, name: str, resources: Sequence[hcl_tree.HclBlock], file: str) -> list[Block]:
    facts = _block(DEPLOYMENT, f"{CLUSTER}.{name}", file)
    facts.cluster = f"{CLUSTER}.{name}"
    facts.described = {"runs": "broker"}
    facts.spelling = Spelling(f"{CLUSTER}.", names={"client.authentication": f"{CLUSTER}.client_authentication"})
    _fact(facts, "brokers", body, CLUSTER, "number_of_broker_nodes")
    _fact(facts, "instance.type", body, CLUSTER, "broker_node_group_info", "instance_type")
    if body.whole("configuration_info", "revision") is not None:
        _fact(facts, "revision", body, CLUSTER, "configuration_info", "revision")
    if not _has_authentication(body):
        facts.described["client.authentication"] = "none"
    _fact(facts, "client.protocol", body, CLUSTER, "encryption_info", "encryption_in_transit", "client_broker")
    _versions(facts, body, resources)
    has_configuration = body.get("configuration_info") is not None
    facts.target = _target(body, "kafka_version", f"{CLUSTER}.kafka_version", file)
    return [facts] if has_configuration else [facts, *_bare(facts, body, file)]


def _bare(facts: Block, body: TreeNode, file: str) -> list[Block]:
    """A cluster without a configuration of its own is judged for its release alone."""
    block = _block(OVERLAY, facts.name, file, f"{CLUSTER}.")
    block.fragment = MSK_DEFAULTS
    block.target = facts.target
    key = body.key("number_of_broker_nodes")
    if key is not None:
        block.translate("broker.rack", "zone", key, f"{CLUSTER}.broker_node_group_info")
    return [block]


def _fact(facts: Block, fact: str, body: TreeNode, type: str, *path: str) -> None:
    key, text = body.key(*path), body.string(*path)
    if key is not None and text:
        facts.translate(fact, text, key, ".".join((type, *path)))


def _has_authentication(body: TreeNode) -> bool:
    node = body.get("client_authentication")
    if node is None or body.string("client_authentication", "unauthenticated") == "true":
        return False
    return any(body.get("client_authentication", *path) is not None for path in (("sasl",), ("tls",)))


def _versions(facts: Block, body: TreeNode, resources: Sequence[hcl_tree.HclBlock]) -> None:
    """The releases that the cluster's configuration is written for, and behind them the cluster's own."""
    version = body.string("kafka_version")
    for resource in resources:
        type, name = (*resource.labels, "", "")[:2]
        versions = resource.body.items("kafka_versions") if type == CONFIGURATION and _names(body, name) else []
        texts = [item.text for item in versions]
        if version and texts and "$" not in "".join(texts):
            place = TreeNode("scalar", versions[0].line, versions[0].column, "kafka_versions")
            written = f"{CONFIGURATION}.kafka_versions"
            facts.translate("configuration.versions", f"{', '.join(texts)} {version}", place, written)


def _module(body: TreeNode, name: str, file: str) -> list[Block]:
    """terraform-aws-modules/msk-kafka-cluster."""
    properties = body.get("configuration_server_properties")
    if "msk" not in body.string("source") and properties is None:
        return []
    block = _block(OVERLAY, f"module.{name}", file, "configuration_server_properties.")
    block.fragment = MSK_DEFAULTS
    block.cluster = f"module.{name}"
    block.target = _target(body, "kafka_version", f"module.{name}.kafka_version", file)
    block.take(properties)
    facts = _block(DEPLOYMENT, f"module.{name}", file)
    facts.cluster = f"module.{name}"
    facts.described = {"runs": "broker"}
    _fact(facts, "brokers", body, f"module.{name}", "number_of_broker_nodes")
    _fact(facts, "instance.type", body, f"module.{name}", "broker_node_instance_type")
    return [block, facts]


def _topic(body: TreeNode, type: str, name: str, file: str) -> Block:
    _, factor, partitions = TOPICS[type]
    block = _block("topic", f"{type}.{name}", file, f"{type}.{name}.config.")
    names = {"replication.factor": f"{type}.{name}.{factor}"} if factor else {}
    block.spelling = Spelling(f"{type}.{name}.config.", names=names)
    for key, (key_node, value) in body.mapping("config").items():
        kafka_key = key if "." in key else key_of(key, ("topic",)) or key
        block.set(kafka_key, text_of(value), key_node, value, f"{type}.{name}.config.{key}")
    block.create_with(body, factor, partitions, f"{type}.{name}.")
    return block


def _connector(body: TreeNode, type: str, name: str, file: str) -> Block:
    field = CONNECTORS[type]
    block = _block("connect", f"{type}.{name}", file, f"{type}.{name}.{field}.")
    block.fragment = WORKER
    block.take(body.get(field))
    if "connector.class" not in block.settings:
        block.settings.clear()
    return block


def _aiven(body: TreeNode, name: str, file: str) -> Block:
    written = f"aiven_kafka.{name}.kafka_user_config.kafka."
    block = _block(OVERLAY, f"aiven_kafka.{name}", file, written)
    block.fragment = AIVEN
    for field, (key_node, value) in body.mapping("kafka_user_config", "kafka").items():
        key = key_of(field, ("broker",))
        if key is not None and not value.is_null:
            block.set(key, text_of(value), key_node, value, written + field)
    version = body.key("kafka_user_config", "kafka_version")
    if version is not None:
        text = body.string("kafka_user_config", "kafka_version")
        block.target = stated_target(text, text, version, file, f"aiven_kafka.{name}.kafka_user_config.kafka_version")
    return block
