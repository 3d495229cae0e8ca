"""Quorum up to Kafka 3.9: ZooKeeper as a broker's file shows it, the migration to KRaft, and the protocol of brokers."""

from __future__ import annotations

from advisor.facts import (
    KRAFT,
    ZOOKEEPER,
    controller_listeners,
    is_local,
    is_whole_number,
    mode,
    written,
    zookeeper_servers,
)
from advisor.rule import Problem, Problems, Subject, Unknown, applies, rule
from rules import even
from rules.quorum import BOOTSTRAP, NAMES, VOTERS

FAMILY = "quorum"
KRAFT_KEYS = (VOTERS, BOOTSTRAP, "metadata.log.dir")
ZOOKEEPER_KEYS = ("zookeeper.connect", "zookeeper.session.timeout.ms", "zookeeper.connection.timeout.ms")


@rule("KA522", "medium", dev="info", staging="low", aim="by hand: migration")
def zk_mode(broker: Subject) -> Problems:
    """The broker runs in ZooKeeper mode, which Kafka 4.0 removed.

    Why: 3.9 is the last release with ZooKeeper mode; a cluster gets to a later release only by migrating to KRaft on
        3.9 (or on an earlier release that can migrate).
    Fix: migrate to KRaft on the newest 3.9 release, then upgrade.
    Care: the migration can be reverted only until the controllers leave migration mode. Try the migration on a copy of
        the cluster, and leave some days between the restart of the brokers in KRaft mode and the last step.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181,z2:2181,z3:2181
    Good:
        process.roles=broker
        node.id=1
        controller.quorum.voters=100@c1:9093,101@c2:9093,102@c3:9093
    See: KIP-833, KIP-866, https://kafka.apache.org/39/documentation/#kraft_zk_migration
    """
    kraft = written(broker, "process.roles") and (broker.text("process.roles") or broker.at_least((4, 0)))
    if broker.is_set("zookeeper.connect") and not kraft:
        moving = written(broker, "zookeeper.metadata.migration.enable") and not broker.at_least((4, 0))
        doing = moving and broker.bool("zookeeper.metadata.migration.enable")
        says = "a migration to KRaft is under way: finish it before 4.0" if doing else way_out(broker.version())
        yield Problem("zookeeper.connect", says, "KRaft")


def way_out(version: tuple[int, int]) -> str:
    """What a ZooKeeper broker of this release has before it."""
    if version < (4, 0):
        return "ZooKeeper mode ends with 3.9; migrate to KRaft before Kafka 4.0"
    return f"Kafka {version[0]}.{version[1]} has no ZooKeeper mode; migrate to KRaft on 3.9, then upgrade"


@rule("KA523", "high", dev="info", staging="medium", aim="by hand: migration")
def zk_single(broker: Subject) -> Problems:
    """The brokers list one ZooKeeper server: while it is down no leader can be elected.

    Why: without ZooKeeper the controller cannot elect leaders and no ISR can change: a broker that fails then takes its
        partitions offline. One address can be several servers only if it is a DNS name.
    Fix: run three ZooKeeper servers and list all of them in zookeeper.connect, or migrate to KRaft.
    Care: two new servers with empty data are a majority and can start without Kafka's metadata. Grow the ensemble as
        KA1230 says, then restart the brokers one at a time with the longer list.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=localhost:2181
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181,z2:2181,z3:2181/kafka
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    applies(mode(broker) == ZOOKEEPER and broker.is_set("zookeeper.connect"), "not in ZooKeeper mode")
    servers = zookeeper_servers(broker)
    if len(servers) == 1:
        host = servers[0].host
        sure = is_local(host) or is_address(str(host))
        what = "server" if sure else "address (unless it is a DNS name of several servers)"
        says = f"one ZooKeeper {what}: while it is down no leader is elected"
        yield Problem(
            "zookeeper.connect", says, "3 or 5 servers", step=0 if sure else -1, likely=not sure, part="servers"
        )


def is_address(host: str) -> bool:
    """Whether a host is an IP address."""
    return ":" in host or (host.count(".") == 3 and host.replace(".", "").isdecimal())


@rule("KA524", "low", dev="info")
def zk_even(broker: Subject) -> Problems:
    """An even number of ZooKeeper servers survives no more failures than one server fewer.

    Why: ZooKeeper needs a majority: 4 servers survive one failure, as 3 do, and 2 survive none.
    Fix: run 3 or 5 ZooKeeper servers and list them in zookeeper.connect.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181,z2:2181
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181,z2:2181,z3:2181
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    applies(mode(broker) == ZOOKEEPER and broker.is_set("zookeeper.connect"), "not in ZooKeeper mode")
    count = len(zookeeper_servers(broker))
    if count and count % 2 == 0:
        yield Problem("zookeeper.connect", even(count, "server"), "3 or 5", step=count == 2)


@rule("KA525", "high", dev="medium", confidence="likely", aim="by hand: address")
def zk_chroot_repeated(broker: Subject) -> Problems:
    """The chroot comes before the last server in zookeeper.connect, so the servers after it become part of the path.

    Why: ZooKeeper reads the list up to the first slash as servers and the rest as one path: the broker uses only the
        servers before the slash, under a path such as "/kafka,z2:2181/kafka".
    Fix: write the chroot in zookeeper.connect once, after the last server: z1:2181,z2:2181,z3:2181/kafka.
    Care: with the corrected value the brokers of a running cluster find an empty path and refuse to start, since their
        disks hold another cluster id (before 2.4 they start as an empty cluster). The metadata is under the long path,
        on the first server. Stop all brokers, copy the znodes to the new path, then correct the value everywhere.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181/kafka,z2:2181/kafka,z3:2181/kafka
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181,z2:2181,z3:2181/kafka
    See: https://kafka.apache.org/39/documentation/#brokerconfigs_zookeeper.connect
    """
    applies(mode(broker) == ZOOKEEPER, "not in ZooKeeper mode")
    _, slash, path = broker.str("zookeeper.connect").partition("/")
    if slash and "," in path:
        text = f"the chroot is /{path}: the broker does not use the servers in it"
        yield Problem("zookeeper.connect", text, "the chroot after the last server")


@rule("KA526", "low", dev="info", each=ZOOKEEPER_KEYS, before=(4, 0), aim="remove", fix="safe: drop")
def zookeeper_key_in_kraft(node: Subject, key: str) -> Problems:
    """A KRaft node's file still has a ZooKeeper setting, which has no effect outside a migration.

    Why: process.roles decides; without zookeeper.metadata.migration.enable=true a KRaft node does not read the key.
    Fix: remove the zookeeper.* key from the file.
    Bad (3.9):
        process.roles=broker
        node.id=1
        zookeeper.connect=z1:2181
    Good (3.9):
        process.roles=broker
        node.id=1
    See: KIP-866, https://kafka.apache.org/39/documentation/#kraft_zk_migration
    """
    applies(mode(node) == KRAFT and written(node, key), "not set in a KRaft file")
    if node.definition("zookeeper.metadata.migration.enable"):
        applies(not node.bool("zookeeper.metadata.migration.enable"), "a migration is under way")
    yield Problem(key, "a KRaft node ignores it", "not set")


@rule("KA527", "low", dev="info", each=KRAFT_KEYS, before=(4, 0), aim="remove", fix="safe: drop")
def kraft_key_in_zookeeper(broker: Subject, key: str) -> Problems:
    """A ZooKeeper broker's file has a KRaft setting, which has no effect outside a migration.

    Why: without process.roles the node runs in ZooKeeper mode and never looks for a controller quorum.
    Fix: remove the key, or migrate the cluster to KRaft.
    Care: never set process.roles on a broker of a running ZooKeeper cluster outside the migration: it starts as a node
        of an empty KRaft cluster.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        controller.quorum.voters=100@c1:9093
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
    See: KIP-866, https://kafka.apache.org/39/documentation/#kraft_zk_migration
    """
    applies(mode(broker) == ZOOKEEPER and broker.is_set("zookeeper.connect"), "not in ZooKeeper mode")
    applies(written(broker, key) and broker.definition(key), "not set")
    if broker.definition("zookeeper.metadata.migration.enable"):
        applies(not broker.bool("zookeeper.metadata.migration.enable"), "a migration is under way")
    yield Problem(key, "a broker without process.roles ignores it", "not set")


@rule("KA528", "critical", since=(3, 1), before=(4, 0), refuses=True, aim="by hand: choice")
def controller_listener_in_zookeeper_mode(broker: Subject) -> Problems:
    """controller.listener.names is set on a ZooKeeper broker that does not migrate, and Kafka refuses to start.

    Why: only KRaft has controller listeners; a ZooKeeper broker needs the key only while it migrates.
    Fix: remove controller.listener.names, or for the migration (from 3.4 on) set
        zookeeper.metadata.migration.enable=true.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        controller.listener.names=CONTROLLER
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
    See: KIP-866, kafka.server.KafkaConfig.validateValues
    """
    applies(mode(broker) == ZOOKEEPER, "not in ZooKeeper mode")
    if controller_listeners(broker) and not migrates(broker):
        yield Problem(NAMES, "a broker in ZooKeeper mode must not name controller listeners", "not set", refused=True)


DIRECTORY_IDS = (3, 7)
FOR_MIGRATION, FOR_SEVERAL_DISKS = "3.4", "3.7"
"""The least inter.broker.protocol.version of a migration, and that with several log.dirs. Source: KafkaConfig.validateValues."""


def migrates(node: Subject) -> bool:
    """Whether a migration from ZooKeeper to KRaft is switched on."""
    key = "zookeeper.metadata.migration.enable"
    return node.definition(key) is not None and node.bool(key)


@rule("KA529", "critical", since=(3, 4), before=(4, 0), refuses=True, aim="by hand: migration")
def zookeeper_migration_incomplete(node: Subject) -> Problems:
    """A migration from ZooKeeper is enabled without a setting that it needs, and Kafka refuses to start.

    Why: a migrating broker connects to ZooKeeper and to the new controllers: it needs its broker.id, the controllers'
        addresses and listener name, and an inter-broker protocol of 3.4 or newer (3.7 with several log.dirs, which
        3.6 cannot migrate at all); a KRaft node needs zookeeper.connect.
    Fix: set the key that this finding names, in the order of the migration guide.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        zookeeper.metadata.migration.enable=true
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        zookeeper.metadata.migration.enable=true
        controller.quorum.voters=100@c1:9093
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
    See: KIP-866, https://kafka.apache.org/39/documentation/#kraft_zk_migration
    """
    applies(migrates(node), "no migration is enabled")
    missing = missing_for_migration(node)
    if missing == "inter.broker.protocol.version":
        least = FOR_SEVERAL_DISKS if has_several_disks(node) else FOR_MIGRATION
        message = f"the migration needs {least}{' with several log.dirs' if has_several_disks(node) else ''}"
        yield Problem(missing, message, f"{least} or newer", refused=True)
    elif missing == "log.dirs":
        message = "this release cannot migrate a broker with several log.dirs"
        yield Problem(missing, message, "Kafka 3.7 or newer, or one directory", refused=True)
    elif missing:
        yield Problem(missing, "the migration needs this key", "set as the migration guide says", refused=True)


def has_several_disks(node: Subject) -> bool:
    """Whether a node keeps its records in several directories."""
    return len(node.list("log.dirs")) > 1


def missing_for_migration(node: Subject) -> str | None:
    """The first key that a migration lacks."""
    if mode(node) == KRAFT:
        return None if node.is_set("zookeeper.connect") else "zookeeper.connect"
    if not (node.text(VOTERS) or (node.definition(BOOTSTRAP) and node.text(BOOTSTRAP))):
        return BOOTSTRAP if node.definition(BOOTSTRAP) else VOTERS
    if not controller_listeners(node):
        return NAMES
    if node.version() == (3, 4) and node.is_set("authorizer.class.name"):
        return "authorizer.class.name"
    if protocol_version(node) < (3, 4):
        return "inter.broker.protocol.version"
    if lacks_directory_ids(node):
        return "inter.broker.protocol.version" if node.at_least(DIRECTORY_IDS) else "log.dirs"
    if node.at_least((3, 9)) and node.int("broker.id") < 0:
        return "broker.id"
    return None


def lacks_directory_ids(node: Subject) -> bool:
    """Whether several log.dirs meet a protocol without directory ids: 3.7-IV2 brought them; from 3.6 on Kafka checks it."""
    if not node.at_least((3, 6)) or not has_several_disks(node):
        return False
    early = node.str("inter.broker.protocol.version") if written(node, "inter.broker.protocol.version") else ""
    return protocol_version(node) < DIRECTORY_IDS or early.endswith(("3.7-IV0", "3.7-IV1"))


def protocol_version(node: Subject) -> tuple[int, int]:
    """inter.broker.protocol.version as a pair; the release itself where it is not set."""
    return release_of(node, "inter.broker.protocol.version")


def release_of(node: Subject, key: str) -> tuple[int, int]:
    """The first two numbers of a release such as 3.4 or 3.4-IV0 (0.11.0 counts as 0.11)."""
    if not written(node, key):
        return node.version()
    numbers = node.str(key).partition("-")[0].split(".")
    if len(numbers) < 2 or not all(is_whole_number(number) for number in numbers[:2]):
        raise Unknown(f"{key}={node.text(key)} is not a release")
    return int(numbers[0]), int(numbers[1])


@rule("KA530", "critical", before=(4, 0), refuses=True, aim="by hand: address")
def broker_id_reserved(broker: Subject) -> Problems:
    """broker.id is not in the allowed range, and Kafka refuses to start.

    Why: while broker.id.generation.enable is true (the default), ids above reserved.broker.max.id (1000) are reserved
        for generated ones; without generation an id must be set.
    Fix: set broker.id on a new broker to a number up to reserved.broker.max.id. A broker with data keeps its id: set
        broker.id.generation.enable=false.
    Bad (3.9):
        broker.id=1001
        zookeeper.connect=z1:2181
    Good (3.9):
        broker.id=1001
        broker.id.generation.enable=false
        zookeeper.connect=z1:2181
    See: https://kafka.apache.org/39/documentation/#brokerconfigs_reserved.broker.max.id
    """
    applies(mode(broker) == ZOOKEEPER, "not in ZooKeeper mode")
    preview = written(broker, "node.id") and (2, 8) <= broker.version() < (3, 1)
    key = "node.id" if preview and broker.int("node.id") >= 0 else "broker.id"
    id = broker.int(key)
    if not broker.bool("broker.id.generation.enable"):
        low, high = 0, id
    else:
        low, high = -1, broker.int("reserved.broker.max.id")
    if not low <= id <= high:
        wanted = f"{low} to {high}" if low <= high else f">= {low}"
        yield Problem(key, f"the id {id} is outside the allowed range", wanted, refused=True)


@rule("KA531", "critical", since=(3, 3), before=(4, 0), refuses=True, aim="remove inter.broker.protocol.version")
def protocol_before_kraft(node: Subject) -> Problems:
    """inter.broker.protocol.version is older than KRaft, and Kafka refuses to start.

    Why: in KRaft the feature metadata.version replaces the key, and only ZooKeeper mode supports versions before 3.0.
    Fix: remove inter.broker.protocol.version from KRaft files.
    Bad (3.9):
        process.roles=broker
        node.id=1
        inter.broker.protocol.version=2.8
    Good (3.9):
        process.roles=broker
        node.id=1
    See: KIP-778, kafka.server.KafkaConfig.interBrokerProtocolVersion
    """
    key = "inter.broker.protocol.version"
    applies(mode(node) == KRAFT and written(node, key), "not set in a KRaft file")
    old_preview = node.str(key) == "3.0-IV0"
    if release_of(node, key) < (3, 0) or old_preview:
        yield Problem(key, "KRaft needs 3.0-IV1 or newer", "not set", refused=True)


@rule(
    "KA532",
    "low",
    dev="info",
    since=(3, 3),
    before=(4, 0),
    aim="remove inter.broker.protocol.version",
    fix="safe: drop",
)
def protocol_version_in_kraft(node: Subject) -> Problems:
    """inter.broker.protocol.version is set on a KRaft node, where it has no effect.

    Why: the feature metadata.version decides the protocol between nodes; the key is read only when a cluster is
        formatted without a version.
    Fix: remove inter.broker.protocol.version; raise metadata.version with kafka-features.sh upgrade.
    Care: raising metadata.version usually cannot be undone. Raise it when every node has run the new release for some
        days.
    Bad (3.9):
        process.roles=broker
        node.id=1
        inter.broker.protocol.version=3.8
    Good (3.9):
        process.roles=broker
        node.id=1
    See: KIP-778, https://kafka.apache.org/39/documentation/#upgrade_390_kraft
    """
    key = "inter.broker.protocol.version"
    applies(mode(node) == KRAFT and written(node, key), "not set in a KRaft file")
    if release_of(node, key) >= (3, 0):
        yield Problem(key, "KRaft ignores it: metadata.version decides", "not set")


@rule("KA533", "critical", before=(4, 0), refuses=True, aim="by hand: choice")
def message_format_above_protocol(node: Subject) -> Problems:
    """log.message.format.version needs a newer inter.broker.protocol.version, and Kafka refuses to start.

    Why: followers fetch with the inter-broker protocol, which must support the record format of the log. The format
        changed in 0.10.0 and in 0.11.0. An unset log.message.format.version means the newest format.
    Fix: set log.message.format.version to the value of inter.broker.protocol.version; raise both once every broker runs
        the newer release.
    Bad (2.8):
        broker.id=1
        zookeeper.connect=z1:2181
        inter.broker.protocol.version=0.10.0
        log.message.format.version=0.11.0
    Good (2.8):
        broker.id=1
        zookeeper.connect=z1:2181
        inter.broker.protocol.version=2.6
        log.message.format.version=2.8
    See: KIP-724, kafka.server.KafkaConfig.validateValues
    """
    keys = ["log.message.format.version", "inter.broker.protocol.version"]
    applies(written(node, keys[1]), "the protocol is the release's own")
    applies(protocol_version(node) < (3, 0), "ignored from protocol 3.0 on")
    wanted = 2 if not written(node, keys[0]) else record_format(release_of(node, keys[0]))
    if record_format(protocol_version(node)) < wanted:
        yield Problem(list(keys), "the record format is newer than the inter-broker protocol", refused=True)


def record_format(release: tuple[int, int]) -> int:
    """The number of the record format that a release introduced or kept."""
    return 2 if release >= (0, 11) else 1 if release >= (0, 10) else 0


@rule("KA537", "low", dev="info", before=(4, 0), aim="set zookeeper.session.timeout.ms=18000")
def zk_session_timeout(broker: Subject) -> Problems:
    """The ZooKeeper session is so short that a pause of the broker ends it.

    Why: Kafka treats a broker without a session as dead: other brokers take over its leadership and its replicas leave
        the ISR. For that reason Kafka 2.5 raised the default from 6 to 18 seconds.
    Fix: set zookeeper.session.timeout.ms=18000.
    Bad (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        zookeeper.session.timeout.ms=4000
    Good (3.9):
        broker.id=1
        zookeeper.connect=z1:2181
        zookeeper.session.timeout.ms=18000
    See: KIP-537, https://kafka.apache.org/39/documentation/#brokerconfigs_zookeeper.session.timeout.ms
    """
    key = "zookeeper.session.timeout.ms"
    applies(mode(broker) == ZOOKEEPER and written(broker, key), "left at its default")
    if broker.int(key) < 6000:
        yield Problem(key, f"a pause of {broker.int(key)} ms ends the session: the broker counts as dead", ">= 6000")


@rule("KA539", "critical", since=(3, 0), before=(4, 0), refuses=True, aim="by hand: address")
def node_id_negative(node: Subject) -> Problems:
    """A KRaft node has a negative id, which counts as no id, and Kafka refuses to start.

    Why: the quorum identifies a node by its id; only ZooKeeper could assign an id to a broker without one.
    Fix: set node.id to a number of 0 or more that no other node has.
    Bad (3.9):
        process.roles=broker
        node.id=-1
    Good (3.9):
        process.roles=broker
        node.id=1
    See: kafka.server.KafkaConfig.validateValues
    """
    applies(mode(node) == KRAFT and node.is_set("node.id"), "no KRaft node with an id")
    if node.int("node.id") < 0:
        yield Problem("node.id", "a negative id counts as no id", "0 or more", refused=True)


@rule("KA553", "low", dev="info", before=(4, 0))
def zk_session_negotiated(broker: Subject, zookeeper: Subject) -> Problems:
    """ZooKeeper grants the broker a different session timeout from the one it requests.

    Why: the servers allow 2 to 20 times their tickTime unless minSessionTimeout and maxSessionTimeout say otherwise,
        and apply the nearer limit without an error: a pause ends the session earlier, or the failure of a broker is
        noticed later, than zookeeper.session.timeout.ms says.
    Fix: set zookeeper.session.timeout.ms to 2 to 20 times tickTime, or set minSessionTimeout and maxSessionTimeout to
        allow it.
    Bad (3.9):
        [broker]
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        zookeeper.session.timeout.ms=60000
        [zookeeper]
        tickTime=2000
        dataDir=/var/lib/zookeeper
        clientPort=2181
    Good (3.9):
        [broker]
        zookeeper.connect=z1:2181,z2:2181,z3:2181
        broker.id=1
        zookeeper.session.timeout.ms=18000
        [zookeeper]
        tickTime=2000
        dataDir=/var/lib/zookeeper
        clientPort=2181
    See: https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    """
    applies(mode(broker) == ZOOKEEPER, "no ZooKeeper")
    asked, tick = broker.int("zookeeper.session.timeout.ms"), zookeeper.int("tickTime")
    least = session_limit(zookeeper, "minSessionTimeout", 2 * tick)
    most = session_limit(zookeeper, "maxSessionTimeout", 20 * tick)
    if not least <= asked <= most:
        places = [broker.at("zookeeper.session.timeout.ms"), zookeeper.at("tickTime")]
        granted = least if asked < least else most
        yield Problem(places, f"{asked} ms requested, {granted} ms granted", f"{least} to {most}")


def session_limit(zookeeper: Subject, key: str, default: int) -> int:
    """A limit of the ensemble's for sessions; -1 stands for the default."""
    limit = zookeeper.int(key)
    return default if limit == -1 else limit
