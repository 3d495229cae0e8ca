"""Group the entities of files into snapshots of their clusters."""

from __future__ import annotations

import os

from advisor.catalog import lookup
from advisor.model import APPLICATION_KINDS, CLIENT_KINDS, LITERAL, SERVER_KINDS, Entity, Snapshot, Suppression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Read = tuple[Entity, list[Suppression]]
    Identity = tuple[str, ...]
    """What names a node's cluster: the key that does, the servers in order, the chroot."""


IDENTITIES = ("controller.quorum.voters", "controller.quorum.bootstrap.servers", "zookeeper.connect")
"""The keys by whose servers nodes are of one cluster."""
OF_A_NODE = ("process.roles", "node.id", "broker.id", "listeners", "advertised.listeners", "log.dirs", "log.dir")
"""What two nodes never share all of, unless one file is a copy of the other."""


def snapshots(
    read_files: Sequence[Read],
    joined: Sequence[Read] = (),
    one_cluster: bool = False,
) -> list[Snapshot]:
    """Group entities into snapshots of their clusters; clients `joined` are added to each with a node."""
    groups: dict[object, list[Read]] = {}
    dumps = _dumps([entity for entity, _ in read_files]) if len(read_files) > 1 else frozenset()
    for number, pair in enumerate(each for each in read_files if id(each[0]) not in dumps):
        groups.setdefault("one" if one_cluster else _cluster(pair[0]) or number, []).append(pair)
    if not one_cluster:
        groups = _joined(groups) if len(groups) > 1 else groups
        groups = {
            key: members_of_part
            for cluster, group in groups.items()
            for key, members_of_part in _split_by_network(cluster, group)
        }
    groups = _with_topics(groups) if _has(("topic",), groups) and len(groups) > 1 else groups
    paired = _paired(groups) if len(groups) > 1 else {}
    applications = _applications(groups) if len(groups) > 1 else {}
    clients_by_cluster = _by_cluster(groups, paired)
    clusters = []
    for key, group in groups.items():
        has_node = any(entity.kind in SERVER_KINDS for entity, _ in group)
        own = [pair for pair in group if id(pair[0]) not in paired or has_node]
        if not own:
            continue
        snapshot = _snapshot([*own, *joined] if has_node else own, clients_by_cluster.get(key, ()) if has_node else ())
        snapshot.applications = tuple(applications.get(key, ()))
        clusters.append(snapshot)
    if joined and not any(entity.kind in SERVER_KINDS for entity, _ in read_files):
        clusters += [_snapshot([pair]) for pair in joined]
    return [*clusters, *(_snapshot([pair]) for pair in read_files if id(pair[0]) in dumps)]


def give_releases(read_files: Sequence[Read]) -> None:
    """Give topics the releases of their clusters, for a command that shows every entity by itself."""
    if _has(("topic",), {"": read_files}):
        snapshots(read_files)


def _by_cluster(groups: Mapping[object, Sequence[Read]], paired: Mapping[int, object]) -> dict[object, list[Read]]:
    """The clients that name a cluster, by the cluster."""
    clients: dict[object, list[Read]] = {}
    for group in groups.values() if paired else ():
        for pair in group:
            if id(pair[0]) in paired:
                clients.setdefault(paired[id(pair[0])], []).append(pair)
    return clients


def _paired(groups: Mapping[object, Sequence[Read]]) -> dict[int, object]:
    """The cluster that each client which stands alone names by its bootstrap.servers, by the client's id."""
    if not (_has(SERVER_KINDS, groups) and _has(CLIENT_KINDS, groups)):
        return {}
    from collectors.files.pairing import clusters_of_clients

    return clusters_of_clients(_entities(groups))


def _with_topics(groups: Mapping[object, list[Read]]) -> dict[object, list[Read]]:
    """The groups, each with the topics that are declared by tools which connect to it."""
    from collectors.files.pairing import clusters_of_topics

    clusters = clusters_of_topics(_entities(groups))
    moved: dict[object, list[Read]] = {}
    for key, group in groups.items():
        for pair in group:
            moved.setdefault(clusters.get(id(pair[0]), key), []).append(pair)
    for key in {*clusters.values()}:
        member_of = next((entity.member_of for entity, _ in groups[key] if entity.kind in SERVER_KINDS), None)
        for topic in (entity for entity, _ in moved[key] if id(entity) in clusters):
            topic.member_of = member_of
    return moved


def _applications(groups: Mapping[object, Sequence[Read]]) -> dict[object, list[Entity]]:
    """The applications that name each cluster and are judged by themselves elsewhere."""
    if not (_has(SERVER_KINDS, groups) and _has((*APPLICATION_KINDS, *CLIENT_KINDS), groups)):
        return {}
    from collectors.files.pairing import applications_of_clusters

    return applications_of_clusters(_entities(groups))


def _has(kinds: Sequence[str], groups: Mapping[object, Sequence[Read]]) -> bool:
    return any(entity.kind in kinds for group in groups.values() for entity, _ in group)


def _entities(groups: Mapping[object, Sequence[Read]]) -> dict[object, list[Entity]]:
    return {key: [entity for entity, _ in group] for key, group in groups.items()}


def _snapshot(members: Sequence[Read], paired: Sequence[Read] = ()) -> Snapshot:
    """The snapshot of some members, with clients that name the cluster themselves."""
    name = min(entity.file or entity.name for entity, _ in members)
    every = [*members, *paired]
    _give_release([entity for entity, _ in members])
    snapshot = Snapshot(name, [entity for entity, _ in every], [s for _, more in every for s in more])
    snapshot.paired = frozenset(id(entity) for entity, _ in paired)
    return snapshot


def _give_release(members: Sequence[Entity]) -> None:
    """Topics whose files name no release have that of their cluster's nodes."""
    targets = {entity.target.text: entity.target for entity in members if entity.kind in SERVER_KINDS}
    if len(targets) == 1 and (target := next(iter(targets.values()))).given:
        for entity in members:
            if entity.kind == "topic" and not entity.target.given:
                entity.target = target


def _cluster(entity: Entity) -> tuple[str, ...] | None:
    """The identity of a node's cluster: its quorum voters, its bootstrap controllers, or its ZooKeeper."""
    if entity.member_of is not None:
        return ("member of", *entity.member_of)
    if entity.kind not in SERVER_KINDS:
        return None
    for key in IDENTITIES:
        setting = entity.settings.get(key)
        if setting is not None and setting.shape == LITERAL:
            hosts, slash, chroot = setting.value.partition("/")
            servers = sorted(server.strip().lower() for server in hosts.split(",") if server.strip())
            if servers:
                return (key, *servers, slash + chroot.strip())
    return None


def _joined(groups: Mapping[object, list[Read]]) -> dict[object, list[Read]]:
    """The groups, those of one folder together that name most servers alike: one of the files names another one."""
    joined: dict[object, list[Read]] = {}
    by_server: dict[object, dict[Identity, None]] = {}
    for key, group in groups.items():
        same = key
        if isinstance(key, tuple) and key[0] in IDENTITIES:
            places = [(key[0], key[-1], _folders(group), server) for server in key[1:-1]]
            others = (other for place in places for other in by_server.get(place, ()))
            same = next((other for other in others if _names_most_of(other, key)), key)
            for place in places if same is key else ():
                by_server.setdefault(place, {})[key] = None
        joined.setdefault(same, []).extend(group)
    return joined


def _names_most_of(one: Identity, other: Identity) -> bool:
    """Whether two identities have more than half of their servers in common."""
    return 2 * len({*one[1:-1]} & {*other[1:-1]}) > max(len(one), len(other)) - 2


def _folders(group: Sequence[Read]) -> frozenset[str]:
    return frozenset({os.path.dirname(entity.file or "") for entity, _ in group})


def _split_by_network(cluster: object, group: list[Read]) -> list[tuple[object, list[Read]]]:
    """Split nodes with one id that share an address of one machine, or bare names of hosts in several folders."""
    names = [entity.name for entity, _ in group]
    if len(group) < 2 or len(set(names)) == len(names) or not isinstance(cluster, tuple):
        return [(cluster, group)]
    servers = cluster[1:-1]
    if all("localhost" in server or "127.0.0.1" in server for server in servers):
        return [((cluster, number), [pair]) for number, pair in enumerate(group)]
    is_bare = not any("." in server for server in servers)
    if is_bare and (len(servers) == 1 or _are_copies(_by_folder(cluster, group))):
        return _by_folder(cluster, group)
    return [(cluster, group)]


def _dumps(entities: Sequence[Entity]) -> frozenset[int]:
    """The ids of properties files that show a running node whose own file lies beside them."""
    nodes: dict[tuple[str, str, str], list[Entity]] = {}
    for entity in entities:
        if entity.kind in SERVER_KINDS and entity.format == "properties" and entity.file is not None:
            nodes.setdefault((os.path.dirname(entity.file), entity.kind, entity.name), []).append(entity)
    smallest = {key: min(same, key=lambda entity: len(entity.settings)) for key, same in nodes.items()}
    pairs = ((entity, smallest[key]) for key, same in nodes.items() for entity in same)
    return frozenset({id(entity) for entity, node in pairs if _shows(entity, node)})


def _shows(dump: Entity, node: Entity) -> bool:
    """Whether a file has every setting of a node's file but secrets, the same identity, and for the most part defaults beside them."""
    added = dump.settings.keys() - node.settings.keys()
    missing = node.settings.keys() - dump.settings.keys()
    if not added or any(not node.settings[key].secret for key in missing):
        return False
    same = [key for key in (*OF_A_NODE, *IDENTITIES) if key in node.settings and key not in missing]
    if not {"node.id", "broker.id"} & {*same} or any(
        dump.settings[key].value != node.settings[key].value for key in same
    ):
        return False
    return 2 * sum(_is_default(dump, key) for key in added) > len(added)


def _is_default(entity: Entity, key: str) -> bool:
    """Whether a setting is what Kafka takes without it."""
    definition = lookup("broker", entity.target.version, key)
    text = entity.settings[key].value
    return definition is not None and text.lower() == str(definition.default or "").lower()


def _are_copies(folders: Sequence[tuple[object, list[Read]]]) -> bool:
    """Whether folders hold the same nodes, several each: those of one environment and of another."""
    names = [sorted(entity.name for entity, _ in members) for _, members in folders]
    return len(names) > 1 and all(len({*each}) == len(each) > 1 and each == names[0] for each in names)


def _by_folder(cluster: object, group: list[Read]) -> list[tuple[object, list[Read]]]:
    folders: dict[str, list[Read]] = {}
    for pair in group:
        folders.setdefault(os.path.dirname(pair[0].file or ""), []).append(pair)
    return [((cluster, folder), members) for folder, members in folders.items()]
