"""Search for what becomes of a running partition when chosen replicas fail: every order of events that Kafka allows."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.model.claim import LOOSE, STRICT
from advisor.simulator.protocol.model import Action, Model, State, put
from advisor.simulator.protocol.properties import PROPERTIES, shows_new_records, takes_writes, true_leader
from advisor.simulator.protocol.scenario import Scenario, budget
from advisor.simulator.running.failover import (
    DISK,
    MAYBE,
    NO,
    NONE,
    OPEN,
    POSSIBLE,
    YES,
    Failover,
)
from advisor.simulator.running.from_state import LOSS, present_state
from advisor.simulator.running.replica_sets import Replica, ReplicaSets, Rules
from advisor.simulator.search import explore

MOST_REPLICAS = 5
LIMIT = 100_000
"""States after which a question is left undecided."""
Service = tuple[int, bool, bool, bool]
"""The leader, and whether the partition is readable, takes acks=all writes, and shows what is written."""


def search_failover(replicas: tuple[Replica, ...], rules: Rules, how: str) -> Failover | None:
    """What holds after the failure, of everything that may happen; None where there are more replicas than are simulated."""
    if len(replicas) > MOST_REPLICAS or not replicas:
        return None
    services = services_after(replicas, rules, how)
    leaders = {leader for leader, *_ in services}
    readable = answer_of({is_readable for _, is_readable, _, _ in services})
    writable = answer_of({takes_all for _, _, takes_all, _ in services})
    newest = answer_of({shows_new for *_, shows_new in services})
    sets = ReplicaSets(replicas, rules, how)
    returns = tuple(sorted(sets.isr | sets.eligible))
    return Failover(
        leaders.pop() if len(leaders) == 1 else -1,
        OPEN,
        readable,
        writable,
        readable,
        newest,
        MAYBE if may_lose(replicas, rules, how, "all") else NONE,
        MAYBE if may_lose(replicas, rules, how, "1") else NONE,
        returns,
        (min(1, len(returns)), len(returns)),
    )


def answer_of(answers: set[bool]) -> str:
    """One word for the answers of all that may happen."""
    return POSSIBLE if len(answers) > 1 else YES if answers == {True} else NO


def services_after(replicas: tuple[Replica, ...], rules: Rules, how: str) -> set[Service]:
    """What the partition offers once everything has settled, in each way it may: no broker is restarted.

    Live replicas out of the ISR all catch up in the one half of the ways, and none does in the other.
    """
    model = Model(scenario_of(replicas, rules, "all"))
    slow = {r for r, replica in enumerate(replicas) if replica.alive and not replica.in_sync}
    services: set[Service] = set()
    for laggards in (set(), slow) if slow else (set(),):
        for state in settled_states(model, failed_states(model, replicas, rules, how), laggards):
            services.add(service_of(model, state))
    return services


def service_of(model: Model, state: State) -> Service:
    """What the partition offers in a settled state."""
    leader = true_leader(model, state)
    return leader, leader >= 0, takes_writes(model, state), shows_new_records(model, state)


def settled_states(model: Model, first: list[State], laggards: set[int]) -> Iterator[State]:
    """The states in which nothing more can happen; laggards do not catch up with another leader."""
    seen, states = set(first), list(first)
    while states:
        state = states.pop()
        following = [after for action, after in steps(model, state) if not catches_up(action, laggards)]
        if not any(after != state for after in following):
            yield state
        fresh = {after for after in following if after not in seen}
        seen |= fresh
        states += fresh


def steps(model: Model, state: State) -> Iterator[tuple[Action, State]]:
    """What the cluster does by itself."""
    yield from model.settling(state)
    yield from model.work(state)


def catches_up(action: Action, laggards: set[int]) -> bool:
    """Whether an action lets a laggard fetch, or join the ISR."""
    name, first, second = action
    return (name == "fetch" and first in laggards) or (name == "expand ISR" and second in laggards)


def may_lose(replicas: tuple[Replica, ...], rules: Rules, how: str, acks: str) -> bool:
    """Whether a record that was acknowledged may be lost in the end, whoever is restarted when."""
    model = Model(scenario_of(replicas, rules, acks), follower_hw=False)
    states = failed_states(model, replicas, rules._replace(controlled=True), how)
    return any(explore(model, state, PROPERTIES[LOSS], LIMIT).holds is not True for state in states)


def scenario_of(replicas: tuple[Replica, ...], rules: Rules, acks: str) -> Scenario:
    """The scenario of a partition."""
    return Scenario(
        len(replicas),
        rules.min_isr,
        acks,
        unclean=rules.unclean,
        version=STRICT if rules.strict else LOOSE,
        metadata="kraft" if rules.strict else "zookeeper",
        elr=rules.elr,
    )


def failed_states(model: Model, replicas: tuple[Replica, ...], rules: Rules, how: str) -> list[State]:
    """The states just after the failure, before anybody has noticed; with a power loss, by what had been flushed."""
    hits = [r for r, replica in enumerate(replicas) if replica.fails and (replica.alive or how == DISK)]
    events = budget({how: len(hits)})
    states = [state_of(model, replicas, rules, events, last) for last in last_leaders(replicas, rules)]
    for r in hits:
        states = [after for state in states for action, after in hit(model, state, r, how)]
    return states


def last_leaders(replicas: tuple[Replica, ...], rules: Rules) -> list[int]:
    """Who may have led last: under ELR, where there is no leader and the cluster does not say, every replica that has the records."""
    known = [r for r, replica in enumerate(replicas) if replica.led_last]
    if known or not rules.elr or any(replica.leads for replica in replicas):
        return known[:1] or [-1]
    holders = [r for r, replica in enumerate(replicas) if replica.in_sync or replica.eligible]
    return holders or list(range(len(replicas)))


def state_of(model: Model, replicas: tuple[Replica, ...], rules: Rules, events: tuple[int, ...], last: int) -> State:
    """The present state; brokers that are down and still in the ISR of a leader are not fenced yet."""
    now = tuple((*replica[:4], 0) for replica in replicas)
    controller, rows, records, events = present_state(model.scenario, now, events, lagging=True)
    _, leader, epoch, isr, elr, _, fenced = controller
    if leader == -1 and last != -1:
        rows = put(rows, last, (*rows[last][:4], (0,), 1, 0, 0))
    if model.scenario.acks != "all" and leader != -1:
        rows = tuple(row if r == leader else (*row[:4], (), 0, 0, 0) for r, row in enumerate(rows))
    unnoticed = isr if leader != -1 else 0
    return (rules.controlled, leader, epoch, isr, elr, last, fenced & ~unnoticed), rows, records, events


def hit(model: Model, state: State, r: int, how: str) -> Iterator[tuple[Action, State]]:
    """The failure of one replica; one that is down already may still lose its disk."""
    return ((action, after) for action, after in model.crashes(state, r) if action[0] == how)
