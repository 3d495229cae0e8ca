"""A real HDFS in one process: name node and data node of MiniDFSCluster, on the jars of pyspark and of Maven."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.support.spark_archive import SPARK
from tests.support.spark_servers import free_port, running

JARS = (
    "org.apache.hadoop:hadoop-client-minicluster:3.5.0",
    "org.junit.jupiter:junit-jupiter-api:5.11.4",
    "org.junit.platform:junit-platform-commons:1.11.4",
    "org.opentest4j:opentest4j:1.3.0",
)
MANAGER = "org.apache.hadoop.test.MiniDFSClusterManager"


class NoHdfs(Exception):
    """HDFS cannot be started here."""


def jars(cache: Path) -> Path:
    """The folder with the jars, fetched once. Raises NoHdfs."""
    folder = cache / "hdfs-3.5.0"
    if folder.exists():
        return folder
    maven = shutil.which("mvn")
    if maven is None:
        raise NoHdfs("no mvn, which fetches HDFS")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as passing:
        for jar in JARS:
            command = [maven, "-q", "-B", "dependency:copy", f"-Dartifact={jar}", f"-DoutputDirectory={passing}/jars"]
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
            if done.returncode:
                raise NoHdfs(f"mvn could not fetch {jar}: {(done.stdout or done.stderr).strip()[-200:]}")
        Path(passing, "jars").rename(folder)
    return folder


@contextlib.contextmanager
def hdfs(folder: Path, cache: Path) -> Iterator[str]:
    """A name node and a data node; its URI. Raises NoHdfs."""
    port = free_port()
    command = ["java", "-cp", f"{jars(cache)}/*:{SPARK}/jars/*", MANAGER, "-format", "-datanodes", "1"]
    command += ["-nnport", str(port), "-writeDetails", str(folder / "details.json")]
    with running(folder, *command, writes=folder / "details.json", name="hdfs"):
        yield f"hdfs://127.0.0.1:{port}"
