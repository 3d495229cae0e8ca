"""Other spellings of the same configuration: words of YAML 1.1, escapes, a byte order mark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from collectors.files.syntax.yaml_numbers import digits_of_plain
from tests.support.commands import run

STRIMZI = (
    "apiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaTopic\nmetadata:\n  name: t\n  labels: {{strimzi.io/cluster: c}}\n"
    "spec:\n  partitions: 3\n  replicas: 3\n  config:\n    unclean.leader.election.enable: {}\n"
)
HELM = "image: {{repository: bitnami/kafka, tag: 3.6.0}}\nkraft: {{enabled: true}}\ncontroller:\n  persistence:\n    enabled: {}\n"
COMPOSE = (
    "services:\n  k:\n    image: apache/kafka:4.3.0\n    environment:\n      KAFKA_NODE_ID: 1\n"
    "      KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: {}\n"
)
TRUE, FALSE = ("yes", "Yes", "YES", "on", "On", "ON", "true"), ("no", "No", "NO", "off", "Off", "OFF", "false")
NODE = "process.roles=broker\nnode.id=1\nlog.dirs=/d\nunclean.leader.election.enable=true\n"
MARK = "\ufeff"


SPRING = (
    "spring:\n  kafka:\n    bootstrap-servers: a:9092\n    producer:\n      properties: {{request.timeout.ms: {}}}\n"
)
NUMBERS = (("30_000", "30000"), ("0x7530", "30000"), ("072460", "30000"), ("0b11", "3"), ("30000", "30000"))
"""As they are written, and as YAML 1.1 reads them."""


def rules(path: Path, text: str, *options: str) -> dict[str, dict[str, Any]]:
    path.write_text(text)
    return {row["rule"]: row for row in run("lint", path, "--no-config", "--format", "json", *options).json["findings"]}


def test_the_values_of_a_chart_of_ones_own_are_not_bitnamis(tmp_path: Path) -> None:
    own = "cluster: {name: a}\nkraft: {enabled: false}\nzookeeper: {replicas: 3}\n"
    assert rules(tmp_path / "values.yaml", own)
    assert not rules(tmp_path / "own.yaml", own + "kafka: {version: 3.7.0, replicas: 3}\n")


@pytest.mark.parametrize("word", [*TRUE, *FALSE])
def test_words_of_yaml_are_booleans_for_kubectl(word: str, tmp_path: Path) -> None:
    assert ("KA152" in rules(tmp_path / "t.yaml", STRIMZI.format(word))) == (word in TRUE)


@pytest.mark.parametrize("word", [*TRUE, *FALSE])
def test_words_of_yaml_are_booleans_for_helm(word: str, tmp_path: Path) -> None:
    assert ("KA1701" in rules(tmp_path / "values.yaml", HELM.format(word))) == (word in FALSE)


@pytest.mark.parametrize("word", ["'yes'", '"on"', "yEs", "y"])
def test_a_text_is_no_boolean(word: str, tmp_path: Path) -> None:
    assert "KA152" not in rules(tmp_path / "t.yaml", STRIMZI.format(word))


@pytest.mark.parametrize("word", ["yes", "on"])
def test_compose_hands_the_word_itself_to_kafka(word: str, tmp_path: Path) -> None:
    found = rules(tmp_path / "compose.yml", COMPOSE.format(word))
    assert "KA104" not in found and "KA1409" in found


@pytest.mark.parametrize(
    "key",
    [
        '"\\x4bAFKA_UNCLEAN_LEADER_ELECTION_ENABLE"',
        '"KAFK\\u0041_UNCLEAN_LEADER_ELECTION_ENABLE"',
        "'KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE'",
    ],
)
def test_an_escape_is_what_it_spells(key: str, tmp_path: Path) -> None:
    text = COMPOSE.format("'true'").replace("KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE", key)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/a.yml").write_text(text)
    assert "KA104" in run("lint", tmp_path / "folder", "--no-config", "--format", "concise").out


@pytest.mark.parametrize(
    "line", ["unclean.leader.election.enable=true", "log.dirs=/d", "process.roles=broker", "node.id=1"]
)
def test_a_byte_order_mark_is_part_of_the_first_key(line: str, tmp_path: Path) -> None:
    others = "".join(f"{each}\n" for each in NODE.splitlines() if each != line)
    found = rules(tmp_path / "server.properties", f"{MARK}{line}\n{others}", "--kind", "broker")
    key = line.partition("=")[0]
    assert found["KA1401"]["severity"] == "critical" and found["KA1401"]["line"] == 1
    assert f"{key} is not set" in found["KA1401"]["message"]
    assert ("KA104" in found) == (not line.startswith("unclean"))
    effective = run("effective", tmp_path / "server.properties", "--kind", "broker", "--all", "--format", "json").json
    settings = {row["key"]: row["value"] for row in effective["settings"]}
    assert settings.get(key) != line.partition("=")[2] or key == "node.id"


@pytest.mark.parametrize("first", ["# a comment", "", "my.own.key=1", "! a comment"])
def test_a_mark_before_what_does_not_matter_is_no_finding(first: str, tmp_path: Path) -> None:
    found = rules(tmp_path / "server.properties", f"{MARK}{first}\n{NODE}")
    assert "KA104" in found
    assert "KA1401" not in found or found["KA1401"]["severity"] == "info"


def test_a_mark_is_not_of_yaml(tmp_path: Path) -> None:
    assert "KA104" in rules(tmp_path / "compose.yml", MARK + COMPOSE.format("'true'"))


@pytest.mark.parametrize(("written", "digits"), NUMBERS)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("application.yml", SPRING),
        ("compose.yaml", COMPOSE.replace("UNCLEAN_LEADER_ELECTION_ENABLE", "REQUEST_TIMEOUT_MS")),
        ("vars.yml", "kafka_broker:\n  process.roles: broker\n  request.timeout.ms: {}\n"),
    ],
)
def test_a_whole_number_is_what_yaml_makes_of_it(
    name: str, text: str, written: str, digits: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    assert "KA1409" not in rules(path, text.format(written))
    rows = run("effective", path, "--format", "json").json["settings"]
    assert [row["value"] for row in rows if row["key"] == "request.timeout.ms"] == [digits]
    assert written == digits or written.isdigit() or "KA1409" in rules(path, text.format(f'"{written}"'))


@given(st.text("0123456789_xbaf+-", min_size=1, max_size=12))
def test_whole_numbers_are_read_as_by_pyyaml(text: str) -> None:
    assume(text.strip("+-_")[-1:] not in ("x", "b"))  # PyYAML raises a ValueError of its own
    value = yaml.safe_load(text)
    assert not isinstance(value, int) or digits_of_plain(text) == str(value)
