"""Each guard of the protocol is needed: without it something is lost that is kept with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from advisor.simulator.protocol.model import CUT, UNREGISTERED, UP, Model, put, start
from advisor.simulator.protocol.properties import loses_acked
from advisor.simulator.protocol.scenario import DISK, EVENTS, KILL, POWER, POWER_ALL, Scenario
from advisor.simulator.search import LIMIT, explore
from tests.support.simulation import events, found, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.simulator.protocol.model import Action, State

GUARDS = [
    # guard, RF, min.isr, ELR, events, property, steps without the guard
    ("leso", 3, 1, False, "L1K2", "no-acked-loss", 12),
    ("leso", 3, 2, False, "L1K2", "no-acked-loss", 12),
    ("leso", 3, 1, False, "K3", "no-acked-loss", 16),
    ("maximal-isr", 2, 1, False, "L1K1", "no-acked-loss", 7),
    ("maximal-isr", 2, 1, False, "K2", "no-acked-loss", 12),
    ("maximal-isr", 3, 2, False, "L1K1", "no-acked-loss", 8),
    ("strict-hw", 3, 2, True, "L2K1", "committed-read-stable", 7),
]


@pytest.mark.parametrize(("guard", "rf", "min_isr", "elr", "budget", "property", "steps"), GUARDS)
def test_guard(guard: str, rf: int, min_isr: int, elr: bool, budget: str, property: str, steps: int) -> None:
    setup = {"replicas": rf, "min_isr": min_isr, "elr": elr}
    assert outcome(found(budget, property, **setup)) is None
    assert outcome(found(budget, property, **setup, without=[guard])) == steps


SMALLEST = [
    # guard, RF, min.isr, ELR, fewer events, property
    ("leso", 3, 1, False, "K2", "no-acked-loss"),
    ("leso", 3, 1, False, "L1K1", "no-acked-loss"),
    ("leso", 2, 2, False, "L1K2", "no-acked-loss"),
    ("maximal-isr", 2, 1, False, "K1", "no-acked-loss"),
    ("maximal-isr", 2, 1, False, "L1", "no-acked-loss"),
    ("strict-hw", 3, 2, True, "L1K1", "committed-read-stable"),
    ("strict-hw", 3, 2, True, "L2", "committed-read-stable"),
    ("strict-hw", 3, 2, False, "L2K1", "committed-read-stable"),
]


@pytest.mark.parametrize(("guard", "rf", "min_isr", "elr", "budget", "property"), SMALLEST)
def test_fewer_events_do_not_show_it(guard: str, rf: int, min_isr: int, elr: bool, budget: str, property: str) -> None:
    assert found(budget, property, replicas=rf, min_isr=min_isr, elr=elr, without=[guard]).holds


FETCHED = 4
"""Where a state holds, for each replica, (leader, epoch, position) of its last fetch."""
LOST = {EVENTS[event] for event in (KILL, POWER, DISK, POWER_ALL)}


class FetchedModel(Model):
    """A leader that knows of its followers what they fetched last, whatever has become of them since.

    With the broker epoch (KIP-903) what it knows of a broker ends with that broker's process.
    """

    def __init__(self, setup: Scenario, broker_epoch: bool) -> None:
        super().__init__(setup)
        self.broker_epoch = broker_epoch

    def steps(self, state: State) -> Iterator[tuple[Action, State]]:
        with_fetched: Any = state
        plain, fetched = with_fetched[:FETCHED], with_fetched[FETCHED]
        for action, after in super().steps(plain):
            yield action, (*after, self.known(action, after, fetched))  # type: ignore[misc]
        (up, leader, epoch, isr, _, _, fenced), replicas, _, _ = plain
        if not up or leader < 0 or not self.is_true_leader(plain, leader) or replicas[leader][0] & CUT:
            return
        _, _, _, _, _, hw, leso, _ = replicas[leader]
        for f, (who, since, position) in enumerate(fetched):
            gone = (isr | fenced) >> f & 1 or replicas[f][0] & (UP | CUT | UNREGISTERED) != UP
            if not gone and (who, since) == (leader, epoch) and position >= max(hw, leso):
                yield ("expand ISR", leader, f), (*self.expand(plain, leader, isr | 1 << f), fetched)  # type: ignore[misc]

    def known(self, action: Action, after: State, fetched: tuple[tuple[int, int, int], ...]) -> object:
        name, r, _ = action
        if name == "fetch":
            return put(fetched, r, (after[1][r][1], after[1][r][2], len(after[1][r][4])))
        if name not in LOST:
            return fetched
        down = [f for f, replica in enumerate(after[1]) if not replica[0] & UP]
        return tuple(
            (-1, -1, 0) if known[0] in down or (self.broker_epoch and f in down) else known
            for f, known in enumerate(fetched)
        )


@pytest.mark.parametrize(
    ("rf", "min_isr", "budget", "steps"),
    [
        (3, 1, "P1K1", 12),
        (3, 2, "P1K1", 12),
        (3, 1, "D1K1", 12),
        (3, 1, "D1", None),
        (3, 1, "K2", None),
        (2, 1, "K2", None),
    ],
)
def test_broker_epoch(rf: int, min_isr: int, budget: str, steps: int | None) -> None:
    """KIP-903: a follower that restarted with an empty log joins the ISR on what it had fetched before."""
    setup = Scenario(rf, min_isr)
    first = (*start(setup, events(budget)), ((-1, -1, 0),) * rf)
    assert outcome(found(budget, replicas=rf, min_isr=min_isr)) is None
    assert explore(FetchedModel(setup, broker_epoch=True), first, loses_acked, LIMIT).holds  # type: ignore[arg-type]
    answer = explore(FetchedModel(setup, broker_epoch=False), first, loses_acked, LIMIT)  # type: ignore[arg-type]
    assert outcome(answer) == steps
