"""Suppressions: apply comments that silence findings, and judge the comments themselves."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.engine.policy import ALWAYS, BAD_SUPPRESSION, UNUSED_SUPPRESSION, Policy
from advisor.engine.report import Report
from advisor.model import Suppression
from advisor.model.finding import CERTAIN, Finding

FORM = "# kafka-advisor: ignore[KA101] reason until=2027-01-31"


def apply(comments: Sequence[Suppression], report: Report, policy: Policy) -> None:
    """Move the findings that a comment suppresses, and add findings about invalid or unused comments."""
    used: set[int] = set()
    findings: list[Finding] = []
    problems = [problem(comment, policy) for comment in comments]
    valid_of_rule: dict[tuple[str | None, str], list[Suppression]] = {}
    for comment, wrong in zip(comments, problems, strict=True):
        for rule in ids_of(comment, policy) if wrong is None else ():
            valid_of_rule.setdefault((comment.file, rule), []).append(comment)
    for finding in report.findings:
        by = [comment for comment in valid_of_rule.get((finding.file, finding.rule), ()) if covers(comment, finding)]
        if not by or finding.rule in ALWAYS:
            findings.append(finding)
            continue
        used.update(id(comment) for comment in by)
        finding.reason = by[-1].reason
        report.suppressed.append(finding)
    report.findings = findings
    for comment, wrong in zip(comments, problems, strict=True):
        if wrong:
            report.findings.append(complaint(BAD_SUPPRESSION, "medium", comment, wrong, policy))
        elif id(comment) not in used and not ran_partly(comment, policy):
            unused = complaint(UNUSED_SUPPRESSION, "low", comment, "it silences nothing: remove it", policy)
            unused.applicability, unused.edit = "safe", "remove comment"
            report.findings.append(unused)


def ids_of(comment: Suppression, policy: Policy) -> set[str]:
    """The ids of the rules that a comment names."""
    return {id for name in comment.rules for id in policy.matching(name)}


def ran_partly(comment: Suppression, policy: Policy) -> bool:
    """Whether some of the comment's rules did not run, so that it cannot be called unused."""
    ids = ids_of(comment, policy)
    return bool(ids & policy.ignored) or (policy.selected is not None and not ids <= policy.selected)


def problem(comment: Suppression, policy: Policy) -> str | None:
    """What is wrong with a suppression comment, None if it is valid."""
    if not comment.rules:
        return f"not understood; write {FORM}"
    if comment.key == "":
        return "no key below it"
    unknown = [name for name in comment.rules if not policy.matching(name)]
    if unknown:
        return f"no such rule: {', '.join(unknown)}"
    if not comment.reason:
        return f"it gives no reason; write {FORM}"
    return expiry_problem(comment, policy)


def expiry_problem(comment: Suppression, policy: Policy) -> str | None:
    """A message if the comment's until= date has passed or is not a date, else None."""
    if comment.until is None:
        return None
    from datetime import date

    try:
        until = date.fromisoformat(comment.until)
    except ValueError:
        return f"until={comment.until} is not a date; write until=2027-01-31"
    today = date.fromisoformat(policy.today) if policy.today else date.today()
    return f"it expired on {comment.until}" if until < today else None


def complaint(about: tuple[str, str], severity: str, comment: Suppression, text: str, policy: Policy) -> Finding:
    """A finding about a suppression comment."""
    return Finding(
        rule=about[0],
        name=about[1],
        severity=severity,
        confidence=CERTAIN,
        message=f"suppression of {', '.join(comment.rules) or 'nothing'}: {text}",
        why="a finding that is silenced without a reason that still holds is a risk that is not reviewed any more.",
        fix=f"write the reason (and a date) behind the brackets, or remove the comment: {FORM}",
        entity=("file", comment.file.rpartition("/")[2]),
        key=",".join(comment.rules) or None,
        file=comment.file,
        line=comment.line,
        column=1,
        place=policy.place(comment.file),
    )


def covers(suppression: Suppression, finding: Finding) -> bool:
    """Whether a comment that names the finding's rule is for its key, or for the whole file."""
    return suppression.key in (None, finding.key) and suppression.line_of_key in (None, finding.line)
