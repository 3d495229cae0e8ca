"""Audits in Iceberg's and Delta's own tables: `make test-table-formats`, each in an environment of its own.

FORMAT says which; the runtime's jars are fetched by Spark.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.catalogs import check_catalog
from tests.support.commands import run
from tests.support.fleets import GOOD, ILL, collected

FORMAT = os.environ.get("FORMAT", "iceberg")
ICEBERG = "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0"
PREFIX = {"iceberg": "lake.kafka.", "delta": "spark_catalog.kafka."}[FORMAT]


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session with the runtime of the format."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    warehouse = str(tmp_path_factory.mktemp("warehouse"))
    builder = SparkSession.builder.master("local[2]").config("spark.sql.warehouse.dir", warehouse)
    for key, value in settings(warehouse).items():
        builder = builder.config(key, value)
    if FORMAT == "delta":
        from delta import configure_spark_with_delta_pip

        builder = configure_spark_with_delta_pip(builder)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    session.sql(f"CREATE DATABASE {PREFIX.rstrip('.')}")
    yield session
    session.stop()


def settings(warehouse: str) -> dict[str, str]:
    """The session's configuration."""
    common = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
    }
    if FORMAT == "delta":
        return common | {
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        }
    return common | {
        "spark.jars.packages": ICEBERG,
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": warehouse,
    }


def test_audits_live_in_tables(spark: Any, tmp_path: Path) -> None:
    check_catalog(spark, PREFIX, tmp_path, can_delete=True, format=FORMAT)


def test_a_table_of_before_gets_the_columns_it_lacks(spark: Any, tmp_path: Path) -> None:
    spark.sql(f"ALTER TABLE {PREFIX}audits DROP COLUMN seconds") if FORMAT == "iceberg" else None
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    ran = run("audit", fleet, "--out", PREFIX, "--name", "later", "--format", FORMAT, "--no-config")
    assert (ran.code, ran.err) == (1, "")
    assert "seconds" in spark.table(f"{PREFIX}audits").columns
