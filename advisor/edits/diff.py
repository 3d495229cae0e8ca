"""The diff of a file, for `patch -p1` and `git apply`: names with a/ and b/, lines beside a change where they hold no secret."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from advisor.edits.change import FileChange
from advisor.edits.context import MOST, Beside
from advisor.edits.editor import splices_of
from advisor.edits.line_matching import differences
from advisor.edits.text import FileText, Splice, in_order, read_text
from advisor.errors import printable

NO_END = "\\ No newline at end of file"
QUOTED = {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r"}
"""How git writes these bytes in a name in quotes."""
LINES = re.compile(r"[^\n]*\n|[^\n]+")


HEAD = re.compile(r"@@ -(\d+)(?:,(\d+))? ")


class Hunk(NamedTuple):
    """Lines to put in place of others: from one to before another, counted from 0."""

    start: int
    end: int
    new: Sequence[str]


def diff_of(text: FileText, splices: Sequence[Splice], with_context: bool = True) -> Iterator[str]:
    """What splices change in a file; a line may end with a carriage return, where the file's do."""
    yield from unified(text.name, LINES.findall(text.text), hunks(text, splices), with_context)


def hunks(text: FileText, splices: Sequence[Splice]) -> list[Hunk]:
    """The lines that splices change, those of neighbouring lines as one."""
    groups: list[tuple[int, int, list[Splice]]] = []
    for splice in in_order(splices):
        start, end = lines_of(text, splice)
        if groups and groups[-1][1] >= start:
            first, last, group = groups.pop()
            group.append(splice)
            groups.append((first, max(last, end), group))
        else:
            groups.append((start, end, [splice]))
    return [
        Hunk(_line_at(text, start), _line_at(text, end), LINES.findall(spliced(text.text, start, end, group)))
        for start, end, group in groups
    ]


def _line_at(text: FileText, offset: int) -> int:
    """How many lines end before an offset."""
    ended = bisect_left(text.line_feeds, offset)
    return ended + (offset == len(text.text) and not text.text.endswith("\n") and bool(text.text))


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


def unified(name: str, lines: Sequence[str], changed: Sequence[Hunk], with_context: bool = True) -> Iterator[str]:
    """A unified diff of a file's lines; one without context is for people alone, and names the file as it is."""
    shown = path_of(name)
    old, new = map(name_in_head, (f"a/{shown}", f"b/{shown}") if with_context else (shown, shown))
    added = 0
    beside = Beside(lines)
    for number, group in enumerate(joined(beside, changed) if with_context else [[hunk] for hunk in changed]):
        yield from (f"--- {old}", f"+++ {new}") if number == 0 else ()
        lead, trail = margins(beside, group) if with_context else (0, 0)
        first, last = group[0].start - lead, group[-1].end + trail
        more = sum(len(hunk.new) - (hunk.end - hunk.start) for hunk in group)
        yield f"@@ -{span_text(first + 1, last - first)} +{span_text(first + 1 + added, last - first + more)} @@"
        yield from body(lines, group, first, last)
        added += more


def joined(beside: Beside, changed: Sequence[Hunk]) -> list[list[Hunk]]:
    """The hunks in groups: two between which all lines are shown as context are of one."""
    groups: list[list[Hunk]] = []
    for hunk in changed:
        if groups:
            between = range(groups[-1][-1].end, hunk.start)
            if len(between) <= 2 * MOST and all(map(beside.is_shown, between)):
                groups[-1].append(hunk)
                continue
        groups.append([hunk])
    return groups


def margins(beside: Beside, group: Sequence[Hunk]) -> tuple[int, int]:
    """How many lines are shown above and below a group of hunks.

    git apply asks for a line below, GNU patch for as many above as below, where the file does not begin or end there.
    """
    lead, trail = beside.before(group[0].start), beside.behind(group[-1].end)
    if lead < trail and lead < group[0].start:
        return lead, max(lead, min(trail, 1))
    if trail < lead and group[-1].end + trail < len(beside.lines):
        return trail, trail
    return lead, trail


def body(lines: Sequence[str], group: Sequence[Hunk], first: int, last: int) -> Iterator[str]:
    """The lines of a group of hunks, with those beside and between."""
    at = first
    for hunk in group:
        rows = [(" ", row) for row in lines[at : hunk.start]]
        rows += [("-", row) for row in lines[hunk.start : hunk.end]]
        rows += [("+", row) for row in hunk.new]
        yield from (part for mark, row in rows for part in marked(mark, row))
        at = hunk.end
    yield from (part for row in lines[at:last] for part in marked(" ", row))


def diff_between(name: str, old: bytes, new: bytes, with_context: bool = True) -> Iterator[str]:
    """What changes in a file between two of its texts, by whole lines."""
    before, after = (LINES.findall(FileText(name, data).text) for data in (old, new))
    changed = [Hunk(start, end, after[new:new_end]) for start, end, new, new_end in differences(before, after)]
    yield from unified(name, before, changed, with_context)


def path_of(file: str) -> str:
    """A file's path from here, one outside as from the root."""
    path = os.path.relpath(file)
    return os.path.abspath(file).lstrip(os.sep) if path.startswith("..") else path


def name_in_head(path: str) -> str:
    """A name as git writes it in the head of a diff: with marks that no line may have in quotes, a tab behind one with blanks."""
    if path == printable(path) and not any(mark in path for mark in '"\\\n\t'):
        return f"{path}\t" if " " in path else path
    quoted = (QUOTED.get(each) or (chr(each) if 32 <= each < 127 else f"\\{each:03o}") for each in os.fsencode(path))
    return f'"{"".join(quoted)}"'


def file_diff(changes: Sequence[FileChange], with_context: bool = True) -> Iterator[str]:
    """The diff of one file by changes that can all be made; none where it cannot be read any more."""
    text = read_text(changes[0].file)
    if text is not None:
        yield from diff_of(text, splices_of(text, changes), with_context)


def has_bare_hunk(name: str, diff: Sequence[str], data: bytes) -> bool:
    """Whether a hunk ends with a changed line that is not the file's last: `git apply` takes it with --unidiff-zero alone."""
    total = len(LINES.findall(FileText(name, data).text))
    heads = [number for number, row in enumerate(diff) if HEAD.match(row)]
    for number, end in zip(heads, [*heads[1:], len(diff)], strict=True):
        head = HEAD.match(diff[number])
        last = int(head[1]) + int(head[2] or 1) - 1 if head else total
        if diff[end - 1][:1] in "+-" and last < total:
            return True
    return False
