"""Images of Kafka: those that are gone or unmaintained, and which variables their scripts require, refuse and ignore."""

from __future__ import annotations

from advisor.catalog.keys import SPELLED
from advisor.facts import image, is_whole_number
from advisor.rule import Problem, Problems, Subject, applies, rule
from rules.deployment import keys_with

FAMILY = "deployment"
UNMAINTAINED = {
    "wurstmeister/kafka": "no release since 2022, Kafka 2.8 at most",
    "wurstmeister/zookeeper": "no release for years",
    "bitnamilegacy/kafka": "a frozen archive since August 2025",
    "bitnamilegacy/zookeeper": "a frozen archive since August 2025",
    "spotify/kafka": "no release since 2016",
    "landoop/fast-data-dev": "no release since 2021",
    "lensesio/fast-data-dev": "a demonstration image",
    "ches/kafka": "no release since 2017",
    "debezium/kafka": "Docker Hub's ended with Debezium 2.7, quay.io has newer ones",
    "debezium/zookeeper": "ended with Debezium 2.7",
}
"""Images that are no longer maintained, and why."""
REMOVED = {
    "bitnami/kafka": "Bitnami took its versioned images off Docker Hub in August 2025",
    "bitnami/zookeeper": "Bitnami took its versioned images off Docker Hub in August 2025",
}
CONFLUENT_8 = 8
WAYS_OUT = "an image of Kafka 3.9 (cp-kafka:7.9.1), or KRaft's settings"


@rule("KA1703", "critical", since=(4, 0), replaces=("KA522",), aim="by hand: migration")
def upgrade_blocker(broker: Subject) -> Problems:
    """The image or release no longer has ZooKeeper mode, but the settings are for ZooKeeper mode.

    Why: Kafka 4.0 removed ZooKeeper mode. The image exits at its first check (process.roles and CLUSTER_ID are
        required), and 4.x cannot read the metadata of a cluster that still keeps it in ZooKeeper.
    Fix: pin the last release with ZooKeeper (Kafka 3.9, confluentinc/cp-kafka:7.9.1, bitnamilegacy/kafka:3.9), or set
        KRaft's settings in place of ZooKeeper's: process.roles, node.id, listeners, controller.listener.names,
        controller.quorum.voters, and CLUSTER_ID where the image asks for it. A cluster that holds records is migrated
        on 3.9 first.
    Care: topics are lost if you format the disks to make 4.x start: do not start 4.x on the data of a cluster that was
        not migrated.
    Bad (broker, 4.0):
        broker.id=1
        zookeeper.connect=zookeeper:2181
    Good (broker, 3.9):
        broker.id=1
        zookeeper.connect=zookeeper:2181
    See: KIP-866, https://kafka.apache.org/documentation/#kraft_zk_migration
    """
    applies(not broker.running(), "a running broker has started")
    applies(broker.version_given(), "nothing says which release it is")
    applies(not broker.is_set("process.roles"), "in KRaft mode")
    if broker.is_set("zookeeper.connect"):
        major, minor = broker.version()
        message = f"Kafka {major}.{minor} has no ZooKeeper mode: it will not start"
        yield Problem("zookeeper.connect", message, WAYS_OUT, step=-1 if broker.fragment() else 0)


@rule("KA1731", "critical", replaces=("KA522",), aim="by hand: migration")
def image_without_zookeeper(deployment: Subject) -> Problems:
    """The image starts Kafka in KRaft mode only, but its settings are for ZooKeeper mode.

    Why: the script of apache/kafka formats the disks for KRaft before it starts the server, in every release. With
        zookeeper.connect and without process.roles the formatting fails, and the container exits.
    Fix: set KRaft's settings in place of ZooKeeper's (process.roles, node.id, listeners, controller.listener.names,
        controller.quorum.voters), or use an image that still has ZooKeeper mode, such as confluentinc/cp-kafka:7.9.1.
    Bad (compose):
        services:
          kafka:
            image: apache/kafka:3.9.0
            environment:
              KAFKA_BROKER_ID: 1
              KAFKA_ZOOKEEPER_CONNECT: zookeeper:2181
    Good (compose):
        services:
          kafka:
            image: confluentinc/cp-kafka:7.9.1
            environment:
              KAFKA_BROKER_ID: 1
              KAFKA_ZOOKEEPER_CONNECT: zookeeper:2181
    See: https://github.com/apache/kafka/tree/trunk/docker, https://hub.docker.com/r/apache/kafka
    """
    applies(deployment.is_set("image"), "no image")
    if deployment.bool("kraft.only"):
        yield Problem("image", "the image has no ZooKeeper mode in any release: the container exits", WAYS_OUT)


REQUIRES, REFUSES = "requires.", "refuses."
"""What the facts begin with about a variable that an image's script requires and that is missing, or that ends it."""


def failing_variables(deployment: Subject) -> tuple[str, ...]:
    """The variables that end the image's script."""
    return keys_with(deployment, (REQUIRES, REFUSES))


@rule("KA1733", "critical", each=failing_variables, aim="by hand: variables")
def image_check_fails(deployment: Subject, key: str) -> Problems:
    """The image ends before it starts Kafka: its script requires a variable that is not set, or refuses one that is.

    Why: the script of cp-kafka and cp-server checks the variables first. It exits without KAFKA_ADVERTISED_LISTENERS (on
        brokers), in KRaft mode without CLUSTER_ID, with which it formats the disks, in ZooKeeper mode without
        KAFKA_ZOOKEEPER_CONNECT; on a controller it exits with KAFKA_ADVERTISED_LISTENERS, and everywhere with the old
        KAFKA_HOST, KAFKA_PORT, KAFKA_ADVERTISED_HOST and KAFKA_ADVERTISED_PORT. KAFKA_CLUSTER_ID is not read. Where listeners
        are advertised as SSL:// or SASL_SSL://, it and apache/kafka require KAFKA_SSL_KEYSTORE_FILENAME,
        KAFKA_SSL_KEYSTORE_CREDENTIALS and KAFKA_SSL_KEY_CREDENTIALS, and KAFKA_OPTS for SASL_. Both, and Bitnami's image of 3.9
        and 4.0, start a controller only with controller.quorum.voters. Bitnami's of 4.1 and 4.2 requires KAFKA_INITIAL_CONTROLLERS of a controller whose
        bootstrap servers are others than localhost:9093. Bitnami's requires KAFKA_CFG_NODE_ID in KRaft mode from 3.6 on, with
        the mechanisms between nodes where their listeners ask for a login, and refuses KAFKA_CFG_ZOOKEEPER_CONNECT beside it; up to 3.1 it requires ALLOW_PLAINTEXT_LISTENER. wurstmeister/kafka requires
        KAFKA_ZOOKEEPER_CONNECT and KAFKA_LISTENERS. debezium/kafka formats an empty disk for a lone controller (from 3.2 on),
        which a broker is not, and from 3.4 on with node.id 1. cp-kafka-connect requires eight variables, CONNECT_GROUP_ID, the three
        topics, both converters and CONNECT_REST_ADVERTISED_HOST_NAME among them, and for each AvroConverter the address of the
        registry; debezium/connect CONFIG_STORAGE_TOPIC and OFFSET_STORAGE_TOPIC, cp-zookeeper ZOOKEEPER_CLIENT_PORT and, beside
        ZOOKEEPER_SERVERS, ZOOKEEPER_SERVER_ID, bitnami/zookeeper ALLOW_ANONYMOUS_LOGIN without ZOO_ENABLE_AUTH. confluent-local
        cannot be a lone controller.
    Fix: set the variable that the script requires, and take out the one that it refuses; for CLUSTER_ID take one id, made once by
        kafka-storage random-uuid, on all nodes of the cluster.
    Care: a cluster that holds records keeps its id: take that of meta.properties in the data directory.
    Bad (compose):
        services:
          kafka:
            image: confluentinc/cp-kafka:7.9.1
            environment:
              KAFKA_NODE_ID: 1
              KAFKA_PROCESS_ROLES: broker,controller
              KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092
    Good (compose):
        services:
          kafka:
            image: confluentinc/cp-kafka:7.9.1
            environment:
              CLUSTER_ID: MkU3OEVBNTcwNTJENDM2Qk
              KAFKA_NODE_ID: 1
              KAFKA_PROCESS_ROLES: broker,controller
              KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092
    See: https://github.com/confluentinc/kafka-images
    """
    applies(deployment.is_set("image"), "no image")
    applies(key != REQUIRES, "no check fails, or what it is about is not known")
    variable, is_missing = key.partition(".")[2], key.startswith(REQUIRES)
    words = ("is not set", "requires") if is_missing else ("is set", "refuses")
    message = f"{variable} {words[0]}: the image's script {words[1]} it, and the container exits"
    yield Problem(key, message, variable if is_missing else f"no {variable}")


LACKS = "lacks."
"""What the fact begins with about a variable that is missing because one that is set replaces the image's file."""


@rule("KA1736", "critical", refuses=True, replaces=("KA1410",), aim="by hand: variables")
def image_file_dropped(deployment: Subject) -> Problems:
    """One KAFKA_ variable makes the image drop its own server.properties, and the variables in its place do not make a node.

    Why: apache/kafka starts as a combined node of its own only where no variable is a setting. With the first one it writes a
        server.properties of the variables alone: what the shipped file said of roles, ids, listeners and the quorum is gone,
        kafka-storage.sh cannot format the disks, and the container exits.
    Fix: set KAFKA_PROCESS_ROLES, KAFKA_NODE_ID, KAFKA_LISTENERS, KAFKA_CONTROLLER_LISTENER_NAMES and KAFKA_CONTROLLER_QUORUM_VOTERS
        as well, or mount a whole server.properties at /mnt/shared/config.
    Bad (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            environment:
              KAFKA_NUM_PARTITIONS: 3
    Good (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            environment:
              KAFKA_NUM_PARTITIONS: 3
              KAFKA_PROCESS_ROLES: broker,controller
              KAFKA_NODE_ID: 1
              KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093
              KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
              KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093
    See: https://github.com/apache/kafka/tree/trunk/docker, kafka.docker.KafkaDockerWrapper
    """
    keys = [key for key in deployment.keys() if key.startswith(LACKS)]
    applies(keys, "the image's file counts, or the variables make a node")
    first, *others = (key.removeprefix(LACKS) for key in keys)
    words = f"{first} is not set: with the first KAFKA_ setting the image drops its own server.properties"
    also = f"; also missing: {', '.join(others)}" if others else ""
    yield Problem(keys[0], words + also, "all settings of a node, or none", refused=True)


UNSHARED = "unshared."
"""What the fact begins with about the variable of the id that a node does not have in common with its quorum."""


def unshared_ids(deployment: Subject) -> tuple[str, ...]:
    """The variables of a cluster id that the other nodes do not have."""
    return keys_with(deployment, (UNSHARED,))


@rule("KA1734", "critical", each=unshared_ids, aim="by hand: variables")
def cluster_ids_differ(deployment: Subject, key: str) -> Problems:
    """The nodes of a quorum are formatted with different cluster ids, and refuse each other.

    Why: the id of meta.properties is sent with every request of the quorum, and a node with another one is answered with
        INCONSISTENT_CLUSTER_ID: no leader is elected, and no broker registers. Without KAFKA_KRAFT_CLUSTER_ID Bitnami's image formats
        each node's disk with a random id at its first start.
    Fix: set one id on all nodes of the cluster, made once by kafka-storage.sh random-uuid.
    Care: a cluster that holds records keeps its id: take that of meta.properties in the data directory. A disk that was formatted with
        another id keeps it, whatever the variable says: empty it only where the node holds nothing.
    Bad (compose):
        services:
          kafka:
            image: bitnamilegacy/kafka:3.9
            environment:
              KAFKA_CFG_NODE_ID: 1
              KAFKA_CFG_PROCESS_ROLES: broker,controller
              KAFKA_CFG_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093,2@kafka-2:9093,3@kafka-3:9093
    Good (compose):
        services:
          kafka:
            image: bitnamilegacy/kafka:3.9
            environment:
              KAFKA_KRAFT_CLUSTER_ID: MkU3OEVBNTcwNTJENDM2Qk
              KAFKA_CFG_NODE_ID: 1
              KAFKA_CFG_PROCESS_ROLES: broker,controller
              KAFKA_CFG_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093,2@kafka-2:9093,3@kafka-3:9093
    See: https://github.com/bitnami/containers/tree/main/bitnami/kafka, org.apache.kafka.raft.KafkaRaftClient
    """
    applies(key != UNSHARED, "the nodes have one id, or what they have is not known")
    variable = key.removeprefix(UNSHARED)
    id = "the id of its image" if variable == "CLUSTER_ID" else "a random cluster id"
    words = f"{variable} is not set: the node is formatted with {id}, and the quorum's others refuse it"
    if deployment.text(key):
        words = "another node of the quorum has another cluster id: they refuse each other"
    yield Problem(key, words, "one id on all nodes")


@rule("KA1704", "medium", dev="low", regulated="high")
def unmaintained_image(deployment: Subject) -> Problems:
    """The image gets no more releases, not even security fixes.

    Why: vulnerabilities in Kafka, the JVM or the base system stay unfixed, and there is no image with a newer Kafka.
    Fix: move to apache/kafka, to confluentinc/cp-kafka or to an operator's image; check how the new image spells its
        variables.
    Care: a new image with another log.dirs starts empty: images differ in the user they run as, in log.dirs and in
        their default settings (Bitnami's file sets the replication factor of internal topics to 1). Set these
        explicitly, mount the old volume at the new image's log.dirs, and replace one broker at a time.
    Bad (deployment):
        image=wurstmeister/kafka:2.13-2.8.1
    Good (deployment):
        image=apache/kafka:4.3.0
    See: https://hub.docker.com/r/apache/kafka, https://github.com/bitnami/containers/issues/83267
    """
    applies(deployment.is_set("image"), "no image")
    repository, _ = image(deployment)
    applies(not (repository == "debezium/kafka" and "quay.io/" in deployment.str("image")), "quay.io's is maintained")
    if repository in UNMAINTAINED:
        yield Problem("image", f"the image gets no fixes: {UNMAINTAINED[repository]}", "a maintained image")


@rule("KA1705", "medium", dev="low")
def removed_image(deployment: Subject) -> Problems:
    """The image can no longer be pulled, or never existed in that release.

    Why: running containers use the local copy of the image; a new node, or a start after a cleanup, fails to pull it.
    Fix: use an image that exists (cp-zookeeper ended with 7.9), or a maintained image in place of Bitnami's.
    Bad (deployment):
        image=confluentinc/cp-zookeeper:8.0.0
    Good (deployment):
        image=confluentinc/cp-kafka:8.0.0
    See: https://docs.confluent.io/platform/current/installation/docker/image-reference.html,
        https://github.com/bitnami/containers/issues/83267
    """
    applies(deployment.is_set("image"), "no image")
    repository, tag = image(deployment)
    from advisor.catalog.image_names import is_of_docker_hub

    is_gone = repository in REMOVED and is_of_docker_hub(deployment.str("image"))
    if is_gone and tag not in ("", "latest"):
        yield Problem("image", f"the image cannot be pulled: {REMOVED[repository]}", "an image that exists")
    major = tag.partition(".")[0]
    if repository == "confluentinc/cp-zookeeper" and is_whole_number(major) and int(major) >= CONFLUENT_8:
        yield Problem("image", f"there is no cp-zookeeper {tag}: Confluent Platform 8 has no ZooKeeper", "7.9 or KRaft")


@rule("KA1710", "medium")
def service_links(deployment: Subject) -> Problems:
    """Kubernetes adds a Service's variables to the pod, and the image takes them for settings.

    Why: a Service whose name begins with kafka gives every pod KAFKA_PORT=tcp://…, KAFKA_SERVICE_HOST and more, and the
        image turns each KAFKA_ variable into a setting: port=tcp://… keeps old releases from starting, and the others
        fill the configuration with meaningless keys.
    Fix: set enableServiceLinks to false in the pod's spec.
    Bad (deployment):
        service.links=true
    Good (deployment):
        service.links=false
    See: https://kubernetes.io/docs/tutorials/services/connect-applications-service/#accessing-the-service
    """
    applies(deployment.is_set("service.links") or deployment.str("service.links") == "true", "no Service named kafka")
    if deployment.bool("service.links"):
        yield Problem(
            "service.links", "a Service named kafka… adds KAFKA_ variables, which the image takes for settings", "false"
        )


DROPPED = "dropped."
"""What the fact begins with about a setting that an operator drops."""


def ignored_settings(deployment: Subject) -> tuple[str, ...]:
    """The settings that the image or the operator does not take as they are written."""
    return keys_with(deployment, (SPELLED, DROPPED))


@rule("KA1711", "medium", each=ignored_settings)
def env_mapping(deployment: Subject, key: str) -> Problems:
    """This image or operator ignores a setting, because it expects another spelling or place.

    Why: images spell settings differently, and operators drop the settings that they write themselves. Bitnami's image
        expects KAFKA_CFG_ and ignores KAFKA_NUM_PARTITIONS; Confluent's and Apache's expect KAFKA_ and read
        KAFKA_CFG_NUM_PARTITIONS as cfg.num.partitions. The default stays in force.
    Fix: spell the variable as the image expects it, or use the operator's own field for a setting that it drops.
    Care: the setting changes a cluster that has run with the default so far, and takes effect at the next start: check
        first what it changes.
    Bad (compose):
        services:
          kafka:
            image: bitnamilegacy/kafka:3.8
            environment:
              KAFKA_CFG_NODE_ID: 1
              KAFKA_MIN_INSYNC_REPLICAS: 2
    Good (compose):
        services:
          kafka:
            image: bitnamilegacy/kafka:3.8
            environment:
              KAFKA_CFG_NODE_ID: 1
              KAFKA_CFG_MIN_INSYNC_REPLICAS: 2
    See: https://hub.docker.com/r/apache/kafka, https://github.com/bitnami/containers/tree/main/bitnami/kafka
    """
    applies(key != SPELLED, "the image and the operator read all of them")
    if key.startswith(DROPPED):
        yield Problem(key, "the operator drops the setting, because it writes its own", "the operator's own field")
    else:
        taken = key.removeprefix(SPELLED)
        yield Problem(key, f"this image ignores it, and reads {taken} instead", taken)


@rule("KA1720", "low", dev="info")
def image_unpinned(deployment: Subject) -> Problems:
    """The image has no fixed release, so the next pull may bring another one.

    Why: `latest` changes under a running cluster: a recreated broker is suddenly a release ahead of the others,
        possibly one without ZooKeeper mode, or behind them when a node has an old copy of the image.
    Fix: set the image to a release, such as apache/kafka:4.3.0.
    Bad (deployment):
        image=apache/kafka:latest
    Good (deployment):
        image=apache/kafka:4.3.0
    See: https://kubernetes.io/docs/concepts/containers/images/
    """
    applies(deployment.is_set("image"), "no image")
    _, tag = image(deployment)
    if tag in ("", "latest") and "@" not in deployment.str("image"):
        yield Problem("image", "the next pull may bring another release", "a release")
