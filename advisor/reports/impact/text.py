"""Output of `impact` as text: what stops or is lost first, then what serves, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.analysis.impact.cluster_impact import Impact
from advisor.analysis.impact.partition_outcome import (
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
from advisor.reports.impact.cluster_text import client_lines, cluster_lines, group_lines, leads, quorum_line
from advisor.reports.impact.words import (
    VERBS,
    counted,
    header,
    ids_text,
    meaning_of,
    order_of_events,
    states_text,
    what_fails,
)
from advisor.simulator.running.failover import ELIGIBLE, UNCLEAN

SHOWN = 10
"""Topics that are shown; JSON has them all."""


def text(impact: Impact) -> Iterator[str]:
    """The impact as lines of text."""
    yield header(impact.live, impact.topics)
    yield f"{what_fails(impact.failure)} ({meaning_of(impact.failure)}):"
    yield from (f"  {clean(note)}" for note in impact.failure.notes)
    yield ""
    if leads(impact):
        yield quorum_line(impact)
    yield f"Partitions: {states_text(impact.states()) or 'none'}"
    yield from topic_lines(impact.topics)
    yield from client_lines(impact)
    yield from group_lines(impact)
    yield from cluster_lines(impact)
    yield ""
    yield f"assumed: {order_of_events(impact)}"
    yield from unknown_lines(impact.unknown)


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


def unknown_lines(unknown: Sequence[str]) -> Iterator[str]:
    """What was not read."""
    if unknown:
        yield f"unknown: {counted(len(unknown), 'thing')} was not read, and is in no count:".replace(
            "things was", "things were"
        )
        yield from (f"  {clean(row)}" for row in unknown[:SHOWN])
        if len(unknown) > SHOWN:
            yield f"  … and {len(unknown) - SHOWN:,} more (--format json has them all)"
