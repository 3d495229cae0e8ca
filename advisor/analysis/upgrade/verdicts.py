"""Verdicts of releases and rules on what is upgraded."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from advisor.analysis.effective import EffectiveValue
from advisor.analysis.startup.judge import StartupJudge
from advisor.analysis.startup.verdict import StartupVerdict
from advisor.analysis.upgrade.plan import UpgradeRow
from advisor.analysis.upgrade.releases import at_release
from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.engine.report import Report
from advisor.engine.subjects.similar import SimilarSubjects
from advisor.model import Entity, Snapshot, Version
from advisor.rule import Rule


class DefaultRows(NamedTuple):
    """The defaults before and after an upgrade, by key, and the rows of those that change."""

    before: Mapping[str, EffectiveValue]
    after: Mapping[str, EffectiveValue]
    rows: dict[str, UpgradeRow]


class Verdicts:
    """The startup verdicts on entities as they are, each asked for once, and the findings of chosen rules."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = {rule.id: rule for rule in rules}
        self.startup = StartupJudge(rules)
        self.defaults: dict[Hashable, DefaultRows] = {}
        """By what subjects with the same keys have in common today and then."""
        self._tree = SimilarSubjects()
        self._known: dict[tuple[int, Version], tuple[Entity, StartupVerdict]] = {}

    def start(self, entity: Entity, release: Version) -> StartupVerdict:
        """The verdict of a release on an entity, as `starts` gives it."""
        asked = (id(entity), release)
        if asked not in self._known:
            self._known[asked] = entity, self.startup.judge(at_release(entity, release), shared=self._tree)
        return self._known[asked][1]

    def report(self, snapshot: Snapshot, ids: Sequence[str] | None) -> Report:
        """What some rules, or all, say of a snapshot."""
        chosen = list(self.rules.values()) if ids is None else [self.rules[id] for id in ids]
        return judge([snapshot], chosen, Policy(chosen), verdicts=self._tree)

    def items(self, id: str) -> tuple[str, ...]:
        """The keys that a rule is evaluated for one at a time."""
        each = self.rules[id].each
        return each if isinstance(each, tuple) else ()
