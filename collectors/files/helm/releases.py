"""Releases of Helm that a tool makes of a file: Flux's HelmRelease, Argo CD's Application, Helmfile, Kustomize's helmCharts.

Source: helm.toolkit.fluxcd.io (HelmRelease), argoproj.io (Application, ApplicationSet), helmfile's releases, Kustomize's helmCharts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from advisor.model import Target
from collectors.files.block import Block, stated_target
from collectors.files.helm.bitnami_versions import release_of_chart
from collectors.files.helm.values import are_kafkas, blocks_of_values, chart_name, merged, nested
from collectors.files.sources import Sources
from collectors.files.syntax.text_documents import decoded
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode

KINDS = {"HelmRelease": ("spec",), "Application": ("spec",), "ApplicationSet": ("spec", "template", "spec")}
"""The kinds of resources, each with where its specification is."""


class Chart(NamedTuple):
    """The chart of a release: its name, the repository that it comes from, and what names its version."""

    name: str
    repository: str = ""
    holder: TreeNode | None = None
    version: str = ""

    @property
    def is_bitnamis(self) -> bool:
        """Whether it is Bitnami's chart of Kafka."""
        return "bitnami" in f"{self.repository}/{self.name}".lower() and chart_name(self.name) == "kafka"


class Release(NamedTuple):
    """The values of a release, the path below which they stand, and why a part of them is not known."""

    name: str
    chart: Chart
    path: str
    values: TreeNode
    unknown: str = ""


def knows(document: TreeNode) -> bool:
    """Whether a document makes a release of a chart that runs Kafka."""
    return any(are_kafkas(each.values, each.chart.name, each.unknown) for each in releases(document))


def blocks(documents: Sequence[TreeNode], sources: Sources) -> Iterator[Block]:
    """The brokers of each release, which is named as it is."""
    for document in documents:
        for release in releases(document):
            yield from blocks_of(release, sources)


def blocks_of(release: Release, sources: Sources) -> Iterator[Block]:
    """The brokers of a release; what of its values is not known may set any key."""
    by_path, by_name = f"Helm {release.path.rstrip('.')}", f"Helm {release.name}"
    is_whole = release.chart.is_bitnamis and not release.unknown
    for block in blocks_of_values(release.values, release.chart.name, sources, release.path, is_whole, release.unknown):
        block.name = block.name.replace(by_path, by_name, 1)
        block.cluster = block.cluster and block.cluster.replace(by_path, by_name, 1)
        block.changed_by = block.changed_by or (f"values: {release.unknown}" if release.unknown else "")
        if release.chart.is_bitnamis and block.target is None:
            block.target = target_of_chart(release.chart, sources.shown)
        yield block


def target_of_chart(chart: Chart, file: str) -> Target | None:
    """Kafka's release by the version of Bitnami's chart, at the field that names it."""
    field = chart.version.rpartition(".")[2]
    key = chart.holder.key(field) if chart.holder is not None else None
    version = chart.holder.string(field) if chart.holder is not None else ""
    release = release_of_chart(version)
    return stated_target(release, version, key, file, chart.version) if key is not None and release else None


def releases(document: TreeNode) -> Iterator[Release]:
    """The releases that a document makes."""
    kind = document.string("kind")
    if kind == "HelmRelease":
        yield from of_flux(document)
    elif kind == "HelmChart" and document.get("spec", "valuesContent") is not None:
        yield from of_k3s(document)
    elif kind in KINDS:
        yield from of_argo(document, KINDS[kind])
    elif not kind:
        yield from of_helmfile(document)
    yield from of_kustomize(document)


def of_flux(document: TreeNode) -> Iterator[Release]:
    """The release of a HelmRelease; values of ConfigMaps and Secrets lie under its own."""
    spec = document.get("spec")
    values = document.get("spec", "values")
    fields = [field for field in ("valuesFrom", "chart.spec.valuesFiles") if document.get("spec", *field.split("."))]
    unknown = f"those of {fields[0]} are not followed" if fields else ""
    if spec is not None and (values is None or values.kind != MAPPING):
        values = TreeNode(MAPPING, spec.line, spec.column)
    if values is not None:
        holder = document.get("spec", "chart", "spec")
        named = holder.string("chart") if holder is not None else document.string("spec", "chartRef", "name")
        repository = holder.string("sourceRef", "name") if holder is not None else ""
        chart = Chart(named, repository, holder, "spec.chart.spec.version")
        yield Release(document.string("metadata", "name"), chart, "spec.values.", values, unknown)


def of_k3s(document: TreeNode) -> Iterator[Release]:
    """The release of a HelmChart of k3s: the values are a text."""
    text, spec = document.get("spec", "valuesContent"), document.get("spec")
    tree = decoded(text) if text is not None and text.kind == SCALAR else "they are not here"
    if spec is not None:
        nothing = TreeNode(MAPPING, spec.line, spec.column)
        values, unknown = (nothing, tree) if isinstance(tree, str) else (tree, "")
        name = document.string("metadata", "name")
        chart = Chart(document.string("spec", "chart"), document.string("spec", "repo"), spec, "spec.version")
        yield Release(name, chart, "spec.valuesContent.", values, unknown)


def of_argo(document: TreeNode, where: tuple[str, ...]) -> Iterator[Release]:
    """The releases of the sources of an Application: parameters over valuesObject, that over the text of values, which it replaces."""
    name = document.string("metadata", "name")
    for field, source in sources_of(document, where):
        options = source.get("helm")
        if options is None or options.kind != MAPPING:
            continue
        values, path, unknown = values_of_argo(options)
        values = merged([values, *set_values(options.items("parameters"))])
        unknown = unknown or why_unfollowed(options.items("parameters"), bool(options.items("valueFiles")))
        at = ".".join((*where, field))
        named = source.string("chart") or source.string("path")
        chart = Chart(named, source.string("repoURL"), source, f"{at}.targetRevision")
        yield Release(name, chart, f"{at}.helm.{path}", values, unknown)


def sources_of(document: TreeNode, where: tuple[str, ...]) -> Iterator[tuple[str, TreeNode]]:
    """(field, source) of each source of an Application."""
    source = document.get(*where, "source")
    if source is not None:
        yield "source", source
    yield from ((f"sources[{number}]", each) for number, each in enumerate(document.items(*where, "sources")))


def values_of_argo(options: TreeNode) -> tuple[TreeNode, str, str]:
    """(values, the field that has them, why they are not known)."""
    whole, text = options.get("valuesObject"), options.get("values")
    if whole is not None and whole.kind == MAPPING:
        return whole, "valuesObject.", ""
    nothing = TreeNode(MAPPING, options.line, options.column)
    if text is None or text.kind != SCALAR or not text.text.strip():
        return nothing, "parameters.", ""
    tree = decoded(text)
    if isinstance(tree, str) or tree.kind != MAPPING:
        return nothing, "values.", tree if isinstance(tree, str) else "they are no map"
    return tree, "values.", ""


def of_helmfile(document: TreeNode) -> Iterator[Release]:
    """The releases of a helmfile: files that it names are values of their own, which are not followed."""
    for number, release in enumerate(document.items("releases")):
        chart, own = release.string("chart"), release.items("values")
        maps = [each for each in own if each.kind == MAPPING]
        nothing = TreeNode(MAPPING, release.line, release.column)
        values = merged([nothing, *maps, *set_values(release.items("set"))])
        is_one = len(maps) == 1 and not release.items("set")
        at = f"[{own.index(maps[0])}]" if is_one else ""
        unknown = why_unfollowed(release.items("set"), len(maps) < len(own))
        if chart:
            named = Chart(chart, "", release, f"releases[{number}].version")
            yield Release(release.string("name"), named, f"releases[{number}].values{at}.", values, unknown)


def set_values(items: Sequence[TreeNode]) -> Iterator[TreeNode]:
    """The maps that values which are set one by one come to."""
    for item in items:
        name, value = item.get("name"), item.get("value")
        if name is not None and value is not None and not names_item(name):
            yield nested(name, value)


def names_item(name: TreeNode) -> bool:
    """Whether the name of a value is that of a list's item, which is not followed."""
    return "[" in name.text


def why_unfollowed(items: Sequence[TreeNode], has_files: bool) -> str:
    """Why values of a release are not known, by those that are set one by one, and whether files are named."""
    names = (item.get("name") for item in items)
    of_item = next((f"{name.text[:80]} is not followed" for name in names if name and names_item(name)), "")
    return of_item or ("those of files are not followed" if has_files else "")


def of_kustomize(document: TreeNode) -> Iterator[Release]:
    """The charts that Kustomize renders; a file of values lies under what is written in place."""
    for number, chart in enumerate(document.items("helmCharts")):
        values = chart.get("valuesInline")
        unknown = "those of valuesFile are not followed" if chart.string("valuesFile") else ""
        values = values if values is not None else TreeNode(MAPPING, chart.line, chart.column)
        if values.kind == MAPPING:
            name = chart.string("releaseName") or chart.string("name")
            named = Chart(chart.string("name"), chart.string("repo"), chart, f"helmCharts[{number}].version")
            yield Release(name, named, f"helmCharts[{number}].valuesInline.", values, unknown)
