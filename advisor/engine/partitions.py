"""How rules are judged where thousands of topics share an answer: once for all, and then told topic by topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.config.subject_group import SubjectGroup
from advisor.engine.report import crashed, finding_of, reason_of
from advisor.engine.verdicts import Crash
from advisor.model import Member
from advisor.model.finding import FAIL, NOT_APPLICABLE, PASS, UNKNOWN, NotJudged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from advisor.config import Config
    from advisor.engine.policy import Policy
    from advisor.engine.report import Report
    from advisor.engine.verdicts import Verdict, VerdictTree
    from advisor.rule import Rule

    Configs = tuple[Config, ...]
    Inputs = dict[str, list[Config]]
    Said = tuple[Verdict, Configs]

WORST_FIRST = (FAIL, UNKNOWN, PASS, NOT_APPLICABLE)


def alone(configs: Configs, crowd: Config, member: Member) -> Configs:
    """The inputs with one member in the place of its crowd."""
    assert isinstance(crowd, SubjectGroup)
    return tuple(crowd.one(member) if config is crowd else config for config in configs)


def judge_partitions(judge: VerdictTree, rules: Sequence[Rule], inputs: Inputs, policy: Policy, report: Report) -> None:
    """Judge every kind of partition once, and give each topic the worst outcome that one of its partitions has."""
    for rule in rules:
        others = [inputs.get(name, []) for name in rule.inputs[1:]]
        if any(not other for other in others):
            continue
        rest = tuple(other[0] for other in others)
        try:
            _judge(judge, rule, inputs.get("partition", []), rest, policy, report)
        except Crash as crash:
            report.crashed = True
            report.findings.append(crashed(rule, str(crash), inputs["partition"][0]))


def _judge(
    judge: VerdictTree, rule: Rule, crowds: Sequence[Config], rest: Configs, policy: Policy, report: Report
) -> None:
    by_topic: dict[str, list[tuple[Said, Member]]] = {}
    outcomes: dict[str, str] = {}
    for crowd in crowds:
        verdict = judge.verdict(rule, (crowd, *rest))
        better = WORST_FIRST[: WORST_FIRST.index(verdict.outcome)]
        for member in crowd.members:
            if outcomes.get(member.name) not in better:
                outcomes[member.name] = verdict.outcome
            if verdict.outcome in (FAIL, UNKNOWN):
                by_topic.setdefault(member.name, []).append(((verdict, (crowd, *rest)), member))
    for name, outcome in outcomes.items():
        if outcome == PASS:
            report.passed += 1
        elif outcome == NOT_APPLICABLE:
            report.not_applicable += 1
        else:
            _tell(rule, [row for row in by_topic[name] if row[0][0].outcome == outcome], policy, report)


def _tell(rule: Rule, rows: list[tuple[Said, Member]], policy: Policy, report: Report) -> None:
    (verdict, configs), member = max(rows, key=_step)
    own = alone(configs, configs[0], member)
    if verdict.outcome == UNKNOWN:
        report.unknown.append(NotJudged(rule.id, rule.name, own[0].name, reason_of(verdict, own)))
        return
    finding = finding_of(rule, verdict, own, policy)
    finding.partitions = tuple(sorted(part.id for _, each in rows for part in each.partitions))
    report.findings.append(finding)


def _step(row: tuple[Said, Member]) -> tuple[int, int]:
    """Worst first, then by the first partition."""
    (verdict, _), member = row
    return verdict.problem.step if verdict.problem else 0, -min((part.id for part in member.partitions), default=0)


def joined(inputs: Inputs, names: tuple[str, ...], wanted: Mapping[str, tuple[str, ...]]) -> Iterator[Configs]:
    """The clients with the topics that they were said to use; a name may hold * and ?."""
    from fnmatch import fnmatchcase

    for client in inputs.get(names[0], ()):
        patterns = wanted.get(client.file or "", ())
        for crowd in inputs.get("topic", ()):
            for member in crowd.members:
                if any(fnmatchcase(member.name, pattern) for pattern in patterns):
                    assert isinstance(crowd, SubjectGroup)
                    yield (client, crowd.one(member))
