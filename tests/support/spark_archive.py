"""Spark's classes as Java maps them at a start: a first job leaves them in an archive, and every later JVM starts in half the time."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyspark

from tests.support.commands import ROOT

SPARK = Path(pyspark.__file__).parent
OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""What keeps a Java that runs for some seconds from compiling as one that runs for days does."""
QUIET = "-Xlog:disable -Xlog:all=error:stderr"
"""A JVM with other jars cannot use the archive, and would say so."""
PATIENCE = 180
JOB = """
import sys
from advisor.cli import main
folder = sys.argv[1]
from examples.fleet import main as draw
sys.argv = ["fleet", "--clusters", "2", "--topics", "20", "--out", f"{folder}/fleet"]
draw()
main(["audit", f"{folder}/fleet", "--out", f"{folder}/audit", "--engine", "spark", "--no-config"])
"""


def use_archive(make: bool = False) -> None:
    """Have every driver of Spark from now on take the archive; where there is none, make it unless another process does."""
    java = shutil.which("java", path=f"{os.environ['JAVA_HOME']}/bin" if "JAVA_HOME" in os.environ else None)
    if java is None:
        return
    archive = archive_of(Path(java).resolve())
    if make and not archive.exists():
        _make(archive)
    shared = f" -XX:SharedArchiveFile={archive} {QUIET}" if archive.exists() else ""
    os.environ["SPARK_SUBMIT_OPTS"] = OPTIONS + shared


def archive_of(java: Path) -> Path:
    """Where the archive is, or will be: another Java and another Spark have one of their own."""
    made_of = [f"{path} {path.stat().st_mtime_ns}" for path in (java, SPARK / "jars")]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kafka-advisor"
    return cache / f"spark-{pyspark.__version__}-{hashlib.sha256(str(made_of).encode()).hexdigest()[:12]}.jsa"


def _make(archive: Path) -> None:
    archive.parent.mkdir(parents=True, exist_ok=True)
    with archive.with_suffix(".lock").open("w") as lock, contextlib.suppress(OSError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        folder = archive.with_suffix(f".{os.getpid()}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "job.py").write_text(JOB)
        own = {"SPARK_HOME": str(SPARK), "PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
        own["SPARK_SUBMIT_OPTS"] = f"{OPTIONS} -XX:ArchiveClassesAtExit={folder}/classes.jsa {QUIET}"
        command = [str(SPARK / "bin/spark-submit"), "--master", "local[1]", "--conf", "spark.ui.enabled=false"]
        command += [str(folder / "job.py"), str(folder)]
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                command, cwd=folder, env=os.environ | own, capture_output=True, check=False, timeout=PATIENCE
            )
        with contextlib.suppress(FileNotFoundError):
            (folder / "classes.jsa").replace(archive)
        shutil.rmtree(folder, ignore_errors=True)
