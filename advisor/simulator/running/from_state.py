"""Search from a running partition's present state: its leader, its ISR, and the brokers that are down."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from advisor.simulator.protocol.model import ACKED, CUT, NOBODY, UNCLEAN, UP, Model, Replica, State
from advisor.simulator.protocol.properties import PROPERTIES
from advisor.simulator.protocol.scenario import Scenario
from advisor.simulator.search import SearchResult, explore

if TYPE_CHECKING:
    from advisor.model.claim import ReplicaStates


LOSS = "no-acked-loss"


def search_from(
    scenario: Scenario, now: ReplicaStates, events: tuple[int, ...], property: str, limit: int
) -> SearchResult:
    """Search for the shortest way from the present state to a violation of a property.

    One record is acknowledged, and the ISR (and the ELR) has it. A live replica out of the ISR may or may not catch up
    where a loss is looked for; where service is, it stays out: it cannot be relied on.
    """
    model = Model(scenario, follower_hw=property != LOSS)
    return explore(model, present_state(scenario, now, events, lagging=property == LOSS), PROPERTIES[property], limit)


def present_state(scenario: Scenario, now: ReplicaStates, events: tuple[int, ...], lagging: bool) -> State:
    """The model's state for the present replicas."""
    leader = next((r for r, replica in enumerate(now) if replica[0]), NOBODY)
    isr = bit_mask(replica[1] for replica in now)
    elr = bit_mask(replica[2] and not replica[1] for replica in now) if scenario.elr else 0
    fenced = bit_mask(not replica[3] for replica in now)
    replicas = tuple(_replica(r, row, leader, isr, lagging or scenario.unclean) for r, row in enumerate(now))
    return (True, leader, 0, isr, elr, NOBODY, fenced), replicas, (ACKED,), events


def _replica(r: int, row: tuple[bool, bool, bool, bool, int], leader: int, isr: int, lagging: bool) -> Replica:
    _, in_sync, eligible, alive, _ = row
    log = (0,) if in_sync or eligible else ()
    if not alive:
        return (UNCLEAN, NOBODY, 0, 0, log, len(log), 0, 0)
    flags = UP if in_sync or lagging else UP | CUT
    return (flags, leader, 0, isr if r == leader else 0, log, len(log), 0, 0)


def bit_mask(flags: Iterable[bool]) -> int:
    """The bit mask of the replicas whose flag is set."""
    return sum(1 << r for r, holds in enumerate(flags) if holds)
