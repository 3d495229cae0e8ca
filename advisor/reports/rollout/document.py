"""The document of `rollout`: the verdict, the steps and what serves at each, the passes, the changes, what is not known."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.rollout.course import RolloutStep
from advisor.analysis.rollout.outcome import (
    DYNAMIC,
    LOSES,
    NEEDS_PASSES,
    NO_EFFECT,
    REFUSES,
    SAFE,
    SURVIVES,
    UNAVAILABLE,
    UNKNOWN,
    UnknownFact,
)
from advisor.analysis.rollout.partitions import MIN_ISR
from advisor.analysis.rollout.passes.sequence import Pass
from advisor.analysis.rollout.rollout import Rollout
from advisor.reports.document.blocks import Document, Field, Item, Items, Section, Sentence, Step, Steps, Table
from advisor.reports.impact.words import counted
from advisor.reports.rollout.picture import picture

QUESTIONS = ("whether", "which", "who", "what", "how", "where", "when")
"""What reasons begin with that ask something."""
REASONS = 3
"""Reasons that are shown of a step."""
NODES, FILES = 12, 1
"""Nodes and files of a pass that are shown."""
FILES_FOLLOW = "The file follows: give it the same values, or the next restart looks like a change."


def document(rollout: Rollout) -> Document:
    """The answer for people."""
    return Document(
        headline(rollout),
        about=f"{name_of(rollout)}{counted(len(rollout.cluster.nodes), 'node')}, {restarts(rollout)} to restart, Kafka {rollout.version}",
        blocks=[Sentence(text) for text in first_sentences(rollout)],
        sections=list(sections(rollout)),
    )


def name_of(rollout: Rollout) -> str:
    """The cluster's name before what is said of it, where there are several."""
    return f"{rollout.cluster.name}: " if rollout.cluster.name else ""


def restarts(rollout: Rollout) -> int:
    """How many nodes are restarted."""
    return 0 if rollout.altered_by and rollout.verdict in SURVIVES else len(rollout.steps)


def headline(rollout: Rollout) -> str:
    """The verdict in one line."""
    verdict = rollout.verdict
    if verdict == SAFE:
        if not rollout.steps:
            return "Nothing changes."
        if rollout.altered_by:
            return f"No restart: {rollout.altered_by} alters the values when the resource is applied."
        return "One rolling restart." if rollout.needs_restart else "One rolling restart, or none: commands do it."
    if verdict == DYNAMIC:
        return "No restart: every change is dynamic, and a restart would stop writes."
    if verdict == NO_EFFECT:
        if any(row.key == MIN_ISR for row in rollout.unknown):
            return f"No effect, if the cluster has eligible leader replicas: {MIN_ISR} of a file counts without them."
        return "No effect: nothing that runs changes by this."
    if verdict == NEEDS_PASSES and rollout.cluster.going:
        return f"{len(rollout.passes)} passes: {names_of_going(rollout)} first."
    if verdict == NEEDS_PASSES:
        return f"{len(rollout.passes)} passes: as one rolling restart it {short_of(rollout)}."
    if verdict == UNKNOWN:
        decides = [row for row in rollout.unknown if row.decides]
        return unknown_because(decides[0].reason) if decides else "Unknown."
    number = first_bad_step(rollout)
    at = f" at step {number}" if number else ""
    return {REFUSES: f"Does not start{at}.", LOSES: f"Loses records{at}."}.get(verdict, f"Stops writes{at}.")


def names_of_going(rollout: Rollout) -> str:
    """What comes first where nodes go."""
    names = [node.name for node in rollout.cluster.going]
    return f"{nodes_text(names)} {'is' if len(names) == 1 else 'are'} emptied"


def unknown_because(reason: str) -> str:
    """The headline of what is not known: a question, or a statement."""
    is_question = reason.startswith(QUESTIONS)
    return f"Unknown, because it is not known {reason}." if is_question else f"Unknown: {reason}."


def short_of(rollout: Rollout) -> str:
    """What a single rolling restart would do."""
    number = first_bad_step(rollout)
    return f"stops writes at step {number}" if number else "does not hold"


def first_bad_step(rollout: Rollout) -> int | None:
    """The number of the first step at which what the verdict says happens."""
    numbers = enumerate(rollout.steps, 1)
    verdict = UNAVAILABLE if rollout.verdict == NEEDS_PASSES else rollout.verdict
    return next((number for number, step in numbers if any(fault.verdict == verdict for fault in step.faults)), None)


def first_sentences(rollout: Rollout) -> Iterator[str]:
    """Why, and what a patient rollout comes to where that differs."""
    yield from dict.fromkeys(fault.why for fault in rollout.faults[:3])
    if rollout.patient != rollout.verdict:
        yield f"waiting for every ISR before the next node: {rollout.patient.replace('_', ' ')}"


def sections(rollout: Rollout) -> Iterator[Section]:
    """Steps, passes, changes, and what is not known."""
    if restarts(rollout):
        blocks = [*picture(rollout), steps_table(rollout.steps)]
        yield Section("What serves at each step", blocks, row_count=len(rollout.steps))
    if rollout.passes:
        yield Section("The passes", [Steps([pass_step(each) for each in rollout.passes])])
    if rollout.operators:
        yield Section("What applying the files does", [Items(rollout.operators)])
    if rollout.instead:
        yield Section("What to do instead", [Items(rollout.instead)])
    if rollout.changes:
        rows = [(row.key, nodes_text(row.nodes), row.takes, row.why or row.remark) for row in rollout.changes]
        yield Section("What each change takes", [Table(("key", "nodes", "takes", "why"), rows, "changes")])
    commands = [command for row in rollout.changes for command in row.commands]
    if commands and not rollout.needs_restart:
        yield Section("Without a restart", [Items(list(dict.fromkeys(commands))), Sentence(FILES_FOLLOW)])
    if rollout.unknown:
        yield Section("Not known", [Items([unknown_item(row) for row in rollout.unknown])])


def steps_table(steps: list[RolloutStep]) -> Table:
    """Steps by what serves."""
    head = ("step", "node", "starts", "in sync", "acks=all", "records", "why")
    rows = [
        (
            str(number),
            step.node,
            {True: "yes", False: "no", None: "unknown"}[step.starts],
            f"{step.counts['not_full']} not full" if step.counts["not_full"] else "all",
            serving_text(step),
            f"{counted(step.counts['lost'], 'partition')} lost" if step.lost else "kept",
            reasons(step) or "",
        )
        for number, step in enumerate(steps, 1)
    ]
    lines = [step_lines(number, step) for number, step in enumerate(steps, 1)]
    return Table(head, rows, "steps", lines=lines, numbers=frozenset({0}))


def step_lines(number: int, step: RolloutStep) -> tuple[str, ...]:
    """A step in text: what serves, and below it why not everything does."""
    starts = {True: "", False: "does not start; ", None: "may not start; "}[step.starts]
    not_full = step.counts["not_full"]
    in_sync = f"{counted(not_full, 'partition')} not in sync" if not_full else "all in sync"
    lost = f"; records of {counted(step.counts['lost'], 'partition')} lost" if step.lost else ""
    return (
        f"{number:>3}. {step.node}: {starts}{in_sync}; {writes_text(step)}{lost}",
        *(f"       {why}" for why in reasons(step)),
    )


def reasons(step: RolloutStep) -> tuple[str, ...]:
    """The first reasons of a step, each once: beside those of a refused start not that the node does not start."""
    repeated = {f"{step.node} does not start: {why}" for why in step.why}
    return tuple(why for why in step.why if why not in repeated)[:REASONS]


def writes_text(step: RolloutStep) -> str:
    """What becomes of writes, in words."""
    refused = step.counts["refused"] - step.unreached
    parts = [f"{step.unreached} out of reach of clients"] if step.unreached else []
    parts += [f"{refused} refuse acks=all"] if refused else []
    parts += [f"{step.counts['offline']} offline"] if step.offline else []
    return ", ".join(parts) or f"writes {unless_stopped(step)}"


def serving_text(step: RolloutStep) -> str:
    """What of writes is served."""
    parts = [
        f"{step.counts[what]} {word}"
        for what, word in (("refused", "refused"), ("offline", "offline"))
        if step.counts[what]
    ]
    return ", ".join(parts) or unless_stopped(step)


def unless_stopped(step: RolloutStep) -> str:
    """Whether writes are served, where no partition was counted that refuses them."""
    return "stop" if any(fault.verdict == UNAVAILABLE for fault in step.faults) else "served"


def pass_step(each: Pass) -> Step:
    """One pass: what comes first, the nodes in order, the lines to change, what to wait for, and the way back."""
    fields = [
        *(Field("first", text) for text in each.before),
        *(Field("run", text) for text in each.commands),
        *([Field("restart", ", then ".join(each.order[:NODES]) + more(each.order))] if each.order else []),
        *(Field("each, while it is stopped", text) for text in each.at_each),
        *(Field("wait after each" if each.order else "wait", text) for text in each.wait),
        *(Field("then", text) for text in each.by_hand),
        *([Field("no way back after", each.point_of_no_return)] if each.point_of_no_return else []),
        Field("way back", each.way_back),
        *(Field("", line, is_code=True) for line in diff_lines(each)),
    ]
    return Step(each.title, tuple(fields))


def diff_lines(each: Pass) -> Iterator[str]:
    """The lines to change in the first files; JSON has all of them."""
    for file in each.files[:FILES]:
        yield from file.lines
        yield from (f"# {key}: {'take it out' if value is None else value}" for key, value in file.by_hand.items())
    if len(each.files) > FILES:
        yield f"# … and {len(each.files) - FILES} more files (--format json has them all)"


def more(nodes: list[str]) -> str:
    """How many nodes are not named."""
    return f" and {len(nodes) - NODES} more" if len(nodes) > NODES else ""


def nodes_text(nodes: list[str]) -> str:
    """Nodes, the first ones by name."""
    return ", ".join(nodes[:5]) + (f" and {len(nodes) - 5} more" if len(nodes) > 5 else "")


def unknown_item(row: UnknownFact) -> Item:
    """One thing that is not known."""
    where = ": ".join(part for part in (row.node, row.key) if part)
    return Item(f"{where}: {row.reason}" if where else row.reason)
