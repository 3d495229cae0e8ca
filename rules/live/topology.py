"""Topology of a running cluster: racks of replicas, who leads what, and how evenly."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import whole

FAMILY = "topology"
ENOUGH = 20
"""Partitions per broker from which on a difference between brokers says something."""
ALLOWED = 10
"""Percent of partitions; Kafka's own rebalancing acts from there on (leader.imbalance.per.broker.percentage)."""
TOLERATED = 1.5
"""How much more than the mean a broker may carry."""


@rule("KA310", "high", dev="low", staging="medium", aim="racks")
def one_rack_holds_all(partition: Subject) -> Problems:
    """All replicas of a partition are in one rack.

    Why: a rack's power or switch, or a zone, fails as a whole, and the partition with it.
    Fix: reassign the partition with a replica in another rack (kafka-reassign-partitions.sh --throttle): Kafka spreads
        replicas over racks only when it assigns them.
    Bad:
        brokers 1/a 2/a 3/b
        topic orders
        0: leader 1 replicas 1,2 isr 1,2
    Good:
        brokers 1/a 2/a 3/b
        topic orders
        0: leader 1 replicas 1,3 isr 1,3
    See: KIP-36, https://kafka.apache.org/documentation/#basic_ops_racks
    """
    racks, replicas = partition.live("racks"), partition.live("replicas")
    applies(partition.live("racks there are") > 1, "one rack is all there is")
    applies(replicas > 1, "one replica cannot be spread")
    if racks[0] == replicas:
        yield Problem(
            "racks", f"{whole(replicas)} are in one rack: its failure takes the partition offline", "two racks"
        )


@rule("KA311", "low", dev="info")
def one_rack_holds_majority(partition: Subject) -> Problems:
    """More replicas of a partition are in one rack than necessary.

    Why: that rack's failure takes down a majority of the replicas, although there are enough racks to spread them.
    Fix: reassign the partition so that each rack has one replica.
    Bad:
        brokers 1/a 2/a 3/b 4/c
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2,3
    Good:
        brokers 1/a 2/a 3/b 4/c
        topic orders
        0: leader 1 replicas 1,3,4 isr 1,3,4
    See: KIP-36, https://kafka.apache.org/documentation/#basic_ops_racks
    """
    racks, replicas, there = partition.live("racks"), partition.live("replicas"), partition.live("racks there are")
    applies(replicas > 2 and there > 2, "two replicas or two racks have no majority to spare")
    applies(racks[0] < replicas, "KA310 reports it")
    if racks[0] * 2 > replicas and racks[0] > -(-replicas // there):
        yield Problem("racks", f"{racks[0]} of {replicas} replicas are in one rack", f"{-(-replicas // there)}")


@rule("KA312", "medium", dev="info", aim="by hand: hardware")
def more_replicas_than_brokers(partition: Subject) -> Problems:
    """The partition has more replicas than there are live brokers, so some stay out of sync until a broker returns.

    Why: a broker holds at most one replica of a partition, and Kafka does not create a replica elsewhere by itself.
    Fix: start the missing brokers; if a broker is gone for good, reassign its replicas.
    Bad:
        brokers 1 2 !3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2
    Good:
        brokers 1 2 3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2,3
    See: https://kafka.apache.org/documentation/#basic_ops_cluster_expansion
    """
    replicas, alive = partition.live("replicas"), partition.live("brokers alive")
    if replicas > alive:
        yield Problem(
            "replicas",
            f"{replicas} replicas need {replicas} brokers, {alive} {'is' if alive == 1 else 'are'} alive",
            f"at most {alive}",
        )


@rule("KA313", "low", dev="info", aim="set auto.leader.rebalance.enable=true")
def preferred_leaders_away(running_cluster: Subject) -> Problems:
    """Many partitions are not led by their preferred replica, although it is in sync.

    Why: after restarts leadership stays with the replicas that took over, and so does the load.
    Fix: set auto.leader.rebalance.enable=true (the default), or run kafka-leader-election.sh --election-type preferred.
    Bad:
        brokers 1 2
        topic orders
        0: leader 2 replicas 1,2 isr 1,2
        1: leader 2 replicas 2,1 isr 1,2
    Good:
        brokers 1 2
        topic orders
        0: leader 1 replicas 1,2 isr 1,2
        1: leader 2 replicas 2,1 isr 1,2
    See: https://kafka.apache.org/documentation/#basic_ops_leader_balancing
    """
    away, total = running_cluster.live("led by another"), running_cluster.live("partitions")
    applies(total, "no partition")
    if away * 100 > ALLOWED * total:
        yield Problem(
            "led by another",
            f"{away} of {total} partitions {'is' if away == 1 else 'are'} not led by the preferred replica",
            f"at most {ALLOWED} %",
        )


@rule("KA314", "low", dev="info", each=("leaders", "replicas"))
def load_is_uneven(running_cluster: Subject, what: str) -> Problems:
    """One broker carries far more leaders or replicas than the others.

    Why: that broker is the first to run out of disk, network or threads, while the others idle. A new broker gets no
        partitions by itself.
    Fix: move partitions with kafka-reassign-partitions.sh or Cruise Control; to move only leaders, run
        kafka-leader-election.sh --election-type preferred.
    Bad:
        brokers 1 2
        topic orders
        0-39: leader 1 replicas 1 isr 1
    Good:
        brokers 1 2
        topic orders
        0: leader 1 replicas 1,2 isr 1,2
        1: leader 2 replicas 2,1 isr 1,2
    See: https://kafka.apache.org/documentation/#basic_ops_cluster_expansion
    """
    counts = running_cluster.live(what)
    applies(len(counts) > 1, "one broker is all there is")
    mean = sum(counts) / len(counts)
    applies(mean >= ENOUGH, "too few to tell")
    if counts[-1] > mean * TOLERATED:
        text = f"one broker has {counts[-1]} {what}, the average is {mean:.0f}, the least {counts[0]}"
        yield Problem(what, text, f"at most {mean * TOLERATED:.0f}")
