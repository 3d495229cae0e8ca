"""`kafka-advisor starts`: whether Kafka accepts a file, release by release; with --queries in bulk."""

from __future__ import annotations

from advisor import catalog
from advisor.analysis.startup.equal_entities import judge_entities
from advisor.analysis.startup.judge import StartupJudge, all_checks
from advisor.cache import cached
from advisor.catalog.target import target_of
from advisor.cli.argument_types import add_format
from advisor.cli.inputs import read_entities
from advisor.engine import verdict_tree
from advisor.errors import ExitCode, UserError
from advisor.model import KINDS, SERVER_KINDS, Target
from advisor.reports import startup
from advisor.reports.formats import OF_FINDINGS, of_findings
from advisor.reports.show import in_json, show
from collectors.files.reader import content
from rules import all_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from argparse import Namespace

    from advisor.model import Entity, Version

STARTED = "a snapshot of a running cluster: it has started"
FIRST = (2, 8)
"""The oldest release that is asked if none is named; KRaft begins with catalog.FIRST_KRAFT."""


EPILOG = """\
examples:
  kafka-advisor starts server.properties
  kafka-advisor starts server.properties --on 3.9,4.0,4.4
  kafka-advisor starts --queries questions.jsonl
A question is {"id", "component", "version", "settings"}; component is broker, producer, consumer, admin, topic, connect or
streams, and `broker:` before a key makes it a setting of the broker that a topic is created on. The answer is
{"id", "refused": true|false|null, "reasons": [{"key", "message"}], "changed": [keys],
"changes": [{"key", "written", "used", "message"}]}; null is unknown, `reasons` says why. A change's `written` is null where
the key is left out, its `used` where Kafka goes on without the value.

exit codes:
  0  no release that was asked refuses (with --queries: every line was answered)
  1  some release refuses
  2  wrong usage, a file that cannot be read, or a line of questions that asks nothing
  3  nothing to check
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `starts`."""
    parser.epilog = EPILOG
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="configuration files; - is standard input; of several, JSON is a list"
    )
    parser.add_argument(
        "--on", metavar="V,V", help="the releases to ask (default: all from 2.8 on, for KRaft nodes from 3.3 on)"
    )
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"{', '.join(KINDS)} (default: by content)")
    parser.add_argument("--queries", metavar="FILE", help="answer JSON Lines in bulk; - is standard input")
    add_format(parser, ("text", "json", "markdown", "html", *OF_FINDINGS))


def run(options: Namespace) -> int:
    """Judge files, or every line of a file of queries."""
    if options.queries is not None:
        return in_bulk(options.queries)
    if not options.files:
        raise UserError("starts: name a FILE, or questions with --queries")
    entities, failed = read_entities(options.files, options.kind, None, STARTED, "nothing to check")
    judge = StartupJudge(all_rules())
    tree = verdict_tree(len(entities))
    judged = judge_entities(judge, entities, lambda entity: targets(options.on, entity), tree)
    if judged:
        show(
            options.format,
            lambda: list(startup.documents(judged)),
            json=lambda: in_json(startup.data(judged)),
            **of_findings(lambda: startup.run_of(judged, [*judge.rules, *all_checks()])),
        )
    if failed:
        return ExitCode.ERROR
    refused = any(verdict.refused for _, verdicts, _ in judged for verdict in verdicts)
    return ExitCode.FINDINGS if refused else ExitCode.CLEAN if entities else ExitCode.NOTHING


def targets(releases: str | None, entity: Entity) -> list[Target]:
    """The releases to judge, as a person asks for them."""
    return list(map(asked_for, versions(releases, entity)))


@cached(100)
def asked_for(version: Version) -> Target:
    """A release that a person asks for, which is the same for all entities."""
    return Target(version, "asked for", given=True)


def versions(releases: str | None, entity: Entity) -> list[Version]:
    """The releases to judge: those named by --on, else all from 2.8 on, for KRaft from 3.3 on."""
    if releases is None:
        kraft = entity.kind in SERVER_KINDS and "process.roles" in entity.settings
        return [version for version in catalog.VERSIONS if version >= (catalog.FIRST_KRAFT if kraft else FIRST)]
    wanted = [release(text.strip()) for text in releases.split(",") if text.strip()]
    if not wanted:
        raise UserError("--on: name at least one release, such as 3.9,4.0")
    return list(dict.fromkeys(wanted))


def release(text: str) -> Version:
    """Parse a release of --on. Raises UserError."""
    return target_of(text, "--on").version


def in_bulk(path: str) -> int:
    """Answer JSON Lines with JSON Lines, in order; 2 where a line is no valid query."""
    from advisor.analysis.startup.queries import answers
    from advisor.reports.machine.json_text import dump

    try:
        text = content(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 ({error.reason})") from None
    wrong = 0
    for answer in answers(text.split("\n"), all_rules()):
        wrong += "error" in answer
        print(dump(answer))
    return ExitCode.ERROR if wrong else ExitCode.CLEAN
