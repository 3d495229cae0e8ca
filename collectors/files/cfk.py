"""Confluent for Kubernetes (platform.confluent.io): brokers, controllers, ZooKeeper, Connect, topics, connectors.

Source: the CFK API reference, docs.confluent.io/operator.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model import Spelling
from collectors.files.block import WORKER, Block, deployment, make_setting
from collectors.files.images import Image
from collectors.files.properties_file import read_settings
from collectors.files.sources import Sources
from collectors.files.tree import MAPPING, Node

FORMAT = "cfk"
GROUP = "platform.confluent.io/"
OPERATOR = "Confluent for Kubernetes writes it itself"
NODES = {"Kafka": "broker", "KRaftController": "controller"}
SERVER = "spec.configOverrides.server."
INTERNAL = ("internal", "replication", "token", "controller")
"""Listeners that no client of an application uses."""


def knows(document: Node) -> bool:
    """Whether a document is a resource of Confluent for Kubernetes."""
    return document.string("apiVersion").startswith(GROUP)


def blocks(documents: Sequence[Node], sources: Sources) -> list[Block]:
    """The blocks of a cluster's resources."""
    several: list[Block] = []
    zookeepers = [document for document in documents if document.string("kind") == "Zookeeper"]
    for document in documents:
        kind = document.string("kind")
        if kind in NODES:
            several += _node(document, NODES[kind], documents, zookeepers, sources.shown)
        elif kind == "Connect":
            several += [_overrides(Block("connect", _name(document), FORMAT, sources.shown, SERVER), document)]
        elif kind == "KafkaTopic":
            several += [_topic(document, sources.shown)]
        elif kind == "Connector":
            several += [_connector(document, sources.shown)]
    return [block for block in several if block.settings]


def _name(document: Node) -> str:
    return f"{document.string('kind')} {document.string('metadata', 'name')}"


def _overrides(block: Block, document: Node) -> Block:
    """Add the lines of configOverrides.server, and the release of the image."""
    block.fragment = OPERATOR
    block.spelling = block.spelling or Spelling(SERVER)
    for item in document.items("spec", "configOverrides", "server"):
        settings, _ = read_settings(item.text, block.file, item.line - 1, item.column - 1)
        block.take_settings(settings.values(), SERVER)
    key = document.key("spec", "image", "application")
    if key is not None:
        image = Image(document.string("spec", "image", "application"))
        stated = make_setting("kafka-version", image.reference, block.file, key, None)
        stated.written = "spec.image.application"
        block.target = image.target(stated)
    return block


def _node(document: Node, kind: str, documents: Sequence[Node], zookeepers: Sequence[Node], file: str) -> list[Block]:
    block = Block(kind, _name(document), FORMAT, file, SERVER)
    names = {
        "authorizer.class.name": "spec.authorization",
        "listeners": "spec.listeners",
        "broker.rack": "spec.rackAssignment",
    }
    block.spelling = Spelling(SERVER, names=names)
    _overrides(block, document)
    place = document.key("kind")
    assert place is not None
    in_kraft = any(each.string("kind") == "KRaftController" for each in documents) or kind == "controller"
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
    brokers = next((each for each in documents if each.string("kind") == "Kafka"), None)
    block.cluster = "Kafka"
    block.brokers = _replicas(brokers) if brokers is not None else None
    return [block, _facts(document, kind, file, block)]


def _replicas(document: Node) -> int:
    text = document.string("spec", "replicas")
    return int(text) if text.isdigit() and len(text) < 6 else 3


def _voters(block: Block, documents: Sequence[Node]) -> None:
    controllers = [each for each in documents if each.string("kind") == "KRaftController"]
    key = controllers[0].key("spec", "replicas") if controllers else None
    if key is not None:
        number = min(_replicas(controllers[0]), 100)
        voters = ",".join(f"{9990 + index}@kraftcontroller-{index}:9074" for index in range(number))
        block.translate("controller.quorum.voters", voters, key, "spec.replicas")


def _zookeeper(block: Block, zookeeper: Node) -> None:
    kind, size = zookeeper.key("kind"), zookeeper.key("spec", "replicas")
    if kind is None:
        return
    number = min(_replicas(zookeeper), 100)
    connect = block.translate(
        "zookeeper.connect", ",".join(f"zookeeper-{index}:2181" for index in range(number)), kind, "kind"
    )
    if size is not None:
        part = make_setting("zookeeper.connect", str(number), block.file, size, None)
        part.written = "Zookeeper.spec.replicas"
        connect.parts = {"servers": part}


def _listeners(block: Block, document: Node, place: Node) -> None:
    """Its listeners: PLAINTEXT where nothing says TLS or authentication, which is the operator's default."""
    given = {name: node for name, (_, node) in document.mapping("spec", "listeners").items() if node.kind == MAPPING}
    custom = {item.string("name"): item for item in given.pop("custom", Node("sequence", 1, 1)).children}
    key = document.key("spec", "listeners") or place
    every = {
        name: node
        for name, node in {"internal": None, "external": None, **given, **custom}.items()
        if name != "controller"
    }
    port = 9071
    entries, protocols = [], []
    for number, (name, node) in enumerate(every.items()):
        upper = name.upper()
        entries.append(f"{upper}://:{port + number}")
        protocols.append(f"{upper}:{_protocol(document, node)}")
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
    }


def _protocol(document: Node, node: Node | None) -> str:
    tls = node is not None and node.string("tls", "enabled").lower() == "true"
    login = node.string("authentication", "type") if node is not None else ""
    sasl = login in ("plain", "ldap", "oauth", "oauthbearer", "digest")
    return {(True, True): "SASL_SSL", (True, False): "SSL", (False, True): "SASL_PLAINTEXT"}.get(
        (tls, sasl), "PLAINTEXT"
    )


def _authorization(block: Block, document: Node, place: Node, in_kraft: bool) -> None:
    kind, key = document.string("spec", "authorization", "type"), document.key("spec", "authorization")
    own = (
        "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
        if in_kraft
        else "kafka.security.authorizer.AclAuthorizer"
    )
    if key is not None:
        name = "io.confluent.kafka.security.authorizer.ConfluentServerAuthorizer" if kind == "rbac" else own
        block.translate("authorizer.class.name", name, key, "spec.authorization")
        block.translate("super.users", "User:kafka", key, "spec.authorization.superUsers")
    elif "authorizer.class.name" not in block.settings:
        block.translate("authorizer.class.name", "", place, "spec.authorization")


def _facts(document: Node, kind: str, file: str, block: Block) -> Block:
    facts = deployment(block.name, FORMAT, file)
    facts.cluster = block.cluster
    facts.described = {"runs": kind}
    for fact, path in (("storage.size", ("spec", "dataVolumeCapacity")), ("image", ("spec", "image", "application"))):
        key = document.key(*path)
        if key is not None:
            facts.translate(fact, document.string(*path), key, ".".join(path))
    replicas = document.key("spec", "replicas")
    if kind == "broker" and replicas is not None:
        facts.translate("brokers", str(_replicas(document)), replicas, "spec.replicas")
    for name, (_, listener) in document.mapping("spec", "listeners").items():
        outside = listener.key("externalAccess") if listener.kind == MAPPING else None
        if outside is not None and _protocol(document, listener) in ("PLAINTEXT", "SASL_PLAINTEXT"):
            access = f"{listener.string('externalAccess', 'type')} {name}"
            facts.translate("public.access", access, outside, f"spec.listeners.{name}.externalAccess")
    return facts


def _topic(document: Node, file: str) -> Block:
    name = document.string("spec", "name") or document.string("metadata", "name")
    block = Block("topic", name, FORMAT, file, "spec.configs.")
    block.take(document.mapping("spec", "configs"))
    for key, field in (("replication.factor", "replicas"), ("partitions", "partitionCount")):
        node = document.key("spec", field)
        if node is not None:
            block.translate(key, document.string("spec", field), node, f"spec.{field}")
    return block


def _connector(document: Node, file: str) -> Block:
    block = Block("connect", _name(document), FORMAT, file, "spec.configs.")
    key = document.key("metadata", "name")
    if key is not None:
        block.translate("name", document.string("metadata", "name"), key, "metadata.name")
    key = document.key("spec", "class")
    if key is not None:
        block.translate("connector.class", document.string("spec", "class"), key, "spec.class")
    block.fragment = WORKER
    block.take(document.mapping("spec", "configs"))
    return block
