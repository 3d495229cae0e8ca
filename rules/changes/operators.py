"""What Strimzi's operators make of a change: what they refuse, ignore, delete, or carry out with its consequences."""

from __future__ import annotations

import re

from advisor.rule import (
    AT_ONCE,
    CHANGED,
    LOST,
    NEVER,
    OF_TOPIC,
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
from rules.changes.removals import first_key

VOLUME, METADATA, CHECK, OPERATORS = "volume.", "metadata.volume", "scaledown.check", "entity.operators"
RELEASE, LEVEL, FOLLOWS = "release", "metadata.version", "follows"
TEMPLATE = frozenset("${}")
"""Characters of what is filled in later."""
QUANTITY = re.compile(r"(\d+(?:\.\d+)?)([EPTGMK]i?|k|m)?")
UNITS = {"K": 10**3, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18}
MINOR = re.compile(r"(\d+)\.(\d+)")


def bytes_of(size: str) -> float:
    """A quantity of Kubernetes as bytes; not a number where it is none, which is neither less nor more."""
    match = QUANTITY.fullmatch(size)
    if match is None:
        return float("nan")
    unit = match[2] or ""
    return float(match[1]) * (1 << 10 * "KMGTPE".index(unit[0]) + 10 if unit.endswith("i") else UNITS.get(unit, 1))


def minor(version: str) -> tuple[int, int] | None:
    """The release of 4.1.0 or 4.1-IV1 as (4, 1)."""
    match = MINOR.match(version)
    return (int(match[1]), int(match[2])) if match else None


def volume(deployment: Subject, key: str) -> tuple[str, str, str]:
    """The type, storage class and size of a volume; - for what is not said."""
    type, storage_class, size = filled_in(deployment.text(key), "a volume").split(" ", 2)
    return type, storage_class, size


def filled_in(text: str, of: str) -> str:
    """A text without a template in it. Raises Unknown."""
    if not TEMPLATE.isdisjoint(text):
        raise Unknown(f"{of} is filled in later")
    return text


def resources(topic: Subject, before: Subject) -> tuple[str, str]:
    """The resource that declares a topic, before and now. Raises Unknown, NotApplicable."""
    old, new = before.resource(), topic.resource()
    applies(old and new, "no resource of an operator on both sides")
    return filled_in(old or "", "the resource's name"), filled_in(new or "", "the resource's name")


def volumes(deployment: Subject) -> tuple[str, ...]:
    """The facts of a storage's volumes, one each."""
    return tuple(key for key in deployment.keys() if key.startswith(VOLUME))


def roles_of(deployment: Subject) -> tuple[str, ...]:
    """The roles of a pool of nodes; none of what is no pool."""
    return deployment.list("roles") if deployment.is_set("roles") else ()


def controllers(deployment: Subject) -> int:
    """How many controllers a pool of nodes has."""
    return deployment.int("replicas") if "controller" in roles_of(deployment) else 0


def operators(deployment: Subject) -> tuple[str, ...]:
    """What is looked after beside a cluster: topics, users."""
    return deployment.list(OPERATORS) if deployment.is_set(OPERATORS) else ()


def skips_check(deployment: Subject) -> bool:
    """Whether brokers are removed with the replicas that they hold."""
    return deployment.is_set(CHECK) and deployment.bool(CHECK)


def is_paused(deployment: Subject) -> bool:
    """Whether the operator leaves the cluster alone."""
    return deployment.is_set("paused") and deployment.bool("paused")


@rule("KA1834", "medium", dev="info", effect=CHANGED, acts=NEVER)
def topic_change_refused(topic: Subject, before: Subject) -> Problems:
    """Strimzi's topic operator refuses the change of a topic: nothing of it happens in the cluster.

    Why: the operator does not rename a topic, and lowers no number of partitions: the resource gets the condition NotSupported, and with
        another topicName nothing else of it is applied either. Who reads the repository believes otherwise.
    Fix: 1. put the value back; 2. declare a new topic with the name or the partitions that you need; 3. copy the records, move writers and
        readers; 4. take the old resource out.
    Care: kubectl get kafkatopics shows READY False; alert on it.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v2, partitions: 6, replicas: 3}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3, config: {retention.ms: 604800000}}
    See: https://strimzi.io/docs/operators/latest/deploying#proc-configuring-kafka-topic-str, io.strimzi.operator.topic.BatchingTopicController
    """
    old_resource, new_resource = resources(topic, before)
    applies(old_resource == new_resource, "another resource declares it")
    applies(topic.removal() == OF_TOPIC, "the operator leaves the topic alone")
    if topic.known_as() != before.known_as():
        words = f"the operator does not rename {before.known_as()}, and applies nothing of the resource"
        yield Problem("partitions" if topic.is_set("partitions") else first_key(topic), words)
        return
    applies(topic.is_set("partitions") and before.is_set("partitions"), "the number is not known on both sides")
    if topic.int("partitions") < before.int("partitions"):
        yield Problem("partitions", "a topic cannot have fewer: the operator refuses it, and Kafka keeps what it has")


@rule("KA1819", "critical", dev="low", effect=LOST, acts=AT_ONCE)
def topic_resource_renamed(topic: Subject, before: Subject) -> Problems:
    """A KafkaTopic gets another metadata.name, and the topic goes with the old resource.

    Why: the resource of the old name is deleted, and the operator deletes the topic that it managed, with its records, although the new
        resource names the same one. Until then both manage it and report a ResourceConflict.
    Fix: 1. annotate the old resource with strimzi.io/managed: "false", and apply; 2. create the new one and delete the old one.
    Care: GitOps tools prune and create in one pass.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders-v1, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}, annotations: {strimzi.io/managed: "false"}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders-v1, labels: {strimzi.io/cluster: k}}
            spec: {topicName: orders.v1, partitions: 6, replicas: 3}
    See: https://strimzi.io/docs/operators/latest/deploying#con-stopping-management-without-impact-str
    """
    old, new = resources(topic, before)
    applies(before.removal() == OF_TOPIC, "the operator deletes nothing with the old resource")
    if old != new:
        words = f"{old} is deleted, and the topic with its records with it"
        yield Problem("partitions" if topic.is_set("partitions") else first_key(topic), words)


@rule("KA1818", "medium", dev="info", effect=CHANGED, acts=AT_ONCE)
def topic_managed_again(topic: Subject, before: Subject) -> Problems:
    """The topic operator manages a topic again, and overwrites what was changed meanwhile.

    Why: without strimzi.io/managed: "false" the operator sets partitions and every key of config to what the resource says, and removes the
        keys that it does not name. What was changed by hand since is lost without a word. Deleting the resource deletes the topic again.
    Fix: 1. compare the resource with kafka-configs.sh --describe and kafka-topics.sh --describe; 2. write what differs into it; 3. then
        take the annotation out.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}, annotations: {strimzi.io/managed: "false"}}
            spec: {partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {partitions: 6, replicas: 3}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}}
            spec: {partitions: 6, replicas: 3}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaTopic
            metadata: {name: orders, labels: {strimzi.io/cluster: k}, annotations: {strimzi.io/managed: "false"}}
            spec: {partitions: 6, replicas: 3}
    See: https://strimzi.io/docs/operators/latest/deploying#con-stopping-management-without-impact-str
    """
    applies(all(resources(topic, before)), "no resource of an operator on both sides")
    if topic.removal() == OF_TOPIC and before.removal() != OF_TOPIC:
        words = "the operator overwrites what was changed in the cluster meanwhile"
        yield Problem("partitions" if topic.is_set("partitions") else first_key(topic), words, likely=True)


@rule("KA1835", "medium", dev="info", effect=CHANGED, acts=NEVER)
def storage_change_ignored(deployment: Subject, before: Subject) -> Problems:
    """Strimzi ignores the change of a volume: type and class cannot be changed, and a volume cannot become smaller.

    Why: the operator keeps the whole storage of the pool as it was and puts a warning among the conditions; what else the change says of
        storage is not done either. Pods that look as declared have the old disks.
    Fix: 1. add a node pool with the storage that you need; 2. move the replicas to it (KafkaRebalance with mode add-brokers, then
        remove-brokers); 3. scale the old pool to 0 and take it out.
    Care: a larger size is carried out if the storage class allows the expansion of volumes.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: broker, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: broker, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi, class: fast}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: broker, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: broker, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 200Gi}]}}
    See: https://strimzi.io/docs/operators/latest/configuring.html#type-PersistentClaimStorage-reference, io.strimzi.operator.cluster.model.StorageDiff
    """
    shared = [key for key in volumes(deployment) if key in volumes(before)]
    if volumes(before) and volumes(deployment) and not shared:
        yield Problem(METADATA, "the operator keeps the storage as it was, and ignores the new one")
    for key in shared:
        (type, storage_class, size), (old_type, old_class, old_size) = volume(deployment, key), volume(before, key)
        if (type, storage_class) != (old_type, old_class):
            parts = f"{old_type} {old_class}".replace(" -", "") + " to " + f"{type} {storage_class}".replace(" -", "")
            yield Problem(
                key, f"the operator does not change a volume ({parts}), and ignores all that is new in this storage"
            )
            return
        if bytes_of(size) < bytes_of(old_size):
            yield Problem(
                key,
                f"a volume does not become smaller ({old_size} to {size}): the operator ignores all that is new here",
            )
            return


@rule("KA1836", "high", dev="low", effect=LOST, acts=RESTART)
def volume_removed(deployment: Subject, before: Subject) -> Problems:
    """A volume of a JBOD storage goes, with the replicas on it.

    Why: the operator accepts it, the pods come back without the disk, and the brokers copy what was on it from other brokers: topics with
        one replica lose their records. With deleteClaim the disk is deleted. A volume with another id is one removed and one added.
    Fix: 1. move the replicas to the other volumes (KafkaRebalance with mode remove-disks); 2. wait until it is Ready; 3. then take the
        volume out.
    Care: one pool at a time, and no other restart meanwhile.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: broker, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi}, {id: 1, type: persistent-claim, size: 100Gi}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: broker, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: broker, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: broker, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi}, {id: 1, type: persistent-claim, size: 100Gi}]}}
    See: https://strimzi.io/docs/operators/latest/configuring.html#type-JbodStorage-reference
    """
    applies("broker" in roles_of(before), "controllers keep no replicas of topics")
    gone = [key for key in volumes(before) if key not in volumes(deployment)]
    kept = [key for key in volumes(deployment) if key in volumes(before)]
    applies(gone and kept, "the volumes are the same, or the whole storage is another one")
    ids = ", ".join(key.removeprefix(VOLUME) for key in gone)
    deletes = deployment.is_set("storage.delete") and deployment.bool("storage.delete")
    words = "is deleted" if deletes else "is left out"
    yield Problem(
        METADATA,
        f"volume {ids} {words}: its replicas are copied from other brokers, and lost where there is no other",
        step=int(deletes),
    )


@rule("KA1837", "high", dev="low", effect=LOST, acts=RESTART)
def metadata_volume_moved(deployment: Subject, before: Subject) -> Problems:
    """The metadata log moves to another volume.

    Why: when a node comes back, Strimzi's start script deletes the metadata log on the old volume, and the node fetches it from the other
        controllers. With one controller there is nobody to fetch from: the metadata of the cluster is gone.
    Fix: 1. with one controller add two more first; 2. see with kafka-metadata-quorum.sh describe --replication that all voters have caught
        up; 3. move it, and wait for each node.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 1, roles: [controller], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi, kraftMetadata: shared}, {id: 1, type: persistent-claim, size: 100Gi}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 1, roles: [controller], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi}, {id: 1, type: persistent-claim, size: 100Gi, kraftMetadata: shared}]}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [controller], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi}, {id: 1, type: persistent-claim, size: 100Gi}]}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [controller], storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: 100Gi, kraftMetadata: shared}, {id: 1, type: persistent-claim, size: 100Gi}]}}
    See: https://strimzi.io/docs/operators/latest/configuring.html#type-PersistentClaimStorage-reference, kafka_run.sh of strimzi-kafka-operator
    """
    applies("controller" in roles_of(deployment), "a broker's copy of the metadata is fetched anew")
    applies(deployment.is_set(METADATA) and before.is_set(METADATA), "the volume is not known on both sides")
    old, new = before.str(METADATA), deployment.str(METADATA)
    applies(old != new, "the same volume")
    applies(VOLUME + old in volumes(deployment) and VOLUME + new in volumes(before), "the storage is another one")
    alone = deployment.is_set("replicas") and deployment.int("replicas") == 1
    words = "and there is no other controller to fetch it from" if alone else "and fetched from the other controllers"
    yield Problem(
        METADATA,
        f"the metadata log on volume {old} is deleted at the start, {words}",
        step=int(alone),
        likely=not alone,
    )


@rule("KA1838", "high", dev="low", effect=STOPPED, acts=RESTART)
def controllers_changed(deployment: Subject, before: Subject) -> Problems:
    """The number of controllers in a node pool changes, which the operator does not carry through the quorum.

    Why: the voters of a static quorum stay what they were when it was formed: a controller that is added is no voter, and one that is
        removed is missing from the majority for good.
    Fix: keep the number; where the operator's release supports a dynamic quorum, follow its own steps, one controller at a time.
    Care: a pool that is broker and controller at once is scaled as controllers are.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [controller], storage: {type: ephemeral}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 1, roles: [controller], storage: {type: ephemeral}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker], storage: {type: ephemeral}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 4, roles: [broker], storage: {type: ephemeral}}
    See: https://strimzi.io/docs/operators/latest/deploying#config-node-pools-str
    """
    applies(deployment.is_set("replicas") and before.is_set("replicas"), "the number is not known on both sides")
    old, new = controllers(before), controllers(deployment)
    applies(old != new, "the pool has as many controllers as before")
    words = "one that is new is no voter" if new > old else "those that go are missing from the majority"
    key = "replicas" if deployment.int("replicas") != before.int("replicas") else "roles"
    yield Problem(key, f"{new} controllers in place of {old}, and the quorum stays as it was formed: {words}")


@rule("KA1839", "medium", dev="info", effect=CHANGED, acts=NEVER)
def broker_role_kept(deployment: Subject, before: Subject) -> Problems:
    """A node pool gives up the role of broker, and the operator puts it back as long as its brokers hold replicas.

    Why: Strimzi asks the brokers before it changes their role, reverts the change where one of them holds a replica, and says so in a
        condition.
    Fix: 1. move the replicas away (KafkaRebalance with mode remove-brokers); 2. wait until it is Ready; 3. then change the roles.
    Bad (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker, controller], storage: {type: ephemeral}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [controller], storage: {type: ephemeral}}
    Good (strimzi):
        before:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [broker, controller], storage: {type: ephemeral}}
        after:
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaNodePool
            metadata: {name: a, labels: {strimzi.io/cluster: k}}
            spec: {replicas: 3, roles: [controller, broker], storage: {type: ephemeral}}
    See: https://strimzi.io/docs/operators/latest/deploying#config-node-pools-str, io.strimzi.operator.cluster.operator.assembly.KafkaClusterCreator
    """
    if "broker" in roles_of(before) and "broker" not in roles_of(deployment):
        yield Problem("roles", "the operator keeps the role as long as the brokers hold replicas", likely=True)


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


@rule("KA1807", "high", dev="low", effect=CHANGED, acts=AT_ONCE)
def metadata_version_follows(deployment: Subject, before: Subject) -> Problems:
    """The metadata version follows the new release by itself, and there is no way back.

    Why: without spec.kafka.metadataVersion the operator raises metadata.version to that of the new release in the reconciliation behind the
        last restart. From then on the older release does not start any more.
    Fix: 1. set metadataVersion to what the old release has (kafka-features.sh describe), and apply; 2. raise the version; 3. after some
        days without trouble raise metadataVersion in a change of its own.
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


@rule("KA1809", "high", dev="low", effect=STOPPED, acts=RESTART)
def listener_type_changed(deployment: Subject, before: Subject) -> Problems:
    """A listener is reached by other addresses than before: its type is another one.

    Why: with another type the operator creates other services, bootstrap addresses and certificates, and brokers advertise the new ones:
        clients that know the old addresses are cut off as the brokers restart.
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
