"""Quorum: the KRaft controllers and their voters, and what a KRaft node's file says of its role."""

from __future__ import annotations

from advisor.facts import (
    KRAFT,
    controller_listeners,
    controller_servers,
    is_local,
    listeners,
    mode,
    outline_of,
    protocol_map,
    repeated,
    roles,
    servers,
    voters,
    written,
)
from advisor.rule import Problem, Problems, Subject, Unknown, applies, rule
from rules import even

VOTERS, BOOTSTRAP, NAMES = (
    "controller.quorum.voters",
    "controller.quorum.bootstrap.servers",
    "controller.listener.names",
)
ANY_ADDRESS = "0.0.0.0"
FEW_VOTERS = 3
"""Up to so many combined nodes a small cluster is commonly run on purpose."""
POLICIES = ("create.topic.policy.class.name", "alter.config.policy.class.name")


def only(node: Subject, role: str) -> bool:
    """Whether the node has this one KRaft role."""
    return mode(node) == KRAFT and written(node, "process.roles") and set(roles(node)) == {role}


def voter_ids(node: Subject) -> tuple[int, ...]:
    """The ids of the static voters."""
    static = voters(node)
    if any(voter.id is None for voter in static):
        raise Unknown(f"{VOTERS} is filled in later: {node.text(VOTERS)}")
    return tuple(voter.id for voter in static if voter.id is not None)


def exact_names(node: Subject) -> tuple[str, ...]:
    """controller.listener.names letter by letter: Kafka looks them up in upper case, and finds no others."""
    return tuple(name.strip() for name in node.text(NAMES).split(",") if name.strip() and controller_listeners(node))


def node_id(node: Subject) -> int:
    """The effective node.id; before KRaft it is broker.id."""
    return node.int("node.id")


@rule("KA501", "high", dev="info", staging="medium", regulated="critical", aim="by hand: migration")
def quorum_single(node: Subject) -> Problems:
    """One controller is the whole quorum: while it is down no leader is elected, and no other voter has the metadata.

    Why: the active controller decides leaders, topics and ISR changes. No other voter can take over, and the cluster's
        metadata is lost with the controller's disk. A static quorum has its voters in controller.quorum.voters. A
        dynamic one (from 3.9 on) keeps them in the metadata log, and controller.quorum.bootstrap.servers only says
        where to find them: a single address there need not be the only controller's, so the finding is a remark.
    Fix: run three controllers (five to survive two failures). For a new cluster list them all in
        controller.quorum.voters, or format a dynamic quorum with kafka-storage.sh format --initial-controllers. In a
        running dynamic quorum add them one by one with kafka-metadata-quorum.sh add-controller.
    Care: never add voters to controller.quorum.voters of a running cluster: two new voters with empty logs are a
        majority and can elect each other, and the cluster's metadata is lost. A static quorum must become a dynamic one
        first (Kafka 4.1: kafka-features.sh upgrade --feature kraft.version=1); older releases have to be upgraded.
    Bad:
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@localhost:9093
    Bad:
        process.roles=controller
        node.id=1
        controller.quorum.bootstrap.servers=c1:9093
    Good:
        process.roles=controller
        node.id=1
        controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
    Good:
        process.roles=controller
        node.id=1
        controller.quorum.bootstrap.servers=c1:9093,c2:9093,c3:9093
    See: KIP-500, KIP-853, https://kafka.apache.org/documentation/#kraft_deployment
    """
    applies(not node.running(), "the running quorum itself is judged")
    found, addresses = voters(node), controller_servers(node)
    applies(found or addresses, "the controllers are not in this file")
    if len(found) == 1:
        yield Problem(VOTERS, f"one voter: no controller can take over{only_here(found[0].host)}", "3 or 5 voters")
    elif not found and is_lone_controller(node):
        text = f"one controller's address: if there is no second, none can take over{only_here(addresses[0].host)}"
        yield Problem(BOOTSTRAP, text, "3 or 5 controllers", step=-3, likely=True)


def only_here(host: str | None) -> str:
    """What to add where the one controller's address is localhost."""
    return "; no other machine reaches localhost" if is_local(host) else ""


def is_lone_controller(node: Subject) -> bool:
    """Whether the node is a controller, names one address of controllers, and no other controller's file is in the run."""
    if "controller" not in roles(node) or len(controller_servers(node)) != 1 or node.live("controllers") > 1:
        return False
    return not stands_for_several(node.text(BOOTSTRAP).strip())


def stands_for_several(address: str) -> bool:
    """Whether a host name is that of a service, which stands for all its servers; a Kubernetes pod's ends on a number."""
    first, *others = address.rpartition("://")[2].rpartition(":")[0].split(".")
    return "bootstrap" in first or "headless" in first or ("svc" in others and not first[-1:].isdigit())


@rule("KA502", "medium", dev="info", aim="by hand: migration")
def quorum_even(node: Subject) -> Problems:
    """An even number of voters survives no more failures than one voter fewer.

    Why: a majority must agree: 4 voters survive one failure, as 3 do; 2 voters survive none, and one of the two is
        twice as likely to fail. Only controller.quorum.voters is counted: controller.quorum.bootstrap.servers of a
        dynamic quorum need not name every controller.
    Fix: run 3 or 5 voters. A new static quorum lists them in controller.quorum.voters; a dynamic quorum (from 3.9 on)
        is changed with kafka-metadata-quorum.sh add-controller and remove-controller.
    Care: never edit controller.quorum.voters node by node: the nodes then count different majorities. Change a dynamic
        quorum by one voter at a time, each caught up before the next; a static quorum must become dynamic first (Kafka
        4.1).
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
    applies(count, "the voters are not in this file; bootstrap servers need not be all of them")
    if count % 2 == 0:
        yield Problem(VOTERS, even(count, "voter"), "3 or 5 voters")


@rule("KA503", "medium", dev="info", aim="by hand: migration")
def quorum_size(node: Subject) -> Problems:
    """More than seven controllers vote, and every metadata change waits for a majority of them.

    Why: each record of the metadata log must reach more than half of the voters; 3 voters survive one failure, 5
        survive two, and more only add delay and work.
    Fix: run 3 or 5 voters; the other nodes can be brokers, which follow the metadata log without voting.
    Care: never edit controller.quorum.voters node by node: the nodes then count different majorities. In a dynamic
        quorum use kafka-metadata-quorum.sh remove-controller, one voter at a time.
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
    applies(count, "the voters are not in this file; bootstrap servers need not be all of them")
    if count > 7:
        text = f"every metadata change waits for {count // 2 + 1} of {count} voters"
        yield Problem(VOTERS, text, "3 or 5 voters", step=count > 9)


@rule("KA504", "medium", dev="info", staging="low", aim="by hand: hardware")
def combined_mode(controller: Subject) -> Problems:
    """Broker and controller share one process, so overload or a restart of one also stops the other.

    Why: a broker that runs out of memory or pauses for garbage collection also stops a voter, and controllers cannot be
        upgraded or scaled separately. Apache Kafka does not recommend combined mode for critical clusters.
    Fix: run controllers as separate nodes with process.roles=controller.
    Care: do not just remove the controller role from the file: a static voter then refuses to start as a broker, and a
        dynamic quorum loses a voter. Add the new controllers first, remove this node with kafka-metadata-quorum.sh
        remove-controller, then change its roles; a static quorum must become a dynamic one first (Kafka 4.1).
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
        few = 0 < len(voters(controller)) <= FEW_VOTERS
        text = "overload or a restart of the broker also stops a voter of the quorum"
        yield Problem("process.roles", text, "separate controllers", step=-1 if few else 0)


@rule("KA506", "off", dev="info", replaces=("KA102", "KA103", "KA401", "KA402", "KA501", "KA504"))
def single_node(controller: Subject) -> Problems:
    """A single node on the loopback address is the whole cluster: nothing is redundant.

    Why: one process holds every replica and the only vote. That suits a laptop or a test; the profiles for servers
        judge each setting by itself.
    Fix: keep it as long as its records may be lost; for anything else run three brokers and three controllers.
    Bad:
        process.roles=broker,controller
        node.id=1
        listeners=PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093
        controller.listener.names=CONTROLLER
        controller.quorum.voters=1@localhost:9093
    Good:
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
    See: https://kafka.apache.org/documentation/#kraft_role
    """
    applies(not controller.running(), "a running cluster is judged by its state")
    applies({"broker", "controller"} <= set(controller.list("process.roles")), "broker and controller are apart")
    hosts = [voter.host for voter in voters(controller)] or [server.host for server in servers(controller, BOOTSTRAP)]
    if len(hosts) == 1 and is_local(hosts[0]):
        yield Problem("process.roles", "a single node is the whole cluster: nothing is redundant")


@rule("KA505", "critical", since=(3, 0), refuses=True, aim="by hand: address")
def quorum_undefined(node: Subject) -> Problems:
    """A KRaft node has no address of a controller, and Kafka refuses to start.

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
    addresses = [node.outline(name).strip() for name in dict.fromkeys((VOTERS, key))]
    if not any(addresses):
        yield Problem(key, "the node cannot find the controllers", "the controllers", refused=True)


@rule("KA507", "critical", since=(3, 0), refuses=True, aim="by hand: address")
def controller_not_voter(controller: Subject) -> Problems:
    """A controller is not among the voters of its own file, and Kafka refuses to start.

    Why: in a static quorum every controller is a voter, and it finds itself in the list by its node.id.
    Fix: in a static quorum set node.id to the id that controller.quorum.voters gives this host. In a dynamic quorum
        (from 3.9 on) remove controller.quorum.voters, set controller.quorum.bootstrap.servers, and add the controller
        with kafka-metadata-quorum.sh add-controller.
    Bad:
        process.roles=controller
        node.id=5
        controller.quorum.voters=100@c1:9093
    Good:
        process.roles=controller
        node.id=100
        controller.quorum.voters=100@c1:9093
    See: KIP-853, kafka.server.KafkaConfig.validateValues
    """
    ids = voter_ids(controller)
    applies(ids and "controller" in roles(controller), "no static voters, or no controller")
    applies(controller.is_set("node.id"), "the node has no id")
    if node_id(controller) not in ids:
        yield Problem(["node.id", VOTERS], "the node's id is not among the voters", "one of the ids", refused=True)


@rule("KA508", "critical", since=(3, 0), refuses=True, aim="by hand: choice")
def broker_is_voter(broker: Subject) -> Problems:
    """A broker without the controller role has the id of a voter, and Kafka refuses to start.

    Why: brokers and controllers share one range of ids, and a voter that is not a controller would never vote.
    Fix: set node.id to an id that no other node has, or add controller to process.roles.
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
    repeated = len(broker.list("process.roles")) > 1 and not broker.at_least((4, 2))
    if ids and node_id(broker) in ids and not repeated:
        yield Problem(["node.id", VOTERS], "the broker has a voter's id", "an id that no voter has", refused=True)


@rule("KA509", "critical", since=(3, 1), refuses=True, aim="by hand: choice")
def two_node_ids(node: Subject) -> Problems:
    """node.id and broker.id differ, and Kafka refuses to start.

    Why: both are the id of the node; broker.id is the older name.
    Fix: remove broker.id (in ZooKeeper mode node.id), and set the other to the id in meta.properties where the node has
        data.
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
        yield Problem(["broker.id", "node.id"], "the node has two different ids", "the same id", refused=True)


@rule("KA510", "critical", before=(4, 2), refuses=True, aim="by hand: address", fix="safe: set")
def role_twice(node: Subject) -> Problems:
    """process.roles names a role twice, and Kafka refuses to start.

    Why: up to Kafka 4.1 a repeated role is an error; later releases drop it with a warning.
    Fix: name each role once in process.roles.
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
        fix = f"set process.roles={','.join(dict.fromkeys(listed))}"
        yield Problem("process.roles", "a role is named twice", "each role once", refused=True, fix=fix)


def listener_of_controllers(node: Subject) -> str:
    """The name that the controllers' listener probably has: one of the map that is called so, else CONTROLLER."""
    names = (entry.partition(":")[0].strip() for entry in node.text("listener.security.protocol.map").split(","))
    return next((name for name in names if "CONTROLLER" in name.upper()), "CONTROLLER")


@rule("KA511", "critical", since=(3, 1), refuses=True, aim="by hand: address")
def controller_listener_missing(controller: Subject) -> Problems:
    """A controller has no listener with a name in controller.listener.names, and Kafka refuses to start.

    Why: the names are looked up in listeners; without such a listener no voter and no broker can reach the controller.
    Fix: set controller.listener.names where it is not set, usually to CONTROLLER; add NAME://host:port to listeners for
        every name in it, and map NAME in listener.security.protocol.map.
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
        verb = "are" if len(missing) > 1 else "is"
        name = listener_of_controllers(controller)
        absent = f"add controller.listener.names={name}: no listener is the controllers'"
        what = f"{', '.join(missing)} {verb} not in listeners" if missing else absent
        yield Problem(NAMES, what, "names of listeners" if missing else name, refused=True)


@rule("KA512", "critical", since=(3, 1), refuses=True, aim="by hand: choice")
def controller_listener_unnamed(broker: Subject) -> Problems:
    """A broker names no listener of the controllers, and Kafka refuses to start.

    Why: the first name in controller.listener.names decides which protocol the broker uses to the controllers.
    Fix: set controller.listener.names to the name that the controllers use, usually CONTROLLER.
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
        name = listener_of_controllers(broker)
        what = f"add controller.listener.names={name}: the broker cannot find the controllers"
        yield Problem(NAMES, what, name, refused=True)


@rule("KA513", "critical", since=(3, 1), refuses=True, aim="by hand: address")
def controller_listener_on_broker(broker: Subject) -> Problems:
    """A broker without the controller role opens a controller listener, and Kafka refuses to start.

    Why: only controllers may open the listeners in controller.listener.names.
    Fix: remove the controller listener from this broker's listeners.
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
    opened = listeners(broker)
    of_controllers = exact_names(broker) if opened else ()
    names = [listener.name for listener in opened if listener.name in of_controllers]
    if names:
        yield Problem(
            "listeners",
            f"a broker must not open {names[0]}, a controller listener",
            "no controller listener",
            refused=True,
        )


@rule("KA514", "critical", since=(3, 1), refuses=True, aim="by hand: address")
def controller_listener_without_protocol(broker: Subject) -> Problems:
    """The controllers' listener has no security protocol in a broker's file, and Kafka refuses to start.

    Why: the broker connects to the controllers with the protocol that listener.security.protocol.map gives that name;
        the default map adds PLAINTEXT only where no listener uses TLS or SASL.
    Fix: add the controller listener's name to listener.security.protocol.map, with the protocol that the controllers
        use.
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
            ["listener.security.protocol.map", NAMES],
            f"{bare[0]} has no security protocol",
            f"{bare[0]}:…",
            refused=True,
        )


@rule("KA515", "critical", since=(3, 1), refuses=True, aim="by hand: address")
def controller_with_broker_listener(controller: Subject) -> Problems:
    """A controller without the broker role opens a broker listener, and Kafka refuses to start.

    Why: clients would connect to it and find no broker; a controller listens for controllers and brokers only.
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
        text = f"{names[0]} is not a controller listener"
        yield Problem("listeners", text, "controller listeners only", refused=True)
    elif (3, 9) <= controller.version() < (4, 2) and len(set(exact_names(controller))) < len(exact_names(controller)):
        yield Problem(NAMES, "a listener is named twice", "each name once", refused=True)


@rule("KA516", "critical", since=(3, 1), before=(3, 9), refuses=True, aim="by hand: address")
def controller_listener_advertised(node: Subject) -> Problems:
    """A controller listener is advertised, which Kafka refuses before release 3.9.

    Why: up to 3.8 nodes find controllers through controller.quorum.voters only; advertised.listeners is for the
        brokers' clients, and a node with the controller role alone must not set it at all.
    Fix: remove the controller listeners from advertised.listeners.
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
    names = [entry.partition("://")[0].strip().upper() for entry in outline_of(node, key).split(",")]
    alone = only(node, "controller") and node.at_least((3, 3))
    if alone or ("broker" in roles(node) and set(names) & set(exact_names(node))):
        yield Problem(key, "a controller listener must not be advertised", "no controller listener", refused=True)


@rule("KA517", "critical", since=(4, 0), refuses=True, aim="remove inter.broker.listener.name")
def controller_inter_broker_listener(controller: Subject) -> Problems:
    """A controller names its own listener as the inter-broker listener, and Kafka refuses to start.

    Why: a node with the controller role alone has no inter-broker listener; from 4.0 on a controller listener in
        inter.broker.listener.name is an error.
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
        yield Problem(key, "the inter-broker listener is a controller listener", "not set", refused=True)


@rule("KA518", "critical", since=(4, 2), refuses=True, aim="remove controller.quorum.auto.join.enable")
def auto_join_without_controller(broker: Subject) -> Problems:
    """controller.quorum.auto.join.enable is set on a node that is not a controller, and Kafka refuses to start.

    Why: only a controller can become a voter.
    Fix: remove controller.quorum.auto.join.enable from this broker's file; set it in the controllers' files only.
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
        yield Problem(key, "the node is not a controller", "false", refused=True)


@rule("KA519", "info", aim="by hand: choice")
def quorum_static_and_dynamic(node: Subject) -> Problems:
    """Static voters and bootstrap servers are both set, so the file does not show which kind of quorum the cluster has.

    Why: a quorum is static (controller.quorum.voters) or dynamic (formatted as one, found through
        controller.quorum.bootstrap.servers); a dynamic quorum ignores the voters in the file.
    Fix: keep controller.quorum.voters for a static quorum or controller.quorum.bootstrap.servers for a dynamic one, and
        remove the other.
    Care: if you remove the wrong one, nodes do not find the controllers at their next restart. Ask the running cluster
        first: kafka-features.sh --bootstrap-server HOST:PORT describe shows kraft.version 0 (static: keep the voters)
        or 1 (dynamic: keep the bootstrap servers).
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
    if outline_of(node, VOTERS) and outline_of(node, BOOTSTRAP):
        yield Problem([VOTERS, BOOTSTRAP], "a dynamic quorum ignores the voters in the file", "one of the two")


@rule("KA520", "medium", dev="info", aim="by hand: address")
def voters_on_localhost(node: Subject) -> Problems:
    """Controllers have the address localhost, so they share one host or cannot reach each other.

    Why: controllers on one host fail together; on any other host localhost is that host itself.
    Fix: give every controller a host name that all nodes resolve, in controller.quorum.voters or (dynamic quorum, from
        3.9 on) controller.quorum.bootstrap.servers.
    Care: a change of ids or of the number of voters can break the quorum: change only the host names, and restart the
        controllers one at a time, each caught up before the next.
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
    static = voters(node)
    hosts = [each.host for each in static or controller_servers(node)]
    applies(len(hosts) > 1, "not several controllers")
    local = sum(is_local(host) for host in hosts)
    if local:
        key, what = (VOTERS, "voters") if static else (BOOTSTRAP, "controllers")
        verb = "has" if local == 1 else "have"
        text = f"{local} of {len(hosts)} {what} {verb} the address localhost"
        yield Problem(key, text, "hosts that all nodes resolve")


@rule("KA521", "high", dev="medium", aim="by hand: address")
def voter_id_twice(node: Subject) -> Problems:
    """Two voters have the same id: Kafka starts, and one of them is silently left out of the quorum.

    Why: Kafka keeps the voters by id, and the last address of an id wins; the quorum is smaller than it looks.
    Fix: give every controller a unique node.id and list that id once.
    Care: do not just give the second node a new id in the file: its log is empty, and it must join as a new voter
        (kafka-metadata-quorum.sh add-controller in a dynamic quorum). The running quorum has fewer voters than the file
        lists.
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
    twice = sorted(repeated(ids))
    if twice:
        yield Problem(VOTERS, f"two voters have the id {twice[0]}: one of them has no vote", "different ids")


@rule("KA554", "high", since=(3, 0), aim="by hand: address")
def voter_port(controller: Subject) -> Problems:
    """A controller has no listener at the port that controller.quorum.voters gives it.

    Why: the other nodes reach a voter at its address in the list alone. Controllers whose ports are wrong elect no
        leader, and no broker registers; Kafka starts, and does not compare the two settings.
    Fix: set the voter's port in controller.quorum.voters, on every node, to that of the controllers' listener.
    Care: the list must be the same on every node. Where something between the nodes maps the port, such as a Service or a
        published port, suppress the finding.
    Bad:
        process.roles=controller
        node.id=1
        listeners=CONTROLLER://:9093
        controller.listener.names=CONTROLLER
        controller.quorum.voters=1@c1:9094,2@c2:9094,3@c3:9094
    Good:
        process.roles=controller
        node.id=1
        listeners=CONTROLLER://:9093
        controller.listener.names=CONTROLLER
        controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
    See: org.apache.kafka.raft.QuorumConfig.parseVoterConnections
    """
    applies("controller" in roles(controller) and not controller.is_set(BOOTSTRAP), "no controller with static voters")
    own = [voter for voter in voters(controller) if voter.id == node_id(controller)]
    ports = {listener.name: listener.port for listener in listeners(controller)}
    names = [listener.name for listener in listeners(controller) if listener.controller]
    applies(own and names, "no voter, or no controllers' listener")
    if own[-1].port is None or None in ports.values():
        raise Unknown("a port is filled in later")
    if own[-1].port not in [ports[name] for name in names]:
        other = next((name for name, port in ports.items() if port == own[-1].port), None)
        listens = f"{own[-1].port} is the port of {other}" if other else f"nothing listens at port {own[-1].port}"
        text = f"{listens}, where the other nodes look for controller {own[-1].id}"
        yield Problem([VOTERS, "listeners"], text, f"port {ports[names[0]]}", likely=True)


@rule("KA534", "low", dev="info", since=(4, 0), each=POLICIES, changes=True, aim="by hand: choice", fix="safe: drop")
def policy_on_broker(broker: Subject, key: str) -> Problems:
    """A policy is set on a broker without the controller role, where it has no effect.

    Why: the controller creates topics and changes configurations, so only the policies in its file apply.
    Fix: put the policy's class on the controllers' class path, then move create.topic.policy.class.name or
        alter.config.policy.class.name to their files.
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
        yield Problem(
            key, "a broker ignores it: only controllers apply policies", "set on the controllers", changes=True
        )


@rule("KA535", "medium", dev="low", since=(3, 0))
def broker_heartbeat_slow(node: Subject) -> Problems:
    """A broker that misses a single heartbeat is fenced.

    Why: a controller fences a broker that it has not heard from for broker.session.timeout.ms; with fewer than two
        heartbeats in that time, one lost request moves the leadership of all the broker's partitions.
    Fix: set broker.heartbeat.interval.ms (default 2000) to at most half of broker.session.timeout.ms (default 9000).
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
        text = f"a broker that misses one heartbeat is fenced after {session} ms"
        if beat >= session:
            text = (
                f"every broker is fenced between two heartbeats, {beat} ms apart: its session ends after {session} ms"
            )
        yield Problem(list(keys), text, f"<= {session // 2}", likely=guess, step=int(beat >= session))


def topic_defaults(broker: Subject) -> tuple[str, ...]:
    """The defaults for new topics; unknown, once, where one is set and the node's roles are not known."""
    keys = ("num.partitions", "default.replication.factor")
    if any(written(broker, key) for key in keys):
        roles(broker)
    return keys


@rule("KA536", "info", since=(4, 3), each=topic_defaults, changes=True, aim="by hand: choice")
def topic_default_on_broker(broker: Subject, key: str) -> Problems:
    """A default for new topics is set on a broker without the controller role, where Kafka 5.0 will ignore it.

    Why: controllers create topics: releases from 4.3 on log a warning, and 5.0 will read the controllers' files only.
    Fix: set num.partitions and default.replication.factor in every controller's file, then remove them from this
        broker's.
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
    if only(broker, "broker") and broker.int_of_other_role(key) != broker.int(key):
        says = "from Kafka 5.0 on only the controllers' value counts"
        yield Problem(key, says, "set on the controllers", changes=True)


@rule("KA538", "low", dev="info", since=(3, 1), changes=True, aim="by hand: address")
def controller_listener_surplus(broker: Subject) -> Problems:
    """A broker names several controller listeners and uses only the first.

    Why: a broker without the controller role reaches the controllers through one listener only: it uses the first name,
        ignores the others and logs a warning.
    Fix: name in controller.listener.names only the listener that brokers should use.
    Care: if the controllers have no listener of that name, the broker cannot reach them after its restart. Keep the
        first name, and restart one broker at a time.
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
        yield Problem(NAMES, f"the broker uses only {names[0]}", names[0], changes=True, used=names[0])


@rule("KA555", "critical", since=(3, 8), refuses=True, aim="by hand: address")
def voters_on_any_address(node: Subject) -> Problems:
    """A voter has the address 0.0.0.0, to which no node can connect, and Kafka refuses to start.

    Why: 0.0.0.0 means every interface of the host: it is right in listeners. In controller.quorum.voters it would lead
        each node to itself, and from 3.8 on every node with process.roles ends with "Host string (0.0.0.0) is not routeable".
    Fix: write the host name of each controller in controller.quorum.voters, and keep 0.0.0.0 in listeners.
    Bad:
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@0.0.0.0:9093
        controller.listener.names=CONTROLLER
        listeners=PLAINTEXT://b1:9092,CONTROLLER://0.0.0.0:9093
    Good:
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@b1:9093
        controller.listener.names=CONTROLLER
        listeners=PLAINTEXT://b1:9092,CONTROLLER://0.0.0.0:9093
    See: org.apache.kafka.raft.QuorumConfig.parseVoterConnections
    """
    applies(roles(node), "a node without a role does not read the voters")
    if any(voter.host == ANY_ADDRESS for voter in voters(node)):
        yield Problem(VOTERS, "no node can connect to a voter at 0.0.0.0", "host names", refused=True)
