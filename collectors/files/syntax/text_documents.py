"""A document of YAML or JSON that is a text of another one: its nodes stand at the lines of the text."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.errors import UnreadableInput
from collectors.files.syntax.recognition import YAML
from collectors.files.syntax.tree import TreeNode
from collectors.files.syntax.yaml_tree import documents


def decoded(text: TreeNode) -> TreeNode | str:
    """The one document of a text of YAML or JSON, at the lines of the text, or why it is not known."""
    roots = documents_in(text)
    if roots is None:
        return "it cannot be read as YAML"
    return roots[0] if len(roots) == 1 else "it is not one document"


def documents_in(text: TreeNode) -> list[TreeNode] | None:
    """The documents of a text of YAML or JSON, at the lines of the text; None where it cannot be read."""
    try:
        roots = list(documents(text.text, text.file or "a text", YAML, every=True))
    except UnreadableInput:
        return None
    move(roots, text)
    return roots


def move(nodes: Iterable[TreeNode], text: TreeNode) -> None:
    """Move the nodes of a decoded text to the place of the text."""
    has_lines, seen = text.indent is not None or text.end[0] > text.line, set[int]()
    for node in nodes:
        _move(node, text, text.line - (text.indent is None) if has_lines else None, seen)


def _move(node: TreeNode, text: TreeNode, lines: int | None, seen: set[int]) -> None:
    """Move the nodes of a decoded text by as many lines as stand above it; None: all to its own place."""
    if id(node) in seen:
        return
    seen.add(id(node))
    node.file = text.file
    if lines is None:
        node.line, node.column, node.end = text.line, text.column, text.end
        node.indent = None
    else:
        columns = text.indent or 0
        node.line, node.column = node.line + lines, node.column + columns
        node.end = (node.end[0] + lines, node.end[1] + columns)
        node.indent = node.indent + columns if node.indent is not None else None
    for inner in (*node.children, *(each for pair in node.pairs_written for each in pair)):
        _move(inner, text, lines, seen)
