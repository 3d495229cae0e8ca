"""Bitnami's chart up to 23 and from 24 on: the nodes and the topics that it makes of its values.

Source: bitnami/charts (kafka/values.yaml, kafka/README.md).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from advisor.model import OF_TOPIC, Spelling, is_whole_number
from collectors.files.block import Block, stated_target, text_of
from collectors.files.embedded import embedded
from collectors.files.helm import bitnami_from_24
from collectors.files.helm.bitnami_completeness import decides, names_of_values
from collectors.files.helm.bitnami_deployment import add_image, deployment_of
from collectors.files.helm.bitnami_heap import heap_facts
from collectors.files.helm.bitnami_recognition import is_charts, is_from_24, setting_of_field
from collectors.files.helm.bitnami_until_23 import DEFAULTS, NAMES_OF_FIELDS, add_computed, field_of
from collectors.files.helm.deployment_facts import FORMAT_NAME
from collectors.files.operators.common import take_zookeeper
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

ROLES, CONFIGURATION = ("controller", "broker"), ("config", "extraConfig", "extraConfigYaml", "overrideConfiguration")
"""The roles of nodes of charts from 24 on, and the fields in which all nodes and those of each role are configured."""
LINES = ("extraConfig", "overrideConfiguration", "config")
"""Fields of newer charts that take any setting, the one to write first where there is none."""
CHART = "kafka"
"""The name of Bitnami's chart, under which a chart of charts has its values."""
TOPIC_FIELDS = (
    ("replication.factor", "replicationFactor", "replicationFactor"),
    ("partitions", "partitions", "numPartitions"),
)
"""Of a topic the field, and that of the provisioning of all topics. Source: templates/provisioning/job.yaml."""


def _is_whole(values: TreeNode, sources: Sources) -> bool:
    """Whether nothing but the chart's own values is below these: the image is the chart's, and no other file of values is beside them."""
    others = sources.of_folder("values of Bitnami's chart", names_of_values) - {os.path.basename(sources.path)}
    return is_charts(values) and not others


def _plain(text: str) -> str:
    """A number without the underscores that keep it from becoming 2e+08: the chart removes them all."""
    digits = text.replace("_", "")
    return digits if is_whole_number(digits.lstrip("-")) else text


def bitnami_blocks(path: str, values: TreeNode, sources: Sources, is_whole: bool | None = None) -> list[Block]:
    """The nodes and the topics that the chart makes, with their deployment; the folder tells whether the values are whole."""
    file = sources.shown
    is_whole = _is_whole(values, sources) if is_whole is None else is_whole and is_charts(values)
    facts = deployment_of(values, path, file)
    tag, tag_key = values.string("image", "tag"), values.key("image", "tag")
    if tag_key is not None and CHART in (values.string("image", "repository") or CHART):
        facts.target = stated_target(tag.partition("-")[0], tag, tag_key, file, f"{path}image.tag")
    add_image(facts, values, path)
    brokers, place = _brokers(values)
    if place is not None:
        facts.translate("brokers", str(brokers), place[0], path + place[1])
    _pools(facts, values, path)
    facts.cluster = f"Helm {path.rstrip('.') or 'kafka'}"
    roles = _roles(values)
    nodes = [_nodes(path, values, file, each, is_whole) for each in (roles[:1], *([role] for role in roles[1:]))]
    for block, role in zip(nodes if len(nodes) > 1 else (), roles, strict=False):
        block.replicas = bitnami_from_24.replicas(values, role) or 0
    for block in nodes:
        block.target, block.cluster, block.brokers = facts.target, facts.cluster, brokers
    for block in nodes[1:]:
        block.name += f" {roles[1]}"
    topics = list(_topics(values, path, file))
    for topic in topics:
        topic.target, topic.cluster = facts.target, facts.cluster
    return [*nodes, facts, *heap_facts(values, path, file), *topics]


def _pools(facts: Block, values: TreeNode, path: str) -> None:
    """Add how many brokers each role has, where both have some: one may lose brokers while the other gains as many."""
    is_new = is_from_24(values) and bitnami_from_24.is_kraft(values)
    if is_new and bitnami_from_24.kind_of(values, ROLES[0]) == bitnami_from_24.COMBINED:
        keys = {role: values.key(role, "replicaCount") for role in ROLES}
        for role, key in keys.items():
            if key is not None and all(keys.values()):
                facts.translate(f"pool.{role}", values.string(role, "replicaCount"), key, f"{path}{role}.replicaCount")


def _roles(values: TreeNode) -> list[str]:
    """The roles of the nodes that there are, as far as the values say it; of older charts those with settings of their own."""
    configured = [role for role in ROLES if _is_configured(values, role)]
    if not (is_from_24(values) and bitnami_from_24.is_kraft(values)):
        return configured
    are_there = {
        bitnami_from_24.CONTROLLER: bitnami_from_24.replicas(values, bitnami_from_24.CONTROLLER) != 0,
        bitnami_from_24.BROKER: bitnami_from_24.replicas(values, bitnami_from_24.BROKER) != 0
        or (bitnami_from_24.BROKER in configured and values.key(bitnami_from_24.BROKER, "replicaCount") is None),
    }
    return [role for role in ROLES if are_there[role]] or [bitnami_from_24.CONTROLLER]


def _is_configured(values: TreeNode, role: str) -> bool:
    """Whether the values configure the nodes of a role by themselves; empty fields do not."""
    return any(_is_filled(values.get(role, field)) for field in CONFIGURATION)


def _is_filled(node: TreeNode | None) -> bool:
    return node is not None and bool(node.pairs() if node.kind == MAPPING else node.text.strip())


def _nodes(path: str, values: TreeNode, file: str, roles: Sequence[str], is_whole: bool) -> Block:
    """What nodes of a role run with; of all nodes where no role has a configuration of its own."""
    block = Block("broker", f"Helm {path.rstrip('.') or 'kafka'}", FORMAT_NAME, file, path)
    is_new = is_from_24(values)
    old = is_charts(values) and not is_new
    names = {key: path + field for key, field in NAMES_OF_FIELDS.items()} if old else {}
    block.spelling = Spelling(path, form=field_of if old else _line_of(values), names=names)
    if old:
        block.described = dict(DEFAULTS)
    for name, (key_node, value) in values.pairs().items():
        key = setting_of_field(name)
        if key is not None and value.kind != MAPPING and not value.is_null and text_of(value).strip():
            block.set(key, _plain(text_of(value)), key_node, value, path + name)
    _configuration(block, values, path, roles)
    if is_new and bitnami_from_24.is_kraft(values):
        _computed(block, values, path, roles[0], is_whole)
    else:
        _metadata(block, values, path)
    if old:
        add_computed(block, values, path)
    if values.string("existingConfigmap"):
        block.fragment = "existingConfigmap holds it, and is not in this file"
    elif not (old or (is_whole and is_new and bitnami_from_24.is_kraft(values) and decides(values, roles[0]))):
        block.fragment = "the chart decides it"
    return block


def _computed(block: Block, values: TreeNode, path: str, role: str, is_whole: bool) -> None:
    """What newer charts make of their values, unless a whole file of settings, or one that is not here, takes its place."""
    block.spelling = Spelling(path, form=_line_of(values), in_fixes=bitnami_from_24.FIELDS)
    whole = (("config",), (role, "config"), ("existingConfigmap",), (role, "existingConfigmap"))
    if any(_is_filled(values.get(*field)) for field in whole):
        bitnami_from_24.add_quorum(block, values, path)
        return
    bitnami_from_24.add_roles(block, values, path, role)
    bitnami_from_24.add_computed(block, values, path, role, is_whole)


def _line_of(values: TreeNode) -> Callable[[str], str]:
    """The line of a setting in the field where newer charts take settings."""
    field = next((field for field in LINES if values.get(field) is not None), LINES[0])
    return lambda key: f"{field}.{key}"


def _topics(values: TreeNode, path: str, file: str) -> Iterator[Block]:
    """The topics that the chart's provisioning creates: with one replica and one partition where nothing says more."""
    if values.string("provisioning", "enabled").lower() == "false":
        return
    for number, topic in enumerate(values.items("provisioning", "topics")):
        name, place = topic.string("name"), topic.key("name")
        if not name or place is None:
            continue
        written = f"{path}provisioning.topics[{number}]."
        block = Block("topic", name, FORMAT_NAME, file, f"{written}config.")
        block.removal = OF_TOPIC
        block.take(topic.get("config"))
        for key, field, common in TOPIC_FIELDS:
            own = topic.key(field) or values.key("provisioning", common)
            text = topic.string(field) or values.string("provisioning", common) or "1"
            spelled = f"{written}{field}" if topic.key(field) is not None else f"{path}provisioning.{common}"
            block.translate(key, text, own or place, spelled)
        yield block


def _configuration(block: Block, values: TreeNode, path: str, roles: Sequence[str]) -> None:
    """config, extraConfig, overrideConfiguration: whole files, lines and mappings that the chart adds."""
    for field in CONFIGURATION:
        for where in ((field,), *((role, field) for role in roles)):
            node, written = values.get(*where), f"{path}{'.'.join(where)}."
            if node is None:
                continue
            if node.kind == MAPPING:
                block.take(node, written)
            elif node.kind == SCALAR and node.text.strip():
                text = embedded(node, block.name, FORMAT_NAME, block.file, "broker", written)
                block.take_settings(text.settings.values(), written)


def _metadata(block: Block, values: TreeNode, path: str) -> None:
    """ZooKeeper or KRaft: what the chart says of both."""
    kraft = values.string("kraft", "enabled").lower() == "true" or values.get("controller") is not None
    with_listeners = values.get("listeners", "client") is not None  # charts from 24 on, whose default is KRaft
    kraft |= with_listeners and values.string("zookeeper", "enabled").lower() != "true"
    key = values.key("zookeeper", "enabled") or values.key("zookeeper") or values.key("externalZookeeper")
    if not kraft and key is not None and values.string("zookeeper", "enabled").lower() != "false":
        written = f"{path}zookeeper.enabled" if values.key("zookeeper", "enabled") is not None else f"{path}zookeeper"
        size = (values.key("zookeeper", "replicaCount"), f"{path}zookeeper.replicaCount")
        take_zookeeper(block, values.whole("zookeeper", "replicaCount"), key, written, size)
    elif not (is_charts(values) and not is_from_24(values)):
        bitnami_from_24.add_quorum(block, values, path)


def _brokers(values: TreeNode) -> tuple[int | None, tuple[TreeNode, str] | None]:
    """(how many brokers there are, the field that says it and its name); both None where none does."""
    where: tuple[str, ...] | None = ("replicaCount",)
    number = values.whole("replicaCount")
    if not number:
        number, where = bitnami_from_24.brokers(values)
    key = values.key(*where) if where else None
    return (number, (key, ".".join(where))) if where and key is not None and number is not None else (None, None)
