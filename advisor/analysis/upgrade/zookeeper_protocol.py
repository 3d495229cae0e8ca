"""inter.broker.protocol.version of brokers in ZooKeeper mode: held back before the upgrade, raised after it."""

from __future__ import annotations

from collections.abc import Iterator

from advisor import catalog
from advisor.analysis.upgrade.plan import AFTER, SETTING, SHOULD, UpgradeRow, text_of
from advisor.analysis.upgrade.releases import PROTOCOL
from advisor.analysis.upgrade.subject_upgrade import SubjectUpgrade
from advisor.facts import ZOOKEEPER

SOURCE = "https://kafka.apache.org/39/documentation/#upgrade_3_9_0"


def protocol_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """Two rows for a broker that stays in ZooKeeper mode, or passes through its last release."""
    last = min(subject.to, catalog.LAST_ZOOKEEPER)
    if subject.mode != ZOOKEEPER or subject.present >= last or subject.entity.missing is not None:
        return
    now, then = text_of(subject.present), text_of(last)
    if PROTOCOL not in subject.entity.settings:
        message = f"set it to {now}: without it each broker speaks {then} as soon as it restarts with {then}"
        yield subject.row(SHOULD, SETTING, PROTOCOL, message, source=SOURCE)
    if subject.to <= catalog.LAST_ZOOKEEPER:
        message = f"set it to {then} when all brokers have run {then} well, and restart them one by one again"
        yield subject.row(AFTER, SETTING, PROTOCOL, message, source=SOURCE)
