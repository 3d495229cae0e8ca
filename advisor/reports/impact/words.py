"""Words that every output of `impact` shares: the cluster, what fails, and the assumed order of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from advisor.analysis.impact.cluster_impact import Impact
from advisor.analysis.impact.failure import Failure
from advisor.analysis.impact.partition_outcome import (
    LOST,
    MAY_LOSE,
    MAY_REFUSE,
    NOT_KNOWN,
    REFUSES,
    SERVES,
    STOPS,
    UNTOUCHED,
)
from advisor.analysis.impact.topics import TopicImpact
from advisor.model.cluster import ZOOKEEPER, Live
from advisor.simulator.running.failover import DISK, KILL, POWER

MODES = {"kraft": "KRaft", "zookeeper": "ZooKeeper"}
HOW = {
    KILL: (("is killed", "are killed"), "the process dies, its host and page cache survive"),
    POWER: (("loses power", "lose power"), "what was not flushed to disk is gone"),
    DISK: (("loses its disks", "lose their disks"), "their replicas are empty"),
}
"""What happens to one and to several, and what that means."""
VERBS = {
    LOST: ("loses records", "lose records"),
    MAY_LOSE: ("may lose acknowledged records", "may lose acknowledged records"),
    STOPS: ("stops", "stop"),
    REFUSES: ("refuses acks=all writes", "refuse acks=all writes"),
    MAY_REFUSE: ("may refuse acks=all writes", "may refuse acks=all writes"),
    NOT_KNOWN: ("is unknown", "are unknown"),
    SERVES: ("keeps serving", "keep serving"),
    UNTOUCHED: ("is untouched", "are untouched"),
}
"""What becomes of one partition and of several."""
UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")


def header(live: Live, topics: Sequence[TopicImpact]) -> str:
    """The cluster, its mode, when it was read, and its size."""
    partitions = sum(len(rows) for topic in topics for rows in topic.partitions.values())
    size = f"{counted(len(live.nodes), 'broker')}, {counted(len(topics), 'topic')}, {counted(partitions, 'partition')}"
    return f"cluster {live.name} ({mode_of(live)}), read {live.collected}: {size}"


def mode_of(live: Live) -> str:
    """Where the metadata is."""
    return MODES.get(live.metadata or "", "mode not known")


def what_fails(failure: Failure) -> str:
    """Who fails, and how."""
    alone = sorted(failure.controllers - failure.brokers)
    names = [ids_text(sorted(failure.brokers), "broker ", "brokers ")] if failure.brokers else []
    names += [ids_text(alone, "controller ", "controllers ")] if alone else []
    names += ["all ZooKeeper servers"] if failure.ensemble else []
    several = failure.ensemble or len(failure.brokers) + len(alone) > 1
    return f"If {' and '.join(names)} {HOW[failure.how][0][several]}"


def meaning_of(failure: Failure) -> str:
    """What the kind of failure means."""
    return HOW[failure.how][1]


def order_of_events(impact: Impact) -> str:
    """The order of events that the answers rest on."""
    if impact.quorum.keeps is False:
        return (
            "all fail at the same moment; without a majority of the metadata quorum no broker is fenced, no leader is "
            "elected and no ISR changes until it is back"
        )
    timeout = "zookeeper.session.timeout.ms" if impact.live.metadata == ZOOKEEPER else "broker.session.timeout.ms"
    return (
        f"all fail at the same moment; after {timeout} the controller takes them out of every ISR and elects the first "
        "live replica in assignment order; all other brokers stay up; a replica that is out of sync may catch up or not"
    )


def counted(number: int, thing: str) -> str:
    """A number and its thing, in the plural where it takes one."""
    return f"{number:,} {thing}{'s' if number != 1 else ''}"


def ids_text(ids: Iterable[int], one: str = "", several: str | None = None) -> str:
    """Ids in order, ranges as 0-9."""
    numbers = sorted(ids)
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    texts = [f"{first}" if first == last else f"{first}-{last}" for first, last in ranges]
    shown = ", ".join(texts[:10]) + (f" and {len(texts) - 10} more" if len(texts) > 10 else "")
    return f"{(one if len(numbers) == 1 else several) if several else one}{shown}"


def bytes_text(size: int) -> str:
    """Bytes in the largest unit in which they are at least one, in powers of ten."""
    step = 0
    value = float(size)
    while value >= 1000 and step < len(UNITS) - 1:
        value, step = value / 1000, step + 1
    return f"{value:.3g} {UNITS[step]}"


def states_text(states: Mapping[str, int]) -> str:
    """How many partitions are in each state, the worst first."""
    return ", ".join(f"{count:,} {VERBS[state][count != 1]}" for state, count in states.items())
