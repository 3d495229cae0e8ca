"""The side before a change: its subjects, paired with those of today by what identifies them, else by where they stand."""

from __future__ import annotations

import re

from advisor.model import DEPLOYMENT, SERVER_KINDS, UNFOLLOWED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from advisor.model import Entity, Snapshot

    PairsOf = Callable[[Sequence[Entity], Sequence[Entity]], Iterator[tuple[Entity, Entity]]]

NODE = "node"
QUORUM = ("controller.quorum.voters", "controller.quorum.bootstrap.servers", "zookeeper.connect")
OF_A_JOB = ("workflow",)
"""Formats of what lives for one job of a CI service: nothing of it is there when the next one runs."""
OF_OPERATORS = ("strimzi", "cfk")
"""Formats of objects of Kubernetes, which a folder may hold several times, for one of its files to be applied."""
IMAGE = "dockerfile"
"""The format of an image, which what runs it completes with settings of its own."""
HOST = re.compile(r"://(?!0\.0\.0\.0|\[::\])[^:,]")
"""How an address begins that names a host."""
TEST_DATA = re.compile(
    r"(^|/)(src/(test|it|integration-?test)|test(s|data)?/(resources|fixtures|data)|test-?data|__fixtures__)/"
)
"""Folders of what tests read, which is deployed nowhere."""


class FormerSide:
    """Clusters before a change, as they were read; `ref` is the commit that they are of, if any.

    `renamed` maps the file of today to that of before; `unread` are files that could be read on one side alone, with the reason why not
    on the other: a subject of one is never called removed.
    """

    def __init__(
        self,
        snapshots: Sequence[Snapshot],
        ref: str | None = None,
        renamed: Mapping[str, str] | None = None,
        unread: Mapping[str, str] | None = None,
    ) -> None:
        self.snapshots = tuple(snapshots)
        self.ref = ref
        self.renamed = renamed or {}
        self.unread = unread or {}


class Pairs:
    """Which subject of before each one of today was; what is left on either side was added or removed."""

    def __init__(self, former: FormerSide, today: Sequence[Snapshot]) -> None:
        self.former = former
        old = [entity for snapshot in former.snapshots for entity in snapshot.entities if outlives_its_run(entity)]
        new = [entity for snapshot in today for entity in snapshot.entities if outlives_its_run(entity)]
        self.entity_before: dict[int, Entity] = {}
        self._old, self._new = old, new
        self._moved = [pair for pair in map(str.split, facts_of(new, "moved")) if len(pair) == 2]
        if self._moved:
            self._pair(lambda entity, is_new: (kind_of(entity), self._former_name(entity) if is_new else entity.name))
        self._pair(lambda entity, _: (kind_of(entity), entity.resource) if entity.resource else None)
        self._pair(lambda entity, is_new: (kind_of(entity), entity.name, self._file(entity, is_new), entity.root))
        self._pair(lambda entity, _: (kind_of(entity), entity.name, entity.root) if entity.root else None)
        self._pair(lambda entity, is_new: (kind_of(entity), entity.name, self._file(entity, is_new)), counterparts)
        self._pair(lambda entity, is_new: (self._file(entity, is_new), host) if (host := host_of(entity)) else None)
        self._pair(lambda entity, is_new: (kind_of(entity), entity.name) if is_named(entity) else None)
        self._pair(lambda entity, is_new: (self._file(entity, is_new), id) if (id := node_id(entity)) else None)
        self._pair(lambda entity, _: (id, is_image(entity), *quorum_of(entity)) if (id := node_id(entity)) else None)
        self._pair(
            lambda entity, is_new: (
                (kind_of(entity), self._file(entity, is_new)) if not is_other_by_name(entity) else None
            )
        )
        if len(files_of(old)) == 1 and len(files_of(new)) == 1:
            self._pair(lambda entity, _: (kind_of(entity), is_image(entity)) if not is_other_by_name(entity) else None)
        released = set(facts_of(new, "released"))
        called = {entity.file for entity in (*old, *new) if entity.root}
        self.added = [entity for entity in self._new if is_deployed(entity, called)]
        declared = {object_of(entity) for entity in new} - {None}
        self.removed = [
            entity
            for entity in self._old
            if is_deployed(entity, called)
            and not is_part_of(entity.name, released)
            and object_of(entity) not in declared
        ]
        self.calls_unknown = {entity.file for entity in (*old, *new) if entity.root == UNFOLLOWED}
        self.instances_unknown = {entity.name for entity in new if entity.instances_unknown}
        self.guards = {entity.name.partition("[")[0]: entity.guards for entity in new if entity.guards}

    def _former_name(self, entity: Entity) -> str | None:
        """The name that a `moved` block says an entity had before; none without one."""
        for old, now in self._moved:
            if is_part_of(entity.name, (now,)):
                return old + entity.name[len(now) :]
        return None

    def _file(self, entity: Entity, is_new: bool) -> str | None:
        return self.former.renamed.get(entity.file, entity.file) if is_new and entity.file else entity.file

    def _pair(self, identity: Callable[[Entity, bool], Hashable], pairs_of: PairsOf | None = None) -> None:
        """Pair what both sides have under an identity, by default only what both have once; None is no identity."""
        old = by_identity(self._old, lambda entity: identity(entity, False))
        new = by_identity(self._new, lambda entity: identity(entity, True))
        paired = [pair for key in new if key in old for pair in (pairs_of or the_only_ones)(new[key], old[key])]
        self.entity_before |= {id(now): before for now, before in paired}
        taken = {id(entity) for pair in paired for entity in pair}
        self._old = [entity for entity in self._old if id(entity) not in taken]
        self._new = [entity for entity in self._new if id(entity) not in taken]


def facts_of(entities: Iterable[Entity], key: str) -> list[str]:
    """What the deployments among some entities say under a key."""
    return [entity.settings[key].value for entity in entities if entity.kind == DEPLOYMENT and key in entity.settings]


def is_part_of(name: str, addresses: Iterable[str]) -> bool:
    """Whether a resource's address is one of these, or lies in one: an instance, or a resource of a module."""
    return any(name == address or name.startswith((f"{address}[", f"{address}.")) for address in addresses)


def object_of(entity: Entity) -> Hashable | None:
    """What makes an operator's resource the same object of Kubernetes in whatever file of a folder it stands; None for anything else."""
    if entity.format not in OF_OPERATORS:
        return None
    return (entity.kind, entity.name, (entity.file or "").rpartition("/")[0])


def is_deployed(entity: Entity, called: set[str | None]) -> bool:
    """Whether a subject is one of its own: the files of a module that is called on the other side stand for nothing without a call."""
    return bool(entity.root) or entity.file not in called


def outlives_its_run(entity: Entity) -> bool:
    """Whether what a subject describes is there before and after a change: no service of a job, and nothing that tests read."""
    return entity.format not in OF_A_JOB and TEST_DATA.search((entity.file or "").replace("\\", "/")) is None


def kind_of(entity: Entity) -> str:
    """The kind by which subjects are paired: a node stays one when its roles change."""
    return NODE if entity.kind in SERVER_KINDS else entity.kind


def node_id(entity: Entity) -> str:
    """The id that a node's file gives it; empty where it gives none, or leaves it to ZooKeeper (-1)."""
    ids = (entity.settings.get(key) for key in ("node.id", "broker.id") if entity.kind in SERVER_KINDS)
    return next((setting.value for setting in ids if setting is not None and not setting.value.startswith("-")), "")


def host_of(entity: Entity) -> str:
    """The listeners by which a node with an id is reached, where they name a host: ids that change places among files stay on the disks there."""
    listeners = (entity.settings.get(key) for key in ("advertised.listeners", "listeners") if node_id(entity))
    text = next((setting.value for setting in listeners if setting is not None), "")
    return text if HOST.search(text) else ""


def is_image(entity: Entity) -> bool:
    """Whether a subject is an image, and no container that runs one."""
    return entity.format == IMAGE


def quorum_of(node: Entity) -> tuple[str, ...]:
    """What all nodes of a cluster name."""
    return tuple(node.settings[key].value for key in QUORUM if key in node.settings)


def is_named(entity: Entity) -> bool:
    """Whether its name is its own, and not that of its file."""
    return entity.file is None or entity.name != entity.file.rpartition("/")[2]


def is_other_by_name(entity: Entity) -> bool:
    """Whether one of another name is another one in the cluster: a topic, or what a tool manages there by its name."""
    return is_named(entity) and (entity.kind == "topic" or (entity.kind == DEPLOYMENT and bool(entity.removal)))


def files_of(entities: Iterable[Entity]) -> set[str | None]:
    """The files of some entities."""
    return {entity.file for entity in entities}


def by_identity(entities: Iterable[Entity], identity: Callable[[Entity], Hashable]) -> dict[Hashable, list[Entity]]:
    """The entities of each identity, in their order."""
    groups: dict[Hashable, list[Entity]] = {}
    for entity in entities:
        key = identity(entity)
        if key is not None:
            groups.setdefault(key, []).append(entity)
    return groups


def the_only_ones(new: Sequence[Entity], old: Sequence[Entity]) -> Iterator[tuple[Entity, Entity]]:
    """The one pair of two groups that have one entity each."""
    if len(new) == len(old) == 1:
        yield new[0], old[0]


def counterparts(new: Sequence[Entity], old: Sequence[Entity]) -> Iterator[tuple[Entity, Entity]]:
    """The pairs of two groups whose entities one name cannot tell apart: those of equal values, then the others in their order.

    Root modules that move, and call one module by one name, make such a group.
    """
    if len(new) == len(old) == 1:
        yield new[0], old[0]
        return
    waiting, changed = by_identity(old, _values_of), []
    for entity in new:
        equal = waiting.get(_values_of(entity))
        if equal:
            yield entity, equal.pop()
        else:
            changed.append(entity)
    yield from zip(changed, (entity for group in waiting.values() for entity in group), strict=False)


def _values_of(entity: Entity) -> frozenset[tuple[str, str]]:
    return frozenset((key, setting.value) for key, setting in entity.settings.items())
