"""Audits in tables of a catalog: here the session's own, of Parquet tables; Iceberg and Delta are in test_table_formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spark_audit.schema.snapshots import TABLES as SNAPSHOTS
from tests.support.catalogs import check_catalog, put_snapshots, rows_of
from tests.support.commands import run
from tests.support.fleets import GOOD, ILL, audit, collected, table


@pytest.fixture
def lake(spark: Any) -> Iterator[str]:
    """The prefix of an empty database."""
    spark.sql("CREATE DATABASE lake")
    yield "spark_catalog.lake."
    spark.sql("DROP DATABASE lake CASCADE")


def test_audits_live_in_tables(spark: Any, lake: str, tmp_path: Path) -> None:
    check_catalog(spark, lake, tmp_path, can_delete=False)


def test_tables_that_somebody_else_filled(spark: Any, lake: str, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    put_snapshots(spark, fleet, lake)
    spark.sql("CREATE DATABASE results")
    audit(fleet, tmp_path / "local")
    ran = run("audit", lake, "--out", "spark_catalog.results.", "--name", "monday", "--no-config")
    assert (ran.code, ran.err) == (1, "")
    assert rows_of(spark, "spark_catalog.results.", "findings") == table(tmp_path / "local", "findings")
    spark.sql("DROP DATABASE results CASCADE")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("DROP TABLE lake.brokers", "spark_catalog.lake.brokers: cannot be read: "),
        ("ALTER TABLE lake.clusters RENAME TO lake.elsewhere", "spark_catalog.lake.clusters: cannot be read: "),
        ("text", "spark_catalog.lake.topics: its column internal is string, where boolean is needed"),
    ],
)
def test_tables_of_another_kind_are_one_line(spark: Any, lake: str, tmp_path: Path, change: str, says: str) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD})
    put_snapshots(spark, fleet, lake)
    if change == "text":
        rows = spark.table("lake.topics").withColumn("internal", spark.table("lake.topics")["internal"].cast("string"))
        rows.write.saveAsTable("lake.other")
        spark.sql("DROP TABLE lake.topics")
        spark.sql("ALTER TABLE lake.other RENAME TO lake.topics")
    else:
        spark.sql(change)
    ran = run("audit", lake, "--out", tmp_path / "audit", "--no-config")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert says in ran.err
    assert not (tmp_path / "audit").exists()


@pytest.mark.parametrize(
    ("out", "says"),
    [("nowhere.kafka.", "nowhere"), ("spark_catalog.nobase.", "nobase"), ("spark_catalog.lake.", "Give --name")],
)
def test_a_catalog_that_is_not_there(spark: Any, lake: str, tmp_path: Path, out: str, says: str) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD})
    ran = run("audit", fleet, "--out", out, "--no-config", *(() if "--name" in says else ("--name", "x")))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert says in ran.err


def test_a_schema_has_snapshots_or_audits(spark: Any, lake: str, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD})
    put_snapshots(spark, fleet, lake)
    ran = run("audit", lake, "--out", lake, "--name", "x", "--no-config")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "spark_catalog.lake.clusters: is another table: it has no column audit; name another schema" in ran.err
    assert {name for name in SNAPSHOTS if spark.table(f"lake.{name}").count()} == {"clusters", "brokers", "topics"}
