"""Output of `effective`: its documents and its JSON data."""

from __future__ import annotations

from advisor.analysis.unused_lines import OF_CONNECTORS, OF_PLUGINS
from advisor.reports.document.blocks import Document, Items, Section, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from advisor.analysis.effective import EffectiveValue
    from advisor.analysis.unused_lines import IgnoredLine
    from advisor.config import Config
    from advisor.model import Setting

EFFECTIVE_FORMAT = "kafka-advisor-effective/1"


LONGEST_KEY = 48
"""Characters of a key beside which values are aligned."""


def document(config: Config, rows: Sequence[EffectiveValue], ignored: Sequence[IgnoredLine]) -> Document:
    """A row for each effective value, then the unused lines."""
    entity = config.entity
    width = min(max((len(row.key) for row in rows), default=0), LONGEST_KEY)
    table = Table(
        ("key", "value", "source"),
        [(row.key, text_of(row.value), (origin(row, entity.file), *overrides(row, entity.file))) for row in rows],
        lines=[tuple(row_lines(row, entity.file, width)) for row in rows],
        shown=len(rows),
    )
    lines = [f"{one.setting.key}={one.setting.shown}{line_of(one.setting, entity.file)}: {one.why}" for one in ignored]
    unused = [line for line, one in zip(lines, ignored, strict=True) if one.why not in (OF_PLUGINS, OF_CONNECTORS)]
    of_plugins = [line for line, one in zip(lines, ignored, strict=True) if one.why in (OF_PLUGINS, OF_CONNECTORS)]
    parts = {"does nothing": unused, "does nothing in Kafka itself": of_plugins}
    return Document(
        f"{entity.title} ({entity.kind}), {config.release}: {entity.target.reason}",
        blocks=[table],
        sections=[Section(title, [Items(rows, shown=len(rows))], apart=False) for title, rows in parts.items() if rows],
    )


def row_lines(row: EffectiveValue, file: str | None, width: int) -> Iterator[str]:
    """A value, and the settings that it overrides."""
    yield f"  {row.key:<{width}} = {text_of(row.value)}  ({origin(row, file)})"
    yield from (f"  {'':<{width}}   {text}" for text in overrides(row, file))


def overrides(row: EffectiveValue, file: str | None) -> Iterator[str]:
    """The settings that a value overrides."""
    return (f"overrides {other.key}={other.shown}{line_of(other, file)}" for other in row.overrides)


def text_of(value: str | None) -> str:
    """A value as text."""
    return "null" if value is None else value


def origin(row: EffectiveValue, file: str | None) -> str:
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


def data(
    subjects: Iterable[tuple[Config, Sequence[EffectiveValue], Sequence[IgnoredLine]]],
) -> Iterator[dict[str, object]]:
    """The effective settings of subjects as plain data; rows that they share are the same object."""
    known: dict[int, dict[str, object]] = {}
    for config, rows, ignored in subjects:
        entity = config.entity
        for row in rows:
            if id(row) not in known:
                known[id(row)] = data_of(row)
        yield {
            "format": EFFECTIVE_FORMAT,
            "file": entity.file,
            "kind": entity.kind,
            "name": entity.name,
            "target": {"kafka_version": entity.target.text, "reason": entity.target.reason},
            "settings": [known[id(row)] for row in rows],
            "ignored": [{**place(one.setting), "reason": one.why} for one in ignored],
        }


def data_of(row: EffectiveValue) -> dict[str, object]:
    """An effective value as plain data."""
    origin = row.setting.origin if row.setting else None
    return {
        "key": row.key,
        "value": row.value,
        "source": row.source,
        "set_by": row.setting.key if row.setting else None,
        "file": origin.file if origin else None,
        "line": origin.line if origin else None,
        "note": row.note or None,
        "overrides": [place(other) for other in row.overrides],
    }


def place(setting: Setting) -> dict[str, object]:
    """A setting, its file and its line."""
    return {"key": setting.key, "value": setting.shown, "file": setting.origin.file, "line": setting.origin.line}
