"""Output of `starts`: its documents and its JSON data."""

from __future__ import annotations

from advisor.reports.document.blocks import Document, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.analysis.startup.verdict import Remark, StartupVerdict
    from advisor.model import Entity

STARTS_FORMAT = "kafka-advisor-starts/1"
RELEASES_WIDTH = 12


def document(entity: Entity, verdicts: Sequence[StartupVerdict]) -> Document:
    """A table with a row for each span of releases with the same verdict."""
    rows = [(releases(same), tuple(verdict_lines(same[0]))) for same in spans(verdicts)]
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


def data(entity: Entity, verdicts: Sequence[StartupVerdict]) -> dict[str, object]:
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
    return {"format": STARTS_FORMAT, "file": entity.file, "kind": entity.kind, "name": entity.name, "starts": rows}


def row(remark: Remark) -> dict[str, str | None]:
    """A remark as JSON data; `rule` is null where it comes from no rule."""
    return {"key": remark.key, "message": remark.message, "rule": remark.rule}


def changed_row(remark: Remark) -> dict[str, str | None]:
    """A changed value as JSON data: null is a key that is not written, or a value that is not used."""
    return {**row(remark), "written": remark.written, "used": remark.used}
