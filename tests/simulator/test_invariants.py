"""What holds on every walk through the model, and what a safer configuration never adds."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.simulator.protocol.consumer_model import ReadingModel, unstable, with_new_consumer
from advisor.simulator.protocol.model import CUT, NOBODY, UP, Model, members, start
from advisor.simulator.protocol.properties import candidate_incomplete, duplicates, settle, two_leaders_in_one_epoch
from advisor.simulator.protocol.scenario import CONTROLLER_DOWN, EVENTS, ISOLATE, KILL, LAG, SHUTDOWN, Scenario
from advisor.simulator.search import search
from tests.support.simulation import MORE

if TYPE_CHECKING:
    from advisor.simulator.protocol.model import State

VERSIONS = [
    # version, metadata, ELR is possible, a bounce can go unnoticed
    ((0, 10), "zookeeper", False, True),
    ((1, 1), "zookeeper", False, True),
    ((2, 8), "zookeeper", False, True),
    ((3, 4), "zookeeper", False, True),
    ((3, 6), "kraft", False, False),
    ((3, 9), "kraft", False, False),
    ((4, 0), "kraft", True, False),
    ((4, 1), "kraft", True, False),
]
LOSSLESS = (KILL, ISOLATE, LAG, SHUTDOWN, CONTROLLER_DOWN)


@st.composite
def setups(draw: st.DrawFn) -> Scenario:
    version, metadata, elr, bounce = draw(st.sampled_from(VERSIONS))
    replicas = draw(st.integers(1, 4))
    return Scenario(
        replicas,
        draw(st.integers(1, 4)),
        draw(st.sampled_from(["0", "1", "all"])),
        unclean=draw(st.booleans()),
        elr=elr and draw(st.booleans()),
        flush=draw(st.booleans()),
        version=version,
        metadata=metadata,
        records=draw(st.integers(1, 3)),
        bounce=bounce and draw(st.booleans()),
        domains=draw(st.lists(st.integers(0, 2), min_size=replicas, max_size=replicas)),
        retries=draw(st.booleans()),
    )


def budgets(kinds: tuple[int, ...] = tuple(range(len(EVENTS))), most: int = 3) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*(st.integers(0, most if kind in kinds else 0) for kind in range(len(EVENTS))))


CHOICES = st.lists(st.integers(0, 2**16), min_size=5, max_size=60)
walks = settings(max_examples=125 * MORE, deadline=None, derandomize=True, database=None)


def walk(model: Model, state: State, choices: list[int]) -> list[State]:
    """The states on a way that the choices pick."""
    states = [state]
    for choice in choices:
        after = [after for _, after in model.steps(states[-1])]
        if not after:
            break
        states.append(after[choice % len(after)])
    return states


@walks
@given(setups(), budgets(), CHOICES)
def test_what_holds_in_every_state(setup: Scenario, budget: tuple[int, ...], choices: list[int]) -> None:
    model = Model(setup)
    everyone = set(range(setup.replicas))
    states = walk(model, start(setup, budget), choices)
    for before, state in zip([states[0], *states], states, strict=False):
        (_, leader, epoch, isr, elr, last, fenced), replicas, records, left = state
        in_isr, in_elr = set(members(isr)), set(members(elr))
        assert in_isr | in_elr | set(members(fenced)) <= everyone
        assert not in_isr & in_elr
        assert setup.elr or (in_isr and not in_elr and last == NOBODY)
        assert len(in_isr) < setup.min_isr or not in_elr
        assert leader == NOBODY or (leader in in_isr and last == NOBODY)
        assert epoch >= before[0][2]
        assert epoch > before[0][2] or leader == before[0][1]
        assert not two_leaders_in_one_epoch(model, state)
        assert not (setup.idempotent and duplicates(model, state))
        assert all(0 <= now <= given for now, given in zip(left, before[3], strict=True))
        assert sum(before[3]) - sum(left) in (0, 1)
        for flags, view, view_epoch, _, log, hw, leso, flushed in replicas:
            assert 0 <= hw <= len(log)
            assert 0 <= flushed <= len(log)
            assert not setup.flush or flushed == len(log)
            assert leso == 0 or not flags & UP or leso <= len(log)
            assert view_epoch <= epoch
            assert view in {NOBODY, *everyone}
            assert all(entry >> 3 <= epoch and entry & 7 < setup.records for entry in log)
            assert [entry >> 3 for entry in log] == sorted(entry >> 3 for entry in log)
        assert all(status >= 0 for status in records)


@walks
@given(setups(), budgets(), CHOICES)
def test_who_leaves_at_once_leaves_one_by_one_where_it_is_no_step(
    setup: Scenario, budget: tuple[int, ...], choices: list[int]
) -> None:
    model = Model(setup)
    for state in walk(model, start(setup, budget), choices):
        leader, isr = state[0][1], state[0][3]
        if leader == NOBODY or not model.is_true_leader(state, leader):
            continue
        followers = isr & ~(1 << leader)
        steps = set(model.together(followers, isr.bit_count()))
        for leaving in range(3, followers + 1):
            if leaving & followers == leaving and leaving.bit_count() > 1 and leaving not in steps:
                at_once = set(map(without_epoch, model.shrink(state, leader, leaving)))
                assert at_once == set(map(without_epoch, one_by_one(model, state, leader, leaving)))


def one_by_one(model: Model, state: State, leader: int, leaving: int) -> list[State]:
    """The states after the followers have left one after the other."""
    states = [state]
    for f in members(leaving):
        states = [after for state in states for after in model.shrink(state, leader, 1 << f)]
    return states


def without_epoch(state: State) -> object:
    """The state but for the number of the leader epoch, of which two shrinks before 3.6 count two."""
    controller, *others = state
    return (*controller[:2], *controller[3:]), *others


@walks
@given(setups(), budgets(LOSSLESS), CHOICES)
def test_candidates_have_what_is_committed(setup: Scenario, budget: tuple[int, ...], choices: list[int]) -> None:
    """CandidateCompleteness, where no data is lost and no election is unclean."""
    if setup.unclean or setup.bounce or setup.version < (2, 1):
        return
    model = Model(setup)
    assert not any(candidate_incomplete(model, state) for state in walk(model, start(setup, budget), choices))


@walks
@given(setups(), budgets(), CHOICES)
def test_healing_ends_and_has_nothing_left_to_do(setup: Scenario, budget: tuple[int, ...], choices: list[int]) -> None:
    model = Model(setup)
    for state in walk(model, start(setup, budget), choices)[::5]:
        after = settle(model, state)
        assert settle(model, after) == after
        assert after[3] == state[3]
        assert [replica[0] & (UP | CUT) for replica in after[1]] == [replica[0] & (UP | CUT) for replica in state[1]]
        (up, _, _, _, _, _, fenced), replicas = after[0], after[1]
        if up:
            away = [r for r, replica in enumerate(replicas) if replica[0] & (UP | CUT) != UP]
            assert members(fenced) == away


@walks
@given(setups(), budgets(LOSSLESS), CHOICES)
def test_what_was_read_stays(setup: Scenario, budget: tuple[int, ...], choices: list[int]) -> None:
    """CommittedReadStable, where no data is lost and no election is unclean."""
    if setup.unclean or setup.bounce or setup.version < (2, 1):
        return
    model = ReadingModel(setup)
    assert not any(unstable(model, state) for state in walk(model, with_new_consumer(start(setup, budget)), choices))


# ---------------------------------------------------------------------------------------------- verdicts

Question = tuple[int, int, str, bool, bool, bool, tuple[int, ...]]


@cache
def holds(
    replicas: int, min_isr: int, acks: str, unclean: bool, elr: bool, flush: bool, budget: tuple[int, ...]
) -> bool | None:
    setup = Scenario(replicas, min_isr, acks, unclean=unclean, elr=elr, flush=flush)
    return search(setup, budget, limit=60_000).holds


questions = st.one_of(
    [
        st.tuples(
            st.just(replicas),
            st.integers(1, replicas),
            st.sampled_from(["1", "all"]),
            st.booleans(),
            st.booleans(),
            st.booleans(),
            st.lists(st.sampled_from(range(len(EVENTS))), max_size=most).map(
                lambda drawn: tuple(drawn.count(kind) for kind in range(len(EVENTS)))
            ),
        )
        for replicas, most in ((2, 3), (3, 2))
    ]
)


def safer(question: Question) -> list[Question]:
    replicas, min_isr, acks, unclean, elr, flush, budget = question
    return [
        (replicas, min(min_isr + 1, replicas), acks, unclean, elr, flush, budget),
        (replicas, min_isr, "all", unclean, elr, flush, budget),
        (replicas, min_isr, acks, False, elr, flush, budget),
        (replicas, min_isr, acks, unclean, True, flush, budget),
        (replicas, min_isr, acks, unclean, elr, True, budget),
        *(
            (replicas, min_isr, acks, unclean, elr, flush, (*budget[:kind], count - 1, *budget[kind + 1 :]))
            for kind, count in enumerate(budget)
            if count
        ),
    ]


@settings(max_examples=30 * MORE, deadline=None, derandomize=True, database=None)
@given(questions)
def test_a_safer_setting_or_one_event_less_adds_no_loss(question: Question) -> None:
    if holds(*question):
        assert [other for other in safer(question) if holds(*other) is False] == []
