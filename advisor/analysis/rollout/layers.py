"""Dynamic values of a running broker over the file that it will be restarted with, as Kafka puts them together.

A thread count that the file makes more than twice, or less than half, the dynamic one lets Kafka drop the whole layer.
Source: DynamicBrokerConfig.processReconfiguration, DynamicThreadPool.validateReconfiguration.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import NamedTuple

from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.outcome import LOSES, Fault
from advisor.model import (
    DYNAMIC_BROKER,
    DYNAMIC_DEFAULT_BROKER,
    HIDDEN,
    LIVE,
    STATIC_BROKER,
    Broker,
    Entity,
    Setting,
    is_whole_number,
)

THREADS = (
    *("num.io.threads", "num.network.threads", "background.threads", "num.replica.fetchers"),
    *("num.recovery.threads.per.data.dir", "log.cleaner.threads"),
)
"""Thread counts, which go from half to double the present one at a time."""
LEVELS = (DYNAMIC_DEFAULT_BROKER, DYNAMIC_BROKER)
NAMES = {DYNAMIC_DEFAULT_BROKER: "cluster-wide", DYNAMIC_BROKER: "per-broker"}
SHORTER = ("log.retention.ms", "log.retention.bytes", "min.insync.replicas", "log.local.retention.ms")
"""What protects less where it is lower."""

Layer = Mapping[str, Setting]


class Dropped(NamedTuple):
    """A layer that does not hold after a restart, by the thread count that the file contradicts."""

    level: str
    key: str
    dynamic: int
    file: int
    keys: tuple[str, ...]


def layers_of(entity: Entity) -> dict[str, Layer]:
    """The dynamic values of a running broker, by level."""
    layers: dict[str, dict[str, Setting]] = {level: {} for level in LEVELS}
    chains = entity.overridden if isinstance(entity, Broker) else {}
    for key, setting in entity.settings.items():
        if setting.source in layers:
            layers[setting.source][key] = setting
        for source, value in chains.get(key, ())[1:]:
            if source in layers and value is not None and key not in layers[source]:
                layers[source][key] = Setting(key, value, source, LIVE)
    return layers  # type: ignore[return-value]


def file_settings(entity: Entity) -> dict[str, Setting]:
    """What stands in the file of a running broker."""
    chains = entity.overridden if isinstance(entity, Broker) else {}
    settings = {}
    for key, setting in entity.settings.items():
        if setting.source == STATIC_BROKER:
            settings[key] = setting
            continue
        below = next((value for source, value in chains.get(key, ()) if source == STATIC_BROKER), None)
        if below is not None:
            settings[key] = Setting(key, below, STATIC_BROKER, LIVE)
    return settings


def dropped_layers(file: NodeConfig, layers: Mapping[str, Layer]) -> list[Dropped]:
    """The layers that Kafka drops at the start with a file."""
    dropped = []
    for level, layer in layers.items():
        for key in THREADS:
            written = layer.get(key)
            number, base = int(written.value) if written and is_whole_number(written.value) else None, file.number(key)
            if number is not None and base and not base // 2 <= number <= base * 2:
                dropped.append(Dropped(level, key, number, base, tuple(sorted(layer))))
                break
    return dropped


def restarted(file: Entity, layers: Mapping[str, Layer], dropped: list[Dropped]) -> Entity:
    """What a broker runs with after a restart: the file, and the dynamic values that hold."""
    after = copy(file)
    after.settings = dict(file.settings)
    gone = {row.level for row in dropped}
    for level in LEVELS:
        if level not in gone:
            after.settings |= {key: row for key, row in layers[level].items() if row.shape != HIDDEN}
    return after


def faults_of_layers(name: str, dropped: list[Dropped], old: NodeConfig, new: NodeConfig) -> list[Fault]:
    """What a dropped layer takes away that protected records."""
    faults = []
    for row in dropped:
        weaker = [key for key in row.keys if is_weaker(key, old, new)]
        if weaker:
            why = (
                f"{name} drops every {NAMES[row.level]} dynamic value, {', '.join(weaker)} among them: "
                f"{row.key}={row.file} in the file is not within half and twice the dynamic {row.dynamic}"
            )
            faults.append(Fault(LOSES, why))
    return faults


def is_weaker(key: str, old: NodeConfig, new: NodeConfig) -> bool:
    """Whether a key protects records less than it did."""
    if key in SHORTER:
        was, is_now = old.number(key), new.number(key)
        return was is not None and is_now is not None and (is_now < was if was >= 0 else is_now >= 0)
    if key in ("log.cleanup.policy", "unclean.leader.election.enable"):
        return old.text(key) != new.text(key)
    return False
