"""Fill in what the same file says of local.x: locals that are written out.

A variable stays a reference, with a default or not: whoever runs Terraform gives its value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collectors.files.syntax.hcl_tree import HclBlock
from collectors.files.syntax.tree import SCALAR, TreeNode

REFERENCE = re.compile(r"\$\{\s*(local\.[A-Za-z_][A-Za-z0-9_-]{0,200})\s*\}")
ROUNDS = 4
"""How many references may lie behind each other."""
MOST_CHARACTERS = 4 * 1024 * 1024
"""Characters that are filled in, in one file."""
LONGEST_INSIDE = 1_000


class Values:
    """The values of references, and how many characters may still be filled in."""

    def __init__(self, blocks: Sequence[HclBlock]) -> None:
        self.nodes = {name: node for block in blocks for name, node in _locals(block)}
        self.left = MOST_CHARACTERS

    def fill(self, node: TreeNode) -> TreeNode:
        """A node with its references filled in: a whole one becomes the value, one inside a text its text."""
        if node.kind != SCALAR:
            node.pairs_written = [(key, self.fill(value)) for key, value in node.pairs_written]
            node.children = [self.fill(child) for child in node.children]
            return node
        whole = REFERENCE.fullmatch(node.text)
        value = self.nodes.get(whole.group(1)) if whole else None
        if value is not None and value.kind != SCALAR and all(child.kind == SCALAR for child in _children(value)):
            return value
        self.fill_text(node)
        return node

    def fill_text(self, node: TreeNode) -> None:
        """Fill in the references of a text that are texts."""
        if "${" in node.text:
            longest = None if REFERENCE.fullmatch(node.text) else LONGEST_INSIDE
            node.text = REFERENCE.sub(lambda match: self._text(match, longest), node.text)

    def _text(self, match: re.Match[str], longest: int | None) -> str:
        value = self.nodes.get(match.group(1))
        if value is None or value.kind != SCALAR or value.is_null or not value.text or _is_computed(value.text):
            return match.group()
        if len(value.text) > self.left or (longest is not None and (len(value.text) > longest or "\n" in value.text)):
            return match.group()
        self.left -= len(value.text)
        return value.text


def _locals(block: HclBlock) -> Iterator[tuple[str, TreeNode]]:
    """(reference, value) of locals."""
    if block.type == "locals":
        for name, (_, value) in block.body.pairs().items():
            yield f"local.{name}", value


def _children(node: TreeNode) -> list[TreeNode]:
    return [*(value for _, value in node.pairs_written), *node.children]


def _is_computed(text: str) -> bool:
    return "${" in text or "%{" in text


def fill_references(blocks: Sequence[HclBlock]) -> None:
    """Fill in the references of resources and modules to locals of the same file."""
    values = Values(blocks)
    if not values.nodes:
        return
    for _ in range(ROUNDS):
        for node in values.nodes.values():
            for each in (node, *_children(node)):
                values.fill_text(each)
    for block in blocks:
        if block.type in ("resource", "module"):
            block.body = values.fill(block.body)
