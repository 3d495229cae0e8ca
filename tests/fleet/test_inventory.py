"""Inventories of fleets: what they say, and every mistake in one line with its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from advisor.errors import BadInventory
from spark_audit.collection import cluster_reader, scheduler
from spark_audit.collection.entries import ClusterEntry
from spark_audit.collection.inventory import load, parse_text

FLEET = """\
defaults: {timeout: 12, command_config: env:KAFKA_COMMAND_CONFIG, labels: {environment: production}}
clusters:
  - name: payments-eu
    bootstrap_servers: [a:9092, b:9092]
    command_config: file:payments.properties
    zookeeper: zk:2181/kafka
    kafka_version: 3.9
    labels: {team: payments}
    clients: [{file: producers/pay.properties, topics: ["payments*"]}]
  - name: größe
    bootstrap_servers: "[::1]:9092"
    timeout: 5
"""


def written(folder: Path, text: str | bytes, name: str = "fleet.yaml") -> str:
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(folder / name)


def plain(item: ClusterEntry) -> dict[str, object]:
    found: dict[str, object] = {name: getattr(item, name) for name in ClusterEntry.__slots__}
    found["target"] = item.target and (item.target.text, item.target.given)
    found["clients"] = [(client.name, client.kind, topics) for client, topics in item.clients]
    return found


def test_what_a_fleet_says(tmp_path: Path) -> None:
    (tmp_path / "producers").mkdir()
    (tmp_path / "producers/pay.properties").write_text("acks=all\nlinger.ms=5\n")
    one, two = load(written(tmp_path, FLEET))
    assert plain(one) == {
        "name": "payments-eu", "bootstrap": "a:9092,b:9092", "command_config": f"file:{tmp_path}/payments.properties",
        "zookeeper": "zk:2181/kafka", "target": ("3.9", True), "timeout": 12.0,
        "labels": {"environment": "production", "team": "payments"},
        "clients": [("pay.properties", "producer", ("payments*",))],
    }  # fmt: skip
    assert plain(two) == {
        "name": "größe", "bootstrap": "[::1]:9092", "command_config": "env:KAFKA_COMMAND_CONFIG", "zookeeper": None,
        "target": None, "timeout": 5.0, "labels": {"environment": "production"}, "clients": [],
    }  # fmt: skip
    assert [item.name for item in load(str(tmp_path / "fleet.yaml"), ["größe"])] == ["größe"]


CSV = 'name,bootstrap_servers,command_config,labels\na,"h:1,h:2",env:X,team=core;tier=1\nb,h:3,,\n'


def test_tables_say_the_same(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(
        pa.table(
            {
                "name": ["a", "b"],
                "bootstrap_servers": ["h:1,h:2", "h:3"],
                "command_config": ["env:X", None],
                "labels": pa.array([[("team", "core"), ("tier", "1")], None], pa.map_(pa.string(), pa.string())),
            }
        ),
        tmp_path / "fleet.parquet",
    )
    found = [[plain(item) for item in load(path)] for path in (written(tmp_path, CSV, "x.csv"), f"{tmp_path}/fleet.parquet")]  # fmt: skip
    assert found[0] == found[1]
    assert [(row["bootstrap"], row["command_config"], row["labels"]) for row in found[0]] == [
        ("h:1,h:2", "env:X", {"team": "core", "tier": "1"}),
        ("h:3", None, {}),
    ]


ONE = "clusters:\n  - name: a\n    bootstrap_servers: h:1\n"
WRONG = [
    ("", "fleet.yaml: no cluster in it; name at least one"),
    ("clusters: []", "fleet.yaml: no cluster in it"),
    ("defaults: {}", "fleet.yaml: no cluster in it"),
    ("- a", "fleet.yaml:1: the inventory must be a mapping of defaults, clusters"),
    ("clusters: 7", "fleet.yaml:1: clusters must be a list"),
    ("clusters: [7]", "fleet.yaml:1: a cluster must be a mapping of name"),
    ("cluster: []", "fleet.yaml:1: the inventory has no cluster; did you mean clusters?"),
    ("clusters: [\n", "fleet.yaml:2:1: not YAML"),
    ("a: &a [*a]\nclusters: *b", "fleet.yaml:2:11: not YAML"),
    (b"\xff\xfe\x00", "fleet.yaml: not YAML"),
    (ONE + "    bootstrap_server: h:2", "fleet.yaml:4: a cluster has no bootstrap_server; did you mean bootstrap_servers?"),
    (ONE + "    name: b", "fleet.yaml:4: name stands there twice"),
    (ONE + ONE.replace("clusters:\n", ""), "fleet.yaml:4: a cluster a stands at "),
    ("clusters:\n  - bootstrap_servers: h:1", "fleet.yaml:2: a cluster without name"),
    ("clusters:\n  - name: a\n    bootstrap_servers:", "fleet.yaml:2: a cluster without bootstrap_servers"),
    (ONE.replace("h:1", "h"), "fleet.yaml:3: bootstrap_servers: h: is no broker's address"),
    (ONE.replace("h:1", "{h: 1}"), "fleet.yaml:3: bootstrap_servers must be text"),
    (ONE + "    command_config: client.properties", "fleet.yaml:4: command_config: settings, and secrets least of all"),
    (ONE + "    command_config: sasl.password=x", "write file:PATH, or env:NAME"),
    (ONE + "    command_config: {sasl.password: x}", "fleet.yaml:4: command_config: settings, and secrets least of all"),
    (ONE + "    command_config: 'env:a b'", "write file:PATH, or env:NAME"),
    (ONE + "    kafka_version: newest-ish", "fleet.yaml:4: kafka_version: "),
    (ONE + "    timeout: soon", "fleet.yaml:4: timeout: soon is not a number of seconds"),
    (ONE + "    timeout: nan", "fleet.yaml:4: timeout: nan is not between 0 and 86400"),
    (ONE + "    labels: [a]", "fleet.yaml:4: labels must be a mapping"),
    (ONE + "    clients: {}", "fleet.yaml:4: clients must be a list"),
    (ONE + "    clients: [{topics: [a]}]", "fleet.yaml:4: a client without file"),
    (ONE + "    clients: [{file: absent.properties}]", "absent.properties: no such file"),
    (ONE + "    clients: [{file: server.properties}]", "server.properties: is no client's file"),
    ("defaults: {timeouts: 3}\n" + ONE, "fleet.yaml:1: defaults has no timeouts; did you mean timeout?"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_a_mistake_is_one_line_with_its_place(tmp_path: Path, text: str | bytes, told: str) -> None:
    (tmp_path / "server.properties").write_text("broker.id=1\nzookeeper.connect=z:2181\nlog.dirs=/d\n")
    with pytest.raises(BadInventory) as error:
        load(written(tmp_path, text))
    (line,) = error.value.errors
    assert told in line
    assert line.startswith(f"{tmp_path}/fleet.yaml")
    assert "\n" not in line


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(BadInventory) as error:
        parse_text("clusters:\n  - name: a\n    x: 1\n    timeout: [1]\n  - 7\n")
    assert [line.partition(": ")[0] for line in error.value.errors] == ["inventory:3", "inventory:4", "inventory:5"]
    with pytest.raises(BadInventory) as error:
        parse_text("clusters:\n  - name: a\n    timeout: x\n  - name: a\n    bootstrap_servers: h:1\n")
    assert len(error.value.errors) == 3


WRONG_TABLES = [
    ("name,bootstrap\na,h:1\n", "x.csv:1: no column is called bootstrap; did you mean bootstrap_servers?"),
    ("name,bootstrap_servers\na,h:1,h:2\n", "x.csv:2: more fields than the header has"),
    ("name,bootstrap_servers,labels\na,h:1,team\n", "x.csv:2: labels: team is not a label"),
    ("name,bootstrap_servers\na,h:1\na,h:2\n", "x.csv:3: a cluster a stands at "),
    ("name,bootstrap_servers\n", "x.csv: no cluster in it"),
    ("", "x.csv: no cluster in it"),
    (b"name\n\xff", "x.csv: not UTF-8"),
]


@pytest.mark.parametrize(("text", "told"), WRONG_TABLES)
def test_a_mistake_in_a_table(tmp_path: Path, text: str | bytes, told: str) -> None:
    with pytest.raises(BadInventory) as error:
        load(written(tmp_path, text, "x.csv"))
    assert told in error.value.errors[0]


@pytest.mark.parametrize("name", ["absent.yaml", "absent.parquet", "x.parquet"])
def test_what_is_not_there_or_no_table(tmp_path: Path, name: str) -> None:
    written(tmp_path, "abc", "x.parquet")
    with pytest.raises(BadInventory) as error:
        load(str(tmp_path / name))
    assert error.value.errors[0].startswith(f"{tmp_path}/{name}: ")


def test_a_cluster_that_is_not_in_it() -> None:
    with pytest.raises(BadInventory) as error:
        parse_text(ONE, ["b", "c"])
    assert error.value.errors == (
        "inventory: no cluster b in it; there are a",
        "inventory: no cluster c in it; there are a",
    )


# ---------------------------------------------------------------- references


def item(reference: str | None) -> ClusterEntry:
    made = ClusterEntry("a", "h:9092")
    made.command_config = reference
    return made


PROPERTIES = "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.username=me\nsasl.password=c4nary\n"


def test_references_are_resolved_where_the_cluster_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.properties").write_text(PROPERTIES)
    monkeypatch.setenv("FLEET_X", PROPERTIES)
    before = set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()
    for reference in (f"file:{tmp_path}/x.properties", "env:FLEET_X"):
        assert cluster_reader.connection(item(reference), os.environ).confluent["sasl.password"] == "c4nary"
    assert cluster_reader.connection(item(None), os.environ).confluent["security.protocol"] == "PLAINTEXT"
    after = set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()
    assert len(after) == len(before)


@pytest.mark.parametrize(
    ("reference", "text", "told"),
    [
        ("env:FLEET_X", None, "env:FLEET_X: the variable is not set or empty where the cluster is read"),
        ("env:FLEET_X", "security.protocol=X", "env:FLEET_X:1: security.protocol: must be one of"),
        ("env:FLEET_X", "a=" + "x" * (4 << 20), "env:FLEET_X: is not a properties file"),
        ("file:/nowhere/x", None, "/nowhere/x: no such file"),
    ],
)
def test_a_reference_that_cannot_be_resolved_is_the_reason(
    monkeypatch: pytest.MonkeyPatch, reference: str, text: str | None, told: str
) -> None:
    pytest.importorskip("confluent_kafka")
    if text is not None:
        monkeypatch.setenv("FLEET_X", text)
    (row,) = scheduler.tables_for(item(reference))["clusters"].to_pylist()
    assert row["status"] == "unreachable"
    assert row["reason"].startswith(told)
