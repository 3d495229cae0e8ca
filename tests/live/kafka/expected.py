"""What the simulator says can be observed after a sequence of events on a real cluster.

An event is a command to a test: `kill 1`, `stop 2`, `pause 2 3`, `resume 2`, `power-loss 1`, `disk-loss 1`,
`replace-disk 1`, `start 1`, `controller down`, `controller up`, `produce a`. Between events the protocol does what it
wants, in any order; what it must come to in the end, when nothing is left to do, is final.
Broker n is replica n - 1 of the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from advisor.simulator.protocol.crash_model import NEW_DIRECTORY, CrashModel
from advisor.simulator.protocol.model import ACKED, CUT, members, start
from advisor.simulator.protocol.properties import true_leader
from advisor.simulator.protocol.scenario import Scenario, budget
from tests.live.kafka.events import (
    CONTROLLER,
    FAILURES,
    MAY_STAY_AWAY,
    RECOVERIES,
    REFUSED,
    SLOW,
    TIMED_OUT,
    acknowledged,
    all_registered,
    commanded,
    free,
    given_up,
    never_appended,
    refuses,
    unacknowledged,
)

if TYPE_CHECKING:
    from advisor.simulator.protocol.model import Log, State

NOTHING: dict[str, int] = {}
NO_ANSWERS: dict[str, int | str] = {}


class Seen(NamedTuple):
    """An observation. Leader -1 is none; `read` is None where nobody serves; unseen metadata is None throughout."""

    leader: int | None
    isr: frozenset[int] | None
    elr: frozenset[int] | None
    logs: tuple[str, ...]
    read: str | None


class Expectation:
    """The states that the model may be in, event by event. `letters` are the records, in the order of their sending."""

    def __init__(self, setup: Scenario, letters: str) -> None:
        setup.records = len(letters)
        self.model = CrashModel(setup)
        self.letters = letters
        self.possible: set[State] = {start(setup, budget(NOTHING))}
        self.final = self.possible

    def happen(self, event: str) -> None:
        """Let an event happen to every possible state, and the protocol go on from there."""
        verb, *targets = event.split()
        if verb == "produce":
            self.settle(self.letters.index(targets[0]))
            return
        for target in targets:
            self.possible = {after for state in self.possible for after in self.struck(state, verb, target)}
            self.settle(None)

    def answered(self, event: str, outcome: int | str) -> None:
        """Keep the states in which the producer gets that answer: an offset, or the name of an error."""
        record = self.letters.index(event.split()[1])
        if isinstance(outcome, int):
            self.final = {state for state in self.final if acknowledged(state, record)}
            self.possible = {given_up(state, record) for state in self.possible if acknowledged(state, record)}
        else:
            now = {given_up(state, record) for state in self.possible if self.fails(state, record, outcome)}
            self.possible, self.final = self.closure(now, None)

    def fails(self, state: State, record: int, error: str) -> bool:
        """Whether the producer can get that error now."""
        if error == REFUSED:
            return never_appended(state, record) and refuses(self.model, state)
        waits = all(action[0] in SLOW for action, _ in free(self.model, state, record))
        return unacknowledged(state, record) and (waits or error not in TIMED_OUT)

    def observe(self, seen: Seen) -> None:
        """Keep the states in which that is seen."""
        self.possible = {state for state in self.possible if matches(self.projected(state), seen)}

    def registered(self) -> None:
        """Every broker that runs has registered and is unfenced."""
        self.possible = {state for state in self.possible if all_registered(state)}

    def rest(self) -> None:
        """Wait until nothing is left to do."""
        self.possible = self.final

    def settle(self, record: int | None) -> None:
        """Close the possible states under the protocol; `record` is the one that is being sent."""
        self.possible, self.final = self.closure(self.possible, record)

    def closure(self, states: set[State], record: int | None) -> tuple[set[State], set[State]]:
        """All states that the protocol can come to, and those of them in which nothing is left that must happen."""
        seen, todo, final = set(states), list(states), set()
        while todo:
            state = todo.pop()
            following = list(free(self.model, state, record))
            if all(action[0] == MAY_STAY_AWAY for action, _ in following):
                final.add(state)
            new = {after for _, after in following} - seen
            seen |= new
            todo.extend(new)
        return seen, final

    def struck(self, state: State, verb: str, target: str) -> Iterator[State]:
        """A state after a command to a broker or to the controller."""
        name = FAILURES.get(verb) or RECOVERIES.get(verb) or CONTROLLER[target]
        r = int(target) - 1 if target.isdigit() else -1
        for action, after in commanded(self.model, state, name, r):
            if verb == "power-loss" and action[2] != self.kept(state, r):
                continue
            if name == "disk-loss" and (action[2] == NEW_DIRECTORY) != (verb == "replace-disk"):
                continue
            yield after

    def kept(self, state: State, r: int) -> int:
        """The records that a power loss leaves: it costs the last one, if that is on no disk yet."""
        log, flushed = state[1][r][4], state[1][r][7]
        return max(len(log) - 1, flushed)

    def unflushed(self, broker: int, log: list[str]) -> bool:
        """Whether a broker with that log may have a record that a power loss takes."""
        replicas = [state[1][broker - 1] for state in self.possible]
        return any(replica[7] < len(replica[4]) and self.values(replica[4]) == "".join(log) for replica in replicas)

    def values(self, log: Log) -> str:
        """The records of a log, as letters."""
        return "".join(self.letters[entry & 7] for entry in log)

    def projected(self, state: State) -> Seen:
        """What can be seen of a state."""
        controller, replicas, _, _ = state
        leader = true_leader(self.model, state)
        serves = leader >= 0 and not replicas[leader][0] & CUT
        logs = tuple(self.values(replica[4]) for replica in replicas)
        return Seen(
            controller[1] + 1 if controller[1] >= 0 else -1,
            brokers(controller[3]),
            brokers(controller[4]),
            logs,
            logs[leader][: replicas[leader][5]] if serves else None,
        )

    def outcomes(self) -> set[Seen]:
        """Everything that can be seen in the end."""
        return {self.projected(state) for state in self.final}


def foretold(
    setup: Scenario, letters: str, events: Iterable[str], answers: Mapping[str, int | str] = NO_ANSWERS
) -> set[str]:
    """What the end can mean for the acknowledged records, without a look at reality: one word for each possible end.

    `answers` are what the producer was told, by letter; for the others it may be anything.
    """
    expectation = Expectation(setup, letters)
    for event in events:
        verb, target = event.rstrip("!?").split(maxsplit=1)
        expectation.happen(event.rstrip("!?"))
        if verb == "produce" and target in answers:
            expectation.answered(event.rstrip("!?"), answers[target])
        if event.endswith("?"):
            expectation.registered()
        elif not event.endswith("!"):
            expectation.rest()
        if verb == "produce":
            expectation.possible = {given_up(state, letters.index(target)) for state in expectation.possible}
    ends = {(expectation.projected(state), acked(state, letters)) for state in expectation.final}
    return {word(seen, letters) for seen, letters in ends}


def acked(state: State, letters: str) -> str:
    """The records that the producer was told are safe."""
    return "".join(letter for letter, status in zip(letters, state[2], strict=True) if status == ACKED)


def brokers(mask: int) -> frozenset[int]:
    """A set of replicas as broker ids."""
    return frozenset(r + 1 for r in members(mask))


def matches(state: Seen, seen: Seen) -> bool:
    """Whether what a state shows is what was seen; what could not be seen (None) agrees with everything."""
    known = (seen.leader, seen.isr, seen.elr)
    return (
        all(saw is None or saw == shows for saw, shows in zip(known, state[:3], strict=True))
        and state.logs == seen.logs
        and state.read == seen.read
    )


def word(seen: Seen, acked: str) -> str:
    """What an observation means: offline, lost, unreadable or kept."""
    if seen.read is None or seen.leader is None:
        return "offline"
    if any(letter not in seen.logs[seen.leader - 1] for letter in acked):
        return "lost"
    return "kept" if all(letter in seen.read for letter in acked) else "unreadable"
