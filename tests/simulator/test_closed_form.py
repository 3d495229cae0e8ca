"""What is foreseen of a running partition is what the search finds, for every picture of its replicas."""

from __future__ import annotations

from itertools import combinations_with_replacement, islice
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from advisor.model.claim import CONSUME, LOOSE, LOSS, PRODUCE, READABLE, STRICT, Claim
from advisor.rule.subject import Unknown
from advisor.simulator.claims import scenario_of
from advisor.simulator.protocol.scenario import budget
from advisor.simulator.running.closed_form import CLOSED_FORMS, answer_in_closed_form
from advisor.simulator.running.from_state import search_from
from advisor.simulator.verdict import count_failures
from rules import claims
from tests.support.simulation import MORE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from advisor.model.claim import ReplicaStates

    Question = tuple[str, tuple[str, ...]]

KILL, DISK, RACK = ("kill",), ("disk-loss",), ("power-loss-all",)
KINDS = [(in_sync, eligible, alive) for in_sync, eligible in ((1, 0), (0, 1), (0, 0)) for alive in (1, 0)]
EVERY: dict[Question, int] = {
    (LOSS, DISK): 11,
    (LOSS, RACK): 71,
    (PRODUCE, KILL): 3,
    (PRODUCE, RACK): 23,
    (CONSUME, ()): 3,
    (CONSUME, RACK): 113,
    (CONSUME, KILL): 19,
    (READABLE, KILL): 5,
}
"""Of the questions that take long, every so many claims about three replicas are searched, and half of these where no more is
asked for."""
FEW_STATES = 1_000


def split(count: int) -> Iterator[tuple[int, ...]]:
    """Every way to part so many replicas into failure domains."""
    if count == 0:
        yield ()
        return
    for domains in split(count - 1):
        for domain in range(max(domains, default=-1) + 2):
            yield (*domains, domain)


def pictures(replicas: int, racks: bool) -> Iterator[ReplicaStates]:
    """Every picture of so many replicas, each once whatever their order; what Kafka never shows for long included."""
    seen = set()
    for kinds in combinations_with_replacement(KINDS, replicas):
        for domains in split(replicas) if racks else [tuple(range(replicas))]:
            for leader in range(-1, replicas):
                rows: list[Any] = [(r == leader, *map(bool, kinds[r]), domains[r]) for r in range(replicas)]
                if (alike := grouped(rows)) not in seen:
                    seen.add(alike)
                    yield tuple(rows)


def grouped(rows: list[tuple[bool, bool, bool, bool, int]]) -> tuple[object, ...]:
    domains = {row[4] for row in rows}
    return tuple(sorted(tuple(sorted(row[:4] for row in rows if row[4] == domain)) for domain in domains))


def asked(question: Question, shown: Iterable[ReplicaStates], elr: tuple[bool, ...] = (False, True)) -> Iterator[Claim]:
    """A question asked of pictures with every setting that counts."""
    property, failures = question
    for now in shown:
        replicas = len(now)
        for version, most in ((STRICT, replicas), (LOOSE, replicas + 1)):
            for settings in [(least, unclean, on) for least in range(1, most + 1) for unclean in (0, 1) for on in elr]:
                least, unclean, on = settings
                yield Claim(property, failures, rf=replicas, min_isr=least, unclean=bool(unclean), version=version,
                            now=now, elr=on)  # fmt: skip


def searched(claim: Claim, limit: int = 100_000) -> bool | None:
    """What the search says, nothing remembered: whether the property is violated."""
    assert claim.now is not None
    holds = search_from(
        scenario_of(claim), claim.now, budget(count_failures(claim.events)), claim.property, limit
    ).holds
    return None if holds is None else not holds


def disagreeing(asked: Iterable[Claim], limit: int = 100_000) -> tuple[list[str], int, set[bool]]:
    """The claims of which the search says something else, how many were compared, and what it said at all."""
    wrong, compared, said = [], 0, set()
    for claim in asked:
        told = answer_in_closed_form(claim)
        found = None if told is None else searched(claim, limit)
        if found is None:
            continue
        compared += 1
        said.add(found)
        if told != found:
            wrong.append(f"{claim.key} is {found}")
    return wrong, compared, said


@pytest.mark.parametrize("question", CLOSED_FORMS, ids=str)
@pytest.mark.parametrize("replicas", [1, 2])
def test_every_picture_of_one_and_two_replicas(question: Question, replicas: int) -> None:
    wrong, compared, said = disagreeing(asked(question, pictures(replicas, question[1] == RACK)))
    assert not wrong
    assert compared > (85, 580)[replicas - 1]
    assert said == {False, True} or (replicas == 1 and question[1] in (KILL, RACK))


@pytest.mark.parametrize("question", CLOSED_FORMS, ids=str)
def test_every_picture_of_three_replicas(question: Question) -> None:
    every = max(1, 2 * EVERY.get(question, 1) // MORE)
    wrong, compared, said = disagreeing(islice(asked(question, pictures(3, question[1] == RACK)), 0, None, every))
    assert not wrong
    assert compared > 70
    assert said == {False, True}


def drawn(random: Random, replicas: int) -> ReplicaStates:
    """A picture at random: most replicas are up, in sync, and led by one of them."""
    rows = [(random.random() < 0.65, random.random() < 0.4, random.random() < 0.75) for _ in range(replicas)]
    in_sync = [r for r, row in enumerate(rows) if row[0]]
    leader = random.choice([*in_sync, *in_sync, -1])
    domains = [random.randrange(random.choice((2, 3, replicas))) for _ in rows]
    return tuple((r == leader, a, b and not a, c, domains[r]) for r, (a, b, c) in enumerate(rows))


@pytest.mark.parametrize("question", CLOSED_FORMS, ids=str)
@pytest.mark.parametrize(("replicas", "count"), [(4, 30 * MORE), (5, 12 * MORE)])
def test_some_pictures_of_four_and_five_replicas(question: Question, replicas: int, count: int) -> None:
    random = Random(str((question, replicas)))
    some = [random.choice(list(asked(question, [drawn(random, replicas)]))) for _ in range(count)]
    wrong, compared, _ = disagreeing(some, FEW_STATES)
    assert not wrong
    assert compared > count / 20


def row(text: str) -> ReplicaStates:
    """`Li0 ex1`: the leader in the ISR, and a dead member of the ELR; each with its failure domain."""
    return tuple(("L" in word, "i" in word, "e" in word, "x" not in word, int(word[-1])) for word in text.split())


CASES: list[tuple[str, Question, dict[str, object], bool | None]] = [
    ("Li0 i1 -2", (LOSS, DISK), {"min_isr": 2}, False),
    ("Li0 -1 -2", (LOSS, DISK), {"min_isr": 1}, True),
    ("Li0 ix1 -2", (LOSS, DISK), {"min_isr": 1}, True),
    ("Li0 e1 -2", (LOSS, DISK), {"min_isr": 2, "elr": True}, False),
    ("Li0 ex1 -2", (LOSS, DISK), {"min_isr": 2, "elr": True}, True),
    ("ix0 -1", (LOSS, DISK), {}, True),
    ("ex0 -1", (LOSS, DISK), {"elr": True}, False),
    ("ex0 -1", (LOSS, DISK), {"elr": True, "unclean": True}, True),
    ("Lix0 i1 e2 -3", (LOSS, DISK), {"min_isr": 3, "elr": True, "unclean": True}, None),
    ("Li0 ix1 e2 -0", (LOSS, RACK), {"min_isr": 3, "elr": True}, None),
    ("i0 L1", (LOSS, DISK), {}, True),
    ("i0 Lx1", (LOSS, DISK), {}, None),
    ("e0 -1", (LOSS, DISK), {"elr": True}, None),
    ("Li0 i0 -1", (LOSS, RACK), {"min_isr": 2}, True),
    ("Li0 i1 -1", (LOSS, RACK), {"min_isr": 2}, False),
    ("Li0 e1 -2", (LOSS, RACK), {"min_isr": 2, "elr": True}, False),
    ("Li0 e1 -0", (LOSS, RACK), {"min_isr": 2, "elr": True}, True),
    ("Li0 e1 -0", (LOSS, RACK), {"min_isr": 3, "elr": True}, False),
    ("Li0 i1 i2", (PRODUCE, KILL), {"min_isr": 2}, False),
    ("Li0 i1 i2", (PRODUCE, KILL), {"min_isr": 3}, True),
    ("Li0 i1 ix2", (PRODUCE, ()), {"min_isr": 2}, True),
    ("Lix0 i1", (PRODUCE, ()), {}, True),
    ("L0 i1", (PRODUCE, ()), {"unclean": True}, None),
    ("i0 i1", (CONSUME, ()), {}, True),
    ("Li0 -1", (CONSUME, KILL), {}, True),
    ("Li0 -1", (CONSUME, KILL), {"unclean": True}, False),
    ("Li0 i0 -1", (CONSUME, RACK), {}, True),
    ("Li0 i1 i2", (READABLE, KILL), {"min_isr": 3}, True),
    ("Li0 i1 i2", (READABLE, KILL), {"min_isr": 3, "version": LOOSE}, False),
    ("Li0 i1", (LOSS, KILL), {}, None),
]


@pytest.mark.parametrize(("text", "question", "settings", "expected"), CASES)
def test_what_is_foreseen(text: str, question: Question, settings: dict[str, object], expected: bool | None) -> None:
    now = row(text)
    claim = Claim(*question, rf=len(now), now=now, **settings)  # type: ignore[arg-type]
    assert answer_in_closed_form(claim) is expected
    assert searched(claim) in (False, True) if expected is None else searched(claim) is expected


def test_what_is_foreseen_is_not_searched_and_the_rest_is(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[bool | None] = [True, False, None]
    monkeypatch.setattr("advisor.simulator.claims.is_violated", lambda claim: found.pop(0))
    assert not claims.comes_true(Claim(LOSS, DISK, rf=2, now=row("Li0 i1")))
    assert len(found) == 3
    left_open = Claim(LOSS, DISK, rf=2, now=row("i0 Lx1"))
    assert [claims.comes_true(left_open), claims.comes_true(left_open)] == [True, False]
    with pytest.raises(Unknown, match="no end"):
        claims.comes_true(left_open)


def test_a_claim_of_no_present_is_searched() -> None:
    assert answer_in_closed_form(Claim(CONSUME, KILL, rf=1)) is None
