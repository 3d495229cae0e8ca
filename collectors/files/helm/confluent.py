"""Confluent's charts: cp-kafka and the charts of Connect's workers.

Source: confluentinc/cp-helm-charts.
"""

from __future__ import annotations

from collectors.files.block import Block, deployment, stated_target
from collectors.files.helm.deployment_facts import FORMAT_NAME, MADE_BY_CHART, OF_THE_RELEASE, add_claim, add_fact
from collectors.files.syntax.tree import MAPPING, TreeNode

CLIENT_PARTS = frozenset(("connect", "rest", "registry", "ksql", "ksqldb", "center", "ui", "exporter", "bridge"))
"""Words in the names of charts and images that connect to Kafka."""
OF_CONFLUENT = "cp-kafka"
"""The chart of brokers among Confluent's charts, and its part of the values of all of them."""

ADVERTISED, OWN_LISTENER = ("configurationOverrides", "advertised.listeners"), "PLAINTEXT://"
FIELDS_UNTIL_5_0 = {
    "connectKeyConverter": "key.converter",
    "connectValueConverter": "value.converter",
    "connectKeyConverterSchemaEnable": "key.converter.schemas.enable",
    "connectValueConverterSchemaEnable": "value.converter.schemas.enable",
    "connectInternalKeyConverter": "internal.key.converter",
    "connectInternalValueConverter": "internal.value.converter",
    "pluginPath": "plugin.path",
}
"""Fields of the chart of Connect's workers that its overrides have replaced."""


def is_confluent(values: TreeNode) -> bool:
    """Whether values are of the chart of brokers; those of the other charts name the brokers that they connect to."""
    image = values.string("image").lower().rpartition("/")[2].split("-")
    is_client = values.get("kafka", "bootstrapServers") is not None or not CLIENT_PARTS.isdisjoint(image)
    return values.get("configurationOverrides") is not None and values.get("apiVersion") is None and not is_client


def is_connect(values: TreeNode, name: str = "") -> bool:
    """Whether values are of a chart of Connect's workers, by its image or by the name of the part."""
    image = (values.string("image", "repository") or values.string("image")).lower().rpartition("/")[2]
    overrides = values.get("configurationOverrides")
    words = (image.partition(":")[0] or name.lower().rstrip(".")).split("-")
    return overrides is not None and overrides.kind == MAPPING and "kafka" in words and "connect" in words


def worker(path: str, values: TreeNode, file: str) -> Block:
    """A worker of a chart of Connect: what its values set of it, the chart decides the rest."""
    written = f"{path}configurationOverrides."
    block = Block("connect", f"Helm {path.rstrip('.') or 'kafka-connect'}", FORMAT_NAME, file, written)
    block.take(values.get("configurationOverrides"))
    for name, setting in FIELDS_UNTIL_5_0.items():
        place = values.key(name)
        if place is not None and setting not in block.settings:
            block.set(setting, values.string(name), place, values.get(name), f"{path}{name}")
    block.fragment = "the chart decides it"
    field = ("imageTag",) if values.key("imageTag") is not None else ("image", "tag")
    key, tag = values.key(*field), values.string(*field)
    if key is not None:
        block.target = stated_target(f"cp{tag}", tag, key, file, path + ".".join(field))
    return block


def _add_own_listener(block: Block, values: TreeNode) -> None:
    """Put the listener that the chart advertises by itself before those of the overrides. Source: templates/statefulset.yaml of cp-kafka."""
    place, others = values.key(*ADVERTISED), values.string(*ADVERTISED).strip()
    if place is not None and others and not others.upper().startswith(OWN_LISTENER):
        block.derive(ADVERTISED[-1], f"{OWN_LISTENER}${{POD_IP}}:9092,{others}", place, ".".join(ADVERTISED))


def brokers(path: str, values: TreeNode, file: str) -> list[Block]:
    """The brokers of cp-kafka, with their deployment."""
    written = f"{path}configurationOverrides."
    block = Block("broker", f"Helm {path.rstrip('.') or 'cp-kafka'}", FORMAT_NAME, file, written)
    block.take(values.get("configurationOverrides"))
    _add_own_listener(block, values)
    block.fragment = "the chart decides it"
    facts = deployment(block.name, FORMAT_NAME, file)
    facts.described = {"runs": "broker", "volume": OF_THE_RELEASE, "cluster.id": MADE_BY_CHART}
    for field in ("brokers", "replicaCount"):
        number = values.whole(field)
        if number is not None:
            add_fact(facts, "brokers", str(number), values, path, (field,))
            block.brokers = number
    add_fact(facts, "storage", "ephemeral", values, path, ("persistence", "enabled"), "false")
    add_fact(facts, "storage.size", values.string("persistence", "size"), values, path, ("persistence", "size"))
    add_claim(facts, values, path, ("persistence",))
    block.cluster = facts.cluster = block.name
    key, tag = values.key("imageTag"), values.string("imageTag")
    if key is not None:
        block.target = stated_target(f"cp{tag}", tag, key, file, f"{path}imageTag")
    return [block, facts]
