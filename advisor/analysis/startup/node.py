"""What a broker or controller refuses while it starts, after its configuration was read."""

from __future__ import annotations

import re

from advisor import catalog
from advisor.analysis.startup.check import startup_check
from advisor.analysis.startup.values import is_written, number, text
from advisor.catalog import Definition, values
from advisor.catalog.classes import OWN
from advisor.model import SERVER_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.analysis.startup.check import Requirement
    from advisor.config import Config
    from advisor.model.finding import Finding

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
"""What the quorum's own client takes at least; the times are those of a node that is not a voter, a single voter leads at once."""
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


def node_refusals(config: Config) -> Iterator[Finding]:
    """What a node does not start with."""
    if config.entity.kind not in SERVER_KINDS:
        return
    yield from recording_level_unknown(config)
    yield from wait_is_negative(config)
    yield from plug_in_of_another_kind(config)
    yield from quorum_time_too_short(config)
    yield from metadata_segment_too_small(config)
    yield from host_name_malformed(config)
    if config.entity.kind in SERVES:
        yield from topic_default_refused(config)
        yield from cleaner_without_room(config)
        yield from checkpoint_without_period(config)


@startup_check("KA1911")
def recording_level_unknown(config: Config) -> Iterator[Requirement]:
    """metrics.recording.level is none of INFO, DEBUG and TRACE.

    Why: the broker makes its metrics first, and ends at a level that it does not know.
    Fix: set INFO (the default), DEBUG or TRACE.
    Bad (broker):
        process.roles=broker
        node.id=1
        metrics.recording.level=WARN
    Good (broker):
        process.roles=broker
        node.id=1
        metrics.recording.level=debug
    See: org.apache.kafka.common.metrics.Sensor.RecordingLevel
    """
    level = text(config, LEVEL)
    if is_written(config, LEVEL) and level.upper() not in LEVELS:
        yield LEVEL, f"{level or 'the empty text'} is not a recording level"


@startup_check("KA1916")
def host_name_malformed(config: Config) -> Iterator[Requirement]:
    """A host of a release before 3.0 holds characters that no listener may have.

    Why: host.name and advertised.host.name become listeners, whose address the broker then cannot parse.
    Fix: set listeners and advertised.listeners instead.
    Bad (broker, 2.8):
        broker.id=1
        zookeeper.connect=z:2181
        host.name=a b
    Good (broker, 2.8):
        broker.id=1
        zookeeper.connect=z:2181
        host.name=kafka-1.example.org
    See: KIP-604
    """
    for key, newer in HOSTS.items():
        if text(config, key) and not is_written(config, newer) and not HOST.fullmatch(text(config, key)):
            yield key, f"{text(config, key)} is not a host of a listener"


def is_kraft(config: Config) -> bool:
    """Whether the node has process.roles."""
    return is_written(config, "process.roles")


@startup_check("KA1914")
def quorum_time_too_short(config: Config) -> Iterator[Requirement]:
    """A time of the quorum is too short to draw a random wait from, or a segment of its log holds nothing.

    Why: the client of the quorum draws its waits below these values, and ends the process where there is nothing to draw.
    Fix: remove the key: the defaults are 2000 ms for requests and fetches and 1000 ms for elections.
    Bad (broker):
        process.roles=broker
        node.id=1
        controller.quorum.fetch.timeout.ms=-1
    Good (broker):
        process.roles=broker
        node.id=1
        controller.quorum.fetch.timeout.ms=2000
    See: org.apache.kafka.raft.KafkaRaftClient
    """
    for key, least in QUORUM.items() if is_kraft(config) else ():
        value = number(config, key) if is_written(config, key) else None
        if value is not None and value < least and (key == METADATA_SIZE or config.entity.kind == "broker"):
            yield key, f"{value}: must be at least {least}"


@startup_check("KA1915")
def metadata_segment_too_small(config: Config) -> Iterator[Requirement]:
    """A segment of the metadata log is smaller than the least one, or rolls before a millisecond has passed.

    Why: the node opens its metadata log before anything else, and refuses these segments.
    Fix: remove both keys: segments of 1 GB that roll after a week are the defaults.
    Bad (broker):
        process.roles=broker
        node.id=1
        metadata.log.segment.ms=0
    Good (broker):
        process.roles=broker
        node.id=1
        metadata.log.segment.ms=604800000
    See: KIP-630
    """
    roll = number(config, METADATA_ROLL) if is_written(config, METADATA_ROLL) and is_kraft(config) else None
    if roll is not None and roll < 1:
        yield METADATA_ROLL, f"{roll}: segments of the metadata log take at least 1 ms"
    size, smallest = number(config, METADATA_SIZE), number(config, METADATA_LEAST)
    if is_kraft(config) and size is not None and smallest is not None and size < smallest:
        yield METADATA_SIZE, f"{size} is below {METADATA_LEAST} ({smallest})"


@startup_check("KA1912")
def wait_is_negative(config: Config) -> Iterator[Requirement]:
    """A wait of the threads that speak to the controller is below 0.

    Why: the thread ends with an IllegalArgumentException, and the node with it.
    Fix: remove the key, or set a time in milliseconds.
    Bad (broker):
        process.roles=broker
        node.id=1
        controller.socket.timeout.ms=-1
    Good (broker):
        process.roles=broker
        node.id=1
        controller.socket.timeout.ms=30000
    See: kafka.server.NodeToControllerRequestThread
    """
    for key in WAITS:
        wait = number(config, key) if is_written(config, key) and is_kraft(config) else None
        if wait is not None and wait < 0:
            yield key, f"{wait} ms ends the thread that speaks to the controller"


@startup_check("KA1913")
def plug_in_of_another_kind(config: Config) -> Iterator[Requirement]:
    """A plug-in names a class of Kafka's own or Java's that is of another kind, or nothing that can be a class.

    Why: the node makes its plug-ins while it starts, and ends where the class does not implement the plug-in's interface.
    Fix: name a class of the kind in the key's documentation, or remove the key.
    Bad (broker):
        process.roles=broker
        node.id=1
        replica.selector.class=RackAwareReplicaSelector
    Good (broker):
        process.roles=broker
        node.id=1
        replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector
    See: KIP-392
    """
    for key, package in PLUG_INS.items():
        if config.entity.kind in UNUSED.get(key, ()) and is_kraft(config):
            continue
        if key == SELECTOR and is_written(config, key) and not text(config, key):
            yield key, "names no class"
        entries = [entry.strip() for entry in text(config, key).split(",")] if text(config, key) else []
        for name in entries:
            if "." not in name or (name.startswith(OWN) and not (package and name.startswith(package))):
                yield key, f"{name} is not a class for this"


@startup_check("KA1917")
def topic_default_refused(config: Config) -> Iterator[Requirement]:
    """A broker's default for topics is a value that no topic may have.

    Why: the log manager makes a topic's configuration of the broker's defaults while the broker starts, and refuses it.
    Fix: set a value that the topic's key takes.
    Bad (broker):
        process.roles=broker
        node.id=1
        log.flush.interval.ms=-1
    Good (broker):
        process.roles=broker
        node.id=1
        log.flush.interval.ms=60000
    See: org.apache.kafka.storage.internals.log.LogConfig
    """
    for key, row in catalog.definitions("topic", config.version).items():
        if key == NEGATIVE_IS_UNLIMITED:
            continue
        for other, factor in [pair for pair in catalog.synonyms(key) if is_written(config, pair[0])][:1]:
            why = refusal_of(config, other, factor, Definition(key, row))
            if why:
                yield other, f"{text(config, other) or 'empty'}: a topic's {key} {why}"


@startup_check("KA1918")
def cleaner_without_room(config: Config) -> Iterator[Requirement]:
    """log.cleaner.io.buffer.load.factor leaves the log cleaner's map no room.

    Why: before Kafka 4.1 the offset map of the cleaner refuses a load factor that is not above 0, and the broker ends.
    Fix: remove the key: 0.9 is the default.
    Bad (broker, 3.9):
        process.roles=broker
        node.id=1
        log.cleaner.io.buffer.load.factor=0
    Good (broker, 3.9):
        process.roles=broker
        node.id=1
        log.cleaner.io.buffer.load.factor=0.9
    See: org.apache.kafka.storage.internals.log.SkimpyOffsetMap
    """
    room = config.answer(("float", FACTOR)) if is_written(config, FACTOR) else None
    if isinstance(room, float) and not room > 0 and config.version < TAKES_NO_ROOM:
        yield FACTOR, f"{room} leaves the log cleaner no room"


@startup_check("KA1919")
def checkpoint_without_period(config: Config) -> Iterator[Requirement]:
    """A checkpoint of the log is to be written every 0 ms.

    Why: before Kafka 3.4 the scheduler takes a period above 0 alone, and the log manager does not start.
    Fix: remove the key: once a minute is the default.
    Bad (broker, 3.3):
        process.roles=broker
        node.id=1
        log.flush.offset.checkpoint.interval.ms=0
    Good (broker, 3.3):
        process.roles=broker
        node.id=1
        log.flush.offset.checkpoint.interval.ms=60000
    See: kafka.log.LogManager
    """
    for key in CHECKPOINTS:
        if is_written(config, key) and number(config, key) == 0 and config.version < PERIOD_MAY_BE_0:
            yield key, "0 is not a period"


def refusal_of(config: Config, key: str, factor: int, definition: Definition) -> str | None:
    """Why a topic's definition refuses the broker's value; None where it does not, or where the broker's does before."""
    broker_definition = config.definition(key)
    written = config.settings[key].value
    if broker_definition is None or factor != 1 or values.refusal(broker_definition, written):
        return None
    return values.refusal(definition, written)


def timed_parts(config: Config) -> Iterator[Requirement]:
    """Times that are too short to be sure of."""
    for key in TIMED:
        standing_in = key == SESSION and is_written(config, "zookeeper.connection.timeout.ms")
        time = number(config, key) if is_written(config, key) and not standing_in else None
        if config.entity.kind in SERVER_KINDS and time is not None and time < SHORT:
            yield key, f"a part of the start has to be done within {time} ms"
