"""Confluent's Schema Registry: the topic that keeps the schemas, and what decides who may write it.

Source: io.confluent.kafka.schemaregistry.rest.SchemaRegistryConfig; cp-schema-registry turns SCHEMA_REGISTRY_X_Y into x.y.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from collectors.files.block import Block, deployment
from collectors.files.frameworks.dotted_properties import Flat
from collectors.files.sources import Sources
from collectors.files.syntax.tree import TreeNode
from collectors.files.variables import Variable

FORMAT_NAME = RUNS = "schema-registry"
PREFIXES = ("kafkastore.",)
"""What the properties of a registry begin with."""
VARIABLE = "SCHEMA_REGISTRY_"
FACTS = {
    "kafkastore.bootstrap.servers": "registry.bootstrap.servers",
    "kafkastore.connection.url": "registry.bootstrap.servers",
    "kafkastore.topic": "registry.topic",
    "kafkastore.topic.replication.factor": "registry.replication.factor",
    "schema.registry.group.id": "registry.group.id",
    "schema.compatibility.level": "registry.compatibility",
    "avro.compatibility.level": "registry.compatibility",
    "leader.eligibility": "registry.leader.eligibility",
    "master.eligibility": "registry.leader.eligibility",
}
"""The facts of a registry by its keys, those of older releases included."""


def flat_blocks(flat: Sequence[Flat], sources: Sources) -> list[Block]:
    """The registry that properties configure."""
    rows = ((key, node, value.text, key) for key, node, value in flat)
    return [block for block in (_registry(rows, sources.shown, FORMAT_NAME),) if block.settings]


def blocks_of_variables(environment: Sequence[Variable], name: str, file: str, format: str) -> list[Block]:
    """The registry that the variables of a container configure; none where they configure none."""
    rows = (
        (each.name.removeprefix(VARIABLE).lower().replace("_", "."), each.key_node, each.value, each.name)
        for each in environment
        if each.name.startswith(VARIABLE) and each.value is not None
    )
    block = _registry(rows, file, format)
    block.name = name
    return [block] if block.settings else []


def _registry(rows: Iterable[tuple[str, TreeNode, str | None, str]], file: str, format: str) -> Block:
    block = deployment("schema registry", format, file)
    block.described = {"runs": RUNS}
    for key, node, value, written in rows:
        if key in FACTS and value is not None:
            block.translate(FACTS[key], value.strip(), node, written)
    return block
