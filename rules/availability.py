"""Availability: what keeps partitions writable, brokers in the ISR, and groups able to join."""

from __future__ import annotations

from advisor.facts import (
    KRAFT,
    ZOOKEEPER,
    condition_of_min_isr,
    counts_without_elr,
    depends_on_elr,
    min_isr,
    mode,
    roles,
    written,
)
from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import count, whole
from rules.claims import never_writable, nobody_may_stop

MIN_ISR = "min.insync.replicas"
ASSIGNORS = {
    "group.consumer.assignors": ("uniform", "range"),
    "group.share.assignors": ("simple",),
    "group.streams.assignors": ("sticky",),
}
"""The names of Kafka's own assignors."""
FACTOR_OF = {
    MIN_ISR: "default.replication.factor",
    "transaction.state.log.min.isr": "transaction.state.log.replication.factor",
    "share.coordinator.state.topic.min.isr": "share.coordinator.state.topic.replication.factor",
}
CAPPED = (3, 7)
"""The first release whose brokers take min(min.insync.replicas, replicas) (KAFKA-15583)."""


def min_isr_keys(node: Subject) -> tuple[str, ...]:
    """The settings of in-sync replicas that count on this node: the internal topics' are a broker's."""
    return tuple(FACTOR_OF) if "broker" in roles(node) else (MIN_ISR,)


def required(node: Subject, key: str, replicas: int) -> int:
    """How many replicas a key requires; of two values that may count the higher one, where both are below `replicas`."""
    if key != MIN_ISR or counts_without_elr(node):
        return node.int(key)
    if "broker" in roles(node) and depends_on_elr(node):
        highest = max(node.int(key), node.int_of_other_role(key) or replicas)
        if highest < replicas:
            return highest
    return min_isr(node)


@rule("KA201", "medium", dev="info", staging="low", each=min_isr_keys, aim="by hand: choice")
def min_isr_equals_rf(node: Subject, key: str) -> Problems:
    """Every replica must be in sync, so acks=all writes stop as soon as one broker is down.

    Why: where all replicas are required, the restart of any broker stops acks=all writes to its partitions; on
        __transaction_state it stops transactions. While all brokers are up nothing is blocked.
    Fix: use three replicas with min.insync.replicas=2. With two replicas raise the replication factor: a lower
        min.insync.replicas would let the leader alone acknowledge writes.
    Care: a new replication factor applies to new topics only, and reassigning existing ones copies whole topics over
        the clients' network: use --throttle.
    Bad:
        process.roles=broker,controller
        node.id=1
        default.replication.factor=2
        min.insync.replicas=2
    Good:
        process.roles=broker,controller
        node.id=1
        default.replication.factor=3
        min.insync.replicas=2
    See: https://kafka.apache.org/documentation/#brokerconfigs_min.insync.replicas
    Proof: acks=all, two replicas, min.insync.replicas=2: stop one broker
    """
    replicas = node.int(FACTOR_OF[key])
    needed = required(node, key, replicas)
    if needed == replicas and replicas > 1:
        claim = nobody_may_stop(needed, replicas, node.version())
        wanted = "3 replicas" if replicas < 3 else str(replicas - 1)
        condition = condition_of_min_isr(node) if key == MIN_ISR else ""
        text = f"{whole(replicas)} must be in sync: one broker down stops acks=all writes{condition}"
        yield Problem(key, text, wanted, claim=claim, likely=bool(condition))


@rule("KA202", "high", dev="low", staging="medium", each=min_isr_keys, aim="by hand: choice")
def min_isr_above_rf(node: Subject, key: str) -> Problems:
    """More in-sync replicas are required than a partition has replicas.

    Why: before Kafka 3.7 every acks=all write to such a topic fails with NOT_ENOUGH_REPLICAS. From 3.7 on the broker
        requires the smaller of the two: every replica must be in sync, and no broker may be down.
    Fix: use three replicas with min.insync.replicas=2.
    Care: a new replication factor applies to new topics only, and reassigning existing ones copies whole topics over
        the clients' network: use --throttle. Where writes fail now, a lower requirement lets them succeed at once, with
        less protection.
    Bad:
        process.roles=broker
        node.id=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=2
    Good:
        process.roles=broker
        node.id=1
        transaction.state.log.replication.factor=3
        transaction.state.log.min.isr=2
    See: KAFKA-15583, https://github.com/apache/kafka/pull/14594
    Proof: acks=all, one replica, min.insync.replicas=2, Kafka 3.6
    """
    replicas = node.int(FACTOR_OF[key])
    needed = required(node, key, replicas)
    if needed > replicas:
        capped = node.at_least(CAPPED)
        effect = "one broker down stops acks=all writes" if capped else "every acks=all write fails"
        condition = condition_of_min_isr(node) if key == MIN_ISR else ""
        text = f"{needed} replicas must be in sync, but a partition has only {replicas}: {effect}{condition}"
        wanted = f"< {replicas}" if replicas > 2 else "3 replicas"
        claim = never_writable(needed, replicas, node.version())
        step = -1 if capped else 0
        yield Problem([key, FACTOR_OF[key]], text, wanted, step=step, claim=claim, likely=bool(condition))


@rule("KA203", "medium", dev="info", aim="remove controlled.shutdown.enable")
def controlled_shutdown_off(broker: Subject) -> Problems:
    """A broker that shuts down does not hand over its partitions' leadership first.

    Why: with controlled.shutdown.enable=false every partition that the broker leads has no leader until the controller
        notices that the broker is gone: each restart is a failure.
    Fix: remove controlled.shutdown.enable (default true).
    Bad:
        process.roles=broker
        node.id=1
        controlled.shutdown.enable=false
    Good:
        process.roles=broker
        node.id=1
        controlled.shutdown.enable=true
    See: https://kafka.apache.org/documentation/#brokerconfigs_controlled.shutdown.enable
    """
    if not broker.bool("controlled.shutdown.enable"):
        yield Problem(
            "controlled.shutdown.enable", "the broker's partitions have no leader while it shuts down", "true"
        )


@rule("KA204", "low", dev="info", aim="remove auto.leader.rebalance.enable")
def leader_rebalance_off(node: Subject) -> Problems:
    """Leadership does not return to the preferred replicas after a restart.

    Why: with auto.leader.rebalance.enable=false a broker that restarted leads nothing and the others carry its load
        until an operator runs a preferred leader election.
    Fix: remove auto.leader.rebalance.enable (default true), unless Cruise Control or an operator moves leaders.
    Bad:
        process.roles=broker
        node.id=1
        auto.leader.rebalance.enable=false
    Good:
        process.roles=broker
        node.id=1
        auto.leader.rebalance.enable=true
    See: https://kafka.apache.org/documentation/#brokerconfigs_auto.leader.rebalance.enable
    """
    if not node.bool("auto.leader.rebalance.enable"):
        yield Problem("auto.leader.rebalance.enable", "a broker that restarted leads no partition", "true")


@rule("KA205", "low", dev="info", aim="remove replica.lag.time.max.ms")
def replica_lag_time(broker: Subject) -> Problems:
    """Followers leave the ISR too soon or far too late.

    Why: at a few seconds a garbage collection pause takes followers out of the ISR; at minutes a follower that hangs
        delays every acks=all write for that long. A dead follower leaves when its broker's session ends, whatever this
        key says. The default is 30 seconds (10 before 2.5).
    Fix: remove replica.lag.time.max.ms (default 30000).
    Bad:
        process.roles=broker
        node.id=1
        replica.lag.time.max.ms=2000
    Good:
        process.roles=broker
        node.id=1
        replica.lag.time.max.ms=30000
    See: KIP-537, https://kafka.apache.org/documentation/#brokerconfigs_replica.lag.time.max.ms
    """
    lag = broker.int("replica.lag.time.max.ms")
    if not 5_000 <= lag <= 60_000:
        slow = "a follower that hangs delays acks=all writes for that long"
        text = "a short pause takes followers out of the ISR" if lag < 5_000 else slow
        yield Problem("replica.lag.time.max.ms", text, "5000 to 60000")


@rule(
    "KA206",
    "critical",
    each=("replica.socket.timeout.ms", "replica.lag.time.max.ms"),
    refuses=True,
    aim="remove replica.fetch.wait.max.ms",
)
def replica_fetch_wait(node: Subject, key: str) -> Problems:
    """A follower's fetch may wait longer than its own timeout or the allowed lag, and Kafka refuses to start.

    Why: with replica.fetch.wait.max.ms above replica.socket.timeout.ms a fetch that finds no records would time out;
        above replica.lag.time.max.ms followers of idle partitions would leave the ISR.
    Fix: remove replica.fetch.wait.max.ms (default 500), or raise the limit that it exceeds.
    Bad:
        process.roles=broker
        node.id=1
        replica.fetch.wait.max.ms=40000
    Good:
        process.roles=broker
        node.id=1
        replica.fetch.wait.max.ms=500
    See: kafka.server.KafkaConfig.validateValues
    """
    wait, limit = node.int("replica.fetch.wait.max.ms"), node.int(key)
    if wait > limit:
        first = "replica.fetch.wait.max.ms" if written(node, "replica.fetch.wait.max.ms") else key
        yield Problem(first, f"a fetch may wait {wait} ms, longer than {key}={limit}", f"<= {limit}", refused=True)


@rule("KA207", "high", dev="medium", aim="remove num.replica.fetchers")
def no_replica_fetchers(broker: Subject) -> Problems:
    """With num.replica.fetchers=0 a broker replicates nothing: its followers never fetch a record.

    Why: releases before 4.2 start with it; every follower on this broker leaves the ISR.
    Fix: remove num.replica.fetchers (default 1).
    Bad (3.9):
        process.roles=broker
        node.id=1
        num.replica.fetchers=0
    Good (3.9):
        process.roles=broker
        node.id=1
        num.replica.fetchers=2
    See: https://kafka.apache.org/documentation/#brokerconfigs_num.replica.fetchers
    """
    if broker.int("num.replica.fetchers") < 1:
        yield Problem("num.replica.fetchers", "the broker's followers never fetch a record", ">= 1")


@rule("KA209", "critical", since=(3, 7), refuses=True, aim="by hand: choice")
def group_protocols(node: Subject) -> Problems:
    """group.coordinator.rebalance.protocols names protocols that the coordinator lacks, and Kafka refuses to start.

    Why: the classic protocol cannot be left out, and ZooKeeper mode has no consumer protocol.
    Fix: remove group.coordinator.rebalance.protocols, or in 3.7 to 3.9 set it to classic,consumer where the new
        protocol is wanted (KRaft only; early access in 3.7, then a preview). From 4.0 on the features group.version,
        share.version and streams.version decide.
    Bad:
        process.roles=broker
        node.id=1
        group.coordinator.rebalance.protocols=consumer
    Good:
        process.roles=broker
        node.id=1
        group.coordinator.rebalance.protocols=classic,consumer
    See: KIP-848, KIP-1237, kafka.server.KafkaConfig.groupCoordinatorRebalanceProtocols
    """
    key = "group.coordinator.rebalance.protocols"
    applies(node.is_set(key), "left at its default")
    named = [name.lower() for name in node.list(key)]
    if "classic" not in named:
        yield Problem(key, "the classic protocol cannot be switched off", "classic,consumer", refused=True)
    elif "consumer" in named and mode(node) == ZOOKEEPER and node.at_least((3, 8)):
        yield Problem(key, "the consumer protocol needs KRaft", "classic", refused=True)


@rule("KA210", "high", dev="medium", aim="by hand: choice")
def group_session_limits(broker: Subject) -> Problems:
    """The minimum session timeout is above the maximum, so no classic consumer can join a group.

    Why: every session.timeout.ms is below the minimum or above the maximum and fails with INVALID_SESSION_TIMEOUT.
    Fix: keep group.min.session.timeout.ms (6000) below group.max.session.timeout.ms (1800000).
    Bad:
        process.roles=broker
        node.id=1
        group.min.session.timeout.ms=60000
        group.max.session.timeout.ms=30000
    Good:
        process.roles=broker
        node.id=1
        group.min.session.timeout.ms=6000
        group.max.session.timeout.ms=300000
    See: https://kafka.apache.org/documentation/#brokerconfigs_group.min.session.timeout.ms
    """
    low, high = broker.int("group.min.session.timeout.ms"), broker.int("group.max.session.timeout.ms")
    if low > high:
        keys = ["group.min.session.timeout.ms", "group.max.session.timeout.ms"]
        text = f"a session must last at least {low} ms and at most {high} ms: no classic consumer can join"
        yield Problem(list(keys), text, f"<= {high}")


@rule("KA211", "medium", dev="low", since=(2, 8), aim="remove controller.quorum.fetch.timeout.ms")
def quorum_timeouts(node: Subject) -> Problems:
    """The controllers' timeouts are so short that a brief pause starts an election.

    Why: a voter that hears nothing from the leader for controller.quorum.fetch.timeout.ms starts an election, during
        which no partition can change its leader.
    Fix: remove controller.quorum.fetch.timeout.ms (default 2000) and controller.quorum.election.timeout.ms (default
        1000).
    Bad:
        process.roles=controller
        node.id=1
        controller.quorum.fetch.timeout.ms=100
    Good:
        process.roles=controller
        node.id=1
        controller.quorum.fetch.timeout.ms=2000
    See: KIP-595, https://kafka.apache.org/documentation/#brokerconfigs_controller.quorum.fetch.timeout.ms
    """
    applies(mode(node) == KRAFT, "no KRaft node")
    keys = ("controller.quorum.fetch.timeout.ms", "controller.quorum.election.timeout.ms")
    short = [key for key in keys if node.int(key) < 500]
    if short:
        yield Problem(short[0], f"a pause of {node.int(short[0])} ms starts a controller election", ">= 500")


@rule("KA212", "critical", since=(3, 6), each=tuple(ASSIGNORS), refuses=True, aim="by hand: choice")
def group_assignor_unknown(node: Subject, key: str) -> Problems:
    """A group assignor is neither a built-in one nor a class, and Kafka refuses to start.

    Why: the built-in ones are uniform and range for consumer groups (by these names from 4.0 on), simple for share
        groups and sticky for Streams groups; any other name is loaded as a class. Share groups have exactly one
        assignor.
    Fix: remove group.consumer.assignors, group.share.assignors or group.streams.assignors, or name a class with its
        package.
    Bad:
        process.roles=broker
        node.id=1
        group.consumer.assignors=sticky
    Good:
        process.roles=broker
        node.id=1
        group.consumer.assignors=uniform,range
    See: KIP-848, KIP-932, org.apache.kafka.coordinator.group.GroupCoordinatorConfig
    """
    applies(written(node, key), "left at its default")
    named = [name for name in node.list(key) if name or not node.at_least((4, 2))]
    own = ASSIGNORS[key] if node.at_least((4, 0)) else ()
    wrong = [name for name in named if name not in own and "." not in name]
    if wrong:
        yield Problem(key, no_assignor(wrong[0]), ", ".join(own) or "a class", refused=True)
    elif key.startswith("group.share") and len(set(named)) != 1:
        yield Problem(key, f"share groups need exactly one assignor, and {len(named)} are named", "one", refused=True)


def no_assignor(name: str) -> str:
    """What is wrong with an entry that is not an assignor."""
    return f"there is no assignor {name}" if name else "an entry is empty"


@rule("KA213", "low", dev="info", each=("group.max.size", "group.consumer.max.size"), aim="remove")
def group_size_low(broker: Subject, key: str) -> Problems:
    """A group may have only a few members, and the next consumer that joins is refused.

    Why: the limit holds for every group of the cluster; a member beyond it fails with GroupMaxSizeReachedException,
        even in a rolling restart, where new instances join before old ones have left.
    Fix: remove group.max.size or group.consumer.max.size, or set it above the most members that one group will ever
        have.
    Bad:
        process.roles=broker
        node.id=1
        group.max.size=5
    Good:
        process.roles=broker
        node.id=1
        group.max.size=1000
    See: KIP-389, https://kafka.apache.org/documentation/#brokerconfigs_group.max.size
    """
    most = broker.int(key)
    if most < 20:
        yield Problem(key, f"a group holds {count(most, 'member')}: the next consumer is refused", "unset")


FACTOR_OF_TOPIC = "replication.factor"


@rule("KA215", "medium", dev="info", staging="low", aim="by hand: choice")
def topic_without_a_spare_replica(topic: Subject) -> Problems:
    """The topic requires all its replicas in sync, so acks=all writes stop as soon as one broker is down.

    Why: where all replicas are required, the restart of any broker stops acks=all writes to the topic's partitions. Above the number
        of replicas every acks=all write fails with NOT_ENOUGH_REPLICAS before Kafka 3.7; from 3.7 on the broker requires the
        smaller of the two.
    Fix: set min.insync.replicas to one less than the topic has replicas, with three replicas at least.
    Care: a lower value protects the records less as soon as it is set. Strimzi with spec.cruiseControl and
        Aiven's provider reassign an existing topic in place; elsewhere a new number of replicas in the declaration changes nothing, or
        makes the tool delete and recreate it: reassign its partitions first.
    Bad (topic):
        replication.factor=3
        min.insync.replicas=3
    Good (topic):
        replication.factor=3
        min.insync.replicas=2
    See: KAFKA-15583, https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    Proof: acks=all, three replicas, min.insync.replicas=3: stop one broker
    """
    applies(written(topic, MIN_ISR) and topic.is_set(FACTOR_OF_TOPIC), "the cluster's value or replicas count")
    needed, replicas = topic.int(MIN_ISR), topic.int(FACTOR_OF_TOPIC)
    is_capped = topic.at_least(CAPPED)
    wanted = "3 replicas" if replicas < 3 else str(replicas - 1)
    if needed > replicas > 0 and not is_capped:
        text = f"{needed} replicas must be in sync, but the topic has only {replicas}: every acks=all write fails"
        claim = never_writable(needed, replicas, topic.version())
        yield Problem([MIN_ISR, FACTOR_OF_TOPIC], text, wanted, step=1, claim=claim)
    elif needed >= replicas > 1:
        claim = nobody_may_stop(replicas, replicas, topic.version())
        text = f"{whole(replicas)} must be in sync: one broker down stops acks=all writes"
        yield Problem(MIN_ISR, text, wanted, claim=claim)


@rule("KA214", "info", confidence="guess", aim="by hand: weaker")
def min_isr_3(topic: Subject) -> Problems:
    """Three or more in-sync replicas are required: with three replicas, one broker down stops acks=all writes.

    Why: where every replica is required, the restart of any broker stops the producers. Only a topic with more replicas
        than that tolerates a restart; the file does not say how many it has.
    Fix: set min.insync.replicas=2 with three replicas, or give the topic one replica more than it requires.
    Care: a lower value protects the records less as soon as it is set, and a reassignment copies the whole topic: use
        --throttle.
    Bad (topic):
        cleanup.policy=delete
        min.insync.replicas=3
    Good (topic):
        cleanup.policy=delete
        min.insync.replicas=2
    See: https://kafka.apache.org/documentation/#topicconfigs_min.insync.replicas
    """
    is_counted = topic.running() or topic.is_set(FACTOR_OF_TOPIC)
    applies(written(topic, MIN_ISR) and not is_counted, "the cluster's value counts, or the replicas are known")
    needed = topic.int(MIN_ISR)
    if needed >= 3:
        yield Problem(MIN_ISR, f"with {needed} replicas one broker down stops acks=all writes", "2")
