"""A sick cluster, and its report in every format."""

from __future__ import annotations

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.model import Snapshot
from advisor.reports.context import RunResult
from advisor.reports.formats import load
from rules import all_rules

RULES = all_rules()
LIVE = """kafka 4.3
brokers 1/a 2/b 3/c
topic orders min.insync.replicas=1
0-2: leader 1 replicas 1,2,3 isr 1
topic pay
0: leader 1 replicas 1 isr 1
unread groups: not permitted"""


def written(name: str, snapshot: Snapshot) -> str:
    """A snapshot's report in a format."""
    return "".join(load(name).chunks(RunResult(judge([snapshot], RULES, Policy(RULES)), RULES)))
