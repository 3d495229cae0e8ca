"""Comments as edits: one that is part of a value, one that silences nothing, and a new one that silences a finding."""

from __future__ import annotations

from advisor.edits.change import NotEdited
from advisor.edits.entry import indentation
from advisor.edits.properties import line_at
from advisor.edits.text import FileText, Splice
from advisor.model import Setting
from collectors.files.syntax.recognition import DOCKERFILE, HCL, JSON, PROPERTIES, SCRIPT, TOML, YAML

WITH_COMMENTS = (PROPERTIES, YAML, TOML, HCL)
"""The syntaxes that take a comment on a line of its own anywhere above a setting."""
NEVER = (JSON, SCRIPT, DOCKERFILE)


def comment_above(text: FileText, setting: Setting, value: str) -> list[Splice]:
    """Move a comment behind a value to a line above. Raises NotEdited for one that is not in properties."""
    line = setting.origin.line or 0
    if text.syntax != PROPERTIES:
        raise NotEdited("the value does not stand in a properties file")
    entry = line_at(text, line)
    source = entry.source
    if entry.name != setting.key or not source.startswith(value) or "\n" in source or "\\" in source:
        raise NotEdited("the value has escapes, or goes over several lines")
    comment = source[len(value) :].strip()
    if not comment.startswith(("#", "!")):
        comment = f"# {comment.lstrip('/;- ')}"
    start = text.line_start(line)
    above = indentation(text, entry.key[0]) + comment + text.newline(line)
    return [Splice(start, start, above), Splice(entry.value[0] + len(value), entry.value[1], "")]


def comment_away(text: FileText, line: int) -> Splice:
    """Take the line of a comment away. Raises NotEdited where the line holds something else."""
    if not 0 < line <= len(text.starts) or not text.line(line).strip().startswith(("#", "!", "//")):
        raise NotEdited("the comment shares its line with something else")
    return Splice(text.line_start(line), text.line_start(line + 1), "")


def silence(text: FileText, line: int, rules: str, reason: str) -> Splice:
    """A comment above a line that silences rules there. Raises NotEdited where the file takes no comment."""
    if text.syntax not in WITH_COMMENTS:
        raise NotEdited(f"{text.syntax} takes no comment there; write a waiver in kafka-advisor.yaml")
    if not 0 < line <= len(text.starts):
        raise NotEdited("the finding has no line")
    start = text.line_start(line)
    if line > 1 and text.syntax == PROPERTIES and text.line(line - 1).endswith("\\"):
        raise NotEdited("the line above goes on")
    body = text.line(line)
    blanks = body[: len(body) - len(body.lstrip())]
    return Splice(start, start, f"{blanks}# kafka-advisor: ignore[{rules}] {reason}{text.newline(line)}")
