"""`audit --since-last` by Spark says what an audit of everything says: in files, in a catalog, over Spark Connect."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spark_audit.schema.snapshots import TABLES as SNAPSHOTS
from tests.support.catalogs import rows_of as rows_in_catalog
from tests.support.commands import process, run
from tests.support.fleet_examples import LABELS
from tests.support.fleets import GOOD, ILL, audit, collected, files_of, table
from tests.support.since_last import CHANGES, FLEET, TABLES, audit_again, audit_before, kept_of, row_of, rows_of
from tests.support.spark_servers import connect_server


@pytest.fixture(scope="module")
def first_audit(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return audit_before(tmp_path_factory.mktemp("first"), "--engine", "spark")


@pytest.mark.parametrize("name", ["nothing", "a topic", "a waiver"])
def test_the_rows_are_those_of_an_audit_of_everything(first_audit: Path, tmp_path: Path, name: str) -> None:
    change = CHANGES[name]
    ran, out, plain = audit_again(first_audit, tmp_path, change, "--engine", "spark")
    assert rows_of(out) == rows_of(plain)
    assert row_of(out) == row_of(plain)
    assert kept_of(out) == ("1", change.kept), ran.err
    assert change.why_none in ran.err
    assert {row["collected"] for row in table(out, "clusters")} == {"2026-11-20T04:00:00Z"}


def test_what_the_other_engine_has_audited_is_kept(spark: Any, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"ill": ILL})
    audit(fleet, tmp_path / "local")
    audit(fleet, tmp_path / "spark", "--since-last", tmp_path / "local", "--engine", "spark")
    assert kept_of(tmp_path / "spark") == ("local", 1)
    assert rows_of(tmp_path / "spark") == rows_of(tmp_path / "local")


def test_files_that_were_changed_are_judged_whatever_their_digests_say(spark: Any, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"ill": ILL})
    audit(fleet, tmp_path / "a")
    (file,) = files_of(fleet, "topics")
    rows = pq.read_table(file).to_pylist()
    rows[0]["settings"] = []
    pq.write_table(pa.Table.from_pylist(rows, SNAPSHOTS["topics"]), file)
    ran = audit(fleet, tmp_path / "b", "--since-last", "--engine", "spark")
    assert "their files were changed or copied since; collect again" in ran.err
    audit(fleet, tmp_path / "plain/a")
    assert rows_of(tmp_path / "b") == rows_of(tmp_path / "plain/a") != rows_of(tmp_path / "a")


def test_clusters_without_findings_are_kept(spark: Any, tmp_path: Path) -> None:
    fleet, more = collected(tmp_path / "fleet", {"good": GOOD}), ("--select", "KA220", "--engine", "spark")
    for name in ("1", "2"):
        assert audit(fleet, tmp_path / name, "--since-last", *more).code == 0
    assert kept_of(tmp_path / "2") == ("1", 1)
    assert (table(tmp_path / "2", "findings"), table(tmp_path / "2", "unknowns")) == ([], [])


@pytest.fixture
def lake(spark: Any) -> Iterator[str]:
    """The prefix of an empty database."""
    spark.sql("CREATE DATABASE history")
    yield "spark_catalog.history."
    spark.sql("DROP DATABASE history CASCADE")


def test_the_newest_audit_of_a_catalog(spark: Any, lake: str, tmp_path: Path) -> None:
    before = collected(tmp_path / "before", FLEET, LABELS)
    after = collected(tmp_path / "after", FLEET | {"ill": GOOD}, LABELS)
    more = ("--no-config", "--max-unreachable", "9", "--since-last")
    for name, fleet in (("monday", before), ("tuesday", after)):
        ran = run("audit", fleet, "--out", f"{lake}@{name}", *more)
        assert ran.code == 1, ran.err
    assert "3 of 4 clusters have not changed since monday" in ran.out
    (tuesday,) = (row["run"] for row in spark.table(f"{lake}audits").collect() if row["audit"] == "tuesday")
    audit(after, tmp_path / "plain", "--max-unreachable", "9")
    for name in TABLES:
        rows = rows_in_catalog(spark, lake, name, tuesday)
        assert rows == table(tmp_path / "plain", name)


def test_over_spark_connect(tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", FLEET, LABELS)
    audit(fleet, tmp_path / "plain", "--max-unreachable", "9")
    with connect_server(tmp_path / "server") as url:
        for name in ("1", "2"):
            more = ("--no-config", "--max-unreachable", "9", "--since-last", "--remote", url)
            ran = process("audit", fleet, "--out", tmp_path / "audits" / name, *more)
            assert ran.code == 1, ran.err
    assert kept_of(tmp_path / "audits/2") == ("1", 4)
    assert rows_of(tmp_path / "audits/2") == rows_of(tmp_path / "plain")
