"""The plan for configuration files: the lines to change, judged again as changed, and what that leaves to do.

A change is part of the plan if its lines can be edited, its findings go by it, and nothing of medium severity or above appears.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.advice.aims import BY_HAND, Aim, aims_by_rule, by_aim
from advisor.analysis.advice.files.changes import ByPlace, changed_at, changes_by_place, own_changes
from advisor.analysis.advice.files.cluster_wide_min_isr import any_is_shadowed_by_elr, cluster_wide_min_isr
from advisor.analysis.advice.files.existing_topics import EXISTING_TOPICS, existing_topics, rests_on_existing_topics
from advisor.analysis.advice.files.judged_once import JudgedOnce
from advisor.analysis.advice.files.restart_count import nodes_restarted
from advisor.analysis.advice.files.trial import Originals, Trial, change_all, run_together
from advisor.analysis.advice.plan import ONE_BROKER, AdvicePlan, Judge, left_by_hand
from advisor.analysis.advice.step import Cost, PlanStep
from advisor.analysis.advice.step_effect import compare, missing_from
from advisor.edits.change import FileChange
from advisor.edits.text import FileText
from advisor.model import CLIENT_KINDS, SERVER_KINDS, Snapshot
from advisor.model.finding import WORST_FIRST, Finding
from advisor.rule import Rule

MOST_JUDGED = 4_000
"""Files that change times entities, above which the plan is judged before its first step and behind its last one alone."""


def plan_for_files(snapshots: Sequence[Snapshot], rules: Sequence[Rule], judge: Judge) -> AdvicePlan:
    """The plan for files: a step for each of them, whatever it describes."""
    judge = JudgedOnce(judge, snapshots)
    plan = AdvicePlan(joined(snapshots), ONE_BROKER, 0, findings=judge(snapshots))
    aims, originals = aims_by_rule(rules), Originals(snapshots)
    texts: dict[str, FileText | None] = {}
    trials = [Trial(snapshot, own, files=texts) for snapshot, own in zip(snapshots, judge.each(snapshots), strict=True)]
    run_together(
        (change_all(trial, by_aim(trial.findings, aims), originals, plan.obstacles) for trial in trials), judge.each
    )
    changes = [change for trial in trials for change in trial.changes]
    by_file: dict[str, list[FileChange]] = {}
    for change in changes:
        by_file.setdefault(change.file, []).append(change)
    plan.steps += [file_step(file, own, snapshots, originals, texts.get(file)) for file, own in by_file.items()]
    together = len(by_file) * len(plan.before.entities) > MOST_JUDGED
    plan.left = (_judge_together if together else _judge_one_by_one)(plan, snapshots, trials, judge)
    for step in plan.steps:
        step.why = why_of(step)
        step.risks = (*filter(None, [step.risk]), *cares_by_key(step))
        step.risk = risk_of(step)
    if rests_on_existing_topics(changes, plan.before):
        first = existing_topics()
        for step in plan.steps:
            step.needs = (first.id,)
        plan.steps.insert(0, first)
    if any_is_shadowed_by_elr(changes, plan.before):
        plan.steps.append(cluster_wide_min_isr([step.id for step in plan.steps if step.id == EXISTING_TOPICS]))
    plan.by_hand = [*left_by_hand(plan, by_aim(plan.findings, aims)), *((finding, Aim(BY_HAND)) for finding in missing_from(plan.left, plan.findings))]  # fmt: skip
    return plan


def _judge_one_by_one(
    plan: AdvicePlan, snapshots: Sequence[Snapshot], trials: Sequence[Trial], judge: Judge
) -> Sequence[Finding]:
    """What each step removes and adds behind those before it; returns what all of them leave."""
    after, by_file = list(snapshots), numbers_by_file(snapshots)
    for step in plan.steps:
        numbers = by_file.get(file_of(step), [])
        before = [after[number] for number in numbers]
        by_place = changes_by_place(step.file_changes)
        for number in numbers:
            after[number] = changed_by(by_place, after[number], trials[number])
        compare(step, judge(before), judge([after[number] for number in numbers]))
    return judge(after) if plan.steps else plan.findings


def _judge_together(
    plan: AdvicePlan, snapshots: Sequence[Snapshot], trials: Sequence[Trial], judge: Judge
) -> Sequence[Finding]:
    """What all steps leave; each removes and adds the findings of its own file."""
    left = judge([trial.snapshot for trial in trials])
    before, after = _by_file(plan.findings), _by_file(left)
    for step in plan.steps:
        compare(step, before.get(file_of(step), []), after.get(file_of(step), []))
    return left


def numbers_by_file(snapshots: Sequence[Snapshot]) -> dict[str | None, list[int]]:
    """The numbers of the snapshots that a file describes, by file; changes of its lines leave them as they are."""
    numbers: dict[str | None, list[int]] = {}
    for number, snapshot in enumerate(snapshots):
        for file in {entity.file for entity in snapshot.entities}:
            numbers.setdefault(file, []).append(number)
    return numbers


def _by_file(findings: Sequence[Finding]) -> dict[str | None, list[Finding]]:
    grouped: dict[str | None, list[Finding]] = {}
    for finding in findings:
        grouped.setdefault(finding.file, []).append(finding)
    return grouped


def file_of(step: PlanStep) -> str:
    """The file that a step changes."""
    return step.file_changes[0].file


def joined(snapshots: Sequence[Snapshot]) -> Snapshot:
    """All that the files describe, under their names."""
    entities = [entity for snapshot in snapshots for entity in snapshot.entities]
    names = list(dict.fromkeys(entity.file for entity in entities if entity.file)) or [each.name for each in snapshots]
    name = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return Snapshot(name, entities)


def file_step(
    file: str,
    changes: Sequence[FileChange],
    snapshots: Sequence[Snapshot],
    originals: Originals,
    text: FileText | None,
) -> PlanStep:
    """The step of one file, with what it takes to make it count."""
    names = {change.entity for change in changes}
    entities = [row for snapshot in snapshots for row in snapshot.entities if row.file == file and row.name in names]
    servers = [row for row in entities if row.kind in SERVER_KINDS]
    clients = len({row.name for row in entities if row.kind in CLIENT_KINDS})
    restarts = nodes_restarted(changes, snapshots, originals.sizes)
    return PlanStep(f"file:{file}", f"Change {file}", "", tuple(changes), cost=Cost(restarts=restarts, clients=clients),
                risk="restart brokers one by one, each when every replica is in sync again" if servers else "",
                text=text, splices=[*dict.fromkeys(originals.splices[change] for change in changes)])  # fmt: skip


def changed_by(by_place: ByPlace, before: Snapshot, trial: Trial) -> Snapshot:
    """A snapshot after a step: that of its trial, which is judged already, where the step makes the same changes."""
    if before is trial.original:
        own = {change for entity in before.entities for change in own_changes(entity, by_place)}
        if own == set(trial.changes):
            return trial.snapshot
    return changed_at(by_place, before)


def why_of(step: PlanStep) -> str:
    """What is wrong with the lines, the worst first."""
    rows = sorted(step.removes, key=lambda finding: WORST_FIRST.index(finding.severity))
    return "; ".join(dict.fromkeys(f"{row.severity}: {row.message}" for row in rows))


def cares_by_key(step: PlanStep) -> Iterator[str]:
    """What the rules say of their fixes, each behind the keys that it is said of."""
    keys: dict[str, dict[str, None]] = {}
    for finding in step.removes:
        if finding.care:
            keys.setdefault(finding.care, {})[finding.key or finding.rule] = None
    yield from (f"{', '.join(names)}: {care}" for care, names in keys.items())


def risk_of(step: PlanStep) -> str:
    """What can go wrong: what the rules say of their fixes."""
    cares = dict.fromkeys(finding.care for finding in step.removes if finding.care)
    sentences = [f"{step.risk}."] if step.risk else []
    return " ".join(text[:1].upper() + text[1:] for text in [*sentences, *cares])
