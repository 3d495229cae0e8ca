"""Strimzi's resources in a chart of one's own: what its values say is judged, and what they do not say is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

CHART = "apiVersion: v2\nname: orders\nversion: 1.0.0\n"
CLUSTER = """apiVersion: kafka.strimzi.io/v1
kind: Kafka
metadata: {name: orders}
spec:
  kafka:
    version: 4.3.0
    replicas: 3
    listeners: [{name: tls, port: 9093, type: internal, tls: true}]
"""
POOL = """apiVersion: kafka.strimzi.io/v1
kind: KafkaNodePool
metadata: {name: brokers, labels: {strimzi.io/cluster: orders}}
spec:
  replicas: 3
  roles: [broker]
"""
TOPIC = "apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nmetadata: {name: a}\nspec: {partitions: 3, replicas: {{ .Values.topics.replicas }}}\n"
BLOCK, BELOW = "    storage:\n      {{- toYaml .Values.storage | nindent 6 }}\n", "  storage:\n    "
EPHEMERAL, PERSISTENT = "storage: {type: ephemeral}\n", "storage: {type: persistent-claim, size: 100Gi}\n"
STORAGE = {
    "a field": CLUSTER + "    storage: {type: {{ .Values.storage.type }}}\n",
    "a field in quotes": CLUSTER + "    storage:\n      type: {{ .Values.storage.type | quote }}\n",
    "a block": CLUSTER + BLOCK,
    "a block that is piped": CLUSTER + "    storage:\n{{ .Values.storage | toYaml | indent 6 }}\n",
    "a block behind its key": CLUSTER + "    storage: {{- toYaml .Values.storage | nindent 6 }}\n",
    "a block above another field": CLUSTER + BLOCK + "    config: {min.insync.replicas: 2}\n",
    "volumes": CLUSTER + "    storage:\n      type: jbod\n      volumes:\n      - {id: 0, type: {{ .Values.storage.type }}}\n",
    "a pool alone": POOL + BELOW + "type: {{ .Values.storage.type }}\n",
    "a pool alone, a block": POOL + BELOW + "{{- toYaml .Values.storage | nindent 4 }}\n",
}  # fmt: skip
CALCULATED = {
    "no values": CLUSTER + "    storage: {type: {{ .Values.disks.type }}}\n",
    "a function": CLUSTER + "    storage:\n      type: {{ .Values.storage.type | lower }}\n",
    "a named template": CLUSTER + '    storage:\n      {{- include "orders.storage" . | nindent 6 }}\n',
    "another scope": CLUSTER + "    storage:\n      {{- with .Values.storage }}\n      {{- toYaml . | nindent 6 }}\n      {{- end }}\n",
    "volumes": CLUSTER + "    storage:\n      type: jbod\n      volumes:\n        {{- range .Values.volumes }}\n        - {{ toYaml . }}\n        {{- end }}\n",
    "a pool": POOL + BELOW + '{{- include "x" . | nindent 4 }}\n',
}  # fmt: skip


def lint(folder: Path, template: str, values: str | None) -> tuple[dict[str, str], set[str]]:
    """(texts by rule, rules that could not be judged) of a chart with one template."""
    (folder / "templates").mkdir(parents=True, exist_ok=True)
    (folder / "Chart.yaml").write_text(CHART)
    (folder / "templates" / "kafka.yaml").write_text(template)
    if values is not None:
        (folder / "values.yaml").write_text(values)
    document = run("lint", folder, "--no-config", "--format", "json").json
    return {row["rule"]: row["message"] for row in document["findings"]}, {row["rule"] for row in document["unknown"]}


@pytest.mark.parametrize("template", STORAGE.values(), ids=STORAGE)
def test_storage(template: str, tmp_path: Path) -> None:
    findings, _ = lint(tmp_path / "ephemeral", template, EPHEMERAL)
    assert "unless .Values.storage" in findings["KA1701"]
    findings, unknown = lint(tmp_path / "persistent", template, PERSISTENT)
    assert "KA1701" not in findings.keys() | unknown
    findings, unknown = lint(tmp_path / "alone", template, None)
    assert "KA1701" in unknown - findings.keys()


@pytest.mark.parametrize("template", CALCULATED.values(), ids=CALCULATED)
def test_what_the_template_calculates_is_unknown(template: str, tmp_path: Path) -> None:
    findings, unknown = lint(tmp_path, template, EPHEMERAL)
    assert "KA1701" in unknown - findings.keys()


def test_storage_that_is_said_is_known(tmp_path: Path) -> None:
    literal = (
        CLUSTER + "    storage: {type: jbod, volumes: [{id: 0, type: persistent-claim, size: {{ .Values.size }}}]}\n"
    )
    for number, template in enumerate((literal, POOL + PERSISTENT.replace("storage", "  storage", 1))):
        findings, unknown = lint(tmp_path / str(number), template, EPHEMERAL)
        assert "KA1701" not in findings.keys() | unknown


def test_a_topic(tmp_path: Path) -> None:
    assert "KA156" in lint(tmp_path / "1", TOPIC, "topics: {replicas: 1}\n")[0]
    assert "KA156" not in lint(tmp_path / "3", TOPIC, "topics: {replicas: 3}\n")[0]
    assert "KA156" in lint(tmp_path / "none", TOPIC, "topics: {}\n")[1]


def test_settings_of_values_and_beside_them(tmp_path: Path) -> None:
    config = "    config:\n      min.insync.replicas: 1\n      {{- toYaml .Values.config | nindent 6 }}\n"
    assert "KA102" in lint(tmp_path / "beside", CLUSTER + config, "config: {log.retention.hours: 24}\n")[0]
    alone = config.replace("      min.insync.replicas: 1\n", "")
    values = "config:\n  unclean.leader.election.enable: true\n"
    assert "unless .Values.config is set" in lint(tmp_path / "alone", CLUSTER + alone, values)[0]["KA104"]
    assert "KA104" not in lint(tmp_path / "good", CLUSTER + alone, values.replace("true", "false"))[0]


def test_a_template_is_not_edited(tmp_path: Path) -> None:
    text = CLUSTER + "    config: {unclean.leader.election.enable: {{ .Values.unclean }}}\n"
    lint(tmp_path, text, "unclean: true\n")
    run("lint", tmp_path, "--no-config", "--fix", "--unsafe-fixes")
    assert "{{ .Values.unclean }}" in (tmp_path / "templates" / "kafka.yaml").read_text()
