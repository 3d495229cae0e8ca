"""What an audit by Spark costs per topic and per cluster, and how long a larger fleet takes: `make bench-fleet-scale`.

Each fleet is made, audited in a process of its own with Spark's event log, and described by a line of JSON: the tasks of its
judging stage, bytes shuffled, CPU seconds and memory of all processes. From those lines the CPU seconds of a
topic and of a cluster are fitted, and the schedule of a larger fleet is played: `--simulate CLUSTERS TOPICS`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from spark_audit.spark.audit import CLUSTERS_PER_TASK, TOPICS
from tests.bench.fleet import ROOT, family, held

FLEETS = ((100, 100_000), (2_000, 100_000), (2_000, 1_000_000), (10_000, 200_000), (1, 1_000_000),
          (2_000, 5_000_000), (20_000, 400_000))  # fmt: skip
"""Clusters and topics of what is measured; one of them is one cluster with all topics."""
EXECUTORS = (1, 5, 10, 20, 50)
CORES = 4
"""Cores of an executor in the simulation."""
Row = dict[str, Any]


def audit(fleet: str, out: str, log: str) -> None:
    """Audit in this process, with an event log."""
    from pyspark.sql import SparkSession

    from advisor.cli import main

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "4").config("spark.driver.memory", "3g")
    builder = builder.config("spark.eventLog.enabled", "true").config("spark.eventLog.dir", f"file://{log}")
    builder.config("spark.eventLog.rolling.enabled", "false").config("spark.eventLog.compress", "false").getOrCreate()
    options = ["--engine", "spark", "--no-config", "--exit-zero", "--max-unreachable", "100%"]
    sys.exit(main(["audit", fleet, "--out", out, *options]))


def measure(clusters: int, topics: int, folder: Path) -> Row:
    """Make a fleet, audit it, and say what that took."""
    fleet, out, log = (folder / f"{name}-{clusters}-{topics}" for name in ("fleet", "out", "log"))
    log.mkdir()
    sizes = ["--clusters", str(clusters), "--topics", str(topics), "--out", str(fleet)]
    subprocess.run([sys.executable, "-m", "examples.fleet", *sizes], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    command = [sys.executable, "-m", "tests.bench.fleet_scale", "--audit", str(fleet), str(out), str(log)]
    started = time.monotonic()
    with (folder / "errors").open("w") as errors:
        running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=errors)
        cpu, workers = watch(running)
    seconds = time.monotonic() - started
    if running.returncode:
        raise SystemExit((folder / "errors").read_text()[-2000:])
    (file,) = log.iterdir()
    about = {"clusters": clusters, "topics": topics, "wall": round(seconds, 1), "cpu": round(cpu, 1)}
    return {**about, "worker_mb": round(workers / 1e6), **judging(file)}


def watch(running: subprocess.Popen[bytes]) -> tuple[float, int]:
    """Wait for a process; the CPU seconds of it and its children, and the most bytes that one of Spark's workers held."""
    seconds_of_process: dict[int, float] = {}
    most, before = 0, os.times()
    while running.poll() is None:
        processes = family(running.pid)
        seconds_of_process |= {process: seconds for process in processes if (seconds := cpu_seconds(process))}
        most = max([most, *map(held, filter(is_worker, processes))])
        time.sleep(0.5)
    after = os.times()  # what was waited for is there exactly; Java and its children are in the samples alone
    waited_for = after.children_user + after.children_system - before.children_user - before.children_system
    return max(waited_for, sum(seconds_of_process.values())), most


def cpu_seconds(process: int) -> float:
    """The CPU seconds of a process; 0 where it is no more."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_worker(process: int) -> bool:
    """Whether a process is one of Spark's Python workers."""
    try:
        return b"pyspark.daemon" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def judging(log: Path) -> Row:
    """The tasks of the stage that judges, which takes longest, and what the whole application shuffled."""
    ends = [event for event in events(log) if event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics")]
    stages: dict[int, list[Row]] = {}
    for event in ends:
        stages.setdefault(event["Stage ID"], []).append(event["Task Metrics"])
    tasks = max(stages.values(), key=lambda metrics: sum(task["Executor Run Time"] for task in metrics))
    written = sum(event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"] for event in ends)
    return {
        "task_seconds": [round(task["Executor Run Time"] / 1000, 2) for task in tasks],
        "shuffled_mb": round(written / 1e6, 1),
        "task_memory_mb": round(max(task["Peak Execution Memory"] for task in tasks) / 1e6, 1),
        "all_tasks_seconds": round(sum(event["Task Metrics"]["Executor Run Time"] for event in ends) / 1000, 1),
    }


def events(log: Path) -> Iterator[Row]:
    """The events of a log."""
    with log.open() as lines:
        yield from map(json.loads, lines)


# ---------------------------------------------------------------------- larger fleets


def fit(rows: Sequence[Row]) -> tuple[float, float, float]:
    """Least squares: the CPU seconds of a session's start, of a topic and of a cluster, none below zero."""
    counts = np.array([[1, row["topics"], row["clusters"]] for row in rows], dtype=float)
    seconds = np.array([row["cpu"] for row in rows])
    columns = [0, 1, 2]
    while True:  # each fleet counts by its relative error
        solved = np.linalg.lstsq(counts[:, columns] / seconds[:, None], np.ones(len(rows)), rcond=None)[0]
        if (solved >= 0).all():
            break
        columns = [column for column, value in zip(columns, solved, strict=True) if value >= 0]
    costs = np.zeros(3)
    costs[columns] = solved
    return float(costs[0]), float(costs[1]), float(costs[2])


def tasks_of(clusters: int, topics: int, costs: tuple[float, float, float], seed: int = 7) -> list[float]:
    """The seconds of each task: clusters of lognormal sizes go to the tasks that their hash says."""
    rng = np.random.default_rng(seed)
    sizes = rng.lognormal(0, 1, clusters)
    sizes *= topics / sizes.sum()
    tasks = max(1, topics // TOPICS, clusters // CLUSTERS_PER_TASK)
    task_of_cluster = rng.integers(0, tasks, clusters)
    _, per_topic, per_cluster = costs
    topics_of_task = np.bincount(task_of_cluster, sizes, minlength=tasks)
    clusters_of_task = np.bincount(task_of_cluster, minlength=tasks)
    seconds: list[float] = (per_topic * topics_of_task + per_cluster * clusters_of_task).tolist()
    return seconds


def makespan(tasks: Sequence[float], cores: int) -> float:
    """The seconds until all tasks are over: each goes to the core that is free first, in order, as Spark does it."""
    busy_until = [0.0] * cores
    for task in tasks:
        first = busy_until.index(min(busy_until))
        busy_until[first] += task
    return max(busy_until)


def simulate(rows: Sequence[Mapping[str, Any]], clusters: int, topics: int) -> None:
    """Print how long an audit of a larger fleet takes with some numbers of executors, each core of which is the task's own."""
    costs = fit([dict(row) for row in rows])
    tasks = tasks_of(clusters, topics, costs)
    print(f"CPU seconds: start {costs[0]:.1f}, 1000 topics {costs[1] * 1000:.3f}, 1000 clusters {costs[2] * 1000:.1f}")
    print(f"{clusters:,} clusters, {topics:,} topics: {len(tasks)} tasks, {min(tasks):.1f} to {max(tasks):.1f} s each")
    for executors in EXECUTORS:
        seconds = costs[0] + makespan(tasks, executors * CORES)
        print(f"{executors:>4} executors of {CORES} cores: {seconds / 60:.1f} minutes")


def main() -> None:
    """Measure all fleets, or simulate a larger one from what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audit", nargs=3, metavar=("FLEET", "OUT", "LOG"))
    parser.add_argument("--measured", default="build/fleet-scale.jsonl", help="lines of what was measured")
    parser.add_argument("--simulate", nargs=2, type=int, metavar=("CLUSTERS", "TOPICS"))
    options = parser.parse_args()
    if options.audit:
        audit(*options.audit)
    path = Path(options.measured)
    if not options.simulate:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w") as lines:
            for clusters, topics in FLEETS:
                with tempfile.TemporaryDirectory(prefix="kafka-advisor-bench-") as folder:
                    row = measure(clusters, topics, Path(folder))
                print(json.dumps(row), file=lines, flush=True)
                print(json.dumps({**row, "task_seconds": sum(row["task_seconds"])}), flush=True)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    simulate(rows, *(options.simulate or (10_000, 50_000_000)))


if __name__ == "__main__":
    main()
