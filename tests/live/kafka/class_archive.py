"""Kafka's classes as Java maps them at a start: the first broker of a release leaves them in an archive, and every later node starts
in half the time."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from tests.live.kafka.jars import cache, java, libs
from tests.live.kafka.node import PATIENCE, Node


def options(version: str) -> list[str]:
    """The JVM's options: take the archive; where there is none, remember the classes that one is made of (Java 17 or newer)."""
    archive = archive_of(version)
    if archive.exists():
        return [f"-XX:SharedArchiveFile={archive}"]
    return ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+RecordDynamicDumpInfo"]


def archive_of(version: str) -> Path:
    """Where the archive of a release is, or will be: another Java and other jars have one of their own."""
    launcher, jars = Path(java(version)).resolve(), libs(version)
    made_of = [f"{path} {path.stat().st_mtime_ns}" for path in (launcher, jars)]
    return cache() / f"kafka-{version}-{hashlib.sha256(str(made_of).encode()).hexdigest()[:12]}.jsa"


def leave(version: str, broker: Node) -> None:
    """Write the archive of what a running broker has loaded, where there is none and the JDK's jcmd is there."""
    archive, jcmd = archive_of(version), shutil.which("jcmd", path=Path(java(version)).resolve().parent)
    if archive.exists() or not jcmd:
        return
    archive.parent.mkdir(parents=True, exist_ok=True)
    own = archive.with_suffix(f".{os.getpid()}")
    command = [jcmd, str(broker.pid), "VM.cds", "dynamic_dump", str(own)]
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
        if own.exists():
            own.replace(archive)
