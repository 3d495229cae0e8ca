"""Failures with a chosen victim: `kill leader, power-loss any, isolate 2`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.errors import BadScenario
from advisor.simulator.model import Model
from advisor.simulator.scenario import EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.simulator.model import Action, State
    from advisor.simulator.scenario import Setup

    Failure = tuple[str, str]

VICTIMS = ("any", "leader", "follower")


def read(text: str, replicas: int) -> tuple[Failure, ...]:
    """The failures of a list such as `kill leader, power-loss any`; a failure without a victim may hit any replica."""
    found = []
    for part in text.split(","):
        words = part.split()
        if not words:
            continue
        name, victim = words[0], words[1] if len(words) > 1 else "any"
        if name not in EVENTS:
            raise BadScenario(f"no such event: {name} (there are {', '.join(EVENTS)})")
        known = victim in VICTIMS or (victim.isdigit() and int(victim) < replicas)
        if len(words) > 2 or not known:
            raise BadScenario(f"{part.strip()}: a victim is {', '.join(VICTIMS)} or a replica from 0 to {replicas - 1}")
        found.append((name, victim))
    return tuple(found)


class ChosenVictims(Model):
    """The model in which every failure hits whom it was said to hit, in any order."""

    def __init__(self, setup: Setup, failures: tuple[Failure, ...], follower_hw: bool = True) -> None:
        super().__init__(setup, follower_hw)
        self.allowed = {name: {victim for event, victim in failures if event == name} for name, _ in failures}

    def failures(self, state: State) -> Iterator[tuple[Action, State]]:
        """Every adverse event that is allowed for its victim."""
        for action, after in super().failures(state):
            if self.hits(state, action):
                yield action, after

    def hits(self, state: State, action: Action) -> bool:
        """Whether the event may hit this replica now."""
        wanted = self.allowed.get(action[0], {"any"})
        role = "leader" if state[0][1] == action[1] else "follower"
        return bool(wanted & {"any", role, str(action[1])}) or action[1] < 0
