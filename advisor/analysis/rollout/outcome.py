"""The verdicts on a rollout, in the order in which one is worse than another, and what went wrong at a step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

SAFE, DYNAMIC, NO_EFFECT, NEEDS_PASSES = "safe", "dynamic", "no_effect", "needs_passes"
UNAVAILABLE, REFUSES, LOSES, UNKNOWN = "unavailable_during", "refuses_to_start", "loses_data", "unknown"
ORDER = (SAFE, DYNAMIC, NO_EFFECT, NEEDS_PASSES, UNAVAILABLE, REFUSES, LOSES, UNKNOWN)
"""Every verdict; a later one is worse."""
SURVIVES = (SAFE, DYNAMIC, NO_EFFECT)
"""The verdicts on a change that can be rolled out as it is."""


class Fault(NamedTuple):
    """What goes wrong at a step: a verdict, why, and whether it is over once every node has the new file."""

    verdict: str
    why: str
    passing: bool = False


class UnknownFact(NamedTuple):
    """What could not be decided, of which node and key; `decides` says that the verdict hangs on it."""

    node: str | None
    key: str | None
    reason: str
    decides: bool = True


def worst(verdicts: Iterable[str]) -> str:
    """The worst of some verdicts, safe where there are none."""
    return max(verdicts, key=ORDER.index, default=SAFE)
