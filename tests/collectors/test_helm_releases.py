"""Releases of Helm in files of Flux, Argo CD, Helmfile and Kustomize are judged like the values files of the chart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Ran, run

LINES = "unclean.leader.election.enable=true"
FLUX = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: orders}
spec:
  chart: {spec: {chart: CHART, version: 26.x}}
"""
ARGO = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: orders}
spec:
"""
SOURCE = "    repoURL: https://charts.example.com\n    chart: CHART\n    targetRevision: 26.0.0\n    helm:\n"
TEXT = f"""      values: |
        extraConfig: |
          {LINES}
"""
OBJECT = f"""      valuesObject:
        extraConfig: |
          {LINES}
"""
HELMFILE = f"""releases:
- name: orders
  chart: charts/CHART
  values:
  - extraConfig: |
      {LINES}
"""
KUSTOMIZE = f"""helmCharts:
- name: CHART
  releaseName: orders
  repo: https://charts.example.com
  valuesInline:
    extraConfig: |
      {LINES}
"""
UNCLEAN, RACK = "KA104", "KA301"
CASES = {
    "flux": ("release.yaml", FLUX + f"  values:\n    extraConfig: |\n      {LINES}\n", 8, "spec.values.extraConfig."),
    "flux, a map": ("release.yaml", FLUX + "  values: {extraConfig: {unclean.leader.election.enable: true}}\n", 6, "spec.values.extraConfig."),
    "flux, a word of YAML 1.1": ("release.yaml", FLUX + "  values:\n    extraConfig:\n      unclean.leader.election.enable: on\n", 8, "spec.values.extraConfig."),
    "argo, a text": ("app.yaml", ARGO + "  source:\n" + SOURCE + TEXT, 12, "spec.source.helm.values.extraConfig."),
    "argo, an object": ("app.yaml", ARGO + "  source:\n" + SOURCE + OBJECT, 12, "spec.source.helm.valuesObject.extraConfig."),
    "argo, an object over a text": ("app.yaml", ARGO + "  source:\n" + SOURCE + OBJECT + TEXT.replace("true", "false"), 12, "spec.source.helm.valuesObject."),
    "argo, several sources": ("app.yaml", ARGO + "  sources:\n  -" + SOURCE[3:] + OBJECT, 12, "spec.sources[0].helm.valuesObject."),
    "argo, a set of them": ("app.yaml", ARGO.replace("Application", "ApplicationSet") + "  template:\n   spec:\n    source:\n" + SOURCE.replace("    ", "     ") + OBJECT.replace("      ", "       "), 14, "spec.template.spec.source.helm."),
    "helmfile": ("helmfile.yaml", HELMFILE, 6, "releases[0].values[0].extraConfig."),
    "kustomize": ("kustomization.yaml", KUSTOMIZE, 7, "helmCharts[0].valuesInline.extraConfig."),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def linted(name: str, text: str, *options: str) -> Ran:
    """What `lint` says of a folder with one file."""
    Path(name).write_text(text)
    return run("lint", ".", "--no-config", "--format", "json", *options)


@pytest.mark.parametrize(("name", "text", "line", "path"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("chart", ["kafka", "streaming"])
def test_judged(name: str, text: str, line: int, path: str, chart: str) -> None:
    """By the name of the chart; under another one the same lines are judged, or said to be not judged."""
    ran = linted(name, text.replace("CHART", chart))
    findings = {row["rule"]: row for row in ran.json["findings"]} if ran.out else {}
    if chart == "kafka" or UNCLEAN in findings:
        row = findings[UNCLEAN]
        assert (row["line"], row["severity"]) == (line, "critical")
        assert row["key"].startswith(path)
    else:
        assert "not read" in ran.err


@pytest.mark.parametrize(("name", "text", "line", "path"), CASES.values(), ids=CASES)
def test_silent(name: str, text: str, line: int, path: str) -> None:
    good = text.replace("CHART", "kafka").replace(": on\n", ": off\n").replace("enable: true", "enable: false")
    assert UNCLEAN not in {row["rule"] for row in linted(name, good.replace("=true", "=false")).json["findings"]}


PARAMETERS = (
    ARGO + "  source:\n" + SOURCE + OBJECT + "      parameters: [{name: controller.replicaCount, value: '1'}]\n"
)


def test_parameters_over_values() -> None:
    rows = linted("app.yaml", PARAMETERS.replace("CHART", "kafka")).json["findings"]
    assert {"KA1702", UNCLEAN} <= {row["rule"] for row in rows}


UNKNOWN = {
    "valuesFrom": ("release.yaml", FLUX + f"  valuesFrom: [{{kind: ConfigMap, name: more}}]\n  values:\n    extraConfig: |\n      {LINES}\n"),
    "valueFiles": ("app.yaml", ARGO + "  source:\n" + SOURCE + OBJECT + "      valueFiles: [prod.yaml]\n"),
    "an item of a list": ("app.yaml", PARAMETERS.replace("controller.replicaCount", "'provisioning.topics[0].name'")),
    "a file of values": ("helmfile.yaml", HELMFILE + "  - prod.yaml\n"),
    "valuesFile": ("kustomization.yaml", KUSTOMIZE + "  valuesFile: prod.yaml\n"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_other_files_hold_is_unknown(name: str, text: str) -> None:
    document = linted(name, text.replace("CHART", "kafka")).json
    reasons = {row["reason"] for row in document["unknown"]}
    assert any("not followed" in reason for reason in reasons), reasons


def test_fix_in_place() -> None:
    for name, text, _, _ in CASES.values():
        Path(name).write_text(text.replace("CHART", "kafka"))
        run("lint", name, "--no-config", "--fix", "--unsafe-fixes")
        assert Path(name).read_text() == text.replace("CHART", "kafka").replace(f"{LINES}\n", LINES.replace("true", "false") + "\n").replace(": on\n", ": false\n").replace("enable: true", "enable: false")  # fmt: skip


ELSEWHERE = {
    "valuesFrom": ("release.yaml", FLUX + "  valuesFrom: [{kind: ConfigMap, name: more}]\n"),
    "valuesFiles": ("release.yaml", FLUX.replace("version: 26.x", "valuesFiles: [prod.yaml]")),
    "valueFiles": ("app.yaml", ARGO + "  source:\n" + SOURCE + "      valueFiles: [prod.yaml]\n"),
    "a file of values": ("helmfile.yaml", "releases: [{name: orders, chart: bitnami/CHART, values: [prod.yaml]}]\n"),
    "valuesFile": ("kustomization.yaml", "helmCharts: [{name: CHART, valuesFile: prod.yaml}]\n"),
    "no text": ("chart.yaml", "kind: HelmChart\nspec: {chart: CHART, valuesContent: '['}\n"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_release_whose_values_stand_elsewhere_is_unknown(name: str, text: str) -> None:
    document = linted(name, text.replace("CHART", "kafka")).json
    assert document["findings"] == []
    assert {"KA104", "KA1701"} <= {row["rule"] for row in document["unknown"]}


def test_a_chart_of_k3s() -> None:
    text = f"kind: HelmChart\nspec:\n  chart: kafka\n  valuesContent: |\n    extraConfig: |\n      {LINES}\n"
    rows = {row["rule"]: row["line"] for row in linted("chart.yaml", text).json["findings"]}
    assert rows[UNCLEAN] == 6


BITNAMIS = SOURCE.replace("https://charts.example.com", "registry-1.docker.io/bitnamicharts")
VERSIONS = {
    "26.0.0": "3.6",
    "31.x": "3.9",
    "~32.4": "4.0",
    "29.*": "3.7",
    "15.3.1": "",
    ">=31": "",
    "latest": "",
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("source", [SOURCE, BITNAMIS], ids=["another chart", "Bitnami's"])
def test_the_version_of_bitnamis_chart_is_a_release_of_kafka(version: str, source: str) -> None:
    text = ARGO + "  source:\n" + source.replace("26.0.0", f'"{version}"') + OBJECT
    target = linted("app.yaml", text.replace("CHART", "kafka")).json["target"]
    release = VERSIONS[version] if source == BITNAMIS else ""
    assert target["reason"].startswith("spec.source.targetRevision") == bool(release)
    assert not release or target["kafka_version"] == release


def test_a_values_file_beside_is_no_part_of_a_release() -> None:
    Path("values.yaml").write_text("listeners: {client: {protocol: SASL_SSL}}\n")
    text = FLUX.replace("CHART,", "kafka, sourceRef: {name: bitnami},")
    rows = linted("release.yaml", f"{text}  values: {{controller: {{replicaCount: 3}}}}\n").json["findings"]
    judged = {row["rule"] for row in rows if row["file"].endswith("release.yaml")}
    assert {"KA102", "KA103", "KA603", "KA604"} <= judged


def test_a_release_that_terraform_makes() -> None:
    text = """resource "helm_release" "kafka" {
  name       = "orders"
  repository = "oci://registry-1.docker.io/bitnamicharts"
  chart      = "kafka"
  version    = "31.5.0"
  values     = [yamlencode({ controller = { replicaCount = 3 } })]
}
"""
    document = linted("main.tf", text).json
    assert document["target"]["kafka_version"] == "3.9"
    assert {"KA102", "KA103", "KA604"} <= {row["rule"] for row in document["findings"]}
