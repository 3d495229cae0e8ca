"""Write YAML and JSON: pairs of mappings, items `KEY=value` of lists, and items of a name and a value."""

from __future__ import annotations

import re

from advisor.edits.change import NotEdited
from advisor.edits.entry import Entry, Range
from advisor.edits.scalars import json_scalar, style_of, yaml_scalar
from advisor.edits.text import FileText, Splice
from advisor.edits.yaml_index import Place, range_of
from collectors.files.syntax.recognition import JSON
from collectors.files.syntax.tree import SCALAR, TreeNode

COMMENT = re.compile(r"[ \t]*(#.*)?")
BETWEEN = re.compile(r"[\s]*,[\s]*")


class Node(Entry):
    """A setting that is a child of a collection: one of a mapping's pairs, or an item of a sequence."""

    def __init__(self, text: FileText, place: Place, key: Range, value: Range, name: str, parsed: str) -> None:
        super().__init__(text, key, value, name, parsed)
        self.place = place

    def remove(self) -> Splice:
        """The lines of the child, or in flow style the child and a comma; not the only one of its collection."""
        if self.place.collection.size == 1:
            raise NotEdited("it is the only setting of its block")
        if self.place.in_flow:
            return self._remove_from_flow()
        start, end = self.place.range
        self._check_begins_line(start)
        self._check_ends_line(end)
        return Splice(*self.text.whole_lines(start, end), "")

    def _remove_from_flow(self) -> Splice:
        """The child with the comma behind it, the last one with the comma before it."""
        siblings, number = self.place.siblings, self.place.number
        is_last = number == len(siblings) - 1
        first, second = siblings[number - 1 : number + 1] if is_last else siblings[number : number + 2]
        if not BETWEEN.fullmatch(self.text.text[first[1] : second[0]]):
            raise NotEdited("a comment stands beside it")
        return Splice(first[1], second[1], "") if is_last else Splice(first[0], second[0], "")

    def _check_begins_line(self, start: int) -> None:
        before = self.text.text[self.text.start_of_line(start) : start]
        if before.strip(" -") or (before.strip() and not self.place.is_item):
            raise NotEdited("it is the first key of an item of a list")

    def _check_ends_line(self, end: int) -> None:
        behind = self.text.text[end : self.text.whole_lines(end - 1, end)[1]].rstrip("\r\n")
        if not COMMENT.fullmatch(behind):
            raise NotEdited("it shares its line with something else")

    def _insert(self, source: str) -> Splice:
        """A child below this one, or in flow style behind it."""
        start, end = self.place.range
        if self.place.in_flow:
            return Splice(end, end, self._separator() + source)
        self._check_ends_line(end)
        column = start - self.text.start_of_line(start)
        before = self.text.text[start - column : start]
        if not self.place.is_item:
            before = " " * column
        return self.text.with_line(self.text.line_of(max(start, end - 1)), before + source)

    def _separator(self) -> str:
        """What stands between two children in flow style."""
        siblings, number = self.place.siblings, self.place.number
        if len(siblings) > 1:
            first, second = siblings[number - 1 : number + 1] if number else siblings[:2]
            between = self.text.text[first[1] : second[0]]
            if BETWEEN.fullmatch(between):
                return between
        return ", "


class Pair(Node):
    """A key and a value of a mapping."""

    def written(self, value: str) -> str:
        """In the style of the old value."""
        if self.text.syntax == JSON:
            return json_scalar(value, self.source)
        return yaml_scalar(value, self.source, self.place.in_flow)

    def set(self, value: str) -> Splice:
        """Put another value in the place of this one. Raises NotEdited for a list, a mapping, or no value."""
        if self.place.value is None or self.place.value.kind != SCALAR or not self.source:
            raise NotEdited("its value is none of one line")
        return super().set(value)

    def written_key(self, name: str) -> str:
        """In the quotes of the old one."""
        source = self.text.text[slice(*self.key)]
        return json_scalar(name, source) if self.text.syntax == JSON else yaml_scalar(name, source, self.place.in_flow)

    def add_below(self, name: str, value: str) -> Splice:
        """A pair in the form of this one."""
        joint = self.text.text[self.key[1] : self.value[0]]
        if "\n" in joint or not self.source or (self.place.value is not None and self.place.value.kind != SCALAR):
            raise NotEdited("its value is none of one line")
        style_of(self.source)
        return self._insert(self.written_key(name) + joint + self.written(value))


class Assignment(Node):
    """An item `KEY=value` of a list of variables."""

    def written(self, value: str) -> str:
        """The whole item, in the style of the old one."""
        return self._item(self.name, value)

    def _item(self, name: str, value: str) -> str:
        text = f"{name}={value}"
        if self.text.syntax == JSON:
            return json_scalar(text, self.source)
        return yaml_scalar(text, self.source, self.place.in_flow, text_only=True)

    def rename(self, name: str) -> Splice:
        """The whole item is written anew."""
        return Splice(*self.value, self._item(name, self.parsed))

    def add_below(self, name: str, value: str) -> Splice:
        """An item in the form of this one."""
        return self._insert(self._item(name, value))


class Variable(Node):
    """An item of a list with the name of a variable under `name` and its value under `value`, which is a text."""

    def written(self, value: str) -> str:
        """In the style of the old value."""
        if self.text.syntax == JSON:
            return json_scalar(value, '"')
        return yaml_scalar(value, self.source, self.place.in_flow, text_only=True)

    def written_key(self, name: str) -> str:
        """In the quotes of the old one."""
        source = self.text.text[slice(*self.key)]
        return json_scalar(name, '"') if self.text.syntax == JSON else yaml_scalar(name, source, text_only=True)

    def add_below(self, name: str, value: str) -> Splice:
        """An item in the form of this one."""
        start, end = self.place.range
        if end != self.value[1] or not self.key[0] < self.value[0]:
            raise NotEdited("its item has more than a name and a value")
        text = self.text.text
        form = (
            text[start : self.key[0]],
            self.written_key(name),
            text[self.key[1] : self.value[0]],
            self.written(value),
        )
        return self._insert("".join(form))


def pair_entry(text: FileText, place: Place) -> Pair:
    """The setting that a pair of a mapping is. Raises NotEdited."""
    key, value = place.nodes
    name = written_range(text, key)
    return Pair(text, place, name, written_range(text, value, behind=name[1]), key.text, value.text)


def item_entry(text: FileText, place: Place) -> Assignment:
    """The variable that an item `KEY=value` is. Raises NotEdited."""
    (node,) = place.nodes
    name, _, value = node.text.partition("=")
    where = written_range(text, node)
    style_of(text.text[slice(*where)])
    return Assignment(text, place, where, where, name, value)


def variable_entry(text: FileText, place: Place) -> Variable:
    """The variable that an item of a name and a value is. Raises NotEdited."""
    name, value = place.nodes
    return Variable(text, place, written_range(text, name), written_range(text, value), name.text, value.text)


def written_range(text: FileText, node: TreeNode, behind: int = 0) -> Range:
    """Where a node that an entry is of stands. Raises NotEdited where an alias stands for it, or a template."""
    start, end = range_of(text, node)
    source = text.text[start:end]
    if start < behind:
        raise NotEdited("its value is an alias of another one")
    if "{{" in source or "{%" in source:
        raise NotEdited("a template fills it in")
    return start, end
