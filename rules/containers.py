"""What containers, charts and applications do that no setting of Kafka's says: what they share, may use, and hold."""

from __future__ import annotations

from advisor.rule import LITERAL, PLACEHOLDER, Problem, Problems, Subject, Unknown, applies, rule
from rules import count
from rules.deployment import keys_with
from rules.quantities import gib_of

FAMILY = "deployment"
MANUAL = ("manual", "manual_immediate")
"""Spring's modes in which the listener's code acknowledges."""


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


@rule("KA1743", "critical", dev="high", confidence="likely", aim="by hand: application")
def manual_ack_with_auto_commit(deployment: Subject) -> Problems:
    """Spring's listeners acknowledge records themselves, and the consumer commits on a timer, which Spring refuses.

    Why: with ack-mode manual or manual_immediate the listener's code says when an offset is committed. With enable-auto-commit: true the
        consumer commits whatever was polled. Spring's container does not start with both: "Consumer cannot be configured for auto
        commit for ackMode MANUAL".
    Fix: remove enable-auto-commit, which Spring sets to false, or set ack-mode: batch where the code acknowledges nothing.
    Bad (spring):
        spring.kafka:
          bootstrap-servers: b1:9092
          consumer: {group-id: g, enable-auto-commit: true}
          listener: {ack-mode: manual}
    Good (spring):
        spring.kafka:
          bootstrap-servers: b1:9092
          consumer: {group-id: g, enable-auto-commit: false}
          listener: {ack-mode: manual}
    See: https://docs.spring.io/spring-kafka/reference/kafka/receiving-messages/message-listener-container.html
    """
    applies(deployment.is_set("ack.mode"), "nothing says who commits")
    mode = deployment.str("ack.mode")
    applies(mode in MANUAL, "Spring commits")
    if deployment.bool("auto.commit"):
        yield Problem(
            "ack.mode",
            f"ack-mode {mode} with enable-auto-commit: the listener's container does not start",
            "one of both",
        )


SECRET = "secret."
"""What the fact begins with about a field of a chart that holds a secret."""


def secrets_in_values(deployment: Subject) -> tuple[str, ...]:
    """The fields of a chart that hold secrets."""
    return keys_with(deployment, (SECRET,))


@rule(
    "KA1744",
    "medium",
    dev="info",
    staging="low",
    regulated="critical",
    each=secrets_in_values,
    aim="by hand: credentials",
)
def secret_in_values(deployment: Subject, key: str) -> Problems:
    """The values of a chart contain a secret in clear text.

    Why: anyone who can read the values, their repository or the release (`helm get values`) can use the secret.
    Fix: put the passwords into a Secret of Kubernetes, which another tool fills, and name it in the chart: sasl.existingSecret and
        tls.passwordsSecret (auth.sasl.jaas and auth.tls in charts up to 23); then change them.
    Care: the Secret has to hold the passwords that brokers and clients use now, until both have new ones.
    Bad (helm):
        image: {repository: bitnamilegacy/kafka}
        controller: {replicaCount: 3}
        listeners: {client: {protocol: SASL_SSL}}
        sasl: {client: {users: [app], passwords: topsecret}}
    Good (helm):
        image: {repository: bitnamilegacy/kafka}
        controller: {replicaCount: 3}
        listeners: {client: {protocol: SASL_SSL}}
        sasl: {client: {users: [app]}, existingSecret: kafka-passwords}
    See: https://github.com/bitnami/charts/tree/main/bitnami/kafka
    """
    applies(key != SECRET, "no field of a secret is filled")
    if deployment.shape(key) == PLACEHOLDER:
        raise Unknown(f"{key.removeprefix(SECRET)} is filled in later")
    if deployment.shape(key) == LITERAL:
        yield Problem(key, "anyone who can read the values has the secret", "a Secret of Kubernetes")


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
