"""What an audit says on the terminal: how it went, the worst clusters, the most common findings, who was not reached."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pyarrow.compute as pc
from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.model.finding import WORST_FIRST
from spark_audit.schema.snapshots import OK, UNREACHABLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import pyarrow as pa

    Row = Mapping[str, Any]

WIDTH = 120
SHOWN = 10
STYLES = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "cyan", "info": "dim"}


def show(audit: Row, clusters: pa.Table, counts: pa.Table, out: str) -> None:
    """The whole summary."""
    to = console()
    rows = clusters.to_pylist()
    _worst(to, rows)
    _common(to, counts)
    _gaps(to, rows)
    _waivers(to, json.loads(audit["waivers"]))
    _last(to, audit, out)


def console() -> Console:
    """Where it is shown; nobody's screen is of a fixed width."""
    return Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else WIDTH)


def _worst(console: Console, rows: Sequence[Row]) -> None:
    judged = [row for row in rows if row["score"] is not None]
    judged.sort(key=lambda row: (row["score"], *(-row[severity] for severity in WORST_FIRST), row["cluster"]))
    table = Table("worst clusters", "grade", box=None, pad_edge=False, title_justify="left")
    for name in (*WORST_FIRST, "unknown", "topics"):
        table.add_column(name, justify="right")
    for row in judged[:SHOWN]:
        numbers = [Text(str(row[each]), STYLES[each] if row[each] else "dim") for each in WORST_FIRST]
        table.add_row(Text(clean(row["cluster"])), row["grade"], *numbers, str(row["unknown"]), str(row["topics"]))
    console.print(table)
    if len(judged) > SHOWN:
        grades = sorted({row["grade"] for row in judged})
        said = ", ".join(f"{sum(row['grade'] == each for row in judged)} {each}" for each in grades)
        console.print(f"and {len(judged) - SHOWN} more; grades: {said}", style="dim")


def _common(console: Console, counts: pa.Table) -> None:
    open = counts.filter(pc.invert(counts.column("waived")))
    sums = open.group_by(["rule", "name", "severity"]).aggregate([("findings", "sum"), ("cluster", "count")])
    found = [
        ((row["rule"], row["name"], row["severity"]), (row["findings_sum"], row["cluster_count"]))
        for row in sums.to_pylist()
    ]
    if not found:
        return
    table = Table("most common findings", "", "severity", box=None, pad_edge=False)
    table.add_column("findings", justify="right")
    table.add_column("clusters", justify="right")
    ordered = sorted(found, key=lambda each: (WORST_FIRST.index(each[0][2]), -each[1][1], -each[1][0], each[0]))
    for (rule, name, severity), (many, where) in ordered[:SHOWN]:
        table.add_row(rule, Text(clean(name)), Text(severity, STYLES[severity]), str(many), str(where))
    console.print()
    console.print(table)
    if len(ordered) > SHOWN:
        console.print(f"and {len(ordered) - SHOWN} more rules", style="dim")


def _gaps(console: Console, rows: Sequence[Row]) -> None:
    """Clusters that could not be read, or not all of them."""
    gaps = sorted(
        (row for row in rows if row["status"] != OK), key=lambda row: (row["status"] != UNREACHABLE, row["cluster"])
    )
    if gaps:
        console.print()
    for row in gaps[:SHOWN]:
        console.print(Text(clean(f"{row['status']}: {row['cluster']}: {row['reason']}")))
    if len(gaps) > SHOWN:
        console.print(f"and {len(gaps) - SHOWN} more that could not be read, or not all of them", style="dim")


def _waivers(console: Console, waivers: Sequence[Row]) -> None:
    if waivers:
        console.print()
    for waiver in waivers:
        became = "expired" if waiver["expired"] else f"{waiver['findings']} findings"
        until = f" until {waiver['until']}" if waiver["until"] else ""
        where = "" if waiver["cluster"] == "*" else f" on {waiver['cluster']}"
        where += "".join(f" {key}={value}" for key, value in waiver["label"].items())
        console.print(Text(clean(f"waived {waiver['rule']}{where}{until}: {became} ({waiver['reason']})")))


def _last(console: Console, audit: Row, out: str) -> None:
    """The last line is honest about what was not judged."""
    said = ", ".join(f"{audit[severity]} {severity}" for severity in WORST_FIRST)
    sizes = f"{audit['clusters']} clusters, {audit['topics']} topics, {audit['partitions']} partitions"
    console.print()
    console.print(Text(f"{sizes}: {said}, {audit['waived']} waived"))
    rest = f"{audit['unknown']} unknown, {audit['unreachable']} clusters unreachable, {audit['partial']} read in part"
    skipped = f", {len(audit['skipped'])} rules had nothing to judge" if audit["skipped"] else ""
    console.print(Text(clean(f"{rest}{skipped}; {audit['seconds']} s; {out}")))


def clean(text: str) -> str:
    """Text that steers no terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
