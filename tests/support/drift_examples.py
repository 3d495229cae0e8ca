"""Clusters, rules and waivers of two audits, and their tables written anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from spark_audit.storage.runs import MARKER

if TYPE_CHECKING:
    from typing import Any

ORDERS = "kafka 4.3\nbrokers 1/a 2/b 3/c\ncluster-wide min.insync.replicas=2\ntopic orders{}\n{}: leader 1 replicas 1,2,3 isr 1"
FEW, MANY, WEAK = ORDERS.format("", "0-3"), ORDERS.format("", "0-4"), ORDERS.format(" min.insync.replicas=1", "0-3")

HIDDEN = ORDERS.format(" missing=not_permitted", "0-3")


CHANGED = """kafka 4.3
brokers 1/a 2/b 3/c
broker * log.retention.hours={hours} default.replication.factor=3
topic orders min.insync.replicas={isr} retention.ms={ms} cleanup.policy={policy}
0-3: leader 1 replicas 1,2,3 isr 1
topic moved min.insync.replicas=2 retention.ms=5000
0: leader 1 replicas 1,2,3 isr 1,2,3
[producer orders]
bootstrap.servers=b1:9092,b2:9092
acks={acks}
{idempotence}"""
"""A cluster of which some settings change from one audit to the next."""
STRICT = CHANGED.format(hours=0, isr=2, ms=2000, policy="delete", acks="all", idempotence="enable.idempotence=false")
LOOSE = CHANGED.format(hours=1, isr=1, ms=1000, policy="delete", acks="1", idempotence="enable.idempotence=true")


ODD_RULE = '''
from advisor.rule import Subject, Problem, Problems, rule

@rule("OWN1", "high")
def odd(topic: Subject) -> Problems:
    """A topic is odd.

    Why: because.
    Fix: do.
    """
    if topic.int("retention.ms") == 13:
        raise ZeroDivisionError("unlucky")
    if topic.int("retention.ms") == 14:
        yield Problem("retention.ms", "odd")
'''


DRIFT_WAIVERS = "- {rule: KA221, reason: known}\n"


def rewritten(**more: object) -> Any:
    def change(folder: Path) -> None:
        about = json.loads((folder / MARKER).read_text()) | more
        (folder / MARKER).write_text(json.dumps({key: value for key, value in about.items() if value is not None}))

    return change
