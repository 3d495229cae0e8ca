"""A standalone Spark cluster on the loopback whose workers know nothing of the tool: the package is shipped as a zip."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark
import pytest

from spark_audit.bundle import JOB, bundle
from spark_audit.spark.package_zip import PACKAGES, ZIP
from tests.support.commands import ROOT
from tests.support.fleets import GOOD, ILL, audit, collected, table

SPARK = Path(pyspark.__file__).parent
WHERE = '''
import advisor
from advisor.rule import Subject, Problem, Problems, rule

@rule("OWN9", "info")
def where(topic: Subject) -> Problems:
    """It says where the package came from.

    Why: to know.
    Fix: nothing.
    """
    yield Problem("retention.ms", advisor.__file__)
'''


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def started(kind: str, folder: Path, *arguments: str, said: str) -> subprocess.Popen[bytes]:
    """A daemon of Spark's, once its log says that it is there; its Python sees nothing of this project."""
    log = folder / f"{kind}.log"
    environment = {
        **os.environ,
        "SPARK_HOME": str(SPARK),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONPATH": "",
        "SPARK_WORKER_DIR": str(folder / "work"),
    }
    running = subprocess.Popen(
        [str(SPARK / "bin/spark-class"), f"org.apache.spark.deploy.{kind}", *arguments],
        cwd=folder, env=environment, stdout=log.open("wb"), stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    for _ in range(600):
        if said in log.read_text(errors="replace"):
            return running
        assert running.poll() is None, log.read_text(errors="replace")[-2000:]
        time.sleep(0.1)
    raise AssertionError(log.read_text(errors="replace")[-2000:])


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A master and one worker."""
    folder, port = tmp_path_factory.mktemp("standalone"), free_port()
    url = f"spark://127.0.0.1:{port}"
    daemons = []
    try:
        daemons.append(
            started(
                "master.Master",
                folder,
                "--host",
                "127.0.0.1",
                "--port",
                str(port),
                "--webui-port",
                str(free_port()),
                said="I have been elected leader",
            )
        )
        daemons.append(
            started(
                "worker.Worker",
                folder,
                "--host",
                "127.0.0.1",
                "--cores",
                "2",
                "--memory",
                "1g",
                "--webui-port",
                str(free_port()),
                url,
                said="Successfully registered with master",
            )
        )
        yield url
    finally:
        for daemon in daemons:
            os.killpg(daemon.pid, 9)
            daemon.wait()


def submitted(
    url: str, dist: Path, folder: Path, *arguments: object, python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """The command through spark-submit, from a folder where nothing of this project is."""
    environment = {
        **os.environ,
        "SPARK_HOME": str(SPARK),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYTHONPATH": "",
        "PYSPARK_PYTHON": python,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }
    return subprocess.run(
        [str(SPARK / "bin/spark-submit"), "--master", url, "--conf", "spark.ui.enabled=false", "--conf", "spark.driver.host=127.0.0.1",
         "--conf", "spark.executor.memory=512m", "--py-files", str(dist / ZIP), str(dist / JOB), *map(str, arguments)],
        cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip


def test_the_package_travels_as_a_zip(cluster: str, tmp_path: Path) -> None:
    bundle(str(tmp_path / "dist"))
    fleet = collected(tmp_path / "fleet", {"good": GOOD, "ill": ILL})
    (tmp_path / "where.py").write_text(WHERE)
    more = ["--rules", tmp_path / "where.py", "--no-config"]
    out = tmp_path / "spark"
    ran = submitted(cluster, tmp_path / "dist", tmp_path, "audit", fleet, "--out", out, *more)
    assert ran.returncode == 1, ran.stderr[-3000:]
    found = table(out, "findings")
    places = {row["message"] for row in found if row["rule"] == "OWN9"}
    assert places
    assert all(re.search(rf"{ZIP}/advisor/__init__\.py$", place) for place in places), places
    audit(fleet, tmp_path / "local")
    assert [row for row in found if row["rule"] != "OWN9"] == table(tmp_path / "local", "findings")


def test_what_workers_lack_is_said_in_one_line(cluster: str, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    bundle(str(tmp_path / "dist"))
    fleet = collected(tmp_path / "fleet", {"good": GOOD})
    ran = submitted(
        cluster,
        tmp_path / "dist",
        tmp_path,
        "audit",
        fleet,
        "--out",
        tmp_path / "audit",
        "--no-config",
        python=str(bare / "bin/python"),
    )
    assert ran.returncode == 2
    own = [line for line in (ran.stdout + ran.stderr).splitlines() if line.startswith("kafka-advisor:")]
    assert len(own) == 1, [line for line in (ran.stdout + ran.stderr).splitlines() if "advisor:" in line]
    assert "pip install 'kafka-advisor[" in own[0]
    assert not (tmp_path / "audit/complete.json").exists()


def test_a_bundle_is_the_same_for_the_same_files_and_holds_the_data(tmp_path: Path) -> None:
    import zipfile

    one, two = (Path(bundle(str(tmp_path / name))[0]).read_bytes() for name in ("one", "two"))
    assert one == two
    names = zipfile.ZipFile(tmp_path / "one" / ZIP).namelist()
    assert {name.split("/")[0] for name in names} == set(PACKAGES)
    for wanted in (
        "advisor/simulator/verdicts.json",
        "spark_audit/spark/log4j2.properties",
        "advisor/catalog/history/broker.py",
    ):
        assert wanted in names


def test_lint_and_simulate_work_out_of_the_zip(tmp_path: Path) -> None:
    archive = bundle(str(tmp_path / "dist"))[0]
    for arguments, said in (
        (["lint", str(ROOT / "examples/bad/producer.properties")], "acks-not-all"),
        (["simulate", "--rf", "3", "--min-isr", "2", "--acks", "1"], "lost"),
        (["lint", str(ROOT / "examples/bad/server.properties"), "--format", "html"], "<!doctype html>"),
    ):
        ran = subprocess.run(
            [sys.executable, "-c", "import sys; from advisor.cli import main; sys.exit(main(sys.argv[1:]))", *arguments],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": archive}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert said.lower() in ran.stdout.lower(), ran.stderr
