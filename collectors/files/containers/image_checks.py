"""Variables that the script of an image requires, or does not allow, before it starts the broker.

Source: etc/confluent/docker/configure of confluentinc/kafka-images, 5.4 to 8.4.
"""

from __future__ import annotations

from collectors.files.containers.images import numbers_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from collectors.files.containers.images import Image

CHECKED = ("confluentinc/cp-kafka", "confluentinc/cp-server")
"""Images whose script checks its variables; confluent-local has defaults for them."""
FIRST_KRAFT, LAST_ZOOKEEPER = (7, 4), (7, 9)
"""The first release of the platform whose script starts KRaft, and the last that starts ZooKeeper mode."""
ROLES, ADVERTISED = "KAFKA_PROCESS_ROLES", "KAFKA_ADVERTISED_LISTENERS"
NOT_ALLOWED = ("KAFKA_ADVERTISED_PORT", "KAFKA_ADVERTISED_HOST", "KAFKA_HOST", "KAFKA_PORT")
REQUIRES, REFUSES = "requires.", "refuses."
"""What the facts of the deployment begin with: the name of a variable that is missing follows, or of one that ends the script."""
CLUSTER_ID = "CLUSTER_ID"


def failing_checks(image: Image, values: Mapping[str, str | None]) -> list[str]:
    """The facts about variables that end the script; `values` are all variables of a container, None where one is not known."""
    roles, release = values.get(ROLES, ""), platform_release(image.tag)
    if image.repository not in CHECKED or release is None or roles is None or "$" in f"{roles}{''.join(values)}":
        return []
    if release > LAST_ZOOKEEPER and "KAFKA_ZOOKEEPER_CONNECT" in values:
        return []  # KA1703 says that this release has no ZooKeeper mode
    required = [name for name in required_variables(values, roles, release) if name not in values]
    is_controller = roles == "controller" and release >= FIRST_KRAFT
    refused = [name for name in (*NOT_ALLOWED, *([ADVERTISED] if is_controller else [])) if name in values]
    return [*(REQUIRES + name for name in required), *(REFUSES + name for name in refused)]


def required_variables(names: Collection[str], roles: str, release: tuple[int, int]) -> Iterator[str]:
    """The variables without which the script of a release ends."""
    if release > LAST_ZOOKEEPER:
        yield ROLES
    in_kraft = release > LAST_ZOOKEEPER or (ROLES in names and release >= FIRST_KRAFT)
    yield CLUSTER_ID if in_kraft else "KAFKA_ZOOKEEPER_CONNECT"
    if not (in_kraft and roles == "controller"):
        yield ADVERTISED


def platform_release(tag: str) -> tuple[int, int] | None:
    """The release of the platform in a tag; the newest of latest and of none, None where the tag says none."""
    return (LAST_ZOOKEEPER[0] + 1, 0) if tag in ("", "latest") else numbers_in(tag)
