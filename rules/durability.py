"""Durability: what can lose acknowledged records."""

from __future__ import annotations

from advisor.facts import (
    ELR_BY_DEFAULT,
    KRAFT,
    WITH_ELR,
    cluster_min_isr,
    condition_of_min_isr,
    counts_without_elr,
    depends_on_elr,
    is_beside_controllers,
    key_names,
    min_isr,
    min_isr_without_elr,
    mode,
    roles,
    written,
)
from advisor.rule import LITERAL, Problem, Problems, Subject, Unknown, applies, rule
from rules import count, every
from rules.claims import few_replicas, lone_leader, stale_leader, unconfirmed

WHICH_MIN_ISR = (
    "whether the cluster has eligible leader replicas (formatted by Kafka 4.1 or newer): without them the "
    "brokers' min.insync.replicas={} counts, not the controllers'"
)
NEVER = 2**62
"""Beyond this an interval is none."""


@rule("KA101", "high", dev="medium", regulated="critical", aim="set acks=all", fix="unsafe")
def acks_not_all(producer: Subject) -> Problems:
    """A producer that does not wait for all in-sync replicas loses records that it counts as sent.

    Why: with acks=1 the leader acknowledges before any follower has the record, so its failure loses the record; with
        acks=0 the broker acknowledges nothing. min.insync.replicas protects only acks=all. Beside
        enable.idempotence=false it is a decision for speed, and one severity lower.
    Fix: set acks=all (the default since Kafka 3.0) and keep min.insync.replicas=2 on topics with three replicas.
    Bad:
        bootstrap.servers=b1:9092,b2:9092
        acks=1
    Good:
        bootstrap.servers=b1:9092,b2:9092
        acks=all
    See: KIP-679, https://kafka.apache.org/documentation/#producerconfigs_acks
    Proof: acks=1, three replicas: kill the leader
    """
    acks = producer.str("acks").lower()
    if acks in ("0", "1"):
        alone = "the leader alone acknowledges a record: its failure loses what no follower has yet"
        text = "no broker acknowledges a record: one that never arrives counts as sent" if acks == "0" else alone
        asks = producer.is_set("enable.idempotence") and producer.bool("enable.idempotence")
        cause = "KA1003" if asks else None
        yield Problem("acks", text, "all", step=-is_deliberate(producer), claim=unconfirmed(acks), cause=cause)


def is_deliberate(producer: Subject) -> bool:
    """Whether acks stands beside enable.idempotence=false: a decision for speed."""
    return {"acks", "enable.idempotence"} <= key_names(producer) and not producer.bool("enable.idempotence")


@rule("KA102", "high", dev="low", regulated="critical", aim="set min.insync.replicas=2", fix="unsafe")
def min_isr_1(node: Subject) -> Problems:
    """With min.insync.replicas=1 the leader alone may acknowledge acks=all writes, and its failure loses them.

    Why: acks=all waits for the replicas that are in sync at that moment. Once the followers have fallen behind, that is
        the leader alone, and its next failure loses every record it has acknowledged since.
    Fix: set min.insync.replicas=2 with three replicas, on a running cluster with eligible leader replicas (formatted by
        Kafka 4.1 or newer) by kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type brokers
        --entity-default --add-config min.insync.replicas=2, which Strimzi does by itself. Such a cluster takes the value
        from the controllers' files only when it is formatted.
    Care: topics with two replicas then stop accepting acks=all writes at every restart of a broker, topics with one
        replica (up to Kafka 3.6) at once: with __consumer_offsets, that stops commits. The value counts for every topic
        without one of its own. List the topics with fewer than three replicas, raise them by reassignment, and set the
        key last.
    Bad (3.9):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        default.replication.factor=3
    Good (3.9):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        default.replication.factor=3
        min.insync.replicas=2
    See: KIP-966, https://kafka.apache.org/documentation/#brokerconfigs_min.insync.replicas
    Proof: acks=all, three replicas, min.insync.replicas=1: followers lag, then kill the leader
    """
    beside = is_beside_controllers(node) and depends_on_elr(node)
    applies(not (beside and node.int("min.insync.replicas") > 1), "the controllers' files are judged")
    least = node.int("min.insync.replicas") if counts_without_elr(node) else min_isr(node)
    if least < 2:
        condition = condition_of_min_isr(node)
        text = f"the leader alone may acknowledge acks=all writes, and its failure loses them{condition}"
        edit = None if three_replicas(node, "default.replication.factor") else ""
        claim = lone_leader(1, node.version())
        yield Problem("min.insync.replicas", text, "2", claim=claim, fix=edit, likely=bool(condition))


def three_replicas(config: Subject, key: str) -> bool:
    """Whether a key says three replicas for sure: with fewer, two in sync would stop writes at a restart."""
    if not written(config, key) or config.shape(key) != LITERAL:
        return False
    replicas = config.text(key).strip()
    return replicas.isdecimal() and int(replicas) >= 3


@rule("KA103", "high", dev="low", regulated="critical", aim="set default.replication.factor=3")
def default_rf_low(node: Subject) -> Problems:
    """Topics created without a replication factor get fewer than three replicas.

    Why: one replica is lost with its disk and offline with its broker; two replicas leave no room for a failure during
        a restart. The default of default.replication.factor is 1.
    Fix: set default.replication.factor=3, in KRaft on brokers and controllers (existing topics keep their replicas).
    Care: a cluster with fewer than three brokers cannot create topics with this default. Set it once there are three
        brokers.
    Bad:
        process.roles=broker,controller
        node.id=1
    Good:
        process.roles=broker,controller
        node.id=1
        default.replication.factor=3
    See: https://kafka.apache.org/documentation/#brokerconfigs_default.replication.factor
    Proof: one replica: lose the disk
    """
    replicas = node.int("default.replication.factor")
    lower = -1 if replicas == 2 or "broker" not in roles(node) else 0
    if replicas < 3:
        text = f"new topics get {count(replicas, 'replica')} instead of 3"
        yield Problem("default.replication.factor", text, "3", step=lower, claim=few_replicas(replicas))


@rule("KA104", "critical", dev="medium", staging="high", aim="remove unclean.leader.election.enable", fix="unsafe")
def unclean_election(node: Subject) -> Problems:
    """Unclean leader election lets a replica that missed records become leader, and those records are lost.

    Why: when every in-sync replica is down, a stale one becomes leader and the others truncate their logs to match it:
        acknowledged records vanish without an error. In KRaft, releases before 3.9 ignore the key, and later ones read it
        from the controllers' files.
    Fix: remove unclean.leader.election.enable (default false). Where availability matters more than records, set it on
        that topic alone, or run an unclean election by hand (2.4 and newer: kafka-leader-election.sh --election-type
        unclean).
    Bad (3.9):
        zookeeper.connect=z1:2181
        broker.id=1
        unclean.leader.election.enable=true
    Good (3.9):
        zookeeper.connect=z1:2181
        broker.id=1
        unclean.leader.election.enable=false
    See: KAFKA-12670, https://kafka.apache.org/documentation/#brokerconfigs_unclean.leader.election.enable
    Proof: followers lag, then kill the leader
    """
    ignored = mode(node) == KRAFT and not node.at_least((3, 9))
    applies(not (ignored and node.is_set("unclean.leader.election.enable")), "KRaft ignores the key before Kafka 3.9")
    applies(not is_beside_controllers(node), "the controllers read it from their own files")
    if node.bool("unclean.leader.election.enable"):
        text = "a replica that missed acknowledged records may become leader, and they are lost"
        claim = stale_leader(True, node.version())
        yield Problem("unclean.leader.election.enable", text, "false", claim=claim)


@rule("KA105", "low", dev="info", each=("log.flush.interval.messages", "log.flush.interval.ms"), aim="by hand: weaker")
def forced_flush(broker: Subject, key: str) -> Problems:
    """The broker flushes its logs to disk every few records or seconds, although replication protects the records.

    Why: an fsync of every log costs throughput and latency; a record is safe because other brokers have it, not because
        one disk has. Kafka leaves flushing to the operating system.
    Fix: use three replicas, min.insync.replicas=2 and acks=all, then remove log.flush.interval.messages and
        log.flush.interval.ms.
    Bad:
        process.roles=broker
        node.id=1
        log.flush.interval.messages=10000
    Good:
        process.roles=broker
        node.id=1
        log.dirs=/var/lib/kafka/data
    See: https://kafka.apache.org/documentation/#appvsosflush
    """
    applies(written(broker, key), "flushing is left to the operating system")
    limit = broker.int(key)
    if limit < NEVER:
        often = f"every {limit} ms" if key.endswith("ms") else every(limit, "record")
        yield Problem(key, f"an fsync {often} costs throughput and latency", "not set")


@rule("KA106", "info", since=ELR_BY_DEFAULT, confidence="likely", aim="by hand: choice")
def min_isr_shadowed(broker: Subject) -> Problems:
    """min.insync.replicas in a broker's file has no effect where the cluster has eligible leader replicas.

    Why: a cluster formatted by Kafka 4.1 or newer has a cluster-wide value, taken from the controllers' files when it
        is formatted (1 if they do not set it), which overrides every broker's file.
    Fix: for a new cluster, set min.insync.replicas in the controllers' files before formatting it; on a running cluster
        use kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type brokers --entity-default --add-config
        min.insync.replicas=2.
    Care: the command takes effect at once on every topic without a value of its own, and may stop acks=all writes to
        it. Raise topics with fewer than three replicas by reassignment first.
    Bad (4.1):
        process.roles=broker
        node.id=1
        min.insync.replicas=2
    Good (4.1):
        process.roles=broker,controller
        node.id=1
        min.insync.replicas=2
    See: KIP-966, https://kafka.apache.org/documentation/#eligible_leader_replicas
    """
    alone = mode(broker) == KRAFT and set(roles(broker)) == {"broker"}
    applies(not broker.running(), "a running broker says what counts: KA165 compares it with its file")
    applies(not broker.fragment(), "the platform gives its controllers the same")
    applies(alone and written(broker, "min.insync.replicas"), "not set on a node with the broker role alone")
    here = broker.int("min.insync.replicas")
    theirs = broker.int_of_other_role("min.insync.replicas")
    if theirs is None or theirs < here:
        text = f"the cluster-wide value from the controllers' files{f', {theirs},' if theirs else ''} overrides the broker's"
        yield Problem("min.insync.replicas", text, f"a cluster-wide min.insync.replicas={here}")


@rule("KA107", "medium", dev="info", staging="low", regulated="high", aim="set min.insync.replicas=2")
def lone_leader_confirms(producer: Subject, cluster: Subject) -> Problems:
    """A producer waits for all in-sync replicas, but the leader may be the only one.

    Why: acks=all means every replica that is in sync at that moment; with min.insync.replicas=1 that may be the leader
        alone, and its failure loses the records it acknowledged.
    Fix: set min.insync.replicas=2 with three replicas (from Kafka 4.1 on, KA102 says in which file).
    Care: topics with two replicas then stop accepting acks=all writes at the next restart of a broker, topics with one
        replica (up to Kafka 3.6) at once. Raise their replication factor first, min.insync.replicas last.
    Bad:
        [producer]
        acks=all
        bootstrap.servers=b1:9092,b2:9092
        [combined]
        process.roles=broker,controller
        node.id=1
        min.insync.replicas=1
    Good:
        [producer]
        acks=all
        bootstrap.servers=b1:9092,b2:9092
        [combined]
        process.roles=broker,controller
        node.id=1
        min.insync.replicas=2
    See: https://kafka.apache.org/documentation/#producerconfigs_acks
    Proof: acks=all, three replicas, min.insync.replicas=1: followers lag, then kill the leader
    """
    applies(producer.kind() != "client" or producer.is_set("acks"), "nothing says that the client produces")
    applies(producer.str("acks").lower() in ("all", "-1"), "the producer does not wait for all")
    least, without_elr = cluster_min_isr(cluster), min_isr_without_elr(cluster)
    if least < 2:
        where = cluster.at("min.insync.replicas")
        text = (
            "the cluster's min.insync.replicas=1 lets the leader alone acknowledge, and its failure loses the records"
        )
        claim, open_elr = lone_leader(1, cluster.version()), without_elr != least
        places = [producer.at("acks"), where]
        yield Problem(places, f"{text}{WITH_ELR * open_elr}", "min.insync.replicas=2", claim=claim, likely=open_elr)
    elif without_elr < 2:
        raise Unknown(WHICH_MIN_ISR.format(without_elr))


@rule("KA108", "medium", dev="info", aim="set acks=all")
def min_isr_without_effect(producer: Subject, cluster: Subject) -> Problems:
    """The topics require several in-sync replicas, but the producer does not wait for them.

    Why: min.insync.replicas applies to acks=all only; with acks=0 or 1 writes go on however few replicas are in sync.
    Fix: set acks=all.
    Bad:
        [producer]
        acks=1
        bootstrap.servers=b1:9092,b2:9092
        [combined]
        process.roles=broker,controller
        node.id=1
        min.insync.replicas=2
    Good:
        [producer]
        acks=all
        bootstrap.servers=b1:9092,b2:9092
        [combined]
        process.roles=broker,controller
        node.id=1
        min.insync.replicas=2
    See: https://kafka.apache.org/documentation/#brokerconfigs_min.insync.replicas
    """
    acks = producer.str("acks")
    applies(acks in ("0", "1"), "the producer waits for all")
    needed = cluster_min_isr(cluster)
    if needed > 1:
        where = cluster.at("min.insync.replicas")
        text = f"min.insync.replicas={needed} has no effect on this producer"
        yield Problem([producer.at("acks"), where], text, "all", step=-1, claim=unconfirmed(acks), cause="KA101")


@rule(
    "KA109",
    "medium",
    dev="info",
    staging="low",
    regulated="high",
    since=(3, 3),
    before=(3, 9),
    aim="remove unclean.leader.election.enable",
)
def unclean_election_dormant(node: Subject) -> Problems:
    """Unclean leader election is enabled and has no effect yet: the upgrade to Kafka 3.9 activates it.

    Why: KRaft ignores unclean.leader.election.enable before 3.9. From the first start of 3.9 a stale replica may become
        leader, and acknowledged records vanish although no setting was changed.
    Fix: remove unclean.leader.election.enable before the upgrade.
    Bad (3.6):
        process.roles=broker,controller
        node.id=1
        unclean.leader.election.enable=true
    Good (3.6):
        process.roles=broker,controller
        node.id=1
        unclean.leader.election.enable=false
    See: KAFKA-12670, https://kafka.apache.org/documentation/#brokerconfigs_unclean.leader.election.enable
    """
    applies(mode(node) == KRAFT, "in ZooKeeper mode it counts")
    if node.bool("unclean.leader.election.enable"):
        text = "KRaft ignores it before 3.9; after the upgrade a stale replica may become leader"
        yield Problem("unclean.leader.election.enable", text, "false")


@rule(
    "KA110", "medium", dev="low", regulated="high", since=(3, 6), aim="remove transaction.partition.verification.enable"
)
def partition_verification_off(broker: Subject) -> Problems:
    """Brokers do not check whether a transaction is still open when they append its records.

    Why: a delayed record may arrive after its transaction has ended. It then opens a transaction that never ends, so
        that read_committed consumers and compaction stop before it, or it becomes part of the producer's next
        transaction. Producers on transaction.version 2 (from 4.0 on) are always checked.
    Fix: remove transaction.partition.verification.enable (default true).
    Bad:
        process.roles=broker
        node.id=1
        transaction.partition.verification.enable=false
    Good:
        process.roles=broker
        node.id=1
        transaction.partition.verification.enable=true
    See: KIP-890, https://kafka.apache.org/documentation/#brokerconfigs_transaction.partition.verification.enable
    """
    if not broker.bool("transaction.partition.verification.enable"):
        text = "a delayed record may open a transaction that never ends"
        yield Problem("transaction.partition.verification.enable", text, "true")
