"""Output of `starts`: as text and as JSON."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.analysis.startup.verdict import Remark, StartupVerdict
    from advisor.model import Entity

FORMAT = "kafka-advisor-starts/1"
INDENT = " " * 16


def report(judged: Sequence[tuple[Entity, Sequence[StartupVerdict]]], format: str) -> Iterator[str]:
    """The verdicts on some entities in a format."""
    if format == "json":
        from advisor.reports.machine.json_text import dump_documents

        yield dump_documents([document(entity, verdicts) for entity, verdicts in judged])
        return
    for entity, verdicts in judged:
        yield from lines(entity, verdicts)


def lines(entity: Entity, verdicts: Sequence[StartupVerdict]) -> Iterator[str]:
    """A table with a row for each span of releases with the same verdict."""
    yield f"{entity.title} ({entity.kind})"
    for same in spans(verdicts):
        first = same[0]
        reasons = list(verdict_lines(first))
        yield f"  {releases(same):<12}  {reasons[0]}"
        yield from (INDENT + reason for reason in reasons[1:])


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
        yield from (f"but {line_of(remark)}" for remark in verdict.changed)
        if verdict.ignored:
            yield f"ignores {', '.join(verdict.ignored)}"


def head(verdict: StartupVerdict) -> Iterator[str]:
    """The verdict with its reasons."""
    if verdict.refused is False:
        yield "starts"
        return
    word, reasons = ("refused: ", verdict.reasons) if verdict.refused else ("unknown: ", verdict.unknown)
    for number, remark in enumerate(reasons):
        yield (word if number == 0 else " " * len(word)) + line_of(remark)


def line_of(remark: Remark) -> str:
    """A remark in one line."""
    named = not remark.key or remark.message.startswith(remark.key)
    return remark.message if named else f"{remark.key}: {remark.message}"


def document(entity: Entity, verdicts: Sequence[StartupVerdict]) -> dict[str, object]:
    """The verdicts on one entity as plain data."""
    rows = [
        {
            "version": f"{verdict.version[0]}.{verdict.version[1]}",
            "refused": verdict.refused,
            "reasons": [row(remark) for remark in verdict.reasons],
            "unknown": [row(remark) for remark in verdict.unknown],
            "changed": [] if verdict.refused else [changed_row(remark) for remark in verdict.changed],
            "ignored": verdict.ignored,
        }
        for verdict in verdicts
    ]
    return {"format": FORMAT, "file": entity.file, "kind": entity.kind, "name": entity.name, "starts": rows}


def row(remark: Remark) -> dict[str, str | None]:
    """A remark as JSON data; `rule` is null where it comes from no rule."""
    return {"key": remark.key, "message": remark.message, "rule": remark.rule}


def changed_row(remark: Remark) -> dict[str, str | None]:
    """A changed value as JSON data: null is a key that is not written, or a value that is not used."""
    return {**row(remark), "written": remark.written, "used": remark.used}
