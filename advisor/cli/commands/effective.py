"""`kafka-advisor effective`: a file's effective settings, their sources, and its unused lines."""

from __future__ import annotations

from advisor.analysis.effective import effective_rows
from advisor.analysis.unused_lines import ignored_lines
from advisor.catalog.target import target_of
from advisor.cli.inputs import read_entities, show_values
from advisor.config import Config
from advisor.errors import ExitCode
from advisor.model import Snapshot
from advisor.reports import effective
from advisor.reports.plain_text import write_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from advisor.model import Entity

EFFECTIVE = "a snapshot of a running cluster holds effective values"


def run(options: Namespace) -> int:
    """Read files and show their effective settings."""
    target = target_of(options.kafka_version, "--kafka-version") if options.kafka_version else None
    entities, failed = read_entities(options.files, options.kind, target, EFFECTIVE, "nothing to show")
    if options.show_values:
        show_values([Snapshot("", entities)])
    show(entities, options)
    return ExitCode.ERROR if failed else ExitCode.CLEAN if entities else ExitCode.NOTHING


def show(entities: Sequence[Entity], options: Namespace) -> None:
    """Print the effective settings of some entities."""
    shown = [(config, effective_rows(config, options.all), ignored_lines(config)) for config in map(Config, entities)]
    if options.format == "json" and shown:
        from advisor.reports.machine.json_text import dump_documents

        print(dump_documents([effective.document(*each) for each in shown]))
    elif options.format == "text":
        for each in shown:
            write_text(effective.lines(*each))
