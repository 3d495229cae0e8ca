"""The argument parser; only the named command's subparser is built."""

from __future__ import annotations

import argparse

from advisor.cli.argument_types import (
    EXIT_CODES,
    UNKNOWN_OPTION,
    Help,
    Parser,
    Version,
    add_output,
    add_policy,
    add_waivers,
    set_command,
)
from advisor.cli.common_options import COLORS
from advisor.cli.settings import LintOptions
from advisor.errors import ExitCode
from advisor.model import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

LINT_EPILOG = f"""\
examples:
  kafka-advisor lint server.properties
  kafka-advisor lint docker-compose.yml --set KAFKA_VERSION=7.9.0
  kafka-advisor lint .
  kafka-advisor lint broker-*.properties --with producer.properties
  kafka-advisor lint server.properties --kafka-version 3.9 --profile staging
  cat server.properties | kafka-advisor lint -

{EXIT_CODES}"""


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
        description="Reads Kafka configuration, says what is risky, and what to change. Nothing is ever written to it.",
        epilog=FIVE_THINGS + "\nkafka-advisor COMMAND --help says more.\n\n" + EXIT_CODES,
        formatter_class=Help,
    )
    parser.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(
        prog="kafka-advisor", title="commands", metavar="COMMAND", required=True, parser_class=Parser
    )
    asked = parser
    for name, (summary, build) in COMMANDS.items():
        command = (
            commands.add_parser(
                name,
                help=summary,
                description=summary,
                add_help=True,
                formatter_class=Help,
            )
            if named in (name, None) or named not in COMMANDS
            else None
        )
        if command is not None:
            build(command)
            _common(command)
            asked = command if name == named else asked
    if not arguments:
        parser.print_help()
        parser.exit(ExitCode.ERROR, "kafka-advisor: name a command\n")
    options, unknown = parser.parse_known_args(arguments, LintOptions() if named == "lint" else None)
    if unknown:
        asked.error(f"{UNKNOWN_OPTION}{' '.join(unknown)}")
    return options


def parser_of(name: str) -> Parser:
    """Build the parser of one command, for completion and the manual."""
    parser = Parser(prog=f"kafka-advisor {name}", formatter_class=Help)
    COMMANDS[name][1](parser)
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


def _lint(parser: argparse.ArgumentParser) -> None:
    parser.epilog = LINT_EPILOG
    parser.argument_default = argparse.SUPPRESS
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="configuration files, or folders of them; - is standard input"
    )
    about = parser.add_argument_group("what the files are")
    about.add_argument(
        "--kind", choices=KINDS, metavar="KIND", help=f"what every FILE is: {', '.join(KINDS)} (default: by content)"
    )
    about.add_argument(
        "--with",
        dest="with_",
        action="append",
        metavar="FILE",
        help="a client of the cluster, judged together with its brokers",
    )
    about.add_argument(
        "--one-cluster",
        action="store_true",
        help="all FILEs, outputs of Kafka's tools included, are of one cluster (default: nodes that name the same quorum or ZooKeeper)",
    )
    about.add_argument(
        "--kafka-version",
        metavar="V",
        help="judge for this release: 3.9, 4.0.2, cp7.9, msk3.6 (default: from the files, else the newest)",
    )
    filled = parser.add_argument_group("placeholders such as ${NAME}, which are unknown otherwise")
    filled.add_argument("--set", dest="set_", action="append", metavar="NAME=VALUE", help="fill in this variable")
    filled.add_argument(
        "--env-file", action="append", metavar="FILE", help="fill in the variables of a file of NAME=VALUE lines"
    )
    filled.add_argument("--environment", action="store_true", help="fill in the variables of this process, too")
    add_policy(parser)
    silence = parser.add_argument_group("what is known already")
    silence.add_argument("--baseline", metavar="FILE", help="findings listed there are not reported again")
    add_waivers(silence)
    silence.add_argument(
        "--write-baseline", metavar="FILE", help="write the findings of this run as a baseline, and exit with 0"
    )
    add_output(parser)
    set_command(parser, "lint")


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "examples:\n  kafka-advisor explain KA101\n  kafka-advisor explain min.insync.replicas"
    parser.add_argument(
        "rule",
        metavar="RULE|KEY",
        help="id or name of a rule, such as KA101 or acks-not-all, or a key of Kafka's, such as linger.ms",
    )
    parser.add_argument(
        "--rules", action="append", default=[], metavar="PATH", help="a Python module with rules of your own"
    )
    set_command(parser, "explain")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "bash: source <(kafka-advisor completion bash)\nzsh:  kafka-advisor completion zsh > FOLDER_OF_FPATH/_kafka-advisor"
    parser.add_argument("shell", choices=("bash", "zsh"), metavar="SHELL", help="bash or zsh")
    set_command(parser, "completion")


def _rules(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  kafka-advisor rules --family security --severity high\n  kafka-advisor rules --key acks"
    )
    from advisor.model.finding import SEVERITIES
    from advisor.rule import FAMILIES, PROFILES

    chosen = parser.add_argument_group("which rules (default: all)")
    chosen.add_argument("--family", choices=FAMILIES, metavar="FAMILY", help=", ".join(FAMILIES))
    chosen.add_argument(
        "--severity", choices=SEVERITIES, metavar="S", help="at least this severe: critical, high, medium, low, info"
    )
    chosen.add_argument(
        "--profile", choices=PROFILES, default="production", help="whose severities (default: production)"
    )
    chosen.add_argument("--key", metavar="KEY", help="that judge this key of Kafka's, such as acks")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default: text")
    parser.add_argument(
        "--rules", action="append", default=[], metavar="PATH", help="a Python module with rules of your own"
    )
    set_command(parser, "rules")


def _lazy(module: str, name: str) -> Callable[[argparse.ArgumentParser], None]:
    """Arguments of a command whose parser module is loaded on demand."""

    def build(parser: argparse.ArgumentParser) -> None:
        getattr(__import__(f"advisor.cli.{module}", fromlist=(name,)), name)(parser)

    return build


COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "lint": ("judge configuration files, or a saved snapshot", _lint),
    "check": ("judge a running cluster", _lazy("live_parser", "check")),
    "snapshot": ("save what a running cluster says of itself, to judge it later", _lazy("live_parser", "snapshot")),
    "impact": (
        "say what is lost and what stops when brokers, racks or controllers fail, or restart one by one",
        _lazy("live_parser", "impact"),
    ),
    "advise": ("plan what to change, in which order, and at what cost", _lazy("live_parser", "advise")),
    "simulate": (
        "show what a configuration loses, when it stops serving, and how",
        _lazy("analysis_parser", "simulate"),
    ),
    "starts": (
        "say release by release whether Kafka accepts a file, and what it uses instead",
        _lazy("analysis_parser", "starts"),
    ),
    "effective": (
        "show what a node, client or topic really uses, and where each value comes from",
        _lazy("analysis_parser", "effective"),
    ),
    "diff": ("show what a change does: settings, findings, odds", _lazy("analysis_parser", "diff")),
    "upgrade": (
        "plan an upgrade: what to do before and after, what changes by itself, by which path",
        _lazy("upgrade_parser", "upgrade"),
    ),
    "collect": ("read every cluster of a fleet into tables, to audit them", _lazy("fleet_parser", "collect")),
    "audit": ("judge every cluster of a fleet, into tables of findings", _lazy("fleet_parser", "audit")),
    "audit-diff": ("show what became of a fleet's findings between two audits", _lazy("fleet_parser", "audit_diff")),
    "audit-report": (
        "write an audit of a fleet, and its history, as one HTML page",
        _lazy("fleet_parser", "audit_report"),
    ),
    "explain": ("say what a rule is about, with examples, or what Kafka knows of a key", _explain),
    "rules": ("list all rules", _rules),
    "completion": ("print what bash or zsh completes the command line with", _completion),
}
