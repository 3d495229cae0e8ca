"""What a verdict comes to: the configuration as data, its odds, the fewest failures, the worst of several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.simulator.odds import odds
from advisor.simulator.scenario import Setup

if TYPE_CHECKING:
    from advisor.simulator.odds import Rates
    from advisor.simulator.verdict import Verdict

COMMON_POWER = ("power-loss-all",)
"""All brokers lose power at once: told apart, because most sites have ruled it out."""


def recommended_for(setup: Setup) -> Setup:
    """Three copies, two of them in sync, acks=all, no unclean election, in the same release."""
    return Setup(3, 2, "all", elr=setup.elr, version=setup.version, metadata=setup.metadata)


def severity(found: Verdict) -> tuple[int, int]:
    """Fewest failures to a loss first."""
    least = found.smallest("loss")
    least_apart = found.smallest("loss", COMMON_POWER)
    return (len(least_apart.failures) if least_apart else 99, len(least.failures) if least else 99)


def data_of(setup: Setup) -> dict[str, object]:
    """The configuration for programs."""
    return {
        "replicas": setup.replicas,
        "min_isr": setup.min_isr,
        "acks": setup.acks,
        "unclean": setup.unclean,
        "elr": setup.elr,
        "flush": setup.flush,
        "kafka_version": f"{setup.version[0]}.{setup.version[1]}",
        "metadata": setup.metadata,
        "domains": len(set(setup.domains)),
    }


def odds_of(setup: Setup, rates: Rates) -> dict[str, float]:
    """The odds of a configuration."""
    return odds(data_of(setup), rates)


def fewest(found: Verdict, question: str) -> str:
    """How many failures it takes, with and without a power loss of everything at once."""
    least, apart = found.smallest(question), found.smallest(question, COMMON_POWER)
    single = str(len(apart.failures)) if apart else "over 2"
    return single if least is apart or least is None else f"{single} ({len(least.failures)} if all lose power)"
