"""Closed form: which failures a partition with all its replicas in sync survives, for any number of replicas.

A replica that no failure hits and that never lags stays in the ISR: while it is there, whoever leads has every record
that acks=all has acknowledged. So such a record is lost only if the failures hit every replica. The answers are those of
the exhaustive search; tests/simulator/test_healthy_partition.py compares them. Sources: those of the model.
"""

from __future__ import annotations

from advisor.simulator.protocol.scenario import (
    CONTROLLER_DOWN,
    DISK,
    EPOCH,
    ISOLATE,
    KILL,
    LAG,
    POWER,
    POWER_ALL,
    SHUTDOWN,
    Scenario,
)

Budget = tuple[int, ...]
LOSS, WRITES, READS = "no-acked-loss", "available-to-produce", "available-to-consume"
MOST_FAILURES = 3
"""Sets of so many failures were compared with the search."""


def is_decided(scenario: Scenario, events: Budget, property: str) -> bool:
    """Whether the closed form covers the question: one record that is sent once, Kafka 2.1 or newer, and few failures.

    Of more failures it knows that an acks=all record outlives them on a replica that they cannot reach.
    """
    usual = scenario.truncation == EPOCH and scenario.epoch_fenced and not scenario.bounce and not scenario.without
    sent_once = scenario.records == 1 and not scenario.retries
    few = sum(events) <= MOST_FAILURES and property in (LOSS, WRITES, READS)
    return usual and sent_once and (few or (property == LOSS and spares_a_replica(scenario, events)))


def spares_a_replica(scenario: Scenario, events: Budget) -> bool:
    """Whether the failures cannot hit every replica of an acks=all topic."""
    failures = Failures(scenario, events)
    return scenario.acks == "all" and failures.down() + failures.lags < scenario.replicas


def is_violated(scenario: Scenario, events: Budget, property: str) -> bool:
    """Whether these failures, each at most so often, can violate the property of a partition that `is_decided` covers."""
    failures = Failures(scenario, events)
    if property == LOSS:
        return loses(scenario, failures)
    writes_all = property == WRITES and scenario.acks == "all"
    return stops(scenario, failures, scenario.min_isr if writes_all else 1)


class Failures:
    """How many replicas a set of failures can take: one by one, by lagging, and with a failure domain's power.

    `hits` are the failures of one replica, `lossy` those that destroy an acknowledged record, `unclean` those of one
    replica after which it registers without its clean-shutdown file, `lags` the followers that can lag behind a record.
    """

    __slots__ = ("controller_down", "hits", "lags", "lossy", "powers", "scenario", "unclean")

    def __init__(self, scenario: Scenario, events: Budget) -> None:
        takes_records = scenario.acks != "all" or scenario.min_isr <= scenario.replicas
        self.scenario = scenario
        self.powers = events[POWER_ALL]
        self.hits = sum(events[event] for event in (KILL, POWER, DISK, ISOLATE, SHUTDOWN))
        self.unclean = events[KILL] + events[POWER] + events[DISK]
        self.lossy = events[DISK] + (0 if scenario.flush else events[POWER] + events[POWER_ALL])
        self.lags = min(events[LAG], scenario.replicas - 1) if takes_records else 0
        self.controller_down = bool(events[CONTROLLER_DOWN])

    def without_power(self, with_leader: bool) -> int:
        """The most replicas that lose power with their domains; `with_leader` if the first leader must be among them."""
        domains = self.scenario.domains
        sizes = sorted((domains.count(domain) for domain in set(domains)), reverse=True)
        if not with_leader or not self.powers:
            return sum(sizes[: self.powers])
        leaders = domains.count(domains[0])
        sizes.remove(leaders)
        return leaders + sum(sizes[: self.powers - 1])

    def down(self, with_leader: bool = False) -> int:
        """The most replicas that are down at once."""
        return min(self.scenario.replicas, self.without_power(with_leader) + self.hits)


def stops(scenario: Scenario, failures: Failures, needed: int) -> bool:
    """Whether fewer replicas than needed are left in sync with a leader, or a dead one cannot be taken out.

    While the controllers are down no leader is elected and no replica joins or leaves the ISR; up to 3.5 a leader whose ISR
    shrank just before has not heard of its new epoch. Without them down, only replicas that lag can be left over.
    """
    if scenario.replicas - failures.down() < needed:
        return True
    if failures.controller_down and (failures.hits or failures.powers):
        return True
    if failures.controller_down and failures.lags:
        return scenario.bump_on_shrink or scenario.replicas - failures.lags < needed or only_laggards_left(failures)
    return only_laggards_left(failures)


def only_laggards_left(failures: Failures) -> bool:
    """Whether every replica that is left lags, and none of them may lead: by an unclean election or from the ELR.

    The first leader does not lag: where no failure of one replica takes it, its domain's power loss does.
    """
    scenario = failures.scenario
    down = failures.down(with_leader=not failures.hits)
    is_left_over = down > 0 and scenario.replicas - down <= failures.lags
    return is_left_over and not scenario.unclean and not (scenario.elr and down < scenario.min_isr)


def loses(scenario: Scenario, failures: Failures) -> bool:
    """Whether an acknowledged record can be lost."""
    if scenario.acks == "0":
        return True
    if scenario.replicas == 1:
        return bool(failures.lossy) and (scenario.acks == "1" or scenario.min_isr == 1)
    if scenario.acks == "1":
        return bool(failures.hits or failures.powers)
    return scenario.min_isr <= scenario.replicas and loses_everywhere(scenario, failures)


def loses_everywhere(scenario: Scenario, failures: Failures) -> bool:
    """Whether an acks=all record can be lost: failures hit every replica, and who leads then lacks it.

    That is the last replica of the ISR without the record (under ELR every member that crashed is out as well), or by
    an unclean election one that had left the ISR before the record was acknowledged.
    """
    lags = min(failures.lags, scenario.replicas - scenario.min_isr)
    powerless = failures.without_power(with_leader=bool(lags) and not failures.hits)
    if failures.hits + lags + powerless < scenario.replicas:
        return False
    if scenario.unclean and scenario.min_isr < scenario.replicas and leaves_one_behind(failures, lags):
        return True
    if scenario.elr and not scenario.unclean and scenario.min_isr > 1:
        return bool(failures.lossy) and failures.unclean + powerless >= scenario.min_isr
    return bool(failures.lossy)


def leaves_one_behind(failures: Failures, lags: int) -> bool:
    """Whether a replica can be out of the ISR when the record is acknowledged, with failures left for all that have it."""
    domains = failures.scenario.domains
    sizes = [domains.count(domain) for domain in set(domains)]
    if not failures.powers or failures.hits or lags or failures.powers > len(sizes):
        return True
    return failures.scenario.min_isr <= failures.scenario.replicas - min(sizes)
