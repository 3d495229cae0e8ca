"""Fixes for a piece of a node's configuration: what it leaves out is the platform's, which may have defaults of its own."""

from __future__ import annotations

import re

from advisor.config import Config

REMOVED = re.compile(r"remove (?:([a-z]+(?:\.[a-z]+)+)|the key(?= \(default))(?: \(default [^)]*\))?")


def written_default(fix: str, subject: Config, key: str) -> str:
    """A fix that writes Kafka's default where it would remove the key, that of the finding where it names none."""

    def written(match: re.Match[str]) -> str:
        name = match[1] or key
        if not subject.entity.fragment and name not in (subject.entity.described or ()):
            return match[0]
        definition = subject.definition(name)
        return f"set {name}={definition.default}" if definition and definition.default else match[0]

    return REMOVED.sub(written, fix)
