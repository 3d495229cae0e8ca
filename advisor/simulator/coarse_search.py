"""Search for a counterexample in runs of steps: what a cluster does at one go counts as one.

A run is a failure; a record that is produced, replicated and acknowledged; the controller that notices all who are away;
or a broker that comes back. Every run consists of the model's own steps, so what is found can happen; what is not found
can happen all the same. It is asked where the closed form knows that there is a counterexample.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import combinations

from advisor.simulator.protocol.model import (
    ACKED,
    CUT,
    NOBODY,
    PENDING,
    UNREGISTERED,
    UNSENT,
    UP,
    Action,
    Model,
    State,
    members,
    put,
)
from advisor.simulator.protocol.properties import loses_acked
from advisor.simulator.protocol.scenario import LAG, POWER_ALL
from advisor.simulator.protocol.symmetry import canonical_names, rename_state

Run = list[tuple[Action, State]]
LIMIT = 15_000
"""Runs after which the search gives up."""


def find_loss(model: Model, first: State, limit: int = LIMIT) -> Run | None:
    """A way to the loss of an acknowledged record, of few steps; None where no runs lead there."""
    came_from: dict[State, tuple[State, Run] | None] = {first: None}
    merged: set[State] = set()
    queue, number = [(0, 0, 0, first)], 0
    while queue and number < limit:
        _, _, steps, state = heapq.heappop(queue)
        if loses_acked(model, state):
            return path(came_from, state)
        same = rename_state(state, canonical_names(state, model.alike))
        if same in merged:
            continue
        merged.add(same)
        for run in runs(model, state):
            after = run[-1][1]
            if after not in came_from:
                number += 1
                came_from[after] = (state, run)
                taken = steps + len(run)
                heapq.heappush(queue, (taken + steps_left(model, after), -number, taken, after))
    return None


def steps_left(model: Model, state: State) -> int:
    """The least number of steps to a loss: the failures, the record's replication, and the controller's part."""
    (_, _, _, isr, _, _, fenced), replicas, records, budget = state
    domains = model.scenario.domains
    sizes = sorted((domains.count(domain) for domain in set(domains)), reverse=True)
    failures = sum(budget) - budget[LAG] + sum(sizes[: budget[POWER_ALL]])
    if records[0] == UNSENT:
        missing = max(0, model.scenario.min_isr - isr.bit_count())
        replication = 1 + isr.bit_count() + 3 * missing if model.scenario.acks == "all" else 1
        return failures + replication + (0 if failures else 2)
    unnoticed = sum(not row[0] & UP and not fenced >> r & 1 for r, row in enumerate(replicas))
    return failures + unnoticed


def path(came_from: dict[State, tuple[State, Run] | None], last: State) -> Run:
    """The steps from the first state to the last."""
    reversed_runs = []
    while (origin := came_from[last]) is not None:
        reversed_runs.append(origin[1])
        last = origin[0]
    return [step for run in reversed(reversed_runs) for step in run]


def runs(model: Model, state: State) -> Iterator[Run]:
    """What may happen at one go."""
    alike = representatives(model, state)
    for step in model.failures(state):
        if step[0][1] in (*alike, NOBODY):
            yield [step]
    if state[2][0] == UNSENT:
        yield from acknowledgements(model, state)
    yield from notices(model, state, alike)
    for r in alike:
        yield from returns(model, state, r)
        yield from rejoins(model, state, r)


def representatives(model: Model, state: State) -> list[int]:
    """One replica of all that are alike and in the same state: what happens to it might as well happen to another."""
    (_, leader, _, *sets), replicas, records, _ = state
    first: dict[object, int] = {}
    for r, (flags, view, *row) in enumerate(replicas):
        roles = r == leader, view == r, view == leader, PENDING + r in records, r == sets[2]
        first.setdefault(
            (model.alike[r], flags, roles, *row, *(mask >> r & 1 for mask in (sets[0], sets[1], sets[3]))), r
        )
    return list(first.values())


def acknowledgements(model: Model, state: State) -> Iterator[Run]:
    """A record is produced and acknowledged; as many followers as may lag do not fetch it, and leave the ISR."""
    followers = [r for r in range(len(state[1])) if state[1][r][1] not in (r, NOBODY)]
    leaders = [r for r, row in enumerate(state[1]) if row[0] & UP and row[1] == r]
    for leader in leaders:
        for laggards in combinations(followers, state[3][LAG]):
            for produced in model.produce(state, leader):
                run = [produced]
                while run[-1][1][2][0] != ACKED:
                    step = next(replication(model, run[-1][1], leader, laggards), None)
                    if step is None:
                        break
                    run.append(step)
                else:
                    yield run


def replication(model: Model, state: State, leader: int, laggards: tuple[int, ...]) -> Iterator[tuple[Action, State]]:
    """The next steps to an acknowledgement: laggards leave the ISR, the others learn, fetch, and are counted."""
    advanced = model.advance(state, leader)
    if advanced:
        yield ("advance high watermark", leader, NOBODY), advanced
    in_sync = members(state[1][leader][3])
    if state[0][0] and model.is_true_leader(state, leader) and not is_away(state, leader):
        for r in set(laggards) & set(in_sync):
            for after in model.shrink(state, leader, 1 << r):
                yield ("shrink ISR", leader, r), after
    for r in in_sync:
        learned = model.learn(state, r) if state[0][0] and not is_away(state, r) else None
        if learned:
            yield ("learn", r, state[0][1]), learned
        fetched = None if r == leader or r in laggards else fetch(model, state, r)
        if fetched:
            yield ("fetch", r, leader), fetched


def fetch(model: Model, state: State, r: int) -> State | None:
    """The state after a fetch, if the replica is up and follows a leader."""
    flags, leader = state[1][r][0], state[1][r][1]
    return model.fetch(state, r) if flags & UP and leader not in (r, NOBODY) else None


def notices(model: Model, state: State, alike: list[int]) -> Iterator[Run]:
    """The controller fences everybody who is away, one of them last, and the new leader learns of it."""
    if not state[0][0]:
        return
    unnoticed = [r for r in range(len(state[1])) if is_away(state, r) and not state[0][6] >> r & 1]
    for last in [r for r in unnoticed if r in alike] or [NOBODY]:
        order = [r for r in unnoticed if r != last] + [last] * (last != NOBODY)
        run: Run = []
        for r in order:
            outcomes = model.fence((run[-1][1] if run else state)[0], r)
            before = run[-1][1] if run else state
            chosen = min(outcomes, key=lambda after: after[1] in order)
            run.append((("fence", r, NOBODY), (chosen, *before[1:])))
        yield from with_leader(model, state, run)


def is_away(state: State, r: int) -> bool:
    """Whether a replica is down, cut off or not registered."""
    return state[1][r][0] & (UP | CUT | UNREGISTERED) != UP


def with_leader(model: Model, state: State, run: Run) -> Iterator[Run]:
    """The run, after which the leader knows that it leads."""
    last = run[-1][1] if run else state
    leader = last[0][1]
    learned = model.learn(last, leader) if leader != NOBODY and not is_away(last, leader) else None
    if learned:
        run = [*run, (("learn", leader, leader), learned)]
    if run:
        yield run


def returns(model: Model, state: State, r: int) -> Iterator[Run]:
    """A broker that is away comes back: it restarts or is connected again, and registers."""
    if not is_away(state, r) or not state[0][0]:
        return
    run: Run = []
    controller, replicas, records, budget = state
    flags = replicas[r][0]
    if not flags & UP:
        row = (flags | UP | UNREGISTERED, NOBODY, NOBODY, 0, *replicas[r][4:])
        run.append((("restart", r, NOBODY), (controller, put(replicas, r, row), records, budget)))
    if flags & CUT:
        before = run[-1][1] if run else state
        row = before[1][r]
        run.append((("reconnect", r, NOBODY), (before[0], put(before[1], r, (row[0] & ~CUT, *row[1:])), *before[2:])))
    for fenced in fences(model, state, run, r):
        for action, after in model.register(fenced[-1][1] if fenced else state, r):
            yield from with_leader(model, state, [*fenced, (action, after)])


def rejoins(model: Model, state: State, r: int) -> Iterator[Run]:
    """A replica out of the ISR learns who leads, fetches what it lacks, and joins the ISR."""
    leader = state[0][1]
    is_led = state[0][0] and leader != NOBODY and not is_away(state, leader)
    if not is_led or state[0][3] >> r & 1 or is_away(state, r):
        return
    run: Run = []
    learned = model.learn(state, r)
    if learned:
        run.append((("learn", r, leader), learned))
    while fetched := fetch(model, run[-1][1] if run else state, r):
        run.append((("fetch", r, leader), fetched))
    last = run[-1][1] if run else state
    if model.is_true_leader(last, leader):
        yield from ([*run, step] for step in model.isr_changes(last, leader) if step[0] == ("expand ISR", leader, r))


def fences(model: Model, state: State, run: Run, r: int) -> Iterator[Run]:
    """The run, in which the broker is fenced if it was not yet."""
    before = run[-1][1] if run else state
    if before[0][6] >> r & 1:
        yield run
        return
    for after in model.fence(before[0], r):
        yield [*run, (("fence", r, NOBODY), (after, *before[1:]))]
