"""What follows from all partitions of a cluster, counted over columns, batch by batch.

A batch may hold a part of a cluster only; parts are added up. They travel as plain data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from advisor.facts.cluster import Counted
from advisor.model.cluster import NOBODY
from spark_audit.engine.count_parts import BY_BROKER
from spark_audit.engine.partition_columns import EMPTY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spark_audit.arrays import Codes, Column, Ids, Mask
    from spark_audit.engine.count_parts import Part
    from spark_audit.engine.partition_columns import Partitions, Placements
    from spark_audit.engine.topic_columns import TopicColumns


def parts_of(partitions: Partitions, min_isr: Column, kind_of: Codes, wanted: Mapping[int, set[str]]) -> list[Part]:
    """What one batch adds to each of its clusters; `wanted` are names of topics that its groups speak of."""
    topics, placements = partitions.topics, partitions.placements
    clusters = placements.clusters
    size = len(clusters.names)
    found: list[Part] = [{"cluster": name, "topics": 0} for name in clusters.names]
    for place, number in enumerate(np.bincount(topics.cluster, minlength=size).tolist()):
        found[place]["topics"] = number
    for name, tally in _by_broker(placements, needed_of(min_isr, kind_of, placements)).items():
        for place in range(size):
            row = tally[place]
            there = np.flatnonzero(row[:-1])
            ids, numbers = placements.brokers.ids[there].tolist(), row[there].tolist()
            found[place][name] = dict(zip(ids, numbers, strict=True))
    misled = _counted(placements.cluster, placements.many * _misled(placements), size).tolist()
    counts = _counted(placements.cluster, placements.many, size).tolist()
    for place in range(size):
        found[place] |= {"partitions": counts[place], "misled": misled[place]}
    _names(topics, found, wanted)
    _unknowns(topics, min_isr, kind_of, found)
    _offsets(partitions, found)
    _by_hand(placements, needed_of(min_isr, kind_of, placements), found)
    return found


def _counted(places: Codes, many: Codes, size: int) -> Codes:
    return np.bincount(places, weights=many, minlength=size).astype(np.int64)


def _misled(placed: Placements) -> Mask:
    """Partitions that another than the preferred leader leads, though that one is alive and in sync."""
    led = (placed.leader != NOBODY) & (placed.leader != placed.preferred)
    found: Mask = led & placed.preferred_alive & placed.preferred_in_sync & ~placed.wide
    return found


def _by_broker(placed: Placements, needed: tuple[Codes, Mask]) -> dict[str, Codes]:
    """Per cluster and broker: partitions led, replicas, and partitions that stop without the broker."""
    brokers, size, width = placed.brokers, len(placed.clusters.names), placed.brokers.size
    narrow = ~placed.wide

    def tally(places: Codes, rows: Codes) -> Codes:
        cells = _counted(placed.cluster[rows] * width + places, placed.many[rows], size * width)
        return cells.reshape(size, width)

    def listed(places: Codes, ids: Ids, chosen: Mask) -> Codes:
        rows, columns = np.nonzero((ids != EMPTY) & chosen[:, None])
        return tally(places[rows, columns], rows)

    led = np.flatnonzero(narrow)
    replicas, isr = placed.sizes["replicas"], placed.sizes["isr"]
    found = {
        "leaders": tally(brokers.places(placed.leader[led]), led) * brokers.alive,
        "replicas": listed(placed.known, placed.matrix["replicas"], narrow) * brokers.alive,
    }
    least = np.minimum(needed[0], replicas)
    edge = needed[1] & (placed.leader != NOBODY) & (isr == least) & narrow
    in_sync = brokers.places(placed.matrix["isr"])
    for name, chosen in (("deprived", edge & (replicas > least)), ("stops", edge & (replicas <= least))):
        found[name] = listed(in_sync, placed.matrix["isr"], chosen)
    return found


def needed_of(min_isr: Column, kind_of: Codes, placed: Placements) -> tuple[Codes, Mask]:
    """Each placement's min.insync.replicas, and where it is known."""
    codes, answers = min_isr
    numbers = np.array([answer if isinstance(answer, int) else 0 for answer in answers] or [0], dtype=np.int64)
    known = np.array([isinstance(answer, int) for answer in answers] or [False], dtype=bool)
    code = codes[kind_of][placed.owner]
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
    from spark_audit.engine.topic_columns import USE_NAMES

    for row in np.flatnonzero((topics.uses == USE_NAMES.index("offsets")) & (topics.counts >= 0)).tolist():
        there = slice(*partitions.places_of(row))
        leaders = partitions.leader[there].tolist()
        pairs = zip(partitions.ids[there].tolist(), leaders, strict=True)
        found[int(topics.cluster[row])]["offsets"] = [list(pair) for pair in pairs]


def _by_hand(placed: Placements, needed: tuple[Codes, Mask], found: list[Part]) -> None:
    """Partitions of many replicas, one by one."""
    for row in np.flatnonzero(placed.wide).tolist():
        place = int(placed.cluster[row])
        counted = Counted(placed.clusters.live(place))
        counted.count(placed.partition(row), int(needed[0][row]) if needed[1][row] else None)
        part = found[place]
        for name in BY_BROKER:
            for id, number in getattr(counted, name).items():
                if number:
                    part[name][id] = part[name].get(id, 0) + number
        part["misled"] += counted.misled
