"""Addresses of brokers in the services of a Compose file at which their clients cannot work with the broker of the same file.

A client that connects to a listener is sent on to what is advertised for it. Nothing is said of what is filled in later, of services with
hosts or a network of others, and of brokers of a profile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from advisor.model import DEPLOYMENT, LITERAL, SERVER_KINDS, is_whole_number
from collectors.files.block import Block, deployment
from collectors.files.containers.container import Container, put_variable
from collectors.files.containers.published_ports import LOOPBACK
from collectors.files.images.image import BROKER, Image
from collectors.files.variables import Variable

Service = tuple[Container, Sequence[Block]]
Listener = tuple[str, str, str]
"""Name, host and port."""
UNREACHABLE = "unreachable."
"""What the fact begins with about a variable with such addresses: why, and the variable, follow."""
NO_LISTENER, OWN_LOCALHOST, BOUND, CONTROLLERS, SENT_HOME = (
    "no-listener", "own-localhost", "bound-to-loopback", "controllers", "sent-to-itself",
)  # fmt: skip
NAMES = re.compile(r"(?:BOOTSTRAP_?SERVERS?|KAFKA_BROKERS?|BROKER_?LIST|BROKERCONNECT)$", re.IGNORECASE)
"""How variables end with which clients are told where brokers are."""
OF_QUORUM = "QUORUM"
RUNS_BROKER = ("kafka", "redpanda", "fast-data-dev")
"""What is in the names of images that may run a broker of their own."""
HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|\[[0-9a-fA-F:.]{2,45}\]")


def unreachable_brokers(services: Sequence[Service]) -> list[Block]:
    """Add what is wrong with the addresses of each client to the deployment of its service; returns the deployments that are new."""
    brokers = _brokers(services)
    isolated = all(not container.network for container, blocks in services if _node(blocks) is not None)
    made = []
    for container, blocks in services if brokers else ():
        if _node(blocks) is None and not (container.network or container.extra_hosts or container.is_idle):
            found = [(why, each) for each in container.environment if (why := _why(each, container, brokers, isolated))]
            made += _added(found, container, blocks)
    return made


def _added(found: Sequence[tuple[str, Variable]], container: Container, blocks: Sequence[Block]) -> list[Block]:
    """Put the facts into the service's deployment, which is made where there is none."""
    if not found:
        return []
    own = [block for block in blocks if block.kind == DEPLOYMENT]
    facts = own[0] if own else deployment(container.name, container.format, container.file)
    facts.described = facts.described or {"runs": "application"}
    for why, variable in found:
        put_variable(facts, f"{UNREACHABLE}{why}.{variable.name}", variable)
    return [] if own else [facts]


def _brokers(services: Sequence[Service]) -> dict[str, Block]:
    """The brokers by the host names that services of the file have for them, whose settings are all known."""
    brokers: dict[str, Block] = {}
    for container, blocks in services:
        node = _node(blocks)
        if node is not None and not (container.network or container.profiles or container.outside or node.fragment):
            brokers.update({name.lower(): node for name in (container.name, container.host) if name})
    return brokers


def _node(blocks: Sequence[Block]) -> Block | None:
    return next((block for block in blocks if block.kind in SERVER_KINDS), None)


def _why(variable: Variable, client: Container, brokers: Mapping[str, Block], isolated: bool) -> str:
    """Why none of a variable's addresses works; empty where one may."""
    if variable.value is None or not NAMES.search(variable.name) or OF_QUORUM in variable.name.upper():
        return ""
    reasons = [_why_not(entry, client, brokers, isolated) for entry in variable.value.split(",")]
    return reasons[0] if all(reasons) else ""


def _why_not(entry: str, client: Container, brokers: Mapping[str, Block], isolated: bool) -> str:
    """Why a client cannot work with one address; empty where it may."""
    host, _, port = entry.strip().rpartition("://")[2].rpartition(":")
    if not HOST.fullmatch(host) or not is_whole_number(port):
        return ""
    if host.lower() in LOOPBACK:
        return OWN_LOCALHOST if isolated and not _may_run_broker(client.image) else ""
    return _why_not_of(brokers[host.lower()], port) if host.lower() in brokers else ""


def _may_run_broker(image: Image) -> bool:
    """Whether a broker may be in a container of the image itself."""
    if image.runs:
        return image.runs == BROKER
    if image.is_other:
        return image.repository.endswith("/redpanda")
    return any(word in image.repository for word in RUNS_BROKER)


def _why_not_of(node: Block, port: str) -> str:
    """Why a client cannot work with a port of a broker; empty where it may."""
    opened = list(_listeners(node, "listeners"))
    if not opened or not all(is_whole_number(number) for _, _, number in opened):
        return ""
    there = [(name, host) for name, host, number in opened if number == port]
    if not there:
        return NO_LISTENER
    name, host = there[0]
    if host in LOOPBACK:
        return BOUND
    if name in _controllers(node):
        return CONTROLLERS
    advertised = [host for each, host, _ in _listeners(node, "advertised.listeners") if each == name]
    return SENT_HOME if advertised and advertised[0] in LOOPBACK else ""


def _listeners(node: Block, key: str) -> Iterator[Listener]:
    """The entries of a list of listeners that is written down."""
    setting = node.settings.get(key)
    for entry in setting.value.split(",") if setting is not None and setting.shape == LITERAL else ():
        name, _, address = entry.strip().partition("://")
        host, _, port = address.rpartition(":")
        yield name.upper(), host.lower(), port


def _controllers(node: Block) -> list[str]:
    names = node.settings.get("controller.listener.names")
    return [name.strip().upper() for name in names.value.split(",")] if names is not None else []
