"""Where there is no Spark the tests of this folder are skipped, unless this is CI (variable CI)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.skips import skipped
from tests.support.spark import why_not


@pytest.fixture(scope="module", autouse=True)
def archive() -> None:
    """Have the JVMs of a module's tests start with the classes that an earlier one left."""
    from tests.support.spark_archive import use_archive

    use_archive(make=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Another collector for the modules of this folder where there is no Spark."""
    return skipped(parent, module_path, why_not())
