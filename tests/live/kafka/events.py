"""Commands to a real cluster, and what the protocol does between them, as actions of the simulator's model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.simulator.model import ACKED, CUT, FAILED, NOBODY, PENDING, UNREGISTERED, UNSENT, UP, Model, put
from advisor.simulator.scenario import EVENTS, budget

if TYPE_CHECKING:
    from advisor.simulator.model import Action, State

FAILURES = {
    "kill": "kill",
    "stop": "controlled-shutdown",
    "pause": "isolate",
    "power-loss": "power-loss",
    "disk-loss": "disk-loss",
    "replace-disk": "disk-loss",
}
"""The model's name of what is done to a broker. A paused one is cut off, and serves no client either."""
RECOVERIES = {"resume": "reconnect", "start": "restart"}
CONTROLLER = {"down": "controller-down", "up": "controller up"}
ON_COMMAND = frozenset({*EVENTS, *RECOVERIES.values(), "controller up"})
MAY_STAY_AWAY = "lose unanswered record"
"""Can happen to acks=0, and need not."""
REFUSED = "NOT_ENOUGH_REPLICAS"


def free(model: Model, state: State, record: int | None) -> Iterator[tuple[Action, State]]:
    """What may happen without a command. A paused broker does nothing."""
    for action, after in (*model.settling(state), *model.work(state)):
        name, r, other = action
        if name in ON_COMMAND or (name == "produce" and other != record) or (name == MAY_STAY_AWAY and r != record):
            continue
        if name in ("produce", "advance high watermark") and state[1][r][0] & CUT:
            continue
        if after != state:
            yield action, after


def unelected(model: Model, state: State, after: State, r: int) -> Iterator[tuple[Action, State]]:
    """A broker with a new directory id has registered and is not elected: the controller has yet to hear that the
    replica lies in that directory, and decides again only when another broker is unfenced."""
    lossy = 1 << r if model.scenario.elr else 0
    controller = state[0]
    others = model.everyone & ~controller[6] & ~(1 << r)
    for left in model.change(controller, controller[3] & ~(1 << r), others, lossy):
        if left[1] == NOBODY:
            yield ("register", r, NOBODY), ((*left[:6], after[0][6]), *after[1:])


def commanded(model: Model, state: State, name: str, r: int) -> Iterator[tuple[Action, State]]:
    """What a command makes of a state."""
    controller, replicas, records, spent = state
    allowed = (controller, replicas, records, budget({name: 1})) if name in EVENTS else state
    for action, after in (*model.failures(allowed), *model.healing(allowed)):
        if action[0] == name and action[1] == r:
            yield action, (*after[:3], spent)


def forgetful(state: State, r: int) -> Iterator[State]:
    """A killed broker comes back with the high watermark of its last checkpoint, which is up to 5 s old."""
    controller, replicas, records, spent = state
    replica = replicas[r]
    for hw in range(replica[5]):
        yield controller, put(replicas, r, (*replica[:5], hw, *replica[6:])), records, spent


def acknowledged(state: State, record: int) -> bool:
    """Whether the producer has been told that the record is safe."""
    return state[2][record] == ACKED


def unacknowledged(state: State, record: int) -> bool:
    """Whether the producer has not been told so."""
    return state[2][record] != ACKED


def never_appended(state: State, record: int) -> bool:
    """Whether the leader refused the record."""
    return state[2][record] == UNSENT


def given_up(state: State, record: int) -> State:
    """The producer has its answer and waits for no other."""
    controller, replicas, records, spent = state
    if records[record] == UNSENT or records[record] >= PENDING:
        records = put(records, record, FAILED)
    return controller, replicas, records, spent


def all_registered(state: State) -> bool:
    """Whether the controller knows of every broker that runs and is connected."""
    fenced = state[0][6]
    awake = [(r, replica[0]) for r, replica in enumerate(state[1]) if replica[0] & (UP | CUT) == UP]
    return not any(flags & UNREGISTERED or fenced >> r & 1 for r, flags in awake)
