"""Place replicas: on other brokers and racks, with the least number of moved replicas, evenly. No rebalancing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from advisor.analysis.advice.changes import Reassignment, size_of
from advisor.model import Topic
from advisor.model.cluster import ALIVE, Live, Partition

KEPT_FREE = 0.1
"""The share of a broker's disks that stays free."""


class NoRoom(Exception):
    """Raised where a partition cannot get its replicas; the text says why."""


@dataclass(eq=False)
class Brokers:
    """The brokers that are alive: racks (None where one does not say), replicas on each, bytes free in each log directory.

    `free` is None for a broker that did not say.
    """

    racks: dict[int, str | None]
    replicas: Counter[int]
    free: dict[int, list[int] | None]
    spread_over_racks: bool = field(init=False)

    def __post_init__(self) -> None:
        """Racks count only where every broker says its own."""
        self.spread_over_racks = bool(self.racks) and all(self.racks.values())

    @property
    def rack_count(self) -> int:
        """How many racks replicas can be spread over; each broker is its own where racks are unknown."""
        return len({self.rack(broker) for broker in self.racks})

    def rack(self, broker: int) -> str:
        """The failure domain of a broker."""
        return self.racks[broker] or "" if self.spread_over_racks else f"broker {broker}"

    def has_room(self, broker: int, size: int | None) -> bool:
        """Whether a replica fits into one log directory of a broker; if unknown, it is taken to."""
        free = self.free[broker]
        return free is None or (bool(free) and (size is None or size <= max(free)))

    def move(self, move: Reassignment) -> None:
        """Count a reassignment."""
        for broker in set(move.old) - set(move.new):
            self.replicas[broker] -= 1
        for broker in move.added:
            self.replicas[broker] += 1
            free = self.free[broker]
            if free and move.size is not None:
                free[free.index(max(free))] -= move.size

    def copied(self) -> Brokers:
        """The same brokers, to try something."""
        free = {broker: None if rows is None else list(rows) for broker, rows in self.free.items()}
        return Brokers(self.racks, Counter(self.replicas), free)


def brokers_of(live: Live, topics: Iterable[Topic]) -> Brokers:
    """The brokers that replicas may be placed on."""
    alive = {node.id: node.rack for node in live.nodes if node.state == ALIVE}
    replicas = Counter(
        broker for topic in topics for partition in topic.partitions or () for broker in partition.replicas
    )
    return Brokers(alive, replicas, {broker: free_on(broker, live) for broker in alive})


def free_on(broker: int, live: Live) -> list[int] | None:
    """The bytes that replicas may take in each log directory of a broker that has no error; None where it did not say."""
    dirs = [row for row in live.log_dirs.get(broker, ()) if not row.error]
    if not live.log_dirs.get(broker) or any(row.free is None for row in dirs):
        return None
    return [max(0, (row.free or 0) - int((row.total or 0) * KEPT_FREE)) for row in dirs]


def place(
    topic: str, partitions: Sequence[Partition], replicas: int, brokers: Brokers, spread: bool = False
) -> list[Reassignment]:
    """Reassignments that give each partition so many replicas, new ones in racks that have none.

    With `spread` replicas that share a rack move, too, as far as there are racks. Raises NoRoom where there are too few
    brokers, or no disk has room.
    """
    if replicas > len(brokers.racks):
        raise NoRoom(f"{replicas} replicas need {replicas} live brokers, and there are {len(brokers.racks)}")
    moves, tried = [], brokers.copied()
    for partition in partitions:
        new = place_one(topic, partition, replicas, tried, spread)
        if new != partition.replicas:
            move = Reassignment(topic, partition.id, partition.replicas, new, size_of(partition))
            tried.move(move)
            moves.append(move)
    brokers.replicas, brokers.free = tried.replicas, tried.free
    return moves


def place_one(topic: str, partition: Partition, replicas: int, brokers: Brokers, spread: bool) -> tuple[int, ...]:
    """The replicas of one partition: as many as possible stay, the preferred leader first; others go where fewest are."""
    replicas = max(replicas, len(partition.replicas))
    most = -(-replicas // brokers.rack_count) if spread else replicas
    per_rack: Counter[str] = Counter()
    kept: list[int] = []
    for broker in partition.replicas:
        if broker in brokers.racks and len(kept) < replicas and per_rack[brokers.rack(broker)] < most:
            kept.append(broker)
            per_rack[brokers.rack(broker)] += 1
    size = size_of(partition)
    while len(kept) < replicas:
        candidates = [
            broker
            for broker in brokers.racks
            if broker not in kept and per_rack[brokers.rack(broker)] < most and brokers.has_room(broker, size)
        ]
        if not candidates:
            raise NoRoom(f"topic {topic}, partition {partition.id}: no live broker in another rack has room for it")
        chosen = min(candidates, key=lambda broker: rank(broker, partition, per_rack, brokers))
        kept.append(chosen)
        per_rack[brokers.rack(chosen)] += 1
    return tuple(kept)


def rank(
    broker: int, partition: Partition, per_rack: Mapping[str, int], brokers: Brokers
) -> tuple[bool, int, int, int]:
    """Sort key of candidates: one that has the replica already, then a rack without one, then where fewest replicas are."""
    return (
        broker not in partition.replicas,
        per_rack[brokers.rack(broker)],
        brokers.replicas[broker],
        broker,
    )
