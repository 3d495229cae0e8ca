"""The odds of a configuration in two sentences and with two digits: estimates deserve no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import floor, log10

from advisor.simulator.odds import HOURS, Rates, assumption_text, common_power_rate, losses_a_year
from advisor.simulator.protocol.scenario import Scenario

YEAR = 60 * HOURS
"""Minutes of a year."""
NEVER = 1e-6
"""Losses per year below which no number is worth giving."""
NEARLY_ALL = 0.95
"""The share of all losses from which on one cause is named alone."""


def significant(value: float) -> str:
    """A number with two significant digits."""
    if value == 0 or abs(value) == float("inf"):
        return f"{value:g}"
    digits = 1 - floor(log10(abs(value)))
    return f"{round(value, digits):.7g}" if 1e-4 <= abs(value) < 1e7 else f"{value:.1e}"


def how_often(per_year: float) -> str:
    """A rate in words."""
    if per_year < NEVER:
        return "less than once in a million years"
    if per_year >= 1.5:
        return f"about {significant(per_year)} times a year"
    years = significant(1 / per_year)
    return "about once a year" if years == "1" else f"about once in {years} years"


def ratio(old: float, new: float) -> str:
    """How much more often, or more seldom, what happens so many times a year does after a change."""
    if not old or not new:
        return "only now" if new else "no longer"
    return f"{significant(new / old)} times as often" if new > old else f"{significant(old / new)} times as rare"


def driving_assumption(scenario: Scenario, odds: Mapping[str, float], rates: Rates) -> str:
    """The one assumption that nearly all losses come from, and what other racks make of it; empty where there is none."""
    losses = losses_a_year(odds)
    if losses < NEVER or odds.get("loss_power", 0.0) < NEARLY_ALL * losses:
        return ""
    words = f"nearly all of it is power={assumption_text('power', rates.power)}"
    replicas = scenario.replicas
    if replicas == 1 or len(set(scenario.domains)) > 1:
        return words
    apart = how_often(common_power_rate(replicas, rates.power, rates.unflushed))
    return f"{words} of the one rack that all replicas share; {apart} with each of the {replicas} replicas in a rack of its own (--racks)"


def sentences(scenario: Scenario, odds: Mapping[str, float]) -> Iterator[str]:
    """What loses records most often, and for how long writes stop."""
    causes = {name: odds[name] for name in how_it_happens(scenario) if odds.get(name)}
    if causes:
        worst = max(causes, key=lambda name: causes[name])
        often = how_often(causes[worst])
        yield f"{often[0].upper()}{often[1:]} {how_it_happens(scenario)[worst]}."
    yield without_writes(odds["minutes_without_writes"])


def without_writes(minutes: float) -> str:
    """For how long of a year writes fail."""
    if minutes > 0.99 * YEAR:
        return "No write with these acks ever succeeds."
    number, unit = (minutes / 60, "hour") if minutes >= 120 else (minutes, "minute")
    return f"Writes stop for about {significant(number)} {unit}{'' if significant(number) == '1' else 's'} a year."


def how_it_happens(scenario: Scenario) -> dict[str, str]:
    """What happens by each cause of a loss."""
    several = {2: "both replicas"}.get(scenario.replicas, f"all {scenario.replicas} replicas")
    alone = scenario.replicas == 1
    return {
        "loss_disk": "the disk of the only replica fails, and the partition is lost"
        if alone
        else f"{several} lose their disks before one is rebuilt, and the partition is lost",
        "loss_unclean_election": "a replica that missed records becomes leader, and they are lost",
        "loss_power": f"{'the only replica loses power' if alone else f'{several} lose power together'}, and with it "
        "acknowledged records that were not flushed yet",
        "loss_last_replica_standing": "the last in-sync replica crashes, and records that no other replica has are lost",
        "loss_leader_crash": "the leader fails before its followers have the newest records, and they are lost",
    }
