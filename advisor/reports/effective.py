"""Output of `effective`: as text and as JSON."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from advisor.analysis.effective import Row
    from advisor.analysis.unused_lines import IgnoredLine
    from advisor.config import Config
    from advisor.model import Setting

FORMAT = "kafka-advisor-effective/1"


def report(shown: Sequence[tuple[Config, Sequence[Row], Sequence[IgnoredLine]]], format: str) -> Iterator[str]:
    """The settings of some entities in a format."""
    if format == "json":
        from advisor.reports.machine.json_text import dump_documents

        yield dump_documents([document(*each) for each in shown])
        return
    for each in shown:
        yield from lines(*each)


def lines(config: Config, rows: Sequence[Row], ignored: Sequence[IgnoredLine]) -> Iterator[str]:
    """One line for each effective value, then the unused lines."""
    entity = config.entity
    yield f"{entity.title} ({entity.kind}), {config.release}: {entity.target.reason}"
    width = min(max((len(row.key) for row in rows), default=0), 48)
    for row in rows:
        yield (f"  {row.key:<{width}} = {'null' if row.value is None else row.value}  ({origin(row, entity.file)})")
        for other in row.overrides:
            yield (f"  {'':<{width}}   overrides {other.key}={other.shown}{line_of(other, entity.file)}")
    if ignored:
        yield "does nothing:"
        for one in ignored:
            yield (f"  {one.setting.key}={one.setting.shown}{line_of(one.setting, entity.file)}: {one.why}")


def origin(row: Row, file: str | None) -> str:
    """The source of a value, and Kafka's change of it."""
    if row.source == "DERIVED":
        return f"derived: {row.note}"
    if row.setting is None:
        return "default"
    where = position(row.setting, file)
    where += f", {row.setting.key}" if row.setting.key != row.key else ""
    return f"{where}; {row.note}" if row.note else where


def position(setting: Setting, file: str | None) -> str:
    """The line of a setting, with the file where that is another one: a profile lies over its base."""
    line = setting.origin.line
    return f"line {line}" if setting.origin.file in (file, None) else f"{setting.origin.file}:{line}"


def line_of(setting: Setting, file: str | None) -> str:
    """The line of a setting, in parentheses."""
    return f" ({position(setting, file)})" if setting.origin.line else ""


def document(config: Config, rows: Sequence[Row], ignored: Sequence[IgnoredLine]) -> dict[str, object]:
    """The effective settings as plain data."""
    entity = config.entity
    return {
        "format": FORMAT,
        "file": entity.file,
        "kind": entity.kind,
        "name": entity.name,
        "target": {"kafka_version": entity.target.text, "reason": entity.target.reason},
        "settings": [
            {
                "key": row.key,
                "value": row.value,
                "source": row.source,
                "set_by": row.setting.key if row.setting else None,
                "file": row.setting.origin.file if row.setting else None,
                "line": row.setting.origin.line if row.setting else None,
                "note": row.note or None,
                "overrides": [place(other) for other in row.overrides],
            }
            for row in rows
        ],
        "ignored": [{**place(one.setting), "reason": one.why} for one in ignored],
    }


def place(setting: Setting) -> dict[str, object]:
    """A setting, its file and its line."""
    return {"key": setting.key, "value": setting.shown, "file": setting.origin.file, "line": setting.origin.line}
