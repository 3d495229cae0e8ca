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

from collections.abc import Mapping, Sequence
from datetime import date
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import pyarrow as pa

from advisor import limits
from advisor.engine.policy import Policy
from advisor.errors import BadWaiver, os_reason
from spark_audit.arrays import Codes
from spark_audit.engine.clusters import Clusters
from spark_audit.engine.outcomes import Block

KEYS = ("rule", "cluster", "label", "subject", "reason", "until")


class Waiver:
    """One entry; `rules` are the ids of the rules that it covers."""

    def __init__(self, entry: Mapping[str, Any], rules: frozenset[str], until: date | None) -> None:
        self.rule = str(entry["rule"])
        self.rules = rules
        self.cluster = str(entry.get("cluster") or "*")
        self.labels = {str(key): str(value) for key, value in (entry.get("label") or {}).items()}
        self.subject = str(entry.get("subject") or "*")
        self.reason = str(entry["reason"])
        self.until = until

    def covers(self, cluster: str, labels: Mapping[str, str]) -> bool:
        """Whether the waiver applies to a cluster."""
        return fnmatchcase(cluster, self.cluster) and self.labels.items() <= labels.items()

    def holds(self, today: date) -> bool:
        """Whether its last day is not past."""
        return self.until is None or self.until >= today


class Waivers:
    """All waivers of a file; those that hold today are applied. Indices count all of them from 0."""

    def __init__(self, waivers: Sequence[Waiver] = (), today: date | None = None) -> None:
        self.waivers = tuple(waivers)
        self.today = today or date.today()

    def match(self, cluster_of_row: Codes, block_of_row: Codes, blocks: Sequence[Block], clusters: Clusters) -> Codes:
        """Per row the index of the first waiver that applies, -1 where none does."""
        waiver_of_row = np.full(len(block_of_row), -1, dtype=np.int64)
        for index, waiver in enumerate(self.waivers):
            if not waiver.holds(self.today):
                continue
            covers_block = np.array([block.fields["rule"] in waiver.rules for block in blocks] or [False], dtype=bool)
            names = enumerate(clusters.names)
            covers_cluster = np.array(
                [waiver.covers(name, clusters.labels(cluster)) for cluster, name in names] or [False], dtype=bool
            )
            rows: Codes = (
                np.flatnonzero((waiver_of_row < 0) & covers_block[block_of_row] & covers_cluster[cluster_of_row])
                if len(block_of_row)
                else block_of_row
            )
            waiver_of_row[_rows_of_subject(rows, waiver, block_of_row, blocks)] = index
        return waiver_of_row

    def reasons(self, waiver_of_row: Codes) -> pa.Array:
        """The reason of each row's waiver, null where none applies."""
        reasons = pa.array([waiver.reason for waiver in self.waivers], pa.string())
        return (
            reasons.take(pa.array(waiver_of_row, mask=waiver_of_row < 0))
            if self.waivers
            else pa.nulls(len(waiver_of_row), pa.string())
        )


def _rows_of_subject(rows: Codes, waiver: Waiver, block_of_row: Codes, blocks: Sequence[Block]) -> Codes:
    """The rows whose subject the waiver covers."""
    if waiver.subject == "*" or not len(rows):
        return rows
    first_row = np.searchsorted(block_of_row, np.arange(len(blocks)))
    covered = []
    for row in rows.tolist():
        block = blocks[block_of_row[row]]
        name = block.names.names[int(block.subjects[row - first_row[block_of_row[row]]])]
        if fnmatchcase(str(name), waiver.subject):
            covered.append(row)
    covered_rows: Codes = np.array(covered, dtype=np.int64)
    return covered_rows


def read_entries(path: str) -> list[dict[str, Any]]:
    """Read the entries of a waiver file as plain data. Raises BadWaiver."""
    from advisor import yaml_file

    try:
        with open(path, "rb") as file:
            entries = yaml_file.load(limits.read(file, limits.SETTINGS, path), path)
    except OSError as error:
        raise BadWaiver(f"{path}: {os_reason(error)}") from None
    except yaml_file.BadYaml as bad:
        raise BadWaiver(str(bad)) from None
    if not isinstance(entries, list):
        raise BadWaiver(f"{path}: waivers are a list: - rule: KA151 …, - rule: …")
    return entries


def parse(entry: object, where: str, policy: Policy) -> Waiver:
    """Parse one entry; `place` is how an error names it. Raises BadWaiver."""
    if not isinstance(entry, dict):
        raise BadWaiver(f"{where}: not a mapping with rule and reason")
    unknown = [str(key) for key in entry if key not in KEYS]
    if unknown:
        raise BadWaiver(f"{where}: {unknown[0]}: no such line; there are {', '.join(KEYS)}")
    for key in ("rule", "reason"):
        if not entry.get(key):
            raise BadWaiver(f"{where}: it has no {key}")
    rules = policy.matching(str(entry["rule"]))
    if not rules:
        raise BadWaiver(f"{where}: rule {entry['rule']}: no such rule or family; see `kafka-advisor rules`")
    if not isinstance(entry.get("label") or {}, dict):
        raise BadWaiver(f"{where}: label is a mapping, as in {{team: payments}}")
    return Waiver(entry, frozenset(rules), _day(entry.get("until"), where))


def _day(text: object, where: str) -> date | None:
    if text is None or isinstance(text, date):
        return text
    try:
        return date.fromisoformat(str(text))
    except ValueError:
        raise BadWaiver(f"{where}: until: {text} is no day; write 2027-01-31") from None
