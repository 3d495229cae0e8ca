"""`kafka-advisor lint`: judge configuration files and report."""

from __future__ import annotations

from advisor.cli.common import conclude, policy_of
from advisor.cli.inputs import Inputs, clusters
from advisor.cli.settings import LintOptions, run_settings
from advisor.engine import judge
from rules import all_rules


def run(options: LintOptions) -> int:
    """Read, judge, show; the exit code is that of the command."""
    settings = run_settings(options)
    rules = all_rules(settings.rules)
    policy = policy_of(settings, rules)
    inputs = Inputs()
    main = inputs.read(options.files, settings)
    clients = inputs.clients(options.with_, settings)
    report = judge(clusters(main, clients, inputs, settings, options.one_cluster), rules, policy)
    return conclude(report, rules, policy, settings, options, inputs)
