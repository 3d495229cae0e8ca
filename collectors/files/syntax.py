"""Tell files of other syntaxes from Java properties, by their ending or, where that says nothing, by their content."""

from __future__ import annotations

ENDINGS = {
    ".yml": "YAML",
    ".yaml": "YAML",
    ".tf": "HCL",
    ".hcl": "HCL",
    ".toml": "TOML",
    ".md": "Markdown",
    ".xml": "XML",
}
BEGINS = {"---": "YAML", "<?xml": "XML", "<project": "XML", "<!DOCTYPE": "XML"}
"""What the first line of content begins with."""
FIRST_LINES = 50
"""Lines in which a key of YAML with nothing behind its colon is looked for, above a line that is indented."""


def other_syntax(path: str, text: str) -> str | None:
    """The name of the syntax that a file is written in, None where it may be properties."""
    ending = next((name for ending, name in ENDINGS.items() if path.lower().endswith(ending)), None)
    return ending or _by_content(text)


def _by_content(text: str) -> str | None:
    lines = [line for line in text[: 100 * FIRST_LINES].splitlines()[:FIRST_LINES] if line.strip() and line[:1] != "#"]
    if not lines:
        return None
    begins = next((name for mark, name in BEGINS.items() if lines[0].startswith(mark)), None)
    return begins or ("YAML" if any(map(_opens_block, lines, lines[1:])) else None)


def _opens_block(line: str, following: str) -> bool:
    """Whether a line is `key:` and the next one is a deeper `key: value` or `- item`, as only YAML has them."""
    key = line.rstrip()
    name = key[:-1].strip()
    if not key.endswith(":") or not name.replace("-", "").replace("_", "").isalnum():
        return False
    deeper = len(following) - len(following.lstrip()) > len(line) - len(line.lstrip())
    inner = following.strip()
    return (deeper and (inner.endswith(":") or ": " in inner)) or inner.startswith("- ")
