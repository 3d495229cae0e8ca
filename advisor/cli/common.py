"""Shared by lint and check: the policy of a run, showing its report, and the exit code."""

from __future__ import annotations

import os
import sys

from advisor.cli.settings import waiver_entries
from advisor.engine.policy import Policy, fails
from advisor.errors import BadPolicy, ExitCode, say
from advisor.model.finding import OFF, rank
from advisor.rule import PROFILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from advisor.cli.inputs import Inputs
    from advisor.cli.settings import LintOptions, RunSettings
    from advisor.engine.report import Report
    from advisor.engine.waivers import Waiver
    from advisor.rule import Rule
    from advisor.rule.rule_set import RuleSet

    Rules = RuleSet | Sequence[Rule]

TEXT = ("text",)


def policy_of(settings: RunSettings, rules: Rules) -> Policy:
    """Build the policy of a run. Raises BadPolicy, which names the configuration file if that is to blame."""
    baseline: frozenset[str] = frozenset()
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
    report: Report, rules: Rules, policy: Policy, settings: RunSettings, options: LintOptions, inputs: Inputs
) -> int:
    """Show the report, write the baseline that was asked for, and return the exit code."""
    if not report.judged:
        return _nothing(report, options, inputs)
    if options.write_baseline:
        from advisor.engine.baseline import write

        written = write(options.write_baseline, report)
        say(f"{written} findings written to {options.write_baseline}", sys.stdout)
    report.configuration = uses_of(settings, policy)
    for line in report.configuration:
        say(line)
    selected = (rule for rule in rules if policy.selects(rule))
    show(report, options, selected, files_only=bool(options.write_baseline))
    return exit_code(report, settings, bool(inputs.errors), bool(options.exit_zero or options.write_baseline))


def uses_of(settings: RunSettings, policy: Policy) -> list[str]:
    """What the configuration, the baseline and the waivers of a run switch off, a line for each file in use."""
    uses = []
    if settings.where:
        lowered = sum(
            rank(rule.severity(policy.profile)) > rank(severity)
            for rule in (policy.rules if settings.severities else ())
            if (severity := policy.overrides.get(rule.id)) and OFF not in (severity, rule.severity(policy.profile))
        )
        parts = [f"profile {settings.profile}"] if settings.profile != PROFILES[-2] else []
        parts += [counted(len(policy.ignored), "rule", "ignored")] if policy.ignored else []
        parts += [counted(len(policy.selected), "rule", "selected")] if policy.selected is not None else []
        parts += [f"{lowered} severit{'y' if lowered == 1 else 'ies'} lowered"] if lowered else []
        patterns = sum(bool(names) for names in settings.ignored_by_pattern.values())
        parts += [f"rules ignored for {counted(patterns, 'pattern')} of paths"] if patterns else []
        uses.append(f"{settings.where}: {', '.join(parts) or 'switches nothing off'}")
    if settings.baseline:
        uses.append(f"{settings.baseline}: {counted(len(policy.baseline), 'known finding')}")
    if settings.waiver_file and settings.waiver_file != settings.where:
        uses.append(f"{settings.waiver_file}: waivers")
    if settings.no_suppressions:
        uses.append("comments that suppress findings are not heeded")
    return [f"in use: {line}{settings.of_commit}" for line in uses]


def counted(number: int, thing: str, what: str = "") -> str:
    """A number of things, and what is done to them."""
    return f"{number} {thing}{'' if number == 1 else 's'}{' ' if what else ''}{what}"


def _nothing(report: Report, options: LintOptions, inputs: Inputs) -> int:
    """Report that nothing was judged: programs get an empty report, people were told why."""
    if report.snapshots:
        say("nothing to check: no rule that was selected has something to say here")
    if tuple(options.format) != TEXT:
        show(report, options)
    return ExitCode.ERROR if inputs.errors else ExitCode.CLEAN if options.allow_nothing else ExitCode.NOTHING


def show(report: Report, options: LintOptions, rules: Iterable[Rule] = (), files_only: bool = False) -> None:
    """Write the report in every requested format."""
    if options.format == TEXT and not files_only and not sys.stdout.isatty() and "FORCE_COLOR" not in os.environ:
        from advisor.reports.text.finding import Layout
        from advisor.reports.text.report import lines, page

        layout = Layout(size=page(), verbose=options.verbose, all=options.all)
        text = lines(report, layout, options.quiet, options.min_severity)
        sys.stdout.writelines(f"{line}\n" for line in text)
        return
    from advisor.reports.context import RunResult
    from advisor.reports.formats import write

    run = RunResult(report, rules, options.verbose, options.all, options.quiet, options.min_severity)
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
