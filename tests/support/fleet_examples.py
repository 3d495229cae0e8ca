"""Labels, rules, waivers and damage for audits of small fleets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from spark_audit.schema.snapshots import RELAXED, TABLES
from spark_audit.storage.load import load

LABELS = {"ill": {"team": "core", "environment": "dev"}, "good": {"team": "core", "environment": "production"}}


OWN_RULES = '''
from advisor.rule import Subject, Problem, Problems, rule

@rule("OWN1", "high", counts=True)
def team_topic(topic: Subject, cluster: Subject) -> Problems:
    """A topic in a cluster of many partitions.

    Why: because.
    Fix: do.
    """
    if cluster.live("partitions") > 10:
        yield Problem(topic.at("retention.ms"), f"one of {cluster.live('partitions')} partitions")

@rule("OWN2", "low")
def breaks(broker: Subject) -> Problems:
    """It breaks where min.insync.replicas is 1.

    Why: because.
    Fix: do.
    """
    if broker.int("min.insync.replicas") == 1:
        raise ZeroDivisionError("one\\nhalf")
    yield Problem("min.insync.replicas", "fine")
'''


WHERE = '''
import advisor
from advisor.rule import Subject, Problem, Problems, rule

@rule("OWN9", "info")
def where(topic: Subject) -> Problems:
    """It says where the package came from.

    Why: to know.
    Fix: nothing.
    """
    yield Problem("retention.ms", advisor.__file__)
'''


WAIVERS = """
- {rule: KA151, cluster: "i*", reason: rebuilt every night, until: 2999-01-01}
- {rule: availability, label: {environment: dev}, subject: "scr*", reason: nobody reads it}
- {rule: KA152, reason: it was said, until: 2001-01-01}
- {rule: KA302, cluster: nowhere, reason: for nothing}
"""


def damaged(fleet: Path) -> dict[str, pa.Table]:
    """The same tables with everything that a stranger's may hold: nulls, doubles, ids nobody has, strange names."""
    tables = {name: load([str(fleet)]).table(name) for name in TABLES}
    topics = tables["topics"].to_pylist()
    ill = next(row for row in topics if row["cluster"] == "ill")
    part = ill["partitions"][0]
    odd: list[dict[str, Any]] = [
        {"name": "größe-😀", "partitions": []},
        {"name": "<b>&\n", "partitions": [{**part, "replicas": [1, 99], "isr": [99], "leader": 99}]},
        {"name": "nulls", "partitions": [{**part, "leader": None}]},
        {"name": "holes", "partitions": [{**part, "replicas": [1, None]}]},
        {"name": "nothing", "partitions": None, "settings": None},
        {"name": "abc", "settings": [{"key": "min.insync.replicas", "value": "abc", "source": "DYNAMIC_TOPIC"}]},
        {"name": "keyless", "settings": [{"key": None, "value": "1", "source": "DYNAMIC_TOPIC"}]},
        {"name": "twice", "partitions": [part, part, {**part, "leader": -1}]},
        {"name": "wide", "partitions": [{**part, "replicas": list(range(1, 13)), "isr": [1, 2]}]},
        {"name": "far", "defaults": 77},
        {"name": None},
        {"name": "lost", "cluster": "unheard-of"},
        {"name": None, "cluster": None},
    ]
    topics += [{**ill, **row} for row in odd] + [ill, ill]
    tables["topics"] = pa.Table.from_pylist(topics, RELAXED["topics"])
    brokers = tables["brokers"].to_pylist()
    brokers += [brokers[-1], {**brokers[-1], "id": 88, "settings": None}]
    tables["brokers"] = pa.Table.from_pylist(brokers, RELAXED["brokers"])
    return tables
