"""Findings as diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from lsprotocol.types import (
    CodeDescription,
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    DiagnosticTag,
    Location,
    Range,
)
from pygls.uris import from_fs_path

from advisor.errors import printable
from advisor.lsp.judged import Judged
from advisor.lsp.positions import Text
from advisor.lsp.settings_at import Buffer, written_settings
from advisor.model import Entity, Setting
from advisor.model.finding import EntityName, Evidence, Finding
from advisor.reports.context import fix_and_care
from advisor.reports.links import rule_url
from advisor.reports.text.finding import headline

Place = tuple[str | None, int | None, int | None]
"""A file, line and column."""
SOURCE = "kafka-advisor"
SEVERITIES = {
    "critical": DiagnosticSeverity.Error,
    "high": DiagnosticSeverity.Error,
    "medium": DiagnosticSeverity.Warning,
    "low": DiagnosticSeverity.Information,
    "info": DiagnosticSeverity.Hint,
}
DOES_NOTHING = ("drop", "remove earlier", "remove comment")
"""The edits of what does nothing where it stands."""
DEPRECATED = "deprecated-"
"""What the names of rules about deprecated keys and values begin with."""
PLACED = re.compile(r"^(?::?(\d+))?(?::(\d+))?:? *")
MOST_RELATED, LONGEST = 20, 1000
"""How many lines of evidence a diagnostic has, and the characters of one."""


class Diagnostics:
    """Makes diagnostics of what was judged; `buffers` are the texts that ranges are counted in, by path."""

    def __init__(self, judged: Judged, buffers: Mapping[str, Buffer]) -> None:
        self.judged = judged
        self.buffers = buffers
        self._entities: dict[EntityName, list[Entity]] = {}
        self._by_place: dict[EntityName, dict[Place, Setting]] = {}
        for snapshot in judged.side.snapshots:
            for entity in snapshot.entities:
                self._entities.setdefault((entity.kind, entity.name), []).append(entity)

    def of_file(self, path: str) -> list[Diagnostic]:
        """The diagnostics of one file."""
        if path in self.judged.not_read:
            return [self.not_judged(path)]
        return [self.diagnostic(row) for row in self.judged.findings if row.file == path]

    def diagnostic(self, finding: Finding) -> Diagnostic:
        """A finding at the value of its setting."""
        url = rule_url(finding.rule, finding.name)
        return Diagnostic(
            range=self.range_of(finding),
            severity=SEVERITIES[finding.severity],
            code=finding.rule,
            code_description=CodeDescription(url) if url else None,
            source=SOURCE,
            message=message_of(finding),
            tags=tags_of(finding) or None,
            related_information=list(islice(self._related(finding), MOST_RELATED)) or None,
            data={"name": finding.name, "severity": finding.severity},
        )

    def not_judged(self, path: str) -> Diagnostic:
        """Why a file is not judged, at the line that the reason names."""
        reason = self.judged.not_read[path]
        place = PLACED.match(reason)
        line = int(place[1]) if place and place[1] else 1
        text = self.buffers[path].text if path in self.buffers else Text("")
        start, end = text.bounds(min(line, len(text.starts)) - 1)
        return Diagnostic(
            range=text.range(start, end),
            severity=DiagnosticSeverity.Warning,
            source=SOURCE,
            message=f"not judged: {printable(reason[place.end() :] if place else reason)}",
        )

    def range_of(self, finding: Finding) -> Range:
        """Where a finding stands; of a key that is not there the first setting of its subject."""
        path = finding.file or ""
        buffer = self.buffers[path]
        if finding.line is None:
            return self._of_subject(finding, buffer)
        setting = self._settings_of(finding.entity).get((path, finding.line, finding.column))
        if setting is not None:
            key, value = buffer.setting_range(setting)
            return buffer.text.range(*(value if value[1] > value[0] else key))
        start, end = buffer.text.bounds(finding.line - 1)
        return buffer.text.range(min(buffer.text.offset_of(finding.line, finding.column or 1), end), end)

    def _settings_of(self, name: EntityName) -> Mapping[Place, Setting]:
        """The first setting at each place where entities of a name are set."""
        if name not in self._by_place:
            by_place = self._by_place[name] = {}
            for setting in (row for entity in self._entities.get(name, ()) for row in written_settings(entity)):
                origin = setting.origin
                by_place.setdefault((origin.file, origin.line, origin.column), setting)
        return self._by_place[name]

    def _of_subject(self, finding: Finding, buffer: Buffer) -> Range:
        lines = [
            setting.origin.line
            for entity in self._entities.get(finding.entity, ())
            if entity.format != "properties"
            for setting in written_settings(entity)
            if setting.origin.file == buffer.path and setting.origin.line
        ]
        line = min(lines, default=1) - 1
        return buffer.text.range(buffer.text.first_letter(line), buffer.text.bounds(line)[1])

    def _related(self, finding: Finding) -> Iterator[DiagnosticRelatedInformation]:
        """The other lines that a finding rests on."""
        seen = {(finding.file, finding.line)}
        for row in finding.evidence:
            if row.file is None or row.line is None or (row.file, row.line) in seen or row.file not in self.buffers:
                continue
            seen.add((row.file, row.line))
            text = self.buffers[row.file].text
            line = row.line - 1
            where = Location(from_fs_path(row.file) or "", text.range(text.first_letter(line), text.bounds(line)[1]))
            yield DiagnosticRelatedInformation(where, evidence_text(row))


def evidence_text(row: Evidence) -> str:
    """A line of evidence, of which a long one is cut."""
    text = f"{row.key}={row.value}" if row.value is not None else row.key
    return printable(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")


def message_of(finding: Finding) -> str:
    """What is wrong, and what to do."""
    title = printable(headline(finding))
    effect = f" ({finding.effect}, {finding.acts})" if finding.is_change and finding.effect else ""
    return f"{title}{effect}\n{printable(fix_and_care(finding))}" if finding.fix else title + effect


def tags_of(finding: Finding) -> Sequence[DiagnosticTag]:
    """Whether what the finding stands at does nothing, or is deprecated."""
    if finding.edit in DOES_NOTHING:
        return [DiagnosticTag.Unnecessary]
    return [DiagnosticTag.Deprecated] if finding.name.startswith(DEPRECATED) else []
