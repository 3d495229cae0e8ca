"""Which rules judge the changes of settings that drift lists: those that compare a subject with its former self."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa

from advisor.catalog.keys import SYNONYMS
from advisor.catalog.target import release_of
from advisor.engine import evaluate, names_of
from advisor.engine.policy import Policy
from advisor.engine.report import Report
from advisor.engine.verdicts import VerdictTree
from advisor.model import Target
from advisor.rule import Rule
from advisor.rule.keys import keys_of
from rules import rule_set
from spark_audit.drift.kept_settings import Kept, KeptConfig, kept_settings, kind_judged_as, not_kept, subject_ids
from spark_audit.results.history import PastAudit
from spark_audit.schema.drift import CHANGE
from spark_audit.schema.snapshots import TEXT

Judgement = tuple[list[dict[str, str]] | None, str | None]
"""The rules that fail for a change (None: none is known of that a rule is about), and why some rule cannot tell."""
NO_CHANGE: Judgement = (None, None)
NOTHING: Kept = frozenset()
TYPES = (("change", pa.list_(CHANGE)), ("change_unknown", TEXT))
COLUMNS = ("cluster", "kind", "subject", "key", "reason")


class ChangeJudge:
    """Judges the changed settings between two audits. Plain data, to travel."""

    def __init__(self, old: PastAudit, new: PastAudit) -> None:
        self.names = (old.name, new.name)
        self.profile = str(new.about["profile"])
        self.releases = [releases_of(audit) for audit in (old, new)]

    def columns(self, drift: pa.Table, old: pa.Table, new: pa.Table) -> dict[str, pa.Array]:
        """The columns change and change_unknown of rows of `drift`, from the findings of both audits."""
        kinds_and_keys = zip(drift["kind"].to_pylist(), drift["key"].to_pylist(), strict=True)
        has_rules = np.array(
            [bool(key and rules_about(kind_judged_as(kind), key)) for kind, key in kinds_and_keys], bool
        )
        judgements = self._judge_rows(drift.filter(pa.array(has_rules)), old, new)
        judgement_of_row = pa.array(np.cumsum(has_rules) - 1, mask=~has_rules)
        columns = zip(*judgements, strict=True) if judgements else ([], [])
        return {
            name: pa.array(values, type).take(judgement_of_row)
            for (name, type), values in zip(TYPES, columns, strict=True)
        }

    def _judge_rows(self, drift: pa.Table, old: pa.Table, new: pa.Table) -> list[Judgement]:
        """What the rules say of each row; equal subjects are judged once."""
        kept = [kept_settings(findings, subject_ids(drift).unique()) for findings in (old, new)]
        judge = cache(self.judge)
        rows = zip(*(drift[name].to_pylist() for name in COLUMNS), strict=True)
        return [
            judge(cluster, kind, key, reason, *(side.get((cluster, kind, subject), NOTHING) for side in kept))
            for cluster, kind, subject, key, reason in rows
        ]

    def judge(self, cluster: str, kind: str, key: str, reason: str | None, *kept: Kept) -> Judgement:
        """What the rules about a key say of a subject of which the audits kept this; `reason` is that of drift."""
        rules = rules_about(kind_judged_as(kind), key)
        if reason is not None:
            return None, reason
        before, now = (self._config(index, cluster, kind, side) for index, side in enumerate(kept))
        unknown = [name for name, side in zip(self.names, (before, now), strict=True) if not side.has(key)]
        if unknown:
            return None, not_kept(unknown[0], key)
        if before.row(key).value == now.row(key).value:
            return NO_CHANGE
        return failing(rules, key, now, before, self.profile)

    def _config(self, index: int, cluster: str, kind: str, kept: Kept) -> KeptConfig:
        """A subject as the earlier (0) or the later audit kept it."""
        target = Target(release_of(self.releases[index][cluster])[0], "as audited", given=True)
        return KeptConfig(kind, kept, target, self.names[index])


def releases_of(audit: PastAudit) -> dict[str, str]:
    """The release of each cluster that was reached."""
    rows = audit.table("clusters")
    return {
        cluster: release
        for cluster, release in zip(rows["cluster"].to_pylist(), rows["kafka_version"].to_pylist(), strict=True)
        if release
    }


def names_of_key(key: str) -> set[str]:
    """A key, and those that it stands in for."""
    return {key, *(other for other, synonyms in SYNONYMS.items() if any(key == name for name, _ in synonyms))}


@cache
def rules_about(kind: str, key: str) -> list[Rule]:
    """The rules that compare a subject of a kind with its former self in a key or one that it stands in for."""
    keys = names_of_key(key)
    rules = rule_set().taking(frozenset((*names_of(kind), "before")))
    return [rule for rule in rules if rule.inputs[1:] == ("before",) and not keys.isdisjoint(keys_of(rule))]


def failing(rules: list[Rule], key: str, now: KeptConfig, before: KeptConfig, profile: str) -> Judgement:
    """The rules that fail for the change of a key, by id, and why one of the others cannot tell."""
    report, verdicts = Report((), profile), VerdictTree(remember=False)
    for rule in rules:
        evaluate(verdicts, rule, (now, before), Policy(rules, profile=profile), report)
    changes = [
        {name: getattr(finding, name) for name in CHANGE.names}
        for finding in sorted(report.findings, key=lambda finding: finding.rule)
        if key in (finding.key, finding.kafka_key)
    ]
    unknown = (row.reason for row in report.unknown if row.key is None or row.key in names_of_key(key))
    return changes, min(unknown, default=None)
