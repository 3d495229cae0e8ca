"""Exceptions that the program raises on purpose, exit codes, and messages to the user.

    UserError                  what was asked for cannot be done: one line, exit code 2
    ├── UnreadableInput        a file, a saved snapshot or standard input cannot be read
    ├── NothingToJudge         the inputs hold nothing that a rule judges: exit code 3
    ├── UnreachableCluster     no broker and no ZooKeeper server answers: exit code 4
    ├── UnwritableOutput       a report cannot be written
    ├── BadPolicy              a profile, a rule or a severity that does not exist
    ├── BadFormat              an output format that does not exist, or two that are in each other's way
    ├── BadSettings            client settings that no client can be made of
    ├── BadScenario            a configuration or failures that cannot be simulated
    ├── BadAssumption          a rate that no odds can be computed from
    ├── BadQuery               a line of --queries that asks nothing
    ├── BadInventory           an inventory of clusters with mistakes: a line each
    └── BadWaiver              a waiver that does not hold

Outcomes of a rule (Unknown, NotApplicable) are in advisor.rule.subject, a rule's crash in advisor.engine.verdicts.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

PROGRAM = "kafka-advisor"


class ExitCode:
    """The exit codes, on which scripts rely."""

    CLEAN = 0
    FINDINGS = 1
    ERROR = 2
    NOTHING = 3
    UNREACHABLE = 4
    INTERRUPTED = 130
    TERMINATED = 143


class Terminated(BaseException):
    """The process received SIGTERM while it was writing."""


class UserError(Exception):
    """An error of the user's; the text is one line, without the program's name."""

    exit_code = ExitCode.ERROR


class UnreadableInput(UserError):
    """A file, a saved snapshot or standard input cannot be read; the text names it and the reason."""


class NoSyntax(UnreadableInput):
    """A file is in no syntax that is read, and its name says none."""


class TooManyValues(UnreadableInput):
    """A document has more values than are read."""


class NothingToJudge(UserError):
    """The inputs hold nothing that a rule judges."""

    exit_code = ExitCode.NOTHING


class NotOfANode(NothingToJudge):
    """A file has keys of nodes, and a program reads it that is none: nothing in it is left to follow."""


class JudgedElsewhere(NothingToJudge):
    """What a file sets is judged where another file takes it; `format` is what such files are counted as."""

    def __init__(self, text: str, format: str) -> None:
        super().__init__(text)
        self.format = format


class NotRead(NothingToJudge):
    """A file is written in a syntax that is not read."""


class NotFollowed(NotRead):
    """A file sets Kafka's configuration in a way that cannot be followed, such as a script."""


class UnreachableCluster(UserError):
    """No broker and no ZooKeeper server of a cluster answers; the text says who was asked and why it failed."""

    exit_code = ExitCode.UNREACHABLE


class UnwritableOutput(UserError):
    """A report cannot be written."""


class BadPolicy(UserError):
    """A profile, a rule or a severity that does not exist."""


class BadFormat(UserError):
    """An unknown output format, or two outputs with the same target."""


class BadSettings(UserError):
    """Invalid client settings."""


class BadScenario(UserError):
    """A configuration or a list of failures that cannot be simulated."""


class BadAssumption(UserError):
    """An invalid rate for the odds."""


class BadQuery(UserError):
    """An invalid line of --queries; `id` is that of the query, where it has one."""

    def __init__(self, text: str, id: object = None) -> None:
        super().__init__(text)
        self.id = id


class BadInventory(UserError):
    """An inventory of clusters with mistakes, one line each in `errors`."""

    def __init__(self, errors: Iterable[str]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(self.errors))


class BadWaiver(UserError):
    """A waiver that does not hold."""


def os_reason(error: OSError) -> str:
    """The operating system's reason, in lower case for use after a file's name."""
    return (error.strerror or str(error)).lower()


def describe(error: BaseException) -> str:
    """The exception's type and text, even where its own code cannot make a text."""
    from traceback import format_exception_only

    text = "".join(format_exception_only(type(error), error))
    return text.removeprefix(f"{type(error).__module__}.").rstrip("\n")


def printable(text: str) -> str:
    """Escape what could steer a terminal or the log of a CI: control characters, direction marks, its commands.

    GitHub takes a line that begins with :: for a command, and GitHub, Azure and TeamCity one with ##name[ in it.
    """
    if not text.isprintable():
        text = "".join(
            char if char.isprintable() or char == " " else char.encode("unicode_escape").decode() for char in text
        )
    if "##" in text:
        text = text.replace("##", "# #")
    return text.replace("::", ": :", 1) if text.lstrip().startswith("::") else text


def say(message: object, stream: TextIO | None = None) -> None:
    """Print one line with the program's name in front: on standard error, or on another stream."""
    print(f"{PROGRAM}: {printable(str(message))}", file=stream or sys.stderr, flush=True)
