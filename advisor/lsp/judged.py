"""What the server asks of the command line: files as the buffers have them, judged together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from advisor.analysis.fixes.fixing import Files
from advisor.analysis.fixes.verdict import Side
from advisor.model import Snapshot
from advisor.model.finding import Finding

NAMES = {
    "profile": "profile",
    "kafkaVersion": "kafka_version",
    "select": "select",
    "ignore": "ignore",
    "unsafeFixes": "unsafe_fixes",
    "since": "since",
}
"""The settings of clients, each with its field; those with a dash are taken, too."""


SECTIONS = ("kafka-advisor", "kafkaAdvisor", "kafka_advisor")


class BadClientSettings(Exception):
    """A setting of the client's does not exist, or has a value that it does not take."""


class ClientSettings(NamedTuple):
    """What a client sets for all files, over kafka-advisor.yaml."""

    profile: str | None = None
    kafka_version: str | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    unsafe_fixes: bool = True
    since: str | None = None


def client_settings(values: object) -> ClientSettings:
    """The settings that a client sent, those of a section of our name included. Raises BadClientSettings."""
    rows: Mapping[Any, Any] = values if isinstance(values, Mapping) else {}
    rows = next((rows[name] for name in SECTIONS if isinstance(rows.get(name), Mapping)), rows)
    fields = {}
    for name, value in rows.items():
        field = NAMES.get(camel_case(str(name)))
        if field is None:
            raise BadClientSettings(f"{str(name)[:40]}: no such setting of the client; there are {', '.join(NAMES)}")
        if value is not None:
            fields[field] = _checked(str(name), field, value)
    return ClientSettings(**fields)


def camel_case(name: str) -> str:
    """kafka-version as kafkaVersion."""
    first, *others = name.replace("_", "-").split("-")
    return first + "".join(word.capitalize() for word in others)


def _checked(name: str, field: str, value: object) -> Any:
    if field in ("select", "ignore"):
        names = [value] if isinstance(value, str) else value
        if isinstance(names, list) and all(isinstance(each, str) for each in names):
            return tuple(names)
        raise BadClientSettings(f"{name}: must be a list of rules or families")
    kind = bool if field == "unsafe_fixes" else str
    if not isinstance(value, kind):
        raise BadClientSettings(f"{name}: must be {'true or false' if kind is bool else 'text'}")
    return value


class Judged(NamedTuple):
    """Files that were judged together: what they describe and what is found, and why a file is not judged.

    `files` judges them anew with edits; `changes` are findings about what changed since a commit, `complaints` faults of
    the tool or of a rule.
    """

    side: Side
    files: Files
    not_read: Mapping[str, str]
    changes: Sequence[Finding] = ()
    complaints: Sequence[str] = ()

    @property
    def findings(self) -> Sequence[Finding]:
        """All findings, those about changes last."""
        return (*self.side.report.findings, *self.changes)

    def beside(self, path: str) -> set[str]:
        """The other files of the clusters that a file is part of."""
        files: set[str] = set()
        for snapshot in self.side.snapshots:
            of_cluster = {entity.file for entity in snapshot.entities if entity.file}
            files |= of_cluster if path in of_cluster else set()
        return files - {path}


class Judge(Protocol):
    """Reads and judges files of a folder; `texts` are what buffers hold, by their real paths."""

    def first(self, path: str, texts: Mapping[str, bytes], client: ClientSettings) -> tuple[list[str], Judged]:
        """The files that are judged together with one, itself included, and what is found in them. Raises UserError."""

    def read(self, paths: Sequence[str], texts: Mapping[str, bytes], client: ClientSettings) -> Sequence[Snapshot]:
        """What files describe, without judging them. Raises UserError."""

    def judge(self, paths: Sequence[str], texts: Mapping[str, bytes], client: ClientSettings) -> Judged:
        """Judge files together; the first one is the one that is asked about. Raises UserError."""
