"""Variables of Ansible: the release that they name, and listeners that they describe by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import run

VARIABLES = "kafka_log_retention_hours: 24\nkafka_num_partitions: 6\nkafka_default_replication_factor: 3\nkafka_min_insync_replicas: 2\n"
PROPERTIES = "kafka_broker_custom_properties:\n  default.replication.factor: 3\n  min.insync.replicas: 2\n"
RELEASES = {
    "kafka_version": (VARIABLES + "kafka_version: 3.6.1\n", "3.6"),
    "with Scala's": (VARIABLES + "kafka_version: 2.13-3.7.0\n", "3.7"),
    "confluent_package_version": ("all:\n  vars:\n    confluent_package_version: 7.4.0\n" + PROPERTIES, "3.4"),
    "filled in": (VARIABLES + "kafka_version: '{{ release }}'\n", "4.4"),
    "no release": (VARIABLES, "4.4"),
}
LISTENERS = (
    "ssl_enabled: {ssl}\nsasl_protocol: scram\nkafka_broker_custom_listeners:\n"
    "  broker: {{name: BROKER, port: 9091{own}}}\n  client: {{name: CLIENT, port: 9093}}\n" + PROPERTIES
)
PROTOCOLS = {
    "TLS and SCRAM": (LISTENERS.format(ssl="true", own=""), "INTERNAL:SASL_SSL,BROKER:SASL_SSL,CLIENT:SASL_SSL", []),
    "one without": (LISTENERS.format(ssl="true", own=", ssl_enabled: false, sasl_protocol: none"), "INTERNAL:SASL_SSL,BROKER:PLAINTEXT,CLIENT:SASL_SSL", ["KA601", "KA603"]),
    "no TLS": (LISTENERS.format(ssl="false", own=""), "INTERNAL:SASL_PLAINTEXT,BROKER:SASL_PLAINTEXT,CLIENT:SASL_PLAINTEXT", ["KA603"]),
    "filled in": (LISTENERS.format(ssl="'{{ tls }}'", own=""), "", []),
    "the role's own": ("ssl_enabled: false\nsasl_protocol: none\n" + PROPERTIES, "INTERNAL:PLAINTEXT,BROKER:PLAINTEXT", ["KA601", "KA603"]),
    "of an inventory": ("ssl_enabled: false\nkafka_broker:\n  hosts: {a: {broker_id: 1}}\n" + PROPERTIES, "INTERNAL:PLAINTEXT,BROKER:PLAINTEXT", ["KA601", "KA603"]),
    "a login that may stand elsewhere": ("ssl_enabled: false\n" + PROPERTIES, "", []),
    "one listener alone": ("ssl_enabled: false\nsasl_protocol: none\nkafka_broker_configure_multiple_listeners: false\n" + PROPERTIES, "", []),
    "no properties": (LISTENERS.format(ssl="true", own=", port: '{{ p }}'"), "", []),
}  # fmt: skip


def lint(folder: Path, text: str) -> Any:
    """The report about a file of variables."""
    (folder / "all.yml").write_text(text)
    return run("lint", folder / "all.yml", "--format", "json", "--no-config").json


@pytest.mark.parametrize("case", RELEASES)
def test_the_release_that_a_variable_names(case: str, tmp_path: Path) -> None:
    text, release = RELEASES[case]
    assert lint(tmp_path, text)["target"]["kafka_version"] == release


@pytest.mark.parametrize("case", PROTOCOLS)
def test_listeners_by_name(case: str, tmp_path: Path) -> None:
    text, protocols, rules = PROTOCOLS[case]
    found = {row["rule"] for row in lint(tmp_path, text)["findings"]}
    assert sorted(found & {"KA601", "KA603", "KA604"}) == rules
    effective = run("effective", tmp_path / "all.yml").out
    assert (f"= {protocols or 'INTERNAL'}" in effective) == bool(protocols)


HOSTS = "kafka_broker:\n  hosts:\n    b1: {{broker_id: 1}}\n    b2: {{broker_id: {}}}\n" + PROPERTIES
IDS = {"two ids": ("2", []), "one id": ("1", [4]), "filled in": ("'{{ id }}'", [])}


@pytest.mark.parametrize("case", IDS)
def test_hosts_with_one_id(case: str, tmp_path: Path) -> None:
    id, lines = IDS[case]
    rows = lint(tmp_path, HOSTS.format(id))["findings"]
    assert [row["line"] for row in rows if row["rule"] == "KA1739"] == lines


def test_the_folder_of_the_applications_log_is_not_that_of_the_records(tmp_path: Path) -> None:
    (tmp_path / "all.yml").write_text(VARIABLES + "kafka_log_dir: /var/log/kafka\n")
    rows = run("effective", tmp_path / "all.yml", "--format", "json").json["settings"]
    assert "/var/log/kafka" not in [row["value"] for row in rows]
