"""Rows under the oldest and the newest release that something may run: what holds under both, and what under one alone."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from advisor.analysis.upgrade.plan import MUST, UNKNOWN, UpgradeRow
from advisor.model import Version


def merge_ends(rows_by_release: Mapping[Version, Sequence[UpgradeRow]]) -> list[UpgradeRow]:
    """The rows of all releases, each once; one that does not hold under every release names those that it holds for.

    What has to be done under one of them alone is unknown; a refusal counts as today's where every release makes it.
    """
    by_identity: dict[Hashable, dict[Version, UpgradeRow]] = {}
    for release, rows in rows_by_release.items():
        for row in rows:
            by_identity.setdefault((row.identity, row.row_subjects), {})[release] = row
    return [merged(versions, len(rows_by_release)) for versions in by_identity.values()]


def merged(versions: Mapping[Version, UpgradeRow], of: int) -> UpgradeRow:
    """One row of those under several releases, `of` releases in all."""
    row = next(iter(versions.values()))
    refused_today = all(version.refused_today for version in versions.values())
    if len(versions) == of:
        return row._replace(refused_today=refused_today)
    part = UNKNOWN if row.part == MUST else row.part
    return row._replace(part=part, refused_today=refused_today, releases=tuple(versions))
