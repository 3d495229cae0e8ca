"""Whatever is null or strange in tables that somebody else wrote: a finding, an unknown, a cluster out of reach; no failure."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pytest

from spark_audit.engine.columns.cluster_tables import ClusterTables
from spark_audit.engine.columns.partial_counts import add_counts
from spark_audit.execution.auditor import Auditor
from spark_audit.results.plan import AuditPlan
from spark_audit.schema.snapshots import RELAXED, SMALL, TABLES, UNREACHABLE
from spark_audit.storage.clean_small_tables import clean_small_tables
from spark_audit.storage.decode import live_of
from spark_audit.storage.load import load
from spark_audit.storage.read_types import DICTIONARY_ENCODED
from tests.support.fleets import GOOD, ILL, collected
from tests.support.row_snapshots import tables_of
from tests.support.simulation import MORE

Tables = dict[str, list[dict[str, Any]]]
TEXTS = (
    "", "abc", "{", "[]", "null", "{}", "größe-😀", "9" * 30, "-1", "[1]", '{"a":1}', '[{"a":1}]', '{"acls":null}',
    '{"log_dirs":[{"broker":1}]}', '{"groups":[{"name":"g"}]}', "4.1", "broker",
)  # fmt: skip
DOWN = "broker 3: the broker is down"
NUMBERS = (None, 0, -1, 99, 2**31 - 1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    fleet = load([str(collected(tmp_path_factory.mktemp("fleet"), {"good": GOOD, "ill": ILL, "away": None}, {}))])
    return {name: fleet.table(name).to_pylist() for name in TABLES}


@pytest.fixture(scope="module")
def work() -> Auditor:
    return Auditor(AuditPlan("a"))


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in plain data; the pairs of maps are left whole."""
    steps: Iterable[tuple[Any, Any]] = (
        data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    )
    own = [(data, key) for key, value in steps if not isinstance(value, tuple)]
    return own + [place for holder, key in own for place in places(holder[key])]


def strange(random: random.Random, value: Any) -> object:
    """Something else of the same type, or null."""
    if random.random() < 0.4 or isinstance(value, (dict, type(None), float)):
        return None
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice(NUMBERS)
    return random.choice(TEXTS) if isinstance(value, str) else random.choice(([], [*value, *value]))


def damaged(random: random.Random, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with some values changed, and some rows twice."""
    rows = copy.deepcopy(rows)
    for _ in range(random.choice((0, 0, 1, 2, 5, 20))):
        row = random.choice(rows)
        holder, key = random.choice(places(row))
        holder[key] = strange(random, holder[key])
        if random.random() < 0.1:
            rows.append(copy.deepcopy(row))
    return rows


def reads(row: dict[str, Any]) -> bool:
    """Whether a cluster's row can be read, looked through in full."""
    try:
        tables_of(row)
        live_of(row)
    except ValueError:
        return False
    return None not in (row["cluster"], row["status"], row["collected"]) and row["status"] != UNREACHABLE


def judged(tables: dict[str, pa.Table], work: Auditor) -> ClusterTables:
    """Everything is judged, and no rule fails."""
    side = ClusterTables(clean_small_tables({name: tables[name].cast(DICTIONARY_ENCODED[name]) for name in SMALL}))
    topics = work.judge_topics(tables["topics"].to_batches(max_chunksize=2), side)
    counts = add_counts(topics.note["parts"])
    rest = work.judge_clusters(side, side.names, {name: counts[name] for name in side.names if name in counts})
    assert {row[0] for done in (topics, rest) for row in done.note["outcomes"]} <= set(side.names)
    assert "KA000" not in {row[1] for done in (topics, rest) for row in done.note["counts"]}
    return side


@pytest.mark.parametrize("seed", range(15 * MORE))
def test_damage_anywhere(seed: int, whole: Tables, work: Auditor) -> None:
    chance = random.Random(seed)
    tables = {name: pa.Table.from_pylist(damaged(chance, rows), RELAXED[name]) for name, rows in whole.items()}
    side = judged(tables, work)
    first = {row["cluster"]: row for row in reversed(tables["clusters"].to_pylist())}
    assert set(side.names) == {name for name, row in first.items() if name is not None and reads(row)}


@pytest.mark.parametrize(
    ("table", "damage", "reason", "clients"),
    [
        ("clusters", {"defaults": "{"}, "its row is damaged: defaults: not JSON, or cut off", 1),
        ("clusters", {"rest": '{"acls": 1}'}, "its row is damaged: clusters.acls: not a list", 1),
        ("clusters", {"features": [("a", None)]}, "its row is damaged: clusters.features.a: not a whole number", 1),
        ("clients", {"topics": [None]}, DOWN, 0),
        ("topics", {"settings": [{"key": None, "value": "1", "source": "DYNAMIC_TOPIC"}]}, DOWN, 1),
    ],
)
def test_damage_costs_no_more_than_it_has_to(
    table: str, damage: dict[str, Any], reason: str, clients: int, whole: Tables, work: Auditor
) -> None:
    rows = {name: [{**row, **(damage if name == table else {})} for row in whole[name]] for name in TABLES}
    side = judged({name: pa.Table.from_pylist(rows[name], RELAXED[name]) for name in TABLES}, work)
    told = {row["cluster"]: row["reason"] for row in side.tables["clusters"].to_pylist()}
    assert (told["ill"], told["away"]) == (reason, "b1:9092: no answer within 30 s")
    assert side.tables["clients"].num_rows == clients
