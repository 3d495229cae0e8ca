"""`kafka-advisor starts`: whether Kafka accepts a file, release by release; with --queries in bulk."""

from __future__ import annotations

from advisor import catalog
from advisor.analysis.startup.judge import StartupJudge
from advisor.catalog.target import target_of
from advisor.cli.inputs import read_entities
from advisor.errors import ExitCode, UserError
from advisor.model import SERVER_KINDS, Target
from advisor.reports import startup
from advisor.reports.plain_text import write_text
from collectors.files import content
from rules import all_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from advisor.analysis.startup.verdict import StartupVerdict
    from advisor.model import Entity, Version

STARTED = "a snapshot of a running cluster: it has started"
FIRST = (2, 8)
"""The oldest release that is asked where nobody names one; KRaft begins with catalog.FIRST_KRAFT."""


def run(options: Namespace) -> int:
    """Judge files, or every line of a file of queries."""
    if options.queries is not None:
        return in_bulk(options.queries)
    if not options.files:
        raise UserError("starts: name a FILE, or questions with --queries")
    entities, failed = read_entities(options.files, options.kind, None, STARTED, "nothing to check")
    judge = StartupJudge(all_rules())
    judged = [(entity, judge_releases(entity, versions(options.on, entity), judge)) for entity in entities]
    show(judged, options.format)
    if failed:
        return ExitCode.ERROR
    refused = any(verdict.refused for _, verdicts in judged for verdict in verdicts)
    return ExitCode.FINDINGS if refused else ExitCode.CLEAN if entities else ExitCode.NOTHING


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


def judge_releases(entity: Entity, releases: Iterable[Version], judge: StartupJudge) -> list[StartupVerdict]:
    """The verdicts of several releases on one entity."""
    verdicts = []
    for version in releases:
        entity.target = Target(version, "asked for", given=True)
        verdicts.append(judge.judge(entity))
    return verdicts


def show(judged: Sequence[tuple[Entity, Sequence[StartupVerdict]]], format: str) -> None:
    """Print the verdicts on some entities."""
    if format == "json" and judged:
        from advisor.reports.machine.json_text import dump_documents

        print(dump_documents([startup.document(entity, verdicts) for entity, verdicts in judged]))
    elif format == "text":
        for entity, verdicts in judged:
            write_text(startup.lines(entity, verdicts))


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
