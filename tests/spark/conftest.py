"""One session for all tests of this folder; where there is no Spark they are skipped, unless this is CI (variable CI)."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


def why_not() -> str | None:
    """Why no Spark can be started here; None where it can."""
    try:
        from spark_audit.spark.session import NoSpark, java, packages
    except ImportError as missing:
        return f"{missing.name} is not installed (pip install 'kafka-advisor[spark]')"
    try:
        packages()
        java()
    except NoSpark as missing:
        return str(missing)
    return None


class Skipped(pytest.Module):
    """A module that cannot be imported here."""

    def collect(self) -> list[pytest.Item]:
        pytest.skip(str(why_not()), allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Another collector for the modules of this folder where there is no Spark."""
    if module_path.parent != HERE or os.environ.get("CI") or why_not() is None:
        return None
    return Skipped.from_parent(parent, path=module_path)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A small local session."""
    from pyspark.sql import SparkSession

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
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    yield made
    made.stop()
