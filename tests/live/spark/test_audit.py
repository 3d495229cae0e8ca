"""An audit by Spark gives what one by this process gives, topics where they are read or whole clusters together."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.testing import assertDataFrameEqual

from spark_audit.engine.partial_counts import add_counts
from spark_audit.results.plan import Plan
from spark_audit.schema.snapshots import SMALL
from spark_audit.spark import bundles, shipped
from spark_audit.spark.bundles import bundled, shares_of
from spark_audit.spark.spread import hashed
from spark_audit.storage.load import load
from tests.support.commands import ROOT
from tests.support.fleet_examples import LABELS, OWN_RULES, WAIVERS, damaged
from tests.support.fleets import GOOD, ILL, audit, collected, table, written

TABLES = ("findings", "unknowns", "counts", "clusters")
BOTH = pytest.mark.parametrize("path", ["topics", "clusters"])


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty clusters with three thousand topics, and some that are drawn."""
    folder = tmp_path_factory.mktemp("fleet")
    sizes = ["--clusters", "30", "--topics", "3000", "--out", str(folder / "made")]
    subprocess.run([sys.executable, "-m", "examples.fleet", *sizes], cwd=ROOT, check=True, capture_output=True)
    return folder / "made"


@BOTH
def test_the_same_findings_message_for_message(spark: Any, fleet: Path, tmp_path: Path, path: str) -> None:
    mine = audit(fleet, tmp_path / "local")
    ran = audit(fleet, tmp_path / "spark", "--engine", "spark", "--path", path)
    assert (ran.code, ran.err) == (mine.code, "")
    for name in TABLES:
        assert table(tmp_path / "spark", name) == table(tmp_path / "local", name)
    frames = [
        spark.read.parquet(f"file://{tmp_path}/{engine}/findings").drop("audit", "labels")
        for engine in ("spark", "local")
    ]
    assertDataFrameEqual(*frames)


@BOTH
def test_damage_waivers_and_clusters_that_are_away(spark: Any, tmp_path: Path, path: str) -> None:
    whole = collected(tmp_path / "whole", {"good": GOOD, "ill": ILL, "away": None}, LABELS)
    other = written(tmp_path / "other", damaged(whole))
    (tmp_path / "waivers.yaml").write_text(WAIVERS)
    more = ("--max-unreachable", "1", "--waivers", tmp_path / "waivers.yaml")
    mine = audit(other, tmp_path / "local", *more)
    ran = audit(other, tmp_path / "spark", *more, "--engine", "spark", "--path", path)
    assert (ran.code, ran.err) == (mine.code, "")
    for name in TABLES:
        assert table(tmp_path / "spark", name) == table(tmp_path / "local", name)


def test_rules_of_ones_own_travel_and_those_that_want_whole_clusters_get_them(spark: Any, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL}, LABELS)
    (tmp_path / "own.py").write_text(OWN_RULES)
    more = ("--rules", tmp_path / "own.py", "--select", "OWN1,OWN2,KA220")
    for out, how in (("auto", ()), ("topics", ("--path", "topics")), ("sent", ("--option", "compression=gzip"))):
        ran = audit(fleet, tmp_path / out, *more, "--engine", "spark", *how)
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


def test_snapshot_files_and_no_topics_at_all(spark: Any, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"bare": "kafka 4.3\nbrokers 1 2 3", "away": None})
    for path in ("topics", "clusters"):
        more = ("--max-unreachable", "1")
        assert (
            audit(fleet, tmp_path / path, *more, "--engine", "spark", "--path", path).code
            == audit(fleet, tmp_path / f"{path}-", *more).code
        )
        for name in TABLES:
            assert table(tmp_path / path, name) == table(tmp_path / f"{path}-", name)


def test_the_session_that_there_is_stays_as_it_is(spark: Any, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD})
    spark.range(1).count()  # Spark writes its warehouse as a URI when it is first used
    before = dict(spark.sparkContext.getConf().getAll())
    setting = spark.conf.get("spark.sql.shuffle.partitions")
    audit(fleet, tmp_path / "audit", "--engine", "spark")
    assert spark.range(3).count() == 3
    assert dict(spark.sparkContext.getConf().getAll()) == before
    assert spark.conf.get("spark.sql.shuffle.partitions") == setting


def test_small_tables_that_are_too_large_bring_clusters_together(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from spark_audit.spark import audit as job

    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    taken: list[str] = []
    for name in ("alone", "whole_clusters"):
        own = getattr(job, name)
        monkeypatch.setattr(job, name, lambda *given, own=own, name=name: taken.append(name) or own(*given))
    audit(fleet, tmp_path / "one", "--engine", "spark")
    monkeypatch.setattr(job, "LARGEST", 10)
    audit(fleet, tmp_path / "two", "--engine", "spark")
    assert taken == ["alone", "whole_clusters"]
    assert table(tmp_path / "one", "findings") == table(tmp_path / "two", "findings")


@BOTH
def test_a_damaged_file_is_named(spark: Any, tmp_path: Path, path: str) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    file = fleet / "topics/part-0.parquet"
    whole = file.read_bytes()
    file.write_bytes(whole[:40] + bytes(byte ^ 0xFF for byte in whole[40:120]) + whole[120:])
    ran = audit(fleet, tmp_path / "audit", "--engine", "spark", "--path", path)
    assert (ran.code, not (tmp_path / "audit").exists()) == (2, True)
    assert ran.err.strip().splitlines()[-1].startswith(f"kafka-advisor: Spark: {file}: ")


def test_a_format_that_spark_does_not_have_is_one_line(spark: Any, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD})
    ran = audit(fleet, tmp_path / "audit", "--engine", "spark", "--format", "nosuch")
    assert ran.code == 2
    assert len(ran.err.strip().splitlines()) == 1
    assert "nosuch" in ran.err
    assert not (tmp_path / "audit" / "_complete.json").exists()


def test_orc_is_written_where_it_is_asked_for(spark: Any, tmp_path: Path) -> None:
    fleet = collected(tmp_path / "fleet", {"ill": ILL})
    audit(fleet, tmp_path / "orc", "--engine", "spark", "--format", "orc")
    audit(fleet, tmp_path / "parquet", "--engine", "spark")
    for name in ("findings", "clusters", "audits"):
        frames = [spark.read.format(each).load(f"file://{tmp_path}/{each}/{name}") for each in ("orc", "parquet")]
        assert frames[0].count() == frames[1].count() > 0


def test_what_a_worker_has_learned_is_not_sent_as_a_copy() -> None:
    from pyspark.cloudpickle import dumps

    from spark_audit.results.plan import Plan
    from spark_audit.spark import shipped

    class Broadcast:
        value: dict[str, bytes] = {}

    for make in (shipped.by_topics, shipped.rest_of):
        assert b"Kept" not in dumps(make(Plan("a"), Broadcast(), Broadcast(), shipped.Files("/nowhere")))
    assert b"Kept" not in dumps(shipped.by_cluster(Plan("a"), shipped.Files("/nowhere")))


@pytest.mark.parametrize("storage", ["orc", "json"])
def test_tables_that_were_collected_in_another_format_are_read_by_spark(
    spark: Any, tmp_path: Path, storage: str
) -> None:
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    other = tmp_path / "other"
    for name in ("clusters", "brokers", "clients", "topics"):
        spark.read.parquet(f"file://{fleet}/{name}").write.format(storage).save(f"file://{other}/{name}")
    about = json.loads((fleet / "_complete.json").read_text()) | {"storage": storage}
    (other / "_complete.json").write_text(json.dumps(about))
    ran, mine = audit(other, tmp_path / "spark", "--engine", "spark"), audit(fleet, tmp_path / "local")
    assert (ran.code, ran.err) == (mine.code, "")
    for name in TABLES:
        assert table(tmp_path / "spark", name) == table(tmp_path / "local", name)
    refused = audit(other, tmp_path / "no")
    assert (refused.code, len(refused.err.splitlines())) == (2, 1)
    assert "--engine spark" in refused.err


def test_only_files_that_tasks_named_stay_and_all_of_them_must_be_there(tmp_path: Path) -> None:
    from advisor.errors import UserError
    from spark_audit.spark.audit import settle

    (tmp_path / "findings").mkdir()
    for name in ("one", "again"):
        (tmp_path / "findings" / f"{name}.parquet").touch()
    settle(str(tmp_path), [{"files": ["findings/one.parquet"]}, {"files": []}])
    assert [path.name for path in (tmp_path / "findings").iterdir()] == ["one.parquet"]
    with pytest.raises(UserError, match="must be a folder that this machine shares"):
        settle(str(tmp_path), [{"files": ["unknowns/elsewhere.parquet"]}])


def test_groups_are_parted_by_the_hash_that_spark_parts_them_by(spark: Any) -> None:
    from pyspark.sql.functions import hash as spark_hash

    numbers = spark.range(0, 300).unionAll(spark.range(2**62, 2**62 + 50)).unionAll(spark.range(-50, 0))
    rows = numbers.select("id", spark_hash("id").alias("hash")).collect()
    assert {row["id"]: hashed(row["id"]) for row in rows} == {row["id"]: row["hash"] for row in rows}


def test_what_is_counted_of_a_cluster_in_several_batches_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet = load([str(collected(tmp_path / "fleet", {"ill": ILL}))])
    monkeypatch.setattr(bundles, "BATCH_ROWS", 1)
    (tmp_path / "out").mkdir()
    judge = shipped.by_cluster(Plan("a"), shipped.Files(str(tmp_path / "out")))
    topics, small = (
        pa.Table.from_batches(
            [part for task in shares_of(fleet, names, 1) for share in task for part in bundled(share, [0])]
        )
        for names in (["topics"], SMALL)
    )
    notes = [json.loads(note) for note in judge(topics, small).column(0).to_pylist()]
    assert fleet.row_count("topics") > 1
    parts = add_counts(part for note in notes for part in note.get("parts", ()))
    assert [(part["topics"], part["partitions"]) for part in parts.values()] == [(2, 11)]
