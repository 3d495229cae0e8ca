"""Consumer groups as they are: dead, empty, or with offsets of topics that are gone."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import count

FAMILY = "consumer"
MUCH = 1_000_000


@rule("KA1160", "low", dev="info", aim="by hand: application")
def group_dead(group: Subject) -> Problems:
    """The group is dead: its coordinator has dropped it.

    Why: a dead group has no members and no metadata; only its name is left, which monitoring still counts.
    Fix: delete the group with kafka-consumer-groups.sh --delete, or start its consumers.
    Bad:
        brokers 1 2 3
        group pay state=DEAD members=0
    Good:
        brokers 1 2 3
        group pay state=STABLE members=2
    See: https://kafka.apache.org/documentation/#basic_ops_consumer_group
    """
    if group.live("state") == "DEAD":
        yield Problem("state", "the coordinator has dropped the group", "STABLE")


@rule("KA1161", "info", aim="by hand: application")
def group_empty(group: Subject) -> Problems:
    """The group has committed offsets but no members: no consumer reads on.

    Why: either its application is down, or the group is no longer used. Its offsets expire after
        offsets.retention.minutes (seven days), and then its consumers start again where auto.offset.reset says.
    Fix: start the group's consumers, or delete the group if it is no longer needed.
    Bad:
        brokers 1 2 3
        group pay state=EMPTY members=0 committed=orders/0:5
    Good:
        brokers 1 2 3
        group pay state=STABLE members=2 committed=orders/0:5
    See: https://kafka.apache.org/documentation/#brokerconfigs_offsets.retention.minutes
    """
    applies(group.live("state") == "EMPTY", "the group has members")
    committed = group.live("committed partitions")
    if committed:
        yield Problem("members", f"no consumer reads on from the offsets of {count(committed, 'partition')}", "some")


@rule("KA1162", "info", aim="by hand: application")
def group_of_gone_topics(group: Subject) -> Problems:
    """The group has committed offsets of topics that no longer exist.

    Why: the topic was deleted or renamed. If a topic of the same name is created, the group skips its first records.
    Fix: run kafka-consumer-groups.sh --delete-offsets for those topics.
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
        yield Problem(
            "topics gone",
            f"the group has offsets of {count(gone, 'topic')} that no longer {'exists' if gone == 1 else 'exist'}",
            "0",
        )


@rule("KA1163", "medium", dev="info", confidence="guess", aim="by hand: application")
def group_far_behind(group: Subject) -> Problems:
    """The group is more than a million records behind.

    Why: the group never reads records that retention deletes first. Whether a million is much depends on the topic.
    Fix: add consumers (up to one per partition), look for slow processing, or raise retention.ms.
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
        yield Problem("lag", "retention may delete records before the group reads them", f"at most {MUCH}")
