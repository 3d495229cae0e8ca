"""An inventory that is a table: CSV with a header, or Parquet; labels are written team=payments;environment=production."""

from __future__ import annotations

import csv as csv_module
import io
from typing import TYPE_CHECKING

from advisor.errors import BadInventory
from spark_audit.collection.entries import KEYS, EntryText, meant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

COLUMNS = tuple(key for key in KEYS if key != "clients")


def csv(shown: str, data: bytes) -> list[EntryText]:
    """What a CSV file says of each cluster. Raises BadInventory."""
    try:
        reader = csv_module.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), restkey="", strict=True)
        _columns(reader.fieldnames or (), f"{shown}:1")
        rows = [(f"{shown}:{reader.line_num}", row) for row in reader]
    except UnicodeDecodeError:
        raise BadInventory([f"{shown}: not UTF-8; save it as such"]) from None
    except csv_module.Error as error:
        raise BadInventory([f"{shown}: not CSV: {error}"]) from None
    long = [f"{where}: more fields than the header has; put commas between quotes" for where, row in rows if "" in row]
    if long:
        raise BadInventory(long)
    return _told(rows)


def parquet(shown: str) -> list[EntryText]:
    """What a Parquet file says of each cluster. Raises BadInventory, OSError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(shown)
    except pa.ArrowException as error:
        raise BadInventory([f"{shown}: not Parquet: {' '.join(str(error).split())[:200]}"]) from None
    _columns(table.column_names, shown)
    return _told((f"{shown}: row {number}", row) for number, row in enumerate(table.to_pylist(), 1))


def _columns(names: Sequence[str], where: str) -> None:
    bad = [f"{where}: no column is called {name}; {meant(name, COLUMNS)}" for name in names if name not in COLUMNS]
    if bad:
        raise BadInventory(bad)


def _told(rows: Iterable[tuple[str, Mapping[str, object]]]) -> list[EntryText]:
    found, errors = [], []
    for where, row in rows:
        told = EntryText(where)
        for key, value in row.items():
            if key == "labels":
                errors += _labels(told, value)
            elif value is not None:
                told.say(key, _text(value), where)
        found.append(told)
    if errors:
        raise BadInventory(errors)
    return found


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value).strip()


def _labels(told: EntryText, value: object) -> list[str]:
    """Labels as text, as pairs, or as a mapping; and what is wrong with them."""
    if isinstance(value, dict) or (isinstance(value, list) and all(isinstance(part, tuple) for part in value)):
        told.labels = {str(name): str(text) for name, text in dict(value).items()}
        return []
    value = ";".join(map(str, value)) if isinstance(value, list) else value
    parts = [part for part in str(value or "").split(";") if part.strip()]
    wrong = [part for part in parts if "=" not in part]
    told.labels = {name.strip(): text.strip() for name, _, text in (part.partition("=") for part in parts)}
    return [f"{told.where}: labels: {part.strip()} is no label; write team=payments;environment=production" for part in wrong]  # fmt: skip
