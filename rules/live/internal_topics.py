"""Internal topics of a running cluster: the replicas they really have, and the groups that stop with them."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import count
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
    "offsets": "the groups on it",
    "transactions": "the transactions on it",
    "share": "the share groups on it",
}


@rule("KA410", "critical", dev="low", staging="high", aim="replicas=3")
def internal_replicas_too_few(partition: Subject, cluster: Subject) -> Problems:
    """An internal topic has fewer than three replicas, and everything that needs it stops with one broker.

    Why: internal topics keep the factor they were created with. A cluster that began with one broker, or set
        offsets.topic.replication.factor=3 only later, still has them at 1: while that broker is down, the groups and
        transactions on its partitions can neither commit nor join, although the other brokers are up.
    Fix: reassign the topic to three replicas with kafka-reassign-partitions.sh: a change of the setting does nothing to
        an existing topic.
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
        text = (
            f"{count(replicas, 'replica')} instead of 3: one broker down stops {STOPS.get(use, 'what needs the topic')}"
        )
        yield Problem(at, text, "3", step=-2 * (replicas == 2), claim=single_home(replicas))  # type: ignore[arg-type]


@rule("KA411", "high", dev="low", each=(*NAMES,), aim="by hand: hardware")
def factor_above_brokers(running_cluster: Subject, key: str) -> Problems:
    """The replication factor is above the number of brokers: the topic cannot be created.

    Why: with KRaft the registered brokers count, with ZooKeeper the live ones. Where they are too few the topic is not
        created: groups, commits and transactions hang without an error until another broker joins.
    Fix: start the missing brokers, or lower the replication factor until there are three.
    Bad:
        brokers 1 2
        broker * offsets.topic.replication.factor=3
    Good:
        brokers 1 2 3
        broker * offsets.topic.replication.factor=3
    See: https://kafka.apache.org/documentation/#brokerconfigs_offsets.topic.replication.factor
    """
    name = NAMES[key]
    alive, registered = running_cluster.live("brokers alive"), running_cluster.live("brokers registered")
    applies(
        not name or name not in running_cluster.live("internal topics"), "the topic exists: KA410 judges it as it is"
    )
    counts = alive if running_cluster.live("metadata") == "zookeeper" else registered
    replicas = running_cluster.int(key)
    if replicas > counts:
        what = name or "a new topic"
        lower = -1 if name and not running_cluster.is_set(key) else 0
        yield Problem(
            key,
            f"{what} needs {count(replicas, 'broker')}, and the cluster has {counts}",
            f"at most {counts}",
            step=lower,
        )


@rule("KA412", "critical", dev="high", aim="in sync")
def group_stands_still(group: Subject) -> Problems:
    """The group has stopped: its partition of __consumer_offsets has no leader.

    Why: a group's coordinator is the leader of one partition of __consumer_offsets. Without a leader members can
        neither join nor commit; running consumers stop, and the clients report only timeouts.
    Fix: start the broker that has the partition, then reassign the topic to three replicas.
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
        yield Problem(
            "coordinator",
            "the group's partition of __consumer_offsets has no leader",
            "a coordinator",
        )


@rule("KA413", "critical", dev="high", aim="in sync")
def groups_out_of_reach(partition: Subject) -> Problems:
    """A partition of __consumer_offsets has no leader: the groups on it have stopped and are not even listed.

    Why: groups are listed by their coordinators, the leaders of this topic's partitions. Without a leader no broker
        lists the groups on that partition, and they cannot commit, join or read.
    Fix: start the broker that has the partition, then reassign the topic to three replicas.
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
        yield Problem("leader", "every group on the partition has stopped", "a leader")
