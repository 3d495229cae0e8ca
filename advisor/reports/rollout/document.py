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
    UNKNOWN,
    UnknownFact,
)
from advisor.analysis.rollout.passes import Pass
from advisor.analysis.rollout.rollout import Rollout
from advisor.reports.document.blocks import Document, Field, Item, Items, Section, Sentence, Step, Steps, Table


def document(rollout: Rollout) -> Document:
    """The answer for people."""
    return Document(
        headline(rollout),
        about=f"{len(rollout.cluster.nodes)} nodes, {len(rollout.steps)} to restart, Kafka {rollout.version}",
        blocks=[Sentence(text) for text in first_sentences(rollout)],
        sections=list(sections(rollout)),
    )


def headline(rollout: Rollout) -> str:
    """The verdict in one line."""
    verdict = rollout.verdict
    if verdict == SAFE:
        return "One rolling restart." if rollout.steps else "Nothing changes."
    if verdict == DYNAMIC:
        return "No restart: every change is dynamic, and a restart would stop writes."
    if verdict == NO_EFFECT:
        return "No effect: nothing that runs changes by this."
    if verdict == NEEDS_PASSES:
        return f"{len(rollout.passes)} passes: as one rolling restart it {short_of(rollout)}."
    if verdict == UNKNOWN:
        decides = [row for row in rollout.unknown if row.decides]
        return f"Unknown, because it is not known {decides[0].reason}." if decides else "Unknown."
    number = first_bad_step(rollout)
    at = f" at step {number}" if number else ""
    return {REFUSES: f"Does not start{at}.", LOSES: f"Loses records{at}."}.get(verdict, f"Stops writes{at}.")


def short_of(rollout: Rollout) -> str:
    """What a single rolling restart would do."""
    number = first_bad_step(rollout)
    return f"stops writes at step {number}" if number else "does not hold"


def first_bad_step(rollout: Rollout) -> int | None:
    """The number of the first step at which something stops."""
    for number, step in enumerate(rollout.steps, 1):
        if step.starts is False or step.refused or step.offline or step.lost or step.faults:
            return number
    return None


def first_sentences(rollout: Rollout) -> Iterator[str]:
    """Why, and what a patient rollout comes to where that differs."""
    yield from dict.fromkeys(fault.why for fault in rollout.faults[:3])
    if rollout.patient != rollout.verdict:
        yield f"waiting for every ISR before the next node: {rollout.patient.replace('_', ' ')}"


def sections(rollout: Rollout) -> Iterator[Section]:
    """Steps, passes, changes, and what is not known."""
    if rollout.steps:
        yield Section("What serves at each step", [steps_table(rollout.steps)], row_count=len(rollout.steps))
    if rollout.passes:
        yield Section("The passes", [Steps([pass_step(each) for each in rollout.passes])])
    if rollout.changes:
        rows = [(row.key, nodes_text(row.nodes), row.takes, row.why) for row in rollout.changes]
        yield Section("What each change takes", [Table(("key", "nodes", "takes", "why"), rows, "changes")])
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
            f"{step.counts['lost']} partitions lost" if step.lost else "kept",
            tuple(step.why[:3]) or "",
        )
        for number, step in enumerate(steps, 1)
    ]
    return Table(head, rows, "steps", numbers=frozenset({0}))


def serving_text(step: RolloutStep) -> str:
    """What of writes is served."""
    parts = [
        f"{step.counts[what]} {word}"
        for what, word in (("refused", "refused"), ("offline", "offline"))
        if step.counts[what]
    ]
    return ", ".join(parts) or "served"


def pass_step(each: Pass) -> Step:
    """One pass."""
    fields = [
        Field("nodes", ", then ".join(each.order)),
        Field("changes", ", ".join(each.keys)),
        Field("wait", "; ".join(each.wait)),
        Field("way back", each.way_back),
    ]
    return Step(each.title, tuple(fields))


def nodes_text(nodes: list[str]) -> str:
    """Nodes, the first ones by name."""
    return ", ".join(nodes[:5]) + (f" and {len(nodes) - 5} more" if len(nodes) > 5 else "")


def unknown_item(row: UnknownFact) -> Item:
    """One thing that is not known."""
    where = ": ".join(part for part in (row.node, row.key) if part)
    return Item(f"{where}: {row.reason}" if where else row.reason)
