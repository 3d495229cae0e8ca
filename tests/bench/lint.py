"""`make bench`: what a lint costs, as ratios within one run. Figures of different runs must not be compared.

Installs the project in an environment of its own (compiled, as an installed wheel is) and runs whole processes in turn.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import tracemalloc
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
    simulator()


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


def simulator() -> None:
    """What a search costs, and what a remembered verdict costs."""
    from itertools import combinations_with_replacement

    from advisor.simulator.claims import prove
    from advisor.simulator.scenario import EVENTS, Scenario, budget
    from advisor.simulator.search import search
    from advisor.simulator.verdict import count_failures
    from advisor.simulator.verdict_store import recall
    from rules.claims import lone_leader

    pairs = list(combinations_with_replacement(EVENTS, 2))
    states, started = 0, time.perf_counter()
    for min_isr in (1, 2, 3):
        for elr in (False, True):
            for pair in pairs:
                states += search(Scenario(3, min_isr, "all", elr=elr), budget(count_failures(pair))).states
    spent = time.perf_counter() - started
    print(f"all {len(pairs)} pairs of failures, RF 3, acks=all, six configurations: {spent:.1f} s of one core")
    print(f"  {states} states, {states / spent:.0f} states/s")
    tracemalloc.start()
    largest = search(Scenario(3, 3, "all", elr=True), budget({"isolate": 1, "power-loss-all": 1}))
    print(f"  {tracemalloc.get_traced_memory()[1] / largest.states:.0f} bytes a state ({largest.states} states)")
    tracemalloc.stop()
    setup = Scenario(3, 2, "all")
    recall(setup)
    for name, remembered in (("verdict", lambda: recall(setup)), ("proof of a claim", lambda: prove(lone_leader(1)))):
        started = time.perf_counter()
        for _ in range(1000):
            remembered()
        print(f"  a remembered {name}: {(time.perf_counter() - started):.4f} ms")


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
    sys.exit(main())
