"""The selected rules by inputs, with the decision trees that grow while they are evaluated."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.engine.policy import Policy
from advisor.rule import Rule
from advisor.rule.subject import Question
from spark_audit.engine.tree_walk import TreeWalker

Inputs = tuple[str, ...]


class CompiledRules:
    """The selected rules by the names of their inputs; `of_partitions` are the questions that partition rules ask."""

    def __init__(self, rules: Sequence[Rule], policy: Policy) -> None:
        self.policy = policy
        self.walker = TreeWalker()
        self.of_partitions: dict[Inputs, set[Question]] = {}
        self.by_inputs: dict[Inputs, list[Rule]] = {}
        for rule in rules:
            if policy.selects(rule):
                self.by_inputs.setdefault(rule.inputs, []).append(rule)
