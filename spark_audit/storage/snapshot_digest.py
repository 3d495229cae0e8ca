"""Digests of clusters' snapshots: those with equal ones have the same findings under the same rules.

What moves with every reading (offsets, free disk, how far a voter is behind) counts only as far as rules see it. Rules of
another release may see more, so a digest begins with the release that made it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa

from advisor import __version__
from advisor.facts.cluster import ensemble_facts, little_free, quorum_facts
from advisor.model.cluster import Group, Live
from collectors.snapshot.codec import plain

RELEASE = f"{__version__}:"
"""How the digests of this release begin."""
ROWS = ("topics", "brokers", "clients")
"""Tables whose rows count as they are."""
NOT_COUNTED = ("collected", "seconds", "quorum", "rest", "digest")
"""Columns of `clusters` that do not count: of `quorum` and `rest` their facts do."""


def with_digest(tables: Mapping[str, pa.Table], live: Live | None) -> dict[str, pa.Table]:
    """The tables of one cluster, its digest in its row of `clusters`; `live` is None where it could not be reached."""
    hash = sha256()
    for name in ROWS:
        if name in tables:
            add_rows(hash, tables[name])
    (row,) = tables["clusters"].to_pylist()
    index = tables["clusters"].schema.get_field_index("digest")
    digest = pa.array([finish(hash, row, live)], pa.string())
    return {**tables, "clusters": tables["clusters"].set_column(index, tables["clusters"].field(index), digest)}


def add_rows(hash: Any, rows: pa.Table) -> None:
    """Add a cluster's rows of a table, in order: copied, for a part of a larger table has other buffers."""
    for batch in rows.take(np.arange(rows.num_rows)).combine_chunks().to_batches():
        hash.update(batch.serialize())


def finish(hash: Any, row: Mapping[str, Any], live: Live | None) -> str:
    """The digest of the rows that were added, with the cluster's own."""
    counted = {name: value for name, value in row.items() if name not in NOT_COUNTED}
    hash.update(json.dumps([counted, live and facts_of(live)], default=vars_of).encode())
    return f"{RELEASE}{hash.hexdigest()}"


def facts_of(live: Live) -> dict[str, object]:
    """What rules see of a cluster's state that is in no table of its own."""
    return {
        "quorum": quorum_facts(live),
        "ensemble": ensemble_facts(live),
        "log directories": {
            broker: [(dir.path, dir.error, little_free(dir.free, dir.total)) for dir in dirs]
            for broker, dirs in live.log_dirs.items()
        },
        "groups": live.groups and [group_facts(group) for group in live.groups],
        "acls": plain(live.acls),
        "reassignments": plain(live.reassignments),
    }


def group_facts(group: Group) -> dict[str, object]:
    """A consumer group without its offsets."""
    committed = None if group.committed is None else sorted(group.committed)
    lag = None if group.lag is None else sum(group.lag.values())
    return {**plain(group), "committed": committed, "lag": lag}


def vars_of(fact: object) -> list[object]:
    """A fact that could not be read, or is absent, as JSON."""
    return [type(fact).__name__, str(getattr(fact, "reason", fact))]
