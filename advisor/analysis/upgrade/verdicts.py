"""Verdicts of releases and rules on what is upgraded."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import NamedTuple, TypeVar

from advisor.analysis.effective import EffectiveValue
from advisor.analysis.startup.judge import StartupJudge
from advisor.analysis.startup.release_verdicts import ReleaseVerdicts, takes_time
from advisor.analysis.startup.verdict import StartupVerdict
from advisor.analysis.upgrade.plan import UpgradeRow
from advisor.analysis.upgrade.releases import asked_for, at_release
from advisor.catalog import VERSIONS
from advisor.config import Config
from advisor.engine import inputs_of, judge
from advisor.engine.policy import Policy
from advisor.engine.report import Report
from advisor.engine.subjects.notes import NotedVerdicts, Step, is_quiet, is_said
from advisor.engine.subjects.similar import SimilarSubjects
from advisor.model import Entity, Snapshot, Version
from advisor.rule import Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.engine.subjects.notes import Says

T = TypeVar("T")


class DefaultRows(NamedTuple):
    """The defaults before and after an upgrade, by key, the rows of those that change, and the keys of the file to compare."""

    before: Mapping[str, EffectiveValue]
    after: Mapping[str, EffectiveValue]
    rows: dict[str, UpgradeRow]
    keys: Sequence[str]


class EntityAtReleases:
    """An entity under the releases that it is asked about, each made once, with the reports on it; `shared` keeps what holds at several."""

    def __init__(self, entity: Entity) -> None:
        self.entity = entity
        self.shared: ReleaseVerdicts | None = None
        self.reports: dict[Hashable, Report] = {}
        self._by_release: dict[Version, Entity] = {}

    @cached_property
    def judged(self) -> Entity:
        """A copy that is judged under one release after the other."""
        return copy(self.entity)

    def at(self, release: Version) -> Entity:
        """The entity under another release."""
        if release not in self._by_release:
            self._by_release[release] = at_release(self.entity, release)
        return self._by_release[release]


class Verdicts:
    """The startup verdicts on entities as they are, each asked for once, and the findings of chosen rules."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = {rule.id: rule for rule in rules}
        self.startup = StartupJudge(rules)
        self.defaults: dict[Hashable, DefaultRows] = {}
        """By what subjects with the same keys have in common today and then."""
        self.tree = SimilarSubjects()
        self._notes: NotedVerdicts | None = None
        self._known: dict[int, tuple[Entity, dict[Version, StartupVerdict]]] = {}
        self._policies: dict[tuple[str, ...] | None, tuple[Sequence[Rule], Policy]] = {}
        self._of_last: EntityAtReleases | None = None

    def noted(self, notes: NotedVerdicts | None, function: Callable[[], T]) -> T:
        """What a function returns, with notes of all that it asks for."""
        self._notes = notes
        try:
            return function()
        finally:
            self._notes = None

    def config(self, entity: Entity) -> Config:
        """The settings of an entity."""
        return Config(entity) if self._notes is None else self._notes.config(entity)

    def at(self, entity: Entity, release: Version) -> Entity:
        """An entity under another release."""
        return self._of(entity).at(release)

    def start(self, entity: Entity, release: Version) -> StartupVerdict:
        """The verdict of a release on an entity, as `starts` gives it."""
        _, starts = self._known.setdefault(id(entity), (entity, {}))
        if release not in starts:
            starts[release] = self._judged(entity, release)
        return starts[release]

    def _judged(self, entity: Entity, release: Version) -> StartupVerdict:
        """The verdict of a release; of an entity with many settings that a file describes, what holds at several is judged once.

        Notes are of each release by itself: what holds at two of them for one entity may not for another.
        """
        if self._notes is not None or entity.cluster is not None or not takes_time(entity):
            return self.startup.judge(self.at(entity, release), shared=self._notes or self.tree, notes=self._notes)
        of_entity = self._of(entity)
        of_entity.shared = of_entity.shared or ReleaseVerdicts(of_entity.judged, VERSIONS, self.tree)
        of_entity.judged.target = asked_for(release)
        return self.startup.judge(of_entity.judged, shared=of_entity.shared)

    def _of(self, entity: Entity) -> EntityAtReleases:
        """What is known of an entity, as long as nothing is asked of another one."""
        if self._of_last is None or self._of_last.entity is not entity:
            self._of_last = EntityAtReleases(entity)
        return self._of_last

    def starts_of(self, entity: Entity) -> Mapping[Version, StartupVerdict]:
        """The startup verdicts on an entity that were asked for so far."""
        return dict(self._known[id(entity)][1]) if id(entity) in self._known else {}

    def take_over(self, entity: Entity, starts: Mapping[Version, StartupVerdict]) -> None:
        """Take the startup verdicts on another entity for those on this one."""
        self._known.setdefault(id(entity), (entity, {}))[1].update(starts)

    def are_quiet(self, steps: Iterable[Step], entity: Entity) -> bool:
        """Whether rules say nothing of some items of an entity, each under a release."""
        inputs: dict[Version, Mapping[str, Sequence[Config]]] = {}
        for step in steps:
            release = step[2]
            if release not in inputs:
                inputs[release] = inputs_of(Snapshot(entity.name, [self.at(entity, release)]))
            if not is_quiet(step, inputs[release], self.tree):
                return False
        return True

    def report(self, snapshot: Snapshot, ids: Sequence[str] | None, says: Says = is_said) -> Report:
        """What some rules, or all, say of a snapshot; `says` tells which verdicts something comes of."""
        chosen, policy = self._chosen(None if ids is None else tuple(ids))
        if self._notes is None:
            return judge([snapshot], chosen, policy, verdicts=self.tree)
        self._notes.says = says
        report = judge([snapshot], chosen, policy, verdicts=self._notes)
        self._notes.says = is_said
        return report

    def report_on(
        self, entity: Entity, cluster: str, release: Version, ids: Sequence[str] | None, says: Says = is_said
    ) -> Report:
        """What some rules, or all, say of one entity under a release: asked for under each release that it may run today."""
        reports, asked = self._of(entity).reports, (release, None if ids is None else tuple(ids))
        if asked not in reports:
            reports[asked] = self.report(Snapshot(cluster, [self.at(entity, release)]), ids, says)
        return reports[asked]

    def _chosen(self, ids: tuple[str, ...] | None) -> tuple[Sequence[Rule], Policy]:
        if ids not in self._policies:
            chosen = list(self.rules.values()) if ids is None else [self.rules[id] for id in ids]
            self._policies[ids] = chosen, Policy(chosen)
        return self._policies[ids]

    def items(self, id: str) -> tuple[str, ...]:
        """The keys that a rule is evaluated for one at a time."""
        each = self.rules[id].each
        return each if isinstance(each, tuple) else ()
