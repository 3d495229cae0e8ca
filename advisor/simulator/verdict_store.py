"""Verdicts that ship with the tool, so that nobody waits for a search: `python -m advisor.simulator.verdict_store` makes them.

The file holds, per configuration and question, the smallest sets of failures, each with its shortest counterexample as
the numbers of the steps that the model offers. Replaying them gives the story.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pkgutil import get_data
from typing import TYPE_CHECKING

from advisor.simulator.model import Model, start
from advisor.simulator.scenario import EPOCH, Setup, budget
from advisor.simulator.verdict import QUESTIONS, Outcome, Verdict, counted, verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.simulator.verdict import Failures, Progress, Trace

    Packed = dict[str, list[tuple[list[str], list[int]]]]
    """Per question: failures, and the numbers of the steps."""

NAME = "verdicts.json"
FILE = os.path.join(os.path.dirname(__file__), NAME)
OLD, LOOSE, STRICT = (3, 4), (3, 6), (4, 1)
"""Releases that stand for all that behave alike: up to 3.5 an ISR that shrinks has a new leader epoch, up to 3.6 the
high watermark moves below min.insync.replicas."""

_shipped: dict[str, Packed] = {}
_computed: dict[str, Verdict] = {}


def key(setup: Setup) -> str | None:
    """The name of a configuration, None where it is not among the usual ones."""
    if setup.truncation != EPOCH or not setup.epoch_fenced or setup.bounce or setup.records > 1:
        return None
    if setup.flush or setup.without or setup.retries or len(set(setup.domains)) > 1 or setup.elects_fenced_last_leader:
        return None
    words = (
        f"rf{setup.replicas}",
        f"min{setup.min_isr}",
        f"acks-{setup.acks}",
        "unclean" if setup.unclean else "clean",
        "elr" if setup.elr else "strict" if setup.strict else "old" if setup.bump_on_shrink else "loose",
    )
    return " ".join(words)


def usual() -> Iterator[Setup]:
    """The configurations that ship: up to three replicas, every min.insync.replicas, acks, election and release."""
    for replicas in (1, 2, 3):
        for min_isr in range(1, replicas + 1):
            for acks in ("0", "1", "all"):
                for unclean in (False, True):
                    for version, elr in ((OLD, False), (LOOSE, False), (STRICT, False), (STRICT, True)):
                        zk = "kraft" if version == STRICT else "zookeeper"
                        yield Setup(replicas, min_isr, acks, unclean=unclean, elr=elr, version=version, metadata=zk)


def recall(setup: Setup, progress: Progress | None = None) -> Verdict:
    """The verdict on a configuration: shipped, or searched for now and remembered."""
    name = key(setup)
    if name is not None and not _shipped:
        with contextlib.suppress(FileNotFoundError):
            _shipped.update(json.loads(get_data("advisor.simulator", NAME) or "{}"))
    own = repr([getattr(setup, slot) for slot in Setup.__slots__])
    if own not in _computed:
        ready = name is not None and name in _shipped
        _computed[own] = unpacked(setup, _shipped[str(name)]) if ready else verdict(setup, progress=progress)
    return _computed[own]


def packed(found: Verdict) -> Packed:
    """A verdict as plain data: per question [failures, step numbers]."""
    return {
        question: [(list(outcome.failures), numbers(found.setup, question, outcome)) for outcome in outcomes]
        for question, outcomes in found.answers.items()
    }


def model_of(setup: Setup, question: str) -> Model:
    """The model that a question was searched with: the numbers of its steps are what is stored."""
    return Model(setup, follower_hw=QUESTIONS[question] != "no-acked-loss")


def numbers(setup: Setup, question: str, outcome: Outcome) -> list[int]:
    """Which of the steps offered each step of a counterexample is."""
    model, state = model_of(setup, question), start(setup, budget(counted(outcome.failures)))
    found = []
    for step in outcome.trace:
        offered = list(model.steps(state))
        found.append(offered.index(step))
        state = step[1]
    return found


def unpacked(setup: Setup, data: Packed) -> Verdict:
    """A verdict from plain data; its counterexamples are replayed when they are told."""
    found = Verdict(setup)
    for question, rows in data.items():
        found.answers[question] = [outcome_of(setup, question, tuple(failures), steps) for failures, steps in rows]
    return found


def outcome_of(setup: Setup, question: str, failures: Failures, steps: list[int]) -> Outcome:
    """A set of failures whose counterexample is replayed when it is told."""
    return Outcome(failures, steps=len(steps), replay=lambda: replay(setup, question, failures, steps))


def replay(setup: Setup, question: str, failures: Failures, steps: list[int]) -> Trace:
    """Follow the step numbers of a counterexample."""
    model, state = model_of(setup, question), start(setup, budget(counted(failures)))
    trace = []
    for number in steps:
        action, state = list(model.steps(state))[number]
        trace.append((action, state))
    return trace


def violates(setup: Setup, question: str, outcome: Outcome) -> bool:
    """Whether a counterexample ends where the property is violated."""
    from advisor.simulator.properties import PROPERTIES

    if not outcome.trace:
        state = start(setup, budget(counted(outcome.failures)))
    else:
        state = outcome.trace[-1][1]
    return PROPERTIES[QUESTIONS[question]](model_of(setup, question), state)


def made() -> dict[str, Packed]:
    """Every usual verdict, searched for anew on all cores."""
    from concurrent.futures import ProcessPoolExecutor

    setups = {str(key(setup)): setup for setup in usual()}
    found: dict[str, Packed] = {}
    with ProcessPoolExecutor() as pool:
        for name, data in zip(setups, pool.map(searched, range(len(setups))), strict=True):
            print(f"\r{len(found) + 1:4} of {len(setups)}: {name:<44}", end="", file=sys.stderr, flush=True)
            found[name] = data
    print(file=sys.stderr)
    return found


def searched(number: int) -> Packed:
    """The verdict on the configuration of that number."""
    setups = {str(key(setup)): setup for setup in usual()}
    return packed(verdict(list(setups.values())[number]))


def main(arguments: list[str]) -> int:
    """Make the file anew, or (--check) compare every verdict with a new search."""
    text = json.dumps(made(), separators=(",", ":")).replace('},"rf', '},\n"rf') + "\n"
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
