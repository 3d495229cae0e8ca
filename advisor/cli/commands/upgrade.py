"""`kafka-advisor upgrade FILE… --to RELEASE`: what an upgrade takes, what it changes by itself, and by which path."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence

from advisor.analysis.upgrade import plan_upgrade
from advisor.analysis.upgrade.plan import MUST, UNKNOWN, Plan
from advisor.catalog.target import target_of
from advisor.cli.inputs import Inputs, clusters, show_values
from advisor.cli.settings import RunSettings
from advisor.errors import ExitCode
from advisor.model import DEPLOYMENT, Snapshot
from rules import all_rules


def run(options: Namespace) -> int:
    """Plan the upgrade, show it; 1 where something must be done before."""
    to = target_of(options.to, "--to").version
    settings = settings_of(options)
    inputs = Inputs()
    snapshots = read(options.files, inputs, settings)
    if any(entity.kind != DEPLOYMENT for snapshot in snapshots for entity in snapshot.entities):
        if options.show_values:
            show_values(snapshots)
        plan = plan_upgrade(snapshots, to, all_rules(), options.java)
        show(plan, options.format)
        return ExitCode.ERROR if inputs.errors else exit_code(plan, options.fail_on_unknown)
    return ExitCode.ERROR if inputs.errors else ExitCode.NOTHING


def settings_of(options: Namespace) -> RunSettings:
    """The settings to read the files with: --from is the release that all of them run. Raises UserError."""
    settings = RunSettings()
    settings.kind, settings.kind_given = options.kind, options.kind is not None
    if options.from_ is not None:
        settings.target, settings.target_given = target_of(options.from_, "--from"), True
    return settings


def read(paths: Sequence[str], inputs: Inputs, settings: RunSettings) -> list[Snapshot]:
    """The clusters that the files describe; what cannot be read is said in a line."""
    main = inputs.read(paths, settings)
    readable = bool(main or inputs.saved or inputs.outputs)
    snapshots = clusters(main, [], inputs, settings) if readable else []
    inputs.say_walks()
    return snapshots


def exit_code(plan: Plan, fail_on_unknown: bool) -> int:
    """1 where something must be done before the upgrade, or, if that counts, could not be judged."""
    fails = plan.rows[MUST] or (fail_on_unknown and plan.rows[UNKNOWN])
    return ExitCode.FINDINGS if fails else ExitCode.CLEAN


def show(plan: Plan, format: str) -> None:
    """Print the plan."""
    if format == "json":
        from advisor.reports.machine.json_text import dump
        from advisor.reports.upgrade.document import document

        print(dump(document(plan), indent=2))
    elif format == "markdown":
        from advisor.reports.upgrade.markdown import markdown

        sys.stdout.write("\n".join(markdown(plan)) + "\n")
    elif format == "html":
        from advisor.reports.upgrade.html import page

        print(page(plan))
    else:
        from advisor.reports.plain_text import write_text
        from advisor.reports.upgrade.text import lines

        write_text(lines(plan))
