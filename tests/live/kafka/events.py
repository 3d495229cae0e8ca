"""Commands to a real cluster, and what the protocol does between them, as actions of the simulator's model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from advisor.simulator.protocol.model import ACKED, CUT, FAILED, PENDING, SEVERAL, UNREGISTERED, UNSENT, UP, Model, put
from advisor.simulator.protocol.scenario import EVENTS, budget

if TYPE_CHECKING:
    from advisor.simulator.protocol.model import Action, State

FAILURES = {
    "kill": "kill",
    "stop": "controlled-shutdown",
    "pause": "isolate",
    "power-loss": "power-loss",
    "disk-loss": "disk-loss",
    "replace-disk": "disk-loss",
}
"""The model's name of what is done to a broker. A paused one is cut off, and serves no client either."""
CRASHES = ("kill", "power-loss", "disk-loss")
RECOVERIES = {"resume": "reconnect", "start": "restart"}
CONTROLLER = {"down": "controller-down", "up": "controller up"}
ON_COMMAND = frozenset({*EVENTS, *RECOVERIES.values(), "controller up"})
MAY_STAY_AWAY = "lose unanswered record"
"""Can happen to acks=0, and need not."""
REFUSED = "NOT_ENOUGH_REPLICAS"
TIMED_OUT = ("REQUEST_TIMED_OUT", "_MSG_TIMED_OUT")
SLOW = ("fence", "register", "shrink ISR", SEVERAL, MAY_STAY_AWAY)
"""What waits for a session or replica.lag.time.max.ms; a producer may time out meanwhile."""


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


def commanded(model: Model, state: State, name: str, r: int) -> Iterator[tuple[Action, State]]:
    """What a command makes of a state. A process that crashes is paused no longer."""
    controller, replicas, records, spent = state
    if name in CRASHES:
        replicas = put(replicas, r, (replicas[r][0] & ~CUT, *replicas[r][1:]))
    allowed = (controller, replicas, records, budget({name: 1})) if name in EVENTS else state
    for action, after in (*model.failures(allowed), *model.healing(allowed)):
        if action[0] == name and action[1] == r:
            yield action, (*after[:3], spent)


def acknowledged(state: State, record: int) -> bool:
    """Whether the producer has been told that the record is safe."""
    return state[2][record] == ACKED


def unacknowledged(state: State, record: int) -> bool:
    """Whether the producer has not been told so."""
    return state[2][record] != ACKED


def never_appended(state: State, record: int) -> bool:
    """Whether the leader refused the record."""
    return state[2][record] == UNSENT


def refuses(model: Model, state: State) -> bool:
    """Whether somebody who believes to lead takes no record with acks=all."""
    return any(
        replica[0] & (UP | CUT) == UP and replica[1] == r and replica[3].bit_count() < model.scenario.min_isr
        for r, replica in enumerate(state[1])
    )


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
