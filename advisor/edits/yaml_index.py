"""Where the pairs and items of a YAML or JSON file stand, and which of them an anchor shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

from advisor.edits.change import NotEdited
from advisor.edits.entry import Range
from advisor.edits.text import FileText
from advisor.errors import UnreadableInput
from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode
from collectors.files.syntax.yaml_tree import documents

PAIR, ITEM, VARIABLE = "pair", "item", "variable"


class Collection:
    """A mapping or a sequence of a file, in which settings stand."""

    def __init__(self, text: FileText, node: TreeNode, shared: bool) -> None:
        self.text = text
        self.node = node
        self.shared = shared

    @property
    def size(self) -> int:
        """How many children it has."""
        return len(self.node.pairs_written if self.node.kind == MAPPING else self.node.children)

    @cached_property
    def siblings(self) -> list[Range]:
        """Where the children stand."""
        return [self.range_of(number) for number in range(self.size)]

    def range_of(self, number: int) -> Range:
        """Where a child stands."""
        if self.node.kind == MAPPING:
            return self._pair(*self.node.pairs_written[number])
        return range_of(self.text, self.node.children[number])

    def _pair(self, key: TreeNode, value: TreeNode) -> Range:
        """Where a pair stands; an alias and a value that is not there stand elsewhere."""
        start, end = range_of(self.text, key)
        is_there = not (value.kind == SCALAR and value.plain and value.text == "")
        return start, max(end, range_of(self.text, value)[1]) if is_there else end


class Place(NamedTuple):
    """A setting as child `number` of a collection: its nodes, and whether an anchor shares its value."""

    kind: str
    nodes: tuple[TreeNode, ...]
    collection: Collection
    number: int
    shared_value: bool

    @property
    def is_item(self) -> bool:
        """Whether it is an item of a sequence."""
        return self.kind != PAIR

    @property
    def value(self) -> TreeNode | None:
        """The node of its value."""
        return self.nodes[-1] if self.nodes else None

    @property
    def range(self) -> Range:
        """Where it stands."""
        return self.collection.range_of(self.number)

    @property
    def siblings(self) -> Sequence[Range]:
        """Where the children of its collection stand, itself among them."""
        return self.collection.siblings

    @property
    def in_flow(self) -> bool:
        """Whether it stands in brackets."""
        return self.collection.node.in_flow

    @property
    def shared(self) -> bool:
        """Whether an anchor shares it with others."""
        return self.collection.shared or self.shared_value


class Index:
    """What may be a setting of a file, by line, and its texts over several lines: whether each is shared, by their lines."""

    def __init__(self, text: FileText) -> None:
        self.text = text
        self.texts: dict[int, bool] = {}
        self._places_at: dict[int, dict[int, list[Place]]] = {}
        try:
            roots = list(documents(text.text, text.name, text.syntax, every=True))
        except UnreadableInput:
            raise NotEdited("the file cannot be read any more") from None
        for root in roots:
            self._add(root, False, set())

    def places(self, line: int, column: int | None) -> Iterator[Place]:
        """The settings that may stand in a line, at a column of it where one is given."""
        of_line = self._places_at.get(line, {})
        columns = of_line.values() if column is None else (of_line.get(column, ()),)
        return (place for places in columns for place in places)

    def _add(self, node: TreeNode, shared: bool, walked: set[int]) -> None:
        if id(node) in walked:
            return
        walked.add(id(node))
        shared = shared or node.shared
        if node.kind == SCALAR:
            for line in range(node.line + 1, node.end[0] + 1) if node.indent is not None else ():
                self.texts.setdefault(line, shared)
            return
        for place in places_in(Collection(self.text, node, shared)):
            of_line = self._places_at.setdefault(place.nodes[0].line, {})
            of_line.setdefault(place.nodes[0].column, []).append(place)
        for each in (*node.children, *(value for _, value in node.pairs_written)):
            self._add(each, shared, walked)


def places_in(collection: Collection) -> Iterator[Place]:
    """The children of a collection that may be settings."""
    if collection.node.kind == MAPPING:
        for number, pair in enumerate(collection.node.pairs_written):
            yield Place(PAIR, pair, collection, number, pair[1].shared)
    for number, child in enumerate(collection.node.children):
        if child.kind == SCALAR and "=" in child.text:
            yield Place(ITEM, (child,), collection, number, child.shared)
        elif child.kind == MAPPING and "name" in child.pairs() and "value" in child.pairs():
            nodes = (child.pairs()["name"][1], child.pairs()["value"][1])
            yield Place(VARIABLE, nodes, collection, number, child.shared)


INDEXES: WeakKeyDictionary[FileText, Index] = WeakKeyDictionary()


def index_of(text: FileText) -> Index:
    """The index of a text, made once. Raises NotEdited."""
    if text not in INDEXES:
        INDEXES[text] = Index(text)
    return INDEXES[text]


def range_of(text: FileText, node: TreeNode) -> Range:
    """Where a node stands: a collection in block style ends behind its last child, a text before its last line's end."""
    start = text.offset(node.line, node.column)
    if node.kind == SCALAR:
        return start, start + len(text.text[start : text.offset(*node.end)].rstrip())
    if node.in_flow:
        return start, text.offset(*node.end)
    last = node.children[-1:] if node.kind == SEQUENCE else [each for pair in node.pairs_written[-1:] for each in pair]
    return start, max((range_of(text, child)[1] for child in last), default=start)
