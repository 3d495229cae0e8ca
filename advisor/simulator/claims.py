"""Prove rules' claims: these failures violate that property of this configuration.

The proofs of the claims that rules make of usual configurations ship with the tool (`python -m rules.claims` makes
them); any other is searched for when it is asked, and remembered.
"""

from __future__ import annotations

from advisor.model.claim import CONSUME, LOSS, MOST_REPLICAS, PRODUCE, READABLE, STRICT, Claim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from advisor.simulator.protocol.scenario import Scenario
    from advisor.simulator.search import SearchResult

    Proof = dict[str, object]

LIMIT = 300_000
_searched: dict[str, str] = {}
_answered: dict[str, SearchResult] = {}
_stories: dict[str, list[str]] = {}


def prove(claim: Claim) -> Proof:
    """The proof of a claim: the property, the events and a one-line summary."""
    summary = shipped_proofs().get(claim.key)
    if summary is None:
        if claim.rf > MOST_REPLICAS or claim.rf < 1:
            summary = f"not computed: {claim.rf} replicas are beyond what is simulated (1 to {MOST_REPLICAS})"
        else:
            summary = search_proof(claim)
    return {"property": claim.property, "events": list(claim.events), "summary": summary}


def shipped_proofs() -> dict[str, str]:
    """The precomputed summaries of proofs."""
    try:
        from advisor.simulator.proofs import SUMMARIES
    except ImportError:
        return {}
    return SUMMARIES


def search_proof(claim: Claim) -> str:
    """Search for a claim's counterexample, cached."""
    if claim.key not in _searched:
        _searched[claim.key] = summary_of(claim)
    return _searched[claim.key]


def is_violated(claim: Claim, limit: int = LIMIT) -> bool | None:
    """Whether the simulator finds the violation; None where it is undecided within the limit."""
    holds = answer_of(claim, limit).holds
    return None if holds is None else not holds


def answer_of(claim: Claim, limit: int = LIMIT) -> SearchResult:
    """The search result for a claim; cached for claims about a running partition."""
    from advisor.simulator.protocol.scenario import budget
    from advisor.simulator.verdict import count_failures

    events = budget(count_failures(claim.events))
    if claim.now is None:
        from advisor.simulator.decision import decide

        return decide(scenario_of(claim), events, claim.property, limit)
    if claim.key not in _answered:
        from advisor.simulator.running.from_state import search_from

        _answered[claim.key] = search_from(scenario_of(claim), claim.now, events, claim.property, limit)
    return _answered[claim.key]


def scenario_of(claim: Claim) -> Scenario:
    """The scenario that a claim is about."""
    from advisor.simulator.protocol.scenario import Scenario as Simulated

    return Simulated(
        claim.rf,
        claim.min_isr,
        claim.acks,
        unclean=claim.unclean,
        version=claim.version,
        metadata="kraft" if claim.version == STRICT else "zookeeper",
        elr=claim.elr,
        domains=[row[4] for row in claim.now] if claim.now is not None else (),
    )


WHAT = {
    LOSS: "an acknowledged record is lost",
    PRODUCE: "no write is accepted",
    CONSUME: "no consumer can read",
    READABLE: "no consumer can read new records",
}


def summary_of(claim: Claim) -> str:
    """A proof in one line: what is lost or stops, after how many failures, and which."""
    from advisor.simulator.verdict import in_order

    answer = answer_of(claim)
    if answer.holds is None:
        return f"not decided within {answer.states} states"
    if answer.holds:
        return "not found: the simulator contradicts this rule, please report it"
    in_sync = "" if claim.now is None else f", {sum(row[1] for row in claim.now)} in sync now"
    what = f"RF {claim.rf}{in_sync}, min.insync.replicas {claim.min_isr}, acks={claim.acks}: {WHAT[claim.property]}"
    if not claim.events:
        return f"{what} without any failure"
    count = len(claim.events)
    return f"{what} after {count} failure{'' if count == 1 else 's'}: {in_order(claim.events, answer.trace)}"


def story_of(claim: Claim) -> list[str]:
    """The counterexample of a claim, step by step, cached."""
    from advisor.simulator.story import tell_story

    if not 1 <= claim.rf <= MOST_REPLICAS:
        return []
    if claim.key not in _stories:
        _stories[claim.key] = [line for line, _ in tell_story(scenario_of(claim), answer_of(claim).trace)]
    return _stories[claim.key]
