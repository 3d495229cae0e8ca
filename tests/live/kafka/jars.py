"""The jars of one Kafka release: from KAFKA_HOME, from the cache, or fetched by Maven into the cache."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

POM = Path(__file__).with_name("pom.xml")
FETCH_TIMEOUT = 600
unreachable: dict[str, str] = {}
"""Why a version could not be fetched: it is tried once in a test run."""


class NoKafka(RuntimeError):
    """No real Kafka can be had here; the text says why, in one line."""


def why_not(version: str) -> str | None:
    """Why no Kafka of that version can be started here; None where it can. The first call may fetch its jars."""
    try:
        java(version)
        libs(version)
    except NoKafka as reason:
        return str(reason)
    return None


def needs_kafka(*versions: str) -> None:
    """Skip the calling test where one of the versions cannot be had; fail it in CI (environment variable CI)."""
    reasons = [f"Kafka {version}: {reason}" for version in versions if (reason := why_not(version))]
    if reasons and os.environ.get("CI"):
        pytest.fail(reasons[0], pytrace=False)
    if reasons:
        pytest.skip(reasons[0])


@functools.cache
def java(version: str) -> str:
    """The Java launcher. Raises NoKafka where there is none, or one that is too old for that Kafka."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin") if home else shutil.which("java")
    if not found:
        raise NoKafka("no java")
    said = subprocess.run([found, "-version"], capture_output=True, text=True, check=False).stderr
    number = re.search(r'version "(?:1\.)?(\d+)', said)
    needed = 17 if version.startswith("4.") else 11
    if not number or int(number[1]) < needed:
        raise NoKafka(f"Java {number[1] if number else '?'} where {needed} is needed")
    return found


@functools.cache
def libs(version: str) -> Path:
    """The folder with the jars. Raises NoKafka."""
    home = os.environ.get("KAFKA_HOME")
    if home and (Path(home) / "libs" / f"kafka_2.13-{version}.jar").exists():
        return Path(home) / "libs"
    folder = cache() / f"kafka-{version}"
    if folder.exists():
        return folder
    if version in unreachable:
        raise NoKafka(unreachable[version])
    maven = shutil.which("mvn")
    if not maven:
        raise NoKafka(
            f"KAFKA_HOME is {home}, which is not {version}, and no mvn" if home else "neither mvn nor KAFKA_HOME"
        )
    return fetch(maven, version, folder)


def cache() -> Path:
    """Where fetched jars are kept."""
    named = os.environ.get("KAFKA_ADVISOR_CACHE")
    return Path(named) if named else Path.home() / ".cache" / "kafka-advisor"


def fetch(maven: str, version: str, folder: Path) -> Path:
    """Have Maven copy the jars; the folder appears when it is complete. Raises NoKafka."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as passing:
        jars = Path(passing) / "jars"
        logger = "log4j2" if version.startswith("4.") else "reload4j"
        command = [
            maven,
            "-q",
            "-B",
            "-Dstyle.color=never",
            "-f",
            str(POM),
            f"-Dkafka.version={version}",
            f"-P{logger}",
        ]
        command += ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={jars}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=FETCH_TIMEOUT)
        if done.returncode:
            errors = [line for line in done.stdout.splitlines() if "ERROR" in line]
            unreachable[version] = f"mvn could not fetch it: {errors[0] if errors else done.stderr.strip()[-200:]}"
            raise NoKafka(unreachable[version])
        if not folder.exists():
            jars.rename(folder)
    return folder
