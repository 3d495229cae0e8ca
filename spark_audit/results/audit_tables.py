"""The tables of one past audit, wherever they lie; `AuditFiles` are those in files, which need no Spark."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from advisor.errors import UserError
from spark_audit.schema.results import MARKERS, TABLES
from spark_audit.schema.snapshots import TEXT
from spark_audit.storage.file_store import Store, error_text
from spark_audit.storage.runs import StoredRun, has_marker, open_run
from spark_audit.storage.table_files import is_orc, name_file_in_errors, open_dataset, open_parquet, row_count

AGAIN = "audit again with --overwrite"
Filters = Sequence[tuple[str, str, Any]]
"""Column, operator (==, in, >=, <) and value; a row has to meet all of them."""
DISTINCT = ("subject", "fingerprint")
"""Texts that hardly repeat: to read them as dictionaries takes longer."""
READ_AHEAD = 2
"""Batches of a big table that are read ahead: each may be tens of megabytes."""


class AuditTables(Protocol):
    """What is read of a past audit."""

    shown: str

    def read(self, name: str, columns: Sequence[str], filters: Filters = ()) -> pa.Table:
        """Read some columns and rows of a table; a column that it lacks is null. Raises UserError."""

    def count(self, name: str) -> int:
        """The number of rows of a table. Raises UserError."""

    def beside(self) -> Iterable[tuple[AuditTables, dict[str, Any]]]:
        """The other audits in the same place, each with its own row. Raises UserError."""


class AuditFiles:
    """The tables of an audit in files."""

    def __init__(self, run: StoredRun) -> None:
        self.run = run
        self.shown = run.store.shown

    def read(self, name: str, columns: Sequence[str], filters: Filters = ()) -> pa.Table:
        """Read some columns and rows of a table; a column that it lacks is null. Raises UserError."""
        only = pq.filters_to_expression([list(filters)]) if filters else None
        try:
            rows = open_dataset(self.run.store, self.run.files(name), nullable(TABLES[name]))
            return rows.to_table(list(columns), only, batch_readahead=READ_AHEAD, fragment_readahead=READ_AHEAD)
        except (pa.ArrowException, OSError) as error:
            raise damaged(self.shown, name, error) from None

    def count(self, name: str) -> int:
        """The number of rows of a table. Raises UserError."""
        try:
            return row_count(self.run.store, self.run.files(name))
        except (pa.ArrowException, OSError) as error:
            raise damaged(self.shown, name, error) from None

    def beside(self) -> Iterator[tuple[AuditTables, dict[str, Any]]]:
        """The audits in the folders beside this one, each with its own row. Raises UserError."""
        for run in runs_beside(self.run.store):
            yield AuditFiles(run), run.about

    def parts(self, name: str) -> Iterator[pa.Table]:
        """A table, file by file or row group by row group; texts that repeat are dictionary-encoded. Raises UserError."""
        repeated = [field.name for field in TABLES[name] if field.type == TEXT and field.name not in DISTINCT]
        for path in self.run.files(name):
            with name_file_in_errors(path):
                if is_orc(path):
                    yield open_dataset(self.run.store, [path]).to_table(TABLES[name].names)
                    continue
                file = open_parquet(self.run.store, path, dictionary=repeated)
                for row_group in range(file.num_row_groups):
                    yield file.read_row_group(row_group, TABLES[name].names)


def runs_beside(store: Store) -> Iterator[StoredRun]:
    """The whole runs of audits in the folders beside one, which may be one itself. Raises UserError."""
    parent, own_name = os.path.split(os.path.realpath(store.root) if store.is_local else store.root)
    folder = Store(parent, store.system, parent)
    for name in folder.names():
        if name != own_name and has_marker(folder, name):
            with contextlib.suppress(UserError):  # it is not for this audit to say what is wrong with another
                run = open_run(folder.below(name), MARKERS, AGAIN)
                if run is not None:
                    yield run


def nullable(schema: pa.Schema) -> pa.Schema:
    """The schema with all columns nullable: what others write promises nothing."""
    return pa.schema([field.with_nullable(True) for field in schema])


def damaged(shown: str, name: str, error: Exception) -> UserError:
    """The error of a table that cannot be read."""
    return UserError(f"{shown}: the table {name} cannot be read: {error_text(error)}")
