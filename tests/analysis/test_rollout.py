"""What `rollout` says of changes of small clusters: verdicts as real clusters gave them, steps, and passes that hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import ROOT, run
from tests.support.rollouts import (
    AUTHORIZER,
    BROKERS,
    COMBINED,
    MAP,
    PLAIN,
    Change,
    Files,
    answer,
    changed,
    combined,
    listeners,
    separate,
    zookeeper,
)

ALL = (*BROKERS, 101)
MAP_SASL = "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,INTERNAL:SASL_PLAINTEXT"
SASL: Change = {
    "sasl.enabled.mechanisms": "PLAIN",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
    "listener.name.internal.plain.sasl.jaas.config": PLAIN,
}
BOTH: Change = {
    "listeners": listeners("PLAINTEXT", "INTERNAL"),
    "advertised.listeners": listeners("PLAINTEXT", "INTERNAL"),
}
SWITCHED: Change = {**BOTH, "inter.broker.listener.name": "INTERNAL"}
OPEN: Change = {"authorizer.class.name": AUTHORIZER, "super.users": "User:ANONYMOUS;User:admin"}
NOTHING: Change = {}
TLS: Change = {
    **SWITCHED,
    "listener.security.protocol.map": MAP_SASL.replace("SASL_PLAINTEXT", "SSL"),
    "ssl.keystore.location": "/etc/kafka/node.p12",
    "ssl.truststore.location": "/etc/kafka/trust.p12",
    "ssl.enabled.protocols": "TLSv1.2",
    "ssl.cipher.suites": "TLS_AES_128_GCM_SHA256",
    "ssl.endpoint.identification.algorithm": "",
}
TIERED: Change = {
    "remote.log.storage.system.enable": "true",
    "remote.log.storage.manager.class.name": "com.example.Storage",
    "remote.log.metadata.manager.listener.name": "PLAINTEXT",
}
OF_CONTROLLERS: Change = {"controller.quorum.voters": "101@10.0.0.101:9601", "controller.listener.names": "CONTROLLER"}
MIGRATES: Change = {
    **OF_CONTROLLERS,
    "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
    "zookeeper.metadata.migration.enable": "true",
}
TO_KRAFT: Change = {
    **OF_CONTROLLERS,
    "zookeeper.connect": None,
    "zookeeper.metadata.migration.enable": None,
    "process.roles": "broker",
}
BACK: Change = {**dict.fromkeys((*OF_CONTROLLERS, "process.roles")), "zookeeper.connect": "z1:2181"}
ONE_VOTER: Change = {
    "controller.quorum.voters": "1@10.0.0.1:9501",
    "process.roles": lambda id: "broker,controller" if id == 1 else "broker",
    "listeners": lambda id: listeners("PLAINTEXT", "CONTROLLER")(id) if id == 1 else listeners("PLAINTEXT")(id),
}

SEPARATE: dict[str, tuple[Change, Change, tuple[int, ...], str]] = {
    "nothing": (NOTHING, NOTHING, ALL, "safe"),
    "a listener is added": (NOTHING, BOTH, BROKERS, "safe"),
    "inter-broker listener at once": (NOTHING, SWITCHED, BROKERS, "needs_passes"),
    "inter-broker listener, both there": (BOTH, {"inter.broker.listener.name": "INTERNAL"}, BROKERS, "safe"),
    "the protocol under a name": (
        {**SWITCHED, "listener.security.protocol.map": MAP_SASL.replace("SASL_", "")},
        {**SASL, "listener.security.protocol.map": MAP_SASL},
        BROKERS,
        "needs_passes",
    ),
    "the mechanism": (
        {**SWITCHED, **SASL, "listener.security.protocol.map": MAP_SASL},
        {
            "sasl.enabled.mechanisms": "SCRAM-SHA-512",
            "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-512",
            "listener.name.internal.scram-sha-512.sasl.jaas.config": PLAIN.replace("plain.Plain", "scram.Scram"),
        },
        BROKERS,
        "needs_passes",
    ),
    "a mechanism that is not enabled": (
        {**SWITCHED, **SASL, "listener.security.protocol.map": MAP_SASL},
        {"sasl.enabled.mechanisms": "SCRAM-SHA-512"},
        BROKERS,
        "refuses_to_start",
    ),
    "ports of both": (NOTHING, {"listeners": "PLAINTEXT://10.0.0.1:9300", "advertised.listeners": "PLAINTEXT://10.0.0.1:9300"}, (1,), "safe"),
    "the advertised port alone": (NOTHING, {"advertised.listeners": "PLAINTEXT://10.0.0.1:9300"}, (1,), "unavailable_during"),
    "a host that nothing else names": (NOTHING, {"advertised.listeners": "PLAINTEXT://b1.example.com:9001"}, (1,), "unknown"),
    "a listener goes that clients may use": (BOTH, {"listeners": listeners("PLAINTEXT"), "advertised.listeners": listeners("PLAINTEXT")}, BROKERS, "unknown"),
    "authorizer without super users": (NOTHING, {"authorizer.class.name": AUTHORIZER}, ALL, "unavailable_during"),
    "authorizer with super users": (NOTHING, OPEN, ALL, "safe"),
    "authorizer on brokers alone": (NOTHING, {"authorizer.class.name": AUTHORIZER}, BROKERS, "unavailable_during"),
    "super users lose the brokers": (OPEN, {"super.users": "User:admin"}, ALL, "unavailable_during"),
    "super users gain one": (OPEN, {"super.users": "User:ANONYMOUS;User:admin;User:b"}, ALL, "safe"),
    "super users in another order": (OPEN, {"super.users": "User:admin;User:ANONYMOUS"}, ALL, "no_effect"),
    "all directories are new": (NOTHING, {"log.dirs": "/new"}, BROKERS, "loses_data"),
    "a directory is added": (NOTHING, {"log.dirs": "/data/1/a,/data/1/b,/new"}, (1,), "refuses_to_start"),
    "directories in another order": (NOTHING, {"log.dirs": "/data/1/b,/data/1/a"}, (1,), "refuses_to_start"),
    "the node's id": (NOTHING, {"node.id": "11"}, (1,), "refuses_to_start"),
    "session timeout of brokers": (NOTHING, {"broker.session.timeout.ms": "30000"}, BROKERS, "no_effect"),
    "session timeout of all": (NOTHING, {"broker.session.timeout.ms": "30000"}, ALL, "safe"),
    "heartbeat above the session": (NOTHING, {"broker.heartbeat.interval.ms": "9000"}, BROKERS, "unavailable_during"),
    "heartbeat and session": (
        NOTHING,
        {"broker.heartbeat.interval.ms": "9500", "broker.session.timeout.ms": "30000"},
        ALL,
        "needs_passes",
    ),
    "min.insync.replicas with ELR": (NOTHING, {"min.insync.replicas": "3"}, ALL, "no_effect"),
    "io threads": (NOTHING, {"num.io.threads": "16"}, BROKERS, "safe"),
    "largest message up": (NOTHING, {"message.max.bytes": "5242880"}, BROKERS, "safe"),
    "largest message down": (NOTHING, {"message.max.bytes": "1000"}, BROKERS, "unknown"),
    "retention in another unit": (NOTHING, {"log.retention.ms": "604800000"}, BROKERS, "no_effect"),
    "retention longer": (NOTHING, {"log.retention.hours": "336"}, BROKERS, "safe"),
    "a misspelt key": (NOTHING, {"num.io.thread": "16"}, BROKERS, "no_effect"),
    "a value out of range": (NOTHING, {"num.io.threads": "0"}, (1,), "refuses_to_start"),
    "remote storage is switched off": (TIERED, {"remote.log.storage.system.enable": "false"}, BROKERS, "unknown"),
    "another version of TLS": (TLS, {"ssl.enabled.protocols": "TLSv1.3"}, BROKERS, "needs_passes"),
    "a version of TLS more": (TLS, {"ssl.enabled.protocols": "TLSv1.3,TLSv1.2"}, BROKERS, "safe"),
    "a version of TLS less, which nodes share": ({**TLS, "ssl.enabled.protocols": None}, {"ssl.enabled.protocols": "TLSv1.3"}, BROKERS, "safe"),
    "other cipher suites": (TLS, {"ssl.cipher.suites": "TLS_AES_256_GCM_SHA384"}, BROKERS, "needs_passes"),
    "any cipher suite": (TLS, {"ssl.cipher.suites": None}, BROKERS, "safe"),
    "host names in certificates": (TLS, {"ssl.endpoint.identification.algorithm": "https"}, BROKERS, "unknown"),
    "a value that is filled in later": (NOTHING, {"num.io.threads": "${IO}"}, BROKERS, "unknown"),
    "partitions of internal topics": (NOTHING, {"offsets.topic.num.partitions": "10"}, BROKERS, "no_effect"),
    "partitions of new topics": (NOTHING, {"num.partitions": "6"}, ALL, "safe"),
    "racks": (NOTHING, {"broker.rack": lambda id: f"r{id}"}, BROKERS, "safe"),
    "compaction for all": (NOTHING, {"log.cleanup.policy": "compact"}, BROKERS, "loses_data"),
    "protocols in another order": (
        NOTHING,
        {"listener.security.protocol.map": "INTERNAL:PLAINTEXT,PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"},
        ALL,
        "no_effect",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SEPARATE)
def test_verdict(tmp_path: Path, name: str) -> None:
    before, change, nodes, verdict = SEPARATE[name]
    old = changed(separate(), before, ALL if "authorizer.class.name" in before else BROKERS)
    assert answer(tmp_path, old, changed(old, change, nodes))["verdict"] == verdict


OTHERS: dict[str, tuple[Files, Change, tuple[int, ...], str, str]] = {
    "combined to broker": (
        combined(),
        {"process.roles": "broker", "listeners": listeners("PLAINTEXT")},
        (1,),
        "4.3",
        "refuses_to_start",
    ),
    "three voters to one": (combined(), ONE_VOTER, COMBINED, "4.3", "unavailable_during"),
    "three voters to one, checked": (combined(), {"controller.quorum.voters": "1@10.0.0.1:9501"}, COMBINED, "3.6", "refuses_to_start"),
    "voters to servers": (
        combined(),
        {"controller.quorum.voters": None, "controller.quorum.bootstrap.servers": "10.0.0.1:9501"},
        COMBINED,
        "4.3",
        "refuses_to_start",
    ),
    "protocol of controllers": (
        combined(),
        {
            "listener.security.protocol.map": "CONTROLLER:SASL_PLAINTEXT,PLAINTEXT:PLAINTEXT",
            "sasl.enabled.mechanisms": "PLAIN",
            "sasl.mechanism.controller.protocol": "PLAIN",
            "listener.name.controller.plain.sasl.jaas.config": PLAIN,
        },
        COMBINED,
        "4.3",
        "needs_passes",
    ),
    "min.insync.replicas without ELR": (separate(), {"min.insync.replicas": "3"}, ALL, "3.9", "unavailable_during"),
    "every replica needed, restart": (
        changed(separate(), {"min.insync.replicas": "3"}),
        {"queued.max.requests": "100"},
        BROKERS,
        "3.9",
        "unavailable_during",
    ),
    "every replica needed, dynamic": (
        changed(separate(), {"min.insync.replicas": "3"}),
        {"num.io.threads": "16"},
        BROKERS,
        "3.9",
        "dynamic",
    ),
    "ZooKeeper, inter-broker listener": (zookeeper(), SWITCHED, BROKERS, "3.9", "needs_passes"),
    "ZooKeeper, a directory is added": (zookeeper(), {"log.dirs": lambda id: f"/data/{id},/new"}, BROKERS, "3.9", "safe"),
    "ZooKeeper, the broker's id": (zookeeper(), {"broker.id": "11"}, (1,), "3.9", "refuses_to_start"),
    "ZooKeeper, another chroot": (zookeeper(), {"zookeeper.connect": "z1:2181/b"}, BROKERS, "3.9", "refuses_to_start"),
    "ZooKeeper, other servers": (zookeeper(), {"zookeeper.connect": "z2:2181"}, BROKERS, "3.9", "unknown"),
    "ZooKeeper to KRaft": (zookeeper(), TO_KRAFT, BROKERS, "3.9", "loses_data"),
    "ZooKeeper to KRaft, migrated": ({**separate(), **changed(zookeeper(), MIGRATES)}, TO_KRAFT, BROKERS, "3.9", "safe"),
    "KRaft to ZooKeeper": (changed(zookeeper(), TO_KRAFT), BACK, BROKERS, "3.9", "refuses_to_start"),
    "KRaft to ZooKeeper, not finalized": ({**separate(), **changed(zookeeper(), TO_KRAFT)}, {**BACK, **MIGRATES}, BROKERS, "3.9", "safe"),
    "a key store of a new listener": (
        separate(),
        {
            **BOTH,
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,INTERNAL:SSL",
            "ssl.keystore.location": "/etc/kafka/node.pem",
            "ssl.keystore.type": "PEM",
        },
        BROKERS,
        "4.3",
        "unknown",
    ),
    "one voter of three on another port": (
        combined(),
        {
            "controller.quorum.voters": "1@10.0.0.1:9501,2@10.0.0.2:9502,3@10.0.0.3:9700",
            "listeners": lambda id: listeners("PLAINTEXT", "CONTROLLER")(id).replace("9503", "9700"),
        },
        COMBINED,
        "4.3",
        "safe",
    ),
    "a host of a voter that nothing else names": (
        combined(),
        {"controller.quorum.voters": "1@10.0.0.1:9501,2@10.0.0.2:9502,3@c3.example.com:9503"},
        COMBINED,
        "4.3",
        "unknown",
    ),
    "a host of a voter at which it listens": (
        changed(combined(), {"controller.quorum.voters": "1@10.0.0.1:9501,2@10.0.0.2:9502,3@c3.example.com:9503"}),
        {"controller.quorum.voters": "1@10.0.0.1:9501,2@10.0.0.2:9502,3@10.0.0.3:9503"},
        COMBINED,
        "4.3",
        "safe",
    ),
    "versions of TLS of clients": (
        changed(separate(), {**TLS, "inter.broker.listener.name": "PLAINTEXT", "ssl.enabled.protocols": None}),
        {"ssl.enabled.protocols": "TLSv1.3"},
        BROKERS,
        "4.3",
        "unknown",
    ),
    "ZooKeeper, session timeout of the controller": (zookeeper(), {"broker.session.timeout.ms": "20000"}, BROKERS, "3.9", "safe"),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_verdict_on_other_clusters(tmp_path: Path, name: str) -> None:
    old, change, nodes, release, verdict = OTHERS[name]
    assert answer(tmp_path, old, changed(old, change, nodes), release)["verdict"] == verdict


def test_brokers_of_zookeeper_go_on_without_the_one_that_leaves_it(tmp_path: Path) -> None:
    """As three brokers of 3.9.2 did: the first one is a cluster of its own, and the others keep every partition."""
    controller = {**OF_CONTROLLERS, "controller.quorum.voters": "1@10.0.0.1:9501"}
    first = {
        **TO_KRAFT,
        **controller,
        "process.roles": "broker,controller",
        "node.id": "1",
        "listeners": listeners("PLAINTEXT", "CONTROLLER"),
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
    }
    rolled = answer(tmp_path, zookeeper(), changed(zookeeper(), first, (1,)), "3.9")
    (step,) = rolled["steps"]
    assert (rolled["verdict"], rolled["patient"], step["starts"]) == ("loses_data", "loses_data", True)
    assert step["isr"] and all(members == [2, 3] for members in step["isr"].values())
    assert not step["refused"] and not step["offline"]


def test_waiting_keeps_what_moving_directories_at_once_loses(tmp_path: Path) -> None:
    old = separate()
    document = answer(tmp_path, old, changed(old, {"log.dirs": lambda id: f"/new/{id}"}))
    assert (document["verdict"], document["patient"]) == ("loses_data", "safe")
    assert document["steps"][2]["lost"] == ["0", "1", "2"]
    (plan,) = document["passes"]
    assert plan["order"] == [1, 2, 3]
    assert "format /new/1" in plan["at_each_node"][0]
    assert plan["point_of_no_return"]


def test_what_stops_at_which_step(tmp_path: Path) -> None:
    old = separate()
    first, second, third = answer(tmp_path, old, changed(old, SWITCHED))["steps"]
    assert first["isr"] == {"0": [2, 3], "1": [2, 3], "2": [2, 3]}
    assert first["refused"] == []
    assert second["isr"] == {"0": [3], "1": [3], "2": [3]}
    assert second["refused"] == ["0", "1", "2"]
    assert third["offline"] == []
    assert third["isr"] == {"0": [1, 2, 3], "1": [1, 2, 3], "2": [1, 2, 3]}
    assert "looks for the listener INTERNAL" in first["why"][0]


def test_a_broker_that_is_fenced_between_two_heartbeats_is_in_no_isr_for_long(tmp_path: Path) -> None:
    old = separate()
    steps = answer(tmp_path, old, changed(old, {"broker.heartbeat.interval.ms": "9000"}))["steps"]
    assert [step["refused"] for step in steps] == [[], ["0", "1", "2"], ["0", "1", "2"]]
    assert [(step["isr"], step["counts"]["not_full"]) for step in steps] == [({}, 3)] * 3
    assert steps[0]["why"] == ["node 1 is fenced between two heartbeats"]


def test_an_eligible_replica_leads_where_the_last_one_in_sync_stops(tmp_path: Path) -> None:
    """As 4.3 did, where node 2 led every partition after node 3 had stopped; before 4.1 the last one is waited for."""
    old = separate()
    rows = {each: answer(tmp_path / each, old, changed(old, SWITCHED), each)["steps"][2] for each in ("4.3", "4.0")}
    assert {each: row["offline"] for each, row in rows.items()} == {"4.3": [], "4.0": ["0", "1", "2"]}


def test_a_full_isr_after_the_first_node_proves_nothing(tmp_path: Path) -> None:
    old = separate()
    steps = answer(tmp_path, old, changed(old, {"listeners": lambda id: f"PLAINTEXT://10.0.0.{id}:{9300 + id}"}))[
        "steps"
    ]
    assert steps[0]["isr"] == {"0": [1, 2, 3], "1": [1, 2, 3], "2": [1, 2, 3]}
    assert steps[1]["isr"] == {"0": [1], "1": [1, 2, 3], "2": [1, 2, 3]}


def values_after(old: Files, document: dict[str, Any], number: int) -> Files:
    """The files as the passes up to a number leave them, by their diffs."""
    files = {id: [f"{key}={value}" for key, value in keys.items()] for id, keys in old.items()}
    for each in document["passes"][:number]:
        for file in each["files"]:
            id = int(Path(file["file"]).stem.partition("-")[2])
            gone = [line[1:] for line in file["diff"][2:] if line.startswith("-")]
            files[id] = [line for line in files[id] if line not in gone]
            files[id] += [line[1:] for line in file["diff"][2:] if line.startswith("+")]
    return {id: dict(line.split("=", 1) for line in lines) for id, lines in files.items()}


PASSES: dict[str, tuple[Files, Change, tuple[int, ...], int]] = {
    "inter-broker listener": (separate(), SWITCHED, BROKERS, 2),
    "inter-broker listener, the old one goes": (
        separate(),
        {**SWITCHED, "listeners": listeners("INTERNAL"), "advertised.listeners": listeners("INTERNAL")},
        BROKERS,
        3,
    ),
    "renamed on its port": (
        separate(),
        {
            "listeners": listeners("CLIENTS"),
            "advertised.listeners": listeners("CLIENTS"),
            "inter.broker.listener.name": "CLIENTS",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,CLIENTS:PLAINTEXT",
        },
        BROKERS,
        5,
    ),
    "heartbeat and session": (
        separate(),
        {"broker.heartbeat.interval.ms": "9500", "broker.session.timeout.ms": "30000"},
        ALL,
        2,
    ),
}


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_holds_by_itself_and_they_end_at_the_new_files(tmp_path: Path, name: str) -> None:
    old, change, nodes, count = PASSES[name]
    new = changed(old, change, nodes)
    document = answer(tmp_path / "whole", old, new)
    assert len(document["passes"]) == count
    files = [values_after(old, document, number) for number in range(count + 1)]
    assert files[-1] == new
    for number in range(count):
        part = answer(tmp_path / str(number), files[number], files[number + 1])
        assert part["patient"] in ("safe", "unknown"), part["steps"]
        assert all(row["key"] in (None, "listeners") for row in part["unknown"] if row["decides"])


def test_a_static_quorum_becomes_dynamic_before_its_files_say_so(tmp_path: Path) -> None:
    old = separate()
    servers = "10.0.0.101:9601,10.0.0.102:9602,10.0.0.103:9603"
    change: Change = {"controller.quorum.voters": None, "controller.quorum.bootstrap.servers": servers}
    new = changed(old, change, ALL)
    for id in (102, 103):
        new[id] = {**new[101], "node.id": str(id), "listeners": f"CONTROLLER://10.0.0.{id}:{9500 + id}"}
    finalize, files, *voters = answer(tmp_path, old, new)["passes"]
    assert finalize["commands"][0].endswith("upgrade --feature kraft.version=1")
    assert finalize["point_of_no_return"]
    assert files["order"] == [101, 1, 2, 3]
    assert [each["title"] for each in voters] == ["add node 102 as a voter", "add node 103 as a voter"]
    assert "--no-initial-controllers" in voters[0]["before"][0]


TAKES = {
    "num.io.threads": ("16", "dynamic, cluster-wide"),
    "queued.max.requests": ("100", "restart"),
    "num.partitions": ("6", "new topics only"),
    "broker.session.timeout.ms": ("30000", "nothing reads it"),
    "log.retention.hours": ("336", "dynamic, cluster-wide"),
    "log.dirs": ("/new", "format or data"),
    "leader.replication.throttled.rate": ("1", "nothing reads it"),
}


def test_what_each_change_takes(tmp_path: Path) -> None:
    old = separate()
    rows = answer(tmp_path, old, changed(old, {key: value for key, (value, _) in TAKES.items()}))["changes"]
    assert {row["key"]: row["takes"] for row in rows} == {key: takes for key, (_, takes) in TAKES.items()}


def test_thread_counts_are_doubled_at_most(tmp_path: Path) -> None:
    old = changed(separate(), {"num.io.threads": "2"})
    (row,) = answer(tmp_path, old, changed(old, {"num.io.threads": "8"}))["changes"]
    assert [command.rpartition("=")[2] for command in row["commands"]] == ["4", "8"]
    assert "--entity-default" in row["commands"][0]


def test_a_pass_enables_no_mechanism_that_neither_file_names(tmp_path: Path) -> None:
    old = separate()
    new = changed(old, {**SWITCHED, **SASL, "listener.security.protocol.map": MAP_SASL})
    lines = [line for each in answer(tmp_path, old, new)["passes"] for file in each["files"] for line in file["diff"]]
    assert {line for line in lines if line.startswith("+sasl.enabled")} == {"+sasl.enabled.mechanisms=PLAIN"}


def test_a_changed_secret_is_unknown_though_no_output_shows_it(tmp_path: Path) -> None:
    """Whom brokers let in by SCRAM stands in the cluster's metadata."""
    mechanism, line = "SCRAM-SHA-512", PLAIN.replace("plain.Plain", "scram.Scram").partition(" user_a")[0] + ";"
    key = f"listener.name.internal.{mechanism.lower()}.sasl.jaas.config"
    scram = {"sasl.enabled.mechanisms": mechanism, "sasl.mechanism.inter.broker.protocol": mechanism, key: line}
    old = changed(separate(), {**SWITCHED, **scram, "listener.security.protocol.map": MAP_SASL})
    document = answer(tmp_path, old, changed(old, {key: line.replace("canary", "other")}))
    assert document["verdict"] == "unknown"
    (row,) = document["changes"]
    assert (row["key"], row["takes"]) == (key, "restart")
    assert "canary" not in str(document)


def strimzi(folder: Path, name: str, settings: str) -> Path:
    """A Kafka resource of Strimzi with some settings."""
    (folder / name).mkdir()
    text = (ROOT / "examples/inputs/strimzi-pools.yaml").read_text()
    (folder / name / "kafka.yaml").write_text(
        text.replace("min.insync.replicas: 1", f"min.insync.replicas: 1\n      {settings}")
    )
    return folder / name


OPERATOR = {
    "num.io.threads: 16": "alters these values dynamically",
    "queued.max.requests: 100": "controllers first, the active one last",
}


@pytest.mark.parametrize("setting", OPERATOR)
def test_what_strimzi_does_by_itself(tmp_path: Path, setting: str) -> None:
    old, new = strimzi(tmp_path, "old", "background.threads: 10"), strimzi(tmp_path, "new", setting)
    document = run("rollout", old, new, "--format", "json").json
    assert document["verdict"] == "safe"
    assert any(OPERATOR[setting] in note for note in document["operators"])


@pytest.mark.parametrize(
    ("setting", "headline", "nodes"),
    [
        ("num.io.threads: 16", "No restart: Strimzi alters the values when the resource is applied.", 0),
        ("num.io.threads: 64", "One rolling restart.", 6),
        ("log.retention.hours: 24", "One rolling restart.", 6),
    ],
)
def test_an_operator_needs_no_commands(tmp_path: Path, setting: str, headline: str, nodes: int) -> None:
    old, new = strimzi(tmp_path, "old", "background.threads: 10"), strimzi(tmp_path, "new", f"background.threads: 10\n      {setting}")  # fmt: skip
    text = run("rollout", old, new).out
    assert headline in text and f"6 nodes, {nodes} to restart" in text and "kafka-configs" not in text
    script = run("rollout", old, new, "--format", "script").out
    assert ("apply the resource" in script) == (nodes == 0) and ("Stop " in script) == (nodes > 0)


POOL = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaNodePool
metadata: {{name: {1}, labels: {{strimzi.io/cluster: prod}}}}
spec: {{replicas: {0}, roles: [{1}], storage: {{type: persistent-claim, size: 10Gi}}}}
---
"""
KAFKA = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata: {name: prod, annotations: {strimzi.io/node-pools: enabled, strimzi.io/kraft: enabled}}
spec:
  kafka:
    version: 3.9.0
    listeners: [{name: tls, port: 9093, type: internal, tls: true, authentication: {type: tls}}]
    authorization: {type: simple}
    config: {default.replication.factor: 3, min.insync.replicas: 2}
"""
POOLS = {
    "a broker goes": (3, 4, "needs_passes", ["empty broker (4 of 4)", "apply the files: broker (4 of 4) ends"], []),
    "controllers go": (
        1,
        5,
        "unavailable_during",
        [],
        [0, 100, 101, 102, 103, 104],
    ),
    "a broker comes": (3, 6, "safe", [], []),
}


@pytest.mark.parametrize("case", POOLS)
def test_the_nodes_that_a_smaller_pool_has_no_more_are_not_restarted(tmp_path: Path, case: str) -> None:
    controllers, brokers, verdict, passes, restarted = POOLS[case]
    sizes = {
        "old": (3, brokers),
        "new": (controllers, brokers - (case == "a broker goes") + (case == "a broker comes")),
    }
    for side, (first, second) in sizes.items():
        (tmp_path / side).mkdir()
        (tmp_path / side / "kafka.yaml").write_text(
            POOL.format(first, "controller") + POOL.format(second, "broker") + KAFKA
        )
    document = run("rollout", tmp_path / "old", tmp_path / "new", "--format", "json").json
    assert document["verdict"] == verdict
    assert [each["title"] for each in document["passes"]] == passes
    assert [each["node"] for each in document["steps"]] == restarted
    text = run("rollout", tmp_path / "old", tmp_path / "new").out
    assert (" is emptied first." in text and "unregister" in text) == (case == "a broker goes")


OF_ZOOKEEPER = (
    "broker.id={0}\nzookeeper.connect=z:2181\ndefault.replication.factor=3\nmin.insync.replicas=2\nlog.dirs=/data\n"
)
WITH_ZOOKEEPER = {
    "the controller's own listener": (
        "listeners=PLAINTEXT://b{0}:9092,CTRL://b{0}:9090\ncontrol.plane.listener.name=CTRL\n"
        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CTRL:PLAINTEXT\n",
        "needs_passes",
        "finds no CTRL of brokers with the old one",
    ),
    "TLS to the same servers": (
        "listeners=PLAINTEXT://b{0}:9092\nzookeeper.ssl.client.enable=true\n",
        "unknown",
        "whether z:2181 speak TLS",
    ),
    "another chroot": (
        "listeners=PLAINTEXT://b{0}:9092\nzookeeper.connect=z:2181/kafka\n",
        "refuses_to_start",
        "another chroot",
    ),
}


@pytest.mark.parametrize("name", WITH_ZOOKEEPER)
def test_what_zookeeper_and_its_controller_make_of_a_change(tmp_path: Path, name: str) -> None:
    lines, verdict, why = WITH_ZOOKEEPER[name]
    for side, own in (("old", "listeners=PLAINTEXT://b{0}:9092\n"), ("new", lines)):
        (tmp_path / side).mkdir()
        for id in (1, 2, 3):
            (tmp_path / side / f"b{id}.properties").write_text((OF_ZOOKEEPER + own).format(id))
    document = run("rollout", tmp_path / "old", tmp_path / "new", "--kafka-version", "3.6", "--format", "json").json
    assert document["verdict"] == verdict
    assert why in str(document["why"]) + str(document["unknown"])


OF_COMPOSE = """
services:
  k1: &k
    image: apache/kafka:4.1.0
    volumes: [d1:/data]
    environment: &e
      KAFKA_NODE_ID: 1
      KAFKA_PROCESS_ROLES: broker,controller
      KAFKA_CONTROLLER_QUORUM_VOTERS: 1@k1:9093,2@k2:9093,3@k3:9093
      KAFKA_LISTENERS: PLAINTEXT://:9092,CONTROLLER://:9093
      KAFKA_CONTROLLER_LISTENER_NAMES: CONTROLLER
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
      KAFKA_LOG_DIRS: /data
      CLUSTER_ID: MkU3OEVBNTcwNTJENDM2Qk
  k2: {<<: *k, volumes: ['d2:/data'], environment: {<<: *e, KAFKA_NODE_ID: 2}}
  k3: {<<: *k, volumes: ['d3:/data'], environment: {<<: *e, KAFKA_NODE_ID: 3}}
volumes: {d1: {}, d2: {}, d3: {}}
"""
APPLIED = {
    "another volume": ("d2:/data", "d9:/data", "loses_data", "k2: it starts with an empty volume"),
    "nothing": ("d2:/data", "d2:/data", "safe", ""),
    "another cluster id": ("NDM2Qk", "NDM2Qg", "unavailable_during", "the disks carry the old id"),
}


@pytest.mark.parametrize("name", APPLIED)
def test_what_no_setting_of_a_node_tells_decides_too(tmp_path: Path, name: str) -> None:
    text, by, verdict, why = APPLIED[name]
    old, new = tmp_path / "old.yml", tmp_path / "new.yml"
    old.write_text(OF_COMPOSE)
    new.write_text(OF_COMPOSE.replace(text, by))
    ran = run("rollout", old, new, "--format", "json")
    assert (ran.json["verdict"], ran.json["patient"], ran.code) == (verdict, verdict, 1 if why else 0)
    assert why in str(ran.json["why"])


def test_strimzi_gets_no_pass_that_it_would_drop(tmp_path: Path) -> None:
    sides = []
    for name, kind in (("old", "tls"), ("new", "scram-sha-512")):
        sides.append(strimzi(tmp_path, name, "background.threads: 10"))
        path = sides[-1] / "kafka.yaml"
        listener = f"- {{name: mtls, port: 9094, type: internal, tls: true, authentication: {{type: {kind}}}}}"
        path.write_text(path.read_text().replace("listeners:", f"listeners:\n      {listener}", 1))
    document = run("rollout", *sides, "--format", "json").json
    assert (document["verdict"], document["passes"]) == ("unavailable_during", [])
    assert "add a listener with another name and port to spec.kafka.listeners" in str(document["instead"])


def test_compose_rolls_nothing(tmp_path: Path) -> None:
    text = (ROOT / "examples/inputs/compose-two-services.yml").read_text()
    for name, threads in (("old", 8), ("new", 9)):
        (tmp_path / f"{name}.yml").write_text(
            re.sub(r"(KAFKA_BROKER_ID: \d)", rf"\1\n      KAFKA_QUEUED_MAX_REQUESTS: {threads}", text)
        )
    notes = run("rollout", tmp_path / "old.yml", tmp_path / "new.yml", "--format", "json").json["operators"]
    assert any("recreates every changed service at once" in note for note in notes)


def test_log_directories_count_beside_a_metadata_log_of_their_own(tmp_path: Path) -> None:
    old = changed(separate(), {"metadata.log.dir": "/metadata"})
    document = answer(tmp_path, old, changed(old, {"log.dirs": "/data/1/a,/data/1/b,/new"}, (1,)))
    assert [(row["key"], row["takes"]) for row in document["changes"]] == [("log.dirs", "format or data")]
    assert (document["verdict"], document["patient"]) == ("refuses_to_start", "safe")


ASSUMED = "as it is taken to: with them (clusters formatted by Kafka 4.1 or newer)"
LEAST = {
    "brokers' files ask for every replica": ("3", "4.3", True),
    "one less": ("2", "4.3", False),
    "a release without": ("3", "4.0", False),
}


@pytest.mark.parametrize("name", LEAST)
def test_eligible_leader_replicas_are_an_assumption_where_they_decide(tmp_path: Path, name: str) -> None:
    least, release, is_stated = LEAST[name]
    old = changed(separate(), {"min.insync.replicas": least})
    document = answer(tmp_path, old, changed(old, {"queued.max.requests": "100"}), release)
    assert (ASSUMED in str(document["unknown"])) is is_stated
    assert document["verdict"] == ("unavailable_during" if (least, release) == ("3", "4.0") else "safe")


def test_without_a_controller_a_broker_that_is_down_stays_in_the_isr(tmp_path: Path) -> None:
    """Writes wait for it: the sole controller does not come back, and nothing else takes a replica out of an ISR."""
    old = separate()
    new = changed(changed(old, {"num.io.threads": "0"}, (101,)), {"num.io.threads": "16"})
    first = answer(tmp_path, old, new)["steps"][1]
    assert (first["node"], first["offline"], first["refused"]) == (1, ["0"], ["1", "2"])


def dynamic() -> Files:
    """Three brokers, and two controllers of a dynamic quorum."""
    servers = {
        "controller.quorum.voters": None,
        "controller.quorum.bootstrap.servers": "10.0.0.101:9601,10.0.0.102:9602",
    }
    files = separate()
    second = {**files[101], "node.id": "102", "listeners": "CONTROLLER://10.0.0.102:9602", "log.dirs": "/data/102"}
    return changed({**files, 102: second}, servers, (*ALL, 102))


def test_a_node_of_a_dynamic_quorum_ends_where_voters_have_no_listener_of_its_name(tmp_path: Path) -> None:
    """As 4.3 did: the voters are kept with the names of their listeners, and "Unknown endpoint for leader" ends a node."""
    old = dynamic()
    document = answer(tmp_path, old, with_controllers_listener_renamed(old))
    assert [(step["node"], step["starts"]) for step in document["steps"]] == [
        *((101, False), (102, False), (1, False), (2, False), (3, False))
    ]
    why = "node 101: it calls the controllers' listener CTRL, which controller 102 does not have: it ends"
    assert why in document["steps"][0]["why"]


def with_controllers_listener_renamed(files: Files) -> Files:
    """The files of three brokers and two controllers with another name of the controllers' listener."""
    renamed: Change = {
        "controller.listener.names": "CTRL",
        "listener.security.protocol.map": "CTRL:PLAINTEXT,PLAINTEXT:PLAINTEXT",
    }
    listeners_renamed: Change = {"listeners": lambda id: f"CTRL://10.0.0.{id}:{9500 + id}"}
    return changed(changed(files, renamed, (*ALL, 102)), listeners_renamed, (101, 102))


def test_a_controller_may_end_where_others_of_a_static_quorum_have_no_listener_of_its_name(tmp_path: Path) -> None:
    """As 4.3.1 did, in one round of two: "Received unexpected invalid request error" ended two of three."""
    static: Change = {
        "controller.quorum.voters": "101@10.0.0.101:9601,102@10.0.0.102:9602",
        "controller.quorum.bootstrap.servers": None,
    }
    old = changed(dynamic(), static, (*ALL, 102))
    document = answer(tmp_path, old, with_controllers_listener_renamed(old))
    assert document["verdict"] == "needs_passes"
    assert [(step["node"], step["starts"]) for step in document["steps"]][:2] == [(101, None), (102, True)]


def test_with_zookeeper_the_controller_tells_a_broker_what_to_follow(tmp_path: Path) -> None:
    """As 3.9 did: a broker that is advertised wrongly is in no ISR from the first step on, other than in KRaft."""
    wrong: Change = {"advertised.listeners": lambda id: f"PLAINTEXT://10.0.0.{id}:9300"}
    isr = {
        name: answer(tmp_path / name, old, changed(old, wrong), release)["steps"][0]["isr"]["0"]
        for name, old, release in (("zookeeper", zookeeper(), "3.9"), ("kraft", separate(), "3.9"))
    }
    assert isr == {"zookeeper": [2, 3], "kraft": [1, 2, 3]}


def test_new_controllers_in_place_of_combined_nodes_have_no_metadata(tmp_path: Path) -> None:
    voters = ",".join(f"{id}@10.0.0.{id}:{9500 + id}" for id in (101, 102, 103))
    old = combined()
    new = changed(
        old, {"process.roles": "broker", "controller.quorum.voters": voters, "listeners": listeners("PLAINTEXT")}
    )
    for id in (101, 102, 103):
        common = {"controller.listener.names": "CONTROLLER", "listener.security.protocol.map": MAP}
        new[id] = {"process.roles": "controller", "node.id": str(id), "listeners": f"CONTROLLER://10.0.0.{id}:{9500 + id}",
                   "controller.quorum.voters": voters, "log.dirs": f"/data/{id}", **common}  # fmt: skip
    document = answer(tmp_path, old, new)
    assert document["verdict"] == "unavailable_during" and document["passes"] == []
    assert document["steps"][-1]["why"] == [
        "a majority of the controllers has lost the metadata: brokers end when they see it"
    ]


@pytest.mark.parametrize(
    ("key", "value", "takes", "values"),
    [
        ("num.network.threads", "24", "dynamic, cluster-wide", ["6", "12", "24"]),
        ("num.io.threads", "2", "dynamic, cluster-wide", ["4", "2"]),
        ("log.cleaner.threads", "3", "dynamic, cluster-wide", ["2", "3"]),
        ("listener.name.plaintext.ssl.client.auth", "required", "restart", []),
        ("listener.name.plaintext.plain.sasl.jaas.config", "x.y.Module required;", "restart", []),
        ("listener.name.plaintext.max.connections", "7", "dynamic, this broker", ["7", "7", "7"]),
        ("listener.name.plaintext.ssl.keystore.password", "canary", "dynamic, this broker",
         ["<the value that the new file has>"] * 3),
    ],
)  # fmt: skip
def test_what_a_running_broker_takes(tmp_path: Path, key: str, value: str, takes: str, values: list[str]) -> None:
    old = separate()
    (row,) = answer(tmp_path, old, changed(old, {key: value}, BROKERS))["changes"]
    assert row["takes"] == takes
    assert [text.partition(f"{key}=")[2].strip("'\"") for text in row["commands"]] == values


def test_no_pass_changes_the_protocol_of_a_listener_that_clients_still_use(tmp_path: Path) -> None:
    """Whatever else changes with it: a mechanism that is added first moves no client."""
    old = changed(separate(), SWITCHED)
    change: Change = {
        "listener.security.protocol.map": MAP.replace("PLAINTEXT:PLAINTEXT", "PLAINTEXT:SASL_PLAINTEXT", 2).replace(
            "CONTROLLER:SASL_PLAINTEXT", "CONTROLLER:PLAINTEXT"
        ),
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.plaintext.plain.sasl.jaas.config": PLAIN,
    }
    document = answer(tmp_path, old, changed(old, change))
    assert [each["title"] for each in document["passes"]] == [
        "add PLAINTEXT_NEXT with the new protocol",
        "change the protocol of PLAINTEXT, which nodes do not use meanwhile",
        "take PLAINTEXT_NEXT away",
    ]
    assert "no connection is left on PLAINTEXT " in document["passes"][1]["before"][0]


def test_what_clients_do_not_reach_refuses_no_writes(tmp_path: Path) -> None:
    old = changed(separate(), SWITCHED)
    new = changed(old, {"listener.security.protocol.map": MAP.replace(",PLAINTEXT:PLAINTEXT", ",PLAINTEXT:SSL")})
    for side, files in (("old", old), ("new", new)):
        (tmp_path / side).mkdir()
        for id, keys in files.items():
            text = "\n".join(f"{key}={value}" for key, value in keys.items())
            (tmp_path / side / f"node-{id}.properties").write_text(text)
    out = run("rollout", tmp_path / "old", tmp_path / "new").out
    assert "out of reach of clients" in out
    assert "refuse acks=all" not in out
