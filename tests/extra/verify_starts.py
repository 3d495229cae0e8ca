"""Real starts of random combinations against what the tool says of them: kept in a folder, gone on with by the next run."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from advisor.analysis.startup.judge import StartupJudge
from tests.extra.combinations import SHARES, combinations
from tests.extra.compare_starts import differences
from tests.extra.node_combinations import node_combinations
from tests.extra.real_starts import play

SEED, CHUNK = 1, {"Clients": 1000, "Nodes": 200}
OWN = ("producer", "consumer", "admin")
"""What is played where Connect and Streams are those of another release: older ones do not run with newer clients."""
Rows = Callable[[int, int], Iterator[dict[str, Any]]]


def verify(release: str, version: str, jars: str, judge: StartupJudge, kept: Path, clients: int, nodes: int) -> int:
    """Play what is missing of the release's starts, and compare them all; the number of differences."""
    components = OWN if "/" in release else tuple(SHARES)
    kept.mkdir(parents=True, exist_ok=True)
    parts: tuple[tuple[str, int, Rows], ...] = (
        ("Clients", clients, lambda start, count: combinations(version, SEED, start, count, components)),
        ("Nodes", nodes, lambda start, count: node_combinations(version, SEED, start, count)),
    )
    return sum(verify_part(release, main, count, rows, jars, judge, kept) for main, count, rows in parts)


def verify_part(release: str, main: str, count: int, rows: Rows, jars: str, judge: StartupJudge, folder: Path) -> int:
    """The differences of the first `count` starts of a kind."""
    kept, began = folder / f"{main.lower()}-{release.replace('/', '-')}.jsonl", time.perf_counter()
    done = len(lines(kept))
    with kept.open("a", encoding="utf-8") as file:
        for played in play(main, rows(done, max(count - done, 0)), jars, file, CHUNK[main]):
            done += played
            print(f"verify-refusals: {release}: {main}: {done} of {count}", flush=True)
    counts: Counter[str] = Counter()
    found = list(differences((json.loads(line) for line in lines(kept)[:count]), judge, counts))
    print(*found, sep="\n", end="\n" if found else "")
    print(f"verify-refusals: {release}: {main}: {len(found)} differences, {dict(counts)}, "
          f"{time.perf_counter() - began:.0f} s")  # fmt: skip
    return len(found)


def lines(kept: Path) -> list[str]:
    """The rows that are there; a half one at the end, of a run that was ended, is dropped."""
    if not kept.exists():
        return []
    text = kept.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        kept.write_text(whole, encoding="utf-8")
    return whole.splitlines()
