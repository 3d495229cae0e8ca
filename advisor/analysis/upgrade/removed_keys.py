"""Keys that the target removed or deprecates, and values that it deprecates."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.analysis.effective import row_of
from advisor.analysis.upgrade.plan import AFTER, SHOULD, UNKNOWN, UpgradeRow
from advisor.analysis.upgrade.releases import PROTOCOL
from advisor.analysis.upgrade.silent_changes import comparable
from advisor.analysis.upgrade.subject_upgrade import SubjectUpgrade
from advisor.model.finding import Finding

REMOVED_KEY, DEPRECATED_KEY, DEPRECATED_VALUE = "KA1402", "KA1403", "KA1413"


def removed_key_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """What the rules on removed and deprecated keys and values say of a subject at the target."""
    ids = (REMOVED_KEY, DEPRECATED_KEY, DEPRECATED_VALUE)
    report = subject.verdicts.report_on(subject.entity, subject.cluster, subject.to, ids)
    for finding in report.findings:
        if not finding.refused:
            yield subject.judged(part_of(subject, finding), finding)
    for row in report.unknown:
        yield subject.judged(UNKNOWN, row)


def part_of(subject: SubjectUpgrade, finding: Finding) -> str:
    """Before the upgrade goes what does something today and will not; ZooKeeper's keys go with the migration."""
    key = finding.kafka_key or finding.key or ""
    if finding.rule == DEPRECATED_VALUE:
        return SHOULD
    if finding.rule == DEPRECATED_KEY or key.startswith("zookeeper.") or key == PROTOCOL:
        return AFTER
    return SHOULD if does_something(subject, key) else AFTER


def does_something(subject: SubjectUpgrade, key: str) -> bool:
    """Whether the present release reads the key, the target does not, and the value is not the default."""
    definition = subject.today.definition(key)
    if definition is None or subject.then.definition(key) is not None:
        return False
    row = row_of(subject.today, key)
    return row is None or comparable(row.value) != comparable(definition.default)
