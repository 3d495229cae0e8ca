"""Write `key = value` of TOML and HCL, and of maps in HCL."""

from __future__ import annotations

import re
from bisect import bisect_right
from weakref import WeakKeyDictionary

from advisor.edits.change import NotEdited
from advisor.edits.entry import Entry, Range, indentation
from advisor.edits.properties import line_at
from advisor.edits.text import FileText, Splice
from advisor.model import Span
from collectors.files.syntax.recognition import HCL, TOML

KEY = re.compile(r"""(?P<quote>["']?)(?P<name>[\w.\-]+)(?P=quote)""")
JOINT = re.compile(r"[ \t]*[=:][ \t]*")
VALUE = re.compile(r""""(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w.+\-]+""")
BEHIND = re.compile(r"[ \t]*,?[ \t]*((#|//).*)?")
BARE = re.compile(r"-?(0|[1-9]\d{0,17})|true|false")
"""A value that stands without quotes."""
LITERAL = re.compile(r"[-+]?[\d_.]+([eE][-+]?\d+)?|true|false")
TEXTS = {
    HCL: re.compile(r"<<-?[ \t]*(\w+)[^\n]*\n(?P<text>(?:(?![ \t]*\1[ \t]*\r?$)[^\n]*\n)*)", re.MULTILINE),
    TOML: re.compile(r"(\"\"\"|''')(?P<text>[\s\S]*?)\1"),
}
"""A text over several lines, which may be properties."""


class Attribute(Entry):
    """A key and its value with an equals sign between them."""

    def written(self, value: str) -> str:
        """In quotes, but for a number or a boolean in the place of one."""
        if value == "" or not (BARE.fullmatch(value) and BARE.fullmatch(self.source)):
            quote = self.source[:1] if self.source[:1] in ("'", '"') else '"'
            return quoted(value, quote)
        return value

    def written_key(self, name: str) -> str:
        """In quotes where a dot would divide it."""
        quote = self.text.text[self.key[0] - 1]
        if quote not in "\"'" and "." in name:
            raise NotEdited("its name has no quotes, and the new one needs them")
        return name

    def remove(self) -> Splice:
        """The lines of the setting, where nothing else stands in them."""
        self._check_alone()
        return Splice(*self.text.whole_lines(self._begin, self.value[1]), "")

    def add_below(self, name: str, value: str) -> Splice:
        """A line in the form of this one."""
        behind = self._check_alone()
        before = self.text.text[self.text.start_of_line(self.key[0]) : self.key[0]]
        joint = self.text.text[self.key[1] : self.value[0]]
        comma = "," if behind.lstrip().startswith(",") else ""
        line = before + self.written_key(name) + joint + self.written(value) + comma
        return self.text.with_line(self.text.line_of(self.value[1]), line)

    @property
    def _begin(self) -> int:
        """Where the key begins, with its quote."""
        return self.key[0] - (self.text.text[self.key[0] - 1 : self.key[0]] in ('"', "'"))

    def _check_alone(self) -> str:
        """What follows the value in its line. Raises NotEdited where that is more than a comma and a comment."""
        indentation(self.text, self._begin)
        behind = self.text.text[self.value[1] : self.text.whole_lines(*self.value)[1]].rstrip("\r\n")
        if not BEHIND.fullmatch(behind):
            raise NotEdited("it shares its line with something else")
        return behind


def quoted(value: str, quote: str) -> str:
    """A value in quotes. Raises NotEdited where it would need an escape that both languages do not share."""
    if "\n" in value or (quote == "'" and "'" in value) or "${" in value or "%{" in value:
        raise NotEdited("the new value cannot be written here")
    return quote + (value if quote == "'" else value.replace("\\", "\\\\").replace('"', '\\"')) + quote


def attribute_at(text: FileText, line: int, column: int | None, written: str, span: Span | None) -> Entry:
    """The setting that begins in a line, that of a text of properties inside the file included. Raises NotEdited."""
    if is_in_text(text, line):
        entry = line_at(text, line)
        entry.is_alone = False
        return entry
    start = text.offset(line, column) if column else text.line_start(line) + blanks(text.line(line))
    key = KEY.match(text.text, start)
    joint = key and JOINT.match(text.text, key.end())
    if key is None or joint is None or not written.endswith(key["name"]):
        raise NotEdited("its line has another form than key = value")
    value = value_range(text, joint.end(), span)
    source = text.text[slice(*value)]
    if "${" in source or "%{" in source:
        raise NotEdited("its value is filled in later")
    return Attribute(text, key.span("name"), value, key["name"], unquoted(source))


def value_range(text: FileText, start: int, span: Span | None) -> Range:
    """Where a value stands. Raises NotEdited where it is none of one line."""
    if span is not None and span[0] == span[2] and text.offset(span[0], span[1]) == start:
        return start, text.offset(span[2], span[3])
    value = VALUE.match(text.text, start)
    is_bare = value is not None and value[0][:1] not in ("'", '"')
    if value is None or (is_bare and not LITERAL.fullmatch(value[0])):
        raise NotEdited("its value is an expression")
    return value.span()


def unquoted(source: str) -> str:
    """A value without its quotes and escapes."""
    if source[:1] == '"':
        return re.sub(r"\\(.)", r"\1", source[1:-1])
    return source[1:-1] if source[:1] == "'" else source


RANGES: WeakKeyDictionary[FileText, list[Range]] = WeakKeyDictionary()


def is_in_text(text: FileText, line: int) -> bool:
    """Whether a line is one of a text over several lines."""
    if text not in RANGES:
        RANGES[text] = [match.span("text") for match in TEXTS[text.syntax].finditer(text.text)]
    offset, ranges = text.line_start(line), RANGES[text]
    at = bisect_right(ranges, (offset, len(text.text))) - 1
    return at >= 0 and ranges[at][0] <= offset < ranges[at][1]


def blanks(line: str) -> int:
    """The number of blanks that a line begins with."""
    return len(line) - len(line.lstrip())
