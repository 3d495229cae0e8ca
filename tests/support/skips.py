"""Test modules that need what is not installed here: skipped with the reason in one line, a failure in CI."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest


def missing(packages: Sequence[str], extra: str) -> str | None:
    """Why modules that need these packages cannot run here; None where they can."""
    absent = [name for name in packages if importlib.util.find_spec(name) is None]
    return f"{' and '.join(absent)} not installed (pip install 'kafka-advisor[{extra}]')" if absent else None


class Skipped(pytest.Module):
    """A module that is not even imported; `reason` says why."""

    reason = ""

    def collect(self) -> Iterable[pytest.Item]:
        """Skip."""
        pytest.skip(self.reason, allow_module_level=True)


def skipped(parent: pytest.Collector, path: Path, reason: str | None) -> pytest.Module | None:
    """The collector of a module that cannot run here; None where it can, and in CI, where it must."""
    if reason is None or os.environ.get("CI"):
        return None
    module: Skipped = Skipped.from_parent(parent, path=path)
    module.reason = reason
    return module
