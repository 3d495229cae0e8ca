"""What Kafka is run with: images, volumes, the number of brokers, and what containers, operators and services add."""

from __future__ import annotations

from advisor.facts import image, is_whole_number
from advisor.rule import Problem, Problems, Subject, applies, rule

EPHEMERAL = "ephemeral"
ENOUGH = 3
UNMAINTAINED = {
    "wurstmeister/kafka": "no release since 2022, Kafka 2.8 at most",
    "wurstmeister/zookeeper": "no release for years",
    "bitnamilegacy/kafka": "a frozen archive: no release and no security fix since August 2025",
    "bitnamilegacy/zookeeper": "a frozen archive: no release and no security fix since August 2025",
    "spotify/kafka": "no release since 2016",
    "landoop/fast-data-dev": "no release since 2021",
    "lensesio/fast-data-dev": "a demonstration image",
    "ches/kafka": "no release since 2017",
    "debezium/kafka": "ended with Debezium 2.7",
    "debezium/zookeeper": "ended with Debezium 2.7",
}
"""Images that nobody mends, and why."""
REMOVED = {
    "bitnami/kafka": "Bitnami took its versioned images off Docker Hub in August 2025",
    "bitnami/zookeeper": "Bitnami took its versioned images off Docker Hub in August 2025",
}
CONFLUENT_8 = 8
INTERNAL = (
    "offsets.topic.replication.factor",
    "transaction.state.log.replication.factor",
    "share.coordinator.state.topic.replication.factor",
)
GIB = {
    "Ki": 2.0**-20,
    "Mi": 2.0**-10,
    "Gi": 1.0,
    "Ti": 2.0**10,
    "K": 0.95e-6,
    "M": 0.93e-3,
    "G": 0.93,
    "T": 931.0,
    "": 2.0**-30,
}
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


@rule("KA1701", "high", dev="info", staging="medium")
def ephemeral_storage(deployment: Subject) -> Problems:
    """A broker's log segments lie in its container and go with it.

    Why: a container that is made anew, by an upgrade, a moved pod or `docker compose down`, starts with an empty disk.
        Replicas of other brokers may bring the records back; a cluster whose containers are all made anew has lost
        everything, its topics and committed offsets included.
    Fix: put log.dirs (and metadata.log.dir) on a named volume or a persistent volume claim.
    Care: a volume that is mounted over the folder of a running broker hides what is in it: the broker comes back
        empty. Change one broker at a time, and go on only when all its partitions are back in the ISR.
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
    applies(deployment.str("runs") not in ("connect", "zookeeper"), "it holds no records")
    if deployment.str("storage") == EPHEMERAL:
        yield Problem("storage", "no volume holds the log segments: they go with the container", "a persistent volume")


@rule("KA1702", "high", dev="info", staging="medium")
def few_brokers(deployment: Subject) -> Problems:
    """The cluster has too few brokers to lose one.

    Why: three replicas need three brokers. With one every failure is an outage and a lost disk loses the records; with
        two either min.insync.replicas is 2 and no broker may stop, or it is 1 and one replica confirms.
    Fix: run at least three brokers, then raise the replication factor of the topics that exist.
    Care: new brokers hold nothing until partitions are reassigned to them (kafka-reassign-partitions with a throttle),
        and the replication factor of topics that exist, the internal ones included, does not change by itself.
    Bad (deployment):
        brokers=1
    Good (deployment):
        brokers=3
    See: https://kafka.apache.org/documentation/#replication
    """
    applies(deployment.is_set("brokers"), "nothing says how many brokers there are")
    brokers = deployment.int("brokers")
    applies(brokers > 0, "it runs no broker")
    if brokers < ENOUGH:
        yield Problem(
            "brokers", f"{brokers} broker{'s' if brokers > 1 else ''}", f">= {ENOUGH}", step=-1 if brokers > 1 else 0
        )


@rule("KA1703", "high", since=(4, 0), replaces=("KA522",))
def upgrade_blocker(broker: Subject) -> Problems:
    """The image or release has no ZooKeeper mode any more, and the settings are those of ZooKeeper mode.

    Why: Kafka 4.0 removed ZooKeeper mode. The image exits at its first check (process.roles and CLUSTER_ID are required),
        and a cluster that still keeps its metadata in ZooKeeper cannot be read by 4.x at all.
    Fix: stay on 3.9 (Confluent Platform 7.9), migrate to KRaft there, and take the new image afterwards.
    Care: do not start 4.x on the data of a cluster that was not migrated, and do not format its disks to make it start:
        that loses the topics.
    Bad (broker, 4.0):
        broker.id=1
        zookeeper.connect=zookeeper:2181
    Good (broker, 3.9):
        broker.id=1
        zookeeper.connect=zookeeper:2181
    See: KIP-866, https://kafka.apache.org/documentation/#kraft_zk_migration
    """
    applies(not broker.running(), "what runs was started")
    applies(broker.version_given(), "nothing says which release it is")
    applies(not broker.is_set("process.roles"), "in KRaft mode")
    if broker.is_set("zookeeper.connect"):
        major, minor = broker.version()
        yield Problem("zookeeper.connect", f"Kafka {major}.{minor} has no ZooKeeper mode: it will not start", "KRaft")


@rule("KA1704", "medium", dev="low", regulated="high")
def unmaintained_image(deployment: Subject) -> Problems:
    """The image gets no more releases and no security fixes.

    Why: what is found in Kafka, in the JVM or in the base system stays open, and the next release of Kafka never comes.
    Fix: move to apache/kafka, to confluentinc/cp-kafka or to an operator's image; check how each spells its variables.
    Care: images differ in the user they run as, in log.dirs and in the settings they start from (Bitnami's file sets
        the replication factor of internal topics to 1). Write those settings out, mount the old volume at the new
        image's log.dirs, and replace one broker at a time.
    Bad (deployment):
        image=wurstmeister/kafka:2.13-2.8.1
    Good (deployment):
        image=apache/kafka:4.3.0
    See: https://hub.docker.com/r/apache/kafka, https://github.com/bitnami/containers/issues/83267
    """
    applies(deployment.is_set("image"), "no image")
    repository, _ = image(deployment)
    if repository in UNMAINTAINED:
        yield Problem("image", f"{repository}: {UNMAINTAINED[repository]}", "a maintained image")


@rule("KA1705", "medium", dev="low")
def removed_image(deployment: Subject) -> Problems:
    """The image cannot be pulled any more, or never existed in that release.

    Why: what runs goes on from the local copy; the next node, or the next start after a cleaning, fails to pull it.
    Fix: name an image that exists: ZooKeeper ended with Confluent Platform 7.9; for Bitnami's move to a maintained image.
    Bad (deployment):
        image=confluentinc/cp-zookeeper:8.0.0
    Good (deployment):
        image=confluentinc/cp-kafka:8.0.0
    See: https://docs.confluent.io/platform/current/installation/docker/image-reference.html,
        https://github.com/bitnami/containers/issues/83267
    """
    applies(deployment.is_set("image"), "no image")
    repository, tag = image(deployment)
    if repository in REMOVED and tag not in ("", "latest"):
        yield Problem("image", f"{repository}:{tag}: {REMOVED[repository]}", "an image that exists")
    major = tag.partition(".")[0]
    if repository == "confluentinc/cp-zookeeper" and is_whole_number(major) and int(major) >= CONFLUENT_8:
        yield Problem("image", f"there is no cp-zookeeper {tag}: Confluent Platform 8 has no ZooKeeper", "7.9 or KRaft")


@rule("KA1706", "medium", dev="medium", each=INTERNAL)
def internal_rf_above_brokers(broker: Subject, key: str) -> Problems:
    """An internal topic wants more replicas than there are brokers, so it is never created.

    Why: without __consumer_offsets no group ever gets a coordinator, without __transaction_state no transaction begins;
        clients wait and log COORDINATOR_NOT_AVAILABLE.
    Fix: run as many brokers as the factor says; on a single node for development set it to 1 (and the min.isr beside it).
    Care: on a cluster that will grow set the factor that it shall have in the end: a topic that was created with
        one replica keeps one until it is reassigned.
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
    replicas = broker.int(key)
    if 0 < brokers < replicas:
        yield Problem(key, f"{replicas} replicas on {brokers} broker{'s' if brokers > 1 else ''}", f"<= {brokers}")


@rule("KA1707", "medium", dev="info", staging="low")
def delete_claim(deployment: Subject) -> Problems:
    """Deleting the resource deletes the brokers' disks.

    Why: with deleteClaim the persistent volume claims go with the Kafka resource or the node pool: one `kubectl delete`,
        or a pipeline that prunes, and the records of all brokers are gone at once.
    Fix: set deleteClaim to false; remove claims by hand when the data may go.
    Bad (deployment):
        storage.delete=true
    Good (deployment):
        storage.delete=false
    See: https://strimzi.io/docs/operators/latest/configuring#type-PersistentClaimStorage-reference
    """
    applies(deployment.is_set("storage.delete"), "the claim is kept")
    if deployment.bool("storage.delete"):
        yield Problem("storage.delete", "the disks go with the resource", "false")


@rule("KA1708", "medium", dev="info", staging="low", regulated="high")
def zk_exposed(deployment: Subject) -> Problems:
    """ZooKeeper's client port is reachable from outside.

    Why: who reaches ZooKeeper without authentication changes the cluster's metadata, its ACLs included, past every
        authorizer of Kafka.
    Fix: publish no port of ZooKeeper, or on 127.0.0.1 alone; brokers reach it on the internal network.
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
    applies(deployment.str("runs") == "zookeeper", "it is no ZooKeeper server")
    if deployment.is_set("public.access"):
        yield Problem("public.access", f"port {deployment.str('public.access')} is published", "no published port")


@rule("KA1709", "medium", dev="low", regulated="high")
def jmx_no_auth(deployment: Subject) -> Problems:
    """Remote JMX asks nobody for a password.

    Why: JMX is no read-only protocol: whoever reaches the port can change log levels, invoke operations and, by way of
        remote class loading, run code as the broker.
    Fix: set com.sun.management.jmxremote.authenticate=true with a password file and TLS, or take the remote port away
        and read the metrics with the Prometheus JMX exporter as an agent.
    Bad (deployment):
        jmx.options=-Dcom.sun.management.jmxremote.port=9101 -Dcom.sun.management.jmxremote.authenticate=false
    Good (deployment):
        jmx.options=-Dcom.sun.management.jmxremote.port=9101 -Dcom.sun.management.jmxremote.authenticate=true
    See: https://docs.oracle.com/en/java/javase/17/management/monitoring-and-management-using-jmx-technology.html
    """
    applies(deployment.is_set("jmx.options"), "no options of JMX")
    if "jmxremote.authenticate=false" in deployment.str("jmx.options"):
        yield Problem("jmx.options", "remote JMX without authentication", "jmxremote.authenticate=true, or no port")


@rule("KA1710", "medium")
def service_links(deployment: Subject) -> Problems:
    """Kubernetes adds variables of a Service to the pod, and the image takes them for settings.

    Why: a Service whose name begins with kafka gives every pod KAFKA_PORT=tcp://…, KAFKA_SERVICE_HOST and more; the image
        turns each KAFKA_ variable into a setting: port=tcp://… keeps old releases from starting, the others fill the
        configuration with keys that mean nothing.
    Fix: set enableServiceLinks: false in the pod's spec.
    Bad (deployment):
        service.links=true
    Good (deployment):
        service.links=false
    See: https://kubernetes.io/docs/tutorials/services/connect-applications-service/#accessing-the-service
    """
    applies(deployment.is_set("service.links") or deployment.str("service.links") == "true", "no Service named kafka")
    if deployment.bool("service.links"):
        yield Problem("service.links", "a Service named kafka… adds KAFKA_ variables, which become settings", "false")


SPELLED, DROPPED, UNBOUND, ACL = "spelled.", "dropped.", "unbound.", "acl."
"""What the facts begin with about a variable that the image spells otherwise (its own spelling follows), a setting that an
operator drops, a property that a framework does not bind (where it would work follows), and an access rule."""


def ignored_settings(deployment: Subject) -> tuple[str, ...]:
    """The settings that the image or the operator does not take as they are written."""
    return keys_with(deployment, (SPELLED, DROPPED))


@rule("KA1711", "medium", each=ignored_settings)
def env_mapping(deployment: Subject, key: str) -> Problems:
    """A setting is spelled as this image or operator does not take it: it is ignored.

    Why: images spell settings differently, and operators drop the settings that they write themselves. Bitnami's takes KAFKA_CFG_ and ignores KAFKA_NUM_PARTITIONS; Confluent's and
        Apache's take KAFKA_ and read KAFKA_CFG_NUM_PARTITIONS as cfg.num.partitions. The default stays in force.
    Fix: spell the variable as the image wants it; use the operator's field in place of a setting that it drops.
    Care: the setting takes effect with the next start: check first what it changes on a cluster that runs with the
        default.
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
    applies(key != SPELLED, "all of them are taken")
    if key.startswith(DROPPED):
        yield Problem(key, "the operator writes it itself and drops this one", "the operator's own field")
    else:
        taken = key.removeprefix(SPELLED)
        yield Problem(key, f"this image ignores it; it takes {taken}", taken)


def unbound_properties(deployment: Subject) -> tuple[str, ...]:
    """The properties that a framework does not bind to any setting."""
    return keys_with(deployment, (UNBOUND,))


def access_rules(deployment: Subject) -> tuple[str, ...]:
    """The access rules of a user."""
    return keys_with(deployment, (ACL,))


@rule("KA1730", "medium", each=unbound_properties)
def unknown_key(deployment: Subject, key: str) -> Problems:
    """The framework has no such property: it is dropped without a word, and the default stays in force.

    Why: Spring Boot binds a fixed list of fields to the settings of its clients. linger-ms beside acks looks right and
        does nothing; a misspelled bootstrap-servers sends the client to localhost:9092.
    Fix: write settings without a field of their own under properties, with Kafka's name.
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
    says = "no such property: the client goes to localhost:9092" if address else "no such property: it is ignored"
    yield Problem(key, f"{says}; write {where}", where, step=1 if address else 0)


@rule("KA1712", "high", dev="info", staging="medium", regulated="critical")
def plaintext_public(deployment: Subject) -> Problems:
    """Brokers are reachable from outside the cluster without TLS.

    Why: a load balancer, a node port or a route carries records, and with SASL also passwords, in clear over networks
        that others share; without authentication anyone who reaches it reads and writes.
    Fix: give the listener TLS and authentication before it is reachable from outside.
    Care: clients that speak plain on this listener are cut off when it changes: add a second listener, move the clients,
        remove the first.
    Bad (deployment):
        public.access=nodeport
        public.protocol=PLAINTEXT
    Good (deployment):
        public.access=nodeport
        public.protocol=SASL_SSL
    See: https://strimzi.io/docs/operators/latest/deploying#assembly-securing-access-str
    """
    applies(deployment.str("runs") != "zookeeper", "ZooKeeper speaks another protocol")
    applies(deployment.is_set("public.access"), "nothing is reachable from outside")
    access, protocol = deployment.str("public.access"), deployment.str("public.protocol")
    if protocol not in ENCRYPTED:
        yield Problem(
            "public.access", f"{access} without TLS{'' if 'SASL' in protocol else ' or authentication'}", "TLS"
        )


@rule("KA1728", "medium", dev="info", regulated="critical")
def no_authentication(deployment: Subject) -> Problems:
    """The service asks clients neither for a login nor for a certificate.

    Why: whoever reaches the brokers from the network reads and writes all topics; ACLs cannot tell clients apart.
    Fix: turn on IAM, SASL/SCRAM or mutual TLS in client_authentication.
    Care: turn the new way on beside the open one, move the clients, and then end unauthenticated access.
    Bad (deployment):
        client.authentication=none
    Good (deployment):
        client.authentication=iam
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-authentication.html
    """
    if deployment.str("client.authentication") == "none":
        yield Problem("client.authentication", "clients are not authenticated", "iam, scram or tls")


@rule("KA1729", "medium", dev="info", regulated="critical")
def plaintext_listener(deployment: Subject) -> Problems:
    """The service takes clients without TLS.

    Why: records and logins can be read and changed by whoever is on the way.
    Fix: client_broker = "TLS"
    Care: clients that still speak plain are cut off: move them to the TLS addresses first.
    Bad (deployment):
        client.protocol=TLS_PLAINTEXT
    Good (deployment):
        client.protocol=TLS
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-encryption.html
    """
    protocol = deployment.str("client.protocol")
    if "PLAINTEXT" in protocol:
        yield Problem("client.protocol", f"{protocol}: not all is encrypted", "TLS")


@rule("KA1713", "high")
def strimzi_kraft_metadata(deployment: Subject) -> Problems:
    """More than one volume of a node is marked for the KRaft metadata log.

    Why: the metadata log lies on one volume; Strimzi refuses a node pool with `kraftMetadata: shared` on several, and the
        cluster is not reconciled any more.
    Fix: leave kraftMetadata: shared on one volume.
    Care: do not move it on a pool that runs: the metadata log stays on the volume where it is.
    Bad (deployment):
        metadata.volumes=2
    Good (deployment):
        metadata.volumes=1
    See: https://strimzi.io/docs/operators/latest/deploying#ref-jbod-storage-str
    """
    applies(deployment.is_set("metadata.volumes"), "no volume is marked")
    volumes = deployment.int("metadata.volumes")
    if volumes > 1:
        yield Problem("metadata.volumes", f"{volumes} volumes are marked", "1")


@rule("KA1714", "medium", dev="info")
def rack_wrong_key(deployment: Subject) -> Problems:
    """The label that says where a broker stands is no zone's.

    Why: broker.rack takes the label's value. All nodes of one region share it, so replicas are not spread at all; a host
        name gives every broker a rack of its own, so two replicas may share a zone.
    Fix: topologyKey: topology.kubernetes.io/zone
    Care: replicas that exist stay where they are; after the change move them with a reassignment.
    Bad (deployment):
        rack.key=topology.kubernetes.io/region
    Good (deployment):
        rack.key=topology.kubernetes.io/zone
    See: https://kubernetes.io/docs/reference/labels-annotations-taints/#topologykubernetesiozone
    """
    applies(deployment.is_set("rack.key"), "no label says it")
    key = deployment.str("rack.key")
    if key.endswith(("/region", "/hostname", "/arch", "/os")):
        yield Problem("rack.key", f"{key} is no zone", ZONE_KEYS[0])


@rule("KA1715", "medium", dev="info")
def rack_in_one(deployment: Subject) -> Problems:
    """All replicas of a partition are placed in one rack.

    Why: the strategy keeps traffic in a zone, and the zone that fails takes every replica of the partition with it.
    Fix: use the strategy cross-rack (topicctl), or leave the placement to the brokers' racks.
    Care: a change of the strategy moves replicas: apply it with a throttle, outside of peak hours.
    Bad (deployment):
        placement=in-rack
    Good (deployment):
        placement=cross-rack
    See: https://github.com/segmentio/topicctl#topic-placement-strategies
    """
    if deployment.str("placement") == "in-rack":
        yield Problem("placement", "all replicas of a partition lie in one rack", "cross-rack")


@rule("KA1716", "high", dev="info", each=access_rules)
def acl_wildcard(deployment: Subject, key: str) -> Problems:
    """A user may do anything to every resource of a kind.

    Why: one leaked or careless client reads, overwrites or deletes all topics, or reconfigures the cluster.
    Fix: name the topics and groups, or a prefix that the application owns.
    Care: find out first what the user uses (the authorizer's log at DEBUG shows it): what is not named any more is refused
        at once.
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
        yield Problem(key, f"{acl} to one user", "the topics it needs")


@rule("KA1717", "high", dev="info")
def topic_rf_low(deployment: Subject) -> Problems:
    """A topic that the image creates has too few replicas.

    Why: one replica is lost with one disk; with two, each restart of a broker leaves a single one.
    Fix: name:partitions:3, on three brokers.
    Care: the variable does nothing for a topic that exists: reassign its partitions, with --throttle.
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
        yield Problem("topics.created", f"{min(factors)} of 3 replicas", "3", step=0 if min(factors) == 1 else -1)


@rule("KA1718", "medium", dev="info")
def mm2_policy_mismatch(deployment: Subject) -> Problems:
    """Checkpoints name topics otherwise than the source connector does.

    Why: the source connector writes A.orders, the checkpoint connector translates offsets for orders (or the other way
        round): consumers that move to the target cluster find no offsets and begin at the start, or at the end.
    Fix: give both connectors, and the heartbeat connector, the same replication.policy.class and separator.
    Care: changing the policy of a mirror that runs makes a second set of topics in the target cluster, mirrored from the
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
        yield Problem("replication.policy.class", f"{name} here, another policy in the source connector", "one policy")


@rule("KA1720", "low", dev="info")
def image_unpinned(deployment: Subject) -> Problems:
    """The image has no fixed release, so the next pull may be another one.

    Why: `latest` changes under a running cluster: one broker that is made anew is suddenly a release ahead of the others,
        possibly one without ZooKeeper mode, or a downgrade when a node has an old copy.
    Fix: name the release, as in apache/kafka:4.3.0.
    Bad (deployment):
        image=apache/kafka:latest
    Good (deployment):
        image=apache/kafka:4.3.0
    See: https://kubernetes.io/docs/concepts/containers/images/
    """
    applies(deployment.is_set("image"), "no image")
    _, tag = image(deployment)
    if tag in ("", "latest") and "@" not in deployment.str("image"):
        yield Problem("image", "no release is named" if not tag else "latest is a moving release", "a release")


@rule("KA1721", "low", dev="info")
def crd_version(deployment: Subject) -> Problems:
    """The resource is written for an API of the operator that is going away.

    Why: Strimzi 1.0 serves kafka.strimzi.io/v1 alone; resources of v1beta2 must be converted before the operator is upgraded.
    Fix: convert it (strimzi conversion tool), and apply it as kafka.strimzi.io/v1.
    Care: convert all resources and the CRDs' stored version before the operator is upgraded to 1.0, not after.
    Bad (deployment):
        api.version=kafka.strimzi.io/v1beta2
    Good (deployment):
        api.version=kafka.strimzi.io/v1
    See: https://strimzi.io/docs/operators/latest/deploying#assembly-api-conversion-str
    """
    applies(deployment.str("api.version").startswith(STRIMZI), "no resource of Strimzi")
    version = deployment.str("api.version").rpartition("/")[2]
    if version != "v1":
        yield Problem("api.version", f"{version} is served up to Strimzi 0.x; v1 is current", f"{STRIMZI}v1")


@rule("KA1722", "low", dev="info")
def tiny_storage(deployment: Subject) -> Problems:
    """A broker's volume is so small that it fills.

    Why: a broker whose disk is full stops; with the same records on all of them they stop together.
    Fix: size the volume for retention times throughput times replicas, with a third in reserve.
    Bad (deployment):
        storage.size=1Gi
    Good (deployment):
        storage.size=100Gi
    See: https://strimzi.io/docs/operators/latest/deploying#considerations-for-data-storage-str
    """
    applies(deployment.is_set("storage.size"), "nothing says how large it is")
    size = deployment.str("storage.size").strip()
    gib = gib_of(size)
    if gib is not None and gib < LITTLE:
        yield Problem("storage.size", f"{size}: a few segments fill it", f">= {LITTLE:.0f}Gi")


def gib_of(size: str) -> float | None:
    """A Kubernetes quantity in GiB, None where it is none."""
    digits = size.rstrip("KMGTi")
    unit = size[len(digits) :]
    if unit not in GIB or not all(map(is_whole_number, digits.split(".", 1))):
        return None
    return float(digits) * GIB[unit]


@rule("KA1723", "low", dev="info")
def k8s_api_removed(deployment: Subject) -> Problems:
    """Kubernetes has no such API any more.

    Why: the cluster refuses the manifest: what runs goes on, and the next apply or a new cluster fails.
    Fix: write it for the API of today, as apps/v1 for Deployments and StatefulSets, which wants a selector.
    Bad (deployment):
        api.version=extensions/v1beta1
    Good (deployment):
        api.version=apps/v1
    See: https://kubernetes.io/docs/reference/using-api/deprecation-guide/
    """
    version = deployment.str("api.version")
    if version in OLD_APIS:
        yield Problem("api.version", f"{version} was removed from Kubernetes", "apps/v1")


@rule("KA1724", "low", dev="info")
def soft_anti_affinity(deployment: Subject) -> Problems:
    """Brokers may share a node when the others are full.

    Why: a preferred anti-affinity is a wish: two replicas of a partition may end on one node, and go with it.
    Fix: use requiredDuringSchedulingIgnoredDuringExecution with topologyKey kubernetes.io/hostname.
    Care: pods that do not fit stay pending: have as many nodes as brokers, and one more for the time of a drain.
    Bad (deployment):
        anti.affinity=preferred
    Good (deployment):
        anti.affinity=required
    See: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity
    """
    if deployment.str("anti.affinity") == "preferred":
        yield Problem("anti.affinity", "a wish: brokers may share a node", "required")


@rule("KA1725", "low")
def tf_revision_hardcoded(deployment: Subject) -> Problems:
    """The cluster is pinned to one revision of its configuration, so later changes are never applied.

    Why: each change of aws_msk_configuration makes a new revision; a number written out keeps the cluster on the old one
        while the plan looks clean.
    Fix: revision = aws_msk_configuration.<name>.latest_revision
    Care: the first apply after that rolls all brokers onto the latest revision: read what has changed since.
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

    Why: a configuration of Amazon MSK is checked against the releases that it names; keys of another release are refused
        or do nothing.
    Fix: name the cluster's release in kafka_versions.
    Bad (deployment):
        configuration.versions=2.6.1 2.8.0
    Good (deployment):
        configuration.versions=2.6.1, 2.8.0 2.8.0
    See: https://docs.aws.amazon.com/msk/latest/developerguide/msk-configuration-operations.html
    """
    applies(deployment.is_set("configuration.versions"), "nothing says which ones")
    versions, _, cluster = deployment.str("configuration.versions").rpartition(" ")
    if cluster not in versions.split(", "):
        yield Problem("configuration.versions", f"written for {versions}, the cluster runs {cluster}", cluster)


@rule("KA1727", "low", dev="info")
def instance_small(deployment: Subject) -> Problems:
    """The brokers' instances are of a size for trying things out.

    Why: burstable instances run out of CPU credits under load; with too few the broker lags and leaves the ISR.
    Fix: use kafka.m7g.large or larger for production.
    Care: changing the size rolls the brokers: check that no partition is at its minimal ISR.
    Bad (deployment):
        instance.type=kafka.t3.small
    Good (deployment):
        instance.type=kafka.m7g.large
    See: https://docs.aws.amazon.com/msk/latest/developerguide/bestpractices.html
    """
    if deployment.str("instance.type") in SMALL_INSTANCES:
        yield Problem("instance.type", f"{deployment.str('instance.type')} is burstable", "kafka.m7g.large")
