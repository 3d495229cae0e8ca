"""Bitnami's chart from 24 on: what its templates make of the values, node by node."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

HEAD = "image: {{repository: bitnami/kafka}}\ncontroller: {{replicaCount: 3, {controller}}}\n{more}\n"
SECURE = "listeners: {{client: {{protocol: SASL_SSL}}, interbroker: {{protocol: SASL_SSL}}, controller: {{protocol: SASL_SSL}}{}}}"
OPEN = """listeners:
  client: {protocol: SASL_SSL}
  interbroker: {protocol: PLAINTEXT}
  controller: {protocol: PLAINTEXT}
  external: {protocol: PLAINTEXT}
externalAccess: {enabled: true}"""
MAP, NAME = "listener.security.protocol.map", "inter.broker.listener.name"


def settings(path: Path, more: str, controller: str = "controllerOnly: false") -> list[dict[str, str]]:
    """The settings of each kind of node."""
    path.write_text(HEAD.format(controller=controller, more=more))
    documents = run("effective", path, "--format", "json").json
    return [
        {row["key"]: row["value"] for row in each["settings"]}
        for each in (documents if isinstance(documents, list) else [documents])
    ]


def test_combined_nodes_have_the_controllers_listener_as_well(tmp_path: Path) -> None:
    (node,) = settings(tmp_path / "values.yaml", SECURE.format(""))
    assert node["listeners"] == "CLIENT://:9092,INTERNAL://:9094,CONTROLLER://:9093"
    assert node[MAP] == "CLIENT:SASL_SSL,INTERNAL:SASL_SSL,CONTROLLER:SASL_SSL"
    assert (node[NAME], node["controller.listener.names"]) == ("INTERNAL", "CONTROLLER")
    assert (node["process.roles"], node["node.id"]) == ("controller,broker", "0")
    assert node["sasl.mechanism.inter.broker.protocol"] == node["sasl.mechanism.controller.protocol"] == "PLAIN"
    assert "listener.name.controller.scram-sha-512.sasl.jaas.config" in node
    assert node["ssl.client.auth"] == "required"


def test_a_protocol_that_is_left_out_is_sasl_without_tls(tmp_path: Path) -> None:
    (node,) = settings(
        tmp_path / "values.yaml", "listeners: {client: {protocol: SSL}}\nexternalAccess: {enabled: true}"
    )
    others = ",".join(f"{name}:SASL_PLAINTEXT" for name in ("INTERNAL", "EXTERNAL", "CONTROLLER"))
    assert node[MAP] == f"CLIENT:SSL,{others}"


def test_controllers_and_brokers_of_their_own(tmp_path: Path) -> None:
    more = f"broker: {{replicaCount: 3, minId: 200}}\n{SECURE.format('')}"
    controller, broker = settings(tmp_path / "values.yaml", more, "controllerOnly: true, minId: 10")
    assert (controller["process.roles"], controller["node.id"]) == ("controller", "10")
    assert (broker["process.roles"], broker["node.id"]) == ("broker", "200")
    assert controller["listeners"] == "CONTROLLER://:9093"
    assert broker["listeners"] == "CLIENT://:9092,INTERNAL://:9094"
    assert broker[MAP].endswith("CONTROLLER:SASL_SSL")
    assert controller["controller.quorum.voters"].startswith("10@controller-0:9093,11@")
    assert NAME not in controller
    assert not any("listener.name.client." in key for key in controller)


LISTENERS = {
    "a name and a port": (", external: {}, interbroker: {name: brokers, containerPort: 9099}", "listeners", "CLIENT://:9092,BROKERS://:9099,CONTROLLER://:9093"),
    "extraListeners": (", extraListeners: [{name: custom, containerPort: 9097, protocol: SSL}]", "listeners", "CLIENT://:9092,INTERNAL://:9094,CONTROLLER://:9093,CUSTOM://:9097"),
    "extraListeners' protocols": (", extraListeners: [{name: custom, containerPort: 9097, protocol: SSL}]", MAP, "CLIENT:SASL_SSL,INTERNAL:SASL_SSL,CONTROLLER:SASL_SSL,CUSTOM:SSL"),
    "overrideListeners": (', overrideListeners: "A://:1,CONTROLLER://:9093"', "listeners", "A://:1,CONTROLLER://:9093"),
    "securityProtocolMap": (', securityProtocolMap: "A:SSL"', MAP, "A:SSL"),
    "advertisedListeners": (', advertisedListeners: "CLIENT://k:9092"', "advertised.listeners", "CLIENT://k:9092"),
    "sslClientAuth": (", external: {sslClientAuth: required}, client: {protocol: SASL_SSL, sslClientAuth: requested}", "listener.name.client.ssl.client.auth", "requested"),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTENERS)
def test_fields_of_listeners(name: str, tmp_path: Path) -> None:
    fields, key, value = LISTENERS[name]
    (node,) = settings(tmp_path / "values.yaml", SECURE.format(fields))
    assert node[key] == value


LEFT_OPEN = {
    "a file of settings of one's own": (f"{SECURE.format('')}\nconfig: {{log.retention.hours: 5}}", "listeners"),
    "a ConfigMap of one's own": (f"{SECURE.format('')}\nexistingConfigmap: mine", "process.roles"),
    "a protocol that is filled in later": ("listeners: {client: {protocol: '${PROTOCOL}'}}", "sasl.enabled.mechanisms"),
    "ZooKeeper": (f"{SECURE.format('')}\nkraft: {{enabled: false}}\nzookeeper: {{enabled: true}}", "process.roles"),
}


@pytest.mark.parametrize("name", LEFT_OPEN)
def test_what_the_values_do_not_decide_is_left_open(name: str, tmp_path: Path) -> None:
    more, key = LEFT_OPEN[name]
    assert not any(key in node for node in settings(tmp_path / "values.yaml", more))


WHOLE = {
    "listeners": "CLIENT://:9092,INTERNAL://:9094,CONTROLLER://:9093",
    MAP: "CLIENT:SASL_PLAINTEXT,INTERNAL:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
    NAME: "INTERNAL",
    "log.dirs": "/bitnami/kafka/data",
    "metadata.log.dir": "/bitnami/kafka/data",
}


@pytest.mark.parametrize(
    ("beside", "image", "is_known"),
    [
        ("Chart.yaml", "bitnami/kafka", True),
        ("topics.yaml", "registry.example.org/bitnami/kafka", True),
        ("values-prod.yaml", "bitnami/kafka", False),
        ("Chart.yaml", "acme/kafka", False),
    ],
)
def test_values_without_listeners_have_those_of_the_chart_where_no_others_are(
    beside: str, image: str, is_known: bool, tmp_path: Path
) -> None:
    (tmp_path / beside).write_text("a: b\n")
    (tmp_path / "values.yaml").write_text(f"image: {{repository: {image}}}\ncontroller: {{replicaCount: 3}}\n")
    rows = run("effective", tmp_path / "values.yaml", "--format", "json").json["settings"]
    assert {row["key"]: row["value"] for row in rows if row["key"] in WHOLE} == (WHOLE if is_known else {})


def test_the_folder_of_the_logs_is_below_the_volume(tmp_path: Path) -> None:
    (node,) = settings(tmp_path / "values.yaml", "", "persistence: {mountPath: /data}")
    assert node["log.dirs"] == "/data/data"


def test_values_need_no_word_of_kafka_in_a_file_that_is_called_so(tmp_path: Path) -> None:
    file = tmp_path / "kafka-values.yaml"
    file.write_text("controller: {replicaCount: 3}\nexternalAccess: {enabled: true}\n")
    assert "KA1712" in {row["rule"] for row in run("lint", file, "--no-config", "--format", "json").json["findings"]}


OVERRIDDEN = {
    "extraConfig": 'extraConfig: "ssl.client.auth=none"',
    "overrideConfiguration": "overrideConfiguration: {ssl.client.auth: none}",
    "tls.sslClientAuth": "tls: {sslClientAuth: none}",
}


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_what_is_written_counts_more_than_what_the_chart_computes(name: str, tmp_path: Path) -> None:
    (node,) = settings(tmp_path / "values.yaml", f"{SECURE.format('')}\n{OVERRIDDEN[name]}")
    assert node["ssl.client.auth"] == "none"


def rules(path: Path, more: str) -> set[str]:
    path.write_text(HEAD.format(controller="persistence: {enabled: true, size: 100Gi}", more=more))
    return {row["rule"] for row in run("lint", path, "--no-config", "--format", "json").json["findings"]}


def test_every_listener_is_judged(tmp_path: Path) -> None:
    assert {"KA601", "KA602", "KA603", "KA1712"} <= rules(tmp_path / "values.yaml", OPEN)


@pytest.mark.parametrize("login", ["PLAIN", "OAUTHBEARER", "SCRAM-SHA-512,PLAIN"])
def test_good_values_are_no_false_alarm(login: str, tmp_path: Path) -> None:
    more = f'{SECURE.format(", external: {protocol: SASL_SSL}")}\nexternalAccess: {{enabled: true}}\nsasl: {{enabledMechanisms: "{login}", interBrokerMechanism: {login.rpartition(",")[2]}, controllerMechanism: {login.rpartition(",")[2]}}}'
    lines = "default.replication.factor=3\\nmin.insync.replicas=2\\nauto.create.topics.enable=false"
    written = f'{more}\nextraConfig: "{lines}"\nbrokerRackAwareness: {{enabled: true}}'
    assert rules(tmp_path / "values.yaml", written) <= {"KA504", "KA608"}


LEFT_OUT: dict[str, tuple[str, set[str]]] = {
    "nothing": ("", {"KA102", "KA103"}),
    "a role's own lines": ("broker: {extraConfig: x.y=z}", {"KA102", "KA103"}),
    "factors of three": ('extraConfig: "default.replication.factor=3\\nmin.insync.replicas=2"', set()),
    "a map of overrides": ("overrideConfiguration: {default.replication.factor: 3, min.insync.replicas: 2}", set()),
    "a ConfigMap": ("existingConfigmap: mine", set()),
    "a file of settings": ("config: {log.retention.hours: 5}", set()),
    "secret settings": ("existingSecretConfig: mine", set()),
    "variables of a ConfigMap": ("extraEnvVarsCM: mine", set()),
    "a variable of Kafka's": ("extraEnvVars: [{name: KAFKA_CFG_MIN_INSYNC_REPLICAS, value: '2'}]", set()),
    "ZooKeeper": ("kraft: {enabled: false}\nzookeeper: {enabled: true}", set()),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_the_chart_does_not_write_has_kafkas_default(name: str, tmp_path: Path) -> None:
    more, expected = LEFT_OUT[name]
    assert rules(tmp_path / "values.yaml", f"{SECURE.format('')}\n{more}") & {"KA102", "KA103"} == expected


@pytest.mark.parametrize("text", ["controller: {replicaCount: 5}\n", "extraConfig: |\n  min.insync.replicas=2\n"])
def test_values_that_may_be_laid_over_leave_the_defaults_open(text: str, tmp_path: Path) -> None:
    (tmp_path / "production.yaml").write_text(text)
    assert not rules(tmp_path / "values.yaml", SECURE.format("")) & {"KA102", "KA103"}


def test_the_nodes_of_a_rollout_have_the_ids_of_the_voters(tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text(HEAD.format(controller="minId: 4", more=SECURE.format("")))
    (tmp_path / "new.yaml").write_text(
        HEAD.format(controller="minId: 4", more=f"{SECURE.format('')}\nextraConfig: num.io.threads=16")
    )
    out = run("rollout", tmp_path / "values.yaml", tmp_path / "new.yaml").out
    assert "node 4, node 5, node 6" in out
    assert "its file is not here" not in out


def test_values_are_known_by_the_listener_between_brokers(tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text("listeners: {interbroker: {protocol: PLAINTEXT}}\n")
    found = run("lint", tmp_path / "values.yaml", "--no-config", "--format", "json").json["findings"]
    assert "KA603" in {row["rule"] for row in found}
