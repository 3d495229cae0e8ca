"""Count what a function does, so that a test of its growth needs no clock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(function: Callable[[], object]) -> int:
    """The lines of Python that ran; each round of a loop counts, whatever the machine is doing."""
    lines = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return lines


LINEAR = 2.5
"""Growth from which on it is measured again: a bounded cache that forgets everything in one of the runs adds to that one."""


def growth(work: Callable[[int], Callable[[], object]], shortest: int) -> float:
    """How the work grows from doubling to doubling, what is done for any input left out: 2 is linear, 4 quadratic."""
    first = measured(work, shortest)
    return first if first < LINEAR else min(first, measured(work, shortest))


def measured(work: Callable[[int], Callable[[], object]], shortest: int) -> float:
    """The growth in one measurement."""
    work(shortest)()
    short, middle, long = (lines_run(work(shortest * factor)) for factor in (1, 2, 4))
    return (long - middle) / max(middle - short, 1)
