"""Suppressions: apply comments that silence findings, and judge the comments themselves."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.engine.policy import ALWAYS, BAD_SUPPRESSION, UNUSED_SUPPRESSION, Policy
from advisor.engine.report import Report
from advisor.model import Suppression
from advisor.model.finding import CERTAIN, Finding

Silenced = tuple[str | None, str, str | None, int | None]
"""A file, a rule, and the key and the line to which a comment is limited."""
FORM = "# kafka-advisor: ignore[KA101] reason until=2027-01-31"


def apply(comments: Sequence[Suppression], report: Report, policy: Policy) -> None:
    """Move the findings that a comment suppresses, and add findings about invalid or unused comments."""
    problems = [problem(comment, policy) for comment in comments]
    silenced = [
        [] if wrong else silenced_by(comment, policy) for comment, wrong in zip(comments, problems, strict=True)
    ]
    last = {each: number for number, of_comment in enumerate(silenced) for each in of_comment}
    used: set[Silenced] = set()
    findings: list[Finding] = []
    for finding in report.findings:
        by = [each for each in silencing(finding) if each in last]
        if not by or finding.rule in ALWAYS:
            findings.append(finding)
            continue
        used.update(by)
        finding.reason = comments[max(last[each] for each in by)].reason
        report.suppressed.append(finding)
    report.findings = findings
    for comment, wrong, of_comment in zip(comments, problems, silenced, strict=True):
        if wrong:
            report.findings.append(complaint(BAD_SUPPRESSION, "medium", comment, wrong, policy))
        elif used.isdisjoint(of_comment) and not ran_partly(comment, policy):
            unused = complaint(UNUSED_SUPPRESSION, "low", comment, "it silences nothing: remove it", policy)
            unused.applicability, unused.edit = "safe", "remove comment"
            report.findings.append(unused)


def silenced_by(comment: Suppression, policy: Policy) -> list[Silenced]:
    """What a comment silences: each rule at its key, or in the whole file."""
    return [(comment.file, id, comment.key, comment.line_of_key) for id in ids_of(comment, policy)]


def silencing(finding: Finding) -> set[Silenced]:
    """What a comment silences of which one is for this finding."""
    keys, lines = (None, finding.key), (None, finding.line)
    return {(finding.file, finding.rule, key, line) for key in keys for line in lines}


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
