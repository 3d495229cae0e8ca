"""Texts that break out of terminals, tables and pages, and whether an output is harmless."""

from __future__ import annotations

import copy
from collections.abc import Iterable

from advisor.model import Snapshot

HOSTILE = {
    "markup": "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>",
    "escapes": "a\x1b[31m\x1b]0;x\x07\x9b31mb\x7f",
    "formula": "=cmd|' /C calc'!A0",
    "newlines": "a\n::error::injected\r\n| b |\u2028c",
    "cdata": "]]>]]&gt;<!-- -->&amp;<![CDATA[",
    "command": "%0A::error::injected%0D%25",
    "direction": "\u202eevil\u2066\u200f\u061c",
    "long": "t" * 10_000,
    "odd bytes": "a\udcff\udc80\ufffe\x00b",
    "markdown": "[click](javascript:alert(1)) @everyone #1 https://evil.example www.evil.example `x` **b** ~~d~~ [y](evil) | c",
    "template": "{{ 7*7 }}{% for x in y %}{0}{1}${jndi:ldap://x}",
    "labels": '",x="1"} 1\n# TYPE evil counter\n\\',
}

AT_ONCE = 3
"""Names in one report: each is shown, where of a dozen some would only be counted."""
NAMES = tuple(HOSTILE.values())
BATCHES = tuple(NAMES[first : first + AT_ONCE] for first in range(0, len(NAMES), AT_ONCE))


def with_topics(snapshot: Snapshot, topic: str, names: Iterable[str] = NAMES) -> Snapshot:
    """The snapshot with a topic of it under each of these names."""
    entities = list(snapshot.entities)
    (at,) = [index for index, entity in enumerate(entities) if entity.name == topic]
    copies = [copy.copy(entities[at]) for _ in names]
    for entity, name in zip(copies, names, strict=True):
        entity.name = name
    entities[at : at + 1] = copies
    snapshot.entities = tuple(entities)
    return snapshot
