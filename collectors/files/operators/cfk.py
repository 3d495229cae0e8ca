"""Confluent for Kubernetes (platform.confluent.io): brokers, controllers, ZooKeeper, Connect, topics, connectors.

Source: the CFK API reference, docs.confluent.io/operator.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model import OF_CONNECTOR, Spelling
from advisor.secrets.placeholders import is_placeholder
from collectors.files.block import Block, deployment, stated_target
from collectors.files.connectors import with_clients
from collectors.files.containers.pod_limits import LATER_OPTIONS, OPTIONS, add_heap_of
from collectors.files.images.image import Image
from collectors.files.operators.common import (
    MOST_SERVERS,
    authorizer,
    connector,
    describe_access,
    protocol,
    switch,
    take_zookeeper,
    topic,
)
from collectors.files.sources import Sources
from collectors.files.syntax.properties_file import read_settings
from collectors.files.syntax.tree import MAPPING, TreeNode

FORMAT_NAME = "cfk"
GROUP = "platform.confluent.io/"
OPERATOR = "Confluent for Kubernetes writes it itself"
WRITTEN_BY_OPERATOR = ("default.replication.factor", "min.insync.replicas")
"""Settings that the operator writes itself, by rules of its own: what they are is not known."""
NODES = {"Kafka": "broker", "KRaftController": "controller"}
SERVER = "spec.configOverrides.server."
PORTS = {"internal": "9071", "external": "9092", "replication": "9072", "token": "9073"}
"""The ports of listeners; one of a name of its own says its port."""
LIMIT = ("podTemplate", "resources", "limits", "memory")
SASL = ("plain", "ldap", "oauth", "oauthbearer", "digest")
"""Types of authentication that are mechanisms of SASL."""


def knows(document: TreeNode) -> bool:
    """Whether a document is a resource of Confluent for Kubernetes."""
    return document.string("apiVersion").startswith(GROUP)


def blocks(documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The blocks of a cluster's resources."""
    kafka_blocks: list[Block] = []
    zookeepers = [document for document in documents if document.string("kind") == "Zookeeper"]
    for document in documents:
        kind = document.string("kind")
        if kind in NODES:
            kafka_blocks += _node(document, NODES[kind], documents, zookeepers, sources.shown)
        elif kind == "Connect":
            kafka_blocks += [
                _overrides(Block("connect", _name(document), FORMAT_NAME, sources.shown, SERVER), document)
            ]
        elif kind == "KafkaTopic":
            kafka_blocks += [topic(document, FORMAT_NAME, sources.shown, "configs", ("replicas", "partitionCount"))]
        elif kind == "Connector":
            block = connector(document, _name(document), FORMAT_NAME, sources.shown, "configs")
            block.known_as, block.removal = document.string("metadata", "name"), OF_CONNECTOR
            kafka_blocks += with_clients(block)
    return [block for block in kafka_blocks if block.settings]


def _name(document: TreeNode) -> str:
    return f"{document.string('kind')} {document.string('metadata', 'name')}"


def _overrides(block: Block, document: TreeNode) -> Block:
    """Add the lines of configOverrides.server, and the release of the image."""
    block.fragment = OPERATOR
    block.spelling = block.spelling or Spelling(SERVER)
    for item in document.items("spec", "configOverrides", "server"):
        settings, _ = read_settings(item.text, block.file, item.line - 1, item.column - 1)
        block.take_settings(settings.values(), SERVER)
    key = document.key("spec", "image", "application")
    if key is not None:
        image = Image(document.string("spec", "image", "application"))
        if image.release is not None:
            block.target = stated_target(image.release, image.reference, key, block.file, "spec.image.application")
    return block


def _node(
    document: TreeNode, kind: str, documents: Sequence[TreeNode], zookeepers: Sequence[TreeNode], file: str
) -> list[Block]:
    block = Block(kind, _name(document), FORMAT_NAME, file, SERVER)
    names = {
        "authorizer.class.name": "spec.authorization",
        "listeners": "spec.listeners",
        "broker.rack": "spec.rackAssignment",
    }
    block.spelling = Spelling(SERVER, names=names)
    overrides = dict(_overrides(block, document).settings)
    place = document.key("kind")
    assert place is not None
    has_controllers = any(each.string("kind") == "KRaftController" for each in documents)
    in_kraft = (
        has_controllers or kind == "controller" or document.get("spec", "dependencies", "kRaftController") is not None
    )
    if in_kraft:
        block.translate("process.roles", kind, place, "kind")
        _voters(block, documents)
    elif zookeepers:
        _zookeeper(block, zookeepers[0])
    if kind == "broker":
        _listeners(block, document, place)
        _authorization(block, document, place, in_kraft)
        rack = document.key("spec", "rackAssignment")
        if rack is not None:
            block.translate("broker.rack", "zone", rack, "spec.rackAssignment")
    block.settings.update(overrides)
    brokers = next((each for each in documents if each.string("kind") == "Kafka"), None)
    block.cluster = "Kafka"
    block.brokers = _replicas(brokers) if brokers is not None else None
    return [block, _facts(document, kind, file, block), *_public_access(document, kind, file)]


def _replicas(document: TreeNode) -> int:
    """The number of pods; three where it does not say."""
    return document.whole("spec", "replicas") or 3


def _voters(block: Block, documents: Sequence[TreeNode]) -> None:
    controllers = [each for each in documents if each.string("kind") == "KRaftController"]
    key = controllers[0].key("spec", "replicas") if controllers else None
    if key is not None:
        number = min(_replicas(controllers[0]), MOST_SERVERS)
        voters = ",".join(f"{9990 + index}@kraftcontroller-{index}:9074" for index in range(number))
        block.derive("controller.quorum.voters", voters, key, "spec.replicas")


def _zookeeper(block: Block, zookeeper: TreeNode) -> None:
    kind = zookeeper.key("kind")
    if kind is not None:
        size = (zookeeper.key("spec", "replicas"), "Zookeeper.spec.replicas")
        take_zookeeper(block, _replicas(zookeeper), kind, "kind", size)


def _listeners(block: Block, document: TreeNode, place: TreeNode) -> None:
    """Its listeners: PLAINTEXT where nothing says TLS or authentication, which is the operator's default."""
    given = {name: node for name, (_, node) in document.mapping("spec", "listeners").items() if node.kind == MAPPING}
    custom = {item.string("name"): item for item in document.items("spec", "listeners", "custom")}
    key = document.key("spec", "listeners") or place
    every = {
        name: node
        for name, node in {"internal": None, "external": None, **given, **custom}.items()
        if name != "controller"
    }
    entries, protocols = [], []
    for name, node in every.items():
        upper, port = name.upper(), node.string("port") if node is not None else ""
        entries.append(f"{upper}://:{port or PORTS.get(name, '${port}')}")
        protocols.append(f"{upper}:{_protocol(node)}")
        if node is not None and node.string("authentication", "type") == "mtls":
            auth = node.key("authentication") or key
            block.translate(
                f"listener.name.{name.lower()}.ssl.client.auth",
                "required",
                auth,
                f"spec.listeners.{name}.authentication",
            )
    block.translate("listeners", ",".join(entries), key, "spec.listeners")
    block.translate("listener.security.protocol.map", ",".join(protocols), key, "spec.listeners")
    inter = "REPLICATION" if "replication" in every else "INTERNAL"
    block.translate("inter.broker.listener.name", inter, key, "spec.listeners")
    block.described = {
        "ssl.keystore.location": "/mnt/sslcerts/keystore.p12",
        "ssl.truststore.location": "/mnt/sslcerts/truststore.p12",
        **dict.fromkeys(WRITTEN_BY_OPERATOR),
    }


def _protocol(node: TreeNode | None) -> str:
    """The protocol of a listener; None is one that the resource leaves to the operator."""
    if node is None:
        return protocol(tls=False, sasl=False)
    login = node.string("authentication", "type")
    return protocol(switch(node.string("tls", "enabled")), None if is_placeholder(login) else login in SASL)


def _authorization(block: Block, document: TreeNode, place: TreeNode, in_kraft: bool) -> None:
    kind, key = document.string("spec", "authorization", "type"), document.key("spec", "authorization")
    kafka_authorizer = authorizer(in_kraft)
    if key is not None:
        name = (
            "io.confluent.kafka.security.authorizer.ConfluentServerAuthorizer" if kind == "rbac" else kafka_authorizer
        )
        block.translate("authorizer.class.name", name, key, "spec.authorization")
        users = ";".join(item.text for item in document.items("spec", "authorization", "superUsers"))
        users_key = document.key("spec", "authorization", "superUsers") or key
        block.translate("super.users", users or "User:kafka", users_key, "spec.authorization.superUsers")
    elif "authorizer.class.name" not in block.settings:
        block.translate("authorizer.class.name", "", place, "spec.authorization")


def _facts(document: TreeNode, kind: str, file: str, block: Block) -> Block:
    facts = deployment(block.name, FORMAT_NAME, file)
    facts.cluster = block.cluster
    facts.described = {"runs": kind}
    for fact, path in (("storage.size", ("spec", "dataVolumeCapacity")), ("image", ("spec", "image", "application"))):
        key = document.key(*path)
        if key is not None:
            facts.translate(fact, document.string(*path), key, ".".join(path))
    replicas = document.key("spec", "replicas")
    if kind == "broker" and replicas is not None:
        facts.translate("brokers", str(_replicas(document)), replicas, "spec.replicas")
    _memory(facts, document)
    return facts


def _memory(facts: Block, document: TreeNode) -> None:
    """Add the heap of the options for Java, and the limit of the pod's memory."""
    options, limit = document.key("spec", "configOverrides", "jvm"), document.key("spec", *LIMIT)
    variables = {item.string("name") for item in document.items("spec", "podTemplate", "envVars")}
    if options is not None and not variables & {OPTIONS, *LATER_OPTIONS}:
        text = " ".join(item.text for item in document.items("spec", "configOverrides", "jvm"))
        add_heap_of(facts, text, options, "spec.configOverrides.jvm")
    if limit is not None:
        facts.translate("memory.limit", document.string("spec", *LIMIT), limit, ".".join(("spec", *LIMIT)))


def _public_access(document: TreeNode, kind: str, file: str) -> list[Block]:
    """Every listener that is reachable from outside of Kubernetes, and its protocol."""
    blocks = []
    for name, (_, listener) in document.mapping("spec", "listeners").items():
        outside = listener.key("externalAccess") if listener.kind == MAPPING else None
        if outside is not None:
            facts = deployment(f"{_name(document)} listener {name}", FORMAT_NAME, file)
            describe_access(facts, _protocol(listener), outside)
            facts.described = {**(facts.described or {}), "runs": kind}
            access = f"{listener.string('externalAccess', 'type')} {name}"
            facts.translate("public.access", access, outside, f"spec.listeners.{name}.externalAccess")
            blocks.append(facts)
    return blocks
