"""The data source `kafka_fleet`: every cluster is a row, contacted once, whatever becomes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql.utils import AnalysisException
from pyspark.testing import assertSchemaEqual

from spark_audit.schema.snapshots import TABLES
from spark_audit.spark import collect as collect_spark
from spark_audit.spark.data_source import UNIFIED_SCHEMA, FleetReader, clusters_per_partition
from spark_audit.spark.session import session
from spark_audit.storage import load
from spark_audit.storage.runs import MARKER
from tests.live.spark.fleets import Fake, inventory
from tests.support.commands import run
from tests.support.fleets import GOOD, collected
from tests.support.row_snapshots import snapshot_of


@pytest.fixture
def contacts(tmp_path: Path) -> Path:
    folder = tmp_path / "contacts"
    folder.mkdir()
    return folder


def contacted(folder: Path) -> dict[str, list[str]]:
    return {path.name: path.read_text().splitlines() for path in folder.iterdir()}


def of_table(source: Any, name: str) -> Any:
    return source.where(source["table"] == name).select(f"{name}.*")


def fleet(spark: Any, contacts: Path, many: int = 200, **options: object) -> Any:
    spark.dataSource.register(Fake)
    reader = spark.read.format("kafka_fleet").option("content", inventory(str(contacts), many))
    return reader.options(**{name: str(value) for name, value in options.items()}).load()


def test_two_hundred_clusters_of_which_one_in_twenty_is_broken(spark: Any, contacts: Path, tmp_path: Path) -> None:
    found = fleet(spark, contacts)
    assert contacted(contacts) == {}
    assert found.rdd.getNumPartitions() == 8
    found.write.parquet(f"{tmp_path}/all")
    assert {name: len(lines) for name, lines in contacted(contacts).items()} == {f"c{n}": 1 for n in range(200)}
    kept = spark.read.schema(found.schema).parquet(f"{tmp_path}/all")
    rows = {row["cluster"]: row for row in of_table(kept, "clusters").collect()}
    assert len(rows) == 200
    broken = {f"c{n}": "internal error: ZeroDivisionError: odd" if n % 40 else "no answer" for n in range(0, 200, 20)}
    assert {name: row["reason"] for name, row in rows.items() if row["status"] == "unreachable"} == broken
    assert {row["status"] for name, row in rows.items() if name not in broken} == {"ok"}
    topics = dict(of_table(kept, "topics").groupBy("cluster").count().collect())
    assert topics == {f"c{n}": n % 7 for n in range(200) if n % 20 and n % 7}
    assert of_table(kept, "brokers").count() == 2 * 190
    assert of_table(kept, "clients").count() == 0


def test_rows_that_went_through_spark_are_the_cluster_again(spark: Any, contacts: Path) -> None:
    from collectors.snapshot.file import document
    from tests.live.spark.fleets import read

    found = fleet(spark, contacts, 7, clusters="c6").persist()
    rows = {name: [row.asDict(recursive=True) for row in of_table(found, name).collect()] for name in TABLES}
    back = snapshot_of(rows["clusters"][0], rows["brokers"], rows["topics"], rows["clients"])
    item = Fake({"content": inventory(str(contacts), 7), "clusters": "c6"}).reader(None).items[0]
    assert document(back) == document(read(item))
    assert [(topic.name, len(topic.partitions)) for topic in back.entities[2:]] == [(f"t{n}", 3) for n in range(6)]  # type: ignore[attr-defined]
    found.unpersist()


@pytest.mark.parametrize(
    ("options", "partitions", "clusters", "timeout"),
    [
        ({"per_partition": 10}, 6, 60, "30"),
        ({}, 3, 60, "30"),
        ({"clusters": "c1, c7", "timeout": 7}, 1, 2, "7"),
        ({"threads": 1, "per_partition": 60}, 1, 60, "30"),
    ],
)
def test_options(
    spark: Any, contacts: Path, options: dict[str, object], partitions: int, clusters: int, timeout: str
) -> None:
    found = fleet(spark, contacts, 60, **options)
    assert found.rdd.getNumPartitions() == partitions
    assert found.select("clusters.cluster").where("cluster is not null").count() == clusters
    lines = contacted(contacts).values()
    assert {line.split()[0] for each in lines for line in each} == {timeout}
    assert len(contacted(contacts)) == clusters


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "needs .option('inventory', 'fleet.yaml')"),
        ({"inventory": "/nowhere/fleet.yaml"}, "/nowhere/fleet.yaml: no such file"),
        (
            {"content": "clusters: [{name: a, bootstrap_servers: 'h:1'}]", "threads": "0"},
            "option threads: 0 is not a whole",
        ),
        ({"content": "clusters: [{name: a, bootstrap_servers: 'h:1'}]", "clusters": "b"}, "no cluster b in it"),
    ],
)
def test_options_that_make_no_sense(spark: Any, options: dict[str, str], told: str) -> None:
    spark.dataSource.register(Fake)
    with pytest.raises(AnalysisException, match=told.replace("(", r"\(").replace(")", r"\)")):
        spark.read.format("kafka_fleet").options(**options).load().collect()


def test_how_many_clusters_one_task_reads() -> None:
    assert [clusters_per_partition(many) for many in (1, 200, 1600, 3200, 6400, 100_000)] == [25, 25, 25, 50, 100, 100]


def test_the_schema_is_that_of_the_tables(spark: Any, contacts: Path) -> None:
    from pyspark.sql.pandas.types import from_arrow_schema

    assertSchemaEqual(fleet(spark, contacts, 1).schema, from_arrow_schema(UNIFIED_SCHEMA))
    assert not hasattr(FleetReader, "pushFilters") or FleetReader.pushFilters.__module__.startswith("pyspark")


def test_a_session_that_is_there_is_taken_as_it_is(spark: Any) -> None:
    before = dict(spark.sparkContext.getConf().getAll())
    with session("local[1]") as same:
        assert same is spark
    assert same.range(3).count() == 3
    assert dict(spark.sparkContext.getConf().getAll()) == before


def test_the_command_contacts_every_cluster_once(
    spark: Any, contacts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect_spark, "FleetSource", Fake)
    (tmp_path / "fleet.yaml").write_text(inventory(str(contacts), 60))
    ran = run(
        "collect",
        "--inventory",
        tmp_path / "fleet.yaml",
        "--out",
        tmp_path / "out",
        "--max-unreachable",
        "3",
        "--engine",
        "spark",
    )
    assert (ran.code, ran.err) == (0, "")
    assert {len(lines) for lines in contacted(contacts).values()} == {1}
    loaded = load.load([str(tmp_path / "out")])
    about = json.loads((tmp_path / "out" / MARKER).read_text())
    assert about["clusters"] == {"ok": 57, "partial": 0, "unreachable": 3}
    assert about["rows"] == {name: loaded.table(name).num_rows for name in TABLES}
    assert sum(batch.num_rows for batch in loaded.batches("topics", 7)) == about["rows"]["topics"] > 100
    assert len(list((tmp_path / "out").iterdir())) == 2
    rows = {name: loaded.table(name).to_pylist() for name in TABLES}
    one = next(row for row in rows["clusters"] if row["cluster"] == "c6")
    assert len(snapshot_of(one, *([row for row in rows[name] if row["cluster"] == "c6"] for name in ("brokers", "topics", "clients"))).entities) == 8  # fmt: skip


def test_orc(spark: Any, contacts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect_spark, "FleetSource", Fake)
    (tmp_path / "fleet.yaml").write_text(inventory(str(contacts), 3))
    command = ["collect", "--inventory", tmp_path / "fleet.yaml", "--max-unreachable", "1", "--engine", "spark"]
    for format in ("orc", "parquet"):
        ran = run(
            *command,
            "--out",
            tmp_path / format,
            "--format",
            format,
            "--option",
            "compression=zlib" if format == "orc" else "compression=gzip",
        )
        assert (ran.code, ran.err) == (0, "")
    orc, parquet = (load.load([str(tmp_path / format)]) for format in ("orc", "parquet"))
    for name in set(TABLES) - {"clients"}:
        assert plain_rows(orc.table(name)) == plain_rows(parquet.table(name)) != []


def plain_rows(table: Any) -> list[str]:
    """The rows of a table in order, without what differs from run to run."""
    rows = [row | {"seconds": None, "collected": None} for row in table.to_pylist()]
    return sorted(json.dumps(row, default=str) for row in rows)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--format", "delta"), "--format delta is one of tables of a catalog: --out catalog.schema."),
        (("--option", "compression=nosuch"), "Spark: "),
    ],
)
@pytest.mark.parametrize("command", ["collect", "audit"])
def test_a_format_that_makes_no_sense_is_one_line(
    spark: Any, contacts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, more: tuple[str, ...], told: str
) -> None:  # fmt: skip
    monkeypatch.setattr(collect_spark, "FleetSource", Fake)
    (tmp_path / "fleet.yaml").write_text(inventory(str(contacts), 3))
    what = ["--inventory", tmp_path / "fleet.yaml"]
    if command == "audit":
        what = [collected(tmp_path / "fleet", {"good": GOOD})]
    ran = run(command, *what, "--out", tmp_path / "out", "--engine", "spark", *more)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"kafka-advisor: {told}")
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()
