"""kafka-log-dirs --describe: a line of JSON with the log directories of each broker that answered. Source: LogDirsCommand."""

from __future__ import annotations

import json
from collections.abc import Sequence

from advisor.model.cluster import LogDir
from collectors.outputs.facts import Facts

MARK = '"logDirs"'


def read(lines: Sequence[str], facts: Facts) -> None:
    """Read the log directories that some lines show."""
    for line in lines:
        if MARK not in line or "{" not in line:
            continue
        try:
            document, _ = json.JSONDecoder().raw_decode(line[line.index("{") :])
        except (ValueError, RecursionError):
            continue
        if isinstance(document, dict):
            read_json(document, facts)


def read_json(document: dict[str, object], facts: Facts) -> None:
    """Read the log directories of a document."""
    brokers = document.get("brokers")
    for row in brokers if isinstance(brokers, list) else ():
        dirs = row.get("logDirs") if isinstance(row, dict) else None
        if isinstance(dirs, list) and type(row.get("broker")) is int:
            facts.log_dirs[row["broker"]] = tuple(_log_dir(dir) for dir in dirs if isinstance(dir, dict))
            facts.answered(row["broker"])


def _log_dir(row: dict[str, object]) -> LogDir:
    partitions, error = row.get("partitions"), row.get("error")
    return LogDir(
        str(row.get("logDir", "")),
        None if error in (None, "null", "") else str(error),
        partitions=len(partitions) if isinstance(partitions, list) else None,
    )
