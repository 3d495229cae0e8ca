"""The small tables as the engine may take them: of what is there twice the first counts, and a damaged row costs its
cluster no more than it has to. A cluster whose own row cannot be read counts as one that could not be reached."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor.model import KINDS, SERVER_KINDS
from spark_audit.arrays.codes import combine
from spark_audit.arrays.dictionaries import codes_of
from spark_audit.schema.snapshots import OK, PARTIAL, RELAXED, TABLES, UNREACHABLE
from spark_audit.storage.decode import defaults_of, levels_of, live_of, rest_of, target_of
from spark_audit.storage.null_checks import holes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from spark_audit.arrays import Mask

    Tables = dict[str, pa.Table]
    Reasons = dict[str, str]

ALWAYS = ("cluster", "status", "collected")
"""What every cluster's row has."""
OF_REACHED = ("address", "version_reason")
"""What that of a cluster has, too, that could be reached."""
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
    both = combine(*(codes_of(one(table, name)) for name in ("cluster", *columns)))
    if int(both.max(initial=-1)) + 1 == table.num_rows:
        return table
    _, first = np.unique(both, return_index=True)
    return table.take(pa.array(np.sort(first)))


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
    bad = ~_among(table, "kind", SERVER_KINDS) | _null(table, ("id",))
    levels = table.column("levels").to_pylist()
    for row, text in enumerate(levels):
        if text is not None and not _reads(levels_of, text):
            bad[row] = True
    return bad


def _bad_clients(table: pa.Table) -> Mask:
    bad = _null(table, OF_CLIENTS) | ~_among(table, "kind", KINDS)
    for name in ("settings", "topics"):
        holed = holes(one(table, name), TABLES["clients"].field(name).type)
        if holed is not None:
            bad |= holed
    return bad | ~_named_version(table)


def _named_version(table: pa.Table) -> Mask:
    """The rows that name a release."""
    texts = [text for text in table.column("kafka_version").unique().to_pylist() if text is not None]
    good = [text for text in texts if _reads(target_of, {"kafka_version": text, "version_reason": ""})]
    return _among(table, "kafka_version", good)


def _among(table: pa.Table, name: str, texts: Iterable[str]) -> Mask:
    """The rows whose text is one of these."""
    found: Mask = pc.is_in(one(table, name), pa.array(texts, pa.string())).to_numpy(zero_copy_only=False)
    return found


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
    doubtful = np.flatnonzero(_doubtful(table) | _among(table, "cluster", damaged))
    rows = table.drop_columns("labels").take(pa.array(doubtful)).to_pylist()
    for place, row in zip(doubtful.tolist(), rows, strict=True):
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


def _doubtful(table: pa.Table) -> Mask:
    """The rows that have to be looked at: where something is null that should not be, or cannot be read."""
    found = _null(table, (*ALWAYS, *OF_REACHED)) | ~_named_version(table)
    for name, read in (("rest", functools.partial(rest_of, vetted=False)), ("defaults", defaults_of)):
        texts = table.column(name).unique().to_pylist()
        found |= _among(table, name, [text for text in texts if not _reads(read, text)])
    for field in TABLES["clusters"]:
        holed = holes(one(table, field.name), field.type)
        if holed is not None:
            found |= holed
    return found


def _why_damaged(row: Mapping[str, Any]) -> str | None:
    for name in ALWAYS:
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
