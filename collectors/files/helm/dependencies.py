"""Which charts have one of Kafka's among their dependencies, as their own or as a part of a part.

Source: Helm's documentation of Chart.yaml (dependencies, alias, repository) and of requirements.yaml.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from collectors.files.helm.values import CHARTS, chart_name
from collectors.files.sources import Sources
from collectors.files.syntax.tree import TreeNode

FILES = ("Chart.yaml", "Chart.yml", "requirements.yaml")
"""What names the dependencies of a chart."""
DEPENDENCIES, LOCAL, PARTS = "dependencies", "file://", "charts"
DEEPEST, MOST_PARTS = 4, 100
"""Parts within parts, and parts of one chart that are charts of charts."""


class Part(NamedTuple):
    """A dependency on a chart of Kafka's, and the names under which its values stand."""

    path: tuple[str, ...]
    dependency: TreeNode


Index = dict[str, list[Part]]
"""The parts of Kafka's by the folder of the chart."""


def index_of(sources: Sources) -> Index:
    """The parts of Kafka's of all charts of the run."""
    dependencies: dict[str, list[TreeNode]] = {}
    for path in sources.run.ending(FILES):
        folder = os.path.normpath(os.path.dirname(path) or ".")
        dependencies.setdefault(folder, []).extend(_dependencies(path, sources))
    return {folder: list(_parts(folder, dependencies)) for folder in dependencies}


def _dependencies(path: str, sources: Sources) -> Iterator[TreeNode]:
    beside = Sources(path, path, sources.run)
    text = beside.text_beside(os.path.basename(path)) or ""
    for document in beside.documents(path, text, every=True) if DEPENDENCIES in text else ():
        for dependency in document.items(DEPENDENCIES):
            key = dependency.key("version")
            if key is not None:
                key.file = path
            yield dependency


def _parts(folder: str, dependencies: dict[str, list[TreeNode]]) -> Iterator[Part]:
    """The parts of Kafka's in a chart, and in those that are parts of it themselves."""
    charts: list[tuple[tuple[str, ...], str]] = [((), folder)]
    for path, each in charts:
        for dependency in dependencies.get(each, ()):
            name = dependency.string("name")
            own = (*path, dependency.string("alias") or name)
            if chart_name(name) in CHARTS:
                yield Part(own, dependency)
            inner = _folder_of(dependency, each)
            if len(own) < DEEPEST and len(charts) < MOST_PARTS and dependencies.get(inner):
                charts.append((own, inner))


def _folder_of(dependency: TreeNode, folder: str) -> str:
    """Where the chart of a dependency lies: at the path of its repository, or below its parent."""
    repository = dependency.string("repository")
    is_local = repository.startswith(LOCAL)
    path = repository.removeprefix(LOCAL) if is_local else os.path.join(PARTS, dependency.string("name"))
    return os.path.normpath(os.path.join(folder, path))
