"""What was seen in random scenarios, as `make chaos-random` wrote it down: a line for each, the newest one counts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.live.kafka import recorded
from tests.live.kafka.recorded import Step, plain, steps_of
from tests.live.kafka.scenarios import Scenario

FILE = Path(__file__).with_name("observed_random.jsonl")
Recording = tuple[Scenario, Sequence[Step]]


def add(scenario: Scenario, steps: Sequence[Step]) -> None:
    """One more line."""
    with FILE.open("a") as file:
        file.write(line(scenario, steps))


def line(scenario: Scenario, steps: Sequence[Step]) -> str:
    """A scenario and what was seen."""
    rows = [[step.event, step.answer, step.seen and plain(step.seen)] for step in steps]
    return json.dumps([scenario, rows], separators=(",", ":")) + "\n"


def read() -> dict[str, Recording]:
    """Every scenario in the file, by its name."""
    lines = FILE.read_text().splitlines() if FILE.exists() else []
    return {row[0]: (scenario_of(row), steps_of(rows)) for row, rows in map(json.loads, lines)}


def scenario_of(row: Sequence[Any]) -> Scenario:
    """A scenario from what was written."""
    scenario = Scenario(*row)
    return scenario._replace(events=tuple(scenario.events))


def disagreement(scenario: Scenario, steps: Sequence[Step]) -> str | None:
    """What the simulator says cannot be; None where it agrees with all, from the first event to the last."""
    trouble = recorded.disagreement(scenario.setup, scenario.letters, steps)
    return trouble or (None if len(steps) == len(scenario.events) else f"ended after {steps[-1].event}")


def unplayed(scenarios: Sequence[Scenario]) -> list[Scenario]:
    """The scenarios that were not played just so to their end, or in which something disagrees."""
    known = read()
    return [
        row for row in scenarios if row.name not in known or known[row.name][0] != row or disagreement(*known[row.name])
    ]


def agreeing() -> int:
    """How many recorded scenarios the simulator agrees with."""
    return sum(disagreement(*recording) is None for recording in read().values())


def tidy() -> None:
    """One line for each scenario, in the order of their numbers."""
    recordings = sorted(read().values(), key=lambda recording: int(recording[0].name.split("/")[1]))
    FILE.write_text("".join(line(*recording) for recording in recordings))
