"""What an image runs with beside its variables: the server.properties it ships, and what its start script computes.

Sources: apache/kafka (docker: KafkaDockerWrapper, configure), bitnami/containers (libkafka.sh, kafka-env.sh), confluentinc/kafka-images
(kafka and local: configure, configureDefaults), debezium/container-images and wurstmeister/kafka-docker (their entry points).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.catalog.target import release_of
from advisor.model import PLACEHOLDER, Version
from collectors.files.block import Block, make_setting
from collectors.files.images.image import (
    APACHE,
    BASES,
    BITNAMI,
    CONFLUENT,
    DEBEZIUM,
    LOCAL,
    WURSTMEISTER,
    Image,
    numbers_in,
    variable_of,
)
from collectors.files.images.variable_checks import (
    ADVERTISED,
    BOOTSTRAP_SERVERS,
    TWO_GENERATIONS,
    VOTERS,
    keeps_empty_advertised,
    uses_stores,
)
from collectors.files.syntax.tree import TreeNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from advisor.model import Setting
    from collectors.files.variables import Variable

    class Container(Protocol):
        """A container as a file describes it."""

        name: str
        image: Image
        image_node: TreeNode | None
        environment: list[Variable]
        outside: str
        mounts: Sequence[str] | None
        mounted_settings: Mapping[str, Setting]


FILE, SCRIPT = "the image's server.properties", "the image's start script"
"""What a setting is derived from that no variable holds."""
WORKERS_FILE = "the image's connect-distributed.properties"
WORKERS_FACTORS = {f"{name}.storage.replication.factor": "1" for name in ("config", "offset", "status")}
"""What Kafka's own file of a worker sets for its topics, which Debezium's script completes. Source: kafka/config, connect-base."""
PROTOCOLS = "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL"
COMBINED = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "listeners": "PLAINTEXT://:9092,CONTROLLER://:9093",
    "inter.broker.listener.name": "PLAINTEXT",
    "advertised.listeners": "PLAINTEXT://localhost:9092",
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": PROTOCOLS,
}
BROKER_ONLY = {**COMBINED, "process.roles": "broker", "node.id": "2", "listeners": "PLAINTEXT://localhost:9092"}
CONTROLLER_ONLY = {
    "process.roles": "controller",
    "node.id": "1",
    "listeners": "CONTROLLER://:9093",
    "controller.listener.names": "CONTROLLER",
}
KRAFT_FILES = {"combined": COMBINED, "broker": BROKER_ONLY, "controller": CONTROLLER_ONLY}
"""What decides whether a node starts, of the files that Kafka ships for KRaft."""
QUORUM_KEYS = (VOTERS, BOOTSTRAP_SERVERS)
DYNAMIC_QUORUM = (4, 0)
"""The first release whose shipped files name the bootstrap servers of the quorum in place of its voters; Apache's image keeps these."""
LOCAL_DEFAULTS = {
    **COMBINED,
    "listeners": "PLAINTEXT://localhost:29092,CONTROLLER://localhost:29093,PLAINTEXT_HOST://0.0.0.0:9092",
    "advertised.listeners": "PLAINTEXT://localhost:29092,PLAINTEXT_HOST://localhost:9092",
    "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,PLAINTEXT_HOST:PLAINTEXT",
    VOTERS: "1@localhost:29093",
}
KRAFT_BY_DEFAULT, NOTHING_SHIPPED = (3, 3), (3, 6)
"""Bitnami's releases: the first that may be in KRaft mode by itself, and the first that ships no setting of either mode."""
NAMES_SERVERS, NO_LONGER_BUILT = (4, 1), "bitnamilegacy/kafka"
"""Bitnami's first release whose script names bootstrap servers of the quorum by itself, and the images that ended before it."""
FIRST_WITH_KRAFT, NO_ZOOKEEPER_MODE = (2, 8), (4, 0)
"""The releases of Kafka that decide Debezium's mode: before the one there is no KRaft, from the other on nothing else."""
TAKES_BOOTSTRAP_SERVERS = (3, 4)
"""The first release of Debezium whose script takes bootstrap servers of the quorum in place of its voters."""
CERTIFICATES = "/opt/bitnami/kafka/config/certs"
JKS_STORES = {f"ssl.{store}.location": f"{CERTIFICATES}/kafka.{store}.jks" for store in ("keystore", "truststore")}
PEM_STORES = dict.fromkeys(
    ("ssl.keystore.key", "ssl.keystore.certificate.chain", "ssl.truststore.certificates"), "${PEM}"
)
"""The stores of a node of Bitnami's with a listener of SSL, by KAFKA_TLS_TYPE."""
ENDED_ZOOKEEPER = (APACHE, BITNAMI, CONFLUENT)
CONFIGURATION = {
    APACHE: "/mnt/shared/config",
    BITNAMI: "/bitnami/kafka/config",
    DEBEZIUM: "/kafka/config",
    CONFLUENT: "/etc/kafka/kafka.properties",
    WURSTMEISTER: "/opt/kafka/config",
}
"""Where each image reads a file of the user's from."""
WORKERS_MOUNTS = (CONFIGURATION[DEBEZIUM], f"{CONFIGURATION[DEBEZIUM]}/connect-distributed.properties")
"""Where a mount brings a worker of Debezium's image a file of its own."""
APPENDED_TO = CONFIGURATION[APACHE]
"""Where the one image looks that appends its variables to a file of the user's."""
MOUNTED_BY_BITNAMI = f"{CONFIGURATION[BITNAMI]}/server.properties"
"""The file over which Bitnami's image takes no variable."""
KEYSTORE = "/etc/kafka/secrets"


def complete(block: Block, container: Container) -> None:
    """Add what the image sets by itself of the keys that decide whether a broker starts."""
    image = container.image
    block.platform, block.described = BASES.get(image.family, ("", None))
    if container.outside:
        return
    if image.family in (APACHE, CONFLUENT):
        _unset_advertised(block, image)
        _listeners_from_advertised(block, image)
        _secrets(block, container)
    if container.mounted_settings and block.settings:
        for setting in container.mounted_settings.values():
            if setting.key not in block.settings:
                block.put(setting)
    elif any(_covers(mount, CONFIGURATION.get(image.family, "")) for mount in container.mounts or ()):
        block.fragment = "a file of properties that is mounted may set it"
        if image.family == BITNAMI and MOUNTED_BY_BITNAMI in (container.mounts or ()):
            block.settings.clear()
    elif image.family in IMAGES:
        IMAGES[image.family](block, container)


def complete_worker(block: Block, container: Container) -> None:
    """Add what Debezium's image has of Kafka's connect-distributed.properties: one replica of each topic of a worker.

    They are for a cluster of one broker: where a worker starts from one server alone, that may be so.
    """
    servers = block.settings.get("bootstrap.servers")
    is_mounted = any(mount.rstrip("/") in WORKERS_MOUNTS for mount in container.mounts or ())
    if container.image.family != DEBEZIUM or container.outside or is_mounted or servers is None:
        return
    if servers.shape != PLACEHOLDER and "," in servers.value.strip(" ,"):
        _add(block, container, WORKERS_FACTORS, WORKERS_FILE)


def _unset_advertised(block: Block, image: Image) -> None:
    """Advertised listeners of a controller that are empty do not reach its file."""
    advertised = block.settings.get("advertised.listeners")
    is_empty = advertised is not None and not advertised.value
    if is_empty and _is_controller(block) and not keeps_empty_advertised(image):
        del block.settings["advertised.listeners"]


def _listeners_from_advertised(block: Block, image: Image) -> None:
    """Apache's and Confluent's images listen where a broker is advertised, on every interface."""
    advertised, listeners = block.settings.get("advertised.listeners"), block.settings.get("listeners")
    if image.repository == LOCAL or _is_controller(block):
        return
    if advertised is None or not advertised.value or (listeners is not None and listeners.value):
        return
    entries = [entry.strip() for entry in advertised.value.split(",") if "://" in entry]
    texts = (f"{entry.partition('://')[0]}://0.0.0.0:{entry.rpartition(':')[2]}" for entry in entries)
    node = TreeNode("scalar", advertised.origin.line or 1, advertised.origin.column or 1, advertised.written or "")
    computed = block.translate("listeners", ",".join(texts), node, advertised.written or "")
    computed.shape = advertised.shape


def _is_controller(block: Block) -> bool:
    """Whether a node has the role of a controller alone."""
    return _written(block, "process.roles") == "controller"


def _written(block: Block, key: str) -> str:
    """The text of a setting; empty where it is not set."""
    setting = block.settings.get(key)
    return setting.value if setting is not None else ""


def _covers(mount: str, folder: str) -> bool:
    """Whether a mount brings a server.properties of its own."""
    bare = mount.rstrip("/")
    return bool(folder) and bare in (
        folder,
        f"{folder}/server.properties",
        folder.rpartition("/")[0] + "/server.properties",
    )


def is_zookeeper_mode(block: Block) -> bool:
    """Whether a node's settings are for ZooKeeper mode, all that decides it being known."""
    return "zookeeper.connect" in block.settings and "process.roles" not in block.settings and not block.fragment


def newest_without_zookeeper(block: Block, image: Image) -> bool:
    """Whether ZooKeeper's settings meet the newest image of a family that ended ZooKeeper mode."""
    return is_zookeeper_mode(block) and image.family in ENDED_ZOOKEEPER and image.tag in ("", "latest")


def version_of(container: Container) -> Version | None:
    """The release in the image's tag, None where it says none."""
    try:
        return release_of(container.image.release)[0] if container.image.release else None
    except ValueError:
        return None


def values_of(container: Container) -> Mapping[str, str]:
    """The container's variables that have a value."""
    return {variable.name: variable.value for variable in container.environment if variable.value}


def _add(block: Block, container: Container, settings: Mapping[str, str], derived: str) -> None:
    """Add settings that no variable sets, at the image."""
    place = container.image_node or TreeNode("scalar", 0, 0, "image")
    for key, value in settings.items():
        if key not in block.settings:
            setting = make_setting(key, value, block.file, place, None)
            setting.written, setting.derived = variable_of(container.image, key), derived
            block.put(setting)


def _add_kraft(block: Block, container: Container, role: str = "combined") -> None:
    """Add what Kafka's own file for a role in KRaft mode holds."""
    quorum = {VOTERS: "1@localhost:9093"}
    is_dynamic = (version_of(container) or DYNAMIC_QUORUM) >= DYNAMIC_QUORUM
    if is_dynamic and container.image.family != APACHE:
        quorum = {BOOTSTRAP_SERVERS: "localhost:9093"}
    known = {} if any(key in block.settings for key in QUORUM_KEYS) else quorum
    _add(block, container, {**KRAFT_FILES.get(role, COMBINED), **known}, FILE)


def _apache(block: Block, container: Container) -> None:
    """As soon as one variable becomes a line, the shipped file is not used."""
    if not block.settings and not _writes_lines(container):
        _add_kraft(block, container)
        block.platform, block.described = "the Apache image's server.properties", dict(INTERNAL_OF_ONE)


def _writes_lines(container: Container) -> bool:
    """Whether a variable becomes a line of the file, be it a setting of Kafka's or not."""
    written = (each.name for each in container.environment if each.value is not None)
    return any(name.startswith("KAFKA_") and name not in NO_LINES for name in written)


NO_LINES = frozenset(
    [
        "KAFKA_VERSION",
        "KAFKA_HEAP_OPTS",
        "KAFKA_LOG4J_OPTS",
        "KAFKA_OPTS",
        "KAFKA_JMX_OPTS",
        "KAFKA_JVM_PERFORMANCE_OPTS",
        "KAFKA_GC_LOG_OPTS",
        "KAFKA_LOG4J_ROOT_LOGLEVEL",
        "KAFKA_LOG4J_LOGGERS",
        "KAFKA_TOOLS_LOG4J_LOGLEVEL",
        "KAFKA_JMX_HOSTNAME",
    ]
)
"""The variables that Apache's image writes to no file. Source: ExcludeServerPropsEnv of its KafkaDockerWrapper."""
LACKS = "lacks."
"""What the fact begins with about a variable that is missing because one that is set replaces the image's file."""
NEEDED_IN_KRAFT = {
    "KAFKA_PROCESS_ROLES": ("process.roles",),
    "KAFKA_NODE_ID": ("node.id", "broker.id"),
    "KAFKA_LISTENERS": ("listeners",),
    "KAFKA_CONTROLLER_LISTENER_NAMES": ("controller.listener.names",),
    "KAFKA_CONTROLLER_QUORUM_VOTERS": QUORUM_KEYS,
}
"""The variables without which a combined node does not start, and the keys of which each sets one."""


def dropped_from_file(block: Block, container: Container) -> list[str]:
    """The variables of what a node lacks because Apache's image dropped its own file for another variable."""
    is_dropped = container.image.family == APACHE and not block.described and not container.mounted_settings
    if not is_dropped or block.fragment or {"process.roles", "zookeeper.connect"} & block.settings.keys():
        return []
    return [name for name, keys in NEEDED_IN_KRAFT.items() if not any(key in block.settings for key in keys)]


INTERNAL_OF_ONE: dict[str, str | None] = {
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "log.dirs": "/tmp/kraft-combined-logs",
}
"""What the shipped files set otherwise than Kafka's defaults."""


def _confluent(block: Block, container: Container) -> None:
    """The folder of the logs is set beside log.dir; the image for one developer has defaults of its own."""
    if container.image.repository == LOCAL:
        _add(block, container, LOCAL_DEFAULTS, SCRIPT)
        own = {**INTERNAL_OF_ONE, "group.initial.rebalance.delay.ms": "0"}
        block.platform, block.described = "the confluent-local image", own
    folder = (block.described or {}).get("log.dirs")
    if "log.dir" in block.settings and folder:
        _add(block, container, {"log.dirs": folder}, SCRIPT)


def _secrets(block: Block, container: Container) -> None:
    """The stores that variables name by their files, with their passwords in other files, where the script uses them."""
    written = {each.name: each.value for each in container.environment}
    advertised = written.get(ADVERTISED, "")
    is_known = advertised is not None and "$" not in advertised
    if is_known and not uses_stores(container.image, written):
        return
    for variable, value in values_of(container).items():
        if variable.startswith("KAFKA_SSL_") and variable.endswith("STORE_FILENAME"):
            store = variable.removeprefix("KAFKA_").removesuffix("_FILENAME").lower().replace("_", ".")
            _add(block, container, {f"{store}.location": f"{KEYSTORE}/{value}"}, variable)
        elif variable.startswith("KAFKA_SSL_") and variable.endswith("_CREDENTIALS"):
            store = variable.removeprefix("KAFKA_").removesuffix("_CREDENTIALS").lower().replace("_", ".")
            _add(block, container, {f"{store}.password": f"${{{variable}}}"}, variable)


def _bitnami(block: Block, container: Container) -> None:
    """Releases up to 3.1 merge into the file of ZooKeeper mode, those from 3.6 on into a file without any setting of either mode."""
    version, kraft = version_of(container), values_of(container).get("KAFKA_ENABLE_KRAFT", "").lower()
    _bitnami_stores(block, container)
    if version is None or version >= NOTHING_SHIPPED:
        block.described = dict(block.described or {})
        block.described.pop("group.initial.rebalance.delay.ms", None)
        return _bitnamis_quorum(block, container, version)
    if version < TWO_GENERATIONS[0]:
        return _add(block, container, {"zookeeper.connect": "localhost:2181"}, FILE)
    if version >= KRAFT_BY_DEFAULT and not kraft:
        block.fragment = f"the image of Kafka {version[0]}.{version[1]} may set it"
        return None
    return _add_unknown_mode(block, container, kraft in ("yes", "true", "1"))


def _bitnamis_quorum(block: Block, container: Container, version: tuple[int, int] | None) -> None:
    """From 4.1 on the script names the bootstrap servers of the quorum; `latest` of the images that are no longer built is older."""
    is_newest = version is None and container.image.repository != NO_LONGER_BUILT
    if (
        "process.roles" in block.settings
        and VOTERS not in block.settings
        and (is_newest or (version or (0, 0)) >= NAMES_SERVERS)
    ):
        _add(block, container, {BOOTSTRAP_SERVERS: "localhost:9093"}, SCRIPT)


def _add_unknown_mode(block: Block, container: Container, in_kraft: bool) -> None:
    """Add what the older of two scripts under one tag sets of a mode, and the newer does not: what it is cannot be told."""
    keys = (*COMBINED, VOTERS) if in_kraft else ("zookeeper.connect",)
    if in_kraft or "process.roles" not in block.settings:
        _add(block, container, dict.fromkeys(keys, "${BUILD_OF_THE_IMAGE}"), SCRIPT)


def _bitnami_stores(block: Block, container: Container) -> None:
    """Key stores and logins of the listeners, by their protocols."""
    values, listeners = values_of(container), _protocols(block, version_of(container))
    if any(protocol.endswith("SSL") for _, protocol in listeners):
        client_auth = {"ssl.client.auth": values.get("KAFKA_TLS_CLIENT_AUTH", "required")}
        is_pem = values.get("KAFKA_TLS_TYPE", "JKS") == "PEM"
        _add(block, container, {**client_auth, **(PEM_STORES if is_pem else JKS_STORES)}, SCRIPT)
    enabled = values.get("KAFKA_CFG_SASL_ENABLED_MECHANISMS", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512")
    for name, protocol in listeners:
        if protocol.startswith("SASL"):
            logins = _logins(block, container, name, enabled) if _has_login(block, container) else {}
            _add(block, container, {"sasl.enabled.mechanisms": enabled, **logins}, SCRIPT)


def _protocols(block: Block, version: Version | None) -> list[tuple[str, str]]:
    """The names and protocols of a node's listeners: those of the map, or, where there is none, the names themselves."""
    listeners, mapped = (_written(block, key) for key in ("listeners", "listener.security.protocol.map"))
    rows = [row.strip().partition(":") for row in mapped.split(",") if ":" in row]
    if not mapped:
        names = [entry.strip().partition("://")[0] for entry in listeners.split(",")]
        return [(name, name) for name in names if name]
    takes_all = "$" in listeners or (version is not None and version < NOTHING_SHIPPED)
    return [(name, protocol) for name, _, protocol in rows if takes_all or name in listeners]


def _has_login(block: Block, container: Container) -> bool:
    """Whether the script writes logins: from 3.6 on only for the listeners that the map names, before in a file for all of them."""
    version = version_of(container)
    is_old = version is not None and version < NOTHING_SHIPPED
    return is_old or bool(_written(block, "listener.security.protocol.map"))


def _logins(block: Block, container: Container, name: str, enabled: str) -> dict[str, str]:
    """The JAAS lines of a listener's mechanisms; from 3.6 on that of controllers has the one that they use."""
    begins, version = f"listener.name.{name.lower()}", version_of(container)
    is_controllers = name in _written(block, "controller.listener.names").split(",")
    mechanisms, own = enabled, {}
    if is_controllers and (version is None or version >= NOTHING_SHIPPED):
        mechanisms = _written(block, "sasl.mechanism.controller.protocol")
        own = {f"{begins}.sasl.enabled.mechanisms": mechanisms}
    if not mechanisms:
        return {}
    keys = [f"{begins}.{each.strip().lower()}.sasl.jaas.config" for each in mechanisms.split(",")]
    return {**dict.fromkeys(keys, "${JAAS}"), **own}


def _debezium(block: Block, container: Container) -> None:
    """Variables are merged into Kafka's own file of the mode and the role; ids, folders and addresses are the script's."""
    values, version = values_of(container), version_of(container)
    in_kraft = (version or FIRST_WITH_KRAFT) >= (FIRST_WITH_KRAFT if "CLUSTER_ID" in values else NO_ZOOKEEPER_MODE)
    if not in_kraft and version is None and "ZOOKEEPER_CONNECT" not in values:
        block.fragment = "the image of this release may set it"
        return
    id = _first(container, ("NODE_ID", "BROKER_ID"), "1")
    computed = {"broker.id": id, "log.dirs": f"{values.get('KAFKA_DATA', '/kafka/data')}/{id}"}
    computed |= {"node.id": id} if in_kraft else {"zookeeper.connect": "0.0.0.0:2181"}
    role = values.get("NODE_ROLE", "combined").lower() if in_kraft else "broker"
    _add(block, container, {**computed, **_debeziums_addresses(container, role)}, SCRIPT)
    if in_kraft:
        _debeziums_quorum(block, container)
        _add_kraft(block, container, role)


def _debeziums_addresses(container: Container, role: str) -> dict[str, str]:
    """The listeners of a role, and what is advertised for them."""
    host = _first(container, ("KAFKA_HOST_NAME", "HOST_NAME"), container.name)
    port = _first(container, ("KAFKA_PORT", "PORT"), "9092")
    control = f"{host}:{_first(container, ('CONTROLLER_PORT',), '9093')}"
    listeners = {"broker": f"PLAINTEXT://{host}:{port}", "controller": f"PLAINTEXT://{control}"}
    both = f"PLAINTEXT://{host}:{port},CONTROLLER://{control}"
    known = _first(container, ("KAFKA_ADVERTISED_HOST_NAME", "ADVERTISED_HOST_NAME", "HOST_NAME"), container.name)
    known_port = _first(container, ("KAFKA_ADVERTISED_PORT", "ADVERTISED_PORT"), "9092")
    return {"listeners": listeners.get(role, both), "advertised.listeners": f"PLAINTEXT://{known}:{known_port}"}


def _first(container: Container, names: Sequence[str], otherwise: str) -> str:
    """The value of the first of the variables that has one; what is filled in later is a placeholder."""
    values = {each.name: f"${{{each.name}}}" if each.value is None else each.value for each in container.environment}
    return next((values[name] for name in names if values.get(name)), otherwise)


def _debeziums_quorum(block: Block, container: Container) -> None:
    """From 3.4 on the script makes bootstrap servers of the first of the voters, which it drops."""
    release, voters = numbers_in(container.image.tag), block.settings.get(VOTERS)
    if voters is None or BOOTSTRAP_SERVERS in block.settings or (release or (0, 0)) < TAKES_BOOTSTRAP_SERVERS:
        return
    del block.settings[VOTERS]
    first = voters.value.partition(",")[0].rpartition("@")[2]
    place = TreeNode("scalar", voters.origin.line or 1, voters.origin.column or 1, voters.written or "")
    block.derive(BOOTSTRAP_SERVERS, first, place, voters.written or "").shape = voters.shape


def _wurstmeister(block: Block, container: Container) -> None:
    """Variables are merged into the server.properties of ZooKeeper mode, which the script completes."""
    values = values_of(container)
    id = "${BROKER_ID_COMMAND}" if any(each.name == "BROKER_ID_COMMAND" for each in container.environment) else "-1"
    _add(block, container, {"broker.id": id}, SCRIPT)
    if "zookeeper.connect" not in block.settings:
        _add(block, container, {"zookeeper.connect": "${ZK_PORT_2181_TCP}"}, SCRIPT)
    if {"KAFKA_PROTOCOL_NAME", "KAFKA_ADVERTISED_PROTOCOL_NAME"} & values.keys():
        for key in ("listeners", "advertised.listeners", "inter.broker.listener.name"):
            if key in block.settings:
                block.settings[key].shape = PLACEHOLDER
            _add(block, container, {key: "${KAFKA_PROTOCOL_NAME}"}, SCRIPT)


IMAGES = {
    APACHE: _apache,
    BITNAMI: _bitnami,
    CONFLUENT: _confluent,
    DEBEZIUM: _debezium,
    WURSTMEISTER: _wurstmeister,
}
