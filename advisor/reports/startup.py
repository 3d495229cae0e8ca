"""Whether something starts, release by release: for people and for programs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.analysis.startup import Said, Start
    from advisor.model import Entity

FORMAT = "kafka-advisor-starts/1"
INDENT = " " * 16


def lines(entity: Entity, found: Sequence[Start]) -> Iterator[str]:
    """A table with a row for each span of releases that say the same."""
    yield f"{entity.file} ({entity.kind})"
    for same in spans(found):
        first = same[0]
        reasons = list(parts(first))
        yield f"  {releases(same):<12}  {reasons[0]}"
        yield from (INDENT + reason for reason in reasons[1:])


def spans(found: Sequence[Start]) -> list[list[Start]]:
    """Neighbouring releases with the same verdict together."""
    grouped: list[list[Start]] = []
    for start in found:
        if grouped and list(parts(grouped[-1][0])) == list(parts(start)):
            grouped[-1].append(start)
        else:
            grouped.append([start])
    return grouped


def releases(same: Sequence[Start]) -> str:
    """3.9, or 3.9 to 4.1."""
    ends = dict.fromkeys(f"{start.version[0]}.{start.version[1]}" for start in (same[0], same[-1]))
    return " to ".join(ends)


def parts(start: Start) -> Iterator[str]:
    """What there is to say of one release: the verdict, then what is used in place of what is written."""
    yield from head(start)
    if not start.refused:
        yield from (f"but {clean(said)}" for said in start.changed)
        if start.ignored:
            yield f"ignores {', '.join(start.ignored)}"


def head(start: Start) -> Iterator[str]:
    """The verdict with its reasons."""
    if start.refused is False:
        yield "starts"
        return
    word, reasons = ("refused: ", start.reasons) if start.refused else ("unknown: ", start.unknown)
    for number, said in enumerate(reasons):
        yield (word if number == 0 else " " * len(word)) + clean(said)


def clean(said: Said) -> str:
    """One line, whatever stands in the file."""
    text = f"{said.key}: {said.message}" if said.key and not said.message.startswith(said.key) else said.message
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def document(entity: Entity, found: Sequence[Start]) -> str:
    """The verdicts as one JSON document."""
    import json

    rows = [
        {
            "version": f"{start.version[0]}.{start.version[1]}",
            "refused": start.refused,
            "reasons": [row(said) for said in start.reasons],
            "unknown": [row(said) for said in start.unknown],
            "changed": [] if start.refused else [row(said) for said in start.changed],
            "ignored": start.ignored,
        }
        for start in found
    ]
    head = {"format": FORMAT, "file": entity.file, "kind": entity.kind}
    return json.dumps({**head, "starts": rows}, indent=2, ensure_ascii=False)


def row(said: Said) -> dict[str, str | None]:
    """A key and what there is to say of it; `rule` is null where it follows from no rule of the tool."""
    return {"key": said.key, "message": said.message, "rule": said.rule}
