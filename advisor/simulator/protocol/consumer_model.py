"""The model with a consumer: what it has read must stay in the leader's log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from advisor.simulator.protocol.model import NOBODY, UP, Action, Log, Model, State
from advisor.simulator.protocol.properties import true_leader


def with_new_consumer(state: State) -> Any:
    """The state with a consumer that has read nothing."""
    return with_reader(state, ())


def with_reader(state: State, read: Log) -> Any:
    """The state with the log entries that the consumer has read."""
    return (*state, read)


def split_reader(state: Any) -> tuple[State, Log]:
    """Split a state into the plain state and what the consumer has read."""
    return state[:-1], state[-1]


class ReadingModel(Model):
    """A consumer reads below the high watermark of whoever believes to lead, cut off or not."""

    def steps(self, state: State) -> Iterator[tuple[Action, State]]:
        """Every action of the plain model and of the consumer."""
        plain, read = split_reader(state)
        for action, after in super().steps(plain):
            yield action, with_reader(after, read)
        at = len(read)
        for r, replica in enumerate(plain[1]):
            if replica[0] & UP and replica[1] == r and at < replica[5] and replica[4][:at] == read:
                yield ("consume", r, NOBODY), with_reader(plain, (*read, replica[4][at]))


def unstable(model: Model, state: State) -> bool:
    """CommittedReadStable is violated: the leader's log does not begin with what was read."""
    plain, read = split_reader(state)
    leader = true_leader(model, plain)
    return leader != NOBODY and plain[1][leader][4][: len(read)] != read
