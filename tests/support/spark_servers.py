"""Processes of Spark's own, on the loopback, whose Python sees nothing of this project."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyspark

SPARK = Path(pyspark.__file__).parent


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextlib.contextmanager
def running(
    folder: Path, *command: str, says: str, name: str, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A process, once its log says that it is there; killed with its children at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{name}.log"
    started = subprocess.Popen(
        command, cwd=folder, env=clean_environment() | dict(environment or {}),
        stdout=log.open("wb"), stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        for _ in range(900):
            if says in log.read_text(errors="replace"):
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
    return {**os.environ, **own}


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
