"""Everything in this folder is live: it starts Kafka, ZooKeeper or Spark, and runs by `make test-live` alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

FIRST = ("spark/test_hdfs", "kafka/test_check", "kafka/test_impact", "spark/test_standalone", "kafka/test_chaos", "kafka/test_never_serves",
         "spark/test_connect", "spark/test_since_last", "kafka/test_advise", "spark/test_disk_full", "kafka/test_check_rights")  # fmt: skip
"""The modules that take minutes, the longest first: begun first, they leave no worker alone at the end, and those of Spark, which
keep a core busy, are played beside those of Kafka, which wait."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest modules."""
    items.sort(key=_rank)


def _rank(item: pytest.Item) -> int:
    module = "/".join(item.path.with_suffix("").parts[-2:])
    return FIRST.index(module) if module in FIRST else len(FIRST)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A small local session."""
    from pyspark.sql import SparkSession

    from tests.support.spark_archive import use_archive

    use_archive(make=True)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").appName("tests")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "1g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    yield made
    made.stop()
