"""Output of `advise` as text: the steps in order, each with why, how, what it costs, and what the cluster stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from advisor.analysis.advice.aims import REASONS, Aim
from advisor.analysis.advice.changes import FileChange, Reassignment
from advisor.analysis.advice.commands import commands_of, file_lines, file_name
from advisor.analysis.advice.odds import ClassOdds
from advisor.analysis.advice.plan import Plan
from advisor.analysis.advice.step import Step
from advisor.errors import printable as clean
from advisor.model.finding import WORST_FIRST, Finding
from advisor.reports.advice.file_diff import file_diff
from advisor.reports.impact.words import bytes_text, counted
from advisor.reports.odds_sentences import how_often, significant
from advisor.simulator.odds import ASSUMPTIONS, CAUSES, Rates

CODES = {text: code for code, text in REASONS.items()}
"""The words for why no command follows."""
SHOWN = 5
LEAST_MOVE = 0.05
RUN, EDIT, DO = "run", "edit", "do"
VERBATIM = tuple(f"   {label}:" for label in (RUN, EDIT))
"""Commands of a step that are shown (the script has all), and by how much an assumption must move the odds to be named;
the labels of lines, and the lines that are copied as they are."""


def text(plan: Plan, rates: Rates) -> Iterator[str]:
    """The plan as lines of text."""
    yield headline(plan)
    yield from (f"  in the way: {clean(obstacle)}" for obstacle in plan.obstacles)
    for number, step in enumerate(plan.steps, 1):
        yield ""
        yield from step_lines(number, step, plan)
    if plan.stopped:
        yield from ("", f"The plan stops here: {plan.stopped}.")
    yield from odds_lines(plan, rates)
    yield from by_hand_lines(plan.by_hand)
    yield from (f"unknown: {clean(row)}" for row in plan.unknown)
    yield from ("", last_line(plan))


def headline(plan: Plan) -> str:
    """The goal and the number of steps."""
    live = plan.before.live
    if live is None:
        return f"{counted(len(plan.steps), 'step')} for {clean(plan.before.name)}"
    goal = plan.goal.replace("-", " ")
    return f"cluster {clean(live.name)}: {counted(len(plan.steps), 'step')} towards surviving the loss of {goal}"


def step_lines(number: int, step: Step, plan: Plan) -> Iterator[str]:
    """One step."""
    yield f"{number}. {step.title}"
    yield f"   why:    {clean(step.why)}{removed(step)}"
    yield from (f"   {label + ':':<7} {clean(line)}" for label, line in actions(step, plan.throttle))
    yield f"   cost:   {cost_text(step)}"
    if step.risk:
        yield f"   risk:   {clean(step.risk)}"
    if step.adds:
        rules = ", ".join(sorted({f"{finding.rule} ({finding.severity})" for finding in step.adds}))
        yield f"   adds:   {rules}"
    needs = [need for need in step.needs if any(other.id == need for other in plan.steps)]
    if needs:
        numbers = [str(at) for at, other in enumerate(plan.steps, 1) if other.id in needs]
        yield f"   after:  step{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"


def removed(step: Step) -> str:
    """The rules whose findings go."""
    rules = [f"{rule}{f' ×{count}' if count > 1 else ''}" for rule, count in step.rules.items()]
    return f" [{', '.join(rules)}]" if rules else ""


def actions(step: Step, throttle: int) -> Iterator[tuple[str, str]]:
    """What to do, each line with its label: commands, a file's diff, and what is done by hand."""
    moves = [change for change in step.changes if isinstance(change, Reassignment)]
    if moves:
        topics = {move.topic for move in moves}
        counts = f"{counted(len(moves), 'partition')} of {counted(len(topics), 'topic')}"
        yield DO, f"{counts} to {file_name(step)} (--format script writes it)"
    commands = commands_of(step, throttle)
    for command in commands[:SHOWN]:
        yield RUN, command.change
        if command.finish:
            yield RUN, f"{command.finish}   # again until it says completed: that ends the throttle"
    if len(commands) > SHOWN:
        yield DO, f"… and {counted(len(commands) - SHOWN, 'command')} more (--format script has them all)"
    in_file = [change for change in step.changes if isinstance(change, FileChange)]
    yield from ((EDIT, line.rstrip("\r\t")) for line in (file_diff(in_file) if in_file else ()))
    yield from ((DO, line) for line in (*file_lines(step.changes), *step.by_hand))


def cost_text(step: Step) -> str:
    """What a step costs."""
    cost = step.cost
    parts = []
    if cost.bytes is None:
        parts.append("bytes unknown, because the brokers did not say how large the replicas are")
    elif cost.bytes:
        minutes = f"about {significant(cost.minutes or 0)} minutes" if (cost.minutes or 0) >= 0.1 else "some seconds"
        parts.append(f"{bytes_text(cost.bytes)} to copy, {minutes} at the throttle")
    if cost.restarts:
        parts.append(counted(cost.restarts, "restart"))
    if cost.clients:
        parts.append(f"{counted(cost.clients, 'client')} to deploy")
    return ", ".join(parts) or "no restart"


def odds_lines(plan: Plan, rates: Rates) -> Iterator[str]:
    """What the plan is worth, for each class of topics."""
    rows = plan.odds(rates)
    if rows:
        yield from ("", "Odds (acks=all; estimates, see kafka-advisor simulate):")
    for row in rows:
        yield from class_lines(row)


def class_lines(row: ClassOdds) -> Iterator[str]:
    """One class of topics."""
    yield f"  {counted(row.topics, 'topic')}: {row.before} -> {row.after}"
    yield f"    records lost: {how_often(row.losses[0])} -> {how_often(row.losses[1])}; now mostly {CAUSES[row.contributor[1]]}"
    yield f"    without writes: {significant(row.minutes[0])} -> {significant(row.minutes[1])} minutes a year"
    moved = ", ".join(
        f"{ASSUMPTIONS[name][1]} (×{significant(factor)})"
        for name, factor in row.movers
        if abs(factor - 1) >= LEAST_MOVE
    )
    if moved:
        yield f"    doubled, these move it most: {moved}"


def by_hand_lines(pairs: Sequence[tuple[Finding, Aim]]) -> Iterator[str]:
    """What is left to decide, by rule."""
    by_rule: dict[str, list[tuple[Finding, Aim]]] = {}
    for finding, aim in sorted(pairs, key=lambda pair: WORST_FIRST.index(pair[0].severity)):
        by_rule.setdefault(finding.rule, []).append((finding, aim))
    if by_rule:
        yield from ("", "Decide by hand:")
    for rule, rows in by_rule.items():
        finding, aim = rows[0]
        subjects = f"{' '.join(finding.entity)}{f' and {len(rows) - 1} more' if len(rows) > 1 else ''}"
        why = f" ({CODES.get(aim.why, aim.why)})" if aim.why else ""
        yield f"  {finding.severity}: {rule} {clean(subjects)}: {clean(finding.fix)}{why}"
    for why in dict.fromkeys(aim.why for _, aim in pairs if aim.why in CODES):
        yield f"  {CODES[why]}: {why}"


def last_line(plan: Plan) -> str:
    """Findings before and after."""
    return f"Findings: {counts_text(plan.findings)} -> {counts_text(plan.left)}"


def counts_text(findings: Sequence[Finding]) -> str:
    """How many findings there are of each severity."""
    counts: Mapping[str, int] = {
        severity: sum(finding.severity == severity for finding in findings) for severity in WORST_FIRST
    }
    return ", ".join(f"{count} {severity}" for severity, count in counts.items() if count) or "none"
