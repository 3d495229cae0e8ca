"""Which lines beside a change a diff may show: those of which it is known that they hold no secret."""

from __future__ import annotations

import re
from functools import lru_cache

from advisor.catalog.keys import COMPONENTS, value_class
from advisor.secrets import is_secret
from advisor.secrets.disclosure import shown
from advisor.secrets.masking import mask_prose
from collectors.files.names import key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 3
"""Lines of context, as diff has them."""
SETTING = re.compile(
    r"\s*#?\s*(?:- )?(?:export |ENV )?(?P<quote>[\"']?)(?P<key>[A-Za-z][\w.-]{0,80})(?P=quote)\s*(?:=>|[:=])\s*"
    r"(?P<mark>[\"']?)(?P<value>[^\"'#;]{0,300}?)(?P=mark)[,\s\"']*"
)
HEAD = re.compile(
    r"\s*(?:- )?[\"']?[A-Za-z][\w./-]{0,60}[\"']?\s*(?:[:=]\s*(?:[{\[][}\]]?|[|>][+-]?|&\w{1,40}|<<-?EO[TF])?|[{\[])\s*"
)
"""A line that only opens a block."""
RESOURCE = re.compile(r"(?:resource|variable|locals|module|provider|terraform)\b(?: \"[\w-]{1,60}\"){0,2} {\s*")
PUNCTUATION = re.compile(r"[\s\[\]{}(),-]*")
NUMBER = re.compile(r"true|false|-?\d[\d.]{0,12}[A-Za-z]{0,3}", re.IGNORECASE)
NAME = re.compile(r"[A-Za-z][\w./:@-]{0,200}")
NAMED = ("name", "kind", "apiVersion", "image", "version", "type", "namespace", "container_name", "hostname")
"""Fields that hold a name."""
MERGE = re.compile(r"\s*(?:<<:\s*\*\w{1,40}|EO[TF])\s*")
"""A block that is written elsewhere, or the end of one."""
REFERENCE = re.compile(r"\{\{ ?[\w.]{1,60} ?\}\}|\$\{[\w.]{1,60}\}")
PROSE = re.compile(r"\s*(?:#+|//)[A-Za-z ,.:;()'-]*")
TEXT = re.compile(r".*[|>][+-]?\d?[+-]?")
"""What a block of text begins with in YAML."""
SECTION = re.compile(r"\s*\[[\w.\" -]{1,100}\]\s*")
PREFIXES = ("KAFKA_CFG_", "KAFKA_", "CONNECT_")
KEYS = tuple(dict.fromkeys(name for names in COMPONENTS.values() for name in names if name != "deployment"))


def before(lines: Sequence[str], start: int) -> int:
    """How many lines above one are shown."""
    count = 0
    while count < MOST and start - count > 0 and is_shown(lines, start - count - 1):
        count += 1
    return count


def behind(lines: Sequence[str], end: int) -> int:
    """How many lines from one on are shown."""
    count = 0
    while count < MOST and end + count < len(lines) and is_shown(lines, end + count):
        count += 1
    return count


def is_shown(lines: Sequence[str], number: int) -> bool:
    """Whether a line holds no secret for sure; one that goes on, or goes on from the one above, may."""
    line = lines[number].rstrip("\r\n")
    if "\\" in line or (number and lines[number - 1].rstrip("\r\n").endswith("\\")):
        return False
    if PUNCTUATION.fullmatch(line):
        return True
    if any(form.fullmatch(line) for form in (SECTION, RESOURCE, HEAD, MERGE, PROSE)):
        return not _in_secret_text(lines, number)
    setting = SETTING.fullmatch(line)
    return setting is not None and _is_shown_value(setting["key"], setting["value"].strip())


@lru_cache(1024)
def _is_shown_value(written: str, value: str) -> bool:
    if is_secret(written):
        return False
    if NUMBER.fullmatch(value) or REFERENCE.fullmatch(value) or (written in NAMED and NAME.fullmatch(value)):
        return True
    bare = next((written.removeprefix(prefix) for prefix in PREFIXES if written.startswith(prefix)), written)
    key = key_of(bare, KEYS)
    own_class = None if key is None or is_secret(key) else value_class("client", key, {})
    return own_class is not None and shown(own_class, value) == value


def _in_secret_text(lines: Sequence[str], number: int) -> bool:
    """Whether a line names a secret, is one of comments that do, or of a block of text."""
    first = last = number
    while first and _is_comment(lines[number]) and _is_comment(lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and _is_comment(lines[number]) and _is_comment(lines[last + 1]):
        last += 1
    text = "".join(lines[first : last + 1])
    return mask_prose(text) != text or _in_block(lines, number)


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "//"))


def _in_block(lines: Sequence[str], number: int) -> bool:
    """Whether a line stands in a block of text of YAML: deeper than the line that begins one."""
    depth = len(lines[number]) - len(lines[number].lstrip())
    for line in reversed(lines[:number]):
        own = len(line) - len(line.lstrip())
        if line.strip() and own < depth:
            if TEXT.fullmatch(line.rstrip()):
                return True
            depth = own
        if not depth:
            return False
    return False
