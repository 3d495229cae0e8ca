"""What the command line understands; only the parser of the command that was named is built."""

from __future__ import annotations

import argparse
import os

from advisor.finding import SEVERITIES
from advisor.model import KINDS
from advisor.options import LintOptions
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
        from advisor.reports.formats import BadFormat, parse_all

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
    _choices(parser)
    silence = parser.add_argument_group("what is known already")
    silence.add_argument("--baseline", metavar="FILE", help="findings listed there are not reported again")
    silence.add_argument(
        "--write-baseline", metavar="FILE", help="write the findings of this run as a baseline, and exit with 0"
    )
    _output(parser)
    _set_command(parser, "lint")


def _choices(parser: argparse.ArgumentParser) -> None:
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
    group.add_argument(
        "--fail-on",
        choices=(*reversed(SEVERITIES),),
        metavar="SEVERITY",
        help="exit with 1 from this severity on (default: high)",
    )
    group.add_argument("--fail-on-unknown", action="store_true", help="exit with 1 when something could not be judged")
    group.add_argument("-v", "--verbose", action="store_true", help="tell the simulated story of each proof, too")
    group.add_argument("--all", action="store_true", help="list every topic and broker of a finding, not examples")
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever was found")
    group.add_argument(
        "--allow-nothing", action="store_true", help="exit with 0, not 3, when there is nothing to check (for hooks)"
    )


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", metavar="RULE", help="id or name of a rule, such as KA101 or acks-not-all")
    parser.add_argument(
        "--rules", action="append", default=[], metavar="PATH", help="a Python module with rules of your own"
    )
    _set_command(parser, "explain")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "bash: source <(kafka-advisor completion bash)\nzsh:  kafka-advisor completion zsh > FOLDER_OF_FPATH/_kafka-advisor"
    parser.add_argument("shell", choices=("bash", "zsh"), metavar="SHELL", help="bash or zsh")
    _set_command(parser, "completion")


def _rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default: text")
    parser.add_argument(
        "--rules", action="append", default=[], metavar="PATH", help="a Python module with rules of your own"
    )
    _set_command(parser, "rules")


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
    _set_command(parser, "simulate")


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
    _set_command(parser, "starts")


def _effective(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EFFECTIVE_EPILOG
    parser.add_argument("file", metavar="FILE", help="a configuration file; - is standard input")
    parser.add_argument("--kafka-version", metavar="V", help="release (default: from the file, else the newest)")
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)} (default: by content)")
    parser.add_argument("--all", action="store_true", help="the defaults, too")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    _set_command(parser, "effective")


def _set_command(parser: argparse.ArgumentParser, name: str) -> None:
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
    _choices(parser)
    silence = parser.add_argument_group("what is known already")
    silence.add_argument("--baseline", metavar="FILE", help="findings listed there are not reported again")
    silence.add_argument("--write-baseline", metavar="FILE", help="write the findings as a baseline, and exit with 0")
    _output(parser)
    _set_command(parser, "check")


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
    _choices(parser)
    group = parser.add_argument_group("what comes out")
    group.add_argument("--format", choices=("text", "json", "markdown"), default="text", help="default: text")
    group.add_argument(
        "--fail-on",
        choices=(*reversed(SEVERITIES),),
        metavar="SEVERITY",
        help="exit with 1 when findings of this severity or above appear (default: high)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever appears")
    _set_command(parser, "diff")


def _snapshot(parser: argparse.ArgumentParser) -> None:
    parser.epilog = SNAPSHOT_EPILOG
    parser.set_defaults(saved=None)
    _cluster(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="cluster.json or cluster.json.gz; - is standard output"
    )
    _set_command(parser, "snapshot")


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


COLLECT_EPILOG = """\
examples:
  kafka-advisor collect --inventory fleet.yaml --out snapshots/
  kafka-advisor collect --inventory fleet.yaml --out snapshots/ --engine local --max-unreachable 0
  kafka-advisor collect --inventory clusters.csv --out /mnt/shared/fleet --master spark://spark:7077 --overwrite

fleet.yaml (or a table, CSV or Parquet, with the columns name, bootstrap_servers, command_config, zookeeper,
kafka_version, timeout, and labels as team=payments;environment=production):
  defaults: {timeout: 30, command_config: env:KAFKA_CLIENT_PROPERTIES}
  clusters:
    - name: payments-eu
      bootstrap_servers: [a:9092, b:9092]
      command_config: file:payments.properties
      labels: {team: payments, environment: production}
      clients: [{file: producers/pay.properties, topics: ["payments*"]}]
command_config is a reference that is resolved where the cluster is read: file:PATH, or env:NAME for a variable that holds
the text of such a file. Nothing is ever written to a cluster.

exit codes:
  0  collected; no more clusters than --max-unreachable could not be reached
  2  wrong usage, an inventory that makes no sense, or a fault of the tool
  4  more clusters than --max-unreachable could not be reached; what was read is written all the same
  130  interrupted; tables that were begun are taken away
"""


def _collect(parser: argparse.ArgumentParser) -> None:
    parser.epilog = COLLECT_EPILOG
    parser.add_argument("--inventory", required=True, metavar="FILE", help="the clusters: fleet.yaml, CSV or Parquet")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="where the tables go; _complete.json is last")
    parser.add_argument("--clusters", default="", metavar="NAMES", help="only these, with commas between")
    _max_unreachable(parser)
    parser.add_argument("--overwrite", action="store_true", help="replace a collection that is whole")
    group = parser.add_argument_group("how")
    group.add_argument(
        "--engine", choices=("spark", "local"), default="spark", help="Spark, or this process alone (default: spark)"
    )
    group.add_argument(
        "--master", metavar="URL", help="Spark's master (default: local[*], or the session that there is)"
    )
    group.add_argument(
        "--threads",
        type=count,
        default=16,
        metavar="N",
        help="clusters that answer and are read at once by one task (default: 16)",
    )
    group.add_argument(
        "--timeout", type=seconds, metavar="SECONDS", help="for one cluster (default: the inventory's, else 30)"
    )
    group.add_argument(
        "--format", default="parquet", metavar="NAME", help="a format of Spark's (default: parquet, which audits read)"
    )
    group.add_argument(
        "--option",
        type=pair,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="of that format; {table} in the value is the table's name",
    )
    _set_command(parser, "collect")


AUDIT_EPILOG = """\
examples:
  kafka-advisor audit snapshots/ --out audit/2026-11-20
  kafka-advisor audit snapshots/ --out audit/2026-11-20 --engine local --waivers waivers.yaml
  kafka-advisor audit /mnt/shared/fleet --out /mnt/shared/audit/2026-11-20 --master spark://spark:7077

snapshots/ is what `collect` wrote, or files that `snapshot` wrote. The tables findings, unknowns, clusters, counts and
audits go to --out as Parquet; a folder per audit, side by side, is the history that audit-diff and audit-report read.

waivers.yaml says which findings somebody answers for:
  - rule: KA151                     # an id, a name or a family
    cluster: payments-*             # and label: {environment: dev}, subject: scratch-*; whatever is left out is any
    reason: rebuilt every night
    until: 2027-01-31

exit codes:
  0  nothing at or above --fail-on
  1  findings at or above --fail-on
  2  wrong usage, or a fault of the tool (a rule that crashed is one)
  3  nothing to audit
  4  more clusters than --max-unreachable could not be reached
  130  interrupted; tables that were begun are taken away
"""


def _audit(parser: argparse.ArgumentParser) -> None:
    parser.epilog = AUDIT_EPILOG
    parser.add_argument("snapshots", nargs="+", metavar="SNAPSHOTS", help="a collected folder, or snapshot files")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="where the tables go")
    parser.add_argument("--name", metavar="NAME", help="what the audit is called (default: the folder's name)")
    parser.add_argument("--overwrite", action="store_true", help="replace an audit that is whole")
    parser.add_argument("--waivers", metavar="FILE", help="findings that somebody answers for")
    _choices(parser)
    group = parser.add_argument_group("what counts")
    group.add_argument(
        "--fail-on",
        choices=(*reversed(SEVERITIES),),
        metavar="SEVERITY",
        help="exit with 1 from this severity on (default: high)",
    )
    group.add_argument("--fail-on-unknown", action="store_true", help="exit with 1 when something could not be judged")
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever was found")
    _max_unreachable(group)
    group = parser.add_argument_group("how")
    group.add_argument(
        "--engine",
        choices=("spark", "local"),
        default="spark",
        help="Spark, or this machine's processes (default: spark)",
    )
    group.add_argument(
        "--master", metavar="URL", help="Spark's master (default: local[*], or the session that there is)"
    )
    group.add_argument("--jobs", type=count, metavar="N", help="processes of --engine local (default: one per core)")
    group.add_argument(
        "--path",
        choices=("auto", "topics", "clusters"),
        default="auto",
        help="with Spark: judge topics where they are read, or bring whole clusters together (default: auto)",
    )
    group.add_argument("--format", default="parquet", metavar="NAME", help="a format of Spark's (default: parquet)")
    group.add_argument("--option", type=pair, action="append", default=[], metavar="KEY=VALUE", help="of that format")
    parser.set_defaults(kind=None, kafka_version=None, baseline=None, select=[], ignore=[], rules=[])
    _set_command(parser, "audit")


AUDIT_DIFF_EPILOG = """\
examples:
  kafka-advisor audit-diff audit/2026-11-13 audit/2026-11-20 --out drift/2026-11-20
  kafka-advisor audit-diff audit/2026-11-13 audit/2026-11-20 --out drift/ --overwrite --fail-on critical

The tables drift (every finding that is not as it was) and drift_counts (per cluster, rule and status) go to --out as
Parquet. A finding is
  new      it was not there before; its reason says where the audit before could not know it
  changed  it says something else, of another value or number of partitions, is more or less severe, is waived or no longer
  fixed    it is gone, with its subject or without it, and the later audit looked
  unknown  it is gone, and the later audit did not look: the cluster could not be reached or is not there, the subject
           could not be read, the rule did not run
  same     none of these

exit codes:
  0  nothing at or above --fail-on is new or worse: more severe than before, or no longer waived
  1  something at or above --fail-on (default high) is
  2  wrong usage, an audit that is not whole, or a fault of the tool
  130  interrupted; tables that were begun are taken away
"""


def _audit_diff(parser: argparse.ArgumentParser) -> None:
    parser.epilog = AUDIT_DIFF_EPILOG
    parser.add_argument("old", metavar="OLD", help="the folder of an audit")
    parser.add_argument("new", metavar="NEW", help="the folder of a later audit of the same fleet")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="where the tables go; _complete.json is last")
    parser.add_argument("--overwrite", action="store_true", help="replace a comparison that is whole")
    group = parser.add_argument_group("what counts")
    group.add_argument(
        "--fail-on",
        choices=(*reversed(SEVERITIES),),
        default="high",
        metavar="SEVERITY",
        help="exit with 1 when findings of this severity or above are new or worse (default: high)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever is new")
    group = parser.add_argument_group("how")
    group.add_argument(
        "--engine",
        choices=("local", "spark"),
        default="local",
        help="this process, which is faster up to about a billion findings, or Spark, which wants no memory of one "
        "machine (default: local)",
    )
    group.add_argument(
        "--master", metavar="URL", help="Spark's master (default: local[*], or the session that there is)"
    )
    _set_command(parser, "audit-diff")


AUDIT_REPORT_EPILOG = """\
examples:
  kafka-advisor audit-report audit/2026-11-20 --html fleet.html
  kafka-advisor audit-report audit/2026-11-20 --html fleet.html --since audit/2026-10-30

One page that needs no network and no file beside it. The audits in the folders beside AUDIT are its history, in the order
in which they were made: the last one before it is what it is compared with, unless --since names another.

exit codes:
  0  written
  2  wrong usage, an audit that is not whole, or a page that cannot be written
  130  interrupted
"""


def _audit_report(parser: argparse.ArgumentParser) -> None:
    parser.epilog = AUDIT_REPORT_EPILOG
    parser.add_argument("audit", metavar="AUDIT", help="the folder of an audit")
    parser.add_argument("--html", required=True, metavar="FILE", help="the page; - is standard output")
    parser.add_argument(
        "--since", metavar="OLD", help="the folder of the audit to compare with (default: the last before it)"
    )
    _set_command(parser, "audit-report")


def _max_unreachable(group: argparse._ArgumentGroup | argparse.ArgumentParser) -> None:
    group.add_argument(
        "--max-unreachable",
        type=share,
        default=(5.0, True),
        metavar="N",
        help="how many clusters, or how many per cent (5%%), may be unreachable (default: 5%%)",
    )


def share(text: str) -> tuple[float, bool]:
    """A number, and whether it is per cent."""
    number = float(text.removesuffix("%"))
    if not 0 <= number <= (100 if text.endswith("%") else number):
        raise argparse.ArgumentTypeError(f"{text} is neither a number nor a share from 0% to 100%")
    return number, text.endswith("%")


def count(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 1 on")
    return int(text)


def pair(text: str) -> tuple[str, str]:
    """KEY=VALUE."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"{text} is not KEY=VALUE")
    return key, value


def seconds(text: str) -> float:
    """A number of seconds, up to a day."""
    count = float(text)
    if not 0 < count <= 86_400:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 86400")
    return count


MODULES = {
    "check": "advisor.check",
    "snapshot": "advisor.check:save",
    "simulate": "advisor.simulate",
    "diff": "advisor.diff",
    "starts": "advisor.starts",
    "effective": "advisor.effective",
    "lint": "advisor.lint",
    "explain": "advisor.explain",
    "rules": "advisor.listing",
    "completion": "advisor.completion",
    "collect": "spark_audit.collect",
    "audit": "spark_audit.audit",
    "audit-diff": "spark_audit.audit_diff",
    "audit-report": "spark_audit.audit_report",
}
COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "lint": ("judge configuration files, or a saved snapshot", _lint),
    "check": ("judge a running cluster", _check),
    "snapshot": ("save what a running cluster says of itself, to judge it later", _snapshot),
    "simulate": ("show what a configuration loses, when it stops serving, and how", _simulate),
    "starts": ("say release by release whether Kafka accepts a file, and what it uses instead", _starts),
    "effective": ("show what a node, client or topic really uses, and where each value comes from", _effective),
    "diff": ("show what a change does: settings, findings, odds", _diff),
    "collect": ("read every cluster of a fleet into tables, to audit them", _collect),
    "audit": ("judge every cluster of a fleet, into tables of findings", _audit),
    "audit-diff": ("show what became of a fleet's findings between two audits", _audit_diff),
    "audit-report": ("write an audit of a fleet, and its history, as one HTML page", _audit_report),
    "explain": ("say what a rule is about, with examples", _explain),
    "rules": ("list all rules", _rules),
    "completion": ("print what bash or zsh completes the command line with", _completion),
}
