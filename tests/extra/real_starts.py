"""Have Kafka's own classes start what rows of settings ask for, and keep what they did: a later run goes on from there."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from tests.extra.combinations import FOLDER, PASSWORD, STORES

HERE = Path(__file__).parent / "starts"
CHUNK = 1000
"""Starts in one JVM: what is created leaves some memory behind."""
SECONDS = 25
"""How long a start may take."""
WORN = 3
"""The exit code of a JVM in which something of a start goes on."""
OPTIONS = ("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx2g")


def play(
    main: str, rows: Iterable[dict[str, Any]], jars: str, kept: IO[str], chunk: int = CHUNK, seconds: int = SECONDS
) -> Iterator[int]:
    """Append what the class made of each row to the kept file; yields the number of rows after each JVM."""
    environment()
    waiting = list(rows)
    with tempfile.TemporaryDirectory() as folder:
        compile_into(Path(folder), jars)
        while waiting:
            done, worn = run(main, waiting[:chunk], f"{folder}{os.pathsep}{jars}", kept, seconds)
            if done < min(chunk, len(waiting)) and not worn:
                keep(kept, waiting[done], {"outcome": "died", "detail": "the JVM ended", "changed": {}, "warnings": []})
                done += 1
            del waiting[:done]
            yield done


def environment() -> None:
    """The folder with a key store that is a trust store, too."""
    FOLDER.mkdir(exist_ok=True)
    store = Path(STORES["ssl.keystore.location"])
    if not store.exists():
        command = [
            "keytool",
            "-genkeypair",
            "-alias",
            "b",
            "-keyalg",
            "RSA",
            "-validity",
            "3650",
            "-dname",
            "CN=localhost",
        ]
        command += ["-storetype", "PKCS12", "-keystore", str(store), "-storepass", PASSWORD]
        subprocess.run(command, check=True, capture_output=True)


def compile_into(folder: Path, jars: str) -> None:
    """The classes that start things; a worker's herder is made otherwise before Kafka 3."""
    old = "kafka-clients-2." in jars
    sources = [*HERE.glob("*.java"), *(HERE / ("before-3" if old else "since-3")).glob("*.java")]
    command = ["javac", "-nowarn", "-cp", jars, "-d", str(folder), *map(str, sources)]
    subprocess.run(command, check=True, capture_output=True)


def run(main: str, rows: list[dict[str, Any]], jars: str, kept: IO[str], seconds: int) -> tuple[int, bool]:
    """Give the rows to one JVM; how many it answered, and whether it asks for a fresh one."""
    with tempfile.TemporaryFile("w+") as asked:
        asked.writelines(json.dumps(row) + "\n" for row in rows)
        asked.seek(0)
        java = subprocess.Popen(
            ["java", *OPTIONS, f"-Dseconds={seconds}", "-cp", jars, main],
            stdin=asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert java.stdout is not None
        answered = 0
        for answered, line in enumerate(java.stdout, 1):
            keep(kept, rows[answered - 1], json.loads(line))
        return answered, java.wait() == WORN


def keep(kept: IO[str], row: dict[str, Any], did: dict[str, Any]) -> None:
    """One line of the kept file."""
    kept.write(json.dumps(row | did) + "\n")
    kept.flush()
