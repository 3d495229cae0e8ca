"""Variables that the script of an image of Kafka Connect or ZooKeeper requires before it starts it.

Sources: configure of kafka-connect-base and zookeeper in confluentinc/kafka-images (5.4 to 8.3), docker-entrypoint.sh of
debezium/connect-base (0.1 to 3.7), zookeeper_validate of bitnami/containers (libzookeeper.sh).
"""

from __future__ import annotations

from collectors.files.images.image import BITNAMI, CONNECT, DEBEZIUM, ZOOKEEPER
from collectors.files.images.variable_checks import REQUIRES, TAKES_EMPTY, is_missing, platform_release

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from collectors.files.images.image import Image
    from collectors.files.images.variable_checks import Values

CONNECT_IMAGES = tuple(
    f"confluentinc/cp-{name}"
    for name in ("kafka-connect", "kafka-connect-base", "server-connect", "server-connect-base")
)
OF_WORKER = (
    "CONNECT_BOOTSTRAP_SERVERS",
    "CONNECT_GROUP_ID",
    "CONNECT_CONFIG_STORAGE_TOPIC",
    "CONNECT_OFFSET_STORAGE_TOPIC",
    "CONNECT_STATUS_STORAGE_TOPIC",
    "CONNECT_KEY_CONVERTER",
    "CONNECT_VALUE_CONVERTER",
    "CONNECT_REST_ADVERTISED_HOST_NAME",
)
AVRO, REGISTRY = "io.confluent.connect.avro.AvroConverter", "_SCHEMA_REGISTRY_URL"
OF_DEBEZIUM = ("CONFIG_STORAGE_TOPIC", "OFFSET_STORAGE_TOPIC")
CP_ZOOKEEPER = "confluentinc/cp-zookeeper"
PORTS, SERVERS, ID = (
    ("ZOOKEEPER_CLIENT_PORT", "ZOOKEEPER_SECURE_CLIENT_PORT"),
    "ZOOKEEPER_SERVERS",
    "ZOOKEEPER_SERVER_ID",
)
ALLOWS = ("ALLOW_ANONYMOUS_LOGIN", "ALLOW_EMPTY_PASSWORD", "ZOO_ENABLE_AUTH", "ZOO_ENABLE_AUTH_FILE")
"""What lets Bitnami's ZooKeeper start: clients without a login, as its earlier and its later builds say it, or with one."""
OFF = ("", "no", "false", "0")


def missing_variables(image: Image, values: Values) -> list[str]:
    """The facts about variables whose absence ends the script; `values` are all variables of a container, None where one is not known."""
    if "$" in "".join(values):
        return []
    missing = _of_workers(image, values) if image.runs == CONNECT else _of_zookeeper(image, values)
    return [REQUIRES + name for name in missing]


def _of_workers(image: Image, values: Values) -> Iterator[str]:
    """What a worker of Confluent's or Debezium's lacks."""
    if image.repository in CONNECT_IMAGES:
        takes_empty = (platform_release(image.tag) or TAKES_EMPTY) >= TAKES_EMPTY
        converters = (name for name in ("CONNECT_KEY_CONVERTER", "CONNECT_VALUE_CONVERTER") if values.get(name) == AVRO)
        required = (*OF_WORKER, *(f"{name}{REGISTRY}" for name in converters))
        yield from (name for name in required if is_missing(values, name, takes_empty))
    elif image.family == DEBEZIUM:
        yield from (name for name in OF_DEBEZIUM if is_missing(values, name))


def _of_zookeeper(image: Image, values: Values) -> Iterator[str]:
    """What a server of Confluent's or Bitnami's lacks."""
    if image.runs != ZOOKEEPER:
        return
    if image.repository == CP_ZOOKEEPER:
        if all(is_missing(values, name) for name in PORTS):
            yield PORTS[0]
        if not is_missing(values, SERVERS) and is_missing(values, ID):
            yield ID
    elif image.family == BITNAMI and not any(_is_on(values, name) for name in ALLOWS):
        yield ALLOWS[0]


def _is_on(values: Values, name: str) -> bool:
    """Whether a variable is switched on, or may be: one that is filled in later."""
    value = values.get(name, "")
    return value is None or value.lower() not in OFF
