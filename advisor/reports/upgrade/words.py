"""What all outputs of `upgrade` say: the first line, titles, rows and stages in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from advisor.analysis.findings import line_of, rule_of
from advisor.analysis.upgrade.plan import (
    AFTER,
    FINAL,
    MUST,
    SHOULD,
    SILENT,
    UNKNOWN,
    Path,
    RowSubject,
    Stage,
    Starts,
    UpgradePlan,
    UpgradeRow,
    span_text,
    text_of,
)
from advisor.model import CLIENT_KINDS

TITLES = {
    MUST: "Must be done before",
    SHOULD: "Should be done before",
    AFTER: "To do afterwards",
    SILENT: "Changes silently, the files as they are",
    FINAL: "Cannot be undone",
    UNKNOWN: "Could not be judged",
}
NAMED = 3
"""Subjects that are named; of more the number is given."""
METADATA = {"kraft": "KRaft", "zookeeper": "ZooKeeper"}


class Line(NamedTuple):
    """A row in words: where, what, and by which rule or source."""

    where: str
    what: str
    source: str


KIND_WORDS = {
    "combined": "combined node",
    "connect": "Connect worker",
    "streams": "Streams application",
    "mirror": "mirror",
}
"""What several subjects of a kind are called."""


def headline(plan: UpgradePlan) -> str:
    """The first line: the target, and how much of everything there is."""
    count = {part: len(rows) for part, rows in plan.rows.items()}
    return (
        f"Upgrade to Kafka {text_of(plan.to)}: {count[MUST]} must be done before, {count[SHOULD]} should be, "
        f"{count[AFTER]} to do afterwards, {count[SILENT]} change silently; could not be judged: {count[UNKNOWN]}"
    )


def present_lines(plan: UpgradePlan) -> Iterator[str]:
    """What runs which release today, and who says so."""
    row_subjects: dict[tuple[str, str], list[RowSubject]] = {}
    nodes_and_clients = [
        (row_subject, present) for row_subject, present in plan.subjects if row_subject.kind != "zookeeper"
    ]
    for row_subject, present in nodes_and_clients:
        row_subjects.setdefault((span_text(present.releases), present.reason), []).append(row_subject)
    for (release, reason), same in row_subjects.items():
        yield f"{names(same)}: Kafka {release} today ({reason})"


def names(row_subjects: Sequence[RowSubject]) -> str:
    """A few subjects by name, many by kind and number."""
    titles = list(dict.fromkeys(row_subject.title for row_subject in row_subjects))
    if len(titles) <= NAMED:
        return named(titles)
    kinds = Counter(KIND_WORDS.get(row_subject.kind, row_subject.kind) for row_subject in row_subjects)
    return ", ".join(f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in kinds.items())


def line(row: UpgradeRow, lone_file: str = "") -> Line:
    """A row in words; of the file that is the only one its lines alone are named."""
    because = "unknown, because " if row.part == UNKNOWN else ""
    return Line(where(row.row_subjects, lone_file), because + sentence(row), rule_of(row.finding) or row.source or "")


def lone_file_of(plan: UpgradePlan) -> str:
    """The file in which everything stands that a plan names; empty where there are several, or none."""
    subjects = [subject for subject, _ in plan.subjects]
    subjects += [subject for rows in plan.rows.values() for row in rows for subject in row.row_subjects]
    files = {subject.file for subject in subjects if subject.file}
    return files.pop() if len(files) == 1 else ""


def sentence(row: UpgradeRow) -> str:
    """What a row says, with the present releases that it holds for."""
    text = line_of(row.finding)
    if row.part == SILENT:
        old, new = map(value, row.change)
        text = f"{row.finding.key}: {old} -> {new}; {row.finding.message}"
    releases = span_text(row.releases)
    if row.part == UNKNOWN:
        text = f"it may run {releases}: {text}" if releases else text
    elif releases:
        text += f" (if it runs {releases})"
    return text + (" (refused today as well)" if row.refused_today else "")


def value(text: str | None) -> str:
    """An effective value; none and empty are the same to Kafka."""
    return text or "(none)"


def where(row_subjects: Sequence[RowSubject], lone_file: str) -> str:
    """The first subjects of a row, and how many more there are; the name of a file is written once, that of the only one never."""
    return named(list(dict.fromkeys(filter(None, (location(subject, lone_file) for subject in row_subjects)))))


def location(row_subject: RowSubject, lone_file: str) -> str:
    """Where a row stands, or whom it is about."""
    if row_subject.line:
        return f"line {row_subject.line}" if row_subject.file == lone_file else f"{row_subject.file}:{row_subject.line}"
    title = row_subject.title.removesuffix(f" of {lone_file}").removeprefix(f"{lone_file}: ")
    return "" if title == lone_file else title


def named(titles: Sequence[str]) -> str:
    """The first titles, without the file where it is that of the one before, and how many more there are."""
    words, before = [], None
    for title in titles[:NAMED]:
        file, colon, name = title.rpartition(":")
        words.append(name.strip() if colon and file == before else title)
        before = file
    return ", ".join(words) + (f" and {len(titles) - NAMED} more" if len(titles) > NAMED else "")


class StageLine(NamedTuple):
    """A stage in words."""

    release: str
    metadata: str
    verdict: str
    action: str
    reasons: Sequence[str]


def stage_line(stage: Stage) -> StageLine:
    """A stage in words."""
    reasons = stage.starts.reasons if stage.starts else ()
    metadata = METADATA.get(stage.metadata or "", "")
    return StageLine(span_text(stage.releases), metadata, verdict(stage.starts), stage.action, reasons)


def verdict(starts: Starts | None) -> str:
    """What `starts` says of a stage: one word where it says the same of all."""
    if starts is None:
        return "other files"
    counts = {"starts": starts.started, "refused": starts.refused, "unknown": starts.unknown}
    present = {word: count for word, count in counts.items() if count}
    if len(present) == 1:
        return next(iter(present))
    return ", ".join(f"{count} {word}" for word, count in present.items())


def path_title(path: Path) -> str:
    """Whose path it is."""
    kinds = {subject.kind for subject in path.subjects}
    return f"Path of {names(path.subjects)}{' (clients)' if kinds <= set(CLIENT_KINDS) and len(path.subjects) > NAMED else ''}"
