"""Where it runs all the time: the CronJob and its command lines, the timer's script, the dashboard, and docs/running.md."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import jsonschema
import pytest
import yaml

from advisor import __version__
from advisor.reports.machine.prometheus import HELP
from tests.support.commands import ROOT
from tests.support.program import path_with
from tests.support.report_readers import is_prometheus
from tests.support.running import (
    BRIEFLY,
    EXAMPLES,
    RUN_SCRIPT,
    alerts,
    containers,
    dashboard,
    dashboard_queries,
    manifests,
    metrics_in,
    pod,
    prepare,
    run_container,
)

NOBODY = "bootstrap.servers=127.0.0.1:1\n"
EXIT_CODE = "kafka_advisor_exit_code"
SCHEMAS = json.loads((ROOT / "tests/data/kubernetes-1.33.json").read_text())
DEFINITIONS = {"ConfigMap": "io.k8s.api.core.v1.ConfigMap", "CronJob": "io.k8s.api.batch.v1.CronJob"}


def invalid(kind: str, document: object) -> list[str]:
    """What Kubernetes' own definition refuses in a manifest."""
    validator = jsonschema.Draft202012Validator({**SCHEMAS, "$ref": f"#/$defs/{DEFINITIONS[kind]}"})
    return [error.message for error in validator.iter_errors(document)]


# ---------------------------------------------------------------- Kubernetes


@pytest.mark.parametrize("kind", DEFINITIONS)
def test_the_manifests_are_what_kubernetes_takes(kind: str) -> None:
    assert invalid(kind, manifests()[kind]) == []
    assert invalid(kind, {**manifests()[kind], "specs": {}})
    assert invalid(kind, {**manifests()[kind], "metadata": {"name": 1}})


def test_the_pod_is_one_of_the_restricted_pod_security_standard() -> None:
    """Source: Kubernetes, "Pod Security Standards", restricted."""
    assert {next(key for key in volume if key != "name") for volume in pod()["volumes"]} <= {"secret", "configMap", "emptyDir"}  # fmt: skip
    whole = pod()["securityContext"]
    assert whole["runAsNonRoot"] and whole["seccompProfile"] == {"type": "RuntimeDefault"}
    assert not any(key in pod() for key in ("hostNetwork", "hostPID", "hostIPC"))
    for container in containers().values():
        own = container["securityContext"]
        assert own["allowPrivilegeEscalation"] is False and own["capabilities"] == {"drop": ["ALL"]}
        assert own["readOnlyRootFilesystem"] is True
        assert "memory" in container["resources"]["limits"]
    assert pod()["automountServiceAccountToken"] is False


def test_the_pod_runs_this_release_as_the_images_user() -> None:
    assert containers()["check"]["image"].endswith(f"/kafka-advisor:{__version__}")
    (uid,) = re.findall(r"--uid (\d+)", (ROOT / "Dockerfile").read_text())
    assert pod()["securityContext"]["runAsUser"] == int(uid)


def test_variables_of_services_do_not_become_settings_of_the_client() -> None:
    assert pod()["enableServiceLinks"] is False
    assert not any(each["name"].startswith("KAFKA_ADVISOR_") for each in containers()["check"].get("env", ()))


def test_every_path_is_mounted_and_inputs_are_read_only() -> None:
    volumes = {volume["name"]: volume for volume in pod()["volumes"]}
    for container in containers().values():
        mounts = {mount["mountPath"]: mount for mount in container["volumeMounts"]}
        assert {mount["name"] for mount in mounts.values()} <= set(volumes)
        script = container["args"][-1]
        used = {f"/{path}" for path in re.findall(r"(?<![\w/])/(\w+)/[\w.-]+", script)}
        assert used and used <= set(mounts)
        for mount in mounts.values():
            assert mount.get("readOnly", False) == (not volumes[mount["name"]].get("emptyDir"))


def test_the_example_of_a_clients_settings_is_read(tmp_path: Path) -> None:
    text = (EXAMPLES / "client.properties").read_text()
    (port,) = set(re.findall(r":(\d+)", text.partition("\nsecurity")[0]))
    text = re.sub(r"(?m)^bootstrap.servers=.*$", f"bootstrap.servers=127.0.0.1:{int(port) % 9092}", text)
    (tmp_path / "ca.pem").write_text("")
    ran = run_container("check", prepare(tmp_path, text.replace("/client/", f"{tmp_path}/")), **BRIEFLY)
    assert "CHANGE_ME" not in ran.stdout + ran.stderr
    assert (tmp_path / "report/exit-code").read_text() in ("2\n", "4\n")


def test_a_cluster_that_is_not_reached_is_a_metric_and_no_findings(tmp_path: Path) -> None:
    ran = run_container("check", prepare(tmp_path, NOBODY), **BRIEFLY)
    assert ran.returncode == 0, "the next container pushes and fails"
    assert ran.stderr.startswith("kafka-advisor: 127.0.0.1:1: ")
    report = tmp_path / "report"
    assert sorted(path.name for path in report.iterdir()) == ["exit-code", "run.prom"]
    assert (report / "exit-code").read_text() == "4\n"
    (sample,) = is_prometheus((report / "run.prom").read_text())[EXIT_CODE].samples
    assert (sample.labels, sample.value) == ({}, 4)


def test_a_wrong_setting_is_a_metric_too(tmp_path: Path) -> None:
    folder = prepare(tmp_path, NOBODY)
    (folder / "config/kafka-advisor.yaml").write_text("profil: production\n")
    ran = run_container("check", folder)
    assert "profil" in ran.stderr
    assert (folder / "report/exit-code").read_text() == "2\n"


def test_a_push_that_fails_fails_the_job(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    (tmp_path / "report/run.prom").write_text("kafka_advisor_exit_code 0\n")
    (tmp_path / "report/exit-code").write_text("0\n")
    ran = run_container("push", tmp_path, PUSHGATEWAY="http://127.0.0.1:1", RUN="a")
    assert ran.returncode != 0 and "curl: " in ran.stderr


# ---------------------------------------------------------------- cron and systemd


def test_the_timers_script_writes_for_the_textfile_collector(tmp_path: Path) -> None:
    (tmp_path / "orders.properties").write_text(NOBODY)
    (tmp_path / "kafka-advisor.yaml").write_text("profile: production\n")
    metrics = tmp_path / "metrics"
    metrics.mkdir()
    environment = {"PATH": path_with(tmp_path / "bin"), "SETTINGS": str(tmp_path), **BRIEFLY}
    command = [str(RUN_SCRIPT), "orders", str(metrics)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 4 and ran.stderr.startswith("kafka-advisor: 127.0.0.1:1: ")
    assert [path.name for path in metrics.iterdir()] == ["kafka-advisor-orders-run.prom"]
    (sample,) = is_prometheus(next(metrics.iterdir()).read_text())[EXIT_CODE].samples
    assert (sample.labels, sample.value) == ({"run": "orders"}, 4)


def test_both_runs_describe_the_exit_code_alike() -> None:
    texts = (containers()["check"]["args"][-1], RUN_SCRIPT.read_text())
    assert len({re.search(rf"# HELP {EXIT_CODE} [^']*", text)[0] for text in texts}) == 1  # type: ignore[index]


# ---------------------------------------------------------------- alerts and the dashboard


def test_queries_name_metrics_that_there_are() -> None:
    queries = [*(rule["expr"] for rule in alerts().values()), *(query for _, query in dashboard_queries())]
    named = {name for query in queries for name in metrics_in(query)}
    assert named == {*HELP, EXIT_CODE}


def test_the_dashboard_can_be_imported_into_any_grafana() -> None:
    board = dashboard()
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) > 10
    sources = {json.dumps(each["datasource"]) for panel in panels for each in (panel, *panel["targets"])}
    assert sources == {'{"type": "prometheus", "uid": "${datasource}"}'}
    assert [each["name"] for each in board["templating"]["list"]] == ["datasource", "cluster"]
    assert not {"id", "__inputs"} & board.keys() and board["uid"]


def test_panels_of_the_dashboard_lie_side_by_side() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in dashboard()["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken and max(x for x, _ in cells) < 24
        taken |= cells


def test_every_alert_says_what_to_do() -> None:
    page = (ROOT / "docs/running.md").read_text()
    for name, rule in alerts().items():
        assert rule["labels"]["severity"] in ("critical", "warning")
        assert set(rule["annotations"]) == {"summary", "description"}
        assert f"`{name}`" in page
    tested = yaml.safe_load((EXAMPLES / "alerts-test.yaml").read_text())["tests"]
    assert {case["alertname"] for test in tested for case in test["alert_rule_test"]} == set(alerts())
