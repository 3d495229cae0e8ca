"""What an audit could have said: a finding that it does not have is fixed only if it looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from advisor.engine.verdicts import CRASH
from spark_audit.schema.snapshots import TEXT, TEXTS, UNREACHABLE

if TYPE_CHECKING:
    from typing import Any

    from spark_audit.results.history import Past

    Pair = tuple[str, str]
    Subject = tuple[str, str, str]

ALL = "*"
"""The name of subjects that are there and could not be read."""
COLUMNS = ("cluster", "rule", "kind", "subject", "with", "reason")
GAPS = pa.schema([(name, TEXTS if name == "with" else TEXT) for name in COLUMNS])
ABSENT = "the cluster is not in that audit"
UNREACHED = "the cluster could not be reached"
NOT_RUN = "the rule did not run in that audit"
NOTHING_TO_JUDGE = "no cluster had what the rule judges"


@dataclass(eq=False)
class Judged:
    """What an audit read (per cluster why not, None where it did) and which rules ran. It travels."""

    clusters: dict[str, str | None]
    skipped: frozenset[str]
    ran: frozenset[str]

    def why_not(self, cluster: str, rule: str) -> str | None:
        """Why it says nothing of a rule on a cluster, None where it does."""
        reason = self.clusters.get(cluster, ABSENT)
        if reason or rule == CRASH:
            return reason
        if rule in self.skipped:
            return NOTHING_TO_JUDGE
        return None if rule in self.ran else NOT_RUN

    def reasons(self, rows: pa.Table, gaps: pa.Table) -> list[str | None]:
        """Why each of the rows could not be in the audit; `gaps` is what it says it does not know of their clusters."""
        near = gaps.filter(pc.is_in(_pair(gaps), _pair(rows).unique()))
        unknown = Unknown(near)
        keys = zip(*(rows.column(name).to_pylist() for name in ("cluster", "rule", "kind", "subject")), strict=True)
        return [self.why_not(*key[:2]) or unknown.why(*key) for key in keys]


def _pair(rows: pa.Table) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(rows["cluster"], rows["rule"], "\0")


class Unknown:
    """The subjects that a rule could not judge, each of those that it was to judge together."""

    def __init__(self, gaps: pa.Table) -> None:
        self.exact: dict[Subject, str] = {}
        self.all: dict[Pair, str] = {}
        rows = zip(*(gaps.column(name).to_pylist() for name in COLUMNS), strict=True)
        for cluster, rule, kind, subject, others, reason in rows:
            for each in (f"{kind} {subject}", *(others or ())):
                _keep(self.exact, (cluster, rule, each), reason)
                if each.partition(" ")[2] == ALL:
                    _keep(self.all, (cluster, rule), reason)

    def why(self, cluster: str, rule: str, kind: str, subject: str) -> str | None:
        """Why the rule did not judge this, None where it did."""
        return self.exact.get((cluster, rule, f"{kind} {subject}")) or self.all.get((cluster, rule))


def _keep(found: dict[Any, str], key: object, reason: str) -> None:
    """Of several reasons one that does not depend on the order of files."""
    found[key] = min(found.get(key, reason), reason)


def judged(audit: Past) -> Judged:
    """What an audit read and judged, as far as its tables tell. Raises Refused."""
    rows = audit.table("clusters").select(["cluster", "status", "reason"]).to_pylist()
    away = {
        row["cluster"]: f"{UNREACHED}: {row['reason'] or 'no reason given'}" if row["status"] == UNREACHABLE else None
        for row in rows
    }
    return Judged(away, frozenset(audit.about["skipped"]), frozenset(audit.about["rules"]))


def gaps(audit: Past, only: ds.Expression | None = None) -> pa.Table:
    """What an audit says that it does not know, of some clusters. Raises Refused."""
    return pa.concat_tables([audit.rows("unknowns", GAPS.names, only).cast(GAPS), crashes(audit, only)])


def crashes(audit: Past, only: ds.Expression | None = None) -> pa.Table:
    """The same of rules that raised: nothing of theirs is known. Raises Refused."""
    if not audit.about.get("crashed"):
        return GAPS.empty_table()
    crashed = ds.field("rule") == CRASH
    rows = audit.rows("findings", ["cluster", "key", "message"], crashed if only is None else crashed & only)
    every = pa.repeat(pa.scalar(ALL), rows.num_rows)
    nobody = pa.nulls(rows.num_rows, TEXTS)
    columns = [rows["cluster"], pc.fill_null(rows["key"], ""), every, every, nobody, rows["message"]]
    return pa.table(columns, schema=GAPS)
