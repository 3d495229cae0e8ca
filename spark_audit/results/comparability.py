"""Compare how two audits were made: rules, profile, release, clusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spark_audit.results.history import PastAudit
from spark_audit.schema.snapshots import UNREACHABLE


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What two audits, of which these are the rows, do not have in common, in words."""
    differing = [key for key in COMPARED if old[key] != new[key]]
    reasons = [f"{COMPARED[key]} {old[key]} before, {new[key]} now" for key in differing if key != "ruleset"]
    return reasons or [f"{COMPARED[key]} differ" for key in differing]


def cluster_differences(old: PastAudit, new: PastAudit) -> dict[str, list[str]]:
    """The clusters that only one of the audits has, and those that one of them did not reach."""
    status_before, status_now = (status_by_cluster(audit) for audit in (old, new))
    unreachable_now = {cluster for cluster, status in status_now.items() if status == UNREACHABLE}
    unreachable_before = {cluster for cluster, status in status_before.items() if status == UNREACHABLE}
    clusters_by_difference = {
        "appeared": status_now.keys() - status_before.keys(),
        "vanished": status_before.keys() - status_now.keys(),
        "unreachable": unreachable_now - unreachable_before,
        "unreachable_before": unreachable_before - unreachable_now,
        "unreachable_both": unreachable_before & unreachable_now,
    }
    return {name: sorted(names) for name, names in clusters_by_difference.items()}


def status_by_cluster(audit: PastAudit) -> dict[str, str]:
    """The status of each cluster: ok, partial or unreachable."""
    rows = audit.table("clusters")
    return dict(zip(rows["cluster"].to_pylist(), rows["status"].to_pylist(), strict=True))


COMPARED = {
    "profile": "profile",
    "version": "release of kafka-advisor",
    "ruleset": "rules or choices",
}
"""What two audits may differ in, the more precise reason first."""
