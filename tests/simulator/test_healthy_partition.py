"""The closed form is what exhaustive searches say, and each of its violations has a counterexample that the model plays."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from advisor.simulator.decision import counterexample
from advisor.simulator.healthy_partition import is_decided, is_violated
from advisor.simulator.protocol.model import Model, start
from advisor.simulator.protocol.properties import PROPERTIES
from advisor.simulator.protocol.scenario import MOST_REPLICAS, Scenario, budget
from advisor.simulator.search import search
from advisor.simulator.verdict import QUESTIONS, count_failures, failure_sets, is_covered, verdict
from tests.extra.verdict_grid import GRID, Row, rows, spelled
from tests.support.simulation import MORE

if TYPE_CHECKING:
    from advisor.simulator.healthy_partition import Budget

RACKS = {
    1: ["A"],
    2: ["AA", "AB"],
    3: ["AAA", "AAB", "ABB", "ABC"],
    4: ["AAAA", "ABBB", "AABC"],
    5: ["AAAAA", "AAAAB", "AABBC"],
    6: ["AAAAAA", "AAABBB", "AABBCC"],
    7: ["AAAAAAA", "ABBBBBB", "AAAAAAB", "AAABBBC"],
}


def test_every_row_of_the_grid_has_the_smallest_sets_that_exhaustive_searches_found() -> None:
    wrong = []
    for row in rows():
        decided = verdict(row.scenario)
        assert not decided.undecided
        for question, expected in row.sets.items():
            answers = [spelled(outcome.failures) for outcome in decided.answers[question]]
            if sorted(answers) != sorted(expected):
                wrong.append((row.name, question, set(answers) ^ set(expected)))
    assert not wrong


def test_the_grid_is_large() -> None:
    assert sum(1 for _ in rows()) >= 2_000


def test_a_sample_of_the_grid_is_searched_anew() -> None:
    small = [row for row in rows() if row.scenario.replicas < 3]
    for row in Random(33).sample(small, 6 * MORE):
        for question, expected in row.sets.items():
            assert searched(row, question) == expected, (row.name, question)


def searched(row: Row, question: str) -> list[str]:
    """The smallest sets that the exhaustive search finds."""
    smallest: list[tuple[str, ...]] = []
    for failures in failure_sets(larger=question == "loss"):
        if not any(all(failures.count(name) >= less.count(name) for name in less) for less in smallest):
            answer = search(row.scenario, budget(count_failures(failures)), QUESTIONS[question])
            assert answer.holds is not None
            smallest += [] if answer.holds else [failures]
    return [spelled(failures) for failures in smallest]


@pytest.mark.parametrize("replicas", range(1, MOST_REPLICAS + 1))
def test_every_violation_is_played_step_by_step(replicas: int) -> None:
    random = Random(replicas)
    for _ in range(6 * MORE):
        least = random.randint(1, replicas)
        acks, unclean, elr, flush = random.choice("1a"), *(random.random() < 0.4 for _ in range(3))
        racks = random.choice(RACKS[replicas])
        version = random.choice([(2, 8), (3, 4), (3, 6), (4, 0), (4, 1)])
        scenario = Scenario(
            replicas,
            least,
            "all" if acks == "a" else acks,
            unclean=unclean,
            elr=elr and version >= (4, 0),
            flush=flush,
            version=version,
            metadata="kraft" if version >= (4, 0) else "zookeeper",
            domains=[ord(rack) - ord("A") for rack in racks],
        )
        for question, outcomes in verdict(scenario).answers.items():
            for outcome in outcomes:
                events = budget(count_failures(outcome.failures))
                plays(scenario, events, QUESTIONS[question])


def plays(scenario: Scenario, events: Budget, property: str) -> None:
    """The counterexample's steps are steps of the model, and the last state violates the property."""
    model, state = Model(scenario, follower_hw=property != "no-acked-loss"), start(scenario, events)
    for step in counterexample(scenario, events, property):
        assert step in list(model.steps(state)), (scenario_words(scenario), events, step[0])
        state = step[1]
    assert PROPERTIES[property](model, state), (scenario_words(scenario), events)


def scenario_words(scenario: Scenario) -> dict[str, object]:
    return {name: getattr(scenario, name) for name in Scenario.__slots__}


@pytest.mark.parametrize(
    "setup",
    [{"version": (2, 0)}, {"version": (0, 10)}, {"records": 2}, {"retries": True}, {"bounce": True}],
    ids=str,
)
def test_what_was_not_compared_is_searched_for(setup: dict[str, object]) -> None:
    scenario = Scenario(2, metadata="zookeeper", **setup)  # type: ignore[arg-type]
    assert not is_decided(scenario, budget({"kill": 1}), "no-acked-loss")
    assert not is_decided(Scenario(3), budget({"kill": 4}), "no-acked-loss")
    assert not is_decided(Scenario(3), budget({"kill": 1}), "no-duplicate")


def test_more_failures_never_do_less() -> None:
    for row in Random(1).sample(list(rows()), 300):
        for question, property in QUESTIONS.items():
            for failures in failure_sets(larger=False):
                if is_violated(row.scenario, budget(count_failures(failures)), property):
                    worse = budget(count_failures((*failures, "kill")))
                    assert is_violated(row.scenario, worse, property), (row.name, question, failures)


def test_the_grid_is_read_from_the_repository() -> None:
    assert Path(GRID).is_file()
    assert set(json.loads(Path(GRID).read_text())) == {"sets", "rows"}


def test_a_superset_is_covered() -> None:
    outcome = verdict(Scenario(1)).answers["loss"][0]
    assert is_covered((*outcome.failures, "kill"), [outcome])
