"""kafka-metadata-quorum describe, --status and --replication. Source: MetadataQuorumCommand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from advisor.model.cluster import Quorum, QuorumMember
from collectors.outputs.facts import Facts
from collectors.outputs.numbers import broker_id, whole

FIELD = re.compile(r"\b(ClusterId|LeaderId|LeaderEpoch|MaxFollowerLagTimeMs|CurrentVoters|CurrentObservers):\s+(\S.*)")
TIMELY_MS = 10_000


def read(lines: Sequence[str], facts: Facts) -> None:
    """Read the quorum that some lines show; --replication, which says when each voter was heard of, comes first."""
    status = {match.group(1): match.group(2).rstrip() for line in lines if (match := FIELD.search(line))}
    facts.cluster_id = status.get("ClusterId", facts.cluster_id)
    replication = _of_replication(lines)
    epoch = whole(status.get("LeaderEpoch", "")) or (facts.quorum.epoch if facts.quorum is not None else 0)
    if replication is not None:
        facts.quorum = replication
    elif facts.quorum is None and "CurrentVoters" in status and "LeaderId" in status:
        facts.quorum = _of_status(status)
    if facts.quorum is not None:
        facts.quorum.epoch = epoch


def _of_status(status: dict[str, str]) -> Quorum:
    leader, slowest = whole(status["LeaderId"]), whole(status.get("MaxFollowerLagTimeMs", ""))
    is_known = slowest is not None and 0 <= slowest <= TIMELY_MS
    voters = [QuorumMember(id, True, None, slowest if is_known else None) for id in _ids(status["CurrentVoters"])]
    observers = [QuorumMember(id, False, None, None) for id in _ids(status.get("CurrentObservers", ""))]
    return Quorum(-1 if leader is None else leader, 0, [*voters, *observers])


def _ids(text: str) -> Iterable[int]:
    """The ids of `[1,2]` as older releases print it, or of a list of objects."""
    try:
        rows = json.loads(text) if text else []
    except (ValueError, RecursionError):
        return
    for row in rows if isinstance(rows, list) else ():
        id = row.get("id") if isinstance(row, dict) else row
        if type(id) is int:
            yield id


def _of_replication(lines: Sequence[str]) -> Quorum | None:
    columns: list[str] = []
    rows: list[dict[str, str]] = []
    for line in lines:
        if "NodeId" in line and "LogEndOffset" in line:
            columns, rows = line[line.index("NodeId") :].split(), []
            columns = columns if columns[0] == "NodeId" else []
        elif columns:
            words = line.replace("|", " ").split()
            if len(words) == len(columns) and broker_id(words[0]) is not None:
                rows.append(dict(zip(columns, words, strict=True)))
            else:
                columns = columns if not rows else []
    return _quorum(rows) if rows else None


def _quorum(rows: Sequence[dict[str, str]]) -> Quorum:
    """The quorum of a table; a voter's silence is counted from the leader's own time."""
    leader = next((row for row in rows if row.get("Status") == "Leader"), None)
    now = whole(leader.get("LastCaughtUpTimestamp", "")) if leader is not None else None
    members = []
    for row in rows:
        caught_up = whole(row.get("LastCaughtUpTimestamp", ""))
        silent = now - caught_up if now is not None and caught_up is not None and caught_up > 0 else None
        is_voter = row.get("Status") in ("Leader", "Follower")
        members.append(QuorumMember(int(row["NodeId"]), is_voter, whole(row.get("Lag", "")), silent))
    return Quorum(int(leader["NodeId"]) if leader is not None else -1, 0, members)
