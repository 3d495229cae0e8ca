"""Random changes of one to five keys: many of them decided by `rollout`, some of them rolled out on real clusters.

`python -m tests.live.kafka.rollout_random COUNT PLAYED [FIRST-SEED]`: a seed makes the kind of cluster, its files and the change.
Of those that are played no one that is called safe may stop anything.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from advisor.catalog import Definition
from advisor.catalog.values import refusal
from tests.extra.combinations import value_of
from tests.extra.node_combinations import ENDLESS, FIXED, holds
from tests.extra.questions import definitions
from tests.live.kafka.node import Node
from tests.live.kafka.rollout_changes import (
    ANONYMOUS,
    AUTHORIZER,
    STEP,
    Change,
    added,
    moved,
    one_listener,
    switched,
    two_listeners,
)
from tests.live.kafka.rollout_clusters import (
    COMBINED,
    DYNAMIC,
    KRAFT,
    THREE,
    RolloutCluster,
    Values,
    cluster_for,
    updated,
)
from tests.live.kafka.rollout_outcomes import clients_saw
from tests.live.kafka.rollout_player import ASSIGNMENT, PATIENCE, TOPIC, Player
from tests.live.kafka.rollout_traffic import Traffic
from tests.live.kafka.rollouts import disagreements

RELEASE, VERSION = "4.3", (4, 3)
KINDS = (KRAFT, KRAFT, COMBINED, THREE, DYNAMIC)
SURVIVES = ("safe", "dynamic", "no_effect")
EACH = 12
"""Changes that follow each other on one cluster, as long as it is healthy."""
SCOPES = ("all", "all", "brokers", "brokers", "controllers", "one")
STRUCTURAL: tuple[Change, ...] = (
    two_listeners,
    switched,
    moved,
    added,
    one_listener("PLAINTEXT", STEP),
    one_listener("CLIENTS", 0),
    lambda node: AUTHORIZER,
    lambda node: {**AUTHORIZER, **ANONYMOUS},
    lambda node: {"broker.rack": f"r{node.id}"},
    lambda node: {"min.insync.replicas": 3},
)
"""Changes that are more than values."""
OF_THE_LAB = frozenset({"log.cleaner.dedupe.buffer.size", "socket.listen.backlog.size", "config.providers"})
"""Keys by which the machine fails, and not the cluster."""


def catalog_keys() -> dict[str, tuple[Any, ...]]:
    """The keys that may be drawn."""
    left = FIXED | ENDLESS | OF_THE_LAB
    known = definitions("broker", VERSION)
    return {
        key: row for key, row in known.items() if key not in left and not key.startswith(("internal.", "ssl.", "sasl."))
    }


def random_change(dice: random.Random, cluster: RolloutCluster) -> dict[int, dict[str, object]]:
    """The keys that change, node by node."""
    nodes = concerned(dice, cluster)
    known = catalog_keys()
    values = {}
    for key in dice.sample(sorted(known), dice.choice((1, 1, 2, 2, 3, 4, 5))):
        value = random_value(dice, key, known[key], nodes[0].config.get(key))
        if holds(key, value):
            values[key] = value
    structure = dice.choice(STRUCTURAL) if dice.random() < 0.12 else None
    return {
        node.id: {**values, **(structure(node) if structure and node.id < 100 and not node.second_port else {})}
        for node in nodes
    }


def concerned(dice: random.Random, cluster: RolloutCluster) -> list[Node]:
    """The nodes of a change."""
    brokers, controllers = list(cluster.nodes.values()), list(cluster.controllers.values())
    scope = dice.choice(SCOPES)
    if scope == "one":
        return [dice.choice([*controllers, *brokers])]
    if scope == "brokers" or (scope == "controllers" and not controllers):
        return brokers
    return controllers if scope == "controllers" else [*controllers, *brokers]


def random_value(dice: random.Random, key: str, row: tuple[Any, ...], present: object) -> str:
    """A value as someone might write it: near to the present one; now and then any that is valid, or one that is not."""
    kind, default = row[0], str(present if present is not None else row[1] or "")
    chance = dice.random()
    if chance < 0.88:
        near = near_values(kind, default)
        valid = [value for value in near if refusal(Definition(key, row), value) is None]
        if valid:
            return dice.choice(valid)
    return value_of(dice, (key, row), chance > 0.98, VERSION)


def near_values(kind: str, text: str) -> list[str]:
    """Values near to one of a type."""
    if kind == "boolean":
        return ["false" if text.lower() == "true" else "true"]
    if kind in ("int", "long", "short"):
        number = int(text) if text.lstrip("-").isdigit() else 1000
        return (
            [str(number // 2), str(number * 2), str(number + 1), str(number * 3)] if number > 0 else [text, "1000000"]
        )
    if kind == "double":
        return ["0.3", "0.6", "0.9"]
    return []


def random_cluster(dice: random.Random, folder: Path) -> tuple[str, RolloutCluster]:
    """A cluster that is not started, of a random kind; some keys of all its nodes are near to their defaults."""
    kind = dice.choice(KINDS)
    cluster = cluster_for(kind, folder, elr=dice.random() < 0.6)
    return kind, cluster


def decided(seeds: range) -> Counter[str]:
    """The verdicts on changes that are only decided."""
    verdicts: Counter[str] = Counter()
    for seed in seeds:
        dice = random.Random(f"rollout {seed}")
        with tempfile.TemporaryDirectory() as folder:
            _, cluster = random_cluster(dice, Path(folder) / "cluster")
            player = Player(cluster, Path(folder), RELEASE)
            before = random_change(dice, cluster) if dice.random() < 0.5 else {}
            for id, values in before.items():
                cluster.everyone[id].config = updated(cluster.everyone[id].config, near_only(values))
            change = random_change(dice, cluster)
            answer = player.predict(after_change(player, change), cluster.everyone.values())
            cluster.ports.give_back()
        verdicts[answer["verdict"]] += 1
    return verdicts


def near_only(values: Mapping[str, object]) -> dict[str, object]:
    """Of some values those that a healthy cluster may have."""
    return {key: value for key, value in values.items() if str(value).isdigit() and int(str(value)) > 1}


def after_change(player: Player, change: Mapping[int, Values]) -> dict[int, Values]:
    """The new files of all nodes."""
    return {node.id: updated(node.config, change.get(node.id, {})) for node in player.nodes}


def played(seeds: range) -> Iterator[dict[str, Any]]:
    """Changes that are rolled out; one cluster serves for several as long as it is healthy."""
    left = list(seeds)
    while left:
        with tempfile.TemporaryDirectory() as folder:
            try:
                for row in on_one_cluster(left, Path(folder)):
                    left.pop(0)
                    yield row
            except (AssertionError, RuntimeError, TimeoutError):
                print(f"seed {left[0]}: not played\n{traceback.format_exc()[-1200:]}", flush=True)
                left.pop(0)


def on_one_cluster(seeds: list[int], folder: Path) -> Iterator[dict[str, Any]]:
    """The changes of some seeds on the cluster of the first one, until one of them leaves it hurt."""
    kind, cluster = random_cluster(random.Random(f"rollout {seeds[0]}"), folder / "cluster")
    player = Player(cluster, folder, RELEASE)
    with cluster:
        cluster.create(TOPIC, assignment=[list(row) for row in ASSIGNMENT], config={"min.insync.replicas": 2})
        for seed in seeds[:EACH]:
            dice = random.Random(f"rollout {seed}")
            change = random_change(dice, cluster)
            row = one(player, change, running=seed % 2 == 0)
            yield {"seed": seed, "kind": kind, "change": {str(id): values for id, values in change.items()}, **row}
            if row["verdict"] not in (*SURVIVES, "unknown") or hurt(row) or not player.is_full():
                return


def one(player: Player, change: Mapping[int, Values], running: bool) -> dict[str, Any]:
    """A change decided, against the files or against the running cluster, and rolled out."""
    after = after_change(player, change)
    with Traffic(player.cluster.client_config, TOPIC, len(ASSIGNMENT)) as traffic:
        time.sleep(1)
        answer = player.predict(after, running=running)
        begun = time.monotonic()
        steps = list(player.roll(answer["steps"], after, PATIENCE))
        ended = time.monotonic()
    return {
        "verdict": answer["verdict"],
        "patient": answer["patient"],
        "takes": {row["key"]: row["takes"] for row in answer["changes"]},
        "unknown": [row["reason"] for row in answer["unknown"] if row["decides"]],
        "steps": steps,
        **clients_saw(player.cluster, traffic, begun, ended),
    }


def hurt(row: Mapping[str, Any]) -> list[str]:
    """What a change did to the cluster, whatever was foreseen."""
    rows = [f"node {step['node']} does not start" for step in row["steps"] if not step["observed"]["starts"]]
    rows += [f"refused at {step['node']}" for step in row["steps"] if step["observed"]["refused"]]
    rows += [f"down {step['observed']['down']}" for step in row["steps"] if step["observed"]["down"]]
    rows += [
        f"ISR {step['observed']['isr']} at {step['node']}"
        for step in row["steps"]
        if any(len(members) < 3 for members in step["observed"]["isr"].values())
    ]
    return rows + ([f"lost {row['lost']}"] if row["lost"] else [])


def main(count: str, play: str = "0", first: str = "1") -> int:
    """Decide, play, and say what was called safe and stopped something."""
    start = int(first)
    verdicts = decided(range(start, start + int(count)))
    print(f"random rollouts, seeds {start} to {start + int(count) - 1}: {dict(verdicts.most_common())}", flush=True)
    wrong = agreeing = total = 0
    for row in played(range(start, start + int(play))):
        damage = [*hurt(row), *disagreements(row)]
        false_safe = row["verdict"] in SURVIVES and bool(damage)
        wrong, agreeing, total = wrong + false_safe, agreeing + (not disagreements(row)), total + 1
        mark = "WRONG, " if false_safe else ""
        print(f"seed {row['seed']} ({row['kind']}): {mark}{row['verdict']}; {len(row['steps'])} steps", flush=True)
        for line in [f"{id}: {values}" for id, values in list(row["change"].items())[:1]] + (damage if damage else []):
            print(f"    {line}", flush=True)
    print(f"random rollouts played: {total}, {agreeing} as foreseen step by step, {wrong} called safe that stopped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
