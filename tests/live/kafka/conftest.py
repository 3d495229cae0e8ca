"""Modules that need Kafka's clients are skipped where these are not installed, unless this is CI (variable CI)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.skips import missing, skipped


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Another collector for the modules of this folder that cannot be imported."""
    return skipped(parent, module_path, missing(["confluent_kafka", "kafka", "kazoo"], "live"))
