"""The first screen of a long report: every severe finding in a line, and what to fix first."""

from __future__ import annotations

from advisor.engine.fix_first import first_steps
from advisor.errors import printable as clean
from advisor.model.finding import rank
from advisor.reports.text.finding import first_sentence, headline, place, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.engine.report import Report
    from advisor.model.finding import Finding
    from advisor.reports.text.finding import Layout

SEVERE = "high"
"""The severity from which a finding stands on the first screen."""
TITLE_LINES = 2
"""Lines of a critical finding's title."""
AROUND = 8
"""Lines of the first screen that are no titles."""


def severe_titles(report: Report, shown: list[list[Finding]], layout: Layout) -> Iterator[str]:
    """Every severe finding in a line; of very many those that fit the screen."""
    severe = [group for group in shown if rank(group[0].severity) >= rank(SEVERE)]
    room = max(3, layout.height - AROUND)
    names = short_names(report)
    for group in severe[:room]:
        yield from _title(group, names, layout)
    if len(severe) > room:
        yield f"  and {len(severe) - room} more that are high or worse"


def short_names(report: Report) -> dict[str, str]:
    """The judged files by their names alone, none where there is only one; whole paths where names repeat."""
    entities = (entity for snapshot in report.snapshots for entity in snapshot.entities)
    files = [entity.file for entity in entities if entity.file]
    paths = list(dict.fromkeys([*files, *(row.file for row in report.findings if row.file)]))
    names = [path.rpartition("/")[2] for path in paths]
    if len(paths) == 1:
        return {paths[0]: ""}
    return dict(zip(paths, names if len(set(names)) == len(paths) else paths, strict=True))


def _subject(finding: Finding, names: dict[str, str]) -> str:
    """Whom a step is about, and the key where the fix does not name it."""
    where = f"{finding.entity[0]} {finding.entity[1]}" if finding.file is None else names[finding.file]
    is_named = any(key and key in finding.fix for key in (finding.key, finding.kafka_key))
    key = finding.key if finding.file and not is_named else None
    words = " ".join(word for word in (where, key) if word)
    return f"{words}: " if words else ""


def _title(group: list[Finding], names: dict[str, str], layout: Layout) -> Iterator[str]:
    """A finding in a line, a critical one in two."""
    finding = group[0]
    severity = f"{'refused' if finding.refused else finding.severity:<8}"
    text = clean(f"{_where(finding, names)}{headline(finding)}{others(group)}")
    indent = len(f"  {severity} {finding.rule:<6} ")
    room = layout.width - indent
    lines = wrapped(text.split(" "), layout.width, indent, indent)
    if finding.severity != "critical" and len(text) > room:
        lines = [f"{text[: room - 1]}…"]
    elif len(lines) > TITLE_LINES:
        lines = [*lines[: TITLE_LINES - 1], f"{lines[TITLE_LINES - 1][: layout.width - 1]}…"]
    head = f"  {layout.style(severity, finding.severity)} {layout.style(f'{finding.rule:<6}', 'rule')} "
    yield from (head + lines[0], *lines[1:])


def _where(finding: Finding, names: dict[str, str]) -> str:
    if finding.file is None:
        return f"{place(finding)}: "
    name = names[finding.file]
    line = "" if finding.line is None else f"{':' if name else 'line '}{finding.line}"
    return f"{name}{line}: " if name or line else ""


def others(group: list[Finding]) -> str:
    """How many more there are of a finding."""
    return f" (and {len(group) - 1} more)" if len(group) > 1 else ""


def fix_first(report: Report, layout: Layout) -> Iterator[str]:
    """The steps that win most, each with what the score gains."""
    steps = first_steps(report)
    names = short_names(report)
    if steps:
        yield f"{layout.style('Fix first', 'bold')} (score {report.score.rounded}; -v says why, `explain RULE` more):"
    for number, step in enumerate(steps, 1):
        tail = f" [{step.finding.rule}, {step.points}]"
        text = clean(f"{_subject(step.finding, names)}{first_sentence(step.finding.fix)}").rstrip(".")
        room = max(20, layout.width - len(tail) - 5)
        yield f"  {number}. {text if len(text) <= room else text[: room - 2].rstrip(' ,;:') + ' …'}{tail}"
