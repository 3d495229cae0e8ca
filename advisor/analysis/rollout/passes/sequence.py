"""A sequence of intermediate configurations by which a change is rolled out where one rollout is not enough.

Candidates are made of both sides; each pass of each is played like any rollout, and a sequence counts if all of them hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from advisor.analysis.rollout.changes import changes_node
from advisor.analysis.rollout.cluster import RolloutCluster, RolloutNode, by_id
from advisor.analysis.rollout.course import Course
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.operators import is_writable
from advisor.analysis.rollout.outcome import UNAVAILABLE, differing
from advisor.analysis.rollout.passes.candidates import candidates
from advisor.analysis.rollout.passes.credentials import credentials_first
from advisor.analysis.rollout.passes.files import FileDiff, diffs_of
from advisor.analysis.rollout.passes.stages import Candidate
from advisor.model import Entity

Play = Callable[[RolloutCluster], Course]
"""Plays a patient rollout."""


@dataclass(eq=False)
class Pass:
    """One rolling restart of several: what it does, the files of each node before and after, and what to wait for.

    `before` must hold and `commands` be run before the first restart, `at_each` is done while a node is stopped,
    `by_hand` after all else.
    """

    number: int
    title: str
    cluster: RolloutCluster
    course: Course
    wait: tuple[str, ...] = ()
    way_back: str = ""
    point_of_no_return: str | None = None
    keys: list[str] = field(default_factory=list)
    files: list[FileDiff] = field(default_factory=list)
    before: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    at_each: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()

    @property
    def order(self) -> list[str]:
        """The nodes in the order in which they are restarted."""
        return [node.name for node in self.cluster.order()]


def passes_for(cluster: RolloutCluster, play: Play) -> list[Pass]:
    """The shortest sequence that holds; none where there is none."""
    for candidate in candidates(cluster):
        passes = played(cluster, candidate, play)
        if len(passes) > 1 and all(is_writable(each.keys, cluster) for each in passes[:-1]):
            write_files(cluster, passes)
            return passes
    return []


def played(cluster: RolloutCluster, candidate: Candidate, play: Play) -> list[Pass]:
    """The passes of a candidate, none where one of them does not hold."""
    before = {node.id: node.old for node in cluster.nodes.values()}
    passes: list[Pass] = []
    for stage in candidate.stages:
        after = {id: config_of(before[id], stage.entities.get(id), cluster.nodes[id]) for id in before}
        step = between(cluster, before, after)
        if any(node.changed for node in step.nodes.values()):
            course = play(step)
            if not holds(course):
                return []
            first = (*stage.before, *credentials_first(step))
            passes.append(Pass(len(passes) + 1, stage.title, step, course, stage.wait, stage.way_back, before=first))
            passes[-1].keys = keys_of(step)
        before = after
    return passes if all(before[node.id] is node.new for node in cluster.nodes.values()) else []


def config_of(before: NodeConfig | None, entity: Entity | None, node: RolloutNode) -> NodeConfig | None:
    """A node's configuration after a stage: the same as before, the final one, or another."""
    if entity is None:
        return before
    if node.new is not None and entity is node.new.entity:
        return node.new
    config = NodeConfig(entity)
    if node.new is not None:
        settings = node.new.entity.settings
        config.both_files = node.new.both_files
        config.changed_secrets = tuple(
            key for key in node.new.changed_secrets if entity.settings.get(key) is settings[key]
        )
    return config


def between(
    cluster: RolloutCluster, before: Mapping[int, NodeConfig | None], after: Mapping[int, NodeConfig | None]
) -> RolloutCluster:
    """The cluster of one pass, without nodes that are added later or have gone."""
    sides = [(node, before[node.id], after[node.id]) for node in cluster.nodes.values()]
    nodes = [RolloutNode(node.id, node.name, old, new) for node, old, new in sides if old or new]
    for node in nodes:
        node.changed = node.old is not node.new and changes_node(node)
    step = RolloutCluster(by_id(nodes), cluster.snapshot)
    step.clients_move, step.partitions = True, cluster.partitions
    step.old_texts, step.new_texts = cluster.old_texts, cluster.new_texts
    return step


def holds(course: Course) -> bool:
    """Whether a pass stops nothing that only the change stops."""
    return course.ends_well and not any(fault.verdict == UNAVAILABLE or not fault.passing for fault in course.faults)


def write_files(cluster: RolloutCluster, passes: list[Pass]) -> None:
    """Write what each pass changes in the files."""
    stages = [{node.id: node.new.entity for node in each.cluster.nodes.values() if node.new} for each in passes]
    for each, files in zip(passes, diffs_of(cluster, stages), strict=True):
        each.files = files


def keys_of(cluster: RolloutCluster) -> list[str]:
    """The keys that a pass changes, on any node."""
    keys: dict[str, None] = {}
    for node in cluster.nodes.values():
        if node.old and node.new and node.changed:
            keys |= dict.fromkeys(differing(node.old.entity, node.new.entity))
            keys |= dict.fromkeys(sorted({*node.old.changed_secrets} ^ {*node.new.changed_secrets}))
    return list(keys)
