"""What Strimzi's resources have in common: versions, forbidden prefixes, TLS and authentication of clients."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.model import SERVER_KINDS, Target
from collectors.files.block import Block, stated_target, text_of
from collectors.files.operators.common import protocol
from collectors.files.syntax.tree import MAPPING, TreeNode

FORMAT_NAME = "strimzi"
OPERATOR = "Strimzi writes it itself"
FORBIDDEN = (
    "listeners", "advertised.", "broker.", "listener.", "host.name", "port", "inter.broker.listener.name", "sasl.", "ssl.",
    "security.", "password.", "log.dir", "zookeeper.connect", "zookeeper.set.acl", "zookeeper.ssl",
    "zookeeper.clientCnxnSocket", "authorizer.", "super.user", "cruise.control.metrics.topic",
    "cruise.control.metrics.reporter.bootstrap.servers", "node.id", "process.roles", "controller.", "metadata.log.dir",
    "zookeeper.metadata.migration.enable", "cordoned.log.dirs", "prometheus.metrics.reporter.",
)  # fmt: skip
"""Prefixes of the keys of brokers that the operator drops. Source: KafkaClusterSpec.FORBIDDEN_PREFIXES."""
EXCEPTIONS = (
    "zookeeper.connection.timeout.ms", "sasl.server.max.receive.size", "ssl.cipher.suites", "ssl.protocol",
    "ssl.enabled.protocols", "ssl.secure.random.implementation", "cruise.control.metrics.topic.",
    "broker.session.timeout.ms", "broker.heartbeat.interval.ms", "controller.socket.timeout.ms",
    "controller.quorum.election.backoff.max.ms", "controller.quorum.election.timeout.ms",
    "controller.quorum.fetch.timeout.ms",
)  # fmt: skip
CLIENT_FORBIDDEN = (
    "ssl.",
    "sasl.",
    "security.",
    "listeners",
    "plugin.path",
    "rest.",
    "bootstrap.servers",
    "admin.listeners.https.",
)
"""Of Connect and MirrorMaker 2. Source: KafkaConnectSpec.FORBIDDEN_PREFIXES."""
CLIENT_EXCEPTIONS = (
    "ssl.endpoint.identification.algorithm",
    "ssl.cipher.suites",
    "ssl.protocol",
    "ssl.enabled.protocols",
)
SCRAM = {"scram-sha-256": "SCRAM-SHA-256", "scram-sha-512": "SCRAM-SHA-512", "plain": "PLAIN", "oauth": "OAUTHBEARER"}


def is_dropped(key: str, kind: str) -> bool:
    """Whether the operator drops a key from the `config` of nodes, or of Connect and MirrorMaker."""
    if kind in SERVER_KINDS:
        return key.startswith(FORBIDDEN) and not key.startswith(EXCEPTIONS)
    return kind in ("connect", "mirror") and key.startswith(CLIENT_FORBIDDEN) and not key.startswith(CLIENT_EXCEPTIONS)


def take_config(
    block: Block,
    facts: Block,
    node: TreeNode | None,
    written: str,
    forbidden: tuple[str, ...] = FORBIDDEN,
    exceptions: tuple[str, ...] = EXCEPTIONS,
) -> None:
    """Add the settings of a `config` mapping; those that the operator drops are facts of the deployment."""
    if node is None or node.kind != MAPPING:
        return
    block.take(node, written)
    for key in [key for key in node.pairs() if key.startswith(forbidden) and not key.startswith(exceptions)]:
        setting = block.settings.pop(key, None)
        if setting is not None:
            key_node, value_node = node.pairs()[key]
            facts.set(f"dropped.{key}", text_of(value_node), key_node, value_node, f"{written}{key}")


def target_of(document: TreeNode, file: str, *path: str) -> Target | None:
    """The release that a field says, Kafka's own; None where it says none."""
    text, key = document.string(*path), document.key(*path)
    return stated_target(text, text, key, file, ".".join(path)) if text and key is not None else None


def is_converted_later(document: TreeNode) -> bool:
    """Whether a resource has an API version that Strimzi 1.0 does not serve."""
    return not document.string("apiVersion").endswith("/v1")


def api_version(facts: Block, document: TreeNode) -> None:
    """Add the resource's API version to the facts of its deployment."""
    key = document.key("apiVersion")
    if key is not None:
        facts.translate("api.version", document.string("apiVersion"), key, "apiVersion")


def take_fields(facts: Block, document: TreeNode, fields: Mapping[str, tuple[str, ...]]) -> None:
    """Add what the fields of a resource say, each under the name of a fact."""
    for fact, path in fields.items():
        key, text = document.key(*path), document.string(*path)
        if key is not None and text:
            facts.translate(fact, text, key, ".".join(path))


def secure(block: Block, node: TreeNode, prefix: str, written: str) -> None:
    """Add protocol and mechanism that `tls` and `authentication` of a client make; `prefix` is that of its keys."""
    tls, login = node.get("tls"), node.string("authentication", "type")
    place = node.key("tls") or node.key("authentication") or node.key("bootstrapServers")
    if place is None:
        return
    sasl = login in SCRAM or login == "custom"
    encrypted = tls is not None and not tls.is_null
    block.translate(f"{prefix}security.protocol", protocol(encrypted, sasl), place, f"{written}tls")
    if login in SCRAM:
        key = node.key("authentication") or place
        block.translate(f"{prefix}sasl.mechanism", SCRAM[login], key, f"{written}authentication.type")
