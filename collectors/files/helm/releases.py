"""Releases of Helm that a tool makes of a file, of charts that run Kafka: the brokers of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model import Target
from collectors.files.block import Block, stated_target
from collectors.files.helm import argo, carriers
from collectors.files.helm.bitnami_from_24 import CONTAINERS
from collectors.files.helm.bitnami_versions import release_of_chart, version_is_from_24
from collectors.files.helm.release import Chart, Release, release_of
from collectors.files.helm.values import are_kafkas, blocks_of_values, merged
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode


def knows(document: TreeNode) -> bool:
    """Whether a document makes a release of a chart that runs Kafka."""
    return any(are_kafkas(each.values, each.chart.name, each.unknown) for each in releases(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> Iterator[Block]:
    """The brokers of each release, which is named as it is."""
    for document in documents:
        for release in releases(document):
            yield from blocks_of(release, sources)


def blocks_of(release: Release, sources: Sources, is_whole: bool | None = True) -> Iterator[Block]:
    """The brokers of a release; what of its values is not known may set any key.

    `is_whole` says whether there are no other values, as far as they are known; None: the folder tells.
    """
    by_path, by_name = f"Helm {release.path.rstrip('.')}", f"Helm {release.name}"
    is_whole = is_whole if release.chart.is_bitnamis and not release.unknown else False
    values = over_own_values(release)
    for block in blocks_of_values(values, release.chart.name, sources, release.path, is_whole, release.unknown):
        block.name = block.name.replace(by_path, by_name, 1)
        block.cluster = block.cluster and block.cluster.replace(by_path, by_name, 1)
        block.changed_by = block.changed_by or (f"values: {release.unknown}" if release.unknown else "")
        if release.chart.is_bitnamis and block.target is None:
            block.target = target_of_chart(release.chart, sources.shown)
        yield block


def over_own_values(release: Release) -> TreeNode:
    """The values over the section by which those of Bitnami's newer charts are known, where the version says that it is one."""
    chart, values = release.chart, release.values
    if not chart.is_bitnamis or values.kind != MAPPING or not version_is_from_24(version_of(chart)):
        return values
    own_values = TreeNode(MAPPING, values.line, values.column)
    key = TreeNode(SCALAR, values.line, values.column, CONTAINERS)
    own_values.add(key, TreeNode(MAPPING, values.line, values.column))
    return merged([own_values, values])


def version_of(chart: Chart) -> str:
    """The version of a chart; empty where nothing names it."""
    return chart.holder.string(chart.version.rpartition(".")[2]) if chart.holder is not None else ""


def target_of_chart(chart: Chart, file: str) -> Target | None:
    """Kafka's release by the version of Bitnami's chart, at the field that names it."""
    field = chart.version.rpartition(".")[2]
    key = chart.holder.key(field) if chart.holder is not None else None
    version = version_of(chart)
    release = release_of_chart(version)
    return stated_target(release, version, key, file, chart.version) if key is not None and release else None


def releases(document: TreeNode) -> Iterator[Release]:
    """The releases that a document makes."""
    if document.string("kind") in argo.KINDS:
        yield from argo.releases(document)
    made = (release_of(node, at, fields) for at, node, fields in filter(carriers.is_release, carriers.places(document)))
    yield from filter(None, made)
