"""The fleet's tables: what their columns are, and that a snapshot comes back from its rows as it was."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import __version__, catalog
from advisor.config import ANSWERS, Config
from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.model import Client, Entity, Setting, Snapshot, Target
from advisor.reports.machine import json_document
from advisor.rule.subject import AT_LEAST
from advisor.samples.cluster_text import parse_cluster
from advisor.samples.rule_examples import sides_of
from collectors.files.reader import entity_of
from collectors.snapshot.file import document
from collectors.snapshot.file import restore as from_document
from rules import all_rules
from spark_audit.schema import snapshots as tables
from spark_audit.storage import decode as restored
from spark_audit.storage import encode as rows
from tests.support.cluster_drawing import DRAWING
from tests.support.commands import ROOT
from tests.support.row_snapshots import snapshot_of, tables_of
from tests.support.simulation import MORE
from tests.support.strategies import snapshots

GOLDEN = Path(__file__).parent / "golden" / "fleet-tables.txt"
RULES = all_rules()
ENSEMBLE = (
    "kafka 3.9 zookeeper\nbrokers 1 2\nensemble voters=3 up=2 deletions=gone,lost open=/brokers unread=controller"
)
CLIENTS = """
[producer orders,pay-*]
acks=1
acks=all
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="a" password="b";
ssl.keystore.password=${vault:kv:pw}
[consumer]
group.id = pay
bootstrap.servers=
"""
KEYS = sorted({key for component in ("producer", "consumer", "librdkafka") for key in catalog.definitions(component, catalog.NEWEST)})  # fmt: skip


def lines() -> Iterator[str]:
    yield f"format {tables.TABLES_FORMAT}"
    for name, schema in tables.TABLES.items():
        assert schema.metadata == {b"format": tables.TABLES_FORMAT.encode(), b"table": name.encode()}
        yield from ("", f"table {name}")
        for field in schema:
            yield from described(field, 1)


def described(field: Any, depth: int) -> Iterator[str]:
    inner = field.type.value_type if pa.types.is_list(field.type) else field.type
    nested = pa.types.is_struct(inner)
    name = ("list of " if inner is not field.type else "") + "struct" if nested else str(field.type)
    yield f"{'  ' * depth}{field.name}: {name}{'' if field.nullable else ' not null'} -- {field.metadata[b'about'].decode()}"
    for part in inner if nested else ():
        yield from described(part, depth + 1)


def test_the_tables_columns_are_those_of_version_1() -> None:
    """Columns may be added: then write the file anew and read the difference. A renamed one needs another version."""
    assert "\n".join(lines()) + "\n" == GOLDEN.read_text(encoding="utf-8")


def plain(made: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The rows as plain data, by way of Arrow's own check."""
    for table in made.values():
        table.validate(full=True)
    return {name: table.to_pylist() for name, table in made.items()}


def again(found: dict[str, list[dict[str, Any]]]) -> Snapshot:
    return snapshot_of(found["clusters"][0], found["brokers"], found["topics"], found["clients"])


def whole(snapshot: Snapshot) -> dict[str, Any]:
    """The document with every topic's own settings in it: who shares them with whom is not told."""
    found = document(snapshot)
    shared = found.pop("settings")
    for topic in found["topics"]:
        topic["settings"] = shared[topic["settings"]] if "settings" in topic else None
    return found


@pytest.mark.parametrize(
    "drawing", [DRAWING + CLIENTS, ENSEMBLE, "brokers 1", "brokers 1\ntopic a missing=no\ntopic b"]
)
def test_a_snapshot_comes_back_from_its_rows(drawing: str) -> None:
    snapshot = parse_cluster(drawing)
    back = again(plain(rows.encode_snapshot("one", snapshot)))
    assert whole(back) == whole(snapshot)
    assert back.joined == snapshot.joined
    assert json_document.document(judge([back], RULES, Policy(RULES))) == json_document.document(judge([snapshot], RULES, Policy(RULES)))  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(snapshots())
def test_any_snapshot_comes_back_from_its_rows(snapshot: Snapshot) -> None:
    assert whole(again(plain(rows.encode_snapshot("one", snapshot)))) == whole(snapshot)


def test_the_defaults_that_brokers_described_come_back() -> None:
    snapshot = parse_cluster("brokers 1 2\ntopic a\ntopic b retention.ms=1\ntopic c")
    shared = {"retention.ms": "1", "broker.rack": None}
    for entity in snapshot.entities:
        entity.described = {"log.dirs": "/x"} if entity.kind == "broker" else shared
    found = plain(rows.encode_snapshot("one", snapshot))
    assert [row["defaults"] for row in (*found["brokers"], *found["topics"])] == [0, 1, 2, 2, 2]
    assert document(again(found)) == document(snapshot)
    other = tables_of({**found["clusters"][0], "cluster": "two"})
    assert other.described is tables_of(found["clusters"][0]).described


STATUSES = [
    ("brokers 1", "ok", None),
    ("brokers 1\nunread acls: denied", "partial", "acls: denied"),
    ("kafka 3.9 zookeeper\nbrokers 1\nunread quorum: quorum: the brokers' release cannot say", "ok", None),
    ("brokers 1 !2", "partial", "broker 2: the broker is down"),
    ("brokers 1\ntopic a missing=denied\ntopic b missing=denied", "partial", "2 topics: denied"),
]


@pytest.mark.parametrize(("drawing", "status", "reason"), STATUSES)
def test_a_row_says_what_could_not_be_read(drawing: str, status: str, reason: str | None) -> None:
    (row,) = rows.encode_snapshot("one", parse_cluster(drawing), {"team": "core"})["clusters"].to_pylist()
    assert (row["status"], row["reason"], row["labels"]) == (status, reason, [("team", "core")])


def test_a_cluster_that_nobody_could_read() -> None:
    table = rows.unreachable_row("one", "no answer", "2026-01-01T00:00:00+00:00", {"team": "core"})
    assert table.schema == tables.CLUSTERS
    (row,) = table.to_pylist()
    told = {"cluster": "one", "status": "unreachable", "reason": "no answer", "collected": "2026-01-01T00:00:00+00:00"}
    assert row.pop("digest").startswith(f"{__version__}:")
    assert {name: value for name, value in row.items() if value is not None} == {**told, "labels": [("team", "core")]}
    with pytest.raises(ValueError, match="kafka_version: not text"):
        snapshot_of(row, [], [], [])


# ---------------------------------------------------------------------------------------------------------- clients


def client_files() -> list[tuple[str, str]]:
    """Every client's file in the examples and in the documentation of the rules."""
    files = sorted((ROOT / "examples").rglob("*.properties"))
    found = [(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) for path in files]
    for rule in RULES:
        for section in ("Bad", "Good"):
            for number, (_, text) in enumerate(rule.documentation().examples(section)):
                found.append((f"{rule.id}-{section}-{number}", text))
    return found


def the_clients() -> list[Client]:
    """The clients of clusters, and every file as a producer's, a consumer's or a Connect worker's in turn."""
    entities: list[Entity] = []
    kinds = itertools.cycle(("producer", "consumer", "connect"))
    for name, text in client_files():
        if text.lstrip().startswith(("kafka ", "brokers ")):
            entities += parse_cluster(sides_of(text)[1]).entities
        elif "[" not in text:
            kind = next(kinds)
            entities.append(entity_of(text, name, kind, None, kind))
    return [entity for entity in entities if isinstance(entity, Client)]


def answers(client: Client, keys: list[str]) -> dict[tuple[str, str], Any]:
    config = Config(client)
    return {(what, key): answered(config, what, key) for what in ANSWERS for key in of_what(what, keys)}


def of_what(what: str, keys: Iterable[str]) -> Iterable[str]:
    """What a question is asked of: releases or keys."""
    return ("2.8", "3.9", "4.1") if what == AT_LEAST else keys


def answered(config: Config, what: str, key: str) -> Any:
    try:
        answer = config.answer((what, key))
    except KeyError:
        return KeyError
    return (type(answer), getattr(answer, "reason", answer))


def back(client: Client) -> Client:
    snapshot = parse_cluster("brokers 1")
    snapshot.entities = (*snapshot.entities, client)
    restored_client = again(plain(rows.encode_snapshot("one", snapshot))).entities[-1]
    assert isinstance(restored_client, Client)
    return restored_client


def same(client: Client, keys: list[str]) -> None:
    other = back(client)
    for setting in client.settings.values():  # tables hold what may be shown
        if setting.jaas is not None:
            setting.jaas.login = None
        for each in (setting, *setting.shadowed):
            each.value = each.shown
    assert answers(other, keys) == answers(client, keys)
    assert evidence(other) == evidence(client)


def evidence(client: Client) -> list[tuple[object, ...]]:
    rows = [Config(client).row(key) for key in client.settings]
    return [tuple(getattr(row, name) for name in type(row).__slots__) for row in rows]


def test_every_clients_file_at_hand_answers_alike() -> None:
    clients = the_clients()
    assert len(clients) > 200
    for client in clients[:: 4 if MORE == 1 else 1]:
        same(client, [*client.settings, "acks", "enable.idempotence", "sasl.jaas.config"])
    same(clients[0], KEYS)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(["", "1", "abc", "${env:X}", "a,b", "{{ x }}"]))),
    st.sampled_from(["producer", "consumer", "client", "streams"]),
    st.booleans(),
)
def test_any_clients_file_answers_alike(said: list[tuple[str, str]], kind: str, given: bool) -> None:
    text = "\n".join(f"{key}={value}" for key, value in said) or "acks=1"
    client = entity_of(text, "größe.properties", kind, Target((3, 9), "so", given), kind)
    assert isinstance(client, Client)
    same(client, [*client.settings, "acks"])


# ---------------------------------------------------------------------------------------------------- damaged tables


def damages() -> list[tuple[str, str, Any, str | None]]:
    """(table, column, value in place, what is refused; None: it is read all the same)."""
    nodes = [{"id": 1, "host": None, "port": None, "rack": None, "state": "alive"}]
    partition = {"id": 0, "leader": 1, "replicas": [1], "isr": [1], "elr": None, "last_elr": None, "offline": None}
    return [
        ("clusters", "nodes", nodes, None),
        ("clusters", "nodes", None, None),
        ("clusters", "nodes", [None], "nodes"),
        ("clusters", "quorum", {"leader": None, "epoch": 1, "members": []}, "quorum.leader"),
        ("clusters", "features", [("metadata.version", None)], "features.metadata.version"),
        ("clusters", "features", 7, "features"),
        ("clusters", "unread", None, None),
        ("clusters", "labels", None, None),
        ("clusters", "kafka_version", "abc", "abc"),
        ("clusters", "kafka_version", None, "kafka_version"),
        ("clusters", "address", None, "address"),
        ("clusters", "defaults", "[{", "defaults: not JSON"),
        ("clusters", "defaults", "[7]", "defaults"),
        ("clusters", "defaults", "[" * 100_000, "defaults"),
        ("clusters", "defaults", None, None),
        ("clusters", "rest", "[]", "rest"),
        ("clusters", "rest", '{"groups": 7}', "groups"),
        ("clusters", "rest", None, None),
        ("brokers", "id", None, "brokers.id"),
        ("brokers", "kind", "größe", "brokers.kind"),
        ("brokers", "settings", None, None),
        ("brokers", "settings", [None], None),
        ("brokers", "levels", "x", "levels"),
        ("brokers", "levels", '{"a": [["b"]]}', "levels"),
        ("brokers", "defaults", 99, None),
        ("topics", "name", None, "topics.name"),
        ("topics", "internal", None, None),
        ("topics", "settings", None, None),
        ("topics", "settings", [{"key": None, "value": "1", "source": "x"}], None),
        ("topics", "settings", [{"key": "a", "value": "1", "source": None}], None),
        ("topics", "partitions", [], None),
        ("topics", "partitions", [None], None),
        ("topics", "partitions", [{**partition, "isr": None}], None),
        ("topics", "partitions", [{**partition, "replicas": [None]}], None),
        ("topics", "partitions", [partition, partition], None),
        ("topics", "defaults", -1, None),
        ("clients", "kind", "nobody", "clients.kind"),
        ("clients", "kafka_version", "x", "x"),
        ("clients", "settings", None, "settings"),
        ("clients", "topics", None, None),
        ("clients", "file", None, None),
    ]


@pytest.mark.parametrize(("table", "column", "value", "refused"), damages())
def test_damaged_rows_are_refused_in_one_line_or_unknown(
    table: str, column: str, value: Any, refused: str | None
) -> None:
    found = deepcopy(plain(rows.encode_snapshot("one", parse_cluster(DRAWING + CLIENTS))))
    found[table][0][column] = value
    if refused is None:
        report = judge([again(found)], RULES, Policy(RULES))
        assert not report.crashed
    else:
        with pytest.raises(ValueError, match=refused) as error:
            again(found)
        assert "\n" not in str(error.value)


def test_what_is_null_is_not_taken_for_a_default() -> None:
    found = plain(
        rows.encode_snapshot("one", parse_cluster("brokers 1\ntopic a retention.ms=1\n0: leader 1 replicas 1 isr 1"))
    )
    found["topics"][0] |= {"settings": None, "partitions": None}
    topic = again(found).entities[1]
    assert topic.missing == restored.SETTINGS_MISSING
    assert topic.partitions is None  # type: ignore[attr-defined]


def test_rows_that_are_there_twice_count_once() -> None:
    found = plain(rows.encode_snapshot("one", parse_cluster(DRAWING + CLIENTS)))
    twice = {name: [row for row in many for _ in "12"] for name, many in found.items()}
    assert document(again(twice)) == document(again(found))
    assert len(again(twice).entities) == len(again(found).entities)


def test_lone_surrogates_and_numbers_beyond_measure() -> None:
    snapshot = parse_cluster("brokers 1\ntopic a retention.ms=1")
    found = json.loads(json.dumps(document(snapshot)))
    found["topics"][0]["name"] = "a\ud800"
    found["settings"][0]["compression.type"] = {"source": "DYNAMIC_TOPIC", "value": "a\ud800"}
    found["nodes"][0]["rack"] = "\udfff"
    made = plain(rows.encode_snapshot("one", from_document(found)))
    assert made["topics"][0]["name"] == made["topics"][0]["settings"][0]["value"] == "a?"
    assert made["topics"][0]["settings"][0]["key"] == "compression.type"
    for number in (2**40, 2**70):
        found["nodes"][0]["id"] = number
        with pytest.raises(ValueError, match=r"."):
            rows.encode_snapshot("one", from_document(found))


def test_hidden_values_stay_hidden() -> None:
    snapshot = parse_cluster("brokers 1\nbroker 1 ssl.keystore.password=hidden")
    (row,) = rows.encode_snapshot("one", snapshot)["brokers"].to_pylist()
    assert {"key": "ssl.keystore.password", "value": None, "source": "STATIC_BROKER"} in row["settings"]
    found: dict[str, Setting] = again(plain(rows.encode_snapshot("one", snapshot))).entities[0].settings
    assert found["ssl.keystore.password"].secret


def test_the_page_of_the_tables_is_what_the_code_says() -> None:
    from spark_audit.schema.docs_page import page

    assert (ROOT / "docs/fleet-tables.md").read_text() == page(), "run `make docs`"
