"""Random scenarios on real clusters: `make chaos-random` plays them one by one and goes on where it ended."""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from confluent_kafka import KafkaException

from tests.live.kafka import recorded, recorded_random
from tests.live.kafka.chaos import cluster_for, play
from tests.live.kafka.harness import NodeDied, why_not
from tests.live.kafka.random_scenarios import SEED, scenario
from tests.live.kafka.reality import page
from tests.live.kafka.recorded import Step
from tests.live.kafka.recorded_random import disagreement
from tests.live.kafka.scenarios import VERSIONS, Scenario

Played = tuple[Scenario, "Sequence[Step] | str"]


def main(arguments: list[str]) -> int:
    """Play the scenarios from the first number to before the last, but those that were played and agree; and write
    the page named."""
    missing = [reason for version in sorted(set(VERSIONS.values())) if (reason := why_not(version))]
    if missing:
        print(missing[0], file=sys.stderr)
        return 2
    file, *numbers = arguments
    wanted = [scenario(SEED, number) for number in range(*map(int, numbers))]
    todo = recorded_random.unplayed(wanted)
    began = time.monotonic()
    for number, (row, steps) in enumerate(played(todo), 1):
        print(f"{number}/{len(todo)} {report(row, steps)} ({time.monotonic() - began:.0f} s)", flush=True)
    recorded_random.tidy()
    Path(file).write_text(page(recorded.read(), recorded_random.agreeing()))
    return int(bool(recorded_random.unplayed(wanted)))


def played(scenarios: Sequence[Scenario]) -> Iterator[Played]:
    """Play scenarios, those that follow each other on the same kind of cluster on one."""
    for kind, rows in itertools.groupby(scenarios, lambda row: row.cluster):
        left = list(rows)
        while left:
            yield from played_on_one(kind, left)


def played_on_one(kind: str, left: list[Scenario]) -> Iterator[Played]:
    """Play scenarios until none is left, or one of them ends the cluster."""
    with tempfile.TemporaryDirectory() as folder, cluster_for(kind, Path(folder)) as cluster:
        cluster.create("warm-up")
        cluster.consume("warm-up", 0, timeout=30)
        while left:
            row = left.pop(0)
            try:
                steps = play(cluster, row, int(row.name.split("/")[1]))
            except (TimeoutError, NodeDied, KafkaException) as failure:
                yield row, f"{type(failure).__name__}: {failure}"
                return
            recorded_random.add(row, steps)
            yield row, steps


def report(row: Scenario, steps: Sequence[Step] | str) -> str:
    """One line of progress."""
    if isinstance(steps, str):
        return f"{described(row)}: NOT PLAYED {steps}"
    trouble = disagreement(row, steps)
    return f"{described(row)}: {f'DISAGREES {trouble}' if trouble else 'agrees'}"


def described(row: Scenario) -> str:
    """A scenario in words."""
    unclean = ", unclean" if row.unclean else ""
    return f"{row}, RF {row.rf}, min {row.min_isr}, acks={row.acks}{unclean}: {', '.join(row.events)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
