"""`lint --silence RULE --reason TEXT`: write the comment that silences each finding above it."""

from __future__ import annotations

from collections import Counter

from advisor.analysis.fixes.fixing import Fixing
from advisor.analysis.fixes.verdict import identity
from advisor.edits.change import NotEdited
from advisor.edits.comments import silence as comment_on
from advisor.edits.text import FileText, Splice
from advisor.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.analysis.fixes.verdict import Side
    from advisor.cli.settings import LintOptions
    from advisor.engine.policy import Policy
    from advisor.model.finding import Finding

LONGEST = 300
"""Characters of a reason."""


def silence(fixing: Fixing, options: LintOptions, policy: Policy) -> None:
    """Silence the findings of some rules, each with a comment in its file. Raises UserError."""
    rules = rules_of(options, policy)
    reason = reason_of(options.reason or "")
    chosen = [
        row for row in fixing.before.report.findings if row.rule in rules and fixing.wanted(row) and not row.is_change
    ]
    texts: dict[str, FileText] = {}
    by_file: dict[str, list[tuple[Splice, list[Finding]]]] = {}
    for (file, line), rows in by_line(chosen).items():
        try:
            texts[file] = fixing.text(file)
            splice = comment_on(texts[file], line, ",".join(dict.fromkeys(row.rule for row in rows)), reason)
        except NotEdited as why:
            fixing.left |= {identity(row): str(why) for row in rows}
            continue
        by_file.setdefault(file, []).append((splice, rows))
    edited = {file: texts[file].spliced(splice for splice, _ in comments) for file, comments in by_file.items()}
    keep(fixing, edited, {file: [row for _, rows in comments for row in rows] for file, comments in by_file.items()})


def keep(fixing: Fixing, edited: dict[str, bytes], rows: dict[str, list[Finding]]) -> None:
    """Keep the comments of those files whose findings are all silenced by them, where nothing else changes."""
    if not rows:
        return
    after = fixing.files.judged(fixing.texts | edited)
    left = {identity(row) for row in after.report.findings}
    refused = {file for file in rows if any(identity(row) in left for row in rows[file])}
    if not refused and not has_more(fixing.side, after, rows):
        fixing.texts, fixing.side = fixing.texts | edited, after
        fixing.fixed += [row for of_file in rows.values() for row in of_file]
    elif refused or len(rows) == 1:
        refuse(fixing, [row for file in refused or rows for row in rows[file]])
        keep_some(fixing, edited, rows, [file for file in rows if refused and file not in refused])
    else:
        files, middle = list(rows), len(rows) // 2
        keep_some(fixing, edited, rows, files[:middle])
        keep_some(fixing, edited, rows, files[middle:])


def keep_some(fixing: Fixing, edited: dict[str, bytes], rows: dict[str, list[Finding]], files: list[str]) -> None:
    """Keep the comments of some of the files."""
    keep(fixing, {file: edited[file] for file in files}, {file: rows[file] for file in files})


def has_more(before: Side, after: Side, rows: dict[str, list[Finding]]) -> bool:
    """Whether there are more findings than before, of any file where several are edited: one must not hide another's."""
    if len(rows) == 1:
        return len(after.findings) > len(before.findings)
    was, now = (Counter(row.file for row in side.findings) for side in (before, after))
    return not now <= was


def refuse(fixing: Fixing, rows: list[Finding]) -> None:
    """Leave findings as they are, with the reason."""
    fixing.left |= {identity(row): "a comment would not silence it here; write a waiver" for row in rows}


def by_line(findings: list[Finding]) -> dict[tuple[str, int], list[Finding]]:
    """Findings by their file and line."""
    rows: dict[tuple[str, int], list[Finding]] = {}
    for finding in findings:
        if finding.file is not None:
            rows.setdefault((finding.file, finding.line or 0), []).append(finding)
    return rows


def rules_of(options: LintOptions, policy: Policy) -> set[str]:
    """The ids of the rules to silence. Raises UserError."""
    ids: set[str] = set()
    for name in (name.strip() for word in options.silence for name in word.split(",")):
        matching = policy.matching(name)
        if not matching:
            raise UserError(f"--silence: {name}: no such rule or family; see `kafka-advisor rules`")
        ids |= matching
    return ids


def reason_of(text: str) -> str:
    """The reason of a comment. Raises UserError for none, and for one that is not a line of text."""
    if not text.strip() or not text.isprintable() or len(text) > LONGEST:
        raise UserError(f"--reason: write one line of up to {LONGEST} characters")
    return text.strip()
