"""`lint --fix`, `--diff`, `--fix-only`: edit the files of a run, and say what was fixed."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import nullcontext, redirect_stdout
from copy import copy

from advisor import atomic_file
from advisor.analysis.fixes.fixing import Fixing
from advisor.analysis.fixes.verdict import Side, identity, snapshots_that_differ
from advisor.cli.editing.diff_notes import say_how_to_apply
from advisor.cli.inputs import Inputs, read_clusters
from advisor.cli.inputs import path_of as client_of
from advisor.edits.change import NotEdited
from advisor.edits.diff import diff_between
from advisor.edits.text import FileText
from advisor.engine import judge
from advisor.engine.former_side import FormerSide
from advisor.engine.policy import Policy
from advisor.engine.subjects.similar import SimilarSubjects
from advisor.errors import ExitCode, UnreadableInput, UserError, os_reason, say
from collectors.files import unsaved
from collectors.files.reader import STDIN, content
from collectors.files.reader import is_snapshot as holds_snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from advisor.cli.scope import Scope
    from advisor.cli.settings import LintOptions, RunSettings
    from advisor.engine.waivers import Waiver
    from advisor.model import Entity, Snapshot
    from advisor.model.finding import Finding
    from advisor.rule.rule_set import RuleSet


MOST_TRIED = 500
"""Unsafe edits up to which it is tried how many findings they would fix, when nobody asks for them."""


class TrialInputs(Inputs):
    """The inputs of a run in one state, of which nothing is said."""

    def __init__(self, scope: Scope | None) -> None:
        super().__init__(scope, former=True, say=lambda line: None)

    def _say_unread_settings(self, entities: Sequence[Entity], verbose: bool) -> None:
        """What a file sets beside what is judged is not looked for."""


class RunFiles:
    """The files of a run for `Fixing`: read again in each state, of which nothing is said."""

    def __init__(
        self, options: LintOptions, settings: RunSettings, rules: RuleSet, policy: Policy, waivers: Sequence[Waiver]
    ) -> None:
        self.options, self.settings = options, settings
        self.rules, self.policy, self.waivers = rules, policy, waivers
        self.every_rule = copy(policy)
        self.every_rule.selected, self.every_rule.ignored = None, frozenset()
        self.verdicts = SimilarSubjects()
        self.of_changes = [rule for rule in rules if rule.is_of_change]
        self.originals: dict[str, bytes] = {}
        self._texts: dict[str, FileText] = {}
        self.scope: Scope | None = None
        self._writable: set[str] = set()

    def judged(self, texts: Mapping[str, bytes]) -> Side:
        """What is found in the files with some of them edited."""
        before = unsaved.texts
        unsaved.texts = before | {real_path(file): data for file, data in texts.items()}
        try:
            snapshots = self.read()
        finally:
            unsaved.texts = before
        return self.side(snapshots)

    def side(self, snapshots: Sequence[Snapshot]) -> Side:
        """What is found in what the files describe."""
        report = judge(snapshots, self.rules, self.policy, self.waivers, verdicts=self.verdicts)
        is_whole = self.policy.selected is None and not self.policy.ignored
        return Side(snapshots, report, report.findings if is_whole else self._every(snapshots))

    def _every(self, snapshots: Sequence[Snapshot]) -> Sequence[Finding]:
        return judge(snapshots, self.rules, self.every_rule, self.waivers, verdicts=self.verdicts).findings

    def read(self) -> list[Snapshot]:
        """Read all inputs once more."""
        inputs = TrialInputs(self.scope)
        snapshots = read_clusters(self.options, self.settings, inputs)
        joined = {os.path.realpath(client_of(word)) for word in self.options.with_}
        self._writable |= inputs.seen - joined
        return snapshots

    def changes(self, before: Side, after: Side) -> Sequence[Finding]:
        """What the rules about changes find between two states."""
        policy = Policy(self.rules, profile=self.policy.profile, profiles=self.policy.profiles)
        old, new = snapshots_that_differ(before, after)
        report = judge(new, self.of_changes, policy, (), FormerSide(old))
        return [finding for finding in report.findings if finding.is_change]

    def text_of(self, file: str) -> FileText:
        """The text of a file of the arguments, made once. Raises NotEdited for any other."""
        if file not in self._texts:
            self._texts[file] = FileText(file, self.bytes_of(file))
        return self._texts[file]

    def bytes_of(self, file: str) -> bytes:
        """The bytes of a file of the arguments. Raises NotEdited for any other."""
        if file not in self.originals:
            if file != STDIN and os.path.realpath(file) not in self._writable:
                raise NotEdited("it stands in a file that is not one of the arguments")
            try:
                data = content(path_of(file))
            except UnreadableInput:
                raise NotEdited("the file cannot be read any more") from None
            if holds_snapshot(data):
                raise NotEdited("a snapshot is not edited")
            self.originals[file] = data
        return self.originals[file]


def path_of(file: str) -> str:
    """The argument that a file's shown name stands for."""
    return "-" if file == STDIN else file


def real_path(file: str) -> str:
    """Under what the text of a file is kept in place of its own bytes."""
    return "-" if file == STDIN else os.path.realpath(file)


def edit(
    options: LintOptions,
    settings: RunSettings,
    rules: RuleSet,
    policy: Policy,
    waivers: Sequence[Waiver],
    report: Callable[[LintOptions, RunSettings, RuleSet, Policy, Sequence[Waiver]], int],
) -> int:
    """Edit the files of a run and report what is left; the exit code is that of the command. Raises UserError."""
    check_options(options)
    if "-" in options.files:
        unsaved.texts["-"] = content("-")
    files = RunFiles(options, settings, rules, policy, waivers)
    fixing = Fixing(files, options.unsafe_fixes, wanted_of(files), shown=options.diff)
    edited = not options.silence and (options.fix or options.diff or options.fix_only)
    if edited:
        fixing.run()
    elif options.silence:
        from advisor.cli.editing.silencing import silence

        silence(fixing, options, policy)
    if options.diff:
        for text in reasons(fixing) if options.verbose else ():
            say(text)
        return show_diff(files, fixing)
    lost = write_all(files, fixing) if edited or options.silence else set()
    line = summary_of(fixing, files, lost, edited)
    if options.fix_only:
        return conclude(line, lost, ExitCode.CLEAN)
    with redirect_stdout(sys.stderr) if "-" in options.files and (edited or options.silence) else nullcontext():
        code = report(options, settings, rules, policy, waivers)
        return conclude(line, lost, code)


def check_options(options: LintOptions) -> None:
    """Refuse options that contradict each other. Raises UserError."""
    if bool(options.silence) != (options.reason is not None):
        raise UserError("--silence RULE and --reason TEXT go together: a finding is silenced for a reason")
    if options.silence and (options.fix or options.fix_only or options.unsafe_fixes):
        raise UserError("--silence: fix in a run of its own")
    if options.write_baseline:
        raise UserError("--write-baseline: write it in a run of its own, after the files are edited")


def wanted_of(files: RunFiles) -> Callable[[Finding], bool]:
    """Which findings are to be fixed: with --since those that it reports, in the files that it judges, else all."""
    options = files.options
    if options.since is None:
        return lambda finding: True
    from advisor.cli.sides.since import judge_since

    inputs, shown = judge_since(options, files.settings, files.rules, files.policy, files.waivers)
    files.scope, names = inputs.scope, set(map(identity, shown.findings))
    return lambda finding: identity(finding) in names


def conclude(line: str, lost: set[str], code: int) -> int:
    """Say what was done; an error where a file was not written."""
    say(line)
    return ExitCode.ERROR if lost else code


def summary_of(fixing: Fixing, files: RunFiles, lost: set[str], edited: bool) -> str:
    """What was fixed or silenced, or what could be."""
    for text in reasons(fixing) if files.options.verbose or files.options.silence else ():
        say(text)
    total = sum(map(fixing.wanted, fixing.before.report.findings))
    if files.options.silence:
        silenced = sum(finding.file not in lost for finding in fixing.fixed)
        return f"silenced {silenced} of {silenced + len(fixing.left)}"
    if not edited:
        return countable(fixing, files, total)
    left = set(map(identity, fixing.side.report.findings))
    fixed = (row for row in fixing.before.report.findings if fixing.wanted(row) and identity(row) not in left)
    gone = sum(finding.file not in lost for finding in fixed)
    return summary(gone, total, "" if files.options.unsafe_fixes else more_by_unsafe(files, fixing))


def countable(fixing: Fixing, files: RunFiles, total: int) -> str:
    """How many findings could be fixed."""
    safe = Fixing(files, False, fixing.wanted, fixing.side)
    safe.run()
    return f"{len(safe.fixed)} of {total} could be fixed with --fix; {more_by_unsafe(files, safe) or 0} more with --unsafe-fixes"


def show_diff(files: RunFiles, fixing: Fixing) -> int:
    """Write what would change to standard output; 1 where there is something."""
    sys.stdout.flush()
    for file, data in fixing.texts.items():
        rows = list(diff_between(file, files.originals[file], data))
        sys.stdout.writelines(f"{line}\n" for line in rows)
        say_how_to_apply(file, rows, files.originals[file])
    if not fixing.texts:
        say(why_empty(fixing, files))
    return ExitCode.FINDINGS if fixing.texts or fixing.side.report.findings else ExitCode.CLEAN


def why_empty(fixing: Fixing, files: RunFiles) -> str:
    """Why nothing would change."""
    left = len(fixing.side.report.findings)
    if not left:
        return "nothing to change: there are no findings"
    more = "" if files.options.unsafe_fixes else more_by_unsafe(files, fixing)
    remain, them = ("1 finding remains", "it") if left == 1 else (f"{left} findings remain", "any of them")
    fixed = f"--unsafe-fixes fixes {more}" if more else f"no edit of a line fixes {them}"
    return f"nothing to change: {remain}; {fixed}"


def write_all(files: RunFiles, fixing: Fixing) -> set[str]:
    """Write the edited files; those that were not written, with a line for each."""
    lost = set()
    for file, data in fixing.texts.items():
        why = "" if file == STDIN else write(file, files.originals[file], data)
        if why:
            lost.add(file)
            say(f"{file}: not fixed: {why}")
    if "-" in files.options.files:
        unsaved.texts["-"] = fixing.texts.get(STDIN, unsaved.texts["-"])
        sys.stdout.flush()
        sys.stdout.buffer.write(unsaved.texts["-"])
        sys.stdout.buffer.flush()
    return lost


def write(file: str, original: bytes, data: bytes) -> str:
    """Write an edited file whole or not at all, where a link of one's own leads; why it was not written, if so."""
    try:
        if not os.stat(file).st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(file, os.W_OK):
            return "it is read-only"
        with open(file, "rb") as handle:
            if handle.read() != original:
                return "it was changed meanwhile"
        atomic_file.write(file, [data])
    except OSError as error:
        return os_reason(error)
    return ""


def more_by_unsafe(files: RunFiles, fixing: Fixing) -> str:
    """How many findings more could be fixed with --unsafe-fixes, empty for none; many are not tried, but counted."""
    with_edits = [row for row in fixing.side.report.findings if row.edit and identity(row) not in fixing.left]
    candidates = list(filter(fixing.wanted, with_edits))
    if len(candidates) > MOST_TRIED:
        return f"up to {len(candidates)}"
    if not candidates:
        return ""
    more = Fixing(files, True, fixing.wanted, fixing.side)
    more.texts = dict(fixing.texts)
    more.run()
    return str(len(more.fixed) or "")


def summary(fixed: int, total: int, more: str) -> str:
    """What was fixed, and what could be."""
    return f"fixed {fixed} of {total}" + (f"; {more} more with --unsafe-fixes" if more else "")


def reasons(fixing: Fixing) -> list[str]:
    """Why findings with a fix were left."""
    rows = []
    for finding in fixing.side.report.findings:
        name = identity(finding)
        why = fixing.left.get(name) or (f"only with --unsafe-fixes: {fixing.unsafe[name]}" if name in fixing.unsafe else "")  # fmt: skip
        if why:
            rows.append(f"{finding.file}:{finding.line or 1}: {finding.rule} not fixed: {why}")
    return rows
