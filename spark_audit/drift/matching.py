"""Match the findings of two audits: equal keys are one finding, and several of equal keys are matched in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.arrays import Codes
from spark_audit.arrays.codes import combine
from spark_audit.schema.drift import CONTENT, KEYS, PAIRS


def match_findings(old: pa.Table, new: pa.Table) -> pa.Table:
    """Pair the findings that are not the same in both audits, as rows of PAIRS."""
    findings = pa.concat_tables([old, new])
    keys = encode_rows(findings, KEYS)
    keys_and_content = combine(keys, encode_rows(findings, CONTENT))
    only_old, only_new = surplus(keys_and_content[: old.num_rows], keys_and_content[old.num_rows :])
    sorted_rows = [sort_by_content(findings, rows) for rows in (only_old, only_new + old.num_rows)]
    left, right = outer_join(*((keys[rows], occurrence(keys[rows])) for rows in sorted_rows))
    return pair_rows(
        findings, *(take_or_none(rows, index) for rows, index in zip(sorted_rows, (left, right), strict=True))
    )


def encode_rows(rows: pa.Table, names: Sequence[str]) -> Codes:
    """Encode rows as integers: equal rows are equal, null equals null."""
    return combine(*(encode_column(rows.column(name)) for name in names))


def encode_column(column: pa.ChunkedArray) -> Codes:
    """Dictionary-encode a column, null included."""
    codes = column.combine_chunks().dictionary_encode(null_encoding="encode").indices
    numbers: Codes = codes.to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers


def surplus(old: Codes, new: Codes) -> tuple[Codes, Codes]:
    """The rows that the other side does not have, or has less often."""
    size = int(max(old.max(initial=-1), new.max(initial=-1))) + 1
    surplus_of_code = np.bincount(old, minlength=size) - np.bincount(new, minlength=size)
    return take_first(old, surplus_of_code), take_first(new, -surplus_of_code)


def take_first(codes: Codes, wanted_of_code: Codes) -> Codes:
    """Of each code as many rows as are wanted, the first ones."""
    rows = np.flatnonzero(wanted_of_code[codes] > 0)
    code_of_row = codes[rows]
    return rows[occurrence(code_of_row) < wanted_of_code[code_of_row]]


def occurrence(codes: Codes) -> Codes:
    """Per row how many equal ones come before it."""
    order = np.argsort(codes, kind="stable")
    sorted_codes = codes[order]
    first_row = np.flatnonzero(np.diff(sorted_codes, prepend=-1))
    occurrence_of_row = np.empty(len(codes), dtype=np.int64)
    occurrence_of_row[order] = np.arange(len(codes)) - np.repeat(first_row, np.diff(first_row, append=len(codes)))
    return occurrence_of_row


def sort_by_content(findings: pa.Table, rows: Codes) -> Codes:
    """Sort rows by their content: files have no order of their own."""
    order = pc.sort_indices(findings.select(CONTENT).take(pa.array(rows)), [(name, "ascending") for name in CONTENT])
    sorted_rows: Codes = rows[order.to_numpy()]
    return sorted_rows


def outer_join(old: tuple[Codes, Codes], new: tuple[Codes, Codes]) -> tuple[Codes, Codes]:
    """A full outer join on key and occurrence: per pair the index on both sides, -1 where there is none."""
    old_size = len(old[0])
    joined_keys = combine(*(np.concatenate(both_sides) for both_sides in zip(old, new, strict=True)))
    _, left, right = np.intersect1d(
        joined_keys[:old_size], joined_keys[old_size:], assume_unique=True, return_indices=True
    )
    only_left = np.setdiff1d(np.arange(old_size), left)
    only_right = np.setdiff1d(np.arange(len(joined_keys) - old_size), right)
    none = [np.full(len(only), -1) for only in (only_left, only_right)]
    return np.concatenate((left, only_left, none[1])), np.concatenate((right, none[0], only_right))


def take_or_none(rows: Codes, indices: Codes) -> Codes:
    """The rows at some indices, -1 where there is none."""
    rows_or_none: Codes = np.where(indices < 0, -1, rows[indices] if len(rows) else -1)
    return rows_or_none


def pair_rows(findings: pa.Table, old: Codes, new: Codes) -> pa.Table:
    """The rows of the pairs."""
    row_of_pair = pa.array(np.where(new < 0, old, new))
    now, before = (pa.array(rows, mask=rows < 0) for rows in (new, old))
    columns = [findings.column(name).take(row_of_pair) for name in KEYS]
    columns += [findings.column(name).take(side) for side in (now, before) for name in CONTENT]
    return pa.table(columns, schema=PAIRS)
