"""Changes of nodes: their log directories and their identity."""

from __future__ import annotations

from advisor.facts import written
from advisor.rule import CHANGED, LOST, NEVER, RESTART, STOPPED, Problem, Problems, Subject, applies, rule

SESSION = "broker.session.timeout.ms"
ZOOKEEPER, ROLES, MIGRATION = "zookeeper.connect", "process.roles", "zookeeper.metadata.migration.enable"
FORMATTED = "the broker does not start before they are formatted, and then without its replicas"


def directories(node: Subject) -> tuple[str, ...]:
    """The log directories of a node."""
    return tuple(path.rstrip("/") for path in node.list("log.dirs"))


OF_OPERATOR = "the operator names the folders by the volumes, whose changes are judged"
"""Why folders say nothing about a node that a resource declares."""


def volume_path(node: Subject, path: str) -> str:
    """Where a path is: the volume of its container and the path in it, else the path itself."""
    mounts = [(mount, volume) for mount, volume in node.mounts() or () if f"{path}/".startswith(f"{mount}/")]
    mount, volume = max(mounts, default=("", ""))
    return f"{volume}:{path[len(mount) :]}" if mount else path


def directories_now(node: Subject, before: Subject) -> tuple[str, ...]:
    """The log directories of a node: one that is where it was in the same volume has the path that it had."""
    former = {volume_path(before, path): path for path in directories(before)}
    return tuple(former.get(volume_path(node, path), path) for path in directories(node))


@rule("KA1801", "critical", dev="medium", effect=LOST, acts=RESTART)
def log_dirs_moved(broker: Subject, before: Subject) -> Problems:
    """A broker whose log directories are all new starts without its replicas.

    Why: replicas lie in the directories of log.dirs. A broker that finds none of them there creates its replicas empty and copies
        them from the leaders. If the next broker restarts before that is over, the last complete replica is gone, and an
        empty one is elected: acknowledged records of whole partitions are lost, whatever min.insync.replicas says. In KRaft
        an unformatted directory is refused, which is the safety net; ZooKeeper mode starts without a word.
    Fix: 1. stop one broker; 2. move the files of the old directories, meta.properties included, to the new ones (or format the
        new directory with the cluster's id); 3. start it; 4. wait until no partition is under-replicated
        (kafka-topics.sh --describe --under-replicated-partitions is empty); 5. go on with the next broker.
    Care: keep the old directories until all brokers are done: what was lost can be put back from them as long as nothing new
        was written.
    Bad:
        before:
            process.roles=broker
            node.id=1
            log.dirs=/data/kafka
        after:
            process.roles=broker
            node.id=1
            log.dirs=/data2/kafka
    Good:
        before:
            process.roles=broker
            node.id=1
            log.dirs=/data/kafka
        after:
            process.roles=broker
            node.id=1
            log.dirs=/data/kafka,/data2/kafka
    See: kafka.log.LogManager, https://kafka.apache.org/documentation/#brokerconfigs_log.dirs
    """
    applies(broker.resource() is None, OF_OPERATOR)
    old, new = directories(before), directories_now(broker, before)
    applies(set(old) != set(new), "the same directories")
    if not set(old) & set(new):
        has_to_be_formatted = broker.is_set(ROLES) and broker.mounts() is None and not broker.fragment()
        start = FORMATTED if has_to_be_formatted else "the broker starts without its replicas"
        yield Problem("log.dirs", f"{start}; with all brokers changed so, every record is gone")


@rule("KA1802", "high", dev="low", effect=LOST, acts=RESTART)
def log_dir_removed(broker: Subject, before: Subject) -> Problems:
    """A broker loses one of its log directories, and the replicas in it.

    Why: replicas that lay there are created empty in the directories that stay, and copied from their leaders. Topics with one
        replica lose their records; the others lose them if the next broker restarts before the copies are complete.
    Fix: 1. move the replicas to the other directories (kafka-reassign-partitions.sh with log_dirs, or cordoned.log.dirs from
        Kafka 4.3 on); 2. wait until the directory is empty; 3. take it out of log.dirs and restart the broker; 4. wait until
        no partition is under-replicated before the next one.
    Care: a broker that is restarted with the shorter list before its replicas are moved copies all of them over the network.
    Bad:
        before:
            process.roles=broker
            node.id=1
            log.dirs=/data1,/data2
        after:
            process.roles=broker
            node.id=1
            log.dirs=/data1
    Good:
        before:
            process.roles=broker
            node.id=1
            log.dirs=/data1,/data2
        after:
            process.roles=broker
            node.id=1
            log.dirs=/data2,/data1
    See: KIP-113, KIP-1066, kafka.log.LogManager
    """
    applies(broker.resource() is None, OF_OPERATOR)
    old, new = directories(before), directories_now(broker, before)
    kept = set(old) & set(new)
    gone = [path for path in old if path not in kept]
    applies(gone and kept, "no directory is taken out beside others that stay")
    where = gone[0] if len(gone) == 1 else f"{len(gone)} directories"
    yield Problem("log.dirs", f"the replicas in {where} are gone from this broker")


@rule("KA1803", "medium", dev="info", since=(3, 7), effect=STOPPED, acts=RESTART)
def log_dir_added(node: Subject, before: Subject) -> Problems:
    """A KRaft node gets a log directory that has to be formatted first.

    Why: a KRaft node refuses to start while a directory of log.dirs has no meta.properties. Going on with the next node takes
        the cluster below min.insync.replicas.
    Fix: 1. on each node run kafka-storage.sh format --ignore-formatted with the cluster's id and the new file; 2. restart the node;
        3. wait until no partition is under-replicated before the next one.
    Care: replicas that exist stay where they are; only new ones go to the new directory, until you move others with
        kafka-reassign-partitions.sh.
    Bad:
        before:
            process.roles=broker
            node.id=1
            log.dirs=/data1
        after:
            process.roles=broker
            node.id=1
            log.dirs=/data1,/data2
    Good:
        before:
            process.roles=broker
            node.id=1
            log.dirs=/data1,/data2,/data3
        after:
            process.roles=broker
            node.id=1
            log.dirs=/data1,/data3,/data2
    See: KIP-858, org.apache.kafka.metadata.properties.MetaPropertiesEnsemble
    """
    applies(node.is_set("process.roles"), "not a KRaft node")
    applies(node.resource() is None, OF_OPERATOR)
    old, new = directories(before), directories_now(node, before)
    kept = set(old) & set(new)
    added = [path for path in new if path not in kept]
    applies(added and kept, "no directory is added beside others that stay")
    yield Problem("log.dirs", f"the node does not start until {', '.join(added)} is formatted")


@rule("KA1804", "critical", dev="medium", effect=STOPPED, acts=RESTART)
def node_id_changed(node: Subject, before: Subject) -> Problems:
    """A node gets another id over its old data, and does not start.

    Why: meta.properties in each log directory says which node the data belongs to. With another id the node ends at start
        ("Stored node id doesn't match"), and the replicas of the old id stay out of sync until it is put back.
    Fix: put the id back. A new id is a new broker: 1. start it with empty, formatted directories; 2. reassign the partitions of the old
        id to it with kafka-reassign-partitions.sh; 3. stop the old broker and unregister it.
    Bad:
        before:
            process.roles=broker
            node.id=1
        after:
            process.roles=broker
            node.id=11
    Good:
        before:
            broker.id=1
            zookeeper.connect=z1:2181
        after:
            node.id=1
            process.roles=broker
    See: org.apache.kafka.metadata.properties.MetaPropertiesEnsemble, kafka.server.KafkaServer
    """
    applies(not node.resource(), "the operator gives out the ids")
    key, former_key = ("node.id" if side.is_set("node.id") else "broker.id" for side in (node, before))
    old, new = before.int(former_key), node.int(key)
    applies(old >= 0 and new >= 0, "Kafka chooses the id")
    if old != new:
        yield Problem(key, f"the node does not start on the data of node {old}")


@rule("KA1805", "medium", dev="info", effect=CHANGED, acts=NEVER)
def key_of_controllers(broker: Subject, before: Subject) -> Problems:
    """A session timeout is changed in the brokers' files, and controllers do not read those.

    Why: in KRaft the active controller fences a broker after the broker.session.timeout.ms of its own file; what a broker's file
        says has no effect. The change that was wished for does not happen, and nothing says so.
    Fix: set broker.session.timeout.ms to the same value in the files of all controllers, and restart them one at a time.
    Bad:
        before:
            process.roles=broker
            node.id=1
        after:
            process.roles=broker
            node.id=1
            broker.session.timeout.ms=30000
    Good:
        before:
            process.roles=broker
            node.id=1
        after:
            process.roles=broker
            node.id=1
            broker.heartbeat.interval.ms=1000
    See: KIP-631, org.apache.kafka.controller.QuorumController
    """
    applies(broker.list("process.roles") == ("broker",), "the node is a controller, or has a ZooKeeper session")
    new, controllers = broker.int(SESSION), broker.int_of_other_role(SESSION)
    if before.int(SESSION) == new:
        return
    if controllers is None:
        yield Problem(SESSION, "controllers read this key from their own files", step=-1, likely=True)
    elif controllers != new:
        yield Problem(SESSION, f"no effect: the controllers go on with {controllers}", likely=False)


def migrates(node: Subject) -> bool:
    """Whether a node takes part in a migration from ZooKeeper."""
    return node.is_set(MIGRATION) and node.bool(MIGRATION)


def is_of_zookeeper(node: Subject) -> bool:
    """Whether a node is a broker in ZooKeeper mode, by its own file."""
    return node.is_set(ZOOKEEPER) and not node.is_set(ROLES)


@rule("KA2113", "critical", dev="medium", effect=LOST, acts=RESTART)
def migration_skipped(node: Subject, before: Subject) -> Problems:
    """A broker changes between ZooKeeper and KRaft without a migration.

    Why: topics, ACLs, users and dynamic settings are in ZooKeeper, and a KRaft quorum that was not filled by a migration has none of them. The broker
        starts without a word, knows none of the topics in its directories, and renames their logs to NAME-stray; a quorum with another cluster.id
        does not let it in at all (INCONSISTENT_CLUSTER_ID). The other way round ZooKeeper mode refuses the directories of a KRaft node.
    Fix: 1. go to 3.9 (`upgrade` names the steps); 2. format controllers of their own with the cluster.id of ZooKeeper, and start them with
        zookeeper.metadata.migration.enable=true; 3. set it on every broker, with controller.quorum.voters, and restart them one by one; 4. wait until
        the controller logs that the metadata is migrated (ZkMigrationState is MIGRATION); 5. set process.roles=broker and take zookeeper.connect out,
        one broker at a time; 6. take the migration's keys out of the controllers. A cluster whose records may go is formatted on empty directories.
    Care: until step 6 there is a way back; nodes that are broker and controller at once cannot be migrated.
    Bad (3.9):
        before:
            broker.id=1
            zookeeper.connect=zk:2181
            log.dirs=/data
        after:
            node.id=1
            process.roles=broker,controller
            controller.quorum.voters=1@k1:9093
            controller.listener.names=CONTROLLER
            log.dirs=/data
    Good (3.9):
        before:
            broker.id=1
            zookeeper.connect=zk:2181
            zookeeper.metadata.migration.enable=true
            controller.quorum.voters=100@c1:9093
            controller.listener.names=CONTROLLER
            log.dirs=/data
        after:
            node.id=1
            process.roles=broker
            controller.quorum.voters=100@c1:9093
            controller.listener.names=CONTROLLER
            log.dirs=/data
    See: KIP-866, kafka.log.LogManager.isStrayKraftReplica, https://kafka.apache.org/39/documentation/#kraft_zk_migration
    """
    applies(not node.resource(), "the operator carries a migration out")
    if is_of_zookeeper(before) and node.is_set(ROLES) and "broker" in node.list(ROLES):
        applies(not migrates(before), "the migration is under way")
        yield Problem(
            ROLES, "without a migration it starts with no topic, and sets the logs that it finds aside as -stray"
        )
    elif before.is_set(ROLES) and "broker" in before.list(ROLES) and is_of_zookeeper(node):
        applies(
            not node.at_least((4, 0)) and not migrates(node), "no ZooKeeper mode, or a migration that is taken back"
        )
        yield Problem(
            ZOOKEEPER, "the broker refuses the directories of a KRaft node, and does not start", effect=STOPPED
        )


@rule("KA2116", "critical", dev="medium", effect=STOPPED, acts=RESTART)
def chroot_changed(broker: Subject, before: Subject) -> Problems:
    """A broker looks for its cluster under another path of ZooKeeper, where there is none or another one.

    Why: everything that a cluster knows of itself, its id first, lies below the chroot at the end of zookeeper.connect. Under another path
        the id does not match the one in meta.properties, and the broker ends with an InconsistentClusterIdException.
    Fix: keep the path as it is, behind the last server: z1:2181,z2:2181,z3:2181/kafka.
    Care: never delete meta.properties to get past the refusal: the broker would join an empty cluster, and its topics are unknown there.
    Bad:
        before:
            broker.id=1
            zookeeper.connect=z1:2181,z2:2181/kafka
        after:
            broker.id=1
            zookeeper.connect=z1:2181,z2:2181
    Good:
        before:
            broker.id=1
            zookeeper.connect=z1:2181,z2:2181/kafka
        after:
            broker.id=1
            zookeeper.connect=z1:2181,z2:2181,z3:2181/kafka
    See: KAFKA-7335, kafka.server.KafkaServer
    """
    applies(written(broker, ZOOKEEPER) and written(before, ZOOKEEPER), "no ZooKeeper on both sides")
    old, new = (side.str(ZOOKEEPER).partition("/")[2].strip("/") for side in (before, broker))
    if old != new:
        yield Problem(ZOOKEEPER, f"the cluster is below /{old}, and the broker looks below /{new}: it does not start")
