"""`kafka-advisor effective`: a file's effective settings, their sources, and its unused lines."""

from __future__ import annotations

from advisor.analysis.effective import effective_rows
from advisor.analysis.unused_lines import ignored_lines
from advisor.catalog.target import target_of
from advisor.cli.inputs import read_entity, show_values
from advisor.config import Config
from advisor.errors import ExitCode, NothingToJudge, say, write_lines
from advisor.model import Snapshot
from advisor.reports import effective

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> int:
    """Read one file and show its effective settings."""
    target = target_of(options.kafka_version, "--kafka-version") if options.kafka_version else None
    try:
        saved = "a snapshot of a running cluster holds effective values"
        entity = read_entity(options.file, options.kind, target, saved)
    except NothingToJudge as nothing:
        say(f"nothing to show: {nothing}")
        return ExitCode.NOTHING
    if options.show_values:
        show_values([Snapshot(options.file, [entity])])
    config = Config(entity)
    rows, ignored = effective_rows(config, options.all), ignored_lines(config)
    if options.format == "json":
        print(effective.document(config, rows, ignored))
    else:
        write_lines(effective.lines(config, rows, ignored))
    return ExitCode.CLEAN
