"""Storage: log directories, retention, compaction, tiered storage."""

from __future__ import annotations

from advisor.facts import (
    KRAFT,
    LITTLE_FREE,
    entries,
    is_placeholder,
    is_temporary,
    mode,
    plain_path,
    repeated,
    roles,
    written,
)
from advisor.rule import Problem, Problems, Subject, applies, rule

HOUR, DAY = 3_600_000, 86_400_000
YEAR = 365 * DAY
SHORT_SEGMENT_MS = 600_000
LEAST = 5
"""Percent of a disk that are free, below which it is urgent."""
REMOTE = "remote.log.storage.system.enable"
SHADOWED = {
    "log.retention.hours": ("log.retention.ms", "log.retention.minutes"),
    "log.retention.minutes": ("log.retention.ms",),
    "log.roll.hours": ("log.roll.ms",),
    "log.roll.jitter.hours": ("log.roll.jitter.ms",),
    "log.dir": ("log.dirs",),
}
"""Keys that do nothing beside one of these."""
LOCAL = (("log.local.retention.ms", "log.retention.ms"), ("log.local.retention.bytes", "log.retention.bytes"))


def directories(node: Subject) -> tuple[str, ...]:
    """The log directories; from 4.2 on one that stands twice counts once (KIP-1161)."""
    found = tuple(path for path in node.list("log.dirs") if path)
    return tuple(dict.fromkeys(found)) if node.at_least((4, 2)) else found


@rule(
    "KA701",
    "high",
    dev="info",
    staging="medium",
    regulated="critical",
    each=("log.dirs", "metadata.log.dir"),
    aim="by hand: address",
)
def tmp_log_dir(node: Subject, key: str) -> Problems:
    """Records or metadata are in a temporary directory, where a reboot or a cleaner deletes them.

    Why: /tmp is emptied at boot or by systemd-tmpfiles, file by file, while Kafka runs on unaware; several brokers can
        lose their replicas of a partition at once. Kafka's default is /tmp/kafka-logs.
    Fix: set log.dirs (or metadata.log.dir) to a dedicated disk, such as /var/lib/kafka/data.
    Care: with another log.dirs a broker starts empty, and if several do so at once the data is lost. One broker at a
        time: stop it cleanly, copy the directories with meta.properties to the new disk, change the key, start it, and
        wait until it is in all ISRs again.
    Bad:
        process.roles=broker
        node.id=1
        log.dirs=/tmp/kafka-logs
    Good:
        process.roles=broker
        node.id=1
        log.dirs=/var/lib/kafka/data
    See: https://kafka.apache.org/documentation/#brokerconfigs_log.dirs
    """
    applies(key == "log.dirs" or written(node, key), "the metadata is in log.dirs")
    applies(node.mounts() is None, "a container's /tmp is as lasting as its volume")
    where = [path for path in (node.list(key) if key == "log.dirs" else (node.str(key),)) if is_temporary(path)]
    if where:
        yield Problem(key, f"a reboot or a cleaner deletes what is in {where[0]}", "a disk of its own")


@rule("KA702", "low", dev="info", each=tuple(SHADOWED), changes=True, aim="remove", fix="safe: drop")
def setting_shadowed(node: Subject, key: str) -> Problems:
    """A setting has no effect, because another key for the same thing takes precedence.

    Why: milliseconds take precedence over minutes, minutes over hours, and log.dirs over log.dir; the order in the file
        does not matter.
    Fix: remove the key that has no effect.
    Care: the key has no effect today, but would take effect if the other one were removed. Check with `kafka-advisor
        effective` that the value in force stays the same.
    Bad:
        process.roles=broker
        node.id=1
        log.retention.hours=168
        log.retention.ms=3600000
    Good:
        process.roles=broker
        node.id=1
        log.retention.ms=3600000
    See: https://kafka.apache.org/documentation/#brokerconfigs_log.retention.ms
    """
    applies(written(node, key), "not set")
    winner = next((other for other in SHADOWED[key] if written(node, other)), None)
    applies(winner, "no other key takes precedence")
    if node.str(str(winner)):
        yield Problem(key, f"{winner} is set and wins", "not set", changes=True)


@rule("KA703", "medium", dev="info", aim="by hand: deletion")
def retention_infinite(broker: Subject) -> Problems:
    """Records have no limit by time or by size: the logs grow until the disk is full.

    Why: with a negative retention time and no log.retention.bytes nothing is ever deleted from topics that do not set
        their own limits; a broker whose disk is full stops.
    Fix: set log.retention.ms or log.retention.bytes, and let topics that keep everything say so with settings of their
        own.
    Care: a limit deletes older or surplus records at once, in every topic without retention of its own. Find the topics
        that have to keep their records, set retention.ms and retention.bytes on them, and set the limit last.
    Bad:
        process.roles=broker
        node.id=1
        log.retention.ms=-1
    Good:
        process.roles=broker
        node.id=1
        log.retention.hours=168
    See: https://kafka.apache.org/documentation/#brokerconfigs_log.retention.ms
    """
    applies(broker.list("log.cleanup.policy") != ("compact",), "compaction limits the logs")
    if broker.int("log.retention.ms") < 0 and broker.int("log.retention.bytes") < 0:
        yield Problem("log.retention.ms", "the logs grow until the disk is full", ">= 1")


@rule("KA704", "low", dev="info", regulated="medium", aim="by hand: load")
def retention_short(broker: Subject) -> Problems:
    """Records are deleted after less than a day.

    Why: a consumer that is down overnight finds its records gone; topics without retention of their own inherit this
        one.
    Fix: set log.retention.ms to at least 86400000, a day (the default is 7 days), and a shorter retention only on
        topics that need it.
    Care: longer retention needs more disk, and a broker whose disk is full stops. Multiply the daily volume before you
        raise it.
    Bad:
        process.roles=broker
        node.id=1
        log.retention.hours=12
    Good:
        process.roles=broker
        node.id=1
        log.retention.hours=72
    See: https://kafka.apache.org/documentation/#brokerconfigs_log.retention.hours
    """
    kept = broker.int("log.retention.ms")
    if 0 < kept < DAY:
        yield Problem("log.retention.ms", f"records are deleted after {span(kept)}", ">= 86400000 ms")


def span(milliseconds: int) -> str:
    """A time in the largest unit that is not below one: 1 hour, 1.5 hours, 10 minutes."""
    units = ((HOUR, "hour"), (60_000, "minute"), (1000, "second"), (1, "millisecond"))
    size, unit = next((size, unit) for size, unit in units if milliseconds >= size)
    many = f"{round(milliseconds / size, 1):g}"
    return f"{many} {unit}" if many == "1" else f"{many} {unit}s"


@rule("KA705", "critical", refuses=True, aim="by hand: load")
def retention_zero(node: Subject) -> Problems:
    """A retention time of zero is set, and Kafka refuses to start.

    Why: the time must be at least one millisecond, or negative for no limit.
    Fix: set log.retention.ms to the time that records should be kept; to keep almost nothing, set it to 1.
    Bad:
        process.roles=broker
        node.id=1
        log.retention.hours=0
    Good:
        process.roles=broker
        node.id=1
        log.retention.hours=168
    See: kafka.server.KafkaConfig.validateValues
    """
    if node.int("log.retention.ms") == 0:
        yield Problem(
            "log.retention.ms",
            "a retention time is at least 1 ms, or negative for no limit",
            ">= 1, or -1",
            refused=True,
        )


@rule("KA706", "low", dev="info", aim="by hand: load")
def segment_outlives_retention(broker: Subject) -> Problems:
    """Segments are rolled later than their records expire, so records outlive their retention.

    Why: retention deletes whole segments; while a segment is still being written its oldest records stay, up to
        log.roll.ms longer.
    Fix: set log.roll.ms (or log.roll.hours) below log.retention.ms.
    Bad:
        process.roles=broker
        node.id=1
        log.roll.hours=168
        log.retention.hours=24
    Good:
        process.roles=broker
        node.id=1
        log.roll.hours=6
        log.retention.hours=24
    See: https://kafka.apache.org/documentation/#brokerconfigs_log.roll.ms
    """
    applies(broker.is_set("log.roll.ms"), "left at its default")
    rolled, kept = broker.int("log.roll.ms"), broker.int("log.retention.ms")
    if 0 < kept < rolled:
        yield Problem(
            ["log.roll.ms", "log.retention.ms"],
            f"records stay until their segment is rolled after {rolled} ms, not {kept} ms",
            f"<= {kept}",
        )


@rule("KA707", "medium", dev="info", aim="remove log.cleaner.enable")
def log_cleaner_off(broker: Subject) -> Problems:
    """The log cleaner is disabled, so compacted topics grow without limit.

    Why: __consumer_offsets, __transaction_state and the tables of Connect and Streams are compacted; without the
        cleaner their logs only grow, and loading them after a failure takes longer and longer.
    Fix: remove log.cleaner.enable (default true; Kafka 5.0 drops it).
    Bad:
        process.roles=broker
        node.id=1
        log.cleaner.enable=false
    Good:
        process.roles=broker
        node.id=1
        log.cleaner.enable=true
    See: KIP-1148, https://kafka.apache.org/documentation/#brokerconfigs_log.cleaner.enable
    """
    if not broker.bool("log.cleaner.enable"):
        yield Problem("log.cleaner.enable", "compacted topics grow without limit", "true")


@rule("KA708", "critical", refuses=True, aim="by hand: load")
def cleaner_memory(node: Subject) -> Problems:
    """The log cleaner has too little memory for its threads, and Kafka refuses to start.

    Why: log.cleaner.dedupe.buffer.size is shared; each of log.cleaner.threads needs more than 1 MiB of it.
    Fix: lower log.cleaner.threads (default 1) or raise log.cleaner.dedupe.buffer.size (default 128 MiB).
    Bad:
        process.roles=broker
        node.id=1
        log.cleaner.dedupe.buffer.size=1048576
    Good:
        process.roles=broker
        node.id=1
        log.cleaner.dedupe.buffer.size=134217728
    See: kafka.server.KafkaConfig.validateValues
    """
    size, threads = node.int("log.cleaner.dedupe.buffer.size"), node.int("log.cleaner.threads")
    each = size // threads if threads > 0 else 0
    if threads >= 0 and each <= 1_048_576:
        key = (
            "log.cleaner.dedupe.buffer.size"
            if written(node, "log.cleaner.dedupe.buffer.size")
            else "log.cleaner.threads"
        )
        yield Problem(
            key, f"the buffer leaves {each} bytes for each cleaner thread", "over 1048576 per thread", refused=True
        )


@rule("KA709", "critical", since=(2, 3), refuses=True, aim="by hand: choice")
def compaction_lag_order(broker: Subject) -> Problems:
    """The minimum compaction lag is above the maximum, and the broker fails to start.

    Why: both limit the time for which a record stays uncompacted, and Kafka checks the topic defaults when it opens its
        logs.
    Fix: set log.cleaner.min.compaction.lag.ms to at most log.cleaner.max.compaction.lag.ms.
    Bad:
        process.roles=broker
        node.id=1
        log.cleaner.min.compaction.lag.ms=1000
        log.cleaner.max.compaction.lag.ms=500
    Good:
        process.roles=broker
        node.id=1
        log.cleaner.min.compaction.lag.ms=500
        log.cleaner.max.compaction.lag.ms=1000
    See: KIP-354, org.apache.kafka.storage.internals.log.LogConfig.validateValues
    """
    keys = ["log.cleaner.min.compaction.lag.ms", "log.cleaner.max.compaction.lag.ms"]
    low, high = broker.int(keys[0]), broker.int(keys[1])
    if low > high:
        yield Problem(
            list(keys),
            f"a record must stay uncompacted for at least {low} ms and at most {high} ms",
            f"<= {high}",
            refused=True,
        )


def local_pairs(_: Subject) -> tuple[object, ...]:
    """The limits of the local part of a log, each with that of the whole."""
    return LOCAL


@rule("KA710", "critical", since=(3, 6), each=local_pairs, refuses=True, aim="by hand: choice")
def local_retention_above(broker: Subject, pair: tuple[str, str]) -> Problems:
    """The local retention of tiered logs is above their total retention, and the broker fails to start.

    Why: log.local.retention.* says how much of a log stays on the broker's disk; it cannot be more than log.retention.*
        keeps altogether, nor unlimited while that is limited. -2 means the same as the total.
    Fix: set log.local.retention.ms and .bytes to -2 or to at most log.retention.ms and .bytes.
    Bad:
        process.roles=broker
        node.id=1
        remote.log.storage.system.enable=true
        remote.log.storage.manager.class.name=org.example.Storage
        log.local.retention.ms=700000000
    Good:
        process.roles=broker
        node.id=1
        remote.log.storage.system.enable=true
        remote.log.storage.manager.class.name=org.example.Storage
        log.local.retention.ms=86400000
    See: KIP-405, org.apache.kafka.storage.internals.log.LogConfig.validateBrokerLogConfigValues
    """
    applies(broker.bool(REMOTE), "no tiered storage")
    local, whole = broker.int(pair[0]), broker.int(pair[1])
    if local != -2 and whole >= 0 and (local == -1 or local > whole):
        yield Problem(
            list(pair),
            f"the local part is {'unlimited' if local == -1 else local}, but the whole log only {whole}",
            f"-2 or <= {whole}",
            refused=True,
        )


@rule("KA711", "critical", since=(3, 6), refuses=True, aim="by hand: address")
def remote_storage_incomplete(broker: Subject) -> Problems:
    """Tiered storage is enabled without a storage plug-in, and the broker fails to start.

    Why: Kafka ships no implementation; remote.log.storage.manager.class.name names the one to load.
    Fix: set remote.log.storage.manager.class.name, its class path, and remote.log.metadata.manager.listener.name.
    Bad:
        process.roles=broker
        node.id=1
        remote.log.storage.system.enable=true
    Good:
        process.roles=broker
        node.id=1
        remote.log.storage.system.enable=true
        remote.log.storage.manager.class.name=org.example.Storage
    See: KIP-405, https://kafka.apache.org/documentation/#tiered_storage
    """
    applies(broker.bool(REMOTE), "no tiered storage")
    if not broker.str("remote.log.storage.manager.class.name"):
        yield Problem(
            "remote.log.storage.manager.class.name",
            "tiered storage has no plug-in to store segments",
            "a class",
            refused=True,
        )


@rule("KA712", "critical", since=(3, 6), refuses=True, aim="by hand: address")
def remote_listener_missing(broker: Subject) -> Problems:
    """The listener for tiered storage's metadata topic does not exist.

    Why: the broker reads and writes that topic as a client; remote.log.metadata.manager.listener.name must be one of
        the broker's listeners, or the start fails.
    Fix: set remote.log.metadata.manager.listener.name to one of the broker's listeners, preferably the inter-broker
        listener.
    Bad:
        process.roles=broker
        node.id=1
        remote.log.storage.system.enable=true
        remote.log.storage.manager.class.name=org.example.Storage
        remote.log.metadata.manager.listener.name=FOO
    Good:
        process.roles=broker
        node.id=1
        remote.log.storage.system.enable=true
        remote.log.storage.manager.class.name=org.example.Storage
        remote.log.metadata.manager.listener.name=PLAINTEXT
    See: KIP-405, kafka.server.BrokerServer
    """
    key = "remote.log.metadata.manager.listener.name"
    applies(broker.bool(REMOTE) and broker.is_set(key), "not in use")
    names = [entry.rpartition("://")[0].upper() for entry in entries(broker, "listeners")]
    if broker.str(key).upper() not in names:
        # Before 4.0 the plug-in's class is loaded first, and what comes of that is not known.
        yield Problem(
            key,
            f"the broker has no listener {broker.str(key)}",
            "a listener's name",
            refused=broker.at_least((4, 0)),
        )


@rule("KA713", "critical", refuses=True, aim="by hand: address", fix="safe: set")
def log_dir_twice(broker: Subject) -> Problems:
    """log.dirs lists a directory twice, and the broker fails to start.

    Why: two logs of one name would write to the same files; Kafka compares the real paths. From 4.2 on an entry
        repeated character by character is dropped.
    Fix: list each directory in log.dirs once, each on its own disk.
    Bad (3.9):
        process.roles=broker
        node.id=1
        log.dirs=/data/a,/data/a
    Good (3.9):
        process.roles=broker
        node.id=1
        log.dirs=/data/a,/data/b
    See: kafka.log.LogManager
    """
    paths = [plain_path(path) for path in directories(broker)]
    twice = sorted(repeated(paths))
    if twice:
        first = {plain_path(path): path for path in reversed(directories(broker))}
        once = ",".join(path for path in directories(broker) if first.pop(plain_path(path), None))
        message, key = f"{twice[0]} is listed twice", "log.dirs"
        yield Problem(key, message, "different directories", refused=True, fix=f"set {key}={once}")


@rule("KA714", "critical", refuses=True, aim="by hand: address")
def log_dir_missing(node: Subject) -> Problems:
    """log.dirs names no directory, and Kafka refuses to start.

    Why: log.dirs or log.dir must hold at least one path; an empty value does not mean the default.
    Fix: set log.dirs to a path such as /var/lib/kafka/data.
    Bad (3.9):
        process.roles=broker
        node.id=1
        log.dir=
    Good (3.9):
        process.roles=broker
        node.id=1
        log.dirs=/var/lib/kafka/data
    See: kafka.server.KafkaConfig.validateValues
    """
    if not directories(node):
        yield Problem("log.dirs", "the node has no directory for its data", "a directory", refused=True)


@rule("KA715", "critical", since=(4, 3), refuses=True, aim="by hand: address")
def cordoned_dir_unknown(broker: Subject) -> Problems:
    """cordoned.log.dirs names a directory that is not a log directory, and Kafka refuses to start.

    Why: cordoning keeps new partitions off a log directory of this broker; the path must be written as in log.dirs. The
        entry * means all of them and must stand alone.
    Fix: set cordoned.log.dirs to entries of log.dirs, or to * alone.
    Bad:
        process.roles=broker
        node.id=1
        log.dirs=/data/a
        cordoned.log.dirs=/data/b
    Good:
        process.roles=broker
        node.id=1
        log.dirs=/data/a,/data/b
        cordoned.log.dirs=/data/b
    See: KIP-1066, kafka.server.KafkaConfig.validateCordonedLogDirs
    """
    cordoned = [path for path in broker.list("cordoned.log.dirs") if path]
    applies(cordoned, "nothing is cordoned")
    if "*" in cordoned:
        wrong = [path for path in dict.fromkeys(cordoned) if path != "*"]
    else:
        directories = set(broker.list("log.dirs"))
        wrong = [path for path in cordoned if path not in directories]
    if wrong:
        yield Problem(
            "cordoned.log.dirs",
            f"{wrong[0]} {'is not allowed beside *' if '*' in cordoned else 'is not in log.dirs'}",
            "entries of log.dirs",
            refused=True,
        )


@rule("KA716", "high", dev="low", staging="medium", before=(3, 8), aim="by hand: migration")
def jbod_in_early_kraft(broker: Subject) -> Problems:
    """In KRaft, several log directories are not ready for production before Kafka 3.8.

    Why: until KIP-858 a KRaft broker cannot tell the controller that one of its disks failed; the partitions on that
        disk stay offline without a new leader. 3.7 has KIP-858 as early access, and only where metadata.version is
        3.7-IV2 or newer; 3.8 declares it ready for production.
    Fix: set log.dirs to one directory (on a RAID), or upgrade to 3.8 or newer with metadata.version 3.7-IV2 or newer.
    Care: a broker loses the replicas in directories that are removed from log.dirs. One broker at a time: move its
        replicas away by reassignment (or to the directory that stays), then remove the directories.
    Bad (3.5):
        process.roles=broker
        node.id=1
        log.dirs=/data/a,/data/b
    Good (3.5):
        process.roles=broker
        node.id=1
        log.dirs=/data/a
    See: KIP-858
    """
    applies(mode(broker) == KRAFT, "ZooKeeper mode supports several directories")
    early = broker.at_least((3, 7))
    if len(directories(broker)) > 1:
        text = "support for several directories is early access, and needs metadata.version 3.7-IV2 or newer"
        text = text if early else "partitions on a failed disk stay offline without a new leader"
        yield Problem("log.dirs", text, "one directory", step=-1 if early else 0)


@rule("KA717", "medium", dev="low", regulated="high", confidence="likely", aim="by hand: deletion")
def compact_by_default(broker: Subject) -> Problems:
    """Topics are compacted by default: older records of a key are deleted, and records without a key are refused.

    Why: log.cleanup.policy is the default for all topics without a policy of their own; compaction is meant for tables,
        not for streams of events.
    Fix: set cleanup.policy=compact on the topics that are tables, then log.cleanup.policy=delete.
    Care: records of tables that rely on the default are then deleted by time, at once. First set cleanup.policy=compact
        on every topic that is a table (__consumer_offsets and the topics of Connect and Streams have it), then change
        the default.
    Bad:
        process.roles=broker
        node.id=1
        log.cleanup.policy=compact
    Good:
        process.roles=broker
        node.id=1
        log.cleanup.policy=delete
    See: https://kafka.apache.org/documentation/#brokerconfigs_log.cleanup.policy
    """
    if "compact" in broker.list("log.cleanup.policy"):
        yield Problem(
            "log.cleanup.policy", "older records of a key are deleted, and records without a key are refused", "delete"
        )


@rule("KA718", "low", dev="info", aim="remove log.segment.bytes")
def segment_small(broker: Subject) -> Problems:
    """Segments are so small that a broker keeps very many files open.

    Why: every segment is three or more files, some of them memory-mapped; small segments slow down restarts and reach
        the limits of open files and memory maps.
    Fix: set log.segment.bytes to 1073741824 (the default), or at least to 100000000.
    Bad:
        process.roles=broker
        node.id=1
        log.segment.bytes=1048576
    Good:
        process.roles=broker
        node.id=1
        log.segment.bytes=1073741824
    See: https://kafka.apache.org/documentation/#brokerconfigs_log.segment.bytes
    """
    size = broker.int("log.segment.bytes")
    if size < 50_000_000:
        yield Problem("log.segment.bytes", "a broker keeps very many files open", ">= 100000000")


@rule("KA719", "medium", dev="info", aim="by hand: address")
def relative_log_dir(node: Subject) -> Problems:
    """A log directory is a relative path, so the data depends on where Kafka is started from.

    Why: a broker started from another directory finds no data, and joins with empty logs.
    Fix: set log.dirs to absolute paths.
    Care: with any other path than the present one the broker starts empty: look it up under /proc/PID/cwd. One broker
        at a time.
    Bad:
        process.roles=broker
        node.id=1
        log.dirs=data/kafka
    Good:
        process.roles=broker
        node.id=1
        log.dirs=/var/lib/kafka/data
    See: https://kafka.apache.org/documentation/#brokerconfigs_log.dirs
    """
    loose = [path for path in directories(node) if not path.startswith(("/", "\\")) and path[1:2] != ":"]
    if loose and not is_placeholder(loose[0]):
        yield Problem("log.dirs", "a broker started from another directory finds no data", "an absolute path")


@rule("KA720", "low", dev="info", aim="by hand: load")
def retention_below_segment(broker: Subject) -> Problems:
    """The retention limit in bytes is below the size of one segment, so partitions grow far beyond it.

    Why: only whole, closed segments are deleted, and only while the rest is still as large as the limit: a partition
        takes up to log.retention.bytes and log.segment.bytes together.
    Fix: set log.segment.bytes to a fraction of log.retention.bytes.
    Care: smaller segments close sooner, and records beyond the limit are deleted within minutes. Make sure that no
        consumer still needs them.
    Bad:
        process.roles=broker
        node.id=1
        log.retention.bytes=104857600
    Good:
        process.roles=broker
        node.id=1
        log.retention.bytes=10737418240
    See: org.apache.kafka.storage.internals.log.UnifiedLog.deleteRetentionSizeBreachedSegments
    """
    applies("delete" in broker.list("log.cleanup.policy"), "nothing is deleted by size")
    kept, segment = broker.int("log.retention.bytes"), broker.int("log.segment.bytes")
    if 0 < kept < segment:
        places = ["log.retention.bytes", "log.segment.bytes"]
        yield Problem(places, f"a partition grows to {kept + segment} bytes", f">= {segment}")


@rule(
    "KA721",
    "low",
    dev="info",
    regulated="info",
    aim="by hand: every client may then delete topics, unless an authorizer says otherwise",
)
def topic_deletion_off(node: Subject) -> Problems:
    """Topics cannot be deleted: requests to delete one are refused.

    Why: with delete.topic.enable=false unused topics stay forever, and Streams applications cannot be reset. ACLs
        control who may delete which topic; this key cannot.
    Fix: remove delete.topic.enable (default true) and grant DELETE to the principals that need it. In KRaft the
        controllers' value counts.
    Care: without an authorizer every client may then delete topics.
    Bad:
        process.roles=controller
        node.id=1
        delete.topic.enable=false
    Good:
        process.roles=controller
        node.id=1
        delete.topic.enable=true
    See: https://kafka.apache.org/documentation/#brokerconfigs_delete.topic.enable
    """
    applies(written(node, "delete.topic.enable"), "left at its default")
    applies(mode(node) != KRAFT or "controller" in roles(node), "the controllers' value counts")
    if not node.bool("delete.topic.enable"):
        yield Problem("delete.topic.enable", "no topic can be deleted", "true")


@rule("KA722", "low", dev="info", since=(3, 6), aim="by hand: clients")
def future_timestamps_taken(broker: Subject) -> Problems:
    """Records may have a timestamp far in the future, and their segments outlive every retention time.

    Why: a segment is deleted when its newest timestamp is older than the retention time. One record of a producer with
        a wrong clock, or with the wrong unit of time, keeps a whole segment for years.
    Fix: set log.message.timestamp.after.max.ms to an hour (the default from Kafka 4.0 on) or some days, or
        log.message.timestamp.type=LogAppendTime.
    Care: producers that send such timestamps on purpose then get INVALID_TIMESTAMP: set message.timestamp.after.max.ms
        on their topics first.
    Bad:
        process.roles=broker
        node.id=1
        log.message.timestamp.after.max.ms=9223372036854775807
    Good:
        process.roles=broker
        node.id=1
        log.message.timestamp.after.max.ms=3600000
    See: KIP-937, KIP-1030, https://kafka.apache.org/documentation/#brokerconfigs_log.message.timestamp.after.max.ms
    """
    key = "log.message.timestamp.after.max.ms"
    applies(written(broker, key), "left at its default")
    applies(broker.str("log.message.timestamp.type") == "CreateTime", "the brokers' clocks count")
    applies(broker.list("log.cleanup.policy") != ("compact",), "no retention time")
    if broker.int(key) > YEAR and broker.int("log.retention.ms") >= 0:
        yield Problem(key, "one record with a future timestamp keeps its segment for years", "3600000")


@rule("KA723", "low", dev="info", regulated="medium", aim="remove log.cleaner.min.cleanable.ratio")
def compaction_too_late(broker: Subject) -> Problems:
    """Compacted topics are rarely compacted: old values and deleted keys stay on disk.

    Why: the cleaner compacts a partition only once log.cleaner.min.cleanable.ratio of it is new. Near 1 the new part
        has to be many times the old one, so partitions keep growing and deleted values can still be read.
    Fix: remove log.cleaner.min.cleanable.ratio (default 0.5), or set log.cleaner.max.compaction.lag.ms as well.
    Bad:
        process.roles=broker
        node.id=1
        log.cleaner.min.cleanable.ratio=0.95
    Good:
        process.roles=broker
        node.id=1
        log.cleaner.min.cleanable.ratio=0.5
    See: KIP-354, https://kafka.apache.org/documentation/#brokerconfigs_log.cleaner.min.cleanable.ratio
    """
    key, lag = "log.cleaner.min.cleanable.ratio", "log.cleaner.max.compaction.lag.ms"
    applies(written(broker, key), "left at its default")
    bounded = written(broker, lag) and broker.int(lag) <= YEAR
    if broker.float(key) >= 0.9 and not bounded:
        yield Problem(key, f"a partition is compacted only once {broker.float(key):.0%} of it is new", "0.5")


@rule("KA724", "medium", dev="info", aim="remove log.roll.ms")
def log_roll_ms_small(broker: Subject) -> Problems:
    """Every partition starts a new segment every few minutes, however little is written.

    Why: each partition with writes then leaves hundreds of small segments a day, each three files with memory maps and
        open handles. Restarts slow down, and brokers run out of file descriptors (or of memory maps, which ends the
        process).
    Fix: set log.roll.ms to 600000 or more, or remove it (default seven days); set segment.ms on the few topics whose
        records must be deleted soon.
    Care: records are deleted only with their whole segment: with a longer log.roll.ms they stay up to that much longer.
    Bad:
        process.roles=broker
        node.id=1
        log.roll.ms=10000
    Good:
        process.roles=broker
        node.id=1
        log.roll.ms=86400000
    See: https://kafka.apache.org/documentation/#brokerconfigs_log.roll.ms
    """
    applies(broker.is_set("log.roll.ms"), "left at its default")
    after = broker.int("log.roll.ms")
    if 0 < after < SHORT_SEGMENT_MS:
        yield Problem(
            "log.roll.ms", f"every partition starts a new segment after {after // 1000} s", f">= {SHORT_SEGMENT_MS}"
        )


@rule("KA780", "medium", dev="low", aim="by hand: hardware")
def disk_nearly_full(broker: Subject) -> Problems:
    """The disk of a log directory is nearly full.

    Why: a broker whose disk is full stops, and its leaders move to brokers that usually have as little space left.
    Fix: lower retention.ms of large topics, reassign partitions, or grow the disk: the first is the fastest.
    Bad:
        brokers 1 2 3
        logdir 1 /data free=90 total=1000
        logdir 2 /data free=900 total=1000
        logdir 3 /data free=900 total=1000
    Good:
        brokers 1 2 3
        logdir 1 /data free=900 total=1000
        logdir 2 /data free=900 total=1000
        logdir 3 /data free=900 total=1000
    See: KIP-827
    """
    shares = [(share, path) for path, _, share in broker.live("log directories") if share is not None]
    if shares:
        share, path = min(shares)
        yield Problem(
            "log directories",
            f"only {share} % of the disk of {path} is free",
            f"{LITTLE_FREE} %",
            step=1 if share < LEAST else 0,
        )
