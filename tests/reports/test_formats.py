"""Every format is read by its consumer's own definition, and nothing hostile or secret comes through any of them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.reports.context import RunResult
from advisor.reports.formats import MODULES, load
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from rules import all_rules
from tests.support.commands import ROOT, run
from tests.support.hostile_text import BATCHES, HOSTILE, with_topics
from tests.support.report_readers import (
    READERS,
    harmless,
    is_csv,
    is_github,
    is_gitlab,
    is_json,
    is_junit,
    is_markdown,
    is_prometheus,
    is_sarif,
)
from tests.support.written_reports import LIVE, written

RULES = all_rules()
FILES = [str(path) for path in sorted((ROOT / "examples").rglob("*.properties"))]


@pytest.fixture(autouse=True)
def _no_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def lint(name: str, *arguments: object) -> str:
    """A lint in a format."""
    ran = run("lint", "--no-config", "--format", name, *arguments)
    assert ran.code in (0, 1), ran.err
    return ran.out


def test_every_format_has_a_reader_and_a_place_in_the_help() -> None:
    assert list(READERS) == list(MODULES)
    assert all(name in run("lint", "--help").out for name in MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_the_consumer_reads_what_files_give(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    noted = tmp_path / "x.properties"
    noted.write_text("# kafka-advisor: ignore[KA101] known\nacks=1\nretries=${R}\nbootstrap.servers=a:1\n")
    READERS[name](lint(name, *[Path(file).relative_to(ROOT) for file in FILES]))
    monkeypatch.chdir(tmp_path)
    READERS[name](lint(name, "x.properties"))


@pytest.mark.parametrize("name", MODULES)
def test_the_consumer_reads_what_a_running_cluster_gives(name: str) -> None:
    READERS[name](written(name, parse_cluster(LIVE)))


# ---------------------------------------------------------------- what each format is for


def test_sarif_has_place_fingerprint_story_and_suppression(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a b" / "p.properties"
    file.parent.mkdir()
    file.write_text("acks=1\n# kafka-advisor: ignore[KA1001] the job sends again\nretries=0\n")
    results = {row["ruleId"]: row for row in is_sarif(lint("sarif", "a b/p.properties"))["results"]}
    acks = results["KA101"]
    place = acks["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b/p.properties"
    assert place["region"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 5}
    steps = acks["codeFlows"][0]["threadFlows"][0]["locations"]
    assert "is killed" in " ".join(step["location"]["message"]["text"] for step in steps)
    assert results["KA1001"]["suppressions"] == [{"kind": "inSource", "justification": "the job sends again"}]
    assert run("lint", file, "--no-config", "--write-baseline", "b.json").code == 0
    known = is_sarif(lint("sarif", file, "--baseline", "b.json"))["results"]
    assert {"kind": "external", "justification": "in the baseline"} in [row["suppressions"][0] for row in known]
    prints = acks["partialFingerprints"]
    file.write_text("\n\nacks=0\n")
    moved = {row["ruleId"]: row for row in is_sarif(lint("sarif", "a b/p.properties"))["results"]}
    assert moved["KA101"]["partialFingerprints"] == prints


def test_sarif_relates_the_settings_of_other_files() -> None:
    broker, client = ROOT / "examples/cluster/broker-1.properties", ROOT / "examples/bad/producer.properties"
    results = is_sarif(lint("sarif", *(ROOT / "examples/cluster").iterdir(), "--with", client))["results"]
    related = [row for row in results if "relatedLocations" in row]
    assert related
    names = {each["physicalLocation"]["artifactLocation"]["uri"] for row in related for each in row["relatedLocations"]}
    assert any(name.endswith(broker.name) for name in names)


@pytest.mark.parametrize("name", ["sarif", "gitlab", "github"])
def test_files_outside_the_folder_are_counted_aloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "p.properties").write_text("acks=1\n")
    (tmp_path / "repository").mkdir()
    monkeypatch.chdir(tmp_path / "repository")
    assert "outside this folder" in run("lint", "../p.properties", "--format", name).err
    monkeypatch.chdir(tmp_path)
    assert run("lint", "p.properties", "--format", name).err == ""


@pytest.mark.parametrize(("name", "says"), [("sarif", "GitHub"), ("gitlab", "links to nothing"), ("github", "no file")])
def test_what_a_consumer_cannot_show_is_said(tmp_path: Path, name: str, says: str) -> None:
    write(str(tmp_path / "c.json"), parse_cluster(LIVE))
    ran = run("lint", tmp_path / "c.json", "--format", name)
    assert says in ran.err
    assert ran.err.startswith(f"kafka-advisor: {name}: ")


def test_findings_without_a_file_are_placed_by_their_place_in_the_cluster() -> None:
    places = [row["locations"][0] for row in is_sarif(written("sarif", parse_cluster(LIVE)))["results"]]
    assert not any("physicalLocation" in place for place in places)
    assert any(place["logicalLocations"][0]["fullyQualifiedName"].startswith("example/topic/pay") for place in places)
    paths = [row["location"]["path"] for row in is_gitlab(written("gitlab", parse_cluster(LIVE)))]
    assert any(path.startswith("example/topic/pay") for path in paths)
    assert "file=" not in written("github", parse_cluster(LIVE))


def test_junit_tells_failures_unknowns_skips_and_passes_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.properties").write_text("acks=1\nretries=${R}\n")
    suites = {suite.name: {case.name: case for case in suite} for suite in is_junit(lint("junit", "p.properties"))}
    failed = suites["p.properties"]["KA101 acks-not-all acks [producer p.properties]"]
    assert (failed.classname, failed.result[0].type) == ("durability", "high")
    assert "p.properties:1:1" in failed.result[0].text
    unknown = next(case for name, case in suites["p.properties"].items() if "retries" in name and case.result)
    assert "could not be judged" in unknown.result[0].message
    others = suites["rules without findings"]
    assert "needs" in others["KA102 min-isr-1"].result[0].message
    assert any(not case.result for case in others.values())


def test_a_crashed_rule_is_an_error_in_junit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(
        "from advisor.rule import Problems, rule\n\n\n@rule('MY1', 'low')\n"
        "def mine(producer) -> Problems:\n    '''Mine.\n\n    Why: x.\n    Fix: y.\n    Bad:\n        acks=1\n"
        "    Good:\n        acks=all\n    See: z.\n    '''\n    yield 1 / 0\n"
    )
    Path("p.properties").write_text("acks=1\n")
    ran = run("lint", "p.properties", "--rules", "own.py", "--format", "junit")
    assert ran.code == 2
    assert sum(suite.errors for suite in is_junit(ran.out)) == 1


def test_github_shows_ten_of_a_kind_counts_the_rest_and_adds_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    topics = "".join(f"topic t{n}\n0: leader 1 replicas 1 isr 1\n" for n in range(70))
    text = written("github", parse_cluster(f"kafka 4.3\nbrokers 1 2 3\n{topics}"))
    is_github(text)
    assert re.search(r"^\d+ more of the kind error", text, re.M)
    table = summary.read_text()
    is_markdown(table)
    severities = re.findall(r"^\| (critical|high|medium|low|info) ", table, re.M)
    assert len(severities) > 30
    assert severities == sorted(severities, key=["critical", "high", "medium", "low", "info"].index)
    assert re.search(r"^\d+ more are in the full report", table, re.M)


def test_prometheus_counts_what_the_report_counts() -> None:
    document = is_json(lint("json", *FILES))
    families = is_prometheus(lint("prometheus", *FILES))
    counted: dict[str, float] = {}
    for sample in families["kafka_advisor_findings"].samples:
        counted[sample.labels["severity"]] = counted.get(sample.labels["severity"], 0) + sample.value
    assert counted == {name: document["summary"][name] for name in counted}
    assert len(counted) == 5
    rules = sum(sample.value for sample in families["kafka_advisor_rule_findings"].samples)
    assert rules == len(document["findings"])


@pytest.mark.parametrize(
    ("collected", "seconds"),
    [
        ("2026-11-23T12:45:08+00:00", 1795437908),
        ("2026-11-23T13:45:08+01:00", 1795437908),
        ("2026-11-23T12:45:08", 1795437908),
        ("", None),
        ("yesterday", None),
    ],
)
def test_prometheus_says_when_a_cluster_was_read(collected: str, seconds: int | None) -> None:
    snapshot = parse_cluster(LIVE)
    assert snapshot.live is not None
    snapshot.live.collected = collected
    samples = is_prometheus(written("prometheus", snapshot))["kafka_advisor_snapshot_timestamp_seconds"].samples
    assert [sample.value for sample in samples] == ([] if seconds is None else [seconds])


def test_prometheus_names_what_could_not_be_read() -> None:
    families = is_prometheus(
        written("prometheus", parse_cluster(f"{LIVE}\nunread acls: hidden\nunread groups: hidden"))
    )
    samples = families["kafka_advisor_unread"].samples
    assert {(sample.labels["part"], sample.value) for sample in samples} == {("acls", 1), ("groups", 1)}
    files = is_prometheus(lint("prometheus", *FILES))
    assert not files["kafka_advisor_unread"].samples + files["kafka_advisor_snapshot_timestamp_seconds"].samples


def test_csv_holds_findings_suppressed_and_unknown(tmp_path: Path) -> None:
    file = tmp_path / "p.properties"
    file.write_text("# kafka-advisor: ignore[KA101] known\nacks=1\nretries=${R}\nlinger.ms=-5\n")
    rows = is_csv(lint("csv", file))
    assert {row["status"] for row in rows} == {"finding", "suppressed", "unknown"}
    assert next(row for row in rows if row["status"] == "suppressed")["reason"] == "known"
    assert "-5" in {row["value"] for row in rows}, "a number stays a number"


# ---------------------------------------------------------------- hostile names and values, secrets, repetition


def test_a_comment_has_room_for_the_worst_of_names() -> None:
    topics = "".join(f"topic t{n}\n0: leader 1 replicas 1 isr 1\n" for n in range(70))
    snapshot = parse_cluster(f"kafka 4.3\nbrokers 1 2 3\n{topics}unread groups: {'@' * 10_000}")
    for entity in snapshot.entities:
        entity.name = entity.name + "@" * 10_000 if entity.kind == "topic" else entity.name
    text = written("markdown", snapshot)
    is_markdown(text)
    assert re.search(r"^\d+ more are in the full report", text, re.M)


@pytest.mark.parametrize("name", ["sarif", "junit", "gitlab", "prometheus"])
def test_findings_that_look_alike_are_told_apart(name: str) -> None:
    report = judge([parse_cluster(LIVE)], RULES, Policy(RULES))
    report.findings = [*report.findings, *report.findings]
    READERS[name]("".join(load(name).chunks(RunResult(report, RULES))))


@pytest.mark.parametrize("name", MODULES)
def test_hostile_names_are_harmless(name: str) -> None:
    for names in BATCHES:
        harmless(name, written(name, with_topics(parse_cluster(LIVE), "pay", names)))


@pytest.mark.parametrize("name", MODULES)
def test_hostile_values_and_file_names_are_harmless(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for texts in BATCHES:
        files = [hostile_file(text) for text in texts if text != HOSTILE["odd bytes"]]
        ran = run("lint", "--no-config", "--kind", "producer", "--format", name, *files)
        assert ran.code in (0, 1), ran.err
        harmless(name, ran.out)


def hostile_file(text: str) -> str:
    """A file with a hostile name, values and key in the working directory; its path."""
    value = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    path = "./" + text.replace("/", "_").replace("\0", "_")[:60] + ".properties"
    Path(path).write_text(f"acks={value}\nretries={value}\nbootstrap.servers={value}\n{value.replace('=', ':')}=1\n")
    return path


@pytest.mark.parametrize("name", MODULES)
def test_a_file_name_that_is_no_utf_8_is_harmless(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a\udcff.properties").write_bytes(b"acks=1\nclient.id=\xff\xfe\n")
    ran = run("lint", "--no-config", "--format", f"{name}=out", "a\udcff.properties")
    assert ran.code == 1, ran.err
    harmless(name, Path("out").read_bytes().decode("utf-8"))


def test_the_same_run_twice_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: dict[str, set[bytes]] = {name: set() for name in MODULES}
    files = {name: tmp_path / name for name in MODULES}
    for epoch in ("1700000000", "1700000000", None):
        if epoch is None:
            monkeypatch.delenv("SOURCE_DATE_EPOCH")
        else:
            monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        run("lint", "--no-config", *(f"--format={name}={file}" for name, file in files.items()), *FILES)
        for name, file in files.items():
            texts[name].add(file.read_bytes())
            file.unlink()
    assert [name for name, each in texts.items() if len(each) > 1] == [], "no format says when it was written"


# ---------------------------------------------------------------- several formats in one run


def test_several_formats_in_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.properties").write_text("acks=1\n")
    names = ("sarif", "junit", "gitlab", "csv", "markdown", "prometheus", "json")
    ran = run("lint", "p.properties", "--format", "text", *[w for n in names for w in ("--format", f"{n}={n}.out")])
    assert ran.code == 1
    assert "\n   1  high" in ran.out
    for name in names:
        READERS[name](Path(f"{name}.out").read_bytes().decode())
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize(
    ("formats", "says"),
    [
        (("json", "csv"), "json and csv both go to standard output"),
        (("text", "text"), "both go to standard output"),
        (("json=a", "csv=./a"), "both go to ./a"),
        (("json=",), "name the file"),
        (("yaml",), "no such format: yaml"),
        (("json=/nowhere/x",), "/nowhere/x: no such file or directory"),
    ],
)
@pytest.mark.parametrize("command", [("lint", "p.properties"), ("check", "c.json")])
def test_what_cannot_be_written_is_one_line_and_exit_2(
    command: tuple[str, ...], formats: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.properties").write_text("acks=1\n")
    write("c.json", parse_cluster(LIVE))
    ran = run(*command, *[word for name in formats for word in ("--format", name)])
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert says in ran.err


def test_a_baseline_run_writes_its_files_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.properties").write_text("acks=1\n")
    ran = run("lint", "p.properties", "--write-baseline", "b.json", "--format", "sarif=o.sarif")
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    assert is_sarif(Path("o.sarif").read_text())["results"]
    assert run("lint", "p.properties", "--write-baseline", "b.json").out.count("\n") == 1


def test_a_pipe_and_a_link_stay_what_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.properties").write_text("acks=1\n")
    Path("real.json").write_text("old")
    Path("link.json").symlink_to("real.json")
    assert run("lint", "p.properties", "--format", "json=link.json", "--format", "csv=/dev/null").code == 1
    assert Path("link.json").is_symlink()
    assert is_json(Path("real.json").read_text())["findings"]
    assert Path("/dev/null").is_char_device()


def test_check_takes_lists_of_rules_and_formats(tmp_path: Path) -> None:
    write(str(tmp_path / "c.json"), parse_cluster(LIVE))
    ran = run("check", tmp_path / "c.json", "--select", "KA1", "--ignore", "KA160", "--format", "json")
    assert {row["rule"][:3] for row in ran.json["findings"]} == {"KA1"}


def test_an_empty_run_is_an_empty_document(tmp_path: Path) -> None:
    (tmp_path / "x.properties").write_text("colour=blue\n")
    for name in ("json", "sarif", "junit", "gitlab", "github", "csv", "markdown", "prometheus"):
        ran = run("lint", tmp_path / "x.properties", "--format", name)
        assert ran.code == 3
        READERS[name](ran.out)


def test_only_the_formats_asked_for_are_loaded() -> None:
    code = "import sys; from advisor.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-S", "-c", code, "lint", "examples/bad/producer.properties", "--format", "prometheus"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    loaded = {
        name.removeprefix("advisor.reports.") for name in done.stderr.split() if name.startswith("advisor.reports.")
    }
    assert loaded & set(MODULES.values()) == {"machine.prometheus"}


def test_concise_names_the_outputs_or_the_cluster_where_there_is_no_file(tmp_path: Path) -> None:
    write(str(tmp_path / "c.json"), parse_cluster(LIVE))
    outputs = tmp_path / "topics.txt"
    outputs.write_text(TOPICS)
    for command, path, place in (("check", tmp_path / "c.json", "example"), ("lint", outputs, outputs)):
        rows = run(command, "--no-config", path, "--format", "concise").out.splitlines()[:-1]
        assert rows and all(row.startswith(f"{place}:1:1: ") for row in rows), rows
    assert f"{outputs}:1:1: high KA160 topic precious: " in "\n".join(rows)


TOPICS = """Topic: t	PartitionCount: 1	ReplicationFactor: 3	Configs: min.insync.replicas=2
	Topic: t	Partition: 0	Leader: 1	Replicas: 1,2,3	Isr: 1,2,3
Topic: precious	PartitionCount: 1	ReplicationFactor: 1	Configs: min.insync.replicas=1
	Topic: precious	Partition: 0	Leader: 1	Replicas: 1	Isr: 1
"""


def test_concise_has_a_line_for_each_finding() -> None:
    document = json.loads(lint("json", *FILES))
    *rows, total = lint("concise", *FILES).splitlines()
    assert len(rows) == len(document["findings"]) and total.startswith("Findings: ")
    for row, finding in zip(rows, document["findings"], strict=True):
        assert row.startswith(f"{finding['file']}:{finding['line'] or 1}:{finding['column'] or 1}: ")
        value = "not set" if finding["value"] is None else finding["value"][:20]
        assert f": {finding['severity']} {finding['rule']} " in row and finding["key"] in row and value in row
