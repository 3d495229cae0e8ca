"""Quick fixes, fix all, silence with a reason, and explain: what may be done at a range of a buffer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise

from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    CodeActionParams,
    Command,
    Diagnostic,
    OptionalVersionedTextDocumentIdentifier,
    Range,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)

from advisor.analysis.fixes.fixing import Fixing
from advisor.analysis.fixes.verdict import identity
from advisor.edits.change import NotEdited
from advisor.edits.comments import silence
from advisor.edits.line_matching import differences
from advisor.edits.text import Splice
from advisor.lsp.diagnostics import Diagnostics
from advisor.lsp.positions import Text
from advisor.lsp.session import Document, State
from advisor.lsp.settings_at import Buffer
from advisor.model.finding import Finding
from advisor.reports.links import rule_url
from advisor.rule import SAFE
from collectors.files.syntax.properties import decode

FIX_ALL = "source.fixAll.kafkaAdvisor"
KINDS = (CodeActionKind.QuickFix, FIX_ALL)
SHOW_REASON, OPEN_PAGE = "kafka-advisor.showReason", "kafka-advisor.explain"
"""The commands of actions: put the cursor on a reason, open a rule's page."""
PLAIN = {
    "drop": "remove",
    "remove earlier": "remove the earlier lines of",
    "move comment": "move the comment above",
    "remove comment": "remove the comment that silences",
}
"""What edits that need no argument do."""
MOST = 12
"""Findings of a range for which actions are made."""
TRIED = 3_000
"""Subjects that are judged anew for the fixes of a range: each fix is tried on all of the document."""


def code_actions(
    document: Document, state: State, params: CodeActionParams, unsafe: bool, shows: bool, resolves: bool
) -> list[CodeAction]:
    """The actions at a range; `unsafe` are offered on demand, `shows` says that the client opens pages, `resolves` that it asks
    for the edit of an action when the user takes it."""
    maker = Actions(document, state, shows)
    actions: list[CodeAction] = []
    rows = maker.at(params.range)
    if wants(params, CodeActionKind.QuickFix):
        fixable = [row for row in rows if maker.may_fix(row[0], unsafe)][: maker.most_tried()]
        actions += [action for finding, shown in fixable for action in maker.quick_fix(finding, shown, unsafe)]
        actions += [action for finding, shown in rows for action in maker.silence(finding, shown)]
        actions += [action for finding, shown in rows for action in maker.explain(finding, shown)]
    if wants(params, FIX_ALL):
        actions += maker.fix_all_later() if resolves and params.context.only is None else maker.fix_all()
    return actions


def resolved(document: Document, state: State, action: CodeAction) -> CodeAction:
    """An action that was offered without its edit, with it; no edit where none of the fixes holds."""
    made = next(Actions(document, state, False).fix_all(), None)
    action.edit = made.edit if made else None
    return action


def wants(params: CodeActionParams, kind: str) -> bool:
    """Whether a kind of actions is asked for: by itself, or by one above it."""
    only = params.context.only
    return only is None or any(kind == each or kind.startswith(f"{each}.") for each in map(str_of, only))


def str_of(kind: CodeActionKind | str) -> str:
    """The name of a kind."""
    return kind.value if isinstance(kind, CodeActionKind) else kind


class Actions:
    """Makes the actions of one document as it was judged."""

    def __init__(self, document: Document, state: State, shows: bool) -> None:
        self.document = document
        self.state = state
        self.judged = state.judged
        self.buffer: Buffer = state.buffers[document.path]
        self.diagnostics = Diagnostics(state.judged, state.buffers)
        self.shows = shows
        self.uri = document.uri

    def at(self, range: Range) -> list[tuple[Finding, Diagnostic]]:
        """The findings at a range, each as it is shown; of those of several subjects at one place the first."""
        own = (finding for finding in self.judged.findings if finding.file == self.document.path)
        touched = (finding for finding in own if touches(range, self.diagnostics.range_of(finding)))
        distinct = {(row.rule, row.line, row.column, row.edit): row for row in reversed(list(touched))}
        return [
            (finding, self.diagnostics.diagnostic(finding)) for finding in islice(reversed(distinct.values()), MOST)
        ]

    def may_fix(self, finding: Finding, unsafe: bool) -> bool:
        """Whether a finding has a fix of the sort that is offered."""
        return bool(finding.edit) and not finding.is_change and (unsafe or finding.applicability == SAFE)

    def most_tried(self) -> int:
        """How many fixes are tried, one at least: fewer where the document has many subjects."""
        subjects = sum(len(snapshot.entities) for snapshot in self.judged.side.report.snapshots)
        return max(1, TRIED // max(1, subjects))

    def quick_fix(self, finding: Finding, shown: Diagnostic, unsafe: bool) -> Iterator[CodeAction]:
        """The fix of a finding, where it keeps what a fix must."""
        name = identity(finding)
        fixing = self._fixing(name, unsafe, lambda row: identity(row) == name)
        if not fixing.fixed or set(fixing.texts) != {self.document.path}:
            return
        is_safe = fixing.applicability(finding) == SAFE
        yield CodeAction(
            title=f"{title_of(finding)}{'' if is_safe else ' (unsafe: changes what is in force)'}",
            kind=CodeActionKind.QuickFix,
            diagnostics=[shown],
            is_preferred=is_safe,
            edit=self.edit_to(fixing.texts[self.document.path]),
        )

    def _fixing(self, what: object, unsafe: bool, wanted: Callable[[Finding], bool]) -> Fixing:
        """The fixing of some findings, tried once."""
        if (what, unsafe) not in self.state.fixed:
            fixing = Fixing(self.judged.files, unsafe, wanted, self.judged.side)
            fixing.run()
            self.state.fixed[what, unsafe] = fixing
        return self.state.fixed[what, unsafe]

    def silence(self, finding: Finding, shown: Diagnostic) -> Iterator[CodeAction]:
        """A comment above the line, whose reason is to be written."""
        if finding.is_change or finding.line is None:
            return
        try:
            splice = silence(self.buffer.file, finding.line, finding.rule, "")
        except NotEdited:
            return
        line = finding.line - 1
        column = self.buffer.text.units(splice.text.rstrip("\r\n"))
        yield CodeAction(
            title=f"Silence {finding.rule} here, with a reason",
            kind=CodeActionKind.QuickFix,
            diagnostics=[shown],
            edit=self.edit([self.text_edit(splice)]),
            command=Command("write the reason", SHOW_REASON, arguments=[self.uri, line, column])
            if self.shows
            else None,
        )

    def explain(self, finding: Finding, shown: Diagnostic) -> Iterator[CodeAction]:
        """The page of a finding's rule, where the client opens pages."""
        url = rule_url(finding.rule, finding.name)
        if url and self.shows:
            yield CodeAction(
                title=f"Explain {finding.rule} {finding.name}",
                kind=CodeActionKind.QuickFix,
                diagnostics=[shown],
                command=Command("explain", OPEN_PAGE, arguments=[url]),
            )

    def fix_all_later(self) -> Iterator[CodeAction]:
        """All safe fixes of the document, which are tried when the user takes them: editors ask at every move of the cursor."""
        path = self.document.path
        if any(row.file == path and row.edit and row.applicability == SAFE for row in self.judged.side.report.findings):
            yield CodeAction(title="Fix all that is safe to fix", kind=FIX_ALL, data=self.uri)

    def fix_all(self) -> Iterator[CodeAction]:
        """All safe fixes of the document."""
        path = self.document.path
        fixing = self._fixing(path, False, lambda row: row.file == path)
        if fixing.fixed and path in fixing.texts:
            yield CodeAction(
                title=f"Fix all that is safe to fix ({len(fixing.fixed)})",
                kind=FIX_ALL,
                edit=self.edit_to(fixing.texts[path]),
            )

    def edit_to(self, data: bytes) -> WorkspaceEdit:
        """The edit that makes another text of the buffer's, by whole lines."""
        return self.edit(list(line_edits(self.buffer.text, decode(data))))

    def edit(self, edits: Sequence[TextEdit]) -> WorkspaceEdit:
        """Edits of the document's version."""
        identifier = OptionalVersionedTextDocumentIdentifier(self.uri, self.document.version)
        return WorkspaceEdit(document_changes=[TextDocumentEdit(identifier, list(edits))])

    def text_edit(self, splice: Splice) -> TextEdit:
        """A splice of the file as an edit of the buffer."""
        text = self.buffer.text
        start, end = (text.offset_of(*self._place(offset)) for offset in (splice.start, splice.end))
        return TextEdit(text.range(start, end), splice.text)

    def _place(self, offset: int) -> tuple[int, int]:
        line = self.buffer.file.line_of(offset)
        return line, offset - self.buffer.file.line_start(line) + 1


def touches(range: Range, other: Range) -> bool:
    """Whether a range has a line of another one."""
    return other.start.line <= range.end.line and other.end.line >= range.start.line


def title_of(finding: Finding) -> str:
    """What a fix does."""
    verb, _, argument = finding.edit.partition(" ")
    what = finding.key or finding.rule
    if verb == "rename":
        return f"{finding.rule}: rename {what} to {argument}"
    if finding.edit in PLAIN:
        return f"{finding.rule}: {PLAIN[finding.edit]} {what}"
    return f"{finding.rule}: {finding.edit}"


def line_edits(old: Text, new: str) -> Iterator[TextEdit]:
    """The lines that differ between a buffer and a new text."""
    new = old.text[: old.mark] + new if old.mark else new
    before, after = lines_of(old), lines_of(Text(new))
    starts = [*old.starts, len(old.text)]
    for first, last, new_first, new_last in differences(before, after):
        where = old.whole(starts[first], starts[min(last, len(starts) - 1)])
        yield TextEdit(where, "".join(after[new_first:new_last]))


def lines_of(text: Text) -> list[str]:
    """The lines of a text with their ends."""
    bounds = [*text.starts, len(text.text)]
    return [text.text[start:end] for start, end in pairwise(bounds)]
