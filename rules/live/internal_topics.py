"""Internal topics of a running cluster: the replicas they really have, and the groups that stand still with them."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule
from rules.claims import single_home

FAMILY = "internal-topics"
FACTORS = {
    "offsets": "offsets.topic.replication.factor",
    "transactions": "transaction.state.log.replication.factor",
    "share": "share.coordinator.state.topic.replication.factor",
}
NAMES = {
    "offsets.topic.replication.factor": "__consumer_offsets",
    "transaction.state.log.replication.factor": "__transaction_state",
    "default.replication.factor": "",
}
STOPS = {
    "offsets": "the groups on it stop",
    "transactions": "the transactions on it stop",
    "share": "the share groups on it stop",
}


@rule("KA410", "critical", dev="low", staging="high")
def internal_replicas_too_few(partition: Subject, cluster: Subject) -> Problems:
    """An internal topic has fewer than three replicas, and everything that needs it stops with one broker.

    Why: internal topics keep the factor they were created with. A cluster that began with one broker, or was given
        offsets.topic.replication.factor=3 later, still has them at 1: when that broker is down the groups and
        transactions whose partition is there can neither commit nor join, while every dashboard shows two brokers up.
    Fix: raise the factor of the topic to 3 with kafka-reassign-partitions.sh; changing the setting does nothing.
    Bad:
        brokers 1 2 3
        topic __consumer_offsets cleanup.policy=compact
        0: leader 1 replicas 1 isr 1
    Good:
        brokers 1 2 3
        topic __consumer_offsets cleanup.policy=compact
        0: leader 1 replicas 1,2,3 isr 1,2,3
    See: https://kafka.apache.org/documentation/#brokerconfigs_offsets.topic.replication.factor
    Proof: the broker of the only replica is killed
    """
    use, replicas = partition.live("use"), partition.live("replicas")
    applies(use != "user", "not an internal topic")
    applies(partition.live("brokers alive") > 1, "one broker is all there is")
    if 0 < replicas < 3:
        key = FACTORS.get(use)
        at: list[object] = [partition.at("replicas"), *([cluster.at(key)] if key else [])]
        text = f"{replicas} of 3 replicas: with one broker {STOPS.get(use, 'it stops')}"
        yield Problem(at, text, "3", step=-2 * (replicas == 2), claim=single_home(replicas))  # type: ignore[arg-type]


@rule("KA411", "high", dev="low", each=(*NAMES,))
def factor_above_brokers(cluster: Subject, key: str) -> Problems:
    """More replicas are asked for than there are brokers: the topic cannot be created.

    Why: with KRaft the registered brokers count, with ZooKeeper the live ones. Where they do not suffice nothing is
        created: groups, commits and transactions hang without an error until another broker comes.
    Fix: start the missing brokers, or lower the factor until there are three.
    Bad:
        brokers 1 2
        broker * offsets.topic.replication.factor=3
    Good:
        brokers 1 2 3
        broker * offsets.topic.replication.factor=3
    See: https://kafka.apache.org/documentation/#brokerconfigs_offsets.topic.replication.factor
    """
    name = NAMES[key]
    alive, registered = cluster.live("brokers alive"), cluster.live("brokers registered")
    applies(not name or name not in cluster.live("internal topics"), "the topic exists: KA410 judges it as it is")
    counts = alive if cluster.live("metadata") == "zookeeper" else registered
    replicas = cluster.int(key)
    if replicas > counts:
        what = name or "a new topic"
        lower = -1 if name and not cluster.is_set(key) else 0
        yield Problem(key, f"{what} needs {replicas} brokers, there are {counts}", f"at most {counts}", step=lower)


@rule("KA412", "critical", dev="high")
def group_stands_still(group: Subject) -> Problems:
    """The group stands still: the partition of __consumer_offsets that it lives on has no leader.

    Why: a group's coordinator is the leader of one partition of __consumer_offsets. Without it members can neither
        join nor commit; consumers that run go silent, and the client reports nothing but timeouts.
    Fix: start the broker that has the partition; then raise the topic's factor to 3.
    Bad:
        brokers 1 !2 3
        topic __consumer_offsets cleanup.policy=compact
        0: leader none replicas 2 isr 2
        group pay state=STABLE members=2
    Good:
        brokers 1 2 3
        topic __consumer_offsets cleanup.policy=compact
        0: leader 2 replicas 2 isr 2
        group pay state=STABLE members=2
    See: https://kafka.apache.org/documentation/#impl_offsettracking
    """
    if group.live("coordinator") == "none":
        yield Problem("coordinator", "its partition of __consumer_offsets has no leader", "a coordinator")


@rule("KA413", "critical", dev="high")
def groups_out_of_reach(partition: Subject) -> Problems:
    """A partition of __consumer_offsets has no leader: the groups on it stand still and are not even listed.

    Why: groups are listed by their coordinators, the leaders of this topic's partitions. Without a leader nobody
        names the groups that live there; they cannot commit, join or read.
    Fix: start the broker that has the partition; then raise the topic's factor to 3.
    Bad:
        brokers 1 !2 3
        topic __consumer_offsets cleanup.policy=compact
        0: leader none replicas 2 isr 2
    Good:
        brokers 1 2 3
        topic __consumer_offsets cleanup.policy=compact
        0: leader 2 replicas 2,3 isr 2,3
    See: https://kafka.apache.org/documentation/#impl_offsettracking
    """
    applies(partition.live("use") == "offsets", "not __consumer_offsets")
    if partition.live("leader") == "none":
        yield Problem("leader", "every group whose name falls on it stands still", "a leader")
