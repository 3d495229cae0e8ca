"""What the user decides: configuration files, suppressions, baselines, rules of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import run

BAD = "bootstrap.servers=b1:9092,b2:9092\nacks=1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.properties").write_text(BAD)
    return tmp_path


def names(*arguments: object) -> dict[str, str]:
    ran = run("lint", "--format", "json", *arguments)
    return {row["name"]: row["severity"] for row in ran.json["findings"]}


def test_yaml_configuration_is_found_upward(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "kafka-advisor.yaml").write_text("severity:\n  acks-not-all: low\nignore: [KA14]\nfail_on: low\n")
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    assert names("../p.properties")["acks-not-all"] == "low"
    assert run("lint", "../p.properties").code == 1
    assert names("../p.properties", "--no-config")["acks-not-all"] == "high"


def test_pyproject_counts_only_with_our_section(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("this is not [ TOML")
    assert names("p.properties")["acks-not-all"] == "high"
    (folder / "pyproject.toml").write_text('[tool.kafka-advisor]\nprofile = "dev"\n')
    assert names("p.properties")["acks-not-all"] == "medium"
    assert names("p.properties", "--profile", "regulated")["acks-not-all"] == "critical"


def test_paths_choose_kind_version_and_profile(folder: Path) -> None:
    (folder / "kafka-advisor.yaml").write_text(
        "paths:\n  'conf/*.properties': {kind: producer, kafka-version: '2.8', profile: dev}\n"
    )
    (folder / "conf").mkdir()
    (folder / "conf/x.properties").write_text("bootstrap.servers=b1:9092,b2:9092\n")
    report = run("lint", "--format", "json", "conf/x.properties").json
    assert report["inputs"][0]["kafka_version"] == "2.8"
    assert {row["name"]: row["severity"] for row in report["findings"]}["acks-not-all"] == "medium"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("profil: dev\n", "did you mean profile?"),
        ("profile: prod\n", "none of dev, staging"),
        ("select: {a: b}\n", "must be a list"),
        ("- a\n", "must be a mapping"),
        ("a: [\n", "not YAML"),
        ("severity: {nonsense: high}\n", "no such rule"),
        ("severity: {KA101: huge}\n", "huge is none of"),
        ("paths: {'*': {knid: producer}}\n", "did you mean kind?"),
        ("kafka-version: banana\n", "banana"),
    ],
)
def test_a_wrong_configuration_is_one_line(folder: Path, text: str, says: str) -> None:
    (folder / "kafka-advisor.yaml").write_text(text)
    ran = run("lint", "p.properties")
    assert ran.code == 2
    assert says in ran.err
    assert ran.err.count("\n") == 1


def suppressed(text: str) -> tuple[set[str], set[str]]:
    Path("p.properties").write_text(text)
    report = run("lint", "--format", "json", "p.properties").json
    found = {f"{row['name']}:{row['line']}" for row in report["findings"]}
    return found, {f"{row['name']}: {row['reason']}" for row in report["suppressed"]}


def test_a_comment_silences_the_key_below_it() -> None:
    found, silenced = suppressed(
        "a.b=1\n# kafka-advisor: ignore[KA101] telemetry may be lost until=2999-01-01\nacks=1\n"
    )
    assert "acks-not-all: telemetry may be lost" in silenced
    assert not any(name.startswith(("acks-not-all", "bad-", "unused-")) for name in found)


def test_a_comment_for_the_file_silences_what_has_no_line() -> None:
    found, silenced = suppressed(f"# kafka-advisor: ignore-file[plaintext-client] behind a mesh\n{BAD}")
    assert "plaintext-client: behind a mesh" in silenced
    assert not any(name.startswith("plaintext-client") for name in found)


@pytest.mark.parametrize(
    ("comment", "finding"),
    [
        ("# kafka-advisor: ignore[KA101]", "bad-suppression:1"),
        ("# kafka-advisor: ignore[KA101] known until=2020-01-01", "bad-suppression:1"),
        ("# kafka-advisor: ignore[KA101] known until=soon", "bad-suppression:1"),
        ("# kafka-advisor: ignore[KA999] no such rule", "bad-suppression:1"),
        ("# kafka-advisor: ignore KA101 no brackets", "bad-suppression:1"),
        ("# kafka-advisor: ignore[KA102] another rule", "unused-suppression:1"),
    ],
)
def test_a_comment_that_does_not_hold_is_a_finding(comment: str, finding: str) -> None:
    found, silenced = suppressed(comment + "\nacks=1\n")
    assert finding in found
    assert "acks-not-all:2" in found
    assert not silenced


def test_a_comment_further_up_or_behind_a_value_silences_nothing() -> None:
    found, _ = suppressed("# kafka-advisor: ignore[KA101] far away\nlinger.ms=1\nacks=1\n")
    assert "acks-not-all:3" in found
    assert "unused-suppression:1" in found


def test_a_comment_for_a_rule_that_did_not_run_is_not_unused() -> None:
    Path("p.properties").write_text("# kafka-advisor: ignore[KA101] known\nacks=1\n")
    assert "unused-suppression" not in names("p.properties", "--ignore", "KA101")


def test_a_baseline_holds_findings_by_key_never_by_line(folder: Path) -> None:
    assert run("lint", "p.properties", "--write-baseline", "base.json").code == 0
    (folder / "p.properties").write_text("\n\n\n" + BAD)
    ran = run("lint", "p.properties", "--baseline", "base.json", "--format", "json")
    assert (ran.code, ran.json["findings"]) == (0, [])
    (folder / "p.properties").write_text(BAD + "retries=0\n")
    assert "retries" in {
        row["key"]
        for row in run("lint", "p.properties", "--baseline", "base.json", "--format", "json").json["findings"]
    }


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other", "findings": []}', '{"format": 1}'])
def test_a_wrong_baseline_is_one_line(folder: Path, text: str) -> None:
    (folder / "base.json").write_text(text)
    ran = run("lint", "p.properties", "--baseline", "base.json")
    assert ran.code == 2
    assert ran.err.count("\n") == 1


OWN = '''
from advisor.rule import Problem, rule

@rule("ACME1", "high")
def no_client_id(producer):
    """Every producer has a client id.

    Why: quotas go by it.
    Fix: set client.id.
    """
    if not producer.is_set("client.id"):
        yield Problem("client.id", "no client id", "a name")
'''


def test_rules_of_ones_own(folder: Path) -> None:
    (folder / "own.py").write_text(OWN)
    assert names("p.properties", "--rules", "own.py")["no-client-id"] == "high"
    assert "ACME1" in run("explain", "ACME1", "--rules", "own.py").out
    assert list(names("p.properties", "--rules", "own.py", "--select", "ACME1")) == ["no-client-id"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\n", "declares no rule"),
        ("import nonsense_module\n", "own.py:1"),
        ("def (\n", "own.py:1"),
        (OWN.replace("ACME1", "KA101"), "is taken"),
        (OWN.replace("(producer)", "(nonsense)"), "no such input: nonsense"),
        (OWN.replace('"high"', '"huge"'), "severities are"),
    ],
)
def test_a_wrong_rule_module_is_one_line(folder: Path, text: str, says: str) -> None:
    (folder / "own.py").write_text(text)
    ran = run("lint", "p.properties", "--rules", "own.py")
    assert ran.code == 2
    assert says in ran.err
    assert ran.err.count("\n") == 1


def test_a_rule_that_crashes_is_a_finding_and_exit_code_2(folder: Path) -> None:
    (folder / "own.py").write_text(OWN.replace("producer.is_set", "producer.nonsense"))
    ran = run("lint", "p.properties", "--rules", "own.py", "--format", "json", "--exit-zero")
    assert ran.code == 2
    crash = next(row for row in ran.json["findings"] if row["rule"] == "KA000")
    assert "ACME1" in crash["message"]
    assert "acks-not-all" in {row["name"] for row in ran.json["findings"]}


def test_asking_for_a_key_that_no_catalog_declares_is_a_crash(folder: Path) -> None:
    (folder / "own.py").write_text(OWN.replace("client.id", "client.idd"))
    assert run("lint", "p.properties", "--rules", "own.py").code == 2


def test_two_problems_in_one_evaluation_are_a_crash(folder: Path) -> None:
    (folder / "own.py").write_text(OWN + '        yield Problem("client.id", "twice")\n')
    assert run("lint", "p.properties", "--rules", "own.py").code == 2


def test_the_written_baseline_is_whole_json(folder: Path) -> None:
    run("lint", "p.properties", "--write-baseline", "base.json")
    assert json.loads((folder / "base.json").read_text())["format"] == "kafka-advisor-baseline/2"
    assert [path.name for path in folder.iterdir() if "partial" in path.name] == []


def test_a_baseline_knows_the_file_however_it_is_spelled(folder: Path) -> None:
    run("lint", "p.properties", "--write-baseline", "base.json")
    for spelled in ("./p.properties", str(folder / "p.properties"), "../" + folder.name + "/p.properties"):
        assert run("lint", spelled, "--baseline", "base.json", "--format", "json").json["findings"] == []


def test_two_comments_for_one_finding_are_both_used() -> None:
    found, silenced = suppressed(
        "# kafka-advisor: ignore-file[KA1] all of it\n# kafka-advisor: ignore[KA101] this one\nacks=1\n"
    )
    assert "acks-not-all: this one" in silenced
    assert not any(name.startswith("unused-") for name in found)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("severity: {zk-mod: low}\n", "kafka-advisor.yaml: severity: zk-mod: no such rule"),
        ("severity: {KA101: off}\n", "ignore switches it off"),
        ("ignore: [KA10x]\n", "kafka-advisor.yaml: ignore: KA10x"),
        ("paths: {'x': {kafka-version: 9x}}\n", "9x"),
    ],
)
def test_a_configuration_file_is_named_where_it_is_wrong(folder: Path, text: str, says: str) -> None:
    (folder / "kafka-advisor.yaml").write_text(text)
    ran = run("lint", "p.properties")
    assert ran.code == 2
    assert says in ran.err


def test_an_empty_folder_of_rules_is_refused(folder: Path) -> None:
    (folder / "rules").mkdir()
    assert run("lint", "p.properties", "--rules", "rules").code == 2


def test_the_profiles_that_were_used_are_named(folder: Path) -> None:
    (folder / "kafka-advisor.yaml").write_text("paths: {p.properties: {profile: dev}}\n")
    assert "(A), dev" in run("lint", "p.properties").out
