"""Symmetry reduction: states that differ only in the names of replicas that are alike are one."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.simulator.protocol.model import NOBODY, PENDING, SEVERAL, Action, Replica, State
from advisor.simulator.protocol.scenario import Scenario

Names = tuple[int, ...]
"""The new name of each replica."""
FROM = 4
"""Replicas from which on merging saves more than sorting costs."""
ABOUT_TWO = ("fetch", "learn", "shrink ISR", "expand ISR")
"""Actions whose third part is a replica too."""


def pays(scenario: Scenario) -> bool:
    """Whether symmetry reduction pays: enough replicas."""
    return scenario.replicas >= FROM


def canonical_names(state: State, alike: Sequence[object]) -> Names:
    """The names that sort the replicas that are alike. Ties stay in order, which merges less but never wrongly."""
    controller, replicas, records, _ = state
    _, leader, _, isr, elr, last, fenced = controller
    keys = [
        (
            *replica[4:],
            replica[0],
            replica[2],
            isr >> r & 1,
            elr >> r & 1,
            fenced >> r & 1,
            leader == r,
            last == r,
            replica[1] == r,
            replica[1] == leader,
            records.count(PENDING + r),
        )
        for r, replica in enumerate(replicas)
    ]
    new = [0] * len(keys)
    for kind in set(alike):
        members = [r for r, other in enumerate(alike) if other == kind]
        for position, r in zip(members, sorted(members, key=keys.__getitem__), strict=True):
            new[r] = position
    return tuple(new)


def inverse(names: Names) -> Names:
    """The inverse permutation of names."""
    back = [0] * len(names)
    for old, new in enumerate(names):
        back[new] = old
    return tuple(back)


def rename_state(state: State, names: Names) -> State:
    """The state with every replica under its new name."""
    controller, replicas, records, budget = state
    up, leader, epoch, isr, elr, last, fenced = controller
    moved = tuple(rename_replica(replicas[r], names) for r in inverse(names))
    statuses = tuple(PENDING + names[status - PENDING] if status >= PENDING else status for status in records)
    sets = rename_set(isr, names), rename_set(elr, names), name(last, names), rename_set(fenced, names)
    return (up, name(leader, names), epoch, *sets), moved, statuses, budget


def rename_replica(replica: Replica, names: Names) -> Replica:
    """A replica's view under the new names."""
    return (replica[0], name(replica[1], names), replica[2], rename_set(replica[3], names), *replica[4:])


def rename_action(action: Action, names: Names) -> Action:
    """An action under the new names."""
    what, r, other = action
    if what == "lose unanswered record":
        return action
    if what == SEVERAL:
        return what, name(r, names), rename_set(other, names)
    return what, name(r, names), name(other, names) if what in ABOUT_TWO else other


def name(r: int, names: Names) -> int:
    """A replica's new name."""
    return names[r] if r != NOBODY else NOBODY


def rename_set(members: int, names: Names) -> int:
    """A set of replicas under the new names."""
    renamed = 0
    for r, new in enumerate(names):
        if members >> r & 1:
            renamed |= 1 << new
    return renamed
