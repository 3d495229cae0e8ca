"""A pull request cannot silence its own gate unseen: what is in use is said, and may be taken from another commit."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.commands import Ran, run

BAD = "bootstrap.servers=a:1,b:1\nkey.serializer=a.B\nvalue.serializer=a.B\nacks=1\n"


def git(*arguments: str) -> None:
    names = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(("git", *names, *arguments), check=True, capture_output=True)


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository whose main branch has a producer with a risk and a configuration that ignores nothing of it."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    Path("producer.properties").write_text(BAD)
    Path("kafka-advisor.yaml").write_text("ignore: [KA650]\n")
    git("add", "-A")
    git("commit", "-qm", "one")
    git("switch", "-qc", "change")


def lint(*options: str) -> Ran:
    return run("lint", "producer.properties", "--format", "json", *options)


def rules(ran: Ran) -> set[str]:
    return {row["rule"] for row in ran.json["findings"]}


def commit(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    git("add", "-A")
    git("commit", "-qm", "two")


FINGERPRINT = "kafka-advisor-baseline/1"
SILENCERS = {
    "ignore": {"kafka-advisor.yaml": "ignore: [KA101]\n"},
    "a family": {"kafka-advisor.yaml": "ignore: [durability]\n"},
    "severity": {"kafka-advisor.yaml": "severity: {KA101: info}\n"},
    "paths": {"kafka-advisor.yaml": "paths: {'*.properties': {ignore: [KA101]}}\n"},
    "a profile of paths": {"kafka-advisor.yaml": "paths: {'*.properties': {profile: dev}}\n"},
    "profile": {"kafka-advisor.yaml": "profile: dev\n"},
    "select": {"kafka-advisor.yaml": "select: [security]\n"},
    "fail-on": {"kafka-advisor.yaml": "fail-on: critical\n"},
    "waivers": {"kafka-advisor.yaml": "waivers:\n- {rule: KA101, reason: x, until: 2999-01-01}\n"},
    "a file of waivers": {"kafka-advisor.yaml": "waivers: w.yaml\n", "w.yaml": "- {rule: KA101, reason: x, until: 2999-01-01}\n"},
}  # fmt: skip


@pytest.mark.parametrize("name", SILENCERS)
def test_the_gate_is_that_of_another_commit(name: str) -> None:
    before = lint()
    assert (before.code, "KA101" in rules(before)) == (1, True)
    commit(SILENCERS[name])
    silenced = lint()
    assert silenced.code == 0 or "KA101" not in rules(silenced) or name == "a profile of paths"
    kept = lint("--config-from", "main")
    assert (kept.code, "KA101" in rules(kept)) == (1, True)
    assert [row["severity"] for row in kept.json["findings"] if row["rule"] == "KA101"] == ["high"]
    assert not any("switches nothing off" in line for line in silenced.json["configuration"])
    assert "(of main)" in kept.json["configuration"][0] and "kafka-advisor.yaml" in kept.json["configuration"][0]


def test_a_baseline_is_that_of_the_commit() -> None:
    run("lint", "producer.properties", "--write-baseline", "b.json")
    commit({"kafka-advisor.yaml": "baseline: b.json\n"})
    assert lint().code == 0
    assert lint("--config-from", "main").code == 1
    git("switch", "-qc", "later")
    commit({"b.json": json.dumps({"format": FINGERPRINT, "findings": []})})
    assert lint().code == 1
    ran = lint("--config-from", "change")
    assert ran.code == 0
    assert any("b.json" in line and "known finding" in line for line in ran.json["configuration"])


@pytest.mark.parametrize(
    "place", ["# kafka-advisor: ignore[KA101] no reason\n", "# kafka-advisor: ignore-file[KA101] x\n"]
)
def test_comments_are_not_heeded(place: str) -> None:
    Path("producer.properties").write_text(BAD.replace("acks=1", f"{place}acks=1"))
    assert "KA101" not in rules(lint())
    ran = lint("--no-suppressions")
    assert "KA101" in rules(ran) and ran.json["suppressed"] == []
    assert any("comments" in line for line in ran.json["configuration"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ignore: [KA101]\n", "1 rule ignored"),
        ("ignore: [KA101, KA650]\n", "2 rules ignored"),
        ("severity: {KA101: low, KA650: info}\n", "2 severities lowered"),
        ("severity: {KA650: critical}\n", "switches nothing off"),
        ("kafka-version: '2.8'\n", "Kafka 2.8 assumed"),
        ("paths: {'*': {kafka-version: '2.8'}}\n", "a release assumed for 1 pattern of paths"),
        ("select: [KA101]\n", "1 rule selected"),
        ("profile: dev\n", "profile dev"),
        ("paths: {'a/*': {ignore: [KA101]}}\n", "rules ignored for 1 pattern of paths"),
        ("paths: {'a/*': {profile: staging}, 'b/*': {profile: regulated}}\n", "yaml: profile staging for some paths\n"),
        ("paths: {'a/*': {kind: producer}}\n", "kind set for 1 pattern of paths"),
        ("profiles: {label: {env: {test: dev, live: production}}}\n", "yaml: profile dev for some labels\n"),
        ("fail-on: critical\n", "fails on critical only"),
        ("fail-on: low\n", "switches nothing off"),
        ("waivers: [{rule: KA650, reason: x, until: 2999-01-01}]\n", "1 waiver"),
    ],
)
def test_what_is_in_use_is_said(text: str, says: str) -> None:
    Path("kafka-advisor.yaml").write_text(text)
    ran = run("lint", "producer.properties")
    assert f"in use: {Path.cwd() / 'kafka-advisor.yaml'}: " in ran.err and says in ran.err
    assert says.strip() in lint().json["configuration"][0]
    assert "in use" not in run("lint", "producer.properties", "--no-config").err


@pytest.mark.parametrize("ref", ["nosuch", "--output=x", "-x", "main:x", "main..change", "HEAD^{tree}", "", "a b"])
def test_a_commit_that_is_none_is_one_line(ref: str) -> None:
    ran = lint(f"--config-from={ref}")
    assert ran.code == 2 and ran.out == "" and len(ran.err.splitlines()) == 1
    assert "Traceback" not in ran.err


def test_without_a_configuration_in_the_commit_there_is_none() -> None:
    git("rm", "-q", "kafka-advisor.yaml")
    git("commit", "-qm", "none")
    Path("kafka-advisor.yaml").write_text("ignore: [KA101]\n")
    ran = lint("--config-from", "HEAD")
    assert "KA101" in rules(ran) and "KA650" in rules(ran)


def test_outside_of_a_repository_it_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path.parent / "outside"
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    Path("producer.properties").write_text(BAD)
    assert lint("--config-from", "main").code == 2


def test_a_comparison_says_what_is_in_use_and_what_a_comment_silences() -> None:
    Path("kafka-advisor.yaml").write_text("ignore: [KA650]\n")
    Path("new.properties").write_text(f"{BAD}# kafka-advisor: ignore[KA913] fine\nrequest.timeout.ms=1\n")
    ran = run("diff", "producer.properties", "new.properties", "--format", "json")
    said = ran.json["configuration"]
    assert said[0].endswith("kafka-advisor.yaml: 1 rule ignored") and all(line in ran.err for line in said)
    heeded = run(
        "diff", "producer.properties", "new.properties", "--no-config", "--no-suppressions", "--format", "json"
    )
    assert heeded.json["configuration"] == ["in use: comments that suppress findings are not heeded"]
    assert (
        "configuration"
        not in run("diff", "producer.properties", "producer.properties", "--no-config", "--format", "json").json
    )


def test_what_a_change_brings_and_silences_itself_is_named() -> None:
    commit({"producer.properties": f"{BAD}# kafka-advisor: ignore[KA912] fine\nrequest.timeout.ms=1\n"})
    ran = run("lint", "--since", "main", ".", "--no-config")
    named = [line for line in ran.err.splitlines() if "in use: since" in line]
    assert len(named) == 1 and "1 finding suppressed: KA912 " in named[0]
    assert "1 suppressed" in ran.out
    commit({"other.properties": BAD})
    heeded = run("lint", "--since", "HEAD~1", ".", "--no-config")
    assert "in use: since" not in heeded.err
