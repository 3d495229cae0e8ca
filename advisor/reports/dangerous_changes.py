"""Dangerous changes as `diff` lists them: equal ones of several nodes of a cluster are one entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from advisor.reports.context import subject
from advisor.reports.document.blocks import Field, Step
from advisor.reports.equal_nodes import equal_rows, named, without_hosts
from advisor.reports.text.finding import former_line, headline

if TYPE_CHECKING:
    from advisor.analysis.comparison import Difference
    from advisor.model.finding import Finding


def equal_changes(difference: Difference) -> list[list[Finding]]:
    """The dangerous changes, those of the nodes of one cluster together that differ in nothing but the node and its hosts."""
    return equal_rows(difference.dangerous, difference, lambda row: row.entity, _words)


def _words(row: Finding) -> tuple[object, ...]:
    """What is said of a change, without the node."""
    was = row.before
    former = was and (was.key, without_hosts(was.key, was.value or "", was.value), was.ref, was.line is None)
    shown = without_hosts(row.key, headline(row), row.value, was.value if was else None)
    return row.rule, severity_of(row), shown, row.line is None, row.effect, row.acts, row.fix, former


def change_step(rows: Sequence[Finding]) -> Step:
    """The entry of equal changes."""
    row = rows[0]
    return Step(f"{severity_of(row)}: {_title(rows)}", tuple(_fields(rows)), remark=f"[{row.rule} {row.name}]")


def _title(rows: Sequence[Finding]) -> str:
    """Where the change stands, of several whose it is, and what it does."""
    row = rows[0]
    if len(rows) > 1:
        return f"{named([subject(row.entity) for row in rows], map(headline, rows))}: {headline(row)}"
    name = None if row.line or row.is_removal else subject(row.entity)
    return ": ".join(filter(None, (_location(row.file, row.line), name, headline(row))))


def _fields(rows: Sequence[Finding]) -> Iterator[Field]:
    """What the change does and when, where it stands and what was there, and the safe way."""
    row = rows[0]
    if row.effect or row.acts:
        yield Field("effect", ", ".join(filter(None, (row.effect, row.acts))))
    if len(rows) > 1:
        yield Field("now", named([_location(row.file, row.line) for row in rows]))
    yield Field("was", _former(rows))
    yield Field("safe", row.fix)


def _former(rows: Sequence[Finding]) -> str:
    """Where the former setting stood, in each file, and what it was."""
    places = [_location(row.before.file, row.before.line) for row in rows if row.before is not None]
    return named(places) + former_line(rows[0]).removeprefix(places[0] if places else "")


def _location(file: str | None, line: int | None) -> str:
    return f"{file}:{line}" if line else file or ""


def severity_of(row: Finding) -> str:
    """The severity of a finding."""
    return "REFUSED BY KAFKA" if row.refused else row.severity
