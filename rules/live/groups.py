"""Consumer groups as they are: dead, empty, or with offsets of topics that are gone."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule

FAMILY = "consumer"
MUCH = 1_000_000


@rule("KA1160", "low", dev="info")
def group_dead(group: Subject) -> Problems:
    """The group is dead: its coordinator has given it up.

    Why: a dead group has no members and no metadata; what is left of it is a name that monitoring still counts.
    Fix: delete it with kafka-consumer-groups.sh --delete, or start its consumers.
    Bad:
        brokers 1 2 3
        group pay state=DEAD members=0
    Good:
        brokers 1 2 3
        group pay state=STABLE members=2
    See: https://kafka.apache.org/documentation/#basic_ops_consumer_group
    """
    if group.live("state") == "DEAD":
        yield Problem("state", "dead", "STABLE")


@rule("KA1161", "info")
def group_empty(group: Subject) -> Problems:
    """The group has committed offsets and no member: nobody reads on.

    Why: either its application is down, or the group is left over. Its offsets expire after
        offsets.retention.minutes (seven days), and then it begins anew where auto.offset.reset says.
    Fix: start the consumers; delete the group if it is not needed any more.
    Bad:
        brokers 1 2 3
        group pay state=EMPTY members=0 committed=orders/0:5
    Good:
        brokers 1 2 3
        group pay state=STABLE members=2 committed=orders/0:5
    See: https://kafka.apache.org/documentation/#brokerconfigs_offsets.retention.minutes
    """
    applies(group.live("state") == "EMPTY", "it has members")
    committed = group.live("committed partitions")
    if committed:
        yield Problem("members", f"no member, offsets of {committed} partitions", "some")


@rule("KA1162", "info")
def group_of_gone_topics(group: Subject) -> Problems:
    """The group has committed offsets of topics that are gone.

    Why: the topic was deleted or renamed. If one of the same name is created, the group skips its first records.
    Fix: kafka-consumer-groups.sh --delete-offsets for those topics.
    Bad:
        brokers 1 2 3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2,3
        group pay state=STABLE members=2 committed=gone/0:5
    Good:
        brokers 1 2 3
        topic orders
        0: leader 1 replicas 1,2,3 isr 1,2,3
        group pay state=STABLE members=2 committed=orders/0:5
    See: https://kafka.apache.org/documentation/#basic_ops_consumer_group
    """
    gone = group.live("topics gone")
    if gone:
        yield Problem("topics gone", f"{gone} topics", "0")


@rule("KA1163", "medium", dev="info", confidence="guess")
def group_far_behind(group: Subject) -> Problems:
    """The group is more than a million records behind.

    Why: what it has not read when retention deletes it is lost to it. Whether a million is much depends on the topic.
    Fix: add consumers (up to one per partition), look for slow processing, or lengthen retention.
    Bad:
        brokers 1 2 3
        group pay state=STABLE members=2 committed=orders/0:5 lag=2000000
    Good:
        brokers 1 2 3
        group pay state=STABLE members=2 committed=orders/0:5 lag=10
    See: https://kafka.apache.org/documentation/#basic_ops_consumer_lag
    """
    lag = group.live("lag")
    if lag > MUCH:
        yield Problem("lag", f"{lag} records", f"at most {MUCH}")
