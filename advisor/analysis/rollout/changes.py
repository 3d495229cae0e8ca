"""Every setting that differs, with what it takes: a command, a restart, several passes, data, or nothing at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from advisor.analysis.advice.changes import BROKER, CLUSTER, ConfigChange
from advisor.analysis.advice.commands import config_command
from advisor.analysis.comparison import comparable_value
from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode
from advisor.analysis.rollout.layers import NAMES, THREADS
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.readers import ALTERNATIVES, CLUSTER_WIDE, NOTHING, THIS_BROKER, takes
from advisor.catalog.keys import SYNONYMS
from advisor.model import HIDDEN, MASK, Setting, is_whole_number
from advisor.rule.subject import Unreadable

SETS = {
    **dict.fromkeys(("listeners", "advertised.listeners", "listener.security.protocol.map", "process.roles"), ","),
    **dict.fromkeys(("controller.quorum.voters", "controller.quorum.bootstrap.servers", "zookeeper.connect"), ","),
    **dict.fromkeys(("sasl.enabled.mechanisms", "ssl.enabled.protocols", "ssl.cipher.suites"), ","),
    **dict.fromkeys(("log.cleanup.policy", "metric.reporters", "group.coordinator.rebalance.protocols"), ","),
    **dict.fromkeys(("early.start.listeners", "cordoned.log.dirs"), ","),
    "super.users": ";",
}
"""Lists whose order does not matter, and what parts their items."""
FALLS_BACK = "metadata.log.dir"
"""What takes the first of log.dirs where it is not set, which decides nothing about log.dirs."""
PRIMARY = {
    other: key
    for key, others in SYNONYMS.items()
    for other, _ in others
    if key not in ("broker.id", "listeners", FALLS_BACK)
}
"""The key that decides for each of its synonyms."""
IN_FILE = "<the value that the new file has>"
SAME = "the same value in another spelling"


@dataclass(eq=False)
class ChangedKey:
    """A key that differs on some nodes: its values on the first of them, what it takes, and the commands for that."""

    key: str
    old: str | None
    new: str | None
    takes: str
    why: str = ""
    nodes: list[str] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    differs: bool = False
    remark: str = ""

    @property
    def is_same(self) -> bool:
        """Whether nothing changes but the spelling."""
        return self.why == SAME


def changed_keys(cluster: RolloutCluster) -> list[ChangedKey]:
    """The changes of all nodes; what is the same on several is one row."""
    rows: dict[tuple[object, ...], ChangedKey] = {}
    for node in cluster.nodes.values():
        if node.old is None or node.new is None:
            continue
        for row in changes_of(node.old, node.new, cluster):
            known = rows.setdefault((row.key, row.takes, row.why, row.new is None, row.old is None), row)
            known.differs |= (known.old, known.new) != (row.old, row.new)
            known.nodes.append(node.name)
            known.ids.append(node.id)
    for row in rows.values():
        row.commands = list(commands_of(row, cluster))
    return list(rows.values())


def changes_of(old: NodeConfig, new: NodeConfig, cluster: RolloutCluster) -> Iterator[ChangedKey]:
    """The keys of one node that differ."""
    before, now = old.file_settings, new.file_settings
    for key in differing_keys(old, new):
        what, why = takes(key, new if key in now else old, cluster)
        level = dynamic_level(key, new)
        if level:
            what, why = NOTHING, f"a {NAMES[level]} dynamic value stands above the file"
        elif is_same(key, old, new):
            what, why = NOTHING, SAME
        yield ChangedKey(key, shown(before, key), shown(now, key), what, why)


def differing_keys(old: NodeConfig, new: NodeConfig) -> Iterator[str]:
    """The keys whose values in the files differ; what a running broker hides is not compared."""
    before, now = old.file_settings, new.file_settings
    for key in dict.fromkeys([*now, *before]):
        hidden = key in before and before[key].shape == HIDDEN
        if (key in new.changed_secrets) != (key in old.changed_secrets) or (
            not hidden and comparable_value(before.get(key)) != comparable_value(now.get(key))
        ):
            yield key


def dynamic_level(key: str, new: NodeConfig) -> str | None:
    """The level of the dynamic value that stands above a key of the file."""
    setting = new.config.settings.get(PRIMARY.get(key, key)) or new.config.settings.get(key)
    return setting.source if setting is not None and setting.source in NAMES else None


def is_same(key: str, old: NodeConfig, new: NodeConfig) -> bool:
    """Whether the effective value of a key is what it was."""
    if any(side.config.settings[key].secret for side in (old, new) if key in side.config.settings):
        return False
    bare = old.bare(key)
    if bare in SETS:
        return items(key, bare, old) == items(key, bare, new)
    primary = PRIMARY.get(key, key)
    before, now = value_of(primary, old), value_of(primary, new)
    if isinstance(before, Unreadable) or isinstance(now, Unreadable):
        return old.text(primary) == new.text(primary)
    return before == now


def value_of(key: str, node: NodeConfig) -> object:
    """The effective value of a key; a key that no release has is its own text."""
    try:
        return node.config.answer(("int", key))
    except KeyError:
        return node.text(key) if key in node.config.settings else None


def items(key: str, bare: str, node: NodeConfig) -> frozenset[str]:
    """The items of a list whose order does not matter."""
    text = node.text(key) if key in node.config.settings or key == bare else ""
    return frozenset(item.strip() for item in text.split(SETS[bare]) if item.strip())


def shown(settings: Mapping[str, Setting], key: str) -> str | None:
    """A value as outputs may show it; None where the key is not set."""
    setting = settings.get(key)
    return None if setting is None else setting.shown


def commands_of(row: ChangedKey, cluster: RolloutCluster) -> Iterator[str]:
    """The commands that change a key without a restart; none where its values are not the same on all nodes."""
    if row.takes not in (CLUSTER_WIDE, THIS_BROKER) or row.new is None:
        return
    first = cluster.nodes[row.ids[0]].new
    if first is not None and row.new != MASK and isinstance(value_of(row.key, first), Unreadable):
        return
    key, factor = ALTERNATIVES.get(row.key, (row.key, 1))
    values = [str(int(row.new) * factor)] if factor != 1 and is_whole_number(row.new) else steps_to(row, cluster)
    everywhere = {node.id for node in cluster.brokers} <= {*row.ids}
    for value in values if not row.differs else ():
        if row.takes == CLUSTER_WIDE and everywhere:
            yield config_command(ConfigChange(CLUSTER, "", ((key, value),))).change
        else:
            yield from (config_command(ConfigChange(BROKER, str(id), ((key, value),))).change for id in row.ids)


def is_refused_as_written(row: ChangedKey, cluster: RolloutCluster) -> bool:
    """Whether Kafka takes a dynamic value only under another key or in several steps, and not as the file has it."""
    if row.takes != CLUSTER_WIDE:
        return False
    return row.key in ALTERNATIVES or (row.new is not None and len(steps_to(row, cluster)) > 1)


def steps_to(row: ChangedKey, cluster: RolloutCluster) -> list[str]:
    """The values on the way to a new one: a thread count is doubled or halved at most, from the default where none is set."""
    assert row.new is not None
    if row.new == MASK:
        return [IN_FILE]
    former = cluster.nodes[row.ids[0]].old
    present = former.number(row.key) if former is not None and row.key in THREADS else None
    if present is None or not is_whole_number(row.new):
        return [row.new]
    wanted, values = int(row.new), list[str]()
    while present != wanted and present > 0 and wanted > 0:
        present = min(present * 2, wanted) if wanted > present else max(-(-present // 2), wanted)
        values.append(str(present))
    return values


def changes_node(node: RolloutNode) -> bool:
    """Whether a node's two files differ at all."""
    if node.old is None or node.new is None:
        return True
    return next(differing_keys(node.old, node.new), None) is not None
