"""Parse a file of HCL (Terraform): its blocks and attributes as syntax, with their places. Nothing is evaluated here."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter
import tree_sitter_hcl

from advisor import limits
from advisor.errors import UnreadableInput

LANGUAGE = tree_sitter.Language(tree_sitter_hcl.language())
Syntax = tree_sitter.Node


class HclFile:
    """A file of HCL: its bytes, its lines, and the body at its top."""

    def __init__(self, data: bytes, shown: str, root: Syntax) -> None:
        self.bytes = data
        self.shown = shown
        self.root = root
        self.lines = data.decode(errors="replace").split("\n")

    def text(self, node: Syntax) -> str:
        """The source of a piece of syntax."""
        return self.between(node.start_byte, node.end_byte)

    def between(self, start: int, end: int) -> str:
        """The source between two offsets in bytes."""
        return self.bytes[start:end].decode(errors="replace")

    def blocks(self, body: Syntax | None = None) -> Iterator[SyntaxBlock]:
        """The blocks of a body, those at the top of the file by default."""
        for child in _children(self.root if body is None else body):
            if child.type == "block":
                yield SyntaxBlock(self, child)

    def attributes(self, body: Syntax | None = None) -> Iterator[tuple[Syntax, Syntax]]:
        """(name, expression) of the attributes of a body, those at the top of the file by default."""
        for child in _children(self.root if body is None else body):
            if child.type == "attribute":
                yield child.children[0], child.children[-1]

    def attribute(self, body: Syntax | None, name: str) -> Syntax | None:
        """The expression of an attribute of a body; None where it has none."""
        own = () if body is None else self.attributes(body)
        return next((value for key, value in own if self.text(key) == name), None)


class SyntaxBlock:
    """A block: `resource "kafka_topic" "orders" { … }` is of type resource with two labels. `body` is None where it is empty."""

    def __init__(self, file: HclFile, node: Syntax) -> None:
        names = [child for child in node.children if child.type in ("identifier", "string_lit")]
        words = [file.text(child).strip('"') for child in names]
        self.file = file
        self.node = node
        self.name = node.children[0]
        self.type = words[0] if words else ""
        self.labels = tuple(words[1:])
        self.body = next((child for child in node.children if child.type == "body"), None)


def parse(text: str, shown: str) -> HclFile:
    """Parse a file. Raises UnreadableInput."""
    data = text.encode()
    if len(data) > limits.size(limits.STRUCTURED):
        raise limits.too_large(shown, limits.STRUCTURED)
    root = tree_sitter.Parser(LANGUAGE).parse(data).root_node
    if root.has_error:
        raise _syntax_error(root, shown)
    return HclFile(data, shown, root)


def _syntax_error(root: Syntax, shown: str) -> UnreadableInput:
    """Where the parser met the first error: the blocks behind it are in no tree."""
    node = root
    while not (node.is_error or node.is_missing):
        node = next(child for child in node.children if child.has_error)
    at = f"{shown}:{node.start_point.row + 1}:{node.start_point.column + 1}"
    return UnreadableInput(f"{at}: not HCL: a syntax error here or above; `terraform validate` says which")


def _children(body: Syntax) -> Iterator[Syntax]:
    for child in body.children:
        if child.type == "body":
            yield from child.children
        else:
            yield child


def operands(node: Syntax) -> list[Syntax]:
    """The named children of an expression, comments left out."""
    return [child for child in node.named_children if child.type != "comment"]
