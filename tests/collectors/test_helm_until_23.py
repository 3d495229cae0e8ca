"""Bitnami's chart up to 23 in KRaft mode: roles, voters, listeners and ports as its templates make them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

HEAD = "image: {{repository: bitnami/kafka, tag: {tag}}}\nreplicaCount: 2\ndefaultReplicationFactor: 2\n{more}\n"
KRAFT, OUTSIDE = "kraft: {enabled: true}", "externalAccess: {enabled: true}"
OWN_ROLES = "kraft: {enabled: true, processRoles: broker, controllerQuorumVoters: 9@c:9093}"
AUTH = "auth: {clientProtocol: sasl_tls, interBrokerProtocol: tls}"
MAP, VOTERS = "listener.security.protocol.map", "controller.quorum.voters"
COMPUTED = {
    "ports of 21": ("3.4.0", KRAFT, "listeners", "INTERNAL://:9093,CLIENT://:9092,CONTROLLER://:9095"),
    "ports of 22": ("3.4.1", KRAFT, "listeners", "INTERNAL://:9094,CLIENT://:9092,CONTROLLER://:9093"),
    "ports of 23": ("3.5.1-debian-11-r7", f"{KRAFT}\n{OUTSIDE}", "listeners", "INTERNAL://:9094,CLIENT://:9092,CONTROLLER://:9093,EXTERNAL://:9095"),
    "a port that is written": ("3.5.1", f"{KRAFT}\ncontainerPorts: {{internal: 1}}", "listeners", "INTERNAL://:1,CLIENT://:9092,CONTROLLER://:9093"),
    "ports of ZooKeeper mode": ("3.5.1", f"zookeeper: {{enabled: true}}\n{AUTH}", "listeners", "INTERNAL://:9094,CLIENT://:9092"),
    "ports of ZooKeeper mode, 20": ("3.3.2", f"zookeeper: {{enabled: true}}\n{AUTH}", "listeners", "INTERNAL://:9093,CLIENT://:9092"),
    "voters": ("3.4.0", KRAFT, VOTERS, "0@kafka-0:9095,1@kafka-1:9095"),
    "voters from an id on": ("3.5.1", f"{KRAFT}\nminId: 5", VOTERS, "5@kafka-0:9093,6@kafka-1:9093"),
    "voters that are written": ("3.5.1", "kraft: {enabled: true, controllerQuorumVoters: 9@c:9093}", VOTERS, "9@c:9093"),
    "voters that the script of 21 replaces": ("3.4.0", "kraft: {enabled: true, controllerQuorumVoters: 9@c:9093}", VOTERS, "0@kafka-0:9095,1@kafka-1:9095"),
    "voters of brokers": ("3.4.0", OWN_ROLES, VOTERS, "9@c:9093"),
    "roles": ("3.4.0", OWN_ROLES, "process.roles", "broker"),
    "protocols": ("3.5.1", f"{KRAFT}\n{AUTH}", MAP, "INTERNAL:SSL,CLIENT:SASL_SSL,CONTROLLER:PLAINTEXT"),
    "the controllers' protocol": ("3.5.1", f"{KRAFT}\nauth: {{controllerProtocol: tls}}", MAP, "INTERNAL:PLAINTEXT,CLIENT:PLAINTEXT,CONTROLLER:SSL"),
    "the protocol outside is the clients'": ("3.5.1", f"{KRAFT}\n{OUTSIDE}\n{AUTH}", MAP, "INTERNAL:SSL,CLIENT:SASL_SSL,CONTROLLER:PLAINTEXT,EXTERNAL:SASL_SSL"),
    "logins": ("3.5.1", f"{KRAFT}\n{AUTH}", "sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512"),
    "one switch for logins": ("2.5.0", "auth: {enabled: true}", "listeners", "SASL_PLAINTEXT://:9092"),
    "one switch for logins, and TLS": ("2.5.0", "auth: {enabled: true, ssl: true}", "listeners", "SASL_SSL://:9092,SSL://:9093"),
    "TLS without logins": ("2.5.0", "auth: {enabled: false, ssl: true}", "listeners", "SSL://:9093"),
    "either mode": ("3.5.1", "", "process.roles", "${kraft.enabled}"),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPUTED)
def test_what_the_templates_compute(name: str, tmp_path: Path) -> None:
    tag, more, key, value = COMPUTED[name]
    (tmp_path / "values.yaml").write_text(HEAD.format(tag=tag, more=more))
    rows = run("effective", tmp_path / "values.yaml", "--format", "json").json["settings"]
    assert [row["value"] for row in rows if row["key"] == key] == [value]


REFUSED = {
    "brokers that open the controllers' listener": (OWN_ROLES, {"KA513"}),
    "brokers with listeners of their own": (f"{OWN_ROLES}\nlisteners: ['INTERNAL://:9094', 'CLIENT://:9092']", set()),
    "combined nodes": (KRAFT, set()),
    "either mode": ("", set()),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_kafka_refuses(name: str, tmp_path: Path) -> None:
    more, rules = REFUSED[name]
    (tmp_path / "values.yaml").write_text(HEAD.format(tag="3.5.1", more=more))
    rows = run("lint", tmp_path / "values.yaml", "--no-config", "--format", "json").json["findings"]
    assert {row["rule"] for row in rows if row["refused_by_kafka"]} == rules
