"""The path: the releases to go through, in order, each with what `starts` says of the files as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor import catalog
from advisor.analysis.findings import line_of
from advisor.analysis.startup.verdict import StartupVerdict
from advisor.analysis.upgrade.cluster_upgrade import ClusterUpgrade
from advisor.analysis.upgrade.plan import Path, Stage, Starts, row_subject_of, text_of
from advisor.analysis.upgrade.releases import PROTOCOL, is_too_old
from advisor.analysis.upgrade.requirements import MSK_KRAFT, NEW_CLUSTER, NO_ZOOKEEPER, OLDEST_CLIENT, is_on_msk
from advisor.analysis.upgrade.verdicts import Verdicts
from advisor.catalog.features import LEAST_LEVEL_OF_4, METADATA_VERSION
from advisor.facts import KRAFT, ZOOKEEPER
from advisor.model import Entity, Version

BRIDGE = catalog.LAST_ZOOKEEPER
"""The release by which one goes to 4.0 from where there is no direct way."""
OLDEST_STREAMS = (2, 4)
"""The oldest Streams application that upgrades to 4.0 directly (KIP-1124)."""
TODAY = "what runs today"
NODES, BROKERS = "restart the controllers, then the brokers, one by one", "restart the brokers one by one"
PLATFORM = "the platform restarts the nodes"
MIGRATION = "migrate to KRaft: new controllers, brokers in migration, brokers with process.roles, then finalize"


def node_path(cluster: ClusterUpgrade) -> Path:
    """The path of a cluster's nodes."""
    row_subjects = tuple(row_subject_of(entity, cluster.snapshot.name) for entity in cluster.nodes)
    return Path(row_subjects, (present_stage(cluster), *bridge_stages(cluster), *target_stage(cluster)))


def make_stage(cluster: ClusterUpgrade, releases: tuple[Version, ...], metadata: str | None, action: str) -> Stage:
    """A stage of all nodes with their files as they are."""
    return Stage(releases, metadata, action, count_starts(cluster.nodes, releases, cluster.verdicts))


def present_stage(cluster: ClusterUpgrade) -> Stage:
    """What runs today, with the metadata.version that 4.0 and newer need."""
    level = cluster.level(METADATA_VERSION)
    too_low = cluster.mode == KRAFT and level is not None and level < LEAST_LEVEL_OF_4 and cluster.to >= NO_ZOOKEEPER
    raised = f"; raise metadata.version to {text_of(catalog.FIRST_KRAFT)} or newer" if too_low else ""
    return make_stage(cluster, tuple(dict.fromkeys((cluster.oldest, cluster.newest))), cluster.mode, TODAY + raised)


def bridge_stages(cluster: ClusterUpgrade) -> Iterator[Stage]:
    """By way of 3.9 to 4.0, where ZooKeeper keeps the metadata, or KRaft is older than its first release for production."""
    if not cluster.crosses(NO_ZOOKEEPER):
        return
    if cluster.mode == ZOOKEEPER:
        if cluster.oldest < BRIDGE:
            yield make_stage(cluster, (BRIDGE,), ZOOKEEPER, f"{BROKERS}, then raise {PROTOCOL} to {text_of(BRIDGE)}")
        raised = raise_protocol(cluster) if cluster.oldest >= BRIDGE else ""
        yield Stage((BRIDGE,), KRAFT, f"{raised}{MIGRATION}", None)
    elif cluster.oldest < catalog.FIRST_KRAFT:
        then = (
            f"raise metadata.version to {text_of(BRIDGE)}"
            if cluster.mode == KRAFT
            else f"if in ZooKeeper mode, {MIGRATION}"
        )
        yield make_stage(cluster, (BRIDGE,), cluster.mode, PLATFORM if cluster.managed else f"{NODES}, then {then}")


def raise_protocol(cluster: ClusterUpgrade) -> str:
    """What comes before a migration where a broker still speaks a protocol that is too old for it."""
    return f"raise {PROTOCOL} to {text_of(BRIDGE)}, then " if any(map(is_too_old, cluster.nodes)) else ""


def target_stage(cluster: ClusterUpgrade) -> Iterator[Stage]:
    """The target, unless everything runs it already."""
    if cluster.oldest < cluster.to:
        mode = KRAFT if cluster.to >= NO_ZOOKEEPER else cluster.mode
        action = PLATFORM if cluster.managed else BROKERS if mode == ZOOKEEPER else NODES
        if mode == KRAFT and cluster.newest < MSK_KRAFT and any(map(is_on_msk, cluster.nodes)):
            action = NEW_CLUSTER
        yield make_stage(cluster, (cluster.to,), mode, action)


def client_path(entity: Entity, cluster: str, presents: Sequence[Version], to: Version, verdicts: Verdicts) -> Path:
    """The path of a client, a worker or an application, by the releases that it may run today."""
    oldest = OLDEST_STREAMS if entity.kind == "streams" else OLDEST_CLIENT
    actions = {tuple(presents): TODAY}
    if presents[0] < oldest and to >= NO_ZOOKEEPER:
        actions[(BRIDGE,)] = (
            f"restart it with {text_of(BRIDGE)} first, if it is older than {text_of(oldest)} (KIP-1124)"
        )
    if presents[0] < to:
        actions[(to,)] = "restart it"
    stages = [
        Stage(releases, None, action, count_starts([entity], releases, verdicts))
        for releases, action in actions.items()
    ]
    return Path((row_subject_of(entity, cluster),), tuple(stages))


def count_starts(entities: Sequence[Entity], releases: Sequence[Version], verdicts: Verdicts) -> Starts:
    """What the releases say of the files as they are; where two releases disagree, it is not known."""
    outcomes: list[bool | None] = []
    reasons: dict[str, None] = {}
    for entity in entities:
        judged = [] if entity.missing is not None else [start(entity, release, verdicts) for release in releases]
        refused = {verdict.refused for verdict in judged}
        outcomes.append(refused.pop() if len(refused) == 1 else None)
        for verdict in judged:
            which = f"{text_of(verdict.version)}: " if len(releases) > 1 else ""
            reasons.update(dict.fromkeys(which + line_of(reason) for reason in verdict.reasons))
    return Starts(outcomes.count(False), outcomes.count(True), outcomes.count(None), tuple(reasons))


def start(entity: Entity, release: Version, verdicts: Verdicts) -> StartupVerdict:
    """The verdict of a release on an entity; what runs with it has started."""
    runs = entity.cluster is not None and release == entity.target.version
    return StartupVerdict(release) if runs else verdicts.start(entity, release)


def join_paths(paths: Sequence[Path]) -> list[Path]:
    """The paths, those of the same stages as one."""
    by_stages: dict[tuple[Stage, ...], list[Path]] = {}
    for path in paths:
        by_stages.setdefault(path.stages, []).append(path)
    return [
        Path(tuple(subject for path in same for subject in path.subjects), stages) for stages, same in by_stages.items()
    ]
