"""What containers do that no setting of Kafka's says: where they keep data, what they share, may use, and are reached by."""

from __future__ import annotations

from advisor.rule import Problem, Problems, Subject, applies, rule
from rules import count
from rules.deployment import keys_with
from rules.quantities import gib_of

FAMILY = "deployment"
EPHEMERAL = "ephemeral"
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


@rule("KA1740", "critical", dev="high", aim="by hand: volume")
def data_volume_shared(deployment: Subject) -> Problems:
    """Several nodes have their log segments in one folder of one volume.

    Why: a node locks its folder (`.lock`), and reads in meta.properties which node it belongs to. The others do not get the
        lock, or find the id of another node there, and end.
    Fix: give every node a volume of its own.
    Care: the records in the volume are those of one node: keep it for that one.
    Bad (compose):
        services:
          k1:
            image: apache/kafka:4.3.0
            environment: {KAFKA_LOG_DIRS: /data, KAFKA_NODE_ID: 1}
            volumes: ["kafka:/data"]
          k2:
            image: apache/kafka:4.3.0
            environment: {KAFKA_LOG_DIRS: /data, KAFKA_NODE_ID: 2}
            volumes: ["kafka:/data"]
    Good (compose):
        services:
          k1:
            image: apache/kafka:4.3.0
            environment: {KAFKA_LOG_DIRS: /data, KAFKA_NODE_ID: 1}
            volumes: ["kafka1:/data"]
          k2:
            image: apache/kafka:4.3.0
            environment: {KAFKA_LOG_DIRS: /data, KAFKA_NODE_ID: 2}
            volumes: ["kafka2:/data"]
    See: kafka.log.LogManager, https://kafka.apache.org/documentation/#brokerconfigs_log.dirs
    """
    applies(deployment.is_set("folder.shared"), "no other node has its folder, as far as it is known")
    yield Problem(
        "folder.shared", f"{deployment.str('folder.shared')} and this node have one folder", "a volume for each node"
    )


@rule("KA1741", "high", aim="by hand: address")
def host_port_twice(deployment: Subject) -> Problems:
    """Two services of one Compose file publish the same port of the host.

    Why: Docker binds a port of the host once. The second container does not start: "port is already allocated".
    Fix: publish another port of the host, and advertise it to the clients outside.
    Bad (compose):
        services:
          k1:
            image: apache/kafka:4.3.0
            ports: ["9092:9092"]
          k2:
            image: apache/kafka:4.3.0
            ports: ["9092:9092"]
    Good (compose):
        services:
          k1:
            image: apache/kafka:4.3.0
            ports: ["9092:9092"]
          k2:
            image: apache/kafka:4.3.0
            ports: ["9093:9092"]
    See: https://docs.docker.com/reference/compose-file/services/#ports
    """
    applies(deployment.is_set("published.twice"), "no other service publishes its ports, as far as they are known")
    port, _, other = deployment.str("published.twice").partition(" ")
    yield Problem(
        "published.twice", f"{other} publishes port {port} of the host, too: one of them does not start", "another port"
    )


@rule("KA1742", "high", dev="medium", aim="by hand: volume")
def zookeeper_without_volume(deployment: Subject) -> Problems:
    """Brokers keep their log segments in a volume, and ZooKeeper does not keep its data.

    Why: after `docker compose down` the next `up` starts an empty ZooKeeper, which gives the cluster a new id. The brokers find the old one in
        their meta.properties and end (InconsistentClusterIdException, from 2.4 on); topics, ACLs and settings are gone with ZooKeeper.
    Fix: give ZooKeeper volumes for its data and its log (/var/lib/zookeeper/data and /var/lib/zookeeper/log in cp-zookeeper, /data and
        /datalog in zookeeper, /bitnami/zookeeper in bitnami/zookeeper).
    Care: a new volume is empty, too: copy the data of the running server into it before the container is made anew.
    Bad (compose):
        services:
          zookeeper:
            image: zookeeper:3.9
          kafka:
            image: confluentinc/cp-kafka:7.9.1
            environment:
              KAFKA_ZOOKEEPER_CONNECT: zookeeper:2181
              KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092
            volumes: ["kafka:/var/lib/kafka/data"]
    Good (compose):
        services:
          zookeeper:
            image: zookeeper:3.9
            volumes: ["data:/data", "log:/datalog"]
          kafka:
            image: confluentinc/cp-kafka:7.9.1
            environment:
              KAFKA_ZOOKEEPER_CONNECT: zookeeper:2181
              KAFKA_ADVERTISED_LISTENERS: PLAINTEXT://kafka:9092
            volumes: ["kafka:/var/lib/kafka/data"]
    See: https://hub.docker.com/_/zookeeper, https://docs.confluent.io/platform/7.9/installation/docker/config-reference.html
    """
    applies(deployment.is_set("zookeeper.storage"), "ZooKeeper keeps its data, or is not in the file")
    words = f"{deployment.str('zookeeper.storage')} has no volume: made anew, it gives the cluster another id, and the brokers end"
    yield Problem("zookeeper.storage", words, "a volume for ZooKeeper")


@rule("KA1745", "high", dev="low", staging="medium", aim="by hand: hardware")
def heap_above_limit(deployment: Subject) -> Problems:
    """The heap may become as large as the memory of the container.

    Why: Java needs memory beside the heap (threads, buffers, classes), and the page cache counts, too. As soon as the heap grows to
        the limit the kernel kills the container (OOMKilled), and again after each restart: the broker's shutdown is never a clean one.
    Fix: set -Xmx to half of the limit or less, 4 to 6 GiB for most brokers, or raise the limit.
    Bad (deployment):
        heap=2g
        memory.limit=1Gi
    Good (deployment):
        heap=2g
        memory.limit=8Gi
    See: https://kafka.apache.org/documentation/#java, https://strimzi.io/docs/operators/latest/configuring#con-common-configuration-jvm-reference
    """
    heap = deployment.str("heap")
    applies(heap and deployment.is_set("memory.limit"), "the heap or the limit is not given")
    limit = deployment.str("memory.limit")
    unit = heap[-1:].upper()
    largest = gib_of(heap if unit.isdigit() else f"{heap[:-1]}{unit}i")
    allowed = gib_of(limit)
    if largest is not None and allowed is not None and largest >= allowed:
        places = ["heap", "memory.limit"] if deployment.is_set("heap") else ["memory.limit", "heap"]
        whose = "" if deployment.is_set("heap") else ", the default of the image's script,"
        text = f"-Xmx{heap}{whose} in a container of {limit}: the kernel kills it"
        yield Problem([*places], text, f"-Xmx below {limit}")


GRACE = "termination.grace"
"""How many seconds a pod has to end."""
LONG_ENOUGH = 30


@rule("KA1746", "medium", dev="info", staging="low", aim="by hand: choice")
def termination_too_short(deployment: Subject) -> Problems:
    """A broker is killed before it has handed over its partitions and closed its logs.

    Why: on SIGTERM a broker moves the leadership of its partitions (controlled shutdown), then closes its logs. Kubernetes kills the pod after
        terminationGracePeriodSeconds, Compose after stop_grace_period (10 s where it is not set). A killed broker leaves partitions without a leader until its session ends, and recovers its
        logs at the next start, which takes minutes on large disks.
    Fix: leave out terminationGracePeriodSeconds (30 s), or set it to several minutes for brokers with many partitions; in Compose set
        stop_grace_period.
    Bad (deployment):
        runs=broker
        termination.grace=5
    Good (deployment):
        runs=broker
        termination.grace=120
    See: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination, https://kafka.apache.org/documentation/#basic_ops_restarting
    """
    applies(deployment.str("runs") in ("broker", "combined"), "no broker")
    applies(deployment.is_set(GRACE), "30 seconds")
    seconds = deployment.int(GRACE)
    if 0 <= seconds < LONG_ENOUGH:
        yield Problem(GRACE, f"it is killed {count(seconds, 'second')} after SIGTERM", f">= {LONG_ENOUGH}")


LIVENESS = "liveness"
"""After how many seconds a pod is killed whose broker does not listen."""
RECOVERS = 120


@rule("KA1751", "medium", dev="info", staging="low", confidence="likely", aim="by hand: choice")
def liveness_kills_recovery(deployment: Subject) -> Problems:
    """The liveness probe kills a broker that is still recovering its logs.

    Why: after a shutdown that was not clean a broker recovers its log segments before it opens its listeners, which takes minutes on large
        disks. A probe of that port fails meanwhile, and Kubernetes kills the container after initialDelaySeconds + failureThreshold x
        periodSeconds: the recovery begins anew, and the broker never comes back.
    Fix: add a startupProbe that allows as long as a recovery may take (failureThreshold: 180 with periodSeconds: 10 is half an hour), or leave
        out the liveness probe: a broker that fails ends by itself.
    Bad (kubernetes):
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: kafka}
        spec:
          template:
            spec:
              containers:
              - name: kafka
                image: apache/kafka:4.3.0
                env: [{name: KAFKA_NODE_ID, value: "1"}]
                livenessProbe: {tcpSocket: {port: 9092}, initialDelaySeconds: 10, periodSeconds: 10}
    Good (kubernetes):
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: kafka}
        spec:
          template:
            spec:
              containers:
              - name: kafka
                image: apache/kafka:4.3.0
                env: [{name: KAFKA_NODE_ID, value: "1"}]
                livenessProbe: {tcpSocket: {port: 9092}, periodSeconds: 10}
                startupProbe: {tcpSocket: {port: 9092}, failureThreshold: 180, periodSeconds: 10}
    See: https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/, kafka.server.BrokerServer.startup
    """
    applies(deployment.str("runs") in ("broker", "combined"), "no broker")
    applies(deployment.is_set(LIVENESS), "no probe of the clients' port, or one that waits for the start")
    seconds = deployment.int(LIVENESS)
    if seconds < RECOVERS:
        text = (
            f"a broker that needs more than {count(seconds, 'second')} to recover its logs is killed, again and again"
        )
        yield Problem(LIVENESS, text, "a startupProbe")


BY_HOST = "log.folder.of.host"


@rule("KA1752", "high", dev="low", staging="medium", aim="by hand: choice")
def log_folder_of_host(deployment: Subject) -> Problems:
    """The folder of the records has the name of the host, which is another one with each new container.

    Why: wurstmeister's image keeps the records in /kafka/kafka-logs-$HOSTNAME where KAFKA_LOG_DIRS is not set. Compose names the host by the
        container's id: `docker compose up` after `down`, or with another image or setting, makes a new container, and the broker starts
        with a new, empty folder beside the old one on the same volume.
    Fix: set KAFKA_LOG_DIRS to the folder that is there (docker compose exec SERVICE ls /kafka), such as /kafka/kafka-logs, or the service's
        hostname.
    Care: rename the present folder to the new one while the broker is stopped, or the records stay behind in the old one.
    Bad (compose):
        services:
          kafka:
            image: wurstmeister/kafka:2.13-2.8.1
            environment: {KAFKA_BROKER_ID: 1, KAFKA_ZOOKEEPER_CONNECT: "zookeeper:2181", KAFKA_ADVERTISED_HOST_NAME: kafka}
            volumes: [kafka:/kafka]
        volumes: {kafka: {}}
    Good (compose):
        services:
          kafka:
            image: wurstmeister/kafka:2.13-2.8.1
            hostname: kafka
            environment: {KAFKA_BROKER_ID: 1, KAFKA_ZOOKEEPER_CONNECT: "zookeeper:2181", KAFKA_ADVERTISED_HOST_NAME: kafka}
            volumes: [kafka:/kafka]
        volumes: {kafka: {}}
    See: https://github.com/wurstmeister/kafka-docker (start-kafka.sh)
    """
    applies(deployment.str("runs") in ("broker", "combined"), "no broker")
    applies(deployment.str("storage") != "ephemeral", "the records go with the container")
    applies(deployment.is_set(BY_HOST), "the folder has a name of its own")
    if deployment.bool(BY_HOST):
        text = "a new container has another host name: it starts with an empty folder beside the records"
        yield Problem(BY_HOST, text, "KAFKA_LOG_DIRS or hostname")


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
