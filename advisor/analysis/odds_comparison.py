"""How the odds of two sides differ: what the simulator says of each configuration that a change touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.analysis.simulation_inputs import Values, acks_of, from_node, from_topic
from advisor.errors import BadScenario, UserError
from advisor.model import SERVER_KINDS, Topic
from advisor.simulator.scenario import Setup
from advisor.simulator.summary import data_of, fewest, odds_of
from advisor.simulator.verdict import QUESTIONS
from advisor.simulator.verdict_store import key, recall

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.analysis.comparison import Difference, Row
    from advisor.model import Entity, Snapshot
    from advisor.model.finding import EntityName
    from advisor.simulator.odds import Rates

READY = 3
"""Replicas up to which verdicts ship; beyond that only the odds are shown, which need no search."""
MOST = 10
"""Different changes of topics that are told."""


def odds_of_both(difference: Difference, rates: Rates) -> list[Row]:
    """The odds on both sides for every configuration that differs: each file's, or each topic's of a running cluster."""
    old, new = difference.old, difference.new
    if old.snapshots is None or new.snapshots is None:
        return []
    before, after = setups(old.snapshots), setups(new.snapshots)
    same = set(before) == set(after) == {("", "")}
    found: dict[object, Row] = {}
    notes = assumed(new.snapshots)
    for name, setup in after.items():
        other = before.get(name if same else difference.names.get(name, name))
        if other is None or data_of(other) == data_of(setup):
            continue
        told = (repr(data_of(other)), repr(data_of(setup)))
        row = found.setdefault(
            told, {"about": [], "old": side(other, rates), "new": side(setup, rates), "assumed": notes}
        )
        row["about"].append(name[1])
    return list(found.values())[:MOST]


def setups(snapshots: Sequence[Snapshot]) -> dict[EntityName, Setup]:
    """What is simulated: every topic of a running cluster, or what the files come to together (under no name)."""
    found: dict[EntityName, Setup] = {}
    entities: list[Entity] = []
    for snapshot in snapshots:
        if snapshot.live is None:
            entities += snapshot.entities
        else:
            found |= topics(snapshot)
    setup = None if found else files(entities)
    return found if setup is None else {("", ""): setup}


def assumed(snapshots: Sequence[Snapshot]) -> list[str]:
    """What neither side says."""
    live = any(snapshot.live is not None for snapshot in snapshots)
    kinds = {entity.kind for snapshot in snapshots for entity in snapshot.entities}
    notes = (
        [] if live or kinds & set(SERVER_KINDS) else ["no broker file: RF 3, min.insync.replicas 1 (Kafka's default)"]
    )
    return notes + ([] if not live and kinds & {"producer", "client"} else ["no producer file: acks=all"])


def topics(snapshot: Snapshot) -> dict[EntityName, Setup]:
    """The setup of every topic whose partitions were read."""
    found = {}
    for entity in snapshot.entities:
        if isinstance(entity, Topic) and entity.partitions and not entity.missing:
            values = Values()
            try:
                from_topic(values, [], snapshot, entity.name)
                found[entity.kind, entity.name] = worse(values)
            except (UserError, BadScenario):
                continue
    return found


def files(entities: list[Entity]) -> Setup | None:
    """The setup that a broker's and a producer's file come to; None without either."""
    from advisor.config import Config

    node = next((entity for entity in entities if entity.kind in SERVER_KINDS), None)
    producer = next((entity for entity in entities if entity.kind in ("producer", "client")), None)
    values = Values()
    try:
        if node is not None:
            from_node(values, [], Config(node))
        if producer is not None:
            values.acks = acks_of(Config(producer), [])
        return worse(values) if node or producer else None
    except (UserError, BadScenario):
        return None


def worse(values: Values) -> Setup:
    """The setup, without eligible leader replicas where nobody can tell: the odds are worse without."""
    return Setup(
        values.rf,
        values.min_isr,
        values.acks,
        unclean=values.unclean,
        elr=bool(values.elr),
        version=values.version,
        metadata=values.metadata,
        domains=[list(dict.fromkeys(values.racks)).index(rack) for rack in values.racks],
    )


def side(setup: Setup, rates: Rates) -> Row:
    """One side: the configuration, how many failures it takes, and the odds."""
    ready = setup.replicas <= READY and key(setup) is not None
    found = recall(setup) if ready else None
    failures = {question: fewest(found, question) for question in QUESTIONS} if found else {}
    return {"configuration": data_of(setup), "failures_until": failures, "odds": odds_of(setup, rates)}
