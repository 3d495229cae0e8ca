"""Values of HCL expressions: nodes of a tree, each of which says whether it is known.

`unknown` of a node says why the value, or a part of it, is not known; a mapping or a list may hold what is known all the
same, and a text has `${…}` in place of what is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Protocol

from collectors.files.syntax.tree import MAPPING, SCALAR, SEQUENCE, TreeNode

Pair = tuple[TreeNode, TreeNode]
MOST_VALUES, MOST_CHARACTERS = 400_000, 4 * 1024 * 1024
"""Values and characters that the expressions of one module may make."""
DIGITS = 40
"""Digits of a number that is computed with."""


class Budget:
    """How many values and characters may still be made, and how deep the expression is that is evaluated.

    `refusals` counts how often more was asked for, which halves what is left.
    """

    def __init__(self) -> None:
        self.values, self.characters, self.depth = MOST_VALUES, MOST_CHARACTERS, 0
        self.refusals = 0

    def take(self, values: int = 0, characters: int = 0) -> bool:
        """Take some; False where there are not as many."""
        if values > self.values or characters > self.characters:
            self.refusals += 1
            self.values //= 2
            return False
        self.values -= values
        self.characters -= characters
        return True


class Names(Protocol):
    """What expressions may refer to."""

    budget: Budget

    def value(self, root: str, name: str) -> TreeNode | str:
        """The value of local.name or var.name, or why it is not known."""
        ...

    def file(self, path: str) -> tuple[str, str] | str:
        """(shown path, text) of a file that an expression names, or why it is not known."""
        ...

    def files(self, path: str) -> list[str] | str:
        """The files below a folder that an expression names, by their paths from there, or why they are not known."""
        ...


class Site:
    """Where an expression stands: makes the nodes of its values. Lines and columns count from 1; `code` is its own, or how it begins."""

    __slots__ = ("budget", "code", "column", "end", "file", "line")

    def __init__(self, file: str, line: int, column: int, end: tuple[int, int], code: bytes, budget: Budget) -> None:
        self.file, self.line, self.column, self.end = file, line, column, end
        self.code = code
        self.budget = budget

    @property
    def source(self) -> str:
        """How the expression begins, on one line."""
        return " ".join(self.code.decode(errors="replace")[:400].split())

    def _new(self, kind: str, text: str = "", plain: bool = False) -> TreeNode:
        node = TreeNode(kind, self.line, self.column, text, plain)
        node.end, node.file = self.end, self.file
        return node

    def text(self, text: str, unknown: str = "") -> TreeNode:
        """A text; one of several lines stands at the first line of its expression."""
        if not self.budget.take(1, len(text)):
            return self.too_much()
        node = self._new(SCALAR, text)
        if "\n" in text:
            node.end = (self.line, self.column)
        node.unknown = unknown
        return node

    def word(self, text: str) -> TreeNode:
        """A number, a boolean or null."""
        return self._new(SCALAR, text, True)

    def truth(self, value: bool) -> TreeNode:
        """A boolean."""
        return self.word("true" if value else "false")

    def mapping(self, pairs: Iterable[Pair], unknown: str = "") -> TreeNode:
        """A mapping."""
        node = self._new(MAPPING)
        node.pairs_written = list(islice(pairs, self.budget.values + 1))
        node.unknown = unknown
        return node if self.budget.take(1 + len(node.pairs_written)) else self.too_much()

    def sequence(self, children: Iterable[TreeNode], unknown: str = "") -> TreeNode:
        """A list."""
        node = self._new(SEQUENCE)
        node.children = list(islice(children, self.budget.values + 1))
        node.unknown = unknown or next((child.unknown for child in node.children if child.unknown), "")
        return node if self.budget.take(1 + len(node.children)) else self.too_much()

    def unknown(self, reason: str) -> TreeNode:
        """A value that is not known: its text is the expression as a placeholder."""
        node = self._new(SCALAR, f"${{{self.source[:200]}}}")
        node.unknown = reason
        return node

    def too_much(self) -> TreeNode:
        """A value that is not made because the expressions make too many."""
        return self.unknown("the expressions make more values than are followed")

    def moved(self, value: TreeNode) -> TreeNode:
        """A value as it stands at this expression: what is short is there, a map or a text of several lines at its own place."""
        return value if value.kind != SCALAR or "\n" in value.text else self.at(value, value.text)

    def at(self, value: TreeNode, text: str) -> TreeNode:
        """A scalar with another text, at this expression."""
        node = self._new(SCALAR, text, value.plain)
        if "\n" in text:
            node.end = (self.line, self.column)
        node.unknown = value.unknown
        return node


def entries(value: TreeNode) -> Iterator[Pair]:
    """(key, value) of a mapping, or (index or member, member) of a list or a set."""
    if value.kind == MAPPING:
        yield from value.pairs().values()
        return
    for number, child in enumerate(value.children):
        yield TreeNode(SCALAR, child.line, child.column, str(number), True), child


def number_of(value: TreeNode) -> Decimal | None:
    """The number that a value is or spells; None where it is none."""
    if value.kind != SCALAR or value.unknown or not 0 < len(value.text) <= DIGITS:
        return None
    try:
        number = Decimal(value.text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) <= DIGITS else None


def spelled(number: Decimal) -> str:
    """A number as Terraform writes it in a text."""
    if number == number.to_integral_value():
        return str(int(number))
    return f"{number:f}".rstrip("0")


def truth_of(value: TreeNode) -> bool | None:
    """The boolean that a value is or spells; None where it is none."""
    return {"true": True, "false": False}.get(value.text) if value.kind == SCALAR and not value.unknown else None


def texts_of(values: Sequence[TreeNode]) -> list[str] | None:
    """The texts of known scalars; None where one is not."""
    if all(value.kind == SCALAR and not value.unknown and not value.is_null for value in values):
        return [value.text for value in values]
    return None


def same(one: TreeNode, other: TreeNode) -> bool | None:
    """Whether two known values are equal; None where that is not followed."""
    if one.kind != SCALAR or other.kind != SCALAR:
        return None
    if one.plain and other.plain and (number := number_of(one)) is not None:
        return number == number_of(other)
    return one.plain == other.plain and one.text == other.text
