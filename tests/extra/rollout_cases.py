"""Compare `rollout` with what real clusters did: `python -m tests.extra.rollout_cases FILE.jsonl`.

A row holds the files of every node, the keys that each pass of a rollout changes, and the verdict on what came of it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.extra.rollouts import Files, changed
from tests.support.commands import run

ORDER = (
    "safe",
    "dynamic",
    "no_effect",
    "needs_passes",
    "unavailable_during",
    "refuses_to_start",
    "loses_data",
    "unknown",
)


def main(path: str) -> int:
    """Print every row that was judged otherwise than the real cluster did."""
    file = Path(path)
    if not file.is_file():
        print(f"rollout cases: skipped, there is no {file}")
        return 0
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    decidable = [row for row in rows if any(row["changes"])]
    wrong = [row["id"] for row in decidable if not is_right(row)]
    print(f"rollout cases: {len(decidable) - len(wrong)} of {len(decidable)} as the cluster did")
    return 1 if wrong else 0


def is_right(row: Mapping[str, Any]) -> bool:
    """Whether the verdict is the one of the row: of a patient rollout where the row was rolled so."""
    expected = "no_effect" if row["verdict"].startswith("no_effect") else row["verdict"]
    verdicts = list(verdicts_of(row))
    side = "patient" if row.get("roll") == "patient" else "verdict"
    verdict = max((each[side] for each in verdicts), key=ORDER.index)
    if verdict != expected:
        print(f"rollout cases: {row['id']}: {expected}, and rollout says {verdict}")
    return bool(verdict == expected)


def verdicts_of(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What `rollout` says of each pass."""
    files: Files = row["files_old"]
    for change in row["changes"]:
        former, files = files, {node: changed(keys, change.get(node, {})) for node, keys in files.items()}
        yield rollout(former, files, row["kafka"])


def rollout(former: Files, files: Files, release: str) -> dict[str, Any]:
    """What `rollout` says of two folders of files."""
    with tempfile.TemporaryDirectory() as folder:
        for side, nodes in (("before", former), ("after", files)):
            (Path(folder) / side).mkdir()
            for node, keys in nodes.items():
                text = "".join(f"{key}={value}\n" for key, value in keys.items())
                (Path(folder) / side / f"node-{node}.properties").write_text(text, encoding="utf-8")
        version = ".".join(release.split(".")[:2])
        result = run("rollout", f"{folder}/before", f"{folder}/after", "--kafka-version", version, "--format", "json")
    document: dict[str, Any] = result.json
    return document


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
