"""The simulator against reality: `make chaos` plays every scenario on real clusters and writes what was seen."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.live.kafka import recorded, recorded_random
from tests.live.kafka.harness import Cluster, why_not
from tests.live.kafka.play import Play
from tests.live.kafka.reality import judged, page
from tests.live.kafka.recorded import Step
from tests.live.kafka.scenarios import ELR, SCENARIOS, SLOW, VERSIONS, ZOOKEEPER, Scenario

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


def play(cluster: Cluster, scenario: Scenario, number: int) -> Sequence[Step]:
    """What is seen in one scenario; then everybody is up again."""
    topic = f"scenario-{number}"
    steps = Play(cluster, scenario, topic).run()
    restore(cluster, topic)
    return steps


def played(scenarios: Sequence[Scenario]) -> Iterator[tuple[Scenario, Sequence[Step]]]:
    """Play scenarios, one cluster after the other."""
    for kind in dict.fromkeys(scenario.cluster for scenario in scenarios):
        with tempfile.TemporaryDirectory() as folder, cluster_for(kind, Path(folder)) as cluster:
            chosen = [scenario for scenario in scenarios if scenario.cluster == kind]
            for number, scenario in enumerate(chosen):
                yield scenario, play(cluster, scenario, number)


def main(arguments: list[str]) -> int:
    """Play all scenarios and write the page named and the recordings; with words after it only those whose name has
    one of them, the others keep what was seen before."""
    missing = [reason for version in sorted(set(VERSIONS.values())) if (reason := why_not(version))]
    if missing:
        print(missing[0], file=sys.stderr)
        return 2
    file, *words = arguments
    chosen = [row for row in SCENARIOS if not words or any(text in str(row) for text in words)]
    found, began = {}, time.monotonic()
    for number, (scenario, steps) in enumerate(played(chosen), 1):
        found[str(scenario)] = steps
        spent = time.monotonic() - began
        print(f"{number}/{len(chosen)} {judged(scenario, steps).line()} ({spent:.0f} s)", flush=True)
    save(Path(file), found)
    return int(not all(judged(scenario, found[str(scenario)]).agrees for scenario in chosen))


def save(file: Path, found: Mapping[str, Sequence[Step]]) -> None:
    """Write the recordings and the page; a scenario that was not played keeps its recording."""
    known = {**(recorded.read() if recorded.FILE.exists() else {}), **found}
    both = {str(scenario): known[str(scenario)] for scenario in SCENARIOS if str(scenario) in known}
    recorded.write(both)
    file.write_text(page(both, recorded_random.agreeing()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
