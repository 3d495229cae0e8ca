"""States that differ only in the names of the replicas are one state: worth its price from four replicas on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.simulator.model import NOBODY, PENDING

if TYPE_CHECKING:
    from advisor.simulator.model import Action, Replica, State
    from advisor.simulator.scenario import Setup

    Names = tuple[int, ...]
    """The new name of each replica."""

FROM = 4
"""Replicas from which on merging saves more than sorting costs."""
ABOUT_TWO = ("fetch", "learn", "shrink ISR", "expand ISR")
"""Actions whose third part is a replica too."""


def pays(setup: Setup) -> bool:
    """Whether the replicas are many enough, and alike."""
    return setup.replicas >= FROM and len(set(setup.domains)) == 1


def sorting(state: State) -> Names:
    """The names that put the replicas in a fixed order. Ties keep theirs, which merges less but never wrongly."""
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
    for place, r in enumerate(sorted(range(len(keys)), key=keys.__getitem__)):
        new[r] = place
    return tuple(new)


def inverse(names: Names) -> Names:
    """The names that undo others."""
    back = [0] * len(names)
    for old, new in enumerate(names):
        back[new] = old
    return tuple(back)


def renamed(state: State, names: Names) -> State:
    """The state with every replica under its new name."""
    controller, replicas, records, budget = state
    up, leader, epoch, isr, elr, last, fenced = controller
    moved = tuple(renamed_replica(replicas[r], names) for r in inverse(names))
    told = tuple(PENDING + names[status - PENDING] if status >= PENDING else status for status in records)
    sets = mask(isr, names), mask(elr, names), name(last, names), mask(fenced, names)
    return (up, name(leader, names), epoch, *sets), moved, told, budget


def renamed_replica(replica: Replica, names: Names) -> Replica:
    """A replica's view under the new names."""
    return (replica[0], name(replica[1], names), replica[2], mask(replica[3], names), *replica[4:])


def renamed_action(action: Action, names: Names) -> Action:
    """An action with the replicas it is about under their new names."""
    what, r, other = action
    if what == "lose unanswered record":
        return action
    return what, name(r, names), name(other, names) if what in ABOUT_TWO else other


def name(r: int, names: Names) -> int:
    """A replica's new name."""
    return names[r] if r != NOBODY else NOBODY


def mask(members: int, names: Names) -> int:
    """A set of replicas under the new names."""
    found = 0
    for r, new in enumerate(names):
        if members >> r & 1:
            found |= 1 << new
    return found
