"""Charts of Kafka's as parts of larger ones, and releases of every tool that makes them: judged, or said to be not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import run

BITNAMIS = "repository: 'oci://registry-1.docker.io/bitnamicharts', version: 31.0.0"
CHART = f"apiVersion: v2\nname: x\nversion: 1.0.0\ndependencies: [{{name: kafka, {BITNAMIS}}}]\n"
ALIAS = CHART.replace("name: kafka,", "name: kafka, alias: bus, condition: bus.enabled,")
PLATFORM = "apiVersion: v2\nname: x\nversion: 1.0.0\ndependencies: [{name: platform, version: 1.0.0}]\n"
VALUES = "  controller: {persistence: {enabled: no}}\n"
PARTS = {
    "an alias": {"Chart.yaml": ALIAS, "values.yaml": f"bus:\n{VALUES}"},
    "an alias, in another file": {"Chart.yaml": ALIAS, "values.yaml": "bus: {}\n", "values-prod.yaml": f"bus:\n{VALUES}"},
    "an alias, in a folder": {"Chart.yaml": ALIAS, "values.yaml": "bus: {}\n", "environments/prod.yaml": f"bus:\n{VALUES}"},
    "its own name": {"Chart.yaml": CHART, "values.yaml": f"kafka:\n{VALUES}"},
    "requirements": {"Chart.yaml": "apiVersion: v1\nname: x\n", "requirements.yaml": CHART.partition("1.0.0\n")[2], "values.yaml": f"kafka:\n{VALUES}"},
    "a part of a part": {"Chart.yaml": PLATFORM, "values.yaml": f"platform:\n bus:\n{VALUES}", "charts/platform/Chart.yaml": ALIAS},
    "a part elsewhere": {"a/Chart.yaml": PLATFORM.replace("name: platform", "name: platform, repository: 'file://../b'"), "a/values.yaml": f"platform:\n bus:\n{VALUES}", "b/Chart.yaml": ALIAS},
}  # fmt: skip
OTHERS = {
    "switched off": {"Chart.yaml": ALIAS, "values.yaml": f"bus:\n  enabled: false\n{VALUES}"},
    "settings of an application": {"Chart.yaml": CHART, "files/app.yaml": f"kafka:\n{VALUES}", "config/app.yaml": "kafka:\n  brokers: [a]\n  enabled: true\n"},
    "another chart": {"Chart.yaml": CHART.replace("name: kafka,", "name: redis, alias: bus,"), "values.yaml": f"bus:\n{VALUES}"},
}  # fmt: skip
RELEASES = {
    "Fleet": ("fleet.yaml", "helm:\n  chart: kafka\n  values: {controller: {persistence: {enabled: false}}}\n"),
    "helmsman": ("h.toml", "[apps.kafka]\nchart = 'bitnami/kafka'\n[apps.kafka.set]\n'controller.persistence.enabled' = 'false'\n"),
    "helmsman in YAML": ("h.yaml", "apps:\n  kafka: {chart: bitnami/kafka, set: {controller.persistence.enabled: 'false'}}\n"),
    "skaffold": ("skaffold.yaml", "kind: Config\ndeploy: {helm: {releases: [{name: k, remoteChart: bitnami/kafka, setValues: {controller.persistence.enabled: false}}]}}\n"),
    "skaffold's overrides": ("skaffold.yaml", "kind: Config\nmanifests: {helm: {releases: [{name: k, remoteChart: bitnami/kafka, overrides: {controller: {persistence: {enabled: false}}}}]}}\n"),
    "Kustomize's generator": ("g.yaml", "kind: HelmChartInflationGenerator\nmetadata: {name: k}\nname: kafka\nvaluesInline: {controller: {persistence: {enabled: false}}}\n"),
    "Ansible": ("p.yml", "- hosts: a\n  tasks:\n  - kubernetes.core.helm: {name: k, chart_ref: bitnami/kafka, release_values: {controller: {persistence: {enabled: false}}}}\n"),
    "Crossplane": ("r.yaml", "kind: Release\nspec: {forProvider: {chart: {name: kafka}, values: {controller: {persistence: {enabled: false}}}}}\n"),
    "Crossplane's set": ("r.yaml", "kind: Release\nspec: {forProvider: {chart: {name: kafka}, set: [{name: controller.persistence.enabled, value: 'false'}]}}\n"),
    "Pulumi": ("Pulumi.yaml", "resources: {k: {type: 'kubernetes:helm.sh/v3:Release', properties: {chart: kafka, values: {controller: {persistence: {enabled: false}}}}}}\n"),
    "k3s": ("c.yaml", "kind: HelmChart\nspec: {chart: kafka, set: {controller.persistence.enabled: 'false'}}\n"),
    "a generator of Argo CD": ("a.yaml", "kind: ApplicationSet\nspec: {generators: [{list: {elements: [], template: {spec: {source: {chart: kafka, helm: {valuesObject: {controller: {persistence: {enabled: false}}}}}}}}}]}\n"),
}  # fmt: skip
ELSEWHERE = {
    "Fleet": ("fleet.yaml", "helm: {chart: kafka, valuesFiles: [v.yaml]}\n"),
    "helmsman": ("h.yaml", "apps: {kafka: {chart: bitnami/kafka, valuesFile: v.yaml}}\n"),
    "skaffold": ("skaffold.yaml", "deploy: {helm: {releases: [{name: k, remoteChart: bitnami/kafka, valuesFiles: [v.yaml]}]}}\n"),
    "Ansible": ("p.yml", "- kubernetes.core.helm: {name: k, chart_ref: bitnami/kafka, values_files: [v.yaml]}\n"),
    "helmfile's file of one value": ("helmfile.yaml", "releases: [{name: k, chart: bitnami/kafka, set: [{name: extraConfig, file: e.txt}]}]\n"),
    "Argo CD's files of values": ("a.yaml", "kind: Application\nspec: {source: {chart: kafka, helm: {fileParameters: [{name: extraConfig, path: e}]}}}\n"),
}  # fmt: skip


def lint(folder: Path, files: dict[str, str]) -> tuple[dict[str, str], set[str], str]:
    """(file by rule, rules that could not be judged, what was said beside the report) of a folder."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    ran = run("lint", folder, "--no-config", "--format", "json")
    document = ran.json if ran.out else {"findings": [], "unknown": []}
    return {row["rule"]: row["file"] for row in document["findings"]}, {row["rule"] for row in document["unknown"]}, ran.err  # fmt: skip


@pytest.mark.parametrize("files", PARTS.values(), ids=PARTS)
def test_a_part_of_a_chart(files: dict[str, str], tmp_path: Path) -> None:
    findings, _, _ = lint(tmp_path / "bad", files)
    values = next(path for path, text in files.items() if VALUES in text)
    assert findings["KA1701"] == str(tmp_path / "bad" / values)
    good = {path: text.replace("enabled: no", "enabled: yes") for path, text in files.items()}
    assert "KA1701" not in lint(tmp_path / "good", good)[0]


@pytest.mark.parametrize("files", OTHERS.values(), ids=OTHERS)
def test_no_part_of_a_chart(files: dict[str, str], tmp_path: Path) -> None:
    assert "KA1701" not in lint(tmp_path, files)[0]


def test_values_of_an_environment_lie_over_those_of_the_chart(tmp_path: Path) -> None:
    own = {
        "Chart.yaml": CHART,
        "values.yaml": "kafka: {controller: {replicaCount: 3, persistence: {enabled: false}}}\n",
    }
    over = {**own, "environments/prod.yaml": "kafka: {controller: {persistence: {enabled: true}}, replicaCount: 3}\n"}
    assert lint(tmp_path / "over", over)[0]["KA1701"].endswith("over/values.yaml")
    over["values.yaml"] = "kafka:\n  extraConfig: |\n    unclean.leader.election.enable=false\n"
    over["environments/prod.yaml"] = "kafka:\n  extraConfig: |\n    unclean.leader.election.enable=true\n"
    assert lint(tmp_path / "line", over)[0]["KA104"].endswith("environments/prod.yaml")


def test_the_version_of_a_part_is_a_release_of_kafka(tmp_path: Path) -> None:
    lint(tmp_path, PARTS["an alias"])
    target = run("lint", tmp_path, "--no-config", "--format", "json").json["target"]
    assert target["kafka_version"] == "3.9"


@pytest.mark.parametrize(("name", "text"), RELEASES.values(), ids=RELEASES)
def test_a_release(name: str, text: str, tmp_path: Path) -> None:
    assert "KA1701" in lint(tmp_path / "bad", {name: text})[0]
    good = text.replace("false", "true")
    assert "KA1701" not in lint(tmp_path / "good", {name: good})[0]


@pytest.mark.parametrize(("name", "text"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_release_whose_values_stand_elsewhere_is_unknown(name: str, text: str, tmp_path: Path) -> None:
    findings, unknown, _ = lint(tmp_path, {name: text})
    assert "KA104" in unknown - findings.keys()


@pytest.mark.parametrize(
    ("version", "has_zookeeper"), [("22.1.0", True), ("23.0.7", True), ("24.0.0", False), ("^31.0.0", False)]
)
def test_the_version_of_the_chart_tells_what_its_values_mean(version: str, has_zookeeper: bool, tmp_path: Path) -> None:
    chart = CHART.replace("31.0.0", version)
    findings, _, _ = lint(
        tmp_path, {"Chart.yaml": chart, "values.yaml": "kafka: {replicaCount: 3, persistence: {size: 8Gi}}\n"}
    )
    assert ("KA522" in findings, "KA604" in findings) == (has_zookeeper, not has_zookeeper)
