"""Fleets need the extras `fleet`, `live` and `html`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.skips import missing, skipped


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Another collector for the modules of this folder where something is not installed."""
    return skipped(parent, module_path, missing(["pyarrow", "confluent_kafka"], "fleet,live"))
