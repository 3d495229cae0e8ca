"""What a step of a running cluster is built from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from advisor.analysis.advice.aims import Aim
from advisor.analysis.impact.topic_rules import UNCLEAN as UNCLEAN
from advisor.facts.cluster import MIN_ISR as MIN_ISR
from advisor.model import (
    SERVER_KINDS,
    Entity,
    Snapshot,
    Topic,
)
from advisor.model.cluster import UNKNOWN, Live
from advisor.model.finding import Finding

SECURITY = "KA6"
"""What the ids of rules about security begin with: they are a sequence of their own."""
WANTED_REPLICAS = 3


def unread_of(live: Live, names: Iterable[str]) -> list[str]:
    """What was not read of these, with the reasons, and the brokers of which nothing says whether they are alive."""
    unclear = [node.id for node in live.nodes if node.state == UNKNOWN]
    rows = [f"{name}: {live.unread[name]}" for name in names if name in live.unread]
    return rows + [f"broker {id}: no output says whether it is alive" for id in unclear]


@dataclass(frozen=True)
class StepInputs:
    """What a step is built from: the snapshot as it is by then, and what is asked for."""

    snapshot: Snapshot
    aims: Sequence[tuple[Finding, Aim]]
    spread: bool
    throttle: int
    obstacles: list[str]
    unknown: list[str]

    @property
    def unread_replicas(self) -> list[str]:
        """Why it is not known where all replicas are."""
        return unread_of(self.live, ("topics", "all topics"))

    @property
    def live(self) -> Live:
        """The cluster's state."""
        assert self.snapshot.live is not None
        return self.snapshot.live

    @property
    def topics(self) -> list[Topic]:
        """All topics."""
        return [entity for entity in self.snapshot.entities if isinstance(entity, Topic)]

    @property
    def nodes(self) -> list[Entity]:
        """All brokers."""
        return [entity for entity in self.snapshot.entities if entity.kind in SERVER_KINDS]

    def hinder(self, obstacle: str) -> None:
        """Note what stands in the way of the goal, once."""
        if obstacle not in self.obstacles:
            self.obstacles.append(obstacle)

    def asked(self, *words: str) -> list[tuple[Finding, Aim]]:
        """The findings whose aim is one of these."""
        return [(finding, aim) for finding, aim in self.aims if aim.what in words]
