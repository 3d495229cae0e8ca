"""`kafka-advisor effective`: a file's effective settings, their sources, and its unused lines."""

from __future__ import annotations

from advisor.analysis.effective import Defaults, effective_rows
from advisor.analysis.unused_lines import ignored_lines
from advisor.catalog.target import target_of
from advisor.cli.argument_types import add_format, add_show_values
from advisor.cli.inputs import read_entities, show_values
from advisor.config import Config
from advisor.errors import ExitCode
from advisor.model import KINDS, Snapshot
from advisor.reports import effective
from advisor.reports.show import in_json, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from argparse import Namespace

    from advisor.analysis.effective import EffectiveValue
    from advisor.analysis.unused_lines import IgnoredLine

EFFECTIVE = "a snapshot of a running cluster holds effective values"


EPILOG = """\
examples:
  kafka-advisor effective server.properties
  kafka-advisor effective server.properties --kafka-version 3.9 --all
exit codes: 0, 2 for wrong usage or a file that cannot be read, 3 for nothing to show
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `effective`."""
    parser.epilog = EPILOG
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="configuration files; - is standard input; of several, JSON is a list"
    )
    parser.add_argument("--kafka-version", metavar="V", help="release (default: from the file, else the newest)")
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)} (default: by content)")
    parser.add_argument("--all", action="store_true", help="the defaults, too")
    add_format(parser, ("text", "json", "markdown", "html"))
    add_show_values(parser)


def run(options: Namespace) -> int:
    """Read files and show their effective settings."""
    target = target_of(options.kafka_version, "--kafka-version") if options.kafka_version else None
    entities, failed = read_entities(options.files, options.kind, target, EFFECTIVE, "nothing to show")
    if options.show_values:
        show_values([Snapshot("", entities)])
    if entities:
        defaults = Defaults() if options.all else None
        shown = [rows_of(Config(entity), defaults) for entity in entities]
        show(
            options.format,
            lambda: [effective.document(*each) for each in shown],
            json=lambda: in_json(effective.data(shown)),
        )
    return ExitCode.ERROR if failed else ExitCode.CLEAN if entities else ExitCode.NOTHING


def rows_of(config: Config, defaults: Defaults | None) -> tuple[Config, list[EffectiveValue], list[IgnoredLine]]:
    """A subject's effective values, with the defaults where these are asked for, and its unused lines."""
    return config, effective_rows(config, defaults), ignored_lines(config)
