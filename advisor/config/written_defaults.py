"""Fixes for a piece of a node's configuration: what it leaves out is the platform's, which may have defaults of its own."""

from __future__ import annotations

import re

from advisor.config import Config

REMOVED = re.compile(r"remove ([a-z]+(?:\.[a-z]+)+)(?: \(default [^)]*\))?")


def written_default(fix: str, subject: Config) -> str:
    """A fix that writes Kafka's default where it would remove the key."""

    def written(match: re.Match[str]) -> str:
        try:
            default, _ = subject.kafkas_default(match[1])
        except LookupError:
            return match[0]
        return f"set {match[1]}={default}" if default else match[0]

    return REMOVED.sub(written, fix)
