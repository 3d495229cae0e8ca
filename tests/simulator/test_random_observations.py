"""Scenarios drawn at random, and what was seen when `make chaos-random` played them: the simulator is held to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from advisor.simulator.protocol import crash_model
from advisor.simulator.protocol.crash_model import CrashModel
from advisor.simulator.protocol.scenario import Scenario as Simulated
from tests.live.kafka import recorded, recorded_random
from tests.live.kafka.random_scenarios import KINDS, LETTERS, SEED, WEIGHTS, scenario
from tests.live.kafka.recorded import Step
from tests.live.kafka.recorded_random import FILE, add, disagreement, line, read, tidy, unplayed
from tests.live.kafka.scenarios import ZOOKEEPER, Scenario

RECORDED = read()
DRAWN = [scenario(SEED, number) for number in range(400)]
NEED_CONTROLLER = ("start", "stop")


def test_the_simulator_agrees_with_what_was_seen() -> None:
    disagreements = {name: disagreement(*recording) for name, recording in RECORDED.items()}
    assert {name: why for name, why in disagreements.items() if why is not None} == {}


def test_what_was_played_is_what_the_seed_draws() -> None:
    drawn = {row.name: row for row in DRAWN}
    assert [name for name, (row, _) in RECORDED.items() if row != drawn[name]] == []


def test_what_is_written_is_read_again() -> None:
    text = FILE.read_text()
    assert text == "".join(line(*recording) for recording in RECORDED.values())
    assert len(text) < 400_000


def test_what_was_not_played_or_not_to_its_end_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_random, "FILE", tmp_path / "observed.jsonl")
    row, steps = next(iter(RECORDED.values()))
    assert unplayed([row]) == [row]
    add(row, steps[:-1])
    assert unplayed([row]) == [row]
    add(row, steps)
    other_row = row._replace(min_isr=row.min_isr + 1)
    assert unplayed([row, other_row]) == [other_row]
    tidy()
    assert recorded_random.FILE.read_text() == line(row, steps)


def test_what_is_drawn_can_be_played() -> None:
    for row in DRAWN:
        check_that_it_can_be_played(row)


def check_that_it_can_be_played(row: Scenario) -> None:
    down, paused, away = set[str](), set[str](), False
    for event in row.events:
        verb, *targets = event.rstrip("!?").split()
        assert not (away and verb in NEED_CONTROLLER), row
        assert verb != "replace-disk" or row.cluster != ZOOKEEPER, row
        assert set(targets) <= {"down", "up", *LETTERS, *map(str, range(1, row.rf + 1))}, row
        if verb == "controller":
            away = targets == ["down"]
        elif verb == "start":
            assert set(targets) <= down, row
            down -= set(targets)
        elif verb == "resume":
            assert set(targets) <= paused, row
            paused -= set(targets)
        elif verb != "produce":
            assert not set(targets) & (down | paused if verb in ("pause", "stop") else down), row
            (paused if verb == "pause" else down).update(targets)
            paused -= down
    assert not row.events[-1].endswith("!"), row


def test_everything_is_drawn() -> None:
    assert {event.split()[0] for row in DRAWN for event in row.events} == {verb.split()[0] for verb in WEIGHTS}
    assert {row.cluster for row in DRAWN} == set(KINDS)
    assert {(row.rf, row.acks, row.unclean) for row in DRAWN} >= {
        (rf, acks, unclean) for rf in (1, 2, 3) for acks in ("0", "1", "all") for unclean in (False, True)
    }


def missing(owner: object, name: str) -> Callable[[pytest.MonkeyPatch, Simulated], None]:
    """A simulator without a step."""
    return lambda patch, setup: patch.setattr(owner, name, lambda *_: iter(()))


def other(name: str, value: object) -> Callable[[pytest.MonkeyPatch, Simulated], None]:
    """A simulator of another configuration."""
    return lambda patch, setup: setattr(setup, name, value)


WRONG = {
    "no checkpoint": missing(crash_model, "stale"),
    "every new disk is known": missing(CrashModel, "unelected"),
    "no ELR": other("elr", False),
    "ELR": other("elr", True),
    "unclean": other("unclean", True),
    "clean": other("unclean", False),
    "min 1": other("min_isr", 1),
    "acks=all": other("acks", "all"),
    "acks=1": other("acks", "1"),
    "readable below min": other("strict", False),
    "flush": other("flush", True),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_simulation_is_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was seen of few replicas in few steps is compared first: it is simulated soonest."""
    shortest_first = sorted(RECORDED.values(), key=lambda recording: (recording[0].rf, len(recording[1])))
    assert any(contradicted(name, row, steps, monkeypatch) for row, steps in shortest_first)


def contradicted(name: str, row: Scenario, steps: Sequence[Step], monkeypatch: pytest.MonkeyPatch) -> bool:
    setup = row.setup
    WRONG[name](monkeypatch, setup)
    return recorded.disagreement(setup, row.letters, steps) is not None
