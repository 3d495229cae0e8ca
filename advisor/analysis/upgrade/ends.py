"""Rows under the oldest and the newest release that something may run: what holds under both, and what under one alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from advisor.analysis.upgrade.plan import MUST, UNKNOWN, UpgradeRow
from advisor.model import Version


def merge_ends(rows_by_release: Mapping[Version, Sequence[UpgradeRow]]) -> list[UpgradeRow]:
    """The rows of all releases, each once; one that does not hold under every release names those that it holds for.

    What has to be done under one of them alone is unknown; a refusal counts as today's where every release makes it.
    """
    by_identity: dict[UpgradeRow, dict[Version, UpgradeRow]] = {}
    for release, rows in rows_by_release.items():
        for row in rows:
            by_identity.setdefault(replace(row, refused_today=False), {})[release] = row
    return [merged(row, versions, len(rows_by_release)) for row, versions in by_identity.items()]


def merged(row: UpgradeRow, versions: Mapping[Version, UpgradeRow], of: int) -> UpgradeRow:
    """One row of those under several releases, `of` releases in all."""
    refused_today = all(version.refused_today for version in versions.values())
    if len(versions) == of:
        return replace(row, refused_today=refused_today)
    part = UNKNOWN if row.part == MUST else row.part
    return replace(row, part=part, refused_today=refused_today, releases=tuple(versions))
