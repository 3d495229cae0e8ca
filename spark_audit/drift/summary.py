"""Print the drift: rules, the clusters that changed most, clusters that only one audit has, totals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.errors import printable
from advisor.model.finding import WORST_FIRST
from spark_audit.results.summary import ROWS_SHOWN, STYLES, console
from spark_audit.schema.drift import CHANGED, FIXED, NEW, SAME, STATUSES, UNKNOWN

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
    """Print the whole summary."""
    terminal = console()
    rows = [row for row in counts.to_pylist() if row["status"] != SAME]
    show_rules(terminal, rows)
    show_clusters(terminal, rows)
    show_gaps(terminal, about)
    show_totals(terminal, about, counts.to_pylist(), out)


def show_rules(terminal: Console, rows: Sequence[Row]) -> None:
    """Print the rules whose findings changed, the most severe first."""
    sums_of_rule: dict[tuple[str, str, str], Sums] = {}
    for row in rows:
        sums = sums_of_rule.setdefault((row["severity"], row["rule"], row["name"]), dict.fromkeys(MOVED, 0))
        sums[row["status"]] += row["findings"]
    if not sums_of_rule:
        return
    table = Table("rule", "", "severity", box=None, pad_edge=False)
    for name in MOVED:
        table.add_column(name, justify="right")
    ordered = sorted(sums_of_rule.items(), key=lambda entry: (WORST_FIRST.index(entry[0][0]), *(-entry[1][name] for name in MOVED), entry[0]))  # fmt: skip
    for (severity, rule, name), sums in ordered[:ROWS_SHOWN]:
        table.add_row(
            rule,
            Text(printable(name)),
            Text(severity, STYLES[severity]),
            *(dim_zero(sums[status]) for status in MOVED),
        )
    terminal.print(table)
    if len(ordered) > ROWS_SHOWN:
        terminal.print(f"and {len(ordered) - ROWS_SHOWN} more", style="dim")
    terminal.print()


def show_clusters(terminal: Console, rows: Sequence[Row]) -> None:
    """Print the clusters by what is worse, then by what changed."""
    sums_of_cluster: dict[str, Sums] = {}
    for row in rows:
        sums = sums_of_cluster.setdefault(row["cluster"], dict.fromkeys((*WORST_FIRST, *MOVED), 0))
        sums[row["status"]] += row["findings"]
        sums[row["severity"]] += row["findings"] if row["worse"] else 0
    if not sums_of_cluster:
        return
    table = Table("cluster", box=None, pad_edge=False)
    for name in ("worse: critical", "high", "other", *MOVED):
        table.add_column(name, justify="right")
    ordered = sorted(
        sums_of_cluster.items(), key=lambda entry: (*(-entry[1][name] for name in (*WORST_FIRST, *MOVED)), entry[0])
    )
    for cluster, sums in ordered[:ROWS_SHOWN]:
        other_severities = sum(sums[name] for name in WORST_FIRST[2:])
        worse = (sums["critical"], "critical"), (sums["high"], "high"), (other_severities, "medium")
        cells = [Text(str(findings), STYLES[style] if findings else "dim") for findings, style in worse]
        table.add_row(Text(printable(cluster)), *cells, *(dim_zero(sums[status]) for status in MOVED))
    terminal.print(table)
    if len(ordered) > ROWS_SHOWN:
        terminal.print(f"and {len(ordered) - ROWS_SHOWN} more", style="dim")
    terminal.print()


def dim_zero(count: int) -> Text:
    """A number as text; 0 is dim."""
    return Text(str(count), "" if count else "dim")


def show_gaps(terminal: Console, about: Row) -> None:
    """Print the clusters that only one of the audits has, and what the audits were not made alike in."""
    for name, explanation in LISTED.items():
        for cluster in about[name][:ROWS_SHOWN]:
            terminal.print(Text(printable(f"{cluster}: {explanation}")))
        if len(about[name]) > ROWS_SHOWN:
            terminal.print(f"and {len(about[name]) - ROWS_SHOWN} more: {explanation}", style="dim")
    for difference in about["differences"]:
        terminal.print(Text(printable(f"the audits were not made alike: {difference}")))
    if any(about[name] for name in (*LISTED, "differences")):
        terminal.print()


def show_totals(terminal: Console, about: Row, rows: Sequence[Row], out: str) -> None:
    """Print the totals; findings that could not be known before are counted apart."""
    worse_by_severity = [f"{sum(row['findings'] for row in rows if row['worse'] and row['severity'] == severity)} {severity}" for severity in WORST_FIRST]  # fmt: skip
    totals = ", ".join(f"{about[status]} {status}" for status in STATUSES)
    unknown_before = f"; of the new, {about['new_not_known_before']} could not be known before" if about["new_not_known_before"] else ""  # fmt: skip
    terminal.print(
        Text(printable(f"{about['before']['audit']} to {about['audit']['audit']}: {totals}{unknown_before}"))
    )
    terminal.print(
        Text(printable(f"new or worse, and not waived: {', '.join(worse_by_severity)}; {about['seconds']} s; {out}"))
    )
