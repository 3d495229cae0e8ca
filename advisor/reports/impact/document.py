"""The document of `impact`: what stops or is lost first, then what serves, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    WORST_FIRST,
    PartitionOutcome,
)
from advisor.analysis.impact.topics import TopicImpact
from advisor.model.cluster import Partition
from advisor.reports.document.blocks import Block, Document, Items, Legend, Section, Sentence, Table
from advisor.reports.impact.cluster_text import client_lines, cluster_lines, group_lines, leads, quorum_line
from advisor.reports.impact.headline import lost_text, stops_text
from advisor.reports.impact.pictures import AFTER, BEFORE, bar, racks, states_before
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
from advisor.simulator.running.failover import DISK, ELIGIBLE, UNCLEAN

TOPICS_SHOWN, TOPICS_ON_A_PAGE = 10, 200
"""Topics that text and HTML show; JSON has them all."""


def document(impact: Impact) -> Document:
    """What a failure does."""
    return Document(
        f"{what_fails(impact.failure)} ({meaning_of(impact.failure)})",
        about=header(impact.live, impact.topics),
        blocks=[Items(impact.failure.notes)] if impact.failure.notes else [],
        sections=list(sections(impact)),
    )


def sections(impact: Impact) -> Iterator[Section]:
    """What is lost and stops, partitions, brokers, topics, the cluster, and what the answer rests on."""
    if leads(impact):
        yield Section("Quorum", [Sentence(quorum_line(impact))], titled=False)
    headline: list[Block] = [Sentence(lost_text(impact), "Lost"), Sentence(stops_text(impact), "Stops")]
    yield Section("Lost, stopped", headline, apart=False, titled=False)
    states = impact.states()
    bars: list[Block] = [bar(states_before(impact.topics), BEFORE), bar(states, AFTER), Legend(WORST_FIRST)]
    sentence = Sentence(states_text(states) or "none", "Partitions")
    yield Section("Partitions", [sentence, *bars], apart=not leads(impact), titled=False)
    yield Section("Brokers", [racks(impact)], apart=False, titled=False)
    yield Section("Topics", [topic_table(impact.topics, impact.failure)], apart=False, titled=False)
    lines = [*client_lines(impact), *group_lines(impact), *cluster_lines(impact)]
    yield Section("Groups, quorum, racks, disks", [Items(lines, shown=len(lines), indent=0)], apart=False, titled=False)
    yield Section("Assumed", [Sentence(order_of_events(impact), "assumed")], titled=False)
    if impact.unknown:
        yield Section("Not read, and in no count", unknown_blocks(impact.unknown), apart=False, titled=False)


def topic_table(topics: Sequence[TopicImpact], failure: Failure) -> Table:
    """The topics that the failure hits, the worst first, each with what becomes of its partitions."""
    ranked = ranked_topics(topics)
    shown = [(topic, tuple(topic_sentences(topic, failure))) for topic in ranked[:TOPICS_ON_A_PAGE]]
    return Table(
        ("topic", "before", "after", "what becomes of it"),
        [
            (topic.name, bar(states_before([topic]), "before"), bar(topic.states(), "after"), sentences)
            for topic, sentences in shown
        ],
        what="topics",
        lines=[tuple(f"  {topic.name}: {sentence}" for sentence in sentences) for topic, sentences in shown],
        shown=TOPICS_SHOWN,
        row_count=len(ranked),
        more=lambda number: others_text(ranked[number:]),
    )


def others_text(topics: Sequence[TopicImpact]) -> str:
    """How many topics are not shown, and what becomes of their partitions."""
    states: dict[str, int] = {}
    for topic in topics:
        for state, count in topic.states().items():
            states[state] = states.get(state, 0) + count
    in_order = {state: states[state] for state in WORST_FIRST if state in states}
    return f"… and {counted(len(topics), 'topic')} more: {states_text(in_order)}"


def ranked_topics(topics: Sequence[TopicImpact]) -> list[TopicImpact]:
    """The topics that the failure hits: the worst first, of equal ones those with most partitions in that state."""
    hit = [topic for topic in topics if set(topic.states()) - {UNTOUCHED}]
    return sorted(hit, key=lambda topic: (severity(topic), topic.name))


def severity(topic: TopicImpact) -> tuple[int, int]:
    """The rank of the worst state, and minus how many partitions are in it."""
    worst, count = next(iter(topic.states().items()))
    return WORST_FIRST.index(worst), -count


def rows_of_topic(topic: TopicImpact, failure: Failure) -> list[tuple[str, PartitionOutcome, list[Partition]]]:
    """(what is said, outcome, partitions) of a topic, the worst first; of several outcomes alike the first stands."""
    rows: dict[tuple[int, str], tuple[str, PartitionOutcome, list[Partition]]] = {}
    for outcome, partitions in topic.partitions.items():
        for partition in partitions:
            text = details(outcome, holders_of_all(partition, failure) if outcome.state == LOST else ())
            rows.setdefault((WORST_FIRST.index(outcome.state), text), (text, outcome, []))[2].append(partition)
    return [row for _, row in sorted(rows.items(), key=lambda item: item[0])]


def holders_of_all(partition: Partition, failure: Failure) -> tuple[int, ...]:
    """The brokers of all of a partition's replicas, where all of them lose their disks."""
    gone = failure.how == DISK and failure.brokers.issuperset(partition.replicas)
    return tuple(sorted(partition.replicas)) if gone else ()


def topic_sentences(topic: TopicImpact, failure: Failure) -> Iterator[str]:
    """What becomes of a topic's partitions, a sentence for each outcome."""
    total = sum(map(len, topic.partitions.values()))
    for text, outcome, partitions in rows_of_topic(topic, failure):
        if outcome.state == UNTOUCHED:
            continue
        count = len(partitions)
        verb = VERBS[outcome.state][count != 1]
        if outcome.state == LOST and holders_of_all(partitions[0], failure):
            verb = verb.replace("records", "all records")
        which = "" if count == total else f" ({ids_text((p.id for p in partitions), 'partition ', 'partitions ')})"
        yield f"{count:,} of {counted(total, 'partition')} {verb}{which}{text}"


def details(outcome: PartitionOutcome, holders: Sequence[int] = ()) -> str:
    """Until when, why, and whether it was so before; `holders` are the brokers that had all copies and lost them."""
    texts = []
    if holders:
        copies = "the only copy" if len(holders) == 1 else "all copies"
        texts.append(f"{ids_text(holders, 'broker ', 'brokers ')} had {copies}")
    if outcome.state == outcome.before and outcome.state not in (SERVES, NOT_KNOWN):
        texts.append("as before")
    if outcome.state == NOT_KNOWN:
        return f", because {'; '.join(outcome.unknown)}"
    if outcome.election == UNCLEAN:
        texts.append(f"broker {outcome.leader}, which is out of sync, becomes leader by unclean election")
    elif outcome.election == ELIGIBLE:
        texts.append(f"broker {outcome.leader} of the ELR becomes leader")
    if outcome.state in (LOST, MAY_LOSE, STOPS) and outcome.returns and outcome.leader < 0:
        texts.append(f"no broker leads until {back(outcome)}")
    if outcome.state == MAY_REFUSE:
        texts.append("unless a replica that is out of sync catches up")
    if outcome.state == REFUSES and outcome.returns:
        texts.append(f"until {back(outcome, ' in sync')}")
    if outcome.state in (REFUSES, MAY_REFUSE) and outcome.newest != outcome.readable:
        texts.append("acks=1 writes are taken, but not readable meanwhile")
    return f": {'; '.join(texts)}" if texts else ""


def back(outcome: PartitionOutcome, how: str = "") -> str:
    """Whose return ends it: that of one broker, of some, or of the one that failed last, which only all of them include."""
    brokers, least, most = outcome.returns, outcome.returns_least, outcome.returns_most
    if len(brokers) == 1:
        return f"broker {brokers[0]} is back{how}"
    named = ids_text(brokers, "", "brokers ")
    everyone = f"both brokers {brokers[0]} and {brokers[1]}" if len(brokers) == 2 else f"all of {named}"
    if least == len(brokers):
        return f"{everyone} are back{how}"
    if most <= 1:
        return f"one of {named} is back{how}"
    if outcome.leader < 0:
        return f"{everyone} are back{how}, or the one of them that was in sync last"
    return f"{least if least == most else f'{least} to {most}'} of {named} are back{how}"


def unknown_blocks(unknown: Sequence[str]) -> list[Block]:
    """What was not read."""
    was = "1 thing was" if len(unknown) == 1 else f"{len(unknown):,} things were"
    return [Sentence(f"{was} not read, and is in no count:", "unknown"), Items(unknown, shown=TOPICS_SHOWN)]
