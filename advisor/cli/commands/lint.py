"""`kafka-advisor lint`: judge configuration files and report."""

from __future__ import annotations

from advisor.cli.common import TEXT, conclude, policy_of, waivers_of
from advisor.cli.inputs import Inputs, clusters, path_of, show_values
from advisor.cli.settings import LintOptions, run_settings
from advisor.engine import judge
from rules import rule_set


def run(options: LintOptions) -> int:
    """Read, judge, show; the exit code is that of the command."""
    settings = run_settings(options)
    rules = rule_set(settings.rules)
    policy = policy_of(settings, rules)
    waivers = waivers_of(settings, policy)
    if options.format != TEXT or options.write_baseline:
        from advisor.cli.outputs import check_reports

        check_reports(options, settings, [*options.files, *map(path_of, options.with_)])
    settings.verbose = options.verbose
    if options.set_ or options.env_file or options.environment:
        from advisor.cli.variables import given_variables

        settings.variables = given_variables(options)
    inputs = Inputs()
    main = inputs.read(options.files, settings)
    clients = inputs.clients(options.with_, settings)
    snapshots = clusters(main, clients, inputs, settings, options.one_cluster)
    if options.show_values:
        show_values(snapshots)
    report = judge(snapshots, rules, policy, waivers)
    report.not_read = inputs.not_read
    code = conclude(report, rules, policy, settings, options, inputs)
    inputs.say_walks()
    return code
