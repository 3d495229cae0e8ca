"""Template control lines (Jinja, Go, FreeMarker, ERB): no settings, but what they enclose is optional."""

from __future__ import annotations

MARKS = ("{%", "{{", "{#", "<#", "</#", "<%")
"""What a line that steers a template begins with."""
COMMENTS = (("{#", "#}"), ("{{/*", "*/}}"), ("{{- /*", "*/ -}}"), ("{{!", "}}"), ("<#--", "-->"), ("<%#", "%>"))
CHOICE = "{% … %}"
"""What stands for a value that a template chooses."""
OPENING = ("if", "unless", "for", "range", "with", "each", "list", "foreach")
CLOSING = ("end", "/")
NEUTRAL = ("else", "elif", "elsif", "elseif", "set", "endset", "assign", "raw", "endraw", "import", "local")


def may_steer(line: str) -> bool:
    """Whether a line may be a template control line: a quick check before `steps`."""
    return line.startswith(MARKS)


def steps(line: str) -> int | None:
    """By how many blocks a control line nests deeper (below zero: less deep); None where it may be a setting.

    A line such as {{ id }}@{{ host }}:9093 is a piece of a value that began above.
    """
    if any(line.startswith(head) and line.endswith(tail) for head, tail in COMMENTS):
        return 0
    if line.startswith("{{") and _is_piece(_without_expressions(line)):
        return 0
    at, depth = 0, 0
    while at < len(line):
        tag = _tag(line, at)
        step = tag and _step(tag[0], line[at : tag[1]])
        if tag is None or step is None:
            return None
        depth += step
        at = tag[1]
    return depth


def _without_expressions(line: str) -> str:
    """The line without its {{ … }}."""
    pieces, start = [], 0
    while (opened := line.find("{{", start)) >= 0 and (closed := line.find("}}", opened + 2)) >= 0:
        pieces.append(line[start:opened])
        start = closed + 2
    return "".join([*pieces, line[start:]])


def _is_piece(text: str) -> bool:
    """Whether a text without an equals sign goes on with a value: a word, or a port."""
    if not text or "=" in text:
        return False
    return text[1:2].isdigit() if text[0] == ":" else not text[0].isspace()


def _tag(line: str, at: int) -> tuple[str, int] | None:
    """(word, end) of the template tag at a position, blanks around it included; None where there is none."""
    at = _skip_blanks(line, at)
    for opening, read in TAGS:
        if line.startswith(opening, at):
            tag = read(line, at)
            return tag and (tag[0].replace("#", ""), _skip_blanks(line, tag[1]))
    return None


def _skip_blanks(line: str, at: int) -> int:
    while at < len(line) and line[at].isspace():
        at += 1
    return at


def _word(line: str, at: int, letters: str) -> int:
    """Where a word of these letters ends."""
    while at < len(line) and line[at] in letters:
        at += 1
    return at


def _jinja(line: str, at: int) -> tuple[str, int] | None:
    """{% word … %}"""
    first = _skip_blanks(line, at + 2 + (line[at + 2 : at + 3] in ("-", "+", "~")))
    end = _word(line, first, LETTERS)
    closed = line.find("%}", end)
    if end == first or closed < 0 or line.find("{{", end, closed) >= 0:
        return None
    return line[first:end], closed + 2


def _go(line: str, at: int) -> tuple[str, int] | None:
    """{{ word … }}, {{#word}}, {{/word}}: no call, no field, no pipe."""
    first = _skip_blanks(line, at + 2 + (line[at + 2 : at + 3] in ("-", "~")))
    first += line.startswith("#", first)
    begin = first + line.startswith("/", first)
    end = _word(line, begin, LETTERS)
    following = line[end : end + 1]
    closed = line.find("}}", end)
    if end == begin or closed < 0 or following in (".", "|", "(", "_") or following.isalnum():
        return None
    return line[first:end], closed + 2


def _freemarker(line: str, at: int) -> tuple[str, int] | None:
    """<#word …>, </#word>; one > may stand inside."""
    mark = line.find("#", at, at + 3)
    begin = mark + 1 + line.startswith("/", mark + 1)
    end = _word(line, begin, LETTERS)
    closed = _before(line, ">", "<", end)
    if mark < 0 or end == begin or closed is None:
        return None
    again = _before(line, ">", "<", closed + 1)
    return line[at + 1 : end], (closed if again is None else again) + 1


def _erb(line: str, at: int) -> tuple[str, int] | None:
    """<% word … %>: no output."""
    first = at + 2 + line.startswith("-", at + 2)
    if line.startswith("=", first):
        return None
    first = _skip_blanks(line, first)
    first = _skip_blanks(line, first + line.startswith("}", first))
    end = _word(line, first, LETTERS + LETTERS.upper() + "_@.")
    closed = line.find("%>", end)
    return None if end == first or closed < 0 else (line[first:end], closed + 2)


def _before(line: str, mark: str, barrier: str, at: int) -> int | None:
    """Where a mark stands, if no barrier stands before it."""
    position = line.find(mark, at)
    return None if position < 0 or line.find(barrier, at, position) >= 0 else position


LETTERS = "abcdefghijklmnopqrstuvwxyz"
TAGS = (("{%", _jinja), ("{{", _go), ("<%", _erb), ("<#", _freemarker), ("</#", _freemarker))


def _step(word: str, text: str) -> int | None:
    if word in NEUTRAL:
        return 0
    if word.startswith(CLOSING):
        return -1
    if word in OPENING:
        return 1
    if word.startswith("@") or "." in word:
        return 1 if " do" in text else None
    return None
