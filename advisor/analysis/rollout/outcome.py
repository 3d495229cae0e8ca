"""The verdicts on a rollout, in the order in which one is worse than another, and what went wrong at a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from advisor.model import Entity

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


Values = dict[str, str | None]
"""Values by key; None takes a key away."""


def differing(old: Entity, new: Entity) -> Iterator[str]:
    """The keys of which two configurations of a node have other values."""
    for key in dict.fromkeys([*new.settings, *old.settings]):
        was, is_now = old.settings.get(key), new.settings.get(key)
        if was is not is_now and (was.value if was else None) != (is_now.value if is_now else None):
            yield key


def worst(verdicts: Iterable[str]) -> str:
    """The worst of some verdicts, safe where there are none."""
    return max(verdicts, key=ORDER.index, default=SAFE)
