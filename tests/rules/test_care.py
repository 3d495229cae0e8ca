"""A rule whose fix changes what a running cluster stands on says what may break: which rules those are is derived."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from advisor.rule import Rule
from tests.support.rule_cases import RULES

CONCERNS = {
    "quorum voters": r"controller\.quorum\.(voters|bootstrap\.servers)|server\.\d+",
    "min.insync.replicas of what exists": r".*min\.(insync\.replicas|isr)",
    "replication factor of what exists": r".*replication\.factor",
    "log.dirs": r"log\.dirs?|metadata\.log\.dir|dataDir|dataLogDir",
    "authorizers and their switches": r"authorizer\.class\.name|allow\.everyone\.if\.no\.acl\.found|super\.users",
    "listeners' protocols": r"listeners|advertised\.listeners|listener\.security\.protocol\.map|ssl\.client\.auth"
    r"|(security\.)?inter\.broker\.(protocol|listener\.name)|controller\.listener\.names|security\.protocol",
    "cleanup policy": r"(log\.)?cleanup\.policy",
    "retention": r".*retention\.(ms|bytes|hours|minutes)",
    "feature levels": r"metadata\.version|kraft\.version|inter\.broker\.protocol\.version",
}
"""What a cluster that runs stands on, and the keys of it."""
EXCEPTIONS = {
    "KA105": "the example's log.dirs only keeps another rule silent",
    "KA153": "the example's retention.ms only keeps another rule silent",
    "KA506": "nothing is to be changed on a laptop",
    "KA1401": "what is mended is the spelling of any key",
    "KA1415": "the second entry of a list does nothing",
}
"""Rules that change such a key in their examples, and yet need no care, with the reason."""
CLIENTS = {"producer", "consumer", "client"}


def concerns_of(rule: Rule) -> set[str]:
    """What a rule's fix changes: keys that its Bad examples and the Good example nearest to each do not share."""
    documentation = rule.documentation()
    good = [_settings(text) for _, text in documentation.examples("Good")]
    keys: set[str] = set()
    for _, text in documentation.examples("Bad"):
        bad = _settings(text)
        keys |= min(({key for key, _ in bad ^ other} for other in good), key=len)
    return {concern for concern, pattern in CONCERNS.items() for key in keys if re.fullmatch(pattern, key)}


def _settings(text: str) -> set[tuple[str, str]]:
    """(key, value) of every setting in an example, of files and of clusters alike."""
    return {(key, value) for key, value in re.findall(r"(?:^|\s)([\w.]+)\s*=[ \t]*(\S*)", text)}


def rules_that_need_care() -> Iterator[Rule]:
    """Rules about what runs: what Kafka refuses runs nowhere, and a client's file is not a cluster's."""
    for rule in RULES.values():
        if not rule.refuses and not set(rule.inputs) <= CLIENTS and rule.id not in EXCEPTIONS and concerns_of(rule):
            yield rule


@pytest.mark.parametrize("rule", list(rules_that_need_care()), ids=lambda rule: rule.id)
def test_a_fix_that_changes_what_a_cluster_stands_on_says_what_may_break(rule: Rule) -> None:
    care = rule.documentation().text("Care")
    assert care, f"{rule.id} changes {', '.join(sorted(concerns_of(rule)))}"
    assert len(care.split()) > 8


@pytest.mark.parametrize("id", EXCEPTIONS)
def test_exceptions_are_needed(id: str) -> None:
    assert concerns_of(RULES[id])
    assert not RULES[id].documentation().text("Care")


def test_there_are_many() -> None:
    assert len(list(rules_that_need_care())) > 50
