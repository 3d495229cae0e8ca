"""What two audits do not have in common: rules, profile, release, clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spark_audit.schema.snapshots import UNREACHABLE

if TYPE_CHECKING:
    from spark_audit.results.history import Past


def differences(old: Past, new: Past) -> list[str]:
    """What the audits were not made alike in, in words."""
    found = [key for key in DIFFERENCES if old.about[key] != new.about[key]]
    said = [f"{DIFFERENCES[key]} {old.about[key]} before, {new.about[key]} now" for key in found if key != "ruleset"]
    return said or [f"{DIFFERENCES[key]} differ" for key in found]


def clusters(old: Past, new: Past) -> dict[str, list[str]]:
    """The clusters that only one of the audits has, and those that one of them did not reach."""
    before, now = (status(audit) for audit in (old, new))
    away = {each for each, said in now.items() if said == UNREACHABLE}
    was = {each for each, said in before.items() if said == UNREACHABLE}
    found = {
        "appeared": now.keys() - before.keys(),
        "vanished": before.keys() - now.keys(),
        "unreachable": away - was,
        "unreachable_before": was - away,
        "unreachable_both": was & away,
    }
    return {name: sorted(names) for name, names in found.items()}


def status(audit: Past) -> dict[str, str]:
    """Whether each cluster was read."""
    rows = audit.table("clusters")
    return dict(zip(rows["cluster"].to_pylist(), rows["status"].to_pylist(), strict=True))


DIFFERENCES = {
    "profile": "profile",
    "version": "release of kafka-advisor",
    "ruleset": "rules or choices",
}
"""What two audits may not have in common, the reason that is more precise first."""
