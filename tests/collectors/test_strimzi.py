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


POOL = """---
apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata:
  name: {name}
  labels:
    strimzi.io/cluster: c
spec:
  replicas: {replicas}
  roles: [broker]
  storage:
    type: persistent-claim
    size: 100Gi
"""


def pools(tmp_path: Path, version: str, a: str = "3", controllers: str = "3", retention: str = "7") -> Path:
    """A cluster of a pool of controllers and two of brokers."""
    text = CLUSTER.format(version=version, login="", fields="").replace("[broker, controller]", "[controller]")
    text = text.replace("replicas: 3", f"replicas: {controllers}").replace(
        "min.insync.replicas: 2", f"min.insync.replicas: 2\n      queued.max.requests: {retention}"
    )
    path = tmp_path / f"{a}-{controllers.strip('{} .')}-{retention}.yaml"
    path.write_text(text + POOL.format(name="a", replicas=a) + POOL.format(name="b", replicas="3"))
    return path


def test_pools_of_brokers_have_ids_of_their_own(tmp_path: Path) -> None:
    rules = {row["rule"] for row in run("lint", pools(tmp_path, "4.3.0"), "--format", "json").json["findings"]}
    assert "KA305" not in rules and "KA608" in rules


def test_a_number_of_controllers_that_is_filled_in_later_is_no_quorum_of_one(tmp_path: Path) -> None:
    known, later = pools(tmp_path, "4.3.0", controllers="1"), pools(tmp_path, "4.3.0", controllers="{{ .Values.size }}")
    for path, fires in ((known, True), (later, False)):
        document = run("lint", path, "--format", "json").json
        assert any(row["rule"] == "KA501" for row in document["findings"]) is fires
    assert any("KA501" in str(row) for row in document["unknown"])


def test_every_node_of_every_pool_is_restarted_in_turn(tmp_path: Path) -> None:
    old, new = pools(tmp_path, "4.3.0"), pools(tmp_path, "4.3.0", a="4", retention="9")
    document = run("rollout", old, new, "--format", "json").json
    nodes = [step["node"] for step in document["steps"]]
    assert document["verdict"] == "safe" and len(nodes) == 9
    assert nodes[:4] == [0, 1, 2, 100]
    assert "4. a (1 of 3): all in sync; writes served" in run("rollout", old, new).out
    assert "node.id" not in run("diff", old, new).out


@pytest.mark.parametrize(
    ("text", "read"),
    [
        *(("3e+9", "3000000000"), ("1.5e3", "1500"), ("1e-1", "1e-1"), ('"3e+9"', "3e+9")),
        *(
            ("0x1F", "31"),
            ("0o17", "15"),
            ("0b11", "3"),
            ("0_17", "15"),
            ("86_400_000", "86400000"),
            ("0xg", "0xg"),
            ('"0x1f"', "0x1f"),
            ("1.5", "1.5"),
        ),
    ],
)
def test_a_whole_number_in_any_notation_is_what_the_api_server_makes_of_it(
    text: str, read: str, tmp_path: Path
) -> None:
    path = tmp_path / "topic.yaml"
    path.write_text(
        "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata:\n  name: t\nspec:\n  partitions: 3\n"
        f"  replicas: 3\n  config:\n    retention.ms: {text}\n"
    )
    rows = run("lint", path, "--format", "json").json["findings"]
    assert any(row["rule"] == "KA1409" for row in rows) is not read.isdigit()


@pytest.mark.parametrize("count", ["1", "0x1", "0o1", "01", "0b1", "1.0", "+1", "1e0"])
def test_a_topic_of_one_replica_is_one_in_any_notation(count: str, tmp_path: Path) -> None:
    path = tmp_path / "topic.yaml"
    path.write_text(
        "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: t}\n"
        f"spec: {{partitions: 3.0, replicas: {count}}}\n"
    )
    rows = run("lint", path, "--format", "json").json["findings"]
    assert {row["rule"] for row in rows if row["severity"] in ("critical", "high")} == {"KA156"}


@pytest.mark.parametrize(("tls", "is_found"), [("{{ .Values.tls }}", False), ("false", True), ("true", False)])
def test_tls_that_a_template_fills_in_is_not_known(tls: str, is_found: bool, tmp_path: Path) -> None:
    listener = f"{{name: out, port: 9094, type: loadbalancer, tls: {tls}, authentication: {{type: scram-sha-512}}}}"
    text = f"apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {{name: k}}\nspec:\n  kafka:\n    version: 4.1.0\n    listeners:\n      - {listener}\n"
    path = tmp_path / "kafka.yaml"
    path.write_text(text)
    document = run("lint", path, "--no-config", "--format", "json").json
    assert ("KA1712" in {row["rule"] for row in document["findings"]}) == is_found
    assert ("KA1712" in str(document["unknown"])) == ("{" in tls)


VOLUME = "{{id: {}, type: persistent-claim, size: 1Gi{}}}"
NO_CERTIFICATE = ("listener.name.plain-9092.ssl.keystore.location", "/tmp/kafka/cluster.keystore.p12")
FOLDERS = {
    "one volume": ("type: persistent-claim, size: 1Gi", "/var/lib/kafka/data/kafka-log0", "/var/lib/kafka/data/kafka-log0"),
    "JBOD": (f"type: jbod, volumes: [{VOLUME.format(0, '')}]", "/var/lib/kafka/data-0/kafka-log0", "/var/lib/kafka/data-0/kafka-log0"),
    "the lowest id has the metadata": (f"type: jbod, volumes: [{VOLUME.format(2, '')}, {VOLUME.format(1, '')}]", "/var/lib/kafka/data-2/kafka-log0,/var/lib/kafka/data-1/kafka-log0", "/var/lib/kafka/data-1/kafka-log0"),
    "the marked one has the metadata": (f"type: jbod, volumes: [{VOLUME.format(0, '')}, {VOLUME.format(1, ', kraftMetadata: shared')}]", "/var/lib/kafka/data-0/kafka-log0,/var/lib/kafka/data-1/kafka-log0", "/var/lib/kafka/data-1/kafka-log0"),
}  # fmt: skip


def with_storage(storage: str, listener: str = "") -> str:
    text = CLUSTER.format(version="4.1.0", login=listener, fields="")
    return text.partition("  storage:\n")[0] + f"  storage: {{{storage}}}\n"


def settings_of(path: Path, text: str) -> dict[str, str]:
    path.write_text(text)
    return {row["key"]: row["value"] for row in run("effective", path, "--format", "json").json["settings"]}


@pytest.mark.parametrize("name", FOLDERS)
def test_the_folders_are_on_the_volumes(name: str, tmp_path: Path) -> None:
    storage, folders, metadata = FOLDERS[name]
    found = settings_of(tmp_path / "kafka.yaml", with_storage(storage))
    assert (found["log.dirs"], found["metadata.log.dir"]) == (folders, metadata)
    assert "ssl.keystore.location" not in found
    assert found[NO_CERTIFICATE[0]] == NO_CERTIFICATE[1]


def test_a_listener_with_a_certificate_of_its_own_is_not_signed_by_the_cluster(tmp_path: Path) -> None:
    own = "        configuration: {brokerCertChainAndKey: {secretName: s, certificate: c, key: k}}\n"
    found = settings_of(tmp_path / "kafka.yaml", with_storage("type: ephemeral", own))
    assert found[NO_CERTIFICATE[0]] == "/tmp/kafka/custom-plain-9092.keystore.p12"
    assert found["listener.name.replication-9091.ssl.keystore.location"] == NO_CERTIFICATE[1]


@pytest.mark.parametrize("more", [f", {VOLUME.format(1, '')}", f", {VOLUME.format(1, ', kraftMetadata: shared')}"])
def test_the_operator_formats_a_volume_that_is_new(more: str, tmp_path: Path) -> None:
    for name, volumes in (("old.yaml", ""), ("new.yaml", more)):
        (tmp_path / name).write_text(with_storage(f"type: jbod, volumes: [{VOLUME.format(0, '')}{volumes}]"))
    out = run("rollout", tmp_path / "old.yaml", tmp_path / "new.yaml").out
    assert "does not start" not in out and "format it" not in out


@pytest.mark.parametrize(("version", "lines"), [("v1beta2", [1, 6, 11, 16]), ("v1", [])])
def test_every_resource_of_an_old_version_is_to_be_converted(tmp_path: Path, version: str, lines: list[int]) -> None:
    resource = "apiVersion: kafka.strimzi.io/{0}\nkind: {1}\nmetadata: {{name: a, labels: {{strimzi.io/cluster: a}}}}\nspec: {2}\n"
    specs = {
        "Kafka": "{kafka: {version: 4.1.0, listeners: [{name: tls, port: 9093, type: internal, tls: true}]}}",
        "KafkaNodePool": "{replicas: 3, roles: [controller, broker], storage: {type: persistent-claim, size: 10Gi}}",
        "KafkaTopic": "{partitions: 3, replicas: 3}",
        "KafkaUser": "{authentication: {type: tls}}",
    }
    (tmp_path / "k.yaml").write_text("---\n".join(resource.format(version, *each) for each in specs.items()))
    rows = run("lint", tmp_path / "k.yaml", "--format", "json").json["findings"]
    assert [row["line"] for row in rows if row["rule"] == "KA1721"] == lines
