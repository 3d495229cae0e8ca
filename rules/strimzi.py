"""Resources of Strimzi that its operators do not carry out as they are written."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule

FAMILY = "deployment"
RELEASE, LEVEL = "release", "metadata.version"


def minor(version: str) -> tuple[int, int] | None:
    """The release of 4.1.0 or 4.1-IV1 as (4, 1); None where it is none."""
    first, _, second = version.partition("-")[0].partition(".")
    digits = second.partition(".")[0]
    return (int(first), int(digits)) if first.isdecimal() and digits.isdecimal() else None


@rule("KA1747", "medium", dev="info", aim="by hand: choice")
def metadata_version_above(deployment: Subject) -> Problems:
    """The metadata version is above the release of Kafka, and the operator keeps another one.

    Why: nodes do not know a metadata.version of a newer release. The operator writes a warning into its log and keeps the present
        version, or takes that of the release. With the next release it raises the version at once, and the way back is closed.
    Fix: set spec.kafka.metadataVersion to one of the release that spec.kafka.version names, or leave it out.
    Bad (strimzi):
        apiVersion: kafka.strimzi.io/v1
        kind: Kafka
        metadata: {name: k}
        spec: {kafka: {version: 4.2.0, metadataVersion: 4.3-IV0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    Good (strimzi):
        apiVersion: kafka.strimzi.io/v1
        kind: Kafka
        metadata: {name: k}
        spec: {kafka: {version: 4.2.0, metadataVersion: 4.2-IV1, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}
    See: io.strimzi.operator.cluster.operator.assembly.KRaftVersionChangeCreator, https://strimzi.io/docs/operators/latest/deploying#con-upgrade-versions-and-images-str
    """
    applies(deployment.is_set(LEVEL) and deployment.is_set(RELEASE), "it follows the release, or that one is not given")
    level, release = minor(deployment.str(LEVEL)), minor(deployment.str(RELEASE))
    if level and release and level > release:
        words = f"{deployment.str(LEVEL)} is newer than Kafka {deployment.str(RELEASE)}: the operator does not set it"
        yield Problem([LEVEL, RELEASE], words, f"<= {'.'.join(map(str, release))}")


@rule("KA1748", "high", dev="medium", confidence="likely", aim="by hand: address")
def resource_unlabelled(deployment: Subject) -> Problems:
    """A topic or a user names no cluster, so that no operator takes it.

    Why: the operators of a cluster watch the resources that have the label strimzi.io/cluster with its name. Without it nothing
        creates the topic or the user, and the resource has no status that would say so. An operator of topics or users that was
        installed by itself may watch other labels.
    Fix: add the label strimzi.io/cluster with the name of the cluster.
    Bad (strimzi):
        apiVersion: kafka.strimzi.io/v1
        kind: Kafka
        metadata: {name: k}
        spec: {kafka: {version: 4.2.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, entityOperator: {topicOperator: {}}}
        ---
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaTopic
        metadata: {name: orders}
        spec: {partitions: 3, replicas: 3}
    Good (strimzi):
        apiVersion: kafka.strimzi.io/v1
        kind: Kafka
        metadata: {name: k}
        spec: {kafka: {version: 4.2.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}, entityOperator: {topicOperator: {}}}
        ---
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaTopic
        metadata: {name: orders, labels: {strimzi.io/cluster: k}}
        spec: {partitions: 3, replicas: 3}
    See: https://strimzi.io/docs/operators/latest/deploying#con-creating-configuring-kafka-topics-str
    """
    applies(deployment.is_set("unlabelled"), "it names its cluster, or is no resource of one")
    yield Problem(
        "unlabelled", f"the {deployment.str('unlabelled')} names no cluster: no operator takes it", "the cluster's name"
    )


@rule("KA1749", "medium", dev="low", aim="by hand: credentials")
def user_login_unserved(deployment: Subject) -> Problems:
    """A user gets credentials with which no listener of its cluster lets it in.

    Why: a user of scram-sha-512 gets a password and one of tls a certificate. A listener asks for the one that its own
        authentication names; where none asks for it the user cannot log in anywhere.
    Fix: give a listener the same authentication, or the user that of a listener.
    Bad (strimzi):
        apiVersion: kafka.strimzi.io/v1
        kind: Kafka
        metadata: {name: k}
        spec: {kafka: {version: 4.2.0, listeners: [{name: tls, port: 9093, type: internal, tls: true, authentication: {type: tls}}]}}
        ---
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaUser
        metadata: {name: orders, labels: {strimzi.io/cluster: k}}
        spec: {authentication: {type: scram-sha-512}}
    Good (strimzi):
        apiVersion: kafka.strimzi.io/v1
        kind: Kafka
        metadata: {name: k}
        spec: {kafka: {version: 4.2.0, listeners: [{name: tls, port: 9093, type: internal, tls: true, authentication: {type: tls}}]}}
        ---
        apiVersion: kafka.strimzi.io/v1
        kind: KafkaUser
        metadata: {name: orders, labels: {strimzi.io/cluster: k}}
        spec: {authentication: {type: tls}}
    See: https://strimzi.io/docs/operators/latest/deploying#assembly-securing-access-str
    """
    applies(deployment.is_set("login.unserved"), "a listener has its login, or its cluster is not here")
    yield Problem(
        "login.unserved", f"no listener of its cluster takes {deployment.str('login.unserved')}", "a listener's login"
    )
