"""Keep the rows of clusters that have not changed since an earlier audit under the same rules and choices.

What cannot be known to be equal is judged again: audits of another release, profile, set of rules or waivers, a waiver
that has expired since, an audit whose tables are damaged, a cluster without a digest, files that may have been changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from advisor import __version__
from spark_audit.results.comparability import differences
from spark_audit.results.history import PastAudit
from spark_audit.results.waivers import Waivers, waivers_as_json
from spark_audit.schema.results import CLUSTERS, COUNTS
from spark_audit.storage.snapshot_digest import RELEASE

SNAPSHOT = ["cluster", "digest", "collected"]
"""The columns of `clusters` that Snapshots are made of."""
NO_DIGESTS = "another release collected the snapshots, or their files were changed or copied since; collect again"


@dataclass(frozen=True)
class Snapshots:
    """Of each cluster the digest of its snapshot, and when that was taken."""

    digests: Mapping[str, str] = field(default_factory=dict)
    collected: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Sequence[tuple[str, str | None, str]]) -> Snapshots:
        """Those of rows of SNAPSHOT; of equal names the first counts, of digests those of this release."""
        digests = {cluster: digest for cluster, digest, _ in reversed(rows) if digest and digest.startswith(RELEASE)}
        return cls(digests, {cluster: collected for cluster, _, collected in reversed(rows)})

    @property
    def are_unknown(self) -> bool:
        """Whether no cluster has a digest."""
        return bool(self.collected) and not self.digests


@dataclass(frozen=True)
class KeptClusters:
    """The clusters that keep their rows of an earlier audit; none where `past` is None. `why_none` is in words."""

    past: PastAudit | None = None
    snapshots: Snapshots = Snapshots()
    names: Sequence[str] = ()
    why_none: str | None = None

    def take_over(self, rows: pa.Table, audit: str) -> pa.Table:
        """The rows of these clusters among those of the earlier audit, under the name of this one."""
        names = pa.array(self.names, pa.string())
        is_kept = pc.is_in(rows.column("cluster").cast(pa.string()), names)
        rows = rows if pc.all(is_kept).as_py() else rows.filter(is_kept)
        index = pa.repeat(pa.scalar(0, pa.int32()), rows.num_rows)
        return rows.set_column(0, "audit", pa.DictionaryArray.from_arrays(index, pa.array([audit])))

    def add_clusters(self, judged: pa.Table, audit: str) -> pa.Table:
        """The table `clusters` in order: what was judged and what is kept."""
        kept = self._rows_of("clusters", CLUSTERS, audit)
        times = pa.array([self.snapshots.collected[name] for name in kept.column("cluster").to_pylist()], pa.string())
        index = CLUSTERS.get_field_index("collected")
        return pa.concat_tables([judged, kept.set_column(index, CLUSTERS.field(index), times)]).sort_by("cluster")

    def add_counts(self, judged: pa.Table, audit: str) -> pa.Table:
        """The table `counts` in order: what was judged and what is kept."""
        rows = pa.concat_tables([judged, self._rows_of("counts", COUNTS, audit)])
        return rows.sort_by([(name, "ascending") for name in COUNTS.names[1:-1]])

    def _rows_of(self, name: str, schema: pa.Schema, audit: str) -> pa.Table:
        if self.past is None or not self.names:
            return schema.empty_table()
        return self.take_over(self.past.table(name), audit).cast(schema)


def keep_unchanged(past: PastAudit, ruleset: str, profile: str, waivers: Waivers, snapshots: Snapshots) -> KeptClusters:
    """The clusters that have the digest of an earlier audit, if its rules and choices are the same. Raises UserError."""
    now = {"profile": profile, "version": __version__, "ruleset": ruleset}
    reasons = [*differences(past.about, now), *_other_waivers(past, waivers), *_missing_rows(past)]
    if reasons or snapshots.are_unknown:
        why_none = f"{past.shown}: {'; '.join(reasons)}" if reasons else NO_DIGESTS
        return KeptClusters(past, snapshots, why_none=why_none)
    rows = past.table("clusters").select(["cluster", "digest"]).to_pylist()
    digests = snapshots.digests
    names = [row["cluster"] for row in rows if row["digest"] and row["digest"] == digests.get(row["cluster"])]
    return KeptClusters(past, snapshots, names)


def _other_waivers(past: PastAudit, waivers: Waivers) -> Iterator[str]:
    """Whether the waivers are others, or one has expired since."""
    now = waivers_as_json(waivers.table(CLUSTERS.empty_table(), ""))
    if _choices(json.loads(past.about["waivers"])) != _choices(now):
        yield "waivers differ, or one has expired"


def _choices(waivers: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Waivers without what they cover."""
    return [{key: value for key, value in row.items() if key != "findings"} for row in waivers]


def _missing_rows(past: PastAudit) -> Iterator[str]:
    """Whether findings or unknowns are not as many as were counted."""
    for name, counted in (("findings", past.findings), ("unknowns", past.about.get("unknown"))):
        present = past.tables.count(name)
        if present != counted:
            yield f"it counted {counted} {name}, and has {present}"
