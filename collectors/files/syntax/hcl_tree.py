"""Read HCL (Terraform) into trees with places; what refers to something else is a placeholder. Nothing is evaluated."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter
import tree_sitter_hcl

from advisor import limits
from advisor.errors import UnreadableInput
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

LANGUAGE = tree_sitter.Language(tree_sitter_hcl.language())
LITERALS = ("string_lit", "numeric_lit", "bool_lit", "null_lit", "quoted_template")


class HclBlock:
    """A block at the top of a file: `resource "kafka_topic" "orders" { … }` is of type resource with two labels."""

    def __init__(self, type: str, labels: tuple[str, ...], body: TreeNode) -> None:
        self.type = type
        self.labels = labels
        self.body = body


def blocks(text: str, shown: str) -> list[HclBlock]:
    """The blocks at the top of a file. Raises UnreadableInput."""
    data = text.encode()
    if len(data) > limits.size(limits.STRUCTURED):
        raise limits.too_large(shown, limits.STRUCTURED)
    root = tree_sitter.Parser(LANGUAGE).parse(data).root_node
    if root.has_error:
        raise _syntax_error(root, shown)
    reader = HclReader(data, shown)
    return [reader.block(child) for child in _top(root) if child.type == "block"]


def _syntax_error(root: tree_sitter.Node, shown: str) -> UnreadableInput:
    """Where the parser met the first error: the blocks behind it are in no tree."""
    node = root
    while not (node.is_error or node.is_missing):
        node = next(child for child in node.children if child.has_error)
    at = f"{shown}:{node.start_point.row + 1}:{node.start_point.column + 1}"
    return UnreadableInput(f"{at}: not HCL: a syntax error here or above; `terraform validate` says which")


def _top(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for child in root.children:
        if child.type == "body":
            yield from child.children
        else:
            yield child


class HclReader:
    """Turns the syntax tree of one file into nodes."""

    def __init__(self, data: bytes, shown: str) -> None:
        self.data = data
        self.shown = shown
        self.lines = data.decode(errors="replace").split("\n")

    def block(self, node: tree_sitter.Node) -> HclBlock:
        """A block with its labels and its body."""
        names = [child for child in node.children if child.type in ("identifier", "string_lit")]
        words = [self._text(child).strip('"') for child in names]
        body = next((child for child in node.children if child.type == "body"), None)
        tree = self._body(body, 0) if body is not None else self._new(MAPPING, node)
        return HclBlock(words[0] if words else "", tuple(words[1:]), tree)

    def _text(self, node: tree_sitter.Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")

    def _new(self, kind: str, node: tree_sitter.Node, text: str = "", plain: bool = False) -> TreeNode:
        new = TreeNode(kind, node.start_point.row + 1, node.start_point.column + 1, text, plain)
        new.end = (node.end_point.row + 1, node.end_point.column + 1)
        return new

    def _body(self, node: tree_sitter.Node, depth: int) -> TreeNode:
        """The attributes and the blocks of a body; of several blocks of one type the first one is found by its name."""
        self._check(node, depth)
        mapping = self._new(MAPPING, node)
        names = set()
        for child in node.children:
            if child.type == "attribute":
                mapping.pairs_written.append(
                    (self._name(child.children[0]), self._expression(child.children[-1], depth + 1))
                )
            elif child.type == "block":
                inner = self.block(child) if depth < limits.DEPTH else None
                if inner is not None and inner.type not in names:
                    names.add(inner.type)
                    mapping.pairs_written.append((self._name(child.children[0], inner.type), inner.body))
        return mapping

    def _check(self, node: tree_sitter.Node, depth: int) -> None:
        if depth > limits.DEPTH:
            raise UnreadableInput(f"{self.shown}:{node.start_point.row + 1}: nested deeper than {limits.DEPTH} levels")

    def _name(self, node: tree_sitter.Node, text: str | None = None) -> TreeNode:
        return self._new(SCALAR, node, text if text is not None else self._text(node).strip('"'))

    def _expression(self, node: tree_sitter.Node, depth: int) -> TreeNode:
        self._check(node, depth)
        inner = node
        while (
            inner.type in ("expression", "literal_value", "template_expr", "collection_value")
            and inner.named_child_count == 1
        ):
            inner = inner.named_children[0]
        if inner.type == "heredoc_template":
            return self._heredoc(inner)
        if inner.type in LITERALS:
            text = self._text(inner)
            quoted = text[:1] == '"'
            return self._new(SCALAR, inner, _unescaped(text[1:-1]) if quoted else text, not quoted)
        if inner.type == "tuple":
            sequence = self._new(SEQUENCE, inner)
            sequence.children = [self._expression(c, depth + 1) for c in inner.named_children if c.type == "expression"]
            return sequence
        if inner.type == "object":
            return self._object(inner, depth)
        return self._new(SCALAR, inner, f"${{{self._text(inner)[:200]}}}")

    def _object(self, node: tree_sitter.Node, depth: int) -> TreeNode:
        mapping = self._new(MAPPING, node)
        for element in node.named_children:
            parts = [child for child in element.named_children if child.type == "expression"]
            if element.type == "object_elem" and len(parts) == 2:
                mapping.pairs_written.append((self._name(parts[0]), self._expression(parts[1], depth + 1)))
        return mapping

    def _heredoc(self, node: tree_sitter.Node) -> TreeNode:
        """The lines of a heredoc; <<- takes off the indentation that all of them have."""
        first, last = node.start_point.row + 1, node.end_point.row
        lines = self.lines[first:last]
        indented = self._text(node).startswith("<<-")
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0) if indented else 0
        new = self._new(SCALAR, node, "\n".join(line[indent:] for line in lines))
        new.indent = indent
        return new


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return text.replace("\\n", "\n").replace('\\"', '"').replace("\\t", "\t").replace("\\\\", "\\")
