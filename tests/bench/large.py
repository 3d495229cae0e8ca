"""`make bench-large`: the CPU seconds that each command takes for large inputs that are allowed; the limit is 3 s a megabyte."""

from __future__ import annotations

import argparse
import compileall
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench.large_inputs import SHAPES, Files
from tests.bench.processes import ROOT

SECONDS = 3.0
"""Of CPU for each megabyte that a command reads, of both sides where there are two, and for what is smaller."""
RUNS = 5
PACKAGES = ("advisor", "collectors", "rules")
COMMANDS = {
    "lint": "lint --no-config OLD",
    "lint json": "lint --no-config --format json OLD",
    "lint sarif": "lint --no-config --format sarif OLD",
    "lint html": "lint --no-config --format html OLD",
    "lint markdown": "lint --no-config --format markdown OLD",
    "lint junit": "lint --no-config --format junit OLD",
    "lint gitlab": "lint --no-config --format gitlab OLD",
    "lint github": "lint --no-config --format github OLD",
    "lint -v --all": "lint --no-config -v --all OLD",
    "lint --diff": "lint --no-config --diff OLD",
    "lint --diff unsafe": "lint --no-config --diff --unsafe-fixes OLD",
    "lint --silence": "lint --no-config --silence KA101,KA103 --reason agreed --diff OLD",
    "diff": "diff --no-config OLD NEW",
    "diff json": "diff --no-config --format json OLD NEW",
    "advise": "advise --no-config OLD",
    "advise json": "advise --no-config --format json OLD",
    "advise diff": "advise --no-config --format diff OLD",
    "upgrade": "upgrade OLD",
    "upgrade json": "upgrade --format json OLD",
    "starts": "starts OLD",
    "starts json": "starts --format json OLD",
    "rollout": "rollout OLD NEW",
    "rollout json": "rollout --format json OLD NEW",
    "effective": "effective OLD",
    "effective --all": "effective --all --format json OLD",
    "lsp": "",
}
ONLY_FILES = ("starts", "starts json", "effective", "effective --all", "lsp")
"""Commands that take no folders. `impact` and `simulate` take snapshots of clusters, none of which is among the shapes."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.large", description=__doc__)
    parser.add_argument("--shapes", default=",".join(SHAPES), help="some of the shapes, separated by commas")
    parser.add_argument("--commands", default=",".join(COMMANDS), help="some of the commands")
    parser.add_argument("--source", type=Path, default=ROOT, help="the checkout that is measured (default: this one)")
    options = parser.parse_args()
    compile_sources(options.source)
    over = 0
    with tempfile.TemporaryDirectory() as name:
        for shape in options.shapes.split(","):
            folder = Path(name, shape)
            size = write(folder, shape)
            for command in options.commands.split(","):
                limit = max(SECONDS, SECONDS * size * (1 + ("NEW" in COMMANDS[command])))
                seconds, code = least_measured(command, folder, options.source, limit)
                over += seconds > limit
                mark = f"over {limit:.1f}" if seconds > limit else ""
                print(f"{shape:<18} {size:5.2f} MB  {command:<20} {seconds:6.2f} s  exit {code}  {mark}", flush=True)
    print(f"{over} over the limit")


def compile_sources(source: Path) -> None:
    """Compile a checkout as an installation is, so that no run measures that."""
    for package in PACKAGES:
        compileall.compile_dir(source / package, quiet=1)


def write(folder: Path, shape: str) -> float:
    """Write both sides of a shape; the megabytes of one."""
    for side, changed in (("old", False), ("new", True)):
        write_files(folder / side / "files", SHAPES[shape](changed))
    return sum(path.stat().st_size for path in (folder / "old").rglob("*") if path.is_file()) / 1e6


def write_files(folder: Path, files: Files) -> None:
    """Write the files of a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def least_measured(command: str, folder: Path, source: Path, limit: float) -> tuple[float, int]:
    """What a command takes; the least of some runs where one was over the limit: other work on the machine only adds to it."""
    seconds, code = measured(command, folder, source)
    for _ in range(RUNS - 1):
        if seconds > limit:
            seconds = min(seconds, measured(command, folder, source)[0])
    return seconds, code


def measured(command: str, folder: Path, source: Path) -> tuple[float, int]:
    """The CPU seconds (user and system) of a command for a shape, and its exit code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(source)}
    done = subprocess.run(words(command, folder), env=environment, cwd=folder, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if b"Traceback" in done.stderr or b"internal error" in done.stderr:
        print(done.stderr.decode()[-2000:], file=sys.stderr)
    of_server = float(done.stdout or 0) if command == "lsp" else 0.0
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime + of_server, done.returncode


def words(command: str, folder: Path) -> Sequence[str]:
    """The command line; of a folder with one file this one stands for it."""
    if command == "lsp":
        return (sys.executable, "-m", "tests.bench.large_lsp", str(files_of(folder / "old")[-1]))
    stand_ins = {"OLD": sides(command, folder / "old"), "NEW": sides(command, folder / "new")}
    arguments = [each for word in COMMANDS[command].split() for each in stand_ins.get(word, [word])]
    return (sys.executable, "-m", "advisor", *arguments)


def sides(command: str, folder: Path) -> list[str]:
    """The arguments that stand for one side."""
    files = files_of(folder)
    return [str(path) for path in files] if len(files) == 1 or command in ONLY_FILES else [str(folder)]


def files_of(folder: Path) -> list[Path]:
    """The files of a folder and those below it."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
