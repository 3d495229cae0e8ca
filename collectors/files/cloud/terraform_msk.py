"""Amazon MSK in Terraform: its configurations, its clusters, and terraform-aws-modules/msk-kafka-cluster."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from advisor.model import DEPLOYMENT, OVERLAY, PLACEHOLDER, Spelling, Target
from collectors.files.block import Block, stated_target
from collectors.files.cloud.terraform_resource import FORMAT_NAME, Resource, block_of, is_placeholder, unsettle
from collectors.files.cloud.terraform_types import CLUSTER, CONFIGURATION, CONNECT_WORKER, REVISION_IN_FORCE
from collectors.files.embedded import decoded_at, embedded
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

MSK_DEFAULTS = "Amazon MSK decides it, by its zones, the brokers' type and tiering"
MSK_CONNECT = "MSK Connect sets it"
CONNECTOR = "aws_mskconnect_connector"
SERVERS = ("kafka_cluster", "apache_kafka_cluster", "bootstrap_servers")
ENCRYPTION = ("kafka_cluster_encryption_in_transit", "encryption_type")
LOGIN = ("kafka_cluster_client_authentication", "authentication_type")
PROTOCOLS_OF_CONNECT = {
    ("PLAINTEXT", "NONE"): "PLAINTEXT", ("TLS", "NONE"): "SSL", ("PLAINTEXT", "IAM"): "SASL_PLAINTEXT", ("TLS", "IAM"): "SASL_SSL",
}  # fmt: skip
"""The protocol of a connector's workers by encryption_type and authentication_type."""
NAMED = re.compile(rf"{CONFIGURATION}\.([A-Za-z0-9_-]{{1,200}})(?:\[[^\]]{{0,200}}\])?")


class MskLinks:
    """Which cluster takes which configuration: the first cluster of a configuration, and the configurations of a cluster."""

    def __init__(self, resources: Sequence[Resource]) -> None:
        self.cluster_of: dict[str, Resource] = {}
        self._configurations: dict[str, list[Resource]] = {}
        for each in resources:
            if each.labels[:1] == (CLUSTER,):
                for name in _names_in(each.body):
                    self.cluster_of.setdefault(name, each)
            elif each.labels[:1] == (CONFIGURATION,):
                self._configurations.setdefault(each.name, []).append(each)

    def owner(self, configuration: str) -> Resource | None:
        """The cluster that takes a configuration."""
        return self.cluster_of.get(configuration) or self.cluster_of.get(configuration.partition("[")[0])

    def configurations(self, cluster: TreeNode) -> list[Resource]:
        """The configurations that a cluster takes."""
        names = _names_in(cluster)
        return [each for name in names for each in self._configurations.get(name, ())]


def _names_in(cluster: TreeNode) -> list[str]:
    """The names of the configuration that a cluster refers to: with its index, and without."""
    match = NAMED.search(cluster.string("configuration_info", "arn"))
    return [] if match is None else list(dict.fromkeys((match[0].partition(".")[2], match[1])))


def configuration(body: TreeNode, name: str, links: MskLinks, file: str) -> list[Block]:
    """A configuration of Amazon MSK: what it leaves out has the service's defaults, which depend on the cluster."""
    node = body.get("server_properties")
    if node is None:
        return []
    is_unknown = is_placeholder(node)
    if node.kind == MAPPING or node.is_null or is_unknown:
        block = block_of(OVERLAY, f"{CONFIGURATION}.{name}", file, "server_properties.")
        block.take(node)
    else:
        text = decoded_at(body.key("server_properties") or node, node) or node
        block = embedded(text, f"{CONFIGURATION}.{name}", FORMAT_NAME, file, OVERLAY, "server_properties.")
    if node.kind != SCALAR or is_unknown:
        unsettle(block, node, body.key("server_properties"), "server_properties")
    block.spelling = Spelling("server_properties.")
    block.fragment = MSK_DEFAULTS
    block.resource = _identity(body, name)
    owner = links.owner(name)
    block.scope = os.path.dirname(file) or "."
    block.cluster = f"{CLUSTER}.{owner.name}" if owner is not None else f"{CONFIGURATION}.{name}"
    own_target = _target(owner.body, "kafka_version", f"{CLUSTER}.kafka_version", file) if owner is not None else None
    block.target = own_target or _newest_listed(body, file)
    return [block]


def _newest_listed(body: TreeNode, file: str) -> Target | None:
    """The newest of the releases that a configuration is written for."""
    written = f"{CONFIGURATION}.kafka_versions"
    targets = (stated_target(item.text, item.text, item, file, written) for item in body.items("kafka_versions"))
    return max((target for target in targets if target), key=lambda target: target.version, default=None)


def _identity(body: TreeNode, name: str) -> str:
    """The address of a configuration, with the fields that replace it, unless the new one is created before the old one is deleted."""
    if body.string("lifecycle", "create_before_destroy") == "true":
        return f"{CONFIGURATION}.{name}"
    versions = ",".join(sorted(item.text for item in body.items("kafka_versions")))
    texts = (body.string("name"), versions)
    return " ".join((f"{CONFIGURATION}.{name}", *("".join(text.split()) or "-" for text in texts)))


def connect_worker(body: TreeNode, name: str, file: str) -> list[Block]:
    """The workers of MSK Connect: the service sets their cluster, their group and the topics that they keep."""
    node = body.get("properties_file_content")
    if node is None or node.kind != SCALAR:
        return []
    written = "properties_file_content."
    if is_placeholder(node):
        block = block_of("connect", f"{CONNECT_WORKER}.{name}", file, written)
    else:
        block = embedded(node, f"{CONNECT_WORKER}.{name}", FORMAT_NAME, file, "connect", written)
    unsettle(block, node, body.key("properties_file_content"), "properties_file_content")
    block.spelling, block.fragment = Spelling(written), MSK_CONNECT
    return [block]


def connect_client(body: TreeNode, name: str, file: str) -> list[Block]:
    """How the workers of MSK Connect reach their cluster; nothing where one of the fields is not known."""
    servers, encryption, login = (body.string(*path) for path in (SERVERS, ENCRYPTION, LOGIN))
    protocol = PROTOCOLS_OF_CONNECT.get((encryption or "PLAINTEXT", login or "NONE"), "")
    block = block_of("connect", f"{CONNECTOR}.{name} worker", file)
    block.fragment = MSK_CONNECT
    mechanism = "AWS_MSK_IAM" if login == "IAM" else ""
    made = (
        ("bootstrap.servers", SERVERS, servers),
        ("security.protocol", ENCRYPTION, protocol),
        ("sasl.mechanism", LOGIN, mechanism),
    )
    for key, path, value in made:
        place = body.key(*path) or body.key(*SERVERS)
        if place is not None and value:
            block.translate(key, value, place, ".".join((CONNECTOR, name, *path)))
    return [block] if servers and protocol else []


def _target(body: TreeNode, field: str, written: str, file: str) -> Target | None:
    text, key = body.string(field), body.key(field)
    target = stated_target(f"msk{text}", text, key, file, written) if text and key is not None else None
    if target is not None and target.stated is not None:
        target.stated.lead = f"{field} = "
    return target


def cluster(body: TreeNode, name: str, links: MskLinks, file: str) -> list[Block]:
    facts = block_of(DEPLOYMENT, f"{CLUSTER}.{name}", file)
    facts.cluster, facts.scope = f"{CLUSTER}.{name}", os.path.dirname(file) or "."
    facts.described = {"runs": "broker"}
    facts.spelling = Spelling(f"{CLUSTER}.", names={"client.authentication": f"{CLUSTER}.client_authentication"})
    _fact(facts, "brokers", body, CLUSTER, "number_of_broker_nodes")
    _fact(facts, "instance.type", body, CLUSTER, "broker_node_group_info", "instance_type")
    if body.whole("configuration_info", "revision") is not None:
        _fact(facts, "revision", body, CLUSTER, "configuration_info", "revision")
    _configuration_of(facts, body, links, file)
    authentication = body.get("client_authentication")
    if authentication is not None and authentication.unknown:
        _fact_later(facts, "client.authentication", body, "client_authentication")
    elif not _has_authentication(body):
        key = body.key("client_authentication", "unauthenticated")
        written = f"{CLUSTER}.client_authentication.unauthenticated"
        if key is not None and body.string("client_authentication", "unauthenticated") == "true":
            facts.translate("client.authentication", "none", key, written)
        else:
            facts.described["client.authentication"] = "none"
    _logins(facts, body)
    _fact(
        facts, "disk.size", body, CLUSTER, "broker_node_group_info", "storage_info", "ebs_storage_info", "volume_size"
    )
    _fact(facts, "client.protocol", body, CLUSTER, "encryption_info", "encryption_in_transit", "client_broker")
    _fact(facts, "replication.encrypted", body, CLUSTER, "encryption_info", "encryption_in_transit", "in_cluster")
    _versions(facts, body, links)
    has_configuration = body.get("configuration_info") is not None
    facts.target = _target(body, "kafka_version", f"{CLUSTER}.kafka_version", file)
    return [facts] if has_configuration else [facts, *_bare(facts, body, file)]


def _configuration_of(facts: Block, body: TreeNode, links: MskLinks, file: str) -> None:
    """The configuration that a cluster takes, by its address or its ARN, and a digest of what stands in it."""
    key, arn = body.key("configuration_info", "arn"), body.string("configuration_info", "arn")
    if key is None or not arn:
        return
    named = NAMED.search(arn)
    written = f"{CLUSTER}.configuration_info.arn"
    facts.translate("configuration", arn if named is None else named[0], key, written)
    revision = body.string("configuration_info", REVISION_IN_FORCE)
    if revision:
        facts.translate("configuration.digest", f"revision {revision}", key, written)
        return
    for resource in links.configurations(body)[:1]:
        for block in configuration(resource.body, resource.name, links, file):
            facts.translate("configuration.digest", _digest(block), key, written)


def _digest(configuration: Block) -> str:
    """What tells the settings of one configuration from those of another; a template where they are not all known."""
    from hashlib import sha256

    settings = configuration.settings.values()
    digest = sha256(repr(sorted((each.key, each.value) for each in settings)).encode()).hexdigest()[:12]
    is_whole = not configuration.changed_by and all(each.shape != PLACEHOLDER for each in settings)
    return digest if is_whole else f"${{{digest}}}"


def _bare(facts: Block, body: TreeNode, file: str) -> list[Block]:
    """A cluster without a configuration of its own is judged for its release alone."""
    block = block_of(OVERLAY, facts.name, file, f"{CLUSTER}.")
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


def _fact_later(facts: Block, fact: str, body: TreeNode, field: str) -> None:
    """A fact that a field says which is not known yet."""
    key = body.key(field)
    if key is not None:
        facts.translate(fact, f"${{{field}}}", key, f"{CLUSTER}.{field}")


def _logins(facts: Block, body: TreeNode) -> None:
    """The ways to log in that a cluster offers, where all of them are known."""
    key = body.key("client_authentication")
    flags = {login: body.string("client_authentication", "sasl", login) for login in ("iam", "scram")}
    if key is None or not set(flags.values()) <= {"", "true", "false"}:
        return
    offered = [login for login, flag in flags.items() if flag == "true"]
    if body.items("client_authentication", "tls", "certificate_authority_arns"):
        offered.append("tls")
    facts.translate("client.logins", ",".join(offered), key, f"{CLUSTER}.client_authentication")


def _has_authentication(body: TreeNode) -> bool:
    node = body.get("client_authentication")
    if node is None or body.string("client_authentication", "unauthenticated") == "true":
        return False
    logins = [body.get("client_authentication", "sasl", login) for login in ("iam", "scram")]
    written = [node for node in logins if node is not None]
    is_off = bool(written) and all(node.text == "false" for node in written)
    ways = (("tls",),) if is_off else (("sasl",), ("tls",))
    return any(body.get("client_authentication", *way) is not None for way in ways)


def _versions(facts: Block, body: TreeNode, links: MskLinks) -> None:
    """The releases that the cluster's configuration is written for, and behind them the cluster's own."""
    version = body.string("kafka_version")
    for resource in links.configurations(body):
        versions = resource.body.items("kafka_versions")
        texts = [item.text for item in versions]
        if version and texts and "$" not in "".join(texts):
            place = TreeNode("scalar", versions[0].line, versions[0].column, "kafka_versions")
            written = f"{CONFIGURATION}.kafka_versions"
            facts.translate("configuration.versions", f"{', '.join(texts)} {version}", place, written)


def module(body: TreeNode, name: str, file: str) -> list[Block]:
    """terraform-aws-modules/msk-kafka-cluster."""
    properties = body.get("configuration_server_properties")
    is_cluster = "msk" in body.string("source") or body.key("number_of_broker_nodes") is not None
    if not is_cluster and properties is None:
        return []
    block = block_of(OVERLAY, f"module.{name}", file, "configuration_server_properties.")
    block.fragment = MSK_DEFAULTS
    block.cluster = f"module.{name}"
    block.target = _target(body, "kafka_version", f"module.{name}.kafka_version", file)
    block.take(properties)
    unsettle(block, properties, body.key("configuration_server_properties"), "configuration_server_properties")
    facts = block_of(DEPLOYMENT, f"module.{name}", file)
    facts.cluster = f"module.{name}"
    facts.described, facts.target = {"runs": "broker"}, block.target
    _fact(facts, "brokers", body, f"module.{name}", "number_of_broker_nodes")
    _fact(facts, "instance.type", body, f"module.{name}", "broker_node_instance_type")
    return [block, facts]
