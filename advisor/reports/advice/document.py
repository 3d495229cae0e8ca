"""The document of `advise`: the steps in order, each with why, how, what it costs, and what the cluster stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from advisor.analysis.advice.aims import REASONS, Aim
from advisor.analysis.advice.changes import Reassignment
from advisor.analysis.advice.commands import commands_of, file_lines, file_name
from advisor.analysis.advice.odds import ClassOdds
from advisor.analysis.advice.plan import AdvicePlan
from advisor.analysis.advice.step import PlanStep
from advisor.model.finding import WORST_FIRST, Finding
from advisor.reports.document.blocks import Document, Field, Item, Items, Section, Sentence, Step, Steps
from advisor.reports.impact.words import bytes_text, counted
from advisor.reports.odds_sentences import how_often, significant
from advisor.simulator.odds import ASSUMPTIONS, CAUSES, Rates

CODES = {text: code for code, text in REASONS.items()}
"""The words for why no command follows."""
RESTARTS_SHOWN = 12
"""Nodes whose order of restarts is shown."""
COMMANDS_SHOWN = 5
"""Commands of a step that are shown; the script has all."""
OBSTACLES_SHOWN = 3
"""What has the same obstacle that is named; the JSON has all."""
LEAST_MOVE = 0.05
"""By how much an assumption must move the odds to be named."""
RUN, EDIT, DO = "run", "edit", "do"
"""The labels of what to do."""


def document(plan: AdvicePlan, rates: Rates) -> Document:
    """The plan."""
    obstacles = [f"in the way: {obstacle}" for obstacle in obstacles_shown(plan.obstacles)]
    return Document(
        headline(plan),
        blocks=[Items(obstacles)] if obstacles else [],
        sections=list(sections(plan, rates)),
        summary=last_line(plan),
    )


def obstacles_shown(obstacles: Sequence[str]) -> Iterator[str]:
    """The obstacles, each reason once; of what more than a few share, the first are named."""
    subjects: dict[str, list[str]] = {}
    for obstacle in obstacles:
        subject, _, reason = obstacle.rpartition(": ")
        subjects.setdefault(reason, []).append(subject)
    for reason, own in subjects.items():
        if len(own) <= OBSTACLES_SHOWN:
            yield from (f"{subject}: {reason}" if subject else reason for subject in own)
        else:
            named = "; ".join(own[:OBSTACLES_SHOWN])
            yield f"{reason}: {named}; and {len(own) - OBSTACLES_SHOWN} more (--format json names them)"


def sections(plan: AdvicePlan, rates: Rates) -> Iterator[Section]:
    """The steps, what they are worth, what is left to decide, and what was not read."""
    if plan.steps:
        yield Section("The plan", [Steps([step_of(step, plan) for step in plan.steps])], titled=False)
    if plan.stopped:
        yield Section("", [Sentence(f"The plan stops here: {plan.stopped}.")])
    odds = plan.odds(rates)
    if odds:
        rows = [class_item(row) for row in odds]
        yield Section("Odds (acks=all; estimates, see kafka-advisor simulate)", [Items(rows, shown=len(rows))])
    if plan.by_hand:
        by_rule = list(by_hand_rows(plan.by_hand))
        yield Section("Decide by hand", [Items(by_rule, shown=len(by_rule))])
    if plan.unknown:
        yield Section("Not read", [Sentence(row, "unknown") for row in plan.unknown], apart=False, titled=False)


def headline(plan: AdvicePlan) -> str:
    """The goal and the number of steps."""
    live = plan.before.live
    if live is None:
        return f"{counted(len(plan.steps), 'step')} for {plan.before.name}"
    goal = plan.goal.replace("-", " ")
    return f"cluster {live.name}: {counted(len(plan.steps), 'step')} towards surviving the loss of {goal}"


def step_of(step: PlanStep, plan: AdvicePlan) -> Step:
    """One step."""
    state = f"−{len(step.removes)} finding{'s' if len(step.removes) != 1 else ''}" if step.rules else ""
    return Step(step.title, tuple(fields(step, plan)), remark=removed(step), state=state)


def fields(step: PlanStep, plan: AdvicePlan) -> Iterator[Field]:
    """Why, how, what it costs, and what it needs."""
    yield Field("why", step.why)
    yield from (Field(label, line, label in (RUN, EDIT)) for label, line in actions(step, plan.throttle))
    yield Field("cost", cost_text(step))
    yield from (Field("risk", line) for line in risk_lines(step))
    if step.adds:
        yield Field("adds", ", ".join(sorted({f"{finding.rule} ({finding.severity})" for finding in step.adds})))
    numbers = [str(number) for number, other in enumerate(plan.steps, 1) if other.id in step.needs]
    if numbers:
        yield Field("after", f"step{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}")


def risk_lines(step: PlanStep) -> Sequence[str]:
    """What can go wrong with a step, a line each."""
    return step.risks or tuple(filter(None, [step.risk]))


def removed(step: PlanStep) -> str:
    """The rules whose findings a step resolves."""
    rules = [f"{rule}{f' ×{count}' if count > 1 else ''}" for rule, count in step.rules.items()]
    return f"[{', '.join(rules)}]" if rules else ""


def actions(step: PlanStep, throttle: int) -> Iterator[tuple[str, str]]:
    """What to do, each line with its label: commands, a file's diff, and what is done by hand."""
    moves = [change for change in step.changes if isinstance(change, Reassignment)]
    if moves:
        topics = {move.topic for move in moves}
        counts = f"{counted(len(moves), 'partition')} of {counted(len(topics), 'topic')}"
        yield DO, f"{counts} to {file_name(step)} (--format script writes it)"
    commands = commands_of(step, throttle)
    for command in commands[:COMMANDS_SHOWN]:
        yield RUN, command.change
        if command.finish:
            yield RUN, f"{command.finish}   # again until it says completed: that ends the throttle"
    if len(commands) > COMMANDS_SHOWN:
        yield DO, f"… and {counted(len(commands) - COMMANDS_SHOWN, 'command')} more (--format script has them all)"
    yield from ((EDIT, line.rstrip("\r\t")) for line in step.file_diff(with_context=False))
    yield from ((DO, line) for line in (*file_lines(step), *step.by_hand))


def cost_text(step: PlanStep) -> str:
    """What a step costs."""
    cost = step.cost
    parts = []
    if cost.bytes is None:
        parts.append("bytes unknown, because the brokers did not say how large the replicas are")
    elif cost.bytes:
        parts.append(f"{bytes_text(cost.bytes)} to copy, {time_text(cost.minutes or 0)} at the throttle")
    if cost.restarts:
        order = f" ({', '.join(step.restarts)})" if 0 < len(step.restarts) <= RESTARTS_SHOWN else ""
        parts.append(f"{counted(cost.restarts, 'restart')}{order}")
    if cost.clients:
        parts.append(f"{counted(cost.clients, 'client')} to deploy")
    return ", ".join(parts) or "no restart"


def time_text(minutes: float) -> str:
    """How long a copy takes."""
    if minutes >= 1:
        return f"about {significant(minutes)} minutes"
    return f"about {significant(60 * minutes)} seconds" if minutes >= 0.1 else "some seconds"


def class_item(row: ClassOdds) -> Item:
    """What the plan is worth for one class of topics."""
    lost = f"records lost: {how_often(row.losses[0])} -> {how_often(row.losses[1])}; now mostly {CAUSES[row.contributor[1]]}"
    minutes = f"without writes: {significant(row.minutes[0])} -> {significant(row.minutes[1])} minutes a year"
    moved = ", ".join(
        f"{ASSUMPTIONS[name][1]} (×{significant(factor)})"
        for name, factor in row.movers
        if abs(factor - 1) >= LEAST_MOVE
    )
    doubled = (f"doubled, these move it most: {moved}",) if moved else ()
    return Item(f"{counted(row.topics, 'topic')}: {row.before} -> {row.after}", (lost, minutes, *doubled))


def by_hand_rows(pairs: Sequence[tuple[Finding, Aim]]) -> Iterator[str]:
    """What is left to decide, by rule."""
    by_rule: dict[str, list[tuple[Finding, Aim]]] = {}
    for finding, aim in sorted(pairs, key=lambda pair: WORST_FIRST.index(pair[0].severity)):
        by_rule.setdefault(finding.rule, []).append((finding, aim))
    for rule, rows in by_rule.items():
        finding, aim = rows[0]
        subjects = f"{' '.join(finding.entity)}{f' and {len(rows) - 1} more' if len(rows) > 1 else ''}"
        why = f" ({CODES.get(aim.why, aim.why)})" if aim.why else ""
        yield f"{finding.severity}: {rule} {subjects}: {finding.fix}{why}"
    for why in dict.fromkeys(aim.why for _, aim in pairs if aim.why in CODES):
        yield f"{CODES[why]}: {why}"


def last_line(plan: AdvicePlan) -> str:
    """Findings before and after."""
    return f"Findings: {counts_text(plan.findings)} -> {counts_text(plan.left)}"


def counts_text(findings: Sequence[Finding]) -> str:
    """How many findings there are of each severity."""
    counts: Mapping[str, int] = {
        severity: sum(finding.severity == severity for finding in findings) for severity in WORST_FIRST
    }
    return ", ".join(f"{count} {severity}" for severity, count in counts.items() if count) or "none"
