"""Streams applications: state, standby replicas, exactly-once, and what Streams overrides."""

from __future__ import annotations

from advisor.facts import is_temporary, key_names
from advisor.rule import PLACEHOLDER, Problem, Problems, Subject, Unknown, applies, fact, rule

FAMILY = "ecosystem"
EXACTLY_ONCE = ("exactly_once", "exactly_once_beta", "exactly_once_v2")
EOS_TRANSACTION_TIMEOUT, EOS_COMMIT_INTERVAL = 10_000, 100
IN_FLIGHT = "max.in.flight.requests.per.connection"


@fact
def exactly_once(streams: Subject) -> bool:
    """Whether the application asks for exactly-once processing, by any of its names."""
    return streams.str("processing.guarantee") in EXACTLY_ONCE


@rule("KA1220", "medium", dev="info", aim="by hand: address")
def tmp_state_dir(streams: Subject) -> Problems:
    """State stores are in a folder for temporary files.

    Why: a reboot or a temporary-file cleaner deletes the stores, perhaps in part or while the application runs; it then
        has to rebuild them from their changelogs. The directory is the default.
    Fix: set state.dir to a persistent directory that no other application uses.
    Bad:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        state.dir=/tmp/kafka-streams
    Good:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        state.dir=/var/lib/kafka-streams
    See: https://kafka.apache.org/documentation/#streamsconfigs_state.dir
    """
    if is_temporary(streams.str("state.dir")):
        default = not streams.is_set("state.dir")
        yield Problem(
            "state.dir", "a reboot or a temporary-file cleaner deletes the state stores", step=-default, likely=default
        )


@rule("KA1221", "high", since=(3, 0), refuses=True, aim="by hand: load")
def commit_interval_above_transaction(streams: Subject) -> Problems:
    """The commit interval is above the transaction timeout with exactly-once, and the application does not start.

    Why: every commit ends a transaction; a transaction open for longer than producer.transaction.timeout.ms (Streams
        sets 10000) is aborted each time.
    Fix: set commit.interval.ms (default 100 with exactly-once) below producer.transaction.timeout.ms, or raise that.
    Bad:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        processing.guarantee=exactly_once_v2
        commit.interval.ms=30000
    Good:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        processing.guarantee=exactly_once_v2
        commit.interval.ms=1000
    See: KIP-447, org.apache.kafka.streams.StreamsConfig
    """
    applies(exactly_once(streams), "at least once")
    commit, timeout = "commit.interval.ms", "producer.transaction.timeout.ms"
    every = streams.int(commit) if streams.is_set(commit) else EOS_COMMIT_INTERVAL
    ends = streams.int(timeout) if streams.is_set(timeout) else EOS_TRANSACTION_TIMEOUT
    if ends < every:
        keys = [commit, timeout] if streams.is_set(commit) else [timeout, commit]
        yield Problem(keys, f"commits are {every} ms apart, but transactions end after {ends} ms", refused=True)


@rule(
    "KA1222",
    "high",
    each=(IN_FLIGHT, f"producer.{IN_FLIGHT}"),
    refuses=True,
    aim="remove max.in.flight.requests.per.connection",
)
def streams_in_flight_too_high(streams: Subject, key: str) -> Problems:
    """Exactly-once allows at most five requests in flight, and the application does not start with more.

    Why: the broker keeps order for the last five batches of an idempotent producer.
    Fix: remove max.in.flight.requests.per.connection (default 5).
    Bad:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        processing.guarantee=exactly_once_v2
        producer.max.in.flight.requests.per.connection=10
    Good:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        processing.guarantee=exactly_once_v2
        producer.max.in.flight.requests.per.connection=5
    See: KIP-447, org.apache.kafka.streams.StreamsConfig
    """
    applies(key in streams.keys() and exactly_once(streams), "only with exactly-once")
    if streams.int(key) > 5:
        yield Problem(
            key, f"exactly-once allows at most 5 requests in flight, not {streams.int(key)}", "5", refused=True
        )


KEPT_OF_MAIN_CONSUMER = (4, 2)
"""The first release that drops what is written for the main consumer alone, too."""
OVERRIDDEN = ("enable.auto.commit", "isolation.level", "enable.idempotence", "transactional.id")


def overridden_keys(streams: Subject) -> tuple[str, ...]:
    """The client settings that Streams decides itself and that are written down all the same."""
    allowed = {
        prefix + name: name for name in OVERRIDDEN for prefix in ("", "consumer.", "main.consumer.", "producer.")
    }
    return tuple(key for key in streams.keys() if key in allowed)


@rule("KA1223", "low", dev="info", each=overridden_keys, changes=True, fix="safe: drop")
def streams_override_ignored(streams: Subject, key: str) -> Problems:
    """A client setting is ignored, because Streams sets it itself.

    Why: Streams commits offsets itself, and with exactly-once it also sets isolation level, idempotence and
        transactional ids. It logs a warning and uses its own value.
    Fix: remove the key from the application's file.
    Bad:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        consumer.enable.auto.commit=true
    Good:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        consumer.enable.auto.commit=false
    See: https://kafka.apache.org/documentation/streams/developer-guide/config-streams.html
    """
    name = next(name for name in OVERRIDDEN if key.endswith(name))
    kept = not key.startswith("main.consumer.") or streams.at_least(KEPT_OF_MAIN_CONSUMER)
    applies(kept, "main.consumer. wins over Streams' own values before 4.2")
    applies(name == "enable.auto.commit" or exactly_once(streams), "Streams leaves it to the application")
    own = {"enable.auto.commit": "false", "isolation.level": "read_committed", "enable.idempotence": "true"}.get(name)
    if streams.str(key).lower() != own:
        yield Problem(key, f"Streams ignores it and uses {own or 'its own'}", "unset", changes=True, used=own)


@rule("KA1224", "low", dev="info", aim="by hand: load")
def no_standby_replicas(streams: Subject) -> Problems:
    """No instance has a standby replica of another's state: a failover waits for the whole restore.

    Why: without standby replicas a task that moves to another instance reads its changelogs from the beginning before
        it processes records.
    Fix: set num.standby.replicas=1 where the state is large.
    Bad:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        num.standby.replicas=0
    Good:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        num.standby.replicas=1
    See: KIP-441
    """
    if streams.int("num.standby.replicas") == 0:
        default = not streams.is_set("num.standby.replicas")
        yield Problem("num.standby.replicas", "a failover restores the whole state", "1", step=-default, likely=default)


@rule("KA1225", "medium", dev="low")
def no_stream_threads(streams: Subject) -> Problems:
    """The application starts without a thread to process records.

    Why: num.stream.threads=0 or less is accepted; the application reads nothing until its code adds threads.
    Fix: set num.stream.threads to 1 or more.
    Bad:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        num.stream.threads=0
    Good:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        num.stream.threads=2
    See: KIP-663
    """
    if streams.int("num.stream.threads") < 1:
        yield Problem("num.stream.threads", "the application processes no records", "1")


@rule("KA1226", "low", dev="info", fix="unsafe: remove")
def upgrade_from_left(streams: Subject) -> Problems:
    """The first half of a rolling upgrade is still in the file.

    Why: upgrade.from keeps the old version's wire format for the first rolling restart; the second one is to remove it.
    Fix: remove upgrade.from and restart once more.
    Bad:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        upgrade.from=2.8
    Good:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
    See: https://kafka.apache.org/documentation/#streamsconfigs_upgrade.from
    """
    if streams.str("upgrade.from") not in ("", "null"):
        yield Problem("upgrade.from", "the rolling upgrade is not finished", "unset")


@rule(
    "KA1227",
    "low",
    dev="info",
    regulated="medium",
    each=("deserialization.exception.handler", "default.deserialization.exception.handler"),
)
def broken_records_skipped(streams: Subject, key: str) -> Problems:
    """Records that cannot be deserialized are skipped with a line in the log.

    Why: LogAndContinueExceptionHandler skips a record that cannot be deserialized: the record is missing from every
        result, and its offset is committed.
    Fix: set deserialization.exception.handler to LogAndFailExceptionHandler (the default), or to a handler that puts
        the record aside.
    Bad:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        deserialization.exception.handler=org.apache.kafka.streams.errors.LogAndContinueExceptionHandler
    Good:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        deserialization.exception.handler=org.apache.kafka.streams.errors.LogAndFailExceptionHandler
    See: KIP-161, KIP-1034
    """
    applies(streams.is_set(key), "left at its default")
    if streams.str(key).endswith("LogAndContinueExceptionHandler"):
        yield Problem(key, "records that cannot be deserialized are missing from the results")


PROTOCOL_KEYS = ("group.protocol", "num.standby.replicas", "max.warmup.replicas", "acceptable.recovery.lag")


@rule("KA1250", "low", dev="info", since=(4, 0), each=PROTOCOL_KEYS, changes=True)
def streams_protocol_ignores(streams: Subject, key: str) -> Problems:
    """group.protocol=streams ignores settings that the broker decides, and Kafka 4.0 ignores the protocol itself.

    Why: with the streams protocol (KIP-1071) the coordinator assigns tasks; standby replicas are set for the group with
        kafka-configs.sh, and warm-up replicas do not exist yet. Streams 4.0 supports only the classic protocol.
    Fix: set num.standby.replicas for the group with kafka-configs.sh, or keep group.protocol=classic.
    Bad (streams):
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        group.protocol=streams
        num.standby.replicas=1
    Good (streams):
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        group.protocol=classic
        num.standby.replicas=1
    See: KIP-1071, org.apache.kafka.streams.StreamsConfig
    """
    applies(streams.is_set("group.protocol"), "the classic protocol")
    known = streams.at_least((4, 1))
    applies(not known or streams.str("group.protocol").lower() == "streams", "the classic protocol")
    if key == "group.protocol":
        # Warm-up replicas are on by default, and are not there with this protocol.
        instead = "the streams protocol has no warm-up replicas"
        instead = instead if known else "Streams ignores it and uses the classic protocol"
        if known or streams.str(key).lower() != "classic":
            yield Problem(key, instead, "classic", step=-1, changes=True, used=None if known else "classic")
    elif known and streams.is_set(key):
        yield Problem([key, "group.protocol"], "group.protocol=streams ignores it", "unset", changes=True)


def rack_tags(streams: Subject) -> tuple[str, ...]:
    """The tags by which standby tasks are to be spread."""
    key = "rack.aware.assignment.tags"
    return tuple(streams.text(key).split(",")) if key in streams.keys() and streams.text(key).strip() else ()


@rule("KA1251", "critical", since=(3, 2), each=rack_tags, refuses=True, aim="by hand: address")
def rack_tag_undefined(streams: Subject, tag: str) -> Problems:
    """rack.aware.assignment.tags names a tag that the client does not have, and the application does not start.

    Why: standby tasks are spread over the values of client.tag.NAME, so each NAME in the list needs such a key.
    Fix: set client.tag.NAME for each tag in rack.aware.assignment.tags.
    Bad (streams):
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        rack.aware.assignment.tags=zone
    Good (streams):
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        rack.aware.assignment.tags=zone
        client.tag.zone=eu-1a
    See: KIP-708, org.apache.kafka.streams.StreamsConfig
    """
    key = "rack.aware.assignment.tags"
    if streams.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later: {streams.text(key)}")
    name = tag.strip()
    if not name or f"client.tag.{name}" not in key_names(streams):
        yield Problem(
            key, f"client.tag.{name} is not set" if name else "a tag is empty", f"client.tag.{name}=…", refused=True
        )


TAG = "client.tag."
MOST_TAGS, LONGEST_TAG, LONGEST_VALUE = 5, 20, 30


def client_tags(streams: Subject) -> tuple[str, ...]:
    """The tags of the client."""
    return tuple(key for key in streams.keys() if key.startswith(TAG))


@rule("KA1254", "critical", since=(3, 2), each=client_tags, refuses=True, aim="by hand: address")
def client_tag_unusable(streams: Subject, key: str) -> Problems:
    """A client tag is empty, too long or one too many, and the application does not start.

    Why: tags travel in every rebalance, so their number and length are limited.
    Fix: set at most five client.tag.NAME keys, with names of up to 20 and values of 1 to 30 characters.
    Bad (streams):
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        client.tag.zone=
    Good (streams):
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        client.tag.zone=eu-1a
    See: KIP-708, org.apache.kafka.streams.StreamsConfig
    """
    if streams.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later: {streams.text(key)}")
    name, value = key.removeprefix(TAG), streams.text(key)
    if len(client_tags(streams)) > MOST_TAGS:
        yield Problem(key, f"the client has more than {MOST_TAGS} tags", refused=True)
    elif (not value and streams.at_least((4, 2))) or len(value) > LONGEST_VALUE or len(name) > LONGEST_TAG:
        yield Problem(
            key, "the value is empty or too long, or the name is too long", "1 to 30 characters", refused=True
        )


def static_members(streams: Subject) -> tuple[str, ...]:
    """The keys that make the members of the group static."""
    names = tuple(prefix + "group.instance.id" for prefix in ("", "consumer.", "main.consumer."))
    return tuple(key for key in streams.keys() if key in names)


@rule("KA1255", "critical", since=(4, 1), each=static_members, refuses=True, aim="by hand: choice")
def static_member_in_streams_protocol(streams: Subject, key: str) -> Problems:
    """A static member uses group.protocol=streams, which has no static members, and the application does not start.

    Why: with the streams protocol (KIP-1071) the coordinator identifies members by the ids that it assigns to them.
    Fix: remove group.instance.id, or set group.protocol=classic.
    Bad (streams):
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        group.protocol=streams
        group.instance.id=host-1
    Good (streams):
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        group.protocol=classic
        group.instance.id=host-1
    See: KIP-1071, org.apache.kafka.streams.StreamsConfig
    """
    if streams.str("group.protocol").lower() == "streams":
        yield Problem([key, "group.protocol"], "group.protocol=streams has no static members", "unset", refused=True)


@rule("KA1260", "low", since=(3, 9))
def failed_records_skipped(streams: Subject) -> Problems:
    """Records that the application fails to process are skipped with a line in the log.

    Why: LogAndContinueProcessingExceptionHandler skips a record when a processor throws an exception: the record is
        missing from every result and state store, and its offset is committed. An outage of a database that the
        processor uses drops all records of that time.
    Fix: set processing.exception.handler to LogAndFailProcessingExceptionHandler (the default) or to a handler that
        puts the record aside, or, from Kafka 4.2 on, set errors.dead.letter.queue.topic.name.
    Bad:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        processing.exception.handler=org.apache.kafka.streams.errors.LogAndContinueProcessingExceptionHandler
    Good:
        application.id=billing
        bootstrap.servers=b1:9092,b2:9092
        processing.exception.handler=org.apache.kafka.streams.errors.LogAndFailProcessingExceptionHandler
    See: KIP-1033, KIP-1034
    """
    key, queue = "processing.exception.handler", "errors.dead.letter.queue.topic.name"
    applies(streams.is_set(key), "left at its default")
    applies(not streams.at_least((4, 2)) or not streams.is_set(queue), "failed records go to a dead letter queue")
    if streams.str(key).endswith(".LogAndContinueProcessingExceptionHandler"):
        yield Problem(
            key, "records that fail in processing are missing from the results", "LogAndFailProcessingExceptionHandler"
        )
