"""Splices of one file do not overlap, and each is compared with its neighbours alone."""

from __future__ import annotations

import random

from advisor.edits.text import Splice, TakenSpans


def overlap(one: Splice, other: Splice) -> bool:
    return one.start < other.end and other.start < one.end


def test_a_span_is_taken_where_a_splice_overlaps_it() -> None:
    numbers = random.Random(34)
    refused = 0
    for _ in range(500):
        taken, splices = TakenSpans(), list[Splice]()
        for _ in range(12):
            start = numbers.randrange(20)
            splice = Splice(start, start + numbers.choice((0, 0, 1, 2, 5)), "")
            is_refused = any(overlap(splice, other) for other in splices)
            assert taken.overlap(splice) is is_refused
            refused += is_refused
            if not is_refused or numbers.random() < 0.3:  # splices of one finding are taken together
                taken.take(splice)
                splices.append(splice)
    assert 1000 < refused < 5000
