"""Put what follows from a finding under it: one cause is one alarm for people; machine formats keep every finding."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from advisor.model.finding import EntityName, Finding


def _cause_of(row: Finding, causes: Mapping[tuple[str, str, EntityName], Finding]) -> Finding | None:
    """The finding that stands by itself and that a row follows from, over others that follow from it."""
    cause = causes.get((row.cause, row.place, row.entity)) if row.cause else None
    return None if cause is None else _cause_of(cause, causes) or cause


def fold(findings: Sequence[Finding]) -> tuple[list[Finding], dict[int, list[Finding]]]:
    """(the findings that stand by themselves, what follows from each by its `id()`)."""
    causes = {(row.rule, row.place, row.entity): row for row in reversed(findings)}
    alone: list[Finding] = []
    consequences: dict[int, list[Finding]] = {}
    for row in findings:
        cause = _cause_of(row, causes)
        if cause is None:
            alone.append(row)
        else:
            consequences.setdefault(id(cause), []).append(row)
    return alone, consequences
