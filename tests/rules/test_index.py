"""The index of rules says what the modules declare, and a lint loads only the modules that its inputs need."""

from __future__ import annotations

import pytest

from advisor.rule.rule_set import RuleName
from rules import MODULES, all_rules, rule_set
from rules.build_index import PATH, source
from tests.support.commands import loaded_by


def test_the_index_is_what_the_modules_declare() -> None:
    assert PATH.read_text() == source(), "python -m rules.build_index"


def test_names_and_inputs_are_those_of_the_rules() -> None:
    names = {(row.id, row.name, row.family, row.inputs) for row in rule_set().names()}
    assert names == {(rule.id, rule.name, rule.family, rule.inputs) for rule in all_rules()}
    assert all(isinstance(row, RuleName) for row in rule_set().names())


@pytest.mark.parametrize(
    "inputs", [{"config", "node", "broker", "cluster"}, {"config", "client", "producer"}, {"topic"}]
)
def test_rules_are_taken_by_their_inputs_in_the_order_of_the_families(inputs: set[str]) -> None:
    taken = rule_set().taking(frozenset(inputs))
    assert [rule.id for rule in taken] == [rule.id for rule in all_rules() if set(rule.inputs) <= inputs]


@pytest.mark.parametrize(
    ("file", "needless"),
    [
        (
            "server",
            {"durability_topics", "storage_topics", "producer", "consumer", "streams", "zookeeper", "live.groups"},
        ),
        ("producer", {"availability", "quorum", "storage", "network", "capacity", "live.quorum"}),
    ],
)
def test_modules_that_no_input_needs_are_not_loaded(file: str, needless: set[str]) -> None:
    loaded = loaded_by("lint", f"examples/bad/{file}.properties")
    assert loaded & {f"rules.{module}" for module in MODULES}
    assert not loaded & {f"rules.{module}" for module in needless}
