"""Precomputed verdicts: `python -m advisor.simulator.verdict_store` generates them.

The file holds, per configuration and question, the smallest sets of failures, each with its shortest counterexample as
the numbers of the steps that the model offers. Replaying them gives the story.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pkgutil import get_data

from advisor.simulator.model import Model, start
from advisor.simulator.scenario import EPOCH, Scenario, budget
from advisor.simulator.verdict import QUESTIONS, Failures, Outcome, Progress, Trace, Verdict, count_failures, verdict

Packed = dict[str, list[tuple[list[str], list[int]]]]
"""Per question: failures, and the numbers of the steps."""
NAME = "verdicts.json"
FILE = os.path.join(os.path.dirname(__file__), NAME)
OLD, LOOSE, STRICT = (3, 4), (3, 6), (4, 1)
"""Releases that stand for all that behave alike: up to 3.5 an ISR that shrinks has a new leader epoch, up to 3.6 the
high watermark moves below min.insync.replicas."""
_shipped: dict[str, Packed] = {}
_computed: dict[str, Verdict] = {}


def key(scenario: Scenario) -> str | None:
    """The name of a configuration, None where it is not among the usual ones."""
    if scenario.truncation != EPOCH or not scenario.epoch_fenced or scenario.bounce or scenario.records > 1:
        return None
    if (
        scenario.flush
        or scenario.without
        or scenario.retries
        or len(set(scenario.domains)) > 1
        or scenario.elects_fenced_last_leader
    ):
        return None
    words = (
        f"rf{scenario.replicas}",
        f"min{scenario.min_isr}",
        f"acks-{scenario.acks}",
        "unclean" if scenario.unclean else "clean",
        "elr" if scenario.elr else "strict" if scenario.strict else "old" if scenario.bump_on_shrink else "loose",
    )
    return " ".join(words)


def usual_scenarios() -> Iterator[Scenario]:
    """The precomputed configurations: up to three replicas, every min.insync.replicas, acks, election, release."""
    for replicas in (1, 2, 3):
        for min_isr in range(1, replicas + 1):
            for acks in ("0", "1", "all"):
                for unclean in (False, True):
                    for version, elr in ((OLD, False), (LOOSE, False), (STRICT, False), (STRICT, True)):
                        zk = "kraft" if version == STRICT else "zookeeper"
                        yield Scenario(replicas, min_isr, acks, unclean=unclean, elr=elr, version=version, metadata=zk)


def recall(scenario: Scenario, progress: Progress | None = None) -> Verdict:
    """The verdict on a configuration: precomputed, or searched for and cached."""
    name = key(scenario)
    if name is not None and not _shipped:
        with contextlib.suppress(FileNotFoundError):
            _shipped.update(json.loads(get_data("advisor.simulator", NAME) or "{}"))
    own = repr([getattr(scenario, slot) for slot in Scenario.__slots__])
    if own not in _computed:
        ready = name is not None and name in _shipped
        _computed[own] = unpack(scenario, _shipped[str(name)]) if ready else verdict(scenario, progress=progress)
    return _computed[own]


def pack(verdict: Verdict) -> Packed:
    """A verdict as plain data: per property [failures, step numbers]."""
    return {
        question: [(list(outcome.failures), numbers(verdict.scenario, question, outcome)) for outcome in outcomes]
        for question, outcomes in verdict.answers.items()
    }


def model_of(scenario: Scenario, question: str) -> Model:
    """The model that a property was searched with, whose step numbers are stored."""
    return Model(scenario, follower_hw=QUESTIONS[question] != "no-acked-loss")


def numbers(scenario: Scenario, question: str, outcome: Outcome) -> list[int]:
    """The number of each step of a counterexample among the steps possible there."""
    model, state = model_of(scenario, question), start(scenario, budget(count_failures(outcome.failures)))
    numbers_of_steps = []
    for step in outcome.trace:
        offered = list(model.steps(state))
        numbers_of_steps.append(offered.index(step))
        state = step[1]
    return numbers_of_steps


def unpack(scenario: Scenario, data: Packed) -> Verdict:
    """A verdict from plain data; its counterexamples are replayed on demand."""
    result = Verdict(scenario)
    for question, rows in data.items():
        result.answers[question] = [outcome_of(scenario, question, tuple(failures), steps) for failures, steps in rows]
    return result


def outcome_of(scenario: Scenario, question: str, failures: Failures, steps: list[int]) -> Outcome:
    """A set of failures whose counterexample is replayed on demand."""
    return Outcome(failures, steps=len(steps), replay=lambda: replay(scenario, question, failures, steps))


def replay(scenario: Scenario, question: str, failures: Failures, steps: list[int]) -> Trace:
    """Replay a counterexample from its step numbers."""
    model, state = model_of(scenario, question), start(scenario, budget(count_failures(failures)))
    trace = []
    for number in steps:
        action, state = list(model.steps(state))[number]
        trace.append((action, state))
    return trace


def search_all() -> dict[str, Packed]:
    """Search every usual scenario anew, on all cores."""
    from concurrent.futures import ProcessPoolExecutor

    scenarios = {str(key(scenario)): scenario for scenario in usual_scenarios()}
    packed: dict[str, Packed] = {}
    with ProcessPoolExecutor() as pool:
        for name, data in zip(scenarios, pool.map(search_one, range(len(scenarios))), strict=True):
            print(f"\r{len(packed) + 1:4} of {len(scenarios)}: {name:<44}", end="", file=sys.stderr, flush=True)
            packed[name] = data
    print(file=sys.stderr)
    return packed


def search_one(number: int) -> Packed:
    """Search the usual scenario of that number."""
    scenarios = {str(key(scenario)): scenario for scenario in usual_scenarios()}
    return pack(verdict(list(scenarios.values())[number]))


def main(arguments: list[str]) -> int:
    """Generate the file, or (--check) compare every verdict with a new search."""
    text = json.dumps(search_all(), separators=(",", ":")).replace('},"rf', '},\n"rf') + "\n"
    if "--check" in arguments:
        with open(FILE, encoding="utf-8") as handle:
            same = handle.read() == text
        print(f"the verdicts are {'' if same else 'NOT '}as shipped")
        return 0 if same else 1
    with open(FILE, "w", encoding="utf-8") as handle:
        handle.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
