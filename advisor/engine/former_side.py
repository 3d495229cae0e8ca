"""The side before a change: its subjects, paired with those of today by what identifies them, else by where they stand."""

from __future__ import annotations

import re

from advisor.config import Config
from advisor.model import DEPLOYMENT, SERVER_KINDS
from advisor.rule.subject import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from advisor.model import Entity, Snapshot
    from advisor.rule.subject import Question

    Inputs = dict[str, list[Config]]

NODE = "node"
OF_A_JOB = ("workflow",)
"""Formats of what lives for one job of a CI service: nothing of it is there when the next one runs."""
TEST_DATA = re.compile(
    r"(^|/)(src/(test|it|integration-?test)|test(s|data)?/(resources|fixtures|data)|test-?data|__fixtures__)/"
)
"""Folders of what tests read, which is deployed nowhere."""
CLASS = "connector.class"
CLUSTER_INPUTS = ("cluster", "quorum")
"""The inputs that all nodes of a cluster make together."""


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
        self._pair(lambda entity, is_new: (kind_of(entity), entity.name, self._file(entity, is_new)))
        self._pair(lambda entity, is_new: (kind_of(entity), entity.name) if is_named(entity) else None)
        self._pair(
            lambda entity, is_new: (
                (kind_of(entity), self._file(entity, is_new)) if not is_other_by_name(entity) else None
            )
        )
        if len(files_of(old)) == 1 and len(files_of(new)) == 1:
            self._pair(lambda entity, is_new: kind_of(entity) if not is_other_by_name(entity) else None)
        released = set(facts_of(new, "released"))
        self.added = self._new
        self.removed = [entity for entity in self._old if not is_part_of(entity.name, released)]
        self.instances_unknown = {entity.name for entity in new if entity.instances_unknown}

    def _former_name(self, entity: Entity) -> str | None:
        """The name that a `moved` block says an entity had before; none without one."""
        for old, now in self._moved:
            if is_part_of(entity.name, (now,)):
                return old + entity.name[len(now) :]
        return None

    def _file(self, entity: Entity, is_new: bool) -> str | None:
        return self.former.renamed.get(entity.file, entity.file) if is_new and entity.file else entity.file

    def _pair(self, identity: Callable[[Entity, bool], Hashable]) -> None:
        """Pair what both sides have exactly once under an identity; None is no identity."""
        old = unique(self._old, lambda entity: identity(entity, False))
        new = unique(self._new, lambda entity: identity(entity, True))
        paired = {key: (new[key], old[key]) for key in new if key in old}
        self.entity_before |= {id(now): before for now, before in paired.values()}
        taken = {id(entity) for pair in paired.values() for entity in pair}
        self._old = [entity for entity in self._old if id(entity) not in taken]
        self._new = [entity for entity in self._new if id(entity) not in taken]


def facts_of(entities: Iterable[Entity], key: str) -> list[str]:
    """What the deployments among some entities say under a key."""
    return [entity.settings[key].value for entity in entities if entity.kind == DEPLOYMENT and key in entity.settings]


def is_part_of(name: str, addresses: Iterable[str]) -> bool:
    """Whether a resource's address is one of these, or lies in one: an instance, or a resource of a module."""
    return any(name == address or name.startswith((f"{address}[", f"{address}.")) for address in addresses)


def outlives_its_run(entity: Entity) -> bool:
    """Whether what a subject describes is there before and after a change: no service of a job, and nothing that tests read."""
    return entity.format not in OF_A_JOB and TEST_DATA.search((entity.file or "").replace("\\", "/")) is None


def kind_of(entity: Entity) -> str:
    """The kind by which subjects are paired: a node stays one when its roles change."""
    return NODE if entity.kind in SERVER_KINDS else entity.kind


def is_named(entity: Entity) -> bool:
    """Whether its name is its own, and not that of its file."""
    return entity.file is None or entity.name != entity.file.rpartition("/")[2]


def is_other_by_name(entity: Entity) -> bool:
    """Whether one of another name is another one in the cluster: a topic, or what a tool manages there by its name."""
    return is_named(entity) and (entity.kind == "topic" or (entity.kind == DEPLOYMENT and bool(entity.removal)))


def files_of(entities: Iterable[Entity]) -> set[str | None]:
    """The files of some entities."""
    return {entity.file for entity in entities}


def unique(entities: Iterable[Entity], identity: Callable[[Entity], Hashable]) -> dict[Hashable, Entity]:
    """The entities whose identity no other one has."""
    by_identity: dict[Hashable, list[Entity]] = {}
    for entity in entities:
        key = identity(entity)
        if key is not None:
            by_identity.setdefault(key, []).append(entity)
    return {key: group[0] for key, group in by_identity.items() if len(group) == 1}


class Change:
    """Two sides as inputs of rules: each subject of today has its former self behind it."""

    def __init__(self, former: FormerSide, today: Sequence[Snapshot], inputs_of: Callable[[Snapshot], Inputs]) -> None:
        self.former = former
        self.pairs = Pairs(former, today)
        self._connect = [entity for snapshot in today for entity in snapshot.entities if entity.kind == "connect"]
        self.inputs = [inputs_of(snapshot) for snapshot in former.snapshots]
        self.config_of = {
            id(config.entity): config
            for inputs in self.inputs
            for name, configs in inputs.items()
            if name not in CLUSTER_INPUTS
            for config in configs
        }
        self._cluster_of = {
            id(entity): number for number, snapshot in enumerate(former.snapshots) for entity in snapshot.entities
        }

    def add_to(self, inputs: Inputs, snapshot: Snapshot, is_last: bool) -> None:
        """Add to a snapshot's inputs what was before; with the last one comes what was removed from all."""
        for configs in list(inputs.values()):
            for config in configs:
                config.before = self._before(config)
        if snapshot.live is not None:
            self._split_topics(inputs, snapshot)
        inputs["before"] = [config.before for configs in inputs.values() for config in configs if config.before]
        for name in CLUSTER_INPUTS:
            for config in inputs.get(name, ()):
                config.before = self._cluster_before(name, snapshot)
        inputs["connector"] = self._connectors(inputs.get("connect", ()))
        added = {id(entity) for entity in self.pairs.added}
        inputs["added"] = [self._config_of_added(entity) for entity in snapshot.entities if id(entity) in added]
        inputs["removed"] = [
            self._config_of_removed(entity)
            for entity in self.pairs.removed
            if is_last and (entity.removal or entity.file not in self.former.unread)
        ]

    def _split_topics(self, inputs: Inputs, snapshot: Snapshot) -> None:
        """Give each topic of a running cluster its own former self: topics that are equal today may not have been so before."""
        from advisor.config.subject_group import SubjectGroup
        from advisor.engine.former_topics import former_topics, partition_counts, split_by_former

        former, counts = former_topics(self.former.snapshots, self.inputs), partition_counts(snapshot)
        groups = {
            id(group): split_by_former(group, former, counts)
            for group in inputs.get("topic", ())
            if isinstance(group, SubjectGroup)
        }
        for name in ("topic", "config"):
            configs = inputs.get(name, [])
            inputs[name] = [part for config in configs for part in groups.get(id(config), [config])]

    def _connectors(self, of_snapshot: Sequence[Config]) -> list[Config]:
        """The connectors of all files, where the one worker among them is in this snapshot; of several none is known to run them."""
        workers = [entity for entity in self._connect if CLASS not in entity.settings]
        if len(workers) != 1 or all(config.entity is not workers[0] for config in of_snapshot):
            return []
        return [Config(entity) for entity in self._connect if CLASS in entity.settings]

    def _config_of_added(self, entity: Entity) -> Config:
        """A subject that is new; unknown where its file could not be read before."""
        reason = self.former.unread.get(entity.file or "")
        return UnreadConfig(entity, reason) if reason else Config(entity)

    def _config_of_removed(self, entity: Entity) -> Config:
        """A subject that is gone; unknown where its file cannot be read today, or which instances its resource has."""
        reason = self.former.unread.get(entity.file or "")
        if reason:
            return UnreadConfig(entity, reason)
        if entity.name.partition("[")[0] in self.pairs.instances_unknown:
            return UnreadConfig(entity, "which instances the resource has today is not known")
        return self.config_of.get(id(entity)) or Config(entity)

    def _before(self, config: Config) -> Config | None:
        entity = self.pairs.entity_before.get(id(config.entity))
        if entity is not None:
            return self.config_of.get(id(entity)) or Config(entity)
        reason = self.former.unread.get(config.file or "")
        return UnreadConfig(config.entity, reason) if reason else None

    def _cluster_before(self, name: str, snapshot: Snapshot) -> Config | None:
        """The cluster of before that most nodes of this one were in, the first of several."""
        numbers: dict[int, int] = {}
        for entity in snapshot.entities:
            number = self._cluster_of.get(id(self.pairs.entity_before.get(id(entity))))
            if number is not None and self.inputs[number].get(name):
                numbers[number] = numbers.get(number, 0) + 1
        most = max(sorted(numbers), key=lambda number: numbers[number], default=None)
        return None if most is None else self.inputs[most][name][0]


class UnreadConfig(Config):
    """A subject whose file could not be read on one side: everything about it is unknown there."""

    __slots__ = ("_unread",)

    def __init__(self, entity: Entity, reason: str) -> None:
        from copy import copy

        other = copy(entity)
        other.settings, other.missing = {}, reason
        super().__init__(other)
        self._unread = Unreadable(reason)

    def answer(self, question: Question) -> Hashable:
        """Unreadable, whatever is asked."""
        return self._unread
