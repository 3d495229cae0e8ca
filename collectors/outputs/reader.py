"""Read what Kafka's own tools print, wherever a text quotes it, as facts of one cluster.

A reader is a module with `read(lines, facts)` for texts, or `read_json(document, facts)` for documents; each takes what it
knows and leaves the others. What is printed twice counts as printed last.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from collectors.outputs import configs, cruise_control, features, groups, kcat, log_dirs, quorum, topics
from collectors.outputs.facts import Facts

TEXTS = (topics, configs, quorum, features, log_dirs, groups)
DOCUMENTS = (kcat, cruise_control, log_dirs)


def read(texts: Iterable[str]) -> Facts:
    """The facts of one cluster that some texts quote, in their order."""
    facts = Facts()
    for text in texts:
        document = _document(text)
        if document is None:
            _read_lines(text.splitlines(), facts)
        else:
            for reader in DOCUMENTS:
                reader.read_json(document, facts)
    return facts


def _read_lines(lines: Sequence[str], facts: Facts) -> None:
    for reader in TEXTS:
        reader.read(lines, facts)


def _document(text: str) -> dict[str, object] | None:
    """The object of JSON that a text is, None where it is none."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None
