"""What operators of Kafka on Kubernetes have in common: protocols of listeners, authorizers, ZooKeeper, connectors."""

from __future__ import annotations

from advisor.model import OF_TOPIC, Version
from advisor.secrets.placeholders import is_placeholder
from collectors.files.block import WORKER, Block, make_setting
from collectors.files.syntax.tree import TreeNode

MOST_SERVERS = 100
STANDARD, ZOOKEEPERS = (
    "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "kafka.security.authorizer.AclAuthorizer",
)

FIRST, ACL_AUTHORIZER = "kafka.security.auth.SimpleAclAuthorizer", (2, 4)
"""The authorizer of ZooKeeper mode before AclAuthorizer, and the release that brought that one."""


def protocol(tls: bool | None, sasl: bool | None) -> str:
    """Kafka's name of a listener's protocol; a placeholder where one of the two is filled in later."""
    if tls is None or sasl is None:
        return "${protocol}"
    return ("SASL_SSL" if sasl else "SSL") if tls else ("SASL_PLAINTEXT" if sasl else "PLAINTEXT")


def switch(text: str) -> bool | None:
    """Whether a field is true; None where it is filled in later."""
    return None if is_placeholder(text) else text.lower() == "true"


def describe_access(facts: Block, protocol: str, place: TreeNode | None) -> None:
    """Add the protocol of a listener that clients reach from outside; one that is filled in later is not known."""
    if place is not None and is_placeholder(protocol):
        facts.translate("public.protocol", protocol, place, "tls")
    else:
        facts.described = {"public.protocol": protocol}


def authorizer(in_kraft: bool, version: Version | None = None) -> str:
    """The authorizer that an operator sets for ACLs in a release."""
    if in_kraft:
        return STANDARD
    return FIRST if version is not None and version < ACL_AUTHORIZER else ZOOKEEPERS


def take_zookeeper(
    block: Block, servers: int | None, place: TreeNode, written: str, size: tuple[TreeNode | None, str]
) -> None:
    """Add the ensemble that an operator runs beside the brokers; `size` is where its size stands, and how it is written.

    Without a size there is one server; a size that is no number is filled in later.
    """
    servers = 1 if size[0] is None else servers
    numbers = range(min(servers, MOST_SERVERS)) if servers is not None else ()
    addresses = ",".join(f"zookeeper-{number}:2181" for number in numbers) or f"${{{size[1]}}}"
    connect = block.translate("zookeeper.connect", addresses, place, written)
    size_key, size_written = size
    if size_key is not None:
        part = make_setting("zookeeper.connect", str(servers), block.file, size_key, None)
        part.written = size_written
        connect.parts = {"servers": part}


def connector(document: TreeNode, name: str, format: str, file: str, field: str) -> Block:
    """One connector's configuration, which stands under `field`."""
    block = Block("connect", name, format, file, f"spec.{field}.")
    block.fragment = WORKER
    for key, path in (("name", ("metadata", "name")), ("connector.class", ("spec", "class"))):
        place = document.key(*path)
        if place is not None:
            block.translate(key, document.string(*path), place, ".".join(path))
    block.take(document.get("spec", field))
    return block


def topic(document: TreeNode, format: str, file: str, field: str, sizes: tuple[str, str]) -> Block:
    """A topic, whose settings stand under `field`; `sizes` are the fields of its replication factor and its partitions."""
    name = document.string("spec", "name") or document.string("metadata", "name")
    block = Block("topic", name, format, file, f"spec.{field}.")
    block.take(document.get("spec", field))
    spec = document.get("spec")
    if spec is not None:
        block.create_with(spec, *sizes, "spec.")
    block.removal = OF_TOPIC
    return block
