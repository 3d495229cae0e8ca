"""Which lines that change a diff may show: those beside whose change nothing stands that may be a secret."""

from __future__ import annotations

import re
from collections.abc import Sequence

from advisor.cache import LONG, cached
from advisor.edits.context import HEAD, MERGE, PUNCTUATION, RESOURCE, SECTION, SETTING, is_shown_value
from advisor.edits.diff import lines_of
from advisor.edits.text import FileText, Splice
from advisor.secrets.comments import COMMENT, hides_in_comment

PAIR = re.compile(
    r"(?P<quote>[\"']?)(?P<key>[A-Za-z][\w.-]{0,80})(?P=quote)\s*(?:=>|[:=])\s*"
    r"(?P<mark>[\"']?)(?P<value>[^\"'#;,{}\[\]]{0,300}?)(?P=mark)(?=\s*[,}\]]|\s*$)"
)
"""A key and its value in a line that may hold several."""
LIST = re.compile(r"\s*(?P<key>[a-z][\w.-]{0,80})\s*[:=]\s*(?P<value>[A-Za-z][^\"'#{\[]{0,2000}?)\s*")
"""A key whose items semicolons part."""
OPENER = re.compile(r"[\"']?[A-Za-z][\w./-]{0,60}[\"']?\s*(?:=>|[:=])\s*(?=[{\[])")
START = re.compile(r"\s*(?:- )?(?:export |ENV )?[\"']?(?:[A-Za-z][\w.-]{0,80}[\"']?\s*(?:=>|[:=])\s*)?")
"""How a line of a setting begins, before its value."""
STAND_INS = ("0", "")
"""A value, or nothing where a setting goes with its key."""
CONTINUED = re.compile(r"\s*\\\s*$")
LONGEST = 20_000
"""Characters of a line beyond which it is not shown: nobody reads it, and to look for secrets in it takes time."""
LINES = 1000
"""The last lines of which it is remembered: those of many blocks are the same."""


def changes_are_shown(text: FileText, splices: Sequence[Splice]) -> bool:
    """Whether all that stands in changed lines, beside what the splices take away of a setting, may be shown."""
    return all(_change_is_shown(text.text, splice, *lines_of(text, splice)) for splice in splices)


def _change_is_shown(text: str, splice: Splice, start: int, end: int) -> bool:
    """Whether lines that a splice changes may be shown with a stand-in for what it takes away, or as they are.

    Those that go as a whole are judged as they are; so is first one long line, which many splices change alike.
    """
    is_whole = splice.start <= start and splice.end >= end
    if (is_whole or end - start > LONG) and _are_shown(text[start:end]):
        return True
    before, behind = text[start : splice.start], text[splice.end : end]
    return not is_whole and any(_are_shown(before + stand_in + behind) for stand_in in STAND_INS)


def _are_shown(lines: str) -> bool:
    return all(map(is_shown, lines.splitlines()))


def is_shown(line: str) -> bool:
    """Whether each key of a line is one of Kafka's, or a name or number stands behind it, and nothing else stands there."""
    return len(line) <= LONGEST and _is_shown(line)


@cached(LINES)
def _is_shown(line: str) -> bool:
    if hides_in_comment(line):
        return False
    bare = CONTINUED.sub("", COMMENT.split(line, 1)[0].rstrip())
    if any(form.fullmatch(bare) for form in (PUNCTUATION, SECTION, RESOURCE, MERGE)):
        return True
    if HEAD.fullmatch(bare) and not bare.endswith("="):
        return True
    setting = SETTING.fullmatch(bare) or LIST.fullmatch(bare)
    if setting is not None and not setting["value"].startswith(("{", "[")):
        return is_shown_value(setting["key"], setting["value"].strip())
    return PUNCTUATION.fullmatch(OPENER.sub("", PAIR.sub(_without_shown, bare))) is not None


def _without_shown(pair: re.Match[str]) -> str:
    return "" if is_shown_value(pair["key"], pair["value"].strip()) else pair[0]


def key_part(line: str) -> str:
    """What stands before the value of a line of one setting; the indentation alone of any other."""
    start = START.match(line)
    return start[0] if start else ""
