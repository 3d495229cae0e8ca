"""The odds in sentences, and with two digits."""

from __future__ import annotations

import pytest

from advisor.reports.odds_sentences import how_often, ratio, significant, without_writes
from tests.support.commands import run


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.393, "0.39"), (541, "540"), (1.18, "1.2"), (0.5, "0.5"), (8.91e-11, "8.9e-11"), (0, "0"), (1, "1"), (0.996, "1"),
     (123456, "120000"), (float("inf"), "inf"), (0.00103, "0.001")],
)  # fmt: skip
def test_two_digits(value: float, text: str) -> None:
    assert significant(value) == text


@pytest.mark.parametrize(
    ("per_year", "text"),
    [(0.5, "about once in 2 years"), (5.96, "about 6 times a year"), (1, "about once a year"), (1e-9, "less than once in a million years")],
)  # fmt: skip
def test_how_often(per_year: float, text: str) -> None:
    assert how_often(per_year) == text


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [(1e-8, 2.6e-7, "26 times as often"), (2.6e-7, 1e-8, "26 times as rare"), (0, 1, "only now"), (1, 0, "no longer")],
)
def test_ratio(old: float, new: float, text: str) -> None:
    assert ratio(old, new) == text


def test_the_assumption_that_nearly_all_losses_come_from_is_named() -> None:
    assert "nearly all of it is power=0.5/year" in run("simulate", "--rf", "3", "--min-isr", "2").out
    assert "nearly all of it" not in run("simulate", "--rf", "3", "--min-isr", "2", "--racks", "A,B,C").out
    assert "nearly all of it" not in run("simulate", "--rf", "1", "--min-isr", "1", "--acks", "1").out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--rf", "3"), "power=5000/year of the one rack that all replicas share; about once in 1.1 years with each of the 3 replicas in a rack"),
        (("--rf", "3", "--racks", "A,B,C"), "nearly all of it is power=5000/year\n"),
        (("--rf", "1"), "nearly all of it is power=5000/year\n"),
    ],
)  # fmt: skip
def test_what_other_racks_make_of_it_is_computed(arguments: tuple[str, ...], says: str) -> None:
    assert says in run("simulate", *arguments, "--min-isr", "1", "--assume", "power=5000/year").out


@pytest.mark.parametrize(
    ("minutes", "text"),
    [(1, "about 1 minute a year"), (181, "about 3 hours a year"), (525_960, "ever succeeds"), (0.3, "about 0.3 minutes a year")],
)  # fmt: skip
def test_without_writes(minutes: float, text: str) -> None:
    assert text in without_writes(minutes)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--rf", "3", "--min-isr", "2"), "About once in 2 years all 3 replicas lose power together"),
        (("--rf", "1", "--min-isr", "1"), "the last in-sync replica crashes, and records that no other replica has are lost"),
        (("--rf", "3", "--min-isr", "2", "--racks", "A,B,C"), "Less than once in a million years"),
        (("--rf", "3", "--acks", "1"), "the leader fails before its followers have the newest records"),
        (("--rf", "3", "--min-isr", "4"), "min.insync.replicas 4 is more than there are replicas: from Kafka 3.7 on it counts as 3"),
        (("--rf", "3", "--min-isr", "4", "--kafka-version", "3.6"), "before Kafka 3.7 every acks=all write fails"),
        (("--rf", "3", "--min-isr", "4", "--kafka-version", "3.6"), "No write with these acks ever succeeds."),
    ],
)  # fmt: skip
def test_a_sentence_stands_before_the_numbers(arguments: tuple[str, ...], says: str) -> None:
    out = run("simulate", *arguments).out
    assert says in out
    assert out.index(says) < out.index("Odds per year")
