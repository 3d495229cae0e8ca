"""Templates in YAML (Go's, Jinja's): control lines become blank, expressions placeholders; what block scalars hold stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collectors.files.syntax.templates import may_steer, steps
from collectors.files.syntax.text_lines import text_lines

EXPRESSION = re.compile(r"\{\{(?:(?!\{\{|\}\})[^\n]){0,2000}\}\}")
COMMENT = re.compile(r"\{\{-?\s{0,5}/\*")
"""What opens a comment of Go's templates, which ends with */ and the braces."""
FILLED_IN = "${template}"
"""What stands for the expression of a template: a placeholder like any other."""
ONLY_FILLED_IN = f": {FILLED_IN}"
OPENED, CLOSED = re.compile(r"[\[{]"), re.compile(r"[\]}]")
"""What opens and closes a collection in one line, in which a placeholder's braces must be quoted."""
ENDS_ITEM = re.compile(r"\s*+(?:[,\]}]|$)")
BLOCK_SCALAR = re.compile(r"(?:^|[\s:])[|>][-+0-9]{0,2}\s*(?:\s#.*)?$")
DASHES = re.compile(r" *(?:- +)*")


def without_templates(text: str) -> str:
    """The text as YAML, line by line."""
    if "{{" not in text and "{%" not in text:
        return text
    return "\n".join(_lines(without_long_comments(text).split("\n")))


def without_long_comments(text: str) -> str:
    """The text with its comments of the template over several lines blank, line by line."""
    pieces, start = [], 0
    while (opened := COMMENT.search(text, start)) is not None:
        closed = text.find("*/", opened.end())
        end = text.find("}}", closed) + 2
        if closed < 0 or end < 2:
            break
        comment = text[opened.start() : end]
        pieces += [text[start : opened.start()], "\n" * comment.count("\n") if "\n" in comment else comment]
        start = end
    return "".join([*pieces, text[start:]])


def _lines(lines: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if _steers(line):
            yield ""
            continue
        filled = _filled(line)
        yield (
            filled.removesuffix(FILLED_IN)
            if filled.endswith(ONLY_FILLED_IN) and _is_deeper(lines, at, line)
            else filled
        )
        parent = _parent_of_block_scalar(line)
        if parent is not None:
            end = _end_of_block_scalar(lines, at, parent)
            yield from _block_scalar(lines[at:end], parent)
            at = end


def _filled(line: str) -> str:
    """A line with placeholders for its expressions, in quotes where one is the whole of an item between brackets or braces."""
    pieces, start, last, depth, doubles, singles = [], 0, "", 0, 0, 0
    for expression in EXPRESSION.finditer(line):
        text = line[start : expression.start()]
        last = text.rstrip()[-1:] or last
        depth += len(OPENED.findall(text)) - len(CLOSED.findall(text))
        doubles, singles = doubles + text.count('"'), singles + text.count("'")
        is_item = last in ("[", ",", "{") or (last == ":" and depth > 0)
        is_whole = is_item and not (doubles % 2 or singles % 2) and ENDS_ITEM.match(line, expression.end())
        pieces += [text, f'"{FILLED_IN}"' if is_whole else FILLED_IN]
        start, last = expression.end(), "}"
    return "".join([*pieces, line[start:]])


def _is_deeper(lines: Sequence[str], at: int, line: str) -> bool:
    """Whether what stands below a line is deeper: a mapping of which an expression above it makes a part."""
    numbers = range(at, len(lines))
    below = next((lines[number] for number in numbers if lines[number].strip() and not _steers(lines[number])), "")
    dashes = DASHES.match(line)
    return _indent(below) > (dashes.end() if dashes else 0)


def depths_of_lines(text: str) -> list[int]:
    """In how many blocks of a template each line of a text stands; empty without a template."""
    if "{{" not in text and "{%" not in text:
        return []
    depths, depth = [], 0
    for line in text_lines(text):
        bare = line.strip()
        depth = max(0, depth + ((steps(bare) or 0) if may_steer(bare) else 0))
        depths.append(depth)
    return depths


def _end_of_block_scalar(lines: Sequence[str], at: int, parent: int) -> int:
    while at < len(lines) and (_indent(lines[at]) > parent or not lines[at].strip() or _steers(lines[at])):
        at += 1
    return at


def _block_scalar(lines: Sequence[str], parent: int) -> Iterator[str]:
    """The lines of a block scalar: control lines within the text are indented as it is, those outside are blank."""
    text = [line for line in lines if line.strip() and not _steers(line)]
    indent = min(map(_indent, text), default=parent + 1)
    first = True
    for line in lines:
        if not _steers(line):
            yield line
        elif _indent(line) <= parent:
            yield ""
        else:
            yield " " * (indent if first else max(indent, _indent(line))) + line.strip()
        first = first and not line.strip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _steers(line: str) -> bool:
    """Whether a line is for the template's engine alone: what it opens it closes."""
    bare = line.strip()
    if not may_steer(bare) or bare.count("{{") != bare.count("}}"):
        return False
    return steps(bare) is not None or (bare.startswith("{{") and bare.endswith("}}"))


def _parent_of_block_scalar(line: str) -> int | None:
    """The column of the key or the item whose value the next lines are; None where the line opens no block scalar."""
    if not BLOCK_SCALAR.search(line):
        return None
    dashes = DASHES.match(line)
    column = dashes.end() if dashes else 0
    if line[column] not in "|>":
        return column
    dash = line.rfind("-", 0, column)
    return dash if dash >= 0 else column - 1
