"""The checks of `starts` that are no rules: each refuses its Bad example, takes its Good one, and is explained."""

from __future__ import annotations

import pytest

from advisor.analysis.literal_entities import entity
from advisor.analysis.startup import release_verdicts
from advisor.analysis.startup.judge import StartupJudge, all_checks
from advisor.analysis.startup.verdict import StartupVerdict
from advisor.catalog.target import target_of
from advisor.engine.verdicts import VerdictTree
from advisor.model import Target, Version
from advisor.model.finding import Finding, NotJudged
from advisor.samples.rule_examples import sides_of, snapshot_of
from rules import all_rules
from tests.support.commands import ROOT, run

CHECKS = {check.id: check for check in all_checks()}


JUDGE = StartupJudge(all_rules())


def refused(options: str, text: str) -> set[str]:
    """The ids that refuse an example, judged as the whole configuration of its kind and release."""
    kind, _, release = options.partition(", ")
    settings = dict(line.split("=", 1) for line in text.splitlines())
    verdict = JUDGE.judge(entity(kind, settings, target_of(release or "4.3", "the example")), complete=True)
    rows: list[Finding | NotJudged] = [*verdict.reasons, *verdict.unknown]
    return {row.rule for row in rows}


@pytest.mark.parametrize("id", CHECKS)
def test_a_check_refuses_its_bad_example_and_not_its_good_one(id: str) -> None:
    documentation = CHECKS[id].documentation()
    assert documentation.text("Why") and documentation.text("Fix") and documentation.text("See")
    ((options, bad),) = documentation.examples("Bad")
    ((_, good),) = documentation.examples("Good")
    assert id in refused(options, bad)
    assert id not in refused(options, good)


@pytest.mark.parametrize("id", CHECKS)
def test_a_check_is_explained_by_id_and_by_name(id: str) -> None:
    by_id, by_name = run("explain", id), run("explain", CHECKS[id].name)
    assert by_id.out == by_name.out
    assert by_id.out.startswith(f"{id} {CHECKS[id].name}\n")


def test_no_rule_has_the_id_or_the_name_of_a_check() -> None:
    taken = {text for rule in all_rules() for text in (rule.id, rule.name)}
    assert not taken & {text for check in CHECKS.values() for text in (check.id, check.name)}


RELEASES: tuple[Version, ...] = ((2, 8), (3, 0), (3, 5), (3, 9), (4, 0), (4, 4))
TARGETS = [Target(version, "asked for", given=True) for version in RELEASES]


def rows(verdict: StartupVerdict) -> list[object]:
    """What a verdict says, without the objects that say it."""
    findings = [
        (row.key, row.message, row.rule) for row in (*verdict.reasons, *verdict.changed) if isinstance(row, Finding)
    ]
    return [*findings, *((row.key, row.reason) for row in verdict.unknown), *verdict.ignored]


def test_several_releases_at_once_are_judged_as_each_of_them_alone() -> None:
    examples = [(rule, *example) for rule in JUDGE.rules for example in rule.documentation().examples("Bad")]
    tree = VerdictTree(remember=True)
    for rule, options, text in examples[::3]:
        for each in snapshot_of(rule, options, sides_of(text)[1]).entities:
            at_once = [rows(verdict) for verdict in JUDGE.judge_releases(each, TARGETS, tree)]
            for target, of_release in zip(TARGETS, at_once, strict=True):
                each.target = target
                assert of_release == rows(JUDGE.judge(each)), (rule.id, target.version)


def test_what_is_taken_over_from_the_release_before_changes_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    files = sorted(
        [*(ROOT / "tests/data/production").glob("*.properties"), *(ROOT / "examples/bad").glob("*.properties")]
    )
    assert len(files) > 10
    commands = [("starts", file, "--format", "json") for file in files]
    asked_anew = [run(*command).out for command in commands]
    monkeypatch.setattr(release_verdicts, "MANY", -1)
    assert [run(*command).out for command in commands] == asked_anew


CONSUMER = {
    "bootstrap.servers": "10.0.0.1:9092",
    "key.deserializer": "org.apache.kafka.common.serialization.StringDeserializer",
    "value.deserializer": "org.apache.kafka.common.serialization.StringDeserializer",
}
OAUTH = {
    "security.protocol": "SASL_PLAINTEXT",
    "sasl.mechanism": "OAUTHBEARER",
    "sasl.oauthbearer.token.endpoint.url": "https://idp.example.org/token",
    "sasl.jaas.config": "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;",
}


@pytest.mark.parametrize(
    ("settings", "release", "key", "is_unknown"),
    [
        ({"enable.auto.commit": "true"}, "4.3", "enable.auto.commit", True),
        ({"enable.auto.commit": "true", "group.id": "billing"}, "4.3", "enable.auto.commit", False),
        (OAUTH, "4.3", "sasl.oauthbearer.token.endpoint.url", True),
        (OAUTH, "3.9", "sasl.oauthbearer.token.endpoint.url", False),
    ],
)
def test_what_code_or_the_jvm_decides_is_unknown(
    settings: dict[str, str], release: str, key: str, is_unknown: bool
) -> None:
    verdict = JUDGE.judge(entity("consumer", CONSUMER | settings, target_of(release, "the example")))
    assert (key in {row.key for row in verdict.unknown}) is is_unknown
