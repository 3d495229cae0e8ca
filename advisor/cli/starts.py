"""`kafka-advisor starts`: whether Kafka accepts a file, release by release; with --queries in bulk."""

from __future__ import annotations

import sys

from advisor import catalog
from advisor.analysis.startup import Starter
from advisor.catalog.target import release_of
from advisor.cli.lint import Refused, target
from advisor.model import SERVER_KINDS, Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from advisor.analysis.startup import Start
    from advisor.model import Entity, Version

STARTS, REFUSED, ERROR, NOTHING = 0, 1, 2, 3
FIRST = (2, 8)
"""The oldest release that is asked where nobody names one; KRaft begins with FIRST_KRAFT."""
FIRST_KRAFT = (3, 3)


def run(options: Namespace) -> int:
    """Answer for one file, or for every line of a file of questions."""
    if options.queries is not None:
        return in_bulk(options.queries)
    if options.file is None:
        raise Refused("kafka-advisor: starts: name a FILE, or questions with --queries")
    from collectors.files.config_file import File, Nothing, Saved, Unreadable, read
    from rules import all_rules

    try:
        entity, _ = read(File(options.file, options.kind, None))
    except Saved:
        raise Refused(f"kafka-advisor: {options.file}: a snapshot of a running cluster: it has started") from None
    except Unreadable as error:
        raise Refused(f"kafka-advisor: {error}") from None
    except Nothing as nothing:
        print(f"kafka-advisor: nothing to check: {nothing}", file=sys.stderr)
        return NOTHING
    found = starts(entity, versions(options.on, entity), Starter(all_rules()))
    show(entity, found, options.format)
    return REFUSED if any(start.refused for start in found) else STARTS


def versions(said: str | None, entity: Entity) -> list[Version]:
    """The releases to ask: those that were named, else all from 2.8 on, for KRaft from 3.3 on."""
    if said is None:
        kraft = entity.kind in SERVER_KINDS and "process.roles" in entity.settings
        return [version for version in catalog.VERSIONS if version >= (FIRST_KRAFT if kraft else FIRST)]
    named = [release(text.strip()) for text in said.split(",") if text.strip()]
    if not named:
        raise Refused("kafka-advisor: --on: name at least one release, such as 3.9,4.0")
    return list(dict.fromkeys(named))


def release(text: str) -> Version:
    """The release that a word of --on names; where the catalogs lack it, a line says what stands in for it."""
    found = target(text, "--on").version
    _, note = release_of(text)
    if note:
        print(f"kafka-advisor: --on {text}: {note}", file=sys.stderr)
    return found


def starts(entity: Entity, asked: Iterable[Version], starter: Starter) -> list[Start]:
    """The verdicts of several releases on one entity."""
    found = []
    for version in asked:
        entity.target = Target(version, "asked for", given=True)
        found.append(starter.start(entity))
    return found


def show(entity: Entity, found: Sequence[Start], format: str) -> None:
    """Print the verdicts."""
    from advisor.reports import startup

    if format == "json":
        print(startup.document(entity, found))
    else:
        sys.stdout.write("\n".join(startup.lines(entity, found)) + "\n")


def in_bulk(path: str) -> int:
    """Answer JSON Lines with JSON Lines, in their order; 2 where a line asks nothing that can be answered."""
    import json

    from advisor.analysis.startup_queries import answers
    from collectors.files.config_file import Unreadable, content
    from rules import all_rules

    try:
        text = content(path).decode("utf-8")
    except Unreadable as error:
        raise Refused(f"kafka-advisor: {error}") from None
    except UnicodeDecodeError as error:
        raise Refused(f"kafka-advisor: {path}: is not UTF-8 ({error.reason})") from None
    wrong = 0
    for answer in answers(text.split("\n"), all_rules()):
        wrong += "error" in answer
        print(json.dumps(answer, ensure_ascii=False))
    return ERROR if wrong else STARTS
