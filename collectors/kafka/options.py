"""What to read of a running cluster, and within which time."""

from __future__ import annotations

from collectors.kafka.deadline import quiet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.model import Target
    from collectors.kafka.deadline import Progress


class CollectOptions:
    """What to read and how: `target` is the release that the user named, `lag` reads end offsets, too.

    `groups` are names of groups that there should be: one whose coordinator is down is not listed by anybody.
    """

    __slots__ = ("groups", "lag", "progress", "target", "timeout", "zookeeper")

    def __init__(
        self,
        timeout: float,
        *,
        zookeeper: str | None = None,
        lag: bool = False,
        target: Target | None = None,
        groups: Iterable[str] = (),
        progress: Progress = quiet,
    ) -> None:
        self.groups = tuple(groups)
        self.timeout = timeout
        self.zookeeper = zookeeper
        self.lag = lag
        self.target = target
        self.progress = progress
