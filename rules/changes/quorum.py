"""Changes of the metadata quorum and of who may do what: controllers, their data, authorizers and super users."""

from __future__ import annotations

from advisor.facts import inter_broker, roles, voters, written
from advisor.rule import (
    LITERAL,
    LOST,
    PLACEHOLDER,
    RESTART,
    STOPPED,
    WEAKER,
    Problem,
    Problems,
    Subject,
    Unknown,
    applies,
    rule,
)
from rules.changes.brokers import OF_OPERATOR, directories, volume_path

VOTERS, BOOTSTRAP = "controller.quorum.voters", "controller.quorum.bootstrap.servers"
AUTHORIZER, USERS, EVERYONE = "authorizer.class.name", "super.users", "allow.everyone.if.no.acl.found"
ANONYMOUS = "User:ANONYMOUS"


def super_users(node: Subject) -> tuple[str, ...]:
    """The super users of a node."""
    return tuple(name.strip() for name in node.str(USERS).split(";") if name.strip())


@rule("KA1820", "critical", dev="medium", effect=LOST, acts=RESTART)
def voters_changed(node: Subject, before: Subject) -> Problems:
    """The static list of voters names other controllers than before.

    Why: with controller.quorum.voters every node's own file is its quorum. Nodes with the old and the new list count different
        majorities: two leaders may be elected, the metadata of one of them is thrown away, and brokers that followed it end with a
        truncation error. Up to Kafka 3.8 a controller refuses such a file; from 3.9 on nothing checks it.
    Fix: keep the list. From Kafka 4.1 on: 1. make the quorum dynamic (kafka-features.sh upgrade --feature kraft.version=1); 2. replace
        controller.quorum.voters by controller.quorum.bootstrap.servers, one node at a time; 3. add or remove one controller at a time with
        kafka-metadata-quorum.sh add-controller or remove-controller, and wait until its lag is 0.
    Care: going back is a change of voters as well, and loses what was written since.
    Bad:
        before:
            process.roles=controller
            node.id=1
            controller.quorum.voters=1@c1:9093
        after:
            process.roles=controller
            node.id=1
            controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
    Good:
        before:
            process.roles=controller
            node.id=1
            controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
        after:
            process.roles=controller
            node.id=1
            controller.quorum.voters=3@c3:9093,2@c2:9093,1@c1:9093
    See: KIP-853, org.apache.kafka.raft.QuorumState
    """
    applies(node.is_set(VOTERS) and before.is_set(VOTERS), "no static voters on both sides")
    applies(not node.resource(), "the operator writes the list")
    old, new = {voter.id for voter in voters(before)}, {voter.id for voter in voters(node)}
    is_alone = old == {before.int("node.id")} and new == {node.int("node.id")}
    applies(not is_alone, "the sole voter has another id, and does not start on its data")
    if old != new:
        words = f"{ids(old)} before and {ids(new)} now"
        yield Problem(
            VOTERS, f"nodes with the old and the new list count different majorities ({words}): metadata is lost"
        )


def ids(numbers: set[int | None]) -> str:
    """The ids of voters in order."""
    return ", ".join(str(number) for number in sorted(number for number in numbers if number is not None)) or "none"


@rule("KA1821", "high", dev="low", effect=STOPPED, acts=RESTART)
def voter_moved(node: Subject, before: Subject) -> Problems:
    """A voter is reached at another address than before, by the static list.

    Why: nodes with the old list look for the voter at its old address. While nodes disagree, a majority has to be made of voters that
        reach each other by their own lists.
    Fix: 1. let the old name resolve to the new address for as long as the change takes; 2. change the list on all controllers, one at a time,
        waiting for each to catch up; 3. change it on the brokers. Or make the quorum dynamic first (KIP-853, Kafka 4.1).
    Care: never change the addresses of a majority of the voters at once.
    Bad:
        before:
            process.roles=controller
            node.id=1
            controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
        after:
            process.roles=controller
            node.id=1
            controller.quorum.voters=1@c1:9093,2@c2:9093,3@c9:9093
    Good:
        before:
            process.roles=controller
            node.id=1
            controller.quorum.voters=1@c1:9093,2@c2:9093,3@c3:9093
        after:
            process.roles=controller
            node.id=1
            controller.quorum.voters=1@c1:9093, 3@c3:9093, 2@c2:9093
    See: KIP-595, KIP-853
    """
    applies(node.is_set(VOTERS) and before.is_set(VOTERS), "no static voters on both sides")
    old, new = ({entry.strip() for entry in side.str(VOTERS).split(",") if entry.strip()} for side in (before, node))
    applies({voter.id for voter in voters(before)} == {voter.id for voter in voters(node)}, "other voters")
    applies(len(new) > 1 or sorted(roles(node)) != ["broker", "controller"], "the only controller, and a broker itself")
    moved = sorted(entry.partition("@")[0] for entry in new - old)
    if moved:
        yield Problem(VOTERS, f"nodes with the old list do not reach voter {', '.join(moved)} where it is now")


@rule("KA1822", "critical", dev="medium", effect=STOPPED, acts=RESTART)
def static_quorum_left(node: Subject, before: Subject) -> Problems:
    """The list of voters is taken out, and nothing says that the quorum is dynamic.

    Why: a controller of a static quorum (kraft.version 0) that finds no controller.quorum.voters in its file does not know its quorum and
        ends; with all controllers changed so, there is none.
    Fix: 1. see that kafka-features.sh describe shows kraft.version 1; if not, from Kafka 4.1 on run kafka-features.sh upgrade --feature
        kraft.version=1; 2. then change the files, one node at a time.
    Care: before Kafka 4.1 a static quorum cannot become dynamic: keep the list.
    Bad:
        before:
            process.roles=controller
            node.id=1
            controller.quorum.voters=1@c1:9093
        after:
            process.roles=controller
            node.id=1
            controller.quorum.bootstrap.servers=c1:9093
    Good:
        before:
            process.roles=controller
            node.id=1
            controller.quorum.bootstrap.servers=c1:9093
        after:
            process.roles=controller
            node.id=1
            controller.quorum.bootstrap.servers=c1:9093,c2:9093
    See: KIP-853, https://kafka.apache.org/documentation/#kraft_upgrade
    """
    applies(before.is_set(VOTERS) and before.str(VOTERS), "no static voters before")
    applies(not node.is_set(VOTERS), "the voters are still listed")
    is_dynamic, has_roles = node.is_set(BOOTSTRAP), node.is_set("process.roles")
    applies(is_dynamic or (has_roles and not node.fragment()), "what the file leaves out is set elsewhere")
    serves = "controller" in roles(node)
    words = "the controller does not start" if serves else "the broker looks for its controllers elsewhere"
    if not has_roles:
        words = "the controllers do not start"
    yield Problem(VOTERS, f"{words} unless kraft.version is 1", step=-2 if has_roles and not serves else 0, likely=True)


@rule("KA1823", "high", dev="low", effect=STOPPED, acts=RESTART)
def roles_changed(node: Subject, before: Subject) -> Problems:
    """A node becomes, or is no longer, a controller or a broker.

    Why: a node that is no controller any more is still a voter of the quorum until it is removed, and refuses to start while the static list
        names it. One that is no broker any more takes its replicas with it. A new controller counts for the majority before it has
        the metadata.
    Fix: 1. move the replicas away (no broker any more), or remove the voter (no controller any more): with kafka-metadata-quorum.sh remove-controller
        where the quorum is dynamic; no release takes a voter out of a static list (controller.quorum.voters), which kraft.version=1 makes dynamic from 4.1 on; 2. change the roles and restart the node; 3. add it as a voter with add-controller (a new controller), and wait until its
        lag is 0.
    Care: keep a majority of the voters up at every step.
    Bad:
        before:
            process.roles=broker,controller
            node.id=1
        after:
            process.roles=broker
            node.id=1
    Good:
        before:
            process.roles=broker,controller
            node.id=1
        after:
            process.roles=controller,broker
            node.id=1
    See: KIP-500, KIP-853
    """
    applies(node.is_set("process.roles") and before.is_set("process.roles"), "not a KRaft node on both sides")
    applies(not node.resource(), "the operator asks what the node holds")
    old, new = set(roles(before)), set(roles(node))
    gone, added = old - new, new - old
    applies(gone or added, "the same roles")
    if "controller" in gone:
        message = "the node is still a voter, and is missing from the quorum"
    elif "broker" in gone:
        message = "the replicas of this broker are gone with it"
    else:
        message = (
            "a voter without the metadata may count for the majority"
            if "controller" in added
            else "an empty broker joins"
        )
    yield Problem("process.roles", message, step=-2 if added == {"broker"} else 0)


@rule("KA1824", "critical", dev="medium", effect=LOST, acts=RESTART)
def metadata_log_moved(node: Subject, before: Subject) -> Problems:
    """A node looks for its metadata in another directory.

    Why: the metadata log (topics, partitions, ACLs, users) lies in metadata.log.dir, else in the first directory of log.dirs. A controller that
        finds none there is refused, or, if the directory was formatted, starts with empty metadata: from the sole controller all brokers
        then take the empty metadata, and end. A broker has a copy there, too, and does not start where it finds it in another one of
        its directories (`Found unexpected metadata location`): the order of log.dirs counts.
    Fix: 1. stop the controller; 2. move __cluster_metadata-0 and meta.properties to the new directory (move, do not copy); 3. start it, and wait
        until kafka-metadata-quorum.sh describe --replication shows a lag of 0; 4. go on with the next controller.
    Care: with one controller there is no other copy of the metadata: back it up before.
    Bad:
        before:
            process.roles=controller
            node.id=1
            log.dirs=/data
        after:
            process.roles=controller
            node.id=1
            log.dirs=/data
            metadata.log.dir=/metadata
    Good:
        before:
            process.roles=controller
            node.id=1
            log.dirs=/data
        after:
            process.roles=controller
            node.id=1
            log.dirs=/data
            metadata.log.dir=/data
    See: KIP-631, https://kafka.apache.org/documentation/#brokerconfigs_metadata.log.dir
    """
    applies(node.is_set("process.roles") and before.is_set("process.roles"), "not a KRaft node on both sides")
    applies(node.resource() is None, OF_OPERATOR)
    old, new = metadata_directory(before), metadata_directory(node)
    applies(old != new and volume_path(before, old) != volume_path(node, new), "the same directory")
    key = "metadata.log.dir" if node.is_set("metadata.log.dir") else "log.dirs"
    if "controller" in roles(node):
        yield Problem(key, f"the controller looks for the metadata in {new}, and it is in {old}")
    elif old in directories(node):
        yield Problem(
            key, f"it does not start: its metadata is in {old}, and belongs into {new}", step=-1, effect=STOPPED
        )


def metadata_directory(node: Subject) -> str:
    """Where the metadata log of a node is: metadata.log.dir, else the first of log.dirs, which is its synonym."""
    return node.str("metadata.log.dir").partition(",")[0].strip().rstrip("/")


@rule("KA1825", "critical", dev="medium", effect=STOPPED, acts=RESTART)
def authorizer_added(node: Subject, before: Subject) -> Problems:
    """An authorizer is switched on, and the nodes are no super users.

    Why: requests between brokers and controllers are authorized like any other. A controller that comes back with an authorizer and does not know
        the brokers' principal denies them all: every broker ends within a second, those with the old file included. A broker
        that does so denies its followers as soon as it leads.
    Fix: 1. set super.users to the principals of brokers, controllers and operators on all nodes (no effect yet), with
        allow.everyone.if.no.acl.found=true; 2. set authorizer.class.name, controllers first, one node at a time; 3. create the ACLs of the
        clients; 4. take allow.everyone.if.no.acl.found out.
    Care: on a PLAINTEXT listener, and on SSL without client certificates, the principal is User:ANONYMOUS, which is every client there.
    Bad:
        before:
            process.roles=broker
            node.id=1
            listeners=PLAINTEXT://b1:9092
        after:
            process.roles=broker
            node.id=1
            listeners=PLAINTEXT://b1:9092
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
    Good:
        before:
            process.roles=broker
            node.id=1
            listeners=PLAINTEXT://b1:9092
        after:
            process.roles=broker
            node.id=1
            listeners=PLAINTEXT://b1:9092
            super.users=User:ANONYMOUS
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
    See: KIP-801, https://kafka.apache.org/documentation/#security_authz
    """
    applies(node.str(AUTHORIZER) and not before.str(AUTHORIZER), "no authorizer is switched on")
    applies(node.str(EVERYONE).lower() != "true", "what has no ACL is open to everyone")
    users = super_users(node)
    is_broker = "controller" not in roles(node) or "broker" in roles(node)
    protocol = (
        inter_broker(node)[1] if is_broker and not node.resource() else None
    )  # an operator's brokers are super users
    if not users:
        words = "no node is a super user: brokers and controllers deny each other, and every broker ends"
        of_broker = (
            "no node is a super user: brokers deny each other, and end where the controllers have the authorizer too"
        )
        yield Problem(AUTHORIZER, of_broker if node.kind() == "broker" else words)
    elif protocol == "PLAINTEXT" and ANONYMOUS not in users:
        yield Problem(
            AUTHORIZER, f"brokers are {ANONYMOUS} to each other, which super.users does not name: they deny each other"
        )
    elif protocol != "PLAINTEXT":
        words = "clients are denied from the first restarted broker on what no ACL allows them"
        yield Problem(AUTHORIZER, words, step=0 if node.resource() else -1, likely=True)


@rule("KA1826", "high", dev="low", effect=STOPPED, acts=RESTART)
def super_user_removed(node: Subject, before: Subject) -> Problems:
    """A principal is no super user any more.

    Why: it has only the access that ACLs give it from then on. If it is the principal of brokers or controllers, they deny each other, and
        every broker ends; if it is an operator's or a tool's, that tool is denied.
    Fix: 1. find out who it is; 2. create its ACLs (kafka-acls.sh; brokers need ClusterAction on the cluster); 3. take it out, controllers
        first, one node at a time.
    Care: keep the principals of brokers and controllers in super.users.
    Bad:
        before:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:kafka;User:admin
        after:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:kafka
    Good:
        before:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:kafka;User:admin
        after:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:admin;User:kafka
    See: https://kafka.apache.org/documentation/#security_authz
    """
    applies(node.str(AUTHORIZER) and before.str(AUTHORIZER), "no authorizer on both sides")
    users = set(super_users(node))
    gone = [name for name in super_users(before) if name not in users]
    if gone:
        yield Problem(USERS, f"{', '.join(gone)} {'is' if len(gone) == 1 else 'are'} denied what no ACL allows")


@rule("KA1827", "critical", dev="low", effect=WEAKER, acts=RESTART)
def authorizer_removed(node: Subject, before: Subject) -> Problems:
    """The authorizer is switched off: every client may do everything.

    Why: without an authorizer no ACL counts. From the first restarted node on, whoever reaches it reads, writes and deletes.
    Fix: keep authorizer.class.name; to move from one authorizer to another, follow the migration of its own.
    Care: ACLs stay in the metadata and count again when it is switched on.
    Bad:
        before:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:kafka
        after:
            process.roles=broker
            node.id=1
            super.users=User:kafka
    Good:
        before:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        after:
            process.roles=broker
            node.id=1
            authorizer.class.name=com.example.StricterAuthorizer
    See: https://kafka.apache.org/documentation/#security_authz
    """
    applies(before.str(AUTHORIZER), "there was no authorizer")
    if not node.str(AUTHORIZER):
        yield Problem(AUTHORIZER, "every client may do everything from the first restarted node on")


@rule("KA1828", "high", dev="low", effect=STOPPED, acts=RESTART)
def everyone_denied(node: Subject, before: Subject) -> Problems:
    """What has no ACL was open to everyone, and is open to super users alone.

    Why: clients of topics and groups without an ACL are denied by each restarted broker.
    Fix: 1. list who uses what (the authorizer's log at DEBUG); 2. create the ACLs; 3. then change the setting, one node at a time.
    Care: brokers that are no super users need ClusterAction on the cluster first.
    Bad:
        before:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            allow.everyone.if.no.acl.found=true
        after:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
    Good:
        before:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        after:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            allow.everyone.if.no.acl.found=false
    See: https://kafka.apache.org/documentation/#security_authz
    """
    applies(node.str(AUTHORIZER) and before.str(AUTHORIZER), "no authorizer on both sides")
    applies(before.str(EVERYONE).lower() == "true", "what has no ACL was closed")
    if node.shape(EVERYONE) == LITERAL or not node.is_set(EVERYONE):
        if node.str(EVERYONE).lower() != "true":
            yield Problem(EVERYONE, "clients of what has no ACL are denied")
    else:
        raise Unknown(f"{EVERYONE} is filled in later")


PRINCIPALS = ("ssl.principal.mapping.rules", "sasl.kerberos.principal.to.local.rules", "principal.builder.class")


@rule("KA2119", "high", dev="low", each=PRINCIPALS, effect=STOPPED, acts=RESTART)
def principals_renamed(node: Subject, before: Subject, key: str) -> Problems:
    """The same certificate or ticket is another principal from now on, and ACLs and super users name the old one.

    Why: ACLs and super.users name principals as the old rules made them. With other rules a client, and another broker or controller, is
        somebody that nobody allowed anything, from the first restarted node on.
    Fix: 1. list both names of the nodes in super.users, and add ACLs for the new names of the clients beside the old ones; 2. change the
        rules node by node; 3. take the old names out.
    Care: while nodes differ, the same certificate is one principal here and another there: allow both until all are done.
    Bad:
        before:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:CN=broker,O=example
        after:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:CN=broker,O=example
            ssl.principal.mapping.rules=RULE:^CN=(.*?),O=.*$/$1/
    Good:
        before:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:CN=broker,O=example
        after:
            process.roles=broker
            node.id=1
            authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
            super.users=User:CN=broker,O=example;User:broker
    See: KIP-371, https://kafka.apache.org/documentation/#security_authz_ssl
    """
    applies(written(before, AUTHORIZER) and written(node, AUTHORIZER), "no authorizer on both sides")
    applies(written(node, key) or written(before, key), "not written")
    if PLACEHOLDER in (node.shape(key), before.shape(key)):
        raise Unknown(f"{key} is filled in later")
    if node.text(key).strip() != before.text(key).strip():
        yield Problem(key, "ACLs and super users name principals as the old rules made them", likely=True)
