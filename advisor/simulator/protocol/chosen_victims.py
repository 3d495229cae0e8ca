"""Failures of chosen replicas: `kill leader, power-loss any, isolate 2`."""

from __future__ import annotations

from collections.abc import Iterator

from advisor import limits
from advisor.errors import BadScenario
from advisor.model import is_whole_number
from advisor.simulator.protocol.model import Action, Model, State
from advisor.simulator.protocol.scenario import EVENTS, Scenario

Failure = tuple[str, str]
VICTIMS = ("any", "leader", "follower")


def read(text: str, replicas: int) -> tuple[Failure, ...]:
    """Parse failures such as `kill leader, power-loss any`; without a victim any replica may be hit."""
    failures = []
    for failure in text.split(","):
        words = failure.split()
        if not words:
            continue
        name, victim = words[0], words[1] if len(words) > 1 else "any"
        if name not in EVENTS:
            raise BadScenario(f"no such event: {name} (there are {', '.join(EVENTS)})")
        is_victim = victim in VICTIMS or (is_whole_number(victim) and int(victim) < replicas)
        if len(words) > 2 or not is_victim:
            raise BadScenario(
                f"{failure.strip()}: a victim is {', '.join(VICTIMS)} or a replica from 0 to {replicas - 1}"
            )
        failures.append((name, victim))
    if len(failures) > limits.EVENTS:
        raise BadScenario(f"{len(failures)} failures: up to {limits.EVENTS} together can be computed")
    return tuple(failures)


class ChosenVictims(Model):
    """A model in which every failure hits its chosen victim, in any order."""

    def __init__(
        self,
        scenario: Scenario,
        failures: tuple[Failure, ...],
        follower_hw: bool = True,
        partial_power_loss: bool = True,
    ) -> None:
        super().__init__(scenario, follower_hw, partial_power_loss)
        named = {victim for _, victim in failures}
        self.alike = [(domain, r if str(r) in named else None) for r, domain in enumerate(scenario.domains)]
        self.allowed = {name: {victim for event, victim in failures if event == name} for name, _ in failures}

    def failures(self, state: State) -> Iterator[tuple[Action, State]]:
        """Every failure event that is allowed for its victim."""
        for action, after in super().failures(state):
            if self.hits(state, action):
                yield action, after

    def hits(self, state: State, action: Action) -> bool:
        """Whether the event may hit this replica now."""
        wanted = self.allowed.get(action[0], {"any"})
        role = "leader" if state[0][1] == action[1] else "follower"
        return bool(wanted & {"any", role, str(action[1])}) or action[1] < 0
