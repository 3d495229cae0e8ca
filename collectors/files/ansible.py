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
DEFAULTS = {"internal": ("INTERNAL", "9092"), "broker": ("BROKER", "9091")}
"""Names and ports of the listeners that the role opens beside custom ones. Source: roles/variables/defaults/main.yml."""
OTHERS = frozenset(
    (
        "kafka_broker_listeners",
        "kafka_broker_default_listeners",
        "kafka_broker_configure_multiple_listeners",
        "kafka_broker_configure_additional_brokers",
        "rbac_enabled",
        "ccloud_kafka_enabled",
    )
)
"""Variables that make the role open other listeners."""
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
    _add_listeners(kafka_blocks, variables, documents)
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
    wanted, nodes, seen = {*RELEASES, *OTHERS, LISTENERS, INNER, SSL, SASL}, list(documents), set[int]()
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


def _add_listeners(
    kafka_blocks: Sequence[Block], variables: dict[str, Variable], documents: Sequence[TreeNode]
) -> None:
    """Add the listeners of a role to what it sets of its brokers, where every one says its port and its protocols."""
    brokers = [block for block in kafka_blocks if block.written.rstrip(".").endswith(BROKERS)]
    is_said = LISTENERS in variables or (SSL in variables and (SASL in variables or _has_brokers(documents)))
    if not is_said or OTHERS & variables.keys() or len(brokers) != 1 or "listeners" in brokers[0].settings:
        return
    name, key, custom = variables[LISTENERS] if LISTENERS in variables else (SSL, variables[SSL][1], None)
    own = {each: node for each, (_, node) in custom.pairs().items()} if custom and custom.kind == MAPPING else {}
    listeners = dict.fromkeys((*DEFAULTS, *own))
    rows = [_listener(own.get(each), DEFAULTS.get(each, ("", "")), variables) for each in listeners]
    names = {each: row[0] for each, row in zip(listeners, rows, strict=True) if row}
    if all(rows):
        entries = ",".join(f"{row[0]}://:{row[1]}" for row in rows if row)
        protocols = ",".join(f"{row[0]}:{row[2]}" for row in rows if row)
        brokers[0].derive("listeners", entries, key, name)
        brokers[0].derive("listener.security.protocol.map", protocols, key, name)
        inner = names.get(variables[INNER][2].text if INNER in variables else "broker")
        if inner:
            brokers[0].derive("inter.broker.listener.name", inner, key, name)
        brokers[0].kind = "broker"


def _has_brokers(documents: Sequence[TreeNode]) -> bool:
    """Whether the file is the inventory with the brokers' hosts."""
    return any(node.get("hosts") is not None for document in documents for node in _mappings(document, GROUP))


def _listener(
    node: TreeNode | None, default: tuple[str, str], variables: dict[str, Variable]
) -> tuple[str, str, str] | None:
    """(name, port, protocol) of a listener; None where one of them is not said here."""
    fields = ("name", "port", SSL, SASL)
    name, port, ssl, sasl = (node.string(field) if node is not None else "" for field in fields)
    name, port = name or default[0], port or default[1]
    ssl, sasl = (
        own or (variables[field][2].text if field in variables else "") for field, own in ((SSL, ssl), (SASL, sasl))
    )
    if not name or not port.isdecimal() or any(mark in ssl + sasl + name for mark in OPEN):
        return None
    logs_in, encrypts = (sasl or "none").lower() != "none", ssl.lower() in ("true", "yes")
    return name, port, ("SASL_" if logs_in else "") + ("SSL" if encrypts else "PLAINTEXT")
