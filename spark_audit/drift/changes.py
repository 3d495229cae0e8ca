"""Drift between two audits: a finding is new, changed, fixed, unknown or the same; fixed only if both audits looked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor.errors import UserError
from advisor.model.finding import WORST_FIRST
from spark_audit.arrays import Codes, Mask
from spark_audit.drift.changed_settings import COLUMNS, ChangeJudge
from spark_audit.drift.matching import match_findings
from spark_audit.results.coverage import Coverage, coverage_of
from spark_audit.results.history import PastAudit
from spark_audit.schema.drift import CHANGED, DRIFT, DRIFT_COUNTS, FIXED, NEW, SAME, UNKNOWN
from spark_audit.schema.snapshots import TEXT, TEXT_BY_NAME

Labels = dict[str, list[tuple[str, str]]]

TALLY = ("cluster", "rule", "severity", "status", "known", "worse")


class DriftSide(NamedTuple):
    """What one audit says of some clusters: the columns of findings that are compared, and its unknowns."""

    findings: pa.Table
    gaps: pa.Table


class AuditPair:
    """Two audits without their findings: names, coverage, labels, rules. Plain data, to travel."""

    def __init__(self, old: PastAudit, new: PastAudit) -> None:
        self.names = (new.name, old.name)
        self.changes = ChangeJudge(old, new)
        self.before: Coverage = coverage_of(old)
        self.now: Coverage = coverage_of(new)
        self.labels: Labels = {}
        self.rules: dict[str, tuple[str, str]] = {}
        for audit in (old, new):
            rows = audit.table("clusters")
            self.labels |= dict(zip(rows["cluster"].to_pylist(), rows["labels"].to_pylist(), strict=True))
            counts = audit.table("counts")
            self.rules |= {rule: (name, family) for rule, name, family in zip(*(counts[column].to_pylist() for column in ("rule", "name", "family")), strict=True)}  # fmt: skip

    def names_and_families(self, rules: pa.ChunkedArray) -> list[pa.Array]:
        """Name and family of each rule."""
        codes = rules.combine_chunks().dictionary_encode()
        name_and_family = [self.rules.get(rule, (rule, rule)) for rule in codes.dictionary.to_pylist()]
        return [pa.array([pair[index] for pair in name_and_family], TEXT).take(codes.indices) for index in (0, 1)]

    def labels_of(self, clusters: pa.ChunkedArray) -> pa.Array:
        """The labels of each cluster."""
        codes = clusters.combine_chunks().dictionary_encode()
        labels = [self.labels.get(cluster) or [] for cluster in codes.dictionary.to_pylist()]
        return pa.array(labels, TEXT_BY_NAME).take(codes.indices)


def compare(old: DriftSide, new: DriftSide, audits: AuditPair) -> pa.Table:
    """The rows of `drift` of some clusters, from all that either audit says of them."""
    pairs = match_findings(old.findings, new.findings)
    drift = drift_rows(pairs, audits, old, new)
    return drift.sort_by([(name, "ascending") for name in ("cluster", "rule", "subject")])


def drift_rows(pairs: pa.Table, audits: AuditPair, old: DriftSide, new: DriftSide) -> pa.Table:
    """The rows of `drift` for pairs of findings, of which no two are the same."""
    is_now, was_before = (pc.is_valid(pairs[name]).to_numpy() for name in ("severity", "severity_before"))
    reason = np.full(pairs.num_rows, None, dtype=object)
    for is_absent, coverage, gaps in ((~was_before, audits.before, old.gaps), (~is_now, audits.now, new.gaps)):
        rows = np.flatnonzero(is_absent)
        reason[rows] = coverage.reasons(pairs.take(pa.array(rows)), gaps)
    is_known = np.array([cell is None for cell in reason.tolist()], dtype=bool)
    status = np.where(is_now & was_before, CHANGED, np.where(is_now, NEW, np.where(is_known, FIXED, UNKNOWN)))
    names = [pa.repeat(pa.scalar(name, TEXT), pairs.num_rows) for name in audits.names]
    pair_columns = {name: pairs[name] for name in pairs.column_names}
    name, family = audits.names_and_families(pairs["rule"])
    columns = pair_columns | {
        "audit": names[0],
        "before": names[1],
        "status": pa.array(status, TEXT),
        "worse": pa.array(is_worse(pairs, is_now, was_before)),
        "labels": audits.labels_of(pairs["cluster"]),
        "name": name,
        "family": family,
        "reason": pa.array(reason, TEXT),
    }
    judged = pa.table([columns[name] for name in COLUMNS], COLUMNS)
    columns |= audits.changes.columns(judged, old.findings, new.findings)
    return pa.table([columns[column] for column in DRIFT.names], schema=DRIFT)


def is_worse(pairs: pa.Table, is_now: Mask, was_before: Mask) -> Mask:
    """Mask of the findings that count now, and did not before, or were less severe."""
    now, before = (severity_ranks(pairs[name]) for name in ("severity", "severity_before"))
    waived, was_waived = (pc.fill_null(pairs[name], False).to_numpy() for name in ("waived", "waived_before"))
    mask: Mask = is_now & ~waived & (~was_before | was_waived | (now > before))
    return mask


def severity_ranks(severities: pa.ChunkedArray) -> Codes:
    """Per severity its rank, the worse the higher; null is the lowest."""
    index = pc.fill_null(pc.index_in(severities, pa.array(WORST_FIRST)), len(WORST_FIRST))
    rank_of_row: Codes = -index.to_numpy()
    return rank_of_row


def tally(drift: pa.Table) -> pa.Table:
    """Count drift rows by cluster, rule, severity, status, and whether they are known and worse."""
    columns = {
        "cluster": drift["cluster"],
        "rule": drift["rule"],
        "severity": pc.coalesce(drift["severity"], drift["severity_before"]),
        "status": drift["status"],
        "known": pc.is_null(drift["reason"]),
        "worse": drift["worse"],
    }
    return pa.table(columns).group_by(list(TALLY)).aggregate([([], "count_all")]).rename_columns([*TALLY, "findings"])


def count_drift(tallies: pa.Table, new: PastAudit, audits: AuditPair) -> pa.Table:
    """The table `drift_counts`: the drift, and all findings that are the same. Raises UserError."""
    keys = ["cluster", "rule", "severity"]
    is_present = pc.is_in(tallies["status"], pa.array([NEW, CHANGED]))
    not_same = tallies.filter(is_present).select([*keys, "findings"])
    not_same = not_same.set_column(3, "findings", pc.negate(not_same["findings"]))
    all_findings = new.table("counts").select([*keys, "findings"]).cast(not_same.schema)
    same = (
        pa.concat_tables([all_findings, not_same])
        .group_by(keys)
        .aggregate([("findings", "sum")])
        .rename_columns([*keys, "findings"])
    )
    if pc.min(same["findings"]).as_py() is not None and pc.min(same["findings"]).as_py() < 0:
        raise UserError(f"{new.shown}: is damaged: its findings are not those that it counted")
    same = same.filter(pc.greater(same["findings"], 0))
    fill = {"status": SAME, "known": True, "worse": False}
    for name, value in fill.items():
        same = same.append_column(name, pa.repeat(pa.scalar(value), same.num_rows))
    summed = tallies.group_by(list(TALLY)).aggregate([("findings", "sum")]).rename_columns([*TALLY, "findings"])
    return _add_names(pa.concat_tables([summed, same.select(summed.column_names).cast(summed.schema)]), audits)


def _add_names(rows: pa.Table, audits: AuditPair) -> pa.Table:
    rows = rows.sort_by([(name, "ascending") for name in TALLY])
    name, family = audits.names_and_families(rows["rule"])
    names = [pa.repeat(pa.scalar(audit, TEXT), rows.num_rows) for audit in audits.names]
    columns = {column: rows[column] for column in rows.column_names}
    columns |= {"audit": names[0], "before": names[1], "name": name, "family": family}
    return pa.table([columns[column] for column in DRIFT_COUNTS.names], schema=DRIFT_COUNTS)
