"""A document as a tree of mappings, sequences and scalars, each with its place: what YAML, JSON, TOML and HCL have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from advisor import limits
from advisor.errors import UnreadableInput
from advisor.model import is_whole_number

MAPPING, SEQUENCE, SCALAR = "mapping", "sequence", "scalar"
MERGE = "<<"
NULLS = ("", "~", "null", "Null", "NULL")
WORDS_OF_YAML = {"yes": "true", "on": "true", "no": "false", "off": "false"}
"""Words that are booleans in YAML 1.1, as kubectl and Helm read it."""


class Budget:
    """How many pairs merge keys may still bring into a document."""

    def __init__(self, shown: str) -> None:
        self.shown = shown
        self.left = limits.MERGED

    def spend(self, pairs: int, line: int) -> None:
        """Count merged pairs. Raises UnreadableInput where there are too many."""
        self.left -= pairs
        if self.left < 0:
            raise UnreadableInput(f"{self.shown}:{line}: over {limits.MERGED:,} values by merge keys (<<)")


class TreeNode:
    """A mapping (pairs of nodes), a sequence (nodes) or a scalar (text); lines and columns count from 1.

    `plain` is a scalar without quotes: such a null is not a text. `indent` is by how many columns the text of a block scalar
    is indented, which begins on the line below; None for others. `in_flow` is a collection in brackets, `shared` a node that an
    alias stands for as well. `file` is where a node stands that another file brought.
    `unknown` says why an expression's value is not known, or not all of it.
    """

    __slots__ = (
        "_earlier",
        "_pairs",
        "budget",
        "children",
        "column",
        "end",
        "file",
        "in_flow",
        "indent",
        "kind",
        "line",
        "pairs_written",
        "plain",
        "shared",
        "text",
        "unknown",
    )

    def __init__(self, kind: str, line: int, column: int, text: str = "", plain: bool = False) -> None:
        self.kind = kind
        self.line = line
        self.column = column
        self.text = text
        self.plain = plain
        self.in_flow = False
        self.shared = False
        self.indent: int | None = None
        self.end = (line, column)
        self.file: str | None = None
        self.unknown = ""
        self.pairs_written: list[tuple[TreeNode, TreeNode]] = []
        self.children: list[TreeNode] = []
        self.budget: Budget | None = None
        self._pairs: dict[str, tuple[TreeNode, TreeNode]] | None = None
        self._earlier: dict[str, list[tuple[TreeNode, TreeNode]]] = {}

    @property
    def is_null(self) -> bool:
        """Whether it is nothing: an empty value, or null."""
        return self.kind == SCALAR and self.plain and self.text in NULLS

    def pairs(self) -> dict[str, tuple[TreeNode, TreeNode]]:
        """The key and the value of every name of a mapping, those that are merged in behind its own; the last wins."""
        if self._pairs is None:
            self._pairs = {}  # an alias to itself merges nothing
            merged: dict[str, tuple[TreeNode, TreeNode]] = {}
            pairs: dict[str, tuple[TreeNode, TreeNode]] = {}
            for key, value in self.pairs_written:
                if key.text == MERGE and key.plain:
                    merged = self._merged(value) | merged
                else:
                    if key.text in pairs:
                        self._earlier.setdefault(key.text, []).append(pairs[key.text])
                    pairs[key.text] = (key, value)
            self._pairs = merged | pairs
        return self._pairs

    def add(self, key: TreeNode, value: TreeNode) -> None:
        """Add a pair to a mapping that is being made."""
        self.pairs_written.append((key, value))
        self._pairs = None

    def earlier(self, name: str) -> list[tuple[TreeNode, TreeNode]]:
        """The pairs of the same name further up in the mapping, which the last one replaces."""
        self.pairs()
        return self._earlier.get(name, [])

    def _merged(self, value: TreeNode) -> dict[str, tuple[TreeNode, TreeNode]]:
        merged: dict[str, tuple[TreeNode, TreeNode]] = {}
        for source in reversed([value] if value.kind == MAPPING else value.children):
            pairs = source.pairs()
            if self.budget is not None:
                self.budget.spend(len(pairs), value.line)
            merged |= pairs
        return merged

    def scalars(self) -> Iterator[TreeNode]:
        """Every scalar that is a value or an item; what aliases share comes once."""
        nodes, seen = [self], set[int]()
        while nodes:
            node = nodes.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if node.kind == SCALAR:
                yield node
            else:
                nodes += node.children
                nodes += [value for _, value in node.pairs_written]

    def stand_in(self, file: str) -> None:
        """Say of it and of all below it in which file they stand."""
        nodes, seen = [self], set[int]()
        while nodes:
            node = nodes.pop()
            if id(node) not in seen:
                seen.add(id(node))
                node.file = file
                nodes += [*node.children, *(each for pair in node.pairs_written for each in pair)]

    def get(self, *path: str) -> TreeNode | None:
        """The value at a path of names, None where there is none."""
        node = self
        for name in path:
            if node.kind != MAPPING or name not in node.pairs():
                return None
            node = node.pairs()[name][1]
        return node

    def key(self, *path: str) -> TreeNode | None:
        """The key node at the end of a path of names."""
        parent = self.get(*path[:-1])
        if parent is None or parent.kind != MAPPING or path[-1] not in parent.pairs():
            return None
        return parent.pairs()[path[-1]][0]

    def string(self, *path: str) -> str:
        """The text at a path, empty where there is none."""
        node = self.get(*path)
        return node.text if node is not None and node.kind == SCALAR and not node.is_null else ""

    def whole(self, *path: str) -> int | None:
        """The whole number at a path, None where there is none."""
        text = self.string(*path).strip()
        return int(text) if is_whole_number(text) else None

    def mapping(self, *path: str) -> dict[str, tuple[TreeNode, TreeNode]]:
        """The pairs of the mapping at a path; none where there is no mapping."""
        node = self.get(*path)
        return node.pairs() if node is not None and node.kind == MAPPING else {}

    def items(self, *path: str) -> list[TreeNode]:
        """The items of the sequence at a path; none where there is no sequence."""
        node = self.get(*path)
        return node.children if node is not None and node.kind == SEQUENCE else []


def digest_of(node: TreeNode, digests: dict[int, int]) -> int:
    """A number that nodes with equal contents share; `digests` has those of the nodes that were looked at, by their id."""
    if id(node) not in digests:
        digests[id(node)] = 0  # an alias to itself
        pairs = sorted((key.text, digest_of(value, digests)) for key, value in node.pairs().values())
        items = [digest_of(child, digests) for child in node.children]
        digests[id(node)] = hash((node.kind, node.text, tuple(pairs), tuple(items)))
    return digests[id(node)]


def leaves(node: TreeNode, prefix: str = "") -> Iterator[tuple[str, TreeNode, TreeNode]]:
    """(dotted name, key, scalar value) of every scalar below nested mappings: `linger: {ms: 5}` is linger.ms."""
    for name, (key, value) in node.pairs().items():
        if value.kind == MAPPING:
            yield from leaves(value, f"{prefix}{name}.")
        elif value.kind == SCALAR:
            yield f"{prefix}{name}", key, value


def read_words(scalars: Iterable[TreeNode]) -> None:
    """Read yes, no, on and off as booleans, as YAML 1.1 does; a text in quotes stays one."""
    for node in scalars:
        word = WORDS_OF_YAML.get(node.text.lower()) if node.plain else None
        if word is not None and node.text in (node.text.lower(), node.text.upper(), node.text.title()):
            node.text = word


def nodes_in(document: TreeNode, is_leaf: Callable[[TreeNode], bool] = lambda node: False) -> Iterator[TreeNode]:
    """The mappings and sequences of a document, itself first, in order and those that aliases share once; nothing below a leaf."""
    nodes, seen = [document], set[int]()
    while nodes:
        node = nodes.pop()
        if id(node) not in seen and node.kind != SCALAR:
            seen.add(id(node))
            yield node
            nodes += [] if is_leaf(node) else reversed([*node.children, *(value for _, value in node.pairs_written)])
