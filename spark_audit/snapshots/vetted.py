"""The small tables as the engine may take them: of what is there twice the first counts, and a damaged row costs its
cluster no more than it has to. A cluster whose own row cannot be read counts as one that could not be reached."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from advisor.model import KINDS, SERVER_KINDS
from spark_audit.columns.codes import combined
from spark_audit.columns.keys import codes_of
from spark_audit.snapshots.restored import levels_of, live_of, target_of
from spark_audit.tables import OK, PARTIAL, RELAXED, UNREACHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from spark_audit.columns.codes import Mask

    Tables = dict[str, pa.Table]
    Reasons = dict[str, str]

ALWAYS = ("cluster", "status", "collected")
"""What every cluster's row has."""
OF_CLIENTS = (
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
OF_SETTINGS = ("key", "value", "source", "secret", "shape")


def vetted(tables: Mapping[str, pa.Table]) -> Tables:
    """Clusters, brokers and clients without what nobody can read; the clusters' rows say what is missing."""
    damaged: Reasons = {}
    brokers = _kept(_once(_named(tables["brokers"]), "id"), "brokers", _bad_brokers, damaged)
    clients = _kept(_once(_named(tables["clients"]), "file", "name"), "clients", _bad_clients, damaged)
    clusters = _once(_named(tables["clusters"]))
    return {"clusters": _clusters(clusters, damaged), "brokers": brokers, "clients": clients}


def _named(table: pa.Table) -> pa.Table:
    return table.filter(table.column("cluster").is_valid()) if table.column("cluster").null_count else table


def _once(table: pa.Table, *columns: str) -> pa.Table:
    """The first of the rows that are equal in their cluster and these columns."""
    both = combined(*(codes_of(one(table, name)) for name in ("cluster", *columns)))
    _, first = np.unique(both, return_index=True)
    return table if len(first) == table.num_rows else table.take(pa.array(np.sort(first)))


def one(table: pa.Table, name: str) -> pa.Array:
    """A column in one piece."""
    found = table.column(name).combine_chunks()
    return found if isinstance(found, pa.Array) else pa.concat_arrays(found.chunks)


def _kept(table: pa.Table, name: str, bad: Callable[[pa.Table], Mask], damaged: Reasons) -> pa.Table:
    rows = bad(table)
    if not rows.any():
        return table
    for cluster in table.filter(pa.array(rows)).column("cluster").to_pylist():
        damaged.setdefault(cluster, f"a row of the table {name} is damaged")
    return table.filter(pa.array(~rows))


def _bad_brokers(table: pa.Table) -> Mask:
    kinds = [kind in SERVER_KINDS for kind in table.column("kind").to_pylist()]
    bad = ~np.array(kinds, dtype=bool) | _null(table, ("id",))
    levels = table.column("levels").to_pylist()
    for row, text in enumerate(levels):
        if text is not None and not _reads(levels_of, text):
            bad[row] = True
    return bad


def _bad_clients(table: pa.Table) -> Mask:
    bad = _null(table, OF_CLIENTS)
    bad |= ~np.array([kind in KINDS for kind in table.column("kind").to_pylist()], dtype=bool)
    settings = one(table, "settings")
    flat = settings.flatten()
    holes = np.zeros(len(flat), dtype=bool)
    for name in OF_SETTINGS:
        holes |= flat.field(name).is_null().to_numpy(zero_copy_only=False)
    if holes.any():
        sizes = settings.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        bad[np.repeat(np.arange(table.num_rows), sizes)[holes]] = True
    for version in set(table.column("kafka_version").to_pylist()) - {None}:
        sample = {"kafka_version": version, "version_reason": ""}
        if not _reads(target_of, sample):
            bad |= np.array([each == version for each in table.column("kafka_version").to_pylist()], dtype=bool)
    return bad


def _null(table: pa.Table, names: tuple[str, ...]) -> Mask:
    found = np.zeros(table.num_rows, dtype=bool)
    for name in names:
        if table.column(name).null_count:
            found |= one(table, name).is_null().to_numpy(zero_copy_only=False)
    return found


def _reads(read: Callable[[Any], object], data: Any) -> bool:
    try:
        read(data)
    except ValueError:
        return False
    return True


def _clusters(table: pa.Table, damaged: Reasons) -> pa.Table:
    changed: dict[int, dict[str, str]] = {}
    for place, row in enumerate(table.drop_columns(["defaults", "labels"]).to_pylist()):
        why = _why_damaged(row)
        if why is not None:
            reason = f"its row is damaged: {why}"
            changed[place] = {"status": UNREACHABLE, "reason": reason, "collected": row["collected"] or ""}
        elif row["status"] == OK and row["cluster"] in damaged:
            changed[place] = {"status": PARTIAL, "reason": damaged[row["cluster"]]}
    if not changed:
        return table
    rows = table.to_pylist()
    for place, said in changed.items():
        rows[place] |= said
    return pa.Table.from_pylist(rows, RELAXED["clusters"])


def _why_damaged(row: Mapping[str, Any]) -> str | None:
    for name in ALWAYS:
        if row[name] is None:
            return f"{name} is null"
    if row["status"] == UNREACHABLE:
        return None
    try:
        target_of(row)
        live_of(row)
    except ValueError as error:
        return str(error)
    return None
