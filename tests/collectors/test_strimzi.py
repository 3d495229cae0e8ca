"""What Strimzi makes of a typed field is known: authorizers, logins, listeners, tiered storage, reporters of metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

CLUSTER = """apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata:
  name: c
spec:
  kafka:
    version: {version}
    listeners:
      - name: plain
        port: 9092
        type: internal
        tls: true
{login}{fields}    config:
      default.replication.factor: 3
      min.insync.replicas: 2
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata:
  name: pool
  labels:
    strimzi.io/cluster: c
spec:
  replicas: 3
  roles: [broker, controller]
  storage:
    type: persistent-claim
    size: 100Gi
"""


def login(*lines: str) -> str:
    return "        authentication:\n" + "".join(f"          {line}\n" for line in lines)


def fields(*lines: str) -> str:
    return "".join(f"    {line}\n" for line in lines)


STARTS = {
    "simple": ("", fields("authorization:", "  type: simple")),
    "keycloak": ("", fields("authorization:", "  type: keycloak", "  clientId: kafka")),
    "opa": ("", fields("authorization:", "  type: opa", "  url: http://opa:8181")),
    "SCRAM": (login("type: scram-sha-512"), ""),
    "OAuth": (login("type: oauth"), ""),
    "mutual TLS": (login("type: tls"), ""),
    "racks": ("", fields("rack:", "  topologyKey: topology.kubernetes.io/zone")),
    "reporters": ("", fields("metricsConfig:", "  type: strimziMetricsReporter")),
    "a login of one's own": (
        login(
            "type: custom",
            "sasl: true",
            "listenerConfig:",
            "  sasl.enabled.mechanisms: SCRAM-SHA-512",
            "  scram-sha-512.sasl.jaas.config: org.apache.kafka.common.security.scram.ScramLoginModule required;",
        ),
        "",
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_a_typed_field_leaves_nothing_open(name: str, tmp_path: Path) -> None:
    of_listener, of_cluster = STARTS[name]
    path = tmp_path / "kafka.yaml"
    path.write_text(CLUSTER.format(version="4.1.0", login=of_listener, fields=of_cluster))
    assert run("lint", path, "--no-config", "--format", "json").json["unknown"] == []
    out = run("starts", path).out
    assert "to 4.4    starts" in out
    assert "unknown" not in out


@pytest.mark.parametrize(
    ("name", "lines", "why"),
    [
        (
            "a class of one's own",
            ("authorization:", "  type: custom", "  authorizerClass: io.acme.Mine"),
            "io.acme.Mine",
        ),
        ("a custom one without its class", ("authorization:", "  type: custom"), "filled in later"),
        (
            "tiered storage",
            ("tieredStorage:", "  type: custom", "  remoteStorageManager:", "    className: io.acme.Rsm"),
            "io.acme.Rsm",
        ),
    ],
)
def test_what_a_typed_field_leaves_open_is_unknown(name: str, lines: tuple[str, ...], why: str, tmp_path: Path) -> None:
    path = tmp_path / "kafka.yaml"
    path.write_text(CLUSTER.format(version="4.1.0", login="", fields=fields(*lines)))
    out = run("starts", path).out
    assert "unknown" in out
    assert why in out


@pytest.mark.parametrize(("version", "name"), [("2.3.0", "SimpleAclAuthorizer"), ("3.5.0", "AclAuthorizer")])
def test_the_authorizer_is_the_one_of_the_release(version: str, name: str, tmp_path: Path) -> None:
    text = CLUSTER.format(version=version, login="", fields=fields("replicas: 3", "authorization:", "  type: simple"))
    path = tmp_path / "kafka.yaml"
    path.write_text(text.partition("---")[0] + "  zookeeper:\n    replicas: 3\n")
    assert f".{name}" in run("effective", path).out
