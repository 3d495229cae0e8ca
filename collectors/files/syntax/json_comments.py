"""Comments in JSON, as .NET, VS Code and others take them: blanks in their place keep every line and column."""

from __future__ import annotations

import re

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
NO_BREAK = re.compile(r"[^\n]")


def without_comments(text: str) -> str:
    """A text with blanks in place of comments; what stands in quotes is none."""
    return TOKEN.sub(_blanked, text) if "//" in text or "/*" in text else text


def _blanked(match: re.Match[str]) -> str:
    return match.group() if match.group()[0] == '"' else NO_BREAK.sub(" ", match.group())
