"""The content of Arrow arrays as plain numpy arrays: equal arrays give equal bytes, however they lie in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.arrays import Codes

Buffer = tuple[Any, Codes]
"""Values, and where those of each row start in them: one position more than there are rows."""
NULL = {pa.bool_(): -1, pa.int32(): -(2**31), pa.int64(): -(2**63)}
"""What stands for null among the values of a type; bools are widened to 8 bits."""


def buffers_of(batch: pa.RecordBatch) -> Iterator[Buffer]:
    """The buffers of all columns, as many for any batch of a schema: lengths of lists and texts, -1 for null; values."""
    rows = np.arange(batch.num_rows + 1)
    for column in batch.columns:
        yield from _buffers(column, rows)


def _buffers(array: pa.Array, first_of_row: Codes) -> Iterator[Buffer]:
    type = array.type
    if pa.types.is_struct(type):
        yield array.is_valid().to_numpy(zero_copy_only=False), first_of_row
        for child in array.flatten():
            yield from _buffers(child, first_of_row)
    elif pa.types.is_map(type):
        yield from _buffers(array.cast(pa.list_(pa.struct([type.key_field, type.item_field]))), first_of_row)
    elif pa.types.is_list(type):
        yield from _with_lengths(array.value_lengths(), array.flatten(), first_of_row)
    elif pa.types.is_string(type):
        yield from _with_lengths(pc.binary_length(array), _characters(array.fill_null("")), first_of_row)
    else:
        numbers = array.cast(pa.int8()) if pa.types.is_boolean(type) else array
        yield numbers.fill_null(NULL[type]).to_numpy(), first_of_row


def _with_lengths(lengths: pa.Array, members: Any, first_of_row: Codes) -> Iterator[Buffer]:
    sizes = lengths.fill_null(-1).to_numpy()
    yield sizes, first_of_row
    starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.maximum(sizes, 0), dtype=np.int64)))[first_of_row]
    if isinstance(members, pa.Array):
        yield from _buffers(members, starts)
    else:
        yield members, starts


def _characters(texts: pa.StringArray) -> Any:
    """The bytes of all texts, one after the other."""
    _, offsets, characters = texts.buffers()
    bounds = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1] if len(texts) else [0]
    return np.frombuffer(characters or b"", np.uint8)[bounds[0] : bounds[-1]]
