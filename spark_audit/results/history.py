"""Open past audits: one where it lies, and those beside it, which are its history."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from advisor.errors import UserError
from advisor.model.finding import WORST_FIRST
from spark_audit.results.audit_tables import AGAIN, AuditFiles, AuditTables, Filters, nullable, runs_beside
from spark_audit.schema.results import MARKERS, TABLES
from spark_audit.storage.file_store import Store, open_store
from spark_audit.storage.location import parse_location
from spark_audit.storage.run_output import UNFINISHED
from spark_audit.storage.runs import RUN, StoredRun, has_marker, open_run

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


class PastAudit:
    """A past audit; `about` is its row of the table `audits`."""

    def __init__(self, tables: AuditTables, about: dict[str, Any]) -> None:
        self.tables = tables
        self.shown = tables.shown
        self.about = about
        self.name = str(about["audit"])
        self.started = str(about["started"])
        self._tables: dict[str, pa.Table] = {}

    def table(self, name: str) -> pa.Table:
        """Read a small table: clusters or counts. Raises UserError."""
        if name not in self._tables:
            rows = self.tables.read(name, TABLES[name].names).cast(nullable(TABLES[name]))
            if not rows.num_rows and not self._is_empty(name):
                raise UserError(f"{self.shown}: the table {name} is not there; {AGAIN}")
            self._tables[name] = rows
        return self._tables[name]

    def _is_empty(self, name: str) -> bool:
        """Whether a table has no rows, and so perhaps no files."""
        return not (self.findings if name == "counts" else self.about["clusters"])

    @property
    def findings(self) -> int:
        """The number of findings that the audit counted."""
        return sum(int(self.about[name]) for name in (*WORST_FIRST, "waived"))

    def rows(self, name: str, columns: Sequence[str], filters: Filters = ()) -> pa.Table:
        """Read some columns and rows of findings or unknowns. Raises UserError."""
        return self.tables.read(name, columns, filters)

    def check_complete(self) -> None:
        """Raise UserError where there are not as many findings as were counted."""
        present, counted = self.tables.count("findings"), self.findings
        if present != counted:
            raise UserError(f"{self.shown}: is damaged: it counted {counted} findings, and has {present}")


def check_about(about: dict[str, Any], shown: str) -> dict[str, Any]:
    """Raise UserError where the row of an audit lacks something."""
    missing = [name for name in REQUIRED if name not in about]
    if missing:
        raise UserError(f"{shown}: is damaged: it has no {missing[0]}; {AGAIN}")
    return about


def open_audit(text: str, options: Iterable[tuple[str, str]] = ()) -> PastAudit:
    """Open an audit that is whole, in a folder or at a URI. Raises UserError."""
    store = open_store(parse_location(text), options)
    if store.is_local and not os.path.isdir(store.root):
        raise UserError(f"{text}: no such folder; name what `kafka-advisor audit --out` wrote")
    run = open_run(store, MARKERS, AGAIN)
    if run is None:
        raise UserError(f"{text}: {_why_incomplete(store)}")
    return past_audit(run)


def newest_audit(text: str, options: Iterable[tuple[str, str]] = ()) -> PastAudit | None:
    """The audit that was begun last, of the one in a folder or at a URI and those beside it. Raises UserError."""
    store = open_store(parse_location(text), options)
    runs = list(runs_beside(store))
    with contextlib.suppress(UserError):  # what is not a whole audit there may be replaced
        runs += filter(None, [open_run(store, MARKERS, AGAIN)])
    newest = max(runs, key=lambda run: str(run.about.get("started", "")), default=None)
    return None if newest is None else past_audit(newest)


def past_audit(run: StoredRun) -> PastAudit:
    """The audit of a run. Raises UserError."""
    return PastAudit(AuditFiles(run), check_about(run.about, run.store.shown))


def _why_incomplete(store: Store) -> str:
    """Why a folder without a marker is not an audit, and what may have been meant."""
    names = store.names()
    if any(name.startswith(RUN) for name in names) or {*names} & {UNFINISHED, *TABLES}:
        return "is no whole audit: its run did not finish; run `kafka-advisor audit` again"
    audits_inside = [name for name in names if has_marker(store, name)]
    if audits_inside:
        return f"is a folder of audits, and none itself; did you mean {os.path.join(store.shown, audits_inside[-1])}?"
    return "holds no audit; name what `kafka-advisor audit --out` wrote"


def history(audit: PastAudit) -> list[PastAudit]:
    """The audits that lie beside this one and started no later, oldest first, this one at the end.

    The order is that of the audits, not of the collections that they judged: each row has when it was `started`.
    """
    audits = []
    for tables, about in audit.tables.beside():
        try:
            audits.append(PastAudit(tables, check_about(about, tables.shown)))
        except UserError:
            continue  # it is not for this audit to say what is wrong with another
    audits = [past for past in audits if (past.started, past.shown) < (audit.started, audit.shown)]
    return [*sorted(audits, key=lambda past: (past.started, past.shown)), audit]
