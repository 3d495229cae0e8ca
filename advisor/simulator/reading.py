"""The same transition system with a consumer: what it has read must stay in the leader's log."""

from __future__ import annotations

from advisor.simulator.model import NOBODY, UP, Model
from advisor.simulator.properties import true_leader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.simulator.model import Action, State

READ = 4
"""Where a state of this model holds the log entries that the consumer has read."""


def unread(state: State) -> State:
    """The state of a consumer that has read nothing."""
    return (*state, ())  # type: ignore[return-value]


class ReadingModel(Model):
    """A consumer reads below the high watermark of whoever believes to lead, cut off or not."""

    def steps(self, state: State) -> Iterator[tuple[Action, State]]:
        """Every action of the plain model, and the consumer's."""
        read: tuple[int, ...] = state[READ]  # type: ignore[misc]
        plain: State = state[:READ]  # type: ignore[assignment]
        for action, after in super().steps(plain):
            yield action, (*after, read)  # type: ignore[misc]
        for r, replica in enumerate(plain[1]):
            at = len(read)
            if replica[0] & UP and replica[1] == r and at < replica[5] and replica[4][:at] == read:
                yield ("consume", r, NOBODY), (*plain, (*read, replica[4][at]))  # type: ignore[misc]


def unstable(model: Model, state: State) -> bool:
    """CommittedReadStable is violated: the leader's log does not begin with what was read."""
    read: tuple[int, ...] = state[READ]  # type: ignore[misc]
    plain: State = state[:READ]  # type: ignore[assignment]
    leader = true_leader(model, plain)
    return leader != NOBODY and plain[1][leader][4][: len(read)] != read


