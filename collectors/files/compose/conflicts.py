"""What services of one Compose file take from each other: a folder of log segments, a port of the host, ZooKeeper's data.

Sources: kafka.log.LogManager (.lock), the Compose specification (ports), ZooKeeper's VOLUMEs in the images' Dockerfiles.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from advisor.model import DEPLOYMENT, LITERAL, SERVER_KINDS
from collectors.files.block import Block
from collectors.files.containers.container import ANYWHERE, NO_DATA, Container, data_folders
from collectors.files.containers.published_ports import WILDCARDS, Port
from collectors.files.images.image import APACHE, BITNAMI, CONFLUENT, ZOOKEEPER

Services = Sequence[tuple[Container, Sequence[Block]]]
FIXED = (APACHE, BITNAMI, CONFLUENT)
"""Whose images have the log segments of all nodes in one folder, where no variable says another."""
PERSISTENT = "persistent"


def add_conflicts(services: Services) -> None:
    """Add to the first service of each conflict what it is."""
    always = [(container, blocks) for container, blocks in services if not (container.profiles or container.outside)]
    _share_folders(always)
    _share_ports(always)
    _lose_zookeeper(always)


def _share_folders(services: Services) -> None:
    """Say of the first of several nodes with one folder who the others are."""
    by_folder: dict[str, list[tuple[Container, Block]]] = {}
    for container, node, facts in _nodes(services):
        for folder in dict.fromkeys(_host_folders(container, node)):
            by_folder.setdefault(folder, []).append((container, facts))
    for users in by_folder.values():
        (container, facts), *others = users
        place = next((node for _, _, node in container.volumes), container.image_node)
        if others and place is not None and "folder.shared" not in facts.settings:
            facts.translate("folder.shared", ", ".join(other.name for other, _ in others), place, "volumes")


def _nodes(services: Services) -> Iterator[tuple[Container, Block, Block]]:
    """(container, node, deployment) of the services that run a node."""
    for container, blocks in services:
        node = next((block for block in blocks if block.kind in SERVER_KINDS), None)
        facts = next((block for block in blocks if block.kind == DEPLOYMENT), None)
        if node is not None and facts is not None and container.arguments == []:
            yield container, node, facts


def _host_folders(container: Container, node: Block) -> Iterator[str]:
    """Where the log segments are by the volume that holds them, and by the path in it."""
    written = node.settings.get("log.dirs") or node.settings.get("log.dir")
    is_known = container.image.family in FIXED if written is None else written.shape == LITERAL
    for folder in data_folders(container, node) if is_known else ():
        for source, path, _ in container.volumes:
            mount = path.rstrip("/")
            if folder != ANYWHERE and mount and f"{folder}/".startswith(f"{mount}/") and "$" not in source:
                yield posixpath.normpath(f"{source}/{posixpath.relpath(folder, mount)}")


def _share_ports(services: Services) -> None:
    """Say of a port of the host that a second service publishes it, where one of them runs Kafka."""
    by_port: dict[int, tuple[Container, Port]] = {}
    for container, blocks in services:
        for port in container.ports if not container.network else ():
            for number in port.outside:
                other, before = by_port.setdefault(number, (container, port))
                facts = next((block for block in blocks if block.kind == DEPLOYMENT), None)
                if facts is not None and other is not container and _meet(port.host, before.host):
                    facts.translate("published.twice", f"{number} {other.name}", port.place, "ports")


def _meet(host: str, other: str) -> bool:
    """Whether two addresses of the host are one, or one of them is all of them."""
    return host == other or host in WILDCARDS or other in WILDCARDS


def _lose_zookeeper(services: Services) -> None:
    """Say of the first broker with a volume that none of its ZooKeeper servers has one."""
    servers = {container.name: container for container, _ in services if container.image.runs == ZOOKEEPER}
    for _, node, facts in _nodes(services) if servers else ():
        connect = node.settings.get("zookeeper.connect")
        hosts = (
            [each.strip().rpartition(":")[0] for each in connect.value.partition("/")[0].split(",")] if connect else []
        )
        own = [servers[host] for host in hosts if host in servers]
        if (
            own
            and len(own) == len(hosts)
            and not any(map(_keeps, own))
            and (facts.described or {}).get("storage") == PERSISTENT
        ):
            place = own[0].image_node
            if place is not None:
                facts.translate("zookeeper.storage", own[0].name, place, f"{own[0].name}.volumes")
            return


def _keeps(container: Container) -> bool:
    """Whether a server has a volume that may hold its data; one of which that is not known may."""
    return container.mounts is None or any(not mount.startswith(NO_DATA) for mount in container.mounts)
