"""Which finding of one audit is which of another: equal keys are one finding, and several of equal keys go in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.arrays.codes import combine
from spark_audit.schema.drift import CONTENT, KEYS, PAIRS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spark_audit.arrays import Codes


def pairs(old: pa.Table, new: pa.Table) -> pa.Table:
    """What is not the same in both: rows of PAIRS. Of equal keys, those that say the same are no difference."""
    both = pa.concat_tables([old, new])
    keys = coded(both, KEYS)
    whole = combine(keys, coded(both, CONTENT))
    gone, come = surplus(whole[: old.num_rows], whole[old.num_rows :])
    ordered = [in_order(both, rows) for rows in (gone, come + old.num_rows)]
    left, right = met(*((keys[rows], place(keys[rows])) for rows in ordered))
    return paired(both, *(taken(rows, at) for rows, at in zip(ordered, (left, right), strict=True)))


def coded(rows: pa.Table, names: Sequence[str]) -> Codes:
    """Equal rows have equal numbers, null beside null."""
    return combine(*(number(rows.column(name)) for name in names))


def number(column: pa.ChunkedArray) -> Codes:
    """Equal values have equal numbers."""
    codes = column.combine_chunks().dictionary_encode(null_encoding="encode").indices
    found: Codes = codes.to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def surplus(old: Codes, new: Codes) -> tuple[Codes, Codes]:
    """Rows that the other side does not have, or not so often."""
    size = int(max(old.max(initial=-1), new.max(initial=-1))) + 1
    more = np.bincount(old, minlength=size) - np.bincount(new, minlength=size)
    return first_of(old, more), first_of(new, -more)


def first_of(codes: Codes, wanted: Codes) -> Codes:
    """Of each code as many rows as are wanted."""
    rows = np.flatnonzero(wanted[codes] > 0)
    own = codes[rows]
    return rows[place(own) < wanted[own]]


def place(codes: Codes) -> Codes:
    """Which of the equal ones each is, from 0 on."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    found = np.empty(len(codes), dtype=np.int64)
    found[order] = np.arange(len(codes)) - np.repeat(starts, np.diff(starts, append=len(codes)))
    return found


def in_order(both: pa.Table, rows: Codes) -> Codes:
    """Rows by what they say: files have no order of their own."""
    order = pc.sort_indices(both.select(CONTENT).take(pa.array(rows)), [(name, "ascending") for name in CONTENT])
    found: Codes = rows[order.to_numpy()]
    return found


def met(old: tuple[Codes, Codes], new: tuple[Codes, Codes]) -> tuple[Codes, Codes]:
    """A full outer join on key and which of its findings: per pair the place on both sides, -1 where there is none."""
    split = len(old[0])
    numbers = combine(*(np.concatenate(each) for each in zip(old, new, strict=True)))
    _, left, right = np.intersect1d(numbers[:split], numbers[split:], assume_unique=True, return_indices=True)
    lone_left = np.setdiff1d(np.arange(split), left)
    lone_right = np.setdiff1d(np.arange(len(numbers) - split), right)
    nobody = [np.full(len(lone), -1) for lone in (lone_left, lone_right)]
    return np.concatenate((left, lone_left, nobody[1])), np.concatenate((right, nobody[0], lone_right))


def taken(rows: Codes, places: Codes) -> Codes:
    """The rows at some places, -1 where there is none."""
    found: Codes = np.where(places < 0, -1, rows[places] if len(rows) else -1)
    return found


def paired(both: pa.Table, old: Codes, new: Codes) -> pa.Table:
    """The pairs' rows."""
    any_side = pa.array(np.where(new < 0, old, new))
    now, before = (pa.array(rows, mask=rows < 0) for rows in (new, old))
    columns = [both.column(name).take(any_side) for name in KEYS]
    columns += [both.column(name).take(side) for side in (now, before) for name in CONTENT]
    return pa.table(columns, schema=PAIRS)
