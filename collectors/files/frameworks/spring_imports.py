"""What `spring.config.import` brings into an application's file: files and trees of the run, one property a file.

Source: Spring Boot's reference, external application properties (importing additional data, configuration trees).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from advisor.errors import UnreadableInput
from collectors.files.block import text_of
from collectors.files.frameworks.dotted_properties import Flat, flatten, properties_of
from collectors.files.sources import Sources
from collectors.files.syntax.properties import BrokenEscape, TooLong
from collectors.files.syntax.recognition import YAML
from collectors.files.syntax.tree import MAPPING, SCALAR, TreeNode
from collectors.files.syntax.yaml_tree import documents

NAME, OPTIONAL, TREE = "spring.config.import", "optional:", "configtree:"
LISTED = re.compile(rf"{re.escape(NAME)}(?:\[\d{{1,3}}\])?")
LOCAL = ("file:", "classpath:")
HINT = re.compile(r"(.{1,500})\[(\.\w{1,20})\]")
"""A location whose syntax stands behind it, as its name does not say it."""
ENDINGS = (".properties", ".yml", ".yaml")
ABOVE = ("", "../", "../../", "../../../")
"""Where a location may begin: in the folder of the file, which may be src/main/resources of the folder that the application starts in."""
MOST = 100


def with_imports(flat: Sequence[Flat], sources: Sources) -> tuple[list[Flat], str]:
    """The properties of a document with those that it imports over them, and which import is not followed."""
    rows, unknown = list(flat), ""
    for location in locations(flat):
        imported = _imported(location.removeprefix(OPTIONAL), sources)
        if imported is None:
            unknown = unknown or f"{NAME}: {location[:80]} is not followed"
        rows += imported or []
    return rows, unknown


def locations(flat: Sequence[Flat]) -> list[str]:
    """The locations that a document imports."""
    texts = (text_of(value) for name, _, value in flat if LISTED.fullmatch(name))
    return [each.strip() for text in texts for each in re.split("[,;]", text) if each.strip()][:MOST]


def _imported(location: str, sources: Sources) -> list[Flat] | None:
    """The properties that a location holds; None where it is no file of the run."""
    if location.startswith(TREE):
        return _of_tree(location.removeprefix(TREE).removeprefix("file:"), sources)
    prefix = next((each for each in LOCAL if location.startswith(each)), "")
    path = location.removeprefix(prefix).removeprefix("/" if prefix == LOCAL[1] else "")
    if "$" in path or os.path.isabs(path) or (not prefix and ":" in path):
        return None
    hinted = HINT.fullmatch(path)
    name, ending = (hinted.group(1), hinted.group(2)) if hinted else (path, os.path.splitext(path)[1])
    names = [f"{name}application{each}" for each in ENDINGS] if path.endswith("/") else [name]
    files = [rows for each in names if (rows := _of_file(each, ending, sources)) is not None]
    return [row for rows in files for row in rows] if files else None


def _of_file(name: str, ending: str, sources: Sources) -> list[Flat] | None:
    for path in (above + os.path.normpath(name) for above in ABOVE):
        text = sources.text_of_tree(path)
        if text is not None:
            return _rows(text, ending or os.path.splitext(name)[1], sources.shown_path(path))
    return None


def _rows(text: str, ending: str, shown: str) -> list[Flat] | None:
    """The properties of a file of one document; None where they cannot be read, or are those of a profile."""
    try:
        roots = [] if ending == ENDINGS[0] else list(documents(text, shown, YAML, every=True))
        rows = properties_of(text) if ending == ENDINGS[0] else [row for each in roots for row in flatten(each, shown)]
    except (UnreadableInput, BrokenEscape, TooLong):
        return None
    if len(roots) > 1 or any(root.kind != MAPPING for root in roots):
        return None
    for _, key, _ in rows:
        key.file = shown
    return rows


def _of_tree(folder: str, sources: Sources) -> list[Flat] | None:
    """The properties of a tree: each file is the value of one, whose name its path is."""
    if "$" in folder or os.path.isabs(folder) or folder.endswith("*/"):
        return None
    rows = [row for above in ABOVE for row in _values(above + os.path.normpath(folder), sources)]
    return rows or None


def _values(folder: str, sources: Sources) -> Iterator[Flat]:
    for name in sources.files_below(folder)[:MOST]:
        path = os.path.join(folder, name)
        text = sources.text_of_tree(path)
        if text is not None:
            key, value = TreeNode(SCALAR, 1, 1, name.replace("/", ".")), TreeNode(SCALAR, 1, 1, text.strip())
            key.file, value.end = sources.shown_path(path), (1, len(text.strip()) + 1)
            yield key.text, key, value
