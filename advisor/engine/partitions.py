"""Judge subject groups: once for all partitions or topics that answer alike, reported topic by topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from advisor.config import Config
from advisor.config.subject_group import SubjectGroup
from advisor.engine.report import Report, crash_finding, finding_of, reason_of
from advisor.engine.verdicts import Crash, RuleVerdict, VerdictTree
from advisor.model import Member
from advisor.model.finding import FAIL, NOT_APPLICABLE, PASS, UNKNOWN, NotJudged
from advisor.rule import Rule

if TYPE_CHECKING:
    from advisor.engine.policy import Policy

    Configs = tuple[Config, ...]
    Inputs = dict[str, list[Config]]

WORST_FIRST = (FAIL, UNKNOWN, PASS, NOT_APPLICABLE)


class GroupVerdict(NamedTuple):
    """The verdict on a subject group of partitions, and why it is unknown."""

    verdict: RuleVerdict
    configs: Configs
    reason: str


def with_member(configs: Configs, subject_group: Config, member: Member) -> Configs:
    """The inputs with one member in place of its subject group."""
    assert isinstance(subject_group, SubjectGroup)
    return tuple(subject_group.for_member(member) if config is subject_group else config for config in configs)


def judge_partitions(judge: VerdictTree, rules: Sequence[Rule], inputs: Inputs, policy: Policy, report: Report) -> None:
    """Judge every subject group of partitions once; a topic gets the worst outcome of its partitions."""
    for rule in rules:
        others = [inputs.get(name, []) for name in rule.inputs[1:]]
        if any(not other for other in others):
            continue
        other_inputs = tuple(other[0] for other in others)
        try:
            _judge(judge, rule, inputs.get("partition", []), other_inputs, policy, report)
        except Crash as crash:
            report.crashed = True
            report.findings.append(crash_finding(rule, str(crash), inputs["partition"][0]))


def _judge(
    judge: VerdictTree,
    rule: Rule,
    subject_groups: Sequence[Config],
    other_inputs: Configs,
    policy: Policy,
    report: Report,
) -> None:
    by_topic: dict[str, list[tuple[GroupVerdict, Member]]] = {}
    outcomes: dict[str, str] = {}
    for subject_group in subject_groups:
        group_verdict = _verdict_on(judge, rule, (subject_group, *other_inputs))
        outcome = group_verdict.verdict.outcome
        better = WORST_FIRST[: WORST_FIRST.index(outcome)]
        for member in subject_group.members:
            if outcomes.get(member.name) not in better:
                outcomes[member.name] = outcome
            if outcome in (FAIL, UNKNOWN):
                by_topic.setdefault(member.name, []).append((group_verdict, member))
    for name, outcome in outcomes.items():
        if outcome == PASS:
            report.passed += 1
            report.add_passed(rule, ())
        elif outcome == NOT_APPLICABLE:
            report.not_applicable += 1
        else:
            _tell(rule, [row for row in by_topic[name] if row[0].verdict.outcome == outcome], policy, report)


def _verdict_on(judge: VerdictTree, rule: Rule, configs: Configs) -> GroupVerdict:
    verdict = judge.verdict(rule, configs)
    return GroupVerdict(verdict, configs, reason_of(verdict, configs) if verdict.outcome == UNKNOWN else "")


def _tell(rule: Rule, rows: list[tuple[GroupVerdict, Member]], policy: Policy, report: Report) -> None:
    (verdict, configs, reason), member = max(rows, key=_step)
    if verdict.outcome == UNKNOWN:
        name = (configs[0].entity.kind, member.name)
        report.unknown.append(NotJudged(rule.id, rule.name, name, reason))
        return
    finding = finding_of(rule, verdict, with_member(configs, configs[0], member), policy)
    finding.partitions = tuple(sorted(partition.id for _, each in rows for partition in each.partitions))
    report.findings.append(finding)


def _step(row: tuple[GroupVerdict, Member]) -> tuple[int, int]:
    """Sort key: the most severe first, then the lowest partition."""
    (verdict, _, _), member = row
    return verdict.problem.step if verdict.problem else 0, -min(
        (partition.id for partition in member.partitions), default=0
    )


def clients_with_topics(
    inputs: Inputs, names: tuple[str, ...], wanted: Mapping[str, tuple[str, ...]]
) -> Iterator[Configs]:
    """Each joined client with each topic it uses; a topic name may be a pattern with * and ?."""
    from fnmatch import fnmatchcase

    for client in inputs.get(names[0], ()):
        patterns = wanted.get(client.file or "", ())
        for subject_group in inputs.get("topic", ()):
            for member in subject_group.members:
                if any(fnmatchcase(member.name, pattern) for pattern in patterns):
                    assert isinstance(subject_group, SubjectGroup)
                    yield (client, subject_group.for_member(member))
