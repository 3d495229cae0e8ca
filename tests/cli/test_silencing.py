"""`lint --silence` of many files: they are judged together, and each is kept or refused as it would be alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from advisor.analysis.fixes.fixing import Fixing
from advisor.analysis.fixes.verdict import Side
from advisor.cli.editing.silencing import keep

GOOD, STAYS, BRINGS = "good", "stays", "brings"
"""A comment silences the finding; it does not; it does, and brings two others."""


class World:
    """Files with a finding each, and what a comment does in each."""

    def __init__(self, outcomes: Mapping[str, str]) -> None:
        self.outcomes = outcomes
        self.trials = 0

    def judged(self, texts: Mapping[str, bytes]) -> Side:
        """What is found where some files have their comment."""
        self.trials += 1
        findings = [
            row
            for file, outcome in self.outcomes.items()
            for row in ([finding(file)] if file not in texts else after(file, outcome))
        ]
        return Side([], cast("Any", SimpleNamespace(findings=findings)), findings)


def finding(file: str, rule: str = "KA101") -> Any:
    """A finding of a file."""
    return SimpleNamespace(rule=rule, file=file, entity=("producer", file), kafka_key="acks", key="acks")


def after(file: str, outcome: str) -> list[Any]:
    """The findings of a file with its comment."""
    brought = [finding(file, "KA2"), finding(file, "KA3")]
    return {GOOD: [], STAYS: [finding(file)], BRINGS: brought}[outcome]


def kept(outcomes: Mapping[str, str], together: bool) -> tuple[set[str], set[str], int]:
    """The files that are silenced and those that are refused, and how often the files were judged."""
    world = World(outcomes)
    fixing = Fixing(cast("Any", world), unsafe=False)
    for files in [list(outcomes)] if together else [[file] for file in outcomes]:
        keep(fixing, dict.fromkeys(files, b"#"), {file: [finding(file)] for file in files})
    assert set(fixing.texts) == {row.file for row in fixing.fixed}
    return set(fixing.texts), {str(name[1]) for name in fixing.left}, world.trials


@given(st.lists(st.sampled_from([GOOD, STAYS, BRINGS]), max_size=9))
def test_files_are_kept_together_as_each_would_be_alone(outcomes: list[str]) -> None:
    named = {f"b{number}.properties": outcome for number, outcome in enumerate(outcomes)}
    silenced, refused, _ = kept(named, together=True)
    assert (silenced, refused) == kept(named, together=False)[:2]
    assert silenced == {file for file, outcome in named.items() if outcome == GOOD}
    assert refused == set(named) - silenced


def test_trials_do_not_grow_with_the_files() -> None:
    outcomes = {f"b{number}.properties": STAYS if number % 3 else GOOD for number in range(60)}
    assert kept(outcomes, together=True)[2] == 3
