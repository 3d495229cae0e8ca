"""What `diff` says of two files, two snapshots and two reports, and when it fails."""

from __future__ import annotations

import copy
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from tests.support.canary import CANARY
from tests.support.commands import ROOT, run
from tests.support.hostile_text import BATCHES, with_topics
from tests.support.report_readers import harmless, is_github, is_gitlab, is_junit, is_sarif

GOOD = "acks=all\nbootstrap.servers=b1:9092,b2:9092\nkey.serializer=a.B\nvalue.serializer=a.B\nsecurity.protocol=SSL\n"
BROKER = "process.roles=broker\nnode.id=1\ncontroller.quorum.voters=9@c:1\nlisteners=SSL://h:1\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


RF = BROKER + "default.replication.factor=3\n"


def diff(old: str, new: str, *options: object) -> dict[str, Any]:
    ran = run("diff", put("old.properties", old), put("new.properties", new), "--format", "json", *options)
    assert ran.code in (0, 1), ran.err
    assert ran.json["format"] == "kafka-advisor-diff/1"
    return {"code": ran.code, **ran.json}


def rules(rows: list[dict[str, Any]]) -> list[str]:
    return [row["rule"] for row in rows]


@pytest.mark.parametrize(
    ("old", "new", "appear", "go", "code"),
    [
        (GOOD, GOOD, [], [], 0),
        (GOOD, GOOD.replace("acks=all", "acks=1"), ["KA101"], [], 1),
        (GOOD.replace("acks=all", "acks=1"), GOOD, [], ["KA101"], 0),
        (GOOD.replace("acks=all", "acks=1"), "\n\n" + GOOD.replace("acks=all", "acks=1"), [], [], 0),
        (GOOD.replace("acks=all", "acks=1"), GOOD.replace("acks=all", "acks=0"), [], [], 1),
        (GOOD, GOOD + "client.id=x\n", [], [], 0),
        (GOOD, GOOD.replace(",b2:9092", ""), ["KA1208"], [], 0),
    ],
)
def test_findings_that_appear_and_go(old: str, new: str, appear: list[str], go: list[str], code: int) -> None:
    found = diff(old, new)
    own = {"KA101", "KA1208"}
    assert [rule for rule in rules(found["findings"]["appear"]) if rule in own] == appear
    assert [rule for rule in rules(found["findings"]["go"]) if rule in own] == go
    assert found["code"] == code


@pytest.mark.parametrize(("fail_on", "code"), [("low", 1), ("medium", 0), ("info", 1)])
def test_the_exit_code_goes_by_what_appears(fail_on: str, code: int) -> None:
    assert diff(GOOD, GOOD.replace(",b2:9092", ""), "--fail-on", fail_on)["code"] == code
    assert diff(GOOD, GOOD.replace(",b2:9092", ""), "--fail-on", fail_on, "--exit-zero")["code"] == 0


def test_a_severity_that_rises_counts_as_appearing() -> None:
    old, new = BROKER + "log.retention.hours=1\n", BROKER + "unclean.leader.election.enable=true\n"
    put("kafka-advisor.yaml", "severity:\n  KA104: low\n")
    assert run("lint", put("o.properties", new), "--format", "json=old.json").code in (0, 1)
    Path("kafka-advisor.yaml").unlink()
    ran = run("diff", "old.json", "o.properties", "--format", "json", "--fail-on", "critical")
    change = next(row for row in ran.json["findings"]["change"] if row["finding"]["rule"] == "KA104")
    assert (change["old"], change["new"]) == ("low", "critical")
    assert ran.code == 1
    assert run("diff", put("a.properties", old), "o.properties", "--select", "KA104").code == 1


def test_a_setting_with_its_effect_default_and_secret() -> None:
    old = GOOD + "ssl.key.password=${env:P}\n"
    found = diff(old, GOOD.replace("acks=all\n", "acks=1\n") + f"ssl.key.password={CANARY}\nlinger.ms=5\n")
    rows = {row["key"]: row for row in found["settings"]}
    assert rows["acks"] == {
        "entity": {"kind": "producer", "name": "new.properties"},
        "key": "acks",
        "old": "all",
        "new": "1",
        "unset": [False, False],
        "appear": rows["acks"]["appear"],
        "go": [],
    }
    assert "KA101" in rows["acks"]["appear"]
    assert (rows["linger.ms"]["old"], rows["linger.ms"]["unset"]) == ("5", [True, False])
    assert (rows["ssl.key.password"]["old"], rows["ssl.key.password"]["new"]) == (
        "******** (placeholder)",
        "******** (literal)",
    )
    for format in ("text", "markdown", "json"):
        assert CANARY not in run("diff", "old.properties", "new.properties", "--format", format).out


def test_the_odds_are_those_of_simulate() -> None:
    found = diff(RF, RF + "min.insync.replicas=2\n")
    (row,) = found["odds"]
    assert (row["old"]["configuration"]["min_isr"], row["new"]["configuration"]["min_isr"]) == (1, 2)
    simulated = run("simulate", "--rf", 3, "--min-isr", 2, "--no-elr", "--format", "json").json
    assert row["new"]["odds"] == simulated["odds"]
    producer, elr = row["assumed"]
    assert producer == "no producer file: acks=all"
    assert elr.startswith(
        "no eligible leader replicas: with them (clusters formatted by Kafka 4.1 or newer) min.insync"
    )
    (row,) = diff(RF, RF + "min.insync.replicas=2\n", "--kafka-version", "4.0")["odds"]
    assert row["assumed"] == ["no producer file: acks=all"]
    assert diff(BROKER, BROKER + "log.retention.hours=9\n")["odds"] == []


def test_odds_that_change_are_ratios_and_the_others_a_footnote() -> None:
    put("old", BROKER + "default.replication.factor=3\nmin.insync.replicas=2\n")
    put("new", BROKER + "default.replication.factor=3\nmin.insync.replicas=1\n")
    lines = run("diff", "old", "new", "--kind", "broker").out.splitlines()
    (changed,) = [line for line in lines if "times as often" in line]
    assert changed == "  losses of the last in-sync replica: 8.0e-09 -> 2.1e-07 a year, 26 times as often"
    (same,) = [line for line in lines if line.startswith("  as before:")]
    assert "losses through a shared power loss: 0.5 a year" in same
    lines = run("diff", "new", "old", "--kind", "broker").out.splitlines()
    assert any("26 times as rare" in line for line in lines)


CLUSTER = """kafka 4.3
brokers 1/a 2/b 3/c
topic orders min.insync.replicas=2
0-2: leader 1 replicas 1,2,3 isr 1,2,3
topic gone
0: leader 1 replicas 1,2,3 isr 1,2,3"""


def test_two_snapshots_of_a_cluster() -> None:
    write("old.json", parse_cluster(CLUSTER))
    changed = CLUSTER.replace("min.insync.replicas=2", "min.insync.replicas=1").replace("0-2:", "0-5:")
    write("new.json.gz", parse_cluster(changed.replace("topic gone", "topic fresh")))
    ran = run("diff", "old.json", "new.json.gz", "--format", "json")
    rows = {(row["entity"]["name"], row["key"]): row for row in ran.json["settings"]}
    assert rows["orders", "min.insync.replicas"]["new"] == "1"
    assert (rows["orders", "partitions"]["old"], rows["orders", "partitions"]["new"]) == ("3", "6")
    assert ran.json["added"] == [{"kind": "topic", "name": "fresh"}]
    assert ran.json["removed"] == [{"kind": "topic", "name": "gone"}]
    assert [row["about"] for row in ran.json["odds"]] == [["orders"]]
    assert "KA" in run("diff", "old.json", "new.json.gz").out


def test_two_reports_have_findings_and_no_settings() -> None:
    put("p.properties", GOOD)
    run("lint", "p.properties", "--format", "json=old.json")
    put("p.properties", GOOD.replace("acks=all", "acks=1"))
    run("lint", "p.properties", "--format", "json=new.json")
    ran = run("diff", "old.json", "new.json", "--format", "json")
    assert (ran.code, ran.json["settings"]) == (1, None)
    assert "KA101" in rules(ran.json["findings"]["appear"])
    assert "a report holds findings only" in run("diff", "old.json", "new.json").out
    assert run("diff", "new.json", "new.json").code == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("absent.properties", "good.properties"),
        ("good.properties", "empty.properties"),
        ("good.properties", "broken.json"),
        ("good.properties", "report.json"),
    ],
)
def test_what_cannot_be_compared_is_exit_2(old: str, new: str) -> None:
    put("good.properties", GOOD)
    put("empty.properties", "# nothing\n")
    put("broken.json", '{"format": ')
    put("report.json", '{"format": "kafka-advisor/1", "findings": [{}], "unknown": [], "inputs": []}')
    ran = run("diff", old, new)
    assert ran.code == 2
    assert ran.out == ""
    assert all(line.startswith("kafka-advisor") for line in ran.err.splitlines())


@pytest.mark.parametrize("names", BATCHES)
@pytest.mark.parametrize("format", ["text", "json", "markdown"])
def test_hostile_names_and_values_are_harmless(format: str, names: tuple[str, ...]) -> None:
    changed = CLUSTER.replace("min.insync.replicas=2", "retention.ms=1")
    old, new = (with_topics(parse_cluster(text), "orders", names) for text in (CLUSTER, changed))
    for entity in new.entities:
        if entity.name in names:
            (key,) = entity.settings
            entity.settings = {key: copy.copy(entity.settings[key])}
            entity.settings[key].value = entity.name
    write("old.json", old)
    write("new.json", new)
    ran = run("diff", "old.json", "new.json", "--format", format)
    assert ran.code in (0, 1), ran.err
    if format == "json":
        assert json.loads(ran.out)["settings"]
        assert not any(char in ran.out for char in "\x1b\x9b\u202e\x7f")
    else:
        harmless(format, ran.out)


def test_the_examples_get_better_and_the_same_twice_is_the_same() -> None:
    bad, good = (ROOT / f"examples/{name}/server.properties" for name in ("bad", "good"))
    moved = run("diff", bad, good, "--format", "json")
    assert [row["rule"] for row in moved.json["change_findings"]] == [
        "KA1820", "KA1801", "KA1823", "KA1817", "KA1810", "KA1825", "KA1812",
    ]  # fmt: skip
    assert moved.code == 1
    assert run("diff", bad, good, "--ignore", "changes").code == 0
    assert run("diff", good, bad).code == 1
    assert run("diff", bad, good, "--format", "json").out == run("diff", bad, good, "--format", "json").out


def test_steps_of_a_plan_that_a_change_fulfils_are_named(tmp_path: Path) -> None:
    before = "kafka 4.3\nbrokers 1 2 3\nquorum leader=9 voters=9,8,7\ntopic orders\n0: leader 1 replicas {} isr {}"
    for name, replicas in (("old", "1"), ("new", "1,2,3")):
        write(str(tmp_path / f"{name}.json"), parse_cluster(before.format(replicas, replicas)))
    ran = run("diff", tmp_path / "old.json", tmp_path / "new.json")
    assert "Steps of a plan (kafka-advisor advise) that this fulfils:\n  Add replicas to user topics\n" in ran.out
    rows = run("diff", tmp_path / "old.json", tmp_path / "new.json", "--format", "json").json["plan"]
    assert [(row["step"], row["done"], row["of"]) for row in rows] == [("replicas", 1, 1)]
    back = run("diff", tmp_path / "new.json", tmp_path / "old.json", "--format", "json").json["plan"]
    assert back == []


@pytest.mark.parametrize("reader", [is_sarif, is_junit, is_gitlab, is_github])
@pytest.mark.parametrize("saved", [False, True])
def test_formats_for_programs_have_what_the_change_brings(reader: Callable[[str], Any], saved: bool) -> None:
    name = reader.__name__.removeprefix("is_")
    old, new = put("old.properties", GOOD), put("new.properties", GOOD.replace("acks=all", "acks=1"))
    if saved:
        for each in (old, new):
            run("lint", each, "--format", f"json={each}.json")
        old, new = f"{old}.json", f"{new}.json"
    ran = run("diff", old, new, "--format", name)
    reader(ran.out)
    assert ran.code == 1 and "KA101" in ran.out
    reader(run("diff", new, new, "--format", name).out)


def test_a_finding_that_is_read_back_is_the_same() -> None:
    put("old.properties", GOOD)
    put("new.properties", GOOD.replace("acks=all", "acks=1\nlinger.ms=x"))
    run("lint", "new.properties", "--format", "json=new.json")
    run("lint", "old.properties", "--format", "json=old.json")
    live = diff_json("old.properties", "new.properties")["findings"]["appear"]
    read_back = diff_json("old.json", "new.json")["findings"]["appear"]
    assert len(live) > 1
    assert [{**row, "proof": None} for row in live] == read_back


def diff_json(old: str, new: str) -> Any:
    return run("diff", old, new, "--format", "json").json


def test_what_was_is_said_in_the_unit_of_what_is() -> None:
    before = diff(BROKER, BROKER + "log.retention.hours=3\n")["change_findings"][0]["before"]
    assert before["value"] == "168"


def test_a_service_of_a_job_has_no_former_self(tmp_path: Path) -> None:
    service = "jobs:\n  t:\n    services:\n      k:\n        image: apache/kafka:4.3.0\n        env:\n          KAFKA_NODE_ID: 1\n          KAFKA_LOG_DIRS: "
    for side in ("old", "new"):
        (tmp_path / side / ".github" / "workflows").mkdir(parents=True)
        (tmp_path / side / ".github" / "workflows" / "t.yml").write_text(f"{service}/{side}\n")
    assert run("diff", "old", "new", "--format", "json").json["change_findings"] == []


def test_a_side_may_be_a_file_of_a_commit(tmp_path: Path) -> None:
    git = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org")
    (tmp_path / "kafka").mkdir()
    put("kafka/b.properties", BROKER + "log.dirs=/a\n")
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "files")):
        subprocess.run((*git, *arguments), check=True)
    put("kafka/b.properties", BROKER + "log.dirs=/b\n")
    for old, new in (("HEAD:kafka/b.properties", "kafka/b.properties"), ("HEAD:kafka", "kafka")):
        ran = run("diff", old, new, "--format", "json")
        assert rules(ran.json["change_findings"]) == ["KA1801"] and ran.json["old"] == old
    for old, says in (("HEAD:gone", "has no file there"), ("nope:kafka", "no such commit")):
        ran = run("diff", old, "kafka")
        assert ran.code == 2 and says in ran.err and "Traceback" not in ran.err


@pytest.mark.parametrize(("moves_hosts", "dangerous"), [(False, ["KA1804", "KA1804", "KA1804"]), (True, [])])
def test_ids_that_change_places_among_the_files_of_hosts(
    moves_hosts: bool, dangerous: list[str], tmp_path: Path
) -> None:
    for side, ids in (("old", (1, 2, 3)), ("new", (2, 3, 1))):
        (tmp_path / side).mkdir()
        for number, node in enumerate(ids, 1):
            host = node if moves_hosts else number
            put(
                f"{side}/b{number}.properties",
                f"process.roles=broker\nnode.id={node}\ncontroller.quorum.voters=9@c:1\nlisteners=SSL://h{host}:1\n",
            )
    assert rules(run("diff", "old", "new", "--format", "json").json["change_findings"]) == dangerous


def test_a_finding_is_the_same_however_its_key_is_spelled(tmp_path: Path) -> None:
    service = "services:\n  k:\n    image: {0}:3.9.0\n    environment:\n      {1}PROCESS_ROLES: broker\n      {1}UNCLEAN_LEADER_ELECTION_ENABLE: 'true'\n"
    for side, image, prefix in (("old", "apache/kafka", "KAFKA_"), ("new", "bitnami/kafka", "KAFKA_CFG_")):
        (tmp_path / side).mkdir()
        put(f"{side}/compose.yml", service.format(image, prefix))
    findings = run("diff", "old", "new", "--format", "json").json["findings"]
    assert "KA104" not in rules(findings["appear"]) + rules(findings["go"]) and findings["same"]


@pytest.mark.parametrize(
    ("waived", "subject", "appear", "changes", "code"),
    [
        ("KA102", "*", ["KA104"], ["KA1801"], 1),
        ("KA104", "*", [], ["KA1801"], 1),
        ("KA1801", "*", ["KA104"], [], 1),
        ("durability,KA1801", "kafka/*.properties", [], [], 0),
        ("durability,KA1801", "other/*", ["KA104"], ["KA1801"], 1),
    ],
)
def test_waivers_cover_what_a_change_brings(
    waived: str, subject: str, appear: list[str], changes: list[str], code: int, tmp_path: Path
) -> None:
    (tmp_path / "kafka").mkdir()
    put("kafka/old.properties", BROKER + "log.dirs=/a\n")
    put("kafka/new.properties", BROKER + "log.dirs=/b\nunclean.leader.election.enable=true\n")
    entries = [{"rule": rule, "subject": subject, "reason": "agreed"} for rule in waived.split(",")]
    put("waivers.yaml", json.dumps(entries))
    ran = run("diff", "kafka/old.properties", "kafka/new.properties", "--waivers", "waivers.yaml", "--format", "json")
    assert ran.code == code
    assert [rule for rule in rules(ran.json["findings"]["appear"]) if rule != "KA004"] == appear
    assert rules(ran.json["change_findings"]) == changes
    is_said = "kafka/new.properties: 1 finding suppressed: KA104 unclean-election" in "".join(ran.json["configuration"])
    assert is_said == (appear == [])


def test_check_says_what_has_changed_since_an_earlier_snapshot() -> None:
    write("old.json", parse_cluster(CLUSTER))
    write("new.json", parse_cluster(CLUSTER.replace("min.insync.replicas=2", "min.insync.replicas=1")))
    ran = run("check", "new.json", "--before", "old.json", "--format", "json")
    assert [row["rule"] for row in ran.json["findings"] if row.get("change")] == ["KA1843"]
    assert not [row for row in run("check", "new.json", "--format", "json").json["findings"] if row.get("change")]


TWINS = """kafka 4.3
brokers 1 2 3
topic a %s
0-2: leader 1 replicas 1,2,3 isr 1,2,3
topic b %s
0-2: leader 1 replicas 1,2,3 isr 1,2,3"""
KEPT, SHORT = "retention.ms=604800000", "retention.ms=1000"


@pytest.mark.parametrize(
    ("before", "dangerous"),
    [
        ((KEPT, SHORT), {("a", "KA1841")}),
        ((SHORT, KEPT), {("b", "KA1841")}),
        ((KEPT, KEPT), {("a", "KA1841"), ("b", "KA1841")}),
        ((SHORT, SHORT), set()),
    ],
)
def test_topics_that_are_equal_today_are_compared_each_with_its_own_past(
    before: tuple[str, str], dangerous: set[tuple[str, str]]
) -> None:
    write("old.json", parse_cluster(TWINS % before))
    write("new.json", parse_cluster(TWINS % (SHORT, SHORT)))
    rows = run("diff", "old.json", "new.json", "--format", "json").json["change_findings"]
    assert sorted((row["entity"]["name"], row["rule"]) for row in rows) == sorted(dangerous)


@pytest.mark.parametrize(("before", "now", "dangerous"), [("0-2:", "0-5:", ["KA1846"]), ("0-5:", "0-2:", [])])
def test_more_partitions_than_in_an_earlier_snapshot(before: str, now: str, dangerous: list[str]) -> None:
    for name, numbers in (("old.json", before), ("new.json", now)):
        write(name, parse_cluster(TWINS.replace("0-2:", numbers, 1) % (KEPT, KEPT)))
    rows = run("diff", "old.json", "new.json", "--format", "json").json["change_findings"]
    assert [row["rule"] for row in rows if row["entity"]["name"] == "a"] == dangerous


def test_sarif_points_at_the_line_that_stood_there(tmp_path: Path) -> None:
    put("old.properties", BROKER + "log.dirs=/a\n")
    ran = run("diff", "old.properties", put("new.properties", BROKER + "\nlog.dirs=/b\n"), "--format", "sarif")
    (result,) = (row for row in ran.json["runs"][0]["results"] if row["ruleId"] == "KA1801")
    of_roles, of_old_side = (row["physicalLocation"]["region"]["startLine"] for row in result["relatedLocations"])
    assert (of_roles, of_old_side) == (1, 5)
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 6


@pytest.mark.parametrize(
    ("folder", "dangerous"), [("src/test/resources", 0), ("testdata", 0), ("src/main/resources", 1), ("test", 1)]
)
def test_what_tests_read_has_no_former_self(tmp_path: Path, folder: str, dangerous: int) -> None:
    for side in ("old", "new"):
        (tmp_path / side / folder).mkdir(parents=True)
        (tmp_path / side / folder / "server.properties").write_text(f"{BROKER}log.dirs=/{side}\n")
    assert len(run("diff", "old", "new", "--format", "json").json["change_findings"]) == dangerous


TOPIC = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: NAME, labels: {strimzi.io/cluster: k}}\nspec: {partitions: 3, replicas: 3}\n"


@pytest.mark.parametrize(
    ("after", "dangerous"), [(None, ["KA1850"]), (b"kind: \0\xff", []), (b"<<<<<<< a\n" + TOPIC.encode(), [])]
)
def test_a_topic_whose_file_cannot_be_read_is_not_removed(after: bytes | None, dangerous: list[str]) -> None:
    for folder in ("old", "new"):
        Path(folder).mkdir()
        for name in ("a", "b"):
            put(f"{folder}/{name}.yaml", TOPIC.replace("NAME", name))
    Path("new/a.yaml").unlink() if after is None else Path("new/a.yaml").write_bytes(after)
    assert rules(run("diff", "old", "new", "--format", "json", "--no-config").json["change_findings"]) == dangerous


def test_equal_dangerous_changes_of_the_brokers_of_a_cluster_are_one() -> None:
    for side, disk in (("old", "/a"), ("new", "/b")):
        Path(side).mkdir()
        for id in (1, 2, 3, 4):
            other = "/c" if (side, id) == ("new", 4) else disk
            Path(side, f"{id}.properties").write_text(
                BROKER.replace("node.id=1", f"node.id={id}") + f"log.dirs={other}\n"
            )
    out = run("diff", "old", "new").out
    assert "1. critical: broker 1, broker 2, broker 3: log.dirs=/b (was /a): " in out
    assert "   now:    new/1.properties:5, new/2.properties:5, new/3.properties:5\n" in out
    assert "   was:    old/1.properties:5, old/2.properties:5, old/3.properties:5: log.dirs=/a\n" in out
    assert "2. critical: new/4.properties:5: log.dirs=/c" in out and "\n2 dangerous changes; " in out
    assert len(run("diff", "old", "new", "--format", "json").json["change_findings"]) == 4


def test_nobody_is_told_that_secrets_are_the_same(tmp_path: Path) -> None:
    for side, password in (("old", "canary1"), ("new", "canary2")):
        (tmp_path / f"{side}.properties").write_text(f"process.roles=broker\nnode.id=1\nssl.key.password={password}\n")
    shown = run("diff", tmp_path / "old.properties", tmp_path / "new.properties").out
    assert "No setting changes. The values of secrets are masked, and not compared." in shown and "canary" not in shown


def test_the_page_has_the_effect_the_rule_and_the_safe_way(tmp_path: Path) -> None:
    put("old.properties", BROKER + "log.dirs=/a\n")
    page = run("diff", "old.properties", put("new.properties", BROKER + "log.dirs=/b\n"), "--format", "html").out
    for text in ("KA1801 log-dirs-moved", "at the next restart of the node", "1. stop one broker; 2. move the files"):
        assert text in page


NODE = "process.roles=broker\nnode.id={0}\ncontroller.quorum.voters=100@c1:9093\ncontroller.listener.names=CONTROLLER\n"
LISTENERS = "listeners=CLIENT://b{0}.prod:{1}\nlistener.security.protocol.map=CLIENT:SSL,CONTROLLER:SSL\n"


def test_what_changes_alike_on_several_nodes_is_shown_once(tmp_path: Path) -> None:
    for side, port in (("old", 9092), ("new", 9095)):
        (tmp_path / side).mkdir()
        for number in (1, 2, 3):
            text = (
                NODE.format(number)
                + LISTENERS.format(number, port)
                + f"num.partitions={number if port > 9092 else 9}\n"
            )
            (tmp_path / side / f"b{number}.properties").write_text(text)
    text = run("diff", tmp_path / "old", tmp_path / "new").out
    assert text.count("listeners: CLIENT://b1.prod:9092 -> CLIENT://b1.prod:9095") == 1
    assert "broker 1, broker 2, broker 3 (each with its own hosts): listeners" in text
    assert text.count(": num.partitions: 9 -> ") == 3
    assert text.count("moves from") <= 1
    rows = run("diff", tmp_path / "old", tmp_path / "new", "--format", "json").json["settings"]
    assert [row["key"] for row in rows].count("listeners") == 3


CONTROLLER = "process.roles=controller\nnode.id=100\ncontroller.quorum.voters=100@c1:9093\ncontroller.listener.names=CONTROLLER\n"
WHO_ELECTS = {
    "the controllers' files": ("c", "4.3", True),
    "brokers' files": ("b", "4.3", False),
    "nobody before 3.9": ("c", "3.8", False),
}


@pytest.mark.parametrize("case", WHO_ELECTS)
def test_odds_of_unclean_elections_are_those_of_who_elects(tmp_path: Path, case: str) -> None:
    name, release, counts = WHO_ELECTS[case]
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
        for file, text in (("b", NODE.format(1)), ("c", CONTROLLER)):
            unclean = "unclean.leader.election.enable=true\n" if (side, file) == ("new", name) else ""
            text += f"default.replication.factor=3\nmin.insync.replicas=2\n{unclean}"
            (tmp_path / side / f"{file}.properties").write_text(text)
    text = run("diff", tmp_path / "old", tmp_path / "new", "--kafka-version", release).out
    assert ("losses through unclean elections: 0 -> " in text) == counts
    if name == "b":
        assert "No effect" in run("rollout", tmp_path / "old", tmp_path / "new").out


UNKNOWN_CHANGES = {
    "as it was": ("log.dirs=${DIRS}", "log.dirs=${DIRS}\nnum.partitions=3", []),
    "another variable": ("min.insync.replicas=${A}", "min.insync.replicas=${B}", ["KA1843", "KA1844"]),
    "a value before": ("log.retention.ms=100000000", "log.retention.ms=${A}", ["KA1840"]),
    "known": ("log.retention.ms=100000000", "log.retention.ms=200000000", []),
}


@pytest.mark.parametrize("case", UNKNOWN_CHANGES)
def test_a_change_that_cannot_be_judged_is_said(tmp_path: Path, case: str) -> None:
    old, new, rules = UNKNOWN_CHANGES[case]
    for side, text in (("old", old), ("new", new)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "b.properties").write_text(f"{NODE.format(1)}{text}\n")
    rows = run("diff", tmp_path / "old", tmp_path / "new", "--format", "json").json["unknown_changes"]
    assert [row["rule"] for row in rows] == rules
    text = run("diff", tmp_path / "old", tmp_path / "new").out
    assert ("Changes that could not be judged" in text) == bool(rules)
    assert (f", {len(rules)} not judged;" in text) == bool(rules)
