"""Topology: racks, and what the nodes of one cluster must have alike or different."""

from __future__ import annotations

from advisor.facts import filled_in_later, has_brokers, is_whole_number, is_word, repeated
from advisor.rule import Problem, Problems, Subject, Unknown, applies, rule
from rules import count

SELECTOR = "replica.selector.class"
ALIKE = (
    "zookeeper.connect",
    "controller.quorum.voters",
    "inter.broker.protocol.version",
    "inter.broker.listener.name",
    "default.replication.factor",
    "min.insync.replicas",
    "offsets.topic.replication.factor",
    "offsets.topic.num.partitions",
    "transaction.state.log.replication.factor",
    "transaction.state.log.num.partitions",
    "transaction.state.log.min.isr",
    "unclean.leader.election.enable",
    "auto.create.topics.enable",
    "message.max.bytes",
    "log.cleanup.policy",
    "log.retention.ms",
    "log.retention.bytes",
    "num.partitions",
    "authorizer.class.name",
    "allow.everyone.if.no.acl.found",
    "super.users",
)
"""Keys that decide for the cluster and are read by whichever node happens to be asked."""
DIFFERENT = ("node.id", "advertised.listeners")
UNORDERED = {"zookeeper.connect": ",", "controller.quorum.voters": ",", "super.users": ";", "log.cleanup.policy": ","}
"""Keys whose entries count in any order, and what stands between them."""
ADDRESSES = ("zookeeper.connect", "controller.quorum.voters", "advertised.listeners")
VALUES_NAMED = 3
"""Values of one key that a message names."""
RACK = "broker.rack"
BROKERS_WITH_RACKS = 3
SERVERS = ("controller.quorum.voters", "controller.quorum.bootstrap.servers", "zookeeper.connect")


@rule("KA301", "low", dev="info", aim="by hand: address")
def rack_missing(broker: Subject) -> Problems:
    """The broker names no rack, so all replicas of a partition may be in one, or some where other brokers name theirs.

    Why: Kafka spreads replicas over the racks it knows; without broker.rack the failure of one rack or zone can take
        down every replica of a partition.
    Fix: set broker.rack to the broker's rack, zone or host group, and so on every broker that names none.
    Bad:
        process.roles=broker
        node.id=1
        default.replication.factor=3
    Good:
        process.roles=broker
        node.id=1
        default.replication.factor=3
        broker.rack=zone-a
    See: KIP-36, https://kafka.apache.org/documentation/#brokerconfigs_broker.rack
    """
    replicas = broker.int("default.replication.factor")
    applies(replicas > 1 or (not broker.running() and broker.live("brokers") > 1), "one replica cannot be spread")
    if not broker.str(RACK):
        number = f"{replicas} replicas" if replicas > 1 else f"{broker.live('brokers')} brokers"
        named = broker.live("racks")
        others = f"beside {named} broker{'s' * (named > 1)} with racks: a replica here may share one of theirs"
        message = f"no rack is set {others}" if named else f"no rack is set: all {number} may be in one"
        yield Problem(RACK, message, "the broker's rack or zone")


@rule(
    "KA302",
    "info",
    since=(2, 4),
    aim="set replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector",
)
def rack_no_selector(broker: Subject) -> Problems:
    """The broker's rack is known, but consumers always fetch from the leader, even in another zone.

    Why: with a replica selector, consumers that set client.rack fetch from a replica in their own zone, which saves
        traffic between zones.
    Fix: set replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector.
    Bad:
        process.roles=broker
        node.id=1
        broker.rack=zone-a
    Good:
        process.roles=broker
        node.id=1
        broker.rack=zone-a
        replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector
    See: KIP-392, https://kafka.apache.org/documentation/#brokerconfigs_replica.selector.class
    """
    applies(broker.str("broker.rack"), "no rack")
    if not broker.str(SELECTOR):
        yield Problem(SELECTOR, "consumers cannot fetch from the closest replica", "RackAwareReplicaSelector")


@rule("KA303", "low", dev="info", since=(2, 4), aim="by hand: address")
def selector_without_rack(broker: Subject) -> Problems:
    """Consumers are meant to fetch from a replica in their own rack, but the broker names no rack.

    Why: RackAwareReplicaSelector compares client.rack with the brokers' racks; without them it selects the leader.
    Fix: set broker.rack to the broker's rack or zone, and so on every broker that names none.
    Bad:
        process.roles=broker
        node.id=1
        replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector
    Good:
        process.roles=broker
        node.id=1
        broker.rack=zone-a
        replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector
    See: KIP-392, https://kafka.apache.org/documentation/#brokerconfigs_replica.selector.class
    """
    applies(broker.str(SELECTOR).endswith("RackAwareReplicaSelector"), "no rack-aware replica selector")
    if not broker.str("broker.rack"):
        yield Problem(
            ["broker.rack", SELECTOR],
            "the replica selector knows no rack and selects the leader",
            "the broker's rack or zone",
        )


def brokers_texts(cluster: Subject, key: str) -> tuple[str, ...]:
    """The key's text on every node with the broker role; unknown where one is filled in later."""
    pairs = zip(cluster.values("process.roles"), cluster.values(key), strict=True)
    texts = [text for role, text in pairs if not isinstance(role, str) or role.strip() != "controller"]
    return checked(key, texts)


def checked(key: str, texts: list[str | None]) -> tuple[str, ...]:
    """The texts, trimmed; not applicable with one node, unknown where one is filled in later."""
    applies(len(texts) > 1, "one node")
    found = tuple(text.strip() if isinstance(text, str) else "" for text in texts)
    if any(filled_in_later(text) or (key in ADDRESSES and is_word(text)) for text in found):
        raise Unknown(f"{key} is filled in later on a node")
    return found


def retention(cluster: Subject) -> tuple[str, ...]:
    """log.retention.ms of every broker, in milliseconds where minutes or hours stand in for it."""
    units = (brokers_texts(cluster, f"log.retention.{unit}") for unit in ("ms", "minutes", "hours"))
    return tuple(in_milliseconds(*each) for each in zip(*units, strict=True))


def in_milliseconds(shown: str, minutes: str, hours: str) -> str:
    """The text that counts in milliseconds; it is that of the minutes or hours where they stand in."""
    for text, factor in ((minutes, 60_000), (hours, 3_600_000)):
        if shown == text and is_whole_number(text):
            return str(int(text) * factor)
    return shown


def meant(key: str, text: str) -> str:
    """The text in one spelling of many: where only the set of entries counts, their order goes."""
    if key in ("unclean.leader.election.enable", "auto.create.topics.enable", "allow.everyone.if.no.acl.found"):
        return text.lower()
    if key not in UNORDERED:
        return text
    body, slash, chroot = text.partition("/") if key == "zookeeper.connect" else (text, "", "")
    parts = sorted({part.strip() for part in body.split(UNORDERED[key]) if part.strip()})
    return UNORDERED[key].join(parts) + (slash + chroot).rstrip("/")


def counted(key: str, texts: tuple[str, ...]) -> str:
    """What the key is on how many nodes, the most common value first: 2 on 2 nodes and 1 on 1 node."""
    nodes_of_text = dict.fromkeys(texts, 0)
    for text in texts:
        nodes_of_text[text] += 1
    each = sorted(nodes_of_text, key=lambda text: (-nodes_of_text[text], text))
    said = [f"{text or 'empty'} on {count(nodes_of_text[text], 'node')}" for text in each[:VALUES_NAMED]]
    more = f" and {count(len(each) - VALUES_NAMED, 'other value')}" if len(each) > VALUES_NAMED else ""
    return f"{key} is {' and '.join(said)}{more}"


@rule("KA304", "medium", dev="low", each=ALIKE)
def same_on_all_brokers(cluster: Subject, key: str) -> Problems:
    """A setting that decides for the whole cluster differs between its nodes.

    Why: which node's value counts depends on which is controller, coordinator or leader at the moment, so behaviour
        changes with every failover.
    Fix: set the same value on all nodes, or make it a dynamic cluster-wide setting.
    Care: a restart with another value changes the behaviour of every topic without a value of its own. Find out which
        value the topics were planned with before you change any node.
    Bad:
        process.roles=broker,controller
        node.id=1
        default.replication.factor=3
        [combined]
        process.roles=broker,controller
        node.id=2
        default.replication.factor=1
    Good:
        process.roles=broker,controller
        node.id=1
        default.replication.factor=3
        [combined]
        process.roles=broker,controller
        node.id=2
        default.replication.factor=3
    See: https://kafka.apache.org/documentation/#dynamicbrokerconfigs
    """
    applies(cluster.is_set(key), "left at its default")
    found = retention(cluster) if key == "log.retention.ms" else brokers_texts(cluster, key)
    texts = tuple(meant(key, text) for text in found)
    if len(set(texts)) > 1:
        yield Problem(key, counted(key, texts), "one value")


@rule("KA305", "high", dev="medium", each=DIFFERENT, aim="by hand: address")
def differ_on_all_brokers(cluster: Subject, key: str) -> Problems:
    """Two nodes of one cluster have the same identity or address.

    Why: the second node with an id is refused when it registers; of two nodes with one address clients reach only one.
    Fix: give every node a node.id and an address in advertised.listeners of its own.
    Bad:
        process.roles=broker,controller
        node.id=1
        [combined]
        process.roles=broker,controller
        node.id=1
    Good:
        process.roles=broker,controller
        node.id=1
        [combined]
        process.roles=broker,controller
        node.id=2
    See: https://kafka.apache.org/documentation/#brokerconfigs_node.id
    """
    applies(cluster.is_set(key), "not set")
    texts = checked(key, list(cluster.values(key)))
    twice = sorted(filter(None, repeated(texts)))
    if (
        twice
        and not any(mark in twice[0] for mark in ("localhost", "127.0.0.1", "//:", "0.0.0.0"))
        and twice[0] != "-1"
    ):
        yield Problem(key, f"{key} is {twice[0]} on {texts.count(twice[0])} nodes", "different values")


@rule(
    "KA306",
    "low",
    dev="info",
    since=(2, 4),
    aim="set replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector",
)
def client_rack_unused(consumer: Subject, cluster: Subject) -> Problems:
    """The consumer sets client.rack, but the brokers still send it to the leader.

    Why: only a replica selector on the brokers uses client.rack for fetching; without one every fetch goes to the
        leader, even in another zone, and cloud providers charge for that traffic.
    Fix: set replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector on the brokers, and
        broker.rack on those that name none.
    Bad:
        [consumer]
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        client.rack=zone-a
        [broker]
        process.roles=broker
        node.id=1
        broker.rack=zone-a
    Good:
        [consumer]
        bootstrap.servers=b1:9092,b2:9092
        group.id=billing
        client.rack=zone-a
        [broker]
        process.roles=broker
        node.id=1
        broker.rack=zone-a
        replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector
    See: KIP-392, https://kafka.apache.org/documentation/#brokerconfigs_replica.selector.class
    """
    applies(consumer.is_set("client.rack"), "the consumer names no rack")
    applies(has_brokers(cluster), "no file of a broker")
    if not cluster.str(SELECTOR):
        places = [consumer.at("client.rack"), cluster.at(SELECTOR)]
        yield Problem(
            places, "the brokers have no replica selector: every fetch goes to the leader", "RackAwareReplicaSelector"
        )


def names_any_cluster(cluster: Subject, key: str) -> bool:
    """Whether the one server that a node names has a host without a domain, which is another one in each network."""
    texts = [text.partition("/")[0] for text in cluster.values(key) if isinstance(text, str)]
    return any(text and "," not in text and "." not in text for text in texts)


@rule("KA307", "high", dev="medium", aim="by hand: address")
def protocols_between_nodes(cluster: Subject) -> Problems:
    """Nodes of one cluster speak different protocols on the listener between them, or do not have it.

    Why: a broker connects to another one at the listener that its own inter.broker.listener.name names, with the protocol that its
        own listener.security.protocol.map gives it, and to controllers at the first one of controller.listener.names. A node that has another protocol there, or advertises no
        listener of that name, is not reached: followers fetch nothing from it, or the quorum loses it.
    Fix: give every node the same inter.broker.listener.name, and the same protocol for it and for the controllers' listener.
    Care: a listener that changes its protocol cuts off the nodes that still use the old one. Add a second listener to every
        node, make it the inter-broker listener in another pass, and only then remove the first.
    Bad:
        process.roles=broker
        node.id=1
        listeners=INTERNAL://b1:9091
        inter.broker.listener.name=INTERNAL
        listener.security.protocol.map=CONTROLLER:SSL,INTERNAL:SSL
        [broker]
        process.roles=broker
        node.id=2
        listeners=INTERNAL://b2:9091
        inter.broker.listener.name=INTERNAL
        listener.security.protocol.map=CONTROLLER:SSL,INTERNAL:SASL_SSL
    Good:
        process.roles=broker
        node.id=1
        listeners=INTERNAL://b1:9091
        inter.broker.listener.name=INTERNAL
        listener.security.protocol.map=CONTROLLER:SSL,INTERNAL:SSL
        [broker]
        process.roles=broker
        node.id=2
        listeners=INTERNAL://b2:9091
        inter.broker.listener.name=INTERNAL
        listener.security.protocol.map=CONTROLLER:SSL,INTERNAL:SSL
    See: KIP-103, KIP-291, https://kafka.apache.org/documentation/#brokerconfigs_inter.broker.listener.name
    """
    applies(not cluster.running(), "running nodes may be in the middle of a change")
    applies(len(cluster.values("process.roles")) > 1, "one node")
    applies(not any(names_any_cluster(cluster, key) for key in SERVERS), "several clusters may name one server so")
    applies(not cluster.fragment(), "another file may set it")
    ids = [text for text in cluster.values("node.id") if isinstance(text, str) and text.strip().isdecimal()]
    applies(not repeated(ids), "nodes with one id may be of several clusters")
    from rules.peers import problems_between

    yield from problems_between(cluster)


@rule("KA308", "low", dev="info", aim="by hand: address")
def one_rack_for_all(cluster: Subject) -> Problems:
    """All brokers name the same rack, so that their racks say nothing.

    Why: Kafka spreads replicas over racks, and consumers fetch within theirs. With one rack for all brokers both do what they
        would do without any, and the failure of a rack or zone can take down every replica of a partition.
    Fix: set broker.rack to the rack, zone or host group in which each broker stands; leave it out where there is only one.
    Bad:
        process.roles=broker
        node.id=1
        broker.rack=zone-a
        [broker]
        process.roles=broker
        node.id=2
        broker.rack=zone-a
        [broker]
        process.roles=broker
        node.id=3
        broker.rack=zone-a
    Good:
        process.roles=broker
        node.id=1
        broker.rack=zone-a
        [broker]
        process.roles=broker
        node.id=2
        broker.rack=zone-b
        [broker]
        process.roles=broker
        node.id=3
        broker.rack=zone-c
    See: KIP-36, https://kafka.apache.org/documentation/#brokerconfigs_broker.rack
    """
    applies(cluster.is_set(RACK), "no broker names a rack")
    racks = brokers_texts(cluster, RACK)
    applies(len(racks) >= BROKERS_WITH_RACKS, "fewer than three brokers")
    if len(set(racks)) == 1:
        yield Problem(
            RACK,
            f"all {len(racks)} brokers name the rack {racks[0]}: replicas are not spread",
            "each broker's own rack",
        )


@rule("KA309", "high", dev="low", staging="medium", aim="by hand: address")
def racks_of_some_brokers(cluster: Subject) -> Problems:
    """Some brokers name a rack and others do not, so that no topic can be created in ZooKeeper mode.

    Why: with ZooKeeper the controller assigns replicas to racks as soon as one broker names its own, and refuses to create any topic
        while another one names none: "Not all brokers have rack information for replica rack aware assignment".
    Fix: set broker.rack on the brokers that name none.
    Care: while broker.rack is rolled out for the first time, no topic can be created until the last broker has it.
    Bad (broker):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        broker.rack=zone-a
        [broker]
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=2
    Good (broker):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        broker.rack=zone-a
        [broker]
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=2
        broker.rack=zone-b
    See: KIP-36, kafka.admin.AdminUtils
    """
    applies(cluster.is_set(RACK), "no broker names a rack")
    applies(not any(cluster.values("process.roles")), "KRaft places replicas on brokers without a rack as well")
    racks = [(text or "").strip() for text in cluster.values(RACK)]
    if any(map(filled_in_later, racks)):
        raise Unknown(f"{RACK} is filled in later on a node")
    without = racks.count("")
    if 0 < without < len(racks):
        verb = "names" if without == 1 else "name"
        yield Problem(
            RACK, f"{without} of {len(racks)} brokers {verb} no rack: no topic can be created", "a rack on every broker"
        )
