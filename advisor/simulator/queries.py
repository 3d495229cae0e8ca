"""Bulk simulations: JSON Lines in, JSON Lines out, answered one by one."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator

from advisor import limits
from advisor.errors import BadScenario
from advisor.secrets.masking import name_like
from advisor.simulator.decision import decide
from advisor.simulator.protocol.scenario import Scenario, budget
from advisor.simulator.search import LIMIT, search

DEFAULTS = {
    "kafka_version": "4.1",
    "metadata": "kraft",
    "replicas": 3,
    "min_isr": 1,
    "acks": "all",
    "unclean": False,
    "elr": False,
    "flush_every_record": False,
    "records": 1,
    "unnoticed_bounce": False,
    "events": {},
    "property": "no-acked-loss",
}
VALUE_SHOWN = 80
"""Characters of a wrong value that an error shows."""
SEARCHED = 3
"""Replicas up to which every state is searched, so that the counterexample is a shortest one."""
EXTRA = ("id", "expected", "racks")


def answers(lines: Iterable[str], limit: int = LIMIT) -> Iterator[dict[str, object]]:
    """Answer each line that is not blank. Raises BadScenario with the number of an invalid line."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield answer(read(line), limit)
            except BadScenario as bad:
                raise BadScenario(f"line {number}: {bad}") from None


def read(line: str) -> dict[str, object]:
    """Parse one query, with its defaults."""
    if len(line) > limits.QUERY_LENGTH:
        raise BadScenario(f"longer than {limits.QUERY_LENGTH} characters")
    try:
        query = json.loads(line)
    except RecursionError:
        raise BadScenario("not JSON: nested too deep") from None
    except ValueError as error:
        raise BadScenario(f"not JSON: {error}") from None
    if not isinstance(query, dict):
        raise BadScenario("a query is a JSON object")
    unknown = sorted(set(query) - set(DEFAULTS) - set(EXTRA))
    if unknown:
        raise BadScenario(
            f"no such field: {name_like(unknown[0], DEFAULTS)} (there are id, racks, {', '.join(DEFAULTS)})"
        )
    for name, default in DEFAULTS.items():
        value = query.setdefault(name, default)
        if type(value) is not type(default):
            raise BadScenario(f"{name} must be like {json.dumps(default)}, not {json.dumps(value)[:VALUE_SHOWN]}")
    if not all(type(count) is int for count in query["events"].values()):
        raise BadScenario('events must be like {"kill": 1}')
    if sum(query["events"].values()) > limits.EVENTS:
        raise BadScenario(f"{sum(query['events'].values())} events: up to {limits.EVENTS} together can be computed")
    _check_racks(query.get("racks") or [])
    return query


def _check_racks(racks: object) -> None:
    if not isinstance(racks, list) or not all(isinstance(rack, str) for rack in racks):
        raise BadScenario('racks must be like ["a", "a", "b"]')


def scenario_of(query: dict[str, object]) -> Scenario:
    """The scenario of a query."""
    racks = query.get("racks") or ()
    names = list(dict.fromkeys(racks))  # type: ignore[call-overload]
    return Scenario(
        query["replicas"],  # type: ignore[arg-type]
        query["min_isr"],  # type: ignore[arg-type]
        str(query["acks"]),
        unclean=bool(query["unclean"]),
        elr=bool(query["elr"]),
        flush=bool(query["flush_every_record"]),
        version=version(str(query["kafka_version"])),
        metadata=str(query["metadata"]),
        records=query["records"],  # type: ignore[arg-type]
        bounce=bool(query["unnoticed_bounce"]),
        domains=[names.index(rack) for rack in racks],  # type: ignore[attr-defined]
    )


def version(text: str) -> tuple[int, int]:
    """Parse (major, minor) of a release, of those before the catalogs too."""
    numbers = text.strip().lstrip("v").split("-")[0].split(".")
    if len(numbers) < 2 or not all(number.isascii() and number.isdigit() and len(number) < 4 for number in numbers[:2]):
        raise BadScenario(f"{text[:VALUE_SHOWN]} is no Kafka version")
    return int(numbers[0]), int(numbers[1])


def answer(query: dict[str, object], limit: int = LIMIT) -> dict[str, object]:
    """Search, and return the result as JSON data."""
    from advisor.simulator.story import tell_story

    scenario = scenario_of(query)
    started = time.perf_counter()
    shortest = scenario.replicas <= SEARCHED
    outcome = (search if shortest else decide)(scenario, budget(query["events"]), str(query["property"]), limit)  # type: ignore[arg-type]
    return {
        "id": query.get("id"),
        "holds": outcome.holds,
        "steps": len(outcome.trace) if outcome.holds is False else None,
        "states": outcome.states,
        "seconds": round(time.perf_counter() - started, 3),
        "story": [line for line, _ in tell_story(scenario, outcome.trace)],
    }
