"""What every catalog of tables has to do, whoever keeps its tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from spark_audit.schema.results import TABLES as RESULTS
from spark_audit.schema.snapshots import TABLES as SNAPSHOTS
from tests.support.commands import run
from tests.support.fleets import GOOD, ILL, audit, collected, folder_of, table


def put_snapshots(spark: Any, fleet: Path, prefix: str) -> None:
    """The tables of a collection as somebody else would have them in a catalog."""
    for name in SNAPSHOTS:
        spark.read.parquet(f"file://{folder_of(fleet, name)}").write.saveAsTable(f"{prefix}{name}")


def rows_of(spark: Any, prefix: str, name: str, run: str | None = None) -> list[dict[str, Any]]:
    """A table's rows as tests.support.fleets.table has them, of one run or of all."""
    rows = spark.table(f"{prefix}{name}")
    if run is not None:
        rows = rows.where(rows["run"] == run)
    return sorted_rows(rows, name)


def sorted_rows(rows: Any, name: str) -> list[dict[str, Any]]:
    """The rows of a table of an audit, in order, without the audit's name."""
    columns = [column for column in RESULTS[name].names if column != "audit"]
    found = rows.select(*columns).toArrow().to_pylist()
    return sorted(found, key=lambda row: json.dumps(row, default=str, sort_keys=True))


def check_catalog(spark: Any, prefix: str, tmp_path: Path, can_delete: bool, format: str | None = None) -> None:
    """Audit twice under two names, replace one, compare, report."""
    more = ("--no-config", *(("--format", format) if format else ()))
    before = collected(tmp_path / "before", {"good": GOOD, "ill": ILL})
    after = collected(tmp_path / "after", {"good": ILL, "ill": ILL})
    for name, fleet in (("monday", before), ("tuesday", after)):
        ran = run("audit", fleet, "--out", prefix, "--name", name, *more)
        assert (ran.code, ran.err) == (1, "")
        audit(fleet, tmp_path / name)
    runs = {row["audit"]: row["run"] for row in spark.table(f"{prefix}audits").collect()}
    for name, id in runs.items():
        for each in ("findings", "unknowns", "clusters", "counts"):
            assert rows_of(spark, prefix, each, id) == table(tmp_path / name, each)
    again = run("audit", after, "--out", prefix, "--name", "tuesday", *more)
    assert (again.code, again.err.count("\n")) == (2, 1)
    assert "has an audit tuesday; give --name another one, or say --overwrite" in again.err
    assert run("audit", before, "--out", prefix, "--name", "tuesday", "--overwrite", *more).code == 1
    drift = run("audit-diff", f"{prefix}@monday", f"{prefix}@tuesday", "--out", tmp_path / "drift", "--engine", "spark")
    assert (drift.code, drift.err) == (0, "")
    assert table(tmp_path / "drift", "drift") == []
    page = run("audit-report", f"{prefix}@tuesday", "--html", tmp_path / "x.html")
    assert (page.code, page.err) == (0, "")
    assert "compared with monday, 2 in its history" in page.out
    kept = len({row["run"] for row in spark.table(f"{prefix}findings").select("run").distinct().collect()})
    assert kept == (2 if can_delete else 3)
    assert not [
        row for row in spark.sql(f"SHOW TABLES IN {prefix.rstrip('.')}").collect() if "staging" in row.tableName
    ]
