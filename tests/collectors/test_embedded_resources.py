"""Resources of Kafka's operators are judged inside of other documents as they are by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

TOPIC = "{apiVersion: kafka.strimzi.io/v1, kind: KafkaTopic, metadata: {name: a}, spec: {partitions: 3, replicas: 1}}"
POOL = "{apiVersion: kafka.strimzi.io/v1, kind: KafkaNodePool, metadata: {name: a}, spec: {roles: [broker], replicas: 3, storage: {type: ephemeral}}}"
CLUSTER = "{apiVersion: kafka.strimzi.io/v1, kind: Kafka, metadata: {name: a}, spec: {kafka: {version: 4.3.0, config: {min.insync.replicas: 2, log.retention.hours: 48}, storage: {type: ephemeral}}}}"
OF_CONFLUENT = "{apiVersion: platform.confluent.io/v1beta1, kind: KafkaTopic, metadata: {name: a}, spec: {partitionCount: 3, replicas: 1}}"
CARRIERS = {
    "Crossplane": "apiVersion: kubernetes.crossplane.io/v1alpha2\nkind: Object\nspec: {forProvider: {manifest: %s}}\n",
    "Open Cluster Management": "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nspec: {workload: {manifests: [%s]}}\n",
    "Ansible": "- hosts: localhost\n  tasks:\n  - kubernetes.core.k8s: {state: present, definition: %s}\n",
    "Ansible, resources in a role": "- k8s:\n    resource_definition: %s\n",
    "extra objects of a chart": "replicaCount: 3\nextraDeploy:\n- %s\n",
}
RESOURCES = {"topic": (TOPIC, "KA156"), "pool": (POOL, "KA1701"), "cluster": (CLUSTER, "KA1701"), "topic of Confluent": (OF_CONFLUENT, "KA156")}  # fmt: skip
TEMPLATE = "apiVersion: kafka.strimzi.io/v1\nkind: Kafka\nmetadata: {name: a}\nspec:\n  {{- toYaml .Values.kafka | nindent 2 }}\n"


def lint(folder: Path, name: str, text: str) -> tuple[set[str], str]:
    """(rules, what was said beside the report) of a folder with one file."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    ran = run("lint", folder, "--no-config", "--format", "json")
    return {row["rule"] for row in ran.json["findings"]} if ran.out else set(), ran.err


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("resource", RESOURCES)
def test_judged(carrier: str, resource: str, tmp_path: Path) -> None:
    text, rule = RESOURCES[resource]
    assert rule in lint(tmp_path, "a.yaml", CARRIERS[carrier] % text)[0]
    good = text.replace("replicas: 1", "replicas: 3").replace("ephemeral", "persistent-claim, size: 500Gi")
    assert rule not in lint(tmp_path, "a.yaml", CARRIERS[carrier] % good)[0]


def test_what_stands_beside_is_judged_as_well(tmp_path: Path) -> None:
    chart = f"listeners: {{client: {{protocol: PLAINTEXT}}}}\ncontroller: {{persistence: {{enabled: false}}}}\nextraDeploy: [{TOPIC}]\n"
    assert {"KA156", "KA1701"} <= lint(tmp_path, "values.yaml", chart)[0]


def test_a_resource_that_a_template_calculates_is_not_read(tmp_path: Path) -> None:
    assert "not read: it names kafka.strimzi.io" in lint(tmp_path, "a.yaml", TEMPLATE)[1]
    assert "not read" not in lint(tmp_path / "b", "a.yaml", TEMPLATE.replace("kind: Kafka\n", "kind: KafkaUser\n").replace("spec:\n", "status: {}\nspec: {authentication: {type: tls}}\nx:\n"))[1]  # fmt: skip


REFERENCES = {
    "the owner of a pod": "apiVersion: v1\nkind: Pod\nmetadata: {name: a, ownerReferences: [{apiVersion: kafka.strimzi.io/v1, kind: KafkaNodePool, name: a}]}\nspec: {containers: []}\n",
    "what is scaled": "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: a}\nspec: {scaleTargetRef: {apiVersion: kafka.strimzi.io/v1, kind: KafkaConnect, name: a}}\n",
    "health checks of Flux": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec:\n  healthChecks: [{apiVersion: kafka.strimzi.io/v1, kind: Kafka, name: a}]\n  patches:\n  - {target: {kind: Deployment}, patch: '[]'}\n",
}  # fmt: skip


@pytest.mark.parametrize("text", REFERENCES.values(), ids=REFERENCES)
def test_a_reference_is_no_resource(text: str, tmp_path: Path) -> None:
    findings, said = lint(tmp_path, "a.yaml", text)
    assert not findings and "not read" not in said
