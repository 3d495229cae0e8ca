"""The answer: whether a change can be rolled out, what happens at each step, and in how many passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from advisor.analysis.rollout.changes import ChangedKey, changed_keys, is_refused_as_written, value_of
from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.course import Course, Roll, RolloutStep
from advisor.analysis.rollout.node import SECURITY, WIRE
from advisor.analysis.rollout.operators import altering_operator, operator_notes
from advisor.analysis.rollout.outcome import (
    DYNAMIC,
    NEEDS_PASSES,
    NO_EFFECT,
    SURVIVES,
    UNAVAILABLE,
    UNKNOWN,
    Fault,
    UnknownFact,
    worst,
)
from advisor.analysis.rollout.partitions import MIN_ISR
from advisor.analysis.rollout.passes.changed_secrets import unknown_logins
from advisor.analysis.rollout.passes.credentials import unknown_credential
from advisor.analysis.rollout.passes.plans import dynamic_quorum_plan, instead_of, refill_plan
from advisor.analysis.rollout.passes.scale_down import scale_down_plan
from advisor.analysis.rollout.passes.sequence import Pass, passes_for
from advisor.analysis.rollout.readers import CLUSTER_WIDE, NEW_TOPICS, NOTHING, PASSES, THIS_BROKER, is_internal
from advisor.analysis.rollout.running import add_remarks, group_facts
from advisor.analysis.rollout.starting import StartMemory, Starts
from advisor.analysis.rollout.values.disks import disk_facts
from advisor.analysis.rollout.values.faults import HEARTBEAT, SESSION, faults_of_cluster, faults_of_node
from advisor.analysis.rollout.values.unknown_effects import moved_addresses, unknown_of_node
from advisor.analysis.startup.judge import StartupJudge
from advisor.rule.subject import Unreadable

NAMED = 3
"""Nodes that are named where something is not known of several."""
PARTED = (*WIRE, SESSION, HEARTBEAT)
"""Keys whose change passes part, beside those of how listeners log in and encrypt."""


@dataclass(eq=False)
class Rollout:
    """The answer: two verdicts, for a rollout that does not wait and for one that does, and what they rest on."""

    cluster: RolloutCluster
    changes: list[ChangedKey]
    hasty: Course
    waiting: Course
    verdict: str
    patient: str
    passes: list[Pass] = field(default_factory=list)
    unknown: list[UnknownFact] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    operators: list[str] = field(default_factory=list)
    """What an operator does by itself, and where it hangs."""
    altered_by: str = ""
    """The operator that alters the values itself and restarts nothing; empty for none."""
    is_restarted_by_operator: bool = False
    """Whether an operator restarts the nodes for dynamic values, as Kafka refuses them in the form in which they are written."""
    instead: list[str] = field(default_factory=list)
    """What to do in place of a change for which there is no sequence."""

    @property
    def steps(self) -> list[RolloutStep]:
        """The steps of a rollout that goes on whatever it sees."""
        return self.hasty.steps

    @property
    def version(self) -> str:
        """The release that the new files are judged for."""
        return next(node.either.entity.target.text for node in self.cluster.nodes.values())

    @property
    def needs_restart(self) -> bool:
        """Whether some change takes more than commands."""
        return self.is_restarted_by_operator or any(
            row.takes not in (CLUSTER_WIDE, THIS_BROKER, NOTHING) for row in self.changes
        )


def rollout_of(cluster: RolloutCluster, judge: StartupJudge) -> Rollout:
    """Play the change, judge it, and search for passes where one is not enough."""
    changes = changed_keys(cluster)
    memory = StartMemory(judge)
    hasty, waiting = courses(cluster, memory)
    add_remarks(changes, cluster)
    of_groups = list(group_facts(cluster))
    faults_of_values = [
        *cluster.of_deployments,
        *cluster.faults,
        *value_faults(cluster),
        *dict.fromkeys(row for row in of_groups if isinstance(row, Fault)),
    ]
    unknown = [row for row in of_groups if isinstance(row, UnknownFact)]
    unknown = unique(
        [
            *cluster.unknown,
            *unknown,
            *disk_facts(cluster),
            *unread(cluster, changes),
            *unknown_values(cluster),
            *moved_addresses(cluster),
            *hasty.unknown,
        ]
    )

    def play(each: RolloutCluster) -> Course:
        return Roll(each, Starts(each, memory), waits=True).play()

    is_passable = not cluster.of_deployments and can_pass(hasty, faults_of_values)
    passes = passes_for(cluster, play) if is_passable else scale_down_plan(cluster, hasty)
    rollout = Rollout(cluster, changes, hasty, waiting, "", "", passes, unknown, [*hasty.faults, *faults_of_values])
    rollout.verdict = verdict_of(rollout, hasty, faults_of_values)
    rollout.patient = verdict_of(rollout, waiting, faults_of_values)
    if rollout.verdict == NEEDS_PASSES:
        mark_passes(rollout)
    elif rollout.verdict not in SURVIVES:
        drop_commands(rollout)
        refill = refill_plan(cluster, Starts(cluster, memory), waiting) if not faults_of_values else []
        rollout.passes = rollout.passes or dynamic_quorum_plan(cluster, play) or refill
        rollout.instead = [] if rollout.passes else list(instead_of(cluster, hasty))
    leave_to_operator(rollout)
    notes = operator_notes(cluster, hasty, rollout.needs_restart, len(rollout.passes))
    rollout.operators = [*cluster.applied, *notes]
    return rollout


def leave_to_operator(rollout: Rollout) -> None:
    """Offer no command where an operator alters values by itself when its resource is applied."""
    operator = altering_operator(rollout.cluster)
    if not operator or not rollout.changes:
        return
    rollout.is_restarted_by_operator = any(is_refused_as_written(row, rollout.cluster) for row in rollout.changes)
    rollout.altered_by = "" if rollout.needs_restart else operator
    for row in rollout.changes:
        row.commands = []


def courses(cluster: RolloutCluster, memory: StartMemory) -> tuple[Course, Course]:
    """The rollout that does not wait, and the one that does, which is the same where nothing has to be waited for."""
    starts = Starts(cluster, memory)
    hasty = Roll(cluster, starts, waits=False).play()
    if hasty.faults or hasty.has_preparation or not hasty.ends_well:
        return hasty, Roll(cluster, starts, waits=True).play()
    return hasty, hasty


def can_pass(course: Course, faults_of_values: Sequence[Fault]) -> bool:
    """Whether what goes wrong does so only while files differ, so that intermediate files may help."""
    faults = [*course.faults, *faults_of_values]
    return bool(faults) and all(fault.verdict in (UNAVAILABLE, NEEDS_PASSES) for fault in faults)


def value_faults(cluster: RolloutCluster) -> list[Fault]:
    """What the values do on their own."""
    pairs = [(node.old, node.new) for node in cluster.nodes.values()]
    faults = [fault for old, new in pairs if old and new for fault in faults_of_node(old, new)]
    return list(dict.fromkeys([*faults_of_cluster(cluster), *faults]))


def unknown_values(cluster: RolloutCluster) -> list[UnknownFact]:
    """What values do to clients that files do not show."""
    return [
        row
        for node in cluster.nodes.values()
        if node.old and node.new
        for row in (
            *unknown_of_node(node.name, node.old, node.new, cluster),
            *unknown_logins(node),
            *unknown_credential(node.name, node.old, node.new),
        )
    ]


def unread(cluster: RolloutCluster, changes: Sequence[ChangedKey]) -> list[UnknownFact]:
    """Changed values that are filled in later."""
    rows = []
    for row in changes:
        node = cluster.nodes[row.ids[0]]
        for side in (node.old, node.new):
            if (
                side is None
                or row.is_same
                or row.key not in side.config.settings
                or side.config.settings[row.key].secret
            ):
                continue
            value = value_of(row.key, side)
            if isinstance(value, Unreadable):
                rows.append(UnknownFact(node.name, row.key, value.reason))
    return rows


def verdict_of(rollout: Rollout, course: Course, faults_of_values: Sequence[Fault]) -> str:
    """The verdict on one of the two ways to roll out."""
    verdict = worst(fault.verdict for fault in (*course.faults, *faults_of_values))
    if verdict in (UNAVAILABLE, NEEDS_PASSES):
        verdict = NEEDS_PASSES if rollout.passes else UNAVAILABLE
    dynamic = rollout.changes and not rollout.needs_restart
    if verdict == UNAVAILABLE and dynamic and course.by_design and not faults_of_values:
        verdict = DYNAMIC
    if verdict in (worst(()), DYNAMIC) and rollout.changes and all(map(is_void, rollout.changes)):
        verdict = NO_EFFECT
    return UNKNOWN if verdict in SURVIVES and any(row.decides for row in rollout.unknown) else verdict


def is_void(row: ChangedKey) -> bool:
    """Whether a change has no effect on a cluster that runs: nothing reads it, or internal topics that exist do not."""
    return row.takes == NOTHING or (row.takes == NEW_TOPICS and is_internal(row.key))


def mark_passes(rollout: Rollout) -> None:
    """Say of the changes that the passes part that they take several."""
    for row in rollout.changes:
        bare = rollout.cluster.nodes[row.ids[0]].either.bare(row.key)
        if row.takes != NOTHING and (bare in PARTED or bare.startswith(SECURITY)):
            row.takes, row.commands = PASSES, []


def drop_commands(rollout: Rollout) -> None:
    """Offer no command for how nodes log in to each other, or for what every restart from then on stops writes by."""
    if rollout.verdict == UNAVAILABLE:
        for row in rollout.changes:
            if rollout.cluster.nodes[row.ids[0]].either.bare(row.key).startswith((*SECURITY, MIN_ISR)):
                row.commands = []


def unique(rows: Sequence[UnknownFact]) -> list[UnknownFact]:
    """The rows, those of one key and reason once, with all nodes that they are of."""
    groups: dict[tuple[str | None, str], list[UnknownFact]] = {}
    for row in rows:
        groups.setdefault((row.key, row.reason), []).append(row)
    return [group[0]._replace(node=names_of(group)) for group in groups.values()]


def names_of(rows: Sequence[UnknownFact]) -> str | None:
    """The nodes of some rows, the first ones by name."""
    names = list(dict.fromkeys(row.node for row in rows if row.node))
    left = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + left if names else None
