"""Variables that the script of an image requires, or does not allow, before it starts the broker.

Sources: etc/confluent/docker/configure of confluentinc/kafka-images, 5.4 to 8.4, and docker/resources/common-scripts/configure of
apache/kafka.
"""

from __future__ import annotations

import re

from collectors.files.containers.images import APACHE, CONFLUENT, numbers_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from collectors.files.containers.images import Image

    Values = Mapping[str, str | None]

CP_KAFKA, CP_SERVER = CHECKED = ("confluentinc/cp-kafka", "confluentinc/cp-server")
"""Images whose script checks its variables; confluent-local has defaults for them."""
FIRST_KRAFT, LAST_ZOOKEEPER = (7, 4), (7, 9)
"""The first release of the platform whose script starts KRaft, and the last that starts ZooKeeper mode."""
FIRST_CONTROLLER_STORES, TAKES_EMPTY = (8, 0), (8, 1)
"""The first release whose cp-server has stores for controllers, and the first whose scripts count an empty variable as set."""
ROLES, ADVERTISED = "KAFKA_PROCESS_ROLES", "KAFKA_ADVERTISED_LISTENERS"
NOT_ALLOWED = ("KAFKA_ADVERTISED_PORT", "KAFKA_ADVERTISED_HOST", "KAFKA_HOST", "KAFKA_PORT")
KEY_STORE = ("KAFKA_SSL_KEYSTORE_FILENAME", "KAFKA_SSL_KEY_CREDENTIALS", "KAFKA_SSL_KEYSTORE_CREDENTIALS")
TRUST_STORE = ("KAFKA_SSL_TRUSTSTORE_FILENAME", "KAFKA_SSL_TRUSTSTORE_CREDENTIALS")
LOGIN = "KAFKA_OPTS"
SASL_LISTENER, ASKS_CLIENTS = re.compile("SASL_.*://"), re.compile("required|requested")
CONTROLLER_STORES = re.compile("CONTROLLER:(?:SSL|SASL_SSL)")
REQUIRES, REFUSES = "requires.", "refuses."
"""What the facts of the deployment begin with: the name of a variable that is missing follows, or of one that ends the script."""
CLUSTER_ID = "CLUSTER_ID"


def failing_checks(image: Image, values: Values) -> list[str]:
    """The facts about variables that end the script; `values` are all variables of a container, None where one is not known."""
    check = CHECKS.get(image.family)
    return list(check(image, values)) if check is not None and "$" not in "".join(values) else []


def _of_confluent(image: Image, values: Values) -> Iterator[str]:
    """What ends the script of cp-kafka and cp-server."""
    roles, release = values.get(ROLES, ""), platform_release(image.tag)
    if image.repository not in CHECKED or release is None or roles is None or "$" in roles:
        return
    if release > LAST_ZOOKEEPER and "KAFKA_ZOOKEEPER_CONNECT" in values:
        return  # KA1703 says that this release has no ZooKeeper mode
    required = (*required_variables(roles, release), *_of_listeners(image, values))
    yield from (REQUIRES + name for name in required if _is_missing(values, name, release >= TAKES_EMPTY))
    is_controller = roles == "controller" and release >= FIRST_KRAFT
    refused = (*NOT_ALLOWED, *([ADVERTISED] if is_controller else []))
    yield from (REFUSES + name for name in refused if not _is_missing(values, name))


def _of_apache(image: Image, values: Values) -> Iterator[str]:
    """What ends the script of apache/kafka."""
    if values.get(ROLES) == "controller" and not _is_missing(values, ADVERTISED):
        yield REFUSES + ADVERTISED
        return
    yield from (REQUIRES + name for name in _of_listeners(image, values) if _is_missing(values, name))


CHECKS: Mapping[str, Callable[[Image, Values], Iterator[str]]] = {APACHE: _of_apache, CONFLUENT: _of_confluent}
"""The checks of each family's script."""


def _is_missing(values: Values, name: str, takes_empty: bool = False) -> bool:
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
    if SASL_LISTENER.search(values.get(ADVERTISED) or ""):
        yield LOGIN


def uses_stores(image: Image, values: Values) -> bool:
    """Whether the script sets stores: where the advertised listeners contain SSL://, in cp-server also for controllers."""
    release = platform_release(image.tag) if image.repository == CP_SERVER else None
    map = values.get("KAFKA_LISTENER_SECURITY_PROTOCOL_MAP") or ""
    has_controllers = release is not None and release >= FIRST_CONTROLLER_STORES and CONTROLLER_STORES.search(map)
    return bool(has_controllers) or "SSL://" in (values.get(ADVERTISED) or "")


def keeps_empty_advertised(image: Image) -> bool:
    """Whether the script leaves empty advertised listeners of a controller as they are."""
    return image.repository == CP_KAFKA and (numbers_in(image.tag) or TAKES_EMPTY) > LAST_ZOOKEEPER


def platform_release(tag: str) -> tuple[int, int] | None:
    """The release of the platform in a tag; the newest of latest and of none, None where the tag says none."""
    return TAKES_EMPTY if tag in ("", "latest") else numbers_in(tag)
