"""Encode blocks of outcomes as rows of an audit's tables."""

from __future__ import annotations

from binascii import hexlify
from collections.abc import Callable, Container, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor.model.finding import rank
from spark_audit.arrays import Codes, Mask
from spark_audit.arrays.codes import combine, encode, sort_order
from spark_audit.arrays.lists import cut
from spark_audit.engine.columns.clusters import Clusters
from spark_audit.engine.combinations import SubjectNames
from spark_audit.engine.outcomes import RowBlock
from spark_audit.schema.results import FINDINGS, UNKNOWNS
from spark_audit.schema.snapshots import IDS, TEXT, TEXT_BY_NAME, TEXTS

FINDING_FIELDS = ("rule", "name", "family", "severity", "confidence", "refused", "message", "key", "value", "required",
                  "line", "evidence", "proof")  # fmt: skip
HASH_BATCH = 20_000
"""Rows whose fingerprints are computed at once: bounds the texts that are joined for them in memory."""
UNKNOWN_FIELDS = ("rule", "name", "family", "key", "reason")


class BlockRows:
    """The rows of blocks, column by column; fields that a block shares are dictionary-encoded."""

    def __init__(self, blocks: Sequence[RowBlock], clusters: Clusters) -> None:
        self.blocks = blocks
        self.clusters = clusters
        self.rows_per_block = np.array([len(block.subjects) for block in blocks], dtype=np.int64)
        self.ends: list[int] = np.cumsum(self.rows_per_block).tolist()
        self.block_of_row = np.repeat(np.arange(len(blocks)), self.rows_per_block)
        self.row_count = len(self.block_of_row)
        self._subject_names = list({id(block.names): block.names for block in blocks}.values())
        code_of_names = {id(names): code for code, names in enumerate(self._subject_names)}
        names_of_row = np.array([code_of_names[id(block.names)] for block in blocks] or [0], dtype=np.int64)[
            self.block_of_row
        ]
        self._order = sort_order(names_of_row)
        subjects = np.concatenate([np.zeros(0, np.int64), *(block.subjects for block in blocks)])[self._order]
        self._subjects_by_names = cut(
            subjects, np.cumsum(np.bincount(names_of_row, minlength=len(self._subject_names)))[:-1]
        )
        self.cluster_of_row: Codes = np.zeros(self.row_count, np.int64)
        if self.row_count:
            self.cluster_of_row[self._order] = np.concatenate(
                self._of_each(lambda names, rows: names.cluster_of_subject[rows])
            )

    def _of_each(self, value: Callable[[SubjectNames, Codes], Any]) -> list[Any]:
        """Call a function with each SubjectNames and its subjects."""
        return [
            value(names, subjects) for names, subjects in zip(self._subject_names, self._subjects_by_names, strict=True)
        ]

    def _texts(self, value: Callable[[SubjectNames, Codes], pa.Array]) -> pa.Array:
        """Per row a text of its subject."""
        inverse_order = np.zeros(self.row_count, np.int64)
        inverse_order[self._order] = np.arange(self.row_count)
        return (
            pa.concat_arrays(self._of_each(value)).take(pa.array(inverse_order))
            if self.row_count
            else pa.array([], TEXT)
        )

    def shared_fields(self, names: Sequence[str], types: pa.Schema) -> dict[str, pa.Array]:
        """The fields that blocks share, texts dictionary-encoded."""
        columns = {}
        for name in names:
            value_of_block = [block.fields[name] for block in self.blocks]
            type = types.field(name).type
            columns[name] = (
                _dictionary_array(value_of_block, self.block_of_row)
                if type == TEXT
                else pa.array(value_of_block, type).take(pa.array(self.block_of_row))
            )
        return columns

    def cluster_columns(self) -> dict[str, pa.Array]:
        """The cluster's name and labels."""
        cluster_of_row = pa.array(self.cluster_of_row)
        labels = [list(self.clusters.labels(cluster).items()) for cluster in range(len(self.clusters.names))]
        return {
            "cluster": _dictionary_array(self.clusters.names, self.cluster_of_row),
            "labels": pa.array(labels, TEXT_BY_NAME).take(cluster_of_row),
        }

    def subject_columns(self) -> dict[str, pa.Array]:
        """The subject's kind and name."""
        return {
            "kind": self._texts(lambda names, rows: _take(names.kinds, rows)),
            "subject": self._texts(lambda names, rows: _take(names.names, rows)),
        }

    def files(self) -> pa.Array:
        """The clients' files."""
        return self._texts(
            lambda names, rows: pa.nulls(len(rows), TEXT) if names.files is None else _take(names.files, rows)
        )

    def others(self) -> pa.Array:
        """The other subjects that rows speak of."""
        texts: list[str] = []
        others_per_row = np.zeros(self.row_count + 1, dtype=np.int64)
        for block, end in zip(self.blocks, self.ends, strict=True):
            if block.others:
                lists = _others(block)
                others_per_row[end - len(lists) + 1 : end + 1] = [len(others) for others in lists]
                texts += [other for others in lists for other in others]
        return pa.ListArray.from_arrays(
            pa.array(np.cumsum(others_per_row), pa.int32()), pa.array(texts, TEXT), type=TEXTS
        )

    def partitions(self) -> tuple[pa.Array, pa.Array]:
        """The number of partitions of each row, and the first five."""
        partitions_per_row, ids_per_row = np.zeros(self.row_count, np.int64), np.zeros(self.row_count + 1, np.int64)
        ids = [np.zeros(0, np.int64)]
        for block, end in zip(self.blocks, self.ends, strict=True):
            if block.partitions_per_row is not None and block.ids is not None and block.ids_per_row is not None:
                start = end - len(block.subjects)
                partitions_per_row[start:end] = block.partitions_per_row
                ids_per_row[start + 1 : end + 1] = block.ids_per_row
                ids.append(block.ids)
        lists = pa.ListArray.from_arrays(
            pa.array(np.cumsum(ids_per_row), pa.int32()), pa.array(np.concatenate(ids), pa.int32()), type=IDS
        )
        return pa.array(partitions_per_row, pa.int32()), lists

    def fingerprints(self, columns: Mapping[str, pa.Array]) -> pa.Array:
        """Fingerprints as advisor.model.finding has them: a client is identified by its file, all else by cluster."""
        cluster_name = pa.array([context.cluster for context in self.clusters.contexts], TEXT).take(
            pa.array(self.cluster_of_row)
        )
        file = columns["file"]
        cluster_or_file = pc.if_else(pc.equal(pc.fill_null(file, ""), ""), cluster_name, file)
        hashed_columns = (columns["rule"], cluster_or_file, columns["kind"], columns["subject"], columns["key"])
        starts = range(0, self.row_count, HASH_BATCH)
        digits = b"".join([_digits([column.slice(start, HASH_BATCH) for column in hashed_columns]) for start in starts])
        ends = pa.array(np.arange(self.row_count + 1, dtype=np.int32) * 64)
        return pa.StringArray.from_buffers(self.row_count, ends.buffers()[1], pa.py_buffer(digits))


def _digits(columns: Sequence[pa.Array]) -> bytes:
    """The SHA-256 of each row's texts, in hexadecimal."""
    texts = [pc.fill_null(column.cast(TEXT), "") for column in columns]
    joined = pc.binary_join_element_wise(*texts, "\0").cast(pa.binary()).to_pylist()
    return hexlify(b"".join([sha256(text).digest() for text in joined]))


def _dictionary_array(texts: Sequence[str | None], text_of_row: Codes) -> pa.DictionaryArray:
    """Texts by row, as a dictionary array."""
    code_of_text: dict[str, int] = {}
    codes = [-1 if text is None else code_of_text.setdefault(text, len(code_of_text)) for text in texts]
    index = np.array(codes or [0], dtype=np.int32)[text_of_row]
    return pa.DictionaryArray.from_arrays(pa.array(index, mask=index < 0), pa.array(list(code_of_text), TEXT))


def _compact_table(schema: pa.Schema, columns: Mapping[str, pa.Array]) -> pa.Table:
    """A table in which some columns may be dictionary-encoded."""
    types = {name: column.type for name, column in columns.items()}
    fields = [pa.field(field.name, types[field.name], field.nullable) for field in schema]
    arrays = [columns[field.name] for field in schema]
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields, schema.metadata))


def _take(values: Any, rows: Codes) -> pa.Array:
    if isinstance(values, pa.Array):
        return values.take(pa.array(rows))
    return pa.array([values[row] for row in rows.tolist()], TEXT)


def _others(block: RowBlock) -> list[list[str]]:
    """The other subjects of each row, without the row's own: a client may be producer and consumer in one."""
    subject_of_row = _kinds_and_names(block.names, block.subjects)
    others_of_row = zip(*(_kinds_and_names(names, subjects) for names, subjects in block.others), strict=True)
    return [
        [other for other in others if other != subject]
        for subject, others in zip(subject_of_row, others_of_row, strict=True)
    ]


def _kinds_and_names(names: SubjectNames, subjects: Codes) -> list[str]:
    kinds, names_of_subjects = _take(names.kinds, subjects).to_pylist(), _take(names.names, subjects).to_pylist()
    return [f"{kind} {name}" for kind, name in zip(kinds, names_of_subjects, strict=True)]


def findings(rows: BlockRows, waived: pa.Array, audit: str) -> pa.Table:
    """The rows of `findings`; `waived` are the reasons of waivers, null where none applies."""
    columns = rows.cluster_columns() | rows.shared_fields(FINDING_FIELDS, FINDINGS) | rows.subject_columns()
    columns["with"], columns["file"] = rows.others(), rows.files()
    columns["partitions"], columns["first_partitions"] = rows.partitions()
    columns["fingerprint"] = rows.fingerprints(columns)
    columns["waiver"] = waived
    columns["audit"] = _dictionary_array([audit], np.zeros(rows.row_count, np.int64))
    return _compact_table(FINDINGS, columns)


def unknowns(rows: BlockRows, audit: str) -> pa.Table:
    """The rows of `unknowns`."""
    columns = rows.cluster_columns() | rows.shared_fields(UNKNOWN_FIELDS, UNKNOWNS) | rows.subject_columns()
    columns["with"] = rows.others()
    columns["audit"] = _dictionary_array([audit], np.zeros(rows.row_count, np.int64))
    return _compact_table(UNKNOWNS, columns)


def worst_of_subject(rows: BlockRows, waiver_of_row: Codes, rules_with_items: Container[str]) -> Mask:
    """Mask of the rows that count for the score: of a rule's rows about one subject the worst that is not waived."""
    blocks_of_rule: dict[str, list[int]] = {}
    for index, block in enumerate(rows.blocks):
        if block.fields["rule"] in rules_with_items:
            blocks_of_rule.setdefault(block.fields["rule"], []).append(index)
    counts: Mask = np.ones(rows.row_count, dtype=bool)
    for indices in (indices for indices in blocks_of_rule.values() if len(indices) > 1):
        row = np.concatenate(
            [np.arange(rows.ends[index] - rows.rows_per_block[index], rows.ends[index]) for index in indices]
        )
        severity = np.array([rank(block.fields["severity"]) for block in rows.blocks])[rows.block_of_row[row]]
        subject = combine(*_subject_codes([rows.blocks[index] for index in indices]))
        order = np.lexsort((-severity, waiver_of_row[row] >= 0, subject))
        counts[row[order][1:][np.diff(subject[order]) == 0]] = False
    return counts


def _subject_codes(blocks: Sequence[RowBlock]) -> list[Codes]:
    """Columns that tell apart the subjects, and the other subjects, of the blocks of one rule."""
    columns = []
    for position in range(1 + min(len(block.others) for block in blocks)):
        pairs = [((block.names, block.subjects), *block.others)[position] for block in blocks]
        code_of_names = {id(names): code for code, names in enumerate(dict.fromkeys(names for names, _ in pairs))}
        columns.append(np.repeat([code_of_names[id(names)] for names, _ in pairs], [len(codes) for _, codes in pairs]))
        columns.append(np.concatenate([codes for _, codes in pairs]))
    return columns


def tally(rows: BlockRows, waiver_of_row: Codes, rules_with_items: Container[str]) -> list[list[Any]]:
    """Count findings by cluster, rule and severity: cluster, rule, name, family, severity, index of the waiver (-1:
    none), number, and how many of them count for the score.
    """
    rule_and_severity = [
        (block.fields["rule"], block.fields["name"], block.fields["family"], block.fields["severity"])
        for block in rows.blocks
    ]
    codes, distinct_values = encode(rule_and_severity)
    if not rows.row_count:
        return []
    code_of_row = np.array(codes, dtype=np.int64)[rows.block_of_row]
    combined = (
        (rows.cluster_of_row * len(distinct_values) + code_of_row) * (int(waiver_of_row.max()) + 2) + waiver_of_row + 1
    )
    _, first_row, group_of_row, findings_per_group = np.unique(
        combined, return_index=True, return_inverse=True, return_counts=True
    )
    counts = worst_of_subject(rows, waiver_of_row, rules_with_items)
    subjects_per_group = np.bincount(group_of_row[counts], minlength=len(first_row))
    counted = zip(
        *(column[first_row].tolist() for column in (rows.cluster_of_row, code_of_row, waiver_of_row)),
        findings_per_group.tolist(),
        subjects_per_group.tolist(),
        strict=True,
    )
    return [
        [rows.clusters.names[cluster], *distinct_values[code_of_row], waiver, number, subjects]
        for cluster, code_of_row, waiver, number, subjects in counted
    ]
