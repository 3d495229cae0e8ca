"""Helpers for numpy and Arrow arrays; nothing here knows of Kafka."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

Codes = np.ndarray[Any, np.dtype[np.int64]]
Ids = np.ndarray[Any, np.dtype[np.int32]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]
Column = tuple[Codes, list[Hashable]]
"""A dictionary-encoded column of answers: the code of each row, and the answers by code."""
