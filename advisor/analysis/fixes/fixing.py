"""Fix files until nothing changes: edits of a pass do not overlap, the worse finding first; each is judged before it is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from advisor.analysis.fixes.clusters import fixed_clusters
from advisor.analysis.fixes.verdict import Identity, Side, identity, objection, why_unsafe
from advisor.edits.change import NotEdited
from advisor.edits.fixes import MOVE_COMMENT, REMOVE_COMMENT, Subjects, check_lines, splices_for
from advisor.edits.text import FileText, Splice, TakenSpans
from advisor.engine.report import Report
from advisor.model.finding import Finding
from advisor.rule import SAFE, UNSAFE

OF_COMMENTS = (MOVE_COMMENT, REMOVE_COMMENT)
PASSES = 10
MOST_JUDGED, TRIALS = 40_000, 12
"""Settings times trials, above which no more edits are tried, and the trials that there are for files of any size."""
MANY = 30
"""Clusters of a run from which on what speaks against the edits of one is told apart from what does against others'."""
UNTRIED = "these are too many settings to try each edit alone; fix fewer files at a time"
Chosen = list[tuple[Finding, list[Splice]]]


class Files(Protocol):
    """The files of a run, as they are or as they would be."""

    def judged(self, texts: Mapping[str, bytes]) -> Side:
        """What is found in the files with some of them edited."""

    def changes(self, before: Side, after: Side) -> Sequence[Finding]:
        """What the rules about changes find between two states."""

    def text_of(self, file: str) -> FileText:
        """The text of a file that may be written. Raises NotEdited for any other."""


class Fixing:
    """The fixing of files: `texts` are the edited ones, `fixed` the findings that are gone, `left` why others are not.

    `shown` says that the edits are shown, which none that moves or stands beside a secret is.
    """

    def __init__(
        self,
        files: Files,
        unsafe: bool,
        wanted: Callable[[Finding], bool] = lambda finding: True,
        side: Side | None = None,
        shown: bool = False,
    ) -> None:
        self.files = files
        self.applicabilities = (SAFE, UNSAFE) if unsafe else (SAFE,)
        self.wanted = wanted
        self.shown = shown
        self.texts: dict[str, bytes] = {}
        self._read: dict[str, tuple[bytes, FileText]] = {}
        self.fixed: list[Finding] = []
        self.left: dict[Identity, str] = {}
        self.unsafe: dict[Identity, str] = {}
        """Fixes that are called safe and are not here, with the reason."""
        self.before = self.side = side or files.judged({})
        settings = sum(len(entity.settings) for snapshot in self.side.snapshots for entity in snapshot.entities)
        self.trials = max(TRIALS, MOST_JUDGED // max(settings, 1))
        """How many more edits may be tried."""

    def run(self) -> None:
        """Pass over the findings until nothing changes."""
        for _ in range(PASSES):
            chosen = self._choose(self.applicabilities)
            if not chosen:
                return
            self._try(chosen)

    def applicability(self, finding: Finding) -> str:
        """Whether a fix is safe here."""
        return UNSAFE if finding.applicability == SAFE and identity(finding) in self.unsafe else finding.applicability

    def _choose(self, applicabilities: Sequence[str], only: set[Identity] | None = None) -> Chosen:
        """The findings to fix next, with edits that do not overlap, the safe ones first; some of them on demand."""
        chosen: Chosen = []
        subjects = Subjects(self.side.snapshots)
        taken: dict[str, TakenSpans] = {}
        silenced = silenced_lines(self.side.report)
        for finding in self._candidates(applicabilities):
            name = identity(finding)
            if only is not None and name not in only:
                continue
            try:
                text = self.text(finding.file or "")
                splices = splices_for(finding, subjects, text, self.shown)
                check_silenced(finding, text, splices, silenced)
                if self.shown:
                    check_lines(text, splices, subjects)
            except NotEdited as why:
                self.left[name] = str(why)
                continue
            others = taken.setdefault(finding.file or "", TakenSpans())
            if not any(map(others.overlap, splices)):
                for splice in splices:
                    others.take(splice)
                chosen.append((finding, splices))
        return chosen

    def _candidates(self, applicabilities: Sequence[str]) -> list[Finding]:
        """The findings that may be fixed and were not found to stay, those of the first applicability first."""
        declared = [row for row in self.side.report.findings if row.edit and self.applicability(row) in applicabilities]
        wanted = [row for row in declared if identity(row) not in self.left and self.wanted(row)]
        return sorted(wanted, key=lambda row: applicabilities.index(self.applicability(row)))

    def text(self, file: str) -> FileText:
        """The text of a file as it is now. Raises NotEdited."""
        data = self.texts.get(file)
        if data is None:
            return self.files.text_of(file)
        if file not in self._read or self._read[file][0] is not data:
            self._read[file] = data, FileText(file, data)
        return self._read[file][1]

    def _try(self, chosen: Chosen) -> None:
        """Keep the edits if they do what they should; else try the safe ones and the others, then each half of them."""
        findings = [finding for finding, _ in chosen]
        if not self.trials:
            self.left.update((identity(finding), UNTRIED) for finding in findings)
            return
        self.trials -= 1
        texts = self._edited(chosen)
        after = self.files.judged(texts)
        kinds = [each for each in self.applicabilities if each in set(map(self.applicability, findings))]
        is_safe = kinds == [SAFE]
        why = objection(findings, self.side, after)
        unsafe = "" if why or not is_safe else why_unsafe(findings, self.side, after, self.files.changes)
        if not why and not unsafe:
            self.texts, self.side = texts, after
            self.fixed += findings
        elif len(kinds) > 1:
            for applicability in kinds:
                self._try_some(set(map(identity, findings)), findings, applicability)
        elif len(chosen) > 1:
            kept, refused = self._by_cluster(findings, after, is_safe)
            self._try_some(kept, findings, kinds[0])
            if len(refused) > 1:
                self._try_parts(refused, kinds[0])
        elif why:
            self.left[identity(findings[0])] = why
        else:
            self.unsafe[identity(findings[0])] = unsafe

    def _by_cluster(
        self, findings: Sequence[Finding], after: Side, is_safe: bool
    ) -> tuple[set[Identity], list[Finding]]:
        """The findings of clusters against whose fixes nothing speaks, and those of others that are to be tried in parts."""
        kept: set[Identity] = set()
        refused: list[Finding] = []
        many = len(self.side.snapshots) >= MANY
        clusters = fixed_clusters(findings, self.side, after) if many else []
        for cluster in clusters:
            why = cluster.objection()
            unsafe = "" if why or not is_safe else cluster.changes()
            if not why and not unsafe:
                kept |= set(map(identity, cluster.fixes))
            elif len(cluster.fixes) > 1:
                refused += cluster.fixes
            else:
                (self.left if why else self.unsafe)[identity(cluster.fixes[0])] = why or unsafe
        return (kept, refused) if clusters and len(kept) < len(findings) else (set(), list(findings))

    def _try_parts(self, findings: Sequence[Finding], applicability: str) -> None:
        """Try the halves of some findings; those of one rule and key stay together, since all nodes should have the same."""
        groups: dict[tuple[str, str | None], dict[Identity, None]] = {}
        for finding in findings:
            groups.setdefault((finding.rule, finding.kafka_key or finding.key), {})[identity(finding)] = None
        names = list(groups.values())
        parts = names if len(groups) > 1 else [{each: None} for group in names for each in group]
        middle = len(parts) // 2 if len(groups) > 1 else 1
        for half in (parts[:middle], parts[middle:]):
            self._try_some(set().union(*half), findings, applicability)

    def _try_some(self, some: set[Identity], findings: Sequence[Finding], applicability: str) -> None:
        """Try some of the findings that could not be fixed together."""
        again = self._choose((applicability,), some)
        if again and len(again) < len(findings):
            self._try(again)

    def _edited(self, chosen: Chosen) -> dict[str, bytes]:
        """The texts of the edited files."""
        by_file: dict[str, list[Splice]] = {}
        for finding, splices in chosen:
            by_file.setdefault(finding.file or "", []).extend(splices)
        edited = {file: self.text(file).spliced(dict.fromkeys(splices)) for file, splices in by_file.items()}
        return self.texts | edited


Line = tuple[str | None, int | None]


def silenced_lines(report: Report) -> set[Line]:
    """(file, line) of findings that a comment, a waiver or a baseline silences."""
    return {(row.file, row.line) for row in report.suppressed if row.line}


def check_silenced(finding: Finding, text: FileText, splices: Sequence[Splice], silenced: set[Line]) -> None:
    """Raise NotEdited where an edit replaces a line of which something is silenced."""
    if finding.edit in OF_COMMENTS or not silenced:
        return
    for start, end in ((each.start, each.end) for each in splices if each.end > each.start):
        lines = range(text.line_of(start), text.line_of(end - 1) + 1)
        if any((finding.file, line) in silenced for line in lines):
            raise NotEdited("a finding of this line is silenced, so the line stays as it is")
