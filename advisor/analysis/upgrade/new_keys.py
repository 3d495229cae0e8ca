"""Keys that the target brings and that are worth setting: what its features offer, and what its rules ask for."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from advisor.analysis.upgrade.plan import AFTER, SETTING, UpgradeRow
from advisor.analysis.upgrade.subject_upgrade import SubjectUpgrade
from advisor.catalog.features import FEATURES, KRAFT_VERSION, STATIC_QUORUM_MAY_BECOME_DYNAMIC
from advisor.model.finding import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.engine.verdicts import Configs, RuleVerdict
    from advisor.rule import Rule

QUORUM = (
    "controller.quorum.bootstrap.servers",
    KRAFT_VERSION,
    "in place of controller.quorum.voters, once kraft.version is 1",
    "KIP-853",
)
OFFERS = {
    "consumer": (
        "group.protocol",
        "group.version",
        "consumer: members that stay go on reading while the group rebalances, once group.version is 1",
        "KIP-848",
    ),
    "streams": (
        "group.protocol",
        "streams.version",
        "streams: the brokers assign the tasks, once streams.version is 1",
        "KIP-1071",
    ),
    **dict.fromkeys(("broker", "controller", "combined"), QUORUM),
}
"""By kind: a key, the feature that it needs, what it is good for, and where that is written."""
LEAST = "medium"
"""The severity from which a finding on a new key counts."""


def new_key_rows(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """A row for each key that the file does not set."""
    yield from offered(subject)
    report = subject.verdicts.report_on(subject.entity, subject.cluster, subject.to, None, may_ask_for_a_key)
    for finding in report.findings:
        key = finding.kafka_key or finding.key or ""
        severe = rank(finding.severity) >= rank(LEAST) and not finding.refused
        if severe and is_new(subject, key):
            new = copy(finding)
            new.message = f"new: {finding.message}"
            yield subject.judged(AFTER, new)


def may_ask_for_a_key(rule: Rule, verdict: RuleVerdict, configs: Configs) -> bool:
    """Whether a finding may be about a key that the file does not set, or take the place of one."""
    if verdict.problem is None:
        return False
    place = verdict.places[0]
    follows = bool(rule.replaces or verdict.problem.cause)
    return follows or configs[place.input].setting(place.key) is None


def offered(subject: SubjectUpgrade) -> Iterator[UpgradeRow]:
    """The key with which the subject uses a feature that the upgrade brings."""
    key, feature, good_for, source = OFFERS.get(subject.entity.kind, ("", "", "", ""))
    levels = {each.name: min(each.levels) for each in FEATURES} | {KRAFT_VERSION: STATIC_QUORUM_MAY_BECOME_DYNAMIC}
    comes = key and subject.entity.family == "java" and subject.crosses(levels[feature])
    is_operators = subject.entity.format == "strimzi" and feature == KRAFT_VERSION
    if comes and key not in subject.entity.settings and not is_operators:
        yield subject.row(AFTER, SETTING, key, f"worth setting: {good_for}", source=source)


def is_new(subject: SubjectUpgrade, key: str) -> bool:
    """Whether the target has the key, the present release has not, and the file does not set it."""
    unset = key not in subject.entity.settings
    return unset and subject.then.definition(key) is not None and subject.today.definition(key) is None
