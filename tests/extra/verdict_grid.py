"""Compare the simulator's closed form with exhaustive searches: `python -m tests.extra.verdict_grid --seconds 60`.

tests/simulator/data/verdict_grid.json holds configurations with the smallest sets of failures that exhaustive searches of
the model found. This draws questions of random configurations, searches all states, and compares.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from advisor.simulator.healthy_partition import is_violated
from advisor.simulator.protocol.scenario import EVENTS, Scenario, budget
from advisor.simulator.queries import version
from advisor.simulator.search import search
from advisor.simulator.verdict import QUESTIONS, Failures, failure_sets

GRID = Path(__file__).parents[1] / "simulator/data/verdict_grid.json"
LETTERS = dict(zip(EVENTS, "KPDCLSXA", strict=True))
LIMIT = 300_000


class Row(NamedTuple):
    """A configuration, and for each question the smallest sets of failures, spelled as letters with counts."""

    name: str
    scenario: Scenario
    sets: dict[str, list[str]]


def spelled(failures: Failures) -> str:
    """A set of failures as letters with counts; - is the empty set."""
    return "".join(f"{LETTERS[name]}{failures.count(name)}" for name in EVENTS if name in failures) or "-"


def rows() -> Iterator[Row]:
    """Every row of the grid."""
    grid = json.loads(GRID.read_text())
    for *setup, loss, writes, reads in grid["rows"]:
        sets = [grid["sets"][number].split() for number in (loss, writes, reads)]
        yield Row(" ".join(map(str, setup)), scenario_of(setup), dict(zip(QUESTIONS, sets, strict=True)))


def scenario_of(setup: list[str | int]) -> Scenario:
    """The scenario of a row: replicas, min.insync.replicas, acks, unclean, ELR, flush, release, racks."""
    replicas, min_isr, acks, unclean, elr, flush, release, racks = setup
    return Scenario(
        int(replicas),
        int(min_isr),
        str(acks),
        unclean=bool(unclean),
        elr=bool(elr),
        flush=bool(flush),
        version=version(str(release)),
        metadata="kraft" if version(str(release)) >= (4, 0) else "zookeeper",
        domains=[ord(rack) - ord("A") for rack in str(racks)],
    )


def differences(seconds: float, seed: int) -> Iterator[str]:
    """Questions on which the closed form and the search disagree, and at the end how many were compared."""
    random, configurations = Random(seed), list(rows())
    end, compared, undecided = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        row, question = random.choice(configurations), random.choice(list(QUESTIONS))
        failures = random.choice(list(failure_sets(larger=True)))
        events = budget({name: failures.count(name) for name in failures})
        answer = search(row.scenario, events, QUESTIONS[question], LIMIT)
        compared += answer.holds is not None
        undecided += answer.holds is None
        if answer.holds is is_violated(row.scenario, events, QUESTIONS[question]):
            yield f"{row.name}: {question} after {spelled(failures)}: the search says holds={answer.holds}"
    yield f"seed {seed}: {compared} questions compared, {undecided} beyond {LIMIT} states"


def main() -> int:
    """Print every disagreement; 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    lines = 0
    for line in differences(options.seconds, options.seed):
        print(line, flush=True)
        lines += 1
    return 1 if lines > 1 else 0


if __name__ == "__main__":
    raise SystemExit(main())
