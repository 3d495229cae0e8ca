"""Configuration files of any syntax and tool: `reader` reads one into entities, `clusters` groups them."""

from __future__ import annotations

unsaved: dict[str, bytes] = {}
"""What is read in place of a file's own bytes, by its real path; `-` is standard input."""
