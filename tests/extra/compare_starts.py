"""Compare what real starts did with what the tool says of them: refused and changed, both ways."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from advisor.analysis.startup.judge import StartupJudge
from advisor.analysis.startup.queries import answer, read
from rules.quorum import POLICIES
from rules.storage import SHADOWED
from tests.extra.combinations import FOLDER

DOUBLES, RAISED, OVERRIDING = "contains duplicate values", "Setting it to", "Overriding the default value"
STATIC, BYTES = "A static ", "org.apache.kafka.common.serialization.ByteArray"
OBJECTS = ("key.serializer", "value.serializer", "key.deserializer", "value.deserializer")
"""What Streams gives its clients as objects, whatever is written."""
GROWING = ("retry.backoff.ms", "socket.connection.setup.timeout.ms")
SPECIFIC = ("main.consumer.", "restore.consumer.", "global.consumer.")
OF_CLASSIC = ("session.timeout.ms", "heartbeat.interval.ms", "partition.assignment.strategy")
UNDECIDED = ("unfinished", "died")
ENVIRONMENT = (
    "NoClassDefFoundError: org/rocksdb",
    "initialization timed out",
    "only supported for testing",
    "NoSuchFileException",
    "Address already in use",
)
"""What says that the machine, not the settings, ended a start."""
UNSEEN = frozenset((*SHADOWED, *POLICIES, "num.partitions", "default.replication.factor", "log.message.format.version"))
"""Settings of nodes that do nothing beside a finer one, or on a broker alone: no object of the start shows that."""
REPLACED = re.compile(r"\b(ignored|ignoring|overriding|overridden)\b", re.IGNORECASE)
"""Warnings that say of a setting that it is not used as it is written."""


class Difference:
    """A start that was judged otherwise than it went."""

    def __init__(self, row: dict[str, Any], said: dict[str, Any], about: str) -> None:
        self.row = row
        self.said = said
        self.about = about

    def __str__(self) -> str:
        row, said = self.row, self.said
        settings = " ".join(f"{key}={value}" for key, value in row["settings"].items())
        ours = f"{said['refused']} {[reason['key'] + ': ' + reason['message'] for reason in said['reasons']][:3]}"
        return (
            f"{row['id']} {row['component']} {row['version']} {self.about}\n    {settings}\n"
            f"    Kafka: {row['outcome']} {row['detail'][:300]} {replaced(row)}\n    we: {ours} {said['changed']}"
        )


def started(said: dict[str, Any]) -> dict[str, Any]:
    """The verdict on the whole start, where that of the configuration stands beside it."""
    return {**said, **said.get("start", {})}


def differences(rows: Iterable[dict[str, Any]], judge: StartupJudge, counts: Counter[str]) -> Iterator[Difference]:
    """The starts that were judged otherwise; `counts` takes how many were judged, and how many cannot be."""
    for row in rows:
        said = started(answer(read(json.dumps(row)), judge))
        counts[str(row["outcome"])] += 1
        refused = row["outcome"] == "refused"
        if row["outcome"] in UNDECIDED or any(sign in row["detail"] for sign in ENVIRONMENT):
            counts["not counted"] += 1
            continue
        if said["refused"] is None:
            counts["unknown"] += 1
            if refused or not settled(said):
                continue
        elif said["refused"] is not refused:
            yield Difference(row, said, "refused")
            continue
        if not refused and {key for key in said["changed"] if compared(row, key)} != set(replaced(row)):
            yield Difference(row, said, "changed")


def settled(said: dict[str, Any]) -> bool:
    """Whether all that a file cannot tell is as it should be in the environment."""
    return all(str(FOLDER) in reason["message"] for reason in said["reasons"])


def replaced(row: dict[str, Any]) -> list[str]:
    """The keys of whose value Kafka used another, and those that a warning calls ignored, raised or shortened."""
    found = set(row["changed"])
    for warning in row["warnings"]:
        words = set(re.findall(r"[a-z0-9.]+[a-z0-9]", warning))
        if DOUBLES in warning:
            found |= {key for key in row["settings"] if bare(key) in words and has_double(row["settings"][key])}
        elif RAISED in warning and row["component"] == "streams":
            found.add("producer.delivery.timeout.ms")
        elif OVERRIDING in warning and row["component"] != "admin":
            found.add("admin.default.api.timeout.ms" if row["component"] == "streams" else "default.api.timeout.ms")
        elif STATIC in warning and row["component"] != "streams":
            found |= set(re.findall(r"Configuration '([a-z.]+)'", warning)[:1])
        elif "is ignored and" in warning:
            found |= set(re.findall(r"([a-z.]+) is ignored", warning))
        elif REPLACED.search(warning):
            named = words & set(row["settings"])
            found |= {key for key in named if key not in {bare(changed) for changed in row["changed"]}}
    if row["component"] == "streams":
        found |= {key for key in row["settings"] if bare(key) in OBJECTS and BYTES not in row["settings"][key]}
    return sorted(key for key in found if compared(row, key))


def bare(key: str) -> str:
    """The key without the prefix of an inner client."""
    prefixes = ("main.consumer.", "restore.consumer.", "global.consumer.", "consumer.", "producer.", "admin.")
    prefix = next((prefix for prefix in prefixes if key.startswith(prefix)), "")
    return key.removeprefix(prefix)


def has_double(value: str) -> bool:
    """Whether an entry of a list stands twice."""
    entries = [entry.strip() for entry in value.split(",")]
    return len(set(entries)) < len(entries)


def compared(row: dict[str, Any], key: str) -> bool:
    """Whether a change is compared: the start of a plain topology makes no global consumer, ids are lengthened, warnings
    within Streams do not say of which client they are, and consumers of the newer protocol before 4.0 say nothing."""
    if row["component"] == "broker" and key in UNSEEN:
        return False
    if row["component"] == "streams" and bare(key) in GROWING:
        return False
    if row["settings"].get("group.protocol", "").lower() == "consumer" and key in OF_CLASSIC:
        return False
    name = bare(key)
    if row["component"] == "streams" and any(
        prefix + name in row["settings"] for prefix in SPECIFIC if prefix + name != key
    ):
        return False
    if row["component"] == "streams" and name in OF_CLASSIC and row["version"] < "4":
        return False
    return not key.startswith("global.consumer.") and bare(key) not in ("client.id", "group.instance.id")
