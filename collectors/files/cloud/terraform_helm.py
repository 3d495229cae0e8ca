"""Releases of Helm that Terraform makes: the values of `values`, one over the other, with those of `set` over them.

Source: the provider hashicorp/helm (helm_release), and Helm's format of --set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from collectors.files import generic
from collectors.files.block import Block
from collectors.files.cloud.terraform_resource import unknown_block
from collectors.files.cloud.terraform_types import HELM_RELEASE
from collectors.files.containers.container_definition import items
from collectors.files.operators import helm
from collectors.files.sources import Sources
from collectors.files.syntax.hcl_files import decoded
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

SETS = ("set", "set_list", "set_sensitive")
SEPARATOR = re.compile(r"(?<!\\)\.")
CHARTS = ("kafka", "cp-kafka", "cp-helm-charts")
"""The names of charts that run Kafka, whatever their values are."""
DEEPEST = 40


def release_blocks(body: TreeNode, name: str, sources: Sources) -> list[Block]:
    """The blocks of a release; what of its values is not known may set any key."""
    values, unknown = _values(body)
    for path, value in _sets(body):
        if "[" in path.text:
            unknown = unknown or f"{path.text[:80]} is not followed"
        else:
            values = merged(values, _nested(path, value))
    chart = body.string("chart").rstrip("/").rpartition("/")[2]
    kafka_blocks = helm.blocks([values], sources)
    if not kafka_blocks and chart in CHARTS and values.pairs_written:
        kafka_blocks = helm.blocks_of_chart(values, sources, chart)
    kafka_blocks = kafka_blocks or generic.blocks([values], sources)
    if unknown and not kafka_blocks:
        return unknown_block(
            f"{HELM_RELEASE}.{name}", body, "values" if body.get("values") else "set", sources.shown, unknown
        )
    for block in kafka_blocks:
        block.changed_by = block.changed_by or (f"values: {unknown}" if unknown else "")
    return kafka_blocks


def _values(body: TreeNode) -> tuple[TreeNode, str]:
    """The values of the release, and why a part of them is not known."""
    values, unknown = TreeNode(MAPPING, body.line, body.column), ""
    node = body.get("values")
    for item in items(node):
        is_text = item.kind == SCALAR and (not item.unknown or any(mark in item.text for mark in "\n{:"))
        tree = decoded(item) if is_text else item.unknown
        if isinstance(tree, str) or tree.kind != MAPPING:
            unknown = unknown or (tree if isinstance(tree, str) else "they are no map")
        else:
            unknown = unknown or item.unknown
            values = merged(values, tree)
    return values, unknown


def _sets(body: TreeNode) -> Iterator[tuple[TreeNode, TreeNode]]:
    """(name, value) of what is set one by one, as blocks or as lists."""
    for field in SETS:
        node = body.get(field)
        for item in items(node):
            name, value = item.get("name"), item.get("value")
            if name is not None and value is not None:
                yield name, value


def _nested(name: TreeNode, value: TreeNode) -> TreeNode:
    """`a.b\\.c` and a value as a map in a map."""
    node = value
    for part in reversed(SEPARATOR.split(name.text)[:DEEPEST]):
        holder = TreeNode(MAPPING, name.line, name.column)
        key = TreeNode(SCALAR, value.line, value.column, part.replace("\\.", "."))
        key.file = name.file
        holder.add(key, node)
        node = holder
    return node


def merged(under: TreeNode, over: TreeNode, depth: int = 0) -> TreeNode:
    """Values over others, as Helm merges them: maps in each other, all else replaced."""
    if under.kind != MAPPING or over.kind != MAPPING or depth > DEEPEST:
        return over
    made = TreeNode(MAPPING, over.line, over.column)
    own = over.pairs()
    for name, (key, value) in under.pairs().items():
        made.add(*((own[name][0], merged(value, own[name][1], depth + 1)) if name in own else (key, value)))
    for name, pair in own.items():
        if name not in under.pairs():
            made.add(*pair)
    return made
