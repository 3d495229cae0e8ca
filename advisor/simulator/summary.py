"""Summaries of a verdict: configuration as data, odds, fewest failures, the worst of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.simulator.odds import Rates, odds
from advisor.simulator.protocol.scenario import Scenario

if TYPE_CHECKING:
    from advisor.simulator.verdict import SimulationVerdict

COMMON_POWER = ("power-loss-all",)
"""All brokers lose power at once: told apart, because most sites have ruled it out."""


def recommended_for(scenario: Scenario) -> Scenario:
    """Three replicas, min.insync.replicas=2, acks=all, no unclean election, in the same release."""
    return Scenario(3, 2, "all", elr=scenario.elr, version=scenario.version, metadata=scenario.metadata)


def severity(verdict: SimulationVerdict) -> tuple[int, int]:
    """Sort key of verdicts: fewest failures to a loss first."""
    least = verdict.smallest("loss")
    least_apart = verdict.smallest("loss", COMMON_POWER)
    return (len(least_apart.failures) if least_apart else 99, len(least.failures) if least else 99)


def data_of(scenario: Scenario) -> dict[str, object]:
    """The configuration as JSON data."""
    return {
        "replicas": scenario.replicas,
        "min_isr": scenario.min_isr,
        "acks": scenario.acks,
        "unclean": scenario.unclean,
        "elr": scenario.elr,
        "flush": scenario.flush,
        "kafka_version": f"{scenario.version[0]}.{scenario.version[1]}",
        "metadata": scenario.metadata,
        "domains": len(set(scenario.domains)),
    }


def odds_of(scenario: Scenario, rates: Rates) -> dict[str, float]:
    """The odds of a configuration."""
    return odds(data_of(scenario), rates)


def fewest_failures(verdict: SimulationVerdict, question: str) -> str:
    """The fewest failures to a violation, with and without a power loss of a failure domain."""
    domain = "all lose power" if len(set(verdict.scenario.domains)) == 1 else "a rack loses power"
    least, apart = verdict.smallest(question), verdict.smallest(question, COMMON_POWER)
    single = str(len(apart.failures)) if apart else "over 2"
    return single if least is apart or least is None else f"{single} ({len(least.failures)} if {domain})"
