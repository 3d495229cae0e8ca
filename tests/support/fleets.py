"""Fleets for tests: drawn clusters as a collected folder, and what an audit of them wrote."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from advisor.model import Snapshot
from advisor.samples.cluster_text import parse_cluster
from spark_audit.schema.drift import TABLES as DRIFT
from spark_audit.schema.results import TABLES as RESULTS
from spark_audit.schema.snapshots import COLLECTION, TABLES, TABLES_FORMAT
from spark_audit.storage.encode import encode_snapshot, unreachable_row
from spark_audit.storage.run_output import open_output
from spark_audit.storage.runs import MARKER, table_folder
from tests.support.commands import Ran, run

GOOD = """kafka 4.3
brokers 1/a 2/b 3/c
broker * default.replication.factor=3 min.insync.replicas=2
cluster-wide min.insync.replicas=2
topic orders
0-5: leader 1 replicas 1,2,3 isr 1,2,3"""
ILL = """kafka 4.3
brokers 1/a 2/b !3/c
cluster-wide min.insync.replicas=2
topic orders unclean.leader.election.enable=true
0: leader 1 replicas 1,2,3 isr 1,2
1-9: leader 2 replicas 2,1,3 isr 2
topic scratch min.insync.replicas=1
0: leader none replicas 3 isr 3
group pay state=STABLE members=2
[producer orders]
client.id=shop
bootstrap.servers=b1:9092,b2:9092
acks=1"""


def collected(
    folder: Path,
    clusters: Mapping[str, str | Snapshot | None],
    labels: dict[str, dict[str, str]] | None = None,
    when: str = "2026-11-20T04:00:00Z",
) -> Path:
    """The clusters as `collect` would have written them; None is one that could not be reached."""
    tables: dict[str, list[pa.Table]] = {name: [schema.empty_table()] for name, schema in TABLES.items()}
    for name, cluster in clusters.items():
        own = (labels or {}).get(name)
        if cluster is None:
            tables["clusters"].append(unreachable_row(name, "b1:9092: no answer within 30 s", when, own))
            continue
        snapshot = parse_cluster(cluster) if isinstance(cluster, str) else cluster
        assert snapshot.live is not None
        snapshot.live.cluster_id, snapshot.live.collected = f"id-{name}", when
        for entity in snapshot.entities:
            entity.cluster = entity.cluster and f"id-{name}"
        for table, rows in encode_snapshot(name, snapshot, own).items():
            tables[table].append(rows)
    return written(folder, {name: pa.concat_tables(rows) for name, rows in tables.items()})


def written(folder: Path, tables: dict[str, pa.Table]) -> Path:
    """The four tables, whole."""
    with open_output(str(folder), overwrite=True) as out:
        for name, table in tables.items():
            pq.write_table(table, Path(out.table(name)) / "part-0.parquet")
        out.finish({"format": COLLECTION, "tables": TABLES_FORMAT})
    return folder


def folder_of(out: Path, name: str) -> Path:
    """The folder of a table of the whole run."""
    run = json.loads((out / MARKER).read_text())["run"]
    return out / table_folder(run, name)


def files_of(out: Path, name: str) -> list[Path]:
    """The files of a table of the whole run."""
    return sorted(folder_of(out, name).glob("*.parquet"))


def audit(fleet: Path, out: Path, *more: object) -> Ran:
    """An audit by this process, unless told otherwise."""
    engine = () if "--engine" in more else ("--engine", "local", "--jobs", "1")
    return run("audit", str(fleet), "--out", str(out), "--no-config", *engine, *map(str, more))


def table(out: Path, name: str) -> list[dict[str, Any]]:
    """A table's rows in a fixed order, without the audit's name."""
    schema = RESULTS.get(name) or DRIFT[name]
    columns = [field.name for field in schema]
    storage = json.loads((out / MARKER).read_text())["storage"]
    files = [str(path) for path in folder_of(out, name).glob(f"*.{storage}")]
    rows = ds.dataset(files, format=storage).to_table(columns).to_pylist() if files else []
    found = [{key: value for key, value in row.items() if key != "audit"} for row in rows]
    return sorted(found, key=lambda row: json.dumps(row, default=str, sort_keys=True))
