"""Authorization: who may do what: authorizers, super users, ACLs, new topics, and whether nodes let one another in."""

from __future__ import annotations

from advisor.facts import (
    KRAFT,
    ZOOKEEPER,
    Listener,
    controller_listeners,
    inter_broker,
    is_beside_controllers,
    listeners,
    mode,
    protocol_map,
    voters,
    written,
)
from advisor.rule import PLACEHOLDER, Problem, Problems, Subject, Unknown, applies, fact, rule
from rules.security_listeners import PLAINTEXT, SASL, of_listener
from rules.security_sasl import jaas_key, mechanism_keys

FAMILY = "security"
STANDARD_AUTHORIZER = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
ACL_AUTHORIZER = "kafka.security.authorizer.AclAuthorizer"
OWN_AUTHORIZERS = (STANDARD_AUTHORIZER, ACL_AUTHORIZER, "kafka.security.auth.SimpleAclAuthorizer")
"""The authorizers that Kafka itself brings."""
STRONG = ("ALL", "ALTER", "ALTER_CONFIGS", "CLUSTER_ACTION", "DELETE")
"""Operations by which a principal changes what is not its own."""


@rule("KA608", "medium", dev="info", staging="low", regulated="critical", aim="by hand: credentials")
def authorizer_missing(node: Subject) -> Problems:
    """No authorizer is set, so every connected client may do everything.

    Why: without an authorizer Kafka checks no ACLs: any client may read, write and delete any topic.
    Fix: name brokers, controllers and operators in super.users, then set authorizer.class.name and add the ACLs. In
        KRaft the class is org.apache.kafka.metadata.authorizer.StandardAuthorizer on brokers and controllers, in
        ZooKeeper mode kafka.security.authorizer.AclAuthorizer (kafka.security.auth.SimpleAclAuthorizer before 2.4).
    Care: with an authorizer and without ACLs every principal outside super.users is denied, the brokers included. First
        name brokers, controllers and operators in super.users on every node; then start with
        allow.everyone.if.no.acl.found=true, add the ACLs, find in kafka.authorizer.logger which principal uses what,
        and remove allow.everyone.if.no.acl.found last.
    Bad:
        process.roles=broker
        node.id=1
    Good:
        process.roles=broker
        node.id=1
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:admin
    See: KIP-801, https://kafka.apache.org/documentation/#security_authz
    """
    if not node.str("authorizer.class.name"):
        yield Problem("authorizer.class.name", "every connected client may do everything", "an authorizer")


@rule(
    "KA609",
    "high",
    dev="low",
    staging="medium",
    regulated="critical",
    aim="by hand: credentials",
)
def allow_everyone(node: Subject) -> Problems:
    """The authorizer permits everything on a resource that has no ACL.

    Why: with allow.everyone.if.no.acl.found=true a topic is open to all clients until it has its first ACL.
    Fix: name brokers, controllers and operators in super.users, add the ACLs that applications need, then remove
        allow.everyone.if.no.acl.found (default false).
    Care: without the key a restarted node denies everything that has no ACL. First find every application in
        kafka.authorizer.logger, which shows each principal and what it used.
    Bad:
        process.roles=broker
        node.id=1
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:admin
        allow.everyone.if.no.acl.found=true
    Good:
        process.roles=broker
        node.id=1
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:admin
    See: https://kafka.apache.org/documentation/#security_authz
    """
    applies(node.str("authorizer.class.name"), "no authorizer")
    if lets_everyone_in(node):
        yield Problem("allow.everyone.if.no.acl.found", "topics without an ACL are open to all clients", "false")


def lets_everyone_in(node: Subject) -> bool:
    """Whether the authorizer permits everything on what has no ACL."""
    return node.str("allow.everyone.if.no.acl.found").lower() == "true"


@rule("KA610", "high", dev="low", staging="medium", regulated="critical", aim="by hand: credentials")
def anonymous_super_user(node: Subject) -> Problems:
    """Unauthenticated clients are super users.

    Why: User:ANONYMOUS is every client on a PLAINTEXT listener, and on an SSL listener every client without a
        certificate; a super user passes every ACL. Where every listener requires SASL or a certificate, no client is
        ANONYMOUS until a listener without either is added.
    Fix: let brokers and controllers authenticate by certificate or SASL, then remove User:ANONYMOUS from super.users.
    Care: brokers or controllers that use a PLAINTEXT listener among themselves are ANONYMOUS, and the cluster does not
        start without this super user. Secure the inter-broker and the controllers' listener first, name the nodes'
        principals in super.users, and remove User:ANONYMOUS last.
    Bad:
        process.roles=broker
        node.id=1
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:admin;User:ANONYMOUS
    Good:
        process.roles=broker
        node.id=1
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:admin
    See: https://kafka.apache.org/documentation/#security_authz
    """
    applies(node.str("authorizer.class.name"), "no authorizer")
    users = node.text("super.users") if node.shape("super.users") == PLACEHOLDER else node.str("super.users")
    if "User:ANONYMOUS" in [name.strip() for name in users.split(";")]:
        everybody = all(identifies(node, listener) for listener in listeners(node))
        text = "unauthenticated clients pass every ACL"
        text = "no client can be ANONYMOUS on these listeners" if everybody else text
        yield Problem("super.users", text, "named users", step=-2 if everybody else 0)
    elif users:
        node.str("super.users")


def identifies(node: Subject, listener: Listener) -> bool:
    """Whether every client of the listener has to authenticate: by SASL, or by a certificate it asks for."""
    if listener.protocol in SASL:
        return True
    return listener.protocol == "SSL" and node.str(of_listener(node, listener.name, "ssl.client.auth")) == "required"


def untyped_user(node: Subject, text: str) -> str | None:
    """The first of the super users without a type, which Kafka's own authorizers refuse; the older take no empty entry."""
    authorizer = node.str("authorizer.class.name")
    if authorizer not in OWN_AUTHORIZERS or not text:
        return None
    names = [name.strip() for name in text.rstrip(";").split(";")]
    untyped = (name for name in names if ":" not in name and (name or authorizer != STANDARD_AUTHORIZER))
    return next(untyped, None)


@rule("KA611", "medium", dev="low", regulated="high", refuses=True, aim="by hand: credentials")
def super_users_misread(node: Subject) -> Problems:
    """super.users does not name the users that were meant.

    Why: semicolons separate the users, because certificate names contain commas, and no name is a pattern:
        "User:a,User:b" and "User:*" are each one user of exactly that name. Kafka's own authorizers refuse to start
        with a name without a type, such as alice.
    Fix: set super.users to a list such as User:a;User:b.
    Care: every listed user becomes a super user at the next restart. Remove users that should not be, and keep the
        principals of brokers and controllers in the list.
    Bad:
        process.roles=broker
        node.id=1
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:alice,User:bob
    Good:
        process.roles=broker
        node.id=1
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:alice;User:CN=bob,OU=ops
    See: https://kafka.apache.org/documentation/#security_authz
    """
    applies(node.str("authorizer.class.name"), "no authorizer")
    text = node.str("super.users")
    untyped = untyped_user(node, text)
    if untyped is not None:
        yield Problem(
            "super.users",
            f"{untyped or 'an empty entry'} has no type: the authorizer refuses to start",
            "User:NAME",
            refused=True,
        )
    elif ",User:" in text.replace(" ", ""):
        yield Problem("super.users", "commas do not separate users: the whole list is one user", "semicolons")
    elif "User:*" in [name.strip() for name in text.split(";")]:
        yield Problem("super.users", "User:* is a user called *, not every user", "named users")


@rule("KA612", "low", dev="info", confidence="likely", aim="by hand: credentials")
def super_users_missing(node: Subject) -> Problems:
    """An authorizer is set without super users, so brokers need ACLs even for their own requests.

    Why: brokers and controllers authenticate as users too, and before the first ACL exists no principal may create one.
    Fix: name the principals of brokers, controllers and operators in super.users.
    Care: the other nodes deny the requests of a node that the list does not name: write the whole list on every node
        before the first restart. Where certificates differ from node to node, name each of them.
    Bad:
        process.roles=broker
        node.id=1
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
    Good:
        process.roles=broker
        node.id=1
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:broker
    See: https://kafka.apache.org/documentation/#security_authz
    """
    known = ("StandardAuthorizer", "AclAuthorizer", "SimpleAclAuthorizer")
    applies(node.str("authorizer.class.name").rpartition(".")[2] in known, "no authorizer of Kafka's own")
    if not node.str("super.users"):
        applies(not lets_everyone_in(node), "allow.everyone.if.no.acl.found lets them in")
        never_up = mode(node) == KRAFT and not node.running() and not is_beside_controllers(node)
        text = "no super user: brokers may not register with the controllers"
        text = text if never_up else "no super user: brokers need ACLs, and no principal may create the first"
        yield Problem("super.users", text, "the brokers' principals", step=3 if never_up else 0, cause="KA625")


@rule("KA621", "medium", dev="info", regulated="high", aim="by hand: clients")
def auto_create_topics(broker: Subject) -> Problems:
    """Any client that names a topic creates it, even by a typo.

    Why: a misspelled name becomes a topic with default settings, and the producer gets no error for writing to the
        wrong topic.
    Fix: create the topics that applications need, then set auto.create.topics.enable=false.
    Care: applications that rely on automatic creation, source connectors included, fail with UNKNOWN_TOPIC_OR_PARTITION
        on topics that do not exist yet. List those topics first.
    Bad:
        process.roles=broker
        node.id=1
        auto.create.topics.enable=true
    Good:
        process.roles=broker
        node.id=1
        auto.create.topics.enable=false
    See: https://kafka.apache.org/documentation/#brokerconfigs_auto.create.topics.enable
    """
    if broker.bool("auto.create.topics.enable"):
        step = 0 if broker.is_set("auto.create.topics.enable") else -2
        yield Problem("auto.create.topics.enable", "a misspelled name creates a topic", "false", step=step)


ANONYMOUS = "User:ANONYMOUS"
PRINCIPAL_BUILDER = "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder"


@fact
def super_users(node: Subject) -> tuple[str, ...]:
    """The principals of super.users."""
    return tuple(name.strip() for name in node.str("super.users").split(";") if name.strip())


@fact
def is_anonymous(node: Subject, listener: str, protocol: str | None) -> bool:
    """Whether whoever connects to the listener is User:ANONYMOUS, unless a class of one's own names principals."""
    if node.str("principal.builder.class") not in ("", PRINCIPAL_BUILDER):
        raise Unknown("principal.builder.class decides who a connection is")
    if protocol == "SSL":
        return node.str(of_listener(node, listener, "ssl.client.auth")) == "none"
    return protocol == PLAINTEXT


@rule("KA625", "critical", dev="high", since=(3, 2), aim="by hand: credentials")
def controllers_deny_nodes(controller: Subject) -> Problems:
    """The controllers deny the requests of brokers and of each other, so the cluster does not start.

    Why: votes, fetches of the metadata log and registrations need ClusterAction on the cluster. Nodes on a listener
        without authentication are User:ANONYMOUS, nodes that log in are the user of their JAAS line. Until a controller
        has read the ACLs from the log it admits only super users, so neither ACLs nor allow.everyone.if.no.acl.found
        let several controllers elect a leader.
    Fix: name the nodes' principals in super.users, on controllers and brokers, and secure the controllers' listener
        with SSL (ssl.client.auth=required) or SASL. User:ANONYMOUS in the controllers' super.users lets the cluster
        start too, and makes every client that reaches that port a super user.
    Care: without the principals in super.users the nodes deny each other's requests: on a running cluster add them on
        every node and restart each before you enable the authorizer or change the listener's protocol.
    Bad:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:admin
    Good:
        process.roles=controller
        node.id=1
        controller.listener.names=CONTROLLER
        listeners=CONTROLLER://:9093
        listener.security.protocol.map=CONTROLLER:SSL
        ssl.client.auth=required
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:admin;User:CN=controller;User:CN=broker
    See: KIP-801, org.apache.kafka.metadata.authorizer.StandardAuthorizerData.authorize
    """
    applies(not controller.running(), "a running node has started")
    applies(controller.str("authorizer.class.name") == STANDARD_AUTHORIZER, "no StandardAuthorizer")
    names = controller_listeners(controller)
    applies(names, "no listener of controllers")
    protocol, several = dict(protocol_map(controller)).get(names[0]), len(voters(controller)) > 1
    if is_anonymous(controller, names[0], protocol):
        open_to_all = lets_everyone_in(controller)
        applies(several or not open_to_all, "one controller lets every client in without ACLs")
        if ANONYMOUS not in super_users(controller):
            message = f"on {names[0]} nodes are {ANONYMOUS}, which is not a super user: their requests are denied"
            yield Problem(["super.users", "authorizer.class.name"], message, f"{names[0]}: SSL or SASL")
        return
    applies(several and protocol in SASL, "certificates say who nodes are, or one controller that may have ACLs")
    key = jaas_key(names[0], controller.str("sasl.mechanism.controller.protocol"))
    login = controller.login(key)
    if login is None and controller.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key} is filled in later")
    applies(login, "the file does not say whom it logs in as")
    if login and not login.is_one_of(super_users(controller)):
        yield Problem(
            ["super.users", key], f"the node's own user on {names[0]} is not a super user", "User:<its username>"
        )


@rule("KA626", "high", dev="medium", confidence="likely", aim="by hand: credentials")
def brokers_deny_brokers(broker: Subject) -> Problems:
    """Brokers deny each other's requests: followers get no records, and in ZooKeeper mode brokers get no metadata.

    Why: followers' fetches, transaction markers and the requests of a ZooKeeper controller need ClusterAction on the
        cluster. Brokers on a listener without authentication are User:ANONYMOUS, and an ACL that grants it to ANONYMOUS
        grants it to every client.
    Fix: name the brokers' principals in super.users, and set the inter-broker listener's protocol to SSL
        (ssl.client.auth=required) or SASL.
    Care: without their principals in super.users brokers still deny each other's requests: on a running cluster add
        them on every node and restart each before you change inter.broker.listener.name to the secured listener.
    Bad:
        process.roles=broker
        node.id=1
        listeners=PLAINTEXT://b1:9092,SASL_SSL://b1:9093
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:admin
    Good:
        process.roles=broker
        node.id=1
        listeners=SASL_SSL://b1:9093
        security.inter.broker.protocol=SASL_SSL
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:admin;User:broker
    See: KIP-801, https://kafka.apache.org/documentation/#security_authz
    """
    applies(not broker.running(), "a running node has started")
    applies(broker.str("authorizer.class.name") in OWN_AUTHORIZERS, "no authorizer of Kafka's own")
    applies(written(broker, "listeners"), "the listeners are left at their default")
    name, protocol = inter_broker(broker)
    applies(is_anonymous(broker, name, protocol), "brokers authenticate themselves")
    applies(not lets_everyone_in(broker), "a resource without an ACL is open to all")
    applies(super_users(broker), "there is no super user: KA612 reports it")
    if ANONYMOUS not in super_users(broker):
        message = f"on {name} brokers are {ANONYMOUS}, which is not a super user: their requests are denied"
        yield Problem(["super.users", "authorizer.class.name"], message, f"{name}: SSL or SASL")


@rule("KA627", "critical", since=(3, 2), before=(4, 0), refuses=True, aim="by hand: credentials")
def authorizer_of_other_mode(node: Subject) -> Problems:
    """The authorizer is for the other mode, KRaft or ZooKeeper, and the node never serves a client.

    Why: StandardAuthorizer reads its ACLs from KRaft's metadata log, AclAuthorizer from ZooKeeper. In ZooKeeper mode
        StandardAuthorizer waits forever and the listeners stay closed; in KRaft mode AclAuthorizer finds no ZooKeeper
        and the node does not start.
    Fix: set authorizer.class.name to kafka.security.authorizer.AclAuthorizer in ZooKeeper mode and
        org.apache.kafka.metadata.authorizer.StandardAuthorizer in KRaft mode.
    Care: a node with the class of the other mode never serves a client: while a cluster migrates, change the class in
        the restart that brings it to KRaft mode, not earlier.
    Bad (3.9):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
    Good (3.9):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        authorizer.class.name=kafka.security.authorizer.AclAuthorizer
    See: KIP-801, KIP-866, https://kafka.apache.org/documentation/#kraft_zk_migration
    """
    applies(not node.running(), "a running node has started")
    key, zookeeper = "authorizer.class.name", mode(node) == ZOOKEEPER
    named = node.str(key)
    if named == STANDARD_AUTHORIZER and zookeeper:
        yield Problem(key, "the authorizer waits for KRaft's metadata log, so no listener opens", ACL_AUTHORIZER)
    elif named == ACL_AUTHORIZER and not zookeeper:
        alone = not node.is_set("zookeeper.connect")
        message = "the authorizer needs ZooKeeper, so the node does not start"
        message = message if alone else "the authorizer reads ZooKeeper's ACLs, not those of the metadata log"
        yield Problem(key, message, STANDARD_AUTHORIZER, step=0 if alone else -1, refused=alone)


@rule("KA632", "low", dev="info", staging="info", regulated="medium", before=(4, 0), aim="by hand: credentials")
def zookeeper_open(node: Subject) -> Problems:
    """Kafka checks users and ACLs, but keeps both in ZooKeeper, where any client may change them.

    Why: with zookeeper.set.acl=false (the default) every znode is open to any client that reaches ZooKeeper: a new
        SCRAM password or ACL written there takes effect at once, past every authorizer.
    Fix: let brokers log in to ZooKeeper (SASL, or TLS with certificates), set zookeeper.set.acl=true and run
        zookeeper-security-migration.sh for the existing znodes; at the least, let only brokers reach ZooKeeper.
    Care: brokers and tools that do not log in to ZooKeeper can change nothing once the znodes are protected. Enable the
        login on all brokers first, then set zookeeper.set.acl, then run the migration tool.
    Bad (3.9):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        listeners=SASL_SSL://b1:9093
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=SCRAM-SHA-512
        sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
    Good (3.9):
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        listeners=SASL_SSL://b1:9093
        security.inter.broker.protocol=SASL_SSL
        sasl.enabled.mechanisms=SCRAM-SHA-512
        sasl.mechanism.inter.broker.protocol=SCRAM-SHA-512
        zookeeper.set.acl=true
    See: https://kafka.apache.org/documentation/#zk_authz
    """
    applies(mode(node) == ZOOKEEPER, "no ZooKeeper")
    if node.bool("zookeeper.set.acl"):
        return
    users = [key for key in mechanism_keys(node) if any(name.startswith("SCRAM-") for name in node.list(key))]
    authorizer = node.str("authorizer.class.name") in OWN_AUTHORIZERS
    applies(users or authorizer, "neither users nor ACLs are in ZooKeeper")
    what = " and ".join([*(["SCRAM users"] if users else []), *(["ACLs"] if authorizer else [])])
    places = ["zookeeper.set.acl", *users, *(["authorizer.class.name"] if authorizer else [])]
    yield Problem(list(places), f"{what} are open to any client that reaches ZooKeeper", "true")


@rule("KA680", "high", dev="low", staging="medium", regulated="critical", aim="by hand: credentials")
def everybody_may_change(cluster: Subject) -> Problems:
    """An ACL lets every principal change or delete resources of others.

    Why: User:* is every principal, including ANONYMOUS on a PLAINTEXT listener.
    Fix: add ACLs for the principals that need them, then remove this ACL.
    Care: every principal that relies on this ACL is denied at once. Find these principals in kafka.authorizer.logger
        first, brokers included.
    Bad:
        brokers 1 2 3
        acl User:* topic * ALL
    Good:
        brokers 1 2 3
        acl User:app topic orders WRITE
    See: https://kafka.apache.org/documentation/#security_authz
    """
    found = [
        (resource, name, operation)
        for principal, resource, name, operation, permission in cluster.live("access rules")
        if principal == "User:*" and permission == "ALLOW" and operation in STRONG
    ]
    if found:
        resource, name, operation = found[0]
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        text = f"every principal has {operation} on {resource.lower()} {name}{more}"
        yield Problem("access rules", text, "named principals")
