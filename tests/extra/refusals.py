"""Compare what the tool says of a start with what real Kafka did: `python -m tests.extra.refusals FILE.jsonl [COMPONENT]`.

A row holds the settings that Kafka's own classes were given, and what they made of them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from advisor.analysis.literal_entities import entity, kind_of
from advisor.analysis.startup.judge import StartupJudge
from advisor.analysis.startup.queries import OF_BROKER, answer, read
from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.model import Snapshot, Target
from rules import all_rules

RULES = all_rules()
SHARE = 0.99
"""How many of the rows have to be judged as Kafka judged them."""


class Count:
    """Rows that were judged as Kafka judged them, and those that were not."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.right = self.missed = self.false = 0

    def add(self, said: object, kafka: object) -> bool:
        """Count one row; whether it is right."""
        self.right += said == kafka
        self.false += said is True and kafka is not True
        self.missed += said != kafka and said is not True
        return said == kafka

    @property
    def good(self) -> bool:
        """At least 99 of 100 right, and nothing called refused that Kafka took."""
        return not self.false and self.right >= SHARE * (self.right + self.missed)

    def __str__(self) -> str:
        total = self.right + self.missed + self.false
        return f"{self.name}: {self.right} of {total} rows as Kafka; {self.false} called refused that Kafka took"


def main(path: str, component: str = "") -> int:
    """Print every row that was judged otherwise than Kafka judged it."""
    file = Path(path)
    if not file.is_file():
        print(f"refusals: skipped, there is no {file}")
        return 0
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return compare(row for row in rows if component in ("", row["component"]))


def compare(rows: Iterable[dict[str, Any]]) -> int:
    """Judge the rows in bulk and as files, and say how often Kafka agrees."""
    bulk, lint, changed = Count("starts --queries"), Count("refused_by_kafka"), Count("changed keys")
    starter, policy, started = StartupJudge(RULES), Policy(RULES), time.perf_counter()
    for row in rows:
        said = answer(read(json.dumps(row)), starter)
        kafka = None if is_environment(row) else row["outcome"] == "refused" or ends_at_its_authorizer(row)
        known_anyway = kafka is None and said["refused"] is True and row["outcome"] == "refused"
        if not bulk.add(said["refused"], True if known_anyway else kafka):
            report(row, said)
        if kafka is not None:
            lint.add(lints(row, policy), kafka)
        if row["outcome"] == "changed" and not changed.add(names_one(row, said["changed"]), True):
            report(row, said)
    for count in (bulk, lint, changed):
        print(f"refusals: {count}")
    print(f"refusals: {time.perf_counter() - started:.1f} s")
    return 0 if all(count.good for count in (bulk, lint, changed)) else 1


def ends_at_its_authorizer(row: dict[str, Any]) -> bool:
    """Whether a KRaft node makes the authorizer of ZooKeeper, which these rows did not configure: a real 3.9.2 ends there.

    AclAuthorizer.configure connects to a zookeeper.connect that is null: a NullPointerException, which is fatal.
    """
    given = row["settings"]
    is_old = given.get("authorizer.class.name") == "kafka.security.authorizer.AclAuthorizer"
    return is_old and "process.roles" in given and "zookeeper.connect" not in given


def is_environment(row: dict[str, Any]) -> bool:
    """Whether the outcome depends on more than the settings."""
    return bool(row.get("environment")) or row["outcome"] == "environment"


def names_one(row: dict[str, Any], keys: Any) -> bool:
    """Whether one of the keys is written down in the row or named in what Kafka said."""
    return any(key in row["settings"] or key.split(".")[-1] in row["detail"] for key in keys)


def lints(row: dict[str, Any], policy: Policy) -> bool:
    """Whether a lint of the row's settings has a finding with refused_by_kafka."""
    given = {key: value for key, value in row["settings"].items() if not key.startswith(OF_BROKER)}
    subject = entity(
        kind_of(row["component"], given), given, Target(read(json.dumps(row))["target"], "the row's", True)
    )
    return any(finding.refused for finding in judge([Snapshot("row", [subject])], RULES, policy).findings)


def report(row: dict[str, Any], said: dict[str, Any]) -> None:
    """One row that was judged otherwise."""
    settings = " ".join(f"{key}={value}" for key, value in row["settings"].items())
    print(f"{row['id']} {row['component']} {row['version']} {settings}")
    print(f"    Kafka: {row['outcome']} {row['detail'][:200]}")
    print(f"    we: {said['refused']} {said['reasons'][:3]} changed {said['changed']}")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
