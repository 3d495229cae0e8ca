"""Texts of HCL: what stands in quotes and heredocs, with ${…} and %{…} filled in as far as they are known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Protocol, Self

from collectors.files.syntax.hcl.parser import HclFile, Syntax, operands
from collectors.files.syntax.hcl.values import Budget, Names, Site, entries, truth_of
from collectors.files.syntax.tree import SCALAR, TreeNode

ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
SPECIAL = re.compile(rb"[\\$%]")
"""What escapes, or begins what is filled in."""
FILLED = ("template_interpolation", "template_directive")
MARKS = ("template_if_", "template_else", "template_for_")
"""What the kinds of syntax begin with that open, divide and close a directive."""
LAST = 0x10FFFF


class Evaluator(Protocol):
    """What evaluates the expressions that a text holds."""

    file: HclFile
    names: Names

    def with_names(self, own: Mapping[str, TreeNode]) -> Self:
        """The same with more names."""
        ...

    def site(self, node: Syntax) -> Site:
        """Where a piece of syntax stands."""
        ...

    def evaluate(self, node: Syntax) -> TreeNode:
        """The value of an expression."""
        ...


LONGER = "the text is longer than is followed"
TURN = 20
"""Values that a turn of %{ for } counts for: it is evaluated like an expression of its own."""


class Text:
    """A text that is put together: `unknown` says why a part of it is not known, `strips` that blanks which follow go."""

    def __init__(self, budget: Budget, indent: int = 0, quoted: bool = False) -> None:
        self.budget = budget
        self.pieces: list[str] = []
        self.unknown = ""
        self.strips = False
        self.indent = re.compile(rf"(?<=\n)[ \t]{{0,{indent}}}") if indent else None
        self.quoted = quoted

    def add_literal(self, text: str) -> None:
        """Add what stands there as it is, without a heredoc's indentation, with escapes as what they spell."""
        text = self.indent.sub("", text) if self.indent is not None else text
        text = text.lstrip() if self.strips else text
        self.strips = self.strips and not text
        if self.quoted:
            text = unescaped(text)
        self.add(text.replace("$${", "${").replace("%%{", "%{"))

    def add(self, text: str) -> None:
        """Add a piece, where the budget has as many characters."""
        if self.budget.take(0, len(text)):
            self.pieces.append(text)
        else:
            self.unknown = LONGER

    def strip(self) -> None:
        """Take off the blanks before a marker."""
        while self.pieces:
            self.pieces[-1] = self.pieces[-1].rstrip()
            if self.pieces[-1]:
                return
            self.pieces.pop()

    def add_value(self, value: TreeNode, source: str) -> None:
        """Add a value that is filled in: what is no text, number or boolean stays a placeholder."""
        self.strips = False
        if value.kind != SCALAR or value.is_null:
            self.unknown = self.unknown or value.unknown or "what is filled in is no text"
            self.add(f"${{{source[:200]}}}")
            return
        self.unknown = self.unknown or value.unknown
        self.add(value.text)


def quoted(evaluator: Evaluator, node: Syntax) -> TreeNode:
    """A text in quotes; one that is a single ${…} is that value itself."""
    source = evaluator.file.bytes[node.start_byte + 1 : node.end_byte - 1]
    if node.type == "string_lit" and not SPECIAL.search(source):
        return evaluator.site(node).text(source.decode(errors="replace"))
    inner = node.named_children[0] if node.type == "string_lit" and node.named_children else node
    parts = [child for child in node.named_children if not child.type.startswith("quoted_template_")]
    if len(parts) == 1 and parts[0].type == "template_interpolation" and inner is node:
        return evaluator.site(node).moved(_interpolated(evaluator, parts[0]))
    text = Text(evaluator.names.budget, quoted=True)
    _fill(evaluator, node.named_children, node.start_byte + 1, node.end_byte - 1, text)
    return evaluator.site(node).text("".join(text.pieces), text.unknown)


def heredoc(evaluator: Evaluator, node: Syntax) -> TreeNode:
    """The lines of a heredoc; <<- takes off the indentation that all of them have."""
    first, last = node.start_point.row + 1, node.end_point.row
    lines = evaluator.file.lines[first:last]
    indented = evaluator.file.text(node).startswith("<<-")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0) if indented else 0
    start = node.start_byte + evaluator.file.bytes[node.start_byte : node.end_byte].find(b"\n")
    end = evaluator.file.bytes.rfind(b"\n", start, node.end_byte) + 1
    text = Text(evaluator.names.budget, indent)
    _fill(evaluator, node.named_children, start, end, text)
    site = evaluator.site(node)
    value = site.text("".join(text.pieces)[1:], text.unknown)
    if value.text.count("\n") == len(lines) and not any(child.type == FILLED[1] for child in node.named_children):
        value.indent, value.end = indent, site.end
    return value


def _fill(evaluator: Evaluator, nodes: list[Syntax], start: int, end: int, text: Text) -> None:
    """Add what stands between two offsets, with what is filled in."""
    for node in nodes:
        if node.type not in FILLED or not start <= node.start_byte < end:
            continue
        text.add_literal(evaluator.file.between(start, node.start_byte))
        if node.type == "template_interpolation":
            _add_interpolation(evaluator, node, text)
        else:
            _add_directive(evaluator, node.named_children[0], text)
        start = node.end_byte
    text.add_literal(evaluator.file.between(start, end))


def _add_interpolation(evaluator: Evaluator, node: Syntax, text: Text) -> None:
    strips_before, strips_after = _strips(node)
    if strips_before:
        text.strip()
    text.add_value(_interpolated(evaluator, node), " ".join(evaluator.file.text(node)[2:-1].split()))
    text.strips = strips_after


def _interpolated(evaluator: Evaluator, node: Syntax) -> TreeNode:
    expression = next((child for child in node.named_children if child.type == "expression"), None)
    return evaluator.evaluate(expression) if expression is not None else evaluator.site(node).text("")


def _strips(node: Syntax) -> tuple[bool, bool]:
    """Whether ~ takes off the blanks before and after a piece in braces."""
    markers = [child.start_byte for child in node.children if child.type == "strip_marker"]
    middle = (node.start_byte + node.end_byte) / 2
    return any(at < middle for at in markers), any(at > middle for at in markers)


def _add_directive(evaluator: Evaluator, node: Syntax, text: Text) -> None:
    """Add what %{ if } or %{ for } makes; one that is not followed is a placeholder on a line of its own."""
    intro = node.named_children[0]
    value = evaluator.evaluate(next(child for child in reversed(operands(intro)) if child.type == "expression"))
    marks = [child for child in node.named_children if child.type.startswith(MARKS)]
    branches = list(pairwise(marks))
    truth = truth_of(value)
    if _strips(intro)[0]:
        text.strip()
    if node.type == "template_if" and truth is not None:
        for before, after in branches[:1] if truth else branches[1:]:
            _add_branch(evaluator, node, before, after, text)
    elif node.type == "template_for" and value.kind != SCALAR and not value.unknown:
        _add_turns(evaluator, node, branches[0], value, text)
    else:
        source = " ".join(evaluator.file.text(intro).strip("%{}~ ").split())
        text.unknown = text.unknown or value.unknown or "a directive of the text is not followed"
        text.add(f"\n${{{source[:200]}}}\n")
    text.strips = _strips(marks[-1])[1]


def _add_branch(evaluator: Evaluator, node: Syntax, before: Syntax, after: Syntax, text: Text) -> None:
    """Add what stands between two marks of a directive."""
    text.strips = _strips(before)[1]
    _fill(evaluator, node.named_children, before.end_byte, after.start_byte, text)
    if _strips(after)[0]:
        text.strip()


def _add_turns(evaluator: Evaluator, node: Syntax, branch: tuple[Syntax, Syntax], source: TreeNode, text: Text) -> None:
    """Add the turns of %{ for }."""
    intro = branch[0]
    words = [evaluator.file.text(child) for child in intro.named_children if child.type == "identifier"]
    for key, value in entries(source):
        if not text.budget.take(TURN):
            text.unknown = LONGER
            return
        own = dict(zip(words, (key, value) if len(words) > 1 else (value,), strict=False))
        _add_branch(evaluator.with_names(own), node, *branch, text)


def unescaped(text: str) -> str:
    """A text in quotes without its backslashes."""
    return ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] not in "uU" or len(code) == 1:
        return ESCAPED.get(code, code)
    number = int(code[1:], 16)
    return chr(number) if number <= LAST and not 0xD800 <= number < 0xE000 else "\ufffd"
