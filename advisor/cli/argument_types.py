"""Argument types and option groups that several commands share."""

from __future__ import annotations

import argparse

from advisor.cli.settings import LintOptions
from advisor.model.finding import WORST_FIRST
from advisor.rule import PROFILES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

FORMATS = ("text", "concise", "json", "sarif", "junit", "gitlab", "github", "csv", "markdown", "prometheus", "html")
argparse._ = lambda text: text  # type: ignore[attr-defined]
"""Help is English: looking for translations costs 2 ms whenever a parser is built."""
HELP_COLUMNS, WIDEST_HELP = 80, 110
"""The width of help for no terminal, and the widest."""
EXIT_CODES = """\
exit codes:
  0  no finding at or above --fail-on
  1  findings at or above --fail-on (default high)
  2  wrong usage, a file that cannot be read, or a fault of the tool; the other files are still judged
  3  nothing to check
"""


class Help(argparse.RawDescriptionHelpFormatter):
    """Help formatter of a width that is set when help is asked for: asking the terminal costs 2 ms whenever a parser is built."""

    columns = HELP_COLUMNS

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=min(32, self.columns // 3), width=self.columns)


UNKNOWN_OPTION = "unrecognized arguments: "
REQUIRED = "the following arguments are required: "


class Parser(argparse.ArgumentParser):
    """Argument parser that reports a mistake in one line, with its remedy."""

    def format_help(self) -> str:
        """The help, as wide as the terminal."""
        from advisor.cli.help_text import wrapped
        from advisor.reports.screen import size

        Help.columns = min(size((HELP_COLUMNS, 0))[0], WIDEST_HELP)
        self.description = wrapped(self.description or "", Help.columns)
        self.epilog = wrapped(self.epilog or "", Help.columns)
        return super().format_help()

    def error(self, message: str) -> None:  # type: ignore[override]
        """Print the mistake, with what was probably meant, and exit with 2."""
        from advisor.secrets.masking import mask_prose

        text = " ".join(message.split())
        close = _closest(text, self.format_usage())
        text = f"{text.partition(' (choose from ')[0]}; did you mean {close}?" if close else text
        if text == f"{REQUIRED}FILE":
            text = f"name a file or a folder, such as: {self.prog} ."
        self.exit(2, f"{self.prog}: {mask_prose(text)} (see {self.prog} --help)\n")


def _closest(mistake: str, usage: str) -> str | None:
    """The command, option or value nearest to the wrong one of a message; options are those of the usage."""
    import re

    from advisor.catalog.spelling import closest

    _, choice, named = mistake.partition("invalid choice: ")
    if choice:
        wrong, _, listed = named.partition(" (choose from ")
        known = [word.strip(" ')") for word in listed.split(",")]
    elif mistake.startswith(UNKNOWN_OPTION):
        wrong = mistake.removeprefix(UNKNOWN_OPTION).split()[0].partition("=")[0]
        known = re.findall(r"--[a-z][a-z-]+", usage)
    else:
        return None
    wrong = wrong.strip("',")
    begins = [word for word in known if len(wrong) > 1 and word.startswith(wrong)]
    return begins[0] if len(begins) == 1 else closest(wrong, known)


class Formats(argparse.Action):
    """Collect --format NAME[=FILE], and refuse formats that are not in `names` and outputs that would overwrite each other."""

    def __init__(self, option_strings: list[str], dest: str, names: Sequence[str] = FORMATS, **options: Any) -> None:
        super().__init__(option_strings, dest, **options)
        self.names = names

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, value: Any, option: str | None = None) -> None:
        """Add one output format."""
        from advisor.errors import BadFormat
        from advisor.reports.formats import parse_all

        formats = [*getattr(namespace, "_formats", ()), value]
        try:
            parse_all(formats, self.names)
        except BadFormat as bad:
            raise argparse.ArgumentError(self, str(bad)) from None
        namespace._formats = namespace.format = formats


class Version(argparse.Action):
    """Print the version, imported only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version and exit."""
        from advisor import __version__

        parser.exit(0, f"kafka-advisor {__version__}\n")


def add_format(group: argparse._ActionsContainer, names: Sequence[str], note: str = "") -> None:
    """The option --format NAME[=FILE] of a command that is not `lint` or `check`."""
    group.add_argument(
        "--format",
        action=Formats,
        names=names,
        default=("text",),
        metavar="NAME[=FILE]",
        help=f"{', '.join(names)} (default: text); more than once, each to a FILE of its own{note}",
    )


def add_show_values(group: argparse._ActionsContainer) -> None:
    """The option that shows what could be a secret."""
    group.add_argument(
        "--show-values",
        action="store_true",
        help="show the values of Kafka's keys whatever they hold; passwords and keys unknown to Kafka stay masked",
    )


def add_waivers(group: argparse._ArgumentGroup) -> None:
    """Options that name waivers, and the labels that they and profiles go by."""
    group.add_argument(
        "--waivers", metavar="FILE", help="findings whose risk is accepted: a list of rule, subject, reason, until"
    )
    group.add_argument(
        "--label",
        action="append",
        type=label,
        metavar="NAME=VALUE",
        help="a label of what is judged, such as environment=prod, for waivers and profiles by label",
    )


def label(text: str) -> tuple[str, str]:
    """NAME=VALUE."""
    name, is_named, value = text.partition("=")
    if not (name and is_named and value):
        raise argparse.ArgumentTypeError("write NAME=VALUE, as in environment=prod")
    return name, value


def add_exit_codes(group: argparse._ArgumentGroup) -> None:
    """Options that decide the exit code."""
    group.add_argument(
        "--fail-on",
        choices=WORST_FIRST,
        metavar="SEVERITY",
        help="exit with 1 from this severity on (default: high)",
    )
    group.add_argument("--fail-on-unknown", action="store_true", help="exit with 1 when something could not be judged")
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever was found")


def add_policy(parser: argparse.ArgumentParser) -> None:
    """Options that select rules and set severities."""
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
    group.add_argument(
        "--config-from",
        metavar="REF",
        help="take configuration, baseline and waivers from a commit, such as origin/main: a pull request cannot change its gate",
    )
    group.add_argument("--no-suppressions", action="store_true", help="heed no comments that suppress findings")


def add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what comes out")
    group.add_argument(
        "--format",
        action=Formats,
        metavar="NAME[=FILE]",
        help=f"{', '.join(FORMATS)} (default: text); more than once, each to a FILE of its own",
    )
    add_exit_codes(group)
    length = group.add_mutually_exclusive_group()
    length.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="everything: why, proof and its story, whole fixes, what it rests on",
    )
    length.add_argument("-q", "--quiet", action="store_true", help="the findings alone: no head, no sum, no unknowns")
    group.add_argument(
        "--min-severity",
        choices=WORST_FIRST,
        metavar="SEVERITY",
        help="show findings from this severity on in text and concise (all are counted, and decide the exit code)",
    )
    group.add_argument(
        "--group-by", choices=("file", "rule"), help="in text: the findings of each file (default), or of each rule"
    )
    group.add_argument("--all", action="store_true", help="list every topic and broker of a finding, not examples")
    add_show_values(group)
    group.add_argument(
        "--allow-nothing", action="store_true", help="exit with 0, not 3, when there is nothing to check (for hooks)"
    )


def lint_defaults(parser: argparse.ArgumentParser) -> None:
    """The defaults of `lint`; lists can be added to."""
    defaults = {name: value for name, value in vars(LintOptions).items() if not name.startswith("_")}
    parser.set_defaults(**{name: [] if value == () else value for name, value in defaults.items()})


def seconds(text: str) -> float:
    """A number of seconds, up to a day."""
    count = float(text)
    if not 0 < count <= 86_400:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 86400")
    return count


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """The options that name a running cluster, and how to reach it."""
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
        help="a consumer group that there should be: one whose coordinator is down is not listed by any broker",
    )
    group.add_argument(
        "--before",
        metavar="SNAPSHOT",
        help="an earlier snapshot: its groups are what there should be, and check says what has changed dangerously since",
    )
    group.add_argument("--lag", action="store_true", help="read end offsets, too, and so the lag of groups")
