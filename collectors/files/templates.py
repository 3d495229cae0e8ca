"""Lines that steer a template (Jinja, Go, FreeMarker, ERB): no settings, but they make what is between them optional."""

from __future__ import annotations

MARKS = ("{%", "{{", "{#", "<#", "</#", "<%")
"""What a line that steers a template begins with."""
COMMENTS = (("{#", "#}"), ("{{/*", "*/}}"), ("{{- /*", "*/ -}}"), ("{{!", "}}"), ("<#--", "-->"), ("<%#", "%>"))
CHOICE = "{% … %}"
"""What stands for a value that a template chooses."""
OPENING = ("if", "unless", "for", "range", "with", "each", "list", "foreach")
CLOSING = ("end", "/")
NEUTRAL = ("else", "elif", "elsif", "elseif", "set", "endset", "assign", "raw", "endraw", "import", "local")
STEERS = r"""(?x) \s* (?:
    \{ [%] [-+~]? \s* (?P<jinja> [a-z]+ ) (?: (?! [%]\} | \{\{ ) . )* [%] \}
  | \{\{ [-~]? \s* [#]? (?P<go> /? [a-z]+ ) \b (?! [.|(] ) (?: (?! \}\} ) . )* \}\}
  | < (?P<marker> /? [#] /? [a-z]+ ) [^<>]* (?: > [^<>]* )? >
  | <% [-]? (?! = ) \s* \}? \s* (?P<erb> [A-Za-z_@.]+ ) (?: (?! [%]> ) . )* [%]>
) \s* """


def begins(line: str) -> bool:
    """Whether a line may steer a template: the quick look before the thorough one."""
    return line.startswith(MARKS)


def steps(line: str) -> int | None:
    """By how many blocks a line goes in (or out, below zero); None where it may be a setting.

    A line such as {{ id }}@{{ host }}:9093 is a piece of a value that began above.
    """
    if any(line.startswith(head) and line.endswith(tail) for head, tail in COMMENTS):
        return 0
    import re

    rest = re.sub(r"\{\{.*?\}\}", "", line) if line.startswith("{{") else ""
    if re.match(r"[^=:\s][^=]*$|:\d[^=]*$", rest):
        return 0
    piece, at, depth = re.compile(STEERS), 0, 0
    while at < len(line):
        found = piece.match(line, at)
        step = found and _step(next(word for word in found.groups() if word).replace("#", ""), found[0])
        if found is None or step is None:
            return None
        depth += step
        at = found.end()
    return depth


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
