"""What an audit kept of a subject's settings: those that its findings rest on. All others are unknown."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from functools import cache

import pyarrow as pa
import pyarrow.compute as pc

from advisor.catalog.keys import SYNONYMS
from advisor.catalog.undocumented import TOPIC_CREATION
from advisor.config import Config
from advisor.model import DEFAULT, LIVE, MASK, METADATA, SERVER_KINDS, Entity, Setting, Target
from advisor.rule.subject import FACTS, Question, Unreadable

Name = tuple[str, str, str]
"""Cluster, kind and name of a subject."""
Kept = frozenset[tuple[str, str, str]]
"""Key, value and source of each setting."""
OF_A_SUBJECT = ("cluster", "kind", "subject")
OF_ALL_BROKERS = "cluster"
"""The kind of findings that are true of all brokers."""
FILLED_IN = "${"
OF_A_KEY = frozenset(("int", "float", "bool", "str", "list", "text", "outline", "set", "shape", "secret", "source"))
"""Questions that the effective value of one key answers."""
OF_THE_KIND = frozenset(("resolve", "kind", "definition", "running", "fragment"))
OF_THE_CLUSTER = frozenset(("version", "version given", "family"))
"""Questions about the release, which a client has of its own."""
OF_THE_TOOL: Mapping[str, Hashable] = {
    "what goes with it": "",
    "known as": None,
    "resource": None,
    "replaced": None,
    "mounts": None,
}
"""Answers of what no tool declares: a running cluster, and the files of its clients."""


def kept_settings(findings: pa.Table, subjects: pa.Array) -> dict[Name, Kept]:
    """The settings in the evidence of the findings of some subjects (see subject_ids)."""
    findings = findings.filter(pc.is_in(subject_ids(findings), subjects))
    texts: dict[Name, list[str]] = {}
    columns = (findings[name].to_pylist() for name in OF_A_SUBJECT)
    for name, text in zip(zip(*columns, strict=True), findings["evidence"].to_pylist(), strict=True):
        texts.setdefault(name, []).append(text)
    parse = cache(own_settings)
    merge = cache(lambda *each: frozenset[tuple[str, str, str]]().union(*map(parse, each)))
    return {name: merge(*sorted({*each})) for name, each in texts.items()}


def subject_ids(rows: pa.Table) -> pa.ChunkedArray:
    """Per row a text that is the same for the same subject."""
    return pc.binary_join_element_wise(*(rows[name] for name in OF_A_SUBJECT), "\0")


def own_settings(evidence: str | None) -> Kept:
    """The settings of the subject itself whose values are shown as they are."""
    own = (row for row in json.loads(evidence or "[]") if "entity" not in row and row["source"] != METADATA)
    return frozenset(
        (row["key"], row["value"], row["source"])
        for row in own
        if row["value"] is not None and MASK not in row["value"] and FILLED_IN not in row["value"]
    )


def not_kept(audit: str, what: object) -> str:
    """Why something is unknown of a subject that an audit judged."""
    return f"no finding of {audit} says what {what} was"


def kind_judged_as(kind: str) -> str:
    """The kind whose rules judge a subject."""
    return "broker" if kind == OF_ALL_BROKERS else kind


class KeptConfig(Config):
    """A subject as an audit kept it; what depends on anything else is unreadable."""

    __slots__ = ("_audit", "_kept")

    def __init__(self, kind: str, kept: Kept, target: Target, audit: str) -> None:
        kind = kind_judged_as(kind)
        settings = {key: Setting(key, value, source, LIVE) for key, value, source in kept if source != DEFAULT}
        defaults = {key: value for key, value, source in kept if source == DEFAULT}
        cluster = audit if kind in (*SERVER_KINDS, "topic") else None
        super().__init__(Entity(kind, "", None, settings, target, cluster=cluster, described=defaults))
        self._audit, self._kept = audit, {*settings, *defaults}

    def answer(self, question: Question) -> Hashable:
        """An answer that rests on settings that were kept; Unreadable where it does not."""
        what, key = question
        if what in OF_THE_TOOL:
            return OF_THE_TOOL[what]
        if what in FACTS or what in OF_THE_KIND or self._is_kept(what, str(key)):
            return super().answer(question)
        return Unreadable(not_kept(self._audit, key or what))

    def _is_kept(self, what: str, key: str) -> bool:
        """Whether an answer is known from what was kept; no running topic has what it was created with as a setting."""
        if what in OF_A_KEY and self.has(key):
            return True
        is_running = self.entity.cluster is not None
        return is_running and (what in OF_THE_CLUSTER or (what == "set" and key in TOPIC_CREATION))

    def has(self, key: str) -> bool:
        """Whether the effective value of a key was kept."""
        return key in self._kept or any(other in self._kept for other, _ in SYNONYMS.get(key, ()))
