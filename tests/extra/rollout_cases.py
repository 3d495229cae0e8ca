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

from advisor.samples.cluster_text import ClusterTextReader
from collectors.snapshot.file import write
from tests.extra.rollouts import Files, changed
from tests.support.commands import run

ELR = "eligible.leader.replicas.version"
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
    """What `rollout` says of each pass; cluster-wide dynamic values are those of a snapshot."""
    if "cluster-wide" in row.get("dynamic", {}):
        yield rollout(row["files_old"], files_after(row), row["kafka"], snapshot_text(row))
        return
    files: Files = row["files_old"]
    for change in row["changes"]:
        former, files = files, {node: changed(keys, change.get(node, {})) for node, keys in files.items()}
        yield rollout(former, files, row["kafka"])


def files_after(row: Mapping[str, Any]) -> Files:
    """The files after the last pass."""
    files: Files = row["files_old"]
    for change in row["changes"]:
        files = {node: changed(keys, change.get(node, {})) for node, keys in files.items()}
    return files


def snapshot_text(row: Mapping[str, Any]) -> str:
    """The cluster before the change as a cluster text: brokers with their files, dynamic values, the topic under load."""
    release = ".".join(row["kafka"].split(".")[:2])
    brokers = [node for node, keys in row["files_old"].items() if "broker" in keys.get("process.roles", "broker")]
    voters = [node for node, keys in row["files_old"].items() if "controller" in keys.get("process.roles", "")]
    lines = [f"kafka {release}", f"brokers {' '.join(brokers)}"]
    lines += [f"broker {node} {words(row['files_old'][node])}" for node in brokers]
    lines += [f"cluster-wide {words(row['dynamic']['cluster-wide'])}"]
    lines += [f"topic {row['topic']['name']} {words(row['topic']['config'])}".rstrip()]
    for number, replicas in enumerate(row["topic"]["assignment"]):
        ids = ",".join(map(str, replicas))
        lines.append(f"{number}: leader {replicas[0]} replicas {ids} isr {ids}")
    lines += [f"quorum leader={voters[0]} voters={','.join(voters)}"] if voters else []
    return "\n".join([*lines, f"features {ELR}={row[ELR]}/1"] if ELR in row else lines)


def words(settings: Mapping[str, str]) -> str:
    """Settings as a cluster text has them."""
    return " ".join(f"{key}={value}" for key, value in settings.items())


def rollout(former: Files, files: Files, release: str, cluster: str = "") -> dict[str, Any]:
    """What `rollout` says of two folders of files, or of a running cluster and a folder."""
    with tempfile.TemporaryDirectory() as folder:
        if cluster:
            reader = ClusterTextReader()
            for line in cluster.splitlines():
                reader.read(line)
            write(f"{folder}/cluster.json", reader.snapshot())
        for side, nodes in (("before", former), ("after", files)):
            (Path(folder) / side).mkdir()
            for node, keys in nodes.items():
                text = "".join(f"{key}={value}\n" for key, value in keys.items())
                (Path(folder) / side / f"node-{node}.properties").write_text(text, encoding="utf-8")
        version = ".".join(release.split(".")[:2])
        old = f"{folder}/cluster.json" if cluster else f"{folder}/before"
        result = run("rollout", old, f"{folder}/after", "--kafka-version", version, "--format", "json")
    document: dict[str, Any] = result.json
    return document


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
