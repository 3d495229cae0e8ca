"""What a broker or controller refuses while it starts, after its configuration was read."""

from __future__ import annotations

import re

from advisor import catalog
from advisor.analysis.startup.values import is_written, number, text
from advisor.catalog import Definition, values
from advisor.catalog.classes import OWN
from advisor.model import SERVER_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.startup.externals import Requirement
    from advisor.config import Config

SERVES = ("broker", "combined")
LEVEL, LEVELS = "metrics.recording.level", ("INFO", "DEBUG", "TRACE")
FACTOR = "log.cleaner.io.buffer.load.factor"
TAKES_NO_ROOM = (4, 1)
"""The first release whose log cleaner, now written in Java, does not notice it."""
METADATA_ROLL = "metadata.log.segment.ms"
WAITS = (
    "broker.heartbeat.interval.ms",
    "controller.socket.timeout.ms",
    "socket.connection.setup.timeout.ms",
    "socket.connection.setup.timeout.max.ms",
)
"""Times that the threads which speak to the controller wait for; a negative one ends the process."""
METADATA_SIZE, METADATA_LEAST = "metadata.log.segment.bytes", "metadata.log.segment.min.bytes"
QUORUM = {
    "controller.quorum.fetch.timeout.ms": 0,
    "controller.quorum.request.timeout.ms": 0,
    "controller.quorum.election.timeout.ms": 1,
    METADATA_SIZE: 14,
}
"""What the quorum's own client takes at least; the times are those of a node that is no voter, a single voter leads at once."""
CHECKPOINTS = ("log.flush.offset.checkpoint.interval.ms", "log.flush.start.offset.checkpoint.interval.ms")
PERIOD_MAY_BE_0 = (3, 4)
"""The first release whose scheduler takes a period of 0 as: once."""
NEGATIVE_IS_UNLIMITED = "retention.ms"
"""Any negative number of a broker counts as -1."""
SELECTOR = "replica.selector.class"
PLUG_INS = {
    SELECTOR: "org.apache.kafka.common.replica.",
    "client.quota.callback.class": None,
    "create.topic.policy.class.name": None,
    "alter.config.policy.class.name": None,
    "kafka.metrics.reporters": "kafka.metrics.",
    "group.share.persister.class.name": "org.apache.kafka.server.share.persister.",
    "group.streams.topology.description.plugin.class": None,
    "metric.reporters": "org.apache.kafka.",
}
"""Classes that a start makes, and the package in which Kafka has its own of the kind."""
UNUSED = {
    "create.topic.policy.class.name": ("broker",),
    "alter.config.policy.class.name": ("broker",),
    "replica.selector.class": ("controller",),
    "group.share.persister.class.name": ("controller",),
    "group.streams.topology.description.plugin.class": ("controller",),
}
"""The kinds of KRaft nodes that make no use of a class."""
HOSTS = {"host.name": "listeners", "advertised.host.name": "advertised.listeners"}
"""Hosts that became listeners before 3.0, and the key that stands before them."""
HOST = re.compile(r"[0-9a-zA-Z\-%._:]*")
SHORT = 1000
SESSION = "zookeeper.session.timeout.ms"
TIMED = (
    SESSION,
    "server.max.startup.time.ms",
    "initial.broker.registration.timeout.ms",
    "zookeeper.connection.timeout.ms",
)
"""Times within which parts of a start have to be done."""


def node_refusals(config: Config) -> Iterator[Requirement]:
    """(key, reason) of what a node does not start with."""
    if config.entity.kind not in SERVER_KINDS:
        return
    level = text(config, LEVEL)
    if is_written(config, LEVEL) and level.upper() not in LEVELS:
        yield LEVEL, f"{level or 'the empty text'} is no recording level"
    yield from negative_waits(config)
    yield from plug_ins(config)
    yield from quorum_times(config)
    roll = number(config, METADATA_ROLL) if is_written(config, METADATA_ROLL) and is_kraft(config) else None
    if roll is not None and roll < 1:
        yield METADATA_ROLL, f"{roll}: segments of the metadata log take at least 1 ms"
    for key, newer in HOSTS.items():
        if text(config, key) and not is_written(config, newer) and not HOST.fullmatch(text(config, key)):
            yield key, f"{text(config, key)} is no host of a listener"
    if config.entity.kind in SERVES:
        yield from log_defaults(config)


def is_kraft(config: Config) -> bool:
    """Whether the node has process.roles."""
    return is_written(config, "process.roles")


def quorum_times(config: Config) -> Iterator[Requirement]:
    """Times of the quorum that are too short to draw from, and segments of its log that hold nothing."""
    for key, least in QUORUM.items() if is_kraft(config) else ():
        value = number(config, key) if is_written(config, key) else None
        if value is not None and value < least and (key == METADATA_SIZE or config.entity.kind == "broker"):
            yield key, f"{value}: must be at least {least}"
    size, smallest = number(config, METADATA_SIZE), number(config, METADATA_LEAST)
    if is_kraft(config) and size is not None and smallest is not None and size < smallest:
        yield METADATA_SIZE, f"{size} is below {METADATA_LEAST} ({smallest})"


def negative_waits(config: Config) -> Iterator[Requirement]:
    """Waits for the controller that are below 0."""
    for key in WAITS:
        wait = number(config, key) if is_written(config, key) and is_kraft(config) else None
        if wait is not None and wait < 0:
            yield key, f"{wait} ms ends the thread that speaks to the controller"


def plug_ins(config: Config) -> Iterator[Requirement]:
    """Classes of Kafka's own or Java's that are of another kind, and names that are no class's."""
    for key, package in PLUG_INS.items():
        if config.entity.kind in UNUSED.get(key, ()) and is_kraft(config):
            continue
        if key == SELECTOR and is_written(config, key) and not text(config, key):
            yield key, "names no class"
        entries = [entry.strip() for entry in text(config, key).split(",")] if text(config, key) else []
        for name in entries:
            if "." not in name or (name.startswith(OWN) and not (package and name.startswith(package))):
                yield key, f"{name} is no class for this"


def log_defaults(config: Config) -> Iterator[Requirement]:
    """Defaults of topics that no topic may have, and times of the log's own work."""
    for key, row in catalog.definitions("topic", config.version).items():
        if key == NEGATIVE_IS_UNLIMITED:
            continue
        for other, factor in [pair for pair in catalog.synonyms(key) if is_written(config, pair[0])][:1]:
            why = refusal_of(config, other, factor, Definition(key, row))
            if why:
                yield other, f"{text(config, other) or 'empty'}: a topic's {key} {why}"
    room = config.answer(("float", FACTOR)) if is_written(config, FACTOR) else None
    if isinstance(room, float) and not room > 0 and config.version < TAKES_NO_ROOM:
        yield FACTOR, f"{room} leaves the log cleaner no room"
    for key in CHECKPOINTS:
        if is_written(config, key) and number(config, key) == 0 and config.version < PERIOD_MAY_BE_0:
            yield key, "0 is no period"


def refusal_of(config: Config, key: str, factor: int, definition: Definition) -> str | None:
    """Why a topic's definition refuses the broker's value; None where it does not, or where the broker's does before."""
    broker_definition = config.definition(key)
    written = config.settings[key].value
    if broker_definition is None or factor != 1 or values.refusal(broker_definition, written, config.version):
        return None
    return values.refusal(definition, written, config.version)


def timed_parts(config: Config) -> Iterator[Requirement]:
    """Times that are too short to be sure of."""
    for key in TIMED:
        standing_in = key == SESSION and is_written(config, "zookeeper.connection.timeout.ms")
        time = number(config, key) if is_written(config, key) and not standing_in else None
        if config.entity.kind in SERVER_KINDS and time is not None and time < SHORT:
            yield key, f"a part of the start has to be done within {time} ms"
