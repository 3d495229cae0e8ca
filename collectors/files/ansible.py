"""What an inventory or a group of variables of Ansible says beside Kafka's own keys: the release, and listeners by name.

Source: the variables of confluent.platform (docs/VARIABLES.md): a listener has the protocols of the whole inventory unless it has its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model import Target
from collectors.files.block import Block, deployment, stated_target
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

RELEASES = {"confluent_package_version": "cp", "confluent_server_version": "cp", "kafka_version": ""}
"""Variables that name a release, and what --kafka-version puts before their values."""
LISTENERS, BROKERS = "kafka_broker_custom_listeners", "kafka_broker_custom_properties"
INNER = "kafka_broker_inter_broker_listener_name"
"""The variable that names the listener between the brokers by its own name in the inventory, `broker` unless it is set."""
SSL, SASL = "ssl_enabled", "sasl_protocol"
GROUP, BROKER_ID, SHARED = "kafka_broker", "broker_id", "hosts.of.id."
"""The group of the brokers' hosts, the variable of their ids, and what the fact begins with about one that several have."""
OPEN = ("{", "$", "<")
"""What a value has in it that is filled in later."""
Variable = tuple[str, TreeNode, TreeNode]
"""(name, key, value)."""


def complete(kafka_blocks: list[Block], documents: Sequence[TreeNode], sources: Sources) -> list[Block]:
    """The blocks of a file with the release that its variables name, and with the listeners of its brokers."""
    variables: dict[str, Variable] = {}
    for variable in _variables(documents):
        variables.setdefault(variable[0], variable)
    _add_listeners(kafka_blocks, variables)
    target = _target(variables, sources.shown)
    for block in kafka_blocks:
        block.target = block.target or target
    return [*kafka_blocks, *_hosts_by_id(documents, sources)] if kafka_blocks else kafka_blocks


def _hosts_by_id(documents: Sequence[TreeNode], sources: Sources) -> Iterator[Block]:
    """The deployment of an inventory that gives one id to several brokers."""
    facts = deployment("Ansible inventory", "yaml", sources.shown)
    for document in documents:
        hosts = next((node for node in _mappings(document, GROUP) if node.get("hosts") is not None), None)
        first: dict[str, str] = {}
        for host, (_, variables) in (hosts.mapping("hosts") if hosts is not None else {}).items():
            id, key = variables.string(BROKER_ID), variables.key(BROKER_ID)
            if id.isdecimal() and key is not None and id in first:
                facts.translate(SHARED + id, f"{first[id]}, {host}", key, BROKER_ID)
            first.setdefault(id, host)
    if facts.settings:
        yield facts


def _mappings(node: TreeNode, name: str) -> Iterator[TreeNode]:
    """The mappings of a name, the outermost first."""
    nodes, seen = [node], set[int]()
    for each in nodes:
        if id(each) not in seen and each.kind != SCALAR:
            seen.add(id(each))
            named = each.get(name) if each.kind == MAPPING else None
            if named is not None and named.kind == MAPPING:
                yield named
            nodes += [child for _, child in each.pairs().values()] if each.kind == MAPPING else each.children


def _variables(documents: Sequence[TreeNode]) -> Iterator[Variable]:
    """The variables that are looked at, the outermost first."""
    wanted, nodes, seen = {*RELEASES, LISTENERS, INNER, SSL, SASL}, list(documents), set[int]()
    for node in nodes:
        if id(node) in seen or node.kind == SCALAR:
            continue
        seen.add(id(node))
        for name, (key, value) in node.pairs().items() if node.kind == MAPPING else ():
            if name in wanted:
                yield name, key, value
            elif value.kind != SCALAR:
                nodes.append(value)
        nodes += node.children


def _target(variables: dict[str, Variable], file: str) -> Target | None:
    """The release that a variable names."""
    for name, prefix in RELEASES.items():
        if name in variables and not any(mark in variables[name][2].text for mark in OPEN):
            _, key, value = variables[name]
            release = value.text.rpartition("-")[2] if value.text.startswith("2.") and "-" in value.text else value.text
            return stated_target(f"{prefix}{release}", value.text, key, file, name)
    return None


def _add_listeners(kafka_blocks: Sequence[Block], variables: dict[str, Variable]) -> None:
    """Add the listeners of a role to what it sets of its brokers, where every one says its port and its protocols."""
    brokers = [block for block in kafka_blocks if block.written.rstrip(".").endswith(BROKERS)]
    if LISTENERS not in variables or len(brokers) != 1 or "listeners" in brokers[0].settings:
        return
    _, key, listeners = variables[LISTENERS]
    rows = [_listener(each, variables) for _, each in listeners.pairs().values()] if listeners.kind == MAPPING else []
    if rows and all(rows):
        names = [row for row in rows if row is not None]
        entries = ",".join(f"{name}://:{port}" for name, port, _ in names)
        protocols = ",".join(f"{name}:{protocol}" for name, _, protocol in names)
        brokers[0].derive("listeners", entries, key, LISTENERS)
        brokers[0].derive("listener.security.protocol.map", protocols, key, LISTENERS)
        inner = listeners.string(variables[INNER][2].text if INNER in variables else "broker", "name")
        if inner:
            brokers[0].derive("inter.broker.listener.name", inner, key, LISTENERS)
        brokers[0].kind = "broker"


def _listener(node: TreeNode, variables: dict[str, Variable]) -> tuple[str, str, str] | None:
    """(name, port, protocol) of a listener; None where one of them is not said here."""
    name, port = node.string("name"), node.string("port")
    ssl, sasl = (
        node.string(field) or (variables[field][2].text if field in variables else "") for field in (SSL, SASL)
    )
    if not name or not port.isdecimal() or any(mark in ssl + sasl + name for mark in OPEN):
        return None
    logs_in, encrypts = (sasl or "none").lower() != "none", ssl.lower() in ("true", "yes")
    return name, port, ("SASL_" if logs_in else "") + ("SSL" if encrypts else "PLAINTEXT")
