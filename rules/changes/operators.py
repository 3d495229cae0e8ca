"""What Strimzi's cluster operator makes of a change of a Kafka resource: releases, listeners, its own checks and pauses."""

from __future__ import annotations

from advisor.rule import (
    AT_ONCE,
    CHANGED,
    NEVER,
    OF_CLUSTER,
    RESTART,
    STOPPED,
    WEAKER,
    Problem,
    Problems,
    Subject,
    applies,
    rule,
)
from rules.changes.resources import filled_in
from rules.strimzi import minor

CHECK, OPERATORS = "scaledown.check", "entity.operators"
PROTOCOL, LOGIN, LOGINS = "client.protocol", "client.authentication", "client.logins"
KRAFT, SERVERS = "kraft", "zookeeper.replicas"
RELEASE, LEVEL, FOLLOWS = "release", "metadata.version", "follows"


def operators(deployment: Subject) -> tuple[str, ...]:
    """What is looked after beside a cluster: topics, users."""
    return deployment.list(OPERATORS) if deployment.is_set(OPERATORS) else ()


def skips_check(deployment: Subject) -> bool:
    """Whether brokers are removed with the replicas that they hold."""
    return deployment.is_set(CHECK) and deployment.bool(CHECK)


def is_paused(deployment: Subject) -> bool:
    """Whether the operator leaves the cluster alone."""
    return deployment.is_set("paused") and deployment.bool("paused")


@rule("KA1806", "high", dev="low", effect=WEAKER, acts=AT_ONCE)
def scaledown_check_skipped(deployment: Subject, before: Subject) -> Problems:
    """The operator no longer asks whether brokers that go still hold replicas.

    Why: with strimzi.io/skip-broker-scaledown-check a lower number of brokers takes them away with the replicas that they hold: partitions
        fall below min.insync.replicas or go offline.
    Fix: move the replicas away instead (KafkaRebalance with mode remove-brokers); if you need the annotation, set it by hand for one
        scale-down, and remove it at once.
    Care: it is often left behind, and the next scale-down is not checked.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k, annotations: {strimzi.io/skip-broker-scaledown-check: "true"}}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k, annotations: {strimzi.io/skip-broker-scaledown-check: "true"}}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    See: https://strimzi.io/docs/operators/latest/deploying#proc-scaling-down-node-pools-str
    """
    applies(skips_check(deployment) and not skips_check(before), "the operator asks")
    yield Problem(CHECK, "brokers go with the replicas that they hold: nothing asks any more")


WITHOUT_ZOOKEEPER = (4, 0)
"""The first release that has no ZooKeeper."""


@rule("KA1807", "high", dev="low", effect=CHANGED, acts=AT_ONCE)
def metadata_version_follows(deployment: Subject, before: Subject) -> Problems:
    """The metadata version follows the new release by itself, and there is no way back.

    Why: without spec.kafka.metadataVersion the operator raises metadata.version to that of the new release in the reconciliation behind the
        last restart. From then on the older release does not start any more. Amazon MSK does the same, and offers no way back.
    Fix: 1. set metadataVersion to what the old release has (kafka-features.sh describe), and apply; 2. raise the version; 3. after some
        days without trouble raise metadataVersion in a change of its own. Amazon MSK has no such field: upgrade a cluster of its own first.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.2.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, metadataVersion: 4.1-IV1, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.2.0, metadataVersion: 4.1-IV1, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    See: https://strimzi.io/docs/operators/latest/deploying#con-upgrade-versions-and-images-str, io.strimzi.operator.cluster.operator.assembly.KRaftVersionChangeCreator
    """
    if not deployment.is_set(RELEASE):
        applies(deployment.removal() == before.removal() == OF_CLUSTER, "no cluster of an operator or a service")
        applies(deployment.version_given() and before.version_given(), "the release is not known on both sides")
        if deployment.version() > before.version():
            old_release = ".".join(map(str, before.version()))
            refuses = before.version() < WITHOUT_ZOOKEEPER <= deployment.version()
            of_zookeeper = "; it refuses a cluster that keeps its metadata in ZooKeeper" if refuses else ""
            yield Problem(
                "resource",
                f"the service restarts all brokers, and does not go back to {old_release}{of_zookeeper}",
                step=-1,
            )
        return
    applies(deployment.is_set(RELEASE) and before.is_set(RELEASE), "the release is not known on both sides")
    applies(deployment.str(LEVEL) == before.str(LEVEL) == FOLLOWS, "the metadata version is set, or there is none")
    old, new = minor(before.str(RELEASE)), minor(deployment.str(RELEASE))
    if old and new and new > old:
        yield Problem(
            RELEASE, f"the metadata version is raised with it: {'.'.join(map(str, old))} does not start any more"
        )


@rule("KA1808", "medium", dev="info", effect=CHANGED, acts=NEVER)
def metadata_version_lowered(deployment: Subject, before: Subject) -> Problems:
    """The metadata version is lowered, which Kafka carries out only where nothing newer was written.

    Why: the operator tries a safe downgrade of metadata.version; where a feature of the newer version is in use the brokers refuse it, and
        a condition of the resource is all that says so. The release cannot be lowered before.
    Fix: leave it; a cluster that has to run an older release is a new one, to which MirrorMaker 2 copies.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, metadataVersion: 4.1-IV1, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, metadataVersion: 4.0-IV3, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, metadataVersion: 4.0-IV3, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, metadataVersion: 4.1-IV1, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    See: KIP-584, io.strimzi.operator.cluster.operator.resource.KRaftMetadataManager
    """
    applies(deployment.is_set(LEVEL) and before.is_set(LEVEL), "the version is not known on both sides")
    old, new = minor(before.str(LEVEL)), minor(deployment.str(LEVEL))
    if old and new and new < old:
        yield Problem(LEVEL, "brokers refuse it where the newer version is in use, and the operator only notes that")


def accepted(protocol: str) -> set[str]:
    """What clients may speak to a listener, by what a chart or a service calls it."""
    return {"TLS", "PLAINTEXT"} if protocol == "TLS_PLAINTEXT" else {protocol}


@rule("KA1809", "high", dev="low", effect=STOPPED, acts=RESTART)
def listener_type_changed(deployment: Subject, before: Subject) -> Problems:
    """Clients do not get in any more as they did: by another type of listener, another protocol, or a login.

    Why: with another type Strimzi's operator creates other services, bootstrap addresses and certificates, and brokers advertise the new ones:
        clients that know the old addresses are cut off as the brokers restart. A service that takes TLS alone, or a login, cuts off those that
        have neither.
    Fix: 1. add a second listener with the new type, a name and a port of its own; 2. move the clients; 3. take the first one out.
    Care: the old services are deleted with the change.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: loadbalancer, tls: true}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}, {name: out, port: 9094, type: loadbalancer, tls: true}]}}
    See: https://strimzi.io/docs/operators/latest/deploying#deploy-client-access-str
    """
    if deployment.is_set(PROTOCOL) and before.is_set(PROTOCOL):
        lost = accepted(before.str(PROTOCOL)) - accepted(deployment.str(PROTOCOL))
        if lost:
            yield Problem(PROTOCOL, f"clients that speak {', '.join(sorted(lost))} are cut off")
            return
    is_chart = before.is_set("volume")  # its listeners say themselves who logs in
    if not is_chart and before.str(LOGIN) == "none" and deployment.str(LOGIN) != "none":
        yield Problem(LOGIN, "clients that do not log in are refused")
        return
    if deployment.is_set(LOGINS) and before.is_set(LOGINS):
        gone = [login for login in before.list(LOGINS) if login and login not in deployment.list(LOGINS)]
        if gone:
            yield Problem(LOGINS, f"clients that log in by {' or '.join(gone)} are refused")
            return
    for key in (key for key in deployment.keys() if key.startswith("listener.") and key in before.keys()):
        if filled_in(deployment.text(key), key) != filled_in(before.text(key), key):
            words = (
                f"clients of {key.removeprefix('listener.')} know addresses of type {before.text(key)}, which are gone"
            )
            yield Problem(key, words)
            return


@rule("KA1829", "low", dev="info", effect=CHANGED, acts=NEVER)
def reconciliation_paused(deployment: Subject, before: Subject) -> Problems:
    """The operator stops to look after the cluster: later changes wait without a word.

    Why: with strimzi.io/pause-reconciliation nothing of the resource is carried out, certificates are not renewed, and pods that need a
        restart are not restarted. The condition ReconciliationPaused is all that says so.
    Fix: note until when it is meant to stand there, and alert on the condition.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k, annotations: {strimzi.io/pause-reconciliation: "true"}}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k, annotations: {strimzi.io/pause-reconciliation: "true"}}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    See: https://strimzi.io/docs/operators/latest/deploying#proc-pausing-reconciliation-str
    """
    if is_paused(deployment) and not is_paused(before):
        yield Problem("paused", "changes wait until it is taken out, certificates included")


@rule("KA2114", "medium", dev="info", effect=CHANGED, acts=NEVER)
def operator_keeps_zookeeper(deployment: Subject, before: Subject) -> Problems:
    """A cluster with ZooKeeper is declared as one of KRaft, and the operator leaves it as it is.

    Why: with strimzi.io/kraft: enabled the operator goes on with ZooKeeper, and notes that it can't be set because the cluster is ZooKeeper-based;
        without spec.zookeeper, or with an operator from 0.46 on, it does not reconcile the cluster any more.
    Fix: 1. with an operator of 0.40 to 0.45 add pools, the brokers' called kafka, and set strimzi.io/node-pools: enabled; 2. set strimzi.io/kraft:
        migration; 3. wait until status.kafkaMetadataState is KRaftPostMigration; 4. set it to enabled; 5. take spec.zookeeper out.
    Care: up to step 3 `rollback` leads back; copy the whole cluster if it must not fail.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1beta2
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 3.9.0, replicas: 3, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, zookeeper: {replicas: 3}}
        after:
            apiVersion: kafka.strimzi.io/v1beta2
            kind: Kafka
            metadata: {name: k, annotations: {strimzi.io/kraft: enabled, strimzi.io/node-pools: enabled}}
            spec: {kafka: {version: 3.9.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1beta2
            kind: Kafka
            metadata: {name: k, annotations: {strimzi.io/kraft: migration, strimzi.io/node-pools: enabled}}
            spec: {kafka: {version: 3.9.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, zookeeper: {replicas: 3}}
        after:
            apiVersion: kafka.strimzi.io/v1beta2
            kind: Kafka
            metadata: {name: k, annotations: {strimzi.io/kraft: enabled, strimzi.io/node-pools: enabled}}
            spec: {kafka: {version: 3.9.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    See: https://strimzi.io/docs/operators/0.45.0/deploying#proc-deploy-migrate-kraft-str
    """
    applies(before.is_set(SERVERS) and deployment.is_set(KRAFT), "not of ZooKeeper before, or not of KRaft now")
    former = before.str(KRAFT) if before.is_set(KRAFT) else "disabled"
    if deployment.str(KRAFT) == "enabled" and former not in ("migration", "enabled"):
        yield Problem(KRAFT, "the operator keeps ZooKeeper: a migration comes first")


@rule("KA1849", "medium", dev="info", effect=CHANGED, acts=AT_ONCE)
def entity_operator_removed(deployment: Subject, before: Subject) -> Problems:
    """An operator of topics or users goes, and what it managed stands still.

    Why: KafkaTopic and KafkaUser resources are no longer carried out, certificates and passwords of users are not renewed, and topics that
        are deleted hang on their finalizer.
    Fix: 1. take the finalizers out of the KafkaTopic resources (strimzi.io/topic-operator); 2. decide who manages topics and users from now
        on; 3. then take the operator out.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, entityOperator: {topicOperator: {}, userOperator: {}}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, entityOperator: {topicOperator: {}}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, entityOperator: {topicOperator: {watchedNamespace: apps}}}
    See: https://strimzi.io/docs/operators/latest/deploying#assembly-kafka-entity-operator-str
    """
    gone = sorted(set(operators(before)) - set(operators(deployment)))
    if gone and deployment.is_set("api.version"):
        place = OPERATORS if deployment.is_set(OPERATORS) else "api.version"
        yield Problem(place, f"{' and '.join(gone)} are no longer looked after")


@rule("KA1859", "high", dev="low", effect=STOPPED, acts=AT_ONCE)
def user_operator_added(deployment: Subject, before: Subject) -> Problems:
    """An operator of users comes to a cluster, and deletes the users, ACLs and quotas that no KafkaUser declares.

    Why: the user operator lists the users of the cluster, too, and removes what it finds without a resource: credentials, ACLs and quotas
        that were made by hand or by another tool. Their clients are denied at the next request.
    Fix: 1. list what is there (kafka-acls.sh --list, kafka-configs.sh --describe --entity-type users); 2. declare it, or set
        STRIMZI_IGNORED_USERS_PATTERN; 3. then add the operator.
    Care: harmless for a cluster without users of its own.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, entityOperator: {topicOperator: {}}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, entityOperator: {topicOperator: {}, userOperator: {}}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, entityOperator: {userOperator: {}}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: Kafka
            metadata: {name: k}
            spec: {kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, entityOperator: {topicOperator: {}, userOperator: {}}}
    See: https://strimzi.io/docs/operators/latest/deploying#assembly-using-the-user-operator-str, io.strimzi.operator.user.operator.KafkaUserOperator
    """
    applies(before.is_set("api.version"), "not the same cluster before")
    if "users" in operators(deployment) and "users" not in operators(before):
        yield Problem(OPERATORS, "users, ACLs and quotas that no KafkaUser declares are deleted", likely=True)
