"""Changes of what Kafka runs in: volumes, the id that disks carry, and the number of brokers."""

from __future__ import annotations

from advisor.catalog.support_dates import MSK
from advisor.rule import AT_ONCE, CHANGED, LOST, RESTART, STOPPED, Problem, Problems, Subject, applies, rule
from rules.changes.resources import filled_in
from rules.quorum_zookeeper import protocol_version

EPHEMERAL = "ephemeral"
MOUNTED = "mounted"
"""The storage of a container whose image may have the log segments on one of its mounts."""
POOL, CLAIM = "pool.", "claim."
STRIMZI = "kafka.strimzi.io/"
RELEASE = "kafka-version"
OF_SECRET, BY_CHART, MISSING = "secret-", "generated", "missing"
"""Where a chart's cluster gets its id from, if not from the values."""


@rule("KA1830", "critical", dev="low", effect=LOST, acts=RESTART)
def data_volume_changed(deployment: Subject, before: Subject) -> Problems:
    """The records are on a volume that the container no longer mounts.

    Why: a container that comes back with another volume, or with none, finds an empty folder and is formatted as a new node. A cluster of one
        broker is empty then; one of several copies the records from the others, and topics with one replica lose theirs.
    Fix: 1. stop the container; 2. copy the content of the old volume to the new one (docker run --rm -v OLD:/from -v NEW:/to alpine cp -a
        /from/. /to); 3. start it, and wait until no partition is under-replicated; 4. go on with the next one.
    Care: the old volume stays until it is removed by hand: keep it until all brokers are in sync. Compose puts the project's name before that of a
        volume, Helm the release's: to change those give the volume its old name (`name:` in Compose, existingClaim in the chart). Kubernetes refuses another
        name in volumeClaimTemplates: who deletes the StatefulSet for it gets pods on new, empty claims, and the old ones stay.
    Bad (compose):
        before:
            services:
              kafka:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_LOG_DIRS: /data}
                volumes: [kafka:/data]
        after:
            services:
              kafka:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_LOG_DIRS: /data}
                volumes: [kafka-data:/data]
    Good (compose):
        before:
            services:
              kafka:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_LOG_DIRS: /data}
                volumes: [kafka:/data]
        after:
            services:
              kafka:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_LOG_DIRS: /data}
                volumes: [kafka:/data, config:/etc/kafka]
    See: https://docs.docker.com/engine/storage/volumes/
    """
    applies(deployment.str("runs") != "connect", "the container holds no records")
    applies(not any(key.startswith("volume.") for key in before.keys()), "the operator keeps the storage as it was")
    applies(before.str("storage") != EPHEMERAL, "the records were in the container before")
    is_mounted = {deployment.str("storage") == MOUNTED, before.str("storage") == MOUNTED}
    applies(len(is_mounted) == 1, "which folder holds the records is known on one side alone")
    if deployment.str("storage") == EPHEMERAL:
        key = "volume" if before.is_set("volume") else "storage"
        yield Problem(
            key, "the records are no longer on a volume: it starts empty, and from now on they go with the container"
        )
        return
    old, new = before.str("volume"), deployment.str("volume")
    applies(old and new, "the volume is not named on both sides")
    is_project_known = deployment.is_set("project") == before.is_set("project")
    if not is_project_known and (old.endswith(f"_{new}") or new.endswith(f"_{old}")):
        words = "it starts with an empty volume, unless the project is called so already (by its folder, or -p)"
        yield Problem("volume", words, step=-2, likely=True)
    elif old != new and is_claim_renamed(deployment, before):
        words = "Kubernetes refuses other claims, and a StatefulSet that is made anew for it starts with empty volumes"
        yield Problem("volume", words, step=-1, acts="when the StatefulSet is deleted and created anew")
    elif old != new or not is_project_known:
        yield Problem("volume", "it starts with an empty volume, and the records are on the old one")


def is_claim_renamed(deployment: Subject, before: Subject) -> bool:
    """Whether a StatefulSet makes the claim with the records no longer, but another one."""
    old, new = CLAIM + before.text("volume"), CLAIM + deployment.text("volume")
    return old in before.keys() and old not in deployment.keys() and new in deployment.keys()


@rule("KA1831", "critical", dev="low", effect=STOPPED, acts=RESTART)
def cluster_id_changed(deployment: Subject, before: Subject) -> Problems:
    """The cluster gets another id than its disks carry.

    Why: meta.properties on each disk has the id that it was formatted with. A node that is to be formatted with another one ends (`Invalid
        cluster.id`), and one with an empty disk takes the new id and is refused by the others.
    Fix: put the old id back; kafka-cluster.sh cluster-id, or meta.properties in a log directory, says it. An id that is taken out is another one,
        too: apache/kafka has one of its own, and Bitnami's chart makes a new one where it cannot look up the old one.
    Care: generate an id once, and never in a script that runs at every start.
    Bad (compose):
        before:
            services:
              kafka:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_LOG_DIRS: /data, CLUSTER_ID: MkU3OEVBNTcwNTJENDM2Qk}
                volumes: [kafka:/data]
        after:
            services:
              kafka:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_LOG_DIRS: /data, CLUSTER_ID: 4L6g3nShT-eMCtK--X86sw}
                volumes: [kafka:/data]
    Good (compose):
        before:
            services:
              kafka:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_LOG_DIRS: /data, CLUSTER_ID: MkU3OEVBNTcwNTJENDM2Qk}
                volumes: [kafka:/data]
        after:
            services:
              kafka:
                image: apache/kafka:4.3.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_LOG_DIRS: /data, CLUSTER_ID: "MkU3OEVBNTcwNTJENDM2Qk"}
                volumes: [kafka:/data]
    See: org.apache.kafka.metadata.storage.Formatter
    """
    old, new = before.str("cluster.id"), deployment.str("cluster.id")
    applies(old and new and old != BY_CHART, "the id is not named on both sides")
    applies(before.str("storage") != EPHEMERAL, "the disk goes with the container")
    applies(old != MISSING, "no node started")
    if new == MISSING:
        yield Problem("cluster.id", "the image ends at the start: it asks for CLUSTER_ID")
    elif new == BY_CHART:
        words = "rendered without access to the cluster (helm template, Argo CD) the chart makes a new id each time"
        yield Problem("cluster.id", words, step=-1, likely=True)
    elif old != new and (old.startswith(OF_SECRET) or new.startswith(OF_SECRET)):
        yield Problem("cluster.id", "nodes end at the start unless the Secret holds the old id", step=-2, likely=True)
    elif old != new:
        yield Problem("cluster.id", "the disks carry the old id: nodes end at the start, or are refused by the others")


@rule("KA1832", "high", dev="low", effect=STOPPED, acts=AT_ONCE)
def brokers_removed(deployment: Subject, before: Subject) -> Problems:
    """There are fewer brokers than before.

    Why: the last brokers end with the replicas that they hold: their partitions fall below min.insync.replicas, or go offline, and their
        groups and transactions look for another coordinator. Strimzi puts the number back as long as they hold replicas, and Amazon MSK removes
        only brokers without partitions, as many in each zone; charts, StatefulSets and Compose do not ask.
    Fix: 1. move the replicas away (kafka-reassign-partitions.sh, Cruise Control's remove-brokers); 2. see with kafka-log-dirs.sh that the brokers
        hold none; 3. lower the number; 4. unregister the brokers (kafka-cluster.sh unregister).
    Care: nodes that are controllers, too, have to leave the quorum first (kafka-metadata-quorum.sh remove-controller).
    Bad (kubernetes):
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: kafka}
        before:
            spec: {replicas: 5, template: {spec: {containers: [{name: k, image: "apache/kafka:4.3.0", env: [{name: KAFKA_NODE_ID, value: "1"}]}]}}}
        after:
            spec: {replicas: 3, template: {spec: {containers: [{name: k, image: "apache/kafka:4.3.0", env: [{name: KAFKA_NODE_ID, value: "1"}]}]}}}
    Good (kubernetes):
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: kafka}
        before:
            spec: {replicas: 3, template: {spec: {containers: [{name: k, image: "apache/kafka:4.3.0", env: [{name: KAFKA_NODE_ID, value: "1"}]}]}}}
        after:
            spec: {replicas: 5, template: {spec: {containers: [{name: k, image: "apache/kafka:4.3.0", env: [{name: KAFKA_NODE_ID, value: "1"}]}]}}}
    See: https://kafka.apache.org/documentation/#basic_ops_decommissioning_brokers
    """
    for key in counts_of_brokers(deployment, before):
        old, new = number_of_brokers(before, key), number_of_brokers(deployment, key)
        if new >= old:
            continue
        checks = not (deployment.is_set("scaledown.check") and deployment.bool("scaledown.check"))
        words = guard_of(deployment) if checks else ""
        text = f"{old - new} of {old} brokers go: {words or 'they end with the replicas that they hold'}"
        yield Problem(key, text, step=-1 if words else int(not checks), effect=CHANGED if words else "")


def guard_of(deployment: Subject) -> str:
    """What the operator or the service does about brokers with replicas; empty where it does not ask."""
    if deployment.is_set("api.version") and deployment.text("api.version").startswith(STRIMZI):
        return "the operator puts the number back as long as they hold replicas"
    vendor = deployment.vendor()
    if deployment.is_set("instance.type") or (vendor and vendor[0] == MSK):
        return "Amazon MSK refuses unless as many brokers in each zone hold no partitions but its canary's"
    return ""


def counts_of_brokers(deployment: Subject, before: Subject) -> list[str]:
    """The facts that say how many brokers there are on both sides: of pools those of each that is on both."""
    pools = [[key for key in side.keys() if key.startswith(POOL)] for side in (before, deployment)]
    if all(pools):
        return [key for key in pools[1] if key in pools[0]]
    applies(deployment.is_set("brokers") and before.is_set("brokers"), "the number is not known on both sides")
    return ["brokers"]


def number_of_brokers(deployment: Subject, key: str) -> int:
    """How many brokers a deployment has, or one of its pools. Raises Unknown."""
    if key == "brokers":
        return deployment.int(key)
    number = filled_in(deployment.text(key), "spec.replicas")
    applies(number.isdecimal(), "the operator refuses the number")
    return int(number)


@rule("KA1833", "high", dev="low", effect=STOPPED, acts=RESTART)
def release_lowered(node: Subject, before: Subject) -> Problems:
    """A node runs an older release of Kafka than before.

    Why: metadata.version and other features that were raised with the newer release are not known to the older one: the node ends at the
        start. What the newer one wrote in formats of its own (metadata, offsets, transactions) is not read. With ZooKeeper
        inter.broker.protocol.version decides which formats those are: the release's own, unless the file holds it back.
    Fix: go back only as far as kafka-features.sh describe shows finalized levels that the older release knows; else lower them first
        (kafka-features.sh downgrade), which many levels do not allow.
    Care: from ZooKeeper to KRaft, and below 3.3 from 4.0, there is no way back.
    Bad (compose):
        before:
            services:
              kafka:
                image: apache/kafka:4.1.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: broker}
        after:
            services:
              kafka:
                image: apache/kafka:3.9.1
                environment: {KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: broker}
    Good (compose):
        before:
            services:
              kafka:
                image: apache/kafka:3.9.1
                environment: {KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: broker}
        after:
            services:
              kafka:
                image: apache/kafka:4.1.0
                environment: {KAFKA_NODE_ID: 1, KAFKA_PROCESS_ROLES: broker}
    See: KIP-584, KIP-778
    """
    applies(node.version_given() and before.version_given(), "nothing says which releases they are")
    if node.version() < before.version():
        old, new = (".".join(map(str, side.version())) for side in (before, node))
        words = "it does not start if a feature of the newer release was finalized"
        if before.is_set("zookeeper.connect") and not before.is_set("process.roles"):
            applies(protocol_version(before) > node.version(), "the older release knows the protocol's version")
            protocol = ".".join(map(str, protocol_version(before)))
            words = f"it does not read what was written with inter.broker.protocol.version {protocol}"
        yield Problem(RELEASE, f"Kafka {new} after {old}: {words}", likely=True)
