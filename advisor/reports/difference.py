"""What `diff` prints: for people, for programs, and as a comment for a merge request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.reports.context import short, subject
from advisor.reports.markdown import escaped
from advisor.reports.text import clean
from advisor.simulator.odds import CAUSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from advisor.analysis.comparison import Difference, Row
    from advisor.model.finding import EntityName

    Write = Callable[[str], str]

FORMAT = "kafka-advisor-diff/1"
SHOWN = 50
"""Rows of each list; JSON has them all."""
UNTIL = {
    "loss": "failures until a record is lost",
    "writes": "failures until writes stop",
    "reads": "failures until reads stop",
}


def data(found: Difference) -> Row:
    """The difference for programs."""
    return {
        "format": FORMAT,
        "old": found.old.name,
        "new": found.new.name,
        "settings": found.settings,
        "added": [{"kind": kind, "name": name} for kind, name in found.added],
        "removed": [{"kind": kind, "name": name} for kind, name in found.removed],
        "findings": {
            "appear": found.appeared,
            "go": found.gone,
            "change": [{"old": old["severity"], "new": new["severity"], "finding": new} for old, new in found.changed],
            "same": found.same,
        },
        "odds": found.odds,
        "unknown": {"old": found.old.unknown, "new": found.new.unknown},
    }


def text(found: Difference) -> Iterator[str]:
    """The difference for people."""
    yield f"{clean(found.old.name)} -> {clean(found.new.name)}"
    yield from settings_lines(found)
    yield from listed("Findings that appear:", "+", found.appeared)
    yield from listed("Findings that go:", "-", found.gone)
    if found.changed:
        yield from ("", "Findings whose severity changes:")
        yield from (f"  ~ {old['severity']} -> {head(new)}" for old, new in found.changed[:SHOWN])
        yield from more(found.changed)
    for row in found.odds:
        yield from odds_lines(row)
    yield ""
    yield last_line(found)


def settings_lines(found: Difference) -> Iterator[str]:
    """What was set otherwise, and what that does."""
    yield ""
    if found.settings is None:
        yield "Settings are not compared: a report holds findings only."
        return
    yield from (f"  + {subject(name)}" for name in found.added[:SHOWN])
    yield from more(found.added)
    yield from (f"  - {subject(name)}" for name in found.removed[:SHOWN])
    yield from more(found.removed)
    yield "Settings that change:" if found.settings else "No setting changes."
    for row in found.settings[:SHOWN]:
        yield f"  {subject(named(row))}: {short(row['key'])}: {value(row, 0)} -> {value(row, 1)}{effect(row)}"
    yield from more(found.settings)


def named(row: Row) -> EntityName:
    """The subject of a row."""
    return row["entity"]["kind"], row["entity"]["name"]


def value(row: Row, side: int) -> str:
    """A value, and whether it is the default."""
    shown = row["old" if side == 0 else "new"]
    if shown is None:
        return "(not set)"
    return f"{short(shown) or '(empty)'}{' (default)' if row['unset'][side] else ''}"


def effect(row: Row) -> str:
    """What a setting's change does."""
    words = [f"+{rule}" for rule in row["appear"]] + [f"-{rule}" for rule in row["go"]]
    return f"   [{' '.join(words)}]" if words else ""


def head(row: Row) -> str:
    """A finding in a line."""
    severity = "REFUSED BY KAFKA" if row["refused_by_kafka"] else row["severity"]
    return f"{severity}: {subject(named(row))}: {short(row['message'], 500)} [{row['rule']} {row['name']}]"


def listed(title: str, sign: str, rows: Sequence[Row]) -> Iterator[str]:
    """A list of findings."""
    if rows:
        yield from ("", title)
        yield from (f"  {sign} {head(row)}" for row in rows[:SHOWN])
        yield from more(rows)


def more(rows: Sequence[object]) -> Iterator[str]:
    """How many are not shown."""
    if len(rows) > SHOWN:
        yield f"  … and {len(rows) - SHOWN} more (--format json has them all)"


def odds_lines(row: Row) -> Iterator[str]:
    """The odds on both sides."""
    yield ""
    yield f"Odds per year{about(row)} (estimates, see kafka-advisor simulate):"
    yield f"  {'':<38} {'old':>24} {'new':>24}"
    for label, old, new in odds_rows(row):
        yield f"  {label:<38} {old:>24} {new:>24}"
    yield from (f"  assumed: {note}" for note in row["assumed"])


def about(row: Row) -> str:
    """Which topics the odds are those of."""
    names = [name for name in row["about"] if name]
    rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f" of {', '.join(short(name) for name in names[:3])}{rest}" if names else ""


def odds_rows(row: Row) -> Iterator[tuple[str, str, str]]:
    """(what, old, new) of everything that both sides can be compared by."""
    old, new = row["old"], row["new"]
    yield "configuration", configuration(old["configuration"]), configuration(new["configuration"])
    for question, label in UNTIL.items():
        if question in old["failures_until"] and question in new["failures_until"]:
            yield label, old["failures_until"][question], new["failures_until"][question]
    for name, label in CAUSES.items():
        if name in old["odds"] or name in new["odds"]:
            yield label, number(old["odds"].get(name)), number(new["odds"].get(name))


def number(value: float | None) -> str:
    """An odd; what a side cannot suffer has none."""
    return "-" if value is None else f"{value:.3g}"


def configuration(row: Row) -> str:
    """A configuration in a few words."""
    return f"RF {row['replicas']}, min.isr {row['min_isr']}, {row['acks']}{', unclean' if row['unclean'] else ''}"


def last_line(found: Difference) -> str:
    """The sum."""
    settings = "" if found.settings is None else f"{len(found.settings)} settings change; "
    return (
        f"{settings}{len(found.appeared)} findings appear, {len(found.gone)} go, {len(found.changed)} change, "
        f"{found.same} stay; could not be judged: {found.old.unknown} before, {found.new.unknown} now"
    )


def markdown(found: Difference) -> Iterator[str]:
    """The difference as a comment."""
    yield f"### kafka-advisor: {escaped(found.old.name)} → {escaped(found.new.name)}"
    yield from ("", escaped(last_line(found), 500))
    if found.settings:
        yield from ("", "| setting | old | new | effect |", "|---|---|---|---|")
        for row in found.settings[:SHOWN]:
            cells = (f"{subject(named(row))}: {row['key']}", value(row, 0), value(row, 1), effect(row).strip(" []"))
            yield f"| {' | '.join(escaped(cell) for cell in cells)} |"
        yield from ("", *more(found.settings))
    yield from rows_of("Findings that appear", found.appeared)
    yield from rows_of("Findings that go", found.gone)
    yield from rows_of("Findings whose severity changes", [new for _, new in found.changed])
    for row in found.odds:
        yield from ("", f"| odds per year{escaped(about(row))} | old | new |", "|---|---|---|")
        yield from (f"| {' | '.join(escaped(cell) for cell in cells)} |" for cells in odds_rows(row))


def rows_of(title: str, rows: Sequence[Row]) -> Iterator[str]:
    """A table of findings."""
    if not rows:
        return
    yield from ("", f"**{title}**", "", "| severity | where | what | rule |", "|---|---|---|---|")
    for row in rows[:SHOWN]:
        where, what = escaped(subject(named(row))), escaped(row["message"], 300)
        yield f"| {row['severity']} | {where} | {what} | {row['rule']} {row['name']} |"
    yield from ("", *more(rows))
