"""Drift: what became of the findings of one audit in a later one. A finding that is gone is fixed only if both looked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from advisor.errors import UserError
from advisor.model.finding import WORST_FIRST
from spark_audit.results.coverage import judged
from spark_audit.schema.drift import CHANGED, DRIFT, DRIFT_COUNTS, FIXED, NEW, SAME, UNKNOWN
from spark_audit.schema.snapshots import TEXT, TEXT_BY_NAME

if TYPE_CHECKING:
    from spark_audit.arrays import Codes, Mask
    from spark_audit.results.coverage import Judged
    from spark_audit.results.history import Past

    Labels = dict[str, list[tuple[str, str]]]

TALLY = ("cluster", "rule", "severity", "status", "known", "worse")


class Sides:
    """What is known of two audits beside their findings. Plain data: it travels."""

    def __init__(self, old: Past, new: Past) -> None:
        self.names = (new.name, old.name)
        self.before: Judged = judged(old)
        self.now: Judged = judged(new)
        self.labels: Labels = {}
        self.rules: dict[str, tuple[str, str]] = {}
        for audit in (old, new):
            rows = audit.table("clusters")
            self.labels |= dict(zip(rows["cluster"].to_pylist(), rows["labels"].to_pylist(), strict=True))
            said = audit.table("counts")
            self.rules |= {rule: (name, family) for rule, name, family in zip(*(said[each].to_pylist() for each in ("rule", "name", "family")), strict=True)}  # fmt: skip

    def words(self, rules: pa.ChunkedArray) -> list[pa.Array]:
        """Name and family of each rule."""
        codes = rules.combine_chunks().dictionary_encode()
        known = [self.rules.get(rule, (rule, rule)) for rule in codes.dictionary.to_pylist()]
        return [pa.array([each[place] for each in known], TEXT).take(codes.indices) for place in (0, 1)]

    def labelled(self, clusters: pa.ChunkedArray) -> pa.Array:
        """The labels of each cluster."""
        codes = clusters.combine_chunks().dictionary_encode()
        known = [self.labels.get(cluster) or [] for cluster in codes.dictionary.to_pylist()]
        return pa.array(known, TEXT_BY_NAME).take(codes.indices)


def told(pairs: pa.Table, sides: Sides, gaps_before: pa.Table, gaps_now: pa.Table) -> pa.Table:
    """The rows of `drift` for pairs of findings, of which no two are the same."""
    here, there = (pc.is_valid(pairs[name]).to_numpy() for name in ("severity", "severity_before"))
    reason = np.full(pairs.num_rows, None, dtype=object)
    for absent, side, gap in ((~there, sides.before, gaps_before), (~here, sides.now, gaps_now)):
        rows = np.flatnonzero(absent)
        reason[rows] = side.reasons(pairs.take(pa.array(rows)), gap)
    known = np.array([each is None for each in reason.tolist()], dtype=bool)
    status = np.where(here & there, CHANGED, np.where(here, NEW, np.where(known, FIXED, UNKNOWN)))
    names = [pa.repeat(pa.scalar(name, TEXT), pairs.num_rows) for name in sides.names]
    own = {name: pairs[name] for name in pairs.column_names}
    name, family = sides.words(pairs["rule"])
    columns = own | {
        "audit": names[0],
        "before": names[1],
        "status": pa.array(status, TEXT),
        "worse": pa.array(worse(pairs, here, there)),
        "labels": sides.labelled(pairs["cluster"]),
        "name": name,
        "family": family,
        "reason": pa.array(reason, TEXT),
    }
    return pa.table([columns[each] for each in DRIFT.names], schema=DRIFT)


def worse(pairs: pa.Table, here: Mask, there: Mask) -> Mask:
    """Which count now, and did not before, or less."""
    now, before = (ranks(pairs[name]) for name in ("severity", "severity_before"))
    waived, was = (pc.fill_null(pairs[name], False).to_numpy() for name in ("waived", "waived_before"))
    found: Mask = here & ~waived & (~there | was | (now > before))
    return found


def ranks(severities: pa.ChunkedArray) -> Codes:
    """The worse, the higher; none is the lowest."""
    places = pc.fill_null(pc.index_in(severities, pa.array(WORST_FIRST)), len(WORST_FIRST))
    found: Codes = -places.to_numpy()
    return found


def tally(drift: pa.Table) -> pa.Table:
    """How many rows there are of each kind; `present` are those that the later audit has."""
    columns = {
        "cluster": drift["cluster"],
        "rule": drift["rule"],
        "severity": pc.coalesce(drift["severity"], drift["severity_before"]),
        "status": drift["status"],
        "known": pc.is_null(drift["reason"]),
        "worse": drift["worse"],
    }
    return pa.table(columns).group_by(list(TALLY)).aggregate([([], "count_all")]).rename_columns([*TALLY, "findings"])


def counted(tallies: pa.Table, new: Past, sides: Sides) -> pa.Table:
    """The table `drift_counts`: the drift, and what is the same: all that the later audit has beside it. Raises Refused."""
    keys = ["cluster", "rule", "severity"]
    there = pc.is_in(tallies["status"], pa.array([NEW, CHANGED]))
    less = tallies.filter(there).select([*keys, "findings"])
    less = less.set_column(3, "findings", pc.negate(less["findings"]))
    every = new.table("counts").select([*keys, "findings"]).cast(less.schema)
    same = (
        pa.concat_tables([every, less])
        .group_by(keys)
        .aggregate([("findings", "sum")])
        .rename_columns([*keys, "findings"])
    )
    if pc.min(same["findings"]).as_py() is not None and pc.min(same["findings"]).as_py() < 0:
        raise UserError(f"{new.folder}: is damaged: its findings are not those that it counted")
    same = same.filter(pc.greater(same["findings"], 0))
    fill = {"status": SAME, "known": True, "worse": False}
    for name, value in fill.items():
        same = same.append_column(name, pa.repeat(pa.scalar(value), same.num_rows))
    summed = tallies.group_by(list(TALLY)).aggregate([("findings", "sum")]).rename_columns([*TALLY, "findings"])
    return _with_words(pa.concat_tables([summed, same.select(summed.column_names).cast(summed.schema)]), sides)


def _with_words(rows: pa.Table, sides: Sides) -> pa.Table:
    rows = rows.sort_by([(name, "ascending") for name in TALLY])
    name, family = sides.words(rows["rule"])
    names = [pa.repeat(pa.scalar(each, TEXT), rows.num_rows) for each in sides.names]
    columns = {each: rows[each] for each in rows.column_names}
    columns |= {"audit": names[0], "before": names[1], "name": name, "family": family}
    return pa.table([columns[each] for each in DRIFT_COUNTS.names], schema=DRIFT_COUNTS)
