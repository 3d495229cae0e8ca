"""What reaches a service of Compose from outside of its container: the ports that it publishes, and what answers there.

Sources: the Compose specification (ports, network_mode); kafka-run-class.sh, and the launch scripts of the images, for JMX.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from advisor.model import LITERAL, SERVER_KINDS, is_whole_number
from collectors.files.images.image import APACHE, BITNAMI, CONFLUENT, DEBEZIUM, WURSTMEISTER, Image
from collectors.files.syntax.tree import MAPPING, TreeNode
from collectors.files.variables import Variable, fill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collectors.files.block import Block

LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")
WILDCARDS = ("", "0.0.0.0", "[::]", "::")
MOST_PORTS = 100
"""Ports of one entry that are compared with others."""
JMX_PORT, JMX_OPTIONS, ALL_OPTIONS = "JMX_PORT", "KAFKA_JMX_OPTS", "KAFKA_OPTS"
OF_LAUNCH_SCRIPTS = "KAFKA_JMX_PORT"
"""What the launch scripts of Confluent and Apache hand on as JMX_PORT."""
RUN_CLASS = (APACHE, BITNAMI, CONFLUENT, DEBEZIUM, WURSTMEISTER)
"""Whose images start Java by kafka-run-class.sh, which opens JMX without a password where no options say another thing."""
NATIVE = "apache/kafka-native"
MANAGES_JMX = ("jmxremote.", "com.sun.management.config.file")
"""What is in options of Java that decide about JMX themselves."""


class Port(NamedTuple):
    """Ports of a container that are published: the host's address, the ports in the container (None: not known), the place, the same ports of the host."""

    host: str
    inside: range | None
    place: TreeNode
    outside: range = range(0)

    @property
    def is_local(self) -> bool:
        """Whether the host alone reaches it."""
        return self.host in LOOPBACK

    def holds(self, port: str) -> bool:
        """Whether a port of the container is published."""
        return self.inside is not None and is_whole_number(port) and int(port) in self.inside


def ports_of(services: Sequence[TreeNode], values: Mapping[str, str]) -> list[Port]:
    """The ports that a service publishes, of what it is merged of."""
    return [port for service in services for item in service.items("ports") for port in _port(item, values)]


def _port(item: TreeNode, values: Mapping[str, str]) -> Iterator[Port]:
    """A port of the short or the long syntax; none of UDP."""
    if item.kind == MAPPING:
        host, inside, protocol = item.string("host_ip"), fill(item.string("target"), values), item.string("protocol")
        outside = fill(item.string("published"), values)
        place = item.get("target") or item
    else:
        text, _, protocol = fill(item.text, values).partition("/")
        outside, _, inside = text.rpartition(":")
        (host, _, outside), place = outside.rpartition(":"), item
    if protocol in ("", "tcp"):
        yield Port(host, _range(inside), place, _taken(_range(outside), _range(inside)))


def _taken(outside: range | None, inside: range | None) -> range:
    """The ports of the host, where it has no choice between several for one in the container."""
    is_fixed = outside is not None and inside is not None and len(outside) == len(inside) <= MOST_PORTS
    return outside if outside is not None and is_fixed else range(0)


def _range(text: str) -> range | None:
    """9000 or 9000-9010."""
    first, _, last = text.strip().partition("-")
    known = is_whole_number(first) and (not last or is_whole_number(last))
    return range(int(first), int(last or first) + 1) if known else None


def open_jmx(image: Image, environment: Sequence[Variable], ports: Sequence[Port] | None) -> Variable | None:
    """The variable with the published port at which JMX asks for no password; `ports` is None where all of them are the host's."""
    variables = {each.name: each for each in environment}
    names = (OF_LAUNCH_SCRIPTS, JMX_PORT) if image.family in (APACHE, CONFLUENT) else (JMX_PORT,)
    variable = next((variables[name] for name in names if name in variables), None)
    options = [variables[name].value for name in (JMX_OPTIONS, ALL_OPTIONS) if name in variables]
    if variable is None or image.family not in RUN_CLASS or image.repository == NATIVE:
        return None
    if any(value is None or "$" in value or any(each in value for each in MANAGES_JMX) for value in options):
        return None
    own = variables.get(JMX_OPTIONS)
    return variable if not (own and own.value) and _is_open(variable.value or "", ports) else None


def _is_open(port: str, ports: Sequence[Port] | None) -> bool:
    """Whether other machines may reach a port of the container; one that is filled in later may be any of the published ones."""
    if ports is None:
        return True
    reachable = [each for each in ports if not each.is_local]
    return any(each.holds(port) for each in reachable) if is_whole_number(port) else bool(reachable)


def bound_to_loopback(block: Block, ports: Sequence[Port]) -> Iterator[tuple[str, Port]]:
    """The listeners for clients whose port is published, but which are bound to the loopback interface of the container."""
    listeners, names = block.settings.get("listeners"), block.settings.get("controller.listener.names")
    if block.kind not in SERVER_KINDS or listeners is None or listeners.shape != LITERAL:
        return
    controllers = [each.strip().upper() for each in names.value.split(",")] if names is not None else []
    for entry in (each.strip() for each in listeners.value.split(",")):
        name, _, address = entry.partition("://")
        host, _, number = address.rpartition(":")
        published = next((each for each in ports if each.holds(number)), None)
        if host.lower() in LOOPBACK and name.upper() not in controllers and published is not None:
            yield entry, published
