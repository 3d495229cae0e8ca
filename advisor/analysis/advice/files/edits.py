"""Edit the lines of configuration files: a setting's value, the setting away, a new one below one of its block.

Only what stands on lines of its own is edited; all else is left to the reader. Secrets are in no line that is touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from advisor.analysis.advice.changes import FileChange, Sibling
from advisor.analysis.advice.files.lines import SettingLines, setting_at

PROPERTIES = (".properties", ".conf", ".cfg")
JSON = ".json"
TYPED = (".tf", ".toml")
"""Files in which a bare word is not a string, but for blocks of properties in them."""
YAML_WORDS = re.compile(r"true|false|yes|no|on|off|null|~", re.IGNORECASE)
"""What YAML does not read as a string."""
REST = re.compile(r"""["']?,?""")
COMMENT = re.compile(r"""["']?,?\s*(#.*)?\s*""")


class Edit(NamedTuple):
    """Lines to put in place of those from `first` on, `height` of them; none where a line is added above it."""

    first: int
    height: int
    lines: tuple[str, ...]


def edits_of(lines: Sequence[str], changes: Sequence[FileChange]) -> list[Edit]:
    """The edits that changes are, in the order of their lines."""
    edits = dict.fromkeys(edit for change in changes if (edit := edit_of(lines, change)) is not None)
    return sorted(edits, key=lambda edit: (edit.first, edit.height))


def edited(lines: Sequence[str], changes: Sequence[FileChange]) -> list[str]:
    """The lines after the changes, of which each is one that can be edited."""
    after: list[str] = []
    number = 1
    for edit in edits_of(lines, changes):
        after += lines[number - 1 : edit.first - 1]
        after += edit.lines
        number = max(number, edit.first) + edit.height
    return after + list(lines[number - 1 :])


def edit_of(lines: Sequence[str], change: FileChange) -> Edit | None:
    """The edit that a change is; None where it is none of whole lines."""
    if change.line is None:
        return next(addition(lines, change), None)
    setting = setting_at(lines, change.line, change.written, change.old, change.span)
    if setting is None:
        return None
    raw = lines[setting.line + setting.height - 2]
    if change.value is None:
        return removal(lines, setting, change)
    value = fitting(change, raw, setting)
    text = None if value is None else raw[: setting.value.start] + value + raw[setting.value.stop :]
    return None if text is None else Edit(setting.line + setting.height - 1, 1, (text,))


def removal(lines: Sequence[str], setting: SettingLines, change: FileChange) -> Edit | None:
    """Take a setting's lines away; not the last one of its block, which would be left empty, and not in JSON."""
    raw = lines[setting.line + setting.height - 2]
    is_alone = COMMENT.fullmatch(raw, setting.value.stop) is not None
    before, after = setting.line - 1, setting.line + setting.height
    empties = parent_of(lines, before) and indent(lines, after) < indent(lines, setting.line)
    if not is_alone or change.file.endswith(JSON) or (empties and not change.file.endswith(PROPERTIES)):
        return None
    return Edit(setting.line, setting.height, ())


def parent_of(lines: Sequence[str], number: int) -> bool:
    """Whether a line opens a block."""
    return 0 < number <= len(lines) and lines[number - 1].split("#")[0].rstrip().endswith((":", "{", "|", "EOT"))


def indent(lines: Sequence[str], number: int) -> int:
    """The indentation of a line; none behind the last one."""
    raw = lines[number - 1] if number <= len(lines) else ""
    return len(raw) - len(raw.lstrip(" "))


def addition(lines: Sequence[str], change: FileChange) -> Iterator[Edit]:
    """Ways to add a new setting: below a sibling and in its form, or at the end of a properties file."""
    if change.file.endswith(JSON):
        return
    for sibling in change.siblings:
        setting = setting_at(lines, sibling.line, sibling.written, sibling.value, sibling.span)
        added = None if setting is None else lines_like(lines, setting, sibling, change)
        if setting is not None and added is not None:
            yield Edit(place_below(lines, setting.line + setting.height - 1), 0, added)
    if change.file.endswith(PROPERTIES):
        end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
        yield Edit(place_below(lines, len(lines)), 0, (f"{change.written}={change.value}{end}",))


def place_below(lines: Sequence[str], number: int) -> int:
    """Where a line is put to stand below another: above it, if that is the last of its file and has no end."""
    return number + 1 if not lines or lines[number - 1].endswith("\n") else number


def lines_like(
    lines: Sequence[str], setting: SettingLines, sibling: Sibling, change: FileChange
) -> tuple[str, ...] | None:
    """The lines of a new setting in the form of its sibling's; None where its name or its value has another form."""
    first, last = lines[setting.line - 1], lines[setting.line + setting.height - 2]
    block = sibling.written[: len(sibling.written) - (setting.key.stop - setting.key.start)]
    value = fitting(change, last, setting)
    if not change.written.startswith(block) or value is None:
        return None
    key = change.written[len(block) :]
    end = "\r\n" if first.endswith("\r\n") else "\n"
    rest = REST.match(last, setting.value.stop)
    tail = f"{value}{rest[0] if rest else ''}{end}"
    if setting.height == 2:
        return first[: setting.key.start] + key + first[setting.key.stop :], last[: setting.value.start] + tail
    return (first[: setting.key.start] + key + first[setting.key.stop : setting.value.start] + tail,)


def fitting(change: FileChange, raw: str, setting: SettingLines) -> str | None:
    """The new value in the quotes of the old one; None where a bare one would be read as something else."""
    value, old = change.value or "", raw[setting.value]
    quote = old[:1] if old[:1] in ("'", '"') else ""
    is_bare = not quote and raw[setting.value.start - 1] not in "\"'"
    if not is_bare or change.file.endswith(PROPERTIES):
        return f"{quote}{value}{quote}"
    if change.file.endswith(TYPED) and value.isdigit() != old.isdigit():
        return None
    is_json_text = change.file.endswith(JSON) and not value.isdigit() and value not in ("true", "false")
    is_yaml_word = setting.height == 2 or (":" in raw[: setting.value.start] and YAML_WORDS.fullmatch(value))
    return f'"{value}"' if is_json_text or (is_yaml_word and not change.file.endswith(JSON)) else value
