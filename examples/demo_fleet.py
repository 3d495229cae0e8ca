"""`make demo-fleet`: a made-up fleet, audited twice a week apart, what changed, and the report."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Run every command and show it as it would be typed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clusters", type=int, default=200, help="how many clusters (200)")
    parser.add_argument("--topics", type=int, default=20_000, help="how many topics in all (20000)")
    parser.add_argument("--engine", choices=("spark", "local"), default="local", help="who audits (local)")
    parser.add_argument("--out", default="build/fleet", metavar="FOLDER", help="where everything goes (build/fleet)")
    options = parser.parse_args()
    out = Path(options.out)
    sizes = ["--clusters", str(options.clusters), "--topics", str(options.topics)]
    for day, later in (("2026-11-13", []), ("2026-11-20", ["--later"])):
        shown("-m", "examples.fleet", *sizes, *later, "--out", str(out / f"snapshots-{day}"))
        audit = ["audit", str(out / f"snapshots-{day}"), "--out", str(out / "audit" / day)]
        shown("-m", "advisor", *audit, "--engine", options.engine, "--overwrite", "--exit-zero")
    old, new = (str(out / "audit" / day) for day in ("2026-11-13", "2026-11-20"))
    shown("-m", "advisor", "audit-diff", old, new, "--out", str(out / "drift"), "--overwrite", allowed=(0, 1))
    shown("-m", "advisor", "audit-report", new, "--html", str(out / "fleet.html"))
    print(f"\nThe report: {out / 'fleet.html'}; the tables: {out / 'audit'} and {out / 'drift'} (Parquet)")


def shown(*arguments: str, allowed: tuple[int, ...] = (0,)) -> None:
    """A command as it would be typed, and what it says."""
    typed = "kafka-advisor" if arguments[1] == "advisor" else f"python -m {arguments[1]}"
    print(f"\n$ {typed} {' '.join(arguments[2:])}\n", flush=True)
    ran = subprocess.run([sys.executable, *arguments], cwd=ROOT, check=False)
    if ran.returncode not in allowed:
        sys.exit(ran.returncode)


if __name__ == "__main__":
    main()
