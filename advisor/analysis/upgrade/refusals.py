"""What the target release refuses of a subject's settings, and what the file alone cannot tell."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.startup.verdict import Remark
from advisor.analysis.upgrade.plan import MUST, SETTING, UNKNOWN, UpgradeRow
from advisor.analysis.upgrade.subject_upgrade import SubjectUpgrade


def refusal_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """A row for each reason why `starts` refuses a subject at the target, and for each why it cannot tell."""
    today, then = (subject.verdicts.start(subject.entity, release) for release in (subject.present, subject.to))
    refused = {identity(remark) for remark in today.reasons}
    for remark in then.reasons:
        yield remark_row(subject, MUST, remark, identity(remark) in refused)
    for remark in then.unknown:
        yield remark_row(subject, UNKNOWN, remark)


def identity(remark: Remark) -> tuple[str, str | None]:
    """What makes two releases' remarks the same: a message may name other values in each."""
    return remark.key, remark.rule


def remark_row(subject: SubjectUpgrade, part: str, remark: Remark, refused_today: bool = False) -> UpgradeRow:
    """A remark of a startup verdict as a row."""
    key = remark.key or None
    return subject.row(part, SETTING, key, remark.message, rule=remark.rule, refused_today=refused_today)
