"""Fleets in an S3 server (moto): `make test-object-store`, by this machine and by Spark's s3a, whose jars Spark fetches."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from spark_audit.storage.runs import MARKER
from tests.support.commands import run
from tests.support.fleets import GOOD, ILL, audit, collected, table
from tests.support.since_last import kept_of
from tests.support.spark_servers import free_port

HADOOP = "org.apache.hadoop:hadoop-aws:3.5.0"
ENGINES = ("local", "spark")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """A server with the bucket `lake`."""
    import boto3

    os.environ.update(AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b", AWS_DEFAULT_REGION="us-east-1")
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    for _ in range(100):
        try:
            urllib.request.urlopen(url)
            break
        except OSError:
            time.sleep(0.1)
    boto3.client("s3", endpoint_url=url).create_bucket(Bucket="lake")
    yield url
    server.kill()
    server.wait()


@pytest.fixture(scope="module")
def spark(endpoint: str) -> Iterator[Any]:
    """A session that knows s3a."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]")
    for key, value in {
        "spark.jars.packages": HADOOP,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.hadoop.fs.s3a.endpoint": endpoint,
        "spark.hadoop.fs.s3a.path.style.access": "true",
        "spark.hadoop.fs.s3a.access.key": "a",
        "spark.hadoop.fs.s3a.secret.key": "b",
    }.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def options(endpoint: str, engine: str) -> list[str]:
    """The client's settings where this machine asks; Spark has its own."""
    if engine == "spark":
        return ["--engine", "spark"]
    settings = (f"endpoint_override={endpoint.removeprefix('http://')}", "scheme=http", "region=us-east-1")
    return ["--engine", "local", *(word for setting in settings for word in ("--option", setting))]


def runs_in(endpoint: str, folder: str) -> set[str]:
    """The runs below a folder of the bucket."""
    import boto3

    listed = boto3.client("s3", endpoint_url=endpoint).list_objects_v2(Bucket="lake", Prefix=f"{folder}/run=")
    return {entry["Key"].split("/")[2] for entry in listed.get("Contents", ())}


@pytest.mark.parametrize("engine", ENGINES)
def test_audits_in_a_bucket(request: pytest.FixtureRequest, endpoint: str, tmp_path: Path, engine: str) -> None:
    if engine == "spark":
        request.getfixturevalue("spark")
    more = options(endpoint, engine)
    for name, good in (("one", GOOD), ("two", ILL)):
        fleet = collected(tmp_path / f"fleet-{name}", {"good": good, "ill": ILL})
        ran = run("audit", fleet, "--out", f"s3a://lake/{engine}/{name}", "--no-config", *more)
        assert (ran.code, ran.err) == (1, "")
        audit(fleet, tmp_path / name)
    again = run("audit", fleet, "--out", f"s3a://lake/{engine}/two", "--no-config", *more)
    assert (again.code, "say --overwrite" in again.err) == (2, True)
    places = [f"s3a://lake/{engine}/{name}" for name in ("one", "two")]
    assert run("audit-diff", *places, "--out", tmp_path / "drift", "--exit-zero", *more).code == 0
    here = ("--engine", "local", "--exit-zero")
    assert run("audit-diff", tmp_path / "one", tmp_path / "two", "--out", tmp_path / "drift-here", *here).code == 0
    assert table(tmp_path / "drift", "drift") == table(tmp_path / "drift-here", "drift") != []
    assert run("audit-report", places[1], "--html", tmp_path / "x.html", *more).code == 0
    before = runs_in(endpoint, f"{engine}/two")
    assert run("audit", fleet, "--out", places[1], "--overwrite", "--exit-zero", "--no-config", *more).code == 0
    assert len(runs_in(endpoint, f"{engine}/two") - before) == 1
    if engine == "local":
        assert not runs_in(endpoint, f"{engine}/two") & before


@pytest.mark.parametrize("engine", ENGINES)
def test_snapshots_in_a_bucket(request: pytest.FixtureRequest, endpoint: str, tmp_path: Path, engine: str) -> None:
    """They are kept while nobody has changed their files since the marker was written."""
    if engine == "spark":
        request.getfixturevalue("spark")
    fleet, folder = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL}), f"{engine}/snapshots"
    files = sorted((path for path in fleet.rglob("*") if path.is_file()), key=lambda path: path.name == MARKER)
    upload(endpoint, files, fleet, folder)
    for number, kept in enumerate((None, 2, 0)):
        if number == 2:
            time.sleep(1.1)  # the store knows when by the second
            upload(endpoint, files[:1], fleet, folder)
        last = ("--since-last", tmp_path / str(number - 1)) if number else ()
        out = tmp_path / str(number)
        ran = run("audit", f"s3a://lake/{folder}", "--out", out, "--no-config", *last, *options(endpoint, engine))
        assert ran.code == 1, ran.err
        assert kept_of(out)[1] == kept
        assert ("changed or copied since" in ran.err) == (kept == 0)
        assert table(out, "findings") == table(tmp_path / "0", "findings") != []


def upload(endpoint: str, files: Sequence[Path], root: Path, folder: str) -> None:
    """Put files below a folder of the bucket, in order."""
    import boto3

    client = boto3.client("s3", endpoint_url=endpoint)
    for file in files:
        client.upload_file(str(file), "lake", f"{folder}/{file.relative_to(root)}")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("place", ["s3a://nowhere/x", "s3a://lake/nothing"])
def test_what_is_not_there_is_one_line(
    request: pytest.FixtureRequest, endpoint: str, tmp_path: Path, engine: str, place: str
) -> None:
    if engine == "spark":
        request.getfixturevalue("spark")
    ran = run("audit", place, "--out", tmp_path / "out", "--no-config", *options(endpoint, engine))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert not (tmp_path / "out").exists()
