"""Options of a collection: what to read of a running cluster, and the timeout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from collectors.kafka.deadline import Progress, no_progress

if TYPE_CHECKING:
    from advisor.model import Target


@dataclass(slots=True, eq=False)
class CollectOptions:
    """Options: `timeout` in seconds, `target` the release the user named, `lag` reads end offsets, too.

    `groups` are names of groups that there should be: one whose coordinator is down is not listed by anybody.
    """

    timeout: float
    _: KW_ONLY
    zookeeper: str | None = None
    lag: bool = False
    target: Target | None = None
    groups: Sequence[str] = ()
    progress: Progress = no_progress
