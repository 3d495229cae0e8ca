"""Which lines beside a change a diff may show: those of which it is known that they hold no secret."""

from __future__ import annotations

import re
from functools import lru_cache

from advisor.catalog.keys import COMPONENTS, value_class
from advisor.secrets import is_secret
from advisor.secrets.disclosure import shown
from advisor.secrets.masking import mask, mask_prose
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
NO_TEXT = ("{", "[", "&", "*", "!", "|", ">")
"""What a value of YAML begins with that is more than its text."""
MERGE = re.compile(r"\s*(?:<<:\s*\*\w{1,40}|EO[TF])\s*")
"""A block that is written elsewhere, or the end of one."""
REFERENCE = re.compile(r"\{\{ ?[\w.]{1,60} ?\}\}|\$\{[\w.]{1,60}\}")
PROSE = re.compile(r"\s*(?:#+|//)[A-Za-z ,.:;()'-]*")
TEXT = re.compile(r".*[|>][+-]?\d?[+-]?")
"""What a block of text begins with in YAML."""
SECTION = re.compile(r"\s*\[[\w.\" -]{1,100}\]\s*")
PREFIXES = ("KAFKA_CFG_", "KAFKA_", "CONNECT_")
KEYS = tuple(dict.fromkeys(name for names in COMPONENTS.values() for name in names if name != "deployment"))


class Beside:
    """The lines of a file, of which a diff may show those that hold no secret for sure."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._above: list[int] | None = None

    def before(self, start: int) -> int:
        """How many lines above one are shown."""
        count = 0
        while count < MOST and start - count > 0 and self.is_shown(start - count - 1):
            count += 1
        return count

    def behind(self, end: int) -> int:
        """How many lines from one on are shown."""
        count = 0
        while count < MOST and end + count < len(self.lines) and self.is_shown(end + count):
            count += 1
        return count

    def is_shown(self, number: int) -> bool:
        """Whether a line holds no secret for sure; one that goes on, or goes on from the one above, may."""
        line = self.lines[number].rstrip("\r\n")
        if "\\" in line or (number and self.lines[number - 1].rstrip("\r\n").endswith("\\")):
            return False
        if PUNCTUATION.fullmatch(line):
            return True
        if any(form.fullmatch(line) for form in (SECTION, RESOURCE, HEAD, MERGE, PROSE)):
            return not self._in_secret_text(number)
        setting = SETTING.fullmatch(line)
        return setting is not None and is_shown_value(setting["key"], setting["value"].strip())

    def _in_secret_text(self, number: int) -> bool:
        """Whether a line names a secret, is one of comments that do, or of a block of text."""
        lines, first, last = self.lines, number, number
        while first and _is_comment(lines[number]) and _is_comment(lines[first - 1]):
            first -= 1
        while last + 1 < len(lines) and _is_comment(lines[number]) and _is_comment(lines[last + 1]):
            last += 1
        text = "".join(lines[first : last + 1])
        return mask_prose(text) != text or self._in_block(number)

    def _in_block(self, number: int) -> bool:
        """Whether a line stands in a block of text of YAML: deeper than the line that begins one."""
        if self._above is None:
            self._above = lines_above(self.lines)
        while (number := self._above[number]) >= 0:
            if TEXT.fullmatch(self.lines[number].rstrip()):
                return True
        return False


def lines_above(lines: Sequence[str]) -> list[int]:
    """For each line the last one above it that stands less deep, and is not blank; -1 for none."""
    above: list[int] = []
    outer: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        depth = depth_of(line)
        while outer and outer[-1][0] >= depth and line.strip():
            outer.pop()
        above.append(next((other for own, other in reversed(outer) if own < depth), -1))
        outer += [(depth, number)] if line.strip() else []
    return above


def depth_of(line: str) -> int:
    """By how many characters a line is indented."""
    return len(line) - len(line.lstrip())


@lru_cache(1024)
def is_shown_value(written: str, value: str) -> bool:
    """Whether a value may be shown that stands behind a key, in whatever spelling: Kafka's, a name's, or that of a number."""
    if is_secret(written) or value.startswith(NO_TEXT):
        return False
    if NUMBER.fullmatch(value) or REFERENCE.fullmatch(value):
        return True
    if written in NAMED and NAME.fullmatch(value):
        return mask(value) == value
    bare = next((written.removeprefix(prefix) for prefix in PREFIXES if written.startswith(prefix)), written)
    key = key_of(bare, KEYS)
    if key is None:
        key = written if "." in written else bare
    own_class = None if is_secret(key) else value_class("client", key, {}) or value_class("broker", key, {})
    return own_class is not None and shown(value, own_class) == value


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "//"))
