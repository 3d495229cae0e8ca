"""What the target release refuses of a subject's settings, and what the file alone cannot tell."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.upgrade.plan import MUST, UNKNOWN, UpgradeRow
from advisor.analysis.upgrade.subject_upgrade import SubjectUpgrade
from advisor.model.finding import Finding


def refusal_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """A row for each reason why `starts` refuses a subject at the target, and for each why it cannot tell."""
    today, then = (subject.verdicts.start(subject.entity, release) for release in (subject.present, subject.to))
    refused = {identity(reason) for reason in today.reasons}
    for reason in then.reasons:
        yield subject.judged(MUST, reason, identity(reason) in refused)
    for row in then.unknown:
        yield subject.judged(UNKNOWN, row)


def identity(reason: Finding) -> tuple[str | None, str]:
    """What makes two releases' reasons the same: a message may name other values in each."""
    return reason.key, reason.rule
