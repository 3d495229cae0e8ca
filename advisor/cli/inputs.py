"""Read the inputs of a run: configuration files, saved snapshots, and clients to join."""

from __future__ import annotations

import os

from advisor.errors import (
    JudgedElsewhere,
    NoSyntax,
    NotFollowed,
    NothingToJudge,
    NotOfANode,
    NotRead,
    TooManyValues,
    UnreadableInput,
    UserError,
    say,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from advisor.cli.folder_walk import FolderWalk
    from advisor.cli.scope import Scope
    from advisor.cli.settings import LintOptions, RunSettings
    from advisor.model import Entity, Snapshot, Suppression, Target
    from collectors.files.folder import Folder
    from collectors.files.reader import SavedSnapshot, ToolOutputs
    from collectors.files.run_files import RunFiles
    from collectors.files.structured import PartlyRead

    Read = tuple[Entity, list[Suppression]]
    Joined = tuple[Read, tuple[str, ...]]
    """A client, and the topics that it uses."""


WHOLE = ("", "properties")
"""Formats whose every line is read."""


NOTHING = "nothing in it concerns Kafka"
"""How a sentence ends that has no other reason."""
NAMED_FILES = 10
"""Files of a folder that are named one by one where settings of them are not followed; all of them with --verbose."""


class Inputs:
    """Reads files; what cannot be read is reported in one line each, and the others go on.

    Of a `former` side nothing is an error: what cannot be read there is in `not_read`, and what became of it unknown.
    """

    def __init__(self, scope: Scope | None = None, former: bool = False, say: Callable[[str], None] = say) -> None:
        self.scope = scope
        self.former = former
        self.say = say
        self.errors = 0
        self.seen: set[str] = set()
        self.judged_elsewhere: dict[str, str] = {}
        self.unjudged: dict[str, list[str]] = {}
        self.saved: list[tuple[str, bytes]] = []
        self.without_cluster: set[str] = set()
        self.clusters_below: dict[str, Snapshot] = {}
        self.outputs: list[tuple[str, str, Target | None]] = []
        self.not_read: list[tuple[str, str]] = []
        self.walks: list[str] = []

    def clients(self, words: Sequence[str], settings: RunSettings) -> list[Joined]:
        """The clients of `--with FILE[=TOPIC,TOPIC]`, each with the topics that it uses."""
        clients = []
        for word in words:
            path, topics = with_topics(word)
            clients += [(client, topics) for client in self.read([path], settings, joined=True)]
        return clients

    def complain(self, error: object) -> None:
        """Report one input error on standard error."""
        from advisor.secrets.masking import mask

        self.errors += 1
        self.say(mask(str(error)))

    def say_walks(self) -> None:
        """Say what became of the files below folders."""
        for line in self.walks:
            self.say(line)

    def read(self, paths: Sequence[str], settings: RunSettings, joined: bool = False) -> list[Read]:
        """Read the files, and those below folders; snapshots of running clusters are kept in `saved`."""
        entities: list[Read] = []
        run = run_files(paths, former=self.former)
        for path in paths:
            if path != "-" and os.path.isdir(path):
                entities += self._folder(path, settings)
            elif joined or not (self.scope and self.scope.leaves_out(path)):
                entities += self._file(path, settings, joined, run=run)
        self._say_unread_settings([entity for entity, _ in entities], settings.verbose)
        return entities

    def _say_unread_settings(self, entities: Sequence[Entity], verbose: bool) -> None:
        """Say of files that are judged what they set beside it, where no reader of theirs follows it."""
        if all(entity.format in WHOLE for entity in entities):
            return
        from advisor.cli.unread_settings import settings_beside_judged, several

        files = 0
        for files, (path, named) in enumerate(settings_beside_judged(entities, WHOLE), 1):
            why = NotRead(f"{path}: not read beside what is judged: it names {several(named)}")
            self._not_read(path, why, verbose or files <= NAMED_FILES)
        self._say_how_many_more(files, verbose)

    def _folder(self, folder: str, settings: RunSettings) -> list[Read]:
        """Read the files below a folder that concern Kafka; the others are counted, and named with --verbose."""
        from advisor.cli.folder_walk import FolderWalk
        from advisor.reports.progress import watched
        from collectors.files.folder import Folder, TooMany
        from collectors.files.mentions import mentions_kafka
        from collectors.files.named_files import named_by_others

        below = Folder(folder, self.scope.listed_in(folder) if self.scope else None)
        walk, paths = FolderWalk(folder, below.passed_over), list[str]()
        changed = self.scope.below(folder) if self.scope else None
        try:
            for path in watched(below.files(), "files looked at"):
                if changed is not None and path not in changed:
                    walk.unchanged += 1
                    continue
                (paths if mentions_kafka(path) else walk.others).append(path)
        except TooMany as many:
            self.complain(many)
        named = set(named_by_others(paths, walk.others)) if walk.others else set()
        walk.others = [path for path in walk.others if path not in named]
        paths = sorted({*paths, *named}) if named else paths
        self._add_recipes(below, [*paths, *walk.others])
        entities = self._below(paths, walk, settings)
        self._say_unread_includes(paths, walk, entities)
        self.walks += walk.lines(settings.verbose)
        return entities

    def _say_unread_includes(self, paths: Sequence[str], walk: FolderWalk, entities: Sequence[Read]) -> None:
        """Say what files include from outside of the folder, or change of others that are judged without it."""
        from advisor.cli.unread_includes import unread_includes

        for path, what in unread_includes(walk.folder, paths, tuple(walk.others), [entity for entity, _ in entities]):
            self._not_read(path, NotFollowed(f"{path}: not read: {what}"))
            if path in walk.others:
                walk.others.remove(path)
                walk.not_read += 1

    def _add_recipes(self, below: Folder, paths: Sequence[str]) -> None:
        """Take code that sets up servers, as Chef's, Jenkins' and Pulumi's does, for files that are not read where it names settings."""
        from collectors.files.folder import BINARIES, CODE, RECIPES
        from collectors.files.mentions import mentions_kafka
        from collectors.files.unfollowed.file_settings import settings_of_code
        from collectors.files.unfollowed.programs import programs_among, settings_of_program

        passed_over = {reason: below.passed_over.get(reason, []) for reason in (CODE, BINARIES)}
        programs = programs_among(passed_over[CODE], paths)
        for reason, files in passed_over.items():
            for path in [each for each in files if each.endswith(RECIPES) or each in programs]:
                named_in = settings_of_program if path in programs else settings_of_code
                if mentions_kafka(path) and (named := named_in(path)):
                    self.unjudged[path] = named
                    below.take(reason, path)

    def _below(self, paths: Sequence[str], walk: FolderWalk, settings: RunSettings) -> list[Read]:
        """Read the files of a walk, and count what became of each; one that was read before counts once."""
        from advisor.reports.progress import watched

        entities: list[Read] = []
        run = run_files(paths, walk.others, self.former)
        for path in (
            each for each in watched(paths, "files read", len(paths)) if os.path.realpath(each) not in self.seen
        ):
            clusters, unread = len(self.outputs) + len(self.saved), len(self.not_read)
            pairs = self._file(path, settings, quiet=True, run=run)
            entities += pairs
            if pairs:
                walk.add_judged(pairs[0][0].format)
            elif len(self.outputs) + len(self.saved) > clusters and path not in self.without_cluster:
                walk.add_judged("outputs and snapshots")
            elif path in self.judged_elsewhere:
                walk.add_judged(self.judged_elsewhere[path])
            elif len(self.not_read) > unread:
                walk.not_read += 1
            elif path not in self.unjudged:
                walk.others.append(path)
        self._say_unjudged([entity for entity, _ in entities], walk, settings.verbose)
        return entities

    def _say_unjudged(self, entities: Sequence[Entity], walk: FolderWalk, verbose: bool) -> None:
        """Count the files that set something in a form of their own: not read, unless another file's entities have it all."""
        if not self.unjudged:
            return
        from advisor.cli.unread_settings import formats_of_judged, several

        formats, named_files = formats_of_judged(entities, self.unjudged), 0
        for path, named in self.unjudged.items():
            if path in formats:
                walk.add_judged(formats[path])
            else:
                walk.not_read, named_files = walk.not_read + 1, named_files + 1
                is_named = verbose or named_files <= NAMED_FILES
                self._not_read(path, NotRead(f"{path}: not read: it names {several(named)}"), is_named)
        self._say_how_many_more(named_files, verbose)
        self.unjudged.clear()

    def _say_how_many_more(self, files: int, verbose: bool) -> None:
        """Say how many files are not named of those whose settings are not followed."""
        if files > NAMED_FILES and not verbose:
            self.say(
                f"… and {files - NAMED_FILES} more files are not read, as settings in them are not followed (-v names them)"
            )

    def _file(
        self,
        path: str,
        settings: RunSettings,
        joined: bool = False,
        quiet: bool = False,
        run: RunFiles | None = None,
    ) -> list[Read]:
        from collectors.files.reader import File, read

        real = os.path.realpath(path) if path != "-" else path
        if real in self.seen:
            return []
        self.seen.add(real)
        kind, target = settings.for_path(path)
        try:
            contents = read(File(path, None if joined else kind, target, settings.variables, run))
        except UnreadableInput as error:
            if quiet and (isinstance(error, NoSyntax) or concerns_others(path, error)):
                self._nothing(path, error, quiet)
            else:
                self._unreadable(path, error, quiet)
        except NotRead as other:
            if not quiet or isinstance(other, NotFollowed):
                self._not_read(path, other)
        except JudgedElsewhere as other:
            self.judged_elsewhere[path] = other.format
            if not quiet:
                self.say(str(other))
        except NothingToJudge as nothing:
            self._nothing(path, nothing, quiet)
        else:
            return contents if isinstance(contents, list) else self._other(path, contents, target, joined, quiet)
        return []

    def _other(
        self,
        path: str,
        contents: PartlyRead | SavedSnapshot | ToolOutputs,
        target: Target | None,
        joined: bool,
        quiet: bool,
    ) -> list[Read]:
        """What is no configuration, or not the whole of one."""
        from collectors.files.structured import PartlyRead

        if not isinstance(contents, PartlyRead):
            return self._cluster(path, contents, target, joined, quiet)
        in_part = contents.not_read.replace("not read: ", "not read in full: ", 1)
        self._not_read(path, NotFollowed(f"{path}: {in_part}"))
        return contents.entities

    def _nothing(self, path: str, nothing: UserError, quiet: bool) -> None:
        """A file in which no reader finds anything of Kafka's: it is not read if it sets something in its own way."""
        from collectors.files.unfollowed.file_settings import settings_in

        named = settings_in(path) if path != "-" and not isinstance(nothing, NotOfANode) else []
        if named and quiet:
            self.unjudged[path] = named
        elif named and str(nothing).endswith(NOTHING):
            from advisor.cli.unread_settings import several

            self._not_read(path, NotFollowed(f"{path}: not read: it names {several(named)}"))
        elif not quiet:
            self.say(f"nothing to check: {nothing}")

    def _cluster(
        self, path: str, contents: SavedSnapshot | ToolOutputs, target: Target | None, joined: bool, quiet: bool
    ) -> list[Read]:
        """Keep what shows a running cluster; the entities of a configuration beside it."""
        from collectors.files.reader import ToolOutputs

        if isinstance(contents, ToolOutputs):
            return self._outputs(path, contents, target, joined, quiet)
        if not quiet or contents.is_whole():
            self._snapshot(path, contents, joined)
        return []

    def _snapshot(self, path: str, saved: SavedSnapshot, joined: bool) -> None:
        """A saved snapshot is a cluster, which no client's file is."""
        if joined:
            self.complain(f"--with {path}: a client's file is wanted, not a snapshot of a cluster")
        else:
            self.saved.append((path, saved.data))

    def _outputs(self, path: str, outputs: ToolOutputs, target: Target | None, joined: bool, quiet: bool) -> list[Read]:
        """Outputs of tools show a cluster; the entities beside them are files like others."""
        if joined and not outputs.entities:
            self.complain(f"--with {path}: a client's file is wanted, not outputs of tools")
        elif not joined:
            self.outputs.append((path, outputs.text, target))
            if quiet:
                self._find_cluster(path, outputs.text, target)
        return outputs.entities

    def _find_cluster(self, path: str, text: str, target: Target | None) -> None:
        """Keep the cluster that a file below a folder shows by itself; one that shows none has only a tool's words."""
        from collectors.outputs.snapshot import cluster_of

        snapshot = cluster_of(path, text, target)
        if snapshot is None:
            self.without_cluster.add(path)
        else:
            self.clusters_below[path] = snapshot

    def _unreadable(self, path: str, error: UnreadableInput, quiet: bool) -> None:
        """A file that was named is an error; one that a folder holds is counted as not read."""
        if quiet or self.former:
            self._not_read(path, error)
        else:
            self.complain(error)

    def _not_read(self, path: str, why: UserError, is_named: bool = True) -> None:
        from advisor.secrets.masking import mask

        self.not_read.append((path, mask(str(why).removeprefix(f"{path}: "))))
        if is_named:
            self.say(mask(str(why)))


def read_clusters(options: LintOptions, settings: RunSettings, inputs: Inputs) -> list[Snapshot]:
    """The clusters that the files of a run describe."""
    main = inputs.read(options.files, settings)
    clients = inputs.clients(options.with_, settings)
    snapshots = clusters(main, clients, inputs, settings, options.one_cluster)
    if options.show_values:
        show_values(snapshots)
    return snapshots


def concerns_others(path: str, error: UnreadableInput) -> bool:
    """Whether a document is too large to be read and names nothing of Kafka's."""
    from collectors.files.unfollowed.file_settings import is_of_others

    return isinstance(error, TooManyValues) and is_of_others(path)


def run_files(paths: Sequence[str], others: Sequence[str] = (), former: bool = False) -> RunFiles | None:
    """The files of a run, where one need know of the others or of the side; `others` mention nothing of Kafka."""
    if len(paths) + len(others) < 2 and not former:
        return None
    from collectors.files.run_files import RunFiles

    return RunFiles(paths, tuple(others), former)


def show_values(snapshots: Iterable[Snapshot]) -> None:
    """Let outputs show every value that was read: all but passwords, and those of keys that no catalog knows."""
    for setting in (
        each for snapshot in snapshots for entity in snapshot.entities for each in entity.settings.values()
    ):
        for each in (setting, *setting.shadowed):
            each.shown = each.value


def path_of(word: str) -> str:
    """The file of FILE=topic,topic."""
    return with_topics(word)[0]


def with_topics(word: str) -> tuple[str, tuple[str, ...]]:
    """Split FILE=topic,topic into file and topics; a file's own name may hold an equals sign."""
    if "=" not in word or os.path.exists(word):
        return word, ()
    path, _, names = word.rpartition("=")
    return path, tuple(name.strip() for name in names.split(",") if name.strip())


def clusters(
    main: Sequence[Read], clients: Sequence[Joined], inputs: Inputs, settings: RunSettings, one_cluster: bool = False
) -> list[Snapshot]:
    """The clusters that files describe and those that were saved, each with its clients."""
    snapshots: list[Snapshot] = []
    for path, data in inputs.saved:
        try:
            snapshots.append(parse_snapshot(path, data, settings))
        except UnreadableInput as error:
            inputs.complain(error)
            continue
        join(snapshots[-1], clients, inputs)
    if inputs.outputs:
        main = _clusters_of_outputs(main, snapshots, clients, inputs, one_cluster)
    if main or not snapshots:
        from collectors.files.clusters import snapshots as group

        snapshots += group(main, [client for client, _ in clients], one_cluster)
    return snapshots


def _clusters_of_outputs(
    main: Sequence[Read],
    snapshots: list[Snapshot],
    clients: Sequence[Joined],
    inputs: Inputs,
    one_cluster: bool,
) -> Sequence[Read]:
    """Add the clusters that outputs of tools show; returns the files that belong to none of them."""
    from collectors.outputs.snapshot import cluster_of, cluster_of_all, is_numbered_node

    nodes = [pair[0] for pair in main if is_numbered_node(pair[0])] if one_cluster else []
    below = inputs.clusters_below
    each = ((row[0], below.pop(row[0], None) or cluster_of(*row)) for row in inputs.outputs)
    for path, snapshot in [cluster_of_all(inputs.outputs, nodes)] if one_cluster else each:
        if snapshot is None:
            if path not in inputs.without_cluster:
                inputs.say(f"nothing to check: {path}: no output of Kafka's tools shows a topic, a broker or a group")
            continue
        join(snapshot, clients, inputs)
        snapshots.append(snapshot)
    joined = {id(entity) for snapshot in snapshots for entity in snapshot.entities}
    return [pair for pair in main if id(pair[0]) not in joined]


def read_entities(
    paths: Sequence[str], kind: str | None, target: Target | None, saved: str, nothing: str
) -> tuple[list[Entity], bool]:
    """The entities of some files, and whether one could not be read; `saved` and `nothing` say what others are told."""
    from advisor.model import DEPLOYMENT
    from collectors.files.clusters import give_releases
    from collectors.files.reader import File, SavedSnapshot, ToolOutputs, entities_of, read

    pairs: list[Read] = []
    failed = False
    run = run_files(paths)
    for path in paths:
        try:
            contents = read(File(path, kind, target, run=run))
        except NothingToJudge as empty:
            say(f"{nothing}: {empty}")
            continue
        except (UnreadableInput, NotRead) as error:
            from advisor.secrets.masking import mask

            say(mask(str(error)))
            failed = True
            continue
        if isinstance(contents, SavedSnapshot):
            say(f"{path}: {saved}")
            failed = True
            continue
        if isinstance(contents, ToolOutputs) and not contents.entities:
            say(f"{nothing}: {path}: outputs of Kafka's tools, and no configuration")
        pairs += entities_of(contents)
    give_releases(pairs)
    return [entity for entity, _ in pairs if entity.kind != DEPLOYMENT], failed


def load_snapshot(path: str, settings: RunSettings) -> Snapshot:
    """Load a saved snapshot of a running cluster. Raises UserError."""
    from collectors.files.reader import content

    return parse_snapshot(path, content(path), settings)


def parse_snapshot(path: str, data: bytes, settings: RunSettings) -> Snapshot:
    """Parse a snapshot from a file's bytes. Raises UserError."""
    from collectors.files.reader import is_saved
    from collectors.snapshot.file import parse

    if not is_saved(data):
        raise UserError(
            f"{path}: no snapshot of a cluster, as `kafka-advisor snapshot -o FILE` saves one; configuration files are "
            "judged by `lint`, a restart with other files by `rollout OLD NEW`"
        )
    return parse(data, path, settings.target if settings.target_given else None)


def join(snapshot: Snapshot, clients: Sequence[Joined], inputs: Inputs) -> None:
    """Join clients to a snapshot; a topic that the cluster does not show is an error."""
    if not clients:
        return
    from collectors.snapshot.joined_clients import join as add

    why = "it is absent, or this principal may not see it"
    for client, topic in add(snapshot, [(entity, topics) for (entity, _), topics in clients]):
        inputs.complain(f"--with {client.file}: cluster {snapshot.name} shows no topic {topic}: {why}")
