"""Read the two sides of a rollout: folders, files, REF:folder of a repository, a snapshot, or a running cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from advisor.analysis.rollout.cluster import RolloutCluster
from advisor.analysis.rollout.cluster_pairs import are_of_several, cluster_pairs, names_of
from advisor.analysis.rollout.deployments import add_deployments
from advisor.analysis.rollout.outcome import UnknownFact
from advisor.analysis.rollout.sides import cluster_of, running_cluster
from advisor.cli.inputs import Inputs, clusters, parse_snapshot
from advisor.cli.settings import RunSettings
from advisor.cli.sides.revisions import revision
from advisor.engine.former_side import FormerSide
from advisor.errors import UserError
from advisor.model import Snapshot
from collectors.files.reader import content
from rules import all_rules


@dataclass(eq=False)
class ReadSide:
    """One side: its clusters, the words that name it, files that could not be read, and whether an input failed."""

    words: Sequence[str]
    snapshots: Sequence[Snapshot] = ()
    not_read: list[tuple[str, str]] = field(default_factory=list)
    failed: bool = False
    texts: dict[str, bytes] = field(default_factory=dict)
    """The files of a commit, which cannot be read again."""
    names: dict[str, str] = field(default_factory=dict)
    """Each file's path below the folder that was named."""

    @property
    def running(self) -> Snapshot | None:
        """The snapshot of a running cluster, if the side is one."""
        return next((each for each in self.snapshots if each.live is not None), None)

    @property
    def files(self) -> list[str]:
        """The files that were read."""
        files = (entity.file for snapshot in self.snapshots for entity in snapshot.entities if entity.file)
        return list(dict.fromkeys(files))


def read_side(words: Sequence[str], settings: RunSettings) -> ReadSide:
    """The files of one side as one cluster, or as those that they must be of, or a snapshot; what cannot be read is reported in a line each.

    Raises UserError for a commit or a path that is not there.
    """
    if len(words) != 1:
        return _read(words, words, settings)
    with revision(words[0]) as path:
        side = _read([path], words, settings)
        if path != words[0]:
            side.texts = {file: content(file) for file in side.files}
            side.words = [path]
    return side


def _read(paths: Sequence[str], words: Sequence[str], settings: RunSettings) -> ReadSide:
    inputs = Inputs()
    main = inputs.read(paths, settings)
    side = ReadSide(words, not_read=inputs.not_read)
    if inputs.saved:
        side.snapshots = [parse_snapshot(path, data, settings) for path, data in inputs.saved]
    elif main:
        is_one = not are_of_several([entity for entity, _ in main])
        side.snapshots = clusters(main, [], inputs, settings, one_cluster=is_one)
    side.failed = bool(inputs.errors) or not side.snapshots
    if side.failed:
        inputs.say_walks()
    side.names = {file: name_below(file, paths) for file in side.files}
    return side


def clusters_of_sides(old: ReadSide, new: ReadSide) -> list[RolloutCluster]:
    """The clusters of both sides. Raises UserError where the new one is no set of files."""
    if new.running is not None:
        raise UserError(f"{new.words[0]}: NEW is the files to roll out, not a snapshot")
    clusters = [running_cluster(old.running, new.snapshots)] if old.running else list(clusters_of_files(old, new))
    not_read = [UnknownFact(None, None, f"{path} is not read: {why}") for path, why in (*old.not_read, *new.not_read)]
    for cluster in clusters:
        cluster.unknown += not_read
    return [cluster for cluster in clusters if cluster.nodes]


def clusters_of_files(old: ReadSide, new: ReadSide) -> Iterator[RolloutCluster]:
    """The clusters of two sides of files, with their names where there are several."""
    renamed = renamed_files(old, new)
    pairs = cluster_pairs(old.snapshots, new.snapshots, renamed)
    names = names_of(pairs, old.names | new.names) if len(pairs) > 1 else [""]
    for name, pair in zip(names, pairs, strict=True):
        cluster = cluster_of(pair.old, pair.new, renamed, (old.texts, new.texts))
        cluster.name = name
        add_deployments(cluster, FormerSide(pair.old, renamed=renamed), pair.new, all_rules())
        yield cluster


def renamed_files(old: ReadSide, new: ReadSide) -> dict[str, str]:
    """The files of the new side, each with the path that it has on the old one: by its path below a folder, else by name."""
    before, after = old.files, new.files
    if len(before) == len(after) == 1:
        return {after[0]: before[0]}
    by_name: dict[str, list[str]] = {}
    for file in before:
        by_name.setdefault(old.names[file], []).append(file)
    named = {file: by_name.get(new.names[file], []) for file in after}
    return {file: former[0] for file, former in named.items() if len(former) == 1}


def name_below(file: str, words: Sequence[str]) -> str:
    """A file's path below the folder that was named, or its name."""
    for word in words:
        if os.path.isdir(word) and not os.path.relpath(file, word).startswith(os.pardir):
            return os.path.relpath(file, word)
    return os.path.basename(file)
