"""spark-submit on two workers that share no folder, data on a real HDFS: also where an executor or a worker dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from spark_audit.bundle import bundle
from spark_audit.schema.snapshots import COLLECTION
from spark_audit.schema.snapshots import TABLES as SNAPSHOTS
from spark_audit.spark.tables.file_tables import FileTables
from spark_audit.storage.location import parse_location
from tests.live.kafka.jars import cache
from tests.support.catalogs import sorted_rows
from tests.support.commands import ROOT, run
from tests.support.fleets import audit, folder_of, table
from tests.support.hdfs import NoHdfs, hdfs
from tests.support.spark_servers import clean_environment, standalone, submit, submitted


class Lake(NamedTuple):
    """A Spark cluster and a file system, what is to be submitted, a fleet there and here, and its audit by this machine."""

    url: str
    root: str
    dist: Path
    fleet: str
    local: Path
    audit: Path


@pytest.fixture(scope="module")
def lake(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    """A fleet of five hundred clusters on HDFS, in two files a table: enough for two tasks."""
    folder = tmp_path_factory.mktemp("lake")
    bundle(str(folder / "dist"))
    sizes = ["--clusters", "510", "--topics", "2000", "--out", str(folder / "fleet")]
    subprocess.run([sys.executable, "-m", "examples.fleet", *sizes], cwd=ROOT, check=True, capture_output=True)
    try:
        with hdfs(folder / "hdfs", cache()) as root, standalone(folder) as url:
            put(spark, folder / "fleet", f"{root}/fleet")
            audit(folder / "fleet", folder / "audit")
            yield Lake(url, root, folder / "dist", f"{root}/fleet", folder / "fleet", folder / "audit")
    except NoHdfs as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(missing))


def put(spark: Any, fleet: Path, uri: str) -> None:
    """Copy a fleet's tables by Spark, the marker last."""
    tables = FileTables(spark, parse_location(uri), {}, "parquet", "20261120T040000Z-00000000")
    for name, schema in SNAPSHOTS.items():
        rows = spark.read.parquet(f"file://{folder_of(fleet, name)}").select(*schema.names).coalesce(1)
        middle = "cluster-00250"
        for half in (rows["cluster"] < middle, rows["cluster"] >= middle):
            tables.add(name, rows.where(half))
    tables.finish({"format": COLLECTION})


def rows(spark: Any, out: str, name: str) -> list[dict[str, Any]]:
    """The rows of a table of an audit on HDFS."""
    return sorted_rows(spark.read.parquet(f"{out}/run=*/table={name}"), name)


def test_an_audit_on_hdfs(spark: Any, lake: Lake, tmp_path: Path) -> None:
    ran = submitted(
        lake.url, lake.dist, tmp_path, "audit", lake.fleet, "--out", f"{lake.root}/audit/one", "--no-config"
    )
    assert ran.returncode == 1, ran.stderr[-3000:]
    for name in ("findings", "unknowns", "clusters", "counts"):
        assert rows(spark, f"{lake.root}/audit/one", name) == table(lake.audit, name)
    again = run("audit", lake.fleet, "--out", f"{lake.root}/audit/one", "--no-config", "--engine", "spark")
    assert (again.code, again.out, again.err.count("\n")) == (2, "", 1)
    assert "holds tables that are whole" in again.err
    page = ("audit-report", f"{lake.root}/audit/one", "--html", tmp_path / "x.html", "--engine", "spark")
    assert run(*page).code == 0
    assert "KA221" in (tmp_path / "x.html").read_text()


@pytest.mark.parametrize("victim", ["executor", "worker"])
def test_what_dies_changes_nothing(spark: Any, lake: Lake, tmp_path: Path, victim: str) -> None:
    """Killed where an executor has begun to judge; the others do its work again."""
    out = f"{lake.root}/audit/{victim}"
    command = submit(lake.url, lake.dist, tmp_path, "audit", lake.fleet, "--out", out, "--no-config")
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(command, cwd=tmp_path, env=clean_environment(), stdout=log, stderr=log)
        kill(victim, lake.local.parent / "worker-0", running)
        running.wait(timeout=240)
    assert running.returncode == 1, (tmp_path / "log").read_text()[-3000:]
    for name in ("findings", "unknowns", "clusters", "counts"):
        assert rows(spark, out, name) == table(lake.audit, name)


def kill(victim: str, work: Path, running: subprocess.Popen[bytes]) -> None:
    """Kill the executor in a worker's folder once it has Python processes, or that and the worker."""
    for _ in range(3000):
        assert running.poll() is None, "it was over before an executor had begun"
        executors = processes("CoarseGrainedExecutorBackend", work)
        if executors and processes("pyspark.daemon", work):
            break
        time.sleep(0.05)
    else:
        raise AssertionError("no executor has begun")
    workers = processes("deploy.worker.Worker", work) if victim == "worker" else []
    for process in (*workers, *executors):
        os.kill(process, signal.SIGKILL)


def processes(text: str, folder: Path) -> list[int]:
    """The processes whose command line has a text and whose working folder is in a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            command = (path / "cmdline").read_bytes().decode(errors="replace")
            inside = Path(os.readlink(path / "cwd")).is_relative_to(folder)
        except OSError:
            continue
        if text in command and inside:
            found.append(int(path.name))
    return found
