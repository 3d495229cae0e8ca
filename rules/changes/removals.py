"""What is no longer declared, or declared anew: tools that manage topics, users and node pools delete it in the cluster."""

from __future__ import annotations

import re

from advisor.rule import (
    AT_ONCE,
    LOST,
    OF_ACCESS,
    OF_BROKERS,
    OF_CLUSTER,
    OF_NODE,
    OF_PROTECTION,
    OF_SCHEMA,
    OF_TOPIC,
    OF_USER,
    STOPPED,
    WEAKER,
    Problem,
    Problems,
    Subject,
    Unknown,
    applies,
    rule,
)
from rules.changes.deployments import EPHEMERAL
from rules.changes.resources import deletion, guard_of, is_filled_in_later, resource_of_operator

PERMISSION = "permission"
NOTHING = "what manages it deletes nothing"
FIXED, RELEASE = "fixed.", ".helm_release."
STRIMZI = "kafka.strimzi.io/"
SAME_VALUE = ", unless the reference has the value of before"
EXPRESSION = re.compile(r"\$\{([^{}]+)\}")
"""A value that is one expression of Terraform, without a text around it."""


def reason_to_replace(now: Subject, before: Subject) -> tuple[str, bool]:
    """The fields for which a provider deletes a resource and creates it anew, and whether that is only likely.

    They are those that a plan names, else those that differ; another reference is another value as far as files tell.
    """
    planned = now.replaced()
    if planned is not None:
        return planned, False
    fields = [key for key in now.keys() if key.startswith(FIXED) and key in before.keys()]
    changed = [key for key in fields if now.text(key) != before.text(key)]
    known = [key for key in changed if not any(is_filled_in_later(side.text(key)) for side in (now, before))]
    other = known or [key for key in changed if not is_worked_out_of(now.text(key), before.text(key))]
    if changed and not other:
        names = ", ".join(key.removeprefix(FIXED) for key in changed)
        raise Unknown(f"whether {names} has the value of before: one is worked out of the other")
    return ", ".join(key.removeprefix(FIXED) for key in other), not known


def is_worked_out_of(now: str, before: str) -> bool:
    """Whether one value is an expression of what the other one refers to: lower(var.name), distinct([…]), a condition."""
    return any(
        EXPRESSION.fullmatch(outer) is not None and all(mentions(outer, each) for each in inner.split(","))
        for outer, inner in ((now, before), (before, now))
    )


def mentions(expression: str, reference: str) -> bool:
    """Whether an expression has a reference in it."""
    match = EXPRESSION.fullmatch(reference)
    return match is not None and re.search(rf"(?<![\w.-]){re.escape(match[1])}(?![\w.-])", expression) is not None


def first_key(removed: Subject) -> str:
    """A key of what is gone, to say where it stood."""
    keys = removed.keys()
    return next((key for key in ("partitions", "replication.factor", *keys) if key in keys), "api.version")


@rule("KA1850", "critical", dev="low", effect=LOST, acts=AT_ONCE)
def topic_removed(removed: Subject) -> Problems:
    """A topic is no longer declared, and what manages it deletes the topic with its records.

    Why: Terraform, Strimzi's and Confluent's operators and kafka-gitops delete in the cluster what is taken out of the code. The records
        and the groups' committed offsets are gone at once, and nothing brings them back. A resource that got another name is one deleted and
        one created, too.
    Fix: 1. to keep the topic give it up first: a `removed` block with `destroy = false` (Terraform), strimzi.io/managed: "false" (Strimzi),
        --no-delete (kafka-gitops); for a new name of the resource add a `moved` block (Terraform); 2. to delete it see that nothing reads or
        writes it (kafka-consumer-groups.sh --describe --all-groups), and copy what must be kept; 3. then take it out.
    Care: prevent_destroy stands in the block that goes, so it does not protect the topic; an instance of a block that stays it does.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: payments, labels: {strimzi.io/cluster: k}}
            spec: {partitions: 6, replicas: 3}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}, annotations: {strimzi.io/managed: "false"}}
            spec: {partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: payments, labels: {strimzi.io/cluster: k}}
            spec: {partitions: 6, replicas: 3}
    See: https://strimzi.io/docs/operators/latest/deploying#con-stopping-management-without-impact-str
    """
    applies(removed.removal() == OF_TOPIC, NOTHING)
    words = "no longer declared: the topic is deleted with its records"
    yield deletion(first_key(removed), words, ", ".join(removed.guards()))


@rule("KA1851", "critical", dev="low", effect=LOST, acts=AT_ONCE)
def topic_replaced(topic: Subject, before: Subject) -> Problems:
    """Terraform deletes a topic and creates it anew.

    Why: a provider cannot change the name of a topic or lower its partitions in place, so it deletes the topic with its records and creates
        an empty one. The committed offsets are gone, too: readers begin by auto.offset.reset.
    Fix: 1. declare the new topic beside the old one; 2. copy the records, or let the old one run out; 3. move writers and readers;
        4. take the old one out in a change of its own.
    Care: see that the plan says `update in-place` (terraform plan), and keep prevent_destroy in the block: Terraform refuses a plan that would
        replace the topic then, with all that it holds besides.
    Bad (terraform):
        before:
            resource "kafka_topic" "orders" {
              name               = "orders"
              replication_factor = 3
              partitions         = 12
            }
        after:
            resource "kafka_topic" "orders" {
              name               = "orders"
              replication_factor = 3
              partitions         = 6
            }
    Good (terraform):
        before:
            resource "kafka_topic" "orders" {
              name               = "orders"
              replication_factor = 3
              partitions         = 12
            }
        after:
            resource "kafka_topic" "orders" {
              name               = "orders"
              replication_factor = 3
              partitions         = 12
              config             = { "retention.ms" = "604800000" }
            }
    See: https://registry.terraform.io/providers/Mongey/kafka/latest/docs/resources/topic
    """
    reason = topic.replaced()
    if reason is not None:
        applies(reason, "the plan changes it in place, or leaves it")
        yield Problem(first_key(topic), f"the topic is deleted with its records and created empty ({reason})")
        return
    old, new = before.known_as(), topic.known_as()
    applies(old and new and not resource_of_operator(topic), "no resource of Terraform, or its name is not known")
    if old != new:
        words = f"the topic {old} is deleted with its records, and {new} is created empty"
        yield deletion(first_key(topic), words, guard_of(topic, before))
        return
    applies(topic.is_set("partitions") and before.is_set("partitions"), "the number is not known on both sides")
    fewer, more = topic.int("partitions"), before.int("partitions")
    if fewer < more:
        words = f"with {fewer} partitions in place of {more} the topic is deleted and created empty"
        yield deletion("partitions", words, guard_of(topic, before))


@rule("KA1852", "critical", dev="low", effect=STOPPED, acts=AT_ONCE)
def user_removed(removed: Subject) -> Problems:
    """A user is no longer declared, so its credentials, ACLs and quotas are deleted.

    Why: Strimzi's user operator deletes in the cluster what a KafkaUser declared, and the Secret with the password or the certificate.
        Clients that log in as the user are refused at their next connection, and authorized clients at their next request.
    Fix: 1. declare the new user; 2. deploy the clients with its credentials; 3. see that nobody logs in as the old one any more (the
        brokers' metrics by listener and principal, the authorizer's log); 4. then take it out.
    Care: a KafkaUser that gets another metadata.name is another user.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: application, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: app, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}}
            ---
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaUser
            metadata: {name: application, labels: {strimzi.io/cluster: k}}
            spec: {authentication: {type: tls}}
    See: https://strimzi.io/docs/operators/latest/deploying#assembly-using-the-user-operator-str
    """
    applies(removed.removal() == OF_USER, NOTHING)
    managed = removed.is_set("resource")
    words = (
        "its clients cannot log in any more"
        if managed
        else "its credentials and ACLs are deleted, and its clients are refused"
    )
    yield deletion(first_key(removed), f"no longer declared: {words}", ", ".join(removed.guards()))


@rule("KA1853", "critical", dev="low", effect=LOST, acts=AT_ONCE)
def node_pool_removed(removed: Subject) -> Problems:
    """A pool of brokers is no longer declared, so its brokers end with the replicas that they hold.

    Why: Strimzi asks whether a broker still holds replicas only where a pool stays and its replicas are lowered. Without the pool all its
        pods go at once: partitions fall below min.insync.replicas or go offline, and with deleteClaim their disks are deleted.
    Fix: 1. add the new pool; 2. move the replicas (KafkaRebalance with mode remove-brokers); 3. scale the old pool to 0; 4. when the operator
        has done so, take it out.
    Care: a pool that gets another name is one removed and one added, with empty disks.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: persistent-claim, size: 100Gi}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: b, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: persistent-claim, size: 100Gi}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 0, roles: [broker], storage: {type: persistent-claim, size: 100Gi}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: b, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: persistent-claim, size: 100Gi}}
    See: https://strimzi.io/docs/operators/latest/deploying#proc-removing-node-pools-str
    """
    applies(removed.removal() == OF_BROKERS, NOTHING)
    applies(not removed.is_set("replicas") or removed.int("replicas") > 0, "the pool has no brokers any more")
    yield Problem("roles", "no longer declared: its brokers end with the replicas that they hold")


@rule("KA2111", "medium", dev="low", effect=LOST, acts=AT_ONCE)
def broker_removed(removed: Subject) -> Problems:
    """A broker is no longer declared, while the other nodes of its cluster are.

    Why: a broker that ends takes its replicas with it: partitions with one replica go offline, the others stay under-replicated for good, as
        Kafka moves no replica by itself, and fall below min.insync.replicas with the next failure.
    Fix: 1. move its replicas away (kafka-reassign-partitions.sh); 2. see with kafka-log-dirs.sh --describe --broker-list that it holds none;
        3. stop it, and take it out; 4. unregister it (kafka-cluster.sh unregister --id).
    Care: `docker compose up` leaves the container of a removed service running until --remove-orphans. A node that is a controller, too, has to
        leave the quorum first (kafka-metadata-quorum.sh remove-controller).
    Bad (compose):
        before:
            services:
              kafka1:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: broker, KAFKA_CONTROLLER_QUORUM_VOTERS: "9@c:9093"}
              kafka2:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 2, KAFKA_PROCESS_ROLES: broker, KAFKA_CONTROLLER_QUORUM_VOTERS: "9@c:9093"}
        after:
            services:
              kafka1:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: broker, KAFKA_CONTROLLER_QUORUM_VOTERS: "9@c:9093"}
    Good (compose):
        before:
            services:
              kafka1:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: broker, KAFKA_CONTROLLER_QUORUM_VOTERS: "9@c:9093"}
              kafka2:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 2, KAFKA_PROCESS_ROLES: broker, KAFKA_CONTROLLER_QUORUM_VOTERS: "9@c:9093"}
        after:
            services:
              kafka1:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: broker, KAFKA_CONTROLLER_QUORUM_VOTERS: "9@c:9093"}
              broker2:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 2, KAFKA_PROCESS_ROLES: broker, KAFKA_CONTROLLER_QUORUM_VOTERS: "9@c:9093"}
    See: https://kafka.apache.org/documentation/#basic_ops_decommissioning_brokers
    """
    applies(removed.removal() == OF_NODE and removed.kind() != "controller", "no broker of a cluster that stays")
    key = "node.id" if "node.id" in removed.keys() else "broker.id"
    applies(removed.int(key) >= 0, "ZooKeeper gives the id")
    words = "no longer declared: partitions whose only replica it holds go offline, the others stay under-replicated"
    yield Problem(key, words, likely=True)


@rule("KA1854", "medium", dev="info", effect=WEAKER, acts=AT_ONCE)
def volumes_deleted_with_pool(deployment: Subject, before: Subject) -> Problems:
    """Disks are deleted with their pool or cluster from now on.

    Why: with deleteClaim: true the operator deletes the persistent volume claims of nodes, volumes and pools that are removed, and
        with them the records. Nothing happens until then.
    Fix: keep deleteClaim: false, and delete the claims by hand when the data is no longer needed.
    Care: together with a removed pool or volume in the same change it is the loss of its data.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: persistent-claim, size: 100Gi}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: persistent-claim, size: 100Gi, deleteClaim: true}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: persistent-claim, size: 100Gi, deleteClaim: true}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: persistent-claim, size: 100Gi}}
    See: https://strimzi.io/docs/operators/latest/configuring.html#type-PersistentClaimStorage-reference
    """
    applies(deployment.is_set("storage.delete"), "the claim is kept")
    if deployment.bool("storage.delete") and not (before.is_set("storage.delete") and before.bool("storage.delete")):
        yield Problem("storage.delete", "the disks are deleted with what they belong to from now on")


@rule("KA1855", "critical", dev="low", effect=LOST, acts=AT_ONCE)
def cluster_removed(removed: Subject) -> Problems:
    """A cluster is no longer declared, so it is deleted with every topic in it.

    Why: Terraform destroys what is taken out of its code: Amazon MSK, Confluent Cloud and Aiven delete the brokers and their disks, and
        no snapshot is left. Strimzi deletes the nodes of a Kafka resource that goes; its disks stay without deleteClaim, but one that is created
        again, or under another name, has another cluster id, and does not start on them. A release of Helm is uninstalled; its volume claims stay.
    Fix: 1. to keep it give it up first: a `removed` block with `destroy = false` (Terraform), strimzi.io/pause-reconciliation while status.clusterId is
        put back (Strimzi); 2. to delete it see that no client is connected, and
        mirror what must be kept to another cluster; 3. then take it out.
    Care: set prevent_destroy (and deletion_protection, termination_protection) for clusters, and take them away in a change of their own.
    Bad (plan):
        terraform_version: 1.9.8
        format_version: "1.2"
        resource_changes:
        - {address: kafka_topic.t, type: kafka_topic, change: {actions: [no-op], after: {partitions: 6}}}
        before:
            - {address: aws_msk_cluster.a, type: aws_msk_cluster, change: {actions: [no-op], after: {}}}
        after:
    Good (plan):
        terraform_version: 1.9.8
        format_version: "1.2"
        resource_changes:
        - {address: kafka_topic.t, type: kafka_topic, change: {actions: [no-op], after: {partitions: 6}}}
        before:
            - {address: aws_msk_cluster.a, type: aws_msk_cluster, change: {actions: [no-op], after: {}}}
        after:
            - {address: aws_msk_cluster.a, type: aws_msk_cluster, change: {actions: [update], after: {}}}
    See: https://developer.hashicorp.com/terraform/language/resources/syntax#removing-resources
    """
    applies(removed.removal() == OF_CLUSTER, NOTHING)
    is_strimzis = "api.version" in removed.keys() and removed.text("api.version").startswith(STRIMZI)
    words = (
        "deleted, and a new one does not start on its disks"
        if is_strimzis and not is_ephemeral(removed)
        else "deleted with every topic in it"
    )
    if is_release(removed):
        words = "uninstalled: its brokers stop, and their volumes belong to no release"
    yield deletion(first_key(removed), f"no longer declared: the cluster is {words}", ", ".join(removed.guards()))


def is_ephemeral(deployment: Subject) -> bool:
    """Whether the volumes of a cluster go with its pods: those of the resource itself, or of all its pools."""
    own = deployment.text("storage") if "storage" in deployment.keys() else deployment.str("storage.of.pools")
    return own == EPHEMERAL


def is_release(deployment: Subject) -> bool:
    """Whether a resource of Terraform makes the cluster as a release of Helm."""
    return "resource" in deployment.keys() and RELEASE in f".{deployment.text('resource')}"


@rule("KA1856", "critical", dev="low", effect=LOST, acts=AT_ONCE)
def cluster_replaced(deployment: Subject, before: Subject) -> Problems:
    """A cluster is deleted and created anew.

    Why: some attributes of a managed cluster cannot be changed in place (name, subnets, security groups, encryption, an older release). The
        provider destroys the cluster with every topic in it, and the new one has other addresses. A Kafka resource of Strimzi's in another namespace
        is another cluster, with empty disks, and so is a release of Helm by another name.
    Fix: 1. create a second cluster beside it; 2. mirror the topics (MirrorMaker 2, cluster linking); 3. move the clients; 4. destroy the old one.
    Care: the plan names the attribute behind `forces replacement`: ignore_changes or the former value keeps the cluster.
    Bad (plan):
        terraform_version: 1.9.8
        format_version: "1.2"
        resource_changes:
        - {address: kafka_topic.t, type: kafka_topic, change: {actions: [no-op], after: {partitions: 6}}}
        before:
            - {address: aws_msk_cluster.a, type: aws_msk_cluster, change: {actions: [no-op], after: {}}}
        after:
            - {address: aws_msk_cluster.a, type: aws_msk_cluster, change: {actions: [delete, create], after: {}, replace_paths: [[cluster_name]]}}
    Good (plan):
        terraform_version: 1.9.8
        format_version: "1.2"
        resource_changes:
        - {address: kafka_topic.t, type: kafka_topic, change: {actions: [no-op], after: {partitions: 6}}}
        before:
            - {address: aws_msk_cluster.a, type: aws_msk_cluster, change: {actions: [no-op], after: {}}}
        after:
            - {address: aws_msk_cluster.a, type: aws_msk_cluster, change: {actions: [update], after: {}}}
    See: https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/msk_cluster
    """
    applies(deployment.removal() == OF_CLUSTER, "no cluster")
    old, new = before.resource(), deployment.resource()
    if old and new and old != new:
        yield Problem("api.version", f"{old} is deleted, and {new} is a new cluster with empty disks")
        return
    reason, likely = reason_to_replace(deployment, before)
    applies(reason, "not replaced")
    words = (
        "uninstalled, and installed with empty volumes"
        if is_release(deployment)
        else "deleted with every topic in it and created empty"
    )
    unless = SAME_VALUE if likely else ""
    yield deletion("resource", f"the cluster is {words} ({reason}){unless}", guard_of(deployment, before), likely)


@rule("KA1857", "high", dev="low", effect=STOPPED, acts=AT_ONCE)
def access_removed(removed: Subject) -> Problems:
    """An ACL or a role binding is no longer declared.

    Why: running clients are denied at their next request (TopicAuthorizationException), without a new connection. With the last ACL of a
        topic or group it is open to all where allow.everyone.if.no.acl.found=true.
    Fix: 1. see in the authorizer's log who is allowed by it; 2. declare what those still need; 3. then take it out.
    Care: an ACL has no attribute that changes in place: a changed one is deleted and created.
    Bad (plan):
        terraform_version: 1.9.8
        format_version: "1.2"
        resource_changes:
        - {address: kafka_topic.t, type: kafka_topic, change: {actions: [no-op], after: {partitions: 6}}}
        before:
            - {address: kafka_acl.a, type: kafka_acl, change: {actions: [no-op], after: {}}}
        after:
    Good (plan):
        terraform_version: 1.9.8
        format_version: "1.2"
        resource_changes:
        - {address: kafka_topic.t, type: kafka_topic, change: {actions: [no-op], after: {partitions: 6}}}
        before:
            - {address: kafka_acl.a, type: kafka_acl, change: {actions: [no-op], after: {}}}
        after:
            - {address: kafka_acl.a, type: kafka_acl, change: {actions: [no-op], after: {}}}
    See: https://kafka.apache.org/documentation/#security_authz
    """
    applies(removed.removal() == OF_ACCESS, NOTHING)
    denied = PERMISSION in removed.keys() and removed.text(PERMISSION).lower() == "deny"
    words = "what it denied is allowed again" if denied else "who is allowed by it alone is denied at the next request"
    guards = ", ".join(removed.guards())
    if guards:
        yield deletion(first_key(removed), f"no longer declared: {words}", guards)
    else:
        yield Problem(first_key(removed), f"no longer declared: {words}", effect=WEAKER if denied else "")


@rule("KA1858", "high", dev="low", effect=STOPPED, acts=AT_ONCE)
def access_replaced(deployment: Subject, before: Subject) -> Problems:
    """An ACL, a role binding or a user's credential is deleted, and created anew.

    Why: between the two steps, and for as long as an apply that fails takes to mend, clients are denied or cannot log in.
    Fix: 1. declare the new one beside the old one, and apply; 2. take the old one out in a change of its own.
    Care: create_before_destroy does not help where both have the same identity.
    Bad (plan):
        terraform_version: 1.9.8
        format_version: "1.2"
        resource_changes:
        - {address: kafka_topic.t, type: kafka_topic, change: {actions: [no-op], after: {partitions: 6}}}
        before:
            - {address: kafka_acl.a, type: kafka_acl, change: {actions: [no-op], after: {}}}
        after:
            - {address: kafka_acl.a, type: kafka_acl, change: {actions: [delete, create], after: {}, replace_paths: [[acl_principal]]}}
    Good (plan):
        terraform_version: 1.9.8
        format_version: "1.2"
        resource_changes:
        - {address: kafka_topic.t, type: kafka_topic, change: {actions: [no-op], after: {partitions: 6}}}
        before:
            - {address: kafka_acl.a, type: kafka_acl, change: {actions: [no-op], after: {}}}
        after:
            - {address: kafka_acl.a, type: kafka_acl, change: {actions: [no-op], after: {}}}
    See: https://registry.terraform.io/providers/Mongey/kafka/latest/docs/resources/acl
    """
    applies(deployment.removal() in (OF_ACCESS, OF_USER), "no access")
    reason, likely = reason_to_replace(deployment, before)
    applies(reason, "not replaced")
    unless = SAME_VALUE if likely else ""
    words = f"it is deleted and created anew ({reason}): clients are denied in between{unless}"
    yield deletion("resource", words, guard_of(deployment, before), likely)


@rule("KA2101", "critical", dev="low", effect=LOST, acts=AT_ONCE)
def schema_removed(removed: Subject) -> Problems:
    """A schema is no longer declared, and is deleted for good.

    Why: with hard_delete the id of the schema is gone from the registry: records that were written with it cannot be read any more.
    Fix: 1. set hard_delete = false in a change of its own; 2. then take the resource out: the deletion is a soft one, and readers
        still get the schema by its id.
    Care: a resource that is renamed without a `moved` block is one removed and one added.
    Bad (terraform):
        before:
            resource "confluent_schema" "orders" {
              subject_name = "orders-value"
              format       = "AVRO"
              schema       = "{}"
              hard_delete  = true
            }
            resource "kafka_topic" "orders" {
              name       = "orders"
              partitions = 6
            }
        after:
            resource "kafka_topic" "orders" {
              name       = "orders"
              partitions = 6
            }
    Good (terraform):
        before:
            resource "confluent_schema" "orders" {
              subject_name = "orders-value"
              format       = "AVRO"
              schema       = "{}"
            }
            resource "kafka_topic" "orders" {
              name       = "orders"
              partitions = 6
            }
        after:
            resource "kafka_topic" "orders" {
              name       = "orders"
              partitions = 6
            }
    See: https://registry.terraform.io/providers/confluentinc/confluent/latest/docs/resources/confluent_schema
    """
    applies(removed.removal() == OF_SCHEMA, NOTHING)
    yield Problem("schema", "no longer declared: it is deleted for good, and records of it cannot be read")


@rule("KA2102", "critical", dev="low", effect=LOST, acts=AT_ONCE)
def schema_replaced(deployment: Subject, before: Subject) -> Problems:
    """A plan deletes a schema for good, and creates it anew under another id.

    Why: records carry the id of the schema that they were written with. With hard_delete and recreate_on_update an edited schema takes the old id
        with it, and those records cannot be read any more.
    Fix: set recreate_on_update = false: an edited schema is registered as a new version, and the old one stays.
    Care: where compatibility refuses the new version, write to a new subject.
    Bad (plan):
        terraform_version: 1.9.8
        format_version: "1.2"
        resource_changes:
        - {address: kafka_topic.t, type: kafka_topic, change: {actions: [no-op], after: {partitions: 6}}}
        before:
            - {address: confluent_schema.a, type: confluent_schema, change: {actions: [no-op], after: {subject_name: a, hard_delete: true}}}
        after:
            - {address: confluent_schema.a, type: confluent_schema, change: {actions: [delete, create], after: {subject_name: a, hard_delete: true}, replace_paths: [[schema]]}}
    Good (plan):
        terraform_version: 1.9.8
        format_version: "1.2"
        resource_changes:
        - {address: kafka_topic.t, type: kafka_topic, change: {actions: [no-op], after: {partitions: 6}}}
        before:
            - {address: confluent_schema.a, type: confluent_schema, change: {actions: [no-op], after: {subject_name: a, hard_delete: false}}}
        after:
            - {address: confluent_schema.a, type: confluent_schema, change: {actions: [delete, create], after: {subject_name: a, hard_delete: false}, replace_paths: [[schema]]}}
    See: https://registry.terraform.io/providers/confluentinc/confluent/latest/docs/resources/confluent_schema
    """
    applies(before.removal() == OF_SCHEMA, "no schema that is deleted for good")
    reason = deployment.replaced()
    applies(reason, "not replaced by a plan")
    yield Problem("schema", f"it is deleted for good and created anew ({reason}): records of it cannot be read")


@rule("KA2103", "medium", dev="info", effect=WEAKER, acts=AT_ONCE)
def protection_removed(removed: Subject) -> Problems:
    """What kept a resource from being deleted, or a client from taking all of a broker, is no longer there.

    Why: prevent_destroy stops a plan that would delete or replace the resource, deletion_protection the service itself. Without it the next
        change that forces a replacement is carried out. Without a quota a client may send and fetch as much as it can.
    Fix: leave it. To delete the resource on purpose take its protection away in a change of its own, and read the plan of the next one.
    Care: prevent_destroy stands in the block: taken out with it, it protects nothing.
    Bad (terraform):
        before:
            resource "kafka_topic" "orders" {
              name       = "orders"
              partitions = 6
              lifecycle {
                prevent_destroy = true
              }
            }
        after:
            resource "kafka_topic" "orders" {
              name       = "orders"
              partitions = 6
            }
    Good (terraform):
        before:
            resource "kafka_topic" "orders" {
              name       = "orders"
              partitions = 6
            }
        after:
            resource "kafka_topic" "orders" {
              name       = "orders"
              partitions = 6
              lifecycle {
                prevent_destroy = true
              }
            }
    See: https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle
    """
    applies(removed.removal() == OF_PROTECTION, NOTHING)
    key = removed.keys()[0]
    is_guard = key == "protection"
    words = (
        "nothing keeps the resource from being deleted or replaced"
        if is_guard
        else "clients are not held back any more"
    )
    yield Problem(key, f"no longer declared: {words}")
