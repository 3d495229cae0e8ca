"""What `audit --since-last` costs where nothing has changed, beside an audit of everything: `make bench-fleet-since-last`.

CPU seconds of all processes, which a busy machine lengthens less than the time on the wall; the ratios of one run count.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.fleet import ROOT
from tests.bench.fleet_scale import watch


def main() -> None:
    """Measure both engines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clusters", type=int, default=2_000)
    parser.add_argument("--topics", type=int, default=200_000)
    parser.add_argument("--engines", nargs="+", default=["local", "spark"], choices=("local", "spark"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kafka-advisor-bench-") as folder:
        fleet = Path(folder) / "fleet"
        sizes = ["--clusters", str(options.clusters), "--topics", str(options.topics), "--out", str(fleet)]
        subprocess.run(
            [sys.executable, "-m", "examples.fleet", *sizes], cwd=ROOT, check=True, stderr=subprocess.DEVNULL
        )
        print(f"{'engine':<8}{'audit':<28}{'CPU s':>8}{'wall s':>8}")
        for engine in options.engines:
            compare(engine, fleet, Path(folder) / engine)


def compare(engine: str, fleet: Path, out: Path) -> None:
    """Audit everything, then what has not changed."""
    whole = None
    for name, more in (
        ("everything", []),
        ("nothing has changed", ["--since-last"]),
    ):
        cpu, seconds = measure(["audit", str(fleet), "--out", str(out / name), "--engine", engine, *more])
        whole = whole or cpu
        print(f"{engine:<8}{name:<28}{cpu:>8.1f}{seconds:>8.1f}   {cpu / whole:.2f}", flush=True)


def measure(command: list[str]) -> tuple[float, float]:
    """The CPU seconds and the seconds of a command."""
    options = ["--no-config", "--exit-zero", "--max-unreachable", "100%"]
    started = time.monotonic()
    running = subprocess.Popen(
        [sys.executable, "-m", "advisor", *command, *options],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    cpu, _ = watch(running)
    if running.returncode:
        raise SystemExit(f"{' '.join(command)}: exit code {running.returncode}")
    return cpu, time.monotonic() - started


if __name__ == "__main__":
    main()
