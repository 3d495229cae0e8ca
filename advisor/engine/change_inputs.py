"""A change as inputs of rules: each subject of today with its former self behind it, and what was added or removed."""

from __future__ import annotations

from copy import copy

from advisor.config import Config
from advisor.engine.former_side import OF_OPERATORS, Pairs, node_id
from advisor.model import IN_BLOCK, OF_NODE, SERVER_KINDS
from advisor.rule.subject import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from advisor.engine.former_side import FormerSide
    from advisor.model import Entity, Snapshot
    from advisor.rule.subject import Question

    Inputs = dict[str, list[Config]]

CLASS = "connector.class"
CALLS = "which calls of its module there are on both sides is not followed"
CLUSTER_INPUTS = ("cluster", "running_cluster", "declared_cluster", "quorum")
"""The inputs that all nodes of a cluster make together."""


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
        gone = {id(entity) for entity in self.pairs.removed}
        self._staying = {
            number
            for number, snapshot in enumerate(former.snapshots)
            if any(entity.kind in SERVER_KINDS and id(entity) not in gone for entity in snapshot.entities)
        }
        self._cluster_of = {
            id(entity): number for number, snapshot in enumerate(former.snapshots) for entity in snapshot.entities
        }

    def add_to(self, inputs: Inputs, snapshot: Snapshot, is_last: bool) -> None:
        """Add to a snapshot's inputs what was before; with the last one comes what was removed from all."""
        for configs in list(inputs.values()):
            for config in configs:
                config.before = self._before(config)
                if config.before is not None and "brokers" in config.facts:
                    config.facts = {**config.facts, "former brokers": config.before.facts.get("brokers", 0)}
        if snapshot.live is not None:
            self._split_topics(inputs, snapshot)
        inputs["before"] = [config.before for configs in inputs.values() for config in configs if config.before]
        for name in CLUSTER_INPUTS:
            for config in inputs.get(name, ()):
                self._pair_cluster(config, name, snapshot)
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
        from advisor.engine.former_topics import (
            counts_by_topic,
            former_topics,
            split_by_former,
        )

        former, counts = former_topics(self.former.snapshots, self.inputs), counts_by_topic(snapshot)
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
        reason = self.former.unread.get(entity.file or "") or (CALLS if entity.file in self.pairs.calls_unknown else "")
        return UnreadConfig(entity, reason) if reason else Config(entity)

    def _config_of_removed(self, entity: Entity) -> Config:
        """A subject that is gone; unknown where its file cannot be read today, or which instances its resource has."""
        reason = self.former.unread.get(entity.file or "")
        if reason:
            return UnreadConfig(entity, reason)
        if entity.file in self.pairs.calls_unknown:
            return UnreadConfig(entity, CALLS)
        if entity.name.partition("[")[0] in self.pairs.instances_unknown:
            return UnreadConfig(entity, "which instances the resource has today is not known")
        return (
            self._config_of_node(entity)
            or self._config_of_guarded(entity)
            or self.config_of.get(id(entity))
            or Config(entity)
        )

    def _config_of_node(self, entity: Entity) -> Config | None:
        """A node with an id that is gone while others of its cluster stay; None for anything else, and for an operator's, which goes with its pool."""
        if entity.format in OF_OPERATORS:
            return None
        if entity.file is None or not node_id(entity) or self._cluster_of[id(entity)] not in self._staying:
            return None
        node = copy(entity)
        node.removal = OF_NODE
        return Config(node)

    def _config_of_guarded(self, entity: Entity) -> Config | None:
        """A resource with what still keeps it from being deleted: a guard in its block is gone, unless other instances have it."""
        if not entity.guards and entity.name.partition("[")[0] not in self.pairs.guards:
            return None
        guarded = copy(entity)
        of_service = tuple(guard for guard in entity.guards if guard != IN_BLOCK)
        guarded.guards = (*of_service, *self.pairs.guards.get(entity.name.partition("[")[0], ()))
        return Config(guarded)

    def _before(self, config: Config) -> Config | None:
        entity = self.pairs.entity_before.get(id(config.entity))
        if entity is not None:
            return at_one_release(self.config_of.get(id(entity)) or Config(entity), config.entity)
        reason = self.former.unread.get(config.file or "")
        return UnreadConfig(config.entity, reason) if reason else None

    def _pair_cluster(self, config: Config, name: str, snapshot: Snapshot) -> None:
        """Put behind a cluster the one of before that most of its nodes were in, the first of several."""
        numbers: dict[int, int] = {}
        for entity in snapshot.entities:
            number = self._cluster_of.get(id(self.pairs.entity_before.get(id(entity))))
            if number is not None and self.inputs[number].get(name):
                numbers[number] = numbers.get(number, 0) + 1
        most = max(sorted(numbers), key=lambda number: numbers[number], default=None)
        if most is None:
            return
        config.before = self.inputs[most][name][0]
        if name == "cluster" and snapshot.live is not None:
            from advisor.engine.former_topics import compare_topics

            compare_topics(config.before, config, self.former.snapshots[most], snapshot)


def at_one_release(before: Config, today: Entity) -> Config:
    """The side before at today's release where only one side says its own: one that is written down, or no longer, is not another one."""
    if before.entity.target.given == today.target.given:
        return before
    entity = copy(before.entity)
    entity.target = today.target
    config = Config(entity, before.facts)
    config.other_role = before.other_role
    return config


class UnreadConfig(Config):
    """A subject whose file could not be read on one side: everything about it is unknown there."""

    __slots__ = ("_unread",)

    def __init__(self, entity: Entity, reason: str) -> None:
        other = copy(entity)
        other.settings, other.missing = {}, reason
        super().__init__(other)
        self._unread = Unreadable(reason)

    def answer(self, question: Question) -> Hashable:
        """Unreadable, whatever is asked."""
        return self._unread
