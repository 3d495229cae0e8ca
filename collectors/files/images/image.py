"""Container images of Kafka: whose they are, the release in their tag, and which variable becomes which setting.

Sources: apache/kafka docker (KafkaDockerWrapper), confluentinc/kafka-images (ub), bitnami/containers (libkafka.sh),
wurstmeister/kafka-docker (start-kafka.sh), debezium/container-images (docker-entrypoint.sh).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from advisor.catalog.image_names import repository_and_tag
from advisor.catalog.target import release_of
from advisor.model import is_whole_number
from collectors.files.names import is_key

BROKER, CONNECT, ZOOKEEPER, OTHER = "broker", "connect", "zookeeper", "other"
APACHE, CONFLUENT, BITNAMI, WURSTMEISTER, DEBEZIUM, STRIMZI = (
    "apache", "confluent", "bitnami", "wurstmeister", "debezium", "strimzi",
)  # fmt: skip
REPOSITORIES: dict[str, tuple[str, str]] = {
    "apache/kafka": (APACHE, BROKER),
    "apache/kafka-native": (APACHE, BROKER),
    "confluentinc/cp-kafka": (CONFLUENT, BROKER),
    "confluentinc/cp-server": (CONFLUENT, BROKER),
    "confluentinc/cp-enterprise-kafka": (CONFLUENT, BROKER),
    "confluentinc/confluent-local": (CONFLUENT, BROKER),
    "confluentinc/kafka": (CONFLUENT, BROKER),
    "confluentinc/cp-kafka-connect": (CONFLUENT, CONNECT),
    "confluentinc/cp-kafka-connect-base": (CONFLUENT, CONNECT),
    "confluentinc/cp-server-connect": (CONFLUENT, CONNECT),
    "confluentinc/cp-server-connect-base": (CONFLUENT, CONNECT),
    "confluentinc/cp-zookeeper": (CONFLUENT, ZOOKEEPER),
    "bitnami/kafka": (BITNAMI, BROKER),
    "bitnamilegacy/kafka": (BITNAMI, BROKER),
    "soldevelo/kafka": (BITNAMI, BROKER),
    "bitnami/zookeeper": (BITNAMI, ZOOKEEPER),
    "bitnamilegacy/zookeeper": (BITNAMI, ZOOKEEPER),
    "wurstmeister/kafka": (WURSTMEISTER, BROKER),
    "wurstmeister/zookeeper": (WURSTMEISTER, ZOOKEEPER),
    "debezium/kafka": (DEBEZIUM, BROKER),
    "debezium/connect": (DEBEZIUM, CONNECT),
    "debezium/connect-base": (DEBEZIUM, CONNECT),
    "debezium/zookeeper": (DEBEZIUM, ZOOKEEPER),
    "strimzi/kafka": (STRIMZI, BROKER),
    "library/zookeeper": (APACHE, ZOOKEEPER),
    "zookeeper": (APACHE, ZOOKEEPER),
}
"""(whose, what it runs) of the images that are read."""
OF_CONFLUENT = "cp-"
LAST_OF_WURSTMEISTER = "2.8"
"""What its `latest` holds since 2021."""
NOT_KAFKA = ("redpanda", "kafka-ui", "akhq", "kafdrop", "kafka-exporter", "schema-registry", "kafka-rest", "ksqldb",
             "control-center", "kcat", "kafkacat", "kafka-manager", "cmak", "burrow", "cruise-control", "kowl", "kafka-magic",
             "exporter", "console", "warpstream", "apicurio", "karapace", "kafka-bridge")  # fmt: skip
"""What is in the names of images that are no broker of Kafka, whatever their variables look like."""
USER_INTERFACES = frozenset(("ui", "gui", "webui"))
"""Words between hyphens in such names."""
STEERING = frozenset(
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
        "KAFKA_JMX_PORT",
        "KAFKA_LOG4J_CONFIGURATION",
        "KAFKA_HOME",
        "KAFKA_DATA",
        "KAFKA_CREATE_TOPICS",
        "KAFKA_JMX",
        "KAFKA_DEBUG",
        "KAFKA_RUN_CLASS",
        "KAFKA_CLUSTER_ID",
        "KAFKA_CMD",
        "KAFKA_LOG4J",
        "KAFKA_LOG_DIR_PREFIX",
        "KAFKA_PROTOCOL_NAME",
        "KAFKA_ADVERTISED_PROTOCOL_NAME",
    ]
)
"""Variables that steer an image or the JVM, and are no settings."""
LOCAL, TAKES_REPORTERS = "confluentinc/confluent-local", (8, 1)
"""The image for one developer, and the first release whose workers may take CONNECT_METRIC_REPORTERS."""
CREDENTIALS = ("_CREDENTIALS", "_FILENAME")
"""How the variables of cp images end that name files of secrets."""
DEBEZIUM_VARIABLES = {
    "BROKER_ID": "broker.id",
    "NODE_ID": "node.id",
    "ZOOKEEPER_CONNECT": "zookeeper.connect",
    "KAFKA_CONTROLLER_QUORUM_VOTERS": "controller.quorum.voters",
    "NODE_ROLE": "process.roles",
    "GROUP_ID": "group.id",
    "CONFIG_STORAGE_TOPIC": "config.storage.topic",
    "OFFSET_STORAGE_TOPIC": "offset.storage.topic",
    "STATUS_STORAGE_TOPIC": "status.storage.topic",
    "BOOTSTRAP_SERVERS": "bootstrap.servers",
    "KEY_CONVERTER": "key.converter",
    "VALUE_CONVERTER": "value.converter",
    "OFFSET_FLUSH_INTERVAL_MS": "offset.flush.interval.ms",
    "OFFSET_FLUSH_TIMEOUT_MS": "offset.flush.timeout.ms",
    "SHUTDOWN_TIMEOUT": "task.shutdown.graceful.timeout.ms",
}
"""Debezium's own names; NODE_ROLE says combined, broker or controller."""
DEBEZIUM_OVERWRITES = {
    "KAFKA_BROKER_ID": "BROKER_ID",
    "KAFKA_NODE_ID": "NODE_ID",
    "KAFKA_ZOOKEEPER_CONNECT": "ZOOKEEPER_CONNECT",
}
"""Variables that the script of Debezium's broker sets anew, and the variables of which it takes them."""
OF_ZOOKEEPER_MODE, DEBEZIUM_KRAFT_ONLY = ("KAFKA_ZOOKEEPER_CONNECT",), (3, 2)
"""Those that it sets up to the last release with ZooKeeper mode, and the first one without."""
DEBEZIUM_TAKES = frozenset(
    ["KAFKA_LOG_DIRS", "KAFKA_HOST_NAME", "KAFKA_PORT", "KAFKA_ADVERTISED_HOST_NAME", "KAFKA_ADVERTISED_PORT"]
)
"""Those that it sets anew or takes addresses from, and that become no settings."""
DEBEZIUM_RELEASES = {
    "0.10": "2.3",
    "1.0": "2.4",
    "1.1": "2.4",
    "1.2": "2.5",
    "1.3": "2.6",
    "1.4": "2.6",
    "1.5": "2.7",
    "1.6": "2.7",
    "1.7": "2.8",
    "1.8": "3.0",
    "1.9": "3.2",
    "2.0": "3.3",
    "2.1": "3.3",
    "2.2": "3.4",
    "2.3": "3.4",
    "2.4": "3.5",
    "2.5": "3.6",
    "2.6": "3.7",
    "2.7": "3.7",
    "3.0": "3.9",
    "3.1": "3.9",
    "3.2": "4.0",
    "3.3": "4.1",
    "3.4": "4.1",
    "3.5": "4.2",
    "3.6": "4.3",
    "3.7": "4.3",
}
"""The release of Kafka in Debezium's images, by Debezium's own. Source: KAFKA_VERSION of its Dockerfiles."""
BITNAMI_ALIASES = frozenset(
    [
        "advertised.listeners",
        "auto.create.topics.enable",
        "broker.id",
        "node.id",
        "controller.quorum.voters",
        "process.roles",
        "default.replication.factor",
        "delete.topic.enable",
        "inter.broker.listener.name",
        "listeners",
        "listener.security.protocol.map",
        "log.dirs",
        "log.flush.interval.messages",
        "log.flush.interval.ms",
        "log.message.format.version",
        "log.retention.bytes",
        "log.retention.hours",
        "log.segment.bytes",
        "message.max.bytes",
        "num.io.threads",
        "num.network.threads",
        "num.partitions",
        "num.recovery.threads.per.data.dir",
        "offsets.topic.replication.factor",
        "socket.receive.buffer.bytes",
        "socket.request.max.bytes",
        "socket.send.buffer.bytes",
        "ssl.endpoint.identification.algorithm",
        "transaction.state.log.min.isr",
        "transaction.state.log.replication.factor",
        "zookeeper.connect",
        "zookeeper.connection.timeout.ms",
    ]
)
"""Settings that Bitnami's image takes without CFG, too. Source: kafka_create_alias_environment_variables of its releases 2 to 4.0."""
BITNAMI_RENAMED = {
    "KAFKA_LOGS_DIRS": "log.dirs",
    "KAFKA_SEGMENT_BYTES": "log.segment.bytes",
    "KAFKA_MAX_MESSAGE_BYTES": "message.max.bytes",
    "KAFKA_ZOOKEEPER_CONNECT_TIMEOUT_MS": "zookeeper.connection.timeout.ms",
    "KAFKA_AUTO_CREATE_TOPICS_ENABLE": "auto.create.topics.enable",
}
"""The same for those that are called something else without CFG."""
ROLES = {"combined": "broker,controller"}


class Image:
    """A reference to an image, taken apart: `family` is whose rules its variables follow, `runs` what it runs."""

    def __init__(self, reference: str) -> None:
        self.reference = reference
        self.repository, self.tag = repository_and_tag(reference)
        self.family, self.runs = REPOSITORIES.get(self.repository) or _of_mirror(self.repository)

    @cached_property
    def is_other(self) -> bool:
        """Whether it is known to run something else."""
        name = self.repository.rpartition("/")[2]
        return not self.family and ("redpanda" in self.repository or _is_other(name))

    @property
    def release(self) -> str | None:
        """The release that the tag says, as --kafka-version takes it; None where it says none, or counts on its own."""
        if self.family == WURSTMEISTER and self.runs == BROKER and self.tag in ("", "latest"):
            return LAST_OF_WURSTMEISTER
        confluent = not self.family and self.repository.startswith("confluentinc/")
        release = release_in_tag(CONFLUENT if confluent else self.family, self.tag)
        if release is None or self.family or release_of(release)[1] is None:
            return release
        return None


def _of_mirror(repository: str) -> tuple[str, str]:
    """(whose, what it runs) of an image below another path, as registries mirror it; Confluent's names are nobody else's."""
    owner, _, name = repository.rpartition("/")
    original = f"{owner.rpartition('/')[2]}/{name}"
    if name.startswith(OF_CONFLUENT):
        original = f"confluentinc/{name}"
    return REPOSITORIES.get(original, ("", ""))


def _is_other(name: str) -> bool:
    words = name.replace("_", "-").replace(".", "-").split("-")
    return any(word in name for word in NOT_KAFKA) or not USER_INTERFACES.isdisjoint(words)


def release_in_tag(family: str, tag: str) -> str | None:
    """The release of Kafka in an image's tag, as --kafka-version takes it."""
    if family == STRIMZI:
        tag = tag.partition("-kafka-")[2]
    elif family == WURSTMEISTER:
        tag = tag.partition("-")[2] or tag
    number = tag.partition("-")[0].removeprefix("v")
    numbers = number.split(".")
    if len(numbers) < 2 or not (is_whole_number(numbers[0]) and is_whole_number(numbers[1])):
        return None
    release = f"{numbers[0]}.{numbers[1]}"
    if family == DEBEZIUM:
        return DEBEZIUM_RELEASES.get(release)
    return f"cp{release}" if family == CONFLUENT else release


def numbers_in(tag: str) -> tuple[int, int] | None:
    """The first two numbers of a tag; None where it does not begin with them."""
    numbers = tag.split(".")[:2]
    known = len(numbers) == 2 and all(map(is_whole_number, numbers))
    return (int(numbers[0]), int(numbers[1])) if known else None


def property_of(image: Image, variable: str) -> str | None:
    """The setting that a variable of a broker's or a worker's image becomes; None where it becomes none."""
    if variable in STEERING or _is_left_out(image, variable):
        return None
    if image.runs == CONNECT and image.family in (CONFLUENT, ""):
        return _double_underscores(variable, "CONNECT_") if not variable.endswith(CREDENTIALS) else None
    if image.family == BITNAMI and not variable.startswith("KAFKA_CFG_"):
        alias = BITNAMI_RENAMED.get(variable) or _double_underscores(variable)
        return alias if alias in BITNAMI_ALIASES else None
    if image.family == DEBEZIUM:
        return _debezium(image, variable)
    return FORMS[image.family or CONFLUENT](variable)


def in_order(image: Image, names: Iterable[str]) -> list[int]:
    """The order in which variables count, the last one most: of Bitnami's those without CFG, which its script writes over the others."""
    names = list(names)
    is_alias = [image.family == BITNAMI and not name.startswith("KAFKA_CFG_") for name in names]
    return sorted(range(len(names)), key=is_alias.__getitem__)


def _is_left_out(image: Image, variable: str) -> bool:
    """Whether the template of one of Confluent's images leaves a variable out."""
    if variable == "CONNECT_METRIC_REPORTERS":
        return image.family == CONFLUENT and (numbers_in(image.tag) or TAKES_REPORTERS) < TAKES_REPORTERS
    return image.repository == LOCAL and variable.startswith("KAFKA_REST_")


def _double_underscores(variable: str, prefix: str = "KAFKA_") -> str | None:
    """KAFKA_A_B is a.b, __ is an underscore and ___ a hyphen."""
    if not variable.startswith(prefix) or variable.endswith(CREDENTIALS):
        return None
    name = variable[len(prefix) :].lower()
    return name.replace("___", "-").replace("__", "\0").replace("_", ".").replace("\0", "_") or None


def _bitnami(variable: str) -> str | None:
    name = variable[len("KAFKA_CFG_") :].lower().replace("_", ".")
    return name.replace("sasl.ssl", "sasl_ssl").replace("sasl.plaintext", "sasl_plaintext")


def _wurstmeister(variable: str) -> str | None:
    return variable[len("KAFKA_") :].lower().replace("_", ".") if variable.startswith("KAFKA_") else None


def _debezium(image: Image, variable: str) -> str | None:
    """Own names, and those with the prefix of what the image runs."""
    prefix = "CONNECT_" if image.runs == CONNECT else "KAFKA_"
    if variable in DEBEZIUM_VARIABLES:
        return DEBEZIUM_VARIABLES[variable]
    is_setting = variable.startswith(prefix) and variable not in DEBEZIUM_TAKES
    return variable[len(prefix) :].lower().replace("_", ".") if is_setting else None


FORMS: Mapping[str, Callable[[str], str | None]] = {
    APACHE: _double_underscores,
    CONFLUENT: _double_underscores,
    STRIMZI: lambda variable: None,
    BITNAMI: _bitnami,
    WURSTMEISTER: _wurstmeister,
}
"""How each family's images turn variables into settings."""


def other_spelling(image: Image, variable: str) -> str | None:
    """How this image spells a broker's variable that is written as others take it; None where it takes it as it is.

    KAFKA_CFG_ is Bitnami's, which takes nothing else but a few aliases.
    """
    if variable == "KAFKA_CLUSTER_ID" and image.family in (APACHE, CONFLUENT):
        return "CLUSTER_ID"
    if not image.family or image.runs != BROKER or variable in STEERING:
        return None
    begins = variable.startswith("KAFKA_CFG_")
    if image.family == DEBEZIUM and variable in DEBEZIUM_OVERWRITES:
        has_zookeeper_mode = (numbers_in(image.tag) or DEBEZIUM_KRAFT_ONLY) < DEBEZIUM_KRAFT_ONLY
        return DEBEZIUM_OVERWRITES[variable] if has_zookeeper_mode or variable not in OF_ZOOKEEPER_MODE else None
    if image.family == BITNAMI:
        key = None if begins or property_of(image, variable) else _double_underscores(variable)
    else:
        key = _bitnami(variable) if begins else None
    return variable_of(image, key) if key is not None and is_key(key, ("broker",)) else None


def variable_of(image: Image, key: str) -> str:
    """The variable that would set a key: the inverse of `property_of`."""
    upper = key.replace("-", "___").replace("_", "__").replace(".", "_").upper()
    if image.runs == CONNECT:
        return f"CONNECT_{upper}"
    if image.family == DEBEZIUM:
        return next((name for name, own in DEBEZIUM_VARIABLES.items() if own == key), f"KAFKA_{upper}")
    if image.family == BITNAMI:
        return "KAFKA_CFG_" + key.replace(".", "_").replace("-", "_").upper()
    return f"KAFKA_{upper}"


ZOOKEEPER_KEYS = {
    "CLIENT_PORT": "clientPort", "TICK_TIME": "tickTime", "INIT_LIMIT": "initLimit", "SYNC_LIMIT": "syncLimit",
    "MAX_CLIENT_CNXNS": "maxClientCnxns", "AUTOPURGE_PURGE_INTERVAL": "autopurge.purgeInterval",
    "AUTOPURGE_SNAP_RETAIN_COUNT": "autopurge.snapRetainCount", "4LW_COMMANDS_WHITELIST": "4lw.commands.whitelist",
    "STANDALONE_ENABLED": "standaloneEnabled", "SECURE_CLIENT_PORT": "secureClientPort",
    "AUTOPURGE_PURGEINTERVAL": "autopurge.purgeInterval", "AUTOPURGE_SNAPRETAINCOUNT": "autopurge.snapRetainCount",
}  # fmt: skip
"""ZOOKEEPER_ and ZOO_ variables without their prefix, and the key of zoo.cfg that they set."""

BITNAMI_BASE: dict[str, str | None] = {
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "num.network.threads": "3",
    "num.io.threads": "8",
    "log.dirs": "/bitnami/kafka/data",
    "group.initial.rebalance.delay.ms": "0",
}
"""The lines of the server.properties that Bitnami's image starts from, where they differ from Kafka's defaults."""
DEBEZIUM_BASE: dict[str, str | None] = {
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "log.dirs": "/kafka/data/1",
    "group.initial.rebalance.delay.ms": "0",
}
WURSTMEISTER_BASE: dict[str, str | None] = {
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "log.dirs": "/kafka/kafka-logs-${HOSTNAME}",
    "group.initial.rebalance.delay.ms": "0",
}
CONFLUENT_BASE: dict[str, str | None] = {"log.dirs": "/var/lib/kafka/data"}
BASES: Mapping[str, tuple[str, dict[str, str | None]]] = {
    BITNAMI: ("the Bitnami image's server.properties", BITNAMI_BASE),
    DEBEZIUM: ("the Debezium image's server.properties", DEBEZIUM_BASE),
    WURSTMEISTER: ("the wurstmeister image's server.properties", WURSTMEISTER_BASE),
    CONFLUENT: ("the Confluent image", CONFLUENT_BASE),
}
"""(whose, defaults) of the images that set something before the variables do."""
