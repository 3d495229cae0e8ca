"""`lint --since` on a repository of 2,000 files of which three changed, against `lint` of those three and git's own time."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

FILES, CHANGED, ROUNDS = 2000, 3, 7
BROKER = """\
process.roles=broker
node.id={id}
controller.quorum.bootstrap.servers=c1.{name}:9093,c2.{name}:9093,c3.{name}:9093
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://:9092
log.dirs={log_dirs}
default.replication.factor=3
min.insync.replicas=2
"""
GIT = (
    ("ls-tree", "-r", "-l", "-z", "HEAD"),
    ("ls-files", "-z", "--cached", "--others", "--exclude-standard"),
    ("grep", "-l", "-z", "-F", "-i", "--untracked", "-e", "c1.cluster-0001:9093"),
    ("cat-file", "--batch-check", "--batch-all-objects"),
)
"""The questions about a work tree of which any such comparison asks some."""


def path_of(number: int) -> Path:
    """Three brokers to a cluster, a folder to each."""
    return Path(f"cluster-{number // 3:04}", f"broker-{number % 3}.properties")


def write(number: int, log_dirs: str) -> None:
    """Write the configuration of a broker."""
    path = path_of(number)
    path.parent.mkdir(exist_ok=True)
    path.write_text(BROKER.format(id=number % 3, name=path.parent.name, log_dirs=log_dirs))


def make_repository() -> list[str]:
    """Commit the files in the working directory, and change three of them, each in a cluster of its own."""
    for number in range(FILES):
        write(number, "/data/kafka")
    git = ("git", "-c", "user.name=bench", "-c", "user.email=bench@example.org")
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "files")):
        subprocess.run((*git, *arguments), check=True)
    changed = [number * FILES // CHANGED for number in range(CHANGED)]
    for number in changed:
        write(number, "/data2/kafka")
    return [str(path_of(number)) for number in changed]


def seconds(*commands: Sequence[str]) -> float:
    """The CPU seconds of some commands and of what they start."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for command in commands:
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the medians of interleaved rounds, and the ratio."""
    lint = (sys.executable, "-m", "advisor", "lint", "--no-config")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYTHONPATH"] = os.getcwd()
        os.chdir(folder)
        changed = make_repository()
        runs: dict[str, list[tuple[str, ...]]] = {
            "lint --since HEAD": [(*lint, ".", "--since", "HEAD")],
            "lint of the three": [(*lint, *changed)],
            "git alone": [("git", *arguments) for arguments in GIT],
        }
        times: dict[str, list[float]] = {name: [] for name in runs}
        for name, commands in list(runs.items()) * ROUNDS:
            times[name].append(seconds(*commands))
        started = time.monotonic()
        subprocess.run((*lint, "."), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        everything = time.monotonic() - started
    medians = {name: median(rows) for name, rows in times.items()}
    for name, value in medians.items():
        print(f"{name}: {1000 * value:.0f} ms of CPU")
    since, three, git = medians.values()
    print(f"{FILES} files, {CHANGED} changed: {since / (three + git):.2f} times lint of the three and git (aim: 1.5)")
    print(f"lint of all {FILES}: {everything:.1f} s")


if __name__ == "__main__":
    main()
