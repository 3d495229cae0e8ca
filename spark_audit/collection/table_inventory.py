"""Parse an inventory that is a table: CSV with a header, or Parquet; labels as team=payments;environment=production."""

from __future__ import annotations

import csv as csv_module
import io
from collections.abc import Iterable, Mapping, Sequence

from advisor.errors import BadInventory
from spark_audit.collection.entries import KEYS, EntryText, suggest

COLUMNS = tuple(key for key in KEYS if key != "clients")


def parse_csv(shown: str, data: bytes) -> list[EntryText]:
    """Parse a CSV file. Raises BadInventory."""
    try:
        reader = csv_module.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""), restkey="", strict=True)
        _check_columns(reader.fieldnames or (), f"{shown}:1")
        rows = [(f"{shown}:{reader.line_num}", row) for row in reader]
    except UnicodeDecodeError:
        raise BadInventory([f"{shown}: not UTF-8; save it as such"]) from None
    except csv_module.Error as error:
        raise BadInventory([f"{shown}: not CSV: {error}"]) from None
    long = [f"{where}: more fields than the header has; put commas between quotes" for where, row in rows if "" in row]
    if long:
        raise BadInventory(long)
    return _parse_rows(rows)


def parse_parquet(shown: str) -> list[EntryText]:
    """Parse a Parquet file. Raises BadInventory, OSError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(shown)
    except pa.ArrowException as error:
        raise BadInventory([f"{shown}: not Parquet: {' '.join(str(error).split())[:200]}"]) from None
    _check_columns(table.column_names, shown)
    return _parse_rows((f"{shown}: row {number}", row) for number, row in enumerate(table.to_pylist(), 1))


def _check_columns(names: Sequence[str], where: str) -> None:
    bad = [f"{where}: no column is called {name}; {suggest(name, COLUMNS)}" for name in names if name not in COLUMNS]
    if bad:
        raise BadInventory(bad)


def _parse_rows(rows: Iterable[tuple[str, Mapping[str, object]]]) -> list[EntryText]:
    texts, errors = [], []
    for where, row in rows:
        text = EntryText(where)
        for key, value in row.items():
            if key == "labels":
                errors += _labels(text, value)
            elif value is not None:
                text.set(key, _text(value), where)
        texts.append(text)
    if errors:
        raise BadInventory(errors)
    return texts


def _text(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value).strip()


def _labels(entry: EntryText, value: object) -> list[str]:
    """Parse labels given as text, pairs or a mapping; returns the errors."""
    if isinstance(value, dict) or (isinstance(value, list) and all(isinstance(pair, tuple) for pair in value)):
        entry.labels = {str(name): str(text) for name, text in dict(value).items()}
        return []
    value = ";".join(map(str, value)) if isinstance(value, list) else value
    pairs = [pair for pair in str(value or "").split(";") if pair.strip()]
    malformed = [pair for pair in pairs if "=" not in pair]
    entry.labels = {name.strip(): text.strip() for name, _, text in (pair.partition("=") for pair in pairs)}
    return [f"{entry.where}: labels: {pair.strip()} is not a label; write team=payments;environment=production" for pair in malformed]  # fmt: skip
