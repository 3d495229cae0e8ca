"""Processes of Spark's own, on the loopback, whose Python sees nothing of this project."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.support.spark_archive import OPTIONS, SPARK

JAVA_WARNING = "WARNING: Using incubator modules: jdk.incubator.vector\n"
"""What Java itself says of how Spark starts it."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextlib.contextmanager
def running(
    folder: Path, *command: str, name: str, says: str = "", writes: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A process, once its log says that it is there, or it has written a file; killed with its children at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{name}.log"
    with log.open("wb") as out:
        started = subprocess.Popen(
            command, cwd=folder, env=clean_environment(), stdout=out, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        for _ in range(900):
            if writes.exists() if writes else says in log.read_text(errors="replace"):
                break
            assert started.poll() is None, log.read_text(errors="replace")[-2000:]
            time.sleep(0.1)
        else:
            raise AssertionError(log.read_text(errors="replace")[-2000:])
        yield started
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(started.pid, 9)
        started.wait()


def clean_environment() -> dict[str, str]:
    """The environment of a process of Spark's."""
    own = {"SPARK_HOME": str(SPARK), "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONPATH": "", "PYSPARK_PYTHON": sys.executable}
    return os.environ | own | {"JDK_JAVA_OPTIONS": os.environ.get("SPARK_SUBMIT_OPTS", OPTIONS)}


@contextlib.contextmanager
def connect_server(folder: Path, *settings: str, packages: tuple[str, ...] = ()) -> Iterator[str]:
    """A Spark Connect server; its URL."""
    port = free_port()
    command = [str(SPARK / "bin/spark-submit"), "--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    command += ["--master", "local[2]", "--driver-memory", "1g", *packages]
    for setting in (f"spark.connect.grpc.binding.port={port}", "spark.ui.enabled=false", *settings):
        command += ["--conf", setting]
    with running(folder, *command, "spark-internal", says="Spark Connect server started", name="connect"):
        yield f"sc://127.0.0.1:{port}"


@contextlib.contextmanager
def standalone(folder: Path, workers: int = 2) -> Iterator[str]:
    """A master and workers of one core each, every process in a folder of its own that no other one looks into; its URL."""
    port = free_port()
    url = f"spark://127.0.0.1:{port}"
    host = ["--host", "127.0.0.1", "--webui-port"]
    with contextlib.ExitStack() as stack:
        command = [str(SPARK / "bin/spark-class"), "org.apache.spark.deploy.master.Master", "--port", str(port), *host]
        says = "I have been elected leader"
        stack.enter_context(running(folder / "master", *command, str(free_port()), says=says, name="master"))
        for number in range(workers):
            own = folder / f"worker-{number}"
            command = [str(SPARK / "bin/spark-class"), "org.apache.spark.deploy.worker.Worker", url, "--cores", "1"]
            command += ["--memory", "1g", "--work-dir", str(own / "work"), *host, str(free_port())]
            stack.enter_context(running(own, *command, says="Successfully registered with master", name="worker"))
        yield url


def submit(url: str, dist: Path, folder: Path, *arguments: object, python: str = sys.executable) -> list[str]:
    """The command line that runs a command through spark-submit."""
    settings = ["spark.ui.enabled=false", "spark.driver.host=127.0.0.1", "spark.executor.memory=512m"]
    settings += ["spark.sql.shuffle.partitions=2"]
    settings += [f"spark.pyspark.python={python}", f"spark.pyspark.driver.python={sys.executable}"]
    confs = [word for setting in settings for word in ("--conf", setting)]
    job = [str(dist / "kafka_advisor.zip"), str(dist / "audit_job.py")]
    return [str(SPARK / "bin/spark-submit"), "--master", url, *confs, "--py-files", *job, *map(str, arguments)]


def submitted(
    url: str, dist: Path, folder: Path, *arguments: object, python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """A command through spark-submit, from a folder where nothing of this project is."""
    command = submit(url, dist, folder, *arguments, python=python)
    return subprocess.run(
        command, cwd=folder, env=clean_environment(), capture_output=True, text=True, check=False, timeout=240
    )
