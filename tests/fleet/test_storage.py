"""Collection without Spark, and what an audit may read: whole, in place, and never half of it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from advisor.errors import NothingToJudge, UnreachableCluster, UserError
from advisor.model import Snapshot
from advisor.reports import progress
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import document, write
from spark_audit.collection import cluster_reader, scheduler
from spark_audit.collection import local as collect_local
from spark_audit.collection.entries import ClusterEntry
from spark_audit.schema.drift import TABLES as DRIFT
from spark_audit.schema.results import TABLES as FOUND
from spark_audit.schema.snapshots import COLLECTION, RELAXED, TABLES
from spark_audit.storage import load
from spark_audit.storage.read_types import DICTIONARY_ENCODED
from spark_audit.storage.runs import MARKER
from tests.support.cluster_drawing import DRAWING
from tests.support.commands import ROOT, Ran, run
from tests.support.fleets import GOOD, audit, collected, files_of, folder_of
from tests.support.row_snapshots import snapshot_of

SMALL = "brokers 1 2\ntopic a retention.ms=1\n0: leader 1 replicas 1,2 isr 1,2\ntopic b"


def fake(item: ClusterEntry) -> Snapshot:
    """What a cluster is, by its name."""
    if item.name.startswith("down"):
        raise UnreachableCluster("no answer\x1b[31m")
    if item.name.startswith("odd"):
        raise ZeroDivisionError("a\nb")
    return cluster_reader.add_clients(
        parse_cluster(SMALL + ("\nunread acls: denied" if item.name.startswith("half") else "")), item
    )


def there(_: ClusterEntry) -> bool:
    """Somebody is at every address."""
    return True


def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clusters are what their names say."""
    monkeypatch.setattr(cluster_reader, "read_cluster", fake)
    monkeypatch.setattr(scheduler, "probe_cluster", there)


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An inventory of clusters that are made up, in a folder of its own."""
    made_up(monkeypatch)
    return inventory(tmp_path, "one", "two", "half", "down", "odd")


def inventory(folder: Path, *names: str) -> Path:
    rows = "".join(f"  - {{name: {name}, bootstrap_servers: 'h:1', labels: {{team: core}}}}\n" for name in names)
    (folder / "fleet.yaml").write_text(f"clusters:\n{rows}")
    return folder


def collect(folder: Path, *more: object) -> Ran:
    out = folder / "out"
    return run("collect", "--inventory", folder / "fleet.yaml", "--out", out, "--engine", "local", *more)


def statuses(folder: Path) -> dict[str, str]:
    table = load.load([str(folder / "out")]).table("clusters")
    return dict(zip(table["cluster"].to_pylist(), table["status"].to_pylist(), strict=True))


def test_every_cluster_is_a_row(fleet: Path) -> None:
    ran = collect(fleet, "--max-unreachable", "50%")
    assert (ran.code, ran.err) == (0, "")
    assert statuses(fleet) == {"one": "ok", "two": "ok", "half": "partial", "down": "unreachable", "odd": "unreachable"}
    loaded = load.load([str(fleet / "out")])
    rows = {row["cluster"]: row for row in loaded.table("clusters").to_pylist()}
    assert rows["down"]["reason"] == "no answer\x1b[31m"
    assert rows["odd"]["reason"] == "internal error: ZeroDivisionError: a b"
    assert rows["half"]["reason"] == "acls: denied"
    assert {row["seconds"] is not None for row in rows.values()} == {True}
    assert {tuple(row["labels"]) for row in rows.values()} == {(("team", "core"),)}
    assert {name: loaded.table(name).num_rows for name in TABLES} == {"clusters": 5, "brokers": 6, "topics": 6, "clients": 0}  # fmt: skip
    about = json.loads((fleet / "out" / MARKER).read_text())
    assert about["rows"] == {"clusters": 5, "brokers": 6, "topics": 6, "clients": 0}
    assert about["clusters"] == {"ok": 2, "partial": 1, "unreachable": 2}
    assert "\x1b" not in ran.out
    assert [line.split()[:3] for line in ran.out.splitlines()[1:6]] == [
        ["down", "unreachable", "0"], ["odd", "unreachable", "0"], ["half", "partial", "2"], ["one", "ok", "2"], ["two", "ok", "2"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("most", "code"),
    [
        ("5%", 4),
        ("40%", 0),
        ("39.9%", 4),
        ("2", 0),
        ("1", 4),
        ("0", 4),
        ("-1", 2),
        ("101%", 2),
        ("some", 2),
        ("nan", 2),
    ],
)
def test_the_exit_code_says_whether_too_many_were_away(fleet: Path, most: str, code: int) -> None:
    ran = collect(fleet, f"--max-unreachable={most}")
    assert ran.code == code
    assert (fleet / "out" / MARKER).exists() == (code != 2)
    if code == 4:
        assert "2 of 5 clusters could not be reached, more than --max-unreachable" in ran.err


def test_no_more_than_twenty_clusters_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_up(monkeypatch)
    ran = collect(inventory(tmp_path, *(f"c{number}" for number in range(30))))
    assert ran.code == 0
    assert len([line for line in ran.out.splitlines() if " ok " in line]) == 20
    assert "and 10 more" in ran.out
    assert "30 clusters (30 ok, 0 partial, 0 unreachable), 60 topics" in ran.out


def test_only_some_clusters(fleet: Path) -> None:
    assert collect(fleet, "--clusters", "one,half").code == 0
    assert statuses(fleet) == {"one": "ok", "half": "partial"}
    ran = collect(fleet, "--clusters", "onne", "--overwrite")
    assert (ran.code, ran.out) == (2, "")
    assert "no cluster onne in it; did you mean one?" in ran.err


def test_what_is_whole_is_kept_unless_told_otherwise(fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert collect(fleet, "--clusters", "one").code == 0
    ran = collect(fleet, "--clusters", "two")
    assert (ran.code, statuses(fleet)) == (2, {"one": "ok"})
    assert "say --overwrite" in ran.err
    with monkeypatch.context() as broken:
        broken.setattr(collect_local, "outcome", lambda tables: 1 / 0)
        assert collect(fleet, "--clusters", "two", "--overwrite").code == 2
    assert statuses(fleet) == {"one": "ok"}
    assert len(list((fleet / "out").iterdir())) == 2
    assert collect(fleet, "--clusters", "two", "--overwrite").code == 0
    assert statuses(fleet) == {"two": "ok"}
    assert len(list((fleet / "out").iterdir())) == 2
    assert {name: folder_of(fleet / "out", name).is_dir() for name in TABLES} == dict.fromkeys(TABLES, True)


def test_what_was_cut_off_is_not_read_and_may_be_done_again(fleet: Path) -> None:
    assert collect(fleet, "--clusters", "one").code == 0
    (fleet / "out" / MARKER).unlink()
    with pytest.raises(UserError, match="is not whole: its collection did not finish"):
        load.load([str(fleet / "out")])
    assert collect(fleet, "--clusters", "two").code == 0
    assert statuses(fleet) == {"two": "ok"}


def test_what_a_killed_run_left_is_in_nobodys_way(fleet: Path) -> None:
    left = fleet / "out/run=20200101T000000Z-00000000/table=topics"
    left.mkdir(parents=True)
    (left / "part-0.parquet").write_bytes(b"PAR1")
    with pytest.raises(UserError, match="is not whole"):
        load.load([str(fleet / "out")])
    assert collect(fleet, "--clusters", "one").code == 0
    assert statuses(fleet) == {"one": "ok"}


def test_nothing_of_others_is_touched(fleet: Path) -> None:
    (fleet / "out").mkdir()
    (fleet / "out" / "thesis.txt").write_text("mine")
    ran = collect(fleet, "--overwrite")
    assert ran.code == 2
    assert "holds something else (thesis.txt)" in ran.err
    assert (fleet / "out" / "thesis.txt").read_text() == "mine"


HOLDS = """
import json, sys
from spark_audit.storage.run_output import open_output
format = json.load(open(f"{sys.argv[1]}/complete.json"))["format"]
with open_output(sys.argv[1], True, sys.argv[2].split(), markers=[format]) as output:
    print(output.run, flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("command", ["collect", "audit", "audit-diff"])
def test_one_run_at_a_time_writes_to_a_folder(
    fleet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    tables: dict[str, Any] = {"collect": TABLES, "audit": FOUND, "audit-diff": DRIFT}
    snapshots, audited, out = collected(tmp_path / "fleet", {"good": GOOD}), tmp_path / "audited", tmp_path / "out"
    assert audit(snapshots, audited).code in (0, 1)
    what: dict[str, list[object]] = {
        "collect": ["--inventory", fleet / "fleet.yaml", "--engine", "local", "--max-unreachable", "9"],
        "audit": [snapshots, "--engine", "local", "--exit-zero"],
        "audit-diff": [audited, audited],
    }
    argv = [command, *what[command], "--out", out]
    assert run(*argv).code == 0
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, out, " ".join(tables[command])],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        held = out / f"run={other.stdout.readline().decode().strip()}"
        assert held.is_dir()
        ran = run(*argv, "--overwrite")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == f"kafka-advisor: {out}: another run is writing there; wait for it, or name another folder\n"
        assert held.is_dir()
        other.kill()
    assert run(*argv, "--overwrite").code == 0
    assert "say --overwrite" in run(*argv).err
    assert run(*argv, "--overwrite").code == 0


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--format", "delta"), "--format delta is one of tables of a catalog: --out catalog.schema."),
        (("--inventory", "examples"), "examples: is a folder without an inventory's Parquet files; name a fleet.yaml"),
        (("--inventory", "{folder}"), "Parquet files; did you mean {folder}/fleet.yaml?"),
        (("--threads", "0"), "0 is not a whole number from 1 on"),
        (("--option", "a"), "a is not KEY=VALUE"),
        (("--out", "gopher://bucket/x"), "gopher://bucket/x: "),
        (("--out", "lake.kafka."), "tables of a catalog are Spark's"),
    ],
)
def test_what_cannot_be_done_is_one_line(fleet: Path, more: tuple[str, ...], told: str) -> None:
    ran = collect(fleet, *(each.format(folder=fleet) for each in more))
    assert ran.code == 2
    assert told.format(folder=fleet) in ran.err
    assert not (fleet / "out").exists()
    assert len(ran.err.splitlines()) == 1


def test_every_mistake_of_the_inventory_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "fleet.yaml").write_text("clusters:\n  - name: a\n    x: 1\n  - 7\n")
    ran = collect(tmp_path)
    assert (ran.code, len(ran.err.splitlines())) == (2, 2)
    assert all(line.startswith("kafka-advisor: ") for line in ran.err.splitlines())


@pytest.mark.parametrize(("every", "lines"), [(0.0, True), (60.0, False)])
def test_a_log_says_how_far_a_long_run_is(
    fleet: Path, monkeypatch: pytest.MonkeyPatch, every: float, lines: bool
) -> None:
    monkeypatch.setattr(progress, "EVERY", every)
    ran = collect(fleet, "--max-unreachable", "50%")
    told = ran.err.splitlines()
    assert told[:1] + told[-1:] == (
        ["kafka-advisor: 0 of 5 clusters, 0 unreachable", "kafka-advisor: 5 of 5 clusters, 2 unreachable"] if lines else []
    )  # fmt: skip


# ------------------------------------------------------------------ many at once


def items(*names: str, timeout: float = 30.0) -> list[ClusterEntry]:
    found = [ClusterEntry(name, "h:1") for name in names]
    for item in found:
        item.timeout = timeout
    return found


def rows(*tables: dict[str, Any]) -> dict[str, str]:
    return {row["cluster"]: row["reason"] or row["status"] for each in tables for row in each["clusters"].to_pylist()}


def test_clusters_are_read_at_once() -> None:
    barrier = threading.Barrier(4, timeout=20)

    def read(_: ClusterEntry) -> Snapshot:
        barrier.wait()
        return parse_cluster(SMALL)

    found = list(scheduler.gather(items(*"abcdefgh"), read, 4, there))
    assert rows(*found) == dict.fromkeys("abcdefgh", "ok")


def test_but_not_too_many_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    def start(number: int, item: ClusterEntry, work: Any, done: Any) -> None:
        found = work(item)
        if found is not True:
            started.append(item.name)
        done.put((number, found))

    monkeypatch.setattr(scheduler, "start", start)
    seen = [(tables, len(started)) for tables in scheduler.gather(items(*"abcdefgh"), fake, 4, there)]
    assert [many for _, many in seen] == [4, 5, 6, 7, 8, 8, 8, 8]
    assert started == list("abcdefgh")


def test_a_cluster_that_hangs_is_given_up_and_holds_up_nobody() -> None:
    forever = threading.Event()

    def read(item: ClusterEntry) -> Snapshot:
        if item.name == "hangs":
            forever.wait(60)
        return parse_cluster(SMALL)

    started = time.monotonic()
    found = list(scheduler.gather(items("hangs", "a", "b", timeout=0.5), read, 1, there))
    assert time.monotonic() - started < 20
    assert rows(*found) == {"hangs": "not back within 0.75 s, its time-out 1.5 times over", "a": "ok", "b": "ok"}
    forever.set()


def test_who_says_nothing_is_in_the_way_of_nobody_who_answers() -> None:
    answered = threading.Event()

    def read(item: ClusterEntry) -> Snapshot:
        if item.name.startswith("silent") and not answered.wait(20):
            raise UnreachableCluster("in the way")
        if item.name == "b":
            answered.set()
        return parse_cluster(SMALL)

    names = *(f"silent{number}" for number in range(20)), "a", "b"
    found = list(scheduler.gather(items(*names), read, 1, lambda item: not item.name.startswith("silent")))
    assert rows(*found) == dict.fromkeys(names, "ok")


def test_nobody_is_asked_where_nobody_is() -> None:
    def look(item: ClusterEntry) -> bool:
        if item.name == "gone":
            raise UnreachableCluster("h:1: Connection refused")
        if item.name == "odd":
            raise ZeroDivisionError("odd")
        return True

    asked: list[str] = []

    def read(item: ClusterEntry) -> Snapshot:
        asked.append(item.name)
        return parse_cluster(SMALL)

    found = list(scheduler.gather(items("gone", "odd", "a"), read, 1, look))
    assert rows(*found) == {
        "gone": "h:1: Connection refused",
        "odd": "internal error: ZeroDivisionError: odd",
        "a": "ok",
    }
    assert asked == ["a"]


def test_clients_are_joined_and_a_topic_that_nobody_shows_is_a_gap() -> None:
    (item,) = items("one")
    (client,) = [
        entity for entity in parse_cluster("brokers 1\n[producer]\nacks=1").entities if entity.kind == "producer"
    ]
    item.clients = [(client, ("a", "gone", "pay-*"))]  # type: ignore[list-item]
    made = scheduler.tables_for(item, fake)
    (row,) = made["clusters"].to_pylist()
    assert (row["status"], row["reason"]) == ("partial", "topic gone: producer-0.properties uses it; it is absent, or this principal may not see it")  # fmt: skip
    assert made["clients"].column("topics").to_pylist() == [["a", "gone", "pay-*"]]


# ------------------------------------------------------------------ what an audit reads


def test_snapshot_files_are_the_same_tables(tmp_path: Path) -> None:
    write(str(tmp_path / "one.json"), parse_cluster(DRAWING))
    write(str(tmp_path / "two.json.gz"), parse_cluster(SMALL))
    loaded = load.load([str(tmp_path)])
    assert (loaded.store, loaded.paths) == (None, {})
    assert loaded.table("clusters")["cluster"].to_pylist() == ["one", "two"]
    assert {name: loaded.table(name).schema for name in TABLES} == RELAXED
    found = {name: loaded.table(name).to_pylist() for name in TABLES}
    one = snapshot_of(found["clusters"][0], *([row for row in found[name] if row["cluster"] == "one"] for name in ("brokers", "topics", "clients")))  # fmt: skip
    assert document(one) == document(parse_cluster(DRAWING))
    some = load.load([str(tmp_path / "two.json.gz")])
    assert some.table("clusters")["cluster"].to_pylist() == ["two"]
    assert sum(batch.num_rows for batch in loaded.batches("topics", 2)) == 5
    assert max(batch.num_rows for batch in loaded.batches("topics", 2)) == 2


def test_a_snapshot_that_is_damaged_is_a_cluster_that_was_not_read(tmp_path: Path) -> None:
    write(str(tmp_path / "good.json"), parse_cluster(SMALL))
    (tmp_path / "cut.json.gz").write_bytes(b"\x1f\x8b\x08")
    (tmp_path / "text.json").write_text("hello")
    found = {row["cluster"]: row for row in load.load([str(tmp_path)]).table("clusters").to_pylist()}
    assert {name: row["status"] for name, row in found.items()} == {"good": "ok", "cut": "unreachable", "text": "unreachable"}  # fmt: skip
    assert "cut off or damaged" in found["cut"]["reason"]
    assert "not a snapshot of a cluster" in found["text"]["reason"]


def not_ours(folder: Path) -> list[tuple[list[str], str]]:
    for name in ("a", "b", "empty", "whole"):
        (folder / name).mkdir()
    write(str(folder / "a/x.json"), parse_cluster(SMALL))
    write(str(folder / "b/x.json.gz"), parse_cluster(SMALL))
    (folder / "x.txt").write_text("")
    (folder / "whole" / MARKER).write_text(json.dumps({"format": COLLECTION, "storage": "parquet"}))
    return [
        ([str(folder / "absent")], "absent: no such file or directory"),
        ([str(folder / "empty")], "nothing to audit: no snapshot"),
        ([], "nothing to audit"),
        ([str(folder / "x.txt")], "x.txt: neither a snapshot"),
        ([str(folder / "a"), str(folder / "b")], "x.json is a cluster x, too"),
        ([str(folder / "whole")], "the table clusters is not there"),
        ([str(folder / "whole"), str(folder / "a")], "not both"),
    ]


def test_what_is_neither_is_refused_in_one_line(tmp_path: Path) -> None:
    for paths, told in not_ours(tmp_path):
        with pytest.raises(UserError, match=r"^[^\n]*$") as error:
            load.load(paths)
        assert told in str(error.value)
        assert isinstance(error.value, NothingToJudge) == told.startswith("nothing")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ('{"format": "kafka-advisor-collection/9"}', "its format is 'kafka-advisor-collection/9'"),
    ],
)
def test_a_collection_of_another_kind(tmp_path: Path, said: str, told: str) -> None:
    (tmp_path / MARKER).write_text(said)
    with pytest.raises(UserError, match=told):
        load.load([str(tmp_path)])


def test_nulls_where_there_should_be_none_are_read_as_they_are(fleet: Path) -> None:
    assert collect(fleet, "--clusters", "one").code == 0
    (path,) = files_of(fleet / "out", "topics")
    dirty = {"cluster": "one", "settings": [None, {"key": None}], "partitions": [{"id": 1, "isr": [None]}, None]}
    elements = [pa.field(field.name, spark_type(field.type)) for field in TABLES["topics"]]
    pq.write_table(pa.Table.from_pylist([dirty, {}], pa.schema(elements)), path)
    table = load.load([str(fleet / "out")]).table("topics")
    assert table.schema == DICTIONARY_ENCODED["topics"]
    assert [row["cluster"] for row in table.to_pylist()] == ["one", None]


def spark_type(type: pa.DataType) -> pa.DataType:
    """The type as Spark writes it: the items of lists are called element."""
    if pa.types.is_struct(type):
        return pa.struct([pa.field(part.name, spark_type(part.type)) for part in type])
    return pa.list_(pa.field("element", spark_type(type.value_type))) if pa.types.is_list(type) else type


def test_tables_of_somebody_else(fleet: Path) -> None:
    assert collect(fleet, "--clusters", "one").code == 0
    (path,) = files_of(fleet / "out", "topics")
    pq.write_table(pq.read_table(path).drop_columns(["partitions"]), path)
    with pytest.raises(UserError, match="the table topics has no column partitions"):
        load.load([str(fleet / "out")])
    pq.write_table(pa.table({name: pa.array([[1]]) for name in TABLES["topics"].names}), path)
    with pytest.raises(UserError, match=r"part-00000\.parquet: "):
        load.load([str(fleet / "out")])
    path.write_bytes(b"PAR1")
    with pytest.raises(UserError, match=r"part-00000\.parquet"):
        load.load([str(fleet / "out")])
