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
