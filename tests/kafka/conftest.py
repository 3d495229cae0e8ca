"""Modules that need Kafka's clients are skipped where these are not installed, unless this is CI (variable CI)."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable
from pathlib import Path

import pytest

WITHOUT_CLIENTS = ("test_expected.py", "test_recorded.py")
CLIENTS = ("confluent_kafka", "kafka", "kazoo")


class Skipped(pytest.Module):
    """A module that cannot be imported here."""

    def collect(self) -> Iterable[pytest.Item]:
        pytest.skip(
            f"{' and '.join(missing())} not installed (pip install 'kafka-advisor[live]')", allow_module_level=True
        )


def missing() -> list[str]:
    """The clients that are not installed."""
    return [name for name in CLIENTS if importlib.util.find_spec(name) is None]


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Another collector for the modules of this folder that cannot be imported."""
    if module_path.name in WITHOUT_CLIENTS or os.environ.get("CI") or not missing():
        return None
    return Skipped.from_parent(parent, path=module_path)
