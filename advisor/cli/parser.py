"""The argument parser; only the named command's subparser is built."""

from __future__ import annotations

import argparse

from advisor.cli.argument_types import EXIT_CODES, UNKNOWN_OPTION, Help, Parser, Version
from advisor.cli.common_options import COLORS
from advisor.cli.registry import COMMANDS
from advisor.cli.settings import LintOptions
from advisor.errors import ExitCode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FIVE_THINGS = """\
what people do:
  kafka-advisor lint server.properties              is this file safe? (YAML, Helm, Terraform, compose files, logs, too)
  kafka-advisor lint .                              all Kafka configuration below this folder
  kafka-advisor diff old.properties new.properties  what does this change make better or worse?
  kafka-advisor check --bootstrap-server b1:9092    what is wrong with this running cluster?
  kafka-advisor explain KA101                       why, and how to fix it; of a key: explain linger.ms
"""


def parse(arguments: Sequence[str]) -> Any:
    """Parse the arguments; a mistake exits with 2 and one line. Without any the help is printed, and 2 is the exit code."""
    named = next((word for word in arguments if not word.startswith("-")), None)
    parser = Parser(
        prog="kafka-advisor",
        description="Reads Kafka configuration, says what is risky, and what to change. A cluster is never written to.",
        epilog=FIVE_THINGS + "\nkafka-advisor COMMAND --help says more.\n\n" + EXIT_CODES,
        formatter_class=Help,
    )
    parser.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(
        prog="kafka-advisor", title="commands", metavar="COMMAND", required=True, parser_class=Parser
    )
    asked = parser
    for name, entry in COMMANDS.items():
        if named == name or named not in COMMANDS:
            summary = entry.summary
            command = commands.add_parser(name, help=summary, description=summary, formatter_class=Help)
            if named == name:
                entry.arguments(command)
                _common(command)
                asked = command
    if not arguments:
        parser.print_help()
        parser.exit(ExitCode.ERROR, "kafka-advisor: name a command, such as: kafka-advisor lint .\n")
    options, unknown = parser.parse_known_args(arguments, LintOptions() if named == "lint" else None)
    if unknown:
        asked.error(f"{UNKNOWN_OPTION}{' '.join(unknown)}")
    return options


def parser_of(name: str) -> Parser:
    """Build the parser of one command, for completion and the manual."""
    parser = Parser(prog=f"kafka-advisor {name}", formatter_class=Help)
    COMMANDS[name].arguments(parser)
    _common(parser)
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    """The options of every command, which are taken before the others are parsed."""
    group = parser.add_argument_group("of every command")
    group.add_argument(
        "--max-size", metavar="SIZE", help="raise the limits of what is read to a size such as 64M (docs/limits.md)"
    )
    group.add_argument(
        "--color",
        choices=COLORS,
        metavar="WHEN",
        help="auto, always or never (default: auto: on terminals; NO_COLOR and FORCE_COLOR are obeyed)",
    )
    group.add_argument(
        "--no-pager",
        action="store_true",
        help="never page long output (default: by KAFKA_ADVISOR_PAGER, PAGER or less, on terminals)",
    )
    group.add_argument(
        "--follow-links",
        action="store_true",
        help="write reports, baselines and snapshots through links of a work tree or of another user (docs/formats.md)",
    )
