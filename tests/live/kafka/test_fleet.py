"""A fleet of three real clusters, one of them down: with KRaft behind TLS and SASL, with ZooKeeper, and gone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live.kafka.harness import Cluster, needs_kafka
from tests.support.commands import Ran, run
from tests.support.fleets import audit, table
from tests.support.spark import why_not

KRAFT, ZOOKEEPER = "4.3.1", "3.9.2"
SINGLE = {"offsets.topic.replication.factor": "1", "transaction.state.log.replication.factor": "1"}
FLEET = """\
defaults: {{timeout: 20}}
clusters:
  - name: kraft
    bootstrap_servers: {kraft}
    command_config: {reference}
    labels: {{team: payments}}
    clients: [{{file: pay.properties, topics: [orders, "pay-*"]}}]
  - {{name: zookeeper, bootstrap_servers: ["{zookeeper}"], zookeeper: "{connect}"}}
  - {{name: gone, bootstrap_servers: ["{gone}"], timeout: 5}}
"""


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the inventory of three clusters that were there, of which two are."""
    needs_kafka(KRAFT, ZOOKEEPER)
    folder = tmp_path_factory.mktemp("fleet")
    with Cluster.kraft(folder / "gone", brokers=1, version=KRAFT, config=SINGLE) as gone:
        address = gone.bootstrap
    (folder / "pay.properties").write_text("acks=1\nbootstrap.servers=x:9092\n")
    with (
        Cluster.kraft(folder / "kraft", brokers=1, version=KRAFT, config=SINGLE, secured=True) as kraft,
        Cluster.zookeeper(folder / "zookeeper", brokers=1, version=ZOOKEEPER, config=SINGLE) as zookeeper,
    ):
        for cluster in (kraft, zookeeper):
            cluster.create("orders", 3, 1, config={"retention.ms": 3_600_000})
        (folder / "client.properties").write_text(kraft.properties(style="librdkafka"))
        said = {"kraft": kraft.bootstrap, "zookeeper": zookeeper.bootstrap, "connect": zookeeper.zookeeper_connect}
        for name, reference in (("fleet", "file:client.properties"), ("by-env", "env:FLEET_CLIENT")):
            text = FLEET.format(**said, gone=address, reference=reference)
            (folder / f"{name}.yaml").write_text(text)
        yield folder


def rows(out: Path) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """The rows of each table, by cluster."""
    from spark_audit.schema.snapshots import TABLES
    from spark_audit.storage.load import load

    loaded = load([str(out)])
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for name in TABLES:
        for row in loaded.table(name).to_pylist():
            found.setdefault(row["cluster"], {}).setdefault(name, []).append(row)
    return found


def collect(folder: Path, out: Path, *more: object, inventory: str = "fleet.yaml") -> Ran:
    return run("collect", "--inventory", folder / inventory, "--out", out, *more)


def is_the_fleet(ran: Ran, out: Path) -> None:
    """What the two that are there said, and why the third said nothing."""
    assert ran.code == 4, ran.out
    assert "1 of 3 clusters could not be reached, more than --max-unreachable 5%" in ran.err, ran.out
    found = rows(out)
    status = {name: (each["clusters"][0]["status"], each["clusters"][0]["reason"]) for name, each in found.items()}
    assert status["kraft"] == ("ok", None)
    assert status["zookeeper"] == ("ok", None)
    assert status["gone"][0] == "unreachable"
    assert "Connection refused" in status["gone"][1]
    assert set(found["gone"]) == {"clusters"}
    for name, metadata, version in (("kraft", "kraft", "4.3"), ("zookeeper", "zookeeper", "3.9")):
        (row,) = found[name]["clusters"]
        assert (row["metadata"], row["kafka_version"], row["id"] is not None) == (metadata, version, True)
        (orders,) = [each for each in found[name]["topics"] if each["name"] == "orders"]
        assert {"key": "retention.ms", "value": "3600000", "source": "DYNAMIC_TOPIC"} in orders["settings"]
        assert [(each["leader"], each["replicas"], each["isr"]) for each in orders["partitions"]] == [(1, [1], [1])] * 3
        assert [each["id"] for each in found[name]["brokers"]] == [1]
    (client,) = found["kraft"]["clients"]
    assert (client["kind"], client["topics"], client["kafka_version"]) == ("producer", ["orders", "pay-*"], "4.3")
    assert dict(found["kraft"]["clusters"][0]["labels"]) == {"team": "payments"}


def is_judged(out: Path) -> None:
    """The clusters come back and can be judged."""
    from advisor.engine import judge
    from advisor.engine.policy import Policy
    from rules import all_rules
    from tests.support.row_snapshots import snapshot_of

    rules = all_rules()
    for name, each in rows(out).items():
        if name != "gone":
            parts = (each.get(table, []) for table in ("brokers", "topics", "clients"))
            report = judge([snapshot_of(each["clusters"][0], *parts)], rules, Policy(rules))
            assert not report.crashed
            assert {("topic", "orders"), ("broker", "1")} <= {row.entity for row in report.findings}


def test_without_spark(fleet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLEET_CLIENT", (fleet / "client.properties").read_text())
    ran = collect(fleet, tmp_path / "out", "--engine", "local", inventory="by-env.yaml")
    is_the_fleet(ran, tmp_path / "out")
    is_judged(tmp_path / "out")


@pytest.mark.skipif(bool(why_not()) and not os.environ.get("CI"), reason=str(why_not()))
def test_through_the_data_source(fleet: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("spark")
    is_the_fleet(collect(fleet, tmp_path / "out"), tmp_path / "out")
    is_judged(tmp_path / "out")
    is_audited(tmp_path)


def test_no_secret_is_written_down(fleet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (fleet / "client.properties").read_text()
    secrets = [line.partition("password=")[2].strip(' ";') for line in text.splitlines() if "password=" in line]
    assert secrets
    monkeypatch.setenv("FLEET_CLIENT", text)
    collect(fleet, tmp_path / "out", "--engine", "local", "--clusters", "kraft", inventory="by-env.yaml")
    told = str(rows(tmp_path / "out"))
    assert not [secret for secret in secrets if secret in told]


def is_audited(folder: Path) -> None:
    """Audited by Spark and without it: the same, message for message, and what the judge says of each cluster."""
    from advisor.engine import judge
    from advisor.engine.policy import Policy
    from rules import all_rules
    from tests.support.row_snapshots import snapshot_of

    for engine in ("spark", "local"):
        ran = audit(folder / "out", folder / engine, "--engine", engine)
        assert (ran.code, "1 of 3 clusters could not be reached" in ran.err) == (4, True), ran.err
    for name in ("findings", "unknowns", "counts", "clusters"):
        assert table(folder / "spark", name) == table(folder / "local", name)
    found, rules = table(folder / "spark", "findings"), all_rules()
    for name, each in rows(folder / "out").items():
        mine = sorted((row["rule"], row["subject"], row["message"]) for row in found if row["cluster"] == name)
        if name == "gone":
            assert mine == []
            continue
        parts = (each.get(rows_of, []) for rows_of in ("brokers", "topics", "clients"))
        report = judge([snapshot_of(each["clusters"][0], *parts)], rules, Policy(rules))
        assert mine == sorted((row.rule, row.entity[1], row.message) for row in report.findings)
    (gone,) = [row for row in table(folder / "spark", "unknowns") if row["cluster"] == "gone"]
    assert (gone["rule"], "Connection refused" in gone["reason"]) == ("*", True)
