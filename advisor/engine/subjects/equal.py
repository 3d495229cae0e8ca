"""Which subjects of files equal others: a file given twice under two names is scored once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from advisor.config import Config
from advisor.config.cluster_config import ClusterConfig
from advisor.engine.policy import Policy
from advisor.model import Entity, Snapshot


def repeated_entities(snapshots: Iterable[Snapshot], policy: Policy) -> frozenset[int]:
    """The `id()` of every entity of a file that equals an earlier one in all but its name."""
    first_of_content: dict[Hashable, Entity] = {}
    entities = (entity for snapshot in snapshots for entity in snapshot.entities if entity.file is not None)
    return frozenset(
        id(entity) for entity in entities if first_of_content.setdefault(_content(entity, policy), entity) is not entity
    )


def _content(entity: Entity, policy: Policy) -> Hashable:
    """Everything that rules may ask of an entity, and the profile it is judged under."""
    settings = frozenset((key, setting.value, setting.shape) for key, setting in entity.settings.items())
    described = frozenset((entity.described or {}).items())
    profile = policy.profiles.get(entity.file or "", policy.profile)
    target = (entity.target.version, entity.target.vendor)
    limits = (entity.missing, entity.changed_by, entity.fragment, entity.cluster_size, entity.replicas, entity.platform)
    return (entity.kind, entity.family, profile, target, settings, described, limits)


def is_repeated(configs: Iterable[Config], repeated: frozenset[int]) -> bool:
    """Whether one of the inputs equals an earlier one, a cluster with all its nodes."""
    return any(all(id(node.entity) in repeated for node in _nodes(config)) for config in configs)


def _nodes(config: Config) -> tuple[Config, ...]:
    return config.nodes if isinstance(config, ClusterConfig) else (config,)
