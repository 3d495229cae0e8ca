"""Output of `advise` as a POSIX shell script: what only looks first, then every change behind a question."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.advice import Plan, Step
from advisor.analysis.advice.commands import SERVER, checked, commands_of, file_lines, reassignment_file
from advisor.reports.advice.text import headline
from advisor.simulator.odds import Rates

HEAD = """\
#!/bin/sh
# BOOTSTRAP=host:9092 sh plan.sh --verify   only looks: the present state, and what has been done already
# BOOTSTRAP=host:9092 sh plan.sh            asks before each change
# Kafka's tools must be on the PATH; COMMAND_CONFIG=client.properties is handed to them.
set -eu
: "${BOOTSTRAP:?name a broker: BOOTSTRAP=host:9092}"
case "${COMMAND_CONFIG:=}" in '' | /*) ;; *) COMMAND_CONFIG=$PWD/$COMMAND_CONFIG ;; esac
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT
cd "$FOLDER"

run() {
    tool=$1
    shift
    "$tool" --bootstrap-server "$BOOTSTRAP" ${COMMAND_CONFIG:+--command-config "$COMMAND_CONFIG"} "$@"
}

ask() {
    printf '%s\\n%s [y/N] ' "$1" 'Do it?' >&2
    read -r answer
    [ "$answer" = y ]
}
"""


def text(plan: Plan, _: Rates) -> Iterator[str]:
    """The script."""
    yield HEAD
    yield f"# {checked(headline(plan))}"
    for step in plan.steps:
        file = reassignment_file(step)
        if file is not None:
            yield f"cat > {file.name} <<'END_OF_FILE'\n{file.text}\nEND_OF_FILE"
    yield ""
    yield 'if [ "${1:-}" = --verify ]; then'
    yield "    run kafka-topics.sh --describe --under-replicated-partitions"
    for step in plan.steps:
        yield from (f"    {as_run(command.verify)} || true" for command in commands_of(step, plan.throttle))
    yield "    exit 0"
    yield "fi"
    for number, step in enumerate(plan.steps, 1):
        yield from step_lines(number, step, plan.throttle)


def step_lines(number: int, step: Step, throttle: int) -> Iterator[str]:
    """One step; what is done by hand is said."""
    yield ""
    yield f"# {number}. {step.title}"
    yield from (f"# risk: {checked(line)}" for line in [step.risk] if line)
    for line in (*file_lines(step.changes), *step.by_hand):
        yield f"printf '%s\\n' {shell_text(f'Step {number}, by hand: {line}')}"
    for command in commands_of(step, throttle):
        yield f"if ask {shell_text(f'Step {number}: {command.change}')}; then"
        yield f"    {as_run(command.change)}"
        if reassignment_file(step) is not None:
            yield f"    until {as_run(command.verify)} > verify.txt 2>&1 && ! grep -q 'still in progress' verify.txt; do sleep 10; done"
            yield "    cat verify.txt"
        yield "fi"


def as_run(command: str) -> str:
    """A command by the script's function, which names the cluster."""
    return f"run {command.replace(f' {SERVER}', '', 1)}"


def shell_text(text: str) -> str:
    """A text between single quotes."""
    quoted = checked(" ".join(text.split())).replace("'", "'\\''")
    return f"'{quoted}'"
