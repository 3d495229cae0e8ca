"""How long a fleet's audit takes, beside what cannot be avoided: `make bench-fleet`, minutes and some GB of disk.

Every figure is a process of its own, cold, the fastest of some rounds in turn, with the import of what it uses; Spark's are
without the start of its session.
What counts are the ratios of one run. Floors: Spark scans the topics; Spark reads them into Python, where nothing is done;
duckdb runs five of the rules, which must find what the audit finds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from string import Template
from typing import NamedTuple

from spark_audit.storage.runs import MARKER

ROOT = Path(__file__).resolve().parents[2]
FIVE = ("KA152", "KA160", "KA163", "KA221", "KA310")
"""The rules of five_rules.sql."""
TWICE = '''
from advisor.rule import Rule
from rules import all_rules


def clone(rule):
    """The same questions under another name, and nothing found."""
    twin = Rule.__new__(Rule)
    for slot in Rule.__slots__:
        setattr(twin, slot, getattr(rule, slot))

    def silent(*inputs):
        for _ in rule.function(*inputs) or ():
            pass
        return ()

    twin.id, twin.name, twin.function = f"TWO{rule.id[2:]}", f"{rule.name}-again", silent
    return twin


RULES = [clone(rule) for rule in all_rules()]
'''


# ---------------------------------------------------------------------- one measurement, in a process of its own


def one(what: str, fleet: str, out: str) -> None:
    """Do it and print how long it took."""
    if what == "duckdb":
        started = time.perf_counter()
        import duckdb

        duckdb.sql("SET threads TO 2")
        text = Path(__file__).with_name("five_rules.sql").read_text()
        duckdb.sql(Template(text).substitute(fleet=tables(fleet), out=f"{out}.parquet"))
    elif what.startswith("local"):
        started = time.perf_counter()
        _audit(fleet, out, what, "--engine", "local", "--jobs", "2")
    else:
        started = _with_spark(what, fleet, out)
    print(f"SECONDS {time.perf_counter() - started:.2f}")
    sys.stdout.flush()
    os._exit(0)


def _with_spark(what: str, fleet: str, out: str) -> float:
    from spark_audit.spark.session import session

    with session("local[2]") as spark:
        started = time.perf_counter()
        if what.startswith("spark audit"):
            if "grouped" in what:
                from spark_audit.spark import audit

                audit.TRAVELLING = 0
            _audit(fleet, out, what, "--engine", "spark")
        else:
            from spark_audit.spark.tables.ddl import ddl
            from spark_audit.spark.whole_clusters import JUDGED, TYPES

            topics = spark.read.schema(ddl(TYPES["topics"])).parquet(f"file://{tables(fleet)}/table=topics")
            if what != "spark scan":
                topics = topics.mapInArrow(nothing, "topics long")
            topics.write.format("noop").mode("overwrite").save()
            if what == "spark read and write":
                rows = spark.read.schema(ddl(JUDGED)).parquet(f"file://{tables(results_of(fleet))}/")
                rows = rows.where("table IN ('findings', 'unknowns', 'notes')")
                rows.write.partitionBy("table").parquet(f"file://{out}")
        print(f"SECONDS {time.perf_counter() - started:.2f}")
        sys.stdout.flush()
        os._exit(0)


def tables(folder: str) -> str:
    """The folder of the tables of a whole run."""
    return f"{folder}/run={json.loads(Path(folder, MARKER).read_text())['run']}"


def results_of(fleet: str) -> str:
    """Where the audit of a fleet lies whose rows are written by the floor."""
    return f"{fleet}-results"


def nothing(batches):  # type: ignore[no-untyped-def]
    """Take everything and give one number."""
    import pyarrow as pa

    yield pa.RecordBatch.from_pydict({"topics": [sum(batch.num_rows for batch in batches)]})


def _audit(fleet: str, out: str, what: str, *more: str) -> None:
    from advisor.cli import main

    rules = ["--rules", f"{out}.py"] if "twice" in what else []
    if rules:
        Path(f"{out}.py").write_text(TWICE)
    code = main(
        [
            "audit",
            fleet,
            "--out",
            out,
            "--no-config",
            "--overwrite",
            "--exit-zero",
            "--max-unreachable",
            "100%",
            *rules,
            *more,
        ]
    )
    assert code == 0, code


# ---------------------------------------------------------------------- all of them


class Memory(threading.Thread):
    """The most memory (proportional set size) that a process and its children held at once, in bytes."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.root = root
        self.most = 0
        self.over = threading.Event()

    def run(self) -> None:
        """Look once a second: to look takes the process time."""
        while not self.over.wait(1):
            self.most = max(self.most, sum(map(held, family(self.root))))


def family(root: int) -> list[int]:
    """A process and all that descend from it."""
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                stat = Path(f"/proc/{name}/stat").read_text()
            except OSError:
                continue
            parents.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(name))
    found = [root]
    for each in found:
        found += parents.get(each, [])
    return found


def held(process: int) -> int:
    """Bytes that a process holds, shared ones by its share."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def measured(what: str, fleet: Path, folder: Path) -> tuple[float, float]:
    """(seconds, GB) of one process."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    running = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.fleet", "--one", what, str(fleet), str(out)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    memory = Memory(running.pid)
    memory.start()
    said, wrong = running.communicate()
    memory.over.set()
    seconds = [line.split()[1] for line in said.splitlines() if line.startswith("SECONDS")]
    if not seconds:
        raise SystemExit(f"{what}: {wrong[-2000:]}")
    return float(seconds[0]), memory.most / 1e9


class Row(NamedTuple):
    """One figure, and what it may be beside its floor: a ratio of seconds, and GB."""

    what: str
    topics: int
    floor: tuple[str, int] | None = None
    limit: float = 0
    most: float = 0


class Figures:
    """The fastest of all rounds, and the most memory of any."""

    def __init__(self, fleets: dict[int, Path], folder: Path) -> None:
        self.fleets = fleets
        self.folder = folder
        self.seconds: dict[tuple[str, int], float] = {}
        self.memory: dict[tuple[str, int], float] = {}

    def take(self, row: Row) -> None:
        """Measure it once more."""
        key = (row.what, row.topics)
        seconds, memory = measured(row.what, self.fleets[row.topics], self.folder)
        self.seconds[key] = min(seconds, self.seconds.get(key, seconds))
        self.memory[key] = max(memory, self.memory.get(key, memory))
        print(f"{row.what}, {row.topics:,} topics: {seconds:.1f} s, {memory:.2f} GB", file=sys.stderr, flush=True)

    def told(self, row: Row) -> str:
        """A line of the table."""
        key, said = (row.what, row.topics), ""
        if row.floor:
            ratio = self.seconds[key] / self.seconds[row.floor]
            beside = row.floor[0] + ("" if row.floor[1] == row.topics else f" of {row.floor[1]:,}")
            said += f"{ratio:.2f} x {beside} (limit {row.limit:g}){' MISSED' if ratio > row.limit else ''}"
        if row.most:
            said += f", {row.most:g} GB{' MISSED' if self.memory[key] > row.most else ''}"
        return f"{row.what:<42}{row.topics:>10,}{self.seconds[key]:>10.1f}{self.memory[key]:>8.2f}   {said}"


def rows_of(small: int, large: int) -> list[Row]:
    """What is measured, in turn."""
    rows = [
        Row("spark scan", small),
        Row("spark read", small),
        Row("spark read and write", small),
        Row("duckdb", small),
        Row("local audit", small, ("duckdb", small), 2, 1),
        Row("local audit, rules twice", small, ("local audit", small), 1.1),
        Row("spark audit", small, ("spark read and write", small), 2, 3),
        Row("spark audit, rules twice", small, ("spark audit", small), 1.1),
        Row("spark audit, grouped", small, ("spark read and write", small), 3, 3),
    ]
    if large:
        rows += [Row(what, large, (what, small), 5.5) for what in ("local audit", "spark audit")]
    return rows


def main() -> None:
    """Measure everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=3, metavar=("WHAT", "FLEET", "OUT"))
    parser.add_argument("--topics", type=int, default=1_000_000)
    parser.add_argument("--large", type=int, default=5_000_000, help="the larger fleet; 0: leave it out")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured; the fastest counts")
    options = parser.parse_args()
    if options.one:
        one(*options.one)
    rows = rows_of(options.topics, options.large)
    with tempfile.TemporaryDirectory(prefix="kafka-advisor-bench-") as folder:
        figures = Figures({size: made(Path(folder), size) for size in {row.topics for row in rows}}, Path(folder))
        for _ in range(options.rounds):
            for row in rows:
                figures.take(row)
                if row.what == "local audit" and row.topics == options.topics:
                    agree(Path(folder))
    print(f"{'what':<42}{'topics':>10}{'seconds':>10}{'GB':>8}   limit")
    for row in rows:
        print(figures.told(row))


def agree(folder: Path) -> None:
    """SQL and the audit have found the same: else the floor would be one of other work."""
    import duckdb

    count = "SELECT rule, cluster, subject, partitions FROM read_parquet('{}') WHERE rule IN {}"
    findings = f"{tables(str(folder / 'out'))}/table=findings/*.parquet"
    one, other = (count.format(path, FIVE) for path in (folder / "out.parquet", findings))
    for less, more in ((one, other), (other, one)):
        if duckdb.execute(f"({less}) EXCEPT ({more})").fetchall():
            raise SystemExit("five_rules.sql and the audit do not find the same")


def made(folder: Path, topics: int) -> Path:
    """A fleet of so many topics, 500 a cluster, and beside it what an audit by Spark says of it."""
    out = folder / f"fleet-{topics}"
    sizes = ["--clusters", str(max(1, topics // 500)), "--topics", str(topics), "--out", str(out)]
    subprocess.run([sys.executable, "-m", "examples.fleet", *sizes], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    measured("spark audit", out, folder)
    shutil.move(folder / "out", results_of(str(out)))
    return out


if __name__ == "__main__":
    main()
