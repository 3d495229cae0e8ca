"""Exhaustive search: breadth first over every interleaving, so that the first violation is a shortest one."""

from __future__ import annotations

from collections.abc import Callable

from advisor.errors import BadScenario
from advisor.simulator.protocol.consumer_model import ReadingModel, unstable, with_new_consumer
from advisor.simulator.protocol.model import ACKED, PENDING, UNSENT, Action, Model, State, start
from advisor.simulator.protocol.properties import PROPERTIES, Violated, loses_acked
from advisor.simulator.protocol.scenario import Scenario
from advisor.simulator.protocol.symmetry import Names, canonical_names, inverse, pays, rename_action, rename_state

Seen = dict[State, tuple[State, Action, Names] | None]
Progress = Callable[[int], bool]
"""Gets the number of states so far; True ends the search undecided."""
Trace = list[tuple[Action, State]]
SAME: Names = ()
"""Stands for no renaming at all."""
LIMIT = 2_000_000
"""States after which a question is left undecided (about 1 kB of memory each)."""
READ_STABLE = "committed-read-stable"
LEADERS_ONLY = ("no-acked-loss", "no-global-loss", "one-leader-per-epoch")
"""Properties for which the followers' high watermarks cannot matter (a consumer that reads from a new leader below its
old high watermark could have read the same before, from the leader it came from)."""


class SearchResult:
    """A search result. `holds` is None where the limit came first; `trace` leads to the violation."""

    __slots__ = ("holds", "states", "trace")

    def __init__(self, holds: bool | None, states: int, trace: Trace) -> None:
        self.holds = holds
        self.states = states
        self.trace = trace


def search(
    scenario: Scenario,
    events: tuple[int, ...],
    property: str = "no-acked-loss",
    limit: int = LIMIT,
    progress: Progress | None = None,
) -> SearchResult:
    """Search for the shortest way to a violation of a property."""
    if property == READ_STABLE:
        reading = ReadingModel(scenario, follower_hw=False)
        return explore(reading, with_new_consumer(start(scenario, events)), unstable, limit, progress)
    violated = property_named(property)
    model = Model(scenario, follower_hw=property not in LEADERS_ONLY)
    return explore(model, start(scenario, events), violated, limit, progress, pays(scenario))


def property_named(property: str) -> Violated:
    """The property function of that name. Raises BadScenario."""
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
) -> SearchResult:
    """Breadth-first search from a state; `merge` treats states equal up to replica names as one."""
    if violated(model, first):
        return SearchResult(False, 1, [])
    names = canonical_names(first, model.alike) if merge else SAME
    start_here = rename_state(first, names) if merge else first
    seen: Seen = {start_here: None}
    prune = violated is loses_acked and not model.scenario.retries
    layer = [start_here]
    while layer:
        following: list[State] = []
        for state in layer:
            for action, after in model.steps(state):
                new = SAME
                if merge:
                    new = canonical_names(after, model.alike)
                    after = rename_state(after, new)
                if after in seen or (prune and nothing_to_lose(after)):
                    continue
                seen[after] = (state, action, new)
                if violated(model, after):
                    return SearchResult(False, len(seen), trace(seen, after, names))
                following.append(after)
            if len(seen) > limit or (progress and progress(len(seen))):
                return SearchResult(None, len(seen), [])
        layer = following
    return SearchResult(True, len(seen), [])


def nothing_to_lose(state: State) -> bool:
    """Whether no record is acknowledged and none can be any more, so that nothing can be lost."""
    return not any(status in (UNSENT, ACKED) or status >= PENDING for status in state[2])


def trace(seen: Seen, last: State, names: Names = SAME) -> Trace:
    """The steps from the start to a state, every replica under its original name (`names`: its last one)."""
    steps = []
    state = last
    while (came := seen[state]) is not None:
        steps.append((came[1], state, came[2]))
        state = came[0]
    steps.reverse()
    if not names:
        return [(action, state) for action, state, _ in steps]
    renamed_steps, own = [], inverse(names)
    for action, after, new in steps:
        back = inverse(new)
        renamed_steps.append((rename_action(action, own), rename_state(rename_state(after, back), own)))
        own = tuple(own[r] for r in back)
    return renamed_steps
