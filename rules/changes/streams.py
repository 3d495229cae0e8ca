"""Changes of Kafka Streams applications: their identity, their state, and what they do with bad records."""

from __future__ import annotations

from advisor.rule import CHANGED, CLIENT_START, LOST, STOPPED, WEAKER, Problem, Problems, Subject, applies, rule

CONTINUES = "LogAndContinue"
DEFAULT = "DefaultProductionExceptionHandler"
FORMAT = "dsl.store.format"
STATE = ("state.dir", "default.dsl.store", "dsl.store.suppliers.class", FORMAT)
"""What decides where local state is, and how it is written."""
PRODUCTION = ("production.exception.handler", "default.production.exception.handler")
HANDLERS = (
    *PRODUCTION,
    "deserialization.exception.handler",
    "default.deserialization.exception.handler",
    "processing.exception.handler",
)


def same_application(streams: Subject, before: Subject) -> bool:
    """Whether the application has the same id on both sides: another one is new as a whole."""
    return streams.str("application.id") == before.str("application.id")


@rule("KA1880", "critical", dev="low", effect=LOST, acts=CLIENT_START)
def application_id_changed(streams: Subject, before: Subject) -> Problems:
    """A Streams application gets another id, and starts without its state and positions.

    Why: application.id is the group, the prefix of changelog and repartition topics, and the folder of the state stores. With another one everything is
        built anew from the input topics, as far as they are kept; the old topics stay and keep their disk.
    Fix: keep application.id. For a new one: 1. stop the application; 2. set the offsets of the new group; 3. let it rebuild its state before others
        read its output; 4. delete the old internal topics.
    Bad:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
        after:
            application.id=orders-v2
            bootstrap.servers=b1:9092,b2:9092
    Good:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            num.stream.threads=4
    See: https://kafka.apache.org/documentation/#streamsconfigs_application.id
    """
    if before.str("application.id") != streams.str("application.id"):
        yield Problem("application.id", "the application starts without its state stores and its positions")


@rule("KA1881", "high", dev="info", effect=WEAKER, acts=CLIENT_START)
def exactly_once_left(streams: Subject, before: Subject) -> Problems:
    """A Streams application no longer processes each record exactly once.

    Why: without transactions a crash leaves results of records that are processed again: duplicates in the output and in the state.
    Fix: keep processing.guarantee=exactly_once_v2; for latency lower commit.interval.ms.
    Bad:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            processing.guarantee=exactly_once_v2
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
    Good:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            processing.guarantee=exactly_once_v2
    See: KIP-447, https://kafka.apache.org/documentation/#streamsconfigs_processing.guarantee
    """
    key = "processing.guarantee"
    if before.str(key).startswith("exactly_once") and not streams.str(key).startswith("exactly_once"):
        yield Problem(key, "a crash leaves duplicates in the output and in the state")


@rule(
    "KA1882",
    "critical",
    dev="low",
    each=("default.key.serde", "default.value.serde"),
    effect=STOPPED,
    acts=CLIENT_START,
)
def serde_changed(streams: Subject, before: Subject, key: str) -> Problems:
    """A Streams application reads its own state and topics by another format.

    Why: stores, changelogs and repartition topics hold the bytes of the old serde: the application fails at the first of them, or reads rubbish.
    Fix: 1. name serdes per store and topic in the code, the old ones for what exists; or 1. stop all instances; 2. reset the application
        (kafka-streams-application-reset.sh), which throws its state away; 3. start it with the new serde.
    Care: input topics that are read by the default serde change their format, too.
    Bad:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            default.value.serde=org.apache.kafka.common.serialization.Serdes$StringSerde
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            default.value.serde=io.confluent.kafka.streams.serdes.avro.SpecificAvroSerde
    Good:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            default.value.serde=org.apache.kafka.common.serialization.Serdes$StringSerde
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            default.value.serde=org.apache.kafka.common.serialization.Serdes$StringSerde
            num.stream.threads=4
    See: https://kafka.apache.org/documentation/#streamsconfigs_default.value.serde
    """
    applies(streams.is_set(key) and before.is_set(key), "not set on both sides")
    applies(same_application(streams, before), "another application")
    if streams.str(key) != before.str(key):
        yield Problem(key, "state, changelogs and repartition topics hold the bytes of the old one")


@rule("KA1883", "medium", dev="info", each=STATE, effect=STOPPED, acts=CLIENT_START)
def state_moved(streams: Subject, before: Subject, key: str) -> Problems:
    """A Streams application looks for its local state in another folder, or in another kind of store.

    Why: it finds none, and restores all of it from the changelogs before it processes anything: minutes to hours for large state. From
        dsl.store.format=HEADERS there is no way back in place.
    Fix: 1. stop the instance; 2. move the folder; 3. start it. Or let standby replicas take over (num.standby.replicas=1).
    Bad:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            state.dir=/data/state
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            state.dir=/data2/state
    Good:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            state.dir=/data/state
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            state.dir=/data/state/
    See: https://kafka.apache.org/documentation/#streamsconfigs_state.dir
    """
    applies(streams.is_set(key) or before.is_set(key), "left at its default")
    applies(same_application(streams, before), "another application")
    if streams.str(key).rstrip("/").lower() == before.str(key).rstrip("/").lower():
        return
    if key == FORMAT and streams.str(key).upper() == "HEADERS":
        yield Problem(key, "to go back the local state has to be deleted and restored", effect=CHANGED)
    else:
        yield Problem(key, "all state is restored from the changelogs before anything is processed")


@rule("KA1884", "medium", dev="info", effect=WEAKER, acts=CLIENT_START)
def standbys_removed(streams: Subject, before: Subject) -> Problems:
    """A Streams application keeps no second copy of its state any more.

    Why: when an instance ends, its tasks restore their state from the changelogs on another one before they go on; a standby would have had it.
    Fix: keep num.standby.replicas=1 where the state takes longer to restore than the application may stand still.
    Bad:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            num.standby.replicas=1
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            num.standby.replicas=0
    Good:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            num.standby.replicas=1
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            num.standby.replicas=2
    See: https://kafka.apache.org/documentation/#streamsconfigs_num.standby.replicas
    """
    key = "num.standby.replicas"
    if before.int(key) > 0 and streams.int(key) == 0:
        yield Problem(key, "the tasks of an instance that ends stand still until their state is restored")


@rule("KA1885", "high", dev="info", each=HANDLERS, effect=LOST, acts=CLIENT_START)
def bad_records_skipped(streams: Subject, before: Subject, key: str) -> Problems:
    """A Streams application skips records that it cannot read, process or write.

    Why: with LogAndContinue a bad record is a line in the log, and everything that follows from it is missing; before, the application stopped.
    Fix: send bad records to a topic of their own (a handler of yours; from Kafka 4.2 on the dead letter queue), and alert on the dropped-records metric.
    Bad:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            deserialization.exception.handler=org.apache.kafka.streams.errors.LogAndContinueExceptionHandler
    Good:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            deserialization.exception.handler=org.apache.kafka.streams.errors.LogAndContinueExceptionHandler
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
    See: KIP-161, KIP-1033
    """
    applies(streams.is_set(key), "the handler is the one that stops")
    if key in PRODUCTION:
        old, new = (side.str(key) if side.is_set(key) else DEFAULT for side in (before, streams))
        if old.endswith(DEFAULT) and not new.endswith(DEFAULT):
            words = "unless the handler stops the application, what cannot be written is missing"
            yield Problem(key, words, step=-1, likely=True)
        return
    if CONTINUES in streams.str(key) and CONTINUES not in (before.str(key) if before.is_set(key) else ""):
        yield Problem(key, "a bad record is a line in the log, and what follows from it is missing")


@rule("KA1886", "high", dev="info", effect=LOST, acts=CLIENT_START)
def optimization_changed(streams: Subject, before: Subject) -> Problems:
    """A Streams application is built otherwise, so that topics and stores get other names.

    Why: an optimization merges repartition topics or leaves changelogs out: names move, and the state of stores whose name is new is empty.
    Fix: 1. name stores and repartition topics in the code; 2. change one optimization at a time; 3. compare Topology.describe() before and after;
        else treat it as a new application.
    Care: it counts only where the properties are handed to StreamsBuilder.build().
    Bad:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            topology.optimization=all
    Good:
        before:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            topology.optimization=all
        after:
            application.id=orders
            bootstrap.servers=b1:9092,b2:9092
            topology.optimization=all
            num.stream.threads=2
    See: KIP-295, https://kafka.apache.org/documentation/#streamsconfigs_topology.optimization
    """
    key = "topology.optimization"
    applies(same_application(streams, before), "another application")
    if set(streams.list(key)) != set(before.list(key)):
        yield Problem(key, "topics and stores get other names, and begin empty", likely=True)
