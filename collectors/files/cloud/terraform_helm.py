"""Releases of Helm that Terraform makes: the values of `values`, one over the other, with those of `set` over them.

Source: the provider hashicorp/helm (helm_release), and Helm's format of --set.
"""

from __future__ import annotations

from collections.abc import Iterator

from collectors.files import generic
from collectors.files.block import Block
from collectors.files.cloud.terraform_resource import unknown_block
from collectors.files.cloud.terraform_types import HELM_RELEASE
from collectors.files.containers.container_definition import items
from collectors.files.helm.release import Chart
from collectors.files.helm.releases import target_of_chart
from collectors.files.helm.values import blocks_of_values, merged, nested
from collectors.files.sources import Sources
from collectors.files.syntax.text_documents import decoded
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

SETS = ("set", "set_list", "set_sensitive")


def release_blocks(body: TreeNode, name: str, sources: Sources) -> list[Block]:
    """The blocks of a release; what of its values is not known may set any key."""
    values, unknown = _values(body)
    sets = list(_sets(body))
    unknown = unknown or next((f"{path.text[:80]} is not followed" for path, _ in sets if "[" in path.text), "")
    values = merged([values, *(nested(path, value) for path, value in sets if "[" not in path.text)])
    chart = Chart(body.string("chart"), body.string("repository"), body, "version")
    is_whole = chart.is_bitnamis and not unknown
    kafka_blocks = blocks_of_values(values, chart.name, sources, is_whole=is_whole) or generic.blocks([values], sources)
    if unknown and not kafka_blocks:
        return unknown_block(
            f"{HELM_RELEASE}.{name}", body, "values" if body.get("values") else "set", sources.shown, unknown
        )
    for block in kafka_blocks:
        block.changed_by = block.changed_by or (f"values: {unknown}" if unknown else "")
        if chart.is_bitnamis and block.target is None:
            block.target = target_of_chart(chart, sources.shown)
    return kafka_blocks


def _values(body: TreeNode) -> tuple[TreeNode, str]:
    """The values of the release, and why a part of them is not known."""
    trees, unknown = [TreeNode(MAPPING, body.line, body.column)], ""
    node = body.get("values")
    for item in items(node):
        is_text = item.kind == SCALAR and (not item.unknown or any(mark in item.text for mark in "\n{:"))
        tree = decoded(item) if is_text else item.unknown
        if isinstance(tree, str) or tree.kind != MAPPING:
            unknown = unknown or (tree if isinstance(tree, str) else "they are no map")
        else:
            unknown = unknown or item.unknown
            trees.append(tree)
    return merged(trees), unknown


def _sets(body: TreeNode) -> Iterator[tuple[TreeNode, TreeNode]]:
    """(name, value) of what is set one by one, as blocks or as lists."""
    for field in SETS:
        node = body.get(field)
        for item in items(node):
            name, value = item.get("name"), item.get("value")
            if name is not None and value is not None:
                yield name, value
