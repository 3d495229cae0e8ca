"""Variables that the script of an image requires, or does not allow, before it starts the broker.

Sources: etc/confluent/docker/configure of confluentinc/kafka-images, 5.4 to 8.4, docker/resources/common-scripts/configure of
apache/kafka, kafka_validate of bitnami/containers (libkafka.sh), docker-entrypoint.sh of debezium/container-images, start-kafka.sh of
wurstmeister/kafka-docker, and runFormatCommand of Kafka's StorageTool.
"""

from __future__ import annotations

import re

from advisor.catalog import NEWEST
from advisor.model import is_whole_number
from collectors.files.images.image import (
    APACHE,
    BITNAMI,
    CONFLUENT,
    DEBEZIUM,
    LOCAL,
    WURSTMEISTER,
    numbers_in,
    release_in_tag,
    variable_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from advisor.model import Setting
    from collectors.files.images.image import Image

    Values = Mapping[str, str | None]

CP_KAFKA, CP_SERVER, CP_ENTERPRISE = CHECKED = (
    "confluentinc/cp-kafka",
    "confluentinc/cp-server",
    "confluentinc/cp-enterprise-kafka",
)
"""Images whose script checks its variables; confluent-local has defaults for what it requires."""
FIRST_KRAFT, LAST_ZOOKEEPER = (7, 4), (7, 9)
"""The first release of the platform whose script starts KRaft, and the last that starts ZooKeeper mode."""
FIRST_CONTROLLER_STORES, TAKES_EMPTY = (8, 0), (8, 1)
"""The first release whose cp-server has stores for controllers, and the first whose scripts count an empty variable as set."""
ROLES, ADVERTISED = "KAFKA_PROCESS_ROLES", "KAFKA_ADVERTISED_LISTENERS"
NOT_ALLOWED = ("KAFKA_ADVERTISED_PORT", "KAFKA_ADVERTISED_HOST", "KAFKA_HOST", "KAFKA_PORT")
KEY_STORE = ("KAFKA_SSL_KEYSTORE_FILENAME", "KAFKA_SSL_KEY_CREDENTIALS", "KAFKA_SSL_KEYSTORE_CREDENTIALS")
TRUST_STORE = ("KAFKA_SSL_TRUSTSTORE_FILENAME", "KAFKA_SSL_TRUSTSTORE_CREDENTIALS")
LOGIN = "KAFKA_OPTS"
ASKS_CLIENTS = re.compile("required|requested")
CONTROLLER_STORES = re.compile("CONTROLLER:(?:SSL|SASL_SSL)")
ALLOWS_PLAINTEXT, SECURED = "ALLOW_PLAINTEXT_LISTENER", re.compile(r"SSL|SASL|\$")
FIRST_READ = (2, 0)
"""The first release of Bitnami's whose script was read."""
TWO_GENERATIONS = (3, 2), (3, 6)
"""The first release of Bitnami's with scripts of two generations under one tag, and the first with the newer alone."""
FORMATS_STANDALONE, FORMATS_FIRST, SHIPPED_ID = (3, 2), (3, 4), "1"
"""The releases of Debezium whose script formats for a lone controller, and before the variables count, and the id of Kafka's file."""
SINCE_2018 = re.compile(r"2\.\d{1,2}-")
VOTERS, BOOTSTRAP_SERVERS = "controller.quorum.voters", "controller.quorum.bootstrap.servers"
MECHANISM_OF = {
    "controller.listener.names": "sasl.mechanism.controller.protocol",
    "inter.broker.listener.name": "sasl.mechanism.inter.broker.protocol",
}
"""The mechanisms that Bitnami's image requires where the listener between the nodes asks for a login."""
WITH_SERVERS = (3, 9)
"""The first release of Kafka that knows bootstrap servers of the quorum, and the last of Bitnami's with ZooKeeper mode."""
LAST_FOR_VOTERS = (4, 0)
"""The last release of Bitnami's whose script ends where a controller is given no voters."""
FOR_A_DYNAMIC_QUORUM, OF_SCRIPT = ((4, 1), (4, 2)), "localhost:9093"
"""The releases of Bitnami's whose script was read that ends where a controller has other bootstrap servers than those of the script alone."""
INITIAL_CONTROLLERS = "KAFKA_INITIAL_CONTROLLERS"
REQUIRES, REFUSES = "requires.", "refuses."
"""What the facts of the deployment begin with: the name of a variable that is missing follows, or of one that ends the script."""
CLUSTER_ID = "CLUSTER_ID"


def failing_checks(image: Image, values: Values) -> list[str]:
    """The facts about variables that end the script; `values` are all variables of a container, None where one is not known."""
    check = CHECKS.get(image.family)
    return list(check(image, values)) if check is not None and "$" not in "".join(values) else []


def _of_confluent(image: Image, values: Values) -> Iterator[str]:
    """What ends the script of cp-kafka, cp-server, cp-enterprise-kafka and confluent-local."""
    if image.repository == LOCAL:
        yield from _of_local(image, values)
        return
    roles, release = values.get(ROLES, ""), platform_release(image.tag)
    if image.repository not in CHECKED or release is None or roles is None or "$" in roles:
        return
    if release > LAST_ZOOKEEPER and "KAFKA_ZOOKEEPER_CONNECT" in values:
        return  # KA1703 says that this release has no ZooKeeper mode
    required = (*required_variables(roles, release), *_of_listeners(image, values))
    yield from (REQUIRES + name for name in required if is_missing(values, name, release >= TAKES_EMPTY))
    is_controller = roles == "controller" and release >= FIRST_KRAFT
    refused = (*NOT_ALLOWED, *([ADVERTISED] if is_controller else []))
    yield from (REFUSES + name for name in refused if not is_missing(values, name))


def _of_local(image: Image, values: Values) -> Iterator[str]:
    """What ends the script of confluent-local: a lone controller, to which it gives advertised listeners itself, among others."""
    if values.get(ROLES) == "controller":
        yield REFUSES + ROLES
    yield from (REFUSES + name for name in (*NOT_ALLOWED, "KAFKA_REST_PORT") if not is_missing(values, name))
    yield from (REQUIRES + name for name in _of_listeners(image, values) if is_missing(values, name))


def _of_apache(image: Image, values: Values) -> Iterator[str]:
    """What ends the script of apache/kafka."""
    if values.get(ROLES) == "controller" and not is_missing(values, ADVERTISED):
        yield REFUSES + ADVERTISED
        return
    yield from (REQUIRES + name for name in _of_listeners(image, values) if is_missing(values, name))


def _of_bitnami(image: Image, values: Values) -> Iterator[str]:
    """What ends the script of Bitnami's first releases: listeners that are all PLAINTEXT, which nothing allows."""
    names = ("LISTENERS", "LISTENER_SECURITY_PROTOCOL_MAP")
    written = [values.get(f"{begins}{name}", "") for begins in ("KAFKA_CFG_", "KAFKA_") for name in names]
    is_plain = not any(text is None or SECURED.search(text) for text in written)
    if FIRST_READ <= _release(image) < TWO_GENERATIONS[0] and is_plain and is_missing(values, ALLOWS_PLAINTEXT):
        yield REQUIRES + ALLOWS_PLAINTEXT


def _of_debezium(image: Image, values: Values) -> Iterator[str]:
    """What ends Debezium's broker: the disks are formatted for a lone controller, from 3.4 on before the variables count."""
    release = numbers_in(image.tag)
    if release is None or release < FORMATS_STANDALONE:
        return
    if values.get("NODE_ROLE") == "broker":
        yield f"{REFUSES}NODE_ROLE"
        return
    name = "BROKER_ID" if is_missing(values, "NODE_ID") else "NODE_ID"
    id = values.get(name) or SHIPPED_ID
    if release >= FORMATS_FIRST and is_whole_number(id) and id != SHIPPED_ID:
        yield REFUSES + name


def _of_wurstmeister(image: Image, values: Values) -> Iterator[str]:
    """What ends the script of wurstmeister/kafka since 2018, when its tags got the release of Scala."""
    if image.tag not in ("", "latest") and not SINCE_2018.match(image.tag):
        return
    if is_missing(values, "KAFKA_ZOOKEEPER_CONNECT"):
        yield f"{REQUIRES}KAFKA_ZOOKEEPER_CONNECT"
    others = () if not is_missing(values, ADVERTISED) else ("HOSTNAME_COMMAND",)
    if all(is_missing(values, name) for name in ("KAFKA_LISTENERS", "KAFKA_ADVERTISED_HOST_NAME", *others)):
        yield f"{REQUIRES}KAFKA_LISTENERS"


CHECKS: Mapping[str, Callable[[Image, Values], Iterator[str]]] = {
    APACHE: _of_apache,
    BITNAMI: _of_bitnami,
    CONFLUENT: _of_confluent,
    DEBEZIUM: _of_debezium,
    WURSTMEISTER: _of_wurstmeister,
}
"""The checks of each family's script."""


def is_missing(values: Values, name: str, takes_empty: bool = False) -> bool:
    """Whether a variable is not set, or empty where that counts as not set."""
    return name not in values or (values[name] == "" and not takes_empty)


def required_variables(roles: str, release: tuple[int, int]) -> Iterator[str]:
    """The variables without which the script of a release ends."""
    if release > LAST_ZOOKEEPER:
        yield ROLES
    in_kraft = release > LAST_ZOOKEEPER or (roles != "" and release >= FIRST_KRAFT)
    yield CLUSTER_ID if in_kraft else "KAFKA_ZOOKEEPER_CONNECT"
    if not (in_kraft and roles == "controller"):
        yield ADVERTISED


def _of_listeners(image: Image, values: Values) -> Iterator[str]:
    """The variables that the names of the advertised listeners require."""
    if uses_stores(image, values):
        yield from KEY_STORE
        yield from TRUST_STORE if ASKS_CLIENTS.search(values.get("KAFKA_SSL_CLIENT_AUTH") or "") else ()
    if "://" in (values.get(ADVERTISED) or "").partition("SASL_")[2]:
        yield LOGIN


def failing_settings(image: Image, settings: Mapping[str, Setting], names: Collection[str]) -> Iterator[str]:
    """The facts about settings that end the script or the formatting; all of a node's are in `settings`, its variables in `names`."""
    roles = settings["process.roles"].value if "process.roles" in settings else ""
    if not roles or "$" in roles:
        return
    has_voters = VOTERS in settings or f"{variable_of(image, VOTERS).replace('_CFG_', '_')}_COMMAND" in names
    if "controller" in roles and BOOTSTRAP_SERVERS in settings and not has_voters and _formats_for_voters(image):
        yield REQUIRES + variable_of(image, VOTERS)
    if "controller" in roles and _lacks_initial_controllers(image, settings, names):
        yield REQUIRES + INITIAL_CONTROLLERS
    if image.family == BITNAMI and _release(image) >= TWO_GENERATIONS[1]:
        yield from _of_bitnamis_modes(image, settings, names)


def _formats_for_voters(image: Image) -> bool:
    """Whether the image of a release that knows bootstrap servers of the quorum starts a controller only with voters."""
    if image.family == CONFLUENT:
        return image.repository in CHECKED and (platform_release(image.tag) or FIRST_KRAFT) >= LAST_ZOOKEEPER
    release = _release(image)
    if image.family == BITNAMI:
        return WITH_SERVERS <= release <= LAST_FOR_VOTERS
    return release == WITH_SERVERS or (image.family == APACHE and release > WITH_SERVERS)


def _lacks_initial_controllers(image: Image, settings: Mapping[str, Setting], names: Collection[str]) -> bool:
    """Whether Bitnami's image is given bootstrap servers of a dynamic quorum, and nothing says which controllers begin it."""
    servers = settings[BOOTSTRAP_SERVERS].value if BOOTSTRAP_SERVERS in settings else OF_SCRIPT
    is_read = image.family == BITNAMI and numbers_in(release_in_tag(BITNAMI, image.tag) or "") in FOR_A_DYNAMIC_QUORUM
    is_set = any(name.startswith(INITIAL_CONTROLLERS) for name in names)
    return is_read and not is_set and servers not in ("", OF_SCRIPT) and "$" not in servers


def _of_bitnamis_modes(image: Image, settings: Mapping[str, Setting], names: Collection[str]) -> Iterator[str]:
    """What ends the script of Bitnami's later releases in KRaft mode: no node.id, both modes without a migration, no mechanism."""
    if "node.id" not in settings and "KAFKA_NODE_ID_COMMAND" not in names:
        yield REQUIRES + variable_of(image, "node.id")
    connect, migration = settings.get("zookeeper.connect"), settings.get("zookeeper.metadata.migration.enable")
    if _release(image) <= WITH_SERVERS and connect is not None and connect.value and migration is None:
        yield REFUSES + (connect.written or connect.key)
    mapped = settings["listener.security.protocol.map"].value if "listener.security.protocol.map" in settings else ""
    protocols = dict(row.strip().partition(":")[::2] for row in mapped.split(","))
    for names_of, mechanism in MECHANISM_OF.items():
        names_of_listeners = settings[names_of].value.split(",") if names_of in settings else []
        is_sasl = any(protocols.get(name, "").startswith("SASL") for name in names_of_listeners)
        if is_sasl and mechanism not in settings and "$" not in mapped:
            yield REQUIRES + variable_of(image, mechanism)


def _release(image: Image) -> tuple[int, int]:
    """The release of Kafka in a tag of Apache's or Bitnami's; the newest of latest and of none, one before all where the tag says none."""
    newest = image.tag in ("", "latest")
    return NEWEST if newest else numbers_in(release_in_tag(image.family, image.tag) or "") or (0, 0)


def uses_stores(image: Image, values: Values) -> bool:
    """Whether the script sets stores: where the advertised listeners contain SSL://, in cp-server also for controllers."""
    release = platform_release(image.tag) if image.repository == CP_SERVER else None
    mapped = values.get("KAFKA_LISTENER_SECURITY_PROTOCOL_MAP") or ""
    has_controllers = release is not None and release >= FIRST_CONTROLLER_STORES and CONTROLLER_STORES.search(mapped)
    return bool(has_controllers) or "SSL://" in (values.get(ADVERTISED) or "")


def keeps_empty_advertised(image: Image) -> bool:
    """Whether the script leaves empty advertised listeners of a controller as they are."""
    return image.repository == CP_KAFKA and (numbers_in(image.tag) or TAKES_EMPTY) > LAST_ZOOKEEPER


def platform_release(tag: str) -> tuple[int, int] | None:
    """The release of the platform in a tag; the newest of latest and of none, None where the tag says none."""
    return TAKES_EMPTY if tag in ("", "latest") else numbers_in(tag)
