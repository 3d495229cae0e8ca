"""What follows from all partitions of a cluster, counted over columns, batch by batch.

A batch may hold a part of a cluster only; parts are added up. They travel as plain data.
"""

from __future__ import annotations

import numpy as np

from advisor.live import NOBODY, Partition
from advisor.live_facts import MIN_ISR, OFFSETS, Counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from advisor.live import Live
    from spark_audit.codes import Codes, Column, Mask
    from spark_audit.partitions import Partitions
    from spark_audit.subjects import TopicColumns

    Part = dict[str, Any]

BY_BROKER = ("leaders", "replicas", "stops", "deprived")


def parts_of(partitions: Partitions, min_isr: Column, kind_of: Codes, wanted: Mapping[int, set[str]]) -> list[Part]:
    """What one batch adds to each of its clusters; `wanted` are names of topics that its groups speak of."""
    topics, clusters = partitions.topics, partitions.clusters
    size = len(clusters.names)
    found: list[Part] = [{"cluster": name, "topics": 0} for name in clusters.names]
    for place, number in enumerate(np.bincount(topics.cluster, minlength=size).tolist()):
        found[place]["topics"] = number
    for name, tally in _by_broker(partitions, min_isr, kind_of).items():
        for place in range(size):
            row = tally[place]
            there = np.flatnonzero(row[:-1])
            ids, numbers = partitions.brokers.ids[there].tolist(), row[there].tolist()
            found[place][name] = dict(zip(ids, numbers, strict=True))
    misled = np.bincount(partitions.cluster[_misled(partitions)], minlength=size).tolist()
    counts = np.bincount(partitions.cluster, minlength=size).tolist()
    for place in range(size):
        found[place] |= {"partitions": counts[place], "misled": misled[place]}
    _names(topics, found, wanted)
    _unknowns(topics, min_isr, kind_of, found)
    _offsets(partitions, found)
    _by_hand(partitions, min_isr, kind_of, found)
    return found


def _misled(partitions: Partitions) -> Mask:
    """Partitions that another than the preferred leader leads, though that one is alive and in sync."""
    led = (partitions.leader != NOBODY) & (partitions.leader != partitions.preferred)
    found: Mask = led & partitions.preferred_alive & partitions.preferred_in_sync & ~partitions.wide
    return found


def _by_broker(partitions: Partitions, min_isr: Column, kind_of: Codes) -> dict[str, Codes]:
    """Per cluster and broker: partitions led, replicas, and partitions that stop without the broker."""
    brokers, size = partitions.brokers, len(partitions.clusters.names)
    cluster, width = partitions.cluster, partitions.brokers.size

    def tally(places: Codes, rows: Codes) -> Codes:
        cells = np.bincount(rows * width + places, minlength=size * width)
        return cells.reshape(size, width)

    present = (partitions.matrix["replicas"] != -9) & ~partitions.wide[:, None]
    rows = np.broadcast_to(cluster[:, None], present.shape)
    alive = partitions.brokers.alive
    leaders = tally(brokers.places(partitions.leader)[~partitions.wide], cluster[~partitions.wide])
    found = {"leaders": leaders * alive, "replicas": tally(partitions.known[present], rows[present]) * alive}
    needed, known = needed_of(min_isr, kind_of, partitions)
    replicas, isr = partitions.sizes["replicas"], partitions.sizes["isr"]
    least = np.minimum(needed, replicas)
    edge = known & (partitions.leader != NOBODY) & (isr == least) & ~partitions.wide
    in_sync = partitions.matrix["isr"]
    for name, chosen in (("deprived", edge & (replicas > least)), ("stops", edge & (replicas <= least))):
        some = in_sync[chosen]
        there = some != -9
        owners = np.broadcast_to(cluster[chosen][:, None], some.shape)
        found[name] = tally(brokers.places(some)[there], owners[there])
    return found


def needed_of(min_isr: Column, kind_of: Codes, partitions: Partitions) -> tuple[Codes, Codes]:
    """Each partition's min.insync.replicas, and where it is known."""
    codes, answers = min_isr
    numbers = np.array([answer if isinstance(answer, int) else 0 for answer in answers] or [0], dtype=np.int64)
    known = np.array([isinstance(answer, int) for answer in answers] or [False], dtype=bool)
    code = codes[kind_of][partitions.owner]
    return numbers[code], known[code]


def _names(topics: TopicColumns, found: list[Part], wanted: Mapping[int, set[str]]) -> None:
    for place, part in enumerate(found):
        part["internal"], part["names"] = [], []
        if wanted.get(place):
            here = np.flatnonzero(topics.cluster == place)
            names = topics.names.take(here).to_pylist()
            part["names"] = sorted(wanted[place].intersection(names))
    for row in np.flatnonzero(topics.batch.column("internal").fill_null(False).to_numpy(zero_copy_only=False)).tolist():
        found[int(topics.cluster[row])]["internal"].append(topics.names[row].as_py())


def _unknowns(topics: TopicColumns, min_isr: Column, kind_of: Codes, found: list[Part]) -> None:
    """Of each cluster the first topic by name whose partitions, or whose min.insync.replicas, could not be read."""
    codes, answers = min_isr
    unknown = np.array([not isinstance(answer, int) for answer in answers] or [True], dtype=bool)
    for name, rows in (
        ("hidden", np.flatnonzero(topics.counts < 0)),
        ("unsettled", np.flatnonzero((topics.counts >= 0) & unknown[codes][kind_of])),
    ):
        for row in rows.tolist():
            part = found[int(topics.cluster[row])]
            said = [topics.names[row].as_py(), topics.missing(row)]
            if name not in part or said[0] < part[name][0]:
                part[name] = said


def _offsets(partitions: Partitions, found: list[Part]) -> None:
    """Where consumers keep their offsets: each partition and its leader."""
    topics = partitions.topics
    from spark_audit.subjects import USE_NAMES

    for row in np.flatnonzero((topics.uses == USE_NAMES.index("offsets")) & (topics.counts >= 0)).tolist():
        there = np.flatnonzero(partitions.owner == row)
        pairs = zip(partitions.ids[there].tolist(), partitions.leader[there].tolist(), strict=True)
        found[int(topics.cluster[row])]["offsets"] = [list(pair) for pair in pairs]


def _by_hand(partitions: Partitions, min_isr: Column, kind_of: Codes, found: list[Part]) -> None:
    """Partitions of many replicas, one by one."""
    rows = np.flatnonzero(partitions.wide)
    needed, known = needed_of(min_isr, kind_of, partitions)
    for row in rows.tolist():
        place = int(partitions.cluster[row])
        counted = Counted(partitions.clusters.live(place))
        counted.count(partitions.partition(row), int(needed[row]) if known[row] else None)
        part = found[place]
        for name in BY_BROKER:
            for id, number in getattr(counted, name).items():
                if number:
                    part[name][id] = part[name].get(id, 0) + number
        part["misled"] += counted.misled


def merged(parts: Iterable[Part]) -> dict[str, Part]:
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


def counted_of(live: Live, part: Part) -> Counted:
    """As advisor.live_facts counts it from objects."""
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


__all__ = ["MIN_ISR", "OFFSETS", "counted_of", "merged", "parts_of"]
