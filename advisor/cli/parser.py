"""What the command line understands; only the parser of the command that was named is built."""

from __future__ import annotations

import argparse
import os

from advisor.cli.options import LintOptions
from advisor.model import KINDS
from advisor.model.finding import SEVERITIES
from advisor.rule import PROFILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

FORMATS = ("text", "json", "sarif", "junit", "gitlab", "github", "csv", "markdown", "prometheus", "html")

argparse._ = lambda text: text  # type: ignore[attr-defined]
"""Help is English: looking for translations costs 2 ms whenever a parser is built."""

EXIT_CODES = """\
exit codes:
  0  no finding at or above --fail-on
  1  findings at or above --fail-on (default high)
  2  wrong usage, a file that cannot be read, or a fault of the tool; the other files are still judged
  3  nothing to check
"""
LINT_EPILOG = f"""\
examples:
  kafka-advisor lint server.properties
  kafka-advisor lint broker-*.properties --with producer.properties
  kafka-advisor lint server.properties --kafka-version 3.9 --profile staging
  cat server.properties | kafka-advisor lint -

{EXIT_CODES}"""


class Help(argparse.RawDescriptionHelpFormatter):
    """Help of a width that is known without asking the terminal: asking costs 2 ms whenever a parser is built."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=int(os.environ.get("COLUMNS", 110)))


SIMULATE_EPILOG = """\
events:      kill, power-loss, disk-loss, isolate, lag, controlled-shutdown, controller-down, power-loss-all;
             a victim is any (default), leader, follower or a replica's number
examples:
  kafka-advisor simulate --rf 3 --min-isr 2 --acks all
  kafka-advisor simulate --rf 3 --min-isr 1 --fail "lag follower, lag follower, power-loss leader"
  kafka-advisor simulate server.properties --with producer.properties
"""


def parse(arguments: Sequence[str]) -> Any:
    """Read the arguments; exits with 2 and one line where they make no sense."""
    named = next((word for word in arguments if not word.startswith("-")), None)
    parser = Parser(
        prog="kafka-advisor",
        description="Reads Kafka configuration, says what is risky, and what to change. Nothing is ever written to it.",
        epilog="kafka-advisor COMMAND --help says more.\n\n" + EXIT_CODES,
        formatter_class=Help,
    )
    parser.add_argument("--version", action=Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(
        prog="kafka-advisor", title="commands", metavar="COMMAND", required=True, parser_class=Parser
    )
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
    return parser.parse_args(arguments, LintOptions() if named == "lint" else None)


def parser_of(name: str) -> Parser:
    """The parser of one command, to be looked at: completion and manual are made from it."""
    parser = Parser(prog=f"kafka-advisor {name}", formatter_class=Help)
    COMMANDS[name][1](parser)
    return parser


class Parser(argparse.ArgumentParser):
    """A parser that answers a mistake with one line and its remedy."""

    def error(self, message: str) -> None:  # type: ignore[override]
        """Say what is wrong and leave with 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")


class Formats(argparse.Action):
    """Gathers NAME[=FILE] and refuses what cannot be written together."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, value: Any, option: str | None = None) -> None:
        """Take one more."""
        from advisor.errors import BadFormat
        from advisor.reports.formats import parse_all

        said = [*getattr(namespace, "_formats", ()), value]
        try:
            parse_all(said)
        except BadFormat as bad:
            raise argparse.ArgumentError(self, str(bad)) from None
        namespace._formats = namespace.format = said


class Version(argparse.Action):
    """Prints the version only when asked for it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print and leave."""
        from advisor import __version__

        parser.exit(0, f"kafka-advisor {__version__}\n")


def _lint(parser: argparse.ArgumentParser) -> None:
    parser.epilog = LINT_EPILOG
    parser.argument_default = argparse.SUPPRESS
    parser.add_argument("files", nargs="+", metavar="FILE", help="configuration files; - is standard input")
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
        help="all FILEs are nodes of one cluster (default: those that name the same quorum or ZooKeeper)",
    )
    about.add_argument(
        "--kafka-version",
        metavar="V",
        help="judge for this release: 3.9, 4.0.2, cp7.9 (default: from the files, else the newest)",
    )
    choices(parser)
    silence = parser.add_argument_group("what is known already")
    silence.add_argument("--baseline", metavar="FILE", help="findings listed there are not reported again")
    silence.add_argument(
        "--write-baseline", metavar="FILE", help="write the findings of this run as a baseline, and exit with 0"
    )
    _output(parser)
    set_command(parser, "lint")


def exit_codes(group: argparse._ArgumentGroup) -> None:
    """What makes the exit code of a judgement."""
    group.add_argument(
        "--fail-on",
        choices=(*reversed(SEVERITIES),),
        metavar="SEVERITY",
        help="exit with 1 from this severity on (default: high)",
    )
    group.add_argument("--fail-on-unknown", action="store_true", help="exit with 1 when something could not be judged")
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever was found")


def choices(parser: argparse.ArgumentParser) -> None:
    """What chooses rules and weighs them."""
    group = parser.add_argument_group("which rules, how severe")
    group.add_argument(
        "--profile", choices=PROFILES, help="how strict: dev < staging < production < regulated (default: production)"
    )
    group.add_argument(
        "--select",
        action="append",
        metavar="RULES",
        help="only these: ids, names, families or prefixes, separated by commas",
    )
    group.add_argument("--ignore", action="append", metavar="RULES", help="not these")
    group.add_argument("--rules", action="append", metavar="PATH", help="a Python module with rules of your own")
    group.add_argument(
        "--config",
        metavar="FILE",
        help="configuration file (default: the nearest kafka-advisor.yaml, or pyproject.toml with [tool.kafka-advisor])",
    )
    group.add_argument("--no-config", action="store_true", help="read no configuration file")


def _output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what comes out")
    group.add_argument(
        "--format",
        action=Formats,
        metavar="NAME[=FILE]",
        help=f"{', '.join(FORMATS)} (default: text); more than once, each to a FILE of its own",
    )
    exit_codes(group)
    group.add_argument("-v", "--verbose", action="store_true", help="tell the simulated story of each proof, too")
    group.add_argument("--all", action="store_true", help="list every topic and broker of a finding, not examples")
    group.add_argument(
        "--allow-nothing", action="store_true", help="exit with 0, not 3, when there is nothing to check (for hooks)"
    )


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE", help="id or name of a rule, such as KA101 or acks-not-all")
    parser.add_argument(
        "--rules", action="append", default=[], metavar="PATH", help="a Python module with rules of your own"
    )
    set_command(parser, "explain")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "bash: source <(kafka-advisor completion bash)\nzsh:  kafka-advisor completion zsh > FOLDER_OF_FPATH/_kafka-advisor"
    parser.add_argument("shell", choices=("bash", "zsh"), metavar="SHELL", help="bash or zsh")
    set_command(parser, "completion")


def _rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default: text")
    parser.add_argument(
        "--rules", action="append", default=[], metavar="PATH", help="a Python module with rules of your own"
    )
    set_command(parser, "rules")


def _simulate(parser: argparse.ArgumentParser) -> None:
    parser.epilog = SIMULATE_EPILOG
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="take the settings from a broker's file, or a snapshot"
    )
    group = parser.add_argument_group("the configuration (over what the files say)")
    group.add_argument("--with", dest="with_", action="append", default=[], metavar="FILE", help="a producer's file")
    group.add_argument("--topic", metavar="NAME", help="the topic of a snapshot: its copies, settings and racks")
    group.add_argument("--rf", type=int, metavar="N", help="replication factor, 1 to 5")
    group.add_argument("--min-isr", type=int, metavar="N", help="min.insync.replicas")
    group.add_argument("--acks", choices=("0", "1", "all"), help="the producer's acks (default: all)")
    group.add_argument("--unclean", action="store_true", help="unclean.leader.election.enable=true")
    group.add_argument(
        "--elr",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="eligible leader replicas (default: both, the worse is shown)",
    )
    group.add_argument("--flush", action="store_true", help="flush.messages=1")
    group.add_argument("--kafka-version", metavar="V", help="release, from 0.8 on (default: the newest)")
    group.add_argument("--metadata", choices=("kraft", "zookeeper"), help="default: kraft, or what the file says")
    group.add_argument("--racks", metavar="A,A,B", help="each replica's failure domain (default: all share one)")
    asked = parser.add_argument_group("the question")
    asked.add_argument("--fail", metavar="EVENTS", help='failures to try, such as "kill leader, power-loss any"')
    asked.add_argument(
        "--property",
        default="no-acked-loss",
        metavar="NAME",
        help="what must hold under --fail (default: no-acked-loss)",
    )
    asked.add_argument(
        "--assume", default="", metavar="RATES", help="broker_failures=6/year,repair=30min,power=0.5/year,…"
    )
    asked.add_argument("--queries", metavar="FILE", help="answer JSON Lines in bulk; - is standard input")
    asked.add_argument(
        "--limit", type=int, default=2_000_000, metavar="N", help="states after which a question stays undecided"
    )
    asked.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    set_command(parser, "simulate")


STARTS_EPILOG = """\
examples:
  kafka-advisor starts server.properties
  kafka-advisor starts server.properties --on 3.9,4.0,4.4
  kafka-advisor starts --queries questions.jsonl
A question is {"id", "component", "version", "settings"}; component is broker, producer, consumer, admin, topic, connect or
streams, and `broker:` before a key makes it a setting of the broker that a topic is created on. The answer is
{"id", "refused": true|false|null, "reasons": [{"key", "message"}], "changed": [keys]}; null is unknown, `reasons` says why.

exit codes:
  0  no release that was asked refuses (with --queries: every line was answered)
  1  some release refuses
  2  wrong usage, a file that cannot be read, or a line of questions that asks nothing
  3  nothing to check
"""
EFFECTIVE_EPILOG = """\
examples:
  kafka-advisor effective server.properties
  kafka-advisor effective server.properties --kafka-version 3.9 --all
exit codes: 0, 2 for wrong usage or a file that cannot be read, 3 for nothing to show
"""


def _starts(parser: argparse.ArgumentParser) -> None:
    parser.epilog = STARTS_EPILOG
    parser.add_argument("file", nargs="?", metavar="FILE", help="a configuration file; - is standard input")
    parser.add_argument(
        "--on", metavar="V,V", help="the releases to ask (default: all from 2.8 on, for KRaft nodes from 3.3 on)"
    )
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)} (default: by content)")
    parser.add_argument("--queries", metavar="FILE", help="answer JSON Lines in bulk; - is standard input")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    set_command(parser, "starts")


def _effective(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EFFECTIVE_EPILOG
    parser.add_argument("file", metavar="FILE", help="a configuration file; - is standard input")
    parser.add_argument("--kafka-version", metavar="V", help="release (default: from the file, else the newest)")
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)} (default: by content)")
    parser.add_argument("--all", action="store_true", help="the defaults, too")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    set_command(parser, "effective")


def set_command(parser: argparse.ArgumentParser, name: str) -> None:
    """Name the command, and offer what every command has."""

    def run(options: argparse.Namespace) -> int:
        module, _, function = MODULES[name].partition(":")
        code: int = getattr(__import__(module, fromlist=("run",)), function or "run")(options)
        return code

    parser.set_defaults(command=run)


CHECK_EPILOG = f"""\
examples:
  kafka-advisor check --bootstrap-server broker:9092
  kafka-advisor check --bootstrap-server broker:9093 --command-config client.properties
  kafka-advisor check --bootstrap-server broker:9092 --with producer.properties=orders,payments
  kafka-advisor check --bootstrap-server broker:9092 --zookeeper zk1:2181,zk2:2181/kafka
  kafka-advisor check cluster.json.gz
Nothing is ever written to a cluster. `check --required-acls` prints the rights that a full read takes; what this
principal may not see is reported as unknown, never as fine.

{EXIT_CODES}  4  the cluster cannot be reached
"""
SNAPSHOT_EPILOG = """\
example:
  kafka-advisor snapshot --bootstrap-server broker:9092 -o cluster.json.gz
  kafka-advisor lint cluster.json.gz
Secrets are masked when they are read; the file holds none. It is readable for its owner only.
"""


def _check(parser: argparse.ArgumentParser) -> None:
    parser.epilog = CHECK_EPILOG
    _defaults(parser)
    parser.add_argument("saved", nargs="?", metavar="SNAPSHOT", help="a saved snapshot in place of a running cluster")
    _cluster(parser)
    parser.add_argument(
        "--with",
        dest="with_",
        action="append",
        default=[],
        metavar="FILE[=TOPICS]",
        help="a client's file, judged together with the topics it uses: producer.properties=orders,pay-*",
    )
    parser.add_argument(
        "--required-acls", action="store_true", help="print the rights that a full read takes, and exit"
    )
    choices(parser)
    silence = parser.add_argument_group("what is known already")
    silence.add_argument("--baseline", metavar="FILE", help="findings listed there are not reported again")
    silence.add_argument("--write-baseline", metavar="FILE", help="write the findings as a baseline, and exit with 0")
    _output(parser)
    set_command(parser, "check")


def _defaults(parser: argparse.ArgumentParser) -> None:
    """The defaults of `lint`; lists can be added to."""
    defaults = {name: value for name, value in vars(LintOptions).items() if not name.startswith("_")}
    parser.set_defaults(**{name: [] if value == () else value for name, value in defaults.items()})


DIFF_EPILOG = """\
examples:
  kafka-advisor diff old/server.properties server.properties
  kafka-advisor diff monday.json.gz tuesday.json.gz
  kafka-advisor diff <(git show main:server.properties) server.properties --format markdown

exit codes:
  0  no finding at or above --fail-on appears
  1  findings at or above --fail-on (default high) appear
  2  wrong usage, or a side that cannot be read
"""


def _diff(parser: argparse.ArgumentParser) -> None:
    parser.epilog = DIFF_EPILOG
    _defaults(parser)
    what = "a configuration file, a snapshot of a cluster, or a report that --format json wrote"
    parser.add_argument("old", metavar="OLD", help=what)
    parser.add_argument("new", metavar="NEW", help="the same after the change")
    about = parser.add_argument_group("what the files are")
    about.add_argument("--kind", choices=KINDS, metavar="KIND", help="what both files are (default: by content)")
    about.add_argument("--with", dest="with_", action="append", metavar="FILE", help="a client, judged with both sides")
    about.add_argument("--kafka-version", metavar="V", help="judge for this release (default: from the files)")
    about.add_argument("--assume", default="", metavar="RATES", help="for the odds, as in simulate: repair=30min,…")
    choices(parser)
    group = parser.add_argument_group("what comes out")
    group.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default: text")
    group.add_argument(
        "--fail-on",
        choices=(*reversed(SEVERITIES),),
        metavar="SEVERITY",
        help="exit with 1 when findings of this severity or above appear (default: high)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever appears")
    set_command(parser, "diff")


def _snapshot(parser: argparse.ArgumentParser) -> None:
    parser.epilog = SNAPSHOT_EPILOG
    parser.set_defaults(saved=None)
    _cluster(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="cluster.json or cluster.json.gz; - is standard output"
    )
    set_command(parser, "snapshot")


def _cluster(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the cluster")
    group.add_argument("--bootstrap-server", metavar="HOST:PORT", help="some of its brokers, separated by commas")
    group.add_argument(
        "--command-config",
        metavar="FILE",
        help="client settings to connect with, in Java's or librdkafka's names (or KAFKA_ADVISOR_… in the environment)",
    )
    group.add_argument("--zookeeper", metavar="HOST:PORT[/CHROOT]", help="its ZooKeeper (Kafka up to 3.9)")
    group.add_argument(
        "--timeout", type=seconds, default=60.0, metavar="SECONDS", help="for everything together (default: 60)"
    )
    group.add_argument(
        "--group",
        action="append",
        default=[],
        metavar="NAME",
        help="a consumer group that there should be: one whose coordinator is down is listed by nobody",
    )
    group.add_argument("--before", metavar="SNAPSHOT", help="an earlier snapshot: its groups are what there should be")
    group.add_argument("--lag", action="store_true", help="read end offsets, too, and so the lag of groups")


def seconds(text: str) -> float:
    """A number of seconds, up to a day."""
    count = float(text)
    if not 0 < count <= 86_400:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 86400")
    return count


def _of_fleets(name: str) -> Callable[[argparse.ArgumentParser], None]:
    def build(parser: argparse.ArgumentParser) -> None:
        from advisor.cli import fleet_parser

        getattr(fleet_parser, name)(parser)

    return build


MODULES = {
    "check": "advisor.cli.check",
    "snapshot": "advisor.cli.check:save",
    "simulate": "advisor.cli.simulate",
    "diff": "advisor.cli.diff",
    "starts": "advisor.cli.starts",
    "effective": "advisor.cli.effective",
    "lint": "advisor.cli.lint",
    "explain": "advisor.cli.explain",
    "rules": "advisor.cli.rules",
    "completion": "advisor.cli.completion",
    "collect": "spark_audit.commands.collect",
    "audit": "spark_audit.commands.audit",
    "audit-diff": "spark_audit.commands.audit_diff",
    "audit-report": "spark_audit.commands.audit_report",
}
COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "lint": ("judge configuration files, or a saved snapshot", _lint),
    "check": ("judge a running cluster", _check),
    "snapshot": ("save what a running cluster says of itself, to judge it later", _snapshot),
    "simulate": ("show what a configuration loses, when it stops serving, and how", _simulate),
    "starts": ("say release by release whether Kafka accepts a file, and what it uses instead", _starts),
    "effective": ("show what a node, client or topic really uses, and where each value comes from", _effective),
    "diff": ("show what a change does: settings, findings, odds", _diff),
    "collect": ("read every cluster of a fleet into tables, to audit them", _of_fleets("collect")),
    "audit": ("judge every cluster of a fleet, into tables of findings", _of_fleets("audit")),
    "audit-diff": ("show what became of a fleet's findings between two audits", _of_fleets("audit_diff")),
    "audit-report": ("write an audit of a fleet, and its history, as one HTML page", _of_fleets("audit_report")),
    "explain": ("say what a rule is about, with examples", _explain),
    "rules": ("list all rules", _rules),
    "completion": ("print what bash or zsh completes the command line with", _completion),
}
