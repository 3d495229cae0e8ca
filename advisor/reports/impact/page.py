"""Output of `impact` as one HTML page: racks, brokers and partitions by state, before and after, and what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pkgutil import get_data
from typing import NamedTuple

from advisor import __version__
from advisor.analysis.impact.cluster_impact import Impact
from advisor.analysis.impact.partition_outcome import UNTOUCHED, WORST_FIRST
from advisor.analysis.impact.rollups import NO_RACK
from advisor.analysis.impact.topics import TopicImpact
from advisor.model.cluster import ALIVE
from advisor.reports.html.page import STYLE, environment, frame, source
from advisor.reports.impact.cluster_text import client_lines, cluster_lines, group_lines
from advisor.reports.impact.text import details, ranked_topics, rows_of_topic
from advisor.reports.impact.words import VERBS, header, ids_text, meaning_of, order_of_events, what_fails

TEMPLATE, OWN_STYLE = "page.html.j2", "page.css"
TOPICS = 200
"""Topics on the page; JSON has them all."""
CLASSES = {state: state.replace(" ", "-").replace("=", "-") for state in WORST_FIRST}


class Segment(NamedTuple):
    """A piece of a bar, in percent, in the colour of a state."""

    css: str
    x: float
    width: float


class Broker(NamedTuple):
    """A broker's tile: the partitions that it leads, by state."""

    id: int
    is_up: bool
    leads: int
    bar: tuple[Segment, ...]


class TopicRow(NamedTuple):
    """A topic: its partitions before and after, and a sentence for each outcome."""

    name: str
    before: tuple[Segment, ...]
    after: tuple[Segment, ...]
    sentences: tuple[str, ...]


def text(impact: Impact) -> Iterator[str]:
    """The page."""
    ranked = ranked_topics(impact.topics)
    style = source(STYLE) + own(OWN_STYLE)
    yield (
        environment()
        .from_string(own(TEMPLATE))
        .render(
            version=__version__,
            header=header(impact.live, impact.topics),
            title=what_fails(impact.failure),
            notes=[meaning_of(impact.failure), *impact.failure.notes],
            states=[(state, CLASSES[state], VERBS[state], count) for state, count in impact.states().items()],
            bars={"Before": bar(states_before(impact)), "After": bar(impact.states())},
            pictures={"Before": racks(impact, False), "After": racks(impact, True)},
            topics=[topic_row(topic) for topic in ranked[:TOPICS]],
            more=max(0, len(ranked) - TOPICS),
            lines=[*client_lines(impact), *group_lines(impact), *cluster_lines(impact)],
            assumed=order_of_events(impact),
            unknown=impact.unknown[:TOPICS],
            legend=[(state, CLASSES[state]) for state in WORST_FIRST],
            **frame(style, ""),
        )
    )


def own(name: str) -> str:
    """A file beside this module."""
    content = get_data(__name__, name)
    assert content is not None
    return content.decode()


def bar(states: Mapping[str, int]) -> tuple[Segment, ...]:
    """A stacked bar of partitions by state, the worst first."""
    total = sum(states.values())
    segments, x = [], 0.0
    for state in WORST_FIRST:
        if states.get(state):
            width = 100 * states[state] / total
            segments.append(Segment(CLASSES[state], round(x, 3), round(width, 3)))
            x += width
    return tuple(segments)


def states_before(impact: Impact) -> dict[str, int]:
    """How many partitions were in each state before."""
    counts: dict[str, int] = {}
    for topic in impact.topics:
        for outcome, partitions in topic.partitions.items():
            counts[outcome.before] = counts.get(outcome.before, 0) + len(partitions)
    return counts


def racks(impact: Impact, after: bool) -> list[tuple[str, list[Broker]]]:
    """Every rack with its brokers' tiles."""
    led = led_by_broker(impact, after)
    by_rack: dict[str, list[Broker]] = {}
    for node in impact.live.nodes:
        is_up = node.state == ALIVE and not (after and node.id in impact.failure.brokers)
        states = led.get(node.id, {})
        tile = Broker(node.id, is_up, sum(states.values()), bar(states))
        by_rack.setdefault(node.rack or NO_RACK, []).append(tile)
    return sorted(by_rack.items())


def led_by_broker(impact: Impact, after: bool) -> dict[int, dict[str, int]]:
    """By broker, how many partitions it leads in each state."""
    led: dict[int, dict[str, int]] = {}
    for topic in impact.topics:
        for outcome, partitions in topic.partitions.items():
            leader, state = (outcome.leader, outcome.state) if after else (outcome.leader_before, outcome.before)
            states = led.setdefault(leader, {})
            states[state] = states.get(state, 0) + len(partitions)
    return led


def topic_row(topic: TopicImpact) -> TopicRow:
    """A topic's row."""
    before: dict[str, int] = {}
    sentences = []
    for outcome, partitions in rows_of_topic(topic):
        before[outcome.before] = before.get(outcome.before, 0) + len(partitions)
        if outcome.state != UNTOUCHED:
            which = ids_text((partition.id for partition in partitions), "partition ", "partitions ")
            sentences.append(f"{which} {VERBS[outcome.state][len(partitions) != 1]}{details(outcome)}")
    return TopicRow(topic.name, bar(before), bar(topic.states()), tuple(sentences))
