"""The findings of one file, one rule or one running cluster, a row each, with what to do below."""

from __future__ import annotations

from advisor.catalog.host_aliases import lists_addresses
from advisor.errors import printable as clean
from advisor.model.finding import SEVERITIES
from advisor.reports.text.finding import (
    BRIEF,
    body_lines,
    effect_of,
    excerpt_lines,
    field_lines,
    headline,
    place_and_name,
    wrapped,
)
from advisor.rule import SAFE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from advisor.engine.report import Report
    from advisor.model.claim import Claim
    from advisor.model.finding import Finding
    from advisor.reports.file_fixes import FileFixes
    from advisor.reports.text.finding import Layout

PROTOCOLS = "listener.security.protocol.map"
NARROW = 80
"""Columns below which what stands under a row begins further to the left."""
LINE = 4
"""Columns of a line's number."""
SEVERITY = max(map(len, SEVERITIES))
UNLIMITED = 10**9
MOST_HEADS = 20
"""Files that are named of which every line says the same."""


class Section:
    """Findings below a head: `heads` are files of which every line says the same, none where the head says nothing new."""

    def __init__(self, heads: tuple[str, ...], rows: list[Finding]) -> None:
        self.heads = heads
        self.rows = rows


class Rows:
    """Findings as rows: the place, the severity, what is set and its effect, the rule, and what to do.

    `report` is theirs, `consequences` what follows from a finding by its id(), `marks` what stands beside one, by
    its id().
    """

    def __init__(
        self,
        layout: Layout,
        report: Report,
        consequences: Mapping[int, list[Finding]],
        marks: Mapping[int, str],
    ) -> None:
        self.layout = layout
        self.report = report
        self.names = subject_names(report)
        self.consequences = consequences
        self.marks = marks
        self._fixes: FileFixes | None = None

    def of_section(self, section: Section) -> Iterator[str]:
        """The head and the rows of a section."""
        layout = self.layout
        if section.heads:
            for line in wrapped(clean(self._heads(section)).split(" "), layout.wrap_width, 0, 2):
                yield layout.style(line, "rule" if layout.by_rule else "bold")
        explained: set[tuple[str, str]] = set()
        for group in groups_of(section.rows):
            yield from self._group(group, explained)

    def _heads(self, section: Section) -> str:
        """The files of a section, of many the first."""
        most = len(section.heads) if self.layout.all else MOST_HEADS
        more = f" and {len(section.heads) - most} more files (--all lists them)" if len(section.heads) > most else ""
        return ", ".join(section.heads[:most]) + more

    def _group(self, group: list[Finding], explained: set[tuple[str, str]]) -> Iterator[str]:
        """Findings with the same words: the first as a row, where the others are, and what to do, once a section."""
        finding = group[0]
        yield from self._row(finding, group)
        if finding.file is None:
            from advisor.reports.text.grouped import subjects

            on, *items = subjects(group, self.layout.all) or [":"]
            label, _, text = on.partition(":")
            yield from self._field(label.strip(), text.strip())
            yield from (f"{' ' * (self._indent + 6)}{clean(line.strip())}" for line in items)
        elif len(group) > 1 and (others := self._others(group)):
            yield from self._field("also", others)
        if finding.severity in BRIEF and not finding.refused and not self.layout.verbose:
            return
        if self.layout.verbose:
            yield from excerpt_lines(finding, self.layout)
        said = finding.rule, finding.target if finding.refused else ""
        if said not in explained or self.layout.verbose:
            yield from body_lines(finding, self._fix(finding), self.layout, self._indent)
        explained.add(said)
        for row in (row for member in group for row in self.consequences.get(id(member), ())):
            yield from self._field("so also", f"{row.severity} {row.rule}: {headline(row)}")
        if self.layout.verbose and finding.claim is not None:
            yield from story_lines(finding.claim)

    def _fix(self, finding: Finding) -> str:
        """What to do, in the file's own spelling; properties are spelled as the rules spell them."""
        if finding.kafka_key is None:
            return finding.fix
        return self._file_fixes.fix_of(finding)

    def _mark_of_fix(self, finding: Finding) -> str:
        """What stands behind the rule of a finding that `lint --fix` mends."""
        return self._file_fixes.mark(finding) if finding.applicability == SAFE else ""

    @property
    def _file_fixes(self) -> FileFixes:
        if self._fixes is None:
            from advisor.reports.file_fixes import FileFixes

            self._fixes = FileFixes(self.report)
        return self._fixes

    @property
    def _indent(self) -> int:
        return LINE + 2 + SEVERITY + 2 if self.layout.width >= NARROW else LINE + 2

    def _field(self, label: str, text: str) -> list[str]:
        return field_lines(label, text, self.layout, self._indent)

    def _row(self, finding: Finding, group: Sequence[Finding]) -> Iterator[str]:
        """A finding's row; on a terminal its rule stands at the right."""
        layout = self.layout
        mark = next((self.marks[id(row)] for row in group if id(row) in self.marks), "")
        severity = "REFUSED" if finding.refused else finding.severity
        line = "" if finding.line is None or layout.by_rule else str(finding.line)
        head = f"{line:>{LINE}}  {layout.style(severity, finding.severity)}{' ' * (SEVERITY - len(severity) + 2)}"
        rule = f"{'' if layout.by_rule else finding.rule}{self._mark_of_fix(finding)}".strip()
        tail = "  ".join(words for words in (layout.style(rule, f"rule {finding.name}") if rule else "", mark) if words)
        plain_tail = len(rule) + (len(mark) + 2 if mark else 0)
        words = clean(f"{self._subject(group)}{effect_of(finding)}").split(" ")
        taken = LINE + 2 + SEVERITY + 2
        lines = wrapped(words, layout.wrap_width - plain_tail - 2, taken, self._indent)
        yield from self._with_tail([head + lines[0], *lines[1:]], taken + len(lines[0]), tail, plain_tail)

    def _with_tail(self, lines: list[str], first: int, tail: str, columns: int) -> Iterator[str]:
        """The lines of a row with its tail at the right of the first one that leaves room for it, `first` columns long."""
        if not self.layout.wrap_titles or not tail:
            return iter([f"{lines[0]}{'  ' + tail if tail else ''}".rstrip(), *lines[1:]])
        lengths = [first, *map(len, lines[1:])]
        room = [self.layout.width - columns - length for length in lengths]
        at = next((number for number, gap in enumerate(room) if gap >= 2), None)
        if at is None:
            return iter([*lines, f"{' ' * (self.layout.width - columns)}{tail}"])
        lines[at] += " " * room[at] + tail
        return iter(lines)

    def _subject(self, group: Sequence[Finding]) -> str:
        """Whom a row is about where no line says it: the place where rules are the heads, else the subjects' names."""
        finding = group[0]
        if self.layout.by_rule:
            return f"{place_and_name(finding)}: "
        if finding.file is None:
            kind, name = finding.entity
            return f"{kind}: " if name == finding.place else f"{kind} {name}: "
        is_only_one = self.names.get(finding.file, 1) == 1 and not finding.is_removal
        if finding.line is not None or is_only_one or finding.entity[0] == "file":
            return ""
        from advisor.reports.text.grouped import names_of

        return f"{names_of(list(dict.fromkeys(row.entity[1] for row in group if row.line is None)), self.layout.all)}: "

    def _others(self, group: Sequence[Finding]) -> str:
        """Where else the words of a group's first finding are true."""
        if self.layout.by_rule:
            return ", ".join(map(place_and_name, group[1:]))
        lines = dict.fromkeys(row.line for row in group[1:] if row.line not in (None, group[0].line))
        here = sum(row.line == group[0].line is not None for row in group[1:])
        texts = [f"{here} more at this line"] if here else []
        texts += [f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"] if lines else []
        return "; ".join(texts)


def groups_of(rows: Sequence[Finding]) -> list[list[Finding]]:
    """Findings of one section with the same words, those of running clusters of one rule and kind of subject."""
    grouped: dict[object, list[Finding]] = {}
    for row in rows:
        of_place = (row.rule, row.severity, row.refused, row.place, row.entity[0])
        grouped.setdefault(words_in_file(row) if row.file is not None else of_place, []).append(row)
    return list(grouped.values())


def words_of(row: Finding) -> tuple[object, ...]:
    """All that a report says of a finding but where it stands: the whole value, and the release that was judged for."""
    said = (row.severity, row.confidence, row.refused, effect_of(row), row.value, row.required, row.target)
    return (row.rule, *said, row.cause)


def words_in_file(row: Finding) -> tuple[object, ...]:
    """The same beside others of a file: of listeners what is wrong, for their hosts, ports and protocols differ by node and key."""
    key = row.kafka_key or row.key or ""
    if not lists_addresses(key) and key != PROTOCOLS:
        return words_of(row)
    return (row.rule, row.severity, row.confidence, row.refused, row.message, row.required, row.target, row.cause)


def subject_names(report: Report) -> dict[str, int]:
    """How many subjects every judged file has."""
    names: dict[str, set[str]] = {}
    for snapshot in report.snapshots:
        for entity in snapshot.entities:
            if entity.file:
                names.setdefault(entity.file, set()).add(entity.name)
    return {file: len(subjects) for file, subjects in names.items()}


def story_lines(claim: Claim) -> Iterator[str]:
    """The simulated story, step by step."""
    from advisor.simulator.claims import story_of

    for number, line in enumerate(story_of(claim), 1):
        yield f"    {number:>2}. {line}"
