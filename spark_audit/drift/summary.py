"""What drift says on the terminal: rule by rule, the clusters that changed most, who was not there, and the sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from advisor.model.finding import WORST_FIRST
from spark_audit.results.summary import SHOWN, STYLES, clean, console
from spark_audit.schema.drift import CHANGED, FIXED, NEW, SAME, STATUSES, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import pyarrow as pa
    from rich.console import Console

    Row = Mapping[str, Any]
    Sums = dict[str, int]

MOVED = (NEW, CHANGED, FIXED, UNKNOWN)
LISTED = {
    "appeared": "not in the audit before, so that all it has is new",
    "vanished": "not in the fleet any more, so that what it had is unknown",
    "unreachable": "unreachable now, so that what it had is unknown",
    "unreachable_before": "unreachable before, so that all it has is new",
    "unreachable_both": "unreachable in both audits",
}


def show(about: Row, counts: pa.Table, out: str) -> None:
    """The whole summary."""
    to = console()
    rows = [row for row in counts.to_pylist() if row["status"] != SAME]
    by_rule(to, rows)
    by_cluster(to, rows)
    gaps(to, about)
    last(to, about, counts.to_pylist(), out)


def by_rule(to: Console, rows: Sequence[Row]) -> None:
    """Rules whose findings moved, the most severe first."""
    found: dict[tuple[str, str, str], Sums] = {}
    for row in rows:
        own = found.setdefault((row["severity"], row["rule"], row["name"]), dict.fromkeys(MOVED, 0))
        own[row["status"]] += row["findings"]
    if not found:
        return
    table = Table("rule", "", "severity", box=None, pad_edge=False)
    for name in MOVED:
        table.add_column(name, justify="right")
    ordered = sorted(found.items(), key=lambda each: (WORST_FIRST.index(each[0][0]), *(-each[1][name] for name in MOVED), each[0]))  # fmt: skip
    for (severity, rule, name), own in ordered[:SHOWN]:
        table.add_row(rule, Text(clean(name)), Text(severity, STYLES[severity]), *(number(own[each]) for each in MOVED))
    to.print(table)
    if len(ordered) > SHOWN:
        to.print(f"and {len(ordered) - SHOWN} more", style="dim")
    to.print()


def by_cluster(to: Console, rows: Sequence[Row]) -> None:
    """Clusters by what is worse, then by what moved."""
    found: dict[str, Sums] = {}
    for row in rows:
        own = found.setdefault(row["cluster"], dict.fromkeys((*WORST_FIRST, *MOVED), 0))
        own[row["status"]] += row["findings"]
        own[row["severity"]] += row["findings"] if row["worse"] else 0
    if not found:
        return
    table = Table("cluster", box=None, pad_edge=False)
    for name in ("worse: critical", "high", "other", *MOVED):
        table.add_column(name, justify="right")
    ordered = sorted(found.items(), key=lambda each: (*(-each[1][name] for name in (*WORST_FIRST, *MOVED)), each[0]))
    for cluster, own in ordered[:SHOWN]:
        rest = sum(own[name] for name in WORST_FIRST[2:])
        worse = (own["critical"], "critical"), (own["high"], "high"), (rest, "medium")
        cells = [Text(str(many), STYLES[style] if many else "dim") for many, style in worse]
        table.add_row(Text(clean(cluster)), *cells, *(number(own[each]) for each in MOVED))
    to.print(table)
    if len(ordered) > SHOWN:
        to.print(f"and {len(ordered) - SHOWN} more", style="dim")
    to.print()


def number(many: int) -> Text:
    """A number; nothing is dim."""
    return Text(str(many), "" if many else "dim")


def gaps(to: Console, about: Row) -> None:
    """Clusters that only one of the audits knows, and what the audits were not made alike in."""
    for name, what in LISTED.items():
        for cluster in about[name][:SHOWN]:
            to.print(Text(clean(f"{cluster}: {what}")))
        if len(about[name]) > SHOWN:
            to.print(f"and {len(about[name]) - SHOWN} more: {what}", style="dim")
    for each in about["differences"]:
        to.print(Text(clean(f"the audits were not made alike: {each}")))
    if any(about[name] for name in (*LISTED, "differences")):
        to.print()


def last(to: Console, about: Row, rows: Sequence[Row], out: str) -> None:
    """The sums; what could not be known before is told apart."""
    fresh = [f"{sum(row['findings'] for row in rows if row['worse'] and row['severity'] == severity)} {severity}" for severity in WORST_FIRST]  # fmt: skip
    said = ", ".join(f"{about[status]} {status}" for status in STATUSES)
    apart = f"; of the new, {about['new_not_known_before']} could not be known before" if about["new_not_known_before"] else ""  # fmt: skip
    to.print(Text(clean(f"{about['before']['audit']} to {about['audit']['audit']}: {said}{apart}")))
    to.print(Text(clean(f"new or worse, and not waived: {', '.join(fresh)}; {about['seconds']} s; {out}")))
