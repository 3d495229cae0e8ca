"""What Spark is to write, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pyarrow as pa

from spark_audit.storage.location import Location


class Request(NamedTuple):
    """The schemas of the tables; formats of markers that may be there; in a catalog, the table whose rows name whole runs."""

    location: Location
    tables: Mapping[str, pa.Schema]
    markers: tuple[str, ...]
    marker: str
    storage: str
    options: Iterable[tuple[str, str]]
    overwrite: bool
