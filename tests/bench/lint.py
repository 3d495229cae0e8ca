"""`make bench`: what a lint costs, as ratios within one run. Figures of different runs must not be compared.

Installs the project in an environment of its own (compiled, as an installed wheel is) and runs whole processes in turn.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.bench.processes import ROOT, checkout, cpu_seconds, installed, instructions

ROUNDS = 21
BARE = "python -c pass"
LINT = "kafka-advisor lint server.properties"
YAMLLINT = "yamllint, a file of equal size"
FILES, MIXED = 1000, 500


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lint", description=__doc__)
    parser.add_argument(
        "--against", metavar="COMMIT", help="measure the wheel of this commit beside that of these files"
    )
    against: str | None = parser.parse_args().against
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        python = installed(place / "venv")
        cold_start(python, place, against)
        many(python, place)
        mixed(python, place)


def cold_start(python: Path, place: Path, against: str | None) -> None:
    """A lint of one file beside a bare Python, yamllint, and the wheel of another commit."""
    wanted = commands(python, material(place))
    if against:
        other = installed(place / "other", checkout(against, place / "source"))
        wanted[f"{LINT}, {against}"] = [str(other.parent / "kafka-advisor"), *wanted[LINT][1:]]
    print(f"cold start, {ROUNDS} rounds in turn, median CPU time of whole processes (user and system)")
    seconds = cpu_seconds(wanted, ROUNDS)
    counted = {name: instructions(command) for name, command in wanted.items()}
    for name in wanted:
        print(f"  {name:<52} {seconds[name] * 1000:7.1f} ms   {comparison(name, BARE, seconds, counted)}")
    for other_name in (YAMLLINT, *([f"{LINT}, {against}"] if against else [])):
        print(f"  lint: {comparison(LINT, other_name, seconds, counted)}")


def comparison(name: str, other: str, seconds: Mapping[str, float], counted: Mapping[str, int | None]) -> str:
    """How many times the CPU time of the other one a command takes, and of its instructions."""
    own, others = counted[name], counted[other]
    by_count = (
        f"{own / others:5.2f} x the instructions" if own and others else "no perf or valgrind counts instructions"
    )
    return f"{seconds[name] / seconds[other]:5.2f} x {other}; {by_count}"


def material(place: Path) -> dict[str, Path]:
    """The files: the example, and YAML of the same size."""
    source = ROOT / "examples/good/server.properties"
    yaml = place / "server.yaml"
    lines = ["---"]
    for line in source.read_text().splitlines():
        key, separator, value = line.partition("=")
        lines.append(line if line.startswith("#") or not separator else f"{key}: '{value}'")
    yaml.write_text("\n".join(lines) + "\n")
    config = place / "yamllint.yaml"
    config.write_text("extends: default\nrules: {line-length: disable}\n")
    return {"properties": source, "yaml": yaml, "yamllint": config}


def commands(python: Path, files: dict[str, Path]) -> dict[str, list[str]]:
    """What is measured."""
    beside = python.parent
    return {
        BARE: [str(python), "-c", "pass"],
        LINT: [str(beside / "kafka-advisor"), "lint", str(files["properties"])],
        "kafka-advisor --version": [str(beside / "kafka-advisor"), "--version"],
        "kafka-advisor lint --format json": [
            str(beside / "kafka-advisor"), "lint", "--format", "json", str(files["properties"]),
        ],
        YAMLLINT: [str(beside / "yamllint"), "-c", str(files["yamllint"]), str(files["yaml"])],
    }  # fmt: skip


def many(python: Path, place: Path) -> None:
    """A thousand unrelated files in one call."""
    folder = place / "many"
    folder.mkdir()
    samples = [path.read_text() for path in sorted((ROOT / "examples").rglob("*.properties"))]
    paths = []
    for number in range(FILES):
        path = folder / f"{number}.properties"
        path.write_text(
            samples[number % len(samples)]
            .replace("zk-1:2181", f"zk-{number}:2181")
            .replace("@localhost", f"@h{number}")
        )
        paths.append(str(path))
    spent = seconds_of_lint(python, paths)
    print(f"{FILES} unrelated files in one call: {spent:.2f} s, {spent / FILES * 1000:.2f} ms a file")


def mixed(python: Path, place: Path) -> None:
    """A folder with files of every format that is read."""
    parts = (ROOT / "examples/good", ROOT / "examples/inputs")
    samples = sorted(path for part in parts for path in part.iterdir() if path.is_file())
    for number in range(MIXED):
        sample = samples[number % len(samples)]
        path = place / "mixed" / str(number) / sample.name
        path.parent.mkdir(parents=True)
        path.write_bytes(sample.read_bytes())
    spent = seconds_of_lint(python, [str(place / "mixed")])
    print(f"a folder of {MIXED} mixed files: {spent:.2f} s, {spent / MIXED * 1000:.2f} ms a file")


def seconds_of_lint(python: Path, paths: list[str]) -> float:
    """How long one call takes that lints paths."""
    started = time.perf_counter()
    command = [str(python.parent / "kafka-advisor"), "lint", "--no-config", *paths]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
