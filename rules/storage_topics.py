"""Storage of single topics: retention, compaction, tiered storage, and what decides over their records."""

from __future__ import annotations

from advisor.facts import has_brokers
from advisor.rule import Problem, Problems, Subject, applies, fact, rule

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


@rule("KA750", "high", since=(2, 3), refuses=True)
def compaction_lags_crossed(topic: Subject) -> Problems:
    """A record may have to be compacted before it may be compacted, and Kafka refuses the topic.

    Why: min.compaction.lag.ms is the time a record stays untouched, max.compaction.lag.ms the time after which it is
        cleaned at the latest.
    Fix: keep min.compaction.lag.ms at or below max.compaction.lag.ms.
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
        yield Problem(keys, f"untouched for {least} ms, cleaned after {most}", refused=True)


@rule("KA751", "high", since=TIERED, refuses=True)
def tiered_compacted(topic: Subject) -> Problems:
    """Tiered storage is on for a compacted topic, which Kafka refuses.

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
            ["cleanup.policy", "remote.storage.enable"], "only delete goes with tiering", "delete", refused=True
        )


@rule("KA752", "high", since=TIERED, each=("ms", "bytes"), refuses=True)
def local_retention_above_total(topic: Subject, unit: str) -> Problems:
    """More is kept on the brokers' disks than is kept at all, and Kafka refuses the topic.

    Why: local.retention is the part of retention that stays local. -2 means all of it, -1 unlimited.
    Fix: keep local.retention.ms and .bytes at or below retention.ms and .bytes, or at -2.
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
        yield Problem(keys, f"{local} stays local, {total} is kept in all", f"<= {total}", refused=True)


@rule("KA753", "high", since=(3, 9), each=("ms", "bytes"), refuses=True)
def local_retention_without_copies(topic: Subject, unit: str) -> Problems:
    """Nothing more is copied to remote storage, yet local data is deleted earlier, and Kafka refuses the topic.

    Why: with remote.log.copy.disable=true records exist only locally; deleting them before retention ends would lose
        them.
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
        yield Problem(places, f"{local} stays local, {total} is kept in all", "-2", refused=True)


@rule("KA754", "high", since=TIERED, refuses=True)
def tiered_without_system(topic: Subject, cluster: Subject) -> Problems:
    """The topic asks for tiered storage that the brokers do not have, and Kafka refuses it.

    Why: remote.storage.enable needs remote.log.storage.system.enable=true on the brokers.
    Fix: set it up on the brokers first, or remove remote.storage.enable.
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


@rule("KA755", "info", each=(*COMPACTION_ONLY, *DELETION_ONLY))
def setting_of_other_policy(topic: Subject, key: str) -> Problems:
    """A setting belongs to a cleanup policy that the topic does not have.

    Why: retention.ms and retention.bytes do nothing on a topic that is only compacted, the cleaner's settings nothing
        on one that is only deleted.
    Fix: remove the key, or add its policy to cleanup.policy.
    Care: adding compact removes older records of a key, adding delete removes by time, both from what is there already.
        Remove the key unless the policy is wanted.
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
        yield Problem([key, "cleanup.policy"], f"no effect without cleanup.policy={needed}", "unset")


@rule("KA756", "low", dev="info")
def segment_outlives_retention(topic: Subject) -> Problems:
    """Records live longer than retention.ms says, because their segment is not closed.

    Why: only whole segments are deleted, and one that still takes records stays until the last of them expires; with
        segment.ms above retention.ms old records stay for up to both together.
    Fix: set segment.ms below retention.ms.
    Care: a smaller segment.ms closes segments, and what was kept too long is deleted within minutes. Make sure that
        nobody relies on it.
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
        yield Problem(["segment.ms", "retention.ms"], f"a segment may be open for {segment} ms", f"< {kept}")


@rule("KA759", "low", dev="info")
def retention_infinite(topic: Subject) -> Problems:
    """Nothing is ever deleted from the topic.

    Why: with retention.ms=-1 and no limit in bytes the topic grows until the disk is full, and a broker whose disk is
        full stops.
    Fix: set retention.ms or retention.bytes, tiered storage, or compaction.
    Care: a limit deletes at once what is older or beyond the size; compaction removes all but the last record of a key.
        Make sure that nobody reads the topic from its beginning.
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
        yield Problem("retention.ms", "kept for ever, without a limit", "a time")


@rule("KA760", "low", dev="info", regulated="medium")
def retention_short(topic: Subject) -> Problems:
    """Records are gone before a consumer that fails overnight comes back.

    Why: what is deleted before it was read is lost to that consumer; a day bears little more than one night.
    Fix: set retention.ms to some days (default 7).
    Care: the disks have to hold the longer time: multiply the topic's daily volume before you raise it.
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
        yield Problem("retention.ms", f"kept for {kept // 60_000} minutes", "604800000")


@rule("KA761", "low", dev="info")
def segment_small(topic: Subject) -> Problems:
    """The topic is cut into very many small files.

    Why: every segment is three files and open handles, and is looked at by cleaner and retention; thousands of them slow
        starts down and use up file descriptors.
    Fix: keep segment.bytes at tens of megabytes or more (default 1 GiB).
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
        yield Problem("segment.bytes", f"segments of {size} bytes", f">= {SMALL_SEGMENT}")


@rule("KA770", "medium", dev="info")
def segment_ms_small(topic: Subject) -> Problems:
    """A new segment begins every few minutes, however little is written.

    Why: every partition that takes records then leaves hundreds of small segments a day, each three files with memory
        maps and open handles. Starts slow down, and brokers run out of file descriptors (or of memory maps, which ends
        the process).
    Fix: set segment.ms to ten minutes or more (default seven days). Where old records have to go soon, an hour is enough.
    Care: records leave a topic only with their segment: with a longer segment.ms they stay up to that much longer.
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
        yield Problem("segment.ms", f"a new segment after {_duration(after)}", f">= {SHORT_SEGMENT_MS}")


def _duration(ms: int) -> str:
    return f"{ms // 1000} s" if ms >= 1000 else f"{ms} ms"


@rule("KA763", "medium", dev="low")
def cleanup_policy_empty(topic: Subject) -> Problems:
    """The topic has no cleanup policy: nothing is deleted and nothing compacted.

    Why: an empty cleanup.policy is legal in every release and means infinite retention, whatever retention.ms says.
    Fix: set cleanup.policy=delete or compact.
    Care: delete removes at once what is older than retention.ms, compact all but the last record of a key. Decide what
        the topic is before you write a policy.
    Bad:
        cleanup.policy=
        retention.ms=86400000
    Good:
        cleanup.policy=delete
        retention.ms=86400000
    See: KIP-1161, https://kafka.apache.org/documentation/#topicconfigs_cleanup.policy
    """
    if not policy(topic):
        yield Problem("cleanup.policy", "retention is infinite", "delete")


@rule("KA764", "medium", dev="low", regulated="high")
def tombstones_short_lived(topic: Subject) -> Problems:
    """Deletions may be cleaned away before a consumer has seen them.

    Why: a tombstone is kept for delete.retention.ms after it was compacted. A reader that takes longer from the start
        of the topic keeps the deleted key for ever.
    Fix: keep delete.retention.ms at a day (the default) or more.
    Care: a longer time costs disk only; what was cleaned away is gone, and consumers that were behind have to be
        rebuilt.
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
        yield Problem("delete.retention.ms", f"tombstones go after {kept} ms", "86400000")


@rule(
    "KA765",
    "low",
    dev="info",
    each=("leader.replication.throttled.replicas", "follower.replication.throttled.replicas"),
)
def throttle_left(topic: Subject, key: str) -> Problems:
    """A replication throttle is left on the topic.

    Why: throttles are for the time of a reassignment. One that stays slows followers that catch up after a restart.
    Fix: run kafka-reassign-partitions.sh --verify, which removes it, or delete the setting.
    Bad:
        retention.ms=86400000
        follower.replication.throttled.replicas=0:1,0:2
    Good:
        retention.ms=86400000
    See: KIP-73
    """
    applies(topic.is_set(key), "not throttled")
    if topic.str(key):
        yield Problem(key, "replication is throttled", "unset", likely=True)


@rule("KA766", "low", dev="info")
def retention_below_segment(topic: Subject) -> Problems:
    """The limit in bytes is below the size of one segment, so the topic's partitions grow far beyond it.

    Why: only whole, closed segments are deleted, and only where what remains is still as large as the limit: a
        partition takes up to retention.bytes and segment.bytes together.
    Fix: set segment.bytes to a fraction of retention.bytes.
    Care: smaller segments close sooner, and what is beyond the limit today is deleted within minutes. Make sure that
        nobody relies on it.
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
        yield Problem(places, f"up to {kept + segment} bytes a partition, {kept} are wanted", f">= {segment}")


@rule("KA767", "low", dev="info", since=(3, 6))
def future_timestamps_taken(topic: Subject) -> Problems:
    """Records may carry a time far in the future, and the segments they are in outlive every retention time.

    Why: a segment is deleted retention.ms after the newest time stamp in it. One record of a producer with a wrong
        clock, or with seconds and microseconds mixed up, keeps up to segment.bytes of records for years.
    Fix: set message.timestamp.after.max.ms to an hour (the default from Kafka 4.0 on) or some days, or
        message.timestamp.type=LogAppendTime.
    Care: producers that send such times on purpose get INVALID_TIMESTAMP from then on.
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
        yield Problem("message.timestamp.after.max.ms", "times of any year to come are taken", "3600000")


@rule("KA768", "low", dev="info", since=TIERED)
def local_copy_complete(topic: Subject, cluster: Subject) -> Problems:
    """The topic's older segments go to remote storage, and the brokers' disks keep all of them as well.

    Why: local.retention.ms and .bytes of -2 (the default) mean the whole retention: what was copied is only deleted
        locally when it is deleted remotely, so tiered storage saves no disk.
    Fix: set local.retention.ms (or .bytes) to what consumers usually read, such as a day.
    Care: what is deleted locally is read from remote storage from then on: slower, and only while that answers.
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
    applies(topic.version() < (3, 9) or not topic.bool("remote.log.copy.disable"), "nothing more is copied")
    if local_limit(topic, cluster, "ms") == local_limit(topic, cluster, "bytes") == ALL_OF_IT:
        yield Problem(topic.at("local.retention.ms"), "the disks keep all that remote storage has", "86400000")


def local_limit(topic: Subject, cluster: Subject, unit: str) -> int:
    """What stays on the brokers' disks: the topic's own limit, else the brokers'."""
    own = f"local.retention.{unit}"
    return topic.int(own) if topic.running() or topic.is_set(own) else cluster.int(f"log.local.retention.{unit}")


@rule("KA769", "low", dev="info", regulated="medium")
def compaction_too_late(topic: Subject) -> Problems:
    """The topic is hardly ever compacted: old values and deleted keys stay on disk.

    Why: the cleaner takes a partition only once min.cleanable.dirty.ratio of it is new. Near 1 the new part has to be
        many times the old one, so the partition grows without bound and what was deleted can still be read.
    Fix: set min.cleanable.dirty.ratio=0.5 (the default) or less; max.compaction.lag.ms where deletion has a deadline.
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
        yield Problem("min.cleanable.dirty.ratio", f"cleaned once {ratio:.0%} of it is new", "0.5")
