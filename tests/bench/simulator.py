"""What the simulator costs: `python -m tests.bench.simulator`: whole commands, and how many states a second are searched."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from itertools import combinations_with_replacement

from advisor.simulator.protocol.scenario import EVENTS, MOST_REPLICAS, Scenario, budget
from advisor.simulator.search import search
from advisor.simulator.verdict import count_failures

RACKS = ("A" * 7, "AAAAAAB", "AAAABBB", "AAABBBC", "ABBBBBB")


def commands() -> None:
    """Every kind of configuration with seven replicas, as JSON, which tells every story: the slowest five."""
    seconds: list[tuple[float, str]] = []
    for racks in RACKS:
        for min_isr in (1, 3, 4, 6, 7):
            for options in ((), ("--elr",), ("--unclean",), ("--unclean", "--flush"), ("--acks", "1"), ("--flush",)):
                words = ["--rf", str(MOST_REPLICAS), "--min-isr", str(min_isr), "--racks", ",".join(racks), *options]
                started = time.perf_counter()
                command = [sys.executable, "-m", "advisor", "simulate", *words, "--format", "json"]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                seconds.append((time.perf_counter() - started, " ".join(words)))
    seconds.sort(reverse=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"simulate --format json, {len(seconds)} configurations of {MOST_REPLICAS} replicas: median {middle(seconds):.2f} s,"
    )
    print(f"  at most {peak:.0f} MB; the slowest:")
    for spent, invocation in seconds[:5]:
        print(f"  {spent:5.2f} s  {invocation}")


def middle(seconds: list[tuple[float, str]]) -> float:
    """The median."""
    return seconds[len(seconds) // 2][0]


def states() -> None:
    """How many states an exhaustive search looks at in a second."""
    pairs = list(combinations_with_replacement(EVENTS, 2))
    searched, started = 0, time.perf_counter()
    for min_isr in (1, 2, 3):
        for pair in pairs:
            searched += search(Scenario(3, min_isr, "all"), budget(count_failures(pair))).states
    spent = time.perf_counter() - started
    print(f"all {len(pairs)} pairs of failures, RF 3, acks=all, three configurations: {spent:.1f} s of one core,")
    print(f"  {searched} states, {searched / spent:.0f} states/s")


if __name__ == "__main__":
    commands()
    states()
