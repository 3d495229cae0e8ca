"""`lint --since REF`: judge what a work tree changes against the last commit that it has in common with another."""

from __future__ import annotations

import os
from copy import copy

from advisor.cli.common import policy_of
from advisor.cli.inputs import Inputs, path_of, read_clusters
from advisor.cli.scope import Scope
from advisor.cli.sides.changed_files import files_before, scope_of_change
from advisor.cli.sides.renames import Moved
from advisor.cli.sides.revisions import as_of
from advisor.cli.sides.unread import files_of, unread_there
from advisor.engine import judge
from advisor.engine.baseline import newly_suppressed, suppress_older
from advisor.engine.change_findings import acts_at_restart
from advisor.engine.former_side import FormerSide, Pairs
from advisor.engine.policy import UNUSED_WAIVER
from advisor.errors import UserError
from advisor.git import Commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.cli.settings import LintOptions, RunSettings
    from advisor.engine.policy import Policy
    from advisor.engine.report import Report
    from advisor.engine.waivers import Waiver
    from advisor.model import Snapshot
    from advisor.model.finding import Finding
    from advisor.rule.rule_set import RuleSet


def judge_since(
    options: LintOptions, settings: RunSettings, rules: RuleSet, policy: Policy, waivers: Sequence[Waiver]
) -> tuple[Inputs, Report]:
    """The report of what changed in the work tree; what was there before is suppressed. Raises UserError."""
    assert options.since is not None
    options.files, options.with_ = relative(options.files), relative(options.with_)
    base = Commit.named(options.since).merge_base()
    where, there = below(os.curdir, base.root), copy(settings)
    there.where, there.baseline = os.path.relpath(settings.where) if settings.where else "", None
    paths = [below(path, base.root) for path in paths_of(options)]
    scope = scope_of_change(base, options, paths)
    inputs = Inputs(scope)
    snapshots = read_clusters(options, settings, inputs)
    moved = Moved(base, where or os.curdir)
    with as_of(where, base, files_before(base, scope, paths)) as root:
        inputs_before, snapshots_before = read_before(options, there, Scope(root, scope.paths, scope.known))
        report_before = judge(snapshots_before, rules, policy_of(there, rules))
        unread = unread_there(snapshots, snapshots_before, inputs_before, there, moved.path_before)
    unread |= moved.links_before(snapshots)
    unread |= unread_there(snapshots_before, snapshots, inputs, settings, moved.path_today)
    renamed = {file: path for file in files_of(snapshots) if (path := moved.path_before(file)) != file}
    former = FormerSide(snapshots_before, base.id[:12], renamed, unread)
    report = judge(snapshots, rules, policy, waivers, former)
    if scope.paths is not None:
        report.findings = [finding for finding in report.findings if finding.rule != UNUSED_WAIVER[0]]
    findings_before = [*report_before.findings, *report_before.suppressed]
    name_today(findings_before, former, snapshots, policy)
    report.newly_suppressed = newly_suppressed(report.suppressed[: report.silenced], findings_before)
    if not options.all_findings:
        report.older = suppress_older(report, report_before.findings, base.id[:12])
        unknown_before = {(row.rule, row.entity, row.key, row.reason) for row in report_before.unknown}
        report.unknown = [
            row for row in report.unknown if (row.rule, row.entity, row.key, row.reason) not in unknown_before
        ]
    report.hint = rollout_hint(report, options.since)
    return inputs, report


def rollout_hint(report: Report, ref: str) -> str:
    """How to see changes that act when nodes restart, node by node; empty without any."""
    files = {row.file for row in report.findings if acts_at_restart(row) and row.file}
    if not files:
        return ""
    folder = os.path.normpath(os.path.commonpath([os.path.dirname(file) or os.curdir for file in files]))
    return f"Node by node: kafka-advisor rollout {ref}:{folder} {folder}"


def read_before(options: LintOptions, settings: RunSettings, scope: Scope) -> tuple[Inputs, list[Snapshot]]:
    """What the files were that are in the working directory; those that are not there are new."""
    there, inputs = copy(options), Inputs(scope, former=True, say=lambda line: None)
    there.files = [path for path in options.files if os.path.exists(path)]
    there.with_ = [word for word in options.with_ if os.path.exists(path_of(word))]
    return inputs, read_clusters(there, settings, inputs)


def name_today(findings: Sequence[Finding], former: FormerSide, snapshots: Sequence[Snapshot], policy: Policy) -> None:
    """Let findings of before name their subjects and files as they are called today."""
    before = Pairs(former, snapshots).entity_before
    pairs = [(before[id(now)], now) for snapshot in snapshots for now in snapshot.entities if id(now) in before]
    today = {((old.kind, old.name), old.file): ((now.kind, now.name), now.file) for old, now in pairs}
    places = {policy.place(old): policy.place(new) for new, old in former.renamed.items()}
    for finding in findings:
        subject = (finding.entity, finding.file)
        finding.entity, finding.file = today.get(subject, subject)
        finding.place = places.get(finding.place, finding.place)


def paths_of(options: LintOptions) -> list[str]:
    """The files and folders of a run."""
    return [*options.files, *map(path_of, options.with_)]


def relative(words: Sequence[str]) -> list[str]:
    """Files, and clients with their topics, as seen from the working directory: the former side is read from another one."""
    return [os.path.relpath(word) if os.path.isabs(word) else word for word in words]


def below(path: str, root: str) -> str:
    """The path of a file or folder in the work tree. Raises UserError for one that is not below it."""
    relative = os.path.relpath(os.path.realpath(path), root)
    if path == "-" or relative.split(os.sep)[0] == os.pardir:
        raise UserError(f"{path}: --since compares files of the work tree {root}; leave it out for this one")
    return "" if relative == os.curdir else relative
