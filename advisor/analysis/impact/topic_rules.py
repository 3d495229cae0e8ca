"""What a topic's settings and the cluster say of its partitions' protocol, with every possibility where it is unknown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.config import Config
from advisor.facts.cluster import MIN_ISR
from advisor.model import Topic
from advisor.model.cluster import KRAFT, Live
from advisor.simulator.running.replica_sets import Rules

UNCLEAN = "unclean.leader.election.enable"
ELR = "eligible.leader.replicas.version"
HONOURS_UNCLEAN = (3, 9)
"""The first KRaft release that elects uncleanly by itself. Source: ConfigurationControlManager."""


@dataclass(frozen=True)
class TopicRules:
    """The values that a partition's protocol may have; more than one where a setting was not read, as `unread` says."""

    min_isr: tuple[int, ...]
    unclean: tuple[bool, ...]
    elr: tuple[bool, ...]
    strict: bool
    unread: tuple[str, ...]

    def possible(self, replicas: int, controlled: tuple[bool, ...]) -> Iterator[Rules]:
        """Every possibility for a partition of so many replicas."""
        for least in self.min_isr or range(1, replicas + 2):
            effective = min(least, replicas) if self.strict else least
            for unclean in self.unclean:
                for elr in self.elr:
                    for has_quorum in controlled:
                        yield Rules(effective, unclean, elr, self.strict, has_quorum)


def rules_of(topic: Topic, live: Live) -> TopicRules:
    """The possibilities for a topic's partitions."""
    config = Config(topic)
    min_isr = None if topic.missing else config.answer(("int", MIN_ISR))
    unclean = None if topic.missing else config.answer(("bool", UNCLEAN))
    version = topic.target.version
    unread = [
        f"topic {topic.name}: {topic.missing or f'{key} was not read'}"
        for key, value, kind in ((MIN_ISR, min_isr, int), (UNCLEAN, unclean, bool))
        if not isinstance(value, kind)
    ]
    ignores = live.metadata == KRAFT and version < HONOURS_UNCLEAN
    elr_is_known = live.features is not None or version < (4, 0)
    return TopicRules(
        (max(1, min_isr),) if isinstance(min_isr, int) else (),
        (False,) if ignores else (unclean,) if isinstance(unclean, bool) else (False, True),
        (bool((live.features or {}).get(ELR)),) if elr_is_known else (False, True),
        version >= (3, 7),
        tuple(dict.fromkeys(unread)),
    )
