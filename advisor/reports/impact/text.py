"""Output of `impact` as text: what stops or is lost first, then what serves, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from advisor.analysis.impact import Impact
from advisor.analysis.impact.coordinators import MOVES, STAYS
from advisor.analysis.impact.outcome import (
    LOST,
    MAY_LOSE,
    MAY_REFUSE,
    NOT_KNOWN,
    REFUSES,
    SERVES,
    STOPS,
    UNTOUCHED,
    WORST_FIRST,
    Outcome,
)
from advisor.analysis.impact.topics import TopicImpact
from advisor.errors import printable as clean
from advisor.model.cluster import Partition
from advisor.reports.impact.words import bytes_text, counted, header, ids_text, meaning_of, order_of_events, what_fails
from advisor.simulator.failover import ELIGIBLE, NONE, UNCLEAN

SHOWN = 10
"""Topics that are shown; JSON has them all."""
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


def text(impact: Impact) -> Iterator[str]:
    """The impact as lines of text."""
    yield header(impact.live, impact.topics)
    yield f"{what_fails(impact.failure)} ({meaning_of(impact.failure)}):"
    yield from (f"  {clean(note)}" for note in impact.failure.notes)
    yield ""
    yield f"Partitions: {states_text(impact.states()) or 'none'}"
    yield from topic_lines(impact.topics)
    yield from client_lines(impact)
    yield from group_lines(impact)
    yield from cluster_lines(impact)
    yield ""
    yield f"assumed: {order_of_events(impact)}"
    yield from unknown_lines(impact.unknown)


def states_text(states: Mapping[str, int]) -> str:
    """How many partitions are in each state, the worst first."""
    return ", ".join(f"{count:,} {VERBS[state][count != 1]}" for state, count in states.items())


def topic_lines(topics: Sequence[TopicImpact]) -> Iterator[str]:
    """The worst topics, each with what becomes of its partitions."""
    ranked = ranked_topics(topics)
    for topic in ranked[:SHOWN]:
        yield from one_topic(topic)
    others = ranked[SHOWN:]
    if others:
        states: dict[str, int] = {}
        for topic in others:
            for state, count in topic.states().items():
                states[state] = states.get(state, 0) + count
        in_order = {state: states[state] for state in WORST_FIRST if state in states}
        yield f"  … and {counted(len(others), 'topic')} more: {states_text(in_order)} (--format json has them all)"


def ranked_topics(topics: Sequence[TopicImpact]) -> list[TopicImpact]:
    """The topics that the failure hits: the worst first, of equal ones those with most partitions in that state."""
    hit = [topic for topic in topics if set(topic.states()) - {UNTOUCHED}]
    return sorted(hit, key=lambda topic: (severity(topic), topic.name))


def severity(topic: TopicImpact) -> tuple[int, int]:
    """The rank of the worst state, and minus how many partitions are in it."""
    worst, count = next(iter(topic.states().items()))
    return WORST_FIRST.index(worst), -count


def rows_of_topic(topic: TopicImpact) -> list[tuple[Outcome, list[Partition]]]:
    """A topic's partitions by what is said of them, the worst first; of several outcomes alike the first stands."""
    rows: dict[tuple[int, str], tuple[Outcome, list[Partition]]] = {}
    for outcome, partitions in topic.partitions.items():
        key = (WORST_FIRST.index(outcome.state), details(outcome))
        rows.setdefault(key, (outcome, []))[1].extend(partitions)
    return [row for _, row in sorted(rows.items(), key=lambda item: item[0])]


def one_topic(topic: TopicImpact) -> Iterator[str]:
    """A topic's partitions by what becomes of them."""
    total = sum(map(len, topic.partitions.values()))
    for outcome, partitions in rows_of_topic(topic):
        if outcome.state == UNTOUCHED:
            continue
        count = len(partitions)
        verb = VERBS[outcome.state][count != 1]
        which = "" if count == total else f" ({ids_text((p.id for p in partitions), 'partition ', 'partitions ')})"
        yield f"  {clean(topic.name)}: {count:,} of {counted(total, 'partition')} {verb}{which}{details(outcome)}"


def details(outcome: Outcome) -> str:
    """Until when, why, and whether it was so before."""
    texts = []
    if outcome.state == outcome.before and outcome.state not in (SERVES, NOT_KNOWN):
        texts.append("as before")
    if outcome.state == NOT_KNOWN:
        return f", because {clean('; '.join(outcome.unknown))}"
    if outcome.election == UNCLEAN:
        texts.append(f"broker {outcome.leader}, which is out of sync, becomes leader by unclean election")
    elif outcome.election == ELIGIBLE:
        texts.append(f"broker {outcome.leader} of the ELR becomes leader")
    if outcome.state in (LOST, MAY_LOSE, STOPS) and outcome.returns and outcome.leader < 0:
        texts.append(f"nobody leads until {back(outcome.returns)}")
    if outcome.state == MAY_REFUSE:
        texts.append("unless a replica that is out of sync catches up")
    if outcome.state == REFUSES and outcome.returns:
        texts.append(f"until {back(outcome.returns, ' in sync')}")
    if outcome.state in (REFUSES, MAY_REFUSE) and outcome.newest != outcome.readable:
        texts.append("acks=1 writes are taken, but not readable meanwhile")
    return f": {'; '.join(texts)}" if texts else ""


def back(brokers: Sequence[int], how: str = "") -> str:
    """Whose return ends it."""
    if len(brokers) == 1:
        return f"broker {brokers[0]} is back{how}"
    return f"enough of {ids_text(brokers, '', 'brokers ')} are back{how}"


def client_lines(impact: Impact) -> Iterator[str]:
    """What every joined client sees."""
    for client in impact.clients:
        acks = f" (acks={client.acks})" if client.acks else ""
        partitions = states_text(client.states) or "none of its topics is seen"
        newest = f"; the newest records of {client.newest_lost:,} may be lost" if client.newest_lost else ""
        yield f"client {clean(client.name)}{acks}: {partitions}{newest}"


def group_lines(impact: Impact) -> Iterator[str]:
    """Consumer groups, transactions and share groups by what becomes of their coordinators."""
    names_by_state: dict[str, list[str]] = {}
    for group in impact.groups:
        names_by_state.setdefault(group.state, []).append(group.name)
    for state, names in sorted(names_by_state.items(), key=lambda row: row[0] in (STAYS, MOVES)):
        shown = "" if state == STAYS else f": {', '.join(map(clean, sorted(names)[:SHOWN]))}{more(names)}"
        yield f"groups: {len(names):,} of {len(impact.groups):,}: coordinator {state}{shown}"
    for row in impact.coordinators:
        states = ", ".join(f"{count} {state}" for state, count in sorted(row.states.items()))
        yield f"{row.topic}: of its {counted(row.partitions, 'partition')}: {states}"


def more(names: Sequence[str]) -> str:
    """How many names are not shown."""
    return f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""


def cluster_lines(impact: Impact) -> Iterator[str]:
    """Quorum, racks, disks, and what acks=1 loses."""
    yield quorum_line(impact)
    for rack in impact.racks:
        if (rack.up_before, rack.leaders_before) != (rack.up_after, rack.leaders_after):
            brokers = f"{rack.up_after} of {counted(rack.up_before, 'broker')} left"
            yield f"rack {clean(rack.name)}: {brokers}, leads {rack.leaders_after:,} (before: {rack.leaders_before:,})"
    if impact.failure.brokers:
        yield disk_line(impact)
    newest = sum(
        len(partitions)
        for topic in impact.topics
        for outcome, partitions in topic.partitions.items()
        if outcome.lost_one != NONE and outcome.leader_before in impact.failure.brokers
    )
    if newest:
        yield f"acks=0 and acks=1: the newest records of {counted(newest, 'partition')} may be lost with their leaders"


def quorum_line(impact: Impact) -> str:
    """What is left of the metadata quorum."""
    quorum = impact.quorum
    if quorum.keeps is None:
        return f"quorum: unknown, because {clean(quorum.unread or '')}"
    if quorum.keeps and quorum.after is None:
        return f"quorum: {quorum.kind} were not read; they are taken to stay as they are"
    size = f"{quorum.after} of {quorum.members} {quorum.kind} left, {quorum.needed} needed for a majority"
    words = size if quorum.members is not None else f"no {quorum.kind} left"
    if quorum.metadata_lost:
        return f"quorum: {words}: the cluster's metadata is lost with their disks, and the quorum does not come back"
    return f"quorum: {words}{'' if quorum.keeps else ': nobody is elected and no ISR changes'}"


def disk_line(impact: Impact) -> str:
    """What would have to be built anew elsewhere."""
    disks = impact.disks
    held = "of unknown size" if disks.bytes is None else f"of {bytes_text(disks.bytes)}"
    free = "unknown" if disks.free is None else bytes_text(disks.free)
    why = f" ({clean(disks.unknown)})" if disks.unknown else ""
    return f"disks: replicas {held} fail; free on the brokers left: {free}{why}"


def unknown_lines(unknown: Sequence[str]) -> Iterator[str]:
    """What was not read."""
    if unknown:
        yield f"unknown: {counted(len(unknown), 'thing')} was not read, and is in no count:".replace(
            "things was", "things were"
        )
        yield from (f"  {clean(row)}" for row in unknown[:SHOWN])
        if len(unknown) > SHOWN:
            yield f"  … and {len(unknown) - SHOWN:,} more (--format json has them all)"
