"""The variables that a Compose file is filled in with: those of its `.env`, and over them those of the files that include it.

Source: the Compose specification (include: path, project_directory, env_file), and compose-go (loader/include.go).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from collectors.files.sources import Sources
from collectors.files.syntax.tree import MAPPING, SEQUENCE, TreeNode

INCLUDE, OWN = "include", ".env"
DEEPEST = 5
"""Files that include each other."""


class Include(NamedTuple):
    """How a file is included: by which file, and the files of variables that lie under its variables."""

    parent: str
    env_files: Sequence[str]


def environment_of(sources: Sources) -> dict[str, str]:
    """The variables of a Compose file."""
    return _environment(sources, DEEPEST)


def _environment(sources: Sources, left: int) -> dict[str, str]:
    include = sources.of_run("files that Compose includes", _includes).get(os.path.normpath(sources.path))
    if include is None or not left:
        return sources.environment()
    parent = Sources(include.parent, include.parent, sources.run)
    values: dict[str, str] = {}
    for path in include.env_files:
        values |= {name: value for name, value, _ in parent.env_file_of_tree(path) or ()}
    return values | _environment(parent, left - 1)


def _includes(sources: Sources) -> dict[str, Include]:
    """The files of the run that others include, by their paths; one that several include is taken as the first does."""
    included: dict[str, Include] = {}
    for path in sorted(sources.run.compose_files):
        parent = Sources(path, path, sources.run)
        text = parent.text_beside(os.path.basename(path)) or ""
        for document in parent.documents(path, text, every=True) if INCLUDE in text else ():
            for name, include in _of_document(document, parent):
                included.setdefault(os.path.normpath(os.path.join(parent.folder, name)), include)
    return included


def _of_document(document: TreeNode, parent: Sources) -> Iterator[tuple[str, Include]]:
    """(path from the folder of the file that includes it, how) of each file that a document includes."""
    for item in document.items(INCLUDE) if document.kind == MAPPING else ():
        paths = texts_at(item, "path") if item.kind == MAPPING else [item.text]
        folder = item.string("project_directory") if item.kind == MAPPING else ""
        for path in paths:
            own = os.path.join(folder or os.path.dirname(paths[0]), OWN)
            yield path, Include(parent.path, texts_at(item, "env_file") or [own])


def texts_at(node: TreeNode, field: str) -> list[str]:
    """The texts of a field that has one or a list of them."""
    value = node.get(field)
    return [] if value is None else [each.text for each in (value.children if value.kind == SEQUENCE else [value])]
