"""`make bench`: what a lint costs, as ratios within one run. Figures of different runs must not be compared.

Installs the project in an environment of its own (compiled, as an installed wheel is) and runs whole processes in turn.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 21
FILES, MIXED = 1000, 500


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        python = installed(place / "venv")
        files = material(place)
        print(f"cold start, {ROUNDS} rounds in turn, median of whole processes (wall clock)")
        rows = measure(commands(python, files), ROUNDS)
        bare = rows["python -c pass"]
        for name, seconds in rows.items():
            print(f"  {name:<44} {seconds * 1000:7.1f} ms   {seconds / bare:5.2f} x python -c pass")
        lint, yamllint = rows["kafka-advisor lint server.properties"], rows["yamllint, a file of equal size"]
        print(f"  lint against yamllint: {lint / yamllint:.2f} x")
        many(python, place)
        mixed(python, place)


def installed(folder: Path) -> Path:
    """An environment with the project and yamllint, bytecode compiled."""
    venv.create(folder, with_pip=True)
    python = folder / "bin/python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--upgrade", "pip"], check=True)
    subprocess.run([*pip, str(ROOT), "yamllint"], check=True)
    subprocess.run([str(python), "-m", "compileall", "-q", str(folder / "lib")], check=False, capture_output=True)
    return python


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
        "python -c pass": [str(python), "-c", "pass"],
        "kafka-advisor lint server.properties": [str(beside / "kafka-advisor"), "lint", str(files["properties"])],
        "kafka-advisor --version": [str(beside / "kafka-advisor"), "--version"],
        "kafka-advisor lint --format json": [
            str(beside / "kafka-advisor"), "lint", "--format", "json", str(files["properties"]),
        ],
        "yamllint, a file of equal size": [str(beside / "yamllint"), "-c", str(files["yamllint"]), str(files["yaml"])],
    }  # fmt: skip


def measure(wanted: dict[str, list[str]], rounds: int) -> dict[str, float]:
    """Median seconds of every command, run in turn so that a noisy moment hits all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in wanted}
    for turn in range(rounds + 1):
        for name, command in wanted.items():
            started = time.perf_counter()
            subprocess.run(command, capture_output=True, check=False, cwd="/")
            if turn:
                seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(values) for name, values in seconds.items()}


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
