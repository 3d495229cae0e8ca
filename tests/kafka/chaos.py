"""The simulator against reality: `make chaos` plays every scenario on real clusters and writes what was seen."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.kafka.harness import Cluster, why_not
from tests.kafka.play import Play
from tests.kafka.reality import Result, page
from tests.kafka.recorded import FILE, written
from tests.kafka.scenarios import ELR, SCENARIOS, SLOW, VERSIONS, ZOOKEEPER, Scenario

SLOWLY = {
    "broker.session.timeout.ms": 9000,
    "replica.lag.time.max.ms": 2000,
    "replica.high.watermark.checkpoint.interval.ms": 600_000,
}
"""Followers lag before they are fenced, and a crash forgets the high watermark."""


def cluster_for(kind: str, folder: Path) -> Cluster:
    """The cluster on which scenarios of that kind are played."""
    version = VERSIONS[kind]
    if kind == ZOOKEEPER:
        return Cluster.zookeeper(folder, version=version)
    return Cluster.kraft(folder, version=version, elr=kind == ELR, config=SLOWLY if kind == SLOW else {})


def restore(cluster: Cluster, topic: str) -> None:
    """Everybody up again, for the next scenario."""
    for node in cluster.everyone.values():
        node.resume()
        if not node.running():
            node.start(wait=node.id not in cluster.nodes)
    cluster.ready()
    admin = cluster.admin()
    admin.delete_topics([topic])[topic].result(30)


def play(cluster: Cluster, scenario: Scenario, number: int) -> Result:
    """One scenario, and everybody up again."""
    topic = f"scenario-{number}"
    result = Play(cluster, scenario, topic).run()
    restore(cluster, topic)
    return result


def results(scenarios: tuple[Scenario, ...]) -> Iterator[Result]:
    """Play scenarios, one cluster after the other."""
    for kind in dict.fromkeys(scenario.cluster for scenario in scenarios):
        with tempfile.TemporaryDirectory() as folder, cluster_for(kind, Path(folder)) as cluster:
            chosen = [scenario for scenario in scenarios if scenario.cluster == kind]
            for number, scenario in enumerate(chosen):
                yield play(cluster, scenario, number)


def main(arguments: list[str]) -> int:
    """Play all scenarios and write the page named; or only those whose name has one of the words given after it."""
    missing = [reason for version in sorted(set(VERSIONS.values())) if (reason := why_not(version))]
    if missing:
        print(missing[0], file=sys.stderr)
        return 2
    file, *words = arguments
    chosen = tuple(row for row in SCENARIOS if not words or any(text in str(row) for text in words))
    found = []
    for number, result in enumerate(results(chosen), 1):
        print(f"{number}/{len(chosen)} {result.line()}", flush=True)
        found.append(result)
    if not words:
        Path(file).write_text(page(found))
        FILE.write_text("".join(written(str(result.scenario), result.steps) for result in found))
    return int(not all(result.agrees for result in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
