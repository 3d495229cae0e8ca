"""Changes of connectors and of mirrors: what a position is kept under, and what records are written to."""

from __future__ import annotations

from advisor.rule import (
    AT_ONCE,
    CHANGED,
    LOST,
    OF_CONNECTOR,
    PLACEHOLDER,
    RESTART,
    STOPPED,
    WEAKER,
    Problem,
    Problems,
    Subject,
    Unknown,
    applies,
    rule,
)
from rules.changes.connect import OFFSETS, written

CLASS = "connector.class"
MSK_CONNECT, CONFLUENT = "aws_mskconnect_connector", "confluent_connector"
DEBEZIUM, JDBC_SOURCE = "io.debezium.", "JdbcSourceConnector"
POSITIONS = {
    "topic.prefix": (DEBEZIUM, "its position is kept under this name: it takes a new snapshot, into other topics", 0),
    "database.server.name": (DEBEZIUM, "its position is kept under this name: it takes a new snapshot, into other topics", 0),
    "plugin.name": (DEBEZIUM, "the slot is another plug-in's: it is not found, and cannot be made anew under its name", -1),
    "publication.name": (DEBEZIUM, "the publication has to exist with the same tables: else it stops, or tables are silent", -1),
    "slot.name": (DEBEZIUM, "a new slot begins where the database is now: what was written since the old one stopped is skipped", 0),
    "database.hostname": (DEBEZIUM, "if that is another server, the position of one log is applied to another", -1),
    "database.dbname": (DEBEZIUM, "the slot and the position are those of the other database: it stops, or skips", -1),
    "schema.history.internal.kafka.topic": (DEBEZIUM, "the history of the schema is missing for its position: it refuses to start", -1),
    "database.history.kafka.topic": (DEBEZIUM, "the history of the schema is missing for its position: it refuses to start", -1),
    "mode": (JDBC_SOURCE, "its position has no such column: whole tables are read again", -1),
    "incrementing.column.name": (JDBC_SOURCE, "the old number is compared with another column: rows are skipped or read again", -1),
    "timestamp.column.name": (JDBC_SOURCE, "the old time is compared with another column: rows are skipped or read again", -1),
    "query": (JDBC_SOURCE, "the position of the old query is applied to the new one: older rows are never read", -1),
    "consumer.override.group.id": ("", "another group has no offsets: it reads by auto.offset.reset, from the beginning by default", 0),
}  # fmt: skip
"""Of each key: the connectors that keep a position under it, what becomes of it, and the step of its severity."""
SLOT, PLUGIN = "slot.name", "plugin.name"
NAMES_OF_POSITION = ("topic.prefix", "database.server.name")
OF_A_POSITION = (
    SLOT,
    "database.hostname",
    "database.dbname",
    "schema.history.internal.kafka.topic",
    "database.history.kafka.topic",
)
"""Settings that fit a position; where a connector begins anew, there is none that they could miss."""
NO_SNAPSHOT = "without a position nothing that was written before is ever read"
NO_CHANGE_OF_SCHEMA = "it is right only where no schema has changed since the connector stopped"
VALUES = {
    ("slot.drop.on.stop", "true"): ("each stop drops the slot: what is written until the next start is skipped", 0),
    ("snapshot.mode", "always"): ("every start takes a whole snapshot: all rows are written again", -1),
    ("snapshot.mode", "initial_only"): ("it ends after the snapshot: changes are not read", -1),
    **{("snapshot.mode", mode): (NO_SNAPSHOT, -1) for mode in ("no_data", "never")},
    **{("snapshot.mode", mode): (NO_CHANGE_OF_SCHEMA, -1) for mode in ("recovery", "schema_only_recovery")},
    ("publication.autocreate.mode", "disabled"): ("the publication has to exist, or it stops", -1),
    ("publication.autocreate.mode", "filtered"): ("the publication is made anew of the listed tables alone", -1),
    ("publication.autocreate.mode", "no_tables"): ("nothing is read until tables are added to the publication", -1),
}
"""What a value of Debezium's does that was another one before, and the step of its severity."""
MODE, QUERY = "mode", "query"
TABLES = ("table.include.list", "collection.include.list", "database.include.list", "schema.include.list")
GIVEN_OFFSETS = "offsets"
"""The block of Terraform's connector that sets its position."""
SINK_TOPICS = "topics"
DATABASE, DATABASES, SQL_SERVER = "database.dbname", "database.names", "io.debezium.connector.sqlserver."
READS = (CLASS, SINK_TOPICS, GIVEN_OFFSETS, DATABASES, *POSITIONS, *dict.fromkeys(key for key, _ in VALUES), *TABLES)
STORE = "offset.storage"
OWN_GROUP = "consumer.override.group.id"


def lost_by_value(connect: Subject, before: Subject, key: str) -> Problems:
    """What a value of Debezium's does now that was not set so before."""
    old, new = (written(side, key).lower() for side in (before, connect))
    if old != new and (key, new) in VALUES:
        words, step = VALUES[key, new]
        yield Problem(key, words, step=step)


def lost_by_list(connect: Subject, before: Subject, key: str) -> Problems:
    """What tables that are read anew, or no longer, have lost."""
    old, new = ({item.strip() for item in written(side, key).split(",")} - {""} for side in (before, connect))
    applies(old and new, "not written on both sides")
    if new - old:
        yield Problem(key, f"the rows that {', '.join(sorted(new - old))} has already are not read", step=-1)
    elif old - new:
        words = f"changes of {', '.join(sorted(old - new))} are missing, also when it is put back later"
        yield Problem(key, words, step=-2)


def lost_by_databases(connect: Subject, before: Subject) -> Problems:
    """What a connector of SQL Server loses that reads a list of databases in place of one."""
    is_one = DATABASE in before.keys() and DATABASES not in before.keys()
    applies(
        is_one and CLASS in connect.keys() and connect.text(CLASS).startswith(SQL_SERVER), "one database on one side"
    )
    if DATABASES in connect.keys() and not keeps_in_memory(connect):
        words = "its position and its topics have the database's name from now on: it takes a new snapshot, into other topics"
        yield Problem(DATABASES, words)


DEFAULTS = {"slot.name": "debezium", "publication.name": "dbz_publication", "plugin.name": "decoderbufs"}
"""What Debezium takes where a name is not written. Source: io.debezium.connector.postgresql.PostgresConnectorConfig."""


def changed_topics(connect: Subject, before: Subject) -> Problems:
    """What a sink reads from now on, or no longer."""
    applies(
        CLASS in connect.keys() and is_sink(connect) and SINK_TOPICS in connect.keys() and SINK_TOPICS in before.keys(),
        "no sink",
    )
    old, new = ({item.strip() for item in written(side, SINK_TOPICS).split(",")} - {""} for side in (before, connect))
    if new - old:
        words = f"the whole history of {', '.join(sorted(new - old))} is written to the target at once"
        yield Problem(SINK_TOPICS, words, step=-2, effect=CHANGED)
    elif old - new:
        words = f"{', '.join(sorted(old - new))} is not read any more; its position is dropped after a week"
        yield Problem(SINK_TOPICS, words, step=-2, effect=STOPPED)


def differs(connect: Subject, before: Subject, key: str) -> bool:
    """Whether a key is written on both sides, with two values."""
    is_written = key in connect.keys() and key in before.keys()
    return is_written and connect.text(key).strip() != before.text(key).strip()


def keeps_in_memory(connect: Subject) -> bool:
    """Whether an engine that runs a connector keeps its position in memory, so that every start begins anew."""
    return STORE in connect.keys() and connect.text(STORE).strip().endswith("MemoryOffsetBackingStore")


def begins_anew(connect: Subject, before: Subject) -> bool:
    """Whether a connector of Debezium has no position any more, so that it takes a snapshot."""
    old, new = before.known_as(), connect.known_as()
    return bool(old and new and old != new) or any(differs(connect, before, key) for key in NAMES_OF_POSITION)


def is_sink(connect: Subject) -> bool:
    """Whether a connector is a sink, by the name of its class."""
    return CLASS in connect.keys() and "sink" in connect.text(CLASS).lower()


def both(connect: Subject, before: Subject, key: str) -> tuple[str, str]:
    """The values of a key before and now; the rule applies where both have one, and it is unknown where one is filled in later."""
    sides = [side for side in (before, connect) if key in side.keys()]
    applies(len(sides) == 2 or (sides and key in DEFAULTS), "not written on both sides")
    texts = [side.text(key).strip() if side in sides else DEFAULTS[key] for side in (before, connect)]
    if any(side.shape(key) == PLACEHOLDER for side in sides) and texts[0] != texts[1]:
        raise Unknown(f"{key} is filled in later")
    return texts[0], texts[1]


def is_declared_by(connect: Subject, type: str) -> bool:
    """Whether a resource of Terraform of this type declares a connector."""
    return (connect.resource() or "").startswith(f"{type}.")


@rule("KA1893", "critical", dev="low", each=READS, effect=LOST, acts=AT_ONCE)
def connector_position_lost(connect: Subject, before: Subject, key: str) -> Problems:
    """A connector keeps its position under another name, or reads another source with the old one.

    Why: what a connector has read is found again by its name and by some of its settings. With others it begins anew, skips what came in between, or
        goes on at a position that means something else. The same for what it reads: rows that are there already are read by a snapshot alone.
    Fix: 1. leave the setting as it is. Else: 1. stop the connector (PUT /connectors/NAME/stop, Kafka 3.5 on) and see its offsets (GET
        /connectors/NAME/offsets); 2. create a connector with another name and the new setting, stopped; 3. give it its offsets (PATCH
        /connectors/NAME/offsets, 3.6 on), or let it take a snapshot on purpose; 4. resume it, and delete the old one.
    Care: the old replication slot of PostgreSQL keeps the write-ahead log until the disk is full: drop it.
    Bad (connect):
        before:
            name=c
            connector.class=io.debezium.connector.postgresql.PostgresConnector
            topic.prefix=shop
        after:
            name=c
            connector.class=io.debezium.connector.postgresql.PostgresConnector
            topic.prefix=store
    Good (connect):
        before:
            name=c
            connector.class=io.debezium.connector.postgresql.PostgresConnector
            topic.prefix=shop
        after:
            name=c
            connector.class=io.debezium.connector.postgresql.PostgresConnector
            topic.prefix=shop
            tasks.max=1
    See: https://debezium.io/documentation/reference/stable/connectors/postgresql.html, KIP-875
    """
    if key == CLASS:
        reason = connect.replaced()
        applies(reason and is_declared_by(connect, MSK_CONNECT), "not replaced by a plan, or its positions stay")
        yield Problem(
            CLASS, f"it is deleted and created anew ({reason}), with a new topic for its positions: it starts as new"
        )
        return
    if key == SINK_TOPICS:
        yield from changed_topics(connect, before)
        return
    if key == DATABASES:
        yield from lost_by_databases(connect, before)
        return
    if key == GIVEN_OFFSETS:
        applies(key in before.keys(), "no offsets are given")
        if key not in connect.keys():
            yield Problem(CLASS, "without the block the provider resets its offsets")
        return
    applies(not keeps_in_memory(connect) and not keeps_in_memory(before), "its position is kept in memory alone")
    owner, words, step = POSITIONS.get(key, (DEBEZIUM, "", 0))
    applies(CLASS in connect.keys() and owner in connect.text(CLASS), "no connector that keeps a position under it")
    applies({key} & {*connect.keys(), *before.keys()}, "not written")
    if key not in POSITIONS:
        yield from (lost_by_list if key in TABLES else lost_by_value)(connect, before, key)
        return
    is_bulk = key == QUERY and MODE in connect.keys() and connect.text(MODE) == "bulk"
    applies(not is_bulk, "a query in bulk mode has no position")
    old, new = (written(before, key), written(connect, key)) if key == OWN_GROUP else both(connect, before, key)
    applies(
        old != new and not (key in OF_A_POSITION and begins_anew(connect, before)), "the same, or no position for it"
    )
    applies(key != PLUGIN or not differs(connect, before, SLOT), "the plug-in of a new slot")
    yield Problem(key, words, step=step)


@rule("KA1894", "critical", dev="low", effect=LOST, acts=AT_ONCE)
def connector_renamed(connect: Subject, before: Subject) -> Problems:
    """A connector gets another name, and begins anew.

    Why: the positions of a source are kept under the connector's name: under another one it reads its source again, or skips, as it decides.
        A sink's consumer group is connect-NAME: another one begins by auto.offset.reset, which workers set to earliest, so everything that is
        retained is written again.
    Fix: 1. keep the name. Else: 1. stop the old connector; 2. create the new one stopped, and give it the offsets of the old one (PATCH
        /connectors/NAME/offsets, Kafka 3.6 on; for a sink kafka-consumer-groups.sh --reset-offsets); 3. resume it, and delete the old one.
    Care: for as long as both run, everything is copied twice.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnector
            metadata: {name: orders, labels: {strimzi.io/cluster: c}}
            spec: {class: org.example.SinkConnector, config: {topics: a}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnector
            metadata: {name: orders-v2, labels: {strimzi.io/cluster: c}}
            spec: {class: org.example.SinkConnector, config: {topics: a}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnector
            metadata: {name: orders, labels: {strimzi.io/cluster: c}}
            spec: {class: org.example.SinkConnector, config: {topics: a}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnector
            metadata: {name: orders, labels: {strimzi.io/cluster: c}}
            spec: {class: org.example.SinkConnector, tasksMax: 2, config: {topics: a}}
    See: KIP-875, https://kafka.apache.org/documentation/#connect_running
    """
    old, new = before.known_as(), connect.known_as()
    applies(old and new, "no connector on both sides, or its name is not known")
    applies(connect.replaced() or not is_declared_by(connect, CONFLUENT), "the provider refuses another name")
    if old != new:
        words = "writes everything that is retained again" if is_sink(connect) else "starts as new"
        yield Problem(CLASS, f"{old} becomes {new}: the connector {words}")


@rule("KA1895", "high", dev="low", effect=STOPPED, acts=AT_ONCE)
def connector_class_changed(connect: Subject, before: Subject) -> Problems:
    """Another connector runs under the name of this one, with its position.

    Why: the positions of one class mean nothing to another one: it ignores them and begins anew, or fails.
    Fix: 1. create the new connector under a name of its own; 2. see that it has caught up; 3. delete the old one.
    Care: reset the offsets (DELETE /connectors/NAME/offsets, Kafka 3.6 on) where the name has to stay.
    Bad (connect):
        before:
            name=c
            connector.class=io.debezium.connector.mysql.MySqlConnector
        after:
            name=c
            connector.class=io.debezium.connector.postgresql.PostgresConnector
    Good (connect):
        before:
            name=c
            connector.class=io.debezium.connector.mysql.MySqlConnector
        after:
            name=c
            connector.class=MySqlConnector
    See: KIP-875
    """
    old, new = both(connect, before, CLASS)
    applies(
        not (is_sink(connect) and is_sink(before)),
        "the group's offsets, by the connector's name, are those of any sink",
    )
    if alias(old) != alias(new):
        yield Problem(CLASS, "the position of the old class means nothing to the new one")


def alias(name: str) -> str:
    """The name by which Connect finds a class as well: without its package, and without the word Connector."""
    return name.rpartition(".")[2].removesuffix("Connector")


@rule("KA1896", "high", dev="low", effect=LOST, acts=AT_ONCE)
def bad_records_dropped(connect: Subject, before: Subject) -> Problems:
    """Records that cannot be converted or written are dropped from now on.

    Why: with errors.tolerance=all and no dead letter queue a connector skips what fails, and goes on; nothing but a metric shows it.
    Fix: set errors.deadletterqueue.topic.name (sinks) and errors.log.enable=true together with errors.tolerance=all.
    Care: a dead letter queue is for sinks alone: a source can only log.
    Bad (connect):
        before:
            name=c
            connector.class=org.example.SinkConnector
            errors.tolerance=none
        after:
            name=c
            connector.class=org.example.SinkConnector
            errors.tolerance=all
    Good (connect):
        before:
            name=c
            connector.class=org.example.SinkConnector
            errors.tolerance=none
        after:
            name=c
            connector.class=org.example.SinkConnector
            errors.tolerance=all
            errors.deadletterqueue.topic.name=c-dead
    See: KIP-298
    """
    applies(drops(connect) is True, "records that fail are kept, or end the task")
    if not drops(before):
        yield Problem("errors.tolerance", "what cannot be converted or written is dropped, and only a metric shows it")


def drops(connect: Subject) -> bool:
    """Whether a connector skips records that fail, and keeps them nowhere."""
    keys = connect.keys()
    if CLASS not in keys or "errors.tolerance" not in keys:
        return False
    if connect.shape("errors.tolerance") == PLACEHOLDER:
        raise Unknown("errors.tolerance is filled in later")
    queue = "errors.deadletterqueue.topic.name"
    return connect.text("errors.tolerance").strip().lower() == "all" and not (queue in keys and connect.text(queue))


@rule("KA1897", "critical", dev="low", effect=LOST, acts=RESTART)
def mirror_alias_renamed(mirror: Subject, before: Subject) -> Problems:
    """A cluster that is mirrored gets another alias, or the positions are kept in another topic.

    Why: MirrorMaker keeps its positions in offset.storage.topic, under the alias of the source: in another topic, or under another alias, it finds
        none, and copies everything again from the beginning, into new topics (ALIAS.topic) or into the same ones.
    Fix: keep the alias for ever. If it has to go: 1. stop the mirror; 2. move consumers to the end of the old topics; 3. start it with the new
        alias, and let them read its topics.
    Care: alerts, ACLs and groups name topics with the alias in front.
    Bad (mirror):
        before:
            clusters=a,b
            a.bootstrap.servers=a1:9092
            b.bootstrap.servers=b1:9092
            a->b.enabled=true
        after:
            clusters=east,b
            east.bootstrap.servers=a1:9092
            b.bootstrap.servers=b1:9092
            east->b.enabled=true
    Good (mirror):
        before:
            clusters=a,b
            a.bootstrap.servers=a1:9092
            b.bootstrap.servers=b1:9092
            a->b.enabled=true
        after:
            clusters=a,b,c
            a.bootstrap.servers=a1:9092
            b.bootstrap.servers=b1:9092
            c.bootstrap.servers=c1:9092
            a->b.enabled=true
    See: org.apache.kafka.connect.mirror.MirrorUtils, KIP-382
    """
    applies(mirror.is_set("clusters") and before.is_set("clusters"), "the clusters are not named on both sides")
    old, new = set(before.list("clusters")), set(mirror.list("clusters"))
    if old - new and new - old:
        yield Problem(
            "clusters",
            f"{', '.join(sorted(old - new))} becomes {', '.join(sorted(new - old))}: everything is copied again",
        )
        return
    for key in (key for key in mirror.keys() if key.endswith(f".{OFFSETS}") and key in before.keys()):
        if written(mirror, key) != written(before, key):
            yield Problem(key, f"the positions are in {written(before, key)}: everything is copied again")


POLICY = ("replication.policy.class", "replication.policy.separator")
SYNCS, LOCATION = "sync.group.offsets.enabled", "offset-syncs.topic.location"
EVERYTHING = ".*"
COPIES = {"topics": EVERYTHING, "groups": EVERYTHING, SYNCS: "false", LOCATION: "source"}
"""What is mirrored, with its defaults. Source: org.apache.kafka.connect.mirror.MirrorSourceConfig, MirrorCheckpointConfig."""


def copying(mirror: Subject) -> tuple[str, ...]:
    """What names mirrored topics, and what is mirrored: for all clusters, and for each of their pairs."""
    pairs = dict.fromkeys(key.partition(".")[0] for key in mirror.keys() if "->" in key)
    return (*POLICY, *COPIES, *(f"{pair}.{key}" for pair in pairs for key in COPIES))


def copied(mirror: Subject, key: str) -> set[str]:
    """The items of what is mirrored, of a pair of clusters or of all; the default where nothing is written."""
    return {
        item.strip()
        for item in (written(mirror, key) or COPIES[key.partition("->")[2].partition(".")[2] or key]).split(",")
    }


@rule(
    "KA1898",
    "critical",
    dev="low",
    each=copying,
    effect=CHANGED,
    acts=RESTART,
)
def replication_policy_changed(mirror: Subject, before: Subject, key: str) -> Problems:
    """Mirrored topics get other names, or what was mirrored no longer is.

    Why: what is taken out of topics, groups or sync.group.offsets.enabled stops without a word, and is missed at the fail-over. By another policy MirrorMaker goes on where it was, into topics of another name: the history is in one, new records are in the other, and translated
        offsets name topics that nothing is written to any more. IdentityReplicationPolicy in both directions copies in a circle.
    Fix: 1. stop the writers; 2. let consumers read the old topics to their end; 3. change the policy, and move the consumers to the new names.
    Care: the names of the internal topics change, too.
    Bad (mirror):
        before:
            clusters=a,b
            a->b.enabled=true
        after:
            clusters=a,b
            a->b.enabled=true
            replication.policy.class=org.apache.kafka.connect.mirror.IdentityReplicationPolicy
    Good (mirror):
        before:
            clusters=a,b
            a->b.enabled=true
        after:
            clusters=a,b
            a->b.enabled=true
            replication.policy.class=org.apache.kafka.connect.mirror.DefaultReplicationPolicy
    See: org.apache.kafka.connect.mirror.DefaultReplicationPolicy, KIP-382
    """
    if key in POLICY:
        if before.str(key) != mirror.str(key):
            yield Problem(key, "new records go to topics of other names than those before")
        return
    applies(key in before.keys() or key in mirror.keys(), "not written")
    old, new = copied(before, key), copied(mirror, key)
    if key.endswith(SYNCS):
        if old == {"true"} and new == {"false"}:
            yield Problem(key, "the groups' offsets are not translated any more", step=-1, effect=WEAKER)
    elif key.endswith(LOCATION):
        if old != new:
            words = "translated offsets stand still until there are new ones in another topic"
            yield Problem(key, words, step=-2, effect=WEAKER)
    elif old - new and EVERYTHING not in new:
        words = f"what {', '.join(sorted(old - new))} matches alone is not mirrored any more"
        yield Problem(key, words, step=-1, effect=WEAKER)


@rule("KA1899", "high", dev="low", effect=STOPPED, acts=AT_ONCE)
def connector_removed(removed: Subject) -> Problems:
    """A connector is no longer declared, and what manages it deletes the connector.

    Why: what it copies stops. The positions of a source stay, and are taken up by a later connector of the same name; a sink's group loses its
        offsets after offsets.retention.minutes, a week by default.
    Fix: to pause it set `state: stopped` (Strimzi) or PUT /connectors/NAME/stop; to end it see that nobody waits for what it writes.
    Care: a replication slot that nobody reads keeps the database's log until the disk is full: drop it.
    Bad (strimzi):
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaConnector
        metadata: {name: a, labels: {strimzi.io/cluster: c}}
        spec: {class: org.example.SinkConnector, config: {topics: a}}
        before:
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnector
            metadata: {name: b, labels: {strimzi.io/cluster: c}}
            spec: {class: org.example.SinkConnector, config: {topics: b}}
        after:
    Good (strimzi):
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaConnector
        metadata: {name: a, labels: {strimzi.io/cluster: c}}
        spec: {class: org.example.SinkConnector, config: {topics: a}}
        before:
        after:
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnector
            metadata: {name: b, labels: {strimzi.io/cluster: c}}
            spec: {class: org.example.SinkConnector, config: {topics: b}}
    See: https://strimzi.io/docs/operators/latest/deploying#proc-manual-stop-pause-connector-str
    """
    applies(removed.removal() == OF_CONNECTOR, "what manages it deletes nothing")
    yield Problem((*removed.keys(), CLASS)[0], "no longer declared: the connector is deleted, and what it copies stops")
