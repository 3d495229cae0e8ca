"""Startup check: whether a Kafka release refuses the settings, what it changes, what a file cannot tell."""

from __future__ import annotations

from copy import copy

from advisor import catalog
from advisor.analysis.startup.changes import changed_settings
from advisor.analysis.startup.check import CHECKS, StartupCheck
from advisor.analysis.startup.externals import external_requirements
from advisor.analysis.startup.inner_clients import add, inner_clients, unused_settings
from advisor.analysis.startup.node import node_refusals, timed_parts
from advisor.analysis.startup.release_verdicts import ReleaseVerdicts
from advisor.analysis.startup.requirements import (
    auto_commit_without_group,
    contradictions,
    missing_required_keys,
    missing_settings,
    required_key_missing,
)
from advisor.analysis.startup.streams import streams_refusals, streams_topology
from advisor.analysis.startup.topic import creation_option_as_setting
from advisor.analysis.startup.verdict import StartupVerdict, refusal, unknown, without_repetitions
from advisor.analysis.startup.worker import worker_refusals
from advisor.catalog import values
from advisor.catalog.keys import is_connector
from advisor.config import Config
from advisor.engine import inputs_of, judge
from advisor.engine.policy import Policy
from advisor.engine.report import place_of, shown_text_of, source_line
from advisor.engine.subjects.notes import is_quiet
from advisor.engine.verdicts import CRASH, VerdictTree
from advisor.model import Snapshot
from advisor.model.finding import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.engine.report import Report
    from advisor.engine.subjects.notes import NotedVerdicts, Step
    from advisor.model import Entity, Target
    from advisor.rule import Rule

ADDRESSES = (
    *("listeners", "advertised.listeners", "listener.security.protocol.map", "controller.listener.names"),
    *("controller.quorum.voters", "controller.quorum.bootstrap.servers", "zookeeper.connect"),
)


def all_checks() -> list[StartupCheck]:
    """The checks that are no rules of `lint`, by id."""
    return [CHECKS[id] for id in sorted(CHECKS)]


class StartupJudge:
    """Judges a startup with the rules that declare refusals or silent changes."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [rule for rule in rules if rule.refuses or rule.changes]
        self.by_id = {rule.id: rule for rule in self.rules}
        self.policy = Policy(self.rules)

    def judge_releases(
        self, entity: Entity, releases: Sequence[Target], tree: VerdictTree, notes: NotedVerdicts | None = None
    ) -> list[StartupVerdict]:
        """The verdicts of several releases on one entity of those that share a tree."""
        verdicts, shared = [], shared_by_releases(entity, releases, notes or tree)
        for target in releases:
            entity.target = target
            verdicts.append(self.judge(entity, shared=shared, notes=notes))
        return verdicts

    def are_quiet(self, steps: Sequence[Step], entity: Entity, releases: Sequence[Target], tree: VerdictTree) -> bool:
        """Whether rules say nothing of some items at any of the releases."""
        shared = ReleaseVerdicts(entity, [target.version for target in releases], tree)
        distinct = {step[:2]: step for step in steps}
        for target in releases if distinct else ():
            open_steps = [step for key, step in distinct.items() if not shared.holds(*key, target.version)]
            if not open_steps:
                continue
            entity.target = target
            inputs = inputs_of(Snapshot(entity.name, [entity]))
            if not all(is_quiet(step, inputs, shared) for step in open_steps):
                return False
        return True

    def judge(
        self,
        entity: Entity,
        others: Sequence[Entity] = (),
        complete: bool = False,
        shared: VerdictTree | None = None,
        notes: NotedVerdicts | None = None,
    ) -> StartupVerdict:
        """The verdict on an entity beside the others of its cluster.

        `complete` says that nothing is added later, by code or by a template: what is not there is missing. `notes` take
        down what else than rules the verdict rests on.
        """
        verdict = StartupVerdict(entity.target.version)
        config = notes.config(entity) if notes is not None else Config(entity)
        report = self._judge(entity, others, shared)
        if complete and report.unknown:
            report = self._judge(with_lower_case_addresses(entity), others)
        self._sort(verdict, report, config, complete)
        if complete:
            verdict.reasons += missing_settings(config)
        else:
            verdict.unknown += [
                unknown(key, f"{key} is not in the file: the code has to set it", required_key_missing)
                for key in missing_required_keys(config)
            ]
            verdict.unknown += [
                unknown(row.key, f"{row.message}, unless the code sets it", row)
                for row in (*auto_commit_without_group(config), *contradictions(config))
            ]
        verdict.changed += changed_settings(config)
        verdict.reasons += node_refusals(config)
        verdict.reasons += creation_option_as_setting(config)
        of_worker = list(worker_refusals(config))
        verdict.later = [*of_worker, *(unknown(key, why) for key, why in streams_topology(config))]
        verdict.reasons += of_worker
        verdict.unknown += [unknown(key, reason) for key, reason in timed_parts(config)]
        clients = inner_clients(config)
        before = len(verdict.reasons), len(verdict.unknown)
        add(verdict, [(client, self.judge(client.entity, complete=complete)) for client in clients if client.made])
        verdict.later += [*verdict.reasons[before[0] :], *verdict.unknown[before[1] :]]
        verdict.later += streams_refusals(config)
        verdict.changed += unused_settings(config, clients)
        verdict.unknown += [unknown(key, reason) for key, reason in external_requirements(config)]
        verdict.unknown += [unknown(key, reason) for key, reason in streams_topology(config)]
        verdict.ignored = unknown_keys(config)
        verdict.reasons, verdict.changed = without_repetitions(verdict.reasons), without_repetitions(verdict.changed)
        verdict.unknown = without_repetitions(verdict.unknown)
        for row in (*verdict.reasons, *verdict.changed, *verdict.unknown, *verdict.later):
            row.entity, row.message = config.name, shown_text_of(row.message, (config,))
            if isinstance(row, Finding):
                place_finding(row, config, self.policy)
        return verdict

    def _judge(self, entity: Entity, others: Sequence[Entity], shared: VerdictTree | None = None) -> Report:
        return judge([Snapshot(entity.name, [entity, *others])], self.rules, self.policy, verdicts=shared)

    def _sort(self, verdict: StartupVerdict, report: Report, config: Config, complete: bool) -> None:
        for finding in report.findings:
            if finding.rule == CRASH:
                verdict.unknown.append(unknown(finding.key, finding.message, finding))
            elif finding.refused or finding.refused_if_assumed:
                finding.severity = "critical"
                verdict.reasons.append(finding)
            elif finding.changes:
                verdict.changed.append(finding)
        for row in report.unknown:
            if complete:
                verdict.reasons += judge_literal_placeholder(config, row.key, self.by_id[row.rule])
            elif self.by_id[row.rule].refuses:
                verdict.unknown.append(row)


def shared_by_releases(entity: Entity, releases: Sequence[Target], tree: VerdictTree) -> VerdictTree:
    """What keeps the verdicts on an entity for all releases; of one release there is nothing to keep."""
    return tree if len(releases) == 1 else ReleaseVerdicts(entity, [target.version for target in releases], tree)


def with_lower_case_addresses(entity: Entity) -> Entity:
    """The entity with its addresses in lower case, so that none reads like a placeholder WORD."""
    small = copy(entity)
    small.settings = dict(entity.settings)
    for key in ADDRESSES:
        if key in small.settings:
            small.settings[key] = copy(small.settings[key])
            setting = small.settings[key]
            setting.value, setting.shown = setting.value.lower(), setting.shown.lower()
    return small


def judge_literal_placeholder(config: Config, key: str | None, rule: Rule) -> Iterator[Finding]:
    """Kafka's refusal of a value that looks like a placeholder but is meant literally."""
    definition = config.definition(key) if key else None
    if key and definition is not None and key in config.settings and not config.settings[key].secret:
        text = config.settings[key].value
        why = values.refusal(definition, text)
        if why:
            yield refusal(rule, key, f"{text.strip() or 'empty'}: {why}")


def place_finding(finding: Finding, config: Config, policy: Policy) -> None:
    """Put a finding where its key stands, with the value that is written there, secrets masked."""
    setting = config.settings.get(finding.key or "")
    finding.place, finding.target = place_of(config, policy), config.release
    finding.used = finding.used and shown_text_of(finding.used, (config,))
    finding.file = finding.file or config.file
    if setting is not None:
        finding.value = finding.value or setting.shown
        if finding.line is None and setting.origin.line:
            finding.line, finding.column = setting.origin.line, setting.origin.column
            finding.source_line = source_line(setting)


def unknown_keys(config: Config) -> list[str]:
    """The keys that this release does not know, but another release does."""
    if config.entity.kind == "topic" or config.librdkafka or is_connector(config.entity):
        return []
    undefined = [key for key in config.settings if config.definition(key) is None]
    return [key for key in undefined if catalog.known_anywhere(config.resolve(key)[1])]
