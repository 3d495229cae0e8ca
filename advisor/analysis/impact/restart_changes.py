"""The smallest changes after which a rolling restart stops nothing; min.insync.replicas is never lowered first."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from advisor.analysis.impact.rolling_restart import Blocked, RollingRestart
from advisor.model.cluster import ALIVE
from advisor.simulator.protocol.scenario import MOST_REPLICAS, Scenario
from advisor.simulator.summary import COMMON_POWER
from advisor.simulator.verdict import verdict

FAILURES = {
    "kill": ("crash", "crashes"),
    "power-loss": ("power loss", "power losses"),
    "disk-loss": ("lost disk", "lost disks"),
    "lag": ("replica that falls behind", "replicas that fall behind"),
    "isolate": ("broker that is cut off", "brokers that are cut off"),
}
"""What the simulator's events are called, one of them and several."""


class RestartChange(NamedTuple):
    """A change, and what would do it too, at the price that the simulator names."""

    subject: str
    change: str
    instead: str | None


def changes_of(order: RollingRestart) -> list[RestartChange]:
    """One change for each topic that some step stops, and for a quorum that is too small."""
    rows = {(row.topic, row.by_design): row for step in order.steps for row in step.blocked}
    alive = sum(node.state == ALIVE for node in order.live.nodes)
    changes = [change_of(row, alive) for _, row in sorted(rows.items())]
    quorum = next((step.quorum for step in order.steps if step.quorum.keeps is False), None)
    if quorum is not None and quorum.members is not None:
        if quorum.before is not None and quorum.before < quorum.members:
            text = (
                f"start the {quorum.members - quorum.before} of {quorum.members} {quorum.kind} that are down or behind"
            )
        else:
            text = f"run 3 {quorum.kind} in place of {quorum.members}: with fewer than three none may be restarted"
        changes.append(RestartChange("quorum", text, None))
    return changes


def change_of(row: Blocked, alive: int) -> RestartChange:
    """The change for one topic."""
    if not row.by_design:
        text = f"wait until all {row.replicas} replicas of its partitions are in sync again; now {row.in_sync} are"
        return RestartChange(f"topic {row.topic}", text, None)
    wanted = max(row.replicas, row.needed) + 1
    text = f"one replica more: reassign it from {row.replicas} to {wanted} replicas, throttled"
    if wanted > alive:
        text = f"one replica more takes {wanted} brokers, and {alive} are up: add a broker, then reassign it"
    return RestartChange(f"topic {row.topic}", text, lower_min_isr(row))


def lower_min_isr(row: Blocked) -> str | None:
    """What min.insync.replicas one lower would cost, by the simulator; None where that is no way."""
    if row.needed < 2 or row.replicas > MOST_REPLICAS or row.needed > row.replicas:
        return None
    now, lower = (losing_failures(row.replicas, least) for least in (row.needed, row.needed - 1))
    as_now = "as now" if now == lower else f"now after {now}"
    return f"min.insync.replicas={row.needed - 1}: an acks=all record is then lost after {lower} ({as_now})"


def losing_failures(replicas: int, min_isr: int) -> str:
    """The fewest failures that lose an acknowledged record, not counting that all brokers lose power at once."""
    least = verdict(Scenario(replicas, min_isr)).smallest("loss", COMMON_POWER)
    if least is None:
        return "more than two failures"
    runs = [(event, len(list(run))) for event, run in groupby(least.failures)]
    return ", then ".join(words_of(event, count) for event, count in runs)


def words_of(event: str, count: int) -> str:
    """Events of the simulator as an operator says them."""
    one, many = FAILURES.get(event, (event, event))
    return f"a {one}" if count == 1 else f"{count} {many}"
