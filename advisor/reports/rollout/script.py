"""Output of `rollout` as a POSIX shell script: every command behind a question, every restart followed by a wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.advice.commands import checked
from advisor.analysis.rollout.cluster import RolloutNode
from advisor.analysis.rollout.outcome import SAFE, SURVIVES
from advisor.analysis.rollout.passes.sequence import Pass
from advisor.analysis.rollout.rollout import Rollout
from advisor.errors import printable
from advisor.reports.advice.script import HEAD, as_run, shell_text
from advisor.reports.rollout.document import headline

VERIFY = """
if [ "${1:-}" = --verify ]; then
    run kafka-topics.sh --describe --under-replicated-partitions
    exit 0
fi

# stopped: what was not done ends the script; what was done stays
stopped() {
    echo "stopped at: $1" >&2
    exit 1
}
"""


def lines(rollout: Rollout) -> Iterator[str]:
    """The script; for what no sequence does, one that says so and ends."""
    yield HEAD.replace("plan.sh", "rollout.sh")
    yield f"# {checked(headline(rollout))}"
    yield VERIFY
    if rollout.passes:
        for each in rollout.passes:
            yield from pass_lines(each, rollout)
    elif rollout.verdict in SURVIVES and rollout.altered_by:
        yield from files_line(f"apply the resource: {rollout.altered_by} alters the values, and restarts nothing")
    elif rollout.verdict in SURVIVES and not rollout.needs_restart:
        for row in rollout.changes:
            yield from (command_line(command, row.key) for command in row.commands)
        yield from files_line("put the same values into the files, for the next restart")
    elif rollout.verdict == SAFE:
        yield from ("in_sync", *restart_lines(rollout.cluster.order(), rollout, "the new file"))
    else:
        yield f"echo {shell_text(headline(rollout))} >&2"
        yield "exit 1"


def pass_lines(each: Pass, rollout: Rollout) -> Iterator[str]:
    """One pass: what to wait for before it, the files, then node by node."""
    yield ""
    yield f"# pass {each.number} of {len(rollout.passes)}: {checked(each.title)}"
    for file in each.files:
        yield from (f"#   {printable(line)}" for line in file.lines)
    yield from files_line(f"Pass {each.number}: {each.title}")
    for text in each.before:
        yield from files_line(f"Before pass {each.number}: {text}")
    yield from (command_line(command, f"pass {each.number}") for command in each.commands)
    yield "in_sync"
    yield from restart_lines(each.cluster.order(), rollout, f"the file of pass {each.number}", each.at_each)
    for text in each.by_hand:
        yield from files_line(f"Pass {each.number}: {text}")


def restart_lines(
    nodes: Sequence[RolloutNode], rollout: Rollout, file: str, at_each: Sequence[str] = ()
) -> Iterator[str]:
    """The restarts, one after the other, each followed by what it waits for."""
    for node in nodes:
        by_hand = "".join(f", {text}" for text in at_each)
        question = f"Stop {node.name}{by_hand}, give it {file} and start it. Is it running again?"
        waits = "in_sync && caught_up" if node.is_controller and rollout.cluster.is_kraft else "in_sync"
        yield f"ask {shell_text(question)} && {waits} || stopped {shell_text(node.name)}"


def command_line(command: str, what: str) -> str:
    """A command behind a question."""
    return f"ask {shell_text(command)} && {as_run(command)} || stopped {shell_text(what)}"


def files_line(text: str) -> Iterator[str]:
    """What a person does by hand."""
    yield f"ask {shell_text(f'{text}. Go on?')} || stopped {shell_text(text)}"
