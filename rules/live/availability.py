"""Availability on a running cluster: what does not serve now, and what the next failure would stop."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, Unknown, applies, rule
from rules import count, whole
from rules.claims import CONSUME, PRODUCE, READABLE, comes_true, present, present_if_readable

FAMILY = "availability"
NONE = "none"


def needed(partition: Subject) -> int:
    """The in-sync replicas that acks=all requires: since 3.7 never more than there are replicas (KAFKA-15583)."""
    least: int = partition.int("min.insync.replicas")
    return min(least, partition.live("replicas")) if partition.at_least((3, 7)) else least


def serves(partition: Subject) -> bool:
    """Whether the partition takes acks=all writes now."""
    return bool(partition.live("leader") != NONE and partition.live("in-sync replicas") >= needed(partition))


@rule("KA220", "critical", dev="high", aim="in sync")
def offline(partition: Subject) -> Problems:
    """The partition has no leader: it can be neither written nor read.

    Why: every replica that could lead without losing records is down. The partition is available again once a replica
        of its ISR (or ELR) is up; an unclean election makes it available sooner, without the records that the new
        leader lacks.
    Fix: start the brokers in the partition's ISR (or ELR). Only if they are lost for good: kafka-leader-election.sh
        --bootstrap-server HOST:PORT --election-type unclean --topic TOPIC --partition N.
    Care: start the brokers with their old disks: the last replica of the ISR may become leader on an empty disk, and
        the other replicas then delete their records. An unclean election cannot be undone: name only the one partition.
    Bad:
        brokers 1 !2 !3
        topic orders
        0: leader none replicas 2,3 isr 3
    Good:
        brokers 1 2 3
        topic orders
        0: leader 2 replicas 2,3 isr 2,3
    See: https://kafka.apache.org/documentation/#design_uncleanleader
    Proof: from the state it is in
    """
    if partition.live("leader") == NONE:
        yield Problem("leader", _without_leader(partition), "a leader", claim=present_if_readable(partition, CONSUME))


def _without_leader(partition: Subject) -> str:
    try:
        up = partition.live("live replicas")
    except Unknown:
        return "no leader"
    replicas = partition.live("replicas")
    return f"no leader; {up} of {count(replicas, 'replica')} {'is' if 1 in (up, replicas) else 'are'} up"


@rule("KA221", "critical", dev="medium", staging="high", aim="in sync")
def under_min_isr(partition: Subject) -> Problems:
    """Fewer replicas are in sync than min.insync.replicas requires: acks=all writes fail now.

    Why: producers with acks=all get NOT_ENOUGH_REPLICAS. Since 3.7 such a leader does not advance its high watermark
        either: the newest records cannot be read, and consumers that start at the end fail with OFFSET_NOT_AVAILABLE.
    Fix: start the brokers of the missing replicas. A lower min.insync.replicas would make writes possible but unsafe.
    Bad:
        brokers 1 !2 !3
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2,3 isr 1
    Good:
        brokers 1 2 3
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2,3 isr 1,2,3
    See: KAFKA-15583, https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    Proof: from the state it is in
    """
    applies(partition.live("leader") != NONE, "there is no leader: KA220 reports it")
    in_sync, least = partition.live("in-sync replicas"), needed(partition)
    if in_sync < least:
        claim = present(partition, PRODUCE, somebody_in_sync=True)
        text = f"{in_sync} in sync, {least} required: acks=all writes fail"
        yield Problem("in-sync replicas", text, str(least), claim=claim)


@rule("KA222", "high", dev="low", staging="medium", aim="in sync")
def at_min_isr(partition: Subject) -> Problems:
    """Only as many replicas are in sync as min.insync.replicas requires: the next broker failure stops acks=all writes.

    Why: some replicas are already out of sync. Restarting any broker of the ISR makes the partition refuse acks=all
        writes for as long as the restart takes.
    Fix: bring the missing replicas back into the ISR before you restart any broker.
    Bad:
        brokers 1 2 !3
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2,3 isr 1,2
    Good:
        brokers 1 2 3
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2,3 isr 1,2,3
    See: https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    Proof: from the state it is in, one broker is killed
    """
    applies(serves(partition), "acks=all writes fail already")
    in_sync, replicas = partition.live("in-sync replicas"), partition.live("replicas")
    if in_sync == needed(partition) < replicas:
        alone = in_sync == 1 and partition.bool("unclean.leader.election.enable")
        applies(not alone, "another replica may lead, and records are lost: KA161 reports it")
        claim = present(partition, PRODUCE, "kill", somebody_in_sync=True)
        text = f"{in_sync} of {replicas} in sync, {'all of them' if in_sync > 1 else 'and it is'} required"
        yield Problem("in-sync replicas", text, str(replicas), claim=claim)


@rule("KA223", "medium", dev="info", aim="in sync")
def under_replicated(partition: Subject) -> Problems:
    """Some replicas are not in sync.

    Why: they are down, lag, or are being built. The partition is available, with fewer spare replicas than planned.
    Fix: find the broker that is missing from most of these ISRs, and why it is down or slow.
    Bad:
        brokers 1 2 !3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2
    Good:
        brokers 1 2 3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2,3
    See: https://kafka.apache.org/documentation/#monitoring
    """
    applies(serves(partition), "a worse finding reports it")
    in_sync, replicas = partition.live("in-sync replicas"), partition.live("replicas")
    applies(in_sync >= replicas or in_sync > needed(partition), "KA222 reports it")
    if in_sync < replicas:
        yield Problem("in-sync replicas", f"{in_sync} of {replicas} in sync", str(replicas))


@rule("KA224", "medium", dev="info", staging="low", aim="replicas=3")
def one_broker_stops_writes(partition: Subject) -> Problems:
    """All replicas are in sync, yet one broker down stops acks=all writes.

    Why: min.insync.replicas requires every replica, so no broker can be restarted without an outage.
    Fix: use three replicas with min.insync.replicas=2. With two replicas add one by reassignment: min.insync.replicas=1
        would let the leader alone acknowledge writes.
    Care: a reassignment copies the whole partition over the clients' network: use --throttle.
    Bad:
        brokers 1 2 3
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2 isr 1,2
    Good:
        brokers 1 2 3
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2,3 isr 1,2,3
    See: https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    Proof: from the state it is in, one broker is killed
    """
    replicas = partition.live("replicas")
    applies(replicas > 1, "one replica by design: KA160 reports it")
    applies(partition.live("in-sync replicas") == replicas, "some replicas are out of sync already")
    claim = present(partition, PRODUCE, "kill")
    if comes_true(claim):
        text = f"{whole(replicas)} must be in sync: one broker down stops acks=all writes"
        wanted = "3 replicas" if replicas < 3 else str(replicas - 1)
        yield Problem("min.insync.replicas", text, wanted, claim=claim)


@rule("KA225", "high", dev="info", staging="medium", aim="in sync")
def one_broker_stops_reads(partition: Subject) -> Problems:
    """One broker down leaves the partition without a leader.

    Why: no other replica is in sync, and a replica that is not in sync cannot lead without losing records.
    Fix: bring the other replicas back into the ISR, and do not restart the leader until they are.
    Bad:
        brokers 1 2 3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1
    Good:
        brokers 1 2 3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2
    See: https://kafka.apache.org/documentation/#replication
    Proof: from the state it is in, one broker is killed
    """
    applies(partition.live("replicas") > 1, "one replica by design: KA160 reports it")
    applies(partition.live("leader") != NONE, "there is no leader already")
    claim = present(partition, CONSUME, "kill")
    if comes_true(claim):
        yield Problem("in-sync replicas", "no other replica can take over from the leader", "2", claim=claim)


@rule("KA226", "medium", dev="info", aim="racks")
def one_rack_stops_it(partition: Subject) -> Problems:
    """A power failure in one rack leaves the partition without a leader, or stops acks=all writes to it.

    Why: too many of the in-sync replicas are in one rack; racks fail as a whole.
    Fix: reassign the partition with --throttle, so that no rack holds more of its replicas than it can spare.
    Bad:
        brokers 1/a 2/a 3/b 4/c
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2,3 isr 1,2,3
    Good:
        brokers 1/a 2/a 3/b 4/c
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,3,4 isr 1,3,4
    See: KIP-36, https://kafka.apache.org/documentation/#basic_ops_racks
    Proof: from the state it is in, one rack loses power
    """
    applies(partition.live("replicas") > 1, "one replica by design: KA160 reports it")
    applies(partition.live("racks")[0] > 1, "no two replicas share a rack")
    applies(partition.live("racks there are") > 1, "one rack is all there is")
    applies(serves(partition), "a worse finding reports it")
    reads = present(partition, CONSUME, "power-loss-all")
    if comes_true(reads):
        yield Problem("racks", "a power failure in one rack leaves no leader", "two racks in sync", step=1, claim=reads)
        return
    applies(partition.live("racks there are") > 2, "with two racks a majority in one cannot be helped")
    writes = present(partition, PRODUCE, "power-loss-all")
    if comes_true(writes):
        yield Problem("racks", "a power failure in one rack stops acks=all writes", "a replica per rack", claim=writes)


@rule("KA227", "medium", dev="low", since=(3, 7), aim="replicas=3")
def newest_records_unreadable(partition: Subject) -> Problems:
    """One broker down hides the newest records from consumers, although the partition has a leader.

    Why: since 3.7 a leader with fewer in-sync replicas than min.insync.replicas does not advance its high watermark.
        Records beyond it cannot be read, and consumers that start at the end fail with OFFSET_NOT_AVAILABLE until the
        ISR has grown again.
    Fix: bring the missing replicas back into the ISR; keep min.insync.replicas below the number of replicas.
    Bad:
        brokers 1 2 !3
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2,3 isr 1,2
    Good:
        brokers 1 2 3
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2,3 isr 1,2,3
    See: KAFKA-15583
    Proof: from the state it is in, one broker is killed
    """
    applies(partition.live("replicas") > 1, "one replica by design: KA160 reports it")
    applies(serves(partition), "a worse finding reports it")
    applies(not comes_true(present(partition, CONSUME, "kill")), "KA225 reports it")
    claim = present(partition, READABLE, "kill")
    if comes_true(claim):
        yield Problem("in-sync replicas", "with one broker down, consumers cannot read the newest records", claim=claim)


@rule("KA228", "high", dev="medium", aim="in sync")
def broker_down(broker: Subject) -> Problems:
    """A broker is down or fenced.

    Why: its partitions have fewer in-sync replicas, and those without another in-sync replica are offline.
    Fix: find the reason in the broker's log, then start it with its old disks.
    Bad:
        brokers 1 2 !3
    Good:
        brokers 1 2 3
    See: KIP-631, https://kafka.apache.org/documentation/#monitoring
    """
    state = broker.live("state")
    if state != "alive":
        yield Problem("state", f"the broker is {'down' if state == 'dead' else state}", "alive")


@rule("KA229", "high", dev="low", staging="medium", aim="in sync")
def restart_is_unsafe(broker: Subject) -> Problems:
    """Restarting this broker now stops acks=all writes to partitions that would tolerate it if they were healthy.

    Why: their ISR has shrunk to what min.insync.replicas requires, and this broker is in it.
    Fix: wait until the missing replicas are back in the ISR; restart one broker at a time, each when the previous one
        is in sync again.
    Bad:
        brokers 1 2 !3
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2,3 isr 1,2
    Good:
        brokers 1 2 3
        topic orders min.insync.replicas=2
        0: leader 1 replicas 1,2,3 isr 1,2,3
    See: https://kafka.apache.org/documentation/#basic_ops_restarting
    """
    applies(broker.live("state") == "alive", "the broker is down")
    now = broker.live("stops without it")
    if now:
        by_design = broker.live("stops as designed")
        also = f", and {by_design} more that any restart stops" if by_design else ""
        yield Problem("stops without it", f"a restart stops acks=all writes to {count(now, 'partition')}{also}", "0")


@rule("KA230", "high", dev="medium", aim="in sync")
def log_directory_failed(broker: Subject) -> Problems:
    """A log directory of the broker is offline, and so are its replicas.

    Why: the broker takes a directory offline when its disk fails, and goes on with the others.
    Fix: replace the disk and restart the broker: it fetches its replicas from those in sync.
    Care: records are lost if a partition on the disk has no other in-sync replica: check that first. In KRaft the last
        replica of an ISR may become leader on an empty disk, and the other replicas then delete their records.
    Bad:
        brokers 1 2 3
        logdir 1 /data error=KafkaStorageError
    Good:
        brokers 1 2 3
        logdir 1 /data free=900 total=1000
        logdir 2 /data free=900 total=1000
        logdir 3 /data free=900 total=1000
    See: KIP-112, KIP-858
    """
    failed = [path for path, error, _ in broker.live("log directories") if error]
    if failed:
        yield Problem("log directories", f"the replicas in {', '.join(failed)} are offline", "all online")
