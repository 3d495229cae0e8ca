"""Releases of Argo CD: the sources of an Application, of an ApplicationSet and of the templates of its generators.

Source: argoproj.io (Application, ApplicationSet).
"""

from __future__ import annotations

from collections.abc import Iterator

from collectors.files.helm.release import Fields, Release, release_of
from collectors.files.syntax.tree import MAPPING, TreeNode

KINDS = {"Application": ("spec",), "ApplicationSet": ("spec", "template", "spec")}
"""The kinds of resources, each with where its specification is."""
ELSEWHERE, SETS = ("helm.valueFiles", "helm.fileParameters"), ("helm.parameters",)
OF_TEXT = Fields(("chart", "path"), ("helm.values",), ELSEWHERE, SETS, ("repoURL",), "targetRevision")
OF_OBJECT = OF_TEXT._replace(values=("helm.valuesObject",))
OF_PARAMETERS = OF_TEXT._replace(values=())


def releases(document: TreeNode) -> Iterator[Release]:
    """The releases of the sources of an Application: parameters over valuesObject, that over the text of values, which it replaces."""
    name = document.string("metadata", "name")
    for at, source in sources_of(document):
        if source.get("helm") is not None:
            release = release_of(source, f"{at}.", _fields_of(source))
            yield from () if release is None else (release._replace(name=name),)


def sources_of(document: TreeNode) -> Iterator[tuple[str, TreeNode]]:
    """(path, source) of each source of an Application, or of what an ApplicationSet makes."""
    for where, holder in specifications(document):
        source = holder.get("source")
        if source is not None and source.kind == MAPPING:
            yield f"{where}.source", source
        listed = [(number, each) for number, each in enumerate(holder.items("sources")) if each.kind == MAPPING]
        yield from ((f"{where}.sources[{number}]", each) for number, each in listed)


def specifications(document: TreeNode) -> Iterator[tuple[str, TreeNode]]:
    """(path, specification) of an Application, or of the templates of a set of them."""
    path = KINDS[document.string("kind")]
    own = document.get(*path)
    if own is not None:
        yield ".".join(path), own
    for number, generator in enumerate(document.items("spec", "generators")):
        for name, (_, value) in generator.pairs().items():
            template = value.get("template", "spec")
            if template is not None:
                yield f"spec.generators[{number}].{name}.template.spec", template


def _fields_of(source: TreeNode) -> Fields:
    whole = source.get("helm", "valuesObject")
    if whole is not None and whole.kind == MAPPING:
        return OF_OBJECT
    return OF_TEXT if source.string("helm", "values").strip() else OF_PARAMETERS
