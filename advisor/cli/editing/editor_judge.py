"""Judge the buffers of an editor as `lint` judges files: `kafka-advisor lsp` asks."""

from __future__ import annotations

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
from advisor.model import Snapshot
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
    """The files of a run in an editor: `why_not` says of each that is not judged why, where it concerns Kafka."""

    def __init__(self) -> None:
        super().__init__(say=lambda line: None)
        self.why_not: dict[str, str] = {}

    def _unreadable(self, path: str, error: UserError, quiet: bool) -> None:
        self._note(path, error)

    def _not_read(self, path: str, why: UserError, is_named: bool = True) -> None:
        self._note(path, why)

    def _nothing(self, path: str, nothing: UserError, quiet: bool) -> None:
        """A buffer of something else is none of ours."""

    def _note(self, path: str, why: UserError) -> None:
        if isinstance(why, NotRead) or concerns_kafka(path, bytes_or_none(path)):
            self.why_not[path] = mask(str(why).removeprefix(path))


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
        self.why_not: dict[str, str] = {}

    def judged(self, texts: Mapping[str, bytes]) -> Side:
        """What is found with some of the buffers edited."""
        with reading(self.texts):
            return super().judged(texts)

    def bytes_of(self, file: str) -> bytes:
        """The bytes of a buffer."""
        with reading(self.texts):
            return super().bytes_of(file)

    def read(self) -> list[Snapshot]:
        """Read all inputs once more."""
        inputs = BufferInputs()
        snapshots = read_clusters(self.options, self.settings, inputs)
        self._writable |= inputs.seen
        self.why_not = inputs.why_not
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

    def together(self, path: str, texts: Mapping[str, bytes], client: ClientSettings) -> list[str]:
        """The files that are judged together with one, itself included. Raises UserError."""
        candidates = list(dict.fromkeys((path, *context(path), *beside(path))))
        files = BufferFiles(path, options_of(candidates, client), texts)
        with reading(texts):
            snapshots = files.read()
        return [path, *members(path, candidates, snapshots)]

    def read(self, paths: Sequence[str], texts: Mapping[str, bytes], client: ClientSettings) -> Sequence[Snapshot]:
        """What files describe, without judging them. Raises UserError."""
        if len(texts.get(os.path.realpath(paths[0]), b"")) > limits.size(limits.STRUCTURED):
            return ()
        with reading(texts):
            return BufferFiles(paths[0], options_of(paths, client), texts).read()

    def judge(self, paths: Sequence[str], texts: Mapping[str, bytes], client: ClientSettings) -> Judged:
        """Judge files together; the first one is the one that is asked about. Raises UserError."""
        most = limits.size(limits.STRUCTURED)
        if len(texts.get(os.path.realpath(paths[0]), b"")) > most:
            return too_large(paths[0], texts, client, most)
        files = BufferFiles(paths[0], options_of(paths, client), texts)
        side = files.judged({})
        why_not = dict(files.why_not)
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


def too_large(path: str, texts: Mapping[str, bytes], client: ClientSettings, most: int) -> Judged:
    """A buffer that is too large to be judged while it is edited."""
    files = BufferFiles(path, options_of((), client), texts)
    why = f": over {limits.text_of(most)}: judge it with `kafka-advisor lint`"
    is_kafkas = concerns_kafka(path, texts[os.path.realpath(path)])
    return Judged(files.judged({}), files, {path: why} if is_kafkas else {})
