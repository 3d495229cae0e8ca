"""Where the pairs and items of a YAML or JSON file stand, and which of them an anchor shares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

from advisor.edits.change import NotEdited
from advisor.edits.entry import Range
from advisor.edits.text import FileText
from advisor.errors import UnreadableInput
from collectors.files.syntax.recognition import JSON
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode
from collectors.files.syntax.yaml_tree import documents

FLOW_START = re.compile(r"(?:[&!]\S*\s+)*[\[{]")
PAIR, ITEM, VARIABLE = "pair", "item", "variable"


class Place(NamedTuple):
    """A setting as child `number` of a collection whose children stand at `siblings`: its nodes, and whether it is shared."""

    kind: str
    nodes: tuple[TreeNode, ...]
    siblings: Sequence[Range]
    number: int
    in_flow: bool
    shared: bool

    @property
    def is_item(self) -> bool:
        """Whether it is an item of a sequence."""
        return self.kind != PAIR

    @property
    def value(self) -> TreeNode | None:
        """The node of its value."""
        return self.nodes[-1] if self.nodes else None


class Collection:
    """A mapping or a sequence of a file, whose children's places are made when they are asked for."""

    def __init__(self, text: FileText, node: TreeNode, shared: bool) -> None:
        self.text = text
        self.node = node
        self.shared = shared

    @cached_property
    def in_flow(self) -> bool:
        """Whether it is in flow style."""
        return self.text.syntax == JSON or is_flow(self.text, self.node)

    @cached_property
    def siblings(self) -> list[Range]:
        """Where the children stand."""
        if self.node.kind == MAPPING:
            return [self._pair(key, value) for key, value in self.node.pairs_written]
        return [(start_of(self.text, child), end_of(self.text, child)) for child in self.node.children]

    def _pair(self, key: TreeNode, value: TreeNode) -> Range:
        """Where a pair stands; an alias and a value that is not there stand elsewhere."""
        start, end = start_of(self.text, key), end_of(self.text, key)
        is_there = not (value.kind == SCALAR and value.plain and value.text == "")
        return start, max(end, end_of(self.text, value)) if is_there else end


class Child(NamedTuple):
    """A child of a collection that may be a setting."""

    collection: Collection
    kind: str
    nodes: tuple[TreeNode, ...]
    number: int
    shared: bool

    @property
    def place(self) -> Place:
        """Its place."""
        of = self.collection
        return Place(self.kind, self.nodes, of.siblings, self.number, of.in_flow, of.shared or self.shared)


class Index:
    """What may be a setting of a file, by line, and its texts over several lines: whether each is shared, by their lines."""

    def __init__(self, text: FileText) -> None:
        self.text = text
        self.texts: dict[int, bool] = {}
        self._children_at: dict[int, dict[int, list[Child]]] = {}
        self._times: dict[int, int] = {}
        try:
            roots = list(documents(text.text, text.name, text.syntax, every=True))
        except UnreadableInput:
            raise NotEdited("the file cannot be read any more") from None
        for root in roots:
            self._count(root)
            self._add(root, False, set())

    def places(self, line: int, column: int | None) -> Iterator[Place]:
        """The settings that may stand in a line, at a column of it where one is given."""
        of_line = self._children_at.get(line, {})
        columns = of_line.values() if column is None else (of_line.get(column, ()),)
        return (child.place for children in columns for child in children)

    def _count(self, root: TreeNode) -> None:
        """Count how often each node is a child: more than once where an anchor shares it."""
        nodes, walked = [root], set[int]()
        while nodes:
            node = nodes.pop()
            self._times[id(node)] = self._times.get(id(node), 0) + 1
            if id(node) not in walked:
                walked.add(id(node))
                nodes += [*node.children, *(child for pair in node.pairs_written for child in pair)]

    def _add(self, node: TreeNode, shared: bool, walked: set[int]) -> None:
        if id(node) in walked:
            return
        walked.add(id(node))
        shared = shared or self._times[id(node)] > 1
        if node.kind == SCALAR:
            for line in range(node.line + 1, node.end[0] + 1) if node.indent is not None else ():
                self.texts.setdefault(line, shared)
            return
        for child in self._children(Collection(self.text, node, shared)):
            of_line = self._children_at.setdefault(child.nodes[0].line, {})
            of_line.setdefault(child.nodes[0].column, []).append(child)
        for each in (*node.children, *(value for _, value in node.pairs_written)):
            self._add(each, shared, walked)

    def _children(self, collection: Collection) -> Iterator[Child]:
        """The children of a collection that may be settings."""
        if collection.node.kind == MAPPING:
            for number, pair in enumerate(collection.node.pairs_written):
                yield Child(collection, PAIR, pair, number, self._times[id(pair[1])] > 1)
        for number, child in enumerate(collection.node.children):
            is_shared = self._times[id(child)] > 1
            if child.kind == SCALAR and "=" in child.text:
                yield Child(collection, ITEM, (child,), number, is_shared)
            elif child.kind == MAPPING and "name" in child.pairs() and "value" in child.pairs():
                nodes = (child.pairs()["name"][1], child.pairs()["value"][1])
                yield Child(collection, VARIABLE, nodes, number, is_shared)


INDEXES: WeakKeyDictionary[FileText, Index] = WeakKeyDictionary()


def index_of(text: FileText) -> Index:
    """The index of a text, made once. Raises NotEdited."""
    if text not in INDEXES:
        INDEXES[text] = Index(text)
    return INDEXES[text]


def start_of(text: FileText, node: TreeNode) -> int:
    """The offset at which a node begins."""
    return text.offset(node.line, node.column)


def end_of(text: FileText, node: TreeNode) -> int:
    """The offset behind a node: that of a collection in block style behind its last child, of a text before its last line's end."""
    if node.kind == SCALAR or is_flow(text, node):
        end = text.offset(*node.end)
        start = start_of(text, node)
        return start + len(text.text[start:end].rstrip()) if node.kind == SCALAR else end
    last = node.children[-1:] if node.kind == SEQUENCE else [each for pair in node.pairs_written[-1:] for each in pair]
    return max((end_of(text, child) for child in last), default=start_of(text, node))


def is_flow(text: FileText, node: TreeNode) -> bool:
    """Whether a collection is in flow style."""
    return FLOW_START.match(text.text, start_of(text, node)) is not None
