"""Snapshots of running clusters as files: whole again after reading, refused in one line when they are not."""

from __future__ import annotations

import dataclasses
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import collectors
from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.errors import UnreadableInput
from advisor.model import Snapshot, Topic
from advisor.model.cluster import Node, Partition, ZooKeeperFacts, ZooKeeperServer
from advisor.reports.machine import json_document
from advisor.samples.cluster_text import parse_cluster
from collectors.snapshot.decoding import decode
from collectors.snapshot.file import document, parse, write
from collectors.snapshot.records import BrokerRecord, ClusterRecord, SettingRecord, SnapshotRecord, TopicRecord
from rules import all_rules
from tests.support.cluster_drawing import DRAWING
from tests.support.commands import run

RULES = all_rules()
SCHEMA = json.loads((Path(collectors.__path__[0]) / "snapshot" / "snapshot.schema.json").read_text())


def report(snapshot: Any) -> str:
    return json_document.text(judge([snapshot], RULES, Policy(RULES)))


def plain() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(document(parse_cluster(DRAWING))))
    return found


@pytest.mark.parametrize("name", ["cluster.json", "cluster.json.gz"])
def test_a_snapshot_read_again_is_judged_alike(tmp_path: Path, name: str) -> None:
    snapshot, file = parse_cluster(DRAWING), tmp_path / name
    write(str(file), snapshot)
    again = parse(file.read_bytes(), name)
    assert document(again) == document(snapshot)
    assert report(again) == report(snapshot)
    assert "KA220" in report(again)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_sizes_of_replicas_come_back_and_version_1_has_none() -> None:
    text = "brokers 1 2\ntopic a\n0: leader 1 replicas 1,2 isr 1,2 sizes 70,60"
    rows = document(parse_cluster(text))
    again = parse(json.dumps(rows).encode(), "x.json")
    assert [partition.sizes for partition in partitions_of(again)] == [(70, 60)]
    rows["format"] = "kafka-advisor-snapshot/1"
    for topic in rows["topics"]:
        topic["partitions"] = [partition[:7] for partition in topic["partitions"]]
    old = parse(json.dumps(rows).encode(), "x.json")
    assert [partition.sizes for partition in partitions_of(old)] == [None]


def partitions_of(snapshot: Snapshot) -> list[Partition]:
    topics = [entity for entity in snapshot.entities if isinstance(entity, Topic)]
    return [partition for topic in topics for partition in topic.partitions or ()]


@pytest.mark.parametrize("sizes", [[1], [1, "2"], {}, [1.5, 2]])
def test_sizes_that_fit_no_replicas_are_refused(sizes: object) -> None:
    rows = document(parse_cluster("brokers 1 2\ntopic a\n0: leader 1 replicas 1,2 isr 1,2"))
    rows["topics"][0]["partitions"][0][7] = sizes
    with pytest.raises(UnreadableInput, match="sizes are a list of bytes"):
        parse(json.dumps(rows, default=list).encode(), "x.json")


def test_the_schema_describes_it() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA).validate(plain())


def test_the_schema_names_the_fields_of_the_records() -> None:
    properties, definitions = SCHEMA["properties"], SCHEMA.get("$defs", {})
    pairs = [(SnapshotRecord, SCHEMA), (ClusterRecord, properties["cluster"])]
    pairs += [(BrokerRecord, properties["brokers"]["items"]), (TopicRecord, properties["topics"]["items"])]
    for record, described in pairs:
        names = {field.name for field in dataclasses.fields(record)}
        assert names == set(described["properties"]) - {"format", "tool"}, record
    assert {field.name for field in dataclasses.fields(SettingRecord)} == set(
        definitions["settings"]["additionalProperties"]["properties"]
    )


@pytest.mark.parametrize(
    ("kind", "data", "error"),
    [
        (int, True, "x: not a whole number"),
        (list[int], [1, "2"], "x[1]: not a whole number"),
        (tuple[str, int], ["a"], "x: 1 items in place of 2"),
        (dict[int, str], {"a": "b"}, "x: a key is not a whole number"),
        (dict[tuple[str, int], int], [["a", 1]], "x[0]: 2 items in place of 3"),
        (Node, {"state": "alive"}, "x.id is missing"),
        (list[Node], [{"id": 1, "state": 2}], "x[0].state: not text"),
    ],
)
def test_a_record_that_is_damaged_is_refused_with_its_path(kind: Any, data: object, error: str) -> None:
    with pytest.raises(ValueError, match=re.escape(error)):
        decode(data, kind, "x")


def test_what_is_not_known_of_a_record_may_be_missing_and_strange_fields_are_passed_over() -> None:
    node = decode({"id": 1, "state": "alive", "zone": "a"}, Node, "x")
    assert (node.id, node.rack) == (1, None)
    offsets: dict[tuple[str, int], int] = decode([["a", 1, 7]], dict[tuple[str, int], int], "x")
    assert offsets == {("a", 1): 7}


def test_what_zookeeper_said_comes_back() -> None:
    snapshot = parse_cluster("kafka 3.9 zookeeper\nbrokers 1 2\nensemble voters=3 up=2 deletions=gone open=/brokers")
    assert snapshot.live is not None
    facts = snapshot.live.zookeeper
    assert isinstance(facts, ZooKeeperFacts)
    facts.overrides, facts.endpoints = {"topics/orders": ("retention.ms",)}, {1: ("PLAINTEXT://b1:9092",)}
    facts.reassignments = (("orders", 0),)
    facts.servers[0].stats = {"zk_znode_count": "7"}
    again = parse(json.dumps(document(snapshot)).encode(), "x.json").live
    assert again is not None
    assert isinstance(again.zookeeper, ZooKeeperFacts)
    assert isinstance(again.zookeeper.servers[0], ZooKeeperServer)
    assert document(snapshot)["zookeeper"] == document(parse(json.dumps(document(snapshot)).encode(), "x"))["zookeeper"]
    assert again.zookeeper.endpoints == facts.endpoints
    assert again.zookeeper.reassignments == facts.reassignments


def test_settings_that_topics_share_stand_once() -> None:
    rows = "".join(f"topic t{number}\n0: leader 1 replicas 1,2 isr 1,2\n" for number in range(50))
    found = document(parse(json.dumps(document(parse_cluster("brokers 1 2\n" + rows))).encode(), "x.json"))
    assert len(found["topics"]) == 50
    assert len({row["settings"] for row in found["topics"]}) <= 50
    assert len(found["defaults"]) <= 1


def test_a_secret_in_a_file_is_masked_when_it_is_read() -> None:
    rows = plain()
    rows["brokers"][0]["settings"]["ssl.key.password"] = {"source": "STATIC_BROKER", "value": "canary-Pa55word"}
    again = parse(json.dumps(rows).encode(), "x.json")
    assert "canary" not in report(again) + json.dumps(document(again))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"{", "not JSON, or cut off"),
        (b'{"a": 1}', 'it has no "format"'),
        (b'{"format": 7}', 'it has no "format"'),
        (b'{"format": "kafka-advisor-snapshot/3"}', "another release"),
        (b'{"format": "kafka-advisor/1"}', "it is something else"),
        (b'{"format": "kafka-advisor-snapshot/1"}', "not a whole snapshot: snapshot.log_dirs is missing"),
        (gzip.compress(b'{"format": "kafka-advisor-snapshot/1"}', mtime=0)[:-12], "cut off or damaged"),
        (b"\x1f\x8bnonsense", "cut off or damaged"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a":' + b"[" * 100_000, "nested too deep"),
    ],
)
def test_what_is_no_snapshot_is_refused_in_one_line(tmp_path: Path, data: bytes, says: str) -> None:
    file = tmp_path / "cluster.json"
    file.write_bytes(data)
    ours = b'"kafka-advisor' in data or data[:1] == b"\x1f"
    for command in ("lint", "check") if ours else ("check",):
        ran = run(command, file)
        assert ran.code == 2
        assert ran.err.count("\n") == 1
        assert says in ran.err
        assert "cluster.json" in ran.err


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_snapshot_is_refused_or_judged_but_never_crashes(data: st.DataObject) -> None:
    rows = plain()
    place: Any = rows
    path = []
    while isinstance(place, (dict, list)) and place:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        path.append((place, key))
        place = place[key]
        if data.draw(st.booleans()):
            break
    holder, key = path[-1]
    holder[key] = data.draw(st.sampled_from([None, "abc", -1, [], {}, [None], True, 1.5, "\ud800", {"a": None}]))
    try:
        snapshot = parse(json.dumps(rows).encode(), "x.json")
    except UnreadableInput as refused:
        assert "\n" not in str(refused)
        return
    assert not judge([snapshot], RULES, Policy(RULES)).crashed


def test_an_unfinished_file_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_paths: str, **_folders: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="No space"):
        write(str(tmp_path / "cluster.json"), parse_cluster(DRAWING))
    assert list(tmp_path.iterdir()) == []


def test_a_release_that_no_catalog_has_is_named_in_the_first_line(tmp_path: Path) -> None:
    saved = json.loads(json.dumps(document(parse_cluster("brokers 1 2 3\ntopic a retention.ms=1"))))
    saved["cluster"]["kafka_version"] = "5.0"
    (tmp_path / "cluster.json").write_text(json.dumps(saved))
    lines = run("lint", tmp_path / "cluster.json", "--no-config").out.splitlines()
    assert any("Kafka 5.0 is newer than the catalogs" in line for line in lines[:2])
