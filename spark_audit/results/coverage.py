"""Coverage of an audit: which clusters, rules and subjects it judged. A finding is fixed only if both audits looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from advisor.engine.verdicts import CRASH
from spark_audit.results.audit_tables import Filters
from spark_audit.results.history import PastAudit
from spark_audit.schema.snapshots import TEXT, TEXTS, UNREACHABLE

Pair = tuple[str, str]
Subject = tuple[str, str, str]

ALL = "*"
"""The name that stands for all subjects of a kind that could not be read."""
COLUMNS = ("cluster", "rule", "kind", "subject", "with", "reason")
GAPS = pa.schema([(name, TEXTS if name == "with" else TEXT) for name in COLUMNS])
ABSENT = "the cluster is not in that audit"
UNREACHED = "the cluster could not be reached"
RULE_NOT_RUN = "the rule did not run in that audit"
NOTHING_TO_JUDGE = "no cluster had what the rule judges"


@dataclass(eq=False)
class Coverage:
    """What an audit read (per cluster why not, None where it did) and which rules ran; plain data, to travel."""

    clusters: dict[str, str | None]
    skipped: frozenset[str]
    ran: frozenset[str]

    def why_not(self, cluster: str, rule: str) -> str | None:
        """Why the audit cannot say anything of a rule on a cluster, None where it can."""
        reason = self.clusters.get(cluster, ABSENT)
        if reason or rule == CRASH:
            return reason
        if rule in self.skipped:
            return NOTHING_TO_JUDGE
        return None if rule in self.ran else RULE_NOT_RUN

    def reasons(self, rows: pa.Table, gaps: pa.Table) -> list[str | None]:
        """Why each row could not be in the audit; `gaps` are the audit's unknowns of the rows' clusters."""
        same_rules = gaps.filter(pc.is_in(_pair(gaps), _pair(rows).unique()))
        unknown_subjects = UnknownSubjects(same_rules)
        keys = zip(*(rows.column(name).to_pylist() for name in ("cluster", "rule", "kind", "subject")), strict=True)
        return [self.why_not(*key[:2]) or unknown_subjects.why(*key) for key in keys]


def _pair(rows: pa.Table) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(rows["cluster"], rows["rule"], "\0")


class UnknownSubjects:
    """The subjects that a rule could not judge, alone or with others."""

    def __init__(self, gaps: pa.Table) -> None:
        self.exact: dict[Subject, str] = {}
        self.all: dict[Pair, str] = {}
        rows = zip(*(gaps.column(name).to_pylist() for name in COLUMNS), strict=True)
        for cluster, rule, kind, subject, others, reason in rows:
            for name in (f"{kind} {subject}", *(others or ())):
                _keep_least(self.exact, (cluster, rule, name), reason)
                if name.partition(" ")[2] == ALL:
                    _keep_least(self.all, (cluster, rule), reason)

    def why(self, cluster: str, rule: str, kind: str, subject: str) -> str | None:
        """Why the rule did not judge this subject, None where it did."""
        return self.exact.get((cluster, rule, f"{kind} {subject}")) or self.all.get((cluster, rule))


def _keep_least(reason_by_key: dict[Any, str], key: object, reason: str) -> None:
    """Keep the least of several reasons, so that the order of files does not matter."""
    reason_by_key[key] = min(reason_by_key.get(key, reason), reason)


def coverage_of(audit: PastAudit) -> Coverage:
    """What an audit read and judged, as far as its tables tell. Raises UserError."""
    rows = audit.table("clusters").select(["cluster", "status", "reason"]).to_pylist()
    unreachable = {
        row["cluster"]: f"{UNREACHED}: {row['reason'] or 'no reason given'}" if row["status"] == UNREACHABLE else None
        for row in rows
    }
    return Coverage(unreachable, frozenset(audit.about["skipped"]), frozenset(audit.about["rules"]))


def gaps(audit: PastAudit, only: Filters = ()) -> pa.Table:
    """The unknowns of an audit, of some clusters. Raises UserError."""
    return pa.concat_tables([audit.rows("unknowns", GAPS.names, only).cast(GAPS), crashes(audit, only)])


def crashes(audit: PastAudit, only: Filters = ()) -> pa.Table:
    """The unknowns of rules that raised: all subjects of their clusters. Raises UserError."""
    if not audit.about.get("crashed"):
        return GAPS.empty_table()
    rows = audit.rows("findings", ["cluster", "key", "message"], [("rule", "==", CRASH), *only])
    all_subjects = pa.repeat(pa.scalar(ALL), rows.num_rows)
    no_others = pa.nulls(rows.num_rows, TEXTS)
    columns = [rows["cluster"], pc.fill_null(rows["key"], ""), all_subjects, all_subjects, no_others, rows["message"]]
    return pa.table(columns, schema=GAPS)
