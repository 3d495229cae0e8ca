"""How blocks of outcomes become the rows of an audit's tables."""

from __future__ import annotations

from binascii import hexlify
from hashlib import sha256

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from spark_audit.columns.codes import numbered
from spark_audit.results.tables import FINDINGS, UNKNOWNS
from spark_audit.tables import IDS, TEXT, TEXT_BY_NAME, TEXTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from spark_audit.columns.clusters import Clusters
    from spark_audit.columns.codes import Codes
    from spark_audit.columns.combinations import Names
    from spark_audit.columns.outcomes import Block

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
        self.block = np.repeat(np.arange(len(blocks)), self.sizes)
        self.size = len(self.block)
        places = [block.names.cluster[block.subjects] for block in blocks]
        self.cluster: Codes = np.concatenate(places) if places else np.zeros(0, np.int64)

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
        kinds, names = [], []
        for block in self.blocks:
            own = np.array(block.subjects)
            kinds.append(_taken(block.names.kinds, own))
            names.append(_taken(block.names.names, own))
        return {"kind": _joined(kinds), "subject": _joined(names)}

    def files(self) -> pa.Array:
        """The clients' files."""
        parts = [
            pa.nulls(len(block.subjects), TEXT)
            if block.names.files is None
            else _taken(block.names.files, block.subjects)
            for block in self.blocks
        ]
        return _joined(parts)

    def others(self) -> pa.Array:
        """The other subjects that rows speak of."""
        parts = [_others(block) for block in self.blocks]
        return pa.concat_arrays(parts) if parts else pa.array([], TEXTS)

    def partitions(self) -> tuple[pa.Array, pa.Array]:
        """How many, and the first five."""
        counts, shown, ids = [], [], [np.zeros(0, np.int64)]
        for block in self.blocks:
            none = np.zeros(len(block.subjects), np.int64)
            counts.append(none if block.counts is None else block.counts)
            shown.append(none if block.shown is None else block.shown)
            ids += [] if block.ids is None else [block.ids]
        sizes = np.concatenate([np.zeros(1, np.int64), *shown])
        lists = pa.ListArray.from_arrays(
            pa.array(np.cumsum(sizes), pa.int32()), pa.array(np.concatenate(ids), pa.int32()), type=IDS
        )
        return pa.array(np.concatenate([np.zeros(0, np.int64), *counts]), pa.int32()), lists

    def fingerprints(self, columns: Mapping[str, pa.Array]) -> pa.Array:
        """As advisor.finding has them: a running cluster's subjects are placed by it, a client by its file."""
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


def _joined(parts: list[pa.Array]) -> pa.Array:
    return pa.concat_arrays(parts) if parts else pa.array([], TEXT)


def _others(block: Block) -> pa.Array:
    """A client that is producer and consumer in one is not beside itself."""
    size = len(block.subjects)
    if not block.others:
        return pa.ListArray.from_arrays(pa.array(np.zeros(size + 1, np.int32)), pa.array([], TEXT), type=TEXTS)
    own = _said(block.names, block.subjects)
    said = zip(*(_said(names, subjects) for names, subjects in block.others), strict=True)
    return pa.array([[each for each in others if each != me] for me, others in zip(own, said, strict=True)], TEXTS)


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
    codes, said = numbered(kinds)
    if not rows.size:
        return []
    kind = np.array(codes, dtype=np.int64)[rows.block]
    both = (rows.cluster * len(said) + kind) * (int(applied.max()) + 2) + applied + 1
    _, first, numbers = np.unique(both, return_index=True, return_counts=True)
    told = zip(*(column[first].tolist() for column in (rows.cluster, kind, applied)), numbers.tolist(), strict=True)
    return [[rows.clusters.names[place], *said[kind], waiver, number] for place, kind, waiver, number in told]
