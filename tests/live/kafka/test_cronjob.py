"""The CronJob's own command lines against a real cluster, a real Pushgateway and a real Prometheus: every query has a result."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.kafka.harness import Cluster, needs_kafka
from tests.live.monitoring.servers import DAY, Prometheus, get, node_exporter, prometheus, pushgateway, remember
from tests.support.commands import ROOT
from tests.support.program import path_with
from tests.support.running import ALERTS, BRIEFLY, RUN_SCRIPT, alerts, dashboard_queries, prepare, run_container

CONFIG = {
    "default.replication.factor": "3",
    "offsets.topic.replication.factor": "3",
    "transaction.state.log.replication.factor": "3",
    "min.insync.replicas": "2",
}
RACKS = {1: "a", 2: "b", 3: "c"}
NOBODY = "bootstrap.servers=127.0.0.1:1\n"
RUN = "orders-production"
AT_ONCE = ("KafkaAdvisorCriticalFinding", "KafkaAdvisorStale")
"""The alerts without `for`."""


def run_job(folder: Path, properties: str, gateway: str, name: str) -> int:
    """Run both containers of the CronJob in their order; returns the exit code of the one that pushes."""
    briefly = BRIEFLY if properties == NOBODY else {}
    checked = run_container("check", prepare(folder, properties), **briefly)
    assert checked.returncode == 0, checked.stderr
    (folder / "log").write_text(checked.stdout)
    pushed = run_container("push", folder, PUSHGATEWAY=f"http://{gateway}", RUN=name)
    assert "curl" not in pushed.stderr, pushed.stderr
    return pushed.returncode


def run_timer(folder: Path, properties: str) -> Path:
    """Run the timer's script; returns the folder with the metrics."""
    (folder / "metrics").mkdir(parents=True)
    (folder / "orders.properties").write_text(properties)
    (folder / "kafka-advisor.yaml").write_text("profile: staging\n")
    environment = {"PATH": path_with(folder / "bin"), "SETTINGS": str(folder)}
    command = [str(RUN_SCRIPT), "orders", str(folder / "metrics")]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    return folder / "metrics"


def run_archive(folder: Path, gateway: str) -> None:
    """Push what is found in an old snapshot, of which the access rules could not be read."""
    snapshot = json.loads((ROOT / "examples/cluster.json").read_text())
    snapshot["unread"]["acls"] = "not permitted"
    folder.mkdir()
    (folder / "cluster.json").write_text(json.dumps(snapshot))
    program = path_with(folder / "bin").partition(":")[0]
    command = [f"{program}/kafka-advisor", "check", "cluster.json", "--exit-zero", "--format", "prometheus=out.prom"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    push = ["curl", "--fail", "--silent", "--data-binary", "@out.prom", f"http://{gateway}/metrics/job/kafka-advisor/run/archive"]  # fmt: skip
    subprocess.run(push, cwd=folder, check=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where everything is written."""
    return tmp_path_factory.mktemp("monitoring")


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[Prometheus]:
    """A Prometheus that knows a healthy cluster of a day ago, of which a broker is down now."""
    needs_kafka("4.3.1")
    with (
        pushgateway(folder) as gateway,
        Cluster.kraft(folder / "kafka", config=CONFIG, controller_config=CONFIG, racks=RACKS) as cluster,
    ):
        properties = f"bootstrap.servers={cluster.bootstrap}\n{cluster.properties()}"
        cluster.create("orders", partitions=3)
        cluster.create("single", assignment=[[3]])
        assert run_job(folder / "yesterday", properties, gateway, RUN) == 0
        text = (folder / "yesterday/report/all.prom").read_text()
        remember(folder, text, {"job": "kafka-advisor", "run": RUN}, time.time() - DAY)
        cluster.nodes[3].kill()
        cluster.wait("orders", 0, isr={1, 2})
        assert run_job(folder / "today", properties, gateway, RUN) == 0
        metrics = run_timer(folder / "timer", properties)
        assert run_job(folder / "unreachable", NOBODY, gateway, "unreachable") == 4
        run_archive(folder / "archive", gateway)
        assert (folder / "today/report/kafka-advisor.html").stat().st_size > 10_000
        with (
            node_exporter(folder, metrics) as exporter,
            prometheus(folder, ALERTS, {"pushgateway": gateway, "node": exporter}) as started,
        ):
            started.wait('kafka_advisor_info{run="archive"}')
            started.wait('kafka_advisor_exit_code{job="node"}')
            yield started


@pytest.mark.parametrize(("panel", "query"), list(dashboard_queries()))
def test_every_query_of_the_dashboard_has_a_result(running: Prometheus, panel: str, query: str) -> None:
    assert running.query(query), panel


@pytest.mark.parametrize("name", [name for name in alerts() if name != "KafkaAdvisorAbsent"])
def test_the_condition_of_every_alert_has_a_result(running: Prometheus, name: str) -> None:
    assert running.query(alerts()[name]["expr"])


def test_an_alert_that_everything_is_gone_has_a_result_where_nothing_was(running: Prometheus) -> None:
    expression = alerts()["KafkaAdvisorAbsent"]["expr"]
    assert running.query(expression) == []
    assert running.query(expression, time=str(time.time() - 7 * DAY))


def test_prometheus_evaluates_the_rules_and_fires(running: Prometheus) -> None:
    for name in AT_ONCE:
        running.wait(f'ALERTS{{alertname="{name}", alertstate="firing"}}')
    rules = running.ask("rules")["groups"][0]["rules"]
    assert [(rule["name"], rule["health"], rule.get("lastError")) for rule in rules] == [
        (name, "ok", None) for name in alerts()
    ]
    firing = running.query('ALERTS{alertname="KafkaAdvisorCriticalFinding", alertstate="firing"}')
    assert {"rule", "name", "cluster", "severity"} <= firing[0]["metric"].keys()


def test_the_page_shows_what_a_run_and_prometheus_say(running: Prometheus, folder: Path) -> None:
    page = (ROOT / "docs/running.md").read_text()
    finding = re.findall(r"^(      critical .*\n(?: {16}.*\n)+)", page, re.MULTILINE)
    assert len(finding) == 1 and finding[0] in (folder / "today/log").read_text()
    shown = re.findall(r"^ALERTS\{(.*)\} => 1$", page, re.MULTILINE)
    for labels in shown:
        named = re.sub(r'cluster="[^"]*"|alertstate="[^"]*"|run="payments-production"', "", labels)
        running.wait(f"ALERTS{{{','.join(filter(None, named.split(', ')))}}}")
    assert len(shown) == 5


def test_what_is_new_is_what_the_killed_broker_brought(running: Prometheus) -> None:
    query = next(query for panel, query in dashboard_queries() if panel == "New since yesterday")
    new = {row["metric"]["rule"] for row in running.query(f"({query}) and on (cluster) kafka_advisor_info{{run='{RUN}'}}")}  # fmt: skip
    assert "KA221" in new or "KA220" in new, new


def test_a_run_that_reaches_nobody_leaves_what_was_found(running: Prometheus) -> None:
    (code,) = running.query('kafka_advisor_exit_code{run="unreachable"}')
    assert code["value"][1] == "4"
    assert running.query('kafka_advisor_info{run="unreachable"}') == []


def test_the_textfile_collector_reads_what_the_timer_wrote(running: Prometheus) -> None:
    (error,) = running.query("node_textfile_scrape_error")
    assert error["value"][1] == "0"
    (info,) = running.query('kafka_advisor_info{job="node"}')
    assert info["metric"]["profile"] == "staging"
    assert running.query('kafka_advisor_exit_code{job="node", run="orders"} == 0')
    assert running.query('time() - node_textfile_mtime_seconds{file=~".*kafka-advisor-orders.prom"} < 600')


def test_a_run_that_fails_after_one_that_did_not_keeps_its_findings(tmp_path: Path) -> None:
    with pushgateway(tmp_path) as gateway:
        run_archive(tmp_path / "archive", gateway)
        assert run_job(tmp_path / "later", NOBODY, gateway, "archive") == 4
        pushed = get(f"http://{gateway}/metrics")
    assert "kafka_advisor_score{cluster=" in pushed
    assert 'kafka_advisor_exit_code{instance="",job="kafka-advisor",run="archive"} 4' in pushed
