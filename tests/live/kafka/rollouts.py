"""`make test-rollout`: changes rolled out on real clusters, node by node, against what `rollout` said of each step.

`python -m tests.live.kafka.rollouts RESULTS.jsonl [NAME…]` plays the scenarios that the file does not hold yet.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.live.kafka.harness import Cluster, why_not
from tests.live.kafka.kraft import formatter
from tests.live.kafka.node import Node, NodeDied
from tests.live.kafka.rollout_scenarios import (
    ALL,
    BROKERS,
    COMBINED,
    KRAFT,
    SCENARIOS,
    THREE,
    ZOOKEEPER,
    Scenario,
    Values,
    mapped,
)
from tests.live.kafka.settings import KRAFT_TIMINGS, TIMINGS, identifier, write_meta
from tests.live.kafka.wire import Silent
from tests.support.commands import run

TOPIC, ASSIGNMENT = "t", ((1, 2, 3), (2, 3, 1), (3, 1, 2))
RECORDS = 20
PATIENCE = 12.0
"""Seconds that a rollout that goes on whatever it sees waits for a full ISR."""
HIDDEN = "<the value that the new file has>"
VERSIONS = {KRAFT: "4.3.1", THREE: "4.3.1", COMBINED: "4.3.1", ZOOKEEPER: "3.9.2"}
Step = dict[str, Any]


class Played:
    """A scenario on its cluster: what was observed at each step, beside what was predicted."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self.scenario = scenario
        self.folder = folder
        self.cluster = cluster_for(scenario, folder / "cluster")
        self.acked: dict[int, list[str]] = {0: [], 1: [], 2: []}
        self.sent = 0
        self.client_listener = ""

    def play(self) -> dict[str, Any]:
        """The comparison."""
        scenario = self.scenario
        for node in self.cluster.everyone.values():
            node.first_port = node.port
            node.config = updated(node.config, scenario.before(node)) if self.concerns(node) else node.config
            for path in scenario.formats(node) if scenario.before(node) else ():
                self.format(node, path)
        with self.cluster:
            return self._rolled()

    def _rolled(self) -> dict[str, Any]:
        cluster, scenario = self.cluster, self.scenario
        config = {} if "min.insync" in scenario.name else {"min.insync.replicas": 2}
        cluster.create(TOPIC, assignment=[list(row) for row in ASSIGNMENT], config=config)
        self.produce(RECORDS)
        after = {
            node.id: dict(updated(node.config, scenario.change(node))) if self.concerns(node) else dict(node.config)
            for node in self.nodes()
        }
        answer = self.predict(after)
        patient = answer["passes"][0]["steps"] if scenario.patient and answer["passes"] else answer["steps"]
        steps = self.planned(answer, after) if scenario.planned else self.roll(patient, after)
        end = self.read()
        return {
            "name": scenario.name,
            "verdict": answer["verdict"],
            "patient": answer["patient"],
            "steps": steps,
            "lost": end,
        }

    def nodes(self) -> list[Node]:
        """Brokers and controllers."""
        return [*self.cluster.controllers.values(), *self.cluster.nodes.values()]

    def concerns(self, node: Node) -> bool:
        """Whether the scenario changes a node."""
        which = self.scenario.nodes
        if isinstance(which, tuple):
            return node.id in which
        return node.id in {ALL: self.cluster.everyone, BROKERS: self.cluster.nodes}.get(which, self.cluster.controllers)

    def predict(self, after: Mapping[int, Values]) -> dict[str, Any]:
        """What `rollout` says."""
        for name, files in (("before", {node.id: node.config for node in self.nodes()}), ("after", after)):
            (self.folder / name).mkdir()
            for id, values in files.items():
                text = "".join(f"{key}={value}\n" for key, value in values.items())
                (self.folder / name / f"node-{id}.properties").write_text(text)
        version = VERSIONS[self.scenario.kind].rpartition(".")[0]
        done = run(
            "rollout", self.folder / "before", self.folder / "after", "--kafka-version", version, "--format", "json"
        )
        document: dict[str, Any] = done.json
        return document

    def roll(self, predicted: Sequence[Step], after: Mapping[int, Values]) -> list[Step]:
        """Roll out at once; one row for each step."""
        rows = []
        for step in predicted:
            observed = self.step(self.cluster.everyone[step["node"]], after[step["node"]])
            rows.append({"node": step["node"], "predicted": brief(step), "observed": observed})
        return rows

    def planned(self, answer: dict[str, Any], after: Mapping[int, Values]) -> list[Step]:
        """Roll out pass by pass, as planned: each pass's diffs make the files of its nodes."""
        rows = []
        for each in answer["passes"]:
            for file in each["files"]:
                patch(file, self.folder, after)
            self.move_clients(each["before"])
            for step in each["steps"]:
                values = read_properties(
                    self.folder / "before" / f"node-{step['node']}.properties", after[step["node"]]
                )
                observed = self.step(self.cluster.everyone[step["node"]], values)
                rows.append(
                    {"pass": each["pass"], "node": step["node"], "predicted": brief(step), "observed": observed}
                )
        return rows

    def step(self, node: Node, values: Values) -> Step:
        """Stop a node, give it its file, start it, wait; what a fresh client and the cluster then say."""
        try:
            node.stop(20)
        except TimeoutError:
            node.kill()
        node.config = dict(values)
        for path in self.scenario.formats(node) if not self.scenario.before(node) else ():
            self.format(node, path)
        node.port = self.client_port(values) or node.port
        node.start(wait=False)
        deadline = time.monotonic() + (60 if self.scenario.patient else PATIENCE)
        while time.monotonic() < deadline and node.running() and not self.is_full():
            time.sleep(0.3)
        time.sleep(1.5 if node.id in self.cluster.nodes else 5)
        down = [each.id for each in self.nodes() if not each.running()]
        seen = {"starts": node.running(), "isr": self.isr(), "refused": self.probe(), "down": down}
        return seen if node.running() else {**seen, "error": reason(node)}

    def move_clients(self, conditions: Sequence[str]) -> None:
        """Let clients use none of the listeners that the conditions before a pass name."""
        left = [text.split()[5] for text in conditions if text.startswith("no connection is left on")]
        if left:
            present = plain_listeners(next(iter(self.cluster.nodes.values())).config)
            self.client_listener = next(name for name in present if name not in left)
            for node in self.cluster.nodes.values():
                node.port = self.client_port(node.config) or node.port

    def client_port(self, values: Values) -> int | None:
        """The port of the listener that clients use; where a node does not have it, of its first one in plain text."""
        ports = plain_listeners(values)
        return ports.get(self.client_listener, next(iter(ports.values()), None))

    def format(self, node: Node, path: Path) -> None:
        """Write meta.properties as the formatted directories of the node have it."""
        present = next(
            (
                Path(str(text))
                for text in (node.data, *str(node.config["log.dirs"]).split(","))
                if (Path(str(text)) / "meta.properties").exists()
            ),
            None,
        )
        if present is None:
            path.mkdir(parents=True, exist_ok=True)
            return
        lines = dict(
            line.split("=", 1) for line in (present / "meta.properties").read_text().splitlines() if "=" in line
        )
        write_meta(path, lines["cluster.id"], int(lines.get("node.id", lines.get("broker.id", "0"))), identifier())

    def is_full(self) -> bool:
        """Whether every replica is in sync, as a live broker says."""
        return all(len(members) == 3 for members in self.isr().values()) and len(self.isr()) == 3

    def isr(self) -> dict[str, list[int]]:
        """The ISR of each partition."""
        known = {}
        for number in range(3):
            with contextlib.suppress(Silent, NodeDied):
                known[str(number)] = sorted(self.cluster.partition(TOPIC, number).isr)
        return known

    def probe(self) -> list[str]:
        """The partitions to which a fresh client cannot write with acks=all."""
        return [str(number) for number in range(3) if not self.write(number)]

    def write(self, number: int) -> bool:
        """Write one record."""
        self.sent += 1
        value = f"r{self.sent}"
        (outcome,) = self.cluster.produce(TOPIC, number, [value], timeout=4)
        if isinstance(outcome, int):
            self.acked[number].append(value)
        return isinstance(outcome, int)

    def produce(self, count: int) -> None:
        """Write records to every partition."""
        for number in range(3):
            for _ in range(count):
                assert self.write(number)

    def read(self) -> int | None:
        """How many acknowledged records cannot be read any more; None where nothing can be read."""
        lost = 0
        for number, values in self.acked.items():
            try:
                lost += len(set(values) - set(self.cluster.consume(TOPIC, number, 8)))
            except (TimeoutError, Exception):
                return None
        return lost


def plain_listeners(values: Values) -> dict[str, int]:
    """The ports of the listeners in plain text, by name."""
    protocols = dict(row.split(":") for row in str(values.get("listener.security.protocol.map", "")).split(",") if row)
    rows = (row.partition("://") for row in str(values.get("listeners", "")).split(","))
    return {name: int(address.rpartition(":")[2]) for name, _, address in rows if protocols.get(name) == "PLAINTEXT"}


def reason(node: Node) -> str:
    """The line of a node's log that says why it ended."""
    lines = [line for line in node.tail(200).splitlines() if "Exception" in line or "ERROR" in line]
    return lines[-1][:300] if lines else ""


def cluster_for(scenario: Scenario, folder: Path) -> Cluster:
    """The cluster before the change."""
    version = VERSIONS[scenario.kind]
    if scenario.kind == ZOOKEEPER:
        return Cluster.zookeeper(
            folder, version=version, config={"listener.security.protocol.map": "PLAINTEXT:PLAINTEXT"}
        )
    if scenario.kind == COMBINED:
        return combined(folder, version)
    controllers = 3 if scenario.kind == THREE else 1
    return Cluster.kraft(folder, version=version, controllers=controllers, elr=scenario.elr)


def combined(folder: Path, version: str) -> Cluster:
    """Three nodes that are brokers and controllers."""
    cluster = Cluster(folder, version)
    ports = {id: (cluster.ports.take(), cluster.ports.take()) for id in (1, 2, 3)}
    voters = ",".join(f"{id}@127.0.0.1:{second}" for id, (_, second) in ports.items())
    for id, (port, second) in ports.items():
        config = {
            "process.roles": "broker,controller",
            "node.id": id,
            "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{second}",
            "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}",
            "inter.broker.listener.name": "PLAINTEXT",
            "controller.listener.names": "CONTROLLER",
            "controller.quorum.voters": voters,
            "log.dirs": folder / f"n{id}" / "data",
            **mapped(),
            **TIMINGS,
            **KRAFT_TIMINGS,
        }
        cluster.add(cluster.nodes, id, port, config)
    cluster_id = identifier()
    for process in [formatter(node, cluster_id, []) for node in cluster.nodes.values()]:
        process.communicate()
    return cluster


def updated(config: Values, change: Values) -> dict[str, object]:
    """A configuration with some keys set or taken away."""
    return {key: value for key, value in {**config, **change}.items() if value is not None}


def brief(step: Step) -> Step:
    """What is compared of a predicted step."""
    return {key: step[key] for key in ("starts", "isr", "refused", "offline", "lost")}


def patch(file: dict[str, Any], folder: Path, after: Mapping[int, Values]) -> None:
    """Apply a diff; values that it does not show are those of the new file."""
    assert not file["by_hand"], file["by_hand"]
    path = Path(file["file"])
    id = int(path.stem.partition("-")[2])
    lines = [shown_value(line, after[id]) for line in file["diff"]]
    text = "\n".join(lines[2:] if lines else []) + "\n"
    done = subprocess.run(
        ["patch", "--quiet", str(path)], input=f"--- a\n+++ b\n{text}", text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, (done.stdout, done.stderr, text)


def shown_value(line: str, values: Values) -> str:
    """A line of a diff with the value that it hides."""
    key = line[1:].partition("=")[0]
    return (
        line.replace(HIDDEN, str(values.get(key, values.get(key.replace("_next.", "."), ""))))
        if HIDDEN in line
        else line
    )


def read_properties(path: Path, final: Values) -> dict[str, object]:
    """A file's keys and values."""
    rows = (line.split("=", 1) for line in path.read_text().splitlines() if "=" in line)
    return {key: final.get(key, value) if value == HIDDEN else value for key, value in rows}


def disagreements(row: dict[str, Any]) -> list[str]:
    """Where prediction and observation part: a start, an ISR, a refusal that was not foreseen, lost records."""
    found = []
    for step in row["steps"]:
        predicted, observed = step["predicted"], step["observed"]
        where = f"pass {step['pass']}, node {step['node']}" if "pass" in step else f"node {step['node']}"
        if predicted["starts"] is not None and predicted["starts"] != observed["starts"]:
            found.append(f"{where}: starts {observed['starts']}, predicted {predicted['starts']}")
        isr = {key: sorted(members) for key, members in predicted["isr"].items()}
        if observed["isr"] and observed["isr"] != isr:
            found.append(f"{where}: ISR {observed['isr']}, predicted {isr}")
        foreseen = {*predicted["refused"], *predicted["offline"]}
        if set(observed["refused"]) - foreseen:
            found.append(f"{where}: writes refused to {observed['refused']}, predicted {sorted(foreseen)}")
    foreseen_loss = any(step["predicted"]["lost"] for step in row["steps"])
    if row["lost"] and not foreseen_loss:
        found.append(f"{row['lost']} records lost")
    return found


def main(path: str, *names: str) -> int:
    """Play what the file does not hold yet, and say what agrees."""
    file = Path(path)
    rows = {row["name"]: row for row in map(json.loads, file.read_text().splitlines())} if file.exists() else {}
    chosen = [scenario for scenario in SCENARIOS if not names or scenario.name in names]
    for scenario in chosen:
        if scenario.name not in rows and not why_not(VERSIONS[scenario.kind]):
            with tempfile.TemporaryDirectory() as folder:
                rows[scenario.name] = Played(scenario, Path(folder)).play()
            with file.open("a") as out:
                out.write(json.dumps(rows[scenario.name]) + "\n")
            say(rows[scenario.name])
    wrong = [name for name, row in rows.items() if disagreements(row)]
    print(f"rollouts: {len(rows) - len(wrong)} of {len(rows)} as predicted, step by step")
    return 1 if wrong else 0


def say(row: dict[str, Any]) -> None:
    """One line for a scenario, and where it parts."""
    print(
        f"{row['name']}: {row['verdict']}, patient {row['patient']}; {len(row['steps'])} steps, lost {row['lost']}",
        flush=True,
    )
    for line in disagreements(row):
        print(f"    {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
