"""Plan the upgrade of files and snapshots to a release, from startup verdicts, effective values and rules."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from advisor.analysis.upgrade import unread_parts
from advisor.analysis.upgrade.cluster_upgrade import ClusterUpgrade
from advisor.analysis.upgrade.ends import merge_ends
from advisor.analysis.upgrade.feature_levels import feature_rows
from advisor.analysis.upgrade.final_steps import final_rows
from advisor.analysis.upgrade.paths import join_paths, node_path
from advisor.analysis.upgrade.plan import UpgradePlan, UpgradeRow, join_equal, row_subject_of
from advisor.analysis.upgrade.releases import Presents, mode_of, presents_of, refuse_downgrade, snapshot_at_ends
from advisor.analysis.upgrade.rolling_restart import rolling_rows
from advisor.analysis.upgrade.subjects import SubjectPlanner
from advisor.analysis.upgrade.verdicts import Verdicts
from advisor.engine import KNOW_THE_NODES
from advisor.facts import KRAFT, ZOOKEEPER
from advisor.model import DEPLOYMENT, SERVER_KINDS, Entity, Snapshot, Version
from advisor.rule import Rule

OF_CLUSTERS = (feature_rows, final_rows, unread_parts.cluster_rows)


def plan_upgrade(
    snapshots: Sequence[Snapshot], to: Version, rules: Sequence[Rule], java: int | None = None
) -> UpgradePlan:
    """The plan for everything that was read; `java` is what is installed. Raises UserError for a downgrade."""
    refuse_downgrade(snapshots, to)
    plan, verdicts = UpgradePlan(to), Verdicts(rules)
    planner = SubjectPlanner(verdicts, to, java)
    for snapshot in snapshots:
        presents = presents_of(snapshot, to)
        add_subjects(plan, snapshot, presents, planner)
        add_cluster(plan, snapshot, presents, verdicts)
        plan.add(unread_parts.missing_rows(snapshot))
    plan.paths = join_paths(plan.paths)
    plan.settle()
    return plan


def add_subjects(plan: UpgradePlan, snapshot: Snapshot, presents: Presents, planner: SubjectPlanner) -> None:
    """Add what concerns each subject by itself; subjects of a running cluster that are alike are judged once."""
    entities = [entity for entity in snapshot.entities if entity.kind != DEPLOYMENT]
    plan.subjects += [(row_subject_of(entity, snapshot.name), presents[id(entity)]) for entity in entities]
    rows: list[UpgradeRow] = []
    for entity, same in equal_entities(entities):
        if entity.missing is not None:
            continue
        planned = planner.planned(entity, snapshot.name, presents[id(entity)], mode_of(entity, snapshot))
        row_subjects = [row_subject_of(each, snapshot.name) for each in same]
        rows += [row.at(*row_subjects) for row in planned.rows] if len(same) > 1 else planned.rows
        if planned.path is not None:
            plan.paths.append(planned.path)
    plan.add(rows if snapshot.live is None else in_order(rows, snapshot))


def in_order(rows: Iterable[UpgradeRow], snapshot: Snapshot) -> Iterator[UpgradeRow]:
    """The rows, equal ones as one, each with its subjects in the order of the snapshot."""
    order = {(entity.kind, entity.name): number for number, entity in enumerate(snapshot.entities)}
    for row in join_equal(rows):
        yield row.at(*sorted(row.row_subjects, key=lambda subject: order[subject.kind, subject.name]))


def equal_entities(entities: Iterable[Entity]) -> Iterator[tuple[Entity, list[Entity]]]:
    """The first of those that are alike, with all of them; what stands in a file is like itself alone."""
    groups: dict[Hashable, list[Entity]] = {}
    for entity in entities:
        groups.setdefault(content_of(entity), []).append(entity)
    return ((same[0], same) for same in groups.values())


def content_of(entity: Entity) -> Hashable:
    """What decides all rows about an entity but their subjects."""
    if entity.file is not None or entity.missing is not None:
        return id(entity)
    settings = frozenset((key, setting.value, setting.source) for key, setting in entity.settings.items())
    return entity.kind, entity.target.version, settings, id(entity.described)


def add_cluster(plan: UpgradePlan, snapshot: Snapshot, presents: Presents, verdicts: Verdicts) -> None:
    """Add what concerns all nodes together, and the topics while these restart."""
    knowing = (entity for entity in snapshot.entities if entity.kind in KNOW_THE_NODES)
    if any(presents[id(entity)].releases[0] < plan.to for entity in knowing):
        plan.add(rolling_rows_at_ends(snapshot, presents, verdicts))
    nodes = [entity for entity in snapshot.entities if entity.kind in SERVER_KINDS]
    if nodes:
        releases = [release for node in nodes for release in presents[id(node)].releases]
        mode = mode_of_cluster(snapshot)
        cluster = ClusterUpgrade(snapshot, nodes, mode, min(releases), max(releases), plan.to, verdicts)
        plan.paths.append(node_path(cluster))
        plan.add(row for make in OF_CLUSTERS for row in make(cluster))


def rolling_rows_at_ends(snapshot: Snapshot, presents: Presents, verdicts: Verdicts) -> list[UpgradeRow]:
    """What the rules on replication say of the cluster, under each end of the present releases."""
    ends = snapshot_at_ends(snapshot, presents)
    return merge_ends({release: list(rolling_rows(each, verdicts)) for release, each in ends.items()})


def mode_of_cluster(snapshot: Snapshot) -> str | None:
    """Who keeps the metadata: ZooKeeper while one node still says so; None where no node says it."""
    modes = {mode_of(entity, snapshot) for entity in snapshot.entities if entity.kind in SERVER_KINDS}
    return ZOOKEEPER if ZOOKEEPER in modes else KRAFT if KRAFT in modes else None
