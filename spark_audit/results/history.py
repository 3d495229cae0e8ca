"""Open past audits: one in its folder, and those beside it, which are its history."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from advisor.errors import UserError
from advisor.model.finding import WORST_FIRST
from spark_audit.schema.results import FORMAT, TABLES
from spark_audit.storage.load import parquet_files
from spark_audit.storage.output_folder import COMPLETE, PARTIAL_FOLDER

REQUIRED = (
    "audit",
    "started",
    "version",
    "ruleset",
    "profile",
    "clusters",
    "rules",
    "skipped",
    "waivers",
    *WORST_FIRST,
    "waived",
)
READ_AHEAD = 2
"""Batches of a big table that are read ahead: each may be tens of megabytes."""


class PastAudit:
    """A past audit; `about` is its row of the table `audits`."""

    def __init__(self, folder: str, about: dict[str, Any]) -> None:
        self.folder = folder
        self.about = about
        self.name = str(about["audit"])
        self.started = str(about["started"])
        self._tables: dict[str, pa.Table] = {}

    def table(self, name: str) -> pa.Table:
        """Read a small table: clusters or counts. Raises UserError."""
        if name not in self._tables:
            files = parquet_files(os.path.join(self.folder, name))
            if not files and self._is_empty(name):
                self._tables[name] = _nullable(TABLES[name]).empty_table()
            elif not files:
                raise UserError(f"{self.folder}: the table {name} is not there; audit again with --overwrite")
            else:
                self._tables[name] = _read(self.folder, name, files)
        return self._tables[name]

    def _is_empty(self, name: str) -> bool:
        """Whether a table has no rows, and so perhaps no files."""
        return not (self.findings if name == "counts" else self.about["clusters"])

    @property
    def findings(self) -> int:
        """The number of findings that the audit counted."""
        return sum(int(self.about[name]) for name in (*WORST_FIRST, "waived"))

    def dataset(self, name: str) -> ds.Dataset:
        """Open the table findings or unknowns without reading it. Raises UserError."""
        files = parquet_files(os.path.join(self.folder, name))
        try:
            return ds.dataset(files, TABLES[name], "parquet") if files else ds.dataset(TABLES[name].empty_table())
        except (pa.ArrowException, OSError) as error:
            raise _damaged(self.folder, name, error) from None

    def rows(self, name: str, columns: Sequence[str], only: ds.Expression | None = None) -> pa.Table:
        """Read some columns and rows of findings or unknowns. Raises UserError."""
        try:
            return self.dataset(name).to_table(
                list(columns), only, batch_readahead=READ_AHEAD, fragment_readahead=READ_AHEAD
            )
        except (pa.ArrowException, OSError) as error:
            raise _damaged(self.folder, name, error) from None

    def check_complete(self) -> None:
        """Raise UserError where there are not as many findings as were counted."""
        try:
            present, counted = self.dataset("findings").count_rows(), self.findings
        except (pa.ArrowException, OSError) as error:
            raise _damaged(self.folder, "findings", error) from None
        if present != counted:
            raise UserError(f"{self.folder}: is damaged: it counted {counted} findings, and has {present}")


def _read(folder: str, name: str, files: Sequence[str]) -> pa.Table:
    schema = TABLES[name]
    try:
        tables = [
            pq.read_table(path, columns=schema.names).select(schema.names).cast(_nullable(schema)) for path in files
        ]
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        raise _damaged(folder, name, error) from None
    return pa.concat_tables(tables)


def _nullable(schema: pa.Schema) -> pa.Schema:
    """The schema with all columns nullable: what others write promises nothing."""
    return pa.schema([field.with_nullable(True) for field in schema])


def _damaged(folder: str, name: str, error: Exception) -> UserError:
    return UserError(f"{folder}: the table {name} cannot be read: {' '.join(str(error).split())[:200]}")


def open_audit(folder: str) -> PastAudit:
    """Open an audit that is complete. Raises UserError."""
    path = os.path.join(folder, COMPLETE)
    if not os.path.isdir(folder):
        raise UserError(f"{folder}: no such folder; name what `kafka-advisor audit --out` wrote")
    if not os.path.exists(path):
        raise UserError(f"{folder}: {_why_incomplete(folder)}")
    try:
        with open(path, encoding="utf-8") as handle:
            about = json.load(handle)
        format, storage = about["format"], about.get("storage")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(f"{path}: is damaged; audit again with --overwrite") from None
    if format != FORMAT:
        raise UserError(f"{folder}: is no audit: its format is {str(format)[:60]!r}; this release reads {FORMAT}")
    if storage != "parquet":
        raise UserError(f"{folder}: was written as {str(storage)[:60]}; only parquet is read")
    missing = [name for name in REQUIRED if name not in about]
    if missing:
        raise UserError(f"{path}: is damaged: it has no {missing[0]}; audit again with --overwrite")
    return PastAudit(folder, about)


def _why_incomplete(folder: str) -> str:
    """Why a folder without _complete.json is no audit, and what may have been meant."""
    audits_inside = sorted(name for name in os.listdir(folder) if os.path.exists(os.path.join(folder, name, COMPLETE)))
    if audits_inside:
        return f"is a folder of audits, and none itself; did you mean {os.path.join(folder, audits_inside[-1])}?"
    if not {*os.listdir(folder)} & {PARTIAL_FOLDER, *TABLES}:
        return "holds no audit; name what `kafka-advisor audit --out` wrote"
    return "is no whole audit: its run did not finish; run `kafka-advisor audit` again"


def history(audit: PastAudit) -> list[PastAudit]:
    """The audits in the folders beside this one that started no later, oldest first, this one at the end.

    The order is that of the audits, not of the collections that they judged: each row has when it was `started`.
    """
    own_path = os.path.realpath(audit.folder)
    parent = os.path.dirname(own_path)
    audits = []
    for name in sorted(os.listdir(parent)):
        path = os.path.join(parent, name)
        if path != own_path and os.path.exists(os.path.join(path, COMPLETE)):
            try:
                audits.append(open_audit(path))
            except UserError:
                continue  # it is not for this audit to say what is wrong with another folder
    audits = [past for past in audits if (past.started, past.folder) < (audit.started, own_path)]
    return [*sorted(audits, key=lambda past: (past.started, past.folder)), audit]
