"""Changes of Strimzi's node pools: volumes that are ignored or go, metadata logs that move, controllers and roles."""

from __future__ import annotations

from advisor.rule import CHANGED, LOST, NEVER, RESTART, STOPPED, Problem, Problems, Subject, applies, rule
from rules.changes.deployments import CLAIM
from rules.changes.resources import filled_in
from rules.quantities import gib_of

VOLUME, METADATA, DISK = "volume.", "metadata.volume", "disk.size"


def volume(deployment: Subject, key: str) -> tuple[str, str, str]:
    """The type, storage class and size of a volume; - for what is not said."""
    type, storage_class, size = filled_in(deployment.text(key), "a volume").split(" ", 2)
    return type, storage_class, size


def volumes(deployment: Subject) -> tuple[str, ...]:
    """The facts of a storage's volumes, one each."""
    return tuple(key for key in deployment.keys() if key.startswith(VOLUME))


def roles_of(deployment: Subject) -> tuple[str, ...]:
    """The roles of a pool of nodes; none of what is no pool."""
    return deployment.list("roles") if deployment.is_set("roles") else ()


def controllers(deployment: Subject) -> int:
    """How many controllers a pool of nodes has."""
    return deployment.int("replicas") if "controller" in roles_of(deployment) else 0


@rule("KA1835", "medium", dev="info", effect=CHANGED, acts=NEVER)
def storage_change_ignored(deployment: Subject, before: Subject) -> Problems:
    """The change of a volume is not carried out: type and class cannot be changed, and a volume cannot become smaller.

    Why: Kubernetes refuses every change of a StatefulSet's volumeClaimTemplates, a larger size as well, and with it all else that is new in the
        StatefulSet: `kubectl apply` and `helm upgrade` end with an error. Amazon MSK refuses a smaller volume, and the apply ends half-way. Strimzi keeps the whole storage of the pool as it was and puts a warning among the conditions; what else the change says of
        storage is not done either. Pods that look as declared have the old disks.
    Fix: 1. add a node pool with the storage that you need; 2. move the replicas to it (KafkaRebalance with mode add-brokers, then
        remove-brokers); 3. scale the old pool to 0 and take it out.
        Of a StatefulSet: 1. enlarge each claim itself (kubectl patch pvc); 2. delete the StatefulSet and leave its pods (kubectl delete --cascade=orphan);
        3. apply the new one.
    Care: a larger size is carried out by Strimzi if the storage class allows the expansion of volumes.
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
    if deployment.is_set(DISK) and before.is_set(DISK) and deployment.int(DISK) < before.int(DISK):
        yield Problem(DISK, f"the service refuses a smaller volume ({before.int(DISK)} to {deployment.int(DISK)} GiB)")
    yield from claims_refused(deployment, before)
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
        new_gib, old_gib = gib_of(size), gib_of(old_size)
        if new_gib is not None and old_gib is not None and new_gib < old_gib:
            yield Problem(
                key,
                f"a volume does not become smaller ({old_size} to {size}): the operator ignores all that is new here",
            )
            return


def claims_refused(deployment: Subject, before: Subject) -> Problems:
    """The claims that a StatefulSet makes for its pods, where they are other ones than before."""
    keys = [key for key in deployment.keys() if key.startswith(CLAIM)]
    for key in [key for key in keys if key in before.keys()]:
        (old_class, old_size), (new_class, new_size) = claim(before, key), claim(deployment, key)
        if old_class != new_class or not is_same_size(old_size, new_size):
            words = f"{old_class} {old_size}".removeprefix("- ") + " to " + f"{new_class} {new_size}".removeprefix("- ")
            words = f"Kubernetes refuses other claims of a StatefulSet ({words}), and all that is new in it"
            yield Problem(key, words, acts="never: the update is refused")
            return


def claim(deployment: Subject, key: str) -> tuple[str, str]:
    """The storage class and the size of a claim; - for what is not said. Raises Unknown."""
    storage_class, _, size = filled_in(deployment.text(key), "a claim").partition(" ")
    return storage_class, size


def is_same_size(size: str, other: str) -> bool:
    """Whether two quantities are one, however they are written."""
    return size == other or (gib_of(size) is not None and gib_of(size) == gib_of(other))


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
    yield Problem(
        key, f"{new} controller{'s' * (new != 1)} in place of {old}, and the quorum stays as it was formed: {words}"
    )


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
