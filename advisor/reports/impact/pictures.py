"""What a page on an impact draws: partitions by state, and brokers by rack, before and after."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.analysis.impact.cluster_impact import Impact
from advisor.analysis.impact.partition_outcome import WORST_FIRST
from advisor.analysis.impact.rollups import NO_RACK
from advisor.analysis.impact.topics import TopicImpact
from advisor.model.cluster import ALIVE
from advisor.reports.document.blocks import Bar, Racks, Tile

BEFORE, AFTER = "Before", "After"


def bar(states: dict[str, int], label: str) -> Bar:
    """A stacked bar of partitions by state, the worst first."""
    return Bar({state: states[state] for state in WORST_FIRST if state in states}, label)


def states_before(topics: Iterable[TopicImpact]) -> dict[str, int]:
    """How many partitions were in each state before."""
    counts: dict[str, int] = {}
    for topic in topics:
        for outcome, partitions in topic.partitions.items():
            counts[outcome.before] = counts.get(outcome.before, 0) + len(partitions)
    return counts


def racks(impact: Impact) -> Racks:
    """Every rack with its brokers, before and after."""
    return Racks({BEFORE: tiles_by_rack(impact, False), AFTER: tiles_by_rack(impact, True)})


def tiles_by_rack(impact: Impact, after: bool) -> list[tuple[str, list[Tile]]]:
    """Every rack with its brokers' tiles at one moment."""
    led = led_by_broker(impact, after)
    by_rack: dict[str, list[Tile]] = {}
    for node in impact.live.nodes:
        is_up = node.state == ALIVE and not (after and node.id in impact.failure.brokers)
        states = led.get(node.id, {})
        text = f"leads {sum(states.values()):,}" if is_up else "down"
        drawn = bar(states, f"partitions that broker {node.id} leads, by state")
        by_rack.setdefault(node.rack or NO_RACK, []).append(Tile(f"broker {node.id}", is_up, text, drawn))
    return [(rack if rack == NO_RACK else f"rack {rack}", tiles) for rack, tiles in sorted(by_rack.items())]


def led_by_broker(impact: Impact, after: bool) -> dict[int, dict[str, int]]:
    """By broker, how many partitions it leads in each state."""
    led: dict[int, dict[str, int]] = {}
    for topic in impact.topics:
        for outcome, partitions in topic.partitions.items():
            leader, state = (outcome.leader, outcome.state) if after else (outcome.leader_before, outcome.before)
            states = led.setdefault(leader, {})
            states[state] = states.get(state, 0) + len(partitions)
    return led
