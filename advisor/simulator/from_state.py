"""The simulator from where a running cluster is now: who leads, who is in sync, who is down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.simulator.model import ACKED, CUT, NOBODY, UNCLEAN, UP, Model
from advisor.simulator.properties import PROPERTIES
from advisor.simulator.search import explore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.model.claim import Picture
    from advisor.simulator.model import Replica, State
    from advisor.simulator.scenario import Setup
    from advisor.simulator.search import Answer


LOSS = "no-acked-loss"


def search_from(setup: Setup, now: Picture, events: tuple[int, ...], property: str, limit: int) -> Answer:
    """Look for the shortest way from the present to a state that violates a property.

    One record is acknowledged, and the ISR (and the ELR) has it. A live replica out of the ISR may or may not catch up
    where a loss is looked for; where service is, it stays out: nobody can count on it.
    """
    model = Model(setup, follower_hw=property != LOSS)
    return explore(model, present(setup, now, events, lagging=property == LOSS), PROPERTIES[property], limit)


def present(setup: Setup, now: Picture, events: tuple[int, ...], lagging: bool) -> State:
    """The state of the model for a picture of the present."""
    leader = next((r for r, replica in enumerate(now) if replica[0]), NOBODY)
    isr = mask(replica[1] for replica in now)
    elr = mask(replica[2] and not replica[1] for replica in now) if setup.elr else 0
    fenced = mask(not replica[3] for replica in now)
    replicas = tuple(_replica(r, row, leader, isr, lagging or setup.unclean) for r, row in enumerate(now))
    return (True, leader, 0, isr, elr, NOBODY, fenced), replicas, (ACKED,), events


def _replica(r: int, row: tuple[bool, bool, bool, bool, int], leader: int, isr: int, lagging: bool) -> Replica:
    _, in_sync, eligible, alive, _ = row
    log = (0,) if in_sync or eligible else ()
    if not alive:
        return (UNCLEAN, NOBODY, 0, 0, log, len(log), 0, 0)
    flags = UP if in_sync or lagging else UP | CUT
    return (flags, leader, 0, isr if r == leader else 0, log, len(log), 0, 0)


def mask(held: Iterable[bool]) -> int:
    """The bit mask of the replicas for which something holds."""
    return sum(1 << r for r, holds in enumerate(held) if holds)
