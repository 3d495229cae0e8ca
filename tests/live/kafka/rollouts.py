"""`make test-rollout`: changes rolled out on real clusters, node by node, against what `rollout` said of each step.

`python -m tests.live.kafka.rollouts RESULTS.jsonl [NAME…]` plays the scenarios that the file does not hold yet.
"""

from __future__ import annotations

import json
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from advisor.analysis.rollout.outcome import LOSES
from tests.live.kafka.harness import why_not
from tests.live.kafka.rollout_clusters import VERSIONS
from tests.live.kafka.rollout_played import Played
from tests.live.kafka.rollout_player import reason
from tests.live.kafka.rollout_scenarios import SCENARIOS

STALL = 15.0
"""Seconds without an acknowledgement that a restart may take on a machine under load."""


def disagreements(row: dict[str, Any]) -> list[str]:
    """Where prediction and observation part: a start, an ISR, a refusal that was not foreseen, lost records, offsets."""
    rows = [line for step in row["steps"] for line in of_step(step)]
    stops = any(step["predicted"][key] for step in row["steps"] for key in ("refused", "offline"))
    stops = stops or row["verdict"] == LOSES
    if row["lost"] and not any(step["predicted"]["lost"] for step in row["steps"]):
        rows.append(f"{row['lost']} records lost")
    if not stops:
        rows += list(of_clients(row))
    return rows


def of_step(step: dict[str, Any]) -> Iterator[str]:
    """Where a step parts."""
    predicted, observed = step["predicted"], step["observed"]
    where = f"pass {step['pass']}, node {step['node']}" if "pass" in step else f"node {step['node']}"
    if predicted["starts"] is not None and predicted["starts"] != observed["starts"]:
        yield f"{where}: starts {observed['starts']}, predicted {predicted['starts']} {observed.get('error', '')}"
    isr = {key: sorted(members) for key, members in predicted["isr"].items()}
    seen = {key: members for key, members in observed["isr"].items() if key in isr}
    if seen and seen != isr:
        yield f"{where}: ISR {seen}, predicted {isr}"
    foreseen = {*predicted["refused"], *predicted["offline"]}
    if set(observed["refused"]) - foreseen:
        yield f"{where}: writes refused to {observed['refused']}, predicted {sorted(foreseen)}"


def of_clients(row: dict[str, Any]) -> Iterator[str]:
    """What clients missed that run all the time, where nothing was foreseen to stop."""
    if row["refused"] or row["pending"]:
        yield f"{len(row['refused'])} records of a patient producer refused, {row['pending']} pending: {row['refused'][:3]}"
    if max(row["stalls"].values()) > STALL:
        yield f"writes stalled for {row['stalls']} seconds"
    if row["offsets_kept"] is not True:
        yield f"offsets kept: {row['offsets_kept']}"
    if row["lost"] is None:
        yield "not everything can be read"


def main(path: str, *names: str) -> int:
    """Play what the file does not hold yet, and say what agrees."""
    file = Path(path)
    rows = {row["name"]: row for row in map(json.loads, file.read_text().splitlines())} if file.exists() else {}
    chosen = [scenario for scenario in SCENARIOS if not names or scenario.name in names]
    for scenario in chosen:
        if scenario.name in rows or why_not(VERSIONS[scenario.kind]):
            continue
        with tempfile.TemporaryDirectory() as folder:
            played = Played(scenario, Path(folder))
            try:
                row = played.play()
            except (AssertionError, RuntimeError, TimeoutError):
                print(f"{scenario.name}: not played to its end\n{traceback.format_exc()[-1500:]}", flush=True)
                print("\n".join(f"    node {node.id}: {reason(node)}" for node in played.player.nodes), flush=True)
                continue
        rows[scenario.name] = row
        with file.open("a") as out:
            out.write(json.dumps(row) + "\n")
        say(row)
    wrong = [name for name, row in rows.items() if disagreements(row)]
    unplayed = [scenario.name for scenario in chosen if scenario.name not in rows]
    print(f"rollouts: {len(rows) - len(wrong)} of {len(rows)} as predicted, step by step; not played: {unplayed}")
    return 1 if wrong or unplayed else 0


def say(row: dict[str, Any]) -> None:
    """One line for a scenario, and where it parts."""
    print(
        f"{row['name']}: {row['verdict']}, patient {row['patient']}; {len(row['steps'])} steps, {len(row['passes'])} passes; "
        f"{row['acked']} acked, lost {row['lost']}, {len(row['refused'])} given up, longest stall "
        f"{max(row['stalls'].values())} s, offsets kept: {row['offsets_kept']}",
        flush=True,
    )
    for line in disagreements(row):
        print(f"    {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
