"""Variables that the script of an image requires, or does not allow, before it starts the broker.

Source: etc/confluent/docker/configure of confluentinc/kafka-images, 5.4 to 8.4.
"""

from __future__ import annotations

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
REQUIRED, REFUSED = "variables.required", "variables.refused"
"""The facts of the deployment: the variables that are missing, and those that end the script."""


def failing_checks(image: Image, values: Mapping[str, str | None]) -> dict[str, list[str]]:
    """The variables that end the script, by fact; `values` are all variables of a container, None where one is not known."""
    roles = values.get(ROLES, "")
    if image.repository not in CHECKED or roles is None or "$" in f"{roles}{''.join(values)}":
        return {}
    release = platform_release(image.tag)
    if release > LAST_ZOOKEEPER and "KAFKA_ZOOKEEPER_CONNECT" in values:
        return {}  # KA1703 says that this release has no ZooKeeper mode
    required = list(required_variables(values, roles, release))
    is_controller = roles == "controller" and release >= FIRST_KRAFT
    refused = [name for name in (*NOT_ALLOWED, *([ADVERTISED] if is_controller else [])) if name in values]
    rows = {REQUIRED: [name for name in required if name not in values], REFUSED: refused}
    return {fact: variables for fact, variables in rows.items() if variables}


def required_variables(names: Collection[str], roles: str, release: tuple[int, int]) -> Iterator[str]:
    """The variables without which the script of a release ends."""
    if release > LAST_ZOOKEEPER:
        yield ROLES
    in_kraft = release > LAST_ZOOKEEPER or (ROLES in names and release >= FIRST_KRAFT)
    yield "CLUSTER_ID" if in_kraft else "KAFKA_ZOOKEEPER_CONNECT"
    if not (in_kraft and roles == "controller"):
        yield ADVERTISED


def platform_release(tag: str) -> tuple[int, int]:
    """The release of the platform in a tag; the newest where it names none."""
    major, _, others = tag.partition(".")
    minor = others.partition(".")[0]
    known = major.isdecimal() and minor.isdecimal() and len(major + minor) < 8
    return (int(major), int(minor)) if known else (LAST_ZOOKEEPER[0] + 1, 0)
