"""Output of `advise` as a POSIX shell script: what only looks first, then every change behind a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.advice.commands import SERVER, Command, checked, commands_of, file_lines, reassignment_file
from advisor.analysis.advice.plan import AdvicePlan
from advisor.analysis.advice.recovery import RECOVER
from advisor.analysis.advice.step import PlanStep
from advisor.analysis.impact.rolling_restart import CONTROLLER
from advisor.model.cluster import KRAFT
from advisor.reports.advice.document import headline, risk_lines

HEAD = """\
#!/bin/sh
# BOOTSTRAP=host:9092 sh plan.sh --verify   only looks: the present state, and what has been done already
# BOOTSTRAP=host:9092 sh plan.sh            asks before each change; what needs a step that was not done is left out
# Kafka's tools must be on the PATH; COMMAND_CONFIG=client.properties is handed to them.
# shellcheck disable=SC2015,SC2016,SC2119,SC2120  # questions show commands as they are typed
set -eu
: "${BOOTSTRAP:?name a broker: BOOTSTRAP=host:9092}"
case "${COMMAND_CONFIG:=}" in '' | /*) ;; *) COMMAND_CONFIG=$PWD/$COMMAND_CONFIG ;; esac
FOLDER=$(mktemp -d)
trap '[ -n "$KEEP" ] && echo "its files are in $FOLDER" >&2 || rm -rf "$FOLDER"' EXIT
KEEP=
trap 'echo "stopped; reassignments that run go on, throttled: their files are in $FOLDER" >&2; trap - EXIT; exit 130' INT TERM
cd "$FOLDER"
DONE=' '

run() {
    tool=$1
    shift
    "$tool" --bootstrap-server "$BOOTSTRAP" ${COMMAND_CONFIG:+--command-config "$COMMAND_CONFIG"} "$@"
}

ask() {
    printf '%s\\n%s [y/N] ' "$1" 'Yes?' >&2
    read -r answer && [ "$answer" = y ]
}

# ready STEP...: whether these steps are done, and every replica is in sync
ready() {
    for step in "$@"; do
        case $DONE in *" $step "*) ;; *) echo "left out: it needs step $step, which was not done" >&2; return 1 ;; esac
    done
    if ! state=$(run kafka-topics.sh --describe --under-replicated-partitions); then
        echo 'left out: the cluster does not answer' >&2
        return 1
    fi
    case $state in *Partition:*) ;; *) return ;; esac
    echo 'left out: some replicas are not in sync; run this again when they are' >&2
    return 1
}

# in_sync: wait until every replica is
in_sync() {
    waited=0
    while [ "$waited" -lt 180 ]; do
        state=$(run kafka-topics.sh --describe --under-replicated-partitions) || state=Partition:
        case $state in *Partition:*) ;; *) return ;; esac
        [ "$waited" -gt 0 ] || echo 'waiting until every replica is in sync, for half an hour at most' >&2
        waited=$((waited + 1))
        sleep 10
    done
    echo 'replicas are out of sync half an hour after the restart: restart no other node' >&2
    return 1
}

# caught_up: wait until every voter of the quorum has the metadata of its leader
caught_up() {
    waited=0
    while [ "$waited" -lt 180 ]; do
        if run kafka-metadata-quorum.sh describe --replication > quorum.txt; then
            awk '$1 == "NodeId" { for (i = 1; i <= NF; i++) if ($i == "Lag") lag = i }
                 lag && ($NF == "Leader" || $NF == "Follower") { voters++; if ($lag > 10) behind = 1 }
                 END { exit behind || !voters }' quorum.txt && return
        fi
        [ "$waited" -gt 0 ] || echo 'waiting until every voter has caught up, for half an hour at most' >&2
        waited=$((waited + 1))
        sleep 10
    done
    cat quorum.txt >&2
    echo 'a voter is behind half an hour after the restart: restart no other node' >&2
    return 1
}

# moved FILE: wait until a reassignment is over, which ends its throttle; the file is kept until then
moved() {
    KEEP=$1 failures=0
    while [ "$failures" -lt 30 ]; do
        if run kafka-reassign-partitions.sh --reassignment-json-file "$1" --verify > verify.txt 2>&1; then
            grep -q 'still in progress' verify.txt || { cat verify.txt; KEEP=; return; }
        else
            failures=$((failures + 1))
        fi
        sleep 10
    done
    cat verify.txt >&2
    echo "the reassignment of $1 is not known to be over: run kafka-reassign-partitions.sh --verify again" >&2
    return 1
}
"""


def lines(plan: AdvicePlan) -> Iterator[str]:
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
    commands = [command for step in plan.steps for command in commands_of(step, plan.throttle)]
    yield from dict.fromkeys(f"    {as_run(command.verify)} || true" for command in commands)
    yield "    exit 0"
    yield "fi"
    numbers = {step.id: number for number, step in enumerate(plan.steps, 1)}
    for step in plan.steps:
        needs = [numbers[need] for need in step.needs if need in numbers]
        yield from step_lines(numbers[step.id], step, needs, plan.throttle)
        in_kraft = plan.before.live is not None and plan.before.live.metadata == KRAFT
        yield from restarts(numbers[step.id], step, in_kraft)
        yield f'    if [ "$ok" = y ]; then DONE="${{DONE}}{numbers[step.id]} "; fi'
        yield "fi"


def step_lines(number: int, step: PlanStep, needs: Sequence[int], throttle: int) -> Iterator[str]:
    """The changes of one step; it is done when every question was answered with yes."""
    yield ""
    yield f"# {number}. {step.title}"
    yield from (f"# risk: {checked(line)}" for line in risk_lines(step))
    yield f"if {'true' if step.id == RECOVER else ' '.join(['ready', *map(str, needs)])}; then"
    yield "    ok=y"
    commands = commands_of(step, throttle)
    yield from _commands(number, step, [command for command in commands if not command.finish])
    for command in commands:
        if command.finish:
            yield from _commands(number, step, [command])
    yield from _by_hand(number, file_lines(step))
    yield from (_one_by_one if step.in_order else _by_hand)(number, step.by_hand)


def _commands(number: int, step: PlanStep, commands: Sequence[Command]) -> Iterator[str]:
    """Commands behind one question."""
    if not commands:
        return
    if len(commands) == 1:
        question = f"Step {number}: {commands[0].change}"
    else:
        yield from (f"    echo {shell_text(f'  {command.change}')} >&2" for command in commands)
        question = f"Step {number}: these {len(commands)} commands."
    yield f"    if ask {shell_text(question)}; then"
    for command in commands:
        yield f"        {as_run(command.change)}"
        yield from (f"        moved {file.name}" for file in [reassignment_file(step)] if file and command.finish)
    yield "    else ok=n; fi"


def _by_hand(number: int, lines: Sequence[str]) -> Iterator[str]:
    """What no command does, behind one question."""
    if len(lines) == 1:
        yield f"    {question_of(number, lines[0])} || ok=n"
    elif lines:
        yield from (f"    echo {shell_text(f'  {line}')} >&2" for line in lines)
        yield f"    ask {shell_text(f'Step {number}, by hand: these {len(lines)} things. Are they done?')} || ok=n"


def _one_by_one(number: int, lines: Sequence[str]) -> Iterator[str]:
    """Acts by hand that follow each other: the next one once every replica is in sync again."""
    for line in lines:
        yield f'    if [ "$ok" = y ]; then {question_of(number, line)} && in_sync || ok=n; fi'


def question_of(number: int, line: str) -> str:
    """The question whether an act by hand is done."""
    act = line.rstrip(".")
    return f"ask {shell_text(f'Step {number}, by hand: {act}. Is it done?')}"


def restarts(number: int, step: PlanStep, in_kraft: bool) -> Iterator[str]:
    """The restarts of a step, node by node, and what to wait for before the next one."""
    for node in step.restarts:
        wait = "in_sync && caught_up" if in_kraft and CONTROLLER in node else "in_sync"
        question = f"Step {number}: restart {node} now. Is it running again?"
        yield f'    if [ "$ok" = y ]; then ask {shell_text(question)} && {wait} || ok=n; fi'


def as_run(command: str) -> str:
    """A command by the script's function, which names the cluster."""
    return f"run {command.replace(f' {SERVER}', '', 1)}"


def shell_text(text: str) -> str:
    """A text between single quotes."""
    quoted = checked(" ".join(text.split())).replace("'", "'\\''")
    return f"'{quoted}'"
