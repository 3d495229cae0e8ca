"""Storage of single topics: retention, compaction, tiered storage, and what decides over their records."""

from __future__ import annotations

from advisor.facts import has_brokers
from advisor.rule import Problem, Problems, Subject, applies, fact, rule
from rules import count

FAMILY = "storage"
TIERED = (3, 6)
ALL_OF_IT = -2
"""A local retention that is the whole one."""
HOUR, DAY = 3_600_000, 86_400_000
SMALL_SEGMENT = 10 * 1024 * 1024
SHORT_SEGMENT_MS = 600_000
YEAR = 365 * DAY
COMPACTION_ONLY = ("min.cleanable.dirty.ratio", "delete.retention.ms", "min.compaction.lag.ms", "max.compaction.lag.ms")
DELETION_ONLY = ("retention.ms", "retention.bytes")


@fact
def policy(topic: Subject) -> tuple[str, ...]:
    """The cleanup policies of the topic."""
    return tuple(name for name in topic.list("cleanup.policy") if name)


@fact
def tiered(topic: Subject) -> bool:
    """Whether the topic's older segments go to remote storage."""
    return topic.bool("remote.storage.enable")


@rule("KA750", "high", since=(2, 3), refuses=True, aim="by hand: choice")
def compaction_lags_crossed(topic: Subject) -> Problems:
    """The topic's minimum compaction lag is above the maximum, and Kafka refuses the topic.

    Why: min.compaction.lag.ms is the time for which a record must stay uncompacted, max.compaction.lag.ms the time
        after which it must be compacted.
    Fix: set min.compaction.lag.ms to at most max.compaction.lag.ms.
    Bad:
        cleanup.policy=compact
        min.compaction.lag.ms=86400000
        max.compaction.lag.ms=3600000
    Good:
        cleanup.policy=compact
        min.compaction.lag.ms=3600000
        max.compaction.lag.ms=86400000
    See: KIP-354, org.apache.kafka.storage.internals.log.LogConfig
    """
    least, most = topic.int("min.compaction.lag.ms"), topic.int("max.compaction.lag.ms")
    if least > most:
        keys = sorted(("min.compaction.lag.ms", "max.compaction.lag.ms"), key=topic.is_set, reverse=True)
        yield Problem(
            keys, f"a record must stay uncompacted for {least} ms, yet be compacted after {most} ms", refused=True
        )


@rule("KA751", "high", since=TIERED, refuses=True, aim="by hand: choice")
def tiered_compacted(topic: Subject) -> Problems:
    """Tiered storage is enabled on a compacted topic, which Kafka refuses.

    Why: segments in remote storage are never rewritten, so they cannot be compacted. Kafka 4.1 also refuses an empty
        cleanup.policy here.
    Fix: set cleanup.policy=delete, or remote.storage.enable=false.
    Bad:
        remote.storage.enable=true
        cleanup.policy=compact,delete
    Good:
        remote.storage.enable=true
        cleanup.policy=delete
    See: KIP-405, org.apache.kafka.storage.internals.log.LogConfig
    """
    applies(tiered(topic), "no tiered storage")
    if "compact" in policy(topic) or (not policy(topic) and topic.version() == (4, 1)):
        yield Problem(
            ["cleanup.policy", "remote.storage.enable"],
            "a topic with tiered storage cannot be compacted",
            "delete",
            refused=True,
        )


@rule("KA752", "high", since=TIERED, each=("ms", "bytes"), refuses=True, aim="by hand: choice")
def local_retention_above_total(topic: Subject, unit: str) -> Problems:
    """The topic's local retention is above its total retention, and Kafka refuses the topic.

    Why: local.retention.* limits what stays on the brokers' disks, retention.* what is kept altogether. -2 means the
        same as the total, -1 unlimited.
    Fix: set local.retention.ms and .bytes to -2 or to at most retention.ms and .bytes.
    Bad:
        remote.storage.enable=true
        retention.ms=3600000
        local.retention.ms=86400000
    Good:
        remote.storage.enable=true
        retention.ms=86400000
        local.retention.ms=3600000
    See: KIP-405, org.apache.kafka.storage.internals.log.LogConfig
    """
    applies(tiered(topic), "no tiered storage")
    local, total = topic.int(f"local.retention.{unit}"), topic.int(f"retention.{unit}")
    if total != -1 and (local > total or local == -1):
        keys = sorted((f"local.retention.{unit}", f"retention.{unit}"), key=topic.is_set, reverse=True)
        yield Problem(
            keys,
            f"the local part is {'unlimited' if local == -1 else local}, but the whole topic only {total}",
            f"<= {total}",
            refused=True,
        )


@rule("KA753", "high", since=(3, 9), each=("ms", "bytes"), refuses=True, aim="by hand: choice")
def local_retention_without_copies(topic: Subject, unit: str) -> Problems:
    """Copying to remote storage is disabled, yet local records expire early, and Kafka refuses the topic.

    Why: with remote.log.copy.disable=true new records exist only locally, and deleting them before retention ends would
        lose them.
    Fix: set local.retention.ms and .bytes to -2 (or to retention.ms and .bytes).
    Bad:
        remote.storage.enable=true
        remote.log.copy.disable=true
        local.retention.ms=1000
    Good:
        remote.storage.enable=true
        remote.log.copy.disable=true
        local.retention.ms=-2
    See: KIP-950, org.apache.kafka.storage.internals.log.LogConfig
    """
    applies(tiered(topic) and topic.bool("remote.log.copy.disable"), "segments are copied")
    local, total = topic.int(f"local.retention.{unit}"), topic.int(f"retention.{unit}")
    if local not in (-2, total):
        places = [f"local.retention.{unit}", f"retention.{unit}", "remote.log.copy.disable"]
        yield Problem(
            places,
            f"while nothing is copied, local retention must be -2 or {total}",
            "-2",
            refused=True,
        )


@rule("KA754", "high", since=TIERED, refuses=True, aim="by hand: hardware")
def tiered_without_system(topic: Subject, cluster: Subject) -> Problems:
    """The topic enables tiered storage that the brokers do not have, and Kafka refuses the topic.

    Why: remote.storage.enable needs remote.log.storage.system.enable=true on the brokers.
    Fix: set remote.log.storage.system.enable=true on the brokers first, or remove remote.storage.enable from the topic.
    Bad:
        [topic]
        remote.storage.enable=true
        retention.ms=86400000
        [broker]
        process.roles=broker
        node.id=1
    Good:
        [topic]
        remote.storage.enable=true
        retention.ms=86400000
        [broker]
        process.roles=broker
        node.id=1
        remote.log.storage.system.enable=true
    See: KIP-405, org.apache.kafka.storage.internals.log.LogConfig
    """
    applies(tiered(topic), "no tiered storage")
    applies(has_brokers(cluster), "no file of a broker")
    if not cluster.bool("remote.log.storage.system.enable"):
        places = [topic.at("remote.storage.enable"), cluster.at("remote.log.storage.system.enable")]
        yield Problem(places, "the brokers have no tiered storage", "false", refused=True)


@rule("KA755", "info", each=(*COMPACTION_ONLY, *DELETION_ONLY), aim="by hand: choice", fix="safe: drop")
def setting_of_other_policy(topic: Subject, key: str) -> Problems:
    """A setting has no effect, because it belongs to a cleanup policy that the topic does not have.

    Why: retention.ms and retention.bytes have no effect with cleanup.policy=compact alone, the cleaner's settings none
        with delete alone.
    Fix: remove the key, or add its policy to cleanup.policy.
    Care: a policy added to cleanup.policy also deletes existing records: compact the older ones of a key, delete the
        expired ones. Remove the key unless you want that policy.
    Bad:
        cleanup.policy=compact
        retention.ms=86400000
    Good:
        cleanup.policy=compact,delete
        retention.ms=86400000
    See: https://kafka.apache.org/documentation/#topicconfigs_cleanup.policy
    """
    applies(key in topic.keys(), "not set on the topic itself")
    needed = "compact" if key in COMPACTION_ONLY else "delete"
    if policy(topic) and needed not in policy(topic):
        yield Problem([key, "cleanup.policy"], f"it has no effect without cleanup.policy={needed}", "unset")


@rule("KA756", "low", dev="info", aim="by hand: load")
def segment_outlives_retention(topic: Subject) -> Problems:
    """Records outlive retention.ms, because their segment stays open for longer.

    Why: only whole, closed segments are deleted, once their last record has expired; with segment.ms above retention.ms
        old records stay for up to both together.
    Fix: set segment.ms below retention.ms.
    Care: a smaller segment.ms closes segments, and their expired records are deleted within minutes. Make sure that no
        consumer still needs them.
    Bad:
        retention.ms=3600000
        segment.ms=604800000
    Good:
        retention.ms=604800000
        segment.ms=86400000
    See: https://kafka.apache.org/documentation/#topicconfigs_segment.ms
    """
    applies(topic.is_set("segment.ms") and "delete" in policy(topic), "segment.ms is left at its default")
    segment, kept = topic.int("segment.ms"), topic.int("retention.ms")
    if 0 <= kept < segment:
        yield Problem(
            ["segment.ms", "retention.ms"],
            f"records stay until their segment is closed after {segment} ms, not {kept} ms",
            f"< {kept}",
        )


@rule("KA759", "low", dev="info", aim="by hand: deletion")
def retention_infinite(topic: Subject) -> Problems:
    """Nothing is ever deleted from the topic.

    Why: with retention.ms=-1 and no limit in bytes the topic grows until the disk is full, and a broker whose disk is
        full stops.
    Fix: set retention.ms or retention.bytes on the topic, or enable tiered storage or compaction.
    Care: a limit deletes older or surplus records at once, and compaction all but the last record of a key. Make sure
        that no consumer reads the topic from its beginning.
    Bad:
        cleanup.policy=delete
        retention.ms=-1
    Good:
        cleanup.policy=delete
        retention.ms=604800000
    See: https://kafka.apache.org/documentation/#topicconfigs_retention.ms
    """
    applies(topic.is_set("retention.ms") and policy(topic) == ("delete",), "retention does not decide alone")
    if topic.int("retention.ms") == -1 and topic.int("retention.bytes") < 0:
        yield Problem("retention.ms", "the topic grows until the disk is full", "a time")


@rule("KA760", "low", dev="info", regulated="medium", aim="by hand: load")
def retention_short(topic: Subject) -> Problems:
    """Records are deleted before a consumer that fails overnight is back.

    Why: a consumer never reads records that are deleted first, and retention of less than a day barely covers one
        night.
    Fix: set retention.ms to several days (default 604800000, 7 days).
    Care: longer retention needs more disk, and a broker whose disk is full stops: multiply the topic's daily volume
        before you raise it.
    Bad:
        cleanup.policy=delete
        retention.ms=3600000
    Good:
        cleanup.policy=delete
        retention.ms=259200000
    See: https://kafka.apache.org/documentation/#topicconfigs_retention.ms
    """
    applies(topic.is_set("retention.ms") and "delete" in policy(topic), "left at its default")
    kept = topic.int("retention.ms")
    if 0 <= kept < DAY:
        yield Problem("retention.ms", f"records are deleted after {count(kept // 60_000, 'minute')}", "604800000")


@rule("KA761", "low", dev="info", aim="remove segment.bytes")
def segment_small(topic: Subject) -> Problems:
    """The topic has very many small segments.

    Why: every segment is three files with open handles, which the cleaner and retention go through; thousands of them
        slow down restarts and use up file descriptors.
    Fix: set segment.bytes to tens of megabytes or more (default 1 GiB).
    Bad:
        retention.ms=86400000
        segment.bytes=1048576
    Good:
        retention.ms=86400000
        segment.bytes=268435456
    See: https://kafka.apache.org/documentation/#topicconfigs_segment.bytes
    """
    applies(topic.is_set("segment.bytes"), "left at its default")
    size = topic.int("segment.bytes")
    if size < SMALL_SEGMENT:
        yield Problem("segment.bytes", "the topic has very many small segments", f">= {SMALL_SEGMENT}")


@rule("KA770", "medium", dev="info", aim="remove segment.ms")
def segment_ms_small(topic: Subject) -> Problems:
    """The topic starts a new segment every few minutes, however little is written.

    Why: every partition with writes then leaves hundreds of small segments a day, each three files with memory maps and
        open handles. Restarts slow down, and brokers run out of file descriptors (or of memory maps, which ends the
        process).
    Fix: set segment.ms to 600000 or more (default seven days). Where records must be deleted soon, an hour is enough.
    Care: records are deleted only with their whole segment: with a longer segment.ms they stay up to that much longer.
    Bad:
        retention.ms=86400000
        segment.ms=10000
    Good:
        retention.ms=86400000
        segment.ms=3600000
    See: https://kafka.apache.org/documentation/#topicconfigs_segment.ms
    """
    applies("segment.ms" in topic.keys(), "not set on the topic itself")
    after = topic.int("segment.ms")
    if after < SHORT_SEGMENT_MS:
        yield Problem(
            "segment.ms", f"every partition starts a new segment after {_duration(after)}", f">= {SHORT_SEGMENT_MS}"
        )


def _duration(ms: int) -> str:
    return f"{ms // 1000} s" if ms >= 1000 else f"{ms} ms"


@rule("KA763", "medium", dev="low", aim="by hand: deletion")
def cleanup_policy_empty(topic: Subject) -> Problems:
    """The topic has no cleanup policy: nothing is deleted or compacted.

    Why: an empty cleanup.policy is legal in every release and means infinite retention, whatever retention.ms says.
    Fix: set cleanup.policy=delete or compact.
    Care: delete removes records older than retention.ms at once, compact all but the last record of a key. Decide what
        the topic is for before you set a policy.
    Bad:
        cleanup.policy=
        retention.ms=86400000
    Good:
        cleanup.policy=delete
        retention.ms=86400000
    See: KIP-1161, https://kafka.apache.org/documentation/#topicconfigs_cleanup.policy
    """
    if not policy(topic):
        yield Problem("cleanup.policy", "nothing is deleted or compacted", "delete")


@rule("KA764", "medium", dev="low", regulated="high", aim="remove delete.retention.ms")
def tombstones_short_lived(topic: Subject) -> Problems:
    """Tombstones may be removed before a consumer has read them.

    Why: a tombstone is kept for delete.retention.ms after compaction. A consumer that takes longer to read the topic
        from the start keeps the deleted key forever.
    Fix: set delete.retention.ms to 86400000, a day (the default), or more.
    Care: tombstones that were removed do not come back: consumers that missed them have to rebuild their state. A
        longer time only costs disk.
    Bad:
        cleanup.policy=compact
        delete.retention.ms=1000
    Good:
        cleanup.policy=compact
        delete.retention.ms=86400000
    See: https://kafka.apache.org/documentation/#topicconfigs_delete.retention.ms
    """
    applies(topic.is_set("delete.retention.ms") and "compact" in policy(topic), "not set, or not compacted")
    kept = topic.int("delete.retention.ms")
    if kept < HOUR:
        yield Problem("delete.retention.ms", f"tombstones are removed {kept} ms after compaction", "86400000")


@rule(
    "KA765",
    "low",
    dev="info",
    each=("leader.replication.throttled.replicas", "follower.replication.throttled.replicas"),
    aim="remove",
    fix="unsafe",
)
def throttle_left(topic: Subject, key: str) -> Problems:
    """A replication throttle is left on the topic.

    Why: throttles are for the time of a reassignment; a throttle that remains slows down followers that catch up after
        a restart.
    Fix: run kafka-reassign-partitions.sh --verify, which removes the throttle, or delete
        leader.replication.throttled.replicas and follower.replication.throttled.replicas from the topic.
    Bad:
        retention.ms=86400000
        follower.replication.throttled.replicas=0:1,0:2
    Good:
        retention.ms=86400000
    See: KIP-73
    """
    applies(topic.is_set(key), "not throttled")
    if topic.str(key):
        yield Problem(key, "followers that catch up are throttled", "unset", likely=True)


@rule("KA766", "low", dev="info", aim="by hand: load")
def retention_below_segment(topic: Subject) -> Problems:
    """The retention limit in bytes is below the size of one segment, so partitions grow far beyond it.

    Why: only whole, closed segments are deleted, and only while the rest is still as large as the limit: a partition
        takes up to retention.bytes and segment.bytes together.
    Fix: set segment.bytes to a fraction of retention.bytes.
    Care: smaller segments close sooner, and records beyond the limit are deleted within minutes. Make sure that no
        consumer still needs them.
    Bad (topic):
        cleanup.policy=delete
        retention.bytes=104857600
        segment.bytes=1073741824
    Good (topic):
        cleanup.policy=delete
        retention.bytes=10737418240
        segment.bytes=1073741824
    See: org.apache.kafka.storage.internals.log.UnifiedLog.deleteRetentionSizeBreachedSegments
    """
    applies(topic.is_set("retention.bytes") and "delete" in policy(topic), "no limit in bytes of its own")
    kept, segment = topic.int("retention.bytes"), topic.int("segment.bytes")
    if 0 < kept < segment:
        places = ["retention.bytes", "segment.bytes"]
        yield Problem(places, f"a partition grows to {kept + segment} bytes", f">= {segment}")


@rule("KA767", "low", dev="info", since=(3, 6), aim="by hand: clients")
def future_timestamps_taken(topic: Subject) -> Problems:
    """Records may have a timestamp far in the future, and their segments outlive every retention time.

    Why: a segment is deleted when its newest timestamp is older than retention.ms. One record of a producer with a
        wrong clock, or with the wrong unit of time, keeps up to segment.bytes of records for years.
    Fix: set message.timestamp.after.max.ms to an hour (the default from Kafka 4.0 on) or some days, or
        message.timestamp.type=LogAppendTime.
    Care: producers that send such timestamps on purpose then get INVALID_TIMESTAMP.
    Bad (topic):
        cleanup.policy=delete
        message.timestamp.after.max.ms=9223372036854775807
    Good (topic):
        cleanup.policy=delete
        message.timestamp.after.max.ms=3600000
    See: KIP-937, KIP-1030, https://kafka.apache.org/documentation/#topicconfigs_message.timestamp.after.max.ms
    """
    applies(topic.is_set("message.timestamp.after.max.ms"), "left at its default")
    applies("delete" in policy(topic) and topic.str("message.timestamp.type") == "CreateTime", "no time decides")
    if topic.int("message.timestamp.after.max.ms") > YEAR and topic.int("retention.ms") >= 0:
        yield Problem(
            "message.timestamp.after.max.ms",
            "one record with a future timestamp keeps its segment for years",
            "3600000",
        )


@rule("KA768", "low", dev="info", since=TIERED, aim="by hand: load")
def local_copy_complete(topic: Subject, cluster: Subject) -> Problems:
    """The topic's older segments go to remote storage, and the brokers' disks keep all of them too.

    Why: local.retention.ms and .bytes of -2 (the default) mean the total retention: a copied segment is deleted locally
        only when it is deleted remotely, so tiered storage saves no disk.
    Fix: set local.retention.ms (or .bytes) to what consumers usually read, such as 86400000 (a day).
    Care: consumers read locally deleted records from remote storage, which is slower, and fail while it is unavailable.
    Bad:
        [topic]
        remote.storage.enable=true
        retention.ms=2592000000
        [broker]
        process.roles=broker
        node.id=1
        remote.log.storage.system.enable=true
    Good:
        [topic]
        remote.storage.enable=true
        retention.ms=2592000000
        local.retention.ms=86400000
        [broker]
        process.roles=broker
        node.id=1
        remote.log.storage.system.enable=true
    See: KIP-405, https://kafka.apache.org/documentation/#topicconfigs_local.retention.ms
    """
    applies(tiered(topic), "no tiered storage")
    applies(has_brokers(cluster), "no file of a broker")
    applies(not topic.at_least((3, 9)) or not topic.bool("remote.log.copy.disable"), "nothing more is copied")
    if local_limit(topic, cluster, "ms") == local_limit(topic, cluster, "bytes") == ALL_OF_IT:
        yield Problem(
            topic.at("local.retention.ms"), "the brokers' disks keep everything that remote storage has", "86400000"
        )


def local_limit(topic: Subject, cluster: Subject, unit: str) -> int:
    """What stays on the brokers' disks: the topic's own limit, else the brokers'."""
    own = f"local.retention.{unit}"
    return topic.int(own) if topic.running() or topic.is_set(own) else cluster.int(f"log.local.retention.{unit}")


@rule("KA769", "low", dev="info", regulated="medium", aim="set min.cleanable.dirty.ratio=0.5")
def compaction_too_late(topic: Subject) -> Problems:
    """The topic is rarely compacted: old values and deleted keys stay on disk.

    Why: the cleaner compacts a partition only once min.cleanable.dirty.ratio of it is new. Near 1 the new part has to
        be many times the old one, so the partition keeps growing and deleted values can still be read.
    Fix: set min.cleanable.dirty.ratio=0.5 (the default) or less, and max.compaction.lag.ms where deletion has a
        deadline.
    Bad (topic):
        cleanup.policy=compact
        min.cleanable.dirty.ratio=0.95
    Good (topic):
        cleanup.policy=compact
        min.cleanable.dirty.ratio=0.95
        max.compaction.lag.ms=604800000
    See: KIP-354, https://kafka.apache.org/documentation/#topicconfigs_min.cleanable.dirty.ratio
    """
    applies(topic.is_set("min.cleanable.dirty.ratio") and "compact" in policy(topic), "not set, or not compacted")
    ratio, bounded = topic.float("min.cleanable.dirty.ratio"), topic.is_set("max.compaction.lag.ms")
    if ratio >= 0.9 and not (bounded and topic.int("max.compaction.lag.ms") <= YEAR):
        yield Problem(
            "min.cleanable.dirty.ratio", f"a partition is compacted only once {ratio:.0%} of it is new", "0.5"
        )


@rule(
    "KA771",
    "low",
    dev="info",
    since=(3, 0),
    before=TIERED,
    each=("local.retention.ms", "local.retention.bytes"),
    changes=True,
    aim="remove",
)
def local_retention_not_yet(topic: Subject, key: str) -> Problems:
    """The topic's local retention has no effect, because the release has no tiered storage.

    Why: Kafka 3.0 to 3.5 take local.retention.* and never read them; tiered storage comes with 3.6. Until then retention.*
        alone says what stays on the brokers' disks.
    Fix: remove the key, or set retention.ms and retention.bytes to what the disks can hold.
    Care: removing the key changes nothing before 3.6; a lower retention.ms deletes older records for good.
    Bad (topic, 3.5):
        local.retention.ms=86400000
    Good (topic, 3.5):
        retention.ms=86400000
    See: KIP-405, the upgrade notes of Kafka 3.6
    """
    applies(topic.is_set(key) and topic.int(key) != -2, "as retention says, which is the default")
    whole = key.removeprefix("local.")
    yield Problem(key, f"Kafka ignores it before 3.6: {whole} alone counts", f"{whole}, or Kafka >= 3.6", changes=True)
