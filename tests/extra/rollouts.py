"""Compare the change rules with real rollouts: `python -m tests.extra.rollouts FILE.jsonl`.

A row holds the files of every node of a cluster, the keys that each pass of a rollout changes, and what came of it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.commands import run

NEEDS_CLUSTER = {"thread-count-conflicts-with-dynamic", "min-isr-file-elr-on", "log-dirs-formatted-patient"}
"""Rows that two sets of files do not decide: dynamic values, features, and the patience of who rolls."""

Files = dict[str, dict[str, str]]
"""Node → key → value."""

SERIOUS = ("medium", "high", "critical")


def main(path: str) -> int:
    """Print every row that was judged otherwise than the real cluster did."""
    file = Path(path)
    if not file.is_file():
        print(f"rollouts: skipped, there is no {file}")
        return 0
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    decidable = [row for row in rows if row["pass"] != "dynamic" and row["id"] not in NEEDS_CLUSTER]
    wrong = [row["id"] for row in decidable if not is_right(row)]
    print(
        f"rollouts: {len(decidable) - len(wrong)} of {len(decidable)} as the cluster did; {len(rows) - len(decidable)} need one"
    )
    return 1 if wrong else 0


def is_right(row: dict[str, Any]) -> bool:
    """Whether a safe rollout has no serious finding, and another one names a key that it changes."""
    named = {key for keys in named_keys(row) for key in keys}
    changed = {key for change in row["changes"] for keys in change.values() for key in keys}
    right = not named if row["verdict"] == "safe" else bool(named & changed)
    if not right:
        print(f"rollouts: {row['id']}: {row['verdict']}, changes {sorted(changed)}, findings at {sorted(named)}")
    return right


def named_keys(row: dict[str, Any]) -> Iterator[set[str]]:
    """The keys that serious change findings name, pass by pass."""
    files: Files = row["files_old"]
    for change in row["changes"]:
        former, files = files, {node: changed(keys, change.get(node, {})) for node, keys in files.items()}
        yield {finding["key"] for finding in change_findings(former, files) if finding["severity"] in SERIOUS}


def changed(keys: dict[str, str], values: dict[str, str | None]) -> dict[str, str]:
    """A file's keys with some set or, where the value is None, taken out."""
    return {key: value for key, value in {**keys, **values}.items() if value is not None}


def change_findings(former: Files, files: Files) -> list[dict[str, Any]]:
    """What `diff` says of two folders of files."""
    with tempfile.TemporaryDirectory() as folder:
        for side, nodes in (("before", former), ("after", files)):
            (Path(folder) / side).mkdir()
            for node, keys in nodes.items():
                text = "".join(f"{key}={value}\n" for key, value in keys.items())
                (Path(folder) / side / f"node-{node}.properties").write_text(text, encoding="utf-8")
        result = run("diff", f"{folder}/before", f"{folder}/after", "--format", "json")
    return list(result.json["change_findings"])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
