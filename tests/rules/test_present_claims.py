"""What rules claim of running partitions the simulator shows, with unclean election, too: no proof may contradict its rule."""

from __future__ import annotations

from itertools import product

import pytest

from advisor.engine import judge
from advisor.engine.policy import Policy
from advisor.samples.cluster_text import parse_cluster
from rules import all_rules

RULES = [rule for rule in all_rules() if rule.inputs[0] == "partition"]
ISRS = ("1", "1,2", "1,2,3", "2")


@pytest.mark.parametrize(("unclean", "min_isr"), list(product(("true", "false"), ("1", "2", "3"))))
@pytest.mark.parametrize("brokers", ["1 2 3", "1/a 2/a 3/b", "1 2 !3", "1 !2 !3"])
def test_no_proof_contradicts_its_rule(unclean: str, min_isr: str, brokers: str) -> None:
    lines = [f"kafka 4.3\nbrokers {brokers}"]
    for number, isr in enumerate(ISRS):
        lines.append(f"topic t{number} unclean.leader.election.enable={unclean} min.insync.replicas={min_isr}")
        lines.append(f"0: leader {isr[0]} replicas 1,2,3 isr {isr}")
    report = judge([parse_cluster("\n".join(lines))], RULES, Policy(RULES))
    proofs = [(row.rule, row.entity[1], row.proof["summary"]) for row in report.findings if row.proof]
    assert not [row for row in proofs if "contradicts" in str(row[2])]
