"""Write Java properties, alone in a file or as text inside another one, and variables of an env file."""

from __future__ import annotations

from advisor.cache import cached
from advisor.edits.change import NotEdited
from advisor.edits.entry import Entry, Range, indentation, last_line
from advisor.edits.text import FileText, Splice, line_starts
from collectors.files.syntax.properties import BrokenEscape, TooLong, parse
from collectors.files.syntax.properties import Entry as Line

OPENS_BLOCK = (":", "{", "|", "|-", "|+", "EOT", "EOF", '"""', "'''")
"""The end of a line that opens a block of properties inside another file."""
LINES = 1000
"""The last lines of which it is remembered what they set: those of many blocks are the same."""
MOST_LINES = 1000
"""Lines that a setting may take."""
FirstSetting = tuple[Range, Range, str, str]
"""Where the key and the value of a setting stand in its lines, and what both say."""


class PropertiesLine(Entry):
    """A setting of properties: one line, or several of which all but the last end with a backslash."""

    is_alone = True
    """Whether the properties are the whole file."""

    def __init__(self, text: FileText, key: Range, value: Range, name: str, parsed: str) -> None:
        super().__init__(text, key, value, name, parsed)
        self.quote = quote_of(parsed) if name.isidentifier() and name.isupper() else ""
        self.parsed = parsed[1:-1] if self.quote else parsed

    def written(self, value: str) -> str:
        """Backslashes doubled, a blank at the beginning escaped; in quotes if the old value of a variable was."""
        if self.quote:
            return self.quote + value + self.quote
        escaped = value.replace("\\", "\\\\")
        return f"\\{escaped}" if escaped[:1] in (" ", "\t") else escaped

    def written_key(self, name: str) -> str:
        """What would end the key is escaped."""
        return "".join(f"\\{char}" if char in "\\:= " else char for char in name)

    def remove(self) -> Splice:
        """All lines of the setting; not the only one of a block inside another file."""
        start, end = self.text.whole_lines(self.key[0], max(self.value[1], self.key[1]))
        indentation(self.text, self.key[0])
        if not self.is_alone and self._is_only_one(start, end):
            raise NotEdited("it is the only setting of its block")
        return Splice(start, end, "")

    def _is_only_one(self, start: int, end: int) -> bool:
        """Whether the line above opens a block, and the one below is not of it."""
        line = self.text.line_of(start)
        above, below = self.text.line(line - 1) if line > 1 else "", self.text.line(self.text.line_of(end))
        opens = above.split(" #")[0].rstrip().endswith(OPENS_BLOCK)
        indent = indentation(self.text, self.key[0])
        return opens and (end == len(self.text.text) or not below.startswith(indent) or "=" not in below)

    def add_below(self, name: str, value: str) -> Splice:
        """A line in the form of this one."""
        joint = self.text.text[self.key[1] : self.value[0]]
        joint = joint if joint.strip(" \t\f=:") == "" and joint else "="
        line = indentation(self.text, self.key[0]) + self.written_key(name) + joint + self.written(value)
        return self.text.with_line(last_line(self.text, (self.key[0], max(self.value[1], self.key[1]))), line)


def quote_of(value: str) -> str:
    """The quote in which the value of a variable stands; empty where it stands in none."""
    return value[0] if len(value) > 1 and value[0] in ("'", '"') and value[-1] == value[0] else ""


def line_at(text: FileText, line: int) -> PropertiesLine:
    """The setting of properties that begins in a line. Raises NotEdited."""
    start = text.line_start(line)
    end = text.line_start(line + 1)
    while end < len(text.text) and text.text[start:end].rstrip("\r\n").endswith("\\"):
        end = text.line_start(text.line_of(end) + 1)
        if text.line_of(end) - line > MOST_LINES:
            raise NotEdited("it goes over too many lines")
    setting = _first_setting(text.text[start:end])
    if setting is None:
        raise NotEdited("its line is not one of properties")
    (key, key_end), (value, value_end), name, parsed = setting
    return PropertiesLine(text, (start + key, start + key_end), (start + value, start + value_end), name, parsed)


@cached(LINES)
def _first_setting(lines: str) -> FirstSetting | None:
    """The setting that some lines begin with; None where they begin with something else."""
    try:
        parsed = next(parse(lines), None)
    except (BrokenEscape, TooLong):
        return None
    if not isinstance(parsed, Line):
        return None
    starts = line_starts(lines)
    key = starts[parsed.line - 1] + parsed.column - 1
    value = starts[parsed.value_line - 1] + parsed.value_column - 1
    end = starts[parsed.end[0] - 1] + parsed.end[1] - 1
    key_end = end - len(_behind_key(lines[key:end]))
    return (key, key_end), (min(value, end), end), parsed.key, parsed.value


def _behind_key(logical: str) -> str:
    """What follows the key in the lines of a setting."""
    at = 0
    while at < len(logical) and logical[at] not in "=: \t\f":
        at += 2 if logical[at] == "\\" else 1
    return logical[at:]


def at_the_end(text: FileText, name: str, value: str) -> Splice:
    """A new setting at the end of a file of properties; above the last line where that has no end. Raises NotEdited."""
    last = max(len(text.starts) - (text.text[-1:] in ("\r", "\n")), 1)
    if not text.text:
        return Splice(0, 0, f"{name}={value}\n")
    if text.line(last - 1).endswith("\\") if last > 1 else False:
        raise NotEdited("the last setting of the file goes over several lines and has no end")
    return text.with_line(last, f"{name}={value}")
