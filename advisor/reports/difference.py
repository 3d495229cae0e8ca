"""Output of `diff`: its document and its JSON data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from advisor.model.finding import EntityName
from advisor.reports.context import short, subject
from advisor.reports.document.blocks import Block, Document, Items, Section, Sentence, Table
from advisor.reports.odds_sentences import significant
from advisor.simulator.odds import CAUSES

if TYPE_CHECKING:
    from advisor.analysis.comparison import Difference, Row

FORMAT = "kafka-advisor-diff/1"
ODDS_WIDTHS = (36, 12, 12)
UNTIL = {
    "loss": "failures until a record is lost",
    "writes": "failures until writes stop",
    "reads": "failures until reads stop",
}


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


def document(difference: Difference) -> Document:
    """The difference."""
    return Document(
        f"{difference.old.name} -> {difference.new.name}",
        sections=[
            Section("Settings", list(setting_blocks(difference)), titled=False),
            *finding_sections(difference),
            *map(odds_section, difference.odds),
            *step_sections(difference),
        ],
        summary=last_line(difference),
    )


def setting_blocks(difference: Difference) -> Iterator[Block]:
    """The changed settings, and the findings they cause or resolve."""
    if difference.settings is None:
        yield Sentence("Settings are not compared: a report holds findings only.")
        return
    yield from (
        Items([subject(name) for name in names], mark=f"{mark} ")
        for mark, names in (("+", difference.added), ("-", difference.removed))
        if names
    )
    yield Sentence("Settings that change:" if difference.settings else "No setting changes.")
    rows = [
        (subject(subject_of(row)), short(row["key"]), value(row, 0), value(row, 1), effect(row))
        for row in difference.settings
    ]
    lines = [
        (f"  {name}: {key}: {old} -> {new}{f' [{rules}]' if rules else ''}",) for name, key, old, new, rules in rows
    ]
    yield Table(("where", "setting", "old", "new", "findings"), rows, lines=lines)


def finding_sections(difference: Difference) -> Iterator[Section]:
    """The findings that appear, that are resolved, and whose severity changes."""
    for title, mark, rows in (
        ("Findings that appear", "+", difference.appeared),
        ("Findings that are resolved", "-", difference.gone),
    ):
        if rows:
            yield Section(title, [finding_table(rows, [f"{mark} {severity_of(row)}" for row in rows])])
    if difference.changed:
        changed = [new for _, new in difference.changed]
        severities = [f"~ {old['severity']} -> {severity_of(new)}" for old, new in difference.changed]
        yield Section("Findings whose severity changes", [finding_table(changed, severities)])


def finding_table(rows: Sequence[Row], severities: Sequence[str]) -> Table:
    """A table of findings, each beside its severity."""
    cells = [
        (severity, subject(subject_of(row)), short(row["message"], 500), f"{row['rule']} {row['name']}")
        for row, severity in zip(rows, severities, strict=True)
    ]
    lines = [(f"  {severity}: {where}: {what} [{rule}]",) for severity, where, what, rule in cells]
    return Table(("severity", "where", "what", "rule"), cells, lines=lines)


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
    """The rules whose findings a changed setting causes or resolves."""
    return " ".join([f"+{rule}" for rule in row["appear"]] + [f"-{rule}" for rule in row["go"]])


def severity_of(row: Row) -> str:
    """The severity of a finding."""
    return "REFUSED BY KAFKA" if row["refused_by_kafka"] else str(row["severity"])


def odds_section(row: Row) -> Section:
    """The odds on both sides."""
    sides = [f"{side}: {configuration(row[side]['configuration'])}" for side in ("old", "new")]
    table = Table(("", "old", "new"), list(odds_rows(row)), numbers=frozenset({1, 2}), widths=ODDS_WIDTHS)
    assumed = [f"assumed: {note}" for note in row["assumed"]]
    title = f"Odds per year{about(row)} (estimates, see kafka-advisor simulate)"
    return Section(title, [Items(sides), table, Items(assumed)] if assumed else [Items(sides), table])


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


def step_sections(difference: Difference) -> Iterator[Section]:
    """The steps of a plan that the change fulfils."""
    if difference.steps:
        rows = list(map(step_text, difference.steps))
        yield Section("Steps of a plan (kafka-advisor advise) that this fulfils", [Items(rows, shown=len(rows))])


def step_text(row: Row) -> str:
    """A step, and how much of it is done where that is not all."""
    part = "" if row["done"] == row["of"] else f" ({row['done']} of {row['of']} findings)"
    return f"{row['title']}{part}"


def last_line(difference: Difference) -> str:
    """The summary line."""
    count = None if difference.settings is None else len(difference.settings)
    settings = "" if count is None else f"{count} setting{'s change' if count != 1 else ' changes'}; "
    return (
        f"{settings}{len(difference.appeared)} findings appear, {len(difference.gone)} are resolved, "
        f"{len(difference.changed)} change, {difference.same} stay; "
        f"could not be judged: {difference.old.unknown} before, {difference.new.unknown} now"
    )
