"""`kafka-advisor starts`: whether Kafka accepts a file, release by release; with --queries in bulk."""

from __future__ import annotations

import sys

from advisor import catalog
from advisor.analysis.startup import Starter
from advisor.catalog.target import release_of, target_of
from advisor.cli.inputs import read_entity
from advisor.errors import ExitCode, NothingToJudge, UserError, say
from advisor.model import SERVER_KINDS, Target
from advisor.reports import startup
from collectors.files import content
from rules import all_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from advisor.analysis.startup import Start
    from advisor.model import Entity, Version

FIRST = (2, 8)
"""The oldest release that is asked where nobody names one; KRaft begins with FIRST_KRAFT."""
FIRST_KRAFT = (3, 3)


def run(options: Namespace) -> int:
    """Answer for one file, or for every line of a file of questions."""
    if options.queries is not None:
        return in_bulk(options.queries)
    if options.file is None:
        raise UserError("starts: name a FILE, or questions with --queries")
    try:
        entity = read_entity(options.file, options.kind, None, "a snapshot of a running cluster: it has started")
    except NothingToJudge as nothing:
        say(f"nothing to check: {nothing}")
        return ExitCode.NOTHING
    found = starts(entity, versions(options.on, entity), Starter(all_rules()))
    show(entity, found, options.format)
    return ExitCode.FINDINGS if any(start.refused for start in found) else ExitCode.CLEAN


def versions(said: str | None, entity: Entity) -> list[Version]:
    """The releases to ask: those that were named, else all from 2.8 on, for KRaft from 3.3 on."""
    if said is None:
        kraft = entity.kind in SERVER_KINDS and "process.roles" in entity.settings
        return [version for version in catalog.VERSIONS if version >= (FIRST_KRAFT if kraft else FIRST)]
    named = [release(text.strip()) for text in said.split(",") if text.strip()]
    if not named:
        raise UserError("--on: name at least one release, such as 3.9,4.0")
    return list(dict.fromkeys(named))


def release(text: str) -> Version:
    """The release that a word of --on names; where the catalogs lack it, a line says what stands in for it."""
    version = target_of(text, "--on").version
    _, note = release_of(text)
    if note:
        say(f"--on {text}: {note}")
    return version


def starts(entity: Entity, asked: Iterable[Version], starter: Starter) -> list[Start]:
    """The verdicts of several releases on one entity."""
    found = []
    for version in asked:
        entity.target = Target(version, "asked for", given=True)
        found.append(starter.start(entity))
    return found


def show(entity: Entity, found: Sequence[Start], format: str) -> None:
    """Print the verdicts."""
    if format == "json":
        print(startup.document(entity, found))
    else:
        sys.stdout.write("\n".join(startup.lines(entity, found)) + "\n")


def in_bulk(path: str) -> int:
    """Answer JSON Lines with JSON Lines, in their order; 2 where a line asks nothing that can be answered."""
    import json

    from advisor.analysis.startup_queries import answers

    try:
        text = content(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 ({error.reason})") from None
    wrong = 0
    for answer in answers(text.split("\n"), all_rules()):
        wrong += "error" in answer
        print(json.dumps(answer, ensure_ascii=False))
    return ExitCode.ERROR if wrong else ExitCode.CLEAN
