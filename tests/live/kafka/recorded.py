"""What was seen on real clusters, event by event, as `make chaos` wrote it down; the simulator is held to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from advisor.simulator.protocol.scenario import Scenario
from tests.live.kafka.expected import Expectation, Seen, matches

FILE = Path(__file__).with_name("observed.jsonl")


class Step(NamedTuple):
    """An event, what the producer was told (records only), and what was seen then; None after a hurried event."""

    event: str
    answer: int | str | None
    seen: Seen | None


def write(scenarios: Mapping[str, Iterable[Step]]) -> None:
    """The file anew."""
    FILE.write_text("".join(line(name, steps) for name, steps in scenarios.items()))


def line(scenario: str, steps: Iterable[Step]) -> str:
    """A scenario as one line."""
    rows = [[step.event, step.answer, step.seen and plain(step.seen)] for step in steps]
    return json.dumps({"scenario": scenario, "steps": rows}) + "\n"


def plain(seen: Seen) -> list[object]:
    """An observation without sets."""
    return [sorted(field) if isinstance(field, frozenset) else field for field in seen]


def read() -> dict[str, list[Step]]:
    """Every scenario in the file, by its name."""
    rows = [json.loads(line) for line in FILE.read_text().splitlines()]
    return {row["scenario"]: steps_of(row["steps"]) for row in rows}


def steps_of(rows: Sequence[Any]) -> list[Step]:
    """Steps from what was written."""
    return [Step(event, answer, seen and again(seen)) for event, answer, seen in rows]


def again(fields: Sequence[Any]) -> Seen:
    """An observation from what was written."""
    leader, isr, elr, logs, text = fields
    return Seen(leader, members(isr), members(elr), tuple(logs), text)


def members(numbers: list[int] | None) -> frozenset[int] | None:
    """A set that may be unknown."""
    return None if numbers is None else frozenset(numbers)


def disagreement(setup: Scenario, letters: str, steps: Iterable[Step]) -> str | None:
    """The first thing that the simulator says cannot be; None where it agrees with all."""
    expectation = Expectation(setup, letters)
    for event, answer, seen in steps:
        expectation.happen(event.rstrip("!?"))
        if answer is not None:
            expectation.answered(event.rstrip("!?"), answer)
        undone = event.endswith("?")
        if undone:
            expectation.registered()
        ends = expectation.possible if undone or seen is None else expectation.final
        shown = {expectation.projected(state) for state in ends}
        if not ends or (seen and not any(matches(state, seen) for state in shown)):
            return f"{event}: told {answer}, seen {seen}, not one of {sorted(shown, key=str)}"
        if seen:
            expectation.observe(seen)
    return None
