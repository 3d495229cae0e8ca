"""Exhaustive search: breadth first over every interleaving, so that the first violation is a shortest one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.errors import BadScenario
from advisor.simulator.consumer_model import ReadingModel, unread, unstable
from advisor.simulator.model import ACKED, PENDING, UNSENT, Model, start
from advisor.simulator.properties import PROPERTIES, loses_acked
from advisor.simulator.symmetry import inverse, pays, renamed, renamed_action, sorting

if TYPE_CHECKING:
    from collections.abc import Callable

    from advisor.simulator.model import Action, State
    from advisor.simulator.properties import Violated
    from advisor.simulator.scenario import Setup
    from advisor.simulator.symmetry import Names

    Seen = dict[State, tuple[State, Action, Names] | None]
    Progress = Callable[[int], None]

SAME: Names = ()
"""Stands for no renaming at all."""
LIMIT = 2_000_000
"""States after which a question is left undecided (about 1 kB of memory each)."""
READ_STABLE = "committed-read-stable"
LEADERS_ONLY = ("no-acked-loss", "no-global-loss", "one-leader-per-epoch")
"""Properties for which the followers' high watermarks cannot matter (a consumer that reads from a new leader below its
old high watermark could have read the same before, from the leader it came from)."""


class Answer:
    """What a search found. `holds` is None where the limit came first; `trace` leads to the violation."""

    __slots__ = ("holds", "states", "trace")

    def __init__(self, holds: bool | None, states: int, trace: list[tuple[Action, State]]) -> None:
        self.holds = holds
        self.states = states
        self.trace = trace


def search(
    setup: Setup,
    events: tuple[int, ...],
    property: str = "no-acked-loss",
    limit: int = LIMIT,
    progress: Progress | None = None,
) -> Answer:
    """Look for the shortest way to a state that violates a property; `progress` hears of the states so far."""
    if property == READ_STABLE:
        reading = ReadingModel(setup, follower_hw=False)
        return explore(reading, unread(start(setup, events)), unstable, limit, progress)
    violated = named(property)
    model = Model(setup, follower_hw=property not in LEADERS_ONLY)
    return explore(model, start(setup, events), violated, limit, progress, pays(setup))


def named(property: str) -> Violated:
    """The property of that name."""
    if property not in PROPERTIES:
        raise BadScenario(f"no such property: {property} (there are {', '.join((*PROPERTIES, READ_STABLE))})")
    return PROPERTIES[property]


def explore(
    model: Model,
    first: State,
    violated: Violated,
    limit: int,
    progress: Progress | None = None,
    merge: bool = False,
) -> Answer:
    """Breadth-first search from a state; `merge` takes states for one that differ only in the replicas' names."""
    if violated(model, first):
        return Answer(False, 1, [])
    names = sorting(first) if merge else SAME
    start_here = renamed(first, names) if merge else first
    seen: Seen = {start_here: None}
    prune = violated is loses_acked and not model.setup.retries
    layer = [start_here]
    while layer:
        following: list[State] = []
        for state in layer:
            for action, after in model.steps(state):
                new = SAME
                if merge:
                    new = sorting(after)
                    after = renamed(after, new)
                if after in seen or (prune and nothing_to_lose(after)):
                    continue
                seen[after] = (state, action, new)
                if violated(model, after):
                    return Answer(False, len(seen), trace(seen, after, names))
                following.append(after)
            if len(seen) > limit:
                return Answer(None, len(seen), [])
        layer = following
        if progress:
            progress(len(seen))
    return Answer(True, len(seen), [])


def nothing_to_lose(state: State) -> bool:
    """Whether no record is acknowledged and none can be any more."""
    return not any(status in (UNSENT, ACKED) or status >= PENDING for status in state[2])


def trace(seen: Seen, last: State, names: Names = SAME) -> list[tuple[Action, State]]:
    """The way from the start to a state, every replica under the name it began with (`names`: what it was called)."""
    steps = []
    state = last
    while (came := seen[state]) is not None:
        steps.append((came[1], state, came[2]))
        state = came[0]
    steps.reverse()
    if not names:
        return [(action, state) for action, state, _ in steps]
    found, own = [], inverse(names)
    for action, after, new in steps:
        back = inverse(new)
        found.append((renamed_action(action, own), renamed(renamed(after, back), own)))
        own = tuple(own[r] for r in back)
    return found
