"""Compare the odds of losing data on two sides, for every configuration that a change touches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from advisor.analysis.comparison import ChangedOdds, OddsOfSide
from advisor.analysis.simulation_inputs import Values, acks_of, from_nodes
from advisor.analysis.topic_classes import scenarios_by_topic
from advisor.errors import BadScenario, UserError
from advisor.facts import ELR_BY_DEFAULT, KRAFT, NOT_IN_FILES, SETS_CLUSTER_WIDE
from advisor.model import SERVER_KINDS, Entity, Snapshot
from advisor.model.finding import EntityName
from advisor.simulator.odds import Rates
from advisor.simulator.protocol.scenario import Scenario
from advisor.simulator.summary import data_of, fewest_failures, odds_of
from advisor.simulator.verdict import QUESTIONS, verdict

if TYPE_CHECKING:
    from advisor.analysis.comparison import Difference

CHANGES_REPORTED = 10
"""Different changes of topics that are reported."""


def compare_odds(difference: Difference, rates: Rates) -> list[ChangedOdds]:
    """The odds on both sides of every configuration that differs: each file's or each live topic's."""
    old, new = difference.old, difference.new
    if old.snapshots is None or new.snapshots is None:
        return []
    before, after = scenarios_by_subject(old.snapshots), scenarios_by_subject(new.snapshots)
    same = set(before) == set(after) == {("", "")}
    is_of_files = same and not any(
        entity.format == SETS_CLUSTER_WIDE for snapshot in new.snapshots for entity in snapshot.entities
    )
    row_of_change: dict[object, ChangedOdds] = {}
    defaults = assumed_defaults(new.snapshots)
    for name, scenario in after.items():
        other = before.get(name if same else difference.names.get(name, name))
        if other is None or data_of(other) == data_of(scenario):
            continue
        change = (repr(data_of(other)), repr(data_of(scenario)))
        if change not in row_of_change:
            notes = [*defaults, *assumed_of_min_isr(other, scenario)] if is_of_files else defaults
            row_of_change[change] = ChangedOdds([], odds_of_side(other, rates), odds_of_side(scenario, rates), notes)
        row_of_change[change].about.append(name[1])
    return list(row_of_change.values())[:CHANGES_REPORTED]


def scenarios_by_subject(snapshots: Sequence[Snapshot]) -> dict[EntityName, Scenario]:
    """The scenarios to simulate: every topic of a running cluster, or the one that all files add up to."""
    by_subject: dict[EntityName, Scenario] = {}
    entities: list[Entity] = []
    for snapshot in snapshots:
        if snapshot.live is None:
            entities += snapshot.entities
        else:
            scenarios = scenarios_by_topic(snapshot, snapshot.live, unknown_elr=False)
            by_subject |= {("topic", name): scenario for name, scenario in scenarios.items()}
    scenario = None if by_subject else files(entities)
    return by_subject if scenario is None else {("", ""): scenario}


def assumed_defaults(snapshots: Sequence[Snapshot]) -> list[str]:
    """Notes on what neither side configures and the simulation assumes."""
    live = any(snapshot.live is not None for snapshot in snapshots)
    kinds = {entity.kind for snapshot in snapshots for entity in snapshot.entities}
    notes = (
        [] if live or kinds & set(SERVER_KINDS) else ["no broker file: RF 3, min.insync.replicas 1 (Kafka's default)"]
    )
    return notes + ([] if not live and kinds & {"producer", "client"} else ["no producer file: acks=all"])


def assumed_of_min_isr(old: Scenario, new: Scenario) -> Iterator[str]:
    """What a change of min.insync.replicas in files rests on."""
    if old.min_isr != new.min_isr and new.metadata == KRAFT and new.version >= ELR_BY_DEFAULT:
        yield f"no eligible leader replicas: {NOT_IN_FILES}"


def files(entities: list[Entity]) -> Scenario | None:
    """The scenario of a broker's and a producer's file together; None without either."""
    from advisor.config import Config

    nodes = [Config(entity) for entity in entities if entity.kind in SERVER_KINDS]
    producer = next((entity for entity in entities if entity.kind in ("producer", "client")), None)
    values = Values()
    try:
        if nodes:
            from_nodes(values, [], nodes)
        if producer is not None:
            values.acks = acks_of(Config(producer), [])
        return worse_scenario(values) if nodes or producer else None
    except (UserError, BadScenario):
        return None


def worse_scenario(values: Values) -> Scenario:
    """The scenario; without eligible leader replicas where they are unknown, since that is worse."""
    return Scenario(
        values.rf,
        values.min_isr,
        values.acks,
        unclean=values.unclean,
        elr=bool(values.elr),
        version=values.version,
        metadata=values.metadata,
        domains=[list(dict.fromkeys(values.racks)).index(rack) for rack in values.racks],
    )


def odds_of_side(scenario: Scenario, rates: Rates) -> OddsOfSide:
    """One side: its configuration, the failures until it loses data or stops serving, and its odds."""
    decided = verdict(scenario)
    failures = {question: fewest_failures(decided, question) for question in QUESTIONS}
    return OddsOfSide(data_of(scenario), failures, odds_of(scenario, rates))
