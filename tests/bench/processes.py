"""Whole processes of an installed wheel: environments to run them in, what they cost in CPU time and in instructions."""

from __future__ import annotations

import io
import os
import re
import resource
import shutil
import statistics
import subprocess
import tarfile
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PERF = ("perf", "stat", "--field-separator", ";", "--event", "instructions:u")
CALLGRIND = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")
Commands = Mapping[str, Sequence[str]]


def installed(folder: Path, source: Path = ROOT) -> Path:
    """The Python of an environment with the project and yamllint, bytecode compiled."""
    venv.create(folder, with_pip=True)
    python = folder / "bin/python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--upgrade", "pip"], check=True)
    subprocess.run([*pip, str(source), "yamllint"], check=True)
    subprocess.run([str(python), "-m", "compileall", "-q", str(folder / "lib")], check=False, capture_output=True)
    return python


def checkout(commit: str, folder: Path) -> Path:
    """The files of a commit."""
    done = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def cpu_seconds(commands: Commands, rounds: int) -> dict[str, float]:
    """Median seconds of CPU (user and system) of every command, run in turn so that a noisy moment hits all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            spent = _cpu_seconds(command)
            if turn:
                seconds[name].append(spent)
    return {name: statistics.median(values) for name, values in seconds.items()}


def _cpu_seconds(command: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=False, cwd="/")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def instructions(command: Sequence[str]) -> int | None:
    """The instructions that a command takes, counted by perf or else by valgrind; None where neither can."""
    for counter, pattern in ((PERF, r"^(\d+);[^;]*;instructions"), (CALLGRIND, r"Collected : (\d+)")):
        if shutil.which(counter[0]) is None:
            continue
        done = subprocess.run(
            [*counter, *command],
            env={**os.environ, "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
        )
        counted = re.search(pattern, done.stderr, re.MULTILINE)
        if counted:
            return int(counted[1])
    return None
