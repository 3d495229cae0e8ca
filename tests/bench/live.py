"""`make bench`: what a check of a running cluster costs beside the bare calls, and a lint of a large snapshot.

Starts three brokers on this machine, creates 2,000 topics with 10,000 partitions and waits until every leader answers.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from confluent_kafka import Consumer, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, NewTopic, OffsetSpec

from advisor.model import Topic
from advisor.model.cluster import Partition
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.file import write
from tests.live.kafka import node
from tests.live.kafka.harness import Cluster
from tests.live.kafka.request_counts import expose_metrics, requests_so_far

TOPICS, PARTITIONS = 2000, 5
LARGE_TOPICS, LARGE_PARTITIONS, LARGE_BROKERS = 10_000, 10, 30
ROUNDS = 3
MEMORY = "/dev/shm"
"""Thirty thousand replicas are a hundred thousand files; what is measured is not the disk."""


def main() -> None:
    """Print the figures."""
    memory = MEMORY if os.path.isdir(MEMORY) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        saved(Path(folder))
        live(Path(folder))


def live(folder: Path) -> None:
    """A cluster with many topics: the whole command, and the calls that it cannot do without."""
    settings = {
        "min.insync.replicas": "2",
        "num.network.threads": "3",
        "num.io.threads": "4",
        "broker.session.timeout.ms": "30000",
        "replica.lag.time.max.ms": "30000",
        "replica.socket.timeout.ms": "30000",
        "replica.fetch.wait.max.ms": "500",
        "log.index.size.max.bytes": "65536",
    }
    node.JVM = ("-Xmx1g", "-Xms256m", "-XX:+UseSerialGC")
    made = Cluster.kraft(folder / "kafka", brokers=3, config=settings)
    ports = expose_metrics(made)
    with made as cluster:
        names = [f"topic-{number:04}" for number in range(TOPICS)]
        create(cluster, names)
        counts = requests_of_check(cluster, ports)
        rounds = [measured(cluster, names) for _ in range(ROUNDS)]
    print(f"{TOPICS} topics, {TOPICS * PARTITIONS} partitions, 3 brokers, best of {ROUNDS} rounds in turn")
    for name in rounds[0]:
        print(f"  {name:<58} {min(row[name] for row in rounds):6.2f} s")
    print(f"  requests of one check: {sum(counts.values())}, on {len(ports)} brokers together")
    for api, count in counts.most_common():
        print(f"    {api:<40} {count:5}")
    best = {name: min(row[name] for row in rounds) for name in rounds[0]}
    print(f"  check --lag against the bare calls with end offsets: {best[LAG] / best[BARE_LAG]:.2f} x")


CHECK, LAG = "kafka-advisor check, whole process", "kafka-advisor check --lag, whole process"
BARE, BARE_LAG = "bare calls: topics and settings", "bare calls with end offsets of all partitions"


def requests_of_check(cluster: Cluster, ports: dict[int, int]) -> Counter[str]:
    """The requests of one check, as the brokers count them."""
    before = requests_so_far(cluster, ports)
    command = [sys.executable, "-m", "advisor", "check", "--bootstrap-server", cluster.bootstrap]
    subprocess.run(command, capture_output=True, check=False)
    return requests_so_far(cluster, ports) - before


def measured(cluster: Cluster, names: list[str]) -> dict[str, float]:
    """One round."""
    admin = AdminClient(cluster.client_config())
    bare = timed(lambda: settings_of(admin, names))
    offsets = timed(lambda: ends_of(admin, names))
    command = [sys.executable, "-m", "advisor", "check", "--bootstrap-server", cluster.bootstrap]
    return {
        CHECK: timed(lambda: subprocess.run(command, capture_output=True, check=False)),
        BARE: bare,
        LAG: timed(lambda: subprocess.run([*command, "--lag"], capture_output=True, check=False)),
        BARE_LAG: bare + offsets,
    }


def timed(call: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def settings_of(admin: AdminClient, names: list[str]) -> None:
    """List the topics and describe the settings of all, as few requests as can be."""
    admin.list_topics(timeout=60)
    for future in admin.describe_configs([ConfigResource(ConfigResource.Type.TOPIC, name) for name in names]).values():
        future.result()


def ends_of(admin: AdminClient, names: list[str]) -> None:
    """The end offset of every partition."""
    places = [TopicPartition(name, partition) for name in names for partition in range(PARTITIONS)]
    for future in admin.list_offsets(dict.fromkeys(places, OffsetSpec.latest())).values():
        future.result()


def create(cluster: Cluster, names: list[str]) -> None:
    """Create the topics, and a group that has committed on all; wait until all leaders answer."""
    admin = cluster.admin()
    for at in range(0, len(names), 500):
        wanted = [NewTopic(name, PARTITIONS, 3) for name in names[at : at + 500]]
        for future in admin.create_topics(wanted).values():
            future.result()
    insist(lambda: ends_of(AdminClient(cluster.client_config()), names))
    committed(cluster, names)


def insist(call: Callable[[], object]) -> None:
    """Call until it works: a cluster that has just been given much is not ready yet."""
    while True:
        try:
            call()
        except KafkaException:
            time.sleep(1)
        else:
            return


def committed(cluster: Cluster, names: list[str]) -> None:
    """Ten groups that have committed on every partition between them."""
    for number in range(10):
        consumer = Consumer({**cluster.client_config(), "group.id": f"group-{number}", "log_level": 0})
        mine = names[number::10]
        places = [TopicPartition(name, partition, 0) for name in mine for partition in range(PARTITIONS)]
        insist(partial(consumer.commit, offsets=places, asynchronous=False))
        consumer.close()


def saved(folder: Path) -> None:
    """A lint of a large snapshot, in seconds and megabytes."""
    file = folder / "large.json"
    make(file)
    command = [sys.executable, "-m", "advisor", "lint", str(file)]
    seconds = min(timed(lambda: subprocess.run(command, capture_output=True, check=False)) for _ in range(ROUNDS))
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"lint of a saved snapshot, {LARGE_TOPICS} topics, {LARGE_TOPICS * LARGE_PARTITIONS} partitions, one in a hundred sick:"
    )
    print(f"  {seconds:.2f} s, {most:.0f} MB at most, {file.stat().st_size / 1e6:.0f} MB of JSON, best of {ROUNDS}")


def make(file: Path) -> None:
    """A snapshot with racks, a few kinds of topics, and some partitions that are not well."""
    random = Random(7)
    brokers = " ".join(f"{id}/{'abc'[id % 3]}" for id in range(1, LARGE_BROKERS + 1))
    kinds = "topic a retention.ms=86400000\ntopic b cleanup.policy=compact\ntopic c min.insync.replicas=1\ntopic d"
    snapshot = parse_cluster(f"kafka 4.3\nbrokers {brokers}\ncluster-wide min.insync.replicas=2\n{kinds}")
    models = [entity for entity in snapshot.entities if isinstance(entity, Topic)]
    found: list[Topic] = []
    for number in range(LARGE_TOPICS):
        model = random.choice(models)
        topic = Topic("topic", f"topic-{number:05}", None, model.settings, model.target, cluster=model.cluster)
        topic.internal, topic.partitions = False, tuple(made_partition(random, id) for id in range(LARGE_PARTITIONS))
        found.append(topic)
    snapshot.entities = (*(entity for entity in snapshot.entities if entity not in models), *found)
    write(str(file), snapshot)


def made_partition(random: Random, id: int) -> Partition:
    """A partition with a replica per rack; one in a hundred lacks one in the ISR."""
    first = random.randrange(LARGE_BROKERS - 2)
    replicas = (first + 1, first + 2, first + 3)
    isr = replicas if random.random() > 0.01 else replicas[:2]
    return Partition(id, replicas[0], replicas, isr, (), (), ())


if __name__ == "__main__":
    main()
