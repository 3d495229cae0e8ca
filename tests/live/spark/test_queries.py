"""Every query of docs/fleet-queries.md answers in Spark SQL, and says in duckdb what it says there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.support.fleet_queries import TABLES, queries, two_audits


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of two audits."""
    return two_audits(tmp_path_factory.mktemp("queries"))


def test_there_are_ten() -> None:
    assert len(queries()) == 10


@pytest.mark.parametrize("number", range(10))
def test_both_say_the_same(spark: Any, audits: Path, number: int) -> None:
    connection = duckdb.connect()
    for name in TABLES:
        files = f"{audits}/*/run=*/table={name}/*.parquet"
        connection.sql(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{files}', union_by_name = true)")
        spark.read.parquet(f"file://{audits}/*/run=*/table={name}").createOrReplaceTempView(name)
    query = queries()[number]
    rows = [tuple(map(plain, row)) for row in spark.sql(query).collect()]
    asked = [tuple(map(plain, row)) for row in connection.sql(query).fetchall()]
    assert rows, query
    if "LIMIT" in query:  # which of equal ones are the first is nobody's promise
        assert len(rows) == len(asked)
    else:
        assert sorted(rows, key=str) == sorted(asked, key=str)


def plain(value: Any) -> Any:
    """A value as both have it."""
    return float(value) if isinstance(value, int | float) else tuple(value) if isinstance(value, list) else value
