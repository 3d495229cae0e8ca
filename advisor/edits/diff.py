"""The diff of a file, for `patch -p0`; without context, since lines beside may hold secrets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from advisor.edits.change import FileChange
from advisor.edits.editor import splices_of
from advisor.edits.text import FileText, Splice, read_text

NO_END = "\\ No newline at end of file"
LINES = re.compile(r"[^\n]*\n|[^\n]+")


class Hunk(NamedTuple):
    """Lines to put in place of others that begin at an offset."""

    start: int
    old: str
    new: str


def diff_of(text: FileText, splices: Sequence[Splice]) -> Iterator[str]:
    """What changes in a file; a line may end with a carriage return, where the file's do."""
    name = name_of(text.name)
    added = 0
    for number, hunk in enumerate(hunks(text, splices)):
        yield from (f"--- {name}", f"+++ {name}") if number == 0 else ()
        old, new = LINES.findall(hunk.old), LINES.findall(hunk.new)
        first = text.text.count("\n", 0, hunk.start) + 1
        yield f"@@ -{span_text(first, len(old))} +{span_text(first + added, len(new))} @@"
        yield from (part for mark, rows in (("-", old), ("+", new)) for row in rows for part in marked(mark, row))
        added += len(new) - len(old)


def hunks(text: FileText, splices: Sequence[Splice]) -> list[Hunk]:
    """The lines that splices change, those of neighbouring lines as one."""
    groups: list[tuple[int, int, list[Splice]]] = []
    for splice in sorted(splices):
        start, end = lines_of(text, splice)
        if groups and groups[-1][1] >= start:
            first, last, before = groups.pop()
            groups.append((first, max(last, end), [*before, splice]))
        else:
            groups.append((start, end, [splice]))
    return [Hunk(start, text.text[start:end], spliced(text.text, start, end, group)) for start, end, group in groups]


def lines_of(text: FileText, splice: Splice) -> tuple[int, int]:
    """The offsets of the lines that a splice changes; none where it puts whole lines between two others."""
    start = text.text.rfind("\n", 0, splice.start) + 1
    adds_lines = splice.start == splice.end == start and splice.text.endswith("\n")
    removes_lines = splice.start == start and not splice.text and text.text[splice.end - 1 : splice.end] == "\n"
    if adds_lines or (removes_lines and splice.end > splice.start):
        return start, splice.end
    end = text.text.find("\n", splice.end) + 1
    return start, end or len(text.text)


def spliced(text: str, start: int, end: int, splices: Sequence[Splice]) -> str:
    """A part of a text after splices."""
    after, at = [], start
    for splice in splices:
        after += [text[at : splice.start], splice.text]
        at = splice.end
    return "".join([*after, text[at:end]])


def span_text(first: int, count: int) -> str:
    """The lines of a hunk: the first and how many; before none the line above."""
    return f"{first}" if count == 1 else f"{first if count else first - 1},{count}"


def marked(mark: str, line: str) -> Iterator[str]:
    """A line of a hunk, and whether it is the last of its file and has no end."""
    yield mark + line.removesuffix("\n")
    if not line.endswith("\n"):
        yield NO_END


def diff_between(name: str, old: bytes, new: bytes) -> Iterator[str]:
    """What changes in a file between two of its texts, by whole lines."""
    before, after = (LINES.findall(FileText(name, data).text) for data in (old, new))
    shown = name_of(name)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    yield from (f"--- {shown}", f"+++ {shown}") if changed else ()
    for _, start, end, new_start, new_end in changed:
        yield f"@@ -{span_text(start + 1, end - start)} +{span_text(new_start + 1, new_end - new_start)} @@"
        for mark, rows in (("-", before[start:end]), ("+", after[new_start:new_end])):
            yield from (part for row in rows for part in marked(mark, row))


def name_of(file: str) -> str:
    """A file's name from here, which patch takes; a tab ends one that has blanks."""
    here = os.path.relpath(file)
    name = file if here.startswith("..") else here
    return f"{name}\t" if " " in name else name


def file_diff(changes: Sequence[FileChange]) -> Iterator[str]:
    """The diff of one file by changes that can all be made; none where it cannot be read any more."""
    text = read_text(changes[0].file)
    if text is not None:
        yield from diff_of(text, splices_of(text, changes))
