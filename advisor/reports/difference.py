"""Output of `diff`: as text, as JSON, and as a Markdown comment for a merge request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from advisor.errors import printable as clean
from advisor.model.finding import EntityName
from advisor.reports.context import short, subject
from advisor.reports.machine.json_text import dump
from advisor.reports.markdown import escape
from advisor.reports.odds_sentences import significant
from advisor.simulator.odds import CAUSES

if TYPE_CHECKING:
    from advisor.analysis.comparison import Difference, Row

    Write = Callable[[str], str]

FORMAT = "kafka-advisor-diff/1"
SHOWN = 50
"""Rows of each list; JSON has them all."""
UNTIL = {
    "loss": "failures until a record is lost",
    "writes": "failures until writes stop",
    "reads": "failures until reads stop",
}


def lines(difference: Difference, format: str) -> Iterator[str]:
    """The difference in a format."""
    if format == "json":
        return iter([dump(data(difference), indent=2)])
    return markdown(difference) if format == "markdown" else text(difference)


def data(difference: Difference) -> Row:
    """The difference as JSON data."""
    return {
        "format": FORMAT,
        "old": difference.old.name,
        "new": difference.new.name,
        "settings": difference.settings,
        "added": [{"kind": kind, "name": name} for kind, name in difference.added],
        "removed": [{"kind": kind, "name": name} for kind, name in difference.removed],
        "findings": {
            "appear": difference.appeared,
            "go": difference.gone,
            "change": [
                {"old": old["severity"], "new": new["severity"], "finding": new} for old, new in difference.changed
            ],
            "same": difference.same,
        },
        "odds": difference.odds,
        "plan": difference.steps,
        "unknown": {"old": difference.old.unknown, "new": difference.new.unknown},
    }


def text(difference: Difference) -> Iterator[str]:
    """The difference as text lines."""
    yield f"{clean(difference.old.name)} -> {clean(difference.new.name)}"
    yield from settings_lines(difference)
    yield from list_findings("Findings that appear:", "+", difference.appeared)
    yield from list_findings("Findings that go:", "-", difference.gone)
    if difference.changed:
        yield from ("", "Findings whose severity changes:")
        yield from (f"  ~ {old['severity']} -> {head(new)}" for old, new in difference.changed[:SHOWN])
        yield from more(difference.changed)
    for row in difference.odds:
        yield from odds_lines(row)
    yield from step_lines(difference)
    yield ""
    yield last_line(difference)


def settings_lines(difference: Difference) -> Iterator[str]:
    """The changed settings, and the findings they cause or remove."""
    yield ""
    if difference.settings is None:
        yield "Settings are not compared: a report holds findings only."
        return
    yield from (f"  + {subject(name)}" for name in difference.added[:SHOWN])
    yield from more(difference.added)
    yield from (f"  - {subject(name)}" for name in difference.removed[:SHOWN])
    yield from more(difference.removed)
    yield "Settings that change:" if difference.settings else "No setting changes."
    for row in difference.settings[:SHOWN]:
        yield f"  {subject(subject_of(row))}: {short(row['key'])}: {value(row, 0)} -> {value(row, 1)}{effect(row)}"
    yield from more(difference.settings)


def subject_of(row: Row) -> EntityName:
    """The subject of a row."""
    return row["entity"]["kind"], row["entity"]["name"]


def value(row: Row, side: int) -> str:
    """A row's value on one side, marked where it is the default."""
    shown = row["old" if side == 0 else "new"]
    if shown is None:
        return "(not set)"
    return f"{short(shown) or '(empty)'}{' (default)' if row['unset'][side] else ''}"


def effect(row: Row) -> str:
    """The findings that a changed setting causes or removes."""
    words = [f"+{rule}" for rule in row["appear"]] + [f"-{rule}" for rule in row["go"]]
    return f" [{' '.join(words)}]" if words else ""


def head(row: Row) -> str:
    """A finding in one line."""
    severity = "REFUSED BY KAFKA" if row["refused_by_kafka"] else row["severity"]
    return f"{severity}: {subject(subject_of(row))}: {short(row['message'], 500)} [{row['rule']} {row['name']}]"


def list_findings(title: str, sign: str, rows: Sequence[Row]) -> Iterator[str]:
    """A titled list of findings."""
    if rows:
        yield from ("", title)
        yield from (f"  {sign} {head(row)}" for row in rows[:SHOWN])
        yield from more(rows)


def more(rows: Sequence[object]) -> Iterator[str]:
    """A line with the number of rows that are not shown."""
    if len(rows) > SHOWN:
        yield f"  … and {len(rows) - SHOWN} more (--format json has them all)"


def odds_lines(row: Row) -> Iterator[str]:
    """The odds on both sides."""
    yield ""
    yield f"Odds per year{about(row)} (estimates, see kafka-advisor simulate):"
    yield from (f"  {side}: {configuration(row[side]['configuration'])}" for side in ("old", "new"))
    yield f"  {'':<38} {'old':>12} {'new':>12}"
    for label, old, new in odds_rows(row):
        yield f"  {label:<38} {old:>12} {new:>12}"
    yield from (f"  assumed: {note}" for note in row["assumed"])


def about(row: Row) -> str:
    """Which topics the odds are those of."""
    names = [name for name in row["about"] if name]
    others = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f" of {', '.join(short(name) for name in names[:3])}{others}" if names else ""


def odds_rows(row: Row) -> Iterator[tuple[str, str, str]]:
    """(label, old, new) of every odds value that can be compared."""
    old, new = row["old"], row["new"]
    for question, label in UNTIL.items():
        if question in old["failures_until"] and question in new["failures_until"]:
            yield label, old["failures_until"][question], new["failures_until"][question]
    for name, label in CAUSES.items():
        if name in old["odds"] or name in new["odds"]:
            yield label, number(old["odds"].get(name)), number(new["odds"].get(name))


def number(value: float | None) -> str:
    """A probability or rate as text; a dash where the side has none."""
    return "-" if value is None else significant(value)


def configuration(row: Row) -> str:
    """A simulated configuration in a few words."""
    return f"RF {row['replicas']}, min.isr {row['min_isr']}, {row['acks']}{', unclean' if row['unclean'] else ''}"


def step_lines(difference: Difference) -> Iterator[str]:
    """The steps of a plan that the change fulfils."""
    if difference.steps:
        yield from ("", "Steps of a plan (kafka-advisor advise) that this fulfils:")
    for row in difference.steps:
        part = "" if row["done"] == row["of"] else f" ({row['done']} of {row['of']} findings)"
        yield f"  {clean(row['title'])}{part}"


def last_line(difference: Difference) -> str:
    """The summary line."""
    count = None if difference.settings is None else len(difference.settings)
    settings = "" if count is None else f"{count} setting{'s change' if count != 1 else ' changes'}; "
    return (
        f"{settings}{len(difference.appeared)} findings appear, {len(difference.gone)} go, "
        f"{len(difference.changed)} change, {difference.same} stay; "
        f"could not be judged: {difference.old.unknown} before, {difference.new.unknown} now"
    )


def markdown(difference: Difference) -> Iterator[str]:
    """The difference as a Markdown comment."""
    yield f"### kafka-advisor: {escape(difference.old.name)} → {escape(difference.new.name)}"
    yield from ("", escape(last_line(difference), 500))
    if difference.settings:
        yield from ("", "| setting | old | new | effect |", "|---|---|---|---|")
        for row in difference.settings[:SHOWN]:
            cells = (
                f"{subject(subject_of(row))}: {row['key']}",
                value(row, 0),
                value(row, 1),
                effect(row).strip(" []"),
            )
            yield f"| {' | '.join(escape(cell) for cell in cells)} |"
        yield from ("", *more(difference.settings))
    yield from rows_of("Findings that appear", difference.appeared)
    yield from rows_of("Findings that go", difference.gone)
    yield from rows_of("Findings whose severity changes", [new for _, new in difference.changed])
    for row in difference.odds:
        yield from ("", f"| odds per year{escape(about(row))} | old | new |", "|---|---|---|")
        old, new = (configuration(row[side]["configuration"]) for side in ("old", "new"))
        yield f"| configuration | {escape(old)} | {escape(new)} |"
        yield from (f"| {' | '.join(escape(cell) for cell in cells)} |" for cells in odds_rows(row))
    yield from ("* " + escape(line.strip(), 300) if line.strip() else "" for line in step_lines(difference))


def rows_of(title: str, rows: Sequence[Row]) -> Iterator[str]:
    """A table of findings."""
    if not rows:
        return
    yield from ("", f"**{title}**", "", "| severity | where | what | rule |", "|---|---|---|---|")
    for row in rows[:SHOWN]:
        where, what = escape(subject(subject_of(row))), escape(row["message"], 300)
        yield f"| {row['severity']} | {where} | {what} | {row['rule']} {row['name']} |"
    yield from ("", *more(rows))
