"""Clean the small tables (clusters, brokers, clients) for the engine.

Of duplicate rows the first counts, and a damaged row costs its cluster no more than it has to: a cluster whose own row
cannot be read counts as unreachable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor.model import KINDS, SERVER_KINDS
from spark_audit.arrays import Mask
from spark_audit.arrays.codes import combine
from spark_audit.arrays.dictionaries import codes_of
from spark_audit.schema.snapshots import OK, PARTIAL, RELAXED, TABLES, UNREACHABLE
from spark_audit.storage.decode import decode_details, defaults_of, levels_of, live_of, target_of
from spark_audit.storage.null_checks import find_nulls

Tables = dict[str, pa.Table]
Reasons = dict[str, str]
REQUIRED = ("cluster", "status", "collected")
"""Columns that every row of `clusters` needs."""
REQUIRED_IF_REACHED = ("address", "version_reason")
"""Columns that the row of a cluster needs, too, if it could be reached."""
REQUIRED_OF_CLIENTS = (
    "cluster",
    "kind",
    "name",
    "family",
    "format",
    "kafka_version",
    "version_reason",
    "version_given",
    "settings",
)


def clean_small_tables(tables: Mapping[str, pa.Table]) -> Tables:
    """Clean the small tables; clusters' rows say what is missing."""
    damaged: Reasons = {}
    brokers = _sort_by_id(_drop_duplicates(_with_cluster_name(tables["brokers"]), "id"))
    brokers = _drop_damaged(brokers, "brokers", _bad_brokers, damaged)
    clients = _drop_damaged(
        _drop_duplicates(_with_cluster_name(tables["clients"]), "file", "name"), "clients", _bad_clients, damaged
    )
    clusters = _drop_duplicates(_with_cluster_name(tables["clusters"]))
    return {"clusters": _clusters(clusters, damaged), "brokers": brokers, "clients": clients}


def _with_cluster_name(table: pa.Table) -> pa.Table:
    return table.filter(table.column("cluster").is_valid()) if table.column("cluster").null_count else table


def _drop_duplicates(table: pa.Table, *columns: str) -> pa.Table:
    """Drop rows that are equal to an earlier one in their cluster and these columns."""
    combined = combine(*(codes_of(combine_column(table, name)) for name in ("cluster", *columns)))
    if int(combined.max(initial=-1)) + 1 == table.num_rows:
        return table
    _, first = np.unique(combined, return_index=True)
    return table.take(pa.array(np.sort(first)))


def _sort_by_id(table: pa.Table) -> pa.Table:
    """Sort brokers by id: findings name them in this order, whatever the files' is."""
    ids = combine_column(table, "id").fill_null(-1).to_numpy(zero_copy_only=False)
    return table if (np.diff(ids) >= 0).all() else table.take(pa.array(np.argsort(ids, kind="stable")))


def combine_column(table: pa.Table, name: str) -> pa.Array:
    """A column as one contiguous array."""
    column = table.column(name).combine_chunks()
    return column if isinstance(column, pa.Array) else pa.concat_arrays(column.chunks)


def _drop_damaged(table: pa.Table, name: str, find_bad: Callable[[pa.Table], Mask], damaged: Reasons) -> pa.Table:
    bad = find_bad(table)
    if not bad.any():
        return table
    for cluster in table.filter(pa.array(bad)).column("cluster").to_pylist():
        damaged.setdefault(cluster, f"a row of the table {name} is damaged")
    return table.filter(pa.array(~bad))


def _bad_brokers(table: pa.Table) -> Mask:
    bad = ~_is_in(table, "kind", SERVER_KINDS) | _null(table, ("id",))
    levels = table.column("levels").to_pylist()
    for row, text in enumerate(levels):
        if text is not None and not _can_read(levels_of, text):
            bad[row] = True
    return bad


def _bad_clients(table: pa.Table) -> Mask:
    bad = _null(table, REQUIRED_OF_CLIENTS) | ~_is_in(table, "kind", KINDS)
    for name in ("settings", "topics"):
        with_nulls = find_nulls(combine_column(table, name), TABLES["clients"].field(name).type)
        if with_nulls is not None:
            bad |= with_nulls
    return bad | ~_has_release(table)


def _has_release(table: pa.Table) -> Mask:
    """Mask of the rows that name a release this tool knows."""
    texts = [text for text in table.column("kafka_version").unique().to_pylist() if text is not None]
    known_releases = [text for text in texts if _can_read(target_of, {"kafka_version": text, "version_reason": ""})]
    return _is_in(table, "kafka_version", known_releases)


def _is_in(table: pa.Table, name: str, texts: Iterable[str]) -> Mask:
    """Mask of the rows whose text is one of these."""
    mask: Mask = pc.is_in(combine_column(table, name), pa.array(texts, pa.string())).to_numpy(zero_copy_only=False)
    return mask


def _null(table: pa.Table, names: tuple[str, ...]) -> Mask:
    mask = np.zeros(table.num_rows, dtype=bool)
    for name in names:
        if table.column(name).null_count:
            mask |= combine_column(table, name).is_null().to_numpy(zero_copy_only=False)
    return mask


def _can_read(read: Callable[[Any], object], data: Any) -> bool:
    try:
        read(data)
    except ValueError:
        return False
    return True


def _clusters(table: pa.Table, damaged: Reasons) -> pa.Table:
    changed: dict[int, dict[str, str]] = {}
    suspects = np.flatnonzero(_suspect_rows(table) | _is_in(table, "cluster", damaged))
    rows = table.drop_columns("labels").take(pa.array(suspects)).to_pylist()
    for index, row in zip(suspects.tolist(), rows, strict=True):
        problem = _why_damaged(row)
        if problem is not None:
            reason = f"its row is damaged: {problem}"
            changed[index] = {"status": UNREACHABLE, "reason": reason, "collected": row["collected"] or ""}
        elif row["status"] == OK and row["cluster"] in damaged:
            changed[index] = {"status": PARTIAL, "reason": damaged[row["cluster"]]}
    if not changed:
        return table
    rows = table.to_pylist()
    for index, values in changed.items():
        rows[index] |= values
    return pa.Table.from_pylist(rows, RELAXED["clusters"])


def _suspect_rows(table: pa.Table) -> Mask:
    """Mask of the rows that need a full check: a null where none may be, or a text that cannot be read."""
    mask = _null(table, (*REQUIRED, *REQUIRED_IF_REACHED)) | ~_has_release(table)
    for name, read in (("rest", decode_details), ("defaults", defaults_of)):
        texts = table.column(name).unique().to_pylist()
        mask |= _is_in(table, name, [text for text in texts if not _can_read(read, text)])
    for field in TABLES["clusters"]:
        with_nulls = find_nulls(combine_column(table, field.name), field.type)
        if with_nulls is not None:
            mask |= with_nulls
    return mask


def _why_damaged(row: Mapping[str, Any]) -> str | None:
    for name in REQUIRED:
        if row[name] is None:
            return f"{name} is null"
    if row["status"] == UNREACHABLE:
        return None
    try:
        target_of(row)
        live_of(row)
        defaults_of(row["defaults"])
    except ValueError as error:
        return str(error)
    return None
