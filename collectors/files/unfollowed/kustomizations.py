"""What a kustomization changes of nodes that are judged without it: numbers of replicas, and variables by their place in a list.

Source: Kustomize's reference (replicas, patches, configMapGenerator, secretGenerator).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from collectors.files.run_files import YAML, RunFiles
from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, TreeNode

NAME, RESOURCES = "kustomization", ("resources", "bases")
GENERATORS, FILES, VARIABLES = ("configMapGenerator", "secretGenerator"), "files", "envs"
OF_PROPERTIES = (".properties", ".conf", ".cfg", ".config")
PATCHES = ("patches", "patchesJson6902")
IN_LIST = ("/env/", "/containers/", "/volumes/", "/volumeClaimTemplates", "/spec/replicas")
"""What the path of a patch has in it that changes something of a pod by its place."""


def kustomizations(run: RunFiles) -> Iterator[tuple[Sources, TreeNode]]:
    """The kustomizations of a run."""
    for path in run.ending(YAML):
        if os.path.basename(path).lower().startswith(NAME):
            sources = Sources(path, path, run)
            text = sources.text_beside(os.path.basename(path)) or ""
            for document in sources.documents(path, text, every=True):
                if document.kind == MAPPING:
                    yield sources, document


def generated_from(run: RunFiles) -> Iterator[str]:
    """The files that become files of properties, or variables, under another name."""
    for sources, document in kustomizations(run):
        for generator in (each for field in GENERATORS for each in document.items(field)):
            for name in _names_in(generator):
                yield os.path.normpath(os.path.join(sources.folder, name))


def _names_in(generator: TreeNode) -> Iterator[str]:
    for item in generator.items(FILES):
        name, _, path = item.text.partition("=")
        if path and name.endswith(OF_PROPERTIES):
            yield path
    yield from (item.text for item in generator.items(VARIABLES))


def changes_of(run: RunFiles, nodes: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """(kustomization, what it changes) of the files of nodes, by the names of these, where a reader of them does not follow it."""
    by_path = {os.path.normpath(path): names for path, names in nodes.items()}
    for sources, document in kustomizations(run):
        named = (item.text for field in RESOURCES for item in document.items(field))
        paths = [os.path.normpath(os.path.join(sources.folder, name)) for name in named]
        names = {name for path, each in by_path.items() if _is_of(path, paths) for name in each}
        counted = [item.string("name") for item in document.items("replicas")]
        if names.intersection(counted):
            yield sources.path, "replicas"
        elif names and any(_changes_list(patch, sources) for field in PATCHES for patch in document.items(field)):
            yield sources.path, "patches"


def _is_of(path: str, resources: list[str]) -> bool:
    return any(path == each or path.startswith(os.path.join(each, "")) for each in resources)


def _changes_list(patch: TreeNode, sources: Sources) -> bool:
    """Whether a patch of JSON changes something of a pod by its place."""
    path = patch.string("path")
    text = patch.string("patch") or (sources.text_of_tree(path) if path else "") or ""
    return any(word in text for word in IN_LIST) and "op" in text
