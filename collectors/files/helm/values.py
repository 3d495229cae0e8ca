"""Values of a release of Helm as a tool gives them: one over the other, as Helm merges them, for a chart that is named.

Source: Helm's documentation of values files and of --set.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collectors.files.block import Block
from collectors.files.helm import charts
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

SEPARATOR = re.compile(r"(?<!\\)\.")
CHARTS = ("kafka", "cp-kafka", "cp-helm-charts")
"""The names of charts that run Kafka, whatever their values are."""
DEEPEST = 40


def are_kafkas(values: TreeNode, chart: str, unknown: str = "") -> bool:
    """Whether values are of a chart that runs Kafka, by themselves or by its name; of that one they may not be known."""
    return charts.knows(values) or (chart_name(chart) in CHARTS and (bool(values.pairs_written) or bool(unknown)))


def blocks_of_values(
    values: TreeNode, chart: str, sources: Sources, path: str = "", is_whole: bool | None = None, unknown: str = ""
) -> list[Block]:
    """The brokers of the values of a chart that runs Kafka, which stand below a path of the file; none of another one.

    `is_whole` says that they are all the values that there are, or that there are others; else the folder tells.
    """
    kafka_blocks = charts.blocks_of_values(values, sources, path, is_whole)
    if not kafka_blocks and are_kafkas(values, chart, unknown):
        return charts.blocks_of_chart(values, sources, chart_name(chart), path, is_whole)
    return kafka_blocks


def chart_name(chart: str) -> str:
    """The name of a chart without its repository or folder."""
    return chart.rstrip("/").rpartition("/")[2]


def nested(name: TreeNode, value: TreeNode) -> TreeNode:
    """`a.b\\.c` and a value as a map in a map."""
    node = value
    for part in reversed(SEPARATOR.split(name.text)[:DEEPEST]):
        holder = TreeNode(MAPPING, name.line, name.column)
        key = TreeNode(SCALAR, value.line, value.column, part.replace("\\.", "."))
        key.file = name.file
        holder.add(key, node)
        node = holder
    return node


def merged(trees: Sequence[TreeNode], depth: int = 0) -> TreeNode:
    """Values over those before them, as Helm merges them: maps in each other, all else replaced."""
    last = trees[-1]
    first = next((at for at in range(len(trees), 0, -1) if trees[at - 1].kind != MAPPING), 0)
    if len(trees) - first < 2 or depth > DEEPEST:
        return last
    values_by_name: dict[str, tuple[TreeNode, list[TreeNode]]] = {}
    for tree in trees[first:]:
        for name, (key, value) in tree.pairs().items():
            before = values_by_name[name][1] if name in values_by_name else []
            before.append(value)
            values_by_name[name] = key, before
    made = TreeNode(MAPPING, last.line, last.column)
    for key, values in values_by_name.values():
        made.add(key, merged(values, depth + 1))
    return made
