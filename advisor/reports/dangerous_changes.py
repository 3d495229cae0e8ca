"""Dangerous changes as `diff` lists them: equal ones of several nodes of a cluster are one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from advisor.model import SERVER_KINDS
from advisor.reports.context import subject
from advisor.reports.document.blocks import Field, Step
from advisor.reports.text.finding import former_line, headline

if TYPE_CHECKING:
    from advisor.analysis.comparison import Difference
    from advisor.model.finding import Finding

SHOWN = 12
"""Nodes of an entry that are named, and places."""


def equal_changes(difference: Difference) -> list[list[Finding]]:
    """The dangerous changes, those of the nodes of one cluster together that differ in nothing but the node."""
    clusters = {
        (entity.kind, entity.name, entity.file): number
        for number, snapshot in enumerate(difference.new.snapshots or ())
        for entity in snapshot.entities
        if entity.kind in SERVER_KINDS
    }
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for row in difference.dangerous:
        cluster = clusters.get((*row.entity, row.file))
        groups.setdefault((id(row),) if cluster is None else (cluster, *_words(row)), []).append(row)
    return list(groups.values())


def _words(row: Finding) -> tuple[object, ...]:
    """What is said of a change, without the node."""
    former = row.before and (row.before.key, row.before.value, row.before.ref, row.before.line is None)
    return row.rule, severity_of(row), headline(row), row.line is None, row.effect, row.acts, row.fix, former


def change_step(rows: Sequence[Finding]) -> Step:
    """The entry of equal changes."""
    row = rows[0]
    return Step(f"{severity_of(row)}: {_title(rows)}", tuple(_fields(rows)), remark=f"[{row.rule} {row.name}]")


def _title(rows: Sequence[Finding]) -> str:
    """Where the change stands, of several whose it is, and what it does."""
    row = rows[0]
    if len(rows) > 1:
        return f"{_named([subject(row.entity) for row in rows])}: {headline(row)}"
    named = None if row.line or row.is_removal else subject(row.entity)
    return ": ".join(filter(None, (_location(row.file, row.line), named, headline(row))))


def _fields(rows: Sequence[Finding]) -> Iterator[Field]:
    """What the change does and when, where it stands and what was there, and the safe way."""
    row = rows[0]
    if row.effect or row.acts:
        yield Field("effect", ", ".join(filter(None, (row.effect, row.acts))))
    if len(rows) > 1:
        yield Field("now", _named([_location(row.file, row.line) for row in rows]))
    yield Field("was", _former(rows))
    yield Field("safe", row.fix)


def _former(rows: Sequence[Finding]) -> str:
    """Where the former setting stood, in each file, and what it was."""
    places = [_location(row.before.file, row.before.line) for row in rows if row.before is not None]
    return _named(places) + former_line(rows[0]).removeprefix(places[0] if places else "")


def _location(file: str | None, line: int | None) -> str:
    return f"{file}:{line}" if line else file or ""


def _named(words: Sequence[str]) -> str:
    """Words, each once, of many the first."""
    names = list(dict.fromkeys(filter(None, words)))
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def severity_of(row: Finding) -> str:
    """The severity of a finding."""
    return "REFUSED BY KAFKA" if row.refused else row.severity
