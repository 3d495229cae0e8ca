"""The rule engine: judge a snapshot's subjects with the selected rules, into a report."""

from __future__ import annotations

from advisor.config import Config, client_facts
from advisor.config.cluster_config import ClusterConfig
from advisor.config.effective_settings import RELEASE
from advisor.engine.report import (
    Report,
    crash_finding,
    evidence_of,
    finding_of,
    finding_order,
    once_per_release,
    reason_of,
    shown_text_of,
    without_repetitions,
    without_replaced,
)
from advisor.engine.verdicts import Crash, RuleVerdict, VerdictTree, items_of
from advisor.facts import KRAFT, NOT_SAID, ZOOKEEPER
from advisor.model import (
    APPLICATION_KINDS,
    CLIENT_KINDS,
    DEFAULT,
    DEPLOYMENT,
    OF_CLUSTER,
    OVERLAY,
    SERVER_KINDS,
    Snapshot,
)
from advisor.model.finding import (
    FAIL,
    NOT_APPLICABLE,
    OFF,
    PASS,
    UNKNOWN,
    NotJudged,
)
from advisor.rule.rule_set import RuleSet, rule_set_of
from advisor.rule.subject import Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from advisor.engine.former_side import FormerSide
    from advisor.engine.policy import Policy
    from advisor.engine.report import Skipped
    from advisor.engine.verdicts import Known
    from advisor.engine.waivers import Waiver
    from advisor.model import Entity, Setting
    from advisor.rule import Rule

    Configs = tuple[Config, ...]


RACK, MIN_ISR = "broker.rack", "min.insync.replicas"
KNOW_THE_NODES = (*SERVER_KINDS, "topic")
"""Kinds whose rules may ask what the files of the nodes say together."""
FEW = 4
"""Subjects up to which nothing is remembered."""


def inputs_of(snapshot: Snapshot) -> dict[str, list[Config]]:
    """The subjects of a snapshot, by the input names of rules."""
    if snapshot.live is not None:
        from advisor.engine.subjects.live import inputs_of as inputs_of_live

        return inputs_of_live(snapshot, names_of)
    inputs: dict[str, list[Config]] = {}
    facts: dict[str, Hashable] = {}
    for entity in snapshot.entities:
        config = Config(entity, facts if entity.kind in KNOW_THE_NODES else client_facts(entity))
        for name in names_of(entity.kind):
            inputs.setdefault(name, []).append(config)
    for entity in snapshot.applications:
        inputs.setdefault("application", []).append(Config(entity))
    whole = (node for node in inputs.get("node", ()) if not node.entity.fragment)
    nodes = sorted(whole, key=lambda node: (node.entity.name, node.file or ""))
    facts.update(facts_of_nodes(nodes))
    sizes = brokers_by_cluster(inputs.get("broker", ()))
    controls = cruise_control_by_cluster(snapshot.entities)
    for topic in inputs.get("topic", ()):
        cluster = topic.entity.member_of
        topic.facts = {**facts, "brokers": sizes.get(cluster, 0), "cruise control": controls.get(cluster)}
    if declared := nodes or pieces_of(inputs.get("node", ())):
        inputs["declared_cluster"] = [ClusterConfig("cluster", snapshot.name, declared)]
    if nodes:
        inputs["cluster"] = [ClusterConfig("cluster", snapshot.name, nodes)]
        link_roles(inputs.get("broker", ()), inputs.get("controller", ()))
        if any(node.find("process.roles")[0] for node in nodes):
            inputs["quorum"] = [ClusterConfig("quorum", snapshot.name, nodes)]
    return inputs


def pieces_of(nodes: Sequence[Config]) -> list[Config]:
    """The pieces of nodes' files that say how many replicas a write needs: an operator's, a chart's or a service's."""
    return [node for node in nodes if node.entity.fragment and node.setting(MIN_ISR) is not None]


def link_roles(brokers: Sequence[Config], controllers: Sequence[Config]) -> None:
    """Let brokers answer what their controllers say, and nodes that are controllers alone what their brokers do."""
    for broker in brokers:
        broker.other_role = [node for node in controllers if node is not broker]
    for controller in controllers:
        if controller.entity.kind == "controller":
            controller.other_role = brokers


def facts_of_nodes(nodes: Sequence[Config]) -> dict[str, Hashable]:
    """What the files of nodes in one run say of each other and of the topics: who keeps the metadata, how many control, how many
    brokers a file counts (0: none does), how many nodes name a rack."""
    modes = {node.answer(("mode", ())) for node in nodes}
    metadata = next((mode for mode in (KRAFT, ZOOKEEPER) if mode in modes), NOT_SAID)
    controllers = sum(node.entity.kind in ("controller", "combined") for node in nodes)
    sizes = [node.entity.cluster_size for node in nodes if node.entity.cluster_size is not None]
    racks = sum(node.find(RACK)[0] is not None for node in nodes)
    return {
        "metadata": metadata,
        "controllers": controllers,
        "brokers": max(sizes, default=0),
        "racks": racks,
        "former brokers": 0,
    }


def brokers_by_cluster(brokers: Iterable[Config]) -> dict[object, int]:
    """How many brokers each cluster has that files count nodes and topics for (0: not known)."""
    sizes: dict[object, int] = {None: 0}
    for entity in (broker.entity for broker in brokers if broker.entity.member_of is not None):
        sizes[entity.member_of] = max(sizes.get(entity.member_of, 0), entity.cluster_size or 0)
    return sizes


def cruise_control_by_cluster(entities: Iterable[Entity]) -> dict[object, bool]:
    """Whether Cruise Control runs beside each cluster whose Kafka resource is among the files."""
    return {
        entity.member_of: "cruise.control" in entity.settings
        for entity in entities
        if entity.kind == DEPLOYMENT and entity.removal == OF_CLUSTER and entity.member_of is not None
    }


def names_of(kind: str) -> tuple[str, ...]:
    """The input names under which rules take an entity of this kind."""
    if kind in SERVER_KINDS:
        both = {"combined": ("broker", "controller"), OVERLAY: ("broker",)}.get(kind, (kind,))
        return ("config", "node", *both)
    if kind == DEPLOYMENT:
        return (kind,)
    if kind == "client":
        return ("config", "application", "client", "producer", "consumer")
    if kind in CLIENT_KINDS:
        return ("config", "application", "client", kind)
    return ("config", "application", kind) if kind in APPLICATION_KINDS else ("config", kind)


def judge(
    snapshots: Iterable[Snapshot],
    rules: RuleSet | Sequence[Rule],
    policy: Policy,
    waivers: Sequence[Waiver] = (),
    former: FormerSide | None = None,
    verdicts: VerdictTree | None = None,
) -> Report:
    """Judge every snapshot with the rules that the policy selects; against a former side also what changed."""
    snapshots, given, rules = tuple(snapshots), rules, rule_set_of(rules)
    change = None
    if former is not None:
        from advisor.engine.change_inputs import Change

        snapshots = snapshots or (Snapshot("removed", []),)
        change = Change(former, snapshots, inputs_of)
    policy.presume(snapshots)
    report = Report(snapshots, policy.profile)
    report.ref = former.ref if former else None
    if sum(len(snapshot.entities) for snapshot in snapshots if snapshot.live is None) > 1:
        from advisor.engine.subjects.equal import repeated_entities

        report.repeated_entities = repeated_entities(snapshots, policy)
    verdicts = verdicts or verdict_tree(sum(len(snapshot.entities) for snapshot in snapshots))
    known, chosen = verdicts.chosen(given, policy), {}
    for snapshot in snapshots:
        inputs = inputs_of(snapshot)
        if change is not None:
            change.add_to(inputs, snapshot, is_last=snapshot is snapshots[-1])
        present = frozenset(name for name, configs in inputs.items() if configs)
        if present not in known:
            known[present] = _by_inputs(rule for rule in rules.taking(present) if policy.selects(rule))
        chosen[present] = known[present]
        _judge_snapshot(snapshot, inputs, verdicts, chosen[present], policy, report)
    report.find_skipped = lambda: skipped(rules, policy, frozenset().union(*chosen))
    _silence(report, policy, waivers)
    report.profiles = policy.profiles_used(snapshots)
    without_replaced(report, (rule for by_inputs in chosen.values() for group in by_inputs.values() for rule in group))
    report.findings = without_repetitions(sorted(report.findings, key=finding_order))
    unknown = {(row.rule, row.entity, row.key or "", row.reason): row for row in report.unknown}
    report.unknown = [unknown[key] for key in sorted(unknown)]
    return report


def verdict_tree(subjects: int) -> VerdictTree:
    """What evaluates the rules for so many subjects."""
    if subjects <= FEW:
        return VerdictTree(remember=False)
    from advisor.engine.subjects.similar import SimilarSubjects

    return SimilarSubjects()


def skipped(rules: RuleSet, policy: Policy, present: frozenset[str]) -> list[Skipped]:
    """The rules that some input is missing for, and which."""
    chosen = (rule for rule in rules.names() if not present.issuperset(rule.inputs) and policy.selects(rule))
    rows = [(rule, tuple(name for name in rule.inputs if name not in present)) for rule in chosen]
    return sorted(rows, key=lambda row: row[0].id)


def _judge_snapshot(
    snapshot: Snapshot,
    inputs: dict[str, list[Config]],
    verdicts: VerdictTree,
    rules_by_inputs: dict[tuple[str, ...], list[Rule]],
    policy: Policy,
    report: Report,
) -> None:
    """Judge the subjects of one snapshot; what they share is said once."""
    report.begin(snapshot)
    before = len(report.findings)
    for names, group in rules_by_inputs.items():
        if names[0] != "partition":
            for configs in combinations(inputs, names, snapshot):
                settled = verdicts.settled(group, configs)
                report.add_settled(settled, configs)
                for rule, known in settled.others:
                    evaluate(verdicts, rule, configs, policy, report, known)
        else:
            from advisor.engine.partitions import judge_partitions

            judge_partitions(verdicts, group, inputs, policy, report)
    if snapshot.live is None:
        report.findings[before:] = once_per_release(report.findings[before:])
    else:
        from advisor.engine.shared_findings import of_the_cluster

        report.findings[before:] = of_the_cluster(report.findings[before:], snapshot)


def _silence(report: Report, policy: Policy, waivers: Sequence[Waiver]) -> None:
    """Move to the suppressed ones what comments, waivers and the baseline cover."""
    comments = [comment for snapshot in report.snapshots for comment in snapshot.suppressions]
    if comments and policy.heeds_comments:
        from advisor.engine.suppressions import apply

        apply(comments, report, policy)
    if waivers:
        from advisor.engine.waivers import waive

        waive(report, waivers, policy)
    if policy.baseline:
        from advisor.engine.baseline import suppress_known

        suppress_known(report, policy.baseline, policy.base)


def _by_inputs(rules: Iterable[Rule]) -> dict[tuple[str, ...], list[Rule]]:
    grouped: dict[tuple[str, ...], list[Rule]] = {}
    for rule in rules:
        grouped.setdefault(rule.inputs, []).append(rule)
    return grouped


def combinations(
    inputs: dict[str, list[Config]], names: tuple[str, ...], snapshot: Snapshot | None = None
) -> Iterator[Configs]:
    """Every combination of subjects for a rule's inputs."""
    if snapshot is not None and snapshot.live is not None and names[-1] == "topic" and len(names) > 1:
        from advisor.engine.partitions import clients_with_topics

        yield from clients_with_topics(inputs, names, snapshot.joined)
        return
    if "before" in names:
        yield from _with_former_selves(inputs, names, snapshot)
        return
    if len(names) == 1:
        elsewhere = {id(entity) for entity in snapshot.applications} if snapshot is not None else ()
        yield from ((config,) for config in inputs.get(names[0], ()) if id(config.entity) not in elsewhere)
        return
    paired = snapshot.paired if snapshot is not None and "topic" in names else frozenset()
    for config in inputs.get(names[0], ()):
        if id(config.entity) not in paired:
            yield from ((config, *others) for others in combinations(inputs, names[1:]))


def _with_former_selves(
    inputs: dict[str, list[Config]], names: tuple[str, ...], snapshot: Snapshot | None
) -> Iterator[Configs]:
    """Every combination of subjects whose first one has a former self, with that one where `before` stands.

    A broker that was a controller alone was no broker before: nothing of it as one has changed.
    """
    at = names.index("before")
    for configs in combinations(inputs, (*names[:at], *names[at + 1 :]), snapshot):
        before = configs[0].before
        if before is not None and not (names[0] == "broker" and before.entity.kind == "controller"):
            yield (*configs[:at], before, *configs[at:])


def evaluate(
    verdicts: VerdictTree, rule: Rule, configs: Configs, policy: Policy, report: Report, known: Known | None = None
) -> None:
    """Evaluate a rule for one combination of inputs and record the outcome in the report."""
    try:
        items = [(item, None) for item in items_of(rule, configs)] if known is None else known.items
        outcomes = {
            _record(verdict or verdicts.verdict(rule, configs, item), rule, configs, policy, report, verdicts, item)
            for item, verdict in items
        }
        passes = PASS in outcomes or (known is not None and known.passes)
        if passes and FAIL not in outcomes:
            report.add_passed(rule, configs, next((len(config.members) for config in configs if config.members), 1))
    except Unknown as unknown:
        kind, name = configs[0].name
        names = [member.name for member in configs[0].members] or [name]
        reason = shown_text_of(str(unknown), configs)
        report.unknown += [NotJudged(rule.id, rule.name, (kind, each), reason) for each in names]
    except Crash as crash:
        report.crashed = True
        report.findings.append(crash_finding(rule, str(crash), configs[0]))


def _record(
    verdict: RuleVerdict,
    rule: Rule,
    configs: Configs,
    policy: Policy,
    report: Report,
    verdicts: VerdictTree,
    item: object = None,
) -> str:
    """Record a verdict in the report; returns the outcome, which is *not applicable* for what does not count."""
    outcome = verdict.outcome
    subject_group = next((config for config in configs if config.members), None)
    if subject_group is not None and outcome in (FAIL, UNKNOWN):
        from advisor.engine.partitions import with_member

        for member in subject_group.members:
            outcome = _record(
                verdict, rule, with_member(configs, subject_group, member), policy, report, verdicts, item
            )
        return outcome
    if outcome == FAIL and (_is_off(rule, configs, policy) or _is_left_out(rule, verdict, configs)):
        outcome = NOT_APPLICABLE
    undecides = _left_to_others if rule.is_of_change else _undecided
    undecided = undecides(verdict, configs) if outcome == FAIL else ""
    outcome = UNKNOWN if undecided else outcome
    if outcome == PASS:
        report.passed += len(subject_group.members) if subject_group else 1
    elif outcome == NOT_APPLICABLE:
        report.not_applicable += len(subject_group.members) if subject_group else 1
    elif outcome == UNKNOWN:
        key = shown_text_of(item, configs) if isinstance(item, str) else None
        report.unknown.append(
            NotJudged(rule.id, rule.name, configs[0].name, undecided or reason_of(verdict, configs), key)
        )
    else:
        finding = finding_of(rule, verdict, configs, policy, _assumed(rule, verdict, configs, verdicts, item))
        if rule.is_of_change:
            from advisor.engine.change_findings import describe_change

            describe_change(finding, rule, verdict, configs, report.ref)
        finding.repeated = report.is_repeated(configs)
        report.findings.append(finding)
    return outcome


def _assumed(rule: Rule, verdict: RuleVerdict, configs: Configs, verdicts: VerdictTree, item: object) -> str:
    """Which releases refuse, where the release is assumed and not all of them do."""
    problem, target = verdict.problem, configs[0].entity.target
    if problem is None or not problem.refused or problem.likely or target.given:
        return ""
    from advisor.engine.assumed_release import is_assumed, releases_refusing

    return releases_refusing(rule, verdict, configs, item, verdicts) if is_assumed(configs) else ""


def _is_off(rule: Rule, configs: Configs, policy: Policy) -> bool:
    return policy.severity(rule, configs[0].file) == OFF


def _is_left_out(rule: Rule, verdict: RuleVerdict, configs: Configs) -> bool:
    """Whether a finding is about nothing but what a fragment leaves to others."""
    if rule.is_of_change or not any(config.entity.fragment for config in configs):
        return False
    return all(_leaves_out(configs[at.input], at.key) for at in verdict.places)


def _left_to_others(verdict: RuleVerdict, configs: Configs) -> str:
    """Why it is not certain that a setting has changed which a fragment leaves to others now, and did not in that way before."""
    config, before = configs[0], configs[0].before
    left = (at.key for at in verdict.places if at.input == 0 and _leaves_out(config, at.key))
    new = (key for key in left if before is None or _is_left_anew(config, before.setting(key), before.entity.fragment))
    return next((f"{key} is not set here: {config.entity.fragment}" for key in new), "")


def _is_left_anew(config: Config, setting: Setting | None, fragment: str) -> bool:
    """Whether others may set from now on what a file set before: it was no such fragment, or set it on a condition."""
    return config.entity.fragment != fragment or (setting is not None and setting.conditional)


def _undecided(verdict: RuleVerdict, configs: Configs) -> str:
    """Why a node's refusal is not certain: a key that a fragment leaves to others decides, too."""
    if verdict.problem is None or not verdict.problem.refused:
        return ""
    pieces = {config.name: config for config in configs if config.entity.fragment and config.name[0] in SERVER_KINDS}
    for row in evidence_of(verdict, configs) if pieces else ():
        if row.entity in pieces and row.source == DEFAULT and row.key not in (RELEASE, "process.roles"):
            return f"{row.key} is not set here: {pieces[row.entity].entity.fragment}"
    return ""


def _leaves_out(config: Config, key: str) -> bool:
    """Whether a key is one that a fragment does not set; what a running cluster says is not a setting."""
    return bool(config.entity.fragment) and config.setting(key) is None and key not in config.facts
