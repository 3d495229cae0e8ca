"""Findings that somebody answers for: which rule, where, why, and until when.

A file of waivers is a YAML list; `rule` and `reason` are needed, every other line narrows:

    - rule: KA151                    # an id, a name or a family, as everywhere
      cluster: payments-*            # a cluster's name, * and ? allowed
      label: {environment: dev}      # all of these labels
      subject: scratch-*             # a topic's, broker's or client's name
      reason: rebuilt every night from the warehouse
      until: 2027-01-31              # the last day that it holds
"""

from __future__ import annotations

from datetime import date
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from advisor.errors import BadWaiver

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from advisor.engine.policy import Policy
    from spark_audit.arrays import Codes
    from spark_audit.engine.clusters import Clusters
    from spark_audit.engine.outcomes import Block

KEYS = ("rule", "cluster", "label", "subject", "reason", "until")


class Waiver:
    """One entry; `rules` are the ids that it speaks of."""

    def __init__(self, entry: Mapping[str, Any], rules: frozenset[str], until: date | None) -> None:
        self.rule = str(entry["rule"])
        self.rules = rules
        self.cluster = str(entry.get("cluster") or "*")
        self.labels = {str(key): str(value) for key, value in (entry.get("label") or {}).items()}
        self.subject = str(entry.get("subject") or "*")
        self.reason = str(entry["reason"])
        self.until = until

    def covers(self, cluster: str, labels: Mapping[str, str]) -> bool:
        """Whether it speaks of a cluster."""
        return fnmatchcase(cluster, self.cluster) and self.labels.items() <= labels.items()

    def holds(self, today: date) -> bool:
        """Whether its last day is not past."""
        return self.until is None or self.until >= today


class Waivers:
    """All entries of a file, and those of them that hold today; places count all of them from 0."""

    def __init__(self, waivers: Sequence[Waiver] = (), today: date | None = None) -> None:
        self.waivers = tuple(waivers)
        self.today = today or date.today()

    def applied(self, cluster: Codes, block: Codes, blocks: Sequence[Block], clusters: Clusters) -> Codes:
        """Per row the place of the first entry that waives it, -1 where none does."""
        found = np.full(len(block), -1, dtype=np.int64)
        for place, waiver in enumerate(self.waivers):
            if not waiver.holds(self.today):
                continue
            ruled = np.array([each.words["rule"] in waiver.rules for each in blocks] or [False], dtype=bool)
            names = enumerate(clusters.names)
            here = np.array([waiver.covers(name, clusters.labels(at)) for at, name in names] or [False], dtype=bool)
            rows: Codes = np.flatnonzero((found < 0) & ruled[block] & here[cluster]) if len(block) else block
            found[_of_subjects(rows, waiver, block, blocks)] = place
        return found

    def column(self, applied: Codes) -> pa.Array:
        """The reasons, null where nothing is waived."""
        reasons = pa.array([waiver.reason for waiver in self.waivers], pa.string())
        return (
            reasons.take(pa.array(applied, mask=applied < 0)) if self.waivers else pa.nulls(len(applied), pa.string())
        )


def _of_subjects(rows: Codes, waiver: Waiver, block: Codes, blocks: Sequence[Block]) -> Codes:
    """Those of the rows whose subject the entry speaks of."""
    if waiver.subject == "*" or not len(rows):
        return rows
    starts = np.searchsorted(block, np.arange(len(blocks)))
    kept = []
    for row in rows.tolist():
        own = blocks[block[row]]
        name = own.names.names[int(own.subjects[row - starts[block[row]]])]
        if fnmatchcase(str(name), waiver.subject):
            kept.append(row)
    found: Codes = np.array(kept, dtype=np.int64)
    return found


def read(path: str) -> list[dict[str, Any]]:
    """The entries of a file, as they stand there. Raises BadWaiver."""
    import yaml

    try:
        with open(path, encoding="utf-8") as file:
            entries = yaml.safe_load(file)
    except (OSError, UnicodeDecodeError) as error:
        raise BadWaiver(f"{path}: {getattr(error, 'strerror', None) or 'not UTF-8'}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise BadWaiver(f"{path}{f':{mark.line + 1}:{mark.column + 1}' if mark else ''}: {error.problem}") from None
    if not isinstance(entries, list):
        raise BadWaiver(f"{path}: waivers are a list: - rule: KA151 …, - rule: …")
    return entries


def parsed(entry: object, place: str, policy: Policy) -> Waiver:
    """One entry; `place` is how a complaint names it. Raises BadWaiver."""
    if not isinstance(entry, dict):
        raise BadWaiver(f"{place}: not a mapping with rule and reason")
    unknown = [str(key) for key in entry if key not in KEYS]
    if unknown:
        raise BadWaiver(f"{place}: {unknown[0]}: no such line; there are {', '.join(KEYS)}")
    for key in ("rule", "reason"):
        if not entry.get(key):
            raise BadWaiver(f"{place}: it has no {key}")
    rules = policy.matching(str(entry["rule"]))
    if not rules:
        raise BadWaiver(f"{place}: rule {entry['rule']}: no such rule or family; see `kafka-advisor rules`")
    if not isinstance(entry.get("label") or {}, dict):
        raise BadWaiver(f"{place}: label is a mapping, as in {{team: payments}}")
    return Waiver(entry, frozenset(rules), _day(entry.get("until"), place))


def _day(said: object, place: str) -> date | None:
    if said is None or isinstance(said, date):
        return said
    try:
        return date.fromisoformat(str(said))
    except ValueError:
        raise BadWaiver(f"{place}: until: {said} is no day; write 2027-01-31") from None
