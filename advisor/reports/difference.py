"""Output of `diff`: its document and its JSON data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from advisor.engine.change_findings import acts_at_restart
from advisor.model.finding import rank
from advisor.reports.context import RunResult, result_of, short, subject
from advisor.reports.dangerous_changes import change_step, equal_changes, severity_of
from advisor.reports.document.blocks import Block, Document, Items, Section, Sentence, Steps, Table
from advisor.reports.equal_nodes import equal_rows, named, without_hosts
from advisor.reports.machine.json_document import entity as entity_data
from advisor.reports.machine.json_document import finding as finding_data
from advisor.reports.machine.json_document import unknown as unknown_data
from advisor.reports.odds_sentences import ratio, significant
from advisor.reports.text.report import unknown_texts
from advisor.simulator.odds import CAUSES

if TYPE_CHECKING:
    from advisor.analysis.comparison import ChangedOdds, ChangedSetting, Difference, FulfilledStep, OddsOfSide
    from advisor.model.finding import Finding
    from advisor.rule import Rule

DIFF_FORMAT = "kafka-advisor-diff/1"
UNTIL = {
    "loss": "failures until a record is lost",
    "writes": "failures until writes stop",
    "reads": "failures until reads stop",
}


def data(difference: Difference) -> dict[str, object]:
    """The difference as JSON data."""
    return {
        "format": DIFF_FORMAT,
        "old": difference.old.name,
        "new": difference.new.name,
        "settings": None if difference.settings is None else list(map(setting_data, difference.settings)),
        "added": list(map(entity_data, difference.added)),
        "removed": list(map(entity_data, difference.removed)),
        "change_findings": list(map(finding_data, difference.dangerous)),
        "unknown_changes": list(map(unknown_data, difference.unknown)),
        "findings": {
            "appear": list(map(finding_data, difference.appeared)),
            "go": list(map(finding_data, difference.resolved)),
            "change": [
                {"old": old.severity, "new": new.severity, "finding": finding_data(new)}
                for old, new in difference.changed
            ],
            "same": difference.same,
        },
        "odds": list(map(asdict, difference.odds)),
        "plan": [
            {"step": step.id, "title": step.title, "done": step.resolved, "of": step.promised}
            for step in difference.steps
        ],
        "unknown": {"old": difference.old.unknown, "new": difference.new.unknown},
        **({"configuration": difference.configuration} if difference.configuration else {}),
    }


def run_of(difference: Difference, rules: Iterable[Rule]) -> RunResult:
    """The findings that the change brings or makes worse, as formats for programs take them."""
    new = difference.new.report
    worse = [now for was, now in difference.changed if rank(now.severity) > rank(was.severity)]
    findings = [*difference.dangerous, *difference.appeared, *worse]
    run = result_of("diff", new.snapshots, findings, [*new.unknown, *difference.unknown], rules, new.profile)
    run.report.crashed = new.crashed
    run.report.configuration = difference.configuration
    return run


def setting_data(row: ChangedSetting) -> dict[str, object]:
    """A changed setting as JSON data."""
    return {
        "entity": entity_data(row.entity),
        "key": row.key,
        "old": row.old,
        "new": row.new,
        "unset": list(row.unset),
        "appear": row.appear,
        "go": row.resolved,
    }


def document(difference: Difference) -> Document:
    """The difference."""
    return Document(
        f"{difference.old.name} -> {difference.new.name}",
        sections=[
            *change_sections(difference),
            *finding_sections(difference),
            *map(odds_section, difference.odds),
            *step_sections(difference),
            Section("Settings", list(setting_blocks(difference)), titled=False),
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
    hidden = " The values of secrets are masked, and not compared." if difference.holds_secrets else ""
    nothing = "No other setting changes." if difference.dangerous else "No setting changes."
    yield Sentence("Settings that change:" if difference.settings else f"{nothing}{hidden}")
    rows = [setting_cells(equal) for equal in equal_settings(difference)]
    lines = [
        (f"  {name}: {key}: {old} -> {new}{f' [{rules}]' if rules else ''}",) for name, key, old, new, rules in rows
    ]
    yield Table(("where", "setting", "old", "new", "findings"), rows, lines=lines)


def equal_settings(difference: Difference) -> list[list[ChangedSetting]]:
    """The changed settings, those of the nodes of one cluster together that change alike."""

    def words(row: ChangedSetting) -> tuple[object, ...]:
        old, new = (without_hosts(row.key, value(row, side), row.old, row.new) for side in (0, 1))
        return row.key, old, new, effect(row)

    return equal_rows(difference.settings or (), difference, lambda row: row.entity, words)


def setting_cells(rows: Sequence[ChangedSetting]) -> tuple[str, ...]:
    """A changed setting of one subject, or of several nodes."""
    row = rows[0]
    where = named([subject(each.entity) for each in rows], (value(each, 0) + value(each, 1) for each in rows))
    return where, short(row.key), value(row, 0), value(row, 1), effect(row)


def change_sections(difference: Difference) -> Iterator[Section]:
    """What is dangerous about the change itself, with what was there, when it acts, and the safe way."""
    if difference.dangerous:
        parts: list[Block] = [Steps([change_step(rows) for rows in equal_changes(difference)], to_do=False)]
        if any(map(acts_at_restart, difference.dangerous)):
            parts.append(Sentence(f"kafka-advisor rollout {difference.old.name} {difference.new.name}", "node by node"))
        yield Section("Dangerous changes", parts)
    if difference.unknown:
        yield Section("Changes that could not be judged", [Items(list(unknown_texts(difference.unknown)))])


def finding_sections(difference: Difference) -> Iterator[Section]:
    """The findings that appear, that are resolved, and whose severity changes."""
    for title, mark, rows in (
        ("Findings that appear", "+", difference.appeared),
        ("Findings that are resolved", "-", difference.resolved),
    ):
        if rows:
            yield Section(title, [finding_table(equal_findings(rows, difference), mark)])
    if difference.changed:
        severities = {id(new): old.severity for old, new in difference.changed}
        equal = equal_findings([new for _, new in difference.changed], difference, severities)
        yield Section("Findings whose severity changes", [finding_table(equal, "~", severities)])


def equal_findings(
    rows: Sequence[Finding], difference: Difference, severities: Mapping[int, str] | None = None
) -> list[list[Finding]]:
    """Findings, those of the nodes of one cluster together that are equal; `severities` are those before the change."""
    former = severities or {}
    return equal_rows(
        rows,
        difference,
        lambda row: row.entity,
        lambda row: (row.rule, former.get(id(row)), severity_of(row), without_hosts(row.key, row.message, row.value)),
    )


def finding_table(groups: Sequence[Sequence[Finding]], mark: str, severities: Mapping[int, str] | None = None) -> Table:
    """A table of findings, equal ones of several nodes in one row, each beside its severity."""
    cells = []
    for rows in groups:
        row = rows[0]
        was = f"{severities[id(row)]} -> " if severities else ""
        where = named([subject(each.entity) for each in rows], (each.message for each in rows))
        cells.append((f"{mark} {was}{severity_of(row)}", where, short(row.message, 500), f"{row.rule} {row.name}"))
    lines = [(f"  {severity}: {where}: {what} [{rule}]",) for severity, where, what, rule in cells]
    return Table(("severity", "where", "what", "rule"), cells, lines=lines)


def value(row: ChangedSetting, side: int) -> str:
    """A row's value on one side, marked where it is the default."""
    shown = (row.old, row.new)[side]
    if shown is None:
        return "(not set)"
    return f"{short(shown) or '(empty)'}{' (default)' if row.unset[side] else ''}"


def effect(row: ChangedSetting) -> str:
    """The rules whose findings a changed setting causes or resolves."""
    return " ".join([f"+{rule}" for rule in row.appear] + [f"-{rule}" for rule in row.resolved])


def odds_section(row: ChangedOdds) -> Section:
    """How the odds change, as ratios; what stays as it was is one footnote."""
    sides = [f"old: {configuration(row.old.configuration)}", f"new: {configuration(row.new.configuration)}"]
    changed, same = odds_lines(row.old, row.new)
    footnotes = [f"as before: {'; '.join(same)}"] if same else []
    footnotes += [f"assumed: {note}" for note in row.assumed]
    title = f"Odds{about(row.about)} (estimates, see kafka-advisor simulate)"
    lines = [*sides, *(changed or ["none of the odds changes"]), *footnotes]
    return Section(title, [Items(lines, shown=len(lines))])


def about(topics: Sequence[str]) -> str:
    """Which topics the odds are those of."""
    names = [name for name in topics if name]
    others = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f" of {', '.join(short(name) for name in names[:3])}{others}" if names else ""


def odds_lines(old: OddsOfSide, new: OddsOfSide) -> tuple[list[str], list[str]]:
    """(what changes, what does not) of the odds that both sides have or one of them has."""
    changed: list[str] = []
    same: list[str] = []
    for question, label in UNTIL.items():
        if question in old.failures_until and question in new.failures_until:
            before, after = old.failures_until[question], new.failures_until[question]
            (same if before == after else changed).append(
                f"{label}: {before if before == after else f'{before} -> {after}'}"
            )
    for name in (name for name in CAUSES if name in old.odds or name in new.odds):
        pair = old.odds.get(name, 0.0), new.odds.get(name, 0.0)
        before, after = map(significant, pair)
        text = before if before == after else f"{before} -> {after}"
        (same if before == after else changed).append(f"{CAUSES[name]}: {text}{change_of(name, *pair)}")
    return changed, same


def change_of(name: str, old: float, new: float) -> str:
    """The unit of one of the odds, and how much more often or more seldom what is lost is."""
    if name == "loss_probability":
        return " in a year"
    if not name.startswith("loss_") or significant(old) == significant(new):
        return " a year"
    return f" a year, {ratio(old, new)}"


def configuration(data: Mapping[str, object]) -> str:
    """A simulated configuration in a few words."""
    unclean = ", unclean" if data["unclean"] else ""
    return f"RF {data['replicas']}, min.isr {data['min_isr']}, {data['acks']}{unclean}"


def step_sections(difference: Difference) -> Iterator[Section]:
    """The steps of a plan that the change fulfils."""
    if difference.steps:
        rows = list(map(step_text, difference.steps))
        yield Section("Steps of a plan (kafka-advisor advise) that this fulfils", [Items(rows, shown=len(rows))])


def step_text(step: FulfilledStep) -> str:
    """A step, and how much of it is done where that is not all."""
    part = "" if step.resolved == step.promised else f" ({step.resolved} of {step.promised} findings)"
    return f"{step.title}{part}"


def last_line(difference: Difference) -> str:
    """The summary line."""
    changes = len(equal_changes(difference))
    count = None if difference.settings is None else len(difference.settings)
    settings = "" if count is None else f"{count} setting{'s change' if count != 1 else ' changes'}; "
    new = len(difference.appeared)
    appear = "1 finding appears" if new == 1 else f"{new} findings appear"
    open_changes = f", {len(difference.unknown)} not judged" if difference.unknown else ""
    dangerous = f"{changes} dangerous change{'s' if changes != 1 else ''}{open_changes}; "
    return (
        f"{dangerous}{settings}{appear}, {len(difference.resolved)} are resolved, "
        f"{len(difference.changed)} change, {difference.same} stay; "
        f"could not be judged: {difference.old.unknown} before, {difference.new.unknown} now"
    )
