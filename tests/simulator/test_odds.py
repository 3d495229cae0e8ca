"""Loss per year and minutes without service: closed forms, chains and worked examples against the reference values."""

from __future__ import annotations

from math import log1p
from random import Random

import pytest

from advisor.errors import BadAssumption
from advisor.simulator.odds import (
    ASSUMPTIONS,
    HOURS,
    Rates,
    assume,
    common_power_rate,
    last_replica_standing_rate,
    leader_crash,
    leadership,
    loss_rates,
    mean_time_to_loss,
    odds,
    probability,
    stationary,
    unavailable,
    unclean_loss_rate,
)

LAMBDA, MU = 0.2, 1.0
TABLE = [
    # n, m, writes and reads without ELR, with it, with unclean election, unclean loss rate, MTTDL parallel and serial
    (1, 1, 0.16666667, 0.16666667, 0.16666667, 0.16666667, 0.16666667, 0.16666667, 0, 5, 5),
    (2, 1, 0.05092593, 0.05092593, 0.05092593, 0.05092593, 0.02777778, 0.02777778, 0.02777778, 20, 20),
    (2, 2, 0.30555556, 0.05092593, 0.30555556, 0.02777778, 0.30555556, 0.02777778, 0, 20, 20),
    (3, 1, 0.01292150, 0.01292150, 0.01292150, 0.01292150, 0.00462963, 0.00462963, 0.00925926, 80, 46.6667),
    (3, 2, 0.07752902, 0.01292150, 0.07407407, 0.00673401, 0.07407407, 0.00462963, 0.00462963, 80, 46.6667),
    (3, 3, 0.42129630, 0.01292150, 0.42129630, 0.00462963, 0.42129630, 0.00462963, 0, 80, 46.6667),
    (4, 2, 0.01752820, 0.00292137, 0.01641568, 0.00149233, 0.01620370, 0.00077160, 0.00154321, 350, 81.25),
    (5, 3, 0.03570118, 0.00061577, 0.03549383, 0.00021013, 0.03549383, 0.00012860, 0.00025720, 1646, 116.8333),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]},{row[1]}")
def test_reference_values(row: tuple[float, ...]) -> None:
    n, m = int(row[0]), int(row[1])
    shares = (
        *unavailable(n, m, LAMBDA, MU),
        *unavailable(n, m, LAMBDA, MU, elr=True),
        *unavailable(n, m, LAMBDA, MU, unclean=True),
        unclean_loss_rate(n, m, LAMBDA, MU),
    )
    assert [round(share, 8) for share in shares] == list(row[2:9])
    times = mean_time_to_loss(n, LAMBDA, MU), mean_time_to_loss(n, LAMBDA, MU, serial=True)
    assert [round(time, 4) for time in times] == list(row[9:])


def per_year(failures: float, hours: float) -> tuple[float, float]:
    return failures, HOURS / hours


def close(value: float, printed: str) -> bool:
    """Whether a value is what is printed, half a unit in its last digit."""
    digits = printed.split("e")[0].replace(".", "").lstrip("0")
    return f"{value:.{len(digits) - 1}e}" == f"{float(printed):.{len(digits) - 1}e}"


MINUTES = HOURS * 60
EXAMPLES = [
    # example, value, as printed
    ("W1 U", unavailable(3, 2, *per_year(6, 0.5))[0], "3.511e-7"),
    ("W1 min/yr", unavailable(3, 2, *per_year(6, 0.5))[0] * MINUTES, "0.185"),
    ("W1 min=3", unavailable(3, 3, *per_year(6, 0.5))[0], "1.026e-3"),
    ("W1 min=3 min/yr", unavailable(3, 3, *per_year(6, 0.5))[0] * MINUTES, "540"),
    ("W1 RF=2 min=2", unavailable(2, 2, *per_year(6, 0.5))[0] * MINUTES, "360"),
    ("W2 no ELR", unavailable(3, 2, *per_year(6, 0.5))[1], "1.2011e-10"),
    ("W2 ELR", unavailable(3, 2, *per_year(6, 0.5), elr=True)[1], "6.006e-11"),
    ("W2 unclean", unavailable(3, 2, *per_year(6, 0.5), unclean=True)[1], "4.004e-11"),
    ("W2 RF=2", unavailable(2, 1, *per_year(6, 0.5))[1], "2.34e-7"),
    ("W2 RF=2 min/yr", unavailable(2, 1, *per_year(6, 0.5))[1] * MINUTES, "0.123"),
    ("W3", unavailable(3, 2, *per_year(2, 4))[0], "2.493e-6"),
    ("W3 min/yr", unavailable(3, 2, *per_year(2, 4))[0] * MINUTES, "1.31"),
    ("W3 min=3 min/yr", unavailable(3, 3, *per_year(2, 4))[0] * MINUTES, "1437"),
    ("W4 RF1", probability(1 / mean_time_to_loss(1, *per_year(-log1p(-0.0157), 24))), "1.57e-2"),
    ("W4 RF2", probability(1 / mean_time_to_loss(2, *per_year(-log1p(-0.0157), 24))), "1.371e-6"),
    ("W4 RF3", probability(1 / mean_time_to_loss(3, *per_year(-log1p(-0.0157), 24))), "8.91e-11"),
    ("W4 7 d RF2", probability(1 / mean_time_to_loss(2, *per_year(-log1p(-0.0157), 168))), "9.59e-6"),
    ("W4 7 d RF3", probability(1 / mean_time_to_loss(3, *per_year(-log1p(-0.0157), 168))), "4.36e-9"),
    ("W5 records", leader_crash(assume("records=1000/s,replication_delay=5ms"))[0], "30"),
    ("W5 P", leader_crash(assume("records=1000/s,replication_delay=5ms"))[1], "0.997"),
    ("W5 10/s", leader_crash(assume("records=10/s,replication_delay=5ms"))[0], "0.30"),
    ("W5 10/s P", leader_crash(assume("records=10/s,replication_delay=5ms"))[1], "0.254"),
    ("W6 RF2/min1", probability(unclean_loss_rate(2, 1, *per_year(6, 0.5))), "2.05e-3"),
    ("W6 RF3/min1", probability(unclean_loss_rate(3, 1, *per_year(6, 0.5))), "1.40e-6"),
    ("W6 RF3/min2", probability(unclean_loss_rate(3, 2, *per_year(6, 0.5))), "7.0e-7"),
    ("W6 slow RF2/min1", probability(unclean_loss_rate(2, 1, *per_year(12, 4))), "6.3e-2"),
    ("W6 slow RF3/min1", probability(unclean_loss_rate(3, 1, *per_year(12, 4))), "7.1e-4"),
    ("W6 slow RF3/min2", probability(unclean_loss_rate(3, 2, *per_year(12, 4))), "3.5e-4"),
    ("W7 one site", probability(common_power_rate(1, 0.5, Rates().unflushed)), "0.393"),
    ("W7 two", common_power_rate(2, 0.5, Rates().unflushed) * 3, "1.66e-6"),
    ("W7 three", common_power_rate(3, 0.5, Rates().unflushed), "9.2e-13"),
    ("W7 LRS m=1", last_replica_standing_rate(3, 1, *per_year(6, 0.5), 0.1, Rates().unflushed), "2.1e-7"),
    ("W7 LRS m=2", last_replica_standing_rate(3, 2, *per_year(6, 0.5), 0.1, Rates().unflushed), "8.0e-9"),
]  # fmt: skip


@pytest.mark.parametrize(("example", "value", "printed"), EXAMPLES)
def test_worked_examples(example: str, value: float, printed: str) -> None:
    assert close(value, printed), value


def test_nothing_is_lost_to_cancellation() -> None:
    """At p = 3.4e-4 a least-squares solver answers 2e-15."""
    assert close(unavailable(5, 3, *per_year(6, 0.5))[1], "2.3e-17")


def test_nothing_without_unclean_election_or_with_min_isr_equal_to_rf() -> None:
    assert unclean_loss_rate(3, 3, LAMBDA, MU) == 0
    assert "unclean_election" not in loss_rates(SETUP, Rates())
    assert loss_rates({**SETUP, "unclean": True, "min_isr": 3}, Rates())["unclean_election"] == 0


def test_stationary_shares_of_a_birth_death_chain() -> None:
    shares = stationary([[0, 2, 0], [1, 0, 4], [0, 3, 0]])
    assert shares == pytest.approx([3 / 17, 6 / 17, 8 / 17])


SETUP = {"replicas": 3, "min_isr": 2, "acks": "all", "unclean": False, "elr": False, "flush": False, "domains": 1}
EFFECTS = [
    # change, what must fall (-), rise (+) or stay (0): writes, reads, loss
    ({"min_isr": 3}, "+00"),
    ({"min_isr": 1}, "-0+"),
    ({"acks": "1"}, "-0+"),
    ({"unclean": True}, "--+"),
    ({"elr": True}, "---"),
    ({"flush": True}, "00-"),
    ({"domains": 3}, "00-"),
    ({"replicas": 2}, "+++"),
]


@pytest.mark.parametrize(("change", "expected"), EFFECTS)
def test_what_a_setting_does_to_the_odds(change: dict[str, object], expected: str) -> None:
    names = "minutes_without_writes", "minutes_without_reads", "loss_probability"
    before, after = odds(SETUP, Rates()), odds({**SETUP, **change}, Rates())
    signs = "".join("0" if after[n] == before[n] else "+" if after[n] > before[n] else "-" for n in names)
    assert signs == expected


def test_failover_is_part_of_the_minutes() -> None:
    assert odds(SETUP, Rates())["minutes_without_writes"] == pytest.approx(1.0 + 0.1847, abs=0.001)


# ---------------------------------------------------------------------------------------------- simulated


def simulated(n: int, m: int, unclean: bool, elr: bool, events: int, seed: int) -> tuple[float, float, float]:
    """(time without writes, without leader, unclean losses per time) of n replicas that fail and come back."""
    random = Random(seed)
    up = set(range(n))
    may_lead: set[int] = set()
    leaving: list[int] = []
    total = writes = reads = losses = 0.0
    for _ in range(events):
        led = not may_lead
        rate = len(up) * LAMBDA + (n - len(up)) * MU
        spent = random.expovariate(rate)
        total += spent
        writes += spent * (not led or len(up) < m)
        reads += spent * (not led)
        if random.random() * rate < len(up) * LAMBDA:
            r = random.choice(sorted(up))
            up.remove(r)
            leaving.append(r)
            if led and not up:
                last = leaving[-m:] if elr or unclean else leaving[-1:]
                may_lead = set(last)
        else:
            r = random.choice(sorted(set(range(n)) - up))
            up.add(r)
            leaving.remove(r)
            if unclean and may_lead:
                losses += r not in may_lead
                may_lead = set()
            elif r in may_lead:
                may_lead = set()
    return writes / total, reads / total, losses / total


@pytest.mark.parametrize(
    ("n", "m", "unclean", "elr"),
    [
        (2, 1, False, False),
        (3, 2, False, False),
        (3, 2, False, True),
        (3, 2, True, False),
        (3, 1, True, False),
        (2, 2, False, True),
    ],
)
def test_against_simulation(n: int, m: int, unclean: bool, elr: bool) -> None:
    writes, reads, losses = simulated(n, m, unclean, elr, 150_000, seed=7)
    expected = unavailable(n, m, LAMBDA, MU, unclean=unclean, elr=elr)
    assert writes == pytest.approx(expected[0], rel=0.06)
    assert reads == pytest.approx(expected[1], rel=0.12)
    if unclean:
        assert losses == pytest.approx(unclean_loss_rate(n, m, LAMBDA, MU), rel=0.12)


@pytest.mark.parametrize(("n", "serial"), [(1, False), (2, False), (3, False), (3, True)])
def test_time_to_loss_against_simulation(n: int, serial: bool) -> None:
    random = Random(11)
    trials = 3000
    total = 0.0
    for _ in range(trials):
        up = n
        while up:
            mend = MU * (min(n - up, 1) if serial else n - up)
            rate = up * LAMBDA + mend
            total += random.expovariate(rate)
            up += -1 if random.random() * rate < up * LAMBDA else 1
    assert total / trials == pytest.approx(mean_time_to_loss(n, LAMBDA, MU, serial), rel=0.08)


@pytest.mark.parametrize(("m", "expected"), [(1, 0.003876), (2, 0.001640)])
def test_last_replica_standing(m: int, expected: float) -> None:
    assert last_replica_standing_rate(3, m, LAMBDA, MU, 0.3, 0.25) == pytest.approx(expected, rel=0.001)


def test_chain_is_a_distribution() -> None:
    for n in range(1, 6):
        for m in range(1, n + 1):
            leading, leaderless = leadership(n, LAMBDA, MU, m)
            assert sum(leading) + sum(leaderless) == pytest.approx(1)
            assert min(leading + leaderless) > 0


# ---------------------------------------------------------------------------------------------- assumptions

YEAR = HOURS * 3600
READ = [
    ("broker_failures=6/year", "broker_failures", 6),
    ("broker-failures=6", "broker_failures", 6),
    (" broker_failures = 6 / year ", "broker_failures", None),
    ("broker_failures=1/d", "broker_failures", HOURS / 24),
    ("broker_failures=1/w", "broker_failures", HOURS / 168),
    ("power=.5/year", "power", 0.5),
    ("power=1e-3/year", "power", 0.001),
    ("power=0", "power", 0),
    ("repair=30min", "repair", 0.5 / HOURS),
    ("repair=30 min", "repair", 0.5 / HOURS),
    ("repair=4h", "repair", 4 / HOURS),
    ("disk_repair=7d", "disk_repair", 168 / HOURS),
    ("disk_repair=1w", "disk_repair", 168 / HOURS),
    ("disk_repair=1year", "disk_repair", 1),
    ("unflushed=35s", "unflushed", 35 / YEAR),
    ("replication_delay=5ms", "replication_delay", 0.005 / YEAR),
    ("records=1000/s", "records", 1000),
    ("records=1000", "records", 1000),
    ("records=60/min", "records", 1),
    ("crash_share=0.1", "crash_share", 0.1),
    ("crash_share=1", "crash_share", 1),
    ("failover=10s,", "failover", 10 / YEAR),
]


@pytest.mark.parametrize(("text", "name", "value"), READ)
def test_assumptions(text: str, name: str, value: float | None) -> None:
    if value is None:
        with pytest.raises(BadAssumption):
            assume(text)
    else:
        assert getattr(assume(text), name) == pytest.approx(value)


def test_several_assumptions_and_none() -> None:
    rates = assume("power=1/year, repair=2h ,broker-failures=3/year")
    assert (rates.power, rates.broker_failures, rates.repair) == pytest.approx((1, 3, 2 / HOURS))
    assert {name: getattr(assume(""), name) for name in ASSUMPTIONS} == {n: getattr(Rates(), n) for n in ASSUMPTIONS}


WRONG = [
    "nothing=1",
    "power",
    "power=",
    "power=x",
    "power=1 2/year",
    "power=-1/year",
    "power=1/fortnight",
    "power=1h",
    "power=1//year",
    "power=/year",
    "power=nan",
    "power=inf",
    "power=1e999/year",
    "power=1e400",
    "power=--1",
    "power=1e",
    "repair=30",
    "repair=30/min",
    "repair=30 minutes",
    "repair=-1h",
    "repair=0s",
    "disk_repair=0h",
    "crash_share=1.1",
    "crash_share=-0.1",
    "crash_share=10%",
    "crash_share=0.1/year",
    "records=1h",
    "records=1/",
    "power=x\ny",
    "po\nwer=1",
    "=",
    "power=\u0661\u0662/year;",
]


@pytest.mark.parametrize("text", WRONG)
def test_wrong_assumptions(text: str) -> None:
    with pytest.raises(BadAssumption) as refused:
        assume(text)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("name", ASSUMPTIONS)
def test_zero_and_huge_rates_are_computed_or_refused(name: str) -> None:
    kind = ASSUMPTIONS[name][0]
    for text in ("0", "1e-300", "1e300", "1"):
        unit = {"time": "s"}.get(kind, "")
        try:
            rates = assume(f"{name}={text}{unit}")
        except BadAssumption:
            continue
        for change in ({}, {"acks": "1"}, {"unclean": True}, {"elr": True}):
            found = odds({**SETUP, **change}, rates)
            assert all(value == value and value >= 0 for value in found.values()), (text, found)
            assert found["loss_probability"] <= 1
