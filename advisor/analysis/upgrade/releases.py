"""The present release of what is upgraded, and the same settings under another release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy

from advisor import catalog
from advisor.analysis.upgrade.plan import Present, text_of
from advisor.catalog.features import LEVELS, METADATA_VERSION
from advisor.catalog.keys import COMPONENTS, component_of
from advisor.catalog.target import NOT_SAID, release_of
from advisor.config import Config
from advisor.errors import UserError
from advisor.facts import KRAFT, ZOOKEEPER
from advisor.model import SERVER_KINDS, Entity, Snapshot, Target, Version

PROTOCOL = "inter.broker.protocol.version"
MIGRATES, MIGRATES_DISKS = (3, 4), (3, 7)
"""The least inter.broker.protocol.version of a migration to KRaft, and that with several log.dirs."""
Presents = Mapping[int, Present]
"""The releases that entities run today, by the `id()` of these."""
FINAL_FORMATS = "what a newer metadata.version or a newer format of the disks has written, an older release cannot read"


def asked_for(release: Version) -> Target:
    """A release that a user asks about."""
    return Target(release, "asked for", given=True)


def at_release(entity: Entity, release: Version) -> Entity:
    """The entity under another release.

    Of what runs only the settings stay: what a cluster described as its defaults, and that it started, hold for its own
    release alone.
    """
    other = copy(entity)
    other.target = asked_for(release)
    if release != entity.target.version and entity.cluster is not None:
        other.cluster = other.described = None
    return other


def snapshot_at(snapshot: Snapshot, release: Version) -> Snapshot:
    """The snapshot with every entity under another release."""
    return snapshot_of(snapshot, [at_release(entity, release) for entity in snapshot.entities])


def snapshot_of(snapshot: Snapshot, entities: Sequence[Entity]) -> Snapshot:
    """The same cluster of other entities, without comments that suppress rules."""
    return Snapshot(snapshot.name, entities, (), snapshot.live, snapshot.joined)


def snapshot_at_ends(snapshot: Snapshot, presents: Presents) -> dict[Version, Snapshot]:
    """The snapshot under the newest and under the oldest releases that its entities may run, by that release."""
    releases = [present.releases for present in presents.values()]
    by_end = {max(each[-1] for each in releases): -1, min(each[0] for each in releases): 0}
    return {release: snapshot_of(snapshot, list(at_end(snapshot, presents, end))) for release, end in by_end.items()}


def at_end(snapshot: Snapshot, presents: Presents, end: int) -> Iterator[Entity]:
    """The entities of a snapshot, each under the first or the last of its releases."""
    return (at_release(entity, presents[id(entity)].releases[end]) for entity in snapshot.entities)


def mode_of(entity: Entity, snapshot: Snapshot) -> str | None:
    """Who keeps the metadata of a node's cluster today, KRAFT or ZOOKEEPER; None where nothing says so."""
    if entity.kind not in SERVER_KINDS:
        return None
    if snapshot.live is not None and snapshot.live.metadata is not None:
        return snapshot.live.metadata
    if "process.roles" in entity.settings or entity.kind in ("controller", "combined"):
        return KRAFT
    if any(key.startswith("zookeeper.") for key in entity.settings):
        return ZOOKEEPER
    if entity.fragment or not entity.target.given:
        return None
    return str(Config(entity).answer(("mode", ())))


def presents_of(snapshot: Snapshot, to: Version) -> Presents:
    """The releases that the entities of a snapshot run today; a topic runs that of the nodes beside it."""
    targets = (entity.target for entity in snapshot.entities if entity.kind in SERVER_KINDS)
    of_nodes = next(filter(is_given, targets), None)
    return {id(entity): present_of(entity, snapshot, to, of_nodes) for entity in snapshot.entities}


def present_of(entity: Entity, snapshot: Snapshot, to: Version, of_nodes: Target | None) -> Present:
    """The release that an entity runs today, by what was given, else the ends of what it can be."""
    target = of_nodes if entity.kind == "topic" and not is_given(entity.target) else entity.target
    if target is not None and is_given(target):
        return Present((target.version,), target.reason)
    mode = mode_of(entity, snapshot)
    newest = max(release for release in catalog.VERSIONS if release < to or release == catalog.OLDEST)
    if mode == ZOOKEEPER or entity.kind == "zookeeper":
        newest = min(newest, catalog.LAST_ZOOKEEPER)
    first = catalog.FIRST_KRAFT if mode == KRAFT else first_release(entity)
    oldest = min(max(first, protocol_of(entity) or first), newest)
    return Present(tuple(dict.fromkeys((oldest, newest))), "nothing says which release it is")


def is_given(target: Target) -> bool:
    """Whether the release was stated: a saved snapshot names one even where its brokers did not."""
    return target.given and not target.reason.startswith(NOT_SAID)


def first_release(entity: Entity) -> Version:
    """The first release that has what the entity is: MirrorMaker 2 is younger than the catalogs."""
    component = COMPONENTS[component_of(entity)][0]
    releases = (release for release in catalog.VERSIONS if catalog.definitions(component, release))
    return next(releases, catalog.OLDEST)


def protocol_of(entity: Entity) -> Version | None:
    """The release of inter.broker.protocol.version, which no older broker speaks; None where the file does not set it."""
    setting = entity.settings.get(PROTOCOL)
    if setting is None or "process.roles" in entity.settings:
        return None
    try:
        return release_of(setting.value)[0]
    except ValueError:
        return None


def is_too_old(entity: Entity) -> bool:
    """Whether a node's inter.broker.protocol.version is too old to migrate: below 3.4, below 3.7 with several log.dirs."""
    directories = entity.settings.get("log.dirs")
    protocol = protocol_of(entity)
    least = MIGRATES_DISKS if directories is not None and "," in directories.value else MIGRATES
    return protocol is not None and protocol < least


def refuse_downgrade(snapshots: Sequence[Snapshot], to: Version) -> None:
    """Raise UserError where something runs a newer release than the target."""
    for snapshot in snapshots:
        level = (snapshot.live.features or {}).get(METADATA_VERSION, 0) if snapshot.live else 0
        if level > highest_level(to):
            raise UserError(f"--to {text_of(to)}: {snapshot.name} has metadata.version {level}: {downgrade_words(to)}")
        for entity in snapshot.entities:
            newer = newer_release(entity, to)
            if newer:
                raise UserError(f"--to {text_of(to)}: {entity.file or snapshot.name}: {newer}: {downgrade_words(to)}")


def newer_release(entity: Entity, to: Version) -> str | None:
    """What says that an entity runs a newer release than the target; None where nothing does."""
    target, protocol = entity.target, protocol_of(entity)
    if is_given(target) and target.version > to:
        return f"it runs Kafka {target.text} ({target.reason})"
    return f"{PROTOCOL} is {text_of(protocol)}" if protocol and protocol > to else None


def highest_level(release: Version) -> int:
    """The highest metadata.version of a release; 0 before KRaft."""
    return max((level for first, level in LEVELS.items() if first <= release), default=0)


def downgrade_words(to: Version) -> str:
    """Why there is no plan for a downgrade, and what to do instead."""
    return f"to {text_of(to)} it is a downgrade, and {FINAL_FORMATS}; name a newer release with --to"
