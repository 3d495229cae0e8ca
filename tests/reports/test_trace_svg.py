"""The picture of a story shows what the story tells, for every claim that a rule makes and for running clusters."""

from __future__ import annotations

import pytest

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.model.claim import LOSS, Claim
from advisor.reports.html.trace_svg import COLUMN, LABELS, Picture, picture
from advisor.samples.cluster_text import parse_cluster
from advisor.samples.rule_examples import claim_of
from advisor.simulator.claims import story_of
from rules import all_rules

RULES = all_rules()
CLAIMS = {claim.key: claim for rule in RULES if (claim := claim_of(rule)) is not None}
RUNNING = parse_cluster(
    "kafka 4.3\nbrokers 1/a 2/b !3/c\ntopic orders min.insync.replicas=1\n"
    "0: leader 1 replicas 1,2,3 isr 1\n1: leader 1 replicas 1,2,3 isr 1,2\n2: leader 1 replicas 1 isr 1"
)
CLAIMS |= {row.claim.key: row.claim for row in judge([RUNNING], RULES, Policy(RULES)).findings if row.claim is not None}


@pytest.mark.parametrize("key", CLAIMS)
def test_the_picture_shows_the_story(key: str) -> None:
    claim = CLAIMS[key]
    found = picture(claim)
    if not story_of(claim):
        assert found is None
        return
    assert found is not None
    assert found.lines == story_of(claim)
    assert [step.line for step in found.steps[found.first :]] == found.lines
    assert found.first == (claim.now is None)
    assert len(found.replicas) == claim.rf
    everything = [cell for step in found.steps for cell in step.cells]
    assert all(LABELS <= cell.x <= found.width - COLUMN and cell.y < found.height - 60 for cell in everything)
    assert all(cell.mark <= cell.x + COLUMN for cell in everything)
    if claim.property == LOSS:
        assert found.lost or found.steps[-1].leader == "leader nobody"
        assert any("safe" in said for step in found.steps for said in step.records)


def column(found: Picture, number: int) -> list[tuple[bool, bool, bool, str]]:
    return [
        (cell.leads, cell.in_sync, cell.up, "".join(record.letter for record in cell.records))
        for cell in found.steps[number].cells
    ]


def test_every_step_shows_leader_isr_failure_and_log() -> None:
    found = picture(Claim(LOSS, ("kill",), rf=2, acks="1"))
    assert found is not None
    assert column(found, 0) == [(True, True, True, ""), (False, True, True, "")]
    assert column(found, 1) == [(True, True, True, "a"), (False, True, True, "")]
    failed = next(number for number, step in enumerate(found.steps) if step.failure)
    assert column(found, failed)[0] == (True, True, False, "a")
    assert [cell.hit for cell in found.steps[failed].cells] == [True, False]
    assert found.steps[1].arrow is not None
    assert found.lost == ["a"]
    assert found.steps[-1].lost == ["a LOST"]
    assert found.steps[-1].records == []


@pytest.mark.parametrize("rf", [0, 6])
def test_what_was_not_computed_has_no_picture(rf: int) -> None:
    assert picture(Claim(LOSS, ("kill",), rf=rf)) is None
