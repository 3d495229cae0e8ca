"""Rows whose texts stand once for a whole table, without the texts that they do not say."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from spark_audit.arrays.dictionaries import compact
from spark_audit.storage.read_types import DICTIONARY_ENCODED

TEXT = st.sampled_from(["a", "b", "c", "", "größe"])
SETTING = st.fixed_dictionaries({"key": TEXT | st.none(), "value": TEXT | st.none(), "source": TEXT})


@settings(deadline=None)
@given(st.lists(st.none() | st.lists(SETTING | st.none(), max_size=3), max_size=6), st.data())
def test_the_same_rows_and_no_other_texts(rows: list[Any], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(rows)))
    size = data.draw(st.integers(0, len(rows) - start))
    some = pa.array(rows, DICTIONARY_ENCODED["brokers"].field("settings").type).slice(start, size)
    found = compact(some)
    assert (found.type, found.to_pylist()) == (some.type, some.to_pylist())
    said_settings = [setting for row in some.to_pylist() for setting in row or () if setting]
    for name in ("key", "value", "source"):
        said = {setting[name] for setting in said_settings} - {None}
        assert sorted(found.flatten().field(name).dictionary.to_pylist()) == sorted(said)
