"""Odds: losses per year and minutes without writes or reads, from failure and repair rates.

Rates are per year unless they say otherwise; p is the share of time that one replica is down. The chains are solved
with GTH elimination, which never subtracts (Grassmann, Taksar, Heyman 1985): at p = 3e-4 ordinary solvers lose every
digit.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb, expm1, factorial, log1p

from advisor.errors import BadAssumption

HOURS = 8766.0
"""A year."""


class Rates:
    """The assumed rates: failures per year, times in years, records per second."""

    broker_failures = 6.0
    repair = 0.5 / HOURS
    disk_failures = -log1p(-0.0157)
    disk_repair = 24.0 / HOURS
    power = 0.5
    crash_share = 0.1
    unflushed = 35.0 / 3600 / HOURS
    failover = 10.0 / 3600 / HOURS
    records = 1000.0
    replication_delay = 0.005 / 3600 / HOURS
    catch_up = 0.0


UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0, "year": HOURS * 3600}
"""Seconds in a unit of time."""
PER_YEAR, DURATION, PER_SECOND, SHARE = "per year", "time", "per second", "share"
ASSUMPTIONS = {
    "broker_failures": (PER_YEAR, "failures of one broker, all causes"),
    "repair": (DURATION, "time until a failed broker is back"),
    "disk_failures": (PER_YEAR, "failures of one disk"),
    "disk_repair": (DURATION, "time until a lost replica is whole again"),
    "power": (PER_YEAR, "power losses of a whole failure domain"),
    "crash_share": (SHARE, "share of broker failures in which the host crashes and loses what it had not flushed"),
    "unflushed": (DURATION, "age up to which a record may not be on disk"),
    "failover": (DURATION, "time until clients have found a new leader"),
    "records": (PER_SECOND, "records that a partition takes"),
    "replication_delay": (DURATION, "time until the followers have a record"),
}
"""What may be assumed otherwise, in what unit, and what it is."""


def assume(text: str) -> Rates:
    """Parse assumptions such as `broker_failures=6/year,repair=30min` over the defaults."""
    rates = Rates()
    for assumption in " ".join(text.split()).split(","):
        if assumption.strip():
            name, _, value = assumption.strip().partition("=")
            name = name.strip().replace("-", "_")
            if name not in ASSUMPTIONS:
                raise BadAssumption(f"no such assumption: {name} (there are {', '.join(ASSUMPTIONS)})")
            setattr(rates, name, amount(name, value.strip()))
    return rates


def amount(name: str, text: str) -> float:
    """Parse a number with its unit, in years or per year."""
    kind = ASSUMPTIONS[name][0]
    number, unit = text, ""
    for at, char in enumerate(text):
        if not (char.isdigit() or char in ".+-eE" or (char in "eE" and at)):
            number, unit = text[:at], text[at:].strip()
            break
    try:
        value = float(number)
    except ValueError:
        raise BadAssumption(f"{name}={text}: write a number such as {EXAMPLES[kind]}") from None
    if value < 0 or (kind == SHARE and value > 1):
        raise BadAssumption(f"{name}={text}: must be {'from 0 to 1' if kind == SHARE else 'at least 0'}")
    if not (LEAST <= value <= MOST or (value == 0 and name not in NEVER_ZERO)):
        raise BadAssumption(f"{name}={text}: from {LEAST:g} to {MOST:g} can be computed")
    return value * scale(name, kind, unit)


LEAST, MOST = 1e-9, 1e9
NEVER_ZERO = ("repair", "disk_repair")
EXAMPLES = {PER_YEAR: "6/year", DURATION: "30min", PER_SECOND: "1000/s", SHARE: "0.1"}


def scale(name: str, kind: str, unit: str) -> float:
    """The factor of a unit in the unit of the calculation."""
    if kind == SHARE and not unit:
        return 1.0
    if kind == DURATION and unit in UNITS:
        return UNITS[unit] / UNITS["year"]
    if kind in (PER_YEAR, PER_SECOND) and (not unit or (unit[1:] in UNITS and unit[0] == "/")):
        base = UNITS["year"] if kind == PER_YEAR else 1.0
        return base / UNITS[unit[1:]] if unit else 1.0
    raise BadAssumption(f"{name}: {unit or 'no unit'} will not do: write it like {EXAMPLES[kind]}")


def stationary(rates: list[list[float]]) -> list[float]:
    """The long-run share of time in each state of a chain with the given transition rates, by GTH elimination."""
    size = len(rates)
    a = [row[:] for row in rates]
    for k in range(size - 1, 0, -1):
        total = sum(a[k][:k])
        for i in range(k):
            a[i][k] /= total
        for i in range(k):
            for j in range(k):
                if i != j:
                    a[i][j] += a[i][k] * a[k][j]
    shares = [1.0]
    for k in range(1, size):
        shares.append(sum(shares[i] * a[i][k] for i in range(k)))
    total = sum(shares)
    return [share / total for share in shares]


def leadership(n: int, failure: float, repair: float, returning: int = 1) -> tuple[list[float], list[float]]:
    """(shares of k = 1…n replicas up with a leader, shares without a leader), no unclean election.

    `returning` of the replicas may end an outage: 1 without ELR (the last leader), min.isr with it.
    """
    outside = n - returning
    size = n + outside + 1
    rates = [[0.0] * size for _ in range(size)]
    for k in range(1, n + 1):
        at = k - 1
        if k > 1:
            rates[at][at - 1] = k * failure
        else:
            rates[at][n] = failure
        if k < n:
            rates[at][at + 1] = (n - k) * repair
    for j in range(outside + 1):
        at = n + j
        if j < outside:
            rates[at][at + 1] = (outside - j) * repair
        if j:
            rates[at][at - 1] = j * failure
        rates[at][j] = returning * repair
    shares = stationary(rates)
    return shares[:n], shares[n:]


def unavailable(
    n: int, m: int, failure: float, repair: float, *, unclean: bool = False, elr: bool = False
) -> tuple[float, float]:
    """(share of time without acks=all writes, share without a leader) for RF n and effective min.isr m."""
    p = failure / (failure + repair)
    if unclean:
        up = [comb(n, k) * (1 - p) ** k * p ** (n - k) for k in range(n + 1)]
        return sum(up[:m]), up[0]
    if not failure:
        return float(m > n), 0.0
    leading, leaderless = leadership(n, failure, repair, min(m, n) if elr else 1)
    without = sum(leaderless)
    return sum(leading[: m - 1]) + without, without


def unclean_loss_rate(n: int, m: int, failure: float, repair: float) -> float:
    """Losses per unit of time through unclean elections alone: nothing is acknowledged below m in-sync replicas."""
    p = failure / (failure + repair)
    return repair * p**n * (n - m)


def mean_time_to_loss(n: int, failure: float, repair: float, serial: bool = False) -> float:
    """Mean time until n replicas are lost at once, repaired in parallel or one at a time."""
    total, before = 0.0, 0.0
    for j in range(n):
        mend = repair * (min(j, 1) if serial else j)
        before = (1 + mend * before) / ((n - j) * failure)
        total += before
    return total


def last_replica_standing_rate(
    n: int, m: int, failure: float, repair: float, crash_share: float, unflushed: float
) -> float:
    """Losses per unit of time when the last in-sync replica crashes with its unflushed tail (no ELR)."""
    if not failure:
        return 0.0
    alone = leadership(n, failure, repair)[0][0]
    young = 1.0 if m == 1 else -expm1(-(failure + (n - 1) * repair) * unflushed)
    return alone * failure * crash_share * young


def common_power_rate(domains: int, power: float, unflushed: float) -> float:
    """Losses per year when so many independent failure domains lose power within the unflushed window."""
    return factorial(domains) * power**domains * unflushed ** (domains - 1)


def leader_crash(rates: Rates) -> tuple[float, float]:
    """(records lost per year, probability of at least one) with acks=1: what the followers had not fetched."""
    each = rates.records * rates.replication_delay * HOURS * 3600
    return rates.broker_failures * each, -expm1(-rates.broker_failures * -expm1(-each))


def probability(rate: float) -> float:
    """The probability of at least one event in a year."""
    return -expm1(-rate)


def odds(scenario: Mapping[str, object], rates: Rates) -> dict[str, float]:
    """The odds of a configuration: replicas, min_isr, acks, unclean, elr, flush, domains."""
    n, m = int(str(scenario["replicas"])), int(str(scenario["min_isr"]))
    unclean, elr = bool(scenario["unclean"]), bool(scenario["elr"])
    failure, repair = rates.broker_failures, 1 / rates.repair
    writes, reads = unavailable(n, m, failure, repair, unclean=unclean, elr=elr)
    minutes = HOURS * 60
    failover = failure * rates.failover * minutes
    losses = loss_rates(scenario, rates)
    return {
        "minutes_without_writes": (writes if scenario["acks"] == "all" else reads) * minutes + failover,
        "minutes_without_reads": reads * minutes + failover,
        **{f"loss_{name}": rate for name, rate in losses.items()},
        "loss_probability": probability(sum(losses.values())),
    }


def loss_rates(scenario: Mapping[str, object], rates: Rates) -> dict[str, float]:
    """Events per year that lose acknowledged records, by cause."""
    n, m = int(str(scenario["replicas"])), int(str(scenario["min_isr"]))
    failure, repair = rates.broker_failures, 1 / rates.repair
    rate_of_cause = {
        "disk": 1 / mean_time_to_loss(n, rates.disk_failures, 1 / rates.disk_repair) if rates.disk_failures else 0.0
    }
    if scenario["unclean"]:
        rate_of_cause["unclean_election"] = unclean_loss_rate(n, m, failure, repair)
    if not scenario["flush"]:
        rate_of_cause["power"] = common_power_rate(int(str(scenario["domains"])), rates.power, rates.unflushed)
        if not (scenario["elr"] and m > 1):
            share = rates.crash_share
            rate_of_cause["last_replica_standing"] = last_replica_standing_rate(
                n, m, failure, repair, share, rates.unflushed
            )
    if scenario["acks"] != "all":
        each = rates.records * rates.replication_delay * HOURS * 3600
        rate_of_cause["leader_crash"] = failure * -expm1(-each)
    return rate_of_cause


UNITS_SHOWN = (("year", HOURS * 3600), ("d", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0), ("ms", 0.001))
"""Units to show a duration in, the largest first."""


def assumption_text(name: str, value: float) -> str:
    """An assumption with its value in a readable unit."""
    kind = ASSUMPTIONS[name][0]
    if kind != DURATION:
        return f"{value:.4g}" + {PER_YEAR: "/year", PER_SECOND: "/s", SHARE: ""}[kind]
    seconds = value * UNITS["year"]
    unit, size = next(((unit, size) for unit, size in UNITS_SHOWN if seconds >= size * 0.999), UNITS_SHOWN[-1])
    return f"{seconds / size:.4g}{unit}"


CAUSES = {
    "loss_disk": "losses through disks",
    "loss_unclean_election": "losses through unclean elections",
    "loss_power": "losses through a shared power loss",
    "loss_last_replica_standing": "losses of the last in-sync replica",
    "loss_leader_crash": "losses with a leader (acks=1)",
    "loss_probability": "probability of any loss",
    "minutes_without_writes": "minutes without writes",
    "minutes_without_reads": "minutes without reads",
}
"""The odds in words."""
LOSSES = tuple(name for name in CAUSES if name.startswith("loss_") and name != "loss_probability")
"""The causes of losses, of which the odds say how many there are a year."""


def losses_a_year(odds: Mapping[str, float]) -> float:
    """Losses a year, of all causes."""
    return sum(odds.get(name, 0.0) for name in LOSSES)
