"""`check` on a secured cluster: TLS, SCRAM, and principals that may see all, less, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.cli.commands.check import ACLS
from tests.live.kafka.harness import Cluster, needs_kafka
from tests.support.commands import Ran, process, run

CANARY = "canary-Pa55word"
CONFIG = {
    "default.replication.factor": "3",
    "offsets.topic.num.partitions": "3",
    "min.insync.replicas": "2",
    "listener.name.sasl_ssl.plain.sasl.jaas.config": "org.apache.kafka.common.security.plain.PlainLoginModule required "
    f'username="x" password="{CANARY}";',
    "own.plugin.password": CANARY,
}
OPERATIONS = {"Describe": "DESCRIBE", "DescribeConfigs": "DESCRIBE_CONFIGS"}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three brokers with TLS, SCRAM and an authorizer; users with the printed rights, with fewer and with none."""
    needs_kafka("4.3.1")
    with Cluster.kraft(tmp_path_factory.mktemp("secured"), brokers=3, config=CONFIG, secured=True) as running:
        running.create("orders", partitions=2, rf=3)
        for name in ("reader", "shy", "nobody", "orders-only"):
            running.add_user(name, f"{CANARY}-{name}")
        for resource, name, operations, _ in ACLS:
            running.allow("reader", resource, name, [OPERATIONS[operation] for operation in operations])
            running.allow("shy", resource, name, ["DESCRIBE"])
        running.allow("orders-only", "topic", "orders", ["DESCRIBE", "DESCRIBE_CONFIGS"])
        yield running


def as_user(cluster: Cluster, folder: Path, user: str | None, style: str = "librdkafka") -> list[str]:
    file = folder / f"{user}.properties"
    file.write_text(cluster.properties(user=user, style=style))
    return ["--bootstrap-server", cluster.bootstrap, "--command-config", str(file), "--timeout", "40"]


def check(cluster: Cluster, folder: Path, user: str | None) -> Ran:
    ran = run("check", *as_user(cluster, folder, user), "--format", "json")
    assert CANARY not in ran.out + ran.err
    return ran


def unknown(ran: Ran) -> dict[tuple[str, str], str]:
    """Reasons by rule and kind of subject."""
    return {(row["rule"], row["entity"]["kind"]): row["reason"] for row in ran.json["unknown"]}


def test_the_printed_rights_are_enough(cluster: Cluster, tmp_path: Path) -> None:
    admin, reader = check(cluster, tmp_path, None), check(cluster, tmp_path, "reader")
    assert admin.json["findings"] == reader.json["findings"]
    assert reader.json["unknown"] == admin.json["unknown"]
    hidden = {row["reason"] for row in reader.json["unknown"]}
    assert all("a running broker does not show its value" in reason for reason in hidden), hidden


def test_the_files_min_insync_replicas_does_not_count(cluster: Cluster, tmp_path: Path) -> None:
    """Eligible leader replicas: the controller's value, 1 by default, stands above the brokers' files (KIP-966)."""
    (row,) = [row for row in check(cluster, tmp_path, "reader").json["findings"] if row["rule"] == "KA165"]
    assert (row["entity"]["kind"], row["shared_by"]) == ("cluster", ["1", "2", "3"])
    assert row["message"] == "1 is in effect, not 2 as in the broker's file"
    assert row["value"] == "1"
    assert row["proof"]


def test_without_describe_configs_settings_are_unknown(cluster: Cluster, tmp_path: Path) -> None:
    ran = check(cluster, tmp_path, "shy")
    reasons = unknown(ran)
    assert "needs DESCRIBE_CONFIGS on the cluster" in reasons["KA103", "broker"]
    assert "needs DESCRIBE_CONFIGS on topic *" in reasons["KA221", "topic"]
    assert not [row for row in ran.json["findings"] if row["entity"]["kind"] in ("broker", "topic")]
    assert ran.json["summary"]["passed"] > 0


def test_empty_because_forbidden_is_unknown(cluster: Cluster, tmp_path: Path) -> None:
    reasons = unknown(check(cluster, tmp_path, "nobody"))
    assert "needs DESCRIBE on topic *" in reasons["KA220", "topic"]
    assert "needs DESCRIBE on group *" in reasons["KA1161", "group"]
    assert "needs DESCRIBE on the cluster" in reasons["KA680", "cluster"]
    assert ("KA540", "quorum") in reasons


def test_topics_that_are_hidden_are_unknown_beside_those_that_are_seen(cluster: Cluster, tmp_path: Path) -> None:
    ran = check(cluster, tmp_path, "orders-only")
    names = {row["entity"]["name"] for row in ran.json["unknown"] if row["entity"]["kind"] == "topic"}
    assert names == {"*"}
    assert "the 1 that are seen" in unknown(ran)["KA220", "topic"]


def test_java_settings_connect_as_well(cluster: Cluster, tmp_path: Path) -> None:
    text = cluster.properties(user="reader", style="java")
    file = tmp_path / "client.properties"
    file.write_text(text)
    ran = run("check", "--bootstrap-server", cluster.bootstrap, "--command-config", file, "--timeout", "30")
    assert CANARY not in ran.out + ran.err
    if "keytool" in ran.err:  # a PKCS12 trust store cannot be read without Java: the line says what helps
        assert ran.code == 2
        pem = text.replace("ssl.truststore", "#ssl.truststore") + f"ssl.ca.location={authority(cluster)}\n"
        file.write_text(pem)
        ran = run("check", "--bootstrap-server", cluster.bootstrap, "--command-config", file, "--timeout", "30")
    assert ran.code in (0, 1), ran.err


def authority(cluster: Cluster) -> str:
    lines = dict(line.split("=", 1) for line in cluster.properties(style="librdkafka").splitlines())
    return lines["ssl.ca.location"]


def test_a_refused_login_says_so_at_once(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "wrong.properties"
    file.write_text(cluster.properties(user="reader", style="librdkafka").replace(f"{CANARY}-reader", "no"))
    ran = run("check", "--bootstrap-server", cluster.bootstrap, "--command-config", file, "--timeout", "30")
    assert ran.code == 4
    assert "login refused" in ran.err
    assert "uthentication failed" in ran.err


def test_plaintext_to_a_tls_port_is_exit_4(cluster: Cluster) -> None:
    ran = run("check", "--bootstrap-server", cluster.bootstrap, "--timeout", "5")
    assert ran.code == 4
    assert cluster.bootstrap in ran.err


def test_no_secret_in_a_snapshot_at_any_verbosity(cluster: Cluster, tmp_path: Path) -> None:
    options = as_user(cluster, tmp_path, "reader")
    saved = tmp_path / "cluster.json"
    assert run("snapshot", *options, "-o", saved).code == 0
    assert CANARY not in saved.read_text()
    loud = process("check", *options, "--verbose", "--debug", "--all")
    assert CANARY not in loud.out + loud.err
    assert "own.plugin.password" in saved.read_text()
