"""Rules and simulator agree: a rule fires if and only if the simulator finds the violation that it claims."""

from __future__ import annotations

from functools import cache

import pytest

from advisor.model import Version
from advisor.model.claim import Claim
from advisor.samples.rule_examples import claim_of, entities
from advisor.simulator.claims import is_violated, prove, shipped_proofs, story_of, summary_of
from advisor.simulator.running.closed_form import answer_in_closed_form
from rules import claims
from tests.support.commands import ROOT
from tests.support.rule_cases import RULES, judged
from tests.support.simulation import MORE

RELEASES = [
    ("3.6", (3, 6), "zookeeper.connect=z:1\nbroker.id=1\n"),
    ("4.4", (4, 4), "process.roles=broker,controller\n"),
]
GRID = [
    (text, version, base, replicas, least, unclean)
    for text, version, base in RELEASES
    for replicas in (1, 2, 3, 4)
    for least in range(1, replicas + 2)
    for unclean in (False, True)
]


@cache
def shown(key: str, claim: Claim) -> bool:
    found = is_violated(claim)
    assert found is not None, key
    return found


def fires(id: str, text: str, options: str, key: str | None = None) -> bool:
    results = judged(RULES[id], entities(text, options))
    return any(result.finding and key in (None, result.finding.key) for result in results)


@pytest.mark.parametrize(("release", "version", "base", "replicas", "least", "unclean"), GRID)
def test_broker_rules(release: str, version: Version, base: str, replicas: int, least: int, unclean: bool) -> None:
    text = (
        f"{base}default.replication.factor={replicas}\nmin.insync.replicas={least}\n"
        f"unclean.leader.election.enable={str(unclean).lower()}\noffsets.topic.replication.factor={replicas}\n"
        f"transaction.state.log.min.isr={least}\n"
    )
    lone = claims.lone_leader(least, version)
    stale = claims.stale_leader(unclean, version)
    few = claims.few_replicas(replicas)
    home = claims.single_home(replicas)
    assert few is not None
    assert home is not None
    assert fires("KA102", text, release) == shown(lone.key, lone)
    assert fires("KA402", text, release, "transaction.state.log.min.isr") == shown(lone.key, lone)
    assert fires("KA103", text, release) == shown(few.key, few)
    assert fires("KA104", text, release) == shown(stale.key, stale)
    assert fires("KA401", text, release, "offsets.topic.replication.factor") == shown(home.key, home)
    if replicas > 1:
        stop = claims.nobody_may_stop(least, replicas, version)
        either = fires("KA201", text, release, "min.insync.replicas") or fires(
            "KA202", text, release, "min.insync.replicas"
        )
        assert either == shown(stop.key, stop)
    if least > replicas:
        never = claims.never_writable(least, replicas, version)
        assert fires("KA202", text, release, "min.insync.replicas") == shown(never.key, never) is True


@pytest.mark.parametrize("acks", ["0", "1", "all"])
def test_producer_rule(acks: str) -> None:
    claim = claims.unconfirmed(acks)
    assert fires("KA101", f"acks={acks}", "producer") == shown(claim.key, claim)


def test_every_shipped_proof_is_what_a_new_search_says() -> None:
    """Of pictures of four replicas and of all of five, whose states take seconds, where more is asked for."""
    shipped = shipped_proofs()
    quick = [claim for claim in claims.usual() if claim.rf < 4 or (claim.rf == 4 and claim.now is None)]
    searched = list(claims.usual()) if MORE > 1 else quick
    assert [claim.key for claim in searched if not is_violated(claim)] == []
    assert [claim.key for claim in searched if shipped[claim.key] != summary_of(claim)] == []


def test_the_closed_form_says_so_of_four_and_five_replicas() -> None:
    large = [claim for claim in claims.usual() if claim.rf >= 4 and claim.now is not None]
    assert {claim.rf for claim in large} == {4, 5}
    assert [claim.key for claim in large if not answer_in_closed_form(claim)] == []


def test_the_shipped_proofs_are_those_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.simulator.claims.summary_of", lambda claim: shipped_proofs()[claim.key])
    written = (ROOT / "advisor/simulator/proofs.py").read_text()
    assert written == claims.module(), "run python -m rules.claims"


@pytest.mark.parametrize("id", sorted(id for id, rule in RULES.items() if rule.documentation().text("Proof")))
def test_a_rule_with_a_proof_section_proves_its_bad_block(id: str) -> None:
    claim = claim_of(RULES[id])
    assert claim is not None
    assert is_violated(claim)
    assert story_of(claim) or not claim.events


def test_what_is_beyond_the_simulator_is_said_and_no_error() -> None:
    claim = claims.nobody_may_stop(7, 7)
    assert "not computed: 7 replicas" in str(prove(claim)["summary"])
    assert story_of(claim) == []
