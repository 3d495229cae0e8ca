"""Whether a node comes back with its new file on the disks that it has, and what it comes back without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.analysis.rollout.cluster import KRAFT_VERSION, RolloutCluster, RolloutNode
from advisor.analysis.rollout.node import NodeConfig
from advisor.analysis.rollout.outcome import UnknownFact
from advisor.analysis.rollout.peers.side import outline_of
from advisor.analysis.rollout.values.disks import leaves_replicas
from advisor.analysis.startup.equal_entities import JudgedEntities
from advisor.analysis.startup.judge import StartupJudge
from advisor.engine.subjects.similar import SimilarSubjects

UNCHECKED_VOTERS = (3, 9)
"""The release from which on a controller does not compare its voters with those that it had."""


@dataclass(frozen=True)
class Start:
    """A start with the new file: why it is refused; directories to format first; whether replicas or metadata are gone.

    `is_moved` says that every log directory is a new one, `is_unmigrated` that ZooKeeper is left without a migration; `misplaced` is where the metadata log lies and where it should.
    """

    refused: tuple[str, ...] = ()
    to_format: tuple[str, ...] = ()
    without_replicas: bool = False
    without_metadata: bool = False
    is_moved: bool = False
    is_unmigrated: bool = False
    misplaced: tuple[str, str] | None = None
    unknown: tuple[UnknownFact, ...] = ()

    @property
    def is_prepared(self) -> bool:
        """Whether something is done on the node's disks before the start, or copied to them after it."""
        return bool(self.to_format or self.without_replicas or self.without_metadata or self.misplaced)


Rows = tuple[tuple[str | None, str], ...]
"""Keys with what is said of them."""


class StartMemory:
    """What Kafka refuses of files, and what they do not tell; files that differ in hosts and ids alone are judged once."""

    def __init__(self, judge: StartupJudge) -> None:
        self._judged = JudgedEntities(judge, SimilarSubjects())
        self._known: dict[object, tuple[Rows, Rows]] = {}

    def of(self, node: NodeConfig) -> tuple[Rows, Rows]:
        """The refusals and the unknowns of a file."""
        outline = start_outline(node)
        if outline not in self._known:
            verdict = self._judged.judge(node.entity, [node.entity.target])[1][0]
            refusals = tuple((row.key, row.message) for row in verdict.reasons)
            self._known[outline] = refusals, tuple((row.key, row.reason) for row in verdict.unknown)
        return self._known[outline]


OWN_KEYS = ("node.id", "broker.id", "broker.rack", "listeners", "advertised.listeners")


def start_outline(node: NodeConfig) -> tuple[object, ...]:
    """What decides about a start: every setting, with hosts of the node's own by number, and of its id its kind."""
    rows = tuple(
        (key, setting.value, setting.shape) for key, setting in node.config.settings.items() if key not in OWN_KEYS
    )
    id = node.id
    kind_of_id = None if id is None else (id in node.voters, id > LARGEST_CHOSEN)
    return node.entity.kind, node.version, rows, kind_of_id, outline_of(node, {})[:2]


LARGEST_CHOSEN = 1000
"""reserved.broker.max.id: above it Kafka chooses ids itself, where it does."""


class Starts:
    """The starts of all nodes, each judged once."""

    def __init__(self, cluster: RolloutCluster, memory: StartMemory) -> None:
        self.cluster = cluster
        self.memory = memory
        self._known: dict[int, Start] = {}

    def of(self, node: RolloutNode) -> Start:
        """The start of a node with its new file."""
        if node.id not in self._known:
            self._known[node.id] = self._start(node)
        return self._known[node.id]

    def _start(self, node: RolloutNode) -> Start:
        old, new = node.old, node.new
        if new is None:
            return Start()
        refusals, unknown = self._of_file(node.name, old, new)
        if old is None:
            return Start(tuple(refusals), unknown=tuple(unknown))
        refusals += [*identity_refusals(old, new), *mode_refusals(old, new)]
        refusals += quorum_refusals(old, new, self.cluster)
        are_others = not set(old.directories) & set(new.directories)
        is_kept = new.is_declared and are_others
        return Start(
            tuple(refusals),
            directories_to_format(old, new),
            new.is_broker and not is_kept and leaves_replicas(self.cluster, old, new, node.id),
            loses_metadata(old, new),
            are_others and not is_kept,
            skips_migration(old, new),
            misplaced_metadata(old, new),
            unknown=tuple(unknown),
        )

    def _of_file(self, name: str, old: NodeConfig | None, new: NodeConfig) -> tuple[list[str], list[UnknownFact]]:
        """What the release refuses or may refuse in the new file, and did not in the old one."""
        now, before = self.memory.of(new), self.memory.of(old) if old else ((), ())
        known = {message for _, message in (*before[0], *before[1])}
        refusals = [f"{key}: {message}" for key, message in now[0] if message not in known]
        unknown = [UnknownFact(name, key, message) for key, message in now[1] if message not in known]
        return refusals, unknown


def identity_refusals(old: NodeConfig, new: NodeConfig) -> list[str]:
    """An id that is not the one in meta.properties."""
    if old.id is None or new.id is None or old.id == new.id:
        return []
    return [f"its directories belong to node {old.id}: stored node id {old.id} does not match {new.id}"]


def skips_migration(old: NodeConfig, new: NodeConfig) -> bool:
    """Whether a broker leaves ZooKeeper without a migration: a KRaft node takes its directories, and knows no topic in them.

    Kafka sets the logs aside as NAME-stray (LogManager.isStrayKraftReplica; 3.9.2 and 4.3.1 start so without a word).
    """
    return not old.is_kraft and new.is_kraft and not old.migrates


def mode_refusals(old: NodeConfig, new: NodeConfig) -> list[str]:
    """Disks of KRaft under ZooKeeper, or another cluster in ZooKeeper than that of the disks."""
    if old.is_kraft and not new.is_kraft and not new.migrates:
        return ["its disks are those of a KRaft node: ZooKeeper mode refuses version 1 of meta.properties"]
    if old.is_kraft != new.is_kraft:
        return []
    chroots = [side.text("zookeeper.connect").partition("/")[2] for side in (old, new)]
    if not new.is_kraft and chroots[0] != chroots[1]:
        return ["another chroot of ZooKeeper is another cluster: its id does not match the one on the disks"]
    return []


def quorum_refusals(old: NodeConfig, new: NodeConfig, cluster: RolloutCluster) -> list[str]:
    """What a controller refuses of a quorum that exists."""
    if not (old.is_controller and new.is_controller and old.voters):
        return []
    if not new.voters:
        if cluster.level(KRAFT_VERSION):
            return []
        return [
            "its static quorum has no voters any more: kraft.version is not 1 (kafka-features.sh upgrade comes first)"
        ]
    if set(old.voters) != set(new.voters) and new.version < UNCHECKED_VOTERS:
        return ["the configured voters are different from those in its quorum-state file"]
    return []


def misplaced_metadata(old: NodeConfig, new: NodeConfig) -> tuple[str, str] | None:
    """Where the metadata log lies and where it should, if it is left in a log directory: KRaft refuses that.

    Without metadata.log.dir the first of log.dirs holds it, so that their order counts. Source: KafkaRaftServer.
    """
    was, is_now = old.metadata_directory, new.metadata_directory
    is_left = new.is_kraft and not new.is_declared and was != is_now and was in new.directories
    return (was, is_now) if is_left else None


def loses_metadata(old: NodeConfig, new: NodeConfig) -> bool:
    """Whether the metadata log is in no directory of the new file."""
    is_elsewhere = new.is_kraft and not new.is_declared and old.metadata_directory != new.metadata_directory
    return is_elsewhere and misplaced_metadata(old, new) is None


def directories_to_format(old: NodeConfig, new: NodeConfig) -> tuple[str, ...]:
    """The directories without meta.properties, which KRaft refuses."""
    if not new.is_kraft or new.is_declared:
        return ()
    known = {*old.directories, old.metadata_directory}
    return tuple(path for path in all_directories(new) if path not in known)


def all_directories(node: NodeConfig) -> Sequence[str]:
    """Every directory of a node, each once."""
    return list(dict.fromkeys((*node.directories, node.metadata_directory)))
