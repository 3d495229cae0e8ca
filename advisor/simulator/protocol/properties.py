"""Safety and liveness properties: what must hold in every reachable state and after healing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from advisor.simulator.protocol.model import ACKED, CUT, NOBODY, UP, Action, Model, State, members

Violated = Callable[[Model, State], bool]
SETTLING_ORDER = (
    "fence",
    "register",
    "register unnoticed",
    "learn",
    "fetch",
    "shrink ISR",
    "expand ISR",
    "advance high watermark",
)
MOST_SETTLING_STEPS = 500


def true_leader(model: Model, state: State) -> int:
    """The leader that is up and knows that it leads, else NOBODY."""
    leader = state[0][1]
    return leader if leader != NOBODY and model.is_true_leader(state, leader) else NOBODY


def loses_acked(model: Model, state: State) -> bool:
    """NoAckedLoss is violated: the leader's log lacks a record that was acknowledged."""
    records = state[2]
    if ACKED not in records:
        return False
    leader = true_leader(model, state)
    if leader == NOBODY:
        return False
    records_of_leader = {entry & 7 for entry in state[1][leader][4]}
    return any(status == ACKED and k not in records_of_leader for k, status in enumerate(records))


def loses_everywhere(model: Model, state: State) -> bool:
    """NoGlobalLoss is violated: no replica, up or down, still holds an acknowledged record."""
    held = {entry & 7 for replica in state[1] for entry in replica[4]}
    return any(status == ACKED and k not in held for k, status in enumerate(state[2]))


def two_leaders_in_one_epoch(model: Model, state: State) -> bool:
    """OneLeaderPerEpoch is violated: two running replicas believe that they lead in the same epoch."""
    epochs = [replica[2] for r, replica in enumerate(state[1]) if replica[0] & UP and replica[1] == r]
    return len(epochs) != len(set(epochs))


def candidate_incomplete(model: Model, state: State) -> bool:
    """CandidateCompleteness is violated: a running member of the ISR or ELR lacks what the leader has committed."""
    leader = true_leader(model, state)
    if leader == NOBODY:
        return False
    hw = state[1][leader][5]
    candidates = members(state[0][3] | state[0][4])
    return any(state[1][r][0] & UP and len(state[1][r][4]) < hw for r in candidates)


def duplicates(model: Model, state: State) -> bool:
    """NoDuplicate is violated: the leader's log holds a record twice."""
    leader = true_leader(model, state)
    ids = [entry & 7 for entry in state[1][leader][4]] if leader != NOBODY else []
    return len(ids) != len(set(ids))


def settle(model: Model, state: State) -> State:
    """The state after all healing that neither restarts nor reconnects anything, in a fixed order.

    The way there is remembered: the states of a search settle along the same paths.
    """
    settled_states, path = model.settled, []
    while state not in settled_states:
        path.append(state)
        after = next((after for _, after in healing_steps(model, state) if after != state), None)
        if after is None:
            settled_states[state] = state
        elif len(path) > MOST_SETTLING_STEPS:
            raise RuntimeError("healing does not come to an end")
        else:
            state = after
    final = settled_states[state]
    for passed in path:
        settled_states[passed] = final
    return final


def healing_steps(model: Model, state: State) -> Iterator[tuple[Action, State]]:
    """The next healing steps in order; a healthy follower is not removed from the ISR."""
    steps = [*model.settling(state), *model.work(state)]
    for name in SETTLING_ORDER:
        for action, after in steps:
            if action[0] == name and (name != "shrink ISR" or not is_well(state, action[2])):
                yield action, after


def is_well(state: State, r: int) -> bool:
    """Whether a replica is up and connected."""
    return state[1][r][0] & (UP | CUT) == UP


def stops_producing(model: Model, state: State) -> bool:
    """After healing no leader takes a record with the configured acks."""
    return not takes_writes(model, settle(model, state))


def takes_writes(model: Model, state: State) -> bool:
    """Whether a leader takes a record with the configured acks; the state has settled."""
    leader = true_leader(model, state)
    if leader == NOBODY:
        return False
    if model.scenario.acks != "all":
        return True
    isr = state[1][leader][3]
    return (
        isr.bit_count() >= model.scenario.min_isr and not waits_for_the_dead(state, leader) and is_well(state, leader)
    )


def stops_consuming(model: Model, state: State) -> bool:
    """After healing there is no leader to read from."""
    return true_leader(model, settle(model, state)) == NOBODY


def stops_new_records(model: Model, state: State) -> bool:
    """After healing the high watermark cannot move: what is written now stays unread."""
    return not shows_new_records(model, settle(model, state))


def shows_new_records(model: Model, state: State) -> bool:
    """Whether the high watermark can move; the state has settled."""
    leader = true_leader(model, state)
    if leader == NOBODY or waits_for_the_dead(state, leader):
        return False
    return not model.scenario.strict or state[1][leader][3].bit_count() >= model.scenario.min_isr


def waits_for_the_dead(state: State, leader: int) -> bool:
    """Whether the leader's ISR has a dead member that cannot be removed."""
    return any(not is_well(state, f) for f in members(state[1][leader][3]) if f != leader)


PROPERTIES: dict[str, Violated] = {
    "no-acked-loss": loses_acked,
    "no-global-loss": loses_everywhere,
    "one-leader-per-epoch": two_leaders_in_one_epoch,
    "candidate-completeness": candidate_incomplete,
    "no-duplicate": duplicates,
    "available-to-produce": stops_producing,
    "available-to-consume": stops_consuming,
    "new-records-readable": stops_new_records,
}
"""The properties of a state, by the name a query gives them; each function says whether it is violated."""
