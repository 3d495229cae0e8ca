"""How blocks of outcomes become the rows of an audit's tables."""

from __future__ import annotations

from binascii import hexlify
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.arrays.codes import encode, sort_order
from spark_audit.arrays.lists import cut
from spark_audit.schema.results import FINDINGS, UNKNOWNS
from spark_audit.schema.snapshots import IDS, TEXT, TEXT_BY_NAME, TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from spark_audit.arrays import Codes
    from spark_audit.engine.clusters import Clusters
    from spark_audit.engine.combinations import Names
    from spark_audit.engine.outcomes import Block

WORDS = ("rule", "name", "family", "severity", "confidence", "refused", "message", "key", "value", "required", "line",
         "evidence", "proof")  # fmt: skip
HASHED = 20_000
"""Rows whose fingerprints are made at once."""
SAID = ("rule", "name", "family", "key", "reason")


class Rows:
    """The rows of blocks, column by column; the words of a block stand once and are pointed at."""

    def __init__(self, blocks: Sequence[Block], clusters: Clusters) -> None:
        self.blocks = blocks
        self.clusters = clusters
        self.sizes = np.array([len(block.subjects) for block in blocks], dtype=np.int64)
        self.ends: list[int] = np.cumsum(self.sizes).tolist()
        self.block = np.repeat(np.arange(len(blocks)), self.sizes)
        self.size = len(self.block)
        self._whose = list({id(block.names): block.names for block in blocks}.values())
        numbers = {id(names): number for number, names in enumerate(self._whose)}
        whose = np.array([numbers[id(block.names)] for block in blocks] or [0], dtype=np.int64)[self.block]
        self._order = sort_order(whose)
        subjects = np.concatenate([np.zeros(0, np.int64), *(block.subjects for block in blocks)])[self._order]
        self._subjects = cut(subjects, np.cumsum(np.bincount(whose, minlength=len(self._whose)))[:-1])
        self.cluster: Codes = np.zeros(self.size, np.int64)
        if self.size:
            self.cluster[self._order] = np.concatenate(self._of_each(lambda names, rows: names.cluster[rows]))

    def _of_each(self, value: Callable[[Names, Codes], Any]) -> list[Any]:
        """Something of the subjects of each who names them."""
        return [value(names, rows) for names, rows in zip(self._whose, self._subjects, strict=True)]

    def _texts(self, value: Callable[[Names, Codes], pa.Array]) -> pa.Array:
        """A text of every row's subject."""
        back = np.zeros(self.size, np.int64)
        back[self._order] = np.arange(self.size)
        return pa.concat_arrays(self._of_each(value)).take(pa.array(back)) if self.size else pa.array([], TEXT)

    def words(self, names: Sequence[str], types: pa.Schema) -> dict[str, pa.Array]:
        """What blocks share; texts stand once each."""
        found = {}
        for name in names:
            said = [block.words[name] for block in self.blocks]
            type = types.field(name).type
            found[name] = _once(said, self.block) if type == TEXT else pa.array(said, type).take(pa.array(self.block))
        return found

    def of_clusters(self) -> dict[str, pa.Array]:
        """The cluster's name and labels."""
        index = pa.array(self.cluster)
        labels = [list(self.clusters.labels(place).items()) for place in range(len(self.clusters.names))]
        return {
            "cluster": _once(self.clusters.names, self.cluster),
            "labels": pa.array(labels, TEXT_BY_NAME).take(index),
        }

    def subjects(self) -> dict[str, pa.Array]:
        """Kind and name."""
        return {
            "kind": self._texts(lambda names, rows: _taken(names.kinds, rows)),
            "subject": self._texts(lambda names, rows: _taken(names.names, rows)),
        }

    def files(self) -> pa.Array:
        """The clients' files."""
        return self._texts(
            lambda names, rows: pa.nulls(len(rows), TEXT) if names.files is None else _taken(names.files, rows)
        )

    def others(self) -> pa.Array:
        """The other subjects that rows speak of."""
        found: list[str] = []
        sizes = np.zeros(self.size + 1, dtype=np.int64)
        for block, end in zip(self.blocks, self.ends, strict=True):
            if block.others:
                lists = _others(block)
                sizes[end - len(lists) + 1 : end + 1] = [len(others) for others in lists]
                found += [each for others in lists for each in others]
        return pa.ListArray.from_arrays(pa.array(np.cumsum(sizes), pa.int32()), pa.array(found, TEXT), type=TEXTS)

    def partitions(self) -> tuple[pa.Array, pa.Array]:
        """How many, and the first five."""
        counts, sizes = np.zeros(self.size, np.int64), np.zeros(self.size + 1, np.int64)
        ids = [np.zeros(0, np.int64)]
        for block, end in zip(self.blocks, self.ends, strict=True):
            if block.counts is not None and block.ids is not None and block.shown is not None:
                start = end - len(block.subjects)
                counts[start:end], sizes[start + 1 : end + 1] = block.counts, block.shown
                ids.append(block.ids)
        lists = pa.ListArray.from_arrays(
            pa.array(np.cumsum(sizes), pa.int32()), pa.array(np.concatenate(ids), pa.int32()), type=IDS
        )
        return pa.array(counts, pa.int32()), lists

    def fingerprints(self, columns: Mapping[str, pa.Array]) -> pa.Array:
        """As advisor.model.finding has them: a running cluster's subjects are placed by it, a client by its file."""
        called = pa.array([context.cluster for context in self.clusters.contexts], TEXT).take(pa.array(self.cluster))
        file = columns["file"]
        place = pc.if_else(pc.equal(pc.fill_null(file, ""), ""), called, file)
        said = (columns["rule"], place, columns["kind"], columns["subject"], columns["key"])
        starts = range(0, self.size, HASHED)
        digits = b"".join([_digits([column.slice(start, HASHED) for column in said]) for start in starts])
        ends = pa.array(np.arange(self.size + 1, dtype=np.int32) * 64)
        return pa.StringArray.from_buffers(self.size, ends.buffers()[1], pa.py_buffer(digits))


def _digits(columns: Sequence[pa.Array]) -> bytes:
    """The SHA-256 of each row's texts, in hexadecimal."""
    texts = [pc.fill_null(column.cast(TEXT), "") for column in columns]
    joined = pc.binary_join_element_wise(*texts, "\0").cast(pa.binary()).to_pylist()
    return hexlify(b"".join([sha256(text).digest() for text in joined]))


def _once(texts: Sequence[str | None], rows: Codes) -> pa.DictionaryArray:
    """The texts by rows, equal ones standing once."""
    numbers: dict[str, int] = {}
    codes = [-1 if text is None else numbers.setdefault(text, len(numbers)) for text in texts]
    index = np.array(codes or [0], dtype=np.int32)[rows]
    return pa.DictionaryArray.from_arrays(pa.array(index, mask=index < 0), pa.array(list(numbers), TEXT))


def compact(schema: pa.Schema, columns: Mapping[str, pa.Array]) -> pa.Table:
    """A table, of which some texts stand once each."""
    types = {name: column.type for name, column in columns.items()}
    fields = [pa.field(field.name, types[field.name], field.nullable) for field in schema]
    arrays = [columns[field.name] for field in schema]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields, schema.metadata))


def _taken(values: Any, rows: Codes) -> pa.Array:
    if isinstance(values, pa.Array):
        return values.take(pa.array(rows))
    return pa.array([values[row] for row in rows.tolist()], TEXT)


def _others(block: Block) -> list[list[str]]:
    """A client that is producer and consumer in one is not beside itself."""
    own = _said(block.names, block.subjects)
    said = zip(*(_said(names, subjects) for names, subjects in block.others), strict=True)
    return [[each for each in others if each != me] for me, others in zip(own, said, strict=True)]


def _said(names: Names, subjects: Codes) -> list[str]:
    kinds, called = _taken(names.kinds, subjects).to_pylist(), _taken(names.names, subjects).to_pylist()
    return [f"{kind} {name}" for kind, name in zip(kinds, called, strict=True)]


def findings(rows: Rows, waived: pa.Array, audit: str) -> pa.Table:
    """The findings' rows, compact; `waived` are the reasons of those that somebody answers for."""
    columns = rows.of_clusters() | rows.words(WORDS, FINDINGS) | rows.subjects()
    columns["with"], columns["file"] = rows.others(), rows.files()
    columns["partitions"], columns["first_partitions"] = rows.partitions()
    columns["fingerprint"] = rows.fingerprints(columns)
    columns["waiver"] = waived
    columns["audit"] = _once([audit], np.zeros(rows.size, np.int64))
    return compact(FINDINGS, columns)


def unknowns(rows: Rows, audit: str) -> pa.Table:
    """The unknowns' rows, compact."""
    columns = rows.of_clusters() | rows.words(SAID, UNKNOWNS) | rows.subjects()
    columns["with"] = rows.others()
    columns["audit"] = _once([audit], np.zeros(rows.size, np.int64))
    return compact(UNKNOWNS, columns)


def tally(rows: Rows, applied: Codes) -> list[list[Any]]:
    """How many findings each cluster has of each rule and severity: cluster, rule, name, family, severity, place of the
    waiver (-1: none), number."""
    kinds = [
        (block.words["rule"], block.words["name"], block.words["family"], block.words["severity"])
        for block in rows.blocks
    ]
    codes, said = encode(kinds)
    if not rows.size:
        return []
    kind = np.array(codes, dtype=np.int64)[rows.block]
    both = (rows.cluster * len(said) + kind) * (int(applied.max()) + 2) + applied + 1
    _, first, numbers = np.unique(both, return_index=True, return_counts=True)
    told = zip(*(column[first].tolist() for column in (rows.cluster, kind, applied)), numbers.tolist(), strict=True)
    return [[rows.clusters.names[place], *said[kind], waiver, number] for place, kind, waiver, number in told]
