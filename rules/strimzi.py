"""Resources of Strimzi: what its operators refuse or do not carry out as it is written, and what they delete."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule

FAMILY = "deployment"
RELEASE, LEVEL = "release", "metadata.version"
STRIMZI = "kafka.strimzi.io/"
ZONE_KEYS = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
IDENTITY = "IdentityReplicationPolicy"


def minor(version: str) -> tuple[int, int] | None:
    """The release of 4.1.0 or 4.1-IV1 as (4, 1); None where it is none."""
    first, _, second = version.partition("-")[0].partition(".")
    digits = second.partition(".")[0]
    return (int(first), int(digits)) if first.isdecimal() and digits.isdecimal() else None


@rule("KA1707", "medium", dev="info", staging="low")
def delete_claim(deployment: Subject) -> Problems:
    """Deleting the resource deletes the brokers' disks.

    Why: with deleteClaim the persistent volume claims are deleted with the Kafka resource or the node pool: one
        `kubectl delete`, or a pipeline that prunes, deletes the records of all brokers at once.
    Fix: set deleteClaim to false; delete claims by hand when the data is no longer needed.
    Bad (deployment):
        storage.delete=true
    Good (deployment):
        storage.delete=false
    See: https://strimzi.io/docs/operators/latest/configuring#type-PersistentClaimStorage-reference
    """
    applies(deployment.is_set("storage.delete"), "the claim is kept")
    if deployment.bool("storage.delete"):
        yield Problem("storage.delete", "the brokers' disks are deleted with the resource", "false")


@rule("KA1713", "high", aim="by hand: choice")
def strimzi_kraft_metadata(deployment: Subject) -> Problems:
    """More than one volume of a node is marked for the KRaft metadata log.

    Why: the metadata log is on one volume; Strimzi refuses a node pool with `kraftMetadata: shared` on several, and no
        longer reconciles the cluster.
    Fix: set kraftMetadata to shared on one volume only.
    Care: do not move kraftMetadata to another volume of a running pool: the metadata log stays where it is.
    Bad (deployment):
        metadata.volumes=2
    Good (deployment):
        metadata.volumes=1
    See: https://strimzi.io/docs/operators/latest/deploying#ref-jbod-storage-str
    """
    applies(deployment.is_set("metadata.volumes"), "no volume is marked")
    volumes = deployment.int("metadata.volumes")
    if volumes > 1:
        yield Problem(
            "metadata.volumes", f"{volumes} volumes are marked for the metadata log: Strimzi refuses the node pool", "1"
        )


@rule("KA1714", "medium", dev="info")
def rack_wrong_key(deployment: Subject) -> Problems:
    """The label for a broker's rack is not a zone label.

    Why: broker.rack takes the label's value. All nodes of one region share a region label, so replicas are not spread
        at all; a host name gives every broker its own rack, so two replicas may share a zone.
    Fix: set topologyKey to topology.kubernetes.io/zone.
    Care: existing replicas stay where they are until you reassign them.
    Bad (deployment):
        rack.key=topology.kubernetes.io/region
    Good (deployment):
        rack.key=topology.kubernetes.io/zone
    See: https://kubernetes.io/docs/reference/labels-annotations-taints/#topologykubernetesiozone
    """
    applies(deployment.is_set("rack.key"), "no label says it")
    key = deployment.str("rack.key")
    if key.endswith(("/region", "/hostname", "/arch", "/os")):
        yield Problem("rack.key", "two replicas of a partition may share a zone", ZONE_KEYS[0])


@rule("KA1718", "medium", dev="info")
def mm2_policy_mismatch(deployment: Subject) -> Problems:
    """Checkpoints name topics differently from the source connector.

    Why: the source connector writes A.orders, the checkpoint connector translates offsets for orders (or the other way
        round): consumers that move to the target cluster find no offsets and start at the beginning or at the end.
    Fix: set the same replication.policy.class and separator on the source, checkpoint and heartbeat connectors.
    Care: a new policy on a running mirror creates a second set of topics in the target cluster, mirrored from the
        start; offsets synced under the old names stay there.
    Bad (deployment):
        replication.policy.class=org.apache.kafka.connect.mirror.IdentityReplicationPolicy
    Good (deployment):
        replication.policy.class=org.apache.kafka.connect.mirror.IdentityReplicationPolicy
        source.replication.policy.class=org.apache.kafka.connect.mirror.IdentityReplicationPolicy
    See: KIP-382, https://kafka.apache.org/documentation/#georeplication
    """
    applies(deployment.is_set("replication.policy.class"), "no checkpoints")
    policies = [deployment.str(key) for key in ("replication.policy.class", "source.replication.policy.class")]
    if policies[0].endswith(IDENTITY) != policies[1].endswith(IDENTITY):
        name = policies[0].rpartition(".")[2]
        yield Problem(
            "replication.policy.class",
            f"the source connector has another policy than {name}: consumers find no offsets",
            "one policy",
        )


@rule("KA1721", "low", dev="info")
def crd_version(deployment: Subject) -> Problems:
    """The resource uses an API version that the operator will remove.

    Why: Strimzi 1.0 serves only kafka.strimzi.io/v1; v1beta2 resources must be converted before the operator is
        upgraded.
    Fix: convert every resource of Strimzi, node pools, topics and users as well, with Strimzi's conversion tool, and
        apply them as kafka.strimzi.io/v1.
    Care: Strimzi 1.0 cannot read resources that were not converted: convert all of them, and the CRDs' stored version,
        before you upgrade the operator.
    Bad (deployment):
        api.version=kafka.strimzi.io/v1beta2
    Good (deployment):
        api.version=kafka.strimzi.io/v1
    See: https://strimzi.io/docs/operators/latest/deploying#assembly-api-conversion-str
    """
    applies(deployment.str("api.version").startswith(STRIMZI), "no resource of Strimzi")
    version = deployment.str("api.version").rpartition("/")[2]
    if version != "v1":
        yield Problem("api.version", f"Strimzi 1.0 no longer serves {version}", f"{STRIMZI}v1")


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
