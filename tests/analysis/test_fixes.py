"""Fixes of rules: each Bad example becomes one without the finding, safely where the rule says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.edits.fixes import EDITS, RENAME, SET
from advisor.rule import SAFE, UNSAFE, Problem, Rule
from advisor.samples.rule_examples import is_cluster_text, kind_for
from tests.support.commands import Ran, run
from tests.support.rule_cases import RULES

LEFT = {
    "KA1402": "a secret is not edited",
    "KA1411": "the finding would stay",
}
"""Examples that are not fixed, and why: a secret, and a class whose twin a later release removes, too."""
KINDS = {"config": "broker", "client": "producer", "node": "combined"}
NAMES = """
duplicate-key setting-shadowed zookeeper-key-in-kraft kraft-key-in-zookeeper protocol-version-in-kraft removed-key policy-on-broker
storage-setting-ignored streams-override-ignored setting-of-other-policy key-too-new list-entry-twice assignor-twice role-twice
log-dir-twice deprecated-key removed-class assignor-short-name inline-comment classic-key-in-new-protocol
"""
UNSAFE_NAMES = """
unknown-key acks-not-all idempotence-off idempotence-contradicted retries-limited unclean-election min-isr-1 in-flight-too-high
rebalance-delay-0 hostname-verification-off legacy-tls certificate-verification-off zk-autopurge-off
deprecated-partitioner login-module-mismatch upgrade-from-left throttle-left deprecated-value
"""


def examples() -> list[tuple[str, str, str]]:
    """(rule, options, text) of every Bad example of a rule that can be fixed."""
    return [
        (id, options, text)
        for id, rule in RULES.items()
        for options, text in (rule.documentation().examples("Bad") if rule.fix else ())
        if not is_cluster_text(text)
    ]


def file_of(rule: Rule, options: str, text: str, folder: Path) -> tuple[Path, list[str]]:
    """An example as a file, and the options of the command line that say what it is."""
    words = [word.strip() for word in options.split(",") if word.strip()]
    version = [part for word in words if word[0].isdigit() for part in ("--kafka-version", word)]
    kind = next((word for word in words if not word[0].isdigit() and word != "spring"), kind_for(rule))
    path = folder / ("example.yaml" if "spring" in words else "example.properties")
    path.write_text(text + "\n")
    return path, [*version, *([] if "spring" in words else ["--kind", KINDS.get(kind, kind)])]


def findings_left(ran: Ran, id: str) -> list[object]:
    """The findings of a rule that are left."""
    return [row for row in ran.json["findings"] if row["rule"] == id] if ran.out.strip() else []


@pytest.mark.parametrize(("id", "options", "text"), examples())
def test_a_bad_example_is_fixed(id: str, options: str, text: str, tmp_path: Path) -> None:
    rule = RULES[id]
    path, about = file_of(rule, options, text, tmp_path)
    command = ["lint", "--no-config", path, *about, "--format", "json", "-v"]
    assert findings_left(run(*command), id)
    unsafe = [] if rule.fix.startswith(SAFE) else ["--unsafe-fixes"]
    if unsafe:
        assert findings_left(run(*command, "--fix"), id)
    ran = run(*command, "--fix", *unsafe)
    assert ran.code != 2
    if id in LEFT:
        assert f"{id} not fixed: {LEFT[id]}" in ran.err
        return
    assert not findings_left(ran, id), ran.err
    fixed = path.read_bytes()
    run(*command, "--fix", *unsafe)
    assert path.read_bytes() == fixed


@pytest.mark.parametrize(("names", "word"), [(NAMES, SAFE), (UNSAFE_NAMES, UNSAFE)])
def test_the_rules_with_fixes(names: str, word: str) -> None:
    by_name: dict[str, list[str]] = {}
    for rule in RULES.values():
        by_name.setdefault(rule.name, []).append(rule.fix.partition(":")[0])
    wrong = {name: by_name.get(name) for name in names.split() if word not in by_name.get(name, [])}
    assert not wrong


def test_every_declared_fix_can_be_understood() -> None:
    for rule in RULES.values():
        if not rule.fix:
            continue
        applicability, _, edit = rule.fix.partition(": ")
        assert applicability in (SAFE, UNSAFE), rule.id
        edit = edit or rule.aim or ""
        assert edit in EDITS or edit.split(" ")[0] in (SET, RENAME, "remove"), rule.id


def test_a_problem_overrides_the_fix_of_its_rule() -> None:
    rule = RULES["KA1403"]
    assert rule.fix_of(Problem("a", "b")) == ("", "")
    assert rule.fix_of(Problem("a", "b", fix="rename c")) == (SAFE, "rename c")
    assert rule.fix_of(Problem("a", "b", fix="unsafe: rename c")) == (UNSAFE, "rename c")
    assert rule.fix_of(Problem("a", "b", fix="")) == ("", "")
    assert RULES["KA101"].fix_of(Problem("a", "b")) == (UNSAFE, "set acks=all")


@pytest.mark.parametrize(
    ("address", "is_edited"), [("zookeeper.connect=z:2181", False), ("bootstrap.servers=b:9092", True)]
)
def test_the_keys_of_an_old_client_stay_in_its_file(address: str, is_edited: bool, tmp_path: Path) -> None:
    """A client that looks its brokers up in ZooKeeper reads them; one with bootstrap.servers ignores them."""
    text = f"{address}\ngroup.id=g\nauto.commit.interval.ms=1000\nconsumer.timeout.ms=100\n"
    (tmp_path / "consumer.properties").write_text(text)
    run("lint", tmp_path / "consumer.properties", "--no-config", "--fix")
    assert ("consumer.timeout.ms" not in (tmp_path / "consumer.properties").read_text()) == is_edited
