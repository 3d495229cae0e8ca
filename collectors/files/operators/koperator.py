"""Koperator (kafka.banzaicloud.io): the brokers of a KafkaCluster, and topics.

Source: banzaicloud/koperator, pkg/resources/kafka/configmap.go: what the operator makes of fields is written over `readOnlyConfig`, a
broker's own over the cluster's; `clusterWideConfig` and `config` are set on running brokers, and count more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from advisor.model import OVERLAY
from collectors.files.block import Block, deployment, stated_target
from collectors.files.operators.common import MOST_SERVERS, topic
from collectors.files.sources import Sources
from collectors.files.syntax.properties_file import read_settings
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

FORMAT_NAME = "koperator"
GROUP = "kafka.banzaicloud.io/"
OPERATOR = "Koperator writes it itself"
RELEASE = re.compile(r":(?:\d\.\d{1,2}-)?(\d{1,2}\.\d{1,2}(?:\.\d{1,2})?)(?:[-_@].{0,200})?$")
"""The release in the tag of an image, behind the version of Scala."""


def knows(document: TreeNode) -> bool:
    """Whether a document is a resource of Koperator."""
    return document.string("apiVersion").startswith(GROUP)


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The brokers of clusters, and topics."""
    kafka_blocks: list[Block] = []
    for document in documents:
        if document.string("kind") == "KafkaCluster":
            kafka_blocks += _cluster(document, sources.shown)
        elif document.string("kind") == "KafkaTopic":
            kafka_blocks.append(
                topic(document, FORMAT_NAME, sources.shown, "config", ("replicationFactor", "partitions"))
            )
    return [block for block in kafka_blocks if block.settings]


def _cluster(document: TreeNode, file: str) -> Iterator[Block]:
    brokers = [item for item in document.items("spec", "brokers") if item.kind == MAPPING][:MOST_SERVERS]
    name = document.string("metadata", "name")
    for broker in brokers or [TreeNode(MAPPING, 1, 1)]:
        group = document.get("spec", "brokerConfigGroups", broker.string("brokerConfigGroup") or "default")
        configs = [each for each in (group, broker.get("brokerConfig")) if each is not None and each.kind == MAPPING]
        kind = "broker" if brokers else OVERLAY
        block = Block(kind, broker.string("id") or name, FORMAT_NAME, file, "spec.readOnlyConfig.")
        block.fragment, block.cluster, block.brokers = OPERATOR, name, len(brokers) or None
        _texts(block, document.get("spec", "readOnlyConfig"), broker.get("readOnlyConfig"))
        _made_of_fields(block, document, broker, configs)
        _texts(block, document.get("spec", "clusterWideConfig"), *(each.get("config") for each in configs))
        _release(block, document, configs)
        yield block
    yield _facts(document, brokers, file)


def _texts(block: Block, *texts: TreeNode | None) -> None:
    """Add the settings of texts with properties, of which the last counts."""
    for node in texts:
        if node is not None and node.kind == SCALAR:
            line, column = (node.line, node.indent) if node.indent is not None else (node.line - 1, node.column - 1)
            settings, _ = read_settings(node.text, block.file, line, column)
            block.take_settings(settings.values())


def _made_of_fields(block: Block, document: TreeNode, broker: TreeNode, configs: Sequence[TreeNode]) -> None:
    id, addresses = broker.key("id"), document.key("spec", "zkAddresses")
    if document.string("spec", "kRaft") != "true":
        if id is not None:
            block.translate("broker.id", broker.string("id"), id, "spec.brokers.id")
        if addresses is not None:
            servers = ",".join(item.text for item in document.items("spec", "zkAddresses"))
            block.translate("zookeeper.connect", servers, addresses, "spec.zkAddresses")
    storages = [(each.key("storageConfigs"), item.string("mountPath")) for each in configs for item in each.items("storageConfigs")]  # fmt: skip
    if storages and storages[0][0] is not None:
        paths = ",".join(f"{path}/kafka" for _, path in storages)
        block.translate("log.dirs", paths, storages[0][0], "storageConfigs.mountPath")
    rack = document.key("spec", "rackAwareness")
    if rack is not None and "broker.rack" not in block.settings:
        block.translate("broker.rack", "zone", rack, "spec.rackAwareness")
    _listeners(block, document)


def _listeners(block: Block, document: TreeNode) -> None:
    key = document.key("spec", "listenersConfig")
    internal = document.items("spec", "listenersConfig", "internalListeners")
    every = [*internal, *document.items("spec", "listenersConfig", "externalListeners")]
    if key is None or not every:
        return
    names = [(item.string("name").upper(), item) for item in every]
    entries = ",".join(f"{name}://:{item.string('containerPort')}" for name, item in names)
    protocols = ",".join(f"{name}:{item.string('type').upper()}" for name, item in names)
    block.translate("listeners", entries, key, "spec.listenersConfig")
    block.translate("listener.security.protocol.map", protocols, key, "spec.listenersConfig")
    for item in internal:
        if item.string("usedForInnerBrokerCommunication") == "true":
            block.translate("inter.broker.listener.name", item.string("name").upper(), key, "usedForInnerBrokerCommunication")  # fmt: skip
    for name, item in names:
        if item.string("type").lower() == "ssl":
            auth = item.string("sslClientAuth") or "required"
            block.translate(f"listener.name.{name.lower()}.ssl.client.auth", auth, item.key("type") or key, "sslClientAuth")  # fmt: skip
    _super_users(block, document, names)
    block.described = {
        "ssl.keystore.location": "/var/run/secrets/java.io/keystores/keystore.jks",
        "ssl.truststore.location": "/var/run/secrets/java.io/keystores/truststore.jks",
    }


def _super_users(block: Block, document: TreeNode, names: Sequence[tuple[str, TreeNode]]) -> None:
    """The principal of the brokers' certificate, which the operator adds to the super users where a listener speaks SSL."""
    key = next((item.key("type") for _, item in names if item.string("type").lower() == "ssl"), None)
    if key is not None and "super.users" not in block.settings:
        name, namespace = document.string("metadata", "name"), document.string("metadata", "namespace") or "kafka"
        block.translate("super.users", f"User:CN={name}-headless.{namespace}.svc.cluster.local", key, "type")


def _release(block: Block, document: TreeNode, configs: Sequence[TreeNode]) -> None:
    """The release of the image: a broker's own, its group's, else the cluster's."""
    for holder, field, written in (*((each, "image", "image") for each in reversed(configs)), (document.get("spec"), "clusterImage", "spec.clusterImage")):  # fmt: skip
        key = holder.key(field) if holder is not None else None
        release = RELEASE.search(holder.string(field)) if holder is not None and key is not None else None
        if holder is not None and key is not None and release is not None:
            block.target = stated_target(release[1], holder.string(field), key, block.file, written)
            return


def _facts(document: TreeNode, brokers: Sequence[TreeNode], file: str) -> Block:
    """What is no setting: the number of brokers, and whether the log segments are kept."""
    facts = deployment(f"KafkaCluster {document.string('metadata', 'name')}", FORMAT_NAME, file)
    facts.cluster, facts.described = document.string("metadata", "name"), {"runs": "broker"}
    key = document.key("spec", "brokers")
    if key is not None and brokers:
        facts.translate("brokers", str(len(brokers)), key, "spec.brokers")
    groups = [group for _, group in document.mapping("spec", "brokerConfigGroups").values() if group.kind == MAPPING]
    holders = [*groups, *(broker.get("brokerConfig") for broker in brokers)]
    storages = [item for each in holders if each is not None for item in each.items("storageConfigs")]
    emptied = next((item.key("emptyDir") for item in storages if item.key("emptyDir") is not None), None)
    if emptied is not None:
        facts.translate("storage", "ephemeral", emptied, "storageConfigs.emptyDir")
    return facts
