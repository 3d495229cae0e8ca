"""Judge the buffers of an editor as `lint` judges files: `kafka-advisor lsp` asks."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy

from advisor import limits
from advisor.analysis.fixes.verdict import Side
from advisor.cli.common import policy_of, waivers_of
from advisor.cli.editing.editor_files import beside, context
from advisor.cli.editing.fixing import RunFiles
from advisor.cli.inputs import Inputs, read_clusters
from advisor.cli.settings import LintOptions, run_settings
from advisor.engine import judge
from advisor.engine.former_side import FormerSide
from advisor.engine.verdicts import CRASH
from advisor.errors import NotRead, UserError
from advisor.git import Commit, GitFailed
from advisor.lsp.judged import ClientSettings, Judged
from advisor.model import Entity, Snapshot
from advisor.model.finding import Finding
from advisor.secrets.masking import mask
from collectors.files import unsaved
from collectors.files.mentions import concerns_kafka
from collectors.files.reader import content
from rules import rule_set


@contextmanager
def reading(texts: Mapping[str, bytes]) -> Iterator[None]:
    """Read these texts in place of the files' own in this thread."""
    before = unsaved.texts
    unsaved.texts = {**before, **texts}
    try:
        yield
    finally:
        unsaved.texts = before


class BufferInputs(Inputs):
    """The files of a run in an editor."""

    def __init__(self) -> None:
        super().__init__(say=lambda line: None)
        self._entities: Sequence[Entity] = ()
        self._why_not: dict[str, str] = {}

    @property
    def why_not(self) -> Mapping[str, str]:
        """Why files that concern Kafka are not judged, or not all that they set."""
        entities, self._entities = self._entities, ()
        super()._say_unread_settings(entities, verbose=True)
        return self._why_not

    def _say_unread_settings(self, entities: Sequence[Entity], verbose: bool) -> None:
        """Only what is asked for is looked for."""
        self._entities = (*self._entities, *entities)

    def _unreadable(self, path: str, error: UserError, quiet: bool) -> None:
        self._note(path, error)

    def _not_read(self, path: str, why: UserError, is_named: bool = True) -> None:
        self._note(path, why)

    def _nothing(self, path: str, nothing: UserError, quiet: bool) -> None:
        """A buffer of something else is none of ours."""

    def _note(self, path: str, why: UserError) -> None:
        if isinstance(why, NotRead) or concerns_kafka(path, bytes_or_none(path)):
            self._why_not[path] = mask(str(why).removeprefix(path))


def bytes_or_none(path: str) -> bytes | None:
    """The bytes of a file or buffer; None where it cannot be read."""
    try:
        return content(path)
    except UserError:
        return None


class BufferFiles(RunFiles):
    """The files of a run with the buffers of an editor in place of their own texts; the configuration is that above `path`."""

    def __init__(self, path: str, options: LintOptions, texts: Mapping[str, bytes]) -> None:
        settings = run_settings(options, os.path.dirname(path))
        rules = rule_set(settings.rules)
        policy = policy_of(settings, rules)
        super().__init__(options, settings, rules, policy, waivers_of(settings, policy))
        self.texts = texts
        self._inputs = BufferInputs()

    def judged(self, texts: Mapping[str, bytes]) -> Side:
        """What is found with some of the buffers edited."""
        with reading(self.texts):
            return super().judged(texts)

    def bytes_of(self, file: str) -> bytes:
        """The bytes of a buffer."""
        with reading(self.texts):
            return super().bytes_of(file)

    @property
    def why_not(self) -> Mapping[str, str]:
        """Why files are not judged as they were read last."""
        with reading(self.texts):
            return dict(self._inputs.why_not)

    def read(self) -> list[Snapshot]:
        """Read all inputs once more; what was read before is freed first, once for all, in place of many times meanwhile."""
        gc.collect()
        self._inputs = BufferInputs()
        snapshots = read_clusters(self.options, self.settings, self._inputs)
        self._writable |= self._inputs.seen
        return snapshots

    def since(self, ref: str, now: Sequence[Snapshot]) -> Sequence[Finding]:
        """What the rules about changes find against the last commit in common with another. Raises GitFailed."""
        folder = os.path.dirname(self.options.files[0])
        base = Commit.named(ref, folder).merge_base()
        names = {os.path.relpath(os.path.realpath(path), base.root): path for path in self.options.files}
        texts = base.contents([name for name in names if name in base.entries])
        there = copy(self)
        there.options = copy(self.options)
        there.options.files = [names[name] for name in texts]
        with reading({os.path.realpath(names[name]): text for name, text in texts.items()}):
            before = there.read()
        former = FormerSide(before, base.id[:12], {}, there.why_not)
        report = judge(now, self.of_changes, self.policy, self.waivers, former)
        return [finding for finding in report.findings if finding.is_change]


class EditorJudge:
    """Reads and judges buffers together with the files beside them."""

    def first(self, path: str, texts: Mapping[str, bytes], client: ClientSettings) -> tuple[list[str], Judged]:
        """The files that are judged together with one, itself included, and what is found in them. Raises UserError."""
        candidates = list(dict.fromkeys((path, *context(path), *beside(path))))
        files = BufferFiles(path, options_of(candidates, client), texts)
        with reading(texts):
            snapshots = files.read()
        together = [path, *members(path, candidates, snapshots)]
        if together != candidates or is_too_large(path, texts):
            return together, self.judge(together, texts, client)
        return together, judged(files, files.side(snapshots), client)

    def read(self, paths: Sequence[str], texts: Mapping[str, bytes], client: ClientSettings) -> Sequence[Snapshot]:
        """What files describe, without judging them. Raises UserError."""
        if is_too_large(paths[0], texts):
            return ()
        with reading(texts):
            return BufferFiles(paths[0], options_of(paths, client), texts).read()

    def judge(self, paths: Sequence[str], texts: Mapping[str, bytes], client: ClientSettings) -> Judged:
        """Judge files together; the first one is the one that is asked about. Raises UserError."""
        if is_too_large(paths[0], texts):
            return too_large(paths[0], texts, client)
        files = BufferFiles(paths[0], options_of(paths, client), texts)
        return judged(files, files.judged({}), client)


def judged(files: BufferFiles, side: Side, client: ClientSettings) -> Judged:
    """What is found in files as the buffers have them, and since a commit where the client names one."""
    why_not = files.why_not
    complaints = [f"{row.rule} {row.message}" for row in side.report.findings if row.rule == CRASH]
    changes: Sequence[Finding] = ()
    try:
        changes = files.since(client.since, side.snapshots) if client.since else ()
    except GitFailed as failed:
        complaints.append(f"since: {failed}")
    return Judged(side, files, why_not, changes, complaints)


def options_of(paths: Sequence[str], client: ClientSettings) -> LintOptions:
    """The options of a run that judges some files."""
    options = LintOptions(paths)
    options.profile, options.kafka_version = client.profile, client.kafka_version
    options.select, options.ignore = client.select, client.ignore
    return options


def members(path: str, candidates: Sequence[str], snapshots: Sequence[Snapshot]) -> list[str]:
    """The files that describe the same cluster as another one, and those that its reader looks at."""
    files = set[str | None]()
    for snapshot in snapshots:
        of_cluster = {entity.file for entity in snapshot.entities}
        files |= of_cluster if path in of_cluster else set()
    files.update(context(path))
    return sorted(each for each in candidates if each in files and each != path)


def is_too_large(path: str, texts: Mapping[str, bytes]) -> bool:
    """Whether a buffer is too large to be judged while it is edited."""
    return len(texts.get(os.path.realpath(path), b"")) > limits.size(limits.STRUCTURED)


def too_large(path: str, texts: Mapping[str, bytes], client: ClientSettings) -> Judged:
    """A buffer that is too large to be judged while it is edited."""
    files = BufferFiles(path, options_of((), client), texts)
    why = f": over {limits.text_of(limits.size(limits.STRUCTURED))}: judge it with `kafka-advisor lint`"
    is_kafkas = concerns_kafka(path, texts[os.path.realpath(path)])
    return Judged(files.judged({}), files, {path: why} if is_kafkas else {})
