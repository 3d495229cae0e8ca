"""A scenario played on a cluster of its own."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.live.kafka.node import Node
from tests.live.kafka.rollout_changes import ALL, BROKERS, Scenario
from tests.live.kafka.rollout_clusters import VERSIONS, add_controller, cluster_for, copy_meta, updated
from tests.live.kafka.rollout_outcomes import clients_saw
from tests.live.kafka.rollout_plans import tool
from tests.live.kafka.rollout_player import ASSIGNMENT, PATIENCE, PATIENT, TOPIC, Player
from tests.live.kafka.rollout_traffic import Traffic


class Played:
    """A scenario on its cluster: what was observed at each step, beside what was predicted."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self.scenario = scenario
        self.cluster = cluster_for(scenario.kind, folder / "cluster", scenario.elr, scenario.tls)
        self.player = Player(self.cluster, folder, VERSIONS[scenario.kind].rpartition(".")[0])

    def play(self) -> dict[str, Any]:
        """The comparison."""
        self.prepare()
        with self.cluster:
            self.join()
            return self._rolled()

    def prepare(self) -> None:
        """The files before the change."""
        for node in self.cluster.everyone.values():
            before = self.scenario.before(node)
            if self.concerns(node):
                node.config = updated(node.config, before)
            for path in self.scenario.formats(node) if before else ():
                copy_meta(node, path)
            if not before and not self.scenario.planned:
                self.player.formats[node.id] = self.scenario.formats(node)
            if node.id in self.cluster.nodes:
                node.port = self.player.client_port(node.config) or node.port

    def join(self) -> None:
        """Controllers that the new files add."""
        for id in self.scenario.joins:
            add_controller(self.cluster, id, self.cluster.controllers[101])

    def after(self) -> dict[int, dict[str, object]]:
        """The new files; with controllers that join, all of them are where nodes look for the quorum."""
        files = {
            node.id: updated(node.config, self.scenario.change(node)) if self.concerns(node) else dict(node.config)
            for node in self.player.nodes
        }
        servers = ",".join(node.address for node in self.cluster.controllers.values())
        for values in files.values() if self.scenario.joins else ():
            values |= {"controller.quorum.bootstrap.servers": servers}
        for id in self.scenario.joins:
            files[id].pop("controller.quorum.voters", None)
            self.cluster.everyone[id].config = dict(files[id])
        return files

    def _rolled(self) -> dict[str, Any]:
        scenario, player = self.scenario, self.player
        config = {} if "min.insync" in scenario.name else {"min.insync.replicas": 2}
        self.cluster.create(TOPIC, assignment=[list(row) for row in ASSIGNMENT], config=config)
        self.set_dynamic()
        after = self.after()
        answer = {} if scenario.running else player.predict(after)
        with Traffic(self.cluster.client_config, TOPIC, len(ASSIGNMENT)) as traffic:
            time.sleep(3)
            answer = answer or player.predict(after, running=True)
            begun = time.monotonic()
            if scenario.planned:
                steps = list(player.planned(answer, after, traffic))
            else:
                patient = scenario.patient and answer["passes"]
                rows = answer["passes"][0]["steps"] if patient else answer["steps"]
                steps = list(player.roll(rows, after, PATIENT if scenario.patient else PATIENCE))
            ended = time.monotonic()
        verdicts = {key: answer[key] for key in ("verdict", "patient")}
        passes = [each["title"] for each in answer["passes"]] if scenario.planned else []
        seen = clients_saw(self.cluster, traffic, begun, ended)
        return {"name": scenario.name, "kind": scenario.kind, **verdicts, "passes": passes, "steps": steps, **seen}

    def set_dynamic(self) -> None:
        """Cluster-wide dynamic values, by Kafka's own tool."""
        for key, value in self.scenario.dynamic.items():
            change = f"--alter --entity-type brokers --entity-default --add-config {key}={value}"
            tool(self.player, f'kafka-configs.sh --bootstrap-server "$BOOTSTRAP" {change}', None)

    def concerns(self, node: Node) -> bool:
        """Whether the scenario changes a node."""
        which = self.scenario.nodes
        if isinstance(which, tuple):
            return node.id in which
        if node.id in self.scenario.joins:
            return False
        return node.id in {ALL: self.cluster.everyone, BROKERS: self.cluster.nodes}.get(which, self.cluster.controllers)
