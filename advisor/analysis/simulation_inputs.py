"""Inputs of a simulation: from options, from files or a snapshot, else a default with a note."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from advisor.analysis.impact.topic_rules import rules_of
from advisor.catalog import NEWEST
from advisor.catalog.target import target_of
from advisor.config import Config
from advisor.errors import BadScenario, UserError
from advisor.facts import ELR_BY_DEFAULT
from advisor.model import SERVER_KINDS, Entity, Snapshot, Topic, Version
from advisor.simulator.protocol.scenario import Scenario
from advisor.simulator.queries import version


class Values:
    """The values that a scenario is made of, as far as they are known."""

    def __init__(self) -> None:
        self.rf = 3
        self.min_isr = 1
        self.acks = "all"
        self.unclean = False
        self.version: Version = NEWEST
        self.metadata = "kraft"
        self.elr: bool | None = None
        self.racks: list[str] = []
        self.is_topic = False

    @property
    def elr_open(self) -> bool:
        """Whether the configuration leaves open if the cluster has eligible leader replicas."""
        return self.metadata == "kraft" and self.version >= ELR_BY_DEFAULT


def scenarios_of(options: argparse.Namespace) -> tuple[list[Scenario], list[str], str]:
    """The scenarios to simulate (two where ELR is open), what was assumed, and what Kafka makes of the values."""
    values, notes = read_values(options)
    racks = [rack.strip() for rack in options.racks.split(",")] if options.racks else values.racks
    names = list(dict.fromkeys(racks))
    elr = options.elr if options.elr is not None else values.elr
    elr_values = [elr] if elr is not None else [False, True] if values.elr_open else [False]
    if len(elr_values) == 2:
        notes.append(
            "eligible leader replicas: off and on, the worse is shown (on in clusters formatted by 4.1 or newer)"
        )
    scenarios = [
        Scenario(
            values.rf,
            values.min_isr,
            values.acks,
            unclean=values.unclean,
            elr=elr,
            flush=options.flush,
            version=values.version,
            metadata=values.metadata,
            domains=[names.index(rack) for rack in racks],
        )
        for elr in elr_values
    ]
    return scenarios, notes, required_above(values)


def read_values(options: argparse.Namespace) -> tuple[Values, list[str]]:
    """The values from options and files, and notes on what was assumed."""
    values = Values()
    notes: list[str] = []
    if options.files:
        from_files(values, notes, options)
    else:
        notes += assumed_defaults(options)
    if options.kafka_version:
        values.version = version_of(options.kafka_version)
    if options.metadata:
        values.metadata = options.metadata
    for name in ("rf", "min_isr", "acks"):
        if getattr(options, name) is not None:
            setattr(values, name, getattr(options, name))
    values.unclean = values.unclean or options.unclean
    return values, notes


def required_above(values: Values) -> str:
    """What Kafka makes of more required in-sync replicas than there are; empty for fewer. Source: KAFKA-15583."""
    if values.min_isr <= values.rf:
        return ""
    effect = (
        f"from Kafka 3.7 on it counts as {values.rf}, and one failure stops acks=all writes"
        if values.version >= CAPPED
        else "before Kafka 3.7 every acks=all write fails"
    )
    return f"min.insync.replicas {values.min_isr} is more than there are replicas: {effect}"


CAPPED = (3, 7)
"""From this release on the smaller of min.insync.replicas and the replication factor counts."""


def assumed_defaults(options: argparse.Namespace) -> list[str]:
    """Notes on the defaults that no option sets."""
    words = {"rf": "RF 3", "min_isr": "min.insync.replicas 1 (Kafka's default)", "acks": "acks=all"}
    return [note for name, note in words.items() if getattr(options, name) is None]


def version_of(text: str) -> Version:
    """Parse a Kafka version, including those before the catalogs: older protocols can be simulated, too."""
    try:
        release = (
            version(text.removeprefix("cp"))
            if not text.startswith("cp")
            else target_of(text, "--kafka-version").version
        )
    except BadScenario as bad:
        raise UserError(f"--kafka-version: {bad}") from None
    return release


def from_files(values: Values, notes: list[str], options: argparse.Namespace) -> None:
    """Fill in the values that the files give."""
    entities = [
        entity for path in (*options.files, *options.with_) for entity in read(path, values, notes, options.topic)
    ]
    nodes = [Config(entity) for entity in entities if entity.kind in SERVER_KINDS]
    producer = next((Config(entity) for entity in entities if entity.kind in ("producer", "client")), None)
    if not nodes and producer is None and not values.is_topic:
        raise UserError("none of the files is a broker's, a controller's or a producer's")
    if nodes:
        from_nodes(values, notes, nodes)
    elif not values.is_topic:
        notes.append("no broker file: RF 3, min.insync.replicas 1 (Kafka's default)")
    if producer is not None:
        values.acks = acks_of(producer, notes)
    elif options.acks is None:
        notes.append("no producer file: acks=all")


def read(path: str, values: Values, notes: list[str], topic: str | None) -> list[Entity]:
    """Read a file into an entity, or a snapshot's topic into the values. Raises UserError."""
    from advisor.errors import NothingToJudge, UnreadableInput
    from collectors.files.reader import File, SavedSnapshot, entities_of
    from collectors.files.reader import read as read_file

    try:
        contents = read_file(File(path))
        if isinstance(contents, SavedSnapshot):
            from collectors.snapshot.file import parse

            from_topic(values, notes, parse(contents.data, path), topic)
            return []
    except (UnreadableInput, NothingToJudge) as error:
        raise UserError(f"{error}") from None
    return [entity for entity, _ in entities_of(contents)]


def from_topic(values: Values, notes: list[str], snapshot: Snapshot, name: str | None) -> None:
    """Fill in the values of a live topic: its replicas, effective settings, racks and the cluster's features."""
    topics = {entity.name: entity for entity in snapshot.entities if isinstance(entity, Topic)}
    if name not in topics:
        which = f"no topic {name} in the snapshot" if name else "name a topic of the snapshot with --topic"
        raise UserError(f"{which} (it has {len(topics)}: {', '.join([*topics][:3])}, …)")
    topic, live = topics[name], snapshot.live
    assert live is not None
    if not topic.partitions:
        raise UserError(f"topic {name}: {topic.missing or 'its partitions were not read'}")
    partition = min(topic.partitions, key=lambda partition: len(partition.replicas))
    config, rules = Config(topic), rules_of(topic, live)
    values.is_topic = True
    values.rf, values.version = len(partition.replicas), config.version
    values.min_isr = number(config, "min.insync.replicas", notes)
    values.unclean = True in rules.unclean
    values.metadata = live.metadata or "kraft"
    values.elr = rules.elr[0] if len(rules.elr) == 1 else None
    racks = {node.id: node.rack for node in live.nodes}
    racks_of_replicas = [racks.get(id) for id in partition.replicas]
    values.racks = [rack for rack in racks_of_replicas if rack] if all(racks_of_replicas) else []
    notes.append(f"topic {name}, partition {partition.id}: all replicas in sync, as it was made to be")


def from_nodes(values: Values, notes: list[str], nodes: Sequence[Config]) -> None:
    """Fill in RF, min.isr and version from the first node's file, and who elects uncleanly from a controller's."""
    node = nodes[0]
    values.version = node.version
    values.metadata = "kraft" if node.find("process.roles")[0] or node.version >= (4, 0) else "zookeeper"
    notes.append(f"Kafka {node.entity.target.text}: {node.entity.target.reason}")
    values.rf = number(node, "default.replication.factor", notes)
    values.min_isr = number(node, "min.insync.replicas", notes)
    if values.elr_open and node.entity.kind == "broker":
        notes.append("min.insync.replicas is this file's; with eligible leader replicas the controller's counts")
    elects = next((each for each in nodes if each.entity.kind in ("controller", "combined")), node)
    unread = values.metadata == "kraft" and values.version < READS_UNCLEAN
    values.unclean = not unread and elects.answer(("bool", "unclean.leader.election.enable")) is True


READS_UNCLEAN = (3, 9)
"""The release from which on controllers read whether a replica that is not in sync may become leader (KAFKA-12670)."""


def number(node: Config, key: str, notes: list[str]) -> int:
    """A whole number of the file, or its default with a note."""
    value = node.answer(("int", key))
    if not isinstance(value, int):
        raise UserError(f"{node.file or node.name[1]}: {getattr(value, 'reason', key)}; name it with an option")
    if node.find(key)[0] is None:
        notes.append(f"{key} is not set: {value}")
    return value


def acks_of(producer: Config, notes: list[str]) -> str:
    """The producer's acks."""
    value = producer.answer(("str", "acks"))
    if not isinstance(value, str):
        raise UserError(f"{producer.file}: {getattr(value, 'reason', 'acks')}; name it with --acks")
    if producer.find("acks")[0] is None:
        notes.append(f"acks is not set: {value}, the default of {producer.release}")
    return "all" if value in ("-1", "all") else value
