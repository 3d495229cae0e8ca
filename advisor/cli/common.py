"""Shared by lint and check: the policy of a run, showing its report, and the exit code."""

from __future__ import annotations

import os
import sys

from advisor.cli.settings import waiver_entries
from advisor.engine.policy import Policy, fails
from advisor.errors import BadPolicy, ExitCode, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from advisor.cli.inputs import Inputs
    from advisor.cli.settings import LintOptions, RunSettings
    from advisor.engine.report import Report
    from advisor.engine.waivers import Waiver
    from advisor.model.finding import Finding
    from advisor.rule import Rule
    from advisor.rule.rule_set import RuleSet

    Rules = RuleSet | Sequence[Rule]

TEXT = ("text",)
PROFILE, OF_JOBS = "production", {"workflow": "dev"}
"""The profile where nobody names one, and that of containers which run beside the jobs of continuous integration."""


def policy_of(settings: RunSettings, rules: Rules) -> Policy:
    """Build the policy of a run. Raises BadPolicy, which names the configuration file if that is to blame."""
    baseline = None
    if settings.baseline:
        from advisor.engine.baseline import read as read_baseline

        baseline = read_baseline(settings.baseline, settings.opener)
    try:
        policy = Policy(
            rules,
            profile=settings.profile,
            profiles=settings.profiles,
            select=settings.select,
            ignore=settings.ignore,
            severities=settings.severities,
            baseline=baseline,
            base=os.path.dirname(settings.where),
            labels=settings.labels,
            ignored_by_file=settings.ignored_by_file,
            profiles_by_format={} if settings.profile_given or settings.profile != PROFILE else OF_JOBS,
        )
        policy.heeds_comments = not settings.no_suppressions
        policy.check("paths", settings.ignored_by_pattern)
        return policy
    except BadPolicy as bad:
        where = f"{settings.where}: " if str(bad).split(": ")[1] in settings.said_in_file else ""
        raise BadPolicy(f"{where}{bad}") from None


def waivers_of(settings: RunSettings, policy: Policy) -> Sequence[Waiver]:
    """The waivers of a run. Raises BadWaiver."""
    if not settings.waiver_file:
        return ()
    from advisor.engine.waivers import parse_all

    return parse_all(waiver_entries(settings), settings.waiver_file, policy)


def conclude(
    report: Report,
    rules: Rules,
    policy: Policy,
    waivers: Sequence[Waiver],
    settings: RunSettings,
    options: LintOptions,
    inputs: Inputs,
) -> int:
    """Show the report, write the baseline that was asked for, and return the exit code."""
    if not report.judged:
        return _nothing(report, options, inputs)
    if options.write_baseline:
        from advisor.engine.baseline import write

        written = write(options.write_baseline, report, policy.base)
        say(f"{written} findings written to {options.write_baseline}", sys.stdout)
    suppressed = say_suppressed(f"since {report.ref}", report.newly_suppressed)
    report.configuration = [*say_in_use(settings, policy, waivers), *suppressed]
    selected = (rule for rule in rules if policy.selects(rule))
    if options.format == TEXT and not options.quiet and report.findings:
        from advisor.cli.development import development_hint

        report.hint = report.hint or development_hint(report, rules, policy, settings)
    show(report, options, selected, files_only=bool(options.write_baseline))
    return exit_code(report, settings, bool(inputs.errors), bool(options.exit_zero or options.write_baseline))


def say_in_use(settings: RunSettings, policy: Policy, waivers: Sequence[Waiver] = ()) -> list[str]:
    """Say what the files in use switch off; the lines, for programs."""
    if not (settings.where or settings.baseline or settings.waiver_file or settings.no_suppressions):
        return []
    from advisor.cli.in_use import lines_in_use

    lines = lines_in_use(settings, policy, waivers)
    for line in lines:
        say(line)
    return lines


def say_suppressed(where: str, findings: Sequence[Finding]) -> list[str]:
    """Say which findings are suppressed that were not before a change; the lines, for programs."""
    if not findings:
        return []
    from advisor.cli.in_use import counted

    rules = ", ".join(sorted({f"{row.rule} {row.name}" for row in findings}))
    line = f"in use: {where}: {counted(len(findings), 'finding')} suppressed: {rules}"
    say(line)
    return [line]


def _nothing(report: Report, options: LintOptions, inputs: Inputs) -> int:
    """Report that nothing was judged: programs get an empty report, people were told why."""
    if options.since is not None:
        say(f"no file that concerns Kafka changed since {options.since}")
    elif report.snapshots:
        say("nothing to check: no rule that was selected has something to say here")
    if tuple(options.format) != TEXT:
        show(report, options)
    may_be_nothing = options.allow_nothing or options.since is not None
    return ExitCode.ERROR if inputs.errors else ExitCode.CLEAN if may_be_nothing else ExitCode.NOTHING


def show(report: Report, options: LintOptions, rules: Iterable[Rule] = (), files_only: bool = False) -> None:
    """Write the report in every requested format."""
    if options.format == TEXT and not files_only and not sys.stdout.isatty() and "FORCE_COLOR" not in os.environ:
        from advisor.reports.text.finding import Layout
        from advisor.reports.text.report import lines, page

        layout = Layout(size=page(), verbose=options.verbose, all=options.all, by_rule=options.group_by == "rule")
        text = lines(report, layout, options.quiet, options.min_severity)
        sys.stdout.writelines(f"{line}\n" for line in text)
        return
    from advisor.reports.context import RunResult
    from advisor.reports.formats import write

    run = RunResult(
        report, rules, options.verbose, options.all, options.quiet, options.min_severity, options.group_by == "rule"
    )
    write(run, options.format, files_only)


def exit_code(report: Report, settings: RunSettings, errors: bool, exit_zero: bool) -> int:
    """The exit code: 2 for errors, else 1 for findings, else 0."""
    if errors or report.crashed:
        return ExitCode.ERROR
    if exit_zero:
        return ExitCode.CLEAN
    if fails(report.findings, settings.fail_on) or (settings.fail_on_unknown and (report.unknown or report.not_read)):
        return ExitCode.FINDINGS
    return ExitCode.CLEAN
