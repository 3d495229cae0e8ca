"""The examples that run all the time: the CronJob's scripts with its paths mapped to a folder, the alerts, the dashboard."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.support.commands import ROOT
from tests.support.program import path_with

EXAMPLES = ROOT / "examples/kubernetes"
ALERTS = EXAMPLES / "alerts.yaml"
ALERT_TESTS = EXAMPLES / "alerts-test.yaml"
BRIEFLY = {"MORE_OPTIONS": "--timeout 3"}
"""For what reaches nobody: the command line as it stands there would try for half a minute."""
RUN_SCRIPT = ROOT / "examples/systemd/kafka-advisor-run"


def manifests() -> dict[str, Any]:
    """The documents of the CronJob's file by kind."""
    return {each["kind"]: each for each in yaml.safe_load_all((EXAMPLES / "cronjob.yaml").read_text())}


def pod() -> Any:
    """The pod that the CronJob makes."""
    return manifests()["CronJob"]["spec"]["jobTemplate"]["spec"]["template"]["spec"]


def containers() -> dict[str, Any]:
    """The pod's containers by name."""
    return {each["name"]: each for each in (*pod()["initContainers"], *pod()["containers"])}


def mapped(container: Any, folder: Path) -> list[str]:
    """A container's command line as it stands there, with the mounts below a folder."""
    mounts = "|".join(re.escape(mount["mountPath"]) for mount in container["volumeMounts"])
    words = (*container["command"], *container["args"])
    return [re.sub(rf"(?<![\w/])({mounts})/", rf"{folder}\1/", word) if "\n" in word else word for word in words]


def run_container(name: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a container's command line with its mounts below a folder; variables stand in for those of the manifest."""
    container = containers()[name]
    values = {each["name"]: each["value"] for each in container.get("env", ())}
    for mount in container["volumeMounts"]:
        (folder / mount["mountPath"].strip("/")).mkdir(parents=True, exist_ok=True)
    return subprocess.run(
        mapped(container, folder),
        env={**values, **environment, "PATH": path_with(folder / "bin"), "HOME": "/nonexistent"},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def prepare(folder: Path, properties: str) -> Path:
    """The mounts of the container that checks: the client's settings, and the configuration of the ConfigMap."""
    for mount, files in (("client", {"client.properties": properties}), ("config", manifests()["ConfigMap"]["data"])):
        (folder / mount).mkdir(parents=True)
        for name, text in files.items():
            (folder / mount / name).write_text(text)
    return folder


def alerts() -> dict[str, Any]:
    """The alert rules by name."""
    return {rule["alert"]: rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]}


def dashboard() -> Any:
    """The dashboard."""
    return json.loads((EXAMPLES / "dashboard.json").read_text())


def dashboard_queries() -> Iterator[tuple[str, str]]:
    """(title of the panel, query) of the dashboard, with every cluster chosen."""
    for panel in dashboard()["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"].replace("$cluster", ".*")


def metrics_in(query: str) -> set[str]:
    """The names of our metrics in a query."""
    return set(re.findall(r"\bkafka_advisor_\w+", query))
