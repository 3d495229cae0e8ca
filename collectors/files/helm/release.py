"""A release of Helm, and what each tool calls the parts of one: the chart, its version, values in place, values elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from collectors.files.helm.values import chart_name, merged, nested
from collectors.files.syntax.text_documents import decoded
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode


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


class Fields(NamedTuple):
    """The dotted paths at which a tool has the parts of a release, those that count first in front; values lie over those before them.

    `values` are maps, texts or lists of maps, `sets` values one by one, `elsewhere` names files and other objects.
    """

    chart: tuple[str, ...]
    values: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    repository: tuple[str, ...] = ()
    version: str = "version"
    name: tuple[str, ...] = ("name",)


class Values(NamedTuple):
    """Some values of a release, the path at which they stand, or why they are not known."""

    path: str
    tree: TreeNode | None
    unknown: str = ""


def release_of(holder: TreeNode, at: str, fields: Fields) -> Release | None:
    """The release that a mapping makes; None where it names no chart."""
    named = first_of(holder, fields.chart)
    if not named:
        return None
    own = [each for field in fields.values for each in values_at(holder, field)]
    sets = [item for field in fields.sets for item in _sets(holder.get(*field.split(".")))]
    trees = [each.tree for each in own if each.tree is not None]
    nothing = TreeNode(MAPPING, holder.line, holder.column)
    values = merged(
        [nothing, *trees, *(nested(name, value) for name, value in sets if value is not None and _is_plain(name))]
    )
    path = own[0].path if len(trees) == 1 and own else f"{_field_of(fields, bool(trees))}."
    folder, _, version = fields.version.rpartition(".")
    versions = holder.get(*folder.split(".")) if folder else holder
    chart = Chart(named, first_of(holder, fields.repository), versions, at + fields.version)
    return Release(first_of(holder, fields.name), chart, at + path, values, _unknown(holder, fields, own, sets))


def _field_of(fields: Fields, has_trees: bool) -> str:
    """The field that stands for all values: that of what is set one by one where there are no others."""
    named = (*fields.values, *fields.sets) if has_trees else (*fields.sets, *fields.values)
    return named[0]


def first_of(holder: TreeNode, paths: Sequence[str]) -> str:
    """The text at the first of some paths that has one."""
    return next((text for path in paths if (text := holder.string(*path.split(".")))), "")


def values_at(holder: TreeNode, field: str) -> Iterator[Values]:
    """The values at a path: a map, a text of one, or a list of maps among names of files."""
    node = holder.get(*field.split("."))
    if node is None or node.is_null:
        return
    if node.kind == SEQUENCE:
        for number, item in enumerate(node.children):
            is_map = item.kind == MAPPING
            yield Values(
                f"{field}[{number}].", item if is_map else None, "" if is_map else "those of files are not followed"
            )
        return
    tree = decoded(node) if node.kind == SCALAR else node
    if isinstance(tree, str) or tree.kind != MAPPING:
        yield Values(f"{field}.", None, tree if isinstance(tree, str) else "they are no map")
    else:
        yield Values(f"{field}.", tree)


def _sets(node: TreeNode | None) -> Iterator[tuple[TreeNode, TreeNode | None]]:
    """(name, value) of what is set one by one, as a list or as a map; None for a value that stands in a file."""
    yield from node.pairs().values() if node is not None and node.kind == MAPPING else ()
    for item in node.children if node is not None else ():
        named = item.get("name")
        if named is not None:
            yield named, item.get("value") or item.get("values")


def _is_plain(name: TreeNode) -> bool:
    """Whether the name of a value is not that of a list's item, which is not followed."""
    return "[" not in name.text


def _unknown(
    holder: TreeNode, fields: Fields, own: Sequence[Values], sets: Sequence[tuple[TreeNode, TreeNode | None]]
) -> str:
    """Why values of a release are not all known; empty where they are."""
    reasons = [each.unknown for each in own]
    reasons += [f"{name.text[:80]} is not followed" for name, value in sets if value is None or not _is_plain(name)]
    named = (field for field in fields.elsewhere if _is_filled(holder.get(*field.split("."))))
    return next(filter(None, reasons), "") or next((f"those of {field} are not followed" for field in named), "")


def _is_filled(node: TreeNode | None) -> bool:
    return node is not None and bool(node.children or node.pairs_written or (node.text and not node.is_null))
