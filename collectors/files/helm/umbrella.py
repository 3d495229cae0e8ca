"""Values of a chart that has one of Kafka's among its dependencies, under its name or an alias, also as the part of a part.

Source: Helm's documentation of Chart.yaml (dependencies, alias, condition) and of requirements.yaml.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from collectors.files.block import Block
from collectors.files.helm.bitnami_recognition import SECTIONS, setting_of_field
from collectors.files.helm.dependencies import FILES, PARTS, Part, index_of
from collectors.files.helm.environments import OWN_VALUES, own_values
from collectors.files.helm.release import Chart, Release
from collectors.files.helm.releases import blocks_of
from collectors.files.helm.values import merged
from collectors.files.run_files import YAML, RunFiles
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, TreeNode, read_words

NO_VALUES = frozenset(("templates", "files", "crds", PARTS))
"""The folders of a chart that hold something else than values."""
DEEPEST = 4
"""Folders of values below a chart."""


class Parts(NamedTuple):
    """The parts of Kafka's in a chart, and the chart's folder."""

    folder: str
    parts: Sequence[Part]


def judged(documents: Sequence[TreeNode], sources: Sources) -> tuple[list[Block], Sequence[TreeNode]]:
    """The brokers of the values of a larger chart, and the documents without those values."""
    chart = chart_near(sources)
    if chart is None:
        return [], documents
    blocks: list[Block] = []
    rest = []
    for document in documents:
        taken = [part for part in chart.parts if is_filled(document, part)]
        if taken:
            read_words(document.scalars())
        blocks += [block for part in taken for block in _blocks(document, part, chart.folder, sources)]
        rest.append(without(document, [part.path for part in taken]) if taken else document)
    return blocks, rest


def chart_near(sources: Sources) -> Parts | None:
    """The parts of Kafka's in the nearest chart above a file that may hold its values."""
    is_values = sources.path.endswith(YAML) and os.path.basename(sources.path) not in FILES
    index = sources.of_run("charts that have Kafka's as a part", index_of) if is_values else {}
    folder = os.path.normpath(sources.folder or ".")
    for _ in range(DEEPEST if index else 0):
        if folder in index:
            return Parts(folder, index[folder]) if index[folder] else None
        if os.path.basename(folder) in NO_VALUES:
            break
        folder = os.path.dirname(folder) or "."
    return None


def values_among(others: Sequence[str], run: RunFiles) -> list[str]:
    """The files without a word of Kafka that may hold values of a chart of Kafka's, which has another name there."""
    if not run.ending(FILES):
        return []
    return [path for path in others if chart_near(Sources(path, path, run)) is not None]


def is_filled(document: TreeNode, part: Part) -> bool:
    """Whether values of a part stand in a document, which does not switch it off."""
    values = document.get(*part.path) if document.kind == MAPPING and not document.string("kind") else None
    if values is None or values.kind != MAPPING or values.string("enabled").lower() == "false":
        return False
    condition = part.dependency.string("condition").partition(",")[0]
    is_off = bool(condition) and document.string(*part.path[:-1], *condition.split(".")).lower() == "false"
    return not is_off and any(name in SECTIONS or setting_of_field(name) is not None for name in values.pairs())


def _blocks(document: TreeNode, part: Part, folder: str, sources: Sources) -> Iterator[Block]:
    values, dependency = document.get(*part.path), part.dependency
    if values is None:
        return
    chart = Chart(dependency.string("name"), dependency.string("repository"), dependency, "dependencies.version")
    name = ".".join(part.path)
    is_own = os.path.normpath(sources.path) == os.path.normpath(os.path.join(folder, OWN_VALUES))
    base = None if is_own else own_values(folder, sources)
    below = base.get(*part.path) if base is not None else None
    values = values if below is None or below.kind != MAPPING else merged([below, values])
    yield from blocks_of(Release(name, chart, f"{name}.", values), sources, None if is_own else False)


def without(node: TreeNode, paths: Sequence[tuple[str, ...]]) -> TreeNode:
    """A mapping without what stands at some paths."""
    made = TreeNode(MAPPING, node.line, node.column)
    for name, (key, value) in node.pairs().items():
        deeper = [path[1:] for path in paths if path[0] == name]
        if () not in deeper:
            made.add(key, without(value, deeper) if deeper and value.kind == MAPPING else value)
    return made
