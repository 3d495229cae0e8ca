"""The line of a file in which a setting stands, as outputs show it: the file's bytes, what is not shown masked in place.

Only the setting itself is quoted: what else stands in its line may be a secret, and is left out.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.model import Setting

BEFORE = re.compile(r"[\s\-]*(?:export\s+|(?:- )?name:\s*)?[\"']?")
"""What is shown before a key: indentation, the dash of a list, a quote."""
JOINT = re.compile(r"[\"']?\s*(?:=>|[:=])?\s*(?:[!&][\w!]{1,40}\s+)?[\"']?")
"""What stands between a key and its value."""
BEHIND = re.compile(r"[\"']?[\s,;})\]\\]*$")
"""What is shown behind a value; all else is left out."""
BLOCK = re.compile(r"[\"']?\s*[:=]\s*(?:[|>][+-]?\d?[+-]?|<<-?\s?\w{1,40}|\\?)\s*$")
"""The end of a line whose value begins on the next one."""
PLAIN = re.compile(r"(?:true|false|-?\d[\d.]{0,20}[A-Za-z]{0,3})\s*[,}\"']*\s*", re.IGNORECASE)
IMAGE = re.compile(r"[\w./:@\-]{1,200}[\"']?,?\s*")
DEFAULT = re.compile(r"\$\{[\w.\-]{1,200}?(?::-|:|-)([^${}]*)\}")
"""A variable of Compose or Spring with a default, which is the value where nothing sets the variable."""
NOTHING = ("", "null", "~")
"""How nothing is written where a setting has no value; what else stands there is no value of its own."""
MORE = " …"


def quoted_line(setting: Setting) -> str:
    """The line of a setting; as the setting would be written where the file's own is not at hand."""
    line, column = setting.quoted, (setting.origin.column or 1) - 1
    for key in (setting.lead.rstrip(":= "), setting.written or ""):
        start = _start_of(key, line, column) if line is not None and key else None
        if line is not None and start is not None:
            before = line[:start] if BEFORE.fullmatch(line[:start]) else _left_out(line[:start])
            return before + key + _behind_key(setting, line[start + len(key) :], start + len(key))
    return _as_written(setting)


def _start_of(key: str, line: str, column: int) -> int | None:
    """Where a key begins in a line: at its column, behind a quote there, or anywhere where the column is not known."""
    start = column + (line[column : column + 1] in ("'", '"') and line[column : column + 1] != "")
    if line.startswith(key, start):
        return start
    return line.find(key) if column == 0 and line.count(key) == 1 else None


def _as_written(setting: Setting) -> str:
    first_line, *more = setting.shown.splitlines() or [""]
    return " " * ((setting.origin.column or 1) - 1) + setting.lead + first_line + (MORE if more else "")


def _left_out(text: str) -> str:
    """As many columns as are left out before a key, so that it stays where it is; a quote at the end belongs to it."""
    quote = text[-1:] if text[-1:] in ("'", '"') else ""
    return "…".ljust(len(text) - len(quote)) + quote


def _behind_key(setting: Setting, text: str, column: int) -> str:
    """What follows a key: the joint, the value, and what closes it."""
    if BLOCK.fullmatch(text):
        return text.rstrip()
    joint = JOINT.match(text)
    begin = joint.end() if joint else 0
    span = setting.span
    if span is not None and span[0] == setting.origin.line and span[1] - 1 - column >= 0:
        begin = span[1] - 1 - column
        if not JOINT.fullmatch(text[:begin]):
            return setting.lead[len(setting.lead.rstrip(":= ")) :] + _first_line(setting)
        if span[0] == span[2]:
            return text[:begin] + _in_place(setting, text[begin : span[3] - 1 - column], text[span[3] - 1 - column :])
    return text[:begin] + _from(setting, text[begin:])


def _in_place(setting: Setting, value: str, behind: str) -> str:
    """A value of which the file says where it ends."""
    end = behind.rstrip() if BEHIND.fullmatch(behind) else behind[: behind[:1] in ("'", '"')] + MORE
    quote = value[:1] if value[:1] in ("'", '"') and value[-1:] == value[:1] and len(value) > 1 else ""
    return (value if _is_shown(setting, value) else f"{quote}{_first_line(setting)}{quote}") + end


def _from(setting: Setting, text: str) -> str:
    """A value that begins a text and may end before the text does; a setting that is made of a field shows none of it."""
    value = setting.value.splitlines()[0] if setting.value else ""
    if value and text.startswith(value) and _is_shown(setting, value) and value == setting.value:
        return _in_place(setting, value, text[len(value) :])
    if setting.secret or setting.shown != setting.value or (text.strip() and value and text.startswith(value[:1])):
        return _first_line(setting)
    return text.rstrip() if _is_plain(setting, text) else MORE.lstrip() if text.strip() else ""


def _is_plain(setting: Setting, text: str) -> bool:
    """Whether what stands in a field is a number, a boolean or an image: no secret."""
    from advisor.secrets import is_secret

    field = setting.lead.rstrip(":= ")
    return not is_secret(field) and bool((IMAGE if field == "image" else PLAIN).fullmatch(text))


def _first_line(setting: Setting) -> str:
    first, *more = setting.shown.splitlines() or [""]
    return first + (MORE if more else "")


def _is_shown(setting: Setting, written: str) -> bool:
    """Whether a value is shown as it is, and so is what stands there for it."""
    bare = written[1:-1] if written[:1] in ("'", '"') and written[-1:] == written[:1] else written
    if setting.secret or setting.shown != setting.value:
        return False
    if not setting.value.strip():
        return bare.strip().lower() in NOTHING
    from advisor.secrets.disclosure import shown_value

    default = DEFAULT.fullmatch(bare)
    bare = default[1] if default else bare
    return bare == setting.value or shown_value(setting.key, bare) == bare
