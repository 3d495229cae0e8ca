"""What Kafka is run with: images, volumes, the number of brokers, and what containers, operators and services add."""

from __future__ import annotations

from advisor.catalog.keys import SPELLED
from advisor.facts import image, is_whole_number
from advisor.rule import PLACEHOLDER, Problem, Problems, Subject, Unknown, applies, rule
from rules import count
from rules.internal_topics import TOPICS

EPHEMERAL = "ephemeral"
OFFSETS = "offsets.topic.replication.factor"
SHARE = "share.coordinator.state.topic.replication.factor"
"""The factor of a topic that few applications need."""
ENOUGH = 3
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
INTERNAL = (
    OFFSETS,
    "transaction.state.log.replication.factor",
    "share.coordinator.state.topic.replication.factor",
)
LITTLE = 5.0
"""GiB of a broker's volume below which it is a toy's."""
OLD_APIS = (
    "extensions/v1beta1",
    "apps/v1beta1",
    "apps/v1beta2",
    "policy/v1beta1",
    "batch/v1beta1",
    "networking.k8s.io/v1beta1",
)
STRIMZI = "kafka.strimzi.io/"
ENCRYPTED = ("SSL", "SASL_SSL")
ZONE_KEYS = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
IDENTITY = "IdentityReplicationPolicy"
SMALL_INSTANCES = ("kafka.t3.small",)


def keys_with(deployment: Subject, prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """The facts under some prefixes; the first prefix itself where there is none, about which there is nothing to say."""
    return tuple(key for key in deployment.keys() if key.startswith(prefixes)) or prefixes[:1]


@rule("KA1701", "high", dev="info", staging="medium", aim="by hand: address")
def ephemeral_storage(deployment: Subject) -> Problems:
    """A broker's log segments are in its container, or in a volume without a name, and the next container starts without them.

    Why: a container that is recreated, by an upgrade, a moved pod or `docker compose down`, starts with an empty disk.
        The broker can fetch its records from other replicas; if all containers are recreated, everything is lost,
        topics and committed offsets included. Where the image declares a VOLUME for the folder, Docker makes an anonymous one:
        `docker compose down` leaves it behind, and the next `up` makes another, which is empty.
    Fix: put log.dirs (and metadata.log.dir) on a named volume or a persistent volume claim.
    Care: a volume mounted over a broker's present folder hides its data, and the broker starts empty. Change one broker
        at a time, and go on only when all its replicas are back in the ISR.
    Bad (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            environment:
              KAFKA_LOG_DIRS: /var/lib/kafka/data
    Good (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            environment:
              KAFKA_LOG_DIRS: /var/lib/kafka/data
            volumes:
              - data:/var/lib/kafka/data
    See: https://docs.docker.com/engine/storage/volumes/, https://strimzi.io/docs/operators/latest/deploying#considerations-for-data-storage-str
    """
    applies(deployment.str("runs") not in ("connect", "zookeeper"), "the container holds no records")
    if deployment.str("storage") == EPHEMERAL:
        folder, volume = deployment.str("storage.folder"), deployment.str("mount.folder")
        where = (
            f"the log segments are in {folder}, and the volume is at {volume}: they" if volume else "the log segments"
        )
        words = f"{where} are deleted with the container"
        if host := deployment.str("host.folder"):
            words = f"the log segments are in {host} of the host, which is emptied when it starts"
        elif deployment.str("image.volume"):
            words = (
                "the log segments are in an anonymous volume: after `docker compose down` the next `up` starts empty"
            )
        yield Problem("storage", words, "a persistent volume")


@rule("KA1702", "high", dev="info", staging="medium", aim="by hand: hardware")
def few_brokers(deployment: Subject) -> Problems:
    """The cluster has too few brokers to survive the failure of one.

    Why: three replicas need three brokers. With one every failure is an outage and a lost disk loses the records; with
        two either min.insync.replicas is 2 and no broker may stop, or it is 1 and one replica alone acknowledges.
    Fix: run at least three brokers, then raise the replication factor of existing topics.
    Care: new brokers hold no replicas until you reassign partitions to them (kafka-reassign-partitions.sh with
        --throttle), and existing topics, the internal ones included, keep their replication factor.
    Bad (deployment):
        brokers=1
    Good (deployment):
        brokers=3
    See: https://kafka.apache.org/documentation/#replication
    """
    applies(deployment.is_set("brokers"), "the number of brokers is not given")
    brokers = deployment.int("brokers")
    applies(brokers > 0, "it runs no broker")
    if brokers < ENOUGH:
        yield Problem(
            "brokers",
            f"{count(brokers, 'broker')} cannot hold 3 replicas",
            f">= {ENOUGH}",
            step=-1 if brokers > 1 else 0,
        )


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


@rule("KA1706", "medium", dev="medium", each=INTERNAL)
def internal_rf_above_brokers(broker: Subject, key: str) -> Problems:
    """An internal topic needs more replicas than there are brokers, so it is never created.

    Why: without __consumer_offsets no group gets a coordinator, without __transaction_state no transaction begins, and
        without __share_group_state no share group reads; clients wait and log COORDINATOR_NOT_AVAILABLE.
    Fix: run as many brokers as the replication factor requires; on a single development node set the factor, and the
        min.isr key beside it, to 1.
    Care: a topic created with one replica keeps only that one until it is reassigned: on a cluster that will grow, set
        the factor that it needs in the end.
    Bad (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            environment:
              KAFKA_PROCESS_ROLES: broker,controller
              KAFKA_NODE_ID: 1
              KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093
              KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: 3
    Good (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            environment:
              KAFKA_PROCESS_ROLES: broker,controller
              KAFKA_NODE_ID: 1
              KAFKA_CONTROLLER_QUORUM_VOTERS: 1@kafka:9093
              KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 1
              KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: 1
              KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR: 1
    See: https://kafka.apache.org/documentation/#brokerconfigs_offsets.topic.replication.factor
    """
    applies(not broker.running(), "the topics say it themselves")
    brokers = broker.live("brokers")
    applies(brokers > 0, "how many brokers there are is not in the files")
    replicas = broker.int(key)
    applies(broker.live("former brokers") < replicas, "it was created with the brokers that there were")
    if brokers < replicas:
        yield Problem(
            key,
            f"{TOPICS[key]} is never created: {replicas} replicas need {replicas} brokers, not {brokers}",
            f"<= {brokers}",
            step=(key == OFFSETS) - (key == SHARE),
        )


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


@rule("KA1708", "medium", dev="info", staging="low", regulated="high")
def zk_exposed(deployment: Subject) -> Problems:
    """ZooKeeper's client port is reachable from outside.

    Why: any client that reaches ZooKeeper without authentication can change the cluster's metadata, ACLs included, past
        every authorizer of Kafka.
    Fix: do not publish ZooKeeper's port, or only on 127.0.0.1; brokers reach it on the internal network.
    Bad (compose):
        services:
          zookeeper:
            image: zookeeper:3.9
            environment:
              ZOO_TICK_TIME: 2000
            ports: ["2181:2181"]
    Good (compose):
        services:
          zookeeper:
            image: zookeeper:3.9
            environment:
              ZOO_TICK_TIME: 2000
            ports: ["127.0.0.1:2181:2181"]
    See: https://kafka.apache.org/documentation/#zk_authz
    """
    applies(deployment.str("runs") == "zookeeper", "not a ZooKeeper server")
    if deployment.is_set("public.access"):
        yield Problem(
            "public.access", "any client that reaches the port can change the cluster's metadata", "no published port"
        )


@rule("KA1709", "medium", dev="low", regulated="high", aim="by hand: credentials")
def jmx_no_auth(deployment: Subject) -> Problems:
    """Remote JMX requires no password.

    Why: JMX is not read-only: any client that reaches the port can change log levels, invoke operations and, through
        remote class loading, run code as the broker. Where JMX_PORT (KAFKA_JMX_PORT in Confluent's and Apache's images) is set
        and KAFKA_JMX_OPTS is not, the start script itself sets authenticate=false and ssl=false.
    Fix: set com.sun.management.jmxremote.authenticate=true with a password file and TLS, or remove the remote port and
        read the metrics with the Prometheus JMX exporter as an agent.
    Bad (deployment):
        jmx.options=-Dcom.sun.management.jmxremote.port=9101 -Dcom.sun.management.jmxremote.authenticate=false
    Good (deployment):
        jmx.options=-Dcom.sun.management.jmxremote.port=9101 -Dcom.sun.management.jmxremote.authenticate=true
    See: https://docs.oracle.com/en/java/javase/17/management/monitoring-and-management-using-jmx-technology.html
    """
    applies(
        deployment.is_set("jmx.options") or deployment.is_set("jmx.port"), "no options of JMX, and no published port"
    )
    required = "jmxremote.authenticate=true, or no port"
    if "jmxremote.authenticate=false" in deployment.str("jmx.options"):
        yield Problem("jmx.options", "any client that reaches the port can run code as the broker", required)
    elif deployment.is_set("jmx.port") and deployment.int("jmx.port"):
        words = "without KAFKA_JMX_OPTS the published port asks for no password: any client can run code as the broker"
        yield Problem("jmx.port", words, required)


@rule("KA1735", "high", dev="medium", aim="by hand: address")
def published_loopback(deployment: Subject) -> Problems:
    """A listener is bound to the loopback interface of its container, so nothing answers at the port that is published for it.

    Why: localhost in listeners is the container's own. Docker forwards a published port to the container's address on its
        network, at which the broker does not listen: connections from the host and from other containers are refused.
    Fix: leave the listener's host empty in listeners, or set it to 0.0.0.0; localhost belongs into advertised.listeners, and only
        for clients on the Docker host.
    Bad (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            ports: ["9092:9092"]
            environment:
              KAFKA_LISTENERS: PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093
              KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
    Good (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            ports: ["9092:9092"]
            environment:
              KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://localhost:9093
              KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
    See: https://docs.docker.com/engine/network/#published-ports, https://kafka.apache.org/documentation/#brokerconfigs_listeners
    """
    applies(deployment.is_set("published.loopback"), "no published port leads to a listener on the loopback interface")
    listener = deployment.str("published.loopback")
    words = f"nothing answers at the published port: {listener} is the container's own localhost"
    yield Problem("published.loopback", words, "a listener on all interfaces")


UNREACHABLE = "unreachable."
"""What the fact begins with about a variable with addresses of brokers: why its client cannot work with them, and the variable, follow."""
WHY_UNREACHABLE = {
    "no-listener": "the broker of this file has no listener at this port: the connection is refused",
    "own-localhost": "localhost is the client's own container, in which no broker runs",
    "bound-to-loopback": "the broker listens there on the localhost of its own container: the connection is refused",
    "controllers": "this is the controllers' listener, which serves no clients",
    "sent-to-itself": "the broker advertises localhost for this listener, which is the client's own container",
}


def unreachable_addresses(deployment: Subject) -> tuple[str, ...]:
    """The variables with addresses at which no broker can be worked with."""
    return keys_with(deployment, (UNREACHABLE,))


@rule("KA1737", "high", dev="medium", each=unreachable_addresses, aim="by hand: address")
def bootstrap_unreachable(deployment: Subject, key: str) -> Problems:
    """A client in a container has a broker's address at which it cannot work with the broker of the same file.

    Why: each container has a localhost of its own, and a broker answers at the ports of its listeners alone. Whoever connects is
        told the address that advertised.listeners has for that listener, and goes on there: localhost leads the client back
        to itself.
    Fix: use the service's name with the port of a listener that is advertised under that name; keep a listener that is advertised
        as localhost for clients on the Docker host.
    Bad (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            environment:
              KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093
              KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://localhost:9092
              KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
          shop:
            image: shop:1.0
            environment:
              SPRING_KAFKA_BOOTSTRAP_SERVERS: kafka:9092
    Good (compose):
        services:
          kafka:
            image: apache/kafka:4.3.0
            environment:
              KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093
              KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092
              KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
          shop:
            image: shop:1.0
            environment:
              SPRING_KAFKA_BOOTSTRAP_SERVERS: kafka:9092
    See: https://kafka.apache.org/documentation/#brokerconfigs_advertised.listeners, https://docs.docker.com/compose/how-tos/networking/
    """
    applies(key != UNREACHABLE, "its addresses lead to a broker, or are of another file")
    why = key.split(".")[1]
    yield Problem(key, WHY_UNREACHABLE[why], "the broker's service with its port", likely=why == "own-localhost")


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


DROPPED, UNBOUND, ACL = "dropped.", "unbound.", "acl."
"""What the facts begin with about a setting that an operator drops, a property that a framework does not bind (where it would work follows), and an access rule."""


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


def unbound_properties(deployment: Subject) -> tuple[str, ...]:
    """The properties that a framework does not bind to any setting."""
    return keys_with(deployment, (UNBOUND,))


def access_rules(deployment: Subject) -> tuple[str, ...]:
    """The access rules of a user."""
    return keys_with(deployment, (ACL,))


@rule("KA1730", "medium", each=unbound_properties, fix="unsafe: rename")
def unknown_key(deployment: Subject, key: str) -> Problems:
    """The framework has no such property: it is silently dropped, and the default stays in force.

    Why: Spring Boot binds a fixed list of fields to the settings of its clients. linger-ms beside acks looks right but
        has no effect; a misspelled bootstrap-servers sends the client to localhost:9092.
    Fix: set a key that has no field of its own under properties, with Kafka's name.
    Bad (spring):
        spring:
          kafka:
            producer:
              linger-ms: 10
    Good (spring):
        spring:
          kafka:
            producer:
              properties:
                linger.ms: 10
    See: https://docs.spring.io/spring-boot/appendix/application-properties/index.html
    """
    applies(key != UNBOUND, "all properties are bound")
    where = key.removeprefix(UNBOUND)
    address = where == "bootstrap-servers"
    says = "the client connects to localhost:9092" if address else "the framework ignores it"
    fix = f"rename {where}" if where.startswith("properties.") else ""
    yield Problem(key, f"{says}, since the property is {where}", where, step=1 if address else 0, fix=fix)


SKIPS = "skips."
"""What the fact begins with that says what an application does after a record that it failed to process."""


def skipping_channels(deployment: Subject) -> tuple[str, ...]:
    """What the channels of an application do after a record which they failed to process."""
    return keys_with(deployment, (SKIPS,))


@rule("KA1738", "medium", dev="low", regulated="high", each=skipping_channels, aim="by hand: application")
def failed_records_skipped(deployment: Subject, key: str) -> Problems:
    """A channel goes on after a record that it failed to process, and commits its offset.

    Why: with failure-strategy=ignore SmallRye logs an exception of the application and takes the next record. The offset of the one
        that failed is committed with those behind it: it is never read again, and nothing but the log tells which one it was.
    Fix: set failure-strategy=dead-letter-queue, which keeps the record in a topic, or delayed-retry-topic; `fail` (the default)
        stops the channel.
    Bad (quarkus):
        mp.messaging.incoming.orders:
          connector: smallrye-kafka
          failure-strategy: ignore
    Good (quarkus):
        mp.messaging.incoming.orders:
          connector: smallrye-kafka
          failure-strategy: dead-letter-queue
    See: https://smallrye.io/smallrye-reactive-messaging/latest/kafka/receiving-kafka-records/
    """
    applies(key != SKIPS, "no channel says what it does")
    if deployment.shape(key) == PLACEHOLDER:
        raise Unknown(f"failure-strategy is filled in later: {deployment.text(key)}")
    if deployment.text(key).strip().lower() == "ignore":
        yield Problem(key, "a record that fails is logged and never read again", "dead-letter-queue")


@rule("KA1712", "high", dev="info", staging="medium", regulated="critical", aim="by hand: credentials")
def plaintext_public(deployment: Subject) -> Problems:
    """Brokers are reachable from outside the cluster without TLS.

    Why: a load balancer, a node port or a route carries records, and with SASL also passwords, in clear text over
        shared networks; without authentication any client that reaches the listener can read and write.
    Fix: enable TLS and authentication on the listener before it is reachable from outside.
    Care: clients that use this listener without TLS are cut off when it changes: add a second listener, move the
        clients, then remove the first.
    Bad (deployment):
        public.access=nodeport
        public.protocol=PLAINTEXT
    Good (deployment):
        public.access=nodeport
        public.protocol=SASL_SSL
    See: https://strimzi.io/docs/operators/latest/deploying#assembly-securing-access-str
    """
    runs = deployment.str("runs")
    applies(runs != "zookeeper", "ZooKeeper uses another protocol")
    applies(deployment.is_set("public.access"), "nothing is reachable from outside")
    access, protocol = deployment.str("public.access"), deployment.str("public.protocol")
    if protocol not in ENCRYPTED:
        nodes = "controllers" if runs == "controller" else "brokers"
        yield Problem(
            "public.access",
            f"outside clients reach the {nodes} through {access} without TLS{'' if 'SASL' in protocol else ' or authentication'}",
            "TLS",
        )


@rule("KA1728", "medium", dev="info", regulated="critical")
def no_authentication(deployment: Subject) -> Problems:
    """The service asks clients neither for a login nor for a certificate.

    Why: any client that reaches the brokers can read and write all topics, and ACLs cannot tell clients apart.
    Fix: enable IAM, SASL/SCRAM or mutual TLS in client_authentication, and set unauthenticated = false there.
    Care: clients without a login are cut off when unauthenticated access ends: enable authentication beside it, move
        the clients, then disable it.
    Bad (deployment):
        client.authentication=none
    Good (deployment):
        client.authentication=iam
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-authentication.html
    """
    if deployment.str("client.authentication") == "none":
        yield Problem(
            "client.authentication",
            "any client that reaches the brokers can read and write all topics",
            "iam, scram or tls",
        )


@rule("KA1729", "medium", dev="info", regulated="critical")
def plaintext_listener(deployment: Subject) -> Problems:
    """Clients may connect without TLS.

    Why: anyone on the network path can read and change records and logins.
    Fix: let clients in by TLS alone: client_broker = "TLS" on Amazon MSK, protocol SSL or SASL_SSL of the client listener
        in a chart.
    Care: clients that do not use TLS yet are cut off: move them to the TLS addresses first.
    Bad (deployment):
        client.protocol=TLS_PLAINTEXT
    Good (deployment):
        client.protocol=TLS
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-encryption.html
    """
    protocol = deployment.str("client.protocol")
    if "PLAINTEXT" in protocol:
        yield Problem("client.protocol", "clients may connect without TLS", "TLS")


@rule("KA1753", "medium", dev="info", staging="low", regulated="critical", aim="by hand: choice")
def plaintext_replication(deployment: Subject) -> Problems:
    """The brokers of a managed service replicate over unencrypted connections.

    Why: every record crosses the network between the brokers once per follower. On Amazon MSK in_cluster = false leaves that
        traffic in plain text; it is encrypted unless that is said.
    Fix: remove in_cluster = false from encryption_in_transit (default true).
    Care: MSK does not change it on an existing cluster: Terraform deletes the cluster and creates it anew, without its
        records. Create a second cluster, and move the topics and their clients there.
    Bad (deployment):
        runs=broker
        replication.encrypted=false
    Good (deployment):
        runs=broker
        replication.encrypted=true
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-encryption.html
    """
    applies(deployment.is_set("replication.encrypted"), "left at the service's default")
    if not deployment.bool("replication.encrypted"):
        yield Problem("replication.encrypted", "brokers replicate in plain text", "true")


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


@rule("KA1715", "medium", dev="info")
def rack_in_one(deployment: Subject) -> Problems:
    """The placement strategy puts all replicas of a partition in one rack.

    Why: the strategy keeps traffic in one zone, and that zone's failure takes down every replica of the partition.
    Fix: set the placement strategy to cross-rack (topicctl), or leave the placement to the brokers' racks.
    Care: a change of strategy copies replicas over the clients' network: apply it with a throttle, outside peak hours.
    Bad (deployment):
        placement=in-rack
    Good (deployment):
        placement=cross-rack
    See: https://github.com/segmentio/topicctl#topic-placement-strategies
    """
    if deployment.str("placement") == "in-rack":
        yield Problem("placement", "one rack's failure takes down all replicas of a partition", "cross-rack")


@rule("KA1716", "high", dev="info", each=access_rules, aim="by hand: credentials")
def acl_wildcard(deployment: Subject, key: str) -> Problems:
    """A user may do anything to every resource of a kind.

    Why: one leaked password or careless client can read, overwrite or delete all topics, or reconfigure the cluster.
    Fix: name the topics and groups that the user needs, or a prefix that the application owns.
    Care: access to resources that are no longer named is denied at once: find out first what the user needs (the
        authorizer's log at DEBUG shows it).
    Bad (deployment):
        acl.0=All on topic *
    Good (deployment):
        acl.0=Read, Write on topic orders
    See: https://kafka.apache.org/documentation/#security_authz
    """
    applies(key != ACL, "no access rules")
    acl = deployment.text(key)
    operations, _, resource = acl.partition(" on ")
    if "All" in operations.split(", ") and resource.endswith(" *"):
        yield Problem(key, f"one user has {acl}", "the topics it needs")


@rule("KA1717", "high", dev="info", aim="by hand: hardware")
def topic_rf_low(deployment: Subject) -> Problems:
    """A topic that the image creates has too few replicas.

    Why: one replica is lost with its disk; with two, each restart of a broker leaves a single one.
    Fix: write the topic as name:partitions:3, on three brokers.
    Care: an existing topic keeps its replicas, whatever the variable says: reassign its partitions, with --throttle.
    Bad (deployment):
        topics.created=orders:2:1
    Good (deployment):
        topics.created=orders:6:3
    See: https://kafka.apache.org/documentation/#replication
    """
    applies(deployment.is_set("topics.created"), "the image creates none")
    parts = [entry.strip().split(":") for entry in deployment.str("topics.created").split(",")]
    factors = [int(part[2]) for part in parts if len(part) > 2 and is_whole_number(part[2])]
    if factors and min(factors) < ENOUGH:
        yield Problem(
            "topics.created",
            f"a topic gets {count(min(factors), 'replica')} instead of 3",
            "3",
            step=0 if min(factors) == 1 else -1,
        )


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


@rule("KA1722", "low", dev="info")
def tiny_storage(deployment: Subject) -> Problems:
    """A broker's volume is so small that it fills.

    Why: a broker whose disk is full stops, and brokers with the same records stop together.
    Fix: set the volume's size to retention times throughput times replicas, with a third in reserve.
    Bad (deployment):
        storage.size=1Gi
    Good (deployment):
        storage.size=100Gi
    See: https://strimzi.io/docs/operators/latest/deploying#considerations-for-data-storage-str
    """
    applies(deployment.is_set("storage.size"), "its size is not given")
    size = deployment.str("storage.size").strip()
    from rules.quantities import gib_of

    gib = gib_of(size)
    if gib is not None and gib < LITTLE:
        yield Problem("storage.size", f"a few segments fill {size}", f">= {LITTLE:.0f}Gi")


@rule("KA1723", "low", dev="info")
def k8s_api_removed(deployment: Subject) -> Problems:
    """Kubernetes has removed the API version.

    Why: the cluster refuses the manifest: running pods go on, but the next apply, or a new cluster, fails.
    Fix: set apiVersion to a current one, such as apps/v1 for Deployments and StatefulSets, which requires a selector.
    Bad (deployment):
        api.version=extensions/v1beta1
    Good (deployment):
        api.version=apps/v1
    See: https://kubernetes.io/docs/reference/using-api/deprecation-guide/
    """
    version = deployment.str("api.version")
    if version in OLD_APIS:
        yield Problem("api.version", f"Kubernetes no longer has {version} and refuses the manifest", "apps/v1")


@rule("KA1724", "low", dev="info")
def soft_anti_affinity(deployment: Subject) -> Problems:
    """Brokers may share a node when the others are full.

    Why: a preferred anti-affinity is not binding: two replicas of a partition may be on one node, and fail with it.
    Fix: set the anti-affinity to requiredDuringSchedulingIgnoredDuringExecution with topologyKey
        kubernetes.io/hostname.
    Care: pods without a node of their own stay pending: have as many nodes as brokers, and one more for drains.
    Bad (deployment):
        anti.affinity=preferred
    Good (deployment):
        anti.affinity=required
    See: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity
    """
    if deployment.str("anti.affinity") == "preferred":
        yield Problem("anti.affinity", "brokers may share a node, and fail with it", "required")


@rule("KA1725", "low")
def tf_revision_hardcoded(deployment: Subject) -> Problems:
    """The cluster is pinned to one revision of its configuration, so later changes are never applied.

    Why: each change of aws_msk_configuration creates a new revision; a fixed number keeps the cluster on the old one
        while the plan looks clean.
    Fix: set revision = aws_msk_configuration.<name>.latest_revision.
    Care: the next apply restarts all brokers with the latest revision: check first what has changed since.
    Bad (deployment):
        revision=1
    Good (deployment):
        brokers=3
    See: https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/msk_configuration
    """
    applies(deployment.is_set("revision"), "it follows the configuration")
    if is_whole_number(deployment.str("revision")):
        yield Problem("revision", "later revisions of the configuration are never applied", "latest_revision")


@rule("KA1726", "low")
def version_mismatch(deployment: Subject) -> Problems:
    """The configuration is written for another release of Kafka than the cluster runs.

    Why: a configuration of Amazon MSK is checked against the releases that it names; keys of another release are
        refused or have no effect.
    Fix: set kafka_versions to the cluster's release.
    Bad (deployment):
        configuration.versions=2.6.1 2.8.0
    Good (deployment):
        configuration.versions=2.6.1, 2.8.0 2.8.0
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-configuration-operations.html
    """
    applies(deployment.is_set("configuration.versions"), "nothing says which ones")
    versions, _, cluster = deployment.str("configuration.versions").rpartition(" ")
    if cluster not in versions.split(", "):
        yield Problem(
            "configuration.versions", f"the configuration is for {versions}, but the cluster runs {cluster}", cluster
        )


@rule("KA1727", "low", dev="info")
def instance_small(deployment: Subject) -> Problems:
    """The brokers' instances are too small for production.

    Why: burstable instances run out of CPU credits under load, and then the broker lags and leaves the ISR.
    Fix: set the instance type to kafka.m7g.large or larger.
    Care: a new instance type restarts the brokers one by one: check first that no partition is at its
        min.insync.replicas.
    Bad (deployment):
        instance.type=kafka.t3.small
    Good (deployment):
        instance.type=kafka.m7g.large
    See: https://docs.aws.amazon.com/msk/latest/developerguide/bestpractices.html
    """
    if deployment.str("instance.type") in SMALL_INSTANCES:
        yield Problem("instance.type", "a burstable instance runs out of CPU credits under load", "kafka.m7g.large")


@rule("KA1732", "high", dev="low", regulated="critical", aim="by hand: hardware")
def registry_topic_rf_low(deployment: Subject) -> Problems:
    """The topic that keeps the schemas of a schema registry is created with too few replicas.

    Why: every record that was written with a schema holds its id, and what the id means stands in this topic alone. With one replica it is
        lost with its disk: the records are there and cannot be read any more.
    Fix: set kafkastore.topic.replication.factor=3, and reassign the topic if it is there already.
    Care: the registry ends at the start where there are fewer brokers than replicas.
    Bad (registry):
        kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
        kafkastore.topic.replication.factor=1
    Good (registry):
        kafkastore.bootstrap.servers=PLAINTEXT://b1:9092
        kafkastore.topic.replication.factor=3
    See: https://docs.confluent.io/platform/current/schema-registry/installation/config.html
    """
    applies(deployment.str("runs") == "schema-registry", "no schema registry")
    replicas = deployment.int("registry.replication.factor")
    if replicas < ENOUGH:
        words = f"the schemas are kept in {count(replicas, 'replica')}: without them no record can be read"
        yield Problem("registry.replication.factor", words, "3", step=0 if replicas == 1 else -1)


SHARED_ID = "hosts.of.id."
"""What the fact begins with about an id that several nodes have."""


def shared_ids(deployment: Subject) -> tuple[str, ...]:
    """The ids that several nodes have."""
    return keys_with(deployment, (SHARED_ID,))


@rule("KA1739", "high", dev="medium", each=shared_ids, aim="by hand: address")
def hosts_share_id(deployment: Subject, key: str) -> Problems:
    """One id of a node is given to several hosts, or to all replicas of a container.

    Why: the second broker with an id is refused when it registers (DuplicateBrokerRegistrationException), and ends.
    Fix: give every host of kafka_broker a broker_id of its own, and every pod or container a node.id: from the number at the end of
        the pod's name, or as a service of its own.
    Care: a broker that holds records keeps its id, which stands in its meta.properties, too: change that of the other one.
    Bad (deployment):
        hosts.of.id.2=b2, b3
    Good (deployment):
        runs=broker
    See: https://docs.confluent.io/ansible/current/ansible-configure.html
    """
    applies(key != SHARED_ID, "every node has an id of its own, or none is said")
    yield Problem(
        key,
        f"the id {key.removeprefix(SHARED_ID)} is that of several nodes: {deployment.text(key)}",
        "one id for each",
    )


@rule("KA1754", "high", dev="medium", aim="by hand: address")
def replicas_share_address(deployment: Subject) -> Problems:
    """All replicas of a broker's workload advertise the same address.

    Why: clients and brokers connect to a partition's leader by the address that it advertises. Behind the one name of a
        Service they reach any of the brokers, which answers NOT_LEADER_OR_FOLLOWER; followers, too, fetch from the wrong
        broker, or from themselves.
    Fix: advertise the name of each pod, as kafka-0.kafka:9092: set advertised.listeners from the pod's name, with a
        headless Service.
    Care: clients find the brokers by the new addresses only where they resolve them: outside of Kubernetes each broker
        needs an address of its own there.
    Bad (deployment):
        runs=broker
        shared.address=3 replicas: PLAINTEXT://kafka:9092
    Good (deployment):
        runs=broker
    See: https://kafka.apache.org/documentation/#brokerconfigs_advertised.listeners
    """
    applies(deployment.is_set("shared.address"), "every broker has an address of its own, or none is said")
    replicas, _, address = deployment.str("shared.address").partition(": ")
    words = f"all {replicas} advertise {address}: whoever looks for one broker reaches any of them"
    yield Problem("shared.address", words, "one address for each")


ZOOKEEPER_OPTION = "zookeeper.option."
"""What the fact begins with about a tool that is called with --zookeeper."""


def tools_with_zookeeper(deployment: Subject) -> tuple[str, ...]:
    """The tools that are called with --zookeeper."""
    return keys_with(deployment, (ZOOKEEPER_OPTION,))


@rule("KA1755", "medium", each=tools_with_zookeeper, aim="by hand: variables")
def zookeeper_option(deployment: Subject, key: str) -> Problems:
    """A script calls one of Kafka's tools with --zookeeper, an option that Kafka 3.0 removed.

    Why: from 3.0 on kafka-topics.sh and kafka-reassign-partitions.sh take --bootstrap-server alone; with --zookeeper they
        end with "zookeeper is not a recognized option", and change nothing.
    Fix: call the tool with --bootstrap-server and the addresses of brokers, which it takes from 2.2 on
        (kafka-reassign-partitions.sh from 2.6 on).
    Bad (deployment, 3.0):
        zookeeper.option.kafka-topics=zk1:2181
    Good (deployment, 2.8):
        zookeeper.option.kafka-topics=zk1:2181
    See: KAFKA-12588, KAFKA-12590, the upgrade notes of 3.0
    """
    applies(key != ZOOKEEPER_OPTION, "no tool is called with it")
    tool = key.removeprefix(ZOOKEEPER_OPTION)
    if deployment.at_least((3, 0)):
        is_assumed = not deployment.version_given()
        words = f"{tool} has no such option since Kafka 3.0: the call fails"
        words = f"from Kafka 3.0 on {tool} has no such option (release assumed)" if is_assumed else words
        yield Problem(key, words, "--bootstrap-server", likely=is_assumed)
