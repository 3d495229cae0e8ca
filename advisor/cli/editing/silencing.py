"""`lint --silence RULE --reason TEXT`: write the comment that silences each finding above it."""

from __future__ import annotations

from advisor.analysis.fixes.fixing import Fixing
from advisor.analysis.fixes.verdict import identity
from advisor.edits.change import NotEdited
from advisor.edits.comments import silence as comment_on
from advisor.edits.text import FileText, Splice
from advisor.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
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
    for file, comments in by_file.items():
        keep(
            fixing,
            file,
            texts[file].spliced(splice for splice, _ in comments),
            [row for _, rows in comments for row in rows],
        )


def keep(fixing: Fixing, file: str, data: bytes, rows: list[Finding]) -> None:
    """Keep a file's comments if all of its findings are silenced by them, and nothing else changes."""
    after = fixing.files.judged(fixing.texts | {file: data})
    left = {identity(row) for row in after.report.findings}
    if any(identity(row) in left for row in rows) or len(after.findings) > len(fixing.side.findings):
        fixing.left |= {identity(row): "a comment would not silence it here; write a waiver" for row in rows}
        return
    fixing.texts[file], fixing.side = data, after
    fixing.fixed += rows


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
