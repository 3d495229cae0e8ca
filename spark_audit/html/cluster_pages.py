"""Pages of single clusters, in a folder beside the fleet's page: each rule that fails, and on what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from advisor.model.finding import WORST_FIRST
from spark_audit.html.page import STEPS, CommonRule, Row, known_rules, not_waived
from spark_audit.results.gains import gains_of_cluster, order_of_fixing, shown_gain
from spark_audit.results.history import PastAudit

SUBJECTS = 20
"""Subjects of a rule that are named; a line counts the others."""
COLUMNS = ["cluster", "rule", "kind", "subject", "message", "partitions"]
PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")
DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10)))
)
"""Names that Windows has for devices, whatever their ending."""

Finding = Mapping[str, Any]
Key = tuple[str, str]
"""A cluster and a rule."""


class FailedRule:
    """A rule that fails on a cluster: how many findings, and the first of them."""

    def __init__(self, line: CommonRule, findings: Sequence[Finding]) -> None:
        messages = {row["message"] for row in findings}
        self.line, self.row = line, line.row
        self.message = messages.pop() if len(messages) == 1 else None
        self.findings = findings
        self.more = line.row["findings"] - len(findings)


class ClusterPage:
    """The values that the template shows of one cluster."""

    def __init__(self, row: Row, rules: Sequence[FailedRule]) -> None:
        self.row = row
        self.rules = rules
        self.gains = gains_of_cluster(row)
        steps = [rule for rule in rules if rule.row["severity"] != "info"]
        self.steps = sorted(steps, key=lambda rule: order_of_fixing(rule.row["rule"], self.gains))[:STEPS]

    def gain_of(self, rule: FailedRule) -> str:
        """What fixing a rule adds to the cluster's score."""
        return shown_gain(self.gains.get(rule.row["rule"]))


def cluster_pages(audit: PastAudit, rows: Sequence[Row]) -> Iterator[ClusterPage]:
    """A page for each of these clusters. Raises UserError."""
    names = pa.array([row["cluster"] for row in rows], pa.string())
    findings, counts, rules = first_findings(audit, names), counts_by_cluster(audit, names), known_rules()
    for row in rows:
        lines = [CommonRule(count, rules.get(count["rule"])) for count in counts.get(row["cluster"], ())]
        yield ClusterPage(
            row, [FailedRule(line, findings.get((row["cluster"], line.row["rule"]), ())) for line in lines]
        )


def counts_by_cluster(audit: PastAudit, names: pa.Array) -> dict[str, list[Row]]:
    """The rules that fail on each cluster, the most severe first, then those with most findings."""
    counts = not_waived(audit.table("counts"))
    rows = counts.filter(pc.is_in(counts["cluster"], names)).to_pylist()
    rows.sort(key=lambda row: (WORST_FIRST.index(row["severity"]), -row["findings"], row["rule"]))
    by_cluster: dict[str, dict[str, Row]] = {}
    for row in rows:
        of_cluster = by_cluster.setdefault(row["cluster"], {})
        earlier = of_cluster.get(row["rule"])
        of_cluster[row["rule"]] = (
            {**row, **earlier, "findings": earlier["findings"] + row["findings"]} if earlier else row
        )
    return {cluster: list(of_cluster.values()) for cluster, of_cluster in by_cluster.items()}


def first_findings(audit: PastAudit, names: pa.Array) -> dict[Key, list[Finding]]:
    """The first findings of each rule on each cluster, without those that are waived. Raises UserError."""
    rows = audit.rows("findings", [*COLUMNS, "waiver"], [("cluster", "in", names.to_pylist())])
    findings: dict[Key, list[Finding]] = {}
    for batch in rows.filter(pc.is_null(rows["waiver"])).to_batches():
        keys = zip(batch["cluster"].to_pylist(), batch["rule"].to_pylist(), strict=True)
        for number, key in enumerate(keys):
            of_rule = findings.setdefault(key, [])
            if len(of_rule) < SUBJECTS:
                of_rule.append({name: batch[name][number].as_py() for name in COLUMNS})
    return findings


def file_name(cluster: str) -> str:
    """The name of a cluster's page: its own where no file system minds it, else a part of it and its hash."""
    if PLAIN.fullmatch(cluster) and cluster.partition(".")[0] not in DEVICES:
        return f"{cluster}.html"
    readable = re.sub(r"[^a-z0-9]+", "-", cluster.lower()).strip("-")[:40]
    return f"{readable}-{sha256(cluster.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}.html".lstrip("-")
