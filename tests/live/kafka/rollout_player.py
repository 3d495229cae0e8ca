"""A change rolled out on a real cluster, at once or by the passes that were planned, while clients are at work."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.live.kafka.node import Node, NodeDied
from tests.live.kafka.rollout_clusters import (
    RolloutCluster,
    Values,
    client_listeners,
    copy_meta,
)
from tests.live.kafka.rollout_outcomes import probe
from tests.live.kafka.rollout_plans import carry_out, patch, prepare, read_properties
from tests.live.kafka.rollout_traffic import Traffic
from tests.live.kafka.wire import Silent
from tests.support.commands import run

TOPIC, ASSIGNMENT = "t", ((1, 2, 3), (2, 3, 1), (3, 1, 2))
START = 40.0
"""Seconds that a node gets until it listens."""
PATIENCE, PATIENT = 8.0, 60.0
"""Seconds that a rollout waits for a full ISR: one that goes on whatever it sees, and one that waits."""
Step = dict[str, Any]


class Player:
    """A cluster under load, and the nodes that get other files."""

    def __init__(self, cluster: RolloutCluster, folder: Path, version: str) -> None:
        self.cluster = cluster
        self.folder = folder
        self.version = version
        self.formats: dict[int, list[Path]] = {}
        """Directories that are formatted while a node is stopped."""
        self.files = 0
        self.restarted: Node | None = None
        self.before = folder

    @property
    def nodes(self) -> list[Node]:
        """Brokers and controllers."""
        return [*self.cluster.controllers.values(), *self.cluster.nodes.values()]

    def predict(
        self, after: Mapping[int, Values], nodes: Iterable[Node] | None = None, running: bool = False
    ) -> dict[str, Any]:
        """What `rollout` says of other files of nodes, those that were started; self.before are the files of now.

        `running`: against the running cluster, of which it is told no more than its address.
        """
        self.files += 1
        present = nodes or [node for node in self.nodes if node.process is not None]
        before = {node.id: node.config for node in present}
        folders = [self.folder / f"{side}-{self.files}" for side in ("before", "after")]
        for folder, files in zip(folders, (before, after), strict=True):
            folder.mkdir()
            for id, values in files.items():
                text = "".join(f"{key}={value}\n" for key, value in values.items())
                (folder / f"node-{id}.properties").write_text(text)
        self.before = folders[0]
        if running:
            old = ("--bootstrap-server", self.cluster.bootstrap)
            done = run("rollout", folders[1], *old, "--kafka-version", self.version, "--format", "json")
        else:
            done = run("rollout", *folders, "--kafka-version", self.version, "--format", "json")
        document: dict[str, Any] = done.json
        return of_topic(document) if running else document

    def roll(self, predicted: Sequence[Step], after: Mapping[int, Values], patience: float) -> Iterator[Step]:
        """Roll out at once; one row for each step."""
        for step in predicted:
            observed = self.step(self.cluster.everyone[step["node"]], after[step["node"]], patience)
            yield {"node": step["node"], "predicted": brief(step), "observed": observed}

    def planned(self, answer: dict[str, Any], after: Mapping[int, Values], traffic: Traffic) -> Iterator[Step]:
        """Roll out pass by pass, as planned: each pass's diffs make the files of its nodes."""
        for each in answer["passes"]:
            for file in each["files"]:
                patch(file, self.before, after)
            self.move_clients(each["before"], traffic)
            carry_out(self, [*each["before"], *each["commands"]])
            for step in each["steps"]:
                node = self.cluster.everyone[step["node"]]
                values = read_properties(self.before / f"node-{node.id}.properties", after[node.id])
                observed = self.step(node, values, PATIENT, each["at_each_node"])
                yield {"pass": each["pass"], "node": node.id, "predicted": brief(step), "observed": observed}
            carry_out(self, [*each["wait"], *each["by_hand"]])

    def step(self, node: Node, values: Values, patience: float, at_node: Sequence[str] = ()) -> Step:
        """Stop a node, give it its file, start it, wait; what a fresh client and the cluster then say."""
        try:
            node.stop(8)
        except TimeoutError:
            node.kill()
        node.config, self.restarted = dict(values), node
        for path in self.formats.get(node.id, ()):
            copy_meta(node, path)
        prepare(self, node, at_node)
        if node.id in self.cluster.nodes:
            node.port = self.client_port(values) or node.port
        node.start(wait=False)
        self.await_isr(node, patience)
        down = [each.id for each in self.nodes if each.process is not None and not each.running()]
        seen = {"starts": node.running(), "isr": self.isr(), "refused": self.probe(), "down": down}
        return seen if node.running() else {**seen, "error": reason(node)}

    def await_isr(self, node: Node, patience: float) -> None:
        """Wait until every replica is in sync, and stays so for a moment."""
        self.await_start(node)
        deadline = time.monotonic() + patience
        while True:
            while time.monotonic() < deadline and node.running() and not self.is_full():
                time.sleep(0.3)
            time.sleep(1.5 if node.id in self.cluster.nodes else 5)
            if time.monotonic() > deadline or not node.running() or self.is_full():
                return

    def await_start(self, node: Node) -> None:
        """Wait until the node listens, or has ended: on a machine under load that takes longer than replicas do."""
        with contextlib.suppress(TimeoutError, NodeDied):
            self.cluster.listens(node, START)

    def move_clients(self, conditions: Sequence[str], traffic: Traffic) -> None:
        """Let clients use none of the listeners that the conditions before a pass name."""
        left = [text.split()[5] for text in conditions if text.startswith("no connection is left on")]
        if not left:
            return
        present = client_listeners(next(iter(self.cluster.nodes.values())).config)
        if self.cluster.client_listener in {*left, ""}:
            self.cluster.client_listener = next((name for name in present if name not in left), "")
            for node in self.cluster.nodes.values():
                node.port = self.client_port(node.config) or node.port
            traffic.move()
            time.sleep(2)

    def client_port(self, values: Values) -> int | None:
        """The port of the listener that clients use; where a node does not have it, of its first one in plain text."""
        rows = client_listeners(values)
        row = rows.get(self.cluster.client_listener, next(iter(rows.values()), None))
        return row[1] if row else None

    def is_full(self) -> bool:
        """Whether every replica is in sync, as a live broker says."""
        isr = self.isr()
        return len(isr) == len(ASSIGNMENT) and all(len(members) == 3 for members in isr.values())

    def isr(self) -> dict[str, list[int]]:
        """The ISR of each partition, as a broker says that was not the last to be restarted: that one replays old metadata."""
        for node in sorted(self.cluster.live(), key=lambda each: each is self.restarted):
            with contextlib.suppress(Silent):
                rows = self.cluster.seen_by(node, TOPIC)
                if rows:
                    return {str(number): sorted(row.isr) for number, row in sorted(rows.items())}
        return {}

    def probe(self) -> list[str]:
        """The partitions to which a fresh client cannot write with acks=all."""
        return probe(self.cluster.client_config(), TOPIC, len(ASSIGNMENT))


def of_topic(document: dict[str, Any]) -> dict[str, Any]:
    """The steps with the partitions of the topic under load alone, by their numbers."""
    for step in (*document["steps"], *(step for each in document["passes"] for step in each["steps"])):
        step["isr"] = {key.removeprefix(f"{TOPIC}-"): ids for key, ids in step["isr"].items() if is_ours(key)}
        for key in ("refused", "offline", "lost"):
            step[key] = [name.removeprefix(f"{TOPIC}-") for name in step[key] if is_ours(name)]
    return document


def is_ours(name: str) -> bool:
    """Whether a partition is one of the topic under load."""
    return name.startswith(f"{TOPIC}-")


def brief(step: Step) -> Step:
    """What is compared of a predicted step."""
    return {key: step[key] for key in ("starts", "isr", "refused", "offline", "lost")}


def reason(node: Node) -> str:
    """The line of a node's log that says why it ended."""
    lines = [line for line in node.tail(200).splitlines() if re.search(r"Exception|ERROR", line)]
    return lines[-1][:300] if lines else ""
