"""The edits that `lint --fix` makes for findings, as reports show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.edits.change import NotEdited
from advisor.edits.fixes import Subjects, splices_for
from advisor.edits.text import FileText, Splice, read_text
from advisor.engine.report import Report
from advisor.errors import printable
from advisor.model.finding import Finding
from advisor.rule import SAFE
from collectors.files import unsaved
from collectors.files.reader import STDIN

LONGEST = 120
"""Characters of a new text that a sentence quotes."""


class Edits:
    """The edits of a finding: `splices` of a text."""

    def __init__(self, text: FileText, splices: Sequence[Splice]) -> None:
        self.text = text
        self.splices = splices

    def rows(self) -> list[dict[str, object]]:
        """Each edit by lines and columns, from 1; the end is behind the last character."""
        rows = []
        for splice in self.splices:
            (line, column), (end_line, end_column) = map(self._position, (splice.start, splice.end))
            rows.append({"line": line, "column": column, "end_line": end_line, "end_column": end_column, "text": splice.text})  # fmt: skip
        return rows

    def _position(self, offset: int) -> tuple[int, int]:
        line = self.text.line_of(offset)
        return line, offset - self.text.line_start(line) + 1

    def sentence(self) -> str:
        """What the edits do, in words that show nothing else of their lines."""
        parts = []
        for splice in self.splices:
            new = " ".join(splice.text.split())[:LONGEST]
            verb = "remove it" if not new else f"add “{new}” above" if splice.start == splice.end else f"write “{new}”"
            parts.append(f"line {self.text.line_of(splice.start)}: {printable(verb)}")
        return "; ".join(parts)


class FileFixes:
    """The fixes of a report's findings, made from the files as they are."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._subjects: Subjects | None = None
        self._texts: dict[str, FileText | None] = {}

    def edits(self, finding: Finding) -> Edits | None:
        """The edits of a finding; None where it is not mended."""
        if not finding.edit or finding.file is None:
            return None
        text = self._text(finding.file)
        if self._subjects is None:
            self._subjects = Subjects(self._report.snapshots)
        try:
            return None if text is None else Edits(text, splices_for(finding, self._subjects, text, shown=True))
        except NotEdited:
            return None

    def _text(self, file: str) -> FileText | None:
        if file not in self._texts:
            self._texts[file] = None if file == STDIN and "-" not in unsaved.texts else read_text(file)
        return self._texts[file]

    def data(self, finding: Finding) -> Mapping[str, object] | None:
        """The fix as plain data; None where there is none."""
        edits = self.edits(finding)
        return None if edits is None else {"applicability": finding.applicability, "edits": edits.rows()}

    def suggestion(self, finding: Finding) -> str:
        """A sentence that says what the fix writes; empty where there is none."""
        edits = self.edits(finding)
        if edits is None:
            return ""
        option = "--fix" if finding.applicability == SAFE else "--fix --unsafe-fixes"
        return f" Suggestion ({option}): {edits.sentence()}."
