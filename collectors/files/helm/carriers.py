"""Where tools make releases of Helm: which mappings of a document do, and what the parts of a release are called there.

Source: helm.toolkit.fluxcd.io, argoproj.io, helm.cattle.io, helm.crossplane.io, fleet.yaml of Rancher, helmfile, helmsman, skaffold, Kustomize's helmCharts and
HelmChartInflationGenerator, Ansible's kubernetes.core.helm, Pulumi YAML.
"""

from __future__ import annotations

from collections.abc import Iterator

from collectors.files.helm.release import Fields
from collectors.files.syntax.tree import MAPPING, TreeNode, nodes_in

Place = tuple[str, TreeNode, Fields]
"""(the path of a mapping, with a dot behind it, the mapping, what it calls its parts)."""
METADATA = ("metadata.name",)
INFLATED = Fields(("name",), ("valuesInline",), ("valuesFile", "additionalValuesFiles"), (), ("repo",), name=("releaseName", "name"))  # fmt: skip
OF_FLUX = Fields(("spec.chart.spec.chart", "spec.chartRef.name"), ("spec.values",), ("spec.valuesFrom", "spec.chart.spec.valuesFiles"),
                 (), ("spec.chart.spec.sourceRef.name",), "spec.chart.spec.version", METADATA)  # fmt: skip
KINDS = {
    "HelmRelease": OF_FLUX,
    "HelmChart": Fields(("spec.chart",), ("spec.valuesContent",), ("spec.valuesSecrets",), ("spec.set",), ("spec.repo",), "spec.version", METADATA),
    "Release": Fields(("spec.forProvider.chart.name", "spec.forProvider.chart.url"), ("spec.forProvider.values",), ("spec.forProvider.valuesFrom",),
                      ("spec.forProvider.set",), ("spec.forProvider.chart.repository",), "spec.forProvider.chart.version", METADATA),
    "HelmChartInflationGenerator": INFLATED,
}  # fmt: skip
"""The kinds of resources that are a release each: of Flux, k3s, Crossplane and Kustomize."""
OF_HELMFILE = Fields(("chart",), ("values",), ("secrets",), ("set", "setString"))
OF_SKAFFOLD = Fields(("remoteChart", "chartPath"), ("overrides",), ("valuesFiles", "setFiles", "setValueTemplates"), ("setValues",), ("repo",))  # fmt: skip
LISTS = (
    (("releases",), OF_HELMFILE),
    (("helmCharts",), INFLATED),
    (("deploy", "helm", "releases"), OF_SKAFFOLD),
    (("manifests", "helm", "releases"), OF_SKAFFOLD),
)
"""Lists of releases: helmfile's, Kustomize's and skaffold's."""
OF_HELMSMAN = Fields(("chart",), (), ("valuesFile", "valuesFiles", "secretsFile", "secretsFiles", "setFile"), ("set", "setString"))  # fmt: skip
OF_PULUMI = Fields(("properties.chart",), ("properties.values",), ("properties.valueYamlFiles",), (), ("properties.repositoryOpts.repo", "properties.fetchOpts.repo"),
                   "properties.version", ("properties.name",))  # fmt: skip
MAPS = ((("apps",), OF_HELMSMAN), (("resources",), OF_PULUMI))
"""Releases by their names: helmsman's and Pulumi's."""
OF_FLEET = Fields(("helm.chart",), ("helm.values",), ("helm.valuesFiles", "helm.valuesFrom", "targetCustomizations"), (), ("helm.repo",),
                  "helm.version", ("helm.releaseName",))  # fmt: skip
OF_ANSIBLE = Fields(("chart_ref",), ("release_values", "values"), ("values_files", "set_values"), (), ("chart_repo_url",), "chart_version", ("name", "release_name"))  # fmt: skip
TASKS = ("kubernetes.core.helm", "community.kubernetes.helm", "helm")
"""The names of Ansible's module."""


def places(document: TreeNode) -> Iterator[Place]:
    """The mappings of a document that may make a release each, but for those of Argo CD."""
    kind = document.string("kind")
    if kind in KINDS:
        yield "", document, KINDS[kind]
    for path, fields in LISTS:
        at = ".".join(path)
        yield from ((f"{at}[{number}].", each, fields) for number, each in enumerate(document.items(*path)))
    for path, fields in MAPS if not kind else ():
        yield from ((f"{'.'.join(path)}.{name}.", each, fields) for name, (_, each) in document.mapping(*path).items())
    if not kind and document.get("helm", "chart") is not None:
        yield "", document, OF_FLEET
    yield from tasks(document) if not kind else ()


def tasks(document: TreeNode) -> Iterator[Place]:
    """The tasks of Ansible's that make a release each, wherever they stand."""
    for node in nodes_in(document):
        yield from ((f"{name}.", node.pairs()[name][1], OF_ANSIBLE) for name in TASKS if name in node.pairs())


def is_release(place: Place) -> bool:
    """Whether there may be a release at a place."""
    return place[1].kind == MAPPING
