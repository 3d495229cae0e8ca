"""Storage: log directories, retention, compaction, tiered storage."""

from __future__ import annotations

from advisor.facts import KRAFT, entries, is_placeholder, is_temporary, mode, plain_path, repeated, roles, written
from advisor.rule import Problem, Problems, Subject, applies, rule

HOUR, DAY = 3_600_000, 86_400_000
YEAR = 365 * DAY
SHORT_SEGMENT_MS = 600_000
LITTLE, LEAST = 15, 5
"""Percent of a disk that should be free, and below which it is urgent."""
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
    return tuple(dict.fromkeys(found)) if node.version() >= (4, 2) else found


@rule("KA701", "high", dev="info", staging="medium", regulated="critical", each=("log.dirs", "metadata.log.dir"))
def tmp_log_dir(node: Subject, key: str) -> Problems:
    """Records or metadata lie in a directory for temporary files, where a reboot or a cleaner deletes them.

    Why: /tmp is emptied at boot or by systemd-tmpfiles, file by file and without a word to Kafka; the replicas of a
        partition can go on several brokers at once. Kafka's default is /tmp/kafka-logs.
    Fix: set log.dirs to a disk of its own, such as /var/lib/kafka/data.
    Care: with another log.dirs the broker starts empty, and with several at once the data is gone. One broker at a
        time: stop it cleanly, copy the directories with meta.properties to the new disk, change the key, start it, and wait
        until it is in all ISRs again.
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
    applies(key == "log.dirs" or written(node, key), "it lies in log.dirs")
    where = [path for path in (node.list(key) if key == "log.dirs" else (node.str(key),)) if is_temporary(path)]
    if where:
        yield Problem(key, f"{where[0]} is emptied on reboot or by cleaners", "a disk of its own")


@rule("KA702", "low", dev="info", each=tuple(SHADOWED), changes=True)
def setting_shadowed(node: Subject, key: str) -> Problems:
    """A setting does nothing, because a finer one of the same kind is set.

    Why: milliseconds win over minutes, minutes over hours, and log.dirs over log.dir; the order in the file does not
        matter.
    Fix: remove the setting that loses.
    Care: what is removed does nothing today, but takes over if the finer key is ever removed. Check with `kafka-advisor
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
    applies(winner, "nothing stands before it")
    if node.str(str(winner)):
        yield Problem(key, f"{winner} is set and wins", "not set", changes=True)


@rule("KA703", "medium", dev="info")
def retention_infinite(broker: Subject) -> Problems:
    """Records are kept for ever, by time and by size, until the disk is full.

    Why: with a negative retention time and no log.retention.bytes nothing is ever deleted from topics that do not set
        their own limits; a broker whose disk is full stops.
    Fix: set a limit by time or size, or keep such topics as exceptions with settings of their own.
    Care: a limit deletes at once what is older or beyond the size, in every topic without retention of its own. Find
        the topics that have to keep their records, give them retention.ms and retention.bytes of their own, and set the
        limit last.
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
        yield Problem("log.retention.ms", "no limit by time or size", ">= 1")


@rule("KA704", "low", dev="info", regulated="medium")
def retention_short(broker: Subject) -> Problems:
    """Records are deleted after less than a day.

    Why: a consumer that is down over a night finds its records gone; topics that set no retention of their own
        inherit this one.
    Fix: keep at least a day (the default is 7), and set short retention on the topics that want it.
    Care: the disks have to hold the longer time: a broker with a full disk stops. Multiply the daily volume before you
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
        yield Problem("log.retention.ms", f"records live {span(kept)}", ">= 86400000 ms")


def span(milliseconds: int) -> str:
    """A time in the largest unit that is not below one: 1 hour, 1.5 hours, 10 minutes."""
    units = ((HOUR, "hour"), (60_000, "minute"), (1000, "second"), (1, "millisecond"))
    size, unit = next((size, unit) for size, unit in units if milliseconds >= size)
    many = f"{round(milliseconds / size, 1):g}"
    return f"{many} {unit}" if many == "1" else f"{many} {unit}s"


@rule("KA705", "critical", refuses=True)
def retention_zero(node: Subject) -> Problems:
    """A retention time of zero is set, and Kafka refuses to start.

    Why: the time must be at least one millisecond, or negative for no limit.
    Fix: set the time that records shall live; to keep nothing, set one millisecond.
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
        yield Problem("log.retention.ms", "zero is no retention time", ">= 1, or -1", refused=True)


@rule("KA706", "low", dev="info")
def segment_outlives_retention(broker: Subject) -> Problems:
    """Segments are closed later than their records expire, so records live longer than the retention says.

    Why: retention deletes whole segments; while one is still being written its oldest records stay, up to
        log.roll.ms longer.
    Fix: keep log.roll.ms (or log.roll.hours) below the retention time.
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
        yield Problem(["log.roll.ms", "log.retention.ms"], f"rolled after {rolled} ms, kept {kept} ms", f"<= {kept}")


@rule("KA707", "medium", dev="info")
def log_cleaner_off(broker: Subject) -> Problems:
    """The log cleaner is switched off, so compacted topics grow without end.

    Why: __consumer_offsets, __transaction_state and the tables of Connect and Streams are compacted; without the
        cleaner their logs only grow, and loading them after a failure takes ever longer.
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
        yield Problem("log.cleaner.enable", "compacted topics are never compacted", "true")


@rule("KA708", "critical", refuses=True)
def cleaner_memory(node: Subject) -> Problems:
    """The log cleaner has too little memory for its threads, and Kafka refuses to start.

    Why: log.cleaner.dedupe.buffer.size is shared; each of log.cleaner.threads needs more than 1 MiB of it.
    Fix: lower log.cleaner.threads or raise log.cleaner.dedupe.buffer.size (default 128 MiB).
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
        yield Problem(key, f"{each} bytes for each of {threads} threads", "over 1048576 per thread", refused=True)


@rule("KA709", "critical", since=(2, 3), refuses=True)
def compaction_lag_order(broker: Subject) -> Problems:
    """Records must stay uncompacted for longer than they may, and the broker fails to start.

    Why: log.cleaner.min.compaction.lag.ms is a floor, log.cleaner.max.compaction.lag.ms a ceiling for the same time;
        Kafka checks the defaults of topics when it opens its logs.
    Fix: keep the minimum at or below the maximum.
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
        yield Problem(list(keys), f"at least {low} ms, at most {high} ms", f"<= {high}", refused=True)


def local_pairs(_: Subject) -> tuple[object, ...]:
    """The limits of the local part of a log, each with that of the whole."""
    return LOCAL


@rule("KA710", "critical", since=(3, 6), each=local_pairs, refuses=True)
def local_retention_above(broker: Subject, pair: tuple[str, str]) -> Problems:
    """The local part of a tiered log is to live longer than the whole, and the broker fails to start.

    Why: log.local.retention.* says how much of a log stays on the broker's disk; it cannot be more than
        log.retention.* keeps at all, and not unlimited while that is limited. -2 means: as much as the whole.
    Fix: set log.local.retention.ms and .bytes to -2 or to less than log.retention.ms and .bytes.
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
        yield Problem(list(pair), f"{local} on the broker, {whole} altogether", f"-2 or <= {whole}", refused=True)


@rule("KA711", "critical", since=(3, 6), refuses=True)
def remote_storage_incomplete(broker: Subject) -> Problems:
    """Tiered storage is switched on without a plug-in that stores anything, and the broker fails to start.

    Why: Kafka brings no implementation; remote.log.storage.manager.class.name names the one to load.
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
        yield Problem("remote.log.storage.manager.class.name", "no plug-in is named", "a class", refused=True)


@rule("KA712", "critical", since=(3, 6), refuses=True)
def remote_listener_missing(broker: Subject) -> Problems:
    """The topic for tiered storage's metadata is to be reached by a listener that does not exist.

    Why: the broker is a client of itself there; remote.log.metadata.manager.listener.name must be one of its
        listeners, or the start fails.
    Fix: name a listener of the broker, best the one between brokers.
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
        # Before 4.0 the plug-in's class is loaded first, and nobody knows what comes of that.
        yield Problem(key, f"no listener {broker.str(key)}", "a listener's name", refused=broker.version() >= (4, 0))


@rule("KA713", "critical", refuses=True)
def log_dir_twice(broker: Subject) -> Problems:
    """A log directory stands twice, and the broker fails to start.

    Why: two logs of one name would write into each other's files; Kafka compares the real paths. From 4.2 on an entry
        that is repeated letter by letter is dropped.
    Fix: list each directory once, each on a disk of its own.
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
        yield Problem("log.dirs", f"{twice[0]} stands twice", "different directories", refused=True)


@rule("KA714", "critical", refuses=True)
def log_dir_missing(node: Subject) -> Problems:
    """No log directory is named, and Kafka refuses to start.

    Why: log.dirs or log.dir must hold at least one path; an empty value is not the default.
    Fix: remove the empty key or set a path.
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
        yield Problem("log.dirs", "no directory", "a directory", refused=True)


@rule("KA715", "critical", since=(4, 3), refuses=True)
def cordoned_dir_unknown(broker: Subject) -> Problems:
    """cordoned.log.dirs names a directory that is not a log directory, and Kafka refuses to start.

    Why: cordoning keeps new partitions off a log directory of this broker; the path must be written as in log.dirs.
        The star means all of them and stands alone.
    Fix: list entries of log.dirs, or * alone.
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
        wrong = [path for path in cordoned if path not in broker.list("log.dirs")]
    if wrong:
        yield Problem("cordoned.log.dirs", f"{wrong[0]} is not allowed here", "entries of log.dirs", refused=True)


@rule("KA716", "high", dev="low", staging="medium", before=(3, 8))
def jbod_in_early_kraft(broker: Subject) -> Problems:
    """Several log directories in KRaft are not ready for production before Kafka 3.8.

    Why: until KIP-858 a KRaft broker cannot tell the controller that one of its disks failed; the partitions on it
        stay offline without a new leader. 3.7 brought it as early access, and only where metadata.version is 3.7-IV2 or
        newer; 3.8 calls it ready.
    Fix: use one log directory (a RAID behind it), or upgrade to 3.8 or newer with metadata.version 3.7-IV2 or newer.
    Care: a broker that starts with other log.dirs has lost what lay in those left out. One broker at a time: move its
        replicas away by reassignment (or to the directory that stays), then take the directories out.
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
    applies(mode(broker) == KRAFT, "ZooKeeper mode knows several directories")
    count = len(directories(broker))
    early = broker.version() >= (3, 7)
    if count > 1:
        text = f"{count} directories" + (
            ": early access in 3.7, with metadata.version 3.7-IV2 or newer" if early else ""
        )
        yield Problem("log.dirs", text, "one directory", step=-1 if early else 0)


@rule("KA717", "medium", dev="low", regulated="high", confidence="likely")
def compact_by_default(broker: Subject) -> Problems:
    """Every topic without a policy of its own is compacted, which deletes older records of a key and refuses records without key.

    Why: log.cleanup.policy is the default of all topics; compaction is meant for tables, not for streams of events.
    Fix: set cleanup.policy=compact on the topics that are tables, then log.cleanup.policy=delete.
    Care: the change takes effect at once on every topic without a policy of its own: tables that lived by the default
        are then deleted by time. First write cleanup.policy=compact on every topic that is a table (__consumer_offsets,
        Connect's and Streams' topics have theirs), then change the default.
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
        yield Problem("log.cleanup.policy", "topics are compacted by default", "delete")


@rule("KA718", "low", dev="info")
def segment_small(broker: Subject) -> Problems:
    """Segments are so small that a broker holds very many files open.

    Why: every segment is three or more files, memory maps included; small segments make restarts slow and reach the
        limits of open files and memory maps.
    Fix: leave log.segment.bytes at 1 GiB, or set it to 100 MB or more.
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
        yield Problem("log.segment.bytes", f"{size} bytes", ">= 100000000")


@rule("KA719", "medium", dev="info")
def relative_log_dir(node: Subject) -> Problems:
    """A log directory is a relative path, so the data depends on where Kafka is started from.

    Why: started from another directory the broker finds no data, and takes part with empty logs.
    Fix: write absolute paths.
    Care: the absolute path has to be the directory in which the data lies now (look it up under /proc/PID/cwd): with
        any other the broker starts empty. One broker at a time.
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
        yield Problem("log.dirs", f"{loose[0]} is a relative path", "an absolute path")


@rule("KA720", "low", dev="info")
def retention_below_segment(broker: Subject) -> Problems:
    """The limit in bytes is below the size of one segment, so partitions grow far beyond it.

    Why: only whole, closed segments are deleted, and only where what remains is still as large as the limit: a
        partition takes up to log.retention.bytes and log.segment.bytes together.
    Fix: set log.segment.bytes to a fraction of log.retention.bytes.
    Care: smaller segments close sooner, and what is beyond the limit today is deleted within minutes. Make sure that
        nobody relies on it.
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
        yield Problem(places, f"up to {kept + segment} bytes a partition, {kept} are wanted", f">= {segment}")


@rule("KA721", "low", dev="info", regulated="info")
def topic_deletion_off(node: Subject) -> Problems:
    """Topics cannot be deleted: requests to delete one are refused.

    Why: with delete.topic.enable=false topics and partitions that nobody uses stay for ever, and Streams applications
        cannot be reset. ACLs say who may delete which topic, which this key cannot.
    Fix: remove delete.topic.enable (default true) and grant DELETE to those who shall have it. In KRaft the
        controllers' value counts.
    Care: without an authorizer everybody may delete topics from then on.
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


@rule("KA722", "low", dev="info", since=(3, 6))
def future_timestamps_taken(broker: Subject) -> Problems:
    """Records may carry a time far in the future, and the segments they are in outlive every retention time.

    Why: a segment is deleted after the retention time counted from the newest time stamp in it. One record of a producer
        with a wrong clock, or with seconds and microseconds mixed up, keeps a whole segment for years.
    Fix: set log.message.timestamp.after.max.ms to an hour (the default from Kafka 4.0 on) or some days, or
        log.message.timestamp.type=LogAppendTime.
    Care: producers that send such times on purpose get INVALID_TIMESTAMP from then on; give their topics a
        message.timestamp.after.max.ms of their own first.
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
        yield Problem(key, "times of any year to come are taken", "3600000")


@rule("KA723", "low", dev="info", regulated="medium")
def compaction_too_late(broker: Subject) -> Problems:
    """Compacted topics are hardly ever compacted: old values and deleted keys stay on disk.

    Why: the cleaner takes a partition only once log.cleaner.min.cleanable.ratio of it is new. Near 1 the new part has to
        be many times the old one, so partitions grow without bound and what was deleted can still be read.
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
        yield Problem(key, f"cleaned once {broker.float(key):.0%} of a partition is new", "0.5")


@rule("KA724", "medium", dev="info")
def log_roll_ms_small(broker: Subject) -> Problems:
    """Every partition begins a new segment every few minutes, however little is written.

    Why: each partition that takes records then leaves hundreds of small segments a day, each three files with memory
        maps and open handles. Starts slow down, and brokers run out of file descriptors (or of memory maps, which ends
        the process).
    Fix: set log.roll.ms to ten minutes or more, or remove it (default seven days); set segment.ms on the few topics whose
        old records have to go soon.
    Care: records leave a topic only with their segment: with a longer log.roll.ms they stay up to that much longer.
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
            "log.roll.ms", f"a new segment in every partition after {after // 1000} s", f">= {SHORT_SEGMENT_MS}"
        )


@rule("KA780", "medium", dev="low")
def disk_nearly_full(broker: Subject) -> Problems:
    """A log directory's disk is nearly full.

    Why: a broker whose disk is full stops, and its leaders move to brokers that have about as little left.
    Fix: shorten retention, move partitions, or grow the disk, in that order of speed.
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
    shares = [
        (free * 100 // total, path)
        for path, _, free, total in broker.live("log directories")
        if total and free is not None
    ]
    if shares and min(shares)[0] < LITTLE:
        share, path = min(shares)
        yield Problem("log directories", f"{share} % free in {path}", f"{LITTLE} %", step=1 if share < LEAST else 0)
