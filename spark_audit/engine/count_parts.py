"""What one batch adds to the counts of a cluster: parts are plain data, added up, and become the facts of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.facts.cluster import Counted
from advisor.model.cluster import Partition

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from advisor.model.cluster import Live

    Part = dict[str, Any]


def counted_of(live: Live, part: Part) -> Counted:
    """As advisor.facts.cluster counts it from objects."""
    found = Counted(live)
    for name in BY_BROKER:
        getattr(found, name).update({int(id): number for id, number in part[name].items()})
    found.topics, found.partitions, found.misled = part["topics"], part["partitions"], part["misled"]
    found.names, found.internal = set(part["names"]), set(part["internal"])
    if "offsets" in part:
        found.offsets = [Partition(id, leader, (), ()) for id, leader in part["offsets"]]
    if "hidden" in part:
        found.hide(*part["hidden"])
    if "unsettled" in part:
        found.leave_open(*part["unsettled"])
    found.settle()
    return found


def add_parts(parts: Iterable[Part]) -> dict[str, Part]:
    """The parts of each cluster as one."""
    found: dict[str, Part] = {}
    for part in parts:
        own = found.setdefault(part["cluster"], part)
        if own is not part:
            _add(own, part)
    return found


def _add(own: Part, part: Part) -> None:
    for name in ("topics", "partitions", "misled"):
        own[name] += part[name]
    for name in BY_BROKER:
        for id, number in part[name].items():
            own[name][id] = own[name].get(id, 0) + number
    for name in ("internal", "names"):
        own[name] += part[name]
    for name in ("hidden", "unsettled"):
        if name in part and (name not in own or part[name][0] < own[name][0]):
            own[name] = part[name]
    if "offsets" in part:
        own["offsets"] = part["offsets"]


BY_BROKER = ("leaders", "replicas", "stops", "deprived")
