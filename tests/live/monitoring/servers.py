"""A real Prometheus, Pushgateway and node exporter on the loopback, and what Prometheus answers."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from tests.live.kafka.node import die_with_parent, until
from tests.live.kafka.ports import Ports
from tests.support.browser import missing

MINUTE, DAY = 60, 86_400


def program(name: str) -> str:
    """The path of a program of Debian's package of that name (promtool comes with prometheus)."""
    path = shutil.which(name)
    if path is None:
        missing(f"no {name} found (the Debian package is {name.replace('promtool', 'prometheus')})")
    assert path is not None
    return path


def get(url: str) -> str:
    """The body of a page; empty while nobody answers or it is not ready."""
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            return str(response.read().decode())
    except (urllib.error.URLError, ConnectionError):
        return ""


@contextmanager
def serving(folder: Path, name: str, *options: str, ready: str = "/-/ready") -> Iterator[str]:
    """A server of Prometheus' family on a free port; gives its address."""
    ports = Ports()
    address = f"127.0.0.1:{ports.take()}"
    with (folder / f"{name}.log").open("w") as log:
        command = [program(name), f"--web.listen-address={address}", *options]
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, preexec_fn=die_with_parent)
    try:
        until(lambda: get(f"http://{address}{ready}"), lambda: (folder / f"{name}.log").read_text())
        yield address
    finally:
        process.terminate()
        process.wait(timeout=30)
        ports.give_back()


@contextmanager
def pushgateway(folder: Path) -> Iterator[str]:
    """A Pushgateway that forgets; gives its address."""
    with serving(folder, "prometheus-pushgateway", "--persistence.file=") as address:
        yield address


@contextmanager
def node_exporter(folder: Path, metrics: Path) -> Iterator[str]:
    """A node exporter with its textfile collector alone; gives its address."""
    options = ("--collector.disable-defaults", "--collector.textfile", f"--collector.textfile.directory={metrics}")
    with serving(folder, "prometheus-node-exporter", *options, ready="/metrics") as address:
        yield address


@contextmanager
def prometheus(folder: Path, rules: Path, targets: dict[str, str]) -> Iterator[Prometheus]:
    """A Prometheus that scrapes the targets (address by job) each second, keeps their labels, and evaluates the rules."""
    jobs = [
        {"job_name": job, "honor_labels": True, "static_configs": [{"targets": [address]}]}
        for job, address in targets.items()
    ]
    often = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    (folder / "prometheus.yml").write_text(
        yaml.safe_dump({"global": often, "rule_files": [str(rules)], "scrape_configs": jobs})
    )
    options = (f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}")
    with serving(folder, "prometheus", *options) as address:
        yield Prometheus(address)


class Prometheus:
    """What a running Prometheus answers."""

    def __init__(self, address: str) -> None:
        self.address = address

    def ask(self, path: str, **parameters: str) -> Any:
        """The data of an answer of the HTTP API. Raises AssertionError where it is an error."""
        url = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=30) as response:
            answer = json.load(response)
        assert answer["status"] == "success", answer
        return answer["data"]

    def query(self, expression: str, **parameters: str) -> list[Any]:
        """The series that a query gives now, or at another `time`."""
        return list(self.ask("query", query=expression, **parameters)["result"])

    def wait(self, expression: str) -> None:
        """Wait until a query has a result."""
        until(lambda: self.query(expression), lambda: f"a result of {expression}")


def remember(folder: Path, text: str, labels: dict[str, str], middle: float) -> None:
    """Put a metrics text into the storage of a Prometheus that is not running yet, as scraped for 20 minutes around a time."""
    more = ",".join(f'{name}="{value}"' for name, value in labels.items())
    times = range(int(middle) - 10 * MINUTE, int(middle) + 10 * MINUTE, MINUTE)
    lines = []
    for line in text.splitlines():
        sample = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line)
        series = [] if sample is None else [more, *filter(None, [sample[2]])]
        lines += [line] if sample is None else [f"{sample[1]}{{{','.join(series)}}} {sample[3]} {at}" for at in times]
    (folder / "remembered.om").write_text("\n".join([*lines, "# EOF", ""]))
    command = [program("promtool"), "tsdb", "create-blocks-from", "openmetrics", "remembered.om", "data"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
