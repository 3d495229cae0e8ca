"""An audit from the command line: tables, waivers, rules of one's own, damage, exit codes, and what a killed run leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from advisor.facts import cluster as live_facts
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from examples.fleet import Fleet
from examples.fleet import write as made_up
from spark_audit.schema.results import TABLES as RESULTS
from spark_audit.schema.snapshots import RELAXED, TABLES
from spark_audit.storage.load import load
from spark_audit.storage.run_output import open_output
from spark_audit.storage.runs import MARKER
from tests.support.commands import ROOT, run
from tests.support.fleet_examples import LABELS, OWN_RULES, WAIVERS, damaged
from tests.support.fleets import GOOD, ILL, audit, collected, files_of, table, written


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    return collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL, "away": None}, LABELS)


def findings(out: Path, cluster: str = "ill") -> dict[tuple[str, str], Any]:
    return {(row["rule"], row["subject"]): row for row in table(out, "findings") if row["cluster"] == cluster}


def test_every_table_says_what_it_is_for(fleet: Path, tmp_path: Path) -> None:
    ran = audit(fleet, tmp_path / "audit", "--max-unreachable", "1")
    assert ran.code == 1
    for name, schema in RESULTS.items():
        for file in files_of(tmp_path / "audit", name):
            assert pq.read_schema(file).remove_metadata().names == schema.names
    rows = findings(tmp_path / "audit")
    alone = rows["KA221", "orders"]
    assert (alone["partitions"], alone["first_partitions"], alone["severity"]) == (9, [1, 2, 3, 4, 5], "critical")
    assert dict(alone["labels"]) == LABELS["ill"]
    assert json.loads(rows["KA151", "scratch"]["evidence"]) == [
        {"key": "min.insync.replicas", "value": "1", "source": "DYNAMIC_TOPIC"}
    ]
    joint = rows["KA164", "shop"] if ("KA164", "shop") in rows else next(
        row for row in rows.values() if row["with"] == ["topic orders"]
    )  # fmt: skip
    assert joint["file"] == "producer-0.properties"
    clusters = {row["cluster"]: row for row in table(tmp_path / "audit", "clusters")}
    assert (clusters["ill"]["grade"], clusters["ill"]["topics"], clusters["ill"]["partitions"]) == ("F", 2, 11)
    assert (clusters["away"]["grade"], clusters["away"]["unknown"], clusters["away"]["status"]) == (
        None,
        1,
        "unreachable",
    )
    away = [row for row in table(tmp_path / "audit", "unknowns") if row["cluster"] == "away"]
    assert [(row["rule"], row["reason"]) for row in away] == [("*", "b1:9092: no answer within 30 s")]
    (row,) = table(tmp_path / "audit", "audits")
    assert (row["clusters"], row["unreachable"], row["crashed"]) == (3, 1, 0)
    assert sum(row[each] for each in ("critical", "high", "medium", "low", "info")) == len(
        table(tmp_path / "audit", "findings")
    )


def test_the_summary_is_honest_about_what_was_not_judged(fleet: Path, tmp_path: Path) -> None:
    out = audit(fleet, tmp_path / "audit", "--max-unreachable", "1").out
    assert "unreachable: away: b1:9092: no answer within 30 s" in out
    assert "1 clusters unreachable" in out.splitlines()[-1]
    assert "3 clusters, 3 topics, 17 partitions" in out


@pytest.mark.parametrize(
    ("clusters", "more", "code"),
    [
        (("good",), ("--select", "KA220"), 0),
        (("good", "ill"), ("--select", "KA220"), 1),
        (("good", "ill"), ("--select", "KA220", "--exit-zero"), 0),
        (("good", "ill"), ("--select", "KA220", "--ignore", "KA2"), 3),
        (("good", "ill"), ("--select", "KA152", "--profile", "dev"), 0),
        (("good", "ill"), ("--select", "KA152", "--profile", "dev", "--fail-on", "medium"), 1),
        (("good", "away"), (), 4),
        (("good", "away"), ("--select", "KA220", "--max-unreachable", "50%"), 0),
        (("good", "away"), ("--select", "KA220", "--max-unreachable", "50%", "--fail-on-unknown"), 1),
    ],
)
def test_exit_codes(tmp_path: Path, clusters: tuple[str, ...], more: tuple[str, ...], code: int) -> None:
    known = {"good": GOOD, "ill": ILL, "away": None}
    fleet = collected(tmp_path / "fleet", {name: known[name] for name in clusters})
    assert audit(fleet, tmp_path / "audit", *more).code == code


def test_a_fleet_of_one_says_what_lint_says(tmp_path: Path) -> None:
    snapshot = parse_cluster(ILL.split("[producer")[0])
    write(str(tmp_path / "one.json"), snapshot)
    report = run("lint", tmp_path / "one.json", "--format", "json", "--no-config").json
    audit(tmp_path / "one.json", tmp_path / "audit")
    rows = table(tmp_path / "audit", "findings")
    told = [(row["rule"], row["subject"], row["message"], row["severity"], row["fingerprint"]) for row in rows]
    assert sorted(told) == sorted(
        (row["rule"], row["entity"]["name"], row["message"], row["severity"], row["fingerprint"]) for row in report["findings"]
    )  # fmt: skip
    (cluster,) = table(tmp_path / "audit", "clusters")
    assert {name: cluster[name] for name in ("score", "grade", "passed", "not_applicable", "unknown", "high")} == {
        name: report["summary"][name] for name in ("score", "grade", "passed", "not_applicable", "unknown", "high")
    }


@pytest.mark.parametrize("profile", ["dev", "regulated"])
def test_labels_choose_the_profile_of_a_cluster(tmp_path: Path, profile: str) -> None:
    fleet = collected(tmp_path / "fleet", {"a": ILL, "b": ILL, "c": GOOD}, {"a": {"env": "x"}, "c": {"env": "y"}})
    (tmp_path / "kafka-advisor.yaml").write_text(f"profiles: {{label: {{env: {{x: {profile}, y: staging}}}}}}\n")
    labelled = ("--engine", "local", "--jobs", "1", "--config", tmp_path / "kafka-advisor.yaml")
    run("audit", fleet, "--out", tmp_path / "labelled", *labelled)
    audit(fleet, tmp_path / "production")
    audit(fleet, tmp_path / profile, "--profile", profile)
    assert severities(tmp_path / "labelled", "a") == severities(tmp_path / profile, "a")
    assert severities(tmp_path / "labelled", "b") == severities(tmp_path / "production", "b")
    assert severities(tmp_path / "labelled", "a") != severities(tmp_path / "labelled", "b")
    scores = {row["cluster"]: row["score"] for row in table(tmp_path / "labelled", "clusters")}
    assert scores["a"] == next(row["score"] for row in table(tmp_path / profile, "clusters") if row["cluster"] == "a")
    run("audit", fleet, "--out", tmp_path / "told", *labelled, "--profile", "production")
    assert severities(tmp_path / "told", "a") == severities(tmp_path / "production", "a")


def severities(out: Path, cluster: str) -> list[tuple[str, str, str]]:
    rows = [row for row in table(out, "findings") if row["cluster"] == cluster]
    return sorted((row["rule"], row["subject"], row["severity"]) for row in rows)


# ---------------------------------------------------------------------- waivers


def test_waivers_are_applied_and_listed(fleet: Path, tmp_path: Path) -> None:
    (tmp_path / "waivers.yaml").write_text(WAIVERS)
    ran = audit(fleet, tmp_path / "audit", "--max-unreachable", "1", "--waivers", tmp_path / "waivers.yaml")
    rows = findings(tmp_path / "audit")
    assert rows["KA151", "scratch"]["waiver"] == "rebuilt every night"
    assert rows["KA220", "scratch"]["waiver"] == "nobody reads it"
    assert rows["KA152", "orders"]["waiver"] is None
    assert rows["KA221", "orders"]["waiver"] is None
    (row,) = table(tmp_path / "audit", "audits")
    said = [(each["findings"], each["expired"]) for each in json.loads(row["waivers"])]
    assert said[0][0] == 1
    assert said[1][0] >= 1
    assert said[2:] == [(0, True), (0, False)]
    assert row["waived"] == said[0][0] + said[1][0]
    waivers = sorted(table(tmp_path / "audit", "waivers"), key=lambda waiver: waiver["number"])
    assert [(each["number"], each["rule"], each["until"], each["state"]) for each in waivers] == [
        (1, "KA151", "2999-01-01", "in use"),
        (2, "availability", None, "in use"),
        (3, "KA152", "2001-01-01", "expired"),
        (4, "KA302", None, "unused"),
    ]
    assert [(each["cluster"], each["label"], each["subject"]) for each in waivers[:2]] == [
        ("i*", [], "*"),
        ("*", [("environment", "dev")], "scr*"),
    ]
    assert [each["findings"] for each in waivers] == [each[0] for each in said]
    clusters = {each["cluster"]: each for each in table(tmp_path / "audit", "clusters")}
    assert [each["waiver"] for each in clusters["ill"]["waivers"]] == [1, 2]
    assert clusters["good"]["waivers"] == clusters["away"]["waivers"] == []
    assert "broker" in clusters["ill"]["inputs"]
    assert clusters["away"]["inputs"] == []
    assert "waived KA152 until 2001-01-01: expired (it was said)" in ran.out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rule: KA151", "waivers are a list"),
        ("- KA151", "waivers.yaml: entry 1: not a mapping"),
        ("- {rule: KA151}", "entry 1: it has no reason"),
        ("- {reason: x}", "entry 1: it has no rule"),
        ("- {rule: KA151, reason: x, untill: 2027-01-01}", "entry 1: untill: no such line"),
        ("- {rule: KA99999, reason: x}", "entry 1: rule KA99999: no such rule"),
        ("- {rule: KA151, reason: x, until: soon}", "entry 1: until: its value is not a day"),
        ("- {rule: KA151, reason: x, label: dev}", "entry 1: label is a mapping"),
        ("- [", "2:1: not YAML"),
    ],
)
def test_a_waiver_that_makes_no_sense_is_one_line(fleet: Path, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "waivers.yaml").write_text(text)
    ran = audit(fleet, tmp_path / "audit", "--waivers", tmp_path / "waivers.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "audit").exists()


# ---------------------------------------------------------------------- rules of one's own


def test_rules_of_ones_own_see_topic_and_whole_cluster(fleet: Path, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN_RULES)
    ran = audit(fleet, tmp_path / "audit", "--rules", tmp_path / "own.py", "--select", "OWN1", "--max-unreachable", "9")
    assert ran.code == 1
    assert {key: row["message"] for key, row in findings(tmp_path / "audit").items()} == {
        ("OWN1", "orders"): "one of 11 partitions",
        ("OWN1", "scratch"): "one of 11 partitions",
    }
    assert findings(tmp_path / "audit", "good") == {}


def test_a_rule_that_raises_is_a_row_and_the_others_go_on(tmp_path: Path) -> None:
    fleet = collected(
        tmp_path / "fleet", {"good": GOOD, "old": "kafka 4.3\nbrokers 1 2\nbroker * min.insync.replicas=1"}
    )
    (tmp_path / "own.py").write_text(OWN_RULES)
    ran = audit(fleet, tmp_path / "audit", "--rules", tmp_path / "own.py", "--select", "OWN2,KA102")
    assert ran.code == 2
    assert ran.err == "kafka-advisor: rule OWN2 breaks crashed: ZeroDivisionError: one half (on 1 clusters)\n"
    crashed = findings(tmp_path / "audit", "old")["KA000", "1"]
    assert crashed["message"] == "rule OWN2 breaks crashed: ZeroDivisionError: one\nhalf"
    assert len([key for key in findings(tmp_path / "audit", "old") if key[0] == "KA000"]) == 1
    assert ("KA102", "id-old") in findings(tmp_path / "audit", "old")
    assert ("OWN2", "id-good") in findings(tmp_path / "audit", "good")


# ---------------------------------------------------------------------- damage


def test_damage_gives_findings_or_unknowns_and_no_failure(fleet: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "other", damaged(fleet))
    ran = audit(other, tmp_path / "audit", "--max-unreachable", "1")
    assert (ran.code, ran.err) == (1, "")
    rows = findings(tmp_path / "audit")
    assert {"größe-😀", "lost", None}.isdisjoint({key[1] for key in rows} - {"größe-😀"})
    assert rows["KA220", "twice"]["partitions"] == 1
    assert rows["KA221", "orders"]["partitions"] == 9
    unknown = {(row["rule"], row["subject"]): row["reason"] for row in table(tmp_path / "audit", "unknowns")}
    for name in ("nulls", "holes", "nothing"):
        assert "could not be read" in unknown["KA220", name] or "null or damaged" in unknown["KA220", name]
    assert "abc" in unknown["KA151", "abc"]
    assert "null or damaged" in unknown["KA151", "keyless"]
    assert len(table(tmp_path / "audit", "clusters")) == 3


def large(type: pa.DataType, lists: bool) -> pa.DataType:
    """The type as other writers have it."""
    if pa.types.is_string(type):
        return pa.large_string()
    if pa.types.is_struct(type):
        return pa.struct([pa.field(part.name, large(part.type, lists)) for part in type])
    if pa.types.is_list(type):
        return (pa.large_list if lists else pa.list_)(large(type.value_type, lists))
    return type


def without_last_elr(type: pa.DataType) -> pa.DataType:
    parts = [part for part in type.value_type if part.name != "last_elr"]
    return pa.list_(pa.struct(parts))


def stored(rows: pa.Table, how: str) -> pa.Table:
    """Topics as somebody else's tool may have stored them."""
    if how == "dictionaries":
        place = rows.schema.get_field_index("cluster")
        return rows.set_column(place, "cluster", rows.column("cluster").dictionary_encode())
    if how == "without what no rule asks":
        schema = [
            pa.field(each.name, without_last_elr(each.type) if each.name == "partitions" else each.type)
            for each in rows.schema
        ]
        return pa.Table.from_pylist(rows.to_pylist(), pa.schema(schema))
    lists = how == "large lists"
    return rows.cast(pa.schema([pa.field(each.name, large(each.type, lists)) for each in rows.schema]))


@pytest.fixture(scope="module")
def as_it_was(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """The tables of an audit of the fleet as it is stored by `collect`."""
    folder = tmp_path_factory.mktemp("stored")
    audit(collected(folder / "fleet", {"good": GOOD, "ill": ILL, "away": None}, LABELS), folder / "audit")
    return {name: table(folder / "audit", name) for name in ("findings", "unknowns", "counts")}


@pytest.mark.parametrize(("rows", "groups"), [(1, 100), (30_000, 1)])
@pytest.mark.parametrize("how", ["large texts", "large lists", "dictionaries", "without what no rule asks"])
def test_topics_may_be_stored_in_other_ways(
    fleet: Path,
    as_it_was: dict[str, list[dict[str, Any]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
    rows: int,
    groups: int,
) -> None:
    """Row groups that are larger than what is looked at at once are read in another way."""
    from spark_audit.local import chunks

    (path,) = files_of(fleet, "topics")
    pq.write_table(stored(pq.read_table(path), how), path, row_group_size=groups)
    monkeypatch.setattr(chunks, "BATCH_ROWS", rows)
    audit(fleet, tmp_path / "other")
    assert {name: table(tmp_path / "other", name) for name in as_it_was} == as_it_was


@pytest.mark.parametrize("name", ["topics", "brokers"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_that_is_damaged_is_named(
    fleet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, jobs: str
) -> None:
    """Also where that shows only when its rows are read, in another process."""
    from spark_audit.local import audit as local

    monkeypatch.setattr(local, "ONE_PROCESS_TOPICS", 0)
    (path,) = files_of(fleet, name)
    rows = pq.read_table(path)
    pq.write_table(pa.concat_tables([rows] * 200), path, compression="zstd")
    whole = bytearray(path.read_bytes())
    whole[20:400] = bytes(byte ^ 0xFF for byte in whole[20:400])
    path.write_bytes(whole)
    ran = audit(fleet, tmp_path / "audit", "--engine", "local", "--jobs", jobs)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert ran.err.startswith(f"kafka-advisor: {path}: ")
    assert not (tmp_path / "audit").exists()


@pytest.mark.parametrize("texts", [["a", "b"], ["a", "b", "a"]])
def test_a_dictionary_may_hold_a_text_twice(texts: list[str]) -> None:
    from spark_audit.arrays.dictionaries import unify_dictionary

    stored = pa.DictionaryArray.from_arrays(pa.array([0, 1, len(texts) - 1, None], pa.int32()), pa.array(texts))
    assert unify_dictionary(stored).dictionary.to_pylist() == ["a", "b"]
    assert unify_dictionary(stored).cast(pa.string()).to_pylist() == ["a", "b", texts[-1], None]


def test_a_cluster_without_a_broker_row_or_with_a_damaged_one_is_unknown(fleet: Path, tmp_path: Path) -> None:
    tables = {name: load([str(fleet)]).table(name) for name in TABLES}
    clusters = tables["clusters"].to_pylist()
    for row in clusters:
        if row["cluster"] == "ill":
            row["rest"] = "{cut off"
    tables["clusters"] = pa.Table.from_pylist(clusters, RELAXED["clusters"])
    tables["brokers"] = tables["brokers"].filter(pc.not_equal(tables["brokers"].column("cluster"), "good"))
    ran = audit(written(tmp_path / "other", tables), tmp_path / "audit", "--max-unreachable", "100%")
    assert ran.code in (0, 1), ran.err
    rows = {row["cluster"]: row for row in table(tmp_path / "audit", "clusters")}
    assert rows["ill"]["status"] == "unreachable"
    assert "rest: not JSON, or cut off" in rows["ill"]["reason"]
    assert rows["good"]["topics"] == 1


# ---------------------------------------------------------------------- whole or not at all


def test_an_audit_that_is_whole_is_kept(fleet: Path, tmp_path: Path) -> None:
    audit(fleet, tmp_path / "audit", "--max-unreachable", "1")
    again = audit(fleet, tmp_path / "audit", "--max-unreachable", "1")
    assert again.code == 2
    assert "--overwrite" in again.err
    assert audit(fleet, tmp_path / "audit", "--max-unreachable", "1", "--overwrite").code == 1


def test_nothing_to_audit(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = audit(tmp_path / "empty", tmp_path / "audit")
    assert ran.code == 3
    assert len(ran.err.splitlines()) == 1


def test_a_killed_run_leaves_nothing_that_looks_whole_and_can_be_run_again(tmp_path: Path) -> None:
    made_up(Fleet(20, 3000, 7), str(tmp_path / "fleet"))
    out = tmp_path / "audit"
    command = [
        sys.executable,
        "-m",
        "advisor",
        "audit",
        str(tmp_path / "fleet"),
        "--out",
        str(out),
        "--engine",
        "local",
        "--jobs",
        "1",
    ]
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not list(out.glob("run=*/table=findings")):
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    assert not (out / MARKER).exists()
    (left,) = out.glob("run=*")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert (out / MARKER).exists()
    assert not left.exists()


def test_processes_say_what_one_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of a rule that needs all partitions counted before the first topic, which nobody knows beforehand."""
    made_up(Fleet(6, 500, 7), str(tmp_path / "fleet"))
    from spark_audit.local import audit as local
    from spark_audit.local import chunks, pool

    (tmp_path / "own.py").write_text(OWN_RULES)
    own = ["--rules", tmp_path / "own.py", "--ignore", "OWN2"]
    assert audit(tmp_path / "fleet", tmp_path / "one", *own).code == 1
    assert any(row["rule"] == "OWN1" for row in table(tmp_path / "one", "findings"))
    monkeypatch.setattr(local, "ONE_PROCESS_TOPICS", 0)
    monkeypatch.setattr(chunks, "BATCH_ROWS", 100)
    for forks in {pool.FORKS, False}:
        monkeypatch.setattr(pool, "FORKS", forks)
        several = tmp_path / f"forks={forks}"
        assert audit(tmp_path / "fleet", several, "--engine", "local", "--jobs", "2", *own).code == 1
        for name in ("findings", "unknowns", "counts", "clusters"):
            assert table(tmp_path / "one", name) == table(several, name)


def test_workers_that_live_on_keep_nobody_out(tmp_path: Path) -> None:
    """The folder is its writer's: once that lets go of it, another run may begin, whatever its workers still do."""
    from spark_audit.local import pool
    from spark_audit.results.plan import AuditPlan

    if not pool.FORKS:
        pytest.skip("processes are not forked here")
    output = open_output(str(tmp_path / "audit"))
    with output, pool.Workers(AuditPlan("a"), output, 2, str(tmp_path)) as workers:
        assert workers._pool is not None
        workers._pool.submit(os.getpid).result()
        output.release()
        again = subprocess.run(
            [sys.executable, "-c", HOLD, output.store.root], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert (again.returncode, again.stderr) == (0, "")


HOLD = "import sys; from spark_audit.storage.run_output import open_output; open_output(sys.argv[1]).lock()"


def test_what_follows_from_partitions_is_known_by_name() -> None:
    counted = counts_of_facts()
    assert counted == live_facts.OF_COUNTS
    known = live_facts.FactsWithoutCounts({"metadata": "KRaft"})
    assert "metadata" in known
    assert "min.insync.replicas" not in known
    for name in counted:
        with pytest.raises(live_facts.CountsUndeclared):
            known.__contains__(name)


def counts_of_facts() -> set[str]:
    """All facts of a broker, and those of a cluster that only come with counts."""
    live = parse_cluster(GOOD).live
    assert live is not None
    counted = live_facts.PartitionCounts(live)
    broker = next(entity for entity in parse_cluster(GOOD).entities if entity.kind == "broker")
    without = live_facts.cluster_facts(live, None)
    return {*live_facts.broker_facts(broker, live, counted), *live_facts.cluster_facts(live, counted)} - set(without)


def test_nothing_selected_is_no_clean_fleet(fleet: Path, tmp_path: Path) -> None:
    ran = audit(fleet, tmp_path / "audit", "--select", "KA152", "--ignore", "KA152")
    assert (ran.code, ran.out) == (3, "")
    assert "no rule is selected" in ran.err
    assert not (tmp_path / "audit").exists()


@pytest.mark.parametrize("nothing", ["", " , "])
def test_a_selection_of_nothing_is_no_selection_of_all(fleet: Path, tmp_path: Path, nothing: str) -> None:
    for ran in (audit(fleet, tmp_path / "audit", "--select", nothing), run("lint", "--select", nothing, fleet)):
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("kafka-advisor: --select: names no rule; name ids")
    assert not (tmp_path / "audit").exists()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (
            ("--engine", "local", "--format", "delta"),
            "--format delta is one of tables of a catalog: --out catalog.schema.",
        ),
        (("--engine", "local", "--master", "local[2]"), "--master and --remote are Spark's: say --engine spark, too"),
        (
            ("--engine", "local", "--out", "lake.kafka.@x"),
            "lake.kafka.@x: tables of a catalog are Spark's: say --engine spark",
        ),
        (("--engine", "local", "--out", "hdfs://nowhere:9000/x"), "hdfs://nowhere:9000/x: "),
        (("--engine", "local", "--out", "gopher://x/y"), "; --engine spark reads what its Hadoop knows"),
    ],
)
def test_what_only_spark_can_do_is_one_line(fleet: Path, tmp_path: Path, more: tuple[str, ...], says: str) -> None:
    ran = audit(fleet, tmp_path / "audit", *more)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert says in ran.err
    assert not (tmp_path / "audit").exists()


def test_what_only_spark_can_read_is_refused_without_it(tmp_path: Path) -> None:
    (tmp_path / "fleet").mkdir()
    (tmp_path / "fleet/_complete.json").write_text('{"format": "kafka-advisor-collection/1", "storage": "delta"}')
    ran = audit(tmp_path / "fleet", tmp_path / "audit", "--engine", "local")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "was written as delta; --engine local reads parquet and orc" in ran.err
    assert not (tmp_path / "audit").exists()


def test_waivers_and_tables_may_be_named_by_uris(fleet: Path, tmp_path: Path) -> None:
    (tmp_path / "waivers.yaml").write_text(WAIVERS)
    more = ("--max-unreachable", "1", "--no-config", "--exit-zero", "--waivers")
    audit(fleet, tmp_path / "path", *more[:2], *more[3:], tmp_path / "waivers.yaml")
    out = f"file://{tmp_path}/uri"
    assert run("audit", f"file://{fleet}", "--out", out, *more, f"file://{tmp_path}/waivers.yaml").code == 0
    assert table(tmp_path / "uri", "findings") == table(tmp_path / "path", "findings")
    assert any(row["waiver"] for row in table(tmp_path / "uri", "findings"))
    absent = run("audit", fleet, "--out", tmp_path / "x", *more, f"file://{tmp_path}/absent.yaml")
    assert (absent.code, absent.err.count("\n")) == (2, 1)


def test_orc_says_the_same(fleet: Path, tmp_path: Path) -> None:
    assert audit(fleet, tmp_path / "parquet").code == audit(fleet, tmp_path / "orc", "--format", "orc").code
    for name in ("findings", "unknowns", "counts", "clusters"):
        assert table(tmp_path / "orc", name) == table(tmp_path / "parquet", name)
    assert run("audit-diff", tmp_path / "orc", tmp_path / "parquet", "--out", tmp_path / "drift").code == 0
    assert run("audit-report", tmp_path / "orc", "--html", tmp_path / "fleet.html").code == 0


def test_rules_of_ones_own_leave_no_copies_and_are_named_where_they_lie(
    fleet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "own.py").write_text(OWN_RULES)
    audit(fleet, tmp_path / "audit", "--rules", tmp_path / "own.py", "--max-unreachable", "9")
    assert list((tmp_path / "temporary").glob("kafka-advisor-*")) == []
    (tmp_path / "bad.py").write_text("def (")
    ran = audit(fleet, tmp_path / "other", "--rules", tmp_path / "bad.py")
    assert ran.code == 2
    assert f"{tmp_path}/bad.py:1" in ran.err


def test_a_cluster_without_brokers_misleads_no_other(tmp_path: Path) -> None:
    offsets = "\ntopic __consumer_offsets\n0-3: leader 1 replicas 1 isr 1"
    head, client = ILL.split("\n[")
    both = collected(tmp_path / "both", {"bare": GOOD + offsets, "ill": f"{head}{offsets}\n[{client}"})
    tables = {name: load([str(both)]).table(name) for name in TABLES}
    tables["brokers"] = tables["brokers"].filter(pc.not_equal(tables["brokers"].column("cluster"), "bare"))
    audit(written(tmp_path / "less", tables), tmp_path / "less-audit")
    audit(both, tmp_path / "both-audit")
    mine, theirs = (table(tmp_path / name, "findings") for name in ("less-audit", "both-audit"))
    assert [row for row in mine if row["cluster"] == "ill"] == [row for row in theirs if row["cluster"] == "ill"]
    assert {row["rule"] for row in theirs if row["cluster"] == "bare"} >= {"KA410"}
    assert "KA410" not in {row["rule"] for row in mine if row["cluster"] == "bare"}


def test_two_modules_of_one_name_are_both_asked(fleet: Path, tmp_path: Path) -> None:
    more: list[object] = []
    for number in (1, 2):
        (tmp_path / str(number)).mkdir()
        path = tmp_path / str(number) / "own.py"
        path.write_text(
            "from advisor.rule import Subject, Problem, Problems, rule\n\n"
            f'@rule("TWO{number}", "low")\ndef always_{number}(topic: Subject) -> Problems:\n'
            '    """Always.\n\n    Why: because.\n    Fix: do.\n    """\n    yield Problem("retention.ms", "always")\n'
        )
        more += ["--rules", path]
    audit(fleet, tmp_path / "audit", "--select", "TWO1,TWO2", "--max-unreachable", "9", *more)
    assert {row["rule"] for row in table(tmp_path / "audit", "findings")} == {"TWO1", "TWO2"}
