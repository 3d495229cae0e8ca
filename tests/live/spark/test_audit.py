"""An audit by Spark gives what one by this process gives, whether small tables travel or are grouped with topics."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.testing import assertDataFrameEqual

from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from spark_audit.results.plan import AuditPlan
from spark_audit.schema.results import MARKERS
from spark_audit.schema.results import TABLES as RESULTS
from spark_audit.schema.snapshots import TABLES as SNAPSHOTS
from spark_audit.spark import audit as job
from spark_audit.spark import whole_clusters
from spark_audit.storage.run_output import open_output
from spark_audit.storage.runs import MARKER
from tests.support.commands import ROOT
from tests.support.fleet_examples import LABELS, OWN_RULES, WAIVERS, damaged
from tests.support.fleets import GOOD, ILL, audit, collected, files_of, folder_of, table, written

TABLES = ("findings", "unknowns", "counts", "clusters")
BOTH = pytest.mark.parametrize("how", ["travelling", "grouped"])


def bring(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """Have the small tables brought to the tasks in this way."""
    if how == "grouped":
        monkeypatch.setattr(job, "TRAVELLING", 0)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty clusters with three thousand topics, and some that are drawn."""
    folder = tmp_path_factory.mktemp("fleet")
    sizes = ["--clusters", "30", "--topics", "3000", "--out", str(folder / "made")]
    subprocess.run([sys.executable, "-m", "examples.fleet", *sizes], cwd=ROOT, check=True, capture_output=True)
    return folder / "made"


@BOTH
def test_the_same_findings_message_for_message(
    spark: Any, fleet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    bring(monkeypatch, how)
    monkeypatch.setattr(job, "TOPICS", 500)
    monkeypatch.setattr(whole_clusters, "ROWS", 700)
    mine = audit(fleet, tmp_path / "local")
    ran = audit(fleet, tmp_path / "spark", "--engine", "spark")
    assert (ran.code, ran.err) == (mine.code, "")
    for name in TABLES:
        assert table(tmp_path / "spark", name) == table(tmp_path / "local", name)
    frames = [
        spark.read.parquet(f"file://{folder_of(tmp_path / engine, 'findings')}").drop(
            "audit", "labels", "reason", "note"
        )
        for engine in ("spark", "local")
    ]
    assertDataFrameEqual(*frames)


def test_files_of_both_engines_are_one_data_set(spark: Any, tmp_path: Path) -> None:
    """What Spark's files have beside the documented columns is null, and the one more table is as docs/fleet.md says."""
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL, "away": None}, LABELS)
    audit(fleet, tmp_path / "local")
    audit(fleet, tmp_path / "spark", "--engine", "spark")
    mine, sparks = (folder_of(tmp_path / engine, "findings").parent for engine in ("local", "spark"))
    assert {path.name for path in sparks.glob("table=*")} - {path.name for path in mine.glob("table=*")} == {
        "table=notes"
    }
    written = set(whole_clusters.JUDGED.names) - {"table"}
    for name, schema in RESULTS.items():
        local, other = (
            pq.ParquetDataset(files_of(tmp_path / engine, name), partitioning=None).read()
            for engine in ("local", "spark")
        )
        assert local.schema.names == schema.names
        assert set(schema.names) <= set(other.schema.names) <= {*schema.names, *written}
        assert all(other[more].null_count == other.num_rows for more in set(other.schema.names) - set(schema.names))
        union = pa.concat_tables([local, other.select(schema.names)], promote_options="permissive")
        assert union.num_rows == 2 * local.num_rows


@BOTH
def test_damage_waivers_and_clusters_that_are_away(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    bring(monkeypatch, how)
    whole = collected(tmp_path / "whole", {"good": GOOD, "ill": ILL, "away": None}, LABELS)
    other = written(tmp_path / "other", damaged(whole))
    (tmp_path / "waivers.yaml").write_text(WAIVERS)
    more = ("--max-unreachable", "1", "--waivers", tmp_path / "waivers.yaml")
    mine = audit(other, tmp_path / "local", *more)
    ran = audit(other, tmp_path / "spark", *more, "--engine", "spark")
    assert (ran.code, ran.err) == (mine.code, "")
    for name in TABLES:
        assert table(tmp_path / "spark", name) == table(tmp_path / "local", name)


@BOTH
def test_rules_of_ones_own_travel_and_those_that_want_whole_clusters_get_them(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    bring(monkeypatch, how)
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL}, LABELS)
    (tmp_path / "own.py").write_text(OWN_RULES)
    more = ("--rules", tmp_path / "own.py", "--select", "OWN1,OWN2,KA220")
    for out, option in (("plain", ()), ("gzip", ("--option", "compression=gzip"))):
        ran = audit(fleet, tmp_path / out, *more, "--engine", "spark", *option)
        assert ran.code == audit(fleet, tmp_path / "local", *more, "--overwrite").code
        assert {row["rule"] for row in table(tmp_path / out, "findings")} >= {"OWN1", "KA220"}
        for name in TABLES:
            assert table(tmp_path / out, name) == table(tmp_path / "local", name)


def test_paths_are_meant_as_they_stand(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    collected(tmp_path / "a b#1%20 [x]{y}*", {"ill": ILL})
    ran = audit(Path("a b#1%20 [x]{y}*"), Path("out"), "--engine", "spark")
    assert (ran.code, ran.err) == (1, "")
    assert table(tmp_path / "out", "findings")


@BOTH
def test_no_topics_at_all(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    bring(monkeypatch, how)
    fleet = collected(tmp_path / "fleet", {"bare": "kafka 4.3\nbrokers 1 2 3", "away": None})
    more = ("--max-unreachable", "1")
    assert (
        audit(fleet, tmp_path / "spark", *more, "--engine", "spark").code
        == audit(fleet, tmp_path / "local", *more).code
    )
    for name in TABLES:
        assert table(tmp_path / "spark", name) == table(tmp_path / "local", name)


def test_the_session_that_there_is_stays_as_it_is(spark: Any, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD})
    spark.range(1).count()  # Spark writes its warehouse as a URI when it is first used
    before = dict(spark.sparkContext.getConf().getAll())
    setting = spark.conf.get("spark.sql.shuffle.partitions")
    audit(fleet, tmp_path / "audit", "--engine", "spark")
    assert spark.range(3).count() == 3
    assert dict(spark.sparkContext.getConf().getAll()) == before
    assert spark.conf.get("spark.sql.shuffle.partitions") == setting


def test_snapshot_files(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    write(str(tmp_path / "files/ill.json"), parse_cluster(ILL))
    (tmp_path / "files/odd.json").write_text("{}")
    more = ("--max-unreachable", "1")
    ran = audit(tmp_path / "files", tmp_path / "spark", *more, "--engine", "spark")
    assert (ran.code, ran.err) == (audit(tmp_path / "files", tmp_path / "local", *more).code, "")
    for name in TABLES:
        assert table(tmp_path / "spark", name) == table(tmp_path / "local", name)


@BOTH
def test_a_damaged_file_is_named(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    bring(monkeypatch, how)
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    (file,) = files_of(fleet, "topics")
    whole = file.read_bytes()
    file.write_bytes(whole[:40] + bytes(byte ^ 0xFF for byte in whole[40:120]) + whole[120:])
    ran = audit(fleet, tmp_path / "audit", "--engine", "spark")
    assert (ran.code, not (tmp_path / "audit").exists()) == (2, True)
    assert ran.err.strip().splitlines()[-1].startswith("kafka-advisor: Spark: ")
    assert file.name in ran.err.strip().splitlines()[-1]


def test_orc_is_read_and_written_where_it_is_asked_for(spark: Any, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    orc = tmp_path / "orc-fleet"
    about = json.loads((fleet / MARKER).read_text())
    for name in SNAPSHOTS:
        rows = spark.read.parquet(f"file://{folder_of(fleet, name)}")
        rows.write.orc(f"file://{orc}/run=1/table={name}")
    (orc / MARKER).write_text(json.dumps(about | {"storage": "orc", "run": "1"}))
    audit(fleet, tmp_path / "local")
    for engine in ("spark", "local"):
        out = tmp_path / f"{engine}-orc"
        assert audit(orc, out, "--engine", engine, "--format", "orc").err == ""
        assert {path.suffix for name in TABLES for path in folder_of(out, name).glob("part-*")} == {".orc"}
        for name in TABLES:
            assert table(out, name) == table(tmp_path / "local", name)


def test_tables_of_before_are_read(spark: Any, tmp_path: Path) -> None:
    """Those that lie beside their marker."""
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    for name in SNAPSHOTS:
        shutil.copytree(folder_of(fleet, name), tmp_path / "before" / name)
    (tmp_path / "before/_complete.json").write_text('{"format": "kafka-advisor-collection/1", "storage": "parquet"}')
    audit(fleet, tmp_path / "now")
    for engine in ("spark", "local"):
        assert audit(tmp_path / "before", tmp_path / engine, "--engine", engine).err == ""
        for name in TABLES:
            rows = table(tmp_path / "now", name)
            expected = [{**row, "digest": None} for row in rows] if name == "clusters" else rows
            assert table(tmp_path / engine, name) == expected


@pytest.mark.parametrize("engine", ["spark", "local"])
def test_columns_of_another_type_are_one_line(spark: Any, tmp_path: Path, engine: str) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD})
    (file,) = files_of(fleet, "topics")
    rows = pq.read_table(file)
    pq.write_table(rows.set_column(0, "cluster", pa.array([[1]] * rows.num_rows)), file)
    ran = audit(fleet, tmp_path / "audit", "--engine", engine)
    assert (ran.code, len(ran.err.strip().splitlines())) == (2, 1)
    assert file.name in ran.err


def test_what_a_worker_has_learned_is_not_sent_as_a_copy() -> None:
    from pyspark.cloudpickle import dumps

    for function in (whole_clusters.judge_partition(AuditPlan("a"), {}), whole_clusters.judge_group(AuditPlan("a"))):
        assert b"AUDITORS" not in dumps(function)


def test_the_second_of_two_runs_is_refused(spark: Any, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD})
    with open_output(str(tmp_path / "audit"), markers=MARKERS):
        ran = audit(fleet, tmp_path / "audit", "--engine", "spark")
        assert (ran.code, "another run is writing there" in ran.err) == (2, True)
    assert audit(fleet, tmp_path / "audit", "--engine", "spark").code == 1
    assert "say --overwrite" in audit(fleet, tmp_path / "audit", "--engine", "spark").err
    assert audit(fleet, tmp_path / "audit", "--engine", "spark", "--overwrite").code == 1
    assert len(list((tmp_path / "audit").glob("run=*"))) == 1
