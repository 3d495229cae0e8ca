"""A document of YAML or JSON that is a text of another one: its nodes stand at the lines of the text."""

from __future__ import annotations

from advisor.errors import UnreadableInput
from collectors.files.syntax.recognition import YAML
from collectors.files.syntax.tree import TreeNode
from collectors.files.syntax.yaml_tree import documents


def decoded(text: TreeNode) -> TreeNode | str:
    """The one document of a text of YAML or JSON, at the lines of the text, or why it is not known."""
    try:
        roots = list(documents(text.text, text.file or "a text", YAML, every=True))
    except UnreadableInput:
        return "it cannot be read as YAML"
    if len(roots) != 1:
        return "it is not one document"
    has_lines = text.indent is not None or text.end[0] > text.line
    _move(roots[0], text, text.line - (text.indent is None) if has_lines else None, set())
    return roots[0]


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
        node.line, node.end = node.line + lines, (node.end[0] + lines, node.end[1])
    for inner in (*node.children, *(each for pair in node.pairs_written for each in pair)):
        _move(inner, text, lines, seen)
