"""The edits that `lint --fix` makes for findings, as reports show them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from copy import copy

from advisor.catalog import known_anywhere
from advisor.catalog.undocumented import AUTHORIZER
from advisor.edits.change import NotEdited
from advisor.edits.diff import hunks
from advisor.edits.fixes import SET, Subjects, check_lines, splices_for
from advisor.edits.text import FileText, Splice, read_text
from advisor.engine.report import Report
from advisor.errors import printable
from advisor.model import SERVER_KINDS, Spelling
from advisor.model.finding import Finding
from advisor.rule import SAFE
from collectors.files import unsaved
from collectors.files.reader import STDIN
from collectors.files.syntax.recognition import PROPERTIES

KEY = re.compile(r"(?<!-config )(?<![\w.$-])[a-z][a-z0-9]*(?:\.[a-z0-9]+)+(?:=[\w-]+)?(?![\w-]|\.\w)")
"""A word that may be a key of Kafka's, with its value."""
COMPONENTS = dict.fromkeys((*SERVER_KINDS, "node", "cluster", "quorum"), frozenset(("broker", "authorizer")))
"""Whose keys a fix of a node names; a client's are its own."""
LONGEST = 120
"""Characters of a new text that a sentence quotes."""
LINES = 400
"""Characters of the new lines that are shown as they would stand in the file."""

SETTING = re.compile(r"""\s*(?:- )?(["']?[\w.-]+["']?\s*[:=]\s*["']?[\w.-]+["']?),?\s*(?:#.*)?""")
"""A line that holds one setting with a plain value, without what a list or a comment adds."""
SEVERAL = re.compile(r"(?<![$])[{\[]")
"""What begins a collection: other settings are in the same line, and any of them may be a secret."""


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

    def lines(self) -> str:
        """The lines that are new or changed, as they stand in the file afterwards."""
        new = [line.rstrip("\r\n") for hunk in hunks(self.text, self.splices) for line in hunk.new]
        return "\n".join(new)

    def sentence(self) -> str:
        """What the edits do, in words that show nothing else of their lines."""
        parts = []
        for splice in self.splices:
            new = " ".join(splice.text.split())[:LONGEST]
            verb = "remove it" if not new else f"add “{new}” above" if splice.start == splice.end else f"write “{new}”"
            parts.append(f"line {self.text.line_of(splice.start)}: {printable(verb)}")
        return "; ".join(parts)


def _owners(key: str) -> Sequence[str]:
    """The components that know a key; an authorizer's is of the node that runs it."""
    return ("authorizer",) if key in AUTHORIZER else known_anywhere(key)


def _in_spelling(spelling: Spelling, components: Set[str], words: str) -> str:
    """A key of Kafka's, or KEY=VALUE, as a file writes it that does not take Kafka's own name."""
    key, joint, value = words.partition("=")
    if words in spelling.in_fixes or key in spelling.in_fixes:
        return spelling.in_fixes.get(words) or spelling.in_fixes[key] + joint + value
    has_own_name = spelling.form is not None or key in spelling.names
    if not has_own_name or components.isdisjoint(_owners(key)):
        return words
    return spelling.spell(key) + joint + value


def letters(key: str) -> str:
    """What a key has in common with its spellings in variables, fields and options."""
    return "".join(filter(str.isalnum, key)).lower()


class FileFixes:
    """The fixes of a report's findings, made from the files as they are."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._subjects: Subjects | None = None
        self._texts: dict[str, FileText | None] = {}
        self._last: tuple[tuple[object, ...], Edits | None] | None = None
        """The edits that were made last, and what for: a report asks for those of one finding several times."""

    def edits(self, finding: Finding, shown: bool = True) -> Edits | None:
        """The edits of a finding; None where it is not mended, or where they are `shown` and would move a secret."""
        if not finding.edit or finding.file is None:
            return None
        asked = (
            finding.edit,
            finding.file,
            finding.line,
            finding.entity,
            finding.kafka_key,
            finding.key,
            finding.required,
        )
        if self._last is None or self._last[0] != (*asked, shown):
            self._last = (*asked, shown), self._made(finding, finding.file, shown)
        return self._last[1]

    def _made(self, finding: Finding, file: str, shown: bool) -> Edits | None:
        text = self._text(file)
        try:
            return None if text is None else Edits(text, splices_for(finding, self._of_run, text, shown))
        except NotEdited:
            return None

    def mark(self, finding: Finding) -> str:
        """What stands behind the rule of a finding that `lint --fix` mends."""
        return " [*]" if finding.applicability == SAFE and self.edits(finding, shown=False) else ""

    def lines(self, finding: Finding, value: str | None) -> str:
        """The lines that a fix writes, as the file spells them: its own, else those that set a value.

        Empty where there are none, where they are long, or where a line holds what reports mask.
        """
        setting = copy(finding)
        setting.edit = "" if value is None else f"{SET} {finding.kafka_key or finding.key}={value}"
        return next(filter(None, map(self._new_lines, (finding, setting))), "")

    def fix_of(self, finding: Finding) -> str:
        """The rule's fix, with its keys and their values spelled as the finding's file spells them."""
        kafka_key, text = finding.kafka_key, finding.fix
        if kafka_key is None:
            return text
        spelling = self._spelling(finding)
        if not finding.derived and kafka_key not in spelling.in_fixes:
            mention = rf"(?<!-config )(?<![\w.-]){re.escape(kafka_key)}(?:=([\w-]+(?:\.\w+)*))?(?![\w-]|\.\w)"
            text = re.sub(mention, lambda found: self._spelled(finding, kafka_key, found[1]), text)
        components = COMPONENTS.get(finding.entity[0], {finding.entity[0]})
        return KEY.sub(lambda found: _in_spelling(spelling, components, found[0]), text)

    def _spelling(self, finding: Finding) -> Spelling:
        try:
            return self._of_run.of(finding).spelling or Spelling()
        except NotEdited:
            return Spelling()

    def _spelled(self, finding: Finding, kafka_key: str, value: str | None) -> str:
        """A key, or the line that sets it to a value, without what a list or an object puts around it."""
        key = finding.label or finding.key or ""
        key = key if letters(key).endswith(letters(kafka_key)) and not key.endswith(f".{kafka_key}") else kafka_key
        if value is None:
            return key
        setting = copy(finding)
        setting.edit = f"{SET} {kafka_key}={value}"
        lines = [SETTING.fullmatch(line) for line in self._new_lines(setting).splitlines()]
        return ", ".join(line[1] for line in lines if line) if all(lines) and lines else f"{key}={value}"

    def _new_lines(self, finding: Finding) -> str:
        edits = self.edits(finding)
        try:
            if edits is None:
                return ""
            check_lines(edits.text, edits.splices, self._of_run)
        except NotEdited:
            return ""
        new = edits.lines()
        if SEVERAL.search(new):
            return ""
        return new if len(new) <= LINES and all(map(str.isprintable, new.splitlines())) else ""

    def is_properties(self, finding: Finding) -> bool:
        """Whether a finding's file takes `key=value` as a line; where there is no file, Kafka's tools take it."""
        text = self._text(finding.file) if finding.file else None
        return finding.file is None or (text is not None and text.syntax == PROPERTIES)

    @property
    def _of_run(self) -> Subjects:
        if self._subjects is None:
            self._subjects = Subjects(self._report.snapshots)
        return self._subjects

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
