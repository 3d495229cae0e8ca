"""Put what follows from a finding under it: one cause is one alarm for people; machine formats keep every finding."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.model.finding import Finding


def fold(findings: Sequence[Finding]) -> tuple[list[Finding], dict[int, list[Finding]]]:
    """(the findings that stand by themselves, what follows from each by its `id()`)."""
    causes = {(row.rule, row.place, row.entity): row for row in reversed(findings)}
    alone: list[Finding] = []
    consequences: dict[int, list[Finding]] = {}
    for row in findings:
        cause = causes.get((row.cause, row.place, row.entity)) if row.cause else None
        if cause is None:
            alone.append(row)
        else:
            consequences.setdefault(id(cause), []).append(row)
    return alone, consequences
