"""Output of `starts`: its documents and its JSON data."""

from __future__ import annotations

from copy import copy

from advisor.analysis.findings import line_of, rule_of
from advisor.analysis.startup.moved_verdicts import at_lines_of
from advisor.engine.report import finding_order
from advisor.model import Snapshot
from advisor.reports.context import RunResult, applicable, result_of
from advisor.reports.document.blocks import Document, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.analysis.startup.equal_entities import Judged
    from advisor.analysis.startup.verdict import Row, StartupVerdict
    from advisor.model import Entity
    from advisor.model.finding import Finding, NotJudged
    from advisor.rule import Rule

    Rows = list[tuple[str, tuple[str, ...]]]

STARTS_FORMAT = "kafka-advisor-starts/1"
RELEASES_WIDTH = 12


def documents(judged: Iterable[Judged]) -> Iterator[Document]:
    """A document for each entity; equal ones have the same rows."""
    rows: dict[int, Rows] = {}
    for entity, verdicts, _ in judged:
        if id(verdicts) not in rows:
            rows[id(verdicts)] = [(releases(same), tuple(verdict_lines(same[0]))) for same in spans(verdicts)]
        yield document(entity, rows[id(verdicts)])


def document(entity: Entity, rows: Rows) -> Document:
    """A table with a row for each span of releases with the same verdict."""
    table = Table(("release", "what Kafka does"), rows, has_head=False, widths=(RELEASES_WIDTH,), shown=len(rows))
    return Document(f"{entity.title} ({entity.kind})", blocks=[table])


def spans(verdicts: Sequence[StartupVerdict]) -> list[list[StartupVerdict]]:
    """Group neighbouring releases with the same verdict."""
    grouped: list[list[StartupVerdict]] = []
    for verdict in verdicts:
        if grouped and list(verdict_lines(grouped[-1][0])) == list(verdict_lines(verdict)):
            grouped[-1].append(verdict)
        else:
            grouped.append([verdict])
    return grouped


def releases(same: Sequence[StartupVerdict]) -> str:
    """3.9, or 3.9 to 4.1."""
    ends = dict.fromkeys(f"{verdict.version[0]}.{verdict.version[1]}" for verdict in (same[0], same[-1]))
    return " to ".join(ends)


def verdict_lines(verdict: StartupVerdict) -> Iterator[str]:
    """The lines for one release: the verdict, then the values that Kafka replaces."""
    yield from head(verdict)
    if not verdict.refused:
        yield from (f"but {line_of(finding)}" for finding in verdict.changed)
        if verdict.ignored:
            yield f"ignores {', '.join(verdict.ignored)}"


def head(verdict: StartupVerdict) -> Iterator[str]:
    """The verdict with its reasons."""
    if verdict.refused is False:
        yield "starts"
        return
    word = "refused: " if verdict.refused else "unknown: "
    for number, row in enumerate(verdict.grounds):
        yield (word if number == 0 else " " * len(word)) + line_of(row)


def data(judged: Iterable[Judged]) -> Iterator[dict[str, object]]:
    """The verdicts on each entity as plain data; equal ones have the same rows."""
    rows: dict[int, list[dict[str, object]]] = {}
    for entity, verdicts, _ in judged:
        if id(verdicts) not in rows:
            rows[id(verdicts)] = list(map(verdict_data, verdicts))
        named = {"format": STARTS_FORMAT, "file": entity.file, "kind": entity.kind, "name": entity.name}
        yield {**named, "starts": rows[id(verdicts)]}


def verdict_data(verdict: StartupVerdict) -> dict[str, object]:
    """The verdict of one release as plain data."""
    return {
        "version": f"{verdict.version[0]}.{verdict.version[1]}",
        "refused": verdict.refused,
        "reasons": list(map(row_data, verdict.reasons)),
        "unknown": list(map(row_data, verdict.unknown)),
        "changed": [] if verdict.refused else list(map(changed_data, verdict.changed)),
        "ignored": verdict.ignored,
    }


def row_data(row: Finding | NotJudged) -> dict[str, str | None]:
    """A reason or an unknown as JSON data; `rule` is null where it comes from no rule."""
    return {"key": row.key or "", "message": row.message, "rule": rule_of(row)}


def changed_data(finding: Finding) -> dict[str, str | None]:
    """A changed value as JSON data: null is a key that is not written, or a value that is not used."""
    return {**row_data(finding), "written": finding.value, "used": finding.used}


def run_of(judged: Iterable[Judged], rules: Sequence[Rule]) -> RunResult:
    """What the releases refuse, replace and leave unknown, as formats for programs take it."""
    snapshots, findings, unknown = [], [], []
    for entity, verdicts, equal in judged:
        verdicts = at_lines_of(entity, verdicts, equal)
        snapshots.append(Snapshot(entity.file or entity.name, [entity]))
        findings += joined([(verdict, verdict.reasons or verdict.changed) for verdict in verdicts])
        unknown += joined([(verdict, verdict.unknown) for verdict in verdicts])
    return result_of("starts", snapshots, sorted(findings, key=finding_order), unknown, applicable(rules, snapshots))


def joined(rows_by_verdict: Sequence[tuple[StartupVerdict, Iterable[Row]]]) -> list[Row]:
    """Each row once, with the releases that it holds for where these are not all that were asked."""
    holding: dict[tuple[str | None, ...], tuple[Row, list[StartupVerdict]]] = {}
    for verdict, rows in rows_by_verdict:
        for row in rows:
            holding.setdefault((row.rule, row.key, row.message), (row, []))[1].append(verdict)
    asked = [verdict for verdict, _ in rows_by_verdict]
    return [row if verdicts == asked else on(verdicts, asked, row) for row, verdicts in holding.values()]


def on(some: Sequence[StartupVerdict], asked: Sequence[StartupVerdict], row: Row) -> Row:
    """A row that names the releases that it holds for."""
    first, last = asked.index(some[0]), asked.index(some[-1])
    in_a_row = last - first + 1 == len(some)
    other = copy(row)
    other.message += f" ({releases(some) if in_a_row else ', '.join(releases([each]) for each in some)})"
    return other
