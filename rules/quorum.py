"""Quorum: the KRaft controllers and their voters, and ZooKeeper as a broker's file shows it."""

from __future__ import annotations

from advisor.answers import Unknown
from advisor.asking import Facts
from advisor.facts import (
    KRAFT,
    ZOOKEEPER,
    controller_listeners,
    is_local,
    listeners,
    mode,
    protocol_map,
    roles,
    voters,
    written,
    zookeeper_servers,
)
from advisor.rule import Problem, Problems, applies, rule

VOTERS, BOOTSTRAP, NAMES = (
    "controller.quorum.voters",
    "controller.quorum.bootstrap.servers",
    "controller.listener.names",
)
KRAFT_KEYS = (VOTERS, BOOTSTRAP, "metadata.log.dir")
ZOOKEEPER_KEYS = ("zookeeper.connect", "zookeeper.session.timeout.ms", "zookeeper.connection.timeout.ms")
POLICIES = ("create.topic.policy.class.name", "alter.config.policy.class.name")


def only(node: Facts, role: str) -> bool:
    """Whether the node has this one KRaft role."""
    return mode(node) == KRAFT and written(node, "process.roles") and set(roles(node)) == {role}


def voter_ids(node: Facts) -> tuple[int, ...]:
    """The ids of the static voters."""
    found = voters(node)
    if any(voter.id is None for voter in found):
        raise Unknown(f"{VOTERS} is filled in later: {node.text(VOTERS)}")
    return tuple(voter.id for voter in found if voter.id is not None)


def exact_names(node: Facts) -> tuple[str, ...]:
    """controller.listener.names letter by letter: Kafka looks them up in upper case, and finds no others."""
    return tuple(name.strip() for name in node.text(NAMES).split(",") if name.strip() and controller_listeners(node))


def node_id(node: Facts) -> int:
    """The effective node.id; before KRaft it is broker.id."""
    return node.int("node.id")


@rule("KA501", "high", dev="info", staging="medium")
def quorum_single(node: Facts) -> Problems:
    """One controller is the whole quorum: while it is down the cluster cannot elect leaders, and its disk is all there is.

    Why: leaders, topics and ISR changes are decided by the active controller. With a single voter nobody takes over,
        and when its disk is lost the cluster's metadata is lost with it.
    Fix: run three controllers (five to survive two failures) and list them all in controller.quorum.voters.
    Bad:
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@localhost:9093
    Good:
        process.roles=controller
        node.id=1
        controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
    See: KIP-500, https://kafka.apache.org/documentation/#kraft_deployment
    """
    applies(not node.running(), "the running quorum itself is judged")
    found = voters(node)
    applies(found, "the voters are not in this file")
    if len(found) == 1:
        here = "; localhost cannot grow to more machines" if is_local(found[0].host) else ""
        yield Problem(VOTERS, f"one voter: nobody takes over from it{here}", "3 or 5 voters")


@rule("KA502", "medium", dev="info")
def quorum_even(node: Facts) -> Problems:
    """An even number of voters survives no more failures than one voter less.

    Why: a majority must agree: 4 voters survive one failure, as 3 do; 2 voters survive none and are twice as likely
        to lose one.
    Fix: use 3 or 5 voters.
    Bad:
        process.roles=controller
        node.id=1
        controller.quorum.voters=1@c1:9093,2@c2:9093
    Good:
        process.roles=controller
        node.id=1
        controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
    See: KIP-595, https://kafka.apache.org/documentation/#kraft_deployment
    """
    applies(not node.running(), "the running quorum itself is judged")
    count = len(voters(node))
    applies(count, "the voters are not in this file")
    if count % 2 == 0:
        yield Problem(VOTERS, f"{count} voters survive {count // 2 - 1} failures", "3 or 5 voters")


@rule("KA503", "medium", dev="info")
def quorum_size(node: Facts) -> Problems:
    """More than seven controllers vote, and every change of metadata waits for a majority of them.

    Why: each record of the metadata log must reach more than half of the voters; 3 survive one failure, 5 survive two,
        more only add delay and work.
    Fix: keep 3 or 5 voters; further nodes can be brokers, which follow the log without voting.
    Bad:
        process.roles=controller
        node.id=1
        controller.quorum.voters=1@c1:1,2@c2:1,3@c3:1,4@c4:1,5@c5:1,6@c6:1,7@c7:1,8@c8:1,9@c9:1
    Good:
        process.roles=controller
        node.id=1
        controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093,4@c4:9093,5@c5:9093
    See: KIP-595, https://kafka.apache.org/documentation/#kraft_deployment
    """
    applies(not node.running(), "the running quorum itself is judged")
    count = len(voters(node))
    applies(count, "the voters are not in this file")
    if count > 7:
        yield Problem(VOTERS, f"{count} voters", "3 or 5 voters", step=count > 9)


@rule("KA504", "medium", dev="info", staging="low")
def combined_mode(controller: Facts) -> Problems:
    """Broker and controller share one process, so load or a restart of the one takes the other along.

    Why: a broker that runs out of memory or pauses for garbage collection also stops a voter; controllers cannot be
        upgraded or scaled alone. Apache Kafka does not recommend it for critical clusters.
    Fix: run controllers as nodes of their own with process.roles=controller.
    Bad:
        process.roles=broker,controller
        node.id=1
    Good:
        process.roles=controller
        node.id=1
    See: https://kafka.apache.org/documentation/#kraft_role
    """
    listed = set(controller.list("process.roles"))
    if {"broker", "controller"} <= listed:
        yield Problem("process.roles", "broker and controller in one process", "controllers of their own")


@rule("KA505", "critical", since=(3, 0))
def quorum_undefined(node: Facts) -> Problems:
    """A KRaft node is not told who the controllers are, and Kafka refuses to start.

    Why: without static voters or (from Kafka 3.9 on) bootstrap servers a node cannot find the metadata quorum.
    Fix: set controller.quorum.bootstrap.servers, or controller.quorum.voters for a static quorum.
    Bad:
        process.roles=broker
        node.id=1
    Good:
        process.roles=broker
        node.id=1
        controller.quorum.bootstrap.servers=c1:9093,c2:9093,c3:9093
    See: KIP-853, kafka.server.KafkaConfig.validateValues
    """
    applies(node.is_set("process.roles") and node.text("process.roles").strip(), "not a KRaft node")
    key = BOOTSTRAP if node.definition(BOOTSTRAP) else VOTERS
    said = [node.text(name).strip() for name in {VOTERS, key}]
    if not any(said):
        yield Problem(key, "no controllers are named", "the controllers", refused=True)


@rule("KA507", "critical", since=(3, 0))
def controller_not_voter(controller: Facts) -> Problems:
    """A controller is not among the voters of its own file, and Kafka refuses to start.

    Why: with a static quorum every controller votes, and it knows itself by its node.id.
    Fix: use the id that controller.quorum.voters gives this machine as node.id, or add it there.
    Bad:
        process.roles=controller
        node.id=5
        controller.quorum.voters=100@c1:9093
    Good:
        process.roles=controller
        node.id=100
        controller.quorum.voters=100@c1:9093
    See: kafka.server.KafkaConfig.validateValues
    """
    ids = voter_ids(controller)
    applies(ids and "controller" in roles(controller), "no static voters, or no controller")
    applies(controller.is_set("node.id"), "the node has no id")
    if node_id(controller) not in ids:
        yield Problem(["node.id", VOTERS], "the node's id is not among the voters", "one of the ids", refused=True)


@rule("KA508", "critical", since=(3, 0))
def broker_is_voter(broker: Facts) -> Problems:
    """A broker without the controller role has the id of a voter, and Kafka refuses to start.

    Why: ids are unique over brokers and controllers; a voter that is no controller would never answer.
    Fix: give the broker an id of its own, or add the controller role.
    Bad:
        process.roles=broker
        node.id=100
        controller.quorum.voters=100@c1:9093
    Good:
        process.roles=broker
        node.id=1
        controller.quorum.voters=100@c1:9093
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(only(broker, "broker"), "not a KRaft node with the broker role alone")
    ids = voter_ids(broker)
    repeated = len(broker.list("process.roles")) > 1 and broker.version() < (4, 2)
    if node_id(broker) in ids and not repeated:
        yield Problem(["node.id", VOTERS], "the broker has a voter's id", "an id that no voter has", refused=True)


@rule("KA509", "critical", since=(3, 1))
def two_node_ids(node: Facts) -> Problems:
    """node.id and broker.id differ, and Kafka refuses to start.

    Why: both name the same thing; broker.id is the older spelling.
    Fix: keep node.id alone (broker.id alone in ZooKeeper mode).
    Bad:
        process.roles=broker
        node.id=1
        broker.id=2
    Good:
        process.roles=broker
        node.id=1
    See: KIP-631, KIP-1232, kafka.server.KafkaConfig.validateValues
    """
    applies(written(node, "broker.id") and written(node, "node.id"), "only one of them is set")
    if node.int("broker.id") != node.int("node.id"):
        yield Problem(["broker.id", "node.id"], "broker.id is not node.id", "the same id", refused=True)


@rule("KA510", "critical", before=(4, 2))
def role_twice(node: Facts) -> Problems:
    """process.roles names a role twice, and Kafka refuses to start.

    Why: up to Kafka 4.1 a repeated role is taken for a mistake; later releases drop it with a warning.
    Fix: name each role once.
    Bad (4.0):
        process.roles=broker,broker
        node.id=1
    Good (4.0):
        process.roles=broker,controller
        node.id=1
    See: kafka.server.KafkaConfig.processRoles
    """
    applies(node.is_set("process.roles"), "not a KRaft node")
    listed = node.list("process.roles")
    if len(set(listed)) < len(listed):
        yield Problem("process.roles", "a role stands twice", "each role once", refused=True)


@rule("KA511", "critical", since=(3, 1))
def controller_listener_missing(controller: Facts) -> Problems:
    """A controller does not listen on what controller.listener.names says, and Kafka refuses to start.

    Why: the names are looked up in listeners; without such a listener no voter and no broker reaches the controller.
    Fix: add NAME://host:port to listeners for every name, and map NAME in listener.security.protocol.map.
    Bad:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=PLAINTEXT://:9092
    Good:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
    See: kafka.server.KafkaConfig.validateValues
    """
    applies("controller" in roles(controller), "no controller")
    names = exact_names(controller)
    missing = sorted(set(names) - {listener.name for listener in listeners(controller)})
    if missing or not names:
        what = f"{', '.join(missing)} not in listeners" if missing else "no controller listener is named"
        yield Problem(NAMES, what, "names of listeners", refused=True)


@rule("KA512", "critical", since=(3, 1))
def controller_listener_unnamed(broker: Facts) -> Problems:
    """A broker is not told by which listener it reaches the controllers, and Kafka refuses to start.

    Why: the first of controller.listener.names says with which protocol the broker talks to the controllers.
    Fix: set controller.listener.names to the name the controllers use, usually CONTROLLER.
    Bad:
        process.roles=broker
        node.id=1
        controller.listener.names=
    Good:
        process.roles=broker
        node.id=1
        controller.listener.names=CONTROLLER
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(only(broker, "broker"), "not a KRaft node with the broker role alone")
    if not controller_listeners(broker):
        yield Problem(NAMES, "no controller listener is named", "CONTROLLER", refused=True)


@rule("KA513", "critical", since=(3, 1))
def controller_listener_on_broker(broker: Facts) -> Problems:
    """A broker without the controller role opens a controller listener, and Kafka refuses to start.

    Why: only controllers answer on the listeners of controller.listener.names; clients would find nobody there.
    Fix: take the controller's listener out of this broker's listeners.
    Bad:
        process.roles=broker
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=PLAINTEXT://:9092,CONTROLLER://:9093
    Good:
        process.roles=broker
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=PLAINTEXT://:9092
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(only(broker, "broker"), "not a KRaft node with the broker role alone")
    names = [listener.name for listener in listeners(broker) if listener.name in exact_names(broker)]
    if names:
        yield Problem("listeners", f"{names[0]} is a controller's listener", "no controller listener", refused=True)


@rule("KA514", "critical", since=(3, 1))
def controller_listener_without_protocol(broker: Facts) -> Problems:
    """A broker does not know the security protocol of the controllers' listener, and Kafka refuses to start.

    Why: the broker connects to the controllers with the protocol that listener.security.protocol.map gives the name;
        the default map is completed with PLAINTEXT only where no listener uses TLS or SASL.
    Fix: add the name to listener.security.protocol.map, with the protocol that the controllers use.
    Bad:
        process.roles=broker
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=SSL://:9092
    Good:
        process.roles=broker
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=SSL://:9092
        listener.security.protocol.map=SSL:SSL,CONTROLLER:SSL
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(only(broker, "broker"), "not a KRaft node with the broker role alone")
    known = dict(protocol_map(broker))
    bare = [name for name in controller_listeners(broker) if name not in known]
    if bare:
        yield Problem(
            ["listener.security.protocol.map", NAMES], f"{bare[0]} is not mapped", f"{bare[0]}:…", refused=True
        )


@rule("KA515", "critical", since=(3, 1))
def controller_with_broker_listener(controller: Facts) -> Problems:
    """A controller without the broker role opens a broker's listener, and Kafka refuses to start.

    Why: clients would come to it and find no broker; a controller listens only for controllers and brokers.
    Fix: keep only the listeners of controller.listener.names in this node's listeners.
    Bad:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093,PLAINTEXT://:9092
    Good:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(only(controller, "controller"), "not a controller alone")
    names = [listener.name for listener in listeners(controller) if listener.name not in exact_names(controller)]
    if names:
        yield Problem("listeners", f"{names[0]} is no controller listener", "controller listeners only", refused=True)
    elif (3, 9) <= controller.version() < (4, 2) and len(set(exact_names(controller))) < len(exact_names(controller)):
        yield Problem(NAMES, "a name stands twice", "each name once", refused=True)


@rule("KA516", "critical", since=(3, 1), before=(3, 9))
def controller_listener_advertised(node: Facts) -> Problems:
    """A controller's listener is advertised, which Kafka refuses before release 3.9.

    Why: up to 3.8 controllers are only found through controller.quorum.voters; advertised.listeners is for clients of
        brokers, and a node with the controller role alone must not set it at all.
    Fix: take the controllers' listeners out of advertised.listeners.
    Bad (3.7):
        process.roles=broker,controller
        node.id=1
        controller.listener.names=CONTROLLER
        advertised.listeners=PLAINTEXT://b1:9092,CONTROLLER://b1:9093
    Good (3.7):
        process.roles=broker,controller
        node.id=1
        controller.listener.names=CONTROLLER
        advertised.listeners=PLAINTEXT://b1:9092
    See: KIP-853, kafka.server.KafkaConfig.validateValues
    """
    key = "advertised.listeners"
    applies(mode(node) == KRAFT and written(node, key), "nothing is advertised")
    names = [entry.partition("://")[0].strip().upper() for entry in node.str(key).split(",")]
    alone = only(node, "controller") and node.version() >= (3, 3)
    if alone or ("broker" in roles(node) and set(names) & set(exact_names(node))):
        yield Problem(key, "controllers must not be advertised", "no controller listener", refused=True)


@rule("KA517", "critical", since=(4, 0))
def controller_inter_broker_listener(controller: Facts) -> Problems:
    """A controller names its own listener as that of the brokers, and Kafka refuses to start.

    Why: a node with the controller role alone has no listener for brokers among themselves; from 4.0 on a controller
        listener in inter.broker.listener.name is taken for a mistake.
    Fix: remove inter.broker.listener.name from the controllers' files.
    Bad:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
        inter.broker.listener.name=CONTROLLER
    Good:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
    See: kafka.server.KafkaConfig.validateValues
    """
    key = "inter.broker.listener.name"
    applies(only(controller, "controller") and written(controller, key), "not set on a controller alone")
    if controller.str(key).upper() in exact_names(controller):
        yield Problem(key, "it is a controller listener", "not set", refused=True)


@rule("KA518", "critical", since=(4, 2))
def auto_join_without_controller(broker: Facts) -> Problems:
    """controller.quorum.auto.join.enable is set on a node that is no controller, and Kafka refuses to start.

    Why: only a controller can join the voters.
    Fix: set it in the controllers' files only.
    Bad:
        process.roles=broker
        node.id=1
        controller.quorum.auto.join.enable=true
    Good:
        process.roles=broker,controller
        node.id=1
        controller.quorum.auto.join.enable=true
    See: KIP-1186, kafka.server.KafkaConfig.validateValues
    """
    key = "controller.quorum.auto.join.enable"
    if broker.bool(key) and only(broker, "broker"):
        yield Problem(key, "the node is no controller", "false", refused=True)


@rule("KA519", "info")
def quorum_static_and_dynamic(node: Facts) -> Problems:
    """Static voters and bootstrap servers are both set, so it is not plain which kind of quorum the cluster has.

    Why: a quorum is static (controller.quorum.voters) or dynamic (formatted so, found through
        controller.quorum.bootstrap.servers); in a dynamic quorum the list of voters in the file is not what counts.
    Fix: keep controller.quorum.voters for a static quorum, controller.quorum.bootstrap.servers for a dynamic one.
    Bad:
        process.roles=broker
        node.id=1
        controller.quorum.voters=100@c1:9093
        controller.quorum.bootstrap.servers=c1:9093
    Good:
        process.roles=broker
        node.id=1
        controller.quorum.bootstrap.servers=c1:9093
    See: KIP-853, https://kafka.apache.org/documentation/#kraft_nodes
    """
    applies(node.definition(BOOTSTRAP), "there are only static quorums before Kafka 3.9")
    if node.str(VOTERS) and node.str(BOOTSTRAP):
        yield Problem([VOTERS, BOOTSTRAP], "static voters beside bootstrap servers", "one of the two")


@rule("KA520", "medium", dev="info")
def voters_on_localhost(node: Facts) -> Problems:
    """Several voters stand under localhost, so they share one machine or cannot find each other.

    Why: controllers on one machine go down together; from another machine localhost leads to that machine itself.
    Fix: name every voter by a host name that all nodes resolve.
    Bad:
        process.roles=broker
        node.id=4
        controller.quorum.voters=1@localhost:19093,2@localhost:29093,3@localhost:39093
    Good:
        process.roles=broker
        node.id=4
        controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
    See: https://kafka.apache.org/documentation/#brokerconfigs_controller.quorum.voters
    """
    found = voters(node)
    applies(len(found) > 1, "not several static voters")
    local = [voter for voter in found if is_local(voter.host)]
    if local:
        yield Problem(VOTERS, f"{len(local)} of {len(found)} voters on localhost", "hosts that all nodes resolve")


@rule("KA521", "high", dev="medium")
def voter_id_twice(node: Facts) -> Problems:
    """Two voters have the same id; Kafka starts, and one of them is silently left out of the quorum.

    Why: the voters are kept by id, the last address of an id wins; the quorum is smaller than it looks.
    Fix: give every controller a node.id of its own and list that id once.
    Bad:
        process.roles=broker
        node.id=4
        controller.quorum.voters=1@c1:9093,2@c2:9093,2@c3:9093
    Good:
        process.roles=broker
        node.id=4
        controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
    See: org.apache.kafka.raft.QuorumConfig.parseVoterConnections
    """
    ids = voter_ids(node)
    applies(ids, "no static voters")
    twice = sorted({id for id in ids if ids.count(id) > 1})
    if twice:
        yield Problem(VOTERS, f"id {twice[0]} stands twice", "different ids")


@rule("KA522", "medium", dev="info", staging="low")
def zk_mode(broker: Facts) -> Problems:
    """The broker runs on ZooKeeper, which Kafka 4.0 no longer knows.

    Why: 3.9 is the last release with ZooKeeper mode; later ones bring fixes only to KRaft, and the way there leads
        through a migration on 3.9 (or an earlier bridge release).
    Fix: migrate to KRaft on the newest 3.9 release, then upgrade.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181,z2:2181,z3:2181
    Good:
        process.roles=broker
        node.id=1
        controller.quorum.voters=100@c1:9093,101@c2:9093,102@c3:9093
    See: KIP-833, KIP-866, https://kafka.apache.org/39/documentation/#kraft_zk_migration
    """
    kraft = written(broker, "process.roles") and (broker.text("process.roles") or broker.version() >= (4, 0))
    if broker.is_set("zookeeper.connect") and not kraft:
        moving = written(broker, "zookeeper.metadata.migration.enable") and broker.version() < (4, 0)
        doing = moving and broker.bool("zookeeper.metadata.migration.enable")
        says = "a migration to KRaft is under way: finish it before 4.0" if doing else way_out(broker.version())
        yield Problem("zookeeper.connect", f"ZooKeeper mode: {says}", "KRaft")


def way_out(version: tuple[int, int]) -> str:
    """What a ZooKeeper broker of this release has before it."""
    if version < (4, 0):
        return "move to KRaft before Kafka 4.0"
    return f"Kafka {version[0]}.{version[1]} has none; move to KRaft on 3.9, then upgrade"


@rule("KA523", "high", dev="info", staging="medium")
def zk_single(broker: Facts) -> Problems:
    """The brokers know one ZooKeeper server; while it is down no leader can be elected.

    Why: without ZooKeeper the controller cannot act, and brokers that lose their session stop leading. One address may
        stand for several servers only where it is a DNS name.
    Fix: run three ZooKeeper servers and list all of them in zookeeper.connect, or move to KRaft.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=localhost:2181
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181,z2:2181,z3:2181/kafka
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    applies(mode(broker) == ZOOKEEPER and broker.is_set("zookeeper.connect"), "not in ZooKeeper mode")
    servers = zookeeper_servers(broker)
    if len(servers) == 1:
        host = servers[0].host
        sure = is_local(host) or is_address(str(host))
        says = "one ZooKeeper server" if sure else "one ZooKeeper address (a DNS name may hide several)"
        yield Problem("zookeeper.connect", says, "3 or 5 servers", step=0 if sure else -1, likely=not sure)


def is_address(host: str) -> bool:
    """Whether a host is an IP address."""
    return ":" in host or (host.count(".") == 3 and host.replace(".", "").isdecimal())


@rule("KA524", "low", dev="info")
def zk_even(broker: Facts) -> Problems:
    """An even number of ZooKeeper servers survives no more failures than one server less.

    Why: ZooKeeper needs a majority: 4 servers survive one failure, as 3 do, and 2 survive none.
    Fix: use 3 or 5 servers.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181,z2:2181
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181,z2:2181,z3:2181
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    applies(mode(broker) == ZOOKEEPER and broker.is_set("zookeeper.connect"), "not in ZooKeeper mode")
    count = len(zookeeper_servers(broker))
    if count and count % 2 == 0:
        yield Problem(
            "zookeeper.connect", f"{count} servers survive {count // 2 - 1} failures", "3 or 5", step=count == 2
        )


@rule("KA525", "high", dev="medium", confidence="likely")
def zk_chroot_repeated(broker: Facts) -> Problems:
    """The chroot stands behind a host in the middle of zookeeper.connect, and everything behind it becomes a path.

    Why: ZooKeeper reads the list up to the first slash as servers and the rest as one path: the broker uses only the
        servers before it, under a path that looks like "/kafka,z2:2181/kafka".
    Fix: write the chroot once, after the last server: z1:2181,z2:2181,z3:2181/kafka.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181/kafka,z2:2181/kafka,z3:2181/kafka
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181,z2:2181,z3:2181/kafka
    See: https://kafka.apache.org/39/documentation/#brokerconfigs_zookeeper.connect
    """
    applies(mode(broker) == ZOOKEEPER, "not in ZooKeeper mode")
    _, slash, path = broker.str("zookeeper.connect").partition("/")
    if slash and "," in path:
        yield Problem("zookeeper.connect", f"/{path} is read as the chroot", "the chroot after the last server")


@rule("KA526", "low", each=ZOOKEEPER_KEYS, before=(4, 0))
def zookeeper_key_in_kraft(node: Facts, key: str) -> Problems:
    """A ZooKeeper setting is left in a KRaft node's file, where it does nothing outside a migration.

    Why: the roles in process.roles decide; without zookeeper.metadata.migration.enable=true nobody reads the key.
    Fix: remove it.
    Bad (3.9):
        process.roles=broker
        node.id=1
        zookeeper.connect=z1:2181
    Good (3.9):
        process.roles=broker
        node.id=1
    See: KIP-866, https://kafka.apache.org/39/documentation/#kraft_zk_migration
    """
    applies(mode(node) == KRAFT and written(node, key), "not set in a KRaft file")
    if node.definition("zookeeper.metadata.migration.enable"):
        applies(not node.bool("zookeeper.metadata.migration.enable"), "a migration is under way")
    yield Problem(key, "KRaft does not read it", "not set")


@rule("KA527", "low", each=KRAFT_KEYS, before=(4, 0))
def kraft_key_in_zookeeper(broker: Facts, key: str) -> Problems:
    """A KRaft setting stands in the file of a ZooKeeper broker, where it does nothing outside a migration.

    Why: without process.roles the node runs on ZooKeeper and never looks for a controller quorum.
    Fix: set process.roles to run on KRaft, or remove the key.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        controller.quorum.voters=100@c1:9093
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
    See: KIP-866, https://kafka.apache.org/39/documentation/#kraft_zk_migration
    """
    applies(mode(broker) == ZOOKEEPER and broker.is_set("zookeeper.connect"), "not in ZooKeeper mode")
    applies(written(broker, key) and broker.definition(key), "not set")
    if broker.definition("zookeeper.metadata.migration.enable"):
        applies(not broker.bool("zookeeper.metadata.migration.enable"), "a migration is under way")
    yield Problem(key, "without process.roles nobody reads it", "not set")


@rule("KA528", "critical", since=(3, 1), before=(4, 0))
def controller_listener_in_zookeeper_mode(broker: Facts) -> Problems:
    """controller.listener.names is set on a ZooKeeper broker that does not migrate, and Kafka refuses to start.

    Why: the names belong to KRaft; a ZooKeeper broker needs them only while it migrates.
    Fix: remove the key, or set zookeeper.metadata.migration.enable=true for the migration (from 3.4 on).
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        controller.listener.names=CONTROLLER
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
    See: KIP-866, kafka.server.KafkaConfig.validateValues
    """
    applies(mode(broker) == ZOOKEEPER, "not in ZooKeeper mode")
    if controller_listeners(broker) and not migrates(broker):
        yield Problem(NAMES, "the broker is in ZooKeeper mode", "not set", refused=True)


def migrates(node: Facts) -> bool:
    """Whether a migration from ZooKeeper to KRaft is switched on."""
    key = "zookeeper.metadata.migration.enable"
    return node.definition(key) is not None and node.bool(key)


@rule("KA529", "critical", since=(3, 4), before=(4, 0))
def zookeeper_migration_incomplete(node: Facts) -> Problems:
    """A migration from ZooKeeper is switched on without all that it needs, and Kafka refuses to start.

    Why: a migrating broker talks to ZooKeeper and to the new controllers at once: it needs its broker.id, the
        controllers, the name of their listener, and an inter-broker protocol of 3.4 or newer; a KRaft node needs
        zookeeper.connect.
    Fix: follow the order of the migration guide; set the key that is named here.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        zookeeper.metadata.migration.enable=true
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        zookeeper.metadata.migration.enable=true
        controller.quorum.voters=100@c1:9093
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
    See: KIP-866, https://kafka.apache.org/39/documentation/#kraft_zk_migration
    """
    applies(migrates(node), "no migration is switched on")
    missing = missing_for_migration(node)
    if missing:
        yield Problem(missing, "the migration needs it", "set as the migration guide says", refused=True)


def missing_for_migration(node: Facts) -> str | None:
    """The first key that a migration lacks."""
    if mode(node) == KRAFT:
        return None if node.is_set("zookeeper.connect") else "zookeeper.connect"
    if not (node.text(VOTERS) or (node.definition(BOOTSTRAP) and node.text(BOOTSTRAP))):
        return BOOTSTRAP if node.definition(BOOTSTRAP) else VOTERS
    if not controller_listeners(node):
        return NAMES
    if node.version() == (3, 4) and node.is_set("authorizer.class.name"):
        return "authorizer.class.name"
    if protocol_version(node) < (3, 4):
        return "inter.broker.protocol.version"
    if node.version() >= (3, 9) and node.int("broker.id") < 0:
        return "broker.id"
    return None


def protocol_version(node: Facts) -> tuple[int, int]:
    """inter.broker.protocol.version as a pair; the release itself where it is not set."""
    return release_of(node, "inter.broker.protocol.version")


def release_of(node: Facts, key: str) -> tuple[int, int]:
    """The first two numbers of a release such as 3.4 or 3.4-IV0 (0.11.0 counts as 0.11)."""
    if not written(node, key):
        return node.version()
    numbers = node.str(key).partition("-")[0].split(".")
    if len(numbers) < 2 or not (numbers[0].isdecimal() and numbers[1].isdecimal()):
        raise Unknown(f"{key}={node.text(key)} is no release")
    return int(numbers[0]), int(numbers[1])


@rule("KA530", "critical", before=(4, 0))
def broker_id_reserved(broker: Facts) -> Problems:
    """broker.id lies in the range that Kafka keeps for ids it makes up itself, and Kafka refuses to start.

    Why: while broker.id.generation.enable is true (the default), ids above reserved.broker.max.id (1000) are given
        out by ZooKeeper; without generation an id must be set.
    Fix: use an id up to reserved.broker.max.id, or set broker.id.generation.enable=false.
    Bad (3.9):
        broker.id=1001
        zookeeper.connect=z1:2181
    Good (3.9):
        broker.id=1001
        broker.id.generation.enable=false
        zookeeper.connect=z1:2181
    See: https://kafka.apache.org/39/documentation/#brokerconfigs_reserved.broker.max.id
    """
    applies(mode(broker) == ZOOKEEPER, "not in ZooKeeper mode")
    preview = written(broker, "node.id") and (2, 8) <= broker.version() < (3, 1)
    key = "node.id" if preview and broker.int("node.id") >= 0 else "broker.id"
    id = broker.int(key)
    if not broker.bool("broker.id.generation.enable"):
        low, high = 0, id
    else:
        low, high = -1, broker.int("reserved.broker.max.id")
    if not low <= id <= high:
        yield Problem(key, f"{id} is not between {low} and {max(low, high)}", f">= {low}", refused=True)


@rule("KA531", "critical", since=(3, 3), before=(4, 0))
def protocol_before_kraft(node: Facts) -> Problems:
    """inter.broker.protocol.version is older than KRaft, and Kafka refuses to start.

    Why: in KRaft the feature metadata.version replaces the key; a value below 3.0 is taken for a ZooKeeper
        cluster's.
    Fix: remove inter.broker.protocol.version from KRaft files.
    Bad (3.9):
        process.roles=broker
        node.id=1
        inter.broker.protocol.version=2.8
    Good (3.9):
        process.roles=broker
        node.id=1
    See: KIP-778, kafka.server.KafkaConfig.interBrokerProtocolVersion
    """
    key = "inter.broker.protocol.version"
    applies(mode(node) == KRAFT and written(node, key), "not set in a KRaft file")
    old_preview = node.str(key) == "3.0-IV0"
    if release_of(node, key) < (3, 0) or old_preview:
        yield Problem(key, "KRaft starts with 3.0-IV1", "not set", refused=True)


@rule("KA532", "low", since=(3, 3), before=(4, 0))
def protocol_version_in_kraft(node: Facts) -> Problems:
    """inter.broker.protocol.version is set in a KRaft file, where it decides nothing.

    Why: brokers and controllers speak what the feature metadata.version says; the key is only read when a cluster is
        formatted without a version.
    Fix: remove it; raise the version with kafka-features.sh upgrade.
    Bad (3.9):
        process.roles=broker
        node.id=1
        inter.broker.protocol.version=3.8
    Good (3.9):
        process.roles=broker
        node.id=1
    See: KIP-778, https://kafka.apache.org/39/documentation/#upgrade_390_kraft
    """
    key = "inter.broker.protocol.version"
    applies(mode(node) == KRAFT and written(node, key), "not set in a KRaft file")
    if release_of(node, key) >= (3, 0):
        yield Problem(key, "metadata.version decides in KRaft", "not set")


@rule("KA533", "critical", before=(4, 0))
def message_format_above_protocol(node: Facts) -> Problems:
    """log.message.format.version needs a newer inter.broker.protocol.version, and Kafka refuses to start.

    Why: followers fetch in the inter-broker protocol; it must be able to carry the record format that the log is
        written in. The format changed in 0.10.0 and in 0.11.0.
    Fix: raise inter.broker.protocol.version first, or remove log.message.format.version (ignored from 3.0 on).
    Bad (2.8):
        broker.id=1
        zookeeper.connect=z1:2181
        inter.broker.protocol.version=0.10.0
        log.message.format.version=0.11.0
    Good (2.8):
        broker.id=1
        zookeeper.connect=z1:2181
        inter.broker.protocol.version=2.6
        log.message.format.version=2.8
    See: KIP-724, kafka.server.KafkaConfig.validateValues
    """
    keys = ["log.message.format.version", "inter.broker.protocol.version"]
    applies(written(node, keys[1]), "the protocol is the release's own")
    applies(protocol_version(node) < (3, 0), "ignored from protocol 3.0 on")
    wanted = 2 if not written(node, keys[0]) else record_format(release_of(node, keys[0]))
    if record_format(protocol_version(node)) < wanted:
        yield Problem(list(keys), "the record format is newer than the protocol", refused=True)


def record_format(release: tuple[int, int]) -> int:
    """The number of the record format that a release introduced or kept."""
    return 2 if release >= (0, 11) else 1 if release >= (0, 10) else 0


@rule("KA534", "low", since=(4, 0), each=POLICIES)
def policy_on_broker(broker: Facts, key: str) -> Problems:
    """A policy is set on a broker without the controller role, where it does nothing.

    Why: topics are created and configurations changed by the controller; only its file's policies are asked.
    Fix: move the key to the controllers' files.
    Bad:
        process.roles=broker
        node.id=1
        create.topic.policy.class.name=org.example.Policy
    Good:
        process.roles=broker,controller
        node.id=1
        create.topic.policy.class.name=org.example.Policy
    See: KAFKA-18521, kafka.server.KafkaConfig.validateValues
    """
    applies(written(broker, key), "not set")
    if only(broker, "broker") and broker.str(key):
        yield Problem(key, "only controllers ask policies", "set on the controllers", changes=True)


@rule("KA535", "medium", dev="low", since=(3, 0))
def broker_heartbeat_slow(node: Facts) -> Problems:
    """A broker may miss a single heartbeat and is already fenced.

    Why: a controller fences a broker that it has not heard of for broker.session.timeout.ms; with less than two
        heartbeats in that time one lost request takes the broker's partitions away.
    Fix: keep broker.heartbeat.interval.ms (2000) at half of broker.session.timeout.ms (9000) or below.
    Bad:
        process.roles=broker,controller
        node.id=1
        broker.heartbeat.interval.ms=6000
    Good:
        process.roles=broker,controller
        node.id=1
        broker.heartbeat.interval.ms=2000
        broker.session.timeout.ms=9000
    See: KIP-631, kafka.server.KafkaConfig.validateValues
    """
    applies(mode(node) == KRAFT, "ZooKeeper sessions have their own timeout")
    beat, session = node.int("broker.heartbeat.interval.ms"), node.int("broker.session.timeout.ms")
    keys = ["broker.heartbeat.interval.ms", "broker.session.timeout.ms"]
    if beat * 2 > session:
        guess = not written(node, keys[1]) and "controller" not in roles(node)
        yield Problem(
            list(keys), f"a heartbeat every {beat} ms, fenced after {session} ms", f"<= {session // 2}", likely=guess
        )


def topic_defaults(broker: Facts) -> tuple[str, ...]:
    """The defaults for new topics; unknown, once, where one is set and the node's roles are not known."""
    keys = ("num.partitions", "default.replication.factor")
    if any(written(broker, key) for key in keys):
        roles(broker)
    return keys


@rule("KA536", "info", since=(4, 3), each=topic_defaults)
def topic_default_on_broker(broker: Facts, key: str) -> Problems:
    """A default for new topics stands in the file of a broker without the controller role; Kafka 5.0 will ignore it there.

    Why: topics are created by the controllers; releases from 4.3 on warn, 5.0 will only read the controllers' files.
    Fix: set it in the controllers' files as well, and remove it here when all of them have it.
    Bad:
        process.roles=broker
        node.id=1
        num.partitions=6
    Good:
        process.roles=broker,controller
        node.id=1
        num.partitions=6
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(written(broker, key), "not set")
    if only(broker, "broker"):
        says = f"{broker.int(key)} here; from 5.0 on only the controllers' value counts"
        yield Problem(key, says, "set on the controllers", changes=True)


@rule("KA537", "low", dev="info", before=(4, 0))
def zk_session_timeout(broker: Facts) -> Problems:
    """The ZooKeeper session is so short that a pause of the broker ends it.

    Why: a broker that loses its session is taken for dead: its leaders move and its replicas leave the ISR. The
        default was raised from 6 to 18 seconds in Kafka 2.5 for that reason.
    Fix: leave zookeeper.session.timeout.ms at 18000.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        zookeeper.session.timeout.ms=4000
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        zookeeper.session.timeout.ms=18000
    See: KIP-537, https://kafka.apache.org/39/documentation/#brokerconfigs_zookeeper.session.timeout.ms
    """
    key = "zookeeper.session.timeout.ms"
    applies(mode(broker) == ZOOKEEPER and written(broker, key), "left at its default")
    if broker.int(key) < 6000:
        yield Problem(key, f"{broker.int(key)} ms", ">= 6000")


@rule("KA538", "low", since=(3, 1))
def controller_listener_surplus(broker: Facts) -> Problems:
    """A broker is given several listeners of the controllers and uses the first.

    Why: a broker without the controller role only sends requests to controllers, by one listener; it warns and leaves
        the other names alone. The order in the list decides.
    Fix: name the one listener that brokers are to use.
    Bad:
        process.roles=broker
        node.id=1
        controller.listener.names=CONTROLLER,CONTROLLER_SSL
    Good:
        process.roles=broker
        node.id=1
        controller.listener.names=CONTROLLER_SSL
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(only(broker, "broker"), "not a KRaft node with the broker role alone")
    names = controller_listeners(broker)
    if len(set(names)) > 1:
        yield Problem(NAMES, f"only {names[0]} is used", names[0], changes=True)


@rule("KA539", "critical", since=(3, 0), before=(4, 0))
def node_id_negative(node: Facts) -> Problems:
    """A KRaft node has a negative id, which counts as none, and Kafka refuses to start.

    Why: a node is known to the quorum by its id; only ZooKeeper could give one to a broker that had none.
    Fix: set node.id to a number from 0 on that no other node has.
    Bad (3.9):
        process.roles=broker
        node.id=-1
    Good (3.9):
        process.roles=broker
        node.id=1
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(mode(node) == KRAFT and node.is_set("node.id"), "no KRaft node with an id")
    if node.int("node.id") < 0:
        yield Problem("node.id", f"{node.int('node.id')} is no id", "0 or more", refused=True)
