"""Which clusters of a run an application names: by its bootstrap.servers, and what the nodes' files say where they listen.

An address is what a node advertises, a listener of its own, for Compose its service with the listener's port, for Strimzi the
bootstrap service with it. Of several clusters that have an address the one in the client's file counts, then the one in its
folder; where that leaves several, the client belongs to none. Loopback addresses count in the file and the folder alone.
MirrorMaker has an address list of each cluster that it connects to. An attribute of a cluster of Amazon MSK names the one of the
same folder: Terraform's names are those of a module.
"""

from __future__ import annotations

import copy
import os

from advisor.catalog.keys import CLIENTS
from advisor.model import APPLICATION_KINDS, CLIENT_KINDS, DEPLOYMENT, LITERAL, SERVER_KINDS, is_whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from advisor.model import Entity

    Address = tuple[str, str]
    """Host, lower case, and port."""

WILDCARDS = ("", "0.0.0.0", "[::]", "::")
LOOPBACK = ("localhost", "[::1]", "::1")
MSK = "aws_msk_cluster."
SERVICES = ("-kafka-bootstrap", "-kafka-brokers")
"""Services that Strimzi makes for a cluster: a name in front, a namespace behind."""
STRIMZI = "Kafka "
NOT_A_NAME = frozenset(' ${}"')
"""What no reference to one resource holds."""
SERVERS = ("bootstrap.servers", "metadata.broker.list")
OF_ALIAS = ".bootstrap.servers"
"""The end of the key by which MirrorMaker names a cluster; in front of it stands the cluster's alias."""


def clusters_of_clients(entities_by_cluster: Mapping[Hashable, Sequence[Entity]]) -> dict[int, Hashable]:
    """The cluster that each client names, by the client's id."""
    clients = [each for group in entities_by_cluster.values() for each in group if each.kind in CLIENT_KINDS]
    nodes = _nodes_by_address(entities_by_cluster, SERVER_KINDS) if clients else {}
    named = ((client, _cluster_of(client, SERVERS, nodes)) for client in clients)
    return {id(client): cluster for client, cluster in named if cluster is not None}


def clusters_of_topics(entities_by_cluster: Mapping[Hashable, Sequence[Entity]]) -> dict[int, Hashable]:
    """The cluster to which the tool connects that declares a topic, by the topic's id."""
    topics = [each for group in entities_by_cluster.values() for each in group if each.servers and not each.member_of]
    nodes = _nodes_by_address(entities_by_cluster, (*SERVER_KINDS, DEPLOYMENT)) if topics else {}
    named = ((topic, _cluster_of(topic, (), nodes)) for topic in topics)
    return {id(topic): cluster for topic, cluster in named if cluster is not None}


def applications_of_clusters(
    entities_by_cluster: Mapping[Hashable, Sequence[Entity]],
) -> dict[Hashable, list[Entity]]:
    """The applications that name each cluster, with the addresses of that one alone; of clients those that name one of MSK."""
    nodes = _nodes_by_address(entities_by_cluster, (*SERVER_KINDS, DEPLOYMENT))
    applications: dict[Hashable, list[Entity]] = {}
    for group_of, group in entities_by_cluster.items():
        for entity in (each for each in group if each.kind in APPLICATION_KINDS or _attributes_of_msk(each)):
            for key in _address_keys(entity):
                cluster = _cluster_of(entity, (key,), nodes)
                if cluster not in (None, group_of):
                    applications.setdefault(cluster, []).append(_with_addresses(entity, key))
    return applications


def _attributes_of_msk(client: Entity) -> list[Address]:
    """The clusters of Amazon MSK whose attributes a client's bootstrap.servers name."""
    servers = client.settings.get(SERVERS[0]) if client.kind in CLIENT_KINDS or client.kind == "connect" else None
    text = servers.value.strip() if servers is not None else client.servers
    resource = text.removeprefix("${").rpartition(".")[0]
    return [(resource, "")] if text.startswith("${" + MSK) and not NOT_A_NAME.intersection(resource) else []


def _address_keys(application: Entity) -> tuple[str, ...]:
    """The keys that name brokers: of a mirror one of each alias."""
    if application.kind != "mirror":
        return SERVERS[:1]
    aliases = (key.removesuffix(OF_ALIAS) for key in application.settings if key.endswith(OF_ALIAS))
    return tuple(alias + OF_ALIAS for alias in aliases if "." not in alias and f"{alias}." not in CLIENTS)


def _with_addresses(application: Entity, key: str) -> Entity:
    """An application with the addresses under one key, and none of another cluster."""
    others = {each for each in _address_keys(application) if each != key}
    if not others:
        return application
    of_one = copy.copy(application)
    of_one.settings = {name: setting for name, setting in application.settings.items() if name not in others}
    return of_one


def _nodes_by_address(
    entities_by_cluster: Mapping[Hashable, Sequence[Entity]], kinds: Sequence[str]
) -> dict[Address, dict[Hashable, list[Entity]]]:
    nodes: dict[Address, dict[Hashable, list[Entity]]] = {}
    for cluster, group in entities_by_cluster.items():
        for node in (each for each in group if each.kind in kinds):
            for address in addresses_of(node):
                nodes.setdefault(address, {}).setdefault(cluster, []).append(node)
    return nodes


def _cluster_of(
    client: Entity, keys: Sequence[str], nodes: Mapping[Address, Mapping[Hashable, Sequence[Entity]]]
) -> Hashable | None:
    """The one cluster that has an address under some keys of the client's."""
    named: dict[Hashable, list[Entity]] = {}
    servers = list(servers_of(client, keys)) if nodes else []
    for host, port in servers:
        for address in ((host, port), (host.partition(".")[0] + ".", port)):
            for cluster, members in nodes.get(address, {}).items():
                named.setdefault(cluster, []).extend(members)
    everywhere = () if all(is_loopback(host) for host, _ in servers) else (lambda client, node: True,)
    for is_near in (_in_one_file, _in_one_folder, *everywhere):
        near = [cluster for cluster, members in named.items() if any(is_near(client, node) for node in members)]
        if near:
            return near[0] if len(near) == 1 else None
    return None


def is_loopback(host: str) -> bool:
    """Whether an address is that of whatever machine the client runs on, or a name of the folder: files elsewhere may be of any other one."""
    return host in LOOPBACK or host.startswith(("127.", MSK))


def _in_one_file(client: Entity, node: Entity) -> bool:
    return client.file == node.file


def _in_one_folder(client: Entity, node: Entity) -> bool:
    return os.path.dirname(client.file or "") == os.path.dirname(node.file or "")


def servers_of(client: Entity, keys: Sequence[str]) -> Iterator[Address]:
    """The addresses that a client begins with."""
    yield from _attributes_of_msk(client)
    settings = (client.settings.get(key) for key in keys)
    texts = [setting.value for setting in settings if setting is not None and setting.shape == LITERAL]
    for entry in (entry for text in (*texts, client.servers) for entry in text.split(",")):
        yield from _address(entry.rpartition("://")[2])


def addresses_of(node: Entity) -> Iterator[Address]:
    """Where a node can be reached; the bootstrap service of Strimzi ends with a dot, behind which a namespace may stand."""
    if node.kind == DEPLOYMENT:
        yield from [(node.name, "")] if node.name.startswith(MSK) else []
    if node.format == "strimzi" and node.name.startswith(STRIMZI):
        name = node.name.removeprefix(STRIMZI).partition("/")[0].lower()
        for _, port in _listeners(node, "listeners"):
            yield from ((f"{name}{service}.", port) for service in SERVICES)
    for host, port in _listeners(node, "advertised.listeners"):
        yield host, port
    for host, port in _listeners(node, "listeners"):
        if host not in WILDCARDS:
            yield host, port
        elif node.format == "compose":
            yield node.name.lower(), port


def _listeners(node: Entity, key: str) -> Iterator[Address]:
    """The addresses of a list of listeners."""
    setting = node.settings.get(key)
    if setting is not None and setting.shape == LITERAL:
        for entry in setting.value.split(","):
            yield from _address(entry.partition("://")[2])


def _address(text: str) -> Iterator[Address]:
    host, _, port = text.strip().rpartition(":")
    if is_whole_number(port):
        yield host.lower(), port
