"""pandas, which nobody here needs and pyarrow would load."""

from __future__ import annotations

import importlib.abc
import sys

import pyarrow as pa


class Spared(importlib.abc.MetaPathFinder):
    """Says that pandas is not there."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        """Nothing but for pandas, which cannot be found."""
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def spare_pandas() -> None:
    """Have pyarrow do without pandas, which it loads to see whether a list is perhaps a frame: a fifth of a second."""
    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, Spared())
        pa.array([])
        sys.meta_path.pop(0)
