"""Topics of a cluster by what the simulator needs to know of them: each class is computed once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from advisor.analysis.impact.topic_rules import rules_of
from advisor.model import Snapshot, Topic
from advisor.model.cluster import ZOOKEEPER, Live
from advisor.simulator.odds import Rates
from advisor.simulator.protocol.scenario import MOST_REPLICAS, Scenario
from advisor.simulator.summary import COMMON_POWER, fewest_failures, odds_of
from advisor.simulator.verdict import verdict

QUESTIONS = ("loss", "writes")


class TopicClass(NamedTuple):
    """Topics alike: the failures until a record is lost and until writes stop, as text, and the odds a year."""

    scenario: Scenario
    racks: int | None
    topics: tuple[str, ...]
    failures: dict[str, str]
    odds: dict[str, float]


def topic_classes(snapshot: Snapshot, acks: str, rates: Rates) -> tuple[list[TopicClass], list[str]]:
    """The classes, those with most topics first, and the topics of which something was not read, with the reason."""
    live = snapshot.live
    assert live is not None
    names_by_class: dict[tuple[object, ...], tuple[Scenario, int | None, list[str]]] = {}
    unread = [f"{name}: {live.unread[name]}" for name in ("topics", "all topics") if name in live.unread]
    for topic in snapshot.entities:
        if isinstance(topic, Topic):
            try:
                scenario, racks = scenario_of(topic, live, acks)
            except LookupError as why:
                unread.append(f"topic {topic.name}: {why.args[0]}")
                continue
            key = (scenario.replicas, scenario.min_isr, scenario.unclean, scenario.elr, racks, scenario.version)
            names_by_class.setdefault(key, (scenario, racks, []))[2].append(topic.name)
    classes = [class_of(scenario, racks, names, rates) for scenario, racks, names in names_by_class.values()]
    return sorted(classes, key=lambda row: (-len(row.topics), row.scenario.replicas)), unread


def scenarios_by_topic(snapshot: Snapshot, live: Live, unknown_elr: bool | None = None) -> dict[str, Scenario]:
    """The scenario, with acks=all, of every topic of which all was read that decides it."""
    scenarios = {}
    for topic in snapshot.entities:
        if isinstance(topic, Topic):
            with suppress(LookupError):
                scenarios[topic.name], _ = scenario_of(topic, live, "all", unknown_elr)
    return scenarios


def scenario_of(topic: Topic, live: Live, acks: str, unknown_elr: bool | None = None) -> tuple[Scenario, int | None]:
    """The scenario of a topic's partition with fewest replicas, and how many racks hold it. Raises LookupError.

    `unknown_elr` says whether the cluster has eligible leader replicas where it did not say so; None: that is not assumed.
    """
    if not topic.partitions:
        raise LookupError(topic.missing or "its partitions were not read")
    rules = rules_of(topic, live)
    elr = rules.elr[0] if len(rules.elr) == 1 else unknown_elr
    if rules.unread or elr is None:
        raise LookupError(
            rules.unread[0].partition(": ")[2] if rules.unread else "the cluster's features were not read"
        )
    partition = min(topic.partitions, key=lambda partition: len(partition.replicas))
    replicas = len(partition.replicas)
    if not 1 <= replicas <= MOST_REPLICAS:
        raise LookupError(f"{replicas} replicas are beyond what is simulated (1 to {MOST_REPLICAS})")
    rack_of = {node.id: node.rack for node in live.nodes}
    racks = [rack_of.get(broker) for broker in partition.replicas]
    names = list(dict.fromkeys(racks))
    scenario = Scenario(
        replicas,
        rules.min_isr[0],
        acks,
        unclean=rules.unclean[0],
        elr=elr,
        version=topic.target.version,
        metadata=ZOOKEEPER if live.metadata == ZOOKEEPER else "kraft",
        domains=[names.index(rack) for rack in racks] if all(racks) else (),
    )
    return scenario, len(names) if all(racks) else None


def class_of(scenario: Scenario, racks: int | None, names: list[str], rates: Rates) -> TopicClass:
    """A class with its failures and odds."""
    return TopicClass(scenario, racks, tuple(names), dict(failures_of(scenario)), odds_of(scenario, rates))


def failures_of(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """The fewest failures to each end; of replicas in several racks without that all lose power at once."""
    decided = verdict(scenario)
    for question in QUESTIONS:
        if len(set(scenario.domains)) < 2:
            yield question, fewest_failures(decided, question)
            continue
        apart = decided.smallest(question, COMMON_POWER)
        yield question, str(len(apart.failures)) if apart else "over 2"
