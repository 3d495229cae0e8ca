"""The model with what a crash does beyond the log: stale high watermarks, and new disks that the controller does not know.

No verdict depends on either, so that searches leave them out; what is compared with real clusters has them.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.simulator.protocol.model import NOBODY, Action, Model, Replica, State, put
from advisor.simulator.protocol.scenario import DISK, EVENTS, KILL

NEW_DIRECTORY = 16
"""The flag of a replica whose disk has a directory.id that the controller has not heard of."""


class CrashModel(Model):
    """A broker that crashed has the high watermark of its last checkpoint, which is up to
    replica.high.watermark.checkpoint.interval.ms old; a disk may be replaced by one with another directory.id."""

    def crashes(self, state: State, r: int) -> Iterator[tuple[Action, State]]:
        """The failures that may hit one replica that is up."""
        for action, after in super().crashes(state, r):
            yield action, after
            controller, replicas, records, spent = after
            if action[0] == EVENTS[KILL]:
                for down in stale(replicas[r]):
                    yield action, (controller, put(replicas, r, down), records, spent)
            elif action[0] == EVENTS[DISK] and self.has_directory_ids():
                new = (replicas[r][0] | NEW_DIRECTORY, *replicas[r][1:])
                yield (EVENTS[DISK], r, NEW_DIRECTORY), (controller, put(replicas, r, new), records, spent)

    def without_power(self, replica: Replica) -> Iterator[Replica]:
        """A replica after a power loss."""
        for down in super().without_power(replica):
            yield down
            yield from stale(down)

    def has_directory_ids(self) -> bool:
        """Whether the controller knows in which log directory each replica lies (KIP-858)."""
        return self.scenario.metadata == "kraft" and self.scenario.version >= (3, 7)

    def register(self, state: State, r: int) -> Iterator[tuple[Action, State]]:
        """A fenced broker registers again and is unfenced; one with a new disk is elected or not.

        Elected it is if the controller hears of the directory in time, which a broker can manage inside its old session.
        """
        is_new = state[1][r][0] & NEW_DIRECTORY
        for action, after in super().register(state, r):
            yield action, known(after, r) if is_new else after
            if is_new and after[0][1] == r:
                yield from self.unelected(state, known(after, r), r)

    def unelected(self, state: State, after: State, r: int) -> Iterator[tuple[Action, State]]:
        """The controller unfences a broker and cannot elect it: it does not know the directory of the replica.

        It decides again when the next broker is unfenced. Source: ReplicationControlManager.LeaderAcceptor,
        handleAssignReplicasToDirs (which elects no leader), handleBrokerUnfenced.
        """
        controller, bit = state[0], 1 << r
        lossy = bit if self.scenario.elr else 0
        others = self.everyone & ~controller[6] & ~bit
        for left in self.change(controller, controller[3] & ~bit, others, lossy):
            if left[1] == NOBODY:
                yield ("register", r, NOBODY), ((*left[:6], after[0][6]), *after[1:])


def stale(replica: Replica) -> Iterator[Replica]:
    """A replica with each high watermark that its last checkpoint may hold, but the newest."""
    for hw in range(replica[5]):
        yield (*replica[:5], hw, *replica[6:])


def known(state: State, r: int) -> State:
    """The state in which the controller knows a replica's directory."""
    controller, replicas, records, spent = state
    replica = replicas[r]
    return controller, put(replicas, r, (replica[0] & ~NEW_DIRECTORY, *replica[1:])), records, spent
