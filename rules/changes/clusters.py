"""Changes of the cluster that clients talk to: another one, or one that has fewer topics."""

from __future__ import annotations

from advisor.facts import is_local
from advisor.rule import (
    AT_ONCE,
    CHANGED,
    CLIENT_START,
    LOST,
    NEW_ONLY,
    WEAKER,
    Problem,
    Problems,
    Subject,
    applies,
    rule,
)
from rules.topology import brokers_texts

BOOTSTRAP = "bootstrap.servers"
CLIENTS = ("producer", "consumer", "client", "streams", "connect")


def hosts(client: Subject) -> set[str]:
    """The hosts of bootstrap.servers; those of the own machine are one."""
    addresses = [entry.rpartition("://")[2] for entry in client.list(BOOTSTRAP) if entry]
    names = {(address.rpartition(":")[0] or address).strip("[]").rstrip(".").lower() for address in addresses}
    return {"localhost" if is_local(name) else name for name in names}


def is_same(host: str, other: str) -> bool:
    """Whether two names are one, or one of them is the other with its domain."""
    return host == other or host.startswith(f"{other}.") or other.startswith(f"{host}.")


@rule("KA1800", "low", dev="info", effect=CHANGED, acts=CLIENT_START)
def other_bootstrap_servers(config: Subject, before: Subject) -> Problems:
    """A client has none of its bootstrap servers in common with before: it may be another cluster.

    Why: another cluster has other records, other offsets and other ACLs. Groups start there by auto.offset.reset, producers write where nobody
        reads yet, Streams builds its state anew, and a Connect worker finds no connectors. The same cluster by other names is harmless.
    Fix: 1. compare the ids of both (kafka-cluster.sh cluster-id --bootstrap-server OLD, then NEW); 2. for another cluster mirror the topics and translate
        the groups' offsets first (MirrorMaker 2 with sync.group.offsets.enabled=true); 3. then move consumers, and producers after them.
    Care: while some clients are moved and others are not, records are in two places.
    Bad:
        before:
            bootstrap.servers=b1.old.example.com:9092,b2.old.example.com:9092
            group.id=billing
        after:
            bootstrap.servers=k1.new.example.com:9092,k2.new.example.com:9092
            group.id=billing
    Good:
        before:
            bootstrap.servers=b1:9092,b2:9092
            group.id=billing
        after:
            bootstrap.servers=b2.example.com:9093,b3.example.com:9093
            group.id=billing
    See: https://kafka.apache.org/documentation/#georeplication, https://kafka.apache.org/documentation/#producerconfigs_bootstrap.servers
    """
    applies(config.kind() in CLIENTS, "no client of one cluster")
    applies(config.is_set(BOOTSTRAP) and before.is_set(BOOTSTRAP), "no servers on both sides")
    old, new = hosts(before), hosts(config)
    applies(old and new, "no servers on both sides")
    if not any(is_same(host, other) for host in new for other in old):
        yield Problem(BOOTSTRAP, "no server is one of before: compare the ids of both clusters", likely=True)


TOPICS, DELETED = "topic count", "topics deleted"
"""The facts of a running cluster that say how many topics it has, and name those that it has no longer."""
LISTED = 5


@rule("KA2112", "medium", dev="info", effect=LOST, acts=AT_ONCE)
def topics_deleted(cluster: Subject, before: Subject) -> Problems:
    """Topics that a running cluster had before are no longer there.

    Why: a topic is deleted with its records and the groups' committed offsets for it, and nothing brings them back. Clients that still use it get
        UNKNOWN_TOPIC_OR_PARTITION, or create it anew, empty and with the brokers' defaults, where auto.create.topics.enable is true.
    Fix: 1. ask who deleted them (kafka-authorizer.log, the history of what manages topics); 2. look for clients that wait for them
        (kafka-consumer-groups.sh --describe --all-groups); 3. create what is missed with its old settings (`effective` of the earlier snapshot), and
        restore or mirror its records.
    Care: an earlier snapshot holds settings, never records.
    Bad:
        kafka 4.3
        brokers 1 2 3
        before:
            topic orders
            0: leader 1 replicas 1,2,3 isr 1,2,3
            topic payments
            0: leader 2 replicas 1,2,3 isr 1,2,3
        after:
            topic orders
            0: leader 1 replicas 1,2,3 isr 1,2,3
    Good:
        kafka 4.3
        brokers 1 2 3
        before:
            topic orders
            0: leader 1 replicas 1,2,3 isr 1,2,3
        after:
            topic orders
            0: leader 1 replicas 1,2,3 isr 1,2,3
            topic payments
            0: leader 2 replicas 1,2,3 isr 1,2,3
    See: KIP-599, https://kafka.apache.org/documentation/#basic_ops_add_topic
    """
    names = cluster.live(DELETED)
    if names:
        more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
        yield Problem(TOPICS, f"deleted with their records: {', '.join(names[:LISTED])}{more}")


RACK = "broker.rack"


def racks(cluster: Subject) -> list[str]:
    """The racks that the brokers name, each as often as there are brokers in it."""
    return [text for text in brokers_texts(cluster, RACK) if text]


@rule("KA2120", "medium", dev="info", effect=WEAKER, acts=NEW_ONLY)
def racks_fewer(cluster: Subject, before: Subject) -> Problems:
    """The same brokers name fewer racks than before.

    Why: Kafka spreads the replicas of new partitions over the racks that it knows. With fewer of them, replicas come to stand in one
        rack or zone, whose failure takes all of them down. Partitions that are there keep their replicas where they are.
    Fix: keep each broker's own rack in broker.rack, unless the brokers really moved.
    Bad:
        before:
            process.roles=broker
            node.id=1
            broker.rack=a
            [broker]
            process.roles=broker
            node.id=2
            broker.rack=b
        after:
            process.roles=broker
            node.id=1
            broker.rack=a
            [broker]
            process.roles=broker
            node.id=2
            broker.rack=a
    Good:
        before:
            process.roles=broker
            node.id=1
            broker.rack=a
            [broker]
            process.roles=broker
            node.id=2
            broker.rack=b
        after:
            process.roles=broker
            node.id=1
            broker.rack=b
            [broker]
            process.roles=broker
            node.id=2
            broker.rack=a
    See: KIP-36, https://kafka.apache.org/documentation/#brokerconfigs_broker.rack
    """
    applies(before.is_set(RACK), "no broker named a rack")
    old, new = set(racks(before)), set(racks(cluster))
    applies(len(cluster.values(RACK)) >= len(before.values(RACK)), "there are fewer nodes, too")
    if len(new) < len(old):
        words = f"{len(new)} where there were {len(old)}" if new else f"none where there were {len(old)}"
        yield Problem(RACK, f"the brokers name fewer racks, {words}: new replicas may stand in one")
