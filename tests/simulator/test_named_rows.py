"""The named rows: what each version and configuration survives, and the shortest way to lose where it does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.support.simulation import found, outcome, same

OK = None
PRODUCE, CONSUME, READABLE = "available-to-produce", "available-to-consume", "new-records-readable"
LOSS, STABLE, DUPLICATE, ONE_LEADER = "no-acked-loss", "committed-read-stable", "no-duplicate", "one-leader-per-epoch"

ROWS = [
    # row, acks, RF, min.isr, more, events, property, steps
    ("A1", "0", 1, 1, {}, "", LOSS, 1),
    ("A1", "0", 3, 2, {}, "", LOSS, 1),
    ("A2", "1", 1, 1, {}, "K1", LOSS, OK),
    ("A2", "1", 1, 1, {}, "K1", CONSUME, 1),
    ("A3", "1", 2, 1, {}, "K1", LOSS, 4),
    ("A3", "1", 3, 1, {}, "K1", LOSS, 4),
    ("A4", "1", 3, 2, {}, "K1", LOSS, 4),
    ("A4", "1", 3, 2, {"elr": True}, "K1", LOSS, 4),
    ("A6", "1", 2, 1, {}, "C1", LOSS, 4),
    ("A6", "1", 2, 2, {}, "C1", LOSS, 4),
    ("A6", "1", 3, 1, {}, "C1", LOSS, 4),
    ("A6", "1", 3, 2, {"elr": True}, "C1", LOSS, 4),
    ("A8", "1", 3, 1, {}, "K1", STABLE, OK),
    ("A8", "1", 3, 2, {}, "K1", STABLE, OK),
    ("A8", "1", 3, 1, {}, "C1", STABLE, OK),
    ("A8", "1", 3, 2, {}, "C1", STABLE, OK),
    ("A9", "1", 3, 2, {"version": (3, 6)}, "K2", READABLE, OK),
    ("A9", "1", 3, 2, {"version": (3, 6)}, "K2", PRODUCE, OK),
    ("A10", "1", 3, 2, {}, "K2", READABLE, 2),
    ("A10", "1", 3, 2, {}, "K2", PRODUCE, OK),
    ("A10", "1", 3, 2, {}, "K1", READABLE, OK),
    ("B1", "all", 1, 1, {}, "K1", LOSS, OK),
    ("B1", "all", 1, 1, {}, "K1", PRODUCE, 1),
    ("B2", "all", 1, 1, {}, "P1", LOSS, 7),
    ("B3", "all", 1, 1, {"flush": True}, "P1", LOSS, OK),
    ("B4", "all", 1, 1, {"flush": True}, "D1", LOSS, 7),
    ("B5", "all", 1, 2, {"version": (3, 6)}, "", PRODUCE, 0),
    ("B6", "all", 1, 2, {"version": (3, 7)}, "", PRODUCE, OK),
    ("C1", "all", 2, 1, {}, "K2", LOSS, OK),
    ("C1", "all", 2, 1, {}, "K2", CONSUME, 2),
    ("C2", "all", 2, 1, {"unclean": True}, "K2", LOSS, 10),
    ("C2", "all", 2, 1, {"unclean": True, "version": (3, 8)}, "K2", LOSS, OK),
    ("C2", "all", 2, 1, {"unclean": True, "version": (3, 8), "metadata": "zookeeper"}, "K2", LOSS, 10),
    ("C2", "all", 2, 1, {"unclean": True}, "S2", LOSS, 8),
    ("C4", "all", 2, 1, {}, "P2", LOSS, 9),
    ("C5", "all", 2, 2, {}, "K1", LOSS, OK),
    ("C5", "all", 2, 2, {}, "K1", PRODUCE, 1),
    ("C5", "all", 2, 2, {}, "K1", CONSUME, OK),
    ("C7", "all", 2, 2, {"elr": True}, "C1P1", LOSS, OK),
    ("C7", "all", 2, 2, {}, "C1P1", LOSS, 10),
    ("D1", "all", 3, 1, {}, "K2", LOSS, OK),
    ("D1", "all", 3, 1, {}, "P2", LOSS, OK),
    ("D1", "all", 3, 1, {}, "D2", LOSS, OK),
    ("D1", "all", 3, 1, {}, "K1P1", LOSS, OK),
    ("D1", "all", 3, 1, {}, "P1D1", LOSS, OK),
    ("D1", "all", 3, 1, {}, "C1K1", LOSS, OK),
    ("D1", "all", 3, 1, {}, "C1P1", LOSS, OK),
    ("D1", "all", 3, 1, {}, "C1D1", LOSS, OK),
    ("D1", "all", 3, 2, {}, "P2", LOSS, OK),
    ("D1", "all", 3, 2, {}, "C1P1", LOSS, OK),
    ("D1", "all", 3, 3, {}, "P2", LOSS, OK),
    ("D2", "all", 3, 1, {}, "L2K1", LOSS, OK),
    ("D2", "all", 3, 1, {}, "L2K1", CONSUME, 4),
    ("D3", "all", 3, 1, {}, "L2P1", LOSS, 9),
    ("D5", "all", 3, 1, {"unclean": True}, "L2K1", LOSS, 7),
    ("D6", "all", 3, 2, {"unclean": True}, "K3", LOSS, 13),
    ("D8", "all", 3, 2, {}, "K3", CONSUME, 3),
    ("D10", "all", 3, 2, {}, "C2P1", LOSS, 12),
    ("D15", "all", 3, 1, {"elr": True}, "L2P1", LOSS, 9),
    ("D19", "all", 3, 1, {}, "C1", LOSS, OK),
    ("D19", "all", 3, 2, {}, "C1", LOSS, OK),
    ("D19", "all", 3, 3, {}, "C1", LOSS, OK),
    ("D20", "all", 3, 1, {}, "A1", LOSS, 11),
    ("D20", "all", 3, 2, {}, "A1", LOSS, 11),
    ("D20", "all", 3, 3, {}, "A1", LOSS, 11),
    ("D21", "all", 3, 1, {"flush": True}, "A1", LOSS, OK),
    ("isolated leader keeps its HW", "all", 2, 1, {}, "C1L1K1", LOSS, OK),
    ("F1", "all", 3, 2, {}, "K1", PRODUCE, OK),
    ("F1", "all", 3, 2, {}, "S1", PRODUCE, OK),
    ("F1", "all", 3, 2, {}, "C1", PRODUCE, OK),
    ("F2", "all", 3, 2, {}, "K2", PRODUCE, 2),
    ("F4", "all", 3, 1, {}, "K2", PRODUCE, OK),
    ("F6", "all", 3, 1, {}, "L2K1", CONSUME, 4),
    ("F6", "1", 3, 2, {}, "L2K1", CONSUME, 4),
    ("F9", "all", 3, 1, {}, "X1", PRODUCE, OK),
    ("F9", "all", 3, 1, {}, "X1K1", PRODUCE, 2),
    ("G1", "all", 2, 1, {"version": (0, 10), "metadata": "zookeeper", "bounce": True}, "K2", LOSS, 10),
    ("G1", "all", 2, 2, {"version": (0, 10), "metadata": "zookeeper", "bounce": True}, "K2", LOSS, 10),
    ("G2", "all", 2, 1, {"version": (0, 11), "metadata": "zookeeper", "bounce": True}, "K2", LOSS, OK),
    ("G5", "all", 3, 1, {"version": (3, 4), "metadata": "zookeeper", "bounce": True}, "P1X1", LOSS, 7),
    ("G5", "all", 3, 2, {"version": (3, 4), "metadata": "zookeeper", "bounce": True}, "P1X1", LOSS, 7),
    ("G5", "all", 3, 3, {"version": (3, 4), "metadata": "zookeeper", "bounce": True}, "P1X1", LOSS, 7),
    ("H1", "all", 3, 1, {"idempotent": False, "retries": True}, "K1", DUPLICATE, 6),
    ("H2", "all", 3, 1, {"idempotent": True, "retries": True}, "K1", DUPLICATE, OK),
    ("read", "all", 3, 1, {"unclean": True}, "L2K1", STABLE, 8),
    ("one leader", "all", 3, 1, {}, "C1K1", ONE_LEADER, OK),
]  # fmt: skip


@pytest.mark.parametrize(("row", "acks", "rf", "min_isr", "more", "events", "property", "steps"), ROWS)
def test_named_rows(
    row: str, acks: str, rf: int, min_isr: int, more: dict[str, object], events: str, property: str, steps: int | None
) -> None:
    setup = {"acks": acks, "replicas": rf, "min_isr": min_isr, **more}
    assert same(outcome(found(events, property, **setup)), steps)


COLUMNS: Sequence[dict[str, Any]] = (
    {"min_isr": 1},
    {"min_isr": 2},
    {"min_isr": 1, "unclean": True},
    {"min_isr": 2, "unclean": True},
    {"min_isr": 1, "elr": True},
    {"min_isr": 2, "elr": True},
)
MATRIX = [
    # events, then min1, min2, min1 unclean, min2 unclean, min1 ELR, min2 ELR
    ("K1", OK, OK, OK, OK, OK, OK),
    ("P1", OK, OK, OK, OK, OK, OK),
    ("D1", OK, OK, OK, OK, OK, OK),
    ("C1", OK, OK, OK, OK, OK, OK),
    ("K2", OK, OK, 10, OK, OK, OK),
    ("P2", 9, 10, 10, 10, 9, 12),
    ("D2", 9, 10, 10, 10, 9, 12),
    ("C1K1", OK, OK, 8, OK, OK, OK),
    ("C1P1", 9, 10, 8, 10, 9, OK),
    ("C1D1", 9, 10, 8, 10, 9, OK),
    ("L1K1", OK, OK, 6, OK, OK, OK),
    ("L1P1", 8, OK, 6, OK, 8, OK),
    ("S1K1", OK, OK, 9, OK, OK, OK),
    ("S1P1", 9, 9, 9, 9, 9, OK),
    ("A1", 9, 9, 9, 9, 9, 11),
]


@pytest.mark.parametrize("row", MATRIX, ids=lambda row: row[0])
def test_two_replicas(row: tuple[str, *tuple[int | None, ...]]) -> None:
    steps = [outcome(found(row[0], replicas=2, **column)) for column in COLUMNS]
    assert all(map(same, steps, row[1:])), steps
