"""`impact` on a snapshot of many partitions, against reading the snapshot alone: seconds, peak memory and their ratio."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from advisor.model import Topic
from advisor.model.cluster import Partition
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write

SIZES = (100_000, 1_000_000)
BROKERS, PER_TOPIC = 60, 10
LAGGING = 0.03
"""The share of partitions that have lost a replica."""
READ = "import sys; from collectors.snapshot.file import parse; parse(open(sys.argv[1], 'rb').read(), 'x')"


def snapshot(path: Path, partitions: int) -> None:
    """Write a snapshot of so many partitions with three replicas each."""
    nodes = " ".join(f"{id}/{'abc'[id % 3]}" for id in range(1, BROKERS + 1))
    cluster = parse_cluster(
        f"brokers {nodes}\nquorum leader=1 voters=1,2,3\nfeatures metadata.version=25/25\n"
        "topic base min.insync.replicas=2\n0: leader 1 replicas 1,2,3 isr 1,2,3"
    )
    *others, base = cluster.entities
    assert isinstance(base, Topic)
    chance = random.Random(7)
    topics = []
    for number in range(partitions // PER_TOPIC):
        topic = Topic("topic", f"topic-{number}", None, base.settings, base.target, cluster=base.cluster)
        topic.internal = False
        topic.partitions = tuple(partition(id, chance) for id in range(PER_TOPIC))
        topics.append(topic)
    cluster.entities = (*others, *topics)
    write(str(path), cluster)


def partition(id: int, chance: random.Random) -> Partition:
    """A partition on three brokers."""
    replicas = tuple(chance.sample(range(1, BROKERS + 1), 3))
    isr = replicas if chance.random() > LAGGING else replicas[:2]
    sizes = tuple(chance.randrange(10**6, 10**10) for _ in replicas)
    return Partition(id, replicas[0], replicas, isr, (), (), (), sizes)


def measure(*command: str) -> tuple[float, float]:
    """Seconds of a command, and the largest peak of memory of all commands so far in MB."""
    started = time.monotonic()
    done = subprocess.run([sys.executable, *command], stdout=subprocess.DEVNULL, check=False)
    assert done.returncode in (0, 1)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    return time.monotonic() - started, peak


def main() -> None:
    """Print a row for each size."""
    print("partitions   read s   impact s   ratio   restart s   peak MB")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            file = Path(folder) / "cluster.json.gz"
            snapshot(file, size)
            read, _ = measure("-c", READ, str(file))
            impact, _ = measure("-m", "advisor", "impact", str(file), "--down", "broker:2")
            restart, peak = measure("-m", "advisor", "impact", str(file), "--rolling-restart")
            print(f"{size:>10,} {read:8.1f} {impact:10.1f} {impact / read:7.2f} {restart:11.1f} {peak:9.0f}")


if __name__ == "__main__":
    main()
