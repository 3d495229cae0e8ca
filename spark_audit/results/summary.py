"""Print an audit's summary: the worst clusters, the most common findings, what was not read, totals."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.errors import printable
from advisor.model.finding import WORST_FIRST
from spark_audit.results.gains import mean_gains, order_of_fixing, shown_gain
from spark_audit.schema.results import EXPIRED
from spark_audit.schema.snapshots import OK, UNREACHABLE

Row = Mapping[str, Any]
WIDTH = 120
ROWS_SHOWN = 10
"""Rows of each list; a line says how many more there are."""
STYLES = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "cyan", "info": "dim"}


def show(audit: Row, tables: Mapping[str, pa.Table], out: str) -> None:
    """Print the whole summary."""
    terminal = console()
    rows = tables["clusters"].to_pylist()
    _show_worst(terminal, rows)
    _show_common(terminal, tables["counts"], mean_gains(rows))
    _show_gaps(terminal, rows)
    _show_waivers(terminal, tables["waivers"].to_pylist())
    _show_totals(terminal, audit, out)


def console() -> Console:
    """The terminal as a Console; output that is not a terminal has a fixed width."""
    return Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDTH)


def _show_worst(console: Console, rows: Sequence[Row]) -> None:
    scored = [row for row in rows if row["score"] is not None]
    scored.sort(key=lambda row: (row["score"], *(-row[severity] for severity in WORST_FIRST), row["cluster"]))
    table = Table("worst clusters", "grade", box=None, pad_edge=False, title_justify="left")
    for name in (*WORST_FIRST, "unknown", "topics"):
        table.add_column(name, justify="right")
    for row in scored[:ROWS_SHOWN]:
        numbers = [Text(str(row[severity]), STYLES[severity] if row[severity] else "dim") for severity in WORST_FIRST]
        table.add_row(Text(printable(row["cluster"])), row["grade"], *numbers, str(row["unknown"]), str(row["topics"]))
    console.print(table)
    if len(scored) > ROWS_SHOWN:
        grades = sorted({row["grade"] for row in scored})
        grade_counts = ", ".join(f"{sum(row['grade'] == severity for row in scored)} {severity}" for severity in grades)
        console.print(f"and {len(scored) - ROWS_SHOWN} more; grades: {grade_counts}", style="dim")


def _show_common(console: Console, counts: pa.Table, gains: Mapping[str, float]) -> None:
    not_waived = counts.filter(pc.invert(counts.column("waived")))
    sums = not_waived.group_by(["rule", "name", "severity"]).aggregate([("findings", "sum"), ("cluster", "count")])
    rules = [
        ((row["rule"], row["name"], row["severity"]), (row["findings_sum"], row["cluster_count"]))
        for row in sums.to_pylist()
    ]
    if not rules:
        return
    table = Table("fix first", "", "severity", box=None, pad_edge=False)
    table.add_column("findings", justify="right")
    table.add_column("clusters", justify="right")
    table.add_column("on the mean score", justify="right")
    ordered = sorted(rules, key=lambda entry: (WORST_FIRST.index(entry[0][2]), -entry[1][1], -entry[1][0], entry[0]))
    ordered.sort(key=lambda entry: order_of_fixing(entry[0][0], gains))
    not_shown = dict(gains)
    for (rule, name, severity), (findings, clusters) in ordered[:ROWS_SHOWN]:
        numbers = (str(findings), str(clusters), shown_gain(not_shown.pop(rule, None)))
        table.add_row(rule, Text(printable(name)), Text(severity, STYLES[severity]), *numbers)
    console.print()
    console.print(table)
    if len(ordered) > ROWS_SHOWN:
        console.print(f"and {len(ordered) - ROWS_SHOWN} more rules", style="dim")


def _show_gaps(console: Console, rows: Sequence[Row]) -> None:
    """Print the clusters that could not be read, or only in part."""
    gaps = sorted(
        (row for row in rows if row["status"] != OK), key=lambda row: (row["status"] != UNREACHABLE, row["cluster"])
    )
    if gaps:
        console.print()
    for row in gaps[:ROWS_SHOWN]:
        console.print(Text(printable(f"{row['status']}: {row['cluster']}: {row['reason']}")))
    if len(gaps) > ROWS_SHOWN:
        console.print(f"and {len(gaps) - ROWS_SHOWN} more that could not be read, or not all of them", style="dim")


def _show_waivers(console: Console, waivers: Sequence[Row]) -> None:
    if waivers:
        console.print()
    for waiver in waivers:
        result = EXPIRED if waiver["state"] == EXPIRED else f"{waiver['findings']} findings"
        until = f" until {waiver['until']}" if waiver["until"] else ""
        scope = "" if waiver["cluster"] == "*" else f" on {waiver['cluster']}"
        scope += "".join(f" {key}={value}" for key, value in waiver["label"])
        console.print(Text(printable(f"waived {waiver['rule']}{scope}{until}: {result} ({waiver['reason']})")))


def _show_totals(console: Console, audit: Row, out: str) -> None:
    """Print the totals, including what was not judged."""
    findings = ", ".join(f"{audit[severity]} {severity}" for severity in WORST_FIRST)
    sizes = f"{audit['clusters']} clusters, {audit['topics']} topics, {audit['partitions']} partitions"
    console.print()
    console.print(Text(f"{sizes}: {findings}, {audit['waived']} waived"))
    not_judged = (
        f"{audit['unknown']} unknown, {audit['unreachable']} clusters unreachable, {audit['partial']} read in part"
    )
    skipped = f", {len(audit['skipped'])} rules had nothing to judge" if audit["skipped"] else ""
    if audit["kept"] is not None:
        unchanged = f"{audit['kept']} of {audit['clusters']} clusters have not changed since {audit['since']}"
        console.print(Text(printable(f"{unchanged}: their rows were kept")))
    console.print(Text(printable(f"{not_judged}{skipped}; {audit['seconds']} s; {out}")))
