"""The path: the releases to go through, in order, each with what `starts` says of the files as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor import catalog
from advisor.analysis.startup_verdict import Remark
from advisor.analysis.upgrade.cluster_upgrade import ClusterUpgrade
from advisor.analysis.upgrade.plan import Path, Present, Stage, Starts, place_of, text_of
from advisor.analysis.upgrade.releases import FIRST_KRAFT
from advisor.analysis.upgrade.requirements import NO_ZOOKEEPER, OLDEST_CLIENT
from advisor.analysis.upgrade.verdicts import Verdicts
from advisor.facts import KRAFT, ZOOKEEPER
from advisor.model import Entity, Version

BRIDGE = catalog.LAST_ZOOKEEPER
"""The release by which one goes to 4.0 from where there is no direct way."""
OLDEST_STREAMS = (2, 4)
"""The oldest Streams application that upgrades to 4.0 directly (KIP-1124)."""
TODAY = "what runs today"
ONE_BY_ONE = "restart the controllers, then the brokers, one by one"
PLATFORM = "the platform restarts the nodes"
MIGRATION = "migrate to KRaft: new controllers, brokers in migration, brokers with process.roles, then finalize"


def node_path(cluster: ClusterUpgrade) -> Path:
    """The path of a cluster's nodes."""
    places = tuple(place_of(entity, cluster.snapshot.name) for entity in cluster.nodes)
    return Path(places, tuple(node_stages(cluster)))


def node_stages(cluster: ClusterUpgrade) -> Iterator[Stage]:
    """By way of 3.9 where ZooKeeper keeps the metadata, or KRaft is older than its first release for production."""

    def stage(releases: tuple[Version, ...], metadata: str | None, action: str) -> Stage:
        return Stage(releases, metadata, action, count_starts(cluster.nodes, releases, cluster.verdicts))

    mode, to, bridge = cluster.mode, cluster.to, text_of(BRIDGE)
    yield stage(tuple(dict.fromkeys((cluster.oldest, cluster.newest))), mode, TODAY)
    migrates = mode == ZOOKEEPER and cluster.crosses(NO_ZOOKEEPER)
    if migrates and cluster.oldest < BRIDGE:
        yield stage(
            (BRIDGE,), mode, f"restart the brokers one by one, then raise inter.broker.protocol.version to {bridge}"
        )
    if migrates:
        yield Stage((BRIDGE,), KRAFT, MIGRATION, None)
    elif mode != ZOOKEEPER and cluster.oldest < FIRST_KRAFT and cluster.crosses(NO_ZOOKEEPER):
        raised = (
            PLATFORM
            if cluster.managed
            else f"{ONE_BY_ONE}, then raise metadata.version to {bridge}"
            if mode == KRAFT
            else f"{ONE_BY_ONE}; in ZooKeeper mode migrate to KRaft here"
        )
        yield stage((BRIDGE,), mode, raised)
    if cluster.oldest < to:
        last_mode = KRAFT if to >= NO_ZOOKEEPER else mode
        brokers = "restart the brokers one by one" if last_mode == ZOOKEEPER else ONE_BY_ONE
        brokers = PLATFORM if cluster.managed else brokers
        yield stage((to,), last_mode, f"{brokers}; then what stands under afterwards")


def client_path(entity: Entity, cluster: str, present: Present, to: Version, verdicts: Verdicts) -> Path:
    """The path of a client, a worker or an application."""
    oldest = OLDEST_STREAMS if entity.kind == "streams" else OLDEST_CLIENT
    actions = {present.releases: TODAY}
    if present.releases[0] < oldest and to >= NO_ZOOKEEPER:
        actions[(BRIDGE,)] = (
            f"restart it with {text_of(BRIDGE)} first, if it is older than {text_of(oldest)} (KIP-1124)"
        )
    if present.releases[0] < to:
        actions[(to,)] = "restart it"
    stages = [
        Stage(releases, None, action, count_starts([entity], releases, verdicts))
        for releases, action in actions.items()
    ]
    return Path((place_of(entity, cluster),), tuple(stages))


def count_starts(entities: Sequence[Entity], releases: Sequence[Version], verdicts: Verdicts) -> Starts:
    """What the releases say of the files as they are; where two releases disagree, it is not known."""
    outcomes: list[bool | None] = []
    reasons: dict[str, None] = {}
    for entity in entities:
        if entity.missing is not None:
            outcomes.append(None)
            continue
        all_verdicts = [verdicts.start(entity, release) for release in releases]
        refused = {verdict.refused for verdict in all_verdicts}
        outcomes.append(refused.pop() if len(refused) == 1 else None)
        for verdict in all_verdicts:
            said = f"{text_of(verdict.version)}: " if len(releases) > 1 else ""
            reasons.update(dict.fromkeys(said + reason_text(remark) for remark in verdict.reasons))
    return Starts(outcomes.count(False), outcomes.count(True), outcomes.count(None), tuple(reasons))


def reason_text(remark: Remark) -> str:
    """A reason in one line, as `starts` writes it."""
    named = not remark.key or remark.message.startswith(remark.key)
    return remark.message if named else f"{remark.key}: {remark.message}"


def join_paths(paths: Sequence[Path]) -> list[Path]:
    """The paths, those of the same stages as one."""
    by_stages: dict[tuple[Stage, ...], list[Path]] = {}
    for path in paths:
        by_stages.setdefault(path.stages, []).append(path)
    return [
        Path(tuple(subject for path in same for subject in path.subjects), stages) for stages, same in by_stages.items()
    ]
